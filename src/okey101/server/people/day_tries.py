"""Days and their tries, as they are kept, and the table that comes of a day's tries."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
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
    field = [[*points] for one, points in done if one.ranked]
    deals = [sorted(column) for column in zip(*field, strict=True)]
    found: list[Scored] = []
    for one, points in done:
        others = max(len(field) - one.ranked, 1)
        halves = [
            # Beaten ones count twice, equal ones once, but for the try itself.
            2 * len(deal) - bisect_left(deal, own) - bisect_right(deal, own) - one.ranked
            for deal, own in zip(deals, points, strict=True)
        ]
        each = tuple(50 * half / others for half in halves)
        found.append(Scored(one, 0, each, 50 * sum(halves) / (others * max(len(points), 1))))
    found.sort(key=lambda one: (-one.percent, not one.made.ranked, one.made.id))
    better = sorted(-one.percent for one in found if one.made.ranked)
    return [one._replace(place=1 + bisect_left(better, -one.percent)) for one in found]


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
        query = select(TryRow).where(TryRow.date == date, TryRow.points.is_not(None))
        return await self._run(lambda db: [*map(_try_of, db.scalars(query.order_by(TryRow.id)))])


def _own(db: Db, date: str, user: str) -> Try | None:
    query = select(TryRow).where(TryRow.date == date, TryRow.user_id == user)
    row = db.scalar(query)
    return None if row is None else _try_of(row)


def _try_of(row: TryRow) -> Try:
    points = None if row.points is None else tuple(json.loads(row.points))
    return Try(row.id, row.user_id, row.bot, bool(row.ranked), points)


def _day_of(row: DayRow | None) -> DayOfDeals | None:
    if row is None:
        return None
    secrets, options = tuple(json.loads(row.secrets)), _OPTIONS.decode(row.options)
    return DayOfDeals(row.date, row.made_ms, secrets, options, row.digest)
