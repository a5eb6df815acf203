"""Racks as two masks, groups as words, piles of tiles: what they hold, become, need and cost."""

from __future__ import annotations

from okey101.kernel import layout as L
from okey101.kernel.plain import Row, each, first_bit, popcount
from okey101.tiles import FALSE_JOKER, KINDS, OKEY

_NATURAL = (1 << KINDS) - 1
ONES = 1 | 1 << 13 | 1 << 26 | 1 << 39
_BIT_0 = sum(1 << n - 1 for n in range(1, 14) if n & 1) * ONES
_BIT_1 = sum(1 << n - 1 for n in range(1, 14) if n & 2) * ONES
_BIT_2 = sum(1 << n - 1 for n in range(1, 14) if n & 4) * ONES
_BIT_3 = sum(1 << n - 1 for n in range(1, 14) if n & 8) * ONES


def copy_row(row: Row, out: Row) -> None:
    """Write a row over another, word by word: Numba takes seconds to compile ``out[:] = row``."""
    for at in range(len(row)):
        out[at] = row[at]


def copies(one: int, two: int, tile: int) -> int:
    """How many copies of a tile a rack holds: 0, 1 or 2."""
    return (one >> tile & 1) + (two >> tile & 1)


def rack_size(one: int, two: int) -> int:
    """How many tiles a rack holds."""
    return popcount(one) + popcount(two)


def plus(one: int, two: int, more_one: int, more_two: int) -> tuple[int, int]:
    """The tiles of two racks together; a third copy is lost."""
    return one | more_one, two | more_two | (one & more_one)


def minus(one: int, two: int, less_one: int, less_two: int) -> tuple[int, int]:
    """A rack without the tiles of another; what it does not hold is not missed."""
    return (one & ~less_one) | (two & less_one & ~less_two), two & ~less_one


def natural(one: int, two: int, okey: int) -> tuple[int, int]:
    """The numbered tiles of a rack by kind, false jokers as the okey's kind (J2)."""
    if okey < 0:
        return one & _NATURAL, two & _NATURAL
    return (
        (one & _NATURAL) | (one >> FALSE_JOKER & 1) << okey,
        (two & _NATURAL) | (two >> FALSE_JOKER & 1) << okey,
    )


def kinds(one: int, two: int, okey: int) -> tuple[int, int, int]:
    """The same, and how many okeys the rack holds."""
    kinds_one, kinds_two = natural(one, two, okey)
    return kinds_one, kinds_two, copies(one, two, OKEY)


def hand(row: Row, seat: int) -> tuple[int, int]:
    """The rack of a seat."""
    return row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1]


def tiles_in(kinds: int, okey: int) -> int:
    """Kinds as tiles: the okey's kind is the false joker (J2)."""
    if okey >= 0 and kinds >> okey & 1:
        return (kinds ^ 1 << okey) | 1 << FALSE_JOKER
    return kinds


def tiles_of(one: int, two: int, okeys: int, okey: int) -> tuple[int, int]:
    """The rack of so many kinds and okeys; the inverse of :func:`natural`."""
    one, two = tiles_in(one, okey), tiles_in(two, okey)
    if okeys:
        one |= 1 << OKEY
    if okeys == 2:
        two |= 1 << OKEY
    return one, two


def kinds_of(colours: int, number: int) -> int:
    """The kinds of a number in some colours."""
    spread = (colours & 1) | (colours & 2) << 12 | (colours & 4) << 24 | (colours & 8) << 36
    return spread << number - 1


def colours_of(kinds: int, number: int) -> int:
    """The colours in which kinds have a number; the inverse of :func:`kinds_of`."""
    column = kinds >> number - 1
    return (column & 1) | (column >> 12 & 2) | (column >> 24 & 4) | (column >> 36 & 8)


def tile_kind(tile: int, okey: int) -> int:
    """The kind of a tile that is no okey, -1 for an okey."""
    if tile < KINDS:
        return tile
    return okey if tile == FALSE_JOKER else -1


def number_sum(kinds: int) -> int:
    """The sum of the numbers of a mask of kinds, each counted once."""
    return (
        popcount(kinds & _BIT_0)
        + 2 * popcount(kinds & _BIT_1)
        + 4 * popcount(kinds & _BIT_2)
        + 8 * popcount(kinds & _BIT_3)
    )


