"""The bot ``neural``: what it lays down or throws is what two small networks expect to cost least.

One network is for the time before its opening and one for after it. They were trained on what
followed each choice of ``master`` in true deals (``scripts/train_neural.py``). Their weights are
whole numbers, and so is all that is reckoned: the bot chooses the same on any machine, and needs
nothing but Python. Its compiled twin is ``okey101.kernel.neural``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul
from struct import Struct
from typing import Final, NamedTuple

from okey101.bots.greedy import GreedyBot, greedily
from okey101.bots.lay_plans import (
    opening_to_finish,
    spares_partner,
)
from okey101.bots.master import DiscardWeighing, Weighed, to_runs
from okey101.bots.tile_worth import kind_of, near_tiles
from okey101.bots.tools import ANNOUNCE, RETURN
from okey101.game import (
    Action,
    Back,
    Discard,
    Lay,
    Meld,
    Opened,
    Options,
    Phase,
    RuleSet,
    Swap,
    View,
)
from okey101.melds import AS, make_group
from okey101.solver import (
    Objective,
    best_value_bits,
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
from okey101.weights.neural import (
    CHOICE_SIZE,
    DISCARDS,
    DRAWN,
    FIRST,
    NET,
    POSITION_SIZE,
    SAMPLES,
    SECOND,
    C,
    P,
    nets_of,
    shuffled_by,
)

# The inputs of ``neural``'s networks, from a view: :mod:`okey101.weights.neural` names them.
#
# The compiled twin is :mod:`okey101.kernel.neural`; both work in whole numbers.

_POINT: Final = 1000
_MOST_COST: Final = 3000
_OKEYS: Final = 3 << 2 * OKEY
_ONES: Final = sum(1 << 2 * kind for kind in range(KINDS))
_FAR_STEP: Final = 3
_BITS: Final = tuple(
    sum(3 << 2 * kind for kind in range(KINDS) if kind % 13 + 1 >> bit & 1) for bit in range(4)
)
"""The kinds whose number has a bit."""


class Choice(NamedTuple):
    """An action, and what the network is told of it."""

    action: Action
    inputs: list[int]


class NeuralInputs(DiscardWeighing):
    """A hand that may throw a tile, and what the seat could lay down instead, if anything."""

    def __init__(
        self, view: View, options: Options, laid: Action | None, *, finish: Action | None = None
    ) -> None:
        super().__init__(view, options)
        self._laid = laid
        self.finish = finish
        """What would finish at the partner's cost: laid only where a discard has a fine."""

    def fined(self, action: Action) -> bool:
        """Whether an action is a discard that is fined (P1, P2)."""
        return isinstance(action, Discard) and self._fines[int(action.tile)] > 0

    def position(self) -> list[int]:
        """The inputs of the position."""
        public, hand, okey = self._public, self._hand, self._okey
        found = [0] * POSITION_SIZE
        players, stock = public.players, public.stock_count
        found[P.draws + min(5, stock // players)] = 1
        found[P.odd] = stock % players
        found[P.unseen] = self._total
        sizes = []
        for step in range(1, players):
            other = (public.turn + step) % players
            how, place = public.opened[other], P.others + 3 * (step - 1)
            found[place] = int(how is Opened.MELDS)
            found[place + 1] = int(how is Opened.PAIRS)
            found[place + 2] = public.sizes[other]
            if how is not None:
                sizes.append(public.sizes[other])
        found[P.opened] = len(sizes)
        found[P.least] = min([22, *sizes])
        found[P.unseen_okeys] = count_bits(self._unseen, OKEY)
        found[P.okeys] = count_bits(hand, OKEY)
        found[P.need] = self._need
        found[P.need_pairs] = self._need_pairs
        found[P.points] = self._points
        found[P.size] = size_of_bits(hand)
        found[P.melded] = best_value_bits(hand, okey, Objective.TILES)
        found[P.pairs] = best_value_bits(hand, okey, Objective.PAIRS)
        held = self._held
        found[P.singles] = (held & ~(held >> 1) & _ONES).bit_count()
        found[P.groups] = len(public.table)
        found[P.playable] = public.playable.bit_count()
        found[P.numbers] = _numbers(self._held)
        laid = self._laid
        found[P.lays] = int(laid is not None)
        opens = self._opened is None and isinstance(laid, Meld)
        found[P.by_pairs] = int(opens and len(laid.pieces[0]) == 2)  # type: ignore[union-attr]
        found[P.paired] = int(self._opened is Opened.PAIRS)
        found[P.riziko] = int(okey is None)
        found[P.new_opening] = int(public.new_opening)
        return found

    def choices(self) -> list[Choice]:
        """To lay down, if the seat can, and the discards that cost ``master`` least."""
        tiles = distinct_bits(self._hand & ~_OKEYS)
        noted = sorted(self.weighed(tiles), key=lambda note: note.cost)
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
        noted: Sequence[Weighed],
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
                    inputs[C.soon_gain + part] += now - was
                    inputs[C.soon + part] += now >= need
                    inputs[C.soon_pairs + part] += pairs

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
        noted: Sequence[Weighed],
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
                    inputs[C.soon_gain + part] += held

    # --- what the network is told of a choice

    def _of_rest(self, rest: int, found: list[int]) -> None:
        playable, kinds = self._public.playable, natural_bits(rest, self._okey)
        found[C.left] = _numbers(kinds)
        found[C.left + 1] = size_of_bits(rest)
        found[C.fits] = sum(playable >> kind & 1 for kind in distinct_bits(kinds))
        found[C.left_okeys] = count_bits(rest, OKEY)

    def _of_laying(self, laid: Action) -> list[int]:
        okey, rest = self._okey, self._hand
        found = [0] * CHOICE_SIZE
        found[C.lay] = 1
        if isinstance(laid, Lay):
            rest -= BITS_OF[OKEY if laid.piece >= AS else laid.piece]
            found[C.laid] = 1
        elif isinstance(laid, Meld):
            for pieces in laid.pieces:
                for piece in pieces:
                    rest -= BITS_OF[OKEY if piece >= AS else piece]
                found[C.laid] += len(pieces)
                if len(pieces) > 2:
                    found[C.laid + 1] += make_group(pieces, okey).points
        self._of_rest(rest, found)
        found[C.value] = best_value_bits(rest, okey)
        found[C.tiles] = best_value_bits(rest, okey, Objective.TILES)
        return found

    def _of_discard(self, note: Weighed, dearer: int) -> list[int]:
        tile, okey = note.tile, self._okey
        found = [0] * CHOICE_SIZE
        found[C.cost] = dearer
        if self._opened is not None:
            note.value = self.value_without(tile)
        else:
            found[C.lack] = max(0, self._need - note.value)
            if note.lacking < 3:
                found[C.pairs + note.lacking] = 1
        found[C.value] = note.value
        found[C.outs] = note.outs
        found[C.gain] = note.gain
        found[C.near_outs] = note.nearly
        found[C.far_outs] = note.farther
        found[C.tiles] = note.melded
        found[C.near] = note.near
        loose = self._loose
        found[C.loose] = int(count_bits(loose, tile) > 0)
        found[C.pair_outs] = note.pair_outs
        found[C.double] = int(count_bits(self._hand, tile) == 2)
        found[C.feed] = note.fed
        found[C.fine] = self._fines[tile]
        found[C.broken] = self._points - note.value
        self._of_rest(self._hand - BITS_OF[tile], found)
        kind = kind_of(tile, okey)
        if kind < KINDS:
            self._around(kind, found)
            self._thrown_by_next(kind, found)
        self._hopes(loose - BITS_OF[tile] if found[C.loose] else loose, found)
        return found

    def _around(self, kind: int, found: list[int]) -> None:
        """What lies around a tile: in the hand, unseen, and on the table."""
        held, mine, unseen, playable = self._held, self._mine, self._kinds, self._public.playable
        number = kind % 13
        found[C.number] = number + 1
        found[C.alike] = unseen >> 2 * kind & 3
        for wide, step in enumerate((-3, -2, -1, 1, 2, 3)):
            if not 0 <= number + step <= 12:
                continue
            other = kind + step
            found[C.own + wide] = held >> 2 * other & 3
            if -_FAR_STEP < step < _FAR_STEP:
                found[C.own_unseen + wide - 1] = unseen >> 2 * other & 3
                found[C.own_loose + wide - 1] = int(mine >> 2 * other & 3 > 0)
                found[C.runs + (0 if -2 < step < 2 else 1)] += playable >> other & 1
        for other in range(number, KINDS, 13):
            if other == kind:
                continue
            count = held >> 2 * other & 3
            found[C.same] += int(count > 0)
            found[C.same + 1] += int(count > 1)
            found[C.same_unseen] += unseen >> 2 * other & 3
            found[C.same_loose] += int(mine >> 2 * other & 3 > 0)
            found[C.sets] += playable >> other & 1

    def _thrown_by_next(self, kind: int, found: list[int]) -> None:
        """What the next player threw of the like."""
        for tile in self._public.discards[self._next]:
            other = kind_of(tile, self._okey)
            if other >= KINDS:
                continue
            if other == kind:
                found[C.threw] += 1
            elif other % 13 == kind % 13:
                found[C.threw + 1] += 1
            elif other // 13 == kind // 13 and -_FAR_STEP < other - kind < _FAR_STEP:
                found[C.threw + 2] += 1

    def _hopes(self, loose: int, found: list[int]) -> None:
        """What the loose tiles of the rest are good for."""
        mine, unseen, playable = natural_bits(loose, self._okey), self._kinds, self._public.playable
        found[C.hope + 2] = _numbers(mine)
        for kind in distinct_bits(mine):
            near = near_tiles(kind, mine, unseen)
            found[C.hope] += near
            found[C.hope + 1] += not near
            found[C.rest_runs] += to_runs(playable, kind)


def _numbers(kinds: int) -> int:
    """The numbers of kinds, packed, added up."""
    return sum(size_of_bits(kinds & mask) << bit for bit, mask in enumerate(_BITS))


class NeuralBot(GreedyBot):
    """Plays the course of ``greedy``'s turn, and asks a network where there is a choice."""

    name = "neural"

    def choose(self, view: View, options: Options) -> Action:
        """What has to be done, or the choice that is expected to cost least."""
        inputs = self.weighed(view, options)
        if not isinstance(inputs, NeuralInputs):
            return inputs
        choices = inputs.choices()
        net = networks_of(view.public.rules)[view.public.opened[view.public.turn] is not None]
        costs = net.costs(inputs.position(), (choice.inputs for choice in choices))
        best = choices[costs.index(min(costs))].action
        return inputs.finish if inputs.finish is not None and inputs.fined(best) else best

    def weighed(self, view: View, options: Options) -> Action | NeuralInputs:
        """What has to be done, or what the networks are told where there is a choice."""
        public, hand = view.public, view.hand or 0
        if public.phase is not Phase.PLAY:
            return self._begin(view, hand, options)
        if options.announce:
            return ANNOUNCE
        unopened = public.opened[public.turn] is None
        laid, ends = _opening(view, options) if unopened else greedily(view, options)
        spares = False
        if laid is not None:
            duty = public.taken is not None if unopened else public.taken_waits
            last = public.stock_count < public.players
            spares = ends and not duty and size_of_bits(hand) > 1 and spares_partner(public)
            if not spares and (
                duty or ends or last or public.must_finish or isinstance(laid, Swap)
            ):
                return laid
        elif options.return_:
            return RETURN
        elif not options.discards:
            return next(a for a in options.actions() if not isinstance(a, Back))
        elif size_of_bits(hand) == 1:
            return Discard(options.discards[0].tile)
        if hand in (BITS_OF[OKEY], 2 * BITS_OF[OKEY]):
            return laid or Discard(options.discards[0].tile)
        if spares:
            return NeuralInputs(view, options, None, finish=laid)
        return NeuralInputs(view, options, laid)


def _opening(view: View, options: Options) -> tuple[Action | None, bool]:
    """An opening to lay now, and whether the hand can finish with it."""
    if options.opening is None and options.opening_pairs is None:
        return None, False
    finishing = opening_to_finish(view.public, view.hand or 0)
    return finishing or options.opening or options.opening_pairs, finishing is not None


_LANE: Final = 64
"""Bits of a weight in a packed row."""
_ZERO: Final = 1 << _LANE - 2
"""What is added to a sum before it is read, so that none is below 0; all are far nearer to it."""
_FIRST_ZEROS: Final = sum(_ZERO << _LANE * unit for unit in range(FIRST))
_SECOND_ZEROS: Final = sum(_ZERO << _LANE * unit for unit in range(SECOND))
_FIRST_SUMS: Final = Struct(f"<{FIRST}q")
_SECOND_SUMS: Final = Struct(f"<{SECOND}q")


def _packed(row: Iterable[int]) -> int:
    """A row of weights as one integer, so that one product multiplies them all."""
    return sum(factor << _LANE * unit for unit, factor in enumerate(row))


class Network:
    """Weights by what they are multiplied with, packed by rows, and the sums."""

    def __init__(self, net: Sequence[int]) -> None:
        a, b = POSITION_SIZE, CHOICE_SIZE
        rows = [net[at : at + FIRST] for at in range(0, (a + b + 1 + SECOND) * FIRST, FIRST)]
        packed = [_packed(row) for row in rows[: a + b + 1]]
        self._position, self._choice, self._bias = packed[:a], packed[a : a + b], packed[a + b]
        self._second = [_packed(column) for column in zip(*rows[a + b + 1 :], strict=True)]
        rest = net[len(rows) * FIRST :]
        self._second_bias, self._last = _packed(rest[:SECOND]), rest[SECOND : 2 * SECOND]
        self._linear = rest[2 * SECOND :]

    def costs(self, position: Sequence[int], choices: Iterable[Sequence[int]]) -> list[int]:
        """What each choice is expected to cost more than others, in 2**20ths of a point."""
        begin = self._bias + sum(map(mul, position, self._position))
        return [self._cost(begin, inputs) for inputs in choices]

    def _cost(self, begin: int, inputs: Sequence[int]) -> int:
        total = begin + sum(map(mul, inputs, self._choice)) + _FIRST_ZEROS
        first = _FIRST_SUMS.unpack(total.to_bytes(_FIRST_SUMS.size, "little"))
        total = self._second_bias + _SECOND_ZEROS
        for x, row in zip(first, self._second, strict=True):
            if x > _ZERO:
                total += (x - _ZERO >> 6) * row
        second = _SECOND_SUMS.unpack(total.to_bytes(_SECOND_SUMS.size, "little"))
        found: int = sum(map(mul, inputs, self._linear))
        for x, last in zip(second, self._last, strict=True):
            if x > _ZERO:
                found += (x - _ZERO >> 12) * last
        return found


@lru_cache(16)
def networks_of(rules: RuleSet) -> tuple[Network, Network]:
    """The networks for a rule set: before the opening, and after it."""
    found = nets_of(rules)
    return Network(found[:NET]), Network(found[NET:])
