"""The one judge: may the seat to act do this now, and if not, which rule says so.

The judge sees the open table and the acting seat's own hand, nothing else, so no answer of it can
tell a hidden tile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, cast

from okey101.errors import IllegalAction, NotationError
from okey101.game import actions as A
from okey101.game.deal_parts import Opened, Phase
from okey101.game.duties import can_finish, can_use
from okey101.game.layoffs import may_lay_off, may_lay_pairs
from okey101.game.openings import needed_pairs, needed_points, opened_with, twin_allowed
from okey101.game.public import DealState, Draft, OpenSide
from okey101.melds import (
    ANY,
    AS,
    Form,
    Group,
    Pieces,
    accepted_kinds,
    make_group,
    normal_piece,
    piece_text,
    tile_of_piece,
)
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    OKEY,
    TILES,
    Kind,
    PackedRack,
    Tile,
    TileCode,
    count_bits,
    size_of_bits,
)

# The codes of refused actions, each with its English sentence; braces name the error's details.

CODES: Mapping[str, str] = MappingProxyType(
    {
        "already-announced": "the indicator's twin has already been announced",
        "already-drawn": "the seat already has its tile for this turn and can't draw",
        "already-laid": "the discard can't be put back after tiles were laid",
        "announce-too-late": "the twin can be announced only in the first turn, before the opening",
        "below-threshold": "the opening is worth {value}, but {need} are needed",
        "breaks-group": "taking back {count} would leave an illegal group on the table",
        "deal-over": "the deal is over",
        "discard-protected": "the discard of a player who opened with pairs can't be taken",
        "does-not-fit": "{piece} does not fit group {group}",
        "draw-only": "the discard was put back, so draw from the stock",
        "false-joker-blank": "in a riziko deal the false joker stands for nothing",
        "indicator-blank": "in a riziko deal the indicator stands for nothing",
        "indicator-no-finish": "the indicator may be drawn only to finish with it",
        "lay-off-later": "a player can't lay off in the turn of the opening",
        "melds-only": "a player who opened with sets and runs can't lay pairs",
        "mixed-forms": "pairs and melds can't be laid together",
        "must-draw-first": "first draw a tile or take the discard",
        "must-finish": "whoever draws the indicator must finish in this turn",
        "no-announcement": "these rules do not let anybody announce the indicator's twin",
        "no-discard": "there is no discard to take",
        "no-group": "there is no group {group} on the table",
        "no-pairs-yet": "pairs may be laid only once pairs lie on the table",
        "no-reclaim": "these rules do not let anybody reclaim an okey",
        "not-a-pair": "a pair is two tiles of the same kind",
        "not-a-run": "a run is three or more consecutive numbers in one colour",
        "not-a-set": "a set is three or four tiles of one number in different colours",
        "not-asked": "the last discard or the indicator is not offered now",
        "not-in-hand": "{tile} is not in the hand",
        "not-opened": "a player can lay off only after opening",
        "not-reclaimable": "no okey in group {group} certainly stands for {tile}",
        "not-your-turn": "it is the turn of seat {turn}",
        "nothing-left": "one tile must be left to discard",
        "nothing-taken": "no discard was taken in this turn",
        "nothing-to-take-back": "only {count} tiles put down this turn can be taken back",
        "pairs-lay-nothing-off": "a player who opened with pairs can't lay off",
        "pairs-only": "a player who opened with pairs can't lay a new set or run",
        "return-not-allowed": "a taken discard can't be put back",
        "taken-not-used": "the taken discard {tile} must be used in this turn",
        "taken-useless": "the discard may be taken only to be used at once",
        "too-short": "a group needs three tiles, a pair two",
        "twin-not-held": "the indicator's twin is not in the hand",
    }
)


def refuse(code: str, rule: str, **details: object) -> NoReturn:
    """Raise IllegalAction for a code of the table; tiles among the details become their text."""
    plain = {k: str(v) if isinstance(v, Tile) else v for k, v in details.items()}
    raise IllegalAction(code, rule, CODES[code].format(**plain), **plain)


class Ruling(NamedTuple):
    """A legal action in its normal form, and what the judge found out on the way.

    >>> from okey101 import Deal
    >>> Deal.start("pagat", seed=7).judge("discard r4")
    Ruling(action=Discard('R4'), groups=(), short=False, fine=None)
    """

    action: A.Action
    groups: tuple[Group, ...] = ()
    """The groups of a meld, or the group after a lay-off or a swap."""
    short: bool = False
    """Whether it is an opening that falls short and is fined (P3)."""
    fine: tuple[str, int] | None = None
    """The fine an action costs: rule and points (P1 to P4)."""


def judge(deal: DealState, action: A.Action | str, seat: int | None = None) -> Ruling:
    """What :meth:`okey101.game.deal.Deal.judge` answers."""
    public = deal.public
    if isinstance(action, str):
        named, action = A.parse_line(action)
        if named is not None and named != public.turn:
            seat = named
    if seat is not None and seat != public.turn and public.phase is not Phase.OVER:
        refuse("not-your-turn", "D2", turn=public.turn)
    return rule_on(public, deal.hands[public.turn], action)


def may_lay(public: OpenSide, seat: int) -> None:
    """Refuse unless it is this seat's turn and it may lay tiles by now (D2, U1, E2, E4)."""
    if seat != public.turn:
        refuse("not-your-turn", "D2", turn=public.turn)
    _playing(public)


