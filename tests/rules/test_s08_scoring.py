"""Section 8: what a finished deal is worth, for every row and column of its table."""

from typing import Any

import pytest

from okey101.errors import OkeyError
from okey101.game import PRESETS, Deal, End, Match, Result, Score
from rules.table import MELDS, NEUTRAL, PAIRS, fines, play, scores, table

ROWS: dict[str, tuple[int, int, int, int]] = {
    # finish: winner, times h of who opened with melds, with pairs, and who has not opened
    "melds, plain": (-101, 1, 2, 202),
    "melds, okey": (-202, 2, 4, 404),
    "pairs, plain": (-202, 2, 4, 404),
    "pairs, okey": (-404, 4, 8, 808),
    "riziko, melds, plain": (-101, 1, 2, 202),
    "riziko, melds, okey": (-404, 4, 8, 808),
    "riziko, pairs, plain": (-202, 2, 4, 404),
    "riziko, pairs, okey": (-808, 8, 16, 1616),
}
"""The table as it stands; ``pagat`` has a fixed 404 where pairs finish with the okey (C1)."""
FIXED = {"pairs, okey": 404, "riziko, pairs, okey": 808}


def finished(
    finish: str,
    preset: str,
    *,
    left: tuple[str, str, str] = ("K2 B9", "B7 Y9", "K7 K9"),
    **changes: Any,
) -> Deal:
    """Seat 0 finishes in its second turn; the others keep ``left``: melds, pairs, unopened."""
    pairs = "pairs" in finish
    last = "*" if "okey" in finish else "B5"
    opening = PAIRS[0] if pairs else MELDS
    hands = [f"{opening} B3 {last}", f"{MELDS} {left[0]}", f"{PAIRS[1]} {left[1]}", left[2]]
    indicator = "F" if "riziko" in finish else "B12"
    deal = table(preset, hands, indicator=indicator, stock="B2 B4 B6 R10", **changes)
    deal = play(deal, f"0: meld {opening}", "discard B3", "1: draw", f"meld {MELDS}", "discard B2")
    deal = play(deal, "2: draw", f"meld {PAIRS[1]}", "discard B4", "3: draw", "discard B6")
    return play(deal, "0: draw", f"lay R10 > {6 if pairs else 1}", f"discard {last}")


CASES = [(finish, preset) for finish in ROWS for preset in PRESETS
         if "riziko" not in finish or preset == "wiki"]  # fmt: skip


@pytest.mark.parametrize(("finish", "preset"), CASES)
def test_C1_R8_R12_every_row_and_column(finish: str, preset: str) -> None:
    winner, melds, pairs, unopened = ROWS[finish]
    if preset == "pagat":
        unopened = FIXED.get(finish, unopened)
    deal = finished(finish, preset, riziko_losers="hand")
    assert scores(deal) == (winner, 11 * melds, 16 * pairs, unopened)


KEPT = [(f, p) for f, p in CASES if f not in ("riziko, melds, okey", "riziko, pairs, okey")]
"""A riziko deal has one okey only, which can't be discarded and kept."""


@pytest.mark.parametrize(("finish", "preset"), KEPT)
def test_C2_an_okey_left_in_hand(finish: str, preset: str) -> None:
    winner, melds, pairs, unopened = ROWS[finish]
    if preset == "pagat":
        unopened = FIXED.get(finish, unopened)
    tile = preset == "pagat"
    with_melds = finished(finish, preset, left=("K2 B9 *", "B7 Y9", "K7 K9"))
    kept = (11 + 101) * melds if tile else 11 * melds + 101
    assert scores(with_melds) == (winner, kept, 16 * pairs, unopened)
    assert fines(with_melds) == ([] if tile else [(1, "P5", 101)])
    with_pairs = finished(finish, preset, left=("K2 B9", "B7 Y9 *", "K7 K9"))
    kept = (16 + 101) * pairs if tile else 16 * pairs + 101
    assert scores(with_pairs) == (winner, 11 * melds, kept, unopened)
    unopened_hand = finished(finish, preset, left=("K2 B9", "B7 Y9", "K7 K9 *"))
    assert scores(unopened_hand) == (winner, 11 * melds, 16 * pairs, unopened)
    assert fines(unopened_hand) == []


def test_C2_P5_R14_each_of_two_okeys(preset: str) -> None:
    deal = finished("melds, plain", preset, left=("K2 B9", "* * B7", "K7 K9"))
    assert scores(deal)[2] == (2 * (202 + 7) if preset == "pagat" else 2 * 7 + 202)


@pytest.mark.parametrize("choice", ["tile_101", "fine_101"])
def test_C2_the_choice_is_a_field_of_its_own(preset: str, choice: str) -> None:
    deal = finished("pairs, plain", preset, left=("K2 *", "B7 Y9", "K7 K9"), okey_in_hand=choice)
    assert scores(deal)[1] == ((2 + 101) * 2 if choice == "tile_101" else 2 * 2 + 101)


