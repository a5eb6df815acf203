"""A family's table by push: from who sits down to what a browser shows, over a push service."""

from pathlib import Path

import okey101.client
from conftest import Patch, soon
from okey101.server.protocol import TableOptions
from server.live import Http, LiveServer, Person, changed, guest
from server.push_service import HOST, Browser, FakeService, fake_service
from server.web.parties import account, code_of, command


async def tell(http: Http, who: Person, link: str, browser: Browser) -> None:
    """Have a regular be told in a browser that somebody waits."""
    for path, body in ((f"families/{link}/told", {"told": True}), ("me/push", browser.body())):
        answer = await http.put(f"/api/{path}", json=body, headers=who.headers)
        assert answer.status_code == 204, answer.text


async def test_who_wants_it_is_told_who_waits_and_no_more(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """Twins: but for who waits, nothing that differs between two tables is told."""
    async with fake_service(tmp_path) as fake:
        monkeypatch.setenv("FAKE_PUSH", f"{fake.port} {fake.certificate}")
        with LiveServer(program=changed("pushing"), push_hosts=HOST) as server:
            async with server.http() as http:
                said = [
                    await told_by(server, http, fake, name, options)
                    for name, options in (
                        ("Hatice", TableOptions()),
                        ("Fatma", TableOptions(deals=1, clock=15)),
                    )
                ]
                assert said == ["Hatice is waiting for you", "Fatma sizi bekliyor"]
            assert "push-" not in server.log
            assert HOST not in server.log


async def told_by(
    server: LiveServer, http: Http, fake: FakeService, name: str, options: TableOptions
) -> str:
    """What a regular is told once somebody waits, and another one is not whose browser is gone."""
    owner, regular, other = [await account(http, f"{name}{n}") for n in ("", " Kerem", " Ali")]
    language = {"language": "en" if name == "Hatice" else ""}
    await http.patch("/api/me", json=language, headers=regular.headers)
    mine, theirs, his = (
        okey101.client.Client(server.url, one.token) for one in (owner, regular, other)
    )
    made = await mine.make_family(f"Aile {name}", options)
    for one, who in ((theirs, regular), (his, other)):
        assert (await command(http, who, await one.sit_with_family(made.link), "leave")).is_success
    browser, gone = Browser(f"{name}-kerem"), Browser(f"{name}-ali")
    await tell(http, regular, made.link, browser)
    assert (await theirs.family(made.link)).told
    assert not (await mine.family(made.link)).told
    fake.sent.clear()
    table = await mine.sit_with_family(made.link)
    await mine.sit_with_family(made.link)  # who sits there already has nothing new to tell
    await soon(lambda: fake.sent)
    assert (await command(http, owner, table, "leave")).is_success
    await tell(http, other, made.link, gone)
    fake.answers.append(b"HTTP/1.1 410 Gone\r\n\r\n")
    # At the table itself, as who has kept its address.
    assert (await command(http, owner, table, "sit")).is_success

    async def forgotten() -> bool:
        answer = await http.get("/api/me/push", headers=other.headers)
        return answer.json()["endpoint"] is None

    await soon(forgotten)
    # The first was told within the hour, and the second has nothing to be told in any more.
    assert [sent.path for sent in fake.sent] == [browser.path, gone.path]
    for sent in fake.sent:
        assert sent.claims().keys() == {"aud", "exp"}
    found = browser.read(fake.sent[0].body)
    assert found.keys() == {"text", "language", "link"}
    assert found["link"] == made.link
    return str(found["text"])


async def test_a_browser_is_told_by_an_account_where_the_server_knows_the_service(
    server: LiveServer, http: Http
) -> None:
    who, visitor = await account(http, "İtelenen"), await guest(http, "İtelenen Misafir")
    browser = Browser("a", "fcm.googleapis.com")
    here = (await http.get("/api/me/push", headers=who.headers)).json()
    assert (here["endpoint"], here["quiet_from"], here["quiet_to"]) == (None, 22, 8)
    assert len(here["key"]) == 87
    for headers, body, status, code in (
        (who.headers, browser.body(), 204, ""),
        (visitor.headers, browser.body(), 409, "not-account"),
        (who.headers, Browser("a", "10.0.0.1").body(), 400, "bad-push"),
        (who.headers, Browser("a").body(), 400, "bad-push"),
        (who.headers, browser.body() | {"quiet_from": 24}, 400, "bad-request"),
    ):
        answer = await http.put("/api/me/push", json=body, headers=headers)
        assert answer.status_code == status, answer.text
        if code:
            assert code_of(answer, status) == code
    here = (await http.get("/api/me/push", headers=who.headers)).json()
    assert (here["endpoint"], here["quiet_from"]) == (browser.device.endpoint, 0)
    (kept,) = (await http.get("/api/me/export", headers=who.headers)).json()["push_devices"]
    assert kept["service"] == "fcm.googleapis.com"
    assert browser.path not in str(kept)
    answer = await http.get("/api/me/push")
    assert code_of(answer, 401) == "unauthorised"


async def test_a_server_may_send_none(tmp_path: Path) -> None:
    with LiveServer(tmp_path, web_push="off") as server:
        async with server.http() as http:
            who = await account(http, "Ayla")
            here = await http.get("/api/me/push", headers=who.headers)
            assert here.json()["key"] is None
            body = Browser("a", "fcm.googleapis.com").body()
            answer = await http.put("/api/me/push", json=body, headers=who.headers)
            assert code_of(answer, 409) == "push-off"
