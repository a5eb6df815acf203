"""A hint in one tap: what to do and why, done in a second one; and what a hand opens with."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from page.conftest import Visit
from page.scenes import Laid
from page.test_access import check
from page.visitors import PATIENCE_S, Visitor
from rules.table import MELDS, NEUTRAL, table

expect.set_options(timeout=PATIENCE_S * 1000)


def _at_a_table(visitor: Visitor) -> None:
    """Alone against bots, at the own turn."""
    answer = visitor.context.request.post("/api/play", data={"clock": 0, "deals": 1})
    visitor.go(f"/t/{answer.json()['table']}")
    visitor.wait_table()
    visitor.until(lambda: visitor.model.options, "the own turn")


@pytest.mark.parametrize(
    ("language", "size"),
    [("tr", (390, 844)), pytest.param("en", (844, 390), marks=pytest.mark.long)],
)
def test_a_hint_says_what_and_why_and_is_done_in_a_tap(
    visit: Visit, language: str, size: tuple[int, int]
) -> None:
    visitor = visit("Ayşe", language=language, size=size)
    _at_a_table(visitor)
    seq = visitor.model.seq
    visitor.button("hint-button").click()
    card = visitor.page.get_by_role("group", name=visitor.say("hint-button"))
    expect(card).to_be_visible()
    shown, buttons = card.bounding_box(), visitor.page.get_by_role("toolbar").bounding_box()
    assert shown is not None
    assert buttons is not None
    assert shown["y"] + shown["height"] <= buttons["y"], "it names the buttons"
    (answer,) = [m for m in visitor.heard if m["type"] == "answer" and m["what"] == "hint"]
    why = visitor.say(
        f"hint-why-{answer['reason']['code']}",
        tile=visitor.words(answer["reason"]["tile"]) if answer["reason"]["tile"] else "",
        points=answer["reason"]["points"],
        need=answer["reason"]["need"],
    )
    expect(card).to_contain_text(why)
    told = visitor.page.locator(".line [role=status]")
    expect(told).to_contain_text(why)
    line = visitor.page.locator(".notice")
    expect(line).not_to_contain_text(why)  # it stands on the card, and would be cut here
    faults = check(visitor, "hint")
    visitor.button("hint-follow").click()
    visitor.until(lambda: visitor.model.seq > seq, "what was advised")
    assert any(m.get("action") == answer["action"] for m in visitor.sent)
    expect(card).to_be_hidden()
    expect(told).not_to_contain_text(why)  # it is no longer true
    assert not faults, "\n".join(faults)


def test_what_opens_is_laid_out_on_the_rack(visit: Visit) -> None:
    visitor = visit("Ayşe", size=(844, 390))
    hand = " ".join(reversed(MELDS.replace("/ ", "").split()))
    stage = Laid(table("altinstar", [f"{hand} B3 B5", "K2 K4 K6 K8"], stock=NEUTRAL, starter=1))
    stage.show(visitor)
    visitor.button("hint-button").click()
    words = visitor.say("hint-opening-found", form="melds", points=108, need=101)
    expect(visitor.page.locator(".line [role=status]")).to_contain_text(words)
    rows = [tile for tile in visitor.slots() if tile]
    assert rows[:9] == MELDS.replace("/ ", "").split()


def test_no_hint_where_the_owner_wants_none(visit: Visit) -> None:
    visitor = visit("Ayşe", size=(844, 390))
    made = visitor.make(hints=False, clock=0, deals=1, bots=[None, "greedy", "greedy", "greedy"])
    visitor.go(f"/t/{made}")
    visitor.button("page-start").click()
    visitor.wait_table()
    expect(visitor.button("hint-button")).to_have_count(0)