def rack_points(one: int, two: int, okey: int, okey_points: int) -> int:
    """The value of a rack left in a hand, each okey counting ``okey_points`` (section 8)."""
    kinds_one, kinds_two, okeys = kinds(one, two, okey)
    return number_sum(kinds_one) + number_sum(kinds_two) + okeys * okey_points


def count_pairs(one: int, two: int, okey: int) -> int:
    """The most pairs of a rack; okeys pair with single tiles, or with each other."""
    kinds_one, kinds_two, okeys = kinds(one, two, okey)
    singles = popcount(kinds_one & ~kinds_two)
    mixed = okeys if okeys < singles else singles
    return popcount(kinds_two) + mixed + (okeys - mixed) // 2


def run_word(colour: int, low: int, high: int, first: int, second: int) -> int:
    """A run's word; ``first`` and ``second`` are the numbers its okeys lie at, 0 for none."""
    if (first and second and first > second) or (second and not first):
        first, second = second, first
    return L.RUN | colour << 2 | low << 4 | high << 8 | first << 12 | second << 16


def run_with(colour: int, low: int, high: int, wild: int) -> int:
    """A run's word; the mask ``wild`` has the places from its lowest number at which okeys lie."""
    more = wild & (wild - 1)
    first, second = low + first_bit(wild) if wild else 0, low + first_bit(more) if more else 0
    return run_word(colour, low, high, first, second)


def set_word(number: int, tiles: int, named: int, free: int) -> int:
    """A set's word: masks of the colours of its tiles and of its named okeys, and free okeys."""
    if popcount(tiles) + popcount(named) + free == 4:
        named, free = 15 & ~tiles, 0
    return L.SET | number << 2 | tiles << 6 | named << 10 | free << 14


def pair_word(kind: int, okeys: int) -> int:
    """A pair's word; of two okeys without a colour ``kind`` is any of their number's."""
    return L.PAIR | kind << 2 | okeys << 8 | (1 << 10 if okeys == 2 else 0)


def odd_word(twin: int, tile: int) -> int:
    """The word of the indicator's twin paired with any tile (O6)."""
    return L.ODD | twin << 2 | tile << 8


def accepts(word: int) -> int:
    """Mask of the kinds that may be laid off on a group (M4)."""
    form = word & 3
    if form == L.RUN:
        base = (word >> 2 & 3) * 13
        low, high = word >> 4 & 15, word >> 8 & 15
        below = 1 << base + low - 2 if low > 1 else 0
        return below | 1 << base + high if high < 13 else below
    if form == L.SET:
        tiles, named, free = word >> 6 & 15, word >> 10 & 15, word >> 14 & 3
        if popcount(tiles) + popcount(named) + free == 4:
            return 0
        return kinds_of(15 & ~(tiles | named), word >> 2 & 15)
    return 0


def okeys_of(word: int) -> int:
    """How many okeys lie in a group."""
    form = word & 3
    if form == L.RUN:
        return (1 if word >> 12 & 15 else 0) + (1 if word >> 16 & 15 else 0)
    if form == L.SET:
        return popcount(word >> 10 & 15) + (word >> 14 & 3)
    return word >> 8 & 3 if form == L.PAIR else 0


def length(word: int) -> int:
    """How many tiles lie in a group."""
    form = word & 3
    if form == L.RUN:
        return (word >> 8 & 15) - (word >> 4 & 15) + 1
    if form == L.SET:
        return popcount(word >> 6 & 255) + (word >> 14 & 3)
    return 2


def meld_points(word: int) -> int:
    """What a set or run counts toward an opening, okeys as what they stand for (O1, J3)."""
    if word & 3 == L.RUN:
        low, high = word >> 4 & 15, word >> 8 & 15
        return (low + high) * (high - low + 1) // 2
    return (word >> 2 & 15) * length(word)


def points_of(words: Row, count: int) -> int:
    """What so many groups count, pairs included."""
    points = 0
    for place in range(count):
        word = words[place]
        if word & 3 == L.PAIR:
            points += 2 * ((word >> 2 & 63) % 13 + 1)
        else:
            points += meld_points(word & L.WORD)
    return points


