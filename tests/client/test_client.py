"""A program at a served table: over a line that is cut, at its turns, with bots that fail."""

import asyncio
from functools import partial
from typing import Any, ClassVar
from urllib.request import Request

import msgspec
import pytest

from client.cutting import CuttingProxy, acts_of, assert_played_once, refusals
from conftest import Patch, answering, only_long, raises_code, soon, unwrap
from okey101.bots.playing import play_deal
from okey101.client import (
    Client,
    CommandRefused,
    Ended,
    Pace,
    PlayedMatch,
    TableOptions,
    calls,
    play,
    play_at,
)
from okey101.client.calls import Calls
from okey101.client.line import LastingLine
from okey101.errors import OkeyError
from okey101.game import PRESETS, record_of
from okey101.game.actions import Action, Discard, parse_action
from okey101.game.options import Options
from okey101.game.view import View
from okey101.server.protocol import views
from okey101.tiles import Tile, count_bits
from server.live import LiveServer, is_kept

QUICK = Pace(first=0.02, longest=0.1)
CLOCK = 20
"""Seconds a turn: long, and yet whoever loses a turn shows in the log."""


class Careful:
    """The highest discard that costs nothing; it is the same class in the arena and at a table."""

    name: ClassVar[str] = "careful"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.ends = 0

    def ended(self, view: View) -> None:
        assert view.public.result is not None
        self.ends += 1

    def choose(self, view: View, options: Options) -> Action:
        assert isinstance(view, View)
        assert isinstance(options, Options)
        for action in (options.opening, options.opening_pairs, *options.melds, *options.lays):
            if action is not None:
                return action
        if options.discards:
            best = min(options.discards, key=lambda d: (d.points, -d.tile))
            return Discard(best.tile)
        return options.actions()[0]


async def test_the_record_of_a_day_is_that_of_the_best_run_that_is_there() -> None:
    """A run of a bot is made again by the same version alone, and a try's a moment later."""
    text = record_of(PRESETS["pagat"], [play_deal("pagat", "novice", seed=1)]).to_json()
    there = {"b-1"}

    class Told(Client):
        async def day_table(self, date: str, first: int = 0) -> views.DayTable:
            lines = [
                msgspec.convert(
                    dict.fromkeys(views.DayLine.__struct_fields__)
                    | {"place": 1, "ranked": True, "own": False, "points": [], "total": 0}
                    | {"matchpoints": [], "percent": 0.0, "match": match, "date": day},
                    views.DayLine,
                )
                for match, day in (("else-1", f"{date}-2"), ("a-1", date), ("b-1", date))
            ]
            return views.DayTable(date, True, 2, [2] + 9 * [0], lines, [], None)

        async def _ask(self, *asked: Any, **_: Any) -> Any:
            if asked[1].split("/")[3] not in there:
                raise CommandRefused("no-match", "there is no such match")
            return msgspec.json.decode(text)

    client = Told("http://localhost")
    assert unwrap(await client.day_record("2026-11-26")).to_json() == text
    there.clear()
    assert await client.day_record("2026-11-26") is None


async def against_bots(url: str, deals: int = 1, clock: int = CLOCK) -> tuple[Client, str]:
    client = await Client.as_guest(url, "My bot")
    return client, await client.against_bots(deals=deals, bot="random", clock=clock)


async def on_time(url: str, bot: object, *, deals: int = 1, pace: Pace = QUICK) -> PlayedMatch:
    client, table = await against_bots(url, deals)
    return await play(url, bot, table=table, token=client.token, seed=1, pace=pace)  # type: ignore[arg-type]


# A line that is cut ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, *only_long(*range(1, 23))])
async def test_a_match_over_a_line_that_is_cut(server: LiveServer, seed: int) -> None:
    before = await refusals(server)
    async with CuttingProxy(server.url, seed, most=8) as proxy:
        played = await on_time(proxy.url, "greedy", deals=3)
        assert proxy.cuts.total() >= 2
        assert played.lines >= 2
    assert not played.faults
    await assert_played_once(server, played.table, played.seat, played.moves, before)


