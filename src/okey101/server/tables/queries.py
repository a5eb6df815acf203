"""Questions of a seat about its own hand, answered without changing anything."""

from __future__ import annotations

from okey101.errors import IllegalAction, OkeyError
from okey101.game import Action, Deal, Opened, parse_action
from okey101.game.actions import Lay, Meld, Swap
from okey101.game.laying_rights import may_lay_pairs
from okey101.game.layoffs import lay_offs
from okey101.game.legality import ahead, judge, judge_ahead, may_lay
from okey101.game.openings import (
    best_pairs,
    needed_pairs,
    needed_points,
    pick_pairs,
    twin_allowed,
)
from okey101.melds import AS, Form, Group, make_group, piece_text
from okey101.server.errors import refuse
from okey101.server.protocol.client_messages import Ask
from okey101.server.tables import serialise
from okey101.server.tables.hints import opening
from okey101.server.tables.state import TableState
from okey101.solver import Objective, arrange_bits, arrangement_of_bits
from okey101.tiles import BITS_OF, OKEY, TileCode, parse_tile

__all__ = ["answer"]


def answer(state: TableState, user: str | None, question: Ask) -> serialise.Json:
    """The answer to a person's question about his own hand.

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
            return {"options": serialise.options_for(state, seat), **_laying(deal, seat)}
        case "arrange":
            return _arranged(deal, seat, Objective(question.aim))
        case "check":
            return _checked(deal, seat, parse_action(question.action))
        case "places":
            return _places(deal, seat, parse_tile(question.tile), question.group)
        case "opening":
            return opening(state, user)
        case "hint":
            raise TypeError("a hint is thought out beside the loop")


def _laying(deal: Deal, seat: int) -> serialise.Json:
    """What an opening needs, and which groups may be laid at all, off turn as well.

    Neither changes before somebody else has opened (X1, X5, X8): who is told of that asks again.
    """
    public = ahead(deal.public, seat)
    opened = public.opened[seat]
    if opened is None:
        need = {"need_points": needed_points(public), "need_pairs": needed_pairs(public)}
        return {"opening": need, "kinds": ["melds", "pairs"]}
    melds = ["melds"] if opened is Opened.MELDS else []
    pairs = ["pairs"] if may_lay_pairs(public, opened) else []
    return {"opening": None, "kinds": melds + pairs}


def _places(deal: Deal, seat: int, tile: TileCode, number: int) -> serialise.Json:
    """Every way a tile may join a group: an okey may fit both ends of a run (M4, J3, X2)."""
    table = deal.public.table
    group = table[number - 1] if 0 < number <= len(table) else None
    ways: list[Action] = [Lay(tile, number), Swap(tile, number)]
    if tile == OKEY:
        fits = () if group is None else lay_offs((group,), BITS_OF[OKEY], deal.public.okey)
        # Where none fits, any that it might stand for is told why.
        ways = [Lay(piece, number) for piece, _ in fits] or [Lay(AS, number)]
    allowed: list[str] = []
    refused: list[serialise.Json] = []
    for way in ways:
        try:
            allowed.append(str(judge(deal, way, seat).action))
        except IllegalAction as error:
            refused.append(_refused(error))
    return {"actions": allowed, "error": None if allowed else refused[0]}


def _arranged(deal: Deal, seat: int, aim: Objective) -> serialise.Json:
    """The best arrangement of the whole hand, and what is left of it.

    To open with pairs, an announced twin of the indicator makes one more of two odd tiles (O6).
    """
    hand, okey = deal.hands[seat], deal.public.okey
    found = arrange_bits(hand, okey, aim)
    assert found is not None
    if aim is Objective.PAIRS:
        public = ahead(deal.public, seat)
        most = best_pairs(public, hand)
        if most > found.pairs:
            found = arrangement_of_bits(hand, okey, pick_pairs(public, hand, None, most))
    return {
        "aim": aim.value,
        "groups": [" ".join(map(piece_text, group)) for group in found.pieces],
        "left": str(found.left),
        "points": found.points,
        "pairs": found.pairs,
    }


def _checked(deal: Deal, seat: int, action: Action) -> serialise.Json:
    """Whether an action would be legal now and what it costs; for groups, what they are worth.

    Groups are judged as if it were the seat's turn to lay; ``wait`` says separately why it is not.
    """
    found: serialise.Json = {"wait": None, "error": None, "fine": None, "short": False}
    try:
        if isinstance(action, Meld):
            found |= _worth(deal, seat, action)
            ruling = judge_ahead(deal, action, seat)
            found["short"] = ruling.short
        else:
            ruling = judge(deal, action, seat)
    except IllegalAction as error:
        found["error"] = _refused(error)
    else:
        if ruling.fine is not None:
            found["fine"] = {"rule": ruling.fine[0], "points": ruling.fine[1]}
    if isinstance(action, Meld):
        try:
            may_lay(deal.public, seat)
        except IllegalAction as error:
            found["wait"] = _refused(error)
    found["legal"] = found["error"] is None and found["wait"] is None
    return found


def _worth(deal: Deal, seat: int, action: Meld) -> serialise.Json:
    """What each group is, and what an opening with them has and needs, in points or in pairs."""
    public, hand = ahead(deal.public, seat), deal.hands[seat]
    twin = twin_allowed(public, hand)
    shown: list[serialise.Json] = []
    groups: list[Group] = []
    for pieces in action.groups:
        try:
            group = make_group(pieces, public.okey, twin)
        except OkeyError as error:
            shown.append({"form": None, "points": 0, "code": error.code})
        else:
            shown.append({"form": group.form.value, "points": group.points, "code": None})
            groups.append(group)
    found: serialise.Json = {"groups": shown, "have": None, "need": None, "short": False}
    if public.opened[seat] is None:
        pairs = {group.form for group in groups} == {Form.PAIR}
        have = len(groups) if pairs else sum(group.points for group in groups)
        need = needed_pairs(public) if pairs else needed_points(public)
        found |= {"have": have, "need": need, "short": have < need}
    return found


def _refused(error: IllegalAction) -> serialise.Json:
    return {
        "code": error.code, "rule": error.rule, "message": error.message,
        "details": error.details,
    }  # fmt: skip
