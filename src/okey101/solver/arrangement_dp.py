"""The layered dynamic programme: arrangements by any weights, number after number, k best ones.

After the method of van Rijn, Takes and Vis (The Complexity of Rummikub Problems). A state between
two numbers is what runs are open in each colour, the okeys used, and the tiles kept; unlike in
their programme a colour may have three open runs, for an okey may be a third copy of a tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from okey101.solver.arrangement import Usage
from okey101.solver.k_best import NEVER, Edge, Layered, best_paths
from okey101.solver.tables import Taken, set_usages

KindWeights = Sequence[tuple[int, int, int]]
"""By kind: the worth of melding none, one and two natural tiles of it."""

Open = tuple[int, int, int]
"""Open runs of one, of two, and of three or more tiles in a colour."""
State = tuple[Open, Open, Open, Open, int, int]
"""Open runs by colour, okeys left, and tiles kept as far as they are asked for."""
_NONE: Open = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """A rack to arrange: natural tiles by kind, okeys, their worths, and what must hold.

    At least ``keep`` tiles stay unmelded, okeys among them; at least ``okeys_used`` are melded.
    """

    counts: tuple[int, ...]
    okeys: int
    tile: KindWeights
    okey: Sequence[int]
    keep: int = 0
    okeys_used: int = 0


@cache
def _run_moves(runs: Open, count: int) -> tuple[tuple[int, int, Open], ...]:
    """Natural tiles, okeys, and the open runs after a number of which there are ``count``."""
    one, two, long = runs
    moves = []
    for tiles in range(one + two, 4):
        free = tiles - one - two
        extended = min(long, free)
        then = (free - extended, one, two + extended)
        moves += [
            (tiles - okeys, okeys, then)
            for okeys in range(max(0, tiles - count), min(2, tiles) + 1)
        ]
    return tuple(moves)


def _needed(runs: Open, next_count: int, after_count: int) -> int:
    """Okeys without which the open runs of a colour can't all reach three tiles."""
    one, two, _ = runs
    needed = max(0, one + two - next_count) if one + two else 0
    return needed + max(0, one - after_count) if one else needed


def _run_choices(
    problem: Problem, number: int, state: State, most: int
) -> Iterator[tuple[Usage, State, int]]:
    """What one number can give to the runs, the state after it, and the okeys that state needs.

    It gives ``most`` okeys at most.
    """
    # Beyond 13 there is nothing, not even for an okey.
    following = [
        [problem.counts[13 * colour + n - 1] if n <= 13 else -9 for n in (number + 1, number + 2)]
        for colour in range(4)
    ]
    chosen_moves: list[tuple[int, int, tuple[tuple[int, int, Open], ...]]] = [(state[4], 0, ())]
    for colour in range(4):
        moves = _run_moves(state[colour], problem.counts[13 * colour + number - 1])
        chosen_moves = [
            (left - move[1], needed, (*chosen, move))
            for left, before, chosen in chosen_moves
            for move in moves
            if state[4] - left + move[1] <= most
            and (needed := before + _needed(move[2], *following[colour])) <= left - move[1]
        ]
    for left, needed, (a, b, c, d) in chosen_moves:
        usage = Usage((a[0], b[0], c[0], d[0]), (a[1], b[1], c[1], d[1]), *_NO_SET)
        yield usage, (a[2], b[2], c[2], d[2], left, state[5]), needed


_Sets = tuple[int, tuple[tuple[int, int, Taken, int, int], ...]]
"""The least loss of a choice of sets; and of each its loss, weight, tiles, okeys and tiles left."""


class _Numbers(dict[tuple[int, Taken, int], _Sets]):
    """What a number can give to sets beside these tiles in runs and with so many okeys.

    Filled on demand. A loss is what a choice weighs less than its tiles and okeys can at most.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem
        self.above = [0] * 14
        """What the tiles above each number (0 to 13) can weigh at most."""
        for number in range(12, -1, -1):
            kinds = range(number, 52, 13)
            weights = (max(problem.tile[k][: problem.counts[k] + 1]) for k in kinds)
            self.above[number] = self.above[number + 1] + sum(weights)
        self.most = max(0, *problem.okey[1:])
        """What an okey can weigh at most."""

    def __missing__(self, key: tuple[int, Taken, int]) -> _Sets:
        number, used, okeys = key
        problem, kinds = self.problem, range(number - 1, 52, 13)
        a, b, c, d = (problem.counts[kind] - n for kind, n in zip(kinds, used, strict=True))
        full = self.above[number - 1] - self.above[number]
        found = []
        for taken, wild in (_NO_SET, *set_usages((a, b, c, d), okeys)):
            weight = problem.okey[number] * wild
            for kind, n, more in zip(kinds, used, taken, strict=True):
                weight += problem.tile[kind][n + more]
            loss = full + self.most * wild - weight
            if weight > NEVER // 2:
                found.append((loss, weight, taken, wild, a + b + c + d - sum(taken)))
        self[key] = made = min(found, default=(0,))[0], tuple(found)
        return made

    def edges(self, number: int, state: State, spare: int) -> Iterator[Edge[State, Usage] | None]:
        """What a number can give; None stands for what loses more than ``spare``."""
        problem = self.problem
        okey = problem.okey[number]
        each = self.most - okey
        most = spare // each if each else 2
        if most < state[4]:
            yield None
        for runs, then, needed in _run_choices(problem, number, state, most):
            run_okeys = sum(runs.okeys)
            room = spare - each * run_okeys
            least, choices = self[number, runs.runs, then[4] - needed]
            if least > room:
                yield None
                continue
            for loss, weight, taken, wild, left in choices:
                if loss > room:
                    yield None
                    continue
                kept = then[5]
                if kept < problem.keep:
                    kept = min(problem.keep, kept + left)
                yield Edge(
                    weight + okey * run_okeys,
                    Usage(runs.runs, runs.okeys, taken, wild),
                    (then[0], then[1], then[2], then[3], then[4] - wild, kept),
                )


_NO_SET: tuple[Taken, int] = ((0, 0, 0, 0), 0)


def best_usages(problem: Problem, best: int = 1) -> list[tuple[int, dict[int, Usage]]]:
    """The ``best`` heaviest ways to use the rack, heaviest first, each with its weight.

    Ways differ in which tiles, and how many okeys, go into runs and into sets; equal weights come
    in a fixed order. Empty where nothing fulfils the problem's conditions.
    """
    numbers = _Numbers(problem)

    def is_final(state: State) -> bool:
        left, kept = state[4:]
        return kept + left >= problem.keep and problem.okeys - left >= problem.okeys_used

    def potential(number: int, state: State) -> int:
        return numbers.above[number] + numbers.most * state[4]

    start: State = (_NONE, _NONE, _NONE, _NONE, problem.okeys, 0)
    graph = Layered(start, 13, numbers.edges, is_final, potential)
    paths = best_paths(graph, best)
    return [(weight, dict(enumerate(steps, 1))) for weight, steps in paths]
