"""A node among others: who keeps a table, what is carried there, what all nodes have to hear."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from math import ceil
from time import monotonic
from typing import Any, Final, NamedTuple, Self, TypeVar

import msgspec

from okey101 import __version__
from okey101.errors import OkeyError
from okey101.server.cluster.links import (
    RELAYED,
    App,
    LinkBroken,
    Links,
    Node,
    NotReached,
    Receive,
    Send,
)
from okey101.server.errors import refuse
from okey101.server.files.data_dir import Keys
from okey101.server.net.close_codes import CLOSE_RESTART, RESTARTING
from okey101.server.net.limits import Connections, Limiter
from okey101.server.ops.logs import logger
from okey101.server.people.persons import NameLookups
from okey101.server.protocol.views import Called
from okey101.server.settings import Settings
from okey101.server.store.base import StoreError, failure_told
from okey101.server.store.statements import Store
from okey101.server.tables.registry import Tables
from okey101.server.work.tasks import Tasks

_TABLE: Final = re.compile(r"/(?:ws|api/tables|api/admin/tables)/([^/]+)(?:/.*)?")
_REVIEW: Final = re.compile(r"/api/matches/([^/]+)/review")
_QUICK: Final = "/api/quick"
_LINKS: Final = "links"
_CLOSING_S: Final = 1.0
_HANDING_OVER: Final = 0.8
"""The part of the time for draining in which tables are handed over."""
_SHARE_S: Final = 0.25
"""How often a share of the tables, and of the people, of a node that ends goes to others."""
_LEAST_SHARE: Final = 8
_AGAIN_S: Final = 1.0
_ANSWER_S: Final = 1.0
"""How long another node may take to tell of its tables."""
_COUNT_S: Final = 0.75
"""How often it is looked whom tables count for."""
_PATIENCE_S: Final = 2 * _COUNT_S
_ASKED: Final = "/cluster/"
"""What nodes ask each other is asked below this; nobody else can."""

_log = logger(__name__)

News = Mapping[str, Any]
T = TypeVar("T")


class Parts(NamedTuple):
    """The parts of a server that other nodes concern."""

    tables: Tables
    connections: Connections
    names: NameLookups
    answer: Callable[[str, str], Awaitable[object]]
    """Answers what another node asks, by what it is and of whom."""
    reviews: bool
    """Whether this node makes reviews."""
    shut: Callable[[str], contextlib.AbstractAsyncContextManager[None]]
    """Lets a person begin nothing, once whatever was begun is over."""


class Cluster:
    """What a node knows of the others; a server with a file of its own has none."""

    def __init__(self, settings: Settings, store: Store) -> None:
        from okey101.server.cluster.membership import Membership  # needs an extra of its own

        assert settings.database is not None
        self._settings = settings
        self._store = store
        self.membership = Membership(
            settings.database.get_secret_value(), __version__,
            on_taken=self._taken, on_kept=self._kept, on_news=self._hear,
        )  # fmt: skip
        self._links = Links()
        self._parts: Parts | None = None
        self._counted: dict[str, str] = {}
        """Whom tables count for, as the database has it."""
        self._caught_up = set[str]()
        """The nodes that lived when this one last looked which tables are its own."""
        self._tasks = Tasks()

    @classmethod
    async def open(cls, settings: Settings, keys: Keys, store: Store) -> tuple[Self, Keys]:
        """Connect; returns the keys that all nodes share, this one's where it is the first.

        OkeyError ``store-unreachable``.
        """
        made = cls(settings, store)
        own = keys.written() | {_LINKS: secrets.token_hex(32)}
        try:
            found = await made.membership.open(own)
        except StoreError as error:
            raise _unreachable(error) from None
        made._links.key = bytes.fromhex(found.pop(_LINKS))
        return made, Keys.read(found)

    async def join(self, app: App, parts: Parts) -> None:
        """Be one of the nodes, and begin to load the tables that are this one's from now on.

        ``app`` answers what others carry here. OkeyError ``node-port``, ``store-unreachable``.
        """
        listen = self._settings.node_listen
        host, _, port = listen.rpartition(":")
        try:
            answering = self._answering(app, parts)
            at = await self._links.listen(host.strip("[]"), int(port), answering)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            message = f"other nodes can't be listened to at {listen}: {reason}"
            raise OkeyError("node-port", message, address=listen, reason=reason) from None
        address = self._settings.node_address or f"{host}:{at}"
        node = Node(self.membership.id, self._settings.node_name or address, address)
        try:
            running = await self._store.running()
            await self.membership.join(node, running, reviews=parts.reviews)
            self._parts = parts
            found = await self.membership.take_all()
        except StoreError as error:
            raise _unreachable(error) from None
        self._tasks.keep(self.membership.run)
        self._tasks.keep(lambda: self._count_often(parts.tables))
        await parts.tables.bring_back(found)

    async def hand_over(self, shut: Callable[[], None]) -> None:
        """Have the other nodes keep this one's tables, and send people there, a share at a time.

        So whoever comes back waits for that share alone. ``shut`` has this node take no more
        connections, so that nobody comes back here. It takes most of the time for draining; what
        is left then, or where there is no other node, is left to :meth:`Membership.leave`.
        """
        if self._parts is None:
            return
        self.membership.retires = True
        seconds = self._settings.drain_s * _HANDING_OVER
        tables, until = self._parts.tables, monotonic() + seconds
        try:
            others = await self._others()
            if others:
                shut()
            rounds = max(seconds / _SHARE_S, 1)
            share = max(_LEAST_SHARE, ceil(len(tables.ids()) / rounds))
            carried = max(_LEAST_SHARE, ceil(self._links.carried / rounds))
            while others and monotonic() < until:
                await self._give([*tables.ids()][:share], others)
                self._links.part(carried)
                if not (tables.ids() or self._links.carried):
                    return
                await asyncio.sleep(_SHARE_S)
        except StoreError:
            _log.warning("node-not-left")

    async def _give(self, ids: list[str], others: list[Node]) -> None:
        assert self._parts is not None
        tables = self._parts.tables
        found = [table for table in map(tables.loaded, ids) if table is not None]
        await asyncio.gather(*(table.stop() for table in found))  # all it took is stored
        await self.membership.give(ids, others)
        for table in ids:
            tables.let_go(table)
        await asyncio.gather(*(table.part() for table in found))

    async def close(self) -> None:
        """Let go of the other nodes and of the database."""
        await self._links.close(_CLOSING_S)
        await self._tasks.cancel()
        await self.membership.close()

    def figures(self) -> tuple[int, float, int, int, int]:
        """How many nodes there are, for how many seconds this one was silent, and since its start:
        the tables it took of others, the messages from and to them, and their bytes.
        """
        of, traffic = self.membership, self._links.traffic
        return of.seen, of.silent_s, of.taken, traffic.messages, traffic.size

    # Tables ---------------------------------------------------------------------------------------

    async def elsewhere(self, scope: Mapping[str, Any], made: str | None = None) -> Node | None:
        """The other node that has to answer a request or a socket; None where this one does.

        A table that nobody keeps is this node's from now on, and so is one that is to be ``made``.
        OkeyError ``store-failed`` where that can't be known now, ``draining`` for what another node
        has sent and can't be answered.
        """
        path: str = scope["path"]
        found = _TABLE.fullmatch(path)
        table = found[1] if found else made
        review = None if found else _REVIEW.fullmatch(path)
        if self._parts is None or not (table or path == _QUICK or review):
            return None
        if table and self.membership.alive and self._parts.tables.has(table):
            return None
        relayed = RELAYED in (scope.get("extensions") or {})
        with failure_told():
            if review:
                if relayed:  # whoever sent it has chosen this node
                    return None
                new = scope.get("method") == "POST"  # which a socket has not
                node = await self.membership.reviewer(review[1], new=new)
            elif table is None:
                node = next(iter(await self.membership.living()), None)
            else:
                node = await self.membership.owner_of(table)
                if node is None and made and not await self.membership.claim(made):
                    node = await self.membership.owner_of(made)
        if node is None:
            return None
        if node.id == self.membership.id:
            if found:
                self._taken([found[1]])
            return None
        if relayed:
            refuse("draining")
        return node

    async def relay(
        self, node: Node, scope: Mapping[str, Any], receive: Receive, send: Send, *, admin: bool
    ) -> bool:
        """Have another node answer; OkeyError ``draining`` where it can't be reached.

        False where it is no more by now: another one is to answer, perhaps this one. Whoever comes
        waits for that here, instead of coming again and again. ``admin``: whoever asks has shown
        this node the administrator's token.
        """
        try:
            await self._links.relay(node, {**scope, "admin": admin}, receive, send)
        except LinkBroken as error:
            if isinstance(error, NotReached) and await self.membership.outlives(node.id):
                return False
            if scope["type"] != "websocket":
                refuse("draining")
            # A browser tells its page nothing of a refused handshake, only of a close.
            with contextlib.suppress(OSError):
                await send({"type": "websocket.accept"})
                end = {"type": "websocket.close", "code": CLOSE_RESTART, "reason": RESTARTING}
                await send(end)
        return True

    async def gather(
        self, scope: Mapping[str, Any], form: type[list[T]], *, admin: bool = False
    ) -> list[T]:
        """All lines that the other nodes answer to the same GET, as far as they do in time.

        Nothing where another node has sent it. ``admin`` as in :meth:`relay`.
        """
        if RELAYED in (scope.get("extensions") or {}):
            return []
        try:
            found = await self._all_asked(scope, admin=admin)
        except StoreError:
            return []
        bodies = [body for _, body in found if body]
        return [one for body in bodies for one in msgspec.json.decode(body, type=form)]

    async def _others(self) -> list[Node]:
        """The other nodes that live, the eldest first; StoreError."""
        return [one for one in await self.membership.living() if one.id != self.membership.id]

    async def _all_asked(
        self, scope: Mapping[str, Any], *, admin: bool = False
    ) -> list[tuple[Node, bytes]]:
        """What each other node answers, as :meth:`_asked`; StoreError."""
        others = await self._others()
        found = await asyncio.gather(*(self._asked(node, scope, admin) for node in others))
        return [*zip(others, found, strict=True)]

    async def _asked(self, node: Node, scope: Mapping[str, Any], admin: bool) -> bytes:
        """The body of a node's answer; nothing where it refuses, or takes too long."""
        body, good, whole = bytearray(), False, False

        async def send(message: dict[str, Any]) -> None:
            nonlocal good, whole
            good = good or message.get("status") == 200
            body.extend(message.get("body", b""))
            whole = not message.get("more_body", "body" not in message)

        asked = {**scope, "admin": admin}
        said = asyncio.Queue[Any]()  # by a client that waits for the answer
        said.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        with contextlib.suppress(LinkBroken, TimeoutError):
            async with asyncio.timeout(_ANSWER_S):
                await self._links.relay(node, asked, said.get, send)
                return bytes(body) if good and whole else b""
        return b""

    async def ask(
        self, what: str, of: str, form: type[T], silent: Callable[[Node], T] | None = None
    ) -> list[T]:
        """What the other nodes answer to a question; ``silent`` stands for one that does not.

        OkeyError ``store-failed`` where it isn't known which there are.
        """
        path = f"{_ASKED}{what}/{of}"
        scope: dict[str, Any] = {"type": "http", "path": path, "headers": []}
        scope |= {"client": None, "server": None}
        with failure_told():
            found = await self._all_asked(scope)
        told = [msgspec.json.decode(body, type=form) for _, body in found if body]
        return told + [silent(node) for node, body in found if silent and not body]

    def _answering(self, app: App, parts: Parts) -> App:
        """The application, and what only nodes are answered."""

        async def answer(scope: Any, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or not scope["path"].startswith(_ASKED):
                await app(scope, receive, send)
                return
            what, _, of = scope["path"].removeprefix(_ASKED).partition("/")
            status, body = 200, b""
            try:
                body = msgspec.json.encode(await parts.answer(what, of))
            except (OkeyError, StoreError):
                status = 503
            await send({"type": "http.response.start", "status": status, "headers": []})
            await send({"type": "http.response.body", "body": body})

        return answer

    async def catch_up(self) -> None:
        """Know of each table that is this node's, also of a node that is no more.

        OkeyError ``store-failed``.
        """
        with failure_told():
            living = {node.id for node in await self.membership.living()}
            if living != self._caught_up:  # else nobody's tables have become anybody's
                self._taken([*await self.membership.mine(all_kept=True)])
                self._caught_up = living

    async def take(self, limiter: Limiter, key: str) -> float:
        """Take from an allowance that all nodes share; as :meth:`Limiter.take`.

        The database has no more of a key than a hash of it. Where it fails, this node counts.
        """
        name = f"allowance {limiter.name} {key}".encode("utf-8", "surrogatepass")
        hashed = hmac.digest(self._links.key, name, "sha256")
        each_s, all_s = 1 / limiter.rate, limiter.burst / limiter.rate
        try:
            return await self.membership.take(hashed, each_s, all_s)
        except StoreError:
            return limiter.take(key)

    def hooks(self) -> dict[str, Any]:
        """What tables ask this node and tell it, as :class:`Dependencies` names it."""
        return {
            "sure": lambda: self.membership.alive,
            "claim": self._claim,
            "unmade": self._unmade,
            "owns": self._owns,
            "kept": self._is_kept,
            "on_moved": self._moved,
            "on_person": self.tell,
        }

    async def _claim(self, table: str, person: str) -> bool:
        most = self._settings.max_tables_per_user if person else None
        found = await self.membership.claim(table, person, most)
        if found is None:  # perhaps it is not known yet that they have left one of another node
            await asyncio.sleep(_PATIENCE_S)
            found = await self.membership.claim(table, person, most)
        if found is None:
            refuse("too-many-tables", limit="max-tables-per-user")
        return found

    async def _unmade(self, table: str) -> None:
        with contextlib.suppress(StoreError):
            if not await self._store.read(table, most=1):
                await self.membership.release(table)

    async def _count_often(self, tables: Tables) -> None:
        while True:
            await asyncio.sleep(_COUNT_S)
            now = tables.counted()
            changed = {one: by for one, by in now.items() if self._counted.get(one, "?") != by}
            if changed:
                with contextlib.suppress(StoreError):
                    await self.membership.count(changed)
                    self._counted = now

    # Reviews --------------------------------------------------------------------------------------

    async def claim(self, match: str, person: str, most: int | None) -> bool:
        """Begin to review a match for a person; False for one who has as many others as ``most``.

        OkeyError ``draining`` where another node reviews it, ``store-failed``.
        """
        with failure_told():
            found = await self.membership.claim(match, person, most, review=True)
        if found is False:
            refuse("draining")
        return found is not None

    async def let_go(self, match: str, *, failed: bool = False) -> None:
        """See :meth:`Membership.let_go_of_review`; where that fails the node's end does it."""
        await _tried(self.membership.let_go_of_review(match, failed=failed))

    # Tables' questions ----------------------------------------------------------------------------

    async def _owns(self, table: str) -> bool:
        node = await self.membership.owner_of(table)
        return node is not None and node.id == self.membership.id

    async def _is_kept(self, table: str) -> bool:
        node = await self.membership.owner_of(table)
        if node is None or self._parts is None:
            return False
        if node.id == self.membership.id and not self._parts.tables.has(table):
            if await self._store.closed(table):
                return False
            self._taken([table])  # it was taken just now, and nobody has said so yet
        return True

    def _moved(self, table: str) -> None:
        found = None if self._parts is None else self._parts.tables.let_go(table)
        if found is not None:
            self._tasks.spawn(found.part())

    def closed(self, table: str) -> None:
        """A table is closed: no node keeps it any more."""
        # Where that fails, whoever takes it finds it closed.
        self._tasks.spawn(_tried(self.membership.release(table)))

    def _taken(self, tables: list[str]) -> None:
        if self._parts is not None and (new := self._parts.tables.expect(tables)):
            self._tasks.spawn(self._parts.tables.bring(new))

    def _kept(self, kept: set[str]) -> None:
        """Others could have taken tables meanwhile: these are still this node's."""
        assert self._parts is not None
        self._counted, self._caught_up = {}, set()
        held = self._parts.tables.held()
        for table in held - kept:
            self._moved(table)
        if missing := kept - held:
            self._taken([*missing])

    # What all nodes hear --------------------------------------------------------------------------

    def tell(self, kind: str, user: str, **what: object) -> None:
        """Have the other nodes hear of what concerns a person."""
        self._tasks.spawn(self._told({"kind": kind, "user": user, **what}))

    async def _told(self, what: News) -> None:
        while True:
            try:
                await self.membership.tell(**what)
                return
            except StoreError:
                await asyncio.sleep(_AGAIN_S)

    def _hear(self, what: News) -> None:
        if self._parts is not None:
            self._tasks.spawn(self._done_here(self._parts, dict(what)))

    async def _done_here(self, parts: Parts, what: dict[str, Any]) -> None:
        """Do what another node did: close sockets, take from tables, show another name."""
        kind, user = what.pop("kind"), what.pop("user")
        if kind == "closed":
            parts.connections.close(user, **what, told=True)
            if what["why"] == "deleted":
                parts.names[user] = Called()
                await self._left_here(parts, user)  # a seat that was taken since they were left
            return
        if kind == "given":
            if what["to"] == self.membership.id:
                self._taken(what["tables"])
            return
        if parts.names.pop(user, None) is not None:
            await _tried(parts.names.learn([user]))
        if kind == "renamed":
            await parts.tables.renamed(user, told=True)
        else:
            await self._left_here(parts, user, what["heir"])

    async def _left_here(self, parts: Parts, user: str, heir: str | None = None) -> None:
        async with parts.shut(user):
            await _tried(parts.tables.leave(user, heir, told=True))


def _unreachable(error: StoreError) -> OkeyError:
    message = f"the database can't be used: {error}"
    return OkeyError("store-unreachable", message, reason=str(error))


async def _tried(work: Awaitable[None]) -> None:
    with contextlib.suppress(OkeyError, StoreError):
        await work
