"""Seats of a table's state: who sits where, who owns the table, and who acted."""

from __future__ import annotations

import sys

from okey101.game.record.form import BOT, CLOCK, EXTERNAL, FALLBACK, PERSON
from okey101.server.protocol.bot_labels import is_bot_account
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import Seat, TableState, changed

# Who owns a table: people before bot accounts, since a program waits for somebody to start it.
#
# Where only bot accounts are left at a table it stays with the owner who is gone, until a person
# sits down; if nobody does, it closes as an idle one.


def inherited(state: TableState) -> TableState:
    """The table with an owner who is there, if a person is: the first, latecomers last."""
    people = [user for user in state.people if not is_bot_account(user)]
    if state.owner in state.people or not people:
        return state
    return changed(state, owner=min(people, key=lambda user: user in state.latecomers))


def is_orphaned(state: TableState) -> bool:
    """Whether bot accounts sit at a table whose owner is gone."""
    return bool(state.people) and state.owner not in state.people


def put(state: TableState, number: int, seat: Seat) -> TableState:
    """The state with another seat."""
    seats = state.seats
    return changed(state, seats=(*seats[:number], seat, *seats[number + 1 :]))


def seats_taken(state: TableState) -> TableState:
    """The table once those who waited for the end of a deal have their seats."""
    for number, user in state.coming:
        orphaned = is_orphaned(state) and not is_bot_account(user)
        owner = user if orphaned or not state.people else state.owner
        late = state.latecomers | {user}
        quits = tuple(quit_ for quit_ in state.quits if quit_[0] != user)
        state = changed(state, owner=owner, latecomers=late, quits=quits)
        state = put(state, number, Seat(user=user))
    return changed(state, coming=())


# Who played an action of the log, in the words of records.

_ACTORS = {"user": PERSON, "clock": CLOCK, "fallback": FALLBACK}


def actor_of(entry: log.Acted) -> str:
    """The actor of an entry."""
    if entry.by == "bot":
        assert entry.bot is not None
        external = entry.bot.startswith(f"{EXTERNAL}:")
        return sys.intern(entry.bot if external else f"{BOT}:{entry.bot}")
    if entry.by == "fallback" and entry.bot is not None:
        return sys.intern(f"{FALLBACK}:{entry.bot}")
    return _ACTORS[entry.by]
