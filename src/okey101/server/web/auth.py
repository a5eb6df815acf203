"""Who asks: sessions by cookie or bearer token, origins, and how often one may ask."""

from __future__ import annotations

import hmac
import math
import re
import secrets
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from ipaddress import ip_address
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State
from litestar.di import Provide
from litestar.exceptions import NotFoundException, SerializationException
from litestar.handlers import BaseRouteHandler
from litestar.params import Parameter
from litestar.types import HTTPScope, WebSocketScope

from okey101.errors import OkeyError
from okey101.server.cluster.links import RELAYED
from okey101.server.errors import refuse, server_error
from okey101.server.hub import Hub
from okey101.server.net.limits import Caller, Limiter, client_of
from okey101.server.ops.logs import logger
from okey101.server.people.models import Session
from okey101.server.people.names import name_key
from okey101.server.protocol.bot_labels import is_bot_account, require_person
from okey101.server.protocol.client_messages import Sit
from okey101.server.protocol.options import TableOptions
from okey101.server.protocol.views import Called
from okey101.server.tables.log_entries import Day
from okey101.server.tables.table import Table

_SECURE = "__Host-okey101"
_PLAIN = "okey101"
_AGE_S = 180 * 24 * 3600
_DOCUMENT = "/api/schema/openapi.json"
_SAFE = ("GET", "HEAD", "OPTIONS")

_log = logger(__name__)

Connection = ASGIConnection[Any, Any, Any, Any]
SeasonName: TypeAlias = Annotated[str | None, Parameter(max_length=16, description="as 2026-4")]
"""Which season of the ladder is asked for; the one that runs if none is named."""


def _hub(state: State) -> Hub:
    hub: Hub = state.hub
    return hub


DEPENDENCIES: Final = {"hub": Provide(_hub, sync_to_thread=False)}
"""What handlers have by the name of a parameter."""


def caller_of(scope: HTTPScope | WebSocketScope, hub: Hub) -> Caller:
    """The address and scheme that a connection was made with, with what trusted proxies say."""
    peer = scope.get("client")
    return client_of(
        peer[0] if peer else "",
        scope["headers"],
        hub.settings.trusted_proxies,
        https=scope["scheme"] in ("https", "wss"),
    )


def _secure(connection: Connection, hub: Hub) -> bool:
    choice = hub.settings.secure_cookies
    return caller_of(connection.scope, hub).https if choice == "auto" else choice == "always"


