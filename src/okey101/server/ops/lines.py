"""Lines that only come, such as the journal's: the last so many of a kind, in the server's file."""

from __future__ import annotations

from contextlib import suppress
from typing import Generic, Protocol, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


class Keeper(Protocol):
    """Where lines are kept; what can't be done raises."""

    async def note(self, kind: str, data: bytes, most: int) -> None:
        """Keep a line, durable when this returns, and no more than ``most`` of its kind."""
        ...

    async def noted(self, kind: str, count: int) -> list[bytes]:
        """The last lines of a kind, the newest first."""
        ...


class Lines(Generic[T]):
    """The lines of one kind, a struct each."""

    def __init__(self, keeper: Keeper, kind: str, struct: type[T], most: int = 10_000) -> None:
        self._keeper = keeper
        self._kind = kind
        self._struct = struct
        self._most = most

    async def add(self, entry: T) -> None:
        """Keep a line; raises what its keeper does."""
        await self._keeper.note(self._kind, msgspec.json.encode(entry), self._most)

    async def last(self, count: int) -> list[T]:
        """The last lines, the newest first; one that makes no sense is left out."""
        found: list[T] = []
        for line in await self._keeper.noted(self._kind, count):
            with suppress(msgspec.DecodeError):
                found.append(msgspec.json.decode(line, type=self._struct))
        return found
