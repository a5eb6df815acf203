"""The arena's parts: chunks anywhere and in any order, its file, its seeds, its sequential test."""

import json
import os
import random
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import raises_code
from okey101.bots import Bot
from okey101.bots.greedy import GreedyBot
from okey101.bots.playing import TURN_LIMIT
from okey101.errors import OkeyError
from okey101.game import Action, Deal, Options, RuleSet, View
from okey101.game.actions import DRAW
from okey101.sim.arena import Chunk, Job, Kind, arena_deal, plan_of, play_chunk
from okey101.sim.arena.chunks import RANGES, RELEASE_DEALS, Purpose, checked_seed, purpose_of
from okey101.sim.arena.ledger import Ledger
from okey101.sim.arena.manifest import bot_entry, engine_hash, identity
from okey101.sim.arena.results import draws, interval, results_of
from okey101.sim.arena.running import gaps, run_job
from okey101.sim.conduct import play_table
from okey101.sim.stats import GateVerdict, gate

ROOT = Path(__file__).resolve().parents[2]
TWO = RuleSet(players=2)
"""The quickest table there is."""
JOB = Job(TWO, ("random", "greedy"), 5)


@pytest.fixture(scope="module")
def chunks() -> tuple[Chunk, ...]:
    """Six deals, each a chunk of its own."""
    return tuple(play_chunk(JOB, range(number, number + 1)) for number in range(6))


def same(found: Sequence[Chunk], job: Job = JOB) -> object:
    """What of chunks does not depend on the machine."""
    result = results_of(job, found).to_dict()
    result.pop("times")
    return result


def test_the_tables_of_each_kind() -> None:
    duel = plan_of(RuleSet(), 2)
    assert (duel.kind, duel.tables, duel.width, len(duel.lines)) == (Kind.DUEL, 5, 4, 2)
    teams = plan_of(RuleSet(teams=True), 2)
    assert (teams.tables, teams.width) == (3, 2)
    assert [s.bots for s in teams.seatings()] == [(1, 1, 1, 1), (0, 1, 0, 1), (1, 0, 1, 0)]
    four = plan_of(RuleSet(), 4)
    assert (four.kind, four.tables, four.weight) == (Kind.SEATINGS, 24, 6)
    assert len({seating.bots for seating in four.seatings()}) == 24
    league = plan_of(RuleSet(), 3, league=True)
    assert (league.kind, league.tables) == (Kind.LEAGUE, 3 + 6 * 4)
    for bots, wants_league in ((1, False), (3, False), (5, False), (1, True)):
        with raises_code("arena-bots"):
            plan_of(RuleSet(), bots, league=wants_league)


def test_however_deals_are_cut_the_numbers_are_the_same(chunks: tuple[Chunk, ...]) -> None:
    whole = play_chunk(JOB, range(6))
    assert same([whole]) == same(chunks) == same(chunks[::-1])
    assert list(gaps(range(8), [chunks[1], chunks[4]])) == [range(1), range(2, 4), range(5, 8)]


def test_a_league_holds_its_duels(chunks: tuple[Chunk, ...]) -> None:
    league = Job(TWO, ("random", "greedy"), 5, league=True)
    rows = results_of(league, [play_chunk(league, range(3))]).rows
    duel = results_of(JOB, chunks[:3]).rows[0]
    assert rows[0].estimate == duel.estimate
    assert rows[0].tally["points"] == duel.tally["points"]
    assert (rows[1].bot, rows[1].anchor) == (1, 0)


def test_in_all_orders_the_differences_cancel_out() -> None:
    job = Job(RuleSet(players=3), ("greedy", "random", "greedy"), 1)
    result = results_of(job, [play_chunk(job, range(2))])
    assert sum(row.estimate.mean for row in result.rows) == pytest.approx(0)
    assert result.names == ("greedy/1#1", "random/1", "greedy/1#3")
    assert result.rows[1].estimate.mean > 0
    assert all(row.tally["seats"] == 12 for row in result.rows)


def begun(path: Path, chunks: Sequence[Chunk]) -> Ledger:
    """A file that holds these chunks, still open."""
    ledger = Ledger(path, identity(JOB), JOB.plan)
    for chunk in chunks:
        ledger.append(chunk)
    return ledger


