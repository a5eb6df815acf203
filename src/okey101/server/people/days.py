"""Günün elleri: each day's deals are made and promised before it, and opened after it.

Meydan oku is the same with deals that somebody asked for, from then on and for three days.

A try is an ordinary table whose deals are the day's (docs/en/fairness.md). Until a day is closed
nothing but that table tells its tiles: the records of all tries are made then, from their rows.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeVar, TypeVarTuple

import msgspec

from okey101.bots import BOTS, make_bot
from okey101.bots.playing import play_out
from okey101.errors import OkeyError
from okey101.game import Deal, RuleSet, deal_from_seed
from okey101.game.dealing import first_dealer
from okey101.game.fair.rounds import (
    DAY_PLAYER,
    bot_seed,
    commitment,
    day_context,
    day_digest,
    day_instance,
    day_mix,
    seat_commitment,
)
from okey101.game.fair.transcript import BOT_PREFIX, Fair
from okey101.game.record.form import Record, record_of
from okey101.game.record.verification import public_entries
from okey101.server.errors import refuse
from okey101.server.ops.logs import logger, trace_of
from okey101.server.people.day_tries import (
    CHALLENGE,
    DEALS,
    NAMES,
    Board,
    Boards,
    DayOfDeals,
    Total,
    Try,
    begins_ms,
    date_at,
    date_of,
    deal_points,
    instances_of,
    totals_of,
)
from okey101.server.people.match_keeper import MatchKeeper
from okey101.server.people.models import MatchSeat, User
from okey101.server.people.service import Accounts
from okey101.server.protocol.bot_labels import require_person
from okey101.server.protocol.options import TableOptions, checked_options, rules_of
from okey101.server.protocol.views import Called, Share
from okey101.server.settings import Settings
from okey101.server.store import AnyStore, StoreError
from okey101.server.store.public_log import PublicLog
from okey101.server.tables.log_entries import Day
from okey101.server.tables.reduce import new_secret
from okey101.server.work.tasks import Tasks
from okey101.work import Caller, WorkerEnded, Workers

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
_DAY_MS: Final = 86_400_000
_LATE_MS: Final = _DAY_MS // 2
"""Who has begun may go on until noon."""
BOT: Final = "neural"
"""The bot in the other seats: the level Zor."""
FIELD: Final = ("novice", "greedy", "master", "neural")
"""The bots of the first field. Each plays each deal, and sixteen runs are put together of that, so
that every level has the same weight in every deal."""
_RUN: Final = re.compile(rf"({NAMES})_([1-9]\d?)-1", re.ASCII)
"""What names the match of a run of the first field: the day, and the bot's number."""
_CHALLENGE_MS: Final = 3 * _DAY_MS
_SHUT_MS: Final = 600_000
"""So long before a day begins the list of contributions to it is closed."""
_EVERY_S: Final = 30.0
_NICE: Final = 10
_BOARDS: Final = 32
_MANY: Final = 500
"""From so many players on only the tries that were finished lately are read."""
_LATEST_MS: Final = 60_000

_log = logger(__name__)


def day_options(bot: str = BOT) -> TableOptions:
    """What the tables of a day are played by."""
    return checked_options(
        TableOptions(
            rules={"preset": "altinstar"}, deals=DEALS, clock=0, bots=(None, bot, bot, bot),
            spectators="off", late=False, phrases=False, hints=False,
        )
    )  # fmt: skip


class _Read(NamedTuple):
    """The board of a day as it was when it was read, and so many people had played."""

    people: int = -1
    at_ms: int = 0
    tries: Mapping[str, Try] = MappingProxyType({})
    board: Board = Board(())

    def and_then(self, new: Sequence[Try], people: int, now_ms: int, *, bots: bool) -> _Read:
        """The same with tries that were read since; without ``bots`` only people are compared."""
        tries = {**self.tries, **{one.id: one for one in new}}
        shown = [one for one in tries.values() if bots or one.bot is None]
        return _Read(people, now_ms, tries, Board(shown))


