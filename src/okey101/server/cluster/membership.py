"""Which node keeps which table in memory, as the one database of all nodes has it.

A node is one run of a server, with an id of its own. It says every so often that it lives, by the
database's clock; one that has not for :data:`LEASE_S` is taken off the list by whoever notices, and
its tables go to whoever takes them. If it comes back, then as another one, without tables.
This decides who should write. Who can is decided by the log alone: a row follows the one before it
or is not stored, so that a node that was paused writes nothing, and then asks here.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

import asyncpg

from okey101.server.cluster.links import Node
from okey101.server.ops.logs import logger
from okey101.server.store.base import StoreError
from okey101.server.store.postgres import FAILURES, Database

LEASE_S: Final = 3.0
"""How long a node counts as alive after it last said so."""
_BEAT_S: Final = 0.75
_ANSWER_S: Final = 2.0
"""How long the database may take; a node that waits longer says too late that it lives."""
_OPEN_S: Final = 10.0
"""The same at the start, when nothing is late yet."""
_LOOK_S: Final = 0.1
_CONNECTIONS: Final = 4
_ALONE_S: Final = 6.0
"""A node that could not say that it lives for so long lets go of its tables."""
_AT_ONCE: Final = 64
"""So many tables of a dead node are taken at once, so that all nodes take their share."""
_NEWS_S: Final = 30
"""How long news are kept. A node that was away for longer has let go of its tables."""
_PRUNE_S: Final = 60.0
_LOCK: Final = 0x6F6B3032
_LOCK_OF_PERSON: Final = 0x6F6B3033
_LOCK_OF_BOT: Final = 0x6F6B3034
_LOCKED: Final = "SELECT pg_advisory_xact_lock($1, hashtext($2))"
_NOT_BEGUN: Final = "-"
"""In the place of the person of a table that nobody may look for yet."""
_MAKE: Final = """
    CREATE TABLE IF NOT EXISTS nodes (
        id text COLLATE "C" PRIMARY KEY, name text NOT NULL, address text NOT NULL,
        version text NOT NULL, reviews boolean NOT NULL, until timestamptz NOT NULL,
        since timestamptz NOT NULL DEFAULT clock_timestamp());
    CREATE TABLE IF NOT EXISTS owners (
        table_id text COLLATE "C" PRIMARY KEY, node text COLLATE "C" NOT NULL,
        person text COLLATE "C" NOT NULL DEFAULT '');
    CREATE INDEX IF NOT EXISTS owners_of_node ON owners (node);
    CREATE INDEX IF NOT EXISTS owners_of_person ON owners (person) WHERE person <> '';
    CREATE TABLE IF NOT EXISTS reviewing (
        match_id text COLLATE "C" PRIMARY KEY, node text COLLATE "C" NOT NULL,
        person text COLLATE "C" NOT NULL);
    CREATE UNLOGGED TABLE IF NOT EXISTS allowances (
        key bytea PRIMARY KEY, whole_at timestamptz NOT NULL);
    CREATE TABLE IF NOT EXISTS shared_keys (name text PRIMARY KEY, value text NOT NULL);
    CREATE TABLE IF NOT EXISTS news (
        n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, node text NOT NULL, what text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp());
