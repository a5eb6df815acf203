"""The pages: complete beside the code, with its numbers, and alike in both languages."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import jsonschema
from benchmarks.sizing import COSTS, Costs, wanted

from lints.sources import DOCS, LANGUAGES, PACKAGE, ROOT, calls, none, page, same
from okey101.cli.app import app
from okey101.client.check import ADVICE, FAULTS
from okey101.game.legality import CODES
from okey101.game.record.form import FORMAT, MAX_ACTIONS, MAX_BYTES, schema
from okey101.i18n import load
from okey101.server import settings
from okey101.server.net import close_codes
from okey101.server.protocol import client_messages, server_messages
from okey101.server.web import socket
from okey101.server.web.schema import protocol_schema

KEYS = load("en").keys()
LISTED = set(re.findall(r"^\| `([a-z0-9-]+)` \|", page("en", "codes.md"), re.MULTILINE))
FRONTS = {"en": "README.md", "tr": "README.tr.md"}
HOME = "https://github.com/okey101/okey101"
EQUAL = ("rulings.md", "codes.md", "record.md", "protocol.md", "security.md", "how-do-i.md")
"""The pages that a Turkish player, host or programmer needs whole."""


def check_every_code_is_listed() -> None:
    """codes.md has every code with a sentence, of a command, and of a connection's last word."""
    worded = {key[6:].removesuffix("-plain") for key in KEYS if key[:6] == "error-"}
    made = ("Failure", "of")  # Failure(...) and Failure.of(...)
    failed = {said[0] for name, said in calls(PACKAGE / "cli") if name in made and said}
    last = {
        word
        for name, said in calls(PACKAGE / "server")
        if name in ("close", "disconnect")
        for word in said
    }
    assert "no-command" in failed, "nothing is found in the command line"
    none({"replaced", "hello-timeout", "deleted"} - last, "not found in the server")
    none((worded | failed | last | {"server-restarting"}) - LISTED)


def check_every_limit_is_documented() -> None:
    """hosting.md has the name of every limit that may refuse, in both languages, and no other."""
    people = calls(PACKAGE / "server" / "people")
    made = {said[0] for name, said in people if name == "Limiter"}
    assert len(made) > 20, "the limits are not found"
    sockets = {"max-tables", "max-sockets"}
    made |= sockets | {f"{one}-per-address" for one in sockets} | {"max-tables-per-user"}
    for language in LANGUAGES:
        table = page(language, "hosting.md").partition("| `limit` |")[2].partition("\n\n")[0]
        rows = [row.split(" | ")[0] for row in table.split("\n| ")[1:]]
        same({*re.findall(r"`([a-z-]+)`", " ".join(rows))}, made - {"strangers"}, language)


def check_the_sizes_are_those_measured() -> None:
    """hosting.md has the table that the measured costs make: ``python -m benchmarks.sizing``."""
    costs = Costs.of(json.loads(COSTS.read_text("utf-8")))
    for language in LANGUAGES:
        assert wanted(costs, language) == page(language, "hosting.md"), language


def check_every_page_is_named_by_the_front_page() -> None:
    """A reader finds each page from the front page of the language."""
    for language, front in FRONTS.items():
        text = (ROOT / front).read_text("utf-8")
        there = [path.name for path in (DOCS / language).glob("*.md")]
        none([name for name in there if f"docs/{language}/{name}" not in text], front)


def outline(language: str, name: str) -> list[dict[str, object]]:
    """What a page has in any language, section by section: names, numbers and blocks of code."""
    blocks = re.compile(r"^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)
    found: list[dict[str, object]] = []
    for part in re.split(r"^## ", page(language, name), flags=re.MULTILINE):
        prose = blocks.sub("", part)
        rows = [line.strip("| ").split(" | ") for line in re.findall(r"^\|.*", prose, re.MULTILINE)]
        found.append(
            {
                "blocks": blocks.findall(part),
                "sections": len(re.findall(r"^### ", prose, re.MULTILINE)),
                "tables": [len(row) for row in rows],
                "rows": [re.findall(r"`[^`]+`|[A-Z]\d+|\d+", row[0]) for row in rows],
                "numbers": [row[1] for row in rows if re.fullmatch(r"[A-Z\d, ]+", row[1])],
                "names": sorted(set(re.findall(r"`[^`\n]+`", prose))),
            }
        )
    return found


def check_turkish_pages_hold_what_the_english_ones_do() -> None:
    """Their sections, names, numbers, rows and blocks of code are equal."""
    for name in EQUAL:
        for at, (ours, theirs) in enumerate(
            zip(outline("tr", name), outline("en", name), strict=True)
        ):
            for kind, found in ours.items():
                same(found, theirs[kind], name, f"section {at}:", kind)


def check_both_front_pages_say_the_same() -> None:
    """Their sections, their code, their tables and lists, and the pictures are equal."""

    def shape(name: str) -> dict[str, object]:
        text = (ROOT / name).read_text("utf-8")
        front = text.partition("\n| page | about |")[0].partition("\n| sayfa | ")[0]
        return {
            "sections": [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)],
            "code": re.findall(r"^```python\n(.*?)^```", front, re.MULTILINE | re.DOTALL),
            "commands": len(re.findall(r"^    \S", front, re.MULTILINE)),
            "points": len(re.findall(r"^- ", front, re.MULTILINE)),
            "pictures": re.findall(r"docs/img/[\w.-]+", front),
        }

    same(shape(FRONTS["tr"]), shape(FRONTS["en"]))


