"""Numbers for micro-actions: what ``Options.actions()`` lists, less taking tiles back.

A number says what an action is made of and never where something lies on the table, so it means
the same in every deal, under every rule set and for every seat. There are :data:`N_ACTIONS`:

========= ======================================================================================
from      what
========= ======================================================================================
0 to 5    draw, take, return, announce, pass, indicator
6         open with sets and runs: the best opening, which the options name (E4: one that finishes)
7         open with pairs: the most pairs that there are
8         discard: + tile
62        lay off on a run: + ((span * 2 + okey) * 2 + above) * 2 + rank; ``span`` is
          colour * 66 + place of (lowest, highest) among the runs of three or more numbers,
          ``okey`` whether an okey is laid, ``above`` whether it joins above
2174      lay a tile off on a set: + kind * 2 + rank
2278      lay an okey off on a set: + (number - 1) * 3 + rank
2317      swap a tile for an okey: + (kind * 3 + form) * 2 + rank; run 0, set 1, pair 2
2629      lay a run: + colour * 1837 + place by (lowest, highest), then by the okeys in it:
          none; one, from the lowest place up; two, by the lower, then the higher
9977      lay a set: + (number - 1) * 61 + place by colours of the tiles, colours that okeys are
          named for, okeys without a colour
10770     lay a pair: + kind * 2 + okeys; 10874 is two okeys
========= ======================================================================================

A false joker is the natural tile of the okey's kind, so kinds say everything but of discards.
``rank`` is 0 but where several groups differ in nothing that the number says, only in their okeys:
it counts the different ones that come before, in the order of the kernel's words for groups. Groups
that are the same tile by tile share a number; it means the one that was laid first, and for what
follows in the deal it is all the same.

Of openings there is one of each kind, the best; several groups laid in one action, other openings
and the fined ones that fall short (O5) have no number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from okey101.errors import OkeyError, checked
from okey101.game import actions as A
from okey101.game.options import Options
from okey101.game.public import Public
from okey101.kernel import envs as E, layout as L
from okey101.kernel.codes import codes_of, group_word, pieces_of_word
from okey101.melds import Pieces, make_group, piece_text
from okey101.tiles import KINDS, TILES, Kind

N_ACTIONS = E.NUMBERS
"""How many numbers there are: 10,875, whatever the rules."""

_PLAIN = tuple(A.PLAIN.values())


def numbered(options: Options) -> dict[int, A.Action]:
    """The legal micro-actions of the seat to act by their numbers, in the order of the options.

    >>> from okey101 import Deal
    >>> from okey101.game import options_of
    >>> found = numbered(options_of(Deal.start("pagat", seed=7)))
    >>> [(number, str(action)) for number, action in found.items()][:2]
    [(11, 'discard R4'), (14, 'discard R7')]
    """
    found: dict[int, A.Action] = {}
    public = checked(options, Options).view.public
    okey, row = public.setup.okey, list[int]()
    for action in options.actions():
        if isinstance(action, A.Discard):
            number = E.DISCARD_FROM + action.tile
        elif isinstance(action, A.Back):
            continue
        elif not isinstance(action, A.Meld):
            if not row and isinstance(action, A.Lay | A.Swap):
                row = _row_of_table(public)
            number = int(E.number_of(row, codes_of(action, okey)[0]))
        elif public.opened[public.turn] is not None:
            number = _meld_number(action.pieces[0], okey)
        else:
            number = E.OPEN_NUMBER if action is options.opening else E.PAIRS_NUMBER
        found.setdefault(number, action)
    return found


def _row_of_table(public: Public) -> list[int]:
    """As much of a row as numbers of lay-offs and swaps ask for: the okey's kind and the table."""
    row = [0] * L.PLACED
    row[L.OKEY_KIND] = -1 if public.setup.okey is None else public.setup.okey
    row[L.N_GROUPS] = len(public.table)
    row[L.TABLE : L.TABLE + len(public.table)] = map(group_word, public.table)
    return row


