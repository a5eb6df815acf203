"""Duplicate deals: the same deals played by different bots, so that luck cancels out.

For every deal the anchor plays all seats once; then the candidate takes each seat in turn, against
anchors, on the same deal. A difference is the candidate's score less the anchor's in that seat and
deal; the differences of one deal are a cluster, and the deal is the independent unit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from okey101.bots import make_bot
from okey101.game.deal import Result
from okey101.game.dealing import Layout, deal_from_seed, match_seed
from okey101.game.ruleset import RuleSet
from okey101.sim.playing import play_deal
from okey101.sim.stats import Estimate, bootstrap, cluster_mean

__all__ = ["Duplicate", "arena_deal", "duplicate"]

Progress = Callable[[int, int], None]
"""Told how many deals of how many are done."""


def arena_deal(rules: RuleSet, seed: int, number: int) -> Layout:
    """Deal ``number`` of an arena's seed; the seats deal in turn, so each begins equally often."""
    root = hashlib.sha256(f"okey101 arena 1 {seed}".encode()).digest()
    return deal_from_seed(rules, match_seed(root, number), number % rules.players)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """What duplicate deals showed of a candidate against anchors.

    ``anchors`` and ``candidates`` hold their scores by deal and seat, the candidate's from a table
    of its own for each seat; low is good. In teams it is the team's score that counts.
    """

    candidate: str
    anchor: str
    seed: int
    first: int
    anchors: tuple[tuple[int, ...], ...]
    candidates: tuple[tuple[int, ...], ...]

    @property
    def differences(self) -> tuple[tuple[int, ...], ...]:
        """The candidate's scores less the anchor's, by deal and seat."""
        pairs = zip(self.candidates, self.anchors, strict=True)
        return tuple(tuple(c - a for c, a in zip(cs, xs, strict=True)) for cs, xs in pairs)

    @property
    def estimate(self) -> Estimate:
        """The mean difference in points a deal, clustered by deal; two deals at least."""
        return cluster_mean(self.differences)

    def bootstrap(self, *, rounds: int = 2_000, seed: int = 0) -> tuple[float, float]:
        """The bootstrap's 95 % interval of the mean difference, whole deals resampled."""
        return bootstrap(self.differences, rounds=rounds, seed=seed)

    @property
    def unchanged(self) -> float:
        """The share of seats and deals in which the candidate scored what the anchor scored."""
        seats = [d for differences in self.differences for d in differences]
        return sum(d == 0 for d in seats) / len(seats)


def duplicate(
    rules: RuleSet,
    candidate: str,
    anchor: str,
    *,
    deals: int,
    seed: int = 0,
    first: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Duplicate:
    """Play a candidate against anchors on deals ``first`` to ``first + deals - 1`` of a seed.

    The outcome depends on rules, names, seed and numbers alone, not on ``workers``. OkeyError
    ``unknown-bot`` for an unknown name.
    """
    for name in (candidate, anchor):
        make_bot(name)
    play = partial(_one_deal, rules, candidate, anchor, seed)
    numbers = range(first, first + deals)
    rows = []
    for row in _mapped(play, numbers, workers):
        rows.append(row)
        if progress is not None:
            progress(len(rows), deals)
    return Duplicate(
        candidate, anchor, seed, first, tuple(a for a, _ in rows), tuple(c for _, c in rows)
    )


_Row = tuple[tuple[int, ...], tuple[int, ...]]


def _mapped(play: Callable[[int], _Row], numbers: range, workers: int) -> Iterator[_Row]:
    if workers < 2:
        yield from map(play, numbers)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(play, numbers, chunksize=max(1, min(25, len(numbers) // workers)))


def _one_deal(rules: RuleSet, candidate: str, anchor: str, seed: int, number: int) -> _Row:
    """The anchor's and the candidate's scores of one deal, by seat."""
    dealt = arena_deal(rules, seed, number)
    seats = range(rules.players)
    base = play_deal(rules, [anchor] * rules.players, dealt, bot_seed=number).result
    anchors = tuple(_score(rules, base, seat) for seat in seats)
    candidates = []
    for seat in seats:
        names = [candidate if seat == s else anchor for s in seats]
        result = play_deal(rules, names, dealt, bot_seed=number).result
        candidates.append(_score(rules, result, seat))
    return anchors, tuple(candidates)


def _score(rules: RuleSet, result: Result | None, seat: int) -> int:
    assert result is not None
    return sum(result.scores[seat % 2 :: 2]) if rules.teams else result.scores[seat]
