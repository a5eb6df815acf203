"""A process that thinks for bots: ``python -m okey101.server.bot_process``.

It reads thoughts from its input, each after its length in four bytes, writes an answer a line, and
ends with its input: nobody has to look after it, however the server ends. It is told what a seat
sees and no more.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
from time import monotonic, perf_counter
from typing import BinaryIO, Final

import msgspec

from okey101.bots import EXPERT, make_bot
from okey101.server.bot_thoughts import SEARCHES, Thought, ThoughtOutcome, think
from okey101.server.gc_tuning import freeze, tune
from okey101.solver.tables import load_tables

__all__ = ["serve"]

_NICE: Final = 5
"""The server itself comes first on a machine with few cores."""

_encode = msgspec.json.Encoder().encode


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answer thoughts until there are no more; those whose time is up are left out.

    Each comes with its end on the system's monotonic clock, which all processes share.
    """
    while len(head := source.read(4)) == 4:
        data = source.read(int.from_bytes(head))
        number, thought, until = pickle.loads(data)  # from our own parent
        if monotonic() > until:
            continue
        target.write(_encode(_answer(number, thought)) + b"\n")
        target.flush()


def _answer(number: int, thought: Thought) -> ThoughtOutcome:
    began = perf_counter()
    try:
        action = str(think(thought))
    except Exception as error:  # noqa: BLE001  # whatever a bot does, the process goes on
        return ThoughtOutcome(number, error=type(error).__name__, seconds=perf_counter() - began)
    return ThoughtOutcome(number, action, seconds=perf_counter() - began)


def main() -> None:
    """Say that it is ready, and serve."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # it goes when the server has gone
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICE)
    load_tables()
    if SEARCHES in sys.argv[1:]:
        make_bot(EXPERT)  # which compiles, or loads what was compiled
    tune()
    freeze()
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    with contextlib.suppress(BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
