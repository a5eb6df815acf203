"""A server, and who one is there: guests, tokens, lists, and tables to join."""

from __future__ import annotations

import asyncio
import random
import secrets
import ssl as tls
from collections.abc import Callable, Mapping
from http.client import HTTPException, IncompleteRead
from typing import Any, Final, Self, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPSHandler, OpenerDirector, ProxyHandler, Request, build_opener

import msgspec
from msgspec import Struct

from okey101.client.errors import CommandRefused, client_error
from okey101.client.line import Pace, is_here
from okey101.client.table import JoinedTable
from okey101.server.protocol.options import Applied, PlayBody, TableLine, TableOptions

# Requests over HTTP, one at a time in a thread: JSON there, JSON back, coded errors.


AnyAnswer = TypeVar("AnyAnswer")
_TIMEOUT_S: Final = 30.0
_TRIES: Final = 5
_PAUSE_S: Final = 0.3
_MOST_BYTES: Final = 64 * 2**20
_NO_CONTENT: Final = 204
_LATER: Final = frozenset({"draining", "store-failed", "accounts-busy", "overloaded"})


class Calls:
    """The HTTP side of one server."""

    def __init__(self, url: str, ssl: tls.SSLContext | None = None) -> None:
        """OkeyError ``bad-address`` for what is no address of a server."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise client_error("bad-address", address=url)
        self.url = url.rstrip("/")
        self._opener = _opener(url, ssl)

    async def call(
        self,
        method: str,
        path: str,
        answer: type[AnyAnswer],
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        again: bool = True,
    ) -> AnyAnswer:
        """The answer to a request; it is sent again where the line breaks, unless ``again`` is off.

        OkeyError ``no-server`` and ``not-okey101``, and CommandRefused as the server refuses.
        """
        data = None if body is None else msgspec.json.encode(body)
        sent = {"Accept": "application/json", **(headers or {})}
        if data is not None:
            sent["Content-Type"] = "application/json"
        failed = client_error("no-server", address=self.url, reason="")
        for number in range(_TRIES if again else 1):
            if number:
                await asyncio.sleep(_PAUSE_S * 2**number * (0.75 + random.random() / 2))
            request = Request(self.url + path, data, sent, method=method)  # checked
            try:
                status, got = await asyncio.to_thread(self._fetched, request)
            except (URLError, HTTPException, OSError) as error:
                reason = str(getattr(error, "reason", error) or type(error).__name__)
                failed = client_error("no-server", address=self.url, reason=reason)
                continue
            if status < 400:
                return self._read(got, answer)
            failed = self._refused(status, got)
            if failed.code not in _LATER:
                break
        raise failed

    def _fetched(self, request: Request) -> tuple[int, bytes]:
        try:
            with self._opener.open(request, timeout=_TIMEOUT_S) as answer:
                return answer.status, _whole(answer)
        except HTTPError as error:
            with error:
                return error.code, _whole(error.fp)

    def _read(self, got: bytes, answer: type[AnyAnswer]) -> AnyAnswer:
        try:
            return msgspec.json.decode(got or b"null", type=answer)
        except msgspec.MsgspecError:
            raise client_error("not-okey101", address=self.url) from None

    def _refused(self, status: int, got: bytes) -> CommandRefused:
        try:
            error: dict[str, Any] = msgspec.json.decode(got)["error"]
            refused = CommandRefused(str(error["code"]), str(error["message"]), error.get("rule"))
            refused.details.update(error.get("details", {}), status=status)
        except (msgspec.MsgspecError, KeyError, TypeError):
            other = client_error("not-okey101", address=self.url)
            return CommandRefused(other.code, other.message, address=self.url, status=status)
        return refused


def _opener(url: str, ssl: tls.SSLContext | None) -> OpenerDirector:
    proxies = [ProxyHandler({})] if is_here(url) else []
    return build_opener(*proxies, HTTPSHandler(context=ssl))


def _whole(answer: Any) -> bytes:
    """What an answer says; IncompleteRead where the line broke before its end.

    The library tells of that only where all is read, however much it is; and nothing of a head that
    breaks off before it says how long the answer is.
    """
    got: bytes = answer.read(_MOST_BYTES)
    if answer.length and len(got) < _MOST_BYTES:
        raise IncompleteRead(got, answer.length)
    if not got and answer.length is None and not answer.chunked and answer.status != _NO_CONTENT:
        raise IncompleteRead(got)
    return got


T = TypeVar("T", TableLine, Applied)

PROTOCOL: Final = 1
"""The version of the protocol that this client speaks."""


class _Version(Struct):
    protocol: int


class _Me(Struct):
    id: str
    name: str | None = None
    token: str | None = None
    __repr__ = object.__repr__


class Invited(Struct):
    """A seat that waits for a bot, offered by the table's owner; ``at`` is UTC in milliseconds."""

    table: str
    seat: int
    at: int


