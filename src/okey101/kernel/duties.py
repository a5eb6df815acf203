"""Whether a taken discard can be put down in this turn (U2, R1), compiled.

The twin of :func:`okey101.game.duties.can_use`.
"""

# pyright: reportArgumentType=false
from __future__ import annotations

from okey101.kernel import groups as G, layout as L
from okey101.kernel.compiling import Row, adopt, apart
from okey101.kernel.openings import can_open, pairs_with
from okey101.kernel.plain import each, popcount
from okey101.kernel.solver import Tables
from okey101.tiles import OKEY


def accepted_kinds(row: Row) -> int:
    """Mask of the kinds that fit some group of the table (M4)."""
    kinds = 0
    for at in range(L.TABLE, L.TABLE + row[L.N_GROUPS]):
        kinds |= G.accepts(row[at])
    return kinds


@apart
def can_use(tables: Tables, rules: Row, row: Row, one: int, two: int, tile: int) -> bool:
    """Whether a taken discard, held in the hand, can be put down in this turn (U2, R1)."""
    if row[L.OPENED + row[L.TURN]] == 0:
        return can_open(tables, rules, row, one, two, tile)
    return can_use_opened(rules, row, one, two, tile, row[L.PLAYABLE])


def can_use_opened(rules: Row, row: Row, one: int, two: int, tile: int, playable: int) -> bool:
    """The same for a seat that has opened; the table is changed and put back on the way (X2)."""
    okey = row[L.OKEY_KIND]
    opened = row[L.OPENED + row[L.TURN]]
    size = G.rack_size(one, two)
    lays_off = G.may_lay_off(rules, opened, row[L.NEW_OPENING])
    if size >= 2:
        kind = G.tile_kind(tile, okey)
        if lays_off and (playable != 0 if kind < 0 else playable >> kind & 1):
            return True
        if size >= 3 and G.may_lay_pairs(rules, row, opened) and pairs_with(one, two, okey, tile):
            return True
        if opened == L.MELDS and size >= 4 and _new_meld(one, two, okey, tile):
            return True
        if lays_off and tile != OKEY and _any_chain(row, one, two, okey, tile):
            return True
    if not rules[L.R_RECLAIM_OKEY]:
        return False
    # Or once okeys were reclaimed, or their doubt is ended.
    for at in range(L.TABLE, L.TABLE + row[L.N_GROUPS]):
        word = row[at]
        if not G.okeys_of(word):
            continue
        for swapped in each(one):
            for way in range(2 if lays_off and size > 1 else 1):
                after = G.settled(word, swapped, okey) if way else G.reclaimed(word, swapped, okey)
                if after < 0 or (way and swapped == tile):
                    continue
                if swapped == tile:
                    return True
                now_one, now_two = G.minus(one, two, 1 << swapped, 0)
                if not way:
                    now_one, now_two = G.plus(now_one, now_two, 1 << OKEY, 0)
                row[at] = after
                found = can_use_opened(rules, row, now_one, now_two, tile, accepted_kinds(row))
                row[at] = word
                if found:
                    return True
    return False


def _new_meld(one: int, two: int, okey: int, tile: int) -> bool:
    """Whether some three tiles of the hand with this one among them are a set or a run."""
    kinds, _, okeys = G.kinds(one, two, okey)
    melded = G.meldable(kinds, okeys)
    return melded != 0 if tile == OKEY else melded >> G.tile_kind(tile, okey) & 1 == 1


def _any_chain(row: Row, one: int, two: int, okey: int, tile: int) -> bool:
    """Whether tiles of the hand bridge a run of the table to this one, and one is left over."""
    kind = G.tile_kind(tile, okey)
    if kind < 0:
        return False
    kinds, _, okeys = G.kinds(one, two, okey)
    size = G.rack_size(one, two)
    number = kind % 13 + 1
    for at in range(L.TABLE, L.TABLE + row[L.N_GROUPS]):
        word = row[at]
        if word & 3 != L.RUN or word >> 2 & 3 != kind // 13:
            continue
        low, high = word >> 4 & 15, word >> 8 & 15
        if number < low:
            gap, first = low - number - 1, kind + 1
        elif number > high:
            gap, first = number - high - 1, kind - (number - high) + 1
        else:
            continue
        held = popcount(kinds >> first & (1 << gap) - 1)
        if gap - held <= okeys and size > gap + 1:
            return True
    return False


adopt(__name__)
