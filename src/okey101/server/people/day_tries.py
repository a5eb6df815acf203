"""Days and their tries, as they are kept, and the table that comes of a day's tries."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from calendar import isleap, monthrange
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from functools import partial
from heapq import merge
from itertools import islice, pairwise
from operator import attrgetter, itemgetter
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import and_, delete, func, or_, select, update
from sqlalchemy.orm import Session as Db

from okey101.errors import OkeyError
from okey101.game import Result
from okey101.game.fair.rounds import day_mix
from okey101.server.people.database import InStore, count, in_transaction
from okey101.server.people.models import DayRow, ShareRow, TryRow
from okey101.server.protocol.options import TableOptions

ISTANBUL: Final = timezone(timedelta(hours=3))
DEALS: Final = 4
CHALLENGE: Final = 16
"""How many hex digits name a challenge; ten letters name a day, and two more its next instances."""
NAMES: Final = rf"\d{{4}}-\d\d-\d\d(?:-[2-9])?|[0-9a-f]{{{CHALLENGE}}}"
"""What names a day, one of its instances, or a challenge, as a pattern."""
_DATE: Final = 10
RUNS: Final = 16
"""How many runs of bots are the first field."""
_TENTHS: Final = 10
"""Of a hundred per cent, in which the spread of a day is told."""
_AT_ONCE: Final = 500
_ID: Final = attrgetter("id")


def date_at(now_ms: int) -> str:
    """The date in Istanbul.

    >>> date_at(0), date_at(21 * 3_600_000)
    ('1970-01-01', '1970-01-02')
    """
    return datetime.fromtimestamp(now_ms / 1000, ISTANBUL).date().isoformat()


def begins_ms(date: str) -> int:
    """When a day begins, UTC in milliseconds."""
    return round(datetime.fromisoformat(date).replace(tzinfo=ISTANBUL).timestamp() * 1000)


def dates_around(date: str, over: Literal["week", "month", "year"]) -> list[str]:
    """The dates of the week, from Monday on, of the month, or of the year that a date is in.

    >>> dates_around("2026-12-02", "week")[::6], dates_around("2026-12-02", "month")[::30]
    (['2026-11-30', '2026-12-06'], ['2026-12-01', '2026-12-31'])
    """
    day = datetime.fromisoformat(date).date()
    first, count = {
        "week": (day - timedelta(day.weekday()), 7),
        "month": (day.replace(day=1), monthrange(day.year, day.month)[1]),
        "year": (day.replace(month=1, day=1), 365 + isleap(day.year)),
    }[over]
    return [(first + timedelta(n)).isoformat() for n in range(count)]


def date_of(name: str) -> str:
    """The date of an instance; a challenge has its name alone.

    >>> date_of("2026-11-27-2"), date_of("2026-11-27"), date_of("0123456789abcdef")
    ('2026-11-27', '2026-11-27', '0123456789abcdef')
    """
    return name if len(name) == CHALLENGE else name[:_DATE]


def instances_of(date: str, count: int) -> list[str]:
    """What so many instances of the day of a date are called.

    >>> instances_of("2026-11-27", 3)
    ['2026-11-27', '2026-11-27-2', '2026-11-27-3']
    """
    return [date, *(f"{date}-{number}" for number in range(2, count + 1))]


class DayOfDeals(NamedTuple):
    """A day with its secrets, in hex digits, and what it is played by; ``digest`` was promised.

    Each instance of a day is one, and a challenge of a sender too, whose ``date`` is what names
    it. One may begin it until ``ends_ms``. ``mix`` is what contributions come to, empty where there
    are none, and None until their list is closed. Its parts are those of :class:`DayRow`.
    """

    date: str
    made_ms: int
    begins_ms: int
    ends_ms: int
    closes_ms: int
    secrets: tuple[str, ...]
    options: TableOptions
    digest: str
    sender_id: str | None = None
    mix: str | None = None

    @property
    def challenge(self) -> bool:
        """Whether it is a challenge, and no day."""
        return len(self.date) == CHALLENGE

    def __repr__(self) -> str:
        return f"<DayOfDeals {self.date}>"


class Try(NamedTuple):
    """A try: whose it is, or which bot's, and each deal's points once all are played.

    ``date`` names the instance whose deals they are.
    """

    id: str
    user: str | None
    bot: int | None
    ranked: bool
    points: tuple[int, ...] | None
    date: str


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


def deal_points(result: Result | None, seat: int = 0) -> int:
    """What a finished deal counts for a day, by default for its player: 0 where it doesn't."""
    assert result is not None
    return result.scores[seat] if result.counts else 0


