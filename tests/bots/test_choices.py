"""What bots do in positions where the right thing is plain to see, and why."""

from typing import Any

import pytest

from bots.tables import TABLES, choice, dealt
from conftest import unwrap
from okey101.bots import make_bot
from okey101.bots.greedy import Turn, near_melds
from okey101.bots.reasons import REASONS, Advice, advice
from okey101.bots.steady import hold_okey, hold_whole_hand
from okey101.bots.tools import can_use
from okey101.game import PRESETS, Deal, Options, RuleSet, View, apply, options_of, view_of
from okey101.game.actions import Discard, Meld
from okey101.i18n import load
from okey101.solver import best_value_bits
from okey101.tiles import BITS_OF, OKEY, Rack, Tile, parse_tile, size_of_bits
from rules.table import MELDS, NEUTRAL, PAIRS, play, table

THINKING = ("greedy", "steady")
OPENING = "R10 R11 R12 R13 K10 K11 K12 K13 Y2 Y3 Y4"
OPENING_MELDS = "R10 R11 R12 R13 / K10 K11 K12 K13 / Y2 Y3 Y4"
"""101 points."""
OTHERS = ("Y6 Y9 B12", "Y7 B10 K1", "R2 B7 K5")
STOCK = "R1 Y1 K2 B1 R3 Y8 K8 B8 R4 R5 B9 B13"


def position(
    hand: str, *actions: str, rules: RuleSet | str = "altinstar", stock: str = STOCK
) -> Deal:
    """A deal in which seat 0 begins with this hand; blue 6 is the okey."""
    return play(table(rules, (hand, *OTHERS), indicator="B5", stock=stock), *actions)


def played(name: str, deal: Deal) -> Deal:
    """The deal after the turn of the seat to act, played by a bot."""
    seat = deal.turn
    while not deal.over and deal.turn == seat:
        deal = apply(deal, choice(name, deal))
    return deal


@pytest.mark.parametrize("name", THINKING)
def test_opens_and_lays_all_it_can(name: str) -> None:
    deal = played(name, position(f"{OPENING} K4 R5 R7 Y9 B2"))
    assert deal.public.opened[0] == "melds"
    assert deal.public.sizes[0] == 4


@pytest.mark.parametrize("name", THINKING)
def test_finishes_when_it_can(name: str) -> None:
    """Also where the opening has to leave something for the lay-offs."""
    deal = played(name, position(f"{OPENING} Y5 K9 B2"))
    assert unwrap(deal.result).winner == 0


@pytest.mark.parametrize("name", THINKING)
def test_U2_an_opening_that_finishes_has_the_taken_discard_in_it(name: str) -> None:
    """The taken Y5 could go onto the table with Y6 and Y7, but the opening has to contain it."""
    hands = (
        f"{OPENING} Y5 B1",
        "Y6 Y7 R10 R11 R12 R13 K10 K11 K12 K13 B11 B12 B13 K1",
        *OTHERS[1:],
    )
    deal = table("altinstar", hands, indicator="B5", stock="R1 Y1 K2 B2")
    deal = play(deal, f"meld {OPENING_MELDS}", "discard Y5", "take")
    assert unwrap(played(name, deal).result).winner == 1


@pytest.mark.parametrize("name", THINKING)
def test_finishes_with_the_okey_where_it_can(name: str) -> None:
    """The okey could stand in a meld, but thrown last it doubles the deal (C1)."""
    deal = played(name, position(f"{OPENING} Y5 *"))
    assert unwrap(deal.result).scores[0] == -404  # with the okey, and the whole hand in one turn


@pytest.mark.parametrize("name", THINKING)
def test_never_throws_a_playable_tile_or_an_okey_beside_others(name: str) -> None:
    deal = position("R1 R5 R9 Y2 Y13 K13 * B1 B4 K7 K9")
    action = choice(name, deal)
    assert isinstance(action, Discard)
    assert action.tile != OKEY


