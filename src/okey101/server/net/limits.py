"""How much one client may ask for: token buckets, counted places, and whose address counts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from time import monotonic
from typing import Final, Protocol

from okey101.server.net.close_codes import GOODBYES
from okey101.server.settings import Network

Clock = Callable[[], float]
"""Seconds that never go back, such as ``time.monotonic`` or the event loop's ``time``."""

_KEYS: Final = 20_000
_HOPS: Final = 32
_NETWORK_BITS: Final = 48
_UNKNOWN: Final = "unknown"
"""What counts for connections without an address."""


class Bucket:
    """One allowance: ``burst`` at once, filling again at ``rate`` a second."""

    __slots__ = ("_at", "_burst", "_clock", "_left", "_rate")

    def __init__(self, rate: float, burst: float, clock: Clock) -> None:
        """Begin full; the rate is above 0, and burst at least 1."""
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._at = clock()

    def take(self) -> float:
        """Take one of the allowance: 0.0 if it was there, else the seconds until it is.

        A refusal costs nothing.
        """
        self._fill()
        if self._left >= 1:
            self._left -= 1
            return 0.0
        # Rounding must not make a missing sliver cost no time at all.
        return max((1 - self._left) / self._rate, 1e-6)

    def until_full(self) -> float:
        """The seconds until the allowance is whole, 0.0 where it is."""
        self._fill()
        return (self._burst - self._left) / self._rate

    def _fill(self) -> None:
        now = self._clock()
        if now > self._at:
            self._left = min(self._burst, self._left + (now - self._at) * self._rate)
            self._at = now


class Limiter:
    """An allowance for each key, of which a bounded number is remembered.

    When there are too many, the one least recently used gives way if it is full again, and so
    says nothing. If it is not, a limiter that is ``strict`` refuses the new key: fit for
    passwords, where no crowd of addresses may buy a fresh allowance. One that is not forgets the
    old key all the same: fit for play, where a crowd must not lock others out.
    """

    def __init__(
        self, name: str, rate: float, burst: float, *, clock: Clock = monotonic,
        keys: int = _KEYS, strict: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        """What it is called where it refuses: as the setting, if there is one."""
        self.rate, self.burst = rate, burst
        self._clock = clock
        self._keys = keys
        self._strict = strict
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str) -> float:
        """Take from a key's allowance: 0.0 if it was there, else the seconds until it may be."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if wait := self._make_room():
                return wait
            bucket = self._buckets[key] = Bucket(self.rate, self.burst, self._clock)
        self._buckets.move_to_end(key)
        return bucket.take()

    def _make_room(self) -> float:
        if len(self._buckets) < self._keys:
            return 0.0
        oldest = next(iter(self._buckets))
        wait = self._buckets[oldest].until_full()
        if wait and self._strict:
            return wait
        del self._buckets[oldest]
        return 0.0


class Quota:
    """A number of places in all and for each key, to be taken and given back."""

    def __init__(self, total: int, each: int) -> None:
        self.total = total
        self.each = each
        self.taken = 0
        self._by_key: dict[str, int] = {}

    def enter(self, key: str) -> bool:
        """Take a place for a key; False, and nothing is taken, where there is none."""
        mine = self._by_key.get(key, 0)
        if self.taken >= self.total or mine >= self.each:
            return False
        self._by_key[key] = mine + 1
        self.taken += 1
        return True

    def leave(self, key: str) -> None:
        """Give a place back; KeyError if the key has none."""
        mine = self._by_key[key] - 1
        if mine:
            self._by_key[key] = mine
        else:
            del self._by_key[key]
        self.taken -= 1


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the address as the nearest trusted computer saw it, and whether by https."""

    address: str
    """Empty where the connection has none."""
    https: bool

    @property
    def key(self) -> str:
        """What limits count by."""
        return address_key(self.address)

    @property
    def network(self) -> str:
        """What wider limits count by."""
        return address_key(self.address, _NETWORK_BITS)