class Promised:
    """What follows from a day's secrets and options, for the deals that are dealt from them.

    The day's ``mix`` is what the player's seat contributes, once that is known.
    """

    def __init__(self, day: DayOfDeals) -> None:
        self.rules: RuleSet = rules_of(day.options)
        self.bots = [None if bot is None else BOTS[bot].mark for bot in day.options.bots]
        seats = tuple(DAY_PLAYER if bot is None else f"{BOT_PREFIX}{bot}" for bot in self.bots)
        nothing = tuple("" for _ in seats)
        given = tuple((day.mix or "") if bot is None else "" for bot in self.bots)
        terms = msgspec.json.decode(msgspec.json.encode(day.options), type=dict[str, object])
        self._secrets = [bytes.fromhex(secret) for secret in day.secrets]
        before = []
        for number, secret in enumerate(self._secrets):
            at = day_context(day.date), 1, number, 0
            promised = commitment(secret, *at)
            before.append(Fair(promised, *at, terms, seats, nothing, given, secret.hex()))
        self.commitments = [fair.commitment for fair in before]
        self.digest = day_digest(day.date, [fair.transcript for fair in before])
        self._fair = [replace(fair, commitments=_committed(fair)) for fair in before]

    def deal(self, number: int) -> Deal:
        """A deal before its first action."""
        first, seed = self._fair[0].seed, self._fair[number].seed
        assert first is not None and seed is not None
        dealer = (first_dealer(first, len(self.bots)) + number) % len(self.bots)
        return Deal.start(self.rules, deal_from_seed(self.rules, seed, dealer))

    def played(self, number: int, bots: Sequence[str]) -> Deal:
        """A deal as four bots play it, the first of them in the player's seat."""
        where = self._secrets[number], *_where(self._fair[number])
        seated = [make_bot(bot, bot_seed(*where, seat)) for seat, bot in enumerate(bots)]
        return play_out(self.deal(number), seated)

    def record(self, deals: Sequence[Deal], bots: Sequence[Sequence[str]]) -> Record:
        """All deals once bots have played them, each with what it came from and who they were."""
        record = record_of(self.rules, deals, deals_agreed=len(deals))
        actors = [
            tuple(f"{BOT_PREFIX}{BOTS[seated[seat]].mark}" for seat, _ in deal.public.actions)
            for deal, seated in zip(deals, bots, strict=True)
        ]
        told = zip(record.deals, self._fair, actors, strict=True)
        whole = tuple(replace(deal, fair=one.to_dict(), actors=who) for deal, one, who in told)
        return replace(record, deals=whole)


def _where(fair: Fair) -> tuple[str, int, int, int]:
    return fair.table, fair.match, fair.deal, fair.round


def _committed(fair: Fair) -> tuple[str, ...]:
    """What each seat that contributes commits to, which nobody had when the day was promised."""
    return tuple(
        given and seat_commitment(bytes.fromhex(given), fair.commitment, *_where(fair), seat)
        for seat, given in enumerate(fair.randomness or ())
    )


def _as_promised(day: DayOfDeals) -> bool:
    """Whether the deals that follow from a day are still those that were promised."""
    return Promised(day).digest == day.digest


def first_field(_: Caller | None, day: DayOfDeals, field: Sequence[str]) -> list[list[int]]:
    """The points of the first runs of a day, deal by deal."""
    promised, kinds = Promised(day), len(field)
    others = [bot or BOT for bot in day.options.bots[1:]]
    points = [
        [deal_points(promised.played(number, (bot, *others)).result) for bot in field]
        for number in range(len(day.secrets))
    ]
    return [
        [of[kind] for of, kind in zip(points, _kinds(run, kinds), strict=True)]
        for run in range(kinds**2)
    ]


