"""What spectators see, and when; and what a client that comes back missed."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from conftest import Patch, raises_code, unwrap
from okey101.game import PRESETS
from okey101.server.net.close_codes import CLOSE_UNSEEN
from okey101.server.protocol.options import SpectatorMode
from okey101.server.tables import broadcast as feeds, log_entries as log
from okey101.server.tables.broadcast import EncodedEvent, Past, SpectatorFeed
from okey101.server.tables.reduce import applied
from okey101.server.tables.state import Stage, TableState, changed
from okey101.server.tables.table import Table
from server.tables.table_stories import Step, Story, story, table_options
from server.tables.twins import Screen, Unchecked, brought_back, dependencies, table_at

MODES: tuple[SpectatorMode, ...] = ("live", "delayed", "deal")


@cache
def lives(mode: SpectatorMode) -> list[list[Step]]:
    """Two matches each, with a rematch between and an end."""
    found = []
    for preset in PRESETS:
        told = story(preset, "3", f"feed {preset}", spectators=mode, delay=60, style="eager")
        told.rematch()
        told.match("eager")
        told.add(log.Closed(why="idle"))
        found.append(told.steps)
    return found


class Feed(SpectatorFeed):
    """A feed with the events of its rows."""

    def __init__(self, state: TableState) -> None:
        super().__init__(state)
        self.past = Past(0)

    def tell(self, state: TableState, public: bytes, now: float) -> None:
        self.past.add(EncodedEvent(state.seq, public, {}), self.shown.seq)
        self.add(state, now)

    def told(self, now: float) -> Iterator[bytes | None]:
        """What is told of the states that are released; None for a view."""
        before = self.shown.seq
        for state in self.release(now):
            events = self.past.since(before, state.seq)
            yield from [None] if events is None else [event.public for event in events]
            before = state.seq


@pytest.mark.parametrize("mode", [*MODES, "turn"])
def test_rows_are_shown_in_order_and_all_of_them(mode: SpectatorMode) -> None:
    for steps in lives(mode):
        feed = Feed(steps[0].state)
        now, shown = 0.0, [1]
        for step in steps[1:]:
            now += 7.0
            feed.tell(step.state, b"%d" % step.state.seq, now)
            shown += [int(data or 0) for data in feed.told(now)]
            assert feed.shown.seq == shown[-1]
            assert feed.due is None or feed.due > now
        shown += [int(data or 0) for data in feed.told(now + 61)]
        assert shown == [*range(1, len(steps) + 1)]


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_shown_earlier_or_later_than_it_should_be(mode: SpectatorMode) -> None:
    """At once, when it is as old as the delay, or when the deal is over."""
    for steps in lives(mode):
        feed = SpectatorFeed(steps[0].state)
        born = {1: 0.0}
        for number, step in enumerate(steps[1:], 1):
            now, state = 7.0 * number, step.state
            born[state.seq] = now
            feed.add(state, now)
            shown = [*feed.release(now)]
            held = mode != "live" and state.stage is Stage.PLAYING
            if mode == "delayed":
                late = [one for one in shown if one.match and (one.running or one.stage == "over")]
                assert all(now - born[one.seq] >= 60 for one in late)
                assert not held or (feed.shown is not state and feed.due is not None)
            elif held:
                assert (shown, feed.due) == ([], None)
                assert feed.shown.stage is not Stage.PLAYING
                assert feed.shown.deal is not state.deal
            else:
                assert feed.shown is state


def turn_begun(steps: list[Step], at: int) -> int:
    """The step after which nothing of the turn that runs at a step had been done."""
    if steps[at].state.stage is not Stage.PLAYING:
        return at
    deal = unwrap(steps[at].state.deal)
    while True:
        before = steps[at - 1].state.deal
        if before is None or before.layout is not deal.layout:
            return at
        if before.public.turns != deal.public.turns:
            return at
        at -= 1


async def test_by_turns_nothing_of_a_running_turn_is_shown() -> None:
    """Byte for byte what a table would tell at which that turn has only just begun."""
    behind = 0
    for steps in lives("turn"):
        now = await table_of(steps[:1])
        screen = Screen(None)
        now.attach(screen)
        known: dict[int, int] = {}
        for number, step in enumerate(steps[1:], 1):
            now._swap(step.entry, step.state)
            known[number] = len(screen.got)
            begun_at = turn_begun(steps, number)
            assert now.audience.feed.shown is steps[begun_at].state
            assert known[number] == known.get(begun_at, known[number])
            behind += begun_at < number
            if number % 50 == 0:
                late, then = Screen(None), await table_of(steps[: begun_at + 1])
                now.attach(late)
                early = Screen(None)
                then.attach(early)
                assert late.got == early.got
                now.detach(late)
                await then.stop()
        await now.stop()
    assert behind > 500


def test_a_table_from_a_snapshot_keeps_its_running_turn_from_spectators() -> None:
    """The rows of it are not at hand any more: all is shown once the turn is over."""
    steps = begun("turn").steps
    at = next(n for n in range(len(steps) - 1, 0, -1) if turn_begun(steps, n) < n)
    shown, state = steps[turn_begun(steps, at)].state, steps[at].state
    feed = SpectatorFeed(state)
    feed.resume(shown, state, 0.0)
    assert feed.shown is shown
    assert [*feed.take(changed(state, seq=state.seq + 1), 1.0, 1.0)] == []
    assert feed.shown is shown
    over = changed(state, seq=state.seq + 2, stage=Stage.DEALING)
    assert [*feed.take(over, 2.0, 2.0)] == [over]
    assert feed.shown is over


async def test_a_clock_that_begins_anew_shows_no_running_turn() -> None:
    """A person who comes back has the whole turn, and it is the same turn still."""
    told = begun("turn", clock=30)
    table = await table_of(told.steps)
    deal = unwrap(table.state.deal)
    while deal.public.phase.value == "draw":
        told.move("eager")
        swap(table, told.steps[-1].entry)
        deal = unwrap(table.state.deal)
    shown = table.audience.feed.shown
    assert shown is not table.state
    for on, why in ((True, "absent"), (False, "back")):
        swap(table, log.Away(seat=deal.turn, on=on, why=why))  # type: ignore[arg-type]
        assert table.audience.feed.shown is shown


def flooded(state: TableState, rows: int, gap: float) -> tuple[Feed, list[float]]:
    """A feed after many rows, and the times at which states were first shown, less their own."""
    feed = Feed(state)
    born = {state.seq: 0.0}
    now, waited, seq = 0.0, list[float](), state.seq
    for _ in range(rows):
        now += gap
        seq += 1
        born[seq] = now
        feed.tell(changed(state, seq=seq), b"%d" % seq, now)
        for public in feed.told(now):
            waited.append(now - born[int(public or feed.shown.seq)])
        assert len(feed._held) <= feeds._MOST_MOMENTS + 2
        assert len(feed.past._events) <= feeds._MOST_EVENTS
    return feed, waited


@pytest.mark.parametrize("gap", [0.05, 0.4, 3.0])
def test_delayed_holds_a_bounded_number_of_states_and_events(gap: float) -> None:
    rows = int(8000 / gap) if gap > 1 else 30_000
    feed, waited = flooded(begun("delayed", delay=3600).state, rows, gap)
    if gap * rows > 3700:
        assert 3600 <= min(waited) <= max(waited) <= 3600 * (1 + 2 / feeds._MOST_MOMENTS)
        assert feed.shown.seq > 1000


def shown_at_the_end(feed: Feed, state: TableState, rows: int, at: float) -> list[Any]:
    """What is told once the match of a state is over, so many rows later."""
    over = changed(state, seq=state.seq + rows, stage=Stage.OVER)
    feed.tell(over, b"over", 1000.0)
    released = [*feed.told(at)]
    assert feed.shown is over
    return released


@pytest.mark.parametrize("mode", ["deal", "turn"])
def test_by_deals_or_turns_holds_a_bounded_number_of_events(mode: SpectatorMode) -> None:
    state = begun(mode).state
    feed, waited = flooded(state, 20_000, 0.1)
    assert not waited
    assert len(feed._held) == 1
    assert shown_at_the_end(feed, state, 20_001, 3000.0) == [None]


def test_what_happens_after_a_delayed_match_is_held_together() -> None:
    state = begun("delayed", delay=3600).state
    feed, _ = flooded(state, 10, 1.0)
    waiting = changed(state, stage=Stage.WAITING, deal=None)
    for number in range(30_000):
        feed.tell(changed(waiting, seq=state.seq + 11 + number), b"", 11.0 + number / 10)
    assert len(feed._held) < 20
    assert len(feed.past._events) <= feeds._MOST_EVENTS
    assert not [*feed.told(3600.0)]
    assert [*feed.told(3700.0)][-1] is None
    assert feed.shown.seq == state.seq + 30_010


@pytest.mark.parametrize("mode", ["delayed", "deal", "turn"])
def test_long_events_are_held_only_as_far_as_they_can_be_sent(mode: SpectatorMode) -> None:
    """However long they are: a view takes the place of what a socket's outbox would not take."""
    state = begun(mode, delay=3600).state
    feed = Feed(state)
    for number in range(2000):
        feed.tell(changed(state, seq=state.seq + 1 + number), bytes(5000), number / 2)
        size = sum(len(event.public) for event in feed.past._events)
        assert feed.past._bytes == size <= feeds._MOST_BYTES
    assert None in shown_at_the_end(feed, state, 2001, 9000.0)
    feed.tell(changed(feed.shown, seq=state.seq + 2002), b"", 9000.0)
    assert feed.past._bytes == 0


