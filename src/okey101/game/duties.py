"""What a seat owes in its turn: to use the taken discard (U2, R1), or to finish (E1, E4).

Exact, from the open table and the hand of the acting seat alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from okey101.game.deal_parts import Opened, Phase
from okey101.game.layoffs import (
    Step,
    lay_offs,
    may_lay_off,
    may_lay_pairs,
    places_of,
    settled,
    swaps,
)
from okey101.game.openings import (
    best_pairs,
    meldable,
    melds_reach,
    needed_pairs,
    needed_points,
    pairs_of,
    pairs_with,
    pick_pairs,
    twin_allowed,
    whole_hand,
)
from okey101.game.public import OpenSide
from okey101.melds import AS, Form, Group, Pieces, accepted_kinds
from okey101.solver import Objective, arrange_bits, can_lay_all_but_one_bits, reaches_bits
from okey101.tiles import (
    BITS_OF,
    OKEY,
    Kind,
    PackedRack,
    TileCode,
    count_bits,
    natural_bits,
    natural_kind,
    size_of_bits,
)


def owes(public: OpenSide) -> bool:
    """Whether the seat to act has to use a taken tile, or to finish, and can't put it back."""
    if public.phase is not Phase.PLAY:
        return False
    if public.must_finish:
        return True
    returnable = public.rules.return_discard and public.stock_count and not public.placed
    return public.taken_waits and not returnable


def duty_met(public: OpenSide, hand: PackedRack) -> bool:
    """Whether the seat to act can do what it owes with this hand, a packed rack."""
    if not owes(public):
        return True
    if public.must_finish and not can_finish(public, hand):
        return False
    return not public.taken_waits or can_use(public, hand, public.taken or 0)


def _reclaiming(
    public: OpenSide, table: tuple[Group, ...], hand: PackedRack, opened: Opened
) -> Iterator[Step]:
    """Every way to reclaim an okey, or to settle which tile one stands for (X2)."""
    yield from swaps(table, hand)
    if may_lay_off(public, opened, opening=public.new_opening):
        yield from settled(table, hand, public.setup.okey)


# Whether a taken discard can be put down in this turn.


def can_use(public: OpenSide, hand: PackedRack, tile: TileCode) -> bool:
    """Whether a taken discard, by its code, of a packed rack can be put down now (U2, R1, R17)."""
    opened = public.opened[public.turn]
    if opened is None:
        if best_pairs(public, hand, tile) >= needed_pairs(public):
            return True
        return melds_reach(public, hand, tile, needed_points(public))
    return _opened_can_use(public, public.table, hand, tile, opened)


def _opened_can_use(
    public: OpenSide, table: tuple[Group, ...], hand: PackedRack, tile: TileCode, opened: Opened
) -> bool:
    if public.setup.rules.reclaim_okey and any(
        laid == tile or _opened_can_use(public, tables, now, tile, opened)
        for tables, now, laid in _reclaiming(public, table, hand, opened)
    ):
        return True
    size = size_of_bits(hand)
    if size < 2:
        return False
    okey = public.setup.okey
    lays_off = may_lay_off(public, opened, opening=public.new_opening)
    playable = public.playable if table is public.table else accepted_kinds(table)
    # An okey fits as soon as any tile does.
    if lays_off and (playable if tile == OKEY else playable >> natural_kind(tile, okey) & 1):
        return True
    if size >= 3 and may_lay_pairs(public, opened) and pairs_with(hand, okey, tile):
        return True
    if opened is Opened.MELDS and size >= 4 and meldable(hand, okey, tile):
        return True
    if not lays_off or tile == OKEY:
        return False
    return any(_chain(group, hand, okey, tile) for group in table)


def _chain(group: Group, hand: PackedRack, okey: Kind | None, tile: TileCode) -> bool:
    """Whether tiles of the hand bridge a run of the table to this one, and one is left over."""
    kind = natural_kind(tile, okey)
    if group.form is not Form.RUN or kind // 13 != group.colour:
        return False
    number = kind % 13 + 1
    if number < group.low:
        bridge = range(kind + 1, kind + group.low - number)
    elif number > group.high:
        bridge = range(kind - (number - group.high) + 1, kind)
    else:
        return False
    kinds = natural_bits(hand, okey)
    missing = sum(1 for k in bridge if not kinds >> 2 * k & 3)
    return missing <= count_bits(hand, OKEY) and size_of_bits(hand) > len(bridge) + 1


# Whether a hand can be finished in this turn.


def can_finish(public: OpenSide, hand: PackedRack) -> bool:
    """Whether the acting seat can put down all of a packed rack but a tile to discard (E4)."""
    return _can_finish(public, public.table, hand)


def _can_finish(public: OpenSide, table: tuple[Group, ...], hand: PackedRack) -> bool:
    opened = public.opened[public.turn]
    if size_of_bits(hand) == 1:
        return True
    if opened is None:
        return finishing_opening(public, hand) is not None
    if public.setup.rules.reclaim_okey and any(
        _can_finish(public, tables, now)
        for tables, now, _ in _reclaiming(public, table, hand, opened)
    ):
        return True
    return _plan(public, table, hand, opened, opening=public.new_opening)


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
