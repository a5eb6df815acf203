"""``okey101`` whose transparency log has a new head at every moment."""

from __future__ import annotations

import sys
from unittest.mock import patch

from okey101.cli import main
from okey101.server.store import public_log

if __name__ == "__main__":
    with patch.object(public_log, "EVERY_S", 0.1):
        sys.exit(main())
