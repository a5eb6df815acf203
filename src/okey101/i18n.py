"""The one door to the catalogues: every sentence a person reads, in Turkish and in English.

The catalogues are Fluent files in ``locales/<language>/``. Reading both takes a few milliseconds; a
message is parsed when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from okey101 import _fluent
from okey101.errors import OkeyError, RecordError

__all__ = ["LANGUAGES", "Texts", "error_text", "load", "pick_language"]

LANGUAGES = ("tr", "en")
"""The languages there are, Turkish first."""
_LOCALES = Path(__file__).with_name("locales")
_ASKED = ("OKEY101_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


class Texts:
    """The messages of one language.

    Built by :func:`load`; calling it formats a message. Numbers come out as plain digits.
    """

    def __init__(self, language: str, sources: Mapping[str, str]) -> None:
        """Take the messages as written; ValueError on a key that comes twice."""
        self.language = language
        self._sources: dict[str, str] = {}
        self._parsed: dict[str, tuple[_fluent.Part, ...]] = {}
        for name, source in sources.items():
            for key, text in _fluent.entries(source):
                if key in self._sources:
                    raise _fluent.CatalogueError(f"{language}/{name}: a second {key}")
                self._sources[key] = text

    def __call__(self, key: str, /, **arguments: str | int) -> str:
        """A message with its arguments; superfluous arguments are ignored.

        Raises KeyError for an unknown message, TypeError for an argument that is missing or is
        neither a text nor a whole number.
        """
        parts = self._parts(key)
        try:
            return _fluent.render(parts, arguments, self._parts)
        except KeyError as error:
            raise TypeError(f"{self.language}: {key} needs {error.args[0]!r}") from None

    def has(self, key: str) -> bool:
        """Whether there is a message of that key."""
        return key in self._sources and not key.startswith("-")

    def keys(self) -> tuple[str, ...]:
        """Every key, in the order of the catalogues."""
        return tuple(key for key in self._sources if not key.startswith("-"))

    def variables(self, key: str) -> frozenset[str]:
        """The arguments a message takes, in whichever of its variants; KeyError if unknown."""
        return frozenset(self._variables(self._parts(key)))

    def variants(self, key: str, variable: str) -> tuple[str, ...]:
        """The values of a variable for which a message has a text of its own."""
        parts = list(self._parts(key))
        found: list[str] = []
        while parts:
            part = parts.pop()
            if isinstance(part, _fluent.Select):
                if part.name == variable:
                    found += [value for value, _ in part.variants]
                for _, inner in part.variants:
                    parts += inner
            elif isinstance(part, _fluent.Reference):
                parts += self._parts(part.key)
        return tuple(found)

    def _variables(self, parts: tuple[_fluent.Part, ...]) -> set[str]:
        names: set[str] = set()
        for part in parts:
            if isinstance(part, _fluent.Variable):
                names.add(part.name)
            elif isinstance(part, _fluent.Reference):
                names |= self._variables(self._parts(part.key))
            elif isinstance(part, _fluent.Select):
                names.add(part.name)
                for _, inner in part.variants:
                    names |= self._variables(inner)
        return names

    def _parts(self, key: str) -> tuple[_fluent.Part, ...]:
        parts = self._parsed.get(key)
        if parts is None:
            parts = self._parsed[key] = _fluent.parse(self._sources[key])
        return parts


@cache
def load(language: str) -> Texts:
    """The texts of ``"tr"`` or ``"en"``, read once; ValueError for another language.

    >>> load("en").language
    'en'
    """
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language!r}; there are {', '.join(LANGUAGES)}")
    files = sorted((_LOCALES / language).glob("*.ftl"))
    return Texts(language, {path.name: path.read_text(encoding="utf-8") for path in files})


def pick_language(explicit: str | None, environ: Mapping[str, str]) -> str:
    """The language to speak: the one asked for, else Turkish where the environment is Turkish.

    The first of ``OKEY101_LANG``, ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` that is set decides;
    without any it is English. ValueError if the language asked for does not exist.

    >>> pick_language(None, {"LANG": "tr_TR.UTF-8"}), pick_language("en", {"LANG": "tr_TR.UTF-8"})
    ('tr', 'en')
    """
    if explicit is not None:
        if explicit not in LANGUAGES:
            raise ValueError(f"no texts in {explicit!r}; there are {', '.join(LANGUAGES)}")
        return explicit
    asked = next((environ[name] for name in _ASKED if environ.get(name)), "")
    return "tr" if asked.casefold().startswith("tr") else "en"


def error_text(texts: Texts, error: OkeyError, **arguments: str | int) -> str:
    """The sentence of an error in a language: message ``error-<code>`` with the error's details.

    ``arguments`` replace details, for callers that word tiles in their own way. An error of a
    record is led by its place. Without a fitting message it is the error's own English sentence.
    """
    values = {name: _plain(value) for name, value in error.details.items()} | arguments
    for key in (f"error-{error.code}", f"error-{error.code}-plain"):
        if texts.has(key) and texts.variables(key) <= values.keys():
            path = error.path if isinstance(error, RecordError) else ""
            return f"{path}: {texts(key, **values)}" if path else texts(key, **values)
    return error.message


def _plain(value: object) -> str | int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, tuple | list):
        return ", ".join(str(item) for item in value)  # pyright: ignore[reportUnknownVariableType]
    return str(value)
