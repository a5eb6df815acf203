"""All tables that are open: making them, finding them, and bringing them back after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from hashlib import blake2b
from weakref import WeakValueDictionary

import msgspec

from okey101.errors import OkeyError
from okey101.server.errors import refuse
from okey101.server.net.close_codes import CLOSE_RESTART, RESTARTING
from okey101.server.ops.logs import logger
from okey101.server.protocol.options import TableOptions
from okey101.server.settings import Settings
from okey101.server.store.base import Conflict, Row, StoreError, failure_told
from okey101.server.tables import log_entries as log
from okey101.server.tables.broadcast import slow_notice
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.rows import closing_row
from okey101.server.tables.state import Stage
from okey101.server.tables.table import Table
from okey101.server.work.tasks import Tasks

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH = 12
_PATIENCE_S = 20.0
_SOON_S = (1.0, 2.0, 4.0, 8.0)
"""When tables that can't be read are tried again, while others wait for them."""
_AT_ONCE = 200
"""How many tables are loaded at a time: they share questions and commits, and memory is bounded."""
_NAMES_AT_ONCE = 1_000
_LATER_S = 30.0
"""How often they are tried after that, when nobody waits for them any more."""

_log = logger(__name__)


_UNHURRIED_MS = 3_600_000
"""The pause before a deal where no clock runs: in case somebody sits there and never goes on."""


