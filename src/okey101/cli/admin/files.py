"""Copies and checks of what a server keeps, through the server or, where none runs, directly."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Iterator
from contextlib import (
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    suppress,
)
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from okey101.cli.admin.link import Kept, Link, Where, folder_of, kept_by, link_to, running_in
from okey101.cli.output import Exit, Failure, Output, ending, printable, with_file
from okey101.cli.progress import Bar, terminable, unstoppable
from okey101.errors import OkeyError
from okey101.i18n import Texts
from okey101.server.files.atomic_files import contents, create, publish, replace, require_room
from okey101.server.files.data_dir import Folder, as_owner_of, open_folder, require_folder

if TYPE_CHECKING:
    from okey101.server.people.service import Accounts
    from okey101.server.store import AnyStore
    from okey101.server.store.restore import Restored


PATIENCE_S: Final = 3600.0

T = TypeVar("T")


def either(
    output: Output, where: Where, ask: Callable[[Link], Any],
    work: Callable[[AnyStore], Awaitable[T]], *, reads: bool = False,
) -> T:  # fmt: skip
    """What a server answers that runs, or what comes of work with all that one has kept.

    Work that only ``reads`` leaves a backup as it is. Failure where there is neither.
    """
    if where.url is None and running_in(folder_of(where), output.texts) is None:
        kept = kept_by(output, where)
        with _untouched(output.texts, kept) if reads else nullcontext(kept) as found:
            return run(output, with_store(found, work))
    answer: T = ask(link_to(output, where))
    return answer


@contextmanager
def _untouched(texts: Texts, kept: Kept) -> Generator[Kept]:
    """What is kept, or a copy of it where that is no server's folder, but a backup."""
    from okey101.server.store.mark import mark_path
    from okey101.server.store.restore import copy_of

    log = kept.folder.log
    if kept.database or mark_path(log).exists():
        yield kept
        return
    with terminable(), TemporaryDirectory() as beside:
        copy = Folder(Path(beside))
        with ending(texts, Exit.FAILED, {}), with_file(str(log), texts):
            require_room(copy.log, log.stat().st_size)
            copy_of(log, copy.log)
        yield Kept(copy)


def make_backup(output: Output, where: Where, folder: str) -> int:
    """Copy everything into a folder, created if need be; nothing is overwritten."""
    if where.url is None:
        folder = str(Path(folder).expanduser().absolute())
    texts, path = output.texts, "/api/admin/backup"
    done = either(
        output, where, lambda link: link.post(path, {"folder": folder}, PATIENCE_S),
        partial(_copied, target=Path(folder), texts=texts),
    )  # fmt: skip
    return output.tell(done, lambda: (texts("admin-copied", path=path) for path in done.values()))


async def _copied(store: AnyStore, target: Path, texts: Texts) -> dict[str, Any]:
    """Copy what a store keeps, and note it in its journal."""
    from okey101.server.ops.journal import Journal, local_user

    with with_file(str(target), texts):
        remove = require_folder(target)
    try:
        async with Journal(store, logged=False).noted("backup", who=local_user(), of=str(target)):
            await store.backup(target / store.path.name)
    except OkeyError:
        remove()
        raise
    return {"log": str(target / store.path.name)}


async def with_store(kept: Kept, work: Callable[[AnyStore], Awaitable[T]]) -> T:
    """What is done with a store that no server uses."""
    store = await _opened(kept.folder.log, kept.database)
    try:
        return await work(store)
    finally:
        await store.close()


async def _opened(log: Path, database: str, copy_of: str = "") -> AnyStore:
    """The store of a file, or of a database that a server has used or that becomes a copy.

    What happens to it is told on stderr: stdout is the command's.
    """
    from okey101.server.ops.logs import configure_logs

    configure_logs("warning")
    if not database:
        from okey101.server.store import SqliteStore

        return await asyncio.to_thread(SqliteStore.open, log)
    from okey101.server.store.postgres import PostgresStore

    return await PostgresStore.open(database, log, copy_of=copy_of)


