"""The bots that are written once, compiled.

What they ask is answered by the kernel's functions of the same names.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from okey101.kernel import (
    arranging,
    asked,
    choices,
    duties,
    finishing,
    greedy,
    inputs,
    layout as L,
    legal,
    openings,
    plans,
    room as R,
    solver,
    steady,
    weighing,
)
from okey101.kernel.choices import choices_of
from okey101.kernel.compiling import Row, adopt, apart, stand_for
from okey101.kernel.groups import discard_fine
from okey101.kernel.inside import NOT_COMPILED
from okey101.kernel.solver import Tables
from okey101.kernel.steps import lay_down, note_code, note_melds, play
from okey101.weights import neural as N

_ANSWERS: Final = {
    name: answer
    for module in (arranging, duties, finishing, legal, openings, plans, solver)
    for name, answer in vars(module).items()
}


_PLAIN: Final = {
    name: answer
    for name, answer in vars(asked).items()
    if name in _ANSWERS and getattr(answer, "__module__", "") == asked.__name__
}


def _either(name: str) -> Callable[..., object]:
    """A question where nothing is compiled: the kernel has its own answer, and bots theirs."""

    def ask(tables: tuple[object, object], *given: object) -> object:
        answers = _ANSWERS if isinstance(tables[0], np.ndarray) else _PLAIN
        return answers[name](tables, *given)

    return ask


for _question, _answer in _PLAIN.items():
    stand_for(_answer, _ANSWERS[_question])
    if NOT_COMPILED:
        setattr(asked, _question, _either(_question))
for _module in (weighing, steady, inputs, greedy, choices):
    adopt(_module.__name__)

_FIRST, _SECOND = N.WIDE
_NARROW_FIRST, _NARROW_SECOND = N.NARROW


def neural_choice(
    tables: Tables, rules: Row, row: Row, words: Row, weights: Row, nets: Row, desk: Row
) -> int:
    """The action of ``neural`` for the seat to act, told as ``greedy_choice`` tells its own."""
    laid = choices_of(tables, rules, row, words, weights, desk, N.DISCARDS)
    count = words[R.WEIGHED]
    if count == 0:
        return laid
    net = 1 if row[L.OPENED + row[L.TURN]] else 0
    if row[L.PHASE] != L.P_PLAY:
        net += N.TAKING
    choice, _ = _cheapest(nets, N.NET * net, _FIRST, _SECOND, desk, count)
    tile = desk[R.AT_TILES + choice]
    if tile == R.DRAW:
        return L.A_DRAW
    if tile == R.LAY or (words[R.FINISHES] and discard_fine(rules, row, tile)):
        return laid
    return L.A_DISCARD | tile << 4  # type: ignore[no-any-return]


def foretold(nets: Row, net: int, desk: Row, count: int) -> int:
    """What the best choice costs by a network of ``champion``, in 2**20ths of a point."""
    _, cost = _cheapest(nets, net, _NARROW_FIRST, _NARROW_SECOND, desk, count)
    return cost


@apart
def _cheapest(
    nets: Row, net: int, units: int, inner: int, desk: Row, count: int
) -> tuple[int, int]:
    """The choice that a network expects to cost least, the first of equals, and what it costs.

    Its layers have so many units, and so many *inner* ones. The cost is in 2**20ths of a point.
    """
    at_choice = net + N.POSITION_SIZE * units
    at_bias = at_choice + N.CHOICE_SIZE * units
    at_second = at_bias + units
    at_second_bias = at_second + units * inner
    at_last = at_second_bias + inner
    at_linear = at_last + inner
    begin = R.AT_FIRST
    for unit in range(units):
        desk[begin + unit] = nets[at_bias + unit]
    for nth in range(N.POSITION_SIZE):
        x = desk[nth]
        if x:
            at = net + nth * units
            for unit in range(units):
                desk[begin + unit] += x * nets[at + unit]
    first = begin + units
    best, chosen = 1 << 62, 0
    for choice in range(count):
        for unit in range(units):
            desk[first + unit] = desk[begin + unit]
        cost = 0
        for nth in range(N.CHOICE_SIZE):
            x = desk[R.AT_CHOICES + R.STRIDE * choice + nth]
            if x:
                cost += x * nets[at_linear + nth]
                at = at_choice + nth * units
                for unit in range(units):
                    desk[first + unit] += x * nets[at + unit]
        for unit in range(units):
            desk[first + unit] = max(0, desk[first + unit]) >> 6
        for unit in range(inner):
            total = nets[at_second_bias + unit]
            at = at_second + unit * units
            for place in range(units):
                total += desk[first + place] * nets[at + place]
            cost += (max(0, total) >> 12) * nets[at_last + unit]
        if cost < best:
            best, chosen = cost, choice
    return chosen, best


def play_noted(rules: Row, row: Row, words: Row, log: Row, action: int) -> None:
    """Play what was chosen, told as ``greedy_choice`` tells it, and note it."""
    if action & L.OP == L.A_MELD:
        count = words[R.COUNT]
        if action != L.A_MELD:
            words[0] = action >> 4
            count = 1
        lay_down(rules, row, words, count)
        note_melds(row, log, words, count)
    else:
        play(rules, row, action)
        note_code(row, log, action)


adopt(__name__)