def run_of_field(
    _: Caller | None, day: DayOfDeals, field: Sequence[str], run: int
) -> tuple[list[int], list[int], bytes, list[str]]:
    """One of them, counted from 1: its points, everybody's totals, and what is kept of it: the JSON
    of its record, and the lines of the public log.
    """
    promised = Promised(day)
    others = [bot or BOT for bot in day.options.bots[1:]]
    seated = [(field[kind], *others) for kind in _kinds(run - 1, len(field))]
    deals = [promised.played(number, bots) for number, bots in enumerate(seated)]
    record = promised.record(deals, seated)
    totals = [*(record.totals or ())]
    kept = msgspec.json.encode(record.to_dict())
    points = [deal_points(deal.result) for deal in deals]
    return points, totals, kept, public_entries(record)


def _kinds(run: int, kinds: int) -> list[int]:
    """Which bot of the field plays each deal of a run, all counted from 0."""
    first, step = divmod(run, kinds)
    return [(first + step * number) % kinds for number in range(DEALS)]


async def _tried(work: Awaitable[None]) -> None:
    """Do what is done again soon where it fails, and hold up nothing else by it."""
    try:
        await work
    except (OkeyError, StoreError) as error:
        _log.warning("days-wait", why=str(error))
    except Exception as error:  # noqa: BLE001  # no fault of a day ends the others
        _log.error("days-failed", trace=trace_of(error))


def _let_go(tables: dict[Any, Any]) -> None:
    """Forget the table that was not asked for the longest, of too many."""
    if len(tables) > _BOARDS:
        tables.pop(next(iter(tables)))


def _scores(board: Board) -> dict[str, int]:
    """What each ranked person has, in tenths of a per cent: those that the day's table shows."""
    people = (one for one in board.ranked if one.bot is None)
    return {one.id: round(10 * round(board.line(one).percent, 1)) for one in people}


