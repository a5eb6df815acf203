"""What happens by itself: the clock, absence, the pause before a deal, idle tables.

Also how a turn is ended for a player who is late.
"""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Callable, Coroutine
from typing import Any
from zlib import crc32

import pytest
import structlog

from conftest import Size
from game.random_play import TABLES, choose, random_rules, rules_of, short_opening
from okey101.errors import OkeyError
from okey101.game import (
    PRESETS,
    Deal,
    RuleSet,
    apply,
    deal_from_seed,
    is_legal,
    options_of,
    parse_action,
)
from okey101.game.actions import PASS, Back, Discard, Meld
from okey101.game.deal import Phase
from okey101.server import bot_thoughts
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables import table as table_module
from okey101.server.tables.command_handler import MAX_FINES, applied, digest_of, entry_for
from okey101.server.tables.reduce import MAX_TURN_ACTIONS, reduce
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.timeout_play import rest_of_turn
from okey101.tiles import distinct_bits
from rules.table import play
from rules.table import table as laid_out
from server.contributions import commit, reveal
from server.server_stories import EPOCH_MS, PEOPLE, Moment, story, table_options
from server.simulation import World, simulate

Body = Callable[[World], Coroutine[Any, Any, None]]


def live(
    body: Body, moment: Moment = "playing", *, seed: int = 1, bot_delay: float = 0.8, **choices: Any
) -> None:
    """Run a coroutine in a world where nobody is connected yet."""
    world = World(random.Random(seed))
    world.around = dataclasses.replace(world.around, bot_delay=bot_delay)

    async def main() -> None:
        told = story(table_options(**choices), moment, seed)
        world.begin(told.rows, told.state)
        await body(world)
        world.check_clients()
        world.check_log()

    simulate(main, seed)


def all_come(world: World, *but: str) -> None:
    for name in PEOPLE:
        if name not in but:
            world.connect(name)


def written(world: World, since: int = 0) -> list[tuple[float, log.Entry]]:
    """The rows after a seq, with their seconds since the world began."""
    rows = world.store.rows[since:]
    return [((row.at_ms - EPOCH_MS) / 1000, log.read_entry(row.entry)) for row in rows]


def to_act(state: TableState) -> str:
    assert state.deal is not None
    user = state.seats[state.deal.turn].user
    assert user is not None
    return user


def stage(world: World) -> Stage:
    return world.table.state.stage


def people(world: World) -> tuple[str, ...]:
    return world.table.state.people


def over(world: World) -> bool:
    return world.over


async def act(world: World, text: str) -> str | None:
    return await world.send(to_act(world.table.state), ask.Act(rid=world.rid(), action=text))


# The rest of a turn --------------------------------------------------------------------------


def least_fine(deal: Deal) -> int | None:
    """The least that a discard costs now, each of them tried; None where none is allowed."""
    seat = deal.turn
    costs = []
    for tile in distinct_bits(deal.hands[seat]):
        if is_legal(deal, Discard(tile)):
            fines = apply(deal, Discard(tile)).public.fines[len(deal.public.fines) :]
            costs.append(sum(fine.points for fine in fines if fine.seat == seat))
    return min(costs, default=None)


def check_rest(deal: Deal) -> int | None:
    """The turn ends, each action is legal, and the discard costs what the cheapest one does."""
    seat, turns = deal.turn, deal.public.turns
    cost: int | None = None
    for action in rest_of_turn(deal):
        assert deal.turn == seat
        assert deal.public.turns == turns
        least = least_fine(deal) if deal.phase is Phase.PLAY else None
        fined = len(deal.public.fines)
        assert least is None or isinstance(action, Discard)
        # Both are refused after a hundred actions; the clock must get through all the same.
        hands = deal.hands
        deal = apply(deal, action, seat)
        assert not isinstance(action, Back)
        assert not isinstance(action, Meld) or deal.hands != hands
        paid = sum(f.points for f in deal.public.fines[fined:] if f.seat == seat)
        assert paid == (least or 0)
        cost = least
    assert deal.over or deal.public.turns == turns + 1
    return cost


