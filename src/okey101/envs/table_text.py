"""A table as one seat sees it, in the notation and the words of the record: for those who debug."""

from __future__ import annotations

from okey101.game.rack_text import rack_text
from okey101.game.view import View
from okey101.tiles import TILES

__all__ = ["table_text"]


def table_text(view: View) -> str:
    """Turn, phase and stock, then the seats, the groups on the table, and the own hand.

    >>> from okey101 import Deal
    >>> from okey101.game import view_of
    >>> print(table_text(view_of(Deal.start("pagat", seed=7), 1)).splitlines()[0])
    turn 1, play; stock 20; okey B10
    """
    public = view.public
    okey = "F" if public.okey is None else TILES[public.okey]
    lines = [f"turn {public.turn}, {public.phase.value}; stock {public.stock_count}; okey {okey}"]
    for seat, size in enumerate(public.sizes):
        opened = public.opened[seat]
        pile = " ".join(str(TILES[tile]) for tile in public.discards[seat])
        lines.append(
            f"seat {seat}: {size} tiles, {opened.value if opened else 'not opened'}; pile {pile}"
        )
    lines += [f"group {number}: {group}" for number, group in enumerate(public.table, 1)]
    if public.result is not None:
        lines.append(f"points {' '.join(map(str, public.result.scores))}")
    if view.hand is not None:
        lines.append(f"hand of seat {view.seat}: {rack_text(view.hand)}")
    return "\n".join(lines)
