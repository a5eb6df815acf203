"""Rows that carry a digest of themselves, in a column ``sealed``: people, matches, the trail.

The rows of tables have their chain. These may change, so each has a seal of its own, set by
triggers of the only connection whenever a row is written: one that isn't what was written is found.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from okey101.server.store.base import Conn, digest_of

_COLUMNS = (
    "SELECT t.name, c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c "
    "WHERE t.type = 'table' ORDER BY t.name, c.cid"
)
_NAMES = "SELECT name FROM pragma_table_info(?) ORDER BY cid"
_TRIGGER = (
    "CREATE TEMP TRIGGER {name} AFTER {when} ON main.{table} BEGIN UPDATE {table} "
    "SET sealed = okey101_seal('{table}', {values}) WHERE rowid = new.rowid; END"
)
_INDEXES = "SELECT name FROM pragma_index_list(?) WHERE NOT partial ORDER BY name"


def know_seals(conn: sqlite3.Connection) -> None:
    """Have statements of a connection know what a row's seal is."""
    conn.create_function("okey101_seal", -1, _digest, deterministic=True)


def _digest(*values: object) -> bytes:
    """Of the values of a row but the NULLs at its end: such a column more changes no seal."""
    while values and values[-1] is None:
        values = values[:-1]
    return digest_of("seal", *values)


def keep_sealed(conn: sqlite3.Connection) -> None:
    """Have rows sealed whenever a connection writes them; again once there are more tables."""
    there = {name for (name,) in conn.execute("SELECT name FROM sqlite_temp_schema")}
    for table, columns in sealed_in(conn).items():
        values = ", ".join(f"new.{column}" for column in columns)
        for when in ("INSERT", f"UPDATE OF {', '.join(columns)}"):
            name = f"{when[:6]}_{table}"
            if name not in there:
                conn.execute(_TRIGGER.format(name=name, when=when, table=table, values=values))


def sealed_in(conn: sqlite3.Connection) -> dict[str, list[str]]:
    """The tables of sealed rows, each with its other columns; sqlite3.Error."""
    found: dict[str, list[str]] = {}
    for table, column in conn.execute(_COLUMNS):
        found.setdefault(table, []).append(column)
    sealed = {table: columns for table, columns in found.items() if "sealed" in columns}
    return {table: [c for c in columns if c != "sealed"] for table, columns in sealed.items()}


def seal_of(conn: Conn, table: str) -> str:
    """What is true in SQL of a row of a table that is what was written; sqlite3.Error.

    Only files are sealed.
    """
    if not isinstance(conn, sqlite3.Connection):
        return "TRUE"
    names = [name for (name,) in conn.execute(_NAMES, (table,))]
    if "sealed" not in names:
        raise sqlite3.DatabaseError(f"the table {table} is damaged")
    names.remove("sealed")
    return _seal(table, names)


def _seal(table: str, columns: Sequence[str]) -> str:
    return f"sealed IS okey101_seal('{table}', {', '.join(columns)})"


def look_at_seals(conn: sqlite3.Connection, table: str, columns: Sequence[str]) -> str:
    """The statement that looks at rows of a table above a place, so many: the place of each, and
    whether it is what was written, and in every index that has all rows.
    """
    sound = [_seal(table, columns)]
    for (index,) in conn.execute(_INDEXES, (table,)).fetchall():
        names = conn.execute("SELECT name FROM pragma_index_info(?)", (index,)).fetchall()
        same = " AND ".join(f"m.{name} IS l.{name}" for (name,) in names)
        sound.append(
            f'EXISTS (SELECT 1 FROM {table} AS m INDEXED BY "{index}" '
            f"WHERE {same} AND m.rowid = l.rowid)"
        )
    return (
        f"SELECT rowid, {' AND '.join(sound)} FROM {table} AS l NOT INDEXED "
        "WHERE rowid > ? ORDER BY rowid LIMIT ?"
    )
