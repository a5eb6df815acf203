"""What happens by itself: clocks, absence, the pause before a deal, bots, and idle tables."""

import asyncio
import dataclasses
import random
from collections.abc import Callable
from functools import partial
from itertools import cycle, pairwise
from typing import Any, Literal
from unittest.mock import Mock

import pytest
import structlog

from conftest import Patch, Size, only_long, raises_code, soon, unwrap
from game.random_play import choose, random_rules, short_opening
from okey101.bots import STAND_IN, bot_info
from okey101.errors import OkeyError
from okey101.game import (
    Action,
    Deal,
    Phase,
    RuleSet,
    apply,
    deal_from_seed,
    options_of,
    parse_action,
)
from okey101.game.actions import DRAW, PASS, Back, Discard, Meld
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.tables import clocks, log_entries as log, table as table_module
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.command_handler import MAX_FINES, entry_for
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import MAX_TURN_ACTIONS, MAX_VOID_DEALS, applied, create, reduce
from okey101.server.tables.state import Seat, Stage, TableState, changed
from okey101.server.tables.table import Table
from okey101.server.work import bot_thoughts
from okey101.server.work.bot_thoughts import BotTurns, Thought
from okey101.tiles import OKEY, distinct_bits
from rules.table import play, table as laid_out
from server.contributions import commit, reveal
from server.server_stories import EPOCH_MS, PEOPLE, Moment, story, table_options
from server.simulation import World, live, simulate, stall, virtual
from server.store.memory import MemoryStore
from server.tables import table_stories
from server.tables.twins import dependencies, put


@live(clock=30)
async def test_who_draws_has_no_more_time(world: World) -> None:
    world.all_come()
    await asyncio.sleep(31)  # the starter's turn, which has no draw
    await asyncio.sleep(20)
    begun = len(world.store.log)
    assert await world.act("draw") is None
    await asyncio.sleep(10.5)
    (_, one), (at, other) = world.written(begun)
    assert [type(one), type(other)] == [log.Acted, log.Acted]
    assert at == pytest.approx(61, abs=0.01)


@live(clock=10)
async def test_after_two_turns_that_the_clock_ended_a_bot_plays(world: World) -> None:
    world.all_come()
    first = world.to_act()
    begun = len(world.store.log)
    await asyncio.sleep(5 * 10.5 + 0.1)
    found = world.entries(begun)
    assert [e.by for e in found if isinstance(e, log.Acted)] == ["clock"] * 5
    seat = unwrap(world.table.state.seat_of(first))
    assert found[-1] == log.Away(seat=seat, on=True, why="late")
    assert await world.send(first, ask.Act(rid=world.rid(), action="draw")) == "bot-plays"
    assert await world.send(first, ask.Resume(rid=world.rid())) is None
    assert world.table.state.seats[seat].human
    assert world.table.state.seats[seat].missed == 0


@live(clock=10)
async def test_a_turn_played_in_between_counts_anew(world: World) -> None:
    world.all_come()
    first = world.to_act()
    for _ in range(3):
        for pause in (10.6, 0):
            while world.to_act() != first:
                assert await world.throw() is None
            await asyncio.sleep(pause)
        assert await world.throw() is None
    assert not any(isinstance(entry, log.Away) for entry in world.entries())


@live(clock=0)
async def test_without_a_clock_the_table_waits_for_who_is_there(world: World) -> None:
    """And for who is away shortly, however often."""
    world.all_come()
    begun = len(world.store.log)
    for _ in range(5):
        world.drop("u2")
        await asyncio.sleep(80)
        world.connect("u2", resume=True)
    await asyncio.sleep(1_000_000)
    assert len(world.store.log) == begun
    assert await world.throw() is None


# Absence -------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [0, 600])
@live()
async def test_after_90_s_a_bot_plays_for_who_is_away(world: World, clock: int) -> None:
    gone = world.to_act()
    world.all_come()
    await asyncio.sleep(10)
    world.drop(gone)
    begun = len(world.store.log)
    await asyncio.sleep(89.9)
    assert len(world.store.log) == begun
    await asyncio.sleep(0.2)
    [(at, entry)] = world.written(begun)
    seat = unwrap(world.table.state.seat_of(gone))
    assert entry == log.Away(seat=seat, on=True, why="absent")
    assert at == pytest.approx(100)
    await asyncio.sleep(3)
    assert any(isinstance(e, log.Acted) and e.by == "bot" for e in world.entries(begun))


@pytest.mark.parametrize("failures", [0, 3])
@live(clock=120, bot_delay=10000)
async def test_who_comes_back_has_the_seat_and_the_whole_turn(world: World, failures: int) -> None:
    gone = world.to_act()
    world.all_come(gone)
    await asyncio.sleep(95)
    seat = unwrap(world.table.state.seat_of(gone))
    assert world.table.state.seats[seat].away
    begun = len(world.store.log)
    world.store.fail_next(failures)
    world.connect(gone)
    await asyncio.sleep(0.1 if not failures else 10)
    [(at, entry)] = world.written(begun)
    assert entry == log.Away(seat=seat, on=False, why="back")
    assert world.table.state.deadline == EPOCH_MS + round(1000 * (at + 120))


