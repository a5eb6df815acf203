"""The hardest level in the browser: offered once it is ready, and in time in all three seats."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from okey101.kernel import warm
from page.conftest import Visit
from page.hands import Hands, dealt_out, play_until
from page.visitors import PATIENCE_S
from server.live import LiveServer

pytest.importorskip("numba")

PACE_MS = 1_200
SHARE_MS = 5_000
"""What a bot may think at most before another's move is played for it."""


@pytest.fixture(scope="module")
def server(executable: str) -> Iterator[LiveServer]:
    """A server whose host lets the bot that searches play, at the pace of a real one."""
    warm().join()
    with LiveServer(search="on", bot_delay_ms=PACE_MS) as running:
        yield running


@pytest.mark.long
@pytest.mark.parametrize("language", ["tr", "en"])
def test_a_deal_against_three_that_search(visit: Visit, language: str) -> None:
    """No choice was late: each was the search's own, and nobody waited longer than five seconds."""
    ayse = visit("Ayşe", language=language)
    ayse.go("/")
    expert = ayse.button("page-bot-level", bot="champion")
    while not expert.is_visible():  # its process compiles, or loads what was compiled
        ayse.pump(1)
        ayse.go("/")
    expect(ayse.button("page-bot-level", bot="steady")).to_have_count(0)
    expert.click()
    expect(expert).to_have_attribute("aria-pressed", "true")
    ayse.button("page-play-bots").click()
    ayse.page.wait_for_url("**/t/*", timeout=PATIENCE_S * 1000)
    ayse.wait_table()
    assert [seat["bot"] for seat in ayse.model.table["seats"]] == [None, *["champion"] * 3]
    play_until([Hands(ayse)], lambda: dealt_out(ayse), patience_s=600)
    events = [message for message in ayse.heard if message["type"] == "event"]
    pauses = [
        later["at"] - earlier["at"]
        for earlier, later in pairwise(events)
        if later["what"]["kind"] == "act" and later["what"]["seat"] != 0
    ]
    by = {event["what"]["by"] for event in events if event["what"].get("seat")}
    assert len(pauses) > 3
    assert by == {"bot"}
    assert max(pauses) < SHARE_MS, pauses
