"""The bot ``steady``: counts what may come, and plays for the deal rather than for the moment."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeVar

from okey101.bots.base import decision_rng
from okey101.bots.greedy import Turn, near_melds, number_of
from okey101.bots.tools import (
    ANNOUNCE,
    DRAW,
    INDICATOR,
    PASS,
    RETURN,
    TAKE,
    best_melds,
    can_use,
    may_lay_off,
    may_lay_pairs,
    needed_points,
)
from okey101.game import Action, Back, Discard, Opened, Options, Phase, Public, RuleSet, View
from okey101.kernel import layout as L, room as R
from okey101.kernel.codes import masks_of_bits
from okey101.kernel.plain import Rows, Tables
from okey101.kernel.steady import WHOLE, company_of, opening_gains, remains
from okey101.solver import Objective, arrange_bits, best_value_bits
from okey101.tiles import (
    BITS_OF,
    KINDS,
    OKEY,
    count_bits,
    distinct_bits,
    natural_bits,
    natural_kind,
    size_of_bits,
    tiles_of_bits,
)

Found = TypeVar("Found", list[int], list[list[int]])

# How likely a hand that hasn't opened is to open in time, counted over draws that may come.

_SOLVES = (360, 160, 60)
"""How many racks to solve for a decision, by okeys in the hand: those with okeys take longer."""

_NEVER = 1 << 20
"""Pairs that no hand has."""

_HORIZON = 6
"""How far to look ahead: four players draw five times at most, fewer too often to tell apart."""


class Worth(NamedTuple):
    """What opening is worth in points against staying unopened; ``delay`` is lost a turn."""

    melds: int
    pairs: int
    delay: int = 3


def draws_left(stock: int, players: int) -> int:
    """How many more draws the seat that now discards will have, as far as one looks ahead."""
    return min(_HORIZON, stock // players)


class Draws:
    """How draws are asked about: in plain Python here, compiled in the arena."""

    tables: Tables = (None, [])
    """What the solver is asked with."""

    def ask(self, question: Callable[..., None], *given: object, out: Found) -> Found:
        """What a question of :mod:`okey101.kernel.steady` writes to ``out``, its last row."""
        question(*given, out)
        return out


@dataclass(frozen=True, slots=True)
class Outlook:
    """Draws that may come to a hand, the same for every hand that is asked about.

    ``unseen`` is a packed rack, ``need`` the points and the pairs that open. With one draw left
    every tile is tried, else random draws.
    """

    unseen: int
    draws: int
    okey: int | None
    need: tuple[int, int]
    worth: Worth
    rng: random.Random
    asked: Draws

    def futures(self, count: int) -> tuple[Rows, list[float]]:
        """Draws that may come, and the weight of each; the weights add up to 1."""
        tiles = tiles_of_bits(self.unseen)
        draws = min(self.draws, len(tiles))
        if not draws:
            return [], []
        if draws == 1:
            kinds = distinct_bits(self.unseen)
            return [[t] for t in kinds], [count_bits(self.unseen, t) / len(tiles) for t in kinds]
        return [self.rng.sample(tiles, draws) for _ in range(count)], [1 / count] * count

    def _gains(
        self, hand: int, discards: list[int], futures: Rows, need: list[int], worth: list[int]
    ) -> list[list[int]]:
        """What each future is worth to a hand without each discard: an opening, and how soon."""
        masks, okey = [*masks_of_bits(hand)], -1 if self.okey is None else self.okey
        gains = [[0] * len(discards) for _ in range(len(futures))]
        given = self.asked.tables, masks, okey, discards, futures, need, worth
        return self.asked.ask(opening_gains, *given, out=gains)

    def advantages(self, hand: int, base: int, others: Sequence[int]) -> dict[int, float]:
        """By how many points each other discard is better than ``base``, over the same draws.

        It is the mean less its standard error.
        """
        solves = _SOLVES[min(2, count_bits(hand, OKEY))]
        sums = {tile: [0.0, 0.0] for tile in others}
        futures, weights = self.futures(max(16, solves // (1 + len(others))))
        found = self._gains(hand, [base, *others], futures, [*self.need], [*self.worth])
        worthy = (pair for pair in zip(weights, found, strict=True) if any(pair[1]))
        for weight, (by_base, *gains) in worthy:
            for totals, gain in zip(sums.values(), gains, strict=True):
                difference = gain - by_base
                totals[0] += weight * difference
                totals[1] += weight * difference * difference
        sampled = len(futures) if self.draws > 1 else 0

        def error(mean: float, square: float) -> float:
            return math.sqrt(max(0.0, square - mean * mean) / sampled) if sampled else 0.0

        return {tile: mean - error(mean, square) for tile, (mean, square) in sums.items()}

    def opens(self, hand: int, count: int) -> float:
        """How likely melds are to open within the draws, the whole hand kept."""
        futures, weights = self.futures(count)
        reached = self._gains(hand, [WHOLE], futures, [self.need[0], _NEVER], [1, 0, 0])
        return math.fsum(weight for weight, (opens,) in zip(weights, reached, strict=True) if opens)


# What will be left of an opened hand, counted over draws that may come.

_FUTURES = 24
_COMPANY = [company_of(kind) for kind in range(OKEY + 1)]


# What the next player may do with a tile that he gets as a discard.

_OPENS_WITH_ONE = 0.09
"""How often a player who hasn't opened can open with a tile of middling use."""
_MIDDLING = 0.45
"""The chance that such a tile completes some meld of a full hand."""


