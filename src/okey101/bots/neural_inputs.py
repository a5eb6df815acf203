"""The inputs of ``neural``'s networks, from a view: :mod:`okey101.neural_inputs` names them.

The compiled twin is :mod:`okey101.kernel.neural_inputs`; both work in whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from okey101.bots.master_discards import beside, most_melded, partners_of, to_runs
from okey101.bots.meld_potential import kind_of, partners
from okey101.game.actions import Action, Discard, Lay, Meld
from okey101.game.bot_tools import needed_pairs, needed_points
from okey101.game.deal import Opened
from okey101.game.options import Options
from okey101.game.view import View
from okey101.master_weights import STAGES, at, weights_of
from okey101.melds import AS, make_group
from okey101.neural_inputs import (
    DISCARDS,
    DRAWN,
    FAR,
    NEAR_OUTS,
    SAMPLES,
    at_choice,
    at_position,
    shuffled_by,
)
from okey101.solver import (
    Objective,
    arrange_bits,
    best_value_bits,
    reaches_bits,
    values_without_bits,
)
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    KINDS,
    OKEY,
    TILES,
    count_bits,
    distinct_bits,
    natural_bits,
    size_of_bits,
)

__all__ = ["Choice", "NeuralInputs"]

_POINT: Final = 1000
_MOST_COST: Final = 3000
_OKEYS: Final = 3 << 2 * OKEY
_ONES: Final = sum(1 << 2 * kind for kind in range(KINDS))
_FAR_STEP: Final = 3
_BITS: Final = tuple(
    sum(3 << 2 * kind for kind in range(KINDS) if kind % 13 + 1 >> bit & 1) for bit in range(4)
)
"""The kinds whose number has a bit."""
_W_LACK: Final = at("lack")
_W_OUTS: Final = at("outs")
_W_GAIN: Final = at("gain")
_W_TILES: Final = at("tiles")
_W_NUMBER: Final = at("number")
_W_NEAR: Final = at("near")
_W_PAIRS: Final = at("pairs")
_W_PAIR_OUTS: Final = at("pair_outs")
_W_DOUBLE: Final = at("double")
_W_FEED: Final = at("feed")
_W_OPEN_NUMBER: Final = at("open_number")
_W_OPEN_NEAR: Final = at("open_near")
_W_OPEN_RUNS: Final = at("open_runs")
_W_OPEN_MELDS: Final = at("open_melds")
_W_PAIRS_NUMBER: Final = at("pairs_number")
_W_PAIRS_UNSEEN: Final = at("pairs_unseen")
_W_OPEN_FEED: Final = at("open_feed")
_C_LAY: Final = at_choice("lay")
_C_COST: Final = at_choice("cost")
_C_LACK: Final = at_choice("lack")
_C_VALUE: Final = at_choice("value")
_C_OUTS: Final = at_choice("outs")
_C_GAIN: Final = at_choice("gain")
_C_NEAR_OUTS: Final = at_choice("near_outs")
_C_FAR_OUTS: Final = at_choice("far_outs")
_C_TILES: Final = at_choice("tiles")
_C_NUMBER: Final = at_choice("number")
_C_NEAR: Final = at_choice("near")
_C_LOOSE: Final = at_choice("loose")
_C_PAIRS: Final = at_choice("pairs")
_C_PAIR_OUTS: Final = at_choice("pair_outs")
_C_DOUBLE: Final = at_choice("double")
_C_FEED: Final = at_choice("feed")
_C_FINE: Final = at_choice("fine")
_C_ALIKE: Final = at_choice("alike")
_C_OWN: Final = at_choice("own")
_C_OWN_UNSEEN: Final = at_choice("own_unseen")
_C_SAME: Final = at_choice("same")
_C_SAME_UNSEEN: Final = at_choice("same_unseen")
_C_OWN_LOOSE: Final = at_choice("own_loose")
_C_SAME_LOOSE: Final = at_choice("same_loose")
_C_RUNS: Final = at_choice("runs")
_C_SETS: Final = at_choice("sets")
_C_THREW: Final = at_choice("threw")
_C_HOPE: Final = at_choice("hope")
_C_LEFT: Final = at_choice("left")
_C_FITS: Final = at_choice("fits")
_C_REST_RUNS: Final = at_choice("rest_runs")
_C_BROKEN: Final = at_choice("broken")
_C_LEFT_OKEYS: Final = at_choice("left_okeys")
_C_LAID: Final = at_choice("laid")
_C_SOON: Final = at_choice("soon")
_C_SOON_GAIN: Final = at_choice("soon_gain")
_C_SOON_PAIRS: Final = at_choice("soon_pairs")


class Choice(NamedTuple):
    """An action, and what the network is told of it."""

    action: Action
    inputs: list[int]


class _Noted:
    """What a discard is weighed by."""

    __slots__ = (
        "cost", "farther", "fed", "gain", "lacking", "melded", "near", "nearly", "outs",
        "pair_outs", "tile", "value",
    )  # fmt: skip

    def __init__(self, tile: int, value: int) -> None:
        self.tile = tile
        self.value = value
        self.cost = self.outs = self.gain = self.nearly = self.farther = 0
        self.melded = self.near = self.fed = self.lacking = self.pair_outs = 0


class NeuralInputs:
    """A hand that may throw a tile, and what the seat could lay down instead, if anything."""

    def __init__(
        self, view: View, options: Options, laid: Action | None, *, finish: Action | None = None
    ) -> None:
        public = view.public
        self._public = public
        self._hand = hand = view.hand or 0
        self._okey = okey = public.setup.okey
        self._rules = public.setup.rules
        self._seat = public.turn
        self._next = (public.turn + 1) % public.players
        self._unseen = view.unseen
        self._kinds = natural_bits(view.unseen, okey)
        self._total = max(1, size_of_bits(view.unseen))
        self._stage = min(public.stock_count // public.players, STAGES - 1)
        self._weights = weights_of(public.setup.rules)
        self._fines = {int(d.tile): d.points for d in options.discards}
        self._opened = public.opened[public.turn]
        self._held = natural_bits(hand, okey)
        found = arrange_bits(hand, okey)
        self._loose = hand if found is None else found.left_bits
        self._mine = natural_bits(self._loose, okey)
        self._points = 0 if found is None else found.points
        self._need = needed_points(public)
        self._need_pairs = needed_pairs(public)
        self._laid = laid
        self.finish = finish
        """What would finish at the partner's cost: laid only where a discard has a fine."""

    def fined(self, action: Action) -> bool:
        """Whether an action is a discard that is fined (P1, P2)."""
        return isinstance(action, Discard) and self._fines[int(action.tile)] > 0

    def position(self) -> list[int]:
        """The inputs of the position."""
        public, hand, okey = self._public, self._hand, self._okey
        found = [0] * at_position("")
        players, stock = public.players, public.stock_count
        found[at_position("draws") + min(5, stock // players)] = 1
        found[at_position("odd")] = stock % players
        found[at_position("unseen")] = self._total
        sizes = []
        for step in range(1, players):
            other = (self._seat + step) % players
            how, place = public.opened[other], at_position("others") + 3 * (step - 1)
            found[place] = int(how is Opened.MELDS)
            found[place + 1] = int(how is Opened.PAIRS)
            found[place + 2] = public.sizes[other]
            if how is not None:
                sizes.append(public.sizes[other])
        found[at_position("opened")] = len(sizes)
        found[at_position("least")] = min([22, *sizes])
        found[at_position("unseen_okeys")] = count_bits(self._unseen, OKEY)
        found[at_position("okeys")] = count_bits(hand, OKEY)
        found[at_position("need")] = self._need
        found[at_position("need_pairs")] = self._need_pairs
        found[at_position("points")] = self._points
        found[at_position("size")] = size_of_bits(hand)
        found[at_position("melded")] = best_value_bits(hand, okey, Objective.TILES)
        found[at_position("pairs")] = best_value_bits(hand, okey, Objective.PAIRS)
        held = self._held
        found[at_position("singles")] = (held & ~(held >> 1) & _ONES).bit_count()
        found[at_position("groups")] = len(public.table)
        found[at_position("playable")] = public.playable.bit_count()
        found[at_position("numbers")] = _numbers(self._held)
        laid = self._laid
        found[at_position("lays")] = int(laid is not None)
        opens = self._opened is None and isinstance(laid, Meld)
        found[at_position("by_pairs")] = int(opens and len(laid.groups[0]) == 2)  # type: ignore[union-attr]
        found[at_position("paired")] = int(self._opened is Opened.PAIRS)
        found[at_position("riziko")] = int(okey is None)
        found[at_position("new_opening")] = int(public.new_opening)
        return found

    def choices(self) -> list[Choice]:
        """To lay down, if the seat can, and the discards that cost ``master`` least."""
        tiles = distinct_bits(self._hand & ~_OKEYS)
        noted = self._closed(tiles) if self._opened is None else self._opened_costs(tiles)
        noted.sort(key=lambda note: note.cost)
        found = [] if self._laid is None else [Choice(self._laid, self._of_laying(self._laid))]
        samples: list[tuple[int, int]] = []
        draws = self._public.stock_count >= self._public.players
        if draws and self._opened is not Opened.PAIRS:
            samples = self._samples()
        best = noted[:DISCARDS]
        told = [
            self._of_discard(note, min(_MOST_COST, (note.cost - best[0].cost) // 100))
            for note in best
        ]
        if samples and self._opened is None:
            self._of_samples(best, samples, told)
        elif samples:
            self._of_samples_opened(best, samples, told)
        found += [Choice(Discard(TILES[n.tile]), i) for n, i in zip(best, told, strict=True)]
        return found

    def _samples(self) -> list[tuple[int, int]]:
        """What may be drawn, as packed racks: some tiles, and as many more with them."""
        okey = self._okey
        pool = [
            FALSE_JOKER if kind == okey else kind
            for kind in range(KINDS)
            for _ in range(self._kinds >> 2 * kind & 3)
        ]
        pool += [OKEY] * count_bits(self._unseen, OKEY)
        found: list[tuple[int, int]] = []
        state = 1
        while len(pool) >= DRAWN:
            for place in range(len(pool) - 1, 0, -1):
                state = shuffled_by(state)
                other = (state >> 8) % (place + 1)
                pool[place], pool[other] = pool[other], pool[place]
            for start in range(0, len(pool) - DRAWN + 1, DRAWN):
                half = sum(BITS_OF[tile] for tile in pool[start : start + DRAWN // 2])
                rest = sum(BITS_OF[tile] for tile in pool[start + DRAWN // 2 : start + DRAWN])
                found.append((half, half + rest))
                if len(found) == SAMPLES:
                    return found
        return found

    def _of_samples(
        self,
        noted: Sequence[_Noted],
        samples: Sequence[tuple[int, int]],
        told: Sequence[list[int]],
    ) -> None:
        """What the rest comes to with several tiles more, before the opening."""
        hand, okey, need = self._hand, self._okey, self._need
        tiles = [note.tile for note in noted]
        before = [min(need, note.value) for note in noted]
        for sample in samples:
            points = before[:]
            for part, drawn in enumerate(sample):
                more = hand + drawn
                short = [place for place, now in enumerate(points) if now < need]
                if short:
                    _, values = values_without_bits(
                        more, okey, [tiles[place] for place in short],
                        [points[place] for place in short], enough=need,
                    )  # fmt: skip
                    for place, value in zip(short, values, strict=True):
                        points[place] = min(need, value)
                paired = self._paired_without(more, tiles)
                for inputs, now, was, pairs in zip(told, points, before, paired, strict=True):
                    inputs[_C_SOON_GAIN + part] += now - was
                    inputs[_C_SOON + part] += now >= need
                    inputs[_C_SOON_PAIRS + part] += pairs

    def _paired_without(self, hand: int, tiles: Sequence[int]) -> list[bool]:
        """Whether a hand opens with pairs without each tile: it has one pair less at most."""
        okey, need = self._okey, self._need_pairs
        over = best_value_bits(hand, okey, Objective.PAIRS) - need
        if over:
            return [over > 0] * len(tiles)
        return [
            best_value_bits(hand - BITS_OF[tile], okey, Objective.PAIRS) >= need for tile in tiles
        ]

    def _of_samples_opened(
        self,
        noted: Sequence[_Noted],
        samples: Sequence[tuple[int, int]],
        told: Sequence[list[int]],
    ) -> None:
        """The same after the opening: how many tiles of the rest melds then hold."""
        hand, okey = self._hand, self._okey
        tiles = [note.tile for note in noted]
        for sample in samples:
            melded = [note.melded for note in noted]
            for part, drawn in enumerate(sample):
                _, melded = values_without_bits(hand + drawn, okey, tiles, melded, Objective.TILES)
                for inputs, held in zip(told, melded, strict=True):
                    inputs[_C_SOON_GAIN + part] += held

    # --- what master has discards cost

    def _closed(self, tiles: Sequence[int]) -> list[_Noted]:
        hand, okey, stage, weights, total = (
            self._hand, self._okey, self._stage, self._weights, self._total
        )  # fmt: skip
        found = [self._noted(tile) for tile in tiles]
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
            cost += weights[_W_LACK + stage] * max(0, self._need - note.value)
            cost -= weights[_W_OUTS + stage] * note.outs
            cost -= weights[_W_GAIN + stage] * note.gain
            cost -= weights[_W_TILES + stage] * note.melded
            kind = kind_of(tile, okey)
            if kind < KINDS:
                cost += weights[_W_NUMBER + stage] * (kind % 13 + 1)
                if count_bits(self._loose, tile):
                    note.near = _near(kind, self._mine, self._kinds)
                    cost += weights[_W_NEAR + stage] * note.near
                note.fed = self._fed(kind)
                cost += self._feeding(kind, note.fed, _W_FEED)
            lacking = max(0, self._need_pairs - best_value_bits(rest, okey, Objective.PAIRS))
            note.lacking = lacking
            cost += weights[_W_PAIRS + min(lacking, 3)]
            if stage and lacking <= 1:
                good = self._pairing(rest) if lacking else total
                note.pair_outs = good * 1024 // total
                cost -= weights[_W_PAIR_OUTS + stage] * note.pair_outs
            if count_bits(hand, tile) == 2:
                cost += weights[_W_DOUBLE] + (weights[_W_DOUBLE + 1] if lacking <= 2 else 0)
            note.cost = cost
        return found

    def _opened_costs(self, tiles: Sequence[int]) -> list[_Noted]:
        hand, okey, stage, weights = self._hand, self._okey, self._stage, self._weights
        found = []
        melded, spare = most_melded(hand, okey, self._loose)
        for tile in tiles:
            rest = hand - BITS_OF[tile]
            note = self._noted(tile)
            note.melded = melded
            if not count_bits(spare, tile):
                note.melded = best_value_bits(rest, okey, Objective.TILES)
            cost = self._fines[tile] * _POINT
            kind = kind_of(tile, okey)
            if kind < KINDS:
                number = kind % 13 + 1
                note.fed = self._fed(kind)
                cost += self._feeding(kind, note.fed, _W_OPEN_FEED)
                if count_bits(self._loose, tile):
                    note.near = _near(kind, self._mine, self._kinds)
                if self._opened is Opened.PAIRS:
                    cost -= weights[_W_PAIRS_NUMBER + stage] * number
                    cost += weights[_W_PAIRS_UNSEEN] * (self._kinds >> 2 * kind & 3)
                else:
                    cost -= weights[_W_OPEN_NUMBER + stage] * number
                    cost += weights[_W_OPEN_NEAR + stage] * note.near
                    cost += weights[_W_OPEN_RUNS + stage] * to_runs(self._public.playable, kind)
                    cost -= weights[_W_OPEN_MELDS + stage] * note.melded
            note.cost = cost
            found.append(note)
        return found

    def _noted(self, tile: int) -> _Noted:
        """A discard and what the rest is worth: all, where the tile is in no meld."""
        if count_bits(self._loose, tile):
            return _Noted(tile, self._points)
        return _Noted(tile, best_value_bits(self._hand - BITS_OF[tile], self._okey))

    def _look_ahead(self, noted: Sequence[_Noted]) -> None:
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
        singles = held & ~(held >> 1) & _ONES
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
        ways = sum((kinds >> a & 3) * (kinds >> b & 3) for a, b in partners_of(kind))
        return min(1024, ways * size * size * 1024 // (total * total))

    def _feeding(self, kind: int, ways: int, first: int) -> int:
        """What ``master`` has that cost."""
        how = self._public.opened[self._next]
        first += 0 if how is None else 2 if how is Opened.MELDS else 4
        fine = self._rules.taken_discard_fine * (kind % 13 + 1)
        return ways * (self._weights[first] + self._weights[first + 1] * fine) >> 6

    # --- what the network is told of a choice

    def _of_rest(self, rest: int, found: list[int]) -> None:
        playable, kinds = self._public.playable, natural_bits(rest, self._okey)
        found[_C_LEFT] = _numbers(kinds)
        found[_C_LEFT + 1] = size_of_bits(rest)
        found[_C_FITS] = sum(playable >> kind & 1 for kind in distinct_bits(kinds))
        found[_C_LEFT_OKEYS] = count_bits(rest, OKEY)

    def _of_laying(self, laid: Action) -> list[int]:
        okey, rest = self._okey, self._hand
        found = [0] * at_choice("")
        found[_C_LAY] = 1
        if isinstance(laid, Lay):
            rest -= BITS_OF[OKEY if laid.piece >= AS else laid.piece]
            found[_C_LAID] = 1
        elif isinstance(laid, Meld):
            for pieces in laid.groups:
                for piece in pieces:
                    rest -= BITS_OF[OKEY if piece >= AS else piece]
                found[_C_LAID] += len(pieces)
                if len(pieces) > 2:
                    found[_C_LAID + 1] += make_group(pieces, okey).points
        self._of_rest(rest, found)
        found[_C_VALUE] = best_value_bits(rest, okey)
        found[_C_TILES] = best_value_bits(rest, okey, Objective.TILES)
        return found

    def _of_discard(self, note: _Noted, dearer: int) -> list[int]:
        tile, okey = note.tile, self._okey
        found = [0] * at_choice("")
        found[_C_COST] = dearer
        if self._opened is None:
            found[_C_LACK] = max(0, self._need - note.value)
            if note.lacking < 3:
                found[_C_PAIRS + note.lacking] = 1
        found[_C_VALUE] = note.value
        found[_C_OUTS] = note.outs
        found[_C_GAIN] = note.gain
        found[_C_NEAR_OUTS] = note.nearly
        found[_C_FAR_OUTS] = note.farther
        found[_C_TILES] = note.melded
        found[_C_NEAR] = note.near
        loose = self._loose
        found[_C_LOOSE] = int(count_bits(loose, tile) > 0)
        found[_C_PAIR_OUTS] = note.pair_outs
        found[_C_DOUBLE] = int(count_bits(self._hand, tile) == 2)
        found[_C_FEED] = note.fed
        found[_C_FINE] = self._fines[tile]
        found[_C_BROKEN] = self._points - note.value
        self._of_rest(self._hand - BITS_OF[tile], found)
        kind = kind_of(tile, okey)
        if kind < KINDS:
            self._around(kind, found)
            self._thrown_by_next(kind, found)
        self._hopes(loose - BITS_OF[tile] if found[_C_LOOSE] else loose, found)
        return found

    def _around(self, kind: int, found: list[int]) -> None:
        """What lies around a tile: in the hand, unseen, and on the table."""
        held, mine, unseen, playable = self._held, self._mine, self._kinds, self._public.playable
        number = kind % 13
        found[_C_NUMBER] = number + 1
        found[_C_ALIKE] = unseen >> 2 * kind & 3
        for wide, step in enumerate((-3, -2, -1, 1, 2, 3)):
            if not 0 <= number + step <= 12:
                continue
            other = kind + step
            found[_C_OWN + wide] = held >> 2 * other & 3
            if -_FAR_STEP < step < _FAR_STEP:
                found[_C_OWN_UNSEEN + wide - 1] = unseen >> 2 * other & 3
                found[_C_OWN_LOOSE + wide - 1] = int(mine >> 2 * other & 3 > 0)
                found[_C_RUNS + (0 if -2 < step < 2 else 1)] += playable >> other & 1
        for other in range(number, KINDS, 13):
            if other == kind:
                continue
            count = held >> 2 * other & 3
            found[_C_SAME] += int(count > 0)
            found[_C_SAME + 1] += int(count > 1)
            found[_C_SAME_UNSEEN] += unseen >> 2 * other & 3
            found[_C_SAME_LOOSE] += int(mine >> 2 * other & 3 > 0)
            found[_C_SETS] += playable >> other & 1

    def _thrown_by_next(self, kind: int, found: list[int]) -> None:
        """What the next player threw of the like."""
        for tile in self._public.discards[self._next]:
            other = kind_of(tile, self._okey)
            if other >= KINDS:
                continue
            if other == kind:
                found[_C_THREW] += 1
            elif other % 13 == kind % 13:
                found[_C_THREW + 1] += 1
            elif other // 13 == kind // 13 and -_FAR_STEP < other - kind < _FAR_STEP:
                found[_C_THREW + 2] += 1

    def _hopes(self, loose: int, found: list[int]) -> None:
        """What the loose tiles of the rest are good for."""
        mine, unseen, playable = natural_bits(loose, self._okey), self._kinds, self._public.playable
        found[_C_HOPE + 2] = _numbers(mine)
        for kind in distinct_bits(mine):
            near = _near(kind, mine, unseen)
            found[_C_HOPE] += near
            found[_C_HOPE + 1] += not near
            found[_C_REST_RUNS] += to_runs(playable, kind)


def _near(kind: int, mine: int, unseen: int) -> int:
    """How many unseen tiles would make a meld of this loose tile and another loose one."""
    completing = 0
    for other, thirds in _halves(kind):
        if mine & other:
            completing |= thirds
    return size_of_bits(unseen & completing)


@cache
def _halves(kind: int) -> tuple[tuple[int, int], ...]:
    """The kinds that are half a meld with one, and those that complete it, as masks."""
    return tuple(
        (3 << 2 * other, sum(3 << 2 * third for third in thirds))
        for other, thirds in partners(kind)
    )


def _numbers(kinds: int) -> int:
    """The numbers of kinds, packed, added up."""
    return sum(size_of_bits(kinds & mask) << bit for bit, mask in enumerate(_BITS))
