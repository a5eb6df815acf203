"""The log in PostgreSQL: the same tables, and a fence around every row that is written.

A row is inserted only where the row before it has the expected seq and link and does not close its
table. The primary key lets one of two writers win, so that a server that was paused, or believes in
an old state, writes nothing. Where the outcome of a commit is unknown, rows are inserted again:
those that are there with the same link were ours. PostgreSQL answers for its disk; no mark is kept.

Where a standby has to confirm each commit, a row that is there may be on one machine only: its
primary was started again, or somebody cancelled the wait. So no wait is cancelled here, and each
connection waits for the standby once before anything is read by it (:class:`Database`).
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import random
from ssl import SSLCertVerificationError
from time import monotonic, perf_counter
from typing import Any, Final, NoReturn, Self, TypeVar
from urllib.parse import urlsplit
from weakref import WeakSet

import asyncpg
from sqlalchemy import Connection, event
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from okey101.errors import OkeyError
from okey101.server.store import base
from okey101.server.store.archive import archive_problem
from okey101.server.store.lost import Shortfall
from okey101.server.store.scrubber import LogScan
from okey101.server.store.snapshots import NOTES, Found, all_snapshots_in
from okey101.server.store.statements import (
    HISTORY,
    READ_AT_ONCE,
    VERSION,
    Store,
    Waiting,
    make_tables,
    row_in,
    upgrade,
)
from okey101.server.work.tasks import Gathered

_DIALECT: Final = postgresql.dialect()  # type: ignore[no-untyped-call]
_OLDEST: Final = 14
_OURS: Final = "okey101 log "
_MARK: Final = f"{_OURS}{VERSION}"
_WHAT_IS_THERE: Final = "SELECT to_regclass('log') IS NOT NULL, obj_description(to_regclass('log'))"
"""The comment on the table ``log``: tells our database from those of other programs."""
_UNFINISHED: Final = "okey101 copy 1 "
"""Stands there, before what it is a copy of, until the copy is whole."""
_LOCK: Final = 0x6F6B3031
"""The advisory lock that all running nodes hold together, and a copy alone."""
_PREPARES: Final = _LOCK + 1
"""The advisory lock of the one node that looks for the tables, makes them or takes them on."""
_LOCK_S: Final = 2.0
"""How long PostgreSQL may take to notice that whoever held the lock has ended."""
_MOST_AT_ONCE: Final = 1_000
_CONNECT_S: Final = 5.0
_ANSWER_S: Final = 10.0
_MOST_CONNECTIONS: Final = 8
"""Beside the one that rows go through; what would open more waits, as opening one takes longer."""
_CANCEL_S: Final = 2.0
"""How long a connection that is given up before it was used has to take its wait back."""
_PAUSES_S: Final = (0.1, 0.5, 2.0)
"""Before each further try to store the same rows."""
_TRIES: Final = 8
_APART_S: Final = 0.02
"""The longest pause before a second try, twice as long before each further one: nodes that met
do not know of each other.
"""
_AGAIN: Final = frozenset({"23505", "40001", "40P01", "42P07", "42710"})
"""A transaction that met another one: it has changed nothing, and is done again.

Whoever has put in the same row (23505) may have done so since it began.
"""
_CATALOG: Final = re.compile(r'"pg_\w+_index"')
"""Who makes a table at the same moment as another node may be told so of PostgreSQL's own lists."""
_ELSEWHERE: Final = ("08", "25", "57")
"""Classes of errors after which all connections are opened anew.

A server that was lost, that takes no writes any more, or that ends.
"""

_CONFIRM: Final = """
    SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
    FROM set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'okey101', '')
"""
"""Writes something, so that its commit waits for the standby, and with it for all before it.

Finds the timeline: a number that grows with each standby that is made the primary.
"""

