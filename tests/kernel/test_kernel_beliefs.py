"""Worlds made likely by what others did: as often as they should be, and told by the view alone."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from bots.tables import TABLES, dealt
from conftest import Size, only_long
from okey101.bots import make_bot
from okey101.game import Deal, Discard, Opened, Options, RuleSet, apply, deal_from_hands, view_of
from okey101.game.dealing import deck_bits
from okey101.game.public import Draft
from okey101.kernel.beliefs import E_PLAYABLE, E_TILE, MOST_LIKELY, chance_of, evidence_of
from okey101.kernel.codes import masks_of_bits
from okey101.kernel.layout import HANDS
from okey101.kernel.playouts import Playouts
from okey101.kernel.solver import tables
from okey101.tiles import Rack, Tile, bits_of_tiles, count_bits, size_of_bits, tiles_of_bits

SMALL = (2, 1)
"""Tiles in the two hands that seat 2 does not see."""
UNSEEN = "R3 R4 R5 R5 K9 Y12"


def few_unseen(unseen: str) -> Deal:
    """Seat 2 sees all but these: two tiles of seat 0, one of seat 1, and the stock."""
    rules = RuleSet.preset("altinstar").with_(players=3)
    tiles = tiles_of_bits(Rack.parse(unseen).bits)
    hands = [bits_of_tiles(tiles[:2]), bits_of_tiles(tiles[2:3])]
    seen = deck_bits(Tile.B1) - bits_of_tiles(tiles)
    layout = deal_from_hands(
        rules, indicator=Tile.B1, hands=(*hands, seen), stock=tuple(tiles[3:]), dealer=1
    )
    draft = Draft.of(Deal.start(rules, layout).public)
    draft.opened = (Opened.MELDS, None, None)
    return Deal(layout, draft.seal(), layout.hands)


def playouts(deal: Deal, steps: int) -> Playouts:
    """Seat 2's, with something to be told of both others."""
    found = Playouts(view_of(deal, 2), steps=steps)
    found._evidence[0] = (int(Tile.K13), 1 << int(Tile.R5))
    found._evidence[1] = (int(Tile.Y11), 0)
    return found


def chances(found: Playouts) -> dict[tuple[int, int], float]:
    """Each pair of hands with its chance: every way to give tiles to places, by its likelihood."""
    row, pool = found._row.copy(), [int(tile) for tile in found._pool]
    known: dict[tuple[int, int], int] = {}

    def weight(seat: int, hand: int) -> int:
        if (seat, hand) not in known:
            row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1] = masks_of_bits(hand)
            known[seat, hand] = chance_of(
                tables(), found._rules, row, seat, found._evidence, found._grades
            )
        return known[seat, hand]

    weights: Counter[tuple[int, int]] = Counter()
    for first in combinations(range(len(pool)), SMALL[0]):
        rest = [place for place in range(len(pool)) if place not in first]
        one = bits_of_tiles([pool[place] for place in first])
        for second in combinations(rest, SMALL[1]):
            two = bits_of_tiles([pool[place] for place in second])
            weights[one, two] += weight(0, one) * weight(1, two)
    total = sum(weights.values())
    return {hands: points / total for hands, points in weights.items()}


def apart(wanted: dict[tuple[int, int], float], found: Playouts, draws: int) -> float:
    """Pearson's chi-squared of drawn hands, in its own standard deviations above its mean."""
    got = Counter(world.hands[:2] for world in found.deals(11, 0, draws))
    assert not got.keys() - wanted.keys()
    rare = {hands for hands, chance in wanted.items() if chance * draws < 5}
    cells = [(got[h], chance * draws) for h, chance in wanted.items() if h not in rare]
    if rare:
        cells.append((sum(got[h] for h in rare), draws * math.fsum(wanted[h] for h in rare)))
    chi = math.fsum((seen - due) ** 2 / due for seen, due in cells)
    freedom = len(cells) - 1
    return (chi - freedom) / math.sqrt(2 * freedom)


