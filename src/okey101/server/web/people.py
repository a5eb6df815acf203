"""People over HTTP: guests, accounts, sessions, and the data kept about them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated, Final, Literal

from litestar import Controller, Response, delete, get, patch, post, put
from msgspec import Meta, Struct
from msgspec.structs import asdict

from okey101.errors import OkeyError
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.net.close_codes import RESTARTING
from okey101.server.people.day_tries import begins_ms, date_at, dates_around
from okey101.server.people.models import Session, SessionInfo, User
from okey101.server.people.profile import Luck
from okey101.server.protocol.bot_labels import require_person
from okey101.server.protocol.views import Friends, LuckLine, LuckTable, Person, Profile
from okey101.server.web import auth
from okey101.server.web.auth import Asked
from okey101.server.web.page import proposed_name
from okey101.server.web.response_schemas import ExportAnswer, exported

_Id = Annotated[str, Meta(max_length=200, pattern=r"^\w*$")]
_MOST_LUCKS: Final = 20


class GuestBody(Struct, forbid_unknown_fields=True):
    """A new guest; ``bearer`` asks for the token itself instead of a cookie, for programs."""

    name: str
    language: str = ""
    face: int | None = None
    bearer: bool = False


class RenameBody(Struct, forbid_unknown_fields=True):
    """What to change of oneself, in the words of ``Me``."""

    name: str | None = None
    language: str | None = None
    face: int | None = None
    shown: bool | None = None
    listed: bool | None = None
    public: bool | None = None
    weighed: bool | None = None


class PasswordBody(Struct, forbid_unknown_fields=True):
    """A name and the password for it."""

    name: str
    password: str
    bearer: bool = False
    __repr__ = object.__repr__


class LoginBody(PasswordBody):
    """A name and its password; ``new`` takes the place of a code that works once."""

    new: str | None = None
    __repr__ = object.__repr__


class ChangePasswordBody(Struct, forbid_unknown_fields=True):
    """The current password, and the new one."""

    old: str
    new: str
    __repr__ = object.__repr__


class Me(Struct):
    """Oneself; ``token`` only where a bearer was asked for.

    ``face`` numbers the drawn face that was chosen; null: the one that belongs to the name.
    ``moderator``: whether the reports of people are shown to this one. ``shown``: whether friends
    are told when one is here. ``listed``: whether others see one in the ladder. ``public``: whether
    they see one's profile. ``weighed``: whether a strength is worked out.
    """

    id: str
    name: str | None
    face: int | None
    account: bool
    language: str
    tables: list[str]
    moderator: bool
    shown: bool
    listed: bool
    public: bool
    weighed: bool
    token: str | None = None
    __repr__ = object.__repr__


class Whoami(Struct):
    """Whom a session belongs to, null for nobody; a name is ``proposed`` to who has none.

    ``notice`` says whether the host has written a privacy notice.
    """

    user: Me | None
    notice: bool
    proposed: str | None = None


class FriendBody(Struct, forbid_unknown_fields=True):
    """Somebody by id, or an account by its name."""

    user: _Id | None = None
    name: str | None = None


class BlockBody(Struct, forbid_unknown_fields=True):
    """Somebody by id."""

    user: _Id


class SessionView(SessionInfo, frozen=True):
    """One of one's sessions; times are UTC in milliseconds."""

    current: bool


async def _me(hub: Hub, user: User, token: str | None = None, *, new: bool = False) -> Me:
    """Oneself; who is ``new`` sits nowhere yet."""
    hub.names.know(user)
    tables = [] if new else await hub.presence.tables_of(user.id)
    return Me(
        user.id, user.name, user.face, user.account, user.language, tables, user.moderator,
        user.shown, user.listed, user.public, user.weighed, token,
    )  # fmt: skip


async def _guest(request: Asked) -> Session | None:
    """The guest who signs in, if it is one."""
    try:
        session = await request.optional()
    except OkeyError as error:
        if error.code != "banned":
            raise
        return None  # a banned guest keeps what is his, and brings nothing along
    if session is None or session.user.account or session.user.owner is not None:
        return None
    return session


