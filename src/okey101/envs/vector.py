"""Many deals at once on the compiled kernel, as a vector environment of Gymnasium."""

from __future__ import annotations

import os
from typing import Any

try:
    import numpy as np
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "missing-extra: okey101.envs.vector needs Gymnasium; pip install 'okey101[envs]'",
        name=_error.name,
    ) from None

from okey101.envs.actions import N_ACTIONS
from okey101.envs.observations import OBSERVATION_SIZE, bounds, scaled_rules
from okey101.errors import OkeyError
from okey101.game.dealing import seed_of
from okey101.game.ruleset import RuleSet, rules_of
from okey101.kernel import KernelBatch
from okey101.kernel import layout as L
from okey101.kernel.conversion import rules_vector, seed_words
from okey101.kernel.envs import codes_of_numbers, end_many, observe, observe_many, redeal

_Observations = NDArray[np.float32]


class OkeyVectorEnv(VectorEnv[_Observations, NDArray[np.int64], NDArray[Any]]):
    """So many deals side by side; in each of them the seat to act is asked next.

    An observation is what that seat sees, float32[num_envs, OBSERVATION_SIZE]. The infos are

    - ``current_player``: the seats to act, int64[num_envs];
    - ``action_mask``: int8[num_envs, N_ACTIONS];
    - ``legal`` and ``legal_starts``: the same as numbers; those of environment ``b`` are
      ``legal[legal_starts[b]:legal_starts[b + 1]]``, in no order, and equal groups of the table
      may repeat one (int64);
    - after a step ``rewards``, float64[num_envs, players]: of the deals that ended minus the
      points of each seat, in teams of its team, else 0.

    The reward of a step is that of the seat that acted in it. An environment whose deal has ended
    deals anew in the same step (``AutoresetMode.SAME_STEP``): ``terminated`` is then true, and
    ``final_obs`` has what the seat that acted last sees at the end. Environment ``b`` of ``B``
    plays deals ``b``, ``b + B``, ``b + 2 B`` of the seed.

    The mask is the same array in each step and changes with it; so do the observations unless
    ``copy`` is true. An illegal number raises OkeyError ``not-a-micro-action``, and nothing is
    played. OkeyError ``kernel-cold`` and ``bad-batch`` as for :class:`okey101.kernel.KernelBatch`.
    """

    def __init__(
        self, num_envs: int, rules: RuleSet | str = "altinstar", *, copy: bool = True
    ) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.rules = rules_of(rules)
        self.num_envs = num_envs
        self._batch = KernelBatch(self.rules, num_envs)
        low, high = bounds()
        self.single_observation_space: Any = Box(low, high, dtype=np.float32)
        self.single_action_space: Any = Discrete(N_ACTIONS)
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self.action_space: Any = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._rules = rules_vector(self.rules)
        self._scaled = scaled_rules(self.rules).copy()
        self._root = seed_words(os.urandom(32))
        self._dealt = False
        self._played = np.zeros(num_envs, dtype=np.int64)
        self._seen: _Observations = np.zeros((num_envs, OBSERVATION_SIZE), dtype=np.float32)
        self._masks = np.zeros((num_envs, N_ACTIONS), dtype=np.int8)
        self._codes = np.zeros(0, dtype=np.int64)
        self._starts = np.zeros(num_envs + 1, dtype=np.int64)
        self._numbers = np.zeros(0, dtype=np.int64)
        self._chosen = np.zeros(num_envs, dtype=np.int64)
        self._over = np.zeros(num_envs, dtype=np.bool_)
        self._cut = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Observations, dict[str, Any]]:
        """Deal the first deals of a seed, or without one the next deals; ``options`` are not used.

        Raises OkeyError ``bad-seed`` for a list of seeds: one seed deals all environments.
        """
        if isinstance(seed, list):
            raise OkeyError("bad-seed", "one seed deals all environments")
        super().reset(seed=seed)
        if seed is not None:
            self._root = seed_words(seed_of(seed))
        if seed is not None or not self._dealt:
            self._played[:] = -1
        self._dealt = True
        self._batch.rows[:, L.PHASE] = L.P_OVER
        redeal(self._rules, self._batch.rows, self._root, self._played)
        return self._look()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[_Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play a number in each deal: int64[num_envs]."""
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,) or not self._dealt:
            raise OkeyError("bad-batch", f"{self.num_envs} numbers are needed after a reset")
        batch = self._batch
        wrong = codes_of_numbers(self._codes, self._starts, self._numbers, chosen, self._chosen)
        if wrong >= 0:
            raise OkeyError(
                "not-a-micro-action", f"{chosen[wrong]} is not legal in environment {wrong}"
            )
        acted = batch.turn
        batch.step(self._chosen)
        rewards = np.zeros((self.num_envs, self.rules.players), dtype=np.float64)
        ended = end_many(self._rules, batch.rows, self._over, rewards)
        more: dict[str, Any] = {"rewards": rewards}
        if ended:
            final = np.full(self.num_envs, None, dtype=object)
            for b in np.flatnonzero(self._over):
                final[b] = np.zeros(OBSERVATION_SIZE, dtype=np.float32)
                observe(self._rules, self._scaled, batch.rows[b], int(acted[b]), final[b])
            more |= {"final_obs": final, "_final_obs": self._over.copy()}
            redeal(self._rules, batch.rows, self._root, self._played)
        seen, infos = self._look()
        reward = rewards[np.arange(self.num_envs), acted]
        return seen, reward, self._over.copy(), self._cut.copy(), infos | more

    def _look(self) -> tuple[_Observations, dict[str, Any]]:
        batch = self._batch
        before, before_starts = self._numbers, self._starts
        self._codes, self._starts = batch.legal()
        self._numbers = np.empty_like(self._codes)
        observe_many(
            self._rules, self._scaled, batch.rows, self._codes, self._starts, self._numbers,
            before, before_starts, self._seen, self._masks,
        )  # fmt: skip
        infos = {
            "current_player": batch.turn,
            "action_mask": self._masks,
            "legal": self._numbers,
            "legal_starts": self._starts,
        }
        return (self._seen.copy() if self._copy else self._seen), infos
