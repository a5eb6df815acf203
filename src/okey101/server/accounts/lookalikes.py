"""What a name may be read as: by its letters' look, by their sound, with digits as letters.

Two letters that look like one and letters of other alphabets make a name that reads as another to
whoever glances at it. The tables are those of Unicode's confusables (UTS 39), cut down to what
names may hold and to what reads as a plain letter.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

__all__ = ["alike_keys", "as_digits", "readings"]

_MOST_ALIKE: Final = 64

_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("ci", "d"))
"""Two letters that look like one; a name's key has i for l."""

_LOOK: Final = str.maketrans(
    {
        "ƅ": "b", "ɩ": "i", "ƍ": "g", "ẝ": "f", "ʀ": "r", "ƽ": "s", "ƨ": "s", "ɑ": "a",
        "ь": "b", "ҽ": "e", "ԍ": "g", "г": "r", "п": "n", "ѵ": "v", "ѡ": "w", "ԏ": "t", "ц": "u",
        "σ": "o", "γ": "y", "ϝ": "f", "ϻ": "m", "ω": "w",
        "օ": "o", "ո": "n", "ռ": "n", "հ": "h", "ց": "g", "գ": "q", "զ": "q", "ք": "f", "ս": "u",
        "տ": "s", "ა": "s", "ყ": "y", "ჿ": "o", "ዐ": "o", "ဝ": "o", "ഠ": "o", "ଠ": "o",
    }
)  # fmt: skip
"""Letters that a name's key leaves as they are."""
_SMALL_GREEK: Final = str.maketrans({"υ": "u", "ν": "v", "η": "n", "ρ": "p", "μ": "u"})
"""Where a small letter looks like another than its capital does."""
_SOUND: Final = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "є": "e", "ж": "j",
        "з": "z", "и": "i", "й": "i", "і": "i", "ї": "i", "к": "k", "л": "i", "м": "m", "н": "n",
        "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "h", "ц": "c",
        "ч": "c", "ш": "s", "щ": "s", "ъ": "", "ы": "i", "ь": "", "э": "e", "ю": "u", "я": "a",
        "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "t", "ι": "i",
        "κ": "k", "λ": "i", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s",
        "ς": "s", "τ": "t", "υ": "i", "φ": "f", "χ": "h", "ψ": "p", "ω": "o",
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


def as_digits(readings: frozenset[str]) -> frozenset[str]:
    """The same with digits that stand for letters: ``4dmin``."""
    return frozenset(one.translate(_DIGITS) for one in readings)


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
            at = key.find(old)
            while at >= 0:
                found[key[:at] + new + key[at + len(old) :]] = None
                at = key.find(old, at + 1)
    found.pop(key, None)
    return frozenset(islice(found, _MOST_ALIKE))


def _joined(text: str) -> str:
    for two, one in _PAIRS:
        text = text.replace(two, one)
    return text
