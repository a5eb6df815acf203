"""Rounds of commitments: who commits, what is shown, who reveals, and how a round is broken."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from conftest import raises_code, unwrap
from okey101.game import Record, parse_record
from okey101.game.fair.rounds import commitment
from okey101.game.fair.transcript import Fair
from okey101.game.record.verification import Check, State, Verification, verify_record
from okey101.server.errors import SERVER_CODES
from okey101.server.protocol.views import Called
from okey101.server.tables import log_entries as log
from okey101.server.tables import rounds, serialise
from okey101.server.tables.match_record import match_record
from okey101.server.tables.reduce import reduce
from okey101.server.tables.rounds import MAX_ROUNDS
from okey101.server.tables.state import Seat, Stage, TableState, changed
from server.contributions import promise_of
from server.tables.table_stories import TABLE, Story, table_options

SECRET, NEXT = "5e" * 32, "a7" * 32
GIVEN = b"a contribution of"
PEOPLE = ("u0", "u1", "u2", "u3")


def dealing(**changes: Any) -> Story:
    """A table of four people whose first deal is prepared."""
    made = Story(table_options("altinstar", "4", **changes), "rounds")
    made.fill()
    made.add(log.Started(user="u0", secret=SECRET))
    return made


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
    """The record of a match that is played to its end."""
    made.play_out()
    return parse_record(match_record(made.state, str.upper).to_json())


def verified(made: Story) -> Verification:
    """What the record of its match proves, which is played to its end and in order."""
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


def test_what_was_shown_changes_the_deal() -> None:
    """Who committed is part of the seed, and so is whether a bot sits there."""
    plain = revealed(dealing())
    other = revealed(promised("u1"), "u1")
    bots = revealed(dealing(bots=(None, None, None, "steady")))
    hands = set()
    for made in (plain, other, bots):
        hands.add(unwrap(made.add(log.Dealt()).deal).hands)
    assert len(hands) == 3


def test_what_is_told_of_a_round() -> None:
    made = promised("u1", bots=(None, None, None, "steady"))
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


# What is refused -------------------------------------------------------------------------------


def committed(made: Story, user: str) -> log.Entry:
    return made.committed(user, GIVEN)


def reveals(_: Story, user: str) -> log.Entry:
    return log.Revealed(user=user, random=GIVEN.hex())


Made = Callable[[Story, str], log.Entry]
REFUSED: list[tuple[str, Story, Made, str]] = [
    ("already-committed", promised("u1"), committed, "u1"),
    ("already-revealed", revealed(promised(), "u1"), reveals, "u1"),
    ("left-out", promised(), committed, "u1"),
    ("not-committed", revealed(promised("u1")), reveals, "u2"),
    ("not-committed", promised("u1"), reveals, "u1"),
    ("not-committing", revealed(promised("u1")), committed, "u2"),
    ("not-committing", revealed(promised("u1")), lambda *_: log.CommitmentsShown(), ""),
    ("not-playing", Story(table_options("wiki", "2"), "waiting"),
     lambda *_: log.Abandoned(why="left", secret=NEXT), ""),
    ("not-revealing", promised("u1"), reveals, "u1"),
    ("not-revealing", promised("u1"), lambda *_: log.Dealt(), ""),
    ("not-revealing", revealed(promised(), "u1"), lambda *_: log.Dealt(), ""),
    ("wrong-opening", revealed(promised()),
     lambda *_: log.Revealed(user="u1", random="00" * 16), "u1"),
]  # fmt: skip


def _prepared(code: str, state: TableState, made: Story) -> TableState:
    if code == "left-out":
        return changed(state, left_out=frozenset({"u1"}), promises=(None,) * 4)
    if code == "not-committed" and not state.shown:
        # The seat's commitment is somebody else's, who left.
        return changed(state, shown=True, sat=("u0", "u9", "u2", "u3"))
    return state


@pytest.mark.parametrize(("code", "made", "entry", "user"), REFUSED)
def test_what_is_refused_changes_nothing(code: str, made: Story, entry: Made, user: str) -> None:
    state = _prepared(code, made.state, made)
    before = msgspec.structs.asdict(state)
    with raises_code(code):
        reduce(state, entry(made, user), 0)
    assert msgspec.structs.asdict(state) == before


def test_every_code_of_the_rounds_is_tried() -> None:
    source = Path(sys.modules[rounds.__name__].__file__ or "").read_text(encoding="utf-8")
    used = {code for code in SERVER_CODES if f'refuse("{code}"' in source}
    assert used == {code for code, *_ in REFUSED}


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
