"""What an arena shows: differences with their intervals, and what happened at the tables."""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

from okey101.errors import whole_number
from okey101.game.dealing import starter_of
from okey101.game.ruleset import RuleSet, rules_of
from okey101.sim.arena.chunks import (
    CLOCKS,
    ArenaPlan,
    Chunk,
    Job,
    Kind,
    Line,
    Player,
    Tally,
    info_for,
)
from okey101.sim.arena.running import run_job
from okey101.sim.stats import Estimate, Gate, cluster_mean

ROUNDS: Final = 1_000
"""Resamplings of a bootstrap."""
BLOCKS: Final = 1_000
"""With more deals, so many blocks of neighbouring deals are resampled: they are independent too."""
_Points = TypeVar("_Points", int, float)
BIN: Final = 10
"""Points that a bar of a histogram is wide."""


@dataclass(frozen=True, slots=True)
class ArenaRow:
    """A bot against what it is compared with, in points a deal; below zero it is the better one.

    In a duel and a league that is the anchor in the same seat of the same deal, among bots in every
    order their mean. ``places`` has a difference for each place in the order of play, the starter
    first; in teams for the starter's side and the other.
    """

    bot: int
    anchor: int | None
    score: float
    compared: float
    estimate: Estimate
    bootstrap: tuple[float, float]
    unchanged: float
    """The share of scores that are the anchor's."""
    places: tuple[Estimate, ...]
    histogram: tuple[tuple[int, int], ...]
    """Differences of a deal: the lower end of each bar and how many deals it has."""
    tally: Tally
    freed: Freed | None = None
    """The difference without the luck of the draws, where the job asks for it."""
    share: Share | None = None
    """Where the anchor is ``greedy`` and the oracle played too: how far the bot goes to it."""

    @property
    def worst_place(self) -> int:
        """The place in which it does worst."""
        return max(range(len(self.places)), key=lambda place: self.places[place].mean)

    def to_dict(self, names: Sequence[str]) -> dict[str, object]:
        """Plain data for JSON, without what depends on the machine."""
        return {
            "bot": names[self.bot],
            "against": None if self.anchor is None else names[self.anchor],
            "score": _round(self.score),
            "compared": _round(self.compared),
            **_told(self.estimate),
            "bootstrap": [_round(self.bootstrap[0]), _round(self.bootstrap[1])],
            **({} if self.freed is None else {"aivat": self.freed.to_dict()}),
            "oracle_share": None if self.share is None else [_round(n) for n in self.share],
            "same_score": _round(self.unchanged),
            "places": [[_round(p.mean), _round(p.low), _round(p.high)] for p in self.places],
            "worst_place": self.worst_place,
            "histogram": [list(bar) for bar in self.histogram],
            "counts": _counts(self.tally),
        }

    def times(self) -> dict[str, object]:
        """How long its choices took, and how many were late: of this machine."""
        choices = max(1, self.tally["choices"])
        return {
            "choice_ms": _round(self.tally["spent_ns"] / choices / 1e6),
            "overrun_ms": _round(self.tally["overrun_ns"] / 1e6),
            "late": self.tally["late"],
        }


class Freed(NamedTuple):
    """A difference freed from the luck of the draws, and the share of deals that this saves.

    So many deals fewer have an interval as wide as without it; below zero more are needed.
    """

    estimate: Estimate
    saved: float

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return _told(self.estimate) | {"saved": _round(self.saved)}


class Share(NamedTuple):
    """The share of the way from the anchor to the oracle that a bot goes, with its interval."""

    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """All rows of an arena; ``base`` has the counts of each bot among its own."""

    job: Job
    names: tuple[str, ...]
    deals: int
    rows: tuple[ArenaRow, ...]
    base: tuple[tuple[int, float, Tally], ...]
    """A bot, its mean score, and its counts."""
    seconds: float
    processor_s: float
    gate: Gate | None = None

    @property
    def worst(self) -> tuple[int, ...]:
        """For each bot of a league the row in which it does worst."""
        if self.job.plan.kind is not Kind.LEAGUE:
            return ()
        found = []
        for bot in range(len(self.names)):
            own = [number for number, row in enumerate(self.rows) if row.bot == bot]
            found.append(max(own, key=lambda number: self.rows[number].estimate.mean))
        return tuple(found)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON; ``times`` depends on the machine, all else does not."""
        gate = self.gate
        rows = [row.to_dict(self.names) for row in self.rows]
        return {
            "kind": self.job.plan.kind.value,
            "names": list(self.names),
            "deals": self.deals,
            "tables": self.deals * self.job.plan.tables,
            "rows": rows,
            "alone": [
                {"bot": self.names[bot], "score": _round(score), "counts": _counts(tally)}
                for bot, score, tally in self.base
            ],
            "worst": [
                {"bot": rows[row]["bot"], "row": row, "against": rows[row]["against"]}
                for row in self.worst
            ],
            "gate": None
            if gate is None
            else {"verdict": gate.verdict.value, "deals": gate.deals, "ratio": _round(gate.ratio)},
            "times": {
                "seconds": _round(self.seconds),
                "processor_s": _round(self.processor_s),
                "rows": [row.times() for row in self.rows],
            },
        }


def _round(value: float) -> float:
    """Enough figures for any reader, and the same ones under every Python."""
    return round(value, 6)


def _told(found: Estimate) -> dict[str, object]:
    low, high = _round(found.low), _round(found.high)
    return {"difference": _round(found.mean), "error": _round(found.error), "interval": [low, high]}


def _counts(tally: Tally) -> dict[str, int]:
    """The counts that don't depend on the machine."""
    return {name: n for name, n in sorted(tally.items()) if name not in CLOCKS and n}


