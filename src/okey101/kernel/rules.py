"""A rule set as a vector of 64-bit integers: one number for each field of RuleSet, in its order."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from okey101.game.ruleset import RuleSet
from okey101.kernel.layout import R_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["rules_vector"]


def rules_vector(rules: RuleSet | str) -> NDArray[np.int64]:
    """A rule set, or the preset of that name, as the kernel reads it: ``int64[R_SIZE]``.

    Numbers are as they are, yes is 1, and a word is its place among the field's options. Raises
    RuleSetError ``unknown-preset``.
    """
    if isinstance(rules, str):
        rules = RuleSet.preset(rules)
    vector = np.zeros(R_SIZE, dtype=np.int64)
    for place, f in enumerate(fields(RuleSet)):
        value = getattr(rules, f.name)
        if isinstance(value, str):
            options = f.metadata["options"]
            assert isinstance(options, tuple)
            value = options.index(value)
        vector[place] = value
    return vector
