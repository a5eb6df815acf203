"""Learn with PyTorch in one file, as CleanRL does: PPO for one seat against compiled bots.

    pip install "okey101[cli,envs]" torch
    python cleanrl_ppo.py --minutes 3
    okey101 arena cleanrl_ppo:Learned random --deals 100

It is CleanRL's ppo.py with two changes for 10,875 actions of which about twenty are legal: an
action is scored by an embedding of its number, and only the legal ones are scored, not masked.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn

import okey101.envs.gymnasium  # noqa: F401  # registers okey101-v0
from okey101.envs.actions import N_ACTIONS, numbered
from okey101.envs.observations import OBSERVATION_SIZE, Observer

FILE = "cleanrl_ppo.pt"
POINTS = 100.0  # a reward of so many points is 1
CLIP, TRACE, ENTROPY, VALUE, EPOCHS, BATCHES = 0.2, 0.95, 0.01, 0.5, 2, 4


class Agent(nn.Module):
    """A hidden layer, a value, and a vector for each action that scores it."""

    def __init__(self, hidden: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(OBSERVATION_SIZE, hidden), nn.Tanh())
        self.critic = nn.Linear(hidden, 1)
        self.actor = nn.Embedding(N_ACTIONS, hidden)
        nn.init.zeros_(self.actor.weight)

    def forward(self, seen: Any, legal: Any) -> tuple[Any, Any]:
        """The logarithms of the probabilities of the legal actions, padded by -1; the values."""
        inner = self.body(seen)
        scores = (self.actor(legal.clamp(min=0)) @ inner.unsqueeze(2)).squeeze(2)
        scores = scores.masked_fill(legal < 0, -1e8)
        return scores.log_softmax(1), self.critic(inner).squeeze(1)


def padded(infos: dict[str, Any], width: int = 64) -> torch.Tensor:
    """The legal numbers of each deal as rows of one width; more than that are left out."""
    starts = infos["legal_starts"]
    counts = np.minimum(np.diff(starts), width)
    rows = np.full((len(counts), width), -1)
    rows[np.arange(width) < counts[:, None]] = np.concatenate(
        [infos["legal"][a : a + n] for a, n in zip(starts, counts, strict=False)]
    )
    return torch.from_numpy(rows)


class Learned:
    """Plays the legal action that the network holds likeliest."""

    name = "cleanrl-ppo"
    version = 1
    replayable = True

    def __init__(self, seed: int = 0) -> None:
        torch.set_num_threads(1)
        self.agent = Agent()
        self.agent.load_state_dict(torch.load(FILE))

    def choose(self, view: Any, options: Any) -> Any:
        legal = numbered(options)
        seen = torch.from_numpy(Observer(view.public.rules)(view))
        with torch.no_grad():
            logs, _ = self.agent(seen[None], torch.tensor([list(legal)]))
        return list(legal.values())[int(logs.argmax())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="altinstar")
    parser.add_argument("--opponents", default="greedy")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--envs", type=int, default=128)
    parser.add_argument("--steps", type=int, default=64, help="steps between two updates")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    games = gymnasium.make_vec(
        "okey101-v0", given.envs, rules=given.rules, opponents=given.opponents
    )
    agent = Agent()
    adam = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)
    seen, infos = games.reset(seed=1)
    start, decisions, sums = time.process_time(), 0, np.zeros(2)
    while (spent := time.process_time() - start) < 60 * given.minutes:
        taken: list[Any] = []
        for _ in range(given.steps):
            now, legal = torch.from_numpy(seen), padded(infos)
            with torch.no_grad():
                logs, value = agent(now, legal)
                choice = torch.multinomial(logs.exp(), 1)
            seen, reward, over, _, infos = games.step(legal.gather(1, choice).squeeze(1).numpy())
            taken.append((now, legal, choice, logs.gather(1, choice), value,
                          torch.from_numpy((reward / POINTS).astype(np.float32)),
                          torch.from_numpy(~over)))  # fmt: skip
            sums += reward.sum(), over.sum()
        decisions += given.envs * given.steps
        with torch.no_grad():
            following, gain, gains = agent(torch.from_numpy(seen), padded(infos))[1], 0.0, []
        for *_, value, reward, goes_on in reversed(taken):
            gain = reward + goes_on * (following + TRACE * gain) - value
            gains.insert(0, gain)
            following = value
        nows, legals, choices, olds, values = (
            torch.cat(column) for column in list(zip(*taken, strict=True))[:5]
        )
        gains = torch.cat(gains)
        for _ in range(EPOCHS):
            for part in torch.randperm(len(gains)).chunk(BATCHES):
                logs, value = agent(nows[part], legals[part])
                better = (gains[part] - gains[part].mean()) / (gains[part].std() + 1e-8)
                ratio = (logs.gather(1, choices[part]) - olds[part]).exp().squeeze(1)
                push = torch.min(better * ratio, better * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                miss = (value - gains[part] - values[part]).square().mean()
                spread = -(logs.exp() * logs).sum(1).mean()
                adam.zero_grad()
                (VALUE * miss - push - ENTROPY * spread).backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                adam.step()
        if decisions // 8192 % 8 == 0:
            print(
                f"{spent:.0f} s, {decisions} decisions: {sums[0] / sums[1]:+.0f} a deal", flush=True
            )
            sums[:] = 0
            torch.save(agent.state_dict(), FILE)


if __name__ == "__main__":
    main()
