"""``okey101`` where every question about a hand fails, with the hand in the error's text."""

from __future__ import annotations

import sys
from typing import Any

from conftest import unwrap
from okey101.cli import main
from okey101.server.tables.state import TableState
from okey101.server.web import socket


def _fails(state: TableState, *_: object) -> Any:
    raise KeyError(str(unwrap(state.deal).rack(0)))


if __name__ == "__main__":
    vars(socket)["answer"] = _fails
    sys.exit(main())
