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

_AT_CHOICE = N.POSITION_SIZE * N.FIRST
_AT_BIAS = _AT_CHOICE + N.CHOICE_SIZE * N.FIRST
_AT_SECOND = _AT_BIAS + N.FIRST
_AT_SECOND_BIAS = _AT_SECOND + N.FIRST * N.SECOND
_AT_LAST = _AT_SECOND_BIAS + N.SECOND
_AT_LINEAR = _AT_LAST + N.SECOND


def neural_choice(
    tables: Tables, rules: Row, row: Row, words: Row, weights: Row, nets: Row, desk: Row
) -> int:
    """The action of ``neural`` for the seat to act, told as ``greedy_choice`` tells its own."""
    laid = choices_of(tables, rules, row, words, weights, desk, N.DISCARDS)
    count = words[R.WEIGHED]
    if count == 0:
        return laid
    opened = 1 if row[L.OPENED + row[L.TURN]] else 0
    choice, _ = cheapest(nets, N.NET * opened, desk, count)
    tile = desk[R.AT_TILES + choice]
    if tile == R.LAY or (words[R.FINISHES] and discard_fine(rules, row, tile)):
        return laid
    return L.A_DISCARD | tile << 4  # type: ignore[no-any-return]


@apart
def cheapest(nets: Row, net: int, desk: Row, count: int) -> tuple[int, int]:
    """The choice that a network expects to cost least, the first of equals, and what it costs.

    The cost is in 2**20ths of a point.
    """
    begin = R.AT_FIRST
    for unit in range(N.FIRST):
        desk[begin + unit] = nets[net + _AT_BIAS + unit]
    for nth in range(N.POSITION_SIZE):
        x = desk[nth]
        if x:
            at = net + nth * N.FIRST
            for unit in range(N.FIRST):
                desk[begin + unit] += x * nets[at + unit]
    first = begin + N.FIRST
    best, chosen = 1 << 62, 0
    for choice in range(count):
        for unit in range(N.FIRST):
            desk[first + unit] = desk[begin + unit]
        cost = 0
        for nth in range(N.CHOICE_SIZE):
            x = desk[R.AT_CHOICES + R.STRIDE * choice + nth]
            if x:
                cost += x * nets[net + _AT_LINEAR + nth]
                at = net + _AT_CHOICE + nth * N.FIRST
                for unit in range(N.FIRST):
                    desk[first + unit] += x * nets[at + unit]
        for unit in range(N.FIRST):
            desk[first + unit] = max(0, desk[first + unit]) >> 6
        for unit in range(N.SECOND):
            total = nets[net + _AT_SECOND_BIAS + unit]
            at = net + _AT_SECOND + unit * N.FIRST
            for place in range(N.FIRST):
                total += desk[first + place] * nets[at + place]
            cost += (max(0, total) >> 12) * nets[net + _AT_LAST + unit]
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
