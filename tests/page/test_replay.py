"""A finished match, watched again: step by step, by jumps, by itself, with every rack shown."""

from __future__ import annotations

import asyncio
import copy
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import expect

from okey101 import Deal, play_deal, position_of, view_of
from page.conftest import Visit
from page.visitors import PATIENCE_S, Visitor
from server.clients import Client
from server.live import Json, LiveServer, Person

expect.set_options(timeout=PATIENCE_S * 1000)


def finished_match(server: LiveServer, visitor: Visitor, deals: int = 2) -> str:
    """Play a match in the visitor's name, without the page; returns the match's id."""
    cookie = next(c for c in visitor.context.cookies() if c.get("name", "").startswith("okey101"))
    person = Person("", visitor.name or "", cookie.get("value", ""))

    async def play() -> str:
        async with server.http(person) as http:
            body = {"deals": deals, "clock": 0, "bot": "greedy"}
            table = (await http.post("/api/play", json=body)).json()["table"]
            async with Client(server, table, person) as client:
                await client.play_on()
            for _ in range(200):
                found = (await http.get("/api/matches/")).json()
                if found:
                    return str(found[0]["id"])
                await asyncio.sleep(0.05)
        raise AssertionError("the match is not in the list")

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(play())).result()


@pytest.mark.parametrize("language", ["tr", pytest.param("en", marks=pytest.mark.long)])
def test_replay_by_step_jump_and_by_itself(visit: Visit, server: LiveServer, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    match = finished_match(server, visitor)
    visitor.go("/matches")
    expect(visitor.page.get_by_text("Ayşe").first).to_be_visible()
    visitor.button("page-watch-replay").first.click()
    slider = visitor.page.get_by_role("slider")
    expect(slider).to_have_value("0")
    assert visitor.page.url.endswith(f"/m/{match}")
    record = visitor.context.request.get(f"/api/matches/{match}/record").json()
    first, second, *_ = record["deals"]  # what does not count is played again
    # All racks are there, before and after every action.
    faces = visitor.page.locator("main .face")
    dealt = sum(len(hand.split()) for hand in first["hands"])
    assert faces.count() >= dealt
    visitor.button("page-forward").click()
    expect(slider).to_have_value("1")
    said = visitor.page.get_by_role("status").first
    expect(said).not_to_have_text(visitor.say("page-dealt"))
    visitor.button("page-back").click()
    expect(slider).to_have_value("0")
    visitor.button("page-last").click()
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    # Who did it is lit, to the last action, and the scores stand beside how each opened.
    actor = visitor.page.locator("main .turn")
    expect(actor).to_have_count(1)
    expect(said).to_contain_text(actor.get_attribute("aria-label") or "nobody")
    results = visitor.page.locator("main section h2 small").all_inner_texts()
    assert len(results) == 4
    assert all(re.search(r"\S · -?\d+$", text) for text in results), results
    visitor.button("page-first").click()
    expect(visitor.page.locator("main .turn")).to_have_count(1)
    visitor.button("page-run").click()
    expect(slider).to_have_value("1")
    expect(slider).to_have_value("2")
    visitor.button("page-pause").click()
    visitor.page.get_by_role("heading", level=1).click()
    at = int(slider.input_value())
    visitor.page.locator("body").press("ArrowRight")
    expect(slider).to_have_value(str(at + 1))
    visitor.page.get_by_role("combobox").select_option(index=1)
    expect(slider).to_have_attribute("max", str(len(second["actions"])))
    expect(slider).to_have_value("0")
    _every_deal_is_checked(visitor, match, record)


def _every_deal_is_checked(visitor: Visitor, match: str, record: Json) -> None:
    """As far as somebody can who was not there; and a record that was changed is told."""
    ask = visitor.button("fair-button", state="none")
    ask.click()
    dialog = visitor.page.get_by_role("dialog", name=visitor.say("fair-question"))
    deals = dialog.get_by_role("group", name=visitor.say("fair-deals")).get_by_role("button")
    wrong = dialog.get_by_role("img", name=visitor.say("fair-state", state="differs"))
    fits = visitor.say("fair-check-others", state="proved")
    expect(deals).to_have_count(len(record["deals"]))
    for at in range(len(record["deals"])):
        deals.nth(at).click()
        expect(dialog).to_contain_text(visitor.say("fair-verdict", state="unknown"))
        expect(dialog).to_contain_text(fits)
        expect(wrong).to_have_count(0)
    visitor.page.keyboard.press("Escape")
    expect(ask).to_be_focused()
    changed = copy.deepcopy(record)
    hands = changed["deals"][1]["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    visitor.page.route(f"**/api/matches/{match}/record", lambda route: route.fulfill(json=changed))
    ask.click()
    differs = visitor.say("fair-state", state="differs")
    expect(deals.nth(1)).to_have_attribute("aria-label", re.compile(rf": {differs}$"))
    expect(deals.nth(0)).not_to_have_attribute("aria-label", re.compile(rf": {differs}$"))
    expect(wrong).to_have_count(1)  # the deal that is looked at, the second
    visitor.page.keyboard.press("Escape")


@pytest.mark.long
def test_replay_on_a_phone(visit: Visit, server: LiveServer) -> None:
    visitor = visit("Ayşe", size=(390, 844))
    visitor.go(f"/m/{finished_match(server, visitor, deals=1)}")
    tops = set()
    for key in ("first", "back", "run", "forward", "last"):
        box = visitor.button(f"page-{key}").bounding_box()
        assert box is not None
        tops.add(box["y"])
    assert len(tops) == 1, "the buttons stand in one row"
    slider = visitor.page.get_by_role("slider")
    assert slider.evaluate("(field) => getComputedStyle(field).padding") == "0px", (
        "the thumb comes to the end of the track"
    )


def test_replay_on_a_phone_shows_action_hand_melds_and_moves_at_once(
    visit: Visit, server: LiveServer
) -> None:
    """Without scrolling: whose hand, what was done, the melds and the moves."""
    visitor = visit("Ayşe", size=(390, 844), touch=True)
    visitor.go(f"/m/{finished_match(server, visitor, deals=1)}")
    page = visitor.page
    visitor.button("page-last").click()
    hands, actor = page.locator("main section"), page.locator("main .turn")
    expect(hands).to_have_count(1)
    expect(actor).to_have_count(1)
    moves = page.get_by_role("list", name=visitor.say("page-moves"))
    melds = page.locator("main .groups")
    for part in (page.get_by_role("status").first, hands, melds, moves):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844, part
        assert box["height"] > 20
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    lit = moves.locator("[aria-pressed=true]").bounding_box()
    around = moves.bounding_box()
    assert lit is not None
    assert around is not None
    assert around["y"] <= lit["y"] <= around["y"] + around["height"]
    # Another's hand stays in sight when asked for, whoever acts.
    whose = page.get_by_role("group", name=visitor.say("page-replay-whose")).get_by_role("button")
    expect(whose).to_have_count(4)
    other = whose.and_(page.locator("[aria-pressed=false]")).first
    other.tap()
    name = hands.get_attribute("aria-label") or "nobody"
    visitor.button("page-first").click()
    for _ in range(4):
        visitor.button("page-forward").click()
        expect(hands).to_have_attribute("aria-label", name)


def test_a_position_from_its_line(visit: Visit) -> None:
    """From the address, from the field, and what is none; the hand of whom it does not tell is not
    there.
    """
    deal = play_deal("pagat", "greedy", seed=3)
    state = Deal.start(deal.rules, deal.layout)
    for seat, action in deal.public.actions[: len(deal.public.actions) // 2]:
        state = state.apply(action, seat)
    visitor = visit("Ayşe", size=(1280, 800))
    visitor.tolerate(r"400 \(Bad Request\)")
    page = visitor.page
    visitor.go(f"/position#{quote(position_of(view_of(state, 1)))}")
    hands = page.locator("main section .line:not(.old)")
    expect(hands).to_have_count(1)
    expect(hands.locator(".face")).to_have_count(state.public.sizes[1])
    expect(page.locator("main .groups .line")).to_have_count(len(state.public.table))
    line = page.get_by_label(visitor.say("page-position-line"))
    line.fill(position_of(state))
    visitor.button("page-position-show").click()
    expect(hands).to_have_count(4)
    assert unquote(page.url.partition("#")[2]) == position_of(state)
    line.fill("deal; paget")
    line.press("Enter")
    expect(page.get_by_role("alert").first).to_have_text(visitor.say("error-bad-position"))
    expect(hands).to_have_count(0)


def test_a_match_that_is_not_there(visit: Visit) -> None:
    visitor = visit("Ayşe")
    visitor.tolerate(r"404 \(Not Found\)")
    visitor.go("/m/nosuchtable1-1")
    expect(visitor.page.get_by_role("alert").first).not_to_be_empty()
    expect(visitor.button("page-my-matches")).to_be_visible()


def test_the_record_downloads(visit: Visit, server: LiveServer) -> None:
    visitor = visit("Ayşe")
    match = finished_match(server, visitor, deals=1)
    answer = visitor.context.request.get(f"/api/matches/{match}/record")
    assert answer.status == 200
    visitor.go("/matches")
    with visitor.page.expect_download() as waiting:
        visitor.page.get_by_role("link", name=visitor.say("page-record")).first.click()
    assert waiting.value.path().read_bytes() == answer.body()
