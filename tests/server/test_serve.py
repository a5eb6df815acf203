"""The server as a process: it starts, says where it is, why it can't start, drains and stops."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from conftest import Patch, raises_code, unwrap
from okey101.cli import main
from okey101.errors import OkeyError
from okey101.i18n import error_text, load
from okey101.server.files import data_dir as ownership
from okey101.server.files.data_dir import Folder, Running, open_folder
from okey101.server.net.binding import bind, listening_at, port_refusal
from okey101.server.settings import load_settings
from server.forks import Process, begin

CHILD = Path(__file__).with_name("serve_child.py")
SRC = Path(__file__).resolve().parents[2] / "src"
PATIENCE_S = 60


class Server:
    def __init__(self, process: Process, out: IO[str], errors: Path, folder: Path) -> None:
        self.process = process
        self.out = out
        self.errors = errors
        self.folder = folder

    @property
    def said(self) -> str:
        return self.errors.read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        return str(json.loads((self.folder / "server.json").read_text("utf-8"))["url"])

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.said.splitlines()]

    @property
    def events(self) -> list[str]:
        return [line["event"] for line in self.lines]

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.said:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, self.said
            time.sleep(0.02)

    def get(self, path: str = "/", base: str = "") -> bytes:
        with urllib.request.urlopen((base or self.url) + path, timeout=PATIENCE_S) as answer:
            assert answer.headers["server"] is None
            body: bytes = answer.read()
            return body

    def end(self) -> tuple[int, list[str]]:
        return self.process.wait(PATIENCE_S), self.out.read().split("\n")[:-1]


def clean_environ() -> dict[str, str]:
    """The environment without settings of a server."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("OKEY101_")}
    return clean | {"PYTHONPATH": str(SRC), "PYTHONIOENCODING": "utf-8"}


@contextlib.contextmanager
def served(
    tmp_path: Path, mode: str, *more: str, port: int = 0, most_files: int = 0, **environ: str
) -> Iterator[Server]:
    """A child of this mode; with ``most_files`` it may open only so many."""
    folder = tmp_path / "data"
    errors = tmp_path / "stderr"
    limited = ["sh", "-c", f'ulimit -n {most_files}; exec "$@"', "sh"] if most_files else []
    environ = clean_environ() | environ
    words = [*limited, sys.executable, str(CHILD), mode, str(folder), str(port), *more]
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as out:
        with os.fdopen(writing, "wb") as stdout, errors.open("wb") as stderr:
            process = begin(words, environ, stdout, stderr)
        try:
            yield Server(process, out, errors, folder)
        finally:
            process.kill()
            process.wait()


def test_it_serves_and_drains(tmp_path: Path) -> None:
    with served(tmp_path, "well", OKEY101_POTR="1", OKEY101_MAX_SOCKETS="100") as server:
        server.wait_for('"serving"')
        found = json.loads((server.folder / "server.json").read_text("utf-8"))
        assert found["pid"] == server.process.pid
        for name in ("server.json", "admin.token"):
            assert (server.folder / name).stat().st_mode & 0o777 == 0o600
        assert Folder(server.folder).running() == Running(**found)

        assert server.get() == b"hello"
        assert b"okey101_gc_pause_seconds_count" in server.get("/metrics")

        with connect(server.url.replace("http", "ws")) as one:
            assert "Sec-WebSocket-Extensions" not in unwrap(one.response).headers
            one.send("x" * 16_384)
            assert one.recv(PATIENCE_S) == "x" * 16_384
            server.signal()
            server.signal()  # at once: the same one, twice
            with pytest.raises(ConnectionClosed):
                one.recv(PATIENCE_S)
            assert one.close_code == 1012
        assert server.end() == (0, ["up", "drain", "drained", "down"])
        assert not (server.folder / "server.json").exists()
        token = (server.folder / "admin.token").read_text("ascii").strip()

        lines = server.lines
        assert lines[1]["url"] == found["url"]
        assert server.events == ["unknown-setting", "serving", "draining", "stopped"]
        assert (lines[0]["setting"], lines[0]["instead"]) == ("OKEY101_POTR", "OKEY101_PORT")
        assert token not in server.said
        assert Folder(server.folder).admin_token() == token


