"""Names of people: what is allowed, what looks alike, what the host refuses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from okey101.errors import OkeyError
from okey101.server.errors import refuse

# What a name may be read as: by its letters' look, by their sound, with digits as letters.
#
# Two letters that look like one and letters of other alphabets make a name that reads as another to
# whoever glances at it. The tables are those of Unicode's confusables (UTS 39), cut down to what
# names may hold and to what reads as a plain letter.

_MOST_ALIKE: Final = 64

_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("ci", "d"))
"""Two letters that look like one; a name's key has i for l."""


def _read_as(letters: Mapping[str, str]) -> dict[int, str]:
    """For each letter of the groups the plain one that it is read as."""
    return {ord(one): plain for plain, alike in letters.items() for one in alike}


_LOOK: Final = _read_as(
    {
        "a": "ɑ", "b": "ƅь", "e": "ҽ", "f": "ẝϝք", "g": "ƍԍց", "h": "հ", "i": "ɩ", "m": "ϻ",
        "n": "пոռ", "o": "σօჿዐဝഠଠ", "q": "գզ", "r": "ʀг", "s": "ƽƨտა", "t": "ԏ", "u": "цս",
        "v": "ѵ", "w": "ѡω", "y": "γყ",
    }
)  # fmt: skip
"""Letters that a name's key leaves as they are."""
_SMALL_GREEK: Final = str.maketrans({"υ": "u", "ν": "v", "η": "n", "ρ": "p", "μ": "u"})
"""Where a small letter looks like another than its capital does."""
_SOUND: Final = _read_as(
    {
        "": "ъь", "a": "аяα", "b": "б", "c": "цч", "d": "дδ", "e": "еёєэε", "f": "фφ", "g": "гγ",
        "h": "хχ", "i": "ийіїлыηιλυ", "j": "ж", "k": "кκ", "m": "мμ", "n": "нν", "o": "оοω",
        "p": "пπψ", "r": "рρ", "s": "сшщσς", "t": "тθτ", "u": "ую", "v": "вβ", "x": "ξ", "z": "зζ",
    }
)  # fmt: skip
_DIGITS: Final = str.maketrans("034578", "oeastb")


def readings(letters: str, key: str) -> frozenset[str]:
    """All that a name reads as, each without case and accents, l as i.

    ``letters`` are those of the name without case and accents, ``key`` is what names are compared
    by, where Greek and Cyrillic letters that look Latin are Latin.

    >>> sorted(readings("админ", "aдmиh")), sorted(readings("adrnin", "adrnin"))
    (['admin', 'aдmиh', 'админ'], ['admin', 'adrnin'])
    """
    plain = {key, key.translate(_LOOK), letters.translate(_SMALL_GREEK).translate(_LOOK)}
    plain.add(letters.translate(_SOUND).replace("nt", "d"))  # Greek has no letter for d
    plain.add(letters.translate(_SOUND))
    return frozenset(plain | {_joined(one) for one in plain})


def alike_keys(key: str) -> frozenset[str]:
    """Other keys whose names look like those of this one: ``cern`` for ``cem``.

    The first some: each pair of letters put for one, or one for a pair, once or wherever it stands.

    >>> sorted(alike_keys("cem")), sorted(alike_keys("cern"))
    (['cern'], ['cem'])
    """
    found: dict[str, None] = {}
    for two, one in _PAIRS:
        for old, new in ((two, one), (one, two)):
            found[key.replace(old, new)] = None
            for at in re.finditer(f"(?={old})", key):
                found[key[: at.start()] + new + key[at.start() + len(old) :]] = None
    found.pop(key, None)
    return frozenset(islice(found, _MOST_ALIKE))


def _joined(text: str) -> str:
    for two, one in _PAIRS:
        text = text.replace(two, one)
    return text


SHORTEST: Final = 2
LONGEST: Final = 20
"""Code points after normalisation."""
_LONGEST_INPUT: Final = 200

_PUNCTUATION: Final = frozenset("._-'&+!")
_WORD: Final = re.compile(r"[^\W_]+")
_LANGUAGE: Final = re.compile(r"[A-Za-z0-9-]{1,16}", re.ASCII)
_SCRIPTS: Final = frozenset(
    {
        "ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CJK", "CYRILLIC", "DEVANAGARI", "ETHIOPIC",
        "GEORGIAN", "GREEK", "GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA", "KANNADA",
        "KATAKANA", "KHMER", "LAO", "LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL",
        "TELUGU", "THAANA", "THAI", "TIBETAN",
    }
)  # fmt: skip
_TOGETHER: Final = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
# Beyond these blocks come phonetic letters that look like plain ones; the Azeri schwa is none.
_BLOCKS: Final = {
    "LATIN": ((0x41, 0x24F), (0x259, 0x259), (0x1E00, 0x1EFF)),
    "GREEK": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
    "CYRILLIC": ((0x400, 0x52F),),
}
# Letters and marks by their category, but nothing to see.
_INVISIBLE: Final = (
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0100, 0xE01EF),
)  # fmt: skip

