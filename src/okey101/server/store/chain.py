"""The chain of a table's rows: each has a digest of itself and of the link before it.

A row can't be changed, left out or put in without every later link of its table being another
one. A table from before there were chains begins with the last row that has none.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from okey101.server.store.base import Row

__all__ = ["LINK_BYTES", "START", "link_of"]

LINK_BYTES: Final = 16
START: Final = b""
"""What the first link of a table follows."""


def link_of(before: bytes, row: Row) -> bytes:
    """The link of a row that follows the link ``before``, or :data:`START`."""
    table, state_hash = row.table.encode(), row.state_hash.encode()
    # Lengths first, so that no two rows are hashed as the same bytes.
    head = b"%d %d %d %d %d %d " % (
        row.seq, row.at_ms, row.rules_version, row.last, len(table), len(state_hash),
    )  # fmt: skip
    whole = b"".join((before, head, table, state_hash, row.entry))
    return blake2b(whole, digest_size=LINK_BYTES, person=b"okey101 row").digest()