def test_a_frame_too_large_closes_the_socket(tmp_path: Path) -> None:
    with served(tmp_path, "well", "--json") as server:
        server.wait_for("serving")
        with connect(server.url.replace("http", "ws")) as one:
            one.send("x" * 16_385)
            with pytest.raises(ConnectionClosed):
                one.recv(PATIENCE_S)
            assert one.close_code == 1009
        server.signal(signal.SIGINT)
        code, (up, answer, *rest) = server.end()
        assert (code, up, rest) == (0, "up", ["drain", "drained", "down"])
        said = json.loads(answer)
        assert said["ok"] is True
        assert said["pid"] == server.process.pid
        assert said["url"].startswith("http://127.0.0.1:")
        assert "Ctrl-C" not in server.said


@pytest.mark.parametrize(("second", "code"), [(signal.SIGTERM, 1), (signal.SIGINT, 130)])
def test_a_second_signal_ends_at_once(tmp_path: Path, second: signal.Signals, code: int) -> None:
    with served(tmp_path, "slow") as server:
        server.wait_for('"serving"')
        server.signal()
        server.wait_for('"draining"')
        assert server.get() == b"hello"  # draining still answers
        time.sleep(0.4)
        server.signal(second)
        assert server.end() == (code, ["up", "drain"])
        assert not (server.folder / "server.json").exists()


@pytest.mark.parametrize(("mode", "event"), [("slow", "drain-timeout"), ("broken", "drain-failed")])
def test_a_failed_drain_is_told_and_all_ends_well(tmp_path: Path, mode: str, event: str) -> None:
    with served(tmp_path, mode, OKEY101_DRAIN_S="0.2") as server:
        server.wait_for('"serving"')
        server.signal()
        assert server.end() == (1, ["up", "drain", "down"])
        assert f'"{event}"' in server.said


def test_a_signal_during_the_start(tmp_path: Path) -> None:
    with served(tmp_path, "late") as server:
        assert server.out.readline() == "starting\n"
        server.signal()
        assert server.end() == (0, ["up", "down"])
        assert "Open" not in server.said


def test_who_comes_during_the_start_is_answered_after_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    with served(tmp_path, "late", port=port) as server:
        assert server.out.readline() == "starting\n"
        assert server.get(base=f"http://127.0.0.1:{port}") == b"hello"
        server.signal()
        assert server.end() == (0, ["up", "drain", "drained", "down"])


def test_systemd_is_told(tmp_path: Path) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,  # the path of a socket has to be short
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd,
    ):
        systemd.bind(f"{folder}/notify")
        systemd.settimeout(PATIENCE_S)
        with served(tmp_path, "well", NOTIFY_SOCKET=f"{folder}/notify") as server:
            assert systemd.recv(100) == b"READY=1"
            server.signal()
            assert systemd.recv(100) == b"STOPPING=1"
            assert server.end()[0] == 0


def test_what_the_application_refuses_is_a_line(tmp_path: Path) -> None:
    with served(tmp_path, "refused") as server:
        assert server.end() == (1, [])
        assert server.said == "okey101: Another server or program is using x. Stop it first.\n"


def test_what_nobody_thought_of_is_raised(tmp_path: Path) -> None:
    with served(tmp_path, "crash") as server:
        assert server.end() == (1, [])
        assert server.said.count("Traceback") == 1
        assert server.said.endswith("ZeroDivisionError: no\n")


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with served(tmp_path, "well", "--json", port=port) as server:
            code, (line,) = server.end()
        assert (code, server.said) == (1, "")
        assert json.loads(line)["error"]["code"] == "port-in-use"
        with pytest.raises(OkeyError, match=f"port {port}"):
            bind("127.0.0.1", port)


