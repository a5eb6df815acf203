"""The shapes of answers, which the handlers give and the documents and the page's types follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from okey101.game.record.form import schema as record_schema
from okey101.render.rules_text import RulesTable
from okey101.review.deals import Decision
from okey101.review.puzzles import Theme
from okey101.server.ops.journal import (
    MOST_REPORTS,
    Journal,
    Reason,
    Report,
    Reports,
    reporters_of,
    settled,
)
from okey101.server.people.ladder import Pair
from okey101.server.people.models import MatchUser, SessionInfo, Traces, User
from okey101.server.people.profile import Strong
from okey101.server.people.service import Accounts
from okey101.server.protocol.options import TableOptions
from okey101.server.protocol.views import DealPatch, DealView, Millis, Sheet, TableView, TilesText

RECORD: Final = "Record"
"""The component that is a record in the format ``okey101/1``."""
_PLACE: Final = "#/components/schemas/"
_A_RECORD: Final = {"$ref": _PLACE + RECORD}


class ErrorBody(Struct, forbid_unknown_fields=True):
    """What is wrong: for programs, in English, by which rule, and the values within the message."""

    code: Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
    message: str
    rule: str | None
    details: dict[str, Any]


class ErrorAnswer(Struct, forbid_unknown_fields=True):
    """A request that was refused."""

    ok: Literal[False]
    error: ErrorBody


class VersionAnswer(Struct):
    """The version of the package, of the rules, and of the protocol."""

    version: str
    rules_version: int
    protocol: int


class TableAnswer(Struct):
    """A table as its viewer may see it, at the row ``seq``; ``seat`` is one's own, or null."""

    table: TableView
    seq: int
    seat: int | None
    here: list[bool]
    frozen: bool


ArrangedText: TypeAlias = Annotated[
    str, Meta(description="tiles as a rack is sorted: groups, each ended by a slash, then the rest")
]


class DealStep(Struct):
    """An action and what it changed; of the hands only the changed ones, by seat."""

    seat: int
    action: str
    deal: DealPatch
    hands: dict[str, ArrangedText]


class FairPart(Struct):
    """What makes a deal verifiable, as in the record."""

    commitment: str
    context: dict[str, str | int]
    randomness: list[str]
    secret: str


class DealAnswer(Struct):
    """A finished deal: its open side and all hands as dealt, then step by step."""

    match: str
    number: int
    rules: dict[str, str | int | bool]
    players: list[str] | None
    deal: DealView
    hands: list[ArrangedText]
    steps: list[DealStep]
    result: Sheet | None
    fair: FairPart | None


class PositionBody(Struct, forbid_unknown_fields=True):
    """A position as one line of text."""

    text: Annotated[str, Meta(max_length=4_000)]


class PositionAnswer(Struct):
    """What lies open in a position, and the hands by seat, null where it does not tell them."""

    deal: DealView
    hands: list[TilesText | None]


class PuzzleAnswer(Struct):
    """A position to solve, as its seat sees it, with its answer.

    ``hand`` is the rack of the seat to act, and ``decision`` what a plainer bot chose there, what
    is best, and what each choice costs.
    """

    number: int
    theme: Theme
    rules: dict[str, str | int | bool]
    deal: DealView
    hand: ArrangedText
    decision: Decision


class AnswerBody(Struct, forbid_unknown_fields=True):
    """What one would play in a position: an action, as in a record."""

    action: Annotated[str, Meta(max_length=200)]


class RuleField(Struct, omit_defaults=True):
    """A field of a rule set: its rule, its value, and the other values it may have.

    ``needs`` names another field that has to be true for it.
    """

    rule: str
    value: str | int | bool
    low: int | None = None
    high: int | None = None
    options: list[str | int | bool] | None = None
    needs: str | None = None


class RulesSection(Struct):
    """A section of the rules; a line begins with the id of its rule."""

    title: str
    lines: list[str]
    table: RulesTable | None


