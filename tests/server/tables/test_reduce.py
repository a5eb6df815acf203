"""The reducer: what every entry does and refuses, in rounds too, and what clients know of it."""

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from conftest import every_other, raises_code, unwrap
from okey101.errors import OkeyError
from okey101.game import PRESETS, Record, parse_action, parse_record
from okey101.game.actions import DRAW, Back, Discard
from okey101.game.fair.rounds import commitment
from okey101.game.fair.transcript import Fair
from okey101.game.record.verification import Check, State, Verification, verify_record
from okey101.server.errors import SERVER_CODES
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.views import Called
from okey101.server.tables import log_entries as log, rounds, serialise
from okey101.server.tables.command_handler import entry_for
from okey101.server.tables.match_record import match_record
from okey101.server.tables.reduce import MAX_TURN_ACTIONS, MAX_VOID_DEALS, applied, reduce
from okey101.server.tables.rounds import MAX_ROUNDS
from okey101.server.tables.rows import state_hash
from okey101.server.tables.state import Seat, Stage, TableState, changed
from okey101.tiles import OKEY, Tile
from rules.table import table as laid_out
from server.contributions import promise_of
from server.model import Model
from server.protocol.test_messages import checked
from server.tables.table_stories import TABLE, Step, Story, at_table, story, table_options
from server.tables.twins import Screen, table_at

SECRET, NEXT = "5e" * 32, "a7" * 32
DAY = log.Day(date="2026-11-26", secrets=(SECRET, NEXT), closes_ms=5)


def told(*entries: log.Entry, seats: str = "4", **changes: object) -> Story:
    made = Story(table_options("altinstar", seats, **changes), "reduce")
    for entry in entries:
        made.add(entry)
    return made


def full(**changes: object) -> Story:
    made = Story(table_options("altinstar", "4", **changes), "reduce")
    made.fill()
    return made


def dealing(**changes: object) -> Story:
    made = full(**changes)
    made.add(log.Started(user="u0", secret=SECRET))
    return made


def playing(**changes: object) -> Story:
    made = dealing(**changes)
    made.deal()
    return made


def over(**changes: object) -> Story:
    made = full(deals=1, **changes)
    made.match("eager")
    return made


def act(made: Story, *actions: str, **given_: Any) -> log.Acted:
    assert made.state.deal is not None
    return log.Acted(seat=made.state.deal.turn, actions=tuple(map(parse_action, actions)), **given_)


# What entries do ------------------------------------------------------------------------------


def test_create_seats_the_owner_in_the_first_seat_without_a_bot() -> None:
    state = told(bots=("steady", None, None, "greedy")).state
    assert state.seats == (
        Seat(bot="steady"),
        Seat(user="u0", ready=True),
        Seat(),
        Seat(bot="greedy"),
    )
    assert (state.owner, state.seq, state.stage) == ("u0", 1, Stage.WAITING)


def test_sit_takes_a_seat_or_a_bots() -> None:
    made = told(bots=(None, None, None, "greedy"))
    assert made.add(log.Sat(user="u1", seat=2)).seats[2] == Seat(user="u1", ready=True)
    assert made.add(log.Sat(user="u2", seat=3)).seats[3] == Seat(user="u2", ready=True)
    row = log.read_entry(b'{"kind":"sit","user":"u2","seat":3}')
    assert row == log.Sat(user="u2", seat=3, late=False, waits=False)


def test_leave_frees_a_seat_before_a_match_and_gives_it_to_a_bot_in_one() -> None:
    made = told(log.Sat(user="u1", seat=3), bots=(None, None, None, "greedy"))
    assert made.add(log.Left(user="u1")).seats[3] == Seat(bot="greedy")
    state = made.add(log.Left(user="u0"))
    assert state.people == ()
    assert made.add(log.Sat(user="u5", seat=1)).owner == "u5"
    made = playing()
    state = made.add(log.Left(user="u0"))
    assert state.seats[0] == Seat(bot="steady")
    assert state.owner == "u1"
    assert state.seen == (("u0", 0),)


