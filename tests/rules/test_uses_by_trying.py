"""Whether a discard can be used, or a hand finished, against trying everything (U2, U3, R1, E4)."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any

import pytest

from conftest import Size
from okey101.errors import IllegalAction, OkeyError
from okey101.game import Action, Deal, Opened, parse_action, position_of
from okey101.melds import ANY, AS, Form, Group, make_group, tile_of_piece
from okey101.tiles import BITS_OF, OKEY, count_bits, size_of_bits, tiles_of_bits
from rules.table import MELDS, PAIRS, play, table

State = tuple[tuple[Group, ...], int]
"""The groups on the table, and a packed hand."""


def made(pieces: tuple[int, ...], okey: int | None) -> Group | None:
    try:
        return make_group(pieces, okey)
    except IllegalAction:
        return None


def groups_in(hand: int, okey: int | None, *, pairs: bool) -> set[Group]:
    """Every set and run, or every pair, in a small hand."""
    tiles = tiles_of_bits(hand)
    found = set()
    for size in (2,) if pairs else range(3, min(len(tiles), 7) + 1):
        for chosen in set(combinations(tiles, size)):
            natural = [t for t in chosen if t != OKEY]
            for okeys in product(stands(natural, okey), repeat=size - len(natural)):
                group = made((*natural, *okeys), okey)
                if group is not None:
                    found.add(group)
    return found


def stands(natural: list[int], okey: int | None) -> list[int]:
    """What an okey beside these tiles may stand for: any tile of their colours or numbers."""
    kinds = {okey if t >= 52 and okey is not None else t for t in natural} or {0}
    colours, numbers = {k // 13 for k in kinds}, {k % 13 for k in kinds}
    pieces = [AS + k for k in range(52) if k // 13 in colours or k % 13 in numbers]
    return pieces + [ANY + n + 1 for n in numbers]


def moves(
    state: State, opened: Opened, okey: int | None, *, swaps: bool, lays: bool, both: bool
) -> Iterator[State]:
    """Every state after one more meld, pair, lay-off or swap; a tile has to be left."""
    table, hand = state
    groups = groups_in(hand, okey, pairs=opened is Opened.PAIRS)
    if both and any(len(group) == 2 for group in table):
        groups |= groups_in(hand, okey, pairs=True)
    for group in groups:
        if group.bits != hand:
            yield (*table, group), hand - group.bits
    for index, group in enumerate(table):
        for tile in set(tiles_of_bits(hand)):
            left = hand - BITS_OF[tile]
            changed: list[tuple[Group | None, int]] = []
            if lays and left and group.form is not Form.PAIR:
                pieces = [tile] if tile != OKEY else stands(list(group.pieces[:1]), okey)
                if tile == OKEY:
                    pieces = [AS + k for k in range(52)]
                changed += [(made((*group.pieces, p), okey), left) for p in pieces]
            if swaps and tile != OKEY:
                changed.append((swapped(group, tile, okey), left + BITS_OF[OKEY]))
            for after, rest in changed:
                if after is not None:
                    yield (*table[:index], after, *table[index + 1 :]), rest


def swapped(group: Group, tile: int, okey: int | None) -> Group | None:
    """The group with the real tile for an okey that certainly stands for it (X2)."""
    kind = okey if tile == 52 else tile
    for i, piece in enumerate(group.pieces):
        if kind is not None and piece == AS + kind:
            return made((*group.pieces[:i], tile, *group.pieces[i + 1 :]), okey)
    return None


def reachable(
    state: State,
    opened: Opened,
    okey: int | None,
    *,
    swaps: bool = False,
    lays: bool = True,
    both: bool = False,
) -> Iterator[State]:
    """Every state that melds, lay-offs and swaps of one turn can reach, the first one included.

    ``lays``: lay-offs are allowed (X6); ``both``: pairs beside melds, if some lie there (X8).
    """
    seen = {state}
    queue = [state]
    while queue:
        now = queue.pop()
        yield now
        for after in moves(now, opened, okey, swaps=swaps, lays=lays, both=both):
            if after not in seen:
                seen.add(after)
                queue.append(after)


def openings(deal: Deal, hand: int) -> Iterator[tuple[Group, ...]]:
    """Every opening that meets the thresholds of the rules (O1, O2), or any after a partner's (X5).

    A taken discard is held in one of its groups: the whole hand alone does not do (R17).
    """
    rules, okey = deal.rules, deal.public.okey
    free = rules.teams and deal.public.opened[3] is not None
    for pairs in (False, True):
        # Groups of the same tiles that count and grow alike need no telling apart.
        made_so = {(g.bits, g.accepts, g.points): g for g in groups_in(hand, okey, pairs=pairs)}
        groups = list(made_so.values())
        for chosen, left in disjoint(groups, hand):
            enough = (
                len(chosen) >= rules.open_pairs
                if pairs
                else sum(g.points for g in chosen) >= rules.open_points
            )
            if left and (enough or free):
                yield chosen


def disjoint(groups: list[Group], hand: int) -> Iterator[tuple[tuple[Group, ...], int]]:
    """Every choice of groups that the hand holds together, with what it leaves."""
    for i, group in enumerate(groups):
        tiles = [tile_of_piece(p) for p in group.pieces]
        held = tiles_of_bits(hand)
        if all(held.count(t) >= tiles.count(t) for t in tiles):
            left = hand - group.bits
            yield (group,), left
            for chosen, rest in disjoint(groups[i:], left):
                yield (group, *chosen), rest


TAKE, INDICATOR = parse_action("take"), parse_action("indicator")
TILES = [f"{c}{n}" for c in "RYBK" for n in (4, 5, 6, 8, 9, 10)] * 2 + ["*", "*", "F", "F"]
FITTING = ["R10", "R9", "Y10", "Y9", "K10", "K9", "B10", "B7", "B6", "F", "*", "K4"]
EXTRA = ("", "R8 R9 R10", "Y9 K9 *9", "R5 *5 *5", "B4 *B5 B6", "Y4 Y5 Y6 / K8 *K9 K10", "Y5 K5 *5")
PARTS = (
    "B6 B7", "B7 F", "F B10", "R8 Y8", "R8 R9 R10", "Y8 Y9 Y10", "K8 K9 K10", "R10 Y10 K10",
    "R6 Y6 K6", "K4 K4", "Y4 Y4", "R4 R4", "R5 R5", "Y5 Y5", "F *", "K10", "R10", "K5", "Y10",
)  # fmt: skip


def some(rng: random.Random, size: int, tiles: Sequence[str] = TILES) -> str:
    """Random tiles of a few numbers, now and then an okey or a false joker."""
    return " ".join(rng.sample(tiles, size))


def position(
    rng: random.Random, rules: str, *, tiles: Sequence[str] = TILES, **changes: Any
) -> Deal | None:
    """Seat 0 has laid melds; seat 1 has opened and holds up to six tiles; seat 0 has thrown one."""
    first, extra = MELDS, rng.choice(EXTRA)
    opening = rng.choice([MELDS, PAIRS[0]])
    if changes.get("melds_lay_pairs") and rng.random() < 0.7:
        first, extra, opening = PAIRS[1], "", MELDS
    thrown = some(rng, 1)
    hand = some(rng, rng.randint(1, 6), tiles)
    hands = [f"{first} {extra} B3 {thrown} B1 B1", f"{opening} {hand} B3"]
    try:
        deal = table(rules, hands, indicator="B8", stock="B11 B11", **changes)
    except OkeyError:
        return None  # a third copy of a tile
    deal = play(deal, f"meld {first}", *([f"meld {extra}"] if extra else []), "discard B3", "draw")
    return play(deal, f"meld {opening}", "discard B3", "draw", f"discard {thrown}")


FIELDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "swaps": {"reclaim_okey": True},
    "no lay-offs": {"pairs_lay_off": "none"},
    "both": {"melds_lay_pairs": True, "reclaim_okey": True},
    "swaps, no lay-offs": {"reclaim_okey": True, "pairs_lay_off": "none"},
}
"""What a rule set may be beyond its preset (X2, X6, X8)."""


def states(deal: Deal, hand: int) -> Iterator[State]:
    """All that the seat to act, which has opened, can come to with this hand in one turn."""
    rules, opened = deal.rules, deal.public.opened[deal.turn]
    assert opened is not None
    lays = opened is Opened.MELDS or rules.pairs_lay_off == "all"
    start = deal.public.table, hand
    return reachable(
        start, opened, deal.public.okey, swaps=rules.reclaim_okey, lays=lays,
        both=rules.melds_lay_pairs,
    )  # fmt: skip


def agrees(
    wanted: int, make: Callable[[], Deal | None], action: Action, does: Callable[[Deal], bool]
) -> None:
    """So many deals in which an action is legal exactly where it does what it is for."""
    seen: Counter[bool] = Counter()
    while seen.total() < wanted:
        deal = make()
        if deal is not None:
            expected = does(deal)
            assert (action in deal.legal_actions()) == expected, position_of(deal)
            seen[expected] += 1
    assert min(seen[True], seen[False]) >= wanted // 20


@pytest.mark.parametrize("fields", FIELDS)
def test_U3_R1_X6_X8_the_discard_can_be_taken_exactly_where_a_use_exists(
    fields: str, size: Size
) -> None:
    def usable(deal: Deal) -> bool:
        tile = deal.public.discards[0][-1]
        hand = deal.hands[1] + BITS_OF[tile]
        copies = count_bits(hand, tile)
        return any(count_bits(left, tile) < copies for _, left in states(deal, hand))

    make = partial(position, random.Random(101), "pagat", **FIELDS[fields])
    agrees(size(40, long=2_000), make, TAKE, usable)


@pytest.mark.parametrize("fields", FIELDS)
def test_E4_X6_X8_the_indicator_can_be_drawn_exactly_where_it_finishes(
    fields: str, size: Size
) -> None:
    def finishes(deal: Deal) -> bool:
        hand = deal.hands[1] + BITS_OF[deal.public.setup.indicator]
        return any(size_of_bits(left) == 1 for _, left in states(deal, hand))

    make = partial(position, random.Random(202), "wiki", tiles=FITTING, **FIELDS[fields])
    agrees(size(40, long=2_000), make, INDICATOR, finishes)


def unopened(rng: random.Random, rules: str, **changes: Any) -> Deal | None:
    """Seat 1 has not opened, with a low threshold; seat 0 has opened and throws a tile.

    In teams its partner has opened before (X5).
    """
    parts = " ".join(rng.sample(PARTS, rng.randint(2, 5)))
    first = PAIRS[0] if changes.get("melds_lay_pairs") else MELDS
    thrown = some(rng, 1, FITTING)
    hands = [f"{first} {thrown} B1 B1", f"{parts} B3"]
    starter, stock, before = 0, "", []
    if changes.get("teams"):
        hands += ["B2 B2", f"{MELDS} B3 K2"]
        starter, stock, before = 3, "B11", [f"meld {MELDS}", "discard B3", "draw"]
    try:
        low: dict[str, Any] = {"open_points": 51, "open_pairs": 4} | changes
        deal = table(rules, hands, indicator="B8", stock=stock, starter=starter, **low)
    except OkeyError:
        return None
    return play(deal, *before, f"meld {first}", f"discard {thrown}")


PARTNERS = {"teams": True, "partner_opens": True}


@pytest.mark.parametrize("changes", [{}, PARTNERS], ids=str)
def test_U2_U3_X5_unopened_it_can_be_taken_exactly_where_an_opening_holds_it(
    changes: dict[str, Any], size: Size
) -> None:
    def usable(deal: Deal) -> bool:
        tile = deal.public.discards[0][-1]
        found = openings(deal, deal.hands[1] + BITS_OF[tile])
        return any(count_bits(group.bits, tile) for chosen in found for group in chosen)

    make = partial(unopened, random.Random(303), "pagat", **changes)
    agrees(size(20, long=600), make, TAKE, usable)


AT_ONCE: list[dict[str, Any]] = [
    {}, {"pairs_lay_off": "none"}, {"lay_off_when_opening": False}, {"melds_lay_pairs": True},
    PARTNERS, PARTNERS | {"lay_off_when_opening": False},
]  # fmt: skip


@pytest.mark.parametrize("changes", AT_ONCE, ids=str)
def test_E4_X5_X6_X8_unopened_the_indicator_can_be_drawn_exactly_where_it_finishes(
    changes: dict[str, Any], size: Size
) -> None:
    def finishes(deal: Deal) -> bool:
        hand = deal.hands[1] + BITS_OF[deal.public.setup.indicator]
        for chosen in openings(deal, hand):
            opened = Opened.PAIRS if len(chosen[0]) == 2 else Opened.MELDS
            start = (*deal.public.table, *chosen), hand - sum(g.bits for g in chosen)
            lays = deal.rules.lay_off_when_opening and (
                opened is Opened.MELDS or deal.rules.pairs_lay_off == "all"
            )
            both = deal.rules.melds_lay_pairs
            found = reachable(start, opened, deal.public.okey, lays=lays, both=both)
            if any(size_of_bits(left) == 1 for _, left in found):
                return True
        return False

    make = partial(unopened, random.Random(405), "wiki", **changes)
    agrees(size(20, long=600), make, INDICATOR, finishes)