"""
_ALIVE: Final = (
    f"n.until - clock_timestamp() BETWEEN interval '0' AND {2 * LEASE_S} * interval '1 s'"
)
"""What would be over later than any lease was written before the database's clock went back."""
_BURY: Final = f"""
    DELETE FROM nodes WHERE id IN (
        SELECT id FROM nodes AS n WHERE NOT ({_ALIVE}) AND id <> $1
        AND abs(extract(epoch FROM clock_timestamp())::float8 - $2) < $3 FOR UPDATE SKIP LOCKED)
"""
"""Its row is locked, and looked at as it is then: a sign of life comes before this, or too late.

Nobody is buried by a clock that is not where it was expected.
"""
_JOIN: Final = """
    INSERT INTO nodes (id, name, address, version, reviews, until)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 s')
    ON CONFLICT (id) DO UPDATE SET until = excluded.until
"""
_BEAT: Final = """
    UPDATE nodes SET until = clock_timestamp() + $2 * interval '1 s' WHERE id = $1 RETURNING id
"""
_UNKNOWN: Final = """
    INSERT INTO owners SELECT table_id, '' FROM unnest($1::text[]) AS g (table_id)
    ON CONFLICT DO NOTHING
"""
_TAKE: Final = f"""
    WITH RECURSIVE keepers (node) AS (
        SELECT min(node) FROM owners
        UNION ALL
        SELECT (SELECT min(o.node) FROM owners AS o WHERE o.node > k.node)
        FROM keepers AS k WHERE k.node IS NOT NULL),
    gone AS MATERIALIZED (
        SELECT k.node FROM keepers AS k WHERE k.node IS NOT NULL
        AND NOT EXISTS (SELECT FROM nodes AS n WHERE n.id = k.node)),
    lost AS (
        SELECT left_over.table_id FROM gone CROSS JOIN LATERAL (
            SELECT o.table_id FROM owners AS o WHERE o.node = gone.node
            LIMIT {_AT_ONCE} FOR UPDATE SKIP LOCKED) AS left_over)
    UPDATE owners AS o SET node = $1 FROM lost WHERE o.table_id = lost.table_id
    RETURNING o.table_id
"""
"""Goes from keeper to keeper by the index: where all live, no table is looked at."""
_GIVE: Final = "UPDATE owners SET node = $1 WHERE node = $2 AND table_id = ANY($3::text[])"
_TAKE_ONE: Final = """
    UPDATE owners AS o SET node = $1 WHERE o.table_id = $2
    AND NOT EXISTS (SELECT FROM nodes AS n WHERE n.id = o.node)
    RETURNING o.table_id
"""


class _Kept(NamedTuple):
    """What one node alone keeps, and for whom: the statements about it, by a key."""

    claim: str
    others: str
    """How many others there are of a person."""
    owner: str


def _kept(what: str, key: str) -> _Kept:
    claim = f"""
        INSERT INTO {what} AS o (node, {key}, person) VALUES ($1, $2, $3)
        ON CONFLICT ({key}) DO UPDATE SET node = $1, person = $3
        WHERE o.node = $1 OR NOT EXISTS (SELECT FROM nodes AS n WHERE n.id = o.node)
        RETURNING {key}
    """
    owner = f"""
        SELECT o.node, n.name, n.address, n.id IS NOT NULL AND {_ALIVE}
        FROM {what} AS o LEFT JOIN nodes AS n ON n.id = o.node WHERE o.{key} = $1
    """
    return _Kept(claim, f"SELECT count(*) FROM {what} WHERE person = $1 AND {key} <> $2", owner)