def test_a_folder_that_takes_no_files(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    with served(tmp_path, "well") as server:
        assert server.end() == (1, [])
        assert server.said.startswith("okey101: ")
        assert str(tmp_path / "data") in server.said


def test_sockets_of_a_host() -> None:
    sockets = bind("localhost", 0)
    try:
        assert len({one.getsockname()[1] for one in sockets}) == 1
    finally:
        for one in sockets:
            one.close()
    for host in ("192.0.2.77", "no such host", "a..b"):
        with raises_code("bad-host"):
            bind(host, 0)
    assert port_refusal(PermissionError(13, "no"), 80).code == "port-forbidden"
    assert port_refusal(OSError(5, "broken"), 80).code == "port-failed"


def test_addresses_to_open(monkeypatch: Patch) -> None:
    monkeypatch.setattr("okey101.server.net.binding.lan_address", lambda: "192.168.1.5")
    at = listening_at(load_settings({"host": "127.0.0.1"}), 80)
    assert (at.url, at.others, at.local) == ("http://127.0.0.1", (), "http://127.0.0.1")
    at = listening_at(load_settings({"host": "0.0.0.0"}), 81)
    assert (at.url, at.others) == ("http://127.0.0.1:81", ("http://192.168.1.5:81",))
    at = listening_at(load_settings({"host": "::1", "public_url": "https://okey.example"}), 81)
    assert (at.url, at.others) == ("https://okey.example", ("http://[::1]:81",))
    assert at.local == "http://[::1]:81"


def test_a_stale_announcement_is_nobody(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "data")
    assert folder.path.stat().st_mode & 0o777 == 0o700
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    folder.announce(Running("http://127.0.0.1:1", gone.pid, "0"))
    assert folder.running() is None
    folder.retract()
    for text in ("", "[]", "{}", '{"url": "x", "pid": -1, "version": "0"}'):
        folder.server_file.write_text(text, encoding="utf-8")
        assert folder.running() is None
    folder.announce(Running("http://127.0.0.1:1", os.getpid(), "0"))
    assert folder.running() is not None
    folder.retract()
    assert not folder.server_file.exists()


@pytest.mark.parametrize("text", ["", "short", "x" * 300, "\xff" * 40])
def test_a_token_file_without_a_token(tmp_path: Path, text: str) -> None:
    folder = open_folder(tmp_path)
    folder.token_file.write_bytes(text.encode("latin-1"))
    folder.token_file.chmod(0o600)
    with raises_code("bad-admin-token"):
        folder.admin_token()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606, 0o666, 0o602])
def test_a_token_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    """It may have been read already; one made here is for its owner alone, whatever the umask."""
    folder = open_folder(tmp_path)
    before = os.umask(0)
    try:
        token = folder.admin_token()
    finally:
        os.umask(before)
    assert folder.token_file.stat().st_mode & 0o777 == 0o600
    folder.token_file.chmod(mode)
    with raises_code("open-admin-token") as caught:
        folder.admin_token()
    assert token not in str(caught.value)


@pytest.mark.parametrize("name", ["", "log.sqlite", "log.sqlite-wal", "log.mark", "admin.token"])
def test_a_folder_of_somebody_else_is_refused_with_help(
    tmp_path: Path, monkeypatch: Patch, name: str
) -> None:
    """As root has it after cp; the server's user could not even say which file is in the way."""
    open_folder(tmp_path).admin_token()
    path = tmp_path / name if name else tmp_path
    if not path.exists():
        path.touch(0o600)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 54_321)
    monkeypatch.setattr(ownership, "_usable", lambda other: other != path)
    with raises_code("foreign-owner") as caught:
        open_folder(tmp_path)
    assert caught.value.details["path"] == str(path)
    for language in ("en", "tr"):
        assert "chown -R" in error_text(load(language), caught.value)
    monkeypatch.setattr(ownership, "_usable", lambda _: True)  # a group may share a folder
    assert open_folder(tmp_path).path == tmp_path


