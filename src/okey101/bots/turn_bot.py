"""The course of a turn, for bots that finish, open, lay and throw in that order."""

from __future__ import annotations

from abc import ABC, abstractmethod

from okey101.game.actions import (
    ANNOUNCE,
    DRAW,
    INDICATOR,
    PASS,
    RETURN,
    TAKE,
    Action,
    Back,
    Discard,
)
from okey101.game.deal import Phase
from okey101.game.options import Options
from okey101.game.view import View

__all__ = ["TurnBot"]


class TurnBot(ABC):
    """What every turn has in common; the four judgements are the bot's own."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, view: View, options: Options) -> Action:
        """Finish, open, lay down, put back or throw: the first that the bot wants."""
        hand = view.hand or 0
        if view.public.phase is not Phase.PLAY:
            return self._begin(view, hand, options)
        if options.announce:
            return ANNOUNCE
        unopened = view.public.opened[view.public.turn] is None
        laid = self._open(view, hand, options) if unopened else self._lay(view, hand, options)
        if laid is not None:
            return laid
        if options.return_:
            return RETURN
        if options.discards:
            return Discard(self._discard(view, hand, options))
        return next(a for a in options.actions() if not isinstance(a, Back))

    def _begin(self, view: View, hand: int, options: Options) -> Action:
        if options.take and self._takes(view, hand, options):
            return TAKE
        if options.draw:
            return DRAW
        return INDICATOR if options.indicator else PASS

    @abstractmethod
    def _takes(self, view: View, hand: int, options: Options) -> bool:
        """Whether to take the discard, which may be taken."""

    @abstractmethod
    def _open(self, view: View, hand: int, options: Options) -> Action | None:
        """An opening to lay now, or None."""

    @abstractmethod
    def _lay(self, view: View, hand: int, options: Options) -> Action | None:
        """The next tile or group to put down, or None."""

    @abstractmethod
    def _discard(self, view: View, hand: int, options: Options) -> int:
        """The tile to throw."""
