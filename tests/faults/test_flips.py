"""Any single flipped bit of a row is noticed when the log is read."""

from __future__ import annotations

import asyncio
import random

from conftest import Size
from okey101.server.store import MemoryStore, Row
from okey101.server.tables.state import TableState
from okey101.server.tables.state_hash import state_hash
from okey101.server.tables.surroundings import Surroundings
from okey101.server.tables.table import Table
from server.tables.table_stories import TABLE, rows_of, story


def flipped(row: Row, rng: random.Random) -> Row:
    """The row with another bit in its entry."""
    entry = bytearray(row.entry)
    entry[rng.randrange(len(entry))] ^= 1 << rng.randrange(8)
    return row._replace(entry=bytes(entry))


async def harmless(before: TableState, row: Row, true: TableState, around: Surroundings) -> bool:
    """Whether a table freezes at a row, or comes to the true state all the same (``dRaw``)."""
    table = Table(before, around)
    await table._replay([row])
    if table.frozen is not None:
        return table.state is before
    same = table.state.heard == true.heard and table.state.seats == true.seats
    return same and state_hash(table.state) == state_hash(true)


def test_a_flipped_bit_freezes_the_table(size: Size) -> None:
    async def run() -> None:
        rng = random.Random(101)
        around = Surroundings(store=MemoryStore(), now_ms=lambda: 1_800_000_000_000)
        for number in range(size(2, long=40)):
            told = story("wiki", "4", f"flips {number}", deals=1, style="eager")
            rows = [*rows_of(told.steps)]
            for before, after, row in zip(told.steps, told.steps[1:], rows[1:], strict=False):
                for _ in range(size(3, long=50)):
                    bad = flipped(row, rng)
                    assert await harmless(before.state, bad, after.state, around), (
                        bad.seq,
                        bad.entry,
                    )

    asyncio.run(run())


def test_a_flipped_bit_in_the_first_row_is_noticed(size: Size) -> None:
    async def run() -> None:
        rng = random.Random(101)
        first = next(rows_of(story("wiki", "4", "first", deals=1).steps))
        for _ in range(size(500, long=20_000)):
            store = MemoryStore()
            store._put(flipped(first, rng))
            around = Surroundings(store=store, now_ms=lambda: 1_800_000_000_000)
            try:
                table = await Table.load(TABLE, around)
            except ValueError:
                continue
            assert table is not None
            assert table.frozen is not None or state_hash(table.state) == first.state_hash
            if table.frozen is None:
                assert store._tables[TABLE][0].entry == first.entry

    asyncio.run(run())
