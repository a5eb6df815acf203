"""Hints: what a good player would do, and what a hand could open with; from its own view alone."""

from __future__ import annotations

from okey101.game import Deal, view_of
from okey101.game.legality import ahead
from okey101.game.openings import (
    best_melds,
    best_pairs,
    needed_pairs,
    needed_points,
    pick_pairs,
    whole_hand,
)
from okey101.game.refusals import refuse as refuse_action
from okey101.melds import make_group, piece_text
from okey101.server.bot_thoughts import BotTurns
from okey101.server.errors import refuse
from okey101.server.tables.serialise import Json
from okey101.server.tables.state import TableState
from okey101.solver import Objective, arrange_bits, arrangement_of_bits

__all__ = ["hint", "opening", "require_hints"]


def require_hints(state: TableState) -> None:
    """OkeyError ``no-hints`` where the owner wants none, or no help at all, and among strangers.

    Strangers are people at a table that is open to everybody: one who is alone against bots there
    gets his hints until somebody else sits down.
    """
    options = state.options
    strangers = options.listed and len(state.people) > 1
    if strangers or not (options.hints and options.assisted):
        refuse("no-hints")


def _playing(state: TableState, user: str | None) -> tuple[Deal, int]:
    """The running deal and the person's seat in it."""
    seat = state.seat_of(user)
    if seat is None:
        refuse("not-seated")
    deal = state.deal
    if deal is None or deal.over:
        refuse("not-playing")
    return deal, seat


async def hint(state: TableState, user: str | None, bots: BotTurns) -> Json:
    """What ``steady`` would do now and why, thought out where bots think.

    OkeyError ``no-hints``, ``not-seated``, ``not-playing``, ``not-your-turn``.
    """
    require_hints(state)
    deal, seat = _playing(state, user)
    if deal.turn != seat:
        refuse_action("not-your-turn", "D2", turn=deal.turn)
    async with bots.turn(watched=True):
        found = await bots.advise(view_of(deal, seat))
    return {"action": str(found.action), "reason": found.reason._asdict()}


def opening(state: TableState, user: str | None) -> Json:
    """What the hand could open with by the solver, off turn as well, or what comes nearest.

    ``form`` is null where nothing is enough: the groups are then those worth most, in points, and
    ``pairs`` are those that an opening could have.
    After the opening ``opening`` is null. OkeyError ``no-hints``, ``not-seated``, ``not-playing``.
    """
    require_hints(state)
    deal, seat = _playing(state, user)
    public, hand = ahead(deal.public, seat), deal.hands[seat]
    must = public.taken if deal.turn == seat else None
    unopened = public.opened[seat] is None
    points, pairs = needed_points(public), needed_pairs(public)
    found, form = best_melds(public, hand, must), None
    if not unopened:
        pass
    elif found is not None and found.points >= points:
        form = "melds"
    elif (whole := whole_hand(public, hand, must)) is not None:
        found, form = whole, "melds"
    elif (most := best_pairs(public, hand, must)) >= pairs:
        found = arrangement_of_bits(hand, public.okey, pick_pairs(public, hand, must, most))
        form = "pairs"
    if found is None:  # the taken tile fits nowhere
        found = arrange_bits(hand, public.okey, Objective.POINTS)
    assert found is not None
    pieces = found.pieces
    if form == "melds":
        pieces = tuple(make_group(group, public.okey).pieces for group in pieces)
    short = unopened and form is None
    have = best_pairs(public, hand, must) if short else found.pairs
    need = {"need_points": points, "need_pairs": pairs} if unopened else None
    return {
        "opening": need, "form": form, "points": found.points, "pairs": have,
        "groups": [" ".join(map(piece_text, group)) for group in pieces],
        "left": str(found.left),
    }  # fmt: skip
