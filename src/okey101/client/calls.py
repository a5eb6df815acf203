"""Requests over HTTP, one at a time in a thread: JSON there, JSON back, coded errors."""

from __future__ import annotations

import asyncio
import random
import ssl as tls
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from http.client import HTTPException, IncompleteRead
from threading import Thread
from typing import Any, Final, TypeVar
from urllib.error import URLError
from urllib.parse import SplitResult, urlsplit
from urllib.request import HTTPErrorProcessor, HTTPSHandler, ProxyHandler, Request, build_opener

import msgspec

from okey101.client.errors import CommandRefused, client_error
from okey101.client.line import is_here

AnyAnswer = TypeVar("AnyAnswer")
T = TypeVar("T")
_PATIENCE_S: Final = 30.0
_DRIPPING: Final = 4
"""How many times longer the whole of an answer may take than a part of it."""
_TRIES: Final = 5
_PAUSE_S: Final = 0.3
_MOST_BYTES: Final = 64 * 2**20
_NO_CONTENT: Final = 204
_LATER: Final = frozenset(
    {"draining", "store-failed", "accounts-busy", "overloaded", "rate-limited"}
)
_LONGEST_S: Final = 60
"""A server that has one wait longer is not asked again."""


class _AnyStatus(HTTPErrorProcessor):
    """Follows no redirect, as the token is for the server that was asked, and raises no error."""

    def http_response(self, request: Request, response: Any) -> Any:
        """The answer as it came."""
        return response

    https_response = http_response


class Calls:
    """The HTTP side of one server."""

    def __init__(
        self, url: str, ssl: tls.SSLContext | None = None,
        *, proxies: bool = True, most: int = _MOST_BYTES,
    ) -> None:  # fmt: skip
        """``most`` bytes of an answer are read. OkeyError ``bad-address`` for what is no address.

        With ``proxies`` off no proxy of the environment is shown anything.
        """
        parts = parts_of(url)
        if not parts.netloc.isascii():
            host = str(parts.hostname).encode("idna").decode()
            parts = parts._replace(netloc=f"{host}:{parts.port}" if parts.port else host)
        self.url = parts.geturl().rstrip("/")  # its scheme in small letters
        none = [ProxyHandler({})] if is_here(url) or not proxies else []
        self._opener = build_opener(_AnyStatus(), *none, HTTPSHandler(context=ssl))
        self._most = most

    async def call(
        self,
        method: str,
        path: str,
        answer: type[AnyAnswer],
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        again: bool = True,
        once: bool = False,
        patience: float = _PATIENCE_S,
    ) -> AnyAnswer:
        """The answer to a request; sent again where the line breaks or the server has no time.

        After ``rate-limited`` it waits as long as it is told. ``again`` off: it is sent once.
        With ``once`` it isn't sent again where the line breaks: it may have been done by then.
        ``patience`` is in seconds, with each part of the answer.

        OkeyError ``no-server``, ``not-okey101``, and ``server-moved`` where it would send the
        request, and with it the token, elsewhere; CommandRefused as the server refuses.
        """
        data = None if body is None else msgspec.json.encode(body)
        sent = {"Accept": "application/json", **(headers or {})}
        if data is not None:
            sent["Content-Type"] = "application/json"
        failed = client_error("no-server", address=self.url, reason="")
        told = 0
        for number in range(_TRIES if again else 1):
            if number:
                pause = _PAUSE_S * 2**number * (0.75 + random.random() / 2)
                await asyncio.sleep(max(told, pause))
            request = Request(self.url + path, data, sent, method=method)  # checked
            whole = asyncio.timeout(_DRIPPING * patience)
            try:
                async with whole:
                    status, got = await _in_thread(partial(self._fetched, request, patience))
            except (URLError, HTTPException, OSError) as error:
                why = getattr(error, "reason", error)
                reason = str(getattr(why, "strerror", None) or why or type(error).__name__)
                reason = reason or "timed out"
                failed = client_error("no-server", address=self.url, reason=reason)
                if once or whole.expired():
                    break
                continue
            if status < 400:
                return self._read(got, answer)
            failed = self._refused(status, got)
            wait = failed.details.get("seconds")
            told = wait if isinstance(wait, int) else 0
            if failed.code not in _LATER or told > _LONGEST_S:
                break
        raise failed

    def _fetched(self, request: Request, patience: float) -> tuple[int, bytes]:
        with self._opener.open(request, timeout=patience) as answer:
            to = answer.headers["Location"]
            if to is not None and 300 <= answer.status < 400:
                raise client_error("server-moved", address=self.url, to=to[:200])
            return answer.status, _whole(answer, self._most)

    def _read(self, got: bytes, answer: type[AnyAnswer]) -> AnyAnswer:
        try:
            return msgspec.json.decode(got or b"null", type=answer)
        except (ValueError, RecursionError):
            raise client_error("not-okey101", address=self.url) from None

    def _refused(self, status: int, got: bytes) -> CommandRefused:
        try:
            error: dict[str, Any] = msgspec.json.decode(got)["error"]
            refused = CommandRefused(str(error["code"]), str(error["message"]), error.get("rule"))
            refused.details.update(error.get("details", {}), status=status)
        except (ValueError, KeyError, TypeError, RecursionError):
            other = client_error("not-okey101", address=self.url)
            return CommandRefused(other.code, other.message, address=self.url, status=status)
        return refused


async def _in_thread(work: Callable[[], T]) -> T:
    """What comes of work in a thread; nobody waits for its end who gives it up, as by Ctrl-C.

    The threads of :func:`asyncio.to_thread` are waited for wherever a loop or the program ends.
    """
    future = Future[T]()

    def run() -> None:
        with suppress(InvalidStateError):  # it was given up
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001  # it is raised where it is waited for
                future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)


def parts_of(url: str) -> SplitResult:
    """The parts of a server's address; OkeyError ``bad-address`` for what is none."""
    try:
        parts = urlsplit(url)
        # What a request would only find out while it is sent, and not by an error of its own.
        host = parts.hostname and (parts.hostname.encode("idna"), parts.port)
        (parts.path + parts.query).encode("ascii")
    except (ValueError, AttributeError):  # no text, too
        raise client_error("bad-address", address=url) from None
    if parts.scheme not in ("http", "https") or not host:
        raise client_error("bad-address", address=url)
    return parts


def _whole(answer: Any, most: int) -> bytes:
    """What an answer says; IncompleteRead where the line broke before its end.

    The library tells of that only where all is read, however much it is; and nothing of a head that
    breaks off before it says how long the answer is.
    """
    got: bytes = answer.read(most)
    if answer.length and len(got) < most:
        raise IncompleteRead(got, answer.length)
    if not got and answer.length is None and not answer.chunked and answer.status != _NO_CONTENT:
        raise IncompleteRead(got)
    return got