def test_the_administrator_sends_away_at_any_time() -> None:
    for made in (full(), dealing(), playing()):
        state = reduce(made.state, log.Kicked(seat=0, by="admin"), 0)
        assert state.seat_of("u0") is None
        assert state.sent_away == {"u0"}
        assert state.owner == "u1"
        assert state.stage is made.state.stage
        assert state.seats[0].free is (state.stage is Stage.WAITING)
        with pytest.raises(OkeyError, match="removed"):
            reduce(state, log.Sat(user="u0", seat=0), 0)
    state = over().state
    for user in ("u0", "u1", "u2"):
        state = reduce(state, log.RematchSet(user=user), 0)
    assert reduce(state, log.Kicked(seat=3, by="admin"), 0).stage is Stage.WAITING


def test_a_new_name_changes_nothing_of_the_table_and_close_is_its_end() -> None:
    made = playing()
    before = made.state
    after = reduce(before, log.Renamed(user="u1"), before.at_ms)
    assert changed(after, seq=before.seq) == before
    state = made.add(log.Closed(why="admin"))
    assert (state.stage, state.deal, state.secret) == (Stage.CLOSED, None, None)


def test_bot_sets_and_takes_away() -> None:
    made = told(log.BotSet(user="u0", seat=2, bot="greedy"))
    assert made.state.seats[2] == Seat(bot="greedy")
    assert made.state.options.bots == (None, None, "greedy", None)
    assert made.add(log.BotSet(user="u0", seat=2, bot=None)).seats[2].free


def test_start_prepares_a_deal_and_changes_the_seats_about() -> None:
    made = full(bots=(None, None, None, "greedy"))
    state = made.add(log.Started(user="u0", secret=SECRET, order=(3, 1, 0, 2)))
    assert [seat.user for seat in state.seats] == [None, "u1", "u0", "u2"]
    assert state.options.bots == ("greedy", None, None, None)
    assert (state.stage, state.match, state.secret) == (Stage.DEALING, 1, bytes.fromhex(SECRET))
    assert state.deadline == state.at_ms + state.first_wait_ms


def test_the_end_of_a_deal_needs_the_next_secret() -> None:
    made = playing()
    before = made.state
    while made.state.stage is Stage.PLAYING:
        before = made.state
        made.move("eager")
    last = made.steps[-1].entry
    assert isinstance(last, log.Acted)
    with pytest.raises(ValueError, match="secret"):
        reduce(before, msgspec.structs.replace(last, secret=None), 0)
    assert made.state.stage is Stage.DEALING
    assert made.state.secret == bytes.fromhex(unwrap(last.secret))
    assert made.state.played[0].secret == bytes.fromhex(SECRET)


def test_who_plays_a_try_of_a_day_leaves_it_when_it_is_over() -> None:
    again = log.Again(match="m-1", deal=0, seed=SECRET, dealer=0, actions=(), scores=())
    leave = ask.Leave(rid="l")
    of_a_day = serialise.table_view(changed(playing().state, day=DAY), Called)
    assert of_a_day["day"] == DAY.date
    for made, day in ((playing(), msgspec.structs.replace(DAY, again=again)), (over(), DAY)):
        assert entry_for(changed(made.state, day=day), "u0", leave) == log.Left(user="u0", rid="l")
    with raises_code("day-table"):
        entry_for(changed(playing().state, day=DAY), "u0", leave)


@pytest.mark.parametrize("style", ["eager", "by-kind"])
def test_every_deal_of_a_day_is_dealt_by_the_next_seat_and_counts(style: str) -> None:
    made = playing()
    made.steps.append(made.steps[-1]._replace(state=changed(made.state, day=DAY)))
    dealer = unwrap(made.state.dealer)
    for number in (1, 2):
        made.play(style)
        assert made.state.dealer == (dealer + number) % 4
        assert made.state.stage is (Stage.DEALING if number == 1 else Stage.OVER)
        if number == 1:
            made.deal()


def test_after_a_match_the_owner_sends_away_who_stands_in_the_way_of_another() -> None:
    """A wish for another match may be taken back."""
    made = over()
    for on in (True, False):
        assert made.add(log.RematchSet(user="u0", on=on)).seats[0].rematch is on
    for user in ("u1", "u2", "u3"):
        assert made.add(log.RematchSet(user=user)).stage is Stage.OVER
    made.add(log.Left(user="u3"))
    made.add(log.Sat(user="u9", seat=3))
    assert made.add(log.RematchSet(user="u0")).stage is Stage.OVER
    assert made.add(log.Kicked(user="u0", seat=3)).stage is Stage.WAITING


