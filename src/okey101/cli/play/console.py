"""Lines in and lines out: a terminal, a pipe, or a test's streams."""

from __future__ import annotations

import contextlib
import sys
from importlib import import_module
from typing import TextIO

__all__ = ["Console", "InputEnded"]


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
        """Write lines."""
        for line in lines:
            self._out.write(f"{line}\n")
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
