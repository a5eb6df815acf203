"""What the page lets be laid, and where, and openings by button: the server says it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from okey101.game import Deal
from okey101.game.deal_parts import Opened
from page.conftest import Visit
from page.scenes import Laid
from page.visitors import PATIENCE_S, Visitor
from rules.table import MELDS, NEUTRAL, PAIRS, play, table

expect.set_options(timeout=PATIENCE_S * 1000)

RUNS = "R10 R11 R12 / Y11 Y12 Y13 / K11 K12 K13"
"""An opening of 105 points; its first run is free at both ends."""


def deal_of(stage: Laid) -> Deal:
    assert stage.state.deal is not None
    return stage.state.deal


def put(visitor: Visitor, tile: str, group: int) -> None:
    """Tap a tile of the rack, then a group."""
    visitor.slot(visitor.slot_of(tile)).click()
    visitor.place(f"group:{group}").click()


@pytest.mark.parametrize(
    ("assisted", "language"), [(True, "tr"), pytest.param(False, "en", marks=pytest.mark.long)]
)
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
    visitor.until(lambda: str(deal_of(stage).public.table[0]) == "R10 R11 R12 *R13", "the okey")
    # Now one place is left, and nothing to choose.
    put(visitor, "*", 1)
    visitor.until(lambda: len(deal_of(stage).public.table[0]) == 5, "the other okey")
    assert str(deal_of(stage).public.table[0]) == "*R9 R10 R11 R12 *R13"
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
    assert str(deal_of(stage).public.table[0]) == "R11 R12 R13"


@pytest.mark.parametrize("language", ["tr", "en"])
def test_X1_a_risen_threshold_is_shown_before_ones_turn(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    hands = ["B2 B4 B6 B8", f"{MELDS} K2"]
    deal = table("altinstar", hands, stock="B1", rising=True, starter=1)
    Laid(play(deal, f"meld {MELDS}")).show(visitor)
    expect(visitor.button("page-open", have=0, need=109)).to_be_visible()
    expect(visitor.button("page-open-pairs", have=0, need=5)).to_be_visible()


@pytest.mark.parametrize(
    ("beside", "language"),
    [(False, "en"), *(pytest.param(True, x, marks=pytest.mark.long) for x in ("tr", "en"))],
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
    visitor.until(lambda: len(deal_of(stage).public.table) == 9, "the pair")


# Openings by button: if what is arranged may be laid, and the cost --------------------------------


expect.set_options(timeout=PATIENCE_S * 1000)

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
    assert stage.state.deal is not None
    assert stage.state.deal.public.opened[0] is Opened.PAIRS


@pytest.mark.parametrize(
    ("preset", "language"),
    [
        ("altinstar", "tr"),
        ("wiki", "en"),
        pytest.param("pagat", "tr", marks=pytest.mark.long),
    ],
)
def test_P3_a_short_opening_is_asked_then_fined(visit: Visit, preset: str, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    deal = table(preset, [f"{SHORT} B3 B5", "K2 K4 K6"], stock=NEUTRAL, short_opening="fine")
    stage = Laid(deal).show(visitor)
    words = visitor.say("page-confirm-short", have=72, need=101, points=101)
    for choice in ("page-no", "page-yes"):
        assert stage.state.deal is not None
        assert not stage.state.deal.public.fines
        visitor.button("page-open", have=72, need=101).click()
        expect(visitor.question).to_contain_text(words)
        visitor.button(choice).click()
        expect(visitor.question).to_have_count(0)
    visitor.until(lambda: stage.state.seq > 1, "the opening")
    assert stage.state.deal is not None
    (fine,) = stage.state.deal.public.fines
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