def rack_of(word: int, okey: int) -> tuple[int, int]:
    """The tiles that lie in a group, as a rack."""
    form = word & 3
    one = two = 0
    if form == L.RUN:
        low, high = word >> 4 & 15, word >> 8 & 15
        numbers = (1 << high) - (1 << low - 1)
        numbers &= ~(1 << (word >> 12 & 15) >> 1 | 1 << (word >> 16 & 15) >> 1)
        one = numbers << (word >> 2 & 3) * 13
    elif form == L.SET:
        one = kinds_of(word >> 6 & 15, word >> 2 & 15)
    elif form == L.PAIR:
        natural_tiles = 2 - (word >> 8 & 3)
        one = 1 << (word >> 2 & 63) if natural_tiles else 0
        two = one if natural_tiles == 2 else 0
    else:
        return 1 << (word >> 2 & 63) | 1 << (word >> 8 & 63), 0
    return tiles_of(one, two, okeys_of(word), okey)


def extended(word: int, tile: int, as_kind: int, okey: int) -> int:
    """A run or set with one more tile, which it accepts; its owner stays.

    ``as_kind`` is the kind that an okey stands for in a run; in a set it has no colour (R6).
    """
    owner = word & ~L.WORD
    if word & 3 == L.RUN:
        kind = as_kind if tile == OKEY else tile_kind(tile, okey)
        number = kind % 13 + 1
        low, high = word >> 4 & 15, word >> 8 & 15
        first, second = word >> 12 & 15, word >> 16 & 15
        if tile == OKEY:
            first, second = (first, number) if first else (number, second)
        low, high = min(low, number), max(high, number)
        return owner | run_word(word >> 2 & 3, low, high, first, second)
    tiles, named, free = word >> 6 & 15, word >> 10 & 15, word >> 14 & 3
    if tile == OKEY:
        free += 1
    else:
        tiles |= 1 << tile_kind(tile, okey) // 13
    return owner | set_word(word >> 2 & 15, tiles, named, free)


def reclaimed(word: int, tile: int, okey: int) -> int:
    """A group after the real tile took an okey's place; -1 where that is in doubt (X2)."""
    kind = tile_kind(tile, okey)
    if kind < 0:
        return -1
    form, number, colour = word & 3, kind % 13 + 1, kind // 13
    if form == L.RUN:
        if colour != word >> 2 & 3:
            return -1
        if word >> 12 & 15 == number:
            return word & ~(255 << 12) | (word >> 16 & 15) << 12
        return word & ~(15 << 16) if word >> 16 & 15 == number else -1
    if form == L.SET:
        if number != word >> 2 & 15 or not word >> 10 + colour & 1:
            return -1
        return word & ~(1 << 10 + colour) | 1 << 6 + colour
    if form == L.PAIR and word >> 2 & 63 == kind and word >> 8 & 3 and not word >> 10 & 1:
        return word - (1 << 8)
    return -1


def settled(word: int, tile: int, okey: int) -> int:
    """A set after a tile was laid off that ends the doubt of its okeys; -1 for others (X2)."""
    if word & 3 != L.SET or not word >> 14 & 3:
        return -1
    kind = tile_kind(tile, okey)
    return extended(word, tile, 0, okey) if kind >= 0 and accepts(word) >> kind & 1 else -1


def shortened(word: int, left: int) -> int:
    """The first ``left`` pieces of a group, if they are a group of its form, else -1 (R2)."""
    if left < 3:
        return -1
    if word & 3 == L.RUN:
        low, first, second = word >> 4 & 15, word >> 12 & 15, word >> 16 & 15
        high = low + left - 1
        first, second = first if first <= high else 0, second if second <= high else 0
        return word & ~L.WORD | run_word(word >> 2 & 3, low, high, first, second)
    tiles = word >> 6 & 15
    if popcount(tiles) == 4:  # the last in the order of colours goes
        tiles &= 7
    return word & ~L.WORD | L.SET | (word >> 2 & 15) << 2 | tiles << 6 | (3 - popcount(tiles)) << 14


def piece_tile(word: int, place: int, okey: int) -> int:
    """The tile that lies at a place of a group, in its normal order."""
    form, kind = word & 3, word >> 2 & 63
    if form == L.RUN:
        number = (word >> 4 & 15) + place
        if word >> 12 & 15 == number or word >> 16 & 15 == number:
            return OKEY
        kind = (word >> 2 & 3) * 13 + number - 1
    elif form == L.SET:
        colours = word >> 6 & 15
        for _ in range(place):
            colours &= colours - 1
        if not colours:
            return OKEY
        kind = first_bit(colours) * 13 + (word >> 2 & 15) - 1
    elif form == L.ODD:
        return word >> 2 + 6 * place & 63
    elif place + (word >> 8 & 3) >= 2:
        return OKEY
    return FALSE_JOKER if kind == okey else kind


