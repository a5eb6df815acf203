"""Train a best response to a bot: the weights of ``master`` that score best among three of it.

    uv sync --group tune
    python scripts/train_response.py master --minutes 20 --checkpoint responses/master.json

searches by CMA-ES for weights (okey101.weights.master) that gain most in one seat among three of
``greedy``, ``master`` or ``neural``, which the kernel plays, on development deals alone
(benchmarks/seeds.json). The checkpoint is written after each generation; the same command goes on
from it. At last the mean of the search plays deals that it never saw, and what it scores less there
than the bot itself in the same seat is kept in benchmarks/trained_responses.json with its weights.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from make_strength import arena_root
from okey101.bots import BOTS
from okey101.game import PRESETS
from okey101.kernel import play_bots
from okey101.kernel.conversion import rules_vector, seed_words
from okey101.kernel.solver import tables
from okey101.weights.master import weights_of
from okey101.weights.neural import nets_of
from response_deals import answer
from tune_master import search_from, spread

KEPT: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "trained_responses.json"
WHO: Final = {"greedy": 0, "master": 15 << 4, "neural": 15}
"""Who the others are, as the kernel tells them."""
TUNED_ON: Final = 404
"""The seed of the deals of the search."""
COMPARED_ON: Final = 2_000_404
"""The seed of those that tell what was gained: release deals that nothing else was made with."""

Floats = NDArray[np.float64]


def scores_of(
    preset: str, bot: str, own: Sequence[int], seed: int, first: int, deals: int
) -> Floats:
    """The scores of the response, by deal and seat."""
    rules = PRESETS[preset]
    found = np.zeros((rules.players, deals), dtype=np.int64)
    for seat in range(rules.players):
        answer(
            tables(), rules_vector(rules), np.array(own, dtype=np.int64), seat,
            np.array(weights_of(rules), dtype=np.int64), np.array(nets_of(rules), dtype=np.int64),
            WHO[bot], seed_words(arena_root(seed)), first, found[seat],
        )  # fmt: skip
    return found.T.astype(np.float64)


def scores_among_its_like(preset: str, bot: str, seed: int, first: int, deals: int) -> Floats:
    """The scores of the bot itself in all seats, by deal and seat."""
    played = play_bots(preset, deals, bot, seed=arena_root(seed), first=first)
    return played.scores.astype(np.float64)


def train(bot: str, preset: str, minutes: float, deals: int, checkpoint: Path) -> list[int]:
    """Search for so long, going on from the checkpoint; the mean of the last generation."""
    start = np.array(weights_of(PRESETS[preset]), dtype=np.float64)
    scale = spread(start)
    state: dict[str, Any] = {"bot": bot, "generation": 0, "mean": [0.0] * len(start), "sigma": 0.5}
    if checkpoint.exists():
        state = json.loads(checkpoint.read_text(encoding="utf-8"))
        if state["bot"] != bot:
            raise SystemExit(f"{checkpoint} answers {state['bot']}")
    search = search_from(state, TUNED_ON)
    until = time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        first = state["generation"] * deals
        tried = []
        for _ in range(search.population_size):
            point = search.ask()
            own = [round(w) for w in start + scale * point]
            found = scores_of(preset, bot, own, TUNED_ON, first, deals)
            tried.append((point, float(found.mean())))
        search.tell(tried)
        state = {
            "bot": bot, "generation": state["generation"] + 1, "mean": list(search.mean),
            "sigma": float(search._sigma), "cov": np.asarray(search._C).tolist(),
        }  # fmt: skip
        usual = scores_among_its_like(preset, bot, TUNED_ON, first, deals).mean()
        values = [value - usual for _, value in tried]
        print(
            f"{bot} {state['generation']}: {min(values):+.2f} to {max(values):+.2f}, "
            f"sigma {state['sigma']:.2f}",
            flush=True,
        )
        checkpoint.parent.mkdir(parents=True, exist_ok=True)
        checkpoint.write_text(json.dumps(state), encoding="utf-8")
    return [round(w) for w in start + scale * np.array(state["mean"])]


def main() -> None:
    """Train a response to one bot, and keep what it gains."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("bot", choices=list(WHO))
    parser.add_argument("--rules", choices=list(PRESETS), default="altinstar")
    parser.add_argument("--minutes", type=float, default=20, help="how long to search")
    parser.add_argument("--deals", type=int, default=500, help="deals of a generation")
    parser.add_argument("--compare", type=int, default=5_000, help="deals of the comparison")
    parser.add_argument("--checkpoint", type=Path, required=True)
    given = parser.parse_args()
    own = train(given.bot, given.rules, given.minutes, given.deals, given.checkpoint)
    gained = scores_of(given.rules, given.bot, own, COMPARED_ON, 0, given.compare)
    gained -= scores_among_its_like(given.rules, given.bot, COMPARED_ON, 0, given.compare)
    by_deal = gained.mean(axis=1)
    error = 1.96 * by_deal.std(ddof=1) / len(by_deal) ** 0.5
    print(f"{given.bot}: {by_deal.mean():+.2f} +- {error:.2f}")
    found = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    found[given.bot] = {
        "rules": given.rules, "bot": BOTS[given.bot].mark, "trained_on": TUNED_ON,
        "generations": json.loads(given.checkpoint.read_text(encoding="utf-8"))["generation"],
        "deals_a_generation": given.deals, "compared_on": COMPARED_ON, "deals": given.compare,
        "gain": round(float(by_deal.mean()), 3), "error": round(float(error), 3), "weights": own,
    }  # fmt: skip
    lines = [f" {json.dumps(name)}: {json.dumps(told)}" for name, told in found.items()]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
