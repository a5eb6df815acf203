"""What a seat may ask about its own hand, hints included: it is told why, and no secret."""

import asyncio
import random
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from conftest import Size, raises_code, unwrap
from okey101.bots.reasons import advice
from okey101.errors import IllegalAction
from okey101.game import PRESETS, Deal, apply, determinize, options_of, parse_action, view_of
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.server_messages import Answer, read_event
from okey101.server.tables import serialise
from okey101.server.tables.queries import answer, hint
from okey101.server.tables.state import Seat, TableState, changed
from okey101.server.work.bot_thoughts import BotTurns
from rules.table import MELDS, NEUTRAL, PAIRS, play, table
from server.tables.table_stories import at_table, story

FOUR = PAIRS[0].rsplit(" / ", 1)[0]
SHORT = MELDS.replace("K11 K12 K13", "R1 Y1 B1")
"""An opening of 75 points."""
RUN = {"form": "run", "points": 36, "code": None}
PAIR_ODD = {"form": "pair", "points": 21, "code": None}


def asked(deal: Deal, seat: int = 0, **question: Any) -> Any:
    return answer(at_table(deal), f"u{seat}", ask.Ask(rid="q", **question))


def check(deal: Deal, action: str, seat: int = 0) -> Any:
    return asked(deal, seat, what="check", action=action)


def worth(found: Any) -> tuple[object, ...]:
    return found["have"], found["need"], found["short"]


def dealt(own: str, preset: str = "altinstar", **changes: Any) -> Deal:
    """Two seats; the first, with this hand, starts."""
    return table(preset, [own, "K2 K4 K6 K8"], stock=NEUTRAL, **changes)


def test_O1_an_opening_that_reaches_is_legal() -> None:
    assert check(dealt(f"{MELDS} B3 B5"), f"meld {MELDS}") == {
        "legal": True, "wait": None, "error": None, "fine": None, "have": 108, "need": 101,
        "short": False, "groups": [RUN] * 3,
    }  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
def test_O5_P3_a_short_opening_says_what_it_costs(preset: str) -> None:
    deal = dealt(f"{MELDS} R1 Y1 B1 B3 B5", preset, short_opening="fine")
    found = check(deal, f"meld {SHORT}")
    assert worth(found) == (75, 101, True)
    assert found["legal"] is True
    (fine,) = apply(deal, parse_action(f"meld {SHORT}")).public.fines
    assert found["fine"] == {"rule": fine.rule, "points": fine.points}


@pytest.mark.parametrize("case", [(SHORT, 75, 101, "O1"), (FOUR, 4, 5, "O2")])
def test_O5_a_short_opening_that_is_refused(case: tuple[str, int, int, str]) -> None:
    kind, have, need, rule = case
    found = check(dealt(f"{kind} B3 B5", short_opening="refuse"), f"meld {kind}")
    assert worth(found) == (have, need, True)
    assert (found["legal"], found["fine"]) == (False, None)
    assert found["error"] == {
        "code": "below-threshold", "rule": rule, "details": {"value": have, "need": need},
        "message": f"the opening is worth {have}, but {need} are needed",
    }  # fmt: skip


def test_O4_the_whole_hand_is_not_short() -> None:
    found = check(dealt(f"{SHORT} B3", whole_hand_opens=True), f"meld {SHORT}")
    assert worth(found) == (75, 101, False)
    assert (found["legal"], found["fine"]) == (True, None)
    ahead = table("wiki", ["K2 K4", SHORT], stock=NEUTRAL, whole_hand_opens=True)
    found = check(ahead, f"meld {SHORT}", seat=1)
    assert found["error"] is None, "the tile to be drawn is left to discard"
    assert found["short"] is False


@pytest.mark.parametrize("late", [False, True])
def test_O6_the_announced_twin_makes_an_odd_pair(late: bool) -> None:
    deal = play(dealt(f"{FOUR} B12 R9 B3 B5", "wiki"), "announce")
    if late:
        deal = play(deal, "discard B5")
    found = check(deal, f"meld {FOUR} / R9 B12")
    assert worth(found) == (5, 5, False)
    assert found["groups"][4] == PAIR_ODD
    assert found["error"] is None
    assert (found["wait"] is None) is found["legal"] is not late


