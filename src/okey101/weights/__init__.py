"""What the bots weigh: for those in plain Python, for their compiled twins and for the training."""

from __future__ import annotations

from okey101.game.ruleset import RuleSet

__all__ = ["preset_of"]


def preset_of(rules: RuleSet) -> str:
    """The preset whose weights a rule set takes: the one that it is most like in what matters.

    That is, whether most deals are void at the end of the stock (E3), and whether a discard that
    is used costs its thrower (U7).
    """
    if rules.empty_stock == "void_but_okeys":
        return "pagat"
    return "wiki" if rules.taken_discard_fine else "altinstar"
