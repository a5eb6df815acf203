"""What can go wrong between a program and a table: each with a code, as everywhere in okey101."""

from __future__ import annotations

from collections.abc import Mapping

from okey101.errors import OkeyError
from okey101.server.errors import SERVER_CODES

CLIENT_CODES: Mapping[str, str] = {
    "act-pending": "an action of this turn has no answer yet",
    "bad-address": "{address} is not the address of a server; begin it with http:// or https://",
    "bad-audit-file": "this file has nothing that okey101 audit has written",
    "line-closed": "this program has closed the connection itself",
    "line-failed": "this program failed while it listened: {reason}",
    "log-key-changed": "the log is now signed by another key, {now}; it was {before}",
    "log-rewritten": "up to entry {size} the log is not the one that was shown",
    "log-shortened": "the log had {size} entries and now has {now}",
    "log-strange-entry": "entry {place} of the log is of an unknown kind",
    "log-unproved": "the server does not prove that its log holds what was shown: {reason}",
    "log-wrong-signature": "the head of the log is not signed by its key",
    "no-server": "no server answers at {address}: {reason}",
    "not-okey101": "{address} answers, but not as okey101",
    "other-protocol": "the server speaks protocol {theirs}, but this program speaks {ours}",
    "server-moved": "{address} sends programs on to {to}: if you trust it, name that address",
    "unfair-deal": "the deal does not fit what was promised: {reason}",
    "was-refused": "the server refused the connection with HTTP {status}",
}
"""Codes of the client's own; others come from the server, or close a line (docs/en/protocol.md)."""


class CommandRefused(OkeyError):
    """The server refused a command, which has changed nothing; ``rule`` where a rule does."""

    def __init__(self, code: str, message: str, rule: str | None = None, **details: object) -> None:
        super().__init__(code, message, **details)
        self.rule = rule


def refusal(code: str) -> CommandRefused:
    """The refusal that the server has for a code, where it need not be asked for it."""
    return CommandRefused(code, SERVER_CODES[code][1])


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


def ended(code: str, **details: object) -> Ended:
    """The end of a line for one of the client's own codes."""
    return Ended(code, CLIENT_CODES[code].format(**details), None, **details)
