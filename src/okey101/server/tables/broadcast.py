"""Who watches a table, what each is told about a row, and what a client that comes back missed.

Nothing here changes the table.
"""

from __future__ import annotations

import hmac
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import Final, Protocol, TypeAlias

from okey101.server.errors import refuse
from okey101.server.net.close_codes import CLOSE_GONE, CLOSE_KICKED, CLOSE_REPLACED, CLOSE_UNSEEN
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.snapshots import TableSnapshot
from okey101.server.tables.state import Stage, TableState

# Events on their way out: what a client that comes back missed, and what spectators may see.

_Told: TypeAlias = bytes | Callable[[], bytes]
"""A public event, or how it is written: of rows that are replayed most are never sent."""
_Private: TypeAlias = Mapping[int, tuple[str, bytes]]

_MOST_MOMENTS: Final = 512
"""The most states of the table that are held for a delay."""
_MOST_EVENTS: Final = 8192
"""The most events that are held for spectators; in place of those before there is a view."""
_MOST_BYTES: Final = 2 * 1024 * 1024
_MOST_AT_ONCE: Final = 256 * 1024
"""The most bytes sent to a client in one go: half of what may wait for a socket."""


@dataclass(slots=True, eq=False, repr=False)
class EncodedEvent:
    """One row as it was told: the public bytes, and each seat's own part with who sat there.

    Either may be given as what writes it, which is then called once, if it is asked for.
    """

    seq: int
    told: _Told
    _private: _Private | Callable[[], _Private]
    head: str | None = None
    """The row's head (:class:`ResumeTokens`), where there are any."""

    @property
    def public(self) -> bytes:
        """What everybody is told."""
        if not isinstance(self.told, bytes):
            self.told = self.told()
        return self.told

    @property
    def private(self) -> _Private:
        """What each seat alone is told, with who sat there."""
        if callable(self._private):
            self._private = self._private()
        return self._private

    def __repr__(self) -> str:
        """Without the seats' own parts."""
        return f"<EncodedEvent {self.seq}>"


class Past:
    """The last events of a table, oldest first.

    It keeps no more than may be sent in one go, and what spectators have still to see.
    """

    def __init__(self, most: int) -> None:
        self._events: deque[EncodedEvent] = deque()
        self._sizes: deque[int] = deque()
        self._most = most
        self._bytes = 0

    def add(self, event: EncodedEvent, shown: int) -> None:
        """Remember one more event; spectators have seen those up to the row ``shown``."""
        size = len(event.told) if isinstance(event.told, bytes) else 0  # 0: it is not written yet
        self._events.append(event)
        self._sizes.append(size)
        self._bytes += size
        while self._exceeds(self._most, _MOST_AT_ONCE) and (
            self._events[0].seq <= shown or self._exceeds(_MOST_EVENTS, _MOST_BYTES)
        ):
            self._events.popleft()
            self._bytes -= self._sizes.popleft()

    def _exceeds(self, events: int, size: int) -> bool:
        return len(self._events) > events or self._bytes > size

    def head_of(self, seq: int) -> str | None:
        """The head that was told with a row; None for one that is forgotten."""
        return next((event.head for event in self._events if event.seq == seq), None)

    def since(self, seq: int, until: int) -> list[EncodedEvent] | None:
        """The events after ``seq`` up to ``until``; None where some are forgotten, or too long."""
        if seq == until:
            return []
        if seq > until or not self._events or self._events[0].seq > seq + 1:
            return None
        first = self._events[0].seq
        found = [*islice(self._events, seq + 1 - first, until + 1 - first)]
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


