"""Play the deals that ``neural`` learns from: every choice at its decisions, out to the end.

    python scripts/neural_data.py altinstar neural/altinstar-1 --deals 100000

plays development deals (benchmarks/seeds.json) and keeps their decisions in files of a folder, with
a manifest; the same command goes on where it stopped. ``--minutes`` ends it earlier. The seat plays
and goes on as ``master``, or with ``--learned`` as ``neural`` by the weights that are shipped.
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
from okey101.game import PRESETS
from okey101.game.dealing import seed_of
from okey101.kernel.conversion import rules_vector, seed_words
from okey101.kernel.solver import tables
from okey101.sim.arena.chunks import RANGES, Purpose
from okey101.weights.master import weights_of
from okey101.weights.neural import CHOICE, CHOICE_SIZE, CHOICES, NET, POSITION, POSITION_SIZE

PER_FILE: Final = 1000
"""Deals of a file."""
_BATCH: Final = 50


def mark_of_inputs() -> str:
    """A short name of what the inputs are."""
    told = json.dumps([POSITION._asdict(), CHOICE._asdict(), CHOICES])
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def nets_of(preset: str, learned: bool) -> Any:
    """The weights of the networks; zeros where they are not used."""
    if not learned:
        return np.zeros(2 * NET, dtype=np.int64)
    from okey101.weights.neural import nets_of as shipped

    return np.array(shipped(PRESETS[preset]), dtype=np.int64)


def play(preset: str, first: int, orders: int, seed: int, nets: Any, learned: bool) -> Any:
    """The decisions of the deals of one file, as arrays by name."""
    room = _BATCH * MOST_DECISIONS
    positions = np.zeros((room, POSITION_SIZE), dtype=np.int64)
    choices = np.zeros((room, CHOICES * CHOICE_SIZE), dtype=np.int64)
    points = np.zeros((room, CHOICES * orders), dtype=np.int64)
    facts = np.zeros((room, 4), dtype=np.int64)
    weights = np.array(weights_of(PRESETS[preset]), dtype=np.int64)
    parts: dict[str, list[Any]] = {"positions": [], "choices": [], "points": [], "facts": []}
    for start in range(first, first + PER_FILE, _BATCH):
        choices[:] = 0
        points[:] = 0
        n = branch(
            tables(), rules_vector(preset), weights, nets, learned,
            seed_words(seed_of(seed)), seed, start, _BATCH, positions, choices, points, facts,
        )  # fmt: skip
        parts["positions"].append(positions[:n].astype(np.int16))
        parts["choices"].append(choices[:n].reshape(n, CHOICES, -1).astype(np.int16))
        parts["points"].append(points[:n].reshape(n, CHOICES, orders).astype(np.int16))
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
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--learned", action="store_true")
    given = parser.parse_args()
    if given.seed not in RANGES[Purpose.DEVELOPMENT]:
        sys.exit(f"{given.seed} is no development seed")
    folder: Path = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    nets = nets_of(given.preset, given.learned)
    manifest = {
        "preset": given.preset, "seed": given.seed, "orders": given.orders,
        "policy": hashlib.sha256(nets.tobytes()).hexdigest()[:12] if given.learned else "master/1",
        "inputs": mark_of_inputs(), "per_file": PER_FILE,
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
        found = play(given.preset, first, given.orders, given.seed, nets, given.learned)
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
