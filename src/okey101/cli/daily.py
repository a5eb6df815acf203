"""``okey101 daily``: the day's deals of a server, and the table of who has played them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from okey101.cli.output import FAILED, Failure, Output, ending, printable, with_file
from okey101.client import Client, CommandRefused
from okey101.i18n import Texts
from okey101.server.protocol.views import DayAnswer, DayLine, DayTable, DayTotals, TotalLine

_UNPLAYED = "day-unplayed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyOptions:
    """What ``okey101 daily`` was asked."""

    url: str
    date: str | None
    over: Literal["week", "month"] | None
    token_file: str | None


def show_day(output: Output, options: DailyOptions) -> int:
    """Show a day, today's unless one is named, and its table where that may be seen.

    With ``over`` the table of the week or month around it. The token in a file says who one is.
    Failure as the server refuses, ``no-day`` among them.
    """
    token = None
    if options.token_file is not None:
        with with_file(options.token_file, output.texts):
            token = Path(options.token_file).read_text("ascii").strip()
    with ending(output.texts, FAILED, {}):
        asked = _asked(output.texts, Client(options.url, token), options)
        day, table = asyncio.run(asked)
    part = "totals" if isinstance(table, DayTotals) else "table"
    told = {"day": msgspec.to_builtins(day), part: msgspec.to_builtins(table)}
    return output.tell(told, lambda: _lines(output, day, table))


async def _asked(
    texts: Texts, client: Client, options: DailyOptions
) -> tuple[DayAnswer, DayTable | DayTotals | None]:
    await client.check_version()
    days = [await client.day(options.date)] if options.date else await client.days()
    if not days:
        raise Failure.of(texts, FAILED, "no-day")
    day = days[0]
    if options.over:
        return day, await client.day_totals(day.date, options.over)
    try:
        return day, await client.day_table(day.date)
    except CommandRefused as error:
        if error.code != _UNPLAYED:
            raise
        return day, None


def _lines(output: Output, day: DayAnswer, table: DayTable | DayTotals | None) -> Iterator[str]:
    texts = output.texts
    if isinstance(table, DayTotals):
        title = texts("daily-totals", begins=table.begins, ends=table.ends, days=table.days)
        yield output.strong(title)
    else:
        yield output.strong(texts("daily-title", date=day.date, state=day.state))
        bots = ", ".join(filter(None, day.bots[1:]))
        yield texts("daily-players", count=day.players, bots=bots)
        yield texts("daily-promise", digest=day.digest)
    if table is None:
        yield texts(f"error-{_UNPLAYED}")
        return
    for line in table.lines:
        yield _told(texts, line)
    if table.own is not None and not any(line.own for line in table.lines):
        yield _told(texts, table.own)
    if isinstance(table, DayTotals) and table.streak > 1:
        yield texts("daily-streak", count=table.streak)


def _told(texts: Texts, line: DayLine | TotalLine) -> str:
    name = "-" if line.name is None else printable(line.name)
    place = f"{'*' if line.own else ' '}{line.place:>4}"
    if isinstance(line, TotalLine):
        return f"{place}  {line.total:>6.1f}  {line.days:>3}  {line.average:>5.1f} %   {name}"
    if line.bot is not None:
        name = texts("daily-bot", number=line.bot)
    points = " ".join(f"{point:>5}" for point in line.points)
    return f"{place}  {line.percent:>5.1f} %  {line.total:>5}  {points}   {name}"
