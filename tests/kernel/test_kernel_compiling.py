"""Where compiled code is kept, what a missing extra says, and who may not wait."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from okey101.errors import OkeyError
from okey101.kernel import KernelDeal, is_warm, warm, warming

_WITHOUT = """
import sys
sys.modules["{}"] = None
try:
    import okey101.kernel
except ModuleNotFoundError as error:
    print(error.name, error)
"""
_COMPUTE = """
from okey101.kernel.compiling import cache_folder, popcount
assert popcount(255) == 8
print(cache_folder(), sum(popcount.stats.cache_hits.values()))
"""


@pytest.mark.parametrize("module", ["numba", "numpy"])
def test_a_missing_extra_is_named(module: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _WITHOUT.format(module)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith(f"{module} missing-extra: ")
    assert "okey101[sim]" in ran.stdout


def compute(folder: Path | str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", _COMPUTE],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout.strip()


def test_what_was_compiled_is_found_again(tmp_path: Path) -> None:
    first, again = compute(tmp_path), compute(tmp_path)
    assert first.startswith(str(tmp_path / "okey101-kernel-"))
    assert (first[-2:], again[-2:]) == (" 0", " 1")


def test_a_folder_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert compute(tmp_path / "file" / "cache") == "None 0"


def test_a_cache_that_became_unreadable_costs_no_answer(tmp_path: Path) -> None:
    compute(tmp_path)
    for path in [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]:
        path.write_bytes(b"")
    assert compute(tmp_path).endswith(" 0")


def test_nobody_waits_on_an_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_done", threading.Event())

    async def play() -> None:
        KernelDeal("pagat", seed=1)

    with pytest.raises(OkeyError) as error:
        asyncio.run(play())
    assert error.value.code == "kernel-cold"


def test_warming_happens_once_and_in_the_background() -> None:
    thread = warm()
    assert thread is warm()
    assert thread.daemon
    thread.join()
    assert is_warm()

    async def play() -> bool:
        return KernelDeal("pagat", seed=1).over

    assert asyncio.run(play()) is False
