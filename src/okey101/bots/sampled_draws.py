"""How likely a hand that hasn't opened is to open in time, counted over draws that may come."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from okey101.solver import best_value_bits, count_pairs_bits
from okey101.tiles import BITS_OF, OKEY, count_bits, distinct_bits, tiles_of_bits

__all__ = ["Advantage", "Outlook", "Worth", "draws_left"]

_SOLVES = (360, 160, 60)
"""How many racks to solve for a decision, by okeys in the hand: those with okeys take longer."""

_HORIZON = 6
"""How far to look ahead: four players draw five times at most, fewer too often to tell apart."""


class Worth(NamedTuple):
    """What opening is worth in points against staying unopened; ``delay`` is lost a turn."""

    melds: float
    pairs: float
    delay: float = 3.0


class Advantage(NamedTuple):
    """By how many points one discard is better than another: the mean, and its standard error."""

    mean: float
    error: float


def draws_left(stock: int, players: int) -> int:
    """How many more draws the seat that now discards will have, as far as one looks ahead."""
    return min(_HORIZON, stock // players)


class Outlook:
    """Draws that may come to a hand, the same for every hand that is asked about.

    ``unseen`` is a packed rack, ``need`` the points and the pairs that open. With one draw left
    every tile is tried, else random draws.
    """

    def __init__(
        self,
        unseen: int,
        draws: int,
        okey: int | None,
        need: tuple[int, int],
        worth: Worth,
        rng: random.Random,
    ) -> None:
        self._okey = okey
        self._need = need
        self._worth = worth
        self._draws = draws
        self._unseen = unseen
        self._rng = rng

    def futures(self, count: int) -> list[tuple[tuple[int, ...], float]]:
        """Draws that may come, each with its weight; the weights add up to 1."""
        tiles = tiles_of_bits(self._unseen)
        draws = min(self._draws, len(tiles))
        if not draws:
            return []
        if draws == 1:
            return [
                ((tile,), count_bits(self._unseen, tile) / len(tiles))
                for tile in distinct_bits(self._unseen)
            ]
        return [(tuple(self._rng.sample(tiles, draws)), 1 / count) for _ in range(count)]

    def gain(self, hand: int, future: tuple[int, ...]) -> float:
        """What these draws are worth to a hand: the opening they allow, and how soon."""
        racks = [hand]
        for tile in future:
            racks.append(racks[-1] + BITS_OF[tile])
        points, pairs = self._need
        worth = self._worth
        if best_value_bits(racks[-1], self._okey) >= points:
            turn = len(future)
            while turn > 1 and best_value_bits(racks[turn - 1], self._okey) >= points:
                turn -= 1
            return worth.melds - worth.delay * (turn - 1)
        if count_pairs_bits(racks[-1], self._okey) >= pairs:
            return worth.pairs - worth.delay * (len(future) - 1)
        return 0.0

    def advantages(self, hand: int, base: int, others: Sequence[int]) -> dict[int, Advantage]:
        """How much better than ``base`` each other discard is, over the same draws."""
        solves = _SOLVES[min(2, count_bits(hand, OKEY))]
        sums = {tile: [0.0, 0.0] for tile in others}
        futures = self.futures(max(16, solves // (1 + len(others))))
        for weight, by_base, gains in self._gains(hand, base, others, futures):
            for totals, gain in zip(sums.values(), gains, strict=True):
                difference = gain - by_base
                totals[0] += weight * difference
                totals[1] += weight * difference * difference
        sampled = len(futures) if self._draws > 1 else 0
        return {
            tile: Advantage(
                mean, math.sqrt(max(0.0, square - mean * mean) / sampled) if sampled else 0.0
            )
            for tile, (mean, square) in sums.items()
        }

    def _gains(
        self,
        hand: int,
        base: int,
        others: Sequence[int],
        futures: Sequence[tuple[tuple[int, ...], float]],
    ) -> Iterator[tuple[float, float, Sequence[float]]]:
        """By future its weight, and what it is worth without ``base`` and without each other tile.

        Futures that are worth nothing to the whole hand are left out.
        """
        for future, weight in futures:
            if self.gain(hand, future):
                by_base = self.gain(hand - BITS_OF[base], future)
                yield weight, by_base, [self.gain(hand - BITS_OF[t], future) for t in others]

    def opens(self, hand: int, count: int) -> float:
        """How likely melds are to open within the draws, the whole hand kept."""
        points = self._need[0]
        return math.fsum(
            weight
            for future, weight in self.futures(count)
            if best_value_bits(hand + sum(BITS_OF[t] for t in future), self._okey) >= points
        )
