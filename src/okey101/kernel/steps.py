"""Playing an action on a row: the compiled twin of :mod:`okey101.game.transition`.

Nothing is judged here: the caller has the action from :mod:`okey101.kernel.legal`, or knows
otherwise that it is legal.
"""

from __future__ import annotations

from okey101.kernel.compiling import Row, apart, compiled, inner
from okey101.kernel.duties import accepted_kinds
from okey101.kernel.groups import (
    accepts,
    extended,
    length,
    meld_points,
    minus,
    piece_tile,
    plus,
    rack_of,
    rack_size,
    reclaimed,
    shortened,
)
from okey101.kernel.layout import (
    A_ANNOUNCE,
    A_BACK,
    A_DISCARD,
    A_DRAW,
    A_INDICATOR,
    A_LAY,
    A_PASS,
    A_RETURN,
    A_SWAP,
    A_TAKE,
    ANNOUNCED,
    BACKS,
    DRAWN,
    HANDS,
    HIGH_PAIRS,
    HIGH_POINTS,
    INDICATOR,
    KNOWN,
    MELDS,
    MUST_FINISH,
    N_ACTIONS,
    N_GROUPS,
    N_PLACED,
    NEW_OPENING,
    NO_TILE,
    OKEY_KIND,
    OPENED,
    OWNER_SHIFT,
    P_DRAW,
    P_LAST_DISCARD,
    P_LAST_INDICATOR,
    P_MUST_DRAW,
    P_PLAY,
    PAIR,
    PAIRS,
    PHASE,
    PLACED,
    PLAYABLE,
    PLAYERS,
    R_INDICATOR_IS_LAST_TILE,
    R_LAST_DISCARD_TAKEABLE,
    R_OKEY_DISCARD_FINE,
    R_PARTNER_OPENS,
    R_PLAYABLE_DISCARD_FINE,
    R_SHORT_OPENING_FINE,
    R_TAKE_BACK_FINE,
    R_TAKEN_DISCARD_FINE,
    R_TAKEN_TO_OPEN_FINE,
    R_WHOLE_HAND_OPENS,
    SIZES,
    STOCK,
    STOCK_COUNT,
    STOCK_LEN,
    TABLE,
    TAKEN,
    THROWN,
    TURN,
    TURNS,
    WORD,
)
from okey101.kernel.openings import needed_pairs, needed_points
from okey101.kernel.piles import pile_tile, take_discard, throw
from okey101.kernel.scoring import all_pairs, fine, finish, stock_end
from okey101.tiles import FALSE_JOKER, OKEY

__all__ = ["discard_fine", "lay_down", "lay_groups", "play"]

_P1, _P2, _P3, _P4, _U7, _X4 = 1, 2, 3, 4, 6, 7


@apart
def play(rules: Row, row: Row, action: int) -> None:
    """Play an action other than A_MELD, A_OPEN and A_PAIRS, which :func:`lay_groups` plays."""
    operation = action & 15
    row[N_ACTIONS] += 1
    if operation == A_DISCARD:
        _discard(rules, row, action >> 4 & 63)
    elif operation == A_DRAW:
        _draw(row)
    elif operation == A_TAKE:
        _take(row)
    elif operation == A_RETURN:
        _return(row)
    elif operation == A_LAY:
        _lay(row, action >> 4 & 63, action >> 10 & 63, action >> 16 & 63)
    elif operation == A_SWAP:
        _swap(row, action >> 4 & 63, action >> 10 & 63)
    elif operation == A_BACK:
        _back(rules, row, action >> 4 & 127)
    elif operation == A_PASS:
        stock_end(row, rules)
    elif operation == A_INDICATOR:
        _indicator(row)
    elif operation == A_ANNOUNCE:
        row[ANNOUNCED] = row[TURN]
        _learn(row, row[TURN], 1 << row[INDICATOR], 0)


