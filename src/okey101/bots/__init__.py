"""Bots: each sees what a person in its seat would see, and answers with an action."""

from okey101.bots.base import Bot, BotFactory, BotFault, BotInfo
from okey101.bots.registry import (
    BOTS,
    EXPERT,
    IN_PLACE,
    LEVELS,
    SEARCHERS,
    STAND_IN,
    bot_info,
    bot_of,
    bot_of_mark,
    make_bot,
    searches_here,
)

__all__ = [
    "BOTS", "EXPERT", "IN_PLACE", "LEVELS", "SEARCHERS", "STAND_IN", "Bot", "BotFactory",
    "BotFault", "BotInfo", "bot_info", "bot_of", "bot_of_mark", "make_bot", "searches_here",
]  # fmt: skip
