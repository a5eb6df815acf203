"""What this node and all others tell: where people sit, who is connected, how each node is."""

from __future__ import annotations

import contextlib
from collections import ChainMap
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Self, TypeVar, cast

from msgspec import Struct

from okey101.errors import OkeyError
from okey101.server.cluster.links import Node
from okey101.server.cluster.nodes import Cluster
from okey101.server.errors import refuse
from okey101.server.net.limits import Connections, Quota
from okey101.server.people.families import Family
from okey101.server.people.persons import NameLookups
from okey101.server.protocol.bot_labels import is_bot_account
from okey101.server.store.base import failure_told
from okey101.server.tables.quick import QuickTables, Sat
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table

T = TypeVar("T")


class Place(Struct):
    """A table where somebody sits, and whether its match runs, for which others wait."""

    table: str
    running: bool

    @classmethod
    def at(cls, table: Table) -> Self:
        """Of a table."""
        state = table.state
        return cls(state.table, state.running and state.day is None)


class Sitting(Struct):
    """Who sits at a table, or will from the next deal on, by id, how many more may, and whether
    its match is over.
    """

    people: list[str]
    free: int
    over: bool

    @classmethod
    def at(cls, state: TableState) -> Self:
        """Who sits at a table now."""
        over = state.stage in (Stage.OVER, Stage.CLOSED)
        return cls([*state.expected], state.vacant, over)


class NodeHealth(Struct):
    """A node of the cluster: its name, whether each check holds, its tables and its sockets."""

    name: str
    checks: dict[str, bool]
    tables: int
    sockets: int

    @property
    def ready(self) -> bool:
        """Whether it can do all it should."""
        return all(self.checks.values())

    @classmethod
    def silent(cls, node: Node) -> Self:
        """One that lives and does not answer."""
        return cls(node.name, {"answers": False}, 0, 0)


@dataclass(frozen=True, repr=False)
class Presence:
    """Who sits where and who is connected, at all nodes that answer in time, and their health."""

    _tables: Tables
    _quick: QuickTables
    _connections: Connections
    _names: NameLookups
    _cluster: Cluster | None
    _checks: Callable[[], dict[str, bool]]
    """What all has to hold for this node to do all it should."""
    _sockets: Quota
    _kept: Callable[[str], Awaitable[None]]
    """Waits a while for the matches of a table that have ended here to be kept."""

    def health(self) -> NodeHealth:
        """How this node is."""
        name = "" if self._cluster is None else self._cluster.membership.name
        return NodeHealth(name, self._checks(), len(self._tables), self._sockets.taken)

    async def answered(self, what: str, of: str) -> object:
        """What another node asks: ``of`` is whom it concerns."""
        match what:
            case "quick":
                assert self._cluster is not None
                await self._cluster.catch_up()
                return await self._quick.sat(of)
            case "health":
                return self.health()
            case "kept":
                await self._kept(of)
                return None
            case _:
                return self._told(what, of.split(","))

    def _told(self, what: str, of: Iterable[str]) -> object:
        """What this node can tell of some tables, or of people."""
        match what:
            case "sitting":
                tables = filter(None, map(self._tables.loaded, of))
                return {table.state.table: Sitting.at(table.state) for table in tables}
            case "here":
                return [user for user in of if user in self._connections]
            case "seats":
                return sum(map(self._tables.seats_of, of))
            case _:
                return {user: [*map(Place.at, self._tables.of(user))] for user in of}

    async def _all_told(self, what: str, of: Collection[str], form: type[T]) -> list[T]:
        """What this node can tell, and all others that answer in time."""
        own = cast("T", self._told(what, of))
        if self._cluster is None or not of:
            return [own]
        return [own, *await self._cluster.ask(what, ",".join(of), form)]

    async def places(self, *users: str) -> dict[str, list[Place]]:
        """Where people sit; what can be nobody's id sits nowhere."""
        all_told = await self._all_told("places", users, dict[str, list[Place]])
        return {user: [at for told in all_told for at in told.get(user, ())] for user in users}

    async def tables_of(self, user: str) -> list[str]:
        """The ids of the tables where somebody sits."""
        return [place.table for place in (await self.places(user))[user]]

    async def sitting(self, tables: Collection[str]) -> dict[str, Sitting]:
        """Who sits at those of some tables that are open."""
        all_told = await self._all_told("sitting", tables, dict[str, Sitting])
        return dict(ChainMap(*all_told))

    async def family_table(self, family: Family) -> tuple[int, str]:
        """The number and the id of a family's table, or of the next one where that is closed, or
        nobody sits there any more after the match.
        """
        number, at = family.number, (await self.sitting([family.table])).get(family.table)
        with failure_told():
            closed = self._tables.deps.store.closed
            over = at.over and not at.people if at else await closed(family.table)
        number += over or not number
        return number, self._tables.id_of(family.id, str(number))

    def forget_names(self) -> None:
        """Let go of the names of those who are neither connected nor at a table any more.

        None while tables are still being loaded.
        """
        if self._tables.back:
            seated = (user for table in self._tables for user in table.known)
            self._names.forget_all_but({*self._connections, *seated})

    async def here(self, users: Collection[str]) -> set[str]:
        """Those of some people who are connected."""
        return set[str]().union(*await self._all_told("here", users, list[str]))

    async def require_room(self, user: str) -> None:
        """OkeyError ``too-many-seats`` for whom sits at as many tables as a person or a bot may."""
        limits = self._tables.settings
        most = limits.bot_tables if is_bot_account(user) else limits.max_seats_per_user
        if sum(await self._all_told("seats", [user], int)) >= most:
            refuse("too-many-seats", limit=most)

    @contextlib.asynccontextmanager
    async def turn_of(self, user: str) -> AsyncGenerator[None]:
        """While somebody sits down, who else could do that at any number of tables together.

        OkeyError ``store-failed``. Of a bot at no other node either.
        """
        with failure_told():
            async with self._tables.turn_of(user), contextlib.AsyncExitStack() as everywhere:
                if self._cluster is not None and is_bot_account(user):
                    turn = self._cluster.membership.turn_of(user)
                    await everywhere.enter_async_context(turn)
                yield

    async def seated(self, user: str) -> Sat:
        """The quick table of another node where somebody sits; OkeyError ``draining``."""
        sat = Sat()
        if self._cluster is not None:
            await self._cluster.catch_up()
            for told in await self._cluster.ask("quick", user, Sat, lambda _: refuse("draining")):
                sat = Sat(sat.at or told.at, [*sat.left, *told.left])
        return sat

    async def matches_kept(self, table: str) -> None:
        """Wait a while for matches that have ended just now at other nodes; OkeyError."""
        if self._cluster is not None:
            await self._cluster.ask("kept", table, type(None))

    async def nodes(self) -> list[NodeHealth]:
        """How all nodes are, this one first; it alone where the others aren't known now."""
        found = [self.health()]
        if self._cluster is not None:
            with contextlib.suppress(OkeyError):
                found += await self._cluster.ask("health", "", NodeHealth, NodeHealth.silent)
        return found
