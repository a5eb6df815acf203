"""How much better ``search`` and ``champion`` are than ``master``, in duplicate deals.

    python -m benchmarks.search_strength --rules altinstar --deals 600 --seed 2000000
    python -m benchmarks.search_strength --bot champion --deals 600 --seed 2000000

plays on from ``search_strength.json``, a deal at a time, until so many are kept or ``--minutes``
have passed; a search of other worlds, or another seed, is kept beside it. The anchors, ``greedy``
and ``master`` in the same seats of the same deals, are played by the kernel, which chooses alike;
so is ``neural``, at the end, at tables of four players who play for themselves among ``greedy``.
With ``--others master`` that one sits in all other seats, and no ``greedy`` plays. What is kept of
a deal are the scores of its seats: ``okey101 arena search greedy`` has the same.
What another version of the bot, or one with other networks, began is not played on: ``champion/2``
and ``champion/3`` are kept beside each other, by seed.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
import zlib
from collections.abc import Iterable
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import NotRequired, TypedDict

from benchmarks.measure import kept, save
from okey101.bots import BOTS, Bot
from okey101.bots.champion import ChampionBot
from okey101.bots.greedy import GreedyBot
from okey101.bots.master import MasterBot
from okey101.bots.registry import SEARCHERS
from okey101.bots.search import SearchBot
from okey101.game import PRESETS, Deal, Options, RuleSet, apply, view_of
from okey101.kernel import play_bots
from okey101.sim.arena.chunks import arena_deal, bot_seed

__all__ = ["RESULTS", "Kept", "kept", "mark_of_networks"]

_CLASSES: dict[str, type[SearchBot]] = {"search": SearchBot, "champion": ChampionBot}
RESULTS = Path(__file__).with_name("search_strength.json")


class Kept(TypedDict):
    """The scores of a search, by deal and seat; times are those of the search's own seat."""

    bot: NotRequired[str]
    """``champion``; ``search`` where nothing is said."""
    rules: str
    others: NotRequired[str]
    """Who sits in the other seats; ``greedy`` where nothing is said."""
    changes: dict[str, object]
    seed: int
    worlds: int
    version: int
    numba: str
    networks: NotRequired[str]
    """A mark of the networks that ``champion`` had."""
    greedy: list[list[int]]
    master: list[list[int]]
    neural: NotRequired[list[list[int]]]
    beside: NotRequired[str]
    """Which ``neural`` that is."""
    search: list[list[int]]
    seconds: float
    turns: int
    choices: int


def play_on(arena: Kept, rules: RuleSet, bot: type[SearchBot]) -> None:
    """Play one more deal."""
    number = len(arena["search"])
    root = _root(arena)
    layout = arena_deal(rules, arena["seed"], number)
    assert layout.seed is not None
    places = range(2 if rules.teams else rules.players)
    everywhere = range(rules.players) if arena.get("others") == "master" else ()
    anchor = _scores(rules, root, number, everywhere)
    masters, searches = [], []
    for place in places:
        seats = range(place, rules.players, len(places))
        scores = _scores(rules, root, number, {*seats, *everywhere})
        masters.append(sum(scores[seat] for seat in seats))
        bots: list[Bot] = [MasterBot() if everywhere else GreedyBot() for _ in scores]
        for seat in seats:
            bots[seat] = bot(bot_seed(layout.seed, seat))
        result = _play(Deal.start(rules, layout), bots, arena).result
        assert result is not None
        searches.append(sum(result.scores[seat] for seat in seats))
    arena["greedy"].append([sum(anchor[p :: len(places)]) for p in places])
    arena["master"].append(masters)
    arena["search"].append(searches)


def mark_of_networks() -> str:
    """A short hash of the networks of ``champion``: those that foretell, and its beliefs."""
    weights = files("okey101").joinpath("weights", "champion.bin").read_bytes()
    return hashlib.sha256(zlib.decompress(weights)).hexdigest()[:12]


def anchor_by_neural(arena: Kept, rules: RuleSet) -> None:
    """Play ``neural`` in the seats of the search, a deal for each that has been searched."""
    mark = BOTS["neural"].mark
    first = len(arena.get("neural", [])) if arena.get("beside") == mark else 0
    root, deals = _root(arena), len(arena["search"]) - first
    if not deals:
        return
    alone = [
        play_bots(rules, deals, {seat: "neural"}, seed=root, first=first).scores[:, seat].tolist()
        for seat in range(rules.players)
    ]
    played = [[*scores] for scores in zip(*alone, strict=True)]
    arena["neural"] = arena.get("neural", [])[:first] + played
    arena["beside"] = mark


