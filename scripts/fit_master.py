"""Fit the weights of ``master`` by regression on what followed its choices in true deals.

    python scripts/fit_master.py collect altinstar fit/altinstar.npz --deals 33000
    python scripts/fit_master.py fit altinstar fit/altinstar.npz --zero feed --write

``collect`` plays development deals (benchmarks/seeds.json), every branch of each decision to its
end (scripts/master_branches.py), and keeps the lines in the file; the same command goes on from it.
``fit`` explains the points by the features, the mean of each decision taken off, and prints the
weights, with what they gain on decisions left out; ``--write`` puts them into
src/okey101/weights/master_tuned.py. Several files are fitted together; ``--mean`` takes the mean
with the weights that are there; ``--zero`` sets a feature's weights to nothing.

The weights of ``master/1`` were made so, by scripts that this one took the place of:

- altinstar: 33,000 deals of seed 11 (2.3 million lines), of them the weights without ``feed``;
- pagat: 8,500 deals of seed 11, the weights as they came;
- wiki: 11,000 deals of seed 11 and 9,500 of seed 12, fitted together; then the mean with what
  the deals of seed 11 alone give.

For pagat and wiki that is, after a ``collect`` of each file:

    python scripts/fit_master.py fit pagat fit/pagat.npz --write
    python scripts/fit_master.py fit wiki fit/wiki.npz fit/wiki-12.npz --write
    python scripts/fit_master.py fit wiki fit/wiki.npz --mean --write

Which of the files, ``--mean`` and ``--zero`` was shipped was decided by 4,000 other development
deals against ``greedy`` (seed 5, from deal 30,000), the least mean of each step; tune_master.py
was not used for it. The branches took 2 to 5 minutes for a file on one slow core, once compiled,
and a fit half a minute.

On the lines of then this fit gives the shipped weights of all presets to the last digit. The lines
of then, of seed 11, were played by an earlier ``master`` with weights set by hand; ``--play
first``, the default, gives today's ``master`` those weights. All of pagat, collected anew, gives
the shipped weights; of altinstar the first 2,000 deals, the only ones played again, are the same
line for line. Those of wiki (the first 600) are not: the
earlier one threw loose tiles only, where today's weighs every tile where a taken discard is fined;
97 % of the lines are the same. The lines of seed 12 were played with weights of wiki that were
soon replaced (those of the first commit of master_tuned.py give 93 % of the lines); ``--play
shipped`` plays today's. So the weights of wiki can be made anew nearly, not exactly.

The first of ``pairs`` in wiki, 107 points, is half of what one rare case among the lines of seed 12
gave (942 of 570,000 lines), and nothing that seed 11 shows.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from master_branches import CLOSED, COLUMNS, LINES_OF_DEAL, OPENED_HAND, OPENING, branch
from master_tuned import by_feature, write
from okey101.game import PRESETS
from okey101.game.dealing import seed_of
from okey101.kernel.conversion import rules_vector, seed_words
from okey101.kernel.solver import tables
from okey101.sim.arena.chunks import RANGES, Purpose
from okey101.weights.master import FEATURES, SIZE, STAGES, W, weights_of
from okey101.weights.master_tuned import TUNED

Floats = NDArray[Any]
"""float32: the shipped weights were fitted in it, and another width moves some by one."""
Lines = dict[str, NDArray[Any]]
Tuned = dict[str, tuple[int, ...]]

FIRST: Final[dict[str, tuple[int, ...]]] = {
    "lack": (60, 0, 470, 940),
    "outs": (0, 238, 229, 205),
    "tiles": (0, 1270, 700, 2430),
    "number": (-240, 250, 510, 710),
    "pairs": (-1700, -12700, -5300, 0),
    "pair_outs": (0, 100, 100, 100),
    "open_number": (1066, 774, 701, 364),
    "open_near": (103, 212, 593, 231),
    "open_melds": (765, 718, 613, 1858),
    "pairs_number": (1066, 774, 701, 364),
    "pairs_unseen": (700,),
}
"""What ``master`` played with before any fit; the others are 0."""
_BATCH: Final = 50
_SAVED: Final = 60.0
"""Seconds from one writing of the file to the next, at least."""
_RIDGE: Final = 300.0
_RIDGE_HOLD: Final = 20.0
_CLIP: Final = 150
"""What an opening held back may gain or lose at most, in points, so that few deals don't rule."""
_FOLDS: Final = 5


# --- the lines


def first_weights() -> NDArray[np.int64]:
    """FIRST as a vector."""
    found = np.zeros(SIZE, dtype=np.int64)
    for name, weights in FIRST.items():
        found[getattr(W, name) : getattr(W, name) + len(weights)] = weights
    return found


