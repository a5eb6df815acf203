"""What lies open at a table, as a client sees it: whole in a view, in parts in an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, Union

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, structs

from okey101.bots.reasons import ReasonCode
from okey101.game.public import FORM
from okey101.review.matches import MatchReview
from okey101.review.puzzles import Theme
from okey101.server.protocol.options import TableOptions

SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
TileText: TypeAlias = Annotated[str, Meta(pattern=r"^([RYBK]([1-9]|1[0-3])|F|[*])$(?!\n)")]
TilesText: TypeAlias = Annotated[str, Meta(description="tiles separated by blanks")]
FormText: TypeAlias = Literal["set", "run", "pair"]
PhaseText: TypeAlias = Literal[
    "draw", "must-draw", "play", "last-discard", "last-indicator", "over"
]
OpenedText: TypeAlias = Literal["melds", "pairs"] | None
Millis: TypeAlias = Annotated[int, Meta(ge=0, description="UTC in milliseconds")]
Hex32: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
Stage: TypeAlias = Literal["waiting", "dealing", "playing", "over", "closed"]


class _Shown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a message."""


def _parts(name: str, whole: type[Struct], doc: str, but: tuple[str, ...] = ()) -> type[Struct]:
    """The shape of the parts of something that changed."""
    fields: list[Any] = [
        (field.name, Union[field.type, UnsetType], UNSET)  # noqa: UP007  # of values
        for field in structs.fields(whole)
        if field.name not in but
    ]
    return defstruct(
        name, fields, bases=(_Shown,), frozen=True, kw_only=True, namespace={"__doc__": doc},
        module=__name__,
    )  # fmt: skip


class GroupView(_Shown, frozen=True, kw_only=True):
    """A meld on the table; its place in the list, from 1, is the number that laying off names."""

    owner: SeatNumber
    form: FormText
    tiles: TilesText


class Highest(_Shown, frozen=True, kw_only=True):
    """The highest openings so far, where thresholds rise."""

    points: int
    pairs: int


class FineView(_Shown, frozen=True, kw_only=True):
    """A fine and the rule it is charged by."""

    seat: SeatNumber
    rule: str
    points: int


class PlacedView(_Shown, frozen=True, kw_only=True):
    """Where a tile of ``placed`` lies: which group it came to and what that was before.

    ``nth`` is its place in a new group, -1 for a lay-off or a swap; ``before`` is then the group it
    came to, else the whole new group. ``swapped``: an okey came to the hand in its place.
    """

    group: Annotated[int, Meta(ge=1)]
    nth: int
    before: str
    form: FormText
    swapped: bool


class SheetLine(_Shown, frozen=True, kw_only=True):
    """How a seat's score came about: base times each factor, plus fines."""

    seat: SeatNumber
    base: int
    factors: tuple[str, ...]
    fines: int
    total: int


class Sheet(_Shown, frozen=True, kw_only=True):
    """The result of a deal; one that does not ``counts`` is played again."""

    end: Literal["finish", "stock", "all-pairs"]
    winner: SeatNumber | None
    scores: tuple[int, ...]
    fines: tuple[FineView, ...]
    sheet: tuple[SheetLine, ...]
    counts: bool


# The table ------------------------------------------------------------------------------------


class Called(NamedTuple):
    """What a person goes by: a name, None once deleted, and the face that was chosen, if any."""

    name: str | None = None
    face: int | None = None


class SeatView(_Shown, frozen=True, kw_only=True):
    """A seat: of a person (then with all fields), of a bot, or free (both names null).

    The ``name`` of a person who was deleted is null as well. ``id`` names a person at this table
    alone, whatever the name. ``face`` numbers the drawn face that the person chose, where one was
    chosen. ``away``: a bot plays meanwhile.
    ``late``: sat down since the match began, and may be sent away by the owner. ``coming``, of a
    bot's seat: who has it from the next deal on, null for somebody who was deleted.
    """

    name: str | None
    bot: str | None
    id: str | UnsetType = UNSET
    face: Count | UnsetType = UNSET
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
    round: Count