def test_O6_not_before_it_is_announced_nor_twice() -> None:
    found = check(dealt(f"{FOUR} B12 R9 B3 B5", "wiki"), f"meld {FOUR} / R9 B12")
    assert (found["error"]["code"], found["error"]["rule"]) == ("not-a-pair", "M3")
    assert (found["have"], found["short"]) == (4, True)
    assert found["groups"][4] == {"form": None, "points": 0, "code": "not-a-pair"}


def test_O6_pairs_are_sorted_with_the_announced_twin() -> None:
    deal = play(dealt(f"{FOUR} B12 R9 B3 B5", "wiki"), "announce")
    for moment in (deal, play(deal, "discard B5")):
        found = asked(moment, what="arrange", aim="pairs")
        assert found["pairs"] == 5
        assert check(moment, "meld " + " / ".join(found["groups"]))["error"] is None
        assert len(" ".join([*found["groups"], found["left"]]).split()) == moment.public.sizes[0]
    assert asked(dealt(f"{FOUR} B12 R9 B3"), what="arrange", aim="pairs")["pairs"] == 4


def test_D2_groups_are_judged_ahead_and_the_turn_is_told_apart() -> None:
    deal = table("altinstar", ["K2 K4 K6", f"{MELDS} B3"], stock=NEUTRAL)
    found = check(deal, f"meld {MELDS}", seat=1)
    assert (found["have"], found["need"], found["error"]) == (108, 101, None)
    assert (found["wait"]["code"], found["wait"]["rule"]) == ("not-your-turn", "D2")
    assert found["legal"] is False
    found = check(deal, "meld R11 R12 Y13", seat=1)
    assert (found["wait"]["code"], found["error"]["code"]) == ("not-your-turn", "not-a-run")
    assert check(deal, "meld K2 K2 K2", seat=1)["error"]["code"] == "not-in-hand"
    found = check(deal, f"meld {PAIRS[0]}", seat=1)
    assert (found["error"]["code"], *worth(found)) == ("not-in-hand", 5, 5, False)
    drawing = play(deal, "discard K2")
    found = check(drawing, f"meld {MELDS}", seat=1)
    assert (found["wait"]["code"], found["wait"]["rule"]) == ("must-draw-first", "U1")
    assert found["error"] is None
    assert check(play(drawing, "draw"), f"meld {MELDS}", seat=1)["legal"] is True


def test_U2_what_another_has_taken_binds_nobody_else() -> None:
    deal = table("altinstar", ["B4 K4 K6", "K8 B2", f"{MELDS} B3"], stock=NEUTRAL)
    deal = play(deal, "discard B4", "1: take")
    assert check(deal, f"meld {MELDS}", seat=2)["error"] is None


def test_M5_after_opening_nothing_is_needed() -> None:
    deal = dealt(f"{MELDS} R1 Y1 B1 R9 R9 B3")
    deal = play(deal, f"meld {MELDS}")
    found = check(deal, "meld R1 Y1 B1")
    assert (found["legal"], worth(found)) == (True, (None, None, False))
    found = check(deal, "meld R9 R9")
    assert (found["error"]["code"], found["error"]["rule"]) == ("melds-only", "M5")
    found = check(play(deal, "discard B3"), "meld R9 R9")
    assert (found["error"]["code"], found["wait"]["code"]) == ("melds-only", "not-your-turn")


def test_X1_a_risen_threshold_is_told_ahead() -> None:
    hands = [f"{MELDS} B3 B5", "R1 Y1 B1 R2 Y2 B2 R10 Y10 K10"]
    deal = play(table("altinstar", hands, rising=True, stock=NEUTRAL), f"meld {MELDS}")
    found = check(deal, "meld R10 Y10 K10", seat=1)
    assert (found["have"], found["need"]) == (30, 109)


def places(deal: Deal, tile: str, group: int = 1, seat: int = 0) -> Any:
    return asked(deal, seat, what="places", tile=tile, group=group)


def laid(own: str, melds: str = MELDS, **changes: Any) -> Deal:
    """The first seat has opened with these melds and holds the rest."""
    held = re.sub(r"\*\w+", "*", melds)
    return play(dealt(f"{held} {own}", **changes), f"meld {melds}")


