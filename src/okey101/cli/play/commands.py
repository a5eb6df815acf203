"""Reading what the player types: the word of a command, in either language, and what follows it."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from okey101.errors import NotationError

__all__ = ["Command", "Verb", "fold", "is_yes", "read_command", "shown"]


class Verb(StrEnum):
    """What a command asks for."""

    DRAW = "draw"
    TAKE = "take"
    RETURN = "return"
    OPEN = "open"
    OPEN_PAIRS = "open-pairs"
    MELD = "meld"
    LAY = "lay"
    LAY_ALL = "lay-all"
    DISCARD = "discard"
    BACK = "back"
    ANNOUNCE = "announce"
    PASS = "pass"
    INDICATOR = "indicator"
    SWAP = "swap"
    SORT_MELDS = "sort-melds"
    SORT_PAIRS = "sort-pairs"
    SORT_COLOURS = "sort-colours"
    HINT = "hint"
    AUTO = "auto"
    WHY = "why"
    TABLE = "table"
    RACK = "rack"
    RULES = "rules"
    SCORE = "score"
    LOG = "log"
    SAVE = "save"
    WORDS = "words"
    HELP = "help"
    QUIT = "quit"
    STATUS = "status"
    """An empty line: the position once more."""


_PHRASES: dict[Verb, str] = {
    Verb.DRAW: "d, draw, cek, yerden, yerden cek",
    Verb.TAKE: "t, take, al, yandan, yandan al",
    Verb.RETURN: "r, return, birak, geri birak",
    Verb.OPEN: "o, open, ac, el ac",
    Verb.OPEN_PAIRS: "op, open pairs, ca, cift ac",
    Verb.MELD: "m, meld, ser, per, indir",
    Verb.LAY: "l, lay, isle",
    Verb.LAY_ALL: "la, lay all, it, isle tumu, tumunu isle",
    Verb.DISCARD: "x, discard, at",
    Verb.BACK: "b, back, undo, ga, geri al",
    Verb.ANNOUNCE: "announce, soyle",
    Verb.PASS: "p, pass, gec, pas",
    Verb.INDICATOR: "indicator, gosterge",
    Verb.SWAP: "swap, degis, okey al",
    Verb.SORT_MELDS: "s, sort, sort melds, diz, sd, seri diz",
    Verb.SORT_PAIRS: "sp, sort pairs, cd, cift diz",
    Verb.SORT_COLOURS: "sc, sort colours, sort colors, rd, renk diz",
    Verb.HINT: "h, hint, ip, ipucu",
    Verb.AUTO: "auto, oto",
    Verb.WHY: "w, why, ne, neden",
    Verb.TABLE: "table, masa",
    Verb.RACK: "rack, istaka",
    Verb.RULES: "rules, kural, kurallar",
    Verb.SCORE: "score, puan, cetvel",
    Verb.LOG: "log, olanlar",
    Verb.SAVE: "save, kaydet",
    Verb.WORDS: "words, sozlu",
    Verb.HELP: "help, ?, yardim",
    Verb.QUIT: "quit, q, exit, cik",
}
_TURKISH_LETTERS = {
    "c": Verb.DRAW,
    "y": Verb.TAKE,
    "g": Verb.RETURN,
    "a": Verb.OPEN,
    "i": Verb.LAY,
}
"""Single letters that mean something in Turkish alone."""
_WORDS: dict[tuple[str, ...], Verb] = {
    tuple(phrase.split()): verb
    for verb, phrases in _PHRASES.items()
    for phrase in phrases.split(", ")
}
_LONGEST = max(map(len, _WORDS))
_FOLDED = str.maketrans("çğıöşüâîûÇĞİIÖŞÜÂÎÛ", "cgiosuaiucgiiosuaiu")
_YES = ("y", "yes", "e", "evet")


class Command(NamedTuple):
    """A command: its verb, the text after it, and where in the line that begins."""

    verb: Verb
    rest: str
    at: int
    line: str
    seat: int | None = None
    """The seat a line in the record's form names: ``0: draw``."""


def fold(word: str) -> str:
    """A word in small letters without the marks of Turkish, so that either spelling is read.

    >>> fold("ÇIK"), fold("geri"), fold("İşle")
    ('cik', 'geri', 'isle')
    """
    return word.translate(_FOLDED).lower()


def shown(text: str, limit: int = 40) -> str:
    """Typed text made safe to print: no control characters, cut when long."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= limit else clean[: limit - 3] + "..."


def is_yes(line: str) -> bool:
    """Whether an answer means yes, in either language."""
    return fold(line.strip()) in _YES


def read_command(line: str, language: str) -> Command:
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
        return Command(Verb.STATUS, "", 0, line, seat)
    folded = [fold(word[0]) for word in words[:_LONGEST]]
    for length in range(len(folded), 0, -1):
        verb = _WORDS.get(tuple(folded[:length]))
        if verb is None and length == 1 and language == "tr":
            verb = _TURKISH_LETTERS.get(folded[0])
        if verb is not None:
            at = start + words[length].start() if len(words) > length else len(text)
            return Command(verb, text[at:], at, line, seat)
    word = shown(words[0][0])
    raise NotationError(
        "unknown-command",
        f"{word!r} is no command",
        text=line,
        position=start + words[0].start(),
        word=word,
    )