@pytest.mark.parametrize(("finish", "preset"), [c for c in CASES if not c[0].startswith("riziko")])
def test_C1_J2_a_false_joker_counts_as_the_okeys_number(finish: str, preset: str) -> None:
    deal = finished(finish, preset, left=("F K2", "F Y9", "K7 K9"))
    _, melds, pairs, _ = ROWS[finish]
    assert scores(deal)[1:3] == (15 * melds, 22 * pairs)


@pytest.mark.parametrize("points", [404, 808])
def test_C1_unopened_when_pairs_finish_with_the_okey(preset: str, points: int) -> None:
    deal = finished("pairs, okey", preset, unopened_pairs_okey=points)
    assert scores(deal) == (-404, 11 * 4, 16 * 8, points)


@pytest.mark.parametrize(("points", "total"), [(404, 808), (808, 1616)])
def test_C1_R8_the_fixed_404_is_doubled_by_a_riziko_deal(points: int, total: int) -> None:
    hand: dict[str, Any] = {"riziko_losers": "hand", "unopened_pairs_okey": points}
    assert scores(finished("riziko, pairs, okey", "wiki", **hand))[3] == total


@pytest.mark.parametrize(("finish", "points"), [("melds", 404), ("pairs", 808)])
def test_C1_R8_all_others_pay_the_winners_points_in_a_riziko_deal(finish: str, points: int) -> None:
    deal = finished(f"riziko, {finish}, okey", "wiki", unopened_pairs_okey=404)
    assert scores(deal) == (-points, points, points, points)
    plain = [
        finished(f"riziko, {finish}, plain", "wiki", riziko_losers=one) for one in ("flat", "hand")
    ]
    assert scores(plain[0]) == scores(plain[1])


def test_C3_R8_fines_come_on_top_of_what_all_pay() -> None:
    hands = [f"{MELDS} * B3", f"{MELDS} R10 B9", "K7 K9"]
    deal = table("wiki", hands, indicator="F", stock="B2 B4 Y10")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "discard R10")
    deal = play(deal, "draw", "discard B4", "draw", "lay Y10 > 2", "discard *")
    assert scores(deal) == (-404, 404 + 101, 404)


def whole(preset: str, opening: str, last: str, **changes: Any) -> Deal:
    """Seat 0 lays its whole hand in its first turn; one of the others holds an okey."""
    hands = [f"{opening} {last}", "B7 Y9 *", "K7 K9", "B9 Y7"]
    deal = table(preset, hands, stock=NEUTRAL, **changes)
    return play(deal, f"meld {opening}", f"discard {last}")


def test_C1_R7_the_whole_hand_in_one_turn(preset: str) -> None:
    assert scores(whole(preset, MELDS, "B3")) == (-202, 404, 404, 404)
    assert scores(whole(preset, MELDS, "*")) == (-404, 808, 808, 808)


def test_C1_R7_the_whole_hand_in_pairs(preset: str) -> None:
    assert scores(whole(preset, PAIRS[0], "B3")) == (-404, 808, 808, 808)
    unopened = 808 if preset == "pagat" else 1616  # twice the fixed 404, or all doublings
    assert scores(whole(preset, PAIRS[0], "*")) == (-808, unopened, unopened, unopened)


def test_C1_R8_the_whole_hand_in_a_riziko_deal() -> None:
    hands = [f"{MELDS} *", "B7 Y9", "K7 K9"]
    for losers, points in (("flat", 808), ("hand", 1616)):
        deal = table("wiki", hands, indicator="F", stock=NEUTRAL, riziko_losers=losers)
        deal = play(deal, f"meld {MELDS}", "discard *")
        assert scores(deal) == (-808, points, points)


def test_R7_not_if_anybody_else_has_opened(preset: str) -> None:
    deal = table(preset, [f"{MELDS} B3 B5", MELDS, "K7 K9"], stock=NEUTRAL)
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "discard B2")
    assert scores(deal) == (5, -101, 202)


def test_R7_not_if_the_winner_opened_in_an_earlier_turn(preset: str) -> None:
    deal = table(preset, [f"{MELDS} B3 B5", "B7 B9"], stock="B2 R10")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard B2", "draw", "lay R10 > 1")
    assert scores(play(deal, "discard B5")) == (-101, 202)


def test_R7_lay_offs_and_further_melds_of_that_turn_are_allowed(preset: str) -> None:
    deal = table(preset, [f"{MELDS} R10 R5 R6 R7 B3", "B7 B9"], stock="B2")
    deal = play(deal, f"meld {MELDS}", "lay R10 > 1", "meld R5 R6 R7", "discard B3")
    assert scores(deal) == (-202, 404)


