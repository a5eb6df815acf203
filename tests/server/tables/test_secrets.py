"""Nobody is told what is hidden: tables that differ in it alone speak byte for byte the same."""

from __future__ import annotations

import asyncio
import io
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal
from unittest.mock import AsyncMock

import pytest

from conftest import Patch, Size, every_other, raises_code, unwrap
from okey101.errors import OkeyError
from okey101.game import PRESETS, options_of
from okey101.game.actions import DRAW, Discard
from okey101.server.protocol import client_messages as ask
from okey101.server.store.base import Row
from okey101.server.tables import clocks, log_entries as log, serialise
from okey101.server.tables.broadcast import EncodedEvent, ResumeTokens
from okey101.server.tables.command_handler import entry_for
from okey101.server.tables.match_record import match_record
from okey101.server.tables.queries import answer
from okey101.server.tables.reduce import applied
from okey101.server.tables.rounds import unrevealed
from okey101.server.tables.state import Round, Stage, TableState
from okey101.server.tables.table import Table
from okey101.server.work import bot_thoughts
from server.tables.table_stories import TABLE, Step, Story, story, table_options
from server.tables.twins import (
    Screen,
    Unchecked,
    dependencies,
    hidden_words,
    promises,
    table_at,
    twins,
)

Said = list[bytes]
"""All that a viewer is told, answers included."""
AIMS: tuple[Literal["points", "tiles", "left", "pairs"], ...] = ("points", "tiles", "left", "pairs")
STYLES = ("uniform", "by-kind", "eager")
Why = Literal["not-revealed", "restored", "log-truncated"]


def commands(steps: Sequence[Step]) -> Iterator[tuple[str, ask.Logged]]:
    """The commands that lead to these entries; bots' turns as if people had played them."""
    for number, step in enumerate(steps):
        rid = f"c{number}"
        match step.entry:
            case log.Acted(seat=seat, actions=actions):
                yield f"u{seat}", ask.Act(rid=rid, action=str(actions[0]))
            case log.Committed(user=user, commitment=promise):
                yield user, ask.Commit(rid=rid, commitment=promise)
            case log.Revealed(user=user, random=given):
                yield user, ask.Reveal(rid=rid, random=given)
            case log.ReadySet(user=user):
                yield user, ask.Ready(rid=rid)
            case _:
                raise AssertionError(step.entry)


def refusals(state: TableState, seat: int | None, rng: random.Random) -> list[ask.Logged]:
    """Commands of a viewer that are refused, some because of what it holds or doesn't."""
    tried = ["draw", "take", "pass", "return", "announce", "indicator", "meld R1 R2 R3"]
    tried += [f"discard {rng.choice('RYBK')}{rng.randrange(1, 14)}", "back 1", "lay R5 1", "?"]
    deal = state.deal
    if deal is not None and not deal.over:
        if seat is not None:
            actions = options_of(deal, seat).actions() or [Discard(rng.randrange(52))]
            tried += map(str, rng.choices(actions, k=3))
            rack = str(deal.rack(seat)).split()
            tried += [f"meld {' '.join(rng.choices(rack, k=3))}" for _ in range(3)]
    found: list[ask.Logged] = [ask.Act(rid=f"x{n}", action=text) for n, text in enumerate(tried)]
    found += [
        ask.Sit(rid="y1", seat=1), ask.Sit(rid="y2"), ask.Kick(rid="y3", seat=2),
        ask.Start(rid="y4"), ask.Reveal(rid="y5", random="00" * 16), ask.Resume(rid="y6"),
        ask.Rematch(rid="y7"), ask.SetBot(rid="y8", seat=0, bot=None),
        ask.Ready(rid="y9", on=False),
    ]  # fmt: skip
    return found


def refused(error: OkeyError) -> bytes:
    rule = getattr(error, "rule", None)
    return repr((type(error), error.code, error.message, error.details, rule, str(error))).encode()


async def answers(table: Table, seat: int | None, rng: random.Random) -> Said:
    """What a viewer hears in answer to questions, and to commands that are refused."""
    user = "nobody" if seat is None else f"u{seat}"
    state = table.state
    said: Said = []
    tried = refusals(state, seat, rng)
    questions = [ask.Ask(rid="q", what="options")]
    questions += [ask.Ask(rid="q", what="arrange", aim=aim) for aim in AIMS]
    acts = [command.action for command in tried if isinstance(command, ask.Act)]
    questions += [ask.Ask(rid="q", what="check", action=action) for action in acts]
    tiles = [rng.choice("RYBK") + str(rng.randrange(1, 14)), "*", "F"]
    where = [(tile, group) for tile in tiles for group in range(4)]
    questions += [ask.Ask(rid="q", what="places", tile=one, group=group) for one, group in where]
    for question in questions:
        try:
            said.append(serialise.encode(answer(state, user, question)))
        except OkeyError as error:
            said.append(refused(error))
    for command in tried:
        # What the rules would allow is not tried: it is not refused.
        if seat is not None and allowed(state, user, command):
            continue
        with pytest.raises(OkeyError) as caught:
            await table.command(user, command)
        said.append(refused(caught.value))
        assert table.state is state
    return said


