"""The size of the house and of its documents, before they were made small and now.

``make bench ARGS=house`` counts the files that git has at :data:`BEFORE` and at HEAD, and plays
``scripts/count_hops.py`` of each with its own sources.
"""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

from benchmarks.measure import table

__all__ = ["report"]

BEFORE = "7fcbc79"
"""The last revision before the house was made small."""
ROOT = Path(__file__).resolve().parents[1]
_HOPS = re.compile(r": (\d+) files, (\d+) calls between them, (\d+) in all")


def report() -> str:
    """The section of results.md."""
    with tempfile.TemporaryDirectory() as folder:
        found, words = [], []
        for name in (BEFORE, "HEAD"):
            place = Path(folder) / name
            packed = subprocess.run(
                ["git", "archive", name], cwd=ROOT, check=True, capture_output=True
            ).stdout
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                archive.extractall(place, filter="data")
            found.append(_counted(place))
            words.append(_words(place))
    rows = [(what, f"{before:,}", f"{found[1][what]:,}") for what, before in found[0].items()]
    return "\n".join(
        [
            "## The house",
            "",
            f"Counted in the files of git, before ({BEFORE}) and now. A folder's imports are those",
            "from files of other folders. A discard is counted by `scripts/count_hops.py`.",
            "",
            table(("what", "before", "now"), rows),
            "",
            "Words by page, code and tables included (`wc -w`):",
            "",
            table(("page", "before", "now"), _compared(*words)),
        ]
    )


def _counted(place: Path) -> dict[str, int]:
    """Every figure of a revision that lies in this folder."""
    package = place / "src" / "okey101"
    sources = {path: path.read_text("utf-8") for path in sorted(package.rglob("*.py"))}
    lengths = [text.count("\n") for text in sources.values()]
    trees = {path: ast.parse(text) for path, text in sources.items()}
    between, pairs = _imports(package, trees)
    tests = _lines(place, "tests", "*.py")
    config = tomllib.loads((place / "pyproject.toml").read_text("utf-8"))
    contracts = config["tool"]["importlinter"]["contracts"]
    return {
        "lines of `src`": sum(lengths),
        "lines of docstrings in it": sum(map(_docstrings, trees.values())),
        "files of `src`": len(lengths),
        "of at most 80 lines": sum(length <= 80 for length in lengths),
        "files beside the folders of `okey101`": _beside(package),
        "of `server`": _beside(package / "server"),
        "of `game`": _beside(package / "game"),
        "imports between folders": between,
        "pairs of folders of which one imports the other": pairs,
        "contracts of import-linter": len(contracts),
        "imports that they ignore": sum(len(c.get("ignore_imports", ())) for c in contracts),
        **_hops(place),
        "lines of `tests`": sum(tests),
        "files of `tests`": len(tests),
        "lines of `scripts` and `benchmarks`": sum(
            sum(_lines(place, top, "*.py")) for top in ("scripts", "benchmarks")
        ),
        "lines of the page (`web/src`)": sum(
            sum(_lines(place, "web/src", kind)) for kind in ("*.ts", "*.svelte")
        ),
    }


def _words(place: Path) -> dict[str, int]:
    """The words of each page that people read, by its path; generated lists are left out."""
    pages = [*place.glob("*.md"), *(place / "docs").rglob("*.md")]
    return {
        path.relative_to(place).as_posix(): len(path.read_text("utf-8").split())
        for path in pages
        if "api" not in path.parts and path.name != "codes.md"
    }


def _compared(before: dict[str, int], now: dict[str, int]) -> list[tuple[str, str, str]]:
    """A row for each page of either revision, the longest first, and their sums."""
    pages = sorted(before | now, key=lambda page: -max(before.get(page, 0), now.get(page, 0)))
    told = [f"{old[page]:,}" if page in old else "-" for page in pages for old in (before, now)]
    rows = list(zip(pages, told[::2], told[1::2], strict=True))
    return [*rows, ("all", f"{sum(before.values()):,}", f"{sum(now.values()):,}")]


def _lines(place: Path, top: str, kind: str) -> list[int]:
    return [path.read_text("utf-8").count("\n") for path in (place / top).rglob(kind)]


def _beside(folder: Path) -> int:
    return len(list(folder.glob("*.py"))) - 1


def _docstrings(tree: ast.Module) -> int:
    """The lines of all docstrings of a file."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    found = (ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, kinds))
    return sum(text.count("\n") + 1 for text in found if text)


def _imports(package: Path, trees: dict[Path, ast.Module]) -> tuple[int, int]:
    """The imports of a file from another folder of the package, and the pairs of such folders."""
    found: list[tuple[str, str]] = []
    for path, tree in trees.items():
        own = path.parent.relative_to(package.parent).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("okey101"):
                wanted = package.parent / str(node.module).replace(".", "/")
                folder = wanted if wanted.is_dir() else wanted.parent
                found.append((own, folder.relative_to(package.parent).as_posix()))
    other = [pair for pair in found if pair[0] != pair[1]]
    return len(other), len(set(other))


def _hops(place: Path) -> dict[str, int]:
    """What a discard goes through, and the action that ends a deal."""
    told = subprocess.run(
        [sys.executable, "scripts/count_hops.py"], cwd=place, check=True, capture_output=True,
        text=True, env=os.environ | {"PYTHONPATH": "src"},
    ).stdout  # fmt: skip
    discard, end = (tuple(map(int, found)) for found in _HOPS.findall(told))
    return {
        "files that a discard goes through": discard[0],
        "calls from one of them to another": discard[1],
        "all its calls": discard[2],
        "files at a deal's end": end[0],
        "calls from one of these to another": end[1],
    }
