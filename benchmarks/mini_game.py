"""The mini-Okey of :mod:`benchmarks.mini_okey`: its rules, its public tree, and who solves it.

Public states are nodes, and every node has a vector over the racks its player may hold. Racks
reached by the same public moves are one information set in whatever order their tiles were drawn:
that order tells nothing of what others hold, so nothing is lost. A hand is a mask of 13 bits.
"""

# mypy: disable-error-code="no-untyped-def"
# What Numba compiles takes its types from the first call.

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

SHOWDOWN: Final = -1
"""In place of a multiple: the higher hand wins. For Kuhn's poker, on which the walk is tested."""
TAKES, OPENS, FINED = 1, 2, 4


class MiniRules(NamedTuple):
    """The game; ``need`` is the threshold, and what stands for each 101."""

    colours: int = 3
    numbers: int = 4
    rack: int = 4
    stock: int = 3
    need: int = 9

    @property
    def okey(self) -> int:
        """The bit of the okey."""
        return 1 << self.colours * self.numbers

    @property
    def all(self) -> int:
        """All tiles."""
        return 2 * self.okey - 1

    def tile(self, colour: int, number: int) -> int:
        """The bit of a tile."""
        return 1 << colour * self.numbers + number - 1


WHO, UNSEEN, SIZES, _, FIRST, COUNT, OPENED, FITS, STOCK = range(9)
"""What is told of a node: the seat to move, the tiles unseen by the public, the sizes of both
hands, its edges, who has opened (a bit a seat), what can be laid off, and the stock."""
NEEDS, THROWS, CHILD, MINE, THEIRS, FLAGS, SIZE, AT, SAME, TURNED = range(10)
"""What is told of an edge, a public move: the tiles that leave the hand, the one of them that is
thrown, the node that follows or -1, how often the hand of the mover and the other count at the
end, flags, how many tiles are left, where its numbers begin: one for each hand that is left, as
``hands`` has them. Of a first move also the one that it is but for the colours' names, and by
which renaming."""
DRAWS, BASE = range(2)
"""More of it: 0, or one over how many tiles may be drawn; what the end pays beside the hands."""


class Tree(NamedTuple):
    """The public tree: nodes and edges. A node's edges lie together; the last node is the root."""

    nodes: NDArray[np.int64]
    edges: NDArray[np.int64]
    reals: NDArray[np.float64]
    renamed: NDArray[np.int64]
    """Each hand under each renaming."""
    points: NDArray[np.float64]
    """Of each hand that counts not at all, once, twice."""
    starts: NDArray[np.int32]
    hands: NDArray[np.int32]
    """The hands of each size in each set of tiles, and where they begin."""
    deals: float
    """The chance of a deal."""
    total: int
    """How many numbers the edges have."""


ROOM: Final = 7
"""How many sizes a hand may have."""


def bits(mask: int) -> Iterator[int]:
    """The tiles of a mask, one by one."""
    while mask:
        yield mask & -mask
        mask &= mask - 1


