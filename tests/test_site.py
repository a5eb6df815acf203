"""The site: it builds without a warning, its examples can be pasted, its notebooks run."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conftest import only_long, ran_python, unwrap
from lints.reference import directives

ROOT = Path(__file__).resolve().parents[1]
SPHINX = ("-m", "sphinx", "-q", "-W", "--keep-going", "-c", ROOT / "docs" / "site")
REFERENCE = ROOT / "docs" / "api"
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


@pytest.fixture(scope="module")
def entries() -> ModuleType:
    """What the site does to the entries of the reference."""
    spec = spec_from_file_location("reference_entries", ROOT / "docs/site/reference_entries.py")
    assert spec is not None
    module = module_from_spec(spec)
    unwrap(spec.loader).exec_module(module)
    return module


def test_examples_of_the_reference_can_be_pasted(entries: ModuleType) -> None:
    """Each runs in a new interpreter, by the imports that the site puts before it."""
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, done, told = [], 0, io.StringIO()
    for face, names in directives().items():
        for name in names:
            thing = getattr(importlib.import_module(face), name)
            for found in doctest.DocTestFinder().find(thing, f"{face}.{name}", module=False):
                home = getattr(thing, "__module__", face)
                text = "\n".join(
                    entries.with_imports((found.docstring or "").splitlines(), face, home)
                )
                example = doctest.DocTestParser().get_doctest(text, {}, found.name, None, 0)
                run = doctest.DocTestRunner(optionflags=flags).run(example, out=told.write)
                done += 1
                if run.failed:
                    failed.append(found.name)
    assert failed == [], told.getvalue()
    assert done > 70


def test_constants_of_the_reference_have_their_text(entries: ModuleType) -> None:
    pages = {path.name: path.read_text("utf-8") for path in REFERENCE.glob("*.md")}
    silent, constants = [], 0
    for text in pages.values():
        module = ""
        for kind, name in re.findall(r"^\.\. (\w+):: ([\w.]+)$", text, re.MULTILINE):
            module = name if kind == "currentmodule" else module
            if kind == "autodata":
                constants += 1
                if not entries.text_of_constant(module, name):
                    silent.append(f"{module}.{name}")
    assert silent == []
    assert constants > 10


@pytest.mark.parametrize(
    ("language", "builder"), [("en", "dummy"), *only_long(["tr", "html"], ["en", "html"])]
)
def test_the_site_builds_without_a_warning(language: str, builder: str, tmp_path: Path) -> None:
    """Every link, picture and heading that a page leads to is there, or Sphinx warns.

    The dummy builder reads and checks all of that, and writes nothing.
    """
    pytest.importorskip("sphinx", reason="the site needs the group `docs` (make docs brings it)")
    command = (*SPHINX, "-b", builder, "-d", tmp_path / "trees")
    environ = {"OKEY101_SITE_LANGUAGE": language, "OKEY101_SITE_RUN": "0"}
    ran_python(*command, ROOT, tmp_path / "site", env=environ)
    if builder == "dummy":
        return
    assert "url=README" in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert (tmp_path / "site" / "searchindex.js").stat().st_size > 10_000


def test_a_link_to_nothing_is_found(tmp_path: Path) -> None:
    """The build that the test above leans on sees a dead link and a dead heading."""
    pytest.importorskip("sphinx", reason="the site needs the group `docs` (make docs brings it)")
    source = tmp_path / "pages"
    source.mkdir()
    (source / "README.md").write_text(
        "# A\n\n[gone](no-such-page.md) and [away](#no-such-heading)\n", "utf-8"
    )
    build = ran_python(*SPHINX, "-D", "root_doc=README", source, tmp_path / "site", ends=1)
    assert "no-such-page.md" in build.stderr
    assert "no-such-heading" in build.stderr


def test_files_that_readers_run_lie_in_the_site(tmp_path: Path) -> None:
    """A link to one leads to its copy, and one to a folder of pages or a notebook to a page."""
    pytest.importorskip("sphinx", reason="the site needs the group `docs` (make docs brings it)")
    source, site = tmp_path / "pages", tmp_path / "site"
    (source / "docs" / "en" / "tutorials").mkdir(parents=True)
    (source / "README.md").write_text(
        "# A\n\n[record](docs/en/tutorials/match.okey.json), [folder](docs/en/tutorials),"
        " [client](examples/client.py), [tests](tests/test_site.py)\n",
        "utf-8",
    )
    (source / "docs" / "en" / "tutorials" / "first-bot.md").write_text(
        "# B\n\n[record](match.okey.json)\n", "utf-8"
    )
    ran_python(*SPHINX, "-D", "root_doc=README", source, site)
    leads = {
        page: {
            text: href
            for href, text in re.findall(
                r'<a class="reference external" href="([^"]*)">(\w+)</a>',
                (site / page).read_text("utf-8"),
            )
        }
        for page in ("README.html", "docs/en/tutorials/first-bot.html")
    }
    assert leads["README.html"] == {
        "record": "docs/en/tutorials/match.okey.json",
        "folder": "docs/en/tutorials/first-bot.html",
        "client": "examples/client.py",
        "tests": "https://github.com/okey101/okey101/blob/main/tests/test_site.py",
    }
    below = leads["docs/en/tutorials/first-bot.html"]["record"]
    copy = (site / "docs" / "en" / "tutorials" / below).resolve()
    original = ROOT / "docs" / "en" / "tutorials" / "match.okey.json"
    assert copy.is_relative_to(site)
    assert copy.read_bytes() == original.read_bytes()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_runs(notebook: Path) -> None:
    """Its cells run one after the other; checked in without results, so that none is stale."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
            with contextlib.redirect_stdout(io.StringIO()):
                exec("".join(cell["source"]), names)
