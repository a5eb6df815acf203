"""Several nodes behind one address: a proxy that gives each request to another node in turn."""

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from typing import Any

from server.live import LiveServer

_ENDS = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


class Front(LiveServer):
    """The nodes as one server; what it is asked, any of them answers. All have one token."""

    def __init__(self, nodes: list[LiveServer], url: str) -> None:
        super().__init__(nodes[0].data)
        self.nodes = nodes
        self.url = url

    @property
    def log(self) -> str:
        return "".join(node.log for node in self.nodes)

    def kill(self) -> None:
        """The nodes are their own affair."""


@contextmanager
def clustered(database: str, many: int, **settings: Any) -> Iterator[Front]:
    """So many nodes on an empty database, behind a proxy that remembers nobody."""
    with ExitStack() as stack:
        nodes: list[LiveServer] = []
        for n in range(many):
            node = LiveServer(database=database, node_name=f"node {n}", **settings)
            if nodes:
                node.data.mkdir(mode=0o700)
                shutil.copy2(nodes[0].data / "admin.token", node.data / "admin.token")
            nodes.append(stack.enter_context(node))
        url = stack.enter_context(_proxy([node.port for node in nodes]))
        front = Front(nodes, url)
        stack.callback(front.__exit__, None, None, None)
        yield front


@contextmanager
def _proxy(ports: list[int]) -> Iterator[str]:
    """In a thread with a loop of its own, since the tests of the page have one in theirs."""
    turns, tasks = count(), set[asyncio.Task[None] | None]()
    found: Future[tuple[int, Callable[[], object]]] = Future()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers, task = [writer], asyncio.current_task()
        tasks.add(task)  # nothing else holds it while both ends are silent
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            if b"\r\nupgrade:" not in head.lower():  # one request a connection, each its own node
                lines = head.split(b"\r\n")[:-2]
                kept = [one for one in lines if not one.lower().startswith(b"connection:")]
                head = b"\r\n".join([*kept, b"Connection: close", b"", b""])
            back, there = await _taken(ports, next(turns))
            writers.append(there)
            there.write(head)
            await asyncio.gather(_copied(reader, there), _copied(back, writer))
        except (*_ENDS, asyncio.CancelledError):
            pass  # the loop would complain of it at its end
        finally:
            tasks.discard(task)
            for one in writers:
                one.transport.abort()

    async def serve() -> None:
        over, loop = asyncio.Event(), asyncio.get_running_loop()
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            found.set_result((port, lambda: loop.call_soon_threadsafe(over.set)))
            await over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    port, end = found.result(30)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        end()
        thread.join()


async def _taken(ports: list[int], turn: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the node whose turn it is, or to the next that takes one; OSError."""
    for n in range(len(ports)):
        with suppress(OSError):
            return await asyncio.open_connection("127.0.0.1", ports[(turn + n) % len(ports)])
    raise ConnectionRefusedError


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """What comes from one end goes to the other, its end too."""
    with suppress(*_ENDS):
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        if writer.can_write_eof():
            writer.write_eof()
