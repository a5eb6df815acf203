"""One frozen class per action, and their notation.

Reading an action needs no deal: the okey's own face and the order within a group are settled when
the action is judged, so an action read from text and its normal form may be written differently.

Actions are made from notation or from values, and print as the code that makes them:

>>> Meld("R7 R8 R9 / K11 Y11 *B11"), Discard("K5"), Lay("*R8", 3)
(Meld('R7 R8 R9 / K11 Y11 *B11'), Discard('K5'), Lay('*R8', 3))
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from okey101.errors import NotationError, checked, nearest, whole_number
from okey101.melds import (
    AnyPieces,
    Pieces,
    as_piece,
    as_pieces,
    groups_text,
    parse_groups,
    parse_piece,
    piece_text,
    tile_of_piece,
)
from okey101.tiles import TILES, AnyTile, Piece, Tile, parse_tile

_set = object.__setattr__


def _group(number: int) -> int:
    return whole_number(number, "the group", 0, _MOST_GROUPS)


_MOST_GROUPS = 9999
"""The greatest number that the notation has room for."""


class Action:
    """Any of the eleven actions; ``str`` gives its notation.

    >>> isinstance(parse_action("draw"), Action), parse_action("draw") == Draw()
    (True, True)
    """

    __slots__ = ()


class _Made(Action):
    """An action made of what its notation has after its word."""

    __slots__ = ()

    def __repr__(self) -> str:
        _, _, rest = str(self).partition(" ")
        told = [part if part.isdigit() else repr(part) for part in rest.split(" > ")]
        return f"{type(self).__name__}({', '.join(told)})"


class _Plain(Action):
    """An action without parts, which its name says."""

    __slots__ = ()

    def __str__(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True, slots=True)
class Draw(_Plain):
    """Draw the next tile of the stock (U1).

    >>> str(Draw())
    'draw'
    """


@dataclass(frozen=True, slots=True)
class Take(_Plain):
    """Take the previous player's last discard (U1, U2).

    >>> str(Take())
    'take'
    """


@dataclass(frozen=True, slots=True)
class Return(_Plain):
    """Put the taken discard back (U3).

    >>> str(Return())
    'return'
    """


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Meld(_Made):
    """Lay groups from the hand: an opening, or new melds or pairs (O1-O3).

    A meld is made of groups as values, such as those of an arrangement, of their tiles, or of their
    notation; NotationError as :func:`okey101.melds.parse_groups` raises it.

    >>> meld = Meld("R7 R8 R9 / K11 Y11 *B11")
    >>> str(meld), meld.groups[1]
    ('meld R7 R8 R9 / K11 Y11 *B11', (Tile.K11, Tile.Y11, Tile.OKEY))
    """

    pieces: tuple[Pieces, ...]
    """The integers behind ``groups``, as in :mod:`okey101.melds`."""

    def __init__(self, groups: str | Iterable[AnyPieces]) -> None:
        if isinstance(groups, str):
            made = parse_groups(groups)
        else:
            made = tuple(map(as_pieces, checked(groups, Iterable, "list")))
            if not made or not all(made):
                raise NotationError("empty-group", "a group has no tiles")
        _set(self, "pieces", made)

    @property
    def groups(self) -> tuple[tuple[Tile, ...], ...]:
        """The tiles of each group, okeys as okeys."""
        return tuple(tuple(TILES[tile_of_piece(p)] for p in group) for group in self.pieces)

    def __str__(self) -> str:
        return f"meld {groups_text(self.pieces)}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Lay(_Made):
    """Lay one piece off on a group of the table; groups are numbered from 1 (O3, M4).

    The piece is given as a tile or in its notation; NotationError ``bad-tile`` or ``bare-okey``.

    >>> Lay("K5", 3), str(Lay("*R8", 1)), Lay("*R8", 1).tile
    (Lay('K5', 3), 'lay *R8 > 1', Tile.OKEY)
    """

    piece: Piece
    """The tile and what it stands for, as in :mod:`okey101.melds`."""
    group: int

    def __init__(self, piece: str | Piece, group: int) -> None:
        _set(self, "piece", as_piece(piece))
        _set(self, "group", _group(group))

    @property
    def tile(self) -> Tile:
        """The tile that is laid, an okey as okey."""
        return TILES[tile_of_piece(self.piece)]

    def __str__(self) -> str:
        return f"lay {piece_text(self.piece)} > {self.group}"


@dataclass(frozen=True, slots=True, repr=False)
class Back(_Made):
    """Take back the last tiles put down this turn (U5).

    >>> Back(2), str(Back(2))
    (Back(2), 'back 2')
    """

    count: int

    def __post_init__(self) -> None:
        whole_number(self.count, "the count", 0, _MOST_GROUPS)

    def __str__(self) -> str:
        return f"back {self.count}"


@dataclass(frozen=True, slots=True)
class Announce(_Plain):
    """Announce the twin of the indicator (O6).

    >>> str(Announce())
    'announce'
    """


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Discard(_Made):
    """Discard one tile and end the turn (U1).

    The tile is given as such, by its code or in its notation; NotationError ``bad-tile``.

    >>> Discard("K5").tile, str(Discard("K5"))
    (Tile.K5, 'discard K5')
    """

    tile: Tile

    def __init__(self, tile: AnyTile) -> None:
        _set(self, "tile", Tile(tile))

    def __str__(self) -> str:
        return _DISCARD_TEXTS[self.tile]


_DISCARD_TEXTS = tuple(f"discard {tile}" for tile in TILES)


@dataclass(frozen=True, slots=True)
class Pass(_Plain):
    """Decline the last discard, or the indicator, and end the deal (E2, E4).

    >>> str(Pass())
    'pass'
    """


@dataclass(frozen=True, slots=True)
class Indicator(_Plain):
    """Draw the indicator to finish with it (E4).

    >>> str(Indicator())
    'indicator'
    """


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Swap(_Made):
    """Swap the real tile for an okey laid in a group of the table (X2).

    The tile is given as in :class:`Discard`; groups are numbered from 1.

    >>> Swap("R8", 3), str(Swap("R8", 3))
    (Swap('R8', 3), 'swap R8 > 3')
    """

    tile: Tile
    group: int

    def __init__(self, tile: AnyTile, group: int) -> None:
        _set(self, "tile", Tile(tile))
        _set(self, "group", _group(group))

    def __str__(self) -> str:
        return f"swap {self.tile} > {self.group}"


DRAW, TAKE, RETURN, ANNOUNCE = Draw(), Take(), Return(), Announce()
PASS, INDICATOR = Pass(), Indicator()
DISCARDS: tuple[Discard, ...] = tuple(map(Discard, TILES))
"""The discard of every tile, by its code."""
PLAIN: dict[str, Action] = {str(a): a for a in (DRAW, TAKE, RETURN, ANNOUNCE, PASS, INDICATOR)}
"""The actions without parts by their words, in the order of their numbers everywhere."""
_KNOWN: dict[str, Action] = PLAIN | {str(discard): discard for discard in DISCARDS}
"""By their notation: most of what is played, which need not be taken apart to be read."""
_WORDS = (*PLAIN, "meld", "lay", "back", "discard", "swap")
_NUMBER = re.compile(r"[0-9]{1,4}")


def parse_action(text: str) -> Action:
    """Read an action without a seat; raises NotationError.

    Codes: ``unknown-action``, ``bad-action``, and those of tiles and groups.

    >>> str(parse_action("meld r7 r8 r9 / k11 Y11 *b11"))
    'meld R7 R8 R9 / K11 Y11 *B11'
    >>> parse_action("lay K5 > 3")
    Lay('K5', 3)
    """
    if type(text) is str and (known := _KNOWN.get(text.strip())) is not None:
        return known
    start = len(checked(text, str, "text")) - len(text.lstrip())
    word, _, rest = text.strip().partition(" ")
    word = word.lower() if word.isascii() else word
    at = min(start + len(word) + 1, len(text))
    if word not in _WORDS:
        raise NotationError(
            "unknown-action", f"{word!r} is no action", text=text, position=start, word=word,
            meant=nearest(word, _WORDS),
        )  # fmt: skip
    plain = PLAIN.get(word)
    if plain is not None:
        if rest.strip():
            raise _bad(text, at, word)
        return plain
    if word == "meld":
        return Meld(parse_groups(rest, position=at))
    if word == "back":
        return Back(_number(rest, text, at, word))
    if word == "discard":
        return Discard(parse_tile(rest.strip(), position=at))
    left, sign, right = rest.partition(">")
    if not sign:
        raise _bad(text, at, word)
    group = _number(right, text, at + len(left) + 1, word)
    if word == "lay":
        return Lay(parse_piece(left.strip(), position=at), group)
    return Swap(parse_tile(left.strip(), position=at), group)


def parse_line(line: str) -> tuple[int | None, Action]:
    """Read an action that may begin with the acting seat and a colon: ``2: draw``."""
    head, colon, rest = checked(line, str, "text").partition(":")
    if not colon:
        return None, parse_action(line)
    seat = head.strip()
    if seat not in ("0", "1", "2", "3"):
        raise NotationError("bad-seat", f"{seat!r} is no seat", text=line, seat=seat)
    try:
        return int(seat), parse_action(rest)
    except NotationError as error:
        error.text = line
        error.position += len(head) + 1
        raise


def _number(text: str, line: str, position: int, word: str) -> int:
    if not _NUMBER.fullmatch(text.strip()):
        raise _bad(line, position, word)
    return int(text)


def _bad(text: str, position: int, word: str) -> NotationError:
    shapes = {"lay": "lay K5 > 3", "swap": "swap R8 > 3", "back": "back 2"}
    shape = shapes.get(word, word)
    return NotationError(
        "bad-action", f"not of the form {shape!r}", text=text, position=position, shape=shape
    )
