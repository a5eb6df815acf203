"""Between the kernel's integers and the values of :mod:`okey101.game`: groups, actions, layouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from okey101.game.actions import (
    ANNOUNCE,
    DISCARDS,
    DRAW,
    INDICATOR,
    PASS,
    RETURN,
    TAKE,
    Action,
    Back,
    Discard,
    Lay,
    Meld,
    Swap,
)
from okey101.kernel.compiling import Row
from okey101.kernel.layout import (
    A_ANNOUNCE,
    A_BACK,
    A_DISCARD,
    A_DRAW,
    A_INDICATOR,
    A_LAY,
    A_MELD,
    A_PASS,
    A_RETURN,
    A_SWAP,
    A_TAKE,
    MORE,
    OP,
    PAIR,
    RUN,
    SET,
    WORD,
)
from okey101.melds import ANY, AS, Form, Group, Pieces, make_group, tile_of_piece
from okey101.tiles import FALSE_JOKER, OKEY, Kind, PackedRack, Piece

__all__ = [
    "actions_of",
    "bits_of_masks",
    "codes_of",
    "group_word",
    "masks_of_bits",
    "pieces_of_word",
    "seed_words",
]

_PLAIN: dict[int, Action] = {
    A_DRAW: DRAW,
    A_TAKE: TAKE,
    A_RETURN: RETURN,
    A_ANNOUNCE: ANNOUNCE,
    A_PASS: PASS,
    A_INDICATOR: INDICATOR,
}
_PLAIN_CODES = {type(action): code for code, action in _PLAIN.items()}


def masks_of_bits(bits: PackedRack) -> tuple[int, int]:
    """A packed rack as the kernel's two masks: the tiles held, and those held twice."""
    one = two = 0
    for tile in range(OKEY + 1):
        count = bits >> 2 * tile & 3
        one |= (count > 0) << tile
        two |= (count > 1) << tile
    return one, two


def bits_of_masks(one: int, two: int) -> PackedRack:
    """The packed rack of two masks; the inverse of :func:`masks_of_bits`."""
    return sum(((one >> t & 1) + (two >> t & 1)) << 2 * t for t in range(OKEY + 1))


def seed_words(seed: bytes) -> Row:
    """A seed of 32 bytes as the kernel reads it: int64[8], its 32-bit words."""
    return np.frombuffer(seed, dtype=">u4").astype(np.int64)


def group_word(group: Group) -> int:
    """The word of a group, without an owner."""
    okeys = [piece for piece in group.pieces if piece >= AS]
    if group.form is Form.RUN:
        places = sorted((piece - AS) % 13 + 1 for piece in okeys)
        first, second = (*places, 0, 0)[:2]
        low, high = group.low, group.high
        return RUN | group.colour << 2 | low << 4 | high << 8 | first << 12 | second << 16
    kinds = [group.kind_of(piece) for piece in group.pieces]
    if group.form is Form.SET:
        colours = [0, 0]
        free = 0
        for piece, kind in zip(group.pieces, kinds, strict=True):
            if kind is None:
                free += 1
            else:
                colours[piece >= AS] |= 1 << kind // 13
        return SET | group.low << 2 | colours[0] << 6 | colours[1] << 10 | free << 14
    kind = kinds[0]
    if kind is None:
        return PAIR | (group.pieces[0] - ANY - 1) << 2 | 2 << 8 | 1 << 10
    if kind != kinds[1]:
        return 3 | group.pieces[0] << 2 | group.pieces[1] << 8
    return PAIR | kind << 2 | len(okeys) << 8


def pieces_of_word(word: int, okey: Kind | None) -> Pieces:
    """The pieces of a group in normal order; the inverse of :func:`group_word`."""

    def natural(kind: Kind) -> Piece:
        return FALSE_JOKER if kind == okey else kind

    form = word & 3
    if form == RUN:
        base = (word >> 2 & 3) * 13 - 1
        okeys = (word >> 12 & 15, word >> 16 & 15)
        numbers = range(word >> 4 & 15, (word >> 8 & 15) + 1)
        return tuple(AS + base + n if n in okeys else natural(base + n) for n in numbers)
    if form == SET:
        number = word >> 2 & 15
        kinds = [colour * 13 + number - 1 for colour in range(4)]
        tiles = [natural(kind) for c, kind in enumerate(kinds) if word >> 6 + c & 1]
        named = [AS + kind for c, kind in enumerate(kinds) if word >> 10 + c & 1]
        return (*tiles, *named, *[ANY + number] * (word >> 14 & 3))
    if form != PAIR:
        return (word >> 2 & 63, word >> 8 & 63)
    kind, count = word >> 2 & 63, word >> 8 & 3
    if word >> 10 & 1:
        return (ANY + kind % 13 + 1,) * 2
    return (*[natural(kind)] * (2 - count), *[AS + kind] * count)


def actions_of(codes: Iterable[int], okey: Kind | None) -> Iterator[Action]:
    """The actions that codes mean in a deal with this okey's kind, None in a riziko deal.

    The codes of a meld of several groups belong together. A_OPEN and A_PAIRS have no meaning of
    their own: what they laid is in the log as a meld.
    """
    groups: list[Pieces] = []
    for code in map(int, codes):
        operation = code & OP
        if operation == A_MELD:
            groups.append(pieces_of_word(code >> 4 & WORD, okey))
            if not code & MORE:
                yield Meld(groups)
                groups = []
        else:
            yield _single(code, okey)


def _single(code: int, okey: Kind | None) -> Action:
    operation, tile, place = code & OP, code >> 4 & 63, code >> 10 & 63
    if operation == A_DISCARD:
        return DISCARDS[tile]
    if operation == A_SWAP:
        return Swap(tile, place + 1)
    if operation == A_BACK:
        return Back(code >> 4 & 127)
    if operation != A_LAY:
        return _PLAIN[operation]
    piece, kind = tile, code >> 16 & 63
    if tile == OKEY:
        piece = ANY + kind % 13 + 1 if code >> 22 & 1 else AS + kind
    return Lay(piece, place + 1)


def codes_of(action: Action, okey: Kind | None, twin: int | None = None) -> list[int]:
    """The codes of an action in its normal form: one, or of a meld one for each group.

    ``twin`` is the indicator's, where it may be paired with any tile (O6). Raises IllegalAction
    for groups that are none.
    """
    if isinstance(action, Meld):
        words = [group_word(make_group(pieces, okey, twin)) for pieces in action.groups]
        codes = [A_MELD | word << 4 | MORE for word in words]
        return [*codes[:-1], codes[-1] & ~MORE]
    if isinstance(action, Discard):
        return [A_DISCARD | action.tile << 4]
    if isinstance(action, Back):
        return [A_BACK | action.count << 4]
    if isinstance(action, Swap):
        return [A_SWAP | action.tile << 4 | action.group - 1 << 10]
    if not isinstance(action, Lay):
        return [_PLAIN_CODES[type(action)]]
    code = A_LAY | tile_of_piece(action.piece) << 4 | action.group - 1 << 10
    if action.piece >= ANY:
        return [code | action.piece - ANY - 1 << 16 | 1 << 22]
    return [code | action.piece - AS << 16 if action.piece >= AS else code]
