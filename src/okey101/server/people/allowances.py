"""How much may be asked of a server, and what people have begun there.

Who is being shut out begins nothing more, and so does not sit down meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

from okey101.server.errors import refuse
from okey101.server.net.limits import Limiter, Quota
from okey101.server.protocol.bot_labels import is_bot_account
from okey101.server.settings import Settings


class Allowances:
    """The limits of a server, each by person or by address."""

    def __init__(self, settings: Settings) -> None:
        self.sockets = Quota(settings.max_sockets, settings.max_sockets_per_address)
        self.handshakes = Limiter(
            "handshakes-per-second", settings.handshakes_per_second, settings.handshake_burst
        )
        # By person, or by address: coming back on a new socket brings no new allowance.
        self.messages = Limiter(
            "messages-per-second", settings.messages_per_second, settings.message_burst
        )
        self.bot_messages = Limiter("bot-messages-per-second", settings.bot_messages_per_second, 25)
        self.phrases = Limiter("phrases", 0.5, 4)
        # A hint may take a bot's 150 ms of Python; whoever asks at every turn gets each.
        self.hints = Limiter("hints", 0.5, 6)
        # How often it is logged that somebody shows a wrong token of the administrator.
        self.strangers = Limiter("strangers", 1 / 60, 3)
        # Apart from other requests, so that no flood of those keeps a reader from the figures.
        self.figures = Limiter("metrics", 5.0, 50)
        self.requests = Limiter(
            "requests-per-second", settings.requests_per_second, settings.request_burst
        )
        self.new_guests = Limiter(
            "guests-per-minute", settings.guests_per_minute / 60, settings.guest_burst
        )
        rate, burst = settings.logins_per_minute / 60, settings.login_burst
        self.logins = Limiter("logins-per-minute", rate, burst, strict=True)
        # A network has several homes, and an account is tried by its owner as well.
        self.network_logins = Limiter("logins-of-network", rate * 4, burst * 4, strict=True)
        self.account_logins = Limiter("logins-of-account", rate * 2, burst * 2)
        """Passwords tried for an account: by its name from devices that it does not know, by its id
        within sessions.
        """
        self.known_logins = Limiter("logins-of-device", rate, burst)
        """And by each device that it knows."""
        tables, burst = settings.tables_per_minute / 60, settings.table_burst
        self.new_tables = Limiter("tables-per-minute", tables, burst)
        # A household behind one address has several people, but not any number of them.
        each = 4
        self.new_tables_at = Limiter("tables-of-address", tables * each, burst * each)
        self.challenges = Limiter("challenges", 5 / 86_400, 5)
        self.challenges_at = Limiter("challenges-of-address", 5 / 86_400 * each, 5 * each)
        self.friends = Limiter("friends", 30 / 86_400, 30)
        """How many people somebody may ask to be friends."""
        self.invitations = Limiter("invitations", 1 / 60, 20)
        """How many friends somebody may call to tables."""
        self.renames = Limiter("renames", 1 / 10, 6)
        self.export_requests = Limiter("exports", 1 / 20, 5)
        self.exports = Quota(2, 1)
        """Exports that are running, by person."""
        self.reports = Limiter("reports", 1 / 600, 5)
        self.reports_at = Limiter("reports-of-address", 1 / 600 * each, 5 * each)
        self.reports_of = Limiter("reports-of-person", 1 / 86_400, 1)
        """Reports of one person by one other."""
        self.replay_requests = Limiter("replays", 5.0, 40)
        # A review takes a core for some seconds a deal; whoever plays can have each match's.
        self.reviews = Limiter("reviews", 1 / 60, 5)

    def spoken(self, who: str) -> Limiter:
        """What bounds the messages of a person, a bot, or an address."""
        return self.bot_messages if is_bot_account(who) else self.messages


class InFlight:
    """Counts what each person has begun; somebody who is being shut out begins nothing more."""

    def __init__(self) -> None:
        self._running: dict[str, int] = {}  # a Counter deletes a key in Python
        self._shut: Counter[str] = Counter()
        self._done: dict[str, asyncio.Event] = {}

    @contextmanager
    def begun(self, user: str) -> Generator[None]:
        """Something a person does; OkeyError ``accounts-busy`` while that person is shut out."""
        self.begin(user)
        try:
            yield
        finally:
            self.end(user)

    def begin(self, user: str) -> None:
        """The same where a ``with`` for every move costs too much; :meth:`end` has to follow."""
        if user in self._shut:
            refuse("accounts-busy")
        self._running[user] = self._running.get(user, 0) + 1

    def end(self, user: str) -> None:
        """What :meth:`begin` began is over."""
        left = self._running[user] - 1
        if left:
            self._running[user] = left
            return
        del self._running[user]
        if (done := self._done.pop(user, None)) is not None:
            done.set()

    @asynccontextmanager
    async def shut(self, user: str) -> AsyncGenerator[None]:
        """Let a person begin nothing; whatever was begun is over when this is entered."""
        self._shut[user] += 1
        try:
            if user in self._running:
                await self._done.setdefault(user, asyncio.Event()).wait()
            yield
        finally:
            self._shut[user] -= 1
            if not self._shut[user]:
                del self._shut[user]
