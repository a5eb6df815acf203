"""The guided first deal, and a hint in one tap: what to do and why, by every input."""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
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
TILES = {"discard": THROWN, "lay": LAID, "finish": LAST}
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
    const brass = /rgb\\((239, 197, 102|243, 205, 118)\\)/.test(backgroundImage);
    return brass || /rgb\\(110, 231, 160/.test(boxShadow);
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


STORY = [*zip(STEPS, (0, 0, 0, 0, 1, 3, 5, 5, 6), strict=True)]
"""The steps, and the moments whose tiles they name."""


def learn(
    pupil: Pupil, do: Mapping[str, Callable[[], object]], go_on: Callable[[], object],
    look: Callable[[str], object] = lambda _: None,
) -> None:  # fmt: skip
    """The whole lesson by one kind of input; ``look`` sees each step once it is done."""
    for name, at in STORY:
        pupil.told(name, at)
        if name not in LOOKED_AT:
            do[name]()
            pupil.told(f"{name}-done", at)
        look(name)
        if name != "finish":
            go_on()


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

    def changed() -> Callable[[], bool]:
        before = pupil.words.inner_text()
        return lambda: pupil.words.inner_text() != before

    def pressed(tile: str) -> Callable[[], bool]:
        return lambda: pupil.slot(tile).get_attribute("aria-pressed") == "true"

    def by(*reached: Callable[[], object]) -> Callable[[], None]:
        """One tap for each of these, and one for the step's end."""

        def done() -> None:
            for one in (*reached, changed()):
                tap(one)

        return done

    sorted_out = by(lambda: pupil.lit.get_attribute("data-act") == "melds")
    tiles = {name: by(pressed(tile)) for name, tile in TILES.items()}
    learn(pupil, tiles | {"rack": by(), "draw": by(), "open": sorted_out},
          lambda: tap(changed(), pupil.on))  # fmt: skip
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

    def enter(locator: Locator) -> None:
        """The keyboard is where it is to be done."""
        expect(locator).to_be_focused()
        hands.press("Enter")

    def at(tile: str, key: str) -> None:
        source = pupil.slot(tile).get_attribute("data-source") or ""
        hands.focus(int(source.removeprefix("slot:")))
        hands.press(key)

    def opened() -> None:
        hands.enter_rack()
        hands.press("s")
        visitor.pump(0.3)
        hands.press("o")

    pupil.told("okey", 0)
    pupil.on.focus()
    keys = {name: partial(at, tile, "l" if name == "lay" else "d") for name, tile in TILES.items()}
    plain = dict.fromkeys(("rack", "draw"), lambda: enter(pupil.lit))
    learn(pupil, keys | plain | {"open": opened}, lambda: enter(pupil.on))
    enter(visitor.button("learn-play"))

    def followed() -> None:
        visitor.button("adviser-follow").focus()
        hands.press("Enter")

    pupil.plays_on(8, followed)


@TURKISH
def test_by_the_accessibility_tree_alone(visit: Visit, language: str, size: Size) -> None:
    """By role and name, as a screen reader presses; axe finds nothing at any step.

    In the short form it looks at two, and at the first deal.
    """
    pupil = Pupil(visitor := visit(None, language=language, size=(1024, 700)))
    faults: list[str] = []

    def press(*locators: Locator) -> None:
        for locator in locators:
            locator.focus()
            visitor.page.keyboard.press("Enter")
            visitor.pump(0.3)

    def look(name: str) -> None:
        if name in ("open", "finish") or size(0, long=1):
            faults.extend(check(visitor, name))

    named = visitor.say("page-my-discards", count=0, top="-").split(",")[0]
    corner = visitor.page.get_by_role("button", name=re.compile(f"^{re.escape(named)}"))
    sorts = visitor.button("page-sort-melds")
    presses: dict[str, Callable[[], object]] = {
        "rack": lambda: press(sorts),
        "draw": lambda: press(visitor.button("page-draw")),
        "discard": lambda: press(pupil.slot(THROWN), corner),
        "open": lambda: press(sorts, visitor.button_like("page-open")),
        "lay": lambda: press(visitor.button_like("page-lay-all")),
        "finish": lambda: press(pupil.slot(LAST), corner),
    }
    learn(pupil, presses, lambda: press(pupil.on), look)
    press(visitor.button("learn-play"))
    pupil.plays_on(size(_FEW, long=60), lambda: press(visitor.button("adviser-follow")))
    faults.extend(check(visitor, "the first deal"))
    assert not faults, "\n".join(faults)


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
    visitor.resize(390, 844)
    tops = set[int]()
    for name in STEPS[:-1]:
        pupil.told(name, dict(STORY)[name])
        tops.add(visitor.page.locator(".stage").evaluate("(one) => one.offsetTop"))
        visitor.page.locator(".coach .on").click()
    assert len(tops) == 1, "the words of each step have the same room"
    visitor.button("learn-leave").click()
    expect(visitor.page).to_have_url(f"{visitor.url}/")


# A hint in one tap, done in a second one; and what a hand opens with ------------------------------


@pytest.mark.parametrize(("language", "size"), [("tr", (390, 844)), *only_long(["en", (844, 390)])])
def test_a_hint_says_what_and_why_and_is_done_in_a_tap(
    visit: Visit, language: str, size: tuple[int, int]
) -> None:
    visitor = visit("Ayşe", language=language, size=size)
    visitor.play(clock=0, deals=1)
    visitor.until(lambda: visitor.model.options, "the own turn")
    seq = visitor.model.seq
    visitor.button("hint-button").click()
    card = visitor.page.get_by_role("group", name=visitor.say("hint-button"))
    expect(card).to_be_visible()
    shown = unwrap(card.bounding_box())
    named = unwrap(visitor.button("page-sort-melds").bounding_box())
    above = shown["y"] + shown["height"] <= named["y"]
    assert above or named["y"] + named["height"] <= shown["y"], "it names the buttons"
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
