"""A deal from its seed, tile for tile as :mod:`okey101.game.dealing` deals it (D3 to D8).

Below it the numbers that deals come from, and those of random play.
"""

from __future__ import annotations

import numpy as np

from okey101.kernel import layout as L
from okey101.kernel.compiling import Row, Words, apart, compiled, inner
from okey101.kernel.groups import put_on_pile, rack_size
from okey101.tiles import FALSE_JOKER, OKEY

# SHA-256 of one block, the streams of numbers that deals come from, and a fast generator of play.
#
# Seeds and digests are eight 32-bit words, most significant byte first, in 64-bit integers. What
# comes out is what :mod:`okey101.game.dealing` documents.

_DEAL_LABEL = b"okey101 deal 1"
_MATCH_LABEL = b"okey101 match 1"
_DEAL_WORDS = tuple(
    int.from_bytes((_DEAL_LABEL + bytes(16))[at : at + 4], "big") for at in range(0, 16, 4)
)
_MATCH_WORDS = tuple(
    int.from_bytes((_MATCH_LABEL + bytes(16))[at : at + 4], "big") for at in range(0, 16, 4)
)

_K = np.array(
    [
        0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4,
        0xAB1C5ED5, 0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE,
        0x9BDC06A7, 0xC19BF174, 0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F,
        0x4A7484AA, 0x5CB0A9DC, 0x76F988DA, 0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7,
        0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967, 0x27B70A85, 0x2E1B2138, 0x4D2C6DFC,
        0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85, 0xA2BFE8A1, 0xA81A664B,
        0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070, 0x19A4C116,
        0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
        0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7,
        0xC67178F2,
    ],
    dtype=np.uint32,
)  # fmt: skip
_H = np.array(
    [
        0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB,
        0x5BE0CD19,
    ],
    dtype=np.uint32,
)  # fmt: skip


@inner
def _turned(word: np.uint32, places: int) -> np.uint32:
    """A word turned right."""
    return np.uint32((word >> np.uint32(places)) | (word << np.uint32(32 - places)))


@apart
def sha256_block(words: Words, out: Row) -> None:
    """SHA-256 of a message of one padded block; ``words`` is uint32[64], of it the first 16 given.

    The digest goes to ``out``, int64[8].
    """
    for i in range(16, 64):
        x, y = words[i - 15], words[i - 2]
        s0 = _turned(x, 7) ^ _turned(x, 18) ^ (x >> np.uint32(3))
        s1 = _turned(y, 17) ^ _turned(y, 19) ^ (y >> np.uint32(10))
        words[i] = np.uint32(words[i - 16] + s0 + words[i - 7] + s1)
    a, b, c, d = _H[0], _H[1], _H[2], _H[3]
    e, f, g, h = _H[4], _H[5], _H[6], _H[7]
    for i in range(64):
        s1 = _turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)
        t1 = np.uint32(h + s1 + ((e & f) ^ (~e & g)) + _K[i] + words[i])
        s0 = _turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)
        t2 = np.uint32(s0 + ((a & b) ^ (a & c) ^ (b & c)))
        h, g, f = g, f, e
        e = np.uint32(d + t1)
        d, c, b = c, b, a
        a = np.uint32(t1 + t2)
    out[0] = np.uint32(_H[0] + a)
    out[1] = np.uint32(_H[1] + b)
    out[2] = np.uint32(_H[2] + c)
    out[3] = np.uint32(_H[3] + d)
    out[4] = np.uint32(_H[4] + e)
    out[5] = np.uint32(_H[5] + f)
    out[6] = np.uint32(_H[6] + g)
    out[7] = np.uint32(_H[7] + h)


@inner
def start_stream(seed: Row, words: Words) -> None:
    """Prepare ``words``, uint32[64], for the blocks of the stream that a deal comes from."""
    for i in range(8):
        words[i] = np.uint32(seed[i])
    words[8] = np.uint32(_DEAL_WORDS[0])
    words[9] = np.uint32(_DEAL_WORDS[1])
    words[10] = np.uint32(_DEAL_WORDS[2])
    words[11] = np.uint32(_DEAL_WORDS[3])
    words[12] = np.uint32(0)
    words[14] = np.uint32(0)
    words[15] = np.uint32(8 * 54)


@inner
def stream_block(block: int, words: Words, out: Row) -> None:
    """Block ``block``, below 65,536, of the stream that ``words`` were prepared for."""
    words[13] = np.uint32(block << 16 | 0x8000)
    sha256_block(words, out)


@apart
def deal_seed(root: Row, number: int, words: Words, out: Row) -> None:
    """The seed of one deal of a match, as :func:`okey101.game.dealing.match_seed` has it."""
    for i in range(8):
        words[i] = np.uint32(root[i])
    words[8] = np.uint32(_MATCH_WORDS[0])
    words[9] = np.uint32(_MATCH_WORDS[1])
    words[10] = np.uint32(_MATCH_WORDS[2])
    words[11] = np.uint32(_MATCH_WORDS[3] | number >> 56 & 255)
    words[12] = np.uint32(number >> 24 & 0xFFFFFFFF)
    words[13] = np.uint32((number & 0xFFFFFF) << 8 | 0x80)
    words[14] = np.uint32(0)
    words[15] = np.uint32(8 * 55)
    sha256_block(words, out)