_INSERT: Final = """
    INSERT INTO log (table_id, seq, at_ms, entry, rules_version, state_hash, last, chain)
    SELECT g.table_id, g.seq, g.at_ms, g.entry, g.rules_version, g.state_hash, g.last, g.chain
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[], $6::text[],
                $7::bigint[], $8::bytea[], $9::bytea[])
         AS g (table_id, seq, at_ms, entry, rules_version, state_hash, last, chain, before)
    WHERE CASE WHEN g.seq = 1
        THEN NOT EXISTS (SELECT FROM archive AS a WHERE a.table_id = g.table_id)
        ELSE EXISTS (SELECT FROM log AS b WHERE b.table_id = g.table_id AND b.seq = g.seq - 1
                     AND b.chain = g.before AND b.last = 0) END
    ON CONFLICT DO NOTHING RETURNING table_id
"""
_READ: Final = f"""
    SELECT g.n, r.* FROM unnest(?::text[], ?::bigint[]) WITH ORDINALITY AS g (id, above, n),
    LATERAL (SELECT table_id, seq, at_ms, entry, rules_version, state_hash, last FROM log
             WHERE table_id = g.id AND seq > g.above ORDER BY seq LIMIT {READ_AT_ONCE}) AS r
    ORDER BY g.n, r.seq
"""
"""The first rows above a seq, of any number of tables."""
_ANYTHING: Final = (
    "SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace LIMIT 1"
)
_LINK: Final = "SELECT chain FROM log WHERE table_id = $1 AND seq = $2"
_HEADS: Final = """
    SELECT t.id, h.seq, h.last, h.chain FROM unnest($1::text[]) AS t (id), LATERAL (
        (SELECT seq, last, chain, 0 AS kept FROM log WHERE table_id = t.id
         ORDER BY seq DESC LIMIT 1)
        UNION ALL
        (SELECT seq, 1, chain, 1 FROM archive WHERE table_id = t.id ORDER BY seq DESC LIMIT 1)
        ORDER BY kept LIMIT 1) AS h
"""
"""Where tables end, those in the archive too."""

FAILURES: Final = (
    SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError,
    OSError,
)  # fmt: skip
"""``TimeoutError`` is an OSError."""

_WRITES: Final = "okey101-writes"

T = TypeVar("T")


class Unreachable(OSError):
    """No host of the address takes writes; its text says for each of them why."""


class _Connection(asyncpg.Connection):  # type: ignore[misc]  # it has no types
    """A connection that is broken off, and not cancelled, where a statement takes too long.

    A commit whose wait for a standby is cancelled is seen by all at once, on one machine only.
    """

    confirmed = False

    def _cancel_current_command(
        self, waiter: asyncio.Future[None], cancel_waiter: asyncio.Future[None] | None = None
    ) -> None:
        if self.confirmed:
            asyncio.get_running_loop().call_soon(self.terminate)
        else:
            super()._cancel_current_command(waiter, cancel_waiter)

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Break it off: a server that is gone would let one wait for its good-bye."""
        self.terminate()


class Database:
    """The hosts of a ``postgresql://`` address, of which one at a time takes what is written."""

    def __init__(self, url: str, **settings: str) -> None:
        """``settings`` are PostgreSQL's, for each connection."""
        self._url = url
        self._settings = settings
        self._timeline = 0
        self._opened = WeakSet[_Connection]()

    async def connect(self, seconds: float = _CONNECT_S) -> asyncpg.Connection:
        """A connection to the primary; :class:`Unreachable`, ValueError for what is no address.

        All hosts are asked at once, so that one that is down, or does not answer, delays nothing.
        The primary takes writes, its standby has confirmed all that can be read there, and it is no
        older than what this process has already used: a former primary that comes back is none.
        """
        parts = urlsplit(self._url)
        user, at, hosts = parts.netloc.rpartition("@")
        asked: dict[asyncio.Task[asyncpg.Connection], str] = {}
        for host in hosts.split(","):
            url = parts._replace(netloc=f"{user}{at}{host}").geturl()
            asked[asyncio.create_task(self._at(url))] = host or "localhost"
        why = dict.fromkeys(asked.values(), "no answer, or no standby that confirms")
        found: asyncpg.Connection | None = None
        try:
            async with asyncio.timeout(seconds):
                for first in asyncio.as_completed(asked):
                    with contextlib.suppress(*FAILURES, ValueError):
                        found = await first
                        return found
        except TimeoutError:
            pass
        finally:
            for task, host in asked.items():
                if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                    why[host] = _reason(error)
                task.cancel()
                task.add_done_callback(partial(_drop_all_but, found))
        raise Unreachable("; ".join(f"{host}: {reason}" for host, reason in why.items()))

    async def _at(self, url: str) -> asyncpg.Connection:
        connection: _Connection = await asyncpg.connect(
            url, command_timeout=_ANSWER_S, connection_class=_Connection,
            target_session_attrs="read-write", server_settings=self._settings,
        )  # fmt: skip
        self._opened.add(connection)
        try:
            timeline = int(await connection.fetchval(_CONFIRM) or 0)
            if timeline < self._timeline:
                raise Unreachable("a former primary")
        except BaseException:
            asyncio.get_running_loop().call_later(_CANCEL_S, connection.terminate)
            raise
        self._timeline = timeline
        connection.confirmed = True
        return connection

    def close(self) -> None:
        """Break off all connections, those too that nobody knows of any more."""
        for connection in [*self._opened]:
            connection.terminate()


