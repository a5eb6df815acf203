"""Whether Gücüm tells who plays better, and how sure it is: simulated careers of our bots.

    .venv/bin/python -m benchmarks.strength_of_people --resume ROWS

First each bot plays deals of its own in one seat against three of the reference, and the review
says what its own play cost; ``--resume`` keeps a line for each and goes on from there. Careers are
then drawn from these deals, and ``strength_of_people.md`` and ``.json`` are written.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean, median, pstdev
from time import monotonic, process_time
from typing import Final, TypeAlias

from benchmarks.measure import machine, table
from benchmarks.review_calibration import layout_of
from okey101.bots import Bot, make_bot
from okey101.bots.playing import play_out
from okey101.game import Deal, record_of
from okey101.game.ruleset import RuleSet
from okey101.kernel.deals import play_bots
from okey101.review.matches import review_deal
from okey101.review.strength import LEAST_DEALS, MEMORY, PRIOR, REFERENCE, WORLDS, strength_of
from okey101.sim.stats import cluster_mean

PAGE: Final = Path(__file__).with_suffix(".md")
BOTS: Final = ("novice", "greedy", "steady")
"""Who is measured beside the reference, whose own play is nothing by definition."""
MANY_WORLDS: Final = 1_000
CAREERS: Final = 4_000
SCORED: Final = 20_000
FOLLOWED: Final = 60
KERNEL_BOTS: Final = {"greedy", "master"}
Rows: TypeAlias = Mapping[tuple[int, str, int], Sequence[int]]
"""By deal, bot and worlds: own play and its reach in tenths of a point, milliseconds."""


def one(number: int, name: str, worlds: int) -> list[int]:
    """A deal of a bot, reviewed."""
    rules = RuleSet.preset("altinstar")
    seat = number % 4
    seated: list[Bot] = [make_bot(REFERENCE.name) for _ in range(4)]
    seated[seat] = make_bot(name, number)
    deal = play_out(Deal.start(rules, layout_of(rules, "people", number)), seated)
    record = record_of(rules, [deal])
    began = process_time()
    found = review_deal(record, 0, seat, worlds=worlds, policy=REFERENCE.name).balance.skill
    return [found.tenths, found.reach, round(1_000 * (process_time() - began))]


def measured(file: Path, deals: int, checked: int) -> Rows:
    """The deals of each bot; what is missing in the file is played, reviewed and added."""
    rows: dict[tuple[int, str, int], list[int]] = {}
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            number, name, worlds, row = json.loads(line)
            rows[number, name, worlds] = row
    wanted = [(number, name, WORLDS) for number in range(deals) for name in BOTS]
    wanted += [(number, name, MANY_WORLDS) for number in range(checked) for name in BOTS]
    began = monotonic()
    with file.open("a", encoding="utf-8") as kept:
        for done, key in enumerate(wanted, 1):
            if key not in rows:
                rows[key] = one(*key)
                kept.write(json.dumps([*key, rows[key]]) + "\n")
                kept.flush()
            if done % 100 == 0:
                text = f"{done} of {len(wanted)}, {monotonic() - began:.0f} s"
                print(text, file=sys.stderr, flush=True)
    return {key: rows[key] for key in wanted}


class Careers:
    """Draws careers from the deals of the bots; figures are tenths of a point."""

    def __init__(self, own: Mapping[str, Sequence[int]]) -> None:
        self.own = own
        self.mean = {name: fmean(deals) for name, deals in own.items()}
        self.noise = {name: pstdev(deals) for name, deals in own.items()}
        self._order = sorted(own, key=self.mean.__getitem__)

    def noise_of(self, strength: float) -> float:
        """How much a deal spreads for somebody of a strength, between those of the bots."""
        first, last = self._order[0], self._order[-1]
        inside = min(max(strength, self.mean[first]), self.mean[last])
        for low, high in zip(self._order, self._order[1:], strict=False):
            if inside <= self.mean[high]:
                part = (inside - self.mean[low]) / (self.mean[high] - self.mean[low])
                return self.noise[low] + part * (self.noise[high] - self.noise[low])
        return self.noise[last]

    def from_prior(
        self, rng: random.Random, deals: int, *, real: bool, drift: bool
    ) -> tuple[list[int], float]:
        """Own play by deal, and the strength in the end.

        The strength is drawn from the prior. The noise of a deal is that of the nearest bot, as
        ``real`` deals have it or normal, scaled to the strength.
        """
        now = rng.gauss(PRIOR.tenths, PRIOR.reach)
        noise = self.noise_of(now)
        like = min(self.own, key=lambda name: abs(self.mean[name] - now))
        found = []
        for _ in range(deals):
            now += rng.gauss(0, noise / MEMORY) if drift else 0
            chance = (rng.choice(self.own[like]) - self.mean[like]) / self.noise[like]
            found.append(round(now + noise * (chance if real else rng.gauss(0, 1))))
        return found, now

    def of(self, rng: random.Random, name: str, deals: int) -> list[int]:
        """Deals of a bot, drawn with repetition; of the reference each is 0."""
        return rng.choices(self.own[name], k=deals) if name in self.own else [0] * deals


def coverage(careers: Careers, deals: int, *, real: bool, drift: bool) -> tuple[str, str]:
    """How many intervals hold the strength, and how far they reach in the middle."""
    rng = random.Random(f"coverage {deals} {real} {drift}")
    held, reaches = 0, []
    for _ in range(CAREERS):
        own, now = careers.from_prior(rng, deals, real=real, drift=drift)
        found = strength_of(own)
        held += 10 * found.low <= now <= 10 * found.high
        reaches.append(found.reach / 10)
    return f"{held / CAREERS:.1%}", f"± {median(reaches):.1f}"


@cache
def scores(name: str) -> list[int]:
    """The points of many deals of a bot among three of the reference."""
    seated = dict.fromkeys(range(4), REFERENCE.name) | {0: name}
    return [int(n) for n in play_bots("altinstar", SCORED, seated, seed="people").scores[:, 0]]


def order(careers: Careers, worse: str, better: str, deals: int) -> tuple[str, str]:
    """How often two are in the right order by Gücüm, and by points where the kernel has both."""
    rng = random.Random(f"order {worse} {better} {deals}")
    right = alone = 0
    known = {worse, better} <= KERNEL_BOTS
    for _ in range(CAREERS):
        first, second = (careers.of(rng, name, deals) for name in (worse, better))
        right += strength_of(first).tenths > strength_of(second).tenths
        if known:
            lost, won = (sum(rng.choices(scores(name), k=deals)) for name in (worse, better))
            alone += lost > won
    return f"{right / CAREERS:.1%}", f"{alone / CAREERS:.1%}" if known else ""


def improving(careers: Careers, worse: str, better: str, before: int) -> tuple[str, ...]:
    """Of careers that are one bot's at first and then another's, how many are followed."""
    rng = random.Random(f"improving {worse} {better} {before}")
    held, means = 0, []
    for _ in range(CAREERS):
        own = careers.of(rng, worse, before) + careers.of(rng, better, FOLLOWED)
        found = strength_of(own)
        now, old = (careers.mean.get(name, 0) / 10 for name in (better, worse))
        held += found.low <= now <= found.high < old
        means.append(found.mean)
    return (
        f"{careers.mean[worse] / 10:.1f}", f"{careers.mean.get(better, 0) / 10:.1f}",
        f"{fmean(means):.1f}", f"{held / CAREERS:.1%}",
    )  # fmt: skip


def sections(rows: Rows) -> Iterator[str]:
    """The page."""
    own = {name: [rows[k][0] for k in rows if k[1:] == (name, WORLDS)] for name in BOTS}
    careers = Careers(own)
    deals = len(own[BOTS[0]])
    yield (
        "# Gücüm: whether strength without luck is right\n\n"
        "Made by `python -m benchmarks.strength_of_people --resume ROWS`, which says in its source "
        "how careers are drawn. Rule set altinstar; points a deal, low is good; the reference is "
        f"`{REFERENCE.mark}`, whose own play is 0 by definition. Each bot played {deals} deals in "
        f"one seat among three `{REFERENCE.name}`, and the review of {WORLDS} worlds said what its "
        f"own play cost. All careers are drawn from these deals, {CAREERS:,} for each line."
    )
    head = ("bot", "own play", "standard deviation of a deal", "of that from the worlds")
    yield table(
        head,
        [
            (
                f"`{name}`",
                _mean_of([n / 10 for n in own[name]]),
                f"{careers.noise[name] / 10:.1f}",
                f"{_worlds_alone(rows, name):.1f}",
            )
            for name in BOTS
        ],
    )
    yield from _cheap(rows)
    yield (
        "## Who is better\n\n"
        "How often the weaker of two has the worse Gücüm after so many deals each, and how often "
        f"the worse sum of points, drawn from {SCORED:,} deals each in the kernel, which plays two "
        "of these bots."
    )
    pairs = (("greedy", "master"), ("novice", "greedy"), ("greedy", "steady"), ("steady", "master"))
    yield table(
        ("weaker", "better", "deals", "by Gücüm", "by points alone"),
        [
            (f"`{a}`", f"`{b}`", str(n), *order(careers, a, b, n))
            for a, b in pairs
            for n in (LEAST_DEALS, 4 * LEAST_DEALS)
        ]
        + [("`greedy`", "`master`", f"{n:,}", "", order(careers, "greedy", "master", n)[1])
           for n in (480, 960)],
    )  # fmt: skip
    yield (
        "## Whether the interval holds the strength\n\n"
        "Careers whose strength is drawn from the prior and drifts as the model says; the noise is "
        "estimated from each career's own deals. *Real* has the skewed deals of the bots, *normal* "
        "a bell; *still* does not drift at all. 95 % is aimed at. The two numbers of what is "
        "expected of the noise were chosen on the first 230 deals of each bot."
    )
    rows_of = []
    for n in (10, LEAST_DEALS, 60, 120):
        real = coverage(careers, n, real=True, drift=True)
        normal = coverage(careers, n, real=False, drift=True)
        still = coverage(careers, n, real=True, drift=False)
        rows_of.append((str(n), real[0], normal[0], still[0], real[1]))
    yield table(("deals", "real", "normal", "real, still", "half of the interval"), rows_of)
    yield (
        "## Somebody improves\n\n"
        f"One bot's deals at first, then {FOLLOWED} deals of a better one. *Followed*: the "
        "interval holds the new strength and no longer the old one."
    )
    yield table(
        ("at first", "then", "deals before", "strength before", "now", "Gücüm, mean", "followed"),
        [
            (f"`{a}`", f"`{b}`", str(n), *improving(careers, a, b, n))
            for a, b in (("novice", "greedy"), ("novice", "steady"), ("greedy", "master"))
            for n in (60, 240)
        ],
    )
    yield f"Careers drawn on {machine()}.\n"


def _mean_of(points: Sequence[float]) -> str:
    found = cluster_mean([[n] for n in points])
    return f"{found.mean:+.1f} ± {1.96 * found.error:.1f}"


def _worlds_alone(rows: Rows, name: str) -> float:
    """The deviation of a deal's own play that is due to its worlds, in points."""
    reaches = [rows[k][1] for k in rows if k[1:] == (name, WORLDS)]
    return math.sqrt(fmean([(n / 19.6) ** 2 for n in reaches]))