# A restart -----------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["stop", "crash"])
@pytest.mark.parametrize("failures", [0, 2])
@live(clock=30)
async def test_a_restart_gives_a_turn_its_whole_time(world: World, how: str, failures: int) -> None:
    world.all_come()
    await asyncio.sleep(29)
    begun = len(world.store.log)
    world.store.fail_next(failures)
    await world.restart(how)
    world.all_come()
    await asyncio.sleep(29)
    assert {*map(type, world.entries(begun))} == {log.Restarted}
    await asyncio.sleep(6)
    assert isinstance(world.entries()[-1], log.Acted)


@live(clock=30)
async def test_a_server_that_was_down_for_long_ends_no_turn(world: World) -> None:
    world.all_come()
    await world.table.stop()
    await asyncio.sleep(100_000)
    begun = len(world.store.log)
    await world.restart("crash")
    world.all_come()
    await asyncio.sleep(30)
    assert [*map(type, world.entries(begun))] == [log.Restarted]


# Before a deal -------------------------------------------------------------------------------

GIVEN = b"\x01" * 16  # a bot begins


async def _ready(world: World, user: str) -> None:
    command = commit(world.table.state, user, GIVEN, world.rid())
    assert await world.send(user, command) is None
    assert await world.send(user, ask.Ready(rid=world.rid())) is None


def revealing(world: World) -> bool:
    """Whether the commitments are shown; asked for anew each time."""
    return world.table.state.shown


async def _reveal(world: World, user: str) -> None:
    assert await world.send(user, reveal(GIVEN, world.rid())) is None


@live("dealing")
async def test_the_tiles_are_dealt_once_all_are_ready_and_have_revealed(world: World) -> None:
    world.all_come()
    for user in PEOPLE:
        assert not revealing(world)
        await _ready(world, user)
    await asyncio.sleep(0.01)
    assert revealing(world)
    for user in PEOPLE:
        assert world.stage() is Stage.DEALING
        await _reveal(world, user)
    await asyncio.sleep(0.01)
    assert world.stage() is Stage.PLAYING
    assert world.table.state.cuts == (GIVEN,) * 4


@live("dealing")
async def test_the_tiles_are_dealt_at_the_deadline_without_the_rest(world: World) -> None:
    world.all_come()
    await _ready(world, "u1")
    await asyncio.sleep(4.9)
    assert not revealing(world)
    await asyncio.sleep(0.2)
    assert revealing(world)
    await _reveal(world, "u1")
    await asyncio.sleep(0.01)
    assert world.stage() is Stage.PLAYING
    cuts = world.table.state.cuts
    assert [cut is not None for cut in cuts] == [False, True, False, False]


@pytest.mark.parametrize("clock", [30, 0])
@live("last", deals=5)
async def test_between_deals_a_table_without_clock_waits_for_all(world: World, clock: int) -> None:
    """There it may be a page that is loaded again; a bot plays before long, or the time is up."""
    world.all_come("u3")
    while world.stage() is Stage.PLAYING:
        deal = unwrap(world.table.state.deal)
        if deal.phase in (Phase.LAST_DISCARD, Phase.LAST_INDICATOR):
            await world.act(str(PASS))
        else:
            await world.throw()
    assert world.stage() is Stage.DEALING
    for user in ("u0", "u1", "u2"):
        await _ready(world, user)
    await asyncio.sleep(0.01)
    assert revealing(world) is bool(clock)
    if not clock:
        await asyncio.sleep(31)
    for user in ("u0", "u1", "u2"):
        await _reveal(world, user)
    await asyncio.sleep(0.01)
    assert world.stage() is Stage.PLAYING


@live("last", clock=5, deals=5)
async def test_people_who_read_the_sheet_have_the_whole_pause(world: World) -> None:
    world.all_come()
    await asyncio.sleep(60)
    deals = [n for n, (_, e) in enumerate(world.written()) if isinstance(e, log.Dealt)]
    last, shown, dealt = world.written()[deals[-1] - 2 : deals[-1] + 1]
    assert isinstance(last[1], log.Acted)
    assert isinstance(shown[1], log.CommitmentsShown)
    assert dealt[0] == pytest.approx(last[0] + 30, abs=0.01)


def test_the_commitments_come_with_the_version_of_each_bot() -> None:
    before = state_of("dealing", 30)
    bots = ("greedy", "champion", None, None)
    seats = (seat._replace(bot=bot) for seat, bot in zip(before.seats, bots, strict=True))
    row = clocks.all_shown(changed(before, seats=(*seats,)))
    assert isinstance(row, log.CommitmentsShown)
    assert row.marks == {name: bot_info(name).mark for name in ("greedy", "champion")}


TRY = log.Day(date="2026-11-26", secrets=("ab" * 32,), closes_ms=EPOCH_MS + 86_400_000)


def test_only_a_try_of_a_day_keeps_the_bots_of_its_first_deal() -> None:
    told = table_stories.story("altinstar", "4", "first", deals=2)
    first = told.state.played[0]._replace(sat=("u0", "bot:steady/0", "bot:steady/0", "u3"))
    seats = (told.state.seats[0], *[Seat(bot="greedy")] * 3)
    state = changed(told.state, played=(first,), seats=seats)
    for day, marks in ((None, {"greedy": "greedy/1"}), (TRY, {"steady": "steady/0"})):
        row = clocks.all_shown(changed(state, day=day))
        assert isinstance(row, log.CommitmentsShown)
        assert row.marks == marks


