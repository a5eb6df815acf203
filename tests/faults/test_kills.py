"""Servers that are killed, stopped while they load, or want the same folder lose nothing."""

import json
from pathlib import Path

import httpx
import pytest

from conftest import ran_python
from faults.storm import ride
from okey101.bots import make_bot
from okey101.game import Options, view_of
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.state import Stage
from server.live import LiveServer, changed
from server.tables.table_stories import Story, table_options


def test_kills_lose_nothing() -> None:
    tally = ride(tables=3, kills=4, life=0.4, pauses=2, deals=1)
    assert tally.problems == []
    assert tally.pauses == 2
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


SHOWN = {"acknowledging": ("lost",),
         "forgetting": ("and then refused", "is in rows", "and is in the log")}  # fmt: skip


@pytest.mark.parametrize("fault", SHOWN)
def test_a_server_with_a_fault_is_found_out(fault: str) -> None:
    # It ends at the first kill that shows it; how many that takes depends on the machine.
    tally = ride(tables=4, kills=30, life=0.5, deals=1, whole=False, program=changed(fault))
    told = (words in problem for problem in tally.problems for words in SHOWN[fault])
    assert any(told), tally.problems


def _refused(server: LiveServer) -> dict[str, object]:
    words = ("-m", "okey101", "serve", "--data", server.data, "--port", 0, "--json")
    done = ran_python(*words, ends=1, timeout=60)
    assert "Traceback" not in done.stderr
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


def test_an_okey_laid_off_is_told_alike_by_events_and_views() -> None:
    """A bot may name the tile an okey stands for in full; the deal keeps the short form."""
    told = Story(table_options("wiki", "2", deals=1, bots=(None, "greedy")), "okeys 232")
    told.add(log.Started(user="u0", secret=told.secret()))
    told.deal()
    events: list[str] = []
    asked: list[str] = []
    while told.state.stage is Stage.PLAYING:
        deal = told.state.deal
        assert deal is not None
        view = view_of(deal, deal.turn)
        action = make_bot("greedy", 1).choose(view, Options(view))
        asked.append(f"{deal.turn}: {action}")
        told.add(log.Acted(seat=deal.turn, actions=(action,), by="bot", bot="steady/1"))
        entry = told.steps[-1].entry
        assert isinstance(entry, log.Acted)
        events += [f"{entry.seat}: {action}" for action in entry.actions]
    shown = serialise.deal_view(told.state)
    assert shown is not None
    assert asked != events
    assert events == shown["actions"]
