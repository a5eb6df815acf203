"""Pairs: the closed form, the choices, and their order."""

from __future__ import annotations

import random
from collections.abc import Iterator

from okey101.melds import AS
from okey101.solver import Objective, arrange_bits, arrangements_bits, count_pairs_bits
from okey101.tiles import Rack, Tile
from solver import brute
from solver.racks import draw

Pairs = tuple[tuple[int, int], ...]


def choices(hand: brute.Hand) -> Iterator[Pairs]:
    """Every way to make pairs, two okeys as red 13s."""
    pairs = [(k, k) for k in range(52)] + [(k, AS + k) for k in range(52)]
    pairs.append((AS + 12, AS + 12))

    def go(hand: brute.Hand, first: int, chosen: Pairs) -> Iterator[Pairs]:
        yield chosen
        for place in range(first, len(pairs)):
            rest = brute.without(hand, pairs[place])
            if rest is not None:
                yield from go(rest, place, (*chosen, pairs[place]))

    yield from go(hand, 0, ())


def test_choices_by_enumeration() -> None:
    rng = random.Random(11)
    for number in range(60):
        position = draw(rng, rng.randint(2, 10), number % 3, 1)
        every = sorted(
            (
                (len(pairs), sum((p & 63) % 13 + 1 for pair in pairs for p in pair))
                for pairs in choices(brute.hand_of(*position))
            ),
            reverse=True,
        )
        found = arrangements_bits(*position, Objective.PAIRS, 10**6)
        assert [(one.pairs, one.points) for one in found] == every
        assert len({one.pieces for one in found}) == len(found)
        assert count_pairs_bits(*position) == every[0][0]
        for keep in (1, 2, 5):
            size = len(Rack.from_bits(position.bits))
            kept = [rank for rank in every if size - 2 * rank[0] >= keep]
            best = arrange_bits(*position, Objective.PAIRS, keep=keep)
            assert (best and (best.pairs, best.points)) == (kept[0] if kept else None)
        for tile in Rack.from_bits(position.bits):
            melded = [
                (one.pairs, one.points)
                for one in found
                if one.left.count(tile) < Rack.from_bits(position.bits).count(tile)
            ]
            best = arrange_bits(*position, Objective.PAIRS, must=tile)
            assert (best and (best.pairs, best.points)) == (melded[0] if melded else None)


def test_two_false_jokers_are_a_pair() -> None:
    found = arrange_bits(Rack.parse("F F R1").bits, Tile.B6, Objective.PAIRS)
    assert found is not None
    assert found.pieces == ((Tile.F, Tile.F),)
    assert found.points == 12
