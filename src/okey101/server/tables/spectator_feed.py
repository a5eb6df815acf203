"""Events on their way out: what a client that comes back missed, and what spectators may see."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from okey101.server.tables.state import Stage, TableState

__all__ = ["EncodedEvent", "Past", "SpectatorFeed", "Told"]

Told: TypeAlias = bytes | Callable[[], bytes]
"""A public event, or how it is written: of rows that are replayed most are never sent."""
_Private: TypeAlias = Mapping[int, tuple[str, object]]

_MOST_MOMENTS: Final = 512
"""The most states of the table that are held for a delay."""
_MOST_EVENTS: Final = 8192
"""The most events that are held for spectators."""
_MOST_BYTES: Final = 2 * 1024 * 1024
_MOST_AT_ONCE: Final = 256 * 1024
"""The most bytes sent to a client in one go: half of what may wait for a socket."""


class EncodedEvent:
    """One row as it was told: the public bytes, and each seat's own part with who sat there.

    Either may be given as what writes it, which is then called once, if it is asked for.
    """

    __slots__ = ("_private", "_public", "head", "seq")

    def __init__(
        self,
        seq: int,
        public: Told,
        private: _Private | Callable[[], _Private],
        head: str | None = None,
    ) -> None:
        self.seq = seq
        self._public = public
        self._private = private
        self.head = head
        """The row's head (:mod:`okey101.server.tables.heads`), where there are any."""

    @property
    def public(self) -> bytes:
        """What everybody is told."""
        if not isinstance(self._public, bytes):
            self._public = self._public()
        return self._public

    @property
    def private(self) -> _Private:
        """What each seat alone is told, with who sat there."""
        if callable(self._private):
            self._private = self._private()
        return self._private

    @property
    def size(self) -> int:
        """Bytes of what everybody is told; 0 while it is not written."""
        return len(self._public) if isinstance(self._public, bytes) else 0

    def __repr__(self) -> str:
        """Without the seats' own parts."""
        return f"<EncodedEvent {self.seq}>"


class Past:
    """The last events of a table, oldest first, and no more than may be sent in one go."""

    def __init__(self, most: int) -> None:
        self._events: deque[EncodedEvent] = deque()
        self._sizes: deque[int] = deque()
        self._most = most
        self._bytes = 0

    def add(self, event: EncodedEvent) -> None:
        """Remember one more event."""
        self._events.append(event)
        self._sizes.append(event.size)
        self._bytes += event.size
        while len(self._events) > self._most or self._bytes > _MOST_AT_ONCE:
            self._events.popleft()
            self._bytes -= self._sizes.popleft()

    def forget(self) -> None:
        """Let go of all events: whoever comes back is shown the table as it is."""
        self._events.clear()
        self._sizes.clear()
        self._bytes = 0

    def head_of(self, seq: int) -> str | None:
        """The head that was told with a row; None for one that is forgotten."""
        if not self._events or not self._events[0].seq <= seq <= self._events[-1].seq:
            return None
        return self._events[seq - self._events[0].seq].head

    def since(self, seq: int, until: int) -> list[EncodedEvent] | None:
        """The events after ``seq`` up to ``until``; None where some are forgotten, or too long."""
        if seq == until:
            return []
        if seq > until or not self._events or self._events[0].seq > seq + 1:
            return None
        found = [event for event in self._events if seq < event.seq <= until]
        return found if sum(len(event.public) for event in found) <= _MOST_AT_ONCE else None


@dataclass(slots=True)
class _Moment:
    """Rows that are shown together."""

    opened: float
    """When its first row was written."""
    due: float | None
    """Loop time of the release; None: when the deal is over."""
    state: TableState
    """The table after its last row."""
    told: list[Told] | None
    """The public events; None where they were too many, or too long, to be kept."""
    size: int = 0
    """Bytes of what is told."""


