"""Logs: one line of JSON for each event, from any library, and without secrets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from okey101.errors import OkeyError
from okey101.server.ops.logs import _Sparse, configure_logs, logger, safe

ROOT = Path(__file__).parents[2]
SECRET = "hush-hush-1234567890"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where logs go, as JSON at the level info; logging is as before afterwards."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    out = io.StringIO()
    configure_logs("info", "json", out)
    yield out
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "asyncio", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    logging.getLogger("uvicorn.access").propagate = True
    logging.getLogger("uvicorn.error").filters.clear()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_a_line_of_json(stream: io.StringIO) -> None:
    log = logger("okey101.server.tables")
    log.info("table-closed", table="t_1", deals=3, names=["Çiğdem", "Işık"])
    log.debug("not told")
    (line,) = lines(stream)
    assert line.pop("time").endswith("Z")
    assert line == {
        "event": "table-closed",
        "level": "info",
        "table": "t_1",
        "deals": 3,
        "names": ["Çiğdem", "Işık"],
    }


def test_libraries_go_the_same_way(stream: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").error("Cancel %s task(s)", 3)
    logging.getLogger("uvicorn.error").info("Started server process")
    logging.getLogger("uvicorn.error").error("Application startup failed. Exiting.")
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


def test_twice_configured_is_once_told(stream: io.StringIO) -> None:
    configure_logs("info", "json", stream)
    logger("x").info("once")
    assert len(lines(stream)) == 1


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


def test_a_stream_that_is_gone_disturbs_nothing(
    stream: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    stream.close()
    logger("x").info("lost")
    assert capsys.readouterr() == ("", "")
    configure_logs("info", "json", io.StringIO())


class Deal:
    def __repr__(self) -> str:
        return SECRET


HIDDEN: list[Mapping[str, object]] = [
    {"token": SECRET},
    {"admin_token": SECRET},
    {"accessToken": SECRET},
    {"Set-Cookie": SECRET},
    {"Authorization": SECRET},
    {"hands": [SECRET]},
    {"stock": (SECRET,)},
    {"deal_from_seed": SECRET},
    {"new_password": SECRET},
    {"seat": {"rack": SECRET}},
    {"many": [{"drawn": SECRET}]},
    {SECRET and "body": SECRET.encode()},
    {"deal": Deal()},
    {"deals": [Deal(), {"x": Deal()}]},
    {"reason": OkeyError("odd", SECRET)},
    {"header": f"Authorization: Bearer {SECRET}"},
    {"text": f"cookie: sid={SECRET}; path=/"},
    {"query": f"/ws?token={SECRET}&x=1"},
    {"query": f"/ws?access_token={SECRET}"},
    {"text": f"the session token {SECRET} is old"},
    {"text": f"password='{SECRET}'"},
    {"text": f'"password": "{SECRET}"'},
    {"deep": [[[[[[[SECRET]]]]]]]},
]


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


def test_texts_are_cut_and_can_not_steer_a_terminal(
    stream: io.StringIO,
) -> None:
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
        found = re.findall(r'_log\.\w+\(\s*"([^"]+)"', path.read_text("utf-8"))
        written.update(found)
    page = (ROOT / "docs" / language / "hosting.md").read_text("utf-8")
    _, _, table = page.partition({"en": "| event |", "tr": "| olay |"}[language])
    rows = [line.split("|")[1] for line in table.partition("\n\n")[0].splitlines()[2:]]
    told = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert told == written
