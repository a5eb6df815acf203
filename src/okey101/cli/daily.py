"""``okey101 daily``: the day's deals of a server, and the table of who has played them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec

from okey101.cli.output import FAILED, Failure, Output, game_failure, printable, with_file
from okey101.client import Client, CommandRefused
from okey101.errors import OkeyError
from okey101.i18n import Texts
from okey101.server.protocol.views import DayAnswer, DayLine, DayTable

_UNPLAYED = "day-unplayed"


def show_day(output: Output, url: str, date: str | None, token_file: str | None) -> int:
    """Show a day, today's unless one is named, and its table where that may be seen.

    The token in a file says who one is. Failure as the server refuses, ``no-day`` among them.
    """
    token = None
    if token_file is not None:
        with with_file(token_file, output.texts):
            token = Path(token_file).read_text("ascii").strip()
    try:
        day, table = asyncio.run(_asked(output.texts, Client(url, token), date))
    except OkeyError as error:
        failure = game_failure(error, output.texts)
        failure.exit_code = FAILED
        raise failure from None
    told = {"day": msgspec.to_builtins(day), "table": msgspec.to_builtins(table)}
    return output.tell(told, lambda: _lines(output, day, table))


async def _asked(
    texts: Texts, client: Client, date: str | None
) -> tuple[DayAnswer, DayTable | None]:
    await client.check_version()
    days = [await client.day(date)] if date else await client.days()
    if not days:
        raise Failure(FAILED, "no-day", texts("error-no-day"))
    day = days[0]
    try:
        return day, await client.day_table(day.date)
    except CommandRefused as error:
        if error.code != _UNPLAYED:
            raise
        return day, None


def _lines(output: Output, day: DayAnswer, table: DayTable | None) -> Iterator[str]:
    texts = output.texts
    yield output.strong(texts("daily-title", date=day.date, state=day.state))
    yield texts("daily-players", count=day.players, bots=", ".join(filter(None, day.bots[1:])))
    yield texts("daily-promise", digest=day.digest)
    if table is None:
        yield texts(f"error-{_UNPLAYED}")
        return
    for line in table.lines:
        yield _told(texts, line)
    if table.own is not None and not any(line.own for line in table.lines):
        yield _told(texts, table.own)


def _told(texts: Texts, line: DayLine) -> str:
    name = "-" if line.name is None else printable(line.name)
    if line.bot is not None:
        name = texts("daily-bot", number=line.bot)
    mark = "*" if line.own else " "
    points = " ".join(f"{point:>5}" for point in line.points)
    return f"{mark}{line.place:>4}  {line.percent:>5.1f} %  {line.total:>5}  {points}   {name}"
