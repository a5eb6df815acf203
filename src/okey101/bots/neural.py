"""The bot ``neural``: what it lays down or throws is what two small networks expect to cost least.

One network is for the time before its opening and one for after it. They were trained on what
followed each choice of ``master`` in true deals (``scripts/train_neural.py``). Their weights are
whole numbers, and so is all that is reckoned: the bot chooses the same on any machine, and needs
nothing but Python. What the networks are told is written once, for this bot and its compiled twin
(:mod:`okey101.kernel.inputs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul
from struct import Struct
from typing import Final, NamedTuple

from okey101.bots.greedy import GreedyBot, greedily, opening_to_finish, spares_partner
from okey101.bots.master import Numbers
from okey101.bots.tools import ANNOUNCE, RETURN
from okey101.game import Action, Back, Discard, Meld, Options, Phase, RuleSet, Swap, View
from okey101.kernel import layout as L
from okey101.kernel.codes import codes_of, twin_of
from okey101.kernel.inputs import AT_CHOICES, AT_TILES, DESK, LAY, STRIDE, describe
from okey101.tiles import BITS_OF, OKEY, TILES, size_of_bits
from okey101.weights.neural import (
    CHOICE_SIZE,
    DISCARDS,
    FIRST,
    NET,
    POSITION_SIZE,
    SECOND,
    nets_of,
)


class Choice(NamedTuple):
    """An action, and what the network is told of it."""

    action: Action
    inputs: list[int]


class NeuralInputs(Numbers):
    """A hand that may throw a tile, and what the seat could lay down instead, if anything."""

    def __init__(self, view: View, laid: Action | None, *, finish: Action | None = None) -> None:
        super().__init__(view)
        self.finish = finish
        """What would finish at the partner's cost: laid only where a discard has a fine."""
        public, words, code = view.public, [0] * (L.COUNT + 1), -1
        if laid is not None:
            codes = codes_of(laid, public.setup.okey, twin_of(public))
            code = codes[0]
            if isinstance(laid, Meld):
                words[: len(codes)] = [word >> 4 & L.WORD for word in codes]
                words[L.COUNT], code = len(codes), L.A_MELD
        desk = [0] * DESK
        count = describe(
            self.tables, self.rules, self.row, words, code, self.weights, desk, DISCARDS
        )
        self.position = desk[:POSITION_SIZE]
        """The inputs of the position."""
        self.choices = [
            Choice(
                laid if laid and tile == LAY else Discard(TILES[tile]), desk[at : at + CHOICE_SIZE]
            )
            for nth, tile in enumerate(desk[AT_TILES : AT_TILES + count])
            for at in [AT_CHOICES + STRIDE * nth]
        ]
        """To lay down, if the seat can, and the discards that cost ``master`` least."""

    def fined(self, action: Action) -> bool:
        """Whether an action is a discard that is fined (P1, P2)."""
        return isinstance(action, Discard) and self.fine(action.tile) > 0


class NeuralBot(GreedyBot):
    """Plays the course of ``greedy``'s turn, and asks a network where there is a choice."""

    name = "neural"

    def choose(self, view: View, options: Options) -> Action:
        """What has to be done, or the choice that is expected to cost least."""
        inputs = self.weighed(view, options)
        if not isinstance(inputs, NeuralInputs):
            return inputs
        net = networks_of(view.public.rules)[view.public.opened[view.public.turn] is not None]
        costs = net.costs(inputs.position, (choice.inputs for choice in inputs.choices))
        best = inputs.choices[costs.index(min(costs))].action
        return inputs.finish if inputs.finish is not None and inputs.fined(best) else best

    def weighed(self, view: View, options: Options) -> Action | NeuralInputs:
        """What has to be done, or what the networks are told where there is a choice."""
        public, hand = view.public, view.hand or 0
        if public.phase is not Phase.PLAY:
            return self._begin(view, hand, options)
        if options.announce:
            return ANNOUNCE
        unopened = public.opened[public.turn] is None
        laid, ends = _opening(view, options) if unopened else greedily(view, options)
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
            return NeuralInputs(view, None, finish=laid)
        return NeuralInputs(view, laid)


def _opening(view: View, options: Options) -> tuple[Action | None, bool]:
    """An opening to lay now, and whether the hand can finish with it."""
    if options.opening is None and options.opening_pairs is None:
        return None, False
    finishing = opening_to_finish(view.public, view.hand or 0)
    return finishing or options.opening or options.opening_pairs, finishing is not None


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
        a, b = POSITION_SIZE, CHOICE_SIZE
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
