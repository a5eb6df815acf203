"""``okey101`` without the collector: at SIGUSR1 it collects, and says in JSON what it found."""

from __future__ import annotations

import gc
import json
import signal
import sys

from okey101.cli import main


def _collect(*_: object) -> None:
    print(json.dumps({"event": "garbage", "objects": gc.collect()}), file=sys.stderr, flush=True)


if __name__ == "__main__":
    gc.disable()
    signal.signal(signal.SIGUSR1, _collect)
    sys.exit(main())
