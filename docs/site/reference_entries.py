"""Makes entries of the reference whole: examples that can be pasted, and constants with their text.

An example in a docstring uses the names of its own module. On the site it begins with the imports
that it needs, from where the entry's heading says that they are. The text of a constant stands
below its assignment, wherever the package takes it from.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import importlib
import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["text_of_constant", "with_imports"]

_PAGE: Final = re.compile(r"(?<![\w/])`*(docs/en/[\w/-]+)\.md`*")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", _complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _complete(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    module = name
    while module and module not in sys.modules:
        module = module.rpartition(".")[0]
    if not module:
        return
    if what == "data":
        text = text_of_constant(module, name.removeprefix(f"{module}."))
        if text is not None:
            lines[:] = [*text.splitlines(), ""]
    home = getattr(thing, "__module__", module)
    lines[:] = [_PAGE.sub(r":doc:`/\1`", line) for line in with_imports(lines, module, home)]


def with_imports(lines: list[str], module: str, home: str = "") -> list[str]:
    """A docstring whose example begins with what it has to import.

    Names come from ``module``, where readers find what is described, or from the module ``home``
    that the docstring stands in; LookupError for a name that neither has.
    """
    first = next((at for at, line in enumerate(lines) if line.lstrip().startswith(">>> ")), None)
    if first is None:
        return lines
    margin = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for name in _missing("\n".join(lines)):
        wanted[_where(name, module, home)].add(name)
    imports = [f"{margin}>>> from {place} import {', '.join(sorted(wanted[place], key=_order))}"
               for place in sorted(wanted)]  # fmt: skip
    return [*lines[:first], *imports, *lines[first:]]


def _missing(text: str) -> Iterator[str]:
    """Names that examples read before they give them a value."""
    known = {*vars(builtins), "_"}
    for example in doctest.DocTestParser().get_examples(text):
        tree = ast.parse(example.source)
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        made |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                made |= {(one.asname or one.name).partition(".")[0] for one in node.names}
            elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler):
                made.add(node.name or "")
        yield from (node.id for node in names if node.id not in known | made)
        known |= made | {node.id for node in names}


def _where(name: str, module: str, home: str) -> str:
    """The module that a reader imports a name from: the package's face before what is inside."""
    for place in ("okey101", module, home):
        if place and name in getattr(importlib.import_module(place), "__all__", ()):
            return place
    if home and hasattr(importlib.import_module(home), name):
        return home
    raise LookupError(f"an example of {module} needs {name}, which is not there")


def _order(name: str) -> tuple[bool, bool, str]:
    """Constants, classes, functions: as the house sorts imports."""
    return (not name.isupper(), not name[0].isupper(), name)


@cache
def _parsed(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(importlib.import_module(module)))


def text_of_constant(module: str, name: str) -> str | None:
    """What stands below the assignment of a name that a module has or imports; None for nothing."""
    body = _parsed(module).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(one, ast.Name) and one.id == name for one in targets):
            told = after.value if isinstance(after, ast.Expr) else None
            text = told.value if isinstance(told, ast.Constant) else None
            return inspect.cleandoc(text) if isinstance(text, str) else None
    for node in ast.walk(_parsed(module)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if any(one.name == name for one in node.names):
                return text_of_constant(node.module, name)
    return None
