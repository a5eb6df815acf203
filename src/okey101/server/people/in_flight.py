"""What people are doing at the tables, so that nobody sits down while being shut out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

from okey101.server.errors import refuse_account


class InFlight:
    """Counts what each person has begun; somebody who is being shut out begins nothing more."""

    def __init__(self) -> None:
        self._running: dict[str, int] = {}  # a Counter deletes a key in Python
        self._shut: Counter[str] = Counter()
        self._done: dict[str, asyncio.Event] = {}

    @contextmanager
    def begun(self, user: str) -> Generator[None]:
        """Something a person does; OkeyError ``accounts-busy`` while that person is shut out."""
        self.begin(user)
        try:
            yield
        finally:
            self.end(user)

    def begin(self, user: str) -> None:
        """The same where a ``with`` for every move costs too much; :meth:`end` has to follow."""
        if user in self._shut:
            refuse_account("accounts-busy")
        self._running[user] = self._running.get(user, 0) + 1

    def end(self, user: str) -> None:
        """What :meth:`begin` began is over."""
        left = self._running[user] - 1
        if left:
            self._running[user] = left
            return
        del self._running[user]
        if (done := self._done.pop(user, None)) is not None:
            done.set()

    @asynccontextmanager
    async def shut(self, user: str) -> AsyncGenerator[None]:
        """Let a person begin nothing; whatever was begun is over when this is entered."""
        self._shut[user] += 1
        try:
            if user in self._running:
                await self._done.setdefault(user, asyncio.Event()).wait()
            yield
        finally:
            self._shut[user] -= 1
            if not self._shut[user]:
                del self._shut[user]