def test_M4_an_okey_may_stand_at_either_end_of_a_run() -> None:
    deal = laid("* R9 B3", "R10 R11 R12 / Y11 Y12 Y13 / K11 K12 K13 / R1 Y1 B1")
    assert places(deal, "*") == {"actions": ["lay *R9 > 1", "lay *R13 > 1"], "error": None}
    assert places(deal, "*", 2) == {"actions": ["lay *Y10 > 2"], "error": None}
    assert places(deal, "*", 4) == {"actions": ["lay *1 > 4"], "error": None}
    assert places(deal, "R9") == {"actions": ["lay R9 > 1"], "error": None}


def test_M4_O3_a_tile_without_a_place_is_told_why() -> None:
    deal = laid("* R9 B3")
    for tile, group, code, rule in (
        ("R9", 1, "does-not-fit", "M4"),
        ("K1", 1, "not-in-hand", "O3"),
        ("*", 9, "no-group", "O3"),
        ("*", 0, "no-group", "O3"),
    ):
        found = places(deal, tile, group)
        assert (found["actions"], found["error"]["code"]) == ([], code)
        assert found["error"]["rule"] == rule
    waits = places(play(deal, "discard B3"), "*")
    assert (waits["actions"], waits["error"]["code"]) == ([], "not-your-turn")
    unopened = places(table("altinstar", ["* B3", "B5"], stock=NEUTRAL), "*")
    assert (unopened["actions"], unopened["error"]["code"]) == ([], "not-opened")
    full = places(laid("* B3", "R11 Y11 B11 K11 / R12 Y12 K12 / Y13 R13 K13"), "*")
    assert (full["actions"], full["error"]["code"]) == ([], "does-not-fit")


@pytest.mark.parametrize("reclaim", [False, True])
def test_X2_the_real_tile_takes_the_place_of_an_okey(reclaim: bool) -> None:
    deal = laid("R12 B3", MELDS.replace("R12", "*R12"), reclaim_okey=reclaim)
    found = places(deal, "R12")
    assert found["actions"] == (["swap R12 > 1"] if reclaim else [])
    assert reclaim or found["error"]["code"] == "does-not-fit"


def test_U2_only_places_that_leave_the_taken_tile_a_use_are_given() -> None:
    hands = ["R10 B3 B5", f"{MELDS} * B7"]
    deal = play(table("pagat", hands, starter=1, stock=NEUTRAL), f"meld {MELDS}", "discard B7")
    deal = play(deal, "0: draw", "discard R10", "1: take")
    assert places(deal, "R10", seat=1)["actions"] == ["lay R10 > 1"]
    for group in (1, 2):
        found = places(deal, "*", group, seat=1)
        tried = [f"lay *{colour}10 > {group}" for colour in "RY"[group - 1]]
        assert found["actions"] == [a for a in tried if parse_action(a) in deal.legal_actions()]


def test_O1_M5_what_is_needed_is_told_off_turn_and_ends_with_the_opening() -> None:
    deal = table("altinstar", [f"{MELDS} B3 B5", f"{MELDS} K2"], stock=NEUTRAL)
    need = {"need_points": 101, "need_pairs": 5}
    for seat in (0, 1):
        found = asked(deal, seat, what="options")
        assert (found["opening"], found["kinds"]) == (need, ["melds", "pairs"])
        assert (found["options"] is None) is (seat == 1)
    deal = play(deal, f"meld {MELDS}")
    found = asked(deal, what="options")
    assert (found["opening"], found["kinds"]) == (None, ["melds"])
    pairs = play(dealt(f"{PAIRS[0]} B3"), f"meld {PAIRS[0]}")
    assert asked(pairs, what="options")["kinds"] == ["pairs"]


def test_X1_X5_what_is_needed_rises_and_ends_with_the_partner() -> None:
    hands = [f"{MELDS} B3", "B2 B4", "B6 B8", "K2 K4"]
    changes: Any = {"rising": True, "teams": True, "partner_opens": True}
    deal = play(table("altinstar", hands, stock=NEUTRAL, **changes), f"meld {MELDS}")
    needs = [asked(deal, seat, what="options")["opening"] for seat in (1, 2)]
    assert needs == [{"need_points": 109, "need_pairs": 5}, {"need_points": 1, "need_pairs": 1}]


