"""People who play with each other: by link, code or Hemen oyna, again, and with onlookers."""

import json
import re
import time
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Route, expect

from conftest import Size, only_long, ran, unwrap
from okey101.game.fair.rounds import day_mix
from okey101.server.settings import Settings
from okey101.server.tables.quick import QUICK_S
from page.conftest import Visit, served
from page.hands import Hands, Touching, dealt_out, play_by_requests, play_elsewhere, play_until
from page.test_access import check
from page.visitors import Visitor
from server.live import Json, LiveServer

WEB = Path(__file__).resolve().parents[2] / "web"


def test_create_join_by_link_play_and_play_again(visit: Visit, size: Size) -> None:
    """Every move by taps in the long form; in the short one the first of a match and the last."""
    taps = size(2, long=1_000)
    host, friend = visit(None), visit(None, language="en", size=(390, 844))
    host.go("/")
    host.field("page-your-name").fill("Ayşe")
    host.button("page-play-friends").click()
    host.text("page-details").click()
    host.field("page-rule-set").wait_for()
    host.field("page-deals").fill("1")
    host.field("page-seat", seat=3).select_option("greedy")
    host.button("page-create").click()
    link = host.field("page-invite")
    link.wait_for()
    # The friend has never been here: the link leads to the table, one tap to a seat.
    friend.go(link.input_value())
    friend.field("page-your-name").fill("Barış")
    place = friend.button("page-sit").first
    inviting = friend.field("page-invite")
    boxes = [place.bounding_box(), inviting.bounding_box()]
    own, others = (box["y"] for box in boxes if box is not None)
    assert own < others, "the own seat comes before inviting others"
    place.click()
    friend.text("page-owner-starts", name="Ayşe").wait_for()
    expect(host.page.get_by_text("Barış").first).to_be_visible()
    friend.button("page-not-ready").click()
    host.text("page-must-ready", names="Barış").wait_for()
    friend.button("page-im-ready").click()
    host.button("page-start-bots").click()  # nobody else is waited for
    for match in (1, 2):
        players: list[Hands] = [Hands(host), Hands(friend)]
        host.until(partial(_in_match, host, match))
        for visitor in (host, friend):
            visitor.wait_table()
        play_until(players, partial(_begun, players, taps))
        if match == 2 and not dealt_out(host):
            break
        if not dealt_out(host):
            play_elsewhere(host, friend)
        play_until(players, lambda: dealt_out(host))
        for visitor in (host, friend):
            visitor.until(visitor.over)
        if match == 2:
            break
        for visitor in (host, friend):
            visitor.button("page-rematch").click()  # asked once, and it begins


def test_link_and_code_over_plain_http(visit: Visit) -> None:
    visitor = visit(None, host="okey.test")
    visitor.go("/")
    assert visitor.page.evaluate("() => isSecureContext") is False
    visitor.button("page-play-friends").click()
    visitor.button("page-create").click()
    field = visitor.field("page-invite")
    field.wait_for()
    link = field.input_value()
    assert visitor.page.url == f"{visitor.url}/t/{visitor.model.table['id']}"
    assert link == f"{visitor.page.url}?l=tr"
    visitor.button("page-copy-link").click()
    expect(visitor.button("page-copied")).to_be_visible()
    visitor.page.evaluate(
        "() => { const area = document.createElement('textarea'); area.id = 'paste';"
        " document.body.append(area); area.focus(); }"
    )
    visitor.page.keyboard.press("Control+v")
    assert visitor.page.locator("#paste").input_value() == link
    image = visitor.page.get_by_role("img", name=visitor.say("page-qr"))
    assert image.evaluate("(image) => image.complete && image.naturalWidth > 20")
    source = unquote((image.get_attribute("src") or "").split(",", 1)[1])
    code = f"import {{ renderSVG }} from 'uqr'; console.log(renderSVG({json.dumps(link)}))"
    made = ran("node", "--input-type=module", "-e", code, cwd=WEB).stdout
    assert _squares(source) == _squares(made)


