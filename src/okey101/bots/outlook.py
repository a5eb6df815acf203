"""How likely a hand that hasn't opened is to open in time, counted over draws that may come."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from okey101.solver import best_value, count_pairs
from okey101.tiles import BITS_OF, OKEY, count_bits, distinct_bits, tiles_of_bits

__all__ = ["Outlook", "Worth", "draws_left"]

_SOLVES = (360, 200, 60)
"""How many racks to solve for a decision, by okeys in the hand: those with okeys take longer."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What opening is worth in points, against staying unopened.

    Each later turn takes ``delay`` off; ``near`` points come from an arrangement that is worth as
    much as the threshold, and less in proportion: they decide where no opening is in sight.
    """

    melds: float
    pairs: float
    delay: float = 3.0
    near: float = 4.0


def draws_left(stock: int, players: int) -> int:
    """How many draws from the stock the seat that now discards will have."""
    return stock // players


class Outlook:
    """Draws that may come to a hand, the same for every hand that is asked about.

    ``unseen`` is a packed rack. With one draw left every tile is tried, else random draws.
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
        best = best_value(racks[-1], self._okey)
        if best >= points:
            turn = len(future)
            while turn > 1 and best_value(racks[turn - 1], self._okey) >= points:
                turn -= 1
            return worth.melds + worth.near - worth.delay * (turn - 1)
        close = worth.near * best / points
        if count_pairs(racks[-1], self._okey) >= pairs:
            return worth.pairs + close - worth.delay * (len(future) - 1)
        return close

    def gains(self, hand: int, discards: Iterable[int]) -> dict[int, float]:
        """The mean gain of a hand after each of these discards."""
        left = list(discards)
        solves = _SOLVES[min(2, count_bits(hand, OKEY))]
        totals = dict.fromkeys(left, 0.0)
        futures = self.futures(max(8, solves // max(1, len(left))))
        for number, (future, weight) in enumerate(futures, 1):
            for tile in left:
                totals[tile] += weight * self.gain(hand - BITS_OF[tile], future)
            if len(left) > 3 and number == len(futures) // 3 and self._draws > 1:
                # The rest of the futures goes to the discards that may still turn out best.
                left = sorted(left, key=lambda t: -totals[t])[: (len(left) + 1) // 2]
                dropped = [t for t in totals if t not in left]
                for tile in dropped:
                    totals[tile] *= len(futures) / number
        return totals

    def opens(self, hand: int, count: int) -> float:
        """How likely melds are to open within the draws, the whole hand kept."""
        points = self._need[0]
        return sum(
            weight
            for future, weight in self.futures(count)
            if best_value(hand + sum(BITS_OF[t] for t in future), self._okey) >= points
        )
