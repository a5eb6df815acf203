"""The embedded log: one thread with the only connection writes whatever waits in one commit."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, Final, NamedTuple, Self, TypeVar

from okey101.errors import OkeyError
from okey101.server.files.atomic_files import PART, publish, remove_temporary, temporary
from okey101.server.ops.logs import logger
from okey101.server.store import base, file
from okey101.server.store.erased import erased_in, note_erased
from okey101.server.store.lost import LogMark, findings_in
from okey101.server.store.mark import mark_path, marks_in
from okey101.server.store.scrubber import LogScan, problems_of
from okey101.server.store.snapshots import Snapshot, put_snapshot
from okey101.server.store.statements import Store, Waiting, head_in

# The log's last row stays: its place is what the mark counts by.
_CLOSED: Final = (
    "SELECT table_id FROM log INDEXED BY log_last "
    "WHERE last = 1 AND rowid < (SELECT max(rowid) FROM log) LIMIT 1"
)
_FOR_TWO: Final = (3, 51, 3)
"""The first SQLite that loses nothing where another program writes to the file too."""
_log = logger(__name__)

T = TypeVar("T")
_Answer = tuple[Waiting, Exception | None]


class _Asked(NamedTuple):
    run: Callable[[sqlite3.Connection], None]
    answer: Future[Any]
    at: float | None
    """When it was queued; None for a copy, during which others have their turn."""


class _Spoilt(Exception):
    """A connection can't roll its rows back, and would show them as if they were stored."""


def keep_snapshot(conn: sqlite3.Connection, snapshot: Snapshot) -> bool:
    """Keep a snapshot in a transaction; see ``Store.keep``. sqlite3.Error."""
    # Forced to the disk like rows: of pages that a sync fails to write, the system may forget those
    # of an earlier commit too, and behind such a gap SQLite reads nothing of its log.
    with file.transaction(conn):
        return put_snapshot(conn, snapshot)


