"""Bots that belong to people: made, found, listed, removed; and the seats they are offered."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Final

from msgspec import structs
from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session as Db

from okey101.errors import OkeyError
from okey101.server.errors import refuse
from okey101.server.people import persons
from okey101.server.people.database import InStore, Run, count, in_transaction
from okey101.server.people.models import InvitationRow, SessionRow, User, UserRow
from okey101.server.people.names import Name, name_key
from okey101.server.people.persons import new_token
from okey101.server.protocol.bot_labels import read_label
from okey101.server.protocol.client_messages import Sit
from okey101.server.store import Store, StoreError
from okey101.server.tables.registry import Tables
from okey101.server.tables.table import Table

MOST_BOTS: Final = 10
"""The most bots that one person has."""
_MOST_NAMED: Final = 5
_BOTS: Final = select(UserRow).where(UserRow.owner_id.is_not(None), UserRow.deleted_ms.is_(None))


class OwnedBots(InStore):
    """The bot accounts of all people; errors are those of the accounts besides its own."""

    def __init__(
        self,
        run: Run,
        now_ms: Callable[[], int],
        checked: Callable[[str], Name],
        erased: Callable[[str], Awaitable[object]],
    ) -> None:
        """``checked`` reads a name, ``erased`` notes an id."""
        super().__init__(run, now_ms)
        self._checked = checked
        self._erased = erased

    @in_transaction
    def add(self, db: Db, owner: str, name: str) -> tuple[User, str]:
        """A bot of a person's own, and its token, which nobody can be shown again.

        OkeyError of the name, ``name-taken``, ``no-user``, ``not-account`` for a guest, and
        ``too-many-bots``.
        """
        checked, token, now = self._checked(name), new_token(), self._now()
        mine = persons.account_row(db, owner)
        others = bots_of(db, owner)
        if len(others) >= MOST_BOTS:
            refuse("too-many-bots", limit=MOST_BOTS)
        if any(other.name_key == checked.key for other in others):
            refuse("name-taken")  # two of one label could not be told apart
        row = persons.add_user(db, checked, mine.language, now, mine)
        persons.add_session(db, row, token, "bot", now)
        persons.add_event(db, "bot-made", owner, row.id, now)
        return persons.user_of(row), token

    @in_transaction
    def of(self, db: Db, owner: str) -> list[User]:
        """The bots of a person, the newest first."""
        return [persons.user_of(row) for row in bots_of(db, owner)]

    @in_transaction
    def named(self, db: Db, text: str) -> User:
        """The bot of an id, a name, or a name with its owner's: ``Careful (bot, Ali)``.

        OkeyError ``no-bot-account``, also for one that is banned; ``several-bots``, with their
        ``names``.
        """
        text = storable(text)
        name, owner = read_label(text)
        now = self._now()
        row = db.scalar(_BOTS.where(UserRow.id == text))
        alike = _BOTS.where(UserRow.name_key == name_key(name))
        rows = db.scalars(alike) if row is None else [row]
        found = [row for row in rows if row.banned_until is None or row.banned_until <= now]
        if owner is not None:
            key = name_key(owner)
            found = [row for row in found if row.owner and row.owner.name_key == key]
        if not found:
            refuse("no-bot-account")
        bots = [persons.user_of(row) for row in found]
        if len(bots) > 1:
            names = sorted({bot.name or "" for bot in bots})
            refuse("several-bots", names=", ".join(names[:_MOST_NAMED]))
        return bots[0]

    @in_transaction
    def all(self, db: Db, search: str, limit: int, offset: int) -> list[tuple[User, bool]]:
        """All bots, by id or part of a name, and whether each has a running token; the latest seen
        first, at most 200.
        """
        text, query = storable(search), _BOTS.order_by(UserRow.seen_ms.desc(), UserRow.id)
        if text:
            part = UserRow.name_key.contains(name_key(text) or text, autoescape=True)
            query = query.where(or_(UserRow.id == text, UserRow.owner_id == text, part))
        rows = db.scalars(query.limit(max(1, min(limit, 200))).offset(max(0, offset))).all()
        running = select(SessionRow.user_id).where(
            SessionRow.user_id.in_([row.id for row in rows]), SessionRow.expires_ms > self._now()
        )
        signed = {*db.scalars(running)}
        return [(persons.user_of(row), row.id in signed) for row in rows]

    @in_transaction
    def revoke(self, db: Db, bot: str) -> None:
        """End a bot's token, whoever's it is; its owner can make another. OkeyError ``no-user``."""
        row = _bot_of(db, bot)
        persons.end_sessions(db, bot)
        persons.add_event(db, "bot-revoked", row.owner_id, bot, self._now())

    @in_transaction
    def new_token(self, db: Db, owner: str, bot: str) -> str:
        """Another token of a bot, which ends those before; OkeyError ``no-user``."""
        row, token, now = _bot_of(db, bot, owner), new_token(), self._now()
        persons.end_sessions(db, bot)
        persons.add_session(db, row, token, "bot", now)
        persons.add_event(db, "bot-token", owner, bot, now)
        return token

    async def remove(self, bot: str, owner: str | None = None) -> None:
        """Remove a bot and its token; OkeyError ``no-user``, also where it is not the owner's."""

        def work(db: Db) -> None:
            whose = _bot_of(db, bot, owner).owner_id
            persons.erase(db, bot, self._now())
            persons.add_event(db, "bot-removed", whose, bot, self._now())

        await self._run(work)
        await self._erased(bot)


