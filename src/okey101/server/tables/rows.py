"""The rows of a table's log: how they are made and digested, and how many people may cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Raw

from okey101.errors import OkeyError
from okey101.game import Deal
from okey101.game.fair.transcript import PUT_BACK
from okey101.game.public import FORM
from okey101.game.record.form import RULES_VERSION
from okey101.server.protocol.options import TableOptions
from okey101.server.store.base import Row
from okey101.server.tables import log_entries as log
from okey101.server.tables.reduce import create, reduce
from okey101.server.tables.state import Seat, Stage, TableState

# A digest of a table's state for each row of its log: ``VERSION:HEX``.
#
# It covers every field of a state, hidden parts included; of what only grows the last part is
# enough, since the row before covers the rest. The scores of all deals that ended are covered by
# each row, since a load that begins from a snapshot has no rows before it: who forges one there
# has to change rows that clients hold heads of.


STATE_VERSION: Final = 1
"""The version that rows are written with."""

STEADY: Final = frozenset({
    "table", "options", "owner", "seats", "salt", "first_wait_ms", "pause_ms", "stage", "match",
    "dealer", "secret", "cuts", "promises", "shown", "sat", "abandoned", "left_out", "seen",
    "sent_away", "latecomers", "played", "coming", "quits",
})  # fmt: skip
"""Fields that most rows leave alone: they are hashed before the others."""
STEADY_OPEN: Final = frozenset({
    "setup", "table", "owners", "opened", "announced", "high_points", "high_pairs", "playable",
    "placed", "fines",
})  # fmt: skip
"""The same of a deal's open side; the stock as it was dealt is hashed with them."""

_Hashed: TypeAlias = Callable[[Any], object] | None

_ENCODER = msgspec.json.Encoder(order="deterministic")


class _Covered:
    """Named attributes of something, some of them worked over."""

    def __init__(self, listed: Iterable[tuple[str, _Hashed]]) -> None:
        pairs = list(listed)
        self.values = attrgetter(*(name for name, _ in pairs))
        self._worked = [(at, hashed) for at, (_, hashed) in enumerate(pairs) if hashed]

    def of(self, value: object) -> list[object]:
        """The parts of a value, in the order listed."""
        parts = [*self.values(value)]
        for at, hashed in self._worked:
            parts[at] = hashed(parts[at])
        return parts


_STEADY_OPEN: Final = _Covered(
    (item.name, item.hashed) for item in FORM.fields if item.name in STEADY_OPEN
)
_THEN_OPEN: Final = _Covered(
    (item.name, item.hashed) for item in FORM.fields if item.name not in STEADY_OPEN
)


def _deal_parts(deal: Deal | None) -> list[object] | None:
    return None if deal is None else [deal.hands, deal.drawn, *_THEN_OPEN.of(deal.public)]


_WORKED: Final[dict[str, Callable[[Any], object]]] = {
    "sent_away": sorted,
    "latecomers": sorted,
    "left_out": sorted,
    "heard": lambda heard: [(user, h.rid, h.seq) for user, h in heard.items()],
    # The row that ends a deal empties ``actors``: who did that is covered here.
    "played": lambda played: (
        [p.deal.result and (p.deal.result.scores, p.deal.result.counts) for p in played],
        [(p.secret, p.cuts, p.actors[-1:]) for p in played[-1:]],
    ),
    "actors": lambda actors: (len(actors), actors[-1:]),
    "deal": _deal_parts,
}  # fmt: skip
"""What is covered of a field that is not covered as it is."""
_NAMES: Final = [
    name
    for name in TableState.__struct_fields__
    if name not in ("rules", "day")  # in the options; only at tables of a day
]
_FIRST: Final = _Covered((name, _WORKED.get(name)) for name in _NAMES if name in STEADY)
_THEN: Final = _Covered((name, _WORKED.get(name)) for name in _NAMES if name not in STEADY)
_OPTIONS_AT: Final = [name for name in _NAMES if name in STEADY].index("options")


class SteadyTexts:
    """What next to never changes at a table, hashed once: most of what a state is hashed of."""

    def __init__(self) -> None:
        self._parts: tuple[object, ...] = ()
        self._open: tuple[object, ...] = ()
        self._options: TableOptions | None = None
        self._told = Raw()
        """The options, the longest part, as they are hashed."""
        self._digest = blake2b()

    def digest(self, state: TableState) -> blake2b:
        """A digest of a state's steady parts, to which the others are added."""
        parts, deal = _FIRST.values(state), state.deal
        lies = () if deal is None else (deal.layout, *_STEADY_OPEN.values(deal.public))
        # Compared as objects first, and they are the same ones until somebody lays.
        if lies != self._open or parts != self._parts:
            self._parts, self._open = parts, lies
            covered = _FIRST.of(state)
            if state.options is not self._options:
                self._options, self._told = state.options, Raw(_ENCODER.encode(state.options))
            covered[_OPTIONS_AT] = self._told
            if state.day is not None:
                covered.append(state.day)
            if deal is not None:
                covered += [deal.layout.stock, *_STEADY_OPEN.of(deal.public)]
            self._digest = blake2b(_ENCODER.encode(covered), digest_size=8)
        return self._digest.copy()


