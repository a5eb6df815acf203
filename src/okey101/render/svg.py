"""Pictures of tiles, racks, groups and tables as SVG.

The text of a picture is the same wherever and whenever it is drawn. Its title and description say
in words what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import cos, pi, sin

from okey101.errors import OkeyError
from okey101.game.deal import Deal
from okey101.game.deal_parts import Opened
from okey101.game.public import Public
from okey101.game.view import View, view_of
from okey101.i18n import Texts, load
from okey101.melds import ANY, AS, Group
from okey101.render.text import Ink, Order, shelves
from okey101.tiles import FALSE_JOKER, KINDS, OKEY, Rack

# The parts that pictures are made of: tiles, faces and backs, and the rack they stand on.
#
# Everything is written out where it stands, without ids, fonts or files of its own, so that any
# number of pictures can share a page and each can be saved alone.

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


class Drawing:
    """An SVG picture being drawn, its size in pixels at scale 1.

    ``okey`` is the okey's kind, whose face okeys show; without it they show a star.
    """

    def __init__(self, texts: Texts, okey: int | None = None) -> None:
        self.texts = texts
        self.okey = okey
        self.ink = Ink(texts, words=True)
        """Writes pieces in words, for those who hear the picture."""
        self._parts: list[str] = []

    def shape(self, name: str, **attributes: str | float) -> None:
        """Add an element that holds nothing."""
        told = (
            f' {key.replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
            for key, value in attributes.items()
        )
        self._parts.append(f"<{name}{''.join(told)}/>")

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
        self, x: float, y: float, text: str, *, size: float, fill: str = INK, bold: bool = False
    ) -> None:
        """A line of text around ``x``; ``y`` is its base line."""
        weight = ' font-weight="700"' if bold else ""
        self._parts.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"'
            f' text-anchor="middle"{weight}>{spoken(text)}</text>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, **more: str | float
    ) -> None:
        """A rectangle; ``more`` are further attributes."""
        self.shape("rect", x=x, y=y, width=width, height=height, fill=fill, **more)

    def tile(self, x: float, y: float, piece: int | None, scale: float = 1) -> None:
        """A tile with its upper left corner there; None is one face down."""
        name = self.texts("picture-face-down") if piece is None else self.ink.piece(piece)
        self._body(x, y, scale, f"<title>{spoken(name)}</title>")
        if piece is None:
            self._back()
        else:
            self.box(0, 0, TILE_WIDTH, TILE_HEIGHT, IVORY, rx=7, stroke=LINE)
            self._face(piece)
        self._parts.append("</g>")

    def blank(self, x: float, y: float, scale: float = 1) -> None:
        """A tile of which only the edge peeps out from behind another."""
        self._body(x, y, scale)
        self.box(0, 0, TILE_WIDTH, TILE_HEIGHT, IVORY, rx=7, stroke=LINE)
        self._parts.append("</g>")

    def _body(self, x: float, y: float, scale: float, title: str = "") -> None:
        """The beginning of a tile: its place and its edge."""
        grown = "" if scale == 1 else f" scale({number(scale)})"
        self._parts.append(f'<g transform="translate({number(x)} {number(y)}){grown}">{title}')
        self.box(0, 3, TILE_WIDTH, TILE_HEIGHT, EDGE, rx=7, stroke=LINE)

    def _back(self) -> None:
        self.box(0, 0, TILE_WIDTH, TILE_HEIGHT, BACK, rx=7, stroke=INK, stroke_opacity=0.5)
        self.box(5, 5, TILE_WIDTH - 10, TILE_HEIGHT - 10, "none", rx=4, stroke=BACK_LINE)
        way = f"M{number(TILE_WIDTH / 2)} {number(TILE_HEIGHT / 2 - 14)}l10 14l-10 14l-10 -14z"
        self.shape("path", d=way, fill="none", stroke=BACK_LINE, stroke_width=1.5)

    def _face(self, piece: int) -> None:
        if piece == FALSE_JOKER:
            self._false_joker()
        elif piece == OKEY:
            self._mark_okey()
            if self.okey is None:
                self._star(TILE_WIDTH / 2, TILE_HEIGHT / 2, 16)
            else:
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
            self.shape("circle", cx=x, cy=y, r=r, fill=fill)
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
            self.shape("polygon", points=points, fill=fill)

    def _false_joker(self) -> None:
        x, y = TILE_WIDTH / 2, TILE_HEIGHT / 2
        for radius, width in ((17, 2.5), (12.5, 1)):
            self.shape(
                "circle", cx=x, cy=y, r=radius, fill="none", stroke=JOKER, stroke_width=width
            )
        self._star(x, y, 10, JOKER)

    def _star(self, x: float, y: float, radius: float, fill: str = GOLD) -> None:
        points = []
        for corner in range(10):
            r = radius if corner % 2 == 0 else radius * 0.42
            angle = pi * (corner / 5 - 0.5)
            points.append(f"{number(x + r * cos(angle))},{number(y + r * sin(angle))}")
        self.shape("polygon", points=" ".join(points), fill=fill)

    def _mark_okey(self) -> None:
        """A gold frame with a star: this tile is wild."""
        self.box(
            2.5, 2.5, TILE_WIDTH - 5, TILE_HEIGHT - 5, "none",
            rx=5, stroke=GOLD, stroke_width=2.5,
        )  # fmt: skip
        self._star(TILE_WIDTH - 9, 9.5, 5)

    def _standing(self, piece: int) -> None:
        """An okey in a group: framed and paler, with what it stands for."""
        self._mark_okey()
        self._parts.append('<g opacity="0.72">')
        if piece < ANY:
            self._numbered(piece - AS)
        else:
            self.text(TILE_WIDTH / 2, 35, str(piece - ANY), size=28, bold=True)
            for colour in range(4):
                self._shape(TILE_WIDTH / 2 - 12 + 8 * colour, 50, colour, 3)
        self._parts.append("</g>")

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
        self.box(x, y, width, height, WOOD, rx=10, stroke=WOOD_DARK, stroke_width=2)
        for row, shelf in enumerate(shelves):
            top = y + 8 + row * _SHELF
            self.box(x + 8, top, width - 16, _SHELF - 8, WOOD_DARK, rx=4, opacity=0.28)
            self.box(x + 8, top + _SHELF - 9, width - 16, 6, WOOD_LIGHT, rx=3)
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


# The table as a picture, seen from a seat: play goes round to the right (D2).

_WIDTH, _HEIGHT = 980, 740
_FELT, _FELT_EDGE, _PLATE = "#1F6650", "#134335", "#FFFBEF"
_PALE = "#D9EBE2"


_LEFT, _RIGHT, _MIDDLE = 102.0, _WIDTH - 102.0, _WIDTH / 2
_ME = ((_MIDDLE, 529.0), (_RIGHT, 440.0))
_ON_THE_RIGHT, _ON_THE_LEFT = ((_RIGHT, 275.0), (_RIGHT, 84.0)), ((_LEFT, 275.0), (_LEFT, 440.0))
_OPPOSITE = ((_MIDDLE, 50.0), (_LEFT, 84.0))
_SEATS = {
    2: (_ME, _OPPOSITE),
    3: (_ME, ((_RIGHT, 275.0), (_MIDDLE, 54.0)), _ON_THE_LEFT),
    4: (_ME, _ON_THE_RIGHT, _OPPOSITE, _ON_THE_LEFT),
}
"""By number of players, from the seat in front on, to the right: the middle of the name plate, and
the corner of the discards, which lies between who threw them and who may take them."""
_GROUPS = (200.0, 196.0, 580.0, 296.0)
"""Left, top, width and height of the room for the groups."""


def table_svg(view: View, *, names: Sequence[str] | None = None, language: str = "en") -> str:
    """The table as the seat of the view sees it: itself in front, the next player on its right.

    A spectator sits behind seat 0 and sees nobody's tiles. ``names`` are by seat; one that is
    empty is replaced by the seat's number.
    """
    public = view.public
    drawing = Drawing(load(language), public.setup.okey)
    texts = drawing.texts
    players = public.players
    front = 0 if view.seat is None else view.seat
    given = names or ("",) * players
    names = [name or texts("picture-seat", seat=seat) for seat, name in enumerate(given)]
    drawing.box(0, 0, _WIDTH, _HEIGHT, _FELT_EDGE, rx=18)
    drawing.box(8, 8, _WIDTH - 16, _HEIGHT - 16, _FELT, rx=12)
    _centre(drawing, public)
    _groups(drawing, public)
    for offset, (plate, corner) in enumerate(_SEATS[players]):
        seat = (front + offset) % players
        _plate(drawing, public, seat, names[seat], plate)
        _discards(drawing, public.discards[seat], corner)
    _hand(drawing, view)
    return drawing.finish(_WIDTH, _HEIGHT, texts("picture-table"), _said(drawing, view, names))


def _centre(drawing: Drawing, public: Public) -> None:
    """Stock, indicator and okey."""
    texts, setup = drawing.texts, public.setup
    y, scale = 114, 0.72
    shown = [
        (None, texts("picture-stock", count=public.stock_count)),
        (setup.indicator, texts("picture-indicator")),
        (OKEY, texts("picture-okey")),
    ]
    for place, (piece, label) in enumerate(shown):
        x = _MIDDLE - 110 + 110 * place
        if piece is not None or public.stock_count:
            drawing.tile(x - TILE_WIDTH * scale / 2, y, piece, scale)
        drawing.text(x, y + TILE_HEIGHT * scale + 18, label, size=13, fill=_PALE)


def _groups(drawing: Drawing, public: Public) -> None:
    """The groups on the table, numbered, in rows as large as fit."""
    left, top, width, height = _GROUPS
    lengths = [len(group) for group in public.table]
    for scale in (0.72, 0.62, 0.54, 0.46, 0.4, 0.34, 0.28, 0.22, 0.16, 0.1):
        rows = _rows(lengths, width, scale)
        if len(rows) * _row_height(scale) <= height:
            break
    y = top
    for row in rows:
        x = left
        for index in row:
            group = public.table[index]
            label = str(index + 1)
            drawing.text(x + 9, y + TILE_HEIGHT * scale / 2 + 4, label, size=12, fill=_PALE)
            drawing.group(x + 20, y, group.pieces, scale)
            x += _group_width(len(group), scale)
        y += _row_height(scale)


def _row_height(scale: float) -> float:
    return (TILE_HEIGHT + 3) * scale + 6


def _group_width(length: int, scale: float) -> float:
    return 30 + length * (TILE_WIDTH + 2) * scale


def _rows(lengths: Sequence[int], width: float, scale: float) -> list[list[int]]:
    rows: list[list[int]] = [[]]
    used = 0.0
    for index, length in enumerate(lengths):
        wide = _group_width(length, scale)
        if rows[-1] and used + wide > width:
            rows.append([])
            used = 0.0
        rows[-1].append(index)
        used += wide
    return rows


def _plate(
    drawing: Drawing, public: Public, seat: int, name: str, middle: tuple[float, float]
) -> None:
    """Who sits there, how many tiles are in the hand, and whether the seat has opened."""
    texts = drawing.texts
    x, y = middle
    acts = public.turn == seat and public.result is None
    width, height = 168, 46
    frame: dict[str, str | float]
    frame = {"stroke": "#F5B301", "stroke_width": 4} if acts else {"stroke": "#134335"}
    drawing.box(x - width / 2, y - height / 2, width, height, _PLATE, rx=8, **frame)
    short = name if len(name) <= 16 else f"{name[:15]}…"
    lead = "▶ " if acts else ""
    drawing.text(x, y - 3, f"{lead}{short}", size=15, bold=True)
    opened = public.opened[seat]
    told = "no" if opened is None else opened.value
    hand = texts("picture-hand", count=public.sizes[seat], opened=told)
    drawing.text(x, y + 15, hand, size=12)


def _discards(drawing: Drawing, pile: Sequence[int], corner: tuple[float, float]) -> None:
    """The last discard in full, those before it peeping out behind."""
    x, y = corner
    scale = 0.9
    width, height = TILE_WIDTH * scale, TILE_HEIGHT * scale
    behind = pile[-6:-1]
    drawing.box(
        x - 70, y - height / 2 - 8, 140, height + 19, "none",
        rx=10, stroke=_PALE, stroke_opacity=0.45, stroke_dasharray="5 4",
    )  # fmt: skip
    start = x - width / 2 - 9 * len(behind) / 2
    for place in range(len(behind)):
        drawing.blank(start + 9 * place, y - height / 2, scale)
    if pile:
        drawing.tile(start + 9 * len(behind), y - height / 2, pile[-1], scale)


def _hand(drawing: Drawing, view: View) -> None:
    public = view.public
    y = _HEIGHT - 180.0
    if view.hand is None:
        size = public.sizes[0]
        x = _MIDDLE - size * 17.0
        for place in range(size):
            drawing.tile(x + place * 34, y + 60, None, 0.7)
        return
    order = Order.PAIRS if public.opened[view.seat or 0] is Opened.PAIRS else Order.MELDS
    found, columns = slots(*shelves(view.hand, public.setup.okey, order))
    drawing.rack(_MIDDLE - (columns * (TILE_WIDTH + 2) + 24) / 2, y, found, columns)


def _said(drawing: Drawing, view: View, names: Sequence[str]) -> str:
    """The table in sentences."""
    texts, public = drawing.texts, view.public
    setup = public.setup
    lines = [texts("picture-turn", player=names[public.turn])] if public.result is None else []
    okey = drawing.ink.row([FALSE_JOKER if setup.okey is None else setup.okey])
    indicator, count = drawing.ink.row([setup.indicator]), public.stock_count
    lines.append(texts("picture-middle", count=count, indicator=indicator, okey=okey))
    for index, group in enumerate(public.table):
        lines.append(texts("picture-group", number=index + 1, tiles=drawing.ink.row(group.pieces)))
    for seat, pile in enumerate(public.discards):
        if pile:
            lines.append(
                texts("picture-discard", player=names[seat], tile=drawing.ink.row(pile[-1:]))
            )
    if view.hand is not None:
        lines.append(texts("picture-own", tiles=drawing.ink.row(tuple(view.rack))))
    return " ".join(lines)


_MARGIN = 4


def rack_svg(
    rack: Rack,
    *,
    okey: int | None = None,
    order: Order = Order.COLOURS,
    language: str = "en",
) -> str:
    """A rack with its two shelves of sixteen slots, longer if the tiles need it.

    ``okey`` is the okey's kind. Any order but that of the colours asks the solver for the melds or
    pairs, which then stand together. Raises OkeyError as the solver does.
    """
    drawing = Drawing(load(language), okey)
    found, columns = slots(*shelves(rack.bits, okey, order))
    width, height = drawing.rack(_MARGIN, _MARGIN, found, columns)
    title = drawing.texts("picture-rack", count=len(rack))
    words = drawing.ink.row([piece for shelf in found for piece in shelf if piece is not None])
    description = words or drawing.texts("picture-empty")
    return drawing.finish(width + 2 * _MARGIN, height + 2 * _MARGIN, title, description)


def group_svg(group: Group, *, language: str = "en") -> str:
    """A set, run or pair; an okey in it is framed and shows what it stands for."""
    drawing = Drawing(load(language), group.okey)
    width = drawing.group(_MARGIN, _MARGIN, group.pieces)
    title = drawing.texts("form", form=group.form.value)
    words = drawing.ink.row(group.pieces)
    return drawing.finish(width - 2 + 2 * _MARGIN, TILE_HEIGHT + 3 + 2 * _MARGIN, title, words)


def svg(value: object) -> str:
    """The picture of a rack, a group, a view or a deal, as notebooks show them.

    A deal is shown as a spectator sees it: its hidden tiles stay hidden. Raises OkeyError
    ``no-picture`` for anything else.

    >>> from okey101 import Rack
    >>> svg(Rack.parse("R7 R8")).startswith("<svg")
    True
    """
    match value:
        case Rack():
            return rack_svg(value)
        case Group():
            return group_svg(value)
        case View():
            return table_svg(value)
        case Deal():
            return table_svg(view_of(value, None))
        case _:
            kind = type(value).__name__
            raise OkeyError("no-picture", f"a Rack, Group, View or Deal has a picture, no {kind}")