_TABLES: Final = _kept("owners", "table_id")
_REVIEWS: Final = _kept("reviewing", "match_id")
_REVIEWED: Final = "DELETE FROM reviewing WHERE node = $1 AND match_id = $2"
_NOT_REVIEWED: Final = "UPDATE reviewing SET person = '' WHERE node = $1 AND match_id = $2"
_LEAST: Final = f"""
    SELECT id, name, address FROM nodes AS n WHERE reviews AND {_ALIVE}
    ORDER BY (SELECT count(*) FROM reviewing AS r WHERE r.node = n.id AND r.person <> ''), since, id
    LIMIT 1
"""
_MINE: Final = "SELECT table_id FROM owners WHERE node = $1 AND person <> $2"
_COUNT: Final = """
    UPDATE owners AS o SET person = g.person
    FROM unnest($2::text[], $3::text[]) AS g (table_id, person)
    WHERE o.table_id = g.table_id AND o.node = $1
"""
_ALLOW: Final = """
    INSERT INTO allowances AS a VALUES ($1, clock_timestamp() + $2 * interval '1 s')
    ON CONFLICT (key) DO UPDATE
    SET whole_at = clock_timestamp() + $2 * interval '1 s' + CASE
        WHEN a.whole_at > clock_timestamp() + $3::float8 * interval '1 s' THEN interval '0'
        ELSE greatest(a.whole_at - clock_timestamp(), interval '0') END
    WHERE NOT a.whole_at - clock_timestamp() BETWEEN
        ($3 - $2) * interval '1 s' AND $3 * interval '1 s'
    RETURNING key
"""
"""What would be whole later than after all its seconds was written before a clock went back."""
_WAIT: Final = """
    SELECT extract(epoch FROM whole_at - clock_timestamp())::float8 FROM allowances WHERE key = $1
"""
_LIVING: Final = f"SELECT id, name, address FROM nodes AS n WHERE {_ALIVE} ORDER BY since, id"
_SEEN: Final = f"""
    SELECT id, extract(epoch FROM until - clock_timestamp())::float8,
    extract(epoch FROM clock_timestamp())::float8 FROM nodes AS n WHERE {_ALIVE}
"""
_LEFT: Final = f"""
    SELECT EXISTS (SELECT FROM nodes AS n WHERE NOT ({_ALIVE})
    AND EXISTS (SELECT FROM owners AS o WHERE o.node = n.id))
"""
"""Whether a node that lives no more has tables that nobody could take yet."""
_NEWS: Final = """
    SELECT n, what FROM news
    WHERE node <> $1 AND at > clock_timestamp() - $2 * interval '1 s' ORDER BY n
"""

_Connection: TypeAlias = asyncpg.Connection | asyncpg.pool.PoolConnectionProxy

_log = logger(__name__)