class SpectatorFeed:
    """The table as spectators see it: some time behind, in the same order.

    What it holds is bounded, however much happens meanwhile: rows in quick succession are shown at
    the time of the last.
    """

    def __init__(self, state: TableState) -> None:
        self.shown = state
        self._held: deque[_Moment] = deque()

    def resume(self, shown: TableState, state: TableState, now: float) -> None:
        """Go on from what was shown of a table whose rows since then are no longer at hand."""
        self.shown = shown
        if shown is not state:
            self._held.append(_Moment(now, None, state))

    def take(self, state: TableState, at: float, now: float) -> Iterable[TableState]:
        """Take the state after a row written ``at``, and give what may be shown now."""
        if not self._held:
            if self._due(state, self.shown, 0.0) == 0.0:
                self.shown = state
                return (state,)
        elif (
            len(self._held) == 1
            and (only := self._held[0]).due is None
            and state.stage is Stage.PLAYING
            and state.options.spectators == "deal"
        ):
            only.state = state
            return ()
        self.add(state, at)
        return () if self._held[0].due is None else self.release(now)

    def add(self, state: TableState, now: float) -> None:
        """Take the state after a row."""
        due = self._due(state, self._held[-1].state if self._held else self.shown, now)
        if due is not None and state.options.spectators in ("deal", "turn"):
            for held in self._held:
                held.due = now if held.due is None else held.due
        last = self._held[-1] if self._held else None
        if last is not None and last.due is not None and due is not None:
            due = max(due, last.due)
        delayed = state.options.spectators == "delayed"
        spacing = state.options.delay / _MOST_MOMENTS if delayed else 0.0
        if last is None or not _joins(last, due, now, spacing):
            self._held.append(_Moment(now, due, state))
        else:
            last.due, last.state = due, state

    def _due(self, state: TableState, before: TableState, now: float) -> float | None:
        mode = state.options.spectators
        running = state.stage in (Stage.DEALING, Stage.PLAYING, Stage.OVER) and state.match > 0
        if mode == "delayed" and running:
            return now + state.options.delay
        if state.stage is not Stage.PLAYING:
            return now
        return None if mode == "deal" or (mode == "turn" and _same_turn(before, state)) else now

    @property
    def due(self) -> float | None:
        """When the next state may be shown, in loop time; None if unknown, or if there is none."""
        return self._held[0].due if self._held else None

    def release(self, now: float) -> Iterator[TableState]:
        """The states that may be shown now, each as it becomes the one that is ``shown``."""
        while self._held:
            due = self._held[0].due
            if due is None or due > now:
                return
            self.shown = self._held.popleft().state
            yield self.shown


def _same_turn(before: TableState, after: TableState) -> bool:
    """Whether a turn goes on: what is done in it is shown once it is over."""
    old, new = before.deal, after.deal
    if old is None or new is None or before.stage is not Stage.PLAYING:
        return False
    return old.layout is new.layout and old.public.turns == new.public.turns