def test_R7_R17_U7_with_a_taken_discard_worth_101(preset: str) -> None:
    deal = table(preset, ["K13 B3", MELDS.replace("K13", "B1"), "Y9 Y7"], stock="B2")
    deal = play(deal, "discard K13", "take", f"meld {MELDS}", "discard B1")
    assert scores(deal) == (404 + (130 if preset == "wiki" else 0), -202, 404)


def test_R7_O5_a_short_opening_of_another_is_no_opening(preset: str) -> None:
    deal = table(preset, ["R7 R8 R9 B3 B5", MELDS, "Y9 Y7"], stock="B2")
    deal = play(deal, "meld R7 R8 R9", "discard B3", "draw", f"meld {MELDS}", "discard B2")
    assert scores(deal) == (404 + 101, -202, 404)


@pytest.mark.parametrize("finish", ["melds, plain", "melds, okey", "pairs, plain", "pairs, okey"])
def test_C3_doublings_do_not_touch_fines(preset: str, finish: str) -> None:
    opening = PAIRS[0] if finish.startswith("pairs") else MELDS
    last = "*" if finish.endswith("okey") else "B5"
    hands = [f"{opening} B3 {last} R10", f"{MELDS} R10 K2 B9"]
    deal = table(preset, hands, stock="B2 Y10")
    deal = play(deal, f"meld {opening}", "discard B3", "draw")
    deal = play(deal, f"meld {MELDS}", "discard R10", "draw")
    red = 6 if opening != MELDS else 1
    deal = play(deal, f"lay R10 > {red}", f"lay Y10 > {red + 1}", "back 2", f"lay R10 > {red}")
    deal = play(deal, f"lay Y10 > {red + 1}", f"discard {last}")
    winner, melds, _, _ = ROWS[finish]
    assert scores(deal) == (winner + 101, (2 + 9 + 2) * melds + 101)
    assert fines(deal) == [(1, "P2", 101), (0, "P4", 101)]


def result(*totals: int, counts: bool = True) -> Result:
    sheet = tuple(Score(s, t, (), 0, t) for s, t in enumerate(totals))
    return Result(End.FINISH if counts else End.STOCK, None, totals, (), sheet, counts)


@pytest.mark.parametrize("deals", [1, 2, 3, 5, 7, 9, 11, 20])
def test_C4_the_agreed_number_of_deals_is_played(deals: int) -> None:
    seed = bytes(32)
    results = (result(5, -101, 202, 7),) * deals
    base = Match.new(PRESETS["pagat"], deals=deals, seed=seed)
    for played in range(deals):
        match = Match(base.rules, deals, seed, base.dealer, results[:played])
        assert not match.over
    match = Match(base.rules, deals, seed, base.dealer, results)
    assert match.over
    assert match.totals == (5 * deals, -101 * deals, 202 * deals, 7 * deals)
    assert match.places == (2, 1, 4, 3)
    with pytest.raises(OkeyError, match="C4"):
        match.deal()


def test_C4_equal_totals_share_the_place() -> None:
    match = Match(PRESETS["pagat"], 1, bytes(32), 0, (result(50, -101, 50, 202),))
    assert match.places == (2, 1, 2, 4)


def test_C4_O7_E3_a_void_deal_does_not_count_but_its_okeys_do() -> None:
    rules = PRESETS["pagat"]
    void = result(101, 0, 0, 0, counts=False)
    match = Match(rules, 2, bytes(32), 3, (void, result(-101, 5, 6, 7), void))
    assert (match.played, match.over) == (1, False)
    assert match.totals == (101, 5, 6, 7)


@pytest.mark.parametrize("deals", [0, -3])
def test_C4_a_match_has_deals(deals: int) -> None:
    with pytest.raises(OkeyError):
        Match.new(PRESETS["wiki"], deals=deals, seed=bytes(32))


def test_C4_after_a_void_deal_the_same_dealer_deals_again() -> None:
    for preset in PRESETS:
        rules = PRESETS[preset].with_(players=2)
        match = Match.new(rules, deals=3, seed=bytes(32), dealer=1)
        starter = 1 if preset == "altinstar" else 0
        hands = [f"{PAIRS[0]} B3 B5", f"{PAIRS[1]} B7 B9"]
        deal = table(rules, hands, stock="B2 B4", starter=starter)
        assert deal.public.setup.dealer == 1
        deal = play(deal, f"meld {PAIRS[starter]}", f"discard B{3 if starter == 0 else 7}", "draw")
        match = match.after(play(deal, f"meld {PAIRS[1 - starter]}"))
        assert (match.dealer, match.played, len(match.results)) == (1, 0, 1)
