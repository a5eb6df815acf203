"""Servers that are paused, and two servers that want the same folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx

from faults.storm import ride
from server.live import LiveServer


def test_pauses_lose_nothing() -> None:
    tally = ride(tables=3, kills=0, life=0.3, pauses=2, deals=1)
    assert tally.problems == []
    assert tally.pauses == 2
    assert tally.matches >= 3


def _refused(server: LiveServer) -> dict[str, object]:
    """What another server on the same folder says before it ends."""
    words = ["serve", "--data", str(server.data), "--port", "0", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "okey101", *words], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    answer = json.loads(done.stdout)
    assert answer["ok"] is False
    error: dict[str, object] = answer["error"]
    return error


def test_a_second_server_leaves_the_folder_to_the_first() -> None:
    with LiveServer() as server:
        announced = (server.data / "server.json").read_text("utf-8")
        assert _refused(server)["code"] == "store-in-use"
        assert (server.data / "server.json").read_text("utf-8") == announced
        assert httpx.get(server.url + "/readyz", trust_env=False).status_code == 200
        server.restart(kill=True)  # what held the folder went with the process
        assert httpx.get(server.url + "/livez", trust_env=False).status_code == 200


def test_a_killed_server_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    with LiveServer(tmp_path / "data") as server:
        server.kill()
        assert (server.data / "server.json").exists()
        server.start()
        assert server.stop() == 0
        assert not (server.data / "server.json").exists()
