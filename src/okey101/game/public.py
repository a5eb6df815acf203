"""The open side of a deal, declared once: all else is made from the table :class:`OpenSide`.

From it come the frozen :class:`Public` and the open :class:`Draft`, what a view and a message show
(:data:`FORM`) and how that is read again, and in the server the hash of a state. A new field is
declared here, and its type where messages show it in the protocol's ``DealView``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, cast

from okey101.errors import OkeyError
from okey101.game import open_side_json as plain
from okey101.game.actions import Action
from okey101.game.deal_parts import Fine, Opened, Phase, Placed, Result, Setup
from okey101.game.dealing import Layout, check_tiles
from okey101.game.declared import JsonForm, Shown, closed, drafts, field
from okey101.game.ruleset import RuleSet
from okey101.game.strict_json import as_int, as_text, bad, named
from okey101.melds import Group, accepted_kinds
from okey101.tiles import (
    TILE_TEXTS,
    TILES,
    KindMask,
    PackedRack,
    Tile,
    TileCode,
    count_bits,
    rack_text,
    size_of_bits,
)

# The table ------------------------------------------------------------------------------------

_GROUPS = (Shown("groups", plain.groups, "The groups in the order laid."),)
_HIGHEST = (
    Shown(
        "highest",
        lambda p: {"points": p.high_points, "pairs": p.high_pairs},
        "The highest openings so far (X1).",
    ),
)


@lru_cache(maxsize=16_384)
def _pile_text(pile: tuple[TileCode, ...]) -> str:
    """A pile's tiles; three of four are the same as the last time."""
    return " ".join([TILE_TEXTS[tile] for tile in pile])


def _each_seat(value: object) -> Any:
    """At the start the same for every seat."""
    return lambda rules, _: (value,) * rules.players


