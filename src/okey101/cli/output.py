"""Where a command's answer goes: text or JSON on stdout, notes on stderr; and its failures."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self, TextIO

from okey101.errors import (
    IllegalAction,
    NotationError,
    OkeyError,
    RecordError,
    RuleSetError,
    plain_data,
)
from okey101.i18n import LANGUAGES, Texts, error_text, load, pick_language


def printable(text: str) -> str:
    """A text on one line that can't steer a terminal: what is not printable becomes a blank."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


@dataclass(frozen=True, slots=True)
class Output:
    """How the running command speaks: its language, and text or JSON."""

    language: str
    as_json: bool
    out: TextIO = field(default_factory=lambda: sys.stdout)
    """Where the answer goes; what a bot prints may go elsewhere."""

    @property
    def texts(self) -> Texts:
        """The sentences of the language; reading them takes a while, so JSON does without."""
        return load(self.language)

    @property
    def colour(self) -> bool:
        """Whether text on stdout is coloured: on terminals, unless the environment says otherwise.

        ``NO_COLOR`` forbids it, ``FORCE_COLOR`` asks for it anywhere; the first one wins.
        """
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
            return True
        return self.out.isatty() and os.environ.get("TERM") != "dumb"

    @classmethod
    def asked_for(cls, arguments: Sequence[str]) -> Self:
        """What the arguments ask for, well-formed or not, else the environment."""
        known = [*takewhile("--".__ne__, arguments)]
        asked = None
        for word, following in pairwise([*known, ""]):
            name, equals, value = word.partition("=")
            if name == "--lang":
                asked = value if equals else following
        language = pick_language(asked if asked in LANGUAGES else None, os.environ)
        return cls(language, as_json="--json" in known)

    def answer(self, data: Mapping[str, object]) -> None:
        """Print a success object on stdout."""
        self._write({"ok": True} | dict(data))

    def _write(self, data: Mapping[str, object]) -> None:
        """One line of JSON; letters beyond ASCII stay as they are where stdout can carry them."""
        unicode = (self.out.encoding or "").replace("-", "").casefold().startswith("utf")
        self.lines([json.dumps(data, ensure_ascii=not unicode)])

    def tell(self, data: Mapping[str, object], lines: Callable[[], Iterable[str]]) -> int:
        """Print a success object, or the lines where text is asked for; the exit code 0."""
        if self.as_json:
            self.answer(data)
        else:
            self.lines(lines())
        return 0

    def lines(self, lines: Iterable[str]) -> None:
        """Print lines of text on stdout."""
        self.out.write("".join(f"{line}\n" for line in lines))

    def report(self, error: Failure | OkeyError, **more: object) -> int:
        """Report a failure, as an object on stdout or as text on stderr; returns its exit code.

        The object has ``more`` details.
        """
        failure = game_failure(error, self.texts) if isinstance(error, OkeyError) else error
        if self.as_json:
            told = failure.details | more
            details = {name: plain_data(value) for name, value in told.items()}
            said = {"code": failure.code, "message": failure.message}
            self._write({"ok": False, "error": said | details})
        else:
            self.out.flush()
            message = failure.message
            if failure.place:
                message = self.texts("failure-at", place=failure.place, message=message)
            self.note(self.texts("failure", message=printable(message)))
            if failure.hint:
                self.note(failure.hint.rstrip())
        return failure.exit_code

    def interrupted(self) -> int:
        """Say that the user interrupted."""
        return self.report(Failure.of(self.texts, Exit.INTERRUPTED, "interrupted"))

    def note(self, text: str) -> None:
        """Print a message or a sign of progress on stderr."""
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def strong(self, text: str) -> str:
        """A heading."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def tiles(self, pieces: Iterable[int]) -> str:
        """Tiles or pieces in the notation, in their colours on a terminal."""
        from okey101.render.text import Ink

        return Ink(self.texts, color=self.colour).row(pieces)


# Failures of commands: the exit code, and the one shape in which they are reported.


_MOST_TOKEN: Final = 10_000
"""Bytes that are read of a file with a token."""


class Exit(IntEnum):
    """The exit codes that are no success."""

    FAILED = 1
    USAGE = 2
    INVALID = 3
    UNREACHABLE = 4
    INTERRUPTED = 130


_LINE: Final = re.compile(r"line (?P<line>\d+), column (?P<column>\d+)")
"""The place of what is no JSON."""


class Failure(Exception):
    """The end of a command without success: an exit code, a stable code and a sentence."""

    def __init__(self, exit_code: int, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.hint = ""
        """What to do next, for people alone."""
        self.place = ""
        """Where in a record, for people alone: JSON has it among the details."""
        self.exit_code = exit_code
        self.code = code
        self.message = message
        self.details = details

    @classmethod
    def of(cls, texts: Texts, exit_code: int, code: str, **details: object) -> Self:
        """A failure in the sentence of its code, which names what it needs of the details."""
        named: dict[str, Any] = {k: v for k, v in details.items() if type(v) in (str, int)}
        return cls(exit_code, code, texts(f"error-{code}", **named), **details)


def game_failure(error: OkeyError, texts: Texts) -> Failure:
    """The failure that an error of the core means.

    A rule set comes from the command line's own words, so its error is a usage error.
    """
    details = dict(error.details)
    if isinstance(error, IllegalAction):
        details["rule"] = error.rule
    if isinstance(error, NotationError):
        details["position"] = error.position
    message = error_text(texts, error)
    place = ""
    if isinstance(error, RecordError):
        details["path"] = error.path
        message = message.removeprefix(f"{error.path}: ")
        place = _place(error, texts)
    exit_code = Exit.USAGE if isinstance(error, RuleSetError) else Exit.INVALID
    failure = Failure(exit_code, error.code, message, **details)
    failure.place = place
    return failure


def _place(error: RecordError, texts: Texts) -> str:
    deal, action, text = (error.details.get(name) for name in ("deal", "action", "text"))
    if not (isinstance(deal, int) and isinstance(action, int)):
        place = _LINE.fullmatch(error.path)
        return error.path if place is None else texts("failure-at-line", **place.groupdict())
    return texts("failure-at-action", deal=deal + 1, action=action + 1, text=str(text)[:100])


NO_SERVER: Final[MappingProxyType[str, int]] = MappingProxyType(
    dict.fromkeys(("no-server", "not-okey101", "server-moved"), Exit.UNREACHABLE)
)


@contextmanager
def ending(
    texts: Texts, exit_code: int = Exit.USAGE, others: Mapping[str, int] = NO_SERVER
) -> Generator[None]:
    """Make what is refused within a failure with this exit code, or that of its own code."""
    try:
        yield
    except OkeyError as error:
        failure = game_failure(error, texts)
        failure.exit_code = others.get(error.code, exit_code)
        if error.code == "unauthorised":
            failure.hint = texts("failure-token")
        raise failure from None


@contextmanager
def with_file(path: str, texts: Texts) -> Generator[None]:
    """Make what the system refuses within the failure for a file."""
    try:
        yield
    except OSError as error:
        raise file_failure(error, path, texts) from None


def file_failure(error: OSError, path: str, texts: Texts) -> Failure:
    """The failure for a file that the system refuses."""
    folder = str(Path(path).parent)
    match error:
        case FileExistsError():
            code, path = "folder-is-file", str(error.filename)
        case FileNotFoundError() | NotADirectoryError():
            code = "file-not-found" if Path(folder).is_dir() else "folder-not-found"
        case IsADirectoryError():
            code = "file-is-folder"
        case PermissionError():
            code = "file-forbidden"
        case _:
            code = "file-failed"
    reason = error.strerror or type(error).__name__
    message = texts(f"error-{code}", file=path or ".", folder=folder, reason=reason)
    return Failure(Exit.FAILED, code, message, file=path)


def at_home(text: str) -> Path:
    """The path that a text names; ``~`` and a name that nobody has stay as they are."""
    return Path(os.path.expanduser(text))  # noqa: PTH111  # Path's own raises RuntimeError


def first_bytes(path: Path, most: int = 1 << 24) -> bytes:
    """What a file begins with, since a device has no end; OSError."""
    with path.open("rb") as file:
        return file.read(most)


def token_in(file: str, texts: Texts, code: str = "no-token") -> str:
    """The token that a file holds; Failure where it can't be read, with the code if it is none."""
    with with_file(file, texts):
        token = first_bytes(Path(file), _MOST_TOKEN).decode("latin-1").strip()
    if not (token and token.isascii() and token.isprintable()):
        raise Failure.of(texts, Exit.FAILED, code, path=file)
    return token


