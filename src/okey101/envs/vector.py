"""Many deals at once on the compiled kernel, as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from okey101.errors import needs

with needs("okey101.envs.vector", "Gymnasium", "envs"):
    import numpy as np
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

from okey101.envs.actions import N_ACTIONS
from okey101.envs.compiled import NumberedBatch
from okey101.envs.observations import bounds
from okey101.errors import OkeyError
from okey101.game.ruleset import RuleSet, rules_of

_Observations = NDArray[np.float32]


class OkeyVectorEnv(VectorEnv[_Observations, NDArray[np.int64], NDArray[Any]]):
    """Many deals side by side; in each of them the seat to act is asked next.

    With ``opponents`` only your seat of each deal is asked, and bots play the others: ``greedy``,
    ``neural`` or ``master``, one for all or one for each, in the order of play after your seat.
    ``seat`` is your seat, or None to change it in turn with each deal. The deals and the choices
    are those of :class:`okey101.envs.gymnasium.OkeyEnv`.

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
    played. OkeyError ``kernel-cold``, ``wrong-type`` and ``out-of-range`` as for
    :class:`okey101.kernel.KernelBatch`, ``unknown-bot``, ``wrong-count`` and ``bad-seat``.
    """

    def __init__(
        self,
        num_envs: int,
        rules: RuleSet | str = "altinstar",
        *,
        opponents: str | Sequence[str] | None = None,
        seat: int | None = None,
        copy: bool = True,
    ) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.rules = rules_of(rules)
        self.num_envs = num_envs
        self._batch = NumberedBatch(self.rules, num_envs, opponents, seat)
        self.single_observation_space: Any = Box(*bounds(), dtype=np.float32)
        self.single_action_space: Any = Discrete(N_ACTIONS)
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self.action_space: Any = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._dealt = False
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
        self._batch.begin(seed)
        self._dealt = True
        return self._look()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[_Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play a number in each deal: int64[num_envs]."""
        chosen = np.zeros(0, dtype=np.int64)
        with suppress(TypeError, ValueError, OverflowError):
            chosen = np.ascontiguousarray(actions, dtype=np.int64)
        fits = chosen.shape == (self.num_envs,) and np.array_equal(chosen, actions)
        if not fits or not self._dealt:
            raise OkeyError("bad-batch", f"{self.num_envs} numbers are needed after a reset")
        batch = self._batch
        acted = batch.turn
        batch.play(chosen)
        over, rewards = batch.ended()
        more: dict[str, Any] = {"rewards": rewards}
        if over.any():
            final = np.full(self.num_envs, None, dtype=object)
            for b in np.flatnonzero(over):
                final[b] = batch.observe(int(b), int(acted[b]))
            more |= {"final_obs": final, "_final_obs": over.copy()}
            batch.redeal()
        seen, infos = self._look()
        reward = rewards[np.arange(self.num_envs), acted]
        return seen, reward, over, self._cut.copy(), infos | more

    def action_masks(self) -> NDArray[np.int8]:
        """Which numbers are legal now, int8[num_envs, N_ACTIONS]; the mask of the infos."""
        return self._batch.masks

    def _look(self) -> tuple[_Observations, dict[str, Any]]:
        batch = self._batch
        batch.look()
        infos = {
            "current_player": batch.turn,
            "action_mask": batch.masks,
            "legal": batch.numbers,
            "legal_starts": batch.starts,
        }
        return (batch.seen.copy() if self._copy else batch.seen), infos
