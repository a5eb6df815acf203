"""What a client makes of answers and messages: broken, newer, come twice, or of unfair deals."""

import asyncio
import copy
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from conftest import Patch, raises_code, unwrap
from game.fair_match import rounds as vectors
from okey101.client import CommandRefused, Ended, Pace, calls as http_calls
from okey101.client.calls import Calls
from okey101.client.model import Gap, Model, UnknownWhat, read_known
from okey101.client.table import FairRounds, JoinedTable
from okey101.game.fair.rounds import transcript
from okey101.game.fair.transcript import Fair
from okey101.server.protocol.server_messages import Event
from okey101.server.protocol.views import Called
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.clocks import all_shown
from okey101.server.tables.match_record import match_record
from okey101.server.tables.state import Stage, TableState, changed
from server.tables.table_stories import TABLE, Story, table_options

PAGE = Path(__file__).resolve().parents[2] / "docs" / "en" / "protocol.md"


def told(kind: str) -> dict[str, Any]:
    """The first example of a message in the protocol's page."""
    text = PAGE.read_text("utf-8")
    start = text.index(f'{{"type": "{kind}", "seq"')
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text[start:])[0]
    return found


def view() -> dict[str, Any]:
    """A view as a server sends it, with all rules."""
    return told("view")


# Reading --------------------------------------------------------------------------------------


def test_a_message_of_a_newer_server_is_read_without_what_is_new() -> None:
    newer = view()
    newer["weather"] = "rain"
    newer["table"]["seats"][0]["mood"] = {"deep": [1]}
    newer["you"]["glow"] = None
    assert unwrap(read_known(json.dumps(newer))).data == view()
    assert read_known('{"type": "weather", "is": "rain"}') is None
    # The transcript of a fair deal has the options, those that are not known here among them.
    newer["table"]["options"] |= {"mood": 1}
    shown = unwrap(read_known(json.dumps(newer))).data
    assert shown["table"] == view()["table"] | {"options": newer["table"]["options"]}
    event = told("event") | {"what": {"kind": "sang", "song": 3}}
    newer_event = unwrap(read_known(json.dumps(event)))
    assert isinstance(newer_event.message, Event)
    what: object = newer_event.message.what
    assert what == UnknownWhat("sang")


DEEP = b'{"a":' + 9_999 * b"["
NO_MESSAGES = [
    "", "3", "{}", '{"type": 3}', '{"type": "event", "seq": "x"}', b'{"type": "\xa2"}', DEEP,
]  # fmt: skip


