"""Matches dealt fairly, as a server deals them."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import replace

from game.random_play import steps
from okey101.game import Deal, RuleSet, deal_from_seed, record_of
from okey101.game.dealing import first_dealer
from okey101.game.fairness import Fair, commitment, deal_seed_of
from okey101.game.match import next_dealer
from okey101.game.record import Record

__all__ = ["fair_match"]


def fair_match(rules: RuleSet, name: str, deals: int = 2, table: str = "salon") -> Record:
    """A finished match of random play; each seat contributes, or does not, by chance."""
    rng = random.Random(name)
    played: list[Deal] = []
    fairs: list[Fair] = []
    dealer: int | None = None
    for number in range(deals):
        secret = rng.randbytes(32)
        sizes = [rng.choice((0, 16, 20, 32)) for _ in range(rules.players)]
        sizes[number % rules.players] = 32
        given = [rng.randbytes(size) for size in sizes]
        seed = deal_seed_of(secret, table, 1, number, given)
        dealer = first_dealer(seed, rules.players) if dealer is None else dealer
        start = Deal.start(rules, deal_from_seed(rules, seed, dealer))
        deal = deque(steps(start, rng, "eager", checked=0), maxlen=1).pop()
        assert deal.result is not None
        fairs.append(
            Fair(
                commitment=commitment(secret, table, 1, number),
                table=table,
                match=1,
                deal=number,
                randomness=tuple(part.hex() for part in given),
                secret=secret.hex(),
            )
        )
        played.append(deal)
        dealer = next_dealer(rules, dealer, deal.result)
    record = record_of(rules, played)
    told = [
        replace(deal, fair=fair.to_dict()) for deal, fair in zip(record.deals, fairs, strict=True)
    ]
    return replace(record, deals=tuple(told))
