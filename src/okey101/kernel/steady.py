"""What the bot ``steady`` counts over draws that may come, compiled.

The draws are those of the readable bot, as Python's own generator gives them: so the choices are
the same. All is reckoned in whole numbers.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.compiling import Row, Rows, compiled, inner
from okey101.kernel.groups import count_pairs, minus, plus
from okey101.kernel.solver import Tables, reaches_points
from okey101.tiles import KINDS, OKEY

_FINISHED = -101
_NUMBERS = 13
_RUN = 3


# Python's generator is MT19937: 624 words, of which so many have been given out.
_WORDS = 624
_AHEAD = 397
_UPPER = 0x80000000
_LOWER = 0x7FFFFFFF
_TWIST = 0x9908B0DF
_WORD = 0xFFFFFFFF
_FEW = 21
"""``random.sample`` draws from a list of so many with the drawn ones taken out; from a longer one
it draws again what it has already."""
_FEW_OF_SIX = 85
"""The same for samples of six to 21."""


@inner
def _next_word(state: Row) -> int:
    """The next 32 bits; ``state`` is int64[625], the generator's words and how many are used."""
    if state[_WORDS] >= _WORDS:
        for i in range(_WORDS):
            mixed = (state[i] & _UPPER) | (state[(i + 1) % _WORDS] & _LOWER)
            word = state[(i + _AHEAD) % _WORDS] ^ mixed >> 1
            state[i] = word ^ _TWIST if mixed & 1 else word
        state[_WORDS] = 0
    word = state[state[_WORDS]]
    state[_WORDS] += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return (word ^ word >> 18) & _WORD  # type: ignore[no-any-return]


@inner
def _below(state: Row, limit: int) -> int:
    """``Random.randrange(limit)``."""
    bits = 0
    while limit >> bits:
        bits += 1
    found = _next_word(state) >> 32 - bits
    while found >= limit:
        found = _next_word(state) >> 32 - bits
    return found


@compiled
def draw_futures(state: Row, tiles: Row, pool: Row, futures: Rows) -> None:
    """Fill each future as ``Random.sample(tiles, draws)`` would, one after the other.

    ``state`` is what ``Random.getstate`` tells, int64[625], and is drawn from; ``pool`` has the
    size of ``tiles``. There are 1 to 21 draws.
    """
    draws, many = futures.shape[1], tiles.shape[0]
    few = many <= (_FEW_OF_SIX if draws > 5 else _FEW)
    for f in range(futures.shape[0]):
        for i in range(many):
            pool[i] = tiles[i] if few else 0
        for i in range(draws):
            if few:
                chosen = _below(state, many - i)
                futures[f, i] = pool[chosen]
                pool[chosen] = pool[many - i - 1]
            else:
                chosen = _below(state, many)
                while pool[chosen]:
                    chosen = _below(state, many)
                pool[chosen] = 1
                futures[f, i] = tiles[chosen]


@inner
def _gain(
    tables: Tables, one: int, two: int, okey: int, future: Row, draws: int, need: Row, worth: Row
) -> int:
    """What draws are worth to a hand: the opening they allow, and how soon."""
    all_one, all_two = one, two
    for place in range(draws):
        all_one, all_two = plus(all_one, all_two, 1 << future[place], 0)
    if reaches_points(tables, all_one, all_two, okey, need[0]):
        turn = draws
        while turn > 1:
            all_one, all_two = minus(all_one, all_two, 1 << future[turn - 1], 0)
            if not reaches_points(tables, all_one, all_two, okey, need[0]):
                break
            turn -= 1
        return worth[0] - worth[2] * (turn - 1)  # type: ignore[no-any-return]
    if count_pairs(all_one, all_two, okey) >= need[1]:
        return worth[1] - worth[2] * (draws - 1)  # type: ignore[no-any-return]
    return 0


@compiled
def opening_gains(
    tables: Tables,
    hand: Row,
    okey: int,
    discards: Row,
    futures: Rows,
    need: Row,
    worth: Row,
    gains: Rows,
) -> None:
    """For each future what it is worth to the hand without each discard, to ``gains[f, d]``.

    A discard below 0 is none: the whole hand is kept.
    ``hand`` are the two masks of a rack, ``futures`` the tiles drawn, int64[F, draws], one at
    least; ``need`` the points and the pairs that open, ``worth`` what an opening with melds and
    with pairs is worth and what it loses with each turn. Where the whole hand gains nothing no hand
    without a tile does.
    """
    draws = futures.shape[1]
    for f in range(futures.shape[0]):
        future = futures[f]
        gains[f, :] = 0
        if not _gain(tables, hand[0], hand[1], okey, future, draws, need, worth):
            continue
        for d in range(discards.shape[0]):
            one, two = hand[0], hand[1]
            if discards[d] >= 0:
                one, two = minus(one, two, 1 << discards[d], 0)
            gains[f, d] = _gain(tables, one, two, okey, future, draws, need, worth)