class AbandonedView(_Shown, frozen=True, kw_only=True):
    """A round for this deal that was abandoned, opened; as in a record."""

    commitment: Hex32
    seats: tuple[str, ...]
    commitments: tuple[str, ...]
    randomness: tuple[str, ...]
    secret: Hex32
    reason: str


class RoundView(_Shown, frozen=True, kw_only=True):
    """How far the seats are with what makes the next deal fair.

    Once ``shown``, no commitment is taken any more, ``seats`` tells who sits in each seat, a
    person's ``id`` or ``bot:`` and a bot's name and version, and ``transcript`` is the digest of
    all that was shown, with the options of the table; before, they are null. For each
    seat ``commitments`` and ``randomness`` hold what it has given, or null. ``left_out`` are the
    seats of those who broke a round for this deal: they take part in the next deal again.
    """

    number: Count
    shown: bool
    commitments: tuple[Hex32 | None, ...]
    seats: tuple[str, ...] | None
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


class AgainView(_Shown, frozen=True, kw_only=True):
    """The deal of a finished match that is played again: from which action on, and what each seat
    scored then.
    """

    match: str
    deal: Count
    at: Count
    scores: tuple[int, ...]


class TableView(_Shown, frozen=True, kw_only=True):
    """The table itself.

    ``deadline``: when the turn, or the pause before a deal, ends, or null. ``round`` is null
    between matches, at a table where a deal is played ``again``, and at a table of the day's deals,
    whose ``day`` is a date in Istanbul, or what names the challenge.
    """

    id: str
    day: str | UnsetType = UNSET
    again: AgainView | UnsetType = UNSET
    stage: Stage
    options: TableOptions
    seats: tuple[SeatView, ...]
    match: Count
    deadline: Millis | None
    turn_since: Millis
    commitment: Commitment | None
    round: RoundView | None
    scores: Scores


# The deal -------------------------------------------------------------------------------------


class Context(_Shown, frozen=True, kw_only=True):
    """Which deal and round a secret belongs to."""

    table: str
    match: Count
    deal: Count
    round: Count


class FairView(_Shown, frozen=True, kw_only=True):
    """What a finished deal came from, as in its record."""

    version: Count
    commitment: Hex32
    context: Context
    terms: TableOptions
    seats: tuple[str, ...]
    commitments: tuple[str, ...]
    randomness: tuple[str, ...]
    secret: Hex32
    abandoned: tuple[AbandonedView, ...] | UnsetType = UNSET


class EndView(_Shown, frozen=True, kw_only=True):
    """The end of a deal beside its result: the hands that were left, and what it came from.

    What a deal of the day came from is told once the day is closed.
    """

    hands: tuple[TilesText, ...]
    fair: FairView | UnsetType = UNSET


_S = TypeVar("_S", bound=type[Struct])
_MEANINGS = {
    shown.name: Meta(description=shown.meaning or item.meaning)
    for item in FORM.fields
    for shown in item.shown
}


def _told(whole: _S) -> _S:
    """A shape of the open side, with what its one table says of each field."""
    for name, kind in whole.__annotations__.items():
        if name in _MEANINGS:
            whole.__annotations__[name] = f"Annotated[{kind}, _MEANINGS[{name!r}]]"
    return whole


@_told
class DealView(_Shown, frozen=True, kw_only=True):
    """All that lies open in a deal; ``end`` is null until the end."""

    number: Count
    dealer: SeatNumber
    starter: SeatNumber
    dice: tuple[int, ...]
    indicator: TileText
    okey: TileText
    turn: SeatNumber
    phase: PhaseText
    turns: Count
    stock: Count
    sizes: tuple[Count, ...]
    groups: tuple[GroupView, ...]
    opened: tuple[OpenedText, ...]
    discards: tuple[TilesText, ...]
    known: tuple[TilesText, ...]
    announced: SeatNumber | None
    highest: Highest
    taken: TileText | None
    placed: tuple[str, ...]
    placed_at: tuple[PlacedView, ...]
    backs: Count
    new_opening: bool
    must_finish: bool
    fines: tuple[FineView, ...]
    actions: tuple[str, ...]
    result: Sheet | None
    end: EndView | None


