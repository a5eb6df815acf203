"""Write the generated pages of the documentation: ``python scripts/make_docs.py [--check]``.

``--check`` writes nothing and ends with 1 if a page is not what it would be.
"""

from __future__ import annotations

import ast
import asyncio
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from count_hops import ways
from okey101.bots import BOTS, EXPERT, LEVELS, SEARCHERS, STAND_IN
from okey101.bots.registry import measured_strength
from okey101.cli.arena.evaluate import SUITE, mean
from okey101.cli.play.command_words import COMMANDS, TILE_WORDS, Verb, fold, shape_of
from okey101.game.legality import CODES
from okey101.game.ruleset import PRESETS
from okey101.i18n import load
from okey101.render.rules_text import rules_markdown
from okey101.server.errors import ACCOUNT_CODES, SERVER_CODES
from okey101.server.net import close_codes
from okey101.server.net.close_codes import GOODBYES
from okey101.server.ops.metrics import Metrics
from okey101.server.protocol.client_messages import PHRASES
from okey101.server.settings import PREFIX, Settings
from okey101.server.web.schema import http_schema, protocol_schema
from reference_tables import client_tables, views_tables

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "src" / "okey101"
PAGE_VERBS = (
    Verb.DRAW, Verb.TAKE, Verb.RETURN, Verb.OPEN, Verb.OPEN_PAIRS, Verb.MELD, Verb.LAY,
    Verb.LAY_ALL, Verb.DISCARD, Verb.BACK, Verb.ANNOUNCE, Verb.PASS, Verb.INDICATOR, Verb.SWAP,
    Verb.SORT_MELDS, Verb.SORT_PAIRS, Verb.READY, Verb.TABLE, Verb.RACK, Verb.HELP,
)  # fmt: skip
"""The commands that the page's command line knows; the others belong to the terminal."""
LAST_WORDS: dict[str, dict[str, str]] = {
    "banned": {"en": "the person was banned", "tr": "kişinin girişi yasaklandı"},
    "deleted": {"en": "the person is deleted", "tr": "kişi silindi"},
    "hello-timeout": {"en": "no hello came in time", "tr": "hello zamanında gelmedi"},
    "internal": {
        "en": "something went wrong; it is in the server's log",
        "tr": "bir sorun çıktı; sunucunun kaydına yazıldı",
    },
    "kicked": {"en": "the person was removed from the table", "tr": "kişi masadan çıkarıldı"},
    "replaced": {"en": "the same person connected again", "tr": "aynı kişi yeniden bağlandı"},
    "server-restarting": {
        "en": "the server stops; connect again in a moment",
        "tr": "sunucu duruyor; biraz sonra yeniden bağlanın",
    },
    "session-changed": {
        "en": "the guest has become an account, or signed in to one",
        "tr": "misafir hesap oluşturdu ya da bir hesaba giriş yaptı",
    },
    "signed-out": {"en": "the session has ended", "tr": "oturum bitti"},
    "spectators-off": {
        "en": "the table shows nothing, or no more, to those without a seat",
        "tr": "masa, yeri olmayanlara bir şey göstermiyor ya da artık göstermiyor",
    },
    "table-closed": {"en": "the table is closed", "tr": "masa kapandı"},
}
"""What the last words of a WebSocket mean, besides the codes of errors."""

