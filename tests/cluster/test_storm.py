"""Whatever fails in a cluster, nothing that was acknowledged is lost, and every table goes on."""

from __future__ import annotations

import pytest

from faults.cluster_storm import FAULTS, storm
from postgres import Postgres


def test_a_node_that_is_killed_loses_nothing(postgres: Postgres) -> None:
    tally = storm(postgres, ["node killed"], tables=2, deals=1)
    assert tally.problems == []
    assert tally.acknowledged > 20


@pytest.mark.long
@pytest.mark.parametrize("nodes", [2, 3])
def test_no_fault_loses_anything(postgres: Postgres, nodes: int) -> None:
    tally = storm(postgres, FAULTS, nodes=nodes)
    assert tally.problems == []
    assert {*tally.faults} == {*FAULTS}
