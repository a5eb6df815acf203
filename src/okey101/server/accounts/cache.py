"""Sessions kept in memory, so that a request need not ask the database."""

from __future__ import annotations

import threading
from collections import OrderedDict

from okey101.server.accounts.types import Session

__all__ = ["SessionCache"]


class SessionCache:
    """The sessions used most recently, by the hash of their token.

    Only the database's thread puts and forgets, in the same job that reads or changes the rows: so
    nothing that has ended can come back, and a caller that is cancelled skips no forgetting.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._sessions: OrderedDict[bytes, Session] = OrderedDict()
        self._of_user: dict[str, set[bytes]] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def get(self, hashed: bytes) -> Session | None:
        """The session, if it is kept."""
        with self._lock:
            found = self._sessions.get(hashed)
            if found is not None:
                self._sessions.move_to_end(hashed)
            return found

    def put(self, hashed: bytes, session: Session) -> None:
        """Keep a session; the least recently used one makes room."""
        with self._lock:
            self._drop(hashed)
            self._sessions[hashed] = session
            self._of_user.setdefault(session.user.id, set()).add(hashed)
            while len(self._sessions) > self._most:
                self._drop(next(iter(self._sessions)))

    def forget(self, *users: str) -> None:
        """Forget every session of some people."""
        with self._lock:
            for user in users:
                for hashed in tuple(self._of_user.get(user, ())):
                    self._drop(hashed)

    def _drop(self, hashed: bytes) -> None:
        session = self._sessions.pop(hashed, None)
        if session is not None:
            hashes = self._of_user[session.user.id]
            hashes.discard(hashed)
            if not hashes:
                del self._of_user[session.user.id]
