"""The proxies of hosting.md, run as they are written there, with a certificate of their own."""

import asyncio
import json
import os
import re
import resource
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from conftest import missing, ran
from server.live import PATIENCE_S, LiveServer

ROOT = Path(__file__).resolve().parents[3]
FETCHED = ROOT / ".venv" / "proxies" / "usr"
NAME = "okey.example"
SPELLINGS = (
    "/metrics", "/metrics/", "/metrics?a=1", "/metrics%2f", "/%6detrics", "/metrics%20",
    "/metrics;a=1", "/METRICS", "//metrics", "/./metrics", "/rules/../metrics",
    "/metrics/../metrics", f"https://{NAME}/metrics",
)  # fmt: skip


def documented(language: str, proxy: str) -> str:
    """The settings of a proxy as the page has them."""
    text = (ROOT / "docs" / language / "hosting.md").read_text("utf-8")
    found = re.search(rf"^{proxy}[^\n]*:\n\n((?:    .*\n|\n)+)", text, re.MULTILINE)
    assert found, (language, proxy)
    return re.sub(r"^    ", "", found[1], flags=re.MULTILINE).strip() + "\n"


def told(pattern: str) -> str:
    """A line that the page has to have elsewhere."""
    found = re.search(pattern, (ROOT / "docs" / "en" / "hosting.md").read_text("utf-8"))
    assert found, pattern
    return found[0]


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]


def program(name: str) -> str:
    """Where a proxy is; without it its tests are skipped, but fail where CI is set."""
    places = (shutil.which(name), *(str(FETCHED / place / name) for place in ("sbin", "bin")))
    found = next((place for place in places if place and Path(place).exists()), None)
    if found is None:
        missing(
            f"{name.upper()} IS MISSING: the settings of hosting.md were not tried; make proxies"
        )
    return found


def certificate(folder: Path) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        missing("OPENSSL IS MISSING: the settings of hosting.md were not tried")
    chain, key = folder / "fullchain.pem", folder / "privkey.pem"
    names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names)
    ran(*command, "-keyout", key, "-out", chain)
    return chain, key


