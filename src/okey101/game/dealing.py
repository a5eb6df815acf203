"""From a seed to a dealt table, as the tiles are dealt at a real one (D3-D8).

The generator is meant to be rebuilt in any language. A seed is 32 bytes. Block ``i`` of a stream
with label ``L`` is SHA-256 of the seed, the ASCII bytes of ``L`` and ``i`` as eight bytes, most
significant first; each block is read as eight 32-bit words, most significant byte first. A number
below ``n`` is the next word that is less than the largest multiple of ``n`` not above 2**32, taken
modulo ``n``; other words are thrown away, so that every number is equally likely.

The deal uses the label ``okey101 deal 1``. The 106 tiles in order of their codes, each twice, are
shuffled by Fisher and Yates: for ``i`` from 105 down to 1, tile ``i`` changes places with tile
``j``, a number below ``i + 1``. Tiles 0-6 are the first stack from bottom to top, 7-13 the second,
and so on; tile 105 is the one left over. Throws of the die are numbers below 6, plus 1.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, count
from struct import unpack

from okey101.errors import OkeyError, checked, whole_number
from okey101.game.ruleset import RuleSet, checked_seat, rules_of
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    KINDS,
    OKEY,
    TILE_TEXTS,
    AnyTile,
    AnyTiles,
    Kind,
    PackedRack,
    Rack,
    Tile,
    TileCode,
    bits_of_tiles,
    okey_of,
    packed_rack,
    parse_tiles,
)

DEAL_LABEL = "okey101 deal 1"
MATCH_LABEL = "okey101 match 1"
DEALER_LABEL = "okey101 dealer 1"
STACKS = 15
_PER_STACK = 7
_WORDS = 1 << 32


class SeedStream:
    """Unbiased numbers from a seed of 32 bytes; the module's text says how they are made."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._words = _words(seed + label.encode("ascii"))

    def below(self, n: int) -> int:
        """The next number from 0 to n - 1."""
        limit = _WORDS - _WORDS % n
        while (word := next(self._words)) >= limit:
            pass
        return word % n


def _words(begin: bytes) -> Iterator[int]:
    """The words of a stream, block after block, each of which begins with the same bytes."""
    for block in count():
        yield from unpack(">8I", hashlib.sha256(begin + block.to_bytes(8, "big")).digest())


def seed_bytes(text: str) -> bytes:
    """Read a seed: 64 hex digits; OkeyError ``bad-seed`` otherwise."""
    try:
        seed = bytes.fromhex(text) if text.isascii() and len(text) == 64 else b""
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise OkeyError("bad-seed", "a seed is 64 hexadecimal digits", seed=text[:80])
    return seed


def seed_of(seed: bytes | int | str) -> bytes:
    """The seed of 32 bytes that a value names: itself, 64 hexadecimal digits, or else a SHA-256.

    Bytes have to be 32, OkeyError ``bad-seed`` otherwise. A text that is not 64 hexadecimal digits
    stands for the SHA-256 of its UTF-8, and a number for its decimal digits as a text. OkeyError
    ``wrong-type`` for anything else.

    >>> seed_of("00" * 32) == bytes(32), seed_of("tavla").hex()[:8], seed_of(7) == seed_of("7")
    (True, 'dce2aa7a', True)
    """
    if isinstance(seed, bytes):
        if len(seed) != 32:
            raise OkeyError("bad-seed", "a seed is 32 bytes")
        return seed
    text = str(checked(seed, int | str, "seed"))
    with suppress(OkeyError):  # what is no seed as it stands is a text like any other
        return seed_bytes(text)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def match_seed(seed: bytes, deal: int) -> bytes:
    """The seed of one deal of a match, counted from 0 and voided deals included."""
    return hashlib.sha256(seed + MATCH_LABEL.encode("ascii") + deal.to_bytes(8, "big")).digest()


def first_dealer(seed: bytes, players: int) -> int:
    """The random first dealer of a match (D3)."""
    return SeedStream(seed, DEALER_LABEL).below(players)


