"""The parts of benchmarks/strength.md about ``search`` and ``champion``, from what was kept.

Scores by deal are in benchmarks/search_strength.json, times in benchmarks/search_speed.json.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from okey101.bots.registry import SEARCHERS

__all__ = [
    "apart",
    "arenas_of",
    "by_master",
    "interval",
    "largest",
    "league_cells",
    "plain",
    "reached",
    "released",
    "row_of",
    "section",
    "table",
    "timed",
    "told",
]

ROOT: Final = Path(__file__).resolve().parents[1]
SCORES: Final = ROOT / "benchmarks" / "search_strength.json"
MASTER: Final = ROOT / "benchmarks" / "master.json"
FORECASTS: Final = ROOT / "benchmarks" / "search_forecasts.json"
SPEED: Final = ROOT / "benchmarks" / "search_speed.json"

_ABOUT: Final = """\
## How `search` plays

It plays its choices out, each in the same worlds, and takes the one that scores least. What is
tried: `master`'s choice, six at most of what may be done besides (take or draw, open or hold, lay
or keep, swap, announce, pass; to open, only the best melds and the most pairs), and the seven
discards that look best. All but `master`'s choice begin 300
points behind, over all worlds together. After 40 worlds, 80, 160 and so on the choices that are
more than 2.4 standard errors behind drop out (successive rejection by what was measured, where
sequential halving, which the reviews use, drops a fixed half), and the search ends when one is
left or after its budget of worlds: 600 for `search`, 200 and 2,000 for
`okey101.bots.search:Search200` and `Search2000`. All is reckoned in whole numbers: the same seed
and budget choose alike on any machine, compiled or not. `okey101.sim.oracle:TimedSearch` has
a budget of milliseconds in its place, for play by hand; nobody can play its choices again.

A world gives the tiles that the seat does not see to the others and to the stock, all orders being
equally likely; then a walk of 30 steps makes it likelier. A step exchanges two tiles, and is taken
or not by how likely the hands are before and after. A hand and the last tile that was thrown from
it are what its player chose from: one of which `greedy` would have thrown another tile, one that
could have opened, and one that keeps what could have been laid off come less often
(`okey101/kernel/beliefs.py`). What a player takes lies on the table in the same turn (U2), so that
every world has it there already; that somebody left a discard is not weighed. In the long run each
world comes as often as it should (`tests/kernel/test_kernel_positions.py` counts them all in a
small position). As a player need not be `greedy`, nothing is excluded.

In a world the seat goes on as `master` and the others as `greedy`, each on its own tiles alone, so
a choice is never praised for what only one who sees all hands could do with it: there is no
strategy fusion after the choice itself. What that costs: later turns are played by `master` and
not by a search, and opponents who are not `greedy` are played as if they were.
"""

_FORECASTS: Final = """\
How well worlds foretell what a choice is worth, by the way they are drawn and played on: at
{positions} positions of `master` among `greedy` ({rules}, {deals} development deals) 200 worlds
against the true hands with the stock in 200 orders. `bias` is what the worlds say too much of
`master`'s own choice, in points; the rest is about the differences between choices, {choices} in
all: the slope of what they are worth over the forecast (1 is right), the correlation, and the mean
error in points.
"""

_TRIED: Final = """\
So the seat going on as `master`, and each longer walk, say less too much; the differences between
choices, which are what a search lives by, no way foretells clearly better than another on these
deals. That the walk makes `search` stronger is therefore not shown; it is kept, as it costs a tenth
to a fifth of the time. One of 100 steps, which looks best here, costs three times that and has not
been played. The reviews keep their own worlds.

What else there was: one world of a hundred thousand took seconds, an opponent with two okeys and a
full hand, so in playouts a search for what to lay down now stops after 300 states. As a control
variate serves `champion`'s forecast, in place of the end itself: by it the differences of two
choices spread by 21 points from world to world, where whole playouts spread by 29. Not tried:
weights for what a player did not take, a search at later choices within the playouts, and a larger
budget.

That no hidden tile is read: its choices and all that the kernel is given are the same when what it
can't see is dealt anew, in every phase (`tests/bots/test_honesty.py`); with 200 worlds a choice
it answered 550 such twins of its positions alike too, and did not play as `master` in 50 of these
positions. Its opponents here are what its playouts take them for, which flatters it.
"""
_SINCE: Final = {"search": 1, "champion": 3}
"""The first version of each that chooses as today's does."""
_COUNTS: Final = ("positions", "rules", "deals", "choices")


