"""Rounds that were thrown away, counted over many deals, and judged by a test of their number.

A round may fail by itself: a line breaks, a disk dies. Whoever runs a server can let it fail, too,
and so have the tiles shuffled again. One round tells nothing of that; many do.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, log1p
from typing import Final, NamedTuple

from okey101.game.fair.transcript import PUT_BACK, Fair

UNOPENED_RATE: Final = 1 / 50
"""So many rounds may lack an opening at a server that lets every one through."""
PUT_BACK_RATE: Final = 1 / 500
"""In so many rounds files may be put back, or lose their end, where nobody does it on purpose."""
CHANCE: Final = 1e-4
"""Less likely by chance is too many."""


class Thrown(NamedTuple):
    """How many rounds there were, and how many of them were thrown away."""

    rounds: int = 0
    unopened: int = 0
    put_back: int = 0

    @property
    def too_many(self) -> bool:
        """Whether so many rounds are thrown away by chance once in ten thousand times, or less.

        >>> Thrown(8, put_back=4).too_many, Thrown(100, unopened=3).too_many
        (True, False)
        """
        return (
            at_least(self.unopened, self.rounds, UNOPENED_RATE) < CHANCE
            or at_least(self.put_back, self.rounds, PUT_BACK_RATE) < CHANCE
        )

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {**self._asdict(), "too_many": self.too_many}


def thrown(fairs: Iterable[Fair]) -> Thrown:
    """The count over the deals of any number of matches."""
    rounds = unopened = put_back = 0
    for fair in fairs:
        back = sum(other.reason in PUT_BACK for other in fair.abandoned)
        rounds += 1 + len(fair.abandoned)
        unopened += len(fair.abandoned) - back
        put_back += back
    return Thrown(rounds, unopened, put_back)


def at_least(count: int, rounds: int, rate: float) -> float:
    """How likely ``count`` or more of ``rounds`` are, each with that ``rate`` by itself.

    >>> at_least(0, 10, 0.5), round(at_least(9, 10, 0.5), 6)
    (1.0, 0.010742)
    """
    if count <= rounds * rate:
        return 1.0  # no more than is expected: not worth a sum
    ways = sum(log((rounds - n) / (n + 1)) for n in range(count))
    term = exp(ways + count * log(rate) + (rounds - count) * log1p(-rate))
    total = 0.0
    for n in range(count, rounds + 1):
        total += term
        term *= (rounds - n) / (n + 1) * rate / (1 - rate)
        if term < total * 1e-12:
            break
    return total
