"""Who played an action of the log, in the words of records."""

from __future__ import annotations

import sys

from okey101.game.actors import BOT, CLOCK, EXTERNAL, FALLBACK, PERSON
from okey101.server.tables import log_entries as log

__all__ = ["actor_of"]

_ACTORS = {"user": PERSON, "clock": CLOCK, "fallback": FALLBACK}


def actor_of(entry: log.Acted) -> str:
    """The actor of an entry; older entries of a bot don't say which."""
    if entry.by == "bot":
        if entry.bot is not None and entry.bot.startswith(f"{EXTERNAL}:"):
            return sys.intern(entry.bot)
        return BOT if entry.bot is None else sys.intern(f"{BOT}:{entry.bot}")
    if entry.by == "fallback" and entry.bot is not None:
        return sys.intern(f"{FALLBACK}:{entry.bot}")
    return _ACTORS[entry.by]