def _joins(last: _Moment, due: float | None, now: float, spacing: float) -> bool:
    """Whether a row is shown together with those before it, in a moment of ``spacing`` seconds."""
    if due is None or last.due is None:
        return due is last.due
    return due == last.due or now < last.opened + spacing


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
        called: serialise.CalledBy,
        on_events: Callable[[int], None],
        now: Callable[[], float],
        tokens: ResumeTokens | None,
    ) -> None:
        self.feed = SpectatorFeed(state)
        self._state = state
        self._called = called
        self._on_events = on_events
        self._past = Past(_KEPT_EVENTS)
        self._left_match = 0
        """The last row of the match before: who comes now may not have been allowed to see it."""
        self._tokens = tokens
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

    def mark(self, state: TableState, state_hash: str, loss_ms: int) -> None:
        """Make the head of the row that led to a state; see :meth:`ResumeTokens.of`."""
        if self._tokens is not None:
            self.head = self._tokens.of(state.table, state.seq, loss_ms, state_hash)
        if not self._heads_before:
            self._heads_before[state.seq] = self.head

    def resume(self, start: TableSnapshot) -> None:
        """Go on from a table's snapshot."""
        self.mark(start.state, start.state_hash, start.left.loss_ms)
        self._heads_before = {start.shown.seq: start.shown_head, start.state.seq: self.head}
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
        *,
        later: bool,
    ) -> None:
        """Tell of a row that is in the log since ``at``, in running time.

        ``later`` writes what is told of it only if somebody asks: for a table that is loaded.
        """
        self._state = after
        head = self.head
        if later:
            told = partial(self._public, before, after, entry, head)
            event = EncodedEvent(after.seq, told, partial(_private, before, after), head)
        else:
            public = self._public(before, after, entry, head)
            event = EncodedEvent(after.seq, public, _private(before, after), head)
        if before.stage is Stage.OVER and after.stage is not Stage.OVER:
            self._left_match = before.seq
        self._past.add(event, self.feed.shown.seq)
        moved = before.seats is not after.seats
        if before.coming is not after.coming:
            self._comers_changed(before, after)
        if moved:
            self._people_changed(before, after)
        seated = self.seated
        if seated:
            everybody, private = event.public, event.private
            for number, seat in enumerate(after.seats):
                viewer = seated.get(seat.user or "")
                if viewer is None:
                    continue
                own = self._with_options(viewer, number, before) if viewer.options else None
                if own is None and number in private:
                    own = private[number][1]
                viewer.send(everybody if own is None else serialise.with_own(everybody, own))
            self._on_events(len(seated))
        if moved:
            self._people_told(before, after)
        if self.watching and not may_watch(after):
            watching, self.watching = self.watching, {}
            for viewer in watching:
                viewer.close(CLOSE_UNSEEN, "spectators-off")
        shown = self.feed.shown
        if states := self.feed.take(after, at, now):
            self._show(shown, states)

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
        table = serialise.table_patch(before, after, self._called, entry)
        if table:
            message["table"] = table
        deal = serialise.deal_patch(before, after)
        if deal is not None:
            message["deal"] = deal
        return serialise.encode(message)

    def _with_options(self, viewer: Viewer, seat: int, before: TableState) -> bytes | None:
        """A seat's part with the options of its turn; None where it must not have them."""
        state = self._state
        deal = state.deal
        if deal is None or deal.public.turn != seat:
            return None
        if deal is before.deal and before.seats[seat].user == viewer.user:
            return None
        return serialise.encode(serialise.you(state, seat, serialise.options_for(state, seat)))

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
                self._tell_own(viewer)
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
        if _moved(before, after):
            for viewer in self.seated.values():
                if viewer.muted:
                    self.tell_muted(viewer)

    def release(self) -> None:
        """Tell spectators what they may know by now."""
        self._show(self.feed.shown, self.feed.release(self._time()))

    def _show(self, before: TableState, states: Iterable[TableState]) -> None:
        """Show spectators what followed on the state that they were shown.

        A view takes the place of events that are forgotten, or too long to be sent in one go.
        """
        whole, seq = False, before.seq
        for state in states:
            if self.watching:
                events = self._past.since(seq, state.seq)
                whole = whole or events is None
                told = [self.view(None)] if events is None else [event.public for event in events]
                for data in told:
                    for viewer in self.watching:
                        viewer.send(data)
            seq = state.seq
        moved = _moved(before, self.feed.shown)
        for viewer in self.watching:
            if whole:
                self._tell_own(viewer)
            elif moved and viewer.muted:
                self.tell_muted(viewer)

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
            "table": serialise.table_view(state, self._called),
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
        if seat is None:
            if viewer.user in state.sent_away:
                refuse("kicked")
            if not may_watch(state):
                refuse("spectators-off")
            self.watching[viewer] = None
        else:
            assert viewer.user is not None
            old = self.seated.pop(viewer.user, None)
            if old is not None:
                old.close(CLOSE_REPLACED, "replaced")
            if self.absent.pop(viewer.user, None) is not None and old is None:
                self._presence(seat, here=True)
            self.seated[viewer.user] = viewer
        self.alone_since = None
        self._catch_up(viewer, seat, seq)
        self._tell_own(viewer)

    def _tell_own(self, viewer: Viewer) -> None:
        """After a view: whom a viewer has muted, and which seat is promised to it."""
        if viewer.muted:
            self.tell_muted(viewer)
        coming = self._state.coming_to(viewer.user)
        if coming is not None:
            viewer.send(_coming(coming))

    def _catch_up(self, viewer: Viewer, seat: int | None, seq: int | None) -> None:
        shown = self.feed.shown if seat is None else self._state
        missed = None
        if seq is not None and seq >= self._left_match:
            missed = self._past.since(seq, shown.seq)
        if missed is None or (seat is not None and not _same_holder(missed, seat, viewer.user)):
            viewer.send(self.view(seat))
            return
        for event in missed:
            part = None if seat is None else event.private.get(seat)
            data = event.public if part is None else serialise.with_own(event.public, part[1])
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

    def say(self, user: str, phrase: str, to: int | None = None) -> None:
        """Pass a phrase on to those who want to hear it; OkeyError if it may not be said.

        ``to`` is the seat that it is for. Spectators who are behind the table hear nothing.
        """
        seat = self._state.seat_of(user)
        if seat is None:
            refuse("not-seated")
        if not self._state.options.phrases:
            refuse("phrases-off")
        said: serialise.Json = {"type": "said", "seat": seat, "phrase": phrase}
        if to is not None:
            if to >= len(self._state.seats):
                refuse("no-seat", seat=to)
            said["to"] = to
        data = serialise.encode(said)
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


