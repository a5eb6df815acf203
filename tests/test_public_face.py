"""``import okey101``: the names it offers, what they cost, and how values show themselves."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import okey101

SOURCE = Path(okey101.__file__)


@pytest.mark.parametrize("name", okey101.__all__)
def test_every_name_is_there(name: str) -> None:
    value = getattr(okey101, name)
    assert name in dir(okey101)
    home = okey101._HOME.get(name)
    assert home is None or value is getattr(import_module(home), name)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == set(okey101._HOME) == set(okey101.__all__) - {"__version__"}


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = okey101.nonsense


def test_a_newcomer_s_first_steps() -> None:
    code = (
        "from okey101 import *\n"
        "rack = Rack.parse('R7 R8 R9 *', okey=Tile.B6)\n"
        "assert best_value(rack.bits, Tile.B6) == 34\n"
        "match = Match.new(RuleSet(), deals=1, seed=bytes(32))\n"
        "deal = match.deal()\n"
        "options = options_of(deal)\n"
        "deal = apply(deal, options.actions()[0])\n"
        "record = record_of(RuleSet(), [deal])\n"
        "assert replay(parse_record(record.to_json())).deals[0] == deal\n"
        "view = view_of(deal, 0)\n"
        "assert '<svg' in view._repr_svg_()\n"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(SOURCE.parents[1])}
    )


def test_values_show_themselves_in_notebooks() -> None:
    match = okey101.Match.new(okey101.RuleSet(), deals=1, seed=bytes(32))
    deal = match.deal()
    for value in (
        okey101.Rack.parse("R7 F *"),
        okey101.parse_group("R7 R8 R9"),
        okey101.view_of(deal, 1),
        okey101.view_of(deal, None),
        deal,
    ):
        svg = value._repr_svg_()
        assert svg is not None
        assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        html = value._repr_html_()
        assert html is not None
        assert svg in html


def test_values_are_text_where_nobody_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("okey101._pictures._drawers", [])
    rack = okey101.Rack.parse("R7")
    assert (rack._repr_svg_(), rack._repr_html_()) == (None, None)


def test_a_deal_shows_no_hidden_tile() -> None:
    rules = okey101.RuleSet()
    deal = okey101.Match.new(rules, deals=1, seed=bytes(32)).deal()
    assert deal._repr_svg_() == okey101.view_of(deal, None)._repr_svg_()