class Board:
    """The finished tries of an instance; a line is worked out when it is asked for.

    Each deal gets 1 for every other ranked try with more points, and 1/2 for one with as many.

    >>> def one(name: str, *points: int) -> Try:
    ...     return Try(name, name, None, True, points, "2026-11-27")
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
        best = [bisect_right(self._sums, -10.0 * n, key=self._shown) for n in range(_TENTHS)]
        self.spread = [more - most for more, most in pairwise((*best, 0))]
        """How many ranked ones have a score in each tenth of a hundred per cent, as it is shown."""

    def _shown(self, each: int) -> float:
        """What a ranked one has to a tenth of a per cent, negative, after what sorts it."""
        own = len(self._deals)
        return -round(self._percent(-each - own, self._count - 1), 1)

    def _percent(self, halves: int, others: int) -> float:
        return 50 * halves / (max(others, 1) * max(len(self._deals), 1))

    def by_share(self) -> Iterator[tuple[float, Try]]:
        """The ranked ones in order, each after what sorts it among those of other boards."""
        own, others = len(self._deals), max(self._count - 1, 1)  # each is as good as itself
        return zip(((own + each) / others for each in self._sums), self.ranked, strict=True)

    def line(self, made: Try) -> Scored:
        """One of the tries; who is not ranked has a place all the same."""
        halves, others = [half - made.ranked for half in self._halves(made)], self._others(made)
        percent = self._percent(sum(halves), others)
        place = 1 + self.ahead(self, made)
        return Scored(made, place, tuple(50 * half / others for half in halves), percent)

    def ahead(self, other: Board, made: Try) -> int:
        """How many ranked ones have more here, in per cent, than a try has on another board."""
        halves = sum(half - made.ranked for half in other._halves(made))
        more = halves * (self._count - 1) // other._others(made) + len(self._deals)
        return bisect_left(self._sums, -more)

    def _others(self, made: Try) -> int:
        return max(self._count - made.ranked, 1)

    def _halves(self, made: Try) -> list[int]:
        # Where a try is ranked, it is among those it is compared with, as an equal one.
        return [deal[own] for deal, own in zip(self._deals, made.points or (), strict=False)]


class Boards:
    """The boards of a day's instances as one, by what each try has in per cent on its own."""

    def __init__(self, boards: Mapping[str, Board]) -> None:
        """``boards`` are by the names of the instances."""
        self._boards = boards
        self.ranked = sum(len(board.ranked) for board in boards.values())
        self.spread = [*map(sum, zip(*(one.spread for one in boards.values()), strict=True))]

    def some(self, first: int, count: int) -> list[Try]:
        """So many of the ranked ones from a place on, the best first; places count from 0."""
        best = merge(*(board.by_share() for board in self._boards.values()), key=itemgetter(0))
        return [one for _, one in islice(best, first, first + count)]

    def of(self, users: Collection[str]) -> list[Try]:
        """Those of some people, the best first."""
        found = [
            one for board in self._boards.values() if users
            for one in board.ranked if one.user in users
        ]  # fmt: skip
        return sorted(found, key=lambda one: self.line(one).place)

    def line(self, made: Try) -> Scored:
        """One of the tries, with its place among all of them."""
        own = self._boards[made.date]
        others = (board for board in self._boards.values() if board is not own)
        line = own.line(made)
        return line._replace(place=line.place + sum(each.ahead(own, made) for each in others))


def _by_deal(tries: Iterable[Try]) -> Iterator[tuple[int, ...]]:
    return zip(*(one.points or () for one in tries), strict=True)


def _halves(ranked: Iterable[int], others: Iterable[int]) -> dict[int, int]:
    """For each number of points of a deal: twice how many have more, and once how many as many."""
    counts, found, more = Counter(ranked), {}, 0
    for own in sorted({*counts, *others}, reverse=True):
        found[own] = 2 * more + counts[own]
        more += counts[own]
    return found


