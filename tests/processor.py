"""Processor time of tests: what each one took, told at the end, and who passed the budget."""

import os
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

BUDGET_S = 20.0
"""What one test should take of the processor, with the processes it starts, outside of ``--long``.

Passing it is told and is no failure: the same test takes half as long again on a slower machine.
"""

_tasks = os.listdir
_PROPERTY = "processor"
_TOLD = 15


def spent() -> float:
    """Seconds of processor that this process has taken, and every process below it."""
    ticks = os.sysconf("SC_CLK_TCK") if Path("/proc/self/task").is_dir() else 0
    ended = os.times()
    below = sum(_below(str(os.getpid()))) / ticks if ticks else 0
    return time.process_time() + ended.children_user + ended.children_system + below


def _below(process: str) -> Iterator[int]:
    """Clock ticks of the living processes below one, with those of their own that ended."""
    try:
        tasks = _tasks(f"/proc/{process}/task")
    except FileNotFoundError:
        return
    for task in tasks:
        for child in _read(f"/proc/{process}/task/{task}/children").split():
            words = _read(f"/proc/{child}/stat").rpartition(")")[2].split()
            yield sum(map(int, words[11:15]))
            yield from _below(child)


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123  # tests patch Path
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return ""  # it has ended meanwhile


class Processor:
    """A plugin; where tests are spread over workers, each measures and the first process tells."""

    def __init__(self, config: pytest.Config) -> None:
        self._last = 0.0
        self._seconds: dict[str, float] = defaultdict(float)
        self._budget = None if config.getoption("--long") else BUDGET_S

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self._last = self._last or spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.when == "teardown":  # once a test: to ask for it takes time as well
            now = spent()
            # What nobody waited for when it ended has gone from the sum: it is less than before.
            report.user_properties.append((_PROPERTY, max(0.0, now - self._last)))
            self._last = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += float(str(dict(report.user_properties).get(_PROPERTY, 0)))

    def _over(self) -> list[str]:
        return [name for name, took in self._seconds.items() if took > (self._budget or took)]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self._seconds:
            return
        folders: dict[str, float] = defaultdict(float)
        for name, took in self._seconds.items():
            folders["/".join(name.partition("::")[0].split("/")[:2])] += took
        total = sum(folders.values())
        say = terminalreporter.write_line
        listed = ", ".join(f"{name} {took:.0f}" for name, took in _most(folders))
        say(f"{total:.0f} s of processor: {listed}")
        if total > _TOLD:
            for name, took in _most(self._seconds):
                say(f"{took:8.2f} s {name}")
        for name in self._over():
            say(f"{name} took more than {self._budget:.0f} s of the processor", red=True)


def _most(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda one: -one[1])[:_TOLD]
