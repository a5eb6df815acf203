"""Family tables over HTTP, and what waits for oneself: friends who call, a family that sits."""

from __future__ import annotations

import secrets
from typing import Annotated

from litestar import Controller, delete, get, patch, post, put
from msgspec import Meta, Struct

from okey101.errors import OkeyError
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.net.web_push import Device
from okey101.server.ops.logs import utc_ms
from okey101.server.people.day_tries import begins_ms, date_at, dates_around
from okey101.server.people.families import Family, FamilyTotal, family_options
from okey101.server.people.ties import Shunned
from okey101.server.presence import Sitting
from okey101.server.protocol import TableOptions, checked_options, views
from okey101.server.protocol.bot_labels import require_person
from okey101.server.protocol.client_messages import Sit
from okey101.server.protocol.options import Applied
from okey101.server.web import auth
from okey101.server.web.auth import Asked

_Text = Annotated[str, Meta(max_length=200)]
_Hour = Annotated[int, Meta(ge=0, le=23)]


class FamilyBody(Struct, forbid_unknown_fields=True):
    """A family table: what it is called, and the options of its tables."""

    name: str
    options: TableOptions


class FamilyChange(Struct, forbid_unknown_fields=True):
    """What to change; ``fresh`` replaces the link by another one."""

    name: str | None = None
    options: TableOptions | None = None
    fresh: bool = False


class ToldBody(Struct, forbid_unknown_fields=True):
    """Whether one is told by push that somebody waits."""

    told: bool


class PushBody(Struct, forbid_unknown_fields=True):
    """One's browser as the Push API has it, and between which hours of its zone it is quiet."""

    endpoint: Annotated[str, Meta(max_length=1200)]
    p256dh: _Text
    auth: _Text
    quiet_from: _Hour
    quiet_to: _Hour
    zone: Annotated[str, Meta(max_length=64, pattern=r"^[\w+/-]*$")]


class Families(Controller):
    """Family tables, and who waits for oneself."""

    path = "/api"
    tags = ["families"]  # noqa: RUF012  # Litestar's own form

    @get("/families")
    async def families(self, request: Asked, hub: Hub) -> list[views.FamilyLine]:
        """The family tables where one is a regular, the newest first."""
        user = (await request.current()).user.id
        found = await hub.accounts.families.of(user)
        return [views.FamilyLine(one.name, one.link, one.owner == user) for one in found]

    @post("/families", status_code=201)
    async def make(self, request: Asked, hub: Hub, data: FamilyBody) -> views.FamilyAnswer:
        """A family table of one's own, for an account; where a seat has no bot, one is put."""
        async with request.acting() as user:
            await request.hold(hub.allowances.renames, user)
            options = _options(hub, data.options)
            link = await hub.accounts.families.make(user, data.name, options)
            return await _answer(hub, link, user)

    @get("/families/{link:str}")
    async def family(self, request: Asked, hub: Hub, link: _Text) -> views.FamilyAnswer:
        """The family table of a link: for everybody who knows it."""
        return await _answer(hub, link, await request.reader())

    @patch("/families/{link:str}")
    async def change(
        self, request: Asked, hub: Hub, link: _Text, data: FamilyChange
    ) -> views.FamilyAnswer:
        """Of the owner: another name, other rules from the next table on, another link."""
        async with request.acting() as user:
            await request.hold(hub.allowances.renames, user)
            options = None if data.options is None else _options(hub, data.options)
            families = hub.accounts.families
            link = await families.change(
                user, link, name=data.name, options=options, fresh=data.fresh
            )
            return await _answer(hub, link, user)

    @delete("/families/{link:str}", status_code=204)
    async def remove(self, request: Asked, hub: Hub, link: _Text) -> None:
        """Of the owner: end the family table; matches stay."""
        async with request.acting() as user:
            await hub.accounts.families.remove(user, link)

    @delete("/families/{link:str}/regulars/{user_id:str}", status_code=204)
    async def part(self, request: Asked, hub: Hub, link: _Text, user_id: _Text) -> None:
        """Of the owner: have somebody be no regular any more; of a regular: be none."""
        async with request.acting() as user:
            await hub.accounts.families.part(user, link, user_id)

    @post("/families/{link:str}/sit", status_code=200)
    async def sit(self, request: Asked, hub: Hub, link: _Text) -> Applied:
        """Sit down at the family's table, which is opened where there is none.

        An account is a regular from then on.
        """
        async with request.doing() as session:
            user, families = session.user.id, hub.accounts.families
            require_person(user)
            auth.limit(hub.allowances.spoken(user), user)
            family = await families.family(link, user)
            number, key = await hub.presence.family_table(family)
            table = await hub.tables.made(key)
            if table is None:
                options = checked_options(family.options, hub.bots.served)
                await families.open(family.id, number, key)
                table = await request.opened(user, options, key)
            if table.state.place_of(user) is None:
                command = Sit(rid=f"family-{secrets.token_hex(8)}")
                try:
                    await auth.sit_down(hub, user, command, table)
                except OkeyError:
                    if table.state.place_of(user) is None:  # else from two devices at once
                        raise
            if session.user.account:
                await families.come(family.id, user)
            return Applied(key, table.state.seq)

    @put("/families/{link:str}/told", status_code=204)
    async def tell(self, request: Asked, hub: Hub, link: _Text, data: ToldBody) -> None:
        """Of a regular: be told by push that somebody waits at the table, or no more."""
        async with request.acting() as user:
            await request.hold(hub.allowances.renames, user)
            await hub.accounts.families.tell(user, link, told=data.told)

    @get("/me/push")
    async def push(self, request: Asked, hub: Hub) -> views.PushAnswer:
        """Whether this server sends messages by push, by which key, and whether to this browser."""
        session = await request.current()
        key = hub.push.public_key if hub.push else None
        return views.PushAnswer(key, *(await hub.accounts.families.told_here(session)))

    @put("/me/push", status_code=204)
    async def keep_push(self, request: Asked, hub: Hub, data: PushBody) -> None:
        """Be told in this browser, as long as the session lasts; OkeyError ``push-off``,
        ``bad-push``.
        """
        async with request.doing() as session:
            await request.hold(hub.allowances.renames, session.user.id)
            if hub.push is None:
                refuse("push-off")
            device = Device(data.endpoint, data.p256dh, data.auth)
            hub.push.require(device)
            quiet = data.quiet_from, data.quiet_to
            await hub.accounts.families.keep_device(session, device, quiet, data.zone)

    @get("/me/waiting")
    async def waiting(self, request: Asked, hub: Hub) -> list[views.Waiting]:
        """Who waits for oneself: friends who call to a table, and family tables where somebody
        sits.
        """
        user = (await request.current()).user.id
        families = [one for one in await hub.accounts.families.of(user) if one.table]
        calls = await hub.accounts.invitations.of(user)
        invited = [one for one in calls if one.sender_id is not None]
        if not families and not invited:
            return []
        tables = {*(one.table for one in families), *(one.table_id for one in invited)}
        sitting = await hub.presence.sitting(tables)
        shunned = await hub.accounts.ties.shunned(user)
        found: dict[str, tuple[str, str | None]] = {}
        for call in invited:
            at, sender = sitting.get(call.table_id), call.sender_id or ""
            if at is not None and sender in _seen(at, shunned) and user not in at.people:
                found[call.table_id] = sender, None
        for family in families:
            at = sitting.get(family.table)
            if at is None or not at.free or user in at.people:
                continue
            for who in _seen(at, shunned)[:1]:
                found.setdefault(family.table, (who, family.link))
        called = await hub.accounts.names(who for who, _ in found.values())
        names = {one.link: one.name for one in families}
        return [
            views.Waiting(
                table, views.Person(who, *called[who], here=True), link, names.get(link or "")
            )
            for table, (who, link) in found.items()
        ]


