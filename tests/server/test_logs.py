"""What operators read: lines of JSON without secrets, the journal of their deeds, and metrics."""

import asyncio
import gc
import io
import json
import logging
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from okey101.errors import OkeyError
from okey101.server.net.heartbeat import Heartbeat
from okey101.server.ops.gc_tuning import watch_pauses
from okey101.server.ops.journal import Journal, JournalEntry, Lines, token_holder
from okey101.server.ops.logs import _Sparse, configure_logs, logger, safe
from okey101.server.ops.metrics import CONTENT_TYPE, Metrics
from server.store.memory import with_store

ROOT = Path(__file__).parents[2]
SECRET = "hush-hush-1234567890"


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_a_line_of_json(stream: io.StringIO) -> None:
    """One line where logs are configured twice, too."""
    configure_logs("info", "json", stream)
    log = logger("okey101.server.tables")
    log.info("table-closed", table="t_1", deals=3, names=["Çiğdem", "Işık"])
    log.debug("not told")
    (line,) = lines(stream)
    assert line.pop("time").endswith("Z")
    told = {"table": "t_1", "deals": 3, "names": ["Çiğdem", "Işık"]}
    assert line == {"event": "table-closed", "level": "info"} | told


def test_libraries_go_the_same_way(stream: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").error("Cancel %s task(s)", 3)
    logging.getLogger("uvicorn.error").info("Started server process")
    logging.getLogger("uvicorn.access").info("GET /")
    logging.getLogger("websockets.server").debug("> TEXT %s", "R7")
    logging.getLogger("some.library").warning("odd")
    found = [(line["logger"], line["level"], line["event"]) for line in lines(stream)]
    assert found == [
        ("uvicorn.error", "error", "Cancel 3 task(s)"),
        ("some.library", "warning", "odd"),
    ]


def test_a_request_that_was_cut_off_at_the_end_is_no_fault(stream: io.StringIO) -> None:
    for cause in (asyncio.CancelledError("the end"), ZeroDivisionError("a fault")):
        logging.getLogger("uvicorn.error").error("Exception in ASGI application", exc_info=cause)
    (line,) = lines(stream)
    assert "ZeroDivisionError" in line["exception"]


def test_what_any_client_can_cause_is_told_a_few_times_a_minute(stream: io.StringIO) -> None:
    """A line for each malformed request would fill a disk as fast as somebody can send them."""
    now = [0.0]
    log = logging.getLogger("uvicorn.error")
    (sparse,) = [one for one in log.filters if isinstance(one, _Sparse)]
    sparse._clock = lambda: now[0]
    for _ in range(1_000):
        log.warning("Invalid HTTP request received.")
    log.warning("Unsupported upgrade request.")
    for _ in range(10):
        log.error("a fault")
    assert Counter(line["event"] for line in lines(stream)) == {
        "Invalid HTTP request received.": 5, "Unsupported upgrade request.": 1, "a fault": 10,
    }  # fmt: skip
    now[0] = 61.0
    log.warning("Invalid HTTP request received.")
    last = lines(stream)[-1]["event"]
    assert last == "Invalid HTTP request received. (995 more like it were not told)"


def test_a_traceback_is_one_line(stream: io.StringIO) -> None:
    try:
        raise OkeyError("odd", f"password={SECRET} is odd")
    except OkeyError:
        logger("x").exception("broken")
        logging.getLogger("y").exception("broken")
    one, two = lines(stream)
    for line in (one, two):
        assert "Traceback" in line["exception"]
        assert "OkeyError" in line["exception"]
    assert SECRET not in stream.getvalue()


def test_a_stream_may_be_gone(stream: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
    stream.close()
    logger("x").info("lost")
    assert capsys.readouterr() == ("", "")
    configure_logs("info", "json", io.StringIO())


class Deal:
    def __repr__(self) -> str:
        return SECRET


NAMES = ("token", "admin_token", "accessToken", "Set-Cookie", "Authorization", "deal_from_seed",
         "new_password")  # fmt: skip
TEXTS = (
    f"Authorization: Bearer {SECRET}", f"cookie: sid={SECRET}; path=/",
    f"/ws?token={SECRET}&x=1", f"/ws?access_token={SECRET}", f"the session token {SECRET} is old",
    f"password='{SECRET}'", f'"password": "{SECRET}"',
)  # fmt: skip
HIDDEN: list[Mapping[str, object]] = [
    *({name: SECRET} for name in NAMES), *({"text": text} for text in TEXTS),
    {"hands": [SECRET]}, {"stock": (SECRET,)}, {"seat": {"rack": SECRET}},
    {"many": [{"drawn": SECRET}]}, {"body": SECRET.encode()}, {"deal": Deal()},
    {"deals": [Deal(), {"x": Deal()}]}, {"reason": OkeyError("odd", SECRET)},
    {"deep": [[[[[[[SECRET]]]]]]]},
]  # fmt: skip


@pytest.mark.parametrize("values", HIDDEN, ids=str)
def test_secrets_do_not_pass(stream: io.StringIO, values: dict[str, Any]) -> None:
    logger("x").info("event", **values)
    assert len(lines(stream)) == 1
    assert SECRET not in stream.getvalue()


def test_what_is_no_secret_passes(stream: io.StringIO) -> None:
    values = {"state_hash": "ff", "handler": "x", "seat": 2, "rows": 3, "stocked": True}
    text = "the token is bad; a seed was drawn"
    logger("x").info("event", text=text, **values)
    (line,) = lines(stream)
    assert {name: line[name] for name in values} == values
    assert line["text"] == text


def test_texts_are_cut_and_can_not_steer_a_terminal(stream: io.StringIO) -> None:
    configure_logs("info", "text", stream)
    logger("x").info("event", name="\x1b[2J\nfake line", long="x" * 10_000)
    said = stream.getvalue()
    assert "\x1b" not in said
    assert len(said.splitlines()) == 1
    assert len(said) < 3_000


NESTED = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=9), NESTED, max_size=4))
def test_whatever_is_logged_can_be_written(values: dict[str, Any]) -> None:
    made = safe(None, "info", values)
    json.dumps(made)
    assert safe(None, "info", made).keys() == made.keys()