def _all_hands(tiles: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The hands of each size in each set of tiles, one after another, and where they begin."""
    starts, hands = array("i", [0]), array("i")
    for unseen in range(1 << tiles):
        held = list(bits(unseen))
        for size in range(ROOM):
            hands.extend(map(sum, combinations(held, size)))
            starts.append(len(hands))
    return np.array(starts, np.int32), np.array(hands, np.int32)


# The rules --------------------------------------------------------------------------------------

Runs = tuple[tuple[int, int] | None, ...]
"""The run of each colour on the table, from and to. A set of three colours never grows."""


@cache
def groups(rules: MiniRules) -> dict[int, tuple[int, tuple[int, int, int] | None]]:
    """The sets and runs by their tiles: points, and colour, first and last of a run.

    An okey stands for what is worth most.
    """
    runs = [
        (colour, low, high)
        for colour in range(rules.colours)
        for low in range(1, rules.numbers + 1)
        for high in range(low + 2, rules.numbers + 1)
    ]
    whole = [([rules.tile(c, n) for n in range(a, b + 1)], sum(range(a, b + 1)), (c, a, b))
             for c, a, b in runs]  # fmt: skip
    sets = [([rules.tile(c, n) for c in range(rules.colours)], rules.colours * n, None)
            for n in range(1, rules.numbers + 1) if rules.colours >= 3]  # fmt: skip
    found: dict[int, tuple[int, tuple[int, int, int] | None]] = {}
    for tiles, points, run in (*whole, *sets):
        natural = sum(tiles)
        for mask in (natural, *(natural - tile + rules.okey for tile in tiles)):
            if mask not in found or found[mask][0] < points:
                found[mask] = points, run
    return found


def playable(rules: MiniRules, runs: Runs) -> dict[int, tuple[int, int, int]]:
    """The tiles that fit a run on the table, and that run with the tile."""
    found = {}
    for colour, run in enumerate(runs):
        if run is not None:
            for number, low, high in (
                (run[0] - 1, run[0] - 1, run[1]),
                (run[1] + 1, run[0], run[1] + 1),
            ):
                if 1 <= number <= rules.numbers:
                    found[rules.tile(colour, number)] = colour, low, high
    return found


def with_run(runs: Runs, run: tuple[int, int, int] | None) -> Runs:
    """The runs on the table with this one laid, or grown."""
    if run is None:
        return runs
    return *runs[: run[0]], run[1:], *runs[run[0] + 1 :]


@cache
def plans(
    rules: MiniRules, opened: bool, runs: Runs, tiles: int, size: int, taken: int
) -> tuple[tuple[int, Runs], ...]:
    """What may be laid of these tiles by a hand of that size: the tiles, and the runs after it.

    One stays to be thrown (U4). A taken tile is among what opens, or laid off (U2).
    """
    begun = {(0, runs)}
    if not opened:
        begun = {
            (mask, with_run(runs, run))
            for mask, (points, run) in groups(rules).items()
            if points >= rules.need and not mask & ~tiles and mask & taken == taken
        }
    found = set() if taken else {(0, runs)}
    while begun:
        begun = {(mask, now) for mask, now in begun if mask.bit_count() < size}
        found |= {(mask, now) for mask, now in begun if mask & taken == taken}
        begun = {
            (mask | tile, with_run(now, run))
            for mask, now in begun
            for fits, run in playable(rules, now).items()
            for tile in (fits, rules.okey)
            if tile & tiles & ~mask
        }
    return tuple(sorted(found, key=str))


class Grown(NamedTuple):
    """A public state between two turns."""

    turn: int
    seen: int
    runs: Runs
    opened: tuple[bool, bool]
    sizes: tuple[int, int]
    stock: int
    top: int
    fines: tuple[int, int]


class _Growing:
    """The nodes and edges of a tree while it grows."""

    def __init__(self, rules: MiniRules) -> None:
        self.rules = rules
        self.nodes: list[tuple[int, ...]] = []
        self.edges: list[Any] = [array(kind) for kind in "iiibbbiidd"]
        self.renamings = [
            [self._renamed(mask, order) for mask in range(rules.all + 1)]
            for order in permutations(range(rules.colours))
        ]

    def _renamed(self, mask: int, order: tuple[int, ...]) -> int:
        each = (1 << self.rules.numbers) - 1
        moved = mask & self.rules.okey
        for colour, new in enumerate(order):
            held = mask >> colour * self.rules.numbers & each
            moved |= held << new * self.rules.numbers
        return moved

    def node(self, state: Grown, draws: bool, moves: Iterable[tuple[float, ...]]) -> int:
        """A new node; its moves are made while those below them are."""
        number = len(self.nodes)
        unseen = self.rules.all & ~state.seen
        sizes = [*state.sizes]
        sizes[state.turn] += draws
        fits = sum(playable(self.rules, state.runs))
        opened = state.opened[0] | state.opened[1] << 1
        self.nodes.append(())
        rows = list(moves)
        self.nodes[number] = (
            state.turn, unseen, *sizes, len(self.edges[NEEDS]), len(rows), opened, fits,
            state.stock,
        )  # fmt: skip
        for row in rows:
            for column, value in zip(self.edges, row, strict=True):
                column.append(value)
        return number

    def begin(self) -> None:
        """The starter's first turn, without a draw (D5).

        Of moves that are alike but for the names of the colours only the first leads on.
        """
        rack = self.rules.rack
        start = Grown(0, 0, (None,) * self.rules.colours, (False, False), (rack + 1, rack),
                      self.rules.stock, 0, (0, 0))  # fmt: skip
        known: dict[tuple[int, int], int] = {}
        rows: list[tuple[float, ...]] = []
        for laid, runs, tile in self._turns(start, self.rules.all, rack + 1, 0):
            names = [(names[laid], names[tile]) for names in self.renamings]
            own = known.keys().isdisjoint(names)
            if own:
                known[laid, tile] = len(rows)
            first = next(name for name in names if name in known)
            row = self._thrown(start, laid, runs, tile, 0, own=own)
            rows.append((*row[: FLAGS + 1], known[first], names.index(first), *row[-2:]))
        self.node(start, False, rows)

    def _turns(
        self, state: Grown, tiles: int, size: int, taken: int
    ) -> Iterator[tuple[int, Runs, int]]:
        """What may be laid and thrown of these tiles."""
        opened = state.opened[state.turn]
        for laid, runs in plans(self.rules, opened, state.runs, tiles, size, taken):
            for tile in bits(tiles & ~laid & ~taken):
                yield laid, runs, tile

    def _source(self, state: Grown) -> int:
        """To draw, or to take the discard, which has a use at once (U1, U2)."""
        unseen = self.rules.all & ~state.seen
        size = state.sizes[state.turn] + 1
        drawn = state._replace(stock=state.stock - 1)
        pool = unseen.bit_count() - sum(state.sizes)

        def moves() -> Iterator[tuple[float, ...]]:
            after = self.node(drawn, True, (
                self._thrown(drawn, *move, 0) for move in self._turns(drawn, unseen, size, 0)
            ))  # fmt: skip
            yield 0, 0, after, 0, 0, 0, 0, 0, 1 / pool, 0
            for move in self._turns(state, unseen | state.top, size, state.top):
                yield self._thrown(state, *move, state.top)

        return self.node(state, False, moves())

    def _thrown(
        self, state: Grown, laid: int, runs: Runs, tile: int, taken: int, own: bool = True
    ) -> tuple[float, ...]:
        """The edge of what is laid and then thrown, and all that follows it."""
        rules, me = self.rules, state.turn
        needs = laid & ~taken | tile
        drawn = state.sizes[me] + (0 if taken or not state.seen else 1)
        size = drawn - needs.bit_count()
        opened, sizes, fines = [*state.opened], [*state.sizes], [*state.fines]
        fresh = not any(state.opened)
        opened[me] |= laid != 0
        sizes[me] = size
        flags = TAKES * bool(taken) | OPENS * (opened[me] and not state.opened[me])
        if size and (tile == rules.okey or tile in playable(rules, runs)):
            fines[me] += rules.need
            flags |= FINED
        other = 1 - me
        base = float(fines[other] - fines[me])
        if not size:
            doubled = 2 if tile == rules.okey else 1
            whole = 2 if fresh else 1
            flat = 0 if opened[other] else 2 * rules.need * doubled * whole
            base += rules.need * doubled * whole + flat
            return needs, tile, -1, 0, doubled * opened[other], flags, 0, 0, 0, base
        seen = state.seen | needs
        if not state.stock:
            base += 2 * rules.need * (opened[me] - opened[other])
            return needs, tile, -1, opened[me], opened[other], flags, 0, 0, 0, base
        after = Grown(other, seen, runs, (opened[0], opened[1]), (sizes[0], sizes[1]), state.stock,
                      tile, (fines[0], fines[1]))  # fmt: skip
        return needs, tile, self._source(after) if own else 0, 0, 0, flags, 0, 0, 0, 0


def packed(
    nodes: Sequence[Sequence[float]],
    edges: Sequence[Sequence[float]],
    renamed: Sequence[Sequence[int]],
    points: NDArray[np.float64],
    deals: float,
) -> Tree:
    """The tree of such nodes, and of edges by column: NEEDS to FLAGS, SAME, TURNED, DRAWS, BASE."""
    starts, hands = _all_hands(len(renamed[0]).bit_length() - 1)
    rows = np.array(nodes, np.int64)
    whole = [np.array(column, np.int64) for column in edges[: FLAGS + 3]]
    needs = whole[NEEDS]
    size, held = np.zeros_like(needs), np.zeros_like(needs)
    for row in rows:
        own = slice(row[FIRST], row[FIRST] + row[COUNT])
        size[own] = row[SIZES + row[WHO]] - np.bitwise_count(needs[own])
        place = (row[UNSEEN] & ~needs[own]) * ROOM + size[own]
        held[own] = starts[place + 1] - starts[place]
    at = np.cumsum(held) - held
    return Tree(
        rows, np.column_stack([*whole[: FLAGS + 1], size, at, *whole[FLAGS + 1 :]]),
        np.column_stack([np.array(column, np.float64) for column in edges[FLAGS + 3 :]]),
        np.array(renamed, np.int64), points, starts, hands, deals, int(held.sum()),
    )  # fmt: skip


def grow(rules: MiniRules) -> Tree:
    """The public tree of the game."""
    growing = _Growing(rules)
    growing.begin()
    masks = np.arange(rules.all + 1)
    face = sum(
        (masks & rules.tile(colour, number) > 0) * number
        for colour in range(rules.colours)
        for number in range(1, rules.numbers + 1)
    )
    kept = (masks & rules.okey > 0) * rules.need
    points = np.array([0.0 * face, face + kept, 2 * face + kept])
    tiles, rack = rules.all.bit_length(), rules.rack
    deals = 1 / (comb(tiles, rack + 1) * comb(tiles - rack - 1, rack))
    return packed(growing.nodes, growing.edges, growing.renamings, points, deals)


# The walk ---------------------------------------------------------------------------------------

LEARN, ANSWER, VALUE, SQUARE = range(4)
"""CFR+; the best answer of a seat; what the profile is worth to it; and the square of that."""
NO_TAKING, NO_HOLDING = 1, 2
"""What an answer is not allowed: to take a discard; not to open where it could."""


OWN, OTHER, WORTH, OPENING, WHOLE, MOVES = range(6)
"""What there is for each hand at a level: the reach of the seat and of the other, what it is worth,
and worth if it opens; the weights of its moves together, and how many they are."""


class Desk(NamedTuple):
    """What the walk writes on."""

    rows: NDArray[np.float64]
    first: NDArray[np.float64]
    """What each first move is worth with each hand."""
    kept: NDArray[np.float64]
    """The same of every move, in the order of the profile."""


def _desk(tree: Tree) -> Desk:
    hands = tree.renamed.shape[1]
    first = np.zeros((tree.nodes[-1, COUNT], hands))
    return Desk(np.zeros((6, _LEVELS, hands)), first, np.zeros(tree.total))


_LEVELS: Final = 40
compiled = numba.njit(cache=True, error_model="numpy")


@compiled
def _paid(t, edge, hand, others, squared):
    """What an end pays the seat that moved."""
    if t.edges[edge, MINE] == SHOWDOWN:
        paid = t.reals[edge, BASE] if hand > others else -t.reals[edge, BASE]
    else:
        paid = (
            t.reals[edge, BASE]
            + t.points[t.edges[edge, THEIRS], others]
            - t.points[t.edges[edge, MINE], hand]
        )
    return paid * paid if squared else paid


@compiled
def _sum_up(t, x, desk, node, level):
    """Add up the weights of each hand's moves, and count them."""
    who, unseen = t.nodes[node, WHO], t.nodes[node, UNSEEN]
    whole, moves = desk.rows[WHOLE, level], desk.rows[MOVES, level]
    place = unseen * ROOM + t.nodes[node, SIZES + who]
    for k in range(t.starts[place], t.starts[place + 1]):
        whole[t.hands[k]] = 0.0
        moves[t.hands[k]] = 0.0
    for edge in range(t.nodes[node, FIRST], t.nodes[node, FIRST] + t.nodes[node, COUNT]):
        needs = t.edges[edge, NEEDS]
        place = (unseen & ~needs) * ROOM + t.edges[edge, SIZE]
        begin = t.starts[place]
        for k in range(begin, t.starts[place + 1]):
            whole[t.hands[k] | needs] += x[t.edges[edge, AT] + k - begin]
            moves[t.hands[k] | needs] += 1.0


@compiled
def _chance(desk, level, hand, weight):
    """How likely a move is, by its weight."""
    whole = desk.rows[WHOLE, level, hand]
    return weight / whole if whole > 0.0 else 1.0 / desk.rows[MOVES, level, hand]


@compiled
def _go(t, x, sums, desk, node, edge, level, row, own, w):
    """The reach, one level below, of the seat that makes this move, from its ``row``.

    ``own`` says whether the seat is the one that learns; if so its mean strategy is added to.
    """
    needs = t.edges[edge, NEEDS]
    left, at = t.nodes[node, UNSEEN] & ~needs, t.edges[edge, AT]
    place = left * ROOM + t.edges[edge, SIZE]
    begin = t.starts[place]
    drawing = t.reals[edge, DRAWS] > 0.0
    reaches = desk.rows[OWN if own else OTHER]
    above, below = reaches[row], reaches[level + 1]
    if drawing:
        for k in range(t.starts[place + 1], t.starts[place + 2]):
            below[t.hands[k]] = 0.0
    for k in range(begin, t.starts[place + 1]):
        hand = t.hands[k]
        reach = above[hand | needs] * _chance(desk, level, hand | needs, x[at + k - begin])
        if own:
            sums[at + k - begin] += w * reach
        if drawing:
            rest = left & ~hand
            while rest:
                below[hand | rest & -rest] += reach
                rest &= rest - 1
        else:
            below[hand] = reach


@compiled
def _end(t, desk, node, edge, level, b, seat, c, squared):
    """What an end is worth: to the seat that made the move in ``kept``, or added to the other's."""
    left, at = t.nodes[node, UNSEEN] & ~t.edges[edge, NEEDS], t.edges[edge, AT]
    moved = t.nodes[node, WHO] == seat
    size = t.edges[edge, SIZE] if moved else t.nodes[node, SIZES + seat]
    against = t.nodes[node, SIZES + 1 - seat] if moved else t.edges[edge, SIZE]
    other = desk.rows[OTHER, b if moved else level + 1]
    if not moved and not squared:
        c = -c
    begin = t.starts[left * ROOM + size]
    for k in range(begin, t.starts[left * ROOM + size + 1]):
        hand = t.hands[k]
        found = 0.0
        place = (left & ~hand) * ROOM + against
        for n in range(t.starts[place], t.starts[place + 1]):
            reach = other[t.hands[n]]
            if reach > 0.0:
                mover = hand if moved else t.hands[n]
                found += reach * _paid(t, edge, mover, hand ^ t.hands[n] ^ mover, squared)
        if moved:
            desk.kept[at + k - begin] = found * c
        else:
            desk.rows[WORTH, level, hand] += found * c


@compiled
def _come_back(t, desk, node, edge, level, seat):
    """What a move is worth that does not end the deal, from the values one level below."""
    left, at = t.nodes[node, UNSEEN] & ~t.edges[edge, NEEDS], t.edges[edge, AT]
    below = desk.rows[WORTH, level + 1]
    moved = t.nodes[node, WHO] == seat
    place = left * ROOM + (t.edges[edge, SIZE] if moved else t.nodes[node, SIZES + seat])
    begin = t.starts[place]
    for k in range(begin, t.starts[place + 1]):
        hand = t.hands[k]
        if not moved:
            desk.rows[WORTH, level, hand] += below[hand]
        elif t.reals[edge, DRAWS] > 0.0:
            found = 0.0
            rest = left & ~hand
            while rest:
                found += below[hand | rest & -rest]
                rest &= rest - 1
            desk.kept[at + k - begin] = found
        else:
            desk.kept[at + k - begin] = below[hand]


@compiled
def _weigh_up(t, x, desk, node, level, mode, ban):
    """Make a seat's values of those of its moves, and its new regrets."""
    unseen, value, opening = (
        t.nodes[node, UNSEEN],
        desk.rows[WORTH, level],
        desk.rows[OPENING, level],
    )
    edges = range(t.nodes[node, FIRST], t.nodes[node, FIRST] + t.nodes[node, COUNT])
    for edge in edges:
        needs, flags = t.edges[edge, NEEDS], t.edges[edge, FLAGS]
        if mode == ANSWER and ban == NO_TAKING and flags & TAKES:
            continue
        place = (unseen & ~needs) * ROOM + t.edges[edge, SIZE]
        begin, at = t.starts[place], t.edges[edge, AT]
        for k in range(begin, t.starts[place + 1]):
            hand, worth = t.hands[k] | needs, desk.kept[at + k - begin]
            if mode == ANSWER:
                value[hand] = max(value[hand], worth)
                if flags & OPENS:
                    opening[hand] = max(opening[hand], worth)
            else:
                value[hand] += _chance(desk, level, hand, x[at + k - begin]) * worth
    if mode == ANSWER and ban == NO_HOLDING:
        place = unseen * ROOM + t.nodes[node, SIZES + t.nodes[node, WHO]]
        for k in range(t.starts[place], t.starts[place + 1]):
            if opening[t.hands[k]] > -np.inf:
                value[t.hands[k]] = opening[t.hands[k]]
    if mode == LEARN:
        for edge in edges:
            needs, at = t.edges[edge, NEEDS], t.edges[edge, AT]
            place = (unseen & ~needs) * ROOM + t.edges[edge, SIZE]
            begin = t.starts[place]
            for k in range(begin, t.starts[place + 1]):
                regret = desk.kept[at + k - begin] - value[t.hands[k] | needs]
                x[at + k - begin] = max(0.0, x[at + k - begin] + regret)


@compiled
def _enter(t, x, desk, node, level, seat, mode):
    """Begin with a node: the weights of its moves, and no values yet."""
    _sum_up(t, x, desk, node, level)
    place = t.nodes[node, UNSEEN] * ROOM + t.nodes[node, SIZES + seat]
    none = -np.inf if mode == ANSWER and t.nodes[node, WHO] == seat else 0.0
    for k in range(t.starts[place], t.starts[place + 1]):
        desk.rows[WORTH, level, t.hands[k]] = none
        desk.rows[OPENING, level, t.hands[k]] = none


@compiled
def _below(t, x, sums, desk, node, edge, level, rows, seat, c, w, mode, ban):
    """Walk all that follows a move and come back with what it is worth.

    In ``rows`` are the rows, of a level, in which the reaches of the seat and of the other lie.
    """
    at, edges, chances = (
        np.zeros((3, _LEVELS), np.int64),
        np.zeros(_LEVELS, np.int64),
        np.zeros(_LEVELS),
    )
    begun = level
    at[:, level] = node, rows[0], rows[1]
    edges[level], chances[level] = edge, c
    while True:
        node, edge, c = at[0, level], edges[level], chances[level]
        own = t.nodes[node, WHO] == seat
        if edge == t.nodes[node, FIRST] + t.nodes[node, COUNT]:
            if own:
                _weigh_up(t, x, desk, node, level, mode, ban)
            level -= 1
        else:
            if not own or mode == LEARN:
                _go(t, x, sums, desk, node, edge, level, at[1 if own else 2, level], own, w)
            child = t.edges[edge, CHILD]
            if child >= 0:
                level += 1
                at[0, level] = child
                at[1, level] = level if own else at[1, level - 1]
                at[2, level] = at[2, level - 1] if own else level
                edges[level] = t.nodes[child, FIRST]
                chances[level] = c * t.reals[edge, DRAWS] if t.reals[edge, DRAWS] > 0.0 else c
                _enter(t, x, desk, child, level, seat, mode)
                continue
            _end(t, desk, node, edge, level, at[2, level], seat, c, mode == SQUARE)
            if level == begun:
                return
            edges[level] += 1
            continue
        _come_back(t, desk, at[0, level], edges[level], level, seat)
        if level == begun:
            return
        edges[level] += 1


@compiled
def walk(t, x, sums, desk, seat, w, mode, ban):
    """Walk the tree for a seat: what it gains. Moves alike but for colours are walked once.

    ``x`` are regrets (LEARN) or the weights of a profile; ``sums`` those of the mean strategy.
    """
    node = len(t.nodes) - 1
    rows = np.zeros(2, np.int64)
    desk.rows[OWN, 0, :] = 1.0
    desk.rows[OTHER, 0, :] = 1.0
    _enter(t, x, desk, node, 0, seat, mode)
    own = t.nodes[node, WHO] == seat
    size = t.nodes[node, SIZES + seat]
    found = 0.0
    for n in range(t.nodes[node, COUNT]):
        edge = t.nodes[node, FIRST] + n
        place = (t.nodes[node, UNSEEN] & ~t.edges[edge, NEEDS]) * ROOM + t.edges[edge, SIZE]
        begin = t.starts[place]
        if t.edges[edge, SAME] == n:
            times = np.sum(t.edges[t.nodes[node, FIRST] :, SAME] == n)
            if not own:
                for k in range(
                    t.starts[t.nodes[node, UNSEEN] * ROOM + size],
                    t.starts[t.nodes[node, UNSEEN] * ROOM + size + 1],
                ):
                    desk.rows[WORTH, 0, t.hands[k]] = 0.0
            _below(t, x, sums, desk, node, edge, 0, rows, seat, t.deals, w, mode, ban)
            if not own:
                for k in range(
                    t.starts[t.nodes[node, UNSEEN] * ROOM + size],
                    t.starts[t.nodes[node, UNSEEN] * ROOM + size + 1],
                ):
                    found += times * desk.rows[WORTH, 0, t.hands[k]]
                continue
            for k in range(begin, t.starts[place + 1]):
                desk.first[n, t.hands[k]] = desk.kept[t.edges[edge, AT] + k - begin]
        elif own:
            for k in range(begin, t.starts[place + 1]):
                at, hand = t.edges[edge, AT] + k - begin, t.hands[k]
                desk.kept[at] = desk.first[
                    t.edges[edge, SAME], t.renamed[t.edges[edge, TURNED], hand]
                ]
                if mode == LEARN:
                    sums[at] += w * _chance(desk, 0, hand | t.edges[edge, NEEDS], x[at])
    if own:
        _weigh_up(t, x, desk, node, 0, mode, ban)
        for k in range(
            t.starts[t.nodes[node, UNSEEN] * ROOM + size],
            t.starts[t.nodes[node, UNSEEN] * ROOM + size + 1],
        ):
            found += desk.rows[WORTH, 0, t.hands[k]]
    return found


class Solver:
    """CFR+ with alternating turns and means that weigh each pass by its number (Tammelin, 2014)."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.desk = _desk(tree)
        self.passes = 0
        self._regrets = np.zeros(tree.total)
        self.profile = np.zeros(tree.total)
        """The mean strategy of both seats, as weights."""

    def learn(self, passes: int) -> None:
        """So many passes more."""
        for _ in range(passes):
            self.passes += 1
            for seat in (0, 1):
                self._walk(self._regrets, seat, LEARN)

    def save(self, file: Path) -> None:
        """Keep all that it has learned."""
        np.savez(file, regrets=self._regrets, profile=self.profile, passes=self.passes)

    def load(self, file: Path) -> None:
        """Go on from what was kept."""
        with np.load(file) as kept:
            self._regrets, self.profile = kept["regrets"], kept["profile"]
            self.passes = int(kept["passes"])

    def _walk(self, x: NDArray[np.float64], seat: int, mode: int, ban: int = 0) -> float:
        weight = float(self.passes)
        return float(walk(self.tree, x, self.profile, self.desk, seat, weight, mode, ban))

    def value(self, profile: NDArray[np.float64], *, squared: bool = False) -> float:
        """What the starter gains on average, or the mean of its square."""
        return self._walk(profile, 0, SQUARE if squared else VALUE)

    def worth(self, profile: NDArray[np.float64], seat: int) -> float:
        """What a seat gains on average."""
        return self._walk(profile, seat, VALUE)

    def answer(self, profile: NDArray[np.float64], seat: int, ban: int = 0) -> float:
        """What a best response of a seat gains against the other's part of a profile."""
        return self._walk(profile, seat, ANSWER, ban)

    def gap(self, profile: NDArray[np.float64]) -> float:
        """NashConv: what both seats gain by best responses, together."""
        return self.answer(profile, 0) + self.answer(profile, 1)


def of_seat(tree: Tree, seat: int) -> NDArray[np.bool_]:
    """Which numbers of a profile are a seat's."""
    ends = np.append(tree.edges[1:, AT], tree.total)
    mine = np.zeros(len(tree.edges), bool)
    for row in tree.nodes[tree.nodes[:, WHO] == seat]:
        mine[row[FIRST] : row[FIRST] + row[COUNT]] = True
    return np.repeat(mine, ends - tree.edges[:, AT])
