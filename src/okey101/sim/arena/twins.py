"""``steady`` with the kernel's help: what it counts is counted there, its choices are the same."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from okey101.bots.lay_plans import opening_to_finish
from okey101.bots.meld_potential import kind_of
from okey101.bots.sampled_draws import Outlook
from okey101.bots.steady import SteadyBot
from okey101.game.actions import Meld
from okey101.game.deal import Public
from okey101.kernel.compiling import Rows
from okey101.kernel.exporting import masks_of_bits
from okey101.kernel.foresight import draw_futures, opening_gains, remains
from okey101.kernel.tables import tables
from okey101.tiles import tiles_of_bits

__all__ = ["CompiledSteady"]

_NONE: Final = -1
_NEVER: Final = 1 << 20


def _drawn(rng: random.Random, tiles: Sequence[int], draws: int, count: int) -> Rows:
    """``rng.sample(tiles, draws)`` so many times: int64[count, draws]; it leaves ``rng`` behind."""
    drawn = np.zeros((count, draws), dtype=np.int64)
    if draws:
        state = np.array(rng.getstate()[1], dtype=np.int64)
        from_ = np.array(tiles, dtype=np.int64)
        draw_futures(state, from_, from_.copy(), drawn)
    return drawn


class _CompiledOutlook(Outlook):
    """Draws that may come, drawn and weighed by the kernel."""

    def futures(self, count: int) -> list[tuple[tuple[int, ...], float]]:
        tiles = tiles_of_bits(self._unseen)
        draws = min(self._draws, len(tiles))
        if draws < 2:
            return super().futures(count)
        drawn = _drawn(self._rng, tiles, draws, count).tolist()
        return [(tuple(future), 1 / count) for future in drawn]

    def opens(self, hand: int, count: int) -> float:
        futures = self.futures(count)
        reached = self._reached(hand, (_NONE,), (self._need[0], _NEVER), (1, 0, 0), futures)
        return math.fsum(
            weight for (_, weight), row in zip(futures, reached, strict=True) if row[0]
        )

    def _reached(
        self,
        hand: int,
        discards: Sequence[int],
        need: tuple[int, int],
        worth: tuple[int, int, int],
        futures: Sequence[tuple[tuple[int, ...], float]],
    ) -> list[list[int]]:
        if not futures:
            return []
        gains = np.zeros((len(futures), len(discards)), dtype=np.int64)
        opening_gains(
            tables(),
            np.array(masks_of_bits(hand), dtype=np.int64),
            -1 if self._okey is None else self._okey,
            np.array(discards, dtype=np.int64),
            np.array([tiles for tiles, _ in futures], dtype=np.int64),
            np.array(need, dtype=np.int64),
            np.array(worth, dtype=np.int64),
            gains,
        )
        return gains.tolist()

    def _gains(
        self,
        hand: int,
        base: int,
        others: Sequence[int],
        futures: Sequence[tuple[tuple[int, ...], float]],
    ) -> Iterator[tuple[float, float, Sequence[float]]]:
        melds, pairs, delay = self._worth
        if not all(float(points).is_integer() for points in self._worth):
            yield from super()._gains(hand, base, others, futures)
            return
        worth = int(melds), int(pairs), int(delay)
        found = self._reached(hand, (base, *others), self._need, worth, futures)
        for (_, weight), row in zip(futures, found, strict=True):
            if any(row):
                yield weight, row[0], row[1:]


def _remains(
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
    """The twin of :func:`okey101.bots.hand_rollout.expected_remains`."""
    tiles = tiles_of_bits(unseen)
    draws = min(draws, len(tiles))
    count = futures if draws else 1
    kinds = [kind_of(t, okey) for t in tiles]
    mine = [kind_of(t, okey) for t in tiles_of_bits(hand)]
    totals = np.zeros(len(discards), dtype=np.int64)
    remains(
        np.array(mine, dtype=np.int64),
        np.array([kind_of(t, okey) for t in discards], dtype=np.int64),
        _drawn(rng, kinds, draws, count),
        playable,
        int(pairs),  # type: ignore[arg-type]  # a truth value would be compiled for anew
        np.zeros(len(mine) + draws + 1, dtype=np.int64),
        totals,
    )
    return {tile: total / count for tile, total in zip(discards, totals.tolist(), strict=True)}


class CompiledSteady(SteadyBot):
    """``steady``, several times as fast.

    ``may_finish`` says of its turn whether ``greedy`` in its place would end the deal in it, which
    it does wherever an opening lets it.
    """

    _sees = _CompiledOutlook
    _remains = staticmethod(_remains)

    def __init__(self, seed: int, may_finish: Callable[[], bool]) -> None:
        super().__init__(seed)
        self._may_finish = may_finish

    def _finishing(self, public: Public, hand: int) -> Meld | None:
        return opening_to_finish(public, hand) if self._may_finish() else None
