"""Pictures of tiles, racks, groups and tables as SVG.

The text of a picture is the same wherever and whenever it is drawn. Its title and description say
in words what it shows.
"""

from __future__ import annotations

from okey101.errors import OkeyError
from okey101.game.deal import Deal
from okey101.game.view import View, view_of
from okey101.i18n import load
from okey101.melds import Group
from okey101.render.drawing import TILE_HEIGHT, TILE_WIDTH, Drawing, slots
from okey101.render.svg_table import table_svg
from okey101.render.text import Order, shelves
from okey101.tiles import Rack, tiles_of_bits

__all__ = ["group_svg", "picture_of", "rack_svg", "table_svg", "tile_svg"]

_MARGIN = 4


def tile_svg(piece: int | None, *, okey: int | None = None, language: str = "en") -> str:
    """A single tile or piece; None is a tile face down.

    ``okey`` is the okey's kind, whose face an okey shows; ``language`` is that of the title.
    """
    drawing = Drawing(load(language), okey)
    drawing.tile(_MARGIN, _MARGIN, piece)
    texts = drawing.texts
    name = texts("picture-face-down") if piece is None else drawing.words([piece])
    size = TILE_WIDTH + 2 * _MARGIN, TILE_HEIGHT + 3 + 2 * _MARGIN
    return drawing.finish(*size, texts("picture-tile"), name)


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
    if order is Order.COLOURS:
        found, columns = slots((), tiles_of_bits(rack.bits))
    else:
        arranged = shelves(rack.bits, okey, order)
        found, columns = slots(arranged.groups, arranged.rest)
    width, height = drawing.rack(_MARGIN, _MARGIN, found, columns)
    title = drawing.texts("picture-rack", count=len(rack))
    words = drawing.words([piece for shelf in found for piece in shelf if piece is not None])
    description = words or drawing.texts("picture-empty")
    return drawing.finish(width + 2 * _MARGIN, height + 2 * _MARGIN, title, description)


def group_svg(group: Group, *, language: str = "en") -> str:
    """A set, run or pair; an okey in it is framed and shows what it stands for."""
    drawing = Drawing(load(language), group.okey)
    width = drawing.group(_MARGIN, _MARGIN, group.pieces)
    title = drawing.texts("form", form=group.form.value)
    words = drawing.words(group.pieces)
    return drawing.finish(width - 2 + 2 * _MARGIN, TILE_HEIGHT + 3 + 2 * _MARGIN, title, words)


def picture_of(value: object) -> str:
    """The picture of a rack, a group, a view or a deal, as notebooks show them.

    A deal is shown as a spectator sees it: its hidden tiles stay hidden. Raises OkeyError
    ``no-picture`` for anything else.
    """
    if isinstance(value, Rack):
        return rack_svg(value)
    if isinstance(value, Group):
        return group_svg(value)
    if isinstance(value, View):
        return table_svg(value)
    if isinstance(value, Deal):
        return table_svg(view_of(value, None))
    raise OkeyError("no-picture", f"there is no picture of {type(value).__name__}")