def ahead(public: OpenSide, seat: int) -> OpenSide:
    """The open table as it will be when this seat's turn to lay has come, as far as is known."""
    if seat == public.turn and public.phase is Phase.PLAY:
        return public
    later = Draft.of(public)
    later.turn, later.phase = seat, Phase.PLAY
    later.taken, later.placed = None, ()
    later.new_opening = later.must_finish = False
    return later.seal()


def judge_ahead(deal: DealState, action: A.Meld, seat: int) -> Ruling:
    """Judge groups as if it were this seat's turn to lay, for those who ask before it is.

    The tile that the seat will have drawn by then counts as one more that stays in the hand.
    Raises IllegalAction as :func:`judge` does, and takes only what the seat sees.
    """
    hand, public = deal.hands[seat], ahead(deal.public, seat)
    if public is not deal.public:
        hand += BITS_OF[_spare(public, hand, action)]
    return rule_on(public, hand, action)


def _spare(public: OpenSide, hand: PackedRack, action: A.Meld) -> int:
    """A tile that changes nothing else: not held, not laid, and not the one to announce."""
    laid = {tile_of_piece(normal_piece(p, public.okey)) for g in action.pieces for p in g}
    used = {*laid, public.setup.indicator, public.okey}
    free = (t for t in range(FALSE_JOKER) if t not in used and not count_bits(hand, t))
    return next(free, 0)  # who names every kind does not hold them all


def rule_on(public: OpenSide, hand: PackedRack, action: A.Action) -> Ruling:
    """The judge itself: ``hand`` is the packed rack of the seat to act."""
    if public.phase is Phase.OVER:
        refuse("deal-over", "E1")
    try:
        rule = _JUDGES[type(action)]
    except KeyError:
        message = f"{action!r} is no action; parse_action() reads one from text"
        raise NotationError("unknown-action", message, word=str(action)) from None
    return rule(public, hand, action) or Ruling(action)


def _draw(public: OpenSide, _hand: int, _action: A.Action) -> None:
    if public.phase is not Phase.DRAW and public.phase is not Phase.MUST_DRAW:
        if public.phase is Phase.PLAY:
            refuse("already-drawn", "U1" if public.turns else "D5")
        refuse("not-asked", "E2")


def _take(public: OpenSide, hand: PackedRack, _action: A.Action) -> None:
    refused = take_refused(public, hand)
    if refused is not None:
        refuse(*refused)


