"""Small tables laid out by hand, played line by line: the language of the rule tests."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from conftest import unwrap
from okey101.errors import IllegalAction
from okey101.game import (
    PRESETS,
    Deal,
    Fine,
    Phase,
    RuleSet,
    apply,
    deal_from_hands,
    parse_action,
    parse_line,
)
from okey101.tiles import Rack

MELDS = "R11 R12 R13 / Y11 Y12 Y13 / K11 K12 K13"
"""An opening of 108 points that two seats can hold; it takes R10, Y10 and K10."""
NO_K13 = MELDS.replace(" K13", "")
"""All of it but the black 13."""
PAIRS = (
    "R1 R1 / Y1 Y1 / K1 K1 / R2 R2 / Y2 Y2",
    "R3 R3 / Y3 Y3 / K3 K3 / R4 R4 / Y4 Y4",
    "R5 R5 / Y5 Y5 / K5 K5 / R6 R6 / Y6 Y6",
    "R7 R7 / Y7 Y7 / K7 K7 / R8 R8 / Y8 Y8",
)
"""Openings of five pairs, one for each seat."""
NEUTRAL = "B2 B4 B6 B8 K2 K4 K6 K8"
"""Tiles that fit nothing of the above, for drawing and discarding. The indicator is B12, so that
the blue 13s are okeys."""


def rules_of(rules: RuleSet | str, players: int = 4, **changes: Any) -> RuleSet:
    """A rule set, or a preset by its name, with fields changed."""
    base = PRESETS[rules] if isinstance(rules, str) else rules
    return base.with_(players=players, **changes)


def table(
    rules: RuleSet | str,
    hands: Sequence[str],
    *,
    indicator: str = "B12",
    stock: str = "",
    starter: int = 0,
    **changes: Any,
) -> Deal:
    """A deal before its first action: one text a hand, ``starter`` to play without a draw.

    What a hand will lay may be told in groups: an okey is one, whatever it stands for.
    """
    chosen = rules_of(rules, len(hands), **changes)
    before = 0 if chosen.starter == "dealer" else 1
    dealt = deal_from_hands(
        chosen,
        indicator=indicator,
        hands=[re.sub(r"/|(?<=\*)\S+", " ", hand) for hand in hands],
        stock=stock,
        dealer=(starter - before) % len(hands),
    )
    return Deal.start(chosen, dealt)


def play(deal: Deal, *lines: str) -> Deal:
    """Play actions; a line may be led by the seat that is expected to act."""
    for line in lines:
        seat, action = parse_line(line)
        assert seat is None or seat == deal.turn, f"{line}: it is the turn of seat {deal.turn}"
        deal = apply(deal, action, seat)
    return deal


def opened(
    rules: RuleSet | str,
    first: str,
    second: str,
    hand: str = "B7",
    *,
    laid: str = "",
    thrown: str = "",
    stock: str = NEUTRAL,
    **changes: Any,
) -> Deal:
    """Seat 0 opens, lays a group and throws a blue 3; seat 1 draws, opens and holds ``hand`` too.

    With ``thrown`` seat 1 discards the blue 2 that it drew, and seat 0 draws and throws that tile.
    """
    hands = [f"{first} {laid} {thrown} B3 B5", f"{second} {hand}"]
    lines = [f"meld {first}", *([f"meld {laid}"] if laid else []), "discard B3", "draw"]
    deal = play(table(rules, hands, stock=stock, **changes), *lines, f"meld {second}")
    return play(deal, "discard B2", "draw", f"discard {thrown}") if thrown else deal


def idle(deal: Deal, turns: int) -> Deal:
    """So many turns in which a seat draws a tile and discards it."""
    for _ in range(turns):
        deal = play(deal, "draw")
        deal = play(deal, f"discard {Rack([unwrap(deal.drawn)])}")
    return deal


def refused(deal: Deal, line: str) -> tuple[str, str]:
    """The code and the rule by which an action is refused; the deal must stay as it was."""
    action = parse_action(line)
    before = deal.hands, deal.public, deal.stock
    with pytest.raises(IllegalAction) as caught:
        apply(deal, action)
    assert (deal.hands, deal.public, deal.stock) == before
    assert action not in deal.legal_actions()
    return caught.value.code, caught.value.rule


def refuses(deal: Deal, line: str, code: str, rule: str) -> None:
    """Assert that an action is refused by that code and rule."""
    assert refused(deal, line) == (code, rule)


def texts(deal: Deal) -> list[str]:
    return [str(group) for group in deal.public.table]


def tabled(deal: Deal, number: int) -> str:
    """One group on the table, counted from 1 as in the actions."""
    return str(deal.public.table[number - 1])


def fines(deal: Deal) -> list[Fine]:
    """The fines so far, or those that stand at the end."""
    return list(deal.public.fines if deal.result is None else deal.result.fines)


def scores(deal: Deal) -> tuple[int, ...]:
    assert deal.phase is Phase.OVER
    return unwrap(deal.result).scores