# At a table -----------------------------------------------------------------------------------


async def test_instead_of_too_many_events_there_is_a_view(monkeypatch: Patch) -> None:
    monkeypatch.setattr(feeds, "_MOST_EVENTS", 20)
    monkeypatch.setattr(feeds, "_KEPT_EVENTS", 1)
    told = story("altinstar", "4", "many", spectators="deal", style="eager")
    table = table_at(told.steps[0].state)
    screen = Screen(None)
    table.attach(screen)
    for step in told.steps[1:]:
        table._swap(step.entry, step.state)
    seen = seqs(screen)
    views = [m["seq"] for m in screen.messages if m["type"] == "view"]
    assert len(views) == 3
    assert seen[-1] == told.state.seq
    for before, after in pairwise(seen):
        assert after == before + 1 or after in views


async def test_a_view_in_between_takes_no_promise_and_no_mute(monkeypatch: Patch) -> None:
    """What the first view was followed by follows this one too."""
    monkeypatch.setattr(feeds, "_MOST_EVENTS", 3)
    monkeypatch.setattr(feeds, "_KEPT_EVENTS", 1)
    bots = (None, None, "steady", "steady")
    table = await table_of(begun("delayed", delay=60, bots=bots, late=True).steps)
    guest = Screen("guest")
    guest.muted = {"u1"}
    swap(table, log.Sat(user="guest", seat=2, waits=True))
    table.audience.feed.shown = table.state
    table.attach(guest)
    assert own_words(guest) == ["view", [1], 2]
    for other in ("v", "w"):
        swap(table, log.Sat(user=other, seat=3, waits=True))
        swap(table, log.Left(user=other))
    monkeypatch.setattr(table.audience, "_time", lambda: table._loop.time() + 3600)
    table.audience.release()
    assert own_words(guest)[-3:] == ["view", [1], 2]


