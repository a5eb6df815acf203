"""Write the test vectors of fair deals: ``python scripts/make_vectors.py [--check]``.

Every vector is a record, so that whatever checks records checks the vectors: most of one deal
without actions, and matches that were played, for what goes from one deal to the next.
``--check`` writes nothing and ends with 1 if the file is not what it would be.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

from okey101.bots import make_bot
from okey101.game import Deal, RuleSet, apply, deal_from_seed, options_of, record_of
from okey101.game.dealing import first_dealer
from okey101.game.fair.rounds import commitment, seat_commitment
from okey101.game.fair.transcript import AbandonedRound, Fair
from okey101.game.match import next_dealer
from okey101.game.record.form import parse_record
from okey101.tiles import FALSE_JOKER

FILE = Path(__file__).resolve().parents[1] / "docs" / "fairness-vectors.json"
ABOUT = (
    "Each of the records has one deal without actions; each of the matches has deals that were "
    "played, among them some that do not count. docs/en/fairness.md tells how commitment, seed, "
    "tiles and dealers follow; docs/fairness-check.mjs checks this file and any record. Some of "
    "the rounds have bots, or come after abandoned ones. Those that are wrong are rounds "
    "in which one thing is not as it should be, and all else fits it."
)
CASES: tuple[tuple[str, str, dict[str, object], tuple[int, ...], str, int, int], ...] = (
    # what it is, the preset, its changes, the bytes of each seat, table, match, deal
    ("everybody contributes 32 bytes", "altinstar", {}, (32, 32, 32, 32), "salon", 1, 0),
    ("the shortest contributions", "pagat", {}, (16, 16, 16, 16), "salon", 1, 0),
    ("lengths that differ", "wiki", {}, (16, 20, 31, 32), "salon", 1, 0),
    ("one person and three bots", "altinstar", {}, (32, 0, 0, 0), "t-01", 1, 0),
    ("a contribution from the last seat alone", "altinstar", {}, (0, 0, 0, 17), "t-01", 2, 0),
    ("nobody contributes", "pagat", {}, (0, 0, 0, 0), "t-02", 1, 0),
    ("three seats", "altinstar", {"players": 3}, (32, 0, 32), "t-03", 1, 0),
    ("three seats, the preset pagat", "pagat", {"players": 3}, (16, 16, 0), "t-03", 2, 0),
    ("three seats, the preset wiki", "wiki", {"players": 3}, (0, 32, 32), "t-03", 3, 0),
    ("two seats", "altinstar", {"players": 2}, (32, 32), "t-04", 1, 0),
    ("two seats, the preset pagat", "pagat", {"players": 2}, (0, 32), "t-04", 2, 0),
    ("two seats, the preset wiki", "wiki", {"players": 2}, (32, 0), "t-04", 3, 0),
    ("teams", "altinstar", {"teams": True}, (32, 32, 32, 32), "t-05", 1, 0),
    ("a name beyond ASCII", "altinstar", {}, (32, 32, 32, 32), "Şirinköy 🂡", 1, 0),
    ("a later deal", "wiki", {}, (32, 32, 32, 32), "t-06", 7, 4),
    ("large numbers", "pagat", {}, (32, 32, 32, 32), "t-06", 10**9, 10**9),
    ("dealer begins", "altinstar", {"starter": "dealer"}, (32, 0, 32, 0), "t-07", 1, 0),
    (
        "dealer's neighbour begins",
        "altinstar",
        {"starter": "right_of_dealer"},
        (32, 0, 32, 0),
        "t-07",
        2,
        0,
    ),
    (
        "a false joker is thrown and thrown again",
        "altinstar",
        {"false_joker_indicator": "rethrow"},
        (32, 32, 32, 32),
        "t-08",
        1,
        0,
    ),
    (
        "a false joker is the indicator",
        "wiki",
        {"false_joker_indicator": "riziko"},
        (32, 32, 32, 32),
        "t-08",
        2,
        0,
    ),
)

ROUNDS: tuple[tuple[str, str, dict[str, object], tuple[int, ...], tuple[str, ...]], ...] = (
    # what it is, the preset, its changes, the bytes of each seat (-1 for a bot), and for each
    # round before why it was abandoned
    ("everybody commits and reveals", "altinstar", {}, (32, 32, 32, 32), ()),
    ("lengths that differ", "wiki", {}, (16, 20, 31, 32), ()),
    ("alone against bots", "pagat", {}, (-1, 32, -1, -1), ()),
    ("nobody contributes", "altinstar", {}, (0, -1, -1, -1), ()),
    ("a seat did not reveal", "altinstar", {}, (32, 32, 0, 32), ("not-revealed",)),
    ("three rounds before", "pagat", {}, (32, 32, -1, -1), ("restored", "left", "log-truncated")),
    ("three seats", "wiki", {"players": 3}, (32, 0, 32), ()),
    ("two seats", "altinstar", {"players": 2}, (16, 16), ("not-revealed",)),
)
WRONG: tuple[tuple[str, str, str], ...] = (
    # what is wrong, the error code, and the round among those above that is spoilt
    ("a contribution made up for a bot's seat", "fair-bot", "alone against bots"),
    ("a commitment and a contribution of a bot", "fair-bot", "alone against bots"),
    ("a contribution that does not open its commitment", "fair-opening", "two seats"),
    ("a contribution that was left out", "fair-opening", "everybody commits and reveals"),
    ("an abandoned round that is not told of", "fair-rounds", "three rounds before"),
    ("an abandoned round with another secret", "fair-round", "three rounds before"),
    ("an abandoned round with another contribution", "fair-opening", "a seat did not reveal"),
    ("a bot that contributed to an abandoned round", "fair-bot", "three rounds before"),
    ("an abandoned round that is complete", "fair-reason", "a seat did not reveal"),
    ("a round abandoned for an unknown reason", "fair-reason", "three rounds before"),
    ("other rules in the transcript", "fair-terms", "two seats"),
)
MATCHES: tuple[tuple[str, str, dict[str, object], tuple[tuple[str, bool], ...]], ...] = (
    # what it is, the preset, its changes, and for each deal the bots and whether it counts
    (
        "the stock ends the second deal, which is dealt again",
        "pagat",
        {},
        (("greedy", True), ("random", False), ("greedy", True)),
    ),
    (
        "an empty stock counts: the next seat deals",
        "altinstar",
        {"players": 3},
        (("random", True), ("random", True)),
    ),
)


def main() -> int:
    """Write the file, or say that it is out of date."""
    text = vectors_text()
    if "--check" in sys.argv[1:]:
        same = FILE.exists() and FILE.read_text(encoding="utf-8") == text
        if not same:
            print(f"{FILE.name} is out of date: run scripts/make_vectors.py")
        return 0 if same else 1
    FILE.write_text(text, encoding="utf-8")
    return 0


def vectors_text() -> str:
    """The whole file."""
    records = [_vector(*case) for case in CASES]
    rounds = [_round(*case) for case in ROUNDS]
    matches = [_match(*case) for case in MATCHES]
    by_name = {str(record["_vector"]): record for record in rounds}
    wrong = [_wrong(name, code, by_name[of]) for name, code, of in WRONG]
    data = {
        "about": ABOUT, "records": records, "rounds": rounds, "matches": matches, "wrong": wrong,
    }  # fmt: skip
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _vector(
    name: str,
    preset: str,
    changes: dict[str, object],
    sizes: tuple[int, ...],
    table: str,
    match: int,
    deal: int,
) -> dict[str, object]:
    rules = RuleSet.preset(preset).with_(**changes)
    for attempt in count():
        rng = random.Random(f"{name} {attempt}")
        secret = rng.randbytes(32)
        given = [rng.randbytes(size) for size in sizes]
        fair = _shown(rules, secret, given, ("-",) * rules.players, (table, match, deal, 0))
        seed = fair.seed
        assert seed is not None
        dealer = first_dealer(seed, rules.players) if deal == 0 else deal % rules.players
        dealt = deal_from_seed(rules, seed, dealer)
        wanted = (len(dealt.dice) > 2) if "again" in name else True
        if name.endswith("the indicator"):
            wanted = dealt.indicator == FALSE_JOKER
        if wanted:
            break
    record = record_of(rules, [Deal.start(rules, dealt)])
    told = replace(record.deals[0], fair=fair.to_dict())
    return {"_vector": name, **replace(record, deals=(told,)).to_dict()}


def _round(
    name: str,
    preset: str,
    changes: dict[str, object],
    sizes: tuple[int, ...],
    reasons: tuple[str, ...],
) -> dict[str, object]:
    """A deal after rounds in which the last seat to commit itself did not reveal."""
    rules = RuleSet.preset(preset).with_(**changes)
    rng = random.Random(f"{name} round")
    seats = tuple("bot:steady/1" if size < 0 else f"{n:016x}" for n, size in enumerate(sizes))
    abandoned: list[AbandonedRound] = []
    for number, reason in enumerate(reasons):
        # Whoever did not reveal does not take part in the round that is dealt from.
        given = [b"" if size < 0 else rng.randbytes(32) for size in sizes]
        last = max(seat for seat, part in enumerate(given) if part)
        shown = _shown(rules, rng.randbytes(32), given, seats, ("t-09", 1, 0, number))
        assert shown.randomness is not None
        assert shown.secret is not None
        revealed = tuple("" if n == last else text for n, text in enumerate(shown.randomness))
        abandoned.append(
            AbandonedRound(
                shown.commitment, seats, shown.commitments, revealed, shown.secret, reason
            )
        )
    given = [rng.randbytes(max(size, 0)) for size in sizes]
    fair = _shown(rules, rng.randbytes(32), given, seats, ("t-09", 1, 0, len(reasons)))
    fair = replace(fair, abandoned=tuple(abandoned))
    seed = fair.seed
    assert seed is not None
    dealt = deal_from_seed(rules, seed, first_dealer(seed, rules.players))
    record = record_of(rules, [Deal.start(rules, dealt)])
    told = replace(record.deals[0], fair=fair.to_dict())
    return {"_vector": name, **replace(record, deals=(told,)).to_dict()}


def _wrong(name: str, code: str, good: dict[str, object]) -> dict[str, object]:
    """A record as its server would write it, so that nothing else is wrong with it."""
    record = parse_record(json.dumps(good))
    (deal,) = record.deals
    fair = Fair.from_dict(deal.fair)
    assert fair.randomness is not None
    made_up = bytes(range(16))
    before = [*fair.abandoned]
    where = (fair.table, fair.match, fair.deal, fair.round)
    given = fair.randomness
    if name.startswith("a contribution made up"):
        fair = replace(fair, randomness=(made_up.hex(), *given[1:]))
    elif name.startswith("a commitment and"):
        shown = (seat_commitment(made_up, fair.commitment, *where, 0), *fair.commitments[1:])
        fair = replace(fair, commitments=shown, randomness=(made_up.hex(), *given[1:]))
    elif name.startswith("a contribution that does not"):
        fair = replace(fair, randomness=(made_up.hex(), *given[1:]))
    elif name.startswith("a contribution that was"):
        fair = replace(fair, randomness=("", *given[1:]))
    elif name.endswith("not told of"):
        fair = replace(fair, abandoned=tuple(before[1:]))
    elif name.endswith("another secret"):
        before[1] = replace(before[1], secret=made_up.hex() * 2)
    elif name.endswith("another contribution"):
        before[0] = replace(before[0], randomness=(made_up.hex(), *before[0].randomness[1:]))
    elif name.endswith("that is complete"):
        before[0] = replace(before[0], commitments=_opened(before[0]))
    elif name.endswith("unknown reason"):
        before[0] = replace(before[0], reason="restart")
    elif name.startswith("other rules"):
        fair = replace(fair, terms=dict(fair.terms) | {"rules": {"preset": "wiki"}})
    else:
        promise = seat_commitment(made_up, before[2].commitment, *where[:3], 2, 3)
        before[2] = replace(
            before[2],
            commitments=(*before[2].commitments[:3], promise),
            randomness=(*before[2].randomness[:3], made_up.hex()),
        )
    if not name.endswith("not told of"):
        fair = replace(fair, abandoned=tuple(before))
    seed = fair.seed
    assert seed is not None
    dealt = deal_from_seed(record.rules, seed, first_dealer(seed, record.rules.players))
    spoilt = record_of(record.rules, [Deal.start(record.rules, dealt)])
    told = replace(spoilt.deals[0], fair=fair.to_dict())
    return {"_vector": name, "_code": code, **replace(spoilt, deals=(told,)).to_dict()}


def _opened(round_: AbandonedRound) -> tuple[str, ...]:
    """The commitments without those that nobody opened."""
    pairs = zip(round_.commitments, round_.randomness, strict=True)
    return tuple(shown if given else "" for shown, given in pairs)


def _shown(
    rules: RuleSet,
    secret: bytes,
    given: list[bytes],
    seats: tuple[str, ...],
    where: tuple[str, int, int, int],
    deals: int = 1,
) -> Fair:
    """A round in which every seat that gave something committed itself to it."""
    table, match, deal, number = where
    promised = commitment(secret, *where)
    return Fair(
        commitment=promised,
        terms={"rules": rules.to_dict(), "deals": deals, "late": True},
        table=table,
        match=match,
        deal=deal,
        randomness=tuple(part.hex() for part in given),
        secret=secret.hex(),
        round=number,
        seats=seats,
        commitments=tuple(
            seat_commitment(part, promised, *where, seat) if part else ""
            for seat, part in enumerate(given)
        ),
    )


def _match(
    name: str, preset: str, changes: dict[str, object], wanted: tuple[tuple[str, bool], ...]
) -> dict[str, object]:
    """A match in which every deal counts or not as it is wanted; who deals follows (D3)."""
    rules = RuleSet.preset(preset).with_(**changes)
    played: list[Deal] = []
    fairs: list[Fair] = []
    dealer: int | None = None
    agreed = sum(counts for _, counts in wanted)
    for number, (bot, counts) in enumerate(wanted):
        for attempt in count():
            rng = random.Random(f"{name} {number} {attempt}")
            secret = rng.randbytes(32)
            given = [rng.randbytes(16) for _ in range(rules.players)]
            where = ("salon", 1, number, 0)
            fair = _shown(rules, secret, given, ("-",) * rules.players, where, agreed)
            seed = fair.seed
            assert seed is not None
            seat = first_dealer(seed, rules.players) if dealer is None else dealer
            deal = _played(Deal.start(rules, deal_from_seed(rules, seed, seat)), bot)
            if deal.result is not None and deal.result.counts is counts:
                break
        assert deal.result is not None
        fairs.append(fair)
        played.append(deal)
        dealer = next_dealer(rules, seat, deal.result)
    record = record_of(rules, played, deals_agreed=agreed)
    told = tuple(
        replace(deal, fair=fair.to_dict()) for deal, fair in zip(record.deals, fairs, strict=True)
    )
    return {"_vector": name, **replace(record, deals=told).to_dict()}


def _played(deal: Deal, bot: str) -> Deal:
    bots = [make_bot(bot, seed=seat) for seat in range(deal.public.setup.rules.players)]
    while not deal.over:
        options = options_of(deal)
        deal = apply(deal, bots[deal.turn].choose(options.view, options))
    return deal


if __name__ == "__main__":
    sys.exit(main())
