"""The page on security holds: its tests exist, both languages agree, and what only code shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
import pytest

from okey101.server.accounts.tokens import new_id, new_token
from okey101.server.web.people import ChangePasswordBody, PasswordBody

ROOT: Final = Path(__file__).resolve().parents[1]
SERVER: Final = ROOT / "src" / "okey101" / "server"
PAGE: Final = ROOT / "web" / "src"
LANGUAGES: Final = ("en", "tr")
MET: Final = {"yes": "evet", "in part": "kısmen", "no": "hayır", "-": "-"}
PICKLED: Final = ("bot_process.py", "bot_thoughts.py")
"""What goes to the process that thinks for bots and back."""
LEVEL_1: Final = {
    "1.2": 5, "1.3": 2, "1.5": 1, "2.1": 1, "2.2": 2, "2.3": 1, "3.2": 2, "3.3": 1, "3.4": 2,
    "3.5": 3, "4.1": 1, "4.4": 1, "5.2": 2, "5.3": 2, "6.1": 1, "6.2": 8, "6.3": 2, "6.4": 2,
    "7.2": 4, "7.4": 2, "8.1": 1, "8.2": 2, "8.3": 1, "9.1": 3, "9.2": 1, "10.4": 5, "11.3": 2,
    "11.4": 1, "12.1": 1, "12.2": 2, "13.4": 1, "14.2": 1, "14.3": 1, "15.1": 1, "15.2": 1,
    "15.3": 1,
}  # fmt: skip
"""ASVS 5.0.0: each section's requirements of level 1; they are its first ones throughout."""


def text_of(language: str) -> str:
    return (ROOT / "docs" / language / "security.md").read_text("utf-8")


def table_of(language: str) -> list[tuple[str, str, list[str]]]:
    """Each row's requirement, whether it is met, and the tests that show it."""
    rows = re.findall(r"^\| (\d+\.\d+\.\d+) \|(.*)\|$", text_of(language), re.MULTILINE)
    found = []
    for number, rest in rows:
        cells = [cell.strip() for cell in rest.split(" | ")]
        assert len(cells) == 4, number
        assert all(cells), number
        found.append((number, cells[1], re.findall(r"`([^`]+)`", cells[3])))
    return found


def test_every_requirement_of_level_1_has_its_row() -> None:
    wanted = [f"{section}.{n}" for section, count in LEVEL_1.items() for n in range(1, count + 1)]
    assert [number for number, _, _ in table_of("en")] == wanted


def test_the_tables_of_both_languages_agree() -> None:
    told = [(number, MET[met], tests) for number, met, tests in table_of("en")]
    assert table_of("tr") == told
    counts = [[met for _, met, _ in table_of("en")].count(met) for met in MET]
    for language in LANGUAGES:
        (line,) = re.findall(r"^70 .*: .*\.$", text_of(language), re.MULTILINE)
        assert [int(n) for n in re.findall(r"\d+", line)] == [70, *counts], language


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_test_of_the_tables_exists() -> None:
    for number, met, tests in table_of("en"):
        assert met in ("-", "no") or tests, f"nothing shows {number}"
        for test in tests:
            file, _, name = test.partition("::")
            path = ROOT / "tests" / file
            assert path.is_file(), test
            assert name.startswith("test_"), test
            assert name in functions_of(path), test


def anchors_of(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h.replace("İ", "i").lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_lead_somewhere(language: str) -> None:
    page = ROOT / "docs" / language / "security.md"
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text_of(language)) if "//" not in link]
    assert links
    for link in links:
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors_of(target), link


def test_the_times_for_mending_are_told() -> None:
    """How soon a fault, and a dependency with one, is mended."""
    told = (ROOT / "SECURITY.md").read_text("utf-8")
    assert len(re.findall(r"\| .*\b\d+ days", told)) >= 4
    assert "dependency with a known vulnerability" in told


@cache
def nodes(path: Path) -> list[ast.AST]:
    return [*ast.walk(ast.parse(path.read_text("utf-8")))]


def trees(folder: Path) -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        for node in nodes(path):
            yield name, node


@cache
def called(node: ast.AST) -> str:
    """The whole name of what is called, or nothing."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def test_statements_take_their_values_beside_them() -> None:
    """What is put into a text of SQL is a constant, or a name of the code's own schema."""
    put: set[str] = set()
    for file, node in trees(SERVER):
        ran = called(node).endswith((".execute", ".executemany", ".executescript"))
        if not ran or not isinstance(node, ast.Call) or not node.args:
            continue
        assert not isinstance(node.args[0], ast.BinOp), file
        for part in ast.walk(node.args[0]):
            if isinstance(part, ast.FormattedValue):
                put.add(ast.unparse(part.value))
    assert {name for name in put if name != name.upper()} <= {
        "of",
        "check",
        "limit",
        "by",
        "index",
        "table",
        "name",
    }


