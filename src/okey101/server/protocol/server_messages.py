"""What a server sends: one struct a message, told apart by ``type``.

The server writes these messages without the structs, for speed; they describe what it writes, for
the JSON Schema and for clients, and a test holds both together. Tiles and actions are in the
notation, seats count from 0, times are UTC in milliseconds.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from okey101.server.protocol import views

Rid: TypeAlias = str
Seq: TypeAlias = Annotated[int, Meta(ge=1, description="the row of the table's log")]
Head: TypeAlias = Annotated[
    str, Meta(description="what to say in hello with the row's seq", max_length=50)
]
Code: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$(?!\n)")]


class ServerMessage(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"
):
    """Anything a server may send."""


# What happened --------------------------------------------------------------------------------


class _What(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """A row of the log as everybody may read it."""


class _AtSeat(_What, frozen=True, kw_only=True):
    seat: views.SeatNumber


class SatDown(_AtSeat, tag="sit", frozen=True, kw_only=True):
    """A person took a seat, or with ``waits`` has it once the running deal is over."""

    waits: Literal[True] | UnsetType = UNSET


class WentAway(_AtSeat, tag="leave", frozen=True, kw_only=True):
    """A person gave up a seat, or the promise of one."""


class SentAway(_AtSeat, tag="kick", frozen=True, kw_only=True):
    """The owner, or the administrator, sent the person in a seat away."""


class WasRenamed(_AtSeat, tag="rename", frozen=True, kw_only=True):
    """A person goes by another name."""


class WasReady(_AtSeat, tag="ready", frozen=True, kw_only=True):
    """A person is ready, or no longer."""

    on: bool


class BotChanged(_AtSeat, tag="bot", frozen=True, kw_only=True):
    """The owner put a bot on a seat, or with null took it away."""

    bot: str | None


class MatchBegan(_What, tag="start", frozen=True, kw_only=True):
    """A match begins; the server has fixed the secret of its first deal."""


class WasCommitted(_AtSeat, tag="commit", frozen=True, kw_only=True):
    """A seat committed itself to its randomness."""


class WereShown(_What, tag="show", frozen=True, kw_only=True):
    """All commitments are in, or their time is up: none is taken any more, and all may reveal."""


class WasRevealed(_AtSeat, tag="reveal", frozen=True, kw_only=True):
    """A seat revealed its randomness, which opens its commitment."""

    random: str


class WasAbandoned(_What, tag="abandon", frozen=True, kw_only=True):
    """The round, or the deal that came of it, is thrown away; another begins with a new secret.

    ``not-revealed``: a seat did not reveal in time; ``left``: who had committed left before;
    ``log-truncated``, ``restored``: the server has lost what it had acknowledged.
    """

    why: Literal["not-revealed", "left", "log-truncated", "restored"]


class WasDealt(_What, tag="deal", frozen=True, kw_only=True):
    """The tiles are dealt."""


class WasPlayed(_AtSeat, tag="act", frozen=True, kw_only=True):
    """Actions of a seat: by its owner, a bot, the clock, or where a bot had no choice."""

    actions: tuple[str, ...]
    by: Literal["user", "bot", "clock", "fallback"]


class WasAway(_AtSeat, tag="away", frozen=True, kw_only=True):
    """A bot plays for a person from now on, or, with ``on`` false, no longer."""

    on: bool
    why: Literal["late", "absent", "back"]


class WantsRematch(_AtSeat, tag="rematch", frozen=True, kw_only=True):
    """A person asks for another match, or no longer."""

    on: bool


class ServerRestarted(_What, tag="restart", frozen=True, kw_only=True):
    """The server came back: the clocks begin anew."""


class ServerPaused(_What, tag="pause", frozen=True, kw_only=True):
    """The server did not run for a while: the clock gets those milliseconds back."""

    ms: Annotated[int, Meta(ge=0, description="milliseconds")]


class WasClosed(_What, tag="close", frozen=True, kw_only=True):
    """The table is closed; nothing follows."""

    why: Literal["idle", "empty", "admin"]


What: TypeAlias = (
    SatDown | WentAway | SentAway | WasRenamed | WasReady | BotChanged | MatchBegan | WasCommitted
    | WereShown | WasRevealed | WasAbandoned | WasDealt | WasPlayed | WasAway | WantsRematch
    | ServerRestarted | ServerPaused | WasClosed
)  # fmt: skip


# Messages -------------------------------------------------------------------------------------


class You(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one seat alone is told: its hand, the tile drawn, and its options where asked for.

    Without ``hand`` no deal is on the table; ``drawn`` is null unless a tile was drawn this turn.
    """

    seat: views.SeatNumber
    hand: views.TilesText | UnsetType = UNSET
    drawn: str | UnsetType | None = UNSET
    options: views.OptionsView | UnsetType = UNSET
    __repr__ = object.__repr__


class ViewMessage(ServerMessage, tag="view", frozen=True, kw_only=True):
    """The whole table at ``seq``: the first answer to ``hello``, and whenever one's seat changes.

    ``you`` is null for those without a seat; ``here`` says for each seat who is connected.
    """

    seq: Seq
    at: views.Millis
    head: Head | UnsetType = UNSET
    table: views.TableView
    deal: views.DealView | None
    you: You | None
    here: tuple[bool, ...]


class Event(ServerMessage, tag="event", frozen=True, kw_only=True):
    """One row of the log: what happened, and the parts of the view that changed.

    ``table`` and ``deal`` are patches, absent where nothing changed. A ``deal`` with ``indicator``
    replaces the deal, an empty one removes it; any other changes parts, and the actions of
    ``what`` are appended to ``actions``. ``you`` replaces what was told of one's own seat.
    """

    seq: Seq
    at: views.Millis
    what: What
    head: Head | UnsetType = UNSET
    table: views.TablePatch | UnsetType = UNSET
    deal: views.DealPatch | UnsetType = UNSET
    you: You | UnsetType = UNSET


