"""The server's log: lines of JSON on stderr, or text on a terminal, and no secret in either."""

from __future__ import annotations

import logging
import re
import sys
import time
import traceback
from asyncio import CancelledError
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path, PurePath
from time import monotonic
from typing import Final, Literal, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, WrappedLogger

_MASK: Final = "***"
_SECRET_WORDS: Final = frozenset(
    {
        "authorization", "bearer", "cookie", "cookies", "drawn", "hand", "hands",
        "passphrase", "password", "passwords", "rack", "racks", "randomness", "secret", "secrets",
        "seed", "seeds", "sid", "stock", "tile", "tiles", "token", "tokens",
    }
)  # fmt: skip
"""A key with one of these words has its value hidden: people's secrets, and the deal's."""
_KEY_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_IN_TEXT: Final = re.compile(
    r"(?i)\b((?:proxy-)?authorization|bearer|basic|(?:set-)?cookie|password|passwd|secret|seed|sid"
    r"|(?:\w+[_-])?token)([\"']?\s*[=:]\s*(?:(?:bearer|basic)\s+)?|\s+(?=[\w.~+/-]{16}))"
    r"(?:\"[^\"]*\"|'[^']*'|[^\s,;&\"']+)"
)
_MOST_A_MINUTE: Final = 5
_MINUTE_S: Final = 60.0
_MOST_KINDS: Final = 50
_LONGEST: Final = 2_000
_LONGEST_TRACE: Final = 20_000
_MOST: Final = 100
_DEEPEST: Final = 5

Level = Literal["debug", "info", "warning", "error"]
Form = Literal["auto", "json", "text"]


def logger(name: str) -> FilteringBoundLogger:
    """A logger that takes an event's name and its values: ``log.info("closed", table=id)``."""
    return cast("FilteringBoundLogger", structlog.stdlib.get_logger(name))


def configure_logs(level: Level, form: Form = "auto", stream: TextIO | None = None) -> None:
    """Send everything that is logged to ``stream`` (stderr), in one form; may be called again.

    ``auto`` is text on a terminal and JSON elsewhere. Requests are counted, not logged.
    """
    out = sys.stderr if stream is None else stream
    text = form == "text" or (form == "auto" and out.isatty())
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    renderer = (
        structlog.dev.ConsoleRenderer(
            colors=out.isatty(),
            exception_formatter=lambda *_: None,  # a traceback is among the values by then
        )
        if text
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    handler = _Handler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(
                    fmt="iso", utc=True, key="timestamp" if text else "time"
                ),
                structlog.processors.format_exc_info,
                safe,
                renderer,
            ],
            foreign_pre_chain=[structlog.stdlib.add_logger_name],
            # `format_exc_info` has put it among the values by then.
            keep_exc_info=False,
        )
    )
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old, _Handler):
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    _quieten()


def safe(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Hide what a log must not hold: values under telling keys, and secrets within texts.

    Objects are named by their type alone, since what they print of themselves may be anything. A
    second net: nobody should log such values in the first place.
    """
    return {
        str(key): _MASK if _tells(str(key)) else _plain(value, key == "exception", _DEEPEST)
        for key, value in event.items()
    }


class _Handler(logging.StreamHandler[TextIO]):
    """Writes lines; one that can't be written is lost and does no other harm."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's name
        """Do without the line."""


class _Sparse(logging.Filter):
    """Of each thing that any client can cause, a few lines in a minute; the next tells the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._clock = monotonic
        self._told: dict[str, tuple[float, int]] = {}
        """By its words, since when lines are counted, and how many came."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], CancelledError):
            return False  # the server is ending and has cut the request off
        if record.levelno > logging.WARNING:
            return True
        kind, now = str(record.msg), self._clock()
        if kind not in self._told and len(self._told) >= _MOST_KINDS:
            self._told.clear()
        since, count = self._told.get(kind, (now, 0))
        if now - since >= _MINUTE_S:
            left_out, since, count = count - _MOST_A_MINUTE, now, 0
            if left_out > 0:
                record.msg = f"{kind} ({left_out} more like it were not told)"
        self._told[kind] = since, count + 1
        return count < _MOST_A_MINUTE


def _quieten() -> None:
    """Let libraries report what goes wrong, not what they are doing.

    Debugging would show every frame of every socket, hands and cookies included; uvicorn lends its
    own logger to websockets for that.
    """
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "asyncio", "sqlalchemy"):
        one = logging.getLogger(name)
        one.handlers.clear()
        one.propagate = True
        one.setLevel(logging.WARNING)
    logging.getLogger("websockets").setLevel(logging.WARNING)
    of_requests = logging.getLogger("uvicorn.error")
    for old in [one for one in of_requests.filters if isinstance(one, _Sparse)]:
        of_requests.removeFilter(old)
    of_requests.addFilter(_Sparse())
    access = logging.getLogger("uvicorn.access")
    access.handlers.clear()
    access.propagate = False  # addresses and paths of people, line by line: not kept


def _tells(key: str) -> bool:
    return any(word.lower() in _SECRET_WORDS for word in _KEY_WORDS.findall(key))


def _plain(value: object, trace: bool, depth: int) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Enum):
        return _plain(value.value, False, depth)
    if isinstance(value, str | PurePath):
        return _text(str(value), trace)
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if isinstance(value, Mapping):
        if not depth:
            return "<...>"
        items = list(cast("Mapping[object, object]", value).items())[:_MOST]
        return {
            _text(str(k), False): _MASK if _tells(str(k)) else _plain(v, False, depth - 1)
            for k, v in items
        }
    if isinstance(value, Sequence | set | frozenset):
        if not depth:
            return "<...>"
        many = list(cast("Sequence[object]", value))[:_MOST]
        return [_plain(item, False, depth - 1) for item in many]
    return f"<{type(value).__name__}>"


def _text(text: str, trace: bool) -> str:
    """A text without secrets and without anything that could steer a terminal or begin a line."""
    longest = _LONGEST_TRACE if trace else _LONGEST
    text = _IN_TEXT.sub(lambda found: f"{found[1]}{found[2]}{_MASK}", text[: 2 * longest])
    if len(text) > longest:
        text = text[:longest] + "..."
    keep = "\n" if trace else ""
    return "".join(c if c.isprintable() or c in keep else "\ufffd" for c in text)


# Where an error came from, without its text: that may name tiles nobody has seen.

_MOST_CALLS = 12


def trace_of(error: BaseException) -> list[str]:
    """The error's type and the last calls that led to it, as file, line and function."""
    calls = traceback.extract_tb(error.__traceback__)[-_MOST_CALLS:]
    return [
        type(error).__name__,
        *(f"{Path(call.filename).name}:{call.lineno} {call.name}" for call in calls),
    ]


def utc_ms() -> int:
    """The time of day, UTC in milliseconds."""
    return time.time_ns() // 1_000_000
