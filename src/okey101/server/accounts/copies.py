"""Copies of the accounts while they are in use: step by step, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from okey101.errors import OkeyError
from okey101.server.accounts.database import faults_in
from okey101.server.atomic_files import publish, require_room, temporary
from okey101.server.sqlite_files import copy_in_steps, size_of
from okey101.server.worker import Worker

__all__ = ["Copies"]

"""A megabyte: a few milliseconds in which others wait."""


class Copies:
    """Makes copies on the thread of the accounts' only connection, which does other work between.

    The copy is written by a connection of its own. Another one could not even read the accounts:
    theirs holds the file alone, lest two servers share it.
    """

    def __init__(self, path: Path, conn: Callable[[], sqlite3.Connection], worker: Worker) -> None:
        self._path = path
        self._conn = conn
        self._worker = worker
        self._copying = False  # the thread's own

    async def backup(self, path: Path) -> None:
        """Copy the accounts as they are when the copy ends.

        OkeyError ``backup-exists``, ``backup-running`` while another copy is being made,
        ``store-no-space`` where the disk would become too full, and ``backup-failed``.
        """
        part = temporary(path, ".part-")
        try:
            await self._worker.run(lambda: self._copy(part, path), long=True)
            await asyncio.to_thread(publish, part, path)
        except FileExistsError:
            message = f"{path} exists and stays as it is"
            raise OkeyError("backup-exists", message, path=str(path)) from None
        except (OSError, sqlite3.Error) as error:
            message = f"{path} can't be written: {error}"
            raise OkeyError("backup-failed", message, path=str(path)) from None
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    async def check(self) -> list[str]:
        """What is wrong with the accounts, in English; OkeyError as of :meth:`backup`.

        A copy beside them is looked at, as in a large file that takes long.
        """
        copy = temporary(self._path)
        try:
            await self._worker.run(lambda: self._copy(copy), long=True)
            return await asyncio.to_thread(_faults_of_copy, copy)
        except (OSError, sqlite3.Error) as error:
            return [f"accounts: {error}"]
        finally:
            with contextlib.suppress(OSError):
                copy.unlink(missing_ok=True)

    def _copy(self, target: Path, unless: Path | None = None) -> None:
        if unless is not None and unless.exists():
            raise FileExistsError(unless)
        if self._copying:
            message = "a copy of the accounts is being made; wait for its end"
            raise OkeyError("backup-running", message)
        self._copying = True
        try:
            _copy_in_use(self._conn(), target, self._worker.rest)
        finally:
            self._copying = False


def _copy_in_use(conn: sqlite3.Connection, target: Path, between: Callable[[], None]) -> None:
    """Copy an open database into a new file; what ``between`` changes is brought into the copy.

    OkeyError ``store-no-space``, OSError, sqlite3.Error, or what ``between`` raises; then nothing
    is left behind.
    """
    require_room(target, size_of(conn))
    copy_in_steps(conn, target, between)


def _faults_of_copy(path: Path) -> list[str]:
    address = f"{path.absolute().as_uri()}?immutable=1"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as conn:
        return faults_in(conn)
