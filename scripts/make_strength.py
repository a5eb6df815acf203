"""Release ``master`` once a version, and write two pages of strength from the results kept.

docs/en/strength.md is for readers; benchmarks/strength.md says how everything was measured.

    python scripts/make_strength.py --play
    python scripts/make_strength.py [--check]

What ``search`` reached is kept by ``python -m benchmarks.search_strength``.

``--play`` plays the arena's release deals in the kernel, whose choices are those of the readable
bots, and keeps what each deal gained in benchmarks/master.json; it refuses a version that is
there. Without it the pages are written anew; ``--check`` ends with 1 where one is out of date.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
import time
from pathlib import Path
from typing import Any, Final

import strength_ceiling
import strength_champion
import strength_learning
import strength_neural
import strength_response
import strength_tables
from okey101.bots import BOTS, SEARCHERS
from okey101.game import PRESETS
from okey101.i18n import load
from okey101.sim.arena.chunks import RANGES, RELEASE_DEALS, Purpose
from strength_league import Reached, section as league, shares
from strength_search import SPEED, league_cells, reached, section, timed

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = ROOT / "benchmarks" / "master.json"
NOVICE: Final = ROOT / "benchmarks" / "novice.json"
STEADY: Final = ROOT / "benchmarks" / "strength.json"
PAGE: Final = ROOT / "docs" / "en" / "strength.md"
BOOK: Final = ROOT / "benchmarks" / "strength.md"
WORDS: Final = 1_200
"""What the page for readers may have at most."""
SHOWN: Final = ROOT / "src" / "okey101" / "bots" / "strength.json"
SEED: Final = RANGES[Purpose.RELEASE].start

_ABOUT: Final = """\
## How `master` was made

`master` lays down as `greedy` does. What it throws, and whether it holds an opening back, is a
sum of features with weights (`okey101/weights/master.py` names them all), in whole numbers. The
weights were found by regression: at each of its decisions in true deals every discard was played
out to the end of that deal, and what followed was explained by the features, the mean of each
decision taken off. True deals matter: in worlds drawn at random from the view the same regression
promised twice as much as it gave. `scripts/fit_master.py` plays the branches and fits the weights,
and says from which deals those of `master/1` are. Both it and `scripts/tune_master.py`, which goes
on from there by CMA-ES on duplicate deals, play development deals alone. Six minutes of CMA-ES a
preset (37 to 49 generations of 1,000 deals) gained 0.7 ± 0.4 points a deal under altinstar and
1.3 ± 0.5 under wiki, and lost 0.5 ± 0.4 under pagat, in 10,000 other deals. `master` does not have
these weights: networks, pars and reviews are made around those it has.

What one better choice is worth where all go on as `greedy` (altinstar, 500 deals, 400 worlds, the
best of one half priced on the other): an unopened discard 4.4 ± 0.7 points, one after the opening
2.8 ± 0.4, to open or hold 4.5 ± 0.9, to take or draw 1.4 ± 0.5, to lay or keep 1.3 ± 0.3; there
are 2.5, 2.3, 0.3, 0.7 and 1.7 of them for a player in a deal.

What did not help: a second round of the regression on deals that `master` itself had played (the
weights for wiki are half from both rounds together all the same: they did best on 4,000 deals);
tiles that are nearly outs; more kinds of okey and stage; never laying off what could be.
"""


def arena_root(seed: int) -> bytes:
    """The root seed of an arena's deals."""
    return hashlib.sha256(f"okey101 arena 1 {seed}".encode()).digest()


def gains(preset: str, seed: int, deals: int) -> list[int]:
    """By deal what ``master`` scores more than ``greedy``, added up over the seats; low is good."""
    from okey101.kernel import play_bots

    root = arena_root(seed)
    anchor = play_bots(preset, deals, seed=root).scores
    total = 0 * anchor[:, 0]
    for seat in range(PRESETS[preset].players):
        played = play_bots(preset, deals, {seat: "master"}, seed=root)
        total = total + played.scores[:, seat] - anchor[:, seat]
    return [int(points) for points in total]


def play() -> int:
    """Play the release of this version, once."""
    mark = BOTS["master"].mark
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    if mark in kept:
        print(f"{mark} has been released: raise its version first")
        return 1
    found = {}
    for preset in PRESETS:
        begun = time.monotonic()
        rows = gains(preset, SEED, RELEASE_DEALS)
        found[preset] = {"seconds": round(time.monotonic() - begun), "gains": rows}
    kept[mark] = {"seed": SEED, "anchor": BOTS["greedy"].mark, "rules": found}
    KEPT.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    return 0


def interval(rows: list[float]) -> tuple[float, float]:
    """The mean, and half of its 95 % interval."""
    mean = math.fsum(rows) / len(rows)
    spread = math.fsum((row - mean) ** 2 for row in rows) / (len(rows) - 1)
    return mean, 1.96 * math.sqrt(spread / len(rows))