def own_words(screen: Screen) -> list[Any]:
    """The views that somebody got, the seats that are muted for it, and the seat it waits for."""
    keys = {"view": "type", "muted": "seats", "coming": "seat"}
    return [m[keys[m["type"]]] for m in screen.messages if m["type"] in keys]


@pytest.mark.parametrize("seated", [True, False])
async def test_who_is_muted_is_told_anew_where_seats_are_drawn(seated: bool) -> None:
    """Also where the people sit in the same order as before."""
    bots = (None, None, "steady", "steady")
    made = Story(table_options("altinstar", "4", bots=bots), "drawn")
    table = await table_of(made.steps)
    swap(table, log.Sat(user="u1", seat=1))
    screen = Screen("u0" if seated else "guest")
    screen.muted = {"u1"}
    table.attach(screen)
    swap(table, log.Started(user="u0", secret="ab" * 32, order=(2, 0, 3, 1)))
    assert own_words(screen) == ["view", [1], [3]]


@pytest.mark.parametrize("user", [None, "u7"])
async def test_with_a_rematch_agreed_nobody_is_told_of_the_match_before(user: str | None) -> None:
    bots = (None, "steady")
    told = story("altinstar", "2", "unseen", spectators="off", style="eager", bots=bots)
    told.rematch()
    assert told.state.stage is Stage.WAITING
    table = await table_of(told.steps)
    if user is not None:
        swap(table, log.Sat(user=user, seat=1))
    screen = Screen(user)
    table.attach(screen, told.state.seq - 100)
    assert [m["type"] for m in screen.messages] == ["view"]
    assert screen.messages[0]["deal"] is None
    again = Screen(user)
    table.attach(again, table.state.seq)
    assert [m["type"] for m in again.messages] == ["resumed"]


def seqs(screen: Screen) -> list[int]:
    return [m["seq"] for m in screen.messages if m["type"] in ("event", "view", "resumed")]


def begun(mode: SpectatorMode, **changes: Any) -> Story:
    """A table in its first deal."""
    told = Story(table_options("altinstar", "4", spectators=mode, **changes), f"begun {mode}")
    told.begin()
    for _ in range(5):
        told.move("eager")
    return told


async def table_of(steps: list[Step]) -> Table:
    """A table that has lived through the steps, all of them at this moment."""
    table = Table(steps[0].state, dependencies(Unchecked(), steps[-1].state.at_ms, 1))
    for step in steps[1:]:
        table._swap(step.entry, step.state)
    return table


def swap(table: Table, entry: log.Entry) -> None:
    table._swap(*applied(table.state, entry, table.state.at_ms, lambda: "cd" * 32))