def test_the_seats_are_drawn_where_the_host_wants_that() -> None:
    def order(state: TableState) -> tuple[int, ...] | None:
        entry = entry_for(state, "u0", ask.Start(rid="r"))
        assert isinstance(entry, log.Started)
        return entry.order

    state = full().state
    drawing = changed(state, options=msgspec.structs.replace(state.options, seats="random"))
    assert order(state) is None
    orders = {unwrap(order(drawing)) for _ in range(40)}
    assert len(orders) > 5
    assert {tuple(sorted(one)) for one in orders} == {(0, 1, 2, 3)}


def test_the_last_commands_of_each_person_are_remembered() -> None:
    """And time never goes back, whatever the clock of the server says."""
    state = told().state
    assert reduce(state, log.Sat(user="u1", seat=1), state.at_ms - 5_000).at_ms == state.at_ms
    for number in range(80):
        state = reduce(state, log.ReadySet(user="u0", rid=f"r{number}"), 0)
    assert unwrap(state.known("u0", "r79"))[0] == 81
    assert unwrap(state.known("u0", "r48"))[0] == 50
    assert state.known("u0", "r47") is None
    assert state.known("u1", "r79") is None
    for number in range(200):
        state = reduce(state, log.Sat(user=f"p{number}", rid="a", seat=1), 0)
        state = reduce(state, log.Left(user=f"p{number}", rid="b"), 0)
    assert len(state.heard) <= 64
    assert unwrap(state.known("p199", "b"))[0] == state.seq
    # Who sits here is remembered, whoever comes and goes.
    assert unwrap(state.known("u0", "r79"))[0] == 81


# Rounds of commitments --------------------------------------------------------------------------

GIVEN = b"a contribution of"
PEOPLE = ("u0", "u1", "u2", "u3")


def promised(*users: str, **changes: Any) -> Story:
    """A table at which these people have committed themselves."""
    made = dealing(**changes)
    commit(made, *users)
    return made


def commit(made: Story, *users: str) -> None:
    for user in users or PEOPLE:
        made.given[user] = GIVEN
        made.add(made.committed(user, GIVEN))


def revealed(made: Story, *users: str) -> Story:
    """The commitments shown, and what these people revealed."""
    made.add(log.CommitmentsShown())
    for user in users:
        made.add(log.Revealed(user=user, random=GIVEN.hex()))
    return made


def record(made: Story) -> Record:
    made.play_out()
    return parse_record(match_record(made.state, str.upper).to_json())


def test_a_free_seat_is_no_bot_in_a_record() -> None:
    bots = (None, None, None, "greedy")
    made = told(log.Sat(user="u1", seat=2), bots=bots)
    written = match_record(made.state, str.upper).to_dict()
    assert written["players"] == ["U0", "-", "U1", "bot:greedy"]


def verified(made: Story) -> Verification:
    checked = verify_record(record(made))
    assert not checked.errors
    assert all(deal.verified for deal in checked.deals)
    return checked


def told_round(state: TableState) -> Any:
    return serialise.table_view(state, Called)["round"]


# A round ---------------------------------------------------------------------------------------


def test_a_round_from_the_secret_to_the_tiles() -> None:
    made = dealing(deals=1, bots=(None, None, None, "steady"))
    state = made.state
    assert state.commitment == commitment(bytes.fromhex(SECRET), TABLE, 1, 0, 0)
    assert (state.promises, state.shown, state.transcript) == ((None,) * 4, False, None)
    commit(made, "u0", "u2")
    state = made.add(log.CommitmentsShown())
    assert [promise is not None for promise in state.promises] == [True, False, True, False]
    assert state.sat == ("u0", "u1", "u2", "bot:steady")
    assert state.deadline == state.at_ms + state.first_wait_ms
    for user in ("u2", "u0"):
        made.add(log.Revealed(user=user, random=GIVEN.hex()))
    assert made.state.cuts == (GIVEN, None, GIVEN, None)
    made.add(log.Dealt())
    assert made.state.stage is Stage.PLAYING
    fair = Fair.from_dict(record(made).deals[0].fair)
    people = [state.id_of(user) for user in ("u0", "u1", "u2")]
    assert fair.seats == (*people, "bot:steady")
    assert fair.terms == state.terms
    assert fair.transcript == state.transcript
    assert verified(made).deals[0].given == (0, 2)