def _seen(at: Sitting, shunned: Shunned) -> list[str]:
    """Who sits somewhere, as somebody is told: nobody whom one doesn't hear or meet."""
    return [one for one in at.people if one not in shunned.muted | shunned.by]


def _options(hub: Hub, options: TableOptions) -> TableOptions:
    if options.quick:
        refuse("bad-options", reason="only the server opens quick tables")
    checked = family_options(checked_options(options, hub.bots.served))
    if checked.spectators == "off":
        refuse("bad-options", reason="bots can't give way where nobody may watch")
    return checked


async def _answer(hub: Hub, link: str, user: str | None) -> views.FamilyAnswer:
    families, today = hub.accounts.families, date_at(utc_ms())
    family: Family = await families.family(link, user)
    regulars = await families.regulars(family.id)
    spans = dates_around(today, "week"), dates_around(today, "year")
    totals = [await families.totals(family.id, begins_ms(span[0])) for span in spans]
    at = (await hub.presence.sitting([family.table])).get(family.table, Sitting([], 0, over=True))
    shunned = Shunned(frozenset(), frozenset(), frozenset())
    if user is not None:
        shunned = await hub.accounts.ties.shunned(user)
    sits = _seen(at, shunned)
    everybody = (*regulars, *sits, *(one.user for lines in totals for one in lines))
    called = await hub.accounts.names(everybody)

    def scores(lines: list[FamilyTotal]) -> list[views.FamilyScore]:
        return [
            views.FamilyScore(*called[one.user], one.user == user, one.matches, one.won, one.points)
            for one in lines
        ]

    return views.FamilyAnswer(
        family.name, family.link, own=family.owner == user, options=family.options,
        regulars=[views.Person(one, *called[one], here=one in sits) for one in regulars],
        sits=[called[one].name for one in sits], told=regulars.get(user or "", False),
        week=scores(totals[0]), year=scores(totals[1]),
    )  # fmt: skip
