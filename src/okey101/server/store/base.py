"""The rows of a log: how each follows the one before, and what may be asked of a database."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from okey101.server.errors import refuse


class Row(NamedTuple):
    """One entry of a table's log.

    ``seq`` counts from 1 without gaps, ``at_ms`` is UTC in milliseconds, ``entry`` the JSON of the
    entry (opaque here), ``state_hash`` that of the table's state after the row, and ``last`` says
    that nothing follows: the table is closed.
    """

    table: str
    seq: int
    at_ms: int
    entry: bytes
    rules_version: int
    state_hash: str
    last: bool = False

    def __repr__(self) -> str:
        """Without the entry, which may hold a secret."""
        return f"<Row {self.seq} of {self.table}>"


class Conflict(Exception):
    """The row isn't the next of its table; nothing was stored.

    ``reason`` is ``taken`` (the log holds that row), ``gap`` (the one before it is missing) or
    ``closed`` (the table's last row is written).
    """

    def __init__(self, table: str, seq: int, reason: str = "taken") -> None:
        super().__init__(f"row {seq} of table {table} isn't the next: {reason}")
        self.reason = reason


class StoreError(Exception):
    """Whether the row is stored isn't known: the caller reads again before it answers."""


@contextmanager
def failure_told() -> Generator[None]:
    """Refuse what is done within as ``store-failed`` where the store does not answer."""
    try:
        yield
    except StoreError:
        refuse("store-failed")


class Head(NamedTuple):
    """The end of a table's log: the ``seq`` of its last row (0 for none); closed or not.

    ``link`` is the last row's in the chain, where the store keeps one.
    """

    seq: int = 0
    closed: bool = False
    link: bytes = b""


def conflict_of(row: Row, head: Head) -> Conflict | None:
    """Why a row can't follow the end of its table's log; None if it can."""
    if row.seq <= head.seq:
        return Conflict(row.table, row.seq, "taken")
    if head.closed:
        return Conflict(row.table, row.seq, "closed")
    if row.seq > head.seq + 1:
        return Conflict(row.table, row.seq, "gap")
    return None


def is_text(text: str) -> bool:
    """Whether a text can be written as UTF-8, which half a surrogate pair can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Conn(Protocol):
    """A transaction in the store's database, whichever it is; values stand for ``?`` and ``?1``."""

    def execute(self, sql: str, values: Any = ..., /) -> Any:
        """The rows that one statement finds, one after the other, or by ``fetchone``."""
        ...

    def executemany(self, sql: str, values: Any, /) -> object:
        """Do a statement once for each list of values."""
        ...


# The chain of a table's rows: each has a digest of itself and of the link before it.
#
# A row can't be changed, left out or put in without every later link of its table being another
# one.

LINK_BYTES: Final = 16
_ENCODER: Final = msgspec.msgpack.Encoder()


def link_of(before: bytes, row: Row) -> bytes:
    """The link of a row that follows the link ``before``, which is empty for the first one."""
    return digest_of("row", before, *row)


def digest_of(kind: str, *values: object) -> bytes:
    """A digest of values of one kind; no two lists of values are hashed as the same bytes."""
    begun = _begun(kind).copy()  # quicker than another one
    begun.update(_ENCODER.encode(values))
    return begun.digest()


@cache
def _begun(kind: str) -> blake2b:
    return blake2b(digest_size=LINK_BYTES, person=f"okey101 {kind}".encode())
