"""What is typed in the terminal game, what it means in a position, and the options of the game."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from cli.playing import HAND, MORE, OPENED, opened, position, sit
from conftest import Patch, raises_code
from okey101.cli.play.command_words import COMMANDS, Verb, fold, in_notation, shape_of, words_of
from okey101.cli.play.main import PlaySettings
from okey101.cli.play.moves import (
    _SPOKEN,
    TypedCommand,
    action_of,
    is_no,
    is_yes,
    read_command,
    shown,
)
from okey101.errors import NotationError
from okey101.game import Deal, Options, RuleSet, view_of
from okey101.game.dealing import seed_of
from okey101.i18n import LANGUAGES, Texts
from okey101.tiles import Tile

from .conftest import Run


def meaning(deal: Deal, line: str, lang: str = "en") -> str:
    return str(action_of(read_command(line, lang), Options(view_of(deal, 0))))


MEANT = {
    "lay R9 > 1": "l R9; l R9 > 1; l R9>1; l r9 1; işle Kırmızı 9",
    "lay Y4 > 4": "i Y4; işle sarı 4 4; işle y 4 4",
    "lay *R9 > 1": "l * 1; işle okey 1",
    "lay *B4 > 3": "l *B4 > 3",
    "discard *": "x *",
    "discard B6": "x B6",
    "discard K1": "at k1; x black 1; at K 1",
    "discard R5": "at kırmızı 5",
    "discard F": "at sahte okey",
    "back 1": "b",
    "back 3": "b 3",
    "meld R9 R9 *9": "m R9 R9 *9; ser red 9 kırmızı 9 *9",
    "swap K1 > 2": "swap K1 > 2; swap K1 2",
    "pass": "pass",
    "draw": "d",
}


@pytest.mark.parametrize("action", MEANT)
def test_short_commands(action: str) -> None:
    for line in MEANT[action].split("; "):
        assert meaning(opened(), line, "tr" if line[0] in "ia" else "en") == action


REFUSED = {
    "not-in-hand": "l K5",
    "fits-nowhere": "l K1",
    "bare-okey": "l *; m R9 *",
    "bad-action": "l R9 > x; x; x R9 R9; b x; b 99999; swap K1; draw it",
    "bad-tile": "l R99 > 1; x R99",
    "empty-group": "m R9 / / B4",
    "already-opened": "o; op",
}


@pytest.mark.parametrize("code", REFUSED)
def test_refused(code: str) -> None:
    for line in REFUSED[code].split("; "):
        with raises_code(code):
            meaning(opened(), line)


@pytest.mark.parametrize(
    ("line", "lang", "shape"),
    [
        ("işle R9 > x", "tr", "işle K5 > 3"),
        ("lay R9 > x", "tr", "işle K5 > 3"),
        ("lay R9 > x", "en", "lay K5 > 3"),
        ("değiş R8", "tr", "değiş R8 > 3"),
        ("at", "tr", "at R9"),
        ("geri al x", "tr", "geri al 2"),
        ("çek R9", "tr", "çek"),
    ],
)
def test_the_pattern_is_in_the_players_language(line: str, lang: str, shape: str) -> None:
    with raises_code("bad-action") as caught:
        meaning(opened(), line, lang)
    assert caught.value.details["shape"] == shape


def test_a_tile_that_fits_twice_asks_where() -> None:
    deal = position(
        ["R5 R6 R7 Y8 B8 K8 R10 R11 R12 R13 K10 K11 K12 R8 Y1", "K2 K3 K4 K5 R5"],
        "0: meld R5 R6 R7 / Y8 B8 K8 / R10 R11 R12 R13 / K10 K11 K12",
    )
    with raises_code("fits-several") as caught:
        meaning(deal, "l R8")
    assert caught.value.details["groups"] == "1, 2"


def test_open_lays_the_best_arrangement() -> None:
    deal = position([f"{HAND} R1 R3", "K2 K3 K4 K5"])
    assert meaning(deal, "o").startswith("meld R10 R11 R12 R13")
    assert meaning(deal, "m").startswith("meld R10 R11 R12 R13")


def test_open_says_what_is_missing() -> None:
    deal = position(["R10 R11 R12 R13 K1 K5", "K2 K3 K4"])
    with raises_code("cannot-open", details={"value": 46, "need": 101}):
        meaning(deal, "o")
    with raises_code("cannot-open-pairs"):
        meaning(deal, "op")


def test_meld_alone_leaves_a_tile_to_discard() -> None:
    deal = position([f"{HAND} R5 R6 R7 R8", "K2 K3 K4 K5"], OPENED)
    assert meaning(deal, "m") == "meld R5 R6 R7"
    deal = position([f"{HAND} R5 R6 R7 K7 Y7", "K2 K3 K4 K5"], OPENED)
    assert len(action_text := meaning(deal, "m"))
    assert action_text != "meld R5 R6 R7 / R7 Y7 K7"
    deal = position([f"{HAND} R5 K7", "K2 K3 K4 K5"], OPENED)
    with raises_code("no-meld"):
        meaning(deal, "m")


def test_before_drawing_nothing_is_laid() -> None:
    hands = [f"{HAND} {MORE}", "K2 K3 K4 K5 R5"]
    deal = position(hands, OPENED, "0: discard K1; 1: draw; 1: discard K2")
    for line in ("o", "l R9", "m"):
        with raises_code("must-draw-first"):
            meaning(deal, line)


def test_lay_all_lays_all_but_the_okey(tmp_path: Path) -> None:
    sitting = sit(tmp_path, opened(), "la", "q")
    assert sitting.actions == ["0: lay R9 > 1", "0: lay B4 > 3", "0: lay Y4 > 4", "0: lay Y5 > 4"]
    assert "*" in str(sitting.deal.rack(0))


@pytest.mark.parametrize(("lang", "word"), [("en", "l"), ("tr", "i"), ("tr", "işle tümü")])
def test_lay_without_a_tile_lays_all(tmp_path: Path, lang: str, word: str) -> None:
    assert len(sit(tmp_path, opened(), word, lang=lang).actions) == 4


def test_lay_all_says_why_it_lays_nothing(tmp_path: Path) -> None:
    closed = position([HAND, "K2 K3 K4"])
    assert "You can lay off only after you have opened. (O3)" in sit(tmp_path, closed, "la").text
    deal = position([f"{HAND} K1 K7", "K2 K3 K4"], OPENED)
    assert "None of your tiles fits a group on the table." in sit(tmp_path, deal, "la").text


def test_malformed_text_says_where(tmp_path: Path) -> None:
    text = sit(tmp_path, opened(), "m R9 R77 B4").text
    assert "R77 is not a tile. Write tiles like R7, F or *. (at character 6: R77 B4)" in text
    turkish = sit(tmp_path, opened(), "m R9 R77 B4", lang="tr").text
    assert "R77 diye bir taş yok. Taşları R7, F ya da * gibi yazın. (karakter 6: R77 B4)" in turkish


def test_a_refusal_tells_the_rule_and_changes_nothing(tmp_path: Path) -> None:
    deal = opened()
    sitting = sit(tmp_path, deal, "lay K1 > 1", "ser K1 R9 R9", lang="tr")
    assert sitting.deal == deal
    assert "K1, 1 numaralı pere uymaz. (M4)" in sitting.text
    assert "(M1)" in sitting.text or "(M2)" in sitting.text


def test_another_seats_action_is_refused(tmp_path: Path) -> None:
    deal = opened()
    sitting = sit(tmp_path, deal, "1: discard K1")
    assert sitting.deal == deal
    assert "It is not your turn. (D2)" in sitting.text


# Reading what the player types --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "lang", "verb", "rest"),
    [
        ("ÇEK", "tr", Verb.DRAW, ""),
        ("geri al 2", "tr", Verb.BACK, "2"),
        ("ÇİFT AÇ", "tr", Verb.OPEN_PAIRS, ""),
        ("meld R7 R8 R9 / K11 Y11 *B11", "en", Verb.MELD, "R7 R8 R9 / K11 Y11 *B11"),
        ("l K5 3", "en", Verb.LAY, "K5 3"),
        ("İŞLE TÜMÜ", "tr", Verb.LAY_ALL, ""),
        ("at  R9", "tr", Verb.DISCARD, "R9"),
        ("  x R9  ", "en", Verb.DISCARD, "R9"),
        ("at kırmızı 5", "tr", Verb.DISCARD, "kırmızı 5"),
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


@pytest.mark.parametrize("verb", sorted(_SPOKEN))
def test_every_word_of_either_language_is_read(verb: Verb, language: str) -> None:
    for spoken, phrases in COMMANDS[verb].items():
        for phrase in phrases:
            if spoken in ("en", language) or len(phrase) > 1:
                assert read_command(phrase, language).verb is verb


@pytest.mark.parametrize(
    ("lang", "typed", "meant"),
    [
        ("tr", "yardim?", "yardım"),
        ("tr", "isl K5", "işle"),
        ("en", "opne", "open"),
        ("tr", "geri", "geri al"),
    ],
)
def test_a_word_that_is_nearly_a_command(lang: str, typed: str, meant: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_command(typed, lang)
    assert refused.value.details["meant"] == meant


@pytest.mark.parametrize("letter", ["c", "y", "g", "a", "i"])
def test_turkish_letters_are_turkish_alone(letter: str) -> None:
    assert letter in {fold(word) for word in COMMANDS[read_command(letter, "tr").verb]["tr"]}
    with raises_code("unknown-command", NotationError):
        read_command(letter, "en")


def test_help_names_a_word_for_every_command(texts: Texts) -> None:
    said = texts("play-help", points=101)
    words = {fold(word.strip(" ,:;.")) for word in said.split()}
    for verb in _SPOKEN:
        assert {fold(phrase) for phrases in COMMANDS[verb].values() for phrase in phrases} & words


def test_tiles_are_read_as_they_are_named(texts: Texts) -> None:
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
    assert in_notation("kırmızı") == "kırmızı"
    assert in_notation("zıpla 5") == "zıpla 5"


@pytest.mark.parametrize("verb", sorted(_SPOKEN))
def test_a_shape_is_in_the_own_language_and_can_be_typed(verb: Verb, language: str) -> None:
    command = read_command(shape_of(verb, language), language)
    assert command.verb is verb
    assert any(command.line.startswith(phrase) for phrase in COMMANDS[verb][language])


def test_every_command_named_in_the_choices_is_one(texts: Texts, language: str) -> None:
    for key in texts.keys():  # noqa: SIM118  # a catalogue is no mapping
        if not key.startswith("play-may-"):
            continue
        values = dict.fromkeys(texts.variables(key), 1)
        inside = texts(key, **values).rpartition("(")[2].rstrip(")")
        for part in inside.split(": ")[-1].split(";"):
            read_command(part.split(" ")[0], language)


def test_a_line_of_the_record_names_its_seat() -> None:
    command = read_command("0: discard R9", "en")
    assert (command.verb, command.rest, command.seat, command.at) == (Verb.DISCARD, "R9", 0, 11)
    with raises_code("bad-seat", NotationError):
        read_command("7: draw", "en")


def test_an_unknown_word_is_shown_safely() -> None:
    with pytest.raises(NotationError) as caught:
        read_command("  \x1b[2Jfoo bar", "en")
    assert caught.value.details["word"] == "?[2Jfoo"
    assert caught.value.position == 2
    assert len(shown("x" * 1000)) == 40


ANSWERS = dict.fromkeys(("y", "Yes", " e ", "EVET"), (True, False))
ANSWERS |= dict.fromkeys(("n", "No", " h ", "HAYIR", "hayir"), (False, True))
ANSWERS |= dict.fromkeys(("", "yep", "evet ama"), (False, False))


@pytest.mark.parametrize("answer", ANSWERS)
def test_yes_and_no(answer: str) -> None:
    assert (is_yes(answer), is_no(answer)) == ANSWERS[answer]


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


# The options of okey101 play ----------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: Patch) -> list[PlaySettings]:
    found: list[PlaySettings] = []

    def note(settings: PlaySettings) -> int:
        found.append(settings)
        return 0

    monkeypatch.setattr("okey101.cli.play.main.run", note)
    return found


def test_the_defaults(run: Run, asked: list[PlaySettings]) -> None:
    assert run("play").code == 0
    assert asked == [PlaySettings()]


def test_all_options(run: Run, asked: list[PlaySettings]) -> None:
    line = (
        "play --rules pagat --set open_points=91 --players 3 --deals 5 --bots greedy,random"
        " --seed tavla --lang tr --record m.okey.json --new --name Ayşe"
    )
    assert run(*line.split()).code == 0
    assert asked == [
        PlaySettings(
            rules=RuleSet.preset("pagat").with_(open_points=91, players=3),
            deals=5,
            bots=("greedy", "random"),
            seed=hashlib.sha256(b"tavla").digest(),
            lang="tr",
            record=Path("m.okey.json"),
            name="Ayşe",
            resume=False,
        )
    ]


def test_teams_and_colours(run: Run, asked: list[PlaySettings], monkeypatch: Patch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    run("play", "--teams", "--new")
    assert asked == [PlaySettings(rules=RuleSet(teams=True), color=True, resume=False)]


def test_a_seed_is_64_digits_or_any_text() -> None:
    assert seed_of("0F" * 32) == bytes([15]) * 32
    for text in ("g" * 64, "ab " * 21 + " "):
        assert seed_of(text) == hashlib.sha256(text.encode()).digest()
    assert seed_of("ş") == hashlib.sha256("ş".encode()).digest()


OWN = """
from okey101.bots.greedy import GreedyBot

