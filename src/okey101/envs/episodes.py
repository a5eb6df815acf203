"""A deal as an episode, played by numbers: what the environments have in common."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from okey101.envs.actions import N_ACTIONS, numbered
from okey101.envs.observations import Observer
from okey101.errors import OkeyError, Word
from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.game.match import deal_score
from okey101.game.options import Options
from okey101.game.ruleset import RuleSet, rules_of
from okey101.game.transition import apply
from okey101.game.view import View, view_of

ILLEGAL_REWARD = -404.0
"""What an illegal number costs where it ends the episode: twice the points of an unopened hand."""


def points_of(deal: Deal) -> tuple[int, ...]:
    """The points of each seat of a finished deal, in teams those of its team (G1)."""
    return tuple(deal_score(deal, seat) for seat in range(deal.rules.players))


class RenderMode(Word):
    """How environments show a table: as a text that is given back, or printed."""

    ANSI = "ansi"
    HUMAN = "human"


def render_mode_of(mode: str | None) -> str | None:
    """A mode, or none; OkeyError ``bad-value`` for one that there is not."""
    return None if mode is None else RenderMode(mode).value


def rendered(text: str, mode: str | None) -> str | None:
    """A table as environments show it: given back as a text (``ansi``), or printed (``human``)."""
    if mode == "human":
        sys.stdout.write(f"{text}\n")
    return text if mode == "ansi" else None


_Numbers = TypeVar("_Numbers", int, NDArray[np.int64])


def seat_of(number: _Numbers, players: int) -> _Numbers:
    """One's own seat in a deal, where it changes: once round the dealers, and it moves on."""
    return (number + number // players) % players


def number_of(action: Any) -> int:
    """The number that is given; OkeyError ``not-a-micro-action`` for what is no whole number."""
    with suppress(TypeError, ValueError, OverflowError):
        if (number := int(np.int64(action))) == action:
            return number
    raise OkeyError("not-a-micro-action", f"{action!r} is no number of an action")


class Position:
    """A deal before a micro-action: what the seat to act sees, and what it may do by numbers."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal

    def __deepcopy__(self, memo: object) -> Position:
        """Itself: deals don't change, and the rest follows from them."""
        return self

    @cached_property
    def view(self) -> View:
        """What the seat to act sees."""
        return view_of(self.deal, self.deal.turn)

    @cached_property
    def options(self) -> Options:
        """What it may do."""
        return Options(self.view)

    @cached_property
    def legal(self) -> dict[int, Action]:
        """The legal micro-actions by number, none once the deal is over."""
        return numbered(self.options)


class Episode:
    """Deals of one seed, one after the other, each an episode.

    Deal ``n`` is the ``n``th of :func:`okey101.game.dealing.match_seed`, and its dealer the
    remainder of ``n`` by the seats, as in the kernel's batches.
    """

    def __init__(self, rules: RuleSet | str) -> None:
        self.rules = rules_of(rules)
        self.observer = Observer(self.rules)
        self.number = -1
        self._root = os.urandom(32)

    @cached_property
    def position(self) -> Position:
        """Where the deal is; OkeyError ``no-deal`` before the first one."""
        raise OkeyError("no-deal", "reset() deals the first deal")

    def begin(self, seed: bytes | int | str | None = None) -> Deal:
        """Deal: the first deal of the seed, or the next one where none is given."""
        if seed is not None:
            self._root, self.number = seed_of(seed), -1
        self.number += 1
        dealer = self.number % self.rules.players
        layout = deal_from_seed(self.rules, match_seed(self._root, self.number), dealer)
        self.deal_seed = layout.seed or b""
        self.position = Position(Deal.start(self.rules, layout))
        return self.position.deal

    def play(self, number: int) -> None:
        """Play a legal number; OkeyError ``not-a-micro-action`` for any other."""
        action = self.position.legal.get(number)
        if action is None:
            raise OkeyError("not-a-micro-action", f"{number} is no legal micro-action here")
        self.position = Position(apply(self.position.deal, action))

    @property
    def turn(self) -> int:
        """The seat to act."""
        return self.position.deal.turn

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.position.deal.over

    def mask(self) -> NDArray[np.int8]:
        """1 for each legal number: int8[N_ACTIONS]."""
        found = np.zeros(N_ACTIONS, dtype=np.int8)
        found[list(self.position.legal)] = 1
        return found

    def points(self) -> tuple[int, ...]:
        """The points of each seat of the finished deal, in teams those of its team (G1)."""
        return points_of(self.position.deal)

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees now."""
        position = self.position
        deal = position.deal
        return self.observer(position.view if seat == deal.turn else view_of(deal, seat))