def nginx(folder: Path, behind: int, plain: int, tls: int) -> list[str]:
    """The command that runs nginx with the page's settings."""
    chain, key = certificate(folder)
    (folder / "html").mkdir()
    size, most = "    client_max_body_size", told("limit_conn okey101 256;")
    site = replaced(
        documented("en", "nginx"),
        ("    listen [::]:80;\n", ""), ("    listen [::]:443 ssl;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{tls} ssl;"),
        ("/etc/letsencrypt/live/okey.example/fullchain.pem", str(chain)),
        ("/etc/letsencrypt/live/okey.example/privkey.pem", str(key)),
        ("/var/www/html", str(folder / "html")),
        ("http://127.0.0.1:8101", f"http://127.0.0.1:{behind}"),
        (size, f"    {most}\n{size}"),
    )  # fmt: skip
    files = told(r"worker_rlimit_nofile 40000;")
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 40_000 and os.geteuid() != 0:
        files = ""  # only root may raise it
    temporary = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}{files}\ndaemon off;\npid {folder / 'pid'};\nerror_log stderr;\n"
        f"events {{ {told('worker_connections 20000;')} }}\n"
        f"http {{\naccess_log off;\n{temporary}{told('limit_conn_zone .*;')}\n{site}}}\n"
    )
    return [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, behind: int, plain: int, tls: int) -> list[str]:
    """The command that runs Caddy with the page's settings; it would fetch a certificate."""
    chain, key = certificate(folder)
    site = replaced(
        documented("en", "Caddy"),
        (f"{NAME} {{\n", f"{NAME} {{\n    bind 127.0.0.1\n    tls {chain} {key}\n"),
        ("127.0.0.1:8101", f"127.0.0.1:{behind}"),
    )
    common = f"admin off\nhttp_port {plain}\nhttps_port {tls}\n"
    (folder / "Caddyfile").write_text(f"{{\n{common}}}\n{site}")
    return [program("caddy"), "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]


@dataclass(frozen=True)
class Proxy:
    """A proxy that runs, and the server behind it."""

    server: LiveServer
    plain: int
    tls: int
    trust: ssl.SSLContext

    def http(self, source: str = "127.0.0.1") -> httpx.Client:
        """A client that comes from an address of this machine."""
        road = httpx.HTTPTransport(verify=self.trust, local_address=source)
        return httpx.Client(
            base_url=f"https://{NAME}:{self.tls}",
            transport=_Here(road), timeout=PATIENCE_S, headers={"Host": NAME},
        )  # fmt: skip


class _Here(httpx.BaseTransport):
    """Finds the name on this machine, whatever the network says."""

    def __init__(self, road: httpx.HTTPTransport) -> None:
        self._road = road

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.url = request.url.copy_with(host="127.0.0.1")
        request.extensions["sni_hostname"] = NAME
        return self._road.handle_request(request)

    def close(self) -> None:
        self._road.close()


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    """A server with the settings that the page asks for behind a proxy."""
    text = (ROOT / "docs" / "en" / "hosting.md").read_text("utf-8")
    public = re.search(r"^    OKEY101_PUBLIC_URL=(\S+)$", text, re.MULTILINE)
    trusted = re.search(r"^    OKEY101_TRUSTED_PROXIES=(\S+)$", text, re.MULTILINE)
    assert public
    assert trusted
    live = LiveServer(public_url=public[1], trusted_proxies=trusted[1])
    port = live.port = free_ports(1)[0]
    with live as running:
        assert running.url == public[1]  # what it announces: nobody finds it there in a test
        running.port, running.url = port, f"http://127.0.0.1:{port}"
        yield running


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, server: LiveServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    make: Callable[[Path, int, int, int], list[str]] = request.param
    folder = tmp_path_factory.mktemp("proxy")
    plain, tls = free_ports(2)
    command = make(folder, server.port, plain, tls)
    trust = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    said = folder / "said"
    with (
        said.open("wb") as out,
        subprocess.Popen(command, stdout=out, stderr=out, env=os.environ | home) as process,
    ):
        try:
            deadline = time.monotonic() + PATIENCE_S
            while not listens(tls):
                assert process.poll() is None, said.read_text()
                assert time.monotonic() < deadline, said.read_text()
                time.sleep(0.05)
            yield Proxy(server, plain, tls, trust)
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def asked(proxy: Proxy, target: str) -> bytes:
    """The whole answer to a request whose target no client has tidied up."""
    with (
        socket.create_connection(("127.0.0.1", proxy.tls), timeout=PATIENCE_S) as plain,
        proxy.trust.wrap_socket(plain, server_hostname=NAME) as one,
    ):
        one.sendall(f"GET {target} HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n".encode())
        parts: list[bytes] = []
        while part := one.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def test_no_spelling_of_metrics_shows_figures_through_the_proxy(proxy: Proxy) -> None:
    direct = httpx.get(f"{proxy.server.url}/metrics")
    assert direct.is_success
    assert b"okey101_build" in direct.content
    for target in SPELLINGS:
        answer = asked(proxy, target)
        assert answer.startswith(b"HTTP/1.1 "), target
        assert b"okey101_" not in answer, (target, answer[:200])
    assert asked(proxy, "/livez").endswith(b"ok\n")


async def test_a_web_socket_works_through_the_proxy(proxy: Proxy) -> None:
    with proxy.http() as http:
        came = http.post("/api/guests", json={"name": "Ece"}, headers={"Origin": f"https://{NAME}"})
        assert came.status_code == 201, came.text
        cookie = came.headers["set-cookie"].split(";")[0]
        assert cookie.startswith("__Host-")
        assert "secure" in came.headers["set-cookie"].lower()
        assert "max-age" in came.headers["strict-transport-security"]
        made = http.post("/api/play", json={"deals": 1}, headers={"Cookie": cookie})
        assert made.status_code == 201, made.text
    table = made.json()["table"]
    async with connect(
        f"wss://{NAME}/ws/{table}", host="127.0.0.1", port=proxy.tls, ssl=proxy.trust,
        proxy=None, origin=Origin(f"https://{NAME}"), additional_headers={"Cookie": cookie},
    ) as one:  # fmt: skip
        await one.send(json.dumps({"type": "hello"}))
        view = json.loads(await one.recv())
        assert (view["type"], view["table"]["id"]) == ("view", table)
        await one.send(json.dumps({"type": "ping", "n": 7}))
        async with asyncio.timeout(PATIENCE_S):
            while json.loads(await one.recv())["type"] != "pong":
                pass


def test_the_address_of_who_asks_comes_through_the_proxy(proxy: Proxy) -> None:
    """And what somebody writes into the header does not stand for it."""
    before = len(proxy.server.events)
    sources = [f"127.0.{proxy.tls % 200}.{n}" for n in (2, 3)]
    for source in sources:
        with proxy.http(source) as http:
            wrong = {"Authorization": "Bearer wrong", "X-Forwarded-For": "203.0.113.9"}
            assert http.get("/api/admin/tables", headers=wrong).status_code in (401, 403)
    told = proxy.server.events[before:]
    assert [e["address"] for e in told if e["event"] == "admin-refused"] == sources


def test_http_leads_to_https(proxy: Proxy) -> None:
    answer = httpx.get(
        f"http://127.0.0.1:{proxy.plain}/rules?x=1", headers={"Host": NAME}, follow_redirects=False
    )
    assert answer.status_code in (301, 308)
    assert re.fullmatch(rf"https://{NAME}(:{proxy.tls})?/rules\?x=1", answer.headers["location"])


@pytest.mark.parametrize("proxy_name", ["nginx", "Caddy"])
def test_both_languages_document_the_same_proxy(proxy_name: str) -> None:
    assert documented("tr", proxy_name) == documented("en", proxy_name)
