"""A second copy of the log on another disk, and what it brings back."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from okey101.errors import OkeyError
from okey101.server.store import Row, SqliteStore, StoreError
from okey101.server.store.lost import findings_in
from okey101.server.store.mark import mark_path
from okey101.server.store.mirror import Mirror, frames_in
from okey101.server.store.restore import Restored, restore_log
from server.store.stores import append, row, with_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "log.sqlite"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "mirror"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the mirror's disk fails, which a test changes as it likes."""
    write, fails = Mirror.append, [False]

    def refuse(mirror: Mirror, *args: Any) -> None:
        if fails[0]:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        write(mirror, *args)

    monkeypatch.setattr(Mirror, "append", refuse)
    return fails


def kept(copy: Path) -> list[tuple[str, int]]:
    return [(one[0], one[1]) for frame in frames_in(copy) for one in frame.rows]


def restored(source: Path, path: Path) -> Restored:
    return restore_log(source, path, path.parent / "aside")


async def all_of(path: Path) -> dict[str, list[Row]]:
    store = SqliteStore.open(path)
    try:
        assert await store.check() == []
        return {table: await store.read(table) for table in await store.running()}
    finally:
        await store.close()


@pytest.mark.parametrize("when", ["before", "after"])
async def test_the_mirror_brings_back_every_row_when_the_first_disk_is_gone(
    path: Path, copy: Path, when: str
) -> None:
    await append(path, "a", "b", first=1, until=5)  # from before there was a mirror
    await append(path, "a", first=6, until=9, mirror=copy, mirror_when=when)
    assert len(kept(copy)) == 14
    assert copy.stat().st_mode & 0o077 == 0
    whole = await all_of(path)
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    done = restored(copy, path)
    assert (done.rows, done.goes_on) == (14, when == "before")
    assert await all_of(path) == whole
    assert [one.why for one in findings_in(path)] == ([] if when == "before" else ["restored"])
    await append(path, "a", first=10, until=10, mirror=copy, mirror_when=when)
    assert len(kept(copy)) == 15


async def test_a_row_is_on_both_disks_before_it_is_acknowledged(
    path: Path, copy: Path, broken: list[bool]
) -> None:
    async with with_store(path, mirror=copy) as store:
        await store.append(row("a", 1))
        broken[0] = True
        with pytest.raises(StoreError):
            await store.append(row("a", 2))
        broken[0] = False
        assert len(await store.read("a")) == 2
        assert kept(copy) == [("a", 1), ("a", 2)]


async def test_a_mirror_that_fails_afterwards_catches_up(
    path: Path, copy: Path, broken: list[bool]
) -> None:
    with capture_logs() as lines:
        async with with_store(path, mirror=copy, mirror_when="after") as store:
            await store.append(row("a", 1))
            broken[0] = True
            await store.append(row("a", 2))
            await store.append(row("a", 3))
            broken[0] = False
            await store.append(row("a", 4))
            await store.read("a")
    assert [line["event"] for line in lines] == ["mirror-failing", "mirror-works-again"]
    assert kept(copy) == [("a", seq) for seq in range(1, 5)]


async def test_a_frame_written_in_part_is_written_again(path: Path, copy: Path) -> None:
    await append(path, "a", first=1, until=4, mirror=copy)
    with copy.open("rb+") as file:
        file.truncate(copy.stat().st_size - 7)
    assert len(kept(copy)) == 3
    await append(path, "a", first=5, until=5, mirror=copy)
    assert kept(copy) == [("a", seq) for seq in range(1, 6)]


async def test_a_log_that_lacks_what_its_mirror_has_is_refused(path: Path, copy: Path) -> None:
    await append(path, "a", first=1, until=3, mirror=copy)
    before = path.read_bytes()
    await append(path, "a", first=4, until=6, mirror=copy)
    whole = await all_of(path)
    path.write_bytes(before)
    for _ in range(2):
        with pytest.raises(OkeyError) as caught:
            SqliteStore.open(path, mirror=copy)
        assert caught.value.code == "mirror-differs"
    assert findings_in(path) == []
    assert restored(copy, path) == Restored(6, goes_on=True, tables=[])
    assert await all_of(path) == whole
    assert findings_in(path) == []


async def test_a_batch_that_nobody_heard_of_is_not_missed(
    path: Path, copy: Path, broken: list[bool]
) -> None:
    """The end came between the commit and the mirror, and the log was lost, but not its mark."""
    async with with_store(path, mirror=copy) as store:
        await store.append(row("a", 1))
        broken[0] = True
        with pytest.raises(StoreError):
            await store.append(row("a", 2))
    path.write_bytes(bytes(path.stat().st_size))
    assert restored(copy, path) == Restored(1, goes_on=True, tables=[])
    assert findings_in(path) == []


async def test_tables_that_left_the_log_are_not_missed_in_a_mirror(path: Path, copy: Path) -> None:
    """The mark knows of them; the mirror has their rows, as if they had never left."""
    async with with_store(path, mirror=copy) as store:
        await store.append(row("a", 1))
        await store.append(row("a", 2, last=True))
        await store.append(row("b", 1))
        while await store.archive():
            pass
    path.write_bytes(bytes(path.stat().st_size))
    assert restored(copy, path) == Restored(3, goes_on=True, tables=[])
    assert findings_in(path) == []
    async with with_store(path, mirror=copy) as store:
        assert await store.check() == []
        assert await store.closed("a")
        while await store.archive():
            pass
        assert await store.check() == []


# Copies ---------------------------------------------------------------------------------------


async def backup(path: Path, target: Path) -> None:
    async with with_store(path) as store:
        await store.backup(target)


async def test_a_copy_of_the_last_moment_goes_on_and_an_older_one_does_not(path: Path) -> None:
    older, last = path.with_name("older"), path.with_name("last")
    await append(path, "a", "b", first=1, until=3)
    await backup(path, older)
    await append(path, "a", first=4, until=6)
    await backup(path, last)
    assert restored(last, path) == Restored(9, goes_on=True, tables=[])
    assert (path.parent / "aside" / path.name).exists()
    assert findings_in(path) == []
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


async def test_a_copy_in_an_empty_folder_does_not_go_on(path: Path, tmp_path: Path) -> None:
    await append(path, "a", first=1, until=3)
    other = tmp_path / "other"
    other.mkdir()
    assert not restored(path, other / path.name).goes_on
    assert mark_path(other / path.name).exists()
    await append(other / path.name, "a", first=4, until=4)
    assert len(findings_in(other / path.name)) == 1


async def test_what_is_damaged_is_refused_and_nothing_is_moved(path: Path) -> None:
    await append(path, "a", first=1, until=3)
    before = path.read_bytes()
    bad, none = path.with_name("bad"), path.with_name("none")
    bad.write_bytes(b"no mirror at all")
    for source in (bad, none):
        with pytest.raises(OkeyError) as caught:
            restored(source, path)
        assert caught.value.code == "restore-failed"
    assert path.read_bytes() == before
    assert sorted(one.name for one in path.parent.iterdir()) == ["bad", "log.mark", "log.sqlite"]


async def test_a_log_in_use_is_left_alone(path: Path) -> None:
    source = path.with_name("source")
    await append(path, "a", first=1, until=3)
    await backup(path, source)

    async with with_store(path) as store:
        with pytest.raises(OkeyError) as caught:
            restored(source, path)
        assert caught.value.code == "store-in-use"
        await store.append(row("a", 4))
