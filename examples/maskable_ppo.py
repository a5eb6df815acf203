"""Learn with Stable-Baselines3: MaskablePPO of sb3-contrib, one seat against compiled bots.

    pip install "okey101[cli,envs]" sb3-contrib
    python maskable_ppo.py --minutes 4
    okey101 arena maskable_ppo:Learned random --deals 100

Games is the vector environment as Stable-Baselines3 asks for it, and Learned the bot that the
arena seats.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from okey101.envs import OkeyVectorEnv
from okey101.envs.actions import N_ACTIONS, numbered
from okey101.envs.observations import Observer

FILE = "maskable_ppo.zip"
POINTS = 100.0  # a reward of so many points is 1


class Games(VecEnv):
    """Many deals at once; MaskablePPO asks for the masks by ``env_method``."""

    def __init__(self, num_envs: int, rules: str, opponents: str) -> None:
        self.games = OkeyVectorEnv(num_envs, rules, opponents=opponents)
        super().__init__(
            num_envs, self.games.single_observation_space, self.games.single_action_space
        )

    def reset(self) -> Any:
        return self.games.reset(seed=1)[0]

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        seen, reward, over, _, infos = self.games.step(self.actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for b in np.flatnonzero(over):
            told[b] = {"terminal_observation": infos["final_obs"][b]}
        return seen, (reward / POINTS).astype(np.float32), over, told

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **more: Any) -> Any:
        return list(getattr(self.games, method_name)(*args, **more))

    def get_attr(self, attr_name: str, indices: Any = None) -> Any:
        return [getattr(self.games, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> Any:
        return [False] * self.num_envs

    def close(self) -> None:
        self.games.close()


class Learned:
    """Plays the legal action that the network holds likeliest."""

    name = "maskable-ppo"
    version = 1
    replayable = True

    def __init__(self, seed: int = 0) -> None:
        self.model = MaskablePPO.load(FILE, device="cpu")

    def choose(self, view: Any, options: Any) -> Any:
        legal = numbered(options)
        mask = np.zeros(N_ACTIONS, bool)
        mask[list(legal)] = True
        seen = Observer(view.public.rules)(view)
        number, _ = self.model.predict(seen, action_masks=mask, deterministic=True)
        return legal[int(number)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="altinstar")
    parser.add_argument("--opponents", default="greedy")
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--envs", type=int, default=64)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)  # half the time of a choice
    model = MaskablePPO(
        "MlpPolicy", Games(given.envs, given.rules, given.opponents), n_steps=64, batch_size=512,
        n_epochs=2, gamma=1.0, learning_rate=1e-3, ent_coef=0.01, seed=1, device="cpu",
        policy_kwargs={"net_arch": [128]},
    )  # fmt: skip
    start, sums = time.process_time(), np.zeros(2)

    def watch(local: dict[str, Any], _: dict[str, Any]) -> bool:
        """Tell how it goes every 20,000 decisions; whether there is time left."""
        nonlocal sums
        sums += (local["rewards"][local["dones"]].sum() * POINTS, local["dones"].sum())
        spent = time.process_time() - start
        if model.num_timesteps % 20_000 < given.envs:
            print(
                f"{spent:.0f} s, {model.num_timesteps} decisions: {sums[0] / sums[1]:+.0f} a deal"
            )
            sums[:] = 0
            model.save(FILE)
        return spent < 60 * given.minutes

    model.learn(10**9, callback=watch)


if __name__ == "__main__":
    main()