def take_refused(public: OpenSide, hand: PackedRack) -> tuple[str, str] | None:
    """Why the previous player's discard can't be taken, as a code and a rule; None if it can.

    ``hand`` is the packed rack of the seat to act.
    """
    phase = public.phase
    if phase is Phase.PLAY:
        return "already-drawn", "U1" if public.turns else "D5"
    if phase is Phase.MUST_DRAW:
        return "draw-only", "R1"
    if phase is Phase.LAST_INDICATOR:
        return "not-asked", "E4"
    rules = public.setup.rules
    pile = public.discards[public.previous]
    if not pile:
        return "no-discard", "U1"
    if rules.pairs_discard_protected and public.opened[public.previous] is Opened.PAIRS:
        return "discard-protected", "U6"
    to_keep = not rules.return_discard or phase is Phase.LAST_DISCARD
    if to_keep and not can_use(public, hand + BITS_OF[pile[-1]], pile[-1]):
        return "taken-useless", "U3" if phase is Phase.DRAW else "E2"
    return None


def _return(public: OpenSide, _hand: int, _action: A.Action) -> None:
    if public.taken is None:
        refuse("nothing-taken", "U3")
    if not public.setup.rules.return_discard:
        refuse("return-not-allowed", "U3")
    if not public.stock_count:
        refuse("return-not-allowed", "E2")
    if public.placed or public.new_opening:
        refuse("already-laid", "U3")


def _announce(public: OpenSide, hand: PackedRack, _action: A.Action) -> None:
    setup = public.setup
    if not setup.rules.indicator_pairs:
        refuse("no-announcement", "O6")
    if setup.okey is None:
        refuse("no-announcement", "R9")
    if public.announced is not None:
        refuse("already-announced", "O6")
    if public.turns >= public.players or public.opened[public.turn] is not None:
        refuse("announce-too-late", "R9")
    if not count_bits(hand, setup.indicator):
        refuse("twin-not-held", "R9")


def _playing(public: OpenSide) -> None:
    if public.phase is Phase.PLAY:
        return
    if public.phase in (Phase.DRAW, Phase.MUST_DRAW):
        refuse("must-draw-first", "U1")
    refuse("not-asked", "E2" if public.phase is Phase.LAST_DISCARD else "E4")


def _meld(public: OpenSide, hand: PackedRack, action: A.Meld) -> Ruling:
    _playing(public)
    opened = public.opened[public.turn]
    okey = public.setup.okey
    twin = twin_allowed(public, hand) if opened is None else None
    if not action.pieces:
        refuse("too-short", "M1")
    _holds_pieces(hand, action.pieces, okey)
    groups = tuple(make_group(pieces, okey, twin) for pieces in action.pieces)
    odd = [g for g in groups if len(g) == 2 and twin == g.pieces[0] != g.pieces[1] < AS]
    if len(odd) > 1:  # the indicator itself may be in the hand (E4)
        refuse("not-a-pair", "O6")
    pairs = sum(1 for g in groups if g.form is Form.PAIR)
    both = opened is Opened.MELDS and may_lay_pairs(public, opened)
    if 0 < pairs < len(groups) and not both:
        refuse("mixed-forms", "M5")
    if opened is Opened.MELDS and pairs and not both:
        if public.setup.rules.melds_lay_pairs:
            refuse("no-pairs-yet", "X8")
        refuse("melds-only", "M5")
    if opened is Opened.PAIRS and not pairs:
        refuse("pairs-only", "M5")
    after = hand - sum(g.bits for g in groups)
    if not after:
        refuse("nothing-left", "U4")
    action = A.Meld(groups)
    if opened is None:
        return _opening(public, after, action, groups)
    waits = public.taken_waits and not _contains(groups, cast("int", public.taken))
    _keeps_duties(public, public.table + groups, after, waits=waits)
    return Ruling(action, groups)


def _contains(groups: tuple[Group, ...], tile: TileCode) -> bool:
    return any(count_bits(g.bits, tile) for g in groups)


