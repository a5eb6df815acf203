"""The record of a table's match: who played it, and when others may see it."""

from __future__ import annotations

import pickle

import pytest

from okey101.game import Deal
from okey101.server.protocol.options import SpectatorMode
from okey101.server.tables import log_entries as log
from okey101.server.tables.finished_deals import FinishedDeal, whole_deal
from okey101.server.tables.match_record import SeatHistory, match_record, shown_from_ms
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table
from server.tables.table_stories import Story, story, table_options
from server.tables.twins import brought_back


def two_at_a_table() -> Story:
    """A match of two people that is over; then one leaves, and somebody else sits down."""
    told = story("altinstar", "2", "who played", style="eager")
    assert told.state.stage is Stage.OVER
    assert told.state.people == ("u0", "u1")
    return told


def players(table: Table) -> list[str]:
    shown = table.state
    record = match_record(shown, str.upper, table.audience.seat_history.of(shown)).to_dict()
    found = record["players"]
    assert isinstance(found, list)
    return found


async def test_the_record_names_those_who_played() -> None:
    told = two_at_a_table()
    for entry in (log.Left(user="u1"), log.Sat(user="u7", seat=1)):
        told.add(entry)
    assert told.state.people == ("u0", "u7")
    table = await brought_back(told)
    assert players(table) == ["U0", "U1"]
    await table.stop()


def test_while_a_match_is_played_the_record_names_those_who_sit_there() -> None:
    told = Story(table_options("altinstar", "2", deals=1), "another seat")
    told.fill()
    told.add(log.Started(user="u0", secret=told.secret()))
    sat = SeatHistory(told.steps[0].state)
    for before, after in zip(told.steps, told.steps[1:], strict=False):
        sat.tell(before.state, after.state)
    assert sat.of(told.state) == told.state.seats


def test_every_match_has_its_own_players() -> None:
    told = two_at_a_table()
    sat = SeatHistory(told.steps[0].state)
    taken = [told.steps[0].state]

    def tell() -> None:
        for step in told.steps[len(taken) :]:
            sat.tell(taken[-1], step.state)
            taken.append(step.state)

    first = told.state
    told.rematch()
    told.match("eager")
    second = told.state
    told.add(log.Left(user="u1"))
    tell()
    assert second.match == 2
    assert sat.of(told.state) == second.seats
    assert sat.of(first) == first.seats


@pytest.mark.parametrize(
    ("mode", "later"), [("live", 0), ("deal", 0), ("off", 0), ("delayed", 90_000)]
)
def test_a_match_is_shown_to_others_after_the_delay(mode: SpectatorMode, later: int) -> None:
    told = story("altinstar", "2", f"shown {mode}", style="eager", spectators=mode, delay=90)
    over: TableState = told.state
    assert shown_from_ms(over) == over.at_ms + later


# Finished deals take little memory -------------------------------------------------------------


def test_of_a_long_match_only_the_last_deal_is_kept_as_objects() -> None:
    """A hundred deals took 4.3 MB for each table."""
    told = Story(table_options("altinstar", "4", deals=6), "a long match")
    told.fill()
    told.match()
    after = zip(told.steps, told.steps[1:], strict=False)
    ends = [new.state for old, new in after if len(new.state.played) > len(old.state.played)]
    whole = [state.played[-1].deal for state in ends]
    assert len(whole) >= 6
    kept = [played.deal for played in told.state.played]
    assert all(isinstance(deal, FinishedDeal) for deal in kept[:-1])
    assert [whole_deal(deal) for deal in kept] == whole
    assert [deal.result for deal in kept] == [deal.result for deal in whole]
    for packed, deal in zip(kept[:-1], whole[:-1], strict=True):
        assert isinstance(packed, FinishedDeal)
        assert isinstance(deal, Deal)
        assert len(packed.data) < len(pickle.dumps(deal)) < 20_000
        assert len(packed.data) < 4_000
        assert packed == FinishedDeal.of(deal)
        assert str(deal.rack(0)) not in repr(packed)
