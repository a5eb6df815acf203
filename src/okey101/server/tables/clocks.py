"""What happens at a table by itself, and when: clocks, bots, absence, closing."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from operator import attrgetter
from typing import Literal, NamedTuple, Protocol

from okey101.bots import BOTS, IN_PLACE, SEARCHERS, STAND_IN
from okey101.bots.fallback import fallback_action
from okey101.errors import OkeyError
from okey101.game import Action, Deal, apply, view_of
from okey101.game.actions import PASS, Discard
from okey101.game.fair.transcript import BOT_PREFIX
from okey101.game.record.form import EXTERNAL
from okey101.server.net.heartbeat import PAUSE_S, SETTLE_S
from okey101.server.ops.logs import logger, trace_of
from okey101.server.tables import log_entries as log, rounds
from okey101.server.tables.broadcast import Audience
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import MAX_TURN_ACTIONS
from okey101.server.tables.state import Stage, TableState
from okey101.server.work.bot_thoughts import Thought

# What is played for a person whose time is up: all that is left of the turn.

_MOST = 60
"""More actions than any turn needs."""


def rest_of_turn(deal: Deal) -> tuple[Action, ...]:
    """Actions of the seat to act that end its turn, each as :func:`fallback_action` has it."""
    seat = deal.turn
    found: list[Action] = []
    while deal.turn == seat and not deal.over and len(found) < _MOST:
        action = fallback_action(view_of(deal, seat))
        found.append(action)
        deal = apply(deal, action, seat)
        if isinstance(action, Discard) or action == PASS:
            break
    return tuple(found)


MISSED_TURNS = 2
"""Turns in a row ended by the clock after which a bot plays."""
_ABANDONED = 4
"""How many times longer than an idle table a running match that nobody watches is kept."""
_ON_THE_WAY_S = 5.0
"""How long after sitting down somebody may not be connected yet."""
_EMPTY_S = 30.0
"""How long a table that people have left is kept."""
_PACE_S = 0.25
"""A bot's thoughts take less, save the hardest ones."""

_AT = attrgetter("at")
_MISSED = attrgetter("missed")

_log = logger(__name__)


class Due(NamedTuple):
    """Something to happen at a running time, unless the state has changed by then."""

    at: float
    what: log.Entry | Callable[[TableState], log.Entry] | None
    """None for a bot's move, which :func:`bot_action` makes, and which takes a while."""

    def entry(self, state: TableState) -> log.Entry | None:
        """The row that is due at a state of the table."""
        return self.what(state) if callable(self.what) else self.what


class Situation(Protocol):
    """A table as its clocks see it."""

    state: TableState
    clock: RunningClock
    audience: Audience
    thinking: Deal | None
    """The deal, as it stands, in which a bot is at its turn already."""


def next_due(table: Situation, deps: Dependencies, now: float) -> Due | None:
    """The first thing that will happen if nobody does anything; None for nothing."""
    owed = table.clock.owed
    if owed >= PAUSE_S and _clock_runs(table.state):
        return Due(now, log.Paused(ms=round(owed * 1000)))
    first = min(_all(table, deps, now), key=_AT, default=None)
    # Not before what was sent during a pause of the process has been read.
    settled = deps.heart.resumed + SETTLE_S
    return first if first is None or first.at >= settled else first._replace(at=settled)


def _all(table: Situation, deps: Dependencies, now: float) -> Sequence[Due]:
    stage = table.state.stage
    if stage is Stage.CLOSED:
        return ()
    day = table.state.day
    if day and log.is_try(day) and table.state.people and stage is not Stage.OVER:
        return _of_a_day(table, deps, now, day.closes_ms)
    if stage is Stage.WAITING or stage is Stage.OVER:
        gathering = _gathering(table, deps, now) if stage is Stage.WAITING else ()
        return [*gathering, *_idle(table, deps, now)]
    playing = stage is Stage.PLAYING
    found = _playing(table, deps) if playing else [_dealing(table, deps, now)]
    if table.audience.absent or any(map(_MISSED, table.state.seats)):
        found += _absent(table, deps)
    if table.audience.alone_since is not None:
        found += _abandoned(table, deps, now, table.audience.alone_since)
    return found


def _of_a_day(table: Situation, deps: Dependencies, now: float, closes_ms: int) -> list[Due]:
    """A try of a day waits for its player, whoever else comes or goes, until the day is closed."""
    found = [Due(now + (closes_ms - deps.now_ms()) / 1000, log.Closed(why="idle"))]
    if table.state.stage is Stage.PLAYING:
        found += _playing(table, deps)
    if table.state.stage is Stage.DEALING:
        found.append(_dealing(table, deps, now))
    return found


