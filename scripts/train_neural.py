"""Train the networks of ``neural`` on the decisions that scripts/neural_data.py kept.

    python scripts/train_neural.py fit altinstar neural/altinstar-1 neural/altinstar-2
    python scripts/train_neural.py write [--presets altinstar]
    python scripts/train_neural.py fit altinstar neural/altinstar-1 neural/altinstar-2 --value
    python scripts/train_neural.py write --value
    python scripts/train_neural.py fit altinstar neural/altinstar-1 --share 0.25
    python scripts/train_neural.py curves

``fit`` trains the networks of a preset, one for before the opening and one for after it, and two
more for whether to take the discard, and
keeps checkpoints in a folder (``neural/nets``); the same command goes on where it stopped, and a
fit that is done tells its gains again. It needs JAX (``uv sync --group train``), on a processor or
whatever device JAX finds. ``write`` puts the networks, in whole numbers, into
src/okey101/weights/neural.bin, and what they were trained on and gain into
benchmarks/neural_training.json; presets that are not named stay as they are there.

A network foretells what a choice will cost more than the other choices of its decision. What is
told at the end: the points that the network's choice gained over the one that was played, in
decisions that it was not trained on. With ``--value`` it foretells the points of the deal
themselves, for the playouts of ``champion`` (src/okey101/weights/champion.bin), and how far it is
off is told. ``curves`` keeps what each network gained pass by pass, and what it gained with shares
of the deals, in benchmarks/neural_learning.json, for the presets that it finds networks of.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from okey101.weights.neural import (
    CHOICE_SIZE,
    CHOICES,
    NARROW,
    POSITION_SIZE,
    WIDE,
    C,
    Shape,
)

ROOT: Final = Path(__file__).resolve().parents[1]
WEIGHTS: Final = ROOT / "src" / "okey101" / "weights" / "neural.bin"
VALUES: Final = WEIGHTS.with_name("champion.bin")
TOLD: Final = ROOT / "benchmarks" / "neural_training.json"
LEARNED: Final = ROOT / "benchmarks" / "neural_learning.json"
PRESETS: Final = ("altinstar", "pagat", "wiki")
STAGES: Final = ("closed", "opened", "closed-taking", "opened-taking")
VALUED: Final = STAGES[:2]
"""Those of which the value is foretold."""
_CLIP: Final = 200.0
"""What a choice may cost more or less than the mean of its decision, in points, so that few deals
don't rule."""
_MOST: Final = 600.0
"""The same for what the points themselves are off their mean."""
_SAVED: Final = 60.0
"""Seconds from one checkpoint to the next."""
_HELD_OUT: Final = 8
"""One of so many groups of deals is kept for the test."""
_MEAN_OF: Final = 0.999
"""How much of the running mean of the weights stays at each step: that mean is what is kept."""
_UNITS: Final = (16, 6, 12, 10, 10)
"""Powers of two: of a unit of the first sums, what is shifted off, of the second layer's weights,
of its outputs (what is shifted off is 12), of the last layer's."""


# --- the decisions


