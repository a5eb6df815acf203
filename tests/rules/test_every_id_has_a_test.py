"""Every id of the catalogue of rules stands in the name of a test, and every such name is one."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from okey101.game import RuleSet
from okey101.game.ruleset import rule_of_field

HERE = Path(__file__).parent
SOURCES = HERE.parent.parent / "src" / "okey101"
IDS = (HERE / "ids.txt").read_text(encoding="utf-8").split()
LETTERS = "TDJMOUECPGRX"


@cache
def named_in_tests() -> set[str]:
    """The ids in the names of this folder's tests: ``test_U5_...``, ``test_R1_U2_...``."""
    found: set[str] = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                ids = re.match(rf"test((?:_[{LETTERS}]\d+)*)_", node.name)
                found.update(ids.group(1).split("_")[1:] if ids else ())
    return found


def test_the_list_of_ids_has_no_gap() -> None:
    assert len(IDS) == len(set(IDS)) == 75
    for letter in LETTERS:
        numbers = [int(i[1:]) for i in IDS if i[0] == letter]
        assert numbers == list(range(1, len(numbers) + 1)), letter


@pytest.mark.parametrize("rule", IDS)
def test_every_id_is_in_the_name_of_a_test(rule: str) -> None:
    assert rule in named_in_tests()


def test_no_test_names_an_unknown_id() -> None:
    assert named_in_tests() <= set(IDS)


def test_the_code_cites_known_ids_only() -> None:
    pattern = re.compile(rf'["(,; ]([{LETTERS}]\d{{1,2}})(?=["),;: ])')
    for name in ("refuse(", "Fine(", "_choice(", "_range(", "_partners("):
        for path in SOURCES.rglob("*.py"):
            for line in path.read_text(encoding="utf-8").splitlines():
                if name in line:
                    assert set(pattern.findall(line)) <= set(IDS), f"{path.name}: {line.strip()}"


def test_every_field_of_a_rule_set_cites_a_known_id() -> None:
    assert {rule_of_field(f.name) for f in fields(RuleSet)} <= set(IDS)
