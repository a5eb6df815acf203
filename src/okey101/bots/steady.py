"""The bot ``steady``: counts what may come, and plays for the deal rather than for the moment."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from okey101.bots.base import decision_rng
from okey101.bots.greedy import TurnBot, useless_tile
from okey101.bots.lay_plans import Spot, finish_plan, opening_to_finish
from okey101.bots.tile_worth import (
    completions,
    feeding_cost,
    kind_of,
    near_melds,
    number_of,
    partners,
)
from okey101.bots.tools import best_melds, can_use, may_lay_off, needed_points
from okey101.game import Action, Opened, Options, Public, RuleSet, View
from okey101.solver import Objective, arrange_bits, best_value_bits, count_pairs_bits
from okey101.tiles import (
    BITS_OF,
    KINDS,
    OKEY,
    count_bits,
    distinct_bits,
    size_of_bits,
    tiles_of_bits,
)

# How likely a hand that hasn't opened is to open in time, counted over draws that may come.

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


# What will be left of an opened hand, counted over draws that may come.

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


# When it pays to keep what could be laid: an okey before a finish, a whole hand for one turn.

_DOUBLED = 101.0
"""What a finish of the whole hand brings beyond a plain one."""
_DELAY = 9.0
"""What opening a turn later costs on average."""
_FINISH = 110.0
"""What a finish is worth against ending with a few tiles."""


class Hold(NamedTuple):
    """A tile to discard so that the rest may finish next turn, and how likely it does."""

    discard: int
    chance: float


def hold_whole_hand(view: View, hand: int) -> Hold | None:
    """Hold the hand back where the next draw may well end the deal in one turn, doubled (R7)."""
    public = view.public
    size = size_of_bits(hand)
    if any(public.opened) or public.setup.rules.rising or public.taken is not None:
        return None
    if draws_left(public.stock_count, public.players) < 2:
        return None
    okey = public.setup.okey
    found = arrange_bits(hand, okey, Objective.TILES, keep=1)
    if found is None or found.tiles < size - 3:
        return None
    best = Hold(0, 0.0)
    for tile in distinct_bits(found.left_bits & ~(3 << 2 * OKEY)):
        chance = _whole_next(hand - BITS_OF[tile], view.unseen, okey, size)
        if chance > best.chance:
            best = Hold(tile, chance)
    return best if best.chance * _DOUBLED > _DELAY else None


def _whole_next(hand: int, unseen: int, okey: int | None, size: int) -> float:
    """How likely the next draw makes melds of all tiles but one."""
    good = sum(
        count_bits(unseen, tile)
        for tile in distinct_bits(unseen)
        if best_value_bits(hand + BITS_OF[tile], okey, Objective.TILES) >= size - 1
    )
    return good / max(1, size_of_bits(unseen))


def hold_okey(view: View, hand: int) -> Hold | None:
    """Hold the okey back where it makes the last two tiles far likelier to finish next turn."""
    public = view.public
    others = hand & ~(3 << 2 * OKEY)
    if count_bits(hand, OKEY) != 1 or size_of_bits(hand) != 3 or public.must_finish:
        return None
    if draws_left(public.stock_count, public.players) < 1:
        return None
    best = None
    for tile in distinct_bits(others):
        kept = others - BITS_OF[tile]
        without = _finish_next(public, kept, view.unseen)
        chance = _finish_next(public, kept + BITS_OF[OKEY], view.unseen)
        pays = (chance - without) * _FINISH > 101 * _ends_before(public)
        if pays and (best is None or chance > best.chance):
            best = Hold(tile, chance)
    return best


def _finish_next(public: Public, hand: int, unseen: int) -> float:
    spot = Spot.of(public, hand, later=True)
    good = sum(
        count_bits(unseen, tile)
        for tile in distinct_bits(unseen)
        if finish_plan(spot._replace(hand=hand + BITS_OF[tile])) is not None
    )
    return good / max(1, size_of_bits(unseen))


def _ends_before(public: Public) -> float:
    """A rough chance that another player finishes before one's next turn."""
    goes_on = 1.0
    for seat, opened in enumerate(public.opened):
        if seat != public.turn and opened is not None:
            size = public.sizes[seat]
            goes_on *= 0.72 if size <= 2 else 0.87 if size <= 4 else 0.96
    return 1 - goes_on


_CANDIDATES = 6
"""How many other discards are weighed against the plain one."""
_HARM = 8.0
"""What the next player's use of a discard costs by itself: he opens, or gets nearer to the end."""
_CLEARLY = 1.5
"""By how many points a discard has to be better than the plain one."""
_LIGHTER = 0.2
"""How much of a tile's number a discard saves before opening: some hands never count it."""


