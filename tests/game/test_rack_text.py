"""Racks in events are written by a table of texts; the rack's own text says what they should be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from okey101.game.rack_text import rack_text
from okey101.tiles import TILES, Rack, bits_of_tiles

EVERY = [tile for tile in TILES for _ in range(2)]


@given(st.lists(st.sampled_from(range(len(EVERY))), unique=True))
def test_the_text_of_a_rack(places: list[int]) -> None:
    bits = bits_of_tiles([EVERY[place] for place in places])
    assert rack_text(bits) == str(Rack.from_bits(bits))


def test_the_text_of_all_tiles() -> None:
    bits = bits_of_tiles(EVERY)
    assert rack_text(bits) == str(Rack.from_bits(bits))
    assert rack_text(0) == ""
