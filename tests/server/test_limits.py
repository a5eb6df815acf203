"""Limits: no more than the allowance at any time, bounded memory, and whose address counts."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okey101.server.net.limits import Bucket, Caller, Limiter, Quota, address_key, client_of


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


def test_what_costs_too_much_costs_all_there_is() -> None:
    clock = Clock()
    bucket = Bucket(1.0, 5, clock)
    assert bucket.take(50) == 0
    assert bucket.take(50) == pytest.approx(5)


@pytest.mark.parametrize(("rate", "burst"), [(0, 1), (1, 0), (-1, 1), (float("nan"), 1)])
def test_numbers_that_can_not_be(rate: float, burst: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        Limiter(rate, burst, clock=Clock())
    with pytest.raises(ValueError, match="keys"):
        Limiter(1, 1, clock=Clock(), keys=0)


STEPS = st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 4)), max_size=60)


@given(STEPS, st.floats(0.1, 10), st.integers(1, 10))
def test_never_more_than_burst_and_rate_allow(
    steps: list[tuple[float, float]], rate: float, burst: int
) -> None:
    clock = Clock()
    begin = clock.now
    bucket = Bucket(rate, burst, clock)
    taken = 0.0
    for pause, cost in steps:
        clock.now += pause
        cost = min(cost, burst)
        wait = bucket.take(cost)
        if wait == 0:
            taken += cost
        else:
            clock.now += wait * 1.000001
            assert bucket.take(cost) == 0  # waiting as long as told is enough
            taken += cost
        assert taken <= burst + (clock.now - begin) * rate + 1e-6


def test_keys_have_their_own_allowance() -> None:
    limiter = Limiter(1, 1, clock=Clock())
    assert limiter.take("a") == 0
    assert limiter.take("a") > 0
    assert limiter.take("b") == 0
    limiter.forget("a")
    limiter.forget("unknown")
    assert limiter.take("a") == 0


def test_play_goes_on_when_there_are_too_many_keys() -> None:
    limiter = Limiter(1, 1, clock=Clock(), keys=10)
    assert all(limiter.take(str(key)) == 0 for key in range(1000))
    assert len(limiter) == 10
    assert limiter.take("999") > 0
    assert limiter.take("0") == 0  # forgotten: the price of letting everybody play


def test_passwords_are_refused_when_there_are_too_many_keys() -> None:
    clock = Clock()
    limiter = Limiter(0.5, 1, clock=clock, keys=10, strict=True)
    assert all(limiter.take(str(key)) == 0 for key in range(10))
    wait = limiter.take("one more")
    assert wait == pytest.approx(2)
    assert limiter.take("0") > 0  # still remembered
    assert len(limiter) == 10
    clock.now += wait + 0.01
    assert limiter.take("one more") == 0
    assert len(limiter) == 10


def test_quota() -> None:
    quota = Quota(3, 2)
    assert [quota.enter(key) for key in "aaabb"] == [True, True, False, True, False]
    assert quota.taken == 3
    quota.leave("a")
    assert quota.enter("b")
    for key in "abb":
        quota.leave(key)
    assert quota.taken == 0
    with pytest.raises(KeyError):
        quota.leave("a")


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


def test_several_headers_are_one() -> None:
    headers = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"198.51.100.1")]
    assert client_of("10.0.0.1", headers, TRUSTED).address == "198.51.100.1"


def test_https_is_what_the_proxy_says() -> None:
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


@given(st.text(max_size=60), st.lists(st.binary(max_size=60), max_size=4))
def test_whatever_a_header_holds_is_no_failure(peer: str, values: list[bytes]) -> None:
    headers = [(b"x-forwarded-for", value) for value in values]
    headers += [(b"x-forwarded-proto", value) for value in values]
    for address in (peer, "10.0.0.1"):
        client = client_of(address, headers, TRUSTED)
        assert client.key
