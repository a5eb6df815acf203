"""What docs/en/strength.md and benchmarks/strength.md have of best responses, from the scores kept.

``python -m benchmarks.best_response`` plays them, and ``scripts/train_response.py`` trains.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from okey101.bots import BOTS
from okey101.bots.registry import SEARCHERS
from strength_search import apart, largest, table, told

__all__ = ["answers", "section"]

KEPT: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "best_response.json"
_ABOUT: Final = """\
## What a best response gains

How far each bot can be exploited: one seat searches among three of it, and knows how they play. In
its playouts the others go on as that bot does, or as the one most like it. What it scores less than
that bot does in the same seat of the same deals is at least to be gained, and maybe more (a *local*
best response: it looks at each choice as it comes, and goes on as `master`).
"""
TRAINED: Final = KEPT.with_name("trained_responses.json")
_TRAINED: Final = """\
Trained responses: the weights of `master`, found anew by CMA-ES for a seat among three of the bot,
on development deals; what they gain was measured on release deals that nothing else was made with.
A bot against which they gain nothing has no weakness that weighing alone can use; `neural` weighs
otherwise, and above zero is what was found weaker than the bot itself: no bound on what a better
answer would gain. None was trained against `novice` and `steady`, which the kernel does not mix
with others, and none against `search` and `champion`, of whom a deal takes seconds: there the
search above is all there is, and an interval with zero in it says little.
"""
SOLVED: Final = KEPT.with_name("mini_okey.json")
_SOLVED: Final = """\
## A small game that is solved

How far a bot is from one that can't be beaten is known exactly in a mini-Okey: two seats, 13 tiles,
two draws. [mini_okey.md](mini_okey.md) has its rules, and how it was solved. The bots are written
anew for it, by the same formulas. Mean of both seats:

{rows}

Points of the mini-Okey, in which nine stand for 101: one is about 11 of the full game. A best
response gains {gap:.2f} against the equilibrium that was found. Nobody can work these out for the
full game: there a search, as above, says what can be gained at least.
"""
_ANSWERS: Final = {
    "ChampionBot": "{}, which takes them for `greedy`",
    "AmongMasters": "{}, 400 worlds, which takes them for `master`",
}


def answers() -> list[str]:
    """The table of what one seat that searches gains against three of a bot."""
    found = json.loads(KEPT.read_text(encoding="utf-8"))
    rows = [
        (_named(arena["marks"][0]), _ANSWERS[arena["response"]].format(_named(arena["marks"][1])),
         f"{len(arena['bot']):,}", told(apart(arena, "best", "bot")))
        for arena in found.values()
    ]  # fmt: skip
    champion = largest("champion")["altinstar"]
    answer, deals = _ANSWERS["ChampionBot"].format("`champion`"), f"{len(champion['search']):,}"
    known = ("`greedy`", answer, deals, told(apart(champion, "search", "greedy")))
    head = ("among three", "who answers", "deals", "points a deal")
    return table(head, [known, *rows])


def _named(mark: str) -> str:
    """A bot's name, with the version where it is not the one of today."""
    name = mark.partition("/")[0]
    return f"`{name if mark == {**BOTS, **SEARCHERS}[name].mark else mark}`"


def section() -> list[str]:
    """The lines of the section."""
    found = json.loads(KEPT.read_text(encoding="utf-8"))
    return [
        *_ABOUT.splitlines(),
        "",
        *answers(),
        "",
        "altinstar; `python -m benchmarks.best_response BOT DEALS` plays on from what was kept in",
        f"`benchmarks/best_response.json`.{_unanswered(found)}",
        "",
        *_trained(),
        "",
        *_solved(),
    ]


def _solved() -> list[str]:
    """What is known of the mini-Okey with most draws."""
    game = list(json.loads(SOLVED.read_text(encoding="utf-8")).values())[-1]
    rows = [
        (f"`{bot}`", *(f"{sum(own[key]) / 2:+.2f}" for key in ("best", "against")))
        for bot, own in game["bots"].items()
    ]
    head = ("bot", "a best response gains", "the bot against the equilibrium")
    return _SOLVED.format(
        rows="\n".join(table(head, rows)), gap=sum(game["solved"]["best"]) / 2
    ).splitlines()


def _unanswered(found: dict[str, object]) -> str:
    """The bots that nobody has answered, in a sentence."""
    bots = [name for name in (*BOTS, *SEARCHERS) if name not in {"random", "greedy", *found}]
    names = [f"`{name}`" for name in bots]
    return f" Not answered yet: {', '.join(names)}." if names else ""


def _trained() -> list[str]:
    """What responses gain that were trained."""
    if not TRAINED.exists():
        return []
    found = json.loads(TRAINED.read_text(encoding="utf-8"))
    rows = [
        (_named(arena["bot"]),
         f"{arena['generations']} generations of {arena['deals_a_generation']:,} deals",
         f"{arena['deals']:,}", f"{arena['gain']:+.1f} ± {arena['error']:.1f}")
        for arena in found.values()
    ]  # fmt: skip
    head = ("among three", "trained on", "deals", "points a deal")
    return [
        *_TRAINED.splitlines(),
        "",
        *table(head, rows),
        "",
        "`python scripts/train_response.py BOT --checkpoint FILE` trains on; the weights are in",
        "`benchmarks/trained_responses.json`.",
    ]