# Pairs that most typefaces draw alike once case is gone. Greek letters follow their capitals.
_ALIKE: Final = _read_as(
    {
        "a": "аα", "b": "вβ", "c": "сҫςϲ", "d": "đԁ", "e": "еε", "f": "ƒ", "h": "ħнһη",
        "i": "ıl1łŀіӏι", "j": "ȷјϳ", "k": "кκ", "m": "мμ", "n": "ν", "o": "0øоο", "p": "рρ",
        "q": "ԛ", "s": "ѕ", "t": "ŧтτ", "w": "ԝ", "x": "хχ", "y": "уүυ", "z": "ζ",
    }
)  # fmt: skip


class Name(NamedTuple):
    """A name as shown, and the key that all names looking like it share."""

    text: str
    key: str


def checked_name(text: str) -> Name:
    """A name in its one written form: NFKC, single blanks, none at the ends.

    Raises OkeyError ``name-too-short``, ``name-too-long``, ``name-bad-character``, ``name-empty``,
    ``name-mixed-scripts`` and ``name-reserved``.
    """
    if len(text) > _LONGEST_INPUT:
        refuse("name-too-long", limit=LONGEST)
    text = unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    for character in text:
        if not _allowed(character):
            _refuse_character(character)
    text = re.sub(" +", " ", text).strip(" ")
    _require_placed_marks(text)
    if not any(_counts(c) for c in text):
        refuse("name-empty")
    if len(text) < SHORTEST:
        refuse("name-too-short", limit=SHORTEST)
    if len(text) > LONGEST:
        refuse("name-too-long", limit=LONGEST)
    scripts = {_script(c) for c in text if unicodedata.category(c).startswith("L")}
    if len(scripts) > 1 and not any(scripts <= group for group in _TOGETHER):
        refuse("name-mixed-scripts")
    key = name_key(text)
    if _reads_as_ours(text):
        refuse("name-reserved")
    return Name(text, key)


def name_key(text: str) -> str:
    """What is left of a name for comparing: letters and digits without case, accents and disguise.

    In Turkish I is the capital of ı, elsewhere of i, and İ loses its dot in many programs; whoever
    reads a name can't know which was meant. So I, ı, İ and i are one letter here, lest one person
    pass for another; for the same reason accents don't count (ş is s), nor blanks and punctuation,
    l and 1 are i, 0 is o, and Cyrillic and Greek letters that look Latin are Latin. Two different
    names may share a key: then the second is refused, which does less harm than a double. Of a text
    that is longer than any name the first 200 characters count.

    >>> name_key("IŞIL"), name_key("ışıl"), name_key("Isil")
    ('isii', 'isii', 'isii')
    """
    return _letters(text[:_LONGEST_INPUT]).translate(_ALIKE)