@pytest.mark.parametrize("text", NO_MESSAGES)
def test_what_is_no_message_is_refused(text: str | bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        read_known(text)


def test_an_event_that_comes_again_changes_nothing_and_a_gap_is_seen() -> None:
    model = Model()

    def take(message: dict[str, Any]) -> bool:
        return model.take(unwrap(read_known(json.dumps(message))))

    event = {"type": "event", "seq": 3, "at": 5, "what": {"kind": "ready", "seat": 1, "on": True}}
    with pytest.raises(Gap):
        take(event)
    assert take(view())
    assert take(event)
    before = copy.deepcopy(model.__dict__)
    assert not take(event)
    assert model.__dict__ == before
    with pytest.raises(Gap):
        take(event | {"seq": 5})
    with pytest.raises(Gap):
        take({"type": "resumed", "seq": 9, "at": 5, "you": None, "here": []})
    era = model.era
    assert take(view())  # a view replaces all, and this one is older
    assert model.seq == 2
    assert model.era == era + 1


def test_a_promise_that_is_gone_by_the_time_one_is_back_is_no_promise() -> None:
    model = Model()
    resumed = {"type": "resumed", "seq": 2, "at": 5, "you": None, "here": []}
    for message in (view() | {"you": None}, {"type": "coming", "seat": 2}, resumed):
        model.take(unwrap(read_known(json.dumps(message))))
    assert model.coming is None  # whoever still has it is told after this


def test_a_deal_with_another_promise_is_another_deal() -> None:
    """It was thrown away while the line was down, whatever rows have come since."""
    model = Model()

    def era(seq: int, value: str, deal: int = 0, stage: str = "playing") -> int:
        shown = view() | {"seq": seq}
        promise = {"value": value * 64, "match": 1, "deal": deal, "round": 0}
        shown["table"] |= {"stage": stage, "commitment": promise}
        model.take(unwrap(read_known(json.dumps(shown))))
        return model.era

    assert era(2, "a") == 0
    assert era(9, "a") == 0
    assert era(10, "b") == 1
    assert era(20, "c", deal=1, stage="dealing") == 1  # play went on
    assert era(21, "d", deal=1) == 1  # before the tiles are dealt nothing is chosen
    assert era(30, "e", deal=2) == 1


# Fair rounds ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "reason"), [(0, "restored"), (1, "left"), (2, "log-truncated")])
def test_only_files_that_were_put_back_lose_an_opening_that_was_shown(
    number: int, reason: str
) -> None:
    data = next(one for one in vectors() if one["_vector"] == "three rounds before")
    told = Fair.from_dict(data["deals"][0]["fair"])
    lost = told.abandoned[number]
    assert (lost.reason, lost.randomness[1]) == (reason, "")
    shown = {
        "number": number, "shown": True, "seats": [*lost.seats], "commitments": [*lost.commitments],
        "transcript": told.transcript_of(number), "randomness": ["", "5e" * 32, "", ""],
        "left_out": [],
        "abandoned": [{"reason": one.reason} for one in told.abandoned[:number]],
    }  # fmt: skip
    promise = {"value": lost.commitment, "match": told.match, "deal": told.deal, "round": number}
    seats = [{"bot": who.removeprefix("bot:").partition("/")[0]} for who in lost.seats]
    table = {
        "id": told.table, "match": told.match, "options": told.terms, "round": shown,
        "commitment": promise, "seats": seats, "scores": {"deals": [{}] * told.deal},
    }  # fmt: skip
    rounds = FairRounds(told.table)
    assert rounds.step(table, 0, lambda: "r") is None
    end = {"result": {}, "end": {"fair": told.to_dict()}}  # nothing is played in a vector
    deal = data["deals"][0] | {"number": told.deal, **end}
    scores = {"deals": [{"counts": True, "scores": None}] * (told.deal + 1)}
    with raises_code("unfair-deal", Ended) if reason == "left" else nullcontext():
        rounds.check(table | {"commitment": None, "scores": scores}, deal, {})


@pytest.mark.parametrize("shown", [True, False])
def test_a_match_whose_round_was_shown_is_not_forgotten_for_an_earlier_one(shown: bool) -> None:
    """It would be played anew, by tiles that were chosen for what was revealed, without a trace."""
    options = table_options("altinstar", "4", bots=(None, "greedy", "greedy", "greedy"), deals=1)
    story, rounds = Story(options, "back"), FairRounds(TABLE)
    story.fill()
    story.add(log.Started(user="u0", secret=story.secret()))
    if shown:
        story.add(all_shown(story.state))
    table = json.loads(serialise.encode(serialise.table_view(story.state, lambda _: Called())))
    rounds.step(table, 0, lambda: "r")
    for last in ((1, inf), (9, inf)):  # what never was takes nothing away
        rounds.put_back(last)
    table["commitment"]["value"] = "5c" * 32
    with raises_code("unfair-deal", Ended):
        rounds.step(table, 0, lambda: "r")
    with raises_code("unfair-deal", Ended) if shown else nullcontext():
        rounds.put_back((0, inf))


def followed(
    story: Story, rounds: FairRounds, until: Callable[[TableState], bool], *, here: bool = True
) -> None:
    """The table goes on, and a program follows it where it is there."""
    while not until(story.state):
        if story.state.stage is Stage.PLAYING:
            story.move("eager")
        else:
            story.add(log.Dealt() if story.state.shown else all_shown(story.state))
        state = story.state
        table = serialise.table_view(state, lambda _: Called())
        deal, you = serialise.deal_view(state), serialise.you(state, 0)
        shown = json.loads(serialise.encode([table, deal, you]))
        if here:
            rounds.compare(shown[0])
        if here and shown[1]:
            rounds.check(*shown)
        if here and state.stage is Stage.DEALING:
            rounds.step(shown[0], 0, lambda: "r")


def begun(seed: str) -> tuple[Story, FairRounds]:
    """A match against bots whose first deal is prepared."""
    options = table_options("altinstar", "4", bots=(None, "greedy", "greedy", "greedy"), deals=3)
    story = Story(options, seed)
    story.fill()
    story.add(log.Started(user="u0", secret=story.secret()))
    return story, FairRounds(TABLE)


@pytest.mark.parametrize(
    ("deal", "stage"), [(0, Stage.PLAYING), (1, Stage.DEALING), (1, Stage.PLAYING)]
)
def test_files_that_were_put_back_while_a_program_was_away_accuse_nobody(
    deal: int, stage: Stage
) -> None:
    """It comes back in the deal that is dealt anew or after it: the next has another promise."""
    story, rounds = begun("away")
    followed(story, rounds, lambda state: state.stage is Stage.PLAYING)
    saved = [*story.steps]
    followed(story, rounds, lambda state: state.number == 1 and state.shown)
    story.steps[:] = saved
    story.add(log.Abandoned(why="restored", secret=story.secret()))
    followed(story, rounds, lambda state: (state.number, state.stage) == (deal, stage), here=False)
    if deal == 1:  # other scores are told of the one that came anew
        with raises_code("unfair-deal", Ended, match="other scores"):
            followed(story, rounds, lambda state: state.number == 2)
    rounds.losses = "1"  # the server has told that rows were lost
    followed(story, rounds, lambda state: state.stage is Stage.OVER)


@pytest.mark.parametrize("shown", [False, True])
def test_a_deal_that_was_put_back_to_in_word_alone_is_a_lie(shown: bool) -> None:
    """Its tiles would stay, and those of the next would be chosen anew."""
    story, rounds = begun("in word alone")
    followed(story, rounds, lambda state: state.number == 1 and state.shown == shown)
    rounds.put_back((1, 0))
    with raises_code("unfair-deal", Ended, match="as it was before"):
        followed(story, rounds, lambda state: state.stage is Stage.OVER)
        table = json.loads(serialise.encode(serialise.table_view(story.state, lambda _: Called())))
        assert rounds.unchecked(table) == [(1, 0)]  # its end was not shown any more
        rounds.check_end(table, (1, 0), match_record(story.state))


def test_who_came_and_left_while_the_line_was_broken_is_taken_as_told() -> None:
    story, rounds = begun("came and left")
    states = story.state, story.add(all_shown(story.state))
    views = [serialise.table_view(state, lambda _: Called()) for state in states]
    before, now = json.loads(serialise.encode(views))
    rounds.step(before, 0, lambda: "r")
    now["round"]["seats"][1] = "c9"
    terms, shown = now["options"], [""] * 4
    promised, seats = now["commitment"]["value"], now["round"]["seats"]
    now["round"]["transcript"] = transcript(promised, TABLE, 1, 0, 0, seats, shown, terms)
    with raises_code("unfair-deal", Ended, match="others sit here"):
        rounds.step(now, 0, lambda: "r")
    rounds.away()
    assert rounds.step(now, 0, lambda: "r") is None


def test_a_deal_whose_end_was_passed_over_is_told_as_unchecked() -> None:
    story, rounds = begun("passed over")
    followed(story, rounds, lambda state: state.stage is Stage.PLAYING)
    followed(story, rounds, lambda state: state.number == 1 and state.shown, here=False)
    table = json.loads(serialise.encode(serialise.table_view(story.state, lambda _: Called())))
    assert rounds.unchecked(table | {"scores": {"deals": []}}) == []
    assert rounds.unchecked(table) == [(1, 0)]
    followed(story, rounds, lambda state: state.stage is Stage.OVER)
    assert rounds.unchecked(table | {"match": 2}) == [(1, 0)]
    record = match_record(story.state)
    first, *rest = record.deals
    for lie, reason in (
        (replace(first, fair=None), "is not told"),
        (replace(first, fair=rest[0].fair), "another deal"),
        (replace(first, dealer=(unwrap(first.dealer) + 1) % 4), "another seat deals"),
        (replace(first, actions=first.actions[:-1]), "scores are not those"),
    ):
        with raises_code("unfair-deal", Ended, match=reason):
            copy.deepcopy(rounds).check_end(table, (1, 0), replace(record, deals=(lie, *rest)))
    with raises_code("unfair-deal", Ended, match="lacks the deal"):
        rounds.check_end(table, (1, 0), replace(record, deals=()))
    rounds.check_end(table, (1, 0), record)
    assert rounds.unchecked(table | {"match": 2}) == []


def test_word_of_files_that_were_put_back_lets_nobody_choose_the_dealer() -> None:
    """The deal before has stayed, so who has to deal has too."""
    story, rounds = begun("dealer")
    followed(story, rounds, lambda state: state.number == 1)
    rounds.put_back((1, 1))
    state = story.state
    other = changed(state, dealer=(unwrap(state.dealer) + 1) % 4)
    story.steps[-1] = story.steps[-1]._replace(state=other)
    with raises_code("unfair-deal", Ended, match="another seat"):
        followed(story, rounds, lambda state: state.stage is Stage.OVER)


# Answers over HTTP of which a part is missing: the request is sent again --------------------------

WHOLE = b'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{"a":1}'
BROKEN = [
    b"",
    b"HTTP/1.1 200 OK\r\nContent-Le",
    b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n",
    b'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"a"',
    b'HTTP/1.1 404 Not Found\r\nContent-Length: 90\r\n\r\n{"ok"',
    b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a',
]


@pytest.mark.parametrize(
    ("reason", "goes_on", "lines"),
    [("internal", False, 2), ("internal", True, 4), ("keepalive ping timeout", False, 4)],
)
async def test_a_server_that_fails_twice_is_left_unless_the_table_goes_on_in_between(
    reason: str, goes_on: bool, lines: int
) -> None:
    """A line that was silent for too long is no fault of the server's."""
    opened = 0

    async def talk(socket: ServerConnection) -> None:
        nonlocal opened
        opened += 1
        await socket.recv()
        await socket.send(json.dumps(seen := view()))
        if goes_on:
            what = {"kind": "ready", "seat": 1, "on": True}
            event = {"type": "event", "seq": seen["seq"] + 1, "at": 5, "what": what}
            await socket.send(json.dumps(event))
        await socket.close(1011 if opened < 4 else 4002, reason if opened < 4 else "table-closed")

    async with serve(talk, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        code = "internal" if lines == 2 else "table-closed"
        table = JoinedTable(url, view()["table"]["id"], {}, pace=Pace(first=0.01))
        with raises_code(code, Ended):
            async with table as at:
                await at.until(lambda: False)
    assert opened == lines


@pytest.mark.parametrize("drops", [False, True])
async def test_who_is_promised_a_seat_and_loses_it_at_once_does_not_wait(drops: bool) -> None:
    """The promise is given and taken back before anybody looks, or while the line is down."""
    rids: list[str] = []

    async def talk(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps(view() | {"you": None}))
        async for text in socket:
            if (message := json.loads(text))["type"] == "ping":
                continue
            rids.append(message["rid"])
            await socket.send(json.dumps({"type": "ack", "rid": rids[0], "seq": 3}))
            if len(rids) == 1:
                if drops:
                    return
                for seat in (2, None):
                    await socket.send(json.dumps({"type": "coming", "seat": seat}))

    async with serve(talk, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with (
            asyncio.timeout(5),
            JoinedTable(url, view()["table"]["id"], {}, pace=Pace(first=0.01)) as at,
        ):
            with raises_code("not-seated", CommandRefused):
                await at.sit()
    assert rids == rids[:1] * 2


async def test_whatever_fails_within_a_line_ends_it_for_who_waits() -> None:
    async def talk(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps(view()))
        await socket.recv()
        await socket.send(json.dumps({"type": "presence", "seat": 0, "here": False}))
        await socket.wait_closed()

    def told() -> None:
        raise KeyError("mistake")

    async with serve(talk, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with asyncio.timeout(5), JoinedTable(url, view()["table"]["id"], {}) as at:
            at.told = told
            waiting = [
                asyncio.create_task(at.until(lambda: False)),
                asyncio.create_task(at.leave()),
            ]
            for one in waiting:
                with raises_code("line-failed", Ended, details={"reason": "'mistake'"}) as caught:
                    await one
                assert isinstance(caught.value.__cause__, KeyError)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: Patch) -> None:
    monkeypatch.setattr(http_calls, "_PAUSE_S", 0)


async def asked(answers: Sequence[bytes]) -> tuple[object, int]:
    """What a call comes to where these are the answers, and how often it was sent."""
    left = list(answers)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(left.pop(0))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        found = await Calls(f"http://127.0.0.1:{port}").call("GET", "/", dict[str, int])
    return found, len(answers) - len(left)


@pytest.mark.parametrize("broken", BROKEN)
async def test_a_part_of_an_answer_is_asked_for_again(broken: bytes) -> None:
    assert await asked([broken, broken, WHOLE]) == ({"a": 1}, 3)


async def test_a_line_that_always_breaks_is_no_server() -> None:
    with raises_code("no-server"):
        await asked([BROKEN[3]] * 5)


async def test_a_token_goes_to_no_other_server_than_the_one_that_was_asked() -> None:
    seen: list[bytes] = []

    async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(WHOLE)
        writer.close()

    async with await asyncio.start_server(other, "127.0.0.1", 0) as server:
        there = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/rules"
        moved = f"HTTP/1.1 302 Found\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n"
        with raises_code("server-moved") as caught:
            await asked([moved.encode()])
        assert (caught.value.details["to"], seen) == (there, [])


async def test_a_whole_answer_of_another_program_is_told_at_once() -> None:
    for other in (b"hello", b'"\xa2\xa2"', b'{"a":"\xa2"}', DEEP):
        for status in (b"200 OK", b"500 Internal Server Error"):
            answer = b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (status, len(other), other)
            with raises_code("not-okey101"):
                await asked([answer, WHOLE])