def allowed(state: TableState, user: str, command: ask.Logged) -> bool:
    try:
        applied(state, entry_for(state, user, command), state.at_ms)
    except OkeyError:
        return False
    return True


async def told(
    state: TableState, seat: int | None, steps: Sequence[Step], seed: int
) -> tuple[Said, Table]:
    """All that the viewer hears while the table goes on from a state as the steps did."""
    rng = random.Random(seed)
    table = table_at(state)
    viewers = [Screen(f"u{n}") for n in range(len(state.seats))]
    own = Screen(None) if seat is None else viewers[seat]
    plain = Screen(own.user, options=False)
    for viewer in (*viewers, own) if seat is None else viewers:
        table.attach(viewer)
    said: Said = []
    since = state.seq + rng.randrange(1 + len(steps))
    hear = rng.randrange(1 + len(steps))
    for number, (who, command) in enumerate(commands(steps)):
        if number == hear:
            said += await answers(table, seat, rng)
        acked: list[int] = []
        seq = await table.command(who, command, acked.append)
        said.append(repr((seq, acked)).encode())
        assert await table.command(who, command) == seq
    if hear == len(steps):
        said += await answers(table, seat, rng)
    table.audience.say("u0", "hello")
    table.detach(viewers[-1] if viewers[-1] is not own else viewers[0])
    own_past = [*own.got]
    own.got.clear()
    for last in (None, since, table.state.seq, 0):
        again = plain if last is None else Screen(own.user)
        table.attach(again, last)
        said += again.got
    said.append(serialise.encode(match_record(table.state, str.upper).to_dict()))
    said.append(repr((table.state, table.state.played, state.deal)).encode())
    said.append(repr(table.audience._past.since(since, 10**6)).encode())
    await table.stop()
    return own_past + said, table


def same(mine: TableState, theirs: TableState, one: Said, other: Said) -> int:
    """The two are equal but for what the server promised; returns how often that was told."""
    promised, others = promises(mine), promises(theirs)
    assert len(one) == len(other)
    found = 0
    for a, b in zip(one, other, strict=True):
        assert len(a) == len(b)
        for this, that in zip(promised, others, strict=True):
            assert a.count(this) == b.count(that)
            found += a.count(this)
            a, b = a.replace(this, b""), b.replace(that, b"")
        assert a == b
    return found


def of_bot(step: Step) -> bool:
    """Whether it moves a bot's seat, which no command does."""
    entry = step.entry
    return isinstance(entry, log.Acted) and step.state.seats[entry.seat].user is None


def places(steps: Sequence[Step], rng: random.Random) -> tuple[int, int]:
    """Two steps of one deal, running or being prepared, before the deal begins or ends."""
    while True:
        at = rng.randrange(len(steps))
        stage = steps[at].state.stage
        if stage not in (Stage.PLAYING, Stage.DEALING):
            continue
        until = at
        most = rng.randrange(12)
        while (
            until - at < most
            and until + 1 < len(steps)
            and steps[until + 1].state.stage is stage
            and steps[until + 1].state.number == steps[at].state.number
            and steps[until + 1].state.shown is steps[at].state.shown
            and steps[until + 1].state.abandoned is steps[at].state.abandoned
            and not of_bot(steps[until + 1])
        ):
            until += 1
        return at, until


def compare(steps: Sequence[Step], seed: int) -> Counter[str]:
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    players = len(steps[0].state.seats)
    for seat in (None, *range(players)):
        at, until = places(steps, rng)
        twin = twins(steps, seat, at, until, rng)
        if twin is None:
            seen["none"] += 1
            continue
        state = steps[at].state
        assert twin.secret != state.secret
        played = steps[at + 1 : until + 1]
        one, table = asyncio.run(told(state, seat, played, seed))
        other, _ = asyncio.run(told(twin, seat, played, seed))
        seen["commitments"] += same(state, twin, one, other)
        spoken = b"\n".join(one)
        for word in hidden_words(table.state, seat) | hidden_words(state, seat):
            assert word not in spoken
        seen[state.stage.value] += 1
        deal, theirs = state.deal, twin.deal
        if state.stage is Stage.PLAYING and deal is not None and theirs is not None:
            seen["hands differ"] += deal.hands != theirs.hands
    return seen