CODES_PAGE = {
    "en": {
        "title": "Error codes",
        "about": "A code is a stable word; the sentence may change. Words in braces are details "
        "of the error, under `details` in Python.",
        "refused": "Refused actions",
        "refused-about": "`IllegalAction` carries the code and the id of the rule that refuses.",
        "others": "Everything else",
        "others-about": "Notation, rule sets, positions, records and the solver.",
        "server": "A server",
        "server-about": "Over HTTP an error comes with the status; over a WebSocket as a message "
        "of type `error`, and some of them end the connection ([protocol.md](protocol.md)).",
        "tables": "Tables and the server",
        "people": "People",
        "files": "Start and files",
        "goodbyes": "The last word of a connection",
        "goodbyes-about": "`bye` carries one of these, or the code of the error that ended the "
        "connection.",
        "command": "The command line",
        "command-about": "Under `error.code` with `--json`, beside those above; "
        "[command-line.md](command-line.md) has the exit codes.",
        "head": "| code | meaning |",
        "head-rule": "| code | rule | meaning |",
        "head-status": "| code | status | meaning |",
        "head-close": "| code | close code | meaning |",
    },
    "tr": {
        "title": "Hata kodları",
        "about": "Kod değişmeyen bir sözcüktür; cümlesi değişebilir. Ayraç içindeki sözcükler "
        "hatanın ayrıntılarıdır, Python içinde `details` adıyla bulunur.",
        "refused": "Kabul edilmeyen hamleler",
        "refused-about": "`IllegalAction`, kodu ve hamleyi kabul etmeyen kuralın kimliğini taşır.",
        "others": "Diğerleri",
        "others-about": "Gösterim, kural setleri, durumlar, maç dosyaları ve çözücü.",
        "server": "Sunucu",
        "server-about": "HTTP ile hata, durum koduyla gelir; WebSocket ile `error` türünde bir "
        "mesaj olur ve bazıları bağlantıyı bitirir ([protocol.md](protocol.md)).",
        "tables": "Masalar ve sunucu",
        "people": "Kişiler",
        "files": "Başlangıç ve dosyalar",
        "goodbyes": "Bağlantının son sözü",
        "goodbyes-about": "`bye` bunlardan birini ya da bağlantıyı bitiren hatanın kodunu taşır.",
        "command": "Komut satırı",
        "command-about": "`--json` ile, yukarıdakilerin yanında, `error.code` alanında; çıkış "
        "kodları [command-line.md](command-line.md) sayfasındadır.",
        "head": "| kod | anlamı |",
        "head-rule": "| kod | kural | anlamı |",
        "head-status": "| kod | durum | anlamı |",
        "head-close": "| kod | kapanış kodu | anlamı |",
    },
}


def main() -> int:
    """Write every page, or say which are out of date."""
    pages: dict[Path, str] = {}
    for language in ("en", "tr"):
        pages[ROOT / "docs" / language / "codes.md"] = codes_page(language)
        for name, rules in PRESETS.items():
            page = ROOT / "docs" / language / "rules" / f"{name}.md"
            pages[page] = rules_markdown(rules, load(language)).rstrip() + "\n"
        page = ROOT / "docs" / language / "hosting.md"
        parts = {"settings": settings_table(language), "metrics": metrics_table()}
        pages[page] = with_parts(page.read_text("utf-8"), parts)
    page = ROOT / "docs" / "en" / "architecture.md"
    pages[page] = with_parts(page.read_text("utf-8"), {"ways": ways_table()})
    page = ROOT / "docs" / "en" / "arena.md"
    pages[page] = with_parts(page.read_text("utf-8"), {"leaderboard": leaderboard()})
    for name, parts in (("client", client_tables()), ("views", views_tables())):
        page = ROOT / "docs" / "api" / f"{name}.md"
        pages[page] = with_parts(page.read_text("utf-8"), parts)
    for file, made in (("vocabulary", vocabulary()), ("commandWords", command_words())):
        pages[ROOT / "web" / "src" / "lib" / f"{file}.ts"] = made
    pages[ROOT / "clients" / "js" / "src" / "closeCodes.ts"] = close_codes_file()
    for name, wanted in (("protocol", protocol_schema()), ("http", http_schema())):
        schema = json.dumps(wanted, indent=1, ensure_ascii=False)
        pages[ROOT / "docs" / f"{name}.schema.json"] = schema + "\n"
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


def codes_page(language: str) -> str:
    """The tables of error codes; Turkish sentences are those of the catalogues."""
    words = CODES_PAGE[language]
    rules = _rules_of_codes()
    others = sorted((set(_raised_codes()) | set(_worded_codes("game"))) - set(CODES))
    refused = [
        (code, ", ".join(sorted(rules[code])), _meaning(language, code, CODES[code]))
        for code in sorted(CODES)
    ]
    server = _server_codes(language)
    known = {*CODES, *others, *_listed(server)}
    command = sorted(set(_worded_codes("*")) - known)
    return (
        f"# {words['title']}\n\n{words['about']}\n\n"
        f"## {words['refused']}\n\n{words['refused-about']}\n\n"
        + _table(words["head-rule"], refused)
        + f"\n## {words['others']}\n\n{words['others-about']}\n\n"
        + _table(words["head"], [(code, _sentence(language, code)) for code in others])
        + f"\n{server}\n## {words['command']}\n\n{words['command-about']}\n\n"
        + _table(words["head"], [(code, _sentence(language, code)) for code in command])
    )


