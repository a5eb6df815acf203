"""Servers that are killed, paused, or want the same folder lose nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from faults.storm import ride
from server.live import LiveServer

HASTY = Path(__file__).with_name("hasty.py")


def test_kills_lose_nothing() -> None:
    tally = ride(tables=3, kills=4, life=0.4, deals=1)
    assert tally.problems == []
    assert tally.kills["play"] >= 3
    assert tally.kills["early"] or tally.kills["drain"]
    assert tally.kills["start"]
    assert tally.matches >= 3
    assert tally.notes.counts["resumed"]
    assert tally.notes.counts["fresh views compared"]
    assert tally.compared


@pytest.mark.long
def test_two_hundred_kills_with_fifty_tables_lose_nothing() -> None:
    tally = ride(tables=50, kills=200, pauses=10)
    assert tally.problems == []
    assert tally.matches >= 50


@pytest.mark.parametrize(
    ("fault", "kills", "shown"),
    [
        ("acknowledge", 30, ("lost",)),
        ("forget", 30, ("and then refused", "is in rows", "and is in the log")),
    ],
    ids=["acknowledge", "forget"],
)
def test_a_server_with_a_fault_is_found_out(fault: str, kills: int, shown: tuple[str, ...]) -> None:
    # It ends at the first kill that shows it; how many that takes depends on the machine.
    program = [sys.executable, str(HASTY), fault]
    tally = ride(tables=4, kills=kills, life=0.5, deals=1, whole=False, program=program)
    assert any(words in problem for problem in tally.problems for words in shown), tally.problems


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
