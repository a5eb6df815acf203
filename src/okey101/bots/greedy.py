"""The bot ``greedy``, and from the solver's plans to actions: what can go down in this turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import NamedTuple

from okey101.bots.tile_worth import near_melds, number_of
from okey101.bots.tools import (
    ANNOUNCE,
    DRAW,
    INDICATOR,
    PASS,
    RETURN,
    TAKE,
    can_use,
    finishing_opening,
    may_lay_off,
    may_lay_pairs,
    needed_points,
    places_of,
)
from okey101.game import (
    Action,
    Back,
    Discard,
    Lay,
    Meld,
    Opened,
    Options,
    Phase,
    Public,
    Swap,
    View,
)
from okey101.kernel import weighing
from okey101.kernel.codes import open_row, rule_numbers
from okey101.melds import AS, Group
from okey101.solver import (
    Objective,
    Plan,
    RunPlace,
    SetPlace,
    arrange_bits,
    best_value_bits,
    can_lay_all_but_one_bits,
    max_laid_bits,
)
from okey101.tiles import BITS_OF, OKEY, distinct_bits, natural_bits, points_of_bits, size_of_bits

_OKEYS = 3 << 2 * OKEY
_TWINS = sum(BITS_OF) << 1


class Spot(NamedTuple):
    """A hand before a table: all that matters for laying down."""

    hand: int
    okey: int | None
    table: tuple[Group, ...]
    opened: Opened
    lays_off: bool = True
    """Whether tiles may be laid off (X6)."""
    pairs: bool = False
    """Whether pairs may be laid (M5, X8)."""

    def __repr__(self) -> str:
        return f"<Spot opened={self.opened.value}>"

    @classmethod
    def of(cls, public: Public, hand: int, *, later: bool = False) -> Spot:
        """The acting seat's; a seat that hasn't opened counts as one that opened with melds.

        ``later``: as it will be in the seat's next turn.
        """
        before = public.opened[public.turn]
        opened = before or Opened.MELDS
        opening = (before is None or public.new_opening) and not later
        lays_off = may_lay_off(public, opened, opening=opening)
        pairs = before is not None and may_lay_pairs(public, before)
        return cls(hand, public.setup.okey, public.table, opened, lays_off, pairs)

    def places(self) -> list[tuple[RunPlace | SetPlace, int]]:
        """The groups that may take a tile of this hand, with their index on the table."""
        return places_of(self.table) if self.lays_off else []


def may_lay(spot: Spot) -> bool:
    """Whether anything can be laid at all: a cheap test whose no is always right."""
    if spot.hand & _OKEYS:
        return True
    if spot.pairs and spot.hand & _TWINS:
        return True
    if spot.opened is Opened.MELDS and best_value_bits(spot.hand, spot.okey):
        return True
    if not spot.lays_off:
        return False
    kinds = distinct_bits(natural_bits(spot.hand, spot.okey))
    accepted = 0
    for group in spot.table:
        accepted |= group.accepts
    return any(accepted >> kind & 1 for kind in kinds)


def lay_plan(spot: Spot, must: int | None = None) -> tuple[Plan, list[Action]] | None:
    """The plan that leaves least in the hand, and its actions; None where nothing can be laid.

    ``must`` is a tile that has to be put down (U2).
    """
    if not may_lay(spot):
        return None
    found = _planned(max_laid_bits, spot, must)
    return found if found is not None and found[0].tiles else None


def finish_plan(spot: Spot, must: int | None = None) -> tuple[Plan, list[Action]] | None:
    """How to put down all tiles but one, the okey kept for the discard if it can be; or None."""
    if size_of_bits(spot.hand) > 1 and not may_lay(spot):
        return None
    return _planned(can_lay_all_but_one_bits, spot, must)


def _planned(
    ask: Callable[..., Plan | None], spot: Spot, must: int | None
) -> tuple[Plan, list[Action]] | None:
    """A plan of the solver's and its actions: new groups, then lay-offs."""
    places = spot.places()
    melds = spot.opened is Opened.MELDS
    laid_on = [place for place, _ in places]
    plan = ask(spot.hand, spot.okey, laid_on, allow_melds=melds, allow_pairs=spot.pairs, must=must)
    if plan is None:
        return None
    steps: list[Action] = [Meld(plan.pieces)] if plan.pieces else []
    return plan, steps + [Lay(piece, places[at][1] + 1) for piece, at in plan.layoffs]


def opening_to_finish(public: Public, hand: int) -> Meld | None:
    """An opening after which all the rest but one tile can be laid off; None if there is none.

    Under E4 and in an ordinary turn alike; a taken discard is among the groups (U2).
    """
    found = finish_plan(Spot.of(public, hand), public.taken)
    if found is None:
        return None
    plan = found[0]
    if plan.points >= needed_points(public) and _holds(plan.pieces, public.taken):
        return Meld(plan.pieces)
    groups = finishing_opening(public, hand)
    return Meld(groups) if groups is not None and _holds(groups, public.taken) else None


def _holds(groups: tuple[tuple[int, ...], ...], tile: int | None) -> bool:
    """Whether groups contain a tile; any do where there is none to contain."""
    return tile is None or any(
        (OKEY if piece >= AS else piece) == tile for group in groups for piece in group
    )


