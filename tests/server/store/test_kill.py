"""A killed process loses nothing that it acknowledged."""

import asyncio
import os
import random
import sys
import threading
from pathlib import Path

from conftest import Size
from okey101.server.store import Row
from server.forks import begin
from server.store.memory import with_store

CHILD = Path(__file__).with_name("kill_child.py")
TABLES = 24


def killed_after(path: Path, seconds: float) -> list[tuple[str, int]]:
    """What a child acknowledged before it was killed that long after its first row."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as out, Path(os.devnull).open("wb") as errors:
        child = begin([sys.executable, str(CHILD), str(path), str(TABLES)], os.environ, out, errors)
    with os.fdopen(reading, encoding="ascii") as lines:
        first = lines.readline()
        threading.Timer(seconds, child.kill).start()
        told = [first, *lines]
    assert child.wait() == -9
    # The last line may be cut off.
    whole = [line.split() for line in told if line.endswith("\n")]
    return [(table, int(seq)) for table, seq in whole]


async def rows_of(path: Path) -> dict[str, list[Row]]:
    """The rows of each table; its snapshots, if there are any, agree with them."""
    async with with_store(path) as store:
        assert await store.check() == []
        for table in await store.running():
            found = await store.snapshots(table)
            assert found.refused == {}
            assert all(kept.body == b"body %d" % kept.seq for kept in found.snapshots)
            assert all(len(kept.parts) == kept.seq // 9 for kept in found.snapshots)
        return {table: await store.read(table) for table in await store.running()}


def test_every_acknowledged_row_is_there_after_kills(tmp_path: Path, size: Size) -> None:
    path = tmp_path / "log.sqlite"
    chance = random.Random(101)
    acknowledged: set[tuple[str, int]] = set()
    for _ in range(size(4, long=100)):
        acknowledged.update(killed_after(path, chance.uniform(0, 0.15)))
        stored = asyncio.run(rows_of(path))
        for table, rows in stored.items():
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1)), table
            assert all(row.entry == f'{{"seq":{row.seq}}}'.encode() for row in rows)
        lost = {(table, seq) for table, seq in acknowledged if seq > len(stored.get(table, ()))}
        assert not lost
    assert len(acknowledged) > TABLES
