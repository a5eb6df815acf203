"""Jobs in other processes: what comes back, and that no process outlives who wanted it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import Patch, unwrap
from okey101.errors import IllegalAction
from okey101.work import Answer, WorkerEnded, Workers
from work import jobs
from work.processes import PATIENCE_S, wait_until_none, with_mark

HERE = Path(__file__).parent
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@contextmanager
def some(most: int = 1, **how: object) -> Iterator[Workers]:
    workers = Workers(most, **how)  # type: ignore[arg-type]
    try:
        yield workers
    finally:
        workers.close()


def test_results_and_errors_come_back() -> None:
    with some(2, prepare=jobs.prepare) as workers:
        assert [workers.submit(jobs.add, n).result() for n in range(5)] == [1, 2, 3, 4, 5]
        assert workers.submit(jobs.add, 2, 3).result() == 5
        assert len(workers.submit(jobs.prepared).result()) == 1
        shown = repr(workers.submit(jobs.add, 17)).partition("state=")[2]  # not its address
        assert "17" not in shown + repr(Answer("result", 17))
        with pytest.raises(IllegalAction) as refused:
            workers.submit(jobs.refuse).result()
        error = refused.value
        assert (error.code, error.rule, error.details) == ("no-draw", "D5", {"tile": "R7"})
        for job, name in (
            (jobs.raise_odd, "Odd"), (jobs.leave, "SystemExit"), (jobs.unsendable, "TypeError"),
        ):  # fmt: skip
            with pytest.raises((RuntimeError, TypeError)) as caught:
                workers.submit(job).result()
            assert name in repr(caught.value)


def test_what_a_job_prints_is_no_answer_and_it_reads_nothing() -> None:
    with some() as workers:
        with pytest.raises(EOFError):
            workers.submit(jobs.noisy).result()
        assert workers.submit(jobs.add, 1).result() == 2


def test_jobs_tell_how_far_they_are_and_end_early_where_asked() -> None:
    told: list[int] = []
    with some(on_progress=told.append) as workers:
        assert workers.submit(jobs.count, 3).result() == 3
        assert told == [0, 1, 2]
        long = workers.submit(jobs.count, 1_000_000)
        while len(told) < 5:
            time.sleep(0.01)
        workers.stop()
        assert 1 < long.result(PATIENCE_S) < 1_000_000
        assert workers.submit(jobs.count, 10).result() == 0


def test_they_stand_behind_their_parent() -> None:
    with some(nice=3) as workers:
        assert workers.submit(jobs.niceness).result() == min(os.nice(0) + 3, 19)


def test_a_process_that_dies_is_replaced() -> None:
    with some() as workers:
        assert workers.submit(jobs.add, 1).result() == 2
        with pytest.raises(WorkerEnded):
            workers.submit(jobs.die).result()
        assert workers.submit(jobs.add, 1).result() == 2


def test_one_that_cant_begin_says_why() -> None:
    with some(prepare=jobs.refuse) as workers:
        for _ in range(2):
            with pytest.raises(IllegalAction):
                workers.submit(jobs.add, 1).result()
    with some(prepare=jobs.die) as workers, pytest.raises(WorkerEnded):
        workers.submit(jobs.add, 1).result()


@linux
def test_closing_ends_what_runs_and_drops_what_waits(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("OKEY101_TEST_MARK", mark := f"closing-{os.getpid()}")
    workers = Workers(2)
    first = [workers.submit(jobs.note_and_sleep, tmp_path) for _ in range(2)]
    later = workers.submit(jobs.add, 1)
    given_up = workers.submit(jobs.add, 2)
    assert given_up.cancel()
    deadline = time.monotonic() + PATIENCE_S
    while len(list(tmp_path.iterdir())) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert {int(path.name) for path in tmp_path.iterdir()} == set(with_mark(mark)) - {os.getpid()}
    workers.close()
    assert set(with_mark(mark)) <= {os.getpid()}
    for job in first:
        with pytest.raises(WorkerEnded):
            job.result()
    with pytest.raises(CancelledError):
        later.result()
    workers.close()


def test_no_process_before_there_is_work() -> None:
    """With such a file for its errors none could be started."""
    with some(stderr=1_000_000) as workers, pytest.raises(OSError, match="descriptor"):
        workers.submit(jobs.add, 1).result()


@linux
@pytest.mark.parametrize("after_s", [0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 1.0])
def test_none_stays_when_its_parent_is_killed(after_s: float) -> None:
    """Neither those that start nor those that work; nothing of theirs looks after it."""
    mark = f"killed-{os.getpid()}-{after_s}"
    environment = os.environ | {
        "OKEY101_TEST_MARK": mark, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
    }  # fmt: skip
    parent = subprocess.Popen(
        [sys.executable, str(HERE / "parent_child.py")], env=environment, stdout=subprocess.PIPE
    )
    with parent:
        assert unwrap(parent.stdout).readline() == b"begun\n"
        time.sleep(after_s)
        parent.kill()
    wait_until_none(mark)


def test_a_scripts_own_functions_are_jobs_too() -> None:
    command = [sys.executable, str(HERE / "script.py"), "21"]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"42\n"
