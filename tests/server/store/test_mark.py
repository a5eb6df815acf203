"""Acknowledged rows that vanish are told, by chain and mark; and copies are put back."""

import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from conftest import Patch, raises_code
from okey101.server.store import StoreError, mark as store_mark
from okey101.server.store.base import link_of
from okey101.server.store.erased import erased_path, erasure_of, note_erased
from okey101.server.store.file import OTHERS, holds
from okey101.server.store.lost import Shortfall, findings_in, findings_path
from okey101.server.store.mark import MarkFile, TableEnd, mark_path, marks_in
from okey101.server.store.restore import Restored, restore_log
from okey101.server.store.sealed import seal_of
from server.store.memory import append, changed, row, with_store


async def opened(path: Path) -> list[Shortfall]:
    """What a start finds."""
    async with with_store(path) as store:
        return store.findings


async def checked(path: Path) -> list[str]:
    async with with_store(path) as store:
        return await store.check()


async def cut_back(path: Path, *tables: str, until: int, first: int) -> None:
    """Append rows that are gone afterwards, while their mark stays."""
    before = path.read_bytes()
    await append(path, *tables, until=until, first=first)
    path.write_bytes(before)


# The chain ------------------------------------------------------------------------------------


def test_every_part_of_a_row_is_in_its_link() -> None:
    one = row("a", 1)
    others = [
        one._replace(table="b"), one._replace(seq=2), one._replace(at_ms=2),
        one._replace(entry=b"{ }"), one._replace(rules_version=2), one._replace(state_hash="x"),
        one._replace(last=True), one._replace(table="ah", state_hash="ash-1"),
    ]  # fmt: skip
    links = {link_of(b"", other) for other in [one, *others]} | {link_of(b"x" * 16, one)}
    assert len(links) == len(others) + 2


# The mark -------------------------------------------------------------------------------------


async def test_a_whole_log_is_no_finding_nor_one_ahead_of_its_mark(path: Path) -> None:
    """That is what a crash leaves."""
    for first in (1, 4, 7):
        await append(path, "a", "b", first=first, until=first + 2)
        assert await opened(path) == []
    before = mark_path(path).read_bytes()
    await append(path, "a", first=10, until=12)
    mark_path(path).write_bytes(before)
    assert await opened(path) == []
    await append(path, "a", first=13, until=13)
    assert await checked(path) == []
    assert mark_path(path).stat().st_mode & 0o077 == 0


async def test_a_log_that_lost_its_end_is_told_with_the_tables_concerned(path: Path) -> None:
    """Until the file of the findings is deleted."""
    await append(path, "a", "b", "c", until=3)
    await cut_back(path, "a", "c", until=5, first=4)
    found = await opened(path)
    assert [(one.why, one.ends) for one in found] == [("log-truncated", {"a": 3, "c": 3})]
    assert found[0].rows >= 4
    await append(path, "a", until=9, first=4)
    assert [one.why for one in await opened(path)] == ["log-truncated"]
    assert len(findings_in(path)) == 1
    assert "log-truncated" in "".join(await checked(path))
    findings_path(path).unlink()
    assert await opened(path) == []


async def test_another_log_in_its_place_is_told(path: Path) -> None:
    await append(path, "a", until=3)
    other = path.with_name("other.sqlite")
    await append(other, "z", until=30)
    shutil.copyfile(other, path)
    found = await opened(path)
    assert [one.ends for one in found] == [{"a": 0, "z": 30}]


async def test_a_log_without_its_mark_counts_as_restored(path: Path) -> None:
    await append(path, "a", "b", until=3)
    mark_path(path).unlink()
    found = await opened(path)
    assert [(one.why, one.ends) for one in found] == [("restored", {"a": 3, "b": 3})]
    assert await checked(path) == []  # nothing is known to be missing


