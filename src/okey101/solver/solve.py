"""The solver's questions: the best value of a rack, and the best arrangements of it.

Functions named ``*_bits`` are asked of packed racks. The others take a rack as such, as tiles or in
the notation, and tiles likewise. A rack doesn't know its okey, for the same tiles mean something
else in the next deal; so every question names the okey's kind, None in a riziko deal. The okey's
own face in a rack is read as the okey, as the notation has it. They raise NotationError for what is
no tile and ``too-many-copies`` where more than two okeys come together, and OkeyError ``bad-okey``
for an okey that is no numbered kind, ``false-joker-in-riziko``, ``bad-value`` for an objective that
there is not, and ``wrong-type``, for a packed rack too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from okey101.errors import whole_number
from okey101.solver.arrangement import (
    OKEY_LEFT,
    Arrangement,
    Usage,
    arrangement_of_bits,
    groups_of,
)
from okey101.solver.arrangement_dp import Problem, best_usages
from okey101.solver.k_best import NEVER
from okey101.solver.objectives import (
    FIRST,
    WEIGHTS,
    Objective,
    melded_by,
    objective_of,
    table_of,
)
from okey101.solver.pairs import count_pairs_bits, pair_choices
from okey101.solver.search import (
    BEYOND,
    Chosen,
    TooLongError,
    checked_natural_bits,
    colour_indices,
    search,
)
from okey101.solver.tables import COLOUR, ONES, POWER, RunTable, Taken, run_table, run_usage
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    OKEY,
    TILES,
    AnyTile,
    AnyTiles,
    Kind,
    PackedRack,
    Rack,
    Tile,
    TileCode,
    code_of,
    distinct_bits,
    natural_kind,
    okey_kind,
    points_of_bits,
    size_of_bits,
)

# The greatest weight of a rack by a table's weights, whichever way is the faster one.


def best_weight(
    natural: PackedRack, okeys: int, table: RunTable, floor: int = -1, enough: int = BEYOND
) -> int:
    """The greatest weight of sets and runs, or ``floor`` if that is greater.

    Of weights of ``enough`` or more it is any.

    The search over sets is fast for hands; only racks far beyond one are left to the layered
    programme. ``natural`` is a packed rack without okeys, as of :func:`checked_natural_bits`.
    """
    try:
        return search(natural, okeys, table, floor, enough)[0]
    except TooLongError:
        weight, _ = best_usages(table_problem(natural, okeys, table.name))[0]
        return max(weight, floor)


def table_problem(
    natural: PackedRack, okeys: int, name: str, forced: TileCode | None = None, keep: int = 0
) -> Problem:
    """The rack as a layered programme by a table's weights; ``forced`` a kind or an okey.

    ``natural`` is a packed rack without okeys; ``forced`` is a code.
    """
    weights = WEIGHTS[name]
    tile = [
        (NEVER if kind == forced else 0, weights.tile[number], 2 * weights.tile[number])
        for kind in range(52)
        for number in (kind % 13 + 1,)
    ]
    counts = tuple(natural >> 2 * kind & 3 for kind in range(52))
    return Problem(counts, okeys, tile, weights.okey, keep, int(forced == OKEY))


# What a rack is worth without each of several tiles: one search, and few more.
#
# The best sets of the whole rack mostly stay the best when a tile goes that they don't hold. Where
# its runs are worth as much without it, nothing can be better: no rack is worth more than one that
# holds it and more.


def values_without_bits(
    bits: PackedRack,
    okey: Kind | None,
    tiles: Sequence[TileCode],
    floors: Sequence[int],
    objective: Objective = Objective.POINTS,
    enough: int = BEYOND,
) -> tuple[int, list[int]]:
    """The best value of a packed rack, and that without each of ``tiles``, all of which it holds.

    ``objective`` is points or tiles melded. The first is the lowest floor where no more than that
    can be melded; of each tile it is the tile's floor: as ``best_value_bits`` with these floors,
    and sooner where the floors are near the value of the whole. Of values of ``enough`` or more
    it is any. ``tiles`` are codes, ``okey`` is the okey's kind. Raises OkeyError as that does.
    """
    natural, okeys = checked_natural_bits(bits, okey), bits >> 106
    table = run_table(melded_by(objective))
    lowest = min(floors, default=-1)
    try:
        most, chosen = search(natural, okeys, table, lowest, enough)
    except TooLongError:
        return best_weight(natural, okeys, table, lowest, enough), [
            best_weight(_without(natural, okey, tile), okeys - (tile == OKEY), table, floor, enough)
            for tile, floor in zip(tiles, floors, strict=True)
        ]
    if most <= lowest:
        return lowest, [*floors]
    indices, left, weight = [*colour_indices(natural)], okeys, 0
    while chosen is not None:
        (more, *less, used, _, _), chosen = chosen
        for colour in range(4):
            indices[colour] -= less[colour]
        left -= used
        weight += more
    found, good = [], min(most, enough)
    for tile, floor in zip(tiles, floors, strict=True):
        if most <= floor:
            found.append(floor)
            continue
        if tile != OKEY:
            colour, number = divmod(natural_kind(tile, okey), 13)
            at = indices[colour]
            unit = POWER[number + 1]
            if at // unit % 3:
                indices[colour] = at - unit
                known = weight + _of_runs(table, indices, left)
                indices[colour] = at
                if known >= good:
                    found.append(most)
                    continue
                floor = max(floor, known)
        rest = _without(natural, okey, tile)
        found.append(best_weight(rest, okeys - (tile == OKEY), table, floor, enough))
    return most, found


def _without(natural: PackedRack, okey: Kind | None, tile: TileCode) -> PackedRack:
    return natural if tile == OKEY else natural - (1 << 2 * natural_kind(tile, okey))


def _of_runs(table: RunTable, indices: Sequence[int], okeys: int) -> int:
    """The greatest weight of runs alone, with up to so many okeys."""
    none, one, two = table.none, table.one, table.two
    a, b, c, d = indices
    now = none[a] + none[b] + none[c] + none[d]
    if not okeys:
        return now
    *_, more, most = sorted((one[a], one[b], one[c], one[d]))
    if okeys == 1:
        return now + most
    return now + max(more + most, two[a], two[b], two[c], two[d])


_POINTS = Objective.POINTS
_PAIRS = Objective.PAIRS


def best_value_bits(
    bits: PackedRack, okey: Kind | None, objective: Objective = _POINTS, floor: int = -1
) -> int:
    """The best value of a packed rack: points, tiles or pairs melded, or points left in the hand.

    Of an objective with two values it is the first. If no more points or tiles than ``floor`` can
    be melded, the value is ``floor``, which is found sooner. ``okey`` is the okey's kind, None in a
    riziko deal. Raises OkeyError ``false-joker-in-riziko``, ``okey-face-in-rack`` or
    ``not-a-rack``.
    """
    natural = checked_natural_bits(bits, okey)
    if type(objective) is not Objective:
        objective = objective_of(objective)
    if objective is _PAIRS:
        return count_pairs_bits(bits, okey)
    name = FIRST[objective]
    if name == "left":
        melded = best_weight(natural, bits >> 106, run_table(name))
        return points_of_bits(bits, okey, OKEY_LEFT) - melded
    return best_weight(natural, bits >> 106, run_table(name), floor)


def reaches_bits(
    bits: PackedRack, okey: Kind | None, need: int, objective: Objective = _POINTS
) -> bool:
    """Whether the best value in points or tiles is at least ``need``; quicker than finding it.

    Raises OkeyError as ``best_value_bits`` does. ``bits`` is a packed rack, ``okey`` the okey's
    kind.
    """
    natural, okeys, name = checked_natural_bits(bits, okey), bits >> 106, melded_by(objective)
    if need <= 0:
        return True
    return best_weight(natural, okeys, run_table(name), need - 1, need) >= need


def arrange_bits(
    bits: PackedRack,
    okey: Kind | None,
    objective: Objective = _POINTS,
    *,
    must: AnyTile | None = None,
    keep: int = 0,
) -> Arrangement | None:
    """The best arrangement of a packed rack, as :func:`arrange` has it.

    ``okey`` is the okey's kind; ``must`` may be the okey, by its code or its own face. Raises
    OkeyError as ``best_value_bits`` does.
    """
    checked_natural_bits(bits, okey)
    must, objective = None if must is None else code_of(must), objective_of(objective)
    if objective is not _PAIRS:
        found = _searched(bits, okey, objective)
        if found is not None:
            tile = OKEY if must is not None and must == okey else must
            melds_it = tile is None or (bits ^ found.left_bits) >> 2 * tile & 3
            if melds_it and size_of_bits(found.left_bits) >= whole_number(keep, "keep", 0, 106):
                return found
            if must is None and keep == 1 and bits:
                return _all_but_one(bits, okey, objective)
    several = arrangements_bits(bits, okey, objective, 1, must, keep)
    return several[0] if several else None


def arrangements_bits(
    bits: PackedRack,
    okey: Kind | None,
    objective: Objective,
    best: int,
    must: AnyTile | None = None,
    keep: int = 0,
) -> list[Arrangement]:
    """The best arrangements of a packed rack, as :func:`arrangements` has them.

    ``okey`` is the okey's kind; ``must`` as in ``arrange_bits``, whose errors it raises.
    """
    natural = checked_natural_bits(bits, okey)
    must, objective = None if must is None else code_of(must), objective_of(objective)
    best = whole_number(best, "best", 1, 10**6)
    if must is not None and must == okey:
        must = OKEY
    if size_of_bits(bits) < whole_number(keep, "keep", 0, 106) or (
        must is not None and not bits >> 2 * must & 3
    ):
        return []
    forced = okey if must == FALSE_JOKER else must
    if objective is _PAIRS:
        choices = pair_choices(bits, okey, best, must=forced, keep=keep)
        return [arrangement_of_bits(bits, okey, groups) for groups in choices]
    name = table_of(objective)
    problem = table_problem(natural, bits >> 106, name, forced, keep)
    return [
        arrangement_of_bits(bits, okey, groups_of(usages, okey))
        for _, usages in best_usages(problem, best)
    ]


def _searched(bits: PackedRack, okey: Kind | None, objective: Objective) -> Arrangement | None:
    """The best arrangement by the search over sets; None where it takes too long."""
    table = run_table(table_of(objective))
    natural = checked_natural_bits(bits, okey)
    try:
        _, chosen = search(natural, bits >> 106, table)
    except TooLongError:
        return None
    usages = _usages(natural, bits >> 106, table, chosen)
    return arrangement_of_bits(bits, okey, groups_of(usages, okey))


def _all_but_one(bits: PackedRack, okey: Kind | None, objective: Objective) -> Arrangement | None:
    """The best arrangement without one tile of a rack that melds whole; the first such tile."""
    table = run_table(table_of(objective))
    most, without = -1, 0
    for tile in distinct_bits(bits):
        less = bits - BITS_OF[tile]
        weight = best_weight(checked_natural_bits(less, okey), less >> 106, table, most)
        if weight > most:
            most, without = weight, tile
    found = _searched(bits - BITS_OF[without], okey, objective)
    return None if found is None else arrangement_of_bits(bits, okey, found.pieces)


def _usages(natural: PackedRack, okeys: int, table: RunTable, chosen: Chosen) -> dict[int, Usage]:
    """What each number gives to runs and sets, from the sets the search has chosen."""
    indices = list(colour_indices(natural))
    sets: dict[int, tuple[Taken, int]] = {}
    while chosen is not None:
        (_, a, b, c, d, used, number, taken), chosen = chosen
        indices = [at - less for at, less in zip(indices, (a, b, c, d), strict=True)]
        okeys -= used
        sets[number] = taken, used
    shares = _share_okeys(table, indices, okeys)
    runs = [run_usage(table, at, share) for at, share in zip(indices, shares, strict=True)]
    usages = {}
    for number in range(1, 14):
        (a, a1), (b, b1), (c, c1), (d, d1) = (run[number] for run in runs)
        taken, used = sets.get(number, ((0, 0, 0, 0), 0))
        usages[number] = Usage((a, b, c, d), (a1, b1, c1, d1), taken, used)
    return usages


def _share_okeys(table: RunTable, indices: Sequence[int], okeys: int) -> list[int]:
    """How many of the okeys left each colour's runs may take for the most weight."""
    shares = [0, 0, 0, 0]
    one = [table.one[at] for at in indices]
    colours = sorted(range(4), key=lambda colour: -one[colour])
    if okeys == 1:
        shares[colours[0]] = 1
    elif okeys == 2:
        two = [table.two[at] for at in indices]
        most = max(range(4), key=lambda colour: two[colour])
        if two[most] >= one[colours[0]] + one[colours[1]]:
            shares[most] = 2
        else:
            shares[colours[0]] = shares[colours[1]] = 1
    return shares


