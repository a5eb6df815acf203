"""The tables of people's database, and the values that come out of it."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Raw, Struct
from sqlalchemy import Dialect, ForeignKey, Index, MetaData, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from okey101.review.puzzles import Rating
from okey101.server.protocol.bot_labels import label
from okey101.server.protocol.options import TableOptions
from okey101.server.protocol.views import Called, Millis
from okey101.server.store.statements import BYTES, INT, TEXT, partial_index

_STRICT = {"sqlite_strict": True}


class Json(TypeDecorator[Any]):
    """A value that is kept as its JSON; msgspec.MsgspecError for what can't be read as one."""

    impl = TEXT
    cache_ok = True

    def __init__(self, of: Any) -> None:
        super().__init__()
        self.of = of

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """A value as it is kept."""
        return None if value is None else msgspec.json.encode(value).decode()

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """What is kept as the value."""
        return None if value is None else msgspec.json.decode(value, type=self.of)


class Base(DeclarativeBase):
    """What the tables share: names for their constraints, by which they can be changed one day."""

    metadata = MetaData(
        naming_convention={
            "ix": "%(table_name)s_%(column_0_N_name)s",
            "uq": "%(table_name)s_%(column_0_N_name)s_unique",
            "fk": "%(table_name)s_%(column_0_N_name)s_of_%(referred_table_name)s",
            "pk": "%(table_name)s_key",
        }
    )
    __table_args__: Any = _STRICT
    type_annotation_map = {str: TEXT, int: INT, bytes: BYTES} | {
        of: Json(of) for of in (tuple[int, ...], tuple[str, ...], TableOptions, Rating)
    }

    sealed: Mapped[bytes | None] = mapped_column(deferred=True, sort_order=1)
    """A digest of the row, which is the store's affair."""


class UserRow(Base):
    """A person: a guest until there is a password; nameless once deleted.

    Until ``code_until`` the password is a code that works once. ``merged_into`` is the account
    that took over what a guest had, ``owner_id`` the person whose bot this is.
    """

    __tablename__ = "users"
    __table_args__ = (
        # Two guests may be called Ali, but only one account.
        partial_index(
            "users_account_name", "name_key", of="password_hash IS NOT NULL", unique=True
        ),
        Index("users_seen_ms", "seen_ms"),
        Index("users_owner_id", "owner_id"),
        _STRICT,
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str | None]
    name_key: Mapped[str | None]
    password_hash: Mapped[str | None]
    code_until: Mapped[int | None]
    created_ms: Mapped[int]
    seen_ms: Mapped[int]
    language: Mapped[str]
    face: Mapped[int | None]
    banned_until: Mapped[int | None]
    ban_reason: Mapped[str | None]
    muted_until: Mapped[int | None]
    moderator: Mapped[int] = mapped_column(server_default="0")
    shown: Mapped[int] = mapped_column(server_default="0")
    """Whether friends are told when this one is here."""
    unlisted: Mapped[int] = mapped_column(server_default="0")
    """Whether this one is left out of what others see of the ladder; of who is erased, whether it
    was an account, whose matches go on to count for the others."""
    public: Mapped[int] = mapped_column(server_default="0")
    """Whether others see this one's profile."""
    unweighed: Mapped[int] = mapped_column(server_default="0")
    """Whether no strength is worked out of this one."""
    deleted_ms: Mapped[int | None]
    merged_into: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)
    owner_id: Mapped[str | None]

    into: Mapped[UserRow | None] = relationship(remote_side="UserRow.id", viewonly=True)
    owner: Mapped[UserRow | None] = relationship(
        primaryjoin="foreign(UserRow.owner_id) == remote(UserRow.id)", viewonly=True
    )

    @property
    def shown_name(self) -> str | None:
        """A bot's name says whose it is."""
        if self.owner_id is None or self.name is None:
            return self.name
        return label(self.name, None if self.owner is None else self.owner.name)

    @property
    def called(self) -> Called:
        """What the others see of it, of a merged guest what they see of the account."""
        return Called(self.shown_name, self.face) if self.into is None else self.into.called


