"""What a row of the kernel says, to be compared with a deal of the game."""

from collections.abc import Callable
from typing import TypeVar

import numba

from okey101.kernel import layout as at
from okey101.kernel.compiling import Row
from okey101.kernel.groups import pile_tile

_Function = TypeVar("_Function", bound=Callable[..., object])


def called(function: _Function) -> _Function:
    """A function that only compiled ones call otherwise, for a test to call."""
    original = getattr(getattr(function, "compiled", function), "py_func", None)
    return function if original is None else numba.njit(error_model="numpy")(original)


ENDS = (None, "finish", "stock", "all-pairs")


_pile_tile = called(pile_tile)


def said(row: Row) -> tuple[list[int], list[list[int]]]:
    """All that a row says: its numbers, and the tiles of the stock and of each pile.

    What lies behind the end of a list in it says nothing, and the stock begins anywhere.
    """
    ends, size = row[at.PILES : at.PILES + row[at.PLAYERS]], row[at.STOCK_LEN]
    places = [(at.STOCK, range(size - row[at.STOCK_COUNT], size))]
    places += [(at.DISCARDS + at.PILE_WORDS * seat, range(end)) for seat, end in enumerate(ends)]
    piles = [[int(_pile_tile(row, begin, i)) for i in found] for begin, found in places]
    numbers = row.copy()
    numbers[at.STOCK_LEN] = numbers[at.STOCK : at.TABLE] = 0
    numbers[at.TABLE + row[at.N_GROUPS] : at.PLACED] = 0
    numbers[at.PLACED + row[at.N_PLACED] : at.PLACED + at.MAX_PLACED] = 0
    return numbers.tolist(), piles
