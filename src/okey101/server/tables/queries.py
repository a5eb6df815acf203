"""Questions of a seat about its own hand, and hints: answered without changing anything."""

from __future__ import annotations

from okey101.errors import IllegalAction, OkeyError
from okey101.game import Action, Deal, Opened, openings, parse_action, view_of
from okey101.game.actions import Lay, Meld, Swap
from okey101.game.layoffs import lay_offs, may_lay_pairs
from okey101.game.legality import ahead, judge_ahead, may_lay, refuse as refuse_action
from okey101.melds import AS, Form, Group, make_group, piece_text
from okey101.server.errors import error_body, refuse
from okey101.server.protocol.client_messages import Ask
from okey101.server.tables import serialise
from okey101.server.tables.serialise import Json
from okey101.server.tables.state import TableState
from okey101.server.work.bot_thoughts import BotTurns
from okey101.solver import Objective, arrange_bits, arrangement_of_bits
from okey101.tiles import BITS_OF, OKEY, TileCode, parse_tile

# Hints: what a good player would do, and what a hand could open with; from its own view alone.


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
    """What ``neural`` would do now and why, thought out where bots think.

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
    points, pairs = openings.needed_points(public), openings.needed_pairs(public)
    found, form = openings.best_melds(public, hand, must), None
    if not unopened:
        pass
    elif found is not None and found.points >= points:
        form = "melds"
    elif (whole := openings.whole_hand(public, hand)) is not None:
        found, form = whole, "melds"
    elif (most := openings.best_pairs(public, hand, must)) >= pairs:
        picked = openings.pick_pairs(public, hand, must, most)
        found = arrangement_of_bits(hand, public.okey, picked)
        form = "pairs"
    if found is None:  # the taken tile fits nowhere
        found = arrange_bits(hand, public.okey, Objective.POINTS)
    assert found is not None
    short = unopened and form is None
    have = openings.best_pairs(public, hand, must) if short else found.pairs
    need = {"need_points": points, "need_pairs": pairs} if unopened else None
    return {
        "opening": need, "form": form, "points": found.points, "pairs": have,
        "groups": [" ".join(map(piece_text, group)) for group in found.pieces],
        "left": str(found.left),
    }  # fmt: skip


def answer(state: TableState, user: str | None, question: Ask) -> serialise.Json:
    """The answer to a person's question about his own hand.

    OkeyError ``not-seated``, ``not-playing``, and what is wrong with the notation.
    """
    deal, seat = _playing(state, user)
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
        points, pairs = openings.needed_points(public), openings.needed_pairs(public)
        need = {"need_points": points, "need_pairs": pairs}
        return {"opening": need, "kinds": ["melds", "pairs"]}
    melds = ["melds"] if opened is Opened.MELDS else []
    more = ["pairs"] if may_lay_pairs(public, opened) else []
    return {"opening": None, "kinds": melds + more}


def _places(deal: Deal, seat: int, tile: TileCode, number: int) -> serialise.Json:
    """Every way a tile may join a group: an okey may fit both ends of a run (M4, J3, X2)."""
    table = deal.public.table
    group = table[number - 1] if 0 < number <= len(table) else None
    if tile != OKEY:
        ways: list[Action] = [Lay(tile, number), Swap(tile, number)]
    else:
        fits = () if group is None else lay_offs((group,), BITS_OF[OKEY], deal.public.okey)
        # Where none fits, any that it might stand for is told why.
        ways = [Lay(piece, number) for piece, _ in fits] or [Lay(AS, number)]
    allowed: list[str] = []
    refused: list[serialise.Json] = []
    for way in ways:
        try:
            allowed.append(str(deal.judge(way, seat).action))
        except IllegalAction as error:
            refused.append(error_body(error))
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
        most = openings.best_pairs(public, hand)
        if most > found.pairs:
            found = arrangement_of_bits(hand, okey, openings.pick_pairs(public, hand, None, most))
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
            ruling = deal.judge(action, seat)
    except IllegalAction as error:
        found["error"] = error_body(error)
    else:
        if ruling.fine is not None:
            found["fine"] = {"rule": ruling.fine[0], "points": ruling.fine[1]}
    if isinstance(action, Meld):
        try:
            may_lay(deal.public, seat)
        except IllegalAction as error:
            found["wait"] = error_body(error)
    found["legal"] = found["error"] is None and found["wait"] is None
    return found


def _worth(deal: Deal, seat: int, action: Meld) -> serialise.Json:
    """What each group is, and what an opening with them has and needs, in points or in pairs."""
    public, hand = ahead(deal.public, seat), deal.hands[seat]
    twin = openings.twin_allowed(public, hand)
    shown: list[serialise.Json] = []
    groups: list[Group] = []
    for pieces in action.pieces:
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
        need = openings.needed_pairs(public) if pairs else openings.needed_points(public)
        found |= {"have": have, "need": need, "short": have < need}
    return found