@pytest.mark.parametrize("name", THINKING)
def test_takes_a_discard_that_opens_and_leaves_one_that_does_not(name: str) -> None:
    hand = "R1 R10 R11 R12 R13 K10 K11 K12 K13 Y2 Y3 B2"
    lead = ("discard B2", "draw", "discard Y6", "draw", "discard Y7", "draw")
    for thrown in ("K5", "R2"):
        assert str(choice(name, position(hand, *lead, f"discard {thrown}"))) == "draw"
    rules = PRESETS["altinstar"].with_(open_points=92)
    deal = position(hand, *lead, "discard K5", rules=rules)
    assert str(choice(name, deal)) == "draw"
    hand = "R1 R10 R11 R12 R13 K10 K11 K12 K13 R4 R3 Y8 B2"
    deal = position(hand, *lead, "discard R2", rules=rules.with_(open_points=101))
    assert str(choice(name, deal)) == "take"
    assert played(name, deal).public.opened[0] == "melds"


@pytest.mark.parametrize("name", THINKING)
def test_opens_with_pairs_when_melds_are_far(name: str) -> None:
    deal = position("R1 R1 R5 R5 Y3 Y3 K8 K8 B11 B11 Y13 B13", stock="")
    action = choice(name, deal)
    assert isinstance(action, Meld)
    assert len(action.pieces) == 5


def test_steady_waits_for_melds_with_pairs_in_hand() -> None:
    """K9 or K12 would open with melds, which costs far less than pairs that count double."""
    hand = "R11 R11 R12 R12 R13 R13 K10 K10 K11 K11 Y3 R1"
    deal = position(hand, stock=f"{STOCK} K3 K4 K6 K7 R8 R9 Y4 Y5 Y10 Y11 Y12 B2 B3 B4 B11 K2 R2")
    assert isinstance(choice("greedy", deal), Meld)
    assert isinstance(choice("steady", deal), Discard)
    last = position(hand, stock="R1 Y1 K2")
    assert isinstance(choice("steady", last), Meld)


def test_steady_holds_a_whole_hand_for_one_turn() -> None:
    hand = "R10 R11 R12 R13 K10 K11 K12 K13 Y2 Y3 Y4 R5 R6 R7 B3 B4"
    deal = position(hand)
    hold = unwrap(hold_whole_hand(view_of(deal, 0), deal.hands[0]))
    assert hold.discard in (Tile.B3, Tile.B4)
    assert hold.chance > 0.1
    assert choice("steady", deal) == Discard(hold.discard)
    assert isinstance(choice("greedy", deal), Meld)
    short = position(hand, stock="R1 Y1 K2")
    assert hold_whole_hand(view_of(short, 0), short.hands[0]) is None


def test_steady_keeps_the_okey_before_a_finish() -> None:
    deal = position(f"{OPENING} B1 B12 *", f"meld {OPENING_MELDS}")
    hold = unwrap(hold_okey(view_of(deal, 0), deal.hands[0]))
    assert choice("steady", deal) == Discard(hold.discard)
    assert OKEY in Rack.from_bits(played("steady", deal).hands[0])


def test_steady_throws_an_okey_where_only_okeys_will_count() -> None:
    """A void deal under S1 costs 101 for each okey held, and forgives every fine (E3, R4)."""
    hand = "R1 R5 R9 Y2 Y13 K13 * B1"
    assert choice("steady", position(hand, rules="pagat", stock="R2 R3")) == Discard(OKEY)
    assert choice("steady", position(hand, rules="pagat")) != Discard(OKEY)


def test_steady_throws_low_where_a_used_discard_is_fined() -> None:
    """U7: ten times its number, so a 13 that may be used is expensive."""
    thrown = {}
    for fine in (0, 10):
        rules = PRESETS["altinstar"].with_(taken_discard_fine=fine)
        thrown[fine] = 0
        for number in range(12):
            action = choice("steady", dealt(rules, number))
            if isinstance(action, Discard):
                thrown[fine] += action.tile % 13 + 1
    assert thrown[10] < 0.8 * thrown[0]