class Client:
    """A person at a server, by a token; without one only a watcher.

    A token is never part of an address, and not of a ``repr``.
    """

    def __init__(
        self, url: str, token: str | None = None, *, ssl: tls.SSLContext | None = None
    ) -> None:
        """OkeyError ``bad-address``."""
        self._calls = Calls(url, ssl)
        self._ssl = ssl
        self.url = self._calls.url
        self.token = token

    def __repr__(self) -> str:
        return f"<Client of {self.url}{'' if self.token is None else ' with a token'}>"

    @classmethod
    async def as_guest(cls, url: str, name: str, *, ssl: tls.SSLContext | None = None) -> Self:
        """Become a guest under a name of 2 to 20 characters; keep ``token`` to come back as it."""
        client = cls(url, ssl=ssl)
        await client.check_version()
        body = {"name": name, "bearer": True}
        me = await client._calls.call("POST", "/api/guests", _Me, body)
        client.token = me.token
        return client

    @property
    def headers(self) -> Mapping[str, str]:
        """What says who one is."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    async def check_version(self, *, again: bool = True) -> None:
        """OkeyError ``other-protocol`` for a server that speaks another version.

        Without ``again`` a server that does not answer is asked once.
        """
        theirs = (await self._calls.call("GET", "/version", _Version, again=again)).protocol
        if theirs != PROTOCOL:
            raise client_error("other-protocol", theirs=theirs, ours=PROTOCOL)

    async def tables(self) -> list[TableLine]:
        """The tables that are open to everybody."""
        return await self._calls.call("GET", "/api/tables", list[TableLine], headers=self.headers)

    async def create(self, options: TableOptions | None = None, **fields: object) -> str:
        """Open a table, by its options or by fields of theirs; returns its id.

        The fields are those of :class:`okey101.client.TableOptions`, each with a default.
        """
        body = options if options is not None else fields
        return (await self._made("/api/tables", TableLine, body)).id

    async def against_bots(self, body: PlayBody | None = None, **fields: object) -> str:
        """Sit down against bots, and the match begins; returns the table's id.

        The fields are those of :class:`okey101.client.PlayBody`, each with a default.
        """
        wanted = body if body is not None else fields
        return (await self._made("/api/play", Applied, wanted)).table

    async def _made(self, path: str, answer: type[T], body: object) -> T:
        headers = {**self.headers, "Idempotency-Key": secrets.token_hex(16)}
        return await self._calls.call("POST", path, answer, body, headers=headers)

    async def quick(self) -> str:
        """A seat at a quick table; returns its id."""
        found = await self._calls.call("POST", "/api/quick", Applied, headers=self.headers)
        return found.table

    async def invitations(self) -> list[Invited]:
        """Of a bot account: the seats that wait for it, the latest first."""
        return await self._calls.call(
            "GET", "/api/me/invitations", list[Invited], headers=self.headers
        )

    async def decline(self, table: str) -> None:
        """Of a bot account: say that it does not come to a table; CommandRefused if not asked."""
        path = f"/api/me/invitations/{quote(table, safe='')}"
        await self._calls.call("DELETE", path, type(None), headers=self.headers)

    def join(
        self,
        table: str,
        *,
        attends: bool = True,
        options: bool = False,
        pace: Pace = Pace(),  # noqa: B008  # it never changes
        random_bytes: Callable[[int], bytes] | None = None,
    ) -> JoinedTable:
        """A line to a table, opened by ``async with``; to have a seat there, ``sit``.

        With ``options`` the server sends what may be done as well; a :class:`Turn` needs it not.
        """
        return JoinedTable(
            self.url,
            quote(table, safe=""),
            self.headers,
            attends=attends,
            options=options,
            pace=pace,
            ssl=self._ssl,
            random_bytes=random_bytes,
        )
