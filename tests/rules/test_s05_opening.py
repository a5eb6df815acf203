"""Section 5: opening. Section 11 adds R3 and R9."""

from typing import Any

import pytest

from conftest import unwrap
from okey101.game import Deal, End, Opened, Phase, options_of
from okey101.tiles import Rack, parse_tile
from rules.table import (
    MELDS,
    NEUTRAL,
    NO_K13,
    PAIRS,
    fines,
    idle,
    play,
    refuses,
    scores,
    table,
    tabled,
    texts,
)

HUNDRED = "R13 Y13 K13 / R10 R11 R12 / R7 Y7 B7 K7"
HUNDRED_ONE = "R5 R6 R7 R8 / R13 Y13 K13 / Y9 Y10 Y11 / R2 Y2 K2"


@pytest.mark.parametrize(
    ("melds", "way", "highest"),
    [
        (HUNDRED_ONE, Opened.MELDS, (101, 0)),
        (HUNDRED, None, (0, 0)),
        (PAIRS[0], Opened.PAIRS, (0, 5)),  # whatever their values
        ("R13 R13 / Y13 Y13 / K13 K13 / R12 R12", None, (0, 0)),  # however high
    ],
)
def test_O1_O2_D5_R19_101_points_or_five_pairs_open_at_once_and_less_falls_short(
    preset: str, melds: str, way: Opened | None, highest: tuple[int, int]
) -> None:
    deal = play(table(preset, [f"{melds} B3 B5", "B9"], stock="B2"), f"meld {melds}")
    assert deal.public.opened[0] is way
    assert (deal.public.high_points, deal.public.high_pairs) == highest
    assert fines(deal) == ([] if way else [(0, "P3", 101)])
    assert len(texts(deal)) == (melds.count("/") + 1 if way else 0)


def test_O1_the_tiles_come_from_the_hand() -> None:
    deal = table("altinstar", [f"{NO_K13} B3", "B9"])
    refuses(deal, f"meld {MELDS}", "not-in-hand", "O1")
    deal = table("altinstar", [f"{MELDS} B3", "B9"])
    refuses(deal, "meld R11 R12 R13 / R11 Y11 K11", "not-in-hand", "O1")


def test_O1_in_one_turn() -> None:
    deal = table("altinstar", [f"{MELDS} B3 B4", "B9"])
    deal = play(deal, "meld R11 R12 R13 / Y11 Y12 Y13", "meld K11 K12 K13")
    assert texts(deal) == []
    assert fines(deal) == [(0, "P3", 101), (0, "P3", 101)]


def test_O3_after_opening_in_the_same_turn(preset: str) -> None:
    deal = table(preset, [f"{MELDS} B3 B4 B5 B1 R10 B9", "B9"], stock="B2")
    refuses(deal, "lay R10 > 1", "not-opened", "O3")
    deal = play(deal, f"meld {MELDS}", "meld B3 B4 B5", "lay R10 > 1")
    assert texts(deal)[3:] == ["B3 B4 B5"]
    assert tabled(deal, 1) == "R10 R11 R12 R13"


def test_O3_after_opening_in_later_turns_on_any_players_melds(preset: str) -> None:
    deal = table(preset, [f"{MELDS} B3 B9 B10 K9", f"{MELDS} R10 B5"], stock="B2 B11 B4")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {MELDS}", "lay R10 > 1")
    deal = play(deal, "discard B2", "draw", "meld B9 B10 B11")
    assert tabled(deal, 7) == "B9 B10 B11"
    assert deal.public.owners == (0, 0, 0, 1, 1, 1, 0)


def test_O3_lay_offs_do_not_count_toward_the_101() -> None:
    ninety = "K11 K12 K13 / B7 B8 B9 / B10 R10 Y10"
    hand = ninety.replace("/", "")
    deal = table("altinstar", [f"{MELDS} B3 K9", f"{hand} K10 B1"], stock="B2")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", f"meld {ninety}")
    assert fines(deal) == [(1, "P3", 101)]
    refuses(deal, "lay K10 > 3", "not-opened", "O3")


def test_O3_there_is_no_such_group() -> None:
    deal = play(table("altinstar", [f"{MELDS} R10 B3", "B9"]), f"meld {MELDS}")
    for number in ("0", "4", "9999"):
        refuses(deal, f"lay R10 > {number}", "no-group", "O3")


WHOLE = "R1 R2 R3 / Y1 Y2 Y3 / K1 K2 K3 / R4 Y4 K4 / R5 Y5 K5 / R6 Y6 K6 / R7 Y7 K7"
"""Twenty-one tiles in sets and runs, 84 points."""


