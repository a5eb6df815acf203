"""Exact laying of a hand on a table: new groups and lay-offs together, as one layered programme.

As in :mod:`okey101.solver.arrangement_dp`, with three things added: tiles may go on at the upper
end of a run on the table, which is then like a long run that is open; a run from the hand that
reaches the number before a run on the table may end there, however short; and a set of three takes
one more. Nothing is assumed of how many runs are open side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import product
from typing import NamedTuple

from okey101.melds import AS, Pieces
from okey101.solver.arrangement_dp import KindWeights, Open, potentials
from okey101.solver.k_best import Edge, Layered, best_paths
from okey101.solver.lay_search import Places, SetLay, set_lays
from okey101.solver.tables import Taken, set_usages

State = tuple[Open, Open, Open, Open, int, int]
"""Open runs by colour, okeys left, and tiles kept as far as they matter."""
_ZERO: Taken = (0, 0, 0, 0)
_NO_SET: tuple[Taken, int] = (_ZERO, 0)
_NO_LAY: SetLay = ((), _ZERO, 0)
_PAST = -99


class _Beside(NamedTuple):
    """What the tiles of a number that are in no run do, by colour, and what that is worth."""

    weight: int
    okeys: int
    kept: int
    lays: SetLay
    sets: Taken
    set_okeys: int
    pairs: tuple[Pieces, ...]


@dataclass(frozen=True, slots=True)
class Laying:
    """A hand to lay: natural tiles by kind, okeys, worths by kind and number, and what is allowed.

    At least ``keep`` tiles are kept.
    """

    counts: tuple[int, ...]
    okeys: int
    tile: KindWeights
    okey: Sequence[int]
    places: Places
    melds: bool
    pairs: bool
    keep: int
    okeys_used: int = 0
    following: dict[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    beside: dict[tuple[int, Taken, int], tuple[_Beside, ...]] = field(default_factory=dict)


class Step(NamedTuple):
    """What one number does, by colour: tiles and okeys in runs, and runs that join the table's.

    ``joins`` counts joining runs of one and of two tiles. Then what goes onto sets of the table,
    into new sets, and into pairs.
    """

    runs: Taken
    okeys: Taken
    joins: tuple[tuple[int, int], ...]
    lays: SetLay
    sets: Taken
    set_okeys: int
    pairs: tuple[Pieces, ...]


_Move = tuple[int, int, tuple[int, int], Open]
"""Natural tiles, okeys, joins, and the open runs afterwards."""


@cache
def _moves(runs: Open, count: int, joins: int, chains: int, melds: bool) -> tuple[_Move, ...]:
    """The moves of one colour at one number.

    ``joins`` runs on the table begin after the number, ``chains`` end with it. Without ``melds``
    no run from the hand may stand alone.
    """
    one, two, long = runs
    moves: list[_Move] = []
    for tiles in range(one + two, count + 3):
        free = tiles - one - two
        extended = min(long, free)
        begun = free - extended
        then = (begun, one, two + extended) if melds else (one + begun, 0, extended)
        for ones in range(min(joins, then[0]) + 1):
            for twos in range(min(joins - ones, then[1]) + 1):
                after = (then[0] - ones, then[1] - twos, min(4, then[2] + chains))
                moves += [
                    (tiles - okeys, okeys, (ones, twos), after)
                    for okeys in range(max(0, tiles - count), min(2, tiles) + 1)
                ]
    return tuple(moves)


def _needed(runs: Open, following: tuple[int, int, int]) -> int:
    """Okeys without which the open runs can't go on as far as they must."""
    one, two, _ = runs
    if not one + two:
        return 0
    count, after, joins = following
    needed = max(0, one + two - count)
    return needed + max(0, one - joins - after) if one > joins else needed


def _following(laying: Laying, number: int) -> list[tuple[int, int, int]]:
    """By colour the tiles of the next number and the one after, and the runs joined by the next."""
    known = laying.following.get(number)
    if known is None:
        known = laying.following[number] = [
            (
                laying.counts[13 * colour + number] if number < 13 else _PAST,
                laying.counts[13 * colour + number + 1] if number < 12 else _PAST,
                len(laying.places.ends_before.get((colour, number + 1), ())),
            )
            for colour in range(4)
        ]
    return known


def _run_choices(
    laying: Laying, number: int, state: State
) -> Iterator[tuple[tuple[_Move, ...], int, int]]:
    """Moves of the four colours, the okeys they leave, and the okeys their open runs need."""
    following = _following(laying, number)
    places = laying.places
    chosen_moves: list[tuple[int, int, tuple[_Move, ...]]] = [(state[4], 0, ())]
    for colour in range(4):
        moves = _moves(
            state[colour],
            laying.counts[13 * colour + number - 1],
            len(places.ends_before.get((colour, number), ())),
            len(places.begins_after.get((colour, number), ())),
            laying.melds,
        )
        chosen_moves = [
            (left - move[1], needed, (*chosen, move))
            for left, before, chosen in chosen_moves
            for move in moves
            if (needed := before + _needed(move[3], following[colour])) <= left - move[1]
        ]
    for left, needed, moves in chosen_moves:
        yield moves, left, needed


