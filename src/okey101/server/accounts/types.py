"""What the accounts answer with: plain values; times are UTC in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = [
    "FOREVER",
    "MatchHead",
    "MatchSeat",
    "MatchSummary",
    "MatchUser",
    "Pruned",
    "Session",
    "SessionInfo",
    "StoredMatch",
    "User",
]

FOREVER: Final = 253_402_300_799_000
"""The end of the year 9999: a ban without end."""


class User(NamedTuple):
    """A person, or the bot of one; ``name`` is None once deleted.

    ``account`` says that there is a password, ``owner`` is the id of a bot's owner, whose name is
    part of the bot's.
    """

    id: str
    name: str | None
    account: bool
    language: str
    created_ms: int
    seen_ms: int
    banned_until: int | None = None
    ban_reason: str | None = None
    deleted: bool = False
    owner: str | None = None


class SessionInfo(NamedTuple):
    """One of a person's sessions, as its owner sees it in the list."""

    id: str
    created_ms: int
    seen_ms: int
    expires_ms: int
    agent: str


class Session(NamedTuple):
    """A session that is running, and whose it is."""

    id: str
    user: User
    created_ms: int
    seen_ms: int
    expires_ms: int
    agent: str


class MatchSeat(NamedTuple):
    """Whom to remember for a seat: a person's id or a bot's name."""

    user: str | None = None
    bot: str | None = None


class MatchUser(NamedTuple):
    """Who sat on a seat; without name and bot, a person who is deleted or unknown."""

    user: str | None
    name: str | None
    bot: str | None


class MatchSummary(NamedTuple):
    """A finished match in a list; ``totals`` are by seat."""

    id: str
    table_id: str
    number: int
    finished_ms: int
    preset: str
    deals: int
    totals: tuple[int, ...]
    seats: tuple[MatchUser, ...]


class MatchHead(NamedTuple):
    """A finished match without its record.

    From ``shown_ms``, UTC milliseconds, on it is for everybody.
    """

    summary: MatchSummary
    shown_ms: int = 0

    def shown_to(self, user: str | None, at_ms: int) -> bool:
        """Whether a person, or None for nobody known, may see it at a time."""
        played = user is not None and any(seat.user == user for seat in self.summary.seats)
        return played or at_ms >= self.shown_ms


class StoredMatch(NamedTuple):
    """A finished match with its record, the players' names filled in."""

    summary: MatchSummary
    record: Mapping[str, object]


class Pruned(NamedTuple):
    """How much was removed."""

    sessions: int
    events: int
    guests: int
