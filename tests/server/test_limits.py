"""Limits: allowances, whose address counts, places for connections, and work under way."""

import asyncio
import contextlib
import random
import socket
import time
from collections.abc import Callable, Generator
from ipaddress import ip_network

import httpx
import pytest
from hypothesis import given, strategies as st

from okey101.errors import OkeyError
from okey101.server.net.limits import (
    Bucket,
    Caller,
    ConnectionPlaces,
    Limiter,
    address_key,
    client_of,
)
from okey101.server.people.allowances import InFlight
from server.live import LiveServer


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_fills_again() -> None:
    clock = Clock()
    bucket = Bucket(2.0, 3, clock)
    assert [bucket.take() for _ in range(3)] == [0, 0, 0]
    assert bucket.take() == pytest.approx(0.5)
    assert bucket.until_full() == pytest.approx(1.5)
    clock.now += 0.5
    assert bucket.take() == 0
    clock.now += 100
    assert bucket.until_full() == 0
    assert [bucket.take() == 0 for _ in range(4)] == [True, True, True, False]


def test_a_clock_that_stands_or_goes_back_gives_nothing() -> None:
    clock = Clock()
    bucket = Bucket(1.0, 1, clock)
    assert bucket.take() == 0
    clock.now -= 50
    assert bucket.take() > 0
    clock.now += 50
    assert bucket.take() > 0


STEPS = st.lists(st.floats(0, 5), max_size=60)


@given(STEPS, st.floats(0.1, 10), st.integers(1, 10))
def test_never_more_than_allowed(steps: list[float], rate: float, burst: int) -> None:
    clock = Clock()
    begin = clock.now
    bucket = Bucket(rate, burst, clock)
    for taken, pause in enumerate(steps, 1):
        clock.now += pause
        if wait := bucket.take():
            clock.now += wait * 1.000001
            assert bucket.take() == 0  # waiting as long as told is enough
        assert taken <= burst + (clock.now - begin) * rate + 1e-6


def test_play_goes_on_when_there_are_too_many_keys() -> None:
    limiter = Limiter("", 1, 1, clock=Clock(), keys=10)
    assert all(limiter.take(str(key)) == 0 for key in range(1000))
    assert len(limiter) == 10
    assert limiter.take("999") > 0
    assert limiter.take("0") == 0  # forgotten: the price of letting everybody play


def test_passwords_are_refused_when_there_are_too_many_keys() -> None:
    clock = Clock()
    limiter = Limiter("", 0.5, 1, clock=clock, keys=10, strict=True)
    assert all(limiter.take(str(key)) == 0 for key in range(10))
    assert limiter.take("one more") == pytest.approx(2)
    assert limiter.take("0") > 0  # still remembered
    clock.now += 3
    assert limiter.take("one more") == 0
    assert len(limiter) == 10


TRUSTED = (ip_network("10.0.0.0/8"), ip_network("::1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("10.0.0.1", '"[2001:db8::1]:4711"', "2001:db8::1"),
        ("::1", "2001:db8::1%eth0", "2001:db8::1"),
        ("::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "6.6.6.6, nonsense, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("", "198.51.100.1", ""),
    ],
)
def test_only_trusted_proxies_are_believed(peer: str, forwarded: str, address: str) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode())]
    assert client_of(peer, headers, TRUSTED) == Caller(address, False)
    assert client_of(peer, headers, ()).address == peer


def test_several_headers_are_one_and_https_is_what_the_proxy_says() -> None:
    headers = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"198.51.100.1")]
    assert client_of("10.0.0.1", headers, TRUSTED).address == "198.51.100.1"
    headers = [(b"x-forwarded-proto", b"http, HTTPS")]
    assert client_of("10.0.0.1", headers, TRUSTED).https
    assert not client_of("203.0.113.9", headers, TRUSTED).https
    assert client_of("203.0.113.9", [], TRUSTED, https=True).https
    assert not client_of("10.0.0.1", [(b"x-forwarded-proto", b"http")], TRUSTED, https=True).https


def test_keys_of_addresses() -> None:
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff:1") == "2001:db8::/64"
    assert address_key("2001:db8:0:1::1") != address_key("2001:db8::1")
    assert address_key("::ffff:192.0.2.1") == "192.0.2.1"
    assert address_key("") == address_key("nonsense") == "unknown"
    assert Caller("192.0.2.1", False).key == "192.0.2.1"
    assert Caller("2001:db8:1:2:3::4", False).network == "2001:db8:1::/48"


@given(st.text(max_size=60), st.lists(st.binary(max_size=60), max_size=4))
def test_whatever_a_header_holds_is_no_failure(peer: str, values: list[bytes]) -> None:
    headers = [(b"x-forwarded-for", value) for value in values]
    headers += [(b"x-forwarded-proto", value) for value in values]
    for address in (peer, "10.0.0.1"):
        assert client_of(address, headers, TRUSTED).key


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
        # Requests and sockets give theirs back as well.
        for _ in range(5 * MOST):
            assert httpx.get(f"{server.url}/livez").status_code == 200
        for _ in range(3 * MOST):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as one:
                head = b"GET /ws/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                head += b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                one.sendall(head + b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n")
                assert one.recv(100).startswith(b"HTTP/1.1 101")
        assert httpx.get(f"{server.url}/livez").status_code == 200


async def test_who_is_shut_out_begins_nothing() -> None:
    in_flight = InFlight()
    async with in_flight.shut("ali"):
        with pytest.raises(OkeyError) as refused, in_flight.begun("ali"):
            raise AssertionError("begun")
        assert refused.value.code == "accounts-busy"
        with in_flight.begun("veli"):
            pass
        async with in_flight.shut("ali"):
            pass
        with pytest.raises(OkeyError), in_flight.begun("ali"):
            raise AssertionError("begun")
    with in_flight.begun("ali"), in_flight.begun("ali"):
        pass


async def test_what_was_begun_is_over_first() -> None:
    in_flight = InFlight()
    told: list[str] = []
    go = asyncio.Event()

    async def does(name: str) -> None:
        with in_flight.begun("ali"):
            await go.wait()
            told.append(name)

    async def shuts() -> None:
        async with in_flight.shut("ali"):
            told.append("shut")

    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        group.create_task(does("one"))
        group.create_task(does("two"))
        await asyncio.sleep(0)
        for _ in range(2):
            group.create_task(shuts())
        await asyncio.sleep(0)
        with pytest.raises(OkeyError), in_flight.begun("ali"):
            raise AssertionError("begun")
        go.set()
    assert told == ["one", "two", "shut", "shut"]
