"""The guided first deal, and a hint in one tap: what to do and why, by every input."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from conftest import Size, only_long, ran_python, unwrap
from page.conftest import Visit
from page.hands import Typing
from page.scenes import Laid
from page.test_access import check
from page.visitors import Visitor
from rules.table import MELDS, NEUTRAL, table

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "web" / "src" / "lessons" / "first.json"
MOMENTS = json.loads(FILE.read_text("utf-8"))["moments"]
THROWN, LAID, LAST = (str(MOMENTS[at]["action"]).split()[1] for at in (1, 5, 6))
GROUP = int(str(MOMENTS[5]["action"]).split()[-1])
_LONG = pytest.mark.long
TURKISH = pytest.mark.parametrize("language", ["tr", pytest.param("en", marks=_LONG)])
ENGLISH = pytest.mark.parametrize("language", ["en", pytest.param("tr", marks=_LONG)])
_TRIES = 5
STEPS = ("okey", "joker", "rack", "draw", "discard", "open", "fine", "lay", "finish")
LOOKED_AT = ("okey", "joker", "fine")
_FEW = 3
_GLOWS = """() => [...document.querySelectorAll(".coached *")].filter((one) => {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest(".face")) return false;
    if (one.matches(".spot.act")) return true;
    if (one.dataset.spot || one.ariaPressed === "true") return false;
    const { backgroundImage, boxShadow } = getComputedStyle(one);
    return backgroundImage.includes("rgb(239, 197, 102)") || /rgb\\(110, 231, 160/.test(boxShadow);
}).map((one) => `${one.className} ${one.textContent.trim()}`)"""

_BRASS = """() => [...document.querySelectorAll(".screen button.main")].filter((one) =>
    getComputedStyle(one).backgroundImage.startsWith("linear-gradient(rgb(2")
).map((one) => one.textContent.trim())"""
"""The buttons that shine, by their words."""


def test_the_lesson_is_what_the_engine_says_today(tmp_path: Path) -> None:
    again = tmp_path / "first.json"
    ran_python(ROOT / "scripts" / "make_lesson.py", again)
    assert again.read_text("utf-8") == FILE.read_text("utf-8"), "run scripts/make_lesson.py"


class Pupil:
    """Somebody in the lesson, who is told what to do, and where: by one thing that glows."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        visitor.go("/learn")
        self.coach = visitor.page.get_by_role("region", name=visitor.say("page-learn"))
        self.words = self.coach.get_by_role("status")

    def step(self, name: str, at: int) -> str:
        """The words of a step; ``at`` is the moment whose tile they name."""
        moment = MOMENTS[at]
        thrown = str(moment["action"]).partition(" ")[2].partition(" ")[0]
        tile = str(moment["deal"].get("taken") or thrown)
        named = self.visitor.words(tile) if tile else ""
        okey = self.visitor.words(str(MOMENTS[0]["deal"]["okey"]))
        return self.visitor.say(f"learn-{name}", tile=named, okey=okey)

    def told(self, name: str, at: int) -> None:
        """Wait for the words of a step; one thing glows, and no more."""
        expect(self.words).to_have_text(self.step(name, at))
        self.one_glows(name)

    def one_glows(self, when: str) -> None:
        """What is lit is what is to be touched; everything else is quiet."""
        found: list[str] = []

        def alone() -> bool:
            found[:] = self.visitor.page.evaluate(_GLOWS)
            return len(found) == 1

        self.visitor.until(alone, f"one thing to glow at {when}: {found}")

    def says(self, name: str, at: int) -> bool:
        return self.words.inner_text() == self.step(name, at)

    @property
    def on(self) -> Locator:
        return self.visitor.button("learn-next")

    @property
    def lit(self) -> Locator:
        """What is to be touched next."""
        return self.visitor.page.locator("[data-spot=act]")

    def slot(self, tile: str) -> Locator:
        """The tile on the rack, by what is read out for it."""
        words = self.visitor.words(tile)
        grid = self.visitor.page.get_by_role("grid")
        return grid.get_by_role("button", name=f"{words},").first

    def plays_on(self, moves: int, do: Callable[[], object]) -> None:
        """The first deal: do what is advised, so many times or until it is over."""
        visitor = self.visitor
        visitor.wait_table()
        for _ in range(moves):
            self.advised()
            if (visitor.model.deal or {}).get("end"):
                return
            self.one_glows(f"an own turn: {self.adviser()}")
            seq = visitor.model.seq
            do()
            visitor.until(lambda seq=seq: visitor.model.seq > seq, "what was advised")  # type: ignore[misc]

    def adviser(self) -> str:
        return self.visitor.page.locator(".coach").inner_text()

    def advised(self) -> None:
        """Wait for the own turn, with advice, or for the end."""
        follow = self.visitor.button("adviser-follow")
        self.visitor.until(
            lambda: (self.visitor.model.deal or {}).get("end") or follow.is_enabled(), "advice"
        )


