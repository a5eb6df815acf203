"""The saved match: written whole after every action, read back as it was, never lost."""

import json
import os
import re
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.playing import play
from conftest import Patch
from okey101.cli.play.main import PlaySettings
from okey101.cli.play.saved import LockTaken, default_path, locked, move_aside, read_saved
from okey101.errors import RecordError
from okey101.game import PRESETS, Record, RuleSet
from okey101.server.files.atomic_files import take

SEED = b"a saved match"


def wish(path: Path | None = None, **changes: object) -> PlaySettings:
    settings = PlaySettings(
        rules=RuleSet(players=2), deals=1, bots=("greedy",), seed=SEED, record=path
    )
    return replace(settings, **changes)  # type: ignore[arg-type]


def moves_of(path: Path) -> list[tuple[str, ...]]:
    return [deal.actions for deal in Record.read(path).deals]


def refused(code: int, said: str, settings: PlaySettings) -> None:
    ran = play(settings, "auto 5")
    assert ran.code == code
    assert said in ran.err


class TestResume:
    @pytest.mark.parametrize("preset", PRESETS)
    def test_a_match_cut_into_pieces_is_the_same_match(self, preset: str, tmp_path: Path) -> None:
        rules = PRESETS[preset].with_(players=3)
        whole, pieces = tmp_path / "whole.json", tmp_path / "pieces.json"
        play(wish(whole, rules=rules, deals=2), "auto 9999")
        code = play(wish(pieces, rules=rules, deals=2), "auto 3").code
        outs = []
        for _ in range(200):
            ran = play(wish(pieces, resume=True), "auto 7")
            outs.append(ran.out)
            assert ran.code == code == 0
            if "The match is over." in ran.out:
                break
        assert moves_of(pieces) == moves_of(whole)
        assert Record.read(pieces).totals == Record.read(whole).totals

    def test_what_happened_is_told_again(self, tmp_path: Path) -> None:
        path = tmp_path / "m.json"
        play(wish(path), "auto 6")
        log = play(wish(path, resume=True), "log").out
        assert "Resuming the match" in log
        assert log.count("\nYou ") >= 3

    def test_the_order_of_the_rack_and_words_are_kept(self, tmp_path: Path) -> None:
        path = tmp_path / "m.json"
        play(wish(path), "sp", "words")
        out = play(wish(path, resume=True)).out
        assert "  Pairs: " in out
        assert re.search(r"\b(red|yellow|blue|black) \d", out)

    def test_settings_of_the_save_win(self, tmp_path: Path) -> None:
        path = tmp_path / "m.json"
        play(wish(path, name="Ayşe"), "q")
        settings = wish(path, rules=PRESETS["pagat"], bots=("random",), resume=True, lang="tr")
        out = play(settings, "q").out
        assert "Karşıdaki (Orta)" in out
        assert "\nAyşe: 2" in out

    @pytest.mark.parametrize("where", ["mine", "bot", "action"])
    def test_a_file_does_not_steer_the_terminal(self, where: str, tmp_path: Path) -> None:
        path = tmp_path / "m.json"
        play(wish(path, name="Ada"), "auto 6")
        told = json.loads(path.read_text(encoding="utf-8"))
        evil = "\x1b[2J\a"
        if where == "mine":
            told["players"][told["_play"]["seat"]] += evil
        elif where == "bot":
            told["players"][1 - told["_play"]["seat"]] += evil
        else:
            told["deals"][0]["actions"][0] += evil
        path.write_text(json.dumps(told), encoding="utf-8")
        ran = play(wish(path, resume=True), "score", "log", "table")
        assert (ran.code == 0) == (where == "mine")
        assert not {"\x1b", "\a"} & {*ran.out, *ran.err}

    def test_without_a_save_there_is_nothing_to_resume(self, tmp_path: Path) -> None:
        for path in (tmp_path / "none.json", None):
            refused(1, "no saved match", wish(path, resume=True))

    def test_a_match_that_is_over_is_not_resumed(self, tmp_path: Path) -> None:
        path = tmp_path / "m.json"
        play(wish(path), "auto 9999")
        refused(3, "save-over", wish(path, resume=True))