def load(folders: list[Path], preset: str, stage: int) -> dict[str, Any]:
    """The decisions of folders that one network is asked about, as arrays."""
    parts: dict[str, list[Any]] = {name: [] for name in ("p", "c", "y", "n", "played", "deal")}
    for order, folder in enumerate(folders):
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        if preset not in ("all", manifest["preset"]):
            sys.exit(f"{folder} is of {manifest['preset']}")
        for path in sorted(folder.glob("???????.npz")):
            with np.load(path, allow_pickle=False) as kept:
                facts = kept["facts"]
                chosen = facts[:, 2] == stage
                parts["p"].append(kept["positions"][chosen])
                parts["c"].append(kept["choices"][chosen])
                points = kept["points"][chosen].astype(np.float32).mean(2)
                parts["y"].append(points / max(1, manifest.get("worlds", 0) // 2))
            parts["n"].append(facts[chosen, 0])
            parts["played"].append(facts[chosen, 1])
            parts["deal"].append(facts[chosen, 3] + (order << 24))
    if not parts["p"]:
        sys.exit(f"there is nothing in {', '.join(map(str, folders))}")
    found = {name: np.concatenate(part) for name, part in parts.items()}
    found["mask"] = np.arange(CHOICES) < found["n"][:, None]
    found["test"] = (found["deal"] >> 4) % _HELD_OUT == _HELD_OUT - 1
    if not 0 < found["test"].sum() < len(found["test"]):
        sys.exit("there are too few deals to keep some for the test")
    return found


def gain(data: dict[str, Any], costs: Any) -> tuple[float, float]:
    """Points that the cheapest choice gained over the one played, and half of its interval."""
    chosen = np.where(data["mask"], costs, np.inf).argmin(1)
    rows = np.arange(len(chosen))
    gained = data["y"][rows, data["played"]] - data["y"][rows, chosen]
    return float(gained.mean()), 1.96 * float(gained.std()) / math.sqrt(len(gained))


# --- the network


def begin(data: dict[str, Any], seed: int, shape: Shape) -> dict[str, Any]:
    """Weights to begin with: what ``master`` foretells, and noise on the way to nothing."""
    rng = np.random.default_rng(seed)
    p, c, mask = data["p"], data["c"], data["mask"]
    seen = c[mask]
    fan, (first, second) = POSITION_SIZE + CHOICE_SIZE, shape
    scale = {
        "p_mean": p.mean(0), "p_scale": p.std(0) + 0.05,
        "c_mean": seen.mean(0), "c_scale": seen.std(0) + 0.05,
    }  # fmt: skip
    weights = {
        "position": rng.normal(0, fan**-0.5, (POSITION_SIZE, first)),
        "choice": rng.normal(0, fan**-0.5, (CHOICE_SIZE, first)),
        "bias": np.zeros(first),
        "second": rng.normal(0, (2 / first) ** 0.5, (second, first)),
        "second_bias": np.zeros(second),
        "last": rng.normal(0, 0.1, second),
        "linear": np.zeros(CHOICE_SIZE),
    }
    weights["linear"][C.cost] = 0.05 * scale["c_scale"][C.cost]
    as_float = {name: value.astype(np.float32) for name, value in weights.items()}
    return {
        "weights": as_float,
        "scale": {k: v.astype(np.float32) for k, v in scale.items()},
        "offset": {"points": np.round(data["y"][mask].mean())},
    }


def train(
    data: dict[str, Any], state: dict[str, Any], kept: Path, given: argparse.Namespace
) -> dict[str, Any]:
    """Go on from a state until all steps are done."""
    import jax
    import jax.numpy as jnp

    rows = np.flatnonzero(~data["test"])
    if given.share < 1:  # of the deals, not of the decisions, which hang together in a deal
        deals = np.unique(data["deal"][rows])
        few = np.random.default_rng(given.seed).permutation(deals)[
            : math.ceil(given.share * len(deals))
        ]
        rows = rows[np.isin(data["deal"][rows], few)]
    batch = min(given.batch, len(rows))
    steps = max(1, given.epochs * len(rows) // batch)
    scale = state["scale"]
    y = np.where(data["mask"], data["y"], 0)
    mean = y.sum(1, keepdims=True) / data["n"][:, None]
    if given.value:
        mean = np.full_like(mean, state["offset"]["points"])
    clip = _MOST if given.value else _CLIP
    target = np.clip(np.where(data["mask"], y - mean, 0), -clip, clip).astype(np.float32)

    def costs(w: Any, p: Any, c: Any) -> Any:
        first = jnp.maximum(0, (p @ w["position"])[:, None] + c @ w["choice"] + w["bias"])
        second = jnp.maximum(0, first @ w["second"].T + w["second_bias"])
        return second @ w["last"] + c @ w["linear"]

    def loss(w: Any, p: Any, c: Any, t: Any, mask: Any) -> Any:
        p = (p - scale["p_mean"]) / scale["p_scale"]
        c = (c - scale["c_mean"]) / scale["c_scale"]
        found = jnp.where(mask, costs(w, p, c), 0)
        count = mask.sum(1, keepdims=True)
        centred = jnp.where(mask, found - found.sum(1, keepdims=True) / count, 0)
        if given.value:
            same = jnp.where(mask, t - t.sum(1, keepdims=True) / count, 0)
            return (((found - t) ** 2).sum() + ((centred - same) ** 2).sum()) / mask.sum()
        square = ((centred - t) ** 2).sum() / mask.sum()
        if not given.sharp:
            return square
        chance = jax.nn.softmax(jnp.where(mask, -found / given.sharp, -1e9), axis=1)
        return square * given.square + (chance * t).sum(1).mean()

    def step(s: Any, p: Any, c: Any, t: Any, mask: Any, rate: Any) -> Any:
        value, slope = jax.value_and_grad(loss)(s["w"], p, c, t, mask)
        n = s["n"] + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, s["m"], slope)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, s["v"], slope)
        down, up = 1 - 0.9**n, 1 - 0.999**n

        def moved(w: Any, m: Any, v: Any) -> Any:
            return w - rate * (m / down / (jnp.sqrt(v / up) + 1e-8) + given.decay * w)

        w = jax.tree.map(moved, s["w"], m, v)
        keep = jnp.minimum(_MEAN_OF, n / (n + 10.0))
        mean = jax.tree.map(lambda a, b: keep * a + (1 - keep) * b, s["mean"], w)
        return {"w": w, "m": m, "v": v, "n": n, "mean": mean}, value

    move = jax.jit(step, donate_argnums=0)
    now = state.get("now")
    if now is None:
        zeros = jax.tree.map(np.zeros_like, state["weights"])
        now = {"w": state["weights"], "m": zeros, "v": zeros, "n": np.float32(0),
               "mean": state["weights"]}  # fmt: skip
        now = jax.tree.map(jnp.array, now)
    begun = saved = time.monotonic()
    done, lost, first = int(now["n"]), 0.0, int(now["n"])
    curve = [*map(list, state.get("curve", {}).get("passes", []))]
    order = np.arange(0)
    while done < steps:
        place = done * batch % len(rows) // batch
        if place == 0 or not len(order):
            epoch = done * batch // len(rows)
            order = np.random.default_rng((given.seed, epoch)).permutation(rows)
        at = order[place * batch : (place + 1) * batch]
        if len(at) < batch:
            at = order[:batch]
        rate = given.rate * 0.5 * (1 + math.cos(math.pi * done / steps)) + 1e-6
        now, value = move(
            now, data["p"][at].astype(np.float32), data["c"][at].astype(np.float32), target[at],
            data["mask"][at], np.float32(rate),
        )  # fmt: skip
        done += 1
        lost += (float(value) - lost) / min(200, done - first)
        passed = done * batch // len(rows) > (done - 1) * batch // len(rows) or done == steps
        if passed or time.monotonic() - saved > _SAVED:
            saved = time.monotonic()
            found = {"weights": {k: np.array(v) for k, v in now["mean"].items()}, "scale": scale}
            found["offset"] = state["offset"]
            left = (saved - begun) / (done - first) * (steps - done)
            gained, error, told = gain_of(data, found)
            if passed:
                curve.append([done * batch / len(rows), gained, error])
            found["curve"] = {"passes": np.array(curve).reshape(-1, 3)}
            print(f"step {done} of {steps}, loss {lost:.2f}, {left:.0f} s left; {told}", flush=True)
            save(kept, {**found, "now": jax.tree.map(np.array, now)}, done == steps)
    return load_state(kept)


def gain_of(data: dict[str, Any], state: dict[str, Any]) -> tuple[float, float, str]:
    """What a network gains on the decisions kept for the test, half of its interval, and words."""
    test = {name: part[data["test"]] for name, part in data.items()}
    costs = whole_costs(test, whole(state), shape_of(state))
    mean, error = gain(test, costs)
    missed, spread = missed_by(test, costs, state)
    return (
        mean,
        error,
        (
            f"{mean:.3f} +- {error:.3f} points in each of {len(test['n'])} left out; "
            f"missed by {missed:.1f} where points spread by {spread:.1f}"
        ),
    )


def missed_by(data: dict[str, Any], costs: Any, state: dict[str, Any]) -> tuple[float, float]:
    """How far points lie from what a network of the value foretold, and how far from their mean.

    Both are standard deviations, in points, the first about nothing.
    """
    mask = data["mask"]
    apart = (costs / 2.0**20 + offset_of(state) - data["y"])[mask]
    return float((apart**2).mean() ** 0.5), float(data["y"][mask].std())


def offset_of(state: dict[str, Any]) -> int:
    """The points that a network of the value counts from.

    It was trained on inputs less their mean, and is asked with the inputs themselves.
    """
    straight = state["weights"]["linear"] / state["scale"]["c_scale"]
    return round(float(state["offset"]["points"] - state["scale"]["c_mean"] @ straight))


def save(path: Path, state: dict[str, Any], done: bool) -> None:
    """Keep a state, whole or not at all."""
    flat: dict[str, Any] = {"done": np.array(done)}
    for name, part in state.items():
        for key, value in part.items():
            if isinstance(value, dict):
                flat.update({f"{name}/{key}/{k}": v for k, v in value.items()})
            else:
                flat[f"{name}/{key}"] = np.asarray(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    part_path = path.with_suffix(".part.npz")
    np.savez(part_path, allow_pickle=False, **flat)
    part_path.replace(path)


def load_state(path: Path) -> dict[str, Any]:
    """A state that was kept."""
    found: dict[str, Any] = {}
    with np.load(path, allow_pickle=False) as kept:
        for name in kept.files:
            *way, last = name.split("/")
            part = found
            for key in way:
                part = part.setdefault(key, {})
            part[last] = kept[name]
    return found


# --- whole numbers


def shape_of(state: dict[str, Any]) -> Shape:
    """How large a network is that was trained."""
    return Shape(len(state["weights"]["bias"]), len(state["weights"]["last"]))


def parts_of(net: Any, shape: Shape) -> list[Any]:
    """The parts of a network in whole numbers, in their order."""
    first, second = shape
    sizes = POSITION_SIZE * first, CHOICE_SIZE * first, first, second * first, second, second
    return np.split(net, np.cumsum(sizes))


def whole(state: dict[str, Any]) -> Any:
    """A network in whole numbers, in the order of okey101.weights.neural.Shape: int64[size]."""
    w = {name: value.astype(np.float64) for name, value in state["weights"].items()}
    s = {name: value.astype(np.float64) for name, value in state["scale"].items()}
    position = w["position"] / s["p_scale"][:, None]
    choice = w["choice"] / s["c_scale"][:, None]
    bias = w["bias"] - s["p_mean"] @ position - s["c_mean"] @ choice
    linear = w["linear"] / s["c_scale"]
    first, off, second, _, last = (2.0**power for power in _UNITS)
    parts = (
        position * first, choice * first, bias * first,
        w["second"] * second, w["second_bias"] * first / off * second,
        w["last"] * last, linear * 2.0**20,
    )  # fmt: skip
    found = np.concatenate([np.round(part).astype(np.int64).ravel() for part in parts])
    assert found.shape == (shape_of(state).size,)
    assert np.abs(found).max() < 2**31, "a weight does not fit"
    return found


def whole_costs(data: dict[str, Any], net: Any, shape: Shape) -> Any:
    """What a network in whole numbers has the choices cost, as the bot reckons."""
    position, choice, bias, second, second_bias, last, linear = parts_of(net, shape)
    first = shape.first
    # Float64 holds these sums exactly, and is many times faster.
    position, choice, second, linear = (x.astype(float) for x in (position, choice, second, linear))
    found = np.zeros(data["mask"].shape)
    for at in range(0, len(found), 4096):
        part = slice(at, at + 4096)
        base = data["p"][part].astype(float) @ position.reshape(-1, first)
        c = data["c"][part].astype(float)
        h = base[:, None] + c @ choice.reshape(-1, first) + bias
        h = np.floor(np.maximum(0, h) / 2**6)
        h = h @ second.reshape(-1, first).T + second_bias
        found[part] = np.floor(np.maximum(0, h) / 2**12) @ last + c @ linear
    return found


# --- what the command line says


def fit(given: argparse.Namespace) -> int:
    """Train, or tell what was trained."""
    for number, stage in enumerate(VALUED if given.value else STAGES):
        if given.stage not in (stage, "all"):
            continue
        part = "" if given.share == 1 else f"-{given.share:g}"
        kept = given.nets / f"{given.preset}-{stage}{'-value' if given.value else ''}{part}.npz"
        data = load(given.folders, given.preset, number)
        test = data["test"]
        print(f"{given.preset} {stage}: {len(test)} decisions, {int(test.sum())} left out")
        state = (
            load_state(kept)
            if kept.exists()
            else begin(data, given.seed, NARROW if given.value else WIDE)
        )
        if given.begin and not kept.exists():
            state = load_state(given.nets / f"{given.begin}-{stage}.npz")
            state = {name: state[name] for name in ("weights", "scale", "offset")}
        if not state.get("done", False):
            state = train(data, state, kept, given)
        left_out = {name: part[test] for name, part in data.items()}
        costs = whole_costs(left_out, whole(state), shape_of(state))
        facts: dict[str, object] = {"deals": len(np.unique(data["deal"])), "decisions": len(test)}
        if given.value:
            missed, spread = missed_by(left_out, costs, state)
            facts |= {"missed": round(missed, 1), "spread": round(spread, 1)}
        else:
            mean, error = gain(left_out, costs)
            facts |= {"gain": round(mean, 3), "error": round(error, 3)}
            curve = state.get("curve", {}).get("passes", np.zeros((0, 3)))
            facts["curve"] = [[round(float(part), 3) for part in point] for point in curve]
        print(f"{given.preset} {stage}: {facts}", flush=True)
        kept.with_suffix(".json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return 0


def write(given: argparse.Namespace) -> int:
    """Put the networks of presets into the package, and tell of them; the others stay."""
    told = json.loads(TOLD.read_text(encoding="utf-8"))
    part, stages = ("-value", VALUED) if given.value else ("", STAGES)
    path = VALUES if given.value else WEIGHTS
    before = zlib.decompress(path.read_bytes())
    weights = np.frombuffer(before, "<i4").reshape(len(PRESETS), -1).copy()
    for preset in given.presets:
        kept = [given.nets / f"{preset}-{stage}{part}.npz" for stage in stages]
        states = [load_state(one) for one in kept]
        found = [whole(state) for state in states]
        if given.value:
            found.append(np.array([offset_of(state) for state in states]))
        together = np.concatenate(found)
        weights[PRESETS.index(preset), : len(together)] = together
        facts = [json.loads(o.with_suffix(".json").read_text(encoding="utf-8")) for o in kept]
        told["values" if given.value else "networks"][preset] = {
            stage: {name: fact for name, fact in one.items() if name != "curve"}
            for stage, one in zip(stages, facts, strict=True)
        }
    path.write_bytes(zlib.compress(weights.tobytes(), 9))
    TOLD.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def share(text: str) -> float:
    """A share of the deals: more than nothing, at most all."""
    found = float(text)
    if not 0 < found <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no share: above 0, and at most 1")
    return found


def curves(given: argparse.Namespace) -> int:
    """Keep what networks gained pass by pass, and with shares of the deals."""
    kept: dict[str, Any] = json.loads(LEARNED.read_text(encoding="utf-8"))
    found = kept["networks"]
    for preset in PRESETS:
        for stage in STAGES:
            name = f"{preset}-{stage}"
            if not (given.nets / f"{name}.json").exists():
                continue
            told = json.loads((given.nets / f"{name}.json").read_text(encoding="utf-8"))
            shares = {
                path.stem.removeprefix(f"{name}-"): json.loads(path.read_text(encoding="utf-8"))
                for path in sorted(given.nets.glob(f"{name}-0.*.json"))
            }
            parts = {share: [part["gain"], part["error"]] for share, part in shares.items()}
            parts["1"] = [told["gain"], told["error"]]
            found[name] = {**{k: told[k] for k in ("decisions", "curve")}, "shares": parts}
    LEARNED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nets", type=Path, default=Path("neural/nets"))
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("fit")
    command.add_argument("preset", choices=[*PRESETS, "all"])
    command.add_argument("folders", type=Path, nargs="+")
    command.add_argument("--stage", choices=[*STAGES, "all"], default="all")
    command.add_argument(
        "--begin", help="with whose networks to begin: those of a preset, or of all"
    )
    command.add_argument("--epochs", type=int, default=12)
    command.add_argument("--batch", type=int, default=512)
    command.add_argument("--rate", type=float, default=1e-3)
    command.add_argument("--decay", type=float, default=5e-2)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--value", action="store_true", help="foretell the points themselves")
    command.add_argument("--share", type=share, default=1.0, help="of the deals, to train on")
    command.add_argument("--sharp", type=float, default=0.0, help="points; also train the choice")
    command.add_argument("--square", type=float, default=0.02)
    command.set_defaults(run=fit)
    command = commands.add_parser("write")
    command.add_argument("--value", action="store_true", help="those of the value")
    command.add_argument("--presets", nargs="+", choices=PRESETS, default=PRESETS)
    command.set_defaults(run=write)
    command = commands.add_parser("curves")
    command.set_defaults(run=curves)
    given = parser.parse_args()
    return int(given.run(given))


if __name__ == "__main__":
    raise SystemExit(main())
