"""The table as a picture, seen from a seat: play goes round to the right (D2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from okey101.game.deal import Opened, Public
from okey101.game.view import View
from okey101.i18n import load
from okey101.render.drawing import TILE_HEIGHT, TILE_WIDTH, Drawing, slots
from okey101.render.text import Order, shelves
from okey101.tiles import FALSE_JOKER, OKEY

__all__ = ["table_svg"]

_WIDTH, _HEIGHT = 980, 740
_FELT, _FELT_EDGE, _PLATE = "#1F6650", "#134335", "#FFFBEF"
_PALE = "#D9EBE2"


class _Place(NamedTuple):
    """Where a seat sits: the middle of its name plate, and the corner its discards go to."""

    plate: tuple[float, float]
    corner: tuple[float, float]


_LEFT, _RIGHT, _MIDDLE = 102.0, _WIDTH - 102.0, _WIDTH / 2
_BOTTOM_RIGHT, _TOP_RIGHT = (_RIGHT, 440.0), (_RIGHT, 84.0)
_TOP_LEFT, _BOTTOM_LEFT = (_LEFT, 84.0), (_LEFT, 440.0)
_ME = (_MIDDLE, 529.0)
_SEATS = {
    2: (_Place(_ME, _BOTTOM_RIGHT), _Place((_MIDDLE, 50), _TOP_LEFT)),
    3: (
        _Place(_ME, _BOTTOM_RIGHT),
        _Place((_RIGHT, 275), (_MIDDLE, 54)),
        _Place((_LEFT, 275), _BOTTOM_LEFT),
    ),
    4: (
        _Place(_ME, _BOTTOM_RIGHT),
        _Place((_RIGHT, 275), _TOP_RIGHT),
        _Place((_MIDDLE, 50), _TOP_LEFT),
        _Place((_LEFT, 275), _BOTTOM_LEFT),
    ),
}
"""By number of players, from the seat in front on, to the right. A discard lies between the seat
that threw it and the one that may take it."""
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
    drawing.box(0, 0, _WIDTH, _HEIGHT, _FELT_EDGE, 'rx="18"')
    drawing.box(8, 8, _WIDTH - 16, _HEIGHT - 16, _FELT, 'rx="12"')
    _centre(drawing, public)
    _groups(drawing, public)
    for offset, place in enumerate(_SEATS[players]):
        seat = (front + offset) % players
        _plate(drawing, public, seat, names[seat], place.plate)
        _discards(drawing, public.discards[seat], place.corner)
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
    if not public.table:
        return
    scale, rows = next(
        (scale, rows)
        for scale in (0.72, 0.62, 0.54, 0.46, 0.4, 0.34, 0.28, 0.22, 0.16, 0.1)
        for rows in [_rows([len(g) for g in public.table], width, scale)]
        if len(rows) * _row_height(scale) <= height or scale == 0.1
    )
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
    frame = 'stroke="#F5B301" stroke-width="4"' if acts else 'stroke="#134335"'
    drawing.box(x - width / 2, y - height / 2, width, height, _PLATE, f'rx="8" {frame}')
    short = name if len(name) <= 16 else f"{name[:15]}…"
    lead = "▶ " if acts else ""
    drawing.text(x, y - 3, f"{lead}{short}", size=15, bold=True)
    opened = public.opened[seat]
    drawing.text(
        x,
        y + 15,
        texts(
            "picture-hand",
            count=public.sizes[seat],
            opened="no" if opened is None else opened.value,
        ),
        size=12,
    )


def _discards(drawing: Drawing, pile: Sequence[int], corner: tuple[float, float]) -> None:
    """The last discard in full, those before it peeping out behind."""
    x, y = corner
    scale = 0.9
    width, height = TILE_WIDTH * scale, TILE_HEIGHT * scale
    behind = pile[-6:-1]
    drawing.box(
        x - 70, y - height / 2 - 8, 140, height + 19, "none",
        f'rx="10" stroke="{_PALE}" stroke-opacity="0.45" stroke-dasharray="5 4"',
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
    arranged = shelves(view.hand, public.setup.okey, order)
    found, columns = slots(arranged.groups, arranged.rest)
    drawing.rack(_MIDDLE - (columns * (TILE_WIDTH + 2) + 24) / 2, y, found, columns)


def _said(drawing: Drawing, view: View, names: Sequence[str]) -> str:
    """The table in sentences."""
    texts, public = drawing.texts, view.public
    setup = public.setup
    lines = [texts("picture-turn", player=names[public.turn])] if public.result is None else []
    lines.append(
        texts(
            "picture-middle",
            count=public.stock_count,
            indicator=drawing.words([setup.indicator]),
            okey=drawing.words([FALSE_JOKER if setup.okey is None else setup.okey]),
        )
    )
    for index, group in enumerate(public.table):
        lines.append(texts("picture-group", number=index + 1, tiles=drawing.words(group.pieces)))
    for seat, pile in enumerate(public.discards):
        if pile:
            lines.append(
                texts("picture-discard", player=names[seat], tile=drawing.words(pile[-1:]))
            )
    if view.hand is not None:
        lines.append(texts("picture-own", tiles=drawing.words(tuple(view.rack))))
    return " ".join(lines)
