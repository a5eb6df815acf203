"""A finished match, watched again: step by step, by jumps, by itself; and with its review."""

import asyncio
import copy
import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from conftest import aside, only_long, unwrap
from okey101 import Deal, play_deal, position_of, record_of, view_of
from okey101.cli.review.command import html_review
from okey101.game import PRESETS
from okey101.i18n import load
from okey101.review.matches import review_match
from okey101.review.puzzles import puzzle, puzzles_about
from okey101.server.files.data_dir import open_folder
from okey101.server.people.models import MatchSeat
from okey101.server.people.profile import deeds_of, found_of
from page.conftest import Visit
from page.scenes import finished_match, over, played_out
from page.test_access import SMALL, check, narrowed, untranslated, violations
from page.visitors import Visitor
from review.test_analysis import deal_with, played_on, short_deal
from server.accounts.people import PASSWORD, account, save, with_accounts
from server.accounts.test_profile import balance, reviewed as review_of
from server.live import Json, LiveServer


@pytest.mark.parametrize("language", ["tr", *only_long("en")])
def test_replay_by_step_jump_and_by_itself(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    match = finished_match(visitor)
    visitor.go("/matches")
    (line,) = visitor.context.request.get("/api/matches/").json()
    place = visitor.say("review-place", place=line["places"][line["seat"]])
    expect(visitor.page.get_by_role("listitem").locator("strong")).to_have_text(place)
    answer = visitor.context.request.get(f"/api/matches/{match}/record")
    with visitor.page.expect_download() as waiting:
        visitor.page.get_by_role("link", name=visitor.say("page-record")).first.click()
    assert waiting.value.path().read_bytes() == answer.body()
    visitor.button("page-watch-replay").first.click()
    slider = visitor.page.get_by_role("slider")
    expect(slider).to_have_value("0")
    assert visitor.page.url.endswith(f"/m/{match}")
    record = answer.json()
    first, second, *_ = record["deals"]  # what does not count is played again
    # On the table where it was played: one's own rack, sorted, and anybody else's when asked for.
    rack = visitor.page.get_by_role("grid").locator(".face")
    own = visitor.context.request.get(f"/api/matches/{match}").json()["seat"]
    expect(rack).to_have_count(len(first["hands"][own].split()))
    whose = visitor.field("page-replay-whose")
    expect(whose).to_have_value(str(own))
    starter = next(seat for seat, hand in enumerate(first["hands"]) if len(hand.split()) == 22)
    whose.select_option(str(starter))
    expect(rack).to_have_count(22)
    whose.select_option(str(own))
    visitor.button("page-forward").click()
    expect(slider).to_have_value("1")
    said = visitor.page.get_by_role("status").first
    expect(said).not_to_have_text(visitor.say("page-dealt"))
    visitor.button("page-back").click()
    expect(slider).to_have_value("0")
    visitor.button("page-last").click()
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    # At the end the scores stand beside how each opened; before, whose turn it is is lit.
    scores = visitor.page.locator(".plate .score").all_inner_texts()
    assert len(scores) == 4
    assert any(re.search(r"[1-9]", text) for text in scores), scores
    visitor.button("page-first").click()
    expect(visitor.page.locator(".plate.turn")).to_have_count(1)
    visitor.button("page-run").click()
    expect(slider).to_have_value("1")
    expect(slider).to_have_value("2")
    visitor.button("page-pause").click()
    visitor.page.get_by_role("heading", level=1).click()
    at = int(slider.input_value())
    visitor.page.locator("body").press("ArrowRight")
    expect(slider).to_have_value(str(at + 1))
    visitor.page.get_by_role("combobox").first.select_option(index=1)
    expect(slider).to_have_attribute("max", str(len(second["actions"])))
    expect(slider).to_have_value("0")
    _every_deal_is_checked(visitor, match, record)


def test_a_deal_is_played_again_from_a_move_on_with_one_tap(visit: Visit) -> None:
    """And what it came to stands beside what it came to then, against bots of a level that is
    chosen there: those of the deal, until another one is.
    """
    visitor = visit("Tekrar")
    page = visitor.page
    match = finished_match(visitor, deals=1)
    told = visitor.context.request.get(f"/api/matches/{match}/deals/0").json()
    visitor.go(f"/m/{match}")
    slider = page.get_by_role("slider")
    slider.fill("12")
    expect(slider).to_have_value("12")
    seated = visitor.context.request.get(f"/api/matches/{match}").json()["seats"][1]
    level = page.get_by_role("combobox", name=visitor.say("page-bots-level"))
    expect(level).to_have_value(seated.removeprefix("bot:"))
    level.select_option("novice")
    page.reload()
    expect(level).to_have_value("novice")
    slider.fill("12")
    page.set_viewport_size({"width": 360, "height": 640})
    assert (slider.bounding_box() or {"width": 0})["width"] > 60, "it leaves the slider its room"
    visitor.button("page-again").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    expect(page.get_by_role("grid").locator(".face")).not_to_have_count(0)
    played_out(visitor, table)
    page.reload()
    shown = visitor.context.request.get(f"/api/tables/{table}").json()["table"]
    now, then = shown["scores"]["deals"][0]["scores"][0], told["result"]["scores"][0]
    assert [seat["bot"] for seat in shown["seats"]] == [None, *["novice"] * 3]
    way = "better" if now < then else "worse" if now > then else "same"
    words = visitor.say("page-again-result", then=then, now=now, way=way, by=abs(now - then))
    expect(page.get_by_text(words)).to_be_visible()
    assert violations(visitor) == []
    visitor.button("page-again-more").click()
    page.wait_for_url(lambda url: not url.endswith(table))
    again = visitor.context.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
    assert again["table"]["seats"][1]["bot"] == "novice"
    assert len(visitor.context.request.get("/api/matches/").json()) == 1


def _every_deal_is_checked(visitor: Visitor, match: str, record: Json) -> None:
    """As far as somebody can who was not there; and a record that was changed is told."""
    ask = visitor.button("fair-button", state="unknown")
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


def test_replay_on_a_phone_shows_action_hand_and_melds_at_once(visit: Visit) -> None:
    """Without scrolling, the moves and the review one tap away."""
    visitor = visit("Ayşe", size=(390, 844), touch=True)
    visitor.go(f"/m/{finished_match(visitor, deals=1)}")
    page = visitor.page
    slider = page.get_by_role("slider")
    slider.fill(slider.get_attribute("max") or "")
    rack, felt = page.get_by_role("grid"), page.locator("[data-target=felt]")
    for part in (page.locator(".notice"), rack, felt, visitor.button("page-run")):
        box = unwrap(part.bounding_box())
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844, part
        assert box["height"] > 14
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390, part
    keys = ("page-back", "page-run", "page-forward")
    (stands,) = {unwrap(visitor.button(key).bounding_box())["y"] for key in keys}  # in one row
    assert stands < unwrap(rack.bounding_box())["y"], "the controls stand above the rack"
    # The thumb comes to the end of the track.
    assert slider.evaluate("(field) => getComputedStyle(field).padding") == "0px"
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    count = unwrap(page.locator(".controls .count").bounding_box())
    assert count["x"] + count["width"] <= unwrap(visitor.place("discard").bounding_box())["x"]
    visitor.button("page-moves").tap()
    moves = page.get_by_role("list", name=visitor.say("page-moves"))
    assert 0 <= unwrap(moves.locator("[aria-pressed=true]").bounding_box())["y"] <= 844
    visitor.button("page-replay-table").tap()
    # Another's hand stays in sight when asked for, whoever acts.
    page.get_by_label(visitor.say("page-replay-whose")).select_option("2")
    plate = page.locator(".plate.own")
    name = plate.get_attribute("aria-label") or "nobody"
    slider.fill("0")
    for _ in range(4):
        visitor.button("page-forward").tap()
        expect(plate).to_have_attribute("aria-label", name)


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
    line = page.get_by_label(visitor.say("page-position"))
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


THROWN = "R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 *"
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def _fill(data: Path) -> None:
    """A match of two short deals; somebody throws an okey, and a bot plays the second for all."""
    folder = open_folder(data)
    async with with_accounts(folder.path) as accounts:
        deals = [
            played_on(deal_with(THROWN, 3), first="discard *"),
            played_on(short_deal(8, 3, size=12)),
        ]
        player, _ = await accounts.guest("Fatma")
        results = [deal.result for deal in deals if deal.result is not None]
        record = record_of(deals[0].rules, deals)
        bots = tuple("bot:steady/1" for _ in record.deals[1].actions)
        record = replace(record, deals=(record.deals[0], replace(record.deals[1], actors=bots)))
        await accounts.save_match(
            table_id="t_x", number=1, finished_ms=1, rules=PRESETS["altinstar"], deals=2,
            seats=[MatchSeat(player.id), *[MatchSeat(bot="greedy")] * 3],
            totals=[sum(result.scores[seat] for result in results) for seat in range(4)],
            record=record.to_json().encode(),
        )  # fmt: skip
        hers, _ = await account(accounts, "Nermin Şen")
        match = await save(
            accounts, 2, MatchSeat(hers), *[MatchSeat(bot="greedy")] * 3, at=2, deals=2,
            record=record.to_json().encode(), deeds=deeds_of(deals[0].rules, deals),
        )  # fmt: skip
        terms = balance(-300, 100, 50, 40), balance(700, 200, 10, 90)
        await accounts.save_review(match, 2, b"{}", found_of(review_of(*enumerate(terms))))


@pytest.fixture(scope="module")
def reviewed(executable: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose reviews are quick, for they play little out."""
    data = tmp_path_factory.mktemp("reviewed") / "data"
    aside(asyncio.run, _fill(data))
    with LiveServer(data) as running:
        yield running


def opened(visitor: Visitor) -> Locator:
    """The review of the match, in its panel."""
    visitor.go("/m/t_x-1")
    visitor.button("page-review").click()
    panel = visitor.page.get_by_role("region", name=visitor.say("page-review"))
    expect(panel.locator(".luck")).to_be_visible()  # what was luck, and what was play
    return panel


@pytest.mark.parametrize("language", ["tr", *only_long("en")])
def test_a_blunder_is_marked_and_told(visit: Visit, reviewed: LiveServer, language: str) -> None:
    visitor = visit("Ayşe", reviewed, language=language)
    panel, page = opened(visitor), visitor.page
    moves = page.get_by_role("list", name=visitor.say("page-moves"))
    marks = moves.get_by_role("img", name=visitor.say("page-review-marked"))
    expect(marks.first).to_have_text("??")
    of_match = panel.get_by_role("heading", name=visitor.say("review-deal", number=1, count=2))
    expect(of_match).to_be_visible()  # the sheet has told the same of the whole match
    expect(panel.get_by_text(visitor.say("review-pick"))).to_be_visible()
    curve = panel.get_by_role("img").locator("text:not(.way)")
    # The way to a position is there for moves that nobody weighed as well.
    slider = page.get_by_role("slider")
    whose = page.get_by_label(visitor.say("page-replay-whose"))
    slider.fill("2")
    panel.locator(".now").get_by_role("button").click()
    expect(slider).to_have_value("1")
    expect(whose).to_have_value("1")
    whose.select_option("0")
    slider.fill("0")
    values = [int(text) for text in curve.all_text_contents()]
    assert len(values) > 1
    assert 0 in values
    # The mistake in one sentence, with its tiles drawn; how it was found is behind the details.
    worst = panel.get_by_role("listitem").first
    best = visitor.say(
        "review-action", verb="discard", tile=visitor.words("R9"), tiles="", points=0
    )
    expect(worst).to_contain_text(visitor.say("review-better-by", best=best, points=101))
    said = visitor.say("review-why-okey-thrown", tile="*", other="", points=101, need=0)
    expect(worst).to_contain_text(said)
    expect(worst.locator(".face")).to_have_count(2)
    details = panel.get_by_text(visitor.say("review-details"), exact=True)
    expect(panel.locator("table").first).to_be_hidden()
    details.click()
    # The terms that are shown add up to the score that is shown.
    rows = panel.locator("table").first.locator("tr").all()
    figures = [float(row.locator("td").first.inner_text().replace(",", ".")) for row in rows]
    assert round(sum(figures[:-1]), 6) == figures[-1]
    assert violations(visitor) == []
    # A mistake leads to its moment; the curve leads there too.
    slider.fill("4")
    worst.get_by_role("button").last.click()
    expect(slider).to_have_value("1")
    panel.get_by_role("img").last.click()
    expect(slider).not_to_have_value("1")
    # The other deal has other marks; the whole match is there as well.
    page.get_by_role("combobox").first.select_option(index=1)
    expect(moves.get_by_role("img", name="??")).to_have_count(0)
    by_bots = re.compile(visitor.say("review-by-others", count="1", all="1").replace("1", r"\d+"))
    expect(panel.get_by_text(by_bots)).to_be_visible()
    expect(panel.get_by_text(visitor.say("review-match"), exact=True)).to_be_visible()
    # Put away, it leaves no marks; opened again, it is there at once.
    visitor.button("page-review").click()
    expect(panel).to_have_count(0)
    expect(marks).to_have_count(0)


@pytest.mark.parametrize("language", [*only_long("tr"), "en"])
def test_a_mistake_is_played_better_on_the_table(
    visit: Visit, reviewed: LiveServer, language: str
) -> None:
    """From the review, of which nothing is cut off on a phone, to the moment before it, with the
    hand of then, and what a move is worth.
    """
    visitor = visit("Ayşe", reviewed, language=language, size=(390, 844), touch=True)
    panel = opened(visitor)
    assert visitor.page.evaluate(WIDER) <= 0
    expect(visitor.page.locator("header label span").first).to_be_in_viewport()
    assert visitor.page.evaluate(SMALL) == []
    panel.get_by_text(visitor.say("review-details"), exact=True).tap()
    assert visitor.page.evaluate(WIDER) <= 0
    assert violations(visitor) == []
    assert untranslated(visitor) == []
    panel.get_by_role("button", name=visitor.say("review-go"), exact=True).first.tap()
    coach = visitor.page.get_by_role("region", name=visitor.say("review-go"))
    played = visitor.say("review-action", verb="discard", tile=_okey(visitor), tiles="", points=0)
    expect(coach).to_contain_text(visitor.say("review-try", played=played))
    _leaves_a_table(visitor)
    expect(visitor.page.locator(".own .full")).to_be_visible()  # another's seat has a name
    expect(visitor.page.get_by_role("grid").locator(".face")).to_have_count(len(THROWN.split()))
    _thrown(visitor, _okey(visitor))
    expect(coach).to_contain_text(visitor.say("review-try-same"))
    _thrown(visitor, visitor.words("R9"))
    expect(coach).to_contain_text(visitor.say("review-try-best", points=101))
    for gone in ("review-show-best", "page-throw"):
        expect(visitor.button(gone)).to_have_count(0)
    assert violations(visitor) == []
    assert untranslated(visitor) == []
    visitor.button("review-back").tap()
    expect(coach).to_have_count(0)
    expect(visitor.page.get_by_role("slider")).to_have_value("1")
    # On a small screen the way to a move leads away from the review.
    panel = opened(visitor)
    panel.get_by_role("listitem").first.get_by_role("button").last.tap()
    expect(panel).to_have_count(0)
    expect(visitor.page.get_by_role("slider")).to_have_value("1")


def test_a_mistake_of_ones_own_is_asked_again(visit: Visit, reviewed: LiveServer) -> None:
    visitor = visit("Ayşe", reviewed, size=(390, 844), touch=True)

    def own(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | {"seat": 0})

    visitor.page.route("**/api/matches/t_x-1", own)
    opened(visitor)
    due = "JSON.parse(localStorage.getItem('okey101.mistakes'))[0].due"
    soon = visitor.page.evaluate(f"() => {due} - Date.now()") / 3_600_000
    assert 23 < soon <= 24
    kept = "localStorage.getItem('okey101.mistakes').replace(/\"due\":\\d+/, '\"due\":0')"
    visitor.page.evaluate(f"() => localStorage.setItem('okey101.mistakes', {kept})")
    visitor.go("/")
    waits = visitor.say("page-today-mistakes", count=1)
    expect(visitor.page.get_by_role("button", name=visitor.say("page-puzzle"))).to_contain_text(
        waits
    )
    visitor.page.get_by_role("button", name=visitor.say("page-puzzle")).tap()
    coach = visitor.page.get_by_role("region", name=visitor.say("page-puzzle"))
    expect(coach).to_contain_text(visitor.say("puzzle-again"))
    expect(visitor.page.get_by_role("grid").locator(".face")).to_have_count(len(THROWN.split()))
    _leaves_a_table(visitor)
    _thrown(visitor, visitor.words("R9"))
    best = visitor.say(
        "review-action", verb="discard", tile=visitor.words("R9"), tiles="", points=0
    )
    expect(coach).to_contain_text(visitor.say("puzzle-right", best=best))
    assert visitor.page.evaluate(f"() => {due} - Date.now()") / 86_400_000 > 6
    assert violations(visitor) == []
    assert untranslated(visitor) == []
    visitor.button("puzzle-next").first.tap()
    expect(coach).to_contain_text(visitor.say("puzzle-choices"))
    visitor.field("page-rule-set").select_option("pagat")
    visitor.page.wait_for_function(
        "numbers => numbers.includes(+location.hash.slice(1))", arg=puzzles_about(rules="pagat")
    )


_CRUSHED = """() => {
    const all = (query) => [...document.querySelectorAll(query)].map(
        (one) => one.getBoundingClientRect());
    const [felt] = all("[data-target=felt]");
    const [rack] = all("[role=grid]");
    const low = all(".plate, [data-source=stock]").filter(({ bottom }) => bottom > rack.top + 1);
    return [felt.height < 60, low.length, rack.bottom > innerHeight + 1];
}"""


def _leaves_a_table(visitor: Visitor) -> None:
    """On the smallest phones too there is room for melds below the words."""
    for width, height in ((360, 640), (844, 390), (390, 844)):
        visitor.resize(width, height)
        visitor.until(lambda: visitor.page.evaluate(_CRUSHED) == [False, 0, False])


def _okey(visitor: Visitor) -> str:
    """The okey of the deals in :func:`_fill`, in words."""
    return visitor.say("page-tile-okey-as", tile=visitor.say("page-tile", colour="R", number=5))


class _Reviews:
    """A match's review as this test tells it: each answer stays until the next is told."""

    def __init__(self, visitor: Visitor, match: str, answer: Json) -> None:
        self._visitor, self._clock = visitor, dt.datetime.now(dt.UTC)
        self._answer = self._given = answer
        visitor.page.clock.set_fixed_time(self._clock)
        visitor.page.route(f"**/api/matches/{match}/review", self._give)

    def _give(self, route: Route) -> None:
        self._given = self._answer
        route.fulfill(json=self._given)

    def tell(self, answer: Json, seconds: float = 0) -> None:
        """Answer with this from now on, so many seconds later by the page's clock."""
        self._clock += dt.timedelta(seconds=seconds)
        self._visitor.page.clock.set_fixed_time(self._clock)
        self._answer = answer
        self._visitor.until(lambda: self._given is answer, "the next answer")

    def work(self) -> None:
        """Half of the work is done, a quarter of it in the last two seconds."""
        self.tell(_working(0))
        self.tell(_working(10))
        self.tell(_working(20), seconds=2)


def _working(done: int) -> Json:
    return {"state": "working", "done": done, "total": 40}


@pytest.mark.parametrize("language", [*only_long("tr"), "en"])
def test_the_time_left_of_a_review_is_told_over_the_table(
    visit: Visit, reviewed: LiveServer, language: str
) -> None:
    visitor = visit("Ayşe", reviewed, language=language, size=(390, 844), touch=True)
    made = visitor.context.request.post("/api/matches/t_x-1/review")
    assert made.ok
    waiting = {"state": "waiting", "ahead": 2}
    reviews = _Reviews(visitor, "t_x-1", waiting)
    visitor.go("/m/t_x-1#review")
    panel = visitor.page.get_by_role("region", name=visitor.say("page-review"))
    expect(panel).to_contain_text(visitor.say("review-ahead", count=2))
    reviews.work()
    expect(panel.get_by_role("progressbar")).to_have_attribute("value", "20")
    expect(panel).to_contain_text(visitor.say("review-soon", seconds=5))
    expect(visitor.page.get_by_role("grid")).to_be_visible()
    _leaves_a_table(visitor)
    assert violations(visitor) == []
    visitor.page.unroute("**/api/matches/t_x-1/review")
    expect(panel.locator(".luck")).to_be_visible()
    expect(visitor.page.get_by_role("grid")).to_have_count(0)


@pytest.mark.parametrize("language", ["tr", *only_long("en")])
def test_the_sheet_says_what_was_luck_by_itself(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language, size=(390, 844))
    scene = over(visitor.server)
    match = f"{scene.view['table']['id']}-{scene.view['table']['match']}"
    part = {
        "seat": scene.view["you"]["seat"], "balance": {"deal": {"mean": -69.2}},
        "lost": {"mean": 10.4},
    }  # fmt: skip
    visitor.page.route("**/api/matches/", lambda route: route.fulfill(json=[{"id": match}]))
    done = {"state": "done", "review": {"summary": [part], "deals": []}}
    reviews = _Reviews(visitor, match, _working(0))
    scene.show(visitor)
    sheet = visitor.page.locator(".sheet")
    button = visitor.button("page-watch-replay")
    expect(button).to_be_visible()
    visitor.pump(0.5)  # the sheet comes up
    before = button.bounding_box()
    expect(sheet.get_by_role("progressbar")).to_be_visible()
    reviews.work()
    expect(sheet).to_contain_text(visitor.say("review-soon", seconds=5))
    assert button.bounding_box() == before, "nothing moves under the finger"
    reviews.tell(done)
    luck = visitor.say("review-luck", deal="helped", luck=69, play="lost", lost=10)
    expect(sheet.locator(".luck [role=status]")).to_have_text(luck)
    expect(sheet.get_by_role("progressbar")).to_have_count(0)
    assert button.bounding_box() == before
    assert violations(visitor) == []
    visitor.page.reload()  # kept on this device
    expect(sheet.locator(".luck [role=status]")).to_have_text(luck)


BUSY = {
    "ok": False,
    "error": {"code": "reviews-busy", "message": "busy", "rule": None, "details": {}},
}


def test_a_full_queue_is_told(visit: Visit, reviewed: LiveServer) -> None:
    visitor = visit("Ayşe", reviewed)
    visitor.tolerate(r"503")
    visitor.go("/m/t_x-1")
    visitor.page.route(
        "**/api/matches/t_x-1/review",
        lambda route: (
            route.fulfill(json={"state": "none", "done": 0, "total": 0})
            if route.request.method == "GET"
            else route.fulfill(status=503, json=BUSY)
        ),
    )
    visitor.button("page-review").click()
    alert = visitor.page.get_by_role("alert").filter(has_text=visitor.say("error-reviews-busy"))
    expect(alert).to_be_visible()


def test_the_written_review_fits_a_phone(browser: Browser) -> None:
    """The page of ``okey101 review --html``: each reason stands under its choice."""
    deal = played_on(deal_with(THROWN, 3), first="discard *")
    record = record_of(deal.rules, [deal])
    review = aside(review_match, record, seats=[0], worlds=8, policy="greedy")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    try:
        page.set_content(html_review(load("tr"), review, ["Ayşe", *"BCD"], 1))
        assert page.evaluate(WIDER) <= 0
        box = unwrap(page.get_by_text("okeyi attınız").first.bounding_box())
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        row = unwrap(page.locator("tr.large").first.bounding_box())
        assert box["width"] > row["width"] / 2, "it has the row's width"
    finally:
        page.close()


def _thrown(visitor: Visitor, words: str) -> None:
    rack = visitor.page.get_by_role("grid")
    rack.get_by_role("button", name=re.compile(f"^{re.escape(words)},")).first.tap()
    visitor.button("page-throw").tap()


@pytest.mark.parametrize("language", ["tr", *only_long("en")])
def test_what_would_you_play(visit: Visit, language: str) -> None:
    """From the start page to a position on the table; an answer, its reason, and the numbers."""
    visitor = visit("Ayşe", language=language, size=(390, 844), touch=True)
    visitor.go("/")
    visitor.page.get_by_role("button", name=visitor.say("page-puzzle")).tap()
    coach = visitor.page.get_by_role("region", name=visitor.say("page-puzzle"))
    expect(coach).to_contain_text(visitor.say("puzzle-choices"))
    number = next(
        one
        for one in puzzles_about("discards")
        if not {"*", "F"} & {move.split()[-1] for move in (puzzle(one).best, puzzle(one).played)}
        and puzzle(one).played.startswith("discard ")
    )
    asked = puzzle(number)
    visitor.go("/puzzle")
    visitor.page.wait_for_url(re.compile(r"#\d+$"))  # its own choice would take the place of ours
    visitor.page.evaluate("localStorage.removeItem('okey101.puzzles')")
    best = visitor.say(
        "review-action", verb="discard", tile=visitor.words(asked.best.split()[-1]), tiles="",
        points=0,
    )  # fmt: skip
    cost = asked.costs[asked.played]
    points, reach = (visitor.texts.written(f"{n / 10:.1f}") for n in (cost.tenths, cost.reach))
    wrong = visitor.say("puzzle-wrong", best=best, points=points, reach=reach)
    rating = ""
    for action, told in (
        (asked.played, wrong),
        (asked.best, visitor.say("puzzle-right", best=best)),
    ):
        visitor.go(f"/puzzle#{number}")
        visitor.page.reload()
        rack = visitor.page.get_by_role("grid").locator(".face")
        expect(rack).to_have_count(len(asked.hand.replace("/", "").split()))
        _leaves_a_table(visitor)
        felt = visitor.page.locator(".felt")
        room = felt.evaluate("felt => felt.clientHeight")
        _thrown(visitor, visitor.words(action.split()[-1]))
        expect(coach).to_contain_text(told)
        assert felt.evaluate("felt => felt.clientHeight") >= room, (
            "the words take none from the melds"
        )
        visitor.button("review-details").tap()
        # The first answer counts, whatever follows.
        ratings = coach.locator(".rated")
        expect(ratings).to_contain_text(rating or " ± ")
        rating = ratings.text_content() or ""
        score = visitor.page.locator("header .score")
        expect(score).to_have_text(visitor.say("puzzle-score", right=0, all=1))
    expect(coach.get_by_role("row")).to_have_count(len(asked.costs) + 1)
    assert violations(visitor) == []
    assert untranslated(visitor) == []
    visitor.button("puzzle-next").first.tap()
    expect(coach).to_contain_text(visitor.say("puzzle-choices"))


@pytest.mark.parametrize("language", ["tr", *only_long("en")])
@pytest.mark.parametrize("size", [(390, 844), *only_long((360, 640), (1440, 900))])
def test_a_figure_of_the_profile_leads_to_its_deals(
    visit: Visit, reviewed: LiveServer, language: str, size: tuple[int, int]
) -> None:
    """In one tap; others see it once it is open, and only then."""
    visitor = visit("Nermin", reviewed, language=language, size=size)
    other = visit("Kemal", reviewed, language=language)
    other.tolerate(r"404 \(Not Found\)")
    page = visitor.page
    sign_in = {"name": "Nermin Şen", "password": PASSWORD}
    assert visitor.context.request.post("/api/login", data=sign_in).ok
    assert visitor.context.request.patch("/api/me", data={"public": False}).ok
    other.go("/u/Nermin%20%C5%9Een")
    expect(other.page.get_by_role("alert")).to_have_text(other.say("error-no-profile"))
    visitor.go("/matches")
    visitor.button("page-profile").click()
    ledger = page.get_by_role("table", name=visitor.say("profile-ledger"))
    expect(ledger).to_be_visible()
    terms = ledger.locator("tr").all()[1:]
    tenths = [re.sub(r"[.,]", "", row.locator("td").first.inner_text()) for row in terms]
    *six, score = (int(text) for text in tenths)
    assert (sum(six), score) == (1300, 1300)
    fine = page.get_by_role("button", name=f"{visitor.say('page-fine-P1')}: 1")
    fine.click()
    expect(fine).to_have_attribute("aria-expanded", "true")
    assert not check(visitor, "profile") + narrowed(visitor, "profile")
    visitor.field("profile-public").check()
    worst = visitor.say("profile-unluckiest", points="").strip()
    page.locator("p", has_text=worst).get_by_role("link").click()
    whose = page.locator("header").get_by_role("combobox").first
    expect(whose).to_have_value("1")  # the second deal
    other.go("/u/Nermin%20%C5%9Een")
    expect(other.page.get_by_role("heading", name="Nermin Şen")).to_be_visible()
    expect(other.page.get_by_role("checkbox")).to_have_count(0)
    expect(other.text("page-fine-P1")).to_be_visible()
