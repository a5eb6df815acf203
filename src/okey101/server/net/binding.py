"""Where the server listens: the sockets, how many it may open, and the addresses for people."""

from __future__ import annotations

import errno
import socket
import sys
from dataclasses import dataclass
from typing import Final

from okey101.errors import OkeyError
from okey101.server.settings import Settings

BACKLOG: Final = 2_048
"""How many connections may wait to be taken."""
_ANYWHERE = ("0.0.0.0", "::")
_SPARE_FILES: Final = 256
"""Open files beside the WebSockets: HTTP connections, the store's files, a backup."""
KEPT_FILES: Final = 96
"""Of these, what no connection gets."""
_ABSENT = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


@dataclass(frozen=True, slots=True)
class Listening:
    """A server that takes connections: the address to open, and others that lead to it."""

    url: str
    others: tuple[str, ...]
    local: str
    """The address on this machine."""


def open_files(sockets: int) -> tuple[int, int]:
    """How many files that many WebSockets need, and how many may be open now.

    Raises the soft limit to the hard one where it is too low.
    """
    needed = sockets + _SPARE_FILES
    if sys.platform == "win32":  # which knows no such limit for sockets
        return needed, needed
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return needed, needed
    for wanted in (hard, needed):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue  # some systems allow less than their hard limit says
        return needed, needed if wanted == resource.RLIM_INFINITY else wanted
    return needed, soft


def bind(host: str, port: int) -> list[socket.socket]:
    """Take the addresses of a host; whoever connects now waits until the server is ready.

    Port 0 is any free one, the same for all. OkeyError ``bad-host`` where the host is not this
    machine, ``port-in-use`` or ``port-forbidden``.
    """
    kind, passive = socket.SOCK_STREAM, socket.AI_PASSIVE
    bad_host = OkeyError("bad-host", f"{host} is no address of this machine", host=host)
    try:
        found = socket.getaddrinfo(host, port, type=kind, flags=passive)
    except (OSError, UnicodeError):
        raise bad_host from None
    taken: list[socket.socket] = []
    try:
        for family, *_, address in dict.fromkeys(found):
            wanted = taken[0].getsockname()[1] if taken else port
            one = _bound(family, (address[0], wanted, *address[2:]), host, optional=bool(taken))
            if one is not None:
                taken.append(one)
        if not taken:
            raise bad_host
    except BaseException:
        for one in taken:
            one.close()
        raise
    return taken


def _bound(
    family: int, address: tuple[object, ...], host: str, *, optional: bool
) -> socket.socket | None:
    """A socket at an address; None if this machine lacks it, or a further one is in use."""
    both = host == "::" and family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    try:  # it listens as well: only then is it certain that nobody else has the port
        one = socket.create_server(address, family=family, backlog=BACKLOG, dualstack_ipv6=both)
    except OSError as error:
        if error.errno in _ABSENT or optional:
            return None
        raise port_refusal(error, int(str(address[1]))) from None
    one.setblocking(False)
    return one


def port_refusal(error: OSError, port: int) -> OkeyError:
    """What a failed attempt to listen means."""
    if error.errno == errno.EADDRINUSE:
        return OkeyError("port-in-use", f"port {port} is in use by another program", port=port)
    if error.errno in (errno.EACCES, errno.EPERM):
        message = f"port {port} may not be used: choose one from 1024 on"
        return OkeyError("port-forbidden", message, port=port)
    reason = error.strerror or type(error).__name__
    return OkeyError("port-failed", f"port {port}: {reason}", port=port, reason=reason)


def listening_at(settings: Settings, port: int) -> Listening:
    """The addresses of a server with these settings at a port."""
    host = settings.host
    local = _url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)
    urls = [] if settings.public_url is None else [settings.public_url]
    urls.append(local)
    if host in _ANYWHERE and (near := lan_address()):
        urls.append(_url(near, port))
    url, *others = dict.fromkeys(urls)
    return Listening(url, tuple(others), local)


def lan_address() -> str:
    """The address of this machine in its network, empty if it is in none; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for examples: only the route is looked up
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if address.startswith("127.") or address == "0.0.0.0" else address


def _url(host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}" if port != 80 else f"http://{name}"