async def test_the_server_stops_in_the_middle_of_a_match() -> None:
    with LiveServer() as server:
        client, table = await against_bots(server.url)
        async with client.join(table, pace=QUICK) as at:
            moves = 0
            async for turn in at.turns():
                if moves == 3:
                    await asyncio.to_thread(server.restart, kill=True)
                await turn.act(Careful().choose(turn.view, turn.options))
                moves += 1
            assert at.lines == 2
        acts = acts_of(server, table, 0)
        assert (len(acts.rows), acts.by_others) == (moves, 0)


async def test_what_is_sent_for_the_first_time_is_not_sent_again(server: LiveServer) -> None:
    client, table = await against_bots(server.url)
    async with client.join(table, pace=Pace(first=0.2)) as at:
        turn = await anext(at.turns())
        unwrap(at._socket).transport.abort()
        while at._socket is not None:  # noqa: ASYNC110  # nothing tells when
            await asyncio.sleep(0)
        await turn.act(Careful().choose(turn.view, turn.options))
        assert (at.lines, at.sent_again) == (2, 0)


# A natural client -----------------------------------------------------------------------------


async def test_one_bot_plays_in_the_arena_and_at_a_table(server: LiveServer) -> None:
    bot = Careful(3)
    assert play_deal("altinstar", [bot, "random", "random", "random"], seed=5).over
    for form in (bot, Careful, "client.test_client:Careful"):
        played = await on_time(server.url, form)
        assert not played.faults
        assert await is_kept(Client(server.url), f"{played.table}-1")  # at once
        assert played.moves == len(acts_of(server, played.table, played.seat).rows)
    assert bot.ends >= 2  # one by itself, one or more (O7) at a table


async def test_whoever_acts_in_each_turn_sends_nothing_twice_or_stale(server: LiveServer) -> None:
    client, table = await against_bots(server.url, 2)
    before, rows = await refusals(server), 0
    async with client.join(table) as at:
        async for turn in at.turns():
            row = await turn.act(Careful().choose(turn.view, turn.options))
            assert unwrap(at.shown.seq) >= row  # what came of it is shown
            assert turn.over
            rows += 1
            with raises_code("turn-over", CommandRefused):
                await turn.act("draw")
        assert at.stage == "over"
    assert len(acts_of(server, table, 0).rows) == rows
    assert await refusals(server) == before


async def test_a_deal_that_is_played_again_comes_to_its_end(server: LiveServer) -> None:
    client, table = await against_bots(server.url)
    await play(server.url, "greedy", table=table, token=client.token, pace=QUICK)
    await soon(partial(is_kept, client, f"{table}-1"))
    again = await client.again(f"{table}-1", 0, at=2, bot="random")
    async with asyncio.timeout(30), client.join(again, pace=QUICK) as at:
        assert at.shown.table["again"]["at"] == 2
        assert [seat["bot"] for seat in at.shown.table["seats"]].count("random") == 3
        await play_at(at, "greedy")
        await at.leave()  # the line goes on after the end
    with raises_code("no-deal-number", CommandRefused):
        await client.again(f"{table}-1", 50)  # void deals (O7) come on top


async def test_positions_are_shown_and_answered(server: LiveServer) -> None:
    client = await Client.as_guest(server.url, "Who asks")
    themes = await client.puzzles("pagat")
    asked = await client.puzzle(themes["discards"][0])
    assert asked.theme == "discards"
    assert set(themes["discards"]) < set((await client.puzzles())["discards"])
    view = asked.view
    assert (view.public.rules.preset_name, view.to_act) == ("pagat", True)
    best = str(asked.decision.best.action)
    assert parse_action(best) in Options(view).actions()
    rated = await client.answer_puzzle(asked.number, best)
    assert (rated.right, rated.own.provisional) == (True, True)
    again = await client.answer_puzzle(asked.number, str(asked.decision.played.action))
    assert (again.right, again.own) == (False, rated.own)  # the first answer counts
    with raises_code("no-such-puzzle", CommandRefused):
        await client.puzzle(10**6)


async def test_a_second_action_waits_for_the_first(server: LiveServer) -> None:
    client, table = await against_bots(server.url)
    async with client.join(table) as at:
        async for turn in at.turns():
            action = Careful().choose(turn.view, turn.options)
            first = asyncio.create_task(turn.act(action))
            await asyncio.sleep(0)
            with raises_code("act-pending"):
                await at.act(action)
            await first
            break


