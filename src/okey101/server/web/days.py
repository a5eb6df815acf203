"""Günün elleri over HTTP: the day, one's own try, and the table of the day."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Controller, get, post
from litestar.params import Parameter
from msgspec import Struct

from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.protocol.options import Applied
from okey101.server.protocol.views import Millis
from okey101.server.web.auth import WebRequest, doing

_Date = Annotated[str, Parameter(pattern=r"^\d{4}-\d\d-\d\d$", description="a date in Istanbul")]


class DayTry(Struct):
    """One's own try: its table, whether all deals are played, and whether it is ranked."""

    table: str
    finished: bool
    ranked: bool


class DayAnswer(Struct):
    """A day: the same deals for everybody, each person one try.

    While it is ``open`` one may begin, while it is ``late`` only go on, until ``closes_ms``.
    ``bots`` has a bot's name and version for each seat, null for the player's. ``commitments`` are
    the deals' own, ``digest`` that of the whole day, both in the transparency log since
    ``committed_ms``; ``mixed`` says whether a public value is mixed in. ``secrets`` open them, once
    the day is closed. ``players`` is how many people have played it.
    """

    date: str
    state: Literal["open", "late", "closed"]
    rules: dict[str, str | int | bool]
    deals: int
    bots: list[str | None]
    begin_until_ms: Millis
    closes_ms: Millis
    committed_ms: Millis
    commitments: list[str]
    digest: str
    mixed: bool
    secrets: list[str] | None
    players: int
    own: DayTry | None


class DayLine(Struct):
    """A try in the table of a day, deal by deal: points, and matchpoints in per cent.

    Somebody is a person, by name and face, or a ``bot`` of the first field, by its number; without
    both, a person who was deleted. Who is not ``ranked`` is told a place all the same, and takes
    none from the others. ``match`` is there once the day is closed: of the best person, and of
    one's own.
    """

    place: int
    name: str | None
    face: int | None
    bot: int | None
    ranked: bool
    own: bool
    points: list[int]
    total: int
    matchpoints: list[float]
    percent: float
    match: str | None


class DayTable(Struct):
    """The table of a day: how many are ranked, the first hundred of them, and one's own line."""

    date: str
    closed: bool
    ranked: int
    lines: list[DayLine]
    own: DayLine | None


class Days(Controller):
    """Günün elleri."""

    path = "/api/days"
    tags = ["days"]  # noqa: RUF012  # Litestar's own form

    @get("/")
    async def days(self, request: WebRequest, hub: Hub) -> list[DayAnswer]:
        """The days that run: today's first, and until noon that of yesterday."""
        return []

    @get("/{date:str}")
    async def day(self, request: WebRequest, hub: Hub, date: _Date) -> DayAnswer:
        """A day by its date; OkeyError ``no-day``."""
        refuse("no-day")

    @post("/{date:str}/play", status_code=200)
    async def play(self, request: WebRequest, hub: Hub, date: _Date) -> Applied:
        """Begin one's try, or go on: the same table however often it is asked for."""
        async with doing(request):
            refuse("no-day")

    @get("/{date:str}/table")
    async def table(self, request: WebRequest, hub: Hub, date: _Date) -> DayTable:
        """The table of a day, for those who have played it; for everybody once it is closed."""
        refuse("no-day")