@inner
def _receive(row: Row, seat: int, tile: int) -> None:
    at = HANDS + 2 * seat
    row[at + 1] |= row[at] & 1 << tile
    row[at] |= 1 << tile
    row[SIZES + seat] += 1


@inner
def _give(row: Row, seat: int, one: int, two: int) -> None:
    """Tiles leave the hand; they are no longer known to be in it, though a twin may have stayed."""
    at = HANDS + 2 * seat
    row[at], row[at + 1] = minus(row[at], row[at + 1], one, two)
    row[SIZES + seat] -= rack_size(one, two)
    _forget(row, seat, one, two)


@inner
def _forget(row: Row, seat: int, one: int, two: int) -> None:
    at = KNOWN + 2 * seat
    row[at], row[at + 1] = minus(row[at], row[at + 1], one, two)


@inner
def _learn(row: Row, seat: int, one: int, two: int) -> None:
    """From now on the hand is known to hold at least these tiles."""
    row[KNOWN + 2 * seat] |= one
    row[KNOWN + 2 * seat + 1] |= two


@inner
def _learn_one(row: Row, seat: int, tile: int) -> None:
    """The hand is known to hold one more of a tile."""
    at = KNOWN + 2 * seat
    row[at], row[at + 1] = plus(row[at], row[at + 1], 1 << tile, 0)


@inner
def _show(row: Row, one: int, two: int) -> None:
    """Tiles lie open from now on."""
    row[THROWN], row[THROWN + 1] = plus(row[THROWN], row[THROWN + 1], one, two)


@inner
def _hide(row: Row, one: int, two: int) -> None:
    """Tiles no longer lie open."""
    row[THROWN], row[THROWN + 1] = minus(row[THROWN], row[THROWN + 1], one, two)


@inner
def _previous(row: Row) -> int:
    seat = row[TURN]
    return seat - 1 if seat else row[PLAYERS] - 1  # type: ignore[no-any-return]


@inner
def _draw(row: Row) -> None:
    tile = pile_tile(row, STOCK, row[STOCK_LEN] - row[STOCK_COUNT])
    row[STOCK_COUNT] -= 1
    row[PHASE] = P_PLAY
    row[DRAWN] = tile
    _receive(row, row[TURN], tile)


@inner
def _take(row: Row) -> None:
    tile = take_discard(row, _previous(row))
    _hide(row, 1 << tile, 0)
    row[TAKEN] = tile
    row[DRAWN] = NO_TILE
    row[PHASE] = P_PLAY
    _learn_one(row, row[TURN], tile)
    _receive(row, row[TURN], tile)


@inner
def _return(row: Row) -> None:
    tile = row[TAKEN]
    throw(row, _previous(row), tile)
    _show(row, 1 << tile, 0)
    row[TAKEN] = NO_TILE
    row[DRAWN] = NO_TILE
    row[PHASE] = P_MUST_DRAW
    _give(row, row[TURN], 1 << tile, 0)


@inner
def _indicator(row: Row) -> None:
    tile = row[INDICATOR]
    row[PHASE] = P_PLAY
    row[MUST_FINISH] = 1
    row[DRAWN] = tile
    _learn_one(row, row[TURN], tile)
    _receive(row, row[TURN], tile)


@compiled
def lay_groups(rules: Row, row: Row, words: Row, n: int) -> None:
    """Lay groups from the hand in one action: ``n`` words, an opening or new groups (O1 to O3).

    An opening that falls short is fined and nothing is laid (O5).
    """
    lay_down(rules, row, words, n)


