"""Why an action is a good one, in a sentence of facts that the solver can vouch for."""

from __future__ import annotations

from okey101.game.actions import Action, Back, Discard, Draw, Lay, Meld, Take
from okey101.game.deal import Opened, Phase, Public
from okey101.game.options import Options
from okey101.game.scoring import OKEY_POINTS
from okey101.game.taken_discard import can_use
from okey101.i18n import Texts
from okey101.melds import tile_of_piece
from okey101.render.text import Ink
from okey101.solver import arrange_bits, best_value_bits, count_pairs_bits
from okey101.tiles import BITS_OF, OKEY, points_of_bits, size_of_bits

__all__ = ["reason_for", "typed"]


def typed(action: Action, texts: Texts) -> str:
    """The action as a command in the player's language."""
    word, _, rest = str(action).partition(" ")
    return f"{texts('play-typed', word=word)} {rest}".rstrip()


def reason_for(action: Action, options: Options, ink: Ink) -> str:
    """Why to do this now."""
    texts = ink.texts
    match action:
        case Draw():
            return _why_draw(options, ink)
        case Take():
            return _why_take(options, ink)
        case Meld():
            return _why_meld(action, options, texts)
        case Lay():
            tile = tile_of_piece(action.piece)
            if tile == OKEY:
                return _why_lay_okey(options, texts)
            points = points_of_bits(BITS_OF[tile], options.view.public.setup.okey)
            return texts("play-why-lay", points=points)
        case Back():
            return texts("play-why-back")
        case Discard():
            return _why_discard(action, options, texts)
        case _:
            return texts(f"play-why-{str(action).partition(' ')[0]}")


def _why_lay_okey(options: Options, texts: Texts) -> str:
    """What keeping an okey would cost (C2, P5)."""
    rules = options.view.public.setup.rules
    flat = rules.okey_in_hand == "fine_101"
    points = rules.okey_in_hand_fine if flat else OKEY_POINTS
    return texts("play-why-lay-okey", points=points)


def _offered(public: Public) -> int | None:
    pile = public.discards[public.previous]
    return pile[-1] if pile else None


def _why_draw(options: Options, ink: Ink) -> str:
    public, hand = options.view.public, options.view.hand or 0
    tile = _offered(public)
    if tile is None:
        return ink.texts("play-why-draw-only")
    if public.phase is Phase.MUST_DRAW or not options.take:
        return ink.texts("play-why-draw-only")
    if can_use(public, hand + BITS_OF[tile], tile):
        return ink.texts("play-why-draw-rather", tile=ink.tile(tile))
    return ink.texts("play-why-draw-useless", tile=ink.tile(tile))


def _why_take(options: Options, ink: Ink) -> str:
    public, hand = options.view.public, options.view.hand or 0
    tile = _offered(public)
    assert tile is not None
    if public.opened[public.turn] is not None:
        return ink.texts("play-why-take", tile=ink.tile(tile))
    held = hand + BITS_OF[tile]
    found = arrange_bits(held, public.setup.okey, must=tile, keep=1)
    if found is not None and found.points >= options.need_points:
        return ink.texts("play-why-take-open", tile=ink.tile(tile), points=found.points)
    pairs = count_pairs_bits(held, public.setup.okey)
    if pairs >= options.need_pairs:
        return ink.texts("play-why-take-pairs", tile=ink.tile(tile), count=pairs)
    return ink.texts("play-why-take", tile=ink.tile(tile))


def _why_meld(action: Meld, options: Options, texts: Texts) -> str:
    public = options.view.public
    if public.opened[public.turn] is not None:
        tiles = sum(map(len, action.groups))
        return texts("play-why-meld", count=tiles)
    if len(action.groups[0]) == 2:
        return texts("play-why-open-pairs", count=len(action.groups), need=options.need_pairs)
    return texts("play-why-open", need=options.need_points)


def _why_discard(action: Discard, options: Options, texts: Texts) -> str:
    public, hand = options.view.public, options.view.hand or 0
    if size_of_bits(hand) == 1:
        return texts("play-why-finish")
    points = next((d.points for d in options.discards if d.tile == action.tile), 0)
    if points:
        if all(d.points for d in options.discards):
            return texts("play-why-discard-all", points=points)
        return texts("play-why-discard-fined", points=points)
    okey = public.setup.okey
    after = hand - BITS_OF[action.tile]
    opened = public.opened[public.turn]
    if opened is None:
        return texts(
            "play-why-discard",
            points=best_value_bits(after, okey),
            pairs=count_pairs_bits(after, okey),
        )
    if opened is Opened.PAIRS:
        return texts("play-why-discard-pairs", count=count_pairs_bits(after, okey))
    left = points_of_bits(after, okey, 101)
    return texts("play-why-discard-open", points=left)
