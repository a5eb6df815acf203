"""The weights of the networks, read from the package once: ``neural``'s, and those of the value.

``scripts/train_neural.py`` writes them: 32-bit integers, the lowest byte first; for each preset two
networks, as :data:`okey101.neural_inputs.NET` says.
"""

from __future__ import annotations

import sys
from array import array
from functools import cache
from importlib.resources import files
from typing import Final

from okey101.game.ruleset import RuleSet
from okey101.neural_inputs import NET

__all__ = ["nets_of", "values_of"]

_PRESETS: Final = ("altinstar", "pagat", "wiki")


def nets_of(rules: RuleSet) -> tuple[int, ...]:
    """The two networks for a rule set, one after the other: before the opening, and after it.

    They are those of the preset that the rules are most like, as ``master``'s weights are.
    """
    return _part("neural_weights.bin", 2 * NET, rules)


def values_of(rules: RuleSet) -> tuple[int, ...]:
    """The two networks of the value, and after them the points that each one counts from.

    They foretell the points of the deal after a choice, in 2**20ths, for one who goes on as
    ``master`` among three ``greedy``; fines so far are not among them.
    """
    return _part("value_weights.bin", 2 * NET + 2, rules)


def _part(name: str, size: int, rules: RuleSet) -> tuple[int, ...]:
    """What a file has for a rule set."""
    if rules.empty_stock == "void_but_okeys":
        preset = "pagat"
    else:
        preset = "wiki" if rules.taken_discard_fine else "altinstar"
    found = _all(name)
    assert len(found) == size * len(_PRESETS)
    begin = size * _PRESETS.index(preset)
    return tuple(found[begin : begin + size])


@cache
def _all(name: str) -> array[int]:
    found = array("i", (files("okey101") / name).read_bytes())
    if sys.byteorder == "big":
        found.byteswap()
    return found