@inner
def generator(seed: int, number: int) -> int:
    """The state of the fast generator for one deal; the same for the same two numbers."""
    mixed = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number)
    return np.int64(_mixed(_mixed(mixed)))  # type: ignore[return-value]


@inner
def _mixed(x: np.uint64) -> np.uint64:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inner
def next_below(state: Row, place: int, n: int) -> int:
    """A number from 0 to ``n - 1`` from the generator (SplitMix64) whose state lies at a place.

    ``n`` is below 2**31; no number is likelier than another by more than ``n`` in 2**32.
    """
    x = np.uint64(state[place]) + np.uint64(0x9E3779B97F4A7C15)
    state[place] = np.int64(x)
    return np.int64((_mixed(x) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))  # type: ignore[return-value]


_TILES = 106
_STACKS = 15


@compiled
def deal(row: Row, rules: Row, seed: Row, dealer: int) -> None:
    """Deal a table from a seed into a row, ready for its first action (D6).

    ``seed`` is int64[8], the seed's 32-bit words.
    """
    words = np.empty(64, dtype=np.uint32)
    block = np.empty(8, dtype=np.int64)
    tiles = np.empty(_TILES, dtype=np.int64)
    _deal(row, rules, seed, dealer, words, block, tiles)


@apart
def _deal(
    row: Row, rules: Row, seed: Row, dealer: int, words: Words, block: Row, tiles: Row
) -> None:
    start_stream(seed, words)
    blocks, used = 0, 8
    for i in range(_TILES):
        tiles[i] = i >> 1
    for i in range(_TILES - 1, 0, -1):
        limit = (1 << 32) - (1 << 32) % (i + 1)
        while True:
            if used == 8:
                stream_block(blocks, words, block)
                blocks, used = blocks + 1, 0
            word = block[used]
            used += 1
            if word < limit:
                break
        j = word % (i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    throws, dice = 0, 0
    stack, thrown = 0, 0
    limit = (1 << 32) - (1 << 32) % 6
    while True:
        if used == 8:
            stream_block(blocks, words, block)
            blocks, used = blocks + 1, 0
        word = block[used]
        used += 1
        if word >= limit:
            continue
        thrown = word % 6
        if throws < L.MAX_THROWS:  # one more is thrown once in 10**16 deals
            dice |= thrown + 1 << 5 + 3 * throws
            throws += 1
        if throws == 1:
            stack = thrown
        elif tiles[7 * stack + thrown] != FALSE_JOKER or rules[L.R_FALSE_JOKER_INDICATOR] == 1:
            break
    _hand_out(row, rules, tiles, stack, 7 * stack + thrown, dealer)
    row[L.DICE] = dice | throws


@compiled
def begin(row: Row, rules: Row, dealer: int, indicator: int) -> None:
    """Empty a row for a deal whose hands and stock come next."""
    _begin(row, rules, dealer, indicator)


@inner
def _begin(row: Row, rules: Row, dealer: int, indicator: int) -> None:
    row[:] = 0
    players = rules[L.R_PLAYERS]
    row[L.PLAYERS] = players
    row[L.DEALER] = dealer
    starter = dealer if rules[L.R_STARTER] == 0 else (dealer + 1) % players
    row[L.STARTER] = starter
    row[L.TURN] = starter
    row[L.INDICATOR] = indicator
    okey = -1
    if indicator != FALSE_JOKER:
        okey = indicator + 1 if indicator % 13 != 12 else indicator - 12
    row[L.OKEY_KIND] = okey
    row[L.PHASE] = L.P_PLAY
    row[L.TAKEN] = L.NO_TILE
    row[L.DRAWN] = L.NO_TILE
    row[L.ANNOUNCED] = -1
    row[L.WINNER] = -1


@inner
def _hand_out(row: Row, rules: Row, tiles: Row, stack: int, shown: int, dealer: int) -> None:
    """Give the stacks round from the one after the chosen (D6); the rest is the stock."""
    indicator = tiles[shown]
    _begin(row, rules, dealer, indicator)
    okey = row[L.OKEY_KIND]
    wild = FALSE_JOKER if okey < 0 else okey
    players = rules[L.R_PLAYERS]
    starter = row[L.STARTER]
    place = 0
    for turn in range(1, _STACKS + 1):
        chosen = (stack + turn) % _STACKS
        seat = (dealer + 1 + (turn - 1) % players) % players
        top = 7 * chosen + 7  # one above the stack's highest tile
        if turn <= 3 * players:
            for at in range(7 * chosen, top):
                _receive(row, seat, OKEY if tiles[at] == wild else tiles[at])
            continue
        extra = 1 if chosen == stack else 0
        for at in range(top + extra - 1, 7 * chosen - 1, -1):
            where = _TILES - 1 if at == top else at  # the left-over tile lies on the chosen stack
            if where == shown:
                continue
            tile = OKEY if tiles[where] == wild else tiles[where]
            if turn == 3 * players + 1 and at == top + extra - 1:
                _receive(row, starter, tile)
            else:
                put_on_pile(row, L.STOCK, place, tile)
                place += 1
    row[L.STOCK_LEN] = place
    row[L.STOCK_COUNT] = place
    for seat in range(players):
        row[L.SIZES + seat] = rack_size(row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1])


@inner
def _receive(row: Row, seat: int, tile: int) -> None:
    at = L.HANDS + 2 * seat
    row[at + 1] |= row[at] & 1 << tile
    row[at] |= 1 << tile