@cache
def completions(kind: int) -> tuple[tuple[int, int], ...]:
    """The pairs of kinds that are a meld together with this one."""
    number = kind % 13
    found = [*combinations((k for k in range(number, KINDS, 13) if k != kind), 2)]
    for low in range(kind - min(2, number), kind - max(0, number - 10) + 1):
        a, b = (k for k in range(low, low + 3) if k != kind)
        found.append((a, b))
    return tuple(found)


def use_chance(public: Public, seat: int, tile: int, unseen: int) -> float:
    """How likely a seat can put a discard down at once, judged only by what lies open."""
    okey = public.setup.okey
    kind, hand, size = natural_kind(tile, okey), public.sizes[seat], size_of_bits(unseen)
    if not size or hand < 1:
        return 0.0
    share = min(1.0, hand / size)
    opened = public.opened[seat]
    if opened is not None and may_lay_off(public, opened, opening=False):
        if kind == OKEY or public.playable >> kind & 1:
            return 1.0
    kinds = natural_bits(unseen, okey)
    if kind == OKEY:
        return 0.5
    paired = 0.0
    if opened is not None and may_lay_pairs(public, opened) and hand > 1:
        paired = min(1.0, share * (kinds >> 2 * kind & 3))
    if opened is Opened.PAIRS or (opened is Opened.MELDS and hand < 3):
        return paired
    missed = 1.0
    held = _held(share)
    for a, b in completions(kind):
        missed *= 1 - held[kinds >> 2 * a & 3] * held[kinds >> 2 * b & 3]
    chance = 1 - missed
    if kind in public.discards[seat]:
        chance *= 0.6
    return max(chance, paired) if opened else min(0.5, _OPENS_WITH_ONE * chance / _MIDDLING)


def _held(share: float) -> tuple[float, ...]:
    """How likely a hand with that share of the unseen tiles holds one of none, one, two, three."""
    none = 1 - share
    return 0.0, 1 - none, 1 - none * none, 1 - none * none * none


def feeding_cost(public: Public, tile: int, unseen: int, harm: float) -> float:
    """The points a discard is expected to cost by what the next player does with it.

    ``harm`` is what his use of it costs by itself; the fines of U7 and X4 come on top of it.
    """
    seat = (public.turn + 1) % public.players
    rules = public.setup.rules
    if rules.pairs_discard_protected and public.opened[public.turn] is Opened.PAIRS:
        return 0.0
    number = number_of(tile, public.setup.okey)
    if tile == OKEY and public.setup.okey is not None:
        number = public.setup.okey % 13 + 1
    fine = rules.taken_discard_fine * number
    if public.opened[seat] is None:
        fine += rules.opened_with_fine
    return use_chance(public, seat, tile, unseen) * (harm + fine)


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
        kept = hand - BITS_OF[tile]

        def whole(drawn: int, kept: int = kept) -> bool:
            return best_value_bits(kept + BITS_OF[drawn], okey, Objective.TILES) >= size - 1

        chance = _drawn_next(view.unseen, whole)
        if chance > best.chance:
            best = Hold(tile, chance)
    return best if best.chance * _DOUBLED > _DELAY else None


def _drawn_next(unseen: int, good: Callable[[int], bool]) -> float:
    """How likely the next draw is a good one."""
    found = sum(count_bits(unseen, tile) for tile in distinct_bits(unseen) if good(tile))
    return found / max(1, size_of_bits(unseen))


def hold_okey(view: View, hand: int) -> Hold | None:
    """Hold the okey back where it makes the last two tiles far likelier to finish next turn."""
    public = view.public
    others = hand & ~(3 << 2 * OKEY)
    if count_bits(hand, OKEY) != 1 or size_of_bits(hand) != 3 or public.must_finish:
        return None
    if public.stock_count < public.players:
        return None
    best = None
    for tile in distinct_bits(others):
        kept = others - BITS_OF[tile]
        without = _finish_next(view, kept)
        chance = _finish_next(view, kept + BITS_OF[OKEY])
        pays = (chance - without) * _FINISH > 101 * _ends_before(public)
        if pays and (best is None or chance > best.chance):
            best = Hold(tile, chance)
    return best


def _finish_next(view: View, hand: int) -> float:
    """How likely the next draw lets a hand of an opened seat finish in its next turn."""
    turn = Turn(view)
    turn.row[L.NEW_OPENING] = 0
    return _drawn_next(view.unseen, lambda t: turn.ends(*masks_of_bits(hand + BITS_OF[t])))


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


