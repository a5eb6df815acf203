"""Change the code in one place at a time and see whether a test notices: ``make mutants``.

A seeded sample is drawn from all single changes to comparisons, conditions, constants and
arithmetic in ``game/``, ``solver/`` and ``server/tables/`` (``changes.py``). Each is made in a copy
of the tree, and the tests that reach the changed statement run there until one fails. A change no
test notices has survived; so has one that no test reaches. ``benchmarks/mutants.md`` is written
from the results.

Which tests reach which statement is learned once (``reach.py``). Results go to a file line by
line, so that a run that was cut off goes on. All of it lies in ``.mutants/``, which may be thrown
away; after edits ``--again survivors`` tries anew what had survived.

Why no ready tool: mutmut 3 knows which function a test calls, not which line it reaches, so that a
change in the judge costs nearly all tests of the rules; it changes functions alone, not the
constants of modules and classes. cosmic-ray keeps no such map at all: it runs one command for every
change. Neither draws a sample that stays the same when code elsewhere is edited, and both start
the tests anew each time, which is a second or two for each of 300 changes before the first test.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mutants.changes import FOLDERS, PACKAGE, ROOT, Mutant, all_mutants, drawn
from mutants.reach import HOME, Reach, Unit
from mutants.sandbox import Session, copy_tree, in_a_process, run_pytest

REASONS = ROOT / "benchmarks" / "mutants_equal.json"
FIRST, SECOND = 2.0, 12.0
"""Seconds of tests that a process gets before the next one is started with slower tests."""
NO_TESTS = 5
"""The exit status of pytest that means our own mistake."""


class Result(NamedTuple):
    """What became of a change."""

    key: str
    killed: bool
    by: str
    """The test that noticed it, or what it ran into."""
    tests: int
    """How many tests had been started for it, all those of the last process included."""
    seconds: float


def stages(units: Sequence[Unit], limit_s: float) -> Iterator[list[Unit]]:
    """The units by processes: a few seconds, some more, and all the rest up to the limit."""
    spent, part, bounds = 0.0, list[Unit](), [FIRST, SECOND]
    for unit in units:
        if spent + unit.cost > limit_s and spent:
            break
        if part and bounds and spent + unit.cost > bounds[0]:
            yield part
            part = []
            while bounds and spent + unit.cost > bounds[0]:
                bounds.pop(0)
        part.append(unit)
        spent += unit.cost
    if part:
        yield part


def evaluate(mutant: Mutant, reach: Reach, folder: Path, limit_s: float) -> Result:
    """Make the change in the copy, run what reaches it, and take it back."""
    began = time.monotonic()
    changed = folder / "tree" / PACKAGE / mutant.path
    source = changed.read_bytes()
    tests = 0
    by = "no test reaches it"
    killed = False
    changed.write_bytes(mutant.text(source))
    try:
        for stage in stages(reach.units(mutant), limit_s):
            names = [name for unit in stage for name in unit.tests]
            files = list(dict.fromkeys(unit.file for unit in stage))
            tests += len(names)
            expected = sum(unit.cost for unit in stage)

            def work(tree: Path, names: list[str] = names, files: list[str] = files) -> object:
                sys.dont_write_bytecode = True
                os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
                session = Session(names)
                code = run_pytest(tree, files, session, stop=True)
                return {"code": code, "failed": session.failed, "passed": len(session.passed)}

            outcome = in_a_process(folder, work, 10 + 5 * expected, 60 + 30 * expected)
            answer = outcome.answer
            if outcome.late:
                killed, by = True, "time limit"
            elif answer is None:
                killed, by = True, "the process died"
            elif answer["code"] == NO_TESTS:
                raise RuntimeError(f"no tests for {mutant.key}; see {folder / 'log.txt'}")
            elif answer["code"] == 0:
                by = "all tests passed"
                continue
            else:
                killed, by = True, str(answer["failed"] or f"pytest ended with {answer['code']}")
            break
    finally:
        changed.write_bytes(source)
    return Result(mutant.key, killed, by, tests, round(time.monotonic() - began, 2))


_WORKER: list[tuple[Reach, Path, float]] = []


def _begin(reach: Reach, numbers: multiprocessing.Queue[int], limit_s: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _WORKER.append((reach, HOME / f"worker-{numbers.get()}", limit_s))


def _work(mutant: Mutant) -> Result:
    return evaluate(mutant, *_WORKER[0])


def run(mutants: Sequence[Mutant], reach: Reach, jobs: int, limit_s: float) -> Generator[Result]:
    """Evaluate changes in so many processes, each with a copy of its own."""
    context = multiprocessing.get_context("fork")
    numbers: multiprocessing.Queue[int] = context.Queue()
    for number in range(jobs):
        folder = HOME / f"worker-{number}"
        if number:
            shutil.copytree(HOME / "worker-0" / "tree", folder / "tree", dirs_exist_ok=True)
        numbers.put(number)
    with context.Pool(jobs, _begin, (reach, numbers, limit_s)) as pool:
        yield from pool.imap_unordered(_work, mutants)


def read_results() -> dict[str, Result]:
    """The last result of each change."""
    file = HOME / "results.jsonl"
    rows = file.read_text().splitlines() if file.exists() else []
    found = (Result(**json.loads(row)) for row in rows)
    return {result.key: result for result in found}


def report(sample: Sequence[Mutant], results: dict[str, Result], seed: int) -> str:
    """The page on a whole sample, with the reasons kept beside it."""
    reasons: dict[str, str] = json.loads(REASONS.read_text()) if REASONS.exists() else {}
    killed = [m for m in sample if results[m.key].killed]
    alive = [m for m in sample if not results[m.key].killed]
    today = datetime.now(UTC).date()
    version = ".".join(map(str, sys.version_info[:3]))
    possible = all_mutants()
    out = [
        "# Mutants",
        "",
        "One change at a time to a comparison, a condition, a constant or arithmetic in `game/`,",
        "`solver/` and `server/tables/`; then the tests that reach the changed statement run, the",
        "quickest first, until one fails. A change that no test notices, or that none reaches, has",
        "survived; one after which a test runs on beyond its limit counts as killed.",
        (
            f"Made by `make mutants`, seed {seed}; {today}, CPython {version}, Linux. Of"
            f" {len(possible):,} such changes {len(sample)} were drawn."
        ),
        "",
        "| folder | possible | drawn | killed | of these by a limit | survived |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    limits = ("time limit", "the process died")
    for folder in (*FOLDERS, ""):
        inside = [m for m in sample if m.path.startswith(folder)]
        dead = [m for m in inside if m in killed]
        late = sum(1 for m in dead if results[m.key].by in limits)
        size = sum(1 for m in possible if m.path.startswith(folder))
        name = f"`{folder}/`" if folder else "all"
        row = (f"{size:,}", len(inside), len(dead), late, len(inside) - len(dead))
        out.append(f"| {name} | " + " | ".join(map(str, row)) + " |")
    share = 100 * len(killed) / len(sample)
    real = 100 * len(killed) / sum(m in killed or m.key not in reasons for m in sample)
    out += ["", f"Killed: {share:.1f} %; {real:.1f} % without those that change nothing."]
    out += ["", "## What survived", ""]
    out += ["| place | change | why it changes nothing |", "| --- | --- | --- |"]
    for mutant in alive:
        change = mutant.change.replace("|", "\\|")
        why = reasons.get(mutant.key, "**open**")
        out.append(f"| {mutant.path}:{mutant.line} | `{change}` | {why} |")
    return "\n".join(out) + "\n"


def main() -> None:
    """Read the command line, draw, run, and tell."""
    parser = argparse.ArgumentParser(
        description="Change the code in one place at a time and see whether a test notices."
    )
    parser.add_argument("--seed", type=int, default=12, help="draws the sample (12)")
    parser.add_argument("--count", type=int, default=300, help="size of the sample (300)")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="PATH[:LINE]",
        help="draw from this folder, file or line alone, below src/okey101; may be given again",
    )
    parser.add_argument("--list", action="store_true", help="print the sample and run nothing")
    parser.add_argument("--jobs", type=int, default=1, help="changes tried at a time (1)")
    parser.add_argument(
        "--limit", type=float, default=120.0, help="seconds of tests a change gets at most (120)"
    )
    parser.add_argument(
        "--again",
        choices=("survivors", "all"),
        help="forget earlier results: of what survived, or all",
    )
    parser.add_argument("--learn", action="store_true", help="learn anew which test reaches what")
    parser.add_argument("--write", action="store_true", help="write benchmarks/mutants.md")
    chosen = parser.parse_args()
    sample = drawn(chosen.seed, chosen.count, chosen.only)
    if chosen.list:
        for mutant in sample:
            print(f"{mutant.path}:{mutant.line}: {mutant.change}")
        return
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    first = HOME / "worker-0"
    copy_tree(first / "tree")
    import hypothesis  # noqa: F401  # loaded once, before the forks
    import pytest  # noqa: F401

    reach = Reach.load(first, anew=chosen.learn)
    known = {} if chosen.again == "all" else read_results()
    if chosen.again == "survivors":
        known = {key: result for key, result in known.items() if result.killed}
    todo = [mutant for mutant in sample if mutant.key not in known]
    began = time.monotonic()
    with (HOME / "results.jsonl").open("a") as file:
        for at, result in enumerate(run(todo, reach, chosen.jobs, chosen.limit), 1):
            known[result.key] = result
            file.write(json.dumps(result._asdict(), ensure_ascii=False) + "\n")
            file.flush()
            left = (time.monotonic() - began) / at * (len(todo) - at) / 60
            word = "killed  " if result.killed else "SURVIVED"
            print(
                f"[{at}/{len(todo)}, {left:.0f} min left] {word} {result.seconds:6.1f} s"
                f"  {result.key}  ({result.by})",
                flush=True,
            )
    survivors = [mutant for mutant in sample if not known[mutant.key].killed]
    print(f"{len(sample) - len(survivors)} of {len(sample)} killed; survived:")
    for mutant in survivors:
        print(f"  {mutant.path}:{mutant.line}: {mutant.change}")
    if chosen.write:
        page = ROOT / "benchmarks" / "mutants.md"
        page.write_text(report(sample, known, chosen.seed), encoding="utf-8")


if __name__ == "__main__":
    main()
