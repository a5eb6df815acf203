"""The people's tables in the server's database: made, asked by SQLAlchemy, copied with all."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Coroutine, Sequence
from functools import partial, wraps
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeAlias, TypeVar, TypeVarTuple

from sqlalchemy import Connection, Engine, Row, Table, create_engine, inspect
from sqlalchemy.orm import InstrumentedAttribute, Session as Db
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql import ColumnElement, Select, delete, func, select, tuple_

from okey101.errors import OkeyError
from okey101.server.ops.logs import utc_ms
from okey101.server.people.models import Base
from okey101.server.store import AnyStore
from okey101.server.store.base import Conn
from okey101.server.store.file import DIALECT
from okey101.server.store.sealed import keep_sealed
from okey101.server.store.statements import OTHERS, TABLES, definitions

T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")
_PEOPLE: Final = tuple(Base.metadata.sorted_tables)
Column: TypeAlias = InstrumentedAttribute[Any]
IN_A_PART: Final = 1_000
CHANGED: Final = "changed"
"""Under which a transaction has the people whom it changes."""


def engine_of(conn: sqlite3.Connection) -> Engine:
    """An engine over the store's connection, for its thread; transactions are the store's."""
    engine = create_engine(
        "sqlite://",
        creator=lambda: conn,
        poolclass=StaticPool,
        pool_reset_on_return=None,
        hide_parameters=True,
    )
    engine.dialect.do_commit = _left_to_the_store  # type: ignore[method-assign]
    engine.dialect.do_rollback = _left_to_the_store  # type: ignore[method-assign]
    return engine


def _left_to_the_store(dbapi_connection: object) -> None:  # by this name
    return None


def carrier_of(conn: Conn) -> Connection | Engine:
    """What carries a session's statements into the transaction that a store has begun."""
    if isinstance(conn, sqlite3.Connection):
        return engine_of(conn)
    carried: Connection = conn.connection  # type: ignore[attr-defined]
    return carried


def make_tables(conn: Conn) -> None:
    """Make the people's tables where there are none, in a file with sealed rows from then on.

    OkeyError ``store-other-build`` where a table lacks a column: a build between two releases made
    it.
    """
    carrier = carrier_of(conn)
    there = inspect(carrier)
    for table in _PEOPLE:
        if there.has_table(table.name):
            known = {column["name"] for column in there.get_columns(table.name)}
            if lacking := [column.name for column in table.columns if column.name not in known]:
                what = f"the table {table.name} of the people lacks {lacking[0]}"
                raise OkeyError("store-other-build", what)
    if not isinstance(conn, sqlite3.Connection):
        Base.metadata.create_all(carrier)
        return
    for statement in definitions(DIALECT, _PEOPLE, if_missing=True):
        conn.execute(statement)
    keep_sealed(conn)


class Run(Protocol):
    """Does work in a transaction; OkeyError ``accounts-failed`` and ``accounts-closed``."""

    def __call__(self, work: Callable[[Db], T]) -> Awaitable[T]:
        """What the work returns."""
        ...


class InStore:
    """What is kept in the store, and asked and changed in transactions."""

    def __init__(self, run: Run, now_ms: Callable[[], int] = utc_ms) -> None:
        """``run`` does work in a transaction of the store."""
        self._run = run
        self._now = now_ms

    async def _in_parts(
        self, query: Select[*Ts], *key: Column, last_first: bool = False
    ) -> AsyncGenerator[Sequence[Row[*Ts]]]:
        """The rows of a query, which begin with their key, in its order: each part in a transaction
        of its own, so that others have their turn in between.
        """
        place = tuple_(*key)
        some = query.order_by(*(column.desc() if last_first else column for column in key))
        rows = await self._run(partial(_read, some))
        while rows:
            yield rows
            after = tuple_(*rows[-1][: len(key)])
            beyond = place < after if last_first else place > after
            rows = await self._run(partial(_read, some.where(beyond)))


S = TypeVar("S", bound=InStore)


def _read(query: Select[*Ts], db: Db) -> Sequence[Row[*Ts]]:
    return db.execute(query.limit(IN_A_PART)).all()


def table_of(column: Column) -> Any:
    """The class of the rows that a column is of."""
    return column.class_


def remove(db: Db, keys: Collection[Any], *columns: Column) -> None:
    """Remove the rows in which a column is one of some keys, of one column after the other."""
    for column in columns:
        db.execute(delete(table_of(column)).where(column.in_(keys)))


def count(db: Db, *which: ColumnElement[bool]) -> int:
    """How many rows are so."""
    return db.scalar(select(func.count()).where(*which)) or 0


def changed(db: Db, *people: str) -> None:
    """Have the sessions of some people looked up anew, whatever comes of this transaction."""
    db.info.setdefault(CHANGED, set()).update(people)