@apart
def lay_down(rules: Row, row: Row, words: Row, n: int) -> None:
    """:func:`lay_groups` for compiled callers."""
    seat = row[TURN]
    okey = row[OKEY_KIND]
    row[N_ACTIONS] += 1
    opening = row[OPENED + seat] == 0
    if opening and _falls_short(rules, row, words, n):
        points = rules[R_SHORT_OPENING_FINE]
        if points:
            fine(row, seat, _P3, points)
        one, two = 0, 0
        for i in range(n):
            more_one, more_two = rack_of(words[i] & WORD, okey)
            one, two = plus(one, two, more_one, more_two)
        _learn(row, seat, one, two)
        return
    if opening:
        _open(rules, row, words, n)
    for i in range(n):
        word = words[i] & WORD
        place = row[N_GROUPS]
        row[TABLE + place] = word | seat << OWNER_SHIFT
        row[N_GROUPS] = place + 1
        row[PLAYABLE] |= accepts(word)
        one, two = rack_of(word, okey)
        _give(row, seat, one, two)
        _show(row, one, two)
        if not opening:
            for nth in range(length(word)):
                entry = piece_tile(word, nth, okey) | place << 6 | word << 12 | nth + 1 << 36
                row[PLACED + row[N_PLACED]] = entry
                row[N_PLACED] += 1
    if opening and row[OPENED + seat] == PAIRS:
        for other in range(row[PLAYERS]):
            if row[OPENED + other] != PAIRS:
                return
        row[DRAWN] = NO_TILE
        all_pairs(row, rules)


@inner
def _falls_short(rules: Row, row: Row, words: Row, n: int) -> bool:
    """Whether an opening misses its threshold, and is not the whole hand either (O1, O2, O4)."""
    if words[0] & 3 >= PAIR:
        return n < needed_pairs(rules, row)
    value, tiles = 0, 0
    for i in range(n):
        word = words[i] & WORD
        value += meld_points(word)
        tiles += length(word)
    whole = rules[R_WHOLE_HAND_OPENS] == 1 and row[SIZES + row[TURN]] - tiles == 1
    return value < needed_points(rules, row) and not whole


@inner
def _open(rules: Row, row: Row, words: Row, n: int) -> None:
    seat = row[TURN]
    pairs = words[0] & 3 >= PAIR
    row[OPENED + seat] = PAIRS if pairs else MELDS
    row[NEW_OPENING] = 1
    if rules[R_PARTNER_OPENS] and row[OPENED + (seat + 2) % 4]:
        return
    if pairs:
        if n > row[HIGH_PAIRS]:
            row[HIGH_PAIRS] = n
        return
    value = 0
    for i in range(n):
        value += meld_points(words[i] & WORD)
    if value > row[HIGH_POINTS]:
        row[HIGH_POINTS] = value


@inner
def _lay(row: Row, tile: int, place: int, as_kind: int) -> None:
    seat = row[TURN]
    word = row[TABLE + place]
    row[PLACED + row[N_PLACED]] = tile | place << 6 | (word & WORD) << 12
    row[N_PLACED] += 1
    row[TABLE + place] = extended(word, tile, as_kind, row[OKEY_KIND])
    row[PLAYABLE] = accepted_kinds(row)
    _give(row, seat, 1 << tile, 0)
    _show(row, 1 << tile, 0)


@inner
def _swap(row: Row, tile: int, place: int) -> None:
    seat = row[TURN]
    word = row[TABLE + place]
    row[PLACED + row[N_PLACED]] = tile | place << 6 | (word & WORD) << 12 | 1 << 41
    row[N_PLACED] += 1
    row[TABLE + place] = reclaimed(word, tile, row[OKEY_KIND])
    _give(row, seat, 1 << tile, 0)
    _show(row, 1 << tile, 0)
    _hide(row, 1 << OKEY, 0)
    _learn_one(row, seat, OKEY)
    _receive(row, seat, OKEY)