@inner
def _number(kind: int) -> int:
    return kind % _NUMBERS + 1 if kind < KINDS else 0


@inner
def _place(pool: Row, size: int, kind: int) -> int:
    """Where a kind comes first in a pool, -1 if it does not."""
    for place in range(size):
        if pool[place] == kind:
            return place
    return -1


@inner
def _drop(pool: Row, size: int, kind: int) -> int:
    """Take the first of a kind out of a pool, which keeps its order; returns the new size."""
    for at in range(_place(pool, size, kind), size - 1):
        pool[at] = pool[at + 1]
    return size - 1


@inner
def _pair_taken(pool: Row, size: int, a: int, b: int) -> int:
    """The size of a pool after two kinds left it, -1 where it has not both."""
    if _place(pool, size, a) < 0 or _place(pool, size, b) < 0:
        return -1
    size = _drop(pool, size, a)
    return _drop(pool, size, b)


@inner
def _melded(pool: Row, size: int, kind: int) -> int:
    """The size of a pool after the first two kinds left it that are a meld with this one, or -1."""
    if kind >= KINDS:
        return -1
    base = kind // _NUMBERS * _NUMBERS
    number = kind - base
    for a in range(number, KINDS, _NUMBERS):
        for b in range(a + _NUMBERS, KINDS, _NUMBERS):
            if kind not in (a, b):
                after = _pair_taken(pool, size, a, b)
                if after >= 0:
                    return after
    for low in range(max(0, number - 2), min(_NUMBERS - _RUN, number) + 1):
        a = base + low if low != number else base + low + 1
        b = base + low + 2 if low + 2 != number else base + low + 1
        after = _pair_taken(pool, size, a, b)
        if after >= 0:
            return after
    return -1


@inner
def _company(kind: int) -> int:
    """The kinds that are half a meld with this one, as a mask."""
    if kind >= KINDS:
        return 0
    base = kind // _NUMBERS * _NUMBERS
    number = kind - base
    found = 0
    for other in range(max(0, number - 2), min(_NUMBERS - 1, number + 2) + 1):
        found |= 1 << base + other
    for other in range(number, KINDS, _NUMBERS):
        found |= 1 << other
    return found & ~(1 << kind)


@inner
def _heaviest(pool: Row, size: int) -> int:
    """The first of the kinds that weigh most; one that stands alone weighs twice."""
    present = 0
    for place in range(size):
        present |= 1 << pool[place]
    worst, burden = 0, -1
    for place in range(size):
        kind = pool[place]
        heavy = _number(kind)
        if not _company(kind) & present:
            heavy *= 2
        if heavy > burden:
            worst, burden = kind, heavy
    return worst


@inner
def _play(pool: Row, size: int, future: Row, draws: int, playable: int, pairs: int) -> int:
    """Play on by a simple rule: lay what fits, throw the highest tile that stands alone."""
    for at in range(draws):
        kind = future[at]
        if kind == OKEY or playable >> kind & 1:
            pass
        elif pairs and _place(pool, size, kind) >= 0:
            size = _drop(pool, size, kind)
        else:
            melded = -1
            if not pairs:
                melded = _melded(pool, size, kind)
            if melded < 0:
                pool[size] = kind
                size += 1
            else:
                size = melded
        if size <= 1:
            return _FINISHED * (1 + pairs)
        size = _drop(pool, size, _heaviest(pool, size))
    total = 0
    for place in range(size):
        total += _number(pool[place])
    return total * (1 + pairs)


@compiled
def remains(
    hand: Row, discards: Row, futures: Rows, playable: int, pairs: bool, pool: Row, totals: Row
) -> None:
    """What an opened hand costs after each discard, added up over the futures, to ``totals``.

    Hand, discards and futures are kinds; ``pool`` has room for the hand and a tile more.
    """
    doubled = 1 if pairs else 0
    draws = futures.shape[1]
    for d in range(discards.shape[0]):
        totals[d] = 0
        for f in range(futures.shape[0]):
            for place in range(hand.shape[0]):
                pool[place] = hand[place]
            size = _drop(pool, hand.shape[0], discards[d])
            totals[d] += _play(pool, size, futures[f], draws, playable, doubled)
