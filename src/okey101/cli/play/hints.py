"""Hints in words: what to do as a command that can be typed, and why."""

from __future__ import annotations

from okey101.bots.reasons import Reason
from okey101.game.actions import Action
from okey101.i18n import Texts
from okey101.render.text import Ink
from okey101.tiles import parse_tile

__all__ = ["reason_text", "typed"]


def typed(action: Action, texts: Texts) -> str:
    """The action as a command in the player's language."""
    word, _, rest = str(action).partition(" ")
    return f"{texts('play-typed', word=word)} {rest}".rstrip()


def reason_text(reason: Reason, ink: Ink) -> str:
    """Why to do it, in the sentences that the page has too."""
    tile = ink.tile(parse_tile(reason.tile)) if reason.tile else ""
    code = f"hint-why-{reason.code}"
    words = ink.texts(code, tile=tile, points=reason.points, need=reason.need)
    return f"{words} {ink.texts('hint-safe')}" if reason.safe else words