def check_log(output: Output, where: Where) -> int:
    """Look through the whole log; Failure with all that is wrong with it."""

    def ask(link: Link) -> tuple[list[str], int]:
        found = link.post("/api/admin/check", patience=PATIENCE_S)
        return [str(p) for p in found["problems"]], int(found["tables"])

    problems, tables = either(output, where, ask, checked, reads=True)
    if problems:
        raise unsound(output, problems, tables)
    data = {"tables": tables, "problems": []}
    return output.tell(data, lambda: [output.texts("admin-log-sound", tables=tables)])


def unsound(output: Output, problems: list[str], tables: int) -> Failure:
    """The failure of a check that has found something."""
    message = output.texts("error-log-unsound", count=len(problems))
    failure = Failure(Exit.FAILED, "log-unsound", message, problems=problems, tables=tables)
    failure.hint = "\n".join(f"  {printable(problem)}" for problem in problems)
    return failure


@asynccontextmanager
async def people_of(store: AnyStore) -> AsyncGenerator[Accounts]:
    """The people of a store that no server uses."""
    from okey101.server.people.service import Accounts

    accounts = await Accounts.open(store)
    try:
        yield accounts
    finally:
        await accounts.close()


async def checked(store: AnyStore) -> tuple[list[str], int]:
    """All that is wrong with a store that no server uses, in English, and how many tables run."""
    from okey101.server.ops.logs import utc_ms
    from okey101.server.people.match_keeper import MatchKeeper
    from okey101.server.store.public_log import append
    from okey101.server.tables.log_check import audit
    from okey101.server.work.tasks import Tasks

    async with people_of(store) as accounts:
        keeper = MatchKeeper(accounts, Tasks(), lambda *added: append(store, added, utc_ms()))
        try:
            problems = await keeper.make_again(store)
        finally:
            await keeper.records.close()
    problems += await store.check()
    more, tables = await audit(store)
    return problems + more, tables


def run(output: Output, work: Coroutine[Any, Any, T]) -> T:
    """What comes of work with a store; Failure for an OkeyError."""
    with ending(output.texts, Exit.FAILED, {}), terminable():
        return asyncio.run(work)


# ``okey101 admin restore``: a backup put back into the folder of a stopped server.


def restore_from(output: Output, where: Where, source: str) -> int:
    """Put a backup back; what stood there is kept. Failure where a database has what is there."""
    texts = output.texts
    if os.environ.get("OKEY101_DATABASE"):
        raise Failure.of(texts, Exit.FAILED, "backup-elsewhere")
    folder = folder_of(where)
    if running_in(folder, texts) is not None:
        raise Failure.of(texts, Exit.FAILED, "server-runs", folder=str(folder.path))
    given = Path(os.path.abspath(Path(source).expanduser()))  # noqa: PTH100  # ".." goes up
    log = given / folder.log.name if given.is_dir() else given
    if not log.is_file():
        raise Failure.of(texts, Exit.FAILED, "no-server-folder", folder=str(given))
    failed = ending(texts, Exit.FAILED, {}), with_file(str(folder.path), texts)
    with failed[0], failed[1], terminable(), ExitStack() as begun:
        remove = require_folder(folder.path)
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        aside = folder.path / f"before-restore-{stamp}"
        try:
            done = _restored(folder, given, log, aside, lambda: begun.enter_context(unstoppable()))
        except BaseException:
            remove()
            raise
        erased = asyncio.run(with_store(Kept(folder), partial(_erased_again, backup=log)))
        as_owner_of(folder.path, (path for path in folder.path.rglob("*") if not path.is_symlink()))
    kept = str(aside) if aside.exists() else None

    def lines() -> Iterator[str]:
        yield texts("admin-restored", rows=done.rows, folder=str(folder.path))
        key = "admin-restored-whole" if done.goes_on else "admin-restored-void"
        yield texts(key, tables=len(done.tables))
        if erased:
            yield texts("admin-restored-erased", count=erased)
        if kept is not None:
            yield texts("admin-restored-kept", folder=kept)

    return output.tell(done._asdict() | {"erased": erased, "kept": kept}, lines)


