"""The application: every address of the server, put together, and who gets in at all."""

from __future__ import annotations

import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from ipaddress import ip_address
from typing import Any, Final, cast
from urllib.parse import urlsplit

import msgspec
from litestar import Litestar, types
from litestar.datastructures import Headers, State
from litestar.enums import ScopeType
from litestar.response.base import ASGIResponse
from litestar.utils import normalize_path

from okey101.errors import OkeyError
from okey101.server.cluster.links import RELAYED
from okey101.server.errors import error_body, refuse
from okey101.server.hub import Hub
from okey101.server.net.close_codes import CLOSE_POLICY
from okey101.server.net.heartbeat import Heartbeat
from okey101.server.ops.metrics import Metrics
from okey101.server.settings import Settings
from okey101.server.web import admin, error_responses, page
from okey101.server.web.auth import (
    DEPENDENCIES,
    Asked,
    caller_of,
    guarded,
    limit,
    shows_admin_token,
)
from okey101.server.web.bot_accounts import BotAccounts
from okey101.server.web.days import Days, ladder
from okey101.server.web.families import Families
from okey101.server.web.lobby import Lobby, table_of_key
from okey101.server.web.matches import Matches, answer_puzzle, one_puzzle, position, puzzles
from okey101.server.web.page import DOCS, docs_policy, docs_routes, page_policy, prepare
from okey101.server.web.people import People
from okey101.server.web.public_log import PublicLogs
from okey101.server.web.schema import document, openapi
from okey101.server.web.socket import play

_HEALTH: Final = ("/livez", "/readyz")
"""Always answered: whoever restarts the server for want of an answer must not be led to it."""
_FIGURES: Final = "/metrics"
_TABLES: Final = "/ws/"
_NEAR: Final = ("", ".local", ".lan", ".home.arpa", ".internal", ".localdomain")
"""What networks append to a machine's name; nobody can own such a name in the internet."""
_LONGEST: Final = 253
_DENIAL: Final = "websocket.http.response"

_Scope = types.HTTPScope | types.WebSocketScope


def admit(scope: _Scope, hub: Hub) -> None:
    """Let a request or a handshake in, before anybody looks for what it asks for.

    OkeyError ``rate-limited``, and ``unknown-host`` where the Host is none of ours: a page whose
    owner has its own name lead to this machine (DNS rebinding) would else count as our page. With
    a public address any Host is let in, since proxies write what they like there; then pages are
    told apart by their origin alone, which is compared with that address.

    ``not-found`` for an address with a NUL, which PostgreSQL has in no text.
    """
    path = scope["path"]
    if "\0" in path or b"%00" in scope["query_string"]:
        refuse("not-found")
    if path in _HEALTH or RELAYED in (scope.get("extensions") or {}):  # admitted there
        return
    key = caller_of(scope, hub).key
    if path == _FIGURES:
        limit(hub.allowances.figures, key)
    elif scope["type"] == ScopeType.HTTP or not path.startswith(_TABLES):  # which has its own
        limit(hub.allowances.requests, key)
    host = Headers.from_scope(scope).get("host", "")
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
        ours = {*settings.allowed_hosts, settings.host.casefold(), "localhost", *_own_names()}
        if name in ours or name.endswith(".localhost"):
            return True
        return bool(ip_address(name.partition("%")[0]))
    except ValueError:
        return False


async def turn_away(
    error: OkeyError, scope: _Scope, receive: types.Receive, send: Callable[[Any], Awaitable[None]]
) -> None:
    """Answer whoever is not let in; a handshake too, where the server can answer one."""
    kind = ""
    if scope["type"] == ScopeType.WEBSOCKET:
        await receive()
        if _DENIAL not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": CLOSE_POLICY})
            return
        kind = "websocket."
    answer = ASGIResponse(
        body=msgspec.json.encode({"ok": False, "error": error_body(error)}),
        status_code=error_responses.http_status(error),
        headers=error_responses.error_headers(error),
    )

    async def sent(message: types.Message) -> None:
        await send({**message, "type": f"{kind}{message['type']}"})

    await answer(scope, receive, sent)


