"""Reads the part of Fluent that the catalogues use, fast enough for a command that ends at once.

That part: messages and terms, text over several lines, ``{ $variable }``, ``{ message }``,
``{ -term }``, ``{ "text" }``, and selections on one variable by number, word or plural (``one``,
``other``). Attributes, functions and arguments of terms are refused. A test compares every message
of the catalogues with the reference implementation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "CatalogueError",
    "Part",
    "Reference",
    "Select",
    "Variable",
    "entries",
    "parse",
    "render",
]


class CatalogueError(ValueError):
    """A catalogue that can't be read."""


@dataclass(frozen=True, slots=True)
class Variable:
    """The place of an argument."""

    name: str


@dataclass(frozen=True, slots=True)
class Reference:
    """The place of another message, or of a term (with its hyphen)."""

    key: str


@dataclass(frozen=True, slots=True)
class Select:
    """The place of one of several texts, chosen by an argument."""

    name: str
    variants: tuple[tuple[str, tuple[Part, ...]], ...]
    default: int


Part: TypeAlias = str | Variable | Reference | Select

_START = re.compile(r"(-?[A-Za-z][\w-]*)[ ]*=", re.ASCII)
_TEXT = re.compile(r"[^{}\n]+")
_BREAK = re.compile(r"((?:[ ]*\n)+)([ ]*)")
_BLANK = re.compile(r"\s*")
_VARIABLE = re.compile(r"\$([A-Za-z][\w-]*)", re.ASCII)
_REFERENCE = re.compile(r"-?[A-Za-z][\w-]*", re.ASCII)
_LITERAL = re.compile(r'"([^"\\\n]*)"')
_VARIANT = re.compile(r"(\*?)\[\s*(-?\d+|[A-Za-z][\w-]*)\s*\][ ]*", re.ASCII)


def entries(text: str) -> Iterator[tuple[str, str]]:
    """The messages and terms of a catalogue: each key with its text as written.

    Raises CatalogueError on a line that belongs to none.
    """
    key, lines = "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line[0] in " }":
            lines.append(line)
            continue
        if key:
            yield key, "\n".join(lines)
        key, lines = "", []
        if line[0] == "#":
            continue
        start = _START.match(line)
        if not start:
            raise CatalogueError(f"line {number} is no message: {line}")
        key, lines = start[1], [line[start.end() :].lstrip(" ")]
    if key:
        yield key, "\n".join(lines)


def parse(text: str) -> tuple[Part, ...]:
    """The parts of a message's text; raises CatalogueError."""
    reader = _Reader(text)
    parts = reader.pattern(nested=False)
    if reader.at < len(text):
        raise reader.error("unexpected text")
    if not parts:
        raise reader.error("empty text")
    return parts


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def error(self, what: str) -> CatalogueError:
        return CatalogueError(f"{what} at {self.at} of {self.text!r}")

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self, expression: re.Pattern[str], what: str) -> re.Match[str]:
        match = expression.match(self.text, self.at)
        if not match:
            raise self.error(f"expected {what}")
        self.at = match.end()
        return match

    def pattern(self, *, nested: bool) -> tuple[Part, ...]:
        """Text and placeables up to the end, or to the next variant; common indent taken off."""
        parts: list[Part | tuple[int, int]] = []
        while self.at < len(self.text):
            if broken := _BREAK.match(self.text, self.at):
                following = self.text[broken.end() : broken.end() + 1]
                if nested and following and following in "[*}":
                    self.at = broken.end()
                    break
                if following and following in ".[*}":
                    raise self.error("unexpected line")
                self.at = broken.end()
                if following:
                    parts.append((broken[1].count("\n"), len(broken[2])))
            elif self.peek() == "{":
                parts.append(self.placeable())
            elif self.peek() == "}":
                if not nested:
                    raise self.error("unexpected brace")
                break
            else:
                parts.append(self.take(_TEXT, "text")[0])
        return _dedent(parts)

    def placeable(self) -> Part:
        self.at += 1
        self.take(_BLANK, "blank")
        part: Part
        if self.peek() == "$":
            name = self.take(_VARIABLE, "a variable")[1]
            self.take(_BLANK, "blank")
            part = self.select(name) if self.text.startswith("->", self.at) else Variable(name)
        elif self.peek() == '"':
            part = self.take(_LITERAL, "a plain literal")[1]
        else:
            part = Reference(self.take(_REFERENCE, "a message, a term or a variable")[0])
        self.take(_BLANK, "blank")
        if self.peek() != "}":
            raise self.error("expected a closing brace")
        self.at += 1
        return part

    def select(self, name: str) -> Select:
        self.at += 2
        self.take(_BLANK, "blank")
        variants: list[tuple[str, tuple[Part, ...]]] = []
        default = -1
        while self.peek() and self.peek() in "*[":
            star, key = self.take(_VARIANT, "a variant").groups()
            if star:
                if default >= 0:
                    raise self.error("a second default")
                default = len(variants)
            variants.append((key, self.pattern(nested=True)))
        if default < 0:
            raise self.error("expected a default variant")
        return Select(name, tuple(variants), default)


def _dedent(parts: list[Part | tuple[int, int]]) -> tuple[Part, ...]:
    common = min((p[1] for p in parts if isinstance(p, tuple)), default=0)
    if parts and isinstance(parts[0], tuple):
        parts = [" " * (parts[0][1] - common), *parts[1:]]
    joined: list[Part] = []
    for part in parts:
        piece = "\n" * part[0] + " " * (part[1] - common) if isinstance(part, tuple) else part
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    if joined and isinstance(joined[-1], str):
        joined[-1] = joined[-1].rstrip(" \n")
    return tuple(part for part in joined if part != "")


def render(
    parts: tuple[Part, ...],
    arguments: Mapping[str, object],
    look_up: Callable[[str], tuple[Part, ...]],
) -> str:
    """The text with its arguments; KeyError names a missing one, TypeError one of a wrong type."""
    words: list[str] = []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, Variable):
            words.append(_word(part.name, arguments))
        elif isinstance(part, Reference):
            words.append(render(look_up(part.key), arguments, look_up))
        else:
            words.append(render(_chosen(part, arguments), arguments, look_up))
    return "".join(words)


def _word(name: str, arguments: Mapping[str, object]) -> str:
    value = arguments[name]
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise TypeError(f"argument {name!r} is neither a text nor a whole number: {value!r}")
    return str(value)


def _chosen(part: Select, arguments: Mapping[str, object]) -> tuple[Part, ...]:
    word = _word(part.name, arguments)
    keys = [key for key, _ in part.variants]
    if word in keys:
        return part.variants[keys.index(word)][1]
    if isinstance(arguments[part.name], int):
        plural = "one" if word == "1" else "other"
        if plural in keys:
            return part.variants[keys.index(plural)][1]
    return part.variants[part.default][1]
