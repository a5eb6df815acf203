"""A server with a fault: ``hasty.py acknowledge|forget|unfenced serve ...``, which has to be found.

``acknowledge``: rows are acknowledged when they are queued and written a little later. ``forget``:
commands that were sent again are not recognised. ``unfenced``: a node writes its rows into their
places, whatever is there or before them, and believes that it keeps its tables.
"""

import asyncio
import sys

from okey101.cli import main
from okey101.server.store import Row, SqliteStore
from okey101.server.store.base import require_storable
from okey101.server.tables.state import TableState

LATE_S = 0.3
UNTOLD_S = 0.1


def acknowledge_early() -> None:
    append = SqliteStore.append
    late: set[asyncio.Task[None]] = set()
    queued: list[Row] = []

    async def write(store: SqliteStore) -> None:
        await asyncio.sleep(LATE_S)
        rows, queued[:] = queued[:], []
        await asyncio.gather(*(append(store, row) for row in rows))

    async def hasty(store: SqliteStore, row: Row) -> None:
        require_storable(row)
        queued.append(row)
        if len(queued) == 1:
            task = asyncio.create_task(write(store))
            late.add(task)
            task.add_done_callback(late.discard)

    setattr(SqliteStore, "append", hasty)  # noqa: B010


def forget() -> None:
    append = SqliteStore.append

    async def slow(store: SqliteStore, row: Row) -> None:
        """A kill often comes after a row is stored and before its sender hears of it."""
        await append(store, row)
        await asyncio.sleep(UNTOLD_S)

    setattr(SqliteStore, "append", slow)  # noqa: B010
    setattr(TableState, "known", lambda *_: None)  # noqa: B010


def unfenced() -> None:
    from okey101.server.cluster import nodes
    from okey101.server.store import base, postgres  # needs an extra of its own

    columns = ("at_ms", "entry", "rules_version", "state_hash", "last", "chain")
    insert = vars(postgres)["_INSERT"].partition("WHERE CASE")[0]
    written = ", ".join(f"{name} = excluded.{name}" for name in columns)
    vars(postgres)["_INSERT"] = (
        f"{insert} ON CONFLICT (table_id, seq) DO UPDATE SET {written} RETURNING table_id"
    )
    vars(base)["conflict_of"] = lambda *_: None
    setattr(nodes.Cluster, "_kept", lambda *_: None)  # noqa: B010
    setattr(nodes.Cluster, "alive", True)  # noqa: B010


if __name__ == "__main__":
    fault = sys.argv.pop(1)
    {"acknowledge": acknowledge_early, "forget": forget, "unfenced": unfenced}[fault]()
    sys.exit(main())
