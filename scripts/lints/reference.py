"""The guides and the reference tell of every public name, and names mean one thing."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator

import okey101.solver
from lints.sources import DOCS, PACKAGE, none, page, same, tree

REFERENCE = DOCS / "api"
FACES = (
    "okey101",
    "okey101.bots",
    "okey101.client",
    "okey101.envs",
    "okey101.kernel",
    "okey101.review",
    "okey101.sim.arena",
    "okey101.testing",
)
NOT_FOR_READERS = {
    "GreedyBot",  # a bot to derive from
    "Rack", "TILES", "bot_seed", "canonical", "commitment", "day_instance", "day_mix",
    "deal_from_seed", "first_dealer", "match_seed", "results_of", "round_seed", "seat_commitment",
    "testing", "transcript", "__version__", "PRESETS", "RULES_VERSION",
}  # fmt: skip
"""Names that guides import and that are described in a guide of their own, or by a sentence."""
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


def directives() -> dict[str, set[str]]:
    """By module, the names that the reference describes."""
    found: dict[str, set[str]] = {}
    for one in REFERENCE.glob("*.md"):
        module = ""
        for kind, name in re.findall(r"^\.\. (\w+):: ([\w.]+)$", one.read_text("utf-8"), re.M):
            if kind == "currentmodule":
                module = name
            else:
                found.setdefault(module, set()).add(name)
    return found


def check_every_public_name_is_in_the_reference_with_an_example() -> None:
    """Described or shown, with an example in its docstring or on a page; and nothing else is."""
    pages = [one.read_text("utf-8") for one in REFERENCE.glob("*.md")]
    for face in FACES:
        module = importlib.import_module(face)
        described = directives().get(face, set())
        for name in module.__all__:
            shown = re.compile(rf"^(>>>|\.\.\. ).*\b{name}\b", re.MULTILINE)
            on_a_page = any(shown.search(text) for text in pages)
            assert name in described or on_a_page, f"{face}.{name} is missing"
            example = on_a_page or ">>>" in (getattr(module, name).__doc__ or "")
            assert example, f"{face}.{name} has no example"
        none(described - set(module.__all__), face)


def check_what_the_guides_import_is_in_the_reference() -> None:
    """The check above goes by packages; guides also import from modules within them."""
    described = {name for names in directives().values() for name in names}
    used = {
        name.strip()
        for one in (DOCS / "en").rglob("*.md")
        for names in re.findall(
            r"^(?:>>> )?from okey101[\w.]* import ([\w, ]+)$", one.read_text("utf-8"), re.MULTILINE
        )
        for name in names.split(",")
    }
    assert "meaning" in used, "nothing is found in the guides"
    shown = "\n".join(one.read_text("utf-8") for one in REFERENCE.glob("*.md"))
    unknown = {n for n in used - described if not re.search(rf"^>>> .*\b{n}\b", shown, re.M)}
    none(unknown - NOT_FOR_READERS)


def check_the_library_guide_tells_of_every_name() -> None:
    """docs/en/library.md says something of each name of the package's face."""
    guide = page("en", "library.md")
    none([name for name in okey101.__all__ if not re.search(rf"\b{name}\b", guide)])


def check_no_module_hides_behind_a_name() -> None:
    """No public name is the name of a module beside it."""
    for package in ("okey101", "okey101.game", "okey101.solver", "okey101.bots"):
        module = importlib.import_module(package)
        none({one.name for one in pkgutil.iter_modules(module.__path__)} & {*module.__all__})


def check_what_ends_in_bits_is_packed_and_nothing_else() -> None:
    """The solver's functions take tiles, or a packed rack where their names end in ``_bits``."""
    for name in okey101.solver.__all__:
        value = getattr(okey101.solver, name)
        if inspect.isfunction(value):
            first, *_ = inspect.signature(value).parameters.values()
            same(first.annotation, "PackedRack" if name.endswith("_bits") else "AnyTiles", name)


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """The public functions and methods of a module."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from functions(node.body)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def check_integers_are_named_in_signatures_and_docstrings() -> None:
    """In the core no bare int stands for a tile, and a docstring says which integer it means."""
    core = ("tiles.py", "melds.py", "solver/*.py", "game/*.py")
    for path in (path for name in core for path in PACKAGE.glob(name)):
        for function in functions(tree(path).body):
            taken = [*function.args.args, *function.args.kwonlyargs]
            for argument in taken:
                if argument.arg in BARE and argument.annotation is not None:
                    told = ast.unparse(argument.annotation)
                    bare = told in ("int", "int | None", "tuple[int, ...]")
                    assert not bare, f"{path.name}: {function.name}: {argument.arg}"
            shown = [one for one in (*(a.annotation for a in taken), function.returns) if one]
            names = {n.id for one in shown for n in ast.walk(one) if isinstance(n, ast.Name)}
            text = (ast.get_docstring(function) or "").lower()
            silent = [name for name in names & set(WORDS) if WORDS[name] not in text]
            none(silent, f"{path.name}: {function.name} does not say")
