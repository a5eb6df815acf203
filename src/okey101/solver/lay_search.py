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

from okey101.errors import OkeyError
from okey101.tiles import PackedRack, points_of_bits, size_of_bits

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
"""Colour, lowest and highest number; the table's runs first, in the order of the places."""
_TILE = 128
OKEY_COST = 101 * _TILE + 1
"""What an okey left in the hand costs: its points first, then that it is a tile."""


_MASKS = sorted(range(15), key=int.bit_count, reverse=True)
"""Masks of other colours: of three colours, of two, of one, of none."""


class _State(NamedTuple):
    """What is still to be laid, and what lies there."""

    bits: int
    okeys: int
    runs: tuple[Run, ...]
    filled: int
    """The table's sets that have got their fourth tile, one bit a place."""
    small: int
    """New sets of three."""
    kept: int
    """What stays costs so much; 0 where nothing does."""
    laid: bool
    """Whether the tile that must be laid is."""


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
        for place, (shape, first, second, third) in enumerate(places):
            if shape == "run" and 0 <= first < 4 and 1 <= second <= third - 2 <= 11:
                self.at.append(place)
                runs.append((first, second, third))
            elif (
                shape == "set"
                and 1 <= first <= 13
                and 0 <= second < 16
                and second.bit_count() + third == 3
            ):
                self.sets.setdefault(first, []).append((place, 15 & ~second))
                self.free[place] = 15 & ~second, first
            else:
                raise OkeyError("bad-place", f"place {place} takes no tile", place=place)
        self.runs = tuple(runs)
        self.best: int | None = None
        self.plan: list[Unit] = []
        self.seen: dict[tuple[int, int, tuple[Run, ...], int, int, bool, bool], int] = {}
        self.keeps = True
        self.path: list[Unit] = []

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

    def run(self, natural: int, okeys: int, limit: int, kept: int, *, laid: bool) -> int | None:
        """The least cost below ``limit`` of what stays in the hand; its plan is in ``plan``.

        ``kept`` is what stays anyway. Where ``keeps`` is not set nothing else may stay.
        """
        self.best = None
        self._limit = limit
        self.seen.clear()
        self.path.clear()
        self._go(_State(natural, okeys, self.runs, 0, 0, kept, laid))
        return self.best

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
        one = 1 << 2 * kind
        laid = state.laid or kind == self.must
        now = state._replace(bits=state.bits - one, laid=laid)
        depth = len(self.path)
        for after in self._ways(now, kind):
            self._go(after)
            del self.path[depth:]
        if self.keeps:
            cost = _TILE * (kind % 13 + 1) + 1
            self._go(state._replace(bits=state.bits - one, kept=state.kept + cost))

    @staticmethod
    def _first(bits: int) -> int:
        for number in range(12, -1, -1):
            for kind in range(number, 52, 13):
                if bits >> 2 * kind & 3:
                    return kind
        raise AssertionError("no tile is left")

    def _ways(self, state: _State, kind: int) -> Iterator[_State]:
        """The states after each way to lay a tile, which has been taken out of ``state``."""
        colour, number = kind // 13, kind % 13 + 1
        for place, (own, low, high) in enumerate(state.runs):
            if own == colour:
                if number < low <= number + 1 + state.okeys:
                    yield self._below(state, place, number)
                if place < len(self.at) and number > high:
                    yield from self._above(state, place, high + 1, number)
        for place, free in self.sets.get(number, ()):
            if free >> colour & 1 and not state.filled >> place & 1:
                self.path.append(("lay", place, colour, 0))
                yield state._replace(filled=state.filled | 1 << place)
        if self.melds:
            yield from self._new_sets(state, colour, number)
            yield from self._new_runs(state, colour, number)
        if self.pairs:
            if state.bits >> 2 * kind & 3:
                self.path.append(("pair", kind, 0, 0))
                yield state._replace(bits=state.bits - (1 << 2 * kind))
            if state.okeys:
                self.path.append(("pair", kind, 1, 0))
                yield self._wild(state._replace(okeys=state.okeys - 1))

    def _wild(self, state: _State) -> _State:
        return state._replace(laid=True) if self.must == 53 else state

    def _below(self, state: _State, place: int, number: int) -> _State:
        """A tile at the low end of a run, okeys between them."""
        colour, low, high = state.runs[place]
        for gap in range(low - 1, number, -1):
            self.path.append(("run", place, gap, 1))
        self.path.append(("run", place, number, 0))
        used = low - 1 - number
        runs = (*state.runs[:place], (colour, number, high), *state.runs[place + 1 :])
        state = state._replace(okeys=state.okeys - used, runs=runs)
        return self._wild(state) if used else state

    def _above(self, state: _State, place: int, gap: int, number: int) -> Iterator[_State]:
        """Tiles or okeys from above a run of the table up to a tile, natural ones first."""
        colour, low, _ = state.runs[place]
        depth = len(self.path)
        if gap == number:
            self.path.append(("run", place, number, 0))
            runs = (*state.runs[:place], (colour, low, number), *state.runs[place + 1 :])
            yield state._replace(runs=runs)
            del self.path[depth:]
            return
        kind = 13 * colour + gap - 1
        if state.bits >> 2 * kind & 3:
            self.path.append(("run", place, gap, 0))
            laid = state.laid or kind == self.must
            after = state._replace(bits=state.bits - (1 << 2 * kind), laid=laid)
            yield from self._above(after, place, gap + 1, number)
            del self.path[depth:]
        if state.okeys:
            self.path.append(("run", place, gap, 1))
            after = self._wild(state._replace(okeys=state.okeys - 1))
            yield from self._above(after, place, gap + 1, number)
            del self.path[depth:]

    def _new_sets(self, state: _State, colour: int, number: int) -> Iterator[_State]:
        """New sets in which a tile has the lowest colour: more natural tiles first."""
        held = 0
        for other in range(colour + 1, 4):
            if state.bits >> 2 * (13 * other + number - 1) & 3:
                held |= 1 << other
        for mask in _MASKS if held.bit_count() + state.okeys >= 2 else ():
            others = mask.bit_count()
            okeys = max(0, 2 - others)
            if okeys > state.okeys:
                return
            if mask & ~held:
                continue
            bits, laid = state.bits, state.laid
            for c in range(colour + 1, 4):
                if mask >> c & 1:
                    other = 13 * c + number - 1
                    bits -= 1 << 2 * other
                    laid = laid or other == self.must
            small = state.small + (others + okeys == 2)
            self.path.append(("set", number, mask | 1 << colour, okeys))
            after = state._replace(bits=bits, okeys=state.okeys - okeys, small=small, laid=laid)
            yield self._wild(after) if okeys else after

    def _new_runs(self, state: _State, colour: int, number: int) -> Iterator[_State]:
        """New runs of three with a tile as their highest natural one: natural tiles first."""
        low = max(1, number - 2)
        high = low + 2
        for wild in range(8):
            okeys = wild.bit_count()
            if okeys > state.okeys:
                continue
            bits, laid = state.bits, state.laid
            for place in range(3):
                gap = low + place
                if gap == number or wild >> place & 1:
                    if gap == number and wild >> place & 1:
                        break
                    continue
                kind = 13 * colour + gap - 1
                if gap > number or not bits >> 2 * kind & 3:
                    break
                bits -= 1 << 2 * kind
                laid = laid or kind == self.must
            else:
                self.path.append(("new", colour, low, wild))
                after = state._replace(
                    bits=bits,
                    okeys=state.okeys - okeys,
                    runs=(*state.runs, (colour, low, high)),
                    laid=laid,
                )
                yield self._wild(after) if okeys else after

    def _end(self, state: _State) -> None:
        """All tiles have been looked at: okeys left over are laid, and the plan is compared."""
        stay = 1 if self.keeps and not state.kept else 0
        depth = len(self.path)
        left = self._spread(state, state.okeys - stay) + stay if state.okeys >= stay else -1
        laid = state.laid or (self.must == 53 and 0 <= left < state.okeys)
        if left >= 0 and laid and (self.keeps or not left):
            cost = state.kept + left * OKEY_COST
            if cost < self._limit:
                self.best = self._limit = cost
                self.plan = list(self.path)
        del self.path[depth:]

    def _spread(self, state: _State, okeys: int) -> int:
        """Lay okeys where there is room, and return how many stay for want of it."""
        depth = len(self.path)
        left = okeys
        for place, (_, low, high) in enumerate(state.runs):
            while left and high - low < 12:
                if low > 1:
                    low -= 1
                    self.path.append(("run", place, low, 1))
                else:
                    high += 1
                    self.path.append(("run", place, high, 1))
                left -= 1
        for place in self.free:
            if left and not state.filled >> place & 1:
                self.path.append(("lay", place, -1, 1))
                left -= 1
        for which in range(min(left, state.small)):
            self.path.append(("more", which, 0, 0))
            left -= 1
        if left and okeys == 2 and self.pairs:
            del self.path[depth:]
            self.path.append(("pair", 12, 2, 0))
            return 0
        return left


