"""One challenger against an anchor on duplicate deals, in one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from okey101.game.ruleset import RuleSet
from okey101.sim.arena.chunks import Chunk, Job, Player, info_for
from okey101.sim.arena.running import run_job
from okey101.sim.stats import Estimate, bootstrap, cluster_mean

__all__ = ["Duplicate", "duplicate"]

Progress = Callable[[int, int], None]
"""Told how many deals of how many are done."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """What duplicate deals showed of a candidate against anchors.

    ``anchors`` and ``candidates`` hold their scores by deal and seat, the candidate's from a table
    of its own for each seat; low is good. In teams the candidate takes both seats of a side, and
    the scores are those of the sides.
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
    candidate: Player,
    anchor: Player,
    *,
    deals: int,
    seed: int = 0,
    first: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Duplicate:
    """Play a candidate against anchors on deals ``first`` to ``first + deals - 1`` of a seed.

    A bot is the word that names one (:func:`okey101.bots.bot_info`), or a factory that makes one
    from a seed; with ``workers`` that has to be one that can be pickled. The outcome depends on
    rules, bots, seed and numbers alone, not on ``workers``. OkeyError ``unknown-bot`` or
    ``bot-unloadable``.
    """
    job = Job(rules, (candidate, anchor), seed)
    names = info_for(candidate).name, info_for(anchor).name
    done = 0

    def on_chunk(chunk: Chunk) -> None:
        nonlocal done
        for _ in range(chunk.deals):
            done += 1
            if progress is not None:
                progress(done, deals)

    chunks = run_job(job, range(first, first + deals), workers=workers, on_chunk=on_chunk)
    anchors: list[tuple[int, ...]] = []
    candidates: list[tuple[int, ...]] = []
    width = job.plan.width
    for chunk in chunks:
        for at in range(0, len(chunk.scores), 2 * width):
            anchors.append(chunk.scores[at : at + width])
            candidates.append(chunk.scores[at + width : at + 2 * width])
    return Duplicate(*names, seed, first, tuple(anchors), tuple(candidates))
