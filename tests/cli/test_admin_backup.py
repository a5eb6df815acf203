"""``okey101 admin backup`` where no server runs: a whole copy, or nothing of it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from .conftest import Run, ended

COPIES = ["accounts.sqlite", "log.sqlite"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a server that has ended."""
    return ended(tmp_path / "data")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_that_is_in_the_way_stays_alone(
    run: Run, data: Path, tmp_path: Path, name: str
) -> None:
    """Half a backup would be in the way of the next."""
    target = tmp_path / "copy"
    target.mkdir()
    (target / name).write_text("old")
    for _ in range(2):
        ran = run("admin", "backup", str(target), "--data", str(data), "--json")
        assert (ran.code, ran.error["code"]) == (1, "backup-exists")
        assert names(target) == [name]
        assert (target / name).read_text() == "old"
    (target / name).unlink()
    assert run("admin", "backup", str(target), "--data", str(data)).code == 0
    assert names(target) == COPIES


@pytest.mark.parametrize(
    ("content", "code"), [(None, "accounts-unwritable"), (b"nonsense" * 1000, "accounts-not-ours")]
)
def test_accounts_that_cannot_be_read(
    run: Run, data: Path, tmp_path: Path, content: bytes | None, code: str
) -> None:
    accounts = data / "accounts.sqlite"
    accounts.unlink()
    if content is None:
        accounts.mkdir()
    else:
        accounts.write_bytes(content)
    target = tmp_path / "copy"
    ran = run("admin", "backup", str(target), "--data", str(data), "--json")
    assert (ran.code, ran.error["code"], ran.error["path"]) == (1, code, str(accounts))
    assert not target.exists() or names(target) == []


def test_accounts_that_somebody_else_holds(run: Run, data: Path, tmp_path: Path) -> None:
    with closing(connect(data / "accounts.sqlite", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        ran = run("admin", "backup", str(tmp_path / "copy"), "--data", str(data), "--json")
    assert (ran.code, ran.error["code"]) == (1, "accounts-in-use")
