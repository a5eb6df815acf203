"""``okey101 admin restore``: a backup or a mirror put back into the folder of a stopped server."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from okey101.cli.admin.link import Where, folder_of, running_in
from okey101.cli.failures import FAILED, Failure, file_failure
from okey101.cli.output import Output
from okey101.errors import OkeyError
from okey101.i18n import error_text
from okey101.server.data_dir import Folder, require_folder

if TYPE_CHECKING:
    from okey101.server.store.restore import Restored

__all__ = ["restore_from"]


def restore_from(output: Output, where: Where, source: str) -> int:
    """Put back the log, and the accounts where the source has them; what stood there is kept."""
    from okey101.server.store.restore import as_owner_of

    texts = output.texts
    folder = folder_of(where)
    if running_in(folder, texts) is not None:
        raise Failure(FAILED, "server-runs", texts("error-server-runs"), folder=str(folder.path))
    given = Path(source).expanduser()
    log = given / folder.log.name if given.is_dir() else given
    accounts = given / folder.accounts.name
    try:
        require_folder(folder.path)
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        aside = folder.path / f"before-restore-{stamp}"
        done = _restored(folder, given, log, aside)
        if given.is_dir() and accounts.is_file():
            _put_accounts(accounts, folder, aside)
        as_owner_of(folder.path, (path for path in folder.path.rglob("*") if not path.is_symlink()))
    except OkeyError as error:
        message = error_text(texts, error)
        raise Failure(FAILED, error.code, message, **error.details) from None
    except OSError as error:
        raise file_failure(error, str(folder.path), texts) from None
    if output.as_json:
        output.answer(
            {"rows": done.rows, "goes_on": done.goes_on, "tables": done.tables}
            | {"kept": str(aside) if aside.exists() else None}
        )
        return 0
    lines = [texts("admin-restored", rows=done.rows, folder=str(folder.path))]
    lines.append(
        texts("admin-restored-whole")
        if done.goes_on
        else texts("admin-restored-void", tables=len(done.tables))
    )
    if aside.exists():
        lines.append(texts("admin-restored-kept", folder=str(aside)))
    output.lines(lines)
    return 0


def _restored(folder: Folder, given: Path, log: Path, aside: Path) -> Restored:
    """Put the log back, and leave a trail of it."""
    from okey101.server.clock import utc_ms
    from okey101.server.store.restore import restore_log
    from okey101.server.trail import DONE, Deed, Trail, local_user

    outcome = DONE
    try:
        return restore_log(log, folder.log, aside)
    except OkeyError as error:
        outcome = error.code
        raise
    finally:
        deed = Deed(
            at=utc_ms(), who=local_user(), address="", what="restore", of=str(given),
            outcome=outcome,
        )  # fmt: skip
        Trail(folder.path, logged=False).add(deed)


def _put_accounts(source: Path, folder: Folder, aside: Path) -> None:
    part = folder.accounts.with_name("accounts.sqlite.part")
    shutil.copyfile(source, part)
    for side in ("", "-wal", "-shm"):
        old = folder.accounts.with_name(folder.accounts.name + side)
        if old.exists():
            aside.mkdir(mode=0o700, exist_ok=True)
            old.rename(aside / old.name)
    part.replace(folder.accounts)
