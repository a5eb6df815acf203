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
from typing import TypeAlias

from okey101.errors import NotationError
from okey101.melds import Group, Pieces, groups_text, parse_groups, parse_piece, piece_text
from okey101.tiles import TILES, Piece, Tile, TileCode, parse_tile

__all__ = [
    "ANNOUNCE",
    "DISCARDS",
    "DRAW",
    "INDICATOR",
    "PASS",
    "RETURN",
    "TAKE",
    "Action",
    "Announce",
    "Back",
    "Discard",
    "Draw",
    "Indicator",
    "Lay",
    "Meld",
    "Pass",
    "Return",
    "Swap",
    "Take",
    "parse_action",
    "parse_line",
]

_set = object.__setattr__


def _tile(tile: str | TileCode) -> Tile:
    """A tile given by its notation or its code."""
    if isinstance(tile, str):
        return parse_tile(tile)
    if not 0 <= tile < len(TILES):
        raise NotationError("bad-tile", f"{tile} is no tile", tile=str(tile))
    return TILES[tile]


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the next tile of the stock (U1).

    >>> str(Draw())
    'draw'
    """

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Take:
    """Take the previous player's last discard (U1, U2).

    >>> str(Take())
    'take'
    """

    def __str__(self) -> str:
        return "take"


@dataclass(frozen=True, slots=True)
class Return:
    """Put the taken discard back (U3).

    >>> str(Return())
    'return'
    """

    def __str__(self) -> str:
        return "return"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Meld:
    """Lay groups from the hand: an opening, or new melds or pairs (O1-O3).

    ``groups`` holds the pieces of each group, as in :mod:`okey101.melds`. A meld is made of these,
    of groups as values, such as those of an arrangement, or of their notation; NotationError as
    :func:`okey101.melds.parse_groups` raises it.

    >>> str(Meld("R7 R8 R9 / K11 Y11 *B11"))
    'meld R7 R8 R9 / K11 Y11 *B11'
    """

    groups: tuple[Pieces, ...]

    def __init__(self, groups: str | Iterable[Group | Pieces]) -> None:
        made = parse_groups(groups) if isinstance(groups, str) else tuple(groups)
        for group in made:
            if type(group) is not tuple:
                made = tuple(g.pieces if isinstance(g, Group) else tuple(g) for g in made)
                break
        _set(self, "groups", made)

    def __str__(self) -> str:
        return f"meld {groups_text(self.groups)}"

    def __repr__(self) -> str:
        return f"Meld({groups_text(self.groups)!r})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Lay:
    """Lay one piece off on a group of the table; groups are numbered from 1 (O3, M4).

    The piece is given as such or in its notation; NotationError ``bad-tile`` or ``bare-okey``.

    >>> Lay("K5", 3), str(Lay("*R8", 1))
    (Lay('K5', 3), 'lay *R8 > 1')
    """

    piece: Piece
    group: int

    def __init__(self, piece: str | Piece, group: int) -> None:
        _set(self, "piece", parse_piece(piece) if isinstance(piece, str) else piece)
        _set(self, "group", group)

    def __str__(self) -> str:
        return f"lay {piece_text(self.piece)} > {self.group}"

    def __repr__(self) -> str:
        return f"Lay({piece_text(self.piece)!r}, {self.group})"


@dataclass(frozen=True, slots=True, repr=False)
class Back:
    """Take back the last tiles put down this turn (U5).

    >>> Back(2), str(Back(2))
    (Back(2), 'back 2')
    """

    count: int

    def __str__(self) -> str:
        return f"back {self.count}"

    def __repr__(self) -> str:
        return f"Back({self.count})"


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce the twin of the indicator (O6).

    >>> str(Announce())
    'announce'
    """

    def __str__(self) -> str:
        return "announce"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Discard:
    """Discard one tile and end the turn (U1).

    The tile is given as such, by its code or in its notation; NotationError ``bad-tile``.

    >>> Discard("K5").tile, str(Discard("K5"))
    (Tile.K5, 'discard K5')
    """

    tile: Tile

    def __init__(self, tile: str | TileCode) -> None:
        _set(self, "tile", _tile(tile))

    def __str__(self) -> str:
        return _DISCARD_TEXTS[self.tile]

    def __repr__(self) -> str:
        return f"Discard({str(self.tile)!r})"


_DISCARD_TEXTS = tuple(f"discard {tile}" for tile in TILES)


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline the last discard, or the indicator, and end the deal (E2, E4).

    >>> str(Pass())
    'pass'
    """

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Indicator:
    """Draw the indicator to finish with it (E4).

    >>> str(Indicator())
    'indicator'
    """

    def __str__(self) -> str:
        return "indicator"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Swap:
    """Swap the real tile for an okey laid in a group of the table (X2).

    The tile is given as in :class:`Discard`; groups are numbered from 1.

    >>> Swap("R8", 3), str(Swap("R8", 3))
    (Swap('R8', 3), 'swap R8 > 3')
    """

    tile: Tile
    group: int

    def __init__(self, tile: str | TileCode, group: int) -> None:
        _set(self, "tile", _tile(tile))
        _set(self, "group", group)

    def __str__(self) -> str:
        return f"swap {self.tile} > {self.group}"

    def __repr__(self) -> str:
        return f"Swap({str(self.tile)!r}, {self.group})"


Action: TypeAlias = (
    Draw | Take | Return | Meld | Lay | Back | Announce | Discard | Pass | Indicator | Swap
)
DRAW, TAKE, RETURN, ANNOUNCE = Draw(), Take(), Return(), Announce()
PASS, INDICATOR = Pass(), Indicator()
DISCARDS: tuple[Discard, ...] = tuple(map(Discard, TILES))
"""The discard of every tile, by its code."""
_PLAIN: dict[str, Action] = {str(a): a for a in (DRAW, TAKE, RETURN, ANNOUNCE, PASS, INDICATOR)}
_WORDS = (*_PLAIN, "meld", "lay", "back", "discard", "swap")
_NUMBER = re.compile(r"[0-9]{1,4}")


def parse_action(text: str) -> Action:
    """Read an action without a seat; raises NotationError.

    Codes: ``unknown-action``, ``bad-action``, and those of tiles and groups.

    >>> str(parse_action("meld r7 r8 r9 / k11 Y11 *b11"))
    'meld R7 R8 R9 / K11 Y11 *B11'
    >>> parse_action("lay K5 > 3")
    Lay('K5', 3)
    """
    start = len(text) - len(text.lstrip())
    word, _, rest = text.strip().partition(" ")
    word = word.lower() if word.isascii() else word
    at = min(start + len(word) + 1, len(text))
    if word not in _WORDS:
        raise NotationError(
            "unknown-action", f"{word!r} is no action", text=text, position=start, word=word
        )
    plain = _PLAIN.get(word)
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
    head, colon, rest = line.partition(":")
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