# Outs: what drawing each tile would change.


@dataclass(frozen=True, slots=True)
class Out:
    """A tile that may be drawn, the best value of the rack with it, and the gain.

    ``copies`` says how many of the tile are not in the rack: 1 or 2.

    >>> from okey101 import Rack, Tile, outs
    >>> outs(Rack.parse("R7 R8 K1"), okey=Tile.B6)[0]
    Out(tile=Tile.R9, value=24, gain=24, copies=2)
    """

    tile: Tile
    value: int
    gain: int
    copies: int


def outs_bits(
    bits: PackedRack,
    okey: Kind | None,
    objective: Objective = Objective.POINTS,
    *,
    every: bool = False,
) -> list[Out]:
    """What drawing each tile would change in a packed rack, as :func:`outs` has it.

    ``okey`` is the okey's kind. Raises OkeyError as ``best_value_bits`` does.
    """
    objective = objective_of(objective)
    pairs, left = objective is _PAIRS, FIRST[objective] == "left"
    now = best_value_bits(bits, okey, objective)
    useful = ONES if pairs else _useful(checked_natural_bits(bits, okey), bits >> 106)
    found = []
    for tile, copies in _drawable(bits, okey):
        kind = natural_kind(tile, okey)
        if tile == OKEY or useful >> 2 * kind & 1:
            # A tile never lowers what can be melded, so the present best is a floor.
            floor = -1 if left else now
            value = best_value_bits(bits + BITS_OF[tile], okey, objective, floor)
        else:
            value = now + (kind % 13 + 1 if left else 0)
        gain = now - value if left else value - now
        if every or gain > 0:
            found.append(Out(TILES[tile], value, gain, copies))
    return sorted(found, key=lambda out: (-out.gain, out.tile))