async def _erased_again(store: AnyStore, backup: Path) -> int:
    """Erase whom the backup brought back: hashes lie beside the file and in every backup."""
    from okey101.server.store.erased import erased_in, note_erased

    hashes = erased_in(store.path) | erased_in(backup)
    for one in backup.parent.parent.glob("*/"):
        with suppress(PermissionError):  # somebody else's, as there are in /tmp
            hashes |= erased_in(one / backup.name)
    note_erased(store.path, hashes)
    async with people_of(store) as accounts:
        return accounts.came_back


def _restored(
    folder: Folder, given: Path, log: Path, aside: Path, begin: Callable[[], object]
) -> Restored:
    """Put the log back, and note it in the journal of what stands there then."""
    from okey101.server.store.restore import restore_log

    def note(failed: OkeyError | None = None) -> None:
        noted = partial(_noted, what="restore", of=str(given), failed=failed)
        if folder.log.is_file():
            with suppress(OkeyError):
                asyncio.run(with_store(Kept(folder), noted))

    try:
        done = restore_log(log, folder.log, aside, begin)
    except OkeyError as error:
        note(error)
        raise
    note()
    return done


# ``okey101 store copy``: a server's whole installation moved to another folder or database.

_KEYS: Final = ("admin.token", "heads.key", "push.key", "public-log.key")


class _Place(NamedTuple):
    """Where an installation is: in a folder, or in the database at an address."""

    folder: Folder | None
    url: str
    name: str
    """What can be shown of it: no password."""


def _place(text: str) -> _Place:
    """The place that is named as ``serve --store`` takes it; OkeyError ``store-unsupported``."""
    from okey101.server.settings import store_folder

    if text.startswith(("postgres:", "postgresql:")):
        parts = urlsplit(text)
        return _Place(None, text, f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}")
    path = store_folder(text).expanduser().resolve()
    return _Place(Folder(path), "", str(path))


def copy_store(output: Output, source: str, target: str) -> int:
    """Copy everything that a server keeps; a stopped copy goes on where it was."""
    done = run(output, _moved(output, source, target))
    texts, rows = output.texts, done["rows"]

    def lines() -> list[str]:
        told = {"rows": sum(rows.values()), "people": rows["users"], "matches": rows["matches"]}
        words = [texts("store-copied", **told)]
        if done["keys"]:
            words.append(texts("store-keys", files=", ".join(done["keys"])))
        return [*words, texts("store-served", source=done["source"])]

    return output.tell(done, lines)


async def _moved(output: Output, given: str, wanted: str) -> dict[str, Any]:
    from okey101.server.store import StoreError

    source, target = _place(given), _place(wanted)
    part = None
    try:
        async with AsyncExitStack() as stack:
            beside = Path(stack.enter_context(TemporaryDirectory()))
            kept = await _held(stack, source, beside, copy_of="")
            await _require_sound(output, kept)
            if kept.findings:  # its next start has deals to throw away, which a copy would play on
                raise unsound(output, [*map(str, kept.findings)], 0)
            copy_of = sha256(source.name.encode()).hexdigest()[:16]
            if target.folder is not None:
                part = _part(target.folder, copy_of)
            copy = await _held(stack, target._replace(folder=part), beside, copy_of)
            rows = await _filled(output, source.name, kept, copy)
        if target.folder is not None and part is not None:
            with with_file(target.name, output.texts):
                await asyncio.to_thread(_finished, part, target.folder, source.folder)
            await with_store(Kept(target.folder), partial(_noted, what="copy", of=source.name))
    except StoreError as error:
        raise OkeyError("copy-failed", str(error), reason=str(error)) from None
    keys = [*_KEYS, "log.erased"]
    if target.folder is not None:
        keys = [name for name in keys if not (target.folder.path / name).exists()]
    if source.folder is not None:
        keys = [name for name in keys if (source.folder.path / name).exists()]
    return {"source": source.name, "target": target.name, "rows": rows, "keys": keys}


