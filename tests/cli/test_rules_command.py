"""``okey101 rules``, and rule sets as the command line names them."""

from __future__ import annotations

import pytest

from okey101.cli.rules import rules_of
from okey101.errors import RuleSetError
from okey101.game import PRESETS, RuleSet
from okey101.i18n import LANGUAGES, load
from okey101.render.rules_text import rules_plain

from .conftest import Run


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_text(run: Run, name: str, language: str) -> None:
    ran = run("rules", name, "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == rules_plain(RuleSet.preset(name), load(language), width=80)


def test_the_first_preset_is_the_default(run: Run) -> None:
    assert run("rules").out == run("rules", "altinstar").out


def test_json(run: Run) -> None:
    ran = run("rules", "pagat", "--json")
    assert ran.json["rules"] == RuleSet.preset("pagat").to_dict()
    assert ran.json["compared_with"] == "altinstar"
    assert ran.json["differences"]["okey_in_hand"] == ["fine_101", "tile_101"]
    changed = run("rules", "--set", "open-points=91", "--set", "rising=yes", "--json").json
    assert changed["compared_with"] == "altinstar"
    assert changed["differences"] == {"open_points": [101, 91], "rising": [False, True]}
    assert run("rules", "--json").json["differences"] == {}


def test_a_changed_number_is_in_the_text(run: Run) -> None:
    assert "91" in run("rules", "--set", "open_points=91").out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nope"], "unknown-preset"),
        (["--set", "colour=red"], "unknown-field"),
        (["--set", "open_points=high"], "bad-value"),
        (["--set", "open_points=10"], "bad-value"),
        (["--set", "rising=2"], "bad-value"),
        (["--set", "starter=me"], "bad-value"),
        (["--set", "teams=true", "--set", "players=3"], "teams-need-four"),
        (["--set", "rising"], "bad-setting"),
        (["--set", "=3"], "bad-setting"),
        (["pagat", "wiki"], "extra-argument"),
    ],
)
def test_what_is_no_rule_set(run: Run, arguments: list[str], code: str) -> None:
    ran = run("rules", *arguments, "--json")
    assert (ran.code, ran.error["code"]) == (2, code)
    for language in LANGUAGES:
        text = run("rules", *arguments, "--lang", language)
        assert (text.code, text.out) == (2, "")
        assert text.err.startswith("okey101: ")


def test_settings_take_the_types_of_the_fields() -> None:
    texts = load("en")
    rules = rules_of("wiki", ["players = 3", "starter=dealer", "rising=ON"], texts)
    assert rules == RuleSet.preset("wiki").with_(players=3, starter="dealer", rising=True)
    with pytest.raises(RuleSetError):
        rules_of("wiki", ["players=١"], texts)