class Broken(GreedyBot):
    name = "broken"

    def choose(self, view, options):
        raise ZeroDivisionError

    def ended(self, view):
        print("the end of", view.seat, view.public.result.scores)
        raise ZeroDivisionError
"""


def test_bots_of_ones_own(run: Run, tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "broken_bots_of_a_test.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    bot = "broken_bots_of_a_test:Broken"
    file = str(tmp_path / "m.okey.json")
    started = ("play", "--record", file, "--players", "2", "--seed", "x")
    ran = run(*started, "--bots", bot, stdin=b"auto 1\nauto 8\nquit\n")
    assert ran.code == 0, ran.err
    assert "no legal action" in ran.err
    assert f"--bots {bot}" in ran.out
    (link := tmp_path / "link.json").symlink_to(file)
    again = run("play", "--record", str(link), "--resume", stdin=b"quit\n")
    assert again.code == 2, "a file can't have code of others run"
    assert bot in again.err
    allowed = run("play", "--record", file, "--resume", "--bots", bot, stdin=b"quit\n")
    assert allowed.code == 0, allowed.err
    to_the_end = ("play", "--record", file, "--resume", "--bots", bot)
    assert run("play", "--record", str(link), *to_the_end[3:], stdin=b"quit\n").code == 0
    assert link.is_symlink(), "what it leads to is played on"
    played = run(*to_the_end, stdin=b"auto 9999\n")
    assert played.code == 0, played.err
    assert played.out.count("the end of 1 ") == 3
