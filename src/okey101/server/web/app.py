"""The application: every address of the server, put together."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from okey101 import __version__
from okey101.server.hub import Hub
from okey101.server.metrics import Metrics
from okey101.server.settings import Settings
from okey101.server.web import operations
from okey101.server.web.answers import EXCEPTION_HANDLERS
from okey101.server.web.auth import guarded
from okey101.server.web.lobby import Lobby
from okey101.server.web.matches import Matches
from okey101.server.web.people import People
from okey101.server.web.socket import play

__all__ = ["create_app"]

_MOST_BODY = 16 * 1024
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"; ".join(
            (
                b"default-src 'self'",
                b"img-src 'self' data: blob:",
                b"object-src 'none'",
                b"base-uri 'none'",
                b"frame-ancestors 'none'",
                b"form-action 'self'",
            )
        ),
    ),
)


class _Dressed(ASGIMiddleware):
    """Security headers on every answer, and a count of the requests by route."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        asked = cast("HTTPScope", scope)
        metrics: Metrics = scope["litestar_app"].state.metrics
        api = scope["path"].startswith("/api/")

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *_HEADERS]
                if api:
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
                route = scope.get("path_template") or "unknown"
                metrics.request(asked["method"], route, message["status"])
            await send(message)

        await next_app(scope, receive, dressed)


def create_app(settings: Settings) -> Litestar:
    """The server as an ASGI application; it opens its files when it is started."""
    metrics = Metrics()

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncGenerator[None]:
        hub = await Hub.open(settings, metrics)
        app.state.hub = hub
        app.state.drain = hub.drain
        try:
            yield
        finally:
            await hub.close()

    return Litestar(
        route_handlers=[
            People,
            Lobby,
            Matches,
            operations.Admin,
            operations.live,
            operations.ready,
            operations.version,
            operations.metrics,
            play,
        ],
        lifespan=[running],
        before_request=guarded,
        middleware=[_Dressed()],
        exception_handlers=EXCEPTION_HANDLERS,
        state=State({"metrics": metrics}),
        request_max_body_size=_MOST_BODY,
        openapi_config=OpenAPIConfig(
            title="okey101",
            version=__version__,
            description="Okey 101 for people and bots: tables, matches, people.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        logging_config=None,
    )
