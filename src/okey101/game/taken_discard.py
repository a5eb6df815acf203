"""Whether a taken discard can be put down in this turn (U2, R1).

Exact, from the open table and the hand of the acting seat alone.
"""

from __future__ import annotations

from okey101.game.deal_parts import Opened
from okey101.game.layoffs import may_lay_off, may_lay_pairs, settled, swaps
from okey101.game.openings import (
    best_pairs,
    meldable,
    melds_reach,
    needed_pairs,
    needed_points,
    pairs_with,
)
from okey101.game.public import OpenSide
from okey101.melds import Form, Group, accepted_kinds
from okey101.tiles import (
    OKEY,
    Kind,
    KindMask,
    PackedRack,
    TileCode,
    count_bits,
    natural_bits,
    natural_kind,
    size_of_bits,
)


def can_use(public: OpenSide, hand: PackedRack, tile: TileCode) -> bool:
    """Whether a taken discard, by its code, of a packed rack can be put down now (U2, R1, R17)."""
    opened = public.opened[public.turn]
    if opened is None:
        if best_pairs(public, hand, tile) >= needed_pairs(public):
            return True
        return melds_reach(public, hand, tile, needed_points(public))
    return _opened_can_use(public.table, public.playable, hand, tile, opened, public)


def _opened_can_use(
    table: tuple[Group, ...], playable: KindMask, hand: PackedRack, tile: TileCode, opened: Opened,
    public: OpenSide,
) -> bool:  # fmt: skip
    okey = public.setup.okey
    size = size_of_bits(hand)
    lays_off = may_lay_off(public, opened, opening=public.new_opening)
    if public.setup.rules.reclaim_okey:
        for tables, now, swapped in swaps(table, hand):
            if swapped == tile or _opened_can_use(tables, playable, now, tile, opened, public):
                return True
        for tables, now, laid in settled(table, hand, okey) if lays_off else ():
            if laid != tile and _opened_can_use(
                tables, accepted_kinds(tables), now, tile, opened, public
            ):
                return True
    if size < 2:
        return False
    if lays_off and _fits(playable, tile, okey):
        return True
    if size >= 3 and may_lay_pairs(public, opened) and pairs_with(hand, okey, tile):
        return True
    if opened is Opened.MELDS and size >= 4 and meldable(hand, okey, tile):
        return True
    if not lays_off or tile == OKEY:
        return False
    return any(_chain(group, hand, okey, tile) for group in table)


def _fits(playable: int, tile: int, okey: int | None) -> bool:
    """Whether a tile fits some group of the table; an okey does as soon as any tile does."""
    return playable != 0 if tile == OKEY else bool(playable >> natural_kind(tile, okey) & 1)


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
