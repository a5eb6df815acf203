"""Closed tables leave the log for another table of its file, so that the log stays short.

They go some rows at a time, each time in one transaction: a row is in one of the two, whatever
happens. Where old tables are deleted, their last row stays without its entry, for ever: it says how
the table ended, and no table begins a second time. So partitions would bring PostgreSQL nothing:
none could be dropped whole, and appends are no slower beside a long archive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final

from okey101.errors import OkeyError
from okey101.server.ops.logs import logger, utc_ms
from okey101.server.store.base import Conn, StoreError
from okey101.server.store.snapshots import drop_snapshots

_AT_ONCE: Final = 200
CLOSED: Final = "SELECT table_id FROM log WHERE last = 1 LIMIT 1"
_OLD: Final = (
    "SELECT table_id FROM archive "
    "WHERE last = 1 AND length(entry) > 0 AND at_ms < ? ORDER BY at_ms LIMIT 1"
)
_ENDED: Final = "SELECT count(*) FROM archive WHERE last = 1"
_SOME: Final = "WHERE table_id = ?1 AND seq < ?2 + (SELECT min(seq) FROM log WHERE table_id = ?1)"


def archive_step(conn: Conn, drop_before_ms: int | None, closed_sql: str) -> bool:
    """Do the next small thing there is to do, within a transaction; False where there is nothing.

    Tables that were closed before ``drop_before_ms`` are deleted. ``closed_sql`` finds a closed
    table that may leave the log.
    """
    if drop_before_ms is not None:
        old = conn.execute(_OLD, (drop_before_ms,)).fetchone()
        if old is not None:
            table = old[0]
            conn.execute("DELETE FROM archive WHERE table_id = ? AND last = 0", (table,))
            conn.execute("UPDATE archive SET entry = ? WHERE table_id = ?", (b"", table))
            return True
    closed = conn.execute(closed_sql).fetchone()
    if closed is None:
        return False
    some = (closed[0], _AT_ONCE)
    conn.execute(f"INSERT INTO archive SELECT * FROM log {_SOME} ORDER BY seq", some)
    conn.execute(f"DELETE FROM log {_SOME}", some)
    conn.execute(f"UPDATE others SET ended = ended + ({_ENDED} AND table_id = ?)", (closed[0],))
    drop_snapshots(conn, closed[0])
    return True


def archive_problem(conn: Conn) -> str | None:
    """What is wrong with the number of tables in the archive, in English."""
    (there,) = conn.execute(_ENDED).fetchone()
    (ended,) = conn.execute("SELECT ended FROM others").fetchone()
    return None if there == ended else f"archive: {there} tables are there, of {ended} that ended"


# Has closed tables leave the log, slowly: nobody who plays should feel it.

_LEAST_PAUSE_S: Final = 0.05
_SHARE: Final = 9
"""How many times as long as a step the pause after it is."""
_IDLE_S: Final = 30.0
_AGAIN_S: Final = 60.0
_DAY_MS: Final = 86_400_000

_log: Final = logger(__name__)


async def archive(
    step: Callable[[int | None], Awaitable[bool]], days: int, idle_s: float = _IDLE_S
) -> None:
    """Archive closed tables until cancelled, and delete them ``days`` after their end; 0: never.

    A clock that jumps ahead deletes none: of its time no more counts than what has really passed.
    """
    failed, started, since = False, utc_ms(), monotonic()
    while True:
        begun = monotonic()
        now = min(utc_ms(), started + round((begun - since) * 1000))
        try:
            more = await step(now - days * _DAY_MS if days else None)
        except (StoreError, OkeyError) as error:
            if not failed:  # the tables stay in the log, where nothing happens to them
                _log.error("archive-failed", why=type(error.__cause__ or error).__name__)
            failed = True
            await asyncio.sleep(_AGAIN_S)
            continue
        if failed:
            failed = False
            _log.warning("archive-works-again")
        pause = max((monotonic() - begun) * _SHARE, _LEAST_PAUSE_S)
        await asyncio.sleep(pause if more else idle_s)