def test_what_is_told_of_a_round() -> None:
    made = promised("u1", bots=(None, None, None, "steady"))
    assert told_round(made.steps[0].state) is None
    told = told_round(made.state)
    promise = made.state.promises[1]
    assert told == {
        "number": 0, "shown": False, "commitments": [None, promise, None, None], "seats": None,
        "transcript": None, "randomness": [None] * 4, "left_out": [], "abandoned": [],
    }  # fmt: skip
    before = made.state
    revealed(made, "u1")
    assert "round" in serialise.table_patch(before, made.state, Called)
    told = told_round(made.state)
    people = [made.state.id_of(user) for user in ("u0", "u1", "u2")]
    assert told["seats"] == [*people, "bot:steady"]
    assert told["transcript"] == made.state.transcript
    assert told["randomness"] == [None, GIVEN.hex(), None, None]
    what = {"kind": "reveal", "seat": 1, "random": GIVEN.hex()}
    assert serialise.what_happened(made.steps[-1].entry, before) == what


# A broken round --------------------------------------------------------------------------------


def test_who_does_not_reveal_in_time_is_left_out_of_the_next_round() -> None:
    made = revealed(promised(deals=1), "u0", "u1", "u2")
    first = made.state
    state = made.add(log.Abandoned(why="not-revealed", secret=NEXT))
    assert (state.stage, state.shown, state.promises) == (Stage.DEALING, False, (None,) * 4)
    assert state.commitment == commitment(bytes.fromhex(NEXT), TABLE, 1, 0, 1)
    assert state.commitment != first.commitment
    assert state.left_out == {"u3"}
    told = told_round(state)
    assert told["left_out"] == [3]
    (before,) = told["abandoned"]
    assert (before["secret"], before["reason"]) == (SECRET, "not-revealed")
    assert before["randomness"] == [GIVEN.hex()] * 3 + [""]
    with raises_code("left-out"):
        made.add(made.committed("u3", GIVEN))
    commit(made, "u0", "u1", "u2")
    checked = verified(made)
    assert checked.deals[0].abandoned == ("not-revealed",)
    assert checked.deals[0].given == (0, 1, 2)
    assert made.state.left_out == frozenset()


def test_who_leaves_in_the_middle_of_a_round_breaks_it() -> None:
    made = revealed(promised(), "u0", "u1")
    made.add(log.Left(user="u3"))
    assert rounds.gone(made.state) == [3]
    state = made.add(log.Abandoned(why="left", secret=NEXT))
    assert state.left_out == {"u3"}  # u2 did not reveal either, but still could
    assert state.sitting == ("u0", "u1", "u2", "bot:steady")
    assert state.abandoned[0].sat == PEOPLE
    commit(made, "u0", "u1", "u2")
    assert made.state.promises[3] is None


def test_who_leaves_before_it_is_shown_takes_the_commitment_along() -> None:
    made = promised()
    made.add(log.Left(user="u3"))
    assert made.state.promises[3] is None
    made.add(log.Sat(user="u9", seat=3, late=True))
    made.add(made.committed("u9", GIVEN))
    assert made.add(log.CommitmentsShown()).sat == ("u0", "u1", "u2", "u9")


def test_whoever_sits_down_after_it_was_shown_waits_for_the_next_deal() -> None:
    made = revealed(promised("u0", bots=(None, None, None, "steady")))
    with raises_code("seat-taken"):
        made.add(log.Sat(user="u9", seat=3, late=True))
    state = made.add(log.Sat(user="u9", seat=3, late=True, waits=True))
    assert state.seats[3] == Seat(bot="steady")
    state = made.add(log.Abandoned(why="not-revealed", secret=NEXT))
    assert state.seats[3] == Seat(user="u9")  # nobody was dealt anything


