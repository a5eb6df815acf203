"""Positions in which one choice is clearly best: "Ne atarsın?"; ``scripts/make_puzzles.py``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from okey101.errors import OkeyError
from okey101.game.actions import Action, parse_action
from okey101.game.record.position import parse_position
from okey101.game.view import View
from okey101.review.balance import NOTHING, Spread
from okey101.review.deals import Decision, WeighedMove
from okey101.review.wording import Cause, Move, move_of

FORMAT: Final = "okey101-puzzles/1"
FILE: Final = Path(__file__).with_name("puzzles.json")
Theme: TypeAlias = Literal["discards", "opening", "holding", "laying", "pairs", "taking", "end"]
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)
"""What a position is about; each has its words in the catalogues, as ``puzzle-theme-NAME``."""


@dataclass(frozen=True)
class Puzzle:
    """A position of a seat to act, and what its choices cost.

    ``position`` is its line of text and ``hand`` the seat's tiles as a rack is sorted, each group
    ended by a slash. ``played`` is what a plainer bot chose, ``why`` says why ``best`` is better,
    and ``costs`` has of each other choice how many points more it costs than the best.
    """

    number: int
    theme: Theme
    position: str
    hand: str
    best: str
    played: str
    why: Cause
    costs: Mapping[str, Spread]

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        found = parse_position(self.position)
        assert isinstance(found, View)
        return found

    def cost(self, answer: Action | str) -> Spread | None:
        """What an answer costs against the best: nothing, or None where it was not weighed.

        NotationError for a text that is no action.
        """
        action = parse_action(answer) if isinstance(answer, str) else answer
        if action == parse_action(self.best):
            return NOTHING
        return next((cost for one, cost in self.costs.items() if parse_action(one) == action), None)

    def move(self, action: str) -> Move:
        """A choice of the seat, for people."""
        return move_of(parse_action(action), self.view)

    @property
    def decision(self) -> Decision:
        """The position as a review tells a mistake: the plainer bot's choice and what it cost."""
        moves = {action: asdict(self.move(action)) for action in (self.best, *self.costs)}
        costs = {self.best: NOTHING, **self.costs}
        weighed = tuple(WeighedMove(**moves[one], loss=costs[one]) for one in costs)
        return Decision(
            0, self.move(self.played), self.move(self.best), NOTHING, NOTHING, costs[self.played],
            "large", self.why, weighed, None, None,
        )  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON, the answer among it."""
        return asdict(self)


def puzzle(number: int) -> Puzzle:
    """A position by its number, from 1; OkeyError ``no-such-puzzle``."""
    every = _kept()["puzzles"]
    if not 1 <= number <= len(every):
        raise OkeyError("no-such-puzzle", f"there is no position {number}", number=number)
    told = every[number - 1]
    costs = {action: Spread.of(*cost) for action, cost in told["costs"].items()}
    return Puzzle(**told | {"number": number, "why": Cause(**told["why"]), "costs": costs})


def puzzles_about(theme: Theme | None = None) -> list[int]:
    """The numbers of all positions, or of those about a theme."""
    every = enumerate(_kept()["puzzles"], 1)
    return [number for number, told in every if theme in (None, told["theme"])]


@cache
def _kept() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data
