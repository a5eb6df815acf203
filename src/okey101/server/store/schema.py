"""The tables of the store, defined once for every database; people's are beside their classes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Dialect,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.schema import CreateIndex, CreateTable

# By their bytes, as in SQLite: an order of words differs between systems and their versions.
TEXT: Final = Text().with_variant(Text(collation="C"), "postgresql")
INT: Final = BigInteger().with_variant(Integer(), "sqlite")
BYTES: Final = LargeBinary()

_METADATA: Final = MetaData()
_column = partial(Column, nullable=False)


def _table(name: str, *parts: Column[object] | Index, rowid: bool = True) -> Table:
    return Table(name, _METADATA, *parts, sqlite_strict=True, sqlite_with_rowid=rowid)


def _index(name: str, *columns: str, of: str, unique: bool = False) -> Index:
    """An index of those rows alone for which something is true."""
    which = text(of)
    return Index(name, *columns, unique=unique, sqlite_where=which, postgresql_where=which)


def _rows(name: str, *indexes: Index) -> Table:
    # An ordinary table: rows lie in the order in which they came, and only the key's narrow index
    # is written here and there. WITHOUT ROWID would save that index and read a table's rows from
    # fewer pages, but wide rows put in between split pages: 1,000 tables wrote 1.6 times more
    # slowly.
    return _table(
        name,
        Column("table_id", TEXT, primary_key=True),
        Column("seq", INT, CheckConstraint("seq >= 1"), primary_key=True),
        _column("at_ms", INT),
        _column("entry", BYTES),
        _column("rules_version", INT),
        _column("state_hash", TEXT),
        _column("last", INT, CheckConstraint("last IN (0, 1)")),
        _column("chain", BYTES),
        *indexes,
    )


SNAPSHOTS: Final = (
    _table(
        "snapshot",
        Column("table_id", TEXT, primary_key=True),
        Column("seq", INT, primary_key=True),
        _column("version", TEXT),
        _column("state_hash", TEXT),
        _column("chain", BYTES),
        _column("body", BYTES),
        _column("parts", BYTES),
        _column("noted", INT),
    ),
    _table(
        "snapshot_part",
        Column("table_id", TEXT, primary_key=True),
        Column("name", BYTES, primary_key=True),
        _column("data", BYTES),
    ),
)
OTHERS: Final = _table("others", _column("seq", INT), _column("link", BYTES), _column("ended", INT))
TABLES: Final = (
    _rows(
        "log",
        # Every start asks which tables are running: these two hold one line for each table.
        _index("log_first", "at_ms", "table_id", of="seq = 1"),
        _index("log_last", "table_id", of="last = 1", unique=True),
    ),
    _rows("archive", _index("archive_whole", "at_ms", of="last = 1 AND length(entry) > 0")),
    OTHERS,
    _table(
        "lines",
        Column("n", INT, primary_key=True),
        _column("kind", TEXT),
        _column("data", BYTES),
        Column("sealed", BYTES),
        Index("lines_of_kind", "kind", "n"),
    ),
    _table(
        "public_entries",
        Column("place", INT, primary_key=True, autoincrement=False),
        _column("entry", TEXT, unique=True),
        _column("at_ms", INT),
    ),
    _table(
        "public_nodes",
        Column("level", INT, primary_key=True),
        Column("place", INT, primary_key=True),
        _column("hash", BYTES),
        rowid=False,
    ),
    *SNAPSHOTS,
)


def definitions(
    dialect: Dialect, tables: Iterable[Table] = TABLES, *, if_missing: bool = False
) -> list[str]:
    """The statements that make tables and their indexes, each one thing."""
    made: list[CreateTable | CreateIndex] = []
    for table in tables:
        made.append(CreateTable(table, if_not_exists=if_missing))
        made += (CreateIndex(index, if_not_exists=if_missing) for index in table.indexes)
    return [str(one.compile(dialect=dialect)) for one in made]