class NoticeSection(Struct):
    """A section of a privacy notice; a line that begins with ``- `` is a point of a list."""

    title: str
    lines: list[str]


class NoticeAnswer(Struct):
    """The privacy notice of whoever runs the server, in the language it is written in."""

    language: Literal["tr", "en"]
    sections: list[NoticeSection]


class RulesAnswer(Struct):
    """A preset: its fields by name, and as text."""

    preset: str
    fields: dict[str, RuleField]
    sections: list[RulesSection]


class OwnPerson(User, frozen=True):
    """What is kept about a person: ``guests`` are the ids of guests that became this account.

    ``bots`` are those of the person's bots.
    """

    guests: list[str]
    bots: list[str]


class KeptEvent(Struct):
    """A security event."""

    at_ms: Millis
    event: str
    detail: str


class KeptInvitation(Struct):
    """A seat that waits for a bot, or a table that a friend is called to, also ``sent`` ones."""

    table: str
    seat: int | None
    at: Millis
    sent: bool
    refused: bool


class KeptFamily(Struct):
    """A family table of one's own."""

    name: str
    link: str
    options: TableOptions
    made_ms: Millis


class KeptRegular(Struct, rename={"at_ms": "since_ms"}):
    """A family table where one is a regular, since when, and when one was told last by push that
    somebody waits there: 0 for never, null where one doesn't want to be.
    """

    name: str
    at_ms: Millis
    told_ms: Millis | None


class KeptDevice(Struct, rename={"session_id": "session"}):
    """A browser that is told by push, by a ``service``, as long as a session lasts."""

    service: str
    session_id: str
    quiet_from: int
    quiet_to: int
    zone: str
    made_ms: Millis


class KeptTry(Struct):
    """A try of a day's deals, with its points once all are played, and once the day is closed its
    score in tenths of a per cent, if it is ranked.
    """

    date: str
    begun_ms: Millis
    points: list[int] | None
    score: int | None


class KeptChallenge(Struct, rename={"date": "name"}):
    """A challenge that one has sent."""

    date: str
    made_ms: Millis


class KeptAnswer(Struct, rename={"solved": "right"}):
    """A first answer to a position, by a hash of it: what that was rated then, and oneself since.

    A rating is followed by its deviation and its volatility.
    """

    position: str
    at_ms: Millis
    solved: bool
    against: tuple[float, float, float]
    rating: tuple[float, float, float]


class KeptTie(Struct, rename={"other_id": "to"}):
    """Whom one has muted or blocked, or wants as a friend."""

    kind: Literal["mute", "block", "friend"]
    other_id: str
    at_ms: Millis


class KeptMatch(Struct):
    """A finished match with the person's own seats, and what is kept of each for the profile.

    ``near`` says whether somebody else at the table shared the person's address.
    """

    id: str
    seats: list[int]
    deeds: list[object]
    found: list[object]
    near: list[bool]
    record: Annotated[msgspec.Raw, Meta(extra_json_schema=_A_RECORD)]


class KeptReport(Struct):
    """A report that one made, or that was made of oneself: it does not tell by whom."""

    at: Millis
    made: bool
    reason: Reason
    table: str


class ExportAnswer(Struct):
    """Everything that is kept about a person."""

    users: OwnPerson
    sessions: list[SessionInfo]
    ties: list[KeptTie]
    invitations: list[KeptInvitation]
    families: list[KeptFamily]
    family_regulars: list[KeptRegular]
    push_devices: list[KeptDevice]
    events: list[KeptEvent]
    day_tries: list[KeptTry]
    days: list[KeptChallenge]
    puzzle_answers: list[KeptAnswer]
    match_seats: list[KeptMatch]
    reports: list[KeptReport]
    tables: list[str]


async def exported(
    accounts: Accounts, reports: Reports, user: str, tables: list[str]
) -> ExportAnswer:
    """What is kept about a person, who sits at these tables; OkeyError ``no-user``."""
    kept = await accounts.export(user)
    kept |= {"reports": [], "tables": tables}
    answer = msgspec.convert(kept, ExportAnswer, strict=False, from_attributes=True)
    own = {user, *answer.users.guests}
    answer.reports = [
        KeptReport(one.at, one.by in own, one.reason, one.table)
        for one in await reports.last(MOST_REPORTS)
        if one.by in own or one.of in own
    ]
    return answer