@pytest.mark.parametrize("language", ["en", "tr"])
def test_the_pages_for_hosts_have_every_event(language: str) -> None:
    """And no other, so that whoever looks up a line finds it."""
    written: set[str] = set()
    for path in (ROOT / "src" / "okey101" / "server").rglob("*.py"):
        written.update(re.findall(r'_log\.\w+\(\s*"([^"]+)"', path.read_text("utf-8")))
    page = (ROOT / "docs" / language / "hosting.md").read_text("utf-8")
    _, _, table = page.partition({"en": "| event |", "tr": "| olay |"}[language])
    rows = [line.split("|")[1] for line in table.partition("\n\n")[0].splitlines()[2:]]
    assert ({name for row in rows for name in re.findall(r"`([^`]+)`", row)}) == written


async def do(journal: Journal, what: str, error: BaseException | None = None) -> None:
    async with journal.noted(what, who="admin:0", address="192.0.2.1", of="t_1", seat=2):
        if error is not None:
            raise error


async def test_deeds_are_kept_with_their_outcome_and_logged(tmp_path: Path) -> None:
    async with with_store(tmp_path / "log.sqlite") as store:
        journal = Journal(store)
        assert await journal.last(10) == []
        with capture_logs() as told:
            await do(journal, "close")
            with pytest.raises(OkeyError):
                await do(journal, "kick", OkeyError("no-seat", "none"))
            with pytest.raises(ZeroDivisionError):
                await do(journal, "ban", ZeroDivisionError())
        found = await journal.last(1_000)
        assert await journal.last(1) == found[:1]
    words = [(entry.what, entry.outcome) for entry in found]
    assert words == [("ban", "failed"), ("kick", "no-seat"), ("close", "done")]
    entry = found[-1]
    assert (entry.who, entry.address, entry.of, dict(entry.details)) == (
        "admin:0", "192.0.2.1", "t_1", {"seat": 2},
    )  # fmt: skip
    assert [(line["event"], line["what"], line["outcome"]) for line in told] == [
        ("admin-action", "close", "done"), ("admin-action", "kick", "no-seat"),
        ("admin-action", "ban", "failed"),
    ]  # fmt: skip


