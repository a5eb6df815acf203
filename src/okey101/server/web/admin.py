"""For those who run the server: health, metrics, version, and what the administrator may do."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

from litestar import Controller, MediaType, Response, get, post
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from okey101 import __version__
from okey101.errors import OkeyError
from okey101.game import RULES_VERSION
from okey101.server.errors import refuse
from okey101.server.files.data_dir import require_folder
from okey101.server.hub import Hub
from okey101.server.ops.journal import JournalEntry, token_holder
from okey101.server.ops.metrics import CONTENT_TYPE
from okey101.server.people.models import FOREVER, MatchUser, User
from okey101.server.people.persons import new_token
from okey101.server.presence import NodeHealth
from okey101.server.tables.log_check import audit
from okey101.server.web import auth, response_schemas as shapes
from okey101.server.web.auth import Asked

_FIGURES = CONTENT_TYPE.removesuffix("; charset=utf-8")
"""The framework adds the charset."""


@get("/livez", media_type=MediaType.TEXT, sync_to_thread=False, tags=["operations"])
def live() -> str:
    """Whether the process answers."""
    return "ok\n"


_Cluster = Annotated[
    str | None, Parameter(description="ask for all nodes: how many there are, and are ready")
]


@get("/readyz", tags=["operations"])
async def ready(hub: Hub, cluster: _Cluster = None) -> Response[dict[str, bool | int]]:
    """Whether everything is ready: what is kept, and the tables from before the start."""
    found: dict[str, bool | int] = {**hub.checks()}
    good = all(found.values())
    if cluster is not None:
        nodes = await hub.presence.nodes()
        found = {"nodes": len(nodes), "ready": sum(node.ready for node in nodes)}
        good = found["nodes"] == found["ready"]
    return Response(found, status_code=200 if good else 503)


@get("/version", sync_to_thread=False, tags=["operations"])
def version() -> shapes.VersionAnswer:
    """The version of the package and of the rules."""
    return shapes.VersionAnswer(__version__, RULES_VERSION, protocol=1)


@get("/metrics", media_type=_FIGURES, tags=["operations"])
async def metrics(request: Asked, hub: Hub) -> Response[bytes]:
    """Figures for Prometheus; with OKEY101_METRICS_TOKEN set, for its bearer alone."""
    if request.scope["raw_path"] != b"/metrics":
        raise NotFoundException  # a proxy that hides this path may not know it in another spelling
    token = hub.settings.metrics_token
    if token is not None:
        shown = (auth.bearer_in(request.headers) or "").encode()
        if not hmac.compare_digest(shown, token.get_secret_value().encode()):
            refuse("not-allowed")
    hub.metrics.ready(all(hub.checks().values()))
    hub.metrics.tables(*hub.tables.counts())
    hub.metrics.sockets(hub.allowances.sockets.taken)
    hub.metrics.log_queue(hub.store.waiting)
    hub.metrics.log_whole(hub.findings.whole)
    hub.metrics.log_age(hub.store.age)
    if hub.cluster is not None:
        hub.metrics.node(*hub.cluster.figures())
    return Response(hub.metrics.render(), media_type=_FIGURES)


_Search = Annotated[str, Parameter(max_length=100)]
_Most = Annotated[int, Parameter(ge=1, le=200)]
_Lines = Annotated[int, Parameter(ge=1, le=1_000)]
_Offset = Annotated[int, Parameter(ge=0, le=1_000_000)]


class MuteBody(Struct, forbid_unknown_fields=True):
    """Until when, in UTC milliseconds; null: permanently."""

    until_ms: Annotated[int, Meta(ge=0)] | None = None


class BanBody(MuteBody, forbid_unknown_fields=True):
    """Until when, in UTC milliseconds (null: permanently), and why."""

    reason: Annotated[str, Meta(max_length=200)] = ""


def _end_of(until: int | None) -> int:
    return FOREVER if until is None else min(until, FOREVER)


class BackupBody(Struct, forbid_unknown_fields=True):
    """The folder on the server's machine that the copies go to."""

    folder: Annotated[str, Meta(min_length=1, max_length=4096)]


