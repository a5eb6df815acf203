"""Tables over HTTP: the list, a new one, and the commands that need no socket."""

from __future__ import annotations

import contextlib
import re
from typing import Annotated, Any, TypeAlias

import msgspec
from litestar import Controller, MediaType, Response, get, post
from litestar.connection import ASGIConnection
from litestar.params import HeaderParameter
from litestar.types import HTTPScope
from msgspec import Meta, Struct

from okey101.errors import OkeyError
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.ops.journal import Reason, Report
from okey101.server.ops.logs import utc_ms
from okey101.server.people.day_tries import NAMES
from okey101.server.protocol import TableOptions, checked_options, client_messages as ask
from okey101.server.protocol.options import Applied, Felt, PlayBody, TableLine, rules_of
from okey101.server.protocol.views import TableView
from okey101.server.store.base import failure_told
from okey101.server.tables import serialise
from okey101.server.tables.broadcast import may_watch
from okey101.server.tables.match_record import match_record
from okey101.server.tables.quick import quick_options
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table
from okey101.server.web import auth
from okey101.server.web.auth import Asked
from okey101.server.web.response_schemas import TableAnswer
from okey101.server.work.served_bots import ServedBots
from okey101.tiles import TILE_TEXTS

_MAKERS = ("/api/tables", "/api/play")
_OF_A_DAY = re.compile(rf"/api/days/({NAMES})/play", re.ASCII)
_OF_A_FAMILY = re.compile(r"/api/families/([^/]+)/sit")
_KEYS = re.compile(r"[\x21-\x7e]{1,64}")
_MOST_LISTED = 100
_MOST_FELTS = 6
_Key: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        pattern=f"^{_KEYS.pattern}$",
        description="whoever sends a request again with the same key gets the table of the first",
    ),
]


def _line(hub: Hub, table: Table) -> TableLine:
    """What the lobby says about a table: only what spectators may know by now."""
    shown = table.audience.feed.shown
    called = [hub.names.called(seat.user or "") for seat in shown.seats]
    return TableLine(
        id=table.state.table,
        stage=shown.stage.value,
        seats=[
            one.name if seat.bot is None else f"bot:{seat.bot}"
            for one, seat in zip(called, shown.seats, strict=True)
        ],
        faces=[one.face for one in called],
        free=shown.offered,
        options=shown.options,
        counted=shown.counted,
        spectators=len(table.audience.watching),
    )


def _felt(shown: TableState) -> Felt | None:
    """The deal that spectators are shown; None where they see none, or may not look."""
    if shown.deal is None or not may_watch(shown):
        return None
    public = shown.deal.public
    return Felt(
        groups=[str(group) for group in public.table],
        sizes=[*public.sizes],
        tops=[TILE_TEXTS[pile[-1]] if pile else None for pile in public.discards],
        turn=public.turn,
        stock=public.stock_count,
        indicator=TILE_TEXTS[public.setup.indicator],
    )


async def table_of_key(scope: HTTPScope, hub: Hub) -> str | None:
    """The id of the table that a request makes, or has made, by its key; None without one."""
    day, family = _OF_A_DAY.fullmatch(scope["path"]), _OF_A_FAMILY.fullmatch(scope["path"])
    if scope["method"] != "POST" or not (day or family or scope["path"] in _MAKERS):
        return None
    asked = ASGIConnection[Any, Any, Any, Any](scope)
    key = asked.headers.get("idempotency-key", "")
    if not (day or family or _KEYS.fullmatch(key)):
        return None
    with contextlib.suppress(OkeyError):  # which is told to whoever asks
        if (session := await auth.session_of(hub, auth.token_of(asked, hub))) is not None:
            if family:
                found = await hub.accounts.families.family(family[1], session.user.id)
                return (await hub.presence.family_table(found))[1]
            if day:
                return await hub.days.table_of(day[1], session.user.id, hub.tables.id_of)
            return hub.tables.id_of(session.user.id, key)
    return None


def _against_bots(data: PlayBody, served: ServedBots) -> TableOptions:
    """The checked options of a table with a bot in every seat but the first."""
    wanted = TableOptions(
        rules=data.rules, deals=data.deals, clock=data.clock, assisted=data.assisted
    )
    players = rules_of(checked_options(wanted)).players
    bots = (None, *(data.bot for _ in range(players - 1)))
    return checked_options(msgspec.structs.replace(wanted, bots=bots), served)


class ReportBody(Struct, forbid_unknown_fields=True):
    """Who is reported to whoever runs the server, by seat, and what for."""

    seat: Annotated[int, Meta(ge=0, le=3)]
    reason: Reason


