"""What is said over HTTP before anybody sits down: lists, and tables against bots."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from okey101.server.protocol.options import TableOptions

__all__ = ["Applied", "Felt", "PlayBody", "TableLine"]


class PlayBody(Struct, forbid_unknown_fields=True):
    """A match against bots at once: rules as in a record, and how strong the bots are."""

    rules: dict[str, str | int | bool] = {}
    deals: Annotated[int, Meta(ge=1, le=100)] = 5
    clock: Annotated[int, Meta(ge=0, le=600)] = 0
    assisted: bool = True
    bot: Annotated[str, Meta(max_length=32)] = "steady"


class Felt(Struct):
    """A deal at a glance, as far as spectators may see it: no hand, and nothing newer.

    ``groups`` are the tiles of the groups on the table, ``sizes`` how many each hand has, ``tops``
    each seat's last discard or null.
    """

    groups: list[str]
    sizes: list[int]
    tops: list[str | None]
    turn: int
    stock: int
    indicator: str


class TableLine(Struct):
    """A table in a list: who sits there, and by what rules it is played.

    The first of those that are played, and that everybody may watch, have a ``felt``.
    """

    id: str
    stage: str
    seats: list[str | None]
    free: int
    options: TableOptions
    counted: int
    spectators: int
    felt: Felt | None = None


class Applied(Struct):
    """Where in the table's log a command was applied, or how far the log is by now."""

    table: str
    seq: int
