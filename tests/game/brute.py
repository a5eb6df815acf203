"""Every action that could be written in a small position, and what the judge says of each.

Nothing here knows how options are listed: it writes down pieces, subsets of the hand and numbers
of groups, and asks.
"""

from collections.abc import Iterator
from itertools import combinations, product

from okey101.errors import IllegalAction
from okey101.game import Deal, Ruling
from okey101.game.actions import PLAIN, Action, Back, Discard, Lay, Meld, Swap
from okey101.melds import ANY, AS, Form
from okey101.tiles import KINDS, OKEY, tiles_of_bits

_READINGS = (*range(AS, AS + KINDS), *range(ANY + 1, ANY + 14))


def ruling(deal: Deal, action: Action) -> Ruling | None:
    """What the judge makes of an action, None if it refuses."""
    try:
        return deal.judge(action)
    except IllegalAction:
        return None


def legal(deal: Deal, tried: Iterator[Action]) -> set[Action]:
    """The actions that are legal, in their normal form; openings that fall short left out."""
    rulings = (ruling(deal, action) for action in tried)
    return {r.action for r in rulings if r is not None and not r.short}


def plain_actions(deal: Deal) -> Iterator[Action]:
    """All but melds: every word, every tile, every piece on every group, one number too many."""
    yield from PLAIN.values()
    numbers = range(len(deal.public.table) + 2)
    for tile in range(OKEY + 1):
        yield Discard(tile)
        for number in numbers:
            if tile != OKEY:  # laid as what it stands for: below
                yield Lay(tile, number)
            yield Swap(tile, number)
    if deal.hands[deal.turn] >> 2 * OKEY:
        for piece, number in product(_READINGS, numbers):
            yield Lay(piece, number)
    for count in range(len(deal.public.placed) + 3):
        yield Back(count)


def single_groups(hand: list[int]) -> Iterator[tuple[int, ...]]:
    """Every subset of at least two tiles, its okeys read in every way."""
    seen = set()
    for size in range(2, len(hand) + 1):
        for chosen in combinations(hand, size):
            if chosen in seen:
                continue
            seen.add(chosen)
            naturals = tuple(t for t in chosen if t != OKEY)
            for okeys in _readings(len(chosen) - len(naturals), naturals):
                yield naturals + okeys


def _readings(okeys: int, naturals: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if okeys == 2:
        # Two okeys are written in order, for the order within a group says nothing.
        for i, first in enumerate(_READINGS):
            yield from ((first, second) for second in _READINGS[i:])
    else:
        yield from product(_READINGS, repeat=okeys)


def legal_melds(deal: Deal) -> set[Action]:
    """Every single group the judge allows; two okeys as a pair once, in the okey's own number."""
    hand = tiles_of_bits(deal.hands[deal.turn])
    found = set()
    for pieces in single_groups(hand):
        ruled = ruling(deal, Meld((pieces,)))
        if ruled is not None and not ruled.short:
            found.add(Meld((_named(deal, ruled.groups[0].form, ruled.groups[0].pieces),)))
    return set(found)


def _named(deal: Deal, form: Form, pieces: tuple[int, ...]) -> tuple[int, ...]:
    if form is Form.PAIR and all(p >= AS for p in pieces):
        okey = deal.public.okey
        number = 1 if okey is None else okey % 13 + 1
        return (ANY + number,) * 2
    return pieces


def legal_openings(
    deal: Deal, groups: dict[tuple[int, ...], tuple[int, ...]], most: int
) -> set[Action] | None:
    """Every opening that meets its threshold, its groups in order.

    ``groups`` holds the pieces of every valid group with the tiles it takes from the hand. None
    if there are more than ``most`` melds to ask about.
    """
    found: set[Action] = set()
    asked = 0

    def grow(start: int, left: list[int], chosen: tuple[tuple[int, ...], ...]) -> None:
        nonlocal asked
        if chosen:
            asked += 1
            ruled = ruling(deal, Meld(chosen))
            if ruled is not None and not ruled.short:
                found.add(Meld(tuple(sorted(g.pieces for g in ruled.groups))))
        for i in range(start, len(names) if asked <= most else 0):
            rest = list(left)
            try:
                for tile in groups[names[i]]:
                    rest.remove(tile)
            except ValueError:
                continue
            grow(i, rest, (*chosen, names[i]))

    names = list(groups)
    grow(0, tiles_of_bits(deal.hands[deal.turn]), ())
    return found if asked <= most else None
