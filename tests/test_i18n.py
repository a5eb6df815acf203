"""The catalogues: equal keys and variables, every message formats, Turkish is spelt right."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import pytest
from fluent.runtime import FluentResource
from fluent.syntax import ast as syntax

from okey101.errors import NotationError, OkeyError, RecordError, RuleSetError
from okey101.game.refusals import CODES
from okey101.game.ruleset import RuleSet
from okey101.i18n import LANGUAGES, Texts, error_text, load, pick_language
from okey101.tiles import Rack, Tile

SRC = Path(__file__).resolve().parents[1] / "src" / "okey101"
FILES = sorted(path.name for path in (SRC / "locales" / "en").glob("*.ftl"))
KEYS = load("en").keys()


def source(language: str, name: str) -> str:
    return (SRC / "locales" / language / name).read_text(encoding="utf-8")


def arguments(texts: Texts, key: str) -> Iterator[dict[str, str | int]]:
    """Values that reach every variant of a message."""
    names = sorted(texts.variables(key))
    choices: list[list[str | int]] = []
    for name in names:
        own: list[str | int] = [
            int(v) if v.lstrip("-").isdigit() else v
            for v in texts.variants(key, name)
            if v not in ("one", "other")
        ]
        choices.append([*own, 1, 2, "word"])
    for values in itertools.islice(itertools.product(*choices), 300):
        yield dict(zip(names, values, strict=True))


@pytest.mark.parametrize("name", FILES)
def test_same_files_and_keys_in_both_languages(name: str) -> None:
    turkish, english = (
        Texts(language, {name: source(language, name)}).keys() for language in ("tr", "en")
    )
    assert turkish == english


def test_no_file_in_one_language_alone() -> None:
    assert sorted(path.name for path in (SRC / "locales" / "tr").glob("*.ftl")) == FILES


def test_same_variables_in_both_languages() -> None:
    turkish, english = load("tr"), load("en")
    assert [key for key in KEYS if turkish.variables(key) != english.variables(key)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_formats(language: str) -> None:
    texts = load(language)
    for key in KEYS:
        for values in arguments(texts, key):
            text = texts(key, **values)
            assert text.strip() == text != "", key
            assert not re.search(r"[{}$\u2066-\u2069]|  ", text), (key, text)


def test_no_number_is_broken_up() -> None:
    assert load("tr")("count-points", count=1010) == "1010 puan"
    assert load("en")("count-points", count=-1616) == "-1616 points"


@pytest.mark.parametrize("name", FILES)
def test_turkish_nouns_stay_singular_and_nothing_is_glued(name: str) -> None:
    text = re.sub(r"(?m)^[\w-]+ =|^#.*", "", source("tr", name))
    assert re.findall(r"[\d}] \w+(?:lar|ler)\b", text) == []
    assert re.findall(r"[\d}]['’]\w*", text) == []
    assert re.findall(r"[\d}] ?%|%\s", text) == []


SPEAKING = [SRC / "i18n.py", *(p for f in ("cli", "render") for p in (SRC / f).glob("*.py"))]


@pytest.mark.parametrize("path", sorted(SPEAKING), ids=lambda p: p.name)
def test_no_case_is_changed_in_code(path: Path) -> None:
    calls = {
        node.func.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert not calls & {"upper", "title", "capitalize", "swapcase"}


def codes_of_the_core() -> set[str]:
    """The first argument wherever the core makes one of its errors."""
    found = set(CODES)
    core = [SRC / "tiles.py", SRC / "melds.py", *(SRC / "game").glob("*.py")]
    core += (SRC / "solver").glob("*.py")
    for path in core:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            code = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
            makes = node.func.id in ("_bad", "_error", "refuse") or node.func.id.endswith("Error")
            if makes and isinstance(code, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code):
                found.add(code)
    return found


@pytest.mark.parametrize("code", sorted(codes_of_the_core()))
def test_every_error_code_has_its_sentence(code: str) -> None:
    assert load("tr").has(f"error-{code}")
    assert load("en").has(f"error-{code}")


@pytest.mark.parametrize("code", sorted(CODES))
def test_sentences_of_codes_use_the_details_of_the_core(code: str) -> None:
    details = set(re.findall(r"{(\w+)}", CODES[code]))
    assert load("en").variables(f"error-{code}") <= details


def raised(call: object) -> OkeyError:
    assert callable(call)
    with pytest.raises(OkeyError) as caught:
        call()
    return caught.value


def test_error_text_words_the_details() -> None:
    error = raised(lambda: Rack.parse("R7 R7 R7"))
    assert error_text(load("tr"), error) == "R7 taşından yalnızca iki tane vardır."
    assert error_text(load("tr"), error, tile="kırmızı 7").startswith("kırmızı 7 taşından")
    error = raised(lambda: RuleSet(players=3, teams=True))
    assert error_text(load("en"), error) == (
        "The team game needs four players: teams, players (G1)."
    )
    error = RecordError("bad-value", "", "deals[0].result.end")
    assert error_text(load("en"), error) == "deals[0].result.end: That value is not possible."
    error = RuleSetError("bad-value", "", ("players", "teams"), allowed="2-4")
    assert error_text(load("en"), error) == ("players, teams can't have that value; allowed: 2-4.")


def test_error_text_falls_back_on_the_error() -> None:
    assert error_text(load("tr"), OkeyError("no-such-code", "it failed")) == "it failed"
    assert error_text(load("tr"), NotationError("bad-tile", "no details")) == "no details"


def test_unknown_key_and_bad_arguments_raise() -> None:
    texts = load("en")
    with pytest.raises(KeyError, match="no-such-key"):
        texts("no-such-key")
    with pytest.raises(TypeError, match="count"):
        texts("count-points")
    with pytest.raises(TypeError, match="neither a text nor a whole number"):
        texts("count-points", count=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="neither a text nor a whole number"):
        texts("count-points", count=True)
    with pytest.raises(KeyError):
        texts.variables("no-such-key")
    with pytest.raises(ValueError, match="no texts in 'de'"):
        load("de")


def test_arguments_of_the_core_are_written_in_the_notation() -> None:
    assert load("en")("error-not-in-hand", tile=Tile.R7) == "You don't hold R7."


@pytest.mark.parametrize(
    ("explicit", "environ", "language"),
    [
        ("tr", {"LANG": "en_GB.UTF-8"}, "tr"),
        ("en", {"OKEY101_LANG": "tr"}, "en"),
        (None, {}, "en"),
        (None, {"OKEY101_LANG": "tr", "LC_ALL": "C"}, "tr"),
        (None, {"OKEY101_LANG": "", "LANG": "tr_TR.UTF-8"}, "tr"),
        (None, {"LC_ALL": "en_US", "LC_MESSAGES": "tr_TR", "LANG": "tr_TR"}, "en"),
        (None, {"LC_MESSAGES": "tr_TR", "LANG": "en_US"}, "tr"),
        (None, {"LANG": "C"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_pick_language(explicit: str | None, environ: dict[str, str], language: str) -> None:
    assert pick_language(explicit, environ) == language


def test_pick_language_refuses_another() -> None:
    with pytest.raises(ValueError, match="'de'"):
        pick_language("de", {})


@pytest.mark.parametrize(
    "sources",
    [{"x.ftl": "a = b\nnonsense\n"}, {"one.ftl": "a = b\n", "two.ftl": "a = c\n"}],
)
def test_a_damaged_catalogue_is_refused(sources: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="ftl: "):
        Texts("en", sources)


def test_a_damaged_message_is_refused_when_it_is_asked_for() -> None:
    texts = Texts("en", {"x.ftl": "a = b { $\nc = d\n"})
    assert texts("c") == "d"
    for ask in (texts, texts.variables):
        with pytest.raises(ValueError, match=r"x\.ftl: "):
            ask("a")


@pytest.mark.parametrize("language", LANGUAGES)
def test_message_by_message_is_the_same_as_all_at_once(language: str) -> None:
    """What was found line by line is what the library finds in a whole catalogue."""
    for name in FILES:
        entries = FluentResource(source(language, name)).body
        kinds = (syntax.Message, syntax.Term)
        whole = [entry for entry in entries if isinstance(entry, kinds)]
        assert not [entry for entry in entries if isinstance(entry, syntax.Junk)]
        texts = Texts(language, {name: source(language, name)})
        assert texts.keys() == tuple(
            entry.id.name for entry in whole if isinstance(entry, syntax.Message)
        )
        for entry in whole:
            key = ("-" if isinstance(entry, syntax.Term) else "") + entry.id.name
            alone = texts._message(key)
            assert alone.equals(entry, ignored_fields=["span", "comment"]), key


def test_a_missing_reference_never_comes_out_half() -> None:
    texts = Texts("en", {"x.ftl": "a = b { missing }\n"})
    with pytest.raises(TypeError):
        texts("a")


def test_thousands_are_not_separated() -> None:
    texts = Texts("tr", {"x.ftl": "a = { $n }\n"})
    assert texts("a", n=-16160) == "-16160"


@pytest.mark.parametrize("language", LANGUAGES)
def test_fields_of_rule_sets_are_named_once(language: str) -> None:
    texts = load(language)
    for item in fields(RuleSet):
        assert texts.has(f"field-{item.name}"), item.name
        for value in item.metadata.get("options", ()):
            word = ("no", "yes")[value] if isinstance(value, bool) else value
            assert isinstance(word, int) or texts.has(f"field-value-{word}"), word
    assert not [key for key in KEYS if re.match(r"(page|rules)-(field|value)-", key)]


def test_threads_that_ask_at_once_read_the_same() -> None:
    files = {name: source("en", name) for name in FILES}
    plain = [key for key in KEYS if not load("en").variables(key)][:150]
    said = [load("en")(key) for key in plain]
    texts = Texts("en", files)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: [texts(key) for key in plain], range(8)))
    assert found == [said] * 8
