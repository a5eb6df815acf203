"""The open side of a deal, declared once: :class:`OpenSide` is the table from which all else is
made.

From it come the frozen :class:`Public` and the open :class:`Draft`, what a view and a message show
(:data:`FORM`) and how that is read again, and in the server the hash of a state and the schema of
the messages. A new field is declared here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from okey101.game.actions import Action
from okey101.game.deal_parts import (
    Fine,
    Opened,
    Phase,
    Placed,
    Result,
    Setup,
)
from okey101.game.declared import JsonForm, Shown, closed, drafts, field
from okey101.game.open_side_json import (
    Count,
    FineView,
    GroupView,
    Highest,
    OpenedText,
    PhaseText,
    PlacedView,
    SeatNumber,
    Sheet,
    TilesText,
    TileText,
    by_seat,
    flag,
    groups,
    items,
    one_of,
    placed_at,
    read_actions,
    read_count,
    read_fines,
    read_group,
    read_placed,
    read_rack,
    read_result,
    read_seat,
    read_setup,
    read_tile,
    result_json,
    sheet_json,
    tile_or_none,
)
from okey101.game.rack_text import TILE_TEXTS, rack_text
from okey101.game.ruleset import RuleSet
from okey101.game.strict_json import as_int, as_text, bad
from okey101.melds import Group, accepted_kinds
from okey101.tiles import Kind, KindMask, PackedRack, TileCode, size_of_bits

if TYPE_CHECKING:
    from okey101.game.dealing import Layout

__all__ = [
    "FORM",
    "Draft",
    "OpenSide",
    "Public",
    "public_from",
    "result_json",
    "sheet_json",
    "starting",
]

# The table ------------------------------------------------------------------------------------

_GROUPS = Shown("groups", tuple[GroupView, ...], groups, meaning="The groups in the order laid.")
_HIGHEST = Shown(
    "highest",
    Highest,
    lambda p: {"points": p.high_points, "pairs": p.high_pairs},
    meaning="The highest openings so far (X1).",
)
_NONE_BY_SEAT: Any = lambda rules, _: (None,) * rules.players  # noqa: E731


class OpenSide:
    """Everything that lies open in a deal, the same for every seat and for spectators (T2)."""

    __slots__ = ()

    setup: Setup = field(
        "What is known and fixed from the deal on.",
        start=lambda rules, layout: Setup(
            rules, layout.dealer, layout.starter, layout.indicator, layout.okey, layout.dice
        ),
        shown=(
            Shown(
                "rules",
                dict[str, Any],
                lambda p: p.setup.rules.to_dict(),
                False,
                False,
                meaning="The rule set in full.",
            ),
            Shown("dealer", SeatNumber, lambda p: p.setup.dealer, meaning="Who dealt (D3)."),
            Shown(
                "starter",
                SeatNumber,
                lambda p: p.setup.starter,
                meaning="Who got 22 tiles and starts (D4).",
            ),
            Shown(
                "dice",
                tuple[int, ...],
                lambda p: list(p.setup.dice),
                meaning="The throws of the die (D6).",
            ),
            Shown(
                "indicator",
                TileText,
                lambda p: TILE_TEXTS[p.setup.indicator],
                meaning="The indicator.",
            ),
            Shown(
                "okey",
                TileText,
                lambda p: "F" if p.setup.okey is None else TILE_TEXTS[p.setup.okey],
                meaning="The okey's face; F in a riziko deal (J1, D8).",
            ),
        ),
        read=read_setup,
        hashed=lambda setup: setup[1:],  # the rules are in the table's options
    )
    turn: int = field(
        "The seat to act.",
        start=lambda _, layout: layout.starter,
        shown=Shown("turn", SeatNumber, lambda p: p.turn),
        read=lambda data, draft: read_seat(data, "turn", draft),
    )
    phase: Phase = field(
        "What that seat has to do.",
        start=Phase.PLAY,
        shown=Shown("phase", PhaseText, lambda p: p.phase.value),
        read=lambda data, _: one_of(Phase, data["phase"], "phase"),
    )
    turns: int = field(
        "Turns ended by a discard so far.",
        start=0,
        shown=Shown("turns", Count, lambda p: p.turns),
        read=read_count("turns"),
    )
    stock_count: int = field(
        "Tiles still in the stock.",
        start=lambda _, layout: len(layout.stock),
        shown=Shown("stock", Count, lambda p: p.stock_count),
        read=read_count("stock", 106),
    )
    sizes: tuple[int, ...] = field(
        "Tiles in each hand.",
        start=lambda _, layout: tuple(size_of_bits(hand) for hand in layout.hands),
        shown=Shown("sizes", tuple[Count, ...], lambda p: list(p.sizes)),
        read=lambda data, draft: tuple(
            as_int(n, at, 0, 106) for n, at in by_seat(data, "sizes", draft)
        ),
    )
    table: tuple[Group, ...] = field(
        "Groups in the order laid; actions number them from 1.",
        start=(),
        shown=_GROUPS,
        read=lambda data, draft: tuple(
            read_group(item["tiles"], item["form"], f"{at}.tiles", draft.setup)
            for item, at in items(data, "groups")
        ),
        hashed=lambda groups: [group.pieces for group in groups],
    )
    owners: tuple[int, ...] = field(
        "Who laid each group.",
        start=(),
        shown=_GROUPS,
        read=lambda data, draft: tuple(
            as_int(item["owner"], f"{at}.owner", 0, draft.setup.rules.players - 1)
            for item, at in items(data, "groups")
        ),
    )
    opened: tuple[Opened | None, ...] = field(
        "How each seat has opened (M5).",
        start=_NONE_BY_SEAT,
        shown=Shown(
            "opened",
            tuple[OpenedText, ...],
            lambda p: [None if o is None else o.value for o in p.opened],
        ),
        read=lambda data, draft: tuple(
            None if value is None else one_of(Opened, value, at)
            for value, at in by_seat(data, "opened", draft)
        ),
    )
    discards: tuple[tuple[TileCode, ...], ...] = field(
        "Each seat's discards that lie there, oldest first; only the last may be taken.",
        start=lambda rules, _: ((),) * rules.players,
        shown=Shown(
            "discards",
            tuple[TilesText, ...],
            lambda p: [" ".join([TILE_TEXTS[t] for t in pile]) for pile in p.discards],
        ),
        read=lambda data, draft: tuple(
            tuple(read_tile(word, at) for word in as_text(pile, at, 400).split())
            for pile, at in by_seat(data, "discards", draft)
        ),
    )
    known: tuple[PackedRack, ...] = field(
        "Tiles each hand is known to hold, as packed racks: taken, shown or taken back (R3).",
        start=lambda rules, _: (0,) * rules.players,
        shown=Shown("known", tuple[TilesText, ...], lambda p: [rack_text(k) for k in p.known]),
        read=lambda data, draft: tuple(
            read_rack(value, at) for value, at in by_seat(data, "known", draft)
        ),
    )
    announced: int | None = field(
        "Who announced the indicator's twin (O6).",
        shown=Shown("announced", SeatNumber | None, lambda p: p.announced),
        read=lambda data, draft: (
            None if data["announced"] is None else read_seat(data, "announced", draft)
        ),
    )
    high_points: int = field(
        "Highest opening with melds so far (X1).",
        start=0,
        shown=_HIGHEST,
        read=lambda data, _: as_int(data["highest"]["points"], "highest.points", 0, 10**4),
    )
    high_pairs: int = field(
        "Highest opening with pairs so far (X1).",
        start=0,
        shown=_HIGHEST,
        read=lambda data, _: as_int(data["highest"]["pairs"], "highest.pairs", 0, 53),
    )
    playable: KindMask = field(
        "Mask of the kinds that fit a set or run on the table (P2).",
        start=0,
        read=lambda _, draft: accepted_kinds(draft.table),
    )
    taken: TileCode | None = field(
        "The discard taken this turn (U2).",
        shown=Shown("taken", TileText | None, lambda p: tile_or_none(p.taken)),
        read=lambda data, _: None if data["taken"] is None else read_tile(data["taken"], "taken"),
    )
    placed: tuple[Placed, ...] = field(
        "Tiles put down this turn outside an opening, in order (U5).",
        start=(),
        shown=(
            Shown("placed", tuple[str, ...], lambda p: [TILE_TEXTS[q.tile] for q in p.placed]),
            Shown(
                "placed_at",
                tuple[PlacedView, ...],
                placed_at,
                meaning="Where each of these tiles lies.",
            ),
        ),
        read=read_placed,
        hashed=lambda placed: [
            (p.tile, p.at, p.before and p.before.pieces, p.nth, p.swapped) for p in placed
        ],
    )
    backs: int = field(
        "Tiles taken back this turn.",
        start=0,
        shown=Shown("backs", Count, lambda p: p.backs),
        read=read_count("backs"),
    )
    new_opening: bool = field(
        "Whether the seat to act opened in this turn.",
        start=False,
        shown=Shown("new_opening", bool, lambda p: p.new_opening),
        read=flag("new_opening"),
    )
    must_finish: bool = field(
        "Whether the seat drew the indicator (E4).",
        start=False,
        shown=Shown("must_finish", bool, lambda p: p.must_finish),
        read=flag("must_finish"),
    )
    fines: tuple[Fine, ...] = field(
        "All fines so far.",
        start=(),
        shown=Shown("fines", tuple[FineView, ...], lambda p: [f._asdict() for f in p.fines]),
        read=lambda data, _: read_fines(data, "fines"),
    )
    actions: tuple[tuple[int, Action], ...] = field(
        "All actions so far with the seat that acted; none of them tells a hidden tile.",
        start=(),
        shown=Shown(
            "actions",
            tuple[str, ...],
            lambda p: [f"{seat}: {action}" for seat, action in p.actions],
            patched=False,
        ),
        read=read_actions,
        hashed=lambda actions: (len(actions), [(s, str(action)) for s, action in actions[-1:]]),
    )
    result: Result | None = field(
        "The end of the deal; None while it runs.",
        shown=Shown(
            "result", Sheet | None, lambda p: None if p.result is None else sheet_json(p.result)
        ),
        read=read_result,
    )

    @property
    def rules(self) -> RuleSet:
        """The rule set the deal is played by."""
        return self.setup.rules

    @property
    def okey(self) -> Kind | None:
        """The okey's kind; None in a riziko deal (D8)."""
        return self.setup.okey

    @property
    def players(self) -> int:
        """How many seats play."""
        return len(self.sizes)

    @property
    def previous(self) -> int:
        """The seat that acted before the one whose turn it is (D2)."""
        return (self.turn - 1) % len(self.sizes)

    @property
    def taken_waits(self) -> bool:
        """Whether a taken discard still has to be used (U2)."""
        return (
            self.taken is not None
            and not self.new_opening
            and all(p.tile != self.taken for p in self.placed)
        )


