"""Days and their tries, as they are kept, and the table that comes of a day's tries."""

from __future__ import annotations

import asyncio
import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session as Db

from okey101.errors import OkeyError
from okey101.game import Result
from okey101.game.fair.rounds import day_mix
from okey101.server.people.database import Run
from okey101.server.people.models import DayRow, ShareRow, TryRow
from okey101.server.protocol.options import TableOptions

ISTANBUL: Final = timezone(timedelta(hours=3))
DEALS: Final = 4
CHALLENGE: Final = 16
"""How many hex digits name a challenge; the ten letters of a date name a day."""
RUNS: Final = 16
"""How many runs of bots are the first field."""
_AT_ONCE: Final = 500
_ID: Final = attrgetter("id")
_POINTS: Final = msgspec.json.Decoder(tuple[int, ...])
_OPTIONS: Final = msgspec.json.Decoder(TableOptions)
_SHARES: Final = msgspec.json.Decoder(list[str])


def date_at(now_ms: int) -> str:
    """The date in Istanbul.

    >>> date_at(0), date_at(21 * 3_600_000)
    ('1970-01-01', '1970-01-02')
    """
    return datetime.fromtimestamp(now_ms / 1000, ISTANBUL).date().isoformat()


class DayOfDeals(NamedTuple):
    """A day with its secrets, in hex digits, and what it is played by; ``digest`` was promised.

    A challenge of a ``sender`` is one too, whose ``date`` is what names it. One may begin it until
    ``ends_ms``. ``mix`` is what contributions come to, empty where there are none, and None until
    their list is closed.
    """

    date: str
    made_ms: int
    begins_ms: int
    ends_ms: int
    closes_ms: int
    secrets: tuple[str, ...]
    options: TableOptions
    digest: str
    sender: str | None = None
    mix: str | None = None

    @property
    def challenge(self) -> bool:
        """Whether it is a challenge, and no day."""
        return len(self.date) == CHALLENGE

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


def run_match(date: str, bot: int) -> str:
    """The id of the match that a run of the first field is."""
    return f"{date}_{bot}-1"


class Total(NamedTuple):
    """What a person's ranked tries of some closed days come to: their number, and their scores,
    each in tenths of a per cent, added up.
    """

    user: str
    days: int
    score: int


def totals_of(days: Iterable[Iterable[tuple[str, int]]]) -> list[Total]:
    """What people have in some days, the most first.

    >>> totals_of([[("a", 5), ("b", 9)], [("a", 5)]])
    [Total(user='a', days=2, score=10), Total(user='b', days=1, score=9)]
    """
    found: dict[str, list[int]] = {}
    for day in days:
        for user, score in day:
            found.setdefault(user, []).append(score)
    totals = [Total(user, len(scores), sum(scores)) for user, scores in found.items()]
    return sorted(totals, key=lambda one: (-one.score, one.user))


def deal_points(result: Result, seat: int) -> int:
    """What a seat's deal counts for a day: 0 where it doesn't count."""
    return result.scores[seat] if result.counts else 0


class Board:
    """The finished tries of a day beside one another; a line is worked out when it is asked for.

    Each deal gets 1 for every other ranked try with more points, and 1/2 for one with as many.

    >>> def one(name: str, *points: int) -> Try:
    ...     return Try(name, name, None, True, points)
    >>> board = Board([one("a", 5, 9), one("b", 5, -101)])
    >>> [(s.made.id, s.place, s.percent) for s in map(board.line, board.ranked)]
    [('b', 1, 75.0), ('a', 2, 25.0)]
    """

    def __init__(self, tries: Collection[Try]) -> None:
        """``tries`` are finished."""
        ranked = sorted((one for one in tries if one.ranked), key=_ID)
        self._count = len(ranked)
        by_deal = [*_by_deal(ranked)]
        unranked = [*_by_deal(one for one in tries if not one.ranked)] or [()] * len(by_deal)
        self._deals = [*map(_halves, by_deal, unranked)]
        each = (
            map(halves.__getitem__, points)
            for halves, points in zip(self._deals, by_deal, strict=True)
        )
        sums = [-sum(halves) for halves in zip(*each, strict=True)]
        order = sorted(range(len(sums)), key=sums.__getitem__)
        self.ranked = [ranked[n] for n in order]
        """The best first."""
        self._sums = [sums[n] for n in order]

    def line(self, made: Try) -> Scored:
        """One of the tries; who is not ranked has a place all the same."""
        halves = [half - made.ranked for half in self._halves(made)]
        others = max(self._count - made.ranked, 1)
        percent = 50 * sum(halves) / (others * max(len(halves), 1))
        # A ranked one is better who has more of its own others, in whole numbers.
        more = sum(halves) * (self._count - 1) // others + len(halves)
        place = 1 + bisect_left(self._sums, -more)
        return Scored(made, place, tuple(50 * half / others for half in halves), percent)

    def _halves(self, made: Try) -> list[int]:
        # Where a try is ranked, it is among those it is compared with, as an equal one.
        return [deal[own] for deal, own in zip(self._deals, made.points or (), strict=False)]


