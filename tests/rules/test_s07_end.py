"""Section 7: how a deal ends."""

from typing import Any

import pytest

from conftest import raises_code, unwrap
from okey101.errors import IllegalAction
from okey101.game import Deal, End, Phase, options_of, view_of
from rules.table import MELDS, NO_K13, PAIRS, fines, play, refuses, scores, table


def test_E1_who_discards_the_last_tile_wins(preset: str) -> None:
    deal = play(
        table(preset, [f"{MELDS} B3", "B9", "B1"], stock="B2"), f"meld {MELDS}", "discard B3"
    )
    assert deal.phase is Phase.OVER
    assert deal.result is not None
    assert (deal.result.end, deal.result.winner, deal.result.counts) == (End.FINISH, 0, True)
    assert deal.rack(0).bits == 0
    for line in ("draw", "take", "discard B9", "pass", "back 1", "announce", f"meld {MELDS}"):
        refuses(deal, line, "deal-over", "E1")


def last(preset: str, *hands: str, thrown: str = "B2", **changes: Any) -> Deal:
    """Two or more seats; seat 1 draws the last tile, a blue 2, and throws one."""
    deal = table(preset, ["B7 B3 B5", *hands], stock="B2", **changes)
    return play(deal, "discard B7", "draw", f"discard {thrown}")


def test_E2_the_deal_ends_with_the_discard_after_the_last_drawn_tile() -> None:
    deal = last("altinstar", "B9 Y9", "K9 K7")
    assert deal.result is not None
    assert (deal.result.end, deal.result.winner) == (End.STOCK, None)


def test_E2_the_last_tile_may_finish() -> None:
    deal = table("altinstar", [f"{MELDS} B3 B5", "B9 Y9"], stock="B2 R10")
    deal = play(deal, f"meld {MELDS}", "discard B3", "draw", "discard B2", "draw", "lay R10 > 1")
    assert play(deal, "discard B5").public.result is not None
    assert scores(play(deal, "discard B5")) == (-101, 202)


def test_E2_who_takes_a_discard_leaves_the_last_tile_lying() -> None:
    deal = table("altinstar", ["K13 B3", f"{NO_K13} B9 B1"], stock="B2")
    deal = play(deal, "discard K13", "take", f"meld {MELDS}", "discard B9")
    assert deal.phase is Phase.DRAW
    assert play(deal, "draw", "discard B2").over


def test_E2_R5_S1_asks_the_next_player_whatever_he_holds() -> None:
    for hand in ("K9 K7", "B2 B1"):
        deal = last("pagat", "B9 Y9", hand)
        assert (deal.phase, deal.turn) == (Phase.LAST_DISCARD, 2)
        refuses(deal, "take", "taken-useless", "E2")
        refuses(deal, "draw", "not-asked", "E2")
        refuses(deal, "discard K9", "not-asked", "E2")
        refuses(deal, "indicator", "not-asked", "E4")
        over = play(deal, "pass")
        assert over.result is not None
        assert (over.result.end, over.result.winner) == (End.STOCK, None)


def test_E2_R5_the_last_discard_used_and_the_next_player_asked_again() -> None:
    deal = last("pagat", "K13 K9", f"{NO_K13} B9 B1", thrown="K13")
    assert (deal.phase, deal.turn) == (Phase.LAST_DISCARD, 2)
    deal = play(deal, "take")
    refuses(deal, "return", "return-not-allowed", "U3")
    refuses(deal, "discard B9", "taken-not-used", "U2")
    deal = play(deal, f"meld {MELDS}", "discard B9")
    assert (deal.phase, deal.turn) == (Phase.LAST_DISCARD, 0)
    assert play(deal, "pass").over


def test_E2_the_last_discard_may_finish_the_deal() -> None:
    deal = last("pagat", "K13 K9", f"{NO_K13} B9", thrown="K13")
    assert scores(play(deal, "take", f"meld {MELDS}", "discard B9")) == (404, 404, -202)


def test_E2_with_putting_back_allowed_the_last_discard_still_needs_a_use() -> None:
    deal = last("altinstar", "B9 Y9", "K9 K7", last_discard_takeable=True)
    refuses(deal, "take", "taken-useless", "E2")
    hands = ["K13 K9", f"{NO_K13} B9"]
    deal = play(last("altinstar", *hands, thrown="K13", last_discard_takeable=True), "take")
    refuses(deal, "return", "return-not-allowed", "E2")


