"""A copy of the log put back in its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import raises_code
from okey101.server.store.lost import findings_in
from okey101.server.store.mark import mark_path
from okey101.server.store.restore import Restored, restore_log
from server.store.stores import append, row, with_store


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