def walk(rules: RuleSet, rng: random.Random, steps: int) -> list[int | None]:
    deal = Deal.start(rules, deal_from_seed(rules, rng.randbytes(32), rng.randrange(rules.players)))
    style = rng.choice(("uniform", "by-kind", "eager"))
    costs = []
    for _ in range(steps):
        if deal.over:
            break
        if rng.random() < 0.2:
            costs.append(check_rest(deal))
        options = options_of(deal)
        action = (short_opening(options, rng) if rng.random() < 0.1 else None) or choose(
            options, rng, style
        )
        if is_legal(deal, action):
            deal = apply(deal, action)
    return costs


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_rest_of_any_turn_costs_least(preset: str, table: str, size: Size) -> None:
    rng = random.Random(f"{preset} {table}")
    costs = [
        cost for _ in range(size(4, long=200)) for cost in walk(rules_of(preset, table), rng, 150)
    ]
    assert len(costs) > 20


def test_the_rest_of_a_turn_under_any_rules(size: Size) -> None:
    rng = random.Random(1)
    costs = [c for _ in range(size(100, long=10_000)) for c in walk(random_rules(rng), rng, 200)]
    assert any(costs), "no turn where every discard is fined"
    assert None in costs, "no turn that ends without a discard"


# The clock -----------------------------------------------------------------------------------


def test_a_turn_is_ended_when_its_time_and_a_moment_are_over() -> None:
    async def body(world: World) -> None:
        all_come(world)
        seat, begun = world.table.state.deal, len(world.store.rows)
        assert seat is not None
        await asyncio.sleep(30.4)
        assert len(world.store.rows) == begun
        await asyncio.sleep(0.2)
        [(at, entry)] = written(world, begun)
        assert isinstance(entry, log.Acted)
        assert (entry.seat, entry.by) == (seat.turn, "clock")
        assert isinstance(entry.actions[-1], Discard)
        assert at == pytest.approx(30.5, abs=0.01)
        assert world.table.state.deadline == EPOCH_MS + 60_500

    live(body, clock=30)


def test_who_draws_has_no_more_time() -> None:
    async def body(world: World) -> None:
        all_come(world)
        await asyncio.sleep(31)  # the starter's turn, which has no draw
        await asyncio.sleep(20)
        begun = len(world.store.rows)
        assert await act(world, "draw") is None
        await asyncio.sleep(10.5)
        assert [type(entry) for _, entry in written(world, begun)] == [log.Acted, log.Acted]
        assert written(world, begun)[1][0] == pytest.approx(61, abs=0.01)

    live(body, clock=30)


def test_after_two_turns_that_the_clock_ended_a_bot_plays() -> None:
    async def body(world: World) -> None:
        all_come(world)
        first = to_act(world.table.state)
        begun = len(world.store.rows)
        await asyncio.sleep(5 * 10.5 + 0.1)
        entries = [entry for _, entry in written(world, begun)]
        assert [e.by for e in entries if isinstance(e, log.Acted)] == ["clock"] * 5
        seat = world.table.state.seat_of(first)
        assert seat is not None
        assert entries[-1] == log.Away(seat=seat, on=True, why="late")
        rid = world.rid()
        assert await world.send(first, ask.Act(rid=rid, action="draw")) == "bot-plays"
        assert await world.send(first, ask.Resume(rid=world.rid())) is None
        assert world.table.state.seats[seat].human
        assert world.table.state.seats[seat].missed == 0

    live(body, clock=10)


def test_a_turn_played_in_between_counts_anew() -> None:
    async def body(world: World) -> None:
        all_come(world)
        first = to_act(world.table.state)
        for _ in range(3):
            while to_act(world.table.state) != first:
                hand = await _throw(world)
                assert hand is None
            await asyncio.sleep(10.6)
            while to_act(world.table.state) != first:
                assert await _throw(world) is None
            assert await _throw(world) is None
        assert not any(isinstance(entry, log.Away) for _, entry in written(world))

    live(body, clock=10)


