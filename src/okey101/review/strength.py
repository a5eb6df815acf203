"""Strength without luck: own play a deal against a reference bot, followed over many deals.

All of it is reckoned in whole numbers, so that it comes out the same on any machine.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Final, Literal

from okey101.bots.registry import BOTS, EXPERT, LEVELS, measured_strength
from okey101.errors import OkeyError
from okey101.game.deal import Deal
from okey101.game.fair.transcript import BOT_PREFIX
from okey101.game.record.form import BOT, EXTERNAL, PERSON, RULES_VERSION, Actor, Record
from okey101.game.record.replay import replay
from okey101.review.balance import Spread, name_of
from okey101.review.matches import review_match

_Format = Literal["okey101-strength/1"]
FORMAT: Final[_Format] = "okey101-strength/1"
REFERENCE: Final = BOTS["master"]
"""Whose play is 0; another version of it begins a new scale."""
WORLDS: Final = 100
"""Own play has the same mean in few worlds as in many: what they add is a part of the noise."""
LEAST_DEALS: Final = 30
"""Before so many deals a strength means nothing."""

_TENTH: Final = 1_000
"""The unit of the update is a thousandth of a tenth of a point."""
PRIOR: Final = Spread.of(150, 150)
"""What is expected before any deal: the mean, and as ``reach`` the standard deviation."""
_PRIOR_NOISE: Final = 350
_PRIOR_DEALS: Final = 8
"""The tenths of a point by which a deal is expected to spread, as if from so many deals."""
MEMORY: Final = 30
"""In a deal strength drifts by the noise of one over this: the last deals count most."""


def strength_of(own: Sequence[int]) -> Spread:
    """The strength after these deals, whose own play is in tenths of a point: low is good.

    A normal-normal update with drift. The noise is estimated from the deals themselves, by the
    differences of neighbours, which a slow drift leaves alone.

    >>> strength_of([80] * 60)
    Spread(mean=8.0, low=3.6, high=12.4)
    """
    squares = sum((_TENTH * (b - a)) ** 2 for a, b in pairwise(own)) // 2
    deals = _PRIOR_DEALS + max(len(own) - 1, 0)
    noise = (_PRIOR_DEALS * (_TENTH * _PRIOR_NOISE) ** 2 + squares) // deals
    mean, spread = _TENTH * PRIOR.tenths, (_TENTH * PRIOR.reach) ** 2
    for tenths in own:
        spread += noise // MEMORY**2
        mean += spread * (_TENTH * tenths - mean) // (spread + noise)
        spread = spread * noise // (spread + noise)
    reach = math.isqrt(spread * 196**2) // (100 * _TENTH) + 1
    return Spread.of((2 * mean + _TENTH) // (2 * _TENTH), reach)


@dataclass(frozen=True, slots=True)
class OwnDeal:
    """The own play of one deal, its number counted from 0; ``tiles`` names tiles and actions.

    ``tiles`` is a SHA-256 in hexadecimal digits: the same for the same deal in any record.
    """

    number: int
    seat: int
    tiles: str
    own: Spread


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a person plays, and all that it takes to make the numbers again.

    Its fields are the form in JSON. ``strength`` is in points a deal, 0 for the play of
    ``reference`` and low for good, and None before :data:`LEAST_DEALS` deals. ``like`` names the
    bot of a level that is nearest, empty where that isn't known. Of ``left_out`` deals the choices
    were not all one person's.
    """

    format: _Format
    rules_version: int
    reference: str
    rules: str
    player: str | None
    seat: int | None
    worlds: int
    seed: int
    left_out: int
    strength: Spread | None
    like: str
    deals: tuple[OwnDeal, ...]

    def to_dict(self) -> dict[str, object]:
        """What ``okey101 strength --json`` prints."""
        return asdict(self)


def strength_in(
    records: Sequence[Record],
    *,
    player: str | None = None,
    seat: int | None = None,
    worlds: int = WORLDS,
    seed: int = 0,
    on_record: Callable[[], object] | None = None,
) -> Strength:
    """The strength of a player by name, or of whoever had a seat, over records in their order.

    Deals that have not ended are left aside. OkeyError ``no-one-named`` without player and seat,
    ``no-such-player``, ``mixed-rules`` for records of several rule sets, whose points are no one
    scale, ``deal-twice``, and those of :func:`okey101.review.review_deal`.
    """
    if not records or (player is None) == (seat is None):
        raise OkeyError("no-one-named", "name a player or a seat, and records of its deals")
    rules = records[0].rules
    if any(record.rules != rules for record in records):
        raise OkeyError("mixed-rules", "each rule set has a scale of its own")
    found: list[OwnDeal] = []
    left_out = 0
    for record in records:
        played = replay(record).deals
        place = _seat_of(record, player) if seat is None else seat
        review = review_match(
            record, seats=(place,), worlds=worlds, seed=seed, policy=REFERENCE.name
        )
        for deal in review.deals:
            if not _of_one({one.actor for one in deal.decisions}, record, place):
                left_out += 1
                continue
            tiles = _tiles_of(played[deal.number])
            if any(tiles == other.tiles for other in found):
                raise OkeyError("deal-twice", "a deal is there twice", number=deal.number + 1)
            found.append(OwnDeal(deal.number, place, tiles, deal.balance.skill))
        if on_record is not None:
            on_record()
    own = [deal.own.tenths for deal in found]
    strength = strength_of(own) if len(own) >= LEAST_DEALS else None
    preset = name_of(rules) or ""
    return Strength(
        FORMAT, RULES_VERSION, REFERENCE.mark, preset, player, seat, worlds, seed, left_out,
        strength, "" if strength is None else level_like(strength, preset), tuple(found),
    )  # fmt: skip


def _seat_of(record: Record, player: str | None) -> int:
    players = record.players or ()
    if players.count(player or "") != 1:
        known = ", ".join(players)
        raise OkeyError(
            "no-such-player", f"no one seat is {player!r}; there are {known}",
            name=player, known=known,
        )  # fmt: skip
    return players.index(player or "")


def _of_one(chose: set[str | None], record: Record, seat: int) -> bool:
    """Whether the one who had the seat made all choices, and neither clock nor bot instead."""
    if len(chose) != 1:
        return False
    actor = chose.pop()
    kind = PERSON if actor is None else Actor.parse(actor).kind
    bots = record.players is None or record.players[seat].startswith(BOT_PREFIX)
    return kind in (PERSON, EXTERNAL) or (kind == BOT and bots)


def _tiles_of(deal: Deal) -> str:
    actions = [f"{seat}: {action}" for seat, action in deal.public.actions]
    dealt = deal.layout
    told = [dealt.dealer, dealt.indicator, dealt.hands, dealt.stock, actions]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def level_like(strength: Spread, preset: str) -> str:
    """The bot of a level that is nearest, by what these lost or won against the reference; empty
    where that isn't known.
    """
    name, _, seats = preset.partition(" ")
    points = measured_strength()
    usual = points[REFERENCE.name].get(name)
    if usual is None or seats != "4":
        return ""
    behind = {bot: points.get(bot, {name: [0.0]})[name][0] - usual[0] for bot in (*LEVELS, EXPERT)}
    return min(behind, key=lambda bot: abs(behind[bot] - strength.mean))
