"""The errors of the core: each carries a stable code, so that callers need not read the text."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from types import UnionType
from typing import TypeVar

_T = TypeVar("_T")


class OkeyError(ValueError):
    """Base of every error this package raises on bad input.

    ``code`` is a stable kebab-case word, ``message`` an English sentence, and ``details`` the
    values the sentence mentions, for callers that word it themselves. Where a name is close to one
    that is known, ``details["meant"]`` is that one, and the sentence asks for it.

    >>> from okey101 import parse_tile
    >>> try:
    ...     parse_tile("Q7")
    ... except OkeyError as error:
    ...     print(error.code, error.details)
    bad-tile {'tile': 'Q7'}
    """

    def __init__(self, code: str, message: str, **details: object) -> None:
        if not details.get("meant", True):
            del details["meant"]
        elif "meant" in details:
            message += f"; did you mean {details['meant']}?"
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def __reduce__(self) -> tuple[object, ...]:
        # Made without __init__: whoever copies or loads it puts the attributes into it.
        return type(self).__new__, (type(self), *self.args), self.__dict__


class NotationError(OkeyError):
    """A text that is no tile, rack, meld or action; ``position`` counts characters from 0.

    >>> from okey101 import Rack
    >>> try:
    ...     Rack.parse("R7 R99")
    ... except NotationError as error:
    ...     print(error.code, error.position)
    bad-tile 3
    """

    def __init__(
        self, code: str, message: str, *, text: str = "", position: int = 0, **details: object
    ) -> None:
        super().__init__(code, message, **details)
        self.text = text
        self.position = position


class RuleSetError(OkeyError):
    """Fields of a rule set out of range or in contradiction; ``fields`` names them.

    >>> from okey101 import RuleSet
    >>> try:
    ...     RuleSet(players=5)
    ... except RuleSetError as error:
    ...     print(error.code, error.fields)
    bad-value ('players',)
    """

    def __init__(self, code: str, message: str, fields: tuple[str, ...], **details: object) -> None:
        super().__init__(code, message, fields=fields, **details)
        self.fields = fields


class IllegalAction(OkeyError):
    """An action the rules refuse now; ``rule`` is the id in the catalogue of rules.

    >>> from okey101 import Deal
    >>> try:
    ...     Deal.start("pagat", seed=7).apply("draw")
    ... except IllegalAction as error:
    ...     print(error.code, error.rule)
    already-drawn D5
    """

    def __init__(self, code: str, rule: str, message: str, **details: object) -> None:
        super().__init__(code, message, **details)
        self.rule = rule


class RecordError(OkeyError):
    """A record that can't be read or replayed; ``path`` says where (``deals[0].actions[5]``).

    >>> from okey101 import parse_record
    >>> try:
    ...     parse_record("[]")
    ... except RecordError as error:
    ...     print(error.code, repr(error.path))
    wrong-type ''
    """

    def __init__(self, code: str, message: str, path: str = "", **details: object) -> None:
        super().__init__(code, message, **details)
        self.path = path


class Word(StrEnum):
    """A word out of a few; OkeyError ``bad-value`` for any other."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        known = ", ".join(cls)
        raise OkeyError(
            "bad-value",
            f"{value!r} is no {cls.__name__.lower()}; there are {known}",
            fields=cls.__name__.lower(),
            allowed=known,
            meant=nearest(value, cls),
        )


@contextmanager
def needs(module: str, what: str, extra: str) -> Generator[None]:
    """What is imported here comes with an extra: ModuleNotFoundError ``missing-extra`` says so."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = f"missing-extra: {module} needs {what}; pip install 'okey101[{extra}]'"
        raise ModuleNotFoundError(message, name=error.name) from None


def plain_data(value: object) -> object:
    """What JSON can hold of a value: its own kinds as they are, anything else as text."""
    if isinstance(value, Mapping):
        return {str(name): plain_data(item) for name, item in value.items()}
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Iterable):
        return [plain_data(item) for item in value]
    return str(value)


def nearest(word: object, known: Iterable[str]) -> str:
    """The known name that a word was most likely meant to be; empty where none is close.

    >>> nearest("stedy", ["greedy", "steady"]), nearest("x", ["greedy"])
    ('steady', '')
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(str(word).lower(), known, 1)), "")


def checked(value: object, kind: type[_T] | UnionType, name: str = "") -> _T:
    """The value itself if it is of that class; OkeyError ``wrong-type`` otherwise."""
    if isinstance(value, kind):
        return value  # pyright: ignore[reportReturnType]  # the union has no type of its own
    wanted = name or getattr(kind, "__name__", str(kind))
    got = type(value).__name__
    article = "an" if wanted[:1] in "aeiouAEIO" else "a"
    raise OkeyError("wrong-type", f"{article} {wanted} is wanted here, not {got}", wanted=wanted)


def exactly(wanted: int, items: Sequence[object], what: str) -> None:
    """OkeyError ``wrong-count`` for a list of any other length, ``wrong-type`` for what is none."""
    if (got := len(checked(items, Sequence, "list"))) != wanted:
        message = f"{wanted} {what} are needed, not {got}"
        raise OkeyError("wrong-count", message, wanted=wanted, got=got)


def whole_number(value: object, name: str, low: int, high: int) -> int:
    """The value itself if it is a whole number from ``low`` to ``high``.

    OkeyError ``wrong-type`` or ``out-of-range`` otherwise.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{name} has to be a whole number, not {value!r}"
        raise OkeyError("wrong-type", message, wanted="integer")
    if not low <= value <= high:
        message = f"{name} has to be from {low} to {high}, not {value}"
        raise OkeyError("out-of-range", message, low=low, high=high)
    return value
