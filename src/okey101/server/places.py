"""How many connections there may be: in all, so that files are left, and of one address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import ip_address
from typing import Final

from okey101.server.limits import Quota, address_key, network_key
from okey101.server.settings import Network, Settings

__all__ = ["ConnectionPlaces", "places_of"]

_HOMES: Final = 8
"""How many times an address's share a network of IPv6 has."""
_LEAST: Final = 16


class ConnectionPlaces:
    """ConnectionPlaces for connections, counted before anything is read from them.

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
        if self._proxied(peer):
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

    def _proxied(self, peer: str) -> bool:
        try:
            found = ip_address(peer.partition("%")[0])
        except ValueError:
            return not peer  # a connection without an address, as of a Unix socket
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self._trusted)


def places_of(settings: Settings, total: int) -> ConnectionPlaces:
    """The places of a server whose connections may open ``total`` files."""
    each = settings.max_connections_per_address
    return ConnectionPlaces(max(total, _LEAST), each, settings.trusted_proxies)
