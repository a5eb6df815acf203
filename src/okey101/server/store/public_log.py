"""The server's transparency log: what nobody can leave out later, and heads that it signs.

Entries are lines: ``commitment HEX`` of each round before a deal, ``thrown HEX`` of a round that
was thrown away, by its commitment, and ``match HEX`` of a finished match, the SHA-256 of its
record without names. What they stand for holds secrets of 32 bytes, so that an entry tells nothing
of it, also once it was erased. They are written in batches, and once a minute there is a new head,
the same for all who ask. A crash leaves no entry out: rounds and matches are told again when their
tables come back.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from okey101.game.fair import transparency
from okey101.server.errors import refuse
from okey101.server.ops.logs import logger
from okey101.server.store.base import Conn, StoreError, failure_told
from okey101.server.store.statements import Store
from okey101.server.work.tasks import Gathered

EVERY_S: Final = 60.0
"""How often there is a new head."""
_BATCH_S: Final = 0.1
"""How long what comes after a batch waits for others that are written with it."""
_AGAIN_S: Final = 5.0
MOST_ENTRIES: Final = 1_000
"""So many entries are told at once."""

_HEAD: Final = "head"
"""The kind of the line that has the size of the newest head."""

_log = logger(__name__)
T = TypeVar("T")


def round_entries(commitment: str, thrown: Iterable[str]) -> list[str]:
    """The entries of a round, by its commitment, and of those that were thrown away before it."""
    return [*(f"thrown {one}" for one in thrown), f"commitment {commitment}"]


class LogKey:
    """The key that signs heads, and the name of the log, which outlives the key."""

    def __init__(self, origin: str, key: bytes) -> None:
        self.origin = origin
        self._key = Ed25519PrivateKey.from_private_bytes(key)
        self._public = self._key.public_key().public_bytes_raw()
        self._id = transparency.key_id(origin, self._public)

    @property
    def verifier(self) -> str:
        """What signatures are checked by, as one word: name, print and public key."""
        code = b64encode(b"\1" + self._public).decode()
        return f"{self.origin}+{self._id.hex()}+{code}"

    def sign(self, head: transparency.Head) -> transparency.Checkpoint:
        """A head with this log's name and signature."""
        bare = transparency.Checkpoint(self.origin, head)
        signed = transparency.Signature(self.origin, self._id, self._key.sign(bare.body.encode()))
        return bare._replace(signatures=(signed,))


class PublicLog:
    """The log of one server, kept in its database; for one event loop."""

    def __init__(
        self, database: Store, key: LogKey, now_ms: Callable[[], int], *, alone: bool = True
    ) -> None:
        """Unless ``alone``, other nodes make heads as well: the newest is the database's."""
        self.key = key
        self._alone = alone
        self._database = database
        self._now_ms = now_ms
        self._added = Gathered(self._add)
        self._checkpoint: transparency.Checkpoint | None = None

    async def add(self, *entries: str) -> None:
        """Add entries that are not there yet; they are kept when this returns."""
        await self._added.of(*entries)

    async def _add(self, entries: list[str]) -> None:
        """Write what was added meanwhile, trying until the database takes it."""
        while entries:
            try:
                await append(self._database, entries, self._now_ms())
                await asyncio.sleep(_BATCH_S)
                return
            except StoreError as error:
                _log.warning("public-log-waits", entries=len(entries), why=str(error))
                await asyncio.sleep(_AGAIN_S)

    async def run(self) -> None:
        """Make a head every minute, until it is cancelled."""
        while True:
            try:
                await self.publish()
                await asyncio.sleep(EVERY_S)
            except StoreError as error:
                _log.warning("public-log-waits", why=str(error))
                await asyncio.sleep(_AGAIN_S)

    async def publish(self) -> None:
        """Write what waits, and make the head that everybody is shown now; StoreError."""
        await self._added.of()
        head = await self._database.change(_head if self._alone else _published)
        self._checkpoint = self.key.sign(head)

    async def newest(self) -> transparency.Checkpoint:
        """The newest head, signed; OkeyError ``log-not-ready`` in the first moments."""
        if not self._alone:
            head = await self._read(_newest)
            if head is not None:
                self._checkpoint = self.key.sign(head)
        if self._checkpoint is None:
            refuse("log-not-ready")
        return self._checkpoint

    async def entries(self, first: int, count: int) -> list[str]:
        """Entries of the newest head by their places, in order."""
        end = min(first + min(count, MOST_ENTRIES), (await self.newest()).head.size)
        return await self._read(lambda conn: _entries(conn, first, end))

    async def inclusion(self, entry: str, size: int) -> tuple[int, list[bytes]] | None:
        """The place of an entry among the first ``size``, and its proof; None where it isn't there.

        OkeyError ``no-entry`` where there is no head of that size.
        """
        await self._require(size)

        def prove(conn: Conn) -> tuple[int, list[bytes]] | None:
            place = _place(conn, entry)
            if place is None or place >= size:
                return None
            return place, transparency.inclusion_proof(place, size, _nodes(conn))

        return await self._read(prove)

    async def consistency(self, old: int, size: int) -> list[bytes]:
        """What proves that a head extends an earlier one; OkeyError ``no-entry``."""
        await self._require(size)
        return await self._read(
            lambda conn: transparency.consistency_proof(old, size, _nodes(conn))
        )

    async def _require(self, size: int) -> None:
        if not 0 <= size <= (await self.newest()).head.size:
            refuse("no-entry")

    async def _read(self, work: Callable[[Conn], T]) -> T:
        with failure_told():
            return await self._database.change(work)


