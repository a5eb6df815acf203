"""Lines in and lines out: a terminal or a pipe."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
from collections.abc import Iterable
from importlib import import_module

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class PlayerLeft(Exception):
    """The player wants to go on another time, or there is nothing more to read."""


class Console:
    """Reads and writes plain lines; prompts stand on their own line where nobody types."""

    def __init__(self) -> None:
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None:  # an odd byte must not end a match
            with contextlib.suppress(ValueError, OSError):
                reconfigure(errors="replace")
        self.interactive = sys.stdin.isatty()
        if self.interactive:
            with contextlib.suppress(ImportError):
                import_module("readline")  # with it input() edits lines and remembers them

    def say(self, *lines: str) -> None:
        """Write lines, folded between words where somebody sits at a terminal."""
        width = shutil.get_terminal_size().columns if self.interactive else 0
        for line in lines:
            print(wrapped(line, width))
        sys.stdout.flush()

    def page(self, lines: Iterable[str], prompt: str) -> None:
        """Write lines as :meth:`say` does, a screen at a time; any word at the prompt ends it."""
        if not self.interactive:
            self.say(*lines)
            return
        size = shutil.get_terminal_size()
        rows = [row for line in lines for row in wrapped(line, size.columns).split("\n")]
        room = max(1, size.lines - 1)
        for at in range(0, len(rows), room):
            if at and self.ask(prompt):
                break
            self.say(*rows[at : at + room])

    def quote(self, line: str) -> None:
        """Write a line to be copied: indented, and never folded."""
        print(f"  {line}", flush=True)

    def complain(self, line: str) -> None:
        """Write a line to the error stream."""
        sys.stdout.flush()
        print(line, file=sys.stderr, flush=True)

    def ask(self, prompt: str) -> str:
        """Read a line without its end; raises PlayerLeft, and KeyboardInterrupt on Ctrl-C."""
        if self.interactive:
            try:
                return input(prompt)
            except EOFError:
                self.say("")
                raise PlayerLeft from None
        print(prompt.rstrip(), flush=True)
        line = sys.stdin.readline()
        if not line:
            raise PlayerLeft
        return line.rstrip("\r\n")


def wrapped(line: str, width: int) -> str:
    """A line folded between words, its rest indented; colours take no room. Width 0: as it is.

    >>> print(wrapped("  R7 R8 R9 | K1", 12))
      R7 R8 R9 |
        K1
    """
    if not width or len(_ANSI.sub("", line)) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip(" ")))
    first, *words = line.split() or [""]
    rows = [f"{indent}{first}"]
    for word in words:
        longer = f"{rows[-1]} {word}"
        if len(_ANSI.sub("", longer)) > width:
            rows.append(f"{indent}  {word}")
        else:
            rows[-1] = longer
    return "\n".join(rows)
