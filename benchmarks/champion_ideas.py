"""What each part of ``champion`` is worth: ``python -m benchmarks.champion_ideas --deals 400``.

One seat (of a team both) plays ``neural`` among ``greedy`` in development deals. At its choices
``champion`` is asked, and so is each bot with one thing changed. Where they choose otherwise, both
choices are priced after the deal: with the true hands, the stock in 400 orders, to the end. So luck
is left out of all that both would play alike, and a few hundred deals tell what takes thousands to
play. Told are the points that a change gains in a seat's deal, low is good, and the time it takes.
Priced in 4,000 other worlds of its beliefs, to the end, is what shares worlds out among choices: of
beliefs that tells nothing, but the luck of the hands is left out too. There the seat goes on as
``master``, as in the playouts themselves, or as ``neural``, which plays more as ``champion`` does.

It plays on from ``champion_ideas.json``, a deal at a time for all changes or for those whose words
are named, and writes ``champion_ideas.md``. What another version of the bot began is not played on.
With ``--teams`` or ``--players`` it is another table than four players, each for himself.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypedDict

import numpy as np

from benchmarks.measure import kept, save, table
from benchmarks.search_strength import mark_of_networks
from okey101.bots import search
from okey101.bots.champion import ROUNDS, STEPS, ChampionBot, knows
from okey101.bots.registry import SEARCHERS
from okey101.game import PRESETS, Action, Deal, Options, View, apply, replay, view_of
from okey101.game.dealing import match_seed, seed_of
from okey101.kernel import play_bots
from okey101.kernel.beliefs import AT_CHANCES, AT_HANDS
from okey101.kernel.deals import Playouts, Policy
from okey101.sim.stats import cluster_mean

RESULTS: Final = Path(__file__).with_name("champion_ideas.json")
PAGE: Final = RESULTS.with_suffix(".md")
_SEED: Final = 340_000
_ORDERS: Final = 400
_PRICED: Final = 4_000
_ROOT: Final = 999
_EVERY_S: Final = 20


class Changed(ChampionBot):
    """``champion``, of which one thing may be changed."""

    beliefs: ClassVar[bool] = True
    without: ClassVar[slice | None] = None
    """Log-odds that count as nothing."""
    steps: ClassVar[int] = STEPS
    rounds: ClassVar[int] = ROUNDS
    first: ClassVar[int] = search.ROUND
    """Worlds of the first round."""
    policy: ClassVar[Policy] = "own"
    """What the seat goes on by."""
    ends: ClassVar[int] = 0
    """With so few tiles in the stock playouts go to the end."""

    def _more(self, played: int) -> int:
        return min(max(self.first, played), self.worlds - played)

    def _playouts(self, view: View) -> Playouts:
        ends = view.public.stock_count <= self.ends or not knows(view.public.rules)
        rounds = 0 if ends else self.rounds
        found = Playouts(view, self.policy, steps=self.steps, rounds=rounds, beliefs=self.beliefs)
        if self.without is not None:
            found._seen[2][self.without] = 0
        return found


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
    "forecasts at the next own turn": _with(rounds=1),
    "playouts to the end": _with(rounds=0),
    "playouts to the end with at most 12 tiles in the stock": _with(ends=12),
    "begun with `master`'s choice": _with(begins="master"),
}
_SHARED_OUT: Final[dict[str, type[Changed]]] = {
    "200 worlds": _with(worlds=200),
    "1,000 worlds": _with(worlds=1_000),
    "left out when 2 standard errors behind, not 2.4, and up to 600 worlds": _with(
        sure=4, worlds=600
    ),
    "left out when 1.7 standard errors behind, and up to 800 worlds": _with(sure=3, worlds=800),
    "left out when 1.4 standard errors behind, and up to 1,200 worlds": _with(sure=2, worlds=1_200),
    "20 worlds in the first round, 2 standard errors, and up to 800 worlds": _with(
        first=20, sure=4, worlds=800
    ),
    "left out when 3 standard errors behind": _with(sure=9),
    "5 discards": _with(discards=5),
    "10 discards": _with(discards=10),
    "15 discards": _with(discards=15),
    "a head start of 150 points": _with(head_start=150),
    "no head start": _with(head_start=0),
    "a head start of 600 points": _with(head_start=600),
    "10 discards, a head start of 150 points, and 3 standard errors": _with(
        discards=10, head_start=150, sure=9
    ),
    "15 discards, 20 worlds in the first round, and 3 standard errors": _with(
        discards=15, first=20, sure=9
    ),
    "10 discards, a head start of 150 points, 3 standard errors, and 1,000 worlds": _with(
        discards=10, head_start=150, sure=9, worlds=1_000
    ),
    "12 steps": _with(steps=12),
    "the seat goes on as `neural`": _with(policy="learned"),
}


Priced: TypeAlias = Literal["true hands", "other worlds", "other worlds, as neural"]
"""Where choices are priced; the last two share worlds out among choices."""


class Kept(TypedDict):
    """What was found of a change: of each deal the points gained, and all in all the rest."""

    rules: str
    changes: dict[str, object]
    """Of the rules: other tables than four players, each for himself."""
    way: str
    priced: Priced
    version: int
    networks: str
    gained: list[float]
    choices: int
    other: int
    """How many of the choices were others."""
    seconds: list[float]
    """Processor time of ``champion``, and of the bot with the change."""


def play_on(arenas: list[Kept]) -> None:
    """Ask ``champion`` and all these in the deal that is next for all of them."""
    first = arenas[0]
    rules = PRESETS[first["rules"]].with_(**first["changes"])
    number, root = len(first["gained"]), seed_of(_SEED)
    own, dealer = number // rules.players % rules.players, number % rules.players
    neural = dict.fromkeys((own, *([own ^ 2] if rules.teams else [])), "neural")
    played = play_bots(rules, 1, neural, seed=root, first=number, log=True)
    deal = Deal.start(rules, seed=match_seed(root, number), dealer=dealer)
    gained = [0.0 for _ in arenas]
    for _, action in replay(played.record(0)).deals[0].public.actions:
        if deal.turn == own:
            view = view_of(deal, own)
            usual, took = _asked(ChampionBot, number, view)
            for at, arena in enumerate(arenas):
                chosen, longer = _asked(_ways(arena["priced"])[arena["way"]], number, view)
                arena["seconds"] = [arena["seconds"][0] + took, arena["seconds"][1] + longer]
                arena["choices"] += 1
                if chosen != usual:
                    arena["other"] += 1
                    choices = [usual, chosen]
                    if arena["priced"] == "true hands":
                        price = Playouts.with_hands(deal, "own").scores(choices, 1, 0, _ORDERS)
                    else:
                        policy: Policy = "own" if arena["priced"] == "other worlds" else "learned"
                        worlds = Playouts(view, policy, steps=STEPS, beliefs=True)
                        price = worlds.scores(choices, _ROOT, 0, _PRICED)
                    gained[at] += float(np.mean(price[1] - price[0]))
        deal = apply(deal, action)
    for arena, points in zip(arenas, gained, strict=True):
        arena["gained"].append(round(points, 3))


def _ways(priced: Priced) -> dict[str, type[Changed]]:
    return _WAYS if priced == "true hands" else _SHARED_OUT


def _asked(bot: type[ChampionBot], seed: int, view: View) -> tuple[Action, float]:
    """What a bot chooses, and its processor time."""
    options = Options(view)
    begun = time.process_time()
    return bot(seed).choose(view, options), time.process_time() - begun


def _table(rules: str, changes: dict[str, object], priced: Priced) -> str:
    """A preset, what is changed of it, and how it is priced, in words."""
    words = (rules, *(f"{name}={value}" for name, value in changes.items()))
    return " ".join(words) + ("" if priced == "true hands" else f", priced in {priced}")


def page(found: dict[str, Kept]) -> str:
    """The page: a table for each preset."""
    about = (__doc__ or "").split("\n\n")[1]
    lines = ["# What each part of `champion` is worth", "", about.replace("``", "`"), ""]
    tables = [_table(one["rules"], one["changes"], one["priced"]) for one in found.values()]
    for name in dict.fromkeys(tables):
        rows = []
        for of, arena in zip(tables, found.values(), strict=True):
            if of == name and len(arena["gained"]) > 1:
                by = cluster_mean([(points,) for points in arena["gained"]])
                usual, changed = arena["seconds"]
                rows.append((
                    arena["way"], f"{len(arena['gained']):,}",
                    f"{by.mean:+.2f} ± {(by.high - by.low) / 2:.2f}",
                    f"{100 * arena['other'] / arena['choices']:.0f} %", f"{changed / usual:.2f}",
                ))  # fmt: skip
        if rows:
            head = ("instead", "deals", "points a deal more", "other choices", "time")
            words = f"{name}, beside `{SEARCHERS['champion'].mark}` as it is:"
            lines += [words, "", table(head, rows), ""]
    lines += ["    python -m benchmarks.champion_ideas --deals 400 --write"]
    for words in ("--shared-out", "--shared-out --as-neural"):
        lines += [f"    python -m benchmarks.champion_ideas --deals 150 {words} --write"]
    lines += [""]
    return "\n".join(lines)


def main() -> int:
    """Play on, and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.champion_ideas")
    parser.add_argument("--rules", nargs="+", choices=list(PRESETS), default=["altinstar"])
    parser.add_argument("--teams", action="store_true")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=4)
    parser.add_argument(
        "--ways", nargs="+", default=[""], metavar="WORDS", help="part of its words"
    )
    parser.add_argument("--shared-out", action="store_true", help="price in other worlds")
    parser.add_argument("--as-neural", action="store_true", help="and there as neural")
    parser.add_argument("--deals", type=int, default=400, help="keep so many deals in all")
    parser.add_argument("--minutes", type=float, default=1e9, help="play no longer than that")
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--file", type=Path, default=RESULTS)
    given = parser.parse_args()
    found: dict[str, Kept] = kept(given.file)
    now = SEARCHERS["champion"].version, mark_of_networks()
    until, said = time.monotonic() + 60 * given.minutes, time.monotonic()
    priced: Priced = "other worlds" if given.shared_out else "true hands"
    if given.as_neural:
        priced = "other worlds, as neural"
    ways = _ways(priced)
    wanted = [way for way in ways if any(word in way for word in given.ways)]
    if not wanted:
        parser.error(f"none of these has the words: {'; '.join(ways)}")
    changes: dict[str, object] = {"teams": True} if given.teams else {}
    if given.players != 4:
        changes["players"] = given.players
    for preset in given.rules:
        arenas: list[Kept] = []
        for way in wanted:
            fresh: Kept = {
                "rules": preset, "changes": changes, "way": way, "version": now[0],
                "networks": now[1], "gained": [], "choices": 0, "other": 0, "seconds": [0.0, 0.0],
                "priced": priced,
            }  # fmt: skip
            name = f"{_table(preset, changes, priced)}: {way}"
            arenas.append(found.setdefault(name, fresh))
            if (arenas[-1]["version"], arenas[-1]["networks"]) != now:
                parser.error(f"{name} was begun by another version")
        while (least := min(len(a["gained"]) for a in arenas)) < given.deals:
            if time.monotonic() > until:
                break
            play_on([arena for arena in arenas if len(arena["gained"]) == least])
            if time.monotonic() - said > _EVERY_S:
                print(f"{preset}, {least + 1} deals", file=sys.stderr, flush=True)
                save(given.file, found)
                said = time.monotonic()
        for arena in arenas:
            arena["seconds"] = [round(spent, 2) for spent in arena["seconds"]]
        save(given.file, found)
    if given.write:
        PAGE.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
