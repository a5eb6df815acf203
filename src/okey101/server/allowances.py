"""How much may be asked of a server: one limit for each thing that costs something."""

from __future__ import annotations

import time
from typing import Final

from okey101.server.bot_accounts import is_bot_account
from okey101.server.limits import Limiter, Quota
from okey101.server.settings import Settings

__all__ = ["Allowances"]

_PEOPLE_AT_AN_ADDRESS: Final = 4
_STRANGERS_PER_S: Final = 1 / 60
_STRANGERS_AT_ONCE: Final = 3
_FIGURES_PER_S: Final = 5.0
_FIGURES_AT_ONCE: Final = 50
_HOMES: Final = 4
_BOT_MESSAGES_AT_ONCE: Final = 25
_TRIES: Final = 2
_RENAMES_PER_S: Final = 0.1
_RENAMES_AT_ONCE: Final = 6
_EXPORTS_PER_S: Final = 0.05
_EXPORTS_AT_ONCE: Final = 5
_EXPORTS_RUNNING: Final = 2
_REPLAYS_PER_S: Final = 5.0
_REPLAYS_AT_ONCE: Final = 40
_REVIEWS_PER_S: Final = 1 / 60
_REVIEWS_AT_ONCE: Final = 5
_HINTS_PER_S: Final = 0.5
_HINTS_AT_ONCE: Final = 6
_PHRASES_PER_S: Final = 0.5
_PHRASES_AT_ONCE: Final = 4
_REPORTS_PER_S: Final = 1 / 600
_REPORTS_AT_ONCE: Final = 5
_REPORTS_OF_ONE_PER_S: Final = 1 / 86_400


class Allowances:
    """The limits of a server, each by person or by address."""

    def __init__(self, settings: Settings) -> None:
        self.sockets = Quota(settings.max_sockets, settings.max_sockets_per_address)
        self.handshakes = _limiter(settings.handshakes_per_second, settings.handshake_burst)
        # By person, or by address: coming back on a new socket brings no new allowance.
        self.messages = _limiter(settings.messages_per_second, settings.message_burst)
        self.bot_messages = _limiter(settings.bot_messages_per_second, _BOT_MESSAGES_AT_ONCE)
        self.phrases = _limiter(_PHRASES_PER_S, _PHRASES_AT_ONCE)
        # A hint may take a bot's 150 ms of Python; whoever asks at every turn gets each.
        self.hints = _limiter(_HINTS_PER_S, _HINTS_AT_ONCE)
        # How often it is logged that somebody shows a wrong token of the administrator.
        self.strangers = _limiter(_STRANGERS_PER_S, _STRANGERS_AT_ONCE)
        # Apart from other requests, so that no flood of those keeps a reader from the figures.
        self.figures = _limiter(_FIGURES_PER_S, _FIGURES_AT_ONCE)
        self.requests = _limiter(settings.requests_per_second, settings.request_burst)
        self.new_guests = _limiter(settings.guests_per_minute / 60, settings.guest_burst)
        self.logins = _limiter(settings.logins_per_minute / 60, settings.login_burst, strict=True)
        rate, burst = settings.logins_per_minute / 60, settings.login_burst
        # A network has several homes, and an account is tried by its owner as well.
        self.network_logins = _limiter(rate * _HOMES, burst * _HOMES, strict=True)
        self.account_logins = _limiter(rate * _TRIES, burst * _TRIES)
        """Passwords tried for an account from devices that it does not know."""
        self.known_logins = _limiter(rate, burst)
        """And by each device that it knows."""
        tables, burst = settings.tables_per_minute / 60, settings.table_burst
        self.new_tables = _limiter(tables, burst)
        # A household behind one address has several people, but not any number of them.
        each = _PEOPLE_AT_AN_ADDRESS
        self.new_tables_at = _limiter(tables * each, burst * each)
        self.renames = _limiter(_RENAMES_PER_S, _RENAMES_AT_ONCE)
        self.export_requests = _limiter(_EXPORTS_PER_S, _EXPORTS_AT_ONCE)
        self.exports = Quota(_EXPORTS_RUNNING, 1)
        """Exports that are running, by person."""
        self.reports = _limiter(_REPORTS_PER_S, _REPORTS_AT_ONCE)
        self.reports_at = _limiter(_REPORTS_PER_S * each, _REPORTS_AT_ONCE * each)
        self.reports_of = _limiter(_REPORTS_OF_ONE_PER_S, 1)
        """Reports of one person by one other."""
        self.replay_requests = _limiter(_REPLAYS_PER_S, _REPLAYS_AT_ONCE)
        # A review takes a core for some seconds a deal; whoever plays can have each match's.
        self.reviews = _limiter(_REVIEWS_PER_S, _REVIEWS_AT_ONCE)

    def spoken(self, who: str) -> Limiter:
        """What bounds the messages of a person, a bot, or an address."""
        return self.bot_messages if is_bot_account(who) else self.messages


def _limiter(rate: float, burst: float, *, strict: bool = False) -> Limiter:
    return Limiter(rate, burst, clock=time.monotonic, strict=strict)
