"""Reading what the player types: the word of a command, in either language, and what follows it."""

from __future__ import annotations

import re
from typing import NamedTuple

from okey101.command_words import COMMANDS, Verb, fold, words_of
from okey101.errors import NotationError
from okey101.i18n import LANGUAGES

__all__ = ["TypedCommand", "Verb", "is_yes", "read_command", "shown"]


_SPOKEN = frozenset(COMMANDS) - {Verb.READY}
"""At the terminal nobody waits for anybody."""
_WORDS = {language: words_of(_SPOKEN, language) for language in LANGUAGES}
_LONGEST = max(len(words) for words in _WORDS["tr"])
_YES = ("y", "yes", "e", "evet")


class TypedCommand(NamedTuple):
    """A command: its verb, the text after it, and where in the line that begins."""

    verb: Verb
    rest: str
    at: int
    line: str
    seat: int | None = None
    """The seat that a line in the form of a record names: ``0: draw``."""
    language: str = "en"
    """The player's language."""


def shown(text: str, limit: int = 40) -> str:
    """Typed text made safe to print: no control characters, cut when long."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= limit else clean[: limit - 3] + "..."


def is_yes(line: str) -> bool:
    """Whether an answer means yes, in either language."""
    return fold(line.strip()) in _YES


def read_command(line: str, language: str) -> TypedCommand:
    """Read one line; raises NotationError ``unknown-command`` or ``bad-seat``.

    >>> read_command("geri bırak", "tr").verb
    <Verb.RETURN: 'return'>
    >>> read_command("l K5 3", "en").rest
    'K5 3'
    """
    text = line.rstrip()
    seat = None
    start = 0
    led = re.match(r"\s*([0-9]+)\s*:", text)
    if led:
        seat = int(led[1]) if led[1] in ("0", "1", "2", "3") else -1
        if seat < 0:
            raise NotationError("bad-seat", f"{led[1]!r} is no seat", text=line, seat=shown(led[1]))
        start = led.end()
    words = list(re.finditer(r"\S+", text[start:]))
    if not words:
        return TypedCommand(Verb.STATUS, "", 0, line, seat, language)
    folded = [fold(word[0]) for word in words[:_LONGEST]]
    for length in range(len(folded), 0, -1):
        verb = _WORDS[language].get(tuple(folded[:length]))
        if verb is not None:
            at = start + words[length].start() if len(words) > length else len(text)
            return TypedCommand(verb, text[at:], at, line, seat, language)
    word = shown(words[0][0])
    raise NotationError(
        "unknown-command",
        f"{word!r} is no command",
        text=line,
        position=start + words[0].start(),
        word=word,
    )
