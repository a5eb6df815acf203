"""Sets, runs and pairs: when they are valid, what they are worth, what may be laid off on them.

A group is made of *pieces*. A piece says which tile lies there and what it stands for: a natural
tile is its own code, an okey standing for kind ``k`` is ``AS + k``, and an okey in a set or a pair
whose colour is left open is ``ANY + number``. A false joker is always the natural tile of the
okey's kind (J2), so every reading of a group needs to know the okey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from okey101.errors import IllegalAction, NotationError, Word, checked, whole_number
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    KINDS,
    OKEY,
    TILES,
    AnyTile,
    Kind,
    KindMask,
    PackedRack,
    Piece,
    Rack,
    Tile,
    TileCode,
    code_of,
    html_of,
    okey_kind,
    parse_tile,
    svg_of,
    words_of,
)

AS = 64
"""An okey that stands for kind k is the piece ``AS + k``."""
ANY = 128
"""An okey that stands for number n in a colour left open is the piece ``ANY + n``."""

Pieces: TypeAlias = tuple[Piece, ...]
"""The pieces of one group."""
AnyPieces: TypeAlias = "Group | str | Iterable[Piece | str]"
"""What names a group's pieces: a :class:`Group`, its notation, or pieces in a row."""
_NUMBERS = frozenset(map(str, range(1, 14)))
EVERY_PIECE = frozenset((*range(OKEY), *range(AS, AS + KINDS), *range(ANY + 1, ANY + 14)))
"""All pieces that there are."""


class Form(Word):
    """The three forms of a group.

    >>> from okey101 import parse_group, Tile
    >>> parse_group("R7 R8 R9", okey=Tile.B6).form is Form.RUN
    True
    """

    RUN = "run"
    SET = "set"
    PAIR = "pair"


def piece_text(piece: Piece) -> str:
    """The notation of a piece: ``R7``, ``F``, ``*R8`` or ``*5``."""
    if piece >= ANY:
        return f"*{piece - ANY}"
    return f"*{TILES[piece - AS]}" if piece >= AS else str(TILES[piece])


def parse_piece(text: object, *, position: int = 0) -> Piece:
    """Read a piece; raises NotationError ``bad-tile``, or ``bare-okey`` for an okey alone."""
    if not (isinstance(text, str) and text.startswith("*")):
        return int(parse_tile(text, position=position))
    rest = text[1:]
    if not rest:
        raise NotationError(
            "bare-okey",
            "an okey in a meld needs what it stands for, like *R8 or *5",
            text=text,
            position=position,
        )
    if rest in _NUMBERS:
        return ANY + int(rest)
    tile = parse_tile(rest, position=position) if rest[0] != "*" else Tile.F
    if tile >= KINDS:
        raise NotationError(
            "bad-tile", f"{text!r} is no tile", text=text, position=position, tile=text
        )
    return AS + tile


def as_piece(piece: object) -> Piece:
    """A piece given as such, in its notation, or by its tile; NotationError as `parse_piece`."""
    if isinstance(piece, int) and piece in EVERY_PIECE:
        return piece if type(piece) is int else int(piece)
    if isinstance(piece, str):
        return parse_piece(piece)
    return parse_piece(str(Tile(piece) if isinstance(piece, int) else piece))  # nothing, or bare


def as_pieces(pieces: AnyPieces) -> Pieces:
    """The pieces of a group given in any way; NotationError, and OkeyError ``wrong-type``."""
    if isinstance(pieces, Group):
        return pieces.pieces
    if isinstance(pieces, str):
        return _pieces(pieces, 0)
    return tuple(map(as_piece, checked(pieces, Iterable, "list")))


def tile_of_piece(piece: Piece) -> TileCode:
    """The code of the tile that lies there: the piece itself, or an okey."""
    return piece if piece < AS else OKEY


def normal_piece(piece: Piece, okey: Kind | None) -> Piece:
    """A piece with the okey's own face read as the okey standing for itself.

    ``okey`` is the okey's kind.
    """
    return AS + piece if piece == okey else piece


