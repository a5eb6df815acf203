"""A deal as an episode on the compiled kernel: faster, and the same in all that it says."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from okey101.envs.actions import N_ACTIONS
from okey101.envs.episodes import Episode
from okey101.envs.observations import OBSERVATION_SIZE, scaled_rules
from okey101.errors import OkeyError
from okey101.game.dealing import seed_of
from okey101.game.ruleset import RuleSet, rules_of
from okey101.game.view import View
from okey101.kernel import KernelBatch
from okey101.kernel import layout as L
from okey101.kernel.conversion import rules_vector, seed_words
from okey101.kernel.envs import codes_of_numbers, end_many, observe, observe_many, redeal


class CompiledEpisode:
    """The deals that :class:`okey101.envs.episodes.Episode` has, with the same answers.

    Raises OkeyError ``kernel-cold`` as :class:`okey101.kernel.KernelBatch` does.
    """

    def __init__(self, rules: RuleSet | str) -> None:
        self.rules = rules_of(rules)
        self._batch = KernelBatch(self.rules, 1)
        self._row = self._batch.rows[0]
        self._rules = rules_vector(self.rules)
        self._scaled = scaled_rules(self.rules).copy()
        self._seed = os.urandom(32)
        self._root = seed_words(self._seed)
        self._count = np.full(1, -1, dtype=np.int64)
        self._seen: NDArray[np.float32] = np.zeros((1, OBSERVATION_SIZE), dtype=np.float32)
        self._mask: NDArray[np.int8] = np.zeros((1, N_ACTIONS), dtype=np.int8)
        self._codes = np.zeros(0, dtype=np.int64)
        self._numbers = np.zeros(0, dtype=np.int64)
        self._starts = np.zeros(2, dtype=np.int64)
        self._chosen = np.zeros(1, dtype=np.int64)
        self._played: list[int] = []

    @property
    def number(self) -> int:
        """The number of the deal among those of the seed."""
        return int(self._count[0])

    @property
    def turn(self) -> int:
        """The seat to act."""
        return int(self._row[L.TURN])

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return bool(self._row[L.PHASE] == L.P_OVER)

    def begin(self, seed: bytes | int | str | None = None) -> None:
        """Deal: the first deal of the seed, or the next one where none is given."""
        if seed is not None:
            self._seed = seed_of(seed)
            self._root = seed_words(self._seed)
            self._count[0] = -1
        self._row[L.PHASE] = L.P_OVER
        redeal(self._rules, self._batch.rows, self._root, self._count)
        self._played = []
        self._look()

    def _look(self) -> None:
        before, before_starts = self._numbers, self._starts
        self._codes, self._starts = self._batch.legal()
        self._numbers = np.empty_like(self._codes)
        observe_many(
            self._rules, self._scaled, self._batch.rows, self._codes, self._starts, self._numbers,
            before, before_starts, self._seen, self._mask,
        )  # fmt: skip

    def play(self, number: int) -> None:
        """Play a legal number; OkeyError ``not-a-micro-action`` for any other."""
        wanted = np.array([number], dtype=np.int64)
        if codes_of_numbers(self._codes, self._starts, self._numbers, wanted, self._chosen) >= 0:
            raise OkeyError("not-a-micro-action", f"{number} is no legal micro-action here")
        self._batch.step(self._chosen)
        self._played.append(int(number))
        self._look()

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees now."""
        if seat == self.turn:
            return self._seen.copy().reshape(-1)
        out = np.zeros(OBSERVATION_SIZE, dtype=np.float32)
        observe(self._rules, self._scaled, self._row, seat, out)
        return out

    def mask(self) -> NDArray[np.int8]:
        """1 for each legal number: int8[N_ACTIONS]."""
        return self._mask.copy().reshape(-1)

    def points(self) -> tuple[int, ...]:
        """The points of each seat of the finished deal, in teams those of its team (G1)."""
        rewards = np.zeros((1, self.rules.players), dtype=np.float64)
        end_many(self._rules, self._batch.rows, np.zeros(1, dtype=np.bool_), rewards)
        return tuple(-int(reward) for reward in rewards[0])

    def readable(self) -> Episode:
        """The same deal in the game, played again so far."""
        episode = Episode(self.rules)
        episode.begin(self._seed)
        while episode.number < self.number:
            episode.begin()
        for number in self._played:
            episode.play(number)
        return episode

    def view(self) -> View:
        """What the seat to act sees, as the game says it."""
        return self.readable().view()
