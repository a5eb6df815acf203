"""The questions of bots written once, as plain Python answers them: by the game and its solver.

In compiled code each is the function of this name of the kernel, which :func:`stand_for
<okey101.kernel.compiling.stand_for>` puts in its place; racks are two masks, ``okey`` is -1 in a
riziko deal. What is asked of ``tables[0]``, an :class:`Asked`, is asked of the seat to act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import cast

from okey101.game.actions import Lay, Meld, Swap
from okey101.game.duties import can_use as _can_use, finishing_opening as _finishing_opening
from okey101.game.options import Options
from okey101.kernel import layout as L, room as R
from okey101.kernel.codes import bits_of_masks, codes_of, masks_of_bits, twin_of
from okey101.kernel.groups import accepts
from okey101.kernel.plain import Row, Tables
from okey101.melds import Pieces
from okey101.solver import (
    Objective,
    Plan,
    RunPlace,
    SetPlace,
    arrange_bits,
    best_value_bits,
    can_lay_all_but_one_bits,
    max_laid_bits,
    reaches_bits,
    values_without_bits,
)
from okey101.tiles import PackedRack, size_of_bits


class Asked:
    """What the answers come from: the options of the seat, and the search that was set up."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.okey = options.view.public.setup.okey
        self.search: Callable[[_Ask], Plan | None] = lambda _: None
        self.plan: Plan | None = None
        self.places: list[int] = []
        """The groups of the table that the search lays on."""

    def plan_by(self, ask: _Ask) -> Plan | None:
        """What the search finds; its plan is kept."""
        self.plan = self.search(ask)
        return self.plan

    def write(self, groups: Iterable[Pieces] | None, out: Row) -> int:
        """Groups as words, and how many they are; -1 where there are none."""
        if groups is None:
            return -1
        codes = codes_of(Meld(groups), self.okey, twin_of(self.options.view.public))
        for place, code in enumerate(codes):
            out[place] = code >> 4 & L.WORD
        return len(codes)


_Ask = Callable[..., Plan | None]


def _of(tables: Tables) -> Asked:
    return cast("Asked", tables[0])


# What the rules allow the seat to act.


def can_use(tables: Tables, rules: Row, row: Row, one: int, two: int, tile: int) -> bool:
    """Whether a taken discard, held in the hand, can be put down in this turn (U2, R1)."""
    return _can_use(_of(tables).options.view.public, bits_of_masks(one, two), tile)


def may_draw_indicator(tables: Tables, rules: Row, row: Row) -> bool:
    """Whether the indicator may be drawn to finish (E4)."""
    return _of(tables).options.indicator


def keeps_duties(
    tables: Tables, rules: Row, row: Row, one: int, two: int, action: int, waits: bool
) -> bool:
    """Whether a swap leaves the taken tile a use, and the hand an end (R1, E4)."""
    return Swap(action >> 4 & 63, (action >> 10 & 63) + 1) in _of(tables).options.swaps


def opening(tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row) -> int:
    """The legal opening in sets and runs worth most: its groups and how many, -1 for none (O1)."""
    found = _of(tables).options.opening
    return _of(tables).write(None if found is None else found.pieces, out)


def opening_pairs(tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row) -> int:
    """A legal opening with as many pairs as can be (O2)."""
    found = _of(tables).options.opening_pairs
    return _of(tables).write(None if found is None else found.pieces, out)


def finishing_opening(tables: Tables, rules: Row, row: Row, one: int, two: int, out: Row) -> int:
    """An opening that lets all the rest but one tile be laid off (E4, O3)."""
    public, hand = _of(tables).options.view.public, bits_of_masks(one, two)
    return _of(tables).write(_finishing_opening(public, hand), out)


def next_lay(tables: Tables, rules: Row, row: Row, words: Row) -> int:
    """The first group, or else the first tile, that an opened seat may lay; -1 for none."""
    options = _of(tables).options
    found: tuple[Meld | Lay, ...] = options.melds[:1] or options.lays[:1]
    twin = twin_of(options.view.public)
    return codes_of(found[0], _of(tables).okey, twin)[0] if found else -1


def most_pairs(tables: Tables, row: Row, one: int, two: int) -> int:
    """The most pairs that an opening could lay now (O2, O6)."""
    return _of(tables).options.best_pairs


# What a hand can lay in this turn: a search is set up, asked, and its plan read.


def set_up(
    tables: Tables, row: Row, one: int, two: int, lays_off: bool, melds: bool, pairs: bool,
    must: int,
) -> None:  # fmt: skip
    """Make a search ready: a hand before the table of a row; ``must`` is a tile or -1."""
    asked = _of(tables)
    table = range(L.TABLE, L.TABLE + row[L.N_GROUPS] if lays_off else L.TABLE)
    places, asked.places = _places(tuple(row[at] for at in table))
    hand, forced = bits_of_masks(one, two), None if must < 0 else must
    asked.search = lambda ask: ask(
        hand, asked.okey, places, allow_melds=melds, allow_pairs=pairs, must=forced
    )


