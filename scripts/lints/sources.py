"""Where everything lies, and how it is read: once for all checks."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "okey101"
DOCS = ROOT / "docs"
LANGUAGES = ("en", "tr")


def page(language: str, name: str) -> str:
    """A page of the documents."""
    return (DOCS / language / name).read_text("utf-8")


def section(text: str, title: str) -> str:
    """What stands on a page below a heading of the second level."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title}"
    return found.group(1)


@cache
def tree(path: Path) -> ast.Module:
    """What a file of Python says."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Every node of a file."""
    return [*ast.walk(tree(path))]


def nodes_below(folder: Path) -> Iterator[tuple[str, ast.AST]]:
    """Every node of every file below a folder, with the file's path from there."""
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        for node in nodes(path):
            yield name, node


def calls(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The name of every function that is called, and the words among its arguments."""
    for _, node in nodes_below(folder):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
            values = [a.value for a in node.args if isinstance(a, ast.Constant)]
            yield name, [value for value in values if isinstance(value, str)]


def none(found: Collection[object], *where: object) -> None:
    """Nothing was found that must not be there."""
    assert not found, f"{' '.join(map(str, where))} {sorted(map(str, found))}".strip()


def same(found: object, wanted: object, *where: object) -> None:
    """Two things are equal; sets are told by what one of them has alone."""
    if isinstance(found, set | frozenset) and isinstance(wanted, set | frozenset):
        none(found ^ wanted, *where)
    assert found == wanted, f"{' '.join(map(str, where))} {found} is not {wanted}".strip()
