"""The review in the replay: asked for once, its marks in the list of moves, and what they say."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from okey101.cli.review.report import html_review
from okey101.game import record_of
from okey101.i18n import load
from okey101.review.matches import review_match
from okey101.server.files.data_dir import open_folder
from okey101.server.people import Accounts, MatchSeat
from page.conftest import Visit
from page.test_access import SMALL, untranslated, violations
from page.visitors import PATIENCE_S, Visitor
from review.positions import deal_with, played_on, short_deal
from server.live import LiveServer

expect.set_options(timeout=PATIENCE_S * 1000)
THROWN = "R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 *"


async def _fill(data: Path) -> None:
    """A match of two short deals; somebody throws an okey, and a bot plays the second for all."""
    folder = open_folder(data)
    accounts = await Accounts.open(folder.accounts)
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
        table_id="t_x", number=1, finished_ms=1, preset="altinstar", deals=2,
        seats=[MatchSeat(player.id), *[MatchSeat(bot="greedy")] * 3],
        totals=[sum(result.scores[seat] for result in results) for seat in range(4)],
        record=record.to_json().encode(),
    )  # fmt: skip
    await accounts.close()


@pytest.fixture(scope="module")
def server(executable: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose reviews are quick, for they play little out."""
    data = tmp_path_factory.mktemp("reviewed") / "data"
    with ThreadPoolExecutor(1) as pool:  # Playwright's loop runs in this thread
        pool.submit(lambda: asyncio.run(_fill(data))).result()
    with LiveServer(data) as running:
        yield running
        assert "Traceback" not in running.log, running.log


def opened(visitor: Visitor) -> None:
    visitor.go("/m/t_x-1")
    visitor.button("page-review").click()
    panel = visitor.page.get_by_role("region", name=visitor.say("page-review"))
    expect(panel.get_by_text(visitor.say("review-term-par")).first).to_be_visible()


@pytest.mark.parametrize("language", ["tr", pytest.param("en", marks=pytest.mark.long)])
def test_a_blunder_is_marked_and_told(visit: Visit, language: str) -> None:
    visitor = visit("Ayşe", language=language)
    opened(visitor)
    page = visitor.page
    panel = page.get_by_role("region", name=visitor.say("page-review"))
    moves = page.get_by_role("list", name=visitor.say("page-moves"))
    marks = moves.get_by_role("img", name=visitor.say("page-review-marked"))
    expect(marks.first).to_have_text("??")
    expect(panel.get_by_text(visitor.say("review-pick"))).to_be_visible()
    values = [int(text) for text in panel.get_by_role("img").locator("text").all_text_contents()]
    assert len(values) > 1
    assert 0 in values
    moves.get_by_role("button").first.click()
    said = visitor.say("review-why-okey-thrown", tile="*", other="", points=101, need=0)
    expect(panel).to_contain_text(said)
    # The terms that are shown add up to the score that is shown.
    rows = panel.locator("table").first.locator("tr").all()
    figures = [
        float(row.locator("td").first.inner_text().replace(",", ".").replace("−", "-"))
        for row in rows
    ]
    assert round(sum(figures[:-1]), 6) == figures[-1]
    assert violations(visitor) == []
    # A choice in the list leads to its moment; the curve leads there too.
    page.get_by_role("slider").fill("4")
    panel.get_by_role("list").get_by_role("button").first.click()
    expect(page.get_by_role("slider")).to_have_value("1")
    panel.get_by_role("img").last.click()
    expect(page.get_by_role("slider")).not_to_have_value("1")
    # The other deal has other marks; the whole match is there as well.
    page.get_by_role("combobox").first.select_option(index=1)
    expect(moves.get_by_role("img", name="??")).to_have_count(0)
    by_bots = re.compile(visitor.say("review-by-others", count="1", all="1").replace("1", r"\d+"))
    expect(panel.get_by_text(by_bots)).to_be_visible()
    panel.get_by_text(visitor.say("review-match"), exact=True).click()
    expect(panel.locator("details table")).to_be_visible()
    # Put away, it leaves no marks; opened again, it is there at once.
    visitor.button("page-review").click()
    expect(panel).to_have_count(0)
    expect(marks).to_have_count(0)


def test_on_a_phone_nothing_is_cut_off(visit: Visit) -> None:
    visitor = visit("Ayşe", size=(390, 844), touch=True)
    opened(visitor)
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert visitor.page.evaluate(wide) <= 0
    panel = visitor.page.get_by_role("region", name=visitor.say("page-review"))
    assert visitor.page.evaluate(SMALL) == []
    panel.get_by_role("list").get_by_role("button").first.click()
    assert violations(visitor) == []
    assert untranslated(visitor) == []


BUSY = {
    "ok": False,
    "error": {"code": "reviews-busy", "message": "busy", "rule": None, "details": {}},
}


def test_a_full_queue_is_told(visit: Visit) -> None:
    visitor = visit("Ayşe")
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
    with ThreadPoolExecutor(1) as pool:  # the kernel warms where no loop runs
        made = pool.submit(review_match, record, seats=[0], worlds=8, policy="greedy")
    review = made.result()
    page = browser.new_page(viewport={"width": 390, "height": 844})
    try:
        page.set_content(html_review(load("tr"), review, ["Ayşe", *"BCD"], 1))
        wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0
        why = page.get_by_text("okeyi attınız").first
        box = why.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        row = page.locator("tr.large").first.bounding_box()
        assert row is not None
        assert box["width"] > row["width"] / 2, "it has the row's width"
    finally:
        page.close()
