"""Bots that belong to people: made, listed, given another token, removed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol, TypeVar

from sqlalchemy import delete, select
from sqlalchemy.orm import Session as Db

from okey101.server.account_errors import refuse_account
from okey101.server.accounts import people, privacy
from okey101.server.accounts.models import SessionRow, UserRow
from okey101.server.accounts.names import Name
from okey101.server.accounts.tokens import new_token
from okey101.server.accounts.types import User

__all__ = ["MOST_BOTS", "OwnedBots"]

MOST_BOTS: Final = 10
"""The most bots that one person has."""

T = TypeVar("T")


class _Run(Protocol):
    def __call__(self, work: Callable[[Db], T], *changed: str) -> Awaitable[T]: ...


class OwnedBots:
    """The bot accounts of all people; errors are those of the accounts besides its own."""

    def __init__(
        self, run: _Run, checked: Callable[[str], Name], now_ms: Callable[[], int]
    ) -> None:
        """``run`` does work in a transaction, ``checked`` reads a name."""
        self._run = run
        self._checked = checked
        self._now = now_ms

    async def add(self, owner: str, name: str) -> tuple[User, str]:
        """A bot of a person's own, and its token, which nobody can be shown again.

        OkeyError of the name, ``name-taken``, ``no-user``, ``not-account`` for a guest, and
        ``too-many-bots``.
        """
        checked, token, now = self._checked(name), new_token(), self._now()

        def work(db: Db) -> User:
            mine = people.user_row(db, owner)
            if mine.password_hash is None:
                refuse_account("not-account")
            if len(_bots_of(db, owner)) >= MOST_BOTS:
                refuse_account("too-many-bots", limit=MOST_BOTS)
            row = people.add_user(db, checked, mine.language, now, mine)
            people.add_session(db, row, token, "bot", now)
            people.add_event(db, "bot-made", owner, row.id, now)
            return people.user_of(row)

        return await self._run(work), token

    async def of(self, owner: str) -> list[User]:
        """The bots of a person, the newest first."""
        return await self._run(lambda db: [people.user_of(row) for row in _bots_of(db, owner)])

    async def new_token(self, owner: str, bot: str) -> str:
        """Another token of a bot, which ends those before; OkeyError ``no-user``."""
        token, now = new_token(), self._now()

        def work(db: Db) -> None:
            row = _bot_of(db, owner, bot)
            db.execute(delete(SessionRow).where(SessionRow.user_id == bot))
            people.add_session(db, row, token, "bot", now)
            people.add_event(db, "bot-token", owner, bot, now)

        await self._run(work, bot)
        return token

    async def remove(self, owner: str, bot: str) -> None:
        """Remove a bot and its token; OkeyError ``no-user`` where it is not the person's."""

        def work(db: Db) -> None:
            _bot_of(db, owner, bot)
            privacy.erase(db, bot, self._now())
            people.add_event(db, "bot-removed", owner, bot, self._now())

        await self._run(work, bot)


def _bots_of(db: Db, owner: str) -> Sequence[UserRow]:
    query = select(UserRow).where(UserRow.owner_id == owner, UserRow.deleted_ms.is_(None))
    return db.scalars(query.order_by(UserRow.created_ms.desc(), UserRow.id)).all()


def _bot_of(db: Db, owner: str, bot: str) -> UserRow:
    row = people.user_row(db, bot)
    if row.owner_id != owner:
        refuse_account("no-user")
    return row