def _drawable(bits: PackedRack, okey: Kind | None) -> list[tuple[TileCode, int]]:
    """Tiles of which a copy is not in the rack, and how many; a riziko deal has one okey (R8)."""
    copies = [0 if tile == okey else 2 for tile in range(54)]
    if okey is None:
        copies[FALSE_JOKER], copies[OKEY] = 0, 1
    away = [(tile, copies[tile] - (bits >> 2 * tile & 3)) for tile in range(54)]
    return [(tile, count) for tile, count in away if count > 0]


def _useful(natural: PackedRack, okeys: int) -> int:
    """The kinds, one bit a kind, that could be melded with some tiles of the rack."""
    if okeys == 2:
        return ONES
    held = (natural | natural >> 1) & ONES
    colours = [held >> 26 * colour & COLOUR for colour in range(4)]
    useful = 0
    for colour, own in enumerate(colours):
        a, b, c = (other for place, other in enumerate(colours) if place != colour)
        down1, down2, up1, up2 = own << 2, own << 4, own >> 2, own >> 4
        if okeys:
            reach = down1 | down2 | up1 | up2 | a | b | c
        else:
            reach = (down1 & down2) | (down1 & up1) | (up1 & up2) | (a & b) | (a & c) | (b & c)
        useful |= (reach & COLOUR) << 26 * colour
    return useful


