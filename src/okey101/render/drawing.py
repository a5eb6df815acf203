"""The parts that pictures are made of: tiles, faces and backs, and the rack they stand on.

Everything is written out where it stands, without ids, fonts or files of its own, so that any
number of pictures can share a page and each can be saved alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import cos, pi, sin

from okey101.i18n import Texts
from okey101.melds import ANY, AS
from okey101.render.text import Ink
from okey101.tiles import FALSE_JOKER, KINDS, OKEY

__all__ = [
    "FONT",
    "INK",
    "PALETTE",
    "TILE_HEIGHT",
    "TILE_WIDTH",
    "Drawing",
    "number",
    "slots",
    "star",
]

TILE_WIDTH, TILE_HEIGHT = 46, 64
"""A tile at scale 1, its edge not counted."""
PALETTE = ("#B6035A", "#8E830E", "#1B70F2", "#111111")
"""Red, yellow, blue and black, told apart on ivory under the common colour-vision deficiencies."""
IVORY, EDGE, LINE = "#FFFBEF", "#D9CDAE", "#A89A78"
BACK, BACK_LINE = "#8C3B2E", "#E0B08A"
GOLD, JOKER = "#D99A00", "#6A3FA0"
INK = "#2B2417"
WOOD, WOOD_DARK, WOOD_LIGHT = "#B98552", "#7A4F2A", "#D2A26F"
FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_SLOT = TILE_WIDTH + 2
_SHELF = TILE_HEIGHT + 12


def number(value: float) -> str:
    """A coordinate, with two decimals at most and no needless ones."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def spoken(text: str) -> str:
    """A text as XML takes it, without the control characters that it forbids."""
    return escape("".join(c if c.isprintable() else " " for c in text))


def star(x: float, y: float, radius: float) -> str:
    """The points of a five-pointed star."""
    points = []
    for corner in range(10):
        r = radius if corner % 2 == 0 else radius * 0.42
        angle = pi * (corner / 5 - 0.5)
        points.append(f"{number(x + r * cos(angle))},{number(y + r * sin(angle))}")
    return " ".join(points)