# Short openings ------------------------------------------------------------------------------


def short_opening_at_hand() -> tuple[TableState, str, str]:
    """A table, and an opening of the seat to act that falls short; who sits there."""
    rng = random.Random(5)
    told = story(table_options(preset="pagat", clock=30), "playing", 3)
    opening = None
    while opening is None:
        opening = short_opening(options_of(unwrap(told.state.deal)), rng)
    return told.state, str(opening), unwrap(told.state.seats[unwrap(told.state.deal).turn].user)


def test_short_openings_end_at_a_limit_and_the_turn_goes_on() -> None:
    state, opening, user = short_opening_at_hand()
    deal = unwrap(state.deal)
    one = log.Acted(seat=deal.turn, actions=(parse_action(opening),), user=user)
    for _ in range(MAX_TURN_ACTIONS):
        state = reduce(state, one, state.at_ms)
    with raises_code("too-many-actions"):
        reduce(state, one, state.at_ms)
    rest = rest_of_turn(unwrap(state.deal))
    late = log.Acted(seat=deal.turn, actions=rest, by="clock")
    after = applied(state, late, state.at_ms)[1]
    assert after.turn_actions == 0
    assert unwrap(after.deal).turn != deal.turn


@pytest.mark.parametrize(("deal_off", "turn_off"), [(0, 1), (0, 4), (1, 0), (1, 1)])
def test_what_was_meant_for_another_turn_is_not_done(deal_off: int, turn_off: int) -> None:
    """It may have waited until the line was back, and fit the seat's next turn by chance."""
    state, opening, user = short_opening_at_hand()
    number, turn = state.shown_number, unwrap(state.deal).public.turns
    for meant in (number, None), (None, turn), (number, turn), (None, None):
        act = ask.Act(rid="r", action=opening, deal=meant[0], turn=meant[1])
        entry_for(state, user, act)
    late = ask.Act(rid="r", action=opening, deal=number + deal_off, turn=turn + turn_off)
    with raises_code("turn-over"):
        entry_for(state, user, late)


def test_fines_of_a_seat_are_bounded_and_the_turn_goes_on() -> None:
    """Every event of the deal lists all fines; nobody may collect as many as he likes."""
    state, opening, user = short_opening_at_hand()
    act = ask.Act(rid="r", action=opening)
    for _ in range(MAX_FINES):
        state = reduce(state, entry_for(state, user, act), state.at_ms)
    with raises_code("too-many-fines"):
        entry_for(state, user, act)
    deal = unwrap(state.deal)
    assert len(deal.public.fines) == MAX_FINES
    one = log.Acted(seat=deal.turn, actions=(parse_action(opening),), user=user)
    reduce(state, one, state.at_ms)  # old rows
    discard = ask.Act(rid="d", action=str(Discard(options_of(deal).discards[0].tile)))
    after = reduce(state, entry_for(state, user, discard), state.at_ms)
    assert unwrap(after.deal).turn != deal.turn


# Faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, *only_long(2, 3)])
@live(bot_delay=0.0, deals=1)
async def test_a_store_that_fails_when_something_is_due_is_retried(
    world: World, seed: int, size: Size
) -> None:
    """A loop need not tell the time of a timer that is due already."""
    await asyncio.sleep(89)
    world.store.trouble = 0.5
    enough = len(world.store.log) + size(40, long=10_000)
    while not world.over and len(world.store.log) < enough:
        # Bots play without a breath, and people look in.
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


@pytest.mark.parametrize("error", [ValueError, TypeError, RuntimeError])
@live(clock=30)
async def test_faults_stop_no_clock(
    world: World, monkeypatch: Patch, error: type[Exception]
) -> None:
    """A table that fails to do what is due tries again, and says so in the log."""
    left = 3

    def fails(*given: Any) -> Any:
        nonlocal left
        if left:
            left -= 1
            raise error
        return applied(*given)

    world.all_come()
    begun = len(world.store.log)
    monkeypatch.setattr(table_module, "applied", fails)
    with structlog.testing.capture_logs() as lines:
        await asyncio.sleep(40)
    assert len(world.store.log) > begun
    assert [line["event"] for line in lines] == ["table-task-failed"] * 3


@pytest.mark.parametrize("error", [ValueError, TypeError, RuntimeError, None])
@live()
async def test_a_bot_that_fails_or_chooses_what_it_may_not_is_passed_over(
    world: World, monkeypatch: Patch, error: type[Exception] | None
) -> None:
    stubborn = Mock(**{"choose.side_effect": error, "choose.return_value": PASS})
    begun = len(world.store.log)
    monkeypatch.setattr(bot_thoughts, "make_bot", lambda *_: stubborn)
    with structlog.testing.capture_logs() as lines:
        await asyncio.sleep(100)
    assert len(world.store.log) > begun + 3
    assert {(line["event"], line["bot"]) for line in lines} == {("bot-failed", STAND_IN)}


# The rest of a turn ------------------------------------------------------------------------------