@TURKISH
@pytest.mark.long
def test_by_touch(visit: Visit, language: str) -> None:
    """Whoever touches what glows, and nothing else, has learned it in the end."""
    pupil = Pupil(visitor := visit(None, language=language, size=(390, 844), touch=True))

    def tap(reached: Callable[[], object], locator: Locator | None = None) -> None:
        """Tap until it was one: where all is slow, a browser takes a tap for a long press."""
        for _ in range(_TRIES):
            (locator or pupil.lit).tap()
            for _ in range(20):
                if reached():
                    return
                visitor.pump(0.1)
        raise AssertionError(f"tapped in vain: {pupil.words.inner_text()}")

    def tap_tile(tile: str, reached: Callable[[], object]) -> None:
        tap(lambda: pupil.slot(tile).get_attribute("aria-pressed") == "true")
        tap(reached)

    def go_on(name: str, at: int) -> None:
        tap(lambda: pupil.says(name, at), pupil.on)
        pupil.told(name, at)

    pupil.told("okey", 0)
    go_on("joker", 0)
    go_on("rack", 0)
    tap(lambda: pupil.says("rack-done", 0))
    go_on("draw", 0)
    tap(lambda: pupil.says("draw-done", 0))
    go_on("discard", 1)
    tap_tile(THROWN, lambda: pupil.says("discard-done", 1))
    go_on("open", 3)
    tap(lambda: pupil.lit.get_attribute("data-act") == "melds")
    tap(lambda: pupil.says("open-done", 3))
    go_on("fine", 5)
    go_on("lay", 5)
    tap_tile(LAID, lambda: pupil.says("lay-done", 5))
    go_on("finish", 6)
    tap_tile(LAST, lambda: pupil.says("finish-done", 6))
    expect(visitor.page.locator(".sheet .won").first).to_contain_text("-101")
    tap(lambda: "/t/" in visitor.page.url, visitor.button("learn-play"))

    def touched() -> None:
        seq = visitor.model.seq
        for _ in range(_TRIES):  # a tile, then where it goes
            pupil.lit.tap()
            visitor.pump(0.5)
            if visitor.model.seq > seq:
                return

    pupil.plays_on(8, touched)


@ENGLISH
@pytest.mark.long
def test_by_keyboard(visit: Visit, language: str) -> None:
    pupil = Pupil(visitor := visit(None, language=language, size=(844, 390)))
    hands = Typing(visitor)

    def go_on() -> None:
        expect(pupil.on).to_be_focused()
        hands.press("Enter")

    pupil.told("okey", 0)
    pupil.on.focus()
    go_on()
    go_on()
    for name in ("rack", "draw"):  # the keyboard is where it is to be done
        pupil.told(name, 0)
        expect(pupil.lit).to_be_focused()
        hands.press("Enter")
        pupil.told(f"{name}-done", 0)
        go_on()
    _throw(hands, pupil, THROWN)
    pupil.told("discard-done", 1)
    go_on()
    hands.enter_rack()
    hands.press("s")
    visitor.pump(0.3)
    hands.press("o")
    pupil.told("open-done", 3)
    go_on()
    go_on()
    _at(hands, pupil, LAID)
    hands.press("l")
    pupil.told("lay-done", 5)
    go_on()
    _throw(hands, pupil, LAST)
    pupil.told("finish-done", 6)
    expect(visitor.button("learn-play")).to_be_focused()
    hands.press("Enter")

    def followed() -> None:
        visitor.button("adviser-follow").focus()
        hands.press("Enter")

    pupil.plays_on(8, followed)