def results_of(
    job: Job, chunks: Sequence[Chunk], *, deals: range | None = None, gate: Gate | None = None
) -> ArenaResult:
    """What chunks of a job show; only those of ``deals`` are counted where it is given.

    Counts are those of the chunks that lie in them whole. ValueError for fewer than two deals.
    """
    plan = job.plan
    scores = {n: s for n, s in scores_of(plan, chunks).items() if deals is None or n in deals}
    luck = _by_deal(plan, ((chunk.first, chunk.luck) for chunk in chunks if job.aivat))
    numbers = sorted(scores)
    tallies = [Counter[str]() for _ in plan.lines]
    for chunk in chunks:
        if deals is not None and chunk.first + chunk.deals > deals.stop:
            continue
        for tally, more in zip(tallies, chunk.tallies, strict=True):
            tally.update(more)
    rows, base = [], []
    for number, line in enumerate(plan.lines):
        score, tally = _mean_score(plan, number, scores), tallies[number]
        if line.anchor is not None or plan.kind is Kind.SEATINGS:
            rows.append(_row(job, number, numbers, scores, luck, score, tally))
        else:
            base.append((line.bot, score, tally))
    return ArenaResult(
        job, _names(job), len(numbers), tuple(rows), tuple(base),
        sum(chunk.seconds for chunk in chunks), sum(chunk.processor_s for chunk in chunks), gate,
    )  # fmt: skip


def scores_of(plan: ArenaPlan, chunks: Sequence[Chunk]) -> dict[int, tuple[int, ...]]:
    """The scores of each deal, line by line of the plan."""
    return _by_deal(plan, ((chunk.first, chunk.scores) for chunk in chunks))


def _by_deal(
    plan: ArenaPlan, told: Iterable[tuple[int, tuple[_Points, ...]]]
) -> dict[int, tuple[_Points, ...]]:
    """What chunks tell, by deals: each with the number of its first one."""
    length = len(plan.lines) * plan.width
    return {
        first + at // length: points[at : at + length]
        for first, points in told
        for at in range(0, len(points), length)
    }


def duplicate(
    rules: RuleSet | str,
    candidate: Player,
    anchor: Player,
    *,
    deals: int,
    seed: int = 0,
    first: int = 0,
    workers: int = 1,
) -> ArenaRow:
    """Play a candidate against anchors on deals ``first`` to ``first + deals - 1`` of a seed.

    A bot is the word that names one (:func:`okey101.bots.bot_info`), or a factory that makes one
    from a seed; with ``workers`` that has to be one that can be pickled. The outcome depends on
    rules, bots, seed and numbers alone, not on ``workers``, but for the times in its tally.
    OkeyError ``unknown-preset``, ``unknown-bot`` or ``bot-unloadable``, and ``out-of-range`` for
    fewer than two deals.
    """
    whole_number(deals, "deals", 2, sys.maxsize)
    job = Job(rules_of(rules), (candidate, anchor), seed)
    chunks = run_job(job, range(first, first + deals), workers=workers)
    return results_of(job, chunks).rows[0]


def _names(job: Job) -> tuple[str, ...]:
    """Names and versions; bots of the same name are told apart by their numbers."""
    marks = [info_for(player).mark for player in job.everybody]
    return tuple(
        mark if marks.count(mark) == 1 else f"{mark}#{number}"
        for number, mark in enumerate(marks, 1)
    )


