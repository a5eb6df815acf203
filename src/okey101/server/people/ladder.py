"""Sıralama: what the matches of a season among accounts come to, by place and margin.

It follows from the finished matches alone and is worked out from them when somebody asks: nothing
of it is kept, and nothing but results counts.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from itertools import groupby, permutations
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct
from sqlalchemy import Row, or_, select
from sqlalchemy.orm import Session as Db

from okey101.server.errors import refuse
from okey101.server.people.database import InStore, Run, in_transaction
from okey101.server.people.day_tries import ISTANBUL, date_at
from okey101.server.people.models import MatchRow, SeatRow, UserRow

RANKS: Final = (0, 100, 250, 500, 900, 1400)
"""From how many points on one has each rank."""
_LOSSES: Final = (0.5, 0.75, 1.0, 1.0, 1.25, 1.5)
"""The part of a loss that counts in each rank: the higher one is, the more it costs."""
_PLACE: Final = 10
_MARGIN: Final = 5
"""So many points of a deal are one of the ladder."""
_MOST_MARGIN: Final = 10
_DEALS: Final = 5
"""Shorter matches count less."""
_QUARTER: Final = 3
_FRESH_MS: Final = 60_000
_SEASONS: Final = 8
"""So many are at hand: whoever asks for another one is not to have the present one read anew."""
_IN_ORDER: Final = itemgetter(1, 2, 3)
_Row: TypeAlias = Row[*tuple[Any, ...]]
_OFTEN: Final = 20
"""From so many matches together on, two people are told to administrators."""
_MOSTLY: Final = 0.5
"""And where these are such a part of all that one of them has played."""

_OF_TEAMS: Final = ((1, 2, 1, 2), (2, 1, 2, 1), (1, 1, 1, 1))
"""The places of a match in teams; whoever plays alone shares the last with equal totals alone."""
_COUNTED: Final = or_(
    UserRow.password_hash.is_not(None), UserRow.deleted_ms.is_not(None) & (UserRow.unlisted == 1)
)
"""Accounts, and who was one and is erased: what the others have won and lost stays."""


class Season(NamedTuple):
    """A quarter of a year in Istanbul: its name, as ``2026-4``, and when it begins and ends."""

    name: str
    begins_ms: int
    ends_ms: int


class Standing(NamedTuple):
    """What an account has in a season: points, its rank from 1, its matches, and how many of
    these it won among the accounts at the table.
    """

    user: str
    points: int
    rank: int
    matches: int
    won: int


class Played(NamedTuple):
    """A match: its deals, the totals of the accounts that played it, and who of them were ``near``:
    each two that shared an address.
    """

    deals: int
    totals: Mapping[str, float]
    near: Collection[frozenset[str]] = ()


class Pair(Struct, frozen=True):
    """Two accounts that met again and again: who won more by it, and the other one.

    Of ``matches`` of the first they played so many ``together``, in which each won or lost so many
    points, before ranks are looked at. In ``same`` of these matches the very same accounts sat at
    the table, and in ``near`` the two shared an address at the end.
    """

    user: str
    other: str
    together: int
    same: int
    near: int
    matches: int
    won: float
    others: float


def season_of(name: str) -> Season:
    """A season by its name; OkeyError ``no-season``.

    >>> season_of("2026-4")
    Season(name='2026-4', begins_ms=1790802000000, ends_ms=1798750800000)
    """
    year, _, quarter = name.partition("-")
    named = year.isascii() and year.isdecimal() and len(year) == 4 and quarter in set("1234")
    if not named or not 0 < int(year) < 9999:  # others would begin or end where no date is
        refuse("no-season")
    months = int(year) * 12 + (int(quarter) - 1) * _QUARTER
    begins, ends = (
        datetime(month // 12, month % 12 + 1, 1, tzinfo=ISTANBUL)
        for month in (months, months + _QUARTER)
    )
    return Season(name, *(round(day.timestamp() * 1000) for day in (begins, ends)))


def season_at(now_ms: int) -> Season:
    """The season of a time.

    >>> season_at(1790801999999).name
    '2026-3'
    """
    year, month, _ = date_at(now_ms).split("-")
    return season_of(f"{year}-{(int(month) + 2) // _QUARTER}")


def gains(played: Played) -> dict[str, float]:
    """What each account of a match wins or loses, before its rank is looked at.

    Each one ahead of whom one ends is worth 10, each one ahead costs 10; beside that counts the
    distance to the mean of the others, 5 points a deal for one, and 10 at the most.

    >>> gains(Played(5, {"a": -100, "b": 0, "c": 0, "d": 400}))
    {'a': 39.3, 'b': 4.0, 'c': 4.0, 'd': -40.0}
    """
    weight = min(played.deals, _DEALS) / _DEALS
    found = {}
    for user, total in played.totals.items():
        others = [other for one, other in played.totals.items() if one != user]
        place = sum((other > total) - (other < total) for other in others)
        margin = (sum(others) / len(others) - total) / played.deals / _MARGIN
        margin = max(-_MOST_MARGIN, min(_MOST_MARGIN, margin))
        found[user] = round(weight * (_PLACE * place + margin), 1)
    return found


def standings(matches: Iterable[Played]) -> list[Standing]:
    """What accounts have after these matches, one after another, the most points first.

    >>> standings([Played(5, {"a": 0, "b": 250})])
    [Standing(user='a', points=20, rank=1, matches=1, won=1), \
Standing(user='b', points=0, rank=1, matches=1, won=0)]
    """
    points: dict[str, float] = {}
    counts: dict[str, list[int]] = {}
    for played in matches:
        best = min(played.totals.values())
        for user, gain in gains(played).items():
            before = points.get(user, 0.0)
            part = 1.0 if gain > 0 else _LOSSES[bisect_right(RANKS, before) - 1]
            points[user] = max(0.0, before + gain * part)
            count = counts.setdefault(user, [0, 0])
            count[0] += 1
            count[1] += played.totals[user] == best
    found = [
        Standing(user, int(has), bisect_right(RANKS, has), *counts[user])
        for user, has in points.items()
    ]
    return sorted(found, key=lambda one: (-one.points, -one.won, one.matches, one.user))


def pairs(matches: Iterable[Played]) -> list[Pair]:
    """Who wins points in matches that are mostly played with the same one, the most points first.

    Friends do so, too: it is a person who judges.

    >>> pairs([Played(5, {"a": 0, "b": 250})] * 20)
    [Pair(user='a', other='b', together=20, same=20, near=0, matches=20, won=400.0, others=-400.0)]
    """
    counts: Counter[str] = Counter()
    met: dict[tuple[str, str], list[tuple[Played, dict[str, float]]]] = {}
    for played in matches:
        counts.update(played.totals.keys())
        gained = gains(played)
        for two in permutations(gained, 2):
            met.setdefault(two, []).append((played, gained))
    found = [
        Pair(
            user, other, together=len(each), matches=counts[user],
            same=max(Counter(frozenset(played.totals) for played, _ in each).values()),
            near=sum(frozenset((user, other)) in played.near for played, _ in each),
            won=sum(gained[user] for _, gained in each),
            others=sum(gained[other] for _, gained in each),
        )
        for (user, other), each in met.items()
        if len(each) >= max(_OFTEN, _MOSTLY * counts[user])
    ]  # fmt: skip
    return sorted((one for one in found if one.won > max(0, one.others)), key=lambda one: -one.won)


class Ladder(InStore):
    """The seasons of a server; OkeyError as for :class:`Accounts`."""

    def __init__(self, run: Run, now_ms: Callable[[], int]) -> None:
        super().__init__(run, now_ms)
        self._known: dict[str, tuple[int, list[Standing]]] = {}
        self._working = asyncio.Lock()

    def season(self, name: str | None) -> Season:
        """The season of a name, today's unless one is named; OkeyError ``no-season``."""
        return season_at(self._now()) if name is None else season_of(name)

    async def standings(self, season: Season) -> list[Standing]:
        """What the accounts of a season have, a minute old at the most, the most points first."""
        async with self._working:  # beside the loop, and once for all who ask
            at, found = self._known.pop(season.name, (-_FRESH_MS, []))
            if self._now() - at >= _FRESH_MS:
                rows = await self._rows(season)
                at, found = self._now(), await asyncio.to_thread(lambda: standings(_played(rows)))
            if found:  # else it costs little, and makes room for none that does
                self._known[season.name] = at, found
            if len(self._known) > _SEASONS:
                del self._known[next(iter(self._known))]
            return found

    async def pairs(self, season: Season) -> list[Pair]:
        """Who wins points with the same one again and again, the most points first."""
        rows = await self._rows(season)
        return await asyncio.to_thread(lambda: pairs(_played(rows)))

    @in_transaction
    def unlisted(self, db: Db) -> set[str]:
        """Whom others don't see in it."""
        return {*db.scalars(select(UserRow.id).where(UserRow.unlisted == 1))}

    async def _rows(self, season: Season) -> list[_Row]:
        """The seats of a season's matches in order, read in small parts."""
        key = SeatRow.user_id, SeatRow.finished_ms, SeatRow.match_id, SeatRow.seat
        match = MatchRow.deals, MatchRow.totals, MatchRow.places
        query = (
            select(*key, *match, SeatRow.near)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .join(UserRow, UserRow.id == SeatRow.user_id)
            .where(
                SeatRow.finished_ms >= season.begins_ms, SeatRow.finished_ms < season.ends_ms,
                _COUNTED, MatchRow.deals > 0, MatchRow.shown_ms <= self._now(),
            )
        )  # fmt: skip
        found = [row async for part in self._in_parts(query, *key) for row in part]
        return await asyncio.to_thread(lambda: sorted(found, key=_IN_ORDER))


def _played(rows: Iterable[_Row]) -> Iterable[Played]:
    """The matches that at least two accounts have played; who had two seats had none.

    Partners of a team have each half of what it has; alone they have played against nobody.
    """
    for _, group in groupby(rows, key=lambda row: row[2]):
        seats = [*group]
        *_, deals, totals, places, _ = seats[0]
        if places in _OF_TEAMS:
            totals = [(totals[seat] + totals[seat - 2]) / 2 for seat in range(4)]
        users = [user for user, *_ in seats]
        found = {user: totals[seat] for user, _, _, seat, *_ in seats if users.count(user) == 1}
        near = {
            frozenset((user, other))
            for user, *_, own in seats for other, _, _, seat, *_ in seats
            if own >> seat & 1
        }  # fmt: skip
        if len({*found.values()} if places in _OF_TEAMS[:2] else found) > 1:
            yield Played(deals, found, near)
