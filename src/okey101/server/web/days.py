"""Günün elleri and Meydan oku over HTTP: the day, one's own try, and the table of the day."""

from __future__ import annotations

from bisect import bisect_left
from typing import Annotated, Final, Literal

from litestar import Controller, get, post
from litestar.params import Parameter
from msgspec import Struct

from okey101.game.fair.rounds import day_mix
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.people.day_tries import (
    NAMES,
    DayOfDeals,
    Total,
    Try,
    date_of,
    dates_around,
    run_match,
)
from okey101.server.people.days import Promised
from okey101.server.people.history import match_id
from okey101.server.people.ladder import RANKS, Standing
from okey101.server.protocol import views
from okey101.server.protocol.client_messages import Start
from okey101.server.tables.state import Stage
from okey101.server.web.auth import Asked, SeasonName, limit

_MOST_LINES: Final = 100

_Date = Annotated[
    str,
    Parameter(
        pattern=f"^({NAMES})$",
        description="a date in Istanbul, one of its instances, or a challenge's name",
    ),
]


class ChallengeBody(Struct, forbid_unknown_fields=True):
    """Which bots are in the other seats of a challenge."""

    bot: Literal["novice", "greedy", "steady", "master", "neural"] = "neural"


class Days(Controller):
    """Günün elleri."""

    path = "/api/days"
    tags = ["days"]  # noqa: RUF012  # Litestar's own form

    @get("/")
    async def days(self, request: Asked, hub: Hub) -> list[views.DayAnswer]:
        """The days that run: today's first, and until noon that of yesterday."""
        user = await request.reader()
        return [await _answer(hub, day, user) for day in await hub.days.running(user)]

    @post("/", status_code=201)
    async def challenge(self, request: Asked, hub: Hub, data: ChallengeBody) -> views.DayAnswer:
        """Four new deals for oneself and whoever is told of them, for three days."""
        async with request.acting(person=True, spoken=True) as user:
            request.limit(hub.allowances.challenges_at)
            await request.hold(hub.allowances.challenges, user)
            return await _answer(hub, await hub.days.challenge(data.bot, user), user)

    @get("/{date:str}")
    async def day(self, request: Asked, hub: Hub, date: _Date) -> views.DayAnswer:
        """A day by its date; OkeyError ``no-day``."""
        user = await request.reader()
        return await _answer(hub, await hub.days.day(date, user), user)

    @post("/{date:str}/play", status_code=200)
    async def play(
        self, request: Asked, hub: Hub, date: _Date, data: views.Share | None = None
    ) -> views.DayBegun:
        """Begin one's try, or go on: the same table however often it is asked for.

        Whoever begins may contribute to the deals of the day after.
        """
        async with request.doing() as session:
            user = session.user
            limit(hub.allowances.spoken(user.id), user.id)
            day = await hub.days.day(date, user.id)
            table = await hub.days.table_of(date, user.id, hub.tables.id_of)
            made = await hub.tables.made(table)
            address = request.caller.key if made else await request.may_open(user.id)
            if made is None:  # else a try would have begun that has no table
                hub.tables.require_room(user.id, address, tried=True)
            begun = await hub.days.begin(day, user, table, data)
            made = made or await hub.tables.create(user.id, day.options, table, address, begun)
            if made.state.stage is Stage.WAITING:
                await made.command(user.id, Start(rid="start"))
            shared = await hub.days.shared(day, data)
            return views.DayBegun(made.state.table, made.state.seq, shared)

    @get("/{date:str}/mix")
    async def mix(self, request: Asked, hub: Hub, date: _Date) -> views.DayMix:
        """What was contributed to the deals of a day, once nobody can any more."""
        day = await hub.days.day(date, await request.reader())
        if day.challenge:
            refuse("no-day")
        shares = await hub.accounts.days.shares(day.date)
        return views.DayMix(day.date, day.digest, shares, day_mix(day.date, day.digest, shares))

    @get("/{date:str}/table")
    async def table(
        self, request: Asked, hub: Hub, date: _Date,
        first: Annotated[int, Parameter(ge=0, le=1_000_000)] = 0,
    ) -> views.DayTable:  # fmt: skip
        """The table of a day, for those who have played it; for everybody once it is closed.

        ``lines`` are a hundred from ``first`` on, which counts from 0.
        """
        user = await request.reader()
        day = await hub.days.day(date, user)
        board = await hub.days.board(day, user)
        lines = board.some(first, _MOST_LINES)
        own = await hub.days.own(day, user)
        friends = set() if user is None else await hub.accounts.ties.friends(user)
        near = board.of(friends)[:_MOST_LINES]
        own = own if own is not None and own.points is not None else None
        called = await hub.accounts.names(
            one.user for one in (*lines, *near, own) if one is not None and one.user is not None
        )
        closed = hub.days.state(day) == "closed"
        looked_at = [one for one in (*board.some(0, 1), own) if closed and one is not None]
        skills = {one.id: await _skill(hub, _match(one)) for one in looked_at}

        def line(made: Try) -> views.DayLine:
            one = board.line(made)
            name, face = called.get(made.user or "", views.Called())
            return views.DayLine(
                place=one.place, name=name, face=face, bot=made.bot, ranked=made.ranked,
                own=own is not None and made.id == own.id,
                points=[*(made.points or ())], total=sum(made.points or ()),
                matchpoints=[round(each, 1) for each in one.matchpoints],
                percent=round(one.percent, 1),
                match=_match(made) if closed else None, skill=skills.get(made.id), date=made.date,
            )  # fmt: skip

        return views.DayTable(
            date=day.date, closed=closed, ranked=board.ranked, spread=board.spread,
            lines=[*map(line, lines)], friends=[*map(line, near)],
            own=None if own is None else line(own),
        )  # fmt: skip

    @get("/{date:str}/totals")
    async def totals(
        self, request: Asked, hub: Hub, date: _Date, over: Literal["week", "month"] = "week"
    ) -> views.DayTotals:
        """What people have in the closed days of the week or month around a day."""
        user = await request.reader()
        if (await hub.days.day(date, user)).challenge:
            refuse("no-day")
        dates = dates_around(date_of(date), over)
        days, totals = await hub.days.totals(dates)
        own = next((one for one in totals if one.user == user), None)
        first = totals[:_MOST_LINES]
        called = await hub.accounts.names(one.user for one in (*first, own) if one is not None)

        def line(one: Total) -> views.TotalLine:
            place = 1 + bisect_left(totals, -one.score, key=lambda other: -other.score)
            name, face = called.get(one.user, views.Called())
            average = round(one.score / one.days / 10, 1)
            return views.TotalLine(
                place, name, face, one.user == user, one.days, one.score / 10, average
            )

        return views.DayTotals(
            begins=dates[0], ends=dates[-1], days=days, ranked=len(totals),
            lines=[*map(line, first)], own=None if own is None else line(own),
            streak=0 if user is None else await hub.days.streak(user),
        )  # fmt: skip