def _share_of(
    job: Job, line: Line, numbers: Sequence[int], scores: dict[int, tuple[int, ...]]
) -> Share | None:
    """How far a challenger of ``greedy`` goes to what the oracle gains on the same deals.

    It is the ratio of the two means, with its bootstrap; 0 where there is no way.
    """
    plan, last = job.plan, len(job.players)
    if not job.oracle or line.anchor is None or line.bot == last:
        return None
    if info_for(job.players[line.anchor]).name != "greedy":
        return None
    lines = (plan.lines.index(Line(bot, line.anchor)) for bot in (line.bot, last))
    own, oracle = (means(plan, number, numbers, scores) for number in lines)
    whole = math.fsum(oracle)
    share = math.fsum(own) / whole if whole else 0.0
    ratios = [mine / theirs for mine, theirs in draws([own, oracle]) if theirs]
    return Share(share, *(interval(ratios) if ratios else (0.0, 0.0)))


def means(
    plan: ArenaPlan, line: int, numbers: Sequence[int], scores: dict[int, tuple[int, ...]]
) -> list[float]:
    """The mean difference of each deal of a challenger's line."""
    base = plan.base(plan.lines[line])
    assert base is not None
    return [sum(_compared(plan, line, base, scores[n])) / plan.width for n in numbers]


def _mean_score(plan: ArenaPlan, line: int, scores: dict[int, tuple[int, ...]]) -> float:
    at = line * plan.width
    total = sum(sum(row[at : at + plan.width]) for row in scores.values())
    return total / (len(scores) * plan.width * plan.weight)


def _row(
    job: Job, number: int, numbers: Sequence[int], scores: dict[int, tuple[int, ...]],
    luck: dict[int, tuple[float, ...]], score: float, tally: Tally,
) -> ArenaRow:  # fmt: skip
    plan = job.plan
    line = plan.lines[number]
    base = plan.base(line)
    differences = [_compared(plan, number, base, scores[deal]) for deal in numbers]
    means = [sum(seats) / len(seats) for seats in differences]
    estimate = cluster_mean(differences)
    same = sum(d == 0 for seats in differences for d in seats) / (len(means) * plan.width)
    freed = None
    if luck:
        by_luck = [_compared(plan, number, base, luck[n]) for n in numbers]
        pairs = zip(differences, by_luck, strict=True)
        rest = cluster_mean([[a - b for a, b in zip(*pair, strict=True)] for pair in pairs])
        freed = Freed(rest, 1 - (rest.error / estimate.error) ** 2 if estimate.error else 0.0)
    bars = Counter(math.floor(mean / BIN) * BIN for mean in means)
    return ArenaRow(
        line.bot, line.anchor, score, score - estimate.mean, estimate,
        interval([mean for (mean,) in draws([means])]), same, _places(job, numbers, differences),
        tuple(sorted(bars.items())), tally, freed, _share_of(job, line, numbers, scores),
    )  # fmt: skip


def _compared(plan: ArenaPlan, line: int, base: int | None, row: Sequence[float]) -> list[float]:
    """A line's points in a deal less those it is compared with, by place."""
    own = row[line * plan.width : (line + 1) * plan.width]
    if base is None:
        mean = sum(row) / len(row)
        return [(score - mean) / plan.weight for score in own]
    other = row[base * plan.width : (base + 1) * plan.width]
    return [float(a - b) for a, b in zip(own, other, strict=True)]


def _places(
    job: Job, numbers: Sequence[int], differences: Sequence[Sequence[float]]
) -> tuple[Estimate, ...]:
    width = job.plan.width
    places: list[list[list[float]]] = [[] for _ in range(width)]
    for number, seats in zip(numbers, differences, strict=True):
        starter = starter_of(job.rules, number % job.rules.players)
        for seat, difference in enumerate(seats):
            places[(seat - starter) % width].append([difference])
    return tuple(cluster_mean(place) for place in places)


def draws(columns: Sequence[Sequence[float]], *, rounds: int = ROUNDS) -> list[tuple[float, ...]]:
    """The means of each column in each resampling."""
    blocks = [_blocks(column) for column in columns]
    count = len(blocks[0])
    rng = random.Random(0)
    found = []
    for _ in range(rounds):
        chosen = rng.choices(range(count), k=count)
        found.append(tuple(math.fsum(map(b.__getitem__, chosen)) / count for b in blocks))
    return found


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The middle 95 % of values."""
    ordered = sorted(values)
    return ordered[int(0.025 * len(ordered))], ordered[math.ceil(0.975 * len(ordered)) - 1]


def _blocks(means: Sequence[float]) -> list[float]:
    """Means of neighbouring deals, blocks whose sizes differ by one at most."""
    if len(means) <= BLOCKS:
        return list(means)
    ends = [number * len(means) // BLOCKS for number in range(BLOCKS + 1)]
    return [math.fsum(means[a:b]) / (b - a) for a, b in pairwise(ends)]
