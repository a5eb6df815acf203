"""A server to be measured, as a process: ``python -m benchmarks.server_child KIND FOLDER [MORE]``.

``durable`` is the server as ``okey101 serve`` runs it; ``memory`` the same with its log in memory;
``node`` the same as a node on the database MORE; ``echo`` a bare Litestar application on the same
uvicorn, which decodes a command and sends each of the table's four sockets an event of MORE bytes.
Prints where it listens, and leaves in FOLDER the pauses of its garbage collector, each in seconds
by the clock and of the processor; both as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from benchmarks.server import PAUSES
from okey101.server import store
from okey101.server.net import websocket as sockets
from okey101.server.net.binding import Listening
from okey101.server.net.heartbeat import Heartbeat
from okey101.server.ops.metrics import Metrics
from okey101.server.serve import Service, run
from okey101.server.settings import Settings, load_settings
from okey101.server.store import SqliteStore
from okey101.server.web.app import create_app

__all__: list[str] = []

WIDE = 1_000_000
LIMITS = {
    "max_tables": WIDE,
    "max_tables_per_address": WIDE,
    "max_lag_ms": 60_000,
    "max_bot_wait_s": 86_400,
    "max_sockets": WIDE,
    "handshakes_per_second": WIDE,
    "handshake_burst": WIDE,
    "max_sockets_per_address": WIDE,
    "max_connections_per_address": WIDE,
    "messages_per_second": 100_000,
    "message_burst": WIDE,
    "requests_per_second": WIDE,
    "request_burst": WIDE,
    "guests_per_minute": WIDE,
    "guest_burst": WIDE,
    "tables_per_minute": WIDE,
    "table_burst": WIDE,
    "first_deal_wait_s": 3_600,
    "deal_pause_s": 3_600,
    "hello_timeout_s": 600,
}
"""Everything comes from one address here, and as fast as it is answered."""


class _Unwritten(SqliteStore):
    """The rows in memory, where the server writes them to its file; people are in the file."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
        from server.store.memory import MemoryStore

        memory = MemoryStore()
        for name in ("append", "read", "keep", "snapshots", "closed", "running"):
            setattr(self, name, getattr(memory, name))


class _Command(msgspec.Struct):
    type: str
    action: str
    rid: str


def _echo(size: int, _: Settings) -> Service:
    read = msgspec.json.Decoder(_Command).decode
    write = msgspec.json.Encoder().encode
    tables: dict[str, list[WebSocket[Any, Any, Any]]] = {}

    @websocket("/ws/{table_id:str}")
    async def play(socket: WebSocket[Any, Any, Any], table_id: str) -> None:
        """Tell the table what a socket says."""
        await socket.accept()
        seats = tables.setdefault(table_id, [])
        seats.append(socket)
        number = 0
        try:
            while True:
                command = read(await socket.receive_text())
                number += 1
                told = {
                    "type": "event",
                    "seq": number,
                    "at": int(time.time() * 1000),
                    "what": {"kind": command.type, "actions": [command.action], "by": "user"},
                    "rest": rest,
                }
                text = write(told).decode()
                for one in seats:
                    await one.send_text(text)
        except WebSocketDisconnect:
            pass
        finally:
            seats.remove(socket)

    bare = {"type": "event", "seq": 1000, "at": 1_700_000_000_000, "rest": ""}
    bare["what"] = {"kind": "act", "actions": ["discard R10"], "by": "user"}
    rest = "x" * max(0, size - len(write(bare)))

    async def drain(_: object) -> None:
        """There is nothing to store."""

    state = State(
        {"metrics": Metrics(), "heart": Heartbeat(), "drain": drain, "stuck": lambda: False}
    )
    return Litestar([play], state=state, logging_config=None, openapi_config=None)


def main() -> int:
    """Serve until SIGTERM."""
    kind, folder, *rest = sys.argv[1:]
    factory: Callable[[Settings], Service] = create_app
    if kind == "memory":
        vars(store)["SqliteStore"] = _Unwritten
    elif kind == "echo":
        factory = partial(_echo, int(rest[0]))
        vars(sockets)["step"] = lambda: None  # it has the interpreter's rounds alone
    pauses: list[tuple[float, float]] = []
    began = (0.0, 0.0)

    def seen(phase: str, _: dict[str, int]) -> None:
        nonlocal began
        now = (time.perf_counter(), time.thread_time())
        if phase == "start":
            began = now
        else:
            pauses.append((now[0] - began[0], now[1] - began[1]))

    def announce(at: Listening) -> None:
        gc.callbacks.append(seen)
        print(json.dumps({"url": at.local, "pid": os.getpid()}), flush=True)

    given: dict[str, object] = {"data": folder, "port": 0, "log_level": "warning", **LIMITS}
    if kind == "node":
        given["database"] = rest[0]
    code = run(load_settings(given), factory, announce)
    gc.callbacks.remove(seen)
    # Not through the pipe: hundreds of kB, of which an unbuffered stdout may write only a part.
    Path(folder, PAUSES).write_text(json.dumps(pauses), encoding="ascii")
    return code


if __name__ == "__main__":
    sys.exit(main())