class Membership:
    """One node among the others; for one event loop."""

    def __init__(
        self,
        url: str,
        version: str,
        *,
        on_taken: Callable[[list[str]], None],
        on_kept: Callable[[set[str]], None],
        on_news: Callable[[Mapping[str, Any]], None],
    ) -> None:
        """``on_taken`` hears of tables that are this node's from now on.

        ``on_kept`` hears which tables are still this node's: none, once others may have them.
        ``on_news`` hears what another node has told, perhaps twice.
        """
        self.id = secrets.token_hex(8)
        # Who keeps what has to be known at once, and is in no log that people were told of.
        self._database = Database(url, application_name="okey101-node", synchronous_commit="local")
        self._version = version
        self._on_taken, self._on_kept, self._on_news = on_taken, on_kept, on_news
        self.name = self._address = ""
        self._reviews = False
        self._pool: asyncpg.Pool | None = None
        self._renewed = float("-inf")
        self._steady = False
        """Whether the last sign of life came in time: else others may not have come to theirs."""
        self._ahead: float | None = None
        """Seconds by which the database's clock is ahead of this machine's steady one."""
        self._jumped = float("-inf")
        """When it last went elsewhere than this machine's: leases are over by it that are not."""
        self._heard: set[int] = set()
        self._pruned = monotonic()
        self._left = False
        self.retires = False
        """Whether this node takes no tables any more, as it is about to leave."""
        self._askers = asyncio.Semaphore(_CONNECTIONS - 1)
        """However many ask who keeps a table, there is a connection left to say that one lives."""
        self._turn = asyncio.Lock()
        self._living = set[str]()
        self.seen = 0
        """How many nodes lived at the last sign of life, this one too."""
        self.taken = 0
        """How many tables of others this node has taken since its start."""

    # Joining and leaving --------------------------------------------------------------------------

    async def open(self, keys: Mapping[str, str]) -> dict[str, str]:
        """Connect; returns the keys that all nodes share: those given where there are none yet.

        StoreError where the database can't be used.
        """
        try:
            self._pool = await asyncpg.create_pool(
                min_size=1,
                max_size=_CONNECTIONS,
                connect=lambda *_, **__: self._database.connect(_ANSWER_S),
            )
        except (*FAILURES, ValueError) as error:
            raise StoreError(f"the database can't be used: {type(error).__name__}") from error
        async with self._connected(_OPEN_S) as conn, conn.transaction():
            await conn.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            await conn.execute("SET LOCAL synchronous_commit TO on")
            await conn.execute(_MAKE)
            await conn.executemany(
                "INSERT INTO shared_keys VALUES ($1, $2) ON CONFLICT DO NOTHING", [*keys.items()]
            )
            return dict(await conn.fetch("SELECT name, value FROM shared_keys"))

    async def join(self, node: Node, running: Iterable[str], *, reviews: bool) -> None:
        """Be one of the nodes, and know the tables that are running; StoreError.

        ``reviews`` says whether this one makes reviews.
        """
        self.name, self._address, self._reviews = node.name, node.address, reviews
        async with self._connected(_OPEN_S) as conn:
            began = monotonic()
            await self._enter(conn)
            await conn.execute(_UNKNOWN, [*running])
        self._renewed = began

    async def _enter(self, conn: _Connection) -> None:
        who = self.id, self.name, self._address, self._version, self._reviews
        await conn.execute(_JOIN, *who, LEASE_S)

    async def leave(self) -> None:
        """Be none of the nodes: whatever is left of one's tables goes to others at once."""
        self._left = True
        try:
            await self._do("DELETE FROM nodes WHERE id = $1", self.id)
        except StoreError:
            _log.warning("node-not-left")  # its lease ends

    async def close(self) -> None:
        """Let go of the database."""
        if self._pool is not None:
            self._pool.terminate()
        self._database.close()

    @property
    def alive(self) -> bool:
        """Whether other nodes count this one as alive, by what it knows itself."""
        return not self._left and monotonic() < self._renewed + LEASE_S

    @property
    def silent_s(self) -> float:
        """How many seconds ago this node last said that it lives."""
        return monotonic() - self._renewed

    # Signs of life --------------------------------------------------------------------------------

    async def run(self) -> None:
        """Say that this node lives, hear what is new, and take what nobody has; until cancelled."""
        unsure = False
        while not self._left:
            began = monotonic()
            pause = _BEAT_S
            try:
                living = await self._beat()
                if found := await self.take_all():
                    _log.info("tables-taken", count=len(found))
                    self._on_taken(found)
                if unsure:  # whatever was taken when the answer got lost
                    self._on_taken([*await self.mine()])
                    unsure = False
                self._living = {*living}
                pause = min([pause, *living.values()])  # one that is silent is looked at in time
            except StoreError as error:
                unsure = True
                _log.warning("node-unheard", why=str(error))
                if monotonic() > self._renewed + _ALONE_S:
                    self._on_kept(set())
            await asyncio.sleep(max(_LOOK_S, began + pause - monotonic()))

    async def outlives(self, node: str) -> bool:
        """Wait for the end of a node that can't be reached; False where it goes on living.

        By then this one has taken of its tables what it could.
        """
        until = monotonic() + LEASE_S + 2 * _BEAT_S
        while monotonic() < until and not self._left:
            await asyncio.sleep(_LOOK_S)
            if node not in self._living:
                return True
        return False

    async def _beat(self) -> dict[str, float]:
        """Say so, and hear; returns all that live, and for how many seconds they do at least."""
        began = monotonic()
        async with self._connected() as conn:
            self._steady = self.alive
            lived = await conn.fetchval(_BEAT, self.id, LEASE_S) is not None
            if self._left:
                return {}
            if not lived:  # others took its tables, or do so now: it begins as another node
                late = began - self._renewed
                _log.warning("node-late", seconds=round(late, 1))
                self.id = secrets.token_hex(8)
                self._on_kept(set())
                await self._enter(conn)
            self._renewed = began
            seen = await conn.fetch(_SEEN)
            living: dict[str, float] = {node: left for node, left, _ in seen}
            self.seen = len(living)
            jump = self._compare_clocks(seen[0][2]) if seen else 0.0
            news = await conn.fetch(_NEWS, self.id, _NEWS_S + abs(jump))
            if self._certain and began > self._pruned + _PRUNE_S:
                self._pruned = began
                await conn.execute(
                    "DELETE FROM news WHERE at < clock_timestamp() - $1 * interval '1 s'", _NEWS_S
                )
                await conn.execute("DELETE FROM allowances WHERE whole_at < clock_timestamp()")
                await conn.execute(
                    "DELETE FROM reviewing AS r WHERE NOT EXISTS "
                    "(SELECT FROM nodes AS n WHERE n.id = r.node)"
                )
        fresh = [(n, what) for n, what in news if n not in self._heard]
        self._heard = {n for n, _ in news}
        for _, what in fresh:
            self._on_news(json.loads(what))
        return living

    def _compare_clocks(self, now: float) -> float:
        """By how much the database's clock, which shows ``now``, went elsewhere than this one's."""
        at, before = monotonic(), self._ahead
        self._ahead = now - at
        jump = 0.0 if before is None else self._ahead - before
        if abs(jump) < _ANSWER_S:  # so long its answer may have taken
            return 0.0
        self._jumped = at
        return jump

    @property
    def _certain(self) -> bool:
        """Whether each node has had the time to say that it lives, by the clock as it is."""
        return self._steady and monotonic() > self._jumped + LEASE_S

    async def mine(self, *, all_kept: bool = False) -> set[str]:
        """What the database has as this node's, once the tables of nobody are taken; StoreError.

        It may be told of them only after that. With ``all_kept`` StoreError also where some could
        not be taken yet, as right after an outage: they may become this node's.
        """
        await self.take_all()
        async with self._connected() as conn:
            if all_kept and await conn.fetchval(_LEFT):
                raise StoreError("nobody keeps the tables of a node that is gone yet")
            return {str(table) for (table,) in await conn.fetch(_MINE, self.id, _NOT_BEGUN)}

    async def take_all(self) -> list[str]:
        """Take the tables that nobody keeps, a share at a time; StoreError."""
        taken: list[str] = []
        while not self._left and not self.retires:
            async with self._connected() as conn:
                await self._bury(conn)
                some = [str(table) for (table,) in await conn.fetch(_TAKE, self.id)]
            taken += some
            self.taken += len(some)
            if len(some) < _AT_ONCE:
                break
        return taken

    async def _bury(self, conn: _Connection) -> None:
        """Have no node be whose time is up.

        After an outage, or once the database's clock was set, each may first say that it lives.
        """
        if self._certain and self._ahead is not None:
            await conn.execute(_BURY, self.id, monotonic() + self._ahead, _ANSWER_S)

    async def tell(self, **what: object) -> None:
        """Have all other nodes hear something within a second or two; StoreError."""
        sql = "INSERT INTO news (node, what) VALUES ($1, $2)"
        await self._do(sql, self.id, json.dumps(what))

    # Tables ---------------------------------------------------------------------------------------

    async def owner_of(self, table: str) -> Node | None:
        """The node that keeps a table, this one where nobody alive did; None for no open table.

        StoreError where that isn't known.
        """
        async with self._askers, self._connected() as conn:
            for _ in range(3):
                found = await conn.fetchrow(_TABLES.owner, table)
                if found is None:
                    return None
                node = Node(*found[:3])
                if node.id == self.id or found[3]:
                    return node
                if self._left or self.retires:
                    break
                await self._bury(conn)
                if await conn.fetchval(_TAKE_ONE, self.id, table) is not None:
                    self.taken += 1
                    self._on_taken([table])
                    return Node(self.id, self.name, self._address)
        raise StoreError("nobody keeps the table yet")

    async def claim(
        self, key: str, person: str = _NOT_BEGUN, most: int | None = None, *, review: bool = False
    ) -> bool | None:
        """Be the node of a table that is to be made, or of a match's ``review``.

        False where another one keeps it. None where a ``person`` for whom it would count has as
        many others as ``most``; without a person it is not even begun. StoreError.
        """
        what = _REVIEWS if review else _TABLES
        async with self._connected() as conn, conn.transaction():
            if most is not None:  # one of a person at a time
                await conn.execute(_LOCKED, _LOCK_OF_PERSON, person)
                if (await conn.fetchval(what.others, person, key) or 0) >= most:
                    return None
            return await conn.fetchval(what.claim, self.id, key, person) is not None

    @asynccontextmanager
    async def turn_of(self, bot: str) -> AsyncGenerator[None]:
        """While a bot sits down, which no other node lets it do meanwhile; StoreError."""
        async with self._turn, self._askers, self._connected(_OPEN_S) as conn, conn.transaction():
            await conn.execute(_LOCKED, _LOCK_OF_BOT, bot)
            yield

    async def count(self, persons: Mapping[str, str]) -> None:
        """Of this node's tables: whom each counts for, or nobody; StoreError."""
        await self._do(_COUNT, self.id, [*persons], [*persons.values()])

    async def take(self, key: bytes, each_s: float, all_s: float) -> float:
        """Take one from an allowance that all nodes share; StoreError.

        One is back after ``each_s`` seconds, all after ``all_s``. 0.0 if it was there, else the
        seconds until it is.
        """
        async with self._connected() as conn:
            if await conn.fetchval(_ALLOW, key, each_s, all_s) is not None:
                return 0.0
            whole = await conn.fetchval(_WAIT, key) or 0.0
            return max(whole + each_s - all_s, 1e-6)

    async def release(self, table: str) -> None:
        """Let a table be nobody's that is closed; StoreError."""
        await self._do("DELETE FROM owners WHERE node = $1 AND table_id = $2", self.id, table)

    # Reviews --------------------------------------------------------------------------------------

    async def reviewer(self, match: str, *, new: bool) -> Node | None:
        """The node that reviews a match; StoreError.

        Where none does and it is to be ``new``, the one that makes reviews and has least to do.
        """
        async with self._connected() as conn:
            found = await conn.fetchrow(_REVIEWS.owner, match)
            if (found is None or not found[3]) and new:
                found = await conn.fetchrow(_LEAST)
            return None if found is None or not all(found) else Node(*found[:3])

    async def let_go_of_review(self, match: str, *, failed: bool) -> None:
        """A review is made, or no more; one that has ``failed`` is remembered here; StoreError."""
        await self._do(_NOT_REVIEWED if failed else _REVIEWED, self.id, match)

    # Nodes ----------------------------------------------------------------------------------------

    async def give(self, tables: Sequence[str], nodes: Sequence[Node]) -> None:
        """Have other nodes keep tables of this one, in turn, and tell them; StoreError."""
        for number, node in enumerate(nodes):
            if some := [*tables[number :: len(nodes)]]:
                await self._do(_GIVE, node.id, self.id, some)
                await self.tell(kind="given", user="", to=node.id, tables=some)

    async def living(self) -> list[Node]:
        """All nodes that live, the eldest first; StoreError."""
        async with self._connected() as conn:
            return [Node(*one) for one in await conn.fetch(_LIVING)]

    async def _do(self, sql: str, *values: object) -> None:
        async with self._connected() as conn:
            await conn.execute(sql, *values)

    @asynccontextmanager
    async def _connected(self, seconds: float = _ANSWER_S) -> AsyncGenerator[_Connection]:
        assert self._pool is not None
        try:
            async with asyncio.timeout(seconds), self._pool.acquire() as conn:
                yield conn
        except FAILURES as error:
            raise StoreError(f"the database failed: {type(error).__name__}") from error
