"""Section 1: the tiles, and what a player may know of them."""

import pytest

from okey101.errors import NotationError, OkeyError
from okey101.game import view_of
from okey101.tiles import Rack, Tile
from rules.table import MELDS, play, table


def test_T1_four_colours_of_thirteen_and_two_false_jokers() -> None:
    numbered = [t for t in Tile if t < Tile.F]
    assert len(numbered) == 52
    assert {(t.colour.name, t.number) for t in numbered} == {
        (c, n) for c in ("RED", "YELLOW", "BLUE", "BLACK") for n in range(1, 14)
    }


def test_T1_a_third_copy_is_refused() -> None:
    with pytest.raises(NotationError, match="more than two tiles R7"):
        Rack.parse("R7 R7 R7")
    with pytest.raises(OkeyError, match="not 3 tiles R7"):
        table("altinstar", ["R7 R7", "R7"])


def test_T1_the_indicator_is_one_of_the_106() -> None:
    with pytest.raises(OkeyError, match="not 2 tiles B12"):
        table("altinstar", ["B12 B12", "R7"])
    with pytest.raises(OkeyError, match=r"not 3 tiles \*"):
        table("altinstar", ["B13 *", "R7 *"])


def test_T2_a_spectator_sees_no_hand_and_a_player_only_his_own() -> None:
    deal = table("altinstar", [f"{MELDS} B3 B5", "Y9 B7", "Y7 B9"], stock="B2 B4 B6")
    deal = play(deal, f"0: meld {MELDS}", "0: discard B3", "1: draw")
    assert view_of(deal, None).hand is None
    assert "hand" not in view_of(deal, None).to_dict()
    seen = view_of(deal, 2).to_dict()
    assert seen["hand"] == "Y7 B9"
    assert "drawn" in seen
    assert seen["drawn"] is None
    assert view_of(deal, 1).to_dict()["drawn"] == "B2"


def test_T2_the_tile_another_seat_drew_is_not_in_its_action() -> None:
    deal = play(table("altinstar", ["B3 B5", "Y9"], stock="B2 B4"), "discard B3", "draw")
    assert [str(a) for _, a in deal.public.actions] == ["discard B3", "draw"]


def test_T2_a_taken_discard_is_known_and_stays_known_until_used() -> None:
    deal = table("altinstar", ["B3 B5", "Y9", "Y7"], stock="B2 B4 B6")
    deal = play(deal, "discard B3", "take")
    assert str(Rack.from_bits(deal.public.known[1])) == "B3"
    deal = play(deal, "return")
    assert deal.public.known[1] == 0
