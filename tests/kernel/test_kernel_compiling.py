"""Where compiled code is kept, what a missing extra says, and who may not wait."""

import asyncio
import os
import re
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import raises_code, ran_python, unwrap, without
from okey101.bots import bot_of
from okey101.kernel import KernelDeal, compiling, is_warm, warm, warming
from okey101.kernel.compiling import cache_folder

_COMPUTE = """
import numpy as np
from okey101.kernel.compiling import cache_folder
from okey101.kernel.envs import codes_of_numbers
row = np.zeros(1, dtype=np.int64)
assert codes_of_numbers(row, row, row, row[:0], row) == -1
from okey101.kernel.openings import can_open  # before, all of it would be compiled too
try:
    can_open(0, 0, 0, 0, 0, 0)
except TypeError as error:
    assert "compiled code" in str(error)
print(cache_folder(), sum(codes_of_numbers.stats.cache_hits.values()))
"""

_BITS = """
from okey101.kernel.compiling import compiled
from okey101.kernel.plain import each

@compiled
def last(bits: int) -> int:
    found = -1
    for bit in each(bits):
        found = {}
    return found

print(last(6))
"""

_AT_ONCE = """
import time
from threading import Thread
from numba.core import config
from okey101.kernel import compiling, inside
from okey101.kernel.envs import codes_of_numbers

class Slow(inside._PatientCache):
    def __init__(self, function):
        time.sleep(0.02)
        super().__init__(function)
        found.append(self.cache_path)

inside._PatientCache, found = Slow, []
threads = [Thread(target=compiling.compiled, args=(codes_of_numbers.py_func,)) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(found) == 4
print(config.CACHE_DIR, *{path.startswith(str(compiling.cache_folder())) for path in found})
"""


_CALLED = """
import numpy as np
from okey101.bots import make_bot
from okey101.bots.novice import RandomBot
from okey101.bots.steady import SteadyBot
from okey101.envs.compiled import CompiledEpisode
from okey101.game import Deal, Options, view_of
from okey101.kernel import KernelDeal, compiling, play_bots, play_random, warm
from okey101.kernel.deals import Playouts
from okey101.sim.arena.compiled import CompiledTables
from okey101.sim.oracle import OracleBot

warm().join()
play_random("altinstar", 2, log=True)
play_bots("pagat", 2, {0: "neural", 1: "master"}, log=True)
KernelDeal("pagat", seed=7).apply("discard R4")
episode = CompiledEpisode("wiki")
episode.begin(4)
while not episode.over:
    episode.play(int(np.flatnonzero(episode.mask())[0]))
    episode.observe(0)
episode.points()
for seed in range(3):
    tables = CompiledTables(Deal.start("pagat", seed=seed))
    tables.play([SteadyBot, RandomBot, OracleBot, SteadyBot], [1, 2, 3, 4])
deal = Deal.start("altinstar", seed=5)
view = view_of(deal, deal.turn)
Playouts(view, "greedy").deals(1, 0, 1)
make_bot("champion", 1).choose(view, Options(view))
for dispatcher, function in compiling.entries:
    if len(dispatcher.overloads) != 1:
        print(function.__name__, *dispatcher.overloads)
"""


@pytest.mark.parametrize("module", ["numba", "numpy"])
@pytest.mark.parametrize(
    "asks",
    [
        "from okey101.kernel import KernelDeal",
        "from okey101.review.analysis import playouts; playouts(None, 'master')",
        "from okey101.review.analysis import hindsight; hindsight(None, 'master')",
    ],
)
def test_a_missing_extra_is_named(module: str, asks: str) -> None:
    told = without(module, asks)
    assert told.startswith(f"{module} missing-extra: ")
    assert "okey101[sim]" in told