def _drop_all_but(
    wanted: asyncpg.Connection | None, done: asyncio.Task[asyncpg.Connection]
) -> None:
    if not done.cancelled() and done.exception() is None and done.result() is not wanted:
        done.result().terminate()


class _Transaction:
    """A transaction as :class:`Conn` has it, whose statements SQLAlchemy carries to asyncpg."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def execute(self, sql: str, values: Any = (), /) -> Any:
        """What one statement finds."""
        return self.connection.exec_driver_sql(_numbered(sql), tuple(values))

    def executemany(self, sql: str, values: Any, /) -> None:
        """Do a statement once for each list of values."""
        if given := [tuple(one) for one in values]:
            self.connection.exec_driver_sql(_numbered(sql), given)


@cache
def _numbered(sql: str) -> str:
    """A statement in PostgreSQL's words: no hints, and places of values by number."""
    sql = re.sub(r" INDEXED BY \w+", "", sql)
    places = iter(range(1, sql.count("?") + 1))
    return re.sub(r"\?(\d*)", lambda found: f"${found[1] or next(places)}", sql)


class PostgresStore(Store):
    """A ``Store`` in a PostgreSQL database, which any number of nodes may use."""

    def __init__(
        self,
        url: str,
        path: Path,
        on_commit: Callable[[int, float], None] | None,
        shared: bool,
    ) -> None:
        super().__init__(path, "postgresql", on_commit)
        self._database = Database(
            url,
            application_name="okey101",
            synchronous_commit="on",
            # What was short when PostgreSQL last counted would be read whole each time.
            enable_seqscan="off",
            # A short table without an index then seems dear enough to compile for 200 ms.
            jit="off",
        )
        self._shared = shared
        self.findings: list[Shortfall] = []
        """What was known to be missing at the start: nothing, as PostgreSQL keeps its own log."""
        self._writer: asyncpg.Connection | None = None
        self._engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=self._database.connect,
            isolation_level="SERIALIZABLE",
            hide_parameters=True,
            pool_size=_MOST_CONNECTIONS,
            max_overflow=0,
        )
        event.listen(self._engine.sync_engine, "checkout", _require_connected)
        event.listen(self._engine.sync_engine, "after_cursor_execute", _note_writing)
        # A statement sees one moment by itself: what only looks needs no transaction around it.
        self._looking = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._gathered_snapshots = Gathered(self._snapshots_of)
        self._gathered_rows = Gathered(self._rows_of)
        self._wake = asyncio.Event()
        self._again = asyncio.Lock()
        """Holds one transaction at a time that met another: together they would only meet again."""
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        path: Path,
        *,
        on_commit: Callable[[int, float], None] | None = None,
        copy_of: str | None = None,
        shared: bool = False,
    ) -> Self:
        """Open the database at a ``postgresql://`` address, its tables made where there are none.

        ``path`` is where a file would be: who was erased is kept beside it, as it outlives copies.
        ``on_commit`` hears of every commit: its rows and its seconds; 0 rows are one that failed.
        ``copy_of`` names, in letters and digits, what an empty database becomes a copy of, or one
        that is such a copy and not finished; until :meth:`finish` no server uses it. An empty name
        lets only a database be opened that a server has used. ``shared``: with others that do so.

        OkeyError ``store-unreachable``, ``store-too-old`` (before PostgreSQL 14),
        ``store-not-durable`` (with ``fsync`` off), ``store-in-use``, ``store-not-ours``,
        ``store-newer``, ``store-unfinished`` (a copy), ``store-not-empty`` (where a copy was to be)
        and ``no-server-folder`` (where no server was).
        """
        store = cls(url, path, on_commit, shared)
        try:
            writer = await store._open_writer()
            await writer.execute("SELECT pg_advisory_lock($1)", _PREPARES)
            await store._transact(partial(_prepare, copy_of=copy_of), store._engine)
            await writer.execute("SELECT pg_advisory_unlock($1)", _PREPARES)
        except OkeyError:
            await store._end()
            raise
        except (*FAILURES, ValueError) as error:
            await store._end()
            message = f"the database can't be used: {_reason(error)}"
            raise OkeyError("store-unreachable", message, reason=_reason(error)) from None
        store._task = asyncio.create_task(store._write())
        return store

    def _queue(self, waiting: Waiting) -> None:
        self._require_room(self._rows, "rows wait to be stored")
        self._rows.append(waiting)
        self._wake.set()

    # Rows -----------------------------------------------------------------------------------------

    async def _write(self) -> None:
        """Store whatever waits in one statement, again and again."""
        try:
            while self._rows or not self._closing:
                if not self._rows:
                    self._wake.clear()
                    await self._wake.wait()
                    continue
                self._batch = self._rows[:_MOST_AT_ONCE]
                del self._rows[: len(self._batch)]
                await self._commit(self._batch)
                self._batch = []
        finally:
            self._closing = True
            for waiting in (*self._batch, *self._rows):
                waiting.answer(base.StoreError("the store stopped"))

    async def _commit(self, batch: list[Waiting]) -> None:
        started = perf_counter()
        left, stored = batch, 0
        failure: BaseException | None = None
        for pause in (0.0, *_PAUSES_S):
            await asyncio.sleep(pause)
            try:
                while left:
                    first = {one.row.table: one for one in reversed(left)}  # one a table
                    stored += await self._insert([*reversed(first.values())])
                    left = [one for one in left if not one.done.done()]
            except (*FAILURES, base.StoreError, OkeyError) as error:
                failure = error
                self._failed(error)
                await self._let_go()
                continue
            self._worked()
            if stored and self._on_commit is not None:
                self._on_commit(stored, perf_counter() - started)
            return
        assert failure is not None
        for waiting in left:
            unknown = base.StoreError(f"the rows could not be stored: {_reason(failure)}")
            unknown.__cause__ = failure
            waiting.answer(unknown)
        if self._on_commit is not None:
            self._on_commit(0, perf_counter() - started)

    async def _insert(self, rows: list[Waiting]) -> int:
        """Insert rows, one a table, as far as they can follow; how many were stored.

        Those that can't are answered; those that met another writer's row are left to be tried
        again from where their tables end by now.
        """
        writer = self._writer or await self._open_writer()
        unknown = [one.row.table for one in rows if one.row.table not in self._heads]
        if unknown or any(base.conflict_of(one.row, self._heads[one.row.table]) for one in rows):
            await self._look(writer, [one.row.table for one in rows])
        given: dict[str, tuple[Waiting, base.Head]] = {}
        stored = 0
        for one in rows:
            head = self._heads.get(one.row.table, base.Head())
            conflict = base.conflict_of(one.row, head)
            if conflict is None:
                one.link = base.link_of(head.link, one.row)
                given[one.row.table] = one, head
            elif one.link is not None and one.link == await writer.fetchval(_LINK, *one.row[:2]):
                one.answer()  # it was stored by a commit that was never answered
                stored += 1
            else:
                one.answer(conflict)
        if not given:
            return stored
        columns = zip(
            *((*o.row[:6], int(o.row.last), o.link, h.link) for o, h in given.values()), strict=True
        )
        for (table,) in await writer.fetch(_INSERT, *map(list, columns)):
            one, _ = given.pop(table)
            assert one.link is not None
            self._heads[table] = base.Head(one.row.seq, one.row.last, one.link)
            one.answer()
            stored += 1
        for table in given:  # another writer was there first: look again
            self._heads.pop(table, None)
        return stored

    async def _look(self, writer: asyncpg.Connection, tables: list[str]) -> None:
        """Learn where tables end; not by the other connections, for which many may wait."""
        self._remember(dict.fromkeys(tables, base.Head()))
        for table, seq, last, chain in await writer.fetch(_HEADS, tables):
            self._heads[table] = base.Head(seq, bool(last), bytes(chain))

    # Everything else ------------------------------------------------------------------------------

    async def snapshots(self, table: str) -> Found:
        """The snapshots of a table, asked for with those of others; ``StoreError``."""
        try:
            found = await self._gathered_snapshots.of(table)
        except base.StoreError:  # it may be those of another one that can't be read
            return await super().snapshots(table)
        return found.get(table, Found([], {}))

    async def _snapshots_of(self, tables: list[str]) -> dict[str, Found]:
        return await self.asked(lambda conn: all_snapshots_in(conn, "= ANY(?::text[])", tables))

    async def read(self, table: str, after: int = 0, most: int | None = None) -> list[base.Row]:
        """The rows of a table above ``after``, asked for with those of others; ``StoreError``."""
        if most is not None or table == NOTES or not (0 <= after < 2**63 and base.is_text(table)):
            return await super().read(table, after, most)
        try:
            rows = (await self._gathered_rows.of((table, after))).get((table, after), [])
        except base.StoreError:
            return await super().read(table, after)
        full = len(rows) == READ_AT_ONCE
        return rows + await super().read(table, rows[-1].seq) if full else rows

    async def _rows_of(self, above: list[tuple[str, int]]) -> dict[tuple[str, int], list[base.Row]]:
        columns = [*map(list, zip(*above, strict=True))]
        found: dict[tuple[str, int], list[base.Row]] = {}
        for n, *values in await self.asked(lambda conn: conn.execute(_READ, columns).fetchall()):
            found.setdefault(above[n - 1], []).append(row_in(values))
        return found

    async def asked(self, work: Callable[[base.Conn], T]) -> T:
        """What ``work`` finds, each of its statements at one moment; see :meth:`change`."""
        return await self._done(work, self._looking)

    async def change(self, work: Callable[[base.Conn], T]) -> T:
        """See :meth:`Store.change`: as if it were alone; done again where it met another."""
        return await self._done(work, self._engine)

    async def _done(self, work: Callable[[base.Conn], T], engine: AsyncEngine) -> T:
        self._require_open()
        try:
            return await self._transact(work, engine)
        except FAILURES as error:
            raise base.StoreError(f"the database failed: {_reason(error)}") from error

    async def _transact(self, work: Callable[[base.Conn], T], engine: AsyncEngine) -> T:
        for tried in range(_TRIES):
            pool = engine.pool
            try:
                alone = self._again if tried else contextlib.nullcontext()
                async with alone, engine.connect() as connection:
                    try:
                        return await self._once(connection, work)
                    finally:
                        if engine.pool is not pool:  # nobody takes it from there again
                            await connection.invalidate()
            except FAILURES as error:
                state = getattr(error.__cause__, "sqlstate", None)
                if state not in _AGAIN and not _CATALOG.search(str(error.__cause__)):
                    if state is None or state.startswith(_ELSEWHERE):
                        await self._engine.dispose()
                    raise
                await asyncio.sleep(random() * _APART_S * 2**tried)
        raise base.StoreError("the transaction met others again and again")

    async def _once(self, connection: AsyncConnection, work: Callable[[base.Conn], T]) -> T:
        """Do a transaction; where the commit is not answered, ask what has become of it."""
        begun = await connection.begin()  # sessions join it, and do not end it
        number, info = None, (await connection.get_raw_connection()).info
        info.pop(_WRITES, None)
        outcome = await connection.run_sync(lambda conn: work(_Transaction(conn)))
        if _WRITES in info:
            asked = "SELECT pg_current_xact_id_if_assigned()::text"
            (number,) = (await connection.exec_driver_sql(asked)).one()
        try:
            await begun.commit()
        except FAILURES as error:
            if number is None or getattr(error.__cause__, "sqlstate", None) is not None:
                raise
            if not await self._committed(number):
                raise
        return outcome

    async def _committed(self, number: str) -> bool:
        """Whether a transaction was committed, as PostgreSQL knows once it can be asked again."""
        asked = "SELECT pg_xact_status($1::text::xid8)"
        for pause in _PAUSES_S:
            await asyncio.sleep(pause)
            with contextlib.suppress(*FAILURES):
                # One that was opened since: what it sees is confirmed.
                connection = await self._database.connect()
                try:
                    status = await connection.fetchval(asked, number)
                finally:
                    connection.terminate()
                if status != "in progress":
                    return bool(status == "committed")
        return False

    async def backup(self, path: object) -> NoReturn:
        """OkeyError ``backup-elsewhere``: PostgreSQL has its own."""
        raise OkeyError("backup-elsewhere", "PostgreSQL is backed up by its own programs")

    async def check(self) -> list[str]:
        """What is wrong with the rows of tables, in English: breaks of a chain, the first 100."""
        problems = await self.change(partial(chain_problem, table=NOTES))
        problems += filter(None, [await self.change(archive_problem)])
        table = NOTES
        while len(problems) < 100 and (some := await self.tables(table)):
            for table in some:
                problems += await self.change(partial(chain_problem, table=table))
        return problems

    async def finish(self) -> None:
        """Let servers use what was a copy until now; StoreError."""
        await self.change(lambda conn: conn.execute(f"COMMENT ON TABLE log IS '{_MARK}'"))

    async def look(self, walk: LogScan) -> None:
        """Nothing is looked through: PostgreSQL checks its pages where it was set up to."""
        walk.over = True

    async def close(self) -> None:
        """Store what is queued, and let go of the database; calling it again does nothing."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self._end()

    # Connections ----------------------------------------------------------------------------------

    async def _open_writer(self) -> asyncpg.Connection:
        """The connection that rows go through, which holds the lock; OkeyError as :meth:`open`."""
        writer = await self._database.connect()
        self._writer = writer
        if writer.get_server_version().major < _OLDEST:
            raise OkeyError("store-too-old", "PostgreSQL 14 or newer is needed")
        if await writer.fetchval("SHOW fsync") != "on":
            raise OkeyError("store-not-durable", "the database does not wait for its disk")
        shared = "_shared" if self._shared else ""
        until = monotonic() + _LOCK_S
        while not await writer.fetchval(f"SELECT pg_try_advisory_lock{shared}($1)", _LOCK):
            if monotonic() > until:
                message = "another program uses the database"
                raise OkeyError("store-in-use", message, path="postgresql")
            await asyncio.sleep(0.05)
        return writer

    async def _let_go(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.terminate()
        await self._engine.dispose()

    async def _end(self) -> None:
        await self._let_go()
        self._database.close()


def _require_connected(connection: Any, *_: object) -> None:
    """Have the pool open another where the server has ended this one, without asking it."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _note_writing(conn: Connection, _cursor: object, statement: str, *_: object) -> None:
    """Remember of a transaction that its outcome matters."""
    if not statement.lstrip().startswith("SELECT"):
        conn.info[_WRITES] = True