def state_hash(state: TableState, texts: SteadyTexts | None = None) -> str:
    """A short digest of all a state holds, hidden parts included, with its version.

    ``texts`` are those of its table where they are at hand.
    """
    digest = (SteadyTexts() if texts is None else texts).digest(state)
    digest.update(_ENCODER.encode(_THEN.of(state)))
    return f"{STATE_VERSION}:{digest.hexdigest()}"


def is_newer(text: str) -> bool:
    """Whether a row's hash is of a later version than this program knows."""
    number, colon, _ = text.partition(":")
    known = bool(colon) and number.isascii() and number.isdecimal()
    return known and float(number) > STATE_VERSION  # however many digits it has


def read_first(row: Row) -> TableState:
    """The state after the first row of a log; ValueError for one that is no first row."""
    entry = log.read_entry(row.entry)
    if not isinstance(entry, log.Created):
        raise ValueError("the first row creates the table")
    return create(row.table, entry, row.at_ms)


def fault_of(row: Row, state: TableState, texts: SteadyTexts | None = None) -> str | None:
    """Why a state is not the one that a row led to, or can't be known to be; None where it is.

    ``texts`` has what is hashed of a table and seldom changes, for those who ask row after row.
    """
    if row.rules_version > RULES_VERSION:
        return "newer-rules"
    if is_newer(row.state_hash):
        return "newer-state"
    if row.seq != state.seq or row.state_hash != state_hash(state, texts):
        return "state-differs"
    return None


def followed(
    state: TableState | None, row: Row, texts: SteadyTexts | None = None
) -> tuple[log.Entry, TableState] | str:
    """The entry of a row, and the state after it; or why it can't be taken, as a code or an error.

    ``state`` is that before it, None for the first row of a log.
    """
    try:
        entry = log.read_entry(row.entry)
        after = read_first(row) if state is None else reduce(state, entry, row.at_ms)
    except (OkeyError, msgspec.DecodeError, ValueError, AssertionError) as error:
        return type(error).__name__
    return fault_of(row, after, texts) or (entry, after)


def row_of(state: TableState, entry: log.Entry, texts: SteadyTexts) -> Row:
    """The row of an entry that leads to a state."""
    return Row(
        table=state.table,
        seq=state.seq,
        at_ms=state.at_ms,
        entry=log.encode_entry(entry),
        rules_version=RULES_VERSION,
        state_hash=state_hash(state, texts),
        last=state.stage is Stage.CLOSED,
    )


def closing_row(last: Row, at_ms: int) -> Row:
    """The row that closes a table whose state is not known."""
    entry = log.encode_entry(log.Closed(why="admin"))
    at_ms = max(at_ms, last.at_ms)
    return last._replace(seq=last.seq + 1, at_ms=at_ms, entry=entry, state_hash="", last=True)


# What rows leave behind, and how often people may come, go and change their minds at a table: every
# time is a row for ever.


MOST_CHANGES_EACH: Final = 300
"""What one person may do at a table beside playing, from one match's start to the next one's."""
MOST_CHANGES: Final = 3_000
"""The same of everybody together, so that no crowd of guests gets around it."""

_MATCHES: Final = 64
"""Of so many matches it is known who played them."""
_COUNTED: Final = (log.Sat, log.Left, log.ReadySet, log.BotSet, log.RematchSet, log.Renamed)


class LeftBehind(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What the rows of a table leave behind beside its state, for a load to begin from."""

    changes: dict[str, int] = {}
    """The rows of each person that no match needs, since the last one began."""
    loss_ms: int = 0
    """When the table was last told of lost rows, in ms; no other copy of its log has the same."""
    told_at: int = 0
    """The last row that told of a loss."""
    history: dict[int, tuple[Seat, ...]] = {}
    """Who sat there at the end of each of the last matches, whoever sits there since."""

    def take(self, before: TableState, after: TableState, entry: log.Entry) -> None:
        """A row was written; of actions those alone count that begin or end something."""
        again = isinstance(entry, log.RematchSet) and entry.secret is not None
        if again or isinstance(entry, log.Started):
            self.changes.clear()
        elif isinstance(entry, _COUNTED):
            self.changes[entry.user] = self.changes.get(entry.user, 0) + 1
        elif isinstance(entry, log.Abandoned) and entry.why in PUT_BACK:
            self.told_at = after.seq
            self.loss_ms = max(self.loss_ms + 1, after.at_ms)
        if after.stage is Stage.OVER and before.stage is not Stage.OVER:
            self.history[after.match] = after.seats
            if len(self.history) > _MATCHES:
                del self.history[next(iter(self.history))]

    def spent(self, entry: log.Entry) -> bool:
        """Whether a row would be one too many; whoever wants to leave always may."""
        if not isinstance(entry, _COUNTED) or isinstance(entry, log.Left):
            return False
        mine, all_ = self.changes.get(entry.user, 0), sum(self.changes.values())
        return mine >= MOST_CHANGES_EACH or all_ >= MOST_CHANGES

    def players(self, state: TableState) -> tuple[Seat, ...]:
        """Those who played the match of a state; while it is played, those who sit there."""
        over = state.stage is Stage.OVER
        return self.history.get(state.match, state.seats) if over else state.seats
