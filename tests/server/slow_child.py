"""``okey101`` whose accounts are busy, or slow to export, while a file of that name is there."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from okey101.cli import main
from okey101.server.errors import refuse_account
from okey101.server.people import Accounts

_session, _export = Accounts.session, Accounts.export


def _asked(name: str) -> bool:
    return Path(sys.argv[sys.argv.index("--data") + 1], name).exists()


async def _busy(self: Accounts, *args: Any, **options: Any) -> Any:
    if _asked("busy"):
        refuse_account("accounts-busy")
    return await _session(self, *args, **options)


async def _slow(self: Accounts, *args: Any) -> Any:
    while _asked("slow"):  # noqa: ASYNC110  # nothing tells when
        await asyncio.sleep(0.05)
    return await _export(self, *args)


if __name__ == "__main__":
    with patch.multiple(Accounts, session=_busy, export=_slow):
        sys.exit(main())
