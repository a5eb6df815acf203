"""A deal by each of the inputs: drag, tap, fingers, keyboard and the command line.

To its end in the long form, and in the short one some turns.
"""

import copy
import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import okey101
from conftest import Size, only_long, unwrap
from page.conftest import Visit
from page.hands import (
    Dragging,
    Hands,
    Plain,
    Touching,
    Typing,
    Writing,
    dealt_out,
    play_until,
)
from page.scenes import Scene, before_opening, mid_deal
from page.visitors import Visitor

SCREENS = pytest.mark.parametrize(
    "screen", [(360, 640), *only_long((390, 844), (844, 390), (640, 360), (1440, 900))]
)


def _deal(visitor: Visitor, hands: Hands, turns: int) -> None:
    visitor.wait_table()
    play_until([hands], lambda: dealt_out(visitor) or _acts([visitor]) >= 2 * turns)
    assert not any(seat.get("away") for seat in visitor.model.table["seats"])
    whats = [message["what"] for message in visitor.heard if message["type"] == "event"]
    own = [what for what in whats if what["kind"] == "act" and what["seat"] == visitor.model.seat]
    assert {what["by"] for what in own} == {"user"}
    if dealt_out(visitor):
        visitor.page.locator(".sheet").wait_for()


def test_a_stranger_plays_a_deal_by_taps_alone(visit: Visit, size: Size) -> None:
    visitor = visit(None)
    visitor.go("/")
    visitor.field("page-your-name").fill("Ayşe")
    visitor.button("page-play-bots").click()
    _deal(visitor, Hands(visitor), size(2, long=1_000))


_FOCUS = """() => {
    const active = document.activeElement;
    if (!active || active === document.body || !active.checkVisibility()) return "nowhere";
    const inside = active.closest("dialog, .sheet, .panel, .column, .actions, .rack, .table");
    return active.dataset.source ?? inside?.className.split(" ")[0] ?? "elsewhere";
}"""


class _Led(Typing):
    """Keys and the turn's buttons by Enter, looking where the focus is after every action."""

    def where(self) -> str:
        """What has the focus: a slot by its number, or a part of the table."""
        return str(self.visitor.page.evaluate(_FOCUS))

    def led(self, *places: str) -> None:
        """Wait until the focus is at one of these; ``slot:`` is any slot."""

        def there() -> bool:
            at = self.where()
            return any(
                at == place or (place[-1] == ":" and at.startswith(place)) for place in places
            )

        self.visitor.until(there, f"{places} to be focused, not {self.where()}")

    def at_tile(self) -> str | None:
        """The tile that has the focus, wherever sorting puts it."""
        before, slot, number = self.where().partition("slot:")
        return self.visitor.slots()[int(number)] if slot and not before else None

    def step(self) -> bool:
        model = self.visitor.model
        acted = super().step()
        if acted and model.stage == "playing":
            self.led("slot:", "actions")
            if self.done[-1] in ("draw", "take"):
                come = str(unwrap(model.you)["drawn"] or unwrap(model.deal)["taken"])
                self.visitor.until(lambda: self.at_tile() == come, f"{come} to be focused")
        return acted

    def enter(self, key: str) -> None:
        """Press a button of the table."""
        self.visitor.button(key).focus()
        self.press("Enter")

    def draw(self) -> None:
        if len(self.done) % 2:
            super().draw()
        else:
            self.enter("page-draw")

    def sort(self, kind: str) -> None:
        before = self.where()
        super().sort(kind)
        self.led(before if kind == "melds" else "actions")

    def discard(self, tile: str) -> None:
        self.focus(self.visitor.slot_of(tile))
        if len(self.done) % 3:
            self.press("d")
        else:
            self.press("Enter")
            self.enter("page-throw")

    def yes(self) -> None:
        self.led("cream")
        super().yes()

    def look_round(self) -> None:
        """Open and close what lies over the table."""
        self.enter("page-more")
        self.led("panel")
        self.press("Escape")
        self.led("table")
        self.visitor.button("page-score-sheet").focus()
        self.press("Enter")
        self.led("sheet")
        self.press("Escape")
        self.led("column")
        self.enter("page-more")
        self.led("panel")
        self.visitor.page.locator(".panel").get_by_role(
            "button", name=self.visitor.say("page-score-sheet")
        ).focus()
        self.press("Enter")
        self.led("sheet")
        self.visitor.page.locator(".sheet button.main").focus()
        self.press("Enter")
        self.led("slot:")


