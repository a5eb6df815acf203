"""The bot ``master``: weighs what the next draws may bring, with weights tuned on many deals.

It lays down as ``greedy`` does; the discard is the one that costs least by the features of
:mod:`okey101.weights.master`, and an opening is held back for a turn where that pays, as is a
finish that the partner would pay for. All is reckoned in whole numbers, so that its compiled twin,
``okey101.kernel.master``, chooses alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from okey101.bots.greedy import GreedyBot
from okey101.bots.lay_plans import Spot, finish_plan, opening_to_finish, spares_partner
from okey101.bots.tile_worth import completions, kind_of, near_tiles
from okey101.bots.tools import needed_pairs, needed_points
from okey101.game import Action, Meld, Opened, Options, Swap, View
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
from okey101.weights.master import STAGES, W, weights_of
from okey101.weights.neural import FAR, NEAR_OUTS

# What each discard of ``master`` costs: the features of :mod:`okey101.weights.master`, reckoned.
#
# The compiled twin is ``okey101.kernel.master``; both work in thousandths of a point.

_POINT = 1000
_SINGLES = sum(1 << 2 * kind for kind in range(KINDS))
_OKEYS = 3 << 2 * OKEY


class Weighed:
    """A discard, what it costs, and what that is reckoned from; shares are in 1024ths."""

    __slots__ = (
        "cost", "farther", "fed", "gain", "lacking", "melded", "near", "nearly", "outs",
        "pair_outs", "tile", "value",
    )  # fmt: skip

    def __init__(self, tile: int) -> None:
        self.tile = tile
        self.value = 0
        """The points of the best melds before the next draw."""
        self.cost = self.outs = self.gain = self.nearly = self.farther = 0
        self.melded = self.near = self.fed = self.lacking = self.pair_outs = 0


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
        self._hand = hand = view.hand or 0
        self._okey = okey = public.setup.okey
        self._rules = public.setup.rules
        self._next = (public.turn + 1) % public.players
        self._opened = public.opened[public.turn]
        self._unseen = view.unseen
        self._kinds = natural_bits(view.unseen, okey)
        self._total = max(1, size_of_bits(view.unseen))
        self._stage = min(public.stock_count // public.players, STAGES - 1)
        self._weights = weights_of(self._rules)
        self._fines = {int(d.tile): d.points for d in options.discards}
        self._held = natural_bits(hand, okey)
        found = arrange_bits(hand, okey)
        self._loose = hand if found is None else found.left_bits
        self._mine = natural_bits(self._loose, okey)
        self._points = 0 if found is None else found.points
        self._need = needed_points(public)
        self._need_pairs = needed_pairs(public)

    def discard(self) -> tuple[int, int]:
        """The tile whose discard costs least, and its outs in 1024ths before an opening."""
        tiles = distinct_bits(self._hand & ~_OKEYS)
        if self._opened is None and not self._rules.taken_discard_fine:
            tiles = distinct_bits(self._loose & ~_OKEYS) or tiles
        if not tiles:
            return OKEY, 0
        best = min(self.weighed(tiles), key=lambda found: found.cost)
        return best.tile, best.outs

    def weighed(self, tiles: Sequence[int]) -> list[Weighed]:
        """What each of these tiles costs to throw, in their order."""
        return self._closed(tiles) if self._opened is None else self._after_opening(tiles)

    def _closed(self, tiles: Sequence[int]) -> list[Weighed]:
        hand, okey, stage, weights, total = (
            self._hand, self._okey, self._stage, self._weights, self._total
        )  # fmt: skip
        found = [Weighed(tile) for tile in tiles]
        for note in found:
            note.value = self.value_without(note.tile)
        if stage:
            self._look_ahead(found)
        melded, spare = most_melded(hand, okey, self._loose)
        for note in found:
            tile = note.tile
            rest = hand - BITS_OF[tile]
            ready = note.value >= self._need and stage
            note.outs = (total if ready else note.outs) * 1024 // total
            note.gain = note.gain * 64 // total
            note.nearly = note.nearly * 1024 // total
            note.farther = note.farther * 1024 // total
            note.melded = melded
            if not count_bits(spare, tile):
                note.melded = best_value_bits(rest, okey, Objective.TILES)
            cost = self._fines[tile] * _POINT
            cost += weights[W.lack + stage] * max(0, self._need - note.value)
            cost -= weights[W.outs + stage] * note.outs
            cost -= weights[W.gain + stage] * note.gain
            cost -= weights[W.tiles + stage] * note.melded
            kind = kind_of(tile, okey)
            if kind < KINDS:
                cost += weights[W.number + stage] * (kind % 13 + 1)
                if count_bits(self._loose, tile):
                    note.near = near_tiles(kind, self._mine, self._kinds)
                    cost += weights[W.near + stage] * note.near
                note.fed = self._fed(kind)
                cost += self._feeding(kind, note.fed, W.feed)
            lacking = max(0, self._need_pairs - best_value_bits(rest, okey, Objective.PAIRS))
            note.lacking = lacking
            cost += weights[W.pairs + min(lacking, 3)]
            if stage and lacking <= 1:
                good = self._pairing(rest) if lacking else total
                note.pair_outs = good * 1024 // total
                cost -= weights[W.pair_outs + stage] * note.pair_outs
            if count_bits(hand, tile) == 2:
                cost += weights[W.double] + (weights[W.double + 1] if lacking <= 2 else 0)
            note.cost = cost
        return found

    def _after_opening(self, tiles: Sequence[int]) -> list[Weighed]:
        hand, okey, stage, weights = self._hand, self._okey, self._stage, self._weights
        found = []
        melded, spare = most_melded(hand, okey, self._loose)
        for tile in tiles:
            rest = hand - BITS_OF[tile]
            note = Weighed(tile)
            note.melded = melded
            if not count_bits(spare, tile):
                note.melded = best_value_bits(rest, okey, Objective.TILES)
            cost = self._fines[tile] * _POINT
            kind = kind_of(tile, okey)
            if kind < KINDS:
                number = kind % 13 + 1
                note.fed = self._fed(kind)
                cost += self._feeding(kind, note.fed, W.open_feed)
                if count_bits(self._loose, tile):
                    note.near = near_tiles(kind, self._mine, self._kinds)
                if self._opened is Opened.PAIRS:
                    cost -= weights[W.pairs_number + stage] * number
                    cost += weights[W.pairs_unseen] * (self._kinds >> 2 * kind & 3)
                else:
                    cost -= weights[W.open_number + stage] * number
                    cost += weights[W.open_near + stage] * note.near
                    cost += weights[W.open_runs + stage] * to_runs(self._public.playable, kind)
                    cost -= weights[W.open_melds + stage] * note.melded
            note.cost = cost
            found.append(note)
        return found

    def value_without(self, tile: int) -> int:
        """The points of the best melds without a tile: all, where it is in none."""
        if count_bits(self._loose, tile):
            return self._points
        return best_value_bits(self._hand - BITS_OF[tile], self._okey)

    def _look_ahead(self, noted: Sequence[Weighed]) -> None:
        """Try each tile that may be drawn next: what it brings after each loose discard."""
        hand, okey, need = self._hand, self._okey, self._need
        loose = self._loose & ~_OKEYS or hand & ~_OKEYS
        poor = [note for note in noted if note.value < need and count_bits(loose, note.tile)]
        if not poor:
            return
        tiles, floors = [note.tile for note in poor], [note.value for note in poor]
        least = min(floors)
        for drawn, count in self._useful():
            more = hand + BITS_OF[drawn]
            if least < self._points and not reaches_bits(more, okey, self._points + 1):
                continue
            whole, values = values_without_bits(more, okey, tiles, floors, enough=need)
            if whole <= self._points:
                continue
            for note, value in zip(poor, values, strict=True):
                after = min(need, value)
                note.gain += count * (after - note.value)
                if after >= need:
                    note.outs += count
                elif after >= need - NEAR_OUTS:
                    note.nearly += count
                elif after >= need - FAR:
                    note.farther += count

    def _useful(self) -> list[tuple[int, int]]:
        """The unseen tiles that may add to melds of the hand, and how many there are of each."""
        every = count_bits(self._hand, OKEY) == 2
        near = 0
        for kind in distinct_bits(self._held):
            near |= beside(kind)
        found = []
        for tile in distinct_bits(self._unseen):
            kind = kind_of(tile, self._okey)
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

    def _fed(self, kind: int) -> int:
        """Ways, in 1024ths, in which the next player has a meld or a pair with a discard."""
        public = self._public
        if self._rules.pairs_discard_protected and self._opened is Opened.PAIRS:
            return 0
        how, size, total = public.opened[self._next], public.sizes[self._next], self._total
        if how is Opened.PAIRS:
            return (self._kinds >> 2 * kind & 3) * size * 1024 // total if size > 1 else 0
        if how is Opened.MELDS and size < 3:
            return 0
        kinds = self._kinds
        ways = sum((kinds >> 2 * a & 3) * (kinds >> 2 * b & 3) for a, b in completions(kind))
        return min(1024, ways * size * size * 1024 // (total * total))

    def _feeding(self, kind: int, ways: int, first: int) -> int:
        """What a discard costs by what the next player may do with it."""
        how = self._public.opened[self._next]
        first += 0 if how is None else 2 if how is Opened.MELDS else 4
        fine = self._rules.taken_discard_fine * (kind % 13 + 1)
        return ways * (self._weights[first] + self._weights[first + 1] * fine) >> 6


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


_DRAWS = 5


class MasterBot(GreedyBot):
    """Plays every discard for the turns that may come; it has no randomness."""

    name = "master"

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        opening = super()._open(view, hand, options)
        public = view.public
        if not isinstance(opening, Meld) or public.taken is not None or public.must_finish:
            return opening
        if not options.discards:
            return opening
        if spares_partner(public) and opening_to_finish(public, hand) is not None:
            if _costs_nothing(view, options):
                return None
        if public.stock_count < public.players:
            return opening
        return None if _holds(view, hand, options, opening) else opening

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        laid, public = super()._lay(view, hand, options), view.public
        if laid is None or isinstance(laid, Swap) or public.taken_waits or size_of_bits(hand) == 1:
            return laid
        if not spares_partner(public) or finish_plan(Spot.of(public, hand)) is None:
            return laid
        return None if _costs_nothing(view, options) else laid

    def _discard(self, view: View, hand: int, options: Options) -> int:
        if size_of_bits(hand) == 1:
            return options.discards[0].tile
        return DiscardWeighing(view, options).discard()[0]


def _costs_nothing(view: View, options: Options) -> bool:
    """Whether the discard that costs least has no fine."""
    tile, _ = DiscardWeighing(view, options).discard()
    return not any(d.points for d in options.discards if d.tile == tile)


def _holds(view: View, hand: int, options: Options, opening: Meld) -> bool:
    """Whether to keep an opening for a turn and throw a tile that costs no fine."""
    public = view.public
    tile, outs = DiscardWeighing(view, options).discard()
    if tile == OKEY or any(d.points for d in options.discards if d.tile == tile):
        return False
    rest = hand - BITS_OF[tile]
    left = size_of_bits(rest) - best_value_bits(rest, public.setup.okey, Objective.TILES)
    others = sum(
        opened is not None for seat, opened in enumerate(public.opened) if seat != public.turn
    )
    draws = min(public.stock_count // public.players, _DRAWS)
    first = W.hold_pairs if len(opening.pieces[0]) == 2 else W.hold_melds
    facts = (1, left, draws, others, count_bits(hand, OKEY), outs)
    weights = weights_of(public.setup.rules)
    return sum(w * x for w, x in zip(weights[first : first + 6], facts, strict=True)) > 0