def _letters(text: str) -> str:
    """Letters and digits without case and accents, each still of its own alphabet."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    text = unicodedata.normalize("NFKD", text.casefold())
    return "".join(str(unicodedata.decimal(c, c)) for c in text if _counts(c) or _is_vowel_sign(c))


def variants(name: str) -> Iterator[str]:
    """Endless names close to one that is taken: ``Ali2``, ``Ali3`` ..."""
    for n in count(2):
        tail = f"-{n}" if name[-1:].isdecimal() else str(n)
        yield name[: LONGEST - len(tail)].rstrip(" ") + tail


def _allowed(c: str) -> bool:
    if c == " " or c in _PUNCTUATION:
        return True
    if _within(c, _INVISIBLE):
        return False
    category = unicodedata.category(c)
    if category in ("Mn", "Mc", "Nd"):
        return True
    if not category.startswith("L"):
        return False
    script = _script(c)
    if script not in _SCRIPTS:
        return False
    if script in _BLOCKS and not _within(c, _BLOCKS[script]):
        return False
    return not (script == "LATIN" and category in ("Lo", "Lm"))  # clicks look like l and !


def _within(c: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(c) <= last for first, last in ranges)


def _script(c: str) -> str:
    """The script by the character's name: Python's database has no other word for it."""
    word = unicodedata.name(c, "?").split()[0]
    return {"IDEOGRAPHIC": "CJK", "KATAKANA-HIRAGANA": "KATAKANA"}.get(word, word)


def _counts(c: str) -> bool:
    category = unicodedata.category(c)
    return category.startswith("L") or category == "Nd"


def _is_vowel_sign(c: str) -> bool:
    """Marks that make another letter (Indian vowels, Japanese voicing), not accents or points."""
    accent = unicodedata.combining(c)
    return unicodedata.category(c) in ("Mn", "Mc") and not (10 <= accent <= 36 or accent >= 200)


def _require_placed_marks(text: str) -> None:
    """Two may follow a letter or digit, and none anything else."""
    kinds = "".join("L" if _counts(c) else unicodedata.category(c)[0] for c in text)
    if misplaced := re.search("(?<![LM])M|MMM", kinds):
        _refuse_character(text[misplaced.end() - 1])


def _refuse_character(c: str) -> None:
    code = f"U+{ord(c):04X}"
    refuse("name-bad-character", character=f"{c} ({code})" if c.isprintable() else code)


def _reads_as_ours(text: str) -> bool:
    """Whether a name says that it is the server, one of its bots, or whoever runs it.

    ``Admin``, ``adrnin 2``, ``Админ``, ``Ali-admin``; ``bot`` only where it comes first, ``mod``
    and ``root`` only where they are all there is: Botan and Mod Ali are people.
    """
    words = _WORD.findall(text)
    return (
        reads_as(text, _RESERVED)
        or not _RESERVED_ALONE.isdisjoint(_said(text))
        or any(name_key(word).startswith(_OURS) for word in words)
        or "bot" in _said(words[0])
    )


def reads_as(text: str, words: frozenset[str]) -> bool:
    """Whether a name, or a word of it, may be read as one of the words, which are keys of names.

    >>> reads_as("B4d-Ali", frozenset({"bad"})), reads_as("Badem", frozenset({"bad"}))
    (True, False)
    """
    return any(_said(part) & words for part in (text, *_WORD.findall(text)))


def _said(text: str) -> frozenset[str]:
    """What a text may be read as; digits are letters (``4dmin``) only where letters follow."""
    short = text.rstrip("0123456789 ._-'&+!")
    said = readings(_letters(short).translate(_LATIN), name_key(short))
    return said | {one.translate(_DIGITS) for one in said} | {name_key(text)}


_LATIN: Final = str.maketrans({"ı": "i", "l": "i", "1": "i", "0": "o"})
_OURS: Final = name_key("okey101")
_RESERVED: Final = frozenset(
    name_key(name)
    for name in (
        "admin", "admins", "administrator", "administration", "moderator", "okey101", "sistem",
        "system", "sistema", "support", "yonetici", "yonetim", "destek", "sunucu",
        "администрация", "поддержка", "διαχειριστής", "مشرف", "مدير", "管理员", "管理員", "管理人",
        "運営", "관리자", "운영자",
    )
)  # fmt: skip
"""Words that no part of a name may be."""
_RESERVED_ALONE: Final = frozenset(name_key(name) for name in ("mod", "root", "server"))


def checked_language(text: str) -> str:
    """The tag of a language, or nothing; OkeyError ``bad-language``."""
    if text and not _LANGUAGE.fullmatch(text):
        refuse("bad-language")
    return text


# Words that whoever runs the server refuses in names, from a file of one word a line.

_MOST_BYTES: Final = 2**20
_SHORTEST: Final = 2
"""Letters and digits of a word; a single letter would refuse every initial."""
_COMMENT: Final = "#"


def read_refused_names(path: Path | None) -> frozenset[str]:
    """The words of a file by the key that names are compared by, so that no disguise gets one
    through; none without a file. Blank lines and those that begin with # don't count.

    OkeyError ``bad-refused-names`` with the ``path``, the ``wrong`` (unreadable, large, encoding,
    word) and, for a word, its ``line``.
    """
    if path is None:
        return frozenset()
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError:
        _refuse(path, "unreadable", "it can't be read")
    if len(data) > _MOST_BYTES:
        _refuse(path, "large", "it has more than a megabyte")
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        _refuse(path, "encoding", "it is not UTF-8")
    words: set[str] = set()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith(_COMMENT):
            continue
        key = name_key(text)
        if len(key) < _SHORTEST or len(text.split()) > 1:
            _refuse(path, "word", f"line {number} is not one word of two letters or more", number)
        words.add(key)
    return frozenset(words)


def _refuse(path: Path, wrong: str, what: str, line: int = 0) -> NoReturn:
    message = f"{path} can't be used for refused names: {what}"
    raise OkeyError("bad-refused-names", message, path=str(path), wrong=wrong, line=line)
