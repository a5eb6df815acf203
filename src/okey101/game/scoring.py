"""What a finished deal is worth: the table of section 8, the fines, and deals without a winner."""

from __future__ import annotations

from okey101.game.deal_parts import End, Fine, Opened, Result, Score
from okey101.game.public import OpenSide
from okey101.game.ruleset import RuleSet
from okey101.tiles import OKEY, PackedRack, count_bits, points_of_bits

WINNER_POINTS = -101
"""The winner's score before doubling (C1)."""
UNOPENED_POINTS = 202
"""A hand that hasn't opened, before doubling (C1)."""
OKEY_POINTS = 101
"""An okey left in hand where it counts as a tile (C2)."""


def finish_factors(*, okey: bool, pairs: bool, whole: bool, riziko: bool) -> tuple[str, ...]:
    """The doublings of a finish, by name (C1, R7, R8).

    ``riziko`` says that the deal is one; it doubles only a finish with the okey, the false joker.
    """
    flags = {"okey": okey, "pairs": pairs, "whole-hand": whole, "riziko": okey and riziko}
    return tuple(name for name, holds in flags.items() if holds)


def unopened_points(rules: RuleSet, factors: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """What an unopened hand costs before doubling, and the doublings that apply to it.

    S1's page gives a fixed figure where pairs finish with the okey (C1). Where all losers of a
    riziko deal pay alike, it is what they pay (R8).
    """
    if flat_loss(rules, factors):
        return -WINNER_POINTS, factors
    if "okey" in factors and "pairs" in factors:
        rest = tuple(f for f in factors if f not in ("okey", "pairs"))
        return rules.unopened_pairs_okey, rest
    return UNOPENED_POINTS, factors


def flat_loss(rules: RuleSet, factors: tuple[str, ...]) -> bool:
    """Whether every loser pays the winner's points, opened or not: the riziko finish (R8)."""
    return "riziko" in factors and rules.riziko_losers == "flat"


def score_stock(public: OpenSide, hands: tuple[PackedRack, ...]) -> Result:
    """Score a deal that ended with the stock: hands counted, or void but for okeys (E3).

    ``hands`` are packed racks.
    """
    rules = public.setup.rules
    if rules.empty_stock == "void_but_okeys":
        return score_void(hands, End.STOCK, okey_fine=rules.okey_in_hand_fine)
    return score_hands(public, hands, None, ())


def score_hands(
    public: OpenSide, hands: tuple[PackedRack, ...], winner: int | None, factors: tuple[str, ...]
) -> Result:
    """Score a deal that a seat finished, or nobody did, by the hands, which are packed racks.

    ``factors`` are as :func:`finish_factors` gives them.
    """
    rules = public.setup.rules
    fines = public.fines + _kept_okeys(public, hands, winner)
    sheet = []
    for seat, hand in enumerate(hands):
        base, applied = _hand_points(public, seat, hand, factors)
        if seat == winner:
            base, applied = WINNER_POINTS, factors
        elif winner is None and not rules.stock_pairs_doubled:  # nobody finished (R13)
            applied = ()
        elif winner is not None and rules.partner_waived and seat == (winner + 2) % 4:
            base, applied = 0, ()
        sheet.append(_score(seat, base, applied, fines))
    end = End.STOCK if winner is None else End.FINISH
    return _result(end, winner, sheet, fines, counts=True)


def score_void(hands: tuple[PackedRack, ...], end: End, *, okey_fine: int) -> Result:
    """A void deal: nothing stands but a fine, 0 for none, for each okey in a hand (O7, E3, R4).

    ``hands`` are packed racks.
    """
    held = ((seat, count_bits(hand, OKEY)) for seat, hand in enumerate(hands))
    fines = tuple(Fine(seat, "P5", okey_fine) for seat, n in held for _ in range(n) if okey_fine)
    sheet = [_score(seat, 0, (), fines) for seat in range(len(hands))]
    return _result(end, None, sheet, fines, counts=False)


def _hand_points(
    public: OpenSide, seat: int, hand: PackedRack, factors: tuple[str, ...]
) -> tuple[int, tuple[str, ...]]:
    """A loser's hand before doubling, and what doubles it (C1, C2)."""
    rules = public.setup.rules
    if public.opened[seat] is None or flat_loss(rules, factors):
        return unopened_points(rules, factors)
    okey_points = OKEY_POINTS if rules.okey_in_hand == "tile_101" else 0
    points = points_of_bits(hand, public.setup.okey, okey_points)
    own = ("own-pairs",) if public.opened[seat] is Opened.PAIRS else ()
    return points, factors + own


def _kept_okeys(
    public: OpenSide, hands: tuple[PackedRack, ...], winner: int | None
) -> tuple[Fine, ...]:
    """The fines for okeys kept by seats that opened, where they are fines (P5, C2, R10)."""
    rules = public.setup.rules
    if rules.okey_in_hand != "fine_101" or not rules.okey_in_hand_fine:
        return ()
    return tuple(
        Fine(seat, "P5", rules.okey_in_hand_fine)
        for seat, hand in enumerate(hands)
        if seat != winner and public.opened[seat] is not None
        for _ in range(count_bits(hand, OKEY))
    )


def _score(seat: int, base: int, factors: tuple[str, ...], fines: tuple[Fine, ...]) -> Score:
    fined = sum(f.points for f in fines if f.seat == seat)
    return Score(seat, base, factors, fined, base * 2 ** len(factors) + fined)


def _result(
    end: End, winner: int | None, sheet: list[Score], fines: tuple[Fine, ...], *, counts: bool
) -> Result:
    return Result(end, winner, tuple(s.total for s in sheet), fines, tuple(sheet), counts)
