"""Learn ``champion``'s beliefs from the positions that scripts/beliefs_data.py kept.

    python scripts/train_beliefs.py altinstar beliefs/altinstar.npz

fits them on a processor in a few minutes and writes them, in whole numbers, to
src/okey101/weights/champion.bin, and what they tell to benchmarks/beliefs.json. It needs JAX
(``uv sync --group train``).

What is learned tells the true world from one in which two tiles have changed their places: how much
likelier it is are log-odds, of each tile by a network, and of each hand by what kind it is. That
likelihood hangs on no world but these two, so that it needs not be summed over all, and it is what
each step of the walk to likely worlds asks (okey101/kernel/worlds.py). Told is the mean negative
log-likelihood of an exchange in positions left out, in nats; who knows nothing has 0.693.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from okey101.kernel import beliefs as B
from okey101.kernel.beliefs import FACTS, TILES
from okey101.kernel.deals import GRADES
from okey101.weights.neural import HAND_ODDS, TILE_INPUTS, TILE_NET
from train_neural import PRESETS, VALUES

TOLD: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "beliefs.json"
_HELD_OUT: Final = 8
"""One of so many groups of four deals is kept for the test."""
_BATCH: Final = 256
_RATE: Final = 2e-3
_ODDS_RATE: Final = 2e-2
"""The same for the log-odds of hands, which are single numbers."""


def load(path: Path) -> dict[str, Any]:
    """The positions of a file."""
    with np.load(path, allow_pickle=False) as kept:
        exchanges = kept["exchanges"].astype(np.int32)
        facts = kept["facts"].astype(np.int32)
        n = len(facts)
        places = np.stack([exchanges[..., 0], exchanges[..., 2]], axis=2)
        hands = np.full((n, 4, FACTS), -1, dtype=np.int32)
        hands[:, :3] = facts[:, 0].reshape(n, 3, FACTS)
        before = hands[np.arange(n)[:, None, None], places]
        after = facts[:, 1:, : 2 * FACTS].reshape(n, -1, 2, FACTS)
        return {
            "inputs": kept["inputs"], "exchanges": exchanges, "deal": kept["deal"],
            "before": before % HAND_ODDS, "after": after % HAND_ODDS,  # the last is 0, as the stock
        }  # fmt: skip


def by_last_discard(data: dict[str, Any]) -> float:
    """The same figure for what ``search`` knows: what each seat threw last, and did not lay."""
    odds = np.zeros(HAND_ODDS)
    whole = 64
    for rank in range(B.RANKS):
        at = [B.AT_RANK, B.AT_OPENED, B.AT_OPENED + B.RANKS]
        odds[np.array(at) + rank] = np.log(GRADES[rank] / whole)
    opens, keeps, melded = np.log(np.array(GRADES[B.RANKS :]) / whole)
    odds[B.REACHED - 1 : B.AT_PAIRS : B.REACHED] = opens
    odds[B.AT_PAIRS : B.AT_RANK : B.PAIRED] = opens
    for by in range(2):
        kinds = np.arange(B.MOST_KEPT)
        odds[B.AT_KEPT + B.MOST_KEPT * by + kinds] = keeps * kinds
        odds[B.AT_MELDED + B.MOST_KEPT * by + kinds[1:]] = melded
    left = held_out(data)
    by = (odds[data["before"][left]] - odds[data["after"][left]]).sum((2, 3))
    return float(np.logaddexp(0, -by).mean())


def held_out(data: dict[str, Any]) -> Any:
    """Which positions are kept for the test."""
    return data["deal"] // 4 % _HELD_OUT == _HELD_OUT - 1


def begin(data: dict[str, Any], seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Weights to begin with, and how inputs are scaled."""
    rng = np.random.default_rng(seed)
    first, second = TILE_NET
    some = data["inputs"][::10].reshape(-1, TILE_INPUTS).astype(np.float32)
    weights = {
        "first": rng.normal(0, TILE_INPUTS**-0.5, (TILE_INPUTS, first)), "bias": np.zeros(first),
        "second": rng.normal(0, first**-0.5, (first, second)), "second_bias": np.zeros(second),
        "last": np.zeros(second), "hands": np.zeros(HAND_ODDS),
    }  # fmt: skip
    return {k: v.astype(np.float32) for k, v in weights.items()}, {
        "mean": some.mean(0), "scale": some.std(0) + 0.05,
    }  # fmt: skip


