"""The state of a table, as a value: its seats, its match, and the running deal.

Only :func:`okey101.server.tables.reduce.reduce` makes the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from okey101.game import Deal, RuleSet
from okey101.game.fair import commitment, deal_seed_of
from okey101.game.match import totals_of
from okey101.server.protocol.options import TableOptions

__all__ = ["FREE", "Played", "Seat", "Stage", "TableState", "state_hash"]


class Stage(StrEnum):
    """Where a table is in its life."""

    WAITING = "waiting"
    """People come and go."""
    DEALING = "dealing"
    """The secret of the next deal is fixed, and the seats add their randomness."""
    PLAYING = "playing"
    OVER = "over"
    """The match is finished."""
    CLOSED = "closed"


class Seat(NamedTuple):
    """Who sits in a seat: a person, a bot, or nobody."""

    user: str | None = None
    bot: str | None = None
    ready: bool = False
    rematch: bool = False
    away: bool = False
    """Whether a bot plays for the person."""
    missed: int = 0
    """Turns in a row that the clock ended."""

    @property
    def free(self) -> bool:
        """Whether nobody sits here."""
        return self.user is None and self.bot is None

    @property
    def human(self) -> bool:
        """Whether a person plays this seat now."""
        return self.user is not None and not self.away


FREE = Seat()


class Played(NamedTuple):
    """A finished deal with what makes it verifiable."""

    deal: Deal
    secret: bytes
    cuts: tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """Everything a table is, hidden tiles included; times are UTC milliseconds.

    ``cuts`` holds each seat's randomness for the deal that is prepared or runs. ``deadline`` is
    when the running turn, or the pause before a deal, ends; None for never. ``first_wait_ms`` is
    how long the first deal of a match waits for the randomness of the seats, ``pause_ms`` how long
    every other one waits for people who read the score sheet. ``heard`` keeps each person's last
    commands with their seq.
    """

    table: str
    options: TableOptions
    rules: RuleSet
    owner: str
    seats: tuple[Seat, ...]
    seq: int = 1
    at_ms: int = 0
    first_wait_ms: int = 5_000
    pause_ms: int = 30_000
    stage: Stage = Stage.WAITING
    match: int = 0
    dealer: int | None = None
    played: tuple[Played, ...] = ()
    deal: Deal | None = None
    secret: bytes | None = None
    cuts: tuple[bytes | None, ...] = ()
    deadline: int | None = None
    turn_since: int = 0
    turn_actions: int = 0
    sent_away: frozenset[str] = frozenset()
    heard: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """The number of the deal that is prepared or runs, from 0 and void ones included."""
        return len(self.played)

    @property
    def commitment(self) -> str | None:
        """What the table has promised about the deal that is prepared or runs."""
        if self.secret is None:
            return None
        return commitment(self.secret, self.table, self.match, self.number)

    @property
    def seed(self) -> bytes:
        """The seed that follows from the secret and the randomness of the seats."""
        assert self.secret is not None
        cuts = [cut or b"" for cut in self.cuts]
        return deal_seed_of(self.secret, self.table, self.match, self.number, cuts)

    @property
    def counted(self) -> int:
        """Deals played that count toward the agreed number (O7, E3)."""
        return sum(p.deal.result.counts for p in self.played if p.deal.result is not None)

    @property
    def totals(self) -> tuple[int, ...]:
        """Every seat's points in this match so far."""
        results = tuple(p.deal.result for p in self.played if p.deal.result is not None)
        return totals_of(self.rules, results)

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of the people who sit here."""
        return tuple(seat.user for seat in self.seats if seat.user is not None)

    def seat_of(self, user: str | None) -> int | None:
        """The seat a person sits in."""
        if user is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.user == user:
                return number
        return None

    def seq_of(self, user: str, rid: str) -> int | None:
        """Where a command was applied already."""
        for known, seq in self.heard.get(user, ()):
            if known == rid:
                return seq
        return None


def state_hash(state: TableState) -> str:
    """A short digest of everything in a state that later rows depend on: 16 hex digits."""
    deal = state.deal
    parts: tuple[object, ...] = (
        state.seq,
        state.stage.value,
        state.match,
        state.dealer,
        state.owner,
        state.seats,
        state.secret,
        state.cuts,
        state.deadline,
        state.totals if state.played else None,
        len(state.played),
    )
    if deal is not None:
        public = deal.public
        parts += (
            deal.hands,
            deal.drawn,
            public.turn,
            public.phase.value,
            public.turns,
            public.stock_count,
            public.discards,
            public.owners,
            tuple(group.pieces for group in public.table),
            public.known,
            public.fines,
            public.announced,
            public.high_points,
            public.high_pairs,
            public.taken,
            public.backs,
            len(public.placed),
            len(public.actions),
        )
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()