@pytest.mark.parametrize("beside", [False, True])
def test_X8_pairs_may_be_laid_beside_melds_once_pairs_lie(beside: bool) -> None:
    hands = [f"{MELDS} R9 R9 B3", f"{PAIRS[0]} B7"]
    deal = table("altinstar", hands, stock=NEUTRAL, melds_lay_pairs=beside)
    deal = play(deal, f"meld {MELDS}")
    assert asked(deal, what="options")["kinds"] == ["melds"]
    deal = play(deal, "discard B3", "1: draw", f"meld {PAIRS[0]}")
    found = asked(deal, what="options")
    assert found["kinds"] == (["melds", "pairs"] if beside else ["melds"])


@pytest.mark.parametrize("preset", PRESETS)
def test_X1_X5_X8_what_is_needed_holds_until_somebody_opens(preset: str, size: Size) -> None:
    """What the answer promises: the page asks again when a seat has opened, and only then."""
    changes: Any = {"rising": True, "open_points": 51, "open_pairs": 4, "melds_lay_pairs": True}
    if preset == "wiki":
        changes |= {"teams": True, "partner_opens": True}
    rules = PRESETS[preset].with_(**changes)
    opened = 0
    for seed in range(size(2, long=60)):
        told: dict[int, Any] = {}
        deal = Deal.start(rules, seed=seed)
        rng = random.Random(f"{preset} {seed}")
        while not deal.over:
            for seat in range(4):
                found = asked(deal, seat, what="options")
                said = (found["opening"], found["kinds"])
                before, kept = told.get(seat, (None, said))
                told[seat] = (deal.public.opened, said)
                assert kept == said or before != deal.public.opened
            options = options_of(deal)
            first = options.opening or options.opening_pairs or next(iter(options.melds), None)
            deal = apply(deal, first or rng.choice(options.actions()))
        opened += sum(how is not None for how in deal.public.opened)
    assert opened


def test_other_actions_are_judged_as_they_are() -> None:
    deal = play(dealt(f"{MELDS} B3 B5"), f"meld {MELDS}")
    assert check(deal, "discard B3") == {
        "legal": True, "wait": None, "error": None, "fine": None, "short": False,
    }  # fmt: skip
    found = check(play(deal, "discard B3"), "draw", seat=0)
    assert (found["error"]["code"], found["wait"]) == ("not-your-turn", None)
    found = check(play(dealt(f"{MELDS} R10 B3"), f"meld {MELDS}"), "discard R10")
    assert found["fine"] == {"rule": "P2", "points": 101}


def test_every_kind_may_be_named() -> None:
    every = " ".join(f"{colour}{number}" for colour in "RYBK" for number in range(1, 14))
    for seat in (0, 1):
        assert check(dealt(MELDS), f"meld {every}", seat=seat)["error"]["code"] == "not-in-hand"


def _tried(deal: Deal, seat: int, rng: random.Random) -> list[str]:
    """Groups of own tiles, of others, and the best arrangement."""
    held = str(deal.rack(seat)).replace("*", "").split()
    found = [f"meld {' '.join(rng.choices(held, k=rng.randrange(2, 5)))}" for _ in range(4)]
    found.append(f"meld {' '.join(rng.choice('RYBK') + str(rng.randrange(1, 14)) for _ in '123')}")
    for aim in ("points", "pairs"):
        groups = asked(deal, seat, what="arrange", aim=aim)["groups"]
        found += ["meld " + " / ".join(groups)] if groups else []
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_T2_the_answer_depends_on_nothing_hidden(preset: str, size: Size) -> None:
    rng = random.Random(f"check {preset}")
    steps = story(preset, "4", f"ask {preset}").steps
    deals = [s.state.deal for s in steps if s.state.deal is not None and not s.state.deal.over]
    for deal in rng.sample(deals, size(16, long=600)):
        for seat in range(4):
            other = determinize(view_of(deal, seat), rng)
            for action in _tried(deal, seat, rng):
                said = check(deal, action, seat)
                assert said == check(other, action, seat)
                if seat == deal.turn:
                    assert said["legal"] == (parse_action(action) in deal.legal_actions())


# Hints -------------------------------------------------------------------------------------------


