"""Makes pages of a repository's own Markdown: its links, its pictures, and a table of contents.

On the site a link to a page leads to that page, one to a page in the other language to the other
half of the site, one to a folder of pages to the first of them, one to a file that readers run or
read to the copy that the site has of it, and one to any other file to the repository. A link to
nothing is a warning, and ``make docs`` fails at warnings.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sphinx.util import logging
from sphinx.util.matching import Matcher

if TYPE_CHECKING:
    from sphinx.application import Sphinx

REPOSITORY: Final = "https://github.com/okey101/okey101"
RAW: Final = "https://raw.githubusercontent.com/okey101/okey101/main/"
ROOT: Final = Path(__file__).resolve().parents[2]
OTHERS: Final = {"en": ("README.tr.md", "docs/tr/**.md"), "tr": ("README.md", "docs/en/**.md")}
"""The pages of the other language's half."""
WAY_OVER: Final = {"en": "tr/", "tr": "../"}
"""From the root of one half to the root of the other."""
DOWNLOADS: Final = (
    "clients/js/example.mjs",
    "deploy/*",
    "docs/*.json",
    "docs/*.mjs",
    "docs/en/tutorials/*.json",
    "examples/*.py",
    "examples/bots/*",
)
"""Files that readers run or read: the site has a copy of each, so that it needs no network."""