def cell(rows: list[float]) -> str:
    """A mean with its interval as a table's cell."""
    mean, error = interval(rows)
    return f"{mean:+.1f} ± {error:.1f} ({len(rows):,} deals)"


def _novice() -> str:
    """The row of ``novice``, from what the arena printed."""
    found = json.loads(NOVICE.read_text(encoding="utf-8"))
    cells = [
        f"{row['difference']:+.1f} ± {1.96 * row['error']:.1f} ({row['deals']:,} deals)"
        for row in (found[preset] for preset in PRESETS)
    ]
    return "| `novice` | " + " | ".join(cells) + " |"


def _reached(master: dict[str, Any]) -> Reached:
    """What the bots gained in their releases."""
    own = {
        preset: [row / PRESETS[preset].players for row in rules["gains"]]
        for preset, rules in master.items()
    }
    return {
        "master": {preset: (*interval(rows), len(rows)) for preset, rows in own.items()},
        "neural": {preset: strength_neural.reached(preset) for preset in PRESETS},
        **{bot: reached(bot, master) for bot in ("search", "champion")},
    }


def _leads() -> str:
    """How much better Usta is than Zor, by preset."""
    found = strength_champion.leads()
    cells = [f"{mean:.1f} ± {error:.1f} ({preset})" for preset, (mean, error) in found.items()]
    return ", ".join(cells)


_MEASURED: Final = """\
# How strong the bots are

The table says how many points a deal a bot scores alone against three `greedy`, less what `greedy`
scores in the same seat of the same deal. Points are bad in Okey 101, so low is good. The number
after ± is half of the 95 % interval, over deals.
"""
_LEVELS: Final = """\
The levels at a table are `novice` (Kolay), `greedy` (Orta), `neural` (Zor) and `champion` (Usta, if
the host turns it on with `OKEY101_SEARCH`). Each sees further than the one before, and none plays
badly on purpose. On the same deals `champion` is better than `neural` by
{leads}. In teams and with fewer seats
the two may lie closer.

## How each of them plays

{bots}

`search` takes {search_worlds} worlds at most for a choice, `champion` {champion_worlds}. A turn of
`{timed}` takes {turn} ms on average (altinstar, one core). `neural` and the bots above it need
Python alone.

No bot sees a hidden tile. Each gets its own view and its options. A test deals all hidden tiles
anew and expects the same choice (`tests/bots/test_honesty.py`). The same seed and the same view
give the same choice on any machine, so `okey101 verify --bots` can play it again.

## How far there is to go

`oracle-1` sees all tiles and tries every action on the true deal. How far each bot gets from
`greedy` (0 %) to `oracle-1` (100 %), with its 95 % interval:
"""
_TABLES: Final = """\
## In teams, and with two or three seats

The table has points a deal, less what `steady` scores in the same seats, with `steady` in all other
seats. In teams they are those of both partners together. `champion` was made for four who play for
themselves.
"""
_ANSWERED: Final = """\
## What you gain if you know a bot

One bot searches, and knows how the other three play. What it scores less than their bot in the same
seat is what you can gain against that bot, and maybe more (altinstar).
"""
_TRUST: Final = """\
## How it was measured

- Deals are duplicates: both bots play the same tiles in the same seat, so luck cancels out.
- Released figures come from deals with seeds from 2,000,000 on. Nothing was trained or tuned on
  these deals, and each version of a bot plays them once. Development and gates have seeds of their
  own (`benchmarks/seeds.json`). The figures of `steady` and `novice` come from development deals.
- The kernel plays most of these deals. Its choices are those of the readable bots, deal by deal.
- [The measurements](../../benchmarks/strength.md) have the league, every table with its command,
  what did not help, and the model card of the networks. [arena.md](arena.md) tells you how to
  measure a bot of your own.

These figures do not say how the bots fare against people. `search` and `champion` expect `greedy`
in the other seats, and here they get it, which flatters them.
"""


def _table(steady: dict[str, Any], released: dict[str, Any]) -> list[str]:
    """What each bot reached, under each preset."""
    lines = [
        "| bot | " + " | ".join(PRESETS) + " |",
        "| --- |" + " ---: |" * len(PRESETS),
        _novice(),
        "| `greedy` |" + " 0 |" * len(PRESETS),
    ]
    cells = []
    for preset in PRESETS:
        arena = steady[preset]
        rows = [
            math.fsum(c - a for a, c in zip(anchor, own, strict=True)) / len(own)
            for anchor, own in zip(arena["anchors"], arena["candidates"], strict=True)
        ]
        cells.append(cell(rows))
    lines.append("| `steady` | " + " | ".join(cells) + " |")
    cells = [
        cell([row / PRESETS[preset].players for row in released["rules"][preset]["gains"]])
        for preset in PRESETS
    ]
    lines.append("| `master` | " + " | ".join(cells) + " |")
    lines.append("| `neural` | " + " | ".join(strength_neural.league_cells([*PRESETS])) + " |")
    lines += [
        f"| `{bot}` | " + " | ".join(league_cells([*PRESETS], bot)) + " |"
        for bot in ("search", "champion")
    ]
    return lines