@closed
class Public(OpenSide, tuple[object, ...]):
    """The open side of a deal as a value that never changes."""

    __slots__ = ()
    _fields: tuple[str, ...]

    def __hash__(self) -> int:
        return hash((self.setup, self.turn, self.phase, self.table, self.discards, self.sizes))

    def __repr__(self) -> str:
        return f"<Public turn={self.turn} phase={self.phase.value} stock={self.stock_count}>"

    def __getnewargs__(self) -> tuple[object]:
        return (tuple(self),)


class Draft(OpenSide):
    """A copy of a deal's open side in which the next one is written; :meth:`seal` closes it."""

    __slots__ = Public._fields

    @staticmethod
    def of(public: OpenSide) -> Draft:
        """A copy that is open for writing."""
        return _opened(public if isinstance(public, Public) else _sealed(cast("Draft", public)))

    def seal(self) -> Public:
        """The value that was written."""
        return cast("Public", _sealed(self))


_opened, _sealed = drafts(Draft, Public)
FORM: JsonForm[OpenSide] = JsonForm(OpenSide)
"""How the open side is shown, whole and in parts."""


def starting(rules: RuleSet, layout: Layout) -> Public:
    """The open side before the first action: the starter to play without a draw (D5)."""
    return Public([item.start(rules, layout) for item in FORM.fields])


def public_from(data: Mapping[str, Any]) -> Public:
    """What :meth:`JsonForm.view` wrote, read again; ``rules`` may be a RuleSet.

    Raises RecordError, which says where, for data that is no view, and RuleSetError.
    """
    for name in FORM.shown:
        if name not in data:
            bad("missing", f"{name} is missing", name, name=name)
    draft = Draft()
    for item in FORM.fields:
        try:
            setattr(draft, item.name, item.read(data, draft))
        except (KeyError, TypeError) as error:
            bad("bad-value", f"is not as a view has it: {error}", item.shown[-1].name)
    return draft.seal()
