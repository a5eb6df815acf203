"""The close codes of the WebSockets: those of the standard first, then okey101's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CLOSE_UNSUPPORTED: Final = 1003
CLOSE_POLICY: Final = 1008
CLOSE_TOO_LARGE: Final = 1009
"""Sent by the WebSocket library itself."""
CLOSE_FAILED: Final = 1011
CLOSE_RESTART: Final = 1012
RESTARTING: Final = "server-restarting"
"""The reason that goes with the close code of a restart."""
CLOSE_CROWDED: Final = 1013
"""Too many connections, or a reader that does not read."""
CLOSE_REPLACED: Final = 4001
CLOSE_GONE: Final = 4002
CLOSE_KICKED: Final = 4003
CLOSE_UNSEEN: Final = 4004
CLOSE_SILENT: Final = 4008
CLOSE_SIGNED_OUT: Final = 4401

GOODBYES: Mapping[str, int] = {
    "banned": CLOSE_KICKED,
    "deleted": CLOSE_SIGNED_OUT,
    "hello-timeout": CLOSE_SILENT,
    "internal": CLOSE_FAILED,
    "kicked": CLOSE_KICKED,
    "replaced": CLOSE_REPLACED,
    RESTARTING: CLOSE_RESTART,
    "session-changed": CLOSE_SIGNED_OUT,
    "signed-out": CLOSE_SIGNED_OUT,
    "spectators-off": CLOSE_UNSEEN,
    "table-closed": CLOSE_GONE,
}
"""What a WebSocket's last word may be besides the code of an error, with the close code."""
