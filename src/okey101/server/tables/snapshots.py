"""Snapshots of the tables of a server: written beside their play, and found again at a start.

They are written one after the other, with long pauses: however busy the tables are, they take a
small share of the time, and fewer are written. A load that begins from one replays the rows after
it alone.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec

from okey101.errors import OkeyError
from okey101.game import RULES_VERSION, Result, RuleSet
from okey101.server.ops.logs import logger, trace_of
from okey101.server.store.base import StoreError
from okey101.server.store.snapshots import Snapshot
from okey101.server.store.statements import Store
from okey101.server.tables.finished_deals import FinishedDeal, decode_deal, encode_deal
from okey101.server.tables.match_record import shown_from_ms
from okey101.server.tables.rows import STATE_VERSION, LeftBehind, state_hash
from okey101.server.tables.state import TableState, changed

# A table as bytes: its state, and what else its rows have left behind, to begin from in their
# place.
#
# Finished deals stay packed, as parts of their own: they are written once, however many snapshots a
# match has, and not looked at before somebody asks for a record.

SNAPSHOT_VERSION: Final = f"1.{STATE_VERSION}.{RULES_VERSION}"
"""The form, and the versions of what is in it: one of another version is not used."""


class TableSnapshot(NamedTuple):
    """What a table begins from in place of its first rows."""

    state: TableState
    state_hash: str
    shown: TableState
    """What spectators see."""
    shown_head: str | None
    """The head of its row."""
    left: LeftBehind

    def __repr__(self) -> str:
        """Without anything that is hidden."""
        return f"<TableSnapshot {self.state!r}>"

    @property
    def people(self) -> set[str]:
        """The ids of everybody whose name may be wanted."""
        state = self.state
        found: set[str] = {*state.people, *self.shown.people, *state.heard, *state.sat}
        found.add(state.owner)
        found.update(user for _, user in state.coming)
        found.update(user for user, _ in state.seen)
        for seats in self.left.history.values():
            found.update(seat.user for seat in seats if seat.user is not None)
        rounds = [*state.abandoned]
        for played in state.played:
            found |= {*played.sat}
            rounds += played.abandoned
        return found.union(*(round_.sat for round_ in rounds))


_Plain: Final[type[Any]] = msgspec.defstruct(
    "_Plain",
    [(name, kind) for name, kind in get_type_hints(TableState).items() if name != "deal"],
    namespace={"__repr__": object.__repr__},
)
"""A state as it is read again; its deal has a form of its own."""


class _Body(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    rules: RuleSet
    state: bytes
    """Without its deal, as is that of spectators."""
    deal: bytes | None
    """The deal on the table; None for none, or where it is the last one played."""
    last: bool
    """Whether the last deal played is still on the table."""
    shown: bytes | None
    """What spectators see, if not the same; without what both have in common."""
    shown_last: bool
    shown_head: str | None
    left: LeftBehind
    __repr__ = object.__repr__


def encode_start(start: TableSnapshot) -> Snapshot | None:
    """The snapshot of a table; None where spectators see what can't be told in few words."""
    state, shown = start.state, start.shown
    runs = shown.deal is not None and not shown.deal.over
    if shown.played is not state.played or (shown is not state and runs):
        return None
    parts: dict[bytes, bytes] = {}

    def named(value: object) -> object:
        assert isinstance(value, FinishedDeal)
        parts[value.name] = value.data
        return value.name, value.result

    def kept(state: TableState) -> bytes:
        return msgspec.msgpack.encode(changed(state, deal=None), enc_hook=named)

    body = _Body(
        rules=state.rules,
        state=kept(state),
        deal=None if state.deal is None or state.deal.over else encode_deal(state.deal),
        last=state.deal is not None and state.deal.over,
        # Nobody asks what those who only look have sent.
        shown=None if shown is state else kept(changed(shown, played=(), heard={})),
        shown_last=shown.deal is not None and shown.deal.over,
        shown_head=start.shown_head,
        left=start.left,
    )
    return Snapshot(
        table=state.table,
        seq=state.seq,
        version=SNAPSHOT_VERSION,
        state_hash=start.state_hash,
        body=zlib.compress(msgspec.msgpack.encode(body), 1),
        parts=parts,
    )


def decode_start(snapshot: Snapshot) -> TableSnapshot:
    """What a snapshot holds; ValueError for one that can't be used, which says why."""
    if snapshot.version != SNAPSHOT_VERSION:
        raise ValueError("version")
    try:
        start = _decoded(snapshot)
    except (msgspec.DecodeError, zlib.error, OkeyError, ValueError, KeyError, TypeError) as error:
        raise ValueError("undecodable") from error
    state = start.state
    if (state.table, state.seq) != (snapshot.table, snapshot.seq):
        raise ValueError("another-row")
    if state_hash(state) != snapshot.state_hash:
        raise ValueError("state-differs")
    return start


