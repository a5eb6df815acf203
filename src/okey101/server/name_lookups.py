"""Names of people, looked up for many askers at once: a start asks for each table's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

__all__ = ["NameLookups"]


class NameLookups:
    """Gathers whose names are wanted while a question is under way, and asks for all of them."""

    def __init__(
        self,
        ask: Callable[[Iterable[str]], Awaitable[Mapping[str, str | None]]],
        known: dict[str, str | None],
    ) -> None:
        """``known`` takes what ``ask`` answers."""
        self._ask = ask
        self._known = known
        self._wanted: set[str] = set()
        self._next: asyncio.Task[None] | None = None
        """The question that whoever comes now joins."""
        self._turn = asyncio.Lock()

    async def learn(self, people: Iterable[str]) -> None:
        """Have these names among the known ones; raises what the question raised."""
        unknown = [user for user in people if user not in self._known]
        if not unknown:
            return
        self._wanted.update(unknown)
        if self._next is None:
            self._next = asyncio.create_task(self._look())
            self._next.add_done_callback(_heard)
        await asyncio.shield(self._next)

    async def _look(self) -> None:
        async with self._turn:
            people, self._wanted, self._next = self._wanted, set(), None
            self._known.update(await self._ask(people))


def _heard(task: asyncio.Task[None]) -> None:
    """All who asked may have gone."""
    if not task.cancelled():
        task.exception()