def interval(rows: list[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % interval."""
    mean = math.fsum(rows) / len(rows)
    spread = math.fsum((row - mean) ** 2 for row in rows) / max(1, len(rows) - 1)
    return mean, 1.96 * math.sqrt(spread / len(rows))


def apart(arena: dict[str, Any], one: str, other: str) -> list[float]:
    """By deal what one bot scores more than another in the same seats, on average."""
    return [
        (sum(mine) - sum(theirs)) / len(mine)
        for mine, theirs in zip(arena[one], arena[other], strict=True)
    ]


def told(rows: list[float]) -> str:
    """A mean with its interval."""
    mean, error = interval(rows)
    return f"{mean:+.1f} ± {error:.1f}"


def arenas_of(bot: str, *, before: bool = False) -> list[dict[str, Any]]:
    """What a bot that searches played, or an earlier one that chose otherwise.

    Its own scores are called ``search``, whichever it is.
    """
    if not SCORES.exists():
        return []
    found = json.loads(SCORES.read_text(encoding="utf-8")).values()
    its = [arena for arena in found if arena.get("bot", "search") == bot]
    return [arena for arena in its if (arena["version"] < _SINCE[bot]) == before]


def released(arena: dict[str, Any]) -> bool:
    """Whether it was played on release deals."""
    return bool(arena["seed"] >= 2_000_000 and arena["search"])


def plain(arena: dict[str, Any]) -> bool:
    """Whether four sit there by the preset's own rules, three of them ``greedy``."""
    return not arena["changes"] and arena.get("others", "greedy") == "greedy"


def largest(bot: str) -> dict[str, dict[str, Any]]:
    """By preset the release of most deals."""
    found = [a for a in arenas_of(bot) if released(a) and plain(a) and a["worlds"] == _budget(bot)]
    return {arena["rules"]: arena for arena in sorted(found, key=lambda a: len(a["search"]))}


def league_cells(presets: list[str], bot: str = "search") -> list[str]:
    """The cells of a bot that searches in the league table."""
    found = {name: apart(arena, "search", "greedy") for name, arena in largest(bot).items()}
    return [
        f"{told(found[name])} ({len(found[name]):,} deals)" if name in found else "-"
        for name in presets
    ]


def _budget(bot: str) -> int:
    """The worlds with which a bot was released: those of most deals."""
    found = [arena for arena in arenas_of(bot) if released(arena)]
    return max(found, key=lambda arena: len(arena["search"]))["worlds"] if found else 0


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """A table's lines; the first column stands left, the others right."""
    line = "| --- |" + " ---: |" * (len(head) - 1)
    return [f"| {' | '.join(cells)} |" for cells in (head,)] + [
        line,
        *(f"| {' | '.join(cells)} |" for cells in rows),
    ]


def by_master(arena: dict[str, Any], known: dict[str, Any]) -> tuple[float, float]:
    """What ``search`` is worth by its lead over ``master`` and what ``master`` is worth."""
    lead, error = interval(apart(arena, "search", "master"))
    rows = [points / len(arena["search"][0]) for points in known[arena["rules"]]["gains"]]
    mean, spread = interval(rows)
    return lead + mean, math.hypot(error, spread)


def reached(bot: str, known: dict[str, Any]) -> dict[str, tuple[float, float, int]]:
    """By preset what a bot is worth by way of ``master``, half of the interval, and the deals."""
    return {
        rules: (*by_master(arena, known), len(arena["search"]))
        for rules, arena in largest(bot).items()
    }


def row_of(arena: dict[str, Any], known: dict[str, Any]) -> tuple[str, ...]:
    """What stands in the table of the released scores about one set of tables."""
    changed = {"teams": "in teams", "players": f"{arena['changes'].get('players')} seats"}
    words = [arena["rules"], *(changed[name] for name in arena["changes"])]
    among_masters = arena.get("others") == "master"
    if among_masters:
        words.append("`master` in the other seats")
    return (
        ", ".join(words),
        f"{len(arena['search']):,}",
        "-" if among_masters else told(apart(arena, "search", "greedy")),
        "-" if among_masters else told(apart(arena, "master", "greedy")),
        told(apart(arena, "search", "master")),
        "{:+.1f} ± {:.1f}".format(*by_master(arena, known)) if plain(arena) else "-",
        f"{1e3 * arena['seconds'] / arena['turns']:.0f}",
    )


def section() -> list[str]:
    """The lines about ``search``."""
    published = [arena for arena in arenas_of("search") if released(arena)]
    lines = [*_ABOUT.splitlines(), ""]
    head: tuple[str, ...] = (
        "on the same deals", "deals", "`search` - `greedy`", "`master` - `greedy`",
        "`search` - `master`", "by way of `master`", "ms a turn",
    )  # fmt: skip
    if published:
        worlds, seed = published[0]["worlds"], published[0]["seed"]
        known = json.loads(MASTER.read_text(encoding="utf-8"))["master/1"]["rules"]
        lines += [
            f"{worlds} worlds, seed {seed:,}, `greedy` in the other seats where nothing is said:",
            "",
            *table(head, [row_of(arena, known) for arena in published]),
            "",
            "Few deals flatter `master` and `search` alike: the last column but one adds the lead",
            "over `master` on these deals to what `master` reached on its 5,000.",
            "",
            "Time alone decided how many deals there are. `python -m benchmarks.search_strength`",
            "plays on from `benchmarks/search_strength.json`, which has the scores of every deal.",
            "",
        ]
    if budgets_of("search"):
        lines += ["Strength by budget (altinstar, development deals):", "", *by_budget("search")]
    return [*lines, *times_of("search"), *_forecasts(), *_TRIED.splitlines()]


def budgets_of(bot: str) -> list[dict[str, Any]]:
    """What it, or one before it, played with several budgets, the smallest first."""
    every = [*arenas_of(bot), *arenas_of(bot, before=True)]
    found = [a for a in every if not released(a) and a["search"] and plain(a)]
    return sorted(found, key=lambda arena: int(arena["worlds"]))


def by_budget(bot: str) -> list[str]:
    """The table of them."""
    rows = [
        (
            f"{arena['worlds']:,}",
            f"{len(arena['search']):,}",
            told(apart(arena, "search", "greedy")),
            told(apart(arena, "search", "master")),
            f"{1e3 * arena['seconds'] / arena['turns']:.0f}",
        )
        for arena in budgets_of(bot)
    ]
    head = ("worlds", "deals", f"`{bot}` - `greedy`", f"`{bot}` - `master`", "ms a turn")
    return [*table(head, rows), ""]


def timed(bot: str) -> str:
    """Which bot was timed, with its version where it is not today's."""
    version = json.loads(SPEED.read_text(encoding="utf-8"))["bots"][bot]["version"]
    return bot if version == SEARCHERS[bot].version else f"{bot}/{version}"


def times_of(bot: str) -> list[str]:
    """The table of how long a bot that searches thinks."""
    speed: dict[str, Any] = json.loads(SPEED.read_text(encoding="utf-8"))["bots"][bot]
    rows = [
        (
            name,
            f"{found['choice_ms']:.0f} ({found['choice_p95_ms']:.0f})",
            f"{found['turn_ms']:.0f} ({found['turn_p95_ms']:.0f})",
            f"{found['worlds_a_second']:,}",
            f"{found['playouts_a_second']:,}",
        )
        for name, found in speed["rules"].items()
    ]
    head = ("", "ms a choice (p95)", "ms a turn (p95)", "worlds/s", "playouts/s")
    told_by = (
        f"Times of `{timed(bot)}` with {speed['worlds']} worlds (`make bench ARGS=search_speed`):"
    )
    return [told_by, "", *table(head, rows), ""]


def _forecasts() -> list[str]:
    if not FORECASTS.exists():
        return []
    found: dict[str, Any] = json.loads(FORECASTS.read_text(encoding="utf-8"))
    rows = [(way, *row.values()) for way, row in found["ways"].items()]
    head = ("worlds", "bias", "slope", "correlation", "error")
    words = _FORECASTS.format(**{name: found[name] for name in _COUNTS})
    return [*words.splitlines(), "", *table(head, rows), ""]