class TestNothingIsLost:
    def test_the_default_file(self, state_home: Path) -> None:
        play(wish(), "q")
        path = state_home / "okey101" / "play.okey.json"
        assert path == default_path(os.environ)
        assert read_saved(path).running is not None
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    def test_without_a_state_home(self) -> None:
        expected = Path.home() / ".local" / "state" / "okey101" / "play.okey.json"
        assert default_path({}) == default_path({"XDG_STATE_HOME": "not/absolute"}) == expected

    def test_a_new_match_moves_the_old_one_aside(self, state_home: Path) -> None:
        play(wish(), "auto 5")
        old = (state_home / "okey101" / "play.okey.json").read_bytes()
        for number in (1, 2):
            out = play(wish(seed=b"%d" % number), "q").out
            assert f"play-{number}.okey.json" in out
        assert (state_home / "okey101" / "play-1.okey.json").read_bytes() == old

    def test_who_is_new_hears_the_aim_and_may_have_words_and_an_adviser(self) -> None:
        out = play(wish(seed=b"new", deals=2), "y", "help", "y", *["auto"] * 100, terminal=True).out
        assert "The aim is to get rid of your tiles." in out
        assert re.search(r"  Melds: .*(red|yellow|blue|black) \d", out)
        first, _, rest = out.partition("The adviser leaves now.")
        assert first.count("Hint: ") == first.count("Your turn, ") + first.count("Your move")
        assert "Your turn, " in rest
        assert "Hint: " not in rest
        again = play(wish(seed=b"again"), "q", terminal=True).out
        assert "The aim" not in again
        assert "The aim" not in play(wish(seed=b"pipe"), "q").out

    def test_a_person_is_asked_whether_to_go_on(self, state_home: Path) -> None:
        play(wish(), "auto 5")
        path = state_home / "okey101" / "play.okey.json"
        before = moves_of(path)
        out = play(wish(), "y", "q", terminal=True).out
        assert "There is an unfinished match. Go on with it?" in out
        assert moves_of(path) == before
        out = play(wish(seed=b"other"), "help", "n", "q", terminal=True).out
        assert out.count("Go on with it?") == 2
        assert "play-1.okey.json" in out
        out = play(wish(seed=b"third", resume=False), "q", terminal=True).out
        assert "Go on with it?" not in out
        assert "play-2.okey.json" in out
        assert moves_of(state_home / "okey101" / "play-1.okey.json") == before

    def test_a_named_file_is_never_replaced(self, tmp_path: Path) -> None:
        path = tmp_path / "m.json"
        play(wish(path), "auto 5")
        before = path.read_bytes()
        refused(1, "exists already", wish(path, seed=b"other"))
        assert path.read_bytes() == before

    def test_somebody_elses_file_is_left_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "letter.txt"
        path.write_text("Dear Sir", encoding="utf-8")
        assert play(wish(path)).code == 3
        assert path.read_text(encoding="utf-8") == "Dear Sir"

    def test_save_as_writes_a_copy_and_replaces_nothing(self, tmp_path: Path) -> None:
        path, copy = tmp_path / "m.json", tmp_path / "copy.json"
        more = ("auto 5", f"save {copy}", "save", "save /no/x", "save ~no.body/x")
        out = play(wish(path), f"save {copy}", *more).out
        assert "Saved in" in out
        assert "exists already" in out
        for folder in ("/no", "~no.body"):
            assert f"Not saved: {folder}/x: There is no folder {folder}.\n" in out
        assert len(moves_of(copy)[0]) < len(moves_of(path)[0])

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        refused(1, "There is no folder", wish(tmp_path / "no" / "m.json"))
        refused(1, "is a folder", wish(Path()))
        assert list(tmp_path.iterdir()) == []

    def test_two_do_not_play_the_same_file(self, tmp_path: Path) -> None:
        path = tmp_path / "m.json"
        with locked(path):
            refused(1, "another window", wish(path))
        assert play(wish(path), "q").code == 0
        assert [p.name for p in tmp_path.iterdir() if p.name != "state"] == ["m.json"]

    def test_a_lock_that_is_removed_once_it_is_opened_is_none(
        self, tmp_path: Path, monkeypatch: Patch
    ) -> None:
        """Somebody ends in the other window: who comes next would not meet it."""
        path, going = tmp_path / "m.json", [tmp_path / ".m.json.lock"]

        def late(handle: int) -> None:
            if going:
                going.pop().unlink()
            take(handle)

        monkeypatch.setattr("okey101.cli.play.saved.take", late)
        with locked(path), pytest.raises(LockTaken), locked(path):
            pass

    def test_moving_aside_takes_the_first_free_name(self, tmp_path: Path) -> None:
        for number in range(1, 4):
            path = tmp_path / "a.okey.json"
            path.write_text(str(number), encoding="utf-8")
            assert move_aside(path) == tmp_path / f"a-{number}.okey.json"
            assert not path.exists()


def spoilt(change: Callable[[Any], object]) -> Callable[[bytes], bytes]:
    def changed(whole: bytes) -> bytes:
        data = json.loads(whole)
        change(data)
        return json.dumps(data).encode()

    return changed


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda whole: whole[: len(whole) // 2],
    "empty": lambda _: b"",
    "bytes": lambda _: b"\xff\xfe\x00",
    "no-play": spoilt(lambda data: data.pop("_play")),
    "seat": spoilt(lambda data: data["_play"].update(seat=9)),
    "seed": spoilt(lambda data: data["_play"].update(seed="00" * 32)),
    "short-seed": spoilt(lambda data: data["_play"].update(seed="00")),
    "order": spoilt(lambda data: data["_play"].update(sort="by smell")),
    "words": spoilt(lambda data: data["_play"].update(words="all")),
    "bots": spoilt(lambda data: data.update(players=["", "a friend"])),
    "action": spoilt(lambda data: data["deals"][0]["actions"].__setitem__(-1, "0: discard F")),
    "hands": spoilt(lambda data: data["deals"][0].update(hands=data["deals"][0]["hands"][1:] * 2)),
    "newer": spoilt(lambda data: data.update(format="okey101/2")),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_save_is_told_and_left_alone(how: str, tmp_path: Path, state_home: Path) -> None:
    play(wish(), "auto 5")
    path = state_home / "okey101" / "play.okey.json"
    broken = DAMAGES[how](path.read_bytes())
    path.write_bytes(broken)
    with pytest.raises(RecordError) as caught:
        read_saved(path)
    refused(3, f"({caught.value.code})", wish(resume=True))
    assert path.read_bytes() == broken
    ran = play(wish(), "q", terminal=True)
    assert ran.code == 0
    assert "can't be used" in ran.err
    assert (path.with_name("play-1.okey.json")).read_bytes() == broken