async def _held(stack: AsyncExitStack, at: _Place, beside: Path, copy_of: str) -> AnyStore:
    """Open a store until the stack ends, locked; one in a database has its list of the erased
    ``beside``.
    """
    from okey101.server.store.mark import mark_path

    folder = at.folder or Folder(beside)
    if at.folder is not None and not copy_of:
        where = str(folder.path)
        if not folder.log.is_file():
            raise OkeyError("no-server-folder", f"there is no log in {where}", folder=where)
        if not mark_path(folder.log).exists():  # to open it would make one
            raise OkeyError("copy-of-backup", f"{where} is a backup", folder=where)
    store = await _opened(folder.log, at.url, copy_of)
    stack.push_async_callback(store.close)
    return store


def _part(folder: Folder, copy_of: str) -> Folder:
    """The folder inside the target's in which a copy grows; OkeyError ``store-not-empty``."""
    from okey101.server.store.file import COPYING
    from okey101.server.store.lost import findings_path
    from okey101.server.store.mark import mark_path

    part = open_folder(folder.path).path / f"{COPYING}{copy_of}"
    begun = [*folder.path.glob(f"{COPYING}*")]
    if begun == [part] and folder.log.exists():  # killed as it ended: the last steps once more
        log = part / folder.log.name
        replace(mark_path(log), contents(mark_path(folder.log)))
        log.unlink(missing_ok=True)
        folder.log.rename(log)
    left = [] if begun else [mark_path(folder.log), findings_path(folder.log)]
    if begun not in ([], [part]) or any(path.exists() for path in (folder.log, *left)):
        message = f"{folder.path} is not empty"
        raise OkeyError("store-not-empty", message, path=str(folder.path))
    return open_folder(part)


async def _filled(output: Output, name: str, source: AnyStore, target: AnyStore) -> dict[str, int]:
    """Copy and check everything; how many rows of what there are."""
    from okey101.server.people.database import copy_rows
    from okey101.server.store import SqliteStore

    with Bar(output, output.texts("store-copying")) as bar:
        rows = await copy_rows(source, target, lambda total, count: bar.add(count, total))
    await _require_sound(output, target)
    if not isinstance(target, SqliteStore):
        await target.finish()
        await _noted(target, "copy", name)
    return rows


async def _noted(store: AnyStore, what: str, of: str, failed: OkeyError | None = None) -> None:
    """Note in a store's journal what was done to the whole of it, and what it was made from."""
    from okey101.server.ops.journal import Journal, local_user

    async with Journal(store, logged=False).noted(what, who=local_user(), of=of):
        if failed is not None:
            raise failed


async def _require_sound(output: Output, store: AnyStore) -> None:
    problems, tables = await checked(store)
    if problems:
        raise unsound(output, problems, tables)


def _finished(part: Folder, folder: Folder, source: Folder | None) -> None:
    """Put a whole copy where a server finds it, with the keys of a folder; OSError."""
    from okey101.server.store.erased import erased_in, erased_path, note_erased
    from okey101.server.store.mark import mark_path

    left = part.log.with_name(f"{part.log.name}-wal")
    if contents(left):
        raise OSError(f"{left} could not be emptied")
    if source is not None:
        for name in _KEYS:
            if (source.path / name).exists():
                create(folder.path / name, contents(source.path / name))
    hashes = erased_in(part.log) | (erased_in(source.log) if source is not None else set())
    note_erased(folder.log, hashes)
    mark = mark_path(folder.log)
    replace(mark, contents(mark_path(part.log)))
    publish(part.log, folder.log)
    shutil.rmtree(part.path)
    made = [folder.log, mark, erased_path(folder.log), *(folder.path / name for name in _KEYS)]
    as_owner_of(folder.path, filter(Path.exists, made))