async def test_a_refused_action_changes_nothing_and_the_turn_comes_again(
    server: LiveServer,
) -> None:
    client, table = await against_bots(server.url)
    async with client.join(table) as at:
        moments: list[object] = []
        wrong = ["lay R1 > 9", "back 1"]  # nothing lies there yet, whoever begins
        async for turn in at.turns():
            if not moments:  # an okey in the hand could be thrown
                for unreadable in ("", "x" * 500):
                    with raises_code("bad-message", CommandRefused):
                        await at.act(unreadable)
                hand = turn.view.hand or 0
                wrong.append(f"discard {next(t for t in Tile if not count_bits(hand, t))}")
            moments.append(at.moment)
            if len(moments) > len(wrong):
                break
            with pytest.raises(CommandRefused) as caught:
                await turn.act(wrong[len(moments) - 1])
            assert caught.value.rule
        assert len(set(moments)) == 1


# Bots that fail -------------------------------------------------------------------------------


class Failing(Careful):
    """Raises, or chooses nothing, in turn, and wants to end the program with the deal."""

    calls = 0

    def ended(self, view: View) -> None:
        raise SystemExit("no more")

    def choose(self, view: View, options: Options) -> Action:
        Failing.calls += 1
        if Failing.calls % 3 == 1:
            raise ZeroDivisionError("no idea")
        if Failing.calls % 3 == 2:
            return None  # type: ignore[return-value]
        return super().choose(view, options)


async def test_a_bot_that_fails_plays_the_fallback_and_is_told_of(server: LiveServer) -> None:
    played = await on_time(server.url, Failing)
    assert played.faults["crashed"] > 0
    assert played.faults["illegal"] > 0
    words = ("ZeroDivisionError: no idea", "None: ", "SystemExit: no more")
    assert played.reason.startswith(words)  # its last fault
    assert acts_of(server, played.table, played.seat).by_others == 0


# Tables ---------------------------------------------------------------------------------------


async def test_two_programs_meet_at_a_listed_table(server: LiveServer) -> None:
    host = await Client.as_guest(server.url, "Host of two")
    table = await host.create(
        TableOptions(deals=1, bots=(None, None, "random", "random"), listed=True, clock=CLOCK)
    )
    other = await Client.as_guest(server.url, "Friend of one")
    assert [line.free for line in await other.tables() if line.id == table] == [1]
    async with host.join(table) as one, other.join(table) as two:
        assert (one.seat, two.seat) == (0, None)
        await two.sit()
        await two.ready()
        assert two.seat == 1
        await one.until(lambda: all(s.get("ready", True) for s in one.shown.table["seats"][1:]))
        await one.start()
        first, second = await asyncio.gather(play_at(one, "greedy", seed=1), play_at(two, Careful))
        assert first.totals == second.totals
        await asyncio.gather(one.rematch(), two.rematch())
        await one.until(lambda: one.stage != "over")
        assert one.match == 2


async def test_a_bot_starts_the_match_at_its_own_table(server: LiveServer) -> None:
    """Nobody else can; it does not wait for ever where a seat is free."""
    host = await Client.as_guest(server.url, "Host of one")
    rules = {"preset": "pagat", "players": 2}
    table = await host.create(deals=1, rules=rules, bots=(None, None))
    mine = partial(play, server.url, "random", table=table, token=host.token)
    with raises_code("seats-empty", CommandRefused):
        await asyncio.wait_for(mine(), 20)
    async with host.join(table) as at:
        await at.set_bot(1, "random")
    assert len((await asyncio.wait_for(mine(), 60)).totals) == 2


