"""Learn to beat `random` by self-play, in minutes: PPO with NumPy alone.

    python ppo.py --minutes 8 --out curve.csv --save ppo.npz
    okey101 evaluate ppo:LearntBot --deals 20

One small network plays all seats. It scores only the actions that are legal: the score of a number
is what the network makes of the seat's observation, times what it has learned about that number and
about its kind (a discard, a run, ...). A line is printed, and written to the CSV, for each
measurement: how many points a deal one seat of the learner is better than three random ones.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from okey101 import Action, View
from okey101.envs import OkeyVectorEnv
from okey101.envs.actions import N_ACTIONS, meaning, numbered
from okey101.envs.observations import OBSERVATION_SIZE, Observer
from okey101.game.options import Options

HIDDEN = 96
POINTS = 100.0  # a reward of so many points is 1
CLIP, TRACE, ENTROPY, VALUE = 0.2, 0.95, 0.01, 0.5
KINDS = ("draw", "take", "return", "announce", "pass", "indicator", "open", "openpairs", "discard",
         "layrun", "layset", "swap", "meldrun", "meldset", "meldpair")  # fmt: skip


def kind_of(number: int) -> int:
    """The kind of an action."""
    words = meaning(number).split()
    if words[0] in ("lay", "swap", "nothing"):
        word = "swap" if words[0] == "swap" else "layset" if "set" in words else "layrun"
    elif words[0] == "meld":
        letters = {piece.strip("*0123456789") for piece in words[1:]} - {""}
        same = len(words) == 3
        word = "meldpair" if same else "meldrun" if len(letters) == 1 else "meldset"
    else:
        word = "openpairs" if words[-1] == "pairs" else words[0]
    return KINDS.index(word)


class Adam:
    """Steps of gradient descent, each parameter at its own pace."""

    def __init__(self, parameters: list[np.ndarray], rate: float) -> None:
        self.parameters, self.rate, self.steps = parameters, rate, 0
        self.means = [np.zeros_like(p) for p in parameters]
        self.squares = [np.zeros_like(p) for p in parameters]

    def step(self, gradients: list[np.ndarray]) -> None:
        norm = np.sqrt(sum(float((g * g).sum()) for g in gradients))
        shrink = min(1.0, 0.5 / (norm + 1e-8))
        self.steps += 1
        rate = self.rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for p, g, m, s in zip(self.parameters, gradients, self.means, self.squares, strict=True):
            m += 0.1 * (g * shrink - m)
            s += 0.001 * ((g * shrink) ** 2 - s)
            p -= rate * m / (np.sqrt(s) + 1e-8)


class Network:
    """Observation to a hidden layer, from there to scores of legal actions and to a value."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.kinds = np.array([kind_of(number) for number in range(N_ACTIONS)])
        size = (OBSERVATION_SIZE, HIDDEN)
        self.w = (rng.standard_normal(size) / np.sqrt(40)).astype(np.float32)
        self.b = np.zeros(HIDDEN, np.float32)
        self.own = np.zeros((N_ACTIONS, HIDDEN), np.float32)
        self.shared = np.zeros((len(KINDS), HIDDEN), np.float32)
        self.base = np.zeros(len(KINDS), np.float32)
        self.v = np.zeros(HIDDEN, np.float32)
        self.vb = np.zeros(1, np.float32)
        self.parameters = [self.w, self.b, self.own, self.shared, self.base, self.v, self.vb]

    def forward(self, seen: np.ndarray, legal: np.ndarray, starts: np.ndarray) -> Any:
        """Hidden layer, logarithms of the probabilities of all legal actions, values."""
        hidden = np.tanh(seen @ self.w + self.b)
        counts = np.diff(starts)
        owner = np.repeat(np.arange(len(counts)), counts)
        kinds = self.kinds[legal]
        scores = np.einsum("ij,ij->i", hidden[owner], self.own[legal] + self.shared[kinds])
        scores += self.base[kinds]
        scores -= np.maximum.reduceat(scores, starts[:-1])[owner]
        scores -= np.log(np.add.reduceat(np.exp(scores), starts[:-1]))[owner]
        return hidden, owner, scores, hidden @ self.v + self.vb[0]

    def gradients(self, part: Part, chosen: np.ndarray) -> list[np.ndarray]:
        """What moves the parameters down PPO's loss on these decisions."""
        seen, legal, starts = part.seen, part.legal, part.starts
        hidden, owner, logs, values = self.forward(seen, legal, starts)
        n = len(seen)
        ratio = np.exp(logs[chosen] - part.old)
        gain = part.advantage
        unclipped = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        push = np.where(unclipped, -gain * ratio, 0) / n
        chances = np.exp(logs)
        entropy = -np.add.reduceat(chances * logs, starts[:-1])
        d_score = -push[owner] * chances
        d_score[chosen] += push
        d_score += ENTROPY / n * chances * (logs + entropy[owner])
        d_value = VALUE * (values - part.target) / n
        kinds = self.kinds[legal]
        weights = self.own[legal] + self.shared[kinds]
        d_hidden = np.add.reduceat(d_score[:, None] * weights, starts[:-1])
        d_hidden += d_value[:, None] * self.v
        d_own, d_shared = np.zeros_like(self.own), np.zeros_like(self.shared)
        spread = d_score[:, None] * hidden[owner]
        order = np.argsort(legal, kind="stable")
        first = np.flatnonzero(np.diff(legal[order], prepend=-1))
        d_own[legal[order][first]] = np.add.reduceat(spread[order], first)
        for kind in range(len(KINDS)):
            d_shared[kind] = d_own[self.kinds == kind].sum(0)
        d_base = np.bincount(kinds, d_score, len(KINDS)).astype(np.float32)
        d_pre = (d_hidden * (1 - hidden * hidden)).astype(np.float32)
        d_vb = np.array([d_value.sum()], np.float32)
        return [seen.T @ d_pre, d_pre.sum(0), d_own, d_shared, d_base, hidden.T @ d_value, d_vb]