class KickBody(Struct, forbid_unknown_fields=True):
    """Who is to leave a table, by seat."""

    seat: Annotated[int, Meta(ge=0, le=3)]


@asynccontextmanager
async def _noted(
    request: Asked, what: str, of: str = "", **details: str | int | None
) -> AsyncGenerator[None]:
    """Have what is done within noted in the journal, with its outcome: by whom, by the token."""
    hub: Hub = request.app.state.hub
    who = token_holder(hub.admin_token)
    if "moderators" in request.route_handler.opt:
        who = await auth.moderator_of(request, hub) or who
    address = request.caller.address
    async with hub.journal.noted(what, who=who, address=address, of=of, **details):
        yield


@asynccontextmanager
async def _on_person(
    request: Asked, what: str, person: str, **details: str | int | None
) -> AsyncGenerator[str]:
    """The same for the person whom an id or a name means, with the id."""
    hub: Hub = request.app.state.hub
    try:
        of = (await hub.accounts.traces(person)).user.id
    except OkeyError:
        async with _noted(request, what, of=person, **details):
            raise
    async with _noted(request, what, of=of, **details):
        yield of


class Admin(Controller):
    """What ``okey101 admin`` asks for, with the token in the server's folder.

    What is marked for ``moderators`` is for their sessions too.
    """

    path = "/api/admin"
    tags = ["admin"]  # noqa: RUF012  # Litestar's own form
    guards = [auth.require_admin]  # noqa: RUF012
    security = [{"admin": []}]  # noqa: RUF012

    @get("/tables", moderators=True)
    async def tables(self, request: Asked, hub: Hub) -> list[shapes.AdminTable]:
        """Every table, with who sits there; no tiles."""
        readable = [
            shapes.AdminTable(
                id=table.state.table,
                stage=table.state.stage.value,
                seq=table.state.seq,
                match=table.state.match,
                deal=table.state.number,
                seats=[
                    MatchUser(seat.user, seat.bot, *hub.names.called(seat.user or ""))
                    for seat in table.state.seats
                ],
                sockets=len(table.audience.everybody),
                frozen=table.frozen,
            )
            for table in hub.tables
        ]
        unreadable = shapes.AdminTable("", "closed", 0, 0, 0, [], 0, "its log can't be read")
        found = readable + [replace(unreadable, id=one) for one in sorted(hub.tables.unreadable)]
        if hub.cluster is not None:
            found += await hub.cluster.gather(request.scope, list[shapes.AdminTable], admin=True)
        return found

    @get("/nodes", moderators=True)
    async def nodes(self, hub: Hub) -> list[NodeHealth]:
        """The nodes of the cluster, and how they are; one without a name where there is none."""
        return await hub.presence.nodes()

    @get("/journal")
    async def journal(self, hub: Hub, limit: _Lines = 50) -> list[JournalEntry]:
        """What administrators did, and what came of it; the newest first."""
        return await hub.journal.last(limit)

    @get("/reports", moderators=True)
    async def reports(self, hub: Hub, limit: _Lines = 50) -> list[shapes.AdminReport]:
        """What people reported of each other; the newest first."""
        return await shapes.reported(hub.accounts, hub.reports, hub.journal, limit)

    @get("/ladder", moderators=True)
    async def ladder(
        self, hub: Hub, season: auth.SeasonName = None, limit: _Lines = 50
    ) -> list[shapes.AdminPair]:
        """Who wins points on the ladder with the same one again and again, the most points first.

        OkeyError ``no-season``.
        """
        kept = hub.accounts.ladder
        found = (await kept.pairs(kept.season(season)))[:limit]
        names = await hub.accounts.names({user for one in found for user in (one.user, one.other)})
        return [
            shapes.AdminPair(
                **asdict(one), user_name=names[one.user].name, other_name=names[one.other].name
            )
            for one in found
        ]

    @get("/strength", moderators=True)
    async def strength(self, hub: Hub, limit: _Lines = 50) -> list[shapes.AdminStrong]:
        """Who plays better without luck than people do, the best first."""
        found = (await hub.accounts.profiles.too_good())[:limit]
        names = await hub.accounts.names({one.user for one in found})
        return [shapes.AdminStrong(**asdict(one), user_name=names[one.user].name) for one in found]

    @post("/tables/{table_id:str}/close", status_code=204)
    async def close(self, request: Asked, hub: Hub, table_id: str) -> None:
        """Close a table for good, a frozen one too."""
        async with _noted(request, "close", of=table_id):
            await hub.matches.close_table(hub.tables, table_id)

    @post("/tables/{table_id:str}/kick", status_code=204, moderators=True)
    async def kick(self, request: Asked, hub: Hub, table_id: str, data: KickBody) -> None:
        """Send a person away from a table for good; in a running match a bot goes on."""
        async with _noted(request, "kick", of=table_id, seat=data.seat):
            table = await hub.tables.get(table_id)
            await table.kick(data.seat)

    @get("/users", moderators=True)
    async def users(
        self, hub: Hub, search: _Search = "", limit: _Most = 50, offset: _Offset = 0
    ) -> list[User]:
        """People by name."""
        return await hub.accounts.users(search, limit, offset)

    @post("/users/{user_id:str}/ban", status_code=204)
    async def ban(self, request: Asked, hub: Hub, user_id: str, data: BanBody) -> None:
        """Shut a person and their bots out; sockets close, and bots of ours play the seats."""
        noted = _on_person(request, "ban", user_id, until_ms=data.until_ms)
        async with noted as person, hub.in_flight.shut(person):
            user, *bots = await hub.accounts.ban(person, _end_of(data.until_ms), data.reason)
            hub.connections.close(user, "banned")
            await hub.tables.leave(user)
            for bot in bots:
                async with hub.in_flight.shut(bot):
                    hub.connections.close(bot, "banned")
                    await hub.tables.leave(bot)

    @post("/users/{user_id:str}/unban", status_code=204)
    async def unban(self, request: Asked, hub: Hub, user_id: str) -> None:
        """Let a person in again."""
        async with _on_person(request, "unban", user_id) as person:
            await hub.accounts.ban(person, None)

    @get("/users/{person:str}")
    async def person(self, hub: Hub, person: str) -> shapes.PersonAnswer:
        """How much is kept of a person, by id or name."""
        kept = await hub.accounts.traces(person)
        tables = await hub.presence.tables_of(kept.user.id)
        return shapes.PersonAnswer(**asdict(kept), tables=tables)

    @post("/users/{user_id:str}/reset-password", status_code=200)
    async def reset_password(self, request: Asked, hub: Hub, user_id: str) -> shapes.CodeAnswer:
        """End a person's password and sessions; the code to sign in with once, for a new one."""
        async with _noted(request, "reset-password", of=user_id):
            code, until = await hub.accounts.reset_password(user_id)
            hub.connections.close(user_id, "signed-out")
            return shapes.CodeAnswer(code, until)

    @get("/users/{user_id:str}/export")
    async def export(self, request: Asked, hub: Hub, user_id: str) -> shapes.ExportAnswer:
        """Everything that is kept about a person, as that person gets it."""
        async with _noted(request, "export", of=user_id):
            tables = await hub.presence.tables_of(user_id)
            return await shapes.exported(hub.accounts, hub.reports, user_id, tables)

    @post("/users/{user_id:str}/erase", status_code=204)
    async def erase(self, request: Asked, hub: Hub, user_id: str) -> None:
        """Erase a person and their bots, as that person could."""
        async with _noted(request, "erase", of=user_id):
            await auth.erase_person(hub, user_id)

    @post("/users/{user_id:str}/mute", status_code=204, moderators=True)
    async def mute(self, request: Asked, hub: Hub, user_id: str, data: MuteBody) -> None:
        """Let nobody hear a person's phrases for a while."""
        async with _on_person(request, "mute", user_id, until_ms=data.until_ms) as person:
            await hub.accounts.silence(person, _end_of(data.until_ms))

    @post("/users/{user_id:str}/unmute", status_code=204, moderators=True)
    async def unmute(self, request: Asked, hub: Hub, user_id: str) -> None:
        """Let a person's phrases be heard again."""
        async with _on_person(request, "unmute", user_id) as person:
            await hub.accounts.silence(person, None)

    @post("/users/{user_id:str}/settle", status_code=204, moderators=True)
    async def settle(self, request: Asked, hub: Hub, user_id: str) -> None:
        """Say that nothing more is to be done about the reports of a person so far."""
        async with _on_person(request, "settle", user_id):
            pass

    @post("/users/{user_id:str}/appoint", status_code=200)
    async def appoint(self, request: Asked, hub: Hub, user_id: str) -> shapes.TokenAnswer:
        """Make an account a moderator; the token for what moderators may do."""
        async with _on_person(request, "appoint", user_id) as person:
            token = new_token()
            await hub.accounts.appoint(person, token)
            await auth.close_ended(hub, person)
            return shapes.TokenAnswer(token)

    @post("/users/{user_id:str}/dismiss", status_code=204)
    async def dismiss(self, request: Asked, hub: Hub, user_id: str) -> None:
        """End a moderator's rights and token."""
        async with _on_person(request, "dismiss", user_id) as person:
            await hub.accounts.appoint(person, None)
            await auth.close_ended(hub, person)

    @get("/bots")
    async def bots(
        self, hub: Hub, search: _Search = "", limit: _Most = 50, offset: _Offset = 0
    ) -> list[shapes.AdminBot]:
        """Bot accounts by name, by id, or by the id of their owner; no token."""
        found = await hub.accounts.bots.all(search, limit, offset)
        places = await hub.presence.places(*(bot.id for bot, _ in found))
        return [
            shapes.AdminBot(
                bot.id, bot.name, bot.owner or "", bot.created_ms, bot.seen_ms, token,
                bot.banned_until, [place.table for place in places[bot.id]],
            )
            for bot, token in found
        ]  # fmt: skip

    @post("/bots/{bot_id:str}/revoke", status_code=204)
    async def revoke_bot(self, request: Asked, hub: Hub, bot_id: str) -> None:
        """End a bot's token, and its sockets; its owner can make another token."""
        async with _noted(request, "revoke-bot", of=bot_id):
            await hub.accounts.bots.revoke(bot_id)
            hub.connections.close(bot_id, "signed-out")

    @post("/bots/{bot_id:str}/remove", status_code=204)
    async def remove_bot(self, request: Asked, hub: Hub, bot_id: str) -> None:
        """Remove a bot for good: its token ends, and stand-ins play its seats."""
        async with _noted(request, "remove-bot", of=bot_id):
            await hub.accounts.bots.remove(bot_id)
            await auth.shut_out_bot(hub, bot_id)

    @post("/backup", status_code=200)
    async def backup(self, request: Asked, hub: Hub, data: BackupBody) -> dict[str, str]:
        """A copy of everything while play goes on; nothing is overwritten.

        A missing folder is created for the server's user alone.
        """
        async with _noted(request, "backup", of=data.folder):
            folder = Path(data.folder)
            if not folder.is_absolute() or "\0" in data.folder:
                refuse("bad-folder", path=str(folder))
            try:
                remove = await asyncio.to_thread(require_folder, folder)
            except OSError as error:
                reason = error.strerror or type(error).__name__
                refuse("folder-failed", path=str(folder), reason=reason)
            try:
                await hub.store.backup(folder / hub.folder.log.name)
            except OkeyError:
                await asyncio.to_thread(remove)
                raise
            return {"log": str(folder / hub.folder.log.name)}

    @post("/check", status_code=200)
    async def check(self, request: Asked, hub: Hub) -> shapes.CheckAnswer:
        """Look through everything: the file, order, and that every table replays."""
        async with _noted(request, "check"):
            problems = await hub.matches.make_again(hub.store) + await hub.store.check()
            more, tables = await audit(hub.store)
            problems += more
            frozen = [f"{t.state.table}: {t.frozen}" for t in hub.tables if t.frozen is not None]
            problems += [problem for problem in frozen if problem not in problems]
            return shapes.CheckAnswer(not problems, problems[:1000], tables)