def _prepare(conn: base.Conn, copy_of: str | None) -> None:
    """Make the tables where there are none; OkeyError where they are not what was wanted."""
    there, mark = conn.execute(_WHAT_IS_THERE).fetchone()
    wanted = f"{_UNFINISHED}{copy_of}" if copy_of else _MARK
    mark = str(mark)
    if there and mark == wanted:
        return
    if copy_of == "" and not there:
        raise OkeyError("no-server-folder", "the database has no log", folder="postgresql")
    if copy_of and conn.execute(_ANYTHING).fetchone() is not None:
        raise OkeyError("store-not-empty", "the database is not empty", path="postgresql")
    if not there:
        make_tables(conn, _DIALECT)
        sql = f"COMMENT ON TABLE log IS '{wanted}'"
        conn.execute(sql)
    elif mark.startswith(_UNFINISHED):
        raise OkeyError("store-unfinished", "the database is part of a copy", path="postgresql")
    elif not mark.startswith(_OURS):
        raise OkeyError("store-not-ours", "another program's table", path="postgresql")
    elif int(mark.removeprefix(_OURS)) > VERSION:
        raise OkeyError("store-newer", f"the database is of a later version: {mark}", path="log")
    else:
        upgrade(conn, int(mark.removeprefix(_OURS)))
        conn.execute(f"COMMENT ON TABLE log IS '{_MARK}'")


def chain_problem(conn: base.Conn, table: str) -> list[str]:
    """Where the rows of a table don't continue its chain, in English; nothing where they do."""
    before = base.Head()
    for *values, chain in conn.execute(HISTORY, (table,)):
        row = row_in(values)
        if row.last and not row.entry:
            continue  # what is left of a table that was deleted
        link = base.link_of(before.link, row)
        if row.seq != before.seq + 1 or before.closed or chain != link:
            return [f"table {table}: row {row.seq} does not follow the one before (chain)"]
        before = base.Head(row.seq, row.last, link)
    return []


def _reason(error: BaseException) -> str:
    """What failed, without values: PostgreSQL's message, or the kind of the error."""
    cause = error.__cause__ if isinstance(error, SQLAlchemyError) else error
    if isinstance(cause, asyncpg.TargetServerAttributeNotMatched):
        return "takes no writes"
    told = Unreachable | asyncpg.ClientConfigurationError | SSLCertVerificationError
    if isinstance(cause, told):
        return str(cause)
    text = str(getattr(cause, "message", "") or "")
    return text or type(cause or error).__name__