def _clock_runs(state: TableState) -> bool:
    """Whether a person sees time pass; a bot has as long as it needs."""
    if state.deadline is None or not state.people:
        return False
    return state.stage is Stage.DEALING or (
        state.deal is not None and state.seats[state.deal.turn].human
    )


def _gathering(table: Situation, deps: Dependencies, now: float) -> Iterator[Due]:
    """A quick table begins once it is full, or when its wait is over, with bots in empty seats.

    Whoever is not there by then loses the seat, unless still on the way from the start page.
    """
    state, ends_at = table.state, table.clock.ends_at
    if ends_at is None:
        return
    for user, since in table.audience.absent.items():
        yield Due(max(ends_at, since + _ON_THE_WAY_S), log.Left(user=user))
    if table.audience.seated:
        full = not any(seat.free for seat in state.seats)
        yield Due(
            now if full else ends_at,
            lambda state: log.Started(user=state.owner, secret=deps.secret(), fill=STAND_IN),
        )


def _idle(table: Situation, deps: Dependencies, now: float) -> Iterator[Due]:
    """People who are away for long lose their seats; a table without people closes.

    One with bot accounts alone, which nobody can start, closes as if nobody were there.
    """
    state, changed_at = table.state, table.clock.changed_at
    alone_since = table.audience.alone_since
    soonest = now if deps.may_close(state.table) else now + _EMPTY_S
    if not state.people:
        since = max(changed_at, alone_since or changed_at) + _EMPTY_S
        yield Due(max(since, soonest), log.Closed(why="empty"))
        return
    if state.orphaned:
        alone_since = changed_at
    if alone_since is not None:
        yield Due(max(alone_since + deps.idle_close, soonest), log.Closed(why="idle"))
        return
    for user, since in table.audience.absent.items():
        yield Due(since + deps.absence * 2, log.Left(user=user))


def _abandoned(
    table: Situation, deps: Dependencies, now: float, alone_since: float
) -> Iterator[Due]:
    """Bots finish what people began, but not forever: deals that don't count might never end.

    Once everybody has left for good and nobody watches, it is nobody's match any more.
    """
    if not table.state.people:
        soonest = now if deps.may_close(table.state.table) else now + _EMPTY_S
        yield Due(max(alone_since + _EMPTY_S, soonest), log.Closed(why="empty"))
        return
    yield Due(alone_since + _ABANDONED * deps.idle_close, log.Closed(why="idle"))


def _dealing(table: Situation, deps: Dependencies, now: float) -> Due:
    """The tiles are dealt once everybody here is ready and has revealed, or the time is up.

    The first deal of a match waits for all: some may still be on their way from the lobby. Where no
    clock runs every deal does, until a bot plays for who is away. A commitment that is not
    revealed breaks the round: nothing is dealt from it.
    """
    state = table.state
    deadline = now if table.clock.ends_at is None else table.clock.ends_at
    if state.shown:
        if not rounds.unrevealed(state):
            hold = deps.dealing if table.audience.seated else 0
            return Due(now, log.Dealt(hold_ms=round(hold * 1000)))
        if rounds.gone(state):
            return Due(now, _breaking("left", deps))
        return Due(deadline, _breaking("not-revealed", deps))
    all_people = not state.played or not state.options.clock
    waited_for = [
        (seat.ready, state.promises[number] is not None or not rounds.may_commit(state, seat.user))
        for number, seat in enumerate(state.seats)
        if seat.human
        and seat.user is not None
        and (seat.user in table.audience.seated or all_people)
    ]
    if all(ready and committed for ready, committed in waited_for):
        # Nobody to wait for: the bots take a breath.
        at = now if waited_for else min(table.clock.changed_at + deps.bot_delay, deadline)
    else:
        at = deadline
    return Due(at, all_shown)


def all_shown(state: TableState) -> log.Entry:
    """The row that shows all commitments, with the versions of the bots that sit there.

    The tiles follow from these too: a try that a newer program goes on with keeps those of its
    first deal, by which the deals of the day are the same for everybody.
    """
    if state.day is not None and state.played:
        sat = [who for who in state.played[0].sat if who.startswith(BOT_PREFIX)]
        marks = (who.removeprefix(BOT_PREFIX) for who in sat)
        return log.CommitmentsShown(marks={mark.partition("/")[0]: mark for mark in marks})
    infos = (BOTS.get(seat.bot or "") or SEARCHERS.get(seat.bot or "") for seat in state.seats)
    return log.CommitmentsShown(marks={info.name: info.mark for info in infos if info is not None})