def session_cookie(connection: Connection, hub: Hub, token: str, lasts_s: int = _AGE_S) -> Cookie:
    """The cookie of a session: of this host alone over https, a plainly named one over http.

    With 0 seconds a browser forgets its session.
    """
    secure = _secure(connection, hub)
    return Cookie(
        key=_SECURE if secure else _PLAIN,
        value=token,
        max_age=lasts_s,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def bearer_in(headers: Mapping[str, str]) -> str | None:
    """The token of the Authorization header."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() or None if kind.casefold() == "bearer" else None


def token_of(connection: Connection, hub: Hub) -> str | None:
    """The token a connection shows, as a bearer or in the cookie that fits its scheme."""
    found = bearer_in(connection.headers)
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
    client = caller_of(connection.scope, hub)
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
    """Take from an allowance; OkeyError ``rate-limited`` says which, and when it is there again."""
    wait = limiter.take(key)
    if wait:
        raise over(limiter, wait)


def over(limiter: Limiter, wait: float) -> OkeyError:
    """The error ``rate-limited`` of an allowance that is there again in some seconds."""
    return server_error("rate-limited", limit=limiter.name, seconds=max(1, math.ceil(wait)))


async def guarded(request: Any) -> None:
    """Before every request that was let in: its origin."""
    path = request.scope["path"]
    if path.startswith("/api/schema") and path != _DOCUMENT:
        raise NotFoundException  # the framework would answer with its own page
    if request.method not in _SAFE:
        require_origin(request, request.hub)


async def session_of(hub: Hub, token: str | None, *, even_banned: bool = False) -> Session | None:
    """The session of a token; OkeyError ``banned``, unless ``even_banned``."""
    session = await hub.accounts.session(token, even_banned=even_banned) if token else None
    if session is not None:
        if session.user.owner is not None and hub.settings.bot_accounts == "off":
            refuse("bots-not-allowed")
        hub.names.know(session.user)
    return session


async def close_ended(hub: Hub, user: str, why: str = "signed-out") -> None:
    """End the sockets of a person's sessions that have ended, pushed out by a new one.

    Other nodes hear of it a moment later, when the new one may have sockets there.
    """
    alive = {session.id for session in await hub.accounts.sessions(user)}
    hub.connections.close(user, why, but=alive)


async def shut_out_bot(hub: Hub, bot: str) -> None:
    """Let a bot that was removed leave its seats, and end its sockets."""
    async with hub.in_flight.shut(bot):
        await hub.tables.leave(bot)
        hub.names[bot] = Called()
        hub.connections.close(bot, "deleted")


async def erase_person(hub: Hub, user: str) -> None:
    """Remove a person and their bots: seats become free, sockets end, matches keep no name.

    OkeyError ``draining`` and ``no-user``.
    """
    if hub.draining:
        refuse("draining")
    async with hub.in_flight.shut(user):
        bots = await hub.accounts.bots.of(user)
        await hub.tables.leave(user)
        for one in await hub.accounts.delete(user):
            hub.names[one] = Called()
            hub.connections.close(one, "deleted")
    for bot in bots:  # not before: one whose token is good comes back at once
        await shut_out_bot(hub, bot.id)


class Asked(Request[Any, Any, Any]):
    """A request: what it says, who asks, and how often that one may."""

    async def json(self) -> Any:
        """The body; OkeyError ``body-not-json``, ``bad-request`` if it is not UTF-8 or too deep.

        Nobody else's page can send this content type without asking first.
        """
        kind = self.headers.get("content-type", "").partition(";")[0].strip().casefold()
        if kind != "application/json":
            refuse("body-not-json")
        try:
            return await super().json()
        except UnicodeDecodeError:
            refuse("bad-request", reason="the body is not UTF-8")
        except SerializationException as error:
            refuse("bad-request", reason=f"the body is no JSON: {error.detail or error}")
        except RecursionError:
            refuse("bad-request", reason="the body is nested too deeply")

    @property
    def hub(self) -> Hub:
        """The server that is asked."""
        return _hub(self.app.state)

    @property
    def caller(self) -> Caller:
        """From where."""
        return caller_of(self.scope, self.hub)

    def limit(self, limiter: Limiter) -> None:
        """Take from an allowance of the address; OkeyError ``rate-limited``."""
        limit(limiter, self.caller.key)

    async def hold(self, limiter: Limiter, key: str) -> None:
        """The same of an allowance of a person, which all nodes share."""
        cluster = self.hub.cluster
        wait = limiter.take(key) if cluster is None else await cluster.take(limiter, key)
        if wait:
            raise over(limiter, wait)

    async def optional(self, *, even_banned: bool = False) -> Session | None:
        """The session, if a running one is shown; OkeyError ``banned``."""
        return await session_of(self.hub, token_of(self, self.hub), even_banned=even_banned)

    async def asker(self) -> str | None:
        """The id of who asks, if that is known; OkeyError ``banned``."""
        session = await self.optional()
        return None if session is None else session.user.id

    async def reader(self) -> str | None:
        """The same of somebody who reads what costs something; OkeyError ``rate-limited``."""
        self.limit(self.hub.allowances.replay_requests)
        return await self.asker()

    async def current(self, *, even_banned: bool = False) -> Session:
        """The session; OkeyError ``unauthorised`` without one, ``banned``."""
        return await self.optional(even_banned=even_banned) or refuse("unauthorised")

    @asynccontextmanager
    async def doing(self) -> AsyncGenerator[Session]:
        """The session, until what it changes at the tables is done.

        OkeyError as of :meth:`current`, and ``accounts-busy`` while its person is being shut out.
        """
        session = await self.current()
        with self.hub.in_flight.begun(session.user.id):
            yield await self.current()  # it may have ended before it was counted

    @asynccontextmanager
    async def acting(self, *, person: bool = False, spoken: bool = False) -> AsyncGenerator[str]:
        """The same with the id of who does it, a ``person``; ``spoken``: as a message at a table.

        OkeyError ``not-for-bots`` and ``rate-limited`` beside those of :meth:`doing`.
        """
        async with self.doing() as session:
            user = session.user.id
            if person:
                require_person(user)
            if spoken:
                limit(self.hub.allowances.spoken(user), user)
            yield user

    async def table(self, user: str | None, table_id: str) -> Table:
        """An open table; OkeyError as :meth:`Tables.get` and :meth:`Accounts.require_let_in`."""
        table = await self.hub.tables.get(table_id)
        await self.hub.accounts.require_let_in(user, table)
        return table

    async def may_open(self, user: str) -> str:
        """Take from the allowances of new tables; the address that a new one counts for.

        OkeyError ``rate-limited``.
        """
        await self.hold(self.hub.allowances.new_tables, user)
        self.limit(self.hub.allowances.new_tables_at)
        return self.caller.key

    async def opened(
        self, user: str, options: TableOptions, table: str | None = None, day: Day | None = None
    ) -> Table:
        """A new table where somebody sits down, or the one that was made by this id already.

        OkeyError ``too-many-seats``, and as :meth:`may_open` and :meth:`Tables.create`.
        """
        presence, tables = self.hub.presence, self.hub.tables
        async with presence.turn_of(user):  # the same at once needs no second seat
            made = None if table is None else await tables.made(table)
            if made is None:
                await presence.require_room(user)
                made = await tables.create(user, options, table, await self.may_open(user), day)
            return made


async def sit_down(
    hub: Hub, user: str, command: Sit, table: Table,
    ack: Callable[[int], None] = lambda _: None, digest: int = 0,
) -> int:  # fmt: skip
    """:meth:`Table.command` of a command to sit down: a bot goes to the seat it was invited to.

    OkeyError ``no-table`` for whom the table is not there, ``too-many-seats``, and as
    :meth:`Invitations.checked`.
    """
    await hub.accounts.require_let_in(user, table)
    async with hub.presence.turn_of(user):
        if table.state.place_of(user) is None:
            await hub.presence.require_room(user)
            if is_bot_account(user):
                command = await hub.accounts.invitations.checked(user, command, table)
        return await table.command(user, command, ack, digest)


def shows_admin_token(headers: Mapping[str, str], hub: Hub) -> bool:
    """Whether a request shows the administrator's token of this server."""
    shown = bearer_in(headers) or ""
    return hmac.compare_digest(shown.encode(), hub.admin_token.encode())


async def require_admin(connection: Connection, handler: BaseRouteHandler) -> None:
    """Refuse whoever does not show the administrator's token; OkeyError ``not-allowed``.

    A handler whose options say ``moderators`` lets a moderator's session do it too. Of what another
    node has sent, that node has looked at the token of its own.
    """
    hub: Hub = connection.app.state.hub
    relayed = (connection.scope.get("extensions") or {}).get(RELAYED)
    if relayed is not None and relayed["admin"]:
        return
    if not shows_admin_token(connection.headers, hub):
        if "moderators" in handler.opt and await moderator_of(connection, hub) is not None:
            return
        client = caller_of(connection.scope, hub)
        if not hub.allowances.strangers.take(client.key):
            _log.warning("admin-refused", address=client.address)
        refuse("not-allowed")


async def moderator_of(connection: Connection, hub: Hub) -> str | None:
    """The id of the moderator whose session is shown; OkeyError ``banned``."""
    session = await session_of(hub, token_of(connection, hub))
    return None if session is None or not session.user.moderator else session.user.id


# Browsers from which an account was signed in to before: they keep an allowance of their own.
#
# Whoever tries passwords from many addresses uses up what everybody has to try them for an account;
# the browsers its owner has used before are not concerned.

_SUFFIX: Final = "-device"
_DEVICE_AGE_S: Final = 365 * 24 * 3600
_MOST_ACCOUNTS: Final = 4
_VALUE: Final = re.compile(r"([0-9a-f]{32})((?:\.[0-9a-f]{64}){1,4})", re.ASCII)


def device_cookie(request: Asked, hub: Hub, name: str) -> Cookie:
    """The cookie by which this browser is known again; it opens nothing."""
    device, marks = _shown(request, hub)
    mark = _mark(hub, device, name)
    kept = [mark, *(other for other in marks if other != mark)][:_MOST_ACCOUNTS]
    cookie = session_cookie(request, hub, ".".join((device, *kept)), _DEVICE_AGE_S)
    cookie.key += _SUFFIX
    return cookie


async def allow_login(request: Asked, hub: Hub, name: str) -> bool:
    """Take from the allowances that a try of a password costs; whether the device is known.

    A known device has its own. All others share what an account has, and what their address and
    their network have. OkeyError ``rate-limited``.
    """
    allowances = hub.allowances
    device, marks = _shown(request, hub)
    wanted = _mark(hub, device, name)
    if any(hmac.compare_digest(mark, wanted) for mark in marks):
        await request.hold(allowances.known_logins, f"{device} {name_key(name)}")
        return True
    request.limit(allowances.logins)
    limit(allowances.network_logins, request.caller.network)
    await request.hold(allowances.account_logins, name_key(name))
    return False


def _shown(request: Asked, hub: Hub) -> tuple[str, list[str]]:
    """The id that a browser shows, or a new one, and its marks of accounts, the latest first."""
    name = session_cookie(request, hub, "").key + _SUFFIX
    found = _VALUE.fullmatch(request.cookies.get(name, ""))
    if found is None:
        return secrets.token_hex(16), []
    return found[1], found[2].split(".")[1:]


def _mark(hub: Hub, device: str, name: str) -> str:
    text = f"{device} {name_key(name)}".encode("utf-8", "surrogatepass")
    return hmac.new(hub.keys.devices, text, sha256).hexdigest()