@dataclass(frozen=True, slots=True, repr=False)
class Group:
    """A valid set, run or pair, in its one normal order; made by :func:`make_group`.

    Runs ascend. In sets and pairs natural tiles come first in order of colour, then okeys. In a
    set of four every okey stands for the colour that is missing (R6).

    >>> from okey101 import Tile, parse_group
    >>> group = parse_group("R7 R8 *R9", okey=Tile.B6)
    >>> str(group), str(group.form), group.points
    ('R7 R8 *R9', 'run', 24)
    """

    form: Form = field(compare=False)
    """Run, set or pair."""
    pieces: Pieces
    """The pieces in normal order."""
    okey: Kind | None
    """The okey's kind that false jokers in here stand for; None in a riziko deal."""
    points: int = field(compare=False)
    """Face value, an okey counting as what it stands for (O1, J3)."""
    accepts: KindMask = field(compare=False)
    """Mask of the kinds that may be laid off here: bit k for kind k (M4)."""
    colour: int = field(default=-1, compare=False)
    """A run's colour; -1 otherwise."""
    low: int = field(default=0, compare=False)
    """A run's lowest number, or the number of a set."""
    high: int = field(default=0, compare=False)
    """A run's highest number, or the number of a set."""
    bits: PackedRack = field(init=False, compare=False)
    """The tiles it is made of, as a packed rack."""

    def __post_init__(self) -> None:
        pieces = as_pieces(self.pieces)
        own = {"form": Form(self.form), "pieces": pieces, "okey": okey_kind(self.okey)}
        for name, value in own.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "bits", sum(BITS_OF[tile_of_piece(p)] for p in pieces))

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[Tile]:
        """The tiles that lie there, okeys as okeys."""
        return iter(self.tiles)

    def __contains__(self, tile: object) -> bool:
        return tile in Rack.from_bits(self.bits)

    def __str__(self) -> str:
        return " ".join(map(piece_text, self.pieces))

    def __repr__(self) -> str:
        told = "" if self.okey is None else f", okey=Tile.{TILES[self.okey].name}"
        first, second, *_ = self.pieces
        if self.form is Form.PAIR and second < AS and self.kind_of(first) != self.kind_of(second):
            told += f", twin=Tile.{TILES[first].name}"
        return f"parse_group({str(self)!r}{told})"

    _repr_svg_ = svg_of
    _repr_html_ = html_of

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles that lie there, okeys as okeys."""
        return tuple(TILES[tile_of_piece(p)] for p in self.pieces)

    def kind_of(self, piece: Piece | str) -> Kind | None:
        """The kind a piece of this group stands for; None for an okey whose colour is open."""
        piece = as_piece(piece)
        if piece == FALSE_JOKER:
            return self.okey
        return None if piece >= ANY else piece - AS if piece >= AS else piece

    def takes(self, piece: Piece | str) -> bool:
        """Whether this piece, or its notation, may be laid off here (M4, J3)."""
        piece = as_piece(piece)
        if piece >= ANY:
            return self.form is Form.SET and self.low == piece - ANY and self.accepts != 0
        kind = self.kind_of(piece)
        return kind is not None and bool(self.accepts >> kind & 1)

    def extended(self, piece: Piece | str) -> Group:
        """The group with one more piece; the caller has asked :meth:`takes`."""
        return make_group((*self.pieces, as_piece(piece)), self.okey)

    def shortened(self, length: int) -> Group | None:
        """The first pieces of this group, if they are a group of the same form.

        Okeys of a full set no longer stand for a particular colour once it shrinks (J3).
        OkeyError ``wrong-type`` and ``out-of-range`` for what is no number of its pieces.
        """
        pieces = self.pieces[: whole_number(length, "length", 0, len(self))]
        if self.form is Form.SET and len(self) == 4:
            pieces = tuple(p if p < AS else ANY + self.low for p in pieces)
        try:
            group = make_group(pieces, self.okey)
        except IllegalAction:
            return None
        return group if group.form is self.form else None

    def reclaimed(self, tile: AnyTile) -> Group | None:
        """The group after the real tile took the place of an okey standing for it (X2).

        None where no okey stands for it beyond doubt. ``tile`` may be its code or notation.
        """
        if type(tile) is not int:
            tile = int(Tile(tile))
        kind = self.okey if tile == FALSE_JOKER else tile
        if kind is None or AS + kind not in self.pieces:
            return None
        pieces = list(self.pieces)
        pieces[pieces.index(AS + kind)] = tile
        return make_group(tuple(pieces), self.okey)


def make_group(pieces: Pieces, okey: Kind | None, twin: TileCode | None = None) -> Group:
    """Make a group of pieces in any order, or raise IllegalAction.

    The okey's own face is read as the okey standing for itself. With ``twin`` given, that tile
    pairs with any other (O6). Codes: ``too-short``, ``not-a-set`` (M1), ``not-a-run`` (M2),
    ``not-a-pair`` (M3), ``false-joker-blank`` (D8). ``okey`` is the okey's kind, ``twin`` a
    tile's code. NotationError for what is no piece, OkeyError ``wrong-type``.
    """
    try:
        group = _make(tuple(sorted(pieces)), okey, twin)
    except TypeError:  # not all of them are integers
        return parse_group(pieces, okey=okey, twin=twin)
    if isinstance(group, tuple):
        code, rule, message = group
        raise IllegalAction(code, rule, message, group=" ".join(map(piece_text, as_pieces(pieces))))
    return group


_Refusal = tuple[str, str, str]


@lru_cache(maxsize=1 << 16)
def _make(pieces: Pieces, okey: Kind | None, twin: TileCode | None) -> Group | _Refusal:
    if okey is None and FALSE_JOKER in pieces:
        return "false-joker-blank", "D8", "in a riziko deal the false joker stands for nothing"
    pieces = tuple(normal_piece(p, okey) for p in pieces)
    if len(pieces) < 2:
        return "too-short", "M1", "a group needs three tiles, a pair two"
    if len(pieces) == 2:
        return _make_pair(pieces, okey, twin)
    numbers = {_number(p, okey) for p in pieces}
    if len(numbers) == 1:
        return _make_set(pieces, okey, numbers.pop())
    return _make_run(pieces, okey)


def _kind(piece: Piece, okey: Kind | None) -> int:
    """The kind a piece stands for, -1 for an okey with an open colour."""
    if piece == FALSE_JOKER:
        assert okey is not None
        return okey
    return -1 if piece >= ANY else piece - AS if piece >= AS else piece


def _number(piece: Piece, okey: Kind | None) -> int:
    return piece - ANY if piece >= ANY else _kind(piece, okey) % 13 + 1


def _make_pair(pieces: Pieces, okey: Kind | None, twin: TileCode | None) -> Group | _Refusal:
    first, second = pieces
    kinds = [_kind(p, okey) for p in pieces]
    if _number(first, okey) == _number(second, okey) and (kinds[0] == kinds[1] or -1 in kinds):
        named = max(kinds)
        if named >= 0:
            first, second = (p if p < ANY else AS + named for p in pieces)
        pieces = tuple(sorted((first, second)))
        return Group(Form.PAIR, pieces, okey, 2 * _number(pieces[0], okey), 0)
    if twin is not None and twin in pieces and first < AS and second < AS:
        other = second if first == twin else first
        points = _number(twin, okey) + _number(other, okey)
        return Group(Form.PAIR, (twin, other), okey, points, 0)
    return "not-a-pair", "M3", "a pair is two tiles of the same kind"


def _make_set(pieces: Pieces, okey: Kind | None, number: int) -> Group | _Refusal:
    named = [_kind(p, okey) for p in pieces if p < ANY]
    if len(pieces) > 4 or len(set(named)) != len(named):
        return "not-a-set", "M1", "a set is three or four tiles of one number in different colours"
    free = [kind for kind in range(number - 1, KINDS, 13) if kind not in named]
    natural = sorted((p for p in pieces if p < AS), key=lambda p: _kind(p, okey))
    okeys = [p for p in pieces if p >= AS]
    if len(pieces) == 4:
        okeys, free = [p for p in okeys if p < ANY] + [AS + k for k in free], []
    accepts = sum(1 << k for k in free)
    ordered = (*natural, *sorted(okeys))
    return Group(Form.SET, ordered, okey, len(pieces) * number, accepts, low=number, high=number)


def _make_run(pieces: Pieces, okey: Kind | None) -> Group | _Refusal:
    refusal = "not-a-run", "M2", "a run is three or more consecutive numbers in one colour"
    if any(p >= ANY for p in pieces):
        return refusal
    ordered = tuple(sorted(pieces, key=lambda p: _kind(p, okey)))
    kinds = [_kind(p, okey) for p in ordered]
    first, last = kinds[0], kinds[-1]
    if first // 13 != last // 13 or kinds != list(range(first, last + 1)):
        return refusal
    colour, low, high = first // 13, first % 13 + 1, last % 13 + 1
    accepts = (1 << first - 1 if low > 1 else 0) | (1 << last + 1 if high < 13 else 0)
    points = (low + high) * len(kinds) // 2
    return Group(Form.RUN, ordered, okey, points, accepts, colour, low, high)


def parse_group(
    text: AnyPieces, *, okey: AnyTile | None = None, twin: AnyTile | None = None
) -> Group:
    """Read one group and check it; ``okey`` is the okey's kind, ``twin`` a tile (O6).

    The group is given in its notation, or as tiles. Raises NotationError for what is no tile and
    IllegalAction (see :func:`make_group`) for the group.

    >>> group = parse_group("r9 *r8 r7", okey=Tile.B6)
    >>> str(group), group.form.value, group.points
    ('R7 *R8 R9', 'run', 24)
    >>> parse_group("B10 R10 B10")
    Traceback (most recent call last):
    okey101.errors.IllegalAction: a set is three or four tiles of one number in different colours
    """
    return make_group(as_pieces(text), okey_kind(okey), None if twin is None else code_of(twin))


def parse_groups(text: str, *, position: int = 0) -> tuple[Pieces, ...]:
    """Read pieces separated by blanks in groups separated by ``/``, without judging them.

    ``position`` is where the text starts in the line it comes from. Raises NotationError,
    ``empty-group`` among its codes.
    """
    groups: list[Pieces] = []
    for part in checked(text, str, "text").split("/"):
        groups.append(_pieces(part, position))
        if not groups[-1]:
            raise NotationError("empty-group", "a group has no tiles", text=text, position=position)
        position += len(part) + 1
    return tuple(groups)


def _pieces(text: str, position: int) -> Pieces:
    """The pieces of one group; ``position`` is where its text starts."""
    return tuple(parse_piece(word, position=position + at) for word, at in words_of(text))


def groups_text(groups: Iterable[Pieces]) -> str:
    """The notation of several groups of pieces: ``R7 R8 R9 / K11 Y11 *B11``."""
    return " / ".join(" ".join(map(piece_text, pieces)) for pieces in groups)


def accepted_kinds(groups: Iterable[Group]) -> KindMask:
    """Mask of the kinds that may be laid off on some of these groups (M4)."""
    mask = 0
    for group in groups:
        mask |= group.accepts
    return mask
