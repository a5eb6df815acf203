"""Messages on their way to one socket: bounded, so that a slow reader costs nobody else."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from okey101.server.close_codes import CLOSE_CROWDED
from okey101.server.logs import logger

__all__ = ["Outbox"]

_MOST_MESSAGES: Final = 1024
_MOST_BYTES: Final = 512 * 1024
_CLOSING_S: Final = 2.0

_log = logger(__name__)


class Outbox:
    """What is still to be sent to a socket, in order, and how it is to be closed.

    One task writes. More than 1,024 waiting messages, or 512 kB, mean that nobody reads: nothing
    more is sent, and the socket is closed with 1013, or dropped if even that can't be sent.
    """

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        close: Callable[[int, str], Awaitable[None]],
        on_overflow: Callable[[], None],
        abort: Callable[[], None],
        send_now: Callable[[Sequence[bytes]], bool],
    ) -> None:
        """``send`` and ``close`` may wait for the other end; ``abort`` drops the connection.

        ``send_now`` takes messages if they need not wait and says whether it did.
        """
        self._send = send
        self._close = close
        self._on_overflow = on_overflow
        self._abort = abort
        self._send_now = send_now
        self._held: tuple[bytes, ...] = ()
        """What goes out together with the next message, in one write."""
        self._sending = False
        """Whether messages wait, or one that waited is on its way."""
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._end: tuple[int, str] | None = None
        self._writer = asyncio.get_running_loop().create_task(self._write())

    def hold(self, data: bytes) -> None:
        """Take a message that the next one follows at once; :meth:`flush` sends it if none does."""
        self.flush()
        self._held = (data,)

    def flush(self) -> None:
        """Send what is held."""
        if self._held:
            (data,), self._held = self._held, ()
            self.put(data)

    def put(self, data: bytes) -> None:
        """Take a message to be sent; never waits."""
        messages: tuple[bytes, ...] = (data,)
        if self._held:
            messages, self._held = (*self._held, data), ()
        if self._end is not None:
            return
        if not self._sending:
            try:
                if self._send_now(messages):
                    return
            except Exception:  # noqa: BLE001  # a fault of one socket must not cost the others
                pass
        self._sending = True
        self._waiting.extend(messages)
        self._bytes += sum(map(len, messages))
        if len(self._waiting) > _MOST_MESSAGES or self._bytes > _MOST_BYTES:
            self._on_overflow()
            self._waiting.clear()
            self._writer.cancel()
            self._end = (CLOSE_CROWDED, "slow-reader")
            self._writer = asyncio.get_running_loop().create_task(self._finish())
            return
        self._wake.set()

    @property
    def ending(self) -> bool:
        """Whether nothing more is taken, since the socket is being closed."""
        return self._end is not None

    def end(self, code: int, reason: str) -> None:
        """Send what waits, then close; never waits. Only the first call counts."""
        self.flush()
        if self._end is None:
            self._end = (code, reason)
            self._wake.set()

    async def _write(self) -> None:
        while True:
            while self._waiting:
                data = self._waiting.popleft()
                self._bytes -= len(data)
                try:
                    await self._send(data.decode())
                except Exception:  # noqa: BLE001  # the other end is gone, however it shows
                    self._waiting.clear()
                    self._end = self._end or (1006, "gone")
                    return
            self._sending = False
            if self._end is not None:
                await self._finish()
                return
            self._wake.clear()
            await self._wake.wait()

    async def _finish(self) -> None:
        assert self._end is not None
        try:
            async with asyncio.timeout(_CLOSING_S):
                await self._close(*self._end)
        except Exception:  # noqa: BLE001  # gone already, or it does not read the last word either
            self._abort()

    async def stop(self) -> None:
        """The socket is gone: let go of the writer, giving it a moment for the last word."""
        if self._end is None:
            self._writer.cancel()
        await asyncio.wait([self._writer], timeout=_CLOSING_S)
        if not self._writer.done():
            self._abort()
            self._writer.cancel()
            await asyncio.wait([self._writer])
        if not self._writer.cancelled() and self._writer.exception() is not None:
            _log.error("outbox-failed", exc_info=self._writer.exception())
        self._end = self._end or (1006, "gone")
        del self._writer  # it points back, and would have to wait for the garbage collector
