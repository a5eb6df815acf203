"""Questions of a seat about its own hand, answered without changing anything."""

from __future__ import annotations

from okey101.errors import IllegalAction, OkeyError
from okey101.game import Action, Deal, parse_action
from okey101.game.actions import Meld
from okey101.game.legality import judge
from okey101.melds import make_group, piece_text
from okey101.server.errors import refuse
from okey101.server.protocol.client_messages import Ask
from okey101.server.tables import serialise
from okey101.server.tables.state import TableState
from okey101.solver import Objective, arrange_bits

__all__ = ["answer"]


def answer(state: TableState, user: str | None, question: Ask) -> serialise.Json:
    """What a person asked about the own hand.

    OkeyError ``not-seated``, ``not-playing``, and what is wrong with the notation.
    """
    seat = state.seat_of(user)
    if seat is None:
        refuse("not-seated")
    deal = state.deal
    if deal is None or deal.over:
        refuse("not-playing")
    match question.what:
        case "options":
            return {"options": serialise.options_for(state, seat)}
        case "arrange":
            return _arranged(deal, seat, Objective(question.aim))
        case "check":
            return _checked(deal, seat, parse_action(question.action))


def _arranged(deal: Deal, seat: int, aim: Objective) -> serialise.Json:
    """The best arrangement of the whole hand, and what is left of it."""
    found = arrange_bits(deal.hands[seat], deal.public.okey, aim)
    assert found is not None
    return {
        "aim": aim.value,
        "groups": [" ".join(map(piece_text, group)) for group in found.pieces],
        "left": str(found.left),
        "points": found.points,
        "pairs": found.pairs,
    }


def _checked(deal: Deal, seat: int, action: Action) -> serialise.Json:
    """What the groups of an action are worth, and whether it would be legal now."""
    found: serialise.Json = {"legal": True, "short": False, "fine": None, "error": None}
    if isinstance(action, Meld):
        found["groups"] = [_worth(pieces, deal.public.okey) for pieces in action.groups]
    try:
        ruling = judge(deal, action, seat)
    except IllegalAction as error:
        found["legal"] = False
        found["error"] = {"code": error.code, "rule": error.rule, "message": error.message}
    else:
        found["short"] = ruling.short
        if ruling.fine is not None:
            found["fine"] = {"rule": ruling.fine[0], "points": ruling.fine[1]}
    return found


def _worth(pieces: tuple[int, ...], okey: int | None) -> serialise.Json:
    try:
        group = make_group(pieces, okey)
    except OkeyError as error:
        return {"form": None, "points": 0, "code": error.code}
    return {"form": group.form.value, "points": group.points, "code": None}
