"""The state of one deal, as values: what everybody sees, and what is hidden.

:class:`Public` holds all that lies open on the table (T2); :class:`Deal` adds the hands and the
stock. Both never change: :func:`okey101.game.transition.apply` makes the next one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from okey101 import _pictures
from okey101.game.ruleset import RuleSet
from okey101.melds import Group
from okey101.tiles import Rack, size_of_bits

if TYPE_CHECKING:
    from okey101.game.actions import Action
    from okey101.game.dealing import Layout

__all__ = ["Deal", "End", "Fine", "Opened", "Phase", "Placed", "Public", "Result", "Score", "Setup"]


class Phase(StrEnum):
    """What the seat whose turn it is has to do."""

    DRAW = "draw"
    """Draw from the stock or take the discard (U1)."""
    MUST_DRAW = "must-draw"
    """Draw from the stock, having put the discard back (R1)."""
    PLAY = "play"
    """Meld, lay off, and end the turn with a discard."""
    LAST_DISCARD = "last-discard"
    """Take the last discard or pass (E2)."""
    LAST_INDICATOR = "last-indicator"
    """Draw the indicator to finish, or pass (E4)."""
    OVER = "over"
    """The deal has ended."""


class Opened(StrEnum):
    """The two ways to open, which don't mix (M5)."""

    MELDS = "melds"
    PAIRS = "pairs"


class End(StrEnum):
    """How a deal ended."""

    FINISH = "finish"
    STOCK = "stock"
    ALL_PAIRS = "all-pairs"


class Fine(NamedTuple):
    """A fine charged to a seat; ``rule`` is P1 to P5 or U7 (R10)."""

    seat: int
    rule: str
    points: int


class Score(NamedTuple):
    """How one seat's score of a deal came about (section 8).

    ``total`` is ``base`` times the product of the factors, plus ``fines``. The factors name what
    doubles: ``okey``, ``pairs``, ``whole-hand``, ``riziko`` and ``own-pairs``.
    """

    seat: int
    base: int
    factors: tuple[str, ...]
    fines: int
    total: int


class Result(NamedTuple):
    """The end of a deal: who won (None: nobody), every seat's score, and all fines that stand."""

    end: End
    winner: int | None
    scores: tuple[int, ...]
    fines: tuple[Fine, ...]
    sheet: tuple[Score, ...]
    counts: bool
    """Whether the deal counts toward the agreed number, or is dealt again (O7, E3)."""


class Placed(NamedTuple):
    """One tile put down in the running turn, outside an opening, for taking back (U5)."""

    tile: int
    at: int
    """The index of the group on the table, from 0."""
    before: Group | None
    """The group the tile came to; for a tile of a new group, that group whole."""
    nth: int
    """Its place in a new group, -1 for a lay-off or a swap."""
    swapped: bool = False
    """Whether an okey came to the hand in its place (X2)."""

    def restored(self) -> Group | None:
        """The group as it was before the tile; None where none was, or none would be legal."""
        if self.nth < 0:
            return self.before
        assert self.before is not None
        return self.before.shortened(self.nth) if self.nth else None

    def removable(self) -> bool:
        """Whether what stays on the table is a legal group, or none at all (R2)."""
        return self.nth <= 0 or self.restored() is not None


class Setup(NamedTuple):
    """What is known and fixed from the deal on."""

    rules: RuleSet
    dealer: int
    starter: int
    indicator: int
    okey: int | None
    """The okey's kind; None in a riziko deal (D8)."""
    dice: tuple[int, ...]


class _PublicFields:
    """The fields of :class:`Public`, open for writing while the next state is being made."""

    __slots__ = (
        "actions",
        "announced",
        "backs",
        "discards",
        "fines",
        "high_pairs",
        "high_points",
        "known",
        "must_finish",
        "new_opening",
        "opened",
        "owners",
        "phase",
        "placed",
        "playable",
        "result",
        "setup",
        "sizes",
        "stock_count",
        "table",
        "taken",
        "turn",
        "turns",
    )

    setup: Setup
    turn: int
    """The seat to act."""
    phase: Phase
    turns: int
    """Turns ended by a discard so far."""
    stock_count: int
    sizes: tuple[int, ...]
    """Tiles in each hand."""
    table: tuple[Group, ...]
    """Groups in the order laid; actions number them from 1."""
    owners: tuple[int, ...]
    """Who laid each group."""
    opened: tuple[Opened | None, ...]
    discards: tuple[tuple[int, ...], ...]
    """Each seat's discards that lie there, oldest first; only the last may be taken."""
    known: tuple[int, ...]
    """Tiles each hand is known to hold, as packed racks: taken, shown or taken back (R3)."""
    announced: int | None
    """Who announced the indicator's twin (O6)."""
    high_points: int
    """Highest opening with melds so far (X1)."""
    high_pairs: int
    """Highest opening with pairs so far (X1)."""
    playable: int
    """Mask of the kinds that fit a set or run on the table (P2)."""
    fines: tuple[Fine, ...]
    taken: int | None
    """The discard taken this turn (U2)."""
    placed: tuple[Placed, ...]
    """Tiles put down this turn outside an opening, in order (U5)."""
    backs: int
    """Tiles taken back this turn."""
    new_opening: bool
    """Whether the seat to act opened in this turn."""
    must_finish: bool
    """Whether the seat drew the indicator (E4)."""
    result: Result | None
    actions: tuple[tuple[int, Action], ...]
    """All actions so far with the seat that acted; none of them tells a hidden tile."""

    def draft(self) -> _PublicFields:
        """A copy open for writing; :meth:`seal` closes it."""
        new = _PublicFields.__new__(_PublicFields)
        new.actions = self.actions
        new.announced = self.announced
        new.backs = self.backs
        new.discards = self.discards
        new.fines = self.fines
        new.high_pairs = self.high_pairs
        new.high_points = self.high_points
        new.known = self.known
        new.must_finish = self.must_finish
        new.new_opening = self.new_opening
        new.opened = self.opened
        new.owners = self.owners
        new.phase = self.phase
        new.placed = self.placed
        new.playable = self.playable
        new.result = self.result
        new.setup = self.setup
        new.sizes = self.sizes
        new.stock_count = self.stock_count
        new.table = self.table
        new.taken = self.taken
        new.turn = self.turn
        new.turns = self.turns
        return new

    def seal(self) -> Public:
        """Close a draft for good."""
        self.__class__ = Public  # pyright: ignore[reportAttributeAccessIssue]  # now read-only
        return self  # type: ignore[return-value]

    @property
    def rules(self) -> RuleSet:
        return self.setup.rules

    @property
    def okey(self) -> int | None:
        return self.setup.okey

    @property
    def players(self) -> int:
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


