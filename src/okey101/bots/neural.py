"""The bot ``neural``: what it takes, lays down or throws is what networks expect to cost least.

One network is for the time before its opening and one for after it, and two more for whether to
take the discard. They were trained on what ``champion`` thinks of each choice
(``scripts/train_neural.py``). Their weights are whole numbers, and so is all that is reckoned: the
bot chooses the same on any machine, and needs nothing but Python. What the networks are told is
written once, for this bot and its compiled twin (:mod:`okey101.kernel.inputs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from operator import mul
from struct import Struct
from typing import Final, TypeAlias

from okey101.bots.greedy import GreedyBot, Turn
from okey101.game import Action, Options, Phase, RuleSet, View
from okey101.kernel import layout as L, room as R
from okey101.kernel.choices import choices_of
from okey101.kernel.codes import check_hands
from okey101.kernel.groups import discard_fine
from okey101.weights.master import weights_of
from okey101.weights.neural import (
    CHOICE_SIZE,
    DISCARDS,
    POSITION_SIZE,
    TAKING,
    WIDE,
    Shape,
    nets_of,
)


class NeuralBot(GreedyBot):
    """Plays the course of ``greedy``'s turn, and asks a network where there is a choice."""

    name = "neural"

    def choose(self, view: View, options: Options) -> Action:
        """What has to be done, or the choice that is expected to cost least.

        OkeyError ``rack-too-large`` as for ``master``.
        """
        turn, desk, laid = told(view, options)
        position, choices = inputs_of(turn, desk)
        if not choices:
            return turn.action(laid)
        net = int(view.public.opened[view.public.turn] is not None)
        if view.public.phase is not Phase.PLAY:
            net += TAKING
        costs = networks_of(view.public.rules)[net].costs(position, choices)
        tile = desk[R.AT_TILES + costs.index(min(costs))]
        if tile == R.DRAW:
            return turn.action(L.A_DRAW)
        # What would finish at the partner's cost is laid only where the discard has a fine.
        if tile == R.LAY or (turn.words[R.FINISHES] and discard_fine(turn.rules, turn.row, tile)):
            return turn.action(laid)
        return turn.action(L.A_DISCARD | tile << 4)


def told(view: View, options: Options) -> tuple[Turn, list[int], int]:
    """The seat's turn, the desk that the networks read, and what is laid or has to be done.

    As :func:`okey101.kernel.choices.choices_of` tells; OkeyError ``rack-too-large``.
    """
    check_hands(view.public)
    turn, desk = Turn(view, options), [0] * R.DESK
    weights = [*weights_of(view.public.rules)]
    laid = choices_of(turn.tables, turn.rules, turn.row, turn.words, weights, desk, DISCARDS)
    return turn, desk, laid


def inputs_of(turn: Turn, desk: list[int]) -> tuple[list[int], list[list[int]]]:
    """What a desk tells of the position, and of each choice; none where nothing is to choose."""
    starts = range(R.AT_CHOICES, R.AT_TILES, R.STRIDE)[: turn.words[R.WEIGHED]]
    return desk[:POSITION_SIZE], [desk[at : at + CHOICE_SIZE] for at in starts]


_LANE: Final = 64
"""Bits of a weight in a packed row."""
_ZERO: Final = 1 << _LANE - 2
"""What is added to a sum before it is read, so that none is below 0; all are far nearer to it."""


@cache
def _zeros(units: int) -> int:
    """A packed row of so many times what is added to a sum."""
    return sum(_ZERO << _LANE * unit for unit in range(units))


def _packed(row: Sequence[int]) -> int:
    """A row of weights as one integer, so that one product multiplies them all."""
    lanes = Struct(f"<{len(row)}q").pack(*(factor + _ZERO for factor in row))
    return int.from_bytes(lanes, "little") - _zeros(len(row))


class Network:
    """Weights by what they are multiplied with, packed by rows, and the sums."""

    def __init__(self, net: Sequence[int], shape: Shape) -> None:
        a, b = POSITION_SIZE, CHOICE_SIZE
        first, second = shape
        rows = [net[at : at + first] for at in range(0, (a + b + 1 + second) * first, first)]
        packed = [_packed(row) for row in rows[: a + b + 1]]
        self._position, self._choice, self._bias = packed[:a], packed[a : a + b], packed[a + b]
        self._second = [_packed(column) for column in zip(*rows[a + b + 1 :], strict=True)]
        rest = net[len(rows) * first :]
        self._first_zeros = _zeros(first)
        self._second_begin = _packed(rest[:second]) + _zeros(second)
        self._last, self._linear = rest[second : 2 * second], rest[2 * second :]
        self._first_sums, self._second_sums = (Struct(f"<{units}q") for units in shape)

    def costs(self, position: Sequence[int], choices: Iterable[Sequence[int]]) -> list[int]:
        """What each choice is expected to cost more than others, in 2**20ths of a point."""
        begin = self._bias + sum(map(mul, position, self._position))
        return [self._cost(begin, inputs) for inputs in choices]

    def _cost(self, begin: int, inputs: Sequence[int]) -> int:
        total = begin + sum(map(mul, inputs, self._choice)) + self._first_zeros
        first = self._first_sums.unpack(total.to_bytes(self._first_sums.size, "little"))
        total = self._second_begin
        for x, row in zip(first, self._second, strict=True):
            if x > _ZERO:
                total += (x - _ZERO >> 6) * row
        second = self._second_sums.unpack(total.to_bytes(self._second_sums.size, "little"))
        found: int = sum(map(mul, inputs, self._linear))
        for x, last in zip(second, self._last, strict=True):
            if x > _ZERO:
                found += (x - _ZERO >> 12) * last
        return found


Networks: TypeAlias = tuple[Network, ...]
"""Those for a rule set, in the order of :data:`okey101.weights.neural.NETS`."""


@lru_cache(16)
def networks_of(rules: RuleSet) -> Networks:
    """The networks of ``neural`` for a rule set."""
    nets, size = nets_of(rules), WIDE.size
    return tuple(Network(nets[at : at + size], WIDE) for at in range(0, len(nets), size))