def least_fine(deal: Deal) -> int | None:
    """The least that a discard costs now, each of them tried; None where none is allowed."""
    seat = deal.turn
    tried = [Discard(tile) for tile in distinct_bits(deal.hands[seat])]
    after = [apply(deal, one).public.fines for one in tried if one in deal.legal_actions()]
    new = [fines[len(deal.public.fines) :] for fines in after]
    return min((sum(f.points for f in fines if f.seat == seat) for fines in new), default=None)


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
        short = short_opening(options, rng) if rng.random() < 0.1 else None
        action = short or choose(options, rng, style)
        if action in deal.legal_actions():
            deal = apply(deal, action)
    return costs


def test_the_rest_of_a_turn_under_any_rules(size: Size) -> None:
    rng = random.Random(1)
    costs = [c for _ in range(size(100, long=10_000)) for c in walk(random_rules(rng), rng, 200)]
    assert any(costs), "no turn where every discard is fined"
    assert None in costs, "no turn that ends without a discard"


# The clock -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("drawn", "thrown"), [("B2", "B2"), ("*", "K12"), ("Y8", "Y8")])
def test_the_drawn_tile_is_thrown_unless_it_is_an_okey(drawn: str, thrown: str) -> None:
    """Of tiles that cost the same; another tile than the drawn one would be the highest."""
    deal = laid_out("altinstar", ["B3 B5", "Y9 K12"], stock=drawn, okey_discard_fine=0)
    deal = play(deal, "discard B3")
    assert [*map(str, rest_of_turn(deal))] == ["draw", f"discard {thrown}"]


# Until everybody has seen the tiles being dealt --------------------------------------------------

HOLD = 4.0
_live = partial(live, "dealing", bot_delay=0.1, deps={"dealing": HOLD})


async def dealt(world: World, *names: str) -> float:
    """Those people come and do what a deal asks of them; returns when the tiles were dealt."""
    for name in names:
        world.connect(name)
        await _ready(world, name)
    await soon(lambda: world.table.state.shown)
    for name in names:
        await _reveal(world, name)
    await soon(lambda: world.table.state.stage is Stage.PLAYING)
    return asyncio.get_running_loop().time()


def acts(world: World) -> list[log.Acted]:
    return [entry for entry in world.entries() if isinstance(entry, log.Acted)]


async def first_act(world: World) -> float:
    await soon(lambda: bool(acts(world)))
    return asyncio.get_running_loop().time()


@_live(people=1, clock=0)
async def test_bots_wait_until_the_dealing_is_over(world: World) -> None:
    at = await dealt(world, PEOPLE[0])
    assert world.table.state.holds
    assert await first_act(world) - at == pytest.approx(HOLD, abs=0.3)


@_live(people=2, clock=30)
async def test_play_begins_as_soon_as_all_people_have_seen_it(world: World) -> None:
    at = await dealt(world, *PEOPLE[:2])
    await asyncio.sleep(0.5)
    assert await world.send(PEOPLE[0], ask.Ready(rid=world.rid())) is None
    assert world.table.state.holds
    assert not acts(world)
    await asyncio.sleep(0.5)
    assert await world.send(PEOPLE[1], ask.Ready(rid=world.rid())) is None
    state = world.table.state
    assert not state.holds
    assert state.turn_since == state.at_ms
    assert state.deadline == state.at_ms + 30_000
    deal = unwrap(state.deal)
    if not state.seats[deal.turn].human:
        assert await first_act(world) - at < 2


@_live(clock=30)
async def test_the_first_turn_is_not_shortened_by_the_dealing(world: World) -> None:
    at = await dealt(world, *PEOPLE)
    state = world.table.state
    assert unwrap(state.deadline) - state.turn_since == 30_000
    assert state.turn_since - state.at_ms == 4_000
    assert await first_act(world) - at == pytest.approx(HOLD + 30.5, abs=0.3)
    assert acts(world)[0].by == "clock"


@_live(clock=30)
async def test_who_acts_at_once_may_and_the_wait_is_over(world: World) -> None:
    await dealt(world, *PEOPLE)
    assert await world.throw() is None
    assert not world.table.state.holds


# Idle tables -------------------------------------------------------------------------------------


async def closes_once_all_are_gone(
    world: World, after_s: int, why: Literal["idle", "empty"]
) -> None:
    for name in PEOPLE:
        world.drop(name)
    await asyncio.sleep(after_s - 1)
    assert not world.over
    await asyncio.sleep(2)
    assert world.entries()[-1] == log.Closed(why=why)


@pytest.mark.parametrize("moment", ["waiting", "last"])
@live(clock=5, deals=1)
async def test_a_table_where_nobody_is_closes(world: World, moment: Moment) -> None:
    world.all_come()
    await asyncio.sleep(5_000)
    assert not world.over
    await closes_once_all_are_gone(world, 1_800, "idle")
    with pytest.raises(OkeyError, match="closed"):
        await world.table.command("u0", ask.Sit(rid="late"))


@live("waiting")
async def test_absent_people_lose_their_seats_before_a_match(world: World) -> None:
    world.all_come("u0", "u2")
    await asyncio.sleep(179)
    assert world.people() == PEOPLE
    await asyncio.sleep(2)
    assert world.people() == ("u1", "u3")
    assert world.table.state.owner == "u1"


@live("last", clock=5, deals=1)
async def test_after_a_match_who_is_away_keeps_nobody_from_another(world: World) -> None:
    world.all_come("u2")
    while world.stage() is not Stage.OVER:  # noqa: ASYNC110  # the clock is virtual
        await asyncio.sleep(1)
    for name in ("u0", "u1", "u3"):
        await world.table.command(name, ask.Rematch(rid="again"))
    await asyncio.sleep(181)
    assert world.stage() is Stage.WAITING
    assert world.people() == ("u0", "u1", "u3")


