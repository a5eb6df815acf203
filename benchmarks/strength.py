"""How much better ``steady`` plays than ``greedy``, in duplicate deals.

    python -m benchmarks.strength --rules altinstar --deals 1200 --seed 101

continues from ``strength.json`` and writes the scores of every deal there; ``report()`` only
renders them, as the deals take minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TypedDict

from benchmarks.measure import table
from okey101.game import PRESETS
from okey101.sim.arena import ArenaRow, Chunk, Job
from okey101.sim.arena.results import results_of
from okey101.sim.arena.running import run_job

__all__ = ["report"]

RESULTS = Path(__file__).with_name("strength.json")
CANDIDATE, ANCHOR = "steady", "greedy"
CHUNK = 25


class Kept(TypedDict):
    """The scores of an arena under one rule set, by deal and seat."""

    seed: int
    anchors: list[list[int]]
    candidates: list[list[int]]


def load() -> dict[str, Kept]:
    """What has been played so far, by the rule set's name."""
    if not RESULTS.exists():
        return {}
    found: dict[str, Kept] = json.loads(RESULTS.read_text(encoding="utf-8"))["rules"]
    return found


def save(kept: dict[str, Kept]) -> None:
    """Write everything anew, a deal a line."""
    rules = []
    for name, arena in kept.items():
        rows = {key: _lines(arena[key]) for key in ("anchors", "candidates")}
        parts = [f'"seed": {arena["seed"]}', *(f'"{key}": {text}' for key, text in rows.items())]
        rules.append(f' "{name}": {{\n  ' + ",\n  ".join(parts) + "\n }")
    head = f'"candidate": "{CANDIDATE}", "anchor": "{ANCHOR}"'
    text = "{" + head + ', "rules": {\n' + ",\n".join(rules) + "\n}}\n"
    RESULTS.write_text(text, encoding="utf-8")


def _lines(rows: list[list[int]]) -> str:
    return "[\n" + ",\n".join(f"   {row}" for row in rows) + "\n  ]"


def measured(name: str, arena: Kept) -> ArenaRow:
    """What the arena shows of kept scores."""
    deals = zip(arena["anchors"], arena["candidates"], strict=True)
    scores = tuple(score for rows in deals for row in rows for score in row)
    job = Job(PRESETS[name], (CANDIDATE, ANCHOR), arena["seed"])
    tallies = tuple(Counter[str]() for _ in job.plan.lines)
    return results_of(job, [Chunk(0, len(arena["anchors"]), scores, tallies)]).rows[0]


def extend(name: str, deals: int, seed: int, workers: int) -> None:
    """Play on until that many deals are kept; another seed starts anew."""
    kept = load()
    arena = kept.get(name)
    if arena is None or arena["seed"] != seed:
        arena = kept[name] = {"seed": seed, "anchors": [], "candidates": []}
    while (done := len(arena["anchors"])) < deals:
        job = Job(PRESETS[name], (CANDIDATE, ANCHOR), seed)
        numbers = range(done, min(done + CHUNK * workers, deals))
        scores = [n for chunk in run_job(job, numbers, workers=workers) for n in chunk.scores]
        width = job.plan.width
        for at in range(0, len(scores), 2 * width):
            arena["anchors"].append(scores[at : at + width])
            arena["candidates"].append(scores[at + width : at + 2 * width])
        save(kept)
        shown = measured(name, arena).estimate
        print(name, len(arena["anchors"]), shown, file=sys.stderr, flush=True)


def report() -> str:
    """Render strength.json as a section of results.md."""
    rows = []
    commands = []
    for name, arena in load().items():
        shown = measured(name, arena)
        estimate = shown.estimate
        low, high = shown.bootstrap
        deals = len(arena["anchors"])
        rows.append(
            (
                name,
                f"{deals:,}",
                f"{shown.compared:.1f}",
                f"{shown.score:.1f}",
                f"{estimate.mean:+.2f}",
                f"{estimate.low:+.2f} to {estimate.high:+.2f}",
                f"{low:+.2f} to {high:+.2f}",
                f"{shown.unchanged:.0%}",
            )
        )
        seed = arena["seed"]
        commands.append(
            f"    python -m benchmarks.strength --rules {name} --deals {deals} --seed {seed}"
        )
    head = (
        "rules",
        "deals",
        f"{ANCHOR}",
        f"{CANDIDATE}",
        "difference",
        "95 % interval",
        "bootstrap",
        "same score",
    )
    return (
        "## Strength of the bots\n\n"
        f"Points a deal of `{CANDIDATE}` in one seat against three `{ANCHOR}`, less the points of "
        f"`{ANCHOR}` in the same seat of the same deal; each deal is played once by four "
        f"`{ANCHOR}` and once with `{CANDIDATE}` in each seat. Low is good, so a difference below "
        "zero is in its favour. The deal is the independent unit: Student's interval over deals, "
        "and the bootstrap of 1,000 resamplings beside it. Void deals count as played.\n\n"
        + table(head, rows)
        + "\n\nThe scores of every deal are in `strength.json`; these commands make them:\n\n"
        + "\n".join(commands)
        + "\n"
    )


def main() -> int:
    """Play on, then print the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength")
    parser.add_argument("--rules", choices=list(PRESETS), default="altinstar")
    parser.add_argument("--deals", type=int, default=0, help="keep so many deals in all")
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.deals:
        extend(arguments.rules, arguments.deals, arguments.seed, arguments.workers)
    print(report())
    return 0


if __name__ == "__main__":
    sys.exit(main())
