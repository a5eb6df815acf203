"""Bots over HTTP: which there are, accounts of programs, and who is invited to a table."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Controller, delete, get, post, put
from msgspec import Meta, Struct

from okey101.bots.registry import LEVELS
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.ops.logs import utc_ms
from okey101.server.people.models import InvitationRow, User
from okey101.server.protocol.bot_labels import require_person
from okey101.server.protocol.views import Invited
from okey101.server.tables.state import TableState
from okey101.server.web import auth
from okey101.server.web.auth import Asked


class NewBotBody(Struct, forbid_unknown_fields=True):
    """What a bot is to be called; its owner's name is put beside it."""

    name: str


class BotAccount(Struct):
    """A bot of one's own; ``token`` is there once, when it is made."""

    id: str
    name: str | None
    seen_ms: int
    tables: list[str]
    token: str | None = None
    __repr__ = object.__repr__


class BotsHere(Struct):
    """The bots of this server: ``levels`` of its own, and ``others`` that the host lets play.

    ``accounts`` says whether bots that have accounts may be invited.
    """

    levels: list[str]
    others: list[str]
    accounts: bool


class InvitationBody(Struct, forbid_unknown_fields=True):
    """Which bot, by id or name, is invited to which seat."""

    bot: Annotated[str, Meta(max_length=200)]
    seat: Annotated[int, Meta(ge=0, le=3)]


class InvitedBot(Struct):
    """A bot that was invited, to which seat, when (UTC in milliseconds), and what came of it."""

    bot: str
    name: str | None
    seat: int
    at: int
    answer: Literal["none", "came", "refused"]


def _answer(at: TableState, one: InvitationRow) -> Literal["none", "came", "refused"]:
    if at.place_of(one.user_id) is not None:
        return "came"
    return "refused" if one.refused else "none"


async def _own_table(request: Asked, user: str, table_id: str) -> TableState:
    """A table of one's own; OkeyError ``not-owner``, ``not-for-bots``, ``no-table``."""
    require_person(user)
    at = (await request.table(user, table_id)).state
    if at.owner != user or at.options.quick:
        refuse("not-owner")
    return at


async def _shown(hub: Hub, bots: list[User], token: str | None = None) -> list[BotAccount]:
    places = await hub.presence.places(*(bot.id for bot in bots))
    return [
        BotAccount(
            bot.id, bot.name, bot.seen_ms, [place.table for place in places[bot.id]], token
        )
        for bot in bots
    ]  # fmt: skip


def _require_allowed(hub: Hub) -> None:
    if hub.settings.bot_accounts == "off":
        refuse("bots-not-allowed")


