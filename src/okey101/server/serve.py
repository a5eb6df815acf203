"""Running the server: it listens when it is ready, and stops when everything is told and stored."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
import socket
import threading
from collections.abc import Callable, Generator, Iterable
from time import monotonic
from types import FrameType
from typing import Any, Final, Protocol

import uvicorn

from okey101 import __version__
from okey101.server.files.data_dir import Folder, Running, open_folder
from okey101.server.net import binding
from okey101.server.net.heartbeat import Heartbeat
from okey101.server.net.limits import ConnectionPlaces
from okey101.server.net.transport import Http
from okey101.server.net.websocket import WebSocket
from okey101.server.ops.gc_tuning import freeze, tune, watch_pauses
from okey101.server.ops.logs import configure_logs, logger
from okey101.server.ops.metrics import Metrics
from okey101.server.settings import Settings, unknown_names
from okey101.solver.tables import load_tables

_MAX_FRAME: Final = 16_384
_PING_S: Final = 20.0
_KEEP_ALIVE_S: Final = 65
"""Longer than the minute for which proxies keep an idle connection."""
_GRACE_S: Final = 5.0
"""How long connections may take to close once everything is drained."""
_LEAST_GRACE_S: Final = 0.5
"""They have this long even where draining took all of its time."""
_LET_GO_S: Final = 0.05
_AGAIN_S: Final = 0.3
"""Signals closer together count as one: terminals and wrappers both send it."""
_LAST_WORDS_S: Final = 0.5
"""What is left of the time for draining to tell clients that the disk doesn't answer."""
_LEAST_CONNECTIONS: Final = 16
_FAILED: Final = 1
_STUCK: Final = 74
"""The system's number for errors of input and output (EX_IOERR)."""
_INTERRUPTED: Final = 130


class Service(Protocol):
    """An ASGI application.

    Its ``state`` holds ``metrics``, the :class:`Metrics` to count pauses in, ``heart``, the
    :class:`Heartbeat` that tells connections of pauses, ``stuck``, which says whether the disk
    leaves a row waiting, and once it is open ``drain``, an async function that tells clients, stops
    new tables and returns when everything is stored, and may call what it is given to take no more
    connections, and ``part``, which tells clients of the end without waiting for it.
    """

    @property
    def state(self) -> Any:
        """Where the application keeps what it shares."""

    def lifespan(self) -> contextlib.AbstractAsyncContextManager[None]:
        """What is open as long as connections are answered."""
        ...

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a connection."""


Factory = Callable[[Settings], Service]

_log = logger(__name__)


def run(settings: Settings, factory: Factory, announce: Callable[[binding.Listening], None]) -> int:
    """Serve until a signal asks to stop; returns 0, or 1 if stopping did not end as it should.

    ``announce`` is called once connections are taken. The first SIGTERM or SIGINT drains, a
    second one ends the process at once. Raises OkeyError where the server can't start:
    ``store-unwritable``, ``port-in-use``, ``port-forbidden``, ``bad-host``, or what the
    application refuses; whatever else its start raises passes through.
    """
    configure_logs(settings.log_level, settings.log_format)
    for name, near in unknown_names(os.environ).items():
        _log.warning("unknown-setting", setting=name, instead=near or None)
    needed, allowed = binding.open_files(settings.max_sockets)
    if allowed < needed:
        _log.warning("few-open-files", allowed=allowed, needed=needed)
    folder = open_folder(settings.data)
    folder.admin_token()
    sockets = binding.bind(settings.host, settings.port)
    try:
        with _ending_early():
            load_tables()
            tune()
            most = min(needed, allowed) - binding.KEPT_FILES
            runner = _Runner(settings, folder, factory(settings), announce, most)
            freeze()
            try:
                with asyncio.Runner(loop_factory=_loop_factory()) as loop:
                    return loop.run(runner.serve(sockets))
            finally:
                runner.over.set()
    except _EndedEarly:
        _log.info("stopped", code=0)
        return 0
    finally:
        folder.retract()
        for one in sockets:
            one.close()


class _EndedEarly(BaseException):
    """Asked to stop while the application was being loaded: there is nothing to drain yet."""


@contextlib.contextmanager
def _ending_early() -> Generator[None]:
    """End at once when a service manager asks, as long as nobody else handles the signal."""

    def asked(_number: int, _frame: FrameType | None) -> None:
        raise _EndedEarly

    with _handled(("SIGTERM", "SIGHUP"), asked):
        yield


@contextlib.contextmanager
def _handled(
    names: Iterable[str], handler: Callable[[int, FrameType | None], None]
) -> Generator[None]:
    """Have signals handled; one that is ignored from outside stays so."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    wanted = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in wanted}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        return None
    return uvloop.new_event_loop


