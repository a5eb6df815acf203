"""The part of benchmarks/strength.md that is about ``champion``, and the picture of its budgets.

Its scores by deal are in benchmarks/search_strength.json, what its playouts find by where they end
in benchmarks/search_ends.json, and what its networks were trained on in neural_training.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from okey101.bots.champion import STEPS
from okey101.game import PRESETS
from okey101.weights.neural import TILE_INPUTS, TILE_NET
from plots import LEFT, RIGHT, TEXT, begun, ended, level, place
from strength_search import (
    MASTER,
    apart,
    arenas_of,
    budgets_of,
    by_budget,
    interval,
    largest,
    released,
    row_of,
    table,
    times_of,
    told,
)

__all__ = ["PICTURE", "leads", "picture", "section"]

ROOT: Final = Path(__file__).resolve().parents[1]
ENDS: Final = ROOT / "benchmarks" / "search_ends.json"
TRAINED: Final = ROOT / "benchmarks" / "neural_training.json"
BELIEFS: Final = ROOT / "benchmarks" / "beliefs.json"
TABLE: Final = ROOT / "benchmarks" / "champions.json"
PICTURE: Final = ROOT / "docs" / "img" / "champion.svg"

_ABOUT: Final = """\
## How `champion` plays

It searches as `search` does, from `neural`'s choice instead of `master`'s, in 400 worlds at most.
But its playouts do not go to the end of the deal. They stop when the seat is to throw a tile, or to
lay down, in its next turn but one: there a network foretells, from what the seat sees, what the
deal will come to. It looks at what `greedy` would lay down and at the discard that costs `master`
least, and the better of the two counts, with the fines so far. So a choice is told from another by
what it does to the hand and to the next player, not by who happens to finish seven turns later.

The networks of the value have the inputs of `neural`, and two layers of 64 and 32 units, two for
each preset (`src/okey101/weights/champion.bin`). They were trained on the points of playouts of
true deals (`--value`), where those of `neural` were trained on the differences between choices. How
far they are off on deals left out, and how far these points lie from their mean, as standard
deviations: chance, the order of the stock and the others' tiles, is in what they are off.

| network | decisions | off by | spread |
| --- | ---: | ---: | ---: |
{training}

### What it believes of the others' hands

Its worlds come as often as they are likely by all that the others threw, left and kept. How likely
a world is is a sum of log-odds. Each hidden tile of a seat counts by a network of {inputs} inputs
and two layers of {first} and {second} units: of the seat how it opened, what it threw last and how
many tiles it hides; of the tile its number, and how many like it, beside it and of its number were
thrown by that seat, left by it, or are unseen. Each hand counts by its kind: how near it was to an
opening with melds and with pairs, turn by turn; what it could have laid off and did not; and how
many tiles `greedy` would rather have thrown than the last one
(`okey101/kernel/beliefs.py`).

It was learned on true deals: one seat played `neural`, and the others `greedy` in two deals of
three, `greedy`, `neural` and `master` together in the third. In each position two hidden tiles
change their places, and the true world is to be told from the changed one. That likelihood needs no
sum over all worlds, and is just what a walk asks at each step. The mean negative log-likelihood of
an exchange in deals left out, in nats, beside what is known by the last discard alone, as `search`
weighs it; who knows nothing has 0.693:

| preset | deals | positions | last discard alone | learned |
| --- | ---: | ---: | ---: | ---: |
{beliefs}

One walk goes through forty worlds, {steps} exchanges of two tiles from each to the next, and sets
out anew then. Good hands are too far from those dealt at random to be found from each anew.

    python scripts/beliefs_data.py altinstar beliefs/altinstar.npz
    python scripts/train_beliefs.py altinstar beliefs/altinstar.npz