def bots_of(db: Db, owner: str) -> Sequence[UserRow]:
    """The bots of a person, the newest first."""
    query = _BOTS.where(UserRow.owner_id == owner)
    return db.scalars(query.order_by(UserRow.created_ms.desc(), UserRow.id)).all()


def storable(text: str) -> str:
    """Text from outside may hold a lone surrogate or a NUL, which not every database takes."""
    return text[:200].encode("utf-8", "replace").decode().replace("\0", "?")


def _bot_of(db: Db, bot: str, owner: str | None = None) -> UserRow:
    """The row of a bot, of this owner where one is named."""
    row = persons.user_row(db, bot)
    if row.owner_id is None or owner not in (None, row.owner_id):
        refuse("no-user")
    return row


# Seats that are offered to bots, and tables that friends are called to.

MOST_OF_A_BOT: Final = 20
"""The most that wait for one bot or person; the oldest is forgotten."""
MOST_AT_A_TABLE: Final = 20
"""The most that a table has."""


class Invitations(InStore):
    """Who was invited where; those of a table end with it, and those of somebody with that one."""

    @in_transaction
    def add(
        self, db: Db, bot: str, table: str, seat: int | None, at: int, sender: str | None = None
    ) -> None:
        """Invite a bot, or a friend of the ``sender``; a later invitation to the same table
        replaces an earlier one, unless a friend has refused that.

        OkeyError ``too-many-invitations`` and ``no-user``.
        """
        persons.user_row(db, bot)
        known = db.get(InvitationRow, (bot, table))
        if sender is not None and known is not None and known.refused:
            return
        others = InvitationRow.table_id == table, InvitationRow.user_id != bot
        if count(db, *others) >= MOST_AT_A_TABLE:
            refuse("too-many-invitations", limit=MOST_AT_A_TABLE)
        mine = _INVITED.where(InvitationRow.user_id == bot, InvitationRow.table_id != table)
        for old in db.scalars(mine.offset(MOST_OF_A_BOT - 1)).all():
            db.delete(old)
        made = {"user_id": bot, "table_id": table, "seat": seat, "at_ms": at, "sender_id": sender}
        db.merge(InvitationRow(**made, refused=0))

    @in_transaction
    def refuse(self, db: Db, bot: str, table: str) -> bool:
        """Note that a bot does not come; False where it was not invited."""
        row = db.get(InvitationRow, (bot, table))
        if row is not None:
            row.refused = 1
        return row is not None

    @in_transaction
    def withdraw(self, db: Db, bot: str, table: str) -> bool:
        """Take an invitation back; False where there is none."""
        row = db.get(InvitationRow, (bot, table))
        if row is not None:
            db.delete(row)
        return row is not None

    @in_transaction
    def forget_tables(self, db: Db, tables: Collection[str]) -> None:
        """Tables are closed."""
        db.execute(delete(InvitationRow).where(InvitationRow.table_id.in_(tables)))

    async def forget_closed(
        self, tables: Tables, store: Store, these: Iterable[str] = (), *, alone: bool
    ) -> None:
        """Forget those to tables that are no more, these or any; those that can't be now, later.

        Unless ``alone``, other nodes may keep tables.
        """
        await tables.brought()
        with contextlib.suppress(OkeyError, StoreError):
            gone = [one for one in these or await self.tables() if not tables.has(one)]
            if not alone:
                gone = [one for one in gone if await store.closed(one)]
            await self.forget_tables(gone)

    # Asking -----------------------------------------------------------------------------------

    @in_transaction
    def of(self, db: Db, bot: str) -> Sequence[InvitationRow]:
        """What waits for a bot, the latest first, without what it has refused."""
        mine = InvitationRow.user_id == bot, InvitationRow.refused == 0
        return db.scalars(_INVITED.where(*mine)).all()

    @in_transaction
    def at(self, db: Db, table: str) -> Sequence[InvitationRow]:
        """All who were invited to a table, the first one first."""
        return db.scalars(_INVITED.where(InvitationRow.table_id == table)).all()[::-1]

    async def checked(self, user: str, command: Sit, table: Table) -> Sit:
        """The command of a bot to sit down as it is done: it leads to the seat it was invited to.

        OkeyError ``not-invited`` and ``bot-needs-clock``.
        """
        state = table.state
        if state.owner == user:
            return command
        invited = [one for one in await self.of(user) if one.table_id == state.table]
        if not invited or command.seat not in (None, invited[0].seat):
            refuse("not-invited")
        if not state.options.clock:
            refuse("bot-needs-clock")
        return structs.replace(command, seat=invited[0].seat)

    @in_transaction
    def tables(self, db: Db) -> set[str]:
        """The tables that somebody is invited to."""
        return {*db.scalars(select(InvitationRow.table_id))}


_INVITED: Final = select(InvitationRow).order_by(InvitationRow.at_ms.desc())
