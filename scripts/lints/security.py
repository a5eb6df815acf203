"""The page on security holds: its tests exist, both languages agree, and what only code shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from lints.sources import LANGUAGES, PACKAGE, ROOT, nodes_below, none, page, same, tree
from okey101.server.web.people import ChangePasswordBody, LoginBody, PasswordBody

SERVER = PACKAGE / "server"
PAGE = ROOT / "web" / "src"
MET = {"yes": "evet", "in part": "kısmen", "no": "hayır", "-": "-"}
PICKLED = {"work/__init__.py", "work/__main__.py", "kernel/inside.py"}
"""What goes to our own processes and back; the compiler's cache has an error of that name."""
LEVEL_1 = {
    "1.2": 5, "1.3": 2, "1.5": 1, "2.1": 1, "2.2": 2, "2.3": 1, "3.2": 2, "3.3": 1, "3.4": 2,
    "3.5": 3, "4.1": 1, "4.4": 1, "5.2": 2, "5.3": 2, "6.1": 1, "6.2": 8, "6.3": 2, "6.4": 2,
    "7.2": 4, "7.4": 2, "8.1": 1, "8.2": 2, "8.3": 1, "9.1": 3, "9.2": 1, "10.4": 5, "11.3": 2,
    "11.4": 1, "12.1": 1, "12.2": 2, "13.4": 1, "14.2": 1, "14.3": 1, "15.1": 1, "15.2": 1,
    "15.3": 1,
}  # fmt: skip
"""ASVS 5.0.0: each section's requirements of level 1; they are its first ones throughout."""


def table_of(language: str) -> list[tuple[str, str, list[str]]]:
    """Each requirement, whether it is met, and the tests that show it.

    A row may be about several; those that don't apply stand in brackets below the table.
    """
    text, found = page(language, "security.md"), []
    for numbers, rest in re.findall(r"^\| (\d+\.[\d., ]+) \|(.*)\|$", text, re.MULTILINE):
        cells = [cell.strip() for cell in rest.split(" | ")]
        assert len(cells) == 4, numbers
        assert all(cells), numbers
        tests = re.findall(r"`([^`]+)`", cells[3])
        found += [(number, cells[1], tests) for number in numbers.split(", ")]
    for numbers in re.findall(r"\((\d+\.\d+\.\d[\d.,\s]*)\)", text):
        found += [(number, "-", []) for number in re.split(r",\s+", numbers)]
    return sorted(found, key=lambda row: [int(part) for part in row[0].split(".")])


def check_every_requirement_of_level_1_has_its_row() -> None:
    """The page has the requirements of ASVS level 1, each once."""
    wanted = [f"{section}.{n}" for section, count in LEVEL_1.items() for n in range(1, count + 1)]
    same([number for number, _, _ in table_of("en")], wanted)


def check_the_tables_of_both_languages_agree() -> None:
    """Number, whether it is met, and tests are equal, and the counts above are right."""
    told = [(number, MET[met], tests) for number, met, tests in table_of("en")]
    same(table_of("tr"), told)
    counts = [[met for _, met, _ in table_of("en")].count(met) for met in MET]
    for language in LANGUAGES:
        (line,) = re.findall(r"^70 .*: .*\.$", page(language, "security.md"), re.MULTILINE)
        same([int(n) for n in re.findall(r"\d+", line)], [70, *counts], language)