@live(bot_delay=600, clock=0, deals=100)
async def test_a_running_match_that_nobody_looks_at_is_not_kept_for_ever(world: World) -> None:
    await asyncio.sleep(4 * 1800 + 5)
    assert world.stage() is Stage.CLOSED
    assert world.entries()[-1] == log.Closed(why="idle")


@pytest.mark.parametrize("moment", ["waiting", "playing"])
@live(deals=24)
async def test_a_table_that_all_have_left_closes_soon(world: World, moment: Moment) -> None:
    """A match that nobody watches too."""
    world.all_come()
    await world.all_leave()
    await asyncio.sleep(20)
    await closes_once_all_are_gone(world, 30, "empty")
    assert not world.matches


@pytest.mark.parametrize("moment", ["waiting", "playing"])
@live(deals=24)
async def test_a_table_closes_once_its_match_before_is_kept(world: World, moment: Moment) -> None:
    kept = False
    world.table._deps = dataclasses.replace(world.deps, may_close=lambda _: kept)
    world.all_come()
    await world.all_leave()
    for name in PEOPLE:
        world.drop(name)
    await asyncio.sleep(600)
    assert not world.over
    kept = True
    await asyncio.sleep(31)
    assert world.entries()[-1] == log.Closed(why="empty")


@live("late", deals=1)
async def test_bots_play_on_for_people_who_left_while_somebody_looks_on(world: World) -> None:
    world.all_come()
    await world.all_leave()
    await asyncio.sleep(300)
    assert world.matches
    for name in PEOPLE:
        world.drop(name)
    await asyncio.sleep(60)
    assert world.entries()[-1] == log.Closed(why="empty")


@pytest.mark.parametrize("started", [False, True])
@virtual
async def test_a_try_of_a_day_waits_until_the_day_is_closed(started: bool) -> None:
    """However long nobody is there."""
    loop, end_s = asyncio.get_running_loop(), 9 * 3_600
    deps = Dependencies(store=MemoryStore(), now_ms=lambda: EPOCH_MS + int(loop.time() * 1000))
    day = log.Day(date="2026-11-26", secrets=(SECRET,), closes_ms=EPOCH_MS + 1000 * end_s)
    table = await created(deps, day)
    if started:
        await table.command("a", ask.Start(rid="s"))
    await asyncio.sleep(end_s - 1)
    assert table.state.stage is (Stage.PLAYING if started else Stage.WAITING)
    assert table.state.people == ("a",)
    await asyncio.sleep(2)
    assert (table.state.stage, table.state.at_ms) == (Stage.CLOSED, day.closes_ms)


# How fast a bot moves ----------------------------------------------------------------------------


class Pondering(BotTurns):
    """A bot that thinks the longer, the more its tiles are worth."""

    def __init__(self, longest: float) -> None:
        super().__init__()
        self._longest = longest

    async def choose(self, thought: Thought) -> Action:
        """The same choice as ever."""
        await asyncio.sleep(self._longest * ((thought.view.hand or 0) % 997) / 997)
        return await super().choose(thought)


def moved(bots: BotTurns, delay: float) -> list[tuple[float, str]]:
    world = World(random.Random(1))
    world.deps = dataclasses.replace(world.deps, bots=bots, bot_delay=delay)
    found: list[tuple[float, str]] = []

    async def main() -> None:
        told = story(table_options(clock=0), "playing", 1)
        world.begin(told.rows, told.state)
        await asyncio.sleep(90)
        seen = len(world.store.log)
        for _ in range(4_000):
            await asyncio.sleep(0.01)
            for row in world.store.log[seen:]:
                entry = log.read_entry(row.entry)
                if isinstance(entry, log.Acted) and entry.by == "bot":
                    found.append((row.at_ms, str(entry.actions)))
            seen = len(world.store.log)

    simulate(main, 1)
    return found


@pytest.mark.parametrize("delay", [0.8, 0.1])
def test_the_pause_is_the_same_whatever_a_bot_holds(delay: float) -> None:
    quick = moved(BotTurns(), delay)
    assert len(quick) > 10
    assert moved(Pondering(0.9 * min(delay, 0.25)), delay) == quick


def test_a_bot_that_takes_longer_moves_a_whole_step_later() -> None:
    slow = moved(Pondering(2.0), 0.8)
    pauses = [after - before for (before, _), (after, _) in pairwise(slow)]
    assert len(pauses) > 5
    steps = [800 + 250 * n for n in range(9)]
    assert all(min(abs(pause - step) for step in steps) <= 2 for pause in pauses), pauses


@live(seed=4, clock=0, bot_delay=0.02, deps={"bots": Pondering(0.02)})
async def test_a_table_that_is_looked_at_while_a_move_is_stored_goes_on(world: World) -> None:
    """The bot has moved by then; what is due next is known once its row is in the log."""
    world.store.slow = 0.2
    await asyncio.sleep(90)  # everybody has left, and bots play on for them
    for _ in range(20):
        while not world.store._writing:  # noqa: ASYNC110  # nothing tells
            await asyncio.sleep(0.001)
        for _ in range(3):
            world.table.look()
            await asyncio.sleep(0.03)
        seen = len(world.store.log)
        await asyncio.sleep(3)
        assert len(world.store.log) > seen + 1, "nobody moves"


