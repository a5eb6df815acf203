"""Appends from many tasks and prints each acknowledged row, until it is killed."""

from __future__ import annotations

import asyncio
import os
import sys

from okey101.server.store import Row, SqliteStore


async def play(store: SqliteStore, table: str) -> None:
    rows = await store.read(table)
    seq = rows[-1].seq if rows else 0
    while True:
        seq += 1
        await store.append(Row(table, seq, seq, f'{{"seq":{seq}}}'.encode(), 1, f"h{seq}"))
        os.write(1, f"{table} {seq}\n".encode())


async def main(path: str, tables: int) -> None:
    store = SqliteStore.open(path)
    await asyncio.gather(*(play(store, f"t{n}") for n in range(tables)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
