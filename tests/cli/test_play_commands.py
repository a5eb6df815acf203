"""Reading what the player types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okey101.cli.play.commands import _SPOKEN, TypedCommand, Verb, is_yes, read_command, shown
from okey101.command_words import COMMANDS, fold, in_notation, shape_of, words_of
from okey101.errors import NotationError
from okey101.i18n import LANGUAGES, load
from okey101.tiles import Tile


@pytest.mark.parametrize(
    ("line", "lang", "verb", "rest"),
    [
        ("d", "en", Verb.DRAW, ""),
        ("draw", "tr", Verb.DRAW, ""),
        ("ç", "tr", Verb.DRAW, ""),
        ("ÇEK", "tr", Verb.DRAW, ""),
        ("yerden çek", "tr", Verb.DRAW, ""),
        ("y", "tr", Verb.TAKE, ""),
        ("yandan al", "en", Verb.TAKE, ""),
        ("geri bırak", "tr", Verb.RETURN, ""),
        ("geri al", "tr", Verb.BACK, ""),
        ("geri al 2", "tr", Verb.BACK, "2"),
        ("ga", "tr", Verb.BACK, ""),
        ("undo", "en", Verb.BACK, ""),
        ("a", "tr", Verb.OPEN, ""),
        ("el aç", "tr", Verb.OPEN, ""),
        ("ÇİFT AÇ", "tr", Verb.OPEN_PAIRS, ""),
        ("op", "en", Verb.OPEN_PAIRS, ""),
        ("meld R7 R8 R9 / K11 Y11 *B11", "en", Verb.MELD, "R7 R8 R9 / K11 Y11 *B11"),
        ("ser r7 r8 r9", "tr", Verb.MELD, "r7 r8 r9"),
        ("l K5 3", "en", Verb.LAY, "K5 3"),
        ("işle K5 > 3", "tr", Verb.LAY, "K5 > 3"),
        ("İŞLE TÜMÜ", "tr", Verb.LAY_ALL, ""),
        ("at  R9", "tr", Verb.DISCARD, "R9"),
        ("  x R9  ", "en", Verb.DISCARD, "R9"),
        ("seri diz", "tr", Verb.SORT_MELDS, ""),
        ("seri", "tr", Verb.SORT_MELDS, ""),
        ("çift", "tr", Verb.OPEN_PAIRS, ""),
        ("at kırmızı 5", "tr", Verb.DISCARD, "kırmızı 5"),
        ("çift diz", "tr", Verb.SORT_PAIRS, ""),
        ("sort pairs", "en", Verb.SORT_PAIRS, ""),
        ("?", "en", Verb.HELP, ""),
        ("çık", "tr", Verb.QUIT, ""),
        ("CIK", "tr", Verb.QUIT, ""),
        ("", "en", Verb.STATUS, ""),
        ("   ", "tr", Verb.STATUS, ""),
    ],
)
def test_words_in_both_languages(line: str, lang: str, verb: Verb, rest: str) -> None:
    command = read_command(line, lang)
    assert (command.verb, command.rest) == (verb, rest)
    assert line.startswith(rest, command.at)


def test_no_word_means_two_things() -> None:
    assert set(COMMANDS) == set(Verb) - {Verb.STATUS}
    for language in LANGUAGES:
        phrases = [
            fold(phrase)
            for words in COMMANDS.values()
            for spoken, listed in words.items()
            for phrase in listed
            if spoken in ("en", language) or len(phrase) > 1
        ]
        assert len(phrases) == len(set(phrases)) == len(words_of(COMMANDS, language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verb", sorted(_SPOKEN))
def test_every_word_of_either_language_is_read(verb: Verb, language: str) -> None:
    for spoken, phrases in COMMANDS[verb].items():
        for phrase in phrases:
            if spoken in ("en", language) or len(phrase) > 1:
                assert read_command(phrase, language).verb is verb


@pytest.mark.parametrize("letter", ["c", "y", "g", "a", "i"])
def test_turkish_letters_are_turkish_alone(letter: str) -> None:
    assert letter in {fold(word) for word in COMMANDS[read_command(letter, "tr").verb]["tr"]}
    with pytest.raises(NotationError) as caught:
        read_command(letter, "en")
    assert caught.value.code == "unknown-command"


@pytest.mark.parametrize("lang", ["tr", "en"])
def test_help_names_a_word_for_every_command(lang: str) -> None:
    said = load(lang)("play-help", points=101)
    words = {fold(word.strip(" ,:;.")) for word in said.split()}
    for verb in _SPOKEN:
        assert {fold(phrase) for phrases in COMMANDS[verb].values() for phrase in phrases} & words


@pytest.mark.parametrize("language", LANGUAGES)
def test_tiles_are_read_as_they_are_named(language: str) -> None:
    texts = load(language)
    for tile in Tile:
        if tile is Tile.OKEY:
            named = texts("tile-okey")
        elif tile is Tile.F:
            named = texts("tile-false-joker")
        else:
            named = texts("tile", colour=str(tile)[0], number=int(str(tile)[1:]))
        assert in_notation(f"{named} > 3") == f"{tile} > 3"
        assert in_notation(named.upper()) == str(tile)


def test_tiles_in_words_stand_among_others() -> None:
    assert in_notation("R7 kırmızı 8 red 9 / okey F") == "R7 R8 R9 / * F"
    assert in_notation("kırmızı") == "R"
    assert in_notation("zıpla 5") == "zıpla 5"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verb", sorted(_SPOKEN))
def test_a_shape_is_in_the_own_language_and_can_be_typed(verb: Verb, language: str) -> None:
    command = read_command(shape_of(verb, language), language)
    assert command.verb is verb
    assert any(command.line.startswith(phrase) for phrase in COMMANDS[verb][language])


@pytest.mark.parametrize("lang", ["tr", "en"])
def test_every_command_named_in_the_choices_is_one(lang: str) -> None:
    texts = load(lang)
    for key in load(lang).keys():  # noqa: SIM118  # a catalogue is no mapping
        if not key.startswith("play-may-"):
            continue
        values = dict.fromkeys(texts.variables(key), 1)
        inside = texts(key, **values).rpartition("(")[2].rstrip(")")
        for part in inside.split(": ")[-1].split(";"):
            read_command(part.split(" ")[0], lang)


def test_a_line_of_the_record_names_its_seat() -> None:
    command = read_command("0: discard R9", "en")
    assert (command.verb, command.rest, command.seat, command.at) == (Verb.DISCARD, "R9", 0, 11)
    with pytest.raises(NotationError) as caught:
        read_command("7: draw", "en")
    assert caught.value.code == "bad-seat"


def test_an_unknown_word_is_shown_safely() -> None:
    with pytest.raises(NotationError) as caught:
        read_command("  \x1b[2Jfoo bar", "en")
    assert caught.value.details["word"] == "?[2Jfoo"
    assert caught.value.position == 2
    assert len(shown("x" * 1000)) == 40


@pytest.mark.parametrize("answer", ["y", "Yes", " e ", "EVET"])
def test_yes(answer: str) -> None:
    assert is_yes(answer)


@pytest.mark.parametrize("answer", ["", "n", "h", "hayır", "yep", "evet ama"])
def test_anything_else_is_no(answer: str) -> None:
    assert not is_yes(answer)


@given(st.text(), st.sampled_from(["tr", "en"]))
def test_any_text_is_a_command_or_refused(line: str, lang: str) -> None:
    try:
        command = read_command(line, lang)
    except NotationError as caught:
        error = caught
    else:
        assert isinstance(command, TypedCommand)
        assert line.startswith(command.rest, command.at)
        return
    assert 0 <= error.position <= len(line)
    assert error.code in ("unknown-command", "bad-seat")
