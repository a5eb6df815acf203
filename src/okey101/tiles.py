"""Tiles, colours and racks: the values everything else is made of, and their notation (T1).

A tile is a small integer: ``colour * 13 + number - 1`` for the 52 numbered kinds, 52 for a false
joker and 53 for an okey. Which kind is the okey changes from deal to deal; inside a deal its two
tiles are always written as the okey, never by their own face.

A rack is a multiset of tiles, packed into one integer with two bits a tile. The functions named
``*_bits`` work on that integer; :class:`Rack` wraps it as a value for everybody else.

This package uses five types of integer, and signatures tell them apart by name:
:data:`TileCode`, :data:`Kind`, :data:`Piece`, :data:`KindMask` and :data:`PackedRack`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from operator import getitem
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, Union, cast

from okey101.errors import NotationError, OkeyError, checked

TileCode: TypeAlias = int
"""A tile: 0 to 51 a numbered kind, 52 a false joker, 53 an okey. Every :class:`Tile` is one."""
Kind: TypeAlias = int
"""A numbered kind, 0 to 51: ``colour * 13 + number - 1``. What an indicator makes the okey."""
Piece: TypeAlias = int
"""A tile in a group and what it stands for: a tile's code, ``AS + kind`` or ``ANY + number``.

:mod:`okey101.melds` tells of the two ways to write an okey. A bare okey (53) is no piece.
"""
KindMask: TypeAlias = int
"""A set of kinds, one bit a kind: bit ``k`` for kind ``k``."""
PackedRack: TypeAlias = int
"""A rack as one integer, two bits a tile: ``bits >> 2 * tile & 3`` copies of a tile's code."""
AnyTile: TypeAlias = TileCode | str
"""What names a tile wherever one is asked for: a :class:`Tile`, its code, or its notation."""
AnyTiles: TypeAlias = Union["Rack", str, Iterable[AnyTile]]
"""What names several: a :class:`Rack`, notation, or anything that :data:`AnyTile` has, in a row."""
_T = TypeVar("_T")
KINDS = 52
"""Numbered kinds: four colours of thirteen."""

_FACE: Final = sys.modules[__name__.partition(".")[0]]
"""The package's face: it says who draws, so that the core need not know."""


def svg_of(value: object) -> str | None:
    """The picture of a value; None, which shows as text, where nobody draws."""
    return cast("str | None", _FACE.draw(value))


def html_of(value: object) -> str | None:
    """The picture in an element that never grows wider than its column."""
    svg = svg_of(value)
    if svg is None:
        return None
    return f'<div style="max-width:100%;overflow-x:auto">{svg}</div>'


class Colour(IntEnum):
    """The four colours, in the order of the notation, whose letters name them too.

    >>> [colour.letter for colour in Colour]
    ['R', 'Y', 'B', 'K']
    """

    RED = 0
    YELLOW = 1
    BLUE = 2
    BLACK = 3

    if TYPE_CHECKING:  # what _missing_ reads

        def __new__(cls, value: int | str) -> Colour: ...  # noqa: D102, PYI034

    @classmethod
    def _missing_(cls, value: object) -> Colour:
        known = "R, Y, B, K"
        if isinstance(value, str) and value.upper() in known.split(", "):
            return cls("RYBK".index(value.upper()))
        raise OkeyError("bad-value", f"{value!r} is no colour", fields="colour", allowed=known)

    @property
    def letter(self) -> str:
        """The letter of the notation, the same in every language: R, Y, B or K."""
        return "RYBK"[self]