def piece(word: int, place: int, okey: int) -> int:
    """A piece of a group as :mod:`okey101.melds` writes it, -1 beyond its end; no okey is free."""
    if place >= length(word):
        return -1
    tile = piece_tile(word, place, okey)
    if tile != OKEY:
        return tile
    if word & 3 == L.RUN:
        return 64 + (word >> 2 & 3) * 13 + (word >> 4 & 15) + place - 1
    if word & 3 == L.PAIR:
        return 64 + (word >> 2 & 63)
    place -= popcount(word >> 6 & 15)
    named = word >> 10 & 15
    for _ in range(place):
        named &= named - 1
    return 64 + first_bit(named) * 13 + (word >> 2 & 15) - 1


# What kinds can be in at all.

_COLOUR = (1 << 13) - 1
_RUN_STARTS = sum(0b0011111111111 << 13 * colour for colour in range(4))
"""The kinds at which a run of three can begin."""


def in_runs(kinds: int, okeys: int) -> int:
    """The kinds in some run of these kinds and okeys; more than those held."""
    up, far = kinds >> 1, kinds >> 2
    if okeys == 0:
        starts = kinds & up & far
    elif okeys == 1:
        starts = (kinds & up) | (kinds & far) | (up & far)
    else:
        starts = kinds | up | far
    starts &= _RUN_STARTS
    return starts | starts << 1 | starts << 2


def in_sets(kinds: int, okeys: int) -> int:
    """The numbers, as bits of a colour, that some set of these kinds and okeys can have."""
    a, b = kinds & _COLOUR, kinds >> 13 & _COLOUR
    c, d = kinds >> 26 & _COLOUR, kinds >> 39 & _COLOUR
    if okeys == 0:
        return (a & b & (c | d)) | (c & d & (a | b))
    if okeys == 1:
        return (a & b) | (c & d) | ((a | b) & (c | d))
    return a | b | c | d


def meldable(kinds: int, okeys: int) -> int:
    """The kinds that are in some set or run of these kinds and okeys; more than those held."""
    columns = in_sets(kinds, okeys)
    columns |= columns << 13
    return columns | columns << 26 | in_runs(kinds, okeys)


# Piles of tiles, packed eight to a word: the stock and the seats' discards.


def put_on_pile(row: Row, pile: int, place: int, tile: int) -> None:
    """Write a tile at a place of a pile, the stock's or a seat's, that begins at word ``pile``."""
    at = pile + (place >> 3)
    shift = (place & 7) << 3
    row[at] = row[at] & ~(127 << shift) | tile << shift


def pile_tile(row: Row, pile: int, place: int) -> int:
    """The tile at a place of a pile."""
    return row[pile + (place >> 3)] >> ((place & 7) << 3) & 127


def top_discard(row: Row, seat: int) -> int:
    """A seat's last discard; its pile is not empty."""
    return pile_tile(row, L.DISCARDS + L.PILE_WORDS * seat, row[L.PILES + seat] - 1)


def throw(row: Row, seat: int, tile: int) -> None:
    """Put a tile on a seat's pile."""
    put_on_pile(row, L.DISCARDS + L.PILE_WORDS * seat, row[L.PILES + seat], tile)
    row[L.PILES + seat] += 1


def previous(row: Row) -> int:
    """The seat that acted before the one whose turn it is (D2)."""
    seat = row[L.TURN]
    return seat - 1 if seat else row[L.PLAYERS] - 1


def following(row: Row) -> int:
    """The seat whose turn is the next."""
    seat = row[L.TURN] + 1
    return seat if seat < row[L.PLAYERS] else 0


# What the rules ask for now, of an opening and for a discard, and what they allow.


def needed_points(rules: Row, row: Row) -> int:
    """Points an opening with sets and runs needs now (O1, X1, X5)."""
    seat = row[L.TURN]
    if rules[L.R_PARTNER_OPENS] and row[L.OPENED + (seat ^ 2)]:
        return 1
    if rules[L.R_RISING] and row[L.HIGH_POINTS]:
        return max(rules[L.R_OPEN_POINTS], row[L.HIGH_POINTS] + 1)
    return rules[L.R_OPEN_POINTS]


