"""The rooms of the package, and the pages that tell of them."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from dataclasses import fields

from lints.sources import DOCS, PACKAGE, ROOT, nodes_below, none, page, same, section, tree
from okey101.game import RuleSet
from okey101.game.ruleset import rule_of_field

CORE = ("errors", "tiles", "melds", "solver", "game")
PAGE = page("en", "architecture.md")
DECISIONS = DOCS / "adr"
NAMED = re.compile(r"(?<![\w/.-])[\w.-]+(?:/[\w.-]+)+\.(?:py|ts|svelte|md|txt|json)\b")
FLOORS = {"The floors of the package": "floors", "The floors of the server": "server-floors"}
ROOTS = {
    "": {"__main__", "errors", "melds", "testing", "tiles"},
    "server": {"errors", "hub", "presence", "serve", "settings"},
}
"""The files beside a package's folders; all else lies in a folder that says its subject."""
RULES = ROOT / "tests" / "rules"
IDS = (RULES / "ids.txt").read_text("utf-8").split()
LETTERS = "TDJMOUECPGRX"


def check_the_core_imports_the_standard_library_alone() -> None:
    """The core needs Python and nothing else (ADR 9)."""
    allowed = {*sys.stdlib_module_names, "okey101"}
    for file, node in nodes_below(PACKAGE):
        if file.partition("/")[0].removesuffix(".py") not in CORE:
            continue
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        none({name for name in names if name.partition(".")[0] not in allowed}, file)


def check_the_roots_hold_few_files() -> None:
    """A package's root holds its face and little beside it, and the house has at most 300 files."""
    for folder, files in ROOTS.items():
        found = {path.stem for path in (PACKAGE / folder).glob("*.py")} - {"__init__"}
        same(found, files, folder or "okey101")
    assert len(list((PACKAGE / "game").glob("*.py"))) <= 24, "game has more than 24 files"
    assert len(list(PACKAGE.rglob("*.py"))) <= 300, "the package has more than 300 files"
    assert (PACKAGE / "py.typed").is_file(), "py.typed is missing"


def check_one_short_file_knows_the_inner_parts_of_numba() -> None:
    """What Numba doesn't promise stands in one file of at most 150 lines."""
    inner = {
        file
        for file, node in nodes_below(PACKAGE)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba.core")
    }
    same(inner, {"kernel/inside.py"})
    lines = (PACKAGE / "kernel/inside.py").read_text("utf-8").count("\n")
    assert lines <= 150, f"kernel/inside.py has {lines} lines"


def check_no_file_has_state_that_is_set_from_outside() -> None:
    """What a server or a process has is in objects that are handed on."""
    for room in ("server", "work", "client"):
        for file, node in nodes_below(PACKAGE / room):
            assert not isinstance(node, ast.Global), f"{room}/{file} sets a global"


def check_the_page_has_the_floors_of_the_contracts() -> None:
    """The tables of architecture.md are the layers that import-linter checks, with every room."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    # Rooms of one floor that may import each other have a colon between them, others a stroke.
    known = {":": "yes", "|": "no", "": ""}
    for title, contract in FLOORS.items():
        layers = next(c["layers"] for c in config["contracts"] if c["id"] == contract)
        wanted = [
            (set(re.findall(r"\w+", one)), known["".join(sorted(set(re.findall(r"[:|]", one))))])
            for one in layers
        ]
        rows = re.findall(r"^\| `.*", section(PAGE, title), re.MULTILINE)
        cells = [row.strip("|").split("|") for row in rows]
        same([(set(re.findall(r"`(\w+)`", c[0])), c[1].strip()) for c in cells], wanted, title)
        folder = PACKAGE / "server" if contract == "server-floors" else PACKAGE
        rooms = {
            path.stem
            for path in folder.iterdir()
            if path.suffix == ".py" or (path / "__init__.py").is_file()
        }
        told = set(re.findall(r"`(\w+)`", "\n".join(rows)))
        none({room for room in rooms if room[0] != "_"} - told, title, "says nothing of")


def check_contributing_has_the_floors_of_the_contract() -> None:
    """CONTRIBUTING names every floor of the package, the lowest first."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(c["layers"] for c in config["contracts"] if c["id"] == "floors")
    house = section((ROOT / "CONTRIBUTING.md").read_text("utf-8"), "The house")
    told = iter(re.findall(r"`(\w+)`", house.partition(" There is no circle")[0]))
    for layer in reversed(layers):
        rooms = set(re.findall(r"\w+", layer))
        same({next(told, "") for _ in rooms}, rooms, "the floors in CONTRIBUTING.md")
    none([*told], "more than the floors")


