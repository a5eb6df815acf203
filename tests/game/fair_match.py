"""Matches dealt fairly, as a server deals them, and the vectors that the documents hold."""

import json
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from conftest import script
from game.random_play import steps
from okey101.game import Deal, RuleSet, deal_from_seed, record_of
from okey101.game.dealing import first_dealer
from okey101.game.fair.rounds import commitment, seat_commitment
from okey101.game.fair.transcript import AbandonedRound, Fair
from okey101.game.match import next_dealer
from okey101.game.record.form import Record


def fair_round(
    rules: RuleSet,
    secret: bytes,
    where: tuple[str, int, int],
    given: Sequence[bytes],
    seats: Sequence[str] | None = None,
    abandoned: tuple[AbandonedRound, ...] = (),
) -> Fair:
    """A round that was dealt from: each seat that gave something committed itself to it."""
    here = (*where, len(abandoned))
    promised = commitment(secret, *here)
    return Fair(
        promised,
        *here,
        terms={"rules": rules.to_dict()},
        randomness=tuple(part.hex() for part in given),
        secret=secret.hex(),
        seats=tuple(seats or ("-",) * len(given)),
        commitments=tuple(
            seat_commitment(part, promised, *here, seat) if part else ""
            for seat, part in enumerate(given)
        ),
        abandoned=abandoned,
    )


def _abandoned(
    rules: RuleSet, rng: random.Random, where: tuple[str, int, int], seats: tuple[str, ...]
) -> AbandonedRound:
    """The first round of a deal, in which the last person to commit did not reveal."""
    secret, given = rng.randbytes(32), [b"" if _bot(n) else rng.randbytes(16) for n in seats]
    shown = fair_round(rules, secret, where, given, seats)
    assert shown.randomness is not None
    last = max((seat for seat, part in enumerate(given) if part), default=0)
    revealed = ("" if n == last else text for n, text in enumerate(shown.randomness))
    return AbandonedRound(
        shown.commitment, seats, shown.commitments, tuple(revealed), secret.hex(), "not-revealed"
    )


def _bot(name: str) -> bool:
    return name.startswith("bot:")


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
        seats = tuple("Ayşe" if size else rng.choice(("bot:greedy", "-")) for size in sizes)
        where = (table, 1, number)
        before = (_abandoned(rules, rng, where, seats),) if number % 2 else ()
        fair = fair_round(rules, secret, where, given, seats, before)
        fairs.append(fair)
        seed = fair.seed
        assert seed is not None
        dealer = first_dealer(seed, rules.players) if dealer is None else dealer
        start = Deal.start(rules, deal_from_seed(rules, seed, dealer))
        deal = deque(steps(start, rng, "eager", checked=0), maxlen=1).pop()
        assert deal.result is not None
        played.append(deal)
        dealer = next_dealer(rules, dealer, deal.result)
    record = record_of(rules, played)
    told = [
        replace(deal, fair=fair.to_dict()) for deal, fair in zip(record.deals, fairs, strict=True)
    ]
    return replace(record, deals=tuple(told))


VECTORS = Path(__file__).resolve().parents[2] / "docs" / "fairness-vectors.json"
DAY_CHECK = VECTORS.with_name("day-check.py")


@cache
def day_check() -> Any:
    """The program that makes a day again, as a module."""
    return script(DAY_CHECK)


def _those(kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))[kind]
    return found


def vectors() -> list[dict[str, Any]]:
    return _those("records")


def matches() -> list[dict[str, Any]]:
    return _those("matches")


def rounds() -> list[dict[str, Any]]:
    """Records of one deal each, some after rounds that were abandoned."""
    return _those("rounds")


def wrong() -> list[dict[str, Any]]:
    """Records of one deal each, in which one thing is wrong."""
    return _those("wrong")
