"""What a good player would do and why, as data: a code and the facts that its sentence names.

The player is ``neural``. Its networks give no reasons, so each is worked out from the same view by
what ``steady`` decides by; where many draws are weighed against each other no single fact decides,
and the reason says just that. A finish that the partner would pay for is ``master``'s choice.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from okey101.bots.greedy import Turn, near_melds
from okey101.bots.master import MasterBot
from okey101.bots.neural import NeuralBot
from okey101.bots.steady import hold_okey, use_chance
from okey101.bots.tools import best_melds, can_use, needed_points
from okey101.game import (
    Action,
    Announce,
    Back,
    Discard,
    Draw,
    Indicator,
    Lay,
    Meld,
    Options,
    Pass,
    Return,
    Swap,
    Take,
    View,
)
from okey101.kernel.codes import bits_of_masks
from okey101.melds import tile_of_piece
from okey101.tiles import BITS_OF, OKEY, TILES, count_bits, size_of_bits

ReasonCode: TypeAlias = Literal[
    "draw-only", "draw-useless", "draw-rather", "take", "take-open", "take-pairs", "return",
    "announce", "pass", "indicator", "swap", "back", "open", "open-pairs", "open-finish", "meld",
    "lay", "lay-finish", "lay-okey", "finish", "finish-okey", "fined", "all-fined", "hold-hand",
    "hold-okey", "shed-okey", "loose", "far", "spare", "light", "wait-partner",
    "too-late",
]  # fmt: skip
REASONS: Final[tuple[ReasonCode, ...]] = get_args(ReasonCode)
"""Every code of a reason; each has its sentence in the catalogues, as ``hint-why-CODE``."""


_PLAIN: Final[dict[type, ReasonCode]] = {
    Return: "return", Announce: "announce", Pass: "pass", Indicator: "indicator", Back: "back",
}  # fmt: skip


class Reason(NamedTuple):
    """Why an action is played: ``code`` is one of :data:`REASONS`, the rest what its words name.

    ``points`` and ``need`` are points, or pairs where the code speaks of pairs; ``safe`` says that
    by what lies open the next player can't put the thrown tile down at once.
    """

    code: ReasonCode
    tile: str | None = None
    points: int = 0
    need: int = 0
    safe: bool = False


class Advice(NamedTuple):
    """What is best done, and why."""

    action: Action
    reason: Reason


def advice(view: View) -> Advice:
    """What ``neural`` would do on the turn of the view's seat, from what that seat sees alone.

    Where it would finish at the partner's cost (C1, E3), what ``master`` throws to go on instead.
    The bot's draws begin at the same number whoever asks, not at one that comes of the deal's
    secret: two deals that look alike to the seat get the same advice.
    """
    options = Options(view)
    action = NeuralBot().choose(view, options)
    turn = Turn(view, options)
    if turn.spares_partner() and turn.can_finish():
        if isinstance(action, Meld | Lay):
            rather = MasterBot().choose(view, options)
            action = rather if isinstance(rather, Discard) else action
        if isinstance(action, Discard):
            tile = action.tile
            return Advice(action, Reason("wait-partner", _name(tile), safe=_safe(tile, view)))
    return Advice(action, _reason(action, view, options))


def _safe(tile: int, view: View) -> bool:
    """Whether the next player can't put a tile down at once, by what lies open."""
    public = view.public
    return use_chance(public, (public.turn + 1) % public.players, tile, view.unseen) == 0


def _reason(action: Action, view: View, options: Options) -> Reason:
    match action:
        case Draw():
            return _draw(view, options)
        case Take():
            return _take(view, options)
        case Meld():
            return _meld(action, view, options)
        case Lay():
            return _lay(action, view, options)
        case Discard():
            return _discard(action.tile, view, options)
        case Swap():
            return Reason("swap", tile=_name(action.tile))
        case _:
            return Reason(_PLAIN[type(action)])


def _name(tile: int) -> str:
    return str(TILES[tile])


def _offered(view: View) -> int | None:
    pile = view.public.discards[view.public.previous]
    return pile[-1] if pile else None


def _draw(view: View, options: Options) -> Reason:
    tile = _offered(view)
    if tile is None or not options.take:
        return Reason("draw-only")
    if can_use(view.public, (view.hand or 0) + BITS_OF[tile], tile):
        return Reason("draw-rather", tile=_name(tile))
    opened = view.public.opened[view.public.turn] is not None
    return Reason("draw-useless", _name(tile), need=0 if opened else options.need_points)


def _take(view: View, options: Options) -> Reason:
    public, tile = view.public, _offered(view)
    assert tile is not None
    if public.opened[public.turn] is not None:
        return Reason("take", tile=_name(tile))
    found = best_melds(public, (view.hand or 0) + BITS_OF[tile], tile)
    if found is not None and found.points >= needed_points(public):
        return Reason("take-open", _name(tile), found.points, options.need_points)
    return Reason("take-pairs", tile=_name(tile), need=options.need_pairs)


def _meld(action: Meld, view: View, options: Options) -> Reason:
    public = view.public
    tiles = sum(map(len, action.pieces))
    if public.opened[public.turn] is not None:
        return Reason("meld", points=tiles)
    if Turn(view, options).can_finish():
        return Reason("open-finish")
    if len(action.pieces[0]) == 2:
        return Reason("open-pairs", points=len(action.pieces), need=options.need_pairs)
    return Reason("open", points=options.best_points, need=options.need_points)


def _lay(action: Lay, view: View, options: Options) -> Reason:
    if Turn(view, options).can_finish():
        return Reason("lay-finish")
    tile = tile_of_piece(action.piece)
    return Reason("lay-okey" if tile == OKEY else "lay", tile=_name(tile))


def _discard(tile: int, view: View, options: Options) -> Reason:
    public, hand = view.public, view.hand or 0
    if size_of_bits(hand) == 1:
        return Reason("finish-okey" if tile == OKEY else "finish", tile=_name(tile))
    fine = next(one.points for one in options.discards if one.tile == tile)
    if fine:
        every = all(one.points for one in options.discards)
        return Reason("all-fined" if every else "fined", _name(tile), fine)
    if tile == OKEY:
        return Reason("shed-okey", tile=_name(tile))
    safe = _safe(tile, view)
    if public.opened[public.turn] is not None:
        held = hold_okey(view, hand)
        code: ReasonCode = "hold-okey" if held is not None and held.discard == tile else "light"
        return Reason(code, _name(tile), safe=safe)
    waits: ReasonCode | None = "hold-hand" if options.can_open else None
    if not waits and public.stock_count < public.players:
        waits = "too-late"  # unless others take discards, the stock ends first
    return Reason(waits or _use(tile, view, options), _name(tile), safe=safe)


def _use(tile: int, view: View, options: Options) -> ReasonCode:
    """What an unopened hand has of a tile: nothing, less than of others, or a group without it."""
    loose = bits_of_masks(*Turn(view, options).loose())
    if not count_bits(loose, tile):
        return "spare"
    return "far" if near_melds(tile, loose, view.unseen, view.public.setup.okey) else "loose"
