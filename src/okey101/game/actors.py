"""Who played an action, as a record tells it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from okey101.errors import OkeyError

__all__ = ["BOT", "CLOCK", "EXTERNAL", "FALLBACK", "PERSON", "Actor"]

PERSON: Final = "person"
CLOCK: Final = "clock"
"""A person's time was up."""
FALLBACK: Final = "fallback"
"""A bot had no choice: it failed, was late, chose what is illegal, or acted too often in a turn.

With a bot's name and version it is that bot's choice which was played in its place.
"""
BOT: Final = "bot"
"""A bot that can be played again: view and seed decide."""
EXTERNAL: Final = "external"
"""A program or code of others, which nobody can play again."""
_ACTOR = re.compile(
    r"(?P<kind>person)|(?P<played>clock|fallback)(?:/(?P<number>[1-9][0-9]{0,8}))?"
    r"|(?P<bot>bot(?=:|$)|fallback(?=:))(?::(?P<mark>[^\s/:]{1,60}/[1-9][0-9]{0,8}))?"
    r"|(?P<external>external):(?P<other>[^\s/:]{1,60}(?:/[1-9][0-9]{0,8})?)"
)


class Actor(NamedTuple):
    """A person, or what played by itself: the kind, and what it takes to play it again."""

    kind: str
    mark: str | None = None
    """A bot's name and version, as ``steady/1``; None where that is not known.

    Of what is external it is a name at least.
    """
    version: int = 1
    """Of the clock and the fallback."""

    @classmethod
    def parse(cls, text: str) -> Actor:
        """Read an actor: ``person``, ``clock``, ``fallback``, ``bot``, either of them with
        ``:NAME/VERSION``, or ``external:NAME``, with a version where one is known.

        A later version of what the clock and the fallback play is ``clock/2``. Raises OkeyError
        ``bad-actor``, which does not repeat the text.

        >>> Actor.parse("bot:steady/1")
        Actor(kind='bot', mark='steady/1', version=1)
        >>> Actor.parse("fallback:master/1")
        Actor(kind='fallback', mark='master/1', version=1)
        """
        found = _ACTOR.fullmatch(text)
        if found is None:
            raise OkeyError("bad-actor", "no actor: person, clock, fallback, bot:NAME/VERSION")
        kind, played, number, bot, mark = found.group("kind", "played", "number", "bot", "mark")
        external, other = found.group("external", "other")
        return cls(kind or played or bot or external, mark or other, int(number or 1))
