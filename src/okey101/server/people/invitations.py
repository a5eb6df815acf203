"""Seats that are offered to bots: kept in the accounts' file, and at hand for those who ask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import structs
from sqlalchemy import delete, select
from sqlalchemy.orm import Session as Db

from okey101.server.errors import refuse, refuse_account
from okey101.server.people import persons
from okey101.server.people.database import Run
from okey101.server.people.models import InvitationRow
from okey101.server.protocol.bot_labels import is_bot_account
from okey101.server.protocol.client_messages import Logged, Sit
from okey101.server.tables.registry import Tables
from okey101.server.tables.table import Table

MOST_OF_A_BOT: Final = 20
"""The most that wait for one bot; the oldest is forgotten."""
MOST_AT_A_TABLE: Final = 20
"""The most that a table has."""


class Invitation(NamedTuple):
    """A seat at a table that is offered to a bot; ``at`` is UTC in milliseconds.

    ``refused`` is true once the bot has said no.
    """

    bot: str
    table: str
    seat: int
    at: int
    refused: bool = False


class Invitations:
    """Who was invited where: all of them in memory, and each change durable before it counts.

    Those of a table end with it, and those of a bot with the bot.
    """

    def __init__(self, run: Run) -> None:
        """``run`` does work in a transaction."""
        self._run = run
        self._of: dict[str, dict[str, Invitation]] = {}
        self._at: dict[str, dict[str, Invitation]] = {}

    async def load(self) -> None:
        """Know what the file has."""

        def work(db: Db) -> list[Invitation]:
            rows = db.scalars(select(InvitationRow).order_by(InvitationRow.at_ms))
            return [
                Invitation(row.bot_id, row.table_id, row.seat, row.at_ms, bool(row.refused))
                for row in rows
            ]

        for found in await self._run(work):
            self._put(found)

    async def add(self, bot: str, table: str, seat: int, at: int) -> None:
        """Invite a bot; a later invitation to the same table replaces an earlier one.

        OkeyError ``too-many-invitations`` and ``no-user``.
        """
        made = Invitation(bot, table, seat, at)
        others = {*self._at.get(table, ())} - {bot}
        if len(others) >= MOST_AT_A_TABLE:
            refuse_account("too-many-invitations", limit=MOST_AT_A_TABLE)
        old = [one.table for one in self.of(bot, refused=True) if one.table != table]
        gone = old[MOST_OF_A_BOT - 1 :]

        def work(db: Db) -> None:
            persons.user_row(db, bot)  # it may have been removed meanwhile
            mine = delete(InvitationRow).where(InvitationRow.bot_id == bot)
            db.execute(mine.where(InvitationRow.table_id.in_([*gone, table])))
            db.add(InvitationRow(bot_id=bot, table_id=table, seat=seat, at_ms=at, refused=0))

        await self._run(work)
        for other in (*gone, table):
            self._forget(bot, other)
        self._put(made)

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
        return True

    async def withdraw(self, bot: str, table: str) -> bool:
        """Take an invitation back; False where there is none."""
        if bot not in self._at.get(table, ()):
            return False
        one = delete(InvitationRow).where(
            InvitationRow.bot_id == bot, InvitationRow.table_id == table
        )
        await self._run(lambda db: db.execute(one))
        self._forget(bot, table)
        return True

    async def forget_tables(self, tables: Iterable[str]) -> None:
        """Tables are closed."""
        gone = [table for table in tables if table in self._at]
        for table in gone:
            for bot in [*self._at[table]]:
                self._forget(bot, table)
        if gone:
            theirs = delete(InvitationRow).where(InvitationRow.table_id.in_(gone))
            await self._run(lambda db: db.execute(theirs))

    def forget_bot(self, bot: str) -> None:
        """A bot is removed, its rows as well."""
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

    def checked(self, user: str, command: Logged, table: Table, tables: Tables) -> Logged:
        """A command as it is done; that of a bot to sit down leads to the seat it was invited to.

        OkeyError ``not-invited``, ``bot-needs-clock`` and ``too-many-seats``.
        """
        if not isinstance(command, Sit) or not is_bot_account(user):
            return command
        state = table.state
        if state.seat_of(user) is None:
            tables.require_bot_room(user)
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
        self._of.setdefault(made.bot, {})[made.table] = made
        self._at.setdefault(made.table, {})[made.bot] = made

    def _forget(self, bot: str, table: str) -> None:
        for index, key, name in ((self._of, bot, table), (self._at, table, bot)):
            part = index.get(key, {})
            part.pop(name, None)
            if not part:
                index.pop(key, None)