class Public(_PublicFields):
    """Everything that lies open in a deal, the same for every seat and for spectators."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a deal does not change; apply() makes the next one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a deal does not change; apply() makes the next one")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Public):
            return NotImplemented
        return all(getattr(self, n) == getattr(other, n) for n in _PublicFields.__slots__)

    def __hash__(self) -> int:
        return hash((self.setup, self.turn, self.phase, self.table, self.discards, self.sizes))

    def __repr__(self) -> str:
        return f"<Public turn={self.turn} phase={self.phase.value} stock={self.stock_count}>"

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in _PublicFields.__slots__}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)


class Deal:
    """One deal with all its hidden tiles; only rules, tests and servers hold one.

    Players, bots and pages get a :class:`okey101.game.view.View` of a seat instead.
    """

    __slots__ = ("drawn", "hands", "layout", "public")

    layout: Layout
    """The table as dealt, stock and seed included."""
    public: Public
    hands: tuple[int, ...]
    """Packed racks by seat."""
    drawn: int | None
    """The tile the seat to act drew this turn."""

    def __init__(
        self, layout: Layout, public: Public, hands: tuple[int, ...], drawn: int | None = None
    ) -> None:
        set_ = object.__setattr__
        set_(self, "layout", layout)
        set_(self, "public", public)
        set_(self, "hands", hands)
        set_(self, "drawn", drawn)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a deal does not change; apply() makes the next one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a deal does not change; apply() makes the next one")

    def __reduce__(self) -> tuple[object, ...]:
        return (Deal, (self.layout, self.public, self.hands, self.drawn))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        return (
            self.hands == other.hands
            and self.drawn == other.drawn
            and self.layout == other.layout
            and self.public == other.public
        )

    def __hash__(self) -> int:
        return hash((self.layout, self.hands, self.public))

    def __repr__(self) -> str:
        p = self.public
        return f"<Deal turn={p.turn} phase={p.phase.value} actions={len(p.actions)}>"

    def _repr_svg_(self) -> str | None:
        return _pictures.svg_of(self)

    def _repr_html_(self) -> str | None:
        return _pictures.html_of(self)

    @classmethod
    def start(cls, rules: RuleSet, dealt: Layout) -> Deal:
        """The deal before its first action: the starter to play without a draw (D5)."""
        new = _PublicFields.__new__(_PublicFields)
        players = rules.players
        new.setup = Setup(
            rules, dealt.dealer, dealt.starter, dealt.indicator, dealt.okey, dealt.dice
        )
        new.turn = dealt.starter
        new.phase = Phase.PLAY
        new.turns = 0
        new.stock_count = len(dealt.stock)
        new.sizes = tuple(size_of_bits(hand) for hand in dealt.hands)
        new.table = ()
        new.owners = ()
        new.opened = (None,) * players
        new.discards = ((),) * players
        new.known = (0,) * players
        new.announced = None
        new.high_points = 0
        new.high_pairs = 0
        new.playable = 0
        new.fines = ()
        new.taken = None
        new.placed = ()
        new.backs = 0
        new.new_opening = False
        new.must_finish = False
        new.result = None
        new.actions = ()
        return cls(dealt, new.seal(), dealt.hands)

    @property
    def rules(self) -> RuleSet:
        """The rule set the deal is played by."""
        return self.public.setup.rules

    @property
    def turn(self) -> int:
        """The seat to act."""
        return self.public.turn

    @property
    def phase(self) -> Phase:
        """What that seat has to do."""
        return self.public.phase

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.public.phase is Phase.OVER

    @property
    def result(self) -> Result | None:
        """The end of the deal, None while it runs."""
        return self.public.result

    @property
    def stock(self) -> tuple[int, ...]:
        """The tiles still to be drawn, next one first."""
        stock = self.layout.stock
        return stock[len(stock) - self.public.stock_count :]

    def rack(self, seat: int) -> Rack:
        """A seat's hand."""
        return Rack.from_bits(self.hands[seat])
