"""A process that reviews one match: ``python -m okey101.server.review_process``.

It reads a record, seats, a number of worlds and a policy as JSON from its input, writes lines of
:class:`okey101.server.match_reviews.ReviewProgress`, and ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from threading import Thread
from time import monotonic, sleep
from typing import BinaryIO, Final

import msgspec

from okey101.errors import OkeyError
from okey101.game.record import parse_record
from okey101.review.matches import review_match
from okey101.server.match_reviews import ReviewProgress

__all__ = ["review"]

_NICE: Final = 10
"""The server and its bots come first."""
_EVERY_S: Final = 0.25

_encode = msgspec.json.Encoder().encode


def review(source: BinaryIO, target: BinaryIO) -> None:
    """Look one match through, and say how far it is now and then."""
    wanted = json.loads(source.read())
    told = float("-inf")

    def tell(done: int, total: int) -> None:
        nonlocal told
        now = monotonic()
        if now - told >= _EVERY_S:
            told = now
            _write(target, ReviewProgress(done, total))

    try:
        record = parse_record(json.dumps(wanted["record"]))
        found = review_match(
            record, seats=wanted["seats"], worlds=wanted["worlds"], policy=wanted["policy"],
            on_step=tell,
        )  # fmt: skip
    except OkeyError as error:
        _write(target, ReviewProgress(error=error.code))
    except BrokenPipeError:
        raise
    except Exception:  # noqa: BLE001  # whoever waits for it is told
        _write(target, ReviewProgress(error="review-failed"))
    else:
        _write(target, ReviewProgress(review=msgspec.Raw(_encode(found.to_dict()))))


def _write(target: BinaryIO, said: ReviewProgress) -> None:
    target.write(_encode(said) + b"\n")
    target.flush()


def _end_with(server: int) -> None:
    """End when the server has gone, however long the step takes that is being looked at."""
    while os.getppid() == server:
        sleep(_EVERY_S)
    os._exit(0)


def main() -> None:
    """Step back behind the server, and work."""
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # the server ends it
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_NICE)
    with contextlib.suppress(BrokenPipeError):
        review(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
