"""What a hand puts down in one turn, by a search whose answer is the first in a stated order.

The tiles of a hand are looked at from the highest number down, within a number by colour. For each
there are several things to do, in this order: onto a run, the table's first, at its low end and
then at its high end; onto a set of the table; into a new set; into a new run of three as its
highest natural tile; into a pair; and to stay in the hand. Of plans of equal worth the first in
this order is the answer, whatever the search leaves out on its way. Okeys stand where tiles lack;
those that are left over go, one after another, to the first run or set with room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from okey101.errors import OkeyError, checked
from okey101.solver.search import BEYOND
from okey101.tiles import OKEY, PackedRack, points_of_bits, size_of_bits

# The open places of a table: runs grow at both ends, sets of three take a fourth (M4).


class RunPlace(NamedTuple):
    """A run on the table: colour 0 to 3, and the numbers it begins and ends with."""

    shape: Literal["run"]
    colour: int
    low: int
    high: int


class SetPlace(NamedTuple):
    """A set of three on the table: its number, and which colours it has.

    ``taken`` has bit ``1 << colour`` for each colour that is there, ``okeys`` counts okeys whose
    colour is not named (J3): beside one of them two colours are free, but one tile fits.
    """

    shape: Literal["set"]
    number: int
    taken: int
    okeys: int


Place = (
    RunPlace | SetPlace | tuple[Literal["run", "set"], int, int, int] | tuple[str, int, int, int]
)
"""A place as written above, or a plain tuple of the same four."""
Unit = tuple[str, int, int, int]
"""A step of a plan: what it is, and three numbers.

``run``: a run's place, a number, whether an okey; ``new``: colour, lowest number, okeys by bit;
``lay``: a set's place, a colour, whether an okey; ``set``: number, colours by bit, okeys;
``pair``: kind, okeys, 0; ``more``: which of the new sets, 0, 0.
"""
Run = tuple[int, int, int]
"""Colour, lowest and highest number."""
Runs = tuple[Run, ...]
"""The table's runs first, in the order of the places."""
_TILE = 128
OKEY_COST = 101 * _TILE + 1
"""What an okey left in the hand costs: its points first, then that it is a tile."""


_MASKS = sorted(range(15), key=int.bit_count, reverse=True)
"""Masks of other colours: of three colours, of two, of one, of none."""


class _State(NamedTuple):
    """What is still to be laid, and what lies there."""

    bits: int
    okeys: int
    runs: Runs
    filled: int
    """The table's sets that have got their fourth tile, one bit a place."""
    small: int
    """New sets of three."""
    kept: int
    """What stays costs so much; 0 where nothing does."""
    laid: bool
    """Whether the tile that must be laid is."""
    path: tuple[Unit, ...]
    """The steps that led here."""