# Time that the process did not run --------------------------------------------------------------


_beating = partial(live, heart=True, there=True)
SECRET = "ab" * 32


def suspend(world: World, seconds: float) -> None:
    """The machine is suspended: the clock on the wall goes on, that of the loop does not."""
    heart = world.deps.heart
    before = heart._suspended()
    heart._suspended = lambda: before + seconds
    world.skew_ms += round(seconds * 1000)


def by_clock(world: World) -> list[log.Entry]:
    return [e for e in world.entries() if isinstance(e, log.Acted) and e.by == "clock"]


@pytest.mark.parametrize("seed", range(8))
@_beating(clock=30)
async def test_a_pause_of_the_process_costs_nobody_time(world: World, seed: int) -> None:
    """As many timers as sockets are due when it goes on, in any order."""
    await asyncio.sleep(10)
    deadline, begun = world.table.state.deadline, len(world.store.log)
    stall(50)
    await asyncio.sleep(0.3)
    [entry] = world.entries(begun)
    assert isinstance(entry, log.Paused)
    assert 49_500 < entry.ms <= 50_000
    assert world.table.state.deadline == unwrap(deadline) + entry.ms
    await asyncio.sleep(19)
    assert not by_clock(world)
    assert await world.throw() is None
    await asyncio.sleep(30.4)
    assert not by_clock(world)
    await asyncio.sleep(0.3)
    assert len(by_clock(world)) == 1


@pytest.mark.parametrize("first", ["the beat", "a row"])
@_beating(clock=30)
async def test_suspending_costs_nobody_time_and_the_log_knows(world: World, first: str) -> None:
    await asyncio.sleep(10)
    deadline, begun = world.table.state.deadline, len(world.store.log)
    suspend(world, 6_000)
    if first == "a row":  # of the next turn, before anybody has noticed
        assert await world.throw() is None
        await asyncio.sleep(0.3)
        assert not any(isinstance(entry, log.Paused) for entry in world.entries(begun))
        assert 29_000 < ((world.table.state.deadline or 0) - world.now_ms()) <= 30_000
        return
    await asyncio.sleep(0.3)
    [entry] = world.entries(begun)
    assert entry == log.Paused(ms=6_000_000)
    assert world.table.state.deadline == unwrap(deadline) + 6_000_000
    await asyncio.sleep(20)
    assert not by_clock(world)
    await asyncio.sleep(0.6)
    assert len(by_clock(world)) == 1


@pytest.mark.parametrize("seed", range(20))
@_beating(clock=30)
async def test_what_was_sent_in_a_pause_is_read_before_time_is_up(world: World, seed: int) -> None:
    """The pause begins a moment before the clock would play, and what waits is read a bit later."""
    await asyncio.sleep(30.495)
    seq = world.table.state.seq
    stall(30)
    await asyncio.sleep(0.1)  # the loop reads the sockets
    assert await world.throw() is None
    assert not by_clock(world)
    assert world.table.state.seq >= seq + 1
    await asyncio.sleep(5)


@_beating(clock=30)
async def test_a_pause_is_given_back_once_even_where_the_store_fails(world: World) -> None:
    await asyncio.sleep(5)
    world.store.fail_next(3)
    begun, deadline = len(world.store.log), world.table.state.deadline
    stall(20)
    await asyncio.sleep(10)
    found = [entry for entry in world.entries(begun) if isinstance(entry, log.Paused)]
    assert len(found) == 1
    assert world.table.state.deadline == unwrap(deadline) + found[0].ms
    await asyncio.sleep(15.3)
    assert not by_clock(world)
    await asyncio.sleep(1)
    assert len(by_clock(world)) == 1


@_beating(clock=30)
async def test_a_pause_while_a_row_is_stored_belongs_to_the_turn_it_begins(world: World) -> None:
    world.store.slow = 0.01
    throwing = asyncio.create_task(world.throw())
    while not world.store._writing:  # noqa: ASYNC110  # nothing tells
        await asyncio.sleep(0)
    stall(25)
    assert await throwing is None
    await asyncio.sleep(0.3)
    assert isinstance(world.entries()[-1], log.Paused)
    assert world.table.state.deadline == pytest.approx(EPOCH_MS + 55_000, abs=600)
    await asyncio.sleep(29)
    assert not by_clock(world)


@_beating(clock=30)
async def test_short_pauses_are_given_back_once_they_add_up(world: World) -> None:
    begun = len(world.store.log)
    for _ in range(10):
        stall(0.6)
        await asyncio.sleep(0.5)
    await asyncio.sleep(23.5)
    assert not by_clock(world)
    given = [entry.ms for entry in world.entries(begun) if isinstance(entry, log.Paused)]
    assert 0 < len(given) < 10
    assert 4_000 < sum(given) <= 6_000
    await asyncio.sleep(3)
    assert len(by_clock(world)) == 1


@_beating(clock=0)
async def test_absence_is_not_counted_while_the_process_does_not_run(world: World) -> None:
    world.drop(world.to_act())
    await asyncio.sleep(80)
    stall(60)
    await asyncio.sleep(5)
    assert log.Away not in map(type, world.entries())
    await asyncio.sleep(10)
    assert log.Away in map(type, world.entries())


