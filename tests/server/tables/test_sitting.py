"""Who may sit down after a match, and who joined a running one and may be sent away again."""

from __future__ import annotations

from typing import Any

import pytest

from okey101.errors import OkeyError
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.clocks import bot_action, next_due
from okey101.server.tables.reduce import reduce
from okey101.server.tables.rows import state_hash
from okey101.server.tables.state import Seat, Stage, changed
from okey101.server.tables.table import Table
from server.tables.at_tables import asked, refusal
from server.tables.table_stories import Story, filled, rows_of, table_options
from server.tables.twins import Screen, Unchecked, dependencies

LATE = "late"
HIDDEN = ("delayed", "off")
SHOWN = ("live", "deal")


def begun(seats: str = "4", bots: tuple[str | None, ...] = (None, None, "steady", None)) -> Story:
    """A match that runs, of the people u0, u1 and so on, and a bot."""
    made = Story(table_options("altinstar", seats, bots=bots), "sitting")
    made.begin()
    return made


def over(spectators: str, **changes: Any) -> Story:
    """A match that has ended, of two people and two bots."""
    options = table_options(
        "altinstar", "4", deals=1, spectators=spectators, bots=(None, None, "steady", "greedy"),
        **changes,
    )  # fmt: skip
    made = Story(options, "over")
    made.fill()
    made.match("eager")
    return made


# After a match --------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [None, 1, 2])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("spectators", HIDDEN)
def test_nobody_sits_down_to_see_a_match_that_is_not_shown(
    spectators: str, late: bool, seat: int | None
) -> None:
    """Neither in a bot's seat nor in one that is free."""
    made = over(spectators, late=late)
    made.add(log.Left(user="u1"))
    assert refusal(made.state, "x", ask.Sit(rid="1", seat=seat)) == "match-ended"
    assert refusal(made.state, "u0", ask.Sit(rid="1", seat=seat)) != "match-ended"


@pytest.mark.parametrize("seat", [None, 1, 2])
@pytest.mark.parametrize("spectators", SHOWN)
def test_a_match_that_is_shown_takes_new_people_for_the_next(
    spectators: str, seat: int | None
) -> None:
    made = over(spectators)
    made.add(log.Left(user="u1"))
    state = asked(made, "x", ask.Sit(rid="1", seat=seat))
    assert (state.stage, state.seat_of("x")) == (Stage.OVER, seat or 1)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("spectators", HIDDEN)
def test_who_stayed_alone_finds_new_people(spectators: str, first: bool) -> None:
    """Whether another match was asked for before the others left, or after."""
    made = over(spectators)
    told: list[log.Entry] = [log.RematchSet(user="u0"), log.Left(user="u1")]
    for entry in told if first else told[::-1]:
        made.add(entry)
    assert made.state.stage is Stage.WAITING
    assert asked(made, "x", ask.Sit(rid="1")).seat_of("x") == 1
    assert (made.state.played, made.state.deal) == ((), None)


async def replayed(made: Story) -> tuple[Seat, ...]:
    """The seats of the table after a restart."""
    store = await filled([*rows_of(made.steps)])
    table = await Table.load(made.state.table, dependencies(store, made.state.at_ms, 1))
    assert table is not None
    assert table.frozen is None
    await table.stop()
    return table.state.seats


# In a running match ---------------------------------------------------------------------------


def test_the_owner_sends_away_who_came_in_late() -> None:
    made = begun()
    state = made.add(log.Sat(user=LATE, seat=2, late=True))
    assert state.latecomers == {LATE}
    assert refusal(state, "u1", ask.Kick(rid="1", seat=2)) == "not-owner"
    after = asked(made, "u0", ask.Kick(rid="1", seat=2))
    assert after.seats[2] == Seat(bot="steady")
    assert (after.stage, after.deal, after.latecomers) == (Stage.PLAYING, state.deal, frozenset())
    assert refusal(after, LATE, ask.Sit(rid="2")) == "kicked"


