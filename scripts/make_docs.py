"""Write the generated pages of the documentation: ``python scripts/make_docs.py [--check]``.

``--check`` writes nothing and ends with 1 if a page is not what it would be.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from okey101.game.refusals import CODES
from okey101.game.ruleset import PRESETS
from okey101.i18n import load
from okey101.render.rules_text import rules_markdown
from okey101.server.accounts import ACCOUNT_CODES
from okey101.server.errors import SERVER_CODES
from okey101.server.metrics import Metrics
from okey101.server.protocol.schema import protocol_schema
from okey101.server.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "src" / "okey101"
GOODBYES = {
    "banned": (4003, "the person was shut out"),
    "deleted": (4401, "the person is deleted"),
    "hello-timeout": (4008, "no hello came in time"),
    "internal": (1011, "something went wrong; it is in the server's log"),
    "kicked": (4003, "the person was sent away from the table"),
    "replaced": (4001, "the same person connected again"),
    "server-restarting": (1012, "the server stops; connect again in a moment"),
    "session-changed": (4401, "the guest has become an account, or signed in to one"),
    "signed-out": (4401, "the session has ended"),
    "spectators-off": (4004, "the table shows nothing, or no more, to those without a seat"),
    "table-closed": (4002, "the table is closed"),
}
"""What a WebSocket's last word may be besides the code of an error, and the close code with it."""


def main() -> int:
    """Write every page, or say which are out of date."""
    pages = {ROOT / "docs" / "en" / "codes.md": codes_page()}
    for language in ("en", "tr"):
        for name, rules in PRESETS.items():
            page = ROOT / "docs" / language / "rules" / f"{name}.md"
            pages[page] = rules_markdown(rules, load(language)).rstrip() + "\n"
        page = ROOT / "docs" / language / "hosting.md"
        parts = {"settings": settings_table(language), "metrics": metrics_table()}
        pages[page] = with_parts(page.read_text("utf-8"), parts)
    schema = json.dumps(protocol_schema(), indent=1, ensure_ascii=False)
    pages[ROOT / "docs" / "protocol.schema.json"] = schema + "\n"
    stale = [p for p, text in pages.items() if not p.exists() or p.read_text("utf-8") != text]
    if "--check" in sys.argv[1:]:
        for page in stale:
            print(f"{page.relative_to(ROOT)} is out of date: run scripts/make_docs.py")
        return 1 if stale else 0
    for page in stale:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(pages[page], encoding="utf-8")
        print(f"wrote {page.relative_to(ROOT)}")
    return 0


def codes_page() -> str:
    """The table of error codes."""
    rules = _rules_of_codes()
    rows = [
        f"| `{code}` | {', '.join(sorted(rules[code]))} | {_escape(CODES[code])} |"
        for code in sorted(CODES)
    ]
    others = sorted((set(_raised_codes()) | set(_worded_codes("game"))) - set(CODES))
    texts = load("en")
    server = _server_codes()
    return (
        "# Error codes\n\n"
        "A code is a stable word; the sentence may change. Words in braces are details of the "
        "error, under `details` in Python.\n\n"
        "## Refused actions\n\n"
        "`IllegalAction` carries the code and the id of the rule that refuses.\n\n"
        "| code | rule | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n\n"
        "## Everything else\n\n"
        "Notation, rule sets, positions, records and the solver.\n\n"
        "| code | meaning |\n| --- | --- |\n"
        + "\n".join(f"| `{code}` | {_sentence(texts.language, code)} |" for code in others)
        + "\n\n"
        + server
        + "\n"
        + _command_codes({*CODES, *others, *_listed(server)})
    )


def _server_codes() -> str:
    """The codes of the server, with the status over HTTP."""
    answers = {
        "internal": (500, "something went wrong; it is in the server's log"),
        "method-not-allowed": (405, "this address does not know that method"),
        "not-found": (404, "there is nothing here"),
    }
    sections = {
        "Tables and the server": {**SERVER_CODES, **answers},
        "People": ACCOUNT_CODES,
    }
    known = {*CODES, *SERVER_CODES, *ACCOUNT_CODES}
    files = sorted(set(_server_file_codes()) - known)
    head = (
        "## A server\n\n"
        "Over HTTP an error comes with the status; over a WebSocket as a message of type `error`, "
        "and some of them end the connection ([protocol.md](protocol.md)).\n"
    )
    parts = [head]
    for title, codes in sections.items():
        parts.append(f"### {title}\n\n| code | status | meaning |\n| --- | --- | --- |\n")
        parts[-1] += "".join(
            f"| `{code}` | {codes[code][0]} | {_escape(codes[code][1])} |\n"
            for code in sorted(codes)
        )
    parts.append("### Start and files\n\n| code | meaning |\n| --- | --- |\n")
    parts[-1] += "".join(f"| `{code}` | {_sentence('en', code)} |\n" for code in files)
    parts.append(
        "### The last word of a connection\n\n"
        "`bye` carries one of these, or the code of the error that ended the connection.\n\n"
        "| code | close code | meaning |\n| --- | --- | --- |\n"
    )
    parts[-1] += "".join(
        f"| `{code}` | {close} | {meaning} |\n" for code, (close, meaning) in GOODBYES.items()
    )
    return "\n".join(parts)


