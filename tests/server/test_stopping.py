"""Stopping: nobody holds it up, whatever was begun, and the log says so in lines of JSON."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from server.live import LiveServer
from server.test_serve import CHILD, PATIENCE_S, SRC, Server, served

HALF = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{"
STUCK = b"GET /stuck HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def connected(server: Server, data: bytes) -> socket.socket:
    """A connection on which this was sent."""
    at = urlsplit(server.url)
    one = socket.create_connection((at.hostname, at.port), timeout=PATIENCE_S)
    one.sendall(data)
    return one


def events(server: Server) -> list[dict[str, Any]]:
    """The lines of the log, each of which is an object."""
    return [json.loads(line) for line in server.said.splitlines()]


def names(server: Server) -> list[str]:
    return [event["event"] for event in events(server)]


def test_half_a_request_is_cut_off_when_draining_begins(tmp_path: Path) -> None:
    with served(tmp_path, "slow", OKEY101_MAX_SOCKETS="100") as server:
        server.wait_for('"serving"')
        with connected(server, HALF) as half, connected(server, HALF[:30]) as less:
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            server.wait_for('"draining"')
            assert half.recv(1000) == b""  # while draining goes on, which here never ends
            time.sleep(0.4)
            server.process.send_signal(signal.SIGTERM)
            server.end()
            less.close()
        assert names(server) == ["serving", "draining"]


def test_half_a_request_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with served(tmp_path, "well", OKEY101_DRAIN_S="60", OKEY101_MAX_SOCKETS="100") as server:
        server.wait_for('"serving"')
        with connected(server, HALF), connected(server, HALF[:30]):
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            assert server.end() == (0, ["up", "drain", "drained", "down"])
        assert names(server) == ["serving", "draining", "stopped"]


def test_whoever_is_not_answered_is_cut_off_in_the_time_for_draining(tmp_path: Path) -> None:
    with served(tmp_path, "well", OKEY101_DRAIN_S="1", OKEY101_MAX_SOCKETS="100") as server:
        server.wait_for('"serving"')
        with connected(server, STUCK) as stuck:
            assert server.out.readline() == "up\n"
            assert server.out.readline() == "stuck\n"
            server.process.send_signal(signal.SIGTERM)
            assert server.end() == (0, ["drain", "drained", "down"])
            assert stuck.recv(1000) == b""
        said = events(server)
        assert [event["event"] for event in said] == [
            "serving", "draining", "connections-cut", "stopped",
        ]  # fmt: skip
        assert said[2]["connections"] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_the_application_is_loaded(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path, "loading", OKEY101_MAX_SOCKETS="100") as server:
        assert server.out.readline() == "loading\n"
        server.process.send_signal(number)
        assert server.end() == (0, [])
        assert names(server) == ["stopped"]


def test_half_a_request_to_the_whole_server() -> None:
    head = b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    with LiveServer() as server, socket.create_connection(("127.0.0.1", server.port)) as half:
        half.sendall(head + b"Content-Length: 500\r\n\r\n{")
        time.sleep(0.3)
        assert server.stop() == 0
        events = [event["event"] for event in server.events if event["event"] != "admin-action"]
        assert events[-2:] == ["draining", "stopped"]
        assert len(server.events) == len(server.log.splitlines())


def test_words_for_people_are_on_terminals_alone(tmp_path: Path) -> None:
    """In the log each line is an object; a terminal is told what to open, and how to stop."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    words = [sys.executable, str(CHILD), "well", str(tmp_path / "data"), "0"]
    environ = {k: v for k, v in os.environ.items() if not k.startswith("OKEY101_")}
    environ |= {"PYTHONPATH": str(SRC), "OKEY101_LOG_FORMAT": "json"}
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, env=environ
    ) as process:
        os.close(theirs)
        try:
            said = b""
            while b"Ctrl-C" not in said:
                said += os.read(ours, 1000)
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_S)
            os.close(ours)
    assert b"Open http://127.0.0.1:" in said
