"""Bots that belong to people: made, found, listed, removed; and the seats they are offered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from msgspec import structs
from sqlalchemy import Select, delete, or_, select
from sqlalchemy.orm import Session as Db

from okey101.server.errors import refuse
from okey101.server.people import persons
from okey101.server.people.database import InStore, Run, in_transaction
from okey101.server.people.models import InvitationRow, SessionRow, User, UserRow
from okey101.server.people.names import Name, name_key
from okey101.server.people.persons import new_token
from okey101.server.protocol.bot_labels import read_label
from okey101.server.protocol.client_messages import Sit
from okey101.server.tables.table import Table

MOST_BOTS: Final = 10
"""The most bots that one person has."""
_MOST_NAMED: Final = 5
_BOTS: Final = select(UserRow).where(UserRow.owner_id.is_not(None), UserRow.deleted_ms.is_(None))


class OwnedBot(NamedTuple):
    """A bot account as whoever runs the server sees it: ``token`` says whether it has one."""

    bot: User
    token: bool


class OwnedBots(InStore):
    """The bot accounts of all people; errors are those of the accounts besides its own."""

    def __init__(
        self,
        run: Run,
        now_ms: Callable[[], int],
        checked: Callable[[str], Name],
        erased: Callable[[str], Awaitable[None]],
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
        mine = persons.user_row(db, owner)
        if mine.password_hash is None:
            refuse("not-account")
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
            found = [row for row in found if _belongs(db, row, owner)]
        if not found:
            refuse("no-bot-account")
        bots = [persons.user_of(row) for row in found]
        if len(bots) > 1:
            names = sorted({bot.name or "" for bot in bots})
            refuse("several-bots", names=", ".join(names[:_MOST_NAMED]))
        return bots[0]

    @in_transaction
    def all(self, db: Db, search: str, limit: int, offset: int) -> list[OwnedBot]:
        """All bots, by id or part of a name, the latest seen first; at most 200."""
        text, query = storable(search), _BOTS.order_by(UserRow.seen_ms.desc(), UserRow.id)
        if text:
            part = UserRow.name_key.contains(name_key(text) or text, autoescape=True)
            query = query.where(or_(UserRow.id == text, UserRow.owner_id == text, part))
        rows = db.scalars(query.limit(max(1, min(limit, 200))).offset(max(0, offset))).all()
        running = select(SessionRow.user_id).where(
            SessionRow.user_id.in_([row.id for row in rows]), SessionRow.expires_ms > self._now()
        )
        signed = {*db.scalars(running)}
        return [OwnedBot(persons.user_of(row), row.id in signed) for row in rows]

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


def _belongs(db: Db, row: UserRow, owner: str) -> bool:
    person = db.get(UserRow, row.owner_id)
    return person is not None and person.name_key == name_key(owner)


def _bot_of(db: Db, bot: str, owner: str | None = None) -> UserRow:
    """The row of a bot, of this owner where one is named."""
    row = persons.user_row(db, bot)
    if row.owner_id is None or owner not in (None, row.owner_id):
        refuse("no-user")
    return row


# Seats that are offered to bots, and tables that friends are called to: kept in the accounts'
# file, and at hand for those who ask.

MOST_OF_A_BOT: Final = 20
"""The most that wait for one bot or person; the oldest is forgotten."""
MOST_AT_A_TABLE: Final = 20
"""The most that a table has."""


class Invitation(NamedTuple):
    """A seat at a table that is offered to a bot; ``at`` is UTC in milliseconds.

    Or to a friend of the ``sender``: any seat there. ``refused`` is true once the answer was no.
    """

    user: str
    table: str
    seat: int | None
    at: int
    refused: bool = False
    sender: str | None = None


class Invitations(InStore):
    """Who was invited where: all of them in memory, and each change durable before it counts.

    Those of a table end with it, and those of somebody with that one.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._of: dict[str, dict[str, Invitation]] = {}
        self._at: dict[str, dict[str, Invitation]] = {}
        self.on_change: Callable[[str], None] = lambda _: None
        """Hears of each one whose invitations have changed here."""

    async def load(self) -> None:
        """Know what the database has."""
        for one in await self._kept(select(InvitationRow)):
            self._put(one)

    async def learn(self, bot: str) -> None:
        """Know what the database has of one by now, and nothing else of it."""
        found = await self._kept(select(InvitationRow).where(InvitationRow.user_id == bot))
        self._forget_all(bot)
        for one in found:
            self._put(one)

    @in_transaction
    def _kept(self, db: Db, query: Select[Any]) -> list[Invitation]:
        rows = db.scalars(query.order_by(InvitationRow.at_ms))
        return [
            Invitation(r.user_id, r.table_id, r.seat, r.at_ms, bool(r.refused), r.sender_id)
            for r in rows
        ]

    async def add(
        self, bot: str, table: str, seat: int | None, at: int, sender: str | None = None
    ) -> None:
        """Invite a bot, or a friend of the ``sender``; a later invitation to the same table
        replaces an earlier one, unless a friend has refused that.

        OkeyError ``too-many-invitations`` and ``no-user``.
        """
        made, known = Invitation(bot, table, seat, at, sender=sender), self._of.get(bot, {})
        if sender is not None and table in known and known[table].refused:
            return
        others = {*self._at.get(table, ())} - {bot}
        if len(others) >= MOST_AT_A_TABLE:
            refuse("too-many-invitations", limit=MOST_AT_A_TABLE)
        old = [one.table for one in self.of(bot, refused=True) if one.table != table]
        gone = old[MOST_OF_A_BOT - 1 :]

        def work(db: Db) -> None:
            persons.user_row(db, bot)  # it may have been removed meanwhile
            mine = delete(InvitationRow).where(InvitationRow.user_id == bot)
            db.execute(mine.where(InvitationRow.table_id.in_([*gone, table])))
            db.add(
                InvitationRow(
                    user_id=bot, table_id=table, seat=seat, at_ms=at, refused=0, sender_id=sender
                )
            )

        await self._run(work)
        for other in (*gone, table):
            self._forget(bot, other)
        self._put(made)
        self.on_change(bot)

    async def refuse(self, bot: str, table: str) -> bool:
        """Note that a bot does not come; False where it was not invited."""
        found = self._of.get(bot, {}).get(table)
        if found is None or found.refused:
            return found is not None

        def work(db: Db) -> None:
            row = db.get(InvitationRow, (bot, table))
            if row is not None:
                row.refused = 1

        await self._run(work)
        if self.to(bot, table) == found:
            self._put(found._replace(refused=True))
        self.on_change(bot)
        return True

    async def withdraw(self, bot: str, table: str) -> bool:
        """Take an invitation back; False where there is none."""
        if bot not in self._at.get(table, ()):
            return False
        one = delete(InvitationRow).where(
            InvitationRow.user_id == bot, InvitationRow.table_id == table
        )
        await self._run(lambda db: db.execute(one))
        self._forget(bot, table)
        self.on_change(bot)
        return True

    async def forget_tables(self, tables: Iterable[str]) -> None:
        """Tables are closed."""
        gone = [table for table in tables if table in self._at]
        bots = {bot for table in gone for bot in self._at[table]}
        for table in gone:
            for bot in [*self._at[table]]:
                self._forget(bot, table)
        if gone:
            theirs = delete(InvitationRow).where(InvitationRow.table_id.in_(gone))
            await self._run(lambda db: db.execute(theirs))
        for bot in bots:
            self.on_change(bot)

    def forget_bot(self, bot: str) -> None:
        """A bot is removed, its rows as well."""
        self._forget_all(bot)
        self.on_change(bot)

    def _forget_all(self, bot: str) -> None:
        for table in [*self._of.get(bot, ())]:
            self._forget(bot, table)

    # Asking -----------------------------------------------------------------------------------

    def of(self, bot: str, *, refused: bool = False) -> list[Invitation]:
        """What waits for a bot, the latest first; what it has refused too where asked for."""
        found = sorted(self._of.get(bot, {}).values(), key=lambda one: -one.at)
        return [one for one in found if refused or not one.refused]

    def at(self, table: str) -> list[Invitation]:
        """All who were invited to a table, the first one first."""
        return sorted(self._at.get(table, {}).values(), key=lambda one: one.at)

    def to(self, bot: str, table: str) -> Invitation | None:
        """The invitation of a bot to a table that it has not refused."""
        found = self._of.get(bot, {}).get(table)
        return None if found is None or found.refused else found

    def checked(self, user: str, command: Sit, table: Table) -> Sit:
        """The command of a bot to sit down as it is done: it leads to the seat it was invited to.

        OkeyError ``not-invited`` and ``bot-needs-clock``.
        """
        state = table.state
        if state.owner == user:
            return command
        invited = self.to(user, state.table)
        if invited is None or command.seat not in (None, invited.seat):
            refuse("not-invited")
        if not state.options.clock:
            refuse("bot-needs-clock")
        return structs.replace(command, seat=invited.seat)

    @property
    def tables(self) -> frozenset[str]:
        """The tables that somebody is invited to."""
        return frozenset(self._at)

    def _put(self, made: Invitation) -> None:
        self._of.setdefault(made.user, {})[made.table] = made
        self._at.setdefault(made.table, {})[made.user] = made

    def _forget(self, bot: str, table: str) -> None:
        for index, key, name in ((self._of, bot, table), (self._at, table, bot)):
            part = index.get(key, {})
            part.pop(name, None)
            if not part:
                index.pop(key, None)
