"""The bots at the table, and the one that gives hints."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from okey101.bots.base import Bot
from okey101.bots.fallback import fallback_action
from okey101.bots.specs import is_foreign
from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.legality import judge
from okey101.game.options import Options
from okey101.game.view import view_of
from okey101.sim.conduct import TURN_LIMIT

__all__ = ["BotMaker", "Opponents", "default_maker"]

BotMaker = Callable[[str, int], Bot]
"""Makes a bot by its name and a seed; raises OkeyError for an unknown name."""
_LABEL = b"okey101 play bots 1"


def default_maker(name: str, seed: int) -> Bot:
    """A bot by the word that names it."""
    from okey101.bots.specs import bot_of

    return bot_of(name, seed)


class Opponents:
    """Chooses for every seat; equal seeds and positions give equal choices, so a match resumes.

    A bot of somebody else may fail, or choose what is illegal: then a default move is played.
    """

    def __init__(self, names: Sequence[str], seed: bytes, maker: BotMaker) -> None:
        """``names`` by seat, empty for the player; raises OkeyError ``unknown-bot``."""
        self._names = names
        self._seed = seed
        self._maker = maker
        self._bots: dict[tuple[int, int], Bot] = {}
        self._turn: tuple[int, int] | None = None
        self._streak = 0
        self.failed = ""
        """The bot for which the last choice is a default move."""
        for name in names:
            if name:
                maker(name, 0)

    def choose(self, number: int, deal: Deal, seat: int) -> Action:
        """A bot's action in the deal of that number, counted from 0."""
        turn = number, deal.public.turns
        self._streak = self._streak + 1 if turn == self._turn else 0
        self._turn, self.failed = turn, ""
        name = self._names[seat]
        if not is_foreign(name):
            return self._ask(name, number, deal, seat)
        try:
            if self._streak < TURN_LIMIT:
                return judge(deal, self._ask(name, number, deal, seat)).action
        except Exception:  # noqa: BLE001  # it must not end the match
            pass
        self.failed = name
        return fallback_action(view_of(deal, seat))

    def _ask(self, name: str, number: int, deal: Deal, seat: int) -> Action:
        bot = self._bots.get((number, seat))
        if bot is None:
            text = f" {number} {seat}".encode("ascii")
            digest = hashlib.sha256(self._seed + _LABEL + text).digest()
            bot = self._maker(name, int.from_bytes(digest[:8], "big"))
            self._bots[number, seat] = bot
        view = view_of(deal, seat)
        return bot.choose(view, Options(view))