class Lobby(Controller):
    """Lists and tables."""

    path = "/api"
    tags = ["tables"]  # noqa: RUF012  # Litestar's own form

    @get("/tables")
    async def tables(self, request: Asked, hub: Hub) -> list[TableLine]:
        """The open tables: those that wait for people first; at most 100."""
        session = await request.optional(even_banned=True)
        user = None if session is None else session.user.id
        unseen = await hub.accounts.unseen(user, hub.tables.listed())
        tables = [one for one in hub.tables.listed() if one.state.table not in unseen]
        tables = tables[:_MOST_LISTED]
        lines = [_line(hub, table) for table in tables]
        felts = 0
        for table, line in zip(tables, lines, strict=True):
            if line.stage == "playing" and felts < _MOST_FELTS:
                line.felt = _felt(table.audience.feed.shown)
                felts += line.felt is not None
        if hub.cluster is not None:
            lines += await hub.cluster.gather(request.scope, list[TableLine])
            lines.sort(key=lambda line: line.stage != Stage.WAITING.value)
        return lines[:_MOST_LISTED]

    @post("/tables", status_code=201)
    async def create(
        self, request: Asked, hub: Hub, data: TableOptions, key: _Key = None
    ) -> TableLine:
        """A new table; its owner has the first free seat."""
        async with request.acting(spoken=True) as user:
            if data.quick:
                refuse("bad-options", reason="only the server opens quick tables")
            options = checked_options(data, hub.bots.served)
            table = None if key is None else hub.tables.id_of(user, key)
            return _line(hub, await request.opened(user, options, table))

    @post("/play", status_code=201)
    async def play(self, request: Asked, hub: Hub, data: PlayBody, key: _Key = None) -> Applied:
        """Sit down against bots, and the match begins."""
        async with request.acting(spoken=True) as user:
            options = _against_bots(data, hub.bots.served)
            made = None if key is None else hub.tables.id_of(user, key)
            table = await request.opened(user, options, made)
            if table.state.stage is not Stage.WAITING:
                return Applied(table.state.table, table.state.seq)
            seq = await table.command(user, ask.Start(rid="start"))
            return Applied(table.state.table, seq)

    @post("/quick", status_code=200)
    async def quick(self, request: Asked, hub: Hub) -> Applied:
        """Sit down at a quick table: where somebody waits, in place of a bot, or at a new one.

        Whoever sits at one already is told which.
        """
        async with request.acting(person=True, spoken=True) as user:

            async def open_one() -> Table:
                return await request.opened(user, quick_options())

            sat = await hub.presence.seated(user)
            if sat.at is not None:
                return sat.at
            if (await hub.quick.sat(user)).at is None:
                await hub.presence.require_room(user)
            apart = (await hub.accounts.ties.shunned(user)).apart
            table = await hub.quick.seat(user, open_one, sat.left, apart)
            return Applied(table.state.table, table.state.seq)

    @get("/tables/{table_id:str}")
    async def table(self, request: Asked, hub: Hub, table_id: str) -> TableAnswer:
        """A table as spectators see it, and one's own seat there, or null."""
        user = await request.asker()
        table = await request.table(user, table_id)
        seat = None if user is None else table.state.seat_of(user)
        if seat is None and not may_watch(table.state):
            refuse("spectators-off")
        shown = table.state if seat is not None else table.audience.feed.shown
        return TableAnswer(
            table=msgspec.convert(serialise.table_view(shown, hub.names.called), TableView),
            seq=shown.seq,
            seat=seat,
            here=table.audience.here(),
            frozen=table.frozen is not None,
        )

    @get("/tables/{table_id:str}/record")
    async def record(self, request: Asked, hub: Hub, table_id: str) -> Response[bytes]:
        """The record of the finished deals of the current match."""
        user = await request.asker()
        table = await request.table(user, table_id)
        if table.state.day is not None:  # it comes once the day is closed, and the table with it
            refuse("day-table")
        seat = None if user is None else table.state.seat_of(user)
        if seat is None and table.state.options.spectators == "off":
            refuse("spectators-off")
        shown = table.state if seat is not None else table.audience.feed.shown
        players = table.left.players(shown)
        request.limit(hub.allowances.replay_requests)
        data = await hub.replays.run(
            lambda: msgspec.json.encode(match_record(shown, hub.names.name, players).to_dict())
        )
        return Response(data, media_type=MediaType.JSON)

    @post("/tables/{table_id:str}/reports", status_code=204)
    async def report(self, request: Asked, hub: Hub, table_id: str, data: ReportBody) -> None:
        """Tell whoever runs the server of a person at one's own table; a bot is none."""
        async with request.acting(spoken=True) as user:
            at = (await request.table(user, table_id)).state
            if at.place_of(user) is None:
                refuse("not-seated")
            of = at.seats[data.seat].user if data.seat < len(at.seats) else None
            if of is None or of == user:
                refuse("no-seat", seat=data.seat)
            request.limit(hub.allowances.reports_at)
            await request.hold(hub.allowances.reports, user)
            await request.hold(hub.allowances.reports_of, f"{user} {of}")
            report = Report(
                at=utc_ms(), by=user, of=of, reason=data.reason, table=table_id,
                match=at.match, deal=at.number,
            )  # fmt: skip
            with failure_told():
                await hub.reports.add(report)

    @post("/tables/{table_id:str}/commands", status_code=200)
    async def command(
        self, request: Asked, hub: Hub, table_id: str, data: ask.AnyLogged
    ) -> Applied:
        """Any command of the protocol that the table's log keeps."""
        async with request.acting(spoken=True) as user:  # the same as over a socket
            table = await request.table(user, table_id)
            digest = ask.digest_of(data)
            if isinstance(data, ask.Sit):
                seq = await auth.sit_down(hub, user, data, table, digest=digest)
            else:
                seq = await table.command(user, data, digest=digest)
            return Applied(table_id, seq)