async def _throw(world: World) -> str | None:
    """The whole turn of whoever is to act."""
    deal = world.table.state.deal
    assert deal is not None
    if deal.phase is Phase.DRAW:
        await act(world, "draw")
    deal = world.table.state.deal
    assert deal is not None
    return await act(world, str(rest_of_turn(deal)[-1]))


def test_without_a_clock_the_table_waits_for_who_is_there() -> None:
    async def body(world: World) -> None:
        all_come(world)
        begun = len(world.store.rows)
        await asyncio.sleep(1_000_000)
        assert len(world.store.rows) == begun
        assert await _throw(world) is None

    live(body, clock=0)


# Absence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [0, 600])
def test_after_90_s_a_bot_plays_for_who_is_away(clock: int) -> None:
    async def body(world: World) -> None:
        gone = to_act(world.table.state)
        all_come(world)
        await asyncio.sleep(10)
        world.drop(gone)
        begun = len(world.store.rows)
        await asyncio.sleep(89.9)
        assert len(world.store.rows) == begun
        await asyncio.sleep(0.2)
        [(at, entry)] = written(world, begun)
        seat = world.table.state.seat_of(gone)
        assert seat is not None
        assert entry == log.Away(seat=seat, on=True, why="absent")
        assert at == pytest.approx(100)
        await asyncio.sleep(3)
        assert any(isinstance(e, log.Acted) and e.by == "bot" for _, e in written(world, begun))

    live(body, clock=clock)


def test_who_is_away_shortly_keeps_the_seat() -> None:
    async def body(world: World) -> None:
        all_come(world)
        begun = len(world.store.rows)
        for _ in range(5):
            world.drop("u2")
            await asyncio.sleep(80)
            world.connect("u2", resume=True)
        assert len(world.store.rows) == begun

    live(body, clock=0)


@pytest.mark.parametrize("failures", [0, 3])
def test_who_comes_back_has_the_seat_at_once_and_the_whole_turn(failures: int) -> None:
    async def body(world: World) -> None:
        gone = to_act(world.table.state)
        all_come(world, gone)
        await asyncio.sleep(95)
        seat = world.table.state.seat_of(gone)
        assert seat is not None
        assert world.table.state.seats[seat].away
        begun = len(world.store.rows)
        world.store.memory.fail_next(failures)
        world.connect(gone)
        await asyncio.sleep(0.1 if not failures else 10)
        [(at, entry)] = written(world, begun)
        assert entry == log.Away(seat=seat, on=False, why="back")
        assert world.table.state.deadline == EPOCH_MS + round(1000 * (at + 120))

    live(body, clock=120, bot_delay=10_000)


# A restart -----------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["stop", "crash"])
@pytest.mark.parametrize("failures", [0, 2])
def test_a_restart_gives_the_running_turn_its_whole_time(how: str, failures: int) -> None:
    async def body(world: World) -> None:
        all_come(world)
        await asyncio.sleep(29)
        begun = len(world.store.rows)
        world.store.memory.fail_next(failures)
        await world.restart(how)
        all_come(world)
        await asyncio.sleep(29)
        assert {type(entry) for _, entry in written(world, begun)} == {log.Restarted}
        await asyncio.sleep(6)
        assert isinstance(written(world)[-1][1], log.Acted)

    live(body, clock=30)


def test_a_server_that_was_down_for_long_ends_no_turn() -> None:
    async def body(world: World) -> None:
        all_come(world)
        await world.table.stop()
        await asyncio.sleep(100_000)
        begun = len(world.store.rows)
        await world.restart("crash")
        all_come(world)
        await asyncio.sleep(30)
        assert [type(entry) for _, entry in written(world, begun)] == [log.Restarted]

    live(body, clock=30)


# Before a deal -------------------------------------------------------------------------------


GIVEN = b"a contribution of"


async def _ready(world: World, user: str) -> None:
    command = commit(world.table.state, user, GIVEN, world.rid())
    assert await world.send(user, command) is None
    assert await world.send(user, ask.Ready(rid=world.rid())) is None


def revealing(world: World) -> bool:
    """Whether the commitments are shown; asked for anew each time."""
    return world.table.state.shown