@lru_cache(maxsize=1 << 14)
def _meld_number(pieces: Pieces, okey: Kind | None) -> int:
    return int(E.meld_number(group_word(make_group(pieces, okey))))


def melds_in_order() -> Iterator[int]:
    """The kernel's words of all single groups that can be laid, in the order of their numbers."""
    for colour in range(4):
        for low, high in E.SPANS:
            word = L.RUN | colour << 2 | low << 4 | high << 8
            places = range(low, high + 1)
            yield word
            yield from (word | i << 12 for i in places)
            yield from (word | i << 12 | j << 16 for i in places for j in places if i < j)
    for number in range(1, 14):
        yield from (L.SET | number << 2 | one << 6 for one in E.SETS)
    yield from (L.PAIR | kind << 2 | okeys << 8 for kind in range(KINDS) for okeys in range(2))
    yield L.PAIR | 2 << 8 | 1 << 10


def meaning(number: int) -> str:
    """A number in words; a false joker that is laid is called as the kind that it stands for.

    Raises OkeyError ``out-of-range`` for what is no number of an action.

    >>> [meaning(n) for n in (0, 8, 64, 2280, 2319)]
    ['draw', 'discard R1', 'lay R4 > run R1-R3', 'lay * > set of 1 (third)', 'swap R1 > set']
    >>> meaning(2630), meaning(N_ACTIONS - 1)
    ('meld *R1 R2 R3', 'meld * *')
    """
    if number not in range(E.NUMBERS):
        message = f"actions have the numbers 0 to {E.NUMBERS - 1}, not {number}"
        raise OkeyError("out-of-range", message, low=0, high=E.NUMBERS - 1)
    if number < E.OPEN_NUMBER:
        return str(_PLAIN[number])
    if number < E.DISCARD_FROM:
        return "open" if number == E.OPEN_NUMBER else "open with pairs"
    if number < E.LAY_RUN_FROM:
        return f"discard {TILES[number - E.DISCARD_FROM]}"
    if number < E.MELD_RUN_FROM:
        return _target_meaning(number)
    word = _words()[number - E.MELD_RUN_FROM]
    if word & 3 == L.PAIR and word >> 10 & 1:
        return "meld * *"
    return f"meld {' '.join(map(piece_text, pieces_of_word(word, None)))}"


@cache
def _words() -> tuple[int, ...]:
    return tuple(melds_in_order())


_RANKS = ("", " (second)", " (third)")


def _target_meaning(number: int) -> str:
    if number >= E.SWAP_FROM:
        rest, rank = divmod(number - E.SWAP_FROM, 2)
        kind, form = divmod(rest, 3)
        return f"swap {TILES[kind]} > {('run', 'set', 'pair')[form]}{_RANKS[rank]}"
    if number >= E.LAY_OKEY_SET_FROM:
        place, rank = divmod(number - E.LAY_OKEY_SET_FROM, 3)
        return f"lay * > set of {place + 1}{_RANKS[rank]}"
    if number >= E.LAY_SET_FROM:
        kind, rank = divmod(number - E.LAY_SET_FROM, 2)
        return f"lay {TILES[kind]} > set of {kind % 13 + 1}{_RANKS[rank]}"
    rest, rank = divmod(number - E.LAY_RUN_FROM, 2)
    rest, above = divmod(rest, 2)
    rest, okey = divmod(rest, 2)
    colour, span = divmod(rest, E.SPANS_OF_COLOUR)
    low, high = E.SPANS[span]
    letter = "RYBK"[colour]
    laid = high + 1 if above else low - 1
    if not 1 <= laid <= 13:
        return "nothing"  # no run goes on beyond 1 and 13
    tile = f"{letter}{laid}"
    return f"lay {'*' if okey else ''}{tile} > run {letter}{low}-{letter}{high}{_RANKS[rank]}"