class _Watched(BotTurns):
    """Turns for those who are seen to wait: they come before others."""

    @asynccontextmanager
    async def turn(self, *, watched: bool) -> AsyncGenerator[None]:
        assert watched
        yield


def hinted(state: TableState, user: str = "u0") -> Any:
    return _sent("hint", asyncio.run(hint(state, user, _Watched())))


def opening(state: TableState, user: str = "u0") -> Any:
    return _sent("opening", answer(state, user, ask.Ask(rid="q", what="opening")))


def _sent(what: str, found: Any) -> Any:
    """The answer, which has to be one that the protocol knows."""
    message = read_event(serialise.encode({"type": "answer", "rid": "q", "what": what, **found}))
    assert isinstance(message, Answer)
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_a_hint_is_legal_for_the_own_turn_and_says_why(preset: str) -> None:
    deal = dealt(f"{MELDS} B3 B5", preset)
    found = hinted(at_table(deal))
    assert found["action"] in deal.legal_actions()
    assert found["reason"]["code"] == advice(view_of(deal, 0)).reason.code
    assert found["reason"].keys() == {"code", "tile", "points", "need", "safe"}
    with raises_code("not-your-turn", IllegalAction):
        hinted(at_table(deal), "u1")


def test_a_hint_and_an_opening_follow_from_the_view_alone() -> None:
    deal = dealt(f"{MELDS} B3 B5")
    other = determinize(view_of(deal, 0), random.Random(1))
    assert other.stock != deal.stock or other.hands != deal.hands
    for asked in (hinted, opening):
        assert asked(at_table(other)) == asked(at_table(deal))


@pytest.mark.parametrize("asked", [hinted, opening])
@pytest.mark.parametrize(
    ("options", "strangers", "given"),
    [({}, False, True), ({"hints": False}, False, False), ({"assisted": False}, False, False),
     ({"listed": True}, True, False), ({"listed": True}, False, True)],
)  # fmt: skip
def test_owners_and_strangers_end_hints(
    asked: Any, options: dict[str, bool], strangers: bool, given: bool
) -> None:
    state = at_table(dealt(f"{MELDS} B3 B5"))
    state = changed(state, options=msgspec.structs.replace(state.options, **options))
    if not strangers:
        state = changed(state, seats=(Seat(user="u0"), Seat(bot="steady")))
    told = unwrap(serialise.options_for(state, 0))
    assert ("melds" in told) is state.options.assisted
    if given:
        assert asked(state)
        return
    with raises_code("no-hints"):
        asked(state)


def test_O1_O2_the_opening_is_the_solvers_and_legal() -> None:
    melds = opening(at_table(dealt(f"{MELDS} B3 B5")))
    assert (melds["form"], melds["points"]) == ("melds", 108)
    assert melds["opening"] == {"need_points": 101, "need_pairs": 5}
    deal = dealt(f"{MELDS} B3 B5")
    action = parse_action("meld " + " / ".join(melds["groups"]))
    assert action in deal.legal_actions()
    assert action == options_of(deal).opening
    just = opening(at_table(dealt("R11 R12 R13 / R13 Y13 K13 / R5 R6 R7 R8 B3 B5")))
    assert (just["form"], just["points"]) == ("melds", 101)
    pairs = opening(at_table(dealt(f"{PAIRS[0]} B3 B5")))
    assert (pairs["form"], pairs["pairs"]) == ("pairs", 5)
    assert "meld " + " / ".join(pairs["groups"]) in dealt(f"{PAIRS[0]} B3 B5").legal_actions()
    # Off turn as well.
    assert opening(at_table(dealt(f"{MELDS} B3 B5")), "u1")["form"] is None


def test_what_comes_nearest_and_what_is_best_after_opening() -> None:
    short = opening(at_table(dealt("R11 R12 R13 B3 B5 K1")))
    assert (short["form"], short["points"], short["groups"]) == (None, 36, ["R11 R12 R13"])
    twins = opening(at_table(dealt("R11 R12 R13 B3 B3 K1 K1 Y9")))
    assert (twins["form"], twins["points"], twins["pairs"]) == (None, 36, 2)
    later = opening(at_table(play(dealt(f"{MELDS} R1 R2 R3 B5"), f"meld {MELDS}")))
    assert (later["form"], later["opening"], later["groups"]) == (None, None, ["R1 R2 R3"])
