"""A server in its own process, and people who have a session there."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, cast
from unittest.mock import patch

import httpx
import pytest
import uvicorn
from litestar import Litestar

from okey101.client import Client, CommandRefused
from okey101.server.people import passwords
from okey101.server.settings import load_settings
from okey101.server.web import app as web_app
from okey101.server.web.app import create_app
from server.forks import QUICK, Process, as_new, begin

Http: TypeAlias = httpx.AsyncClient
Json: TypeAlias = dict[str, Any]

SRC = Path(__file__).resolve().parents[2] / "src"
PATIENCE_S = 120.0
"""How long anything may take before a test gives it up."""

GENEROUS: Mapping[str, object] = {
    "bot_delay_ms": 0, "deal_pause_s": 20, "first_deal_wait_s": 20, "dealing_s": 0, "drain_s": 5,
    "max_lag_ms": 60_000, "max_bot_wait_s": 86_400, "messages_per_second": 100_000,
    "daily": "off", "review_worlds": 8, "review_policy": "greedy", "strength_share": 0,
    **dict.fromkeys((
        "max_sockets_per_address", "max_connections_per_address", "max_tables_per_user",
        "max_tables_per_address", "handshakes_per_second", "handshake_burst", "message_burst",
        "requests_per_second", "request_burst", "guests_per_minute", "guest_burst",
        "logins_per_minute", "login_burst", "tables_per_minute", "table_burst",
    ), 1_000_000),
}  # fmt: skip
"""Settings that keep limits out of the way; deals begin as soon as all people are ready.

A review is as short as it may be: what it plays out is not compiled here.
"""


def changed(what: str) -> Sequence[str]:
    """``okey101`` with something changed, as a program: see ``changed_child.py``."""
    return sys.executable, str(Path(__file__).with_name("changed_child.py")), what


class LiveServer:
    """``okey101 serve`` on a free port of this machine, with a folder of its own.

    Settings are named as the fields of ``Settings`` and go on top of :data:`GENEROUS`;
    ``program`` replaces ``okey101`` by another command line that takes the same arguments. It
    begins with the server's modules loaded where that can be done; ``fresh`` is for tests in which
    loading counts. The port stays the same over restarts. What it writes to stderr is in
    :attr:`log`, which must be clean at the end of the context unless the test makes it ``faulty``.
    """

    def __init__(
        self,
        data: Path | None = None,
        *,
        program: Sequence[str] | None = None,
        fresh: bool = False,
        faulty: bool = False,
        **settings: object,
    ) -> None:
        self._own = Path(tempfile.mkdtemp(prefix="okey101-live-"))
        self.data = self._own / "data" if data is None else data
        self.settings = dict(settings)
        self.program = tuple(program or (sys.executable, "-m", "okey101"))
        self._fresh, self._faulty = fresh, faulty
        self._errors = self._own / "stderr"
        self._words = self._own / "stdout"
        self.process: Process | None = None
        self.port = 0
        self.url = ""

    def __enter__(self) -> Self:
        """Start, and wait until it listens."""
        try:
            self.start()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        """Stop it if it runs, and remove its files unless the folder was given."""
        try:
            if error is None and not self._faulty:
                self.assert_clean()
        finally:
            if self.process is not None:
                self.kill()
            shutil.rmtree(self._own, ignore_errors=True)

    # The process ------------------------------------------------------------------------------

    def launch(self) -> None:
        """Start the process without waiting for it."""
        assert self.process is None
        environ = {k: v for k, v in os.environ.items() if not k.startswith("OKEY101_")}
        environ |= {"PYTHONPATH": str(SRC), "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
        for name, value in {**GENEROUS, **self.settings}.items():
            environ[f"OKEY101_{name.upper()}"] = str(value)
        words = ["serve", "--data", str(self.data), "--port", str(self.port), "--json"]
        with self._words.open("wb") as out, self._errors.open("ab") as errors:
            self.process = begin([*self.program, *words], environ, out, errors, fresh=self._fresh)

    @property
    def running(self) -> Process:
        assert self.process is not None
        return self.process

    def wait(self) -> None:
        """Wait until it says where it is; AssertionError with its log if it ends before."""
        deadline = time.monotonic() + PATIENCE_S
        while not (said := self._words.read_text("utf-8")).endswith("\n"):
            assert self.running.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.01)
        found = json.loads(said.splitlines()[0])
        assert found["ok"], said
        self.url = found["url"]
        self.port = httpx.URL(self.url).port or 80

    def start(self) -> None:
        self.launch()
        self.wait()

    def stop(self) -> int:
        """SIGTERM, and wait for the end; returns the exit code."""
        self.running.send_signal(signal.SIGTERM)
        try:
            return self.running.wait(PATIENCE_S)
        finally:
            self.kill()

    def kill(self) -> None:
        """SIGKILL; does nothing more where it has ended."""
        self.running.kill()
        self.running.wait()
        self.process = None

    def signal(self, number: signal.Signals) -> None:
        self.running.send_signal(number)

    def restart(self, *, kill: bool = False) -> None:
        """Stop it, or kill it, and start it again on the same folder and port."""
        if self.process is not None:
            if kill:
                self.kill()
            else:
                code = self.stop()
                assert code == 0, f"exit code {code}\n{self.log}"
        self.start()

    # What it left and how to talk to it -------------------------------------------------------

    @property
    def log(self) -> str:
        """All it has written to stderr, over restarts."""
        return self._errors.read_text("utf-8", "replace")

    @property
    def events(self) -> list[Json]:
        """The lines of the log that are JSON objects."""
        return [json.loads(line) for line in self.log.splitlines() if line.startswith("{")]

    def assert_clean(self) -> None:
        """AssertionError where the log mentions a fault of the server."""
        assert "Traceback" not in self.log, self.log
        faults = (
            "bot-failed",
            "table-task-failed",
            "timer-refused",
            "outbox-failed",
            "socket-failed",
        )
        found = [event for event in self.events if event.get("event") in faults]
        assert not found, found

    @property
    def admin_token(self) -> str:
        return (self.data / "admin.token").read_text("ascii").strip()

    def http(self, person: Person | None = None, **options: Any) -> Http:
        """A client of its HTTP side; a person's bearer goes along."""
        headers = {} if person is None else person.headers
        return httpx.AsyncClient(
            base_url=self.url,
            headers=headers | options.pop("headers", {}),
            timeout=PATIENCE_S,
            trust_env=False,
            verify=False,
            **options,
        )

    async def figures(self) -> dict[str, float]:
        """What it counts, by name and labels."""
        async with self.admin() as http:
            text = (await http.get("/metrics")).text
        lines = (line.rpartition(" ") for line in text.splitlines() if line[0] != "#")
        return {name: float(value) for name, _, value in lines}

    def admin(self) -> Http:
        return self.http(headers={"Authorization": f"Bearer {self.admin_token}"})


