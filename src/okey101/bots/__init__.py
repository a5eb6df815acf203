"""Players made of code: each sees what a person in its seat sees, and answers with an action."""

from okey101.bots.base import Bot, BotFactory, BotInfo
from okey101.bots.registry import BOTS, make_bot

__all__ = ["BOTS", "Bot", "BotFactory", "BotInfo", "make_bot"]
