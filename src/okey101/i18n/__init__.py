"""The one door to the catalogues: every sentence a person reads, in Turkish and in English.

The catalogues are Fluent files in ``<language>/`` beside this file. Nothing else imports the
library that reads them, and this module imports it only when texts are first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from okey101.errors import OkeyError, RecordError
from okey101.tiles import Tile

if TYPE_CHECKING:
    from fluent.syntax import ast

LANGUAGES = ("tr", "en")
"""The languages, Turkish first."""
_CATALOGUES = Path(__file__).parent
_ENTRY = re.compile(r"(-?[a-zA-Z][a-zA-Z0-9_-]*) *=")
_ASKED = ("OKEY101_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
_LONGEST = 1000
"""Characters of an argument; the library raises for a few more."""


class Texts:
    """The messages of one language.

    Built by :func:`load`; calling it formats a message. Numbers come out as plain digits.
    """

    def __init__(self, language: str, sources: Mapping[str, str]) -> None:
        """Take the catalogues by file name; ValueError for one that can't be read.

        A message is read when it is first asked for, since reading all takes half a second: what
        is wrong within one is a ValueError then. Raises ModuleNotFoundError where the extra
        ``cli``, which brings the reader, is missing.
        """
        try:
            from fluent.runtime import FluentBundle
        except ModuleNotFoundError as error:
            words = 'texts need the extra cli: pip install "okey101[cli]"'
            raise ModuleNotFoundError(words, name=error.name) from None

        self.language = language
        self._bundle = FluentBundle([language], use_isolating=False)
        self._sources: dict[str, tuple[str, str]] = {}
        self._messages: dict[str, ast.Message | ast.Term] = {}
        self._reading = RLock()
        for name, source in sources.items():
            for key, text in _entries(f"{language}/{name}", source):
                if key in self._sources:
                    raise ValueError(f"{language}/{name}: a second {key}")
                self._sources[key] = f"{language}/{name}", text

    def written(self, number: str) -> str:
        """A number in digits as the language writes it: with a comma in Turkish."""
        return number.replace(".", ",") if self.language == "tr" else number

    def _message(self, key: str) -> ast.Message | ast.Term:
        """A message or term, read by now with all that it refers to; KeyError if unknown.

        Whoever asks from another thread in the middle of that waits.
        """
        with self._reading:
            if key in self._messages:
                return self._messages[key]
            from fluent.runtime import FluentResource
            from fluent.syntax import ast

            where, text = self._sources[key]
            resource = FluentResource(text)
            (entry,) = resource.body
            if not isinstance(entry, ast.Message | ast.Term):
                raise ValueError(f"{where}: can't read {text!r}")
            self._messages[key] = entry
            for node in _pieces(entry):
                if (other := _referred(node)) in self._sources:
                    self._message(other)
            self._bundle.add_resource(resource)
            return entry

    def __call__(self, key: str, /, **arguments: str | int) -> str:
        """A message with its arguments; superfluous arguments are ignored.

        Raises KeyError for an unknown message, TypeError for an argument that is missing or is
        neither a text nor a whole number.
        """
        if not self.has(key):
            raise KeyError(key)
        self._message(key)
        pattern = self._bundle.get_message(key).value
        assert pattern is not None
        values = {name: _argument(name, value) for name, value in arguments.items()}
        text, errors = self._bundle.format_pattern(pattern, values)
        if errors:
            raise TypeError(f"{self.language}: {key}: {errors[0]}")
        return str(text)

    def has(self, key: str) -> bool:
        """Whether there is a message of that key."""
        return key in self._sources and not key.startswith("-")

    def keys(self) -> tuple[str, ...]:
        """Every key, in the order of the catalogues."""
        return tuple(key for key in self._sources if not key.startswith("-"))

    def variables(self, key: str) -> frozenset[str]:
        """The arguments a message takes, in whichever of its variants; KeyError if unknown."""
        from fluent.syntax import ast

        nodes = self._nodes(self._message(key))
        return frozenset(n.id.name for n in nodes if isinstance(n, ast.VariableReference))

    def variants(self, key: str, variable: str) -> tuple[str, ...]:
        """The values of a variable for which a message has a text of its own."""
        from fluent.syntax import ast

        found: list[str] = []
        for node in self._nodes(self._message(key)):
            if not isinstance(node, ast.SelectExpression):
                continue
            selector = node.selector
            if isinstance(selector, ast.VariableReference) and selector.id.name == variable:
                keys = (variant.key for variant in node.variants)
                found += [k.name if isinstance(k, ast.Identifier) else k.value for k in keys]
        return tuple(found)

    def _nodes(self, node: ast.BaseNode) -> Iterator[ast.BaseNode]:
        """A piece of syntax and all within it, the messages it refers to included."""
        for piece in _pieces(node):
            yield piece
            if other := _referred(piece):
                yield from self._nodes(self._message(other))


def _entries(where: str, source: str) -> Iterator[tuple[str, str]]:
    """The messages and terms of a catalogue with their text; ValueError for what is neither."""
    key, lines = "", list[str]()
    for line in source.splitlines(keepends=True):
        begins = _ENTRY.match(line)
        if begins:
            if key:
                yield key, "".join(lines)
            key, lines = begins[1], [line]
        elif key and line[0] in " }\r\n":
            lines.append(line)
        elif line.strip() and line[0] != "#":
            raise ValueError(f"{where}: can't read {line!r}")
    if key:
        yield key, "".join(lines)


def _pieces(node: ast.BaseNode) -> Iterator[ast.BaseNode]:
    """A piece of syntax and all within it."""
    from fluent.syntax import ast

    yield node
    for value in vars(node).values():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.BaseNode):
                yield from _pieces(child)


def _referred(node: ast.BaseNode) -> str:
    """The key of the message or term that a piece refers to, empty for any other piece."""
    from fluent.syntax import ast

    if isinstance(node, ast.MessageReference):
        return node.id.name
    return f"-{node.id.name}" if isinstance(node, ast.TermReference) else ""


def _argument(name: str, value: object) -> object:
    """An argument as the library takes it: numbers without separators, no text that is too long."""
    from fluent.runtime.types import fluent_number

    if isinstance(value, str):
        return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…"
    if type(value) is int:
        return fluent_number(value, useGrouping=False)
    if isinstance(value, Tile):
        return str(value)
    raise TypeError(f"{name} is neither a text nor a whole number: {value!r}")


@cache
def load(language: str, catalogue: str = "*") -> Texts:
    """The texts of ``"tr"`` or ``"en"``, made once, or those of one catalogue, such as ``"card"``.

    Raises ValueError for another language, FileNotFoundError for an unknown catalogue.

    >>> load("en").language, load("en", "card")("card-table")
    ('en', 'A table of Okey 101')
    """
    files = sorted((_CATALOGUES / _known(language)).glob(f"{catalogue}.ftl"))
    if not files:
        raise FileNotFoundError(f"{language}/{catalogue}.ftl")
    return Texts(language, {path.name: path.read_text(encoding="utf-8") for path in files})


def _known(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language!r}; there are {', '.join(LANGUAGES)}")
    return language


def plain_sentence(language: str, key: str, **arguments: str) -> str:
    """A sentence of the command line that is one line of text, read without Fluent's reader.

    For what has to be said where that is not installed. Raises KeyError for an unknown message.

    >>> plain_sentence("en", "error-missing-parameter", parameter="RACK")
    'RACK is missing.'
    """
    source = (_CATALOGUES / language / "cli.ftl").read_text(encoding="utf-8")
    for line in source.splitlines():
        name, _, text = line.partition(" = ")
        if name == key:
            for argument, value in arguments.items():
                text = text.replace(f"{{ ${argument} }}", value)
            return text
    raise KeyError(key)


def pick_language(explicit: str | None, environ: Mapping[str, str]) -> str:
    """The language to speak: the one asked for, else Turkish where the environment is Turkish.

    The first of ``OKEY101_LANG``, ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` that is set decides;
    without any it is English. ValueError if the language asked for does not exist.

    >>> pick_language(None, {"LANG": "tr_TR.UTF-8"}), pick_language("en", {"LANG": "tr_TR.UTF-8"})
    ('tr', 'en')
    """
    if explicit is not None:
        return _known(explicit)
    asked = next((environ[name] for name in _ASKED if environ.get(name)), "")
    return "tr" if asked.casefold().startswith("tr") else "en"


def error_text(texts: Texts, error: OkeyError, **arguments: str | int) -> str:
    """The sentence of an error in a language: message ``error-<code>`` with the error's details.

    ``arguments`` replace details, for callers that word tiles in their own way. An error of a
    record is led by its place, and the name that was meant is asked for. Without a fitting message
    it is the error's own English sentence.
    """
    values = {name: _plain(value) for name, value in error.details.items()} | arguments
    for key in (f"error-{error.code}", f"error-{error.code}-plain"):
        if texts.has(key) and texts.variables(key) <= values.keys():
            told = texts(key, **values)
            if "meant" in values:
                told += " " + texts("did-you-mean", name=values["meant"])
            path = error.path if isinstance(error, RecordError) else ""
            return f"{path}: {told}" if path else told
    return error.message


def _plain(value: object, between: str = ", ") -> str | int:
    """A detail as a message takes it; one of several with parts, as a fine, has blanks in it."""
    if type(value) is int:
        return value
    if value is None:
        return "null"  # as JSON has it: records are where it comes from
    if isinstance(value, tuple | list):
        parts: Iterable[object] = value
        return between.join(str(_plain(part, " ")) for part in parts)
    return str(value)
