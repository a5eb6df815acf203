"""What the terminal game shows, asks and refuses."""

import itertools
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from cli.playing import HAND, MORE, OPENED, Sitting, opened, play, position, sit
from conftest import Patch, unwrap
from okey101.cli.play.main import PlaySettings
from okey101.game import PRESETS, RuleSet
from okey101.i18n import Texts


def match_of(
    folder: Path, name: str = "m", preset: str = "altinstar", **changes: Any
) -> PlaySettings:
    rules = PRESETS[preset].with_(**changes)
    return PlaySettings(rules=rules, deals=1, bots=("greedy",), record=folder / name, seed=b"x")


def fines(sitting: Sitting) -> list[tuple[str, int]]:
    return [(fine.rule, fine.points) for fine in sitting.deals[0].public.fines]


class TestWhatIsShown:
    def test_the_position_tells_all_that_lies_open(self, tmp_path: Path) -> None:
        deal = position(
            [f"{HAND} {MORE}", "K2 K3 K4 K5 R5", "Y7 Y8 Y9 Y13", "B9 B10 B11 B12"],
            OPENED,
            "0: discard R9; 1: take; 1: return; 1: draw; 1: discard K2; 2: draw; 2: discard Y7",
            "3: draw; 3: discard B9",
            stock="R1 R2 R3 R4 R5 R6",
        )
        text = sit(tmp_path, deal, "q").text
        for part in (
            "Deal 1 of 1. Indicator B5, okey B6 (*). Stock: 3 tiles.",
            "\nTable:\n  1. R10 R11 R12 R13 (run, You; fits: R9)\n",
            "\n  2. K10 K11 K12 K13 (run, You; fits: K9)\n  3. B1 B2 B3 (run, You; fits: B4)\n",
            "\n  4. Y1 Y2 Y3 (run, You; fits: Y4)\n",
            "Right (Medium): 5 tiles, not opened, last discard K2",
            "Left (Medium): 4 tiles, not opened, last discard B9, you may take it",
            "You: 7 tiles, opened with melds, last discard R9",
            "Your rack, 7 tiles:",
            "You may: draw (d); take B9 (t).",
            "You opened with 104 points (",
            "were fined 101 points (P2, a playable tile was discarded)",
            "Right took the discard R9; put R9 back; drew from the stock; discarded K2.",
        ):
            assert part in text, part
        heard = [line for line in text.splitlines() if line.startswith("Across drew")]
        assert heard == ["Across drew from the stock; discarded Y7."]

    def test_play_goes_to_the_right_and_one_takes_from_the_left(self, tmp_path: Path) -> None:
        hands = ["Y9 R1", "K2 R2", "Y7 R3", "B9 R4"]
        deal = position(hands, stock="R5 R6 R7 R8 R9 R10")
        sitting = sit(tmp_path, deal, "x Y9", "t", "q")
        first = [action.split(":")[0] for action in sitting.actions]
        assert [seat for seat, _ in itertools.groupby(first)] == ["0", "1", "2", "3", "0"]
        thrown = sitting.actions[-2].split()[-1]
        assert f"You took the discard {thrown}." in sitting.text
        names = [line.split(" ")[0] for line in sitting.lines if "drew from" in line]
        assert names == ["Right", "Across", "Left"]

    @pytest.mark.parametrize(
        ("players", "names"),
        [(2, ["Across"]), (3, ["Right", "Left"]), (4, ["Right", "Across", "Left"])],
    )
    def test_neighbours_have_names(self, tmp_path: Path, players: int, names: list[str]) -> None:
        text = play(match_of(tmp_path, players=players), "q").out
        assert re.findall(r"^(\w+) \(Medium\)", text, re.MULTILINE) == names

    def test_G1_the_partner_is_named_and_the_teams_are_added_up(self, tmp_path: Path) -> None:
        text = play(match_of(tmp_path, teams=True), "auto 9999").out
        assert "\nAcross (Medium), your partner: 21 tiles" in text
        assert len(re.findall(r"^  [12]\. You and Across: -?\d+ points$", text, re.MULTILINE)) == 2
        assert re.search("^(The winners are Right, Left|You won the match)", text, re.MULTILINE)

    def test_the_sum_stands_against_the_threshold(self, tmp_path: Path) -> None:
        text = sit(tmp_path, position(["R10 R11 R12 R13 K5 K5 Y7", "K2 K3"]), "w").text
        assert "Best arrangement: 46 of 101 points; pairs: 1 of 5." in text
        assert "To open with sets and runs you need 55 more points." in text
        rising = position(
            [f"{HAND} {MORE}", "R10 R11 R12 K2 K3"], OPENED, rules=RuleSet(players=2, rising=True)
        )
        assert "of 105 points" in sit(tmp_path, rising, "x K1").text or rising.turn == 0

    def test_what_a_discard_would_cost(self, tmp_path: Path) -> None:
        text = sit(tmp_path, opened(), "q").text
        assert (
            "Discards that cost a fine: R9 Y4 B4: 101 points (P2, a playable tile);"
            " *: 101 points (P1, an okey)."
        ) in text

    def test_colour_only_when_asked_and_never_alone(self, tmp_path: Path) -> None:
        deal = opened()
        assert "\x1b" not in sit(tmp_path, deal, "table").text
        coloured = sit(tmp_path, deal, "table", color=True).text
        assert "\x1b[31mR9\x1b[0m" in coloured
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == sit(tmp_path, deal, "table").text

    def test_words_for_those_who_listen(self, tmp_path: Path) -> None:
        text = sit(tmp_path, opened(), "sözlü", "masa", lang="tr").text
        assert "kırmızı 10, kırmızı 11, kırmızı 12, kırmızı 13" in text
        assert "sahte okey" in text

    def test_a_hint_in_words_can_be_typed(self, tmp_path: Path) -> None:
        deal = position(["R1 R2 R3 K9", "K2 K3 K4 K5"])
        sitting = sit(tmp_path, deal, "sözlü", "ipucu", "at siyah 9", lang="tr")
        assert "İpucu: at siyah 9." in sitting.text
        assert sitting.actions[0] == "0: discard K9"

    def test_an_empty_line_shows_the_position_again(self, tmp_path: Path) -> None:
        assert sit(tmp_path, opened(), "", "q").text.count("Table:") == 2

    def test_commands_that_only_tell(self, tmp_path: Path) -> None:
        deal = opened()
        for lang, lines in (
            ("en", "help, h, w, table, rack, rules, rules P2, score, log, ?"),
            ("tr", "yardım, ip, ne, masa, ıstaka, kural, kural p2, puan, olanlar"),
        ):
            sitting = sit(tmp_path, deal, *lines.split(", "), lang=lang)
            assert sitting.deal == deal
            assert "komut yok" not in sitting.text
            assert "no command" not in sitting.text
        assert "P2: " in sit(tmp_path, deal, "rules p2").text
        assert "There is no rule Z9." in sit(tmp_path, deal, "rules Z9").text

    @pytest.mark.parametrize("answers", [["", "n"], [""] * 20])
    def test_the_rules_come_a_screen_at_a_time(
        self, tmp_path: Path, monkeypatch: Patch, answers: list[str]
    ) -> None:
        monkeypatch.setenv("LINES", "24")
        monkeypatch.setenv("COLUMNS", "80")
        file = tmp_path / "rules.okey.json"
        out = play(PlaySettings(record=file), "rules", *answers, terminal=True).out
        screens = out.split("(Enter: more, n: stop) > ")
        assert all(screen.count("\n") <= 24 for screen in screens[1:-1])
        assert len(screens) == 3 if "n" in answers else len(screens) > 4

    def test_the_end_of_a_deal_has_its_score_sheet(self, tmp_path: Path) -> None:
        finished = position([f"{HAND} K1", "K2 K3 K4 K5 R5"], OPENED)
        text = sit(tmp_path, finished, "x K1").text
        assert "You discarded K1; finished." in text
        assert "End of deal 1: You finished." in text
        assert "  You: -101 x 2 (the whole hand in one turn) = -202; total -202" in text
        assert "202 x 2 (the whole hand in one turn) = 404; total 404" in text
        assert "You won the match!" in text
        assert "  1. You: -202 points" in text

    def test_hints_give_a_reason(self, tmp_path: Path) -> None:
        """The advice and the sentence that the page gives as well."""
        text = sit(tmp_path, position([f"{HAND} R1 R3", "K2 K3 K4 K5"]), "h").text
        assert re.search(r"Hint: discard \S+\. You can open, but waiting is better: ", text)

    @pytest.mark.parametrize(
        "line", ["hint R1", "why 3", "sort all", "lay all R1", "log  2", "auto 0"]
    )
    def test_what_follows_a_command_that_nothing_follows_is_refused(
        self, tmp_path: Path, line: str
    ) -> None:
        word, rest = line.rsplit(maxsplit=1)
        text = sit(tmp_path, position([f"{HAND} R1 R3", "K2 K3 K4 K5"]), line).text
        assert f"Write it like this: {word}" in text
        assert f": {rest}" in text
        assert "Hint:" not in text

    def test_every_action_has_its_words(self, texts: Texts) -> None:
        names = "draw take return announce open-melds open-pairs meld lay back discard pass"
        for name in [*names.split(), "short-opening", "indicator", "swap", "finish"]:
            assert texts.has(f"play-did-{name}")
            assert texts.has(f"play-you-{name}")