def _holds_pieces(hand: PackedRack, groups: tuple[Pieces, ...], okey: Kind | None) -> None:
    """Refuse a meld with tiles that are not in the hand (O1)."""
    for pieces in groups:
        for piece in pieces:
            bits = BITS_OF[tile_of_piece(normal_piece(piece, okey))]
            if not hand & (bits | bits << 1):
                refuse("not-in-hand", "O1", tile=TILES[tile_of_piece(normal_piece(piece, okey))])
            hand -= bits


def _opening(public: OpenSide, after: int, action: A.Meld, groups: tuple[Group, ...]) -> Ruling:
    """An opening meets its threshold, or is short and fined or refused (O1, O2, O5, R17)."""
    taken = public.taken
    if taken is not None and not _contains(groups, taken):
        refuse("taken-not-used", "U2", tile=TILES[taken])
    rules = public.setup.rules
    pairs = groups[0].form is Form.PAIR
    value = len(groups) if pairs else sum(g.points for g in groups)
    need = needed_pairs(public) if pairs else needed_points(public)
    from_hand = taken is None and not pairs
    whole = rules.whole_hand_opens and from_hand and size_of_bits(after) == 1
    if value < need and not whole:
        if rules.short_opening == "refuse":
            least = rules.open_pairs if pairs else rules.open_points
            rule = "X1" if value >= least else "O2" if pairs else "O1"
            refuse("below-threshold", rule, value=value, need=need)
        points = rules.short_opening_fine
        fine = ("P3", points) if points else None
        return Ruling(action, groups, short=True, fine=fine)
    opened = opened_with(public, Opened.PAIRS if pairs else Opened.MELDS)
    _keeps_duties(public, public.table + groups, after, waits=False, opened=opened)
    return Ruling(action, groups)


def _keeps_duties(
    public: OpenSide,
    table: tuple[Group, ...],
    hand: PackedRack,
    *,
    waits: bool,
    opened: tuple[Opened | None, ...] | None = None,
) -> None:
    """Refuse what would leave the taken tile without a use, or the hand unfinished (R1, E4).

    That is with this table and hand; ``opened`` is given where the seat has just opened.
    """
    if not waits and not public.must_finish:
        return
    after = Draft.of(public)
    after.table, after.playable = table, accepted_kinds(table)
    if opened is not None:
        after.opened, after.new_opening = opened, True
    if waits and not can_use(after, hand, cast("int", public.taken)):
        refuse("taken-not-used", "R1", tile=TILES[cast("int", public.taken)])
    if public.must_finish and not can_finish(after, hand):
        refuse("must-finish", "E4")


def _group(public: OpenSide, number: int) -> Group:
    if not 1 <= number <= len(public.table):
        refuse("no-group", "O3", group=number)
    return public.table[number - 1]


def _lay(public: OpenSide, hand: PackedRack, action: A.Lay) -> Ruling:
    _playing(public)
    opened = public.opened[public.turn]
    if opened is None:
        refuse("not-opened", "O3")
    if not may_lay_off(public, opened, opening=public.new_opening):
        if may_lay_off(public, opened, opening=False):
            refuse("lay-off-later", "X6")
        refuse("pairs-lay-nothing-off", "X6")
    group = _group(public, action.group)
    piece = normal_piece(action.piece, public.setup.okey)
    tile = tile_of_piece(piece)
    if not count_bits(hand, tile):
        refuse("not-in-hand", "O3", tile=TILES[tile])
    if not group.takes(piece):
        rule = "M3" if group.form is Form.PAIR else "M4"
        refuse("does-not-fit", rule, piece=piece_text(piece), group=action.group)
    after = hand - BITS_OF[tile]
    if not after:
        refuse("nothing-left", "U4")
    if piece >= AS and group.form is Form.SET:
        piece = ANY + group.low
    grown = group.extended(piece)
    _duties_after(public, after, tile, action.group - 1, grown)
    return Ruling(A.Lay(piece, action.group), (grown,))


