"""What AIVAT saves, and that it shifts nothing: ``python -m benchmarks.aivat --kept DIR``.

It writes ``benchmarks/aivat.md``. What was played is kept in the folder; the same command goes on,
also with more deals.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.measure import table
from okey101.bots.greedy import GreedyBot
from okey101.game import PRESETS, Deal, RuleSet
from okey101.sim.arena.aivat import DrawLuck
from okey101.sim.arena.chunks import Job, arena_deal
from okey101.sim.arena.compiled import CompiledTables
from okey101.sim.arena.ledger import Ledger
from okey101.sim.arena.manifest import aivat_hash, identity
from okey101.sim.arena.results import results_of
from okey101.sim.arena.running import run_job
from okey101.sim.stats import Estimate, cluster_mean

SEED = 606
"""Of the deals; the value was fixed before one of them was played."""
DUELS = (
    ("steady", "greedy", "altinstar"),
    ("neural", "greedy", "altinstar"),
    ("neural", "steady", "pagat"),
    ("master", "greedy", "wiki"),
)
BLOCK = 50


def alike(kept: Path, deals: int) -> list[list[list[float]]]:
    """Scores and luck of four `greedy` by deal, from the file and newly played."""
    rules = RuleSet()
    file = kept / "alike.jsonl"
    done = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    with file.open("a") as out:
        for number in range(len(done), deals):
            deal = Deal.start(rules, arena_deal(rules, SEED, number))
            tables = CompiledTables(deal)
            outcome = tables.play([GreedyBot] * 4, [0] * 4)
            assert outcome is not None
            done.append([list(outcome.scores), DrawLuck(deal).of(tables.codes())])
            print(json.dumps(done[-1]), file=out, flush=True)
    return done[:deals]


def of(found: np.ndarray) -> Estimate:
    return cluster_mean(found[:, None].tolist())


def width(estimate: Estimate) -> str:
    return f"{estimate.mean:+.2f} ± {estimate.high - estimate.mean:.2f}"


def holding(found: np.ndarray) -> str:
    """In how many blocks the 95 % interval holds 0, which is the truth."""
    blocks = np.array_split(found, len(found) // BLOCK)
    held = sum(e.low <= 0 <= e.high for e in map(of, blocks))
    return f"{held} of {len(blocks)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--alike", type=int, default=20_000, help="deals of four greedy")
    parser.add_argument("--deals", type=int, default=600, help="deals of each duel")
    parser.add_argument("--kept", type=Path, required=True)
    given = parser.parse_args()
    given.kept.mkdir(parents=True, exist_ok=True)
    rows = []
    for bot, anchor, preset in DUELS:
        job = Job(PRESETS[preset], (bot, anchor), SEED, compiled=True, aivat=True)
        ledger = Ledger(given.kept / f"{bot}-{anchor}-{preset}.jsonl", identity(job), job.plan)
        chunks = run_job(job, range(given.deals), done=list(ledger.chunks), on_chunk=ledger.append)
        (row,) = results_of(job, chunks, deals=range(given.deals)).rows
        assert row.freed is not None
        rows.append(
            (f"`{bot}` : `{anchor}`, {preset}", f"{given.deals:,}", width(row.estimate),
             width(row.freed.estimate), f"{100 * row.freed.saved:.0f} %")
        )  # fmt: skip
        print(rows[-1], flush=True)
    told = np.array(alike(given.kept, given.alike))
    luck = cluster_mean(told[:, 1].tolist())
    pairs = np.diff(told.mean(2).reshape(-1, 2, 2), axis=1)[:, 0]
    raw, freed = pairs[:, 0], pairs[:, 0] - pairs[:, 1]
    text = f"""# AIVAT: differences without the luck of the draws

`okey101 arena --aivat` subtracts what each draw of a bot was worth: the value of its position with
the tile that came, less the mean over all tiles that could have come. The value is what the
networks of `champion` foretell; its SHA-256 is `{aivat_hash()}`.

    python -m benchmarks.aivat --kept kept --alike {given.alike} --deals {given.deals}

## What it saves

Points a deal, deals of arena seed {SEED}, ± 95 %. So many deals fewer give the same interval.

{table(("who", "deals", "difference", "without luck", "deals saved"), rows)}

## That it shifts nothing

- `tests/sim/test_aivat.py` plays all orders of the last tiles of a stock. The luck of each seat
  adds up to 0 over them, exactly.
- Four `greedy` in {given.alike:,} deals (altinstar): the luck of a seat is {width(luck)} points
  a deal on average.
- {given.alike // 2:,} A/A differences, each between two of these deals that follow one another.
  The truth is 0. Found: {width(of(raw))} with the luck, {width(of(freed))} without it.
  Blocks of {BLOCK} whose 95 % interval holds 0: {holding(raw)} with it, {holding(freed)} without.
"""
    Path(__file__).with_suffix(".md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