def _decoded(snapshot: Snapshot) -> TableSnapshot:
    body = msgspec.msgpack.decode(zlib.decompress(snapshot.body), type=_Body)

    def found(_: type, value: tuple[bytes, object]) -> FinishedDeal:
        result = msgspec.convert(value[1], Result | None)
        return FinishedDeal(body.rules, result, data=snapshot.parts[value[0]])

    def kept(data: bytes) -> TableState:
        plain = msgspec.msgpack.decode(data, type=_Plain, dec_hook=found)
        return TableState(**msgspec.structs.asdict(plain))

    state = shown = kept(body.state)
    played = state.played
    before = deal = None
    if body.last or body.shown_last:
        before = played[-1].deal.whole
        played = (*played[:-1], played[-1]._replace(deal=FinishedDeal.of(before)))
    if body.deal is not None:
        deal = decode_deal(body.deal, body.rules)
    elif body.last:
        deal = before
    state = shown = changed(state, played=played, deal=deal)
    if body.shown is not None:
        shown = changed(kept(body.shown), played=played, deal=before if body.shown_last else None)
    return TableSnapshot(
        state=state,
        state_hash=snapshot.state_hash,
        shown=shown,
        shown_head=body.shown_head,
        left=body.left,
    )


EVERY: Final = 32
"""After so many rows a snapshot is due."""
_SHARE: Final = 24
"""How many times as long as it takes to make a snapshot the pause after it is."""
_LEAST_PAUSE_S: Final = 0.01
_AGAIN_S: Final = 30.0

_log = logger(__name__)


class Snapshots:
    """Writes the snapshots that are due, and finds those of a table."""

    def __init__(
        self,
        store: Store,
        *,
        on_kept: Callable[[], None] = lambda: None,
        on_refused: Callable[[], None] = lambda: None,
    ) -> None:
        """``on_refused`` is called for each snapshot that could not be used."""
        self._store = store
        self._on_kept = on_kept
        self._on_refused = on_refused
        self._due: dict[Callable[[], Snapshot | None], None] = {}
        self._wake = asyncio.Event()
        self._decoding = asyncio.Lock()
        """Many are found together: others have their turn in between."""
        self._took = 0.0
        """How long the loop stood still for the last one."""

    def due(self, make: Callable[[], Snapshot | None]) -> None:
        """Have a snapshot of a table made and written some time soon, if one can be made then."""
        self._due[make] = None
        self._wake.set()

    async def run(self) -> None:
        """Write what is due until cancelled."""
        failed = False
        while True:
            await self._wake.wait()
            try:
                await self.write_next()
            except StoreError as error:
                if not failed:  # the rows are there, and nothing else matters
                    _log.warning("snapshot-failed", why=type(error.__cause__ or error).__name__)
                failed = True
                await asyncio.sleep(_AGAIN_S)
                continue
            except Exception as error:  # noqa: BLE001  # no fault of a snapshot stops the others
                _log.error("snapshot-not-made", trace=trace_of(error))
            else:
                failed = False
            await asyncio.sleep(max(self._took * _SHARE, _LEAST_PAUSE_S))

    async def write_next(self) -> bool:
        """Write the snapshot that has been due for longest; False where none is.

        StoreError where it can't be written.
        """
        make = next(iter(self._due), None)
        if make is None:
            self._wake.clear()
            return False
        del self._due[make]
        begun = monotonic()
        snapshot = make()
        self._took = monotonic() - begun
        if snapshot is not None and await self._store.keep(snapshot):
            self._on_kept()
        return True

    async def find(self, table: str, now_ms: int) -> TableSnapshot | None:
        """What a table's load begins from, if anything; never fails."""
        try:
            found = await self._store.snapshots(table)
        except StoreError:
            self.refused(table, 0, "unreadable")
            return None
        for seq, why in found.refused.items():
            self.refused(table, seq, why)
        for snapshot in found.snapshots:
            try:
                async with self._decoding:
                    await asyncio.sleep(0)
                    start = decode_start(snapshot)
            except ValueError as error:
                self.refused(table, snapshot.seq, str(error))
                continue
            async with self._decoding:
                pass  # once the others are decoded too, their rows are asked for together
            if shown_from_ms(start.state) <= now_ms:
                return start
        return None

    def refused(self, table: str, seq: int, why: str) -> None:
        """A snapshot could not be used: the rows are replayed instead."""
        _log.warning("snapshot-refused", table=table, seq=seq, why=why)
        self._on_refused()