class Drawing:
    """An SVG picture being drawn, its size in pixels at scale 1.

    ``okey`` is the okey's kind, whose face okeys show; without it they show a star.
    """

    def __init__(self, texts: Texts, okey: int | None = None) -> None:
        self.texts = texts
        self.okey = okey
        self._ink = Ink(texts, words=True)
        self._parts: list[str] = []

    def add(self, text: str) -> None:
        """Append an element as it is."""
        self._parts.append(text)

    def words(self, pieces: Sequence[int]) -> str:
        """Pieces in words, for those who hear the picture."""
        return self._ink.row(pieces)

    def finish(self, width: float, height: float, title: str, description: str) -> str:
        """The whole picture as an SVG document."""
        w, h = number(width), number(height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {w} {h}"'
            f' width="{w}" height="{h}" lang="{self.texts.language}" font-family="{FONT}">'
        )
        said = f"<title>{spoken(title)}</title><desc>{spoken(description)}</desc>"
        return "\n".join([head, said, *self._parts, "</svg>"]) + "\n"

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 14,
        fill: str = INK,
        anchor: str = "middle",
        bold: bool = False,
    ) -> None:
        """A line of text; ``y`` is its base line."""
        weight = ' font-weight="700"' if bold else ""
        self.add(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"'
            f' text-anchor="{anchor}"{weight}>{spoken(text)}</text>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, more: str = ""
    ) -> None:
        """A rectangle; ``more`` holds further attributes."""
        self.add(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}"'
            f' height="{number(height)}" fill="{fill}"{" " + more if more else ""}/>'
        )

    def tile(self, x: float, y: float, piece: int | None, scale: float = 1) -> None:
        """A tile with its upper left corner there; None is one face down."""
        name = self.texts("picture-face-down") if piece is None else self._ink.piece(piece)
        place = f"translate({number(x)} {number(y)})"
        if scale != 1:
            place += f" scale({number(scale)})"
        self.add(f'<g transform="{place}"><title>{spoken(name)}</title>')
        self.box(0, 3, TILE_WIDTH, TILE_HEIGHT, EDGE, f'rx="7" stroke="{LINE}"')
        if piece is None:
            self._back()
        else:
            self.box(0, 0, TILE_WIDTH, TILE_HEIGHT, IVORY, f'rx="7" stroke="{LINE}"')
            self._face(piece)
        self.add("</g>")

    def blank(self, x: float, y: float, scale: float = 1) -> None:
        """A tile of which only the edge peeps out from behind another."""
        place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
        self.add(f'<g transform="{place}">')
        self.box(0, 3, TILE_WIDTH, TILE_HEIGHT, EDGE, f'rx="7" stroke="{LINE}"')
        self.box(0, 0, TILE_WIDTH, TILE_HEIGHT, IVORY, f'rx="7" stroke="{LINE}"')
        self.add("</g>")

    def _back(self) -> None:
        self.box(0, 0, TILE_WIDTH, TILE_HEIGHT, BACK, f'rx="7" stroke="{INK}" stroke-opacity="0.5"')
        self.box(5, 5, TILE_WIDTH - 10, TILE_HEIGHT - 10, "none", f'rx="4" stroke="{BACK_LINE}"')
        middle, height = TILE_WIDTH / 2, TILE_HEIGHT / 2
        self.add(
            f'<path d="M{number(middle)} {number(height - 14)}l10 14l-10 14l-10 -14z"'
            f' fill="none" stroke="{BACK_LINE}" stroke-width="1.5"/>'
        )

    def _face(self, piece: int) -> None:
        if piece == FALSE_JOKER:
            self._false_joker()
        elif piece == OKEY and self.okey is None:
            self._mark_okey()
            middle = star(TILE_WIDTH / 2, TILE_HEIGHT / 2, 16)
            self.add(f'<polygon points="{middle}" fill="{GOLD}"/>')
        elif piece == OKEY:
            assert self.okey is not None
            self._mark_okey()
            self._numbered(self.okey)
        elif piece >= AS:
            self._standing(piece)
        else:
            self._numbered(piece)

    def _numbered(self, kind: int) -> None:
        colour = kind // 13
        fill = PALETTE[colour]
        self.text(TILE_WIDTH / 2, 35, str(kind % 13 + 1), size=28, fill=fill, bold=True)
        self._shape(TILE_WIDTH / 2, 50, colour, 6.5)

    def _shape(self, x: float, y: float, colour: int, size: float) -> None:
        """The sign of a colour: circle, diamond, triangle, square."""
        fill, r = PALETTE[colour], size
        if colour == 0:
            self.add(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{fill}"/>')
        elif colour == 3:
            side = 1.8 * r
            self.box(x - side / 2, y - side / 2, side, side, fill)
        else:
            corners = (
                [(x, y - 1.25 * r), (x + 1.1 * r, y), (x, y + 1.25 * r), (x - 1.1 * r, y)]
                if colour == 1
                else [(x, y - 1.1 * r), (x + 1.2 * r, y + r), (x - 1.2 * r, y + r)]
            )
            points = " ".join(f"{number(a)},{number(b)}" for a, b in corners)
            self.add(f'<polygon points="{points}" fill="{fill}"/>')

    def _false_joker(self) -> None:
        x, y = TILE_WIDTH / 2, TILE_HEIGHT / 2
        for radius, width in ((17, 2.5), (12.5, 1)):
            self.add(
                f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="none"'
                f' stroke="{JOKER}" stroke-width="{number(width)}"/>'
            )
        self.add(f'<polygon points="{star(x, y, 10)}" fill="{JOKER}"/>')

    def _mark_okey(self) -> None:
        """A gold frame with a star: this tile is wild."""
        self.box(
            2.5, 2.5, TILE_WIDTH - 5, TILE_HEIGHT - 5, "none",
            f'rx="5" stroke="{GOLD}" stroke-width="2.5"',
        )  # fmt: skip
        self.add(f'<polygon points="{star(TILE_WIDTH - 9, 9.5, 5)}" fill="{GOLD}"/>')

    def _standing(self, piece: int) -> None:
        """An okey in a group: framed and paler, with what it stands for."""
        self._mark_okey()
        self.add('<g opacity="0.72">')
        if piece < ANY:
            self._numbered(piece - AS)
        else:
            self.text(TILE_WIDTH / 2, 35, str(piece - ANY), size=28, bold=True)
            for colour in range(4):
                self._shape(TILE_WIDTH / 2 - 12 + 8 * colour, 50, colour, 3)
        self.add("</g>")

    def group(self, x: float, y: float, pieces: Sequence[int], scale: float = 1) -> float:
        """Tiles side by side; returns their width."""
        for place, piece in enumerate(pieces):
            self.tile(x + place * _SLOT * scale, y, piece, scale)
        return len(pieces) * _SLOT * scale

    def rack(
        self, x: float, y: float, shelves: Sequence[Sequence[int | None]], columns: int
    ) -> tuple[float, float]:
        """The wooden rack with its shelves; None is an empty slot. Returns width and height."""
        width = columns * _SLOT + 24
        height = len(shelves) * _SHELF + 14
        self.box(x, y, width, height, WOOD, f'rx="10" stroke="{WOOD_DARK}" stroke-width="2"')
        for row, shelf in enumerate(shelves):
            top = y + 8 + row * _SHELF
            self.box(x + 8, top, width - 16, _SHELF - 8, WOOD_DARK, 'rx="4" opacity="0.28"')
            self.box(x + 8, top + _SHELF - 9, width - 16, 6, WOOD_LIGHT, 'rx="3"')
            for column, piece in enumerate(shelf):
                if piece is not None:
                    self.tile(x + 13 + column * _SLOT, top + 2, piece)
        return width, height


def slots(
    groups: Sequence[Sequence[int]], rest: Sequence[int], columns: int = 16
) -> tuple[list[list[int | None]], int]:
    """Groups, then single tiles, on two shelves, an empty slot after every group.

    Without room for that the gaps go, and at last the shelves grow. Returns shelves and columns.
    """
    while True:
        for gap in (1, 0):
            shelves = _flow(groups, rest, columns, gap)
            if len(shelves) <= 2:
                shelves += [[] for _ in range(2 - len(shelves))]
                return shelves, columns
        columns += 1


def _flow(
    groups: Sequence[Sequence[int]], rest: Sequence[int], columns: int, gap: int
) -> list[list[int | None]]:
    shelves: list[list[int | None]] = [[]]
    for chunk, holds in _chunks(groups, rest):
        if len(shelves[-1]) + len(chunk) > columns:
            shelves.append([])
        shelves[-1] += chunk
        if holds and len(shelves[-1]) < columns:
            shelves[-1] += [None] * gap
    return shelves


def _chunks(
    groups: Sequence[Sequence[int]], rest: Sequence[int]
) -> Iterator[tuple[Sequence[int], bool]]:
    """What stays together on a shelf, and whether it is a group; sorted colours are parted."""
    for group in groups:
        yield group, True
    for place, tile in enumerate(rest):
        following = rest[place + 1] if place + 1 < len(rest) else tile
        yield (tile,), not groups and _row(tile) != _row(following)


def _row(tile: int) -> int:
    return min(tile, KINDS) // 13
