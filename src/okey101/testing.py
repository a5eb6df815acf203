"""Hypothesis strategies for the values of the game, to test bots and rule sets with.

They need Hypothesis (``pip install "okey101[testing]"``); nothing else in the package does. Every
strategy shrinks towards the plain case, and what it makes is legal unless it says otherwise.

>>> from hypothesis import given
>>> from okey101 import testing
>>> @given(testing.states("pagat"))
... def test_somebody_may_always_do_something(deal):
...     assert deal.over or deal.legal_actions().count() > 0
"""

from __future__ import annotations

import dataclasses
import random

from okey101.errors import needs

with needs("okey101.testing", "Hypothesis", "testing"):
    from hypothesis import strategies as st

from okey101.game import PRESETS, Deal, RuleSet, actions as A, apply, deal_from_hands, options_of
from okey101.game.dealing import deck_bits
from okey101.game.ruleset import rules_of
from okey101.melds import ANY, AS, EVERY_PIECE, Group, make_group
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    KINDS,
    OKEY,
    Kind,
    Piece,
    Rack,
    Tile,
    TileCode,
    bits_of_tiles,
    okey_of,
    tiles_of_bits,
)

__all__ = [
    "actions", "deals", "groups", "indicators", "okeys", "pieces", "positions", "racks", "rngs",
    "rule_sets", "seeds", "states", "tiles",
]  # fmt: skip

seeds: st.SearchStrategy[bytes] = st.binary(min_size=32, max_size=32)
"""Seeds of deals: 32 bytes."""
tiles: st.SearchStrategy[Tile] = st.sampled_from(tuple(Tile))
"""Any tile, false joker and okey included."""
okeys: st.SearchStrategy[Kind | None] = st.one_of(st.integers(0, KINDS - 1), st.none())
"""The okey's kind, or None for a riziko deal."""


def rngs() -> st.SearchStrategy[random.Random]:
    """A random generator; a failing example names its seed."""
    return st.builds(random.Random, st.integers(0, 2**32 - 1))


@st.composite
def racks(draw: st.DrawFn, *, min_size: int = 0, max_size: int = 22) -> Rack:
    """A rack with at most two copies of each tile, okeys among them."""
    copy = st.integers(0, 2 * len(Tile) - 1)
    copies = draw(st.lists(copy, min_size=min_size, max_size=max_size, unique=True))
    return Rack([copy >> 1 for copy in copies])


def pieces() -> st.SearchStrategy[Piece]:
    """A piece of a group: a tile's code, or an okey with what it stands for."""
    return st.sampled_from(sorted(EVERY_PIECE))


@st.composite
def groups(draw: st.DrawFn, okey: Kind | None = None) -> Group:
    """A valid set, run or pair with at most two okeys; ``okey`` is the okey's kind."""
    form = draw(st.sampled_from(("run", "set", "pair")))
    colour, number = draw(st.integers(0, 3)), draw(st.integers(1, 13))
    if form == "run":
        low = min(number, 11)
        high = draw(st.integers(low + 2, 13))
        kinds = [13 * colour + n - 1 for n in range(low, high + 1)]
    elif form == "set":
        colours = draw(st.lists(st.integers(0, 3), min_size=3, max_size=4, unique=True))
        kinds = [13 * c + number - 1 for c in colours]
    else:
        kinds = [13 * colour + number - 1] * 2
    wild = draw(st.sets(st.integers(0, len(kinds) - 1), max_size=2))
    made = []
    for i, kind in enumerate(kinds):
        if i in wild:
            loose = form != "run" and draw(st.booleans())
            made.append(ANY + kind % 13 + 1 if loose else AS + kind)
        else:
            made.append(FALSE_JOKER if kind == okey else kind)
    return make_group(tuple(made), okey)


@st.composite
def rule_sets(draw: st.DrawFn, *, players: int | None = None) -> RuleSet:
    """Any consistent rule set, near a preset or far from all; ``players`` fixes the seats."""
    base = RuleSet.preset(draw(st.sampled_from(tuple(PRESETS))))
    changes: dict[str, object] = {}
    for f in dataclasses.fields(RuleSet):
        if f.name in ("players", "teams") or not draw(st.booleans()):
            continue
        options = f.metadata.get("options")
        if options is not None:
            changes[f.name] = draw(st.sampled_from(options))
        else:
            changes[f.name] = draw(st.integers(f.metadata["low"], f.metadata["high"]))
    changes["players"] = players or draw(st.integers(2, 4))
    changes["teams"] = changes["players"] == 4 and draw(st.booleans())
    if not changes["teams"]:
        changes["partner_opens"] = changes["partner_waived"] = False
    last = changes.get("indicator_is_last_tile", base.indicator_is_last_tile)
    if last and changes.get("last_discard_takeable", base.last_discard_takeable):
        changes["last_discard_takeable"] = False
    return base.with_(**changes)