def test_late_guests_break_no_more_than_so_many_rounds() -> None:
    made = dealing(bots=(None, None, None, "steady"))
    for number in range(MAX_ROUNDS):
        guest = f"g{number}"
        made.add(log.Sat(user=guest, seat=3, late=True))
        commit(made, guest)
        made.add(log.CommitmentsShown())
        made.add(log.Left(user=guest))
        made.add(log.Abandoned(why="left", secret=NEXT))
    made.add(log.Sat(user="g", seat=3, late=True))
    assert not rounds.may_commit(made.state, "g")
    assert rounds.may_commit(made.state, "u0")
    commit(made, "u0")
    assert made.add(log.CommitmentsShown()).stage is Stage.DEALING


@pytest.mark.parametrize("opened", [(), ("u1",)])
def test_after_a_restart_the_round_goes_on(opened: tuple[str, ...]) -> None:
    """Fall 4: a restart throws no round away, and of one that is complete the tiles are dealt."""
    made = revealed(promised("u1", "u2"), *opened)
    before = made.state
    state = made.add(log.Restarted())
    assert changed(state, seq=before.seq, at_ms=before.at_ms, deadline=before.deadline) == before
    assert state.deadline == state.at_ms + state.pause_ms
    for user in {"u1", "u2"} - {*opened}:
        made.add(log.Revealed(user=user, random=GIVEN.hex()))
    assert verified(made).deals[0].abandoned == ()


@pytest.mark.parametrize("why", ["not-revealed", "left"])
def test_a_complete_round_is_not_thrown_away(why: Literal["not-revealed", "left"]) -> None:
    """Fall 4: both reasons need an opening that is missing."""
    for made in (revealed(promised("u1"), "u1"), promised("u1")):
        with raises_code("not-revealing"):
            made.add(log.Abandoned(why=why, secret=NEXT))


@pytest.mark.parametrize("first", [True, False])
def test_a_deal_that_is_thrown_away_stays_in_the_record(*, first: bool) -> None:
    made = dealing(deals=2)
    if not first:
        made.deal()
        made.play("eager")
        assert made.state.stage is Stage.DEALING
    commit(made)
    dealer = made.state.dealer
    made.deal()
    made.move("eager")
    made.add(log.Left(user="u3"))
    made.add(log.Sat(user="u9", seat=3, late=True, waits=True))
    state = made.add(log.Abandoned(why="log-truncated", secret=NEXT))
    assert (state.stage, state.deal, state.dealer) == (Stage.DEALING, None, dealer)
    assert state.deadline == state.at_ms + state.pause_ms
    assert state.seat_of("u9") == 3
    assert state.number == (0 if first else 1)
    checked = verified(made)
    assert checked.deals[state.number].abandoned == ("log-truncated",)
    assert checked.deals[state.number].states[Check.DEALER] is State.PROVED


# What is refused ------------------------------------------------------------------------------

_R9 = log.Sat(user="u9", seat=0)


def commits(made: Story, user: str) -> tuple[Story, log.Entry]:
    return made, made.committed(user, GIVEN)


def reveals(made: Story, user: str) -> tuple[Story, log.Entry]:
    return made, log.Revealed(user=user, random=GIVEN.hex())