def test_O4_P3_the_whole_hand_opens_below_101_where_the_rules_say_so(preset: str) -> None:
    deal = table(preset, [f"{WHOLE} B9", "B1", "B3", "B5"], stock="B2")
    found = options_of(deal).opening
    assert (found is not None) == (preset == "pagat")
    deal = play(deal, f"meld {WHOLE}")
    if found is not None:
        assert sum(map(len, found.pieces)) == 21
        assert deal.public.opened[0] is Opened.MELDS
        assert scores(play(deal, "discard B9")) == (-202, 404, 404, 404)
    else:
        assert fines(deal) == [(0, "P3", 101)]


def test_O4_everything_but_the_discard_goes_down_at_once_in_melds() -> None:
    six = WHOLE.rsplit(" / ", 1)[0]
    deal = table("pagat", [f"{WHOLE} B9", "B1", "B3"], stock="B2")
    assert fines(play(deal, f"meld {six}")) == [(0, "P3", 101)]
    melds = "R1 R2 R3 / Y1 Y2 Y3"  # lay-offs do not help
    deal = table("pagat", [f"{MELDS} B9 B8", f"{melds} R10"], stock="B2 B4")
    deal = play(deal, f"meld {MELDS}", "discard B9", "draw", f"meld {melds}")
    assert fines(deal) == [(1, "P3", 101)]
    pairs = "R1 R1 / Y1 Y1"  # which need their number
    deal = play(table("pagat", [f"{pairs} B9", "B1"], stock="B2"), f"meld {pairs}")
    assert fines(deal) == [(0, "P3", 101)]


def test_O5_R3_a_short_opening_goes_back_each_try_is_fined_and_the_turn_goes_on(
    preset: str,
) -> None:
    deal = table(preset, [f"{HUNDRED} B3 B5", "B9"], stock="B2")
    before = deal.hands
    deal = play(deal, f"meld {HUNDRED}", f"meld {HUNDRED}")
    assert (deal.hands, texts(deal), deal.turn, deal.phase) == (before, [], 0, Phase.PLAY)
    assert fines(deal) == [(0, "P3", 101), (0, "P3", 101)]
    assert play(deal, "discard B3").turn == 1


def test_R3_the_tiles_shown_are_public_from_then_on() -> None:
    deal = play(table("altinstar", [f"{HUNDRED} B3 B5", "B9"], stock="B2"), f"meld {HUNDRED}")
    assert Rack.from_bits(deal.public.known[0]) == Rack.parse(HUNDRED.replace("/", " "))
    deal = play(deal, "discard R13")
    assert Rack.from_bits(deal.public.known[0]).count(parse_tile("R13")) == 0
    assert len(Rack.from_bits(deal.public.known[0])) == 9


def test_R3_a_taken_discard_still_binds_after_a_short_opening(preset: str) -> None:
    deal = table(preset, ["K13 B3", f"{NO_K13} B7 B8 B9 B1"], stock="B2 B4")
    deal = play(deal, "discard K13", "take", "meld K11 K12 K13 / B7 B8 B9")
    assert fines(deal) == [(1, "P3", 101)]
    refuses(deal, "discard B1", "taken-not-used", "U2")
    deal = play(deal, f"meld {MELDS}")
    assert deal.public.opened[1] is Opened.MELDS


def test_R3_after_a_short_opening_the_taken_discard_may_be_put_back() -> None:
    deal = table("altinstar", ["K13 B3", "K11 K12 B1 B9"], stock="B2 B4")
    deal = play(deal, "discard K13", "take", "meld K11 K12 K13", "return", "draw", "discard B1")
    assert fines(deal) == [(1, "P3", 101)]


@pytest.mark.parametrize("meld", ["R13 Y13 R13", "R10 R11 R13", "R7 Y7 / R10 R11 R12"])
def test_O5_an_opening_that_is_no_meld_is_refused_and_not_fined(meld: str) -> None:
    deal = table("altinstar", ["R7 Y7 R10 R11 R12 R13 R13 Y13 B3", "B9"], stock="B2")
    with pytest.raises(ValueError, match=r"set|run|pair"):
        play(deal, f"meld {meld}")
    assert not deal.public.fines


@pytest.mark.parametrize(
    ("opening", "rule"), [(HUNDRED, "O1"), (" / ".join(PAIRS[0].split(" / ")[:4]), "O2")]
)
def test_O5_short_openings_may_be_refused_instead(opening: str, rule: str) -> None:
    deal = table("altinstar", [f"{opening} B3 B5", "B9"], stock="B2", short_opening="refuse")
    refuses(deal, f"meld {opening}", "below-threshold", rule)


FOUR = "R1 R1 / Y1 Y1 / K1 K1 / R2 R2"