@st.composite
def deals(draw: st.DrawFn, rules: RuleSet | str | None = None) -> Deal:
    """A full deal before its first action, by given rules or any.

    Here and below rules may be the name of a preset.
    """
    rules = draw(rule_sets()) if rules is None else rules_of(rules)
    dealer = draw(st.integers(0, rules.players - 1))
    return Deal.start(rules, seed=draw(seeds), dealer=dealer)


@st.composite
def states(draw: st.DrawFn, rules: RuleSet | str | None = None, *, max_actions: int = 80) -> Deal:
    """A deal after some legal actions drawn at random: running, or over."""
    deal = draw(deals(rules))
    rng = draw(rngs())
    for _ in range(draw(st.integers(0, max_actions))):
        if deal.over:
            break
        deal = apply(deal, rng.choice(options_of(deal).actions()))
    return deal


def indicators(rules: RuleSet | str) -> st.SearchStrategy[TileCode]:
    """What a rule set may turn up as indicator, by its code (D8)."""
    riziko = rules_of(rules).false_joker_indicator == "riziko"
    return st.integers(0, FALSE_JOKER if riziko else KINDS - 1)


_KITS = (
    "R13 Y13 B13 K13", "B12 Y12 R12 *", "K9 K10 K11 K12 K13", "R11 R12 R13 K5 K6 K7",
    "Y10 Y11 Y12 *", "F * K12 K13 R13 Y13", "R2 R2 Y7 Y7 B9 B9 K1 K1", "Y3 Y3 K8 K8 R6 R6 F *",
    "R10 R11 * R13 K13 B13 Y13", "K11 * K13 Y11 Y12 Y13 R12", "",
)  # fmt: skip
"""Hands that open, or nearly, under the lowest thresholds."""


@st.composite
def positions(
    draw: st.DrawFn, rules: RuleSet | str, *, max_extra: int = 5, max_stock: int = 9
) -> Deal:
    """A small deal laid out by hand: kits that may open, a few more tiles each, a short stock.

    ``max_extra`` tiles at most come to each kit, and ``max_stock`` at most can be drawn.
    """
    rules = rules_of(rules)
    indicator = draw(indicators(rules))
    okey = None if indicator == FALSE_JOKER else okey_of(indicator)
    left = deck_bits(indicator)
    hands: list[list[int]] = []
    for _ in range(rules.players):
        hand: list[int] = []
        kit = Rack.parse(draw(st.sampled_from(_KITS)))
        for tile in kit:
            tile_ = OKEY if tile == okey else tile
            if left >> 2 * tile_ & 3:
                left -= BITS_OF[tile_]
                hand.append(tile_)
        hands.append(hand)
    # Tiles of a few neighbouring numbers meld often; the others come last.
    low = draw(st.integers(1, 10))
    mixed = draw(st.permutations(tiles_of_bits(left)))
    rest = sorted(mixed, key=lambda t: t >= KINDS or low <= t % 13 + 1 < low + 4)
    for hand in hands:
        for _ in range(draw(st.integers(min(2, max_extra), max_extra))):
            hand.append(rest.pop())
    stock = tuple(reversed(rest[len(rest) - draw(st.integers(0, max_stock)) :]))
    dealt = deal_from_hands(
        rules,
        indicator=indicator,
        hands=tuple(bits_of_tiles(hand) for hand in hands),
        stock=stock,
        dealer=draw(st.integers(0, rules.players - 1)),
    )
    return Deal.start(rules, dealt)


@st.composite
def actions(draw: st.DrawFn) -> A.Action:
    """Any action that can be written, legal or not."""
    piece_lists = st.lists(pieces(), min_size=1, max_size=5).map(tuple)
    number = st.integers(1, 60)
    kinds: tuple[st.SearchStrategy[A.Action], ...] = (
        st.sampled_from(tuple(A.PLAIN.values())),
        st.lists(piece_lists, min_size=1, max_size=4).map(lambda g: A.Meld(tuple(g))),
        st.builds(A.Lay, pieces(), number),
        st.builds(A.Swap, st.integers(0, OKEY), number),
        st.builds(A.Back, number),
        st.builds(A.Discard, st.integers(0, OKEY)),
    )
    action: A.Action = draw(st.one_of(*kinds))
    return action