def test_a_file_keeps_what_was_played(tmp_path: Path, chunks: tuple[Chunk, ...]) -> None:
    path = tmp_path / "a.jsonl"
    ledger = begun(path, chunks[:3])
    with raises_code("arena-file-busy"):
        Ledger(path, identity(JOB), JOB.plan)
    ledger.close()
    with path.open("ab") as file:
        file.write(b'{"first":3,"deals"')  # a crash in the middle of a line
    again = Ledger(path, identity(JOB), JOB.plan)
    assert same(again.chunks) == same(chunks[:3])
    rest = run_job(JOB, range(6), done=again.chunks, on_chunk=again.append)
    again.close()
    assert same(rest) == same(chunks)
    last = begun(path, [])
    last.close()
    assert same(last.chunks) == same(chunks)


def test_a_file_that_is_not_what_it_was_is_refused(
    tmp_path: Path, chunks: tuple[Chunk, ...]
) -> None:
    path = tmp_path / "a.jsonl"
    begun(path, chunks[:3]).close()
    good = path.read_bytes()
    lines = good.splitlines(keepends=True)
    other = Job(TWO, ("random", "greedy"), 6, limit_ms=1)
    damages = [
        good.replace(b'"scores":[', b'"scores":[1', 1), b"".join([lines[0], *lines[2:]]),
        b"".join([*lines, lines[1]]), b"".join(lines[1:]), b"my notes",
    ]  # fmt: skip
    for damaged in damages:
        path.write_bytes(damaged)
        with raises_code("arena-file-damaged"):
            Ledger(path, identity(JOB), JOB.plan)
        assert path.read_bytes() == damaged
    with raises_code("arena-file-damaged"):
        Ledger(Path("/dev/zero"), identity(JOB), JOB.plan)  # it has no end
    path.write_bytes(good)
    with pytest.raises(OkeyError) as caught:
        Ledger(path, identity(other), other.plan)
    assert caught.value.details["what"] == "limit_ms, seed"


def test_a_manifest_says_what_played(tmp_path: Path) -> None:
    weights = tmp_path / "weights.bin"
    weights.write_bytes(b"1")

    class Weighted(GreedyBot):
        name = "weighted"

    Weighted.weights = weights  # type: ignore[attr-defined]
    first = bot_entry(Weighted)
    weights.write_bytes(b"2")
    assert bot_entry(Weighted)["weights_sha256"] != first["weights_sha256"]
    assert len(str(first["code_sha256"])) == 64
    assert (first["replayable"], bot_entry("steady")["replayable"]) == (False, True)
    assert bot_entry("steady")["weights_sha256"] is None
    assert len(engine_hash()) == 64
    assert json.dumps(identity(JOB))


def test_seeds_are_kept_apart() -> None:
    data = json.loads((ROOT / "benchmarks" / "seeds.json").read_text("utf-8"))
    for purpose, seeds in RANGES.items():
        assert (data[purpose]["first"], data[purpose]["last"]) == (seeds.start, seeds.stop - 1)
        assert checked_seed(None, purpose) == seeds.start
        assert purpose_of(seeds.stop - 1) is purpose
    assert data["release"]["deals"] == RELEASE_DEALS
    assert purpose_of(3_000_000) is None
    with raises_code("seed-range"):
        checked_seed(5, Purpose.GATE)


@pytest.mark.parametrize(
    ("gain", "verdict"), [(1.0, GateVerdict.BETTER), (0.0, GateVerdict.NO_BETTER)]
)
def test_the_sequential_test_errs_seldom(gain: float, verdict: GateVerdict) -> None:
    rng = random.Random(3)
    right, deals = 0, 0
    for _ in range(60):
        found = gate([rng.gauss(-gain, 8) for _ in range(3_000)])
        right += found.verdict is verdict
        deals += found.deals
    assert right >= 53
    assert deals < 60 * 1_000