@pytest.mark.parametrize(("preset", "seats"), every_other(PRESETS, ("teams", "2", "3", "4")))
def test_viewers_hear_the_same_whatever_is_hidden(preset: str, seats: str, size: Size) -> None:
    seen: Counter[str] = Counter()
    for number in range(size(2, long=30)):
        told_story = story(
            preset, seats, f"{preset} {seats} {number}", style=STYLES[number % 3],
            riziko=preset == "wiki" and number % 2 == 1, spectators=("live", "turn")[number % 2],
        )  # fmt: skip
        for part in range(size(2, long=3)):
            seen += compare(told_story.steps, 10 * number + part)
    assert seen["hands differ"] > seen["none"]
    assert seen["commitments"] > 0


def test_a_hand_that_was_told_to_another_seat_would_be_found(monkeypatch: Patch) -> None:
    told_story = story("altinstar", "4", "planted", spectators="live")
    view = serialise.deal_view

    def leaky(state: TableState) -> serialise.Json | None:
        shown = view(state)
        if shown is not None and state.deal is not None:
            shown["sizes"] = [hand % 7 for hand in state.deal.hands]
        return shown

    monkeypatch.setattr(serialise, "deal_view", leaky)
    with pytest.raises(AssertionError):
        sum((compare(told_story.steps, seed) for seed in range(20)), Counter())


# What is printed and logged -------------------------------------------------------------------


