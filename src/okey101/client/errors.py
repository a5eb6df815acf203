"""What can go wrong between a program and a table: each with a code, as everywhere in okey101."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

from okey101.errors import OkeyError

CLIENT_CODES: Mapping[str, str] = MappingProxyType(
    {
        "act-pending": "an action of this turn still waits for its answer",
        "bad-address": "{address} is no address of a server; one begins with http:// or https://",
        "bad-audit-file": "the file holds nothing that was written of a log",
        "line-closed": "this program has closed the line itself",
        "log-key-changed": "the log is signed by another key, {now}; before it was {before}",
        "log-rewritten": "the log is not the one that was shown up to entry {size}",
        "log-shortened": "the log had {size} entries and has {now} now",
        "log-strange-entry": "entry {place} of the log is of no kind that there is",
        "log-wrong-signature": "the head of the log is not signed by its key",
        "no-server": "no server answers at {address}: {reason}",
        "not-okey101": "what answers at {address} is no server of okey101",
        "other-protocol": "the server speaks protocol {theirs}, this program {ours}",
        "unfair-deal": "the deal does not fit what was promised: {reason}",
        "was-refused": "the server refuses the connection with HTTP {status}",
    }
)
"""Codes of the client's own; others come from the server, or close a line (docs/en/protocol.md)."""


class CommandRefused(OkeyError):
    """The server refused a command, which has changed nothing; ``rule`` where a rule does."""

    def __init__(self, code: str, message: str, rule: str | None = None, **details: object) -> None:
        super().__init__(code, message, **details)
        self.rule = rule


class Ended(OkeyError):
    """The line is over for good; ``code`` is the reason, such as ``replaced`` or ``table-closed``.

    ``close_code`` is that of the WebSocket, None where there was none.
    """

    def __init__(
        self, code: str, message: str, close_code: int | None = None, **details: object
    ) -> None:
        super().__init__(code, message, **details)
        self.close_code = close_code


def client_error(code: str, **details: object) -> OkeyError:
    """The error of one of the client's own codes."""
    return OkeyError(code, CLIENT_CODES[code].format(**details), **details)


def end_for(code: str, **details: object) -> NoReturn:
    """End a line for one of the client's own codes."""
    raise Ended(code, CLIENT_CODES[code].format(**details), None, **details)