class DayTries(InStore):
    """The days and tries in people's database; OkeyError as for :class:`Accounts`."""

    @in_transaction
    def day(self, db: Db, date: str) -> DayOfDeals | None:
        """A day by its date, whether it has begun or not."""
        row = db.get(DayRow, date)
        return None if row is None else _day(row)

    @in_transaction
    def names(self, db: Db, date: str) -> list[str]:
        """What the instances of a day are called, in order."""
        return sorted(db.scalars(select(DayRow.date).where(DayRow.date.startswith(date))))

    @in_transaction
    def keep(self, db: Db, made: Sequence[DayOfDeals]) -> list[DayOfDeals]:
        """Keep the instances of a day, unless there are some already, which are given then."""
        there = DayRow.date.startswith(made[0].date)
        found = sorted(map(_day, db.scalars(select(DayRow).where(there))))
        if not found:
            db.add_all(DayRow(**day._asdict()) for day in made)
        return found or [*made]

    async def mixed(self, date: str) -> DayOfDeals:
        """A day whose list of contributions is closed, now if it was not.

        It takes no more before it is read, so that those who contribute now don't hold it up.
        """
        await self._shut(date)
        return await self._mixed(date)

    @in_transaction
    def _shut(self, db: Db, date: str) -> None:
        still = DayRow.date == date, DayRow.shares.is_(None)
        db.execute(update(DayRow).where(*still).values(shares=()))

    @in_transaction
    def _mixed(self, db: Db, date: str) -> DayOfDeals:
        row = db.get_one(DayRow, date)
        if row.mix is None:
            here = ShareRow.date == date
            shares = (*db.scalars(select(ShareRow.share).where(here).order_by(ShareRow.share)),)
            row.mix = day_mix(date, row.digest, shares) if shares else ""
            row.shares = shares
            db.execute(delete(ShareRow).where(here))
        return _day(row)

    @in_transaction
    def shares(self, db: Db, date: str) -> list[str]:
        """The closed list of the contributions to a day, in order."""
        return [*(db.scalar(select(DayRow.shares).where(DayRow.date == date)) or ())]

    @in_transaction
    def over(self, db: Db, now: int) -> list[str]:
        """The dates of the days that are over, and whose records are not made yet."""
        query = select(DayRow.date).where(DayRow.closed == 0, DayRow.closes_ms <= now)
        return [*db.scalars(query)]

    @in_transaction
    def unclosed_ms(self, db: Db) -> int | None:
        """When the first day began whose records are not made yet; None where all are."""
        return db.scalar(select(func.min(DayRow.begins_ms)).where(DayRow.closed == 0))

    async def close(self, date: str, scores: Mapping[str, int]) -> None:
        """Keep what the tries of a day are scored in the end, and that its records are made."""
        rows = [{"id": key, "score": score} for key, score in scores.items()]
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            await self._run(partial(Db.execute, statement=update(TryRow), params=some))
        closed = update(DayRow).where(DayRow.date == date).values(closed=1)
        await self._run(partial(Db.execute, statement=closed))

    @in_transaction
    def closed(self, db: Db, dates: Collection[str]) -> tuple[str, ...]:
        """Which instances of some days are closed."""
        date = func.substr(DayRow.date, 1, _DATE)
        query = select(DayRow.date).where(date.in_(dates), DayRow.closed == 1)
        return tuple(db.scalars(query.order_by(DayRow.date)))

    @in_transaction
    def scores(self, db: Db, date: str) -> list[tuple[str, int]]:
        """What the people who are ranked in a closed day have."""
        query = select(TryRow.user_id, TryRow.score).where(
            TryRow.date == date, TryRow.score.is_not(None), TryRow.user_id.is_not(None)
        )
        return [(user or "", score or 0) for user, score in db.execute(query)]

    @in_transaction
    def played(self, db: Db, user: str) -> set[str]:
        """The dates of the days that a person has played to their end."""
        query = select(TryRow.date).where(
            TryRow.user_id == user, TryRow.finished_ms >= 0, func.length(TryRow.date) < CHALLENGE
        )
        return {*map(date_of, db.scalars(query))}

    @in_transaction
    def of(self, db: Db, names: Collection[str], user: str) -> Try | None:
        """A person's try of a day, whose instances are given."""
        row = db.scalar(select(TryRow).where(TryRow.date.in_(names), TryRow.user_id == user))
        return None if row is None else _try_of(row)

    @in_transaction
    def twice(self, db: Db, guest: str, account: str) -> bool:
        """Whether a guest has a running try of a day of which an account has one."""
        theirs = select(TryRow.date).where(TryRow.user_id == account)
        opened = select(DayRow.date).where(DayRow.closed == 0)
        running = select(TryRow.date).where(
            TryRow.user_id == guest, TryRow.points.is_(None), TryRow.date.in_(opened)
        )
        mine, other = ({*map(date_of, db.scalars(query))} for query in (running, theirs))
        return not mine.isdisjoint(other)

    async def begin(
        self, date: str, user: str, table: str, now: int, *, ranked: bool,
        share: tuple[str, str] | None = None,
    ) -> None:  # fmt: skip
        """Begin a person's try at a table, unless there is one already.

        With it comes a ``share``: a day whose list is not closed, and a contribution to it.
        """

        def work(db: Db) -> None:
            if count(db, TryRow.date == date, TryRow.user_id == user):
                return
            if share is not None and db.get_one(DayRow, share[0]).shares is None:
                db.merge(ShareRow(date=share[0], share=share[1]))
            db.add(TryRow(id=table, date=date, user_id=user, ranked=int(ranked), begun_ms=now))

        try:
            await self._run(work)
        except OkeyError as error:
            if error.code != "accounts-failed":
                raise
            await self._run(work)  # another node has begun it at the same moment

    @in_transaction
    def given(self, db: Db, date: str, share: str) -> bool:
        """Whether a contribution is in the list of a day that is not closed."""
        return db.get(ShareRow, (date, share)) is not None

    @in_transaction
    def finish(self, db: Db, table: str, points: Sequence[int], now: int) -> None:
        """Keep what a try at a table came to; nothing changes that any more."""
        row = db.get(TryRow, table)
        if row is not None and row.points is None:
            row.points, row.finished_ms = (*points,), now

    @in_transaction
    def add_bots(self, db: Db, date: str, runs: Sequence[Sequence[int]], now: int) -> None:
        """Keep the first field of a day, unless it is there."""
        for number, points in enumerate(runs, 1):
            key = f"{date} {number}"
            if db.get(TryRow, key) is None:
                row = TryRow(id=key, date=date, bot=number, ranked=1, begun_ms=now)
                row.points, row.finished_ms = (*points,), now
                db.add(row)

    @in_transaction
    def finished(self, db: Db, names: Collection[str], *, bots: bool) -> int:
        """How many bots, or people, have played some instances to their end."""
        mine = TryRow.bot.is_not(None) if bots else TryRow.bot.is_(None)
        return count(db, TryRow.date.in_(names), mine, TryRow.finished_ms >= 0)

    @in_transaction
    def players(self, db: Db, names: Collection[str]) -> int:
        """The same of people, where nobody counts twice who has played as a guest as well."""
        some = TryRow.date.in_(names)
        return count(db, some, TryRow.user_id.is_not(None), TryRow.finished_ms >= 0)

    @in_transaction
    def tables(self, db: Db, date: str) -> list[str]:
        """The tables of people's tries of a day, whether these are finished or not."""
        query = select(TryRow.id).where(TryRow.date == date, TryRow.bot.is_(None))
        return [*db.scalars(query.order_by(TryRow.id))]

    @in_transaction
    def unclosed(self, db: Db) -> set[str]:
        """The tables of people's tries of days whose records are not made yet."""
        days = select(DayRow.date).where(DayRow.closed == 0)
        return {*db.scalars(select(TryRow.id).where(TryRow.date.in_(days), TryRow.bot.is_(None)))}

    async def tries(self, date: str, since: int = 0) -> list[Try]:
        """The tries of a day that were finished at that time or later, and all without a person:
        bots', and those of somebody who has another by now.
        """
        columns = TryRow.id, TryRow.user_id, TryRow.bot, TryRow.ranked, TryRow.points, TryRow.date
        nobodys = and_(TryRow.user_id.is_(None), TryRow.finished_ms >= 0)
        new = or_(TryRow.finished_ms >= since, nobodys)
        query = select(*columns).where(TryRow.date == date, new)
        rows = await self._run(lambda db: db.execute(query.order_by(TryRow.id)).all())
        return await asyncio.to_thread(lambda: [_try_of(row) for row in rows])  # perhaps many


def _try_of(row: Any) -> Try:
    return Try(row.id, row.user_id, row.bot, bool(row.ranked), row.points, row.date)


def _day(row: DayRow) -> DayOfDeals:
    return DayOfDeals._make(getattr(row, name) for name in DayOfDeals._fields)