def write_file(file: str, text: str, texts: Texts) -> None:
    """Write a file, its folder made where there is none; Failure where it can't be written."""
    with with_file(file, texts):
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", "backslashreplace")  # a file's name need not be UTF-8


@contextmanager
def file_for(file: str | None, texts: Texts, reads: str | None = None) -> Generator[None]:
    """Make a file, if one is named: that it can't be written is said before the work, not after it.

    It is not the one that the work ``reads``. One that was made for it goes again where the work
    fails.
    """
    if file is None:
        yield
        return
    path = Path(file)
    if reads is not None and path.resolve() == Path(reads).resolve():
        raise Failure.of(texts, Exit.FAILED, "file-exists", file=file)
    with with_file(file, texts):
        new = not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("a").close()
    try:
        yield
    except BaseException:
        if new:
            path.unlink(missing_ok=True)
        raise


def unexpected(output: Output, error: Exception) -> int:
    """Print an unforeseen error in one line, and say where to report it."""
    what = f"{type(error).__name__}: {error}".splitlines()[0][:300]
    try:
        message = output.texts("error-internal-error", what=what)
    except (OSError, ValueError, ImportError):  # without catalogues there are no sentences
        sys.stderr.write(f"okey101: {what}\n")
        return Exit.FAILED
    return output.report(Failure(Exit.FAILED, "internal-error", message))
