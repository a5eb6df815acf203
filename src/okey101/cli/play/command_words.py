"""What a player may type: the words of every command in each language, and those of tiles.

The terminal reads them from here; the page has them in a file made from this one
(``scripts/make_docs.py``). Words are written as they are shown, and read by their folded form.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Self


class Verb(StrEnum):
    """What a command asks for, with its words; those that are actions are called as the action."""

    words: Mapping[str, tuple[str, ...]]

    def __new__(cls, value: str, en: str = "", tr: str = "") -> Self:
        """One by its value, with its words in English and in Turkish."""
        verb = str.__new__(cls, value)
        verb._value_ = value
        verb.words = MappingProxyType({"en": tuple(en.split(", ")), "tr": tuple(tr.split(", "))})
        return verb

    DRAW = "draw", "d, draw", "ç, çek, yerden, yerden çek"
    TAKE = "take", "t, take", "y, al, yandan, yandan al"
    RETURN = "return", "r, return", "g, bırak, geri bırak"
    OPEN = "open", "o, open", "a, aç, el aç"
    OPEN_PAIRS = "open-pairs", "op, open pairs, pairs", "ça, çift aç, çift"
    MELD = "meld", "m, meld", "indir, ser, per"
    LAY = "lay", "l, lay", "i, işle"
    LAY_ALL = "lay-all", "la, lay all", "it, işle tümü, tümünü işle"
    DISCARD = "discard", "x, discard", "at"
    BACK = "back", "b, back, undo", "ga, geri al"
    ANNOUNCE = "announce", "announce", "söyle"
    PASS = "pass", "p, pass", "pas, geç"
    INDICATOR = "indicator", "indicator", "gösterge"
    SWAP = "swap", "swap", "değiş, okey al"
    SORT_MELDS = "sort-melds", "s, sort, sort melds", "diz, sd, seri diz, seri"
    SORT_PAIRS = "sort-pairs", "sp, sort pairs", "çd, çift diz"
    SORT_COLOURS = "sort-colours", "sc, sort colours, sort colors", "rd, renk diz"
    HINT = "hint", "h, hint", "ip, ipucu"
    AUTO = "auto", "auto", "oto"
    WHY = "why", "w, why", "ne, neden"
    TABLE = "table", "table", "masa"
    RACK = "rack", "rack, hand", "ıstaka, el"
    RULES = "rules", "rules", "kural, kurallar"
    SCORE = "score", "score", "puan, cetvel"
    LOG = "log", "log", "olanlar"
    SAVE = "save", "save", "kaydet"
    WORDS = "words", "words", "sözlü"
    READY = "ready", "ready", "hazır"
    HELP = "help", "help, ?", "yardım"
    QUIT = "quit", "quit, q, exit", "çık"
    STATUS = "status"
    """An empty line: the position once more."""


COMMANDS: Mapping[Verb, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {verb: verb.words for verb in Verb if verb is not Verb.STATUS}
)
"""The words of each command by language. Those of both are read everywhere, single letters of
Turkish in Turkish alone, where some of them mean what they don't in English."""

TILE_WORDS: Mapping[str, str] = MappingProxyType({
    "kırmızı": "R", "red": "R", "sarı": "Y", "yellow": "Y", "mavi": "B", "blue": "B",
    "siyah": "K", "black": "K", "sahte okey": "F", "false joker": "F", "okey": "*",
})  # fmt: skip
"""Colours, which a number follows, and the tiles that have none, with their notation."""

_FOLDED = str.maketrans("çğıöşüâîûÇĞİIÖŞÜÂÎÛ", "cgiosuaiucgiiosuaiu")
_TAILS = {
    Verb.LAY: "K5 > 3", Verb.SWAP: "R8 > 3", Verb.BACK: "2", Verb.DISCARD: "R9", Verb.AUTO: "5",
}  # fmt: skip


def fold(word: str) -> str:
    """A word in small letters without the marks of Turkish, so that either spelling is read.

    >>> fold("ÇIK"), fold("geri"), fold("İşle")
    ('cik', 'geri', 'isle')
    """
    return word.translate(_FOLDED).lower()


def words_of(verbs: Collection[Verb], language: str) -> dict[tuple[str, ...], Verb]:
    """Every phrase by which these commands are known in a language, in folded words."""
    return {
        tuple(fold(phrase).split()): verb
        for verb in verbs
        for spoken, phrases in COMMANDS[verb].items()
        for phrase in phrases
        if spoken in ("en", language) or len(phrase) > 1
    }


def shape_of(verb: Verb, language: str) -> str:
    """How a command is written in a language, as an example.

    >>> shape_of(Verb.LAY, "tr"), shape_of(Verb.OPEN_PAIRS, "en")
    ('işle K5 > 3', 'open pairs')
    """
    phrases = COMMANDS[verb][language]
    word = next((phrase for phrase in phrases if len(phrase) > 2), phrases[-1])
    return " ".join([word, _TAILS[verb]]) if verb in _TAILS else word


_TILES = {fold(words): notation for words, notation in TILE_WORDS.items()}
_NAMED = re.compile(
    "|".join(
        r"(?<!\S)" + words + (" (?=[0-9])" if notation in "RYBK" else r"(?!\S)")
        for words, notation in _TILES.items()
    )
)
"""Whole words; of colours those that a number follows, for one alone is no tile."""


def in_notation(text: str) -> str:
    """A text with tiles named in words turned into the notation; all else stays as it is.

    >>> in_notation("kırmızı 5 > 3"), in_notation("sahte okey"), in_notation("R5 k 7")
    ('R5 > 3', 'F', 'R5 k7')
    """
    text = " ".join(re.sub(r"\b([RYBKrybk])\s+(?=\d)", r"\1", text).split())
    parts, end = [], 0
    for named in _NAMED.finditer(fold(text)):
        parts += [text[end : named.start()], _TILES[named[0].strip()]]
        end = named.end()
    return "".join([*parts, text[end:]])
