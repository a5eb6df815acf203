"""Playouts from what a seat sees: each choice in the same worlds, all going on by one policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okey101.game.actions import Action
from okey101.game.view import View
from okey101.kernel.exporting import codes_of, masks_of_bits
from okey101.kernel.layout import DRAWN, HANDS
from okey101.kernel.positions import row_of_public
from okey101.kernel.rules import rules_vector
from okey101.kernel.tables import tables
from okey101.kernel.warming import need_warm
from okey101.kernel.worlds import MOST_CODES, play_worlds
from okey101.master_weights import weights_of
from okey101.tiles import tiles_of_bits

__all__ = ["Playouts", "Policy"]

Policy: TypeAlias = Literal["greedy", "master", "own"]
"""Who goes on in a playout."""

_DOUBT: Final = 10
"""Of a hundred worlds in which somebody could have opened, so many are kept."""


class Playouts:
    """Playouts from the view of the seat to act; it holds nothing that the view does not show.

    ``policy`` is what all seats go on by: ``greedy``, ``master``, or ``own``, which is ``master``
    for the seat (and its partner) and ``greedy`` for the others. Raises OkeyError ``kernel-cold`` on an event loop where nothing was warmed.
    """

    def __init__(self, view: View, policy: Policy = "greedy") -> None:
        assert view.seat is not None
        need_warm()
        public = view.public
        self._okey = public.okey
        self._weights = np.array(weights_of(public.rules), dtype=np.int64)
        own = 1 << view.seat | (1 << (view.seat ^ 2) if public.rules.teams else 0)
        self._masters = {"greedy": 0, "master": 15, "own": own}[policy]
        announced = public.announced == view.seat
        self._twin = int(public.setup.indicator) if announced else None
        self._rules = rules_vector(public.rules)
        self._row = row_of_public(public)
        at = HANDS + 2 * view.seat
        self._row[at], self._row[at + 1] = masks_of_bits(view.hand or 0)
        if view.drawn is not None:
            self._row[DRAWN] = view.drawn
        others = (known for seat, known in enumerate(public.known) if seat != view.seat)
        self._pool = np.array(tiles_of_bits(view.unseen - sum(others)), dtype=np.int64)

    def scores(
        self, choices: Sequence[Action], seed: int, first: int, worlds: int
    ) -> NDArray[np.int64]:
        """The seat's (team's) points after each choice in worlds ``first`` and following.

        int64[C, W], low is good. World number n of a seed is the same whatever is played in it.
        """
        codes = np.zeros((len(choices), MOST_CODES), dtype=np.int64)
        for place, action in enumerate(choices):
            found = codes_of(action, self._okey, self._twin)
            codes[place, : len(found)] = found
        scores = np.zeros((len(choices), worlds), dtype=np.int64)
        play_worlds(
            tables(), self._rules, self._row, self._pool, codes, seed, first, _DOUBT,
            self._weights, self._masters, scores,
        )  # fmt: skip
        return scores

    def totals(self, choices: Sequence[Action], seed: int, first: int, worlds: int) -> list[int]:
        """The points of each choice, added up over the worlds."""
        return [int(total) for total in self.scores(choices, seed, first, worlds).sum(axis=1)]
