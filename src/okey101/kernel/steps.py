"""Playing an action on a row: the compiled twin of :mod:`okey101.game.transition`.

Nothing is judged here: the caller knows, as from :mod:`okey101.kernel.legal`, what is legal.
"""

from __future__ import annotations

from okey101.kernel import groups as G, layout as L
from okey101.kernel.compiling import Row, adopt, apart
from okey101.kernel.duties import accepted_kinds
from okey101.kernel.plain import popcount
from okey101.tiles import FALSE_JOKER, OKEY

# What a deal is worth at its end: the compiled twin of :mod:`okey101.game.scoring` (section 8).

F_OKEY = 1
F_PAIRS = 2
F_WHOLE = 4
F_RIZIKO = 8
_OKEY_POINTS = 101
_WINNER_POINTS = 101
_UNOPENED_POINTS = 202
_P1, _P2, _P3, _P4, _P5, _U7, _X4 = range(1, 8)


def fine(row: Row, seat: int, rule: int, points: int) -> None:
    """Charge a fine, if it has points: rules are numbered as in the list of fines."""
    if not points:
        return
    n = row[L.N_FINES]
    if n < L.MAX_FINES:
        row[L.FINE_LIST + n] = seat | rule << 2 | points << 5
    row[L.N_FINES] = n + 1
    row[L.FINES + seat] += points


@apart
def finish(row: Row, rules: Row, tile: int) -> None:
    """Score the deal that the seat to act finished with the discard of a tile (E1)."""
    winner, players = row[L.TURN], row[L.PLAYERS]
    others = 0
    for seat in range(players):
        if seat != winner and row[L.OPENED + seat]:
            others = 1
    factors = 0
    if tile == OKEY:
        factors = F_OKEY if row[L.OKEY_KIND] >= 0 else F_OKEY | F_RIZIKO
    if row[L.OPENED + winner] == L.PAIRS:
        factors |= F_PAIRS
    if row[L.NEW_OPENING] and not others:
        factors |= F_WHOLE
    row[L.END], row[L.COUNTS], row[L.PHASE] = L.END_FINISH, 1, L.P_OVER
    row[L.WINNER], row[L.FACTORS] = winner, factors
    _fine_kept_okeys(row, rules, winner)
    for seat in range(players):
        if seat == winner:
            points = -_WINNER_POINTS << popcount(factors)
        elif rules[L.R_PARTNER_WAIVED] and seat == (winner + 2) % 4:
            points = 0
        else:
            points = _hand_points(row, rules, seat, factors, True)
        row[L.SCORES + seat] = points + row[L.FINES + seat]


@apart
def stock_end(row: Row, rules: Row) -> None:
    """Score the deal that nobody finished before the stock was empty (E2, E3)."""
    if rules[L.R_EMPTY_STOCK] == 0:
        _void(row, L.END_STOCK, rules[L.R_OKEY_IN_HAND_FINE])
        return
    row[L.END], row[L.COUNTS], row[L.PHASE] = L.END_STOCK, 1, L.P_OVER
    _fine_kept_okeys(row, rules, -1)
    doubled = rules[L.R_STOCK_PAIRS_DOUBLED] == 1
    for seat in range(row[L.PLAYERS]):
        row[L.SCORES + seat] = _hand_points(row, rules, seat, 0, doubled) + row[L.FINES + seat]


@apart
def all_pairs(row: Row, rules: Row) -> None:
    """Everybody opened with pairs: the deal stops at once (O7, R4)."""
    _void(row, L.END_ALL_PAIRS, rules[L.R_OKEY_IN_HAND_FINE] if rules[L.R_ALL_PAIRS] == 1 else 0)


def _void(row: Row, end: int, okey_fine: int) -> None:
    """A void deal: nothing stands but the fine for each okey in a hand (R4)."""
    row[L.END], row[L.COUNTS], row[L.PHASE] = end, 0, L.P_OVER
    row[L.N_FINES] = 0
    for seat in range(row[L.PLAYERS]):
        row[L.FINES + seat] = 0
        _fine_okeys(row, seat, okey_fine)
        row[L.SCORES + seat] = row[L.FINES + seat]


def _fine_okeys(row: Row, seat: int, points: int) -> None:
    """The fine for each okey in a hand (P5)."""
    one, two = G.hand(row, seat)
    for _ in range(G.copies(one, two, OKEY)):
        fine(row, seat, _P5, points)


