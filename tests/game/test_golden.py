"""Whole matches, replayed to the same bytes of every view and of all options.

``OKEY101_WRITE=1`` plays and digests them anew; another digest means that people see something
else.
"""

import hashlib
import json
import os
import random
from pathlib import Path

import pytest

from game.random_play import choose
from okey101.game import Deal, Match, RuleSet, View, apply, options_of, record_of, replay, view_of
from okey101.game.open_side_json import result_json
from okey101.game.record.form import Record
from okey101.game.record.replay import steps_of

FOLDER = Path(__file__).with_name("golden")
DIGESTS = FOLDER / "digests.json"
MATCHES = {
    "altinstar": RuleSet.preset("altinstar"),
    "pagat": RuleSet.preset("pagat").with_(players=3),
    "wiki": RuleSet.preset("wiki").with_(teams=True),
}


SALTS = {"altinstar": 41, "pagat": 19, "wiki": 25}
"""Chosen so that deals are finished, too."""


def played(name: str, salt: int | None = None) -> Record:
    """A match of three deals; seats play eagerly, now and then at random."""
    rules = MATCHES[name]
    rng = random.Random(f"golden {name} {SALTS[name] if salt is None else salt}")
    match = Match.new(rules, deals=3, seed=rng.randbytes(32))
    deals: list[Deal] = []
    while not match.over:
        assert len(deals) < 40
        deal = match.deal()
        while not deal.over:
            style = "eager" if rng.random() < 0.9 else "by-kind"
            deal = apply(deal, choose(options_of(deal), rng, style), deal.turn)
        deals.append(deal)
        match = match.after(deal)
    names = ("Ayşe", "Çağrı", "bot:eager", "bot:eager")[: rules.players]
    return record_of(rules, deals, players=names, deals_agreed=3)


def as_first_told(view: View) -> dict[str, object]:
    """What a view told when the digests were made: names that came later stay out."""
    told = view.to_dict()
    for name in ("placed_at", "new_opening"):
        del told[name]
    if view.public.result is not None:
        told["result"] = result_json(view.public.result)
    return told


def digest(record: Record) -> str:
    """A chain of SHA-256 over the JSON of all views and the options, step by step."""
    chain = b""
    for number in range(len(record.deals)):
        for deal in steps_of(record, number):
            for seat in (None, *range(record.rules.players)):
                text = json.dumps(as_first_told(view_of(deal, seat)), ensure_ascii=False)
                chain = hashlib.sha256(chain + text.encode()).digest()
            listed = options_of(deal).to_dict()
            # Called so when the digests were made.
            listed = {"open" if n == "opening" else n: o for n, o in listed.items()}
            text = json.dumps(listed, ensure_ascii=False)
            chain = hashlib.sha256(chain + text.encode()).digest()
    return chain.hex()


@pytest.mark.parametrize("name", MATCHES)
def test_golden_match(name: str) -> None:
    path = FOLDER / f"{name}.okey.json"
    if os.environ.get("OKEY101_WRITE"):
        played(name).write(path)
        known = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
        known[name] = digest(Record.read(path))
        DIGESTS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    record = Record.read(path)
    again = replay(record)
    assert all(deal.over for deal in again.deals)
    assert again.totals == record.totals
    assert path.read_bytes() == record.to_json().encode()
    assert digest(record) == json.loads(DIGESTS.read_text())[name]


def test_goldens_show_the_game() -> None:
    """Together they hold every action of the presets, and the common ends."""
    deals = [
        deal for name in MATCHES for deal in replay(Record.read(FOLDER / f"{name}.okey.json")).deals
    ]
    words = {str(action).split()[0] for deal in deals for _, action in deal.public.actions}
    assert words == {
        "announce", "back", "discard", "draw", "indicator", "lay", "meld", "pass", "return", "take",
    }  # fmt: skip
    ends = {deal.result.end.value for deal in deals if deal.result}
    assert ends >= {"finish", "stock"}