def _breaking(
    why: Literal["not-revealed", "left"], deps: Dependencies
) -> Callable[[TableState], log.Entry]:
    return lambda _: log.Abandoned(why=why, secret=deps.secret())


def _absent(table: Situation, deps: Dependencies) -> Iterator[Due]:
    """A bot plays for somebody who is away, or who keeps letting the clock run out."""
    for number, seat in enumerate(table.state.seats):
        if not seat.human or seat.user is None:
            continue
        if seat.missed >= MISSED_TURNS:
            yield Due(table.clock.changed_at, log.Away(seat=number, on=True, why="late"))
        since = table.audience.absent.get(seat.user)
        if since is not None:
            yield Due(since + deps.absence, log.Away(seat=number, on=True, why="absent"))


def _playing(table: Situation, deps: Dependencies) -> list[Due]:
    """The move of a bot, whose pause nobody can prolong, or the end of a person's turn."""
    state = table.state
    deal = state.deal
    assert deal is not None
    if not state.seats[deal.public.turn].human:
        at = max(table.clock.moved_at + deps.bot_delay - pace(state, deps), table.clock.begins_at)
        return [] if table.thinking is deal else [Due(at, None)]
    if table.clock.ends_at is not None:
        return [Due(table.clock.ends_at + deps.grace, _time_out)]
    return []


def _time_out(state: TableState) -> log.Entry:
    deal = state.deal
    assert deal is not None
    return log.Acted(seat=deal.turn, actions=rest_of_turn(deal), by="clock")


def pace(state: TableState, deps: Dependencies) -> float:
    """The part of a bot's pause in which it thinks, in seconds: all of it where it searches.

    The pause ends with it however soon the bot is done, or after twice as long, and so on: how long
    a bot thinks depends on its hand, and nobody should see that.
    """
    if state.deal is not None and state.seats[state.deal.turn].bot in SEARCHERS:
        return deps.bot_delay
    return min(_PACE_S, deps.bot_delay)


async def bot_action(state: TableState, deps: Dependencies) -> log.Entry:
    """The move of the bot whose turn it is; others may do something meanwhile."""
    deal = state.deal
    assert deal is not None
    name = state.seats[deal.turn].bot or STAND_IN
    enough = state.turn_actions >= MAX_TURN_ACTIONS
    action = None if enough else await _chosen(state, deal, name, deps)
    if action is None and name in SEARCHERS and not enough:
        action = await _chosen(state, deal, IN_PLACE, deps)
        if action is not None:
            bot = BOTS[IN_PLACE].mark
            return log.Acted(seat=deal.turn, actions=(action,), by="fallback", bot=bot)
    if action is None:
        return _fallback(deal)
    info = BOTS.get(name) or SEARCHERS.get(name)
    mark = f"{EXTERNAL}:{name}" if info is None else info.mark
    return log.Acted(seat=deal.turn, actions=(action,), by="bot", bot=mark)


def _fallback(deal: Deal) -> log.Acted:
    action = fallback_action(view_of(deal, deal.turn))
    return log.Acted(seat=deal.turn, actions=(action,), by="fallback")


def instead_of(state: TableState, error: OkeyError) -> log.Entry:
    """Another move for a bot whose choice was refused: it must not stop the table."""
    deal = state.deal
    assert deal is not None
    _bot_failed(state.seats[deal.turn].bot or STAND_IN, error)
    return _fallback(deal)


def _bot_failed(name: str, error: Exception) -> None:
    _log.error("bot-failed", bot=name, trace=trace_of(error))


async def _chosen(state: TableState, deal: Deal, name: str, deps: Dependencies) -> Action | None:
    """What follows from the seat's view and its seed in this deal, and from nothing else.

    None for a bot that fails: it must not stop the table.
    """
    thought = Thought(name, state.bot_seed(deal.turn), view_of(deal, deal.turn))
    try:
        return await deps.bots.choose(thought)
    except Exception as error:  # noqa: BLE001  # whatever it is, another move is at hand
        _bot_failed(name, error)
        return None


def tell_end(before: TableState, after: TableState, deps: Dependencies) -> None:
    """Show the bots of others that played in a deal how it ended, or where the table closed."""
    deal = after.deal or before.deal
    assert deal is not None
    for seat, sits in enumerate(before.seats):
        if sits.bot is not None and sits.bot in deps.bots.served.outside:
            view = view_of(deal, seat)
            deps.bots.tell_end(Thought(sits.bot, before.bot_seed(seat), view))


# A bot's turn: it waits for its place, thinks, and moves if the table is as it was.
#
# When it moves does not depend on how long it thought, for that would tell of its hand.

