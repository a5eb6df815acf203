"""Section 10: the team game."""

from okey101.game import PRESETS, Match
from okey101.game.match import team_totals
from rules.table import MELDS, NEUTRAL, PAIRS, play, scores, table, tabled

WIKI_TEAMS = PRESETS["wiki"].with_(teams=True)


def test_G1_seats_0_and_2_against_1_and_3(preset: str) -> None:
    rules = PRESETS[preset].with_(teams=True)
    assert team_totals(rules, (1, 20, 300, 4000)) == (301, 4020)
    assert team_totals(PRESETS[preset], (1, 20, 300, 4000)) is None


def test_G1_all_else_is_as_without_teams(preset: str) -> None:
    hands = [f"{MELDS} B3 B5", f"{MELDS} K2", f"{PAIRS[1]} B7", "K7 K9"]
    outcomes = []
    for teams in (False, True):
        deal = table(preset, hands, stock="B2 B4 B6 R10", teams=teams)
        deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "discard B2")
        deal = play(deal, "draw", f"meld {PAIRS[1]}", "discard B4", "draw", "discard B6")
        deal = play(deal, "draw", "lay R10 > 1", "discard B5")
        outcomes.append(scores(deal))
    assert outcomes[0] == outcomes[1] == (-101, 2, 14, 202)


def test_G1_a_team_has_one_place() -> None:
    deal = table(WIKI_TEAMS, [f"{MELDS} B3", "Y9", "Y8", "Y7"], stock=NEUTRAL)
    deal = play(deal, f"meld {MELDS}", "discard B3")
    match = Match.new(WIKI_TEAMS, deals=1, seed=bytes(32), dealer=3).after(deal)
    assert match.totals == (-202, 404, 404, 404)
    assert team_totals(WIKI_TEAMS, match.totals) == (202, 808)
    assert match.places == (1, 2, 1, 2)


def test_G1_R7_a_partner_who_has_opened_makes_it_no_whole_hand() -> None:
    hands = [f"{MELDS} B3 B5", "Y9 Y8", MELDS, "K7 K9"]
    deal = table(WIKI_TEAMS, hands, stock="B2 B4 B6")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard B2", "draw")
    deal = play(deal, f"meld {MELDS}", "discard B4")
    assert scores(deal) == (5, 202, -101, 202)


def test_G1_M5_a_pairs_opener_lays_off_on_his_partners_melds() -> None:
    hands = [f"{MELDS} B3 B5", "Y9 Y8", f"{PAIRS[0]} R10 B7", "K7 K9"]
    deal = table(WIKI_TEAMS, hands, stock="B2 B4 B6")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard B2", "draw")
    deal = play(deal, f"meld {PAIRS[0]}", "lay R10 > 1")
    assert tabled(deal, 1) == "R10 R11 R12 R13"


def test_G1_O7_all_four_have_to_open_with_pairs() -> None:
    hands = [f"{PAIRS[s]} B{3 + 2 * (s % 2)} B{7 + 2 * (s % 2)}" for s in range(4)]
    deal = play(table(WIKI_TEAMS, hands, stock=NEUTRAL), f"meld {PAIRS[0]}", "discard B3")
    for seat in (1, 2):
        deal = play(deal, "draw", f"meld {PAIRS[seat]}", f"discard B{3 + 2 * (seat % 2)}")
    assert not deal.over
    assert play(deal, "draw", f"meld {PAIRS[3]}").over


def test_G3_R1_a_twin_goes_down_in_place_of_the_taken_tile() -> None:
    hands = ["B9 R10 B3", f"{MELDS} R10 B1 Y9", "Y7 Y8", "K7 K9"]
    deal = table(WIKI_TEAMS, hands, stock="B2 B4 B6 B8 K2")
    deal = play(deal, "discard B9", "draw", f"meld {MELDS}", "discard Y9", "draw", "discard B4")
    deal = play(deal, "draw", "discard B6", "draw", "discard R10", "take", "lay R10 > 1")
    assert play(deal, "discard R10").turn == 2  # the twin, for the partner, and fined if it fits
    assert str(play(deal, "discard B1").rack(1)) == "R10 B2"
