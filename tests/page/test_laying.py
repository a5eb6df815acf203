"""What the page lets be laid and where, and the sums on the buttons: the server says it."""

import random
import re
from collections.abc import Iterable
from functools import partial

import pytest
from playwright.sync_api import expect

from conftest import Size, only_long, unwrap
from okey101.errors import OkeyError
from okey101.game import Meld, Opened, parse_action
from okey101.melds import make_group
from okey101.server.protocol.client_messages import Ask
from okey101.server.tables.queries import answer
from okey101.tiles import parse_tile
from page.conftest import Visit
from page.scenes import Laid, Scene, Stage, before_opening, mid_deal
from page.visitors import Visitor
from rules.table import MELDS, NEUTRAL, PAIRS, play, table
from server.live import Json
from server.tables.table_stories import at_table

RUNS = "R10 R11 R12 / Y11 Y12 Y13 / K11 K12 K13"
"""An opening of 105 points; its first run is free at both ends."""


def put(visitor: Visitor, tile: str, group: int) -> None:
    """Tap a tile of the rack, then a group."""
    visitor.slot(visitor.slot_of(tile)).click()
    visitor.place(f"group:{group}").click()


def test_a_tile_under_the_finger_casts_a_shadow_and_the_others_part(visit: Visit) -> None:
    visitor = visit("Ayşe", moving=True)
    Laid(table("altinstar", [f"{MELDS} B3 B5", "K2 K4"], stock=NEUTRAL)).show(visitor)
    visitor.until(lambda: visitor.slots()[0] is not None)
    first, third = (unwrap(visitor.slot(n).bounding_box()) for n in (0, 2))
    mouse = visitor.page.mouse
    mouse.move(first["x"] + 20, first["y"] + 30)
    mouse.down()
    mouse.move(third["x"] + 20, third["y"] + 30, steps=6)
    ghost = visitor.page.locator(".ghost")
    expect(ghost).to_have_css("box-shadow", re.compile(r"14px 20px"))
    box = unwrap(ghost.bounding_box())
    assert box["width"] >= first["width"], "it lies above the others"
    moved = visitor.page.locator("[data-source^='slot:'][style*=translate]")
    expect(moved.first).to_be_visible()
    visitor.page.keyboard.press("Escape")
    mouse.up()
    expect(ghost).to_have_count(0)


@pytest.mark.parametrize(("assisted", "language"), [(True, "tr"), *only_long([False, "en"])])
def test_J3_an_okey_with_two_places_is_asked_about(
    visit: Visit, assisted: bool, language: str
) -> None:
    visitor = visit("Ayşe", language=language, size=(390, 844))
    deal = table("altinstar", [f"{RUNS} * * B3 B5", "K2 K4"], stock=NEUTRAL)
    stage = Laid(play(deal, f"meld {RUNS}"), assisted=assisted).show(visitor)
    put(visitor, "*", 1)
    expect(visitor.question).to_contain_text(visitor.say("page-choose-place"))
    low, high = (visitor.say("page-tile", colour="R", number=n) for n in (9, 13))
    choices = visitor.question.locator("button")
    expect(choices).to_have_text([visitor.say("page-cancel"), low, high])
    fits = "(dialog) => dialog.scrollWidth <= dialog.clientWidth"
    assert visitor.question.evaluate(fits), "every answer is in sight"
    visitor.button("page-cancel").click()
    expect(visitor.question).to_have_count(0)
    put(visitor, "*", 1)
    choices.get_by_text(high).click()
    expect(visitor.question).to_have_count(0)
    visitor.until(
        lambda: str(unwrap(stage.state.deal).public.table[0]) == "R10 R11 R12 *R13", "the okey"
    )
    # Now one place is left, and nothing to choose.
    put(visitor, "*", 1)
    visitor.until(lambda: len(unwrap(stage.state.deal).public.table[0]) == 5, "the other okey")
    assert str(unwrap(stage.state.deal).public.table[0]) == "*R9 R10 R11 R12 *R13"
    # What fits nowhere is refused in words.
    put(visitor, "B3", 1)
    expect(visitor.page.locator(".notice")).to_have_text(
        visitor.say("error-does-not-fit", piece=visitor.words("B3"), group=1)
    )


