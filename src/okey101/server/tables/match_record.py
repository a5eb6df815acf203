"""The record of a table's finished deals, in the format everybody else reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from okey101.game import Record, record_of
from okey101.server.tables import serialise
from okey101.server.tables.state import Seat, TableState


def shown_from_ms(state: TableState) -> int:
    """When a state may be shown to those who weren't in it, however far behind: UTC ms."""
    options = state.options
    late = 1000 * options.delay if options.spectators == "delayed" else 0
    return state.at_ms + late


def match_record(
    state: TableState,
    name_of: Callable[[str], str | None] | None = None,
    seats: Sequence[Seat] | None = None,
) -> Record:
    """The finished deals of the table's match, each with what makes it verifiable.

    It has nothing of a running deal. Without ``name_of`` the players' names stay out;
    ``seats`` says who played where others may sit there by now.
    """
    deals = [played.deal.whole for played in state.played]
    players = None
    if name_of is not None:
        players = [
            f"bot:{seat.bot}" if seat.bot and seat.user is None else name_of(seat.user or "") or "-"
            for seat in (state.seats if seats is None else seats)
        ]
    record = record_of(state.rules, deals, players=players, deals_agreed=state.options.deals)
    fair = tuple(
        replace(deal, fair=serialise.fair_json(state, number, played), actors=played.actors)
        for number, (deal, played) in enumerate(zip(record.deals, state.played, strict=True))
    )
    return replace(record, deals=fair)
