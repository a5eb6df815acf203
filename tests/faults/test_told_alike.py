"""What the log tells of an action is what the deal keeps of it."""

from __future__ import annotations

from okey101.bots import make_bot
from okey101.game import Options, view_of
from okey101.server.tables import log_entries as log
from okey101.server.tables import serialise
from okey101.server.tables.state import Stage
from server.tables.table_stories import Story, table_options


def test_an_okey_laid_off_is_told_alike_by_events_and_views() -> None:
    """A bot may name the tile an okey stands for in full; the deal keeps the short form."""
    told = Story(table_options("wiki", "2", deals=1, bots=(None, "greedy")), "okeys 232")
    told.add(log.Started(user="u0", secret=told.secret()))
    told.deal()
    events: list[str] = []
    asked: list[str] = []
    while told.state.stage is Stage.PLAYING:
        deal = told.state.deal
        assert deal is not None
        view = view_of(deal, deal.turn)
        action = make_bot("greedy", 1).choose(view, Options(view))
        asked.append(f"{deal.turn}: {action}")
        told.add(log.Acted(seat=deal.turn, actions=(action,), by="bot", bot="steady/1"))
        entry = told.steps[-1].entry
        assert isinstance(entry, log.Acted)
        events += [f"{entry.seat}: {action}" for action in entry.actions]
    shown = serialise.deal_view(told.state)
    assert shown is not None
    assert asked != events
    assert events == shown["actions"]
