"""A copy of the tree, and pytest in a process of its own that runs in it."""

from __future__ import annotations

import compileall
import contextlib
import json
import os
import py_compile
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from mutants.changes import ROOT

__all__ = ["Outcome", "Session", "copy_tree", "in_a_process", "run_pytest", "spent"]

STEP = 0.02
"""Seconds between two looks at a process."""
MEMORY = 6 << 30
"""Bytes a process may take: a change may make a loop that never ends."""


def copy_tree(folder: Path) -> None:
    """Bring a copy of the tree up to date; its bytecode is checked against the text's hash."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    names = {name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()}
    for name in names:
        source, target = ROOT / name, folder / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for old in (*(folder / "src").rglob("*.py"), *(folder / "tests").rglob("*.py")):
        if old.relative_to(folder).as_posix() not in names:
            old.unlink()
    compileall.compile_dir(
        folder / "src", quiet=1, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH
    )


def spent() -> float:
    """Processor seconds so far, with those of ended children: no full machine makes them more."""
    return time.process_time() + sum(os.times()[2:4])


class Session:
    """A plugin for one run of pytest: which tests run, and what came of them."""

    def __init__(self, wanted: Sequence[str] | None) -> None:
        self.order = None if wanted is None else {name: n for n, name in enumerate(wanted)}
        self.failed: str | None = None
        self.passed: dict[str, float] = {}
        """Each test that passed, and its processor seconds."""
        self._began = 0.0
        self._bad: set[str] = set()

    def pytest_configure(self) -> None:
        """Settle what Hypothesis tries; a failure is not made smaller, for nobody reads it."""
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        ci = settings.get_profile("ci")
        settings.register_profile("mutants", ci, phases=phases, print_blob=False)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[object]) -> None:
        """Only the tests that reach the change, the quickest files first."""
        order = self.order
        if order is not None:
            kept = [item for item in items if _name(item) in order]
            items[:] = sorted(kept, key=lambda item: order[_name(item)])

    def pytest_collectreport(self, report: object) -> None:
        """A module that can't be loaded any more has noticed the change."""
        if getattr(report, "failed", False):
            self.failed = self.failed or f"loading {_name(report)}"

    def pytest_runtest_logstart(self) -> None:
        """The test begins, with its fixtures."""
        self._began = spent()

    def pytest_runtest_logreport(self, report: object) -> None:
        """Note how long a test took, and whether it failed."""
        name = _name(report)
        if getattr(report, "outcome", "") != "passed":
            self._bad.add(name)
            if getattr(report, "outcome", "") == "failed":
                self.failed = self.failed or name
        if getattr(report, "when", "") == "teardown" and name not in self._bad:
            self.passed[name] = round(spent() - self._began, 4)


def _name(thing: object) -> str:
    return str(getattr(thing, "nodeid", ""))


def run_pytest(folder: Path, files: Iterable[str], *plugins: object, stop: bool) -> int:
    """Run pytest in this process, which is thrown away afterwards."""
    import _hypothesis_pytestplugin
    import pytest

    os.chdir(folder)
    sys.path[:] = [entry for entry in sys.path if entry not in (str(ROOT), str(ROOT / "scripts"))]
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=ci", f"--rootdir={folder}"]
    if stop:
        options += ["-x", "--tb=short"]
    code = pytest.main([*options, *files], plugins=[_hypothesis_pytestplugin, *plugins])
    loaded = str(getattr(sys.modules.get("okey101"), "__file__", folder))
    if not loaded.startswith(str(folder)):
        raise AssertionError(f"the tests ran against {loaded}")
    return int(code)


class Outcome(NamedTuple):
    """How a process ended."""

    answer: dict[str, object] | None
    """What it was started for; None where it died or was late."""
    late: bool
    """Whether it had to be ended."""


def in_a_process(
    folder: Path, work: Callable[[Path], object], cpu_s: float, wall_s: float
) -> Outcome:
    """Call ``work`` in a forked process with limits; it writes its answer to a file.

    Forked from one that has loaded pytest and Hypothesis already, so that no change pays for it.
    Time is counted in looks at it: a run that is stopped for a while is not late for that.
    """
    answer, log = folder / "answer.json", folder / "log.txt"
    answer.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        _child(folder / "tree", work, answer, log, cpu_s)
    waited, late = 0.0, False
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(STEP)
        waited += STEP
        if waited > wall_s:
            late = True
            _end(child)
            _, status = os.waitpid(child, 0)
            break
    _end(child)
    late = late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise RuntimeError(f"the process failed; see {log}")
    done_well = not late and answer.exists()
    return Outcome(json.loads(answer.read_text()) if done_well else None, late)


def _end(child: int) -> None:
    """End what a process has started, itself included; it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def _child(
    folder: Path, work: Callable[[Path], object], answer: Path, log: Path, cpu_s: float
) -> NoReturn:
    code = 1
    try:
        os.setsid()
        with log.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s) + 1, int(cpu_s) + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.environ["PYTHONPATH"] = f"{folder / 'src'}"
        answer.write_text(json.dumps(work(folder)))
        code = 0
    except BaseException:  # noqa: BLE001  # nothing may get past the fork
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
