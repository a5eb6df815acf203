"""Playouts from what a seat sees: each choice in the same worlds, all going on by one policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.dealing import Layout
from okey101.game.view import View
from okey101.kernel import conversion
from okey101.kernel import layout as L
from okey101.kernel.beliefs import evidence_of
from okey101.kernel.codes import bits_of_masks, codes_of, masks_of_bits, twin_of
from okey101.kernel.compiling import Row
from okey101.kernel.solver import tables
from okey101.kernel.warming import need_warm
from okey101.kernel.worlds import MOST_CODES, NO_CHOICE, draw_worlds, play_worlds
from okey101.tiles import tiles_of_bits
from okey101.weights.master import weights_of
from okey101.weights.neural import nets_of, values_of

Points: TypeAlias = NDArray[np.int64]
"""Points of playouts."""
Policy: TypeAlias = Literal["greedy", "master", "own", "learned"]
"""Who goes on in a playout."""

_DOUBT: Final = 10
"""Of a hundred worlds in which somebody could have opened, so many are kept."""
_GRADES: Final = (64, 16, 8, 5, 4, 2, 4, 8, 8)
"""How likely a hand is by its player's last discard, as okey101.kernel.beliefs has it: as a player
may not be ``greedy``, no hand is left out."""
_SEATS: Final = 4


class Playouts:
    """Playouts from the view of a seat; it holds nothing that the view does not show.

    ``policy`` is what all seats go on by: ``greedy``, ``master``, or ``own`` and ``learned``, which
    are ``master`` and ``neural`` for the seat (and its partner) and ``greedy`` for the others. With
    ``steps`` a world is drawn by a walk of so many to where the others' last discards and what they
    did not lay down are likely; without, nine of ten worlds in which somebody could have opened are
    thrown away. With ``rounds`` a playout ends when the seat is to throw a tile, or to lay down,
    for the last time of so many turns: what the deal comes to from there on is foretold by a
    network, for the seat alone (``okey101.weights.neural.values_of``). Raises OkeyError
    ``kernel-cold`` on an event loop where nothing was warmed.
    """

    def __init__(
        self, view: View, policy: Policy = "greedy", *, steps: int = 0, rounds: int = 0
    ) -> None:
        assert view.seat is not None
        need_warm()
        public = view.public
        self._public = public
        self._okey = public.setup.okey
        self._own = view.seat
        self._doubt = _DOUBT
        self._steps = steps
        self._grades = np.array(_GRADES, dtype=np.int64)
        self._evidence = evidence_of(public, view.seat)
        self._players = public.players
        self._teams = public.rules.teams
        self._weights = np.array(weights_of(public.rules), dtype=np.int64)
        own = 1 << view.seat | (1 << (view.seat ^ 2) if public.rules.teams else 0)
        self._who = {"greedy": 0, "master": 15 << 4, "own": own << 4, "learned": own}[policy]
        nets = nets_of(public.rules) if rounds or policy == "learned" else ()
        values = values_of(public.rules) if rounds else ()
        self._nets = np.array([*nets, *values], dtype=np.int64)
        self._until = public.turns + 1 + (rounds - 1) * public.players if rounds else 0
        self._twin = twin_of(public)
        self._rules = conversion.rules_vector(public.rules)
        self._row = conversion.row_of_public(public)
        at = L.HANDS + 2 * view.seat
        self._row[at], self._row[at + 1] = masks_of_bits(view.hand or 0)
        if view.drawn is not None:
            self._row[L.DRAWN] = view.drawn
        others = (known for seat, known in enumerate(public.known) if seat != view.seat)
        self._pool = np.array(tiles_of_bits(view.unseen - sum(others)), dtype=np.int64)

    @classmethod
    def with_hands(cls, deal: Deal, policy: Policy = "greedy") -> Self:
        """Playouts from the true hands, the order of the stock alone being drawn anew.

        This is hindsight: it tells what a choice was worth on the deal as it lay, and no player's
        choice may hang on it.
        """
        seat = deal.turn
        found = cls(View(deal.public, seat, deal.hands[seat], deal.drawn), policy)
        for other, hand in enumerate(deal.hands):
            at = L.KNOWN + 2 * other
            found._row[at], found._row[at + 1] = masks_of_bits(hand)
        found._pool = np.array([int(tile) for tile in sorted(deal.stock)], dtype=np.int64)
        found._doubt = 100
        return found

    def outcomes(
        self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
    ) -> NDArray[np.int64]:
        """The points of all seats after each choice in worlds ``first`` and following.

        int64[C, W, players], low is good; choices are those of the seat to act, and after None all
        just play on. World number n of a seed is the same whatever is played in it.
        """
        codes = np.full((len(choices), MOST_CODES), NO_CHOICE, dtype=np.int64)
        for place, action in enumerate(choices):
            if action is not None:
                found = codes_of(action, self._okey, self._twin)
                codes[place, : len(found)] = found
        scores = np.zeros((len(choices), _SEATS * worlds), dtype=np.int64)
        play_worlds(
            tables(), self._rules, self._row, self._pool, codes, self._own, seed, first,
            self._doubt, self._evidence, self._grades, self._steps, self._weights, self._nets,
            self._who, self._until, scores,
        )  # fmt: skip
        return scores.reshape(len(choices), worlds, _SEATS)[:, :, : self._players]

    def deals(self, seed: int, first: int, worlds: int) -> list[Deal]:
        """Worlds ``first`` and following, as deals that can be played on."""
        rows = np.zeros((worlds, L.SIZE), dtype=np.int64)
        draw_worlds(
            tables(), self._rules, self._row, self._pool, self._own, seed, first, self._doubt,
            self._evidence, self._grades, self._steps, rows,
        )  # fmt: skip
        return [self._deal_of(row) for row in rows]

    def _deal_of(self, row: Row) -> Deal:
        public = self._public
        at = range(L.HANDS, L.HANDS + 2 * self._players, 2)
        hands = tuple(bits_of_masks(int(row[n]), int(row[n + 1])) for n in at)
        places = range(public.stock_count)
        stock = tuple(int(row[L.STOCK + (n >> 3)]) >> ((n & 7) << 3) & 127 for n in places)
        setup = public.setup
        layout = Layout(
            setup.dealer, setup.starter, setup.indicator, setup.okey, hands, stock, dice=setup.dice
        )
        return Deal(layout, public, hands, int(row[L.DRAWN]) if row[L.DRAWN] >= 0 else None)

    def scores(
        self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
    ) -> NDArray[np.int64]:
        """The points of the view's seat (team) alone: int64[C, W]."""
        points = self.outcomes(choices, seed, first, worlds)
        own = points[:, :, self._own]
        return own + points[:, :, self._own ^ 2] if self._teams else own.copy()