def test_a_walk_comes_to_each_world_as_often_as_it_is_likely(size: Size) -> None:
    deal = few_unseen(UNSEEN)
    found = playouts(deal, 25)
    wanted = chances(found)
    assert max(wanted.values()) > 20 * min(wanted.values())
    draws = size(500, long=100_000)
    assert apart(wanted, found, draws) < 4
    assert apart(wanted, playouts(deal, 1), draws) > 4  # before the walk all are equally likely


def test_without_evidence_a_walk_leaves_all_worlds_as_likely() -> None:
    deal = few_unseen(UNSEEN)
    found = playouts(deal, 5)
    found._evidence[:, E_TILE] = -1
    wanted = chances(found)
    assert apart(wanted, found, 500) < 4


@pytest.mark.parametrize("table", ["wiki-3", "pagat-teams", *only_long("altinstar-4")])
def test_every_world_of_a_walk_fits_the_view(table: str) -> None:
    """Hands have their sizes and the tiles known of them, and with the stock they are all tiles."""
    deal = dealt(TABLES[table], 3)
    bots = [make_bot("greedy") for _ in range(deal.rules.players)]
    for _ in range(40):
        view = view_of(deal, deal.turn)
        for world in Playouts(view, steps=20).deals(5, 0, 3):
            left = view.unseen
            for seat, hand in enumerate(world.hands):
                assert size_of_bits(hand) == view.public.sizes[seat]
                known = view.public.known[seat]
                assert all(count_bits(hand, t) >= count_bits(known, t) for t in range(54))
                left -= hand if seat != view.seat else 0
            assert size_of_bits(left) == view.public.stock_count
        deal = apply(deal, bots[deal.turn].choose(view, Options(view)))
        if deal.over:
            break


def test_the_evidence_is_what_lay_there_when_it_was_thrown() -> None:
    compared = 0
    for number in range(3):
        deal = dealt(TABLES["altinstar-4"], number)
        thrown: dict[int, tuple[int, int]] = {}
        while True:
            found = evidence_of(deal.public, deal.turn)
            for seat, (tile, playable) in thrown.items():
                if seat != deal.turn:
                    assert found[seat, E_TILE] == tile
                    assert not int(found[seat, E_PLAYABLE]) & ~playable
                    compared += bool(playable) and int(found[seat, E_PLAYABLE]) == playable
            view = view_of(deal, deal.turn)
            action = make_bot("greedy").choose(view, Options(view))
            if isinstance(action, Discard):
                thrown[deal.turn] = int(action.tile), deal.public.playable
            deal = apply(deal, action)
            if deal.over:
                break
    assert compared > 20


def test_greedy_hands_are_the_likely_ones() -> None:
    """What ``greedy`` threw is what it would throw: its true hand tells no other story."""
    whole = held = 0
    for number in range(6):
        deal = dealt(TABLES["altinstar-4"], number)
        while not deal.over:
            view = view_of(deal, deal.turn)
            action = make_bot("greedy").choose(view, Options(view))
            if isinstance(action, Discard):
                true = Playouts.with_hands(deal)
                for seat, hand in enumerate(deal.hands):
                    at = HANDS + 2 * seat
                    true._row[at], true._row[at + 1] = masks_of_bits(hand)
                    if true._evidence[seat, E_TILE] >= 0:
                        held += 1
                        whole += (
                            chance_of(
                                tables(), true._rules, true._row, seat, true._evidence, true._grades
                            )
                            == MOST_LIKELY
                        )
            deal = apply(deal, action)
    assert held > 100
    assert whole > 0.8 * held, (whole, held)


def test_grades_are_as_many_as_they_should_be() -> None:
    deal = few_unseen(UNSEEN)
    assert playouts(deal, 1)._grades.shape == np.zeros(9).shape
