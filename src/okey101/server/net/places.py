"""How many connections there may be: in all, so that files are left, and of one address."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Final, Protocol

from okey101.server.net.limits import Quota, address_key, network_key, trusts
from okey101.server.settings import Network, Settings

_HOMES: Final = 8
"""How many times an address's share a network of IPv6 has."""
_LEAST: Final = 16


class ConnectionPlaces:
    """Places for connections, counted before anything is read from them.

    What comes through a trusted proxy is the proxy's to limit: its connections count in all, but
    for no address, since the addresses behind it are told only by requests.
    """

    def __init__(self, total: int, each: int, trusted: Sequence[Network] = ()) -> None:
        self._addresses = Quota(total, each)
        self._networks = Quota(total, each * _HOMES)
        self._trusted = trusted
        self._count = 0

    @property
    def taken(self) -> int:
        """How many connections there are."""
        return self._addresses.taken

    def enter(self, peer: str) -> Callable[[], None] | None:
        """Take a place for a connection from an address.

        Gives what gives it back, to be called once; None where there is none.
        """
        self._count += 1
        if not peer or trusts(self._trusted, peer):  # a Unix socket has no address
            address = network = f"{peer} {self._count}"  # as many as there are places
        else:
            address, network = address_key(peer), network_key(peer)
        if not self._addresses.enter(address):
            return None
        if not self._networks.enter(network):
            self._addresses.leave(address)
            return None
        return partial(self._leave, address, network)

    def _leave(self, address: str, network: str) -> None:
        self._addresses.leave(address)
        self._networks.leave(network)


def places_of(settings: Settings, total: int) -> ConnectionPlaces:
    """The places of a server whose connections may open ``total`` files."""
    each = settings.max_connections_per_address
    return ConnectionPlaces(max(total, _LEAST), each, settings.trusted_proxies)


# The open sockets of each person, so that they can be closed when the person is shut out.


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
        self, user: str, code: int, why: str, *, only: str | None = None, but: Collection[str] = ()
    ) -> None:
        """Close every socket of a person: ``only`` of one session, or of all ``but`` some."""
        for connection in [*self._by_user.get(user, ())]:
            if connection.session not in but and only in (None, connection.session):
                connection.close(code, why)
