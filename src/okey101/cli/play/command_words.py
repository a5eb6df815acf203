"""What a player may type: the words of every command in each language, and those of tiles.

The terminal reads them from here; the page has them in a file made from this one
(``scripts/make_docs.py``). Words are written as they are shown, and read by their folded form.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from types import MappingProxyType


class Verb(StrEnum):
    """What a command asks for; those that are actions of the game are called as the action."""

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
    READY = "ready"
    HELP = "help"
    QUIT = "quit"
    STATUS = "status"
    """An empty line: the position once more."""


COMMANDS: Mapping[Verb, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        verb: MappingProxyType({"en": tuple(en.split(", ")), "tr": tuple(tr.split(", "))})
        for verb, en, tr in (
            (Verb.DRAW, "d, draw", "ç, çek, yerden, yerden çek"),
            (Verb.TAKE, "t, take", "y, al, yandan, yandan al"),
            (Verb.RETURN, "r, return", "g, bırak, geri bırak"),
            (Verb.OPEN, "o, open", "a, aç, el aç"),
            (Verb.OPEN_PAIRS, "op, open pairs, pairs", "ça, çift aç, çift"),
            (Verb.MELD, "m, meld", "indir, ser, per"),
            (Verb.LAY, "l, lay", "i, işle"),
            (Verb.LAY_ALL, "la, lay all", "it, işle tümü, tümünü işle"),
            (Verb.DISCARD, "x, discard", "at"),
            (Verb.BACK, "b, back, undo", "ga, geri al"),
            (Verb.ANNOUNCE, "announce", "söyle"),
            (Verb.PASS, "p, pass", "pas, geç"),
            (Verb.INDICATOR, "indicator", "gösterge"),
            (Verb.SWAP, "swap", "değiş, okey al"),
            (Verb.SORT_MELDS, "s, sort, sort melds", "diz, sd, seri diz, seri"),
            (Verb.SORT_PAIRS, "sp, sort pairs", "çd, çift diz"),
            (Verb.SORT_COLOURS, "sc, sort colours, sort colors", "rd, renk diz"),
            (Verb.HINT, "h, hint", "ip, ipucu"),
            (Verb.AUTO, "auto", "oto"),
            (Verb.WHY, "w, why", "ne, neden"),
            (Verb.TABLE, "table", "masa"),
            (Verb.RACK, "rack, hand", "ıstaka, el"),
            (Verb.RULES, "rules", "kural, kurallar"),
            (Verb.SCORE, "score", "puan, cetvel"),
            (Verb.LOG, "log", "olanlar"),
            (Verb.SAVE, "save", "kaydet"),
            (Verb.WORDS, "words", "sözlü"),
            (Verb.READY, "ready", "hazır"),
            (Verb.HELP, "help, ?", "yardım"),
            (Verb.QUIT, "quit, q, exit", "çık"),
        )
    }
)
"""The words of each command by language. Those of both are read everywhere, single letters of
Turkish in Turkish alone, where some of them mean what they don't in English."""

TILE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "kırmızı": "R",
        "red": "R",
        "sarı": "Y",
        "yellow": "Y",
        "mavi": "B",
        "blue": "B",
        "siyah": "K",
        "black": "K",
        "sahte okey": "F",
        "false joker": "F",
        "okey": "*",
    }
)
"""Colours, which a number follows, and the tiles that have none, with their notation."""

_FOLDED = str.maketrans("çğıöşüâîûÇĞİIÖŞÜÂÎÛ", "cgiosuaiucgiiosuaiu")
_TAILS = {
    Verb.LAY: "K5 > 3",
    Verb.SWAP: "R8 > 3",
    Verb.BACK: "2",
    Verb.DISCARD: "R9",
    Verb.AUTO: "5",
}


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


_TILES = {tuple(fold(words).split()): notation for words, notation in TILE_WORDS.items()}


def in_notation(text: str) -> str:
    """A text with tiles named in words turned into the notation; all else stays as it is.

    >>> in_notation("kırmızı 5 > 3"), in_notation("sahte okey"), in_notation("R5 k 7")
    ('R5 > 3', 'F', 'R5 k7')
    """
    words = re.sub(r"\b([RYBKrybk])\s+(?=\d)", r"\1", text).split()
    folded = [fold(word) for word in words]
    found: list[str] = []
    at = 0
    while at < len(words):
        for length in (2, 1):
            notation = _TILES.get(tuple(folded[at : at + length]))
            if notation is not None:
                break
        else:
            found.append(words[at])
            at += 1
            continue
        at += length
        if notation in "RYBK":
            notation += words[at] if at < len(words) else ""
            at += 1
        found.append(notation)
    return " ".join(found)
