"""From rows and logs of the kernel to records that ``game`` replays to the same result."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from okey101.game.actions import Discard
from okey101.game.deal_parts import End, Fine
from okey101.game.dealing import Layout
from okey101.game.record import DealRecord, Record
from okey101.game.ruleset import RuleSet
from okey101.kernel.compiling import Row
from okey101.kernel.dealing import begin
from okey101.kernel.exporting import actions_of, masks_of_bits
from okey101.kernel.layout import (
    DICE,
    END,
    FINE_LIST,
    HANDS,
    MAX_FINES,
    MAX_THROWS,
    N_FINES,
    OKEY_KIND,
    P_OVER,
    PHASE,
    SCORES,
    SIZE,
    SIZES,
    STARTER,
    STOCK,
    STOCK_COUNT,
    STOCK_LEN,
    WINNER,
)
from okey101.kernel.piles import put_on_pile
from okey101.kernel.rules import rules_vector
from okey101.tiles import TILES, Rack, size_of_bits

__all__ = ["ENDS", "FINE_RULES", "deal_record", "fines_of", "record_of_deals", "row_of_layout"]

ENDS = (None, End.FINISH, End.STOCK, End.ALL_PAIRS)
"""The ends of a deal by their number in a row."""
FINE_RULES = ("", "P1", "P2", "P3", "P4", "P5", "U7", "X4")
"""The rules that fine, by their number in a row's list of fines."""


def row_of_layout(rules: RuleSet, layout: Layout) -> Row:
    """A table laid out, or dealt, as a row ready for the deal's first action: int64[SIZE]."""
    row = np.zeros(SIZE, dtype=np.int64)
    begin(row, rules_vector(rules), layout.dealer, int(layout.indicator))
    for seat, hand in enumerate(layout.hands):
        row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1] = masks_of_bits(hand)
        row[SIZES + seat] = size_of_bits(hand)
    for place, tile in enumerate(layout.stock):
        put_on_pile(row, STOCK, place, int(tile))
    row[STOCK_LEN] = row[STOCK_COUNT] = len(layout.stock)
    throws = layout.dice[:MAX_THROWS]
    row[DICE] = len(throws) | sum(thrown << 5 + 3 * i for i, thrown in enumerate(throws))
    return row


def fines_of(row: Row) -> tuple[Fine, ...]:
    """The fines of a deal so far, those for kept okeys among them once it is over."""
    listed = row[FINE_LIST : FINE_LIST + min(int(row[N_FINES]), MAX_FINES)]
    return tuple(Fine(f & 3, FINE_RULES[f >> 2 & 7], f >> 5) for f in map(int, listed))


def deal_record(
    rules: RuleSet, row: Row, codes: Iterable[int], dealt: Layout | None, seed: bytes | None = None
) -> DealRecord:
    """The record of one deal: its table or its seed, what was played, and what came of it.

    ``row`` is the deal after the last of the ``codes`` of its log. A deal from a seed alone needs
    no ``dealt``.
    """
    okey = int(row[OKEY_KIND])
    seat = int(row[STARTER])
    texts = []
    for action in actions_of(codes, None if okey < 0 else okey):
        texts.append(f"{seat}: {action}")
        if isinstance(action, Discard):
            seat = (seat + 1) % rules.players
    given: dict[str, object] = {}
    if dealt is not None:
        given = {
            "dice": dealt.dice or None,
            "indicator": str(TILES[dealt.indicator]),
            "hands": tuple(str(Rack.from_bits(hand)) for hand in dealt.hands),
            "stock": " ".join(str(TILES[t]) for t in dealt.stock),
        }
    return DealRecord(
        actions=tuple(texts),
        dealer=int(row[1]),
        seed=None if seed is None else seed.hex(),
        result=_result(rules, row) if row[PHASE] == P_OVER else None,
        **given,  # type: ignore[arg-type]
    )


def _result(rules: RuleSet, row: Row) -> dict[str, object]:
    end, winner = ENDS[int(row[END])], int(row[WINNER])
    assert end is not None
    result: dict[str, object] = {
        "end": end.value,
        "winner": None if winner < 0 else winner,
        "scores": [int(score) for score in row[SCORES : SCORES + rules.players]],
    }
    if row[N_FINES] <= MAX_FINES:
        result["fines"] = [fine._asdict() for fine in fines_of(row)]
    return result


def record_of_deals(rules: RuleSet, deals: Iterable[DealRecord]) -> Record:
    """A record of deals; of so many, each by itself, no totals are claimed."""
    return Record(rules=rules, deals=tuple(deals))