def _in_match(visitor: Visitor, number: int) -> bool:
    return bool(visitor.model.table["match"] == number)


def _begun(players: list[Hands], taps: int) -> bool:
    """Whether everybody has done so much, or the deal is over."""
    return dealt_out(players[0].visitor) or all(len(hands.done) >= taps for hands in players)


def _squares(svg: str) -> list[str]:
    """The dark squares of a code."""
    found = re.findall(r"M[-\d., ]+h?[^M\"]*", svg)
    assert found, svg[:300]
    return found


@pytest.mark.parametrize("mode", ["live", *only_long("deal")])
def test_an_onlooker(visit: Visit, mode: str) -> None:
    host, other = visit("Ayşe"), visit("Barış", language="en", size=(390, 844))
    table = host.make(
        spectators=mode, clock=0, deals=1, listed=True, late=False,
        bots=[None, "greedy", "greedy", "greedy"],
    )  # fmt: skip
    host.begin(table)
    other.go("/")
    other.button("page-watch").first.wait_for()
    other.go(f"/t/{table}")
    expect(other.text("page-watching")).to_be_visible()
    play_elsewhere(host)
    play_until([Hands(host)], lambda: dealt_out(host))
    other.until(lambda: dealt_out(other), "the end of the deal")
    assert other.model.seat is None
    assert other.model.totals == host.model.totals
    assert other.page.locator("[data-source^='slot:']").count() == 0
    expect(other.page.locator(".sheet")).to_be_visible()


brisk = served("function", deal_pause_s=3)
"""A server whose pauses between two deals are short."""
daily = served("function", daily="on")


def _press(visitor: Visitor, name: str) -> None:
    visitor.go("/")
    visitor.field("page-your-name").fill(name)
    visitor.button("page-play-now").click()


def test_two_strangers_meet_and_a_third_has_a_new_table(
    visit: Visit, brisk: LiveServer, size: Size
) -> None:
    """Within eight seconds; bots are marked, and nobody else is told to be one."""
    first, second, third = (visit(None, brisk, language=one) for one in ("tr", "en", "tr"))
    _press(first, "Ayşe")
    first.until(lambda: first.model.stage == "waiting", "the waiting seats")
    first.page.get_by_role("timer").wait_for()
    _press(second, "Barış")
    second.until(lambda: "id" in second.model.table, "a table")
    assert first.model.table["id"] == second.model.table["id"]
    assert first.model.table["options"]["quick"] == QUICK_S
    first.page.get_by_text("Barış").first.wait_for()
    for visitor in (first, second):
        visitor.wait_table()
    seats = first.model.table["seats"]
    assert [seat["name"] for seat in seats if seat["bot"] is None] == ["Ayşe", "Barış"]
    plates = first.page.locator(".plate").all()
    assert (
        sum((plate.get_attribute("aria-label") or "").startswith("Bot ") for plate in plates) == 2
    )
    _press(third, "Can")
    third.page.get_by_role("timer").wait_for()
    assert third.model.table["id"] != first.model.table["id"]
    if size(0, long=1):
        third.wait_table()
        _leave_and_come_back(second, first)
    second.go("/")
    expect(second.button("page-back-to-table")).to_be_visible()


def _leave_and_come_back(who: Visitor, other: Visitor) -> None:
    """A bot keeps the seat; the start page leads back to the table, and one tap to the seat."""
    who.button("page-more").click()
    who.button("page-leave").click()
    who.reply(yes=True)
    other.until(lambda: other.model.table["seats"][1]["name"] is None, "a bot in the seat")
    who.button("page-back-to-table").click()
    who.until(lambda: who.model.you is None, "the table from outside")
    who.page.locator(".banner").get_by_role("button", name=who.say("page-take-seat-back")).click()
    who.until(lambda: who.model.seat == 1, "the own seat")
    who.until(who.agrees, "the own tiles")
    other.until(lambda: other.model.table["seats"][1]["name"] == "Barış", "the seat taken back")


