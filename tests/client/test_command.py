"""The command ``okey101 client-check``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from client.faulty import Natural
from client.test_client import run
from server.live import Json, LiveServer, guest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer() as server:
        yield server


def command(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "okey101", "client-check", *words],
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answer(*words: str) -> tuple[int, Json]:
    """The exit code, and what is said as JSON."""
    running = command(*words, "--json")
    out, _ = running.communicate(timeout=120)
    return running.returncode, json.loads(out)


def test_a_faulty_bot_is_told_of(server: LiveServer) -> None:
    bot = "client.test_client:Failing"
    code, found = answer(server.url, "--bot", bot, "--rounds", "1")
    assert (code, found["error"]["code"]) == (1, "client-faulty")
    assert found["error"]["bot_faults"]["crashed"] > 0
    assert found["error"]["untried"] == []


@pytest.mark.parametrize(
    ("words", "exit_code", "code"),
    [
        (["http://127.0.0.1:1"], 4, "no-server"),
        (["ftp://there"], 2, "bad-address"),
        (["{url}", "--bot", "nobody"], 2, "unknown-bot"),
        (["{url}", "--seconds", "1"], 1, "client-not-tested"),
    ],
)
def test_what_can_not_be_checked(
    server: LiveServer, words: list[str], exit_code: int, code: str
) -> None:
    got, found = answer(*(word.format(url=server.url) for word in words))
    assert (got, found["error"]["code"]) == (exit_code, code)


def test_a_faulty_client_of_somebody_elses(server: LiveServer) -> None:
    running = command(server.url, "--rounds", "1", "--lang", "en")
    assert running.stderr is not None
    url = running.stderr.readline().split(" at ")[1].split(" instead")[0]

    async def story() -> None:
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            person = await guest(http, "My client")
            body = {"deals": 9, "bot": "random"}
            made = await http.post("/api/play", json=body, headers=person.headers)
        await Natural(url, made.json()["table"], person, "new-rid").play()

    run(story())
    out, _ = running.communicate(timeout=60)
    assert running.returncode == 1
    assert "! move-sent-twice (" in out
    assert "Wait for" not in out
