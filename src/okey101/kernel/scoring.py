"""What a deal is worth at its end: the compiled twin of :mod:`okey101.game.scoring` (section 8)."""

from __future__ import annotations

from okey101.kernel.compiling import Row, apart, inner, popcount
from okey101.kernel.groups import copies, rack_points
from okey101.kernel.layout import (
    COUNTS,
    END,
    END_ALL_PAIRS,
    END_FINISH,
    END_STOCK,
    FACTORS,
    FINE_LIST,
    FINES,
    HANDS,
    MAX_FINES,
    N_FINES,
    NEW_OPENING,
    OKEY_KIND,
    OPENED,
    P_OVER,
    PAIRS,
    PHASE,
    PLAYERS,
    R_ALL_PAIRS,
    R_EMPTY_STOCK,
    R_OKEY_IN_HAND,
    R_OKEY_IN_HAND_FINE,
    R_PARTNER_WAIVED,
    R_RIZIKO_LOSERS,
    R_STOCK_PAIRS_DOUBLED,
    R_UNOPENED_PAIRS_OKEY,
    SCORES,
    TURN,
    WINNER,
)
from okey101.tiles import OKEY

__all__ = ["F_OKEY", "F_PAIRS", "F_RIZIKO", "F_WHOLE", "all_pairs", "fine", "finish", "stock_end"]

F_OKEY = 1
F_PAIRS = 2
F_WHOLE = 4
F_RIZIKO = 8
_OKEY_POINTS = 101
_WINNER_POINTS = 101
_UNOPENED_POINTS = 202
_P5 = 5


@inner
def fine(row: Row, seat: int, rule: int, points: int) -> None:
    """Charge a fine: rules are numbered as in the list of fines."""
    n = row[N_FINES]
    if n < MAX_FINES:
        row[FINE_LIST + n] = seat | rule << 2 | points << 5
    row[N_FINES] = n + 1
    row[FINES + seat] += points


@apart
def finish(row: Row, rules: Row, tile: int) -> None:
    """Score the deal that the seat to act finished with the discard of a tile (E1)."""
    winner = row[TURN]
    players = row[PLAYERS]
    others = 0
    for seat in range(players):
        if seat != winner and row[OPENED + seat]:
            others = 1
    factors = 0
    if tile == OKEY:
        factors |= F_OKEY
        if row[OKEY_KIND] < 0:
            factors |= F_RIZIKO
    if row[OPENED + winner] == PAIRS:
        factors |= F_PAIRS
    if row[NEW_OPENING] and not others:
        factors |= F_WHOLE
    row[END] = END_FINISH
    row[WINNER] = winner
    row[COUNTS] = 1
    row[FACTORS] = factors
    row[PHASE] = P_OVER
    _fine_kept_okeys(row, rules, winner)
    for seat in range(players):
        if seat == winner:
            points = -_WINNER_POINTS << popcount(factors)
        elif rules[R_PARTNER_WAIVED] and seat == (winner + 2) % 4:
            points = 0
        else:
            points = _hand_points(row, rules, seat, factors, True)
        row[SCORES + seat] = points + row[FINES + seat]


@apart
def stock_end(row: Row, rules: Row) -> None:
    """Score the deal that nobody finished before the stock was empty (E2, E3)."""
    if rules[R_EMPTY_STOCK] == 0:
        _void(row, END_STOCK, rules[R_OKEY_IN_HAND_FINE])
        return
    row[END] = END_STOCK
    row[COUNTS] = 1
    row[PHASE] = P_OVER
    _fine_kept_okeys(row, rules, -1)
    doubled = rules[R_STOCK_PAIRS_DOUBLED] == 1
    for seat in range(row[PLAYERS]):
        row[SCORES + seat] = _hand_points(row, rules, seat, 0, doubled) + row[FINES + seat]


@apart
def all_pairs(row: Row, rules: Row) -> None:
    """Everybody opened with pairs: the deal stops at once (O7, R4)."""
    _void(row, END_ALL_PAIRS, rules[R_OKEY_IN_HAND_FINE] if rules[R_ALL_PAIRS] == 1 else 0)


@inner
def _void(row: Row, end: int, okey_fine: int) -> None:
    """A void deal: nothing stands but the fine for each okey in a hand (R4)."""
    row[END] = end
    row[COUNTS] = 0
    row[PHASE] = P_OVER
    row[N_FINES] = 0
    for seat in range(row[PLAYERS]):
        row[FINES + seat] = 0
        if okey_fine:
            for _ in range(copies(row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1], OKEY)):
                fine(row, seat, _P5, okey_fine)
        row[SCORES + seat] = row[FINES + seat]


@inner
def _fine_kept_okeys(row: Row, rules: Row, winner: int) -> None:
    """The fines for okeys kept by seats that opened, where they are fines (P5, C2)."""
    points = rules[R_OKEY_IN_HAND_FINE]
    if rules[R_OKEY_IN_HAND] != 1 or not points:
        return
    for seat in range(row[PLAYERS]):
        if seat != winner and row[OPENED + seat]:
            for _ in range(copies(row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1], OKEY)):
                fine(row, seat, _P5, points)


@inner
def _hand_points(row: Row, rules: Row, seat: int, factors: int, pairs_doubled: bool) -> int:
    """What a loser pays for his hand, doublings included (C1, C2, R8)."""
    flat = factors & F_RIZIKO and rules[R_RIZIKO_LOSERS] == 0
    opened = row[OPENED + seat]
    if flat:
        return _WINNER_POINTS << popcount(factors)
    if not opened:
        if factors & F_OKEY and factors & F_PAIRS:
            rest = factors & (F_WHOLE | F_RIZIKO)
            return rules[R_UNOPENED_PAIRS_OKEY] << popcount(rest)  # type: ignore[no-any-return]
        return _UNOPENED_POINTS << popcount(factors)
    okey_points = _OKEY_POINTS if rules[R_OKEY_IN_HAND] == 0 else 0
    one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
    points = rack_points(one, two, row[OKEY_KIND], okey_points) << popcount(factors)
    return points << 1 if opened == PAIRS and pairs_doubled else points