class Part:
    """Some decisions: what was seen, what was legal, what was chosen, and what came of it."""

    def __init__(self, seen: Any, legal: Any, starts: Any, old: Any, gain: Any, to: Any) -> None:
        self.seen, self.legal, self.starts = seen, legal, starts
        self.old, self.advantage, self.target = old, gain, to


def pick(scores: np.ndarray, starts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The place of one action for each row, drawn by the logarithms of their probabilities."""
    noisy = scores - np.log(-np.log(rng.random(len(scores)) + 1e-12) + 1e-12)
    best = np.repeat(np.maximum.reduceat(noisy, starts[:-1]), np.diff(starts))
    places = np.flatnonzero(noisy == best)
    return places[np.searchsorted(places, starts[:-1])]


def collect(game: Any, net: Network, state: Any, steps: int, rng: Any) -> tuple[Any, list[Any]]:
    """Play so many steps with the network in every seat."""
    taken = []
    seen, infos = state
    for _ in range(steps):
        legal, starts = infos["legal"], infos["legal_starts"]
        _, _, logs, values = net.forward(seen, legal, starts)
        chosen = pick(logs, starts, rng)
        player = infos["current_player"]
        following, _, over, _, after = game.step(legal[chosen])
        taken.append((seen, legal, starts, chosen, logs[chosen], values, player, over,
                      after["rewards"] / POINTS))  # fmt: skip
        seen, infos = following, after
    return (seen, infos), taken


def judged(taken: list[Any], players: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How much better each decision was than expected (GAE, each seat on its own), and targets.

    The last decision of a seat in a deal that still runs is not judged.
    """
    steps, count = len(taken), len(taken[0][0])
    value_next = np.zeros((count, players))
    known = np.zeros((count, players), bool)
    trace = np.zeros((count, players))
    pending = np.zeros((count, players))
    gains, targets = np.zeros((steps, count)), np.zeros((steps, count))
    fit = np.zeros((steps, count), bool)
    rows = np.arange(count)
    for t in range(steps - 1, -1, -1):
        values, player, over, rewards = taken[t][5:]
        value_next[over], trace[over], known[over] = 0, 0, True
        pending[over] = rewards[over]
        delta = pending[rows, player] + value_next[rows, player] - values
        fit[t] = known[rows, player]
        gains[t] = np.where(fit[t], delta + TRACE * trace[rows, player], 0)
        targets[t] = gains[t] + values
        trace[rows, player], value_next[rows, player] = gains[t], values
        pending[rows, player], known[rows, player] = 0, True
    return gains, targets, fit


def parts_of(taken: list[Any], players: int, rng: Any) -> Iterator[tuple[Part, np.ndarray]]:
    """The decisions in an order of their own, four steps of all deals at a time."""
    gains, targets, fit = judged(taken, players)
    spread = gains[fit].std() + 1e-8
    for times in np.array_split(rng.permutation(len(taken)), max(1, len(taken) // 4)):
        seen, legal, starts, chosen, old = zip(*(taken[t][:5] for t in times), strict=True)
        shifts = np.cumsum([0, *map(len, legal)])
        begins = [s[:-1] + shift for s, shift in zip(starts, shifts, strict=False)]
        places = [c + shift for c, shift in zip(chosen, shifts, strict=False)]
        gain = np.where(fit[times], gains[times] / spread, 0).astype(np.float32).ravel()
        part = Part(np.concatenate(seen), np.concatenate(legal),
                    np.concatenate([*begins, shifts[-1:]]), np.concatenate(old), gain,
                    targets[times].ravel())  # fmt: skip
        yield part, np.concatenate(places)


def measure(net: Network | None, rules: str, deals: int, seed: int) -> tuple[float, float]:
    """Points a deal by which one seat of the network beats the mean of the random ones, +- s.e."""
    count = min(256, deals)
    game = OkeyVectorEnv(count, rules, copy=False)
    rng = np.random.default_rng(seed)
    seen, infos = game.reset(seed=seed)
    players = game.rules.players
    numbers = np.arange(count)
    found: list[float] = []
    while (numbers < deals).any():
        legal, starts = infos["legal"], infos["legal_starts"]
        chosen = pick(np.zeros(len(legal)), starts, rng)
        ours = numbers // players % players  # so that each seat is ours under each dealer
        if net is not None:
            _, _, logs, _ = net.forward(seen, legal, starts)
            mine = infos["current_player"] == ours
            chosen = np.where(mine, pick(logs, starts, rng), chosen)
        seen, _, over, _, infos = game.step(legal[chosen])
        for b in np.flatnonzero(over):
            rewards = infos["rewards"][b]
            own = rewards[ours[b]]
            if numbers[b] < deals:
                found.append(own - (rewards.sum() - own) / (players - 1))
            numbers[b] += count
    return float(np.mean(found)), float(np.std(found) / np.sqrt(len(found)))


@cache
def learnt(file: str = "ppo.npz") -> Network:
    """The network that ``--save`` wrote."""
    net = Network(np.random.default_rng())
    with np.load(file) as saved:
        for parameter, values in zip(net.parameters, saved.values(), strict=True):
            parameter[:] = values
    return net


class LearntBot:
    """Plays what the saved network likes best: ``okey101 evaluate ppo:LearntBot``."""

    name = "ppo"
    version = 1
    replayable = True
    weights = "ppo.npz"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, view: View, options: Options) -> Action:
        legal = numbered(options)
        numbers = np.array(list(legal))
        seen = Observer(view.public.rules)(view)[None]
        logs = learnt().forward(seen, numbers, np.array([0, len(numbers)]))[2]
        return legal[int(numbers[logs.argmax()])]


def main(arguments: list[str] | None = None) -> list[dict[str, float]]:
    """Learn, and give the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="altinstar")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=128, help="steps between two updates")
    parser.add_argument("--deals", type=int, default=1_000, help="deals of a measurement")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the learning curve as CSV")
    parser.add_argument("--save", type=Path, help="the network, such as ppo.npz")
    given = parser.parse_args(arguments)
    rng = np.random.default_rng(given.seed)
    net = Network(rng)
    adam = Adam(net.parameters, 1e-3)
    game = OkeyVectorEnv(given.envs, given.rules)
    state: Any = game.reset(seed=given.seed)
    curve: list[dict[str, float]] = []
    start, decisions, spent = time.monotonic(), 0, 0.0
    for update in range(1_000_000):
        if update % 4 == 0 or spent > 60 * given.minutes:
            before = time.monotonic()
            better, error = measure(net, given.rules, given.deals, 10_000 + given.seed)
            start += time.monotonic() - before  # measuring is not learning
            curve.append({"seconds": round(spent), "decisions": decisions,
                          "points_better": round(better, 1), "error": round(error, 1)})  # fmt: skip
            print(*(f"{name} {value}" for name, value in curve[-1].items()), flush=True)
        if spent > 60 * given.minutes:
            break
        state, taken = collect(game, net, state, given.steps, rng)
        decisions += given.envs * given.steps
        for _ in range(2):
            for part, chosen in parts_of(taken, game.rules.players, rng):
                adam.step(net.gradients(part, chosen))
        spent = time.monotonic() - start
    if given.save:
        np.savez(given.save, *net.parameters)
    if given.out:
        with given.out.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(curve[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(curve)
    return curve


if __name__ == "__main__":
    main()