REFUSED: list[tuple[str, Story, log.Entry]] = [
    ("already-seated", told(), log.Sat(user="u0", seat=2)),
    ("bad-message", told(), log.Created(user="u0", options=table_options("wiki", "4"))),
    ("kicked", told(log.Sat(user="u1", seat=1), log.Kicked(user="u0", seat=1)),
     log.Sat(user="u1", seat=1)),
    ("no-bot", playing(), log.Away(seat=0, on=False, why="back")),
    ("no-bot", playing(bots=(None, None, None, "steady")), log.Away(seat=3, on=True, why="late")),
    ("not-playing", told(), log.Acted(seat=0, actions=(DRAW,))),
    ("not-playing", dealing(), log.Acted(seat=0, actions=(DRAW,))),
    ("not-playing", told(), log.Away(seat=0, on=True, why="late")),
    ("no-rematch", full(), log.RematchSet(user="u0")),
    ("no-seat", told(seats="2"), log.Sat(user="u1", seat=2)),
    ("no-seat", told(), log.Sat(user="u1", seat=-1)),
    ("no-seat", told(), log.Kicked(user="u0", seat=0)),
    ("no-seat", told(), log.Kicked(user="u0", seat=1)),
    ("no-seat", told(), log.BotSet(user="u0", seat=4, bot="greedy")),
    ("not-owner", full(), log.Started(user="u1", secret=SECRET)),
    ("not-owner", full(), log.Kicked(user="u1", seat=2)),
    ("not-owner", full(), log.BotSet(user="u1", seat=2, bot=None)),
    ("not-ready", told(*(log.Sat(user=f"u{n}", seat=n) for n in (1, 2, 3)),
                       log.ReadySet(user="u2", on=False)),
     log.Started(user="u0", secret=SECRET)),
    ("not-seated", told(), log.Left(user="u5")),
    ("not-seated", told(), log.ReadySet(user="u5")),
    ("not-seated", told(), log.Renamed(user="u5")),
    ("no-seat", told(), log.Kicked(seat=1, by="admin")),
    ("not-seated", over(), log.RematchSet(user="u5")),
    ("not-seated", playing(), log.Away(seat=1, on=True, why="late", user="u2")),
    ("not-waiting", playing(), log.Started(user="u0", secret=SECRET)),
    ("not-waiting", playing(), log.Kicked(user="u0", seat=1)),
    ("not-waiting", playing(), log.ReadySet(user="u0")),
    ("not-waiting", dealing(), log.ReadySet(user="u0", on=False)),
    ("not-waiting", playing(), log.BotSet(user="u0", seat=1, bot=None)),
    ("other-hand", playing(), log.Sat(user="u1", seat=2)),
    ("seat-taken", told(), _R9),
    ("seat-taken", playing(late=False, bots=(None, None, None, "steady")),
     log.Sat(user="u9", seat=3)),
    ("seat-taken", told(), log.BotSet(user="u0", seat=0, bot="greedy")),
    ("seats-empty", told(), log.Started(user="u0", secret=SECRET)),
    ("table-closed", told(log.Closed(why="idle")), log.Sat(user="u1", seat=1)),
    ("not-your-turn", playing(), log.Acted(seat=0, actions=(DRAW,))),
    ("must-play", playing(), log.Acted(seat=0, actions=(DRAW,))),
    ("already-committed", *commits(promised("u1"), "u1")),
    ("already-revealed", *reveals(revealed(promised(), "u1"), "u1")),
    ("left-out", *commits(promised(), "u1")),
    ("left-out", *commits(dealing(), "u2")),
    ("not-committed", *reveals(revealed(promised("u1")), "u2")),
    ("not-committed", *reveals(promised("u1"), "u1")),
    ("not-committing", *commits(revealed(promised("u1")), "u2")),
    ("not-committing", revealed(promised("u1")), log.CommitmentsShown()),
    ("not-playing", told(seats="2"), log.Abandoned(why="left", secret=NEXT)),
    ("not-revealing", *reveals(promised("u1"), "u1")),
    ("not-revealing", promised("u1"), log.Dealt()),
    ("not-revealing", revealed(promised(), "u1"), log.Dealt()),
    ("wrong-opening", revealed(promised()), log.Revealed(user="u1", random="00" * 16)),
]  # fmt: skip


def prepared(code: str, made: Story, entry: log.Entry) -> tuple[TableState, log.Entry]:
    """The state in which the entry is refused, where it takes more than the story."""
    state = made.state
    if code == "other-hand":
        for user in ("u1", "u2"):
            state = reduce(state, log.Left(user=user), 0)
    if code == "left-out":
        day = None if state.promises[1] else DAY
        state = changed(state, left_out=frozenset({"u1"}), promises=(None,) * 4, day=day)
    if code == "not-committed" and not state.shown:
        # The seat's commitment is somebody else's, who left.
        state = changed(state, shown=True, sat=("u0", "u9", "u2", "u3"))
    if isinstance(entry, log.Acted) and state.deal is not None:
        turn = state.deal.turn
        seat = (turn + 1) % 4 if code == "not-your-turn" else turn
        entry = msgspec.structs.replace(entry, seat=seat)
    return state, entry