def _at(hands: Typing, pupil: Pupil, tile: str) -> None:
    """Go to a tile with Tab and the arrows."""
    source = pupil.slot(tile).get_attribute("data-source") or ""
    hands.focus(int(source.removeprefix("slot:")))


def _throw(hands: Typing, pupil: Pupil, tile: str) -> None:
    _at(hands, pupil, tile)
    hands.press("d")


@TURKISH
def test_by_the_accessibility_tree_alone(visit: Visit, language: str, size: Size) -> None:
    """By role and name, as a screen reader presses; axe finds nothing at any step."""
    pupil = Pupil(visitor := visit(None, language=language, size=(1440, 900)))
    faults = []

    def press(locator: Locator) -> None:
        locator.focus()
        visitor.page.keyboard.press("Enter")

    def done(name: str, at: int) -> None:
        pupil.told(name, at)
        pixels = name in ("okey", "open-done") or size(0, long=1) > 0
        faults.extend(check(visitor, name, pixels=pixels))
        press(pupil.on)

    named = visitor.say("page-my-discards", count=0, top="-").split(",")[0]
    corner = visitor.page.get_by_role("button", name=re.compile(f"^{re.escape(named)}"))
    done("okey", 0)
    done("joker", 0)
    press(visitor.button("page-sort-melds"))
    done("rack-done", 0)
    press(visitor.button("page-draw"))
    done("draw-done", 0)
    press(pupil.slot(THROWN))
    press(corner)
    done("discard-done", 1)
    press(visitor.button("page-sort-melds"))
    visitor.pump(0.3)
    press(visitor.button_like("page-open"))
    done("open-done", 3)
    done("fine", 5)
    press(visitor.button_like("page-lay-all"))
    done("lay-done", 5)
    press(pupil.slot(LAST))
    press(corner)
    pupil.told("finish-done", 6)
    faults.extend(check(visitor, "end"))
    press(visitor.button("learn-play"))
    pupil.plays_on(size(_FEW, long=60), lambda: press(visitor.button("adviser-follow")))
    faults.extend(check(visitor, "the first deal"))
    assert not faults, "\n".join(faults)


_LIT_TOO_SOON = """(table) => {
    localStorage.setItem("okey101.adviser", table);
    window.litTooSoon = 0;
    const look = () => {
        if (document.querySelector(".rack.dealing") && document.querySelector(".spot"))
            window.litTooSoon += 1;
        requestAnimationFrame(look);
    };
    look();
}"""


def test_nothing_is_lit_while_the_tiles_are_dealt(visit: Visit) -> None:
    visitor = visit("Ali", size=(360, 640), moving=True)
    made = visitor.context.request.post("/api/play", data={"clock": 0, "deals": 1}).json()
    visitor.page.add_init_script(f"({_LIT_TOO_SOON})('{made['table']}')")
    visitor.go(f"/t/{made['table']}")
    visitor.page.locator(".spot").wait_for()
    assert visitor.page.evaluate("window.litTooSoon") == 0


def test_every_step_can_be_skipped_and_nothing_else_is_played(visit: Visit) -> None:
    pupil = Pupil(visitor := visit(None, size=(844, 390)))
    visitor.button("page-draw").click()
    notice = visitor.page.locator(".notice")
    expect(notice).to_contain_text(visitor.say("learn-other"))
    for name in STEPS:
        expect(visitor.button("learn-play")).to_have_count(0)
        on = pupil.on if name in LOOKED_AT else visitor.button("learn-skip")
        if name == "rack":  # what was said of something else is no longer true
            visitor.button("page-sort-melds").click()
            expect(notice).not_to_contain_text(visitor.say("learn-other"))
            on = pupil.on
        elif name == "open":  # to open with what lies there now would be in vain
            expect(pupil.lit).to_have_attribute("data-act", "sort-melds")
            pupil.lit.click()
            expect(pupil.lit).to_have_attribute("data-act", "melds")
        on.click()
    pupil.told("finish-done", 6)
    visitor.button("learn-again").click()
    pupil.told("okey", 0)
    visitor.button("learn-leave").click()
    expect(visitor.page).to_have_url(f"{visitor.url}/")


