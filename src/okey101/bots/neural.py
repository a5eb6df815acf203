"""The bot ``neural``: what it lays down or throws is what two small networks expect to cost least.

One network is for the time before its opening and one for after it. They were trained on what
followed each choice of ``master`` in true deals (``scripts/train_neural.py``). Their weights are
whole numbers, and so is all that is reckoned: the bot chooses the same on any machine, and needs
nothing but Python. Its compiled twin is ``okey101.kernel.neural``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul
from struct import Struct
from typing import Final

from okey101.bots.greedy import GreedyBot
from okey101.bots.lay_plans import Spot, best_swap, finish_plan, lay_plan, opening_to_finish
from okey101.bots.neural_inputs import NeuralInputs
from okey101.bots.sparing import spares_partner
from okey101.game.actions import ANNOUNCE, RETURN, Action, Back, Discard, Swap
from okey101.game.deal import Phase
from okey101.game.options import Options
from okey101.game.ruleset import RuleSet
from okey101.game.view import View
from okey101.neural_inputs import FIRST, NET, SECOND, at_choice, at_position
from okey101.neural_weights import nets_of
from okey101.tiles import BITS_OF, OKEY, size_of_bits

__all__ = ["Network", "NeuralBot", "networks_of"]


class NeuralBot(GreedyBot):
    """Plays the course of ``greedy``'s turn, and asks a network where there is a choice."""

    name = "neural"

    def choose(self, view: View, options: Options) -> Action:
        """What has to be done, or the choice that is expected to cost least."""
        inputs = self.weighed(view, options)
        if not isinstance(inputs, NeuralInputs):
            return inputs
        choices = inputs.choices()
        net = networks_of(view.public.rules)[view.public.opened[view.public.turn] is not None]
        costs = net.costs(inputs.position(), (choice.inputs for choice in choices))
        best = choices[costs.index(min(costs))].action
        return inputs.finish if inputs.finish is not None and inputs.fined(best) else best

    def weighed(self, view: View, options: Options) -> Action | NeuralInputs:
        """What has to be done, or what the networks are told where there is a choice."""
        public, hand = view.public, view.hand or 0
        if public.phase is not Phase.PLAY:
            return self._begin(view, hand, options)
        if options.announce:
            return ANNOUNCE
        unopened = public.opened[public.turn] is None
        laid, ends = _opening(view, options) if unopened else _laying(view, options)
        spares = False
        if laid is not None:
            duty = public.taken is not None if unopened else public.taken_waits
            last = public.stock_count < public.players
            spares = ends and not duty and size_of_bits(hand) > 1 and spares_partner(public)
            if not spares and (
                duty or ends or last or public.must_finish or isinstance(laid, Swap)
            ):
                return laid
        elif options.return_:
            return RETURN
        elif not options.discards:
            return next(a for a in options.actions() if not isinstance(a, Back))
        elif size_of_bits(hand) == 1:
            return Discard(options.discards[0].tile)
        if hand in (BITS_OF[OKEY], 2 * BITS_OF[OKEY]):
            return laid or Discard(options.discards[0].tile)
        if spares:
            return NeuralInputs(view, options, None, finish=laid)
        return NeuralInputs(view, options, laid)


def _opening(view: View, options: Options) -> tuple[Action | None, bool]:
    """An opening to lay now, and whether the hand can finish with it."""
    if options.opening is None and options.opening_pairs is None:
        return None, False
    finishing = opening_to_finish(view.public, view.hand or 0)
    return finishing or options.opening or options.opening_pairs, finishing is not None


def _laying(view: View, options: Options) -> tuple[Action | None, bool]:
    """What ``greedy`` would put down, and whether the hand can finish."""
    public, hand = view.public, view.hand or 0
    swap = best_swap(public, hand, options.swaps) if options.swaps else None
    if swap is not None:
        return swap, False
    must = public.taken if public.taken_waits else None
    spot = Spot.of(public, hand)
    finish = finish_plan(spot, must)
    found = finish
    if found is None and not public.must_finish:
        found = lay_plan(spot, must)
    return (found[1][0] if found is not None and found[1] else None), finish is not None


_LANE: Final = 64
"""Bits of a weight in a packed row."""
_ZERO: Final = 1 << _LANE - 2
"""What is added to a sum before it is read, so that none is below 0; all are far nearer to it."""
_FIRST_ZEROS: Final = sum(_ZERO << _LANE * unit for unit in range(FIRST))
_SECOND_ZEROS: Final = sum(_ZERO << _LANE * unit for unit in range(SECOND))
_FIRST_SUMS: Final = Struct(f"<{FIRST}q")
_SECOND_SUMS: Final = Struct(f"<{SECOND}q")


def _packed(row: Iterable[int]) -> int:
    """A row of weights as one integer, so that one product multiplies them all."""
    return sum(factor << _LANE * unit for unit, factor in enumerate(row))


class Network:
    """Weights by what they are multiplied with, packed by rows, and the sums."""

    def __init__(self, net: Sequence[int]) -> None:
        a, b = at_position(""), at_choice("")
        rows = [net[at : at + FIRST] for at in range(0, (a + b + 1 + SECOND) * FIRST, FIRST)]
        packed = [_packed(row) for row in rows[: a + b + 1]]
        self._position, self._choice, self._bias = packed[:a], packed[a : a + b], packed[a + b]
        self._second = [_packed(column) for column in zip(*rows[a + b + 1 :], strict=True)]
        rest = net[len(rows) * FIRST :]
        self._second_bias, self._last = _packed(rest[:SECOND]), rest[SECOND : 2 * SECOND]
        self._linear = rest[2 * SECOND :]

    def costs(self, position: Sequence[int], choices: Iterable[Sequence[int]]) -> list[int]:
        """What each choice is expected to cost more than others, in 2**20ths of a point."""
        begin = self._bias + sum(map(mul, position, self._position))
        return [self._cost(begin, inputs) for inputs in choices]

    def _cost(self, begin: int, inputs: Sequence[int]) -> int:
        total = begin + sum(map(mul, inputs, self._choice)) + _FIRST_ZEROS
        first = _FIRST_SUMS.unpack(total.to_bytes(_FIRST_SUMS.size, "little"))
        total = self._second_bias + _SECOND_ZEROS
        for x, row in zip(first, self._second, strict=True):
            if x > _ZERO:
                total += (x - _ZERO >> 6) * row
        second = _SECOND_SUMS.unpack(total.to_bytes(_SECOND_SUMS.size, "little"))
        found: int = sum(map(mul, inputs, self._linear))
        for x, last in zip(second, self._last, strict=True):
            if x > _ZERO:
                found += (x - _ZERO >> 12) * last
        return found


@lru_cache(16)
def networks_of(rules: RuleSet) -> tuple[Network, Network]:
    """The networks for a rule set: before the opening, and after it."""
    found = nets_of(rules)
    return Network(found[:NET]), Network(found[NET:])