def in_transaction(
    work: Callable[Concatenate[S, Db, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """A method that does its work in a transaction of its own."""

    @wraps(work)
    async def done(self: S, /, *given: P.args, **named: P.kwargs) -> T:
        return await self._run(lambda db: work(self, db, *given, **named))

    return done


# A whole installation copied into another database, in pages that a stop leaves whole: rows go in
# the order of their keys, so the copy goes on where the target ends.

AT_ONCE: Final = 500
_TABLES: Final = [*TABLES, *_PEOPLE]
_TABLES.remove(OTHERS)

_Page = list[tuple[Any, ...]]


class Copied:
    """A table as it is copied: a seal is the target's own, and rows come before what they name."""

    def __init__(self, table: Table) -> None:
        self.name = table.name
        self.keys = [column.name for column in table.primary_key]
        self.columns = [column.name for column in table.columns if column.name != "sealed"]
        self.late = [key.parent.name for key in table.foreign_keys if key.column.table is table]
        """Columns that name another row of the same table."""
        self.counted = table.autoincrement_column

    def page(self, conn: Conn, after: Sequence[Any] | None) -> _Page:
        """The next rows in the order of their keys, whole."""
        keys, some = ", ".join(self.keys), ""
        if after is not None:
            some = f"WHERE ({keys}) > ({_places(self.keys)})"
        sql = f"SELECT {', '.join(self.columns)} FROM {self.name} {some} ORDER BY {keys} LIMIT ?"
        return [*map(tuple, conn.execute(sql, (*(after or ()), AT_ONCE)))]

    def key_of(self, row: tuple[Any, ...]) -> list[Any]:
        """The key of a row."""
        return [row[self.columns.index(name)] for name in self.keys]

    def last(self, conn: Conn) -> Sequence[Any] | None:
        """The last key there is."""
        order = ", ".join(f"{key} DESC" for key in self.keys)
        sql = f"SELECT {', '.join(self.keys)} FROM {self.name} ORDER BY {order} LIMIT 1"
        found: Sequence[Any] | None = conn.execute(sql).fetchone()
        return found

    def put(self, conn: Conn, page: _Page) -> None:
        """Insert rows, without their late columns."""
        names = [name for name in self.columns if name not in self.late]
        places = [self.columns.index(name) for name in names]
        sql = f"INSERT INTO {self.name} ({', '.join(names)}) VALUES ({_places(names)})"
        conn.executemany(sql, [tuple(row[place] for place in places) for row in page])

    def put_late(self, conn: Conn, page: _Page) -> None:
        """Set the late columns, once all rows are there, and where counting goes on."""
        for name in self.late:
            at = self.columns.index(name)
            where = " AND ".join(f"{key} = ?" for key in self.keys)
            values = [(row[at], *self.key_of(row)) for row in page if row[at] is not None]
            sql = f"UPDATE {self.name} SET {name} = ? WHERE {where}"
            conn.executemany(sql, values)
        if self.counted is not None and not isinstance(conn, sqlite3.Connection):
            sql = (
                f"SELECT setval(pg_get_serial_sequence('{self.name}', '{self.counted.name}'), "
                f"(SELECT coalesce(max({self.counted.name}), 0) + 1 FROM {self.name}), FALSE)"
            )
            conn.execute(sql)


def _places(names: Sequence[str]) -> str:
    return ", ".join("?" * len(names))


async def copy_rows(
    source: AnyStore, target: AnyStore, tell: Callable[[int, int], None]
) -> dict[str, int]:
    """Copy all rows that are not there yet, and compare both; how many each table has.

    ``tell`` hears of the rows that are done, and of how many there are, twice each: copied and
    compared. Nobody else may write meanwhile. OkeyError ``copy-differs`` where the target has
    another row than the source, as where that has changed since the copy began. StoreError.
    """
    tables = [*map(Copied, _TABLES)]
    await target.change(make_tables)
    counted = [await source.asked(partial(_count, name=table.name)) for table in tables]
    told = partial(tell, 2 * sum(counted))
    for table in tables:
        at = await target.asked(table.last)
        told(await target.asked(partial(_count, name=table.name)))
        while page := await source.asked(partial(table.page, after=at)):
            await target.change(partial(table.put, page=page))
            at = table.key_of(page[-1])
            told(len(page))
    (ended,) = await source.asked(lambda conn: conn.execute("SELECT ended FROM others").fetchone())
    await target.change(lambda conn: conn.execute("UPDATE others SET ended = ?", (ended,)))
    for table in tables:
        at, page = None, [()]
        while page:
            page = await source.asked(partial(table.page, after=at))
            if table.late or not page:
                await target.change(partial(table.put_late, page=page))
            if page != await target.asked(partial(table.page, after=at)):
                message = f"the table {table.name} is another one in the copy"
                raise OkeyError("copy-differs", message, table=table.name)
            at = page and table.key_of(page[-1])
            told(len(page))
    return {table.name: count for table, count in zip(tables, counted, strict=True)}


def _count(conn: Conn, name: str) -> int:
    (count,) = conn.execute(f"SELECT count(*) FROM {name}").fetchone()
    return int(count)
