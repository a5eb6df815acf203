"""Reading what the player types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okey101.cli.play.commands import (
    _PHRASES,
    _TURKISH_LETTERS,
    _WORDS,
    Command,
    Verb,
    fold,
    is_yes,
    read_command,
    shown,
)
from okey101.errors import NotationError
from okey101.i18n import load


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
    phrases = [p for listed in _PHRASES.values() for p in listed.split(", ")]
    assert len(phrases) == len(set(phrases)) == len(_WORDS)
    assert not {(letter,) for letter in _TURKISH_LETTERS} & _WORDS.keys()
    assert set(_PHRASES) == set(Verb) - {Verb.STATUS}


@pytest.mark.parametrize("letter", sorted(_TURKISH_LETTERS))
def test_turkish_letters_are_turkish_alone(letter: str) -> None:
    assert read_command(letter, "tr").verb is _TURKISH_LETTERS[letter]
    with pytest.raises(NotationError) as caught:
        read_command(letter, "en")
    assert caught.value.code == "unknown-command"


@pytest.mark.parametrize("lang", ["tr", "en"])
def test_help_names_a_word_for_every_command(lang: str) -> None:
    text = load(lang)("play-help")
    for verb, phrases in _PHRASES.items():
        words = [fold(word.strip(" ,:;.")) for word in text.split()]
        single = {p for p in phrases.split(", ") if " " not in p}
        single |= {letter for letter, v in _TURKISH_LETTERS.items() if v is verb}
        assert single & set(words), verb


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
        assert isinstance(command, Command)
        assert line.startswith(command.rest, command.at)
        return
    assert 0 <= error.position <= len(line)
    assert error.code in ("unknown-command", "bad-seat")