Make = Callable[[TableState], log.Entry | None]


async def play_bot(
    table: Situation, deps: Dependencies, quietly: Callable[[Make], Awaitable[object]]
) -> None:
    """Have the bot whose turn it is move, unless somebody changes that while it thinks.

    It is at its turn until its row is in the log: whoever looks at the table meanwhile must not
    have it think again, and the turn after it begins with another deal.
    """
    deal = table.state.deal
    assert deal is not None
    table.thinking = deal
    step, began = pace(table.state, deps), asyncio.get_running_loop().time()

    def make(state: TableState) -> log.Entry | None:
        return move if _bots(state, deal) else None

    try:
        async with deps.bots.turn(watched=bool(table.audience.everybody)):
            if not _bots(table.state, deal):
                return
            move = await bot_action(table.state, deps)
            if not step:
                await quietly(make)
                return
        thought = asyncio.get_running_loop().time() - began
        await asyncio.sleep(max(1, math.ceil(thought / step)) * step - thought)
        async with deps.bots.turn(watched=bool(table.audience.everybody)):
            await quietly(make)
    finally:
        if table.thinking is deal:
            table.thinking = None


def _bots(state: TableState, deal: Deal) -> bool:
    """Whether a bot is still to move in a deal."""
    return state.deal is deal and not state.seats[deal.turn].human


# A table's time: that of the loop, less what the process did not run, and what that is owed.


class RunningClock:
    """The running time that a table's clocks go by, and how much of the lost time its log does not
    know.
    """

    def __init__(self, state: TableState, deps: Dependencies) -> None:
        self._heart = deps.heart
        self._now_ms = deps.now_ms
        # Kept, since asking for the running loop costs a system call.
        self._time = asyncio.get_running_loop().time
        self._before = self._then = deps.heart.missed
        """What was lost before the clock that runs began, and before the last row was made."""
        self.changed_at = self.moved_at = self.now()
        """When the last row was written, and the last one after which a bot pauses: people who keep
        coming and going must not keep a bot from its move.
        """
        self.begins_at = self.changed_at
        """When the running turn begins, which is later than the dealing of the tiles."""
        self.ends_at: float | None = None
        """When the running turn, or the pause before a deal, ends."""
        self._begin(state)

    def now(self) -> float:
        """Seconds for which the process ran."""
        return self._heart.running(self._time())

    def loop_time(self, at: float) -> float:
        """When it will be ``at``, in loop time, if nothing is lost until then."""
        lost = self._heart.lost
        when = at + lost
        while when - lost < at:  # rounding must not wake anybody a sliver too early, over and over
            when = math.nextafter(when, math.inf)
        return when

    @property
    def owed(self) -> float:
        """Seconds lost since the clock began that the log does not know."""
        return self._heart.missed - self._before

    def making(self) -> None:
        """A row is about to be made; what is lost while it is stored belongs to what it begins."""
        self._then = self._heart.notice(self._time())

    def took(self, before: TableState, after: TableState, entry: log.Entry) -> float:
        """Take notice of a row that led from one state to another; gives the time."""
        now = self.changed_at = self.now()
        in_time = self.ends_at is None or now < self.ends_at
        away = isinstance(entry, log.Away) and entry.on and in_time
        if away or after.deal is not before.deal or after.stage is not before.stage:
            self.moved_at = now
        if isinstance(entry, log.Paused):  # in running time the end stays where it was
            self._before = min(self._before + entry.ms / 1000, self._heart.missed)
        elif _timed_anew(before, after):
            self._before = self._then
            self._begin(after)
        return now

    def _begin(self, state: TableState) -> None:
        """Begin the clock of a state; setting back the time of day prolongs nothing."""
        now, at_ms = self.changed_at, max(self._now_ms(), state.at_ms)
        self.begins_at = now
        if state.turn_since > state.at_ms and state.holds:
            self.begins_at += (state.turn_since - at_ms) / 1000
        left_ms = None if state.deadline is None else state.deadline - at_ms
        self.ends_at = None if left_ms is None else now + self.owed + left_ms / 1000


def _timed_anew(before: TableState, after: TableState) -> bool:
    """Whether a turn or a pause has begun, or was given more time.

    The deadline alone does not tell: with a clock that was set back it stays where it was.
    """
    if (
        after.deadline != before.deadline
        or after.turn_since != before.turn_since
        or after.stage is not before.stage
        or after.played is not before.played
    ):
        return True
    old, new = before.deal, after.deal
    if new is old or new is None or old is None:
        return new is not old
    return new.public.turns != old.public.turns