def client_of(
    peer: str,
    headers: Iterable[tuple[bytes, bytes]],
    trusted: Sequence[Network],
    *,
    https: bool = False,
) -> Caller:
    """Who sent a request, with what trusted proxies say of it.

    ``peer`` is the connection's other end, ``headers`` are as ASGI has them, ``https`` says how
    the connection itself was made. Headers from anybody else are ignored: everyone can write them.
    The last address in X-Forwarded-For that is not a trusted proxy's is the client's.
    """
    if not trusts(trusted, peer):
        return Caller(peer, https)
    hops: list[str] = []
    for name, value in headers:
        if name == b"x-forwarded-for":
            hops += value.decode("latin-1").split(",")
        elif name == b"x-forwarded-proto":
            # The proxy itself wrote the last one; whoever came before it wrote the others.
            https = value.decode("latin-1").rpartition(",")[2].strip().casefold() == "https"
    address = peer
    for hop in reversed(hops[-_HOPS:]):
        found = _parsed(hop)
        if found is None:
            break  # the last one that can be read counts
        address = str(found)
        if not trusts(trusted, address):
            break
    return Caller(address, https)


def address_key(address: str, bits: int = 64) -> str:
    """What stands for an address: itself, or its /64 where it is IPv6, as one home has all of it.

    With fewer ``bits`` its network: whoever rents one machine may have 65,536 times a /64.

    >>> address_key("2001:db8::1:2:3:4"), address_key("::ffff:192.0.2.7")
    ('2001:db8::/64', '192.0.2.7')
    """
    found = _parsed(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, bits), strict=False))
    return _UNKNOWN if found is None else str(found)


@lru_cache(maxsize=1024)  # one connection asks several times
def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """An address, perhaps with a port or a zone; IPv4 inside IPv6 is IPv4."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped
    return found


def trusts(trusted: Sequence[Network], address: str) -> bool:
    """Whether an address is one of the networks'."""
    found = _parsed(address)
    return found is not None and any(found in network for network in trusted)


# How many connections there may be: in all, so that files are left, and of one address.

_HOMES: Final = 8
"""How many times an address's share a network of IPv6 has."""


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
            address, network = address_key(peer), address_key(peer, _NETWORK_BITS)
        if not self._addresses.enter(address):
            return None
        if not self._networks.enter(network):
            self._addresses.leave(address)
            return None
        return partial(self._leave, address, network)

    def _leave(self, address: str, network: str) -> None:
        self._addresses.leave(address)
        self._networks.leave(network)


# The open sockets of each person, so that they can be closed when the person is shut out.


class Connection(Protocol):
    """A socket, whatever it is used for."""

    address: str
    """What limits count it by."""

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

    def __init__(self, on_close: Callable[..., None] = lambda *_, **__: None) -> None:
        self._by_user: dict[str, set[Connection]] = {}
        self.on_close = on_close
        """Hears of every :meth:`close` of this node's."""
        self.closings = 0
        """How often sockets of anybody had to be closed: who came in between may have to go too."""

    def __iter__(self) -> Iterator[str]:
        """The people who are connected."""
        return iter(self._by_user)

    def __contains__(self, user: object) -> bool:
        return user in self._by_user

    def near(self, users: Sequence[str | None]) -> list[int]:
        """For each of some people those of them who are connected from the same address as well:
        their places in the list, each a bit.
        """
        theirs = (self._by_user.get(user or "", ()) for user in users)
        at = [{one.address for one in each} - {_UNKNOWN} for each in theirs]
        shared = [[not own.isdisjoint(other) and other is not own for other in at] for own in at]
        return [sum(bit << n for n, bit in enumerate(bits)) for bits in shared]

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
        self, user: str, why: str, *, only: str | None = None, but: Collection[str] = (),
        keep: Connection | None = None, told: bool = False,
    ) -> None:  # fmt: skip
        """Close every socket of a person but one to ``keep``: ``only`` of one session, or of all
        ``but`` some.

        ``why`` is one of :data:`GOODBYES`. ``told``: another node has, and so has told all others.
        """
        if not told:
            self.on_close(user, why=why, only=only, but=[*but])
        self.closings += 1
        for connection in [*self._by_user.get(user, ())]:
            within = connection.session not in but and only in (None, connection.session)
            if within and connection is not keep:
                connection.close(GOODBYES[why], why)
