"""Messages to browsers whose page is closed: Web Push, as RFC 8030, 8188, 8291 and 8292 have it.

A browser names the address at its maker's push service where it is reached. So it is the browser's
word that this server connects to: only names of a list count, only public addresses are connected
to, by the very address that was looked at, and what is answered leads nowhere.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import re
import secrets
import socket
import ssl
import time
from collections.abc import Collection
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from okey101.server.errors import refuse
from okey101.server.ops.logs import logger

HOSTS: Final = (
    "fcm.googleapis.com", "push.services.mozilla.com", "notify.windows.com", "push.apple.com",
)  # fmt: skip
"""The push services of Chrome, Firefox, Edge and Safari; what is below these names counts too."""
_ENDPOINT: Final = re.compile(
    r"https://((?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})(?::443)?(/[\w\-.~!$&'()*+,;=:@%/?]{0,1000})",
    re.ASCII,
)
_PORT: Final = 443
_CURVE: Final = ec.SECP256R1()
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_POINT_BYTES, _SECRET_BYTES = 65, 16
_LASTS_S: Final = 900
"""How long a push service keeps a message for a browser that it can't reach."""
_TOKEN_LASTS_S: Final = 12 * 3600
_PATIENCE_S: Final = 10.0
"""How long one try may take from the name on."""
_PAUSES_S: Final = (0.0, 5.0, 30.0)
"""How long to wait before each try."""
_MOST_ADDRESSES: Final = 3
_MOST_AT_ONCE: Final = 8
_MOST_ANSWER: Final = 4096
_RECORD: Final = 4096
_GONE: Final = frozenset({404, 410})
_ANSWER: Final = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
_SIZE: Final = 512
"""Texts are made so long: what is sent tells nothing of the name within."""
_GLOBAL: Final = IPv6Network("2000::/3")
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""Where addresses of the fourth version are seen from a network that has only the sixth."""

_log = logger(__name__)


class Device(NamedTuple):
    """A browser that takes messages: where, and what they are enciphered with."""

    endpoint: str
    key: str
    secret: str
    """Both as the browser writes them: base64url, the key an uncompressed point."""

    def __repr__(self) -> str:
        return "<Device>"


def is_public(text: str) -> bool:
    """Whether an address is one of the public network.

    >>> [is_public(one) for one in ("142.250.1.1", "2a00:1450::1", "64:ff9b::8efa:101")]
    [True, True, True]
    >>> [is_public(one) for one in ("127.0.0.1", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1")]
    [False, False, False, False]
    """
    address: IPv4Address | IPv6Address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address in _TRANSLATED:
            address = IPv4Address(address.packed[-4:])
        elif address not in _GLOBAL or address.sixtofour or address.teredo:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def encrypted(
    text: bytes, device: Device,
    own: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None,
) -> bytes:  # fmt: skip
    """A message as one browser alone can read it, as ``aes128gcm`` in one record (RFC 8291).

    ``own`` and ``salt`` are drawn unless they are given. ValueError for a key that is none.
    """
    own, salt = own or ec.generate_private_key(_CURVE), salt or secrets.token_bytes(16)
    theirs = _unwritten(device.key)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, theirs))
    ours = _point(own)
    mixed = _derived(shared, _unwritten(device.secret), b"WebPush: info\0" + theirs + ours, 32)
    key = _derived(mixed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(mixed, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, text + b"\2", None)


class PushService:
    """Sends messages by the push services of a list, as one server that they know by its key."""

    def __init__(self, key: bytes, hosts: Collection[str] = (), url: str | None = None) -> None:
        """``hosts`` are more than :data:`HOSTS`; at the server's ``url`` its operator is found."""
        number = int.from_bytes(key, "big") % (_ORDER - 1) + 1
        self._key = ec.derive_private_key(number, _CURVE)
        self._hosts = (*HOSTS, *hosts)
        self._contact = url if url and url.startswith("https:") else None
        self._room = asyncio.Semaphore(_MOST_AT_ONCE)
        self.public_key = _written(_point(self._key))
        """What a browser is told, in base64url: it takes messages of this key alone."""

    def require(self, device: Device) -> None:
        """OkeyError ``bad-push`` for a browser at no service of the list, or with no sound key."""
        try:
            lengths = [len(_unwritten(text)) for text in (device.key, device.secret)]
            encrypted(b"", device)
        except ValueError:
            lengths = []
        if lengths != [_POINT_BYTES, _SECRET_BYTES] or not self._place(device.endpoint):
            refuse("bad-push")

    async def deliver(self, device: Device, told: dict[str, str]) -> bool:
        """Send a message, a few times where the service is out of order; False where the browser
        takes none any more.
        """
        host, path = self._place(device.endpoint) or ("", "")
        status = 0
        for pause in _PAUSES_S if host else ():
            await asyncio.sleep(pause)
            async with self._room:
                request = await asyncio.to_thread(self._request, host, path, device, told)
                status = await self._asked(host, request)
            if 200 <= status < 500 and status != 429:
                break
        if not 200 <= status < 300 and status not in _GONE:
            _log.warning("push-refused", host=host, status=status)
        return status not in _GONE

    def _place(self, endpoint: str) -> tuple[str, str] | None:
        """The host and the path of an address; None for one that is not of the list."""
        found = _ENDPOINT.fullmatch(endpoint)
        if found is None:
            return None
        known = any(found[1] == host or found[1].endswith(f".{host}") for host in self._hosts)
        return (found[1], found[2]) if known else None

    def _request(self, host: str, path: str, device: Device, told: dict[str, str]) -> bytes:
        text = json.dumps(told, ensure_ascii=False).encode().ljust(_SIZE)
        body = encrypted(text, device)
        token = self._token(f"https://{host}", time.time())
        lines = (
            f"POST {path} HTTP/1.1", f"Host: {host}", f"TTL: {_LASTS_S}", "Urgency: high",
            f"Authorization: vapid t={token}, k={self.public_key}",
            "Content-Type: application/octet-stream", "Content-Encoding: aes128gcm",
            f"Content-Length: {len(body)}", "Connection: close", "", "",
        )  # fmt: skip
        return "\r\n".join(lines).encode() + body

    def _token(self, origin: str, now: float) -> str:
        """What proves whose message it is, to one service and for some hours (RFC 8292)."""
        claims = {"aud": origin, "exp": round(now) + _TOKEN_LASTS_S}
        if self._contact is not None:
            claims["sub"] = self._contact
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        text = ".".join(_written(json.dumps(part).encode()) for part in parts)
        signed = self._key.sign(text.encode(), ec.ECDSA(hashes.SHA256()))
        numbers = (number.to_bytes(32, "big") for number in decode_dss_signature(signed))
        return f"{text}.{_written(b''.join(numbers))}"

    async def _asked(self, host: str, request: bytes) -> int:
        """The status of the answer; 0 for none."""
        with contextlib.suppress(OSError, ValueError):
            async with asyncio.timeout(_PATIENCE_S):
                for address in filter(is_public, await _addresses(host)):
                    with contextlib.suppress(OSError):
                        return await self._asked_at(address, host, request)
        return 0

    async def _asked_at(self, address: str, host: str, request: bytes) -> int:
        reader, writer = await asyncio.open_connection(
            address, _PORT, ssl=self._context, server_hostname=host, limit=_MOST_ANSWER
        )
        try:
            writer.write(request)
            found = _ANSWER.match(await reader.readline())
            return 0 if found is None else int(found[1])
        finally:
            writer.transport.abort()

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return ssl.create_default_context()


async def _addresses(host: str) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, _PORT, type=socket.SOCK_STREAM)
    return [*dict.fromkeys(str(place[0]) for *_, place in found)][:_MOST_ADDRESSES]


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(key: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    return HKDF(hashes.SHA256(), size, salt, info).derive(key)


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _unwritten(text: str) -> bytes:
    """What base64url stands for; ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
