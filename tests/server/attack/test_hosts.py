"""Names that somebody else has lead to this machine are none of ours (DNS rebinding)."""

from __future__ import annotations

import json
import socket

import httpx
import pytest

from okey101.server.settings import load_settings
from okey101.server.web.gate import host_is_ours
from server.attack.raw import Raw
from server.live import LiveServer

OTHERS = (
    "evil.example", "evil.example:8101", "127.0.0.1.evil.example", "localhost.evil.example",
    "evil.local.example", "x.evil.example", "[::1", "evil", "2130706433", "127.1", "0x7f000001",
)  # fmt: skip
"""Names; numbers that are no address in full are resolved like names."""


async def test_a_page_that_has_its_name_lead_here_gets_nothing(
    server: LiveServer, http: httpx.AsyncClient
) -> None:
    """It would be of our origin: its guests, its sockets, and whatever may be read."""
    for host in OTHERS:
        headers = {"Host": host, "Origin": f"http://{host}"}
        for method, path in (
            ("POST", "/api/guests"), ("GET", "/api/tables"), ("GET", "/"),
            ("GET", "/metrics"), ("GET", "/nothing"),
        ):  # fmt: skip
            answer = await http.request(method, path, json={"name": "Ada"}, headers=headers)
            assert answer.status_code == 421, (host, path, answer.text)
            error = answer.json()["error"]
            assert (error["code"], error["details"]) == ("unknown-host", {"host": host})
            assert answer.headers["x-frame-options"] == "DENY"
        assert (await http.get("/livez", headers=headers)).status_code == 200
    for host in OTHERS:
        async with await Raw.open(server) as raw:
            headers = {"Host": host, "Origin": f"http://{host}"}
            upgraded = await raw.upgrade("/ws/x", headers)
            assert upgraded.status == 421
            assert json.loads(upgraded.body)["error"]["code"] == "unknown-host"


async def test_the_machine_s_own_names_and_addresses_are_let_in(server: LiveServer) -> None:
    name = socket.gethostname().partition(".")[0]
    hosts = (
        "localhost", "localhost:8101", "okey.localhost", "192.0.2.7:8101", "127.0.0.1", "[::1]:80",
        "[2001:db8::7]", name, f"{name.upper()}.local:8101", f"{name}.lan.", "x", "X:8101",
    )  # fmt: skip

    async with server.http() as http:
        for host in hosts:
            headers = {"Host": host, "Origin": f"http://{host}"}
            made = await http.post("/api/guests", json={"name": "Ada"}, headers=headers)
            assert made.status_code == 201, (host, made.text)
            async with await Raw.open(server) as raw:
                assert (await raw.upgrade("/ws/x", headers)).status == 101, host
    async with await Raw.open(server) as raw:  # programs of old send none, browsers always do
        assert (await raw.request("GET /version HTTP/1.0")).status == 200


@pytest.mark.parametrize(
    ("host", "ours"),
    [("okey.lan", True), ("OKEY.LAN:81", True), ("okey.lan.", True), ("masa.lan", False),
     ("ev.okey.lan", False), ("okey.home", True), ("", True), (":81", False)],
)  # fmt: skip
def test_names_that_the_settings_allow(host: str, ours: bool) -> None:
    settings = load_settings({"allowed_hosts": ("okey.lan",), "host": "okey.home"})
    assert host_is_ours(host, settings) is ours