class SessionRow(Base):
    """A browser or program that somebody is signed in with."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    token_hash: Mapped[bytes] = mapped_column(unique=True)
    created_ms: Mapped[int]
    seen_ms: Mapped[int]
    expires_ms: Mapped[int] = mapped_column(index=True)
    agent: Mapped[str]


class MatchRow(Base):
    """A finished match; ``record`` is zlib of the record's JSON without the players' names.

    ``totals`` and ``places`` are by seat.

    Those who did not play it see it from ``shown_ms`` on.
    """

    __tablename__ = "matches"

    id: Mapped[str] = mapped_column(primary_key=True)
    table_id: Mapped[str] = mapped_column(index=True)
    number: Mapped[int]
    finished_ms: Mapped[int]
    preset: Mapped[str]
    deals: Mapped[int]
    totals: Mapped[tuple[int, ...]]
    places: Mapped[tuple[int, ...]]
    record: Mapped[bytes]
    shown_ms: Mapped[int] = mapped_column(server_default="0")


class SeatRow(Base):
    """Who sat where; without person and bot, somebody of whom nothing is known any more.

    ``finished_ms`` repeats the match's, so that one index lists a person's matches in order.
    ``deeds`` is what was done here in each deal, and ``found`` what the match's review found of it,
    both as JSON (:mod:`okey101.server.people.profile`). ``near`` is as in :class:`MatchSeat`.
    """

    __tablename__ = "match_seats"
    __table_args__ = (
        Index("match_seats_of_user", "user_id", "finished_ms", "match_id"),
        partial_index(
            "match_seats_not_reviewed", "finished_ms", "match_id", "seat",
            of="found IS NULL AND user_id IS NOT NULL",
        ),
        _STRICT,
    )  # fmt: skip

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    bot: Mapped[str | None]
    finished_ms: Mapped[int]
    deeds: Mapped[str | None]
    found: Mapped[str | None]
    near: Mapped[int] = mapped_column(server_default="0")


class ReviewRow(Base):
    """What a match's review found: zlib of its JSON, which names nobody."""

    __tablename__ = "match_reviews"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    made_ms: Mapped[int]
    data: Mapped[bytes]


class TieRow(Base):
    """``user_id`` doesn't want to hear ``other_id``, where ``kind`` is mute, doesn't want to meet
    the other at all, block, or wants the other as a friend: two of whom each wants it are friends.
    """

    __tablename__ = "ties"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True)
    other_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    at_ms: Mapped[int]


class InvitationRow(Base):
    """A seat at a table that is offered to a bot, or any seat there to a friend of ``sender_id``.

    ``refused`` is 1 once the answer was no.
    """

    __tablename__ = "invitations"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True)
    table_id: Mapped[str] = mapped_column(primary_key=True, index=True)
    seat: Mapped[int | None]
    sender_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)
    at_ms: Mapped[int]
    refused: Mapped[int] = mapped_column(server_default="0")


class FamilyRow(Base):
    """A family table of an account: what it is called, the last part of its address, and the
    options of its tables.
    """

    __tablename__ = "families"

    id: Mapped[str] = mapped_column(primary_key=True)
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str]
    link: Mapped[str] = mapped_column(unique=True)
    options: Mapped[TableOptions]
    made_ms: Mapped[int]