@cache
def _own_names() -> frozenset[str]:
    """The machine's name, whole and by its first word, and as networks around it know it."""
    whole = socket.gethostname().casefold().rstrip(".")
    first = whole.partition(".")[0]
    return frozenset({whole, *(first + near for near in _NEAR)}) - {""} if first else frozenset()


_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
_OF_PROGRAMS = (
    b"content-security-policy",
    b"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
)
"""For what is no page: a browser that opens it as one all the same runs and loads nothing."""
_OVER_TLS = (
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"strict-transport-security", b"max-age=31536000"),
)
"""Browsers accept the first only over https, and complain about it elsewhere; the second counts
there alone. It does not name subdomains, which may belong to something else."""


class _Application(Litestar):
    """The gate, security headers on every answer, HEAD wherever there is GET, and a count."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a connection."""
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):
            await super().__call__(scope, receive, send)
            return
        scope["path"] = normalize_path(scope["path"])  # as the router has it, before anybody looks
        if scope["type"] == ScopeType.WEBSOCKET:
            await self._let_in(scope, receive, send, send)
            return
        method, path = scope["method"], scope["path"]
        if method == "HEAD":  # the server that sends the answer leaves its body out
            scope = {**scope, "method": "GET"}
        metrics: Metrics = self.state.metrics

        async def dressed(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *_HEADERS]
                if caller_of(scope, self.state.hub).https:
                    headers += _OVER_TLS
                of_programs = path.startswith("/api/")
                policy = self.state.docs_policy if path.startswith(f"{DOCS}/") else None
                headers.append(_OF_PROGRAMS if of_programs else policy or page_policy())
                if of_programs:
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
                route = scope.get("path_template") or "unknown"
                metrics.request(method, route, message["status"])
            await send(message)

        await self._let_in(scope, receive, dressed, send)

    async def _let_in(self, scope: Any, receive: Any, send: Any, plain: Any) -> None:
        """Answer here, or have the node do it that keeps the table; its answers are sent plain."""
        hub: Hub = self.state.hub
        try:
            admit(scope, hub)
            made = None
            if (cluster := hub.cluster) is not None:
                if scope["type"] == ScopeType.HTTP:
                    made = await table_of_key(scope, hub)
                while (node := await cluster.elsewhere(scope, made)) is not None:
                    admin = shows_admin_token(Headers.from_scope(scope), hub)
                    if await cluster.relay(node, scope, receive, plain, admin=admin):
                        return
        except OkeyError as error:
            await turn_away(error, scope, receive, send)
        else:
            await super().__call__(scope, receive, send)
            if made is not None:
                await hub.tables.unmade(made)


def create_app(settings: Settings) -> Litestar:
    """The server as an ASGI application; it opens its files when it is started."""
    metrics, heart = Metrics(), Heartbeat()
    site = settings.site
    prepare()

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncGenerator[None]:
        hub = await Hub.open(settings, metrics, heart)
        app.state.hub = hub
        await hub.join(cast("Any", app))
        app.state.drain = hub.drain
        app.state.stuck = lambda: hub.slow_store.stuck
        app.state.part = hub.tables.part
        try:
            yield
        finally:
            await hub.close()

    handlers: list[types.ControllerRouterHandler] = [
        People, BotAccounts, Lobby, Matches, Days, ladder, Families, PublicLogs, position, puzzles,
        one_puzzle, answer_puzzle, admin.Admin, admin.live, admin.ready, admin.version,
        admin.metrics, play, page.screen, page.table_screen, page.challenge_screen, page.asset,
        page.top_file, page.rules, page.notice,
        *([] if site is None else docs_routes(site)),
    ]  # fmt: skip
    return _Application(
        route_handlers=[*handlers, openapi],
        lifespan=[running],
        dependencies=DEPENDENCIES,
        before_request=guarded,
        request_class=Asked,
        exception_handlers=error_responses.EXCEPTION_HANDLERS,
        state=State(
            {
                "metrics": metrics,
                "heart": heart,
                "stuck": lambda: False,
                "document": partial(document, tuple(handlers)),
                "notices": page.read_notices(settings.data),
                "docs_policy": None if site is None else docs_policy(site),
            }
        ),
        request_max_body_size=error_responses.MOST_BODY,
        openapi_config=None,
        logging_config=None,
    )