def _kept() -> tuple[str, dict[str, Any]]:
    """The last version of ``master`` that was released, and what it reached."""
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return list(kept.items())[-1]


def page() -> str:
    """The page for readers; AssertionError where it is longer than WORDS."""
    _, released = _kept()
    steady = json.loads(STEADY.read_text(encoding="utf-8"))["rules"]
    speed = json.loads(SPEED.read_text(encoding="utf-8"))["bots"]
    words = load("en")
    levels = _LEVELS.format(
        bots="\n".join(f"- `{bot}`: {words(f'bot-{bot}')}" for bot in (*BOTS, *SEARCHERS)),
        leads=_leads(),
        search_worlds=speed["search"]["worlds"],
        champion_worlds=speed["champion"]["worlds"],
        timed=timed("champion"),
        turn=round(speed["champion"]["rules"]["altinstar"]["turn_ms"]),
    )
    lines = [
        *_MEASURED.splitlines(),
        "",
        *_table(steady, released),
        "",
        *levels.splitlines(),
        "",
        *shares(list(PRESETS), _reached(released["rules"])),
        "",
        *strength_ceiling.sentence().splitlines(),
        "",
        *_TABLES.splitlines(),
        "",
        *strength_tables.of_one("champion", list(PRESETS)),
        "",
        *_ANSWERED.splitlines(),
        "",
        *strength_response.answers(),
        "",
        *_TRUST.splitlines(),
    ]
    text = "\n".join([*lines, ""])
    assert len(text.split()) <= WORDS, f"{len(text.split())} words"
    return text


def book() -> str:
    """The laboratory's book: how all of it was measured, and what was tried."""
    mark, released = _kept()
    seconds = sum(rules["seconds"] for rules in released["rules"].values())
    lines = [
        "# How the strength of the bots was measured",
        "",
        "The page for readers is [strength.md](../docs/en/strength.md); this has all tables, their",
        "commands, and what was tried. Low is good; intervals are of 95 %, over deals.",
        "",
        f"`{mark}` was released on the deals of arena seed {released['seed']:,} (a release seed),",
        "in the kernel, whose choices are those of the readable bot",
        f"(`tests/kernel/test_kernel_bots.py`): {seconds} seconds on one core. `master/2`",
        "chooses otherwise in teams alone (below), so the release of version 1 stands; a test",
        "plays deals of it again. The figures of `steady` and `novice` are those of",
        "benchmarks/strength.json and novice.json, from other (development) deals.",
        "`okey101 arena master greedy --release DIR` plays the same deals with readable bots.",
        "",
        "    python scripts/make_strength.py --play     # once a version",
        "    python scripts/make_strength.py            # this page and the one for readers",
        "",
        *league(list(PRESETS), _reached(released["rules"])),
        *strength_ceiling.section(PRESETS),
        *_ABOUT.splitlines(),
        "",
        *strength_neural.section(),
        "",
        *section(),
        "",
        *strength_champion.section(),
        "",
        *strength_tables.section(),
        *strength_response.section(),
    ]
    return "\n".join([*lines, ""])


def shown(text: str) -> str:
    """What ``okey101 bots`` shows beside each bot: the first table's means and errors, as JSON."""
    rows = []
    for bot in (*BOTS, *SEARCHERS):
        line = re.search(rf"^\| `{bot}` \|(.*)\|$", text, re.MULTILINE)
        cells = [] if line is None else re.findall(r"([-+]?[0-9.]+) ± ([0-9.]+)", line[1])
        if len(cells) == len(PRESETS):
            found = {name: [*map(float, cell)] for name, cell in zip(PRESETS, cells, strict=True)}
            rows.append(f" {json.dumps(bot)}: {json.dumps(found)}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> int:
    """Do what the command line says."""
    if "--play" in sys.argv[1:]:
        return play()
    text = page()
    written = {
        PAGE: text,
        BOOK: book(),
        SHOWN: shown(text),
        strength_champion.PICTURE: strength_champion.picture(),
        strength_learning.PICTURE: strength_learning.picture(),
    }
    if "--check" in sys.argv[1:]:
        same = (p.exists() and p.read_text(encoding="utf-8") == t for p, t in written.items())
        return 0 if all(same) else 1
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
