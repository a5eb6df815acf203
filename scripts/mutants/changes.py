"""Every single change that may be made to the code, and a sample of them drawn by a seed.

What a change may be: ``<`` and ``<=``, ``>`` and ``>=``, ``==`` and ``!=``, ``is`` and ``in`` with
and without ``not``, ``and`` and ``or``, ``not`` left out, a condition turned round, ``+`` and
``-``, ``*`` and ``//``, ``&`` and ``|``, ``<<`` and ``>>``, an integer made one greater, a
truth value turned round. Left alone: annotations and type aliases, decorators (sizes of caches),
assertions (``strict`` of ``zip``, too), f-strings (what an error says), and what only a type
checker reads.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["FOLDERS", "PACKAGE", "ROOT", "Edit", "Mutant", "all_mutants", "drawn"]

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("src/okey101")
FOLDERS = ("game", "solver", "server/tables")

_OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.Mod: ("%", "//"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}


class Edit(NamedTuple):
    """A stretch of a file, in bytes, and what to put there."""

    start: int
    end: int
    text: str


class Mutant(NamedTuple):
    """One change, with all that is needed to make it and to name it."""

    path: str
    """Below ``src/okey101``."""
    line: int
    change: str
    """The line with the change in braces: ``if a {< → <=} b:``."""
    reach: tuple[int, int] | None
    """First and last line of the statement; None where it runs when the module is loaded."""
    name: str
    """What the statement gives a value to where it runs when the module is loaded, else nothing."""
    edits: tuple[Edit, ...]
    nth: int
    """Which of several changes that read alike in this file."""
    uses: tuple[int, ...] = ()
    """Lines of functions of the file that speak of ``name``."""

    @property
    def key(self) -> str:
        """A name that stays when the code around it moves."""
        return f"{self.path}: {self.change}" + (f" #{self.nth}" if self.nth else "")

    def rank(self, seed: int) -> bytes:
        """Its place in the sample: edits elsewhere do not draw another sample."""
        return hashlib.sha256(f"{seed} {self.key}".encode()).digest()

    def text(self, source: bytes) -> bytes:
        """The file with the change."""
        for edit in sorted(self.edits, reverse=True):
            source = source[: edit.start] + edit.text.encode() + source[edit.end :]
        return source


class _Finder(ast.NodeVisitor):
    """Walks through a module and notes every change that may be made to it."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.found: list[Mutant] = []
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._reach: tuple[int, int] | None = None
        self._name = ""
        self._inside = 0
        self._seen: dict[str, int] = {}

    def _span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._lines[node.lineno - 1] + node.col_offset,
            self._lines[node.end_lineno - 1] + node.end_col_offset,
        )

    def _add(self, *edits: Edit) -> None:
        """Note a change, named by the lines it touches."""
        first, last = edits[0], edits[-1]
        start = self.source.rfind(b"\n", 0, first.start) + 1
        end = self.source.find(b"\n", last.end)
        words, at = "", start
        for edit in edits:
            old = self.source[edit.start : edit.end].decode()
            words += self.source[at : edit.start].decode() + f"{{{old} → {edit.text}}}"
            at = edit.end
        words = " ".join((words + self.source[at:end].decode()).split())
        nth = self._seen[words] = self._seen.get(words, -1) + 1
        line = self.source.count(b"\n", 0, first.start) + 1
        self.found.append(Mutant(self.path, line, words, self._reach, self._name, edits, nth))

    def _between(self, left: ast.expr, right: ast.expr, operator: ast.AST) -> Edit | None:
        """The operator that stands between two operands, with what takes its place."""
        try:
            old, new = _OPERATORS[type(operator)]
        except KeyError:
            return None
        start, end = self._span(left)[1], self._span(right)[0]
        pattern = old if old[0].isalpha() else re.escape(old)
        match = re.search(pattern, self.source[start:end].decode())
        assert match is not None
        assert match.group().isascii()
        at = start + len(self.source[start:end].decode()[: match.start()].encode())
        return Edit(at, at + len(match.group()), new)

    def visit(self, node: ast.AST) -> None:
        """Keep in mind which statement a change belongs to."""
        if isinstance(node, ast.stmt) and not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ):
            before, self._reach, self._name = self._reach, None, ""
            if isinstance(node, ast.Assign | ast.AnnAssign) and not self._inside:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                self._name = ast.unparse(target)
            if self._inside:
                body = getattr(node, "body", None)
                last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
                self._reach = (node.lineno, last or node.lineno)
            super().visit(node)
            self._reach = before
        else:
            super().visit(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if any(ast.unparse(decorator) == "overload" for decorator in node.decorator_list):
            return  # for the type checker
        before = self._reach  # what a default is, those tell that call the function
        self._reach = (node.body[0].lineno, node.end_lineno or node.lineno)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._reach = before
        self._inside += 1
        for statement in node.body:
            self.visit(statement)
        self._inside -= 1

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """The body of a class, without bases and decorators."""
        inside, self._inside = self._inside, 0
        for statement in node.body:
            self.visit(statement)
        self._inside = inside

    def visit_Assert(self, node: ast.Assert) -> None:
        """Assertions are for the type checker."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """So is what ``zip`` is told to check."""
        if node.arg != "strict":
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Its parts have no places of their own before Python 3.12."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The value alone, unless it is a type itself."""
        if node.value is not None and ast.unparse(node.annotation) != "TypeAlias":
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """What ``cast`` and the makers of types are told is no behaviour."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in ("TypeVar", "NewType", "cast"):
            self.generic_visit(node)
        elif name == "cast":
            self.visit(node.args[1])

    def visit_Compare(self, node: ast.Compare) -> None:
        """Each comparison of a chain for itself."""
        for left, operator, right in zip(
            (node.left, *node.comparators), node.ops, node.comparators, strict=False
        ):
            edit = self._between(left, right, operator)
            assert edit is not None
            self._add(edit)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """All of ``a and b and c`` at once."""
        pairs = zip(node.values, node.values[1:], strict=False)
        edits = [self._between(left, right, node.op) for left, right in pairs]
        self._add(*(edit for edit in edits if edit is not None))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Arithmetic; not the unions of types, nor texts put together."""
        if isinstance(node.op, ast.BitOr) and (_is_type(node.left) or _is_type(node.right)):
            return
        if not any(
            isinstance(side, ast.JoinedStr | ast.Tuple | ast.List)
            or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
            for side in (node.left, node.right)
        ):
            edit = self._between(node.left, node.right, node.op)
            if edit is not None:
                self._add(edit)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """``+=`` and its like."""
        edit = self._between(node.target, node.value, node.op)
        if edit is not None:
            self._add(edit)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """``not`` left out."""
        if isinstance(node.op, ast.Not):
            start, _ = self._span(node)
            self._add(Edit(start, start + len("not"), ""))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """An integer made one greater, a truth value turned round."""
        if isinstance(node.value, bool):
            self._add(Edit(*self._span(node), str(not node.value)))
        elif isinstance(node.value, int):
            self._add(Edit(*self._span(node), str(node.value + 1)))

    def _turn_round(self, test: ast.expr) -> None:
        swapped = ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn
        if (
            isinstance(test, ast.Compare)
            and len(test.ops) == 1
            and isinstance(test.ops[0], swapped)
        ):
            return  # the change of its operator is the same
        if isinstance(test, ast.Constant) or (
            isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        ):
            return
        start, end = self._span(test)
        self._add(Edit(start, start, "not ("), Edit(end, end, ")"))

    def visit_If(self, node: ast.If) -> None:
        """A condition turned round."""
        if ast.unparse(node.test) not in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            self._turn_round(node.test)
            self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """The same of a loop."""
        self._turn_round(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """The same within an expression."""
        self._turn_round(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """The same where a comprehension chooses."""
        for test in node.ifs:
            self._turn_round(test)
        self.generic_visit(node)


def _is_type(node: ast.expr) -> bool:
    """Whether this stands for a type: ``X | None``, ``Draw | Take``."""
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, ast.Subscript):
        return _is_type(node.value)
    if isinstance(node, ast.BinOp):
        return _is_type(node.left) or _is_type(node.right)
    builtin = ("int", "str", "bytes", "bool", "float", "list", "dict", "tuple", "set")
    return isinstance(node, ast.Name) and (
        node.id in builtin or (node.id[0].isupper() and not node.id.isupper())
    )


def _uses(tree: ast.Module) -> dict[str, tuple[int, ...]]:
    """The lines of functions that speak of a name, by the name."""
    found: dict[str, list[int]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Name):
                    found.setdefault(node.id, []).append(node.lineno)
    return {name: (*lines,) for name, lines in found.items()}


def _run_when_loaded(tree: ast.Module) -> set[int]:
    """The lines of functions that make the values of the module: a test that loads it runs them."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    called = {
        ast.unparse(node.func)
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
    }
    return {
        line
        for function in functions
        if function.name in called
        for line in range(function.lineno, (function.end_lineno or 0) + 1)
    }


def all_mutants() -> list[Mutant]:
    """Every change that may be made, in the order of the files."""
    found: list[Mutant] = []
    for folder in FOLDERS:
        for file in sorted((ROOT / PACKAGE / folder).rglob("*.py")):
            source = file.read_bytes()
            finder = _Finder(file.relative_to(ROOT / PACKAGE).as_posix(), source)
            tree = ast.parse(source)
            finder.visit(tree)
            uses, loaded = _uses(tree), _run_when_loaded(tree)
            for mutant in finder.found:
                reach = None if mutant.line in loaded else mutant.reach
                found.append(mutant._replace(reach=reach, uses=uses.get(mutant.name, ())))
    return found


def drawn(seed: int, count: int, only: Sequence[str]) -> list[Mutant]:
    """The sample, in the order of the files; ``only`` keeps files, folders or lines."""
    kept = [m for m in all_mutants() if not only or any(_named(m, place) for place in only)]
    chosen = sorted(kept, key=lambda m: m.rank(seed))[:count]
    return sorted(chosen, key=lambda m: (m.path, m.line, m.edits))


def _named(mutant: Mutant, place: str) -> bool:
    path, _, line = place.partition(":")
    path = path.removeprefix(f"{PACKAGE}/").rstrip("/")
    inside = mutant.path == path or mutant.path.startswith(f"{path}/")
    return inside and (not line or int(line) == mutant.line)
