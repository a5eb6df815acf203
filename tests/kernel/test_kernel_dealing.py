"""The kernel deals tile for tile what the game deals (D3 to D8)."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from conftest import Size
from kernel.kernel_states import called
from okey101.game import PRESETS
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.kernel import layout as at
from okey101.kernel import piles, randomness
from okey101.kernel.dealing import deal
from okey101.kernel.exporting import bits_of_masks, seed_words
from okey101.kernel.rules import rules_vector

pile_tile, deal_seed = called(piles.pile_tile), called(randomness.deal_seed)
generator, next_below = called(randomness.generator), called(randomness.next_below)
sha256_block = called(randomness.sha256_block)

ROOT = seed_of("kernel")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_d3_to_d8_the_same_tiles_from_the_same_seed(preset: str, players: int, size: Size) -> None:
    rules = PRESETS[preset].with_(players=players)
    vector = rules_vector(rules)
    row = np.zeros(at.SIZE, dtype=np.int64)
    words, seed = np.zeros(64, dtype=np.uint32), np.zeros(8, dtype=np.int64)
    rethrown = riziko = 0
    for number in range(size(5, long=5_000)):
        deal_seed(seed_words(ROOT), number, words, seed)
        assert seed.tolist() == seed_words(match_seed(ROOT, number)).tolist()
        dealt = deal_from_seed(rules, match_seed(ROOT, number), number % players)
        deal(row, vector, seed, number % players)
        hands = tuple(
            bits_of_masks(int(row[at.HANDS + 2 * s]), int(row[at.HANDS + 2 * s + 1]))
            for s in range(players)
        )
        stock = tuple(int(pile_tile(row, at.STOCK, i)) for i in range(row[at.STOCK_LEN]))
        dice = tuple(int(row[at.DICE]) >> 5 + 3 * i & 7 for i in range(row[at.DICE] & 31))
        okey = None if row[at.OKEY_KIND] < 0 else int(row[at.OKEY_KIND])
        assert (hands, stock, dice, okey) == (dealt.hands, dealt.stock, dealt.dice, dealt.okey)
        assert (row[at.DEALER], row[at.STARTER]) == (dealt.dealer, dealt.starter)
        assert row[at.INDICATOR] == dealt.indicator
        assert row[at.STOCK_COUNT] == len(stock)
        rethrown += len(dice) > 2
        riziko += okey is None
    assert riziko > 0 if preset == "wiki" else rethrown > 0


def test_large_numbers_of_deals_have_their_seeds() -> None:
    words, seed = np.zeros(64, dtype=np.uint32), np.zeros(8, dtype=np.int64)
    for number in (2**24 - 1, 2**24, 2**32 + 5, 2**62 + 12345):
        deal_seed(seed_words(ROOT), number, words, seed)
        assert seed.tolist() == seed_words(match_seed(ROOT, number)).tolist()


def test_sha_256_of_one_block() -> None:
    for message in (b"", b"abc", bytes(range(55))):
        padded = (
            message + b"\x80" + bytes(55 - len(message)) + (8 * len(message)).to_bytes(8, "big")
        )
        words = np.zeros(64, dtype=np.uint32)
        words[:16] = np.frombuffer(padded, dtype=">u4")
        out = np.zeros(8, dtype=np.int64)
        sha256_block(words, out)
        assert b"".join(int(w).to_bytes(4, "big") for w in out) == hashlib.sha256(message).digest()


def test_the_fast_generator_repeats_itself_and_leaves_no_number_out() -> None:
    state = np.zeros(1, dtype=np.int64)
    state[0] = generator(3, 8)
    drawn = [int(next_below(state, 0, 5)) for _ in range(2_000)]
    state[0] = generator(3, 8)
    assert drawn == [int(next_below(state, 0, 5)) for _ in range(2_000)]
    assert {drawn.count(n) // 100 for n in range(5)} <= {3, 4}
    assert generator(3, 9) != generator(3, 8) != generator(4, 8)