def unfinished(preset: str, **changes: Any) -> Deal:
    """Nobody finishes: melds, pairs with an okey, unopened with an okey; seat 0 was fined."""
    hands = [f"{MELDS} R10 B3 B9", f"{PAIRS[0]} * B5 B7", "K9 K7 *"]
    deal = table(preset, hands, stock="B2 B4", **changes)
    deal = play(deal, f"meld {MELDS}", "discard R10", "draw", f"meld {PAIRS[0]}", "discard B2")
    deal = play(deal, "draw", "discard B4")
    return deal if deal.over else play(deal, "pass")


@pytest.mark.parametrize("preset", ["altinstar", "wiki"])
def test_E3_hands_are_counted_without_a_winner(preset: str) -> None:
    deal = unfinished(preset)
    assert unwrap(deal.result).counts
    times = 2 if preset == "altinstar" else 1
    assert scores(deal) == (12 + 101, times * 12 + 101, 202)
    assert fines(deal) == [(0, "P2", 101), (1, "P5", 101)]


def test_R13_pairs_at_the_end_of_the_stock_are_doubled_where_the_rule_set_says_so(
    preset: str,
) -> None:
    for doubled in (False, True):
        changes = {"empty_stock": "count_hands", "stock_pairs_doubled": doubled}
        deal = unfinished(preset, **changes, okey_in_hand="fine_101")
        assert scores(deal)[1] == (1 + doubled) * 12 + 101
        assert unwrap(deal.result).sheet[1].factors == (("own-pairs",) if doubled else ())


def test_E3_R4_or_the_deal_is_void_but_for_the_okeys() -> None:
    deal = unfinished("pagat")
    assert not unwrap(deal.result).counts
    assert scores(deal) == (0, 101, 101)
    assert fines(deal) == [(1, "P5", 101), (2, "P5", 101)]


def offered(preset: str, hand: str, *, opened: str = "", **changes: Any) -> Deal:
    """Seat 0 is offered the indicator, a blue 12: the stock is empty, and seat 1 has just thrown.

    ``opened`` is an opening that seat 0 made in its first turn.
    """
    deal = table(preset, [f"{opened} {hand} B3", f"{MELDS} B1 B5"], stock="B2", **changes)
    deal = play(deal, *([f"meld {opened}"] if opened else []), "discard B3", "draw")
    return play(deal, f"meld {MELDS}", "discard B2")


def test_E4_the_player_is_always_asked() -> None:
    for hand in ("Y9 Y7", "B10 B11"):
        deal = offered("wiki", hand)
        assert (deal.phase, deal.turn) == (Phase.LAST_INDICATOR, 0)
        for line in ("draw", "take", "discard Y9"):
            with raises_code("not-asked", IllegalAction):
                play(deal, line)
        assert unwrap(play(deal, "pass").result).end is End.STOCK


@pytest.mark.parametrize("preset", ["altinstar", "pagat"])
def test_E4_wiki_only(preset: str) -> None:
    deal = offered(preset, "B10 B11 Y9")
    refuses(
        deal, "indicator", *(("deal-over", "E1") if preset == "altinstar" else ("not-asked", "E4"))
    )


def test_E4_opened_a_new_meld_with_the_indicator_finishes() -> None:
    deal = offered("wiki", "B10 B11 Y9", opened=MELDS)
    assert [*map(str, options_of(deal).actions())] == ["pass", "indicator"]
    deal = play(deal, "indicator")
    refuses(deal, "discard Y9", "must-finish", "E4")
    refuses(deal, "draw", "already-drawn", "U1")
    deal = play(deal, "meld B10 B11 B12", "discard Y9")
    assert deal.result is not None
    assert (deal.result.end, deal.result.winner) == (End.FINISH, 0)
    assert scores(deal)[0] == -101
    assert view_of(deal, None).unseen >= 0


SETS = "R10 Y10 K10 / R9 Y9 K9 / R8 Y8 K8 / R7 Y7 K7"
HAND = "B9 B10 B11 R11 R12 R13 Y11 Y12 Y13"
OPENING = "meld B9 B10 B11 B12 / R11 R12 R13 / Y11 Y12 Y13"


