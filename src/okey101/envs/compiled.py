"""Deals played by numbers on the compiled kernel: many, and one as an episode.

An episode here is faster, and the same in all that it says.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from okey101.envs.actions import N_ACTIONS
from okey101.envs.episodes import Episode, seat_of
from okey101.envs.observations import OBSERVATION_SIZE, scaled_rules
from okey101.errors import OkeyError, exactly
from okey101.game.dealing import seed_of
from okey101.game.ruleset import RuleSet, checked_seat, rules_of
from okey101.kernel import KernelBatch, layout as L
from okey101.kernel.conversion import seed_words
from okey101.kernel.deals import who_plays
from okey101.kernel.envs import codes_of_numbers, observe, observe_many, redeal


class NumberedBatch(KernelBatch):
    """Deals side by side that are played by numbers; raises as :class:`KernelBatch` does.

    ``opponents`` and ``seat`` are those of :class:`okey101.envs.vector.OkeyVectorEnv`.
    """

    def __init__(
        self,
        rules: RuleSet | str,
        size: int,
        opponents: str | Sequence[str] | None = None,
        seat: int | None = None,
    ) -> None:
        super().__init__(rules, size)
        players = self.rules.players
        if isinstance(opponents, str):
            opponents = [opponents] * (players - 1)
        if opponents is not None or seat is not None:  # one's own seat needs opponents
            opponents = opponents or ()
            exactly(players - 1, opponents, "opponents")
            places = [
                {(own + place) % players: bot for place, bot in enumerate(opponents, 1)}
                for own in range(players)
            ]
            self._who = np.array([who_plays(bots, players) for bots in places], dtype=np.int64)
        self._alone = opponents is None
        self._seat = None if seat is None else checked_seat(seat, players)
        self._scaled = scaled_rules(self.rules).copy()
        self.seed = os.urandom(32)
        self.played = np.full(size, -1, dtype=np.int64)
        """How many deals of the seed each row has begun before this one."""
        self.seen: NDArray[np.float32] = np.zeros((size, OBSERVATION_SIZE), dtype=np.float32)
        """What the seats to act see."""
        self.masks: NDArray[np.int8] = np.zeros((size, N_ACTIONS), dtype=np.int8)
        """1 for each number that is legal."""
        self.numbers = np.zeros(0, dtype=np.int64)
        """The legal numbers of all rows, those of row ``b`` from ``starts[b]`` on."""
        self.starts = np.zeros(size + 1, dtype=np.int64)
        self._codes = self.numbers
        self._chosen = np.zeros(size, dtype=np.int64)

    def begin(self, seed: bytes | int | str | None) -> None:
        """Deal in every row the first deal of the seed, or the next one where none is given."""
        if seed is not None:
            self.seed = seed_of(seed)
            self.played[:] = -1
        self.rows[:, L.PHASE] = L.P_OVER
        self.redeal()

    def redeal(self) -> None:
        """Deal the next deal where one is over, and another where bots end it before one's turn."""
        while True:
            redeal(self._rules, self.rows, seed_words(self.seed), self.played)
            self._let_play()
            if not self.over.any():
                break

    def _let_play(self) -> None:
        """Let the opponents play to one's own turn, or to the end."""
        if self._alone:
            return
        numbers = np.arange(len(self.rows)) + self.played * len(self.rows)
        seats = seat_of(numbers, self.rules.players)
        if self._seat is not None:
            seats = np.full_like(seats, self._seat)
        self.play_on(self._who[seats], 1 << seats)

    def look(self) -> None:
        """Work out what the seats to act see, and what they may do."""
        before, before_starts = self.numbers, self.starts
        self._codes, self.starts = self.legal()
        self.numbers = np.empty_like(self._codes)
        observe_many(
            self._rules, self._scaled, self.rows, self._codes, self.starts, self.numbers, before,
            before_starts, self.seen, self.masks,
        )  # fmt: skip

    def play(self, chosen: NDArray[np.int64]) -> None:
        """Play a legal number in each row; OkeyError ``not-a-micro-action`` for any other."""
        wrong = codes_of_numbers(self._codes, self.starts, self.numbers, chosen, self._chosen)
        if wrong >= 0:
            message = f"{chosen[wrong]} is no legal micro-action in environment {wrong}"
            raise OkeyError("not-a-micro-action", message)
        self.step(self._chosen)
        self._let_play()

    def observe(self, b: int, seat: int) -> NDArray[np.float32]:
        """What a seat of a row sees now."""
        out = np.zeros(OBSERVATION_SIZE, dtype=np.float32)
        observe(self._rules, self._scaled, self.rows[b], seat, out)
        return out

    def ended(self) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """The deals that are over, and of these minus the points of each seat or its team."""
        points = self.scores.astype(np.float64)
        if self.rules.teams:
            points += points[:, [2, 3, 0, 1]]
        return self.over, 0 - points


class CompiledEpisode:
    """The deals that :class:`okey101.envs.episodes.Episode` has, with the same answers.

    Raises OkeyError ``kernel-cold`` as :class:`okey101.kernel.KernelBatch` does.
    """

    def __init__(self, rules: RuleSet | str) -> None:
        self.rules = rules_of(rules)
        self._batch = NumberedBatch(self.rules, 1)
        self._played: list[int] = []

    @property
    def number(self) -> int:
        """The number of the deal among those of the seed."""
        return int(self._batch.played[0])

    @property
    def turn(self) -> int:
        """The seat to act; OkeyError ``no-deal`` before the first deal."""
        if self.number < 0:
            raise OkeyError("no-deal", "reset() deals the first deal")
        return int(self._batch.rows[0, L.TURN])

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return bool(self._batch.rows[0, L.PHASE] == L.P_OVER)

    def begin(self, seed: bytes | int | str | None = None) -> None:
        """Deal: the first deal of the seed, or the next one where none is given."""
        self._batch.begin(seed)
        self._played = []
        self._batch.look()

    def play(self, number: int) -> None:
        """Play a legal number; OkeyError ``not-a-micro-action`` for any other."""
        self._batch.play(np.array([number], dtype=np.int64))
        self._played.append(number)
        self._batch.look()

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees now."""
        batch = self._batch
        return batch.seen[0].copy() if seat == self.turn else batch.observe(0, seat)

    def mask(self) -> NDArray[np.int8]:
        """1 for each legal number: int8[N_ACTIONS]."""
        return self._batch.masks.copy().reshape(-1)

    def points(self) -> tuple[int, ...]:
        """The points of each seat of the finished deal, in teams those of its team (G1)."""
        _, rewards = self._batch.ended()
        return tuple(-int(reward) for reward in rewards[0])

    def readable(self) -> Episode:
        """The same deal in the game, played again so far; not begun before the first deal."""
        episode, seed = Episode(self.rules), self._batch.seed
        while episode.number < self.number:
            episode.begin(seed if episode.number < 0 else None)
        for number in self._played:
            episode.play(number)
        return episode