@lru_cache(256)
def _places(words: tuple[int, ...]) -> tuple[list[RunPlace | SetPlace], list[int]]:
    """The groups that may take a tile, and where each lies on the table."""
    places: list[RunPlace | SetPlace] = []
    at = []
    for place, word in enumerate(words):
        if word & 3 == L.RUN:
            at.append(place)
            places.append(RunPlace("run", word >> 2 & 3, word >> 4 & 15, word >> 8 & 15))
        elif accepts(word):
            at.append(place)
            taken = word >> 6 & 15 | word >> 10 & 15
            places.append(SetPlace("set", word >> 2 & 15, taken, word >> 14 & 3))
    return places, at


def lay_all(tables: Tables) -> int:
    """The tile that stays where all others can be laid, or -1."""
    plan = _of(tables).plan_by(can_lay_all_but_one_bits)
    return -1 if plan is None or plan.discard is None else plan.discard


def least_left(tables: Tables) -> int:
    """What stays in the hand at least, 128 times its points and its tiles; -1 if none will do."""
    plan = _of(tables).plan_by(max_laid_bits)
    return -1 if plan is None else 128 * plan.left_points + size_of_bits(plan.left_bits)


def groups_of_plan(tables: Tables, out: Row) -> int:
    """The new groups of the plan found, in order, and how many they are."""
    asked = _of(tables)
    assert asked.plan is not None
    return asked.write(asked.plan.pieces, out) if asked.plan.pieces else 0


def first_lay_off(tables: Tables) -> int:
    """The first lay-off of the plan found, as an action; -1 where there is none."""
    asked = _of(tables)
    assert asked.plan is not None
    if not asked.plan.layoffs:
        return -1
    piece, place = asked.plan.layoffs[0]
    return codes_of(Lay(piece, asked.places[place] + 1), asked.okey)[0]


# What a rack is worth, and what the best of it leaves.


def _asked(one: int, two: int, okey: int) -> tuple[PackedRack, int | None]:
    """A rack as the readable solver knows it, and the okey's kind."""
    return bits_of_masks(one, two), None if okey < 0 else int(okey)


def left_tiles(tables: Tables, one: int, two: int, okey: int) -> tuple[int, int, int]:
    """The points of the best arrangement, and the tiles that it leaves."""
    found = arrange_bits(*_asked(one, two, okey))
    return (0, one, two) if found is None else (found.points, *masks_of_bits(found.left_bits))


def left_but_one(tables: Tables, one: int, two: int, okey: int) -> tuple[int, int]:
    """The tiles that the best arrangement leaves, one at least."""
    return _left_by(Objective.POINTS, one, two, okey)


def left_of_pairs(tables: Tables, one: int, two: int, okey: int) -> tuple[int, int]:
    """The tiles outside the best pairs: as many as can be, then of most points (O2)."""
    return _left_by(Objective.PAIRS, one, two, okey)


def _left_by(objective: Objective, one: int, two: int, okey: int) -> tuple[int, int]:
    found = arrange_bits(*_asked(one, two, okey), objective, keep=1)
    return (one, two) if found is None else masks_of_bits(found.left_bits)


def best_points(tables: Tables, one: int, two: int, okey: int) -> int:
    """The most points that sets and runs of a rack come to."""
    return best_value_bits(*_asked(one, two, okey))


def reaches_points(tables: Tables, one: int, two: int, okey: int, need: int) -> bool:
    """Whether sets and runs of a rack come to so many points."""
    return reaches_bits(*_asked(one, two, okey), need)


def best_tiles(tables: Tables, one: int, two: int, okey: int) -> int:
    """The most tiles that sets and runs of a rack hold."""
    return tiles_above(tables, one, two, okey, -1)


def tiles_above(tables: Tables, one: int, two: int, okey: int, floor: int) -> int:
    """The same where it is more than so many tiles, which is known sooner; else these."""
    return best_value_bits(*_asked(one, two, okey), Objective.TILES, floor)


def values_without(
    tables: Tables, tiles: bool, one: int, two: int, okey: int, floor: int, enough: int, count: int
) -> int:
    """The points of a rack, or its tiles in melds, if they are more than ``floor``; else that.

    Where they are more, the values of the room's batch become those of the rack without each tile
    of it, if these are greater; of values of ``enough`` or more any.
    """
    room: Row = tables[1]
    bits, known = _asked(one, two, okey)
    places = range(R.BATCH, R.BATCH + 2 * count, 2)
    values = [int(room[at + 1]) for at in places]
    objective = Objective.TILES if tiles else Objective.POINTS
    if min(values) < floor and not reaches_bits(bits, known, floor + 1, objective):
        return floor
    codes = [int(room[at]) for at in places]
    most, found = values_without_bits(bits, known, codes, values, objective, enough)
    for at, value in zip(places, found, strict=True):
        room[at + 1] = value
    return most
