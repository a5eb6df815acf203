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

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import TypeAlias

from okey101 import _pictures
from okey101.errors import NotationError

__all__ = [
    "BITS_OF",
    "FALSE_JOKER",
    "KINDS",
    "NUMBERED",
    "OKEY",
    "TILES",
    "Colour",
    "Kind",
    "KindMask",
    "PackedRack",
    "Piece",
    "Rack",
    "Tile",
    "TileCode",
    "bits_of_tiles",
    "count_bits",
    "distinct_bits",
    "natural_bits",
    "natural_kind",
    "okey_of",
    "parse_tile",
    "points_of_bits",
    "size_of_bits",
    "tiles_of_bits",
]

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
KINDS = 52
"""Numbered kinds: four colours of thirteen."""


class Colour(IntEnum):
    """The four colours, in the order of the notation.

    >>> [colour.letter for colour in Colour]
    ['R', 'Y', 'B', 'K']
    """

    RED = 0
    YELLOW = 1
    BLUE = 2
    BLACK = 3

    @property
    def letter(self) -> str:
        """The letter of the notation, the same in every language: R, Y, B or K."""
        return "RYBK"[self]


class Tile(IntEnum):
    """One tile as a player sees it: a numbered kind, a false joker, or an okey.

    >>> Tile.R7.colour, Tile.R7.number, str(Tile.OKEY)
    (<Colour.RED: 0>, 7, '*')
    """

    R1 = 0
    R2 = 1
    R3 = 2
    R4 = 3
    R5 = 4
    R6 = 5
    R7 = 6
    R8 = 7
    R9 = 8
    R10 = 9
    R11 = 10
    R12 = 11
    R13 = 12
    Y1 = 13
    Y2 = 14
    Y3 = 15
    Y4 = 16
    Y5 = 17
    Y6 = 18
    Y7 = 19
    Y8 = 20
    Y9 = 21
    Y10 = 22
    Y11 = 23
    Y12 = 24
    Y13 = 25
    B1 = 26
    B2 = 27
    B3 = 28
    B4 = 29
    B5 = 30
    B6 = 31
    B7 = 32
    B8 = 33
    B9 = 34
    B10 = 35
    B11 = 36
    B12 = 37
    B13 = 38
    K1 = 39
    K2 = 40
    K3 = 41
    K4 = 42
    K5 = 43
    K6 = 44
    K7 = 45
    K8 = 46
    K9 = 47
    K10 = 48
    K11 = 49
    K12 = 50
    K13 = 51
    F = 52
    OKEY = 53

    @property
    def colour(self) -> Colour:
        """The colour of a numbered tile; ValueError for a false joker or an okey."""
        if self >= KINDS:
            raise ValueError(f"{self} has no colour of its own")
        return Colour(self // 13)

    @property
    def number(self) -> int:
        """The number, 1 to 13, of a numbered tile; ValueError for a false joker or an okey."""
        if self >= KINDS:
            raise ValueError(f"{self} has no number of its own")
        return self % 13 + 1

    def __str__(self) -> str:
        return _TEXT[self]

    def __repr__(self) -> str:
        return f"Tile.{self.name}"


_TEXT = tuple(t.name if t != Tile.OKEY else "*" for t in Tile)
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
_BY_TEXT = {text: Tile(code) for code, text in enumerate(_TEXT)}


def parse_tile(text: str, *, position: int = 0) -> Tile:
    """Read one tile, in either case; raises NotationError ``bad-tile``.

    >>> parse_tile("r7"), parse_tile("*")
    (Tile.R7, Tile.OKEY)
    """
    tile = _BY_TEXT.get(text.upper()) if text.isascii() else None
    if tile is None:
        raise NotationError(
            "bad-tile", f"{text!r} is no tile", text=text, position=position, tile=text
        )
    return tile


def okey_of(indicator: Kind) -> Kind:
    """The okey's kind for a numbered indicator: one above in its colour, 1 after 13 (J1).

    >>> TILES[okey_of(Tile.B5)], TILES[okey_of(Tile.R13)]
    (Tile.B6, Tile.R1)
    """
    return indicator + 1 if indicator % 13 != 12 else indicator - 12


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


def distinct_bits(bits: PackedRack) -> list[TileCode]:
    """The codes of the different tiles of a packed rack, in order."""
    held = (bits | bits >> 1) & _ONES
    return [
        *_PART_0[held & _PART], *_PART_1[held >> 18 & _PART], *_PART_2[held >> 36 & _PART],
        *_PART_3[held >> 54 & _PART], *_PART_4[held >> 72 & _PART], *_PART_5[held >> 90],
    ]  # fmt: skip


class _Part(dict[int, tuple[TileCode, ...]]):
    """The tiles of nine in a row by the bits of those that are held, noted when first asked for."""

    def __init__(self, first: TileCode) -> None:
        self._first = first

    def __missing__(self, held: int) -> tuple[TileCode, ...]:
        tiles = tuple(self._first + n for n in range(_PART_TILES) if held >> 2 * n & 1)
        self[held] = tiles
        return tiles


_PART_0, _PART_1, _PART_2, _PART_3, _PART_4, _PART_5 = map(_Part, range(0, 54, _PART_TILES))


def bits_of_tiles(tiles: Iterable[TileCode]) -> PackedRack:
    """Pack tiles, given by their codes; the caller ensures at most two copies of each."""
    return sum(BITS_OF[t] for t in tiles)


def natural_bits(bits: PackedRack, okey: Kind | None) -> PackedRack:
    """The numbered part of a packed rack, packed, false jokers as the okey's kind (J2).

    Unchecked; :func:`okey101.solver.search.checked_natural_bits` refuses what is no rack.
    """
    kinds = bits & NUMBERED
    jokers = count_bits(bits, FALSE_JOKER)
    return kinds + (jokers << 2 * okey) if jokers and okey is not None else kinds


def natural_kind(tile: TileCode, okey: Kind | None) -> Kind:
    """The kind of a tile that is no okey, a false joker being the okey's kind (J2).

    ``tile`` is its code.
    """
    if tile == FALSE_JOKER:
        assert okey is not None
        return okey
    return tile


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


class Rack:
    """A multiset of tiles with at most two copies of each: a hand as a value.

    >>> rack = Rack.parse("f r8 b1 * R7")
    >>> str(rack), len(rack), Tile.R7 in rack
    ('R7 R8 B1 F *', 5, True)
    >>> rack - Rack.parse("R7 *") == Rack.parse("R8 B1 F")
    True
    """

    __slots__ = ("bits",)

    bits: PackedRack

    def __init__(self, tiles: Iterable[TileCode] = ()) -> None:
        """Raises NotationError ``too-many-copies`` at the third copy of a tile."""
        bits = 0
        for tile in tiles:
            if bits >> 2 * tile & 3 == 2:
                raise NotationError(
                    "too-many-copies", f"more than two tiles {TILES[tile]}", tile=str(TILES[tile])
                )
            bits += BITS_OF[tile]
        object.__setattr__(self, "bits", bits)

    @classmethod
    def from_bits(cls, bits: PackedRack) -> Rack:
        """Wrap a packed rack, unchecked."""
        rack = cls.__new__(cls)
        object.__setattr__(rack, "bits", bits)
        return rack

    @classmethod
    def parse(cls, text: str, *, okey: Kind | None = None) -> Rack:
        """Read tiles separated by blanks, in any order and case.

        With ``okey`` given, the okey's kind, its own face is read as the okey. Raises NotationError
        ``bad-tile`` or ``too-many-copies`` with the position of the tile.
        """
        bits = 0
        position = 0
        for word in text.split():
            position = text.index(word, position)
            tile: int = parse_tile(word, position=position)
            if tile == okey:
                tile = OKEY
            if bits >> 2 * tile & 3 == 2:
                raise NotationError(
                    "too-many-copies",
                    f"more than two tiles {TILES[tile]}",
                    text=text,
                    position=position,
                    tile=str(TILES[tile]),
                )
            bits += BITS_OF[tile]
            position += len(word)
        return cls.from_bits(bits)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Rack does not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Rack does not change")

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return (Rack.from_bits, (self.bits,))

    def count(self, tile: TileCode) -> int:
        """Copies of a tile, or of its code, in the rack: 0, 1 or 2."""
        return count_bits(self.bits, tile)

    def seen(self, okey: Kind | None) -> Rack:
        """The rack as it is in a deal: the okey's own face as the okey.

        ``okey`` is the okey's kind, None in a riziko deal, where the false joker is the okey (D8).
        Raises NotationError ``too-many-copies`` at the third okey.

        >>> Rack.parse("R7 B6 F").seen(Tile.B6), Rack.parse("R7 B6 F").seen(None)
        (Rack.parse('R7 F *'), Rack.parse('R7 B6 *'))
        """
        face = FALSE_JOKER if okey is None else okey
        if not self.bits >> 2 * face & 3:
            return self
        return Rack(OKEY if tile == face else tile for tile in tiles_of_bits(self.bits))

    def points(self, okey: Kind | None, okey_points: int = 101) -> int:
        """Value of the rack left in a hand: false jokers as the okey's number (section 8).

        ``okey`` is the okey's kind, None in a riziko deal; each okey counts ``okey_points``.
        """
        return points_of_bits(self.bits, okey, okey_points)

    def __iter__(self) -> Iterator[Tile]:
        return iter([TILES[t] for t in tiles_of_bits(self.bits)])

    def __len__(self) -> int:
        return size_of_bits(self.bits)

    def __contains__(self, tile: object) -> bool:
        return isinstance(tile, int) and 0 <= tile < 54 and count_bits(self.bits, tile) > 0

    def __add__(self, other: Rack) -> Rack:
        return Rack([*tiles_of_bits(self.bits), *tiles_of_bits(other.bits)])

    def __sub__(self, other: Rack) -> Rack:
        """Take tiles out; KeyError names the first that is not there."""
        bits = self.bits
        for tile in tiles_of_bits(other.bits):
            if not bits >> 2 * tile & 3:
                raise KeyError(str(TILES[tile]))
            bits -= BITS_OF[tile]
        return Rack.from_bits(bits)

    def __eq__(self, other: object) -> bool:
        return self.bits == other.bits if isinstance(other, Rack) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.bits)

    def __str__(self) -> str:
        return " ".join(_TEXT[t] for t in tiles_of_bits(self.bits))

    def __repr__(self) -> str:
        return f"Rack.parse({str(self)!r})"

    def _repr_svg_(self) -> str | None:
        return _pictures.svg_of(self)

    def _repr_html_(self) -> str | None:
        return _pictures.html_of(self)
