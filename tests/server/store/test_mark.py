"""Acknowledged rows that vanish are told: the chain of each table, and the mark beside the log."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from okey101.server.store import Row, SqliteStore, StoreError
from okey101.server.store import mark as store_mark
from okey101.server.store.chain import START, link_of
from okey101.server.store.lost import Shortfall, findings_in, findings_path
from okey101.server.store.mark import MarkFile, TableEnd, mark_path, marks_in

Body = Callable[[SqliteStore], Awaitable[None]]


def row(table: str, seq: int, *, last: bool = False, entry: bytes = b"{}") -> Row:
    return Row(table, seq, seq, entry, 1, f"hash-{seq}", last)


def with_store(path: Path, body: Body) -> None:
    async def inside() -> None:
        store = SqliteStore.open(path)
        try:
            await body(store)
        finally:
            await store.close()

    asyncio.run(inside())


def rows(*tables: str, until: int, first: int = 1) -> Body:
    """Append rows to tables, in turn."""

    async def body(store: SqliteStore) -> None:
        for seq in range(first, until + 1):
            await asyncio.gather(*(store.append(row(table, seq)) for table in tables))

    return body


def opened(path: Path) -> list[Shortfall]:
    """What a start finds."""
    found: list[Shortfall] = []

    async def body(store: SqliteStore) -> None:
        found.extend(store.findings)

    with_store(path, body)
    return found


def checked(path: Path) -> list[str]:
    problems: list[str] = []

    async def body(store: SqliteStore) -> None:
        problems.extend(await store.check())

    with_store(path, body)
    return problems


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


def cut_back(path: Path, body: Body) -> None:
    """Append rows that are gone afterwards, while their mark stays."""
    before = path.read_bytes()
    with_store(path, body)
    path.write_bytes(before)


# The chain ------------------------------------------------------------------------------------


def test_every_part_of_a_row_is_in_its_link() -> None:
    one = row("a", 1)
    others = [
        one._replace(table="b"), one._replace(seq=2), one._replace(at_ms=2),
        one._replace(entry=b"{ }"), one._replace(rules_version=2), one._replace(state_hash="x"),
        one._replace(last=True), one._replace(table="ah", state_hash="ash-1"),
    ]  # fmt: skip
    links = {link_of(START, other) for other in [one, *others]} | {link_of(b"x" * 16, one)}
    assert len(links) == len(others) + 2


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE log SET entry = x'7b20' WHERE table_id = 'a' AND seq = 3",
        "UPDATE log SET at_ms = 7 WHERE table_id = 'a' AND seq = 5",
        "UPDATE log SET chain = NULL WHERE table_id = 'a' AND seq = 2",
        "UPDATE log SET chain = zeroblob(16) WHERE table_id = 'a' AND seq = 4",
    ],
)
def test_a_changed_row_does_not_continue_the_chain(path: Path, sql: str) -> None:
    with_store(path, rows("a", "b", until=5))
    assert checked(path) == []
    with closing(sqlite3.connect(path)) as conn, conn:
        assert conn.execute(sql).rowcount == 1
    problems = checked(path)
    assert problems
    assert all("table a: " in problem for problem in problems)


def test_rows_from_before_the_chain_stay_as_they_are(path: Path) -> None:
    """A log of the first version: only rows written from now on have links."""
    with_store(path, rows("a", "b", until=3))
    mark_path(path).unlink()
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("ALTER TABLE log DROP COLUMN chain")
        conn.execute("DROP TABLE archived")
        conn.execute("PRAGMA user_version = 1")
    assert opened(path) == []
    with_store(path, rows("a", "c", first=1, until=0))
    with_store(path, rows("a", first=4, until=6))
    assert checked(path) == []
    with closing(sqlite3.connect(path)) as conn, conn:
        links = conn.execute("SELECT chain IS NULL FROM log WHERE table_id = 'a' ORDER BY seq")
        assert [bool(old) for (old,) in links] == [True] * 3 + [False] * 3
        conn.execute("UPDATE log SET at_ms = 9 WHERE table_id = 'a' AND seq = 3")
    assert checked(path) == ["table a: row 4 does not follow the one before (chain)"]


# The mark -------------------------------------------------------------------------------------


def test_a_whole_log_is_no_finding(path: Path) -> None:
    for first in (1, 4, 7):
        with_store(path, rows("a", "b", first=first, until=first + 2))
        assert opened(path) == []
    assert checked(path) == []
    assert mark_path(path).stat().st_mode & 0o077 == 0


def test_a_mark_behind_the_log_is_what_a_crash_leaves(path: Path) -> None:
    with_store(path, rows("a", until=3))
    before = mark_path(path).read_bytes()
    with_store(path, rows("a", first=4, until=6))
    mark_path(path).write_bytes(before)
    assert opened(path) == []
    with_store(path, rows("a", first=7, until=7))
    assert checked(path) == []


def test_a_log_that_lost_its_end_is_told_with_the_tables_concerned(path: Path) -> None:
    with_store(path, rows("a", "b", "c", until=3))
    cut_back(path, rows("a", "c", until=5, first=4))
    found = opened(path)
    assert [(one.why, one.ends) for one in found] == [("log-truncated", {"a": 3, "c": 3})]
    assert found[0].rows >= 4


def test_a_finding_is_told_until_its_file_is_deleted(path: Path) -> None:
    with_store(path, rows("a", until=3))
    cut_back(path, rows("a", until=5, first=4))
    assert [one.why for one in opened(path)] == ["log-truncated"]
    with_store(path, rows("a", until=9, first=4))
    assert [one.why for one in opened(path)] == ["log-truncated"]
    assert len(findings_in(path)) == 1
    assert "log-truncated" in "".join(checked(path))
    findings_path(path).unlink()
    assert opened(path) == []


def test_a_deleted_log_is_told(path: Path) -> None:
    with_store(path, rows("a", "b", until=3))
    path.unlink()
    found = opened(path)
    assert [one.ends for one in found] == [{"a": 0, "b": 0}]


def test_another_log_in_its_place_is_told(path: Path) -> None:
    with_store(path, rows("a", until=3))
    other = path.with_name("other.sqlite")
    with_store(other, rows("z", until=30))
    shutil.copyfile(other, path)
    found = opened(path)
    assert [one.ends for one in found] == [{"a": 0, "z": 30}]


def test_a_log_without_its_mark_counts_as_restored(path: Path) -> None:
    with_store(path, rows("a", "b", until=3))
    mark_path(path).unlink()
    found = opened(path)
    assert [(one.why, one.ends) for one in found] == [("restored", {"a": 3, "b": 3})]
    assert checked(path) == []  # nothing is known to be missing


def test_a_rewritten_page_of_the_write_ahead_log_is_told(path: Path) -> None:
    """What a power cut leaves of a disk that lies: the last frames are zeros."""

    async def body(store: SqliteStore) -> None:
        for seq in range(1, 101):
            await store.append(row("a", seq, entry=b"x" * 200))
        await store._ask(lambda _: shutil.copytree(path.parent, path.parent.parent / "killed"))

    with_store(path, body)
    folder = path.parent.parent / "killed"
    wal = folder / "log.sqlite-wal"
    with wal.open("rb+") as file:
        file.seek(wal.stat().st_size // 2)
        file.write(bytes(4096))
    found = opened(folder / path.name)
    assert 0 < found[0].ends["a"] < 100
    assert found[0].rows == 100 - found[0].ends["a"]


def test_check_looks_at_all_marks_and_a_start_at_the_last(path: Path) -> None:
    """Rows that went from the middle, links and all: only a look at everything shows it."""
    with_store(path, rows("a", until=3))
    with_store(path, rows("b", until=3))
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("DELETE FROM log WHERE table_id = 'a' AND seq = 3")
    assert opened(path) == []
    assert checked(path) == ["table a: log-truncated: row 3 was stored and is gone"]


def test_nothing_is_acknowledged_before_it_is_marked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = store_mark._write_through
    broken = [False]

    def write(file: int, data: bytes, at: int) -> None:
        if broken[0]:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        written(file, data, at)

    monkeypatch.setattr(store_mark, "_write_through", write)

    async def body(store: SqliteStore) -> None:
        await store.append(row("a", 1))
        broken[0] = True
        for call in (store.append(row("a", 2)), store.append(row("b", 1)), store.read("a")):
            with pytest.raises(StoreError):
                await call
        broken[0] = False
        assert [one.seq for one in await store.read("a")] == [1, 2]  # stored, as it turns out
        await store.append(row("a", 3))
        assert store.healthy

    with_store(path, body)
    assert opened(path) == []


def test_a_mark_goes_round_and_keeps_the_latest(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_mark, "_SIZE", 4096)
    file = MarkFile(path)
    for number in range(1, 200):
        file.write(number * 2, [TableEnd(f"t{n}", number, bytes(16)) for n in range(number % 9)])
    file.close()
    marks = marks_in(path)
    assert [mark.number for mark in marks] == list(range(199, 199 - len(marks), -1))
    assert len(marks) > 5
    again = MarkFile(path)
    assert again.newest == marks[0]
    again.write(999, [])
    again.close()
    assert [mark.number for mark in marks_in(path)][:2] == [200, 199]
    data = bytearray(path.read_bytes())
    at = data.rindex(b"okm1")
    data[at + 20] ^= 1  # torn
    path.write_bytes(data)
    assert MarkFile(path).newest is not None


def test_a_batch_of_very_many_tables_is_marked_without_them(tmp_path: Path) -> None:
    file = MarkFile(tmp_path / "log.mark")
    file.write(5, [TableEnd(f"table-{n}", 1, bytes(16)) for n in range(5_000)])
    file.close()
    assert [(mark.position, mark.ends) for mark in marks_in(tmp_path / "log.mark")] == [(5, None)]