def _cheap(rows: Rows) -> Iterator[str]:
    """What few worlds change, against many on the same deals."""
    told = []
    for name in BOTS:
        numbers = [k[0] for k in rows if k[1:] == (name, MANY_WORLDS)]
        if len(numbers) < 2:
            return
        few, many = ([rows[n, name, w] for n in numbers] for w in (WORLDS, MANY_WORLDS))
        apart = _mean_of([(a[0] - b[0]) / 10 for a, b in zip(few, many, strict=True)])
        told.append(
            (
                f"`{name}`",
                str(len(numbers)),
                apart,
                f"{fmean([row[2] for row in few]) / 1_000:.2f}",
                f"{fmean([row[2] for row in many]) / 1_000:.2f}",
            )
        )
    yield (
        "## What few worlds change\n\n"
        f"Own play in {WORLDS} worlds less that in {MANY_WORLDS:,} on the same deals, and the "
        "processor seconds of a deal. Both choices are played in the same worlds, which had no "
        "hand in picking them: few worlds add noise and no bias, so none is taken off."
    )
    seconds = (f"s, {WORLDS} worlds", f"s, {MANY_WORLDS:,} worlds")
    yield table(("bot", "deals", "difference", *seconds), told)


def main() -> None:
    """Measure what is missing, simulate, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength_of_people")
    parser.add_argument("--deals", type=int, default=600, help="of each bot")
    parser.add_argument("--checked", type=int, default=60, help="also in many worlds")
    parser.add_argument("--resume", type=Path, required=True, metavar="ROWS")
    given = parser.parse_args()
    rows = measured(given.resume, given.deals, given.checked)
    PAGE.write_text("\n\n".join(sections(rows)), encoding="utf-8")
    own = {name: [rows[k][0] for k in rows if k[1:] == (name, WORLDS)] for name in BOTS}
    PAGE.with_suffix(".json").write_text(json.dumps(own) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