# A hint in one tap, done in a second one; and what a hand opens with ------------------------------


def _at_a_table(visitor: Visitor) -> None:
    """Alone against bots, at the own turn."""
    answer = visitor.context.request.post("/api/play", data={"clock": 0, "deals": 1})
    visitor.go(f"/t/{answer.json()['table']}")
    visitor.wait_table()
    visitor.until(lambda: visitor.model.options, "the own turn")


@pytest.mark.parametrize(("language", "size"), [("tr", (390, 844)), *only_long(["en", (844, 390)])])
def test_a_hint_says_what_and_why_and_is_done_in_a_tap(
    visit: Visit, language: str, size: tuple[int, int]
) -> None:
    visitor = visit("Ayşe", language=language, size=size)
    _at_a_table(visitor)
    seq = visitor.model.seq
    visitor.button("hint-button").click()
    card = visitor.page.get_by_role("group", name=visitor.say("hint-button"))
    expect(card).to_be_visible()
    shown, buttons = card.bounding_box(), visitor.page.get_by_role("toolbar").bounding_box()
    assert shown is not None
    assert shown["y"] + shown["height"] <= unwrap(buttons)["y"], "it names the buttons"
    (answer,) = [m for m in visitor.heard if m["type"] == "answer" and m["what"] == "hint"]
    why = visitor.say(
        f"hint-why-{answer['reason']['code']}",
        tile=visitor.words(answer["reason"]["tile"]) if answer["reason"]["tile"] else "",
        points=answer["reason"]["points"],
        need=answer["reason"]["need"],
    )
    expect(card).to_contain_text(why)
    told = visitor.page.locator(".line [role=status]")
    expect(told).to_contain_text(why)
    line = visitor.page.locator(".notice")
    expect(line).not_to_contain_text(why)  # it stands on the card, and would be cut here
    faults = check(visitor, "hint")
    assert visitor.page.evaluate(_BRASS) == [visitor.say("hint-follow")]
    visitor.button("hint-follow").click()
    visitor.until(lambda: visitor.model.seq > seq, "what was advised")
    assert any(m.get("action") == answer["action"] for m in visitor.sent)
    expect(card).to_be_hidden()
    expect(told).not_to_contain_text(why)  # it is no longer true
    expect(visitor.page.locator(".rack [aria-pressed=true]")).to_have_count(0)
    assert not faults, "\n".join(faults)


def test_what_opens_is_laid_out_on_the_rack(visit: Visit) -> None:
    visitor = visit("Ayşe", size=(844, 390))
    hand = " ".join(reversed(MELDS.replace("/ ", "").split()))
    stage = Laid(table("altinstar", [f"{hand} B3 B5", "K2 K4 K6 K8"], stock=NEUTRAL, starter=1))
    stage.show(visitor)
    visitor.button("hint-button").click()
    words = visitor.say("hint-opening-found", form="melds", points=108, need=101)
    expect(visitor.page.locator(".line [role=status]")).to_contain_text(words)
    rows = [tile for tile in visitor.slots() if tile]
    assert rows[:9] == MELDS.replace("/ ", "").split()


def test_no_hint_where_the_owner_wants_none(visit: Visit) -> None:
    visitor = visit("Ayşe", size=(844, 390))
    made = visitor.make(hints=False, clock=0, deals=1, bots=[None, "greedy", "greedy", "greedy"])
    visitor.begin(made)
    expect(visitor.button("hint-button")).to_have_count(0)