def test_live_tables_are_small_felts_and_a_hidden_deal_says_so(visit: Visit) -> None:
    """One tap from the start page; a deal that is not shown is no empty felt."""
    host, other = visit("Ayşe"), visit("Barış")
    bots = [None, "greedy", "greedy", "greedy"]
    tables = {}
    for spectators in ("turn", "deal"):
        tables[spectators] = host.make(
            clock=0, deals=1, listed=True, spectators=spectators, bots=bots
        )
        host.begin(tables[spectators])
    other.go("/")
    other.page.locator(".felt .bottom").first.wait_for()
    expect(other.text("page-watching-deal").first).to_be_visible()
    other.go(f"/t/{tables['turn']}")
    other.text("page-watching-turn").wait_for()
    expect(other.page.locator(".plate")).to_have_count(4)
    other.go(f"/t/{tables['deal']}")
    other.text("page-unseen").wait_for()


def _begun_by_two(host: Visitor, friend: Visitor, bot: str = "greedy") -> None:
    """A match of these two and bots, its owner there first."""
    table = host.make(clock=0, bots=[None, None, bot, bot])
    friend.sit(table)
    host.go(f"/t/{table}")
    host.until(lambda: host.model.table and host.model.table["seats"][1].get("ready"), "friend")
    host.button("page-start").click()
    host.wait_table()


