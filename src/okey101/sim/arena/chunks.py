"""The arena's unit of work: some deals of a job, played and counted, the same wherever that is.

:func:`play_chunk` is the one place where an arena plays. It depends on nothing but its arguments,
so chunks may be played by any process, machine or faster engine, and in any order.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations
from math import factorial
from time import perf_counter, process_time
from typing import Final, NamedTuple, TypeAlias, TypeVar

from okey101.bots.base import BotFactory, BotInfo
from okey101.bots.registry import bot_info, info_of, made
from okey101.errors import OkeyError, checked, whole_number
from okey101.game.deal import Deal
from okey101.game.dealing import Layout, deal_from_seed, match_seed
from okey101.game.ruleset import RuleSet, rules_of
from okey101.sim.conduct import Outcome, play_table
from okey101.sim.oracle import OracleBot


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


def plan_of(
    rules: RuleSet | str, bots: int, *, league: bool = False, oracle: bool = False
) -> ArenaPlan:
    """The plan for so many bots: two are a duel, one for each seat are seated in every order.

    ``rules`` may be the name of a preset. An ``oracle`` has the number after theirs, and challenges
    every anchor. OkeyError ``arena-bots`` for any other number, for a league of one, and for an
    oracle in every order.
    """
    rules = rules_of(rules)
    players = rules.players
    one_each = not league and bots != 2
    if checked(bots, int, "whole number") < 2 or (one_each and bots != players):
        words = f"two bots, or {players}, or a league of two or more are needed, not {bots}"
        raise OkeyError("arena-bots", words, players=players, got=bots)
    if league:
        kind = Kind.LEAGUE
        pairs = [Line(a, b) for a in range(bots) for b in range(bots) if a != b]
        lines = [*(Line(bot) for bot in range(bots)), *pairs]
    elif bots == 2:
        kind, lines = Kind.DUEL, [Line(1), Line(0, 1)]
    else:
        kind, lines = Kind.SEATINGS, [Line(bot) for bot in range(bots)]
    if oracle and one_each:
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


Player: TypeAlias = str | BotFactory
"""A bot as its word (:mod:`okey101.bots.registry`), or what makes one from a seed."""
Tally: TypeAlias = Counter[str]
"""Counts by name, such as ``end.finish``, ``opened.melds.3``, ``fine.P1`` or ``illegal``."""
_Points = TypeVar("_Points", int, float)
LAST_TURN: Final = 8
"""Openings in this turn of a seat or later are counted together."""
CLOCKS: Final = ("late", "spent_ns", "overrun_ns")
"""The counts that depend on the machine."""
_BOT_LABEL: Final = b"okey101 arena bot 1 "


def arena_deal(rules: RuleSet | str, seed: int, number: int) -> Layout:
    """Deal ``number`` of an arena's seed; the seats deal in turn, so each begins equally often.

    ``rules`` may be the name of a preset. OkeyError ``out-of-range`` for a number below 0.
    """
    rules = rules_of(rules)
    whole_number(number, "the number", 0, sys.maxsize)
    root = hashlib.sha256(f"okey101 arena 1 {seed}".encode()).digest()
    return deal_from_seed(rules, match_seed(root, number), number % rules.players)


def bot_seed(deal_seed: bytes, seat: int) -> int:
    """The randomness of a bot: of its deal and seat alone, and it tells nothing of the deal."""
    digest = hashlib.sha256(_BOT_LABEL + deal_seed + bytes([seat])).digest()
    return int.from_bytes(digest[:8], "big")


@dataclass(frozen=True, slots=True)
class Job:
    """What an arena plays: everything that its numbers depend on but the numbers of the deals."""

    rules: RuleSet
    players: tuple[Player, ...]
    seed: int = 0
    league: bool = False
    limit_ms: int = 5_000
    """The time for each choice."""
    oracle: bool = False
    """Whether ``oracle-1`` challenges every anchor too, as the yardstick."""
    compiled: bool = False
    """Whether tables whose bots all have a twin in the kernel are played there: the same numbers,
    sooner. OkeyError ``kernel-cold``, and ModuleNotFoundError without the extra ``sim``."""
    aivat: bool = False
    """Whether the luck of the draws is told too (:mod:`okey101.sim.arena.aivat`). It raises what
    ``compiled`` does."""

    def __post_init__(self) -> None:
        checked(self.rules, RuleSet)
        checked(self.players, Sequence, "list")

    @property
    def plan(self) -> ArenaPlan:
        """The tables of each deal; OkeyError ``arena-bots``."""
        return plan_of(self.rules, len(self.players), league=self.league, oracle=self.oracle)

    @property
    def everybody(self) -> tuple[Player, ...]:
        """The players by the numbers that the plan gives them, the oracle last."""
        return (*self.players, OracleBot) if self.oracle else self.players


@dataclass(frozen=True, slots=True)
class Chunk:
    """Deals ``first`` to ``first + deals - 1`` of a job.

    ``scores`` holds them deal by deal, line by line of the plan and place by place, and ``luck``
    in the same order the points that draws cost, where the job asks for it; each line has a tally.
    """

    first: int
    deals: int
    scores: tuple[int, ...]
    tallies: tuple[Tally, ...]
    seconds: float = 0.0
    processor_s: float = 0.0
    luck: tuple[float, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "first": self.first,
            "deals": self.deals,
            "scores": list(self.scores),
            **({"luck": list(self.luck)} if self.luck else {}),
            "tallies": [dict(sorted(tally.items())) for tally in self.tallies],
            "seconds": round(self.seconds, 3),
            "processor_s": round(self.processor_s, 3),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object], plan: ArenaPlan) -> Chunk:
        """Read it again; ValueError for anything that can't be of this plan."""
        first, deals, tallies = data.get("first"), data.get("deals"), data.get("tallies")
        if type(first) is not int or type(deals) is not int or first < 0 or deals < 1:
            raise ValueError("no numbers of deals")
        length = deals * len(plan.lines) * plan.width
        scores = _numbers(data.get("scores"), int, length, "scores")
        luck = _numbers(data["luck"], float, length, "luck") if data.get("luck", []) != [] else ()
        if not isinstance(tallies, list) or len(tallies) != len(plan.lines):
            raise ValueError("no counts")
        seconds, processor = data.get("seconds", 0), data.get("processor_s", 0)
        if not isinstance(seconds, int | float) or not isinstance(processor, int | float):
            raise ValueError("no times")
        return cls(first, deals, scores, tuple(map(_tally, tallies)), seconds, processor, luck)