# In the database ----------------------------------------------------------------------------------


async def append(database: Store, entries: Sequence[str], at_ms: int) -> None:
    """Add entries that are not there yet; they are kept when this returns. StoreError."""

    def work(conn: Conn) -> None:
        size, nodes = _size(conn), _nodes(conn)
        for entry in entries:
            if _place(conn, entry) is None:
                conn.execute("INSERT INTO public_entries VALUES (?, ?, ?)", (size, entry, at_ms))
                conn.executemany(
                    "INSERT INTO public_nodes VALUES (?, ?, ?)",
                    [*transparency.added(size, transparency.entry_hash(entry.encode()), nodes)],
                )
                size += 1

    await database.change(work)


def _size(conn: Conn) -> int:
    (size,) = conn.execute("SELECT coalesce(max(place) + 1, 0) FROM public_entries").fetchone()
    return int(size)


def _head(conn: Conn, size: int | None = None) -> transparency.Head:
    size = _size(conn) if size is None else size
    return transparency.Head(size, transparency.root(size, _nodes(conn)))


def _published(conn: Conn) -> transparency.Head:
    """The head by now, known to all nodes."""
    head = _head(conn)
    conn.execute("DELETE FROM lines WHERE kind = ?", (_HEAD,))
    conn.execute("INSERT INTO lines (kind, data) VALUES (?, ?)", (_HEAD, b"%d" % head.size))
    return head


def _newest(conn: Conn) -> transparency.Head | None:
    found = conn.execute("SELECT data FROM lines WHERE kind = ?", (_HEAD,)).fetchone()
    return None if found is None else _head(conn, int(bytes(found[0])))


def _place(conn: Conn, entry: str) -> int | None:
    found = conn.execute("SELECT place FROM public_entries WHERE entry = ?", (entry,)).fetchone()
    return None if found is None else int(found[0])


def _entries(conn: Conn, first: int, end: int) -> list[str]:
    sql = "SELECT entry FROM public_entries WHERE place >= ? AND place < ? ORDER BY place"
    return [str(entry) for (entry,) in conn.execute(sql, (first, end))]


def _nodes(conn: Conn) -> transparency.Nodes:
    def node(level: int, place: int) -> bytes:
        sql = "SELECT hash FROM public_nodes WHERE level = ? AND place = ?"
        found = conn.execute(sql, (level, place)).fetchone()
        if found is None:
            raise StoreError(f"the public log's tree lacks node {place} of level {level}")
        return bytes(found[0])

    return node