def test_a_deal_by_keyboard_alone(visit: Visit, size: Size) -> None:
    """The focus is where the next key works: after every action, and when the deal begins."""
    visitor = visit(None, language="en")
    visitor.go("/")
    keyboard = visitor.page.keyboard
    for _ in range(20):
        if visitor.page.evaluate("() => document.activeElement?.id") == "name":
            break
        keyboard.press("Tab")
    keyboard.type("Kaya")
    keyboard.press("Enter")
    visitor.wait_table()
    hands = _Led(visitor)
    hands.led("slot:")
    hands.look_round()
    _deal(visitor, hands, size(2, long=1_000))
    if dealt_out(visitor):
        hands.led("sheet")


def test_who_has_gone_on_meanwhile_keeps_the_focus(visit: Visit) -> None:
    """What the server answers late leads nobody back."""
    visitor = visit("Kaya", size=(1024, 700))
    view = mid_deal(visitor.server).view
    me, rest = view["you"]["seat"], view["you"]["hand"].split()[1:]
    options = view["you"]["options"] | {"draw": True, "discards": []}
    view = view | {"you": view["you"] | {"hand": " ".join(rest), "options": options}}
    stage = Scene(view).show(visitor)
    visitor.model.take(view)
    hands = _Led(visitor)

    def asked(**wanted: str) -> str:
        """The number of what the page has asked the server."""
        found: list[str] = []

        def is_asked() -> list[str]:
            found[:] = [m["rid"] for m in stage.heard if wanted.items() <= m.items()]
            return found

        visitor.until(is_asked, str(wanted))
        return found[-1]

    # Sorted in, the drawn tile lies elsewhere.
    hands.enter_rack()
    hand = ["R13", *rest]
    you = view["you"] | {"hand": " ".join(hand), "drawn": "R13", "options": None}
    what = {"kind": "act", "seat": me, "actions": ["draw"], "by": "user"}
    visitor.model.you = you
    stage.tell(type="event", seq=view["seq"] + 1, at=0, what=what, deal={"turn": me}, you=you)
    visitor.until(lambda: hands.at_tile() == "R13", "the drawn tile")
    rid = asked(what="arrange")
    before = visitor.slots()
    beside = int(before[0] == "R13")
    hands.focus(beside)
    stage.tell(type="answer", rid=rid, what="arrange", groups=[], left=" ".join(hand[::-1]))
    visitor.until(lambda: visitor.slots() != before, "the sorted rack")
    hands.led(f"slot:{beside}")
    # A message is on its way when the menu is put away.
    hands.enter("page-more")
    hands.led("panel")
    visitor.page.locator(".panel").get_by_role("button", name=visitor.say("phrase-hello")).focus()
    hands.press("Enter")
    rid = asked(type="say")
    hands.press("Escape")
    hands.led("table")
    hands.enter_rack()
    stage.tell(type="ack", rid=rid, seq=view["seq"] + 1)
    visitor.pump(0.3)
    hands.led("slot:")
    # The sheet is put away by somebody who looks elsewhere.
    hands.enter("page-more")
    hands.led("panel")
    hands.enter("page-score-sheet")
    hands.led("sheet")
    hands.enter_rack()
    hands.press("Escape")
    expect(visitor.page.locator(".sheet")).to_have_count(0)
    hands.led("slot:")


@pytest.mark.parametrize("language", ["tr", "en"])
def test_a_deal_by_the_command_line_alone(visit: Visit, language: str, size: Size) -> None:
    visitor = visit("Ece", language=language)
    visitor.play_bots()
    visitor.button("page-more").press("Enter")
    _deal(visitor, Writing(visitor), size(2, long=1_000))


def test_a_deal_by_fingers_on_a_phone(visit: Visit, size: Size) -> None:
    visitor = visit("Umut", size=(390, 844), touch=True)
    visitor.go("/")
    visitor.button("page-play-bots").tap()
    hands = Touching(visitor)
    visitor.wait_table()
    assert visitor.page.evaluate("() => matchMedia('(pointer: coarse)').matches")
    _deal(visitor, hands, size(2, long=1_000))


_PLACES = """() => Object.fromEntries([
    ...document.querySelectorAll("[role=toolbar] button, .corner button, .pile, [role=grid]"),
].filter((found) => found.checkVisibility()).map((found, at) => {
    const { left, top, width, height } = found.getBoundingClientRect();
    return [found.className.split(" ")[0] + found.textContent.replace(/[\\d/()]/g, "").trim() +
        (found.textContent.trim() ? "" : at), [left, top, width, height].map(Math.round)];
}))"""


