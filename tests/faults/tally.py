"""Many trials, each from its number: counted, told as they go on, and kept so that they resume."""

import argparse
import gc
import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from okey101.server.files.atomic_files import replace

_TELL_S = 10.0


class Outcome(NamedTuple):
    """What a trial came to, and what was wrong with it."""

    counts: dict[str, int]
    problems: list[str]


class Tally:
    """What many trials came to, kept in a file."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.done = 0
        self.seconds = 0.0
        self.counts: Counter[str] = Counter()
        self.problems: dict[str, list[str]] = {}
        self.mended: dict[str, str] = {}
        """The revision at which nothing was wrong any more with a trial."""
        self.revisions: list[str] = []
        if path is not None and path.exists():
            vars(self).update(json.loads(path.read_text("utf-8")))
            self.counts = Counter(self.counts)

    def add(self, number: int, found: Outcome) -> None:
        self.done += 1
        self.counts.update(found.counts)
        if found.problems:
            self.problems[str(number)] = found.problems

    def save(self) -> None:
        if self._path is not None:
            state = {name: value for name, value in vars(self).items() if name != "_path"}
            replace(self._path, json.dumps(state, indent=1, sort_keys=True).encode() + b"\n")

    def told(self, what: str) -> str:
        """The first thing that was wrong with each trial, a line each."""
        since = {n: f"; nothing any more at {made}" for n, made in self.mended.items()}
        return "".join(
            f"- {what} {n}: {found[0]}{since.get(n, '')}\n" for n, found in self.problems.items()
        )


def asked(what: str | None) -> argparse.ArgumentParser:
    """What can be asked of many trials."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--many", type=int, default=100, help="how many in all")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--one", type=int, metavar="N", help="one alone, by its number")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no more after so many")
    parser.add_argument("--write", type=Path, help="the page; beside it, what the next run goes on")
    return parser


def in_order() -> None:
    """Begin this process again where sets have another order each time: it is part of a trial."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", *_module(), *sys.argv[1:]])


def _module() -> list[str]:
    spec = sys.modules["__main__"].__spec__
    return [] if spec is None else [spec.name]


def go_on(
    work: Callable[[int], Outcome],
    args: argparse.Namespace,
    page: Callable[[Tally], str],
    *,
    until_found: bool = False,
) -> int:
    """Make the trials that are left, or one; 1 where something was wrong with any."""
    if args.one is not None:
        one = work(args.one)
        print(one.counts, *one.problems, sep="\n")
        return bool(one.problems)
    tally = Tally(args.write and args.write.with_suffix(".json"))
    gc.freeze()  # what is loaded by now is never looked through again
    last = begun = time.monotonic()
    tally.revisions = [*dict.fromkeys([*tally.revisions, _revision()])]
    for number, found in _many(
        work, range(args.first + tally.done, args.first + args.many), args.jobs
    ):
        tally.add(number, found)
        for problem in found.problems:
            print(f"{number}: {problem}", flush=True)
        if until_found and found.problems:
            break
        now = time.monotonic()
        if now - last > _TELL_S:
            tally.seconds += (now - last) * args.jobs
            tally.save()
            last, minutes = now, (now - begun) / 60
            print(f"{tally.done:,}, {len(tally.problems)} wrong, {minutes:.1f} min", flush=True)
            if args.minutes and minutes > args.minutes:
                break
    tally.seconds += (time.monotonic() - last) * args.jobs
    if args.write:
        well = (n for n in tally.problems if not _tried(work, int(n)).problems)
        tally.mended = dict.fromkeys(well, _revision())
        tally.save()
        args.write.write_text(page(tally), encoding="utf-8")
    print(f"{tally.done:,}, {len(tally.problems)} wrong")
    return bool(tally.problems)


def _many(
    work: Callable[[int], Outcome], numbers: range, jobs: int
) -> Iterator[tuple[int, Outcome]]:
    if jobs == 1:
        yield from ((number, _tried(work, number)) for number in numbers)
        return
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        yield from zip(numbers, pool.imap(partial(_tried, work), numbers), strict=True)


def _tried(work: Callable[[int], Outcome], number: int) -> Outcome:
    try:
        return work(number)
    except Exception as error:  # whatever it is, the others go on
        return Outcome({}, [f"it breaks off: {error!r}"])


def _revision() -> str:
    """The tree of what was tried, which stays the same where a commit is made anew."""
    asked = "git", "rev-parse", "--short", "HEAD:src"
    tree = subprocess.run(asked, capture_output=True, check=False)
    return tree.stdout.decode().strip() or "no revision"
