"""A log brought back from a copy, into a folder whose server does not run."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import structs

from okey101.errors import OkeyError
from okey101.server.files.atomic_files import (
    PART,
    make_private,
    publish,
    remove_temporary,
    temporary,
)
from okey101.server.store.file import open_log, others_end, position_in, refusal
from okey101.server.store.lost import (
    Shortfall,
    add_finding,
    findings_in,
    findings_path,
    missing,
    unmarked,
)
from okey101.server.store.mark import MarkFile, TableEnd, mark_path, marks_in
from okey101.server.store.scrubber import problems_of

_END: Final = "SELECT table_id, seq, chain FROM log ORDER BY rowid DESC LIMIT 1"
_SIDES: Final = ("", "-wal", "-shm")


class Restored(NamedTuple):
    """What came of it: whether play goes on, and the tables whose running deal is thrown away."""

    rows: int
    goes_on: bool
    tables: list[str]


def restore_log(
    source: Path, log: Path, aside: Path, begin: Callable[[], object] = lambda: None
) -> Restored:
    """Put a copy of a log in the place of ``log``.

    Before anything changes there it calls ``begin``, and is not to be interrupted after that. If it
    is killed, the same once more puts the copy there.

    What stood there is moved into ``aside``. Play goes on where the mark says that nothing came
    after; otherwise running deals are thrown away at the next start. OkeyError ``store-in-use``,
    ``restore-unsound`` and ``restore-failed``.
    """
    part = temporary(log, PART)
    try:
        remove_temporary(log, PART)  # of one that was killed
        copy_of(source, part)
        problems = problems_of(part)
        if problems:
            message = f"{source} is damaged: {problems[0]}"
            raise OkeyError("restore-unsound", message, path=str(source), problem=problems[0])
        if log.exists():
            _require_unused(log)
        begin()
        # What was missing from the old log is told anew; the list of the erased stays as it is.
        before = findings_in(log)
        try:
            _move([*_sides(log), findings_path(log)], aside)
            for one in before:
                if one.why == "erasures-damaged":
                    add_finding(log, one)
            publish(part, log)
        except OSError:  # the disk did not take it
            if aside.exists():
                _move([*aside.iterdir()], log.parent)
                aside.rmdir()
            raise
        return _compared(log, aside, before)
    except (OSError, sqlite3.Error) as error:
        raise refusal("restore-failed", source, f"can't be restored: {error}") from error
    finally:
        for left in _sides(part):
            left.unlink(missing_ok=True)


def copy_of(source: Path, target: Path) -> None:
    """Copy a log that nobody uses into one file; OSError, sqlite3.Error, OkeyError of the log."""
    # A file that no server has closed has its last rows in the one beside it.
    for given, made in zip(_sides(source)[:2], _sides(target)[:2], strict=True):
        if given.exists() or made == target:
            make_private(made)
            shutil.copyfile(given, made)
    try:
        with contextlib.closing(open_log(target)) as conn:
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            conn.execute("PRAGMA journal_mode = DELETE")
    except OkeyError as error:  # it names the copy that was given, not what is made of it
        raise refusal(error.code, source, "can't be restored") from error


def _require_unused(log: Path) -> None:
    """OkeyError ``store-in-use`` where a server has it open; what else is wrong is no matter."""
    try:
        open_log(log).close()
        MarkFile(mark_path(log)).close()
    except BlockingIOError:
        raise refusal("store-in-use", log, "is in use") from None
    except OkeyError as error:
        if error.code == "store-in-use":
            raise


def _sides(log: Path) -> list[Path]:
    return [log.with_name(log.name + side) for side in _SIDES]


def _move(olds: list[Path], aside: Path) -> None:
    for old in olds:
        if old.exists():
            aside.mkdir(mode=0o700, exist_ok=True)
            old.rename(aside / old.name)


def _compared(log: Path, aside: Path, before: Iterable[Shortfall]) -> Restored:
    """Compare the log with the mark, and begin a new one with what the log ends with now.

    The mark of a log that lacked something ``before``, where no start has seen to it since, tells
    nothing of what that one lacked.
    """
    # What people did since is forgotten on purpose; it is rows alone that void a running deal.
    marks = [mark.of_tables() for mark in marks_in(mark_path(log))]
    with contextlib.closing(open_log(log)) as conn:
        position = position_in(conn)
        running = unmarked(conn)
        unseen = (one for one in before if one.ends.items() & running.ends.items())
        found = missing(conn, marks, position) or next(unseen, running)
        goes_on = bool(marks) and found is running and marks[0].position == position
        if not goes_on:
            ends = found.ends | running.ends
            add_finding(log, structs.replace(running, rows=found.rows, ends=ends))
        _move([mark_path(log)], aside)  # its marks are of a log that stands here no more
        mark = MarkFile(mark_path(log))
        try:
            mark.write(position, [*map(TableEnd._make, conn.execute(_END)), others_end(conn)])
        finally:
            mark.close()
    return Restored(position, goes_on, [] if goes_on else sorted(running.ends))
