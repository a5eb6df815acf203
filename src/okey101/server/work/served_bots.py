"""Bots of others that the host lets play at this server's tables, and where they think.

Each seat's bot of each deal has a process of its own, which is told what its seat sees and its
seed, over the protocol of docs/en/bots.md, and nothing else. The server itself loads none of their
code.
"""

from __future__ import annotations

import shlex
import sys
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Final

from okey101.bots.base import unknown_bot
from okey101.bots.process_bot import ProcessBot, Programs
from okey101.bots.registry import BOTS, EXEC, EXPERT, searches_here
from okey101.game import Action, Options, View

LIMIT_S: Final = 5.0
"""The time for each choice; after it the fallback is played."""
MOST: Final = 32
"""So many processes of theirs run at once; the one that was idle longest has to go."""


class ServedBots:
    """The bots that may play at a server's tables: ours, and what else its host allows."""

    def __init__(self, outside: Iterable[tuple[str, str]] = (), *, search: bool = False) -> None:
        """Bots of others, each a name and a word; with ``search`` our own that search as well."""
        self.outside = dict(outside)
        self.searchers: tuple[str, ...] = (EXPERT,) if search and searches_here() else ()

    def check(self, name: str) -> None:
        """OkeyError ``unknown-bot`` for a name that is neither ours nor allowed here."""
        names = [*BOTS, *self.searchers, *self.outside]
        if name not in names:
            raise unknown_bot(name, names)

    def command_of(self, name: str) -> str:
        """The program that plays a bot of others; KeyError for another name."""
        spec = self.outside[name]
        if spec.startswith(EXEC):
            return spec.removeprefix(EXEC)
        return shlex.join([sys.executable, "-m", "okey101.bots.program", spec])


OURS: Final = ServedBots()
"""What every host allows."""


class OutsideBots:
    """The processes of bots of others; used from several threads."""

    def __init__(self, served: ServedBots) -> None:
        self._served = served
        self._programs = Programs(MOST)
        self._bots: OrderedDict[tuple[str, int], ProcessBot] = OrderedDict()
        self._lock = Lock()

    def choose(self, name: str, seed: int, view: View) -> Action:
        """The choice of a bot; BotFault where it has none, KeyError where it is not allowed."""
        command = self._served.command_of(name)
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

    def tell_end(self, name: str, seed: int, view: View) -> None:
        """Show a bot that was asked in a deal how that ended, if it did, and end its process."""
        command = self._served.command_of(name)
        with self._lock:
            bot = self._bots.pop((command, seed), None)
        if bot is not None and view.public.result is not None:
            bot.ended(view)
        self._programs.end(command, seed, LIMIT_S)

    def close(self) -> None:
        """End all processes."""
        self._programs.stop(0)
