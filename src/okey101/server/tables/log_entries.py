"""What the log of a table holds: one struct a row, told apart by ``kind``.

An entry is what was accepted, never what was asked for: whoever reads the rows from the first on
comes to the same state. ``user`` is the id of the person who asked, ``rid`` the mark of the
command, and ``digest`` distinguishes it from another command with that mark.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from okey101.game import Action, parse_action
from okey101.server.protocol.options import TableOptions


class _Entry(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="kind",
):
    def __repr__(self) -> str:
        """The kind alone: an entry may hold a secret."""
        return f"<entry {self.__struct_config__.tag}>"


class _ByUser(_Entry, frozen=True, kw_only=True):
    user: str
    rid: str | None = None
    digest: int = 0


class Again(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deal of a finished match that is played again: its tiles, and its first actions, each after
    its seat. ``scores`` is what it came to.
    """

    match: str
    deal: int
    seed: str
    dealer: int
    actions: tuple[str, ...]
    scores: tuple[int, ...]
    __repr__ = object.__repr__


class Day(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The day whose deals are played at a table: their secrets, in hex digits, and its end.

    ``mix`` is what the player's seat contributes to each deal, if anything. With ``again`` it is no
    day: the tiles are known, the secret is for the bots alone, and nothing of it is kept.
    """

    date: str
    secrets: tuple[str, ...]
    closes_ms: int
    mix: str = ""
    again: Again | None = None
    __repr__ = object.__repr__


def is_try(day: Day | None) -> bool:
    """Whether what is played is a try of a day or a challenge, which waits until that is closed."""
    return day is not None and day.again is None


class Created(_Entry, tag="create", frozen=True, kw_only=True):
    """The first row: who owns the table, and its options with the rules in full.

    ``salt`` is drawn for the table: what names people in its transcripts follows from it.
    """

    user: str
    options: TableOptions
    salt: str = ""
    first_wait_ms: int = 5_000
    pause_ms: int = 30_000
    day: Day | None = None


class Sat(_ByUser, tag="sit", frozen=True, kw_only=True):
    """A person took a seat; ``late`` in a running match.

    With ``waits`` a bot plays the running deal to its end first.
    """

    seat: int
    late: bool = False
    waits: bool = False


class Left(_ByUser, tag="leave", frozen=True, kw_only=True):
    """A person left; before a match the seat is free again, during one a bot plays it."""


class Kicked(_Entry, tag="kick", frozen=True, kw_only=True):
    """The owner sent a person away, or the administrator.

    In a running match the owner may send away only those who came late.
    """

    seat: int
    by: Literal["owner", "admin"] = "owner"
    user: str | None = None
    rid: str | None = None
    digest: int = 0


class Renamed(_ByUser, tag="rename", frozen=True, kw_only=True):
    """A person goes by another name or face, neither of which is in the log, or as an account.

    A guest who signs in becomes the person ``to``, who goes on with a try of a day.
    """

    to: str | None = None


class ReadySet(_ByUser, tag="ready", frozen=True, kw_only=True):
    """A person is ready, or no longer."""

    on: bool = True


class BotSet(_ByUser, tag="bot", frozen=True, kw_only=True):
    """The owner put a bot on a seat, or took it away."""

    seat: int
    bot: str | None


class Started(_ByUser, tag="start", frozen=True, kw_only=True):
    """A match begins: the secret of its first deal, and the new order of the seats, if drawn.

    With ``fill`` a quick table begins by itself, and that bot takes every empty seat.
    """

    secret: str
    order: tuple[int, ...] | None = None
    fill: str | None = None


class Committed(_ByUser, tag="commit", frozen=True, kw_only=True):
    """A seat's commitment to its randomness for the next deal."""

    commitment: str


class CommitmentsShown(_Entry, tag="show", frozen=True, kw_only=True):
    """No more commitments are taken: all are shown, and who sits where is fixed.

    ``marks`` has name and version of each bot by its name, where it has a version.
    """

    marks: dict[str, str] = {}


class Revealed(_ByUser, tag="reveal", frozen=True, kw_only=True):
    """A seat's randomness for the next deal, which opens its commitment."""

    random: str


class Abandoned(_Entry, tag="abandon", frozen=True, kw_only=True):
    """The round, or the deal that came of it, is thrown away; another begins with a new secret.

    ``not-revealed``: a seat did not reveal in time; ``left``: whoever had committed left before;
    ``log-truncated`` and ``restored``: the server lost rows that it had acknowledged.
    """

    why: Literal["not-revealed", "left", "log-truncated", "restored"]
    secret: str


class Dealt(_Entry, tag="deal", frozen=True, kw_only=True):
    """No more randomness is taken: the tiles are dealt.

    Play begins ``hold_ms`` later, or as soon as all people have said that they have seen it.
    """

    hold_ms: int = 0


class _Act(_Entry, frozen=True, kw_only=True):
    seat: int
    actions: tuple[object, ...]
    by: Literal["user", "bot", "clock", "fallback"] = "user"
    bot: str | None = None
    user: str | None = None
    rid: str | None = None
    digest: int = 0
    secret: str | None = None


class Acted(_Act, tag="act", frozen=True, kw_only=True):
    """Actions of a seat, by its owner, a bot, the clock, or the fallback where a bot had no choice.

    ``bot`` is the bot's name and version; with the fallback it is the one that played for a bot
    that was late or failed, if one did. ``secret`` is the next deal's. The log keeps actions in
    their notation: :class:`_ActedRow`.
    """

    actions: tuple[Action, ...]


class _ActedRow(_Act, tag="act", frozen=True, kw_only=True):
    """:class:`Acted` as the log keeps it."""

    actions: tuple[str, ...]


class Away(_Entry, tag="away", frozen=True, kw_only=True):
    """A bot plays for a person from now on, or, with ``on`` false, no longer."""

    seat: int
    on: bool
    why: Literal["late", "absent", "back"]
    user: str | None = None
    rid: str | None = None
    digest: int = 0


class RematchSet(_ByUser, tag="rematch", frozen=True, kw_only=True):
    """A person asks for another match, or no longer.

    With ``secret`` everybody has asked by now and every seat has a player: the match begins, as
    with :class:`Started`.
    """

    on: bool = True
    secret: str | None = None
    order: tuple[int, ...] | None = None
    fill: str | None = None


class Restarted(_Entry, tag="restart", frozen=True, kw_only=True):
    """The server came back: the clocks begin anew."""


class Paused(_Entry, tag="pause", frozen=True, kw_only=True):
    """The process did not run for a while: the clock of the turn, or of the deal, gets it back."""

    ms: int


class Closed(_Entry, tag="close", frozen=True, kw_only=True):
    """The last row."""

    why: Literal["idle", "empty", "admin"]


_Other: TypeAlias = (
    Created | Sat | Left | Kicked | Renamed | ReadySet | BotSet | Started | Committed
    | CommitmentsShown | Revealed | Abandoned | Dealt | Away | RematchSet | Restarted | Paused
    | Closed
)  # fmt: skip
Entry: TypeAlias = _Other | Acted
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Other | _ActedRow)


def encode_entry(entry: Entry) -> bytes:
    """The entry as the log keeps it."""
    if not isinstance(entry, Acted):
        return _ENCODER.encode(entry)
    return _ENCODER.encode(replace(entry, actions=tuple(map(str, entry.actions))))


def read_entry(data: bytes) -> Entry:
    """An entry of the log; msgspec.DecodeError for anything else, NotationError for an action."""
    row: _Other | _ActedRow = _DECODER.decode(data)
    if not isinstance(row, _ActedRow):
        return row
    parts: dict[str, Any] = asdict(row) | {"actions": tuple(map(parse_action, row.actions))}
    return Acted(**parts)
