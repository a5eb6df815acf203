"""Look for the racks that the solver takes longest for, by hill climbing on its table look-ups.

``python benchmarks/worst_racks.py [--seconds S]`` writes ``worst_racks.json`` beside this file,
starting from the racks that are there. Look-ups are counted, not time, so a run can be repeated.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from okey101.solver.objectives import WEIGHTS
from okey101.solver.search import TooLongError, checked_natural_bits, search
from okey101.solver.tables import RunTable, run_table
from okey101.tiles import Rack, Tile

FILE = Path(__file__).with_name("worst_racks.json")
OKEY = Tile.R1
"""The okey of all racks here: its kind can only be held as false jokers, as anywhere."""
SIZE = 22


class Counting(Sequence[int]):
    """A plane of a run table that counts how often it is read."""

    def __init__(self, cells: Sequence[int]) -> None:
        self.cells = cells
        self.reads = 0

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, index: Any) -> Any:
        self.reads += 1
        return self.cells[index]


def counting(name: str) -> tuple[RunTable, Counting]:
    """A table that counts the look-ups of its first plane: four a node."""
    table = RunTable(name)
    plane = Counting(table.none)
    table.none = plane
    return table, plane


def climb(name: str, okeys: int, seconds: float, rng: random.Random, start: str) -> dict[str, Any]:
    """The worst rack found in that time, starting again whenever no change makes it worse."""
    table, plane = counting(name)
    deck = [tile for tile in range(53) for _ in range(2) if tile != OKEY]

    def cost(tiles: list[int]) -> int:
        plane.reads = 0
        bits = sum(1 << 2 * tile for tile in tiles) + (okeys << 106)
        try:
            search(checked_natural_bits(bits, OKEY), okeys, table)
        except TooLongError:
            return 1 << 30
        return plane.reads

    def fresh() -> list[int]:
        low, high = sorted(rng.sample(range(14), 2))
        dense = [t for t in deck if t < 52 and low <= t % 13 < max(high, low + 4)]
        return rng.sample(
            dense if len(dense) >= SIZE and rng.random() < 0.7 else deck, SIZE - okeys
        )

    worst = [int(t) for t in Rack.parse(start) if t != Tile.OKEY] if start else fresh()
    most = cost(worst)
    now, reads, stale = worst, most, 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        tiles = list(now)
        for _ in range(rng.choice((1, 1, 2, 3))):
            rest = list(deck)
            for tile in tiles:
                rest.remove(tile)
            tiles[rng.randrange(len(tiles))] = rng.choice(rest)
        more = cost(tiles)
        stale = 0 if more > reads else stale + 1
        if more >= reads:
            now, reads = tiles, more
        if reads > most:
            worst, most = now, reads
        if stale > 600:
            now = fresh()
            reads, stale = cost(now), 0
    rack = Rack([*worst, *[Tile.OKEY] * okeys])
    return {"table": name, "okeys": okeys, "rack": str(rack), "lookups": most}


def main() -> None:
    """Climb for every table and number of okeys."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for all climbs together")
    parser.add_argument("--seed", type=int, default=101)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    known = {
        (entry["table"], entry["okeys"]): entry["rack"]
        for entry in (json.loads(FILE.read_text()) if FILE.exists() else [])
    }
    found = []
    for name in WEIGHTS:
        for okeys in range(3):
            seconds = arguments.seconds / (3 * len(WEIGHTS))
            found.append(climb(name, okeys, seconds, rng, known.get((name, okeys), "")))
            run_table.cache_clear()
            print(found[-1])
    FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
