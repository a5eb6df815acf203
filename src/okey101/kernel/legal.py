"""The legal micro-actions of the seat to act, in the order in which Options lists them.

The compiled twin of :mod:`okey101.game.options`: nothing that the judge refuses is listed.
"""

# pyright: reportArgumentType=false
from __future__ import annotations

from okey101.kernel import groups as G, layout as L, openings as OP, room as R
from okey101.kernel.compiling import Row, adopt, apart
from okey101.kernel.duties import accepted_kinds, can_use
from okey101.kernel.finishing import can_finish, opening, opening_pairs
from okey101.kernel.plain import each
from okey101.kernel.solver import Tables
from okey101.tiles import OKEY


@apart
def legal_actions(
    tables: Tables, rules: Row, row: Row, out: Row, opening_words: Row, backs: bool
) -> int:
    """Write the legal micro-actions of the seat to act to ``out`` and return how many there are.

    ``out`` is int64[MOST_ACTIONS]. An opening of each kind is one action, A_OPEN or A_PAIRS, with
    ``opening_words`` (int64[64]) telling what it lays: words 0-31 the opening with sets and runs,
    words 32-63 that with pairs, each as the number of groups and their words. Without ``backs``
    taking tiles back is left out. A deal that is over has none.
    """
    phase = row[L.PHASE]
    if phase == L.P_OVER:
        return 0
    seat = row[L.TURN]
    one, two = G.hand(row, seat)
    opened = row[L.OPENED + seat]
    n = 0
    if phase != L.P_PLAY:
        asked = phase == L.P_LAST_DISCARD or phase == L.P_LAST_INDICATOR
        if not asked:
            n = G.put(out, n, L.A_DRAW)
        takes = may_take(rules, row)
        if takes == _IF_USED:
            tile = G.top_discard(row, G.previous(row))
            more_one, more_two = G.plus(one, two, 1 << tile, 0)
            takes = 1 if can_use(tables, rules, row, more_one, more_two, tile) else 0
        if takes:
            n = G.put(out, n, L.A_TAKE)
        if G.may_announce(rules, row):
            n = G.put(out, n, L.A_ANNOUNCE)
        if asked:
            n = G.put(out, n, L.A_PASS)
        if may_draw_indicator(tables, rules, row):
            n = G.put(out, n, L.A_INDICATOR)
        return n
    if G.may_return(rules, row):
        n = G.put(out, n, L.A_RETURN)
    if opened:
        waits = G.taken_waits(row)
        first = n
        n = _laying(rules, row, one, two, out, n)
        if waits or row[L.MUST_FINISH]:
            kept = first
            for i in range(first, n):
                if keeps_duties(tables, rules, row, one, two, out[i], waits):
                    kept = G.put(out, kept, out[i])
            n = kept
        if backs and row[L.N_PLACED]:
            n = _backs(row, out, n)
    else:
        waits = row[L.TAKEN] >= 0
        if G.may_announce(rules, row):
            n = G.put(out, n, L.A_ANNOUNCE)
        found = 0
        okey, whole = row[L.OKEY_KIND], G.whole_opens(rules, row)
        need = G.needed_points(rules, row)
        if row[L.MUST_FINISH] or not OP.hopeless(one, two, okey, need, whole):
            found = opening(tables, rules, row, one, two, opening_words[1 : R.BY_PAIRS])
        if found > 0:
            opening_words[0] = found
            n = G.put(out, n, L.A_OPEN)
        found = opening_pairs(tables, rules, row, one, two, opening_words[R.BY_PAIRS + 1 : R.WORDS])
        if found > 0:
            opening_words[R.BY_PAIRS] = found
            n = G.put(out, n, L.A_PAIRS)
    if waits or (row[L.MUST_FINISH] and row[L.SIZES + seat] > 1):
        return n
    for tile in each(one):
        n = G.put(out, n, L.A_DISCARD | tile << 4)
    return n


def next_lay(tables: Tables, rules: Row, row: Row, words: Row) -> int:
    """The first group, or else the first tile, that an opened seat may lay; -1 for none."""
    actions, found = tables[1][R.ACTIONS : R.POOL], -1
    for place in range(legal_actions(tables, rules, row, actions, words, False)):
        operation = actions[place] & L.OP
        if operation == L.A_MELD:
            return actions[place]  # type: ignore[no-any-return]
        if operation == L.A_LAY and found < 0:
            found = actions[place]
    return found


_IF_USED = 2


