"""The process that reviews a match: it does not outlive its server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from okey101.bots import make_bot
from okey101.game import PRESETS, record_of
from okey101.game.dealing import deal_from_seed, seed_of
from okey101.sim.playing import play_deal
from server.live import PATIENCE_S

pytest.importorskip("numba")

SERVER = """
import subprocess, sys
with open(sys.argv[1], "rb") as wanted:
    review = subprocess.Popen([sys.executable, "-m", "okey101.server.review_process"], stdin=wanted)
print(review.pid, flush=True)
review.wait()
"""


def is_running(process: int) -> bool:
    """Whether a process is there that has not ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_ends_with_its_server_in_the_middle_of_a_step(tmp_path: Path) -> None:
    rules = PRESETS["altinstar"]
    bots = [make_bot("greedy") for _ in range(rules.players)]
    deal = play_deal(rules, bots, deal_from_seed(rules, seed_of("a review"), 0))
    record = json.loads(record_of(rules, [deal]).to_json())
    wanted = tmp_path / "wanted.json"
    wanted.write_text(
        json.dumps({"record": record, "seats": [0], "worlds": 1_000_000, "policy": "greedy"})
    )
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(wanted)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    review = int(server.stdout.readline())
    deadline = time.monotonic() + PATIENCE_S
    while os.getpriority(os.PRIO_PROCESS, review) == 0 and time.monotonic() < deadline:
        time.sleep(0.05)  # until it has stepped back behind the server: it watches it then
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()
    while is_running(review):
        assert time.monotonic() < deadline, "it reviews on"
        time.sleep(0.05)