def _moved(before: TableState, after: TableState) -> bool:
    """Whether a seat has another person than before, or none."""
    if before.seats is after.seats:
        return False
    return [seat.user for seat in before.seats] != [seat.user for seat in after.seats]


def _coming(seat: int | None) -> bytes:
    return serialise.encode({"type": "coming", "seat": seat})


def _private(before: TableState, after: TableState) -> dict[int, tuple[str, bytes]]:
    """What each seat alone is told of a row, with who sits there."""
    changed = serialise.hands_changed(before, after)
    if before.seats is not after.seats:
        moved = (n for n, seat in enumerate(after.seats) if before.seat_of(seat.user) != n)
        changed = {*changed, *moved}
    return {
        number: (user, serialise.encode(serialise.you(after, number)))
        for number in changed
        if (user := after.seats[number].user) is not None
    }


def _same_holder(missed: list[EncodedEvent], seat: int, user: str | None) -> bool:
    return all(e.private[seat][0] == user for e in missed if seat in e.private)


# What a client may say of the last row it saw, and whether this server ever told it that.
#
# Each event and view carries a head: some digits of the row's hash, which tell nothing while the
# secret of a deal is among what is hashed, and a seal of the table, the row and these digits with a
# key that only this server has. A client that comes back shows its last one. If it was made here
# and the log does not have that row, then the log has lost rows; a head that anybody made up says
# nothing, or everybody could have a deal thrown away.

_DIGITS: Final = 12
_SEAL_BYTES: Final = 10


class ResumeTokens:
    """Makes and judges heads with one key, of 16 to 64 bytes, the same after a restart."""

    def __init__(self, key: bytes) -> None:
        self._sealed = blake2b(key=key, person=b"okey101 head", digest_size=_SEAL_BYTES)

    def of(self, table: str, seq: int, loss_ms: int, state_hash: str) -> str:
        """The head of a row; ``loss_ms`` is when the table was last told of lost rows, or 0."""
        digits = state_hash.rpartition(":")[2][:_DIGITS].zfill(_DIGITS)
        return f"{loss_ms}.{digits}{self._seal(f'{loss_ms} {seq} {table} {digits}')}"

    def loss_of(self, table: str, seq: int, head: str) -> int | None:
        """The ``loss_ms`` of a head that this server made for a row; None for any other text."""
        number, _, text = head.partition(".")
        digits, seal = text[:_DIGITS], text[_DIGITS:]
        if not text.isascii():
            return None
        expected = self._seal(f"{number} {seq} {table} {digits}")
        return int(number) if hmac.compare_digest(seal, expected) else None

    def _seal(self, said: str) -> str:
        sealed = self._sealed.copy()
        sealed.update(said.encode())
        return sealed.hexdigest()