if TYPE_CHECKING:  # nobody reads them field by field
    TablePatch: TypeAlias = _Shown
    DealPatch: TypeAlias = _Shown
else:
    TablePatch = _parts(
        "TablePatch", TableView, "The parts of the table that changed.", ("id", "day")
    )
    DealPatch = _parts(
        "DealPatch",
        DealView,
        "The parts of a deal that changed; with ``indicator`` it is a whole new deal.",
    )


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


# The day's deals, which are the same for everybody ------------------------------------------------


class DayTry(Struct):
    """One's own try: its table, whether all deals are played, and whether it is ranked."""

    table: str
    finished: bool
    ranked: bool


class Sender(Struct):
    """Who sends a challenge, by name and face."""

    name: str
    face: int | None


class NextDay(Struct):
    """The day to which whoever begins a try of today's may contribute, and its digest."""

    date: str
    digest: str


class Share(Struct, forbid_unknown_fields=True):
    """What somebody contributes to the day that has a digest: 64 random hex digits."""

    digest: Hex32
    value: Hex32


class DayBegun(Struct):
    """The table of one's try, how far its log is, and whether one's contribution was taken."""

    table: str
    seq: int
    shared: bool


class DayMix(Struct):
    """What was contributed to a day, in order, and what it comes to: the ``mixed`` of its log."""

    date: str
    digest: str
    shares: list[str]
    mix: str


class DayAnswer(Struct):
    """A day, or a challenge: the same deals for everybody, each person one try.

    Of a day's instances the first has the date as its ``date``, the others have ``-2`` and so on
    behind it. A challenge has a name of 16 hex digits there, and is never ``late``. While it is
    ``open`` one may begin, while it is ``late`` only go on, until ``closes_ms``.
    ``bots`` has a bot's name and version for each seat, null for the player's. ``commitments`` are
    the deals' own, ``digest`` that of the whole day, both in the transparency log since
    ``committed_ms``; ``mixed`` says whether contributions are mixed in. ``secrets`` open them, once
    the day is closed. ``players`` is how many people have played it, in all instances. ``sender``
    is who sends a challenge, unless one does oneself. ``next`` is the day to which one may
    contribute.
    """

    date: str
    challenge: bool
    state: Literal["open", "late", "closed"]
    rules: dict[str, str | int | bool]
    deals: int
    bots: list[str | None]
    begin_until_ms: Millis
    closes_ms: Millis
    committed_ms: Millis
    commitments: list[str]
    digest: str
    mixed: bool
    secrets: list[str] | None
    players: int
    own: DayTry | None
    sender: Sender | None
    next: NextDay | None


class DayLine(Struct):
    """A try in the table of a day, deal by deal: points, and matchpoints in per cent.

    ``date`` names the instance whose deals it played: it is compared with those alone.
    Somebody is a person, by name and face, or a ``bot`` of the first field, by its number; without
    both, a person who was deleted. Who is not ``ranked`` is told a place all the same, and takes
    none from the others. ``match`` is there once the day is closed. ``skill`` is there of one's own
    line and of the first, where the match was reviewed: what the own play of each deal comes to in
    points beside the reference, low for good.
    """

    place: int
    name: str | None
    face: int | None
    bot: int | None
    ranked: bool
    own: bool
    points: list[int]
    total: int
    matchpoints: list[float]
    percent: float
    match: str | None
    skill: list[float] | None
    date: str


class DayTable(Struct):
    """The table of a day, all instances by what each try has in per cent: how many are ranked, the
    hundred of them that were asked for, the ``friends`` among all of them, and one's own line.

    ``spread`` counts those who are ranked by their ``percent``: below 10, from 10 to below 20, and
    so on, the last from 90 to 100.
    """

    date: str
    closed: bool
    ranked: int
    spread: list[int]
    lines: list[DayLine]
    friends: list[DayLine]
    own: DayLine | None


