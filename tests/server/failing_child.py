"""``okey101`` where every question about a hand fails, with the hand in the error's text."""

from __future__ import annotations

import sys
from typing import Any

from okey101.cli import main
from okey101.server.tables.state import TableState
from okey101.server.web import socket


def _fails(state: TableState, *_: object) -> Any:
    assert state.deal is not None
    raise KeyError(str(state.deal.rack(0)))


if __name__ == "__main__":
    vars(socket)["answer"] = _fails
    sys.exit(main())
