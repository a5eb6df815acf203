"""All bots, by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from types import MappingProxyType

from okey101.bots.base import Bot, BotFactory, BotInfo
from okey101.bots.champion import ChampionBot
from okey101.bots.greedy import GreedyBot
from okey101.bots.master import MasterBot
from okey101.bots.neural import NeuralBot
from okey101.bots.novice import NoviceBot
from okey101.bots.random_bot import RandomBot
from okey101.bots.search import SearchBot
from okey101.bots.steady import SteadyBot
from okey101.errors import OkeyError

__all__ = [
    "BOTS",
    "EXPERT",
    "IN_PLACE",
    "LEVELS",
    "SEARCHERS",
    "STAND_IN",
    "bot_of_mark",
    "make_bot",
    "searches_here",
]


def _entry(name: str, version: int, factory: BotFactory) -> tuple[str, BotInfo]:
    return name, BotInfo(name, version, factory, f"bot-{name}")


BOTS: Mapping[str, BotInfo] = MappingProxyType(
    dict(
        [
            _entry("random", 1, RandomBot),
            _entry("novice", 1, NoviceBot),
            _entry("greedy", 1, GreedyBot),
            _entry("steady", 1, SteadyBot),
            _entry("master", 2, MasterBot),
            _entry("neural", 2, NeuralBot),
        ]
    )
)
"""Every bot that any machine runs and any table seats, by its name, the weakest first."""
LEVELS: tuple[str, ...] = ("novice", "greedy", "neural")
"""The bots that every table offers to people, from easy to hard; above them is :data:`EXPERT`.

Each is five points a deal better than the one before, or more, under the usual rules
(docs/en/strength.md).
"""
SEARCHERS: Mapping[str, BotInfo] = MappingProxyType(
    dict([_entry("search", 2, SearchBot), _entry("champion", 2, ChampionBot)])
)
"""Bots that need Numba and NumPy (the extra ``sim``) and time to think: stronger than the others.

A server seats them where its host wants it; they think in a process of their own there.
"""
EXPERT = "champion"
"""The one of :data:`SEARCHERS` that tables offer to people, as the level above all others."""
STAND_IN = "steady"
"""The bot that plays for people who are away or have left a running match."""
IN_PLACE = "master"
"""The bot whose choice is played where one of :data:`SEARCHERS` is late or fails."""


def bot_of_mark(mark: str) -> BotInfo | None:
    """The bot of a name and version as ``steady/1``; None where this program has another or none.

    >>> bot_of_mark("steady/0") is None
    True
    """
    name = mark.partition("/")[0]
    info = BOTS.get(name) or (SEARCHERS.get(name) if searches_here() else None)
    return info if info is not None and info.mark == mark else None


def searches_here() -> bool:
    """Whether what the bots of :data:`SEARCHERS` need is installed."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))


def make_bot(name: str, seed: int = 0) -> Bot:
    """A bot by its name; OkeyError ``unknown-bot`` names the known ones.

    >>> make_bot("greedy", 7).name
    'greedy'
    """
    info = BOTS.get(name) or SEARCHERS.get(name)
    if info is None:
        known = ", ".join([*BOTS, *SEARCHERS])
        raise OkeyError(
            "unknown-bot", f"no bot is called {name!r}; known: {known}", name=name, known=known
        )
    return info.factory(seed)