def _fine_kept_okeys(row: Row, rules: Row, winner: int) -> None:
    """The fines for okeys kept by seats that opened, where they are fines (P5, C2)."""
    for seat in range(row[L.PLAYERS] if rules[L.R_OKEY_IN_HAND] == 1 else 0):
        if seat != winner and row[L.OPENED + seat]:
            _fine_okeys(row, seat, rules[L.R_OKEY_IN_HAND_FINE])


def _hand_points(row: Row, rules: Row, seat: int, factors: int, pairs_doubled: bool) -> int:
    """What a loser pays for his hand, doublings included (C1, C2, R8)."""
    opened = row[L.OPENED + seat]
    if factors & F_RIZIKO and rules[L.R_RIZIKO_LOSERS] == 0:
        return _WINNER_POINTS << popcount(factors)
    if not opened:
        if factors & F_OKEY and factors & F_PAIRS:
            rest = factors & (F_WHOLE | F_RIZIKO)
            return rules[L.R_UNOPENED_PAIRS_OKEY] << popcount(rest)  # type: ignore[no-any-return]
        return _UNOPENED_POINTS << popcount(factors)
    okey_points = _OKEY_POINTS if rules[L.R_OKEY_IN_HAND] == 0 else 0
    one, two = G.hand(row, seat)
    points = G.rack_points(one, two, row[L.OKEY_KIND], okey_points) << popcount(factors)
    return points << 1 if opened == L.PAIRS and pairs_doubled else points


@apart
def play(rules: Row, row: Row, action: int) -> None:
    """Play an action other than A_MELD, A_OPEN and A_PAIRS, which :func:`lay_down` plays."""
    operation, tile, place = action & L.OP, action >> 4 & 63, action >> 10 & 63
    row[L.N_ACTIONS] += 1
    if operation == L.A_DISCARD:
        _discard(rules, row, tile)
    elif operation == L.A_DRAW:
        _draw(row)
    elif operation == L.A_TAKE:
        _take(row)
    elif operation == L.A_RETURN:
        _return(row)
    elif operation == L.A_LAY:
        after = G.extended(row[L.TABLE + place], tile, action >> 16 & 63, row[L.OKEY_KIND])
        _change(row, tile, place, after, 0)
    elif operation == L.A_SWAP:
        _change(row, tile, place, G.reclaimed(row[L.TABLE + place], tile, row[L.OKEY_KIND]), 1)
        _less(row, L.THROWN, 1 << OKEY, 0)
        _come_openly(row, OKEY)
    elif operation == L.A_BACK:
        _back(rules, row, action >> 4 & 127)
    elif operation == L.A_PASS:
        stock_end(row, rules)
    elif operation == L.A_INDICATOR:
        row[L.PHASE] = L.P_PLAY
        row[L.MUST_FINISH] = 1
        row[L.DRAWN] = row[L.INDICATOR]
        _come_openly(row, row[L.INDICATOR])
    elif operation == L.A_ANNOUNCE:
        row[L.ANNOUNCED] = row[L.TURN]
        _learn(row, row[L.TURN], 1 << row[L.INDICATOR], 0)


def _more(row: Row, at: int, one: int, two: int) -> None:
    """Tiles come to the rack at a place of the row."""
    row[at], row[at + 1] = G.plus(row[at], row[at + 1], one, two)


def _less(row: Row, at: int, one: int, two: int) -> None:
    """Tiles leave the rack at a place of the row."""
    row[at], row[at + 1] = G.minus(row[at], row[at + 1], one, two)


def _receive(row: Row, seat: int, tile: int) -> None:
    _more(row, L.HANDS + 2 * seat, 1 << tile, 0)
    row[L.SIZES + seat] += 1


def _come_openly(row: Row, tile: int) -> None:
    """A tile that all have seen comes to the hand of the seat to act."""
    _more(row, L.KNOWN + 2 * row[L.TURN], 1 << tile, 0)
    _receive(row, row[L.TURN], tile)


def _give(row: Row, seat: int, one: int, two: int) -> None:
    """Tiles leave the hand; they are no longer known to be in it, though a twin may have stayed."""
    _less(row, L.HANDS + 2 * seat, one, two)
    row[L.SIZES + seat] -= G.rack_size(one, two)
    _less(row, L.KNOWN + 2 * seat, one, two)


def _learn(row: Row, seat: int, one: int, two: int) -> None:
    """From now on the hand is known to hold at least these tiles."""
    row[L.KNOWN + 2 * seat] |= one
    row[L.KNOWN + 2 * seat + 1] |= two