def functions_of(path: Path) -> set[str]:
    """The names of a file's functions."""
    return {
        n.name for n in tree(path).body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def check_every_test_of_the_tables_exists() -> None:
    """What is met has a test or a check, and each one named is there."""
    for number, met, tests in table_of("en"):
        assert met in ("-", "no") or tests, f"nothing shows {number}"
        for test in tests:
            file, _, name = test.partition("::")
            path = ROOT / ("scripts" if file.startswith("lints/") else "tests") / file
            assert path.is_file(), test
            assert name.startswith(("test_", "check_")), test
            assert name in functions_of(path), test


def anchors_of(text: str) -> set[str]:
    """What the headings of a page are linked to by."""
    heads = [h.replace("İ", "i").lower() for h in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    return {re.sub(r"[^\w -]", "", head).replace(" ", "-") for head in heads}


def check_links_lead_somewhere() -> None:
    """The files and headings that the page links to are there."""
    for language in LANGUAGES:
        home = ROOT / "docs" / language / "security.md"
        found = re.findall(r"\]\(([^)]+)\)", page(language, "security.md"))
        assert found, language
        for link in (link for link in found if "//" not in link):
            path, _, anchor = link.partition("#")
            target = (home.parent / path).resolve() if path else home
            assert target.is_file(), link
            assert not anchor or anchor in anchors_of(target.read_text("utf-8")), link


def check_the_times_for_mending_are_told() -> None:
    """How soon a fault, and a dependency with one, is mended."""
    told = (ROOT / "SECURITY.md").read_text("utf-8")
    assert len(re.findall(r"\| .*\b\d+ days", told)) >= 4, "fewer than four times"
    assert "dependency with a known vulnerability" in told, "nothing on dependencies"


@cache
def called(node: ast.AST) -> str:
    """The whole name of what is called, or nothing."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def check_statements_take_their_values_beside_them() -> None:
    """What is put into a text of SQL is a constant, or a name of the code's own schema."""
    put: set[str] = set()
    for file, node in nodes_below(SERVER):
        ran = called(node).endswith((".execute", ".executemany", ".executescript"))
        if not ran or not isinstance(node, ast.Call) or not node.args:
            continue
        assert not isinstance(node.args[0], ast.BinOp), file
        for part in ast.walk(node.args[0]):
            if isinstance(part, ast.FormattedValue):
                put.add(ast.unparse(part.value))
    schema = {"of", "check", "limit", "by", "index", "table", "name"}
    none({name for name in put if name != name.upper()} - schema)


def check_no_text_becomes_code_or_a_command() -> None:
    """No evaluation, shell or XML; processes of our own alone; pickles stay with us."""
    bad = {"eval", "exec", "compile", "os.system", "os.popen", "__import__"}
    starts: set[str] = set()
    for file, node in nodes_below(SERVER):
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
    same(starts, set())  # of what runs beside the server, the room "work" starts all
    pickled = {
        file
        for file, node in nodes_below(SERVER.parent)
        if isinstance(node, ast.Import | ast.ImportFrom)
        and "pickle" in {getattr(node, "module", None), *(alias.name for alias in node.names)}
    }
    same(pickled, PICKLED)
    core = {file for file, node in nodes_below(SERVER.parent) if called(node) in bad - {"compile"}}
    same(core, {"game/declared.py"})


def check_no_hash_but_approved_ones() -> None:
    """Those that the standard's appendix names; passwords are argon2's."""
    used = {
        node.attr
        for _, node in nodes_below(SERVER.parent)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "hashlib"
    }
    used |= {
        alias.name
        for _, node in nodes_below(SERVER.parent)
        if isinstance(node, ast.ImportFrom) and node.module == "hashlib"
        for alias in node.names
    }
    same(used, {"sha256", "blake2b"})


def check_a_name_and_a_password_make_an_account() -> None:
    """Nobody is asked a secret question."""
    for body, wanted in (
        (PasswordBody, {"name", "password", "bearer"}),
        (LoginBody, {"name", "password", "bearer", "new"}),
        (ChangePasswordBody, {"old", "new"}),
    ):
        same({field.name for field in msgspec.structs.fields(body)}, wanted, body.__name__)


def check_no_parameter_of_an_address_is_a_secret() -> None:
    """Tokens and passwords come in headers and bodies alone."""
    handlers = [
        node for _, node in nodes_below(SERVER / "web") if isinstance(node, ast.AsyncFunctionDef)
    ]
    for handler in handlers:
        routed = any("(" in ast.unparse(mark) for mark in handler.decorator_list)
        names = {arg.arg for arg in handler.args.args} if routed else set()
        none(names & {"token", "password", "secret", "bearer", "session"}, handler.name)


# The page; its source, since a browser would show only what it does in the cases tried.


def sources() -> Iterator[tuple[str, str]]:
    """Every source of the page, with its path."""
    for path in sorted(PAGE.rglob("*")):
        if path.suffix in (".svelte", ".ts"):
            yield path.relative_to(PAGE).as_posix(), path.read_text("utf-8")


SHARED = '"https://wa.me/?text={encodeURIComponent(words)}"'
"""The one address elsewhere: a person who taps it shares an invitation through WhatsApp."""


def check_the_page_makes_no_markup_and_no_code_of_texts() -> None:
    """No HTML from a text, and links to its own addresses, with ids encoded."""
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
    assert addressed, "no address is found in lib/api.ts"


def check_the_page_speaks_tls_where_it_came_by_tls() -> None:
    """The socket is `wss` behind https, and no address elsewhere is written out."""
    text = (PAGE / "lib" / "game.svelte.ts").read_text("utf-8")
    assert 'location.protocol === "https:" ? "wss" : "ws"' in text, "game.svelte.ts"
    for file, source in sources():
        written = re.findall(
            r"""["'`](?:ws|http)s?://(?!www\.w3\.org)""", source.replace(SHARED, "")
        )
        none(written, file)


def check_passwords_are_typed_unseen_and_may_be_pasted() -> None:
    """Fields of passwords are such, named for managers, and nothing is in a paste's way."""
    text = (PAGE / "screens" / "Account.svelte").read_text("utf-8")
    fields = [tag for tag in re.findall(r"<input\b.*?/>", text, re.DOTALL) if "password" in tag]
    assert fields, "no field of a password"
    for field in fields:
        assert 'type="password"' in field, field
        assert re.search(r"(?:new|current)-password", field), field
        assert "maxlength" not in field, field  # which would cut what is pasted
    none(re.findall(r"onpaste|oncopy|ondrop|autocomplete=\"off\"", text))


def check_logging_out_empties_what_the_page_keeps() -> None:
    """And so does deleting oneself."""
    text = (PAGE / "screens" / "Account.svelte").read_text("utf-8")
    for pattern in (r"logout\(\);\s+forget\(\);", r"deleteMe\(\);\s+localStorage\.clear\(\);"):
        assert re.search(rf"await api\.{pattern}", text), pattern


# What the page for hosts says a proxy does.


def check_the_documented_proxy_speaks_recent_tls_alone() -> None:
    """The nginx of hosting.md takes 1.2 and 1.3, and http leads to https."""
    for language in LANGUAGES:
        text = page(language, "hosting.md")
        same(re.findall(r"ssl_protocols\s+(.*);", text), ["TLSv1.2 TLSv1.3"], language)
        assert "return 301 https://" in text, language