"""

_ENDS: Final = """\
What that is worth: at {positions} choices of `master` among `greedy` ({rules}, {deals} development
deals) all that is worth trying was played to the end in 4,000 worlds. How many points a choice are
gained over `master`'s by taking what looks best in fewer worlds, by where these playouts end; the
best choices of all gain {own}:
"""

_ENDS_TOLD: Final = """\
A playout that ends in a forecast costs about as much as a whole one: the network's inputs take the
time that the rest of the deal would. But two hundred of them find what six hundred whole ones do,
and there is less to be found with more. One turn is too soon: then the network is asked about hands
that it knows already, and says little else than `neural`. Priced by playouts of `neural`, which it
was not trained on, they gain as much (in the file).
"""

_BESIDE_BEFORE: Final = """\
In one run of 2026-11-30 a turn of `champion/2` took 47, 30 and 34 ms (altinstar, pagat, wiki), and
one of `champion/3` 56, 39 and 37 ms; since the choice that it begins with is compiled, too, 48, 33
and 35 ms.
"""

_TRIED: Final = """\
Also tried, with version 2: `neural` in the playouts until their end costs twice the time and finds
no more (last row; of what playouts of `neural` are worth it finds 1.03 of 1.25, in the file);
weighing whole playouts and those with a forecast together is no better than the latter alone. At
other tables than four players, each for himself, which the networks of the value were not trained
for, its playouts go to the end as `search`'s do. With version 3: the networks of the value trained
on from what they foretell two turns later themselves, the seat going on as `neural` (178,000
decisions of 31,000 deals, altinstar). They choose otherwise in one of 150 choices, which gains
nothing that 540 choices could show: the value is not what holds it back. Beliefs that see what
`greedy` would have thrown in place of the two discards before the last as well: 0.352 nats an
exchange in place of 0.365 (altinstar), a quarter of what learned beliefs brought. That is too
little for their time, and was not played.

Two more trials of version 3 gained nothing, and no command plays them again, as their code is not
kept. In worlds that spread evenly the tiles that the seat draws next, what a choice scores more
than another varied as before. One answer of the solver in three at most was asked for again in the
playouts of a choice, and to look it up took the time that it saved.

What a choice is worth hangs on how the seat goes on after it. Playouts in which it goes on as
`neural` take two and a half times the time, and find choices that playouts of `neural` praise and
those of `master` blame ([champion_ideas.md](champion_ideas.md)). So a part of what is gained in the
tables there is agreement with the playouts that price it. Playouts in which the seat goes on as a
`champion` of 40 worlds are a third judge: by 145 choices in 142 deals, 60 playouts each, going on
as `neural` gains 1.4 ± 1.6 points a deal. To take discards alone as `neural` does, for 1.15 times
the time, gains 0.8 points by playouts of `neural`, and 0.4 ± 0.9 by this judge (27 choices in 140
deals, 150 playouts).

That was played in whole deals, too: discards taken so, with half the steps from world to world and
forecasts that look at loose tiles alone before the opening, which together takes as much time as
version 3, and which playouts of `neural` put 0.9 ± 1.0 points ahead of it. On the deals above it
was ahead of version 3 by 1.4 ± 1.6 points (altinstar, the first 1,102 of seed 2,000,103) and
0.1 ± 1.3 (pagat, 1,000), and behind by 1.4 ± 1.8 (wiki, 700): all in all no better, and not kept.
It has seen the first 1,845 deals of seed 2,000,108 as well, and was 17.9 ± 1.8 points better than
`greedy` there: no release can use that seed again.
If the network of the value, too, says what the seat throws on the way there, among two, three or
five tiles, a turn takes 1.7 to 2.1 times as long, and is no better (0.2 to 0.5 ± 1.0 points ahead
of version 3 by playouts of `neural`, at the same deals 0.7 ± 0.9 without it).

What `neural` expects of a choice, in place of the head start, gained nothing; nor did discards
ranked by what they cost `master`, a first round to the next own turn, leaving choices out after
each 40 worlds, or a spread that few worlds can't make small. Of these, too, the code is not kept,
nor that of the judge.

Not tried: a forecast of the other seats' points, and a search within the playouts.

