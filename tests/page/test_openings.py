"""Openings by button: for what is arranged, the server says if it may be laid, and the cost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from okey101.game.deal import Opened
from page.conftest import Visit
from page.scenes import Laid
from page.visitors import PATIENCE_S
from rules.table import MELDS, NEUTRAL, PAIRS, play, table

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