class TestSpecialRules:
    def test_X2_an_okey_is_reclaimed(self, tmp_path: Path) -> None:
        rules = RuleSet(players=2, reclaim_okey=True)
        deal = position(
            ["R10 R11 R12 R13 K10 K11 K12 K13 B1 B2 * Y1 Y2 Y3 B3 Y9 Y13", "K2 K3 K4 K5 R5"],
            "0: meld R10 R11 R12 R13 / K10 K11 K12 K13 / B1 B2 *B3 / Y1 Y2 Y3",
            rules=rules,
        )
        sitting = sit(tmp_path, deal, "değiş B3 3", lang="tr")
        assert sitting.actions == ["0: swap B3 > 3"]
        assert "okeyi al: B3 > 3 (değiş)" in sitting.text
        assert "Siz B3 verip 3 numaralı perdeki okeyi aldınız." in sitting.text
        refused = sit(tmp_path, opened(), "swap K1 > 1")
        assert "These rules do not let you reclaim an okey. (X2)" in refused.text

    def test_D8_a_riziko_deal_is_told(self, tmp_path: Path) -> None:
        rules = PRESETS["wiki"].with_(players=2)
        deal = position(["R10 R11 R12 Y5 *", "K2 K3"], indicator="F", rules=rules, dealer=1)
        text = sit(tmp_path, deal, "sp", "w").text
        assert "The indicator is a false joker: a riziko deal" in text
        assert "  Pairs: R12 *R12" in text

    def test_O6_the_twin_is_announced(self, tmp_path: Path) -> None:
        rules = PRESETS["wiki"].with_(players=2)
        deal = position(["B5 R11 R12 Y5 K1", "K2 K3"], rules=rules, dealer=1)
        sitting = sit(tmp_path, deal, "söyle", "announce", lang="tr")
        assert sitting.actions == ["0: announce"]
        assert "\nMasada henüz per yok.\n" in sitting.text
        assert "“Gösterge bende” de (söyle)" in sitting.text
        assert "“Gösterge bende” zaten dendi. (O6)" in sitting.text

    def test_E2_the_last_discard_is_on_offer(self, tmp_path: Path) -> None:
        rules = PRESETS["pagat"].with_(players=2)
        deal = position(
            ["R1 R3 R5", "K2 K3 K9"], "0: discard R1; 1: draw; 1: discard K2", stock="Y9",
            rules=rules, dealer=1,
        )  # fmt: skip
        sitting = sit(tmp_path, deal, "d", "t", "p")
        assert "Take the last discard or pass >" in sitting.text
        assert sitting.actions == ["0: pass"]
        assert "The deal does not count. The same dealer deals again." in sitting.text

    def test_E4_the_indicator_may_be_drawn_to_finish(self, tmp_path: Path) -> None:
        rules = PRESETS["wiki"].with_(players=2)
        deal = position(
            [f"{HAND} B4 Y9 K1", "K2 K3 K9 R5"],
            "0: meld R10 R11 R12 R13 / K10 K11 K12 K13 / Y1 Y2 Y3 / B1 B2 B3",
            "0: discard Y9; 1: draw; 1: discard K2",
            stock="Y7",
            rules=rules,
            dealer=1,
        )
        sitting = sit(tmp_path, deal, "indicator", "x K1", "l B4", "l B5", "x K1")
        assert "Draw the indicator or pass >" in sitting.text
        assert "You drew the indicator and must finish in this turn." in sitting.text
        assert unwrap(sitting.deal.result).winner == 0


