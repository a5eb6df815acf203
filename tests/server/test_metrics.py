"""Metrics: what is counted comes out, labels stay bounded, and pauses are seen."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import re

from prometheus_client.parser import text_string_to_metric_families

from okey101.server.ops.gc_tuning import watch_lag, watch_pauses
from okey101.server.ops.metrics import CONTENT_TYPE, Metrics


def values(metrics: Metrics) -> dict[str, float]:
    """Every sample by its name and labels, as they are written."""
    text = metrics.render().decode()
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_what_is_counted_comes_out() -> None:
    metrics = Metrics()
    metrics.tables({"waiting": 2, "playing": 3}, frozen=1)
    metrics.seats(people=5, bots=7)
    metrics.sockets(11)
    metrics.log_queue(13)
    metrics.command("play", "ok", 0.003)
    metrics.command("play", "below-threshold", 0.001)
    metrics.events(4)
    metrics.events(4)
    metrics.commit(17, 0.004)
    metrics.commit(0, 0.001)
    metrics.ready(True)
    metrics.overflow()
    metrics.request("GET", "/tables/{table}", 404)
    metrics.think(0.02)
    found = values(metrics)
    assert found["okey101_tables{stage=playing}"] == 3
    assert found["okey101_tables_frozen"] == 1
    assert found["okey101_seats{by=bots}"] == 7
    assert found["okey101_sockets"] == 11
    assert found["okey101_log_queue"] == 13
    assert found["okey101_commands_total{outcome=ok,type=play}"] == 1
    assert found["okey101_commands_total{outcome=below-threshold,type=play}"] == 1
    assert found["okey101_command_seconds_count"] == 1
    assert found["okey101_events_total"] == 8
    assert found["okey101_log_rows_total"] == 17
    assert found["okey101_log_commit_rows_sum"] == 17
    assert found["okey101_log_commit_seconds_count"] == 1
    assert found["okey101_log_commits_failed_total"] == 1
    assert found["okey101_ready"] == 1
    assert found["okey101_outbox_overflows_total"] == 1
    assert found["okey101_http_requests_total{method=GET,route=/tables/{table},status=404}"] == 1
    assert found["okey101_bot_think_seconds_count"] == 1
    assert CONTENT_TYPE.startswith("text/plain")


def test_a_stage_without_tables_is_0() -> None:
    metrics = Metrics()
    metrics.tables({"playing": 3}, frozen=0)
    metrics.tables({"waiting": 1}, frozen=0)
    found = values(metrics)
    assert found["okey101_tables{stage=playing}"] == 0
    assert found["okey101_tables{stage=waiting}"] == 1


def test_labels_are_bounded_and_hold_no_texts() -> None:
    metrics = Metrics()
    for number in range(2000):
        metrics.command(f"kind-{number}", f"code-{number}", 0.0)
        metrics.request("GET", f"/path/{number}", 200)
    metrics.command("play", "a name with blanks\nand lines", 0.0)
    metrics.request("HUSH" * 50, "/x\ud800", 200)
    text = metrics.render().decode()
    assert len(set(re.findall(r'route="([^"]*)"', text))) <= 129
    assert len(set(re.findall(r'outcome="([^"]*)"', text))) <= 257
    assert len(set(re.findall(r'type="([^"]*)"', text))) <= 65
    assert "blanks" not in text
    assert "HUSH" not in text


def test_pauses_of_the_collector_are_counted_at_the_next_reading() -> None:
    metrics = Metrics()
    before = len(gc.callbacks)
    with watch_pauses(metrics.gc_pause):
        gc.collect()
        gc.collect()
    gc.collect()
    assert len(gc.callbacks) == before
    assert values(metrics)["okey101_gc_pause_seconds_count"] >= 2


async def test_a_busy_loop_is_seen_as_lag() -> None:
    metrics = Metrics()

    loop = asyncio.get_running_loop()
    watching = asyncio.create_task(watch_lag(metrics.loop_lag, 0.01))
    await asyncio.sleep(0)
    until = loop.time() + 0.1
    while loop.time() < until:
        pass
    await asyncio.sleep(0.03)
    watching.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await watching
    first = values(metrics)
    assert first["okey101_loop_lag_worst_seconds"] >= 0.08
    assert first["okey101_loop_lag_worst_seconds"] >= first["okey101_loop_lag_seconds"]


def test_the_worst_lag_is_the_same_for_every_reader() -> None:
    """Whoever reads takes it from nobody else; after a minute it is forgotten."""
    now = [0.0]
    metrics = Metrics(lambda: now[0])

    def worst() -> float:
        return values(metrics)["okey101_loop_lag_worst_seconds"]

    assert worst() == 0
    metrics.loop_lag(0.7)
    now[0] = 30.0
    metrics.loop_lag(0.2)
    metrics.loop_lag(0.1)
    assert [worst(), worst()] == [0.7, 0.7]
    now[0] = 61.0
    assert [worst(), worst()] == [0.2, 0.2]
    now[0] = 91.0
    assert worst() == 0
