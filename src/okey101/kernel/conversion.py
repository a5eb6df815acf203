"""Between the kernel's arrays and the values of :mod:`okey101.game`: rules, deals, records.

A deal of the game in the middle of its course becomes a row that the kernel plays on, and a row
with its log a record that ``game`` replays to the same result.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from okey101.game import actions as A
from okey101.game.deal import Deal
from okey101.game.deal_parts import End, Fine, Phase, Result
from okey101.game.dealing import Layout
from okey101.game.open_side_json import result_json
from okey101.game.public import OpenSide
from okey101.game.record.form import DealRecord, laid_texts
from okey101.game.ruleset import RuleSet, rules_of
from okey101.kernel import groups as G, layout as L
from okey101.kernel.codes import (
    FINE_RULES,
    actions_of,
    check_hands,
    masks_of_bits,
    public_row,
    rule_numbers,
)
from okey101.kernel.compiling import Row

if TYPE_CHECKING:
    from numpy.typing import NDArray


def seed_words(seed: bytes) -> Row:
    """A seed of 32 bytes as the kernel reads it: int64[8], its 32-bit words."""
    return np.frombuffer(seed, dtype=">u4").astype(np.int64)


def rules_vector(rules: RuleSet | str) -> NDArray[np.int64]:
    """A rule set, or the preset of that name, as the kernel reads it: ``int64[R_SIZE]``.

    Raises RuleSetError ``unknown-preset``.
    """
    return np.array(rule_numbers(rules_of(rules)), dtype=np.int64)


# From rows and logs of the kernel to records that ``game`` replays to the same result.

_ENDS = (None, End.FINISH, End.STOCK, End.ALL_PAIRS)


def fines_of(row: Row) -> tuple[Fine, ...]:
    """The fines of a deal so far, those for kept okeys among them once it is over."""
    listed = row[L.FINE_LIST : L.FINE_LIST + min(int(row[L.N_FINES]), L.MAX_FINES)]
    return tuple(Fine(f & 3, FINE_RULES[f >> 2 & 7], f >> 5) for f in map(int, listed))


def result_of(row: Row) -> Result | None:
    """The end of a deal without its sheet, with the fines that are listed; None while it runs."""
    end, winner = _ENDS[int(row[L.END])], int(row[L.WINNER])
    if end is None:
        return None
    scores = tuple(map(int, row[L.SCORES : L.SCORES + int(row[L.PLAYERS])]))
    who = None if winner < 0 else winner
    return Result(end, who, scores, fines_of(row), (), bool(row[L.COUNTS]))


def deal_record(
    rules: RuleSet, row: Row, codes: Iterable[int], dealt: Layout | None, seed: bytes | None = None
) -> DealRecord:
    """The record of one deal: its table or its seed, what was played, and what came of it.

    ``row`` is the deal after all ``codes`` of its log. A deal from a seed needs no ``dealt``.
    """
    okey = int(row[L.OKEY_KIND])
    seat = int(row[L.STARTER])
    texts = []
    for action in actions_of(codes, None if okey < 0 else okey):
        texts.append(f"{seat}: {action}")
        if isinstance(action, A.Discard):
            seat = (seat + 1) % rules.players
    result = result_of(row)
    told = None if result is None else result_json(result)
    if told is not None and row[L.N_FINES] > L.MAX_FINES:
        del told["fines"]
    return DealRecord(
        actions=tuple(texts),
        dealer=int(row[L.DEALER]),
        seed=None if seed is None else seed.hex(),
        result=told,
        **({} if dealt is None else laid_texts(dealt)),
    )


def row_of_deal(deal: Deal) -> Row:
    """A running deal as a row, int64[SIZE], in which goes on what ``okey101.game.apply`` plays.

    ValueError for a deal that is over, OkeyError ``rack-too-large`` where a hand laid out has more
    tiles than any that is dealt.
    """
    check_hands(deal.public)
    row = row_of_public(deal.public)
    for seat, hand in enumerate(deal.hands):
        at = L.HANDS + 2 * seat
        row[at], row[at + 1] = masks_of_bits(hand)
    for place, tile in enumerate(deal.stock):
        G.put_on_pile(row, L.STOCK, place, int(tile))
    row[L.DRAWN] = L.NO_TILE if deal.drawn is None else deal.drawn
    throws = deal.layout.dice[: L.MAX_THROWS]
    row[L.DICE] = len(throws) | sum(thrown << 5 + 3 * i for i, thrown in enumerate(throws))
    return row


def row_of_public(public: OpenSide) -> Row:
    """The same with nothing hidden in it: no hand, an empty stock of the right size."""
    if public.phase is Phase.OVER:
        raise ValueError("a deal that is over is not played on")
    return np.array(public_row(public), dtype=np.int64)
