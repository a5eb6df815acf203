"""Play the deals that the networks learn from: every choice at a seat's decisions, played out.

    python scripts/neural_data.py altinstar neural/altinstar-1 --deals 100000
    python scripts/neural_data.py altinstar neural/altinstar-2 --deals 20000 --worlds 40 --learned

plays development deals (benchmarks/seeds.json) and keeps their decisions in files of a folder, with
a manifest; the same command goes on where it stopped, and others beside it with ``--first`` do
their part. ``--minutes`` ends it earlier. The seat plays as ``master``, or with ``--learned`` as
``neural`` by the weights that are shipped, and goes on so. Each choice is played to the end of the
true deal, in ``--orders`` of the stock; with ``--worlds`` in so many worlds that the seat can't
tell from the true one, as ``champion`` does, to where the network of the value foretells the rest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from neural_branches import MOST_DECISIONS, branch
from okey101.bots.champion import ROUNDS
from okey101.bots.search import STEPS
from okey101.game import PRESETS
from okey101.game.dealing import seed_of
from okey101.kernel.conversion import rules_vector, seed_words
from okey101.kernel.deals import GRADES
from okey101.kernel.seats import minds_of
from okey101.kernel.solver import tables
from okey101.sim.arena.chunks import RANGES, Purpose
from okey101.weights.neural import (
    CHOICE,
    CHOICE_SIZE,
    CHOICES,
    POSITION,
    POSITION_SIZE,
)

PER_FILE: Final = 500
"""Deals of a file."""
_BATCH: Final = 50


def mark_of_inputs() -> str:
    """A short name of what the inputs are."""
    told = json.dumps([POSITION._asdict(), CHOICE._asdict(), CHOICES])
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def play(preset: str, first: int, given: argparse.Namespace) -> dict[str, Any]:
    """The decisions of the deals of one file, as arrays by name."""
    room, each = _BATCH * MOST_DECISIONS, 2 if given.worlds else given.orders
    positions = np.zeros((room, POSITION_SIZE), dtype=np.int64)
    choices = np.zeros((room, CHOICES * CHOICE_SIZE), dtype=np.int64)
    points = np.zeros((room, CHOICES * each), dtype=np.int64)
    facts = np.zeros((room, 4), dtype=np.int64)
    rules, root = rules_vector(preset), seed_words(seed_of(given.seed))
    minds = minds_of(PRESETS[preset])
    ways = [given.learned, given.worlds // 2, STEPS, ROUNDS, given.taking]
    parts: dict[str, list[Any]] = {"positions": [], "choices": [], "points": [], "facts": []}
    for start in range(first, first + PER_FILE, _BATCH):
        choices[:] = 0
        points[:] = 0
        n = branch(
            tables(), rules, minds, np.array(GRADES), root, given.seed,
            np.array(ways, dtype=np.int64), start, _BATCH, positions, choices, points, facts,
        )  # fmt: skip
        parts["positions"].append(positions[:n].astype(np.int16))
        parts["choices"].append(choices[:n].reshape(n, CHOICES, -1).astype(np.int16))
        kept = points[:n].reshape(n, CHOICES, each)
        parts["points"].append(kept.astype(np.int32 if given.worlds else np.int16))
        parts["facts"].append(facts[:n].astype(np.int32))
    return {name: np.concatenate(part) for name, part in parts.items()}


def main() -> int:
    """Play until the deals, or the minutes, are over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", choices=[*PRESETS])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--orders", type=int, default=2)
    parser.add_argument("--worlds", type=int, default=0, help="an even number of them")
    parser.add_argument("--taking", action="store_true", help="only whether to take the discard")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--learned", action="store_true")
    given = parser.parse_args()
    if given.worlds < 0 or given.worlds % 2:
        sys.exit(f"--worlds {given.worlds} is no even number from 0")
    if given.seed not in RANGES[Purpose.DEVELOPMENT]:
        sys.exit(f"{given.seed} is no development seed")
    folder: Path = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    nets = minds_of(PRESETS[given.preset])[2].astype("<i4")
    mark = hashlib.sha256(nets.tobytes()).hexdigest()[:12]
    manifest = {
        "preset": given.preset, "seed": given.seed,
        "orders": 1 if given.worlds else given.orders, "worlds": given.worlds,
        "policy": mark if given.learned or given.worlds else "master/1",
        "learned": given.learned, "taking": given.taking, "inputs": mark_of_inputs(),
        "per_file": PER_FILE,
    }  # fmt: skip
    told = folder / "manifest.json"
    if told.exists() and json.loads(told.read_text(encoding="utf-8")) != manifest:
        sys.exit(f"{folder} holds other decisions")
    told.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    begun, played = time.monotonic(), 0
    for first in range(given.first, given.first + given.deals, PER_FILE):
        path = folder / f"{first:07d}.npz"
        if path.exists():
            continue
        if time.monotonic() - begun > 60 * given.minutes:
            break
        found = play(given.preset, first, given)
        part = path.with_suffix(".part.npz")
        np.savez(part, allow_pickle=False, **found)
        part.replace(path)
        played += PER_FILE
        spent = time.monotonic() - begun
        print(
            f"{given.preset}: deals to {first + PER_FILE}, {len(found['facts'])} decisions, "
            f"{1000 * spent / played:.2f} ms a deal",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
