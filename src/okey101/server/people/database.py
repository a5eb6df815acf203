"""The people's tables in the server's database: made there, and asked by SQLAlchemy."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.orm import Session as Db
from sqlalchemy.pool import StaticPool

from okey101.server.people.models import Base
from okey101.server.store.base import Conn
from okey101.server.store.sealed import keep_sealed

T = TypeVar("T")


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
    """Make the people's tables where there are none, in a file with sealed rows from then on."""
    Base.metadata.create_all(carrier_of(conn))
    if isinstance(conn, sqlite3.Connection):
        keep_sealed(conn)


class Run(Protocol):
    """Does work in a transaction of the store; ``changed`` are the people whom it concerns.

    OkeyError ``accounts-failed`` and ``accounts-closed``.
    """

    def __call__(self, work: Callable[[Db], T], *changed: str) -> Awaitable[T]:
        """What the work returns."""
        ...
