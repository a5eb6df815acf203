"""Bots of others that the host lets play at this server's tables, and where they think.

Each seat's bot of each deal has a process of its own, which is told what its seat sees and its
seed, over the protocol of docs/en/bots.md, and nothing else. The server itself loads none of their
code.
"""

from __future__ import annotations

import shlex
import sys
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock
from types import MappingProxyType
from typing import Final

from okey101.bots.process_bot import ProcessBot, Programs
from okey101.bots.registry import BOTS, EXPERT
from okey101.bots.specs import EXEC
from okey101.errors import OkeyError
from okey101.game import Action, Options, View

__all__ = ["OutsideBots", "allow", "allowed", "check_bot", "command_of", "is_outside", "searchers"]

LIMIT_S: Final = 5.0
"""The time for each choice; after it the fallback is played."""
MOST: Final = 32
"""So many processes of theirs run at once; the one that was idle longest has to go."""

_allowed: Mapping[str, str] = MappingProxyType({})
_searchers: tuple[str, ...] = ()


def allow(bots: Iterable[tuple[str, str]], *, search: bool = False) -> None:
    """Let these bots play, each a name and a word; those that were allowed before may no more.

    With ``search`` our own that search may play as well.
    """
    global _allowed, _searchers  # noqa: PLW0603  # a process serves for one host
    _allowed = MappingProxyType(dict(bots))
    _searchers = (EXPERT,) if search else ()


def allowed() -> tuple[str, ...]:
    """The names of the bots that may play, in the order in which the host has them."""
    return tuple(_allowed)


def searchers() -> tuple[str, ...]:
    """The names of our own bots that search, where they may play."""
    return _searchers


def is_outside(name: str) -> bool:
    """Whether a name is that of an allowed bot of others."""
    return name in _allowed


def check_bot(name: str) -> None:
    """OkeyError ``unknown-bot`` for a name that is neither ours nor allowed here."""
    ours = [*BOTS, *_searchers]
    if name not in ours and name not in _allowed:
        known = ", ".join([*ours, *_allowed])
        raise OkeyError(
            "unknown-bot", f"no bot is called {name!r}; known: {known}", name=name, known=known
        )


def command_of(name: str) -> str:
    """The program that plays an allowed bot; KeyError for another name."""
    spec = _allowed[name]
    if spec.startswith(EXEC):
        return spec.removeprefix(EXEC)
    return shlex.join([sys.executable, "-m", "okey101.bots.program", spec])


class OutsideBots:
    """The processes of bots of others; used from several threads."""

    def __init__(self) -> None:
        self._programs = Programs(MOST)
        self._bots: OrderedDict[tuple[str, int], ProcessBot] = OrderedDict()
        self._lock = Lock()

    def choose(self, name: str, seed: int, view: View) -> Action:
        """The choice of a bot; BotFault where it has none, KeyError where it is not allowed."""
        command = command_of(name)
        with self._lock:
            bot = self._bots.pop((command, seed), None)
            if bot is None:
                bot = ProcessBot(
                    command, seed, limit_s=LIMIT_S, programs=self._programs, alone=True
                )
            self._bots[command, seed] = bot
            if len(self._bots) > MOST:
                self._bots.popitem(last=False)
        return bot.choose(view, Options(view))

    def close(self) -> None:
        """End all processes."""
        self._programs.stop(0)
