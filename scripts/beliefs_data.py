"""Keep positions with what the others truly hold, from which ``champion``'s beliefs are learned.

    python scripts/beliefs_data.py altinstar beliefs/altinstar.npz --deals 14000

plays development deals (benchmarks/seeds.json): one seat as ``neural``; the others as ``greedy``
in two deals of three, and as ``neural``, ``master`` and ``greedy`` together in the third. Of each
turn of that seat it keeps what its beliefs are told, and exchanges of two tiles in the true hands
and stock, with what kinds of hands there were before and are after. A belief is right where it
tells the true world from those.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from okey101.game import PRESETS, Deal, Phase, RuleSet, apply, replay, view_of
from okey101.game.dealing import match_seed, seed_of
from okey101.kernel import groups as G, layout as L, play_bots
from okey101.kernel.beliefs import FACTS, TILES, evidence_of, hand_facts, inputs_of
from okey101.kernel.compiling import Row, Rows, adopt, compiled
from okey101.kernel.conversion import row_of_deal, rules_vector
from okey101.kernel.solver import Tables, tables
from okey101.sim.arena.chunks import RANGES, Purpose

EXCHANGES: Final = 32
"""Exchanges of a position."""


@compiled
def facts_of(
    tables: Tables, rules: Row, row: Row, evidence: Rows, seats: Row, exchanges: Rows, facts: Rows
) -> None:
    """Which log-odds hold for the hands of three seats, and for two of them after an exchange.

    ``exchanges`` is int64[N, 4], a place and its tile twice; places 0 to 2 are ``seats``, 3 is the
    stock. ``facts`` is int64[1 + N, 3 * FACTS]: the first line has the hands as they are, a further
    one those of the two places after its exchange, -1 for the stock.
    """
    for at in range(3):
        hand_facts(
            tables, rules, row, seats[at], evidence, facts[0, FACTS * at : FACTS * at + FACTS]
        )
    for n in range(exchanges.shape[0]):
        for side in range(2):
            place, mine, theirs = (
                exchanges[n, 2 * side],
                exchanges[n, 2 * side + 1],
                exchanges[n, 3 - 2 * side],
            )
            if place == 3:
                continue
            at = L.HANDS + 2 * seats[place]
            one, two = row[at], row[at + 1]
            less_one, less_two = G.minus(one, two, 1 << mine, 0)
            row[at], row[at + 1] = G.plus(less_one, less_two, 1 << theirs, 0)
            kinds = facts[1 + n, FACTS * side : FACTS * side + FACTS]
            hand_facts(tables, rules, row, seats[place], evidence, kinds)
            row[at], row[at + 1] = one, two


def positions(rules: RuleSet, root: bytes, number: int) -> Iterator[Deal]:
    """The turns of the seat of a deal whose beliefs are learned."""
    own = number // 4 % 4
    bots = dict.fromkeys([own], "neural")
    if number // 16 % 3 == 2:
        others = ("greedy", "neural", "master")
        bots |= {s: others[(number // 48 + s) % 3] for s in range(4) if s != own}
    played = play_bots(rules, 1, bots, seed=root, first=number, log=True)
    deal = Deal.start(rules, seed=match_seed(root, number), dealer=number % 4)
    seen = 0
    for _, action in replay(played.record(0)).deals[0].public.actions:
        if deal.turn == own and deal.phase is Phase.PLAY and deal.public.turns > seen:
            seen = deal.public.turns
            yield deal
        deal = apply(deal, action)


def told(deal: Deal, rng: np.random.Generator) -> dict[str, Rows] | None:
    """What is kept of a position; None where too few exchanges change anything."""
    own = deal.turn
    view = view_of(deal, own)
    seats = [seat for seat in range(4) if seat != own]
    hidden = np.zeros((4, TILES), dtype=np.int64)
    for place, seat in enumerate(seats):
        bits = deal.hands[seat] - deal.public.known[seat]
        hidden[place] = [bits >> 2 * tile & 3 for tile in range(TILES)]
    np.add.at(hidden[3], [int(tile) for tile in deal.stock], 1)
    lying = np.repeat(np.arange(4 * TILES), hidden.ravel())
    one, two = rng.choice(lying, (2, 8 * EXCHANGES))
    changes = (one // TILES != two // TILES) & (one % TILES != two % TILES)
    one, two = one[changes][:EXCHANGES], two[changes][:EXCHANGES]
    if len(one) < EXCHANGES:
        return None
    exchanges = np.stack([one // TILES, one % TILES, two // TILES, two % TILES], axis=1)
    row = row_of_deal(deal)
    facts = np.full((1 + EXCHANGES, 3 * FACTS), -1, dtype=np.int64)
    facts_of(
        tables(), rules_vector(deal.rules), row, evidence_of(deal.public, own),
        np.array(seats, dtype=np.int64), exchanges, facts,
    )  # fmt: skip
    return {
        "inputs": inputs_of(view)[seats].astype(np.int8), "exchanges": exchanges.astype(np.int8),
        "facts": facts.astype(np.int16),
    }  # fmt: skip


def main() -> int:
    """Play, and write one file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", choices=[*PRESETS])
    parser.add_argument("path", type=Path)
    parser.add_argument("--deals", type=int, default=14_000)
    parser.add_argument("--seed", type=int, default=31)
    given = parser.parse_args()
    if given.seed not in RANGES[Purpose.DEVELOPMENT]:
        sys.exit(f"{given.seed} is no development seed")
    given.path.parent.mkdir(parents=True, exist_ok=True)
    rules, root, rng = PRESETS[given.preset], seed_of(given.seed), np.random.default_rng(given.seed)
    kept: dict[str, list[Rows]] = {"inputs": [], "exchanges": [], "facts": [], "deal": []}
    for number in range(given.deals):
        for deal in positions(rules, root, number):
            found = told(deal, rng)
            for name, part in (found or {}).items():
                kept[name].append(part)
            if found:
                kept["deal"].append(np.array(number))
        if number % 1_000 == 999:
            print(f"{given.preset}: {number + 1} deals, {len(kept['deal'])} positions", flush=True)
    together = {name: np.array(parts) for name, parts in kept.items()}
    np.savez(given.path, allow_pickle=False, **together)
    return 0


adopt(__name__)

if __name__ == "__main__":
    raise SystemExit(main())
