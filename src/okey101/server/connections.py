"""The open sockets of each person, so that they can be closed when the person is shut out."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Protocol

__all__ = ["Connection", "Connections"]


class Connection(Protocol):
    """A socket, whatever it is used for."""

    @property
    def user(self) -> str | None:
        """The id of the person, where known."""

    @property
    def session(self) -> str | None:
        """The id of the session it was opened with."""

    def close(self, code: int, reason: str) -> None:
        """Close it with a close code and its reason."""


class Connections:
    """Sockets by person; those of nobody known are not kept."""

    def __init__(self) -> None:
        self._by_user: dict[str, set[Connection]] = {}

    def __iter__(self) -> Iterator[str]:
        """The people who are connected."""
        return iter(self._by_user)

    def __contains__(self, user: object) -> bool:
        return user in self._by_user

    def enter(self, connection: Connection) -> None:
        """Have a socket closed when its session, or its person, is shut out."""
        if connection.user is not None:
            self._by_user.setdefault(connection.user, set()).add(connection)

    def leave(self, connection: Connection) -> None:
        """A socket is gone."""
        own = self._by_user.get(connection.user or "")
        if own is not None:
            own.discard(connection)
            if not own and connection.user is not None:
                del self._by_user[connection.user]

    def close(
        self, user: str, code: int, reason: str, *, only: str | None = None, but: str | None = None
    ) -> None:
        """Close every socket of a person: ``only`` of one session, or of all ``but`` one."""
        for connection in [*self._by_user.get(user, ())]:
            if connection.session != but and only in (None, connection.session):
                connection.close(code, reason)

    def close_others(self, user: str, sessions: Collection[str], code: int, reason: str) -> None:
        """Close every socket of a person that belongs to none of these sessions."""
        for connection in [*self._by_user.get(user, ())]:
            if connection.session not in sessions:
                connection.close(code, reason)
