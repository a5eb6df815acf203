"""What a tile is good for: for its holder, and for the next player who gets it as a discard."""

from __future__ import annotations

from functools import cache, lru_cache

from okey101.bots.tools import may_lay_off, may_lay_pairs
from okey101.game import Opened, Public
from okey101.kernel.codes import masks_of_bits
from okey101.kernel.weighing import near
from okey101.tiles import FALSE_JOKER, KINDS, OKEY, natural_bits, size_of_bits

# What a loose tile is good for: the melds it could still become part of.


def kind_of(tile: int, okey: int | None) -> int:
    """The kind a tile counts as: a false joker is the okey's kind (J2); an okey stays OKEY."""
    return okey if tile == FALSE_JOKER and okey is not None else tile


def number_of(tile: int, okey: int | None) -> int:
    """The number of a tile that is no okey; 0 for an okey."""
    return 0 if tile == OKEY else kind_of(tile, okey) % 13 + 1


def near_melds(tile: int, loose: int, unseen: int, okey: int | None) -> int:
    """How many unseen tiles would make a meld of this loose tile and another loose one.

    ``loose`` (this tile among them) and ``unseen`` are packed racks; okeys aren't counted.
    """
    kind = kind_of(tile, okey)
    if kind >= KINDS:
        return 0
    one, two = _masks(unseen, okey)
    return near(kind, _masks(loose, okey)[0], ~one, ~two)


@lru_cache(maxsize=64)
def _masks(bits: int, okey: int | None) -> tuple[int, int]:
    return masks_of_bits(natural_bits(bits, okey))


_OPENS_WITH_ONE = 0.09
"""How often a player who hasn't opened can open with a tile of middling use."""
_MIDDLING = 0.45
"""The chance that such a tile completes some meld of a full hand."""


@cache
def completions(kind: int) -> tuple[tuple[int, int], ...]:
    """The pairs of kinds that are a meld together with this one."""
    colour, number = divmod(kind, 13)
    found = []
    others = [k for k in range(number, KINDS, 13) if k != kind]
    found += [(a, b) for i, a in enumerate(others) for b in others[i + 1 :]]
    for low in range(max(0, number - 2), min(10, number) + 1):
        run = [colour * 13 + n for n in range(low, low + 3) if n != number]
        found.append((run[0], run[1]))
    return tuple(found)


def use_chance(public: Public, seat: int, tile: int, unseen: int) -> float:
    """How likely a seat can put a discard down at once, judged only by what lies open."""
    okey = public.setup.okey
    kind = kind_of(tile, okey)
    hand = public.sizes[seat]
    size = size_of_bits(unseen)
    if not size or hand < 1:
        return 0.0
    share = min(1.0, hand / size)
    opened = public.opened[seat]
    if opened is not None and may_lay_off(public, opened, opening=False):
        if kind == OKEY or public.playable >> kind & 1:
            return 1.0
    kinds = natural_bits(unseen, okey)
    if kind == OKEY:
        return 0.5
    paired = 0.0
    if opened is not None and may_lay_pairs(public, opened) and hand > 1:
        paired = min(1.0, share * (kinds >> 2 * kind & 3))
    if opened is Opened.PAIRS or (opened is Opened.MELDS and hand < 3):
        return paired
    missed = 1.0
    held = _held(share)
    for a, b in completions(kind):
        missed *= 1 - held[kinds >> 2 * a & 3] * held[kinds >> 2 * b & 3]
    chance = 1 - missed
    if kind in public.discards[seat]:
        chance *= 0.6
    return max(chance, paired) if opened else min(0.5, _OPENS_WITH_ONE * chance / _MIDDLING)


def _held(share: float) -> tuple[float, ...]:
    """How likely a hand with that share of the unseen tiles holds one of none, one, two, three."""
    none = 1 - share
    return 0.0, 1 - none, 1 - none * none, 1 - none * none * none


def feeding_cost(public: Public, tile: int, unseen: int, harm: float) -> float:
    """The points a discard is expected to cost by what the next player does with it.

    ``harm`` is what his use of it costs by itself; the fines of U7 and X4 come on top of it.
    """
    seat = (public.turn + 1) % public.players
    rules = public.setup.rules
    if rules.pairs_discard_protected and public.opened[public.turn] is Opened.PAIRS:
        return 0.0
    number = number_of(tile, public.setup.okey)
    if tile == OKEY and public.setup.okey is not None:
        number = public.setup.okey % 13 + 1
    fine = rules.taken_discard_fine * number
    if public.opened[seat] is None:
        fine += rules.opened_with_fine
    return use_chance(public, seat, tile, unseen) * (harm + fine)
