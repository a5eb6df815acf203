"""Seats of a table's state: who sits where, and a seat put in the place of another."""

from __future__ import annotations

from okey101.server.bot_accounts import is_bot_account
from okey101.server.errors import refuse
from okey101.server.tables.owners import is_orphaned
from okey101.server.tables.state import Seat, TableState, changed

__all__ = ["put", "seated", "seats_taken"]


def put(state: TableState, number: int, seat: Seat) -> TableState:
    """The state with another seat."""
    seats = state.seats
    return changed(state, seats=(*seats[:number], seat, *seats[number + 1 :]))


def seated(state: TableState, user: str) -> int:
    """The number of a person's seat; OkeyError ``not-seated``."""
    number = state.seat_of(user)
    if number is None:
        refuse("not-seated")
    return number


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