class LaySearch:
    """One search: a hand, the table's places, and what is allowed.

    ``natural`` is a packed rack without okeys; ``must`` a kind, 53 for an okey. Raises OkeyError
    ``bad-place`` for a place that is no open run or set of three.
    """

    def __init__(
        self,
        natural: int,
        okeys: int,
        places: Sequence[Place],
        *,
        melds: bool,
        pairs: bool,
        must: int | None = None,
    ) -> None:
        self.natural = natural
        self.okeys = okeys
        self.melds = melds
        self.pairs = pairs
        self.must = must
        self.at: list[int] = []
        """The place of each of the table's runs."""
        runs: list[Run] = []
        self.sets: dict[int, list[tuple[int, int]]] = {}
        """By number the table's sets of three: place, and free colours as bits."""
        self.free: dict[int, tuple[int, int]] = {}
        """Free colours and number of each set of the table, by place."""
        for place, told in enumerate(checked(places, Sequence, "list")):
            match told:
                case ("run", int(colour), int(low), int(high)) if (
                    0 <= colour < 4 and 1 <= low <= high - 2 <= 11
                ):
                    self.at.append(place)
                    runs.append((colour, low, high))
                case ("set", int(number), int(taken), int(wild)) if (
                    1 <= number <= 13 and 0 <= taken < 16 and taken.bit_count() + wild == 3
                ):
                    self.sets.setdefault(number, []).append((place, 15 & ~taken))
                    self.free[place] = 15 & ~taken, number
                case _:
                    raise OkeyError("bad-place", f"place {place} takes no tile", place=place)
        self.runs = tuple(runs)
        self.plan: tuple[Unit, ...] | None = None
        self.seen: dict[tuple[int, int, Runs, int, int, bool, bool], int] = {}
        self.keeps = True
        self._forced = 0 if must is None else 3 << 2 * must

    # What can be done at all --------------------------------------------------------------------

    def useless(self) -> int:
        """The tiles of the hand that no plan can lay, as a packed rack."""
        left = 0
        for kind in range(52):
            copies = self.natural >> 2 * kind & 3
            if copies and not self._useful(kind, copies):
                left |= copies << 2 * kind
        return left

    def _useful(self, kind: int, copies: int) -> bool:
        colour, number = kind // 13, kind % 13 + 1
        if self.pairs and (copies == 2 or self.okeys):
            return True
        if any(free >> colour & 1 for _, free in self.sets.get(number, ())):
            return True
        if self.melds:
            held = sum(1 for k in range(number - 1, 52, 13) if self.natural >> 2 * k & 3)
            if held + self.okeys >= 3:
                return True
            for start in range(max(1, number - 2), min(11, number) + 1):
                if self._lacks(colour, start, start + 2) <= self.okeys:
                    return True
        between = [
            (number, low - 1) if number < low else (high + 1, number)
            for own, low, high in self.runs
            if own == colour and not low <= number <= high
        ]
        return any(self._lacks(colour, first, last) <= self.okeys for first, last in between)

    def _lacks(self, colour: int, low: int, high: int) -> int:
        first = 13 * colour - 1
        return sum(1 for n in range(low, high + 1) if not self.natural >> 2 * (first + n) & 3)

    # The search ---------------------------------------------------------------------------------

    def run(self, natural: int, okeys: int, kept: int) -> Sequence[Unit] | None:
        """The plan with the least cost of what stays in the hand; None where there is none.

        ``kept`` is what stays anyway. Where ``keeps`` is not set nothing else may stay.
        """
        self.plan = None
        self._limit = BEYOND
        self.seen.clear()
        self._go(_State(natural, okeys, self.runs, 0, 0, kept, self.must is None, ()))
        return self.plan

    def _go(self, state: _State) -> None:
        if state.kept >= self._limit:
            return
        if not state.bits:
            self._end(state)
            return
        key = (*state[:5], state.kept > 0, state.laid)
        before = self.seen.get(key)
        if before is not None and before <= state.kept:
            return
        self.seen[key] = state.kept
        kind = self._first(state.bits)
        bits = state.bits - (1 << 2 * kind)
        now = state._replace(bits=bits, laid=state.laid or kind == self.must)
        for after in self._ways(now, kind):
            self._go(after)
        if self.keeps:
            cost = _TILE * (kind % 13 + 1) + 1
            self._go(state._replace(bits=bits, kept=state.kept + cost))

    @staticmethod
    def _first(bits: int) -> int:
        for number in range(12, -1, -1):
            for kind in range(number, 52, 13):
                if bits >> 2 * kind & 3:
                    return kind
        raise AssertionError("no tile is left")

    def _after(
        self, state: _State, taken: int, okeys: int, units: tuple[Unit, ...], runs: Runs = ()
    ) -> _State:
        """The state after steps that lay more tiles, given as a packed rack, and so many okeys."""
        bits, left = state.bits - taken, state.okeys - okeys
        laid = state.laid or (taken | okeys << 106) & self._forced != 0
        return _State(bits, left, runs or state.runs, *state[3:6], laid, state.path + units)

    def _ways(self, state: _State, kind: int) -> Iterator[_State]:
        """The states after each way to lay a tile, which has been taken out of ``state``."""
        colour, number = kind // 13, kind % 13 + 1
        for place, (own, low, high) in enumerate(state.runs):
            if own == colour:
                if number < low <= number + 1 + state.okeys:
                    gaps = range(low - 1, number - 1, -1)
                    units = tuple(("run", place, gap, int(gap > number)) for gap in gaps)
                    runs = _with(state.runs, place, (colour, number, high))
                    yield self._after(state, 0, low - 1 - number, units, runs)
                if number > high:  # no new run: what is looked at goes down
                    yield from self._above(state, place, high + 1, number)
        for place, free in self.sets.get(number, ()):
            if free >> colour & 1 and not state.filled >> place & 1:
                after = self._after(state, 0, 0, (("lay", place, colour, 0),))
                yield after._replace(filled=state.filled | 1 << place)
        if self.melds:
            yield from self._new_sets(state, colour, number)
            yield from self._new_runs(state, colour, number)
        if self.pairs:
            if state.bits >> 2 * kind & 3:
                yield self._after(state, 1 << 2 * kind, 0, (("pair", kind, 0, 0),))
            if state.okeys:
                yield self._after(state, 0, 1, (("pair", kind, 1, 0),))

    def _above(self, state: _State, place: int, gap: int, number: int) -> Iterator[_State]:
        """Tiles or okeys from above a run of the table up to a tile, natural ones first."""
        colour, low, _ = state.runs[place]
        if gap == number:
            runs = _with(state.runs, place, (colour, low, number))
            yield self._after(state, 0, 0, (("run", place, number, 0),), runs)
            return
        one = 1 << 2 * (13 * colour + gap - 1)
        if state.bits & 3 * one:
            after = self._after(state, one, 0, (("run", place, gap, 0),))
            yield from self._above(after, place, gap + 1, number)
        if state.okeys:
            after = self._after(state, 0, 1, (("run", place, gap, 1),))
            yield from self._above(after, place, gap + 1, number)

    def _new_sets(self, state: _State, colour: int, number: int) -> Iterator[_State]:
        """New sets in which a tile has the lowest colour: more natural tiles first."""
        column = state.bits >> 2 * (number - 1)
        held = sum(1 << c for c in range(colour + 1, 4) if column >> 26 * c & 3)
        for mask in _MASKS if held.bit_count() + state.okeys >= 2 else ():
            others = mask.bit_count()
            okeys = max(0, 2 - others)
            if okeys > state.okeys:
                return
            if not mask & ~held:
                taken = sum(1 << 26 * c for c in range(4) if mask >> c & 1) << 2 * (number - 1)
                unit = "set", number, mask | 1 << colour, okeys
                small = state.small + (others + okeys == 2)
                yield self._after(state, taken, okeys, (unit,))._replace(small=small)

    def _new_runs(self, state: _State, colour: int, number: int) -> Iterator[_State]:
        """New runs of three with a tile as their highest natural one: natural tiles first."""
        low = max(1, number - 2)
        own, first = number - low, 2 * (13 * colour + low - 1)
        for wild in range(8):
            if wild.bit_count() > state.okeys or wild >> own != (7 >> own) - 1:
                continue
            taken = sum(1 << 2 * place for place in range(own) if not wild >> place & 1)
            held = state.bits >> first
            if (held | held >> 1) & taken == taken:
                runs, unit = (*state.runs, (colour, low, low + 2)), ("new", colour, low, wild)
                yield self._after(state, taken << first, wild.bit_count(), (unit,), runs)

    def _end(self, state: _State) -> None:
        """All tiles have been looked at: okeys left over are laid, and the plan is compared."""
        stay = 1 if self.keeps and not state.kept else 0
        if state.okeys < stay:
            return
        path, left = self._spread(state, state.okeys - stay)
        left += stay
        laid = state.laid or (self.must == OKEY and left < state.okeys)
        cost = state.kept + left * OKEY_COST
        if laid and (self.keeps or not left) and cost < self._limit:
            self._limit = cost
            self.plan = path

    def _spread(self, state: _State, okeys: int) -> tuple[tuple[Unit, ...], int]:
        """Lay okeys where there is room: all steps, and how many stay for want of it."""
        units: list[Unit] = []
        for place, (_, low, high) in enumerate(state.runs):
            while len(units) < okeys and high - low < 12:
                low, high, end = (low - 1, high, low - 1) if low > 1 else (low, high + 1, high + 1)
                units.append(("run", place, end, 1))
        for place in self.free:
            if len(units) < okeys and not state.filled >> place & 1:
                units.append(("lay", place, -1, 1))
        units += [("more", which, 0, 0) for which in range(min(okeys - len(units), state.small))]
        if okeys == 2 > len(units) and self.pairs:
            return (*state.path, ("pair", 12, 2, 0)), 0
        return (*state.path, *units), okeys - len(units)


