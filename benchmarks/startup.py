"""How long a fresh interpreter takes: the version, a first answer and choice, other commands."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import interleaved, median, quantile, table

__all__ = ["report"]

ROUNDS = 15
SRC = Path(__file__).resolve().parents[1] / "src"
FIRST_ANSWER = (
    "import okey101;"
    "rack = okey101.Rack.parse('R7 R8 R9 K11 Y11 * F K1', okey=okey101.Tile.B6);"
    "assert okey101.best_value(rack, okey101.Tile.B6) == 57"
)
FIRST_CHOICE = (
    "from okey101.bots.registry import make_bot;"
    "from okey101.game import PRESETS, Deal, Options, deal_from_seed, view_of;"
    "rules = PRESETS['altinstar'];"
    "deal = Deal.start(rules, deal_from_seed(rules, bytes(32), 0));"
    "view = view_of(deal, deal.turn);"
    "make_bot('champion', 1).choose(view, Options(view))"
)
AIMS = {"version": "0.15 s", "answer": "0.25 s", "choice": "2 s"}


def _process(*arguments: str) -> Callable[[], float]:
    """A run of Python with these arguments, timed from outside in seconds."""
    environ = {name: text for name, text in os.environ.items() if name != "PYTHONSTARTUP"}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    environ["PYTHONPATH"] = str(SRC)

    def run() -> float:
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments],
            check=True,
            env=environ,
            stdout=subprocess.DEVNULL,
        )
        return time.perf_counter() - start

    return run


def report() -> str:
    """The section of results.md: medians of interleaved runs, beside an idle interpreter."""
    cli = ("-m", "okey101")
    rack = ("R7 R8 R9 K11 Y11 * F K1", "--okey", "B6")
    runs = {
        "`python -c pass`": (_process("-c", "pass"), ""),
        "`okey101 version`": (_process(*cli, "version"), AIMS["version"]),
        "`import okey101`": (_process("-c", "import okey101"), ""),
        "`import okey101` and a first solver answer": (
            _process("-c", FIRST_ANSWER),
            AIMS["answer"],
        ),
        "`okey101 solve RACK --json`": (_process(*cli, "solve", *rack, "--json"), ""),
        "`okey101 solve RACK`": (_process(*cli, "solve", *rack), ""),
        "`okey101 --help`": (_process(*cli, "--help"), ""),
        "a first choice of `champion`": (_process("-c", FIRST_CHOICE), AIMS["choice"]),
    }
    for run, _ in runs.values():
        run()  # the first run writes the byte code
    figures = interleaved({name: run for name, (run, _) in runs.items()}, ROUNDS)
    rows = [
        (name, f"{median(times):.3f} s", f"{quantile(times, 0.9):.3f} s", runs[name][1])
        for name, times in figures.items()
    ]
    words = (
        f"Wall time of a fresh process, {ROUNDS} interleaved runs each, byte code, compiled code"
        " and files in the cache. Texts for people need the catalogues and the option parser; JSON"
        " answers do without the catalogues."
    )
    head = ("what", "median", "9 of 10 within", "aim")
    return f"## Start-up\n\n{words}\n\n{table(head, rows)}\n"