async def _reveal(world: World, user: str) -> None:
    assert await world.send(user, reveal(GIVEN, world.rid())) is None


def test_the_tiles_are_dealt_at_once_when_all_are_ready_and_have_revealed() -> None:
    async def body(world: World) -> None:
        all_come(world)
        for user in PEOPLE:
            assert not revealing(world)
            await _ready(world, user)
        await asyncio.sleep(0.01)
        assert revealing(world)
        for user in PEOPLE:
            assert stage(world) is Stage.DEALING
            await _reveal(world, user)
        await asyncio.sleep(0.01)
        assert stage(world) is Stage.PLAYING
        assert world.table.state.cuts == (GIVEN,) * 4

    live(body, "dealing")


def test_the_tiles_are_dealt_at_the_deadline_without_the_rest() -> None:
    async def body(world: World) -> None:
        all_come(world)
        await _ready(world, "u1")
        await asyncio.sleep(4.9)
        assert not revealing(world)
        await asyncio.sleep(0.2)
        assert revealing(world)
        await _reveal(world, "u1")
        await asyncio.sleep(0.01)
        assert stage(world) is Stage.PLAYING
        cuts = world.table.state.cuts
        assert [cut is not None for cut in cuts] == [False, True, False, False]

    live(body, "dealing")


def test_between_deals_nobody_waits_for_who_is_away() -> None:
    async def body(world: World) -> None:
        all_come(world, "u3")
        while stage(world) is Stage.PLAYING:
            deal = world.table.state.deal
            assert deal is not None
            if deal.phase in (Phase.LAST_DISCARD, Phase.LAST_INDICATOR):
                await act(world, str(PASS))
            else:
                await _throw(world)
        assert stage(world) is Stage.DEALING
        for user in ("u0", "u1", "u2"):
            await _ready(world, user)
        await asyncio.sleep(0.01)
        for user in ("u0", "u1", "u2"):
            await _reveal(world, user)
        await asyncio.sleep(0.01)
        assert stage(world) is Stage.PLAYING

    live(body, "last", clock=0, deals=5)


def test_people_who_read_the_sheet_have_the_whole_pause() -> None:
    async def body(world: World) -> None:
        all_come(world)
        await asyncio.sleep(60)
        deals = [n for n, (_, e) in enumerate(written(world)) if isinstance(e, log.Dealt)]
        last, shown, dealt = written(world)[deals[-1] - 2 : deals[-1] + 1]
        assert isinstance(last[1], log.Acted)
        assert isinstance(shown[1], log.CommitmentsShown)
        assert dealt[0] == pytest.approx(last[0] + 30, abs=0.01)

    live(body, "last", clock=5, deals=5)


# Idle tables ---------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["waiting", "last"])
def test_a_table_where_nobody_is_closes(moment: Moment) -> None:
    async def body(world: World) -> None:
        all_come(world)
        await asyncio.sleep(5_000)
        assert not over(world)
        for name in PEOPLE:
            world.drop(name)
        await asyncio.sleep(1_799)
        assert not over(world)
        await asyncio.sleep(2)
        assert over(world)
        assert written(world)[-1][1] == log.Closed(why="idle")
        with pytest.raises(OkeyError, match="closed"):
            await world.table.command("u0", ask.Sit(rid="late"))

    live(body, moment, clock=5, deals=1)


def test_absent_people_lose_their_seats_before_a_match() -> None:
    async def body(world: World) -> None:
        all_come(world, "u0", "u2")
        await asyncio.sleep(179)
        assert people(world) == PEOPLE
        await asyncio.sleep(2)
        assert people(world) == ("u1", "u3")
        assert world.table.state.owner == "u1"

    live(body, "waiting")


def test_after_a_match_who_is_away_does_not_keep_the_others_from_another() -> None:
    async def body(world: World) -> None:
        all_come(world, "u2")
        while stage(world) is not Stage.OVER:  # noqa: ASYNC110  # the clock is virtual
            await asyncio.sleep(1)
        for name in ("u0", "u1", "u3"):
            await world.table.command(name, ask.Rematch(rid="again"))
        await asyncio.sleep(181)
        assert stage(world) is Stage.WAITING
        assert people(world) == ("u0", "u1", "u3")

    live(body, "last", clock=5, deals=1)


