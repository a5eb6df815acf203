"""A push service of this machine, and a browser that takes messages by it and reads them."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import datetime as dt
import json
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import NameOID

from conftest import soon
from okey101.server.net.web_push import Device

HOST = "push.example.com"
CURVE = ec.SECP256R1()


def written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unwritten(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "==")


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    kinds = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(*kinds)


class Browser:
    """Takes messages at an address, and reads what was enciphered for it."""

    def __init__(self, name: str, host: str = HOST) -> None:
        self._key = ec.generate_private_key(CURVE)
        self._secret = name.encode().ljust(16, b".")[:16]
        self.path = f"/send/{name}"
        key = written(point(self._key.public_key()))
        self.device = Device(f"https://{host}{self.path}", key, written(self._secret))

    def body(self, quiet: tuple[int, int] = (0, 0), zone: str = "Europe/Istanbul") -> Any:
        """What the page sends to be told here."""
        endpoint, key, secret = self.device
        return {
            "endpoint": endpoint, "p256dh": key, "auth": secret, "zone": zone,
            "quiet_from": quiet[0], "quiet_to": quiet[1],
        }  # fmt: skip

    def read(self, body: bytes) -> Any:
        salt, size = body[:16], body[20]
        sender, text = body[21 : 21 + size], body[21 + size :]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        shared = self._key.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + point(self._key.public_key()) + sender
        mixed = HKDF(hashes.SHA256(), 32, self._secret, info).derive(shared)
        key, nonce = (
            HKDF(hashes.SHA256(), length, salt, b"Content-Encoding: %s\0" % what).derive(mixed)
            for length, what in ((16, b"aes128gcm"), (12, b"nonce"))
        )
        whole = AESGCM(key).decrypt(nonce, text, None)
        assert whole.endswith(b"\2")
        return json.loads(whole[:-1])


@dataclass
class Sent:
    """A message that has come: its headers in small letters, and its body."""

    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self) -> Any:
        """What is claimed by who sends it, whose signature is that of the key that is shown."""
        token, key = self.headers["authorization"].removeprefix("vapid t=").split(", k=")
        head, claims, signed = token.split(".")
        numbers = unwritten(signed)
        first, second = int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big")
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unwritten(key)).verify(
            encode_dss_signature(first, second), f"{head}.{claims}".encode(),
            ec.ECDSA(hashes.SHA256()),
        )  # fmt: skip
        assert json.loads(unwritten(head)) == {"typ": "JWT", "alg": "ES256"}
        return json.loads(unwritten(claims))


@dataclass
class FakeService:
    """What has come, and what is answered: 201, unless something else is in line."""

    sent: list[Sent] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)
    port: int = 0
    certificate: Path = Path()
    open: set[asyncio.StreamWriter] = field(default_factory=set)
    """Connections that the other side has not closed yet."""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        method, path, _ = first.split(" ")
        assert method == "POST"
        headers = {name.casefold(): value for name, value in (one.split(": ") for one in lines)}
        body = await reader.readexactly(int(headers["content-length"]))
        self.sent.append(Sent(path, headers, body))
        said = self.answers.pop(0) if self.answers else b"HTTP/1.1 201 Created\r\n\r\n"
        writer.write(said)
        writer.close()
        self.open.add(writer)
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        self.open.discard(writer)


def certified(folder: Path) -> Path:
    """A certificate of the service's name, with its key, in a file."""
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    today = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - dt.timedelta(1))
        .not_valid_after(today + dt.timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "push.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )  # fmt: skip
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return path


@asynccontextmanager
async def fake_service(folder: Path) -> AsyncGenerator[FakeService]:
    """A push service that listens on this machine."""
    service = FakeService(certificate=certified(folder))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(service.certificate)
    listening = await asyncio.start_server(service.answer, "127.0.0.1", ssl=context)
    async with listening:
        service.port = listening.sockets[0].getsockname()[1]
        yield service
    await soon(lambda: not service.open)
