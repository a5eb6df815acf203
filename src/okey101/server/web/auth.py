"""Who asks: sessions by cookie or bearer token, origins, and how often one may ask."""

from __future__ import annotations

import hmac
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.exceptions import NotFoundException
from litestar.types import HTTPScope, WebSocketScope

from okey101.server.accounts import Session
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.limits import Caller, Limiter, client_of
from okey101.server.logs import logger

__all__ = [
    "bearer_of",
    "client_from",
    "client_of_scope",
    "current",
    "doing",
    "ended_cookie",
    "guarded",
    "limit",
    "optional",
    "require_admin",
    "require_origin",
    "session_cookie",
    "token_of",
]

_SECURE = "__Host-okey101"
_PLAIN = "okey101"
_AGE_S = 180 * 24 * 3600
_DOCUMENT = "/api/schema/openapi.json"
_SAFE = ("GET", "HEAD", "OPTIONS")

_log = logger(__name__)

Connection = ASGIConnection[Any, Any, Any, Any]


def client_from(connection: Connection, hub: Hub) -> Caller:
    """The address and scheme of a connection, with what trusted proxies say."""
    return client_of_scope(connection.scope, hub)


def client_of_scope(scope: HTTPScope | WebSocketScope, hub: Hub) -> Caller:
    """The same of the scope that a connection was made with."""
    peer = scope.get("client")
    return client_of(
        peer[0] if peer else "",
        scope["headers"],
        hub.settings.trusted_proxies,
        https=scope["scheme"] in ("https", "wss"),
    )


def _secure(connection: Connection, hub: Hub) -> bool:
    choice = hub.settings.secure_cookies
    return client_from(connection, hub).https if choice == "auto" else choice == "always"


def session_cookie(connection: Connection, hub: Hub, token: str) -> Cookie:
    """The cookie of a session: of this host alone over https, a plainly named one over http."""
    secure = _secure(connection, hub)
    return Cookie(
        key=_SECURE if secure else _PLAIN,
        value=token,
        max_age=_AGE_S,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def ended_cookie(connection: Connection, hub: Hub) -> Cookie:
    """The cookie that makes a browser forget its session."""
    cookie = session_cookie(connection, hub, "")
    return Cookie(
        key=cookie.key, value="", max_age=0, path="/", secure=cookie.secure, httponly=True,
        samesite="lax",
    )  # fmt: skip


def bearer_of(connection: Connection) -> str | None:
    """The token of the Authorization header."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.casefold() == "bearer" else None


def token_of(connection: Connection, hub: Hub) -> str | None:
    """The token a connection shows, as a bearer or in the cookie that fits its scheme."""
    found = bearer_of(connection)
    if found is not None:
        return found
    # Over https only the cookie that no other host and no plain page can have set.
    return connection.cookies.get(_SECURE if _secure(connection, hub) else _PLAIN)


def require_origin(connection: Connection, hub: Hub) -> None:
    """Refuse a browser's request from somebody else's page; OkeyError ``origin``.

    The own origin is that of the request's Host, and those of the settings; where the public
    address is known, a Host that is another name counts for nothing, since its owner may have it
    lead here. Whoever sends no Origin is no browser.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        if connection.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            refuse("origin")
        return
    client = client_from(connection, hub)
    host = connection.headers.get("host", "")
    own = f"{'https' if client.https else 'http'}://{host}".casefold()
    known = hub.settings.public_url is None or _is_address(host)
    if not (known and origin.casefold() == own) and origin.casefold() not in hub.settings.origins:
        refuse("origin")


def _is_address(host: str) -> bool:
    """Whether a Host is an address, or this machine, and not a name that could lead anywhere."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or bool(ip_address(name))
    except ValueError:
        return False


def limit(limiter: Limiter, key: str) -> None:
    """Take from an allowance; OkeyError ``rate-limited`` says when it is there again."""
    wait = limiter.take(key)
    if wait:
        refuse("rate-limited", seconds=max(1, math.ceil(wait)))


async def guarded(request: Request[Any, Any, Any]) -> None:
    """Before every request that was let in: its origin."""
    hub: Hub = request.app.state.hub
    path = request.scope["path"]
    if path.startswith("/api/schema") and path != _DOCUMENT:
        raise NotFoundException  # the framework would answer with its own page
    if request.method not in _SAFE:
        require_origin(request, hub)


async def optional(request: Request[Any, Any, Any], *, even_banned: bool = False) -> Session | None:
    """The session of a request, if it shows a running one; OkeyError ``banned``."""
    hub: Hub = request.app.state.hub
    return await hub.session(token_of(request, hub), even_banned=even_banned)


async def current(request: Request[Any, Any, Any], *, even_banned: bool = False) -> Session:
    """The session of a request; OkeyError ``unauthorised`` without one, ``banned``."""
    session = await optional(request, even_banned=even_banned)
    if session is None:
        refuse("unauthorised")
    return session


@asynccontextmanager
async def doing(request: Request[Any, Any, Any]) -> AsyncGenerator[Session]:
    """The session of a request that changes something at the tables, until that is done.

    OkeyError as of :func:`current`, and ``accounts-busy`` while its person is being shut out.
    """
    hub: Hub = request.app.state.hub
    session = await current(request)
    with hub.doings.begun(session.user.id):
        yield await current(request)  # it may have ended before it was counted


def require_admin(connection: Connection, _: object) -> None:
    """Refuse whoever does not show the administrator's token; OkeyError ``not-allowed``."""
    hub: Hub = connection.app.state.hub
    shown = bearer_of(connection) or ""
    if not hmac.compare_digest(shown.encode(), hub.admin_token.encode()):
        client = client_from(connection, hub)
        if not hub.allowances.strangers.take(client.key):
            _log.warning("admin-refused", address=client.address)
        refuse("not-allowed")
