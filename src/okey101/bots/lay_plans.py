"""From the solver's plans to actions: what a hand can put down in this turn, and how to finish."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from okey101.bots.tools import (
    finishing_opening,
    may_lay_off,
    may_lay_pairs,
    needed_points,
    places_of,
)
from okey101.game import Action, Lay, Meld, Opened, Public, Swap
from okey101.kernel import weighing
from okey101.kernel.codes import open_row, rule_numbers
from okey101.melds import AS, Group
from okey101.solver import (
    Plan,
    RunPlace,
    SetPlace,
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