def served(scope: Literal["module", "session"] = "module", **settings: Any) -> Any:
    @pytest.fixture(scope=scope)
    def own() -> Iterator[LiveServer]:
        with LiveServer(**settings) as running:
            yield running

    return own


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a session on a server."""

    id: str
    name: str
    token: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


async def guest(http: Http, name: str = "Ali", language: str = "") -> Person:
    body = {"name": name, "language": language, "bearer": True}
    answer = await http.post("/api/guests", json=body)
    assert answer.status_code == 201, answer.text
    found = answer.json()
    return Person(found["id"], found["name"], found["token"])


_ended: list[Litestar] = []
"""Applications that another server in this process may have."""


@asynccontextmanager
async def in_process(data: Path, **settings: object) -> AsyncIterator[Litestar]:
    """A whole server in this process, for :func:`asking`."""
    anew = partial(as_new, _ended.pop() if _ended else None, web_app._Application)
    with warnings.catch_warnings(), patch.object(web_app, "_Application", anew):
        warnings.simplefilter("ignore", DeprecationWarning)  # the framework's, for its next version
        app = create_app(load_settings({"data": data, "allowed_hosts": ("x",), **settings}))
    with patch.object(passwords, "PasswordHasher", QUICK):
        async with app.lifespan():
            yield app
    _ended.append(app)


def asking(app: Litestar, token: str | None = None) -> Http:
    """A client of a server in this process; a bearer token goes along."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    way = httpx.ASGITransport(cast("Any", app))
    return httpx.AsyncClient(transport=way, base_url="http://x", headers=headers)


@asynccontextmanager
async def listening(app: Any, **how: Any) -> AsyncIterator[str]:
    """The address at which a server in this process answers other programs."""
    config = uvicorn.Config(app, port=0, lifespan="off", log_config=None, **how)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        await serving


async def is_kept(client: Client, match: str) -> bool:
    """Whether a match that is over is there by now: it is saved a moment after its end."""
    with suppress(CommandRefused):
        return bool(await client.review(match))
    return False


async def over_a_socket(
    app: Litestar, table: str, token: str | None, texts: Sequence[str], **known: object
) -> list[bytes]:
    """What a socket is told after it sends hello, with what it knows, and then these texts."""
    said: list[bytes] = []
    asked = iter(["", json.dumps({"type": "hello", "options": True} | known), *texts])
    events = {"": {"type": "websocket.connect"}}

    async def receive() -> dict[str, Any]:
        text = next(asked, None)
        if text is None:
            await asyncio.sleep(0.01)
            return {"type": "websocket.disconnect", "code": 1000}
        return events.get(text) or {"type": "websocket.receive", "text": text, "bytes": None}

    async def send(message: Any) -> None:
        if message["type"] == "websocket.send":
            said.append(message["text"].encode())
        elif message["type"] == "websocket.close":
            said.append(repr((message["code"], message.get("reason"))).encode())

    headers = [(b"host", b"x")]
    if token is not None:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    scope: Any = {
        "type": "websocket", "asgi": {"version": "3.0"}, "path": f"/ws/{table}", "headers": headers,
        "raw_path": b"", "query_string": b"", "scheme": "ws", "client": ("192.0.2.1", 1),
        "server": ("x", 80), "root_path": "", "subprotocols": [], "http_version": "1.1",
    }  # fmt: skip
    await app(scope, receive, send)  # type: ignore[arg-type]
    return said
