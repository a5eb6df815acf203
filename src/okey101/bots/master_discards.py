"""What each discard of ``master`` costs: the features of :mod:`okey101.master_weights`, reckoned.

The compiled twin is ``okey101.kernel.master``; both work in whole numbers, thousandths of a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from okey101.bots.meld_potential import kind_of, near_melds
from okey101.game.deal import Opened
from okey101.game.options import Options
from okey101.game.view import View
from okey101.master_weights import STAGES, at, weights_of
from okey101.solver import (
    Objective,
    arrange_bits,
    best_value_bits,
    reaches_bits,
    values_without_bits,
)
from okey101.tiles import (
    BITS_OF,
    KINDS,
    OKEY,
    count_bits,
    distinct_bits,
    natural_bits,
    size_of_bits,
)

__all__ = ["DiscardWeighing", "beside", "most_melded", "partners_of", "to_runs"]

_LACK = at("lack")
_OUTS = at("outs")
_GAIN = at("gain")
_TILES = at("tiles")
_NUMBER = at("number")
_NEAR = at("near")
_PAIRS = at("pairs")
_PAIR_OUTS = at("pair_outs")
_DOUBLE = at("double")
_FEED = at("feed")
_OPEN_NUMBER = at("open_number")
_OPEN_NEAR = at("open_near")
_OPEN_RUNS = at("open_runs")
_OPEN_MELDS = at("open_melds")
_PAIRS_NUMBER = at("pairs_number")
_PAIRS_UNSEEN = at("pairs_unseen")
_OPEN_FEED = at("open_feed")
_POINT = 1000
_SINGLES = sum(1 << 2 * kind for kind in range(KINDS))
_OKEYS = 3 << 2 * OKEY


class _Ahead(NamedTuple):
    """What the next draw brings after a discard, by unseen tiles."""

    points: int
    """The points of the best melds before it."""
    outs: int = 0
    """Tiles that let the hand open."""
    gain: int = 0
    """Points that all tiles would add, together."""


def most_melded(hand: int, okey: int | None, loose: int) -> tuple[int, int]:
    """The most tiles that melds of a hand hold, and tiles of which one may go without a change.

    ``loose`` is what the most points leave of the hand; all are packed racks. Where these hold as
    many tiles as any, those are the ones.
    """
    held = size_of_bits(hand) - size_of_bits(loose)
    most = best_value_bits(hand, okey, Objective.TILES, held)
    return most, loose if most == held else 0


class DiscardWeighing:
    """A hand before its discard, and what can be known of the tiles elsewhere."""

    def __init__(self, view: View, options: Options) -> None:
        public = view.public
        self._public = public
        self._options = options
        self._hand = view.hand or 0
        self._okey = public.setup.okey
        self._unseen = view.unseen
        self._kinds = natural_bits(view.unseen, self._okey)
        self._total = max(1, size_of_bits(view.unseen))
        self._stage = min(public.stock_count // public.players, STAGES - 1)
        self._weights = weights_of(public.setup.rules)
        self._fines = {int(d.tile): d.points for d in options.discards}

    def discard(self) -> tuple[int, int]:
        """The tile whose discard costs least, and its outs in 1024ths before an opening."""
        if self._public.opened[self._public.turn] is None:
            return self._closed()
        return self._opened(), 0

    def _closed(self) -> tuple[int, int]:
        hand, okey, stage, weights, total = (
            self._hand, self._okey, self._stage, self._weights, self._total
        )  # fmt: skip
        options = self._options
        need = options.need_points
        found = arrange_bits(hand, okey)
        loose = hand if found is None else found.left_bits
        tiles = distinct_bits(loose & ~_OKEYS)
        likely = tiles or distinct_bits(hand & ~_OKEYS)
        if not tiles or self._public.setup.rules.taken_discard_fine:
            tiles = distinct_bits(hand & ~_OKEYS)
        if not tiles:
            return OKEY, 0
        points = 0 if found is None else found.points
        ahead = self._look_ahead(tiles, likely, need, loose, points)
        melded, spare = most_melded(hand, okey, loose)
        best, chosen, outs_of_chosen = 1 << 60, -1, 0
        for tile in tiles:
            seen = ahead[tile]
            rest = hand - BITS_OF[tile]
            outs = (total if seen.points >= need and stage else seen.outs) * 1024 // total
            cost = self._fines[tile] * _POINT
            cost += weights[_LACK + stage] * max(0, need - seen.points)
            cost -= weights[_OUTS + stage] * outs
            cost -= weights[_GAIN + stage] * (seen.gain * 64 // total)
            if count_bits(spare, tile):
                cost -= weights[_TILES + stage] * melded
            else:
                cost -= weights[_TILES + stage] * best_value_bits(rest, okey, Objective.TILES)
            kind = kind_of(tile, okey)
            if kind < KINDS:
                cost += weights[_NUMBER + stage] * (kind % 13 + 1)
                if count_bits(loose, tile):
                    cost += weights[_NEAR + stage] * near_melds(tile, loose, self._unseen, okey)
                cost += self._feeding(kind, _FEED)
            cost += self._pairs_cost(tile, rest, options.need_pairs)
            if cost < best:
                best, chosen, outs_of_chosen = cost, tile, outs
        return chosen, outs_of_chosen

    def _pairs_cost(self, tile: int, rest: int, needed: int) -> int:
        """What a discard costs by the pairs that are left, and by those that may come."""
        weights, stage, total = self._weights, self._stage, self._total
        lacking = max(0, needed - best_value_bits(rest, self._okey, Objective.PAIRS))
        cost = weights[_PAIRS + min(lacking, 3)]
        if stage and lacking <= 1:
            good = self._pairing(rest) if lacking else total
            cost -= weights[_PAIR_OUTS + stage] * (good * 1024 // total)
        if count_bits(self._hand, tile) == 2:
            cost += weights[_DOUBLE] + (weights[_DOUBLE + 1] if lacking <= 2 else 0)
        return cost

    def _look_ahead(
        self, tiles: Sequence[int], likely: Sequence[int], need: int, loose: int, points: int
    ) -> dict[int, _Ahead]:
        """Try each tile that may be drawn next: which discards leave an opening, or come nearer.

        Of the tiles only the likely ones are tried; a loose one leaves all ``points`` of the hand.
        """
        hand, okey = self._hand, self._okey
        before = {
            tile: points if count_bits(loose, tile) else best_value_bits(hand - BITS_OF[tile], okey)
            for tile in tiles
        }
        outs, gains = dict.fromkeys(tiles, 0), dict.fromkeys(tiles, 0)
        poor = [tile for tile in likely if before[tile] < need]
        if not self._stage or not poor:
            return {tile: _Ahead(before[tile]) for tile in tiles}
        floors = [before[tile] for tile in poor]
        melded = min(floors) < points
        for drawn, count in self._useful():
            more = hand + BITS_OF[drawn]
            if melded and not reaches_bits(more, okey, points + 1):
                continue
            _, values = values_without_bits(more, okey, poor, floors, enough=need)
            for tile, value in zip(poor, values, strict=True):
                after = min(need, value)
                gains[tile] += count * (after - before[tile])
                if after >= need:
                    outs[tile] += count
        return {tile: _Ahead(before[tile], outs[tile], gains[tile]) for tile in tiles}

    def _useful(self) -> list[tuple[int, int]]:
        """The unseen tiles that may add to melds of the hand, and how many there are of each."""
        hand, okey = self._hand, self._okey
        every = count_bits(hand, OKEY) == 2
        held = natural_bits(hand, okey)
        near = 0
        for kind in range(KINDS):
            if held >> 2 * kind & 3:
                near |= beside(kind)
        found = []
        for tile in distinct_bits(self._unseen):
            kind = kind_of(tile, okey)
            if tile == OKEY or every or near >> kind & 1:
                found.append((tile, count_bits(self._unseen, tile)))
        return found

    def _pairing(self, rest: int) -> int:
        """How many unseen tiles make one more pair."""
        held = natural_bits(rest, self._okey)
        singles = held & ~(held >> 1) & _SINGLES
        if not singles:
            return 0
        both = self._kinds & (singles | singles << 1)
        return count_bits(self._unseen, OKEY) + size_of_bits(both)

    def _feeding(self, kind: int, first: int) -> int:
        """What a discard costs by what the next player may do with it."""
        public = self._public
        rules = public.setup.rules
        if rules.pairs_discard_protected and public.opened[public.turn] is Opened.PAIRS:
            return 0
        after = (public.turn + 1) % public.players
        opened, size, total = public.opened[after], public.sizes[after], self._total
        if opened is Opened.PAIRS:
            first += 4
            ways = (self._kinds >> 2 * kind & 3) * size * 1024 // total if size > 1 else 0
        elif opened is Opened.MELDS and size < 3:
            first += 2
            ways = 0
        else:
            first += 2 if opened else 0
            ways = min(1024, self._ways(kind) * size * size * 1024 // (total * total))
        fine = rules.taken_discard_fine * (kind % 13 + 1)
        return ways * (self._weights[first] + self._weights[first + 1] * fine) >> 6

    def _ways(self, kind: int) -> int:
        """In how many ways two unseen tiles make a meld with this kind."""
        kinds = self._kinds
        return sum((kinds >> a & 3) * (kinds >> b & 3) for a, b in partners_of(kind))

    def _opened(self) -> int:
        hand, okey, stage, weights = self._hand, self._okey, self._stage, self._weights
        public = self._public
        paired = public.opened[public.turn] is Opened.PAIRS
        found = arrange_bits(hand, okey)
        loose = hand if found is None else found.left_bits
        melded, spare = most_melded(hand, okey, loose)
        best, chosen = 1 << 60, OKEY
        for tile in distinct_bits(hand & ~_OKEYS):
            kind = kind_of(tile, okey)
            cost = self._fines[tile] * _POINT
            if kind < KINDS:
                number = kind % 13 + 1
                cost += self._feeding(kind, _OPEN_FEED)
                if paired:
                    cost -= weights[_PAIRS_NUMBER + stage] * number
                    cost += weights[_PAIRS_UNSEEN] * (self._kinds >> 2 * kind & 3)
                else:
                    cost -= weights[_OPEN_NUMBER + stage] * number
                    if count_bits(loose, tile):
                        near = near_melds(tile, loose, self._unseen, okey)
                        cost += weights[_OPEN_NEAR + stage] * near
                    cost += weights[_OPEN_RUNS + stage] * to_runs(public.playable, kind)
                    kept = melded
                    if not count_bits(spare, tile):
                        kept = best_value_bits(hand - BITS_OF[tile], okey, Objective.TILES)
                    cost -= weights[_OPEN_MELDS + stage] * kept
            if cost < best:
                best, chosen = cost, tile
        return chosen


def to_runs(playable: int, kind: int) -> int:
    """How near a kind is to what can be laid off: 3 for a neighbour, 1 for the next but one."""
    number = kind % 13
    return sum(
        (3 if abs(step) == 1 else 1) * (playable >> kind + step & 1)
        for step in (-2, -1, 1, 2)
        if 0 <= number + step <= 12
    )


@cache
def beside(kind: int) -> int:
    """The kinds that may be in a meld with a kind, an okey helping, as a mask."""
    colour, number = divmod(kind, 13)
    found = sum(1 << other for other in range(number, KINDS, 13))
    for other in range(max(0, number - 2), min(12, number + 2) + 1):
        if other != number:
            found |= 1 << 13 * colour + other
    return found


@cache
def partners_of(kind: int) -> tuple[tuple[int, int], ...]:
    """The places in a packed rack of the pairs of kinds that are a meld with this one."""
    colour, number = divmod(kind, 13)
    others = [k for k in range(number, KINDS, 13) if k != kind]
    found = [(a, b) for i, a in enumerate(others) for b in others[i + 1 :]]
    for low in range(max(0, number - 2), min(10, number) + 1):
        a, b = (13 * colour + n for n in range(low, low + 3) if n != number)
        found.append((a, b))
    return tuple((2 * a, 2 * b) for a, b in found)
