"""The record of a table's finished deals, in the format everybody else reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from okey101.game import Record, record_of
from okey101.server.tables import show
from okey101.server.tables.state import TableState

__all__ = ["match_record"]


def match_record(state: TableState, name_of: Callable[[str], str | None] | None = None) -> Record:
    """The finished deals of the table's match, each with what makes it verifiable.

    Of a running deal there is nothing in it. Without ``name_of`` the players' names stay out.
    """
    deals = [played.deal for played in state.played]
    players = None
    if name_of is not None:
        players = [
            f"bot:{seat.bot}" if seat.user is None else name_of(seat.user) or "-"
            for seat in state.seats
        ]
    record = record_of(state.rules, deals, players=players, deals_agreed=state.options.deals)
    fair = tuple(
        replace(deal, fair=show.fair_json(state, number, played))
        for number, (deal, played) in enumerate(zip(record.deals, state.played, strict=True))
    )
    return replace(record, deals=fair)