def needed_pairs(rules: Row, row: Row) -> int:
    """Pairs an opening with pairs needs now (O2, X1, X5)."""
    seat = row[L.TURN]
    if rules[L.R_PARTNER_OPENS] and row[L.OPENED + (seat ^ 2)]:
        return 1
    if rules[L.R_RISING] and row[L.HIGH_PAIRS]:
        return max(rules[L.R_OPEN_PAIRS], min(7, row[L.HIGH_PAIRS] + 1))
    return rules[L.R_OPEN_PAIRS]


def discard_fine(rules: Row, row: Row, tile: int) -> int:
    """What discarding a tile costs, unless it is the last one: points, 0 for none (P1, P2)."""
    if tile == OKEY:
        return rules[L.R_OKEY_DISCARD_FINE]
    kind = row[L.OKEY_KIND] if tile == FALSE_JOKER else tile
    if kind < 0 or not row[L.PLAYABLE] >> kind & 1:
        return 0
    return rules[L.R_PLAYABLE_DISCARD_FINE]


def whole_opens(rules: Row, row: Row) -> int:
    """Whether the whole hand opens without a threshold: from hand alone (O4, R17)."""
    return 1 if rules[L.R_WHOLE_HAND_OPENS] and row[L.TAKEN] < 0 else 0


def twin_allowed(row: Row, one: int) -> int:
    """The indicator's twin, if it may stand in an odd pair of the opening, else -1 (O6)."""
    seat = row[L.TURN]
    if row[L.ANNOUNCED] != seat or row[L.OPENED + seat]:
        return -1
    return row[L.INDICATOR] if one >> row[L.INDICATOR] & 1 else -1


def may_lay_off(rules: Row, opened: int, opening: int) -> bool:
    """Whether a player who opened this way may lay off; ``opening``: in the same turn (X6)."""
    if opening and not rules[L.R_LAY_OFF_WHEN_OPENING]:
        return False
    return opened == L.MELDS or rules[L.R_PAIRS_LAY_OFF] == 0


def may_lay_pairs(rules: Row, row: Row, opened: int) -> bool:
    """Whether a player who opened this way may lay pairs now, after the opening (M5, X8)."""
    if opened == L.PAIRS:
        return True
    if not rules[L.R_MELDS_LAY_PAIRS]:
        return False
    for at in range(L.TABLE, L.TABLE + row[L.N_GROUPS]):
        if row[at] & 3 >= L.PAIR:
            return True
    return False


def taken_waits(row: Row) -> bool:
    """Whether a taken discard still has to be used (U2)."""
    taken = row[L.TAKEN]
    if taken < 0 or row[L.NEW_OPENING]:
        return False
    for at in range(L.PLACED, L.PLACED + row[L.N_PLACED]):
        if row[at] & 63 == taken:
            return False
    return True


def offered(rules: Row, row: Row) -> bool:
    """Whether the previous player's discard lies there and is not protected (U1, U6)."""
    seat = previous(row)
    if row[L.PILES + seat] == 0:
        return False
    return rules[L.R_PAIRS_DISCARD_PROTECTED] == 0 or row[L.OPENED + seat] != L.PAIRS


def may_return(rules: Row, row: Row) -> bool:
    """Whether the taken discard may be put back (U3, E2)."""
    return (
        row[L.TAKEN] >= 0
        and rules[L.R_RETURN_DISCARD] == 1
        and row[L.STOCK_COUNT] > 0
        and row[L.N_PLACED] == 0
        and row[L.NEW_OPENING] == 0
    )


def may_announce(rules: Row, row: Row) -> bool:
    """Whether the indicator's twin may be announced (O6, R9)."""
    if not rules[L.R_INDICATOR_PAIRS] or row[L.ANNOUNCED] >= 0 or row[L.OKEY_KIND] < 0:
        return False
    seat = row[L.TURN]
    if row[L.TURNS] >= row[L.PLAYERS] or row[L.OPENED + seat]:
        return False
    return row[L.HANDS + 2 * seat] >> row[L.INDICATOR] & 1 == 1


# What a hand can lay, in the order in which Options lists it: actions written behind ``n`` others.


