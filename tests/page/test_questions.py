"""What the page asks before it is done, what it says instead, and every choice of the rules."""

import time
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Route, expect

from conftest import only_long, unwrap
from okey101.game import RuleSet
from page.conftest import Visit
from page.scenes import Laid, Scene, mid_deal, over
from page.test_access import check, narrowed
from page.visitors import Visitor
from rules.table import MELDS, NEUTRAL, table
from server.live import Json, LiveServer


def _costly(server: LiveServer) -> Json:
    """One's own turn, where every discard costs 101."""
    view = mid_deal(server).view
    options = view["you"]["options"]
    costs = [one | {"points": 101, "rule": "P2"} for one in options["discards"]]
    return view | {"you": view["you"] | {"options": options | {"discards": costs}}}


def _asked(visitor: Visitor, view: Json) -> str:
    """Throw a tile that costs; returns it."""
    visitor.page.get_by_role("grid").wait_for()
    visitor.model.take(view)
    tile = next(tile for tile in visitor.hand if tile not in ("*", "F"))
    visitor.slot(visitor.slot_of(tile)).click()
    visitor.place("discard").click()
    visitor.question.wait_for()
    return tile


@pytest.mark.parametrize("language", ["tr", "en"])
def test_the_question_before_a_fine_ends_with_the_turn(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    view = _costly(visitor.server)
    stage = Scene(view).show(visitor)
    tile = _asked(visitor, view)
    asked = visitor.say("page-confirm-discard", points=101, rule="P2", tile=visitor.words(tile))
    expect(visitor.question).to_contain_text(asked)
    assert asked[0].isupper()
    assert check(visitor, "question") == []
    visitor.page.keyboard.press("Escape")
    expect(visitor.question).to_have_count(0)
    _asked(visitor, view)
    seat = view["you"]["seat"]
    hand = view["you"]["hand"].split()
    hand.remove(tile)
    stage.tell(
        type="event", seq=view["seq"] + 1, at=int(time.time() * 1000),
        what={"kind": "act", "seat": seat, "actions": [f"discard {tile}"], "by": "clock"},
        table={}, deal={"turn": (seat + 1) % 4, "phase": "draw"},
        you={"seat": seat, "hand": " ".join(hand)},
    )  # fmt: skip
    expect(visitor.question).to_have_count(0)
    visitor.pump(0.3)
    assert not any(message["type"] == "act" for message in stage.heard)
    # It does not come back with the next turn either.
    stage.tell(**view | {"seq": view["seq"] + 9, "at": int(time.time() * 1000)})
    visitor.pump(0.3)
    expect(visitor.question).to_have_count(0)


@pytest.mark.parametrize("language", ["tr", "en"])
def test_D5_who_starts_is_told_to_throw(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    stage = Laid(table("altinstar", [f"{MELDS} B3", "K2 K4"], stock=NEUTRAL)).show(visitor)
    words = visitor.say("page-you-start")
    notice = visitor.page.locator(".notice")
    expect(notice).to_contain_text(words)
    visitor.resize(360, 640)
    room = unwrap(visitor.page.locator(".plate.own").bounding_box())["height"]
    assert unwrap(notice.bounding_box())["height"] <= max(36, room), "the buttons would move"
    visitor.resize(1280, 800)
    expect(visitor.place("left").locator(".hint")).to_have_count(0)
    for place in ("stock", "left"):
        # Something else was said in between, as the same words twice look alike.
        visitor.button("page-open-pairs", have=0, need=5).click()
        expect(notice).to_have_text(visitor.say("page-nothing-arranged-pairs"))
        visitor.place(place).click()
        expect(notice).to_contain_text(words)
    assert stage.state.seq == 1, "the server has let nothing be drawn"


def test_leaving_a_running_match_is_asked_first(visit: Visit) -> None:
    visitor = visit("Ayşe")
    table = visitor.make(clock=0, deals=1, bots=[None, "greedy", "greedy", "greedy"])
    visitor.begin(table)
    visitor.button("page-more").click()
    visitor.button("page-leave").click()
    expect(visitor.question).to_contain_text(visitor.say("page-confirm-leave", back="yes"))
    visitor.page.keyboard.press("Escape")
    expect(visitor.question).to_have_count(0)
    assert not any(message["type"] == "leave" for message in visitor.sent)
    # The panel is still there, and the focus in it.
    expect(visitor.button("page-leave")).to_be_focused()
    visitor.button("page-leave").click()
    visitor.reply(yes=True)
    expect(visitor.button("page-play-now")).to_be_visible()
    assert any(message["type"] == "leave" for message in visitor.sent)


@pytest.mark.long
def test_leaving_is_not_asked_where_nothing_runs(visit: Visit) -> None:
    visitor = visit("Ayşe")
    visitor.go(f"/t/{visitor.make()}")
    visitor.button("page-leave").click()
    expect(visitor.button("page-play-now")).to_be_visible()
    other = visit("Barış")
    stage = over(other.server).show(other)
    other.button("page-more").press("Enter")
    other.button("page-leave").press("Enter")
    other.until(lambda: any(m["type"] == "leave" for m in stage.heard), "leaving")


@pytest.mark.parametrize("language", ["tr", *only_long("en")])
def test_the_password_is_changed_with_the_old_one(visit: Visit, language: str) -> None:
    visitor = visit("Cem", language=language)
    visitor.tolerate(r"401")
    account = {"name": f"Cem {language}", "password": "eski ve gizli 7"}
    answer = visitor.context.request.post("/api/me/account", data=account)
    assert answer.ok, answer.text()
    login = f"{visitor.url}/api/login"
    elsewhere = httpx.post(login, json=account | {"bearer": True}).json()["token"]
    late: list[Route] = []
    visitor.context.route(
        "**/api/me/sessions", lambda route: route.continue_() if late else late.append(route)
    )
    held: list[Route] = []
    visitor.context.route(
        "**/api/session**", lambda route: route.continue_() if held else held.append(route)
    )
    visitor.go("/account")
    expect(visitor.text("page-is-nobody")).to_be_visible()
    held[0].continue_()  # who this is becomes known when the screen is there
    old = visitor.field("page-password-old")
    new = visitor.field("page-password-new")
    old.fill("typed while the page was loading")
    visitor.until(lambda: late, "the question for the sessions")
    late[0].continue_()
    expect(visitor.page.locator("li").first).to_be_visible()
    expect(old).to_have_value("typed while the page was loading")
    change = visitor.button("page-password-change")
    for typed, told in (("wrong and wrong", "error-wrong-password"), (account["password"], "")):
        old.fill(typed)
        new.fill("yeni ve gizli 8")
        change.click()
        if told:
            expect(visitor.page.get_by_role("alert")).to_have_text(visitor.say(told))
    expect(visitor.page.get_by_role("status")).to_have_text(visitor.say("page-password-changed"))
    expect(old).to_have_value("")
    expect(visitor.page.locator("li")).to_have_count(1)  # of the sessions, this one is left
    assert visitor.context.request.get("/api/me").ok
    gone = httpx.get(f"{visitor.url}/api/me", headers={"Authorization": f"Bearer {elsewhere}"})
    assert gone.status_code == 401
    assert httpx.post(login, json=account).status_code == 401
    assert httpx.post(login, json=account | {"password": "yeni ve gizli 8"}).is_success


def _posted(server: LiveServer, path: str, body: object = None, token: str = "") -> Any:
    """What the server answers to somebody with a token."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = httpx.post(f"{server.url}/api/{path}", json=body, headers=headers)
    return answer.raise_for_status().json() if answer.content else None


def test_a_code_of_the_host_asks_for_a_new_password(visit: Visit, server: LiveServer) -> None:
    account = {"name": "Unutkan", "password": "eski ve gizli 7", "bearer": True}
    guest = _posted(server, "guests", {"name": "Unutkan", "bearer": True})
    _posted(server, "me/account", account, guest["token"])
    reset = f"admin/users/{guest['id']}/reset-password"
    code = _posted(server, reset, token=server.admin_token)["code"]
    visitor = visit(None, language="tr")
    visitor.tolerate(r"409")
    visitor.go("/account")
    form = visitor.page.locator("form").last
    form.get_by_label(visitor.say("page-your-name")).fill("Unutkan")
    form.get_by_label(visitor.say("page-password"), exact=True).fill(code)
    fresh = visitor.field("page-password-new")
    expect(fresh).to_have_count(0)
    visitor.button("page-login").click()
    expect(form.get_by_role("alert")).to_have_text(visitor.say("error-new-password-needed"))
    fresh.fill("yeni ve gizli 8")
    visitor.button("page-login").click()
    expect(visitor.text("page-signed-in", name="Unutkan")).to_be_visible()
    assert visitor.context.request.get("/api/me").json()["id"] == guest["id"]


def test_a_moderator_sees_who_was_reported_and_does_something(
    visit: Visit, server: LiveServer
) -> None:
    """Mutes, lifts it, removes and sets aside; each deed is in the journal."""
    asked, admin = partial(_posted, server), server.admin_token
    loud, teller, keeper = (
        asked("guests", {"name": name, "bearer": True})
        for name in ("Gürültücü", "Bildiren", "Gözcü")
    )
    table = asked("tables", {"clock": 0}, loud["token"])["id"]
    sit = {"type": "sit", "rid": "1", "seat": 1}
    asked(f"tables/{table}/commands", sit, teller["token"])
    asked(f"tables/{table}/reports", {"seat": 0, "reason": "phrases"}, teller["token"])
    account = {"name": "Gözcü", "password": "gizli ve uzun 7"}
    asked("me/account", account, keeper["token"])
    asked(f"admin/users/{keeper['id']}/appoint", None, admin)
    visitor = visit(None, language="tr")
    visitor.context.request.post("/api/login", data=account)
    visitor.go("/account")
    card = visitor.page.locator("li.card").filter(has=visitor.page.get_by_text("Gürültücü"))
    expect(card).to_contain_text(visitor.say("moderate-reporters", count=1))
    expect(card).to_contain_text(visitor.say("page-report-phrases"))
    expect(card).to_contain_text("Bildiren")
    assert not check(visitor, "reports") + narrowed(visitor, "reports")
    deed = card.get_by_role("button")
    deed.filter(has_text=visitor.say("moderate-settle")).click()
    visitor.text("moderate-settled").click()
    for key in ("moderate-day", "moderate-unmute"):
        deed.get_by_text(visitor.say(key), exact=True).click()
    expect(deed.get_by_text(visitor.say("moderate-day"), exact=True)).to_be_visible()  # it is told
    deed.filter(has_text=visitor.say("moderate-kick")).click()
    visitor.reply(yes=True)
    expect(deed.filter(has_text=visitor.say("moderate-kick"))).to_have_count(0)
    bearer = {"Authorization": f"Bearer {admin}"}
    journal = httpx.get(f"{server.url}/api/admin/journal", headers=bearer).json()
    assert [one["what"] for one in journal if one["who"] == keeper["id"]] == [
        "kick", "unmute", "mute", "settle",
    ]  # fmt: skip


def test_the_host_s_privacy_notice_is_a_page(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "privacy.tr.md").write_text("# Veri sorumlusu\n\nKulüp <i>X</i>.\n- bir\n", "utf-8")
    with LiveServer(data=tmp_path) as own:
        visitor = visit(None, at=own, language="tr")
        visitor.go("/")
        visitor.button("page-privacy").click()
        expect(visitor.page.get_by_role("heading", name="Veri sorumlusu")).to_be_visible()
        expect(visitor.page.locator("section p")).to_have_text(["Kulüp <i>X</i>.", "• bir"])


@pytest.mark.parametrize("language", ["tr", "en"])
def test_deleting_the_account_is_asked_in_the_page(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    visitor.tolerate(r"401")
    visitor.go("/account")
    visitor.button("page-delete-me").click()
    expect(visitor.question).to_contain_text(visitor.say("page-delete-sure"))
    visitor.reply(yes=False)
    expect(visitor.question).to_have_count(0)
    assert visitor.context.request.get("/api/me").ok
    visitor.button("page-delete-me").click()
    visitor.reply(yes=True)
    expect(visitor.button("page-play-now")).to_be_visible()
    assert visitor.context.request.get("/api/me").status == 401


CHANGED: dict[str, str | int | bool] = {
    "riziko_losers": "hand", "false_joker_indicator": "riziko", "stock_pairs_doubled": False,
    "taken_to_open_fine": 50, "team_taken_to_open_fine": 55, "partner_opens": True,
    "partner_waived": True,
    "pairs_lay_off": "none", "lay_off_when_opening": False, "short_opening_fine": 60,
    "take_back_fine": 70, "okey_in_hand_fine": 80, "melds_lay_pairs": True,
}  # fmt: skip
"""The fields of X4 to X9, R8 and R13, each other than the standard has it."""
FIRST = {"players", "teams", "rising"}
"""What has a place of its own above the other fields."""


def value_words(visitor: Visitor, value: str | int | bool) -> str:
    if isinstance(value, bool):
        return visitor.say(f"field-value-{'yes' if value else 'no'}")
    return str(value) if isinstance(value, int) else visitor.say(f"field-value-{value}")


def control(visitor: Visitor, field: str) -> Locator:
    """Where a field is chosen, by what is read out for it."""
    form, name = visitor.page.locator("form"), visitor.say(f"field-{field}")
    number = form.get_by_role("spinbutton", name=name, exact=True)
    return form.get_by_role("combobox", name=name, exact=True).or_(number)


def noted(visitor: Visitor) -> dict[str, str]:
    """The notes on a table's rules, as they are read."""
    notes = visitor.page.locator("details dl > div")
    visitor.page.locator("details summary").first.click()
    notes.first.wait_for()
    return dict(text.split("\n", 1) for text in notes.all_inner_texts())


@pytest.mark.parametrize(
    ("language", "size"), [("tr", (390, 844)), *only_long(["en", (844, 390)], ["en", (1440, 900)])]
)
def test_R8_R13_X4_X9_every_field_is_offered_and_told(
    visit: Visit, language: str, size: tuple[int, int]
) -> None:
    visitor = visit("Ayşe", language=language, size=size)
    visitor.go("/new")
    visitor.text("page-details").click()
    visitor.page.get_by_role("checkbox", name=visitor.say("page-teams"), exact=True).check()
    visitor.page.locator("form .rules summary").click()
    for field in fields(RuleSet):
        if field.name not in FIRST:
            expect(control(visitor, field.name)).to_be_visible()
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert visitor.page.evaluate(wide) <= 0, "the longest value moves nothing out of sight"
    for name, value in CHANGED.items():
        if isinstance(value, int) and not isinstance(value, bool):
            control(visitor, name).fill(str(value))
        else:
            control(visitor, name).select_option(value_words(visitor, value))
    deals, folds = (
        visitor.page.get_by_role("spinbutton", name=visitor.say("page-deals")),
        visitor.page.locator("details"),
    )
    deals.fill("999")
    folds.evaluate_all("(all) => { for (const one of all) one.open = false; }")
    visitor.button("page-create").click()
    expect(deals).to_be_focused()
    deals.fill("5")
    visitor.button("page-create").click()
    visitor.until(lambda: visitor.model.table, "the table")
    rules = visitor.model.table["options"]["rules"]
    assert {name: rules[name] for name in CHANGED} == CHANGED
    told = noted(visitor)
    for name, value in CHANGED.items():
        assert told[visitor.say(f"field-{name}")] == value_words(visitor, value)
    unfit = {"short_opening_fine"} if rules["short_opening"] != "fine" else set[str]()
    assert {visitor.say(f"field-{f.name}") for f in fields(RuleSet)} - told.keys() == {
        visitor.say(f"field-{name}") for name in {"players"} | unfit
    }
