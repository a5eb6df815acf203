"""The page about the protocol: its examples are messages, its tables complete, its bot plays."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from okey101.game.refusals import CODES
from okey101.server import close_codes, settings
from okey101.server.protocol import client_messages, server_messages
from okey101.server.protocol.client_messages import PHRASES, read_message
from okey101.server.protocol.schema import protocol_schema
from okey101.server.protocol.server_messages import read_event
from okey101.server.web import outbox, socket
from server.live import LiveServer

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGES = {lang: (DOCS / lang / "protocol.md").read_text("utf-8") for lang in ("en", "tr")}
VALIDATOR = jsonschema.Draft202012Validator(protocol_schema())
SENT = {kind.__struct_config__.tag for kind in get_args(client_messages.AnyMessage)}
TOLD = {kind.__struct_config__.tag for kind in get_args(server_messages.AnyEvent)}
HAPPENINGS = {kind.__struct_config__.tag for kind in get_args(server_messages.What)}

AGAIN = """
token = post("/api/guests", {"name": "My bot", "bearer": True})["token"]
table = post("/api/play", {"deals": 1, "bot": "random"}, token)["table"]
usual, calls = choose, count()

def choose(options):
    if next(calls) == 2:
        raise EOFError
    return usual(options)

try:
    asyncio.run(play(table, token))
except EOFError:
    print(asyncio.run(asyncio.wait_for(play(table, token), 40)))
"""
"""What follows the definitions of the bot: it breaks off in the middle, and is started again."""


def examples(page: str) -> list[dict[str, Any]]:
    """Every message in the blocks of JSON: one over several lines, or one a line."""
    found = []
    for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL):
        decoder, text = json.JSONDecoder(), block.strip()
        while text:
            message, end = decoder.raw_decode(text)
            found.append(message)
            text = text[end:].strip()
    return found


@pytest.mark.parametrize(
    ("language", "message"),
    [(lang, message) for lang, page in PAGES.items() for message in examples(page)],
)
def test_an_example_is_a_message(language: str, message: dict[str, Any]) -> None:
    text = json.dumps(message)
    if message["type"] in SENT:
        read_message(text)
    else:
        read_event(text)
    VALIDATOR.validate(message)
    for error in (message, message.get("error") or {}):
        assert error.get("code", "not-your-turn") in {
            *CODES,
            "server-restarting",
            "store-slow",
            "table-frozen",
        }
    if message["type"] == "error":
        assert message["message"] == CODES[message["code"]].format(**message["details"])


def test_every_message_has_an_example_or_a_line() -> None:
    shown = {message["type"] for message in examples(PAGES["en"])}
    assert shown == SENT | TOLD
    for page in PAGES.values():
        named = set(re.findall(r"`([a-z-]+)`", page)) | {m["type"] for m in examples(page)}
        assert (SENT | TOLD | set(PHRASES)) - named == set()
    assert set(re.findall(r"`([a-z-]+)`", PAGES["en"])) >= HAPPENINGS


def test_close_codes() -> None:
    used = {value for name, value in vars(close_codes).items() if name.startswith("CLOSE_")}
    for page in PAGES.values():
        listed = {int(code) for code in re.findall(r"^\| (\d{4}) \|", page, re.MULTILINE)}
        assert listed == used


def test_numbers_are_those_of_the_defaults() -> None:
    page = " ".join(PAGES["en"].split())
    fields = settings.Settings.model_fields
    burst, rate = fields["message_burst"].default, fields["messages_per_second"].default
    assert f"{burst} messages at once and {rate:g} a second" in page
    burst, rate = fields["handshake_burst"].default, fields["handshakes_per_second"].default
    assert f"{burst} sockets at once and {rate:g} a second" in page
    assert f"the {socket._MOST_WARNINGS + 1}st time" in page
    assert f"{fields['absence_s'].default:g} seconds away" in page
    assert f"{outbox._MOST_MESSAGES} messages or {outbox._MOST_BYTES // 1024} kB" in page


def _totals(folder: Path, program: str) -> list[int]:
    """What a program prints that plays a match on its own server."""
    path = folder / "bot.py"
    path.write_text(program, encoding="utf-8")
    with LiveServer(deal_pause_s=5) as live:
        done = subprocess.run(
            [sys.executable, str(path), live.url],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    totals: list[int] = json.loads(done.stdout)
    return totals


def test_the_bot_plays(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGES["en"], re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 60
    assert len(_totals(tmp_path, program)) == 4


def test_the_bot_plays_on_where_it_broke_off(tmp_path: Path) -> None:
    """Started again for the same seat it is heard: no earlier `rid` comes back."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGES["en"], re.DOTALL)
    definitions, begin, rest = program.partition("token = post(")
    assert begin
    assert "play(table, token)" in rest
    assert len(_totals(tmp_path, definitions + AGAIN)) == 4


def test_the_schema_is_checked_in() -> None:
    written = json.loads((DOCS / "protocol.schema.json").read_text("utf-8"))
    assert written == protocol_schema()