class _Runner:
    def __init__(
        self,
        settings: Settings,
        folder: Folder,
        app: Service,
        announce: Callable[[binding.Listening], None],
        most_connections: int,
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._announce = announce
        self._app = app
        self._asked = 0.0
        self.over = threading.Event()
        """Set once nothing of the server is left."""
        self._drained = True
        self._draining: asyncio.Task[None] | None = None
        places = ConnectionPlaces(
            max(most_connections, _LEAST_CONNECTIONS),
            settings.max_connections_per_address,
            settings.trusted_proxies,
        )
        self._server = _Server(_config(app, places), self._started)

    async def serve(self, sockets: list[socket.socket]) -> int:
        """Serve on bound sockets; returns the exit code."""
        metrics: Metrics = self._app.state.metrics
        self._app.state.heart.on_lag = metrics.loop_lag
        with self._signals(asyncio.get_running_loop()), watch_pauses(metrics.gc_pause):
            lifespan = self._app.lifespan()
            try:
                await lifespan.__aenter__()
            except Exception as error:  # noqa: BLE001  # whatever it is
                raise _alone(error) from None
            try:
                await self._server.serve(sockets)
            finally:
                try:
                    await lifespan.__aexit__(None, None, None)
                except Exception as error:  # noqa: BLE001  # whatever it is, the server ends
                    self._drained = False
                    _log.error("stop-failed", exc_info=_alone(error))
        code = 0 if self._drained else _FAILED
        _log.info("stopped", code=code)
        return code

    def _started(self, port: int) -> None:
        if self._asked:  # asked to stop while it was starting
            return
        at = binding.listening_at(self._settings, port)
        self._folder.announce(Running(at.local, os.getpid(), __version__))
        freeze(collect=False)
        folder = self._folder.path
        _log.info("serving", url=at.url, version=__version__, pid=os.getpid(), folder=folder)
        _notify("READY=1")
        self._announce(at)

    @contextlib.contextmanager
    def _signals(self, loop: asyncio.AbstractEventLoop) -> Generator[None]:
        """Take the signals that ask to stop."""

        def asked(number: int, _: FrameType | None) -> None:
            now = monotonic()
            if self._asked and now - self._asked > _AGAIN_S:
                self._end_now(number)
            if not self._asked:
                self._asked = now
                threading.Thread(target=self._outlive, name="okey101-end", daemon=True).start()
                loop.call_soon_threadsafe(self._begin_to_drain)

        with _handled(("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"), asked):
            yield

    def _begin_to_drain(self) -> None:
        self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        """Let the application finish what must be, then have the server end."""
        _notify("STOPPING=1")
        try:
            if self._server.started:
                _log.info("draining", seconds=self._settings.drain_s)
                self._server.drop_unfinished()
                limit = self._settings.drain_s
                async with asyncio.timeout(limit - min(_LAST_WORDS_S, limit / 10)):
                    await self._app.state.drain(self._server.shut)
        except TimeoutError:
            self._drained = False
            _log.error("drain-timeout", seconds=self._settings.drain_s)
            if self._app.state.stuck():  # waiting for the disk would be waiting for ever
                self._app.state.part()
                await asyncio.Future()  # _outlive ends the process
        except Exception:  # noqa: BLE001  # whatever it is, the server has to end
            self._drained = False
            _log.exception("drain-failed")
        finally:
            left = self._asked + self._settings.drain_s - monotonic()
            self._server.grace = max(_LEAST_GRACE_S, min(_GRACE_S, left))
            self._server.should_exit = True

    def _outlive(self) -> None:
        """End the process where its end doesn't come: a disk may stop to answer at any moment."""
        if self.over.wait(self._settings.drain_s):
            return
        if self._app.state.stuck() or not self.over.wait(_GRACE_S):
            _log.critical("store-stuck", code=_STUCK)
            # That disk may be this file's as well.
            retract = threading.Thread(target=self._folder.retract, daemon=True)
            retract.start()
            retract.join(_LAST_WORDS_S)
            os._exit(_STUCK)

    def _end_now(self, number: int) -> None:
        """End at once: what was acknowledged is stored, and nothing may wait."""
        try:
            self._folder.retract()
        finally:
            os._exit(_INTERRUPTED if number == signal.SIGINT else _FAILED)


def _config(app: Service, places: ConnectionPlaces) -> uvicorn.Config:
    heart: Heartbeat = app.state.heart
    return uvicorn.Config(
        app,
        http=type("Http", (Http,), {"heart": heart, "places": places}),
        ws=type("WebSocket", (WebSocket,), {"heart": heart}),
        interface="asgi3",
        lifespan="off",  # it is entered here, so that its failures are ours
        ws_max_size=_MAX_FRAME,
        ws_per_message_deflate=False,  # it costs 33 kB a socket and two fifths of the speed
        ws_ping_interval=_PING_S,
        ws_ping_timeout=_PING_S,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # whom to believe is in the settings
        timeout_keep_alive=_KEEP_ALIVE_S,
        backlog=binding.BACKLOG,
        workers=1,
    )


class _Server(uvicorn.Server):
    """uvicorn, with signals left to us."""

    def __init__(self, config: uvicorn.Config, started: Callable[[int], None]) -> None:
        super().__init__(config)
        self.servers = []
        self.grace = _GRACE_S
        self._on_started = started

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Take none."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        assert sockets
        try:
            await super().startup(sockets)
            if not self.should_exit:
                self._on_started(sockets[0].getsockname()[1])
        except BaseException:
            self.shut()
            raise

    def shut(self) -> None:
        """Take no more connections; those there are go on."""
        for server in self.servers:
            server.close()

    def drop_unfinished(self) -> None:
        """Let nobody who sends a request in pieces hold up the end."""
        for connection in [*self.server_state.connections]:
            if isinstance(connection, Http):
                connection.drop_unfinished()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Have connections close by themselves for a while, then cut them off."""
        self.config.timeout_graceful_shutdown = math.ceil(self.grace + _LEAST_GRACE_S)
        cut = asyncio.get_running_loop().call_later(self.grace, self._cut_off)
        try:
            await super().shutdown(sockets)
        finally:
            cut.cancel()

    def _cut_off(self) -> None:
        """Whoever waits for a client is told, and ends in good order."""
        connections = [*self.server_state.connections]
        if connections or self.server_state.tasks:
            _log.warning("connections-cut", connections=len(connections))
        for connection in connections:
            if isinstance(connection, Http | WebSocket):
                connection.abort()
        asyncio.get_running_loop().call_later(_LET_GO_S, self._cancel)

    def _cancel(self) -> None:
        for task in [*self.server_state.tasks]:
            task.cancel()


def _alone(error: Exception) -> Exception:
    """The only member of a group of one: the framework starts the application within a group."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _notify(state: str) -> None:
    """Tell systemd, where it started us and wants to know."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as one,
    ):
        one.sendto(state.encode(), address)