@dataclass(eq=False, repr=False)
class Tables:
    """The tables by id; one that is not yet back from the log is loaded when it is asked for."""

    deps: Dependencies
    settings: Settings
    _: KW_ONLY
    before_loading: Callable[[list[str]], Awaitable[None]] | None = None
    """Given the people of a table that is loaded, to look up their names."""
    id_key: bytes = b""
    """What only this server knows: at most 64 bytes, the same after a restart."""

    def __post_init__(self) -> None:
        self._tables: dict[str, Table] = {}
        self._waiting: set[str] = set()
        self._expected: set[str] = set()
        """Those among them that were another node's, until each was tried once."""
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._loaders = Tasks(lambda _: None)  # whoever waits for a table hears of it
        self._bringing: asyncio.Task[None] | None = None
        self._bringers = Tasks()
        self._making: dict[str, str] = {}
        """The tables that are being made, and who will own them."""
        self._address: dict[str, tuple[str, bool]] = {}
        """The addresses that open tables were made from, as far as known: the log does not say.

        And whether they are tries, which count apart: they can't be left, and wait for days.
        """
        self.id_key = self.id_key or secrets.token_bytes(32)
        self._one_at_a_time: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._draining = False
        self.unreadable: set[str] = set()
        """Tables whose log holds rows that can't be read at all; they stay as they are."""
        self.back = False
        """Whether all tables of the log are loaded, except those that can't be read."""

    def __iter__(self) -> Iterator[Table]:
        return iter([*self._tables.values()])

    def __len__(self) -> int:
        return len(self._tables) + len(self._waiting) + len(self._making)

    async def bring_back(self, tables: list[str] | None = None) -> None:
        """Begin to load these tables, or all that the log holds; OkeyError ``store-corrupt``."""
        if tables is None:
            try:
                tables = await self.deps.store.running()
            except StoreError as error:
                path = str(self.deps.store.path)
                raise OkeyError("store-corrupt", f"{path}: {error}", path=path) from error
        self._waiting |= {*tables}
        self._bringing = self._bringers.spawn(self._bring_all(tables))

    def expect(self, tables: list[str]) -> list[str]:
        """Know of tables that are this node's from now on; those that are to be loaded."""
        new = [one for one in tables if not self.has(one) and one not in self._making]
        self._expected |= {*new}
        self._waiting |= {*new}
        return new

    async def bring(self, tables: list[str]) -> None:
        """Load tables that are expected, and wait until each was tried."""
        failing = await self._brought(tables)
        self._expected -= {*tables}
        self._bringers.spawn(self._bring_later(failing))

    def let_go(self, table: str) -> Table | None:
        """Know nothing more of a table that another node keeps; it is still to be parted from."""
        found = self._tables.get(table)
        self._waiting.discard(table)
        self._loading.pop(table, None)  # it would lack what that node writes
        self._making.pop(table, None)
        self.unreadable.discard(table)
        self.forget(table)
        return found

    async def _bring_all(self, ids: list[str]) -> None:
        failing = await self._brought(ids)
        for pause in _SOON_S:
            if failing:
                await asyncio.sleep(pause)
                failing = await self._brought(failing)
        self.back = True
        self._bringers.spawn(self._bring_later(failing))

    async def _bring_later(self, failing: list[str]) -> None:
        """Keep trying tables that fail again and again; meanwhile nobody knows who plays there."""
        while failing:
            await asyncio.sleep(_LATER_S)
            failing = await self._brought(failing)

    async def _brought(self, ids: list[str]) -> list[str]:
        """Load tables, each of them once, a few at a time; returns those to try again."""
        failing: list[str] = []
        for at in range(0, len(ids), _AT_ONCE):
            some = ids[at : at + _AT_ONCE]
            brought = await asyncio.gather(*map(self._is_brought, some))
            failing += [one for one, done in zip(some, brought, strict=True) if not done]
        return failing

    async def _is_brought(self, table: str) -> bool:
        while table in self._waiting:  # still there if it went and comes back
            try:
                await self._load(table)
            except OkeyError:  # the server ends
                return False
            except Exception as error:  # noqa: BLE001  # whatever it is, the others must not wait
                _log.error("table-not-loaded", table=table, why=type(error).__name__)
                return False
        return True

    async def made(self, table: str) -> Table | None:
        """The table of an id, if it was made; OkeyError ``table-closed``, or as :meth:`get`."""
        if not self.has(table):
            return None
        try:
            return await self.get(table)
        except OkeyError as error:
            if error.code != "no-table":
                raise
        return refuse("table-closed")

    def id_of(self, owner: str, key: str) -> str:
        """The id of the table that a key makes: the same for the same key, at any node."""
        text = f"{owner} {key}".encode()
        number = int.from_bytes(blake2b(text, key=self.id_key, person=b"table id").digest())
        letters: list[str] = []
        while len(letters) < _ID_LENGTH:
            number, place = divmod(number, len(_ALPHABET))
            letters.append(_ALPHABET[place])
        return "".join(letters)

    async def create(
        self,
        owner: str,
        options: TableOptions,
        table: str | None = None,
        address: str = "",
        day: log.Day | None = None,
    ) -> Table:
        """A new table of checked options, or the one that was made by this id already.

        ``table`` is an id that :meth:`id_of` gave; without one it is drawn.
        ``address`` is where the request comes from, empty where that does not count.
        OkeyError ``too-many-tables``, ``overloaded``, ``draining``, ``store-failed``;
        ``table-closed`` where that table is closed by now.
        """
        pause_ms = round(self.settings.deal_pause_s * 1000)
        if pause_ms and not options.clock:
            pause_ms = max(pause_ms, _UNHURRIED_MS)
        entry = log.Created(
            user=owner,
            options=options,
            salt=self.deps.secret(),
            first_wait_ms=round(self.settings.first_deal_wait_s * 1000),
            pause_ms=pause_ms,
            day=day,
        )
        table = table or "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))
        async with self.turn_of(table):
            found = await self.made(table)
            if found is None:
                try:
                    found = await self._create(table, entry, address)
                except OkeyError as error:
                    if error.code != "table-closed":
                        raise
                    # Its first row may be in the log already, though nobody was told of it.
                    self._waiting.add(table)
            return found or await self.made(table) or refuse("table-closed")

    def turn_of(self, one: str) -> asyncio.Lock:
        """Held while a table of this id is made, or while a bot of this id sits down."""
        return self._one_at_a_time.setdefault(one, asyncio.Lock())

    async def unmade(self, table: str) -> None:
        """Whoever asked for a table has been answered, and perhaps it was not made."""
        async with self.turn_of(table):
            if not self.has(table):
                await self.deps.unmade(table)

    def require_room(self, owner: str, address: str, *, tried: bool) -> None:
        """Refuse another table, or one of a try, where there is no room for it.

        OkeyError ``draining``, ``overloaded``, ``too-many-tables``.
        """
        limits = self.settings
        if self._draining:
            refuse("draining")
        if self.overloaded():
            refuse("overloaded")
        mine = [*self._making.values()].count(owner)
        mine += sum(_counts_for(table, owner) for table in self._tables.values())
        apart = sum(log.is_try(table.state.day) is not tried for table in self._tables.values())
        if len(self) - apart >= limits.max_tables:
            refuse("too-many-tables", limit="max-tables")
        if not tried and mine >= limits.max_tables_per_user:
            refuse("too-many-tables", limit="max-tables-per-user")
        there = [*self._address.values()].count((address, tried)) if address else 0
        if there >= limits.max_tables_per_address:
            refuse("too-many-tables", limit="max-tables-per-address")

    async def _create(self, table: str, entry: log.Created, address: str) -> Table:
        owner, tried = entry.user, log.is_try(entry.day)
        self.require_room(owner, address, tried=tried)
        self._making[table] = owner
        self._address[table] = address, tried
        try:
            made = await Table.create(table, entry, self.deps)
            kept = table in self._making
        except BaseException:
            self._address.pop(table, None)  # it may have been let go of meanwhile
            await self.deps.unmade(table)
            raise
        finally:
            self._making.pop(table, None)
        if kept:
            self._tables[table] = made
        if not kept or self._draining:
            await made.stop()
        return made if kept else refuse("draining")

    def overloaded(self) -> bool:
        """Whether those who play already would feel another table."""
        late = self.deps.heart.lag * 1000 > self.settings.max_lag_ms
        return late or self.deps.bots.behind > self.settings.max_bot_wait_s

    async def wait_back(self) -> None:
        """Wait until all tables of the log are there; OkeyError ``draining`` if that takes long.

        Nobody waits for a table that can't be read however often it is tried.
        """
        if self._bringing is not None and not self.back:
            await asyncio.wait([self._bringing], timeout=_PATIENCE_S)
            if not self.back:
                refuse("draining")

    async def all_back(self) -> None:
        """The same, and wait for tables of other nodes that are this one's from now on."""
        await self.wait_back()
        await self._brought([*self._expected])

    async def brought(self) -> None:
        """Wait until each table of the log is loaded, or was tried often enough."""
        if self._bringing is not None:
            await asyncio.wait([self._bringing])

    def has(self, table: str) -> bool:
        """Whether a table is open as far as known, also one that is still to be loaded."""
        return table in self._tables or table in self._waiting or table in self.unreadable

    def counted(self) -> dict[str, str]:
        """The loaded tables, and whom each counts for: its owner, or nobody."""
        owned = ((name, table, table.state.owner) for name, table in self._tables.items())
        return {name: by if by and _counts_for(table, by) else "" for name, table, by in owned}

    def ids(self) -> set[str]:
        """The tables that are open as far as known."""
        return {*self._tables, *self._waiting, *self.unreadable}

    def held(self) -> set[str]:
        """These, and those that are being made."""
        return self.ids() | self._making.keys()

    def loaded(self, table: str) -> Table | None:
        """An open table that can be had without reading the log."""
        return self._tables.get(table)

    async def get(self, table: str) -> Table:
        """An open table.

        OkeyError ``no-table``, ``draining``, ``store-failed`` where its log can't be read now,
        ``table-frozen`` where it never can.
        """
        found = self._tables.get(table)
        while found is None and table in self._waiting:
            with failure_told():
                found = await self._load(table)
        found = found or self._tables.get(table)  # it may have gone and come back
        if table in self.unreadable:
            refuse("table-frozen")
        with failure_told():
            if found is None and await self.deps.kept(table):
                refuse("draining")
        if found is None and table in self.deps.lost:
            known = self.deps.lost[table]
            refuse("log-truncated" if known.end == 0 else "no-table")
        if found is None:
            refuse("no-table")
        with failure_told():
            if not self.deps.sure() and not await self.deps.owns(table):
                self.deps.on_moved(table)
                refuse("draining")
        return found

    async def require_never_told(self, table: str, seq: int, head: str) -> None:
        """OkeyError ``log-truncated`` for a row that a client was told of and the log lacks.

        ``store-failed`` where the log can't be read now. For tables that aren't open.
        """
        if self.deps.loss_of(table, seq, head) is None:
            return
        with failure_told():
            rows = await self.deps.store.read(table, seq - 1)
            known = bool(rows) or await self.deps.store.closed(table)
        if not known:
            self.deps.on_lost(table, 0, seq)
            refuse("log-truncated")

    async def _load(self, table: str) -> Table | None:
        """Load a table once, however many ask for it; None for one that can't be had.

        OkeyError ``draining`` where the server ends.
        """
        if self._draining:
            refuse("draining")
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = self._loaders.spawn(self._read(table))
        await asyncio.wait([loading])
        return refuse("draining") if loading.cancelled() else loading.result()

    async def _read(self, table: str) -> Table | None:
        """A table from its log; None for one that is closed, let go of meanwhile, or unreadable."""
        own = asyncio.current_task()
        try:
            found = await self._resumed(table)
            if found is None:
                rows = await self.deps.store.read(table)
                await self._learn_names(rows)
                found = await Table.load(table, self.deps, rows)
            if found is not None and self._loading.get(table) is not own:  # let go of meanwhile
                await found.stop()
                found = None
            elif found is not None and found.state.stage is not Stage.CLOSED:
                self._tables[table] = found
                if self.back and not self._draining:  # else it is told once all are back
                    self.deps.on_round(found.state)
            elif found is None and await self.deps.store.closed(table):
                self.deps.on_closed(table)
            elif found is None:  # its node died before it was made
                self._bringers.spawn(self.unmade(table))
        except ValueError as error:  # its log can never be read
            _log.error("table-unreadable", table=table, why=type(error).__name__)
            self.unreadable.add(table)
            found = None
        finally:
            current = self._loading.get(table) is own
            if current:
                del self._loading[table]
        if current:
            self._waiting.discard(table)
        return found

    async def _resumed(self, table: str) -> Table | None:
        """A table from its last snapshot; None without one that can be used."""
        deps = self.deps
        # What a log lacks may be told by the rows alone.
        if deps.snapshots is None or table in deps.lost:
            return None
        start = await deps.snapshots.find(table, deps.now_ms())
        if start is None:
            return None
        rows = await deps.store.read(table, start.state.seq)
        await self._learn_names(rows, start.people)
        return await Table.load(table, deps, rows, start)

    async def _learn_names(self, rows: list[Row], others: Iterable[str] = ()) -> None:
        """Look up the names of a table's people; StoreError where that isn't possible now."""
        if self.before_loading is None:
            return
        people = [*await _people_in(rows), *others]
        try:
            await self.before_loading(people)
        except OkeyError as error:
            raise StoreError(f"the names are not there: {error.code}") from error

    async def close(self, table: str) -> None:
        """Close a table for the administrator, even one whose log can't be replayed.

        OkeyError ``no-table``, ``store-failed``, and ``accounts-failed`` while a finished match
        of it is not kept: nobody looks at the log of a closed table again.
        """
        found = self._tables.get(table)
        if found is None and table not in self.unreadable:
            found = await self.get(table)
        if found is not None and found.frozen is None:
            await found.close()
            return
        if not self.deps.may_close(table):
            refuse("accounts-failed")
        store = self.deps.store
        try:
            rows = await store.read(table)
            await store.append(closing_row(rows[-1], self.deps.now_ms()))
        except (Conflict, StoreError):
            refuse("store-failed")
        self.unreadable.discard(table)
        if found is not None:
            found.audience.close()
        self.deps.on_closed(table)

    def forget(self, table: str) -> None:
        """Drop a table that is closed."""
        self._tables.pop(table, None)
        self._address.pop(table, None)

    def of(self, user: str) -> list[Table]:
        """The tables a person sits at, or will from the next deal on."""
        return [t for t in self._tables.values() if t.state.place_of(user) is not None]

    def seats_of(self, user: str) -> int:
        """At how many tables a person or a bot sits; tries don't count."""
        return sum(not log.is_try(table.state.day) for table in self.of(user))

    async def renamed(self, user: str, *, told: bool = False) -> None:
        """Have the tables where a person sits show the new name; ``told`` by another node."""
        if not told:
            self.deps.on_person("renamed", user)
        for table in self.of(user):
            with contextlib.suppress(OkeyError):  # one that can't show it now shows it later
                await table.renamed(user)

    async def leave(self, user: str, heir: str | None = None, *, told: bool = False) -> None:
        """Give up every seat of a person, at tables that are still being loaded as well.

        ``heir`` is the account as which a guest goes on with tries of days; ``told`` by another
        node, which has left its own tables.
        OkeyError ``draining``, or ``store-failed`` where some table can't store it now: then the
        seats at the others are given up all the same. A frozen table stays as it is.
        """
        if not told:
            self.deps.on_person("left", user, heir=heir)
        await self.wait_back()
        failed: OkeyError | None = None
        for table in self.of(user):
            try:
                await table.remove(user, heir)
            except OkeyError as error:
                if error.code != "table-frozen":
                    failed = error
        if failed is not None:
            raise failed

    async def look(self) -> None:
        """Have every table whose clock runs tell of a pause, one after the other."""
        for table in self:
            table.look()
            await asyncio.sleep(0)

    def tell_slow(self, slow: bool) -> None:  # the only thing there is to tell
        """Tell everybody that the disk doesn't answer, or that it does again."""
        for table in self:
            table.audience.send_all(slow_notice(slow=slow))

    def part(self) -> None:
        """Tell everybody that the server ends, without waiting for the disk."""
        for table in self:
            for viewer in table.audience.everybody:
                viewer.close(CLOSE_RESTART, RESTARTING)

    def listed(self) -> list[Table]:
        """The tables that are open to everybody, the ones that wait first, then the latest.

        As spectators see them: the order tells nothing that they may not know yet. Bots alone are
        nobody's company.
        """
        open_ = [t for t in self._tables.values() if t.state.options.listed and t.frozen is None]
        states = [(table, table.audience.feed.shown) for table in open_ if table.state.people]
        shown = [(table, state) for table, state in states if state.people]
        shown.sort(key=lambda line: (line[1].stage is not Stage.WAITING, -line[1].at_ms))
        return [table for table, _ in shown]

    def counts(self) -> tuple[dict[str, int], int, int, int]:
        """Tables by stage, frozen ones, and the seats of people and of bots."""
        stages: Counter[str] = Counter()
        frozen, people, bots = len(self.unreadable), 0, 0
        for table in self._tables.values():
            stages[table.state.stage.value] += 1
            frozen += table.frozen is not None
            for seat in table.state.seats:
                people += seat.human
                bots += not seat.human and not seat.free
        return dict(stages), frozen, people, bots

    async def drain(self) -> None:
        """Take no more tables and commands; what was accepted is stored when this returns."""
        self._draining = True
        await self._bringers.cancel()
        await self._loaders.cancel()
        await asyncio.gather(*(table.stop() for table in self._tables.values()))


def _counts_for(table: Table, owner: str) -> bool:
    """Whether a table counts towards what its owner may have open.

    A table that was left does not, unless bot accounts or somebody who watches keep it, nor one
    whose match is over and whose owner has gone, nor a try of a day or a challenge, which can't be
    left.
    """
    state = table.state
    if state.owner != owner or log.is_try(state.day):
        return False
    if state.seat_of(owner) is None:
        return state.orphaned or (state.running and table.audience.alone_since is None)
    return state.stage is not Stage.OVER or owner in table.audience.seated


class _Named(msgspec.Struct):
    """As much of an entry as tells who it is about."""

    user: str | None = None


_NAMED = msgspec.json.Decoder(_Named)


async def _people_in(rows: list[Row]) -> set[str]:
    """Everybody named in the rows of a table; msgspec.DecodeError for a row that is none."""
    found: set[str | None] = set()
    for number, row in enumerate(rows):
        if number % _NAMES_AT_ONCE == 0:
            await asyncio.sleep(0)
        found.add(_NAMED.decode(row.entry).user)
    return {user for user in found if user is not None}