CONTENTS: Final[dict[str, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    "en": (
        (
            "Begin",
            (
                "docs/en/how-do-i",
                "docs/en/install",
                "docs/en/tutorials/first-bot",
                "docs/en/tutorials/first-environment",
                "docs/en/tutorials/server-at-home",
                "docs/en/tutorials/own-client",
                "docs/en/tutorials/check-a-deal",
                "docs/en/notebooks/deals",
                "docs/en/notebooks/racks",
            ),
        ),
        (
            "Play",
            (
                "docs/en/rules/altinstar",
                "docs/en/rules/pagat",
                "docs/en/rules/wiki",
                "docs/en/rulings",
                "docs/en/fairness",
                "docs/en/command-line",
                "docs/en/review",
            ),
        ),
        (
            "Host",
            (
                "docs/en/hosting",
                "docs/en/privacy-notice",
                "docs/en/security",
                "docs/en/compatibility",
            ),
        ),
        (
            "Program",
            (
                "docs/en/library",
                "docs/en/from-python-chess",
                "docs/api/index",
                "docs/en/record",
                "docs/en/dealing",
                "docs/en/protocol",
                "docs/en/client",
                "clients/js/README",
                "docs/en/codes",
            ),
        ),
        (
            "Research",
            (
                "docs/en/bots",
                "docs/en/report",
                "docs/en/strength",
                "docs/en/arena",
                "docs/en/kernel",
                "docs/en/envs",
                "docs/en/from-openspiel",
                "benchmarks/results",
            ),
        ),
        (
            "The house",
            (
                "docs/en/architecture",
                "docs/adr/README",
                "CONTRIBUTING",
                "CHANGELOG",
                "SECURITY",
            ),
        ),
    ),
    "tr": (
        (
            "Oyna",
            (
                "docs/tr/how-do-i",
                "docs/tr/install",
                "docs/tr/rules/altinstar",
                "docs/tr/rules/pagat",
                "docs/tr/rules/wiki",
                "docs/tr/rulings",
                "docs/tr/fairness",
                "docs/tr/command-line",
                "docs/tr/review",
            ),
        ),
        ("Sunucu", ("docs/tr/hosting", "docs/tr/privacy-notice", "docs/tr/security")),
        ("Programla", ("docs/tr/record", "docs/tr/protocol", "docs/tr/codes")),
    ),
}
"""The parts of each half and their pages, in reading order; a page not written yet is left out."""
BELOW: Final = {
    "docs/adr/README": "docs/adr/[0-9]*",
    "docs/api/index": "docs/api/*",
    "benchmarks/results": "benchmarks/*",
}
"""Pages under a page: they are found by it, and stand beneath it."""

RULES: Final = {"en": "Rules", "tr": "Kurallar"}
_LINK = re.compile(r"((?:!?\[[^\]\n]*|^[^\[\]\n]*)\]\()([^)\s#]+)(#[^)\s]*)?(\))")
"""A link, or the end of one whose text begins on the line before."""
_log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("env-get-outdated", _anew)
    app.connect("source-read", _rewrite)
    app.connect("build-finished", _front_door)
    app.connect("build-finished", _downloads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _anew(app: Sphinx, env: object, added: set[str], changed: set[str], gone: set[str]) -> set[str]:
    """Pages with a table of contents are read again where a page has come or gone."""
    return {app.config.root_doc, *BELOW} & app.env.found_docs if added or gone else set()


def _rewrite(app: Sphinx, page: str, source: list[str]) -> None:
    if not (ROOT / f"{page}.md").exists():
        return  # a notebook
    text = re.sub(f"{RAW}|{REPOSITORY}/(?:blob|tree)/main/", _up(page), source[0])
    lines, fenced = text.split("\n"), False
    for number, line in enumerate(lines):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            lines[number] = _LINK.sub(partial(_target, app, page, number + 1), line)
    source[0] = "\n".join(lines) + _contents(app, page)


def _up(page: str) -> str:
    """From a page's folder to the root."""
    return "../" * page.count("/")


def _target(app: Sphinx, page: str, line: int, link: re.Match[str]) -> str:
    """The link as the site has it."""
    start, target, anchor, end = link[1], link[2], link[3] or "", link[4]
    if re.match(r"[a-z]+:", target):
        return link[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    if not (ROOT / path).exists():
        _log.warning("no such file: %s", target, location=(page, line))
        return link[0]
    if link[0].startswith("!") or path.removesuffix(".md") in app.env.found_docs:
        return link[0]
    language = app.config.language
    if Matcher([*OTHERS[language]])(path):
        there = _up(page) + WAY_OVER[language] + path.removesuffix(".md")
        return f"{start}other:{there}.html{end}"
    if path.removesuffix(".ipynb") in app.env.found_docs:
        return f"{start}other:{_up(page)}{path.removesuffix('.ipynb')}.html{end}"
    if first := _first_below(app, path):
        return f"{start}other:{_up(page)}{first}.html{end}"
    if path in _downloaded():
        there = _up(page) + (WAY_OVER[language] if language != "en" else "") + path
        return f"{start}other:{there}{end}"
    kind = "tree" if (ROOT / path).is_dir() else "blob"
    return f"{start}{REPOSITORY}/{kind}/main/{path}{anchor}{end}"


def _first_below(app: Sphinx, folder: str) -> str | None:
    """The first page of a folder, in reading order; None where the site has none of its pages."""
    for _, pages in CONTENTS[app.config.language]:
        for name in pages:
            if name.startswith(f"{folder}/") and name in app.env.found_docs:
                return name
    return None


@cache
def _downloaded() -> frozenset[str]:
    """The files that the site has copies of, from the root of the repository."""
    files = (path for pattern in DOWNLOADS for path in ROOT.glob(pattern) if path.is_file())
    return frozenset(path.relative_to(ROOT).as_posix() for path in files)


def _contents(app: Sphinx, page: str) -> str:
    """The table of contents that a page carries, for the side of the site; most carry none."""
    found = app.env.found_docs
    if page == app.config.root_doc:
        parts = [
            _toctree([name for name in pages if name in found], caption)
            for caption, pages in CONTENTS[app.config.language]
        ]
        return "".join(parts)
    if page in BELOW:
        is_below = Matcher([BELOW[page]])
        return _toctree(sorted(name for name in found if is_below(name) and name != page))
    return ""


def _toctree(pages: list[str], caption: str = "") -> str:
    title = f":caption: {caption}\n" if caption else ""
    listed = "\n".join(_entry(name) for name in pages)
    return f"\n\n```{{toctree}}\n:hidden:\n{title}\n{listed}\n```\n"


def _entry(page: str) -> str:
    """A line of a table of contents; the presets' rules all have one title, so it is told here."""
    words = RULES.get(page.split("/")[1]) if "/rules/" in page else None
    return f"{words}: {page.rpartition('/')[2]} </{page}>" if words else f"/{page}"


def _front_door(app: Sphinx, failure: Exception | None) -> None:
    """Who opens the folder lands on the first page."""
    if failure is None and app.builder.format == "html":
        page = f"{app.config.root_doc}.html"
        Path(app.outdir, "index.html").write_text(
            f'<!doctype html><meta charset="utf-8"><title>okey101</title>'
            f'<meta http-equiv="refresh" content="0; url={page}"><a href="{page}">okey101</a>\n',
            "utf-8",
        )


def _downloads(app: Sphinx, failure: Exception | None) -> None:
    """Copy the files that pages of either half lead to; they lie in the English one."""
    if failure is None and app.builder.format == "html" and app.config.language == "en":
        for path in sorted(_downloaded()):
            copy = Path(app.outdir, path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, copy)