def save(path: Path, lines: Lines) -> None:
    """Write lines whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part.npz")
    np.savez(part, allow_pickle=False, **lines)
    part.replace(path)


def load(path: Path, preset: str) -> Lines:
    """The lines of a file; ends the script where they are of another preset."""
    with np.load(path, allow_pickle=False) as kept:
        lines: Lines = {name: kept[name] for name in kept.files}
    if str(lines["preset"]) != preset or tuple(lines["columns"]) != COLUMNS:
        sys.exit(f"{path} holds other lines: of {lines['preset']}")
    return lines


def collect(preset: str, path: Path, deals: int, seed: int, play: str) -> None:
    """Branch deals from 0 on until so many are in the file."""
    weights = first_weights() if play == "first" else np.array(weights_of(PRESETS[preset]))
    head: Lines = {
        "preset": np.array(preset), "columns": np.array(COLUMNS), "seed": np.array(seed),
        "weights": weights.astype(np.int64),
    }  # fmt: skip
    parts: dict[str, list[NDArray[Any]]] = {"F": [], "L": [], "G": [], "K": []}
    done = count = 0
    if path.exists():
        kept = load(path, preset)
        if int(kept["seed"]) != seed or not np.array_equal(kept["weights"], head["weights"]):
            sys.exit(f"{path} was collected with another seed or other weights")
        done, count = int(kept["deals"]), len(kept["L"])
        for name, part in parts.items():
            part.append(kept[name])
    room = _BATCH * LINES_OF_DEAL
    features = np.zeros((room, len(COLUMNS)), dtype=np.int64)
    points, groups, kinds = (np.zeros(room, dtype=np.int64) for _ in range(3))
    held, rules, root = tables(), rules_vector(preset), seed_words(seed_of(seed))
    began = saved = time.monotonic()
    before = done
    while done < deals:
        batch = min(_BATCH, deals - done)
        n = branch(
            held, rules, weights, root, done, batch, features, points, groups, kinds
        )  # fmt: skip
        parts["F"].append(features[:n].astype(np.int16))
        parts["L"].append(points[:n].astype(np.int16))
        parts["G"].append(groups[:n] + count)
        parts["K"].append(kinds[:n].astype(np.int8))
        done, count, now = done + batch, count + n, time.monotonic()
        left = (now - began) / (done - before) * (deals - done)
        print(f"{done} of {deals} deals, {count} lines, {left:.0f} s left", flush=True)
        if now - saved > _SAVED or done == deals:
            whole = {name: np.concatenate(part) for name, part in parts.items()}
            save(path, {**head, **whole, "deals": np.array(done)})
            saved = time.monotonic()


def together(files: Sequence[Lines]) -> Lines:
    """The lines of several files as one."""
    if len(files) == 1:
        return files[0]
    found = {name: np.concatenate([file[name] for file in files]) for name in ("F", "L", "K")}
    offset, groups = 0, []
    for file in files:
        groups.append(file["G"] + offset)
        offset += len(file["G"])
    return {**found, "G": np.concatenate(groups)}


# --- the regression


class Decisions:
    """The lines of one kind of decision, and what is reckoned decision by decision."""

    def __init__(self, lines: Lines, kind: int) -> None:
        chosen = lines["K"] == kind
        self.features: Floats = lines["F"][chosen].astype(np.float32)
        self.points: Floats = lines["L"][chosen].astype(np.float32)
        groups = lines["G"][chosen]
        if not len(groups):
            sys.exit("too few deals: there is no decision of a kind")
        self.start = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
        self.count = np.diff(np.r_[self.start, len(groups)])
        self.number = np.repeat(np.arange(len(self.start)), self.count)

    def column(self, name: str) -> Floats:
        """A feature of all lines."""
        found: Floats = self.features[:, COLUMNS.index(name)]
        return found

    def centred(self, x: Floats) -> Floats:
        """Values less the mean of their decision."""
        count = self.count[:, None] if x.ndim > 1 else self.count
        found: Floats = x - (np.add.reduceat(x, self.start, axis=0) / count)[self.number]
        return found

    def least(self, costs: Floats) -> NDArray[np.int64]:
        """The first line of each decision that costs least."""
        hit = np.flatnonzero(costs <= np.minimum.reduceat(costs, self.start)[self.number])
        _, first = np.unique(self.number[hit], return_index=True)
        return hit[first]

    def fit(self, x: Floats, chosen: NDArray[np.bool_] | None = None) -> Floats:
        """The weights of columns that explain the points best, by ridge regression."""
        x, y = self.centred(x), self.centred(self.points)
        if chosen is not None:
            x, y = x[chosen], y[chosen]
        return ridge(x, y, x.std(0) + 1e-6, _RIDGE)

    def gain(self, x: Floats) -> str:
        """What the fitted choice gains on decisions that were left out of the fit."""
        fold = (np.arange(len(self.start)) * 7919 % 10 % _FOLDS)[self.number]
        costs = np.zeros(len(self.points))
        for out in range(_FOLDS):
            costs[fold == out] = x[fold == out] @ self.fit(x, fold != out)
        chosen, played = self.least(costs), self.least(-self.column("played"))
        return told(self.points[played] - self.points[chosen])


def ridge(x: Floats, y: Floats, scale: Floats, weight: float) -> Floats:
    """Ridge regression with columns brought to one scale."""
    a = x / scale
    found: Floats = np.linalg.solve(a.T @ a + weight * np.eye(a.shape[1]), a.T @ y) / scale
    return found


def told(gains: Floats) -> str:
    """A mean with its interval of 95 %."""
    error = 1.96 * float(gains.std()) / max(1.0, len(gains) ** 0.5)
    return f"{float(gains.mean()):.3f} +- {error:.3f} points in each of {len(gains)}"


def by_stage(data: Decisions, x: Floats) -> list[Floats]:
    """A column for each stage of the stock."""
    stage = np.minimum(data.column("draws"), STAGES - 1)
    return [x * (stage == s) for s in range(STAGES)]


def gains_by_stage(data: Decisions, x: Floats) -> list[Floats]:
    """The same of what lowers the cost."""
    return [-part for part in by_stage(data, x)]


def feeding(data: Decisions, fine: int) -> list[Floats]:
    """The columns of ``feed`` and ``open_feed``."""
    size, how, total = (data.column(n) for n in ("next_size", "next_opened", "unseen"))
    total = np.maximum(1, total)
    ways = np.minimum(1024, data.column("ways") * size**2 * 1024 // total**2)
    alike = np.where(size > 1, data.column("alike") * size * 1024 // total, 0)
    ways = np.where(how == 2, alike, np.where((how == 1) & (size < 3), 0, ways))
    number = data.column("number")
    return [x for k in range(3) for x in (ways * (how == k), ways * (how == k) * fine * number)]


def closed_columns(data: Decisions, fine: int) -> dict[str, list[Floats]]:
    """The columns of a discard before opening, by the features of ``master``."""
    need, loose = data.column("need"), data.column("loose") > 0
    lack = np.maximum(0, need - data.column("points"))
    lacking = np.maximum(0, data.column("need_pairs") - data.column("pairs"))
    draws = data.column("draws") >= 1
    outs, gain = data.column("outs") * 1.024, data.column("gain") * 0.64 * draws
    if fine:
        outs, gain = outs * loose, gain * loose
    pair_outs = data.column("pair_outs") * 1.024 * (lacking <= 1) * draws
    twin = data.column("copies") == 2
    return {
        "lack": by_stage(data, lack),
        "outs": gains_by_stage(data, outs * draws),
        "gain": gains_by_stage(data, gain),
        "tiles": gains_by_stage(data, data.column("tiles")),
        "number": by_stage(data, data.column("number")),
        "near": by_stage(data, data.column("near")),
        "pairs": [*((lacking == k) * 1.0 for k in range(3)), np.zeros(len(lacking))],
        "pair_outs": gains_by_stage(data, pair_outs),
        "double": [twin * 1.0, twin * (lacking <= 2) * 1.0],
        "feed": feeding(data, fine),
    }


def opened_columns(data: Decisions, fine: int) -> dict[str, list[Floats]]:
    """The same of a discard after the opening."""
    paired = data.column("opened") == 2
    number = data.column("number")
    return {
        "open_number": gains_by_stage(data, number * ~paired),
        "open_near": by_stage(data, data.column("near") * ~paired),
        "open_runs": by_stage(data, data.column("runs") * ~paired),
        "open_melds": gains_by_stage(data, data.column("tiles") * ~paired),
        "pairs_number": gains_by_stage(data, number * paired),
        "pairs_unseen": [data.column("alike") * paired],
        "open_feed": feeding(data, fine),
    }


def stacked(columns: dict[str, list[Floats]]) -> Floats:
    """Columns side by side."""
    return np.stack([c for part in columns.values() for c in part], 1).astype(np.float32)


def whole(columns: dict[str, list[Floats]], weights: Floats) -> Tuned:
    """Weights in points as whole numbers, by feature: 1000ths, those of ``feed`` 64ths of that."""
    found, place = {}, 0
    for name, part in columns.items():
        unit = 64_000 if "feed" in name else 1000
        values = np.round(np.array(weights[place : place + len(part)]) * unit)
        found[name] = tuple(int(v) for v in values)
        place += len(part)
    return found


def fit_holding(data: Decisions, closed: Floats, fine: int) -> Tuned:
    """When an opening is better held back, with the discard that the other weights choose."""
    costs = stacked(closed_columns(data, fine)) @ closed
    opens = np.arange(len(data.points)) == data.start[data.number]
    chosen = data.least(costs + 1e6 * opens)
    gains = data.points[data.start] - data.points[chosen]

    def held(name: str) -> Floats:
        return data.column(name)[chosen]

    ready = held("points") >= held("need")
    x = np.stack(
        [
            np.ones(len(chosen)), held("size") - held("tiles"), np.minimum(held("draws"), 5),
            held("others"), held("okeys"), np.where(ready, 1024, held("outs") * 1.024),
        ],
        1,
    )  # fmt: skip
    by_pairs = data.column("by_pairs")[data.start] == 1
    found = {}
    for name, of_form in (("hold_melds", ~by_pairs), ("hold_pairs", by_pairs)):
        rows = of_form & (held("draws") >= 1)
        if not rows.any():
            sys.exit(f"too few deals: there is no decision for {name}")
        scale = x[rows].std(0)
        scale[0] = 1
        scale = np.maximum(scale, 1e-3)
        weights = ridge(x[rows], np.clip(gains[rows], -_CLIP, _CLIP), scale, _RIDGE_HOLD)
        holds = x[rows] @ weights > 0
        print(f"{name}: held {holds.mean():.0%}; gain, seen deals: {told(gains[rows] * holds)}")
        found[name] = tuple(int(v) for v in np.round(weights * 1000))
    return found


def fit(lines: Lines, preset: str) -> Tuned:
    """All weights of a preset."""
    fine = PRESETS[preset].taken_discard_fine
    data = Decisions(lines, CLOSED)
    columns = closed_columns(data, fine)
    x = stacked(columns)
    print(f"before opening: gain, other deals: {data.gain(x)}", flush=True)
    closed = data.fit(x)
    found = whole(columns, closed)
    data = Decisions(lines, OPENED_HAND)
    columns = opened_columns(data, fine)
    x = stacked(columns)
    print(f"after opening: gain, other deals: {data.gain(x)}", flush=True)
    found |= whole(columns, data.fit(x))
    found |= fit_holding(Decisions(lines, OPENING), closed, fine)
    return {name: found[name] for name in FEATURES._fields}


def mean_with(preset: str, tuned: Tuned) -> Tuned:
    """The mean with the weights that are there, rounded down."""
    pairs = zip(weights_of(PRESETS[preset]), (w for v in tuned.values() for w in v), strict=True)
    return by_feature([(a + b) // 2 for a, b in pairs])


def main() -> None:
    """Collect lines or fit weights to them."""
    development = RANGES[Purpose.DEVELOPMENT]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("collect", help="play branches and keep what followed")
    one.add_argument("preset", choices=list(TUNED))
    one.add_argument("file", type=Path, help="a file .npz; it is gone on from where it is")
    one.add_argument("--deals", type=int, default=33_000, help="deals in the file at the end")
    one.add_argument("--seed", type=int, default=11, help="a development seed")
    one.add_argument("--play", choices=["first", "shipped"], default="first", help="with weights")
    two = commands.add_parser("fit", help="fit weights to lines")
    two.add_argument("preset", choices=list(TUNED))
    two.add_argument("files", type=Path, nargs="+")
    two.add_argument("--zero", nargs="*", default=[], choices=FEATURES._fields, metavar="FEATURE")
    two.add_argument("--mean", action="store_true", help="the mean with the weights there are")
    two.add_argument("--write", action="store_true", help="write master_tuned.py")
    given = parser.parse_args()
    if given.command == "collect":
        if given.seed not in development or given.deals < 1:
            parser.error(f"--seed: from {development[0]} to {development[-1]}; --deals: from 1")
        collect(given.preset, given.file, given.deals, given.seed, given.play)
        return
    tuned = fit(together([load(path, given.preset) for path in given.files]), given.preset)
    tuned |= {name: (0,) * getattr(FEATURES, name) for name in given.zero}
    if given.mean:
        tuned = mean_with(given.preset, tuned)
    for name, weights in tuned.items():
        same = weights == TUNED[given.preset][name]
        print(f"{name}: {weights}{'' if same else f', was {TUNED[given.preset][name]}'}")
    if given.write:
        write({**TUNED, given.preset: tuned})


if __name__ == "__main__":
    main()