class SpectatorFeed:
    """The table as spectators see it: some time behind, in the same order.

    What it holds is bounded, however much happens meanwhile: rows in quick succession are shown at
    the time of the last, and instead of too many events there is a new view.
    """

    def __init__(self, state: TableState) -> None:
        self.shown = state
        self._held: deque[_Moment] = deque()
        self._events = self._bytes = 0

    def resume(self, shown: TableState, state: TableState, now: float) -> None:
        """Go on from what was shown of a table whose rows since then are no longer at hand."""
        self.shown = shown
        if shown is not state:
            self._held.append(_Moment(now, None, state, None))

    def take(self, state: TableState, public: Told, at: float, now: float) -> Iterable[Told | None]:
        """Take the state after a row written ``at``, and give what may be shown now."""
        if not self._held and self._due(state, self.shown, 0.0) == 0.0:
            self.shown = state
            return (public,)
        self.add(state, public, at)
        return () if self._held[0].due is None else self.release(now)

    def add(self, state: TableState, public: Told, now: float) -> None:
        """Take the state after a row, and the row's public event."""
        due = self._due(state, self._held[-1].state if self._held else self.shown, now)
        if due is not None and state.options.spectators in ("deal", "turn"):
            for held in self._held:
                held.due = now if held.due is None else held.due
        last = self._held[-1] if self._held else None
        if last is not None and last.due is not None and due is not None:
            due = max(due, last.due)
        if last is None or not _joins(last, due, now, _spacing(state)):
            last = _Moment(now, due, state, [])
            self._held.append(last)
        last.due, last.state = due, state
        self._keep(last, public)

    def _due(self, state: TableState, before: TableState, now: float) -> float | None:
        mode = state.options.spectators
        running = state.stage in (Stage.DEALING, Stage.PLAYING, Stage.OVER) and state.match > 0
        if mode == "delayed" and running:
            return now + state.options.delay
        if state.stage is not Stage.PLAYING:
            return now
        return None if mode == "deal" or (mode == "turn" and _same_turn(before, state)) else now

    def _keep(self, moment: _Moment, public: Told) -> None:
        """Keep an event of the newest moment, or from now on none of that moment."""
        if moment.told is None:
            return
        size = len(public) if isinstance(public, bytes) else 0
        few = self._events < _MOST_EVENTS and self._bytes + size <= _MOST_BYTES
        if few and moment.size + size <= _MOST_AT_ONCE:
            moment.told.append(public)
            moment.size += size
            self._events += 1
            self._bytes += size
        else:
            self._forget(moment, moment.told)
            moment.told = None

    def _forget(self, moment: _Moment, told: list[Told]) -> None:
        """Stop holding a moment's events."""
        self._events -= len(told)
        self._bytes -= moment.size

    @property
    def due(self) -> float | None:
        """When the next event may be shown, in loop time; None if unknown, or if there is none."""
        return self._held[0].due if self._held else None

    def release(self, now: float) -> Iterator[Told | None]:
        """The events that may be shown now; ``shown`` moves on with them.

        None stands for events that are not kept: the view of ``shown`` takes their place.
        """
        while self._held:
            due = self._held[0].due
            if due is None or due > now:
                return
            moment = self._held.popleft()
            self.shown = moment.state
            if moment.told is None:
                yield None
            else:
                self._forget(moment, moment.told)
                yield from moment.told


def _same_turn(before: TableState, after: TableState) -> bool:
    """Whether a turn goes on: what is done in it is shown once it is over."""
    old, new = before.deal, after.deal
    if old is None or new is None or before.stage is not Stage.PLAYING:
        return False
    return old.layout is new.layout and old.public.turns == new.public.turns


def _spacing(state: TableState) -> float:
    """How long a moment lasts, in seconds."""
    options = state.options
    return options.delay / _MOST_MOMENTS if options.spectators == "delayed" else 0.0


def _joins(last: _Moment, due: float | None, now: float, spacing: float) -> bool:
    """Whether a row is shown together with those before it."""
    if due is None or last.due is None:
        return due is last.due
    return due == last.due or now < last.opened + spacing
