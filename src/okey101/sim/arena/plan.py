"""Which tables of each deal are played, and which scores of them are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations
from math import factorial
from typing import Final, NamedTuple

from okey101.errors import OkeyError
from okey101.game.ruleset import RuleSet


class Kind(StrEnum):
    """What is compared."""

    DUEL = "duel"
    """One challenger against an anchor in all other seats."""
    SEATINGS = "seatings"
    """A bot for each seat, in every order."""
    LEAGUE = "league"
    """Every bot as the challenger of every other."""


class Line(NamedTuple):
    """What one row of scores is of: a bot, by its number, and whom it challenges.

    Without an anchor it is the bot among its own (a base line), or among all in every order.
    """

    bot: int
    anchor: int | None = None


class Seating(NamedTuple):
    """A table: the bots by seat, and for each line whose scores it has, the seats of that line."""

    bots: tuple[int, ...]
    credits: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """The tables of one deal; ``width`` scores are kept for each line."""

    kind: Kind
    bots: int
    players: int
    teams: bool
    lines: tuple[Line, ...]

    @property
    def width(self) -> int:
        """Scores of a line: one for each seat, in teams one for each side."""
        return 2 if self.teams and self.kind is not Kind.SEATINGS else self.players

    @property
    def weight(self) -> int:
        """How many tables are summed up in one score."""
        return factorial(self.players - 1) if self.kind is Kind.SEATINGS else 1

    @property
    def tables(self) -> int:
        """Tables of each deal."""
        return sum(1 for _ in self.seatings())

    def place(self, seat: int) -> int:
        """Where a seat's score stands in its line."""
        return seat % self.width

    def seatings(self) -> Iterator[Seating]:
        """The tables, in the order in which they are played."""
        seats = range(self.players)
        if self.kind is Kind.SEATINGS:
            for bots in permutations(range(self.players)):
                yield Seating(bots, tuple((bot, (seat,)) for seat, bot in enumerate(bots)))
            return
        for number, (bot, anchor) in enumerate(self.lines):
            if anchor is None:
                yield Seating((bot,) * self.players, ((number, tuple(seats)),))
                continue
            for place in range(self.width):
                own = tuple(seat for seat in seats if self.place(seat) == place)
                yield Seating(tuple(bot if s in own else anchor for s in seats), ((number, own),))

    def base(self, line: Line) -> int | None:
        """The number of the base line that a challenger's line is compared with."""
        return None if line.anchor is None else self.lines.index(Line(line.anchor))


def plan_of(rules: RuleSet, bots: int, *, league: bool = False, oracle: bool = False) -> ArenaPlan:
    """The plan for so many bots: two are a duel, one for each seat are seated in every order.

    An ``oracle`` has the number after theirs, and challenges every anchor. OkeyError ``arena-bots``
    for any other number, for a league of one, and for an oracle in every order.
    """
    players = rules.players
    if league:
        kind = Kind.LEAGUE
        pairs = [Line(a, b) for a in range(bots) for b in range(bots) if a != b]
        lines = [*(Line(bot) for bot in range(bots)), *pairs]
    elif bots == 2:
        kind, lines = Kind.DUEL, [Line(1), Line(0, 1)]
    else:
        kind, lines = Kind.SEATINGS, [Line(bot) for bot in range(bots)]
    if bots < 2 or (kind is Kind.SEATINGS and bots != players):
        words = f"two bots, or {players}, or a league of two or more are needed, not {bots}"
        raise OkeyError("arena-bots", words, players=players, got=bots)
    if oracle and kind is Kind.SEATINGS:
        words = "the oracle challenges anchors alone"
        raise OkeyError("arena-bots", words, players=players, got=bots)
    if oracle:
        lines += [Line(bots, line.bot) for line in lines if line.anchor is None]
    return ArenaPlan(kind, bots, players, rules.teams, tuple(lines))


# Which seeds are for what: what a bot was made with is not what it is judged by.
#
# ``benchmarks/seeds.json`` says the same to whoever is not a program.


class Purpose(StrEnum):
    """What deals are played for."""

    DEVELOPMENT = "development"
    """Anything: trying, tuning, training."""
    GATE = "gate"
    """Whether a new version is better than the old one."""
    RELEASE = "release"
    """The published numbers: once for each version of a bot."""


RANGES: Final = {
    Purpose.DEVELOPMENT: range(1_000_000),
    Purpose.GATE: range(1_000_000, 2_000_000),
    Purpose.RELEASE: range(2_000_000, 3_000_000),
}
"""The seeds of each purpose; the first one is taken where none is named."""
RELEASE_DEALS: Final = 5_000
"""So many deals a released number has, no more and no fewer."""


def purpose_of(seed: int) -> Purpose | None:
    """What a seed is for; None for one that is for nothing.

    >>> purpose_of(101)
    <Purpose.DEVELOPMENT: 'development'>
    """
    return next((purpose for purpose, seeds in RANGES.items() if seed in seeds), None)


def checked_seed(seed: int | None, purpose: Purpose) -> int:
    """The seed, or the first one of the purpose; OkeyError ``seed-range`` for one of another."""
    seeds = RANGES[purpose]
    if seed is None:
        return seeds.start
    if seed not in seeds:
        low, high = seeds.start, seeds.stop - 1
        words = f"the seeds for {purpose} are {low} to {high}"
        raise OkeyError("seed-range", words, purpose=purpose.value, low=low, high=high)
    return seed
