"""What browsers are told while their page is closed, up to the push service."""

import asyncio
import contextlib
import ssl
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from conftest import Patch, raises_code, soon
from okey101.server.net import web_push
from okey101.server.net.web_push import Device, PushService, encrypted, is_public
from server.push_service import HOST, Browser, FakeService, fake_service, unwritten, written

TOLD = {"text": "Hatice sizi bekliyor", "language": "tr", "link": "abc"}


def test_the_example_of_rfc_8291_comes_out_byte_for_byte() -> None:
    """Its appendix A: the keys, the salt, the text, and the body that they give."""
    browser = Device(
        "",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    own = unwritten("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    key = ec.derive_private_key(int.from_bytes(own, "big"), ec.SECP256R1())
    salt = unwritten("DGv6ra1nlYgDCS1FRnbzlw")
    text = b"When I grow up, I want to be a watermelon"
    assert written(encrypted(text, browser, key, salt)) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert encrypted(text, browser) != encrypted(text, browser)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1",
        "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::7f00:1", "64:ff9b::7f00:1",
        "64:ff9b:1::a00:1", "2002:7f00:1::", "2001:0:1::1", "2001:db8::1", "fc00::1", "fd12::1",
        "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
    ],
)  # fmt: skip
def test_no_address_within_a_network_is_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/a", "https://fcm.googleapis.com:8443/a",
        "https://fcm.googleapis.com", "https://fcm.googleapis.com@127.0.0.1/a",
        "https://a:b@fcm.googleapis.com/a", "https://fcm.googleapis.com.evil.example/a",
        "https://evilfcm.googleapis.com/a", "https://xpush.apple.com/a", "https://127.0.0.1/a",
        "https://[::1]/a", "https://localhost/a", "https://2130706433/a", "https://0x7f.1/a",
        "https://fcm.googleapis.com/a#b", "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\r\nX: y", "https://fcm.googleapis.com\\@evil.example/a",
        "https://FCM.googleapis.com/a", "https://fcm.googleapis.com./a", "https://.push.apple.com/a",
        "https://fcm.googleapis.com/\u0131", "file:///etc/passwd", "", "https://push.example/a",
        " https://fcm.googleapis.com/a", "https://fcm.googleapis.com/" + "a" * 1001,
    ],
)  # fmt: skip
def test_only_the_services_of_the_list_are_reached(endpoint: str) -> None:
    browser = Browser("a").device
    with raises_code("bad-push"):
        PushService(b"k" * 32).require(browser._replace(endpoint=endpoint))


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/a:b_c-d",
        "https://fcm.googleapis.com:443/wp/a",
        "https://updates.push.services.mozilla.com/wpush/v2/a=",
        "https://wns2-par02p.notify.windows.com/w/?token=a%2fb",
        "https://web.push.apple.com/a",
        "https://push.lan.example/a",
        "https://eu.push.lan.example/a",
    ],
)
def test_the_services_of_the_common_browsers_are_known_and_more_by_a_setting(endpoint: str) -> None:
    browser = Browser("a").device
    PushService(b"k" * 32, ["push.lan.example"]).require(browser._replace(endpoint=endpoint))


def test_a_key_that_is_none_is_refused() -> None:
    service, browser = PushService(b"k" * 32, [HOST]), Browser("a").device
    service.require(browser)
    short = written(unwritten(browser.key)[:-1])
    beside = written(b"\4" + b"\1" * 64)  # no point of the curve
    for wrong in (
        browser._replace(key=short), browser._replace(key=beside), browser._replace(key="?"),
        browser._replace(key=""), browser._replace(secret="abc"), browser._replace(secret="ş"),
    ):  # fmt: skip
        with raises_code("bad-push"):
            service.require(wrong)


def test_a_server_has_one_key_as_long_as_its_file() -> None:
    first, again, other = (PushService(key) for key in (b"a" * 32, b"a" * 32, b"b" * 32))
    assert first.public_key == again.public_key != other.public_key
    for key in (b"\0" * 32, b"\xff" * 32):  # any 32 bytes do
        assert len(unwritten(PushService(key).public_key)) == 65


@pytest.fixture
def fake(tmp_path: Path) -> AbstractAsyncContextManager[FakeService]:
    return fake_service(tmp_path)