def announcer(preset: str = "wiki", hand: str = f"{FOUR} B12 R9 B3 B5", **changes: Any) -> Deal:
    """Seat 0 holds the twin of the indicator B12, and four pairs."""
    return table(preset, [hand, "Y7 Y8 Y9", "K7 K8 K9"], stock=NEUTRAL, **changes)


def test_O6_R9_the_twin_pairs_with_any_tile_in_an_opening_with_pairs() -> None:
    announced = play(announcer(), "announce")  # which is public, and shows the twin
    assert announced.public.announced == 0
    assert str(Rack.from_bits(announced.public.known[0])) == "B12"
    for odd in ("B12 R9", "R9 B12", "B3 B12"):
        deal = play(announced, f"meld {FOUR} / {odd}")
        assert deal.public.opened[0] is Opened.PAIRS
        assert tabled(deal, 5).startswith("B12 ")
    deal = play(announcer(hand=f"{FOUR} B12 F B3"), "announce", f"meld {FOUR} / F B12")
    assert tabled(deal, 5) == "B12 F"


TWIN = f"{FOUR} B12 R9 Y3 B3 B5"
THROWN = ["B12 B3 B5", f"{FOUR} R9 Y9", "K7 K9"]
"""Seat 0 can throw the twin, with which seat 1 would have five pairs."""


@pytest.mark.parametrize(
    ("hands", "lines", "line", "code", "rule"),
    [
        ([TWIN], [], f"meld {FOUR} / B12 R9", "not-a-pair", "M3"),  # not announced
        ([TWIN], ["announce"], "announce", "already-announced", "O6"),
        ([TWIN], ["announce"], f"meld {FOUR} / B12 R9 / Y3 B3", "not-a-pair", "M3"),
        ([TWIN], ["announce"], f"meld {FOUR} / B12 R9 / B12 B3", "not-in-hand", "O1"),
        # Only pairs profit, and only in the opening.
        ([f"{MELDS} B12 R9 B3"], ["announce", f"meld {MELDS}"], "meld B12 R9", "not-a-pair", "M3"),
        ([f"{PAIRS[0]} B12 R9 B3"], [f"meld {PAIRS[0]}"], "announce", "announce-too-late", "R9"),
        (["R1 R3 B3"], [], "announce", "twin-not-held", "R9"),
        # It is the announcer's alone, and once in a deal.
        (THROWN, ["announce", "discard B12", "take"], f"meld {FOUR} / B12 R9", "not-a-pair", "M3"),
        (THROWN, ["announce", "discard B12", "take"], "announce", "already-announced", "O6"),
    ],
)
def test_O6_R9_where_the_twin_is_a_tile_like_any_other(
    hands: list[str], lines: list[str], line: str, code: str, rule: str
) -> None:
    deal = play(table("wiki", [*hands, "Y7 Y8 Y9"], stock=NEUTRAL), *lines)
    refuses(deal, line, code, rule)


@pytest.mark.parametrize("preset", ["altinstar", "pagat"])
def test_O6_R9_other_presets_and_riziko_deals_know_no_announcement(preset: str) -> None:
    refuses(announcer(preset), "announce", "no-announcement", "O6")
    riziko = table("wiki", ["R1 R3 B3", "Y7"], indicator="F", stock="B2")
    refuses(riziko, "announce", "no-announcement", "R9")
    assert play(announcer(preset, indicator_pairs=True), "announce").public.announced == 0


def test_R9_in_ones_first_turn_only() -> None:
    deal = table("wiki", ["R1 R3 B3", "B12 Y7 Y9", "K7 K9 K1"], stock=NEUTRAL)
    deal = play(deal, "discard R1")
    assert play(deal, "1: announce").public.announced == 1
    assert play(deal, "1: draw", "1: announce").public.announced == 1
    late = play(deal, "draw", "discard Y7")
    late = play(idle(late, 2), "draw")
    refuses(late, "announce", "announce-too-late", "R9")


def test_R9_a_twin_kept_serves_in_a_later_opening_but_not_after_it() -> None:
    deal = play(announcer(hand=f"{FOUR} B12 R9 B3 B5"), "announce", "discard B5")
    deal = play(idle(deal, 2), "draw", f"meld {FOUR} / B12 R9")
    assert deal.public.opened[0] is Opened.PAIRS
    deal = play(announcer(hand=f"{PAIRS[0]} B12 R9 B3 B5"), "announce", f"meld {PAIRS[0]}")
    refuses(deal, "meld B12 R9", "not-a-pair", "M3")


def test_R9_a_twin_that_was_thrown_may_be_announced_by_who_took_it() -> None:
    deal = play(table("wiki", THROWN, stock=NEUTRAL), "discard B12", "take", "announce")
    deal = play(deal, f"meld {FOUR} / B12 R9")
    assert deal.public.opened[1] is Opened.PAIRS


