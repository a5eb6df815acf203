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

from okey101.game.actions import (
    PLAIN,
    Action,
    Back,
    Discard,
    Lay,
    Meld,
    Swap,
)
from okey101.game.options import Options
from okey101.game.public import Public
from okey101.kernel import envs as E
from okey101.kernel import layout as L
from okey101.kernel.codes import group_word, pieces_of_word
from okey101.melds import AS, Form, Group, Pieces, make_group, piece_text
from okey101.tiles import KINDS, TILES, Kind

N_ACTIONS = E.NUMBERS
"""How many numbers there are: 10,875, whatever the rules."""

_PLAIN = tuple(PLAIN.values())
_PLAIN_NUMBERS = {type(action): number for number, action in enumerate(_PLAIN)}
_FORMS = {Form.RUN: 0, Form.SET: 1, Form.PAIR: 2}


def numbered(options: Options) -> dict[int, Action]:
    """The legal micro-actions of the seat to act by their numbers, in the order of the options.

    >>> from okey101 import Deal
    >>> from okey101.game import options_of
    >>> found = numbered(options_of(Deal.start("pagat", seed=7)))
    >>> [(number, str(action)) for number, action in found.items()][:2]
    [(11, 'discard R4'), (14, 'discard R7')]
    """
    found: dict[int, Action] = {}
    public = options.view.public
    for action in options.actions():
        kind = type(action)
        if isinstance(action, Discard):
            found[E.DISCARD_FROM + action.tile] = action
        elif kind in _PLAIN_NUMBERS:
            found[_PLAIN_NUMBERS[kind]] = action
        elif isinstance(action, Meld):
            if public.opened[public.turn] is None:
                found[E.OPEN_NUMBER if action is options.opening else E.PAIRS_NUMBER] = action
            else:
                found[_meld_number(action.pieces[0], public.setup.okey)] = action
        elif not isinstance(action, Back):
            assert isinstance(action, Lay | Swap)
            found.setdefault(_target_number(action, public), action)
    return found


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


@cache
def _melds() -> dict[int, int]:
    return {word: E.MELD_RUN_FROM + place for place, word in enumerate(melds_in_order())}


@lru_cache(maxsize=1 << 14)
def _meld_number(pieces: Pieces, okey: Kind | None) -> int:
    word = group_word(make_group(pieces, okey))
    if word & 3 == L.PAIR and word >> 10 & 1:
        return E.NUMBERS - 1
    return _melds()[word]


def _target_number(action: Lay | Swap, public: Public) -> int:
    """The number of a lay-off or a swap, told apart from those on other groups of the table."""
    own = public.table[action.group - 1]
    base = _base(action, own)
    if len(public.table) == 1:
        return base
    like = {
        group_word(group)
        for group in public.table
        if group is not own and group.form is own.form and _base(action, group) == base
    }
    if not like:
        return base
    word = group_word(own)
    return base + sum(other < word for other in like)


def _base(action: Lay | Swap, group: Group) -> int:
    """The number with this group as the first of its like; -1 where it can't be."""
    if isinstance(action, Swap):
        kind = group.okey if action.tile == KINDS else action.tile
        if kind is None or AS + kind not in group.pieces:
            return -1
        return E.SWAP_FROM + (kind * 3 + _FORMS[group.form]) * 2
    piece = action.piece
    if not group.takes(piece):
        return -1
    okey = piece >= AS
    if group.form is Form.SET:
        if okey:
            return E.LAY_OKEY_SET_FROM + (group.low - 1) * 3
        return E.LAY_SET_FROM + (group.kind_of(piece) or 0) * 2
    kind = group.kind_of(piece)
    assert kind is not None
    at = group.colour * E.SPANS_OF_COLOUR + int(E.SPAN_AT[group.low, group.high])
    return E.LAY_RUN_FROM + ((at * 2 + okey) * 2 + (kind % 13 + 1 > group.high)) * 2


def meaning(number: int) -> str:
    """A number in words; a false joker that is laid is called as the kind that it stands for.

    Raises ValueError for what is no number of an action.

    >>> [meaning(n) for n in (0, 8, 64, 2280, 2319)]
    ['draw', 'discard R1', 'lay R4 > run R1-R3', 'lay * > set of 1 (third)', 'swap R1 > set']
    >>> meaning(2630), meaning(N_ACTIONS - 1)
    ('meld *R1 R2 R3', 'meld * *')
    """
    if not 0 <= number < E.NUMBERS:
        raise ValueError(f"actions have the numbers 0 to {E.NUMBERS - 1}, not {number}")
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