def test_T2_what_is_shown_follows_from_what_the_seat_sees(tmp_path: Path) -> None:
    """Tables that differ only in other players' tiles look exactly the same."""
    mine = "R10 R11 R12 R13 K5"
    others = [["K2 K3 B9", "Y1 Y2 Y3", "K8 K9 Y9"], ["F Y9 B9", "Y1 K2 *", "K8 Y2 Y13"]]
    played = ["0: discard K5", "1: take", "1: return", "1: draw", "1: discard B9", "2: draw"]
    played += ["2: discard Y1", "3: draw", "3: discard K8"]
    lines = ["", "w", "table", "log", "score", "s", "sp", "sc", "h", "words", "d", "w", "h"]
    texts = set()
    for hands in others:
        stock = "R1 R2 R3 R4 R5" if hands is others[0] else "R1 R2 R3 R4 B13"
        deal = position([mine, *hands], *played, stock=stock)
        texts.add(sit(tmp_path, deal, *lines).text)
    assert len(texts) == 1


class TestFines:
    def test_P2_a_fined_discard_is_asked_about(self, tmp_path: Path) -> None:
        deal = opened()
        for answer in ("n", "", "what"):
            sitting = sit(tmp_path, deal, "x R9", answer, "q")
            assert sitting.deal == deal
            assert "discard R9 costs 101 points (P2: a playable tile)." in sitting.text
            assert "Not done; nothing has changed." in sitting.text
        assert sit(tmp_path, deal, "x R9").deal == deal, "the end of the input is no yes"
        sitting = sit(tmp_path, deal, "x R9", "y", "q")
        assert sitting.actions[0] == "0: discard R9"
        assert fines(sitting)[:1] == [("P2", 101)]
        assert sit(tmp_path, deal, "x K1").actions[0] == "0: discard K1", "it is free: nobody asks"

    def test_P1_the_okey_is_asked_about(self, tmp_path: Path) -> None:
        sitting = sit(tmp_path, opened(), "at *", "e", lang="tr")
        assert "(P1: okey). Yapmak istiyor musunuz?" in sitting.text
        assert fines(sitting)[:1] == [("P1", 101)]

    def test_P3_a_short_opening_is_asked_about(self, tmp_path: Path) -> None:
        deal = position(["R10 R11 R12 R13 K5 K5 Y7", "K2 K3"])
        sitting = sit(tmp_path, deal, "m R10 R11 R12 R13", "n")
        assert sitting.deal == deal
        assert "That is 46 points, but 101 are needed" in sitting.text
        sitting = sit(tmp_path, deal, "m R10 R11 R12 R13", "y", "q")
        assert fines(sitting) == [("P3", 101)]
        assert "showed a short opening and took it back" in sitting.text
        sitting = sit(tmp_path, deal, "m K5 K5", "n")
        assert "That is 1 pair, but 5 are needed" in sitting.text
        assert sitting.deal == deal

    def test_O5_a_short_opening_may_be_refused(self, tmp_path: Path) -> None:
        rules = RuleSet(players=2, short_opening="refuse")
        deal = position(["R10 R11 R12 R13 K5 K5 Y7", "K2 K3"], rules=rules)
        sitting = sit(tmp_path, deal, "m R10 R11 R12 R13")
        assert sitting.deal == deal
        assert "Your opening is worth 46, but 101 are needed. (O1)" in sitting.text

    def test_U5_the_first_tile_back_is_free_the_second_costs(self, tmp_path: Path) -> None:
        sitting = sit(tmp_path, opened(), "la", "undo", "b", "n", "b", "y", "q")
        assert "take back the last tile, free (b)" in sitting.text
        assert "take back the last tile, costs 101 (b)" in sitting.text
        assert "costs 101 points (P4: taking back more than one tile in a row)" in sitting.text
        assert [a for a in sitting.actions if "back" in a] == ["0: back 1", "0: back 1"]
        assert fines(sitting) == [("P4", 101)]

    def test_an_undone_tile_is_in_the_hand_again(self, tmp_path: Path) -> None:
        sitting = sit(tmp_path, opened(), "l R9", "geri al", "q")
        assert sitting.actions == ["0: lay R9 > 1", "0: back 1"]
        assert sitting.deal.rack(0) == opened().rack(0)
        assert fines(sitting) == []


