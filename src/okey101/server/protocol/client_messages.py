"""What a client sends: one struct a message, told apart by ``type``.

``rid`` is the client's own mark of a command: one that is sent again with the same mark is applied
once and acknowledged twice.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias
from zlib import crc32

import msgspec
from msgspec import Meta, Struct

from okey101.server.errors import refuse

# To Python, unlike ECMAScript, "$" alone also stands before a newline at the end.
Rid: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$(?!\n)")
]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=3)]

PHRASES: tuple[str, ...] = (
    "hello", "good-luck", "well-played", "thanks", "sorry", "hurry", "one-moment", "bad-tiles",
    "goodbye", "emoji-smile", "emoji-laugh", "emoji-wow", "emoji-cry", "emoji-angry",
    "emoji-clap", "emoji-thumb", "emoji-tea", "emoji-nazar",
)  # fmt: skip
"""All that can be said at a table; the words are in the catalogues."""


class Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything a client may send."""


class Command(Message, frozen=True, kw_only=True):
    """A message that is answered by ``ack`` or ``error``, with its ``rid``."""

    rid: Rid


class Logged(Command, frozen=True, kw_only=True):
    """A command that the table's log keeps, and that is applied once."""


class Hello(Message, tag="hello", frozen=True, kw_only=True):
    """The first message: the last ``seq`` seen, if any; ``options`` asks for them at each turn.

    ``head`` is what came with that row: by it the server knows its own word, and a log that has
    lost the row is told.
    """

    seq: Annotated[int, Meta(ge=0)] | None = None
    head: Annotated[str, Meta(max_length=50)] | None = None
    options: bool = False


class Sit(Logged, tag="sit", frozen=True, kw_only=True):
    """Take a seat, or the first free one; in a running match only that of a bot."""

    seat: SeatNumber | None = None


class Leave(Logged, tag="leave", frozen=True, kw_only=True):
    """Give the seat up; in a running match a bot plays it from now on."""


class Ready(Logged, tag="ready", frozen=True, kw_only=True):
    """Ready to begin, for the next deal, or, the dealing being shown, to play.

    ``on`` false takes it back before the match.
    """

    on: bool = True


class SetBot(Logged, tag="bot", frozen=True, kw_only=True):
    """Of the owner, before the match: put a bot on a free seat, or with null take it away."""

    seat: SeatNumber
    bot: Annotated[str, Meta(min_length=1, max_length=32)] | None


class Kick(Logged, tag="kick", frozen=True, kw_only=True):
    """Of the owner, before a match or after it: send a player away from the table."""

    seat: SeatNumber


class Start(Logged, tag="start", frozen=True, kw_only=True):
    """Of the owner: begin the match."""


class Commit(Logged, tag="commit", frozen=True, kw_only=True):
    """The seat's commitment to its randomness for the next deal: 64 hexadecimal digits."""

    commitment: Annotated[str, Meta(min_length=64, max_length=64, pattern=r"^[0-9a-f]+$(?!\n)")]


class Reveal(Logged, tag="reveal", frozen=True, kw_only=True):
    """The seat's randomness, which opens its commitment: 16 to 32 bytes in hexadecimal digits."""

    random: Annotated[str, Meta(min_length=32, max_length=64, pattern=r"^[0-9a-f]+$(?!\n)")]

    def __repr__(self) -> str:
        """Without the randomness, which nobody else may choose to know first."""
        return f"Reveal(rid={self.rid!r})"


class Act(Logged, tag="act", frozen=True, kw_only=True, omit_defaults=True):
    """An action in the notation: ``draw``, ``discard R9``, ``meld R7 R8 R9 / K11 Y11 B11``.

    ``deal`` and ``turn`` are the ``number`` and ``turns`` of the deal the client was shown: where
    another turn has begun since, nothing is done (``turn-over``).
    """

    action: Annotated[str, Meta(min_length=1, max_length=400)]
    deal: Annotated[int, Meta(ge=0)] | None = None
    turn: Annotated[int, Meta(ge=0)] | None = None


class Resume(Logged, tag="resume", frozen=True, kw_only=True):
    """Take one's seat back from the bot that plays it."""


class Rematch(Logged, tag="rematch", frozen=True, kw_only=True):
    """After a match: ask for another; it is prepared when all people at the table have."""

    on: bool = True


class Say(Command, tag="say", frozen=True, kw_only=True):
    """One of the phrases, to all or to the one in the seat ``to``; all hear it, it is not kept."""

    phrase: Annotated[str, Meta(max_length=32)]
    to: SeatNumber | None = None


class Mute(Command, tag="mute", frozen=True, kw_only=True):
    """Hear nothing more of the person in a seat, or with ``on`` false hear it again."""

    seat: SeatNumber
    on: bool = True


class Block(Command, tag="block", frozen=True, kw_only=True):
    """Keep apart from the person in a seat, who is not told, and hear nothing more of that one."""

    seat: SeatNumber


class Ask(Command, tag="ask", frozen=True, kw_only=True):
    """A question about one's own hand that changes nothing.

    ``options``: what may be done now, and what an opening needs. ``arrange``: the best arrangement
    with the ``aim`` points, tiles, left or pairs. ``check``: whether ``action`` would be legal, why
    not, what it costs, and what its groups are worth, at another's turn as well. ``places``: the
    ways in which ``tile`` may join the table's group ``group``. ``hint``: what a good player would
    do now, and why. ``opening``: what the hand could open with, or comes nearest.
    """

    what: Literal["options", "arrange", "check", "places", "hint", "opening"]
    aim: Literal["points", "tiles", "left", "pairs"] = "points"
    action: Annotated[str, Meta(max_length=400)] = ""
    tile: Annotated[str, Meta(max_length=3)] = ""
    group: Annotated[int, Meta(ge=0, le=106)] = 0


class Ping(Message, tag="ping", frozen=True, kw_only=True):
    """Answered by ``pong`` with the server's time; measures the round trip."""

    n: Annotated[int, Meta(ge=0, le=2**31)] = 0


AnyLogged: TypeAlias = (
    Sit | Leave | Ready | SetBot | Kick | Start | Commit | Reveal | Act | Resume | Rematch
)
AnyMessage: TypeAlias = Hello | AnyLogged | Say | Mute | Block | Ask | Ping
_DECODER = msgspec.json.Decoder(AnyMessage)
_ENCODER = msgspec.json.Encoder()


def read_message(text: str | bytes) -> AnyMessage:
    """Read one message; OkeyError ``bad-message`` says what is wrong and where."""
    try:
        message: AnyMessage = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        refuse("bad-message", reason=str(error)[:200])
    return message


class _Marked(Struct, frozen=True):
    rid: Rid | None = None


_MARKED = msgspec.json.Decoder(_Marked)


def rid_in(text: str | bytes) -> str | None:
    """The mark of a message that can't be read otherwise, if it has one."""
    try:
        return _MARKED.decode(text).rid
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def digest_of(command: Logged) -> int:
    """A number that tells a command from others with its mark, however its text was written."""
    return crc32(_ENCODER.encode(command))