async def test_who_comes_too_late_for_another_deal_has_played_no_match(
    server: LiveServer,
) -> None:
    """None is promised in the last deal; a promise may be given up over another line."""
    client, table = await against_bots(server.url, deals=2)
    other = await Client.as_guest(server.url, "Too late")
    async with client.join(table) as at:
        turns = at.turns()
        turn = await anext(turns)
        late = asyncio.create_task(play(server.url, "greedy", table=table, token=other.token))
        await at.until(lambda: any("coming" in seat for seat in at.shown.table["seats"]))
        async with other.join(table) as line:
            await line.leave()
        await turn.act(Careful().choose(turn.view, turn.options))
        tried = False
        async for turn in turns:
            if at.shown.table["scores"]["counted"] == 1 and not tried:
                tried = True
                with raises_code("match-ended", CommandRefused):
                    await play(server.url, "greedy", table=table, name="Later")
            await turn.act(Careful().choose(turn.view, turn.options))
        assert tried
        with raises_code("not-seated", CommandRefused):
            await late


async def test_the_newest_line_of_a_person_has_the_seat(server: LiveServer) -> None:
    client, table = await against_bots(server.url)
    async with client.join(table) as old, client.join(table):
        with raises_code("replaced", Ended) as caught:
            await old.until(lambda: False)
        assert caught.value.close_code == 4001
        with pytest.raises(Ended):
            await old.ready()
        assert [message async for message in old.messages()] == []


async def test_an_answer_in_drops_is_not_waited_for(monkeypatch: Patch) -> None:
    monkeypatch.setattr(calls, "_DRIPPING", 0.01)
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
    with answering(head, drip=b" ") as url, raises_code("no-server", match="timed out"):
        await Client(url, "-").check_version()


async def test_a_line_is_tried_for_days_if_a_program_has_the_patience() -> None:
    """The wait grew without end before it was cut to the longest: too much after 1,024 tries."""
    line = LastingLine("ws://127.0.0.1:1", {}, None, options=False, pace=Pace(longest=2.0))
    line._tries = 2_000
    assert 1.5 <= line._pause() <= 2.5


async def test_a_server_that_is_none_is_told_by_code(server: LiveServer) -> None:
    async def code_of(url: str, token: str | None = "-", bot: Any = Careful) -> str:
        table = "nowhere"
        with pytest.raises(OkeyError) as caught:
            await play(url, bot, table=table, token=token, pace=QUICK._replace(patience=0.1))
        return caught.value.code

    for address in ("127.0.0.1:1", None):
        assert await code_of(address) == "bad-address"  # type: ignore[arg-type]
    assert await code_of("http://127.0.0.1:1") == "no-server"
    assert await code_of(server.url, token=None) == "no-table"
    assert await code_of(server.url, token=None, bot=None) == "bot-unloadable"  # and no guest
    assert await code_of(server.url, token=None, bot=Options) == "bot-unloadable"  # of a seed
    for url in (server.url, server.url.replace("http", "Http")):  # as phones begin what is typed
        assert await code_of(url) == "unauthorised"
    with raises_code("name-too-long", CommandRefused):
        await Client.as_guest(server.url, "x" * 40)
    forgotten: Any = asyncio.sleep(0)  # an await of what makes the table
    nobody = Client(server.url)
    with raises_code("wrong-type"):
        nobody.join(forgotten)
    await forgotten
    with raises_code("wrong-type"):
        await nobody.decline(forgotten)


async def test_what_would_be_made_twice_is_not_sent_again(monkeypatch: Patch) -> None:
    sent: list[str] = []

    def lost(_: Calls, request: Request, patience: float) -> None:
        sent.append(request.selector)
        raise ConnectionResetError

    monkeypatch.setattr(Calls, "_fetched", lost)
    monkeypatch.setattr("okey101.client.calls._PAUSE_S", 0)
    client = Client("http://localhost", token="-")
    for asked in client.make_family("Bizim Ev"), client.challenge(), client.create():
        with raises_code("no-server"):
            await asked
    assert sent == ["/api/families", "/api/days/", *["/api/tables"] * 5]


async def test_a_guest_who_comes_too_early_waits_as_long_as_is_told() -> None:
    with LiveServer(guests_per_minute=60, guest_burst=1) as server:
        tokens = {(await Client.as_guest(server.url, name)).token for name in ("Ali", "Can")}
    assert len(tokens) == 2


async def test_a_token_is_in_no_text(server: LiveServer) -> None:
    client = await Client.as_guest(server.url, "My bot")
    assert unwrap(client.token) not in repr(client)
