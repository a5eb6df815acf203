"""What the open side of a deal tells of the other hands, for :mod:`okey101.kernel.beliefs`."""

from __future__ import annotations

import numpy as np

from okey101.game.actions import Back, Discard, Lay, Meld, Swap
from okey101.game.public import OpenSide
from okey101.kernel.beliefs import E_PLAYABLE, E_SIZE, E_TILE
from okey101.kernel.compiling import Rows
from okey101.melds import accepted_kinds

__all__ = ["evidence_of"]

_SEATS = 4


def evidence_of(public: OpenSide, own: int) -> Rows:
    """What each seat but ``own`` threw last, and what it could have laid off then.

    int64[4, E_SIZE]. A seat that has drawn since tells nothing any more, nor does one that has not
    had a turn. What lies there now and has grown since the discard is left out.
    """
    found = np.zeros((_SEATS, E_SIZE), dtype=np.int64)
    found[:, E_TILE] = -1
    actions = public.actions
    waiting = set(range(public.players)) - {own, public.turn}
    groups, grown = len(public.table), set[int]()
    plain = _all_groups_lie(public)
    for seat, action in reversed(actions):
        if not waiting:
            break
        if isinstance(action, Discard):
            if seat in waiting:
                waiting.remove(seat)
                found[seat, E_TILE] = int(action.tile)
                if plain and public.rules.lay_off_when_opening:
                    lay = (g for n, g in enumerate(public.table[:groups]) if n not in grown)
                    found[seat, E_PLAYABLE] = accepted_kinds(lay)
        elif isinstance(action, Lay | Swap):
            grown.add(action.group - 1)
        elif isinstance(action, Meld):
            groups -= len(action.groups)
    return found


def _all_groups_lie(public: OpenSide) -> bool:
    """Whether every meld of the deal lies there: none was too short, no tile was taken back."""
    laid = 0
    for _, action in public.actions:
        if isinstance(action, Back):
            return False
        if isinstance(action, Meld):
            laid += len(action.groups)
    return laid == len(public.table)
