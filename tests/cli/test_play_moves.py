"""What a command means in a position, and how a refusal is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.playing import position, sit
from okey101.cli.play.commands import read_command
from okey101.cli.play.moves import action_of
from okey101.errors import OkeyError
from okey101.game import Deal, Options, view_of

OPENED = "0: meld R10 R11 R12 R13 / K10 K11 K12 K13 / B1 B2 B3 / Y1 Y2 Y3"
HAND = "R10 R11 R12 R13 K10 K11 K12 K13 B1 B2 B3 Y1 Y2 Y3"
MORE = "R9 R9 B4 Y4 Y5 K1 * F"


def opened() -> Deal:
    """Seat 0 has opened and holds R9 R9 B4 Y4 Y5 K1, an okey (B6) and a false joker."""
    return position([f"{HAND} {MORE}", "K2 K3 K4 K5 R5"], OPENED)


def meaning(deal: Deal, line: str, lang: str = "en") -> str:
    return str(action_of(read_command(line, lang), Options(view_of(deal, 0))))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("l R9", "lay R9 > 1"),
        ("l R9 > 1", "lay R9 > 1"),
        ("l R9>1", "lay R9 > 1"),
        ("l r9 1", "lay R9 > 1"),
        ("i Y4", "lay Y4 > 4"),
        ("l * 1", "lay *R9 > 1"),
        ("l *B4 > 3", "lay *B4 > 3"),
        ("x *", "discard *"),
        ("x B6", "discard B6"),
        ("at k1", "discard K1"),
        ("b", "back 1"),
        ("b 3", "back 3"),
        ("m R9 R9 *9", "meld R9 R9 *9"),
        ("swap K1 > 2", "swap K1 > 2"),
        ("swap K1 2", "swap K1 > 2"),
        ("pass", "pass"),
        ("d", "draw"),
        ("at kırmızı 5", "discard R5"),
        ("işle Kırmızı 9", "lay R9 > 1"),
        ("işle sarı 4 4", "lay Y4 > 4"),
        ("işle okey 1", "lay *R9 > 1"),
        ("x black 1", "discard K1"),
        ("at sahte okey", "discard F"),
        ("ser red 9 kırmızı 9 *9", "meld R9 R9 *9"),
    ],
)
def test_short_commands(line: str, action: str) -> None:
    assert meaning(opened(), line, "tr" if line[0] in "ia" else "en") == action


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("l K5", "not-in-hand"),
        ("l K1", "fits-nowhere"),
        ("l *", "bare-okey"),
        ("l * 2", None),
        ("l", None),
        ("l R9 > x", "bad-action"),
        ("l R99 > 1", "bad-tile"),
        ("x", "bad-action"),
        ("x R99", "bad-tile"),
        ("x R9 R9", "bad-action"),
        ("b x", "bad-action"),
        ("b 99999", "bad-action"),
        ("swap K1", "bad-action"),
        ("draw it", "bad-action"),
        ("m R9 / / B4", "empty-group"),
        ("m R9 *", "bare-okey"),
        ("o", "already-opened"),
        ("op", "already-opened"),
    ],
)
def test_refused(line: str, code: str | None) -> None:
    deal = opened()
    if code is None:
        return
    with pytest.raises(OkeyError) as caught:
        meaning(deal, line)
    assert caught.value.code == code


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
    with pytest.raises(OkeyError) as caught:
        meaning(opened(), line, lang)
    assert (caught.value.code, caught.value.details["shape"]) == ("bad-action", shape)


def test_a_tile_that_fits_twice_asks_where() -> None:
    deal = position(
        ["R5 R6 R7 Y8 B8 K8 R10 R11 R12 R13 K10 K11 K12 R8 Y1", "K2 K3 K4 K5 R5"],
        "0: meld R5 R6 R7 / Y8 B8 K8 / R10 R11 R12 R13 / K10 K11 K12",
    )
    with pytest.raises(OkeyError) as caught:
        meaning(deal, "l R8")
    assert caught.value.code == "fits-several"
    assert caught.value.details["groups"] == "1, 2"


def test_open_lays_the_best_arrangement() -> None:
    deal = position([f"{HAND} R1 R3", "K2 K3 K4 K5"])
    assert meaning(deal, "o").startswith("meld R10 R11 R12 R13")
    assert meaning(deal, "m").startswith("meld R10 R11 R12 R13")


def test_open_says_what_is_missing() -> None:
    deal = position(["R10 R11 R12 R13 K1 K5", "K2 K3 K4"])
    with pytest.raises(OkeyError) as caught:
        meaning(deal, "o")
    assert (caught.value.code, caught.value.details) == ("cannot-open", {"value": 46, "need": 101})
    with pytest.raises(OkeyError) as caught:
        meaning(deal, "op")
    assert caught.value.code == "cannot-open-pairs"


def test_meld_alone_leaves_a_tile_to_discard() -> None:
    deal = position([f"{HAND} R5 R6 R7 R8", "K2 K3 K4 K5"], OPENED)
    assert meaning(deal, "m") == "meld R5 R6 R7"
    deal = position([f"{HAND} R5 R6 R7 K7 Y7", "K2 K3 K4 K5"], OPENED)
    assert len(action_text := meaning(deal, "m"))
    assert action_text != "meld R5 R6 R7 / R7 Y7 K7"
    deal = position([f"{HAND} R5 K7", "K2 K3 K4 K5"], OPENED)
    with pytest.raises(OkeyError) as caught:
        meaning(deal, "m")
    assert caught.value.code == "no-meld"


def test_before_drawing_nothing_is_laid() -> None:
    deal = position(
        [f"{HAND} {MORE}", "K2 K3 K4 K5 R5"], OPENED, "0: discard K1", "1: draw", "1: discard K2"
    )
    for line in ("o", "l R9", "m"):
        with pytest.raises(OkeyError) as caught:
            meaning(deal, line)
        assert caught.value.code == "must-draw-first"


def test_lay_all_lays_all_but_the_okey(tmp_path: Path) -> None:
    sitting = sit(tmp_path, opened(), "la", "q")
    assert sitting.actions == ["0: lay R9 > 1", "0: lay B4 > 3", "0: lay Y4 > 4", "0: lay Y5 > 4"]
    assert "*" in str(sitting.deal.rack(0))


@pytest.mark.parametrize(("lang", "word"), [("en", "l"), ("tr", "i"), ("tr", "işle tümü")])
def test_lay_without_a_tile_lays_all(tmp_path: Path, lang: str, word: str) -> None:
    assert len(sit(tmp_path, opened(), word, lang=lang).actions) == 4


def test_lay_all_says_why_it_lays_nothing(tmp_path: Path) -> None:
    closed = position([HAND, "K2 K3 K4"])
    assert "Lay off only after opening. (O3)" in sit(tmp_path, closed, "la").text
    deal = position([f"{HAND} K1 K7", "K2 K3 K4"], OPENED)
    assert "None of your tiles fits a group on the table." in sit(tmp_path, deal, "la").text


def test_malformed_text_says_where(tmp_path: Path) -> None:
    text = sit(tmp_path, opened(), "m R9 R77 B4").text
    assert "R77 is not a tile. (at character 6: R77 B4)" in text
    turkish = sit(tmp_path, opened(), "m R9 R77 B4", lang="tr").text
    assert "R77 diye bir taş yok. (karakter 6: R77 B4)" in turkish


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
