"""The actor that keeps one table: it checks, appends to the log, and only then tells anybody.

Whatever happens to a table happens under its lock, one row after the other. Time comes from the
running loop and from the wall clock of the :class:`Surroundings`, so that a simulated loop can run
a table through any schedule.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from msgspec import DecodeError

from okey101.errors import OkeyError
from okey101.game.record import RULES_VERSION
from okey101.server.codes import refuse
from okey101.server.logs import logger
from okey101.server.protocol.commands import Logged
from okey101.server.store.base import Conflict, Row, Store, StoreError
from okey101.server.tables import entries as log
from okey101.server.tables import show
from okey101.server.tables.duetime import Due, next_due
from okey101.server.tables.feed import Event, Past, SpectatorFeed
from okey101.server.tables.intake import Secrets, applied, entry_for, new_secret
from okey101.server.tables.reduce import create
from okey101.server.tables.state import Stage, TableState, state_hash
from okey101.server.tables.traces import trace_of

__all__ = ["CLOSE_KICKED", "CLOSE_REPLACED", "CLOSE_UNSEEN", "Surroundings", "Table", "Viewer"]

CLOSE_REPLACED: Final = 4001
CLOSE_GONE: Final = 4002
CLOSE_KICKED: Final = 4003
CLOSE_UNSEEN: Final = 4004
_KEPT_EVENTS: Final = 256
_TRIES: Final = 3
_RETRY_S: Final = 1.0

_log = logger(__name__)


class Viewer(Protocol):
    """One socket: a person at the table, or one who only looks."""

    user: str | None
    options: bool
    """Whether the options of each own turn are wanted."""
    muted: set[str]
    """People whose phrases are not wanted."""

    def send(self, data: bytes) -> None:
        """Take a message to be sent; never waits."""
        ...

    def close(self, code: int, reason: str) -> None:
        """End the connection after what was sent; never waits."""
        ...


def _nobody(_: str) -> str | None:
    return None


def _always(_: str) -> bool:
    return True


def _nothing(*_: object) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a table needs from its server; times in seconds but ``now_ms``, UTC milliseconds."""

    store: Store
    now_ms: Callable[[], int]
    name_of: Callable[[str], str | None] = _nobody
    bot_delay: float = 0.8
    absence: float = 90.0
    idle_close: float = 1800.0
    grace: float = 0.5
    """After a deadline, for a command that is on its way."""
    bot_seed: int = field(default_factory=lambda: random.SystemRandom().getrandbits(64), repr=False)
    secret: Secrets = new_secret
    on_match: Callable[[TableState], None] = _nothing
    """Called once a match is over, perhaps again after a restart."""
    on_closed: Callable[[str], None] = _nothing
    may_close: Callable[[str], bool] = _always
    """Whether an idle table may be closed yet."""
    on_think: Callable[[float], None] = _nothing
    on_events: Callable[[int], None] = _nothing


