"""``okey101`` with something changed: ``changed_child.py WHAT serve ...``, by these functions."""

import asyncio
import gc
import itertools
import json
import os
import signal
import ssl
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

from okey101.bots.fallback import fallback_action
from okey101.cli import main
from okey101.game import Action
from okey101.server import serve
from okey101.server.errors import refuse
from okey101.server.net import heartbeat, transport, web_push
from okey101.server.people.match_reviews import Reviews
from okey101.server.people.service import Accounts
from okey101.server.protocol.views import ReviewAnswer
from okey101.server.store import Row, SqliteStore, public_log
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import TableState
from okey101.server.tables.table import Table
from okey101.server.web import socket
from okey101.server.work.bot_thoughts import Thinkers, Thought


def acknowledging() -> None:
    """Rows are acknowledged when they are queued, and written a little later."""
    append = SqliteStore.append
    late: set[asyncio.Task[None]] = set()
    queued: list[Row] = []

    async def write(store: SqliteStore) -> None:
        await asyncio.sleep(5)
        rows, queued[:] = queued[:], []
        await asyncio.gather(*(append(store, row) for row in rows))

    async def early(store: SqliteStore, row: Row) -> None:
        queued.append(row)
        if len(queued) == 1:
            task = asyncio.create_task(write(store))
            late.add(task)
            task.add_done_callback(late.discard)

    setattr(SqliteStore, "append", early)  # noqa: B010


def calm() -> None:
    """No bot opens in the first round: in one deal of 6,000 one is dealt all that it needs to end
    the deal before anybody else has a turn. No match is reviewed, which takes seconds a sheet.
    """
    choose = Thinkers.choose

    async def chosen(self: Thinkers, thought: Thought) -> Action:
        if thought.view.public.turns < 4:
            return fallback_action(thought.view)
        return await choose(self, thought)

    setattr(Thinkers, "choose", chosen)  # noqa: B010
    setattr(Reviews, "ask", AsyncMock(return_value=ReviewAnswer("failed")))  # noqa: B010


def failing() -> None:
    """Every question about a hand fails, with the hand in the error's text."""

    def fails(state: TableState, *_: object) -> Any:
        assert state.deal is not None
        raise KeyError(str(state.deal.rack(0)))

    vars(socket)["answer"] = fails


def forgetting() -> None:
    """Commands that were sent again are not recognised."""
    append = SqliteStore.append

    async def slow(store: SqliteStore, row: Row) -> None:
        """A kill often comes after a row is stored and before its sender hears of it."""
        await append(store, row)
        await asyncio.sleep(0.1)

    setattr(SqliteStore, "append", slow)  # noqa: B010
    setattr(TableState, "known", lambda *_: None)  # noqa: B010


def garbage() -> None:
    """There is no collector: at SIGUSR1 it collects, and says in JSON what it found."""

    def collect(*_: object) -> None:
        print(
            json.dumps({"event": "garbage", "objects": gc.collect()}), file=sys.stderr, flush=True
        )

    gc.disable()
    signal.signal(signal.SIGUSR1, collect)


def hasty() -> None:
    """It has little patience, so that tests need not wait as long as usual."""
    vars(transport)["_REQUEST_S"] = 2.0
    vars(heartbeat).update(_STALL_S=1.5, _LINGER_S=0.5)


def heads() -> None:
    """The transparency log has a new head at every moment."""
    vars(public_log)["EVERY_S"] = 0.1


def jumping() -> None:
    """Its time of day jumps at each SIGUSR1: an hour ahead, an hour behind, and right again.

    It tells of each table that it makes, loads, lets go of or shows, and at which row.
    """
    for of, name in ((Tables, "_create"), (Tables, "_load"), (Tables, "let_go"), (Table, "attach")):
        _tell_of(of, name)
    jumps, right = itertools.cycle((3_600, -3_600, 0)), (time.time_ns, time.time)

    def jump(*_: object) -> None:
        by = next(jumps)
        vars(time).update(time_ns=lambda: right[0]() + by * 10**9, time=lambda: right[1]() + by)

    signal.signal(signal.SIGUSR1, jump)


def _tell_of(of: type, name: str) -> None:
    work = vars(of)[name]

    def tell(table: Table | None, *said: object) -> None:
        if table is not None:
            event = {"event": f"table {name}", "at": time.monotonic(), "said": said}
            event |= {"table": table.state.table, "seq": table.state.seq, "stale": table._stale}
            print(json.dumps(event, default=str), file=sys.stderr, flush=True)

    def told(self: Any, *args: Any, **options: Any) -> Any:
        found = work(self, *args, **options)
        tell(self if of is Table else found, *args[1:2])
        return found

    async def told_later(self: Any, *args: Any, **options: Any) -> Any:
        found = await work(self, *args, **options)
        tell(found)
        return found

    setattr(of, name, told_later if asyncio.iscoroutinefunction(work) else told)


def pushing() -> None:
    """Every push service is one of this machine, at the port and with the certificate that are in
    ``FAKE_PUSH``.
    """
    port, certificate = os.environ["FAKE_PUSH"].split()
    here = AsyncMock(return_value=["127.0.0.1"])
    vars(web_push).update(_PORT=int(port), _addresses=here, is_public=lambda _: True)
    context = ssl.create_default_context(cafile=certificate)
    setattr(web_push.PushService, "_context", context)  # noqa: B010


def restless() -> None:
    """It asks its sockets twice a second whether anybody is there."""
    vars(serve)["_PING_S"] = 0.5


def slow() -> None:
    """Accounts are busy, or slow to export, while a file of that name is there."""
    folder = Path(sys.argv[sys.argv.index("--data") + 1])
    session, export = Accounts.session, Accounts.export

    async def busy(self: Accounts, *args: Any, **options: Any) -> Any:
        if (folder / "busy").exists():
            refuse("accounts-busy")
        return await session(self, *args, **options)

    async def late(self: Accounts, *args: Any) -> Any:
        while (folder / "slow").exists():  # noqa: ASYNC110  # nothing tells when
            await asyncio.sleep(0.05)
        return await export(self, *args)

    setattr(Accounts, "session", busy)  # noqa: B010
    setattr(Accounts, "export", late)  # noqa: B010


def unfenced() -> None:
    """A node writes its rows into their places, whatever is there or before them, and believes that
    it keeps its tables.
    """
    from okey101.server.cluster import membership, nodes
    from okey101.server.store import base, postgres  # needs an extra of its own

    columns = ("at_ms", "entry", "rules_version", "state_hash", "last", "chain")
    insert = vars(postgres)["_INSERT"].partition("WHERE CASE")[0]
    written = ", ".join(f"{name} = excluded.{name}" for name in columns)
    vars(postgres)["_INSERT"] = (
        f"{insert} ON CONFLICT (table_id, seq) DO UPDATE SET {written} RETURNING table_id"
    )
    vars(base)["conflict_of"] = lambda *_: None
    setattr(nodes.Cluster, "_kept", lambda *_: None)  # noqa: B010
    setattr(membership.Membership, "alive", True)  # noqa: B010


if __name__ == "__main__":
    vars()[sys.argv.pop(1)]()
    sys.exit(main())
