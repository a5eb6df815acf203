"""The first upgrade, rehearsed: to a build that keeps a nickname of people, and back."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from server.clients import Client
from server.live import SRC, Json, LiveServer, guest

CHANGES = {
    "server/people/models.py": (
        "    owner_id: Mapped[str | None]\n",
        "    owner_id: Mapped[str | None]\n    nickname: Mapped[str | None]\n",
    ),
    "server/store/statements.py": (
        "...]] = ()\n",
        '...]] = (lambda conn: conn.execute("ALTER TABLE users ADD COLUMN nickname TEXT"),)\n',
    ),
}
RUN = (
    "import sys; sys.path[:0] = [sys.argv.pop(1)]; import okey101.cli; sys.exit(okey101.cli.main())"
)
NOW = (sys.executable, "-m", "okey101")


@pytest.fixture
def later(tmp_path: Path) -> Sequence[str]:
    """The program of the next build, which has one column more and the step that makes it."""
    copy = tmp_path / "later" / "okey101"
    shutil.copytree(SRC / "okey101", copy, ignore=shutil.ignore_patterns("__pycache__", "_web"))
    (copy / "_web").symlink_to(SRC / "okey101" / "_web")
    for name, (old, new) in CHANGES.items():
        text = (copy / name).read_text("utf-8")
        assert text.count(old) == 1, name
        (copy / name).write_text(text.replace(old, new), "utf-8")
    return sys.executable, "-c", RUN, str(copy.parent)


def _said(program: Sequence[str], data: Path, *words: str, **settings: str) -> Json:
    environ = {**os.environ, "PYTHONPATH": str(SRC)}
    environ |= {f"OKEY101_{name.upper()}": value for name, value in settings.items()}
    done = subprocess.run(
        [*program, *words, "--data", str(data), "--json"],
        capture_output=True, timeout=60, check=False, env=environ,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr
    said: Json = json.loads(done.stdout.splitlines()[0])
    return said if done.returncode == 0 else dict(said["error"])


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_server_is_upgraded_and_put_back(
    kind: str, later: Sequence[str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    data, backup = tmp_path / "data", tmp_path / "backup"
    where = {"database": request.getfixturevalue("url")} if kind == "postgres" else {}
    with LiveServer(data, **where) as server:
        async with server.http() as http:
            ali = await guest(http)
        async with server.http(ali) as http:
            body = {"deals": 1, "clock": 0, "bot": "greedy"}
            table = (await http.post("/api/play", json=body)).json()["table"]
        async with Client(server, table, ali) as client:
            await client.play_on(lambda c: c.model.seq >= 20)
            held = client.model.you
        if not where:
            assert "error" not in _said(NOW, data, "admin", "backup", str(backup))
        server.stop()

    with LiveServer(data, program=later, fresh=True, **where) as server:
        async with Client(server, table, ali) as client:
            assert client.model.you is not None
            assert held is not None
            assert client.model.you["hand"] == held["hand"]
            await client.play_on()
        server.stop()
    if not where:
        assert _said(later, data, "admin", "check")["problems"] == []
        with closing(sqlite3.connect(data / "log.sqlite")) as file:
            assert file.execute("SELECT nickname FROM users").fetchall() == [(None,)]
    assert _said(NOW, data, "serve", "--port", "0", **where)["code"] == "store-newer"
    if where:
        return

    assert "error" not in _said(NOW, data, "admin", "restore", str(backup))
    with LiveServer(data) as server:
        async with Client(server, table, ali) as client:
            await client.play_on()
