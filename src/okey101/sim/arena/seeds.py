"""Which seeds are for what: what a bot was made with is not what it is judged by.

``benchmarks/seeds.json`` says the same to whoever is not a program.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from okey101.errors import OkeyError

__all__ = ["RANGES", "RELEASE_DEALS", "Purpose", "checked_seed", "purpose_of"]


class Purpose(StrEnum):
    """What deals are played for."""

    DEVELOPMENT = "development"
    """Anything: trying, tuning, training."""
    GATE = "gate"
    """Whether a new version is better than the old one."""
    RELEASE = "release"
    """The published numbers: once for each version of a bot."""


RANGES: Final = {
    Purpose.DEVELOPMENT: range(1_000_000),
    Purpose.GATE: range(1_000_000, 2_000_000),
    Purpose.RELEASE: range(2_000_000, 3_000_000),
}
"""The seeds of each purpose; the first one is taken where none is named."""
RELEASE_DEALS: Final = 5_000
"""So many deals a released number has, no more and no fewer."""


def purpose_of(seed: int) -> Purpose | None:
    """What a seed is for; None for one that is for nothing.

    >>> purpose_of(101)
    <Purpose.DEVELOPMENT: 'development'>
    """
    return next((purpose for purpose, seeds in RANGES.items() if seed in seeds), None)


def checked_seed(seed: int | None, purpose: Purpose) -> int:
    """The seed, or the first one of the purpose; OkeyError ``seed-range`` for one of another."""
    seeds = RANGES[purpose]
    if seed is None:
        return seeds.start
    if seed not in seeds:
        low, high = seeds.start, seeds.stop - 1
        words = f"the seeds for {purpose} are {low} to {high}"
        raise OkeyError("seed-range", words, purpose=purpose.value, low=low, high=high)
    return seed