def _root(arena: Kept) -> bytes:
    return hashlib.sha256(f"okey101 arena 1 {arena['seed']}".encode()).digest()


def _scores(rules: RuleSet, root: bytes, number: int, seats: Iterable[int]) -> list[int]:
    """The points of a deal by seat, ``master`` in these seats, else ``greedy``."""
    played = play_bots(rules, 1, dict.fromkeys(seats, "master"), seed=root, first=number)
    return [int(points) for points in played.scores[0]]


def _play(deal: Deal, bots: list[Bot], arena: Kept) -> Deal:
    while not deal.over:
        bot = bots[deal.turn]
        view = view_of(deal, deal.turn)
        options = Options(view)
        begun = time.process_time()
        action = bot.choose(view, options)
        if isinstance(bot, SearchBot):
            arena["seconds"] = round(arena["seconds"] + time.process_time() - begun, 3)
            arena["choices"] += 1
            arena["turns"] += deal.public.turns != apply(deal, action).public.turns
        deal = apply(deal, action)
    return deal


def told(arena: Kept) -> str:
    """The means so far, each against another on the same deals."""
    from okey101.sim.stats import cluster_mean

    words = []
    for one, other in (("master", "greedy"), ("search", "greedy"), ("search", "master")):
        rows = zip(arena[one], arena[other], strict=True)  # type: ignore[literal-required]
        apart = [tuple(a - b for a, b in zip(*pair, strict=True)) for pair in rows]
        if len(apart) > 1:
            found = cluster_mean(apart)
            words.append(f"{one}-{other} {found.mean:+.2f} +- {(found.high - found.low) / 2:.2f}")
    each = arena["seconds"] / max(1, arena["turns"])
    return f"{len(arena['search'])} deals: {'; '.join(words)}; {each:.3f} s a turn"


def main() -> int:
    """Play on, and tell how it stands."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search_strength")
    parser.add_argument("--bot", choices=list(SEARCHERS), default="search")
    parser.add_argument("--rules", choices=list(PRESETS), default="altinstar")
    parser.add_argument("--teams", action="store_true")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--others", choices=["greedy", "master"], default="greedy")
    parser.add_argument("--deals", type=int, required=True, help="keep so many deals in all")
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--worlds", type=int, help="in place of the bot's own")
    parser.add_argument("--minutes", type=float, default=1e9, help="play no longer than that")
    parser.add_argument("--file", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    changes: dict[str, object] = {}
    if arguments.teams:
        changes["teams"] = True
    if arguments.players != 4:
        changes["players"] = arguments.players
    rules = PRESETS[arguments.rules].with_(**changes)
    bot = _CLASSES[arguments.bot]
    worlds = arguments.worlds or bot.worlds
    bot = type("Searching", (bot,), {"worlds": worlds})
    found: dict[str, Kept] = kept(arguments.file)
    words = [arguments.rules, *(f"{k}={v}" for k, v in changes.items())]
    if arguments.others != "greedy":
        words.append(f"against {arguments.others}")
    if arguments.bot != "search":
        words.insert(0, SEARCHERS[arguments.bot].mark)
    name = f"{' '.join(words)} seed {arguments.seed} worlds {worlds}"
    arena = found.setdefault(
        name,
        Kept(
            bot=arguments.bot, rules=arguments.rules, others=arguments.others, changes=changes,
            seed=arguments.seed, worlds=worlds, version=SEARCHERS[arguments.bot].version,
            numba=version("numba"), greedy=[], master=[], search=[], seconds=0.0, turns=0,
            choices=0,
        ),
    )  # fmt: skip
    if arguments.bot == "champion" and not arena["search"]:
        arena["networks"] = mark_of_networks()
    now = (SEARCHERS[arguments.bot].version, mark_of_networks())
    if (arena["version"], arena.get("networks", now[1])) != now:
        parser.error(f"{name} was begun by another version, or with other networks")
    until = time.monotonic() + 60 * arguments.minutes
    said = time.monotonic()
    while len(arena["search"]) < arguments.deals and time.monotonic() < until:
        play_on(arena, rules, bot)
        if time.monotonic() - said > 20:
            save(arguments.file, found)
            print(name, told(arena), file=sys.stderr, flush=True)
            said = time.monotonic()
    if not changes and arguments.others == "greedy":
        anchor_by_neural(arena, rules)
    save(arguments.file, found)
    print(name, told(arena))
    return 0


if __name__ == "__main__":
    sys.exit(main())
