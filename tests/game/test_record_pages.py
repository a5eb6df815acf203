"""The pages about the record name every field of its schema, and describe it correctly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from game.fair_match import fair_match
from okey101.game import PRESETS
from okey101.game.record import FORMAT, MAX_ACTIONS, MAX_BYTES, schema

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [DOCS / "en" / "record.md", DOCS / "tr" / "record.md"]
SCHEMA: dict[str, Any] = schema()


@pytest.mark.parametrize("page", PAGES, ids=["en", "tr"])
def test_every_field_is_named(page: Path) -> None:
    text = page.read_text("utf-8")
    rows = set(re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE))
    parts = SCHEMA["$defs"]
    assert rows == {
        *SCHEMA["properties"],
        *parts["deal"]["properties"],
        *parts["result"]["properties"],
    }
    for name in parts["fine"]["properties"]:
        assert f"`{name}`" in text
    assert f"`{FORMAT}`" in text


def test_the_numbers_are_those_of_the_code() -> None:
    text = PAGES[0].read_text("utf-8")
    assert f"{MAX_BYTES // 2**20} MiB" in text
    assert f"{MAX_ACTIONS:,} actions" in text


def test_a_result_is_like_the_example() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGES[0].read_text("utf-8"), re.DOTALL)
    shown = json.loads(example)
    assert list(shown) == [*SCHEMA["$defs"]["result"]["properties"]]
    assert list(shown["fines"][0]) == [*SCHEMA["$defs"]["fine"]["properties"]]


def test_whether_a_deal_counts_can_be_told_as_the_page_says() -> None:
    rules = PRESETS["pagat"]
    record = fair_match(rules, "counts", 6)
    for deal, after in zip(record.deals, record.deals[1:], strict=False):
        assert deal.result is not None
        assert deal.dealer is not None
        end = deal.result["end"]
        void = end == "all-pairs" or (end == "stock" and rules.empty_stock == "void_but_okeys")
        assert after.dealer == (deal.dealer if void else (deal.dealer + 1) % 4)
    order = ["R", "Y", "B", "K", "F", "*"]
    assert record.deals[0].hands is not None
    for hand in record.deals[0].hands:
        places = [(order.index(t[0]), int(t[1:] or 0)) for t in hand.split()]
        assert places == sorted(places)
