"""What each part of ``champion`` is worth: ``python -m benchmarks.champion_ideas --deals 400``.

One seat plays ``neural`` among three ``greedy`` in development deals. At each of its choices
``champion`` is asked, and so is each bot with one thing changed. Where they choose otherwise, both
choices are priced after the deal: with the true hands, the stock in 400 orders, to the end. So luck
is left out of all that both would play alike, and a few hundred deals tell what takes thousands to
play. Told are the points that a change gains in a seat's deal, low is good, and the time it takes.

It plays on from ``champion_ideas.json``, a deal at a time for each change or for those whose words
are named, and writes ``champion_ideas.md``. What another version of the bot began is not played on.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, ClassVar, Final, TypedDict

import numpy as np

from benchmarks.measure import kept, save, table
from benchmarks.search_strength import mark_of_networks
from okey101.bots import search
from okey101.bots.champion import ROUNDS, STEPS, ChampionBot
from okey101.bots.master import MasterBot
from okey101.bots.registry import SEARCHERS
from okey101.game import PRESETS, Action, Deal, Options, View, apply, replay, view_of
from okey101.game.dealing import match_seed, seed_of
from okey101.kernel import play_bots
from okey101.kernel.beliefs import AT_CHANCES, AT_HANDS
from okey101.kernel.deals import Playouts
from okey101.sim.stats import cluster_mean

RESULTS: Final = Path(__file__).with_name("champion_ideas.json")
PAGE: Final = RESULTS.with_suffix(".md")
_SEED: Final = 340_000
_ORDERS: Final = 400
_EVERY_S: Final = 20


class Changed(ChampionBot):
    """``champion``, of which one thing may be changed."""

    beliefs: ClassVar[bool] = True
    without: ClassVar[slice | None] = None
    """Log-odds that count as nothing."""
    steps: ClassVar[int] = STEPS
    rounds: ClassVar[int] = ROUNDS

    def _playouts(self, view: View) -> Playouts:
        found = Playouts(view, "own", steps=self.steps, rounds=self.rounds, beliefs=self.beliefs)
        if self.without is not None:
            found._seen[2][self.without] = 0
        return found


class FromMaster(Changed):
    """It begins with ``master``'s choice."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._base = MasterBot(seed)


def _with(**changes: Any) -> type[Changed]:
    return type("Changed", (Changed,), changes)


_WAYS: Final[dict[str, type[Changed]]] = {
    "as `search` draws worlds: the last discard alone, a walk to each": _with(
        beliefs=False, steps=search.STEPS
    ),
    "beliefs about hands, none about tiles": _with(without=slice(AT_HANDS)),
    "beliefs about tiles, none about hands": _with(without=slice(AT_HANDS, AT_CHANCES)),
    "8 steps from world to world": _with(steps=8),
    "100 steps from world to world": _with(steps=100),
    "a head start of 100 points": _with(head_start=100),
    "200 worlds": _with(worlds=200),
    "1,000 worlds": _with(worlds=1_000),
    "forecasts at the next own turn": _with(rounds=1),
    "playouts to the end": _with(rounds=0),
    "begun with `master`'s choice": FromMaster,
}


class Kept(TypedDict):
    """What was found of a change: of each deal the points gained, and all in all the rest."""

    rules: str
    way: str
    version: int
    networks: str
    gained: list[float]
    choices: int
    other: int
    """How many of the choices were others."""
    seconds: list[float]
    """Processor time of ``champion``, and of the bot with the change."""


def play_on(arena: Kept) -> None:
    """Ask both in one more deal."""
    rules, number = PRESETS[arena["rules"]], len(arena["gained"])
    own, root = number // 4 % 4, seed_of(_SEED)
    played = play_bots(rules, 1, {own: "neural"}, seed=root, first=number, log=True)
    deal = Deal.start(rules, seed=match_seed(root, number), dealer=number % 4)
    gained = 0.0
    for _, action in replay(played.record(0)).deals[0].public.actions:
        if deal.turn == own:
            view = view_of(deal, own)
            options = Options(view)
            chosen: list[Action] = []
            bots: tuple[type[ChampionBot], ...] = ChampionBot, _WAYS[arena["way"]]
            for nth, bot in enumerate(bots):
                begun = time.process_time()
                chosen.append(bot(number).choose(view, options))
                arena["seconds"][nth] += time.process_time() - begun
            arena["choices"] += 1
            if chosen[0] != chosen[1]:
                arena["other"] += 1
                price = Playouts.with_hands(deal, "own").scores(chosen, 1, 0, _ORDERS)
                gained += float(np.mean(price[1] - price[0]))
        deal = apply(deal, action)
    arena["gained"].append(round(gained, 3))


def page(found: dict[str, Kept]) -> str:
    """The page: a table for each preset."""
    about = (__doc__ or "").split("\n\n")[1]
    lines = ["# What each part of `champion` is worth", "", about.replace("``", "`"), ""]
    for preset in PRESETS:
        rows = []
        for arena in found.values():
            if arena["rules"] == preset and len(arena["gained"]) > 1:
                by = cluster_mean([(points,) for points in arena["gained"]])
                usual, changed = arena["seconds"]
                rows.append((
                    arena["way"], f"{len(arena['gained']):,}",
                    f"{by.mean:+.2f} ± {(by.high - by.low) / 2:.2f}",
                    f"{100 * arena['other'] / arena['choices']:.0f} %", f"{changed / usual:.2f}",
                ))  # fmt: skip
        if rows:
            head = ("instead", "deals", "points a deal more", "other choices", "time")
            words = f"{preset}, beside `{SEARCHERS['champion'].mark}` as it is:"
            lines += [words, "", table(head, rows), ""]
    lines += ["    python -m benchmarks.champion_ideas --deals 400 --write", ""]
    return "\n".join(lines)


def main() -> int:
    """Play on, and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.champion_ideas")
    parser.add_argument("--rules", nargs="+", choices=list(PRESETS), default=["altinstar"])
    parser.add_argument(
        "--ways", nargs="+", default=[""], metavar="WORDS", help="part of its words"
    )
    parser.add_argument("--deals", type=int, default=400, help="keep so many deals in all")
    parser.add_argument("--minutes", type=float, default=1e9, help="play no longer than that")
    parser.add_argument("--write", action="store_true", help="write the page")
    given = parser.parse_args()
    found: dict[str, Kept] = kept(RESULTS)
    now = SEARCHERS["champion"].version, mark_of_networks()
    until, said = time.monotonic() + 60 * given.minutes, time.monotonic()
    wanted = [way for way in _WAYS if any(word in way for word in given.ways)]
    for name, preset, way in ((f"{p}: {way}", p, way) for p in given.rules for way in wanted):
        fresh: Kept = {
            "rules": preset, "way": way, "version": now[0], "networks": now[1], "gained": [],
            "choices": 0, "other": 0, "seconds": [0.0, 0.0],
        }  # fmt: skip
        arena = found.setdefault(name, fresh)
        if (arena["version"], arena["networks"]) != now:
            parser.error(f"{name} was begun by another version")
        while len(arena["gained"]) < given.deals and time.monotonic() < until:
            play_on(arena)
            if time.monotonic() - said > _EVERY_S:
                print(f"{name}, {len(arena['gained'])} deals", file=sys.stderr, flush=True)
                save(RESULTS, found)
                said = time.monotonic()
        arena["seconds"] = [round(spent, 2) for spent in arena["seconds"]]
        save(RESULTS, found)
    if given.write:
        PAGE.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
