"""The solver's speed, against CP-SAT on the same racks in the same run; a section of Markdown.

``python benchmarks/solver.py`` prints it in a minute or so; needs ortools.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

from okey101.solver import (
    Objective,
    Place,
    arrange_bits,
    arrangements_bits,
    best_value_bits,
    can_lay_all_but_one_bits,
    count_pairs_bits,
    max_laid_bits,
    outs_bits,
)
from okey101.solver.search import TooLongError, checked_natural_bits, search
from okey101.solver.tables import run_table
from okey101.tiles import Rack, Tile, distinct_bits

# As a script it finds its neighbours too.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.measure import median, quantile, table

HERE = Path(__file__).resolve().parent
WORST = HERE / "worst_racks.json"
OBJECTIVES = (Objective.POINTS, Objective.TILES, Objective.LEFT)
OKEY = Tile.B6

Row = tuple[str, ...]


def integer_programme() -> ModuleType:
    """The programme that the tests compare the solver with."""
    spec = importlib.util.spec_from_file_location("ip", HERE.parent / "tests" / "solver" / "ip.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ip"] = module
    spec.loader.exec_module(module)
    return module


def racks(okeys: int, count: int, seed: int) -> list[int]:
    """Random hands of 21 and 22 tiles in turn, with that many okeys."""
    rng = random.Random(seed)
    deck = [tile for tile in range(53) for _ in range(2) if tile != OKEY]
    return [
        sum(1 << 2 * tile for tile in rng.sample(deck, 21 + number % 2 - okeys)) + (okeys << 106)
        for number in range(count)
    ]


def seconds(question: Callable[[], object], repeats: int = 3) -> float:
    """The shortest of a few runs: the machine may be busy with other things."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        question()
        best = min(best, time.perf_counter() - start)
    return best


def micros(times: Sequence[float]) -> tuple[str, str]:
    """Median and 99th percentile."""
    return f"{median(times) * 1e6:,.1f}", f"{quantile(times, 0.99) * 1e6:,.1f}"


def by_programme(
    ip: ModuleType, held: list[int], okeys: int, tile: list[int], wild: list[int]
) -> object:
    """CP-SAT's answer, building the model included."""
    return ip.optimum(held, okeys, ip.runs(held, okeys) + ip.sets(held, okeys), tile, wild)


def against_cp_sat(count: int = 250) -> list[Row]:
    """``best_value_bits`` and the integer programme on the same racks, objectives in turn."""
    ip = integer_programme()
    faces = [kind % 13 + 1 for kind in range(52)]
    rows: list[Row] = []
    for okeys in range(3):
        ours, theirs = [], []
        for number, bits in enumerate(racks(okeys, count, okeys)):
            objective = OBJECTIVES[number % 3]
            natural = checked_natural_bits(bits, OKEY)
            held = [natural >> 2 * kind & 3 for kind in range(52)]
            tile = [1] * 52 if objective is Objective.TILES else faces
            wild = {"points": list(range(14)), "tiles": [1] * 14, "left": [101] * 14}[objective]

            programme = partial(by_programme, ip, held, okeys, tile, wild)
            ours.append(seconds(partial(best_value_bits, bits, OKEY, objective)))
            theirs.append(seconds(programme, 2))
            value = best_value_bits(bits, OKEY, objective)
            if objective is Objective.LEFT:
                value = Rack.from_bits(bits).points(OKEY) - value
            if value != programme():
                raise AssertionError(f"no agreement on {Rack.from_bits(bits)}")
        ratio = median(theirs) / median(ours)
        rows.append((str(okeys), str(count), *micros(ours), *micros(theirs), f"{ratio:,.0f}"))
    return rows


def table_of_four(rng: random.Random) -> list[Place]:
    """Some runs and sets of three, as after a few openings."""
    places: list[Place] = []
    for _ in range(6):
        low = rng.randint(1, 11)
        places.append(("run", rng.randrange(4), low, min(13, low + rng.randint(2, 4))))
    for _ in range(3):
        taken = sum(1 << colour for colour in rng.sample(range(4), 3))
        places.append(("set", rng.randint(1, 13), taken, 0))
    return places