def test_X2_an_okey_is_reclaimed_without_help_as_well(visit: Visit) -> None:
    visitor = visit("Ayşe")
    melds = MELDS.replace("R12", "*R12")
    held = f"{MELDS} * B3 B5"
    deal = play(table("altinstar", [held, "K2"], stock=NEUTRAL, reclaim_okey=True), f"meld {melds}")
    stage = Laid(deal, assisted=False).show(visitor)
    put(visitor, "R12", 1)
    visitor.until(lambda: "*" in visitor.hand, "the okey back")
    assert str(unwrap(stage.state.deal).public.table[0]) == "R11 R12 R13"


@pytest.mark.parametrize("language", ["tr", "en"])
def test_X1_a_risen_threshold_is_shown_before_ones_turn(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    hands = ["B2 B4 B6 B8", f"{MELDS} K2"]
    deal = table("altinstar", hands, stock="B1", rising=True, starter=1)
    Laid(play(deal, f"meld {MELDS}")).show(visitor)
    expect(visitor.button("page-open", have=0, need=109)).to_be_visible()
    expect(visitor.button("page-open-pairs", have=0, need=5)).to_be_visible()


@pytest.mark.parametrize(
    ("beside", "language"), [(False, "en"), *only_long([True, "tr"], [True, "en"])]
)
def test_X8_pairs_have_a_button_beside_melds_once_they_may_be_laid(
    visit: Visit, beside: bool, language: str
) -> None:
    visitor = visit("Ayşe", language=language)
    hands = [f"{MELDS} R9 R9 B3", f"{PAIRS[0]} B7 B9"]
    deal = table("altinstar", hands, stock=NEUTRAL, melds_lay_pairs=beside)
    deal = play(deal, f"meld {MELDS}")
    melds, pairs = (visitor.button_like(f"page-lay-{kind}") for kind in ("melds", "pairs"))
    stage = Laid(deal).show(visitor)
    expect(melds).to_be_visible()
    expect(pairs).to_have_count(0)
    # The neighbour opens with pairs, and the turn comes back.
    deal = play(deal, "discard B3", "1: draw", f"meld {PAIRS[0]}", "discard B7", "0: draw")
    stage.show_deal(deal)
    if not beside:
        expect(melds).to_be_visible()
        visitor.pump(0.3)
        expect(pairs).to_have_count(0)
        return
    expect(pairs).to_have_text(visitor.say("page-lay-pairs", count=1))
    pairs.click()
    visitor.until(lambda: len(unwrap(stage.state.deal).public.table) == 9, "the pair")


# Openings by button: if what is arranged may be laid, and the cost --------------------------------

SHORT = "R11 R12 R13 Y11 Y12 Y13"
"""Melds of 72 points."""


def test_O6_pairs_with_the_announced_twin_open(visit: Visit) -> None:
    visitor = visit("Ayşe")
    four = PAIRS[0].rsplit(" / ", 1)[0]
    deal = table("wiki", [f"{four} B12 R9 B3 B5", "K2 K4 K6"], stock=NEUTRAL)
    stage = Laid(play(deal, "announce")).show(visitor)
    # Sorted by tile the twin stands between others: without it four pairs would be counted.
    expect(visitor.button("page-open-pairs", have=5, need=5)).to_be_visible()
    visitor.button("page-sort-pairs").click()
    visitor.button("page-open-pairs", have=5, need=5).click()
    expect(visitor.place("group:5")).to_be_visible()
    assert unwrap(stage.state.deal).public.opened[0] is Opened.PAIRS


@pytest.mark.parametrize(
    ("preset", "language"), [("altinstar", "tr"), ("wiki", "en"), *only_long(["pagat", "tr"])]
)
def test_P3_a_short_opening_is_asked_then_fined(visit: Visit, preset: str, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    deal = table(preset, [f"{SHORT} B3 B5", "K2 K4 K6"], stock=NEUTRAL, short_opening="fine")
    stage = Laid(deal).show(visitor)
    words = visitor.say("page-confirm-short", kind="melds", have=72, need=101, points=101)
    for choice in (False, True):
        assert not unwrap(stage.state.deal).public.fines
        visitor.button("page-open", have=72, need=101).click()
        expect(visitor.question).to_contain_text(words)
        visitor.reply(yes=choice)
        expect(visitor.question).to_have_count(0)
    visitor.until(lambda: stage.state.seq > 1, "the opening")
    (fine,) = unwrap(stage.state.deal).public.fines
    assert (fine.seat, fine.rule, fine.points) == (0, "P3", 101)


@pytest.mark.parametrize("language", ["tr", "en"])
def test_what_is_refused_is_said_in_words(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    hands = [f"{SHORT} B3 B5", f"{MELDS} K2"]
    deal = table("altinstar", hands, stock=NEUTRAL, short_opening="refuse")
    stage = Laid(deal).show(visitor)
    notice = visitor.page.locator(".notice")
    visitor.button("page-open", have=72, need=101).click()
    short = visitor.say("error-below-threshold", value=72, need=101)
    expect(notice).to_have_text(short)
    visitor.button("page-open-pairs", have=0, need=5).click()
    expect(notice).to_have_text(visitor.say("page-nothing-arranged-pairs"))
    visitor.slot(visitor.slot_of("B5")).click()
    visitor.place("discard").click()
    visitor.until(lambda: stage.state.deal is not None and stage.state.deal.turn == 1, "the turn")
    visitor.button("page-open", have=72, need=101).click()
    expect(notice).to_have_text(f"{visitor.say('error-not-your-turn')} {short}")
    assert {m["action"] for m in stage.heard if m["type"] == "act"} == {"discard B5"}


Slots = list[str | None]
FACES = [f"{colour}{number}" for colour in "RYBK" for number in range(1, 14)]
OPTIONS: Json = {
    "draw": False, "take": False, "return": False, "announce": False, "pass": False,
    "indicator": False, "melds": [], "lays": [], "swaps": [], "backs": [], "discards": [],
    "opening": {
        "need_points": 1, "need_pairs": 1, "best_points": 0, "best_pairs": 0, "melds": None,
        "pairs": None,
    },
}  # fmt: skip


def _hand(okey: str, rng: random.Random) -> list[str]:
    """A hand with long runs, sets and twins in it, and often with okeys."""
    box = [face for face in FACES if face != okey] * 2 + ["F", "F", "*", "*"]
    hand: list[str] = []

    def take(tiles: Iterable[str]) -> None:
        for tile in tiles:
            tile = "F" if tile == okey else tile
            if tile in box and len(hand) < 22:
                box.remove(tile)
                hand.append(tile)

    for _ in range(3):
        colour, first = rng.choice("RYBK"), rng.randint(1, 10)
        take(f"{colour}{number}" for number in range(first, min(14, first + rng.randint(3, 8))))
    take(f"{colour}{rng.randint(1, 13)}" for colour in "RYBK")
    number = rng.randint(1, 13)
    take(f"{colour}{number}" for colour in "RYBK")
    take(rng.choices("*", k=rng.randrange(3)))
    take(rng.sample(hand, 3))
    rng.shuffle(box)
    take(box[: 22 - len(hand)])
    return hand


def _arranged(hand: list[str], okey: str, rng: random.Random) -> Slots:
    """The hand in some order, gaps here and there, a few tiles misplaced."""

    def face(tile: str) -> tuple[str, int]:
        meant = okey if tile == "F" else tile
        return meant[0], int(meant[1:] or 0)

    tiles = hand.copy()
    how = rng.randrange(5)
    if how == 1:
        tiles.sort(key=face)
    elif how == 2:
        tiles.sort(key=lambda tile: (face(tile)[0], -face(tile)[1]))
    elif how >= 3:
        tiles.sort(key=lambda tile: (face(tile)[1], face(tile)[0]))
    for _ in range(rng.randrange(4)):
        tiles.insert(rng.randrange(len(tiles)), tiles.pop(rng.randrange(len(tiles))))
    slots: Slots = []
    for tile in tiles:
        if len(slots) + len(tiles) - len([s for s in slots if s]) < 31 and rng.random() < 0.2:
            slots.append(None)
        slots.append(tile)
    return [*slots, *[None] * (32 - len(slots))]


def _rows(slots: Slots) -> list[list[str]]:
    """What touches, shelf by shelf."""
    rows: list[list[str]] = []
    for start in (0, 16):
        row: list[str] = []
        for tile in [*slots[start : start + 16], None]:
            if tile is not None:
                row.append(tile)
            elif row:
                rows.append(row)
                row = []
    return rows


def _most_without_okeys(slots: Slots, okey: int) -> int:
    """The most points of groups that stand in the rows, those with okeys left out."""
    total = 0
    for row in _rows(slots):
        best = [0]
        for end in range(1, len(row) + 1):
            choices = [best[-1]]
            for start in range(max(0, end - 13), end - 2):
                points = _points(row[start:end], okey)
                choices.append(best[start] + points)
            best.append(max(choices))
        total += best[-1]
    return total


def _points(tiles: list[str], okey: int) -> int:
    """What tiles are worth as one group, in this order or the reverse; 0 if they are none."""
    numbers = [okey % 13 + 1 if tile == "F" else int(tile[1:]) for tile in tiles if tile != "*"]
    ordered = [number - place for place, number in enumerate(numbers)]
    backward = [number + place for place, number in enumerate(numbers)]
    if "*" in tiles or 1 not in (len(set(numbers)), len(set(ordered)), len(set(backward))):
        return 0
    for order in (tiles, tiles[::-1]):
        action = parse_action("meld " + " ".join(order))
        assert isinstance(action, Meld)
        try:
            return make_group(action.pieces[0], okey).points
        except OkeyError:
            pass
    return 0


def _put(stage: Stage, view: Json, slots: Slots) -> None:
    """Have the page show exactly this rack: fillers first, then they are gone and leave gaps."""
    present = {tile for tile in slots if tile}
    filler = next(face for face in FACES if face not in present)
    for tiles in ([], [tile or filler for tile in slots], [tile for tile in slots if tile]):
        you = view["you"] | {"hand": " ".join(tiles), "options": OPTIONS, "drawn": None}
        stage.tell(**(view | {"you": you}))


def _stands(visitor: Visitor, slots: Slots) -> bool:
    return visitor.slots() == slots


def _sum(visitor: Visitor, key: str) -> int:
    return int(visitor.button_like(key).inner_text().split("/")[0].split()[-1])


def _pressed(visitor: Visitor, stage: Stage, key: str) -> str:
    """The action that a button asks about; the page has told the answer when this returns."""
    before, said = len(stage.heard), _said(visitor)
    visitor.button_like(key).click()
    visitor.until(lambda: any(m["type"] == "ask" for m in stage.heard[before:]), key)
    message = next(m for m in stage.heard[before:] if m["type"] == "ask")
    error = {"code": "must-finish", "rule": "E4", "message": "", "details": {}}
    stage.tell(type="answer", rid=message["rid"], what="check", wait=None, error=error, fine=None)
    # Until then the page asks nothing else.
    visitor.until(lambda: _said(visitor) != said, "the answer")
    return str(message["action"])


def _said(visitor: Visitor) -> str | None:
    """What was told last; the same words again come out as another text."""
    return visitor.page.locator("[role=status][aria-live=polite]").first.text_content()


def test_live_sums_are_those_of_the_server(visit: Visit, size: Size) -> None:
    visitor = visit("Ali")
    view = before_opening(mid_deal(visitor.server).view)
    okey, indicator = view["deal"]["okey"], view["deal"]["indicator"]
    stage = Scene(view).show(visitor)
    visitor.model.take(view)
    state = at_table(table("altinstar", ["F", "F"], indicator=indicator))
    found, racks = 0, size(8, long=1500)
    for number in range(racks):
        rng = random.Random(number)
        slots = _arranged(_hand(okey, rng), okey, rng)
        _put(stage, view, slots)
        visitor.model.you = view["you"] | {"hand": " ".join(tile for tile in slots if tile)}
        visitor.until(partial(_stands, visitor, slots), f"the rack {slots}")
        for kind, key in (("melds", "page-open"), ("pairs", "page-open-pairs")):
            shown = _sum(visitor, key)
            if kind == "melds":
                least = _most_without_okeys(slots, parse_tile(okey))
                assert shown >= least, slots
                assert shown == least or "*" in slots, slots
            if not shown:
                continue
            found += 1
            action = _pressed(visitor, stage, key)
            told: Json = answer(state, "u0", Ask(rid="r", what="check", action=action))
            worth = told["groups"]
            assert not any(group["code"] for group in worth), (slots, action, worth)
            assert all((group["form"] == "pair") == (kind == "pairs") for group in worth)
            counted = len(worth) if kind == "pairs" else sum(group["points"] for group in worth)
            assert counted == told["have"] == shown, (slots, action, worth)
    assert found > racks // 2
