"""What will be left of an opened hand, counted over draws that may come."""

from __future__ import annotations

import random
from collections.abc import Sequence

from okey101.bots.discard_risk import completions
from okey101.bots.meld_potential import kind_of, partners
from okey101.tiles import KINDS, OKEY, tiles_of_bits

__all__ = ["expected_remains"]

_FINISHED = -101.0


def expected_remains(
    hand: int,
    discards: Sequence[int],
    unseen: int,
    playable: int,
    draws: int,
    okey: int | None,
    *,
    pairs: bool,
    rng: random.Random,
    futures: int = 24,
) -> dict[int, float]:
    """For each first discard the mean of what the hand costs at the end of the stock, or of a win.

    ``playable`` is the mask of kinds that may be laid off; the table is taken to stay as it is.
    """
    tiles = tiles_of_bits(unseen)
    draws = min(draws, len(tiles))
    mine = [kind_of(t, okey) for t in tiles_of_bits(hand)]
    totals = dict.fromkeys(discards, 0.0)
    count = futures if draws else 1
    for _ in range(count):
        future = [kind_of(t, okey) for t in rng.sample(tiles, draws)]
        for tile in discards:
            pool = mine.copy()
            pool.remove(kind_of(tile, okey))
            totals[tile] += _play(pool, future, playable, pairs=pairs)
    return {tile: total / count for tile, total in totals.items()}


def _play(pool: list[int], future: Sequence[int], playable: int, *, pairs: bool) -> float:
    """Play on by a simple rule: lay what fits, throw the highest tile that stands alone."""
    for kind in future:
        if kind == OKEY or playable >> kind & 1:
            pass
        elif pairs and kind in pool:
            pool.remove(kind)
        else:
            melded = None if pairs else _meld(pool, kind)
            if melded is None:
                pool.append(kind)
            else:
                pool.remove(melded[0])
                pool.remove(melded[1])
        if len(pool) <= 1:
            return _FINISHED * (1 + pairs)
        present = 0
        for held in pool:
            present |= 1 << held
        worst, burden = 0, -1
        for held in pool:
            company = _COMPANY[held] & present
            heavy = _NUMBER[held] if company else 2 * _NUMBER[held]
            if heavy > burden:
                worst, burden = held, heavy
        pool.remove(worst)
    return float(sum(_NUMBER[k] for k in pool)) * (1 + pairs)


def _meld(pool: list[int], kind: int) -> tuple[int, int] | None:
    if kind >= KINDS or sum(1 for k in pool if _COMPANY[kind] >> k & 1) < 2:
        return None
    for pair in completions(kind):
        if pair[0] in pool and pair[1] in pool:
            return pair
    return None


_NUMBER = (*(kind % 13 + 1 for kind in range(KINDS)), 0, 0)
_COMPANY = (*(sum(1 << other for other, _ in partners(kind)) for kind in range(KINDS)), 0, 0)
