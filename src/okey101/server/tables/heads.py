"""What a client may say of the last row it saw, and whether this server ever told it that.

Each event and view carries a head: a few letters made of the table, the row and the row's hash with
a key that only this server has. A client that comes back shows its last one. If it was made here
and the log does not have that row, then the log has lost rows; a head that anybody made up says
nothing, or everybody could have a deal thrown away.
"""

from __future__ import annotations

import hmac
from hashlib import blake2b
from typing import Final

__all__ = ["HEAD_PATTERN", "Heads"]

HEAD_PATTERN: Final = r"^\d{1,9}\.[0-9a-f]{32}$(?!\n)"
_ROW_BYTES: Final = 6
_SEAL_BYTES: Final = 10


class Heads:
    """Makes and judges heads with one key, of 16 to 64 bytes, the same after a restart."""

    def __init__(self, key: bytes) -> None:
        self._row = blake2b(key=key, person=b"okey101 row", digest_size=_ROW_BYTES)
        self._head = blake2b(key=key, person=b"okey101 head", digest_size=_SEAL_BYTES)

    def of(self, table: str, seq: int, voids: int, state_hash: str) -> str:
        """The head of a row; ``voids`` counts the times the table has been told of lost rows."""
        place = f"{voids} {seq} {len(table)} {table} "
        row = self._row.copy()
        row.update((place + state_hash).encode())
        digits = row.hexdigest()
        return f"{voids}.{digits}{self._seal(place, digits)}"

    def voids_of(self, table: str, seq: int, head: str) -> int | None:
        """The ``voids`` of a head that this server made for a row; None for any other text."""
        number, _, text = head.partition(".")
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            return None
        row, seal = text[: 2 * _ROW_BYTES], text[2 * _ROW_BYTES :]
        if not seal.isascii():
            return None
        expected = self._seal(f"{number} {seq} {len(table)} {table} ", row)
        return int(number) if hmac.compare_digest(seal, expected) else None

    def _seal(self, place: str, row: str) -> str:
        head = self._head.copy()
        head.update((place + row).encode())
        return head.hexdigest()