def _server_codes(language: str) -> str:
    """The codes of the server, with the status over HTTP."""
    words = CODES_PAGE[language]
    answers = {"internal": (500, "something went wrong; it is in the server's log")}
    files = sorted(set(_server_file_codes()) - {*CODES, *SERVER_CODES, *ACCOUNT_CODES})
    rows: list[tuple[str, ...]]
    parts = [f"## {words['server']}\n\n{words['server-about']}\n"]
    for title, codes in (("tables", {**SERVER_CODES, **answers}), ("people", ACCOUNT_CODES)):
        rows = [
            (code, str(status), _meaning(language, code, meaning))
            for code, (status, meaning) in sorted(codes.items())
        ]
        parts.append(f"### {words[title]}\n\n" + _table(words["head-status"], rows))
    rows = [(code, _sentence(language, code)) for code in files]
    parts.append(f"### {words['files']}\n\n" + _table(words["head"], rows))
    rows = [(code, str(close), LAST_WORDS[code][language]) for code, close in GOODBYES.items()]
    parts.append(
        f"### {words['goodbyes']}\n\n{words['goodbyes-about']}\n\n"
        + _table(words["head-close"], rows)
    )
    return "\n".join(parts)


def _meaning(language: str, code: str, english: str) -> str:
    """What a code means: the English of the code's table, else the catalogue's sentence.

    Where a record and the server share a code (``too-large``), the server's sentence is plain.
    """
    if language == "en":
        return _escape(english)
    texts = load(language)
    plain = f"error-{code}-plain"
    return _escape(texts(plain)) if texts.has(plain) else _sentence(language, code)


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    line = "| " + " | ".join("---" for _ in head.strip("| ").split("|")) + " |"
    body = [f"| `{code}` | {' | '.join(rest)} |" for code, *rest in rows]
    return "\n".join([head, line, *body]) + "\n"


def _worded_codes(catalogue: str) -> Iterator[str]:
    """The codes that catalogues of that name have a sentence for."""
    for path in sorted((CORE / "i18n" / "en").glob(f"{catalogue}.ftl")):
        for code in re.findall(r"^error-([a-z0-9-]+) =", path.read_text("utf-8"), re.MULTILINE):
            yield code.removesuffix("-plain")


def _listed(text: str) -> list[str]:
    return re.findall(r"^\| `([a-z0-9-]+)` \|", text, re.MULTILINE)


