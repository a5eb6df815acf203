"""Players made of code: each sees what a person in its seat sees, and answers with an action."""

from okey101.bots.base import Bot, BotFactory, BotInfo
from okey101.bots.registry import BOTS, STAND_IN, bot_of_mark, make_bot

__all__ = ["BOTS", "STAND_IN", "Bot", "BotFactory", "BotInfo", "bot_of_mark", "make_bot"]
