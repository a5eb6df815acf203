"""The layers hold: who may import whom, and what every module has to have."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "okey101"
CORE = ("_lazy_names", "_pictures", "errors", "tiles", "melds", "solver", "game")


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


@cache
def tree(path: Path) -> ast.Module:
    """What a file says, read once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> Iterator[str]:
    """What a file imports, wherever in it; ``from m import x`` counts as ``m`` and ``m.x``."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_floors() -> None:
    run = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


DOORS = {
    "okey101.game.deal": {"okey101.game.legal_actions", "okey101.game.transition"},
}
"""What the methods of a value import when they are called: the rules above it, and nothing else."""


@pytest.mark.parametrize("name", DOORS)
def test_doors_open_only_when_called(name: str) -> None:
    def at_import(body: list[ast.stmt]) -> Iterator[str]:
        for node in body:
            if isinstance(node, ast.ImportFrom):
                yield node.module or ""
            elif isinstance(node, ast.ClassDef):
                yield from at_import(node.body)

    path = MODULES[name]
    assert set(imports_of(path)) >= DOORS[name]
    assert not DOORS[name] & set(at_import(tree(path).body))


def test_no_circle_between_files() -> None:
    graph = {}
    for name, path in MODULES.items():
        targets = {t for t in imports_of(path) if t in MODULES} - DOORS.get(name, set())
        graph[name] = {
            t
            for t in targets
            # `from package import module` needs the module; the package is loaded on the way.
            if t != name and not any(other.startswith(f"{t}.") for other in targets)
        }
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize(
    "name", [m for m in MODULES if m.split(".")[1:2] and m.split(".")[1] in CORE]
)
def test_core_imports_the_standard_library_alone(name: str) -> None:
    allowed = {*sys.stdlib_module_names, "okey101"}
    assert {t.partition(".")[0] for t in imports_of(MODULES[name])} <= allowed


def test_importing_the_package_imports_the_core_alone() -> None:
    code = (
        "import sys; before = set(sys.modules); import okey101, json;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = json.loads(run.stdout)
    ours = [m for m in loaded if m.startswith("okey101.")]
    assert [m for m in ours if m.split(".")[1] not in CORE] == []
    others = {m.partition(".")[0] for m in loaded} - {"okey101"}
    assert others <= set(sys.stdlib_module_names)


def _without_all(name: str) -> str:
    """What is wrong with a module's ``__all__``, empty where nothing is."""
    found = tree(MODULES[name])
    if not any(not isinstance(node, ast.Expr | ast.ImportFrom) for node in found.body):
        return ""  # a package that holds modules and no names of its own
    names = [
        ast.literal_eval(node.value)
        for node in found.body
        if isinstance(node, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)
    ]
    if len(names) != 1:
        return f"{name} has no __all__"
    if any(isinstance(n, ast.FunctionDef) and n.name == "__getattr__" for n in found.body):
        return ""
    defined = set()
    for node in ast.walk(found):
        match node:
            case ast.Name(id=known) | ast.ClassDef(name=known):
                defined.add(known)
            case ast.FunctionDef(name=known) | ast.AsyncFunctionDef(name=known):
                defined.add(known)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                defined |= {alias.asname or alias.name for alias in aliases}
    unknown = {*names[0]} - defined
    return f"{name} has no {', '.join(sorted(unknown))}" if unknown else ""


def test_public_modules_have_all() -> None:
    public = [name for name in MODULES if not name.rpartition(".")[2].startswith("_")]
    assert [fault for name in public if (fault := _without_all(name))] == []


def test_files_have_a_docstring_and_one_subject() -> None:
    silent = [name for name, path in MODULES.items() if not ast.get_docstring(tree(path))]
    assert silent == [], "these say nothing of what they are"
    grown = [name for name, path in MODULES.items() if path.read_bytes().count(b"\n") > 600]
    assert grown == [], "these have grown beyond one subject"


def test_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


