"""Tune the weights of ``master`` on duplicate deals, by CMA-ES from those that it has.

    uv sync --group tune
    python scripts/tune_master.py wiki --minutes 30 --checkpoint tuning/wiki.json

plays each vector of weights in every seat against ``greedy`` in the kernel, on development deals
alone (benchmarks/seeds.json): the same for all vectors of a generation, others in the next one.
The mean of the search is at last compared with the weights there were, on deals that it never
saw, and written to src/okey101/weights/master_tuned.py where it is better. The checkpoint is
written after each generation; the same command goes on from it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from cmaes import CMA  # type: ignore[import-not-found, import-untyped, unused-ignore]
from numpy.typing import NDArray

from master_tuned import by_feature, write
from okey101.game import PRESETS
from okey101.kernel import play_bots
from okey101.weights.master import weights_of
from okey101.weights.master_tuned import TUNED

SEED: Final = "tuning master"
_LEAST: Final = 40.0
"""What a weight of 0 is varied by at first, in thousandths of a point."""
_SHARE: Final = 0.25
"""What another weight is varied by at first, as a share of it."""
_COMPARED: Final = 500_000
"""The first deal of the last comparison."""

Floats = NDArray[np.float64]


def gains(preset: str, weights: Sequence[int], first: int, deals: int, anchor: Floats) -> Floats:
    """Points a deal, against ``greedy`` in the same seats; float64[deals], low is good."""
    seats = []
    for seat in range(PRESETS[preset].players):
        played = play_bots(preset, deals, {seat: "master"}, seed=SEED, first=first, weights=weights)
        seats.append(played.scores[:, seat] - anchor[:, seat])
    found: Floats = np.stack(seats, axis=1).mean(axis=1)
    return found


def anchor_of(preset: str, first: int, deals: int) -> Floats:
    """The scores of ``greedy`` in all seats."""
    return play_bots(preset, deals, seed=SEED, first=first).scores.astype(np.float64)


def spread(start: Floats) -> Floats:
    """What each weight is varied by at first."""
    found: Floats = np.maximum(np.abs(start) * _SHARE, _LEAST)
    return found


def search_from(state: dict[str, Any], seed: int) -> CMA:
    """The search as a checkpoint left it."""
    return CMA(
        mean=np.array(state["mean"]),
        sigma=state["sigma"],
        seed=seed + state["generation"],
        cov=np.array(state["cov"]) if "cov" in state else None,
    )


def tune(preset: str, minutes: float, deals: int, checkpoint: Path) -> list[int]:
    """Search for so long, going on from the checkpoint; the mean of the last generation."""
    start = np.array(weights_of(PRESETS[preset]), dtype=np.float64)
    scale = spread(start)
    state: dict[str, Any] = {"generation": 0, "mean": [0.0] * len(start), "sigma": 0.5}
    if checkpoint.exists():
        state = json.loads(checkpoint.read_text(encoding="utf-8"))
        start = np.array(state["start"])
        scale = np.array(state["scale"])
    search = search_from(state, 101)
    until = time.monotonic() + 60 * minutes
    generation = state["generation"]
    while time.monotonic() < until:
        first = generation * deals % _COMPARED
        anchor = anchor_of(preset, first, deals)
        tried = []
        for _ in range(search.population_size):
            point = search.ask()
            weights = [round(w) for w in start + scale * point]
            tried.append((point, float(gains(preset, weights, first, deals, anchor).mean())))
        search.tell(tried)
        generation += 1
        values = [value for _, value in tried]
        print(f"{generation}: {min(values):.2f} to {max(values):.2f}", flush=True)
        state = {
            "generation": generation, "mean": list(search.mean), "sigma": float(search._sigma),
            "cov": np.asarray(search._C).tolist(), "start": list(start), "scale": list(scale),
        }  # fmt: skip
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
        checkpoint.write_text(json.dumps(state), encoding="utf-8")
    return [round(w) for w in start + scale * np.array(state["mean"])]


def main() -> None:
    """Tune the weights of one preset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("preset", choices=list(PRESETS))
    parser.add_argument("--minutes", type=float, default=30, help="how long to search")
    parser.add_argument("--deals", type=int, default=1500, help="deals of a generation")
    parser.add_argument("--compare", type=int, default=10_000, help="deals of the last comparison")
    parser.add_argument("--checkpoint", type=Path, required=True)
    given = parser.parse_args()
    before = weights_of(PRESETS[given.preset])
    after = tune(given.preset, given.minutes, given.deals, given.checkpoint)
    anchor = anchor_of(given.preset, _COMPARED, given.compare)
    old, new = (gains(given.preset, w, _COMPARED, given.compare, anchor) for w in (before, after))
    better = new - old
    error = 1.96 * better.std(ddof=1) / len(better) ** 0.5
    print(f"before {old.mean():.2f}, after {new.mean():.2f}: {better.mean():.2f} +- {error:.2f}")
    if better.mean() < 0:
        write({**TUNED, given.preset: by_feature(after)})


if __name__ == "__main__":
    main()