def check_a_newcomer_finds_what_to_change() -> None:
    """Each file of CONTRIBUTING's table is among the first five that its everyday word finds."""
    text = section((ROOT / "CONTRIBUTING.md").read_text("utf-8"), "Where a thing is changed")
    rows = re.findall(r"^\| [^|]+ \| (\w+) \| `(\S+)` \|$", text, re.MULTILINE)
    same(len(rows), 20, "things to change")
    made = {"_web", "__pycache__"}
    names = sorted(
        path.relative_to(ROOT).as_posix()
        for top in ("src", "web/src")
        for path in (ROOT / top).rglob("*")
        if path.is_file() and not made & {*path.parts}
    )
    for word, wanted in rows:
        found = [name for name in names if word in name.lower()][:5]
        assert wanted in found, f"{word} finds {found}, not {wanted}"


def check_every_file_that_a_page_names_exists() -> None:
    """What architecture.md and the decisions name and link to is there."""
    for path in [DOCS / "en" / "architecture.md", *DECISIONS.glob("*.md")]:
        text = path.read_text("utf-8")
        named = NAMED.findall(re.sub(r"\]\([^)]*\)", "]", text))
        assert named or path.name == "README.md", f"{path.name} names no file"
        none([n for n in named if not any((r / n).is_file() for r in (ROOT, PACKAGE))], path.name)
        links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)]
        none([n for n in links if ":" not in n and not (path.parent / n).exists()], path.name)
    catalogues = set(re.findall(r"`(\w+\.ftl)`", PAGE))
    assert catalogues, "architecture.md names no catalogue"
    for folder in (PACKAGE / "i18n").glob("[a-z][a-z]"):
        none(catalogues - {path.name for path in folder.iterdir()}, folder.name)


def check_the_decisions_have_the_usual_parts() -> None:
    """Decisions are numbered and listed without a gap, of 25 to 45 lines, each in four parts."""
    pages = sorted(DECISIONS.glob("[0-9]*.md"))
    same([int(one.name[:4]) for one in pages], list(range(1, len(pages) + 1)))
    index = (DECISIONS / "README.md").read_text("utf-8")
    same(re.findall(r"\]\((\d[^)]+)\)", index), [one.name for one in pages])
    for one in pages:
        lines = one.read_text("utf-8").splitlines()
        first, *rest = (line for line in lines if line.startswith("#"))
        assert first.startswith(f"# {int(one.name[:4])}. "), f"{one.name}: {first}"
        same(rest, ["## Status", "## Context", "## Decision", "## Consequences"], one.name)
        assert 25 <= len(lines) <= 45, f"{one.name} has {len(lines)} lines"


def check_every_id_is_in_the_name_of_a_test() -> None:
    """Each id of the rules stands in the name of a test (``test_U5_...``), and no other does."""
    assert len(IDS) == len(set(IDS)) == 78, "the list of ids"
    for letter in LETTERS:
        numbers = [int(i[1:]) for i in IDS if i[0] == letter]
        same(numbers, list(range(1, len(numbers) + 1)), letter)
    named: set[str] = set()
    for path in RULES.glob("test_*.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef):
                ids = re.match(rf"test((?:_[{LETTERS}]\d+)*)_", node.name)
                named.update(ids.group(1).split("_")[1:] if ids else ())
    same(named, set(IDS))


def check_the_code_cites_known_ids() -> None:
    """Refusals, fines and fields of a rule set carry ids of the list (ADR 4)."""
    pattern = re.compile(rf'["(,; ]([{LETTERS}]\d{{1,2}})(?=["),;: ])')
    citing = re.compile(r"\b(refuse|Fine|_choice|_range|_partners)\(")
    for path in PACKAGE.rglob("*.py"):
        for line in path.read_text("utf-8").splitlines():
            if citing.search(line):
                none(set(pattern.findall(line)) - set(IDS), path.name)
    none({rule_of_field(field.name) for field in fields(RuleSet)} - set(IDS))
