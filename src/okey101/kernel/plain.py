"""What is written once: functions on flat rows, run as plain Python and compiled by the kernel.

A module that is written with these needs neither Numba nor NumPy. ``compiling.adopt`` compiles its
functions, those without a mark into their callers, and they may not make arrays; Numba then takes
each for the compiled one wherever compiled code names it. In plain Python a row is a list of
integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., object])


class Row(Protocol):
    """Integers by their places: a list, or an array of 64-bit integers."""

    def __getitem__(self, place: int, /) -> int: ...

    def __setitem__(self, place: int, number: int, /) -> None: ...

    def __len__(self) -> int: ...


class Rows(Protocol):
    """Rows by their places: a list of lists, or an array of two dimensions."""

    def __getitem__(self, place: int, /) -> Row: ...

    def __len__(self) -> int: ...


Tables: TypeAlias = tuple[object, Row]
"""What the solver is asked with: its tables in the kernel, and room to work in."""

Best: TypeAlias = tuple[int, int, int]
"""The points of the best arrangement of a rack, and the tiles that it leaves."""

marks: dict[Callable[..., object], str] = {}
"""How functions are compiled that are not just compiled into their callers."""


def apart(function: _Function) -> _Function:
    """Mark a function that the kernel compiles for itself; all its parameters have annotations."""
    marks[function] = "apart"
    return function


def compiled(function: _Function) -> _Function:
    """Mark a function that Python calls as well, by :func:`okey101.kernel.compiling.made_of`."""
    marks[function] = "compiled"
    return function


def popcount(bits: int) -> int:
    """How many bits are set in a mask from 0 to 2**63 - 1."""
    return int(bits).bit_count()


def each(bits: int) -> Iterator[int]:
    """The places of the bits set in a mask from 0 to 2**63 - 1, the lowest first."""
    bits = int(bits)
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def first_bit(bits: int) -> int:
    """The place of the lowest bit set in a mask; the mask is not 0."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1
