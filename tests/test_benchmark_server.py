"""The benchmarks of the server, in a size that only shows that they work; and what follows."""

import json
import os
import sys
from dataclasses import replace
from itertools import pairwise
from unittest.mock import Mock

import pytest
from benchmarks import cluster
from benchmarks.server import KINDS, Plan, measure
from benchmarks.server_load import Board, Load
from benchmarks.sizing import COSTS, Costs, need, simulate

from conftest import missing
from postgres import binaries


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_benchmark_of_the_server_measures() -> None:
    """Even in a moment in which a server on a busy machine has done nothing yet."""
    plan = Plan(
        sizes=(1,), paced=1, pace=50.0, rounds=1, seconds=0.01, paced_rounds=1, paced_seconds=0.1
    )
    text = measure(plan)
    for name in KINDS.values():
        assert text.count(f"| {name} |") == 4
    assert "nan" not in text


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_benchmark_of_nodes_measures() -> None:
    if binaries() is None or not os.access("/sys/fs/cgroup", os.W_OK):
        missing("the benchmark of nodes needs PostgreSQL, and may set no quota here")
    found = cluster.measure(cluster.SHORT)
    text = cluster.told_of(found)
    for name in cluster.SETUPS:
        assert text.count(f"| {name} |") == 2
    assert Costs.of(found).event_cpu > 0


def test_players_go_on_after_a_pause_of_a_busy_server() -> None:
    board, said = Board(Load([], [], "durable", 1)), Mock()
    board.sockets = [said] * 4
    board.begin()
    for seq, kind in enumerate((b"pause", b"sit", b"pause", b"sit")):
        for seat in range(4):
            board.listener(seat)(b'{"type":"event","seq":%d,"what":{"kind":"%b"}}' % (seq, kind))
    assert [json.loads(call.args[0])["seat"] for call in said.say.mock_calls] == [1, 2, 3]


COST = replace(
    Costs.of(json.loads(COSTS.read_text("utf-8"))),
    pace=0.5, event_cpu=0.001, relayed_cpu=0.0005, commit=0.002, commit_more=0.0,
)  # fmt: skip


def test_a_simulated_node_does_as_much_as_its_core_allows() -> None:
    for nodes, share in ((1, 1.0), (2, 1.0), (2, 0.5)):
        ran = simulate(COST, nodes, 100, pace=None, share=share)
        assert ran.events == pytest.approx(
            nodes * share / COST.event(nodes, 1 - 1 / nodes), rel=0.05
        )
        assert ran.busy > 0.95


def test_simulated_people_wait_for_little_where_nodes_are_not_full() -> None:
    ran = simulate(COST, 2, 1_000, pace=COST.pace, seconds=10)
    assert ran.events == pytest.approx(500, rel=0.05)
    assert ran.busy == pytest.approx(250 * COST.event(2, 0.5), rel=0.1)
    assert COST.commit < ran.p50 < ran.p99 < 0.02


def test_more_players_need_more_of_everything() -> None:
    sizes = [need(COST, players) for players in (100, 10_000, 1_000_000)]
    assert sizes[0].nodes == 2
    for one, other in pairwise(sizes):
        assert one.nodes <= other.nodes
        assert (one.database, one.memory, one.disk) < (other.database, other.memory, other.disk)
    assert all(one.busy <= 0.6 for one in sizes)