def test_greedy_announces_the_twin() -> None:
    deal = position("R1 R5 B5 Y2", rules="wiki")
    assert options_of(deal).announce
    for name in THINKING:
        assert str(choice(name, deal)) == "announce"


def test_near_melds_count_the_tiles_that_complete_them() -> None:
    rack = Rack.parse("R7 R8 Y7 K1")
    unseen = Rack.parse("R6 R6 R9 B7 K7 K7 K2")
    assert near_melds(Tile.R7, rack.bits, unseen.bits, None) == 6
    assert near_melds(Tile.R8, rack.bits, unseen.bits, None) == 3
    assert near_melds(Tile.K1, rack.bits, unseen.bits, None) == 0


def test_novice_opens_when_it_can_and_takes_nothing() -> None:
    assert isinstance(choice("novice", position(f"{OPENING} K4 R5")), Meld)
    hand = "R1 R10 R11 R12 R13 K10 K11 K12 K13 R4 R3 Y8 B2"
    lead = ("discard B2", "draw", "discard Y6", "draw", "discard Y7", "draw", "discard R2")
    assert str(choice("greedy", position(hand, *lead))) == "take"
    assert str(choice("novice", position(hand, *lead))) == "draw"


def test_novice_throws_the_highest_tile_that_is_beside_no_other() -> None:
    assert str(choice("novice", position("R6 R8 K12 K13 Y4 B1"))) == "discard Y4"
    assert str(choice("novice", position("R6 R8 K12 K13"))) == "discard K13"


# A finish that the partner would pay for is put off (C1, E3) --------------------------------------

SPARING = ["master", "neural"]


def before_a_finish(
    rules: str = "pagat",
    rest: str = "B1 B3 K9",
    drawn: str = "B2",
    *,
    partner: bool = False,
    both: bool = True,
    opened: bool = True,
    **changes: Any,
) -> Deal:
    """Seat 0 may finish: the others opened with pairs, but for the partner and one not asked."""
    deal = table(
        rules,
        [f"{MELDS} {rest} R1", f"{PAIRS[1]} K4 B4", f"{PAIRS[2]} B6", f"{PAIRS[3]} B8 Y2"],
        stock=f"K2 K6 K8 {drawn} B10 Y10 R9 K8 B9 Y9",
        **changes,
    )
    if opened:
        deal = play(deal, f"meld {MELDS}")
    deal = play(deal, "discard R1")
    for seat, opens in ((1, True), (2, partner), (3, both)):
        deal = play(deal, "draw")
        if opens:
            deal = play(deal, f"meld {PAIRS[seat]}")
        deal = play(deal, f"discard {('K2', 'K6', 'K8')[seat - 1]}")
    return play(deal, "draw")


@pytest.mark.parametrize("name", SPARING)
def test_the_team_goes_on_until_the_partner_has_opened(name: str) -> None:
    for opened in (True, False):
        deal = before_a_finish(teams=True, opened=opened)
        assert Turn(view_of(deal, deal.turn)).spares_partner()
        assert isinstance(choice(name, deal), Discard)
    assert not isinstance(choice(name, before_a_finish(teams=True, partner=True)), Discard)


@pytest.mark.parametrize("name", SPARING)
def test_who_plays_alone_or_for_more_finishes(name: str) -> None:
    """Alone, where hands count in any case (E3), where the partner is let off (X9)."""
    for deal in (
        before_a_finish(),
        before_a_finish("altinstar", teams=True),
        before_a_finish(teams=True, partner_waived=True),
        before_a_finish(teams=True, both=False),
    ):
        assert not Turn(view_of(deal, deal.turn)).spares_partner()
        assert not isinstance(choice(name, deal), Discard)


