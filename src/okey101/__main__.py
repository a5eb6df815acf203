"""``python -m okey101`` is the command ``okey101``."""

from __future__ import annotations

import sys

from okey101.cli import main

if __name__ == "__main__":
    sys.exit(main())
