"""Which tests reach which statement, learned once under coverage, one file of tests at a time.

A file of tests that has changed since is learned anew. Where the code has changed, its text as it
was learned tells which line stood where; a line that is new counts with those around it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import sys
import time
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, TypedDict

import coverage

from mutants.changes import FOLDERS, PACKAGE, ROOT, Mutant
from mutants.sandbox import Session, in_a_process, run_pytest, spent

__all__ = ["HOME", "Reach", "Unit"]

TESTS = (
    "tests/rules",
    "tests/game",
    "tests/solver",
    "tests/bots",
    "tests/sim",
    "tests/render",
    "tests/cli",
    "tests/server/protocol",
    "tests/server/tables",
    "tests/test_inputs.py",
    "tests/test_lazy_names.py",
)
"""Tests that call these folders without a browser, a network or a process of its own."""
HOME = ROOT / ".mutants"


class _Contexts:
    """Tells coverage which test runs."""

    def __init__(self, cover: coverage.Coverage) -> None:
        self._switch = cover.switch_context
        self.loaded = 0.0
        self._began = spent()

    def pytest_collection_finish(self) -> None:
        """How long it takes to load the file."""
        self.loaded = spent() - self._began

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """The test begins, with its fixtures."""
        self._switch(nodeid)


def _learn(tree: Path, test: str) -> Learned:
    """Run one file of tests under coverage: durations, and the lines each test reaches."""
    package = tree / PACKAGE
    cover = coverage.Coverage(
        data_file=None, source=[str(package)], config_file=False, messages=False
    )
    cover.set_option("run:disable_warnings", ["no-data-collected", "module-not-measured"])
    cover.start()
    session, contexts = Session(None), _Contexts(cover)
    run_pytest(tree, [test], session, contexts, stop=False)
    cover.stop()
    names = list(session.passed)
    number = {name: n for n, name in enumerate(names)}
    data = cover.get_data()
    lines: dict[str, dict[str, list[int]]] = {}
    for file in data.measured_files():
        path = Path(file).relative_to(package).as_posix()
        if path.startswith(FOLDERS):
            text = HOME / "sources" / _digest(Path(file))
            text.parent.mkdir(exist_ok=True)
            text.write_bytes(Path(file).read_bytes())
            lines[path] = {
                str(line): sorted(number[name] for name in reached if name in number)
                for line, reached in data.contexts_by_lineno(file).items()
            }
    failed = f", {session.failed} fails" if session.failed else ""
    return {
        "note": failed,
        "tests": session.passed,
        "loading": round(contexts.loaded, 3),
        "lines": lines,
        "sources": {path: _digest(package / path) for path in lines},
    }


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


class Unit(NamedTuple):
    """The quick tests of a file, or a slow one, and what they cost in seconds."""

    file: str
    tests: tuple[str, ...]
    cost: float


class Learned(TypedDict):
    """What is known of one file of tests."""

    tests: dict[str, float]
    """Each test that passed, and its seconds."""
    loading: float
    lines: dict[str, dict[str, list[int]]]
    """File and line of the code: the tests that reach it, by their place in ``tests``."""
    sources: dict[str, str]
    """The digest of each of these files."""
    note: str


class Reach:
    """Which tests reach which lines."""

    def __init__(self, learned: dict[str, Learned]) -> None:
        self._learned = learned

    @classmethod
    def load(cls, folder: Path, *, anew: bool) -> Reach:
        """Learn what is not known yet, and say how far that is."""
        known = HOME / "reach"
        known.mkdir(parents=True, exist_ok=True)
        files: list[Path] = []
        for place in TESTS:
            path = ROOT / place
            files += [path] if path.is_file() else sorted(path.rglob("test_*.py"))
        files += sorted(
            file for file in (ROOT / PACKAGE).rglob("*.py") if b"\n>>> " in _outdented(file)
        )
        learned: dict[str, Learned] = {}
        for at, file in enumerate(files, 1):
            name = file.relative_to(ROOT).as_posix()
            kept = known / f"{name.replace('/', '-')}-{_digest(file)}.json"
            if anew or not kept.exists():
                began = time.monotonic()
                say(f"\rlearning [{at}/{len(files)}] {name}")
                answer = in_a_process(folder, partial(_learn, test=name), 1800, 1800).answer
                if answer is None:
                    raise SystemExit(f"\n{name} gave no answer; see {folder / 'log.txt'}")
                say(f"  {time.monotonic() - began:.1f} s{answer['note']}\n")
                for old in known.glob(f"{name.replace('/', '-')}-*.json"):
                    old.unlink()
                kept.write_text(json.dumps(answer))
            learned[name] = json.loads(kept.read_text())
        return cls(learned)

    def units(self, mutant: Mutant, slow_s: float = 0.5) -> list[Unit]:
        """The tests that reach a change: of the same name, of the same folder, the cheapest first.

        Of a constant also those whose file speaks of it, and these are all of that file; before
        the others come those that reach a line where it is used.
        """
        found: list[tuple[int, int, float, Unit]] = []
        code = Path(mutant.path)
        folders = tuple(f"tests/{folder}/" for folder in code.parents)
        if code.parts[0] == "game":
            folders += ("tests/rules/",)
        now = _digest(ROOT / PACKAGE / mutant.path)
        for file, known in self._learned.items():
            lines = known["lines"].get(mutant.path, {})
            speaks = bool(mutant.name) and mutant.name in (ROOT / file).read_text(encoding="utf-8")
            then = known["sources"].get(mutant.path, now)
            moved = _moved(then, now, mutant.path) if then != now else {}
            first, last = mutant.reach or (0, -1)
            where = (*mutant.uses, *range(first, last + 1))
            chosen = {
                n
                for line in where
                for old in moved.get(line, range(line, line + 1))
                for n in lines.get(str(old), ())
            }
            rest = set[int]()
            if speaks:
                rest = set(range(len(known["tests"])))
            elif mutant.reach is None:
                rest = {n for reached in lines.values() for n in reached}
                if lines and not rest:
                    rest = set(range(len(known["tests"])))  # it is loaded, and has no functions
            near = file.startswith(folders)
            rank = 0 if speaks or code.stem in Path(file).stem else 1 if near else 2
            took, loading = known["tests"], known["loading"]
            names = list(took)
            for later, some in enumerate((chosen, rest - chosen)):
                late = later if mutant.uses else 0
                reaching = sorted((names[n] for n in some), key=lambda name: took[name])
                quick = [name for name in reaching if took[name] < slow_s]
                if quick:
                    cost = loading + sum(took[name] for name in quick)
                    found.append((late, rank, cost, Unit(file, tuple(quick), cost)))
                slow = reaching[len(quick) :]
                found += [(late, rank, took[n], Unit(file, (n,), took[n])) for n in slow]
        return [unit for *_, unit in sorted(found)]


@lru_cache(maxsize=256)
def _moved(then: str, now: str, path: str) -> dict[int, range]:
    """For each line of a file the lines it was, by the digests of both texts."""
    kept = HOME / "sources" / then
    if not kept.exists():
        return {}
    old = kept.read_text(encoding="utf-8").splitlines()
    new = (ROOT / PACKAGE / path).read_text(encoding="utf-8").splitlines()
    moved: dict[int, range] = {}
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for what, i1, i2, j1, j2 in matcher.get_opcodes():
        for j in range(j1, j2):
            at = i1 + j - j1 + 1
            moved[j + 1] = range(at, at + 1) if what == "equal" else range(i1, i2 + 2)
    return moved


def say(text: str) -> None:
    """Tell how far it is."""
    sys.stderr.write(text)
    sys.stderr.flush()


def _outdented(file: Path) -> bytes:
    return b"\n".join(line.strip() for line in file.read_bytes().splitlines())