def odds(w: Any, scale: dict[str, Any], part: dict[str, Any]) -> Any:
    """The log-odds of the true world over each one with an exchange: [positions, exchanges]."""
    import jax.numpy as jnp

    x = (part["inputs"].astype(jnp.float32) - scale["mean"]) / scale["scale"]
    inner = jnp.maximum(0, x @ w["first"] + w["bias"])
    tiles = jnp.maximum(0, inner @ w["second"] + w["second_bias"]) @ w["last"]
    tiles = jnp.pad(tiles, ((0, 0), (0, 1), (0, 0))).reshape(len(x), -1)
    place, mine, elsewhere, theirs = jnp.moveaxis(part["exchanges"], 2, 0)

    def at(where: Any, tile: Any) -> Any:
        return jnp.take_along_axis(tiles, TILES * where + tile, axis=1)

    by_tile = at(place, mine) + at(elsewhere, theirs) - at(place, theirs) - at(elsewhere, mine)
    hands = w["hands"].at[-1].set(0)
    return by_tile + (hands[part["before"]] - hands[part["after"]]).sum((2, 3))


def train(data: dict[str, Any], given: argparse.Namespace) -> tuple[dict[str, Any], float]:
    """The weights after all passes, their scale undone, and what they tell of what was left out."""
    import jax
    import jax.numpy as jnp

    weights, scale = begin(data, given.seed)
    test = held_out(data)
    rows, left = np.flatnonzero(~test), np.flatnonzero(test)
    steps = given.epochs * (len(rows) // _BATCH)
    names = "inputs", "exchanges", "before", "after"

    def loss(w: Any, part: dict[str, Any]) -> Any:
        return jax.nn.softplus(-odds(w, scale, part)).mean()

    def step(w: Any, m: Any, v: Any, n: Any, part: dict[str, Any]) -> tuple[Any, Any, Any]:
        slope = jax.grad(loss)(w, part)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, slope)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, slope)
        slower = 0.5 * (1 + jnp.cos(jnp.pi * n / steps)) + 1e-3
        down, up = 1 - 0.9**n, 1 - 0.999**n

        def moved(name: str) -> Any:
            rate = slower * (_ODDS_RATE if name == "hands" else _RATE)
            return w[name] - rate * m[name] / down / (jnp.sqrt(v[name] / up) + 1e-8)

        return {name: moved(name) for name in w}, m, v

    move, told = jax.jit(step), jax.jit(loss)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    w, m, v, n, begun = weights, zeros, zeros, 0, time.monotonic()
    missed = 0.0
    for epoch in range(given.epochs):
        order = np.random.default_rng((given.seed, epoch)).permutation(rows)
        for at in range(0, len(rows) - _BATCH + 1, _BATCH):
            n += 1
            part = {name: data[name][order[at : at + _BATCH]] for name in names}
            w, m, v = move(w, m, v, float(n), part)
        parts = [left[at : at + _BATCH] for at in range(0, len(left), _BATCH)]
        losses = [float(told(w, {k: data[k][p] for k in names})) * len(p) for p in parts]
        missed = sum(losses) / len(left)
        spent = time.monotonic() - begun
        print(f"pass {epoch + 1}: {missed:.4f} nats an exchange, {spent:.0f} s", flush=True)
    return unscaled(w, scale), missed


def unscaled(w: dict[str, Any], scale: dict[str, Any]) -> dict[str, Any]:
    """The same weights for inputs as they are."""
    found = {name: np.array(part, dtype=np.float64) for name, part in w.items()}
    found["first"] /= scale["scale"][:, None]
    found["bias"] -= scale["mean"] @ found["first"]
    return found


def whole(w: dict[str, Any]) -> Any:
    """Beliefs in whole numbers, in the order of okey101.weights.neural.beliefs_of: int64."""
    parts = (
        w["hands"][:-1] * 64, [0], w["first"] * 2**16, w["bias"] * 2**16,
        w["second"] * 2**12, w["second_bias"] * 2**22, w["last"] * 2**12,
    )  # fmt: skip
    found = np.concatenate([np.round(part).astype(np.int64).ravel() for part in parts])
    assert np.abs(found).max() < 2**31, "a weight does not fit"
    return found


def main() -> int:
    """Learn, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", choices=PRESETS)
    parser.add_argument("path", type=Path)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not given.path.exists():
        sys.exit(f"{given.path} is missing: scripts/beliefs_data.py plays it")
    data = load(given.path)
    weights, missed = train(data, given)
    all_of_them = np.frombuffer(zlib.decompress(VALUES.read_bytes()), "<i4")
    all_of_them = all_of_them.reshape(len(PRESETS), -1).copy()
    found = whole(weights)
    all_of_them[PRESETS.index(given.preset), -len(found) :] = found
    VALUES.write_bytes(zlib.compress(all_of_them.tobytes(), 9))
    told = json.loads(TOLD.read_text(encoding="utf-8")) if TOLD.exists() else {}
    told[given.preset] = {
        "deals": len(np.unique(data["deal"])), "positions": len(data["deal"]),
        "exchanges": data["exchanges"].shape[1], "last": round(by_last_discard(data), 4),
        "nats": round(missed, 4),
    }  # fmt: skip
    TOLD.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
