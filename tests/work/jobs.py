"""Jobs for tests, done in other processes."""

import os
import sys
import time
from pathlib import Path
from threading import Lock
from typing import Never

from okey101.errors import IllegalAction
from okey101.work import Caller

PREPARED: list[int] = []


def prepare(_: Caller) -> None:
    PREPARED.append(os.getpid())


def prepared(_: Caller) -> list[int]:
    return PREPARED


def add(_: Caller, one: int, other: int = 1) -> int:
    return one + other


def refuse(_: Caller) -> Never:
    raise IllegalAction("no-draw", "D5", "nothing to draw", tile="R7")


class Odd(Exception):
    """Can't be made again from what it says."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def raise_odd(_: Caller) -> Never:
    raise Odd(1, 2)


def leave(_: Caller) -> Never:
    sys.exit(1)


def unsendable(_: Caller) -> object:
    return Lock()


def die(_: Caller) -> Never:
    os._exit(9)


def noisy(_: Caller) -> str:
    print("a word that is no answer", flush=True)
    os.system("echo another")
    return input() if sys.stdin.readable() and not sys.stdin.isatty() else ""


def niceness(_: Caller) -> int:
    return os.nice(0)


def count(caller: Caller, most: int) -> int:
    """Count, say so, and end early where that is asked for."""
    for number in range(most):
        if caller.stopping.wait(0.01):
            return number
        caller.tell(number)
    return most


def spin(_: Caller) -> Never:
    while True:
        pass


def wait_for(_: Caller, file: Path) -> None:
    while not file.exists():
        time.sleep(0.01)


def note_and_sleep(_: Caller, folder: Path) -> None:
    (folder / str(os.getpid())).touch()
    time.sleep(600)
