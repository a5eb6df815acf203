"""A deal of the game in the middle of its course, as a row that the kernel plays on."""

from __future__ import annotations

import numpy as np

from okey101.game.deal import Deal
from okey101.game.deal_parts import Opened, Phase, Placed
from okey101.game.public import OpenSide
from okey101.kernel.compiling import Row
from okey101.kernel.exporting import group_word, masks_of_bits
from okey101.kernel.layout import (
    ANNOUNCED,
    BACKS,
    DEALER,
    DISCARDS,
    DRAWN,
    FINE_LIST,
    FINES,
    HANDS,
    HIGH_PAIRS,
    HIGH_POINTS,
    INDICATOR,
    KNOWN,
    MAX_FINES,
    MELDS,
    MUST_FINISH,
    N_ACTIONS,
    N_FINES,
    N_GROUPS,
    N_PLACED,
    NEW_OPENING,
    NO_TILE,
    OKEY_KIND,
    OPENED,
    OWNER_SHIFT,
    P_DRAW,
    P_LAST_DISCARD,
    P_LAST_INDICATOR,
    P_MUST_DRAW,
    P_PLAY,
    PAIRS,
    PHASE,
    PILE_WORDS,
    PILES,
    PLACED,
    PLAYABLE,
    PLAYERS,
    SIZE,
    SIZES,
    STARTER,
    STOCK,
    STOCK_COUNT,
    STOCK_LEN,
    TABLE,
    TAKEN,
    THROWN,
    TURN,
    TURNS,
    WINNER,
)
from okey101.kernel.piles import put_on_pile
from okey101.kernel.records import FINE_RULES
from okey101.tiles import PackedRack, bits_of_tiles

__all__ = ["row_of_deal", "row_of_public"]

_PHASES = {
    Phase.DRAW: P_DRAW,
    Phase.MUST_DRAW: P_MUST_DRAW,
    Phase.PLAY: P_PLAY,
    Phase.LAST_DISCARD: P_LAST_DISCARD,
    Phase.LAST_INDICATOR: P_LAST_INDICATOR,
}
_OPENED = {None: 0, Opened.MELDS: MELDS, Opened.PAIRS: PAIRS}


def row_of_deal(deal: Deal) -> Row:
    """A running deal as a row: int64[SIZE]; ValueError for one that is over.

    What is played in it from there on is what ``okey101.game.apply`` plays. The throws of the die
    are left out.
    """
    row = row_of_public(deal.public)
    for seat, hand in enumerate(deal.hands):
        _write(row, HANDS + 2 * seat, hand)
    for place, tile in enumerate(deal.stock):
        put_on_pile(row, STOCK, place, int(tile))
    row[DRAWN] = NO_TILE if deal.drawn is None else deal.drawn
    return row


def row_of_public(public: OpenSide) -> Row:
    """The same with nothing hidden in it: no hand, an empty stock of the right size."""
    if public.phase is Phase.OVER:
        raise ValueError("a deal that is over is not played on")
    row = np.zeros(SIZE, dtype=np.int64)
    setup = public.setup
    row[PLAYERS], row[DEALER], row[STARTER] = public.players, setup.dealer, setup.starter
    row[INDICATOR] = setup.indicator
    row[OKEY_KIND] = -1 if setup.okey is None else setup.okey
    row[STOCK_LEN] = row[STOCK_COUNT] = public.stock_count
    row[PHASE], row[TURN], row[TURNS] = _PHASES[public.phase], public.turn, public.turns
    row[TAKEN] = NO_TILE if public.taken is None else public.taken
    row[DRAWN] = NO_TILE
    row[BACKS], row[NEW_OPENING] = public.backs, public.new_opening
    row[MUST_FINISH] = public.must_finish
    row[ANNOUNCED] = -1 if public.announced is None else public.announced
    row[WINNER] = -1
    row[HIGH_POINTS], row[HIGH_PAIRS] = public.high_points, public.high_pairs
    row[PLAYABLE] = public.playable
    row[N_ACTIONS] = len(public.actions)
    _write_table(row, public)
    for seat in range(public.players):
        _write(row, KNOWN + 2 * seat, public.known[seat])
        row[SIZES + seat] = public.sizes[seat]
        row[OPENED + seat] = _OPENED[public.opened[seat]]
        row[PILES + seat] = len(public.discards[seat])
        for place, tile in enumerate(public.discards[seat]):
            put_on_pile(row, DISCARDS + PILE_WORDS * seat, place, int(tile))
    row[N_FINES] = len(public.fines)
    for at, fine in enumerate(public.fines):
        row[FINES + fine.seat] += fine.points
        if at < MAX_FINES:
            number = FINE_RULES.index(fine.rule)
            row[FINE_LIST + at] = fine.seat | number << 2 | fine.points << 5
    return row


def _write_table(row: Row, public: OpenSide) -> None:
    row[N_GROUPS] = len(public.table)
    for place, (group, owner) in enumerate(zip(public.table, public.owners, strict=True)):
        row[TABLE + place] = group_word(group) | owner << OWNER_SHIFT
    thrown = sum(bits_of_tiles(pile) for pile in public.discards)
    _write(row, THROWN, thrown + sum(group.bits for group in public.table))
    row[N_PLACED] = len(public.placed)
    for nth, placed in enumerate(public.placed):
        row[PLACED + nth] = _placed_word(placed)


def _placed_word(placed: Placed) -> int:
    assert placed.before is not None
    word = placed.tile | placed.at << 6 | group_word(placed.before) << 12
    return word | placed.nth + 1 << 36 | placed.swapped << 41


def _write(row: Row, at: int, rack: PackedRack) -> None:
    """A packed rack as two masks."""
    row[at], row[at + 1] = masks_of_bits(rack)
