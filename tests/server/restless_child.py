"""``okey101`` that asks its sockets twice a second whether anybody is there."""

from __future__ import annotations

import sys

from okey101.cli import main
from okey101.server import serve

if __name__ == "__main__":
    vars(serve)["_PING_S"] = 0.5
    sys.exit(main())
