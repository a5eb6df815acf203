"""Decisions of bots as a data set of Minari: one episode for each seat of each deal.

    pip install "okey101[cli,data,envs]" minari pillow
    okey101 simulate greedy --deals 100 --out deals.jsonl --transitions decisions.parquet
    python minari_data.py decisions.parquet okey101/greedy-v0

Observations, masks, actions and rewards are those of ``okey101-v0``, so that
``minari.load_dataset("okey101/greedy-v0").recover_environment()`` gives the environment. What a
seat saw last stands twice, as Minari wants one observation more than actions. Decisions whose
action has no number are left out.
"""

from __future__ import annotations

import sys
from itertools import groupby

import gymnasium
import minari
import numpy as np
from minari.data_collector import EpisodeBuffer
from pyarrow import parquet

import okey101.envs.gymnasium  # noqa: F401  # registers okey101-v0
from okey101.envs.actions import N_ACTIONS


def main(file: str, name: str) -> None:
    rows = parquet.read_table(file).to_pylist()
    rows.sort(key=lambda row: (row["deal"], row["seat"], row["step"]))
    episodes = []
    for _, group in groupby(rows, key=lambda row: (row["deal"], row["seat"])):
        taken = list(group)
        reward = taken[-1]["reward"]
        taken = [row for row in taken if row["action"] is not None]
        masks = np.zeros((len(taken) + 1, N_ACTIONS), np.int8)
        for mask, row in zip(masks, taken, strict=False):
            mask[row["legal"]] = 1
        seen = [np.array(row["observation"], np.float32) for row in [*taken, taken[-1]]]
        ends = [row is taken[-1] for row in taken]
        episodes.append(
            EpisodeBuffer(
                id=len(episodes),
                observations={"observation": np.stack(seen), "action_mask": masks},
                actions=np.array([row["action"] for row in taken], np.int64),
                rewards=[reward if end else 0.0 for end in ends],
                terminations=ends,
                truncations=[False] * len(taken),
            )
        )
    env = gymnasium.make("okey101.envs.gymnasium:okey101-v0")
    found = minari.create_dataset_from_buffers(name, episodes, env=env, data_format="arrow")
    print(found.total_episodes, "episodes with", found.total_steps, "decisions")


if __name__ == "__main__":
    main(*sys.argv[1:])