class Table:
    """One table: its state, its viewers and its timer."""

    def __init__(self, state: TableState, around: Surroundings) -> None:
        """Take a state whose rows are all in the log; :meth:`create` and :meth:`load` make them."""
        self.state = state
        self.frozen: str | None = None
        """Why nothing moves any more: the row of the log that can't be replayed."""
        self.feed = SpectatorFeed(state)
        self._around = around
        self._lock = asyncio.Lock()
        self._past = Past(_KEPT_EVENTS)
        self._seated: dict[str, Viewer] = {}
        self._watching: set[Viewer] = set()
        self._stale = False
        self._stopped = False
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        now = asyncio.get_running_loop().time()
        self.absent = dict.fromkeys(state.people, now)
        """Since when each person at the table is away, in loop time."""
        self.alone_since: float | None = now
        """Since when nobody is connected, in loop time."""
        self.changed_at = now
        """When the last row was written, in loop time."""

    @classmethod
    async def create(cls, table: str, entry: log.Created, around: Surroundings) -> Table:
        """A new table, durable when this returns; OkeyError ``store-failed``."""
        at_ms = around.now_ms()
        state = create(table, entry, at_ms)
        try:
            await around.store.append(_row(state, entry))
        except (Conflict, StoreError):
            refuse("store-failed")
        made = cls(state, around)
        made._schedule()
        return made

    @classmethod
    async def load(cls, table: str, around: Surroundings) -> Table | None:
        """A table from its log; None if there is none, or it is closed.

        A log that does not replay to the same hashes gives a frozen table.
        """
        rows = await around.store.read(table)
        if not rows or rows[-1].last:
            return None
        first = read_first(rows[0])
        loaded = cls(first, around)
        loaded._replay(rows)
        if loaded.frozen is None:
            running = loaded.state.stage in (Stage.DEALING, Stage.PLAYING)
            if running:
                try:
                    await loaded._do(lambda _: log.Restarted())
                except OkeyError:
                    loaded._stale = True
            loaded._schedule()
        return loaded

    def _replay(self, rows: list[Row]) -> None:
        """Take the rows of a log, telling viewers of the last ones, or freeze."""
        if rows[0].seq == 1:
            if not self._verified(rows[0], self.state):
                return
            rows = rows[1:]
        for row in rows:
            try:
                entry = log.read_entry(row.entry)
                _, after = applied(self.state, entry, row.at_ms, _no_secret)
            except (OkeyError, DecodeError, ValueError, AssertionError) as error:
                self._freeze(row, type(error).__name__)
                return
            if not self._verified(row, after):
                return
            age = (self._around.now_ms() - row.at_ms) / 1000
            self._swap(entry, after, max(age, 0.0))

    def _verified(self, row: Row, state: TableState) -> bool:
        if row.rules_version > RULES_VERSION:
            self._freeze(row, "newer-rules")
        elif row.seq != state.seq or row.state_hash != state_hash(state):
            self._freeze(row, "state-differs")
        return self.frozen is None

    def _freeze(self, row: Row, why: str) -> None:
        self.frozen = f"row {row.seq}: {why}"
        _log.error("table-frozen", table=row.table, seq=row.seq, why=why)
        self._send_all(show.encode({"type": "frozen", "code": "table-frozen"}))

    # Commands ---------------------------------------------------------------------------------

    async def command(
        self, user: str, command: Logged, ack: Callable[[int], None] = _nothing
    ) -> int:
        """Apply a person's command once; returns the seq of its row.

        ``ack`` is called when it is durable, before anybody is told. Raises OkeyError, and then
        nothing has changed; after ``store-failed`` the command is to be sent again.
        """

        def make(state: TableState) -> log.Entry | int:
            known = state.seq_of(user, command.rid)
            return entry_for(state, user, command, self._around.secret) if known is None else known

        return await self._do(make, ack)

    async def close(self) -> None:
        """Close the table for the administrator."""
        await self._do(lambda _: log.Closed(why="admin"))

    async def remove(self, user: str) -> None:
        """Have a person leave, if there; OkeyError as for a command."""
        await self._do(lambda s: None if s.seat_of(user) is None else log.Left(user=user))

    async def _do(
        self,
        make: Callable[[TableState], log.Entry | int | None],
        ack: Callable[[int], None] = _nothing,
    ) -> int:
        async with self._lock:
            for _ in range(_TRIES):
                await self._usable()
                before = self.state
                made = make(before)
                if made is None:
                    return before.seq
                if isinstance(made, int):
                    ack(made)
                    return made
                entry, after = applied(before, made, self._around.now_ms(), self._around.secret)
                if not await self._stored(_row(after, entry)):
                    continue
                ack(after.seq)
                self._swap(entry, after)
                self._schedule()
                return after.seq
        return refuse("store-failed")

    async def _usable(self) -> None:
        """Catch up with the log where it may be ahead; OkeyError for a table that can't be used."""
        if self._stopped:
            refuse("draining")
        if self._stale and self.frozen is None:
            try:
                rows = await self._around.store.read(self.state.table, self.state.seq)
            except StoreError:
                refuse("store-failed")
            self._stale = False
            self._replay(rows)
        if self.frozen is not None:
            refuse("table-frozen")

    async def _stored(self, row: Row) -> bool:
        """Append a row; False where another row was there first."""
        try:
            await self._around.store.append(row)
        except Conflict:
            self._stale = True
            return False
        except StoreError:
            self._stale = True
            refuse("store-failed")
        except BaseException:  # cancelled: the row may be stored or not
            self._stale = True
            raise
        return True

    # Telling ----------------------------------------------------------------------------------

    def _swap(self, entry: log.Entry, after: TableState, age: float = 0.0) -> None:
        """The state after a row that has been in the log for ``age`` seconds; tells everybody."""
        before, self.state = self.state, after
        loop = asyncio.get_running_loop()
        self.changed_at = loop.time()
        public = self._public(before, after, entry)
        private: dict[int, tuple[str, object]] = {}
        for number, seat in enumerate(after.seats):
            if seat.user is None:
                continue
            came = before.seat_of(seat.user) != number
            if came or show.hand_changed(before, after, number):
                private[number] = (seat.user, show.you(after, number))
        event = Event(after.seq, public, private)
        self._past.add(event)
        if before.seats is not after.seats:
            self._people_changed(before, after)
        for user, viewer in self._seated.items():
            self._tell(viewer, after.seat_of(user), event, before)
        self._around.on_events(len(self._seated))
        if not _may_watch(after):
            self._dismiss()
        self.feed.add(after, public, loop.time() - age)
        self._release()
        if after.stage is Stage.OVER and before.stage is not Stage.OVER:
            self._around.on_match(after)
        if after.stage is Stage.CLOSED:
            self._gone()

    def _public(self, before: TableState, after: TableState, entry: log.Entry) -> bytes:
        message: show.Json = {
            "type": "event",
            "seq": after.seq,
            "at": after.at_ms,
            "what": show.what_happened(entry, before),
        }
        table = show.table_patch(before, after, self._around.name_of)
        if table:
            message["table"] = table
        deal = show.deal_patch(before, after)
        if deal is not None:
            message["deal"] = deal
        return show.encode(message)

    def _tell(self, viewer: Viewer, seat: int | None, event: Event, before: TableState) -> None:
        """Send a seat the event, with what it alone may know."""
        state = self.state
        if seat is None:
            viewer.send(event.public)
            return
        deal = state.deal
        news = deal is not before.deal or before.seats[seat].user != viewer.user
        to_act = deal is not None and news and deal.turn == seat
        part: object
        if viewer.options and to_act:
            part = show.you(state, seat, show.options_for(state, seat))
        elif seat in event.private:
            part = event.private[seat][1]
        else:
            viewer.send(event.public)
            return
        viewer.send(show.splice(event.public, "you", part))

    def _people_changed(self, before: TableState, after: TableState) -> None:
        """Move viewers who sat down or left."""
        now = asyncio.get_running_loop().time()
        gone = set(before.people) - set(after.people)
        come = set(after.people) - set(before.people)
        for user in gone:
            self.absent.pop(user, None)
            viewer = self._seated.pop(user, None)
            if viewer is None:
                continue
            if user in after.sent_away:
                viewer.close(CLOSE_KICKED, "kicked")
            elif not _may_watch(after):
                viewer.close(CLOSE_UNSEEN, "spectators-off")
            else:
                self._watching.add(viewer)
                viewer.send(self._view(None))
        for user in come:
            for viewer in [v for v in self._watching if v.user == user]:
                self._watching.discard(viewer)
                if user in self._seated:
                    viewer.close(CLOSE_REPLACED, "replaced")
                    continue
                self._seated[user] = viewer
                # The event that follows goes on from the state before it.
                viewer.send(self._view_at(before, after.seat_of(user)))
            if user not in self._seated:
                self.absent[user] = now

    def _dismiss(self) -> None:
        """Send those away who may not watch a match at this table."""
        watching, self._watching = self._watching, set()
        for viewer in watching:
            viewer.close(CLOSE_UNSEEN, "spectators-off")

    def _release(self) -> None:
        for public in self.feed.release(asyncio.get_running_loop().time()):
            for viewer in self._watching:
                viewer.send(public)

    def _view(self, seat: int | None) -> bytes:
        return self._view_at(self.feed.shown if seat is None else self.state, seat)

    def _view_at(self, state: TableState, seat: int | None) -> bytes:
        options = None
        if seat is not None and state is self.state:
            viewer = self._seated.get(state.seats[seat].user or "")
            if viewer is not None and viewer.options:
                options = show.options_for(state, seat)
        own = None if seat is not None and state.seats[seat].user is None else seat
        return show.encode(
            {
                "type": "view",
                "seq": state.seq,
                "at": state.at_ms,
                "table": show.table_view(state, self._around.name_of),
                "deal": show.deal_view(state),
                "you": show.you(state, own, options),
                "here": self.here(),
            }
        )

    def here(self) -> list[bool]:
        """For each seat whether its person is connected; True for a bot."""
        return [
            seat.bot is not None or (seat.user is not None and seat.user in self._seated)
            for seat in self.state.seats
        ]

    def _send_all(self, data: bytes, *, watching: bool = True) -> None:
        for viewer in self._seated.values():
            viewer.send(data)
        if watching:
            for viewer in self._watching:
                viewer.send(data)

    # Viewers ----------------------------------------------------------------------------------

    def attach(self, viewer: Viewer, seq: int | None = None) -> None:
        """Show the table to a socket: what it missed since ``seq``, or all of it.

        Raises OkeyError ``spectators-off``, ``kicked``, ``draining`` and ``table-closed``.
        """
        state = self.state
        if self._stopped:
            refuse("draining")
        if state.stage is Stage.CLOSED:
            refuse("table-closed")
        seat = state.seat_of(viewer.user)
        if seat is None:
            if viewer.user in state.sent_away:
                refuse("kicked")
            if not _may_watch(state):
                refuse("spectators-off")
            self._watching.add(viewer)
        else:
            assert viewer.user is not None
            self._sit_down(viewer, viewer.user, seat)
        self.alone_since = None
        self._catch_up(viewer, seat, seq)
        if self.frozen is not None:
            viewer.send(show.encode({"type": "frozen", "code": "table-frozen"}))
        self._schedule()

    def _sit_down(self, viewer: Viewer, user: str, seat: int) -> None:
        old = self._seated.pop(user, None)
        if old is not None:
            old.close(CLOSE_REPLACED, "replaced")
        was_absent = self.absent.pop(user, None) is not None
        if was_absent and old is None:
            self._presence(seat, here=True)
        self._seated[user] = viewer
        if self.state.seats[seat].away:
            self._spawn(self._welcome_back(user))

    async def _welcome_back(self, user: str) -> None:
        def make(state: TableState) -> log.Entry | None:
            seat = state.seat_of(user)
            if seat is None or not state.seats[seat].away or user not in self._seated:
                return None
            return log.Away(seat=seat, on=False, why="back")

        await self._quietly(make)

    def _catch_up(self, viewer: Viewer, seat: int | None, seq: int | None) -> None:
        shown = self.feed.shown if seat is None else self.state
        missed = None if seq is None else self._past.since(seq, shown.seq)
        if missed is None or (seat is not None and not _same_holder(missed, seat, viewer.user)):
            viewer.send(self._view(seat))
            return
        for event in missed:
            part = None if seat is None else event.private.get(seat)
            data = event.public if part is None else show.splice(event.public, "you", part[1])
            viewer.send(data)
        own: show.Json | None = None
        if seat is not None:
            options = show.options_for(shown, seat) if viewer.options else None
            own = show.you(shown, seat, options)
        viewer.send(
            show.encode(
                {"type": "resumed", "seq": shown.seq, "at": shown.at_ms, "you": own}
                | {"here": self.here()}
            )
        )

    def detach(self, viewer: Viewer) -> None:
        """A socket is gone; calling it again does nothing."""
        self._watching.discard(viewer)
        now = asyncio.get_running_loop().time()
        user = viewer.user
        if user is not None and self._seated.get(user) is viewer:
            del self._seated[user]
            self.absent[user] = now
            seat = self.state.seat_of(user)
            if seat is not None:
                self._presence(seat, here=False)
        if not self._seated and not self._watching and self.alone_since is None:
            self.alone_since = now
        if not self._stopped:
            self._schedule()

    def _presence(self, seat: int, *, here: bool) -> None:
        self._send_all(show.encode({"type": "presence", "seat": seat, "here": here}))

    def say(self, user: str, phrase: str) -> None:
        """Pass a phrase on to those who want to hear it; OkeyError if it may not be said."""
        seat = self.state.seat_of(user)
        if seat is None:
            refuse("not-seated")
        if not self.state.options.phrases:
            refuse("phrases-off")
        data = show.encode({"type": "said", "seat": seat, "phrase": phrase})
        for viewer in self._seated.values():
            if user not in viewer.muted:
                viewer.send(data)
        if self.feed.shown is self.state:
            for viewer in self._watching:
                if user not in viewer.muted:
                    viewer.send(data)

    def person(self, seat: int) -> str:
        """The id of the person in a seat; OkeyError ``no-seat``."""
        seats = self.state.seats
        user = seats[seat].user if 0 <= seat < len(seats) else None
        if user is None:
            refuse("no-seat", seat=seat)
        return user

    @property
    def viewers(self) -> Iterable[Viewer]:
        """Everybody connected."""
        return [*self._seated.values(), *self._watching]

    @property
    def connected(self) -> Mapping[str, Viewer]:
        """The people at the table who are connected, by id."""
        return self._seated

    # Time -------------------------------------------------------------------------------------

    def _schedule(self) -> None:
        """Set the timer for the next thing that happens by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._stopped or self.frozen is not None or self.state.stage is Stage.CLOSED:
            return
        loop = asyncio.get_running_loop()
        due = next_due(self, self._around, loop.time())
        times = [due.at] if due is not None else []
        if self.feed.due is not None:
            times.append(self.feed.due)
        if times:
            self._timer = loop.call_at(max(min(times), loop.time()), self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._release()
        self._spawn(self._tick())

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        due = next_due(self, self._around, loop.time())
        if due is not None and due.at <= loop.time():
            await self._quietly(_only_at(self.state.seq, due))
        else:
            self._schedule()

    async def _quietly(self, make: Callable[[TableState], log.Entry | int | None]) -> None:
        """Something nobody asked for; where the store fails it is tried again later."""
        try:
            await self._do(make)
        except OkeyError as error:
            if error.code in ("draining", "table-frozen", "table-closed"):
                return
            if error.code != "store-failed":
                _log.error("timer-refused", table=self.state.table, code=error.code)
            if not self._stopped and self._timer is None:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(_RETRY_S, self._ring)
            return
        if self._timer is None:
            self._schedule()

    def _spawn(self, work: asyncio._CoroutineLike[None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("table-task-failed", table=self.state.table, trace=trace_of(error))

    # The end ----------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Let the row that is being stored finish, and take no more; sockets stay open."""
        async with self._lock:
            self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for task in [*self._tasks]:
            if task is not asyncio.current_task():
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _gone(self) -> None:
        for viewer in self.viewers:
            viewer.close(CLOSE_GONE, "table-closed")
        self._around.on_closed(self.state.table)


def read_first(row: Row) -> TableState:
    """The state after the first row of a log; ValueError for one that is no first row."""
    entry = log.read_entry(row.entry)
    if not isinstance(entry, log.Created):
        raise ValueError("the first row creates the table")
    return create(row.table, entry, row.at_ms)


def _may_watch(state: TableState) -> bool:
    """Whether those without a seat may see the table."""
    return state.options.spectators != "off" or state.stage is Stage.WAITING


def _row(state: TableState, entry: log.Entry) -> Row:
    return Row(
        table=state.table,
        seq=state.seq,
        at_ms=state.at_ms,
        entry=log.encode_entry(entry),
        rules_version=RULES_VERSION,
        state_hash=state_hash(state),
        last=state.stage is Stage.CLOSED,
    )


def _no_secret() -> str:
    raise ValueError("a row that ends a deal lacks the secret of the next")


def _only_at(seq: int, due: Due) -> Callable[[TableState], log.Entry | None]:
    """The entry that is due, unless something else came first."""

    def make(state: TableState) -> log.Entry | None:
        return due.make(state) if state.seq == seq else None

    return make


def _same_holder(missed: list[Event], seat: int, user: str | None) -> bool:
    return all(e.private[seat][0] == user for e in missed if seat in e.private)
