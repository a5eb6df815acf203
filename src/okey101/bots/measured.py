"""How strong the bots were when they were measured: what people are shown beside them."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TypeAlias

__all__ = ["Measured", "measured_strength"]

Measured: TypeAlias = dict[str, list[float]]
"""By preset the points a deal against three ``greedy``, less than ``greedy`` has in the same seat,
and half of the 95 % interval: low is good."""


def measured_strength() -> dict[str, Measured]:
    """By bot what it reached; docs/en/strength.md tells how.

    ``scripts/make_strength.py`` writes the file.

    >>> measured_strength()["champion"]["altinstar"][0] < 0
    True
    """
    file = files("okey101.bots").joinpath("strength.json")
    found: dict[str, Measured] = json.loads(file.read_text("utf-8"))
    return found