@pytest.mark.parametrize("name", SPARING)
def test_no_fine_is_paid_to_go_on(name: str) -> None:
    """Each tile that could be thrown lies on the table as well (P2): then it is time to finish."""
    deal = before_a_finish(rest="R10 Y10", drawn="K10", teams=True)
    assert Turn(view_of(deal, deal.turn)).spares_partner()
    assert not isinstance(choice(name, deal), Discard)


# Advice and its reasons ---------------------------------------------------------------------------


def _advised(deal: Deal) -> list[tuple[View, Advice]]:
    found = []
    while not deal.over:
        view = view_of(deal, deal.turn)
        found.append((view, advice(view)))
        deal = apply(deal, found[-1][1].action)
    return found


@pytest.mark.parametrize("name", ["altinstar-4", "wiki-4"])
def test_advice_is_what_neural_does_and_its_facts_hold(name: str) -> None:
    seen: set[str] = set()
    for view, (action, reason) in _advised(dealt(TABLES[name], 3)):
        assert make_bot("neural").choose(view, Options(view)) == action
        seen.add(reason.code)
        public, hand = view.public, view.hand or 0
        if reason.code in ("draw-useless", "draw-rather"):
            tile = public.discards[public.previous][-1]
            assert reason.tile == str(Tile(tile))
            usable = can_use(public, hand + BITS_OF[tile], tile)
            assert usable == (reason.code == "draw-rather")
        if isinstance(action, Discard):
            assert reason.tile == str(Tile(action.tile))
            fine = next(d.points for d in Options(view).discards if d.tile == action.tile)
            assert (reason.code in ("fined", "all-fined")) == (fine > 0)
            assert reason.code != "finish" or size_of_bits(hand) == 1
            if reason.safe:
                assert not (
                    public.playable >> action.tile & 1
                    and public.opened[(public.turn + 1) % public.players]
                )
            if reason.code == "loose":
                okey = public.setup.okey
                rest = hand - BITS_OF[action.tile]
                assert best_value_bits(rest, okey) == best_value_bits(hand, okey)
        if reason.code == "too-late":
            assert public.opened[public.turn] is None
            assert public.stock_count < public.players
        if reason.code == "open":
            assert reason.points >= reason.need
    assert len(seen) >= 6, seen


@pytest.mark.parametrize("language", ["tr", "en"])
def test_every_reason_has_its_sentence(language: str) -> None:
    texts = load(language)
    assert [code for code in REASONS if not texts.has(f"hint-why-{code}")] == []
    own = {key for key in texts.keys() if key.startswith("hint-why-")}  # noqa: SIM118
    assert own == {f"hint-why-{code}" for code in REASONS}
    for code in REASONS:
        assert texts.variables(f"hint-why-{code}") <= {"tile", "points", "need"}


def test_P1_an_opening_and_the_last_tile() -> None:
    melds = "R8 R9 R10 R11 Y9 Y10 Y11 Y12 B10 B11 B12 K3"
    deal = table("altinstar", [melds, "K2 K4"], stock=NEUTRAL)
    first = advice(view_of(deal, 0))
    assert (first.reason.code, first.reason.need) == ("open-finish", 0)
    deal = apply(deal, first.action)
    while size_of_bits(view_of(deal, 0).hand or 0) > 1:
        deal = apply(deal, advice(view_of(deal, 0)).action)
    last = advice(view_of(deal, 0))
    assert last.reason.code == "finish"
    assert isinstance(last.action, Discard)
    assert last.action.tile == parse_tile("K3") != OKEY


@pytest.mark.parametrize("opened", [True, False])
def test_C1_no_finish_at_the_partners_cost_is_advised(opened: bool) -> None:
    deal = before_a_finish(teams=True, opened=opened)
    assert not isinstance(choice("steady", deal), Discard)
    action, reason = advice(view_of(deal, 0))
    assert choice("master", deal) == action
    assert isinstance(action, Discard)
    assert (reason.code, reason.tile) == ("wait-partner", str(Tile(action.tile)))
    alone = advice(view_of(before_a_finish(opened=opened), 0))
    assert alone.reason.code in ("open-finish", "lay-finish", "meld")
