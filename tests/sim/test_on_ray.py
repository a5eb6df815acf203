"""The arena on a cluster of two nodes has the same table, also where a worker is killed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from okey101.game import RuleSet
from okey101.sim.arena import Chunk, Job
from okey101.sim.arena.results import results_of
from okey101.sim.arena.running import run_job

ROOT = Path(__file__).resolve().parents[2]
JOB = Job(RuleSet(players=2), ("sim.test_arena_files:Deadly", "greedy"), 3)


def table(chunks: Sequence[Chunk]) -> dict[str, object]:
    found = results_of(JOB, chunks).to_dict()
    found.pop("times")
    return found


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ray.cluster_utils import Cluster  # pyright: ignore[reportMissingImports]

    from okey101.sim.arena.on_ray import RayCluster

    died = tmp_path / "died"
    monkeypatch.setenv("OKEY101_TEST_DEADLY", str(died))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    backend = RayCluster(cluster.address)
    try:
        assert backend.slots == 2
        found = run_job(JOB, range(20), backend=backend)
    finally:
        backend.close()
        cluster.shutdown()
    assert died.exists(), "a worker was killed in the middle"
    assert table(found) == table(run_job(JOB, range(20)))
