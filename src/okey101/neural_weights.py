"""The weights of ``neural``'s networks, read from the package once.

``scripts/train_neural.py`` writes them: 32-bit integers, the lowest byte first; two networks for
each preset, as :data:`okey101.neural_inputs.NET` says.
"""

from __future__ import annotations

import sys
from array import array
from functools import cache
from importlib.resources import files
from typing import Final

from okey101.game.ruleset import RuleSet
from okey101.neural_inputs import NET

__all__ = ["nets_of"]

_PRESETS: Final = ("altinstar", "pagat", "wiki")


def nets_of(rules: RuleSet) -> tuple[int, ...]:
    """The two networks for a rule set, one after the other: before the opening, and after it.

    They are those of the preset that the rules are most like, as ``master``'s weights are.
    """
    if rules.empty_stock == "void_but_okeys":
        preset = "pagat"
    else:
        preset = "wiki" if rules.taken_discard_fine else "altinstar"
    begin = 2 * NET * _PRESETS.index(preset)
    return tuple(_all()[begin : begin + 2 * NET])


@cache
def _all() -> array[int]:
    found = array("i", (files("okey101") / "neural_weights.bin").read_bytes())
    if sys.byteorder == "big":
        found.byteswap()
    assert len(found) == 2 * NET * len(_PRESETS)
    return found