def put(out: Row, n: int, action: int) -> int:
    """Write an action behind ``n`` others; how many they are then."""
    out[n] = action
    return n + 1


def runs(kinds: int, okeys: int, most: int, out: Row, n: int) -> int:
    """Every run of at most ``most`` tiles, with every way okeys can stand in it, depth first."""
    for colour in range(4):
        present = kinds >> 13 * colour & 0x1FFF
        if not okeys and not present & present >> 1 & present >> 2:
            continue
        for low in range(1, 12):
            n = _grown(colour, low, low - 1, 0, present, okeys, most, out, n)
    return n


def _grown(
    colour: int, low: int, high: int, wild: int, present: int, okeys: int, most: int, out: Row,
    n: int,
) -> int:  # fmt: skip
    """A run, if it is long enough, then those that it becomes: by a tile, by one of the okeys left.

    ``wild`` has the places from the lowest number at which okeys stand.
    """
    size = high - low + 1
    if size >= 3:
        n = put(out, n, L.A_MELD | run_with(colour, low, high, wild) << 4)
    if high == 13 or size == most:
        return n
    if present >> high & 1:
        n = _grown(colour, low, high + 1, wild, present, okeys, most, out, n)
    if okeys:
        n = _grown(colour, low, high + 1, wild | 1 << size, present, okeys - 1, most, out, n)
    return n


_CHOICES = (0, 0x8421, 0xCA6953, 0xEDB7, 0xF)
"""Masks of so many of four colours in the order of itertools.combinations, four bits each."""


def sets(kinds: int, okeys: int, most: int, out: Row, n: int) -> int:
    """Every set of at most ``most`` tiles, with every way okeys can stand in it (R6)."""
    for number in range(1, 14):
        held = colours_of(kinds, number)
        many = popcount(held)
        if many + okeys < 3 or not held:
            continue
        for naturals in range(3 - okeys if okeys < 2 else 1, many + 1):
            masks = _CHOICES[naturals]
            while masks:
                chosen = masks & 15
                masks >>= 4
                if chosen & ~held:
                    continue
                if naturals >= 4 - okeys and most >= 4:
                    n = put(out, n, L.A_MELD | set_word(number, chosen, 15 & ~chosen, 0) << 4)
                if 3 - okeys <= naturals <= 3:
                    n = _standing(number, chosen, 3 - naturals, out, n)
    return n


def _standing(number: int, tiles: int, okeys: int, out: Row, n: int) -> int:
    """A set of three with every way its okeys can stand: named colours, and open ones."""
    n = put(out, n, L.A_MELD | set_word(number, tiles, 0, okeys) << 4)
    for named in range(1, okeys + 1):
        masks = _CHOICES[named]
        while masks:
            colours = masks & 15
            masks >>= 4
            if not colours & tiles:
                n = put(out, n, L.A_MELD | set_word(number, tiles, colours, okeys - named) << 4)
    return n


def pairs(one: int, two: int, okeys: int, okey: int, out: Row, n: int) -> int:
    """Every pair; two okeys are listed once."""
    for kind in each(one):
        if two >> kind & 1:
            n = put(out, n, L.A_MELD | pair_word(kind, 0) << 4)
        if okeys:
            n = put(out, n, L.A_MELD | pair_word(kind, 1) << 4)
    if okeys == 2:
        n = put(out, n, L.A_MELD | pair_word(okey % 13 if okey >= 0 else 0, 2) << 4)
    return n


def lays(row: Row, one: int, okey: int, out: Row, n: int) -> int:
    """Every piece of the hand that fits a group of the table (O3, M4)."""
    okeys = one >> OKEY & 1
    joker = okey >= 0 and one >> FALSE_JOKER & 1 == 1
    for place in range(row[L.N_GROUPS]):
        word = row[L.TABLE + place]
        kinds = accepts(word)
        if not kinds:
            continue
        at = L.A_LAY | place << 10
        for tile in each(kinds & one):
            n = put(out, n, at | tile << 4)
        if joker and kinds >> okey & 1:
            n = put(out, n, at | FALSE_JOKER << 4)
        if okeys:
            at |= OKEY << 4
            if word & 3 == L.SET:
                n = put(out, n, at | ((word >> 2 & 15) - 1) << 16 | 1 << 22)
            else:
                for kind in each(kinds):
                    n = put(out, n, at | kind << 16)
    return n
