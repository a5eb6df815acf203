"""The laboratory's search that sees all hands: what it knows, what it does not, and who has it."""

import re
from pathlib import Path

import numpy as np
import pytest
from benchmarks.ceiling import Seeing, SeeingToTheEnd

import okey101
from bots.tables import TABLES, QuickChampion, choice, dealt, onward, shown
from conftest import Size, unwrap
from okey101.game import Deal, parse_action
from okey101.game.actions import Action
from okey101.kernel.deals import Playouts
from rules.table import MELDS, play, table

SEEING = [type(f"Quick{bot.__name__}", (bot,), {"worlds": 12}) for bot in (Seeing, SeeingToTheEnd)]


def chosen(bot: type[Seeing], deal: Deal, seed: int = 1) -> Action:
    seeing = bot(seed)
    seeing.show(deal)
    return seeing.choose(*shown(deal))


def feeding(held: str) -> Deal:
    """Seat 0 waits for B7 or B10 and throws Y7 or R1; seat 1 has opened and holds these tiles."""
    hands = [f"{MELDS} B8 B9 R1 K2", f"{MELDS} {held}", "K4 K6 R5 B3 Y1", "K4 R3 R5 B3 Y1"]
    stock = "K3 K5 K7 Y7 R7 B7 B10 R6 K9 B10 Y9 K8 B1 B5"
    deal = play(table("altinstar", hands, stock=stock), f"meld {MELDS}", "discard K2")
    deal = play(deal, "draw", f"meld {MELDS}", "discard K3", "draw", "discard K5")
    return play(deal, "draw", "discard K7", "draw")


@pytest.mark.parametrize("bot", SEEING)
def test_it_never_gives_the_tile_that_ends_the_deal(bot: type[Seeing]) -> None:
    waits, idles = feeding("R2 R3 K1"), feeding("Y2 B4 K1")
    ended = play(waits, "discard R1", "take", "meld R1 R2 R3", "discard K1")
    assert unwrap(ended.result).winner == 1
    given, kept = parse_action("discard R1"), parse_action("discard Y7")
    assert choice(QuickChampion(1), waits) == given
    assert {chosen(bot, waits, seed) for seed in range(4)} == {kept}
    assert given in {chosen(bot, idles, seed) for seed in range(4)}


@pytest.mark.parametrize("bot", SEEING)
def test_it_does_not_know_the_order_of_the_stock(bot: type[Seeing], size: Size) -> None:
    """What it is given of the worlds, and what it chooses, is the same in any order."""
    compared = 0
    for number in range(size(1, long=20)):
        for deal in [*onward(dealt(TABLES["altinstar-4"], number), actions=99)][20::12]:
            if deal.over:
                continue
            other = Deal.amid(deal.public, deal.hands, deal.stock[::-1], deal.drawn)
            mine, theirs = Playouts.with_hands(deal), Playouts.with_hands(other)
            np.testing.assert_equal(mine._seen, theirs._seen)
            assert chosen(bot, deal) == chosen(bot, other)
            compared += 1
    assert compared > 2


def test_it_plays_only_what_it_was_shown() -> None:
    deal, seeing = dealt(TABLES["altinstar-4"], 1), SEEING[0](1)
    for other in (None, dealt(TABLES["altinstar-4"], 2)):
        if other is not None:
            seeing.show(other)
        with pytest.raises(AssertionError):
            choice(seeing, deal)


# It is of the laboratory: nothing that is installed, served or seated has a way to it ------------

HINDSIGHT = {"kernel/deals.py", "review/analysis.py"}
"""Where worlds with the true hands are made, and who prices choices in them after a deal."""


def test_the_package_has_no_way_to_it() -> None:
    package = Path(okey101.__file__).parent
    named = set()
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) benchmarks\b", text, re.MULTILINE), path
        assert "ceiling" not in text, path
        if "with_hands" in text:
            named.add(path.relative_to(package).as_posix())
    assert named == HINDSIGHT