@asynccontextmanager
async def _held_guest(request: Asked, hub: Hub) -> AsyncGenerator[Session | None]:
    """The guest who signs in, and who can begin nothing else until that is done."""
    guest = await _guest(request)
    if guest is None:
        yield None
        return
    async with hub.in_flight.shut(guest.user.id):
        yield await _guest(request)  # it may have become an account meanwhile


async def _require_idle(hub: Hub, user: str) -> None:
    """OkeyError ``in-match`` for somebody in a running match."""
    await hub.tables.wait_back()
    if any(place.running for place in (await hub.presence.places(user))[user]):
        refuse("in-match")


async def _profile(request: Asked, hub: Hub, user: str, to: str | None) -> Profile:
    request.limit(hub.allowances.replay_requests)
    found = await hub.accounts.profiles.of(user, to)
    who = await hub.accounts.user(user)
    found.name, found.face = who.called
    found.own = user == to
    found.weighing = hub.reviews.weighing
    if not who.weighed:
        found.strength = None
    if not (who.weighed and found.own):
        found.waiting = 0
    return found


async def _signed_in(
    request: Asked, hub: Hub, user: User, token: str, status: int, *,
    bearer: bool, account: bool = False,
) -> Response[Me]:  # fmt: skip
    me = await _me(hub, user, token if bearer else None, new=status == 201)
    if bearer:
        return Response(me, status_code=status)
    cookies = [auth.session_cookie(request, hub, token)]
    if account and user.name is not None:
        cookies.append(auth.device_cookie(request, hub, user.name))
    return Response(me, status_code=status, cookies=cookies)