class RegularRow(Base):
    """An account that has sat down at a family table by its link.

    ``told_ms`` is when it was told last by push that somebody waits there; without one it is not.
    """

    __tablename__ = "family_regulars"

    family_id: Mapped[str] = mapped_column(ForeignKey("families.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    at_ms: Mapped[int]
    told_ms: Mapped[int | None]


class PushRow(Base):
    """A browser that takes messages by push for as long as its session lasts: where, and what they
    are enciphered with; none between two hours of the day in its time zone.
    """

    __tablename__ = "push_devices"

    session_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    endpoint: Mapped[str] = mapped_column(unique=True)
    key: Mapped[str]
    secret: Mapped[str]
    quiet_from: Mapped[int]
    quiet_to: Mapped[int]
    zone: Mapped[str]
    made_ms: Mapped[int]

    @property
    def service(self) -> str:
        """Whose service it is reached by."""
        return urlsplit(self.endpoint).netloc


class FamilyTableRow(Base):
    """A table that was opened for a family, the ``number``-th: so its matches are the family's."""

    __tablename__ = "family_tables"

    family_id: Mapped[str] = mapped_column(ForeignKey("families.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[str] = mapped_column(unique=True)


class EventRow(Base):
    """A line of the security log: no address, no name that was typed, kept for 90 days."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(primary_key=True)
    at_ms: Mapped[int] = mapped_column(index=True)
    event: Mapped[str]
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)
    detail: Mapped[str]


class DayRow(Base):
    """The deals of a day or a challenge: their secrets, and the options of the tables.

    ``date`` is the day's, or what names the challenge that ``sender_id`` sends. ``digest`` is what
    was promised, and ``closed`` is 1 once the records of all tries are made. ``mix`` is what the
    contributions came to, empty where there were none, once their list ``shares`` is closed.
    """

    __tablename__ = "days"

    date: Mapped[str] = mapped_column(primary_key=True)
    made_ms: Mapped[int]
    begins_ms: Mapped[int]
    ends_ms: Mapped[int]
    closes_ms: Mapped[int]
    secrets: Mapped[tuple[str, ...]]
    options: Mapped[TableOptions]
    digest: Mapped[str]
    sender_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)
    closed: Mapped[int] = mapped_column(server_default="0")
    mix: Mapped[str | None]
    shares: Mapped[tuple[str, ...] | None] = mapped_column(deferred=True)


class ShareRow(Base):
    """A contribution to a day to come, until the list of them is closed; not whose it is."""

    __tablename__ = "day_shares"

    date: Mapped[str] = mapped_column(ForeignKey("days.date"), primary_key=True)
    share: Mapped[str] = mapped_column(primary_key=True)


class TryRow(Base):
    """A try of a day by its table, or a bot's by its number.

    ``points``, by deal, are there once all is played, and ``score``, of a ranked person in
    tenths of a per cent, once the day is closed. A person has one try a day; without person and
    bot it is of somebody who has another by now.
    """

    __tablename__ = "day_tries"
    __table_args__ = (
        Index("day_tries_of_user", "date", "user_id", unique=True),
        Index("day_tries_finished", "date", "finished_ms", "bot"), _STRICT,
    )  # fmt: skip

    id: Mapped[str] = mapped_column(primary_key=True)
    date: Mapped[str] = mapped_column(ForeignKey("days.date"))
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)
    bot: Mapped[int | None]
    ranked: Mapped[int]
    begun_ms: Mapped[int]
    points: Mapped[tuple[int, ...] | None]
    finished_ms: Mapped[int | None]
    score: Mapped[int | None]


class PuzzleRow(Base):
    """A position that was answered, by a hash of its text, and what it is rated."""

    __tablename__ = "puzzles"

    position: Mapped[str] = mapped_column(primary_key=True)
    rating: Mapped[Rating]


class AnswerRow(Base):
    """A person's first answer to a position: whether it was the best, what the position was rated
    then, and what the person is rated since.

    Each is later than the person's one before.
    """

    __tablename__ = "puzzle_answers"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True)
    position: Mapped[str] = mapped_column(ForeignKey("puzzles.position"), primary_key=True)
    at_ms: Mapped[int]
    solved: Mapped[int]
    against: Mapped[Rating]
    rating: Mapped[Rating]


# What the accounts answer with: plain values; times are UTC in milliseconds.

FOREVER: Final = 253_402_300_799_000
"""The end of the year 9999: a ban without end."""


FACES: Final = range(8, 24)
"""The drawn faces that people choose among; those before are the bots'."""


class User(Struct, frozen=True):
    """A person, or the bot of one; ``name`` is None once deleted. The administrator sees all of it.

    ``account`` says that there is a password, ``shown`` that friends are told when the person is
    here, ``listed`` that others see the person in the ladder, ``public`` that they see the person's
    profile, ``weighed`` that a strength is worked out, ``owner`` is the id of a bot's owner, whose
    name is part of the bot's.
    """

    id: str
    name: str | None
    face: int | None
    account: bool
    language: str
    created_ms: Millis
    seen_ms: Millis
    banned_until: Millis | None
    ban_reason: str | None
    muted_until: Millis | None
    moderator: bool
    shown: bool
    listed: bool
    public: bool
    weighed: bool
    deleted: bool
    owner: str | None

    @property
    def called(self) -> Called:
        """What the others see of it."""
        return Called(self.name, self.face)


class Traces(Struct, frozen=True):
    """How much of a person is kept: what an erasure removes, and the matches, which stay.

    ``ties`` are mutes, blocks and friends, ``bots`` the names of the person's bots.
    """

    user: User
    sessions: int
    ties: int
    matches: int
    bots: list[str]


class SessionInfo(Struct, frozen=True):
    """One of a person's sessions, without its token, as its owner sees it."""

    id: str
    created_ms: Millis
    seen_ms: Millis
    expires_ms: Millis
    agent: str


class Session(SessionInfo, frozen=True):
    """A session that is running, and whose it is."""

    user: User


class MatchSeat(NamedTuple):
    """Whom to remember for a seat: a person's id or a bot's name, and whose address the person
    shared at the end: ``near`` has a bit for each such seat. The address is not kept.
    """

    user: str | None = None
    bot: str | None = None
    near: int = 0


class MatchUser(Struct, frozen=True):
    """Who sits or sat on a seat: a person, by id, name and face, a bot, nobody, or one deleted."""

    user: str | None
    bot: str | None
    name: str | None
    face: int | None


class MatchSummary(NamedTuple):
    """A finished match without its record; ``totals`` and ``places`` are by seat.

    From ``shown_ms``, UTC milliseconds, on it is for everybody.
    """

    id: str
    table_id: str
    number: int
    finished_ms: int
    preset: str
    deals: int
    totals: tuple[int, ...]
    places: tuple[int, ...]
    shown_ms: int
    seats: tuple[MatchUser, ...]

    def shown_to(self, user: str | None, at_ms: int) -> bool:
        """Whether a person, or None for nobody known, may see it at a time."""
        played = user is not None and any(seat.user == user for seat in self.seats)
        return played or at_ms >= self.shown_ms


class StoredMatch(NamedTuple):
    """A finished match with the JSON of its record, which names nobody, and the players' names."""

    summary: MatchSummary
    data: bytes
    players: list[str]

    def record(self) -> dict[str, object]:
        """The record, decoded, with the players' names filled in."""
        kept: dict[str, object] = json.loads(self.data)
        deals = {"deals": kept.pop("deals")} if "deals" in kept else {}
        return kept | {"players": self.players} | deals

    def json(self) -> Raw:
        """The same as JSON, the names first: nothing is decoded."""
        return Raw(b'{"players":' + json.dumps(self.players).encode() + b"," + self.data[1:])
