"""``okey101`` with little patience, so that tests need not wait as long as usual."""

from __future__ import annotations

import sys
from unittest.mock import patch

from okey101.cli import main
from okey101.server.net import heartbeat, transport

if __name__ == "__main__":
    with (
        patch.object(transport, "_REQUEST_S", 2.0),
        patch.multiple(heartbeat, _STALL_S=1.5, _LINGER_S=0.5),
    ):
        sys.exit(main())
