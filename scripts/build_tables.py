"""Build the run tables of the solver: ``python scripts/build_tables.py`` (needs numpy).

For each of the 3^13 ways to hold the tiles of one colour (no, one or two copies of each number)
and for each objective, the best weight of runs with no okey, and what one and two okeys add.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from okey101.solver.objectives import WEIGHTS, TableWeights

Values = npt.NDArray[np.int32]
State = tuple[int, int, int]
FOLDER = Path(__file__).resolve().parent.parent / "src" / "okey101" / "solver" / "data"
NEVER = -(1 << 20)


def states(open_runs: int) -> list[State]:
    """How many open runs have one, two, and three or more tiles."""
    span = range(open_runs + 1)
    return [(a, b, c) for a in span for b in span for c in span if a + b + c <= open_runs]


def moves(state: State, open_runs: int) -> Iterator[tuple[int, State]]:
    """How many tiles of the next number go into runs, and the open runs after it."""
    one, two, long = state
    for tiles in range(one + two, open_runs + 1):
        # Runs of one and two must go on; only then are long ones extended, and new ones begun.
        free = tiles - one - two
        extended = min(long, free)
        yield tiles, (free - extended, one, two + extended)


def best_runs(weights: TableWeights, *, open_runs: int = 3) -> list[Values]:
    """Best weights of runs by the base-3 index of the counts, for 0, 1 and 2 okeys.

    Three open runs in a colour are enough: an okey may be a third copy, and allowing a fourth
    changes no entry of any table (the tests show it).
    """
    after = {
        (state, okeys): np.full(1, 0 if state[0] == state[1] == 0 else NEVER, np.int32)
        for state in states(open_runs)
        for okeys in range(3)
    }
    for number in range(13, 0, -1):
        now = {}
        for state in states(open_runs) if number > 1 else [(0, 0, 0)]:
            for okeys in range(3):
                best = np.full((len(after[state, okeys]), 3), NEVER, np.int32)
                for tiles, then in moves(state, open_runs):
                    for as_okeys in range(max(0, tiles - 2), min(okeys, tiles) + 1):
                        real = tiles - as_okeys
                        value = after[then, okeys - as_okeys] + (
                            real * weights.tile[number] + as_okeys * weights.okey[number]
                        )
                        for count in range(real, 3):
                            np.maximum(best[:, count], value, out=best[:, count])
                now[state, okeys] = best.reshape(-1)
        after = now
    return [after[(0, 0, 0), okeys] for okeys in range(3)]


def table(weights: TableWeights) -> bytes:
    """A table as it ships, uncompressed: three planes of little-endian unsigned integers."""
    none, one, two = best_runs(weights)
    kind = np.dtype(f"<u{weights.size}")
    planes = [none, one - none, two - none]
    if any(plane.min() < 0 or plane.max() > np.iinfo(kind).max for plane in planes):
        raise OverflowError(f"weights do not fit in {weights.size} bytes")
    return b"".join(plane.astype(kind).tobytes() for plane in planes)


def main() -> None:
    """Write every table, or with ``--check`` compare it with the existing one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    FOLDER.mkdir(exist_ok=True)
    for objective, weights in WEIGHTS.items():
        path = FOLDER / f"{objective}.xz"
        raw = table(weights)
        if check:
            if lzma.decompress(path.read_bytes()) != raw:
                raise SystemExit(f"{path.name} differs")
        else:
            path.write_bytes(lzma.compress(raw, preset=9))
        print(f"{path.name}: {len(raw)} bytes, {path.stat().st_size} compressed")


if __name__ == "__main__":
    main()