@pytest.mark.parametrize(
    ("opened", "hand", "lines", "score"),
    [
        (MELDS, "R10", ["lay R10 > 1", "discard B12"], -101),
        (MELDS, "R10 Y10", ["lay R10 > 1", "lay Y10 > 2", "discard B12"], -101),
        (
            MELDS, "R10 R9 Y10 K10",
            ["lay R10 > 1", "lay R9 > 1", "lay Y10 > 2", "lay K10 > 3", "discard B12"], -101,
        ),
        (MELDS, "B10 * R10 Y9", ["meld B10 *B11 B12", "lay R10 > 1", "discard Y9"], -101),
        (MELDS, "R9 *", ["lay *R10 > 1", "lay R9 > 1", "discard B12"], -101),
        (SETS, "B7", ["lay B7 > 4", "discard B12"], -101),
        ("", f"{HAND} K7", [OPENING, "discard K7"], -101),
        ("", f"{HAND} K10 K9 Y7", [OPENING, "lay K10 > 3", "lay K9 > 3", "discard Y7"], -101),
        (
            "", "B12 R1 R1 Y1 Y1 R2 R2 Y2 Y2 K10 Y7",
            ["meld B12 B12 / R1 R1 / Y1 Y1 / R2 R2 / Y2 Y2", "lay K10 > 3", "discard Y7"], -202,
        ),
    ],
)  # fmt: skip
def test_E4_if_everything_but_a_tile_goes_down(
    opened: str, hand: str, lines: list[str], score: int
) -> None:
    deal = play(offered("wiki", hand, opened=opened), "indicator", *lines)
    assert scores(deal)[0] == score


@pytest.mark.parametrize(
    ("opened", "hand", "changes"),
    [
        *((MELDS, hand, {}) for hand in ("Y9", "Y9 Y7", "B10 B9 Y9", "B10 B11 Y9 Y7", "B12 Y9")),
        # Unopened the threshold holds.
        ("", "B10 B11 K7", {}),
        ("", "B9 B10 B11 R7 Y7 K7 K10 K9 Y10 R10 Y8", {}),  # 101 with lay-offs, which don't count
        # The points are there, in a run that leaves four tiles over; and so is one pair too few.
        ("", "B9 B9 B10 B10 B11 B12 F F", {"open_points": 51}),
    ],
)
def test_E4_and_not_if_something_stays(opened: str, hand: str, changes: dict[str, Any]) -> None:
    deal = offered("wiki", hand, opened=opened, **changes)
    refuses(deal, "indicator", "indicator-no-finish", "E4")


def test_E4_the_steps_that_would_miss_the_finish_are_refused() -> None:
    deal = offered("wiki", "B10 B11 R10 Y9", opened=MELDS)
    deal = play(deal, "indicator")
    refuses(deal, "discard R10", "must-finish", "E4")
    deal = play(deal, "lay R10 > 1")
    refuses(deal, "discard Y9", "must-finish", "E4")
    assert scores(play(deal, "meld B10 B11 B12", "discard Y9"))[0] == -101


def test_E4_a_lay_off_that_breaks_the_finish_is_refused() -> None:
    # The red 10 is needed in the set of tens; on the red run it would leave two tiles over.
    deal = offered(
        "wiki", "R10 B10 Y10 K10 B11 Y9", opened="Y11 Y12 Y13 / K11 K12 K13 / R11 R12 R13"
    )
    deal = play(deal, "indicator")
    refuses(deal, "meld R10 Y10 B10 K10", "must-finish", "E4")
    assert scores(play(deal, "meld B10 B11 B12", "meld R10 Y10 K10", "discard Y9"))[0] == -101


def test_E4_a_short_opening_is_no_way_out() -> None:
    deal = play(offered("wiki", f"{HAND} K7"), "indicator", "meld R11 R12 R13")
    assert fines(deal)[-1] == (0, "P3", 101)
    refuses(deal, "discard K7", "must-finish", "E4")
    deal = play(deal, OPENING.replace(" B12", ""), "lay B12 > 4", "discard K7")
    assert scores(deal)[0] == -101 + 101


def test_E4_an_opening_that_misses_the_finish_is_refused() -> None:
    sets = "R11 Y11 K11 / R12 Y12 K12 B12 / R13 Y13 K13"
    deal = offered("wiki", f"{MELDS} B10 B11 K7")
    deal = play(deal, "indicator")
    refuses(deal, f"meld {sets}", "must-finish", "E4")
    assert scores(play(deal, f"meld {MELDS}", "meld B10 B11 B12", "discard K7"))[0] == -101


def test_E4_R8_in_a_riziko_deal_the_player_is_asked_in_vain() -> None:
    deal = table("wiki", ["R1 B3", "Y1 B5"], indicator="F", stock="B2")
    deal = play(deal, "discard B3", "draw", "discard B2")
    assert deal.phase is Phase.LAST_INDICATOR
    refuses(deal, "indicator", "indicator-blank", "R8")
    assert play(deal, "pass").over
