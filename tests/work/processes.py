"""The processes of this machine that a test has marked, by what stands in their environment."""

import time
from pathlib import Path

PATIENCE_S = 60.0


def with_mark(mark: str) -> list[int]:
    """The processes that run and have a word in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            there = mark.encode() in (folder / "environ").read_bytes()
            state = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if there and state != "Z":
            found.append(int(folder.name))
    return found


def wait_until_none(mark: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while left := with_mark(mark):
        assert time.monotonic() < deadline, left
        time.sleep(0.02)
