"""Browsers from which an account was signed in to before: they keep an allowance of their own.

Whoever tries passwords from many addresses uses up what everybody has to try them for an account;
the browsers its owner has used before are not concerned.
"""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256
from typing import Any, Final

from litestar import Request
from litestar.datastructures import Cookie

from okey101.server.accounts.names import name_key
from okey101.server.hub import Hub
from okey101.server.web.auth import client_from, limit, session_cookie

__all__ = ["allow_login", "device_cookie", "device_of"]

_SUFFIX: Final = "-device"
_AGE_S: Final = 365 * 24 * 3600
_MOST_ACCOUNTS: Final = 4
_VALUE: Final = re.compile(r"([0-9a-f]{32})((?:\.[0-9a-f]{64}){1,4})", re.ASCII)

_Request = Request[Any, Any, Any]


def device_of(request: _Request, hub: Hub, name: str) -> str | None:
    """The id of a browser from which the account of this name was signed in to before."""
    device, marks = _shown(request, hub)
    wanted = _mark(hub, device, name)
    return device if any(hmac.compare_digest(mark, wanted) for mark in marks) else None


def device_cookie(request: _Request, hub: Hub, name: str) -> Cookie:
    """The cookie by which this browser is known again; it opens nothing."""
    device, marks = _shown(request, hub)
    mark = _mark(hub, device, name)
    kept = [mark, *(other for other in marks if other != mark)][:_MOST_ACCOUNTS]
    cookie = session_cookie(request, hub, ".".join((device, *kept)))
    cookie.key, cookie.max_age, cookie.path = _cookie_name(request, hub), _AGE_S, "/"
    return cookie


def allow_login(request: _Request, hub: Hub, name: str) -> bool:
    """Take from the allowances that a try of a password costs; whether the device is known.

    A known device has its own. All others share what an account has, and what their address and
    their network have. OkeyError ``rate-limited``.
    """
    allowances = hub.allowances
    device = device_of(request, hub, name)
    if device is not None:
        limit(allowances.known_logins, f"{device} {name_key(name[:200])}")
        return True
    client = client_from(request, hub)
    limit(allowances.logins, client.key)
    limit(allowances.network_logins, client.network)
    limit(allowances.account_logins, name_key(name[:200]))
    return False


def _shown(request: _Request, hub: Hub) -> tuple[str, list[str]]:
    """The id that a browser shows, or a new one, and its marks of accounts, the latest first."""
    found = _VALUE.fullmatch(request.cookies.get(_cookie_name(request, hub), ""))
    if found is None:
        return secrets.token_hex(16), []
    return found[1], found[2].split(".")[1:]


def _cookie_name(request: _Request, hub: Hub) -> str:
    return session_cookie(request, hub, "").key + _SUFFIX


def _mark(hub: Hub, device: str, name: str) -> str:
    text = f"{device} {name_key(name[:200])}".encode("utf-8", "surrogatepass")
    return hmac.new(hub.device_key, text, sha256).hexdigest()