@_beating("dealing")
async def test_the_pause_before_a_deal_waits_as_long_as_it_should(world: World) -> None:
    await asyncio.sleep(1)
    assert world.stage() is Stage.DEALING
    deadline = unwrap(world.table.state.deadline)
    stall(100)
    await asyncio.sleep(0.5)
    assert world.stage() is Stage.DEALING
    assert world.entries()[-1] == log.Paused(ms=world.table.state.deadline - deadline)  # type: ignore[operator]
    await asyncio.sleep(30)
    assert world.stage() is Stage.PLAYING


@_beating(clock=0)
async def test_without_a_clock_nothing_is_entries(world: World) -> None:
    begun = len(world.store.log)
    stall(100)
    await asyncio.sleep(10)
    assert not world.entries(begun)


def state_of(moment: Moment, clock: int) -> TableState:
    return story(table_options(clock=clock), moment, 1).state


@pytest.mark.parametrize(
    ("ms", "given"), [(3_000, 3_000), (-5, 0), (10_000, 4_000), (10**12, 4_000)]
)
def test_no_clock_ever_has_more_than_its_whole_time(ms: int, given: int) -> None:
    before = state_of("playing", 30)
    after = reduce(before, log.Paused(ms=ms), before.turn_since + 4_000)
    assert after.deadline is not None
    assert after.deadline == unwrap(before.deadline) + given
    assert after.turn_since == before.turn_since + given
    assert after.deadline - after.at_ms <= 30_000


def test_a_whole_turn_for_who_comes_back_is_given_after_a_pause_as_well() -> None:
    """The pause does not count as the turn's second time."""
    before = state_of("playing", 30)
    assert before.deal is not None
    at = before.turn_since
    state = reduce(before, log.Paused(ms=9_000), at + 10_000)
    state = reduce(state, log.Away(seat=before.deal.turn, on=True, why="absent"), at + 20_000)
    state = reduce(state, log.Away(seat=before.deal.turn, on=False, why="back"), at + 21_000)
    assert state.deadline == at + 51_000


def test_what_happens_while_tiles_are_dealt_shortens_nothing() -> None:
    """Who comes back meanwhile has the whole turn from its beginning, and so after a pause."""
    before = reduce(state_of("dealing", 30), log.CommitmentsShown(), 0)
    before = reduce(before, log.Dealt(hold_ms=4_000), before.at_ms)
    begins, ends = before.turn_since, unwrap(before.deadline)
    assert (begins, ends) == (before.at_ms + 4_000, before.at_ms + 34_000)
    seat = unwrap(before.deal).turn
    state = reduce(before, log.Away(seat=seat, on=True, why="absent"), begins - 3_000)
    state = reduce(state, log.Away(seat=seat, on=False, why="back"), begins - 2_000)
    assert (state.turn_since, state.deadline) == (begins, ends)
    state = reduce(state, log.Paused(ms=1_000), begins - 1_000)
    assert (state.turn_since, state.deadline) == (begins, ends)
    assert state.holds


_alone = partial(live, people=1, clock=30, there=True)
_pair = partial(live, people=2, players=2, clock=30, there=True)


def deal_of(world: World) -> Deal:
    return unwrap(world.table.state.deal)


def actions_of(world: World) -> int:
    return len(deal_of(world).public.actions)


def bots_turn(world: World) -> bool:
    return not world.table.state.seats[deal_of(world).turn].human


@pytest.mark.parametrize("same", [False, True])
@_alone()
async def test_who_sits_down_and_leaves_stops_no_bot(world: World, same: bool) -> None:
    """At another bot's seat, and at that of the bot to move."""
    await soon(lambda: bots_turn(world))
    turn, before = deal_of(world).turn, actions_of(world)
    other = turn if same else next(seat for seat in (1, 2, 3) if seat != turn)
    for _ in range(20):
        if same and actions_of(world) > before:
            return  # whoever has seen the hand does not sit down again
        for command in (ask.Sit(rid=world.rid(), seat=other), ask.Leave(rid=world.rid())):
            assert await world.send("stranger", command) is None
            await asyncio.sleep(0.3)
    assert actions_of(world) > before


@pytest.mark.parametrize(("slow", "strangers"), [(0.04, 3), (0.1, 2)])
@_alone()
async def test_rows_before_it_put_no_clock_off(world: World, slow: float, strangers: int) -> None:
    await soon(lambda: not bots_turn(world))
    world.store.slow = slow
    loop = asyncio.get_running_loop()
    begun, before = loop.time(), actions_of(world)

    async def come_and_go(name: str, seat: int) -> None:
        turns: list[Callable[..., ask.Logged]] = [partial(ask.Sit, seat=seat), ask.Leave]
        for command in cycle(turns):
            if loop.time() > begun + 60 or actions_of(world) > before:
                return
            next_at = loop.time() + 0.1
            assert await world.send(name, command(rid=world.rid())) is None
            await asyncio.sleep(max(0.0, next_at - loop.time()))

    await asyncio.gather(*(come_and_go(f"x{n}", 1 + n) for n in range(strangers)))
    assert actions_of(world) > before
    assert loop.time() < begun + 35


