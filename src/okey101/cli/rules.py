"""``okey101 rules``: the rules of a rule set, and rule sets as the command line names them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields

from okey101.cli.output import Exit, Failure, Output
from okey101.game.ruleset import RuleSet
from okey101.i18n import Texts
from okey101.render.rules_text import rules_plain

_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NARROWEST, _WIDEST = 40, 100


def rules_of(name: str, settings: Sequence[str], texts: Texts) -> RuleSet:
    """A preset with fields changed by settings like ``open_points=91``.

    Raises RuleSetError for an unknown name or a bad value, Failure for a setting without a value.
    """
    rules = RuleSet.preset(name)
    changes = dict(_setting(rules, setting, texts) for setting in settings)
    return rules.with_(**changes) if changes else rules


def _setting(rules: RuleSet, setting: str, texts: Texts) -> tuple[str, object]:
    name, equals, text = (part.strip() for part in setting.partition("="))
    name = name.replace("-", "_")
    if not (name and equals and text):
        raise Failure.of(texts, Exit.USAGE, "bad-setting", setting=setting)
    known = {field.name for field in fields(rules)}
    present = getattr(rules, name) if name in known else None
    value: object = text
    if isinstance(present, bool):
        value = _WORDS.get(text.casefold(), text)
    elif isinstance(present, int) and text.removeprefix("-").isdecimal() and len(text) < 10:
        value = int(text)
    return name, value


def show_rules(output: Output, name: str, settings: Iterable[str]) -> int:
    """Print the rules as text, or the rule set as JSON; returns the exit code.

    The JSON says how the rule set differs from ``compared_with``: field, value there, value
    here. Raises RuleSetError.
    """
    rules = rules_of(name, tuple(settings), output.texts)
    preset = rules.preset_name if rules.differences() else "altinstar"
    answer = {
        "rules": rules.to_dict(),
        "compared_with": preset,
        "differences": {field: [*two] for field, two in rules.differences(preset).items()},
    }
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    width = max(_NARROWEST, min(width, _WIDEST))
    return output.tell(answer, lambda: rules_plain(rules, output.texts, width=width).splitlines())