async def test_without_spectators_nobody_watches_a_match() -> None:
    told = begun("off")
    waiting = [s for s in told.steps if s.state.stage is Stage.WAITING]
    table = await table_of(waiting)
    early = Screen("x")
    seated = [Screen("u0"), Screen("u1")]
    for viewer in (early, *seated):
        table.attach(viewer)
    for step in told.steps[len(waiting) :]:
        table._swap(step.entry, step.state)
    assert early.closed == (CLOSE_UNSEEN, "spectators-off")
    assert max(seqs(early)) == waiting[-1].state.seq
    for user in (None, "x"):
        with raises_code("spectators-off"):
            table.attach(Screen(user))
    told_before = len(seated[1].got)
    swap(table, log.Left(user="u1"))
    assert seated[1].closed == (CLOSE_UNSEEN, "spectators-off")
    assert len(seated[1].got) == told_before
    assert seated[0].closed is None
    assert table.audience.everybody == [seated[0]]


async def test_phrases_tell_those_behind_nothing() -> None:
    for mode in MODES:
        table = await table_of(begun(mode).steps)
        screen = Screen(None)
        table.attach(screen)
        before = len(screen.got)
        table.audience.say("u0", "hello", 3)
        assert len(screen.got) - before == (mode == "live")
        with raises_code("no-seat"):
            table.audience.say("u0", "hello", 4)
        await table.stop()


@pytest.mark.parametrize("mode", MODES)
async def test_a_seat_is_who_one_sees_in_it(mode: SpectatorMode) -> None:
    """Who is muted by seat: the person shown there, even if somebody else sits there by now."""
    table = await table_of(begun(mode).steps)
    player, watcher = Screen("u0"), Screen("somebody")
    table.attach(player)
    table.attach(watcher)
    if mode == "delayed":
        table.audience.feed.release(table._loop.time() + 3600)
    shown = table.audience.feed.shown.seats[1].user
    swap(table, log.Left(user="u1"))
    swap(table, log.Sat(user="u9", seat=1))
    assert (table.person(0, player), table.person(1, player)) == ("u0", "u9")
    assert shown == "u1"
    assert table.person(1, watcher) == ("u9" if mode == "live" else "u1")


async def test_the_delay_goes_on_over_a_restart() -> None:
    """After a restart rows older than the delay are shown, and younger ones are not."""
    told = begun("delayed", delay=60)
    last = told.state.at_ms
    assert last - told.steps[-8].state.at_ms < 60_000
    for later in (3_600_000, 45_000, 0):
        table = await brought_back(told, later)
        shown = table.audience.feed.shown
        if shown.stage is not Stage.WAITING:
            assert shown.at_ms <= last + later - 59_000
        assert (shown.seq == told.state.seq) is (later == 3_600_000)
        assert (shown.stage is Stage.PLAYING) is (later > 0)
        await table.stop()


# What was missed ------------------------------------------------------------------------------


def test_past_gives_what_follows_or_says_that_it_forgot() -> None:
    past = Past(3)
    assert past.since(4, 4) == []
    assert past.since(0, 4) is None
    for seq in range(5, 10):
        past.add(EncodedEvent(seq, b"", {}), seq)
    assert [e.seq for e in past.since(6, 9) or ()] == [7, 8, 9]
    assert [e.seq for e in past.since(7, 8) or ()] == [8]
    assert past.since(5, 9) is None
    assert past.since(10, 9) is None
    assert past.since(9, 9) == []


def test_past_keeps_no_more_than_can_be_sent_in_one_go() -> None:
    past = Past(256)
    for seq in range(1, 300):
        past.add(EncodedEvent(seq, bytes(5000), {}), seq)
    assert past._bytes == sum(len(event.public) for event in past._events) <= feeds._MOST_AT_ONCE
    assert len(past.since(260, 299) or ()) == 39
    assert past.since(200, 299) is None
    past.add(EncodedEvent(300, bytes(feeds._MOST_AT_ONCE + 1), {}), 300)
    assert past.since(299, 300) is None
    past.add(EncodedEvent(301, b"", {}), 301)
    assert [event.seq for event in past.since(300, 301) or ()] == [301]


def test_a_moment_holds_no_more_than_can_be_sent_in_one_go() -> None:
    """Two events just fill it; with a third the view takes the place of all of them."""
    steps = story("altinstar", "4", "moment", spectators="deal", style="eager").steps
    state = next(step.state for step in steps if step.state.stage is Stage.PLAYING)
    for sizes, kept in (
        ((1, feeds._MOST_AT_ONCE - 1), True),
        ((1, feeds._MOST_AT_ONCE - 1, 1), False),
    ):
        feed = Feed(state)
        for number, size in enumerate(sizes, 1):
            feed.tell(changed(state, seq=state.seq + number), bytes(size), 0.0)
        over = changed(state, seq=state.seq + len(sizes) + 1, stage=Stage.OVER)
        feed.tell(over, b"", 1.0)
        assert [*feed.told(1.0)] == ([*map(bytes, sizes), b""] if kept else [None])
