"""What lies open at a table, as a client sees it: whole in a view, in parts in an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from okey101.bots.reasons import ReasonCode
from okey101.game.public import FORM
from okey101.server.protocol.open_side import (
    Count,
    FormText,
    Sheet,
    TilesText,
    TileText,
    deal_structs,
)
from okey101.server.protocol.options import TableOptions

__all__ = [
    "ActionFine",
    "DealPatch",
    "DealView",
    "EndView",
    "GroupWorth",
    "HintReason",
    "OpeningNeeds",
    "OptionsView",
    "Sheet",
    "TablePatch",
    "TableView",
]

Millis: TypeAlias = Annotated[int, Meta(ge=0, description="UTC in milliseconds")]
Hex32: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Stage: TypeAlias = Literal["waiting", "dealing", "playing", "over", "closed"]


class _Shown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a message."""


# The table ------------------------------------------------------------------------------------


class SeatView(_Shown, frozen=True, kw_only=True):
    """A seat: of a person (then with all fields), of a bot, or free (both names null).

    The ``name`` of a person who was deleted is null as well. ``away``: a bot plays meanwhile.
    ``late``: sat down since the match began, and may be sent away by the owner. ``coming``, of a
    bot's seat: who has it from the next deal on, null for somebody who was deleted.
    """

    name: str | None
    bot: str | None
    owner: bool | UnsetType = UNSET
    ready: bool | UnsetType = UNSET
    rematch: bool | UnsetType = UNSET
    away: bool | UnsetType = UNSET
    late: bool | UnsetType = UNSET
    coming: str | UnsetType | None = UNSET


class Commitment(_Shown, frozen=True, kw_only=True):
    """What the server has promised about a deal before anybody committed to randomness for it."""

    value: Hex32
    match: Count
    deal: Count
    round: Count | None


class AbandonedView(_Shown, frozen=True, kw_only=True):
    """A round for this deal that was abandoned, opened; as in a record, people without names."""

    commitment: Hex32
    seats: tuple[str, ...]
    commitments: tuple[str, ...]
    randomness: tuple[str, ...]
    secret: Hex32
    reason: str
    version: Count | UnsetType = UNSET


class RoundView(_Shown, frozen=True, kw_only=True):
    """How far the seats are with what makes the next deal fair.

    Once ``shown``, no commitment is taken any more, ``bots`` tells for each seat whether a bot sat
    there, and ``transcript`` is the digest of all that was shown; before, they are null. For each
    seat ``commitments`` and ``randomness`` hold what it has given, or null. ``left_out`` are the
    seats of those who broke a round for this deal: they take part in the next deal again.
    """

    number: Count
    shown: bool
    commitments: tuple[Hex32 | None, ...]
    bots: tuple[bool, ...] | None
    transcript: Hex32 | None
    randomness: tuple[str | None, ...]
    left_out: tuple[int, ...]
    abandoned: tuple[AbandonedView, ...]


class Scores(_Shown, frozen=True, kw_only=True):
    """The match so far: deals that count, totals and places by seat, teams' totals or null."""

    counted: Count
    totals: tuple[int, ...]
    teams: tuple[int, ...] | None
    places: tuple[int, ...]
    deals: tuple[Sheet, ...]


class TableView(_Shown, frozen=True, kw_only=True):
    """The table itself.

    ``deadline``: when the turn, or the pause before a deal, ends, or null. ``round`` is null
    between matches, and in a deal that began by version 1 of the protocol of fair deals.
    """

    id: str
    stage: Stage
    options: TableOptions
    seats: tuple[SeatView, ...]
    match: Count
    deadline: Millis | None
    turn_since: Millis
    commitment: Commitment | None
    round: RoundView | None
    scores: Scores


class TablePatch(_Shown, frozen=True, kw_only=True):
    """The parts of the table that changed."""

    stage: Stage | UnsetType = UNSET
    options: TableOptions | UnsetType = UNSET
    seats: tuple[SeatView, ...] | UnsetType = UNSET
    match: Count | UnsetType = UNSET
    deadline: Millis | UnsetType | None = UNSET
    turn_since: Millis | UnsetType = UNSET
    commitment: Commitment | UnsetType | None = UNSET
    round: RoundView | UnsetType | None = UNSET
    scores: Scores | UnsetType = UNSET


# The deal -------------------------------------------------------------------------------------


class Context(_Shown, frozen=True, kw_only=True):
    """Which deal and round a secret belongs to; no round in version 1."""

    table: str
    match: Count
    deal: Count
    round: Count | UnsetType = UNSET


class FairView(_Shown, frozen=True, kw_only=True):
    """What a finished deal came from, as in its record; people without names.

    ``seats``, ``commitments`` and ``abandoned`` are those of version 2.
    """

    version: Count | UnsetType = UNSET
    commitment: Hex32
    context: Context
    seats: tuple[str, ...] | UnsetType = UNSET
    commitments: tuple[str, ...] | UnsetType = UNSET
    randomness: tuple[str, ...]
    secret: Hex32
    abandoned: tuple[AbandonedView, ...] | UnsetType = UNSET


class EndView(_Shown, frozen=True, kw_only=True):
    """The end of a deal beside its result: the hands that were left, and what it came from."""

    hands: tuple[TilesText, ...]
    fair: FairView


if TYPE_CHECKING:

    class DealView(Struct):
        """All that lies open in a deal, ``end`` after its last action."""

    class DealPatch(Struct):
        """The parts of a deal that changed."""

else:
    DealView, DealPatch = deal_structs(FORM, EndView)


# One seat -------------------------------------------------------------------------------------


class OpeningNeeds(_Shown, frozen=True, kw_only=True):
    """What an opening needs now: points in sets and runs, or pairs."""

    need_points: int
    need_pairs: int


class OpeningView(OpeningNeeds, frozen=True, kw_only=True):
    """Opening: what is needed and what the hand reaches; the actions where it suffices.

    ``melds`` and ``pairs`` are absent at a table that is not assisted.
    """

    best_points: int
    best_pairs: int
    melds: str | UnsetType | None = UNSET
    pairs: str | UnsetType | None = UNSET


class BackView(_Shown, frozen=True, kw_only=True):
    """A way to take something back, and what it costs."""

    action: str
    points: int


class DiscardView(_Shown, frozen=True, kw_only=True):
    """A tile that may be discarded, and the fine for it with its rule, or null and 0."""

    tile: TileText
    rule: str | None
    points: int


class OptionsView(_Shown, frozen=True, kw_only=True, rename=lambda name: name.removesuffix("_")):
    """What the seat to act may do; ``melds``, ``lays`` and ``swaps`` only at assisted tables."""

    draw: bool
    take: bool
    return_: bool
    announce: bool
    pass_: bool
    indicator: bool
    opening: OpeningView
    melds: tuple[str, ...] | UnsetType = UNSET
    lays: tuple[str, ...] | UnsetType = UNSET
    swaps: tuple[str, ...] | UnsetType = UNSET
    backs: tuple[BackView, ...]
    discards: tuple[DiscardView, ...]


class ActionFine(_Shown, frozen=True, kw_only=True):
    """The fine that an action would cost."""

    rule: str
    points: int


class GroupWorth(_Shown, frozen=True, kw_only=True):
    """What a group is: its form and points, or the code of what is wrong with it."""

    form: FormText | None
    points: int
    code: str | None


class HintReason(_Shown, frozen=True, kw_only=True):
    """Why an action is a good one: a code, and the facts that its sentence names.

    ``safe``: by what lies open, the next player can't put the thrown tile down at once.
    """

    code: ReasonCode
    tile: TileText | None
    points: int
    need: int
    safe: bool