class TokenAnswer(Struct):
    """A token that nobody can be shown again."""

    token: str
    __repr__ = object.__repr__


class PersonAnswer(Traces, frozen=True):
    """How much is kept of a person, and the tables where that person sits."""

    tables: list[str]


class CodeAnswer(Struct):
    """A code that takes the place of a password for one sign-in, until a time."""

    code: str
    until_ms: Millis
    __repr__ = object.__repr__


class CheckAnswer(Struct):
    """What is wrong with the log, if anything, and how many tables it has."""

    ok: bool
    problems: list[str]
    tables: int


class AdminReport(Report, frozen=True, kw_only=True):
    """A report with names, null for those who were deleted.

    ``reporters`` is how many people among those listed reported the same person; ``settled`` says
    whether the person was muted or banned since, or the report set aside.
    """

    by_name: str | None
    of_name: str | None
    reporters: int
    settled: bool
    muted_until: Millis | None


async def reported(
    accounts: Accounts, reports: Reports, journal: Journal, limit: int
) -> list[AdminReport]:
    """What people reported of each other; the newest first."""
    kept = await reports.last(limit)
    done = settled(await journal.last(MOST_REPORTS))
    muted = await accounts.muted()
    now = await accounts.merged({user for one in kept for user in (one.by, one.of)})
    found = [replace(one, by=now[one.by], of=now[one.of]) for one in kept]
    names = await accounts.names(now.values())
    reporters = reporters_of(found)
    return [
        AdminReport(
            **asdict(one),
            by_name=names[one.by].name,
            of_name=names[one.of].name,
            reporters=reporters[one.of],
            settled=max(done.get(one.of, 0), done.get(before.of, 0)) > one.at,
            muted_until=muted.get(one.of),
        )
        for before, one in zip(kept, found, strict=True)
    ]


class AdminPair(Pair, frozen=True, kw_only=True):
    """Two accounts that met again and again on the ladder, with names."""

    user_name: str | None
    other_name: str | None


class AdminStrong(Strong, frozen=True, kw_only=True):
    """An account that plays better than people do, with its name."""

    user_name: str | None


class AdminBot(Struct):
    """A bot account: ``owner`` is a person's id, ``token`` says whether it has a running one."""

    id: str
    name: str | None
    owner: str
    created_ms: Millis
    seen_ms: Millis
    token: bool
    banned_until: Millis | None
    tables: list[str]


class AdminTable(Struct):
    """A table as the administrator sees it; ``frozen`` is why it is frozen, if it is."""

    id: str
    stage: Literal["waiting", "dealing", "playing", "over", "closed"]
    seq: int
    match: int
    deal: int
    seats: list[MatchUser]
    sockets: int
    frozen: str | None


SHAPES: Final[Mapping[str, dict[str, Any]]] = {
    "/api/tables/{table_id}/record": _A_RECORD,
    "/api/matches/{match_id}/record": _A_RECORD,
}
"""The JSON Schema of what addresses answer with whose handlers' types don't say it."""


def components() -> dict[str, dict[str, Any]]:
    """Every part that the shapes refer to, by name; the record's begin with ``Record``."""
    text = msgspec.json.encode(record_schema())
    there = text.replace(b'"#/$defs/', f'"{_PLACE}{RECORD}.'.encode())
    record = msgspec.json.decode(there, type=dict[str, Any])
    parts = record.pop("$defs")
    kept = {name: value for name, value in record.items() if name not in ("$schema", "$id")}
    _, errors = msgspec.json.schema_components([ErrorAnswer], ref_template=_PLACE + "{name}")
    return errors | {RECORD: kept} | {f"{RECORD}.{name}": part for name, part in parts.items()}
