"""What one seat may see: the only way out of this package for hidden tiles (T2)."""

from __future__ import annotations

import random
from typing import NamedTuple

from okey101 import _pictures
from okey101.errors import OkeyError
from okey101.game.deal import Deal, Public, Result
from okey101.game.dealing import Layout, deck_bits
from okey101.game.duties import duty_met, hand_for_duty, owes
from okey101.tiles import TILES, Rack, bits_of_tiles, size_of_bits, tiles_of_bits

__all__ = ["View", "determinize", "result_json", "view_of"]


_TRIES = 100
"""Arrangements thrown away before a hand is built that does its duty."""


class View(NamedTuple):
    """A deal as one seat sees it; ``seat`` and ``hand`` are None for a spectator.

    ``drawn`` is the tile the seat drew in the running turn, and ``hand`` a packed rack.
    """

    public: Public
    seat: int | None
    hand: int | None
    drawn: int | None = None

    def __repr__(self) -> str:
        seat = "spectator" if self.seat is None else f"seat {self.seat}"
        return f"<View of {seat}: {self.rack}; {self.public!r}>"

    @property
    def rack(self) -> Rack:
        """The seat's own tiles; empty for a spectator."""
        return Rack.from_bits(self.hand or 0)

    @property
    def to_act(self) -> bool:
        """Whether it is this seat's turn in a running deal."""
        return self.seat == self.public.turn and self.public.result is None

    @property
    def unseen(self) -> int:
        """The tiles this seat doesn't see, as a packed rack: other hands and the stock."""
        return unseen_bits(self.public, self.hand or 0)

    def _repr_svg_(self) -> str | None:
        return _pictures.svg_of(self)

    def _repr_html_(self) -> str | None:
        return _pictures.html_of(self)

    def to_dict(self) -> dict[str, object]:
        """Everything the seat sees, as plain data for JSON."""
        seen: dict[str, object] = {"seat": self.seat}
        if self.hand is not None:
            seen["hand"] = str(self.rack)
            seen["drawn"] = None if self.drawn is None else str(TILES[self.drawn])
        return seen | public_dict(self.public)


def view_of(deal: Deal, seat: int | None) -> View:
    """The view of a seat, or of a spectator; OkeyError ``bad-seat`` for any other."""
    if seat is None:
        return View(deal.public, None, None)
    if not 0 <= seat < len(deal.hands):
        raise OkeyError("bad-seat", f"there is no seat {seat}", seat=seat)
    drawn = deal.drawn if seat == deal.public.turn else None
    return View(deal.public, seat, deal.hands[seat], drawn)


def public_dict(public: Public) -> dict[str, object]:
    """All that lies open, as plain data for JSON."""
    setup = public.setup
    return {
        "rules": setup.rules.to_dict(),
        "dealer": setup.dealer,
        "starter": setup.starter,
        "dice": list(setup.dice),
        "indicator": str(TILES[setup.indicator]),
        "okey": "F" if setup.okey is None else str(TILES[setup.okey]),
        "turn": public.turn,
        "phase": public.phase.value,
        "turns": public.turns,
        "stock": public.stock_count,
        "sizes": list(public.sizes),
        "groups": [
            {"owner": owner, "form": group.form.value, "tiles": str(group)}
            for owner, group in zip(public.owners, public.table, strict=True)
        ],
        "opened": [None if o is None else o.value for o in public.opened],
        "discards": [" ".join(str(TILES[t]) for t in pile) for pile in public.discards],
        "known": [str(Rack.from_bits(k)) for k in public.known],
        "announced": public.announced,
        "highest": {"points": public.high_points, "pairs": public.high_pairs},
        "taken": None if public.taken is None else str(TILES[public.taken]),
        "placed": [str(TILES[p.tile]) for p in public.placed],
        "backs": public.backs,
        "must_finish": public.must_finish,
        "fines": [fine._asdict() for fine in public.fines],
        "actions": [f"{seat}: {action}" for seat, action in public.actions],
        "result": None if public.result is None else result_json(public.result),
    }


def result_json(result: Result) -> dict[str, object]:
    """A deal's result as the record writes it."""
    return {
        "end": result.end.value,
        "winner": result.winner,
        "scores": list(result.scores),
        "fines": [fine._asdict() for fine in result.fines],
    }


def unseen_bits(public: Public, hand: int) -> int:
    """The tiles in play that neither lie open nor are in this hand, as a packed rack."""
    bits = deck_bits(public.setup.indicator) - hand
    for group in public.table:
        bits -= group.bits
    for pile in public.discards:
        bits -= bits_of_tiles(pile)
    if public.must_finish:
        bits += 1 << 2 * public.setup.indicator
    return bits


def determinize(view: View, rng: random.Random) -> Deal:
    """Deal the tiles this view doesn't see anew: one of the deals it could be a view of.

    Every hand keeps the tiles it is known to hold, and a seat that owes something in the running
    turn (U2, E4) gets tiles to do it with. Of a position whose stock is shorter than a dealt one,
    the tiles that are nowhere stay out. A deal made from a spectator's view deals all hands.
    Uniform over such arrangements of the unseen tiles, unless what a seat owes is so rare that its
    hand has to be put together; inference from play is the caller's.
    """
    public = view.public
    hands = _deal_anew(view, rng)
    if public.turn != view.seat and owes(public):
        for _ in range(_TRIES):
            if duty_met(public, hands[public.turn]):
                break
            hands = _deal_anew(view, rng)
        else:
            hands = _deal_anew(view, rng, duty=True)
    setup = public.setup
    dealt = Layout(
        dealer=setup.dealer,
        starter=setup.starter,
        indicator=setup.indicator,
        okey=setup.okey,
        hands=hands[: public.players],
        stock=tuple(hands[public.players :]),
        dice=setup.dice,
    )
    return Deal(dealt, public, dealt.hands, view.drawn)


def _deal_anew(view: View, rng: random.Random, *, duty: bool = False) -> tuple[int, ...]:
    """Every hand as a packed rack, then the stock; ``duty`` builds the hand that owes."""
    public = view.public
    hands = list(public.known)
    pool = view.unseen
    for seat, known in enumerate(hands):
        if seat == view.seat:
            hands[seat] = view.hand or 0
        else:
            pool -= known
    if duty:
        turn = public.turn
        built = hand_for_duty(public, hands[turn], pool, public.sizes[turn], rng)
        if built is not None:
            pool -= built - hands[turn]
            hands[turn] = built
    tiles = tiles_of_bits(pool)
    rng.shuffle(tiles)
    for seat, hand in enumerate(hands):
        missing = public.sizes[seat] - size_of_bits(hand)
        if missing:
            hands[seat] = hand + bits_of_tiles(tiles[:missing])
            del tiles[:missing]
    return (*hands, *tiles[: public.stock_count])