What each part of it is worth is in [champion_ideas.md](champion_ideas.md). More worlds, more
discards, a smaller head start and later leaving out buy 0.2 to 0.6 points for 1.1 to 1.6 times the
time; several together, 0.7 points for 1.5 times, and 1.4 for 2.3 times.
"""


def _training() -> str:
    found = json.loads(TRAINED.read_text(encoding="utf-8"))["values"]
    return "\n".join(
        f"| {preset}, {stage} | {facts['decisions']:,} | {facts['missed']} | {facts['spread']} |"
        for preset, stages in found.items()
        for stage, facts in stages.items()
    )


def _beliefs() -> str:
    found = json.loads(BELIEFS.read_text(encoding="utf-8"))
    return "\n".join(
        f"| {preset} | {facts['deals']:,} | {facts['positions']:,} | {facts['last']:.3f} | "
        f"{facts['nats']:.3f} |"
        for preset, facts in found.items()
    )


def _ends() -> list[str]:
    found: dict[str, Any] = json.loads(ENDS.read_text(encoding="utf-8"))
    budgets = [point["worlds"] for point in next(iter(found["ways"].values()))["own"]]
    rows = [
        (
            way,
            *(f"{point['gain']:.2f}" for point in facts["own"]),
            f"{facts['microseconds']:.0f}",
        )
        for way, facts in found["ways"].items()
    ]
    head = ("playouts to", *(f"{worlds} worlds" for worlds in budgets), "µs each")
    words = _ENDS.format(**{**found, "own": f"{found['best']['own']:.2f}"})
    by_deal = found["ways"]["the next but one"]["own"][-1]
    whole = found["ways"]["the end of the deal"]["own"][-1]
    gained = by_deal["gain"] - whole["gain"]
    told_of = f"{gained:+.2f} ± {by_deal['error']:.2f} points a choice over whole playouts."
    return [
        *words.splitlines(),
        "",
        *table(head, rows),
        "",
        f"With {by_deal['worlds']} worlds the next turn but one gains {told_of}",
        "",
        *_ENDS_TOLD.splitlines(),
        "",
    ]


def _against_before(arena: dict[str, Any]) -> str:
    """What it leads the version before by on the deals that both have played."""
    for other in arenas_of("champion", before=True):
        if all(other[key] == arena[key] for key in ("rules", "seed", "changes")):
            deals = min(len(other["search"]), len(arena["search"]))
            mine, theirs = apart(arena, "search", "greedy"), apart(other, "search", "greedy")
            return told([a - b for a, b in zip(mine[:deals], theirs[:deals], strict=True)])
    return "-"


def lead(arena: dict[str, Any]) -> list[float]:
    """What it scores less than ``neural`` in the same seats, by deal."""
    return apart(arena, "search", "neural")


def leads() -> dict[str, tuple[float, float]]:
    """By preset, how many points it is better than ``neural``, and its error."""
    found = largest("champion")
    told_of = {rules: interval(lead(found[rules])) for rules in PRESETS if rules in found}
    return {rules: (-mean, error) for rules, (mean, error) in told_of.items()}


def section() -> list[str]:
    """The lines about ``champion``."""
    first, second = TILE_NET
    told_of = {"inputs": TILE_INPUTS, "first": first, "second": second, "steps": STEPS}
    words = _ABOUT.format(training=_training(), beliefs=_beliefs(), **told_of)
    lines = [*words.splitlines(), "", *_ends()]
    published = [arena for arena in arenas_of("champion") if released(arena)]
    if published:
        known = json.loads(MASTER.read_text(encoding="utf-8"))["master/1"]["rules"]
        head: tuple[str, ...] = (
            "on the same deals", "seed", "deals", "`champion` - `greedy`", "`master` - `greedy`",
            "`champion` - `master`", "by way of `master`", "`champion` - `neural`",
            "`champion` - `champion/2`", "ms a turn",
        )  # fmt: skip
        rows = []
        for arena in sorted(published, key=lambda one: [*PRESETS].index(one["rules"])):
            name, *cells, spent = row_of(arena, known)
            beside = told(lead(arena)), _against_before(arena), spent
            rows.append((name, f"{arena['seed']:,}", *cells, *beside))
        lines += [
            f"What it reached ({published[0]['worlds']} worlds; `greedy` in the other seats).",
            "Nothing before it had seen the deals of seed 2,000,107; the others are those of the",
            "releases of `champion/2`, which it was not made with, so that both can be compared.",
            "Under pagat both played 2,000 more since: on the first 1,000 it was 1.4 ± 1.5 points",
            "better than `champion/2`, and on all it is no better.",
            "",
            *table(head, rows),
            "",
            "`python -m benchmarks.search_strength --bot champion` plays on from what was kept.",
            "",
        ]
    lines += [*times_of("champion"), *_BESIDE_BEFORE.splitlines(), ""]
    curve = budgets_of("champion")
    if curve:
        seed = curve[0]["seed"]
        lines += [
            f"Strength by budget (version {curve[0]['version']}, altinstar, development deals of",
            f"seed {seed}, the same ones):",
            "",
            "![Points a deal less than master's, by worlds a choice](../docs/img/champion.svg)",
            "",
            *by_budget("champion"),
        ]
    return [*lines, *_at_a_table(), *_TRIED.splitlines()]


def _at_a_table() -> list[str]:
    """What three of them cost a host."""
    found: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    each = 1e3 * found["thought_s"] / found["choices"]
    return [
        "What a table with three `champion` costs its host (`python -m benchmarks.champions`):",
        f"{100 * found['share']:.0f} % of a core while a person plays there who takes",
        f"{found['pause_s']:.0f} s for each turn ({found['deals']} deals, {found['seconds']} s,",
        f"the whole server counted). Its {found['choices']:.0f} choices took {each:.0f} ms each,",
        f"and {found['late'] or 'none'} came late.",
        "",
    ]


_HEIGHT, _TOP, _BOTTOM = 300, 16, 240
_LOOK: Final = (
    TEXT + ".e{stroke:#2a7f62;stroke-width:2}.l{stroke:#2a7f62;fill:none;stroke-width:2}"
    ".p{fill:#2a7f62}"
)


def picture() -> str:
    """The curve of strength over budget: points better than ``master``, 95 % to each side."""
    rows = [
        (int(arena["worlds"]), *interval(apart(arena, "master", "search")))
        for arena in budgets_of("champion")
    ]
    most = 5 * (max(mean + error for _, mean, error in rows) // 5 + 1)
    least = min(0.0, 5 * (min(mean - error for _, mean, error in rows) // 5))
    places = [
        LEFT + 40 + nth * (RIGHT - LEFT - 80) / max(1, len(rows) - 1) for nth in range(len(rows))
    ]

    def y(points: float) -> float:
        return _BOTTOM - (points - least) / (most - least) * (_BOTTOM - _TOP)

    lines = begun("Strength over budget", _LOOK, _HEIGHT)
    for points in range(int(least), int(most) + 1, 5):
        lines += level(y(points), str(points))
    path = " ".join(f"{x:.1f},{y(row[1]):.1f}" for x, row in zip(places, rows, strict=True))
    lines.append(f'<polyline class="l" points="{path}"/>')
    for x, (worlds, mean, error) in zip(places, rows, strict=True):
        high, low = f"{y(mean + error):.1f}", f"{y(mean - error):.1f}"
        lines += [
            f'<line class="e" x1="{x:.1f}" x2="{x:.1f}" y1="{high}" y2="{low}"/>',
            f'<circle class="p" cx="{x:.1f}" cy="{y(mean):.1f}" r="4"/>',
            place(x, _BOTTOM + 18, str(worlds)),
        ]
    words = "worlds a choice; points a deal better than master on the same deals, 95 % to each side"
    return "\n".join([*lines, *ended(_BOTTOM + 42, words)])