def test_a_running_match_that_nobody_looks_at_is_not_kept_for_ever() -> None:
    async def body(world: World) -> None:
        await asyncio.sleep(4 * 1800 + 5)
        assert stage(world) is Stage.CLOSED
        assert written(world)[-1][1] == log.Closed(why="idle")

    live(body, bot_delay=600, clock=0, deals=100)


def test_a_table_that_all_have_left_closes_soon() -> None:
    async def body(world: World) -> None:
        all_come(world)
        for name in PEOPLE:
            assert await world.send(name, ask.Leave(rid=world.rid())) is None
        await asyncio.sleep(29)
        assert not over(world)
        await asyncio.sleep(2)
        assert written(world)[-1][1] == log.Closed(why="empty")

    live(body, "waiting")


def test_bots_play_on_for_people_who_left_while_somebody_looks_on() -> None:
    async def body(world: World) -> None:
        all_come(world)
        for name in PEOPLE:
            assert await world.send(name, ask.Leave(rid=world.rid())) is None
        await asyncio.sleep(300)
        assert world.matches
        for name in PEOPLE:
            world.drop(name)
        await asyncio.sleep(60)
        assert written(world)[-1][1] == log.Closed(why="empty")

    live(body, "late", deals=1)


def test_a_match_that_all_have_left_and_nobody_watches_closes_soon() -> None:
    async def body(world: World) -> None:
        all_come(world)
        for name in PEOPLE:
            assert await world.send(name, ask.Leave(rid=world.rid())) is None
            world.drop(name)
        await asyncio.sleep(31)
        assert written(world)[-1][1] == log.Closed(why="empty")
        assert not world.matches

    live(body, deals=24)


# Endless turns -------------------------------------------------------------------------------


def short_opening_at_hand() -> tuple[TableState, str]:
    """A table, and an opening of the seat to act that falls short."""
    rng = random.Random(5)
    told = story(table_options(preset="pagat", clock=30), "playing", 3)
    assert told.state.deal is not None
    opening = None
    while opening is None:
        opening = short_opening(options_of(told.state.deal), rng)
    return told.state, str(opening)


def test_short_openings_end_at_a_limit_and_the_turn_goes_on() -> None:
    state, opening = short_opening_at_hand()
    deal = state.deal
    assert deal is not None
    one = log.Acted(seat=deal.turn, actions=(parse_action(opening),), user=to_act(state))
    for _ in range(MAX_TURN_ACTIONS):
        state = reduce(state, one, state.at_ms)
    with pytest.raises(OkeyError) as caught:
        reduce(state, one, state.at_ms)
    assert caught.value.code == "too-many-actions"
    assert state.deal is not None
    rest = rest_of_turn(state.deal)
    late = log.Acted(seat=deal.turn, actions=rest, by="clock")
    after = applied(state, late, state.at_ms)[1]
    assert after.turn_actions == 0
    assert after.deal is not None
    assert after.deal.turn != deal.turn


@pytest.mark.parametrize(("drawn", "thrown"), [("B2", "B2"), ("*", "K12"), ("Y8", "Y8")])
def test_the_drawn_tile_is_thrown_unless_it_is_an_okey(drawn: str, thrown: str) -> None:
    """Of tiles that cost the same; another tile than the drawn one would be the highest."""
    deal = play(
        laid_out("altinstar", ["B3 B5", "Y9 K12"], stock=drawn, okey_discard_fine=0), "discard B3"
    )
    assert [*map(str, rest_of_turn(deal))] == ["draw", f"discard {thrown}"]


