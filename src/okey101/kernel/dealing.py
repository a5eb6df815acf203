"""A deal from its seed, tile for tile as :mod:`okey101.game.dealing` deals it (D3 to D8).

Below it the numbers that deals come from, and those of random play.
"""

from __future__ import annotations

import numpy as np

from okey101.kernel import layout as L
from okey101.kernel.compiling import Row, Words, adopt, apart, compiled
from okey101.kernel.groups import put_on_pile, rack_size
from okey101.tiles import FALSE_JOKER, OKEY

# SHA-256 of one block, the streams of numbers that deals come from, and a fast generator of play.
#
# Seeds and digests are eight 32-bit words, most significant byte first, in 64-bit integers. What
# comes out is what :mod:`okey101.game.dealing` documents.


def _tail(label: bytes, size: int) -> Words:
    """What stands behind a seed of 32 bytes in a block: a label, a number and the size in all."""
    text = label.ljust(30, b"\0") + (8 * size).to_bytes(2, "big")
    return np.frombuffer(text, dtype=">u4").astype(np.uint32)


_DEAL: Words = _tail(b"okey101 deal 1", 54)
_MATCH: Words = _tail(b"okey101 match 1", 55)

# The first bits of the roots of the first primes, square and cubic.
_PRIMES = [n for n in range(2, 312) if all(n % d for d in range(2, n))]
_H = np.array([int(p ** (1 / 2) % 1 * 2**32) for p in _PRIMES[:8]], dtype=np.uint32)
_K = np.array([int(p ** (1 / 3) % 1 * 2**32) for p in _PRIMES], dtype=np.uint32)


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
    for i, part in enumerate((a, b, c, d, e, f, g, h)):
        out[i] = np.uint32(_H[i] + part)


def stream_word(number: int, words: Words, block: Row) -> int:
    """A word of the stream that begins with these ``words``, uint32[64]; asked for in turn, from 0.

    ``block`` is int64[8], where eight of them wait; there are 8 * 65,536.
    """
    if number % 8 == 0:
        words[13] = np.uint32(number >> 3 << 16 | 0x8000)
        sha256_block(words, block)
    word: int = block[number % 8]
    return word


@apart
def deal_seed(root: Row, number: int, words: Words, out: Row) -> None:
    """The seed of one deal of a match, as :func:`okey101.game.dealing.match_seed` has it."""
    for i in range(8):
        words[i], words[8 + i] = np.uint32(root[i]), _MATCH[i]
    words[11] = np.uint32(_MATCH[3] | number >> 56 & 255)
    words[12] = np.uint32(number >> 24 & 0xFFFFFFFF)
    words[13] = np.uint32((number & 0xFFFFFF) << 8 | 0x80)
    sha256_block(words, out)


def generator(seed: int, number: int) -> int:
    """The state of the fast generator for one deal; the same for the same two numbers."""
    mixed = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number)
    return np.int64(_mixed(_mixed(mixed)))  # type: ignore[return-value]


def _mixed(x: np.uint64) -> np.uint64:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


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
    for i in range(8):
        words[i], words[8 + i] = np.uint32(seed[i]), _DEAL[i]
    for i in range(_TILES):
        tiles[i] = i >> 1
    used = 0
    for i in range(_TILES - 1, 0, -1):
        limit = (1 << 32) - (1 << 32) % (i + 1)
        word = limit
        while word >= limit:
            word, used = stream_word(used, words, block), used + 1
        j = word % (i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    throws, dice = 0, 0
    stack, thrown = 0, 0
    limit = (1 << 32) - (1 << 32) % 6
    while True:
        word, used = stream_word(used, words, block), used + 1
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


def _hand_out(row: Row, rules: Row, tiles: Row, stack: int, shown: int, dealer: int) -> None:
    """Give the stacks round from the one after the chosen (D6); the rest is the stock."""
    for at in range(L.SIZE):
        row[at] = 0
    players, indicator = rules[L.R_PLAYERS], tiles[shown]
    starter = dealer if rules[L.R_STARTER] == 0 else (dealer + 1) % players
    wild = FALSE_JOKER
    if indicator != FALSE_JOKER:
        wild = indicator + 1 if indicator % 13 != 12 else indicator - 12
    row[L.PLAYERS], row[L.DEALER], row[L.INDICATOR] = players, dealer, indicator
    row[L.STARTER] = row[L.TURN] = starter
    row[L.OKEY_KIND] = -1 if wild == FALSE_JOKER else wild
    row[L.PHASE] = L.P_PLAY
    row[L.TAKEN] = row[L.DRAWN] = L.NO_TILE
    row[L.ANNOUNCED] = row[L.WINNER] = -1
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
    row[L.STOCK_LEN] = row[L.STOCK_COUNT] = place
    for seat in range(players):
        row[L.SIZES + seat] = rack_size(row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1])


def _receive(row: Row, seat: int, tile: int) -> None:
    at = L.HANDS + 2 * seat
    row[at + 1] |= row[at] & 1 << tile
    row[at] |= 1 << tile


adopt(__name__)