class Person(Struct):
    """Somebody by id, name and face; ``here`` is true for a friend who is here and lets it be
    told. ``public``: one may see the profile.
    """

    user: str
    name: str | None
    face: int | None
    here: bool
    public: bool = False


class Friends(Struct):
    """One's friends, who asks to be one, who is asked, whom one has met lately beside them, and
    whom one has blocked.
    """

    friends: list[Person]
    asks: list[Person]
    asked: list[Person]
    met: list[Person]
    blocked: list[Person]


class Waiting(Struct):
    """A table where somebody waits for oneself: a friend who calls, or where ``family`` is the
    link, called ``name``, one of that family.
    """

    table: str
    by: Person
    family: str | None
    name: str | None


class FamilyLine(Struct):
    """A family table: its name, the last part of its address, and whether one owns it."""

    name: str
    link: str
    own: bool


class FamilyScore(Struct):
    """What a person has in matches of a family table: how many, those won, and all points."""

    name: str | None
    face: int | None
    own: bool
    matches: int
    won: int
    points: int


class FamilyAnswer(Struct):
    """A family table: whether it is one's own, the options of its tables, its regulars, the first
    its owner, of whom those are ``here`` who sit at its table now, as do all who are named in
    ``sits``; whether one is ``told`` by push that somebody waits; and what everybody has in the
    matches of this week and of this year, in Istanbul.
    """

    name: str
    link: str
    own: bool
    options: TableOptions
    regulars: list[Person]
    sits: list[str | None]
    told: bool
    week: list[FamilyScore]
    year: list[FamilyScore]


class PushAnswer(Struct):
    """The key that messages by push are signed with, none where the server sends none; where one's
    browser is reached, and between which hours it is quiet.
    """

    key: str | None
    endpoint: str | None
    quiet_from: int
    quiet_to: int


class LadderLine(Struct):
    """What an account has in a season: points, its rank from 1, its matches, and those it won.
    ``public``: one may see the profile.
    """

    place: int
    name: str | None
    face: int | None
    own: bool
    public: bool
    points: int
    rank: int
    matches: int
    won: int


class Ladder(Struct):
    """A season by its name, as ``2026-4``, and when it ends; ``people`` are in it: the first
    hundred, and oneself. ``ranks`` are the points from which on one has each rank.
    """

    season: str
    begins_ms: Millis
    ends_ms: Millis
    ranks: tuple[int, ...]
    people: int
    lines: list[LadderLine]
    own: LadderLine | None


class DealAt(Struct):
    """A deal of a finished match, its number counted from 0; the match ended then."""

    match: str
    deal: int
    at_ms: Millis


FigureKind: TypeAlias = Literal["place", "finish", "opening", "turn", "fine", "best"]


class Figure(Struct):
    """How often something happened to somebody, and the latest of these deals, at most twenty.

    Of a ``place`` it is the place in a match; of a ``finish`` what doubles it, or ``plain``; of an
    ``opening`` how one opened, or ``none``; of a ``turn`` one's own turn in which one did; of a
    ``fine`` its rule. Of the ``best`` opening ``count`` is its points, or its pairs.
    """

    kind: FigureKind
    of: str
    count: int
    deals: list[DealAt]


class LuckOfDeal(Struct):
    """The luck of a deal and of its draws in tenths of a point, less being better."""

    tenths: int
    at: DealAt | None


class Ledger(Struct):
    """Where the points of all reviewed deals came from: ``terms`` in tenths of a point, which add
    up to ten times the ``score``.
    """

    deals: int
    terms: dict[str, int]
    score: int
    luckiest: LuckOfDeal
    unluckiest: LuckOfDeal


class StrengthPoint(Struct):
    """The strength after so many deals in points a deal, less being better, with its 95 % interval,
    and the last of the deals.
    """

    deals: int
    mean: float
    low: float
    high: float
    at: DealAt | None