# The same asked of racks.


def best_value(
    rack: AnyTiles, okey: AnyTile | None, objective: Objective | str = Objective.POINTS
) -> int:
    """The best value of a rack: points, tiles or pairs melded, or points left in the hand.

    ``okey`` is the okey's kind. Of an objective with two values it is the first.

    >>> from okey101.tiles import Tile
    >>> best_value(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6)
    57
    """
    return best_value_bits(*_asked(rack, okey), Objective(objective))


def count_pairs(rack: AnyTiles, okey: AnyTile | None) -> int:
    """The most pairs a rack makes (M3); ``okey`` is the okey's kind.

    >>> count_pairs(Rack.parse("R7 R7 B9 *"), okey=None)
    2
    """
    return count_pairs_bits(*_asked(rack, okey))


@overload
def arrange(
    rack: AnyTiles, okey: AnyTile | None, objective: Objective | str = Objective.POINTS
) -> Arrangement: ...
@overload
def arrange(
    rack: AnyTiles,
    okey: AnyTile | None,
    objective: Objective | str = Objective.POINTS,
    *,
    must: AnyTile | None = None,
    keep: int = 0,
) -> Arrangement | None: ...
def arrange(
    rack: AnyTiles,
    okey: AnyTile | None,
    objective: Objective | str = Objective.POINTS,
    *,
    must: AnyTile | None = None,
    keep: int = 0,
) -> Arrangement | None:
    """The best arrangement of a rack; None where ``must`` and ``keep`` can't be met.

    ``okey`` is the okey's kind. ``must`` is a tile, or its code, of which a copy has to be melded.
    At least ``keep`` tiles stay unmelded: one in a turn that ends with a discard (U1, U4).

    >>> from okey101.tiles import Tile
    >>> found = arrange(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6)
    >>> [str(group) for group in found.groups], found.left
    (['R7 R8 R9', 'Y11 K11 *R11'], Rack.parse('K1 F'))
    """
    return arrange_bits(*_asked(rack, okey), objective_of(objective), must=must, keep=keep)