async def test_check_looks_at_all_marks_and_a_start_at_the_last(path: Path) -> None:
    """Rows that went from the middle, links and all: only a look at everything shows it."""
    await append(path, "a", until=3)
    await append(path, "b", until=3)
    changed(path, "DELETE FROM log WHERE table_id = 'a' AND seq = 3")
    leftover = path.with_name("log.sqlite.check-012345")
    leftover.touch()
    assert await opened(path) == []
    assert not leftover.exists()
    assert await checked(path) == ["table a: log-truncated: row 3 was stored and is gone"]


async def test_nothing_is_acked_before_it_is_marked(path: Path, monkeypatch: Patch) -> None:
    written = store_mark._write_through
    broken = [False]

    def write(file: int, data: bytes, at: int) -> None:
        if broken[0]:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        written(file, data, at)

    monkeypatch.setattr(store_mark, "_write_through", write)
    async with with_store(path) as store:
        await store.append(row("a", 1))
        broken[0] = True
        for call in (store.append(row("a", 2)), store.append(row("b", 1)), store.read("a")):
            with pytest.raises(StoreError):
                await call
        with raises_code("backup-failed"):
            await store.backup(path.with_name("copy.sqlite"))
        broken[0] = False
        assert [one.seq for one in await store.read("a")] == [1, 2]  # stored, as it turns out
        await store.append(row("a", 3))
        assert store.healthy
    assert await opened(path) == []


