"""Compiling the kernel ahead of its use, in a thread of its own and never on an event loop."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from okey101.errors import OkeyError

try:
    import fcntl
except ImportError:  # Windows: processes that begin together compile together
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from okey101.kernel.compiling import Row, Rows

for _name in ("numba", "numpy"):
    if find_spec(_name) is None:
        raise ModuleNotFoundError(
            "missing-extra: okey101.kernel needs Numba and NumPy; pip install 'okey101[sim]'",
            name=_name,
        )

LOG: Final = logging.getLogger("okey101.kernel")
"""Where a process that compiles says so: it takes a minute."""
_lock: Final = threading.Lock()
_done: Final = threading.Event()
_threads: list[threading.Thread] = []
_MARK: Final = "compiled"
"""The file that says that everything is in the folder."""


def warm() -> threading.Thread:
    """Compile the kernel, or load what was compiled before, in a thread, and return that thread.

    ``warm().join()`` waits for it: a minute at most where nothing is cached, else seconds. Calling
    it again gives the same thread.
    """
    with _lock:
        if not _threads:
            thread = threading.Thread(target=_compile, name="okey101-kernel", daemon=True)
            _threads.append(thread)
            thread.start()
        return _threads[0]


def is_warm() -> bool:
    """Whether everything is compiled, so that no call waits for it."""
    return _done.is_set()


def is_cached() -> bool:
    """Whether a process on this machine compiled everything, so that it loads within seconds."""
    from okey101.kernel.compiling import cache_folder

    folder = cache_folder()
    return folder is not None and (folder / _MARK).exists()


def need_warm() -> None:
    """Wait until the kernel is compiled; OkeyError ``kernel-cold`` on an event loop.

    There a wait would stop everybody: call :func:`warm` before, and wait for its thread elsewhere.
    """
    if _done.is_set():
        return
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        warm().join()
        if not _done.is_set():
            _compile()  # raises what went wrong in the thread
        return
    raise OkeyError(
        "kernel-cold", "the kernel is not compiled yet; call okey101.kernel.warm() beforehand"
    )


def _compile() -> None:
    """Call every function that is called from Python, each with the types it always gets."""
    from okey101.kernel.compiling import cache_folder

    folder = cache_folder()
    with _alone(folder):
        if not is_cached():
            LOG.warning("compiling, once on this machine: about a minute (okey101 warm does it)")
        _call_all()
        if folder is not None:
            with suppress(OSError):
                (folder / _MARK).touch()
    _done.set()


@contextmanager
def _alone(folder: Path | None) -> Generator[None]:
    """One process compiles, and the others that use the folder then read what it wrote."""
    if folder is None or fcntl is None:
        yield
        return
    try:
        file = (folder / "compiling.lock").open("w", encoding="ascii")
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):  # some network folders know no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _call_all() -> None:
    """Compile everything, or load it from the cache; takes up to a minute."""
    import numpy as np

    from okey101.kernel import layout as L
    from okey101.kernel.beliefs import E_SIZE, GRADES, chance_of
    from okey101.kernel.conversion import rules_vector, seed_words
    from okey101.kernel.dealing import begin
    from okey101.kernel.legal import MOST_ACTIONS
    from okey101.kernel.playing import deal_many, note, run, step, step_many
    from okey101.kernel.seats import oracle_code, play_mixtures, play_plainly, play_until
    from okey101.kernel.solver import tables
    from okey101.kernel.steps import lay_groups
    from okey101.kernel.worlds import MOST_CODES, draw_worlds, play_codes, play_worlds
    from okey101.weights.master import SIZE as WEIGHTS

    found, rules = tables(), rules_vector("altinstar")
    rows = np.zeros((1, L.SIZE), dtype=np.int64)
    logs = np.zeros((1, 0), dtype=np.int64)
    row, log = rows[0], logs[0]
    root = seed_words(bytes(32))
    actions = np.zeros(MOST_ACTIONS, dtype=np.int64)
    openings = np.zeros((1, 64), dtype=np.int64)
    starts = np.zeros(2, dtype=np.int64)
    begin(row, rules, 0, 0)
    deal_many(rules, rows, root, 0)
    run(found, rules, rows, root, 0, 0, logs, actions, starts, openings, 1)
    note(row, log, 0, openings[0])
    step(rules, row, L.A_PASS, openings[0])
    step_many(rules, rows, actions[:1], openings)
    row[L.N_GROUPS] = row[L.N_PLACED] = 0
    lay_groups(rules, row, openings[0], 0)
    choices, scores = np.zeros((1, MOST_CODES), dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
    weights = np.zeros(WEIGHTS, dtype=np.int64)
    evidence = np.full((4, E_SIZE), -1, dtype=np.int64)
    pool, grades = actions[:0], weights[:GRADES]
    play_worlds(
        found, rules, row, pool, choices, 0, 0, 0, 100, evidence, grades, 0, weights,
        weights, 0, 0, scores,
    )  # fmt: skip
    draw_worlds(found, rules, row, pool, 0, 0, 0, 100, evidence, grades, 0, rows[:0])
    chance_of(found, rules, row, 0, evidence, grades)
    play_mixtures(found, rules, weights, pool, 0, rows, root, 0, logs)
    deal_many(rules, rows, root, 0)
    oracle_code(found, rules, row, actions, openings[0])
    play_until(found, rules, row, openings[0], log, weights, pool, 0, 15)
    play_plainly(found, rules, row, openings[0], log)
    play_codes(rules, row, np.full(1, L.A_PASS), openings[0])
    _call_for_steady()
    _call_for_learners(rows, root)


def _call_for_steady() -> None:
    import numpy as np

    from okey101.kernel.compiling import made_of
    from okey101.kernel.solver import tables
    from okey101.kernel.steady import draw_futures, opening_gains, remains

    none, two = np.zeros(0, dtype=np.int64), np.zeros(2, dtype=np.int64)
    futures = np.zeros((0, 1), dtype=np.int64)
    made_of(opening_gains)(tables(), two, 0, none, futures, two, two, futures)
    made_of(remains)(none, none, futures, 0, 0, none, none, none)
    made_of(draw_futures)(np.full(625, 624), none, none, np.zeros((1, 0), dtype=np.int64))


def _call_for_learners(rows: Rows, root: Row) -> None:
    import numpy as np

    from okey101.kernel import layout as L
    from okey101.kernel.conversion import rules_vector
    from okey101.kernel.envs import (
        NUMBERS,
        WIDTH,
        codes_of_numbers,
        end_many,
        observe,
        observe_many,
        redeal,
    )

    rules = rules_vector("altinstar")
    row, none = rows[0], np.zeros(0, dtype=np.int64)
    starts, played = np.zeros(2, dtype=np.int64), np.zeros(1, dtype=np.int64)
    scaled = np.zeros(L.R_SIZE, dtype=np.float32)
    seen = np.zeros((1, WIDTH), dtype=np.float32)
    masks = np.zeros((1, NUMBERS), dtype=np.int8)
    row[L.PHASE] = L.P_OVER
    end_many(rules, rows, np.zeros(1, dtype=np.bool_), np.zeros((1, 4), dtype=np.float64))
    redeal(rules, rows, root, played)
    observe(rules, scaled, row, 0, seen[0])
    observe_many(rules, scaled, rows, none, starts, none, none, starts, seen, masks)
    codes_of_numbers(none, starts, none, none, none)
