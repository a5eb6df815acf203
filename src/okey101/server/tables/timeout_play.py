"""What is played for a person whose time is up: all that is left of the turn."""

from __future__ import annotations

from okey101.bots.fallback import fallback_action
from okey101.game import Action, Deal, apply, view_of
from okey101.game.actions import PASS, Discard

__all__ = ["rest_of_turn"]

_MOST = 60
"""More actions than any turn needs."""


def rest_of_turn(deal: Deal) -> tuple[Action, ...]:
    """Actions of the seat to act that end its turn, each as :func:`fallback_action` has it."""
    seat = deal.turn
    found: list[Action] = []
    while deal.turn == seat and not deal.over and len(found) < _MOST:
        action = fallback_action(view_of(deal, seat))
        found.append(action)
        deal = apply(deal, action, seat)
        if isinstance(action, Discard) or action == PASS:
            break
    return tuple(found)