def test_no_text_becomes_code_or_a_command() -> None:
    """No evaluation, shell or XML; processes for bots and reviews alone; pickles stay with us."""
    bad = {"eval", "exec", "compile", "os.system", "os.popen", "__import__"}
    starts: set[str] = set()
    for file, node in trees(SERVER):
        name = called(node)
        assert name not in bad, file
        assert not name.endswith("create_subprocess_shell"), file
        if isinstance(node, ast.Call) and ("subprocess" in name or name.startswith("os.exec")):
            starts.add(file)
        if isinstance(node, ast.keyword):
            assert node.arg != "shell", file
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for module in names:
            assert module.split(".")[0] not in ("xml", "lxml", "yaml", "marshal", "shelve"), file
            assert module != "pickle" or file in PICKLED, file
    assert starts == {"bot_thoughts.py", "match_reviews.py"}
    core = {file for file, node in trees(SERVER.parent) if called(node) in bad - {"compile"}}
    assert core == {"game/declared.py"}


def test_no_hash_but_approved_ones() -> None:
    """Those that the standard's appendix names; passwords are argon2's."""
    used = {
        node.attr
        for _, node in trees(SERVER.parent)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "hashlib"
    }
    used |= {
        alias.name
        for _, node in trees(SERVER.parent)
        if isinstance(node, ast.ImportFrom) and node.module == "hashlib"
        for alias in node.names
    }
    assert used == {"sha256", "blake2b"}


def test_tokens_can_not_be_guessed() -> None:
    """256 bits of a token, 128 of an id, and never the same twice."""
    tokens, ids = ({make() for _ in range(200)} for make in (new_token, lambda: new_id("u")))
    assert (len(tokens), len(ids)) == (200, 200)
    assert {len(token) for token in tokens} == {43}  # 256 bits in base64
    assert {len(name) for name in ids} == {28}  # 128 bits in base32
    source = ast.parse((SERVER / "accounts" / "tokens.py").read_text("utf-8"))
    made = {called(node) for node in ast.walk(source)} - {""}
    assert {"secrets.token_bytes", "secrets.token_urlsafe"} <= made
    assert not any(name.startswith("random.") for name in made)


def test_a_name_and_a_password_make_an_account() -> None:
    assert {f.name for f in msgspec.structs.fields(PasswordBody)} == {"name", "password", "bearer"}
    assert {f.name for f in msgspec.structs.fields(ChangePasswordBody)} == {"old", "new"}


def test_no_parameter_of_an_address_is_a_secret() -> None:
    handlers = [node for _, node in trees(SERVER / "web") if isinstance(node, ast.AsyncFunctionDef)]
    for handler in handlers:
        routed = any("(" in ast.unparse(mark) for mark in handler.decorator_list)
        names = {arg.arg for arg in handler.args.args} if routed else set()
        assert not names & {"token", "password", "secret", "bearer", "session"}, handler.name


# The page; its source, since a browser would show only what it does in the cases tried.


def sources() -> Iterator[tuple[str, str]]:
    for path in sorted(PAGE.rglob("*")):
        if path.suffix in (".svelte", ".ts"):
            yield path.relative_to(PAGE).as_posix(), path.read_text("utf-8")


SHARED = '"https://wa.me/?text={encodeURIComponent(words)}"'
"""The one address elsewhere: a person who taps it shares an invitation through WhatsApp."""


def test_the_page_makes_no_markup_and_no_code_of_texts() -> None:
    bad = re.compile(
        r"\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
        r"|javascript:|srcdoc|DOMParser"
    )
    addressed = 0
    for file, text in sources():
        assert not bad.search(text), file
        for link in re.findall(r"""(?:href|src)=(\{[^}]*\}|"[^"]*")""", text):
            own = link.startswith(('"/', "{`/", "{code", "{src"))
            assert own or link == SHARED, (file, link)
        if file == "lib/api.ts":
            for part in re.findall(r"`/api/[^`]*`", text):
                for inner in re.findall(r"\$\{([^}]*)\}", part):
                    assert inner in ("number", "language") or "encodeURIComponent" in inner, inner
                    addressed += 1
    assert addressed


def test_the_page_speaks_tls_where_it_came_by_tls() -> None:
    text = (PAGE / "lib" / "game.svelte.ts").read_text("utf-8")
    assert 'location.protocol === "https:" ? "wss" : "ws"' in text
    for file, source in sources():
        assert not re.search(
            r"""["'`](?:ws|http)s?://(?!www\.w3\.org)""", source.replace(SHARED, "")
        ), file


def test_passwords_are_typed_unseen_and_may_be_pasted() -> None:
    text = (PAGE / "screens" / "Account.svelte").read_text("utf-8")
    fields = [tag for tag in re.findall(r"<input\b.*?/>", text, re.DOTALL) if "password" in tag]
    assert fields
    for field in fields:
        assert 'type="password"' in field
        assert re.search(r"(?:new|current)-password", field)
        assert "maxlength" not in field  # which would cut what is pasted
    assert not re.search(r"onpaste|oncopy|ondrop|autocomplete=\"off\"", text)


def test_logging_out_empties_what_the_page_keeps() -> None:
    text = (PAGE / "screens" / "Account.svelte").read_text("utf-8")
    assert re.search(r"await api\.logout\(\);\s+forget\(\);", text)
    assert re.search(r"await api\.deleteMe\(\);\s+localStorage\.clear\(\);", text)


# What the page for hosts says a proxy does.


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_documented_proxy_speaks_recent_tls_alone(language: str) -> None:
    text = (ROOT / "docs" / language / "hosting.md").read_text("utf-8")
    assert re.findall(r"ssl_protocols\s+(.*);", text) == ["TLSv1.2 TLSv1.3"]
    assert "return 301 https://" in text
