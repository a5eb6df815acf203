"""Accounts of programs over HTTP: made by their owners, and invited to seats."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State
from msgspec import Meta, Struct

from okey101.server.accounts import User
from okey101.server.bot_accounts import Invitation, is_bot_account, require_person
from okey101.server.clock import utc_ms
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.web.auth import client_from, current, doing, limit

__all__ = ["BotAccounts"]


class NewBotBody(Struct, forbid_unknown_fields=True):
    """What a bot is to be called; its owner's name is put beside it."""

    name: Annotated[str, Meta(max_length=200)]


class BotAccount(Struct):
    """A bot of one's own; ``token`` is there once, when it is made."""

    id: str
    name: str | None
    seen_ms: int
    tables: list[str]
    token: str | None = None


class InvitationBody(Struct, forbid_unknown_fields=True):
    """Which bot is invited to which seat."""

    bot: Annotated[str, Meta(max_length=64)]
    seat: Annotated[int, Meta(ge=0, le=3)]


class InvitationView(Struct):
    """A seat that waits for a bot; ``at`` is UTC in milliseconds."""

    table: str
    seat: int
    at: int


def _shown(hub: Hub, bot: User, token: str | None = None) -> BotAccount:
    tables = [table.state.table for table in hub.tables.of(bot.id)]
    return BotAccount(bot.id, bot.name, bot.seen_ms, tables, token)


def _require_allowed(hub: Hub) -> None:
    if hub.settings.bot_accounts == "off":
        refuse("bots-not-allowed")


class BotAccounts(Controller):
    """Bots of one's own, and their invitations."""

    path = "/api"
    tags = ["bots"]  # noqa: RUF012  # Litestar's own form

    @post("/me/bots", status_code=201)
    async def make(
        self, request: Request[Any, Any, Any], state: State, data: NewBotBody
    ) -> BotAccount:
        """A bot account, and its token, which is shown this once."""
        hub: Hub = state.hub
        _require_allowed(hub)
        async with doing(request) as session:
            require_person(session.user.id)
            limit(hub.allowances.new_guests, client_from(request, hub).key)
            bot, token = await hub.accounts.bots.add(session.user.id, data.name)
            return _shown(hub, bot, token)

    @get("/me/bots")
    async def mine(self, request: Request[Any, Any, Any], state: State) -> list[BotAccount]:
        """One's bots, the newest first."""
        hub: Hub = state.hub
        session = await current(request)
        return [_shown(hub, bot) for bot in await hub.accounts.bots.of(session.user.id)]

    @post("/me/bots/{bot_id:str}/token", status_code=200)
    async def token(self, request: Request[Any, Any, Any], state: State, bot_id: str) -> BotAccount:
        """Another token; the one before ends, and the bot's sockets with it."""
        hub: Hub = state.hub
        _require_allowed(hub)
        async with doing(request) as session:
            token = await hub.accounts.bots.new_token(session.user.id, bot_id)
            await hub.close_ended(bot_id)
            return _shown(hub, await hub.accounts.user(bot_id), token)

    @delete("/me/bots/{bot_id:str}", status_code=204)
    async def remove(self, request: Request[Any, Any, Any], state: State, bot_id: str) -> None:
        """Remove a bot: its token ends, and stand-ins play its seats."""
        hub: Hub = state.hub
        async with doing(request) as session:
            await hub.accounts.bots.remove(session.user.id, bot_id)
            await hub.shut_out_bot(bot_id)

    @post("/tables/{table_id:str}/invitations", status_code=204)
    async def invite(
        self, request: Request[Any, Any, Any], state: State, table_id: str, data: InvitationBody
    ) -> None:
        """Of the owner: offer a seat to somebody's bot."""
        hub: Hub = state.hub
        _require_allowed(hub)
        async with doing(request) as session:
            limit(hub.allowances.messages, session.user.id)
            require_person(session.user.id)
            at = (await hub.tables.get(table_id)).state
            if at.owner != session.user.id or at.options.quick:
                refuse("not-owner")
            if data.seat >= len(at.seats):
                refuse("no-seat", seat=data.seat)
            if not at.options.clock:
                refuse("bot-needs-clock")
            bot = await hub.accounts.user(data.bot)
            if not is_bot_account(bot.id) or bot.deleted:
                refuse("no-seat", seat=data.seat)
            hub.invitations.add(bot.id, Invitation(table_id, data.seat, utc_ms()))

    @get("/me/invitations")
    async def invitations(
        self, request: Request[Any, Any, Any], state: State
    ) -> list[InvitationView]:
        """Of a bot: where a seat waits for it, the latest first."""
        hub: Hub = state.hub
        session = await current(request)
        return [InvitationView(*found) for found in hub.invitations.of(session.user.id)]