# The page that describes the layers ------------------------------------------------------------

PAGE = (ROOT / "docs" / "en" / "architecture.md").read_text("utf-8")
DECISIONS = ROOT / "docs" / "adr"
NAMED = re.compile(r"(?<![\w/.-])[\w.-]+(?:/[\w.-]+)+\.(?:py|ts|svelte|md|txt|json)\b")


def section(title: str) -> str:
    """What stands on the page below a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, title
    return found.group(1)


@pytest.mark.parametrize(
    ("title", "contract"),
    [("The floors of the package", "floors"), ("The floors of the server", "server-floors")],
)
def test_the_page_has_the_floors_of_the_contracts(title: str, contract: str) -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(c["layers"] for c in config["contracts"] if c["id"] == contract)
    # Rooms of one floor that may import each other have a colon between them, others a stroke.
    known = {":": "yes", "|": "no", "": ""}
    wanted = [
        (set(re.findall(r"\w+", layer)), known["".join(sorted(set(re.findall(r"[:|]", layer))))])
        for layer in layers
    ]
    rows = [
        row.strip("|").split("|") for row in re.findall(r"^\| `.*", section(title), re.MULTILINE)
    ]
    shown = [(set(re.findall(r"`(\w+)`", row[0])), row[1].strip()) for row in rows]
    assert shown == wanted


def test_the_page_tells_of_every_room() -> None:
    for title, folder in (
        ("The floors of the package", PACKAGE),
        ("The floors of the server", PACKAGE / "server"),
    ):
        there = {
            path.stem
            for path in folder.iterdir()
            if path.suffix == ".py" or (path / "__init__.py").is_file()
        }
        rows = "\n".join(re.findall(r"^\| `.*", section(title), re.MULTILINE))
        assert {n for n in there if n[0] != "_"} <= set(re.findall(r"`(\w+)`", rows))


def test_every_file_that_the_page_names_exists() -> None:
    for path in [ROOT / "docs" / "en" / "architecture.md", *DECISIONS.glob("*.md")]:
        text = path.read_text("utf-8")
        named = NAMED.findall(re.sub(r"\]\([^)]*\)", "]", text))
        assert named or path.name == "README.md", path
        roots = (ROOT, PACKAGE)
        missing = [n for n in named if not any((root / n).is_file() for root in roots)]
        assert missing == [], path
        links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)]
        broken = [n for n in links if ":" not in n and not (path.parent / n).exists()]
        assert broken == [], path


def test_every_catalogue_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(\w+\.ftl)`", PAGE))
    assert named
    for language in ("tr", "en"):
        assert named <= {path.name for path in (PACKAGE / "locales" / language).iterdir()}


def test_the_decisions_are_listed_and_have_the_usual_parts() -> None:
    index = (DECISIONS / "README.md").read_text("utf-8")
    pages = sorted(DECISIONS.glob("[0-9]*.md"))
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    assert re.findall(r"\]\((\d[^)]+)\)", index) == [page.name for page in pages]
    for page in pages:
        lines = page.read_text("utf-8").splitlines()
        heads = [line for line in lines if line.startswith("#")]
        number = int(page.name[:4])
        assert heads[0].startswith(f"# {number}. ")
        assert heads[1:] == ["## Status", "## Context", "## Decision", "## Consequences"], page
        assert 25 <= len(lines) <= 45, (page.name, len(lines))


# Names ----------------------------------------------------------------------------------------

# `server/protocol/open_side.py` makes structs from the typed dictionaries, and names them the same.
TWO_FORMS = {"okey101.game.open_side_json", "okey101.server.protocol.open_side"}
SAME_NAME = dict.fromkeys(("FineView", "GroupView", "Sheet"), TWO_FORMS)
"""Classes that may share a name, with the modules they are in."""


def test_no_two_classes_share_a_name() -> None:
    homes: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, set()).add(module)
    assert {name: where for name, where in homes.items() if len(where) > 1} == SAME_NAME