class Days:
    """The days of a server, whose deals are played at its tables."""

    def __init__(
        self, accounts: Accounts, matches: MatchKeeper, store: AnyStore,
        public_log: PublicLog, tasks: Tasks, settings: Settings,
    ) -> None:  # fmt: skip
        self._accounts = accounts
        self._now = accounts.now_ms
        self._kept = accounts.days
        self._matches = matches
        self._store = store
        self._log = public_log
        self._tasks = tasks
        self._on = settings.daily == "on"
        self._instances = settings.daily_instances
        """How many a day has that is made from now on."""
        self._told: dict[str, list[str]] = {}
        """What the instances of the promised days are called."""
        self._mixed: set[str] = set()
        """The days whose closed list the log has."""
        self._field = asyncio.Lock()
        self._scoring = asyncio.Lock()
        self._boards: dict[str, _Read] = {}
        self._totals: dict[tuple[str, ...], list[Total]] = {}

    async def run(self) -> None:
        """Make and promise the days to come, and open those that are over, until cancelled."""
        while self._on:
            await _tried(self.look())
            await asyncio.sleep(_EVERY_S)

    async def look(self) -> None:
        """Do what is due: there are today's deals and tomorrow's, and no closed day is secret.

        Nobody contributes any more to a day that is about to begin. Tomorrow's come first: whoever
        plays today's may contribute to them.
        """
        now = self._now()
        for date in (date_at(now + _DAY_MS), date_at(now)):
            await _tried(self._promised(date, now))
        for date in await self._kept.over(now):
            await _tried(self._close(date))

    async def _promised(self, date: str, now: int) -> None:
        begins = begins_ms(date)
        if date not in self._told:
            ends, names = begins + _DAY_MS, instances_of(date, self._instances)
            made = await self._made(names, now, (begins, ends, ends + _LATE_MS), day_options())
            self._told[date] = [day.date for day in made]
        if begins - _SHUT_MS <= now:
            for name in {*self._told[date]} - self._mixed:
                await self._shut(name)

    async def _shut(self, date: str) -> DayOfDeals:
        """A day to which nobody contributes any more, and the log knows what was contributed."""
        day = await self._kept.mixed(date)
        if date not in self._mixed:
            mix = day.mix or day_mix(date, day.digest, ())
            await self._log.add(f"mixed {date} {mix}")
            self._mixed.add(date)
            with suppress(StoreError):  # else the next head has it, a minute later
                await self._log.publish()
        return day

    async def challenge(self, bot: str, sender: str) -> DayOfDeals:
        """Make a person's challenge against bots of that name; OkeyError ``no-day`` where there
        are none.
        """
        if not self._on:
            refuse("no-day")
        now, name = self._now(), new_secret()[:CHALLENGE]
        end = now + _CHALLENGE_MS
        (made,) = await self._made([name], now, (now, end, end), day_options(bot), sender)
        return made

    async def _made(
        self,
        names: Sequence[str],
        now: int,
        times: tuple[int, int, int],
        options: TableOptions,
        sender: str | None = None,
    ) -> list[DayOfDeals]:
        """The instances of a day, which are kept and promised if there are none yet."""
        mix = None if sender is None else ""
        drawn = []
        for name in names:
            secrets = tuple(new_secret() for _ in range(DEALS))
            day = DayOfDeals(name, now, *times, secrets, options, "", sender, mix)
            drawn.append(day._replace(digest=Promised(day).digest))
        made = await self._kept.keep(drawn)
        for day in made:
            lines = (f"commitment {one}" for one in Promised(day).commitments)
            # Whoever knows what names a challenge can open it, so the log doesn't tell.
            about = "challenge" if day.challenge else f"day {day.date}"
            await self._log.add(f"{about} {day.digest}", *lines)
        return made

    async def _close(self, date: str) -> None:
        """Make the records of all tries of a day, from their rows, and score those that count.

        A try may be over whose points are not kept yet: its server died, or is still at it.
        """
        day = await self.day(date)
        for table in await self._kept.tables(day.date):
            await self._matches.made_again(table, await self._store.history(table))
        scores: dict[str, int] = {}
        if not day.challenge and await self._kept.finished([day.date], bots=False):
            board = await self._board(day)
            scores = await asyncio.to_thread(_scores, board)
        await self._kept.close(day.date, scores)

    async def archive_step(self, drop_before_ms: int | None) -> bool:
        """As the store does it, but no row is deleted of which a day has records to make.

        StoreError, OkeyError ``accounts-failed``.
        """
        if drop_before_ms is not None and self._on:
            first = await self._kept.unclosed_ms()
            drop_before_ms = drop_before_ms if first is None else min(drop_before_ms, first)
        return await self._store.archive(drop_before_ms)

    # The days that may be seen ----------------------------------------------------------------

    async def day(self, name: str, user: str | None = None) -> DayOfDeals:
        """A day that has begun, for a date the instance of a person.

        OkeyError ``no-day``, also for a challenge of somebody who has blocked a person who has not
        begun it.
        """
        found = await self._kept.day(await self._given(name, user)) if self._on else None
        if found is None or found.begins_ms > self._now():
            refuse("no-day")
        sent = user is not None and found.sender_id is not None
        if sent and await self.own(found, user) is None:
            if found.sender_id in (await self._accounts.ties.shunned(user or "")).by:
                refuse("no-day")
        return await self._begun(found)

    async def _names(self, name: str) -> list[str]:
        """What the instances of a day are called, one of which, or whose date, is named."""
        if len(name) == CHALLENGE:
            return [name]
        date = date_of(name)
        return self._told.get(date) or await self._kept.names(date)

    async def _given(self, name: str, user: str | None) -> str:
        """The instance that a date stands for: the one a person has begun, or is given."""
        if user is None or name != date_of(name):
            return name
        names = await self._names(name)
        own = await self._kept.of(names, user) if len(names) > 1 else None
        if own is not None:
            return own.date
        return names[day_instance(name, user, len(names))] if names else name

    async def _begun(self, day: DayOfDeals) -> DayOfDeals:
        return day if day.challenge or day.date in self._mixed else await self._shut(day.date)

    async def next(self, day: DayOfDeals, user: str | None) -> DayOfDeals | None:
        """The instance that a person who begins a day is given the day after, and contributes to;
        None where that is over.
        """
        names, date = self._coming(day), date_at(day.ends_ms)
        if not names:
            return None
        at = 0 if user is None else day_instance(date, user, len(names))
        coming = await self._kept.day(names[at])
        return None if coming is None or coming.mix is not None else coming

    def _coming(self, day: DayOfDeals) -> list[str]:
        date = date_at(day.ends_ms)
        over = day.challenge or begins_ms(date) - _SHUT_MS <= self._now()
        return [] if over else self._told.get(date, [])

    async def running(self, user: str | None) -> list[DayOfDeals]:
        """The days that run, today's first, each the instance of a person."""
        now = self._now()
        dates = {date_at(now): None, date_at(now - _LATE_MS): None}
        found = [await self._kept.day(await self._given(date, user)) for date in dates if self._on]
        return [await self._begun(day) for day in found if day is not None]

    def state(self, day: DayOfDeals) -> Literal["open", "late", "closed"]:
        """Whether a day may be begun, or only gone on with, or is over."""
        now = self._now()
        return "open" if now < day.ends_ms else "late" if now < day.closes_ms else "closed"

    async def own(self, day: DayOfDeals, user: str | None) -> Try | None:
        """A person's try, whichever instance it is of."""
        return None if user is None else await self._kept.of(await self._names(day.date), user)

    async def table_of(self, date: str, user: str, id_of: Callable[[str, str], str]) -> str:
        """The table of a try, which may have been begun as a guest, or may be still to come.

        ``id_of`` is what a person's table of a key is called.
        """
        own = await self._kept.of(await self._names(date), user)
        # A blank makes it a key that nobody can send.
        return id_of(user, f"day {date_of(date)}") if own is None else own.id

    async def sender(self, day: DayOfDeals) -> Called:
        """Who sends a challenge; nobody where that is not known."""
        who = day.sender_id or ""
        return (await self._accounts.names([who]))[who]

    async def players(self, day: DayOfDeals) -> int:
        """How many people have played a day, in all instances."""
        return await self._kept.players(await self._names(day.date))

    async def begin(self, day: DayOfDeals, user: User, table: str, share: Share | None) -> Day:
        """Begin a person's try, or go on with it: what its table is made with.

        Whoever begins it may contribute to the day after.

        OkeyError ``day-played``, ``day-over``, ``not-for-bots``, and ``no-day`` of an instance that
        somebody else is given, and where the program has become another one, by which the deals
        would not be those that were promised.
        """
        require_person(user.id)
        if await self._given(date_of(day.date), user.id) != day.date:
            refuse("no-day")
        state, own = self.state(day), await self.own(day, user.id)
        if own is not None and own.points is not None:
            refuse("day-played")
        if state == "closed" or (own is None and state == "late"):
            refuse("day-over")
        if own is None:
            if not _as_promised(day):
                refuse("no-day")
            ranked = day.challenge or self._is_ranked(user)
            given = None if share is None else await self._taken(day, share)
            await self._kept.begin(
                day.date, user.id, table, self._now(), ranked=ranked, share=given
            )
            if not day.challenge:
                self._tasks.spawn(self._have_field(day))
        secrets, mix = day.secrets, day.mix or ""
        return Day(date=day.date, secrets=secrets, closes_ms=day.closes_ms, mix=mix)

    def _is_ranked(self, user: User) -> bool:
        """Whether a person is compared with the others of a day that begins now.

        Not who has a new account, nor a moderator: whoever runs the server could know the deals.
        """
        known = user.account and user.created_ms + _DAY_MS <= self._now()
        return known and not user.moderator

    async def _taken(self, day: DayOfDeals, share: Share) -> tuple[str, str] | None:
        for name in self._coming(day):
            coming = await self._kept.day(name)
            if coming is not None and coming.digest == share.digest and coming.mix is None:
                return name, share.value
        return None

    async def shared(self, day: DayOfDeals, share: Share | None) -> bool:
        """Whether what was contributed with a try of a day is in the list of the day after."""
        given = None if share is None else await self._taken(day, share)
        return given is not None and await self._kept.given(*given)

    async def board(self, day: DayOfDeals, user: str | None) -> Boards:
        """All finished tries of a day, beside those of its other instances that people have played;
        two people who play a challenge need no bots beside them.

        OkeyError ``day-unplayed`` for who has not played a day that is not closed.
        """
        own = await self.own(day, user)
        if self.state(day) != "closed" and (own is None or own.points is None):
            refuse("day-unplayed")
        boards = {day.date: await self._board(day)}
        for name in await self._names(day.date):
            if name not in boards and await self._kept.finished([name], bots=False):
                boards[name] = await self._board(await self.day(name))
        return Boards(boards)

    async def totals(self, dates: Collection[str]) -> tuple[int, list[Total]]:
        """How many of some days are closed, and what their ranked people have, the most first."""
        closed = await self._kept.closed(dates)
        async with self._scoring:
            found = self._totals.pop(closed, None)
            if found is None:
                each = [await self._kept.scores(date) for date in closed]
                found = await asyncio.to_thread(totals_of, each)
            self._totals[closed] = found
            _let_go(self._totals)
            return len({*map(date_of, closed)}), found

    async def streak(self, user: str) -> int:
        """How many days in a row a person has played; a day that still runs interrupts nothing."""
        played, now, count = await self._kept.played(user), self._now(), 0
        while True:
            date = date_at(now)
            if date in played:
                count += 1
            elif begins_ms(date) + _DAY_MS + _LATE_MS <= self._now():
                return count
            now -= _DAY_MS

    async def _board(self, day: DayOfDeals) -> Board:
        count = await self._kept.finished([day.date], bots=False)
        bots = not day.challenge or await self._kept.players([day.date]) == 1
        if bots:
            await self._have_field(day)
        async with self._scoring:  # beside the loop, and once for all who ask
            read = self._boards.pop(day.date, _Read())
            if day.challenge or read.people != count:  # a guest who signs in is another there
                since = read.at_ms - _LATEST_MS if count > _MANY else 0
                now, new = self._now(), await self._kept.tries(day.date, since)
                read = await asyncio.to_thread(read.and_then, new, count, now, bots=bots)
            self._boards[day.date] = read
            _let_go(self._boards)
            return read.board

    async def _have_field(self, day: DayOfDeals) -> None:
        """Have the first field of a day played, in a process of its own, if it is not there.

        There is none where the program has become another one: it would play other deals.
        """
        async with self._field:
            if await self._kept.finished([day.date], bots=True) or not _as_promised(day):
                return
            runs = await self._beside(first_field, day, FIELD)
            await self._kept.add_bots(day.date, runs, self._now())

    async def _beside(
        self, work: Callable[[Caller | None, DayOfDeals, *Ts], T], day: DayOfDeals, *args: *Ts
    ) -> T:
        """Have bots play deals of a day in a process of its own."""
        workers = Workers(1, nice=_NICE)
        try:
            return await asyncio.wrap_future(workers.submit(work, day, *args))
        except WorkerEnded:
            refuse("draining")
        finally:
            await asyncio.to_thread(workers.close)

    async def have_run(self, match: str) -> bool:
        """Have the match of a bot's run of a closed day, made when somebody wants to see it.

        False where an id stands for no such match.
        """
        found = _RUN.fullmatch(match)
        day = await self._kept.day(found[1]) if found and self._on else None
        if not found or day is None or self.state(day) != "closed":
            return False
        day = await self._begun(day)
        number, key = int(found[2]), f"{found[1]}_{found[2]}"
        board = await self._board(day)
        made = next((one for one in board.ranked if one.bot == number), None)
        if made is None or not _as_promised(day):
            return False
        async with self._field:
            if not await self._accounts.sound_matches(key):
                played = await self._beside(run_of_field, day, FIELD, number)
                points, totals, record, entries = played
                if (*points,) != made.points:
                    return False  # by bots of another version
                others = [MatchSeat(bot=bot) for bot in day.options.bots[1:]]
                await self._log.add(*entries)
                await self._accounts.save_match(
                    table_id=key, number=1, finished_ms=day.closes_ms,
                    rules=rules_of(day.options),
                    deals=len(day.secrets), seats=[MatchSeat(bot=found[2]), *others],
                    totals=totals, record=record, shown_ms=day.closes_ms,
                )  # fmt: skip
            return True
