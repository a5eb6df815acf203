"""What bots do in positions where the right thing is plain to see."""

from __future__ import annotations

import pytest

from bots.tables import dealt
from okey101.bots import make_bot
from okey101.bots.holdback import hold_okey, hold_whole_hand
from okey101.bots.meld_potential import near_melds
from okey101.game import (
    PRESETS,
    Deal,
    Options,
    RuleSet,
    apply,
    deal_from_hands,
    options_of,
    parse_action,
    view_of,
)
from okey101.game.actions import Action, Discard, Meld
from okey101.tiles import OKEY, Rack, Tile

THINKING = ("greedy", "steady")
OPENING = "R10 R11 R12 R13 K10 K11 K12 K13 Y2 Y3 Y4"
OPENING_MELDS = "R10 R11 R12 R13 / K10 K11 K12 K13 / Y2 Y3 Y4"
"""101 points."""
OTHERS = ("Y6 Y9 B12", "Y7 B10 K1", "R2 B7 K5")
STOCK = "R1 Y1 K2 B1 R3 Y8 K8 B8 R4 R5 B9 B13"


def position(hand: str, *actions: str, rules: RuleSet | None = None, stock: str = STOCK) -> Deal:
    """A deal in which seat 0 begins with this hand; blue 6 is the okey."""
    rules = rules or PRESETS["altinstar"].with_(starter="dealer")
    hands = tuple(Rack.parse(text, okey=Tile.B6).bits for text in (hand, *OTHERS))
    tiles = tuple(Rack.parse(tile).bits.bit_length() // 2 for tile in stock.split())
    dealt = deal_from_hands(rules, indicator=Tile.B5, hands=hands, stock=tiles)
    deal = Deal.start(rules, dealt)
    for action in actions:
        deal = apply(deal, parse_action(action))
    return deal


def choice(name: str, deal: Deal) -> Action:
    view = view_of(deal, deal.turn)
    return make_bot(name, 1).choose(view, Options(view))


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
    assert deal.result is not None
    assert deal.result.winner == 0


@pytest.mark.parametrize("name", THINKING)
def test_U2_an_opening_that_finishes_has_the_taken_discard_in_it(name: str) -> None:
    """The taken Y5 could go onto the table with Y6 and Y7, but the opening has to contain it."""
    hands = (
        f"{OPENING} Y5 B1",
        "Y6 Y7 R10 R11 R12 R13 K10 K11 K12 K13 B11 B12 B13 K1",
        *OTHERS[1:],
    )
    rules = PRESETS["altinstar"]
    packed = tuple(Rack.parse(text, okey=Tile.B6).bits for text in hands)
    stock = tuple(int(tile) for tile in Rack.parse("R1 Y1 K2 B2"))
    deal = Deal.start(rules, deal_from_hands(rules, indicator=Tile.B5, hands=packed, stock=stock))
    for action in (f"meld {OPENING_MELDS}", "discard Y5", "take"):
        deal = apply(deal, parse_action(action))
    deal = played(name, deal)
    assert deal.result is not None
    assert deal.result.winner == 1


@pytest.mark.parametrize("name", THINKING)
def test_finishes_with_the_okey_where_it_can(name: str) -> None:
    """The okey could stand in a meld, but thrown last it doubles the deal (C1)."""
    deal = played(name, position(f"{OPENING} Y5 *"))
    assert deal.result is not None
    assert deal.result.scores[0] == -404  # with the okey, and the whole hand in one turn


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
    for thrown, taken in (("K5", "draw"), ("R2", "draw")):
        deal = position(hand, *lead, f"discard {thrown}")
        assert str(choice(name, deal)) == taken
    rules = PRESETS["altinstar"].with_(open_points=92)
    deal = position(hand, *lead, "discard K5", rules=rules)
    assert str(choice(name, deal)) == "draw"
    hand = "R1 R10 R11 R12 R13 K10 K11 K12 K13 B6 R3 Y8 B2".replace("B6", "R4")
    deal = position(hand, *lead, "discard R2", rules=rules.with_(open_points=101))
    assert str(choice(name, deal)) == "take"
    assert played(name, deal).public.opened[0] == "melds"


@pytest.mark.parametrize("name", THINKING)
def test_opens_with_pairs_when_melds_are_far(name: str) -> None:
    deal = position("R1 R1 R5 R5 Y3 Y3 K8 K8 B11 B11 Y13 B13", stock="")
    action = choice(name, deal)
    assert isinstance(action, Meld)
    assert len(action.groups) == 5


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
    hold = hold_whole_hand(view_of(deal, 0), deal.hands[0])
    assert hold is not None
    assert hold.discard in (Tile.B3, Tile.B4)
    assert hold.chance > 0.1
    assert choice("steady", deal) == Discard(hold.discard)
    assert isinstance(choice("greedy", deal), Meld)
    short = position(hand, stock="R1 Y1 K2")
    assert hold_whole_hand(view_of(short, 0), short.hands[0]) is None


def test_steady_keeps_the_okey_before_a_finish() -> None:
    deal = position(f"{OPENING} B1 B12 *", f"meld {OPENING_MELDS}")
    hold = hold_okey(view_of(deal, 0), deal.hands[0])
    assert hold is not None
    assert choice("steady", deal) == Discard(hold.discard)
    assert OKEY in Rack.from_bits(played("steady", deal).hands[0])


def test_steady_throws_an_okey_where_only_okeys_will_count() -> None:
    """A void deal under S1 costs 101 for each okey held, and forgives every fine (E3, R4)."""
    rules = PRESETS["pagat"].with_(starter="dealer")
    hand = "R1 R5 R9 Y2 Y13 K13 * B1"
    assert choice("steady", position(hand, rules=rules, stock="R2 R3")) == Discard(OKEY)
    assert choice("steady", position(hand, rules=rules)) != Discard(OKEY)


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
    rules = PRESETS["wiki"].with_(starter="dealer")
    deal = position("R1 R5 B5 Y2", rules=rules)
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
