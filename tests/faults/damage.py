"""Damage done to the log of a server that is down."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

__all__ = ["alter", "row_of"]

_COLUMNS = ("at_ms", "entry", "rules_version", "state_hash")


def row_of(data: Path, table: str, seq: int) -> bytes:
    """The entry of a row."""
    with contextlib.closing(sqlite3.connect(data / "log.sqlite")) as conn:
        found = conn.execute("SELECT entry FROM log WHERE table_id = ? AND seq = ?", (table, seq))
        (entry,) = found.fetchone()
    return bytes(entry)


def alter(data: Path, table: str, seq: int, column: str, value: object) -> None:
    """Put something else in a row."""
    assert column in _COLUMNS
    with contextlib.closing(sqlite3.connect(data / "log.sqlite")) as conn, conn:
        statement = f"UPDATE log SET {column} = ? WHERE table_id = ? AND seq = ?"
        assert conn.execute(statement, (value, table, seq)).rowcount == 1
