"""The bot ``steady``: counts what may come, and plays for the deal rather than for the moment."""

from __future__ import annotations

from okey101.bots.base import decision_rng
from okey101.bots.discard_risk import feeding_cost
from okey101.bots.greedy import useless_tile
from okey101.bots.hand_rollout import expected_remains
from okey101.bots.holdback import hold_okey, hold_whole_hand
from okey101.bots.lay_plans import Spot, best_swap, finish_plan, lay_plan, opening_to_finish
from okey101.bots.meld_potential import near_melds, number_of
from okey101.bots.sampled_draws import Outlook, Worth, draws_left
from okey101.bots.turn_bot import TurnBot
from okey101.game.actions import (
    Action,
)
from okey101.game.bot_tools import best_melds, can_use, may_lay_off, needed_points, whole_hand
from okey101.game.deal import Opened, Public
from okey101.game.options import Options
from okey101.game.ruleset import RuleSet
from okey101.game.view import View
from okey101.tiles import BITS_OF, OKEY, count_bits, size_of_bits

__all__ = ["SteadyBot"]

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
        if whole_hand(public, with_it, tile) is not None:
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

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        public = view.public
        swap = best_swap(public, hand, options.swaps) if options.swaps else None
        if swap is not None:
            return swap
        must = public.taken if public.taken_waits else None
        spot = Spot.of(public, hand)
        found = finish_plan(spot, must)
        if found is None and not public.must_finish:
            if must is None and hold_okey(view, hand) is not None:
                return None
            found = lay_plan(spot, must)
        return found[1][0] if found is not None and found[1] else None

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
