"""The catalogues: equal keys and variables, every message formats, Turkish is spelt right."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fluent.runtime import FluentResource
from fluent.syntax import ast as syntax

from okey101.errors import NotationError, OkeyError, RecordError, RuleSetError
from okey101.game.ruleset import RuleSet
from okey101.i18n import LANGUAGES, Texts, error_text, load, pick_language
from okey101.tiles import Rack, Tile

SRC = Path(__file__).resolve().parents[1] / "src" / "okey101"
FILES = sorted(path.name for path in (SRC / "i18n" / "en").glob("*.ftl"))
KEYS = load("en").keys()


def source(language: str, name: str) -> str:
    return (SRC / "i18n" / language / name).read_text(encoding="utf-8")


def test_numbers_are_not_broken_up_and_tiles_are_in_the_notation() -> None:
    assert load("tr")("count-points", count=1010) == "1010 puan"
    assert load("en")("count-points", count=-1616) == "-1616 points"
    assert load("en")("error-not-in-hand", tile=Tile.R7) == "You don't hold R7."


def test_error_text_words_the_details() -> None:
    error: OkeyError
    with pytest.raises(OkeyError) as caught:
        Rack.parse("R7 R7 R7")
    assert error_text(load("tr"), caught.value) == "R7 taşından yalnızca iki tane vardır."
    worded = error_text(load("tr"), caught.value, tile="kırmızı 7")
    assert worded.startswith("kırmızı 7 taşından")
    with pytest.raises(OkeyError) as caught:
        RuleSet(players=3, teams=True)
    assert error_text(load("en"), caught.value) == (
        "The team game needs four players: teams, players (G1)."
    )
    error = RecordError("bad-value", "", "deals[0].result.end")
    assert error_text(load("en"), error) == "deals[0].result.end: That value is not possible."
    error = RuleSetError("bad-value", "", ("players", "teams"), allowed="2-4")
    assert error_text(load("en"), error) == ("players, teams can't have that value; allowed: 2-4.")
    # The error's own words, where there are none in the catalogue or for these details.
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
    for ask in (load, lambda language: pick_language(language, {})):
        with pytest.raises(ValueError, match="no texts in 'de'"):
            ask("de")


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


@pytest.mark.parametrize(
    "sources", [{"x.ftl": "a = b\nnonsense\n"}, {"one.ftl": "a = b\n", "two.ftl": "a = c\n"}]
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


def test_threads_that_ask_at_once_read_the_same() -> None:
    files = {name: source("en", name) for name in FILES}
    plain = [key for key in KEYS if not load("en").variables(key)][:150]
    said = [load("en")(key) for key in plain]
    texts = Texts("en", files)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: [texts(key) for key in plain], range(8)))
    assert found == [said] * 8