@cache
def _pairings(
    counts: Taken, okeys: int, number: int
) -> tuple[tuple[Taken, int, tuple[Pieces, ...]], ...]:
    """Every way to pair tiles of one number: natural tiles by colour, okeys, and the pairs."""
    by_colour: list[list[tuple[int, int, tuple[Pieces, ...]]]] = []
    for colour, count in enumerate(counts):
        kind = 13 * colour + number - 1
        ways: list[tuple[int, int, tuple[Pieces, ...]]] = [(0, 0, ())]
        if count == 2:
            ways.append((2, 0, ((kind, kind),)))
        ways += [(n, n, ((kind, AS + kind),) * n) for n in range(1, min(count, okeys) + 1)]
        by_colour.append(ways)
    pairings = []
    for a, b, c, d in product(*by_colour):
        used = a[1] + b[1] + c[1] + d[1]
        if used <= okeys:
            pairings.append(((a[0], b[0], c[0], d[0]), used, (*a[2], *b[2], *c[2], *d[2])))
    return tuple(pairings)


_NO_PAIRS: tuple[tuple[Taken, int, tuple[Pieces, ...]], ...] = ((_ZERO, 0, ()),)


def _edges(laying: Laying, number: int, state: State) -> Iterator[Edge[State, Step]]:
    if number == 14:
        yield from _okey_pair(laying, state)
        return
    a, b, c, d = laying.counts[number - 1 :: 13]
    for (m0, m1, m2, m3), left, needed in _run_choices(laying, number, state):
        runs: Taken = (m0[0], m1[0], m2[0], m3[0])
        okeys: Taken = (m0[1], m1[1], m2[1], m3[1])
        joins = (m0[2], m1[2], m2[2], m3[2])
        weight = laying.okey[number] * (state[4] - left)
        free = _less((a, b, c, d), runs)
        for beside in _beside_runs(laying, number, free, left - needed):
            kept = min(state[5] + beside.kept, laying.keep)
            yield Edge(
                weight + beside.weight,
                Step(runs, okeys, joins, beside.lays, beside.sets, beside.set_okeys, beside.pairs),
                (m0[3], m1[3], m2[3], m3[3], left - beside.okeys, kept),
            )


def _beside_runs(laying: Laying, number: int, free: Taken, okeys: int) -> tuple[_Beside, ...]:
    """What tiles in no run do, the best for each number of okeys used and of tiles kept."""
    key = number, free, okeys
    known = laying.beside.get(key)
    if known is None:
        best: dict[tuple[int, int], _Beside] = {}
        for beside in _on_sets(laying, number, free, okeys):
            cost = beside.okeys, beside.kept
            if cost not in best or beside.weight > best[cost].weight:
                best[cost] = beside
        known = laying.beside[key] = tuple(best.values())
    return known


def _on_sets(laying: Laying, number: int, free: Taken, okeys: int) -> Iterator[_Beside]:
    kinds = range(number - 1, 52, 13)
    colours = laying.places.free.get(number)
    for lays in set_lays(colours, free, okeys) if colours else (_NO_LAY,):
        after_lay = _less(free, lays[1])
        left = okeys - lays[2]
        usages = (_NO_SET, *set_usages(after_lay, left)) if laying.melds else (_NO_SET,)
        for sets, set_okeys in usages:
            after_sets = _less(after_lay, sets)
            pairings = (
                _pairings(after_sets, left - set_okeys, number) if laying.pairs else _NO_PAIRS
            )
            for paired, okeys_paired, pairs in pairings:
                rest = _less(after_sets, paired)
                used = lays[2] + set_okeys + okeys_paired
                weight = laying.okey[number] * used
                for kind, more in zip(kinds, rest, strict=True):
                    weight += laying.tile[kind][laying.counts[kind] - more]
                yield _Beside(weight, used, sum(rest), lays, sets, set_okeys, pairs)


def _less(counts: Taken, taken: Taken) -> Taken:
    (a, b, c, d), (e, f, g, h) = counts, taken
    return a - e, b - f, c - g, d - h


_NOTHING = Step(_ZERO, _ZERO, ((0, 0),) * 4, _NO_LAY, _ZERO, 0, ())
_OKEY_PAIR = _NOTHING._replace(pairs=((AS + 12, AS + 12),))


def _okey_pair(laying: Laying, state: State) -> Iterator[Edge[State, Step]]:
    yield Edge(0, _NOTHING, state)
    if laying.pairs and state[4] == 2:
        yield Edge(2 * laying.okey[13], _OKEY_PAIR, (*state[:4], 0, state[5]))


def lay_best(laying: Laying) -> tuple[int, list[Step]] | None:
    """The heaviest way to lay the hand, and its steps by number (14: two okeys as a pair)."""

    def is_final(state: State) -> bool:
        left, kept = state[4:]
        return kept + left >= laying.keep and laying.okeys - left >= laying.okeys_used

    above, most = potentials(laying.counts, laying.tile, laying.okey)
    above.append(0)

    def potential(number: int, state: State) -> int:
        return above[number] + most * state[4]

    nothing: Open = (0, 0, 0)
    start: State = (nothing, nothing, nothing, nothing, laying.okeys, 0)
    graph = Layered(start, 14, partial(_edges, laying), is_final, potential)
    paths = best_paths(graph)
    return paths[0] if paths else None