_MOST_BYTES = 100_000
"""Of scripts and styles, in gzip, until the first own turn can be played."""


_MOST_PICTURES = 60_000


_COME = """() => {
    const all = performance.getEntriesByType("resource");
    const rest = all.filter(({ name }) => /(Confirm|Moments|ScoreSheet|SidePanel)-/.test(name));
    const until = Math.min(...rest.map(({ startTime }) => startTime)) - 150;
    return all.filter((one) => one.startTime < until).map((one) => new URL(one.name).pathname);
}"""
"""The files that have come, without the rest that is loaded 0.3 s after one's turn begins."""


def _weight(files: set[str], *kinds: str) -> int:
    """Of the files that end so, in gzip."""
    built = Path(okey101.__file__).with_name("_web")
    named = [built / name.lstrip("/") for name in files if name.endswith(kinds)]
    return sum(len(gzip.compress(file.read_bytes())) for file in named)


@SCREENS
def test_the_way_to_the_first_turn_weighs_little(visit: Visit, screen: tuple[int, int]) -> None:
    """The start page, then the table before anybody has opened: what others do has its own show.

    So no table of theirs is on the start page either, whatever the tests before have left there.
    """
    visitor = visit("Umut", size=screen, touch=True)
    visitor.resize(*screen)  # before its first page
    visitor.page.route("**/api/tables", lambda route: route.fulfill(json=[]))
    visitor.go("/")
    visitor.page.wait_for_load_state("networkidle")  # the table comes as well
    files = {*visitor.page.evaluate(_COME)}
    view = before_opening(mid_deal(visitor.server).view)
    Scene(view | {"deal": view["deal"] | {"fines": []}}).show(visitor)
    files |= {*visitor.page.evaluate(_COME)}
    assert 80_000 < _weight(files, ".js", ".css") <= _MOST_BYTES
    assert 0 < _weight(files, ".svg", ".png", ".webp", ".jpg") <= _MOST_PICTURES


@SCREENS
def test_a_plain_turn_takes_three_taps_and_nothing_moves_under_the_finger(
    visit: Visit, screen: tuple[int, int], size: Size
) -> None:
    """Draw, choose, throw; each button has its place for as long as the turn lasts."""
    visitor = visit("Umut", size=screen, touch=True)
    visitor.play_bots()
    visitor.until(lambda: visitor.model.options is not None)
    hands = Plain(visitor)
    turns: list[tuple[int, bool]] = []
    jumps: list[str] = []
    before = dict[str, list[float]]()

    def look() -> None:
        now = visitor.page.evaluate(_PLACES)
        jumps.extend(
            f"{hands.done[-1:]}: {name} {before[name]} -> {place}"
            for name, place in now.items()
            if before.get(name, place) != place
        )
        before.update(now)

    while not dealt_out(visitor) and len(hands.done) < size(14, long=120):
        before.clear()
        turns.append(hands.turn(look))
    assert not jumps, "\n".join(jumps)
    plain = [taps for taps, is_plain in turns if is_plain]
    assert sum(plain) <= 3.2 * len(plain), "a fine that is asked about is one tap more"


@pytest.mark.parametrize("language", ["tr", "en"])
@SCREENS
def test_a_fine_moves_nothing_under_the_finger(
    visit: Visit, language: str, screen: tuple[int, int]
) -> None:
    """However long the reason; others' fines come during one's turn.

    Among bots the plate above has the least room, and the fewest points gain most digits.
    """
    visitor = visit("Umut", size=screen, touch=True, language=language)
    view = copy.deepcopy(mid_deal(visitor.server).view)
    view["deal"] |= {"sizes": [10] * 4, "opened": [None] * 4, "fines": []}
    view["table"]["scores"]["totals"] = [0] * 4
    for seat in {*range(4)} - {view["you"]["seat"]}:
        view["table"]["seats"][seat] = {"name": None, "bot": "greedy"}
    stage = Scene(view).show(visitor)
    line = visitor.page.locator(".notice")
    visitor.until(lambda: visitor.page.evaluate(_PLACES), "the table")
    visitor.page.wait_for_load_state("networkidle")  # what comes later, such as the hint's button
    me, deal, seq = view["you"]["seat"], view["deal"], view["seq"]
    before = visitor.page.evaluate(_PLACES)
    for seat in range(4):
        for rule in ("P1", "P2", "P3", "P4", "U7", "X4"):
            seq += 1
            deal = deal | {"fines": [*deal["fines"], {"seat": seat, "rule": rule, "points": 101}]}
            what = {"kind": "act", "seat": seat, "actions": ["discard K5"], "by": "user"}
            stage.tell(
                type="event", seq=seq, at=0, what=what, you=view["you"],
                deal={"fines": deal["fines"], "turn": me},
            )  # fmt: skip
            expect(line).to_contain_text(visitor.say(f"page-fine-{rule}"))
            assert visitor.page.evaluate(_PLACES) == before, f"{seat} {rule}"