def may_take(rules: Row, row: Row) -> int:
    """Whether the previous player's discard may be taken (U1, U2, U3, U6): 2 if it can be used."""
    phase = row[L.PHASE]
    if phase != L.P_DRAW and phase != L.P_LAST_DISCARD:
        return 0
    if not G.offered(rules, row):
        return 0
    return 1 if rules[L.R_RETURN_DISCARD] and phase == L.P_DRAW else _IF_USED


@apart
def may_draw_indicator(tables: Tables, rules: Row, row: Row) -> bool:
    """Whether the indicator may be drawn to finish (E4)."""
    if row[L.PHASE] != L.P_LAST_INDICATOR or row[L.OKEY_KIND] < 0:
        return False
    one, two = G.hand(row, row[L.TURN])
    one, two = G.plus(one, two, 1 << row[L.INDICATOR], 0)
    row[L.PHASE] = L.P_PLAY
    finishes = can_finish(tables, rules, row, one, two)
    row[L.PHASE] = L.P_LAST_INDICATOR
    return finishes


def _backs(row: Row, out: Row, n: int) -> int:
    """Every number of tiles that may be taken back (U5, R2)."""
    placed = row[L.N_PLACED]
    for count in range(1, placed + 1):
        entry = row[L.PLACED + placed - count]
        nth = (entry >> 36 & 31) - 1
        if nth <= 0 or G.shortened(entry >> 12 & 0xFFFFFF, nth) >= 0:
            n = G.put(out, n, L.A_BACK | count << 4)
    return n


@apart
def _laying(rules: Row, row: Row, one: int, two: int, out: Row, n: int) -> int:
    """New groups, lay-offs and swaps of a seat that has opened (O3, M4, X2)."""
    size = G.rack_size(one, two)
    opened = row[L.OPENED + row[L.TURN]]
    okey = row[L.OKEY_KIND]
    if size > 2:
        kinds_one, kinds_two, okeys = G.kinds(one, two, okey)
        if opened == L.MELDS and size > 3:
            n = G.runs(kinds_one, okeys, size - 1, out, n)
            n = G.sets(kinds_one, okeys, size - 1, out, n)
        if G.may_lay_pairs(rules, row, opened):
            n = G.pairs(kinds_one, kinds_two, okeys, okey, out, n)
    if size > 1 and row[L.PLAYABLE] and G.may_lay_off(rules, opened, row[L.NEW_OPENING]):
        n = G.lays(row, one, okey, out, n)
    if rules[L.R_RECLAIM_OKEY]:
        n = _swaps(row, one, okey, out, n)
    return n


def _swaps(row: Row, one: int, okey: int, out: Row, n: int) -> int:
    """Every okey of the table that a tile of the hand may replace (X2)."""
    for place in range(row[L.N_GROUPS]):
        word = row[L.TABLE + place]
        if not G.okeys_of(word):
            continue
        for tile in each(one):
            if G.reclaimed(word, tile, okey) >= 0:
                n = G.put(out, n, L.A_SWAP | tile << 4 | place << 10)
    return n


@apart
def keeps_duties(
    tables: Tables, rules: Row, row: Row, one: int, two: int, action: int, waits: bool
) -> bool:
    """Whether the taken tile still has a use, and the hand an end, after an action (R1, E4)."""
    okey, taken = row[L.OKEY_KIND], row[L.TAKEN]
    groups, playable = row[L.N_GROUPS], row[L.PLAYABLE]
    operation, tile = action & 15, action >> 4 & 63
    place = groups if operation == L.A_MELD else action >> 10 & 63
    before = row[L.TABLE + place]
    less_one, less_two = 1 << tile, 0
    if operation == L.A_MELD:
        word = action >> 4 & 0xFFFFFF
        less_one, less_two = G.rack_of(word, okey)
        row[L.N_GROUPS] = groups + 1
    elif operation == L.A_LAY:
        word = G.extended(before, tile, action >> 16 & 63, okey)
    else:
        word = G.reclaimed(before, tile, okey)
    waits = waits and not less_one >> taken & 1
    one, two = G.minus(one, two, less_one, less_two)
    if operation == L.A_SWAP:
        one, two = G.plus(one, two, 1 << OKEY, 0)
    row[L.TABLE + place] = word
    row[L.PLAYABLE] = accepted_kinds(row)
    kept = not waits or can_use(tables, rules, row, one, two, taken)
    if kept and row[L.MUST_FINISH]:
        kept = can_finish(tables, rules, row, one, two)
    row[L.TABLE + place] = before
    row[L.N_GROUPS] = groups
    row[L.PLAYABLE] = playable
    return kept


adopt(__name__)
