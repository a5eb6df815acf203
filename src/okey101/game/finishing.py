"""Whether a hand can be finished in this turn (E1, E4).

Exact, from the open table and the hand of the acting seat alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from okey101.game.deal_parts import Opened
from okey101.game.layoffs import lay_offs, may_lay_off, may_lay_pairs, places_of, settled, swaps
from okey101.game.openings import (
    best_pairs,
    needed_pairs,
    needed_points,
    pairs_of,
    pick_pairs,
    twin_allowed,
    whole_hand,
)
from okey101.game.public import OpenSide
from okey101.melds import AS, Group, Pieces
from okey101.solver import Objective, arrange_bits, can_lay_all_but_one_bits, reaches_bits
from okey101.tiles import BITS_OF, OKEY, PackedRack, size_of_bits


def can_finish(public: OpenSide, hand: PackedRack) -> bool:
    """Whether the acting seat can put down all of a packed rack but a tile to discard (E4)."""
    return _can_finish(public, public.table, hand)


def _can_finish(public: OpenSide, table: tuple[Group, ...], hand: PackedRack) -> bool:
    opened = public.opened[public.turn]
    if size_of_bits(hand) == 1:
        return True
    if opened is None:
        return finishing_opening(public, hand) is not None
    opening = public.new_opening
    if public.setup.rules.reclaim_okey:
        lays_off = may_lay_off(public, opened, opening=opening)
        ended = settled(table, hand, public.setup.okey) if lays_off else ()
        steps = chain(swaps(table, hand), ended)
        if any(_can_finish(public, tables, now) for tables, now, _ in steps):
            return True
    return _plan(public, table, hand, opened, opening=opening)


def _plan(
    public: OpenSide, table: tuple[Group, ...], hand: PackedRack, opened: Opened, *, opening: bool
) -> bool:
    """Whether a player who opened this way can put down all but one tile, swaps left aside."""
    lays_off = may_lay_off(public, opened, opening=opening)
    places = [place for place, _ in places_of(table)] if lays_off else []
    melds, pairs = opened is Opened.MELDS, may_lay_pairs(public, opened)
    okey = public.setup.okey
    plan = can_lay_all_but_one_bits(hand, okey, places, allow_melds=melds, allow_pairs=pairs)
    return plan is not None


def finishing_opening(public: OpenSide, hand: PackedRack) -> tuple[Pieces, ...] | None:
    """An opening that meets the threshold and lets all the rest but one be laid off (E4, O3).

    ``hand`` is a packed rack; what comes back are the pieces of each group.
    """
    if twin_allowed(public, hand) is None and not any(
        _plan(public, public.table, hand, opened, opening=True) for opened in Opened
    ):
        # Without odd pairs the solver tells at once that nothing ends it, threshold or not.
        return None
    return _search_opening(public, public.table, hand, set(), paired=False)


def _search_opening(
    public: OpenSide, table: tuple[Group, ...], hand: PackedRack,
    seen: set[tuple[int, tuple[Group, ...]]], *, paired: bool,
) -> tuple[Pieces, ...] | None:  # fmt: skip
    """Try every way to set lay-offs aside: what is left must be an opening and one tile.

    ``paired``: pairs were set aside, which only an opening with melds may be followed by (X8).
    """
    if (hand, table) in seen:
        return None
    seen.add((hand, table))
    okey = public.setup.okey
    aside = paired or table != public.table
    found = None if aside else whole_hand(public, hand)
    if found is not None:
        return found.pieces
    enough = reaches_bits(hand, okey, needed_points(public))
    pairs = 0
    if not aside or (not paired and may_lay_off(public, Opened.PAIRS, opening=True)):
        pairs = best_pairs(public, hand)
    if not enough and pairs < needed_pairs(public):
        return None
    size = size_of_bits(hand)
    if enough and reaches_bits(hand, okey, size - 1, Objective.TILES):
        melds = arrange_bits(hand, okey, Objective.TILES_POINTS, keep=1)
        if melds and melds.tiles == size - 1 and melds.points >= needed_points(public):
            return melds.pieces
    if pairs >= needed_pairs(public) and 2 * pairs == size - 1:
        return pick_pairs(public, hand, None, pairs)
    for tables, now, pair in _set_aside(public, table, hand):
        laid = _search_opening(public, tables, now, seen, paired=paired or pair)
        if laid is not None:
            return laid
    return None


def _set_aside(
    public: OpenSide, table: tuple[Group, ...], hand: PackedRack
) -> Iterator[tuple[tuple[Group, ...], int, bool]]:
    """Every tile or pair that may be laid after an opening: table, hand, and whether a pair."""
    okey = public.setup.okey
    if may_lay_off(public, Opened.MELDS, opening=True):
        for piece, index in lay_offs(table, hand, okey):
            now = hand - BITS_OF[piece if piece < AS else OKEY]
            if now:
                tables = (*table[:index], table[index].extended(piece), *table[index + 1 :])
                yield tables, now, False
    if may_lay_pairs(public, Opened.MELDS):
        for pair in pairs_of(hand, okey):
            if pair.bits != hand:
                yield table, hand - pair.bits, True