async def test_the_trail_is_bounded(tmp_path: Path) -> None:
    async with with_store(tmp_path / "log.sqlite") as store:
        lines = Lines(store, "trail", JournalEntry, most=12)
        other = JournalEntry(at=7, who="", address="", what="x")
        await Lines(store, "other", JournalEntry).add(other)
        await store.note("other", b'{"what": "\xa2"}', 1)
        for number in range(50):
            await lines.add(JournalEntry(at=number, who="admin:0", address="", what="check"))
        assert [entry.at for entry in await lines.last(100)] == [*range(49, 37, -1)]
        assert len(await store.noted("other", 100)) == 1
        assert await Lines(store, "other", JournalEntry).last(100) == []
        assert await store.check() == []


async def test_a_trail_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    async with with_store(tmp_path / "log.sqlite") as store:
        pass
    with capture_logs() as told:
        await do(Journal(store), "close")
    assert [line["event"] for line in told] == ["admin-action", "journal-failed"]


def test_a_fingerprint_tells_nothing_of_the_token() -> None:
    assert token_holder("a" * 43) == token_holder("a" * 43) != token_holder("b" * 43)
    assert len(token_holder("x")) == len("admin:") + 8


def values(metrics: Metrics) -> dict[str, float]:
    text = metrics.render().decode()
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_what_is_counted_comes_out() -> None:
    metrics = Metrics()
    metrics.tables({"waiting": 2, "playing": 3}, frozen=1, people=5, bots=7)
    metrics.sockets(11)
    metrics.log_queue(13)
    metrics.command("play", "ok", 0.003)
    metrics.command("play", "below-threshold", 0.001)
    metrics.events(4)
    metrics.events(4)
    metrics.round("dealt")
    metrics.round("not-revealed")
    metrics.commit(17, 0.004)
    metrics.commit(0, 0.001)
    metrics.ready(True)
    metrics.overflow()
    metrics.request("GET", "/tables/{table}", 404)
    metrics.think(0.02)
    assert (
        values(metrics).items()
        >= {
            "okey101_tables{stage=playing}": 3, "okey101_tables_frozen": 1,
            "okey101_seats{by=bots}": 7, "okey101_sockets": 11, "okey101_log_queue": 13,
            "okey101_commands_total{outcome=ok,type=play}": 1,
            "okey101_commands_total{outcome=below-threshold,type=play}": 1,
            "okey101_command_seconds_count": 1, "okey101_events_total": 8,
            "okey101_rounds_total{outcome=not-revealed}": 1, "okey101_log_rows_total": 17,
            "okey101_log_commit_rows_sum": 17, "okey101_log_commit_seconds_count": 1,
            "okey101_log_commits_failed_total": 1, "okey101_ready": 1,
            "okey101_outbox_overflows_total": 1, "okey101_bot_think_seconds_count": 1,
            "okey101_http_requests_total{method=GET,route=/tables/{table},status=404}": 1,
        }.items()
    )  # fmt: skip
    assert CONTENT_TYPE.startswith("text/plain")
    metrics.tables({"waiting": 1}, 0, 0, 0)
    assert values(metrics)["okey101_tables{stage=playing}"] == 0


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
    heart = Heartbeat()
    heart.on_lag = metrics.loop_lag
    heart.start()
    until = loop.time() + 0.2
    while loop.time() < until:
        pass
    await asyncio.sleep(0.01)
    heart.stop()
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
