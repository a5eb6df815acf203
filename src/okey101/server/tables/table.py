"""The actor that keeps one table: it checks, appends to the log, and only then tells anybody.

Whatever happens to a table happens under its lock, one row after the other. Time comes from the
running loop and from the wall clock of the :class:`Dependencies`, so that a simulated loop can run
a table through any schedule.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable, Coroutine
from typing import Final

from okey101.errors import OkeyError
from okey101.game import Deal
from okey101.server.errors import refuse
from okey101.server.net.close_codes import CLOSE_RESTART, RESTARTING
from okey101.server.net.heartbeat import PAUSE_S
from okey101.server.ops.logs import logger, trace_of
from okey101.server.protocol.client_messages import Logged
from okey101.server.store.base import Conflict, Row, StoreError, failure_told
from okey101.server.store.lost import Loss
from okey101.server.store.snapshots import Snapshot
from okey101.server.tables import clocks, log_entries as log, serialise
from okey101.server.tables.broadcast import Audience, Viewer
from okey101.server.tables.command_handler import entry_for
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import applied, create
from okey101.server.tables.rows import (
    LeftBehind,
    SteadyTexts,
    fault_of,
    followed,
    read_first,
    row_of,
)
from okey101.server.tables.snapshots import EVERY, TableSnapshot, encode_start
from okey101.server.tables.state import Stage, TableState
from okey101.server.work.tasks import Tasks

_TRIES: Final = 3
_RETRY_S: Final = 1.0
_AT_ONCE: Final = 8
"""How many rows are replayed before others have their turn."""

_log = logger(__name__)


class Table:
    """One table: its state, its viewers and its timer."""

    def __init__(self, state: TableState, deps: Dependencies) -> None:
        """Take a state whose rows are all in the log; :meth:`create` and :meth:`load` make them."""
        self.state = state
        self.frozen: str | None = None
        """Why nothing moves any more: the row of the log that can't be replayed."""
        self._deps = deps
        self.clock = clocks.RunningClock(state, deps)
        self.audience = Audience(
            state, deps.called, deps.on_events, self.clock.now, deps.resume_tokens
        )
        self.left = LeftBehind()
        self._losses = Losses(state.table, deps, self.left)
        self._hash = ""
        """What the last row has of the state."""
        self._since_snapshot = 0
        """Rows since the last snapshot was made, or was loaded from."""
        self._snapshot_at_ms = 0
        # Kept, since asking for the running loop costs a system call.
        self._loop = asyncio.get_running_loop()
        self._texts = SteadyTexts()
        self._lock = asyncio.Lock()
        self._stale = not self._deps.sure()
        self._stopped = False
        self._timer: asyncio.TimerHandle | None = None
        self._rings_at = 0.0
        """The running time the timer is set for; it rings early after a pause, and looks again."""
        self._tasks = Tasks(self._task_failed)
        self.thinking: Deal | None = None
        self._welcomed: set[str] = set()
        """Who is about to get a seat back."""

    @classmethod
    async def create(cls, table: str, entry: log.Created, deps: Dependencies) -> Table:
        """A new table, durable when this returns.

        OkeyError ``store-failed``, ``table-closed`` where there was one of that id, ``draining``
        where another node keeps one, and ``too-many-tables`` by those of other nodes.
        """
        at_ms = deps.now_ms()
        state = create(table, entry, at_ms)
        row = row_of(state, entry, SteadyTexts())
        try:
            if not await deps.claim(table, "" if log.is_try(entry.day) else entry.user):
                refuse("draining")
            await deps.store.append(row)
        except Conflict:
            refuse("table-closed")
        except StoreError:
            refuse("store-failed")
        made = cls(state, deps)
        made._take_first(row)
        made.look()
        deps.on_sat(state, entry.user)
        return made

    @classmethod
    async def load(
        cls, table: str, deps: Dependencies, rows: list[Row] | None = None,
        start: TableSnapshot | None = None,
    ) -> Table | None:  # fmt: skip
        """A table from its log, ``rows`` where they are read; None without any, or closed.

        A log that does not replay to the same hashes gives a frozen table. With ``start`` the rows
        are those after a snapshot; None where they don't fit to it.
        """
        if rows is None:
            rows = await deps.store.read(table)
        if not (rows or start) or (rows and rows[-1].last):
            return None
        loaded = cls(read_first(rows[0]) if start is None else start.state, deps)
        if start is None:
            await loaded._replay(rows)
        elif not await loaded._resumed(start, rows):
            return None
        await loaded._begin()
        return loaded

    async def _begin(self) -> None:
        """Write the row that a start needs, and let time go on."""
        if self.frozen is not None:
            return
        again = self._losses.after_start
        try:
            async with self._deps.replaying:
                pass  # once the others are replayed too, their rows are stored together
            await self._do(again)
        except OkeyError:
            self._tasks.spawn(self._insist(again))
        except BaseException:  # cancelled, for example: nobody has this table
            self._stopped = True
            self._unset()
            raise
        self.look()

    # Commands ---------------------------------------------------------------------------------

    async def command(
        self,
        user: str,
        command: Logged,
        ack: Callable[[int], None] = lambda _: None,
        digest: int = 0,
    ) -> int:
        """Apply a person's command once; returns the seq of its row.

        ``ack`` is called when it is durable, before anybody is told. If it raises OkeyError,
        nothing has changed; after ``store-failed`` the client sends the command again. Another
        command with the same ``rid``, as the ``digest`` of what came in tells, is refused:
        ``rid-used``.
        """

        def make(state: TableState) -> log.Entry | int:
            known = state.known(user, command.rid)
            if known is None:
                served = self._deps.bots.served
                entry = entry_for(state, user, command, digest, self._deps.secret, served)
                if type(entry) is not log.Acted and self.left.spent(entry):
                    refuse("too-many-changes")
                return entry
            seq, before = known
            if before != digest:
                refuse("rid-used", seq=seq)
            return seq

        return await self._do(make, ack)

    async def close(self) -> None:
        """Close the table for the administrator.

        OkeyError ``accounts-failed`` while a finished match of it is not kept.
        """

        def make(state: TableState) -> log.Entry:
            # Not earlier: a match may have ended while this waited for the table.
            if not self._deps.may_close(state.table):
                refuse("accounts-failed")
            return log.Closed(why="admin")

        await self._do(make)

    async def kick(self, seat: int) -> None:
        """Send the person in a seat away for the administrator; OkeyError ``no-seat``."""
        await self._do(lambda _: log.Kicked(seat=seat, by="admin"))

    async def renamed(self, user: str) -> None:
        """Announce a person's new name, if the person is here; OkeyError as for a command."""

        def make(state: TableState) -> log.Entry | None:
            entry = log.Renamed(user=user)
            silent = state.place_of(user) is None or self.left.spent(entry)
            return None if silent else entry

        await self._do(make)

    async def remove(self, user: str, heir: str | None = None) -> None:
        """Let a person leave, if the person is here; OkeyError as for a command.

        Whoever plays a try of a day goes on with it as ``heir``, if there is one.
        """

        def make(state: TableState) -> log.Entry | None:
            if state.stage is Stage.CLOSED or state.place_of(user) is None:
                return None
            if heir is not None and state.day is not None and state.stage is not Stage.OVER:
                return log.Renamed(user=user, to=heir)
            return log.Left(user=user)

        await self._do(make)

    async def _do(
        self,
        make: Callable[[TableState], log.Entry | int | None],
        ack: Callable[[int], None] = lambda _: None,
    ) -> int:
        self._deps.on_step()
        await self._lock.acquire()  # "async with" takes two coroutines more
        seen = self.state
        try:
            return await self._try(make, ack)
        finally:
            self._lock.release()
            if self._stale:
                self.look()
            elif self.state is not seen and not self._rings_in_time(seen):
                self.look(self.clock.changed_at)
            if self._since_snapshot >= EVERY and self._deps.snapshots is not None:
                self._deps.snapshots.due(self.snapshot)

    async def _try(
        self,
        make: Callable[[TableState], log.Entry | int | None],
        ack: Callable[[int], None],
    ) -> int:
        for _ in range(_TRIES):
            if self._stopped or self._stale or self.frozen is not None:
                await self._usable()
            before = self.state
            made = make(before)
            if made is None:
                return before.seq
            if isinstance(made, int):
                ack(made)
                return made
            self.clock.making()
            entry, after = self._applied(before, made)
            row = row_of(after, entry, self._texts)
            if not await self._stored(row):
                continue
            ack(after.seq)
            self._swap(entry, after, 0.0, row.state_hash)
            if isinstance(entry, log.Sat):
                self._deps.on_sat(after, entry.user)
            elif isinstance(entry, log.Dealt):
                self._deps.on_round_over("dealt")
            elif isinstance(entry, log.Abandoned) and after.abandoned is not before.abandoned:
                self._deps.on_round_over(entry.why)
            return after.seq
        return refuse("store-failed")

    def _applied(self, before: TableState, made: log.Entry) -> tuple[log.Entry, TableState]:
        """The entry as it is kept and the state after it; OkeyError where it is refused."""
        at_ms, secret = self._deps.now_ms(), self._deps.secret
        try:
            return applied(before, made, at_ms, secret)
        except OkeyError as error:
            if not isinstance(made, log.Acted) or made.by != "bot":
                raise
            return applied(before, clocks.instead_of(before, error), at_ms, secret)

    async def _usable(self) -> None:
        """Catch up with the log where it may be ahead; OkeyError for a table that can't be used."""
        if self._stopped:
            refuse("draining")
        if self._stale and self.frozen is None:
            with failure_told():
                if not await self._deps.owns(self.state.table):
                    self._stopped = True
                    self._unset()
                    self._deps.on_moved(self.state.table)
                    refuse("draining")
                rows = await self._deps.store.read(self.state.table, self.state.seq)
            self._stale = False
            await self._replay(rows)
        if self.frozen is not None:
            refuse("table-frozen")

    async def _stored(self, row: Row) -> bool:
        """Append a row; False where another row was there first, or nobody may be told of it yet.

        A row can reach the database after another node took the table, and before that node wrote
        one: it is stored, and the other one doesn't know it.
        """
        try:
            await self._deps.store.append(row)
        except Conflict:
            self._stale = True
            return False
        except BaseException as error:  # cancelled, for example: the row may be stored or not
            self._stale = True
            if isinstance(error, StoreError):
                refuse("store-failed")
            raise
        self._stale = self._stopped or not self._deps.sure()
        return not self._stale

    # Rows of the log --------------------------------------------------------------------------

    def _take_first(self, row: Row) -> None:
        self._hash = row.state_hash
        self.audience.mark(self.state, row.state_hash, 0)

    async def _resumed(self, start: TableSnapshot, rows: list[Row]) -> bool:
        """Go on from a snapshot; False where the rows after it don't fit to it."""
        self._hash, self._snapshot_at_ms = start.state_hash, start.state.at_ms
        self.left = self._losses.left = start.left
        self.audience.resume(start)
        try:
            fault = await self._taken(rows, later=True)
        except Exception as error:  # noqa: BLE001  # whether it is a fault, all rows tell
            fault = start.state.seq, type(error).__name__
        if fault is not None and self._deps.snapshots is not None:
            self._deps.snapshots.refused(start.state.table, start.state.seq, fault[1])
        return fault is None

    async def _replay(self, rows: list[Row]) -> None:
        """Take the rows of a log, telling viewers of the last ones, or freeze."""
        fault = await self._taken(rows)
        if fault is None:
            return
        seq, why = fault
        self.frozen = f"row {seq}: {why}"
        _log.error("table-frozen", table=self.state.table, seq=seq, why=why)
        self.audience.send_all({"type": "frozen", "code": "table-frozen"})
        if self.state.played and self.state.stage is not Stage.OVER:
            # Whatever happens, the deals that the log agrees on are kept for those who played them.
            self._deps.on_match(self.state)

    async def _taken(self, rows: list[Row], *, later: bool = False) -> tuple[int, str] | None:
        """Take rows up to the first that can't be; which one that is, and why.

        Others have their turn in between, however many rows there are. ``later`` writes what is
        told of them once somebody asks, which is for few rows: each keeps its state.
        """
        texts = SteadyTexts()
        if rows and rows[0].seq == 1:
            if (why := fault_of(rows[0], self.state)) is not None:
                return 1, why
            self._take_first(rows[0])
            rows = rows[1:]
        async with self._deps.replaying:
            for number, row in enumerate(rows):
                if number % _AT_ONCE == 0:  # before the first too: many may have come at once
                    await asyncio.sleep(0)
                found = followed(self.state, row, texts)
                if isinstance(found, str):
                    return row.seq, found
                age = (self._deps.now_ms() - row.at_ms) / 1000
                self._swap(*found, max(age, 0.0), row.state_hash, later=later)
        return None

    def snapshot(self) -> Snapshot | None:
        """The table after its last row, for a load to begin from; None where none can be made.

        A match that is over has to be kept first: a load tells of those in the rows it replays.
        """
        state, now_ms = self.state, self._deps.now_ms()
        if self.frozen is not None or state.stage is Stage.CLOSED:
            return None
        behind = state.options.spectators == "delayed"
        # Of two that are kept the older one is old enough to be shown to spectators.
        early = behind and self._snapshot_at_ms + 1000 * state.options.delay > now_ms
        if early or not self._deps.may_close(state.table):
            return None
        self._since_snapshot, self._snapshot_at_ms = 0, state.at_ms
        shown = state if behind else self.audience.feed.shown
        return encode_start(
            TableSnapshot(
                state=state,
                state_hash=self._hash,
                shown=shown,
                shown_head=self.audience.head_of(shown.seq),
                left=self.left,
            )
        )

    # Telling ----------------------------------------------------------------------------------

    def _swap(
        self,
        entry: log.Entry,
        after: TableState,
        age: float = 0.0,
        state_hash: str = "",
        *,
        later: bool = False,
    ) -> None:
        """The state after a row that has been in the log for ``age`` seconds; tells everybody.

        ``later``: once somebody asks.
        """
        before, self.state = self.state, after
        self._hash = state_hash
        self._since_snapshot += 1
        if type(entry) is not log.Acted or after.stage is not before.stage:
            self.left.take(before, after, entry)
        now = self.clock.took(before, after, entry)
        self.audience.mark(after, state_hash, self.left.loss_ms)
        self.audience.tell(before, after, entry, now - age, now, later=later)
        stops = before.stage is Stage.PLAYING and after.stage is Stage.CLOSED
        if stops or len(after.played) > len(before.played):
            clocks.tell_end(before, after, self._deps)
        if after.secret is not before.secret and after.secret is not None:
            self._deps.on_round(after)
        if after.stage is Stage.OVER and before.stage is not Stage.OVER:
            self._deps.on_match(after)
        if after.stage is Stage.CLOSED:
            self.audience.close()
            self._deps.on_closed(after.table)
        if isinstance(entry, log.Away) and entry.why == "absent":
            user = after.seats[entry.seat].user
            if user is not None and user in self.audience.seated and not self._stopped:
                self._welcome(user)  # who came while the row that took the seat was being stored

    # Viewers ----------------------------------------------------------------------------------

    async def catch_up(self, seq: int | None, head: str | None) -> None:
        """Read the log where another node may have written to it, as far as is known or told.

        A client was told of row ``seq`` with ``head``: two nodes may take themselves for a table's
        for a moment, where the database's clock jumps. Where the log lacks that row, the deal is
        void. Before :meth:`attach`, so that nothing older is shown, and no row is taken for lost.

        OkeyError ``draining``, ``store-failed``.
        """
        behind = seq is not None and head is not None and self._losses.ahead(self.state, seq, head)
        if self.frozen is None and (behind or not self._deps.sure()):
            self._stale = True
            await self._do(lambda _: None)
        if seq is None or head is None:
            return
        known = self.audience.head_of(seq) or await self._losses.head_of(self.state, seq, head)
        lacks = self._losses.seen(self.state, seq, head, known)
        if lacks and not await self._quietly(self._losses.due):
            self._tasks.spawn(self._insist(self._losses.due))

    def attach(self, viewer: Viewer, seq: int | None = None, head: str | None = None) -> None:
        """Show the table to a socket: what it missed since ``seq``, or all of it.

        ``head`` is what it was told with that row; :meth:`catch_up` comes first.

        Raises OkeyError ``spectators-off``, ``kicked``, ``draining`` and ``table-closed``.
        """
        if self._stopped:
            refuse("draining")
        if seq is not None and head is not None and head != self.audience.head_of(seq):
            seq = None  # what is known there is not what was told here
        self.audience.enter(viewer, seq)
        if self.frozen is not None:
            viewer.send(serialise.encode({"type": "frozen", "code": "table-frozen"}))
        user = viewer.user
        seat = self.state.seat_of(user)
        if user is not None and seat is not None and self.state.seats[seat].away:
            self._welcome(user)
        self.look()

    def _welcome(self, user: str) -> None:
        """Let somebody take the seat back, trying as long as it takes, one try at a time."""
        if user not in self._welcomed:
            self._welcomed.add(user)
            self._tasks.spawn(self._welcome_back(user))

    async def _welcome_back(self, user: str) -> None:
        def make(state: TableState) -> log.Entry | None:
            seat = state.seat_of(user)
            if not state.running or seat is None or user not in self.audience.seated:
                return None
            return log.Away(seat=seat, on=False, why="back") if state.seats[seat].away else None

        try:
            await self._insist(make)
        finally:
            self._welcomed.discard(user)

    def detach(self, viewer: Viewer) -> None:
        """A socket is gone; calling it again does nothing."""
        self.audience.leave(viewer)
        if not self._stopped:
            self.look()

    def person(self, seat: int, viewer: Viewer) -> str:
        """The id of the person in a seat, as a viewer sees the table; OkeyError ``no-seat``."""
        seats = self.audience.seen_by(viewer).seats
        user = seats[seat].user if 0 <= seat < len(seats) else None
        if user is None:
            refuse("no-seat", seat=seat)
        return user

    @property
    def known(self) -> set[str]:
        """The ids of everybody the table may still name."""
        states = (self.state, self.audience.feed.shown)
        coming = (user for state in states for _, user in state.coming)
        return {*self.state.people, *self.audience.feed.shown.people, *coming, *self.state.heard}

    # Time -------------------------------------------------------------------------------------

    def look(self, now: float | None = None) -> None:
        """Set the timer for the next thing that happens by itself, or earlier.

        After a pause of the process that is to tell the log of it.
        A timer that rings too early only looks again: a turn that ends long before its clock,
        as most do, costs no new one.
        """
        if self._stopped or self.frozen is not None or self.state.stage is Stage.CLOSED:
            self._unset()
            return
        if now is None:
            now = self.clock.now()
        shown_at = self.audience.feed.due
        at = math.inf if shown_at is None else shown_at
        if self._stale:  # nothing happens before the log is read again
            at = min(at, now + _RETRY_S)
        elif (due := clocks.next_due(self, self._deps, now)) is not None and due.at < at:
            at = due.at
        if at < math.inf:
            self._ring_by(max(at, now))

    def _rings_in_time(self, seen: TableState) -> bool:
        """Whether the timer rings no later than what a move of a person to another can bring."""
        now, ends_at = self.state, self.clock.ends_at
        return (
            self._timer is not None
            and now.seats is seen.seats
            and now.stage is seen.stage is Stage.PLAYING
            and now.deal is not None
            and now.seats[now.deal.public.turn].human
            and (ends_at is None or self._rings_at <= ends_at + self._deps.grace)
            and self.audience.feed.due is None
            and self.clock.owed < PAUSE_S
        )

    def _unset(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring_by(self, at: float) -> None:
        """Set the timer for a moment, unless it rings earlier."""
        if self._timer is None or self._rings_at > at:
            self._unset()
            self._rings_at = at
            self._timer = self._loop.call_at(self.clock.loop_time(at), self._ring)

    def _ring(self) -> None:
        self._timer = None
        self.audience.release()
        self._tasks.spawn(self._tick())

    async def _tick(self) -> None:
        now = self.clock.now()
        due = clocks.next_due(self, self._deps, now)
        if self._stale:
            await self._quietly(lambda _: None)
        elif due is not None and due.at <= now:
            if due.what is None:
                await clocks.play_bot(self, self._deps, self._quietly)
            else:
                await self._quietly(self._due_by_now)
        else:
            self.look()

    def _due_by_now(self, _: TableState) -> log.Entry | None:
        """Do what is still due, whatever has come first since the timer rang."""
        now = self.clock.now()
        due = clocks.next_due(self, self._deps, now)
        return due.entry(self.state) if due is not None and due.at <= now else None

    async def _quietly(self, make: Callable[[TableState], log.Entry | None]) -> bool:
        """Do something nobody asked for; False where it should be tried again later."""
        try:
            await self._do(make)
        except OkeyError as error:
            if error.code in ("draining", "table-frozen", "table-closed"):
                return True
            if error.code != "store-failed":
                _log.error("timer-refused", table=self.state.table, code=error.code)
            self._look_again()
            return error.code != "store-failed"
        if self._timer is None:
            self.look()
        return True

    async def _insist(self, make: Callable[[TableState], log.Entry | None]) -> None:
        """Do something nobody asked for, trying until the store takes it."""
        while not await self._quietly(make):  # noqa: ASYNC110  # nothing tells when
            await asyncio.sleep(_RETRY_S)

    def _task_failed(self, error: BaseException) -> None:
        _log.error("table-task-failed", table=self.state.table, trace=trace_of(error))
        self._look_again()

    def _look_again(self) -> None:
        """Check in a moment what is due, whatever went wrong: no fault stops a table's clock."""
        if not self._stopped:
            self._ring_by(self.clock.now() + _RETRY_S)

    # The end ----------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Let the row that is being stored finish, and take no more; sockets stay open."""
        async with self._lock:
            self._stopped = True
        self._unset()
        await self._tasks.cancel()

    def part(self) -> Coroutine[object, object, None]:
        """Take no more, and have everybody come back: to the node that keeps the table now.

        Nobody is told of a row that is being stored. Returns what waits until it has stopped.
        """
        self._stopped = True
        for viewer in self.audience.everybody:
            viewer.close(CLOSE_RESTART, RESTARTING)
        return self.stop()


# What a table does about rows that its log lacks: it throws its running deal away, with words.


class Losses:
    """What is known to be missing from one table's log, and whether its players have been told."""

    def __init__(self, table: str, deps: Dependencies, left: LeftBehind) -> None:
        self._deps = deps
        self._known: Loss | None = deps.lost.get(table)
        self.left = left

    def ahead(self, state: TableState, seq: int, head: str) -> bool:
        """Whether a server with this one's key has told of a row that is not known here."""
        return seq > state.seq and self._deps.loss_of(state.table, seq, head) is not None

    def seen(self, state: TableState, seq: int, head: str, known: str | None) -> bool:
        """Whether a client has seen a row that the log lacks; ``known`` is that row's head here.

        A head from before the last loss was told says nothing new, nor does one of an earlier row
        that counts as many: it comes from a log that was put back before this one was.
        """
        loss_ms = self._deps.loss_of(state.table, seq, head)
        if loss_ms is None or (loss_ms, seq) < (self.left.loss_ms, self.left.told_at):
            return False
        lacks = loss_ms > self.left.loss_ms or seq > state.seq or known not in (None, head)
        if lacks and self._untold is None:
            self._known = Loss("log-truncated", state.seq)
            self._deps.on_lost(state.table, state.seq, seq)
        return lacks

    @property
    def _untold(self) -> Loss | None:
        known = self._known
        return None if known is None or known.end < self.left.told_at else known

    async def head_of(self, state: TableState, seq: int, head: str) -> str | None:
        """The head of a row from so long ago that it has to be made again from the log.

        None where the log can't be read, or ``head`` is of before the last loss, which was told.
        """
        tokens = self._deps.resume_tokens
        if tokens is not None and tokens.loss_of(state.table, seq, head) == self.left.loss_ms:
            with contextlib.suppress(StoreError):
                for row in await self._deps.store.read(state.table, seq - 1, 1):
                    return tokens.of(state.table, seq, self.left.loss_ms, row.state_hash)
        return None

    def due(self, state: TableState) -> log.Entry | None:
        """The row that tells of a loss nobody was told of yet."""
        loss = self._untold
        if loss is None or state.stage is Stage.CLOSED:
            return None
        return log.Abandoned(why=loss.why, secret=self._deps.secret())

    def after_start(self, state: TableState) -> log.Entry | None:
        """The row that a start needs: that of a loss, or of new clocks where a match runs."""
        if (due := self.due(state)) is not None:
            return due
        waits = state.stage is Stage.WAITING and state.options.quick
        return log.Restarted() if waits or state.running else None
