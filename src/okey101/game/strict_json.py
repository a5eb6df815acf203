"""The form of what comes from outside: JSON read strictly, and plain data with its errors' places.

Every error is a RecordError whose path says where, as in ``deals[0].hands[2]``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any, Final, NoReturn, TypeVar

from okey101.errors import OkeyError, RecordError

T = TypeVar("T")
MAX_DEPTH: Final = 64
"""Nothing that is nested more deeply is read; a record's own names need 6 levels."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def load_json(text: str) -> object:
    """JSON text as plain data; no duplicate names, odd numbers, deep nesting or broken characters.

    Raises RecordError.
    """

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        names = dict(items)
        if len(names) < len(items):
            seen: set[str] = set()
            name = next(n for n, _ in items if n in seen or seen.add(n))[:40]  # type: ignore[func-returns-value]
            bad("duplicate-name", f"the name {name!r} occurs twice in one object", "", name=name)
        return names

    def constant(word: str) -> NoReturn:
        bad("not-json", f"{word} is not a JSON number", "")

    def number(word: str) -> float:
        value = float(word)
        if math.isinf(value):
            bad("not-json", "a number is too large", "")
        return value

    try:
        value: object = json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=pairs,
            parse_constant=constant,
            parse_float=number,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        if error.msg == "Extra data" and error.colno == 1 and text[error.pos :].startswith("{"):
            bad("more-than-one", f"another value begins at {where}; one record is needed", where)
        code = (
            "truncated"
            if error.pos >= len(text.rstrip()) or "Unterminated" in error.msg
            else "not-json"
        )
        bad(code, f"not JSON at {where}: {error.msg}", where)
    except RecursionError:
        bad("too-deep", "the record is nested too deeply", "")
    except RecordError:
        raise
    except ValueError:
        bad("not-json", "a number is too long", "")
    _check_depth(value)
    if _SURROGATE.search(text):
        _check_surrogates(value)
    return value


def _check_depth(value: object) -> None:
    """Refuse what could be read but not written again."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _children(node)]
        if not level:
            return
    bad("too-deep", f"the record is nested more than {MAX_DEPTH} levels deep", "")


def _children(node: object) -> Iterable[object]:
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()


def _check_surrogates(value: object) -> None:
    """Refuse unpaired surrogates: they have no UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        bad("lone-surrogate", "a text contains a broken character", "")


def bad(code: str, message: str, path: str, **details: object) -> NoReturn:
    """Refuse what stands at a path; raises RecordError."""
    raise RecordError(code, f"{path}: {message}" if path else message, path, **details)


@contextmanager
def reading(path: str, *, secret: bool = False) -> Generator[None]:
    """What is wrong with what is read here is told with its place, a secret never; RecordError."""
    try:
        yield
    except RecordError:
        raise
    except OkeyError as error:
        bad(error.code, error.message, path, **({} if secret else error.details))


def plain(value: object) -> object:
    """A field as JSON has it."""
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def named(data: Mapping[str, object], name: str, path: str = "") -> Any:
    """What an object holds under a name that may not be missing."""
    if name not in data:
        bad("missing", f"{name} is missing", f"{path}.{name}" if path else name, name=name)
    return data[name]


def needed(
    data: Mapping[str, object], name: str, path: str, read: Callable[..., T], *limits: Any
) -> T:
    """What an object holds under a name that may not be missing, read with its place."""
    return read(named(data, name, path), f"{path}.{name}" if path else name, *limits)


def given(
    data: Mapping[str, object], name: str, path: str, read: Callable[..., T], *limits: Any
) -> T | None:
    """The same of a name that may be missing; None where it is."""
    return needed(data, name, path, read, *limits) if name in data else None


def as_object(value: object, path: str, names: tuple[str, ...]) -> dict[str, object]:
    """An object of known names; those that begin with ``_`` are the user's own."""
    if not isinstance(value, dict):
        bad("wrong-type", "must be an object", path, wanted="object")
    for name in value:
        if name not in names and not name.startswith("_"):
            where = f"{path}.{name[:40]}" if path else name[:40]
            bad("unknown-name", f"the name {name[:40]!r} is not known here", where, name=name[:40])
    return value


def own_names(value: Mapping[str, object]) -> dict[str, object]:
    """The user's own part of an object."""
    return {name: item for name, item in value.items() if name.startswith("_")}


def as_list(
    value: object, path: str, length: int | None = None, most: int | None = None
) -> list[object]:
    """A list, of a given length or of so many entries at most where these are given."""
    if not isinstance(value, list):
        bad("wrong-type", "must be a list", path, wanted="list")
    if length is not None and len(value) != length:
        bad(
            "wrong-count", f"needs {length} entries, not {len(value)}", path,
            wanted=length, got=len(value),
        )  # fmt: skip
    if most is not None and len(value) > most:
        bad("too-long", f"has more than {most} entries", path, limit=most)
    return value


def as_ints(value: object, path: str, length: int) -> tuple[int, ...]:
    """A list of points, each within a thousand million."""
    items = as_list(value, path, length)
    return tuple(as_int(item, f"{path}[{i}]", -(10**9), 10**9) for i, item in enumerate(items))


def as_int(value: object, path: str, low: int, high: int) -> int:
    """A whole number in a range, both ends included."""
    if type(value) is not int:
        bad("wrong-type", "must be a whole number", path, wanted="integer")
    if not low <= value <= high:
        bad("out-of-range", f"must be from {low} to {high}, not {value}", path, low=low, high=high)
    return value


def as_text(value: object, path: str, limit: int = 200) -> str:
    """A text of at most that many characters."""
    if not isinstance(value, str):
        bad("wrong-type", "must be a text", path, wanted="text")
    if len(value) > limit:
        bad("too-long", f"has more than {limit} characters", path, limit=limit)
    return value


def as_texts(
    value: object, path: str, read: Callable[[object, str], str],
    length: int | None = None, most: int | None = None,
) -> tuple[str, ...]:  # fmt: skip
    """A list of texts, each made by a reader."""
    items = as_list(value, path, length, most)
    return tuple(read(item, f"{path}[{i}]") for i, item in enumerate(items))


def parsed(
    value: object, path: str, parse: Callable[[str], T], limit: int = 200, *, secret: bool = False
) -> T:
    """What a text is read as; what is wrong with it is told with its place, a secret never."""
    with reading(path, secret=secret):
        return parse(as_text(value, path, limit))
