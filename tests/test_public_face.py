"""The names a newcomer meets: all there, all documented, and each meaning one thing."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import okey101
import okey101.game
import okey101.solver

ROOT = Path(__file__).resolve().parents[1]
GUIDE = (ROOT / "docs" / "en" / "library.md").read_text("utf-8")
CORE = sorted(
    path
    for name in ("tiles.py", "melds.py", "solver/*.py", "game/*.py")
    for path in (ROOT / "src" / "okey101").glob(name)
)
WORDS = {
    "PackedRack": "pack",
    "Kind": "kind",
    "TileCode": "code",
    "Piece": "piece",
    "Pieces": "piece",
    "KindMask": "mask",
}
"""The word by which a docstring names each type of integer."""
BARE = {"bits", "hand", "hands", "okey", "tile", "must", "twin", "indicator", "piece", "mask"}
"""Parameters that are always one of these types."""


def test_every_name_is_there() -> None:
    assert len(set(okey101.__all__)) == len(okey101.__all__)
    for name in okey101.__all__:
        assert getattr(okey101, name) is not None
    assert set(okey101.__all__) <= set(dir(okey101))


@pytest.mark.parametrize("name", okey101.__all__)
def test_the_library_guide_tells_of_every_name(name: str) -> None:
    assert re.search(rf"\b{name}\b", GUIDE), f"docs/en/library.md says nothing of {name}"


@pytest.mark.parametrize("package", ["okey101", "okey101.game", "okey101.solver", "okey101.bots"])
def test_no_module_hides_behind_a_name(package: str) -> None:
    module = importlib.import_module(package)
    inside = {found.name for found in pkgutil.iter_modules(module.__path__)}
    assert inside & set(module.__all__) == set()


def test_what_ends_in_bits_is_packed_and_nothing_else() -> None:
    for name in okey101.solver.__all__:
        value = getattr(okey101.solver, name)
        if inspect.isfunction(value):
            first, *_ = inspect.signature(value).parameters.values()
            assert first.annotation == ("PackedRack" if name.endswith("_bits") else "Rack"), name


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from functions(node.body)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("path", CORE, ids=lambda p: str(p.relative_to(ROOT / "src" / "okey101")))
def test_integers_are_named_in_signatures_and_docstrings(path: Path) -> None:
    for function in functions(ast.parse(path.read_text("utf-8")).body):
        taken = [*function.args.args, *function.args.kwonlyargs]
        for argument in taken:
            if argument.arg in BARE and argument.annotation is not None:
                told = ast.unparse(argument.annotation)
                assert told not in ("int", "int | None", "tuple[int, ...]"), function.name
        shown = [a.annotation for a in taken] + [function.returns]
        names = {
            node.id
            for annotation in shown
            if annotation is not None
            for node in ast.walk(annotation)
            if isinstance(node, ast.Name)
        }
        text = (ast.get_docstring(function) or "").lower()
        for name in names & set(WORDS):
            assert WORDS[name] in text, f"{function.name} does not say that it means {name}"
