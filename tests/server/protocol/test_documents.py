"""The page about the protocol: its bot plays; ``make lint`` checks its examples and tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

from conftest import ran_python
from okey101.server.web.schema import protocol_schema
from server.live import LiveServer

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = (DOCS / "en" / "protocol.md").read_text("utf-8")

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


def _totals(folder: Path, program: str) -> list[int]:
    """What a program prints that plays a match on its own server."""
    path = folder / "bot.py"
    path.write_text(program, encoding="utf-8")
    with LiveServer(deal_pause_s=5) as live:
        totals: list[int] = json.loads(ran_python(path, live.url, timeout=60).stdout)
    return totals


def test_the_bot_plays(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 60
    assert len(_totals(tmp_path, program)) == 4


def test_the_bot_plays_on_where_it_broke_off(tmp_path: Path) -> None:
    """Started again for the same seat it is heard: no earlier `rid` comes back."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    definitions, begin, rest = program.partition("token = post(")
    assert begin
    assert "play(table, token)" in rest
    assert len(_totals(tmp_path, definitions + AGAIN)) == 4


def test_the_schema_is_checked_in() -> None:
    written = json.loads((DOCS / "protocol.schema.json").read_text("utf-8"))
    assert written == protocol_schema()