class Resumed(ServerMessage, tag="resumed", frozen=True, kw_only=True):
    """After the events that were missed: all is told up to ``seq``."""

    seq: Seq
    at: views.Millis
    head: Head | UnsetType = UNSET
    you: You | None
    here: tuple[bool, ...]


class Ack(ServerMessage, tag="ack", frozen=True, kw_only=True):
    """A command was applied, and is durable, at ``seq``; null for what the log does not keep."""

    rid: Rid
    seq: Seq | None


class Error(ServerMessage, tag="error", frozen=True, kw_only=True):
    """A message was refused and changed nothing; ``rule`` is the id of the rule that refuses."""

    rid: Rid | None
    code: Code
    message: str
    rule: str | None
    details: dict[str, Any]


class Refused(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why an action would be refused, as an ``error`` says it."""

    code: Code
    rule: str | None
    message: str
    details: dict[str, Any]


class Answer(ServerMessage, tag="answer", frozen=True, kw_only=True):
    """The answer to ``ask``.

    To ``options``: ``options``, null when it is not one's turn; ``opening``, what an opening needs,
    null after it, and ``kinds``, which groups one may lay when it is one's turn: both hold until
    somebody opens. To ``arrange``: ``aim``, ``groups`` as texts, ``left``, ``points``, ``pairs``.
    To ``check``: ``legal``, whether it may be done now; ``fine``, what it costs; ``error``, why the
    judge refuses it. Of groups ``error`` speaks as if it were one's turn to lay, and ``wait`` says
    why it is not, null where it is; ``groups`` has what each is worth, ``have`` and ``need`` what
    an opening with them reaches and needs, in points or in pairs, null after opening; ``short``
    that it falls short. To ``places``: ``actions``, the ways to choose from, and ``error`` where
    there are none. To ``hint``: ``action`` and its ``reason``. To ``opening``: ``form``, what the
    groups open with, null where they don't, ``groups``, ``left``, ``points`` and ``pairs``, and
    ``opening`` as for ``options``.
    """

    rid: Rid
    what: Literal["options", "arrange", "check", "places", "hint", "opening"]
    options: views.OptionsView | UnsetType | None = UNSET
    opening: views.OpeningNeeds | UnsetType | None = UNSET
    kinds: list[Literal["melds", "pairs"]] | UnsetType = UNSET
    actions: list[str] | UnsetType = UNSET
    aim: Literal["points", "tiles", "left", "pairs"] | UnsetType = UNSET
    groups: list[str | views.GroupWorth] | UnsetType = UNSET
    left: views.TilesText | UnsetType = UNSET
    points: int | UnsetType = UNSET
    pairs: int | UnsetType = UNSET
    legal: bool | UnsetType = UNSET
    wait: Refused | UnsetType | None = UNSET
    error: Refused | UnsetType | None = UNSET
    fine: views.ActionFine | UnsetType | None = UNSET
    have: int | UnsetType | None = UNSET
    need: int | UnsetType | None = UNSET
    short: bool | UnsetType = UNSET
    action: str | UnsetType = UNSET
    reason: views.HintReason | UnsetType = UNSET
    form: Literal["melds", "pairs"] | UnsetType | None = UNSET


class Presence(ServerMessage, tag="presence", frozen=True, kw_only=True):
    """The person in a seat has connected, or is gone."""

    seat: views.SeatNumber
    here: bool


class Muted(ServerMessage, tag="muted", frozen=True, kw_only=True):
    """The seats whose people one does not hear; it replaces what was said of this before."""

    seats: list[views.SeatNumber]


class Coming(ServerMessage, tag="coming", frozen=True, kw_only=True):
    """The bot's seat that one has from the next deal on; null once one has it, or not any more.

    Until then one is told what spectators are. Sent after ``view`` and ``resumed`` where there is
    such a seat, and whenever that changes.
    """

    seat: views.SeatNumber | None


class Said(ServerMessage, tag="said", frozen=True, kw_only=True):
    """The person in a seat says one of the phrases, to the one in the seat ``to`` or to all."""

    seat: views.SeatNumber
    phrase: str
    to: views.SeatNumber | UnsetType = UNSET


class Pong(ServerMessage, tag="pong", frozen=True, kw_only=True):
    """The answer to ``ping``, with its ``n`` and the server's time."""

    n: int
    at: views.Millis


class Bye(ServerMessage, tag="bye", frozen=True, kw_only=True):
    """The last message before the server closes the socket, and why it does."""

    code: Code


class Notice(ServerMessage, tag="notice", frozen=True, kw_only=True):
    """Something is wrong with the server for a while; ``on`` false: no longer.

    ``store-slow``: the disk does not answer, so moves wait to be stored.
    """

    code: Literal["store-slow"]
    on: bool


class Frozen(ServerMessage, tag="frozen", frozen=True, kw_only=True):
    """The table's log does not replay to the same state: nothing moves until that is sorted out."""

    code: Literal["table-frozen"]


AnyEvent: TypeAlias = (
    ViewMessage | Event | Resumed | Ack | Error | Answer | Presence | Muted | Coming | Said | Pong
    | Bye | Notice | Frozen
)  # fmt: skip
_DECODER = msgspec.json.Decoder(AnyEvent)


def read_event(text: str | bytes) -> AnyEvent:
    """Read one message of a server; msgspec.ValidationError for one that is none."""
    message: AnyEvent = _DECODER.decode(text)
    return message