def arrangements(
    rack: AnyTiles,
    okey: AnyTile | None,
    objective: Objective | str = Objective.POINTS,
    *,
    best: int = 10,
    must: AnyTile | None = None,
    keep: int = 0,
) -> list[Arrangement]:
    """The ``best`` best arrangements of a rack, best first, in a fixed order; fewer if there are.

    Two arrangements differ if other tiles go into runs or into sets, or if okeys stand for other
    tiles. It makes no difference where the same tiles are cut into runs, how they are shared among
    sets, or which colour an okey takes in a set. ``okey`` is the okey's kind,
    ``must`` a tile or its code; the rest as in :func:`arrange`.

    >>> from okey101 import Rack, Tile
    >>> for found in arrangements(Rack.parse("R7 R8 R9 K9 Y9 B1"), Tile.B6, best=2):
    ...     print(found)
    R9 Y9 K9
    R7 R8 R9
    """
    return arrangements_bits(*_asked(rack, okey), objective_of(objective), best, must, keep)


def outs(
    rack: AnyTiles,
    okey: AnyTile | None,
    objective: Objective | str = Objective.POINTS,
    *,
    every: bool = False,
) -> list[Out]:
    """What drawing each tile would change, the greatest gain first, then by tile.

    ``okey`` is the okey's kind, whose own tiles are drawn as the okey. Only tiles with a gain are
    listed, unless ``every`` is set. For ``LEFT``, a tile that stays unmelded has a negative gain.
    An objective with two values is judged by its first.

    >>> from okey101.tiles import Tile
    >>> outs(Rack.parse("R7 R8 R12"), okey=Tile.B6)[0]
    Out(tile=Tile.R9, value=24, gain=24, copies=2)
    """
    return outs_bits(*_asked(rack, okey), Objective(objective), every=every)


def _asked(rack: AnyTiles, okey: AnyTile | None) -> tuple[PackedRack, Kind | None]:
    """A rack's integer, the okey's own face written as the okey, and the okey's kind."""
    kind = okey_kind(okey)
    tiles = rack if isinstance(rack, Rack) else Rack(rack)
    return (tiles if kind is None else tiles.seen(kind)).bits, kind