def _duties_after(public: OpenSide, after: int, tile: TileCode, index: int, group: Group) -> None:
    """Check the duties of the turn once one tile has joined or changed a group."""
    table = (*public.table[:index], group, *public.table[index + 1 :])
    _keeps_duties(public, table, after, waits=public.taken_waits and tile != public.taken)


def _swap(public: OpenSide, hand: PackedRack, action: A.Swap) -> Ruling:
    if not public.setup.rules.reclaim_okey:
        refuse("no-reclaim", "X2")
    _playing(public)
    if public.opened[public.turn] is None:
        refuse("not-opened", "X2")
    group = _group(public, action.group)
    tile = OKEY if action.tile == public.setup.okey else action.tile
    if not count_bits(hand, tile):
        refuse("not-in-hand", "X2", tile=TILES[tile])
    after = group.reclaimed(tile) if tile != OKEY else None
    if after is None:
        refuse("not-reclaimable", "X2", group=action.group, tile=TILES[tile])
    _duties_after(public, hand - BITS_OF[tile] + BITS_OF[OKEY], tile, action.group - 1, after)
    return Ruling(A.Swap(tile, action.group), (after,))


def _back(public: OpenSide, _hand: int, action: A.Back) -> Ruling:
    _playing(public)
    if not 1 <= action.count <= len(public.placed):
        refuse("nothing-to-take-back", "U5", count=len(public.placed))
    last = public.placed[-action.count]
    if last.nth > 0 and last.restored() is None:
        refuse("breaks-group", "R2", count=action.count)
    points = public.setup.rules.take_back_fine
    fined = points and public.backs < 2 <= public.backs + action.count
    return Ruling(action, fine=("P4", points) if fined else None)


def _discard(public: OpenSide, hand: PackedRack, action: A.Discard) -> Ruling:
    _playing(public)
    wild = FALSE_JOKER if public.setup.okey is None else public.setup.okey
    tile = OKEY if action.tile == wild else action.tile
    if not count_bits(hand, tile):
        refuse("not-in-hand", "U1", tile=TILES[tile])
    if public.taken_waits:
        refuse("taken-not-used", "U2", tile=TILES[cast("int", public.taken)])
    finishes = hand == BITS_OF[tile]
    if public.must_finish and not finishes:
        refuse("must-finish", "E4")
    fine = None if finishes else discard_fine(public, tile)
    return Ruling(action if tile == action.tile else A.Discard(tile), fine=fine)


def discard_fine(public: OpenSide, tile: TileCode) -> tuple[str, int] | None:
    """What discarding a tile, by its code, costs if it is not the last: rule, points (P1, P2)."""
    rules = public.setup.rules
    if tile == OKEY:
        return ("P1", rules.okey_discard_fine) if rules.okey_discard_fine else None
    kind = public.setup.okey if tile == FALSE_JOKER else tile
    if kind is None or not public.playable >> kind & 1 or not rules.playable_discard_fine:
        return None
    return "P2", rules.playable_discard_fine


def _pass(public: OpenSide, _hand: int, _action: A.Action) -> None:
    if public.phase not in (Phase.LAST_DISCARD, Phase.LAST_INDICATOR):
        refuse("not-asked", "E2")


def _indicator(public: OpenSide, hand: PackedRack, _action: A.Action) -> None:
    if public.phase is not Phase.LAST_INDICATOR:
        refuse("not-asked", "E4")
    setup = public.setup
    if setup.okey is None:
        refuse("indicator-blank", "R8")
    drawn = Draft.of(public)
    drawn.phase = Phase.PLAY
    if not can_finish(drawn, hand + BITS_OF[setup.indicator]):
        refuse("indicator-no-finish", "E4")


_JUDGES: dict[type[A.Action], Callable[[OpenSide, PackedRack, Any], Ruling | None]] = {
    A.Draw: _draw, A.Take: _take, A.Return: _return, A.Announce: _announce, A.Meld: _meld,
    A.Lay: _lay, A.Back: _back, A.Discard: _discard, A.Pass: _pass, A.Indicator: _indicator,
    A.Swap: _swap,
}  # fmt: skip