@pytest.mark.parametrize(
    ("code", "made", "entry"), REFUSED, ids=[f"{c}-{n}" for n, (c, *_) in enumerate(REFUSED)]
)
def test_refused_and_nothing_has_changed(code: str, made: Story, entry: log.Entry) -> None:
    state, entry = prepared(code, made, entry)
    before = msgspec.structs.asdict(state)
    hashed = state_hash(state)
    with pytest.raises(OkeyError) as caught:
        reduce(state, entry, state.at_ms + 1)
    if code in ("must-play", "bad-action"):
        assert caught.value.code not in SERVER_CODES
    else:
        assert caught.value.code == code
    assert all(getattr(state, name) is value for name, value in before.items())
    assert state_hash(state) == hashed


def test_every_code_of_the_reducer_is_tried() -> None:
    files = (unwrap(sys.modules[name].__file__) for name in (reduce.__module__, rounds.__name__))
    source = "".join(Path(file).read_text("utf-8") for file in files)
    used = {code for code in SERVER_CODES if f'"{code}"' in source}
    assert used == {code for code, *_ in REFUSED if code in SERVER_CODES} | {"too-many-actions"}


def test_taking_back_for_ever_is_refused() -> None:
    found = 0
    for seed in range(12):
        steps = story("altinstar", "4", f"back {seed}", style="by-kind").steps
        for before, after in pairwise(steps):
            entry = after.entry
            if not isinstance(entry, log.Acted) or not isinstance(entry.actions[0], Back):
                continue
            state = changed(before.state, turn_actions=MAX_TURN_ACTIONS - 1)
            assert reduce(state, entry, state.at_ms).seq == state.seq + 1
            state = changed(before.state, turn_actions=MAX_TURN_ACTIONS)
            with raises_code("too-many-actions"):
                reduce(state, entry, state.at_ms)
            found += 1
    assert found


def test_logs_were_written_with_these_bounds() -> None:
    """With others a table that reached one of them would not be read again as it was."""
    assert (MAX_TURN_ACTIONS, MAX_VOID_DEALS) == (100, 30)


def compared(known: Model, state: TableState, seat: int | None, *, options: bool) -> None:
    """The client's table is the server's; options count only on the seat's own turn."""
    told = {
        "table": serialise.table_view(state, lambda user: Called(user.upper())),
        "deal": serialise.deal_view(state),
        "you": serialise.you(state, seat, serialise.options_for(state, seat or 0)),
    }
    fresh = json.loads(serialise.encode(told))
    mine, yours = known.you, fresh["you"]
    turn = None if state.deal is None or state.deal.over else state.deal.turn
    if mine is not None and (turn != seat or not options):
        mine, yours = ({k: v for k, v in you.items() if k != "options"} for you in (mine, yours))
    assert (known.seq, known.at) == (state.seq, state.at_ms)
    assert (known.table, known.deal, mine) == (fresh["table"], fresh["deal"], yours)


def test_an_action_is_logged_as_the_deal_keeps_it() -> None:
    """The face of the okey's kind is the okey."""
    state = at_table(laid_out("altinstar", ["* B5", "Y9 K12"], stock="R1"))
    said, kept = (log.Acted(seat=0, actions=(Discard(t),), user="u0") for t in (Tile.B13, OKEY))
    assert applied(state, said, state.at_ms)[0] == kept


def test_only_the_last_action_tells_how_a_deal_ended() -> None:
    made = over()
    scores: Any = serialise.table_view(made.state, Called)["scores"]
    assert len(scores["deals"]) == len(made.state.played) == 1
    deals = [step.state for step in made.steps if step.state.deal is not None]
    told = [serialise.deal_patch(before, after) or {} for before, after in pairwise(deals)]
    assert ["end" in patch for patch in told] == [False] * (len(told) - 1) + [True]


