"""The process that reviews a match: it does not outlive its server."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from okey101.game import PRESETS, record_of
from okey101.sim.playing import play_deal
from work.processes import wait_until_none

pytest.importorskip("numba")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_ends_with_its_server_in_the_middle_of_a_step(tmp_path: Path) -> None:
    rules = PRESETS["altinstar"]
    wanted = tmp_path / "record.json"
    record_of(rules, [play_deal(rules, "greedy", seed=1)]).write(wanted)
    mark = f"review-{os.getpid()}"
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("review_child.py")), str(wanted)],
        stdout=subprocess.PIPE, env=os.environ | {"OKEY101_TEST_MARK": mark},
    )  # fmt: skip
    with server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"reviewing\n"
        time.sleep(3)  # the first step takes minutes with so many worlds
        server.kill()
    wait_until_none(mark)