def _cost(natural: PackedRack) -> int:
    """What natural tiles cost that stay in the hand."""
    return _TILE * points_of_bits(natural, None) + size_of_bits(natural)


def least_left(search: LaySearch) -> list[Unit] | None:
    """The plan that leaves fewest points, then fewest tiles, one at least; None if ``must`` stays.

    ``search.must`` has to be laid.
    """
    useless = search.useless()
    kept = _cost(useless)
    search.keeps = True
    everything = kept + 1 + search.okeys * OKEY_COST + _cost(search.natural)
    found = search.run(
        search.natural - useless, search.okeys, everything, kept, laid=search.must is None
    )
    return None if found is None else search.plan


def lay_all(search: LaySearch) -> list[Unit] | None:
    """The plan that lays all but one tile, which is discarded.

    An okey comes first, then the highest number, then the first colour. None where nothing will do.
    """
    useless = search.useless()
    if size_of_bits(useless) > 1:
        return None
    search.keeps = False
    discards = [kind for number in range(12, -1, -1) for kind in range(number, 52, 13)]
    for kind in (53, *discards):
        one = 1 << 2 * kind if kind < 52 else 0
        copies = search.natural >> 2 * kind & 3 if kind < 52 else search.okeys
        if not copies or useless & ~one:
            continue
        if kind == search.must and copies == 1:
            continue
        okeys = search.okeys - (kind == 53)
        found = search.run(search.natural - one, okeys, 1, 0, laid=search.must is None)
        if found is not None:
            return search.plan
    return None
