"""Choices and reasons as data: a code and the facts that its sentence names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from okey101.bots.greedy import near_melds
from okey101.bots.tools import best_melds, needed_points
from okey101.game.actions import Action, Back, Discard, Draw, Lay, Meld, Swap, Take
from okey101.game.legality import rule_on
from okey101.game.options import Options
from okey101.game.view import View
from okey101.melds import groups_text, make_group, tile_of_piece
from okey101.review.balance import Spread
from okey101.solver import best_value_bits
from okey101.tiles import BITS_OF, OKEY, TILES

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


@dataclass(frozen=True, slots=True)
class Move:
    """An action in the notation and for people: what is done, with which tile or tiles.

    ``points`` are those of the meld, or its pairs where it opens with pairs.
    """

    action: str
    verb: Verb
    tile: str
    tiles: str
    points: int


@dataclass(frozen=True, slots=True)
class Cause:
    """Why another choice is better, as far as one fact says it.

    ``tile`` is the tile that was played and ``other`` that of the better choice; ``points`` and
    ``need`` are points, or pairs or tiles where the code speaks of these.
    """

    code: ReasonCode
    tile: str
    other: str
    points: int
    need: int


def move_of(action: Action, view: View) -> Move:
    """A choice of the seat to act, for people."""
    text, public = str(action), view.public
    word, tile, tiles, points = text.partition(" ")[0], "", "", 0
    if isinstance(action, Meld):
        tiles = groups_text(action.pieces)
        if public.opened[public.turn] is None and len(action.pieces[0]) == 2:
            word, points = "open-pairs", len(action.pieces)
        elif public.opened[public.turn] is None:
            groups = (make_group(pieces, public.okey) for pieces in action.pieces)
            word, points = "open", sum(group.points for group in groups)
    elif isinstance(action, Discard | Swap):
        tile = str(action.tile)
    elif isinstance(action, Lay):
        tile = str(TILES[tile_of_piece(action.piece)])
    elif isinstance(action, Take):
        tile = _offered(view)
    return Move(text, next(verb for verb in VERBS if verb == word), tile, tiles, points)


def _cause(
    code: ReasonCode, tile: str = "", other: str = "", points: int = 0, need: int = 0
) -> Cause:
    return Cause(code, tile, other, points, need)


def _offered(view: View) -> str:
    pile = view.public.discards[view.public.previous]
    return str(TILES[pile[-1]]) if pile else ""


def reason(played: Action, best: Action, view: View, loss: Spread, fed: Spread) -> Cause:
    """Why ``best`` is better, by what the seat saw.

    ``loss`` is what ``played`` costs more, ``fed`` how many points it saves the next player.
    """
    options = Options(view)
    opened = view.public.opened[view.public.turn] is not None
    better = move_of(best, view)
    if not opened and (isinstance(played, Meld) or isinstance(best, Meld)):
        return _opening(played, best, view, options)
    if isinstance(best, Take):
        return _take(view, options)
    if isinstance(best, Draw):
        return _cause("draw", tile=_offered(view))
    if isinstance(played, Discard):
        fine = _fine(options, played.tile)
        if played.tile == OKEY and not (isinstance(best, Discard) and best.tile == OKEY):
            return _cause("okey-thrown", str(played.tile), better.tile, fine)
        if fine > (_fine(options, best.tile) if isinstance(best, Discard) else 0):
            return _cause("fined", str(played.tile), better.tile, fine)
        if isinstance(best, Discard):
            return _discard(played.tile, best.tile, view, loss, fed)
        if isinstance(best, Lay | Meld | Swap):
            return _cause("lay", tile=str(played.tile), other=better.tile or better.tiles)
    if isinstance(played, Back):
        ruling = rule_on(view.public, view.hand or 0, played)
        if ruling.fine is not None:
            return _cause("back-fined", other=better.tile, points=ruling.fine[1])
    if isinstance(played, Lay | Meld | Swap):
        mine = move_of(played, view)
        if not mine.tile or mine.tile != better.tile:  # else only the place is another
            return _cause("keep", tile=mine.tile or mine.tiles, other=better.tile)
    return _cause("played-out", other=better.tile)


def _opening(played: Action, best: Action, view: View, options: Options) -> Cause:
    """Why another opening is better, or one at all, or none (H1, H2, P3)."""
    better = move_of(best, view)
    pairs = better.verb == "open-pairs"
    need = options.need_pairs if pairs else options.need_points
    if not isinstance(played, Meld):
        return _cause("open-pairs" if pairs else "open", points=better.points, need=need)
    if rule_on(view.public, view.hand or 0, played).short:
        mine = move_of(played, view)
        need = options.need_pairs if mine.verb == "open-pairs" else options.need_points
        return _cause(
            "short", other=better.tile, points=view.public.setup.rules.short_opening_fine, need=need
        )
    if isinstance(best, Meld):
        return _cause("open-other", other=better.tiles, points=better.points)
    return _cause("hold", other=better.tile)


def _take(view: View, options: Options) -> Cause:
    public = view.public
    pile = public.discards[public.previous]
    name = _offered(view)
    if public.opened[public.turn] is None and pile:
        found = best_melds(public, (view.hand or 0) + BITS_OF[pile[-1]], pile[-1])
        if found is not None and found.points >= needed_points(public):
            return _cause("take-open", tile=name, points=found.points, need=options.need_points)
    return _cause("take", tile=name)


def _fine(options: Options, tile: int) -> int:
    return next((one.points for one in options.discards if one.tile == tile), 0)


def _discard(tile: int, other: int, view: View, loss: Spread, fed: Spread) -> Cause:
    """Why another tile should go: the next player, or the own hand."""
    public, hand = view.public, view.hand or 0
    names = str(TILES[tile]), str(TILES[other])
    if fed.low > 0 and 2 * fed.tenths >= loss.tenths:
        return _cause("feeds", *names, points=round(fed.mean))
    okey = public.okey
    kept, left = (best_value_bits(hand - BITS_OF[one], okey) for one in (other, tile))
    if kept > left:
        return _cause("breaks", *names, points=kept - left)
    near, far = (near_melds(one, hand, view.unseen, okey) for one in (tile, other))
    if near > far:
        return _cause("nearer", *names, points=near, need=far)
    return _cause("played-out", *names)
