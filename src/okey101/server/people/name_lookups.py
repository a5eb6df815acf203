"""Names of people, looked up for many askers at once: a start asks for each table's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping

from okey101.server.people.models import User
from okey101.server.protocol.views import Called


class NameLookups(dict[str, Called]):
    """The names of everybody seen, by id, with their faces; none for a person who is deleted.

    It gathers whose names are wanted while a question is under way, and asks for all of them.
    """

    def __init__(self, ask: Callable[[Iterable[str]], Awaitable[Mapping[str, Called]]]) -> None:
        """``ask`` answers with the names of people."""
        super().__init__()
        self._ask = ask
        self._wanted: set[str] = set()
        self._next: asyncio.Task[None] | None = None
        """The question that whoever comes now joins."""
        self._turn = asyncio.Lock()

    async def learn(self, people: Iterable[str]) -> None:
        """Have these names among the known ones; raises what the question raised."""
        unknown = [user for user in people if user not in self]
        if not unknown:
            return
        self._wanted.update(unknown)
        if self._next is None:
            self._next = asyncio.create_task(self._look())
            self._next.add_done_callback(_heard)
        await asyncio.shield(self._next)

    def know(self, user: User) -> None:
        """Have a person's name at hand; whoever was deleted since it was looked up has none."""
        if self.get(user.id) != Called():
            self[user.id] = user.called

    def called(self, user: str) -> Called:
        """What a person goes by; nothing where that is not known."""
        return self.get(user, Called())

    def name(self, user: str) -> str | None:
        """The name of a person alone."""
        return self.called(user).name

    def forget_all_but(self, people: Container[str]) -> None:
        """Let go of the names of all others."""
        for user in [user for user in self if user not in people]:
            del self[user]

    async def _look(self) -> None:
        async with self._turn:
            people, self._wanted, self._next = self._wanted, set(), None
            self.update(await self._ask(people))


def _heard(task: asyncio.Task[None]) -> None:
    """All who asked may have gone."""
    if not task.cancelled():
        task.exception()