def _server_file_codes() -> Iterator[str]:
    """The codes that the server's files and its start are refused with."""
    for path in sorted((CORE / "server").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in ("OkeyError", "refusal") and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


def vocabulary() -> str:
    """The words the page shares with the server, formatted as its own prettier would."""
    parts: dict[str, object] = {
        "PRESETS": [*PRESETS],
        "BOTS": [*LEVELS],
        "OWN_BOTS": [*BOTS, *SEARCHERS],
        "POINTS": points_of_bots(),
        "STAND_IN": STAND_IN,
        "PHRASES": [*PHRASES],
    }
    return _constants(parts)


def command_words() -> str:
    """The words of the command line, which few players open."""
    verbs = {
        verb.value: {
            language: [fold(phrase) for phrase in phrases]
            for language, phrases in COMMANDS[verb].items()
        }
        for verb in PAGE_VERBS
    }
    shapes = {
        verb.value: {language: shape_of(verb, language) for language in ("en", "tr")}
        for verb in PAGE_VERBS
    }
    parts: dict[str, object] = {
        "COMMANDS": verbs,
        "SHAPES": shapes,
        "TILE_WORDS": {fold(words): tile for words, tile in TILE_WORDS.items()},
    }
    return _constants(parts)


def points_of_bots() -> dict[str, int]:
    """How many points a deal each level is better than ``greedy``, in whole points."""
    found = measured_strength()
    return {
        name: -round(found[name]["altinstar"][0]) if name in found else 0
        for name in (*LEVELS, EXPERT)
    }


def close_codes_file() -> str:
    """The close codes of the WebSockets, for every client in JavaScript."""
    closes = {name[6:]: code for name, code in vars(close_codes).items() if name[:6] == "CLOSE_"}
    return _constants({"CLOSE": closes})


def _constants(parts: Mapping[str, object]) -> str:
    text = "/** Made by scripts/make_docs.py from the server's words: don't edit. */\n"
    for name, value in parts.items():
        text += f"\nexport const {name} = {_typescript(value)} as const;\n"
    return text


def _typescript(value: object, depth: int = 0, column: int = 22) -> str:
    """A value in the way prettier sets it: on one line where it fits, else one part a line."""
    if isinstance(value, dict):
        named = {
            key if re.fullmatch(r"[A-Za-z_]\w*", key) else json.dumps(key, ensure_ascii=False): part
            for key, part in value.items()
        }
        pad = "  " * (depth + 1)
        lines = [
            f"{pad}{key}: {_typescript(part, depth + 1, len(pad) + len(key) + 2)},\n"
            for key, part in named.items()
        ]
        return "{\n" + "".join(lines) + "  " * depth + "}"
    if isinstance(value, list):
        flat = "[" + ", ".join(_typescript(part) for part in value) + "]"
        if column + len(flat) + 10 <= 100:
            return flat
        pad = "  " * (depth + 1)
        return "[\n" + "".join(f"{pad}{_typescript(p)},\n" for p in value) + "  " * depth + "]"
    return json.dumps(value, ensure_ascii=False)


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


def ways_table() -> str:
    """How long the ways through the server are, as ``count_hops.py`` counts them."""
    rows = ["| way | files | calls between them | calls in all |", "| --- | --- | --- | --- |"]
    for name, count in asyncio.run(ways()).items():
        rows.append(f"| {name} | {len(count.files)} | {count.hops} | {count.calls} |")
    return "\n".join(rows)


def leaderboard() -> str:
    """The whole results of the benchmark in ``benchmarks/leaderboard``, the best first."""
    found = [
        json.loads(p.read_text("utf-8")) for p in (ROOT / "benchmarks/leaderboard").glob("*.json")
    ]
    lines = ["| bot | points a deal | altinstar | pagat | wiki | faults |", "| --- " * 6 + "|"]
    for one in sorted(found, key=lambda result: float(result["difference"])):
        assert one["suite"] == SUITE, one["bot"]
        means = (mean([row for row in one["rows"] if row["rules"] == name]) for name in PRESETS)
        cells = (f"{of['difference']:+.1f} ± {1.96 * of['error']:.1f}" for of in (one, *means))
        name = f"`{one['bot']['name']}/{one['bot']['version']}`"
        lines.append(f"| {name} | {' | '.join(cells)} | {one['faults']} |")
    return "\n".join(lines)


def with_parts(page: str, parts: Mapping[str, str]) -> str:
    """A page with everything between ``<!-- name -->`` and ``<!-- end -->`` written anew."""
    for name, text in parts.items():
        begin, mark, rest = page.partition(f"<!-- {name} -->\n")
        _, end, rest = rest.partition("<!-- end -->\n")
        page = f"{begin}{mark}{text}\n{end}{rest}"
    return page


def _sentence(language: str, code: str) -> str:
    """What the catalogue says: each of its sentences where none is for all other cases."""
    texts = load(language)
    for key in (f"error-{code}", f"error-{code}-plain"):
        if texts.has(key):
            values = {name: f"{{{name}}}" for name in texts.variables(key)}
            words = {name: texts.variants(key, name) for name in values}
            told = [
                texts(key, **values | {name: word})
                for name, found in words.items()
                if "other" not in found
                for word in found
            ]
            return _escape(" / ".join(told or [texts(key, **values)]))
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
