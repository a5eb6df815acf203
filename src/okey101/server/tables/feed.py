"""Events on their way out: what a client that comes back missed, and what spectators may see."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from okey101.server.tables.state import Stage, TableState

__all__ = ["Event", "Past", "SpectatorFeed"]


class Event(NamedTuple):
    """One row as it was told: the public bytes, and each seat's own part with who sat there."""

    seq: int
    public: bytes
    private: Mapping[int, tuple[str, object]]

    def __repr__(self) -> str:
        """Without the seats' own parts."""
        return f"<Event {self.seq}>"


class Past:
    """The last events of a table, oldest first."""

    def __init__(self, most: int) -> None:
        self._events: deque[Event] = deque(maxlen=most)

    def add(self, event: Event) -> None:
        """Remember one more event."""
        self._events.append(event)

    def since(self, seq: int, until: int) -> list[Event] | None:
        """The events after ``seq`` up to ``until``; None where some are forgotten."""
        if seq == until:
            return []
        if seq > until or not self._events or self._events[0].seq > seq + 1:
            return None
        return [event for event in self._events if seq < event.seq <= until]


class _Held(NamedTuple):
    due: float | None
    """Loop time of the release; None: when the deal is over."""
    state: TableState | None
    """None where the next one is shown at the same moment: a deal has hundreds."""
    public: bytes


class SpectatorFeed:
    """The table as spectators see it: some time behind, in the same order."""

    def __init__(self, state: TableState) -> None:
        self.shown = state
        self._held: deque[_Held] = deque()

    def add(self, state: TableState, public: bytes, now: float) -> None:
        """Take the state after a row, and the row's public event."""
        mode = state.options.spectators
        running = state.stage in (Stage.DEALING, Stage.PLAYING, Stage.OVER) and state.match > 0
        due: float | None = now
        if mode == "delayed" and running:
            due = now + state.options.delay
        elif mode == "deal" and state.stage is Stage.PLAYING:
            due = None
        if due is not None:
            if mode == "deal":
                self._held = deque(
                    held._replace(due=now) if held.due is None else held for held in self._held
                )
            elif self._held and self._held[-1].due is not None:
                due = max(due, self._held[-1].due)
        elif self._held and self._held[-1].due is None:
            self._held[-1] = self._held[-1]._replace(state=None)
        self._held.append(_Held(due, state, public))

    @property
    def due(self) -> float | None:
        """When the next event may be shown, in loop time; None for not yet known or none."""
        return self._held[0].due if self._held else None

    def release(self, now: float) -> Iterator[bytes]:
        """The events that may be shown now; ``shown`` goes along."""
        while self._held:
            due = self._held[0].due
            if due is None or due > now:
                return
            held = self._held.popleft()
            if held.state is not None:
                self.shown = held.state
            yield held.public
