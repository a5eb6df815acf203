"""The generated pages are what the code says, and nothing is missing from them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from okey101.i18n import load

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "okey101"
CODES = (ROOT / "docs" / "en" / "codes.md").read_text("utf-8")
LISTED = set(re.findall(r"^\| `([a-z0-9-]+)` \|", CODES, re.MULTILINE))


def test_generated_pages_are_up_to_date() -> None:
    script = ROOT / "scripts" / "make_docs.py"
    run = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_code_with_a_sentence_is_listed() -> None:
    keys = load("en").keys()
    worded = {key[6:].removesuffix("-plain") for key in keys if key.startswith("error-")}
    assert sorted(worded - LISTED) == []


def calls(folder: str) -> Iterator[tuple[str, list[str]]]:
    """The name of every function that is called, and the words among its arguments."""
    for path in (SOURCE / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
                values = [a.value for a in node.args if isinstance(a, ast.Constant)]
                yield name, [value for value in values if isinstance(value, str)]


def test_every_code_of_a_failed_command_is_listed() -> None:
    used = {words[0] for name, words in calls("cli") if name == "Failure" and words}
    assert "no-command" in used
    assert sorted(used - LISTED) == []


def test_every_last_word_of_a_connection_is_listed() -> None:
    words = {word for name, said in calls("server") if name in ("close", "disconnect")
             for word in said}  # fmt: skip
    assert {"replaced", "hello-timeout", "deleted"} <= words
    assert sorted({*words, "server-restarting"} - LISTED) == []


def test_every_page_is_named_by_the_front_page() -> None:
    for front, language in (("README.md", "en"), ("README.tr.md", "tr")):
        text = (ROOT / front).read_text("utf-8")
        pages = {path.name for path in (ROOT / "docs" / language).glob("*.md")}
        assert sorted(page for page in pages if f"docs/{language}/{page}" not in text) == []


EQUAL = ("rulings.md", "codes.md", "record.md", "protocol.md", "security.md")
"""The pages that a Turkish player, host or programmer needs whole."""


def outline(language: str, page: str) -> list[dict[str, object]]:
    """What a page has in any language, section by section: names, numbers and blocks of code."""
    text = (ROOT / "docs" / language / page).read_text("utf-8")
    blocks = re.compile(r"^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)
    found: list[dict[str, object]] = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE):
        prose = blocks.sub("", section)
        rows = [line.strip("| ").split(" | ") for line in re.findall(r"^\|.*", prose, re.MULTILINE)]
        found.append(
            {
                "blocks": blocks.findall(section),
                "sections": len(re.findall(r"^### ", prose, re.MULTILINE)),
                "tables": [len(row) for row in rows],
                "rows": [re.findall(r"`[^`]+`|[A-Z]\d+|\d+", row[0]) for row in rows],
                "numbers": [row[1] for row in rows if re.fullmatch(r"[A-Z\d, ]+", row[1])],
                "names": sorted(set(re.findall(r"`[^`\n]+`", prose))),
            }
        )
    return found


@pytest.mark.parametrize("page", EQUAL)
def test_turkish_pages_hold_what_the_english_ones_do(page: str) -> None:
    turkish, english = outline("tr", page), outline("en", page)
    assert len(turkish) == len(english)
    for ours, theirs in zip(turkish, english, strict=True):
        assert ours == theirs


def test_both_front_pages_say_the_same() -> None:
    """Their sections, their code, their tables and lists, and the pictures are equal."""

    def shape(page: str) -> dict[str, object]:
        text = (ROOT / page).read_text("utf-8")
        front = text.partition("\n| page | about |")[0].partition("\n| sayfa | ")[0]
        code = re.findall(r"^```python\n(.*?)^```", front, re.MULTILINE | re.DOTALL)
        return {
            "sections": [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)],
            "code": code,
            "commands": len(re.findall(r"^    \S", front, re.MULTILINE)),
            "points": len(re.findall(r"^- ", front, re.MULTILINE)),
            "pictures": re.findall(r"docs/img/[\w.-]+", front),
        }

    assert shape("README.tr.md") == shape("README.md")