@dataclass(frozen=True, slots=True)
class Layout:
    """A dealt table: everything hidden in a deal, and how it was dealt.

    Hands are packed racks by seat; ``stock`` is in drawing order. Tiles of the okey's kind are
    written as okeys; in a riziko deal the indicator is a false joker, the other one the okey, and
    ``okey`` is None. ``dice`` holds the throws (D6), empty when the deal was laid out by hand.

    >>> from okey101 import Rack, RuleSet, deal_from_seed
    >>> layout = deal_from_seed(RuleSet(), bytes(32), dealer=0)
    >>> layout.starter, layout.dice, len(layout.stock)
    (0, (1, 6), 20)
    >>> print(Rack.from_bits(layout.hands[1]))
    R1 R3 R4 R5 R7 R8 R9 Y1 Y2 Y2 Y4 Y6 Y9 Y9 Y11 B1 B4 B8 K6 K8 K10
    """

    dealer: int
    starter: int
    indicator: TileCode
    okey: Kind | None
    hands: tuple[PackedRack, ...] = field(repr=False)
    stock: tuple[TileCode, ...] = field(repr=False)
    dice: tuple[int, ...] = ()
    seed: bytes | None = field(default=None, repr=False)


def deal_from_seed(rules: RuleSet | str, seed: bytes | int | str, dealer: int) -> Layout:
    """Deal a table from a seed, as :func:`seed_of` reads it (D6).

    ``rules`` may be the name of a preset. OkeyError ``bad-seed`` and ``bad-seat``.

    >>> deal_from_seed("pagat", bytes(32), dealer=2).starter
    3
    """
    rules, seed = rules_of(rules), seed_of(seed)
    checked_seat(dealer, rules.players)
    stream = SeedStream(seed, DEAL_LABEL)
    tiles = [t for t in range(KINDS + 1) for _ in range(2)]
    for i in range(len(tiles) - 1, 0, -1):
        j = stream.below(i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    stacks = [tiles[s * _PER_STACK : (s + 1) * _PER_STACK] for s in range(STACKS)]
    dice = [stream.below(6) + 1]
    chosen = dice[0] - 1
    stacks[chosen].append(tiles[-1])
    while True:
        dice.append(stream.below(6) + 1)
        indicator = stacks[chosen][dice[-1] - 1]
        if indicator != FALSE_JOKER or rules.false_joker_indicator == "riziko":
            break
    del stacks[chosen][dice[-1] - 1]
    # The stacks go round from the one after the chosen; the rest is the stock.
    queue = [stacks[(chosen + 1 + s) % STACKS] for s in range(STACKS)]
    hands: list[list[int]] = [[] for _ in range(rules.players)]
    for round_ in range(3):
        for place in range(rules.players):
            seat = (dealer + 1 + place) % rules.players
            hands[seat] += queue[round_ * rules.players + place]
    stock = [t for stack in queue[3 * rules.players :] for t in reversed(stack)]
    hands[starter_of(rules, dealer)].append(stock.pop(0))
    return _layout(rules, dealer, indicator, hands, stock, tuple(dice), seed)


def _layout(
    rules: RuleSet, dealer: int, indicator: TileCode, hands: Sequence[Sequence[TileCode]],
    stock: Sequence[TileCode], dice: tuple[int, ...], seed: bytes | None,
) -> Layout:  # fmt: skip
    """A table of tiles, the okey's own face as the okey."""
    wild = wild_of(indicator)
    okey = None if wild == FALSE_JOKER else wild

    def seen(tiles: Sequence[TileCode]) -> tuple[TileCode, ...]:
        return tuple(OKEY if t == wild else t for t in tiles)

    packed = tuple(bits_of_tiles(seen(hand)) for hand in hands)
    starter = starter_of(rules, dealer)
    return Layout(dealer, starter, indicator, okey, packed, seen(stock), dice, seed)


def starter_of(rules: RuleSet, dealer: int) -> int:
    """The seat that gets 22 tiles and begins (D4)."""
    return dealer if rules.starter == "dealer" else (dealer + 1) % rules.players


def indicator_of(rules: RuleSet, tile: AnyTile) -> Tile:
    """The indicator that a tile is; OkeyError ``bad-indicator`` for what rules don't allow (D8)."""
    tile = Tile(tile)
    if tile == OKEY or (tile == FALSE_JOKER and rules.false_joker_indicator != "riziko"):
        raise OkeyError("bad-indicator", f"{tile} can't be the indicator (D8)", tile=str(tile))
    return tile


def deal_from_hands(
    rules: RuleSet | str,
    *,
    indicator: AnyTile,
    hands: Sequence[AnyTiles | PackedRack],
    stock: AnyTiles = (),
    dealer: int = 0,
    dice: Sequence[int] = (),
    seed: bytes | int | str | None = None,
) -> Layout:
    """Lay out a table by hand: any hands from one tile up, any stock, within the 106 tiles.

    ``rules`` may be the name of a preset. Hands are racks, tiles or notation, or packed racks;
    ``stock`` is tiles or notation, first drawn first. Okeys may be given by their own face.
    Raises NotationError, and OkeyError: ``bad-indicator``, ``bad-seat``, ``wrong-hands``,
    ``empty-hand``, ``too-many-tiles``, ``not-a-rack``. ``dice`` and ``seed`` are noted, no more:
    throws from 1 to 6, and a seed as :func:`seed_of` reads it.

    >>> from okey101 import Rack, Tile
    >>> hands = "R1 R2", Rack("Y1"), [Tile.B1], ["K1"]
    >>> deal_from_hands("altinstar", indicator="K8", hands=hands, stock="R9 B2").starter
    0
    """
    rules = rules_of(rules)
    indicator = int(indicator_of(rules, indicator))
    checked_seat(dealer, rules.players)
    if (got := len(checked(hands, Sequence, "list"))) != (wanted := rules.players):
        message = f"{wanted} hands are needed, not {got}"
        raise OkeyError("wrong-hands", message, wanted=wanted, got=got)
    piles = [
        [*map(int, Rack.from_bits(packed_rack(h)) if isinstance(h, int) else parse_tiles(h))]
        for h in hands
    ]
    drawn = [*map(int, parse_tiles(stock))]
    for seat, pile in enumerate(piles):
        if not pile:
            raise OkeyError("empty-hand", f"the hand of seat {seat} is empty", seat=seat)
    wild = wild_of(indicator)
    check_tiles((OKEY if t == wild else t for t in chain(drawn, *piles)), indicator)
    throws = tuple(whole_number(n, "a throw", 1, 6) for n in checked(dice, Sequence, "list"))
    noted = None if seed is None else seed_of(seed)
    return _layout(rules, dealer, indicator, piles, drawn, throws, noted)


def wild_of(indicator: TileCode) -> TileCode:
    """The code of the wild face: the okey's, or the false joker's in a riziko deal (J1, D8)."""
    return FALSE_JOKER if indicator == FALSE_JOKER else int(okey_of(indicator))


def check_tiles(
    tiles: Iterable[TileCode], indicator: TileCode, more: TileCode | None = None
) -> None:
    """Refuse codes of tiles that are not in play (T1); of ``more`` there may be one more."""
    for tile, found in sorted(Counter(tiles).items()):
        if found > copies_in_play(tile, indicator) + (tile == more):
            name = TILE_TEXTS[tile]
            message = f"there are not {found} tiles {name} (T1)"
            raise OkeyError("too-many-tiles", message, tile=name, count=found)


def copies_in_play(tile: TileCode, indicator: TileCode) -> int:
    """How many tiles of a code the hands, stock and table of a deal share: 0, 1 or 2 (T1, D6)."""
    if indicator == FALSE_JOKER:
        return 0 if tile == FALSE_JOKER else 1 if tile == OKEY else 2
    if tile == okey_of(indicator):
        return 0
    return 1 if tile == indicator else 2


@cache
def deck_bits(indicator: TileCode) -> PackedRack:
    """All tiles in play beside the indicator, which is given by its code, as a packed rack."""
    return sum(copies_in_play(t, indicator) * BITS_OF[t] for t in range(len(TILE_TEXTS)))