class Tile(IntEnum):
    """One tile as a player sees it: a numbered kind, a false joker, or an okey.

    Its code and its notation name it: ``Tile(6)``, ``Tile("R7")``. Else NotationError ``bad-tile``.

    >>> Tile.R7.colour, Tile("r7").number, str(Tile.OKEY)
    (<Colour.RED: 0>, 7, '*')
    """

    R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13 = range(13)
    Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13 = range(13, 26)
    B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13 = range(26, 39)
    K1, K2, K3, K4, K5, K6, K7, K8, K9, K10, K11, K12, K13 = range(39, 52)
    F = 52
    OKEY = 53

    if TYPE_CHECKING:  # what _missing_ reads

        def __new__(cls, value: AnyTile) -> Tile: ...  # noqa: D102, PYI034

    __hash__ = int.__hash__  # as fast as that of the code, and equal to it

    @classmethod
    def _missing_(cls, value: object) -> Tile:
        return parse_tile(value)

    @property
    def colour(self) -> Colour:
        """The colour of a numbered tile; OkeyError ``no-kind`` for a false joker or an okey."""
        return Colour(self._kind() // 13)

    @property
    def number(self) -> int:
        """The number, 1 to 13, of a numbered tile; OkeyError ``no-kind`` as for the colour."""
        return self._kind() % 13 + 1

    def _kind(self) -> Kind:
        if self >= KINDS:
            message = f"{self} has no colour and no number of its own"
            raise OkeyError("no-kind", message, tile=str(self))
        return self

    def __str__(self) -> str:
        return TILE_TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"Tile.{self.name}"


TILE_TEXTS = tuple(t.name if t != Tile.OKEY else "*" for t in Tile)
"""The notation of each tile, by its code."""
TILES: tuple[Tile, ...] = tuple(Tile)
"""Every tile by its code, without the cost of the enumeration's look-up."""
FALSE_JOKER = 52
OKEY = 53
BITS_OF: tuple[int, ...] = tuple(1 << 2 * t for t in range(54))
"""One copy of each tile, packed."""
NUMBERED = (1 << 2 * KINDS) - 1
"""Mask of the numbered kinds in a packed rack."""
_ONES = sum(BITS_OF)
_PART_TILES = 9
_PART = (1 << 2 * _PART_TILES) - 1
_BY_TEXT = {text: Tile(code) for code, text in enumerate(TILE_TEXTS)}


def parse_tile(text: object, *, position: int = 0) -> Tile:
    """Read one tile, in either case; raises NotationError ``bad-tile``, for what is no text too.

    >>> parse_tile("r7"), parse_tile("*")
    (Tile.R7, Tile.OKEY)
    """
    tile = _BY_TEXT.get(text.upper()) if isinstance(text, str) and text.isascii() else None
    if tile is None:
        word = str(text)
        turned = (word[-1:] + word[:-1]).upper() if word.isascii() else ""  # 7R
        meant = turned if turned in _BY_TEXT else ""
        raise NotationError(
            "bad-tile", f"{text!r} is no tile",
            text=word, position=position, tile=word, meant=meant,
        )  # fmt: skip
    return tile


def parse_tiles(tiles: AnyTiles) -> list[Tile]:
    """Tiles given in any way, in their order; NotationError ``bad-tile``, OkeyError ``wrong-type``.

    >>> parse_tiles("K5 R7"), parse_tiles(["K5", Tile.R7]) == parse_tiles([43, 6])
    ([Tile.K5, Tile.R7], True)
    """
    if isinstance(tiles, str):
        return [parse_tile(word, position=at) for word, at in words_of(tiles)]
    return [tile if type(tile) is Tile else Tile(tile) for tile in checked(tiles, Iterable, "list")]


def words_of(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text, each with its position."""
    position = 0
    for word in text.split():
        position = text.index(word, position)
        yield word, position
        position += len(word)


def okey_of(indicator: AnyTile) -> Tile:
    """The okey for a numbered indicator: one above in its colour, 1 after 13 (J1).

    ``indicator`` is a tile, its code or its notation. OkeyError ``bad-indicator`` for a joker.

    >>> okey_of(Tile.B5), okey_of("R13")
    (Tile.B6, Tile.R1)
    """
    tile = Tile(indicator)
    if tile >= KINDS:
        raise OkeyError("bad-indicator", f"{tile} has no tile above it (J1)", tile=str(tile))
    return TILES[tile + 1 if tile % 13 != 12 else tile - 12]


def okey_kind(okey: AnyTile | None) -> Kind | None:
    """The okey's kind, named in any way: a numbered one, or None in a riziko deal.

    OkeyError ``bad-okey`` for a joker, NotationError ``bad-tile``.
    """
    if okey is None:
        return None
    tile = Tile(okey)
    if tile >= KINDS:
        raise OkeyError("bad-okey", "the okey is a numbered kind, or None in a riziko deal")
    return int(tile)


def code_of(tile: AnyTile) -> TileCode:
    """The code of a tile named in any way; NotationError ``bad-tile``."""
    return tile if type(tile) is int and 0 <= tile <= OKEY else int(Tile(tile))


def count_bits(bits: PackedRack, tile: TileCode) -> int:
    """How many copies of a tile, given by its code, a packed rack holds: 0, 1 or 2."""
    return bits >> 2 * tile & 3


def size_of_bits(bits: PackedRack) -> int:
    """How many tiles a packed rack holds."""
    return (bits & _ONES).bit_count() + 2 * (bits >> 1 & _ONES).bit_count()


def tiles_of_bits(bits: PackedRack) -> list[TileCode]:
    """The codes of the tiles of a packed rack, each copy on its own, in order."""
    tiles = []
    while bits:
        tile = (bits & -bits).bit_length() - 1 >> 1
        copies = bits >> 2 * tile & 3
        bits ^= copies << 2 * tile
        tiles.append(tile)
        if copies == 2:
            tiles.append(tile)
    return tiles


def _text_of(bits: PackedRack) -> str:
    return " ".join([TILE_TEXTS[tile] for tile in tiles_of_bits(bits)])


def distinct_bits(bits: PackedRack) -> list[TileCode]:
    """The codes of the different tiles of a packed rack, in order."""
    held = (bits | bits >> 1) & _ONES
    return [
        *_PART_0[held & _PART], *_PART_1[held >> 18 & _PART], *_PART_2[held >> 36 & _PART],
        *_PART_3[held >> 54 & _PART], *_PART_4[held >> 72 & _PART], *_PART_5[held >> 90],
    ]  # fmt: skip


def holds_bits(bits: PackedRack, wanted: PackedRack) -> bool:
    """Whether a packed rack has every tile of another one."""
    return all(count_bits(wanted, t) <= count_bits(bits, t) for t in distinct_bits(wanted))


def union_bits(bits: PackedRack, other: PackedRack) -> PackedRack:
    """The least packed rack that holds both."""
    twos = (bits | other) & _ONES << 1
    return twos | (bits | other) & ~(twos >> 1)


class _Noted(dict[int, _T]):
    """What is made of some bits of a packed rack that begin with this tile, each made once."""

    def __init__(self, make: Callable[[PackedRack], _T], first: TileCode) -> None:
        self._make, self._shift = make, 2 * first

    def __missing__(self, bits: int) -> _T:
        self[bits] = made = self._make(bits << self._shift)
        return made


_PART_0, _PART_1, _PART_2, _PART_3, _PART_4, _PART_5 = (
    _Noted(tiles_of_bits, first) for first in range(0, 54, _PART_TILES)
)
_TEXTS = tuple(_Noted(_text_of, first) for first in range(0, 54, 4))  # four tiles a byte


def rack_text(bits: PackedRack) -> str:
    """A packed rack as ``str(Rack.from_bits(bits))`` has it, quickly: a view has five of them.

    >>> rack_text(0b10_01)
    'R1 R2 R2'
    """
    counts = bits.to_bytes(len(_TEXTS), "little")
    return " ".join(filter(None, map(getitem, _TEXTS, counts)))


def bits_of_tiles(tiles: Iterable[TileCode]) -> PackedRack:
    """Pack tiles, given by their codes; the caller ensures at most two copies of each."""
    return sum(BITS_OF[t] for t in tiles)


def packed_rack(bits: PackedRack) -> PackedRack:
    """A packed rack, if it is one; OkeyError ``not-a-rack`` where a tile occurs more than twice."""
    if not 0 <= checked(bits, int, "packed rack") < 1 << 108 or bits & bits >> 1 & _ONES:
        raise OkeyError("not-a-rack", "a packed rack has two bits a tile, at most two copies each")
    return bits


def natural_bits(bits: PackedRack, okey: Kind | None) -> PackedRack:
    """The numbered part of a packed rack, packed, false jokers as the okey's kind (J2).

    Unchecked; :func:`okey101.solver.search.checked_natural_bits` refuses what is no rack.
    """
    kinds = bits & NUMBERED
    jokers = count_bits(bits, FALSE_JOKER)
    return kinds + (jokers << 2 * okey) if jokers and okey is not None else kinds


def natural_kind(tile: TileCode, okey: Kind | None) -> Kind:
    """The kind of a tile, by its code, that is no okey; a false joker has the okey's kind (J2)."""
    return okey if tile == FALSE_JOKER and okey is not None else tile


def points_of_bits(bits: PackedRack, okey: Kind | None, okey_points: int = 0) -> int:
    """Face values of a packed rack; a false joker counts as the okey's number (section 8).

    ``okey`` is the okey's kind, None in a riziko deal; each okey counts ``okey_points``.
    """
    total = 0
    for tile in tiles_of_bits(bits):
        if tile < KINDS:
            total += tile % 13 + 1
        elif tile == OKEY:
            total += okey_points
        elif okey is not None:
            total += okey % 13 + 1
    return total


def _packed(
    tiles: Iterable[tuple[TileCode, int]], text: str = "", wild: TileCode | None = None
) -> PackedRack:
    """Pack tiles that stand at these places of a text; NotationError ``too-many-copies``."""
    bits = 0
    for tile, position in tiles:
        if tile == wild:
            tile = OKEY
        if bits >> 2 * tile & 3 == 2:
            name = TILE_TEXTS[tile]
            message = f"more than two tiles {name}"
            raise NotationError("too-many-copies", message, text=text, position=position, tile=name)
        bits += BITS_OF[tile]
    return bits


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Rack:
    """A multiset of tiles with at most two copies of each: a hand as a value.

    >>> rack = Rack.parse("f r8 b1 * R7")
    >>> str(rack), len(rack), Tile.R7 in rack
    ('R7 R8 B1 F *', 5, True)
    >>> rack - Rack.parse("R7 *") == Rack.parse("R8 B1 F")
    True
    """

    bits: PackedRack

    def __init__(self, tiles: AnyTiles = ()) -> None:
        """Of another rack, of notation, or of tiles, which may be given in any way.

        Raises NotationError ``bad-tile``, and ``too-many-copies`` at the third copy of a tile.

        >>> Rack("R7 R8") == Rack([Tile.R8, "R7"]) == Rack(Rack("r8 r7"))
        True
        """
        object.__setattr__(self, "bits", _packed((tile, 0) for tile in parse_tiles(tiles)))

    @classmethod
    def from_bits(cls, bits: PackedRack) -> Rack:
        """Wrap a packed rack, unchecked."""
        rack = cls.__new__(cls)
        object.__setattr__(rack, "bits", bits)
        return rack

    @classmethod
    def parse(cls, text: str, *, okey: AnyTile | None = None) -> Rack:
        """Read tiles separated by blanks, in any order and case.

        With ``okey`` given, the okey's kind, its own face is read as the okey. Raises NotationError
        ``bad-tile`` or ``too-many-copies`` with the position of the tile.
        """
        wild = None if okey is None else Tile(okey)
        words = words_of(checked(text, str, "text"))
        return cls.from_bits(
            _packed(((parse_tile(w, position=at), at) for w, at in words), text, wild)
        )

    def count(self, tile: AnyTile) -> int:
        """Copies of a tile, of its code or its notation, in the rack: 0, 1 or 2."""
        return count_bits(self.bits, Tile(tile))

    def seen(self, okey: AnyTile | None) -> Rack:
        """The rack as it is in a deal: the okey's own face as the okey.

        ``okey`` is the okey's kind, None in a riziko deal, where the false joker is the okey (D8).
        Raises NotationError ``too-many-copies`` at the third okey.

        >>> Rack.parse("R7 B6 F").seen(Tile.B6), Rack.parse("R7 B6 F").seen(None)
        (Rack.parse('R7 F *'), Rack.parse('R7 B6 *'))
        """
        kind = okey_kind(okey)
        face = FALSE_JOKER if kind is None else kind
        if not self.bits >> 2 * face & 3:
            return self
        return Rack(OKEY if tile == face else tile for tile in tiles_of_bits(self.bits))

    def points(self, okey: AnyTile | None, okey_points: int = 101) -> int:
        """Value of the rack left in a hand: false jokers as the okey's number (section 8).

        ``okey`` is the okey's kind, None in a riziko deal; each okey counts ``okey_points``.
        """
        each = checked(okey_points, int, "whole number")
        return points_of_bits(self.bits, okey_kind(okey), each)

    def __iter__(self) -> Iterator[Tile]:
        return iter([TILES[t] for t in tiles_of_bits(self.bits)])

    def __len__(self) -> int:
        return size_of_bits(self.bits)

    def __contains__(self, tile: object) -> bool:
        if isinstance(tile, str):
            tile = _BY_TEXT.get(tile.upper())
        return isinstance(tile, int) and 0 <= tile < 54 and count_bits(self.bits, tile) > 0

    def __add__(self, other: AnyTiles) -> Rack:
        return Rack([*self, *parse_tiles(other)])

    def __sub__(self, other: AnyTiles) -> Rack:
        """Take tiles out; OkeyError ``not-in-rack`` names the first that is not there."""
        bits = self.bits
        for tile in parse_tiles(other):
            if not bits >> 2 * tile & 3:
                raise OkeyError("not-in-rack", f"{tile} is not in the rack", tile=str(tile))
            bits -= BITS_OF[tile]
        return Rack.from_bits(bits)

    def __str__(self) -> str:
        return rack_text(self.bits)

    def __repr__(self) -> str:
        return f"Rack.parse({str(self)!r})"

    _repr_svg_ = svg_of
    _repr_html_ = html_of
