"""Appends from many tasks and prints each acknowledged row, until it is killed.

Between the rows of a table its snapshots are written.
"""

import asyncio
import os
import sys

from okey101.server.store import Row, SqliteStore
from okey101.server.store.snapshots import Snapshot, part_name


async def play(store: SqliteStore, table: str) -> None:
    rows = await store.read(table)
    seq = rows[-1].seq if rows else 0
    while True:
        seq += 1
        await store.append(Row(table, seq, seq, f'{{"seq":{seq}}}'.encode(), 1, f"h{seq}"))
        os.write(1, f"{table} {seq}\n".encode())
        if seq % 3 == 0:
            parts = {part_name(part): part for part in (b"%d" % n for n in range(seq // 9))}
            assert await store.keep(Snapshot(table, seq, "1", f"h{seq}", b"body %d" % seq, parts))


async def main(path: str, tables: int) -> None:
    store = SqliteStore.open(path)
    await asyncio.gather(*(play(store, f"t{n}") for n in range(tables)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
