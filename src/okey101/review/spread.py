"""A mean over worlds with its 95 % interval, from whole numbers and in tenths of a point."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

__all__ = ["NOTHING", "Spread", "spread_of", "summed"]

_REACH: Final = 1.96
"""Standard errors to either side: an interval that holds the true mean 95 times of 100."""


class Spread(NamedTuple):
    """A mean in tenths of a point, and how far its 95 % interval reaches to either side.

    It is exact for the worlds that were played: sums of whole numbers, one square root.
    """

    tenths: int
    reach: int

    @property
    def mean(self) -> float:
        """The mean in points."""
        return self.tenths / 10

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return (self.tenths - self.reach) / 10

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return (self.tenths + self.reach) / 10

    def __str__(self) -> str:
        return f"{self.mean:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {"mean": self.mean, "low": self.low, "high": self.high}


NOTHING: Final = Spread(0, 0)


def spread_of(total: int, squares: int, count: int) -> Spread:
    """The mean of ``count`` whole numbers with this sum and this sum of squares.

    >>> spread_of(30, 350, 4)
    Spread(tenths=75, reach=64)
    """
    if count < 2:
        return Spread(10 * total, 0)
    mean = _rounded(10 * total, count)
    spread = count * squares - total * total
    error = math.sqrt(spread / (count * count * (count - 1)))
    return Spread(mean, math.ceil(10 * _REACH * error))


def summed(parts: Iterable[Spread]) -> Spread:
    """The sum of independent figures."""
    tenths, squares = 0, 0
    for part in parts:
        tenths += part.tenths
        squares += part.reach * part.reach
    return Spread(tenths, math.isqrt(squares - 1) + 1 if squares else 0)


def _rounded(value: int, by: int) -> int:
    """A quotient rounded to the nearest whole number, halves upward."""
    return (2 * value + by) // (2 * by)