def _command_codes(known: Collection[str]) -> str:
    """The codes of the command line alone: all that have a sentence and are not known already."""
    codes = sorted(set(_worded_codes("*")) - set(known))
    return (
        "## The command line\n\n"
        "Under `error.code` with `--json`, beside those above; "
        "[command-line.md](command-line.md) has the exit codes.\n\n"
        "| code | meaning |\n| --- | --- |\n"
        + "".join(f"| `{code}` | {_sentence('en', code)} |\n" for code in codes)
    )


def _worded_codes(catalogue: str) -> Iterator[str]:
    """The codes that catalogues of that name have a sentence for."""
    for path in sorted((CORE / "locales" / "en").glob(f"{catalogue}.ftl")):
        for code in re.findall(r"^error-([a-z0-9-]+) =", path.read_text("utf-8"), re.MULTILINE):
            yield code.removesuffix("-plain")


def _listed(text: str) -> list[str]:
    return re.findall(r"^\| `([a-z0-9-]+)` \|", text, re.MULTILINE)


def _server_file_codes() -> Iterator[str]:
    """The codes that the server's files and its start are refused with."""
    for path in sorted((CORE / "server").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in ("OkeyError", "_refusal") and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


def settings_table(language: str) -> str:
    """Every setting with its default and meaning."""
    texts = load(language)
    head = {"en": "variable | default | meaning", "tr": "değişken | varsayılan | anlamı"}[language]
    rows = [f"| {head} |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        meaning = texts(f"setting-{name.replace('_', '-')}")
        rows.append(f"| `{PREFIX}{name.upper()}` | {_default(name, field.default)} | {meaning} |")
    return "\n".join(rows)


def _default(name: str, value: object) -> str:
    if name == "data":
        return "`~/.local/share/okey101`"
    if value is None or value == ():
        return "-"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def metrics_table() -> str:
    """Every metric of the server's own with its kind and meaning."""
    rows = ["| metric | kind | meaning |", "| --- | --- | --- |"]
    for family in text_string_to_metric_families(Metrics().render().decode()):
        if family.name.startswith("okey101_") and not family.name.endswith("_created"):
            ending = "_total" if family.type == "counter" else ""
            rows.append(f"| `{family.name}{ending}` | {family.type} | {family.documentation} |")
    return "\n".join(rows)


def with_parts(page: str, parts: Mapping[str, str]) -> str:
    """A page with what stands between ``<!-- name -->`` and ``<!-- end -->`` made anew."""
    for name, text in parts.items():
        begin, mark, rest = page.partition(f"<!-- {name} -->\n")
        _, end, rest = rest.partition("<!-- end -->\n")
        page = f"{begin}{mark}{text}\n{end}{rest}"
    return page


def _sentence(language: str, code: str) -> str:
    texts = load(language)
    for key in (f"error-{code}", f"error-{code}-plain"):
        if texts.has(key):
            values = {name: f"{{{name}}}" for name in texts.variables(key)}
            return _escape(texts(key, **values))
    return ""


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


def _trees() -> Iterator[ast.AST]:
    files = [*CORE.glob("*.py"), *(CORE / "game").glob("*.py"), *(CORE / "solver").glob("*.py")]
    for path in sorted(files):
        yield ast.parse(path.read_text(encoding="utf-8"))


def _strings(node: ast.AST) -> list[str]:
    return [
        n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    ]


def _rules_of_codes() -> dict[str, set[str]]:
    """The rule ids that the judge names with each code."""
    found: dict[str, set[str]] = defaultdict(set)
    for function in (f for tree in _trees() for f in ast.walk(tree)):
        if not isinstance(function, ast.FunctionDef):
            continue
        named = {
            target.id: _strings(node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(function):
            parts: list[ast.expr] = []
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refuse":
                parts = node.args
            elif isinstance(node, ast.Tuple) and len(node.elts) == 3:
                parts = node.elts
            if len(parts) >= 2 and isinstance(parts[0], ast.Constant) and parts[0].value in CODES:
                rules = _strings(parts[1]) + named.get(getattr(parts[1], "id", ""), [])
                found[str(parts[0].value)].update(r for r in rules if _is_rule(r))
    return found


def _is_rule(text: str) -> bool:
    return text[:1].isupper() and text[1:].isdigit()


def _raised_codes() -> Iterator[str]:
    """Every code that the core gives to an error."""
    for tree in _trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", "")
            if name in ("bad", "_bad", "_error") or name.endswith("Error"):
                for text in _strings(node.args[0]):
                    if text.replace("-", "").isalpha() and text.islower() and len(text) > 3:
                        yield text


if __name__ == "__main__":
    sys.exit(main())
