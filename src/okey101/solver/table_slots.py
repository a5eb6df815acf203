"""The open places of a table: runs grow at both ends, sets of three take a fourth (M4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from okey101.errors import OkeyError
from okey101.solver.sets import Taken

__all__ = ["Place", "Places", "RunPlace", "SetLay", "SetPlace", "set_lays"]


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
SetLay = tuple[tuple[int | None, ...], Taken, int]
"""What goes onto the sets of one number: for each its colour, None (nothing) or -1 (an okey);
then the natural tiles by colour, and the okeys."""


class Places:
    """The places of a table, by colour and number, with their positions in the sequence given.

    Raises OkeyError ``bad-place`` for what is no open run or set of three.
    """

    def __init__(self, places: Sequence[Place]) -> None:
        self.ends_before: dict[tuple[int, int], list[int]] = {}
        """Runs that a chain of tiles up to this number of this colour joins from below."""
        self.begins_after: dict[tuple[int, int], list[int]] = {}
        """Runs that tiles after this number of this colour extend."""
        self.sets: dict[int, list[int]] = {}
        """Sets of a number."""
        self.free: dict[int, tuple[int, ...]] = {}
        """The free colours of the sets of a number, as bits."""
        self.places = list(places)
        for index, (shape, first, second, third) in enumerate(places):
            if shape == "run" and 0 <= first < 4 and 1 <= second <= third - 2 <= 11:
                self.ends_before.setdefault((first, second - 1), []).append(index)
                self.begins_after.setdefault((first, third), []).append(index)
            elif (
                shape == "set"
                and 1 <= first <= 13
                and 0 <= second < 16
                and second.bit_count() + third == 3
            ):
                self.sets.setdefault(first, []).append(index)
            else:
                raise OkeyError("bad-place", f"place {index} takes no tile", place=index)
        for number, indices in self.sets.items():
            self.free[number] = tuple(15 & ~places[index][2] for index in indices)


@lru_cache(maxsize=1 << 14)
def set_lays(free: tuple[int, ...], counts: Taken, okeys: int) -> tuple[SetLay, ...]:
    """Every way to lay tiles of one number and okeys onto sets with these free colours."""
    return tuple(_set_lays(free, counts, okeys))


def _set_lays(free: tuple[int, ...], counts: Taken, okeys: int) -> Iterator[SetLay]:
    options: list[list[int | None]] = [
        [None, -1, *(colour for colour in range(4) if mask >> colour & 1)] for mask in free
    ]
    seen = set()
    for lays in product(*options):
        a, b, c, d = (lays.count(colour) for colour in range(4))
        wild = lays.count(-1)
        fits = wild <= okeys and all(x <= y for x, y in zip((a, b, c, d), counts, strict=True))
        if fits and (a, b, c, d, wild) not in seen:
            seen.add((a, b, c, d, wild))
            yield lays, (a, b, c, d), wild
