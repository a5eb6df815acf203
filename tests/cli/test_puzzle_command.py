"""``okey101 puzzle``: a position is shown, an answer taken, and the best told."""

from __future__ import annotations

from okey101.cli.app import THEMES
from okey101.review import puzzles
from okey101.review.puzzles import puzzle, puzzles_about

from .conftest import Run


def test_the_themes_are_those_of_the_positions() -> None:
    assert THEMES == puzzles.THEMES


def test_an_answer_is_judged_in_both_languages(run: Run) -> None:
    one = puzzle(1)
    right = run("puzzle", "1", "--answer", one.best, "--lang", "en")
    assert right.code == 0
    assert "Which move is best?" in right.out
    assert "Right: " in right.out
    wrong = run("puzzle", "1", "--answer", one.played, "--lang", "tr")
    assert "Daha iyisi: " in wrong.out
    assert "Ayrıntı" in wrong.out
    far = run("puzzle", "1", "--answer", "announce", "--lang", "en")
    assert "not even among the likely ones" in far.out


def test_the_answer_may_be_typed_by_its_number(run: Run) -> None:
    place = sorted([puzzle(1).best, *puzzle(1).costs]).index(puzzle(1).best) + 1
    assert "Right: " in run("puzzle", "1", "--lang", "en", stdin=f"{place}\n".encode()).out


def test_any_of_a_theme_and_all_of_it_as_json(run: Run) -> None:
    (data,) = [run("puzzle", "--theme", "discards", "--json").json]
    assert data["number"] in puzzles_about("discards")
    assert data["costs"][data["played"]]["low"] >= 3


def test_what_is_no_choice_is_refused(run: Run) -> None:
    last = len(puzzles_about())
    assert run("puzzle", str(last + 1), "--json").refusal == (3, "no-such-puzzle")
    for answer in ("0", "99", "nonsense"):
        refusal = run("puzzle", "1", "--answer", answer, "--json").refusal
        assert refusal == (2, "no-such-choice")