def best_swap(public: Public, hand: int, swaps: Iterable[Swap]) -> Swap | None:
    """The reclaimed okey that lets most be put down, if one helps (X2)."""
    best, found = _prospect(Spot.of(public, hand)), None
    for swap in swaps:
        index = swap.group - 1
        after = public.table[index].reclaimed(swap.tile)
        if after is None:
            continue
        table = (*public.table[:index], after, *public.table[index + 1 :])
        spot = Spot.of(public, hand - BITS_OF[swap.tile] + BITS_OF[OKEY])
        prospect = _prospect(spot._replace(table=table))
        if prospect > best:
            best, found = prospect, swap
    return found


def _prospect(spot: Spot) -> tuple[bool, bool, int]:
    """Whether the hand can finish, and with the okey; if not, what would be left of it."""
    finish = finish_plan(spot)
    if finish is not None:
        return True, finish[0].discard == OKEY, 0
    plan = lay_plan(spot)
    left = points_of_bits(spot.hand, spot.okey, 101) if plan is None else plan[0].left_points
    return False, False, -left


def spares_partner(public: Public) -> bool:
    """Whether the acting seat had better not finish, if it could (G1, E3, X9)."""
    rules = public.rules
    return rules.teams and weighing.spares_partner([*rule_numbers(rules)], open_row(public))


# The course of a turn, for bots that finish, open, lay and throw in that order.


class TurnBot(ABC):
    """What every turn has in common; the judgements are the bot's own."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, view: View, options: Options) -> Action:
        """Finish, open, lay down, put back or throw: the first that the bot wants."""
        hand = view.hand or 0
        if view.public.phase is not Phase.PLAY:
            return self._begin(view, hand, options)
        if options.announce:
            return ANNOUNCE
        unopened = view.public.opened[view.public.turn] is None
        laid = self._open(view, hand, options) if unopened else self._lay(view, hand, options)
        if laid is not None:
            return laid
        if options.return_:
            return RETURN
        if options.discards:
            return Discard(self._discard(view, hand, options))
        return next(a for a in options.actions() if not isinstance(a, Back))

    def _begin(self, view: View, hand: int, options: Options) -> Action:
        if options.take and self._takes(view, hand, options):
            return TAKE
        if options.draw:
            return DRAW
        return INDICATOR if options.indicator else PASS

    @abstractmethod
    def _takes(self, view: View, hand: int, options: Options) -> bool:
        """Whether to take the discard, which may be taken."""

    @abstractmethod
    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        """An opening to lay now, or None."""

    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        """The next tile or group to put down, or None."""
        return greedily(view, options, lambda: self._holds(view, hand))[0]

    def _holds(self, view: View, hand: int) -> bool:
        """Whether to lay nothing down that does not finish."""
        return False

    @abstractmethod
    def _discard(self, view: View, hand: int, options: Options) -> int:
        """The tile to throw."""


def greedily(
    view: View, options: Options, holds: Callable[[], bool] = lambda: False
) -> tuple[Action | None, bool]:
    """What ``greedy`` would put down, and whether the hand can finish.

    Where ``holds`` says so, nothing goes down that neither finishes nor has to be used.
    """
    public, hand = view.public, view.hand or 0
    swap = best_swap(public, hand, options.swaps) if options.swaps else None
    if swap is not None:
        return swap, False
    must = public.taken if public.taken_waits else None
    spot = Spot.of(public, hand)
    finish = finish_plan(spot, must)
    found = finish
    if found is None and not public.must_finish and not (must is None and holds()):
        found = lay_plan(spot, must)
    return (found[1][0] if found is not None and found[1] else None), finish is not None


class GreedyBot(TurnBot):
    """Plays for the next moment alone, but plays it exactly; it has no randomness."""

    name = "greedy"

    def _takes(self, view: View, hand: int, options: Options) -> bool:
        return _useful(view.public, hand)

    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        if options.opening is None and options.opening_pairs is None:
            return None
        return opening_to_finish(view.public, hand) or options.opening or options.opening_pairs

    def _discard(self, view: View, hand: int, options: Options) -> int:
        return useless_tile(view, options)


def _useful(public: Public, hand: int) -> bool:
    """Whether the discard on offer can be put down at once."""
    tile = public.discards[public.previous][-1]
    return can_use(public, hand + BITS_OF[tile], tile)


def loose_tiles(view: View, options: Options) -> int:
    """The tiles outside the best arrangement, as a packed rack: of pairs where these are nearer."""
    public, hand = view.public, view.hand or 0
    okey = public.setup.okey
    objective = Objective.POINTS
    if public.opened[public.turn] is None:
        missing = options.need_pairs - options.best_pairs
        if missing <= 1 and options.best_points < options.need_points * 2 // 3:
            objective = Objective.PAIRS
    found = arrange_bits(hand, okey, objective, keep=1)
    return hand if found is None else found.left_bits


def useless_tile(view: View, options: Options) -> int:
    """The highest tile that costs no fine and is of no use; if there is none, the least useful."""
    hand, okey, unseen = view.hand or 0, view.public.setup.okey, view.unseen
    if size_of_bits(hand) == 1:
        return options.discards[0].tile
    loose = loose_tiles(view, options)

    def cost(tile: int, fine: int) -> tuple[int, bool, bool, int, int]:
        free = loose >> 2 * tile & 3
        near = near_melds(tile, loose, unseen, okey) if free else 0
        return fine, tile == OKEY, not free, near, -number_of(tile, okey)

    return min(options.discards, key=lambda d: cost(d.tile, d.points)).tile