def test_O6_the_twin_and_an_okey_are_an_ordinary_pair() -> None:
    deal = announcer(hand=f"{FOUR} B12 * B3 B5")
    assert tabled(play(deal, f"meld {FOUR} / B12 *B12"), 5) == "B12 *B12"


def test_O6_E4_once_though_the_indicator_was_drawn_as_well() -> None:
    deal = table("wiki", [f"{MELDS} B3 B5", f"{FOUR} B12 R10 Y10 B7"], stock="B2 B4")
    deal = play(deal, f"meld {MELDS}", "discard B3", "announce", "draw", "discard B2")
    deal = play(deal, "draw", "discard B4", "indicator")
    refuses(deal, f"meld {FOUR} / B12 R10 / B12 Y10", "not-a-pair", "O6")
    deal = play(deal, f"meld {FOUR} / B12 B12", "lay R10 > 1", "lay Y10 > 2", "discard B7")
    assert deal.over


def test_O6_a_short_opening_with_the_odd_pair_leaves_it_to_a_second_try() -> None:
    deal = announcer(hand=f"{FOUR} B12 R9 B3 B5")
    three = FOUR.rsplit(" / ", 1)[0]
    deal = play(deal, "announce", f"meld {three} / B12 R9", f"meld {FOUR} / B12 B3")
    assert deal.public.opened[0] is Opened.PAIRS
    assert fines(deal) == [(0, "P3", 101)]


def all_pairs(preset: str, players: int, **changes: Any) -> Deal:
    """Everybody opens with pairs, one after the other; seats 0 and 1 keep an okey."""
    kept = ["* B3 B5", "* B7 B9", "B9 B7", "B5 B3"]
    hands = [f"{PAIRS[s]} {kept[s]}" for s in range(players)]
    deal = play(table(preset, hands, stock=NEUTRAL, **changes), f"meld {PAIRS[0]}", "discard B3")
    for seat in range(1, players):
        deal = play(deal, f"{seat}: draw", f"{seat}: meld {PAIRS[seat]}")
        if seat < players - 1:
            deal = play(deal, f"discard {kept[seat].split()[-1]}")
    return deal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_O7_R4_R11_when_all_opened_with_pairs_the_deal_stops_at_once(
    preset: str, players: int
) -> None:
    deal = all_pairs(preset, players)
    assert deal.phase is Phase.OVER
    assert deal.result is not None
    assert (deal.result.end, deal.result.winner) == (End.ALL_PAIRS, None)
    assert not deal.result.counts
    okeys = (101, 101, 0, 0)[:players]
    assert scores(deal) == (okeys if preset == "pagat" else (0,) * players)
    refuses(deal, "discard B9", "deal-over", "E1")


def test_O7_one_opening_with_melds_keeps_the_deal_going() -> None:
    deal = table("altinstar", [f"{PAIRS[0]} B3 B5", f"{MELDS} B7 B9"], stock=NEUTRAL)
    deal = play(deal, f"meld {PAIRS[0]}", "discard B3", "draw", f"meld {MELDS}")
    assert not deal.over


def test_O2_U2_of_too_many_pairs_the_one_with_the_taken_tile_is_laid() -> None:
    deal = table("pagat", ["B9 B3", f"{PAIRS[0]} B9"], stock=NEUTRAL)
    deal = play(deal, "discard B9", "take")
    opening = unwrap(options_of(deal).opening_pairs)
    assert len(opening.pieces) == 5
    assert "B9 B9" in str(opening)
    assert play(deal, str(opening)).public.opened[1] is Opened.PAIRS


def test_J3_M3_two_okeys_are_a_pair_of_their_own_number() -> None:
    taken = play(table("pagat", ["* B3", f"{PAIRS[0]} *"], stock="B2"), "discard *", "take")
    assert "*13 *13" in str(options_of(taken).opening_pairs)
    deal = table("pagat", [f"{PAIRS[0]} * * B3 B5", "Y9"])
    assert "meld *13 *13" in map(str, options_of(play(deal, f"meld {PAIRS[0]}")).melds)


def test_O7_ten_pairs_are_the_most_and_a_lay_off_is_needed_to_finish() -> None:
    pairs = " / ".join(f"{c}{n} {c}{n}" for c in "RY" for n in (1, 2, 3, 4, 5))
    deal = table("pagat", [f"{MELDS} B9 B7", f"{pairs} R10"], stock="B2 B4")
    deal = play(deal, f"meld {MELDS}", "discard B9", "draw", f"meld {pairs}")
    assert not play(deal, "discard B2").over
    assert play(deal, "lay R10 > 1", "discard B2").over