@pytest.mark.parametrize(("deal_off", "turn_off"), [(0, 1), (0, 4), (1, 0), (1, 1)])
def test_what_was_meant_for_another_turn_is_not_done(deal_off: int, turn_off: int) -> None:
    """It may have waited until the line was back, and fit the seat's next turn by chance."""
    state, opening = short_opening_at_hand()
    user, deal = to_act(state), state.deal
    assert deal is not None
    number, turn = state.shown_number, deal.public.turns
    for meant in (number, None), (None, turn), (number, turn), (None, None):
        act = ask.Act(rid="r", action=opening, deal=meant[0], turn=meant[1])
        entry_for(state, user, act)
    late = ask.Act(rid="r", action=opening, deal=number + deal_off, turn=turn + turn_off)
    with pytest.raises(OkeyError) as caught:
        entry_for(state, user, late)
    assert caught.value.code == "turn-over"


def test_an_action_that_names_no_turn_has_the_digest_it_had_before_it_could() -> None:
    """Logs keep the digest: one that differed would refuse what is sent again after an upgrade."""
    assert digest_of(ask.Act(rid="r", action="draw")) == crc32(
        b'{"type":"act","rid":"r","action":"draw"}'
    )


def test_fines_of_a_seat_are_bounded_and_the_turn_goes_on() -> None:
    """Every event of the deal lists all fines; nobody may collect as many as he likes."""
    state, opening = short_opening_at_hand()
    user = to_act(state)
    act = ask.Act(rid="r", action=opening)
    for _ in range(MAX_FINES):
        state = reduce(state, entry_for(state, user, act), state.at_ms)
    with pytest.raises(OkeyError) as caught:
        entry_for(state, user, act)
    assert caught.value.code == "too-many-fines"
    deal = state.deal
    assert deal is not None
    assert len(deal.public.fines) == MAX_FINES
    reduce(
        state, log.Acted(seat=deal.turn, actions=(parse_action(opening),), user=user), state.at_ms
    )  # old rows
    tile = options_of(deal).discards[0].tile
    discard = ask.Act(rid="d", action=str(Discard(tile)))
    after = reduce(state, entry_for(state, user, discard), state.at_ms)
    assert after.deal is not None
    assert after.deal.turn != deal.turn


# Faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3))])
def test_a_store_that_fails_while_something_is_due_now_is_asked_again(seed: int) -> None:
    """A loop need not tell the time of a timer that is due already."""

    async def body(world: World) -> None:
        await asyncio.sleep(89)
        world.store.trouble = 0.5
        while not world.over:  # bots play without a breath, and people look in
            world.store.slow = world.random.choice((0.0, 0.01))
            world.connect("s0")
            await asyncio.sleep(0)
            world.drop("s0")
            await asyncio.sleep(0)
            world.connect("s0")
            await asyncio.sleep(world.random.random() * 0.1)
            world.drop("s0")
            await asyncio.sleep(0)
            assert asyncio.get_running_loop().time() < 3_600

    live(body, seed=seed, bot_delay=0.0)


@pytest.mark.parametrize("error", [ValueError, TypeError, RuntimeError])
def test_no_fault_stops_the_clock(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    """A table that fails to do what is due tries again, and says so in the log."""
    left = 3

    def fails(*given: Any) -> Any:
        nonlocal left
        if left:
            left -= 1
            raise error
        return applied(*given)

    async def body(world: World) -> None:
        all_come(world)
        begun = len(world.store.rows)
        monkeypatch.setattr(table_module, "applied", fails)
        with structlog.testing.capture_logs() as lines:
            await asyncio.sleep(40)
        assert len(world.store.rows) > begun
        assert [line["event"] for line in lines] == ["table-task-failed"] * 3

    live(body, clock=30)


@pytest.mark.parametrize("error", [ValueError, TypeError, RuntimeError])
def test_a_bot_that_fails_in_any_way_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def broken(*_: object) -> Any:
        raise error

    async def body(world: World) -> None:
        begun = len(world.store.rows)
        monkeypatch.setattr(bot_thoughts, "make_bot", broken)
        with structlog.testing.capture_logs() as lines:
            await asyncio.sleep(100)
        assert len(world.store.rows) > begun + 3
        assert {line["event"] for line in lines} == {"bot-failed"}

    live(body)