def check_the_front_pages_say_how_strong_the_strongest_bot_is() -> None:
    """They have the points and deals of strength.md, in their own way of writing numbers."""
    row = re.search(
        r"\| `champion` \| -([0-9.]+) ± ([0-9.]+) \(([0-9,]+) deals\)", page("en", "strength.md")
    )
    assert row, "strength.md has no row of the champion"
    mean, error, deals = row.groups()
    english, turkish = ((ROOT / front).read_text("utf-8") for front in FRONTS.values())
    comma = f"{mean} ± {error}".replace(".", ",")
    for text, said in (
        (english, f"[{mean} ± {error} points a deal]({HOME}/blob/main/docs/en/strength.md)"),
        (english, f"on {deals} duplicate deals"),
        (turkish, f"[{comma} puan](docs/en/strength.md)"),
        (turkish, f"{deals.replace(',', '.')} elde"),
    ):
        assert said in text, said


def check_every_command_is_on_the_pages() -> None:
    """command-line.md has a row for each command."""
    for language in LANGUAGES:
        text = page(language, "command-line.md")
        none([name for name in app.commands if f"| `{name}" not in text], language)


def check_the_client_s_page_lists_what_is_found() -> None:
    """Every fault and every advice of the check of a server, in its order."""
    _, _, below = page("en", "client.md").partition("## Find what is wrong")
    same(re.findall(r"^\| `([a-z-]+)` \|", below, re.MULTILINE), [*FAULTS, *ADVICE])


def check_the_record_s_pages_name_every_field() -> None:
    """A row for each field, the limits, and an example of a result with all of its fields."""
    whole: dict[str, Any] = schema()
    parts = {
        name: part["properties"] for name, part in whole["$defs"].items() if "properties" in part
    }
    for language in LANGUAGES:
        text = page(language, "record.md")
        rows = set(re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE))
        same(rows, {*whole["properties"], *parts["deal"], *parts["result"]}, language)
        none([name for name in (*parts["fine"], FORMAT) if f"`{name}`" not in text], language)
    text = page("en", "record.md")
    for said in (f"{MAX_BYTES // 2**20} MiB", f"{MAX_ACTIONS:,} actions"):
        assert said in text, said
    (example,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    shown = json.loads(example)
    same([*shown], [*parts["result"]])
    same([*shown["fines"][0]], [*parts["fine"]])


# The protocol ------------------------------------------------------------------------------------

VALIDATOR = jsonschema.Draft202012Validator(protocol_schema())
SENT = {kind.__struct_config__.tag for kind in get_args(client_messages.AnyMessage)}
TOLD = {kind.__struct_config__.tag for kind in get_args(server_messages.AnyEvent)}
HAPPENINGS = {kind.__struct_config__.tag for kind in get_args(server_messages.What)}
PROTOCOL = {language: page(language, "protocol.md") for language in LANGUAGES}
REFUSALS = {*CODES, "server-restarting", "store-slow", "table-frozen"}


def examples(text: str) -> list[dict[str, Any]]:
    """Every message in the blocks of JSON: one over several lines, or one a line."""
    found = []
    for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL):
        decoder, rest = json.JSONDecoder(), block.strip()
        while rest:
            message, end = decoder.raw_decode(rest)
            found.append(message)
            rest = rest[end:].strip()
    return found


def check_an_example_is_a_message() -> None:
    """Each can be read and fits the schema; an error has a code and its sentence."""
    for message in (message for text in PROTOCOL.values() for message in examples(text)):
        written = json.dumps(message)
        reads = (
            client_messages.read_message if message["type"] in SENT else server_messages.read_event
        )
        try:
            reads(written)
            VALIDATOR.validate(message)
        except Exception as error:
            raise AssertionError(f"{written}: {error}") from error
        for told in (message, message.get("error") or {}):
            assert told.get("code", "not-your-turn") in REFUSALS, written
        if message["type"] == "error":
            same(message["message"], CODES[message["code"]].format(**message["details"]))


def check_every_message_is_on_the_protocol_s_pages() -> None:
    """Messages have an example, phrases and happenings a name, and close codes a row."""
    same({message["type"] for message in examples(PROTOCOL["en"])}, SENT | TOLD)
    used = {value for name, value in vars(close_codes).items() if name.startswith("CLOSE_")}
    for language, text in PROTOCOL.items():
        named = set(re.findall(r"`([a-z-]+)`", text)) | {m["type"] for m in examples(text)}
        none((SENT | TOLD | set(client_messages.PHRASES)) - named, language)
        none(HAPPENINGS - named if language == "en" else (), language)
        same({int(c) for c in re.findall(r"^\| (\d{4}) \|", text, re.MULTILINE)}, used, language)


def check_the_protocol_s_numbers_are_the_defaults() -> None:
    """Allowances, the time of absence and what waits for a slow reader."""
    text = " ".join(PROTOCOL["en"].split())
    one = {name: field.default for name, field in settings.Settings.model_fields.items()}
    for said in (
        f"{one['message_burst']} messages at once and {one['messages_per_second']:g} a second",
        f"{one['handshake_burst']} sockets at once and {one['handshakes_per_second']:g} a second",
        f"the {socket._MOST_WARNINGS + 1}st time",
        f"{one['absence_s']:g} seconds away",
        f"{socket._MOST_MESSAGES} messages or {socket._MOST_BYTES // 1024} kB",
    ):
        assert said in text, said
