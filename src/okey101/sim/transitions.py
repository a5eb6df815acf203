"""Decisions of played deals as rows for learning: seen, legal, done, and what came of it.

Actions are the numbers of :mod:`okey101.envs.actions`, observations those of
:mod:`okey101.envs.observations`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from okey101.envs.actions import N_ACTIONS
from okey101.envs.episodes import Position, points_of
from okey101.envs.observations import Observer
from okey101.game.actions import Action, Meld
from okey101.game.deal import Deal
from okey101.game.record.form import parse_record
from okey101.game.record.replay import replay
from okey101.game.transition import apply

assert N_ACTIONS < 1 << 15


def _steps(deal: Deal, action: Action) -> list[Action]:
    """An action as the game's environments take it: groups that are laid together one by one."""
    if not isinstance(action, Meld) or deal.public.opened[deal.turn] is None:
        return [action]
    return [Meld([group]) for group in action.pieces]


def rows_of(line: str) -> Iterator[dict[str, Any]]:
    """The decisions of the deal in a line of a data set, in their order."""
    record = parse_record(line)
    bots = record.players or ()
    (played,) = replay(record).deals
    see = Observer(played.rules)
    deal = Deal.start(played.rules, played.layout)
    rows: list[dict[str, Any]] = []
    for _, whole in played.public.actions:
        for action in _steps(deal, whole):
            position = Position(deal)
            numbers = {act: number for number, act in reversed(position.legal.items())}
            row = {"step": len(rows), "seat": deal.turn, "bot": bots[deal.turn]}
            row |= {"observation": see(position.view), "legal": sorted(position.legal)}
            rows.append(row | {"action": numbers.get(action), "reward": 0.0, "last": False})
            deal = apply(deal, action)
    ends = {row["seat"]: row for row in rows}
    for seat, row in ends.items():
        row |= {"reward": -float(points_of(deal)[seat]), "last": True}
    yield from rows
