"""Lines in and lines out: a terminal, a pipe, or a test's streams."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import TextIO

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class InputEnded(Exception):
    """There is nothing more to read."""


class Console:
    """Reads and writes plain lines; prompts stand on their own line where nobody types."""

    def __init__(
        self,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        self._in = stdin or sys.stdin
        self._out = stdout or sys.stdout
        self._err = stderr or sys.stderr
        for stream in (self._in, self._out, self._err):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:  # an odd byte or letter must not end a match
                with contextlib.suppress(ValueError, OSError):
                    reconfigure(errors="replace")
        self.interactive = self._in.isatty()
        self._editing = self.interactive and self._in is sys.stdin and self._out is sys.stdout
        if self._editing:
            with contextlib.suppress(ImportError):
                import_module("readline")  # with it input() edits lines and remembers them

    def say(self, *lines: str) -> None:
        """Write lines, folded between words where somebody sits at a terminal."""
        width = shutil.get_terminal_size().columns if self.interactive else 0
        for line in lines:
            self._out.write(f"{wrapped(line, width)}\n")
        self._out.flush()

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
        self._out.write(f"  {line}\n")
        self._out.flush()

    def complain(self, line: str) -> None:
        """Write a line to the error stream."""
        self._out.flush()
        self._err.write(f"{line}\n")
        self._err.flush()

    def ask(self, prompt: str) -> str:
        """Read a line without its end; raises InputEnded, and KeyboardInterrupt on Ctrl-C."""
        if self._editing:
            try:
                return input(prompt)
            except EOFError:
                self.say("")
                raise InputEnded from None
        self._out.write(prompt if self.interactive else f"{prompt.rstrip()}\n")
        self._out.flush()
        line = self._in.readline()
        if not line:
            raise InputEnded
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
    rows: list[str] = []
    row, length = indent, len(indent)
    for word in line.split():
        size = len(_ANSI.sub("", word))
        if length > len(indent) and length + 1 + size > width:
            rows.append(row)
            row = f"{indent}  {word}"
            length = len(indent) + 2 + size
        elif length > len(indent):
            row, length = f"{row} {word}", length + 1 + size
        else:
            row, length = f"{indent}{word}", len(indent) + size
    return "\n".join([*rows, row])
