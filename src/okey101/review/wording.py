"""Choices and reasons as data: a code and the facts that its sentence names."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from okey101.bots.meld_potential import near_melds
from okey101.game.actions import Action, Back, Discard, Draw, Lay, Meld, Swap, Take
from okey101.game.bot_tools import best_melds, needed_points
from okey101.game.legality import rule_on
from okey101.game.options import Options
from okey101.game.view import View
from okey101.melds import groups_text, make_group, tile_of_piece
from okey101.review.spread import Spread
from okey101.solver import best_value_bits
from okey101.tiles import BITS_OF, OKEY, TILES

__all__ = ["REASONS", "VERBS", "Cause", "ReasonCode", "Told", "Verb", "reason", "told"]

Verb: TypeAlias = Literal[
    "draw", "take", "return", "open", "open-pairs", "meld", "lay", "back", "announce", "discard",
    "pass", "indicator", "swap",
]  # fmt: skip
VERBS: Final[tuple[Verb, ...]] = get_args(Verb)
"""What was done; each has its words in the catalogues, as a variant of ``review-action``."""
ReasonCode: TypeAlias = Literal[
    "open", "open-pairs", "open-other", "short", "hold", "fined", "back-fined", "okey-thrown",
    "take-open", "take", "draw", "lay", "keep", "feeds", "breaks", "nearer", "played-out",
]  # fmt: skip
REASONS: Final[tuple[ReasonCode, ...]] = get_args(ReasonCode)
"""Why another choice is better; each has its sentence in the catalogues, as ``review-why-CODE``."""


class Told(NamedTuple):
    """A choice for people: what is done, with which tile or tiles, for how many points or pairs."""

    action: Action
    verb: Verb
    tile: str = ""
    tiles: str = ""
    points: int = 0

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "action": str(self.action), "verb": self.verb, "tile": self.tile,
            "tiles": self.tiles, "points": self.points,
        }  # fmt: skip


class Cause(NamedTuple):
    """Why another choice is better, as far as one fact says it.

    ``tile`` is the tile that was played and ``other`` that of the better choice; ``points`` and
    ``need`` are points, or pairs or tiles where the code speaks of these.
    """

    code: ReasonCode
    tile: str = ""
    other: str = ""
    points: int = 0
    need: int = 0


def told(action: Action, view: View) -> Told:
    """A choice of the seat to act, for people."""
    if isinstance(action, Meld):
        return _told_meld(action, view)
    if isinstance(action, Discard | Swap):
        verb: Verb = "discard" if isinstance(action, Discard) else "swap"
        return Told(action, verb, str(action.tile))
    if isinstance(action, Lay):
        return Told(action, "lay", str(TILES[tile_of_piece(action.piece)]))
    if isinstance(action, Take):
        return Told(action, "take", _offered(view))
    word = str(action).partition(" ")[0]
    return Told(action, next(verb for verb in VERBS if verb == word))


def _told_meld(action: Meld, view: View) -> Told:
    tiles = groups_text(action.groups)
    public = view.public
    if public.opened[public.turn] is not None:
        return Told(action, "meld", tiles=tiles)
    if len(action.groups[0]) == 2:
        return Told(action, "open-pairs", tiles=tiles, points=len(action.groups))
    okey = public.okey
    points = sum(make_group(pieces, okey).points for pieces in action.groups)
    return Told(action, "open", tiles=tiles, points=points)


def _offered(view: View) -> str:
    pile = view.public.discards[view.public.previous]
    return str(TILES[pile[-1]]) if pile else ""


def reason(played: Action, best: Action, view: View, loss: Spread, fed: Spread) -> Cause:
    """Why ``best`` is better, by what the seat saw.

    ``loss`` is what ``played`` costs more, ``fed`` how many points it saves the next player.
    """
    options = Options(view)
    opened = view.public.opened[view.public.turn] is not None
    better = told(best, view)
    if not opened and (isinstance(played, Meld) or isinstance(best, Meld)):
        return _opening(played, better, view, options)
    if isinstance(best, Take):
        return _take(view, options)
    if isinstance(best, Draw):
        return Cause("draw", tile=_offered(view))
    if isinstance(played, Discard):
        fine = _fine(options, played.tile)
        if played.tile == OKEY and not (isinstance(best, Discard) and best.tile == OKEY):
            return Cause("okey-thrown", str(played.tile), better.tile, fine)
        if fine > (_fine(options, best.tile) if isinstance(best, Discard) else 0):
            return Cause("fined", str(played.tile), better.tile, fine)
        if isinstance(best, Discard):
            return _discard(played.tile, best.tile, view, loss, fed)
        if isinstance(best, Lay | Meld | Swap):
            return Cause("lay", tile=str(played.tile), other=better.tile or better.tiles)
    if isinstance(played, Back):
        ruling = rule_on(view.public, view.hand or 0, played)
        if ruling.fine is not None:
            return Cause("back-fined", other=better.tile, points=ruling.fine[1])
    if isinstance(played, Lay | Meld | Swap):
        mine = told(played, view)
        return Cause("keep", tile=mine.tile or mine.tiles, other=better.tile)
    return Cause("played-out", other=better.tile)


def _opening(played: Action, better: Told, view: View, options: Options) -> Cause:
    """Why another opening is better, or one at all, or none (H1, H2, P3)."""
    pairs = better.verb == "open-pairs"
    need = options.need_pairs if pairs else options.need_points
    if not isinstance(played, Meld):
        return Cause("open-pairs" if pairs else "open", points=better.points, need=need)
    if rule_on(view.public, view.hand or 0, played).short:
        mine = told(played, view)
        need = options.need_pairs if mine.verb == "open-pairs" else options.need_points
        return Cause(
            "short", other=better.tile, points=view.public.setup.rules.short_opening_fine, need=need
        )
    if isinstance(better.action, Meld):
        return Cause("open-other", other=better.tiles, points=better.points)
    return Cause("hold", other=better.tile)


def _take(view: View, options: Options) -> Cause:
    public = view.public
    pile = public.discards[public.previous]
    name = _offered(view)
    if public.opened[public.turn] is None and pile:
        found = best_melds(public, (view.hand or 0) + BITS_OF[pile[-1]], pile[-1])
        if found is not None and found.points >= needed_points(public):
            return Cause("take-open", tile=name, points=found.points, need=options.need_points)
    return Cause("take", tile=name)


def _fine(options: Options, tile: int) -> int:
    return next((one.points for one in options.discards if one.tile == tile), 0)


def _discard(tile: int, other: int, view: View, loss: Spread, fed: Spread) -> Cause:
    """Why another tile should go: the next player, or the own hand."""
    public, hand = view.public, view.hand or 0
    names = str(TILES[tile]), str(TILES[other])
    if fed.low > 0 and 2 * fed.tenths >= loss.tenths:
        return Cause("feeds", *names, points=round(fed.mean))
    okey = public.okey
    kept, left = (best_value_bits(hand - BITS_OF[one], okey) for one in (other, tile))
    if kept > left:
        return Cause("breaks", *names, points=kept - left)
    near, far = (near_melds(one, hand, view.unseen, okey) for one in (tile, other))
    if near > far:
        return Cause("nearer", *names, points=near, need=far)
    return Cause("played-out", *names)