def test_the_sequential_test_looks_at_fixed_places() -> None:
    rng = random.Random(1)
    differences = [rng.gauss(-5, 8) for _ in range(400)]
    found = gate(differences)
    assert found == gate(differences[: found.deals])
    assert found.deals % 25 == 0
    assert gate(differences[:99]).verdict is GateVerdict.UNDECIDED


def test_a_bootstrap_draws_the_same_deals_of_all_columns() -> None:
    rng = random.Random(2)
    column = [rng.gauss(3, 10) for _ in range(2_500)]
    drawn = draws([column, [2 * value for value in column]], rounds=400)
    (low, high), (low2, high2) = (interval([row[at] for row in drawn]) for at in (0, 1))
    assert low < 3 < high
    assert low2 == pytest.approx(2 * low)
    assert high2 == pytest.approx(2 * high)


class Wild(GreedyBot):
    """Fails in every way there is, one after the other."""

    name = "wild"
    calls = 0

    def choose(self, view: View, options: Options) -> Action:
        Wild.calls += 1
        if Wild.calls % 4 == 0:
            raise RuntimeError
        if Wild.calls % 4 == 1:
            return None  # type: ignore[return-value]
        if Wild.calls % 4 == 2 and not options.draw:
            return DRAW
        return super().choose(view, options)


class Restless(GreedyBot):
    """Lays down and takes back without end."""

    name = "restless"

    def choose(self, view: View, options: Options) -> Action:
        if options.backs:
            return options.backs[0][0]
        for lay in options.lays:
            return lay
        for meld in options.melds:
            return meld
        return super().choose(view, options)


def test_whatever_a_bot_does_the_table_goes_on() -> None:
    deal = Deal.start(TWO, arena_deal(TWO, 1, 0))
    bots: list[Bot] = [Wild(), GreedyBot()]
    played = play_table(deal, bots, 1)
    assert played.deal.over
    wild, greedy = played.conducts
    assert wild.crashed > 0
    assert wild.illegal > 0
    assert wild.defaults == len(played.defaults)
    assert greedy.defaults == 0
    assert greedy.overrun_ns > 0
    ended = 0
    for number in range(6):
        deal = Deal.start(TWO, arena_deal(TWO, 1, number))
        played = play_table(deal, [Restless(), Restless()], 10**9)
        assert played.deal.over
        ended += sum(conduct.endless for conduct in played.conducts)
    assert ended > 0
    assert TURN_LIMIT == 100


class Deadly(GreedyBot):
    """Takes its process along, the first time."""

    name = "deadly"

    def choose(self, view: View, options: Options) -> Action:
        mark = Path(os.environ["OKEY101_TEST_DEADLY"])
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(view, options)


DEADLY = Job(TWO, ("sim.test_arena_files:Deadly", "greedy"), 5)


def test_a_dead_worker_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OKEY101_TEST_DEADLY", str(tmp_path / "died"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]))
    found = run_job(DEADLY, range(4), workers=2)
    assert (tmp_path / "died").exists()
    plain = run_job(Job(TWO, ("greedy", "greedy"), 5), range(4))
    assert results_of(DEADLY, found).rows[0].estimate.mean == 0
    assert sum(chunk.deals for chunk in found) == sum(chunk.deals for chunk in plain)


def test_workers_that_are_stopped_hand_out_what_they_have(tmp_path: Path) -> None:
    """A chunk ends after its present deal; what nobody has begun is left out."""
    asked = False
    heard: list[Chunk] = []

    def on_chunk(chunk: Chunk) -> None:
        nonlocal asked
        heard.append(chunk)
        asked = True

    found = run_job(JOB, range(10_000), workers=2, on_chunk=on_chunk, stopped=lambda: asked)
    assert 1 <= len(found) == len(heard) <= 4
    assert all(chunk.deals >= 1 for chunk in found)
    few = run_job(JOB, range(10), done=found)
    assert sum(chunk.deals for chunk in few) >= 10


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
        found = run_job(DEADLY, range(20), backend=backend)
    finally:
        backend.close()
        cluster.shutdown()
    assert died.exists(), "a worker was killed in the middle"
    assert same(found, DEADLY) == same(run_job(DEADLY, range(20)), DEADLY)