class SqliteStore(Store):
    """A ``Store`` in one SQLite file that no other process can open meanwhile.

    Its methods belong to one event loop. A row whose caller is cancelled is stored all the same.
    """

    _closed_sql = _CLOSED

    def __init__(
        self, path: Path, on_commit: Callable[[int, float], None] | None, shared: bool
    ) -> None:
        super().__init__(path, path.name, on_commit)
        self._shared = shared
        self._mark = LogMark(path)
        self.findings = self._mark.findings
        self._wake = threading.Condition()
        # Under _wake, as are the rows: what the loop leaves for the thread.
        self._asked: deque[_Asked] = deque()
        self._answering: float | None = None
        """When what is answered now was asked."""
        # The batch and the heads are the thread's own: nobody else writes the file.
        self._copying = False  # set by the loop, cleared by the thread
        self._thread = threading.Thread(target=self._live, name="okey101-log", daemon=True)
        self._opened: Future[None] = Future()

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        on_commit: Callable[[int, float], None] | None = None,
        shared: bool = False,
    ) -> Self:
        """Open the log at ``path``, made where there is none; blocks until it is checked.

        ``on_commit`` hears of every commit on the event loop: its rows and its seconds; 0 rows are
        one that failed. A ``shared`` file may be read by a program that copies it. OkeyError
        ``store-in-use``, ``store-not-ours``, ``store-newer``,
        ``store-corrupt`` or ``store-unwritable`` where the file is refused.
        """
        if shared and sqlite3.sqlite_version_info < _FOR_TWO:
            _log.warning("sqlite-old", version=sqlite3.sqlite_version)
        store = cls(Path(path), on_commit, shared)
        store._thread.start()
        store._opened.result()
        return store

    @property
    def age(self) -> float:
        """For how many seconds the oldest row or question has been waiting; 0 for none."""
        asked = self._answering
        if asked is None:
            with contextlib.suppress(IndexError):  # the thread may take it meanwhile
                asked = self._asked[0].at
        return max(super().age, 0.0 if asked is None else monotonic() - asked)

    def _queue(self, waiting: Waiting) -> None:
        with self._wake:
            self._require_room(self._rows, "rows wait to be stored")
            if not self._rows:  # otherwise the thread was woken, or looks before it sleeps
                self._wake.notify()
            self._rows.append(waiting)

    async def keep(self, snapshot: Snapshot) -> bool:
        """Keep a snapshot of a table; see ``Store.keep``."""
        return await self._ask(lambda conn: keep_snapshot(conn, snapshot))

    async def change(self, work: Callable[[base.Conn], T]) -> T:
        """See :meth:`Store.change`; ``StoreError`` for sqlite3.Error and OSError."""

        def marked(conn: sqlite3.Connection) -> T:
            try:
                with file.transaction(conn):
                    before = conn.total_changes
                    outcome = work(conn)
                    end = file.change_others(conn) if conn.total_changes != before else None
                if end is not None:
                    self._mark.committed(file.position_in(conn), [end])
                    self._worked()
            except (*file.FAILURES, OSError) as error:
                self._fell(error)
                raise
            return outcome

        return await self._ask(marked)

    async def asked(self, work: Callable[[base.Conn], T]) -> T:
        """What ``work`` finds once every row that was queued before is stored."""
        return await self._ask(work)

    async def backup(self, path: str | Path) -> None:
        """Copy the log as it is when the copy ends, while rows go on being appended.

        OkeyError ``backup-exists`` where ``path`` exists, ``backup-running`` while a copy is being
        made, ``store-no-space`` where the disk would become too full, and ``backup-failed``.
        """
        path = Path(path)
        exists = file.refusal("backup-exists", path, "exists and stays as it is")
        if await asyncio.to_thread(path.exists):
            raise exists
        part = temporary(path, PART)
        try:
            await self._copy(part)
            # First: no copy is without the list, and one that fails is in nobody's way.
            await asyncio.to_thread(lambda: note_erased(path, erased_in(self.path)))
            await asyncio.to_thread(publish, part, path)
            remove_temporary(path, PART)  # of killed ones: none of this name can end well now
        except FileExistsError:
            raise exists from None
        except OSError as error:
            raise _not_copied(path, error) from error
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    async def check(self) -> list[str]:
        """What is wrong with the log, in English: damage, missing rows, rows after the last.

        Reads a copy that it makes beside the log, so that rows go on being appended. Raises
        OkeyError as ``backup`` does.
        """
        copy = temporary(self.path)
        try:
            marks = await asyncio.to_thread(marks_in, mark_path(self.path))
            await self._copy(copy)
            known = await asyncio.to_thread(findings_in, self.path)
            told = [str(finding) for finding in known if finding.why != "restored"]
            return told + await asyncio.to_thread(problems_of, copy, marks)
        finally:
            copy.unlink(missing_ok=True)

    async def look(self, walk: LogScan) -> None:
        """Take the next step through the log; StoreError where the store stopped."""
        await self._ask(walk.step)

    async def close(self) -> None:
        """Commit what is queued, write the log back into one file, and unlock it."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        await asyncio.to_thread(self._thread.join)

    # What follows on the loop.

    async def _copy(self, target: Path) -> None:
        if self._copying:
            raise OkeyError("backup-running", "a copy of the log is being made; wait for its end")
        given_up = threading.Event()
        self._copying = True
        try:
            await self._ask(lambda conn: self._copy_now(conn, target, given_up), long=True)
        except base.StoreError as error:
            self._copying = False
            raise _not_copied(target, error) from error
        except asyncio.CancelledError:
            given_up.set()
            raise

    async def _ask(self, work: Callable[[sqlite3.Connection], T], *, long: bool = False) -> T:
        """The outcome of ``work`` on the thread, after the rows queued before it.

        A ``long`` one lets others have their turn.
        """
        answer: Future[T] = Future()
        answer.set_running_or_notify_cancel()  # done also for somebody who is gone by then

        def run(conn: sqlite3.Connection) -> None:
            try:
                self._mark.catch_up()
                answer.set_result(work(conn))
            except OSError as error:
                answer.set_exception(_store_error("the mark can't be written", error))
            except file.FAILURES as error:
                answer.set_exception(_store_error("the log can't be read", error))
            except _Spoilt:
                answer.set_exception(base.StoreError("the store stopped"))
                raise
            except Exception as error:  # noqa: BLE001  # whoever waits for it is told
                answer.set_exception(error)
            if conn.in_transaction:
                raise _Spoilt

        with self._wake:
            self._require_room(self._asked, "questions wait")
            self._asked.append(_Asked(run, answer, None if long else monotonic()))
            self._wake.notify()
        return await asyncio.wrap_future(answer)

    def _hear(self, answers: list[_Answer], rows: int | None, seconds: float) -> None:
        for waiting, error in answers:  # as Waiting.answer does, without a call for each row
            if not waiting.done.done():
                waiting.done.set_result(error)
        if rows is not None and self._on_commit is not None:
            self._on_commit(rows, seconds)

    # What follows on the thread.

    def _live(self) -> None:
        try:
            while self._connected():
                pass
        except OkeyError as error:
            if not self._opened.done():  # otherwise the store stops: the log can't be opened again
                self._opened.set_exception(error)
        finally:
            if not self._opened.done():
                self._opened.set_exception(base.StoreError("the log could not be opened"))
            self._abandon()
            self._mark.close()

    def _connected(self) -> bool:
        """Serve on a connection until the end; True where a new one has to take over."""
        conn = file.open_log(self.path, shared=self._shared)
        try:
            with file.damage_told(self.path):
                self._mark.open(conn)
            if not self._opened.done():
                self._opened.set_result(None)
            while self._serve(conn, wait=True):
                pass
            with contextlib.suppress(sqlite3.Error):  # the next start does it, then
                conn.execute("PRAGMA busy_timeout = 0")
                conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except _Spoilt:
            return True
        finally:
            conn.close()
        return False

    def _abandon(self) -> None:
        """Answer whoever still waits: only a fault of this class leaves anybody."""
        with self._wake:
            fault = self._opened.exception() is None and not self._closing
            self._closing = True
            rows, asked = [*self._batch, *self._rows], [*self._asked]
            self._batch, self._rows = [], []
            self._asked.clear()
        self._tell([(waiting, base.StoreError("the store stopped")) for waiting in rows])
        for one in asked:
            one.answer.set_exception(base.StoreError("the store stopped"))
        if fault:
            _log.critical("store-stopped", file=self.path.name)

    def _serve(self, conn: sqlite3.Connection, *, wait: bool) -> bool:
        """Commit all rows that are queued, then do one piece of work; False where none was left."""
        with self._wake:
            while wait and not (self._rows or self._asked or self._closing):
                self._wake.wait()
            self._batch, self._rows = self._rows, []
            asked = self._asked[0] if self._asked else None
        worked = bool(self._batch)
        if worked:
            self._commit(conn, self._batch)
            self._batch = []
        if asked is not None:
            self._answering = asked.at
            self._asked.popleft()  # not before the commit: lost callers would wait forever
            try:
                asked.run(conn)
            finally:
                self._answering = None
        return worked or asked is not None

    def _commit(self, conn: sqlite3.Connection, batch: list[Waiting]) -> None:
        started = perf_counter()
        try:
            self._mark.catch_up()
            with file.transaction(conn):
                rows, heads, answers = self._judge(conn, batch)
                position = file.insert(conn, rows)
            if position is not None:
                self._mark.committed(position, file.ends_of(rows))
        except (*file.FAILURES, OSError) as error:
            self._fell(error)
            reason = "the rows could not be stored"
            failed: list[_Answer] = [(one, _store_error(reason, error)) for one in batch]
            self._tell(failed, 0, perf_counter() - started)
            if conn.in_transaction:
                self._batch = []
                raise _Spoilt from error
            return
        seconds = perf_counter() - started
        self._remember(heads)
        if rows:
            self._worked()
        self._tell(answers, len(rows) or None, seconds)

    def _judge(
        self, conn: sqlite3.Connection, batch: list[Waiting]
    ) -> tuple[list[file.Linked], dict[str, base.Head], list[_Answer]]:
        """The rows that follow their tables' ends, the new ends, and what each caller will hear."""
        rows: list[file.Linked] = []
        heads: dict[str, base.Head] = {}
        answers: list[_Answer] = []
        for one in batch:
            row = one.row
            head = heads.get(row.table) or self._heads.get(row.table)
            if head is None:
                head = head_in(conn, row.table)
            conflict = base.conflict_of(row, head)
            if conflict is None:
                link = base.link_of(head.link, row)
                rows.append((*row[:7], link))
                head = base.Head(row.seq, row.last, link)
            heads[row.table] = head
            answers.append((one, conflict))
        return rows, heads, answers

    def _fell(self, error: file.Failure | OSError) -> None:
        self._failed(error, damage=not isinstance(error, OSError) and file.is_damage(error))

    def _copy_now(self, conn: sqlite3.Connection, target: Path, given_up: threading.Event) -> None:
        def between() -> None:
            if self._closing or given_up.is_set():
                raise base.StoreError("the store is closing")  # or nobody waits any more
            self._serve(conn, wait=False)

        try:
            between()
            file.copy_log(conn, target, between)
            if given_up.is_set():  # nobody else will remove it
                target.unlink(missing_ok=True)
        except (OSError, sqlite3.Error) as error:
            raise _not_copied(target, error) from error
        finally:
            self._copying = False

    def _tell(self, answers: list[_Answer], rows: int | None = None, seconds: float = 0.0) -> None:
        """Wake all callers by one call into the loop; ``rows`` were committed, 0 if that failed."""
        if not answers:
            return
        # A closed loop refuses the call; then nobody waits any more.
        with contextlib.suppress(RuntimeError):
            answers[0][0].done.get_loop().call_soon_threadsafe(self._hear, answers, rows, seconds)


def _not_copied(target: Path, error: Exception) -> OkeyError:
    return file.refusal("backup-failed", target, f"can't be written: {error}")


def _store_error(what: str, cause: file.Failure | OSError) -> base.StoreError:
    error = base.StoreError(f"{what}: {cause}")
    error.__cause__ = cause
    return error
