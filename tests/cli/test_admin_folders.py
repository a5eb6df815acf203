"""``okey101 admin``: folders made, refused or somebody else's, and accounts with faults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from okey101.cli.admin.link import running_in
from okey101.cli.failures import Failure
from okey101.i18n import load
from okey101.server.data_dir import Folder, require_folder
from server.live import LiveServer

from .conftest import Run, ended


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a server that does not run, with enough people for some pages."""
    return ended(tmp_path / "data", people=200)


def test_the_server_makes_the_folder_of_a_backup(run: Run, tmp_path: Path) -> None:
    """It is the server that writes there, perhaps as another user."""
    with LiveServer(tmp_path / "data") as server:
        where = ("--data", str(server.data))
        target = tmp_path / "new" / "copy"
        assert run("admin", "backup", str(target), *where).code == 0
        assert target.stat().st_mode & 0o777 == 0o700
        (tmp_path / "file").write_text("")
        ran = run("admin", "backup", str(tmp_path / "file" / "copy"), *where, "--json")
        assert (ran.code, ran.error["code"]) == (1, "folder-failed")
        assert "Not a directory" in ran.error["message"]
        ran = run("admin", "backup", str(target), *where, "--json")
        assert ran.error["code"] == "backup-exists"
        assert sorted(path.name for path in target.iterdir()) == ["accounts.sqlite", "log.sqlite"]


def test_nothing_is_left_of_a_folder_that_is_not_used(run: Run, data: Path, tmp_path: Path) -> None:
    (data / "accounts.sqlite").write_bytes(b"nonsense" * 1000)
    target = tmp_path / "new" / "copy"
    assert run("admin", "backup", str(target), "--data", str(data)).code == 1
    assert not target.parent.exists()


def test_a_folder_is_made_and_taken_back_with_its_parents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = require_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    made.remove()
    assert not (tmp_path / "a").exists()
    made = require_folder(tmp_path / "a" / "b")
    (tmp_path / "a" / "kept").write_text("")
    made.remove()
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["kept"]
    require_folder(tmp_path).remove()
    assert tmp_path.is_dir()

    def refused(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    with pytest.raises(PermissionError):
        require_folder(tmp_path / "c" / "d")
    assert not (tmp_path / "c").exists()


def test_a_folder_of_somebody_else_is_not_said_to_have_no_server(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    texts = load("en")
    monkeypatch.setattr(Path, "read_text", refused)
    with pytest.raises(Failure) as caught:
        running_in(Folder(data), texts)
    assert caught.value.code == "file-forbidden"


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _zeroed(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + bytes(8192) + whole[16384:])


def _garbage(path: Path) -> None:
    path.write_bytes(b"nonsense" * 1000)


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [_truncated, _zeroed, _garbage, _emptied, Path.unlink])
def test_a_check_looks_at_the_accounts(
    run: Run, data: Path, damage: Callable[[Path], None]
) -> None:
    assert run("admin", "check", "--data", str(data)).code == 0
    accounts = data / "accounts.sqlite"
    damage(accounts)
    before = accounts.read_bytes() if accounts.exists() else None
    ran = run("admin", "check", "--data", str(data), "--json")
    assert (ran.code, ran.error["code"]) == (1, "log-unsound")
    assert any("accounts" in problem for problem in ran.error["problems"])
    assert (accounts.read_bytes() if accounts.exists() else None) == before
