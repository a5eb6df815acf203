"""Who gets in at all: the names this server answers to, and how often an address may ask."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from functools import cache
from ipaddress import ip_address
from typing import Any, Final, cast
from urllib.parse import urlsplit

import msgspec
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Message, Receive, Send, WebSocketScope

from okey101.errors import OkeyError
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.net.close_codes import CLOSE_POLICY
from okey101.server.settings import Settings
from okey101.server.web.auth import client_of_scope, limit
from okey101.server.web.error_responses import error_body, error_headers, http_status

_HEALTH: Final = ("/livez", "/readyz")
"""Always answered: whoever restarts the server for want of an answer must not be led to it."""
_FIGURES: Final = "/metrics"
_TABLES: Final = "/ws/"
_NEAR: Final = ("", ".local", ".lan", ".home.arpa", ".internal", ".localdomain")
"""What networks append to a machine's name; nobody can own such a name in the internet."""
_LONGEST: Final = 253
_DENIAL: Final = "websocket.http.response"

_Scope = HTTPScope | WebSocketScope


def admit(scope: _Scope, hub: Hub) -> None:
    """Let a request or a handshake in, before anybody looks for what it asks for.

    OkeyError ``rate-limited``, and ``unknown-host`` where the Host is none of ours: a page whose
    owner has its own name lead to this machine (DNS rebinding) would else count as our page. With
    a public address any Host is let in, since proxies write what they like there; then pages are
    told apart by their origin alone, which is compared with that address.
    """
    path = scope["path"]
    if path in _HEALTH:
        return
    key = client_of_scope(scope, hub).key
    if path == _FIGURES:
        limit(hub.allowances.figures, key)
    elif scope["type"] == ScopeType.HTTP or not path.startswith(_TABLES):  # which has its own
        limit(hub.allowances.requests, key)
    host = _host_of(scope)
    if hub.settings.public_url is None and not host_is_ours(host, hub.settings):
        refuse("unknown-host", host=host[:_LONGEST])


def host_is_ours(host: str, settings: Settings) -> bool:
    """Whether a Host is an address, this machine's own name, or one that the settings allow.

    No Host at all is, since every browser sends one.
    """
    if not host:
        return True
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name in settings.allowed_hosts or name == settings.host.casefold():
        return True
    if name in _own_names() or name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return bool(ip_address(name.partition("%")[0]))
    except ValueError:
        return False


async def turn_away(error: OkeyError, scope: _Scope, receive: Receive, send: Send) -> None:
    """Answer whoever is not let in; a handshake too, where the server can answer one."""
    if scope["type"] == ScopeType.WEBSOCKET:
        await receive()
        if _DENIAL not in (scope.get("extensions") or {}):
            await send(cast("Message", {"type": "websocket.close", "code": CLOSE_POLICY}))
            return
        kind = _DENIAL
    else:
        kind = "http.response"
    body = msgspec.json.encode({"ok": False, "error": error_body(error)})
    status, headers = http_status(error), _headers(error, body)
    start = {"type": f"{kind}.start", "status": status, "headers": headers}
    await send(cast("Message", start))
    await send(cast("Message", {"type": f"{kind}.body", "body": body, "more_body": False}))


def _headers(error: OkeyError, body: bytes) -> list[tuple[bytes, bytes]]:
    found: Mapping[str, str] = error_headers(error)
    return [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in found.items()),
    ]


def _host_of(scope: Any) -> str:
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return bytes(hosts[0]).decode("latin-1") if hosts else ""


@cache
def _own_names() -> frozenset[str]:
    """The machine's name, whole and by its first word, and as networks around it know it."""
    whole = socket.gethostname().casefold().rstrip(".")
    first = whole.partition(".")[0]
    return frozenset({whole, *(first + near for near in _NEAR)}) - {""} if first else frozenset()
