"""The bot ``master``: weighs what the next draws may bring, with weights tuned on many deals.

It lays down as ``greedy`` does; the discard is the one that costs least by the features of
:mod:`okey101.weights.master`, and an opening is held back for a turn where that pays, as is a
finish that the partner would pay for. All is reckoned in whole numbers, by the code that the kernel
compiles (:mod:`okey101.kernel.weighing`).
"""

from __future__ import annotations

from okey101.bots.greedy import GreedyBot, Spot, finish_plan, opening_to_finish, spares_partner
from okey101.game import Action, Meld, Options, Swap, View
from okey101.kernel import layout as L
from okey101.kernel.codes import masks_of_bits, open_row, rule_numbers
from okey101.kernel.groups import discard_fine
from okey101.kernel.weighing import ROOM, holds_back, least_costly
from okey101.tiles import size_of_bits
from okey101.weights.master import weights_of


class Numbers:
    """A view as the kernel's code reads it: rules, row, hand, and room to work in."""

    def __init__(self, view: View) -> None:
        public, hand = view.public, view.hand or 0
        self.rules = [*rule_numbers(public.rules)]
        self.row = open_row(public)
        self.one, self.two = masks_of_bits(hand)
        self.row[L.HANDS + 2 * public.turn : L.HANDS + 2 * public.turn + 2] = self.one, self.two
        self.weights = [*weights_of(public.rules)]
        self.tables = None, [0] * ROOM

    def discard(self) -> int:
        """The tile whose discard costs least."""
        return least_costly(self.tables, self.rules, self.row, self.one, self.two, self.weights)

    def fine(self, tile: int) -> int:
        """What a discard costs by itself (P1, P2)."""
        return discard_fine(self.rules, self.row, tile)

    def holds_back(self, opening: Meld) -> bool:
        """Whether to keep an opening for a turn and throw a tile that costs no fine."""
        tile, pairs = self.discard(), len(opening.pieces[0]) == 2
        return holds_back(
            self.tables, self.rules, self.row, self.one, self.two, tile, pairs, self.weights
        )

    def costs_nothing(self) -> bool:
        """Whether the discard that costs least has no fine."""
        return not self.fine(self.discard())


class MasterBot(GreedyBot):
    """Plays every discard for the turns that may come; it has no randomness."""

    name = "master"

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        opening = super()._open(view, hand, options)
        public = view.public
        if not isinstance(opening, Meld) or public.taken is not None or public.must_finish:
            return opening
        if not options.discards:
            return opening
        if spares_partner(public) and opening_to_finish(public, hand) is not None:
            if Numbers(view).costs_nothing():
                return None
        if public.stock_count < public.players:
            return opening
        return None if Numbers(view).holds_back(opening) else opening

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        laid, public = super()._lay(view, hand, options), view.public
        if laid is None or isinstance(laid, Swap) or public.taken_waits or size_of_bits(hand) == 1:
            return laid
        if not spares_partner(public) or finish_plan(Spot.of(public, hand)) is None:
            return laid
        return None if Numbers(view).costs_nothing() else laid

    def _discard(self, view: View, hand: int, options: Options) -> int:
        if size_of_bits(hand) == 1:
            return options.discards[0].tile
        return Numbers(view).discard()