class OpenSide:
    """Everything that lies open in a deal, the same for every seat and for spectators (T2)."""

    __slots__ = ()

    setup: Setup = field(
        "What is known and fixed from the deal on.",
        start=lambda rules, layout: Setup(
            rules, layout.dealer, layout.starter, layout.indicator, layout.okey, layout.dice
        ),
        names=(
            Shown("rules", lambda p: p.rules.to_dict(), "The rule set in full.", False, False),
            Shown("dealer", lambda p: p.setup.dealer, "Who dealt (D3)."),
            Shown("starter", lambda p: p.setup.starter, "Who got 22 tiles and starts (D4)."),
            Shown("dice", lambda p: list(p.setup.dice), "The throws of the die (D6)."),
            Shown("indicator", lambda p: TILE_TEXTS[p.setup.indicator], "The indicator."),
            Shown(
                "okey",
                lambda p: "F" if p.setup.okey is None else TILE_TEXTS[p.setup.okey],
                "The okey's face; F in a riziko deal (J1, D8).",
            ),
        ),
        read=plain.read_setup,
        hashed=lambda setup: setup[1:],  # the rules are in the table's options
    )
    turn: int = field(
        "The seat to act.", start=lambda _, layout: layout.starter, read=plain.read_seat
    )
    phase: Phase = field(
        "What that seat has to do.",
        start=Phase.PLAY,
        write=attrgetter("phase.value"),
        read=plain.one_of(Phase),
    )
    turns: int = field("Turns ended by a discard so far.", start=0, read=plain.read_count)
    stock_count: int = field(
        "Tiles still in the stock.",
        start=lambda _, layout: len(layout.stock),
        names=(Shown("stock", attrgetter("stock_count")),),
        read=lambda value, path, _: as_int(value, path, 0, 106),
    )
    sizes: tuple[int, ...] = field(
        "Tiles in each hand.",
        start=lambda _, layout: tuple(size_of_bits(hand) for hand in layout.hands),
        write=lambda p: list(p.sizes),
        read=plain.by_seat(lambda value, path, _: as_int(value, path, 0, 106)),
    )
    table: tuple[Group, ...] = field(
        "Groups in the order laid; actions number them from 1.",
        start=(),
        names=_GROUPS,
        read=lambda groups, path, draft: tuple(
            plain.read_group(item["tiles"], item["form"], f"{at}.tiles", draft.setup)
            for item, at in plain.items(groups, path)
        ),
        hashed=lambda groups: [group.pieces for group in groups],
    )
    owners: tuple[int, ...] = field(
        "Who laid each group.",
        start=(),
        names=_GROUPS,
        read=lambda groups, path, draft: tuple(
            plain.read_seat(item["owner"], f"{at}.owner", draft)
            for item, at in plain.items(groups, path)
        ),
    )
    opened: tuple[Opened | None, ...] = field(
        "How each seat has opened (M5).",
        start=_each_seat(None),
        write=lambda p: [None if o is None else o.value for o in p.opened],
        read=plain.by_seat(plain.or_none(plain.one_of(Opened))),
    )
    discards: tuple[tuple[TileCode, ...], ...] = field(
        "Each seat's discards that lie there, oldest first; only the last may be taken.",
        start=_each_seat(()),
        write=lambda p: [*map(_pile_text, p.discards)],
        read=plain.by_seat(
            lambda pile, path, _: tuple(
                plain.read_tile(word, path) for word in as_text(pile, path, 400).split()
            )
        ),
    )
    known: tuple[PackedRack, ...] = field(
        "Tiles each hand is known to hold, as packed racks: taken, shown or taken back (R3).",
        start=_each_seat(0),
        write=lambda p: [rack_text(k) for k in p.known],
        read=plain.by_seat(plain.read_rack),
    )
    announced: int | None = field(
        "Who announced the indicator's twin (O6).", read=plain.or_none(plain.read_seat)
    )
    high_points: int = field(
        "Highest opening with melds so far (X1).",
        start=0,
        names=_HIGHEST,
        read=lambda highest, path, _: as_int(highest["points"], f"{path}.points", 0, 10**4),
    )
    high_pairs: int = field(
        "Highest opening with pairs so far (X1).",
        start=0,
        names=_HIGHEST,
        read=lambda highest, path, _: as_int(highest["pairs"], f"{path}.pairs", 0, 53),
    )
    playable: KindMask = field(
        "Mask of the kinds that fit a set or run on the table (P2).",
        start=0,
        names=(),
        read=lambda _data, _path, draft: accepted_kinds(draft.table),
    )
    taken: TileCode | None = field(
        "The discard taken this turn (U2).",
        write=lambda p: plain.tile_or_none(p.taken),
        read=plain.or_none(plain.read_tile),
    )
    placed: tuple[Placed, ...] = field(
        "Tiles put down this turn outside an opening, in order (U5).",
        start=(),
        names=(
            Shown("placed", lambda p: [TILE_TEXTS[q.tile] for q in p.placed]),
            Shown("placed_at", plain.placed_at, "Where each of these tiles lies."),
        ),
        read=plain.read_placed,
        hashed=lambda placed: [(p.tile, p.at, p.before.pieces, p.nth, p.swapped) for p in placed],
    )
    backs: int = field(
        "Tiles taken back this turn in a row; from two on they stand until its end (R18).",
        start=0,
        read=plain.read_count,
    )
    new_opening: bool = field(
        "Whether the seat to act opened in this turn.", start=False, read=plain.read_flag
    )
    must_finish: bool = field(
        "Whether the seat drew the indicator (E4).", start=False, read=plain.read_flag
    )
    fines: tuple[Fine, ...] = field(
        "All fines so far.",
        start=(),
        write=lambda p: [f._asdict() for f in p.fines],
        read=plain.read_fines,
    )
    actions: tuple[tuple[int, Action], ...] = field(
        "All actions so far with the seat that acted; none of them tells a hidden tile.",
        start=(),
        names=(Shown("actions", lambda p: [f"{s}: {a}" for s, a in p.actions], patched=False),),
        read=plain.read_actions,
        hashed=len,  # what the last one did is in the other fields
    )
    result: Result | None = field(
        "The end of the deal; None while it runs.",
        write=lambda p: None if p.result is None else plain.sheet_json(p.result),
        read=plain.or_none(plain.read_result),
    )

    @property
    def rules(self) -> RuleSet:
        """The rule set the deal is played by."""
        return self.setup.rules

    @property
    def okey(self) -> Tile | None:
        """The okey; None in a riziko deal (D8)."""
        return None if self.setup.okey is None else TILES[self.setup.okey]

    @property
    def indicator(self) -> Tile:
        """The indicator."""
        return TILES[self.setup.indicator]

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
    return Public([item.begun(rules, layout) for item in FORM.fields])