@_pair()
async def test_who_comes_back_again_and_again_has_one_more_turn_and_no_more(world: World) -> None:
    await soon(lambda: deal_of(world).turn == 1)
    turns, begun = deal_of(world).public.turns, asyncio.get_running_loop().time()
    world.drop("u1")
    world.table.audience.absent["u1"] = begun - 1_000
    while deal_of(world).turn == 1 and deal_of(world).public.turns == turns:
        if world.table.state.seats[1].away:
            assert await world.send("u1", ask.Resume(rid=world.rid())) is None
        await asyncio.sleep(0.1)
        assert asyncio.get_running_loop().time() < begun + 65


@pytest.mark.parametrize("back_s", [3_600, 86_400])
@_pair()
async def test_a_wall_clock_that_is_set_back_prolongs_no_turn(world: World, back_s: int) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(5)
    world.skew_ms = -1000 * back_s
    begun = loop.time()
    for turns in (1, 2, 3):
        seq = world.table.state.seq
        await soon(lambda seq=seq: world.table.state.seq > seq)  # type: ignore[misc]
        assert 30 * turns - 6 < loop.time() - begun < 31 * turns + 1
        if any(seat.missed > 1 for seat in world.table.state.seats):
            return


@_pair(clock=0)
async def test_who_comes_while_the_seat_is_handed_to_a_bot_has_it_back(world: World) -> None:
    world.store.slow = 0.5
    world.drop("u1")
    await asyncio.sleep(90.01)
    assert not world.table.state.seats[1].away  # the row is on its way
    world.connect("u1")
    await asyncio.sleep(2)
    assert not world.table.state.seats[1].away


@_alone()
async def test_a_bot_whose_deal_is_thrown_away_while_it_thinks_does_nothing(world: World) -> None:
    await soon(lambda: world.table.thinking is not None)
    await put(world.table, log.Abandoned(why="restored", secret=SECRET))
    begun = len(world.store.log)
    await asyncio.sleep(1)
    assert world.stage() is Stage.DEALING
    assert not world.entries(begun)


def test_a_bot_ends_a_turn_whose_actions_are_used_up() -> None:
    """It sits down for somebody who has laid and taken back all that one turn may hold."""
    state = story(table_options(), "playing", 1).state
    deal = unwrap(state.deal)
    full = changed(state, turn_actions=MAX_TURN_ACTIONS)
    entry = asyncio.run(clocks.bot_action(full, dependencies(MemoryStore(), EPOCH_MS, 1)))
    assert isinstance(entry, log.Acted)
    assert entry.actions == rest_of_turn(deal)[:1]
    assert (entry.by, entry.bot) == ("fallback", None)


# A mark that was used before ---------------------------------------------------------------------


async def created(deps: Dependencies, day: log.Day | None = None) -> Table:
    options = checked_options(TableOptions(bots=(None, "greedy", "greedy", "greedy"), clock=0))
    return await Table.create("t", log.Created(user="a", options=options, day=day), deps)


async def test_a_mark_belongs_to_one_command() -> None:
    async def say(table: Table, command: ask.Logged) -> int:
        return await table.command("a", command, digest=ask.digest_of(command))

    deps = dependencies(MemoryStore(), EPOCH_MS, 1)
    table = await created(deps)
    seq = await say(table, ask.Ready(rid="1", on=False))
    others = (ask.Ready(rid="1"), ask.Start(rid="1"), ask.SetBot(rid="1", seat=1, bot=None))
    for command in others:
        with raises_code("rid-used"):
            await say(table, command)
    assert await say(table, ask.Ready(rid="1", on=False)) == seq == table.state.seq
    await table.stop()
    again = unwrap(await Table.load("t", deps))
    with raises_code("rid-used", match="another command"):
        await say(again, ask.Start(rid="1"))
    assert await say(again, ask.Ready(rid="1", on=False)) == seq == again.state.seq


# Deals that do not count -----------------------------------------------------------------------


def test_a_match_of_void_deals_ends() -> None:
    """Nobody can open, and so no deal counts (E3)."""
    rules: dict[str, str | int | bool] = {
        "preset": "pagat", "players": 2, "open_points": 151, "open_pairs": 7,
        "short_opening": "refuse",
    }  # fmt: skip
    options = checked_options(TableOptions(rules=rules, deals=1, clock=0))
    state = create("t", log.Created(user="a", options=options), EPOCH_MS)
    begin = (
        log.Sat(user="b", seat=1),
        log.ReadySet(user="b"),
        log.Started(user="a", secret=SECRET),
    )
    for entry in begin:
        state = reduce(state, entry, EPOCH_MS)
    while state.stage is not Stage.OVER:
        if state.stage is Stage.DEALING:
            state = reduce(reduce(state, log.CommitmentsShown(), EPOCH_MS), log.Dealt(), EPOCH_MS)
        deal = unwrap(state.deal)
        match deal.phase:
            case Phase.DRAW:
                action: Action = DRAW
            case Phase.PLAY:
                tiles = distinct_bits(deal.hands[deal.turn])
                action = Discard(next(tile for tile in tiles if tile != OKEY))
            case _:
                action = PASS
        state = applied(state, log.Acted(seat=deal.turn, actions=(action,)), EPOCH_MS)[1]
    assert state.counted == 0
    assert len(state.played) == MAX_VOID_DEALS
