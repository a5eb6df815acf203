"""A deal from its seed, tile for tile as :mod:`okey101.game.dealing` deals it (D3 to D8)."""

from __future__ import annotations

import numpy as np

from okey101.kernel.compiling import Row, Words, apart, compiled, inner
from okey101.kernel.groups import rack_size
from okey101.kernel.layout import (
    ANNOUNCED,
    DEALER,
    DICE,
    DRAWN,
    HANDS,
    INDICATOR,
    MAX_THROWS,
    NO_TILE,
    OKEY_KIND,
    P_PLAY,
    PHASE,
    PLAYERS,
    R_FALSE_JOKER_INDICATOR,
    R_PLAYERS,
    R_STARTER,
    SIZES,
    STARTER,
    STOCK,
    STOCK_COUNT,
    STOCK_LEN,
    TAKEN,
    TURN,
    WINNER,
)
from okey101.kernel.piles import put_on_pile
from okey101.kernel.randomness import start_stream, stream_block
from okey101.tiles import FALSE_JOKER, OKEY

__all__ = ["begin", "deal"]

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
        if throws < MAX_THROWS:  # one more is thrown once in 10**16 deals
            dice |= thrown + 1 << 5 + 3 * throws
            throws += 1
        if throws == 1:
            stack = thrown
        elif tiles[7 * stack + thrown] != FALSE_JOKER or rules[R_FALSE_JOKER_INDICATOR] == 1:
            break
    _hand_out(row, rules, tiles, stack, 7 * stack + thrown, dealer)
    row[DICE] = dice | throws


@compiled
def begin(row: Row, rules: Row, dealer: int, indicator: int) -> None:
    """Empty a row for a deal whose hands and stock come next."""
    _begin(row, rules, dealer, indicator)


@inner
def _begin(row: Row, rules: Row, dealer: int, indicator: int) -> None:
    row[:] = 0
    players = rules[R_PLAYERS]
    row[PLAYERS] = players
    row[DEALER] = dealer
    starter = dealer if rules[R_STARTER] == 0 else (dealer + 1) % players
    row[STARTER] = starter
    row[TURN] = starter
    row[INDICATOR] = indicator
    okey = -1
    if indicator != FALSE_JOKER:
        okey = indicator + 1 if indicator % 13 != 12 else indicator - 12
    row[OKEY_KIND] = okey
    row[PHASE] = P_PLAY
    row[TAKEN] = NO_TILE
    row[DRAWN] = NO_TILE
    row[ANNOUNCED] = -1
    row[WINNER] = -1


@inner
def _hand_out(row: Row, rules: Row, tiles: Row, stack: int, shown: int, dealer: int) -> None:
    """Give the stacks round from the one after the chosen (D6); the rest is the stock."""
    indicator = tiles[shown]
    _begin(row, rules, dealer, indicator)
    okey = row[OKEY_KIND]
    wild = FALSE_JOKER if okey < 0 else okey
    players = rules[R_PLAYERS]
    starter = row[STARTER]
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
                put_on_pile(row, STOCK, place, tile)
                place += 1
    row[STOCK_LEN] = place
    row[STOCK_COUNT] = place
    for seat in range(players):
        row[SIZES + seat] = rack_size(row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1])


@inner
def _receive(row: Row, seat: int, tile: int) -> None:
    at = HANDS + 2 * seat
    row[at + 1] |= row[at] & 1 << tile
    row[at] |= 1 << tile