def _numbers(data: object, kind: type[_Points], length: int, what: str) -> tuple[_Points, ...]:
    if not isinstance(data, list) or len(data) != length or any(type(n) is not kind for n in data):
        raise ValueError(f"no {what}, or too many or too few")
    return tuple(data)


def _tally(data: object) -> Tally:
    if not isinstance(data, dict) or not all(type(n) is int for n in data.values()):
        raise ValueError("no counts")
    return Counter(data)


def info_for(player: Player) -> BotInfo:
    """The bot behind a word or a factory; OkeyError ``unknown-bot`` or ``bot-unloadable``."""
    return bot_info(player) if isinstance(player, str) else info_of(player)


def check_players(players: Iterable[Player]) -> None:
    """Make each bot once, before anything is played; OkeyError as :func:`info_for`."""
    for player in players:
        info = info_for(player)
        made(info, player if isinstance(player, str) else info.name)


def play_chunk(job: Job, numbers: range, stopped: Callable[[], bool] = lambda: False) -> Chunk:
    """Play the deals of these numbers, the first of them at least, until ``stopped``."""
    began, worked = perf_counter(), process_time()
    plan = job.plan
    makers = [info_for(player).factory for player in job.everybody]
    seatings = tuple(plan.seatings())
    scores: list[int] = []
    luck: list[float] = []
    tallies = tuple(Counter[str]() for _ in plan.lines)
    deals = 0
    for number in numbers:
        if deals and stopped():
            break
        row, lucky = _one_deal(job, plan, makers, seatings, number, tallies)
        scores += row
        luck += lucky
        deals += 1
    return Chunk(
        numbers.start, deals, tuple(scores), tallies, perf_counter() - began,
        process_time() - worked, tuple(luck),
    )  # fmt: skip


def _one_deal(
    job: Job, plan: ArenaPlan, makers: list[BotFactory], seatings: tuple[Seating, ...], number: int,
    tallies: tuple[Tally, ...],
) -> tuple[list[int], list[float]]:  # fmt: skip
    """The scores of a deal and, where it is asked for, the luck in them."""
    rules = job.rules
    layout = arena_deal(rules, job.seed, number)
    assert layout.seed is not None
    seeds = [bot_seed(layout.seed, seat) for seat in range(rules.players)]
    deal = Deal.start(rules, layout)
    row = [0] * (len(plan.lines) * plan.width)
    lucky = [0.0] * len(row) if job.aivat else []
    compiled, draws = None, None
    if job.compiled:
        from okey101.sim.arena.compiled import CompiledTables

        compiled = CompiledTables(deal)
    if job.aivat:
        from okey101.sim.arena.aivat import DrawLuck

        draws = DrawLuck(deal)
    for seating in seatings:
        seated = [makers[bot] for bot in seating.bots]
        table, luck = None, list[float]()
        if compiled is not None:
            table = compiled.play(seated, seeds)
            luck = draws.of(compiled.codes()) if table and draws else []
        if table is None:
            bots = [maker(seed) for maker, seed in zip(seated, seeds, strict=True)]
            played = play_table(deal, bots, job.limit_ms * 1_000_000)
            table = Outcome.of(played)
            luck = draws.of_deal(played.deal) if draws else []
        for line, seats in seating.credits:
            for place, score in _scores(plan, table.scores, seats):
                row[line * plan.width + place] += score
            for place, points in _scores(plan, luck, seats) if luck else ():
                lucky[line * plan.width + place] += points
            _count(tallies[line], table, seats)
    return row, lucky


def _scores(
    plan: ArenaPlan, scores: Sequence[_Points], seats: tuple[int, ...]
) -> Iterator[tuple[int, _Points]]:
    """Scores, or the luck in them, by place; in teams it is the team's that counts."""
    for place in {plan.place(seat) for seat in seats}:
        yield place, scores[place] + scores[(place + 2) % 4] if plan.teams else scores[place]


def _count(tally: Tally, table: Outcome, seats: tuple[int, ...]) -> None:
    """Add what happened at a table to a line; ``seats`` are the line's bot's."""
    tally["tables"] += 1
    tally[f"end.{table.end.value}" if table.counts else "end.void"] += 1
    for seat in seats:
        tally["seats"] += 1
        tally["points"] += table.scores[seat]
        tally["won"] += table.winner == seat
        opened, turn = table.opened[seat], table.turns[seat]
        if opened is None:
            tally["unopened"] += 1
        else:
            tally[f"opened.{opened.value}.{min(turn or LAST_TURN, LAST_TURN)}"] += 1
        conduct = table.conducts[seat]
        for name in ("choices", "illegal", "crashed", "endless", *CLOCKS):
            if count := getattr(conduct, name):
                tally[name] += count
    for fine in table.fines:
        if fine.seat in seats:
            tally[f"fine.{fine.rule}"] += 1
            tally["fine-points"] += fine.points
