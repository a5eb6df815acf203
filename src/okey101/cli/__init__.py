"""The command line. A command imports what it needs when it runs, so that ``version`` is quick."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from okey101 import __version__

__all__ = ["main"]

_OUTPUT_LOST = (
    errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG, errno.EBADF
)  # fmt: skip
_VERSION = ({"version"}, {"version", "--json"}, {"--version"}, {"--version", "--json"})


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; ``argv`` defaults to the process's arguments.

    0 ok, 1 failure, 2 usage, 3 invalid game data, 4 no server, 130 interrupted. Nothing is raised
    for a user to see; with OKEY101_DEBUG=1 in the environment an unexpected error shows its
    traceback.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")  # a letter the terminal lacks is no failure
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        return _give_up()
    except OSError as error:
        sys.stderr.write(f"okey101: {error.strerror or error}\n")
        return _give_up()
    return code


def _dispatch(arguments: list[str]) -> int:
    try:
        if (
            len(arguments) <= 2
            and set(arguments) in _VERSION
            and "_OKEY101_COMPLETE" not in os.environ
        ):
            # Reading the arguments properly takes ten times as long as answering.
            return show_version(as_json="--json" in arguments)
        from okey101.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:
        from okey101.cli.output import Output

        return Output.asked_for(arguments).interrupted()
    except Exception as error:  # the last net: no traceback for a user
        if isinstance(error, OSError) and error.errno in _OUTPUT_LOST:
            raise
        if isinstance(error, ModuleNotFoundError):
            from okey101.cli.extras import extra_of, run_with_extra, tell_missing

            if extra := extra_of(error, arguments):
                code = run_with_extra(extra, arguments)
                return tell_missing(extra, arguments) if code is None else code
        if os.environ.get("OKEY101_DEBUG", "0") not in ("", "0"):
            raise
        from okey101.cli.output import Output, unexpected

        return unexpected(Output.asked_for(arguments), error)


def _open_closed_streams() -> None:
    """Streams that were closed when the process began are empty ones; an answer can't be written.

    What goes to stderr may be lost, the answer may not: writing it fails, as on a full disk.
    """
    for name, mode, how in (
        ("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)
    ):  # fmt: skip
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, how), mode, encoding="utf-8"))


def _give_up() -> int:
    """Nobody reads the output any more: nothing else is written, not even at exit."""
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(silence, stream.fileno())
    os.close(silence)
    return 1


def show_version(*, as_json: bool) -> int:
    """Print the version, and under ``as_json`` Python's as well; returns the exit code 0."""
    if as_json:
        import json

        python = ".".join(map(str, sys.version_info[:3]))
        data = {"ok": True, "version": __version__, "python": python}
        print(json.dumps(data))
    else:
        print(f"okey101 {__version__}")
    return 0
