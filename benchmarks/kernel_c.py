"""What C could do: the search for the best arrangement, compiled by the system's C compiler.

``python -m benchmarks.kernel_c`` compiles kernel_c.c in a temporary folder, asks both for the same
racks, and prints microseconds a search. Nothing of it is part of the package.
"""

from __future__ import annotations

import ctypes
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

from benchmarks.measure import interleaved, median, table
from okey101.kernel import room as R, solver  # noqa: N812  # as the kernel has it
from okey101.kernel.compiling import Row, Rows
from okey101.kernel.solver import POINTS, Tables, tables

__all__ = ["report"]

RACKS = 20_000
ROUNDS = 7
_search = solver.search


@numba.njit(error_model="numpy", nogil=True)  # type: ignore[untyped-decorator]
def search_many(found: Tables, one: Row, two: Row, okeys: Row, out: Row, chosen: Rows) -> None:
    """The kernel's search, for each of the racks."""
    for i in range(len(one)):
        out[i] = _search(found, POINTS, one[i], two[i], okeys[i], -1)
        for n in range(14):
            chosen[i, n] = found[1][R.CHOSEN + n]


def racks(okeys: int) -> tuple[Row, Row]:
    """Racks of 22 tiles as they are dealt, so many of them okeys."""
    rng = random.Random(okeys)
    one, two = np.zeros(RACKS, dtype=np.int64), np.zeros(RACKS, dtype=np.int64)
    for i in range(RACKS):
        for tile in rng.sample(range(104), 22 - okeys):
            bit = 1 << tile // 2
            two[i] |= int(one[i]) & bit
            one[i] |= bit
    return one, two


def _in_c(folder: Path) -> ctypes.CDLL:
    source = Path(__file__).with_suffix(".c")
    library = folder / "kernel_c.so"
    subprocess.run(
        ["cc", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library)],
        check=True,
    )
    return ctypes.CDLL(str(library))


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def report() -> str:
    """Measure; both must have found the same."""
    found = tables()
    runs: dict[str, Callable[[], float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        library = _in_c(Path(folder))
        library.places(
            _pointer(found[0]),
            _pointer(found[1]),
            *map(ctypes.c_int64, (R.LOW, R.HIGH, R.POWERS, R.MOST)),
            ctypes.c_int64(R.STARTS),
        )
        for okeys in range(3):
            one, two = racks(okeys)
            many = np.full(RACKS, okeys, dtype=np.int64)
            out = np.zeros((2, RACKS), dtype=np.int64)
            chosen = np.zeros((2, RACKS, 14), dtype=np.int64)

            def numba_time(
                one: Row = one, two: Row = two, many: Row = many, out: Rows = out,
                chosen: Rows = chosen,
            ) -> float:  # fmt: skip
                start = time.process_time()
                search_many(found, one, two, many, out[0], chosen[0])
                return (time.process_time() - start) / RACKS * 1e6

            def c_time(
                one: Row = one, two: Row = two, many: Row = many, out: Rows = out,
                chosen: Rows = chosen,
            ) -> float:  # fmt: skip
                start = time.process_time()
                library.search_many(
                    ctypes.c_int64(RACKS), *map(_pointer, (one, two, many, out[1], chosen[1]))
                )
                return (time.process_time() - start) / RACKS * 1e6

            numba_time()
            c_time()
            assert (out[0] == out[1]).all()
            assert (chosen[0] == chosen[1]).all()
            runs[f"{okeys} okeys, Numba"] = numba_time
            runs[f"{okeys} okeys, C"] = c_time
        figures = interleaved(runs, ROUNDS)
    rows = [
        (name, f"{median(f):.2f}", f"{min(f):.2f} to {max(f):.2f}") for name, f in figures.items()
    ]
    return table(("rack", "µs a search", "range"), rows)


if __name__ == "__main__":
    print(report())