def _by_deal(tries: Iterable[Try]) -> Iterator[tuple[int, ...]]:
    return zip(*(one.points or () for one in tries), strict=True)


def _halves(ranked: Iterable[int], others: Iterable[int]) -> dict[int, int]:
    """For each number of points of a deal: twice how many have more, and once how many as many."""
    counts, found, more = Counter(ranked), {}, 0
    for own in sorted({*counts, *others}, reverse=True):
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
            date=made.date, made_ms=made.made_ms, begins_ms=made.begins_ms,
            ends_ms=made.ends_ms, closes_ms=made.closes_ms, secrets=json.dumps(made.secrets),
            options=msgspec.json.encode(made.options).decode(), digest=made.digest,
            sender_id=made.sender, mix=made.mix,
        )  # fmt: skip

        def work(db: Db) -> DayOfDeals:
            found = _day_of(db.get(DayRow, made.date))
            if found is not None:
                return found
            db.add(row)
            return made

        return await self._run(work)

    async def mixed(self, date: str) -> DayOfDeals:
        """A day whose list of contributions is closed, now if it was not.

        It takes no more before it is read, so that those who contribute now don't hold it up.
        """

        def shut(db: Db) -> None:
            still = DayRow.date == date, DayRow.shares.is_(None)
            db.execute(update(DayRow).where(*still).values(shares="[]"))

        def work(db: Db) -> DayOfDeals:
            row = db.get_one(DayRow, date)
            if row.mix is None:
                here = ShareRow.date == date
                shares = [*db.scalars(select(ShareRow.share).where(here).order_by(ShareRow.share))]
                row.mix = day_mix(date, row.digest, shares) if shares else ""
                row.shares = json.dumps(shares)
                db.execute(delete(ShareRow).where(here))
            return _day(row)

        await self._run(shut)
        return await self._run(work)

    async def shares(self, date: str) -> list[str]:
        """The closed list of the contributions to a day, in order."""
        query = select(DayRow.shares).where(DayRow.date == date)
        return await self._run(lambda db: _SHARES.decode(db.scalar(query) or "[]"))

    async def over(self, now: int) -> list[str]:
        """The dates of the days that are over, and whose records are not made yet."""
        query = select(DayRow.date).where(DayRow.closed == 0, DayRow.closes_ms <= now)
        return await self._run(lambda db: [*db.scalars(query)])

    async def close(self, date: str, scores: Mapping[str, int]) -> None:
        """Keep what the tries of a day are scored in the end, and that its records are made."""
        rows = [{"id": key, "score": score} for key, score in scores.items()]
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            await self._run(partial(Db.execute, statement=update(TryRow), params=some))

        def work(db: Db) -> None:
            db.get_one(DayRow, date).closed = 1

        await self._run(work)

    async def closed(self, dates: Collection[str]) -> tuple[str, ...]:
        """Which of some days are closed."""
        query = select(DayRow.date).where(DayRow.date.in_(dates), DayRow.closed == 1)
        return await self._run(lambda db: tuple(db.scalars(query.order_by(DayRow.date))))

    async def scores(self, date: str) -> list[tuple[str, int]]:
        """What the people who are ranked in a closed day have."""
        query = select(TryRow.user_id, TryRow.score).where(
            TryRow.date == date, TryRow.score.is_not(None), TryRow.user_id.is_not(None)
        )
        return await self._run(
            lambda db: [(row[0] or "", row[1] or 0) for row in db.execute(query)]
        )

    async def played(self, user: str) -> set[str]:
        """The dates of the days that a person has played to their end."""
        query = select(TryRow.date).where(
            TryRow.user_id == user, TryRow.finished_ms >= 0, func.length(TryRow.date) < CHALLENGE
        )
        return await self._run(lambda db: {*db.scalars(query)})

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

    async def begin(
        self, date: str, user: str, table: str, now: int, *, ranked: bool,
        share: tuple[str, str] | None = None,
    ) -> Try:  # fmt: skip
        """Begin a person's try at a table, unless there is one already, which is given then.

        With it comes a ``share``: a day whose list is not closed, and a contribution to it.
        """

        def work(db: Db) -> Try:
            found = _own(db, date, user)
            if found is not None:
                return found
            if share is not None and db.get_one(DayRow, share[0]).shares is None:
                db.merge(ShareRow(date=share[0], share=share[1]))
            row = TryRow(id=table, date=date, user_id=user, ranked=int(ranked), begun_ms=now)
            db.add(row)
            return _try_of(row)

        try:
            return await self._run(work)
        except OkeyError as error:
            if error.code != "accounts-failed":
                raise
            return await self._run(work)  # another node has begun it at the same moment

    async def given(self, date: str, share: str) -> bool:
        """Whether a contribution is in the list of a day that is not closed."""
        return await self._run(lambda db: db.get(ShareRow, (date, share)) is not None)

    async def finish(self, table: str, points: Sequence[int], now: int) -> None:
        """Keep what a try at a table came to; nothing changes that any more."""

        def work(db: Db) -> None:
            row = db.get(TryRow, table)
            if row is not None and row.points is None:
                row.points, row.finished_ms = json.dumps([*points]), now

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
                            points=json.dumps([*points]), finished_ms=now,
                        )
                    )  # fmt: skip

        await self._run(work)

    async def finished(self, date: str, *, bots: bool) -> int:
        """How many bots, or people, have played a day to its end."""
        mine = TryRow.bot.is_not(None) if bots else TryRow.bot.is_(None)
        query = select(func.count()).select_from(TryRow)
        query = query.where(TryRow.date == date, mine, TryRow.finished_ms >= 0)
        return await self._run(lambda db: db.scalar(query) or 0)

    async def tries(self, date: str, since: int = 0) -> list[Try]:
        """The tries of a day that were finished at that time or later."""
        columns = TryRow.id, TryRow.user_id, TryRow.bot, TryRow.ranked, TryRow.points
        query = select(*columns).where(TryRow.date == date, TryRow.finished_ms >= since)
        rows = await self._run(lambda db: db.execute(query.order_by(TryRow.id)).all())
        return await asyncio.to_thread(lambda: [_made(*row) for row in rows])  # there may be many


def _own(db: Db, date: str, user: str) -> Try | None:
    query = select(TryRow).where(TryRow.date == date, TryRow.user_id == user)
    row = db.scalar(query)
    return None if row is None else _try_of(row)


def _try_of(row: TryRow) -> Try:
    return _made(row.id, row.user_id, row.bot, row.ranked, row.points)


def _made(key: str, user: str | None, bot: int | None, ranked: int, points: str | None) -> Try:
    found = None if points is None else _POINTS.decode(points)
    return Try(key, user, bot, bool(ranked), found)


def _day_of(row: DayRow | None) -> DayOfDeals | None:
    return None if row is None else _day(row)


def _day(row: DayRow) -> DayOfDeals:
    secrets, options = tuple(json.loads(row.secrets)), _OPTIONS.decode(row.options)
    times = row.begins_ms, row.ends_ms, row.closes_ms
    return DayOfDeals(
        row.date, row.made_ms, *times, secrets, options, row.digest, row.sender_id, row.mix
    )