def _acts(people: list[Visitor]) -> int:
    """How many moves people have sent."""
    return sum(message["type"] == "act" for visitor in people for message in visitor.sent)


@pytest.mark.long
def test_four_windows_play_a_deal_at_one_table_by_drag(visit: Visit) -> None:
    """Half of them see the tiles fly."""
    names = ("Ayşe", "Barış", "Cem", "Deniz")
    people = [visit(name, moving=not n % 2) for n, name in enumerate(names)]
    host, *guests = people
    bots = [None] * len(people)
    table = host.make(deals=1, clock=0, bots=bots, rules={"preset": "altinstar", "open_points": 51})
    host.go(f"/t/{table}")
    for guest in guests:
        guest.sit(table)
    host.button("page-start").click()
    for visitor in people:
        visitor.wait_table()
    seats = [visitor.model.seat for visitor in people if visitor.model.seat is not None]
    assert sorted(seats) == [*range(len(people))]
    players: list[Hands] = [Dragging(visitor) for visitor in people]
    play_until(players, lambda: dealt_out(host))
    for visitor in people:
        visitor.until(visitor.over)
        visitor.page.locator(".sheet").wait_for()
        assert visitor.model.totals == host.model.totals
        assert _acts([visitor]) >= 2


@pytest.mark.parametrize("touch", [True, *only_long(False)])
def test_a_tap_on_empty_felt_puts_the_tile_down(visit: Visit, touch: bool) -> None:
    visitor = visit("Ayşe", size=(390, 844) if touch else (1280, 800), touch=touch)
    visitor.play_bots()
    hands = Touching(visitor) if touch else Dragging(visitor)
    slot = visitor.slot(next(i for i, tile in enumerate(visitor.slots()) if tile))
    before = visitor.slots()
    hands.touch(slot)
    expect(slot).to_have_attribute("aria-pressed", "true")
    point = hands.felt()
    if touch:
        visitor.page.touchscreen.tap(*point)
    else:
        visitor.page.mouse.click(*point)
    expect(slot).to_have_attribute("aria-pressed", "false")
    assert visitor.slots() == before


def test_a_tile_is_turned_face_down_by_a_long_press_by_key_and_by_button(visit: Visit) -> None:
    visitor = visit("Ece", size=(390, 844), touch=True)
    visitor.play_bots()
    hands = Touching(visitor)
    slot = visitor.slot(next(i for i, tile in enumerate(visitor.slots()) if tile))
    hidden = re.compile(re.escape(visitor.say("page-tile-hidden")))
    box = unwrap(slot.bounding_box())
    hands._finger("touchStart", (box["x"] + 9, box["y"] + 9))
    expect(slot).to_have_attribute("aria-label", hidden)
    hands._finger("touchEnd")
    slot.press("f")
    expect(slot).not_to_have_attribute("aria-label", hidden)
    hands.touch(slot)
    expect(slot).to_have_attribute("aria-pressed", "true")
    visitor.button("page-more").tap()
    visitor.button("page-turn-over").tap()
    expect(slot).to_have_attribute("aria-label", hidden)


def test_a_tap_holds_though_the_table_moves_under_the_finger(visit: Visit) -> None:
    """What comes between down and up may move the rack; the tile that was tapped is held."""
    visitor = visit("Ece")
    visitor.play_bots()
    index = next(n for n, tile in enumerate(visitor.slots()) if tile is not None)
    slot = visitor.slot(index)
    box = unwrap(slot.bounding_box())
    mouse = visitor.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    visitor.page.evaluate("() => (document.querySelector('.rack').style.translate = '0 70%')")
    mouse.up()
    expect(slot).to_have_attribute("aria-pressed", "true")
