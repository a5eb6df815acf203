"""Snapshots of tables beside their rows in the log's file, which a load begins from.

A snapshot is a cache: it holds nothing that the rows don't, it is used only where it agrees with
them, and a file without any is as good. So it is written without waiting for the disk. The last two
of a table are kept. The digest of each is a row of the log, chained to those before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from okey101.server.store.base import LINK_BYTES, Conn, Row, digest_of, link_of

KEPT_SNAPSHOTS: Final = 2

NOTES: Final = ""
"""Stands in the log, in place of a table, for the digests of snapshots."""
_LAST_NOTE: Final = (
    f"SELECT seq, chain FROM log WHERE table_id = '{NOTES}' ORDER BY seq DESC LIMIT 1"
)
_ROW: Final = "SELECT chain, state_hash FROM log WHERE table_id = ? AND seq = ?"
_OLDER: Final = "SELECT seq, parts FROM snapshot WHERE table_id = ? AND seq < ? ORDER BY seq DESC"
_ALL: Final = (
    "SELECT s.table_id, s.seq, s.version, s.state_hash, s.chain, s.body, s.parts, n.entry, "
    "l.chain = s.chain AND l.state_hash = s.state_hash FROM snapshot AS s LEFT JOIN log AS l "
    "ON l.table_id = s.table_id AND l.seq = s.seq LEFT JOIN log AS n "
    f"ON n.table_id = '{NOTES}' AND n.seq = s.noted WHERE s.table_id {{}} ORDER BY s.seq DESC"
)
_PARTS: Final = "SELECT table_id, name, data FROM snapshot_part WHERE table_id {}"


class Snapshot(NamedTuple):
    """A table as it was after a row: opaque here, but for the row that it belongs to.

    ``parts`` is what the body refers to by name: what is kept once for many snapshots.
    """

    table: str
    seq: int
    version: str
    state_hash: str
    body: bytes
    parts: Mapping[bytes, bytes]

    def __repr__(self) -> str:
        """Without the content, which holds hidden tiles."""
        return f"<Snapshot {self.seq} of {self.table}>"


class Found(NamedTuple):
    """The snapshots of a table that agree with its rows, newest first; why others don't, by seq."""

    snapshots: list[Snapshot]
    refused: dict[int, str]


def part_name(data: bytes) -> bytes:
    """What a part is called: a digest of it."""
    return digest_of("part", data)


def put_snapshot(conn: Conn, snapshot: Snapshot) -> bool:
    """Keep a snapshot; see ``Store.keep``."""
    table, seq = snapshot.table, snapshot.seq
    row = conn.execute(_ROW, (table, seq)).fetchone()
    if row is None or row[1] != snapshot.state_hash:
        return False
    names = b"".join(snapshot.parts)
    values = (table, seq, snapshot.version, snapshot.state_hash, row[0], snapshot.body, names)
    older = conn.execute(_OLDER, (table, seq)).fetchall()
    kept = older[: KEPT_SNAPSHOTS - 1]
    first = kept[-1][0] if kept else seq
    conn.execute(
        "DELETE FROM snapshot WHERE table_id = ? AND (seq < ? OR seq >= ?)", (table, first, seq)
    )
    noted = _note(conn, digest_of("snapshot", *values))
    conn.execute("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*values, noted))
    wanted = {*snapshot.parts}.union(*(_names(parts) for _, parts in kept))
    there = {name for (name,) in conn.execute(
        "SELECT name FROM snapshot_part WHERE table_id = ?", (table,)
    )}  # fmt: skip
    gone = [(table, name) for name in there - wanted]
    conn.executemany("DELETE FROM snapshot_part WHERE table_id = ? AND name = ?", gone)
    new = [(table, *part) for part in snapshot.parts.items() if part[0] not in there]
    conn.executemany("INSERT INTO snapshot_part VALUES (?, ?, ?)", new)
    return True


def _note(conn: Conn, digest: bytes) -> int:
    """Write the row that has a digest; its ``seq``."""
    last, link = conn.execute(_LAST_NOTE).fetchone() or (0, b"")
    row = Row(NOTES, last + 1, 0, digest, 0, "")
    values = (*row, link_of(link, row))
    conn.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
    return row.seq


def snapshots_in(conn: Conn, table: str) -> Found:
    """The snapshots of a table; see ``Store.snapshots``. sqlite3.Error."""
    return all_snapshots_in(conn, "= ?", table).get(table, Found([], {}))


def all_snapshots_in(conn: Conn, which: str, tables: object) -> dict[str, Found]:
    """The snapshots of tables, by table, where there are any; ``which`` says how SQL is told."""
    found: dict[str, Found] = {}
    rows = conn.execute(_ALL.format(which), (tables,)).fetchall()
    if not rows:
        return found
    kept: dict[str, dict[bytes, bytes]] = {}
    named = any(names for *_, names, _, _ in rows)
    for table, name, data in conn.execute(_PARTS.format(which), (tables,)) if named else ():
        if part_name(data) == name:
            kept.setdefault(table, {})[name] = data
    for table, seq, version, state_hash, chain, body, names, digest, agrees in rows:
        of, there = found.setdefault(table, Found([], {})), kept.get(table, {})
        listed = _names(names)
        parts = {name: there[name] for name in listed if name in there}
        values = (table, seq, version, state_hash, chain, body, names)
        if not agrees:
            of.refused[seq] = "head-differs"
        elif len(parts) != len({*listed}) or digest_of("snapshot", *values) != digest:
            of.refused[seq] = "damaged"
        else:
            of.snapshots.append(Snapshot(table, seq, version, state_hash, body, parts))
    return found


def drop_snapshots(conn: Conn, table: str) -> None:
    """Delete the snapshots of a table; sqlite3.Error."""
    for name in ("snapshot", "snapshot_part"):
        conn.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))


def _names(text: bytes) -> list[bytes]:
    return [text[at : at + LINK_BYTES] for at in range(0, len(text), LINK_BYTES)]
