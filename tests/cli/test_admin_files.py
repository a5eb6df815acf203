"""Files and ``okey101 admin``: backups, restored ones, folders, and damage."""

import os
import pkgutil
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import structlog

from conftest import Patch, raises_code
from okey101.cli.admin.link import running_in
from okey101.cli.output import Failure
from okey101.i18n import load
from okey101.server.files.data_dir import Folder, Running, require_folder
from server.clients import Client
from server.live import LiveServer, guest
from server.web.parties import in_match, playing

from .conftest import Run, ended

COPIES = ["log.sqlite"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return ended(tmp_path / "data")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_copy_that_is_in_the_way_stays_alone(run: Run, data: Path, tmp_path: Path) -> None:
    name = "log.sqlite"
    target = tmp_path / "copy"
    target.mkdir()
    (target / name).write_text("old")
    for _ in range(2):
        ran = run("admin", "backup", str(target), "--data", str(data), "--json")
        assert ran.refusal == (1, "backup-exists")
        assert names(target) == [name]
        assert (target / name).read_text() == "old"
    (target / name).unlink()
    assert run("admin", "backup", str(target), "--data", str(data)).code == 0
    assert names(target) == COPIES


def test_a_backup_that_is_terminated_leaves_nothing(
    run: Run, data: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    def terminated(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)

    monkeypatch.setattr("okey101.server.store.sqlite.publish", terminated)
    target = tmp_path / "copy"
    assert run("admin", "backup", str(target), "--data", str(data), "--json").code == 130
    assert names(target) == []


# Folders made, refused or somebody else's ---------------------------------------------------------


@pytest.fixture
def crowd(tmp_path: Path) -> Path:
    return ended(tmp_path / "data", people=200)


def test_the_server_makes_the_folder_of_a_backup(run: Run, tmp_path: Path) -> None:
    """It is the server that writes there, perhaps as another user."""
    with LiveServer(tmp_path / "data") as server:
        where = ("--data", str(server.data))
        target = tmp_path / "new" / "copy"
        done = run("admin", "backup", str(target), *where, "--json").json
        assert done["log"] == str(target / "log.sqlite")
        assert target.stat().st_mode & 0o777 == 0o700
        (tmp_path / "file").write_text("")
        ran = run("admin", "backup", str(tmp_path / "file" / "copy"), *where, "--json")
        assert ran.refusal == (1, "folder-failed")
        assert "Not a directory" in ran.error["message"]
        ran = run("admin", "backup", str(target), *where, "--json")
        assert ran.error["code"] == "backup-exists"
        assert names(target) == COPIES
        assert run("admin", "check", *where, "--json").json["problems"] == []


def test_nothing_is_left_of_a_folder_that_is_not_used(
    run: Run, crowd: Path, tmp_path: Path
) -> None:
    (crowd / "log.sqlite").write_bytes(b"nonsense" * 1000)
    target = tmp_path / "new" / "copy"
    assert run("admin", "backup", str(target), "--data", str(crowd)).code == 1
    assert not target.parent.exists()


def test_a_folder_is_made_and_taken_back_with_its_parents(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    remove = require_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    remove()
    assert not (tmp_path / "a").exists()
    remove = require_folder(tmp_path / "a" / "b")
    (tmp_path / "a" / "kept").write_text("")
    remove()
    assert names(tmp_path / "a") == ["kept"]
    require_folder(tmp_path)()
    assert tmp_path.is_dir()
    require_folder(new := tmp_path / "by two" / "at once")
    with monkeypatch.context() as now:
        now.setattr(Path, "exists", lambda path: path not in (new, new.parent))
        require_folder(new)()
    assert new.is_dir(), "the other one uses it"

    def refused(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    with pytest.raises(PermissionError):
        require_folder(tmp_path / "c" / "d")
    assert not (tmp_path / "c").exists()


def test_a_folder_of_somebody_else_is_not_said_to_have_no_server(
    crowd: Path, monkeypatch: Patch
) -> None:
    def refused(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    texts = load("en")
    monkeypatch.setattr(Path, "read_text", refused)
    with raises_code("file-forbidden", Failure):
        running_in(Folder(crowd), texts)


def test_another_program_with_the_number_of_a_killed_server_is_none(run: Run, data: Path) -> None:
    """After a power cut, and in a container, where the numbers begin anew."""
    Folder(data).announce(Running("http://127.0.0.1:1", os.getpid(), "0"))
    assert run("admin", "check", "--data", str(data)).code == 0
    ran = run("admin", "status", "--data", str(data), "--json")
    assert ran.refusal == (4, "server-not-running")


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda whole: whole[: len(whole) // 2],
    "zeroed": lambda whole: whole[:8192] + bytes(8192) + whole[16384:],
    "garbage": lambda _: b"nonsense" * 1000,
    "emptied": lambda _: b"",
}


@pytest.mark.parametrize("damage", [*DAMAGE, "gone"])
def test_a_check_tells_of_any_damage(run: Run, crowd: Path, damage: str) -> None:
    assert run("admin", "check", "--data", str(crowd)).code == 0
    log = crowd / "log.sqlite"
    if damage == "gone":
        log.unlink()
    else:
        log.write_bytes(DAMAGE[damage](log.read_bytes()))
    ran = run("admin", "check", "--data", str(crowd), "--json")
    codes = ("log-unsound", "store-corrupt", "store-not-ours", "no-server-folder")
    assert ran.code == 1
    assert ran.error["code"] in codes


# What was revealed is not dealt again, and files have their owner ---------------------------------


def promise(client: Client) -> object:
    return (client.model.table["commitment"] or {}).get("value")


@pytest.mark.parametrize(("step", "code"), [("shutil.copyfile", 130), ("publish", 0)])
def test_a_restore_that_is_terminated_does_nothing_or_all(
    run: Run, data: Path, tmp_path: Path, monkeypatch: Patch, step: str, code: int
) -> None:
    """What is begun in the folder is done to its end; a copy that was killed is cleared away."""
    where = f"okey101.server.store.restore.{step}"
    copy, new = str(tmp_path / "copy"), tmp_path / "new"
    assert run("admin", "backup", copy, "--data", str(data)).code == 0
    (data / "log.sqlite.part-killed").write_text("left")
    before = {name for name in names(data) if "part" not in name}

    def terminated(*of: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            os.kill(os.getpid(), number)
        time.sleep(0.01)
        monkeypatch.undo()
        pkgutil.resolve_name(where)(*of)

    for folder in (data, new):
        monkeypatch.setattr(where, terminated)
        assert run("admin", "restore", copy, "--data", str(folder)).code == code
    after = {*names(data)}
    assert (after - before == set()) == bool(code)
    assert before <= after
    assert (new / "log.sqlite").exists() == new.exists() != bool(code)
    entries = run("admin", "journal", "--data", str(data), "--json").json["journal"]
    assert ("restore" in {entry["what"] for entry in entries}) != bool(code)


async def test_a_restored_backup_deals_anew_with_words(run: Run, tmp_path: Path) -> None:
    with LiveServer(tmp_path / "data") as server:
        folder = ("--data", str(server.data))
        async with in_match(server, playing, deals=3) as client:
            first = promise(client)
            assert run("admin", "backup", str(tmp_path / "copy"), *folder).code == 0
            await client.play_on(lambda c: c.model.table["scores"]["counted"] > 0)
            refused = run("admin", "restore", str(tmp_path / "copy"), *folder, "--json")
            assert refused.error["code"] == "server-runs"
            server.stop()
        ran = run("admin", "restore", str(tmp_path / "copy"), *folder, "--json").json
        assert (ran["goes_on"], ran["tables"]) == (False, [client.table])
        assert names(Path(ran["kept"])) == ["log.mark", "log.sqlite"]
        for path in server.data.rglob("*"):
            assert path.stat().st_mode & 0o077 == 0, path
            assert path.stat().st_uid == server.data.stat().st_uid
        server.start()
        async with Client(server, client.table, client.person) as again:
            assert again.model.deal is None
            assert again.model.table["scores"]["counted"] == 0
            assert promise(again) not in (None, first)
            assert "restored" in [event["event"] for event in server.events]
            entries = run("admin", "journal", *folder, "--json").json["journal"]
            assert ("restore", "done") in [(entry["what"], entry["outcome"]) for entry in entries]
            await again.play_on(lambda c: c.model.stage == "playing")


@pytest.mark.parametrize("lost", [False, True])
async def test_who_was_erased_stays_erased(
    run: Run, tmp_path: Path, monkeypatch: Patch, *, lost: bool
) -> None:
    """Whether the folder is there still, or another backup beside the first alone knows of it."""
    backups = tmp_path / "backups"
    folder = ("--data", str(tmp_path / "data"))

    def people() -> list[str]:
        return [user["name"] for user in run("admin", "users", *folder, "--json").json["users"]]

    with LiveServer(tmp_path / "data") as server:
        async with server.http() as http:
            ali, _ = await guest(http, "Ali"), await guest(http, "Veli")
            for name in ("first", "second"):
                assert run("admin", "backup", str(backups / name), *folder).code == 0
                await http.delete("/api/me", headers=ali.headers)
        assert people() == ["Veli", None]
        server.stop()
        source = str(backups / "first")
        if lost:
            shutil.rmtree(tmp_path / "data")
            monkeypatch.chdir(source)
            source = "."
        ran = run("admin", "restore", source, *folder, "--json").json
        assert ran["erased"] == 1
        server.start()
        assert people() == ["Veli", None]


def test_what_a_log_says_is_no_part_of_an_answer(
    run: Run, tmp_path: Path, monkeypatch: Patch
) -> None:
    folder = ("--data", str(ended(tmp_path / "data", people=1)))
    full = OSError(28, "No space left on device")
    monkeypatch.setattr("okey101.server.people.service.note_erased", Mock(side_effect=full))
    structlog.reset_defaults()
    ran = run("admin", "erase", "Misafir 0", "--yes", *folder, "--json")
    assert ran.json["done"]
    assert "erasure-not-noted" in ran.err


def test_a_folder_of_somebody_else_beside_a_backup_is_no_backup(
    run: Run, data: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    """As in /tmp: the copy is back by then, and who was erased has to be erased again."""
    copy, other = tmp_path / "copy", tmp_path / "other" / "log.erased"
    assert run("admin", "backup", str(copy), "--data", str(data)).code == 0
    read = Path.read_bytes

    def refused(path: Path) -> bytes:
        if path == other:
            raise PermissionError(13, "Permission denied")
        return read(path)

    other.parent.mkdir()
    monkeypatch.setattr(Path, "read_bytes", refused)
    assert run("admin", "restore", str(copy), "--data", str(data), "--json").json["erased"] == 0


def test_each_of_two_quick_restores_keeps_what_stood_there(
    run: Run, data: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    assert run("admin", "backup", str(copy), "--data", str(data)).code == 0
    restore = "admin", "restore", str(copy), "--data", str(data), "--json"
    assert len({run(*restore).json["kept"] for _ in range(3)}) == 3


def test_what_only_reads_leaves_a_backup_as_it_is(run: Run, data: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert run("admin", "backup", str(copy), "--data", str(data)).code == 0
    before = {path.name: path.read_bytes() for path in copy.iterdir()}
    for command in ("check", "journal", "reports"):
        assert run("admin", command, "--data", str(copy), "--json").json["ok"], command
        assert {path.name: path.read_bytes() for path in copy.iterdir()} == before, command
    ran = run("store", "copy", str(copy), str(tmp_path / "new"), "--json")
    assert ran.refusal == (1, "copy-of-backup")
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == before
    assert not (tmp_path / "new").exists()
    (copy / "log.sqlite").write_bytes(b"no log at all" * 100)
    ran = run("admin", "check", "--data", str(copy), "--json")
    assert ran.refusal == (1, "store-not-ours")
    assert str(copy) in ran.error["message"]


def test_nothing_is_put_where_a_server_in_a_database_does_not_look(
    run: Run, data: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setenv("OKEY101_DATABASE", "postgresql://okey101@127.0.0.1:1/okey101")
    ran = run("admin", "restore", str(data), "--data", str(data), "--json")
    assert ran.refusal == (1, "backup-elsewhere")


def test_what_is_no_backup_is_named_and_no_folder_is_left(run: Run, tmp_path: Path) -> None:
    new, other = tmp_path / "new", tmp_path / "match.json"
    other.write_text("{}" * 1000)
    for source, code in ((tmp_path, "no-server-folder"), (other, "store-not-ours")):
        ran = run("admin", "restore", str(source), "--data", str(new), "--json")
        assert ran.refusal == (1, code)
        assert str(source) in ran.error["message"]
        assert not new.exists()
