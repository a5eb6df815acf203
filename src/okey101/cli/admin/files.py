"""Copies and checks of what a server keeps, through the server or, where none runs, directly."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from okey101.cli.admin.link import Link, Where, folder_of, kept_folder, link_to, running_in
from okey101.cli.failures import FAILED, Failure, file_failure, with_file
from okey101.cli.output import Output, printable
from okey101.errors import OkeyError
from okey101.i18n import error_text
from okey101.server.files.data_dir import Folder, require_folder

if TYPE_CHECKING:
    from okey101.server.store import SqliteStore
    from okey101.server.store.restore import Restored


_PATIENCE_S: Final = 3600.0

T = TypeVar("T")


def make_backup(output: Output, where: Where, folder: str) -> int:
    """Copy everything into a folder, created if need be; nothing is overwritten."""
    link = _link(output, where)
    kept = kept_folder(output, where) if link is None else None
    if where.url is None:
        folder = str(Path(folder).expanduser().absolute())
    if kept is not None:
        done = _kept_copies(output, kept, Path(folder))
    else:
        assert link is not None
        done = link.post("/api/admin/backup", {"folder": folder}, _PATIENCE_S)
    texts = output.texts
    return output.tell(done, lambda: (texts("admin-copied", path=path) for path in done.values()))


def _kept_copies(output: Output, kept: Folder, target: Path) -> dict[str, Any]:
    with with_file(str(target), output.texts):
        made = require_folder(target)
    try:
        return run(output, with_store(kept, lambda store: _copied(store, target)))
    except Failure:
        made.remove()
        raise


async def _copied(store: SqliteStore, target: Path) -> dict[str, Any]:
    """Copy what a store keeps, and note it in its journal."""
    from okey101.server.ops.journal import Journal, local_user

    async with Journal(store, logged=False).noted("backup", who=local_user(), of=str(target)):
        await store.backup(target / store.path.name)
    return {"log": str(target / store.path.name)}


async def with_store(kept: Folder, work: Callable[[SqliteStore], Awaitable[T]]) -> T:
    """What is done with the store of a folder that no server uses."""
    from okey101.server.store import SqliteStore

    store = await asyncio.to_thread(SqliteStore.open, kept.log)
    try:
        return await work(store)
    finally:
        await store.close()


def check_log(output: Output, where: Where) -> int:
    """Look through the whole log; Failure with all that is wrong with it."""
    link = _link(output, where)
    if link is not None:
        found: dict[str, Any] = link.post("/api/admin/check", patience=_PATIENCE_S)
        problems, tables = [str(p) for p in found["problems"]], int(found["tables"])
    else:
        problems, tables = run(output, with_store(kept_folder(output, where), _checked))
    texts = output.texts
    if problems:
        message = texts("error-log-unsound", count=len(problems))
        failure = Failure(FAILED, "log-unsound", message, problems=problems, tables=tables)
        failure.hint = "\n".join(f"  {printable(problem)}" for problem in problems)
        raise failure
    data = {"tables": tables, "problems": []}
    return output.tell(data, lambda: [texts("admin-log-sound", tables=tables)])


async def _checked(store: SqliteStore) -> tuple[list[str], int]:
    from okey101.server.ops.tasks import Tasks
    from okey101.server.ops.utc import utc_ms
    from okey101.server.people import Accounts
    from okey101.server.people.match_keeper import MatchKeeper
    from okey101.server.store.public_log import append
    from okey101.server.tables.log_check import audit

    accounts = await Accounts.open(store)
    keeper = MatchKeeper(accounts, Tasks(), lambda *added: append(store, added, utc_ms()))
    try:
        problems = await keeper.make_again(store)
    finally:
        await keeper.close()
        await accounts.close()
    problems += await store.check()
    more, tables = await audit(store, store)
    return problems + more, tables


def _link(output: Output, where: Where) -> Link | None:
    """The way to the server; None where none runs on the folder."""
    if where.url is None and running_in(folder_of(where), output.texts) is None:
        return None
    return link_to(output, where)


def run(output: Output, work: Coroutine[Any, Any, T]) -> T:
    try:
        return asyncio.run(work)
    except OkeyError as error:
        message = error_text(output.texts, error)
        raise Failure(FAILED, error.code, message, **error.details) from None


# ``okey101 admin restore``: a backup put back into the folder of a stopped server.


def restore_from(output: Output, where: Where, source: str) -> int:
    """Put a backup back; what stood there is kept."""
    from okey101.server.files.data_dir import as_owner_of

    texts = output.texts
    folder = folder_of(where)
    if running_in(folder, texts) is not None:
        raise Failure(FAILED, "server-runs", texts("error-server-runs"), folder=str(folder.path))
    given = Path(source).expanduser()
    log = given / folder.log.name if given.is_dir() else given
    try:
        require_folder(folder.path)
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        aside = folder.path / f"before-restore-{stamp}"
        done = _restored(folder, given, log, aside)
        erased = asyncio.run(with_store(folder, partial(_erased_again, backup=log)))
        as_owner_of(folder.path, (path for path in folder.path.rglob("*") if not path.is_symlink()))
    except OkeyError as error:
        message = error_text(texts, error)
        raise Failure(FAILED, error.code, message, **error.details) from None
    except OSError as error:
        raise file_failure(error, str(folder.path), texts) from None
    if output.as_json:
        output.answer(
            {"rows": done.rows, "goes_on": done.goes_on, "tables": done.tables, "erased": erased}
            | {"kept": str(aside) if aside.exists() else None}
        )
        return 0
    lines = [texts("admin-restored", rows=done.rows, folder=str(folder.path))]
    lines.append(
        texts("admin-restored-whole")
        if done.goes_on
        else texts("admin-restored-void", tables=len(done.tables))
    )
    if erased:
        lines.append(texts("admin-restored-erased", count=erased))
    if aside.exists():
        lines.append(texts("admin-restored-kept", folder=str(aside)))
    output.lines(lines)
    return 0


async def _erased_again(store: SqliteStore, backup: Path) -> int:
    """Erase whom the backup brought back: hashes lie beside the file and in every backup."""
    from okey101.server.people import Accounts
    from okey101.server.store.erased import erased_in, note_erased

    beside = [backup, *(one / backup.name for one in backup.parent.parent.glob("*/"))]
    hashes = erased_in(store.path).union(*map(erased_in, beside))
    note_erased(store.path, hashes)
    accounts = await Accounts.open(store)
    try:
        return await accounts.erase_again(hashes)
    finally:
        await accounts.close()


def _restored(folder: Folder, given: Path, log: Path, aside: Path) -> Restored:
    """Put the log back, and note it in the journal of what stands there then."""
    from okey101.server.ops.journal import DONE, Journal, JournalEntry, local_user
    from okey101.server.ops.utc import utc_ms
    from okey101.server.store.restore import restore_log

    outcome = DONE
    try:
        return restore_log(log, folder.log, aside)
    except OkeyError as error:
        outcome = error.code
        raise
    finally:
        entry = JournalEntry(
            at=utc_ms(), who=local_user(), address="", what="restore", of=str(given),
            outcome=outcome,
        )  # fmt: skip

        async def note(store: SqliteStore) -> None:
            await Journal(store, logged=False).add(entry)

        if folder.log.is_file():
            with suppress(OkeyError):
                asyncio.run(with_store(folder, note))