WORDS = [
    *("d", "t", "r", "o", "op", "m", "l", "la", "x", "b", "announce", "p", "indicator", "swap"),
    *("s", "sp", "sc", "h", "w", "auto", "table", "rack", "rules", "score", "log", "words"),
    *("R9", "R10", "B4", "Y4", "K1", "*", "F", "*9", "*R9", ">", "/", "1", "2", "3", "9", "0:"),
    *("1:", "y", "n", "evet", "çift", "aç", "geri", "al"),
]
LINES = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))


@settings(max_examples=60)
@given(st.lists(LINES, max_size=12), st.sampled_from(["tr", "en"]), st.booleans())
def test_no_line_breaks_the_game(lines: list[str], lang: str, open_already: bool) -> None:
    deal = opened() if open_already else position([f"{HAND} R1", "K2 K3 K4"])
    with tempfile.TemporaryDirectory() as folder:
        sitting = sit(Path(folder), deal, *lines, lang=lang)
    assert "Traceback" not in sitting.text


def test_an_unknown_bot_is_a_usage_error(tmp_path: Path) -> None:
    played = play(PlaySettings(bots=("nobody",), record=tmp_path / "m"), "q")
    assert played.code == 2
    assert "nobody" in played.err
    assert not (tmp_path / "m").exists()
