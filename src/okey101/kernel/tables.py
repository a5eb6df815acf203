"""The solver's tables as arrays, and room to work in."""

from __future__ import annotations

import threading
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okey101.kernel.compiling import Row
from okey101.solver.sets import set_usages
from okey101.solver.tables import VECTORS, raw_table

__all__ = [
    "ACTIONS",
    "HIGH",
    "LOW",
    "MOST",
    "OPTIONS",
    "POWERS",
    "SEEN",
    "SEEN_SIZE",
    "STARTS",
    "TILES_AT",
    "Tables",
    "tables",
]

TILES_AT: Final = 4 * VECTORS
"""Where the run tables by tiles begin, after those by points. Each index has four cells, so that
one reading from memory brings them all: the weight without an okey, what one adds, what two add,
and a cell that is not used."""

# The room: what comes and goes, then what stays.
SEEN: Final = 10_240
"""Where searches note what they have seen, ``SEEN_SIZE`` words."""
SEEN_SIZE: Final = 4_096
ACTIONS: Final = SEEN + SEEN_SIZE
"""Room for a list of legal actions."""
_ROOM: Final = ACTIONS + 16_384
LOW: Final = _ROOM
"""The index of a mask of the numbers 1 to 7 in a plane: 3 to the power of each, added up."""
HIGH: Final = LOW + 128
"""The same for the numbers 8 to 13."""
POWERS: Final = HIGH + 64
"""3 to the power of a number counted from 0."""
MOST: Final = POWERS + 16
"""The largest set of a column with no okey in bits 0-3, with one at most in 4-7, with two in 8-11;
by the okeys there are and the column's counts to the base 3."""
STARTS: Final = MOST + 3 * 81
"""Where the set options of a column begin, by the okeys there are and its counts to the base 3."""
OPTIONS: Final = STARTS + 3 * 81 + 1
"""Set options, lightest first: bits 0-3 their tiles and okeys, 4-5 the okeys, 8-15 two bits for
the tiles of each colour."""

Tables: TypeAlias = tuple[NDArray[np.uint16], Row]
"""What every function of the solver is given: the run tables, and the room of the thread."""

_local = threading.local()
_lock = threading.Lock()
_shared: list[Tables] = []


def tables() -> Tables:
    """The tables, read once, with room for the thread that asks: no two threads may share it."""
    found: Tables | None = getattr(_local, "tables", None)
    if found is None:
        with _lock:
            if not _shared:
                _shared.append((_runs(), _room()))
        found = _shared[0][0], _shared[0][1].copy()
        _local.tables = found
    return found


def _runs() -> NDArray[np.uint16]:
    cells = np.zeros((2, VECTORS, 4), dtype=np.uint16)
    for which, name in enumerate(("points_tiles", "tiles_points")):
        planes = np.frombuffer(raw_table(name), dtype="<u2").reshape(3, VECTORS)
        cells[which, :, :3] = planes.T
    return cells.reshape(-1)


def _room() -> Row:
    low = [sum(3**n for n in range(7) if mask >> n & 1) for mask in range(128)]
    high = [sum(3 ** (n + 7) for n in range(6) if mask >> n & 1) for mask in range(64)]
    powers = [3**n for n in range(16)]
    starts, options, most = [0], [], []
    for okeys in range(3):
        for key in range(81):
            counts = (key % 3, key // 3 % 3, key // 9 % 3, key // 27)
            usages = [(sum(taken) + used, used, taken) for taken, used in set_usages(counts, okeys)]
            usages.sort(key=lambda usage: (-usage[0], usage[1], usage[2]), reverse=True)
            for size, used, (a, b, c, d) in usages:
                options.append(size | used << 4 | a << 8 | b << 10 | c << 12 | d << 14)
            starts.append(len(options))
            most.append(0)
            for wild in range(3):
                sizes = [size for size, used, _ in usages if used <= wild]
                most[-1] |= max(sizes, default=0) << 4 * wild
    starts = [OPTIONS + start for start in starts]
    fixed = [*low, *high, *powers, *most, *starts, *options]
    return np.array([0] * _ROOM + fixed, dtype=np.int64)