async def follow(steps: list[Step]) -> int:
    """Tell a table's whole life to clients of all seats and one without; the rows compared.

    One of the seats is told no options.
    """
    first = steps[0].state
    table = table_at(first)
    clients = {
        Screen(user, options=user != "u1"): Model()
        for user in (None, *(f"u{n}" for n, _ in enumerate(first.seats)))
    }
    for screen in clients:
        table.attach(screen)
    short = len(steps) < 300
    for step in steps[1:]:
        table._swap(step.entry, step.state)
        state = step.state
        for screen, known in clients.items():
            for data in screen.got:
                checked(data)
                known.take(json.loads(data))
            screen.got.clear()
            if screen.closed is None and (short or state.seq % 5 == 0):
                seat = state.seat_of(screen.user)
                compared(known, state, seat, options=screen.options)
                here = zip(state.seats, known.here, table.audience.here(), strict=True)
                assert all(one == other for seat, one, other in here if seat.user)
    await table.stop()
    return len(steps) - 1


@pytest.mark.parametrize(("preset", "seats"), every_other(PRESETS, ("2", "3", "4", "teams")))
async def test_views_and_events_agree_in_whole_matches(preset: str, seats: str) -> None:
    """Each message is one of the protocol's as well, and nothing in it is unknown there."""
    assisted = preset != "wiki"
    options = table_options(preset, seats, deals=1, spectators="live", assisted=assisted)
    told = Story(options, f"follow {preset} {seats}")
    told.fill()
    told.match("eager")
    told.rematch()
    told.add(log.Left(user="u0"))
    told.add(log.Sat(user="u0", seat=0))
    told.add(log.ReadySet(user="u0"))
    for user in told.state.people:
        told.add(log.ReadySet(user=user))
    told.match("by-kind")
    told.add(log.Closed(why="idle"))
    assert await follow(told.steps) > 60


def test_every_entry_is_told_without_names_and_secrets() -> None:
    told = Story(table_options("wiki", "3", deals=1), "what")
    told.fill()
    told.match("eager")
    for before, after in zip(told.steps, told.steps[1:], strict=False):
        what = serialise.what_happened(after.entry, before.state)
        text = serialise.encode(what)
        assert b"u0" not in text
        assert b"rid" not in text
        assert set(what) <= {"kind", "seat", "on", "actions", "by", "why", "bot", "random"}
        assert not isinstance(after.entry, log.Sat | log.Revealed | log.ReadySet) or "seat" in what


def test_E1_the_hand_of_who_finished_is_empty() -> None:
    ended = (story("altinstar", "2", f"end {n}", style="eager").steps for n in range(9))
    states = (step.state for steps in ended for step in steps)
    for state in states:
        result = None if state.deal is None else state.deal.result
        if result is not None and result.winner is not None:
            assert unwrap(serialise.you(state, result.winner))["hand"] == ""
            return
    raise AssertionError("nobody finished")


# What an attack shows ----------------------------------------------------------------------------


def test_a_server_that_grinds_a_bots_contribution_is_caught() -> None:
    """It tries contributions for the bot's seat until it likes the tiles, and can't hide them."""
    made = revealed(promised("u0", "u1", "u2", deals=1, bots=(None, None, None, "steady")))
    for user in ("u0", "u1", "u2"):
        made.add(log.Revealed(user=user, random=GIVEN.hex()))
    honest = made.state
    seeds: dict[str, str] = {}
    for number in range(40):
        ground_ = number.to_bytes(16, "big")
        # As a person's seat, with a commitment made up later: not what was shown.
        promise = promise_of(honest, ground_, 3)
        cuts = (*honest.cuts[:3], ground_)
        late = changed(honest, promises=(*honest.promises[:3], promise), cuts=cuts)
        seeds[late.seed.hex()] = promise
        assert late.transcript != honest.transcript
    assert len(seeds) == 40  # so it could choose among as many deals as it tries
    chosen = changed(honest, promises=late.promises, cuts=late.cuts)
    made.steps.append(made.steps[-1]._replace(state=chosen))
    made.add(log.Dealt())
    made.play("eager")
    written = parse_record(match_record(made.state, str.upper).to_json())
    assert ({error.code for error in verify_record(written).errors}) == {"fair-bot"}
    # Told as a person's, it is not the transcript that the others were shown.
    assert Fair.from_dict(written.deals[0].fair).transcript != honest.transcript
