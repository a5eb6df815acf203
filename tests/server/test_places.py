"""Places for connections: so many for an address, whatever it sends, and some files are left."""

from __future__ import annotations

import contextlib
import random
import socket
import time
from collections.abc import Callable, Generator
from ipaddress import ip_network

import httpx
import pytest

from okey101.server.net.places import ConnectionPlaces
from server.live import LiveServer

MOST = 6


def test_an_address_has_a_share_and_gives_back_what_it_took() -> None:
    places = ConnectionPlaces(100, 3)
    held = [places.enter("192.0.2.7") for _ in range(4)]
    assert [leave is None for leave in held] == [False, False, False, True]
    assert places.enter("::ffff:192.0.2.7") is None
    assert places.enter("192.0.2.8") is not None
    assert held[0] is not None
    held[0]()
    assert places.enter("192.0.2.7") is not None
    assert places.taken == 4


def test_a_network_of_many_homes_has_the_share_of_a_few() -> None:
    places = ConnectionPlaces(10_000, 3)
    taken = [places.enter(f"2001:db8:1:{n:x}::1") for n in range(100) for _ in range(3)]
    assert sum(leave is not None for leave in taken) == 24
    assert places.enter("2001:db8:2::1") is not None


def test_proxies_are_counted_in_all_alone() -> None:
    places = ConnectionPlaces(10, 2, [ip_network("127.0.0.0/8")])
    assert all(places.enter("127.0.0.1") for _ in range(8))
    assert all(places.enter("") for _ in range(2))
    assert places.enter("127.0.0.1") is None
    assert places.enter("192.0.2.7") is None


@pytest.mark.parametrize("seed", range(5))
def test_no_place_is_lost(seed: int) -> None:
    rng = random.Random(seed)
    places = ConnectionPlaces(40, 7, [ip_network("10.0.0.0/8")])
    held: list[Callable[[], None]] = []
    for _ in range(2_000):
        if held and rng.random() < 0.5:
            held.pop(rng.randrange(len(held)))()
        peer = rng.choice(("10.0.0.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "nobody"))
        leave = places.enter(peer)
        if leave is not None:
            held.append(leave)
        assert places.taken == len(held) <= 40
    for leave in held:
        leave()
    assert places.taken == places._networks.taken == 0


@contextlib.contextmanager
def silent(server: LiveServer, count: int) -> Generator[list[socket.socket]]:
    """Connections that send nothing."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            for _ in range(count)
        ]


def dropped(one: socket.socket) -> bool:
    """Whether the server has closed a connection on which nothing was sent."""
    one.settimeout(0.3)
    try:
        return one.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_silent_connections_of_an_address_leave_room_for_others() -> None:
    """Ten thousand of them took every file handle for half a minute."""
    with LiveServer(max_connections_per_address=MOST) as server:
        with silent(server, MOST) as kept, silent(server, 3) as more:
            assert [dropped(one) for one in kept] == [False] * MOST
            assert [dropped(one) for one in more] == [True] * 3
            away = ("127.0.0.9", 0)
            with socket.create_connection(
                ("127.0.0.1", server.port), timeout=10, source_address=away
            ) as other:
                assert not dropped(other)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:  # the server hears of their end a little later
            with contextlib.suppress(httpx.TransportError):
                assert httpx.get(f"{server.url}/livez").status_code == 200
                break
            time.sleep(0.05)
        else:
            raise AssertionError("the places were not given back")
        server.assert_clean()


def test_requests_and_sockets_give_their_places_back() -> None:
    with LiveServer(max_connections_per_address=MOST) as server:
        for _ in range(5 * MOST):
            assert httpx.get(f"{server.url}/livez").status_code == 200
        for _ in range(3 * MOST):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as one:
                head = b"GET /ws/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                head += b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                one.sendall(head + b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n")
                assert one.recv(100).startswith(b"HTTP/1.1 101")
        assert httpx.get(f"{server.url}/livez").status_code == 200
        server.assert_clean()