@get("/api/ladder", tags=["days"])
async def ladder(request: Asked, hub: Hub, season: SeasonName = None) -> views.Ladder:
    """The ladder of a season, today's unless one is named; OkeyError ``no-season``."""
    user = await request.reader()
    kept = hub.accounts.ladder
    found = kept.season(season)
    hidden = await kept.unlisted()
    everybody = await kept.standings(found)
    seen = [one for one in everybody if one.user not in hidden or one.user == user]
    own = next((one for one in seen if one.user == user), None)
    first = seen[:_MOST_LINES]
    called = await hub.accounts.names(one.user for one in (*first, own) if one is not None)
    public = await hub.accounts.profiles.open_to([*called], user)

    def line(one: Standing) -> views.LadderLine:
        place = 1 + bisect_left(seen, -one.points, key=lambda other: -other.points)
        name, face = called[one.user]
        return views.LadderLine(place, name, face, one.user == user, one.user in public, *one[1:])

    return views.Ladder(
        *found, RANKS, len(seen), [*map(line, first)], None if own is None else line(own)
    )


def _match(made: Try) -> str:
    """The id of the match that a try is."""
    return match_id(made.id, 1) if made.bot is None else run_match(made.date, made.bot)


async def _skill(hub: Hub, match: str) -> list[float] | None:
    """What the own play of the first seat comes to, deal by deal, where that was reviewed."""
    review = (await hub.reviews.look(match)).review
    if review is None:
        return None
    own = sorted((deal.number, deal) for deal in review.deals if deal.seat == 0)
    return [deal.balance.skill.mean for _, deal in own]


async def _answer(hub: Hub, day: DayOfDeals, user: str | None) -> views.DayAnswer:
    own, state = await hub.days.own(day, user), hub.days.state(day)
    coming = await hub.days.next(day, user)
    promised = Promised(day)
    name, face = views.Called() if day.sender_id == user else await hub.days.sender(day)
    tried = None if own is None else views.DayTry(own.id, own.points is not None, own.ranked)
    return views.DayAnswer(
        date=day.date, challenge=day.challenge, state=state, rules=day.options.rules,
        deals=len(day.secrets), bots=promised.bots,
        begin_until_ms=day.ends_ms, closes_ms=day.closes_ms,
        committed_ms=day.made_ms, commitments=promised.commitments, digest=day.digest,
        mixed=bool(day.mix),
        secrets=[*day.secrets] if state == "closed" else None,
        players=await hub.days.players(day), own=tried,
        sender=views.Sender(name, face) if name else None,
        next=views.NextDay(coming.date, coming.digest) if coming else None,
    )  # fmt: skip