class SteadyBot(TurnBot):
    """Weighs every discard over the draws that may come, its fines, and what it gives away."""

    name = "steady"
    _sees = Outlook
    _remains = staticmethod(expected_remains)
    _finishing = staticmethod(opening_to_finish)

    def _takes(self, view: View, hand: int, options: Options) -> bool:
        public = view.public
        tile = public.discards[public.previous][-1]
        with_it = hand + BITS_OF[tile]
        if not can_use(public, with_it, tile):
            return False
        if public.opened[public.turn] is not None:
            return True
        melds = best_melds(public, with_it, tile)
        if melds is not None and melds.points >= needed_points(public):
            return True
        return not self._waits(view, hand, options)

    def _outlook(self, view: View, options: Options) -> Outlook:
        public = view.public
        return self._sees(
            view.unseen,
            draws_left(public.stock_count, public.players),
            public.setup.okey,
            (options.need_points, options.need_pairs),
            _worth(public.setup.rules),
            decision_rng(self._seed, view),
        )

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        public = view.public
        if options.opening is None and options.opening_pairs is None:
            return None
        finish = self._finishing(public, hand)
        if finish is not None:
            return finish
        if options.opening is not None:
            return None if hold_whole_hand(view, hand) is not None else options.opening
        if public.taken is None and self._waits(view, hand, options):
            return None
        return options.opening_pairs

    def _waits(self, view: View, hand: int, options: Options) -> bool:
        """Whether to keep pairs that could open, in the hope of opening with melds."""
        public = view.public
        worth = _worth(public.setup.rules)
        if draws_left(public.stock_count, public.players) < 1:
            return False
        others = [o for s, o in enumerate(public.opened) if s != public.turn]
        if all(o is Opened.PAIRS for o in others):
            return False
        chance = self._outlook(view, options).opens(hand, 60)
        waiting = chance * worth.melds + (1 - chance) * worth.pairs * 0.85
        return waiting > worth.pairs + 5

    def _holds(self, view: View, hand: int) -> bool:
        return hold_okey(view, hand) is not None

    def _discard(self, view: View, hand: int, options: Options) -> int:
        public = view.public
        if size_of_bits(hand) == 1:
            return options.discards[0].tile
        fines = {int(d.tile): d.points for d in options.discards}
        if _sheds_okey(public, hand):
            return OKEY
        if public.opened[public.turn] is None:
            hold = hold_whole_hand(view, hand) if options.can_open else None
            return self._unopened(view, hand, options, fines) if hold is None else hold.discard
        hold = hold_okey(view, hand)
        return self._opened(view, hand, fines) if hold is None else hold.discard

    def _unopened(self, view: View, hand: int, options: Options, fines: dict[int, int]) -> int:
        """Greedy's discard, unless another one is clearly better by the draws that may come."""
        public, okey, unseen = view.public, view.public.setup.okey, view.unseen
        feeding = {tile: feeding_cost(public, tile, unseen, _HARM) for tile in fines}
        if not draws_left(public.stock_count, public.players):
            return min(fines, key=lambda t: (fines[t] + feeding[t], -number_of(t, okey)))
        base = useless_tile(view, options)
        pairs = options.best_pairs >= 3

        def rank(tile: int) -> tuple[bool, int, int]:
            near = near_melds(tile, hand, unseen, okey)
            if pairs and count_bits(hand, tile) == 2:
                near += 4
            return tile == OKEY, fines[tile] * 10 + near, -number_of(tile, okey)

        others = [tile for tile in sorted(fines, key=rank) if tile != base][:_CANDIDATES]
        advantages = self._outlook(view, options).advantages(hand, base, others)

        def better(tile: int) -> float:
            if tile == base:
                return _CLEARLY
            advantage = advantages[tile]
            lighter = _LIGHTER * (number_of(tile, okey) - number_of(base, okey))
            saved = fines[base] + feeding[base] - fines[tile] - feeding[tile]
            return advantage.mean - advantage.error + lighter + saved

        return max([base, *others], key=better)

    def _opened(self, view: View, hand: int, fines: dict[int, int]) -> int:
        """The discard after which least is expected to stay in the hand."""
        public, okey, unseen = view.public, view.public.setup.okey, view.unseen
        opened = public.opened[public.turn] or Opened.MELDS
        remains = self._remains(
            hand,
            list(fines),
            unseen,
            public.playable if may_lay_off(public, opened, opening=False) else 0,
            draws_left(public.stock_count, public.players),
            okey,
            pairs=opened is Opened.PAIRS,
            rng=decision_rng(self._seed, view),
        )

        def cost(tile: int) -> float:
            return fines[tile] + feeding_cost(public, tile, unseen, _HARM) + remains[tile]

        return min(fines, key=cost)


def _worth(rules: RuleSet) -> Worth:
    """What opening is worth: the flat 202 saved, less where most deals are void (E3)."""
    if rules.empty_stock == "void_but_okeys":
        return Worth(90.0, 70.0)
    return Worth(205.0, 140.0)


def _sheds_okey(public: Public, hand: int) -> bool:
    """Whether to throw an okey, as the deal is about to be void but for okeys held (E3, R4)."""
    okeys = count_bits(hand, OKEY)
    rules = public.setup.rules
    if not okeys or rules.empty_stock != "void_but_okeys" or not rules.okey_in_hand_fine:
        return False
    after = (public.turn + 1) % public.players
    finishes = public.opened[after] is not None and public.sizes[after] <= 2
    return draws_left(public.stock_count, public.players) < okeys and not finishes