WRONG = [
    (["--store", "mysql://me:hush@db/okey"], "store-unsupported"),
    (["--store", "postgres:me:hush"], "bad-server-setting"),
    (["--store", "sqlite://"], "store-unsupported"),
    (["--store", "sqlite:///a", "--data", "b"], "two-stores"),
    (["--public-url", "https://me:hush@okey.example"], "bad-server-setting"),
    (["--allowed-host", "hush.example:80"], "bad-server-setting"),
    (["--allowed-host", "https://hush.example"], "bad-server-setting"),
    (["--host", ""], "bad-server-setting"),
    (["--port", "70000"], "bad-parameter"),
    (["--refused-names", "/no/such/list"], "bad-refused-names"),
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Litestar, as the server is loaded
@pytest.mark.parametrize(("arguments", "code"), WRONG)
def test_wrong_flags(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: str, tmp_path: Path,
    monkeypatch: Patch,
) -> None:  # fmt: skip
    monkeypatch.setenv("OKEY101_DATA", str(tmp_path))
    assert main(["serve", *arguments, "--json"]) == 2
    out = capsys.readouterr().out
    assert json.loads(out)["error"]["code"] == code
    assert "hush" not in out
    assert main(["serve", *arguments, "--lang", "tr"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("okey101: ")
    assert arguments[0] in err.split() or code in ("store-unsupported", "bad-refused-names")
    assert "hush" not in err
    assert "Traceback" not in err


def test_every_wrong_one_has_a_line(capsys: pytest.CaptureFixture[str], monkeypatch: Patch) -> None:
    monkeypatch.setenv("OKEY101_MAX_TABLES", "many")
    monkeypatch.setenv("OKEY101_LOG_LEVEL", "loud")
    assert main(["serve"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "okey101: OKEY101_LOG_LEVEL must be one of these: debug, info, warning, error.",
        "okey101: OKEY101_MAX_TABLES must be a number in the range 1 .. 1000000.",
    ]


HALF = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{"
STUCK = b"GET /stuck HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def connected(server: Server, data: bytes) -> socket.socket:
    at = urlsplit(server.url)
    one = socket.create_connection((at.hostname, at.port), timeout=PATIENCE_S)
    one.sendall(data)
    return one


def test_half_a_request_is_cut_off_when_draining_begins(tmp_path: Path) -> None:
    with served(tmp_path, "slow", OKEY101_MAX_SOCKETS="100") as server:
        server.wait_for('"serving"')
        with connected(server, HALF) as half, connected(server, HALF[:30]) as less:
            time.sleep(0.3)
            server.signal()
            server.wait_for('"draining"')
            assert half.recv(1000) == b""  # while draining goes on, which here never ends
            time.sleep(0.4)
            server.signal()
            server.end()
            less.close()
        assert server.events == ["serving", "draining"]


def test_whoever_is_not_answered_is_cut_off_in_the_time_for_draining(tmp_path: Path) -> None:
    with served(tmp_path, "well", OKEY101_DRAIN_S="1", OKEY101_MAX_SOCKETS="100") as server:
        server.wait_for('"serving"')
        with connected(server, STUCK) as stuck:
            assert server.out.readline() == "up\n"
            assert server.out.readline() == "stuck\n"
            server.signal()
            assert server.end() == (0, ["drain", "drained", "down"])
            assert stuck.recv(1000) == b""
        assert server.events == ["serving", "draining", "connections-cut", "stopped"]
        assert server.lines[2]["connections"] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_the_application_is_loaded(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path, "loading", OKEY101_MAX_SOCKETS="100") as server:
        assert server.out.readline() == "loading\n"
        server.signal(number)
        assert server.end() == (0, [])
        assert server.events == ["stopped"]


@pytest.mark.parametrize("level", ["", "info"])
def test_words_for_people_are_on_terminals_alone(tmp_path: Path, level: str) -> None:
    """A terminal is told what to open and how to stop, and has the log only if that is wanted."""
    ours, theirs = pytest.importorskip("pty").openpty()
    words = [sys.executable, str(CHILD), "well", str(tmp_path / "data"), "0"]
    environ = clean_environ() | {"OKEY101_LOG_FORMAT": "json", "OKEY101_LOG_LEVEL": level}
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
    assert (b'"serving"' in said) == bool(level)