def compute(folder: Path | str) -> str:
    given = {"NUMBA_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "0"}
    ran = ran_python("-c", _COMPUTE, env=given)
    assert ran.stderr == ""
    return ran.stdout.strip()


def test_what_was_compiled_is_found_again_where_it_can_be_read(tmp_path: Path) -> None:
    first, again = compute(tmp_path), compute(tmp_path)
    assert first.startswith(str(tmp_path / "okey101-kernel-"))
    assert (first[-2:], again[-2:]) == (" 0", " 1")
    for path in [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]:
        path.write_bytes(b"")
    assert compute(tmp_path).endswith(" 0")


def test_a_folder_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert compute(tmp_path / "file" / "cache") == "None 0"


def test_modules_that_load_at_once_keep_what_they_compile_in_the_folder(tmp_path: Path) -> None:
    """Numba's own folder is one for the process: two threads are not to change it at once."""
    given = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": "", "NUMBA_DISABLE_JIT": "0"}
    ran = ran_python("-c", _AT_ONCE, env=given, cwd=tmp_path)
    assert (ran.stderr, ran.stdout) == ("", " True\n")


def test_the_same_sources_at_two_places_share_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba compiles for each place anew, which is told before it begins."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    here = cache_folder.__wrapped__()
    place = shutil.copytree(Path(compiling.__file__).parent, tmp_path / "kernel")
    monkeypatch.setattr(compiling, "__file__", str(place / "compiling.py"))
    assert cache_folder.__wrapped__() != here


def test_folders_of_older_sources_go_but_for_the_latest_and_other_peoples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    days = time.time() - 10 * 86_400
    for age in range(6):
        old = tmp_path / f"okey101-kernel-old{age}"
        old.mkdir()
        (old / "file").touch()
        os.utime(old, (days - age, days - age))
    (tmp_path / "okey101-kernel-today").mkdir()
    (tmp_path / "something-else").mkdir()
    os.utime(tmp_path / "something-else", (0, 0))
    (tmp_path / "okey101-kernel-link").symlink_to(tmp_path / "something-else")
    made = unwrap(cache_folder.__wrapped__())
    left = {path.name for path in tmp_path.iterdir()} - {made.name}
    kept = {"okey101-kernel-today", "okey101-kernel-old0", "okey101-kernel-old1"}
    assert left == kept | {"okey101-kernel-link", "something-else"}

    other = tmp_path / "okey101-kernel-old5"
    other.mkdir()
    os.utime(other, (0, 0))
    lstat = Path.lstat

    def somebody_elses(path: Path) -> os.stat_result:
        facts = list(lstat(path))
        facts[4] += path == other
        return os.stat_result(facts)

    monkeypatch.setattr(Path, "lstat", somebody_elses)
    cache_folder.__wrapped__()
    assert other.is_dir()


@pytest.mark.long
def test_what_python_calls_is_compiled_before_for_the_types_that_it_gets() -> None:
    """So that nothing is compiled later, on an event loop perhaps."""
    assert ran_python("-c", _CALLED, env={"NUMBA_DISABLE_JIT": "0"}).stdout == ""


def test_what_a_process_left_half_compiled_is_gone_on_with(tmp_path: Path) -> None:
    """Numba can't call a generator that it read from its cache."""
    script = tmp_path / "last.py"
    for found, answer in (("bit", "2"), ("10 * bit", "20")):
        script.write_text(_BITS.format(found))
        env = {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
        assert ran_python(str(script), env=env).stdout.strip() == answer


@pytest.mark.parametrize(("make", "what"), [(KernelDeal, "pagat"), (bot_of, "search")])
def test_nobody_waits_on_an_event_loop(
    make: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "_done", threading.Event())

    async def play() -> None:
        make(what, seed=1)

    with raises_code("kernel-cold"):
        asyncio.run(play())


def test_warming_happens_once_and_in_the_background() -> None:
    thread = warm()
    assert thread is warm()
    assert thread.daemon
    thread.join()
    assert is_warm()

    async def play() -> bool:
        return KernelDeal("pagat", seed=1).over

    assert asyncio.run(play()) is False


def test_python_hands_on_truth_values_as_numbers() -> None:
    """For a bool Numba looks for what it has compiled at each call, in 190 microseconds."""
    folder = Path(str(compiling.__file__)).parent
    texts = [path.read_text("utf-8") for path in sorted(folder.glob("*.py"))]
    found = [
        found for text in texts for found in re.findall(r"@compiled\ndef (\w+\([^)]*\))", text)
    ]
    assert len(found) > 20
    assert [one for one in found if ": bool" in one] == []
