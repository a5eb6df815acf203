"""Deals played at random: fines and scores against a few lines written from sections 8 and 9."""

import hashlib
import random
from collections import Counter
from collections.abc import Callable

import pytest

from conftest import unwrap
from okey101.game import Deal, End, Opened, RuleSet, apply, deal_from_seed, options_of, parse_action
from okey101.game.actions import Action, Discard
from okey101.tiles import OKEY, Tile, tiles_of_bits
from rules.table import rules_of
from rules.test_uses_by_trying import made


def chosen(deal: Deal, rng: random.Random) -> Action:
    """A random action that likes to open, to lay and to take, and seldom takes tiles back."""
    options = options_of(deal)
    openings = [a for a in (options.opening, options.opening_pairs) if a]
    if openings:
        return rng.choice(openings)
    if options.take and rng.random() < 0.5:
        return parse_action("take")
    laying: list[Action] = [*options.melds, *options.lays, *options.swaps]
    if laying and rng.random() < 0.7:
        return rng.choice(laying)
    acts = options.actions()
    few = [a for a in acts if not str(a).startswith("back") or rng.random() < 0.1]
    return rng.choice(few or acts)


def fine_of(deal: Deal, tile: int) -> tuple[str, int] | None:
    """P1 and P2 for a discard that does not finish."""
    rules = deal.rules
    if tile == OKEY:
        return ("P1", rules.okey_discard_fine) if rules.okey_discard_fine else None
    fits = any(
        len(group) > 2 and made((*group.pieces, tile), deal.public.okey)
        for group in deal.public.table
    )
    return ("P2", rules.playable_discard_fine) if fits and rules.playable_discard_fine else None


def hand_value(deal: Deal, seat: int) -> int:
    """h: faces, a false joker as the okey's number, an okey as 101 or left to a fine (C2)."""
    total = 0
    for tile in tiles_of_bits(deal.hands[seat]):
        if tile == OKEY:
            total += 101 if deal.rules.okey_in_hand == "tile_101" else 0
        elif tile == Tile.F:
            total += unwrap(deal.public.okey) % 13 + 1
        else:
            total += tile % 13 + 1
    return total


def expected(
    deal: Deal, before: tuple[Opened | None, ...], fined: list[tuple[int, int]]
) -> list[int]:
    """The scores of a deal that is over; ``before``: who had opened when the last turn began."""
    rules, result, public = deal.rules, deal.result, deal.public
    assert result is not None
    okeys = [tiles_of_bits(hand).count(OKEY) for hand in deal.hands]
    if result.end is End.ALL_PAIRS or (
        result.end is End.STOCK and rules.empty_stock == "void_but_okeys"
    ):
        void = result.end is End.ALL_PAIRS and rules.all_pairs == "void"
        return [0 if void else rules.okey_in_hand_fine * n for n in okeys]
    times, flat, alike = 1, 202, False
    winner = result.winner
    if winner is not None:
        last = str(public.actions[-1][1])
        pairs, okey = public.opened[winner] is Opened.PAIRS, last == "discard *"
        others = [o for seat, o in enumerate(public.opened) if seat != winner and o]
        whole = before[winner] is None and public.opened[winner] is not None and not others
        riziko = okey and public.okey is None
        alike = riziko and rules.riziko_losers == "flat"
        times = 2 ** (okey + pairs + whole + riziko)
        flat = 202 * times
        if okey and pairs and rules.unopened_pairs_okey == 404:
            flat = 404 * 2 ** (whole + riziko)
    scores = [sum(points for seat, points in fined if seat == s) for s in range(rules.players)]
    for seat, opened in enumerate(public.opened):
        if seat == winner:
            scores[seat] += -101 * times
        elif rules.partner_waived and winner is not None and seat == (winner + 2) % 4:
            pay = rules.okey_in_hand == "fine_101" and opened is not None
            scores[seat] += rules.okey_in_hand_fine * okeys[seat] if pay else 0
        elif alike:
            scores[seat] += 101 * times
        elif opened is None:
            scores[seat] += flat
        else:
            twice = winner is not None or rules.stock_pairs_doubled
            own = 2 if opened is Opened.PAIRS and twice else 1
            scores[seat] += hand_value(deal, seat) * times * own
            scores[seat] += (
                rules.okey_in_hand_fine * okeys[seat] if rules.okey_in_hand == "fine_101" else 0
            )
    return scores


def play_out(rules: RuleSet, number: int) -> tuple[Deal, list[int]]:
    """A random deal, with its fines checked action by action, and the scores to expect."""
    rng = random.Random(number)
    seed = hashlib.sha256(number.to_bytes(4, "big")).digest()
    deal = Deal.start(rules, deal_from_seed(rules, seed, number % rules.players))
    before = deal.public.opened
    fined: list[tuple[int, int]] = []
    while not deal.over:
        action = chosen(deal, rng)
        after = apply(deal, action)
        new = [
            f for f in after.public.fines[len(deal.public.fines) :] if f.rule not in ("U7", "X4")
        ]
        if isinstance(action, Discard):
            finishing = len(deal.rack(deal.turn)) == 1
            fine = None if finishing else fine_of(deal, action.tile)
            assert [(f.seat, f.rule, f.points) for f in new] == (
                [(deal.turn, *fine)] if fine else []
            )
        elif not str(action).startswith("back"):
            assert new == []
        fined += [(f.seat, f.points) for f in after.public.fines[len(deal.public.fines) :]]
        if after.turn != deal.turn:
            before = after.public.opened
        deal = after
    return deal, expected(deal, before, fined)


VARIANTS: dict[str, dict[str, object]] = {
    "as it is": {},
    "easy": {"open_points": 51, "open_pairs": 4, "reclaim_okey": True},
    "rising": {"open_points": 51, "rising": True, "players": 3},
    "amounts": {
        "open_points": 51,
        "open_pairs": 4,
        "okey_in_hand_fine": 33,
        "take_back_fine": 44,
        "taken_to_open_fine": 55,
        "riziko_losers": "hand",
    },
    "partners": {
        "open_points": 51,
        "teams": True,
        "partner_opens": True,
        "partner_waived": True,
        "rising": True,
    },
    "laying": {
        "open_points": 51,
        "melds_lay_pairs": True,
        "pairs_lay_off": "none",
        "lay_off_when_opening": False,
    },
    "two": {"open_points": 61, "players": 2, "taken_discard_fine": 7},
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_C1_C2_C3_P1_P2_random_deals(preset: str, variant: str, size: Callable[..., int]) -> None:
    rules = rules_of(preset).with_(**VARIANTS[variant])
    ends: Counter[str] = Counter()
    for number in range(size(6, long=400)):
        deal, scores = play_out(rules, number)
        assert deal.result is not None
        assert list(deal.result.scores) == scores, number
        ends[deal.result.end.value] += 1
    assert ends