def running(seed: str = "printed") -> TableState:
    steps = story("altinstar", "4", seed).steps
    found = [s.state for s in steps if s.state.stage is Stage.PLAYING and s.state.number == 1]
    return found[len(found) // 2]


def test_nothing_hidden_is_printed() -> None:
    state = running()
    secret = "ab" * 32
    row = Row(TABLE, 7, 0, log.encode_entry(log.Started(user="u", secret=secret)), 1, "")
    assert secret.encode() in row.entry
    printed: list[object] = [
        state, state.played, state.deal, row, [row],
        log.Started(user="u", secret=secret), log.Abandoned(why="left", secret=secret),
        log.Acted(seat=1, actions=(DRAW,), secret=secret),
        log.Revealed(user="u", random=secret), ask.Reveal(rid="r", random=secret),
        Round(bytes.fromhex(secret), (), (), (), "left"),
        EncodedEvent(3, b"{}", {1: ("u", secret.encode())}),
        dependencies(Unchecked(), 0, 1),
    ]  # fmt: skip
    for thing in printed:
        for text in (repr(thing), str(thing), f"{thing}"):
            assert secret not in text
            for word in hidden_words(state, None):
                assert word not in text.encode()
            for played in state.played:
                assert played.secret.hex() not in text
                assert repr(played.secret) not in text


class Careless:
    """A bot that fails with its hand in the error."""

    def choose(self, view: object, options: object) -> object:
        hand = serialise.encode({"hand": str(getattr(view, "rack", ""))}).decode()
        raise OkeyError("no-luck", hand, hand=hand)


def test_a_bot_that_fails_logs_none_of_its_hand(monkeypatch: Patch, details: io.StringIO) -> None:
    state = running()
    deal = unwrap(state.deal)
    monkeypatch.setattr(bot_thoughts, "make_bot", lambda *_: Careless())
    entry = asyncio.run(clocks.bot_action(state, dependencies(Unchecked(), 0, 1)))
    assert isinstance(entry, log.Acted)
    assert entry.by == "fallback"
    logged = json.loads(details.getvalue())
    assert logged["event"] == "bot-failed"
    assert logged["trace"][0] == "OkeyError"
    assert str(deal.rack(deal.turn)) not in details.getvalue()
    assert "hand" not in details.getvalue()


async def test_a_task_that_fails_tells_the_log_nothing_hidden(details: io.StringIO) -> None:
    state = running()
    table = table_at(state)
    assert state.deal is not None
    table._tasks.spawn(AsyncMock(side_effect=LookupError(str(state.deal.rack(0))))())
    await asyncio.sleep(0.01)
    await table.stop()
    assert "table-task-failed" in details.getvalue()
    assert str(unwrap(state.deal).rack(0)) not in details.getvalue()


# One person, one hand -------------------------------------------------------------------------


def test_who_left_a_seat_in_a_deal_sees_no_other_hand_of_it() -> None:
    play = Story(table_options("altinstar", "4", deals=2), "two hands")
    play.begin()
    play.add(log.Left(user="u1"))
    play.add(log.Left(user="u2"))
    for seat, user in ((1, "u2"), (2, "u1")):
        with raises_code("other-hand"):
            play.add(log.Sat(user=user, seat=seat))
    assert play.add(log.Sat(user="u9", seat=2)).seat_of("u9") == 2
    assert play.add(log.Sat(user="u1", seat=1)).seat_of("u1") == 1
    play.add(log.Left(user="u1"))
    play.play()
    assert play.state.stage is Stage.DEALING
    assert play.add(log.Sat(user="u1", seat=1)).seat_of("u1") == 1
    play.add(log.Left(user="u1"))
    play.deal()
    assert play.state.seen == ()


async def test_no_free_seat_is_offered_to_who_saw_another_hand() -> None:
    play = Story(table_options("altinstar", "4", bots=(None, None, "steady", None)), "offered")
    play.begin()
    play.add(log.Left(user="u3"))
    table = table_at(play.state)
    await table.command("u3", ask.Sit(rid="a"))
    assert table.state.seat_of("u3") == 3


# Rounds that were thrown away, and clients that know more rows -----------------------------------

HEAD = re.compile(rb'"head":"[^"]*"')
SHOWN = re.compile(rb'("(?:secret|commitment|transcript|value)":)"[0-9a-f]{64}"')


def with_bots(seed: str, bots: Sequence[str | None], style: str) -> Story:
    """A match in which every first round of a deal is thrown away, for one reason or another."""
    options = table_options("altinstar", "4", bots=tuple(bots), spectators="live", late=False)
    told = Story(options, seed)
    told.fill()
    told.add(log.Started(user=told.state.owner, secret=told.secret()))
    whys: Iterator[Why] = iter(("not-revealed", "restored", "log-truncated") * 10)
    while told.state.stage is not Stage.OVER:
        told.commit()
        told.add(log.CommitmentsShown())
        why = next(whys) if unrevealed(told.state) else "restored"
        told.add(log.Abandoned(why=why, secret=told.secret()))
        told.commit()
        told.deal()
        told.play(style)
    return told


@pytest.mark.parametrize(
    "bots", [(None, None, "greedy", "steady"), (None, "random", None, None)], ids=["two", "one"]
)
def test_viewers_hear_the_same_with_bots_and_thrown_rounds(
    bots: tuple[str | None, ...], size: Size
) -> None:
    seen: Counter[str] = Counter()
    for number in range(size(1, long=30)):
        told = with_bots(f"bots {bots} {number}", bots, STYLES[number % 3])
        kinds = {getattr(step.entry, "by", None) for step in told.steps}
        assert kinds >= {"bot", "user"}
        for part in range(4):
            seen += compare(told.steps, 10 * number + part)
    assert seen["hands differ"] > seen["none"]
    assert seen["commitments"] > 0


async def claimed(
    state: TableState, seat: int | None, *, truly: bool
) -> tuple[list[bytes], TableState]:
    """What somebody hears who claims to have seen rows that the log does not have."""
    resume_tokens = ResumeTokens(bytes(range(32)))
    table = table_at(state, resume_tokens=resume_tokens)
    others = [Screen(None), *(Screen(f"u{n}") for n in range(len(state.seats)))]
    for one in others:
        table.attach(one)
    own = others[0 if seat is None else seat + 1]
    ahead = state.seq + 3
    head = resume_tokens.of(TABLE, ahead, 0, "a row") if truly else f"0.{'0' * 32}"
    again = Screen(own.user)
    await table.catch_up(ahead, head)
    table.attach(again, ahead, head)
    after = table.state
    await table.stop()
    return [*own.got, *again.got], after


@pytest.mark.parametrize("truly", [False, True], ids=["made up", "truly"])
def test_who_knows_more_rows_than_the_log_learns_nothing_hidden(truly: bool, size: Size) -> None:
    """A head that is this server's own has the deal thrown away, and its secret shown: no more."""
    rng = random.Random(f"ahead {truly}")
    compared = 0
    for number in range(size(2, long=40)):
        steps: list[Step] = with_bots(f"ahead {number}", (None,) * 4, STYLES[number % 3]).steps
        playing = [n for n, step in enumerate(steps) if step.state.stage is Stage.PLAYING]
        for at in rng.sample(playing, 4):
            seat, state = rng.choice([None, 0, 1, 2, 3]), steps[at].state
            twin = twins(steps, seat, at, at, rng)
            if twin is None:
                continue
            one, after = asyncio.run(claimed(state, seat, truly=truly))
            other, _ = asyncio.run(claimed(twin, seat, truly=truly))
            assert (after.stage is Stage.DEALING) == truly
            assert any(b'"log-truncated"' in said for said in one) == truly
            open_ = [[SHOWN.sub(rb"\1_", HEAD.sub(b"", s)) for s in said] for said in (one, other)]
            assert open_[0] == open_[1]
            words = hidden_words(after, seat)
            if not truly:
                words |= hidden_words(state, seat)
            assert not [word for word in words for said in one if word in said]
            compared += 1
    assert compared >= 4