def test_a_mark_goes_round_and_keeps_the_latest(path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(store_mark, "_SIZE", 4096)
    file = MarkFile(path)
    for number in range(1, 200):
        file.write(number * 2, [TableEnd(f"t{n}", number, bytes(16)) for n in range(number % 9)])
    file.close()
    marks = marks_in(path)
    assert [mark.number for mark in marks] == list(range(199, 199 - len(marks), -1))
    assert len(marks) > 5
    again = MarkFile(path)
    assert again.history[0] == marks[0]
    again.write(999, [])
    again.close()
    assert [mark.number for mark in marks_in(path)][:2] == [200, 199]
    data = bytearray(path.read_bytes())
    at = data.rindex(b"okm1")
    data[at + 20] ^= 1  # torn
    path.write_bytes(data)
    assert MarkFile(path).history


def test_a_batch_of_very_many_tables_is_marked_without_them(tmp_path: Path) -> None:
    file = MarkFile(tmp_path / "log.mark")
    file.write(5, [TableEnd(f"table-{n}", 1, bytes(16)) for n in range(5_000)])
    file.close()
    assert [(mark.position, mark.ends) for mark in marks_in(tmp_path / "log.mark")] == [(5, None)]


# Damage ---------------------------------------------------------------------------------------


def test_a_row_that_the_disk_has_emptied_is_a_loss_and_no_traceback() -> None:
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.execute("CREATE TABLE others (seq, link)")
        conn.execute("INSERT INTO others VALUES (NULL, x'')")
        assert not holds(conn, TableEnd(OTHERS, 3, b"link"))
        with pytest.raises(sqlite3.DatabaseError, match="damaged"):
            seal_of(conn, "matches")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "log.sqlite"


def restored(source: Path, path: Path) -> Restored:
    return restore_log(source, path, path.parent / "aside")


async def backup(path: Path, target: Path) -> None:
    """A copy, and the line in the journal that tells of it."""
    async with with_store(path) as store:
        await store.backup(target)
        await store.note("admin-journal", b"{}", 9)


async def test_a_copy_of_the_last_moment_goes_on_and_an_older_one_does_not(path: Path) -> None:
    older, last = path.with_name("older"), path.with_name("last")
    await append(path, "a", "b", first=1, until=3)
    await backup(path, older)
    await append(path, "a", first=4, until=6)
    await backup(path, last)
    assert restored(last, path) == Restored(9, goes_on=True, tables=[])
    assert (path.parent / "aside" / path.name).exists()
    assert findings_in(path) == []
    for _ in range(2):  # put there once more, it is as old, whatever its own mark says by now
        shutil.rmtree(path.parent / "aside")
        done = restored(older, path)
        assert (done.goes_on, done.tables) == (False, ["a", "b"])
        found = findings_in(path)
        assert [(one.why, one.ends) for one in found] == [("restored", {"a": 3, "b": 3})]
        assert found[0].rows == 3
    # Told once: the mark is that of the log which stands there now.
    async with with_store(path) as store:
        assert await store.check() == []
    await append(path, "a", first=4, until=4)
    assert len(findings_in(path)) == 1
    told = findings_path(path).read_bytes()
    for bit in range(8):  # of a name in it: what is no UTF-8 is no line either
        at = told.index(b'"a"') + 1
        damaged = told[:at] + bytes([told[at] ^ 1 << bit]) + told[at + 1 :]
        findings_path(path).write_bytes(damaged)
        assert [one.why for one in findings_in(path)] in (["restored"], ["log-truncated"])


async def test_a_copy_put_back_does_not_make_the_list_of_the_erased_whole(path: Path) -> None:
    older = path.with_name("older")
    await append(path, "a", first=1, until=3)
    await backup(path, older)
    note_erased(path, [erasure_of("u_ali"), erasure_of("u_veli")])
    damaged = bytearray(erased_path(path).read_bytes())
    damaged[32:96] = bytes(64)
    erased_path(path).write_bytes(damaged)
    await append(path, "a", first=4, until=6)
    for _ in range(2):
        assert not restored(older, path).goes_on
        found = [one.why for one in findings_in(path)]
        assert found == ["erasures-damaged", "restored"], "who was erased may be there again"
        shutil.rmtree(path.parent / "aside")
        await append(path, "a", first=4, until=6)


async def test_a_copy_in_an_empty_folder_does_not_go_on(path: Path, tmp_path: Path) -> None:
    await append(path, "a", first=1, until=3)
    other = tmp_path / "other"
    other.mkdir()
    assert not restored(path, other / path.name).goes_on
    assert mark_path(other / path.name).exists()
    await append(other / path.name, "a", first=4, until=4)
    assert len(findings_in(other / path.name)) == 1


async def test_a_folder_that_was_kept_has_its_last_rows_in_the_write_ahead_log(
    path: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    async with with_store(path) as store:
        await store.append(row("a", 1))
        shutil.copytree(path.parent, kept, ignore=shutil.ignore_patterns(kept.name))
    assert restored(kept / path.name, path).rows == 1
    assert await checked(path) == []
    assert sorted(one.name for one in kept.iterdir() if "-" in one.name) == ["log.sqlite-wal"]


async def test_what_can_not_be_put_there_leaves_what_stood_there(
    path: Path, monkeypatch: Patch
) -> None:
    copy = path.with_name("copy")
    await append(path, "a", first=1, until=3)
    await backup(path, copy)
    findings_path(path).write_bytes(b'{"why":"erasures-damaged","at_ms":1,"rows":0,"ends":{}}\n')
    before = {one.name: one.stat().st_ino for one in path.parent.iterdir()}
    broken = Mock(side_effect=OSError(5, "Input/output error"))
    monkeypatch.setattr("okey101.server.store.restore.publish", broken)
    with raises_code("restore-failed"):
        restored(copy, path)
    assert {one.name: one.stat().st_ino for one in path.parent.iterdir()} == before


async def test_what_is_damaged_is_refused_and_nothing_is_moved(path: Path) -> None:
    await append(path, "a", first=1, until=3)
    before = path.read_bytes()
    bad, none = path.with_name("bad"), path.with_name("none")
    bad.write_bytes(b"no log at all")
    for source, code in ((bad, "store-not-ours"), (none, "restore-failed")):
        with raises_code(code):
            restored(source, path)
    assert path.read_bytes() == before
    assert sorted(one.name for one in path.parent.iterdir()) == ["bad", "log.mark", "log.sqlite"]


async def test_a_log_in_use_is_left_alone(path: Path) -> None:
    source = path.with_name("source")
    await append(path, "a", first=1, until=3)
    await backup(path, source)
    async with with_store(path) as store:
        with raises_code("store-in-use"):
            restored(source, path)
        await store.append(row("a", 4))
