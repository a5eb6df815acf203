"""Accounts that programs of others play by: whose they are shows in their ids and names.

A bot account has a token and no password. It belongs to a person, whose name stands beside its own
wherever it is shown: nobody's name may have brackets, so no person can look like one.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

from okey101.server.errors import refuse

__all__ = ["BOT_KIND", "Invitation", "Invitations", "is_bot_account", "label", "require_person"]

BOT_KIND: Final = "b"
"""What the id of a bot account begins with."""
_MOST_EACH: Final = 20
_MOST: Final = 10_000


def is_bot_account(user: str) -> bool:
    """Whether an id is that of a bot account.

    >>> is_bot_account("b_x"), is_bot_account("u_x")
    (True, False)
    """
    return user.startswith(f"{BOT_KIND}_")


def label(name: str, owner: str | None) -> str:
    """The name that a bot account is shown by.

    >>> label("Careful", "Ali")
    'Careful (bot, Ali)'
    """
    return f"{name} (bot, {owner or '-'})"


def require_person(user: str) -> None:
    """OkeyError ``not-for-bots`` for a bot account."""
    if is_bot_account(user):
        refuse("not-for-bots")


class Invitation(NamedTuple):
    """A seat at a table that its owner offers to a bot; ``at`` is UTC in milliseconds."""

    table: str
    seat: int
    at: int


class Invitations:
    """Who was invited where, while the server runs; the oldest are forgotten."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, OrderedDict[str, Invitation]] = OrderedDict()

    def add(self, bot: str, invitation: Invitation) -> None:
        """Invite a bot; a later invitation to the same table replaces an earlier one."""
        mine = self._of.setdefault(bot, OrderedDict())
        mine.pop(invitation.table, None)
        mine[invitation.table] = invitation
        if len(mine) > _MOST_EACH:
            mine.popitem(last=False)
        self._of.move_to_end(bot)
        if len(self._of) > _MOST:
            self._of.popitem(last=False)

    def of(self, bot: str) -> list[Invitation]:
        """The invitations of a bot, the latest first."""
        mine = self._of.get(bot)
        return [] if mine is None else [*reversed(mine.values())]

    def to(self, bot: str, table: str) -> Invitation | None:
        """The invitation of a bot to a table."""
        mine = self._of.get(bot)
        return None if mine is None else mine.get(table)
