"""Who watches a table, and what each of them is told about a row: their own part, or the public
one.

Nothing here changes the table. People with a seat hear of everything at once; those without one
follow the :class:`okey101.server.tables.spectator_feed.SpectatorFeed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Protocol

from msgspec import Raw

from okey101.server.close_codes import CLOSE_GONE, CLOSE_KICKED, CLOSE_REPLACED, CLOSE_UNSEEN
from okey101.server.errors import refuse
from okey101.server.tables import log_entries as log
from okey101.server.tables import serialise
from okey101.server.tables.match_record import SeatHistory
from okey101.server.tables.snapshot_form import TableSnapshot
from okey101.server.tables.spectator_feed import EncodedEvent, Past, SpectatorFeed, Told
from okey101.server.tables.state import Stage, TableState

__all__ = [
    "Audience",
    "Viewer",
    "may_watch",
    "slow_notice",
]

_KEPT_EVENTS: Final = 256


class Viewer(Protocol):
    """One socket: a person at the table, or one who only looks."""

    user: str | None
    options: bool
    """Whether the viewer wants the options of each of its turns."""
    muted: set[str]
    """People whose phrases are not wanted."""

    def send(self, data: bytes) -> None:
        """Take a message to be sent; never waits."""
        ...

    def close(self, code: int, reason: str) -> None:
        """End the connection after what was sent; never waits."""
        ...


class Audience:
    """The viewers of one table, and since when its people are away; times are running times."""

    def __init__(
        self,
        state: TableState,
        name_of: Callable[[str], str | None],
        on_events: Callable[[int], None],
        now: Callable[[], float],
    ) -> None:
        self.feed = SpectatorFeed(state)
        self.seat_history = SeatHistory(state)
        """Who played the last matches, for their records."""
        self._state = state
        self._name_of = name_of
        self._on_events = on_events
        self._past = Past(_KEPT_EVENTS)
        self.head: str | None = None
        """The head of the last row, where the server marks rows."""
        self._heads_before: dict[int, str | None] = {}
        """Those of rows before the first event."""
        self.seated: dict[str, Viewer] = {}
        """The people at the table who are connected, by id."""
        self.watching: dict[Viewer, None] = {}
        """Everybody else who is connected, the newest last."""
        self._time = now
        self.absent = dict.fromkeys(state.people, now())
        """Since when each person at the table is away."""
        self.alone_since: float | None = now()
        """Since when nobody is connected."""

    def resume(self, start: TableSnapshot, head: str | None) -> None:
        """Go on from a table's snapshot, whose row has this head."""
        self.head = head
        self._heads_before = {start.shown.seq: start.shown_head, start.state.seq: head}
        self.seat_history.resume(start.history)
        self.feed.resume(start.shown, start.state, self._time())

    @property
    def everybody(self) -> list[Viewer]:
        """All viewers."""
        return [*self.seated.values(), *self.watching]

    def here(self) -> list[bool]:
        """For each seat whether its person is connected; True for a bot."""
        return [
            seat.bot is not None or (seat.user is not None and seat.user in self.seated)
            for seat in self._state.seats
        ]

    def send_all(self, message: serialise.Json) -> None:
        """Send everybody the same."""
        data = serialise.encode(message)
        for viewer in self.everybody:
            viewer.send(data)

    # A row ------------------------------------------------------------------------------------

    def tell(
        self,
        before: TableState,
        after: TableState,
        entry: log.Entry,
        at: float,
        now: float,
        head: str | None = None,
        *,
        later: bool = False,
    ) -> None:
        """Tell of a row that is in the log since ``at``, in running time.

        ``later`` writes what is told of it only if somebody asks: for a table that is loaded.
        """
        self._state = after
        self.head = head
        self.seat_history.tell(before, after)
        public: Told
        if later:
            public = partial(self._public, before, after, entry, head)
            event = EncodedEvent(after.seq, public, partial(_private, before, after), head)
        else:
            public = self._public(before, after, entry, head)
            event = EncodedEvent(after.seq, public, _private(before, after), head)
        if before.stage is Stage.OVER and after.stage is not Stage.OVER:
            self._past.forget()  # whoever comes now may not have been allowed to see that match
        self._past.add(event)
        moved = before.seats is not after.seats
        if before.coming is not after.coming:
            self._comers_changed(before, after)
        if moved:
            self._people_changed(before, after)
        seated = self.seated
        for number, (user, *_) in enumerate(after.seats):
            if user is not None and (viewer := seated.get(user)) is not None:
                self._tell(viewer, number, event, before)
        if moved:
            self._people_told(before, after)
        self._on_events(len(seated))
        if not may_watch(after):
            self._dismiss()
        self._show(self.feed.take(after, public, at, now))

    def _public(
        self, before: TableState, after: TableState, entry: log.Entry, head: str | None
    ) -> bytes:
        message: serialise.Json = {
            "type": "event",
            "seq": after.seq,
            "at": after.at_ms,
            "what": serialise.what_happened(entry, before),
        }
        if head is not None:
            message["head"] = head
        renamed = isinstance(entry, log.Renamed)
        table = serialise.table_patch(before, after, self._name_of, renamed=renamed)
        if table:
            message["table"] = table
        deal = serialise.deal_patch(before, after)
        if deal is not None:
            message["deal"] = deal
        return serialise.encode(message)

    def _tell(self, viewer: Viewer, seat: int, event: EncodedEvent, before: TableState) -> None:
        """Send a seat the event, with what it alone may know."""
        part = self._with_options(viewer, seat, before) if viewer.options else None
        if part is None and seat in event.private:
            part = event.private[seat][1]
        viewer.send(event.public if part is None else serialise.splice(event.public, "you", part))

    def _with_options(self, viewer: Viewer, seat: int, before: TableState) -> object:
        """A seat's part with the options of its turn; None where it must not have them."""
        state = self._state
        deal = state.deal
        if deal is None or deal.public.turn != seat:
            return None
        if deal is before.deal and before.seats[seat].user == viewer.user:
            return None
        return serialise.you(state, seat, serialise.options_for(state, seat))

    def seen_by(self, viewer: Viewer) -> TableState:
        """The state that a viewer is shown its part of."""
        return self._state if viewer in self.seated.values() else self.feed.shown

    def tell_muted(self, viewer: Viewer) -> None:
        """Tell a viewer the seats, as it sees them, of those it has muted."""
        seats = [n for n, s in enumerate(self.seen_by(viewer).seats) if s.user in viewer.muted]
        viewer.send(serialise.encode({"type": "muted", "seats": seats}))

    def _comers_changed(self, before: TableState, after: TableState) -> None:
        """Tell those whose seat was promised, and those who have it or lost the promise."""
        for viewer in [*self.watching]:
            seat = after.coming_to(viewer.user)
            if before.coming_to(viewer.user) == seat:
                continue
            viewer.send(_coming(seat))
            if viewer.user in after.sent_away:
                del self.watching[viewer]
                viewer.close(CLOSE_KICKED, "kicked")

    def _people_changed(self, before: TableState, after: TableState) -> None:
        """Move viewers who sat down or left."""
        now = self._time()
        gone = set(before.people) - set(after.people)
        come = set(after.people) - set(before.people)
        for user in gone:
            self.absent.pop(user, None)
            viewer = self.seated.pop(user, None)
            if viewer is None:
                continue
            if user in after.sent_away:
                viewer.close(CLOSE_KICKED, "kicked")
            elif not may_watch(after):
                viewer.close(CLOSE_UNSEEN, "spectators-off")
            else:
                self.watching[viewer] = None
                viewer.send(self.view(None))
        for user in come:
            for viewer in [v for v in reversed(self.watching) if v.user == user]:
                del self.watching[viewer]
                if user in self.seated:
                    viewer.close(CLOSE_REPLACED, "replaced")
                    continue
                self.seated[user] = viewer
                # The next event continues from the state before it.
                viewer.send(self._view_at(before, after.seat_of(user)))
            if user not in self.seated:
                self.absent[user] = now

    def _people_told(self, before: TableState, after: TableState) -> None:
        """Say which seats changed people: who is here, and who is muted."""
        for number, seat in enumerate(after.seats):
            if seat.user is not None and seat.user != before.seats[number].user:
                self._presence(number, here=seat.user in self.seated)
        if before.people != after.people:
            for viewer in self.seated.values():
                if viewer.muted:
                    self.tell_muted(viewer)

    def _dismiss(self) -> None:
        """Send away those who may not watch a match at this table."""
        watching, self.watching = self.watching, {}
        for viewer in watching:
            viewer.close(CLOSE_UNSEEN, "spectators-off")

    def release(self) -> None:
        """Tell spectators what they may know by now."""
        self._show(self.feed.release(self._time()))

    def _show(self, told: Iterable[Told | None]) -> None:
        for public in told:
            if self.watching:
                data = self.view(None) if public is None else public
                data = data if isinstance(data, bytes) else data()
                for viewer in self.watching:
                    viewer.send(data)

    def view(self, seat: int | None) -> bytes:
        """The ``view`` message for a seat, or for somebody without one."""
        return self._view_at(self.feed.shown if seat is None else self._state, seat)

    def _view_at(self, state: TableState, seat: int | None) -> bytes:
        options = None
        if seat is not None and state is self._state:
            viewer = self.seated.get(state.seats[seat].user or "")
            if viewer is not None and viewer.options:
                options = serialise.options_for(state, seat)
        own = None if seat is not None and state.seats[seat].user is None else seat
        view: serialise.Json = {
            "type": "view",
            "seq": state.seq,
            "at": state.at_ms,
            "table": serialise.table_view(state, self._name_of),
            "deal": serialise.deal_view(state),
            "you": serialise.you(state, own, options),
            "here": self.here(),
        }
        return serialise.encode(view | self._head_at(state.seq))

    def _head_at(self, seq: int) -> serialise.Json:
        head = self.head_of(seq)
        return {} if head is None else {"head": head}

    def head_of(self, seq: int) -> str | None:
        """The head of a row that was told not long ago."""
        if seq == self._state.seq:
            return self.head
        return self._past.head_of(seq) or self._heads_before.get(seq)

    # Coming and going -------------------------------------------------------------------------

    def enter(self, viewer: Viewer, seq: int | None) -> None:
        """Let a viewer in, and show it what it missed since ``seq``, or all.

        OkeyError ``spectators-off``, ``kicked`` and ``table-closed``.
        """
        state = self._state
        if state.stage is Stage.CLOSED:
            refuse("table-closed")
        seat = state.seat_of(viewer.user)
        coming = state.coming_to(viewer.user)
        if seat is None:
            if viewer.user in state.sent_away:
                refuse("kicked")
            if not may_watch(state):
                refuse("spectators-off")
            self.watching[viewer] = None
        else:
            assert viewer.user is not None
            self._sit_down(viewer, viewer.user, seat)
        self.alone_since = None
        self._catch_up(viewer, seat, seq)
        if viewer.muted:
            self.tell_muted(viewer)
        if coming is not None:
            viewer.send(_coming(coming))

    def _sit_down(self, viewer: Viewer, user: str, seat: int) -> None:
        old = self.seated.pop(user, None)
        if old is not None:
            old.close(CLOSE_REPLACED, "replaced")
        was_absent = self.absent.pop(user, None) is not None
        if was_absent and old is None:
            self._presence(seat, here=True)
        self.seated[user] = viewer

    def _catch_up(self, viewer: Viewer, seat: int | None, seq: int | None) -> None:
        shown = self.feed.shown if seat is None else self._state
        missed = None if seq is None else self._past.since(seq, shown.seq)
        if missed is None or (seat is not None and not _same_holder(missed, seat, viewer.user)):
            viewer.send(self.view(seat))
            return
        for event in missed:
            part = None if seat is None else event.private.get(seat)
            data = event.public if part is None else serialise.splice(event.public, "you", part[1])
            viewer.send(data)
        own: serialise.Json | None = None
        if seat is not None:
            options = serialise.options_for(shown, seat) if viewer.options else None
            own = serialise.you(shown, seat, options)
        resumed: serialise.Json = {"type": "resumed", "seq": shown.seq, "at": shown.at_ms}
        resumed |= {"you": own, "here": self.here()}
        viewer.send(serialise.encode(resumed | self._head_at(shown.seq)))

    def leave(self, viewer: Viewer) -> None:
        """A viewer is gone; calling it again does nothing."""
        self.watching.pop(viewer, None)
        now = self._time()
        user = viewer.user
        if user is not None and self.seated.get(user) is viewer:
            del self.seated[user]
            self.absent[user] = now
            seat = self._state.seat_of(user)
            if seat is not None:
                self._presence(seat, here=False)
        if not self.seated and not self.watching and self.alone_since is None:
            self.alone_since = now

    def _presence(self, seat: int, *, here: bool) -> None:
        self.send_all({"type": "presence", "seat": seat, "here": here})

    def say(self, user: str, phrase: str) -> None:
        """Pass a phrase on to those who want to hear it; OkeyError if it may not be said.

        Spectators who are behind the table hear nothing.
        """
        seat = self._state.seat_of(user)
        if seat is None:
            refuse("not-seated")
        if not self._state.options.phrases:
            refuse("phrases-off")
        data = serialise.encode({"type": "said", "seat": seat, "phrase": phrase})
        hearing = [*self.seated.values()]
        if self.feed.shown is self._state:
            hearing += self.watching
        for viewer in hearing:
            if user not in viewer.muted:
                viewer.send(data)

    def close(self) -> None:
        """Send everybody away for good."""
        viewers = self.everybody
        self.seated, self.watching = {}, {}
        for viewer in viewers:
            viewer.close(CLOSE_GONE, "table-closed")


def slow_notice(*, slow: bool) -> serialise.Json:
    """What is said where the disk doesn't answer, and when it does again."""
    return {"type": "notice", "code": "store-slow", "on": slow}


def may_watch(state: TableState) -> bool:
    """Whether those without a seat may see the table."""
    return state.options.spectators != "off" or state.stage is Stage.WAITING


def _coming(seat: int | None) -> bytes:
    return serialise.encode({"type": "coming", "seat": seat})


def _private(before: TableState, after: TableState) -> dict[int, tuple[str, object]]:
    """What each seat alone is told of a row, with who sits there."""
    changed = set(serialise.hands_changed(before, after))
    if before.seats is not after.seats:
        changed |= {n for n, seat in enumerate(after.seats) if before.seat_of(seat.user) != n}
    return {
        number: (user, Raw(serialise.encode(serialise.you(after, number))))
        for number in changed
        if (user := after.seats[number].user) is not None
    }


def _same_holder(missed: list[EncodedEvent], seat: int, user: str | None) -> bool:
    return all(e.private[seat][0] == user for e in missed if seat in e.private)