def other_questions(count: int = 120) -> list[Row]:
    """Median and 99th percentile of the other questions, by okeys."""
    rng = random.Random(7)
    tables = [table_of_four(rng) for _ in range(count)]
    questions: dict[str, Callable[[int, int], object]] = {
        "arrange": lambda b, _: arrange_bits(b, OKEY),
        "arrange, a tile forced": lambda b, _: arrange_bits(b, OKEY, must=distinct_bits(b)[0]),
        "ten best arrangements": lambda b, _: arrangements_bits(b, OKEY, Objective.POINTS, 10),
        "outs, all tiles": lambda b, _: outs_bits(b, OKEY),
        "pairs, counted": lambda b, _: count_pairs_bits(b, OKEY),
        "most laid, 9 places": lambda b, i: max_laid_bits(b, OKEY, tables[i]),
        "all but one laid, 9 places": lambda b, i: can_lay_all_but_one_bits(b, OKEY, tables[i]),
    }
    hands = [racks(okeys, count, 10 + okeys) for okeys in range(3)]
    rows: list[Row] = []
    for name, question in questions.items():
        cells: list[str] = []
        for okeys in range(3):
            some = hands[okeys] if name != "ten best arrangements" else hands[okeys][:40]
            times = [seconds(partial(question, bits, i), 2) for i, bits in enumerate(some)]
            cells.append(" / ".join(micros(times)))
        rows.append((name, *cells))
    return rows


def worst_racks() -> list[Row]:
    """The racks that hill climbing has found to take longest."""
    rows: list[Row] = []
    for entry in json.loads(WORST.read_text()):
        bits = Rack.parse(entry["rack"]).bits
        natural, okeys = checked_natural_bits(bits, Tile.R1), entry["okeys"]
        runs = run_table(entry["table"])
        given_up = ""
        try:
            search(natural, okeys, runs)
        except TooLongError:
            given_up = " (given up)"
        objective = Objective(entry["table"])
        plain = entry["table"] in ("points", "tiles", "left")
        question = best_value_bits if plain else arrange_bits
        took = seconds(partial(question, bits, Tile.R1, objective))
        rows.append((entry["table"], str(okeys), f"{took * 1e3:.1f}{given_up}", entry["rack"]))
    return rows


def first_answer() -> list[Row]:
    """A fresh interpreter to its first answer, and to nothing."""
    code = "from okey101.solver import best_value_bits; best_value_bits(0x155, 51)"
    source = {**os.environ, "PYTHONPATH": str(HERE.parent / "src")}

    def start(code: str) -> float:
        return seconds(
            lambda: subprocess.run([sys.executable, "-c", code], env=source, check=True), 7
        )

    return [
        ("interpreter alone", f"{start('pass') * 1e3:.0f}"),
        ("import and one `best_value`", f"{start(code) * 1e3:.0f}"),
    ]


def report() -> str:
    """All of it as a section of Markdown."""
    return "\n\n".join(
        [
            "## Solver",
            (
                "Plain Python, one thread, random hands of 21 and 22 tiles (points, tiles and "
                "least left in turn). CP-SAT solves over the melds the hand can make, model "
                "building included; both agreed on every hand. Microseconds; each hand's best "
                "of a few repeats."
            ),
            table(
                ("okeys", "hands", "median", "p99", "CP-SAT median", "CP-SAT p99", "times faster"),
                against_cp_sat(),
            ),
            "Other questions, 21 and 22 tiles, median / p99 in microseconds by number of okeys:",
            table(("question", "0", "1", "2"), other_questions()),
            (
                "The worst hands of 22 tiles found by hill climbing (`worst_racks.py`), in "
                "milliseconds (plain tables `best_value`, the others `arrange`; the okey is red 1):"
            ),
            table(("table", "okeys", "ms", "rack"), worst_racks()),
            "Fresh interpreter, milliseconds:",
            table(("start", "ms"), first_answer()),
        ]
    )


if __name__ == "__main__":
    print(report())