def reaching(fake: FakeService, patch: Patch, *addresses: str) -> PushService:
    found = AsyncMock(return_value=[*addresses] or ["127.0.0.1"])
    patch.setattr(web_push, "_addresses", found)
    patch.setattr(web_push, "_PORT", fake.port)
    patch.setattr(web_push, "_PAUSES_S", (0.0, 0.0, 0.0))
    if not addresses:
        patch.setattr(web_push, "is_public", lambda _: True)
    made = PushService(b"k" * 32, [HOST], "https://okey.example")
    vars(made)["_context"] = ssl.create_default_context(cafile=str(fake.certificate))
    return made


async def test_a_message_comes_whole_and_only_its_browser_reads_it(
    fake: FakeService, monkeypatch: Patch
) -> None:
    service, browser = reaching(fake, monkeypatch), Browser("ayse")
    assert await service.deliver(browser.device, TOLD)
    (sent,) = fake.sent
    assert sent.path == browser.path
    assert browser.read(sent.body) == TOLD
    assert b"Hatice" not in sent.body
    wanted = {"host": HOST, "ttl": "900", "content-encoding": "aes128gcm"}
    assert sent.headers.items() >= wanted.items()
    claims = sent.claims()
    assert (claims["aud"], claims["sub"]) == (f"https://{HOST}", "https://okey.example")
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600
    # Of whatever length the name is, what is sent is as long.
    await service.deliver(browser.device, TOLD | {"text": "Ali sizi bekliyor"})
    assert len(fake.sent[1].body) == len(sent.body)


@pytest.mark.parametrize(
    ("answer", "tries"),
    [
        (b"HTTP/1.1 404 Gone\r\n\r\n", 1), (b"HTTP/1.1 410 Gone\r\n\r\n", 1),
        (b"HTTP/1.1 301 Moved\r\nLocation: https://127.0.0.1/\r\n\r\n", 1),
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", 1), (b"HTTP/1.1 429 Slowly\r\n\r\n", 3),
        (b"HTTP/1.1 503 Busy\r\n\r\n", 3), (b"HTTP/1.1 100 Go on\r\n\r\n", 3),
        (b"x" * 100_000, 3), (b"", 3), (b"nonsense\r\n\r\n", 3),
    ],
)  # fmt: skip
async def test_tries_are_few_and_no_answer_leads_elsewhere(
    fake: FakeService, monkeypatch: Patch, answer: bytes, tries: int
) -> None:
    """And whether the browser is there still, which only two of them deny."""
    fake.answers += [answer] * 9
    there = await reaching(fake, monkeypatch).deliver(Browser("a").device, TOLD)
    assert there is (b"Gone" not in answer)
    assert len(fake.sent) == tries


async def test_a_service_that_comes_back_gets_the_message(
    fake: FakeService, monkeypatch: Patch
) -> None:
    fake.answers.append(b"HTTP/1.1 500 Oh\r\n\r\n")
    browser = Browser("a")
    assert await reaching(fake, monkeypatch).deliver(browser.device, TOLD)
    assert [browser.read(sent.body) for sent in fake.sent] == [TOLD, TOLD]


async def test_a_name_that_leads_into_the_network_is_not_followed(
    fake: FakeService, monkeypatch: Patch
) -> None:
    """The address that was looked at is the one that is connected to: no second look-up."""
    for inside in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"):
        service = reaching(fake, monkeypatch, inside)
        assert await service.deliver(Browser("a").device, TOLD)
    assert fake.sent == []


async def test_a_certificate_of_another_name_is_not_believed(
    fake: FakeService, monkeypatch: Patch
) -> None:
    service = reaching(fake, monkeypatch)
    await service.deliver(Browser("a", f"x.{HOST}").device, TOLD)
    vars(service).pop("_context")  # nor one that nobody known has signed
    await service.deliver(Browser("a").device, TOLD)
    assert fake.sent == []


async def test_a_service_that_never_answers_is_given_up(
    fake: FakeService, monkeypatch: Patch
) -> None:
    held = set[asyncio.StreamWriter]()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.add(writer)
        with contextlib.suppress(OSError):
            await reader.read()
            writer.close()
            await writer.wait_closed()
        held.discard(writer)

    service = reaching(fake, monkeypatch)
    monkeypatch.setattr(web_push, "_PATIENCE_S", 0.05)
    async with await asyncio.start_server(silent, "127.0.0.1") as listening:
        monkeypatch.setattr(web_push, "_PORT", listening.sockets[0].getsockname()[1])
        assert await service.deliver(Browser("a").device, TOLD)
    await soon(lambda: not held)
