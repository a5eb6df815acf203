"""Bots choose the same for the same view and seed: on every Python, in every process."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import okey101.bots
from conftest import ran_python
from okey101.bots import BOTS, bot_of_mark, make_bot
from okey101.bots.fallback import FALLBACK_VERSION, fallback_action
from okey101.game import Deal, Options, RuleSet, apply, deal_from_seed, parse_line, view_of
from okey101.game.fair.rounds import bot_seed

ROOT = Path(__file__).resolve().parents[2]
VECTORS: dict[str, Any] = json.loads(
    Path(__file__).with_name("choices.json").read_text(encoding="utf-8")
)
DEALS = VECTORS["deals"]
DOORS = {"process_bot", "program", "registry"}
"""How bots are found and run; they choose nothing themselves."""
FILES = sorted(
    path for path in Path(okey101.bots.__file__).parent.glob("*.py") if path.stem not in DOORS
)
CLOCKS = {"time", "datetime", "os", "secrets", "uuid", "threading", "locale", "platform", "decimal"}


@pytest.mark.parametrize("number", range(len(DEALS)))
def test_every_bot_chooses_as_written(number: int) -> None:
    """Where this fails a bot's version has to be raised, or the bot differs between Pythons."""
    written = DEALS[number]
    rules = RuleSet.from_dict(written["rules"])
    deal = Deal.start(
        rules, deal_from_seed(rules, bytes.fromhex(written["seed"]), written["dealer"])
    )
    wanted = {choice["after"]: choice for choice in written["choices"]}
    assert wanted
    for at, text in enumerate(written["actions"]):
        given, action = parse_line(text)
        seat = deal.turn
        assert given == seat
        if at in wanted:
            assert wanted[at]["seat"] == seat
            view = view_of(deal, seat)
            secret = bytes.fromhex(written["secret"])
            own = bot_seed(secret, VECTORS["table"], 1, number, 0, seat)
            for name, info in BOTS.items():
                chosen = str(make_bot(name, own).choose(view, Options(view)))
                assert chosen == wanted[at][info.mark], (name, at)
            assert str(fallback_action(view)) == wanted[at][f"fallback/{FALLBACK_VERSION}"]
        deal = apply(deal, action, seat)
    assert deal.over


def test_the_vectors_are_of_every_bot_and_of_choices_that_differ() -> None:
    marks = [*(info.mark for info in BOTS.values()), f"fallback/{FALLBACK_VERSION}"]
    assert VECTORS["bots"] == marks
    choices = [choice for deal in DEALS for choice in deal["choices"]]
    assert len(choices) > 200
    assert sum(choice["greedy/1"] != choice["steady/1"] for choice in choices) > 20
    words = {choice["steady/1"].split()[0] for choice in choices}
    assert {"take", "draw", "meld", "lay", "discard"} <= words
    assert {deal["rules"]["preset"] for deal in DEALS} == {"altinstar", "pagat", "wiki"}


def test_the_vectors_are_what_their_script_writes() -> None:
    """In a process of its own, so with other hashes of texts and empty caches."""
    ran_python(ROOT / "scripts" / "make_bot_vectors.py", "--check")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_no_bot_looks_at_a_clock_or_adds_up_floats_by_what_differs(path: Path) -> None:
    """``**`` of floats is the system's, ``sum`` of floats the Python's: neither decides."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = {getattr(node, "module", None), *(alias.name for alias in node.names)}
            assert not modules & CLOCKS
        assert not isinstance(getattr(node, "op", None), ast.Pow)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("sum", "set", "hash"):
            words = {
                leaf.id if isinstance(leaf, ast.Name) else leaf.attr
                for leaf in ast.walk(node)
                if isinstance(leaf, ast.Name | ast.Attribute)
            }
            assert not words & {"weight", "chance", "mean", "share"}
            assert not any(
                isinstance(leaf, ast.Constant) and isinstance(leaf.value, float)
                for leaf in ast.walk(node)
            )


def test_a_bot_is_known_by_its_version() -> None:
    for name, info in BOTS.items():
        assert info.mark == f"{name}/{info.version}"
        assert bot_of_mark(info.mark) is info
        assert bot_of_mark(f"{name}/{info.version + 1}") is None
        assert bot_of_mark(name) is None
    assert bot_of_mark("deep-blue/1") is None
    assert bot_of_mark("") is None