def test_who_began_the_match_stays() -> None:
    made = begun()
    asked(made, LATE, ask.Sit(rid="1"))
    for seat in (1, 3):
        assert refusal(made.state, "u0", ask.Kick(rid="1", seat=seat)) == "not-waiting"
    made.add(log.Left(user=LATE))
    assert refusal(made.state, "u0", ask.Kick(rid="1", seat=2)) == "not-waiting"
    assert made.state.latecomers == frozenset()


def test_who_left_and_came_back_came_in_late() -> None:
    made = begun()
    made.add(log.Left(user="u1"))
    asked(made, "u1", ask.Sit(rid="1", seat=1))
    assert asked(made, "u0", ask.Kick(rid="1", seat=1)).seats[1] == Seat(bot="steady")


def test_between_deals_too() -> None:
    made = begun()
    made.play("eager")
    assert made.state.stage is Stage.DEALING
    asked(made, LATE, ask.Sit(rid="1"))
    made.deal()
    assert asked(made, "u0", ask.Kick(rid="1", seat=2)).seat_of(LATE) is None


def test_the_table_goes_to_who_began_the_match_with_its_owner() -> None:
    """A stranger in a seat before theirs can't send them away, nor stay against their will."""
    made = begun(bots=(None, "steady", None, None))
    made.add(log.Sat(user=LATE, seat=1, late=True))
    assert made.add(log.Left(user="u0")).owner == "u2"
    assert made.add(log.Left(user="u2")).owner == "u3"
    assert made.add(log.Left(user="u3")).owner == LATE
    asked(made, "u3", ask.Sit(rid="1", seat=3))
    assert refusal(made.state, LATE, ask.Kick(rid="2", seat=1)) == "no-seat"


def test_whoever_plays_another_match_began_it() -> None:
    made = Story(table_options("altinstar", "2", deals=1, bots=(None, "greedy")), "again")
    made.add(log.Started(user="u0", secret=made.secret()))
    asked(made, LATE, ask.Sit(rid="1"))
    made.deal()
    while made.state.stage is not Stage.OVER:
        if made.state.stage is Stage.DEALING:
            made.deal()
        made.play("eager")
    assert made.state.latecomers == {LATE}
    for user in ("u0", LATE):
        asked(made, user, ask.Rematch(rid="r"))
    assert (made.state.stage, made.state.match) == (Stage.DEALING, 2)
    assert made.state.latecomers == frozenset()
    assert refusal(made.state, "u0", ask.Kick(rid="1", seat=1)) == "not-waiting"


async def test_the_row_says_who_joined_late() -> None:
    made = begun()
    old = reduce(made.state, log.Sat(user=LATE, seat=2), made.state.at_ms)
    new = reduce(made.state, log.Sat(user=LATE, seat=2, late=True), made.state.at_ms)
    assert state_hash(old) == state_hash(changed(new, latecomers=frozenset()))
    assert state_hash(old) != state_hash(new)
    made.add(log.Sat(user=LATE, seat=2))
    with pytest.raises(OkeyError, match="has begun"):
        made.add(log.Kicked(user="u0", seat=2))
    made.add(log.Left(user=LATE))
    asked(made, LATE, ask.Sit(rid="2", seat=2))
    assert made.state.latecomers == {LATE}
    assert await replayed(made) == made.state.seats


async def test_nobody_holds_up_a_match_without_a_clock() -> None:
    """A stranger takes the bot's seat and does nothing; the owner sends him away."""
    made = begun("2", (None, "steady"))
    while made.state.deal is not None and made.state.deal.turn != 1:
        made.move("eager")
    deps = dependencies(Unchecked(), made.state.at_ms, 1)
    table = Table(made.state, deps)
    stranger = Screen(LATE)
    table.attach(Screen("u0"))
    table.attach(stranger)
    await table._do(lambda _: log.Sat(user=LATE, seat=1, late=True))
    assert next_due(table, deps, 0) is None  # nothing will happen by itself
    await table.command("u0", ask.Kick(rid="1", seat=1))
    assert stranger.closed == (4003, "kicked")
    due = next_due(table, deps, 0)
    assert due is not None
    assert due.thinks
    entry = await bot_action(table.state, deps)
    assert isinstance(entry, log.Acted)
    assert (entry.seat, entry.by) == (1, "bot")
    await table.stop()
