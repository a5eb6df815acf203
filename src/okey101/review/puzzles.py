"""Positions in which one choice is clearly best: "Ne atarsın?"; ``scripts/make_puzzles.py``.

Who answers them and the positions are rated by Glicko-2: Mark Glickman's "Example of the Glicko-2
system" (https://www.glicko.net/glicko/glicko2.pdf), in which a first answer is a game between the
two and a rating period of its own. The library of that name can't be used: it takes the rating for
the deviation where it looks for the volatility (2.1.0, ``Player._f``).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from okey101.errors import OkeyError
from okey101.game.actions import Action, parse_action
from okey101.game.record.position import parse_position
from okey101.game.ruleset import RuleSet
from okey101.game.view import View
from okey101.review.balance import NOTHING, Spread
from okey101.review.deals import Decision, WeighedMove
from okey101.review.wording import Cause, Move, move_of

FORMAT: Final = "okey101-puzzles/1"
FILE: Final = Path(__file__).with_name("puzzles.jsonl")
"""Its first line says how the positions were made; each other is one of them."""
ASKED: Final = ("novice", "greedy", "steady", "neural", "master")
"""The bots of whom a position tells how many find the best choice."""
Theme: TypeAlias = Literal["discards", "opening", "holding", "laying", "pairs", "taking", "end"]
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)
"""What a position is about; each has its words in the catalogues, as ``puzzle-theme-NAME``."""

_SCALE: Final = 173.7178
_MEAN: Final = 1500.0
_TAU: Final = 0.5
"""How fast a volatility may change."""
_NEAR: Final = 1e-6
_PROVISIONAL: Final = 110.0
"""From which deviation on a rating is no more than a beginning."""
_REACH: Final = 1.96


class Rating(NamedTuple):
    """A person's or a position's strength, how uncertain it is, and how much it changes."""

    rating: float = _MEAN
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def reach(self) -> int:
        """How far the interval of 95 % reaches."""
        return round(_REACH * self.deviation)

    @property
    def provisional(self) -> bool:
        """Whether it may still change a lot."""
        return self.deviation > _PROVISIONAL


@dataclass(frozen=True)
class Puzzle:
    """A position of a seat to act, and what its choices cost.

    ``position`` is its line of text and ``hand`` the seat's tiles as a rack is sorted, each group
    ended by a slash. ``played`` is what a plainer bot chose, ``why`` says why ``best`` is better,
    and ``costs`` has of each other choice how many points more it costs than the best. ``found`` is
    how many bots of :data:`ASKED` choose the best.
    """

    number: int
    theme: Theme
    position: str
    hand: str
    best: str
    played: str
    why: Cause
    costs: Mapping[str, Spread]
    found: int

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        found = parse_position(self.position)
        assert isinstance(found, View)
        return found

    @property
    def key(self) -> str:
        """What its answers are kept by: its number may be another's in a later collection."""
        return hashlib.sha256(self.position.encode()).hexdigest()[:32]

    @property
    def start(self) -> Rating:
        """What it is rated before anybody has answered: by how many of our bots find the best.

        As if these had met it at the mean, and one more had found it and one more had not.
        """
        missed = len(ASKED) - self.found
        return Rating(_MEAN + 400 * math.log10((missed + 1) / (self.found + 1)))

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


def rated(own: Rating, games: Sequence[tuple[Rating, float]]) -> Rating:
    """A rating after the games of a period: against whom, and 1 for won or 0 for lost.

    >>> others = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
    >>> new = rated(Rating(1500, 200), others)
    >>> round(new.rating, 1), round(new.deviation, 2), round(new.volatility, 4)
    (1464.1, 151.52, 0.06)
    """
    mu, phi = (own.rating - _MEAN) / _SCALE, own.deviation / _SCALE
    certainty, gain = 0.0, 0.0
    for other, score in games:
        weight = 1 / math.sqrt(1 + 3 * (other.deviation / _SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(weight * ((other.rating - _MEAN) / _SCALE - mu)))
        certainty += weight**2 * expected * (1 - expected)
        gain += weight * (score - expected)
    volatility = _volatility(own.volatility, phi, 1 / certainty, gain / certainty)
    phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + certainty)
    return Rating(_MEAN + _SCALE * (mu + phi**2 * gain), _SCALE * phi, volatility)


def _volatility(before: float, phi: float, variance: float, delta: float) -> float:
    """The volatility after a period, by the paper's fifth step: Illinois' regula falsi."""
    start = math.log(before**2)

    def off(x: float) -> float:
        e, spread = math.exp(x), phi**2 + variance + math.exp(x)
        return e * (delta**2 - spread) / (2 * spread**2) - (x - start) / _TAU**2

    a, b = start, start - _TAU
    if delta**2 > phi**2 + variance:
        b = math.log(delta**2 - phi**2 - variance)
    else:
        while off(b) < 0:
            b -= _TAU
    at_a, at_b = off(a), off(b)
    while abs(b - a) > _NEAR:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = off(c)
        a, at_a = (b, at_b) if at_c * at_b <= 0 else (a, at_a / 2)
        b, at_b = c, at_c
    return math.exp(a / 2)


def puzzle(number: int) -> Puzzle:
    """A position by its number, from 1; OkeyError ``no-such-puzzle``."""
    lines = _kept()[0]
    if not 1 <= number < len(lines):
        raise OkeyError("no-such-puzzle", f"there is no position {number}", number=number)
    told = json.loads(lines[number])
    costs = {action: Spread.of(*cost) for action, cost in told["costs"].items()}
    return Puzzle(**told | {"number": number, "why": Cause(**told["why"]), "costs": costs})


def rules_of(position: str) -> str:
    """The rule set that a line of a position names."""
    return position.split("; ", 2)[1]


def puzzles_about(theme: Theme | None = None, rules: str | None = None) -> list[int]:
    """The numbers of the positions about a theme and under a rule set, where one is named.

    OkeyError ``unknown-preset``.
    """
    if rules is not None:
        RuleSet.preset(rules)
    wanted = (
        numbers
        for (about, under), numbers in _kept()[1].items()
        if theme in (None, about) and rules in (None, under)
    )
    return sorted(chain.from_iterable(wanted))


@cache
def _kept() -> tuple[list[str], dict[tuple[Theme, str], list[int]]]:
    """The lines of the file, and by theme and rule set the places of their positions."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    places: dict[tuple[Theme, str], list[int]] = {}
    for place, line in enumerate(lines[1:], 1):
        told = json.loads(line)
        places.setdefault((told["theme"], rules_of(told["position"])), []).append(place)
    return lines, places
