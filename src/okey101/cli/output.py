"""Where a command's answer goes: text or JSON on stdout, notes on stderr, colours on terminals."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TextIO

from okey101.i18n import Texts, load


def colours_wanted(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to colour what goes to a stream: on terminals, unless the environment says otherwise.

    ``NO_COLOR`` forbids it, ``FORCE_COLOR`` asks for it anywhere; the first one wins.
    """
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environ.get("TERM") != "dumb"


def printable(text: str) -> str:
    """A text on one line that can't steer a terminal: what is not printable becomes a blank."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def json_text(data: Mapping[str, object], stream: TextIO) -> str:
    """One line of JSON; letters beyond ASCII stay as they are where the stream can carry them."""
    unicode = (stream.encoding or "").replace("-", "").casefold().startswith("utf")
    return json.dumps(data, ensure_ascii=not unicode)


@dataclass(frozen=True, slots=True)
class Output:
    """How the running command speaks: its language, and text or JSON."""

    language: str
    as_json: bool

    @property
    def texts(self) -> Texts:
        """The sentences of the language; reading them takes a while, so JSON does without."""
        return load(self.language)

    @property
    def colour(self) -> bool:
        """Whether text on stdout is coloured."""
        return colours_wanted(sys.stdout, os.environ)

    def answer(self, data: Mapping[str, object]) -> None:
        """Print a success object on stdout."""
        self.lines([json_text({"ok": True} | dict(data), sys.stdout)])

    def tell(self, data: Mapping[str, object], lines: Callable[[], Iterable[str]]) -> int:
        """Print a success object, or the lines where text is asked for; the exit code 0."""
        if self.as_json:
            self.answer(data)
        else:
            self.lines(lines())
        return 0

    def lines(self, lines: Iterable[str]) -> None:
        """Print lines of text on stdout."""
        sys.stdout.write("".join(f"{line}\n" for line in lines))

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
