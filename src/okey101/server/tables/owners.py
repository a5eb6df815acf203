"""Who owns a table: people before bot accounts, since a program waits for somebody to start it.

Where only bot accounts are left at a table it stays with the owner who is gone, until a person
sits down; if nobody does, it closes as an idle one.

Rows from before this rule gave the table to whoever came first, and still do: a new row says who
owns the table where that rule would say another.
"""

from __future__ import annotations

import msgspec

from okey101.server.bot_accounts import is_bot_account
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import TableState

__all__ = ["first_at", "is_orphaned", "with_owner"]


def first_at(state: TableState) -> str:
    """The first at the table, where those who began the match come before latecomers."""
    return min(state.people, key=lambda user: user in state.latecomers)


def is_orphaned(state: TableState) -> bool:
    """Whether bot accounts sit at a table whose owner is gone."""
    return bool(state.people) and state.owner not in state.people


def with_owner(entry: log.Entry, before: TableState, after: TableState) -> log.Entry:
    """The entry that led to ``after``, with the table's owner where that has to be another."""
    if not isinstance(entry, log.Sat | log.Left | log.Kicked) or not after.people:
        return entry
    owner = before.owner
    if owner not in after.people:
        people = [user for user in after.people if not is_bot_account(user)]
        owner = min(people, key=lambda user: user in after.latecomers, default=owner)
    return entry if owner == after.owner else msgspec.structs.replace(entry, owner=owner)
