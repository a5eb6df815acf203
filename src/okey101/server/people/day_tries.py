"""Days and their tries, as they are kept, and the table that comes of a day's tries."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session as Db

from okey101.game import Result
from okey101.server.people.database import Run
from okey101.server.people.models import DayRow, TryRow
from okey101.server.protocol.options import TableOptions

DEALS: Final = 4
_OPTIONS: Final = msgspec.json.Decoder(TableOptions)


class DayOfDeals(NamedTuple):
    """A day with its secrets, in hex digits, and what it is played by; ``digest`` was promised."""

    date: str
    made_ms: int
    secrets: tuple[str, ...]
    options: TableOptions
    digest: str

    def __repr__(self) -> str:
        return f"<DayOfDeals {self.date}>"


class Try(NamedTuple):
    """A try: whose it is, or which bot's, and each deal's points once all are played."""

    id: str
    user: str | None
    bot: int | None
    ranked: bool
    points: tuple[int, ...] | None


class Scored(NamedTuple):
    """A try beside all ranked ones of its day: matchpoints in per cent, of each deal and of all."""

    made: Try
    place: int
    matchpoints: tuple[float, ...]
    percent: float


def deal_points(result: Result, seat: int) -> int:
    """What a seat's deal counts for a day: 0 where it doesn't count."""
    return result.scores[seat] if result.counts else 0


def scored(tries: Sequence[Try]) -> list[Scored]:
    """The finished tries of a day, the best first.

    Each deal gets 1 for every other ranked try with more points, and 1/2 for one with as many.

    >>> def one(name: str, *points: int) -> Try:
    ...     return Try(name, name, None, True, points)
    >>> [(s.made.id, s.place, s.percent) for s in scored([one("a", 5, 9), one("b", 5, -101)])]
    [('b', 1, 75.0), ('a', 2, 25.0)]
    """
    done = [(one, one.points) for one in tries if one.points is not None]
    field = [points for one, points in done if one.ranked]
    deals = [
        _halves([points[number] for points in field], {points[number] for _, points in done})
        for number in range(len(done[0][1]) if done else 0)
    ]
    found: list[Scored] = []
    for one, points in done:
        others = max(len(field) - one.ranked, 1)
        # A try that is ranked is among those it is compared with, as an equal one.
        halves = [deal[own] - one.ranked for deal, own in zip(deals, points, strict=True)]
        each = tuple(50 * half / others for half in halves)
        found.append(Scored(one, 0, each, 50 * sum(halves) / (others * max(len(points), 1))))
    found.sort(key=lambda one: (-one.percent, not one.made.ranked, one.made.id))
    place, ranked, before = 1, 0, 101.0
    for at, line in enumerate(found):
        if line.percent < before:
            place, before = ranked + 1, line.percent
        found[at] = line._replace(place=place)
        ranked += line.made.ranked
    return found


def _halves(ranked: Sequence[int], everybody: set[int]) -> dict[int, int]:
    """For each number of points of a deal: twice how many have more, and once how many as many."""
    counts, found, more = Counter(ranked), dict[int, int](), 0
    for own in sorted(everybody, reverse=True):
        found[own] = 2 * more + counts[own]
        more += counts[own]
    return found


class DayTries:
    """The days and tries in people's database; OkeyError as for :class:`Accounts`."""

    def __init__(self, run: Run) -> None:
        """``run`` does work in a transaction of the store."""
        self._run = run

    async def day(self, date: str) -> DayOfDeals | None:
        """A day by its date, whether it has begun or not."""
        return await self._run(lambda db: _day_of(db.get(DayRow, date)))

    async def keep(self, made: DayOfDeals) -> DayOfDeals:
        """Keep a day, unless there is one of its date already, which is given then."""
        row = DayRow(
            date=made.date, made_ms=made.made_ms, secrets=json.dumps(made.secrets),
            options=msgspec.json.encode(made.options).decode(), digest=made.digest,
        )  # fmt: skip

        def work(db: Db) -> DayOfDeals:
            found = _day_of(db.get(DayRow, made.date))
            if found is not None:
                return found
            db.add(row)
            return made

        return await self._run(work)

    async def open_days(self) -> list[str]:
        """The dates of the days whose records are not made yet, the first one first."""
        query = select(DayRow.date).where(DayRow.closed == 0).order_by(DayRow.date)
        return await self._run(lambda db: [*db.scalars(query)])

    async def close(self, date: str) -> None:
        """Note that a day's records are made."""

        def work(db: Db) -> None:
            db.get_one(DayRow, date).closed = 1

        await self._run(work)

    async def of(self, date: str, user: str) -> Try | None:
        """A person's try of a day."""
        return await self._run(lambda db: _own(db, date, user))

    async def twice(self, guest: str, account: str) -> bool:
        """Whether a guest has a running try of a day of which an account has one."""
        theirs = select(TryRow.date).where(TryRow.user_id == account)
        opened = select(DayRow.date).where(DayRow.closed == 0)
        query = select(TryRow.id).where(
            TryRow.user_id == guest, TryRow.points.is_(None),
            TryRow.date.in_(theirs), TryRow.date.in_(opened),
        )  # fmt: skip
        return await self._run(lambda db: db.scalar(query) is not None)

    async def begin(self, date: str, user: str, table: str, now: int, *, ranked: bool) -> Try:
        """Begin a person's try at a table, unless there is one already, which is given then."""

        def work(db: Db) -> Try:
            found = _own(db, date, user)
            if found is not None:
                return found
            row = TryRow(id=table, date=date, user_id=user, ranked=int(ranked), begun_ms=now)
            db.add(row)
            return _try_of(row)

        return await self._run(work)

    async def finish(self, table: str, points: Sequence[int]) -> None:
        """Keep what a try at a table came to; nothing changes that any more."""

        def work(db: Db) -> None:
            row = db.get(TryRow, table)
            if row is not None and row.points is None:
                row.points = json.dumps([*points])

        await self._run(work)

    async def add_bots(self, date: str, runs: Sequence[Sequence[int]], now: int) -> None:
        """Keep the first field of a day, unless it is there."""

        def work(db: Db) -> None:
            for number, points in enumerate(runs, 1):
                key = f"{date} {number}"
                if db.get(TryRow, key) is None:
                    db.add(
                        TryRow(
                            id=key, date=date, bot=number, ranked=1, begun_ms=now,
                            points=json.dumps([*points]),
                        )
                    )  # fmt: skip

        await self._run(work)

    async def finished(self, date: str, *, bots: bool) -> int:
        """How many bots, or people, have played a day to its end."""
        mine = TryRow.bot.is_not(None) if bots else TryRow.bot.is_(None)
        query = select(func.count()).select_from(TryRow)
        query = query.where(TryRow.date == date, mine, TryRow.points.is_not(None))
        return await self._run(lambda db: db.scalar(query) or 0)

    async def tries(self, date: str) -> list[Try]:
        """All finished tries of a day."""
        columns = TryRow.id, TryRow.user_id, TryRow.bot, TryRow.ranked, TryRow.points
        query = select(*columns).where(TryRow.date == date, TryRow.points.is_not(None))
        query = query.order_by(TryRow.id)
        rows = await self._run(lambda db: db.execute(query).all())
        return await asyncio.to_thread(lambda: [_made(*row) for row in rows])  # there may be many


def _own(db: Db, date: str, user: str) -> Try | None:
    query = select(TryRow).where(TryRow.date == date, TryRow.user_id == user)
    row = db.scalar(query)
    return None if row is None else _try_of(row)


def _try_of(row: TryRow) -> Try:
    return _made(row.id, row.user_id, row.bot, row.ranked, row.points)


def _made(key: str, user: str | None, bot: int | None, ranked: int, points: str | None) -> Try:
    found = None if points is None else tuple(json.loads(points))
    return Try(key, user, bot, bool(ranked), found)


def _day_of(row: DayRow | None) -> DayOfDeals | None:
    if row is None:
        return None
    secrets, options = tuple(json.loads(row.secrets)), _OPTIONS.decode(row.options)
    return DayOfDeals(row.date, row.made_ms, secrets, options, row.digest)