def public_from(data: Mapping[str, Any]) -> Public:
    """What :meth:`JsonForm.view` wrote, read again; ``rules`` may be a RuleSet.

    Raises RecordError, which says where, for data that is no view, and RuleSetError.
    """
    for name in FORM.shown:
        named(data, name)
    draft = Draft()
    for item in FORM.fields:
        try:
            setattr(draft, item.name, item.again(data, draft))
        except (KeyError, TypeError) as error:
            bad("bad-value", f"is not as a view has it: {error}", item.shown[-1].name)
    return draft.seal()


def check_room(public: OpenSide, known: Iterable[TileCode], hidden: int) -> None:
    """Refuse more tiles than there are (T1), as the hidden ones are dealt anew from the others.

    ``known`` are codes of tiles in hands and stock, and so many more are ``hidden`` there.
    """
    indicator, finish = public.setup.indicator, public.must_finish
    lying = [*known, *chain(*public.table), *chain(*public.discards)]
    check_tiles(lying, indicator, more=indicator if finish else None)
    count, limit = len(lying) + hidden, 105 + finish
    if count > limit:
        message = f"there are {limit} tiles to play with, not {count} (T1)"
        raise OkeyError("too-many-tiles", message, limit=limit)


def impossible(public: OpenSide) -> str:
    """Why no deal comes to such a phase, and would not go on from it; empty where it may."""
    if public.phase in (Phase.DRAW, Phase.MUST_DRAW) and not public.stock_count:
        return "nobody draws from an empty stock"
    after = public.phase in (Phase.PLAY, Phase.OVER)
    if not after and (public.taken is not None or public.must_finish):
        return "a tile is taken, or the indicator drawn, in the phase play alone"
    waits = public.result is None and public.taken_waits
    if waits and not count_bits(public.known[public.turn], public.taken or 0):
        return "a taken tile that still waits is known to be in the hand"
    return ""


def table_text(
    public: OpenSide, hands: Mapping[int, PackedRack], stock: Sequence[Tile] = ()
) -> str:
    """A table in the notation, a line each.

    First come indicator, okey (``F`` in a riziko deal), the tiles in the stock and the phase; then
    each seat, ``>`` before the one to act: tiles in its hand, how it has opened, its rack if
    it is among ``hands`` (packed racks by seat), and after ``|`` its discards; then the groups by
    number with the seat that laid them; after the end how it came, the winner and the scores; and
    the stock, if it is given.
    """
    setup = public.setup
    okey = "F" if setup.okey is None else TILE_TEXTS[setup.okey]
    lines = [f"{TILE_TEXTS[setup.indicator]} {okey} {public.stock_count} {public.phase}"]
    for seat, size in enumerate(public.sizes):
        words = [f"{'>' if seat == public.turn else ' '}{seat}", f"{size:>2}"]
        words += [public.opened[seat] or "", rack_text(hands.get(seat, 0))]
        words += ["|", *(TILE_TEXTS[tile] for tile in public.discards[seat])]
        lines.append(" ".join(filter(None, words)).removesuffix(" |"))
    for number, (group, owner) in enumerate(zip(public.table, public.owners, strict=True), 1):
        lines.append(f"{number}: {group} ({owner})")
    if public.result is not None:
        end, winner, scores, *_ = public.result
        lines.append(" ".join(map(str, (end, "-" if winner is None else winner, *scores))))
    if stock:
        lines.append(" ".join(map(str, stock)))
    return "\n".join(lines)


# The hidden side ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class DealState:
    """What a :class:`okey101.game.deal.Deal` consists of: a value that never changes.

    :class:`Public` is all that lies open on the table (T2); this adds the hands and the stock.
    """

    layout: Layout
    """The table as dealt, stock and seed included."""
    public: Public
    hands: tuple[PackedRack, ...]
    """Packed racks by seat."""
    drawn: TileCode | None = None
    """The code of the tile the seat to act drew this turn."""
