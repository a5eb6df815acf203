"""One seat of a deal against bots, as an environment of Gymnasium: ``okey101-v0``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from okey101.errors import needs

with needs("okey101.envs.gymnasium", "Gymnasium", "envs"):
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Discrete
    from numpy.typing import NDArray

from okey101.bots import Bot, bot_of
from okey101.bots.playing import play_out
from okey101.envs.actions import N_ACTIONS
from okey101.envs.episodes import (
    ILLEGAL_REWARD,
    Episode,
    Position,
    number_of,
    render_mode_of,
    rendered,
    seat_of,
)
from okey101.envs.observations import seat_space
from okey101.errors import OkeyError, exactly
from okey101.game.ruleset import RuleSet, checked_seat
from okey101.game.view import view_of

ENV_ID = "okey101-v0"
"""The environment's name; it gets another number when its behaviour changes."""


class OkeyEnv(gymnasium.Env[dict[str, NDArray[Any]], Any]):
    """One seat against bots.

    ``opponents`` is a bot for all other seats, or a sequence with one for each, in the order of
    play after your seat: words as :func:`okey101.bots.bot_of` reads them, or bots. ``seat`` is your
    seat, or None to change it in turn with each deal. Bots given by words are seeded by deal and
    seat. OkeyError ``wrong-count``, ``bad-seat``, ``bad-value`` for no render mode, those of the
    bots, and ``too-many-actions`` by ``reset`` and ``step`` for one that does not end its turn.

    An observation has ``observation`` and ``action_mask`` as in
    :class:`okey101.envs.pettingzoo.OkeyAEC`. An illegal number ends the episode and costs 404.
    ``reset`` skips a deal that ends before your first turn, and takes the next one.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 2}  # noqa: RUF012  # as its base

    def __init__(
        self,
        rules: RuleSet | str = "altinstar",
        opponents: Bot | str | Sequence[Bot | str] = "greedy",
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._episode = Episode(rules)
        self.rules = self._episode.rules
        others = self.rules.players - 1
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            opponents = [opponents] * others
        exactly(others, opponents, "opponents")
        if seat is not None:
            checked_seat(seat, self.rules.players)
        for bot in opponents:
            bot_of(bot)  # an unknown one is told at once
        self._opponents = tuple(opponents)
        self._fixed = seat
        self._seat = seat or 0
        self._bots: dict[int, Bot] = {}
        self._closed = True
        self.render_mode = render_mode_of(render_mode)
        self.observation_space = seat_space()
        self.action_space = Discrete(N_ACTIONS)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Deal the first deal of a seed, or the next one; ``options`` are not used."""
        super().reset(seed=seed)
        self._closed = True  # until the bots have played
        while True:
            self._episode.begin(seed)
            seed = None
            players = self.rules.players
            if self._fixed is None:
                self._seat = seat_of(self._episode.number, players)
            self._bots = {
                (self._seat + 1 + place) % players: self._seated(bot, place)
                for place, bot in enumerate(self._opponents)
            }
            if not self._go_on():
                break
        self._closed = False
        return self._observation(), self._info()

    def _seated(self, bot: Bot | str, place: int) -> Bot:
        digest = hashlib.sha256(b"okey101 env" + self._episode.deal_seed + bytes([place])).digest()
        return bot_of(bot, int.from_bytes(digest[:8], "big"))

    def _go_on(self) -> bool:
        """Let the bots play until one's own turn; whether the deal is over."""
        episode = self._episode
        episode.position = Position(play_out(episode.position.deal, self._bots))
        return episode.over

    def step(
        self, action: Any
    ) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Play a number, and let the bots go on.

        OkeyError ``no-deal`` once the deal has ended, ``not-a-micro-action`` for what is no number.
        """
        if self._closed:
            raise OkeyError("no-deal", "the deal has ended: reset() deals the next")
        number = number_of(action)
        if number not in self._episode.position.legal:
            self._closed = True
            told = self._info() | {"illegal": number}
            return self._observation(), ILLEGAL_REWARD, True, False, told
        self._closed = True  # until the bots have played
        self._episode.play(number)
        over = self._closed = self._go_on()
        reward = -float(self._episode.points()[self._seat]) if over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, over, False, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """Which numbers are legal now, int8[N_ACTIONS]; MaskablePPO calls this."""
        return np.zeros(N_ACTIONS, dtype=np.int8) if self._closed else self._episode.mask()

    def _observation(self) -> dict[str, NDArray[Any]]:
        seen = self._episode.observe(self._seat)
        return {"observation": seen, "action_mask": self.action_masks()}

    def _info(self) -> dict[str, Any]:
        return {"seat": self._seat, "deal": self._episode.number}

    def render(self) -> Any:
        """The table as your seat sees it: as a text (``ansi``), or printed (``human``)."""
        return rendered(view_of(self._episode.position.deal, self._seat).text(), self.render_mode)

    @property
    def episode(self) -> Episode:
        """The running deal with its hidden tiles: to study it, not to play by."""
        return self._episode


def register() -> None:
    """Make ``gymnasium.make("okey101-v0")`` know the environment; importing this module does."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(
            ENV_ID,
            entry_point="okey101.envs.gymnasium:OkeyEnv",
            vector_entry_point="okey101.envs.vector:OkeyVectorEnv",
            kwargs={"opponents": "greedy"},
        )


register()