@pytest.mark.long
def test_somebody_is_blocked_and_reported_from_the_panel(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit("Barış")
    _begun_by_two(host, friend)
    host.button("page-more").click()
    host.button("friends-block-seat", name="Barış").click()
    host.button("friends-block").click()
    host.button("page-more").click()
    host.button("page-unmute-seat", name="Barış").wait_for()
    host.field("page-report", name="Barış").select_option("stalling")
    host.text("page-reported").first.wait_for()


def test_a_tea_flies_to_a_seat_in_two_taps_and_by_key(visit: Visit) -> None:
    """It lies at the plate of whom it is for, with the sender's face, and is said to both ears."""
    host, friend = visit("Ayşe", size=(360, 640), touch=True), visit("Barış", moving=True)
    _begun_by_two(host, friend, "random")
    friend.wait_table()
    # Bots that play meanwhile would say something else.
    host.until(lambda: unwrap(host.model.deal)["turn"] in (0, 1), "a person's turn")
    aim = host.page.get_by_role("button", name=host.say("page-send-to", name="Barış"))
    box = unwrap(aim.bounding_box())
    assert min(box["width"], box["height"]) >= 44
    aim.tap()
    tea = host.page.get_by_role("button", name=host.say("phrase-emoji-tea"))
    tea.tap()
    for visitor in (host, friend):
        bubble = visitor.page.locator("[data-place='plate:1'] .bubble")
        expect(bubble).to_be_visible()
        said = [one for one in visitor.heard if one["type"] == "said"]
        assert said[-1] == {
            "type": "said", "seat": 0, "phrase": "emoji-tea", "to": 1,
        }  # fmt: skip
    words = friend.say("page-said-you", name="Ayşe", phrase=friend.say("phrase-emoji-tea"))
    expect(friend.page.get_by_role("status").first).to_contain_text(words)
    expect(tea).to_have_count(0)
    back = friend.page.get_by_role("button", name=friend.say("page-send-to", name="Ayşe"))
    back.press("Enter")
    expect(
        friend.page.get_by_role("button", name=friend.say("phrase-emoji-tea")).last
    ).to_be_focused()
    for key in ("Tab", "Tab", "Tab"):
        friend.page.keyboard.press(key)
    friend.page.keyboard.press("Enter")
    friend.until(lambda: {"type": "muted", "seats": [0]} in friend.heard, "silence")
    tapped = host.page.locator("[popover]")
    aim.tap()
    host.page.get_by_role("button", name=host.say("phrase-emoji-nazar")).tap()
    expect(tapped).to_have_count(0)
    expect(back).to_be_focused()


_MOVED = """() => new Promise((tell) => {
    new PerformanceObserver((seen) => tell(seen.getEntries().flatMap(({ sources }) => sources)
        .filter(({ node }) => node?.closest?.(".sheet"))
        .map(({ previousRect, currentRect }) => [previousRect.bottom, currentRect.bottom])))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(tell, 1000, []);
})"""
"""From where to where parts of the score sheet moved under the thumb that aimed at its button."""


def test_a_stranger_plays_the_days_deals_on_a_phone(visit: Visit, daily: LiveServer) -> None:
    """From the start page to the own place among the bots of the first field, by touch."""
    visitor = visit(None, daily, size=(390, 844), touch=True)
    visitor.go("/")
    visitor.field("page-your-name").fill("Ayşe")
    visitor.page.get_by_role("button", name=visitor.say("page-day")).tap()
    expect(visitor.button("day-begin")).to_be_visible()
    day: Json = visitor.context.request.get(f"{daily.url}/api/days/").json()[0]
    visitor.button("day-begin").tap()
    visitor.wait_table()
    for deal in (0, 3):
        play_elsewhere(visitor, deal=deal)
        play_by_requests(visitor, lambda: dealt_out(visitor))
        if deal == 0:
            expect(visitor.page.locator(".sheet .hands svg").last).to_be_visible()
            assert visitor.page.evaluate(_MOVED) == []
            visitor.button_like("page-next-deal").tap()
            visitor.until(lambda: not dealt_out(visitor), "the next deal")
    visitor.button("page-day").tap()
    own = visitor.page.locator("tr.own")
    expect(own).to_contain_text("Ayşe")
    assert visitor.page.locator(".scroll tbody tr").count() >= 17
    visitor.text("day-spread-table").tap()
    counts = visitor.page.locator("section details td").all_inner_texts()
    assert (len(counts), sum(map(int, counts))) == (10, 16)
    expect(visitor.button("day-share")).to_be_visible()
    with visitor.page.expect_download() as kept:
        visitor.button("day-picture").tap()
    assert kept.value.suggested_filename == "okey101.png"
    assert Path(kept.value.path()).read_bytes().startswith(b"\x89PNG")
    visitor.button("day-month").tap()
    expect(visitor.text("day-totals-none")).to_be_visible()
    visitor.page.get_by_role("combobox").select_option("novice")
    visitor.button("challenge-make").tap()
    expect(visitor.button("challenge-send")).to_be_visible()
    link = visitor.page.url
    other = visit(None, daily, size=(390, 844), touch=True)
    other.page.goto(link)
    other.button("day-begin").tap()  # the one tap from the link to the tiles, with a proposed name
    other.wait_table()
    assert other.model.table["day"] == link.rpartition("/")[2]
    # It was the one try: the day is not begun again.
    visitor.page.route("**/api/days/*/table", _of_two_instances)
    visitor.go("/day")
    expect(own).to_be_visible()
    expect(visitor.text("day-instances")).to_be_visible()
    assert not check(visitor, "/day", pixels=False)
    assert visitor.button("day-begin").count() + visitor.button("day-go-on").count() == 0
    _proof_of(visitor, day)
    visitor.go("/")
    place = visitor.page.get_by_text(visitor.like("page-today-place"))
    expect(visitor.page.get_by_role("button").filter(has=place)).to_be_visible()


_PACE = ("bot_delay_ms", "first_deal_wait_s", "deal_pause_s", "dealing_s")
usual = served("function", daily="on", **{
    name: Settings.model_fields[name].default for name in _PACE
})  # fmt: skip
"""A server whose bots take the time that people see them take."""
_THOUGHT_S = 5.0
"""How long somebody looks at the tiles in each turn."""


@pytest.mark.long
def test_the_days_deals_take_a_quarter_of_an_hour_at_most(visit: Visit, usual: LiveServer) -> None:
    """A stranger plays each tile of the four deals by touch, and thinks in each turn."""
    began = time.monotonic()
    visitor = visit(None, usual, size=(390, 844), touch=True)
    visitor.go("/")
    visitor.field("page-your-name").fill("Ayşe")
    visitor.page.get_by_role("button", name=visitor.say("page-day")).tap()
    visitor.button("day-begin").tap()
    visitor.wait_table()
    hands, turns = Touching(visitor), 0
    for deal in range(4):
        while not dealt_out(visitor):
            if visitor.model.deal_turn == visitor.model.seat:
                visitor.pump(_THOUGHT_S)
                turns += 1
            while not dealt_out(visitor) and visitor.model.deal_turn == visitor.model.seat:
                hands.step()
                visitor.pump(0.1)
            visitor.pump(0.1)
        if deal < 3:
            visitor.pump(_THOUGHT_S)  # the score sheet is read
            visitor.button_like("page-next-deal").tap()
            visitor.until(lambda: not dealt_out(visitor), "the next deal")
    visitor.button("page-day").tap()
    expect(visitor.page.locator("tr.own")).to_contain_text("Ayşe")
    assert visitor.page.locator("tbody tr").count() >= 17
    minutes = (time.monotonic() - began) / 60
    print(f"four deals, {turns} own turns: {minutes:.1f} minutes")
    assert minutes < 15


def _answered(told: object, route: Route) -> None:
    route.fulfill(json=told)


def _of_two_instances(route: Route) -> None:
    """A day's table, on which somebody had other deals."""
    told = route.fetch().json()
    told["lines"][0]["date"] += "-2"
    route.fulfill(json=told)


def _proof_of(visitor: Visitor, day: Json) -> None:
    """What the page says of a day to which nobody contributed, and of one that was mixed."""
    page, proof = visitor.page, visitor.text("day-proof")
    proof.tap()
    expect(page.get_by_text(visitor.say("day-unmixed"))).to_be_visible()
    given = page.get_by_text(visitor.say("day-share-next"))
    expect(given).to_have_count(1 if day["next"] else 0)
    date, digest, own = day["date"], day["digest"], "5e" * 32
    page.evaluate(
        "([name, share]) => localStorage.setItem(name, share)",
        [f"okey101.share.{date}", json.dumps({"digest": digest, "value": own})],
    )
    page.route("**/api/days/", partial(_answered, [day | {"mixed": True}]))
    for shares, words in (
        (["5e" * 32, "a7" * 32], ["day-share-in"]),
        (["a7" * 32], ["day-share-missing"]),
        (["a7" * 32, "5e" * 32], ["day-list-wrong", "day-share-in"]),
    ):
        mix = day_mix(date, digest, shares)
        told = {"date": date, "digest": digest, "shares": shares, "mix": mix}
        page.route("**/mix", partial(_answered, told))
        visitor.go("/day")
        proof.tap()
        expect(page.get_by_text(visitor.say("day-mixed", count=len(shares)))).to_be_visible()
        for word in words:
            expect(page.get_by_text(visitor.say(word))).to_be_visible()
    page.unroute_all()


def test_friends_ask_agree_and_see_who_is_here(visit: Visit) -> None:
    ayse, baris = visit("Ayşe", size=(390, 844), touch=True), visit("Dost Barış", language="en")
    account = {"name": "Dost Barış", "password": "uzun ve gizli 7"}
    baris.context.request.post(f"{ayse.url}/api/me/account", data=account)
    ayse.go("/")
    ayse.button("page-friends").tap()
    ayse.field("friends-name").fill("dost barış")
    ayse.button("friends-ask").tap()
    expect(ayse.page.get_by_role("status")).to_have_text(
        ayse.say("friends-added", name="dost barış")
    )
    baris.go("/")
    asks = baris.say("page-today-asks", names="Ayşe", more=0)
    expect(baris.page.get_by_text(asks)).to_be_visible()
    baris.button("page-today-answer").click()
    baris.page.get_by_role("button", name=f"{baris.say('friends-agree')}: Ayşe").click()
    expect(baris.page.get_by_role("button", name=baris.say("friends-part"))).to_be_visible()
    assert not check(ayse, "/friends") + check(baris, "/friends")
    here = ayse.page.get_by_text(ayse.say("friends-here"), exact=True)
    shown = baris.page.get_by_role("checkbox")
    shown.check()
    baris.until(lambda: shown.is_enabled() and shown.is_checked(), "the answer")
    baris.go(f"/t/{baris.make()}")
    baris.button("page-copy-link").wait_for()
    asked: list[str] = []
    ayse.page.on("request", lambda request: asked.append(request.url))
    ayse.go("/")
    told = ayse.say("page-today-here", names="Dost Barış", more=0)
    expect(ayse.page.get_by_text(told)).to_be_visible()
    ayse.page.wait_for_load_state("networkidle")
    assert asked.count(f"{ayse.url}/api/friends") == 1
    asked.clear()
    ayse.page.evaluate("localStorage.clear()")  # the server knows her, her device does not
    ayse.go("/")
    expect(ayse.page.get_by_text(told)).to_be_visible()
    ayse.page.wait_for_load_state("networkidle")
    for path in ("bots", "days/", "friends"):
        assert asked.count(f"{ayse.url}/api/{path}") == 1, path
    ayse.button("page-friends").tap()
    expect(here).to_be_visible()
    ayse.page.get_by_role("button", name=ayse.say("friends-part")).tap()
    expect(ayse.text("friends-none")).to_be_visible()
    baris.go("/friends")
    expect(baris.text("friends-none")).to_be_visible()


def test_a_family_has_one_link_and_friends_are_invited(visit: Visit) -> None:
    hatice = visit("Aile Hatice", size=(390, 844), touch=True)
    kerem = visit("Aile Kerem", language="en")
    ids: dict[Visitor, str] = {}
    for one in (hatice, kerem):
        account = {"name": one.name, "password": "uzun ve gizli 7"}
        answer = one.context.request.post(f"{hatice.url}/api/me/account", data=account)
        ids[one] = answer.json()["id"]
    hatice.go("/friends")
    hatice.button("family-mine").tap()
    hatice.field("family-name").fill("Bizim Aile")
    assert not check(hatice, "/family")
    hatice.button("family-make").tap()
    hatice.button("family-sit").wait_for()
    link = urlsplit(hatice.page.url).path
    # The form leaves alone what it doesn't show, and a program has chosen.
    path, bots = f"{hatice.url}/api/families/{link.removeprefix('/f/')}", [None, "steady", "random"]
    chosen = {"rules": {"players": 3, "open_points": 81}, "bots": bots, "delay": 90}
    before = hatice.context.request.patch(path, data={"options": chosen}).json()
    hatice.go(link)
    hatice.text("family-rules").tap()
    hatice.button("family-save").tap()
    expect(hatice.text("family-saved")).to_be_visible()
    assert hatice.context.request.get(path).json()["options"] == before["options"]
    kerem.go(link)
    kerem.button("family-sit").click()
    kerem.page.wait_for_url("**/t/*")
    table = urlsplit(kerem.page.url).path.removeprefix("/t/")
    leave = {"type": "leave", "rid": "l"}
    kerem.context.request.post(f"{hatice.url}/api/tables/{table}/commands", data=leave)
    hatice.go(link)
    expect(hatice.page.get_by_role("listitem").filter(has_text="Aile Kerem")).to_be_visible()
    assert not check(hatice, link)
    hatice.button("family-sit").tap()
    hatice.page.wait_for_url("**/t/*")
    kerem.go("/")
    expect(kerem.text("waits-family", name="Aile Hatice")).to_be_visible()
    assert not check(kerem, "/", pixels=False)
    kerem.button("waits-come").click()
    kerem.page.wait_for_url("**/t/*")
    # Friends are invited in one tap, and may say no.
    for one, other in ((hatice, kerem), (kerem, hatice)):
        asked = {"user": ids[other]}
        one.context.request.post(f"{hatice.url}/api/friends", data=asked)
    hatice.go(f"/t/{hatice.make()}")
    hatice.page.get_by_role("button", name=f"{hatice.say('invite-friend')}: Aile Kerem").tap()
    expect(hatice.text("invite-done")).to_be_visible()
    kerem.go("/")
    words = kerem.text("waits-friend", name="Aile Hatice")
    expect(words).to_be_visible()
    kerem.button("friends-refuse").click()
    expect(words).to_have_count(0)