@inner
def _back(rules: Row, row: Row, count: int) -> None:
    seat = row[TURN]
    first = row[N_PLACED] - count
    for at in range(PLACED + row[N_PLACED] - 1, PLACED + first - 1, -1):
        entry = row[at]
        tile, place = entry & 63, entry >> 6 & 63
        nth = (entry >> 36 & 31) - 1
        _receive(row, seat, tile)
        _hide(row, 1 << tile, 0)
        if entry >> 41 & 1:
            _give(row, seat, 1 << OKEY, 0)
            _show(row, 1 << OKEY, 0)
        if nth < 0:
            row[TABLE + place] = row[TABLE + place] & ~WORD | entry >> 12 & WORD
        elif nth == 0:
            for after in range(TABLE + place, TABLE + row[N_GROUPS] - 1):
                row[after] = row[after + 1]
            row[N_GROUPS] -= 1
        elif at == PLACED + first:
            word = shortened(entry >> 12 & WORD, nth)
            row[TABLE + place] = row[TABLE + place] & ~WORD | word
    # Known to be held, as far as the hand holds them now.
    one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
    for at in range(PLACED + first, PLACED + row[N_PLACED]):
        tile = row[at] & 63
        known_one, known_two = row[KNOWN + 2 * seat], row[KNOWN + 2 * seat + 1]
        if not known_one >> tile & 1:
            row[KNOWN + 2 * seat] |= one & 1 << tile
        elif not known_two >> tile & 1:
            row[KNOWN + 2 * seat + 1] |= two & 1 << tile
    row[N_PLACED] = first
    row[PLAYABLE] = accepted_kinds(row)
    points = rules[R_TAKE_BACK_FINE]
    if points and row[BACKS] < 2 and row[BACKS] + count >= 2:
        fine(row, seat, _P4, points)
    row[BACKS] += count


@inner
def discard_fine(rules: Row, row: Row, tile: int) -> int:
    """What discarding a tile costs, unless it is the last one: points, 0 for none (P1, P2)."""
    if tile == OKEY:
        return rules[R_OKEY_DISCARD_FINE]  # type: ignore[no-any-return]
    kind = row[OKEY_KIND] if tile == FALSE_JOKER else tile
    if kind < 0 or not row[PLAYABLE] >> kind & 1:
        return 0
    return rules[R_PLAYABLE_DISCARD_FINE]  # type: ignore[no-any-return]


@inner
def _discard(rules: Row, row: Row, tile: int) -> None:
    seat = row[TURN]
    last = row[SIZES + seat] == 1
    if not last:
        points = discard_fine(rules, row, tile)
        if points:
            fine(row, seat, _P1 if tile == OKEY else _P2, points)
    taken = row[TAKEN]
    if taken >= 0:
        _fine_thrower(rules, row, taken)
    throw(row, seat, tile)
    _show(row, 1 << tile, 0)
    _give(row, seat, 1 << tile, 0)
    row[DRAWN] = NO_TILE
    if last:
        finish(row, rules, tile)
        return
    _next_turn(rules, row)


@inner
def _fine_thrower(rules: Row, row: Row, taken: int) -> None:
    """Charge the previous seat for a discard that was taken and used (U7), to open (X4)."""
    kind = row[OKEY_KIND] if taken >= FALSE_JOKER else taken
    if kind >= 0 and rules[R_TAKEN_DISCARD_FINE]:
        fine(row, _previous(row), _U7, rules[R_TAKEN_DISCARD_FINE] * (kind % 13 + 1))
    if row[NEW_OPENING] and rules[R_TAKEN_TO_OPEN_FINE]:
        fine(row, _previous(row), _X4, rules[R_TAKEN_TO_OPEN_FINE])


@inner
def _next_turn(rules: Row, row: Row) -> None:
    row[TURNS] += 1
    seat = row[TURN] + 1
    row[TURN] = 0 if seat == row[PLAYERS] else seat
    row[TAKEN] = NO_TILE
    row[N_PLACED] = 0
    row[BACKS] = 0
    row[NEW_OPENING] = 0
    row[MUST_FINISH] = 0
    if row[STOCK_COUNT]:
        row[PHASE] = P_DRAW
    elif rules[R_LAST_DISCARD_TAKEABLE]:
        row[PHASE] = P_LAST_DISCARD
    elif rules[R_INDICATOR_IS_LAST_TILE]:
        row[PHASE] = P_LAST_INDICATOR
    else:
        stock_end(row, rules)
