"""All seats of a deal as an environment of PettingZoo, one after the other (AEC)."""

from __future__ import annotations

from typing import Any, cast

from okey101.errors import needs

with needs("okey101.envs.pettingzoo", "PettingZoo", "envs"):
    import numpy as np
    from gymnasium.spaces import Discrete, Space
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from okey101.envs.actions import N_ACTIONS
from okey101.envs.episodes import ILLEGAL_REWARD, Episode, number_of, render_mode_of, rendered
from okey101.envs.observations import seat_space
from okey101.errors import OkeyError
from okey101.game.ruleset import RuleSet


def env(
    rules: RuleSet | str = "altinstar", render_mode: str | None = None, *, compiled: bool = False
) -> Any:
    """The environment with PettingZoo's wrapper that enforces the order of calls.

    An illegal number ends the deal and costs its player 404, which takes no wrapper here: those of
    PettingZoo look through many layers in every step. ``rules`` is a rule set or the name of
    a preset; RuleSetError ``unknown-preset``. ``compiled`` plays on the kernel: the same answers,
    some times as fast, once it has been compiled; OkeyError ``kernel-cold``.
    """
    bare = OkeyAEC(rules, render_mode, illegal_reward=ILLEGAL_REWARD, compiled=compiled)
    return wrappers.OrderEnforcingWrapper(bare)


def raw_env(
    rules: RuleSet | str = "altinstar", render_mode: str | None = None, *, compiled: bool = False
) -> OkeyAEC:
    """The environment without wrappers: an illegal number raises OkeyError there."""
    return OkeyAEC(rules, render_mode, compiled=compiled)


class OkeyAEC(AECEnv[str, dict[str, NDArray[Any]], int]):  # type: ignore[misc]  # untyped there
    """A deal among two to four players, ``player_0`` to ``player_3`` by their seats.

    An observation is ``observation`` (:mod:`okey101.envs.observations`) and ``action_mask``, which
    is 0 throughout for whoever isn't to act. ``reset(seed=s)`` deals the first deal of the seed,
    and ``reset()`` the next; the players deal in turn.

    >>> game = raw_env("pagat")
    >>> game.reset(seed=7)
    >>> game.agent_selection, int(game.observe("player_1")["action_mask"].sum())
    ('player_1', 20)
    """

    metadata = {  # noqa: RUF012  # as its base
        "name": "okey101_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: RuleSet | str = "altinstar",
        render_mode: str | None = None,
        *,
        illegal_reward: float | None = None,
        compiled: bool = False,
    ) -> None:
        super().__init__()
        self._illegal = illegal_reward
        if compiled:
            from okey101.envs.compiled import CompiledEpisode

            self._episode: Episode | CompiledEpisode = CompiledEpisode(rules)
        else:
            self._episode = Episode(rules)
        self.rules = self._episode.rules
        self.render_mode = render_mode_of(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        agents, seen = self.possible_agents, cast("Space[Any]", seat_space())
        self.observation_spaces: dict[str, Space[Any]] = dict.fromkeys(agents, seen)
        self.action_spaces: dict[str, Space[Any]] = {a: Discrete(N_ACTIONS) for a in agents}

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of a player's observations, the same object in each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The numbers of :mod:`okey101.envs.actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the first deal of a seed, or the next one; ``options`` are not used."""
        self._episode.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._episode.turn]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What a player sees, and the mask of what it may do.

        OkeyError ``bad-value`` for no player, and ``no-deal`` before the first ``reset``.
        """
        if agent not in self._seats:
            known = ", ".join(self._seats)
            message = f"{agent!r} is no player; there are {known}"
            raise OkeyError("bad-value", message, fields="agent", allowed=known)
        seat = self._seats[agent]
        episode = self._episode
        acts = seat == episode.turn and agent == self.agent_selection
        acts = acts and not self.terminations.get(agent, True)  # a wrong number ends the deal
        mask = episode.mask() if acts else np.zeros(N_ACTIONS, dtype=np.int8)
        return {"observation": episode.observe(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play a legal number for the player to act, or None for one whose deal is over.

        Any other number ends the deal with ``illegal_reward`` for that player, and nothing for the
        others, or without one raises OkeyError ``not-a-micro-action``, as for what is no number.
        OkeyError ``no-deal`` where nobody is left, or before the first ``reset``.
        """
        if not self.agents:
            raise OkeyError("no-deal", "reset() deals the next deal")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = number_of(action)
        self._cumulative_rewards[agent] = 0.0
        try:
            self._episode.play(number)
        except OkeyError:
            if self._illegal is None:
                raise
            self.rewards[agent] = self._illegal
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self._deads_step_first()
            return
        if not self._episode.over:
            self.agent_selection = self.possible_agents[self._episode.turn]
        else:
            points_by_seat = self._episode.points()
            for player, points in zip(self.possible_agents, points_by_seat, strict=True):
                self.rewards[player] = -float(points)
                self.terminations[player] = True
            self._accumulate_rewards()
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table as the seat to act sees it: as a text (``ansi``), or printed (``human``)."""
        return rendered(self.episode.position.view.text(), self.render_mode)

    @property
    def episode(self) -> Episode:
        """The running deal with its hidden tiles: to study it, not to play by."""
        episode = self._episode
        return episode if isinstance(episode, Episode) else episode.readable()