class BotAccounts(Controller):
    """Which bots there are, those of one's own, and their invitations."""

    path = "/api"
    tags = ["bots"]  # noqa: RUF012  # Litestar's own form

    @post("/me/bots", status_code=201)
    async def make(self, request: Asked, hub: Hub, data: NewBotBody) -> BotAccount:
        """A bot account, and its token, which is shown this once."""
        _require_allowed(hub)
        async with request.acting(person=True) as user:
            request.limit(hub.allowances.new_guests)
            bot, token = await hub.accounts.bots.add(user, data.name)
            return (await _shown(hub, [bot], token))[0]

    @get("/me/bots")
    async def mine(self, request: Asked, hub: Hub) -> list[BotAccount]:
        """One's bots, the newest first."""
        session = await request.current()
        return await _shown(hub, await hub.accounts.bots.of(session.user.id))

    @post("/me/bots/{bot_id:str}/token", status_code=200)
    async def token(self, request: Asked, hub: Hub, bot_id: str) -> BotAccount:
        """Another token; the one before ends, and the bot's sockets with it."""
        _require_allowed(hub)
        async with request.acting() as user:
            token = await hub.accounts.bots.new_token(user, bot_id)
            await auth.close_ended(hub, bot_id)
            return (await _shown(hub, [await hub.accounts.user(bot_id)], token))[0]

    @delete("/me/bots/{bot_id:str}", status_code=204)
    async def remove(self, request: Asked, hub: Hub, bot_id: str) -> None:
        """Remove a bot: its token ends, and stand-ins play its seats."""
        async with request.acting() as user:
            await hub.accounts.bots.remove(bot_id, user)
            await auth.shut_out_bot(hub, bot_id)

    @get("/bots", sync_to_thread=False)
    def here(self, hub: Hub) -> BotsHere:
        """The bots that may be put on a seat here, and whether accounts of bots may come."""
        served = hub.bots.served
        ours = served.searchers if hub.bots.searcher.ready else ()
        return BotsHere([*LEVELS], [*ours, *served.outside], hub.settings.bot_accounts == "on")

    @post("/tables/{table_id:str}/invitations", status_code=204)
    async def invite(self, request: Asked, hub: Hub, table_id: str, data: InvitationBody) -> None:
        """Of the owner: offer a seat to somebody's bot, by its id or its name."""
        _require_allowed(hub)
        async with request.acting(spoken=True) as user:
            at = await _own_table(request, user, table_id)
            if not at.options.clock:
                refuse("bot-needs-clock")
            bot = await hub.accounts.bots.named(data.bot)
            if at.place_of(bot.id) is not None:
                refuse("bot-is-here")
            if bot.id in at.sent_away:
                refuse("bot-kicked")
            if data.seat >= len(at.seats):
                refuse("no-seat", seat=data.seat)
            if at.seats[data.seat].user is not None:
                refuse("seat-taken", seat=data.seat)
            await hub.accounts.invitations.add(bot.id, table_id, data.seat, utc_ms())
            if not hub.tables.has(table_id):  # closed meanwhile
                await hub.accounts.invitations.forget_tables([table_id])
                refuse("table-closed")

    @get("/tables/{table_id:str}/invitations")
    async def invited(self, request: Asked, hub: Hub, table_id: str) -> list[InvitedBot]:
        """Of the owner: whom one has invited, and what they say."""
        at = await _own_table(request, (await request.current()).user.id, table_id)
        found = await hub.accounts.invitations.at(table_id)
        names = await hub.accounts.names(one.user_id for one in found)
        return [
            InvitedBot(one.user_id, names[one.user_id].name, one.seat, one.at_ms, _answer(at, one))
            for one in found
            if one.seat is not None
        ]

    @put("/tables/{table_id:str}/invitations/{user_id:str}", status_code=204)
    async def call(self, request: Asked, hub: Hub, table_id: str, user_id: str) -> None:
        """Of whoever sits there: call a friend, here or not, for as long as one sits there.

        Whether the friend sees it, and what the answer is, is not told.
        """
        async with request.acting(person=True) as user:
            at = (await hub.tables.get(table_id)).state
            if at.place_of(user) is None:
                refuse("not-seated")
            if at.day is not None:
                refuse("day-table")
            if user_id not in await hub.accounts.ties.friends(user):
                refuse("not-friend")
            await request.hold(hub.allowances.invitations, user)
            await hub.accounts.invitations.add(user_id, table_id, None, utc_ms(), user)

    @delete("/tables/{table_id:str}/invitations/{user_id:str}", status_code=204)
    async def withdraw(self, request: Asked, hub: Hub, table_id: str, user_id: str) -> None:
        """Of the owner: take an invitation back; a bot that has come stays."""
        async with request.acting(spoken=True) as user:
            await _own_table(request, user, table_id)
            if not await hub.accounts.invitations.withdraw(user_id, table_id):
                refuse("not-invited")

    @get("/me/invitations")
    async def invitations(self, request: Asked, hub: Hub) -> list[Invited]:
        """Of a bot: where a seat waits for it, the latest first."""
        session = await request.current()
        open_here = hub.tables.has if hub.cluster is None else lambda _: True  # they hear of it
        return [
            Invited(one.table_id, one.seat, one.at_ms)
            for one in await hub.accounts.invitations.of(session.user.id)
            if one.seat is not None and open_here(one.table_id)
        ]

    @delete("/me/invitations/{table_id:str}", status_code=204)
    async def decline(self, request: Asked, hub: Hub, table_id: str) -> None:
        """Say no: a bot may be invited again, a friend is not called to that table again."""
        async with request.acting(spoken=True) as user:
            if not await hub.accounts.invitations.refuse(user, table_id):
                refuse("not-invited")