def _draw(row: Row) -> None:
    tile = G.pile_tile(row, L.STOCK, row[L.STOCK_LEN] - row[L.STOCK_COUNT])
    row[L.STOCK_COUNT] -= 1
    row[L.PHASE] = L.P_PLAY
    row[L.DRAWN] = tile
    _receive(row, row[L.TURN], tile)


def _take(row: Row) -> None:
    previous = G.previous(row)
    tile = G.top_discard(row, previous)
    row[L.PILES + previous] -= 1
    _less(row, L.THROWN, 1 << tile, 0)
    row[L.TAKEN] = tile
    row[L.DRAWN] = L.NO_TILE
    row[L.PHASE] = L.P_PLAY
    _come_openly(row, tile)


def _return(row: Row) -> None:
    tile = row[L.TAKEN]
    G.throw(row, G.previous(row), tile)
    _more(row, L.THROWN, 1 << tile, 0)
    row[L.TAKEN] = row[L.DRAWN] = L.NO_TILE
    row[L.PHASE] = L.P_MUST_DRAW
    _give(row, row[L.TURN], 1 << tile, 0)


@apart
def lay_down(rules: Row, row: Row, words: Row, n: int) -> None:
    """Lay groups from the hand in one action: ``n`` words, an opening or new groups (O1 to O3).

    An opening that falls short is fined and nothing is laid (O5).
    """
    seat, okey = row[L.TURN], row[L.OKEY_KIND]
    row[L.N_ACTIONS] += 1
    opening = row[L.OPENED + seat] == 0
    if opening and _falls_short(rules, row, words, n):
        fine(row, seat, _P3, rules[L.R_SHORT_OPENING_FINE])
        one, two = 0, 0
        for i in range(n):
            more_one, more_two = G.rack_of(words[i] & L.WORD, okey)
            one, two = G.plus(one, two, more_one, more_two)
        _learn(row, seat, one, two)
        return
    if opening:
        _open(rules, row, words, n)
    for i in range(n):
        word = words[i] & L.WORD
        place = row[L.N_GROUPS]
        row[L.TABLE + place] = word | seat << L.OWNER_SHIFT
        row[L.N_GROUPS] = place + 1
        row[L.PLAYABLE] |= G.accepts(word)
        one, two = G.rack_of(word, okey)
        _give(row, seat, one, two)
        _more(row, L.THROWN, one, two)
        if not opening:
            for nth in range(G.length(word)):
                tile = G.piece_tile(word, nth, okey)
                _put_down(row, tile | place << 6 | word << 12 | nth + 1 << 36)
    if opening and row[L.OPENED + seat] == L.PAIRS:
        for other in range(row[L.PLAYERS]):
            if row[L.OPENED + other] != L.PAIRS:
                return
        row[L.DRAWN] = L.NO_TILE
        all_pairs(row, rules)


def note_code(row: Row, log: Row, code: int) -> None:
    """Write a code to the log of a deal, if it has room."""
    if row[L.NOTED] < log.shape[0]:
        log[row[L.NOTED]] = code
    row[L.NOTED] += 1


def note_melds(row: Row, log: Row, words: Row, count: int) -> None:
    """Write groups that were laid to the log of a deal."""
    for place in range(count):
        more = L.MORE if place + 1 < count else 0
        note_code(row, log, L.A_MELD | (words[place] & L.WORD) << 4 | more)


def _falls_short(rules: Row, row: Row, words: Row, n: int) -> bool:
    """Whether an opening misses its threshold, and is not the whole hand either (O1, O2, O4)."""
    if words[0] & 3 >= L.PAIR:
        return n < G.needed_pairs(rules, row)
    tiles = 0
    for i in range(n):
        tiles += G.length(words[i] & L.WORD)
    whole = G.whole_opens(rules, row) == 1 and row[L.SIZES + row[L.TURN]] - tiles == 1
    return G.points_of(words, n) < G.needed_points(rules, row) and not whole


def _open(rules: Row, row: Row, words: Row, n: int) -> None:
    seat = row[L.TURN]
    pairs = words[0] & 3 >= L.PAIR
    row[L.OPENED + seat] = L.PAIRS if pairs else L.MELDS
    row[L.NEW_OPENING] = 1
    if rules[L.R_PARTNER_OPENS] and row[L.OPENED + (seat + 2) % 4]:
        return
    if pairs:
        row[L.HIGH_PAIRS] = max(row[L.HIGH_PAIRS], n)
    else:
        row[L.HIGH_POINTS] = max(row[L.HIGH_POINTS], G.points_of(words, n))