def _with(runs: Runs, place: int, run: Run) -> Runs:
    """The runs with another one at a place."""
    return (*runs[:place], run, *runs[place + 1 :])


def _cost(natural: PackedRack) -> int:
    """What natural tiles cost that stay in the hand."""
    return _TILE * points_of_bits(natural, None) + size_of_bits(natural)


def least_left(search: LaySearch) -> Sequence[Unit] | None:
    """The plan that leaves fewest points, then fewest tiles, one at least; None if ``must`` stays.

    ``search.must`` has to be laid.
    """
    useless = search.useless()
    search.keeps = True
    return search.run(search.natural - useless, search.okeys, _cost(useless))


def lay_all(search: LaySearch) -> Sequence[Unit] | None:
    """The plan that lays all but one tile, which is discarded.

    An okey comes first, then the highest number, then the first colour. None where nothing will do.
    """
    useless = search.useless()
    if size_of_bits(useless) > 1:
        return None
    search.keeps = False
    discards = [kind for number in range(12, -1, -1) for kind in range(number, 52, 13)]
    for kind in (OKEY, *discards):
        one = 1 << 2 * kind if kind < 52 else 0
        copies = search.natural >> 2 * kind & 3 if kind < 52 else search.okeys
        if not copies or useless & ~one:
            continue
        if kind == search.must and copies == 1:
            continue
        found = search.run(search.natural - one, search.okeys - (kind == OKEY), 0)
        if found is not None:
            return found
    return None
