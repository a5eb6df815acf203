"""Copies and checks of what a server keeps, through the server or, where none runs, directly."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final, TypeVar

from okey101.cli.admin.link import Link, Where, folder_of, link_to, running_in
from okey101.cli.failures import FAILED, Failure, file_failure
from okey101.cli.output import Output, printable
from okey101.errors import OkeyError
from okey101.i18n import error_text
from okey101.server.data_dir import Folder, require_folder

__all__ = ["check_log", "make_backup"]

_PATIENCE_S: Final = 3600.0

T = TypeVar("T")


def make_backup(output: Output, where: Where, folder: str) -> int:
    """Copy log and accounts into a folder, created if need be; nothing is overwritten."""
    link = _link(output, where)
    kept = _kept(output, where) if link is None else None
    if where.url is None:
        folder = str(Path(folder).expanduser().absolute())
    if kept is not None:
        done = _kept_copies(output, kept, Path(folder))
    else:
        assert link is not None
        done = link.post("/api/admin/backup", {"folder": folder}, _PATIENCE_S)
    if output.as_json:
        output.answer(done)
    else:
        output.lines(output.texts("admin-copied", path=str(path)) for path in done.values())
    return 0


def _kept_copies(output: Output, kept: Folder, target: Path) -> dict[str, Any]:
    try:
        made = require_folder(target)
    except OSError as error:
        raise file_failure(error, str(target), output.texts) from None
    try:
        return _run(output, _noted_copies(kept, target))
    except Failure:
        made.remove()
        raise


async def _noted_copies(kept: Folder, target: Path) -> dict[str, Any]:
    """Copy a folder that no server uses, and note it in the folder's trail."""
    from okey101.server.trail import Trail, local_user

    trail = Trail(kept.path, logged=False)
    async with trail.noted("backup", who=local_user(), of=str(target)):
        return await _copied(kept, target)


async def _copied(kept: Folder, target: Path) -> dict[str, Any]:
    from okey101.server.accounts.database import copy_closed
    from okey101.server.store import SqliteStore
    from okey101.server.store.archive import archive_path, files_of

    log, accounts = target / "log.sqlite", target / "accounts.sqlite"
    store = await asyncio.to_thread(SqliteStore.open, kept.log)  # also a lock on the folder
    try:
        await store.backup(log)
    finally:
        await store.close()
    if not kept.accounts.exists():
        return files_of(log)
    try:
        copy_closed(kept.accounts, accounts)
    except BaseException:  # half a backup would be in the way of the next
        for part in (log, archive_path(log)):
            part.unlink(missing_ok=True)
        raise
    return {**files_of(log), "accounts": str(accounts)}


def check_log(output: Output, where: Where) -> int:
    """Look through the whole log; Failure with all that is wrong with it."""
    link = _link(output, where)
    if link is not None:
        found: dict[str, Any] = link.post("/api/admin/check", patience=_PATIENCE_S)
        problems, tables = [str(p) for p in found["problems"]], int(found["tables"])
    else:
        problems, tables = _run(output, _checked(_kept(output, where)))
    texts = output.texts
    if problems:
        message = texts("error-log-unsound", count=len(problems))
        failure = Failure(FAILED, "log-unsound", message, problems=problems, tables=tables)
        failure.hint = "\n".join(f"  {printable(problem)}" for problem in problems)
        raise failure
    if output.as_json:
        output.answer({"tables": tables, "problems": []})
    else:
        output.lines([texts("admin-log-sound", tables=tables)])
    return 0


async def _checked(kept: Folder) -> tuple[list[str], int]:
    from okey101.server.accounts.database import faults_of
    from okey101.server.store import SqliteStore
    from okey101.server.tables.log_check import audit

    store = await asyncio.to_thread(SqliteStore.open, kept.log)
    try:
        problems = await store.check()
        more, tables = await audit(store, store)
        return problems + more + await asyncio.to_thread(faults_of, kept.accounts), tables
    finally:
        await store.close()


def _link(output: Output, where: Where) -> Link | None:
    """The way to the server; None where none runs on the folder."""
    if where.url is None and running_in(folder_of(where), output.texts) is None:
        return None
    return link_to(output, where)


def _kept(output: Output, where: Where) -> Folder:
    """The folder of a server that does not run; Failure where there is no log in it."""
    folder = folder_of(where)
    if not folder.log.is_file():
        message = output.texts("error-no-server-folder", folder=str(folder.path))
        raise Failure(FAILED, "no-server-folder", message, folder=str(folder.path))
    return folder


def _run(output: Output, work: Coroutine[Any, Any, T]) -> T:
    try:
        return asyncio.run(work)
    except OkeyError as error:
        message = error_text(output.texts, error)
        raise Failure(FAILED, error.code, message, **error.details) from None