class StrengthCurve(Struct):
    """How strong somebody has played by the rules of which most was reviewed, without luck, against
    the play of ``reference``; a point says nothing before ``least`` deals. ``like`` names the bot
    of a level that is nearest to the last one, empty where that isn't known.
    """

    rules: str
    reference: str
    deals: int
    least: int
    points: list[StrengthPoint]
    like: str = ""


BesideKind: TypeAlias = Literal["won", "opened", "finished", "fines", "skill", "luck"]


class Beside(Struct):
    """How many of the others in per cent one is ahead of, ``people`` being compared: by matches
    won, deals opened, deals finished, few fines, own play, and good luck.
    """

    of: BesideKind
    percent: int
    people: int


class LuckLine(Struct):
    """What the luck of somebody's reviewed deals comes to in tenths of a point, a minus being
    good.
    """

    place: int
    name: str | None
    face: int | None
    own: bool
    deals: int
    tenths: int


class LuckTable(Struct):
    """The unluckiest of the week that begins on a date, among those whose profile one may see."""

    begins: str
    lines: list[LuckLine]


Weighing: TypeAlias = Literal["shared", "asked", "off", "numba"]
"""How deals come to be reviewed: with a share of a core, where somebody asks, or not at all because
the host has turned it off or Numba is missing.
"""


class Profile(Struct):
    """What somebody's finished matches and their reviews say together.

    ``deals`` are those of all matches. What isn't reviewed is not in ``ledger`` and ``strength``.
    Of one's own, ``waiting`` deals are to be weighed yet for one's strength. In the profile of
    somebody else no deal is named in which a third person sat.
    """

    matches: int
    deals: int
    figures: list[Figure]
    ledger: Ledger | None
    strength: StrengthCurve | None
    beside: list[Beside]
    waiting: int = 0
    weighing: Weighing = "asked"
    name: str | None = None
    face: int | None = None
    own: bool = False


class TotalLine(Struct):
    """A person's closed days of a week or a month, those that count: how many, and the scores of
    them in per cent, added up and on average. Who has as much has the same place.
    """

    place: int
    name: str | None
    face: int | None
    own: bool
    days: int
    total: float
    average: float


class DayTotals(Struct):
    """The table of a week or a month, whose first and last date are told, and its closed days.

    ``ranked`` people are in it: the first hundred, and oneself. ``streak`` is how many days in a
    row one has played oneself; a day that still runs interrupts nothing.
    """

    begins: str
    ends: str
    days: int
    ranked: int
    lines: list[TotalLine]
    own: TotalLine | None
    streak: int


class RatingShown(Struct):
    """A rating, how far its interval of 95 % reaches, and whether it may still change a lot."""

    rating: int
    reach: int
    provisional: bool


ReviewState: TypeAlias = Literal["none", "waiting", "working", "done", "failed"]


class ReviewAnswer(Struct):
    """The review of a match: asked for or not, how many decisions are done, and what was found.

    While it waits, ``ahead`` is how many matches come before it; ``code`` says why it failed.
    """

    state: ReviewState
    done: int = 0
    total: int = 0
    ahead: int = 0
    code: str | None = None
    review: MatchReview | None = None


class Invited(Struct):
    """A seat that waits for a bot, offered by the table's owner; ``at`` is UTC in milliseconds."""

    table: str
    seat: int
    at: int


class PuzzlesAnswer(Struct):
    """The numbers of the positions to solve, by what they are about."""

    themes: dict[Theme, list[int]]


class PuzzleRated(Struct):
    """Whether an answer was the best, and what person and position are rated after the first."""

    right: bool
    own: RatingShown
    position: RatingShown


class InclusionProof(Struct):
    """The place of an entry, from 0, and the hashes that prove it, in hex digits.

    ``place`` is null where the log does not have it.
    """

    place: int | None
    proof: list[str]


class ConsistencyProof(Struct):
    """The hashes that prove that a head extends an earlier one, in hex digits."""

    proof: list[str]