class People(Controller):
    """Guests, accounts, sessions."""

    path = "/api"
    tags = ["people"]  # noqa: RUF012  # Litestar's own form

    @post("/guests", status_code=201)
    async def guest(self, request: Asked, hub: Hub, data: GuestBody) -> Response[Me]:
        """Become a guest: a name, and a session; not for the session of somebody banned."""
        await request.optional()  # somebody banned does not become somebody new
        request.limit(hub.allowances.new_guests)
        agent = request.headers.get("user-agent", "")
        user, token = await hub.accounts.guest(data.name, data.language, agent, face=data.face)
        return await _signed_in(request, hub, user, token, 201, bearer=data.bearer)

    @get("/session")
    async def session(
        self, request: Asked, hub: Hub, language: Literal["tr", "en"] = "tr"
    ) -> Response[Whoami]:
        """Whom the cookie or the bearer token belongs to, if anybody; no token is no error.

        Who is nobody yet is proposed a name in that language. The cookie lasts anew, as the session
        does.
        """
        found = await request.optional()
        notice = bool(request.app.state.notices)
        if found is None:
            return Response(Whoami(None, notice, proposed_name(language)))
        token = None if auth.bearer_in(request.headers) else auth.token_of(request, hub)
        cookies = [] if token is None else [auth.session_cookie(request, hub, token)]
        return Response(Whoami(await _me(hub, found.user), notice), cookies=cookies)

    @get("/me")
    async def me(self, request: Asked, hub: Hub) -> Me:
        """Oneself, and the tables where one sits."""
        return await _me(hub, (await request.current()).user)

    @patch("/me")
    async def rename(self, request: Asked, hub: Hub, data: RenameBody) -> Me:
        """Another name, language or face; if one of them is refused, none changes."""
        async with request.doing() as session:
            user = session.user
            require_person(user.id)
            if data.name is not None or data.face is not None:
                await request.hold(hub.allowances.renames, user.id)
            after = await hub.accounts.change(user.id, **asdict(data))
            if after.called != user.called:
                for one in (after, *await hub.accounts.bots.of(user.id)):  # they say whose they are
                    hub.names[one.id] = one.called
                    await hub.tables.renamed(one.id)
            return await _me(hub, after)

    @get("/friends")
    async def friends(self, request: Asked, hub: Hub) -> Friends:
        """The people around oneself; who is muted and asks is not told."""
        user = (await request.current()).user.id
        circle = await hub.accounts.ties.circle(user)
        called = await hub.accounts.names(one for group in circle for one in group)
        here = await hub.presence.here(await hub.accounts.ties.shown(circle.friends, user))
        public = await hub.accounts.profiles.open_to([*called], user)

        def people(group: list[str]) -> list[Person]:
            return [Person(one, *called[one], one in here, one in public) for one in group]

        return Friends(*map(people, circle))

    @post("/friends", status_code=204)
    async def befriend(self, request: Asked, hub: Hub, data: FriendBody) -> None:
        """Ask somebody to be a friend, or agree to who has asked.

        Whether the other has muted one is not told.
        """
        async with request.acting(person=True) as user:
            await request.hold(hub.allowances.friends, user)
            ties = hub.accounts.ties
            await ties.befriend(user, data.user or await ties.account_named(data.name or ""))

    @delete("/friends/{user_id:str}", status_code=204)
    async def part(self, request: Asked, hub: Hub, user_id: str) -> None:
        """Be no friends any more, withdraw what one has asked, or refuse who has asked."""
        async with request.acting() as user:
            await hub.accounts.ties.part(user, user_id)

    @post("/blocks", status_code=204)
    async def block(self, request: Asked, hub: Hub, data: BlockBody) -> None:
        """Keep apart from somebody, who is not told.

        One's tables and challenges are not there for the other, quick tables don't bring the two
        together, and one hears nothing of the other.
        """
        async with request.acting(person=True) as user:
            await hub.accounts.ties.shun(user, data.user, "block")
            # Whoever comes back hears the other no more.
            hub.connections.close(user, RESTARTING)

    @delete("/blocks/{user_id:str}", status_code=204)
    async def unblock(self, request: Asked, hub: Hub, user_id: str) -> None:
        """Block somebody no more; who was a friend is one again."""
        async with request.acting() as user:
            await hub.accounts.ties.unshun(user, user_id, "block")
            hub.connections.close(user, RESTARTING)

    @get("/luck")
    async def luck(self, request: Asked, hub: Hub) -> LuckTable:
        """The unluckiest of the week in Istanbul, of those whose profile is open."""
        to = await request.reader()
        begins, *_ = dates_around(date_at(hub.accounts.now_ms()), "week")
        found = await hub.accounts.profiles.luck_since(begins_ms(begins), to)
        called = await hub.accounts.names(one.user for one in found[:_MOST_LUCKS])

        def line(one: Luck) -> LuckLine:
            place = 1 + bisect_left(found, -one.tenths, key=lambda other: -other.tenths)
            return LuckLine(place, *called[one.user], one.user == to, one.deals, one.tenths)

        return LuckTable(begins, [*map(line, found[:_MOST_LUCKS])])

    @get("/me/profile")
    async def own_profile(self, request: Asked, hub: Hub) -> Profile:
        """What one's own matches and their reviews say; OkeyError ``not-account`` for a guest."""
        user = (await request.current()).user
        if not user.account:
            refuse("not-account")
        return await _profile(request, hub, user.id, user.id)

    @get("/profiles/{name:str}")
    async def profile(self, request: Asked, hub: Hub, name: str) -> Profile:
        """The profile of an account by its name; OkeyError ``no-profile``, also where it isn't
        open to who asks.
        """
        to = await request.asker()
        return await _profile(request, hub, await hub.accounts.profiles.named(name, to), to)

    @post("/me/account", status_code=200)
    async def upgrade(self, request: Asked, hub: Hub, data: PasswordBody) -> Response[Me]:
        """Turn the guest one is into an account; games stay, and the session changes."""
        async with request.doing() as session:
            require_person(session.user.id)
            request.limit(hub.allowances.logins)
            token = await hub.accounts.upgrade(session, data.name, data.password)
            await auth.close_ended(hub, session.user.id, "session-changed")
            user = await hub.accounts.user(session.user.id)
            hub.names[user.id] = user.called
            await hub.tables.renamed(user.id)
        return await _signed_in(request, hub, user, token, 200, bearer=data.bearer, account=True)

    @put("/me/password", status_code=204)
    async def change_password(self, request: Asked, hub: Hub, data: ChangePasswordBody) -> None:
        """Another password; every other session ends."""
        session = await request.current()
        request.limit(hub.allowances.logins)
        await request.hold(hub.allowances.account_logins, session.user.id)
        await hub.accounts.change_password(session, data.old, data.new)
        hub.connections.close(session.user.id, "signed-out", but=[session.id])

    @post("/login", status_code=200)
    async def login(self, request: Asked, hub: Hub, data: LoginBody) -> Response[Me]:
        """Sign in to an account; the guest's games move to it.

        So does a running try of a day, unless the account has one already, which is refused with
        ``day-twice``. Refused with ``in-match`` while the guest plays with others: seats are not
        handed over during a deal; with ``new-password-needed`` where the password is an
        administrator's code.
        """
        known = await auth.allow_login(request, hub, data.name)
        async with _held_guest(request, hub) as guest:
            if guest is not None:
                await _require_idle(hub, guest.user.id)

            async def leave(account: str) -> None:
                if guest is not None:
                    await _require_idle(hub, guest.user.id)  # others may have begun the match
                    if await hub.accounts.days.twice(guest.user.id, account):
                        refuse("day-twice")
                    await hub.tables.leave(guest.user.id, account)

            user, token = await hub.accounts.login(
                data.name,
                data.password,
                request.headers.get("user-agent", ""),
                guest=guest,
                fresh=data.new,
                known=known,
                when_right=leave,
            )
            if guest is not None:
                hub.connections.close(guest.user.id, "session-changed")
                hub.names[guest.user.id] = user.called
                await hub.tables.renamed(guest.user.id)
        before = await request.optional(even_banned=True)
        if before is not None and before.user.account:  # its cookie is replaced
            await hub.accounts.logout(before)
            hub.connections.close(before.user.id, "session-changed", only=before.id)
        await auth.close_ended(hub, user.id)
        return await _signed_in(request, hub, user, token, 200, bearer=data.bearer, account=True)

    @post("/logout", status_code=204)
    async def logout(self, request: Asked, hub: Hub) -> Response[None]:
        """End this session."""
        session = await request.current(even_banned=True)
        await hub.accounts.logout(session)
        hub.connections.close(session.user.id, "signed-out", only=session.id)
        return Response(None, status_code=204, cookies=[auth.session_cookie(request, hub, "", 0)])

    @get("/me/sessions")
    async def sessions(self, request: Asked, hub: Hub) -> list[SessionView]:
        """One's running sessions."""
        session = await request.current()
        found = await hub.accounts.sessions(session.user.id)
        return [SessionView(**asdict(one), current=one.id == session.id) for one in found]

    @delete("/me/sessions/{session_id:str}", status_code=204)
    async def end_session(self, request: Asked, hub: Hub, session_id: str) -> None:
        """End one of one's sessions, and its sockets."""
        session = await request.current()
        await hub.accounts.end_session(session.user.id, session_id)
        hub.connections.close(session.user.id, "signed-out", only=session_id)

    @delete("/me/sessions", status_code=204)
    async def end_other_sessions(self, request: Asked, hub: Hub) -> None:
        """End all of one's sessions but this one, and their sockets."""
        session = await request.current()
        await hub.accounts.end_other_sessions(session)
        hub.connections.close(session.user.id, "signed-out", but=[session.id])

    @get("/me/export")
    async def export(self, request: Asked, hub: Hub) -> ExportAnswer:
        """Everything that is kept about oneself; only so often, and one at a time."""
        user = (await request.current(even_banned=True)).user
        await request.hold(hub.allowances.export_requests, user.id)
        if not hub.allowances.exports.enter(user.id):
            refuse("accounts-busy")
        try:
            tables = await hub.presence.tables_of(user.id)
            return await exported(hub.accounts, hub.reports, user.id, tables)
        finally:
            hub.allowances.exports.leave(user.id)

    @delete("/me", status_code=204)
    async def delete(self, request: Asked, hub: Hub) -> Response[None]:
        """Delete oneself: the name goes, matches keep a seat without one."""
        session = await request.current(even_banned=True)
        await auth.erase_person(hub, session.user.id)
        return Response(None, status_code=204, cookies=[auth.session_cookie(request, hub, "", 0)])