def _put_down(row: Row, entry: int) -> None:
    """A tile goes to the table outside an opening; one taken back before it is free (R18)."""
    if row[L.BACKS] < 2:
        row[L.BACKS] = 0
    row[L.PLACED + row[L.N_PLACED]] = entry
    row[L.N_PLACED] += 1


def _change(row: Row, tile: int, place: int, after: int, swapped: int) -> None:
    """A tile of the hand goes to a group, which changes; ``swapped``: in an okey's place."""
    _put_down(row, tile | place << 6 | (row[L.TABLE + place] & L.WORD) << 12 | swapped << 41)
    row[L.TABLE + place] = after
    row[L.PLAYABLE] = accepted_kinds(row)
    _give(row, row[L.TURN], 1 << tile, 0)
    _more(row, L.THROWN, 1 << tile, 0)


def _back(rules: Row, row: Row, count: int) -> None:
    seat = row[L.TURN]
    first = row[L.N_PLACED] - count
    for at in range(L.PLACED + row[L.N_PLACED] - 1, L.PLACED + first - 1, -1):
        entry = row[at]
        tile, place = entry & 63, entry >> 6 & 63
        nth = (entry >> 36 & 31) - 1
        _come_openly(row, tile)  # before an okey goes, which may be this one
        _less(row, L.THROWN, 1 << tile, 0)
        if entry >> 41 & 1:
            _give(row, seat, 1 << OKEY, 0)
            _more(row, L.THROWN, 1 << OKEY, 0)
        if nth < 0:
            row[L.TABLE + place] = row[L.TABLE + place] & ~L.WORD | entry >> 12 & L.WORD
        elif nth == 0:
            for after in range(L.TABLE + place, L.TABLE + row[L.N_GROUPS] - 1):
                row[after] = row[after + 1]
            row[L.N_GROUPS] -= 1
        elif at == L.PLACED + first:
            word = G.shortened(entry >> 12 & L.WORD, nth)
            row[L.TABLE + place] = row[L.TABLE + place] & ~L.WORD | word
    row[L.N_PLACED] = first
    row[L.PLAYABLE] = accepted_kinds(row)
    if row[L.BACKS] < 2 and row[L.BACKS] + count >= 2:
        fine(row, seat, _P4, rules[L.R_TAKE_BACK_FINE])
    row[L.BACKS] += count


def _discard(rules: Row, row: Row, tile: int) -> None:
    seat = row[L.TURN]
    last = row[L.SIZES + seat] == 1
    if not last:
        fine(row, seat, _P1 if tile == OKEY else _P2, G.discard_fine(rules, row, tile))
    if row[L.TAKEN] >= 0:
        _fine_thrower(rules, row, row[L.TAKEN])
    G.throw(row, seat, tile)
    _more(row, L.THROWN, 1 << tile, 0)
    _give(row, seat, 1 << tile, 0)
    row[L.DRAWN] = L.NO_TILE
    if last:
        finish(row, rules, tile)
        return
    _next_turn(rules, row)


def _fine_thrower(rules: Row, row: Row, taken: int) -> None:
    """Charge the previous seat for a discard that was taken and used (U7), to open (X4, R16)."""
    kind = row[L.OKEY_KIND] if taken >= FALSE_JOKER else taken
    if kind >= 0:
        fine(row, G.previous(row), _U7, rules[L.R_TAKEN_DISCARD_FINE] * (kind % 13 + 1))
    points = rules[L.R_TAKEN_TO_OPEN_FINE]
    if rules[L.R_TEAMS]:
        points = max(points, rules[L.R_TEAM_TAKEN_TO_OPEN_FINE])
    if row[L.NEW_OPENING]:
        fine(row, G.previous(row), _X4, points)


def _next_turn(rules: Row, row: Row) -> None:
    row[L.TURNS] += 1
    row[L.TURN] = G.following(row)
    row[L.TAKEN] = L.NO_TILE
    row[L.N_PLACED] = row[L.BACKS] = row[L.NEW_OPENING] = row[L.MUST_FINISH] = 0
    if row[L.STOCK_COUNT]:
        row[L.PHASE] = L.P_DRAW
    elif rules[L.R_LAST_DISCARD_TAKEABLE]:
        row[L.PHASE] = L.P_LAST_DISCARD
    elif rules[L.R_INDICATOR_IS_LAST_TILE]:
        row[L.PHASE] = L.P_LAST_INDICATOR
    else:
        stock_end(row, rules)


adopt(__name__)