class SteadyBot:
    """Weighs every discard over the draws that may come, its fines, and what it gives away."""

    name = "steady"
    _draws = Draws()

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, view: View, options: Options) -> Action:
        """Finish, open, lay down, put back or throw: the first that the bot wants."""
        hand = view.hand or 0
        if view.public.phase is not Phase.PLAY:
            if options.take and self._takes(view, hand, options):
                return TAKE
            if options.draw:
                return DRAW
            return INDICATOR if options.indicator else PASS
        if options.announce:
            return ANNOUNCE
        unopened = view.public.opened[view.public.turn] is None
        laid = (self._open if unopened else self._lay)(view, hand, options)
        if laid is not None:
            return laid
        if options.return_:
            return RETURN
        if options.discards:
            return Discard(self._discard(view, hand, options))
        return next(a for a in options.actions() if not isinstance(a, Back))

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
        draws, rng = draws_left(public.stock_count, public.players), decision_rng(self._seed, view)
        need, worth = (options.need_points, options.need_pairs), _worth(public.setup.rules)
        return Outlook(view.unseen, draws, public.setup.okey, need, worth, rng, self._draws)

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        public = view.public
        if options.opening is None and options.opening_pairs is None:
            return None
        finish = self._finishing(view, options)
        if finish is not None:
            return finish
        if options.opening is not None:
            return None if hold_whole_hand(view, hand) is not None else options.opening
        if public.taken is None and self._waits(view, hand, options):
            return None
        return options.opening_pairs

    def _finishing(self, view: View, options: Options) -> Action | None:
        return Turn(view, options).opening_to_finish()

    def _waits(self, view: View, hand: int, options: Options) -> bool:
        """Whether to keep pairs that could open, in the hope of opening with melds."""
        public = view.public
        others = (o for s, o in enumerate(public.opened) if s != public.turn)
        if public.stock_count < public.players or all(o is Opened.PAIRS for o in others):
            return False
        worth = _worth(public.setup.rules)
        chance = self._outlook(view, options).opens(hand, 60)
        waiting = chance * worth.melds + (1 - chance) * worth.pairs * 0.85
        return waiting > worth.pairs + 5

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        turn = Turn(view, options)
        laid = turn.lay()
        if laid < 0:
            return None
        plain = laid & L.OP != L.A_SWAP and not turn.words[R.FINISHES]
        if plain and not view.public.taken_waits and hold_okey(view, hand) is not None:
            return None
        return turn.action(laid)

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
        if public.stock_count < public.players:
            return min(fines, key=lambda t: (fines[t] + feeding[t], -number_of(t, okey)))
        base = Turn(view, options).useless()
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
            lighter = _LIGHTER * (number_of(tile, okey) - number_of(base, okey))
            saved = fines[base] + feeding[base] - fines[tile] - feeding[tile]
            return advantages[tile] + lighter + saved

        return max([base, *others], key=better)

    def _opened(self, view: View, hand: int, fines: dict[int, int]) -> int:
        """The discard after which the hand costs least, at the end of the stock or of a win.

        The table is taken to stay as it is.
        """
        public, unseen = view.public, view.unseen
        opened = public.opened[public.turn] or Opened.MELDS
        playable = public.playable if may_lay_off(public, opened, opening=False) else 0
        mine, tiles, thrown = (
            [natural_kind(tile, public.setup.okey) for tile in some]
            for some in (tiles_of_bits(hand), tiles_of_bits(unseen), fines)
        )
        draws = min(draws_left(public.stock_count, public.players), len(tiles))
        rng = decision_rng(self._seed, view)
        futures = [rng.sample(tiles, draws) for _ in range(_FUTURES)] if draws else [[]]
        given = mine, thrown, futures, playable, int(opened is Opened.PAIRS), _COMPANY
        room, totals = [0] * (len(mine) + 1), [0] * len(thrown)
        totals = self._draws.ask(remains, *given, room, out=totals)
        left = {tile: total / len(futures) for tile, total in zip(fines, totals, strict=True)}

        def cost(tile: int) -> float:
            return fines[tile] + feeding_cost(public, tile, unseen, _HARM) + left[tile]

        return min(fines, key=cost)


def _worth(rules: RuleSet) -> Worth:
    """What opening is worth: the flat 202 saved, less where most deals are void (E3)."""
    if rules.empty_stock == "void_but_okeys":
        return Worth(90, 70)
    return Worth(205, 140)


def _sheds_okey(public: Public, hand: int) -> bool:
    """Whether to throw an okey, as the deal is about to be void but for okeys held (E3, R4)."""
    okeys = count_bits(hand, OKEY)
    rules = public.setup.rules
    if not okeys or rules.empty_stock != "void_but_okeys" or not rules.okey_in_hand_fine:
        return False
    after = (public.turn + 1) % public.players
    finishes = public.opened[after] is not None and public.sizes[after] <= 2
    return draws_left(public.stock_count, public.players) < okeys and not finishes
