"""What is open in a deal, its groups and actions, and its rules as the kernel's integers.

It needs neither Numba nor NumPy: the bots in plain Python read the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import lru_cache

from okey101.errors import OkeyError
from okey101.game import actions as A
from okey101.game.deal_parts import Opened, Phase
from okey101.game.options import Options
from okey101.game.public import OpenSide
from okey101.game.ruleset import RuleSet
from okey101.kernel import layout as L, room as R
from okey101.melds import ANY, AS, Form, Group, Pieces, make_group, tile_of_piece
from okey101.tiles import FALSE_JOKER, OKEY, Kind, PackedRack, Piece, bits_of_tiles

# Between the kernel's integers and the values of :mod:`okey101.game`: groups, actions, layouts.

_PLAIN: dict[int, A.Action] = {
    L.A_DRAW: A.DRAW, L.A_TAKE: A.TAKE, L.A_RETURN: A.RETURN, L.A_ANNOUNCE: A.ANNOUNCE,
    L.A_PASS: A.PASS, L.A_INDICATOR: A.INDICATOR,
}  # fmt: skip
_PLAIN_CODES = {type(action): code for code, action in _PLAIN.items()}


_HEX = b"0123456789abcdef"
_MASKS = [
    bytes(_HEX[sum((byte >> 2 * n & 3 > more) << n for n in range(4))] for byte in range(256))
    for more in range(2)
]
"""A byte of a packed rack, four tiles, as a digit of either mask."""
_TILES = bytes.maketrans(
    _HEX, bytes(sum((mask >> n & 1) << 2 * n for n in range(4)) for mask in range(16))
)
"""The inverse: a digit of a mask as the byte of a rack that holds its tiles once."""


def masks_of_bits(bits: PackedRack) -> tuple[int, int]:
    """A packed rack as the kernel's two masks: the tiles held, and those held twice."""
    packed = bits.to_bytes(14)
    return int(packed.translate(_MASKS[0]), 16), int(packed.translate(_MASKS[1]), 16)


def bits_of_masks(one: int, two: int) -> PackedRack:
    """The packed rack of two masks; the inverse of :func:`masks_of_bits`."""
    return _spread(one) + _spread(two)


def _spread(mask: int) -> PackedRack:
    return int.from_bytes((b"%014x" % mask).translate(_TILES))


@lru_cache(4096)
def group_word(group: Group) -> int:
    """The word of a group, without an owner."""
    okeys = [piece for piece in group.pieces if piece >= AS]
    if group.form is Form.RUN:
        places = sorted((piece - AS) % 13 + 1 for piece in okeys)
        first, second = (*places, 0, 0)[:2]
        low, high = group.low, group.high
        return L.RUN | group.colour << 2 | low << 4 | high << 8 | first << 12 | second << 16
    kinds = [group.kind_of(piece) for piece in group.pieces]
    if group.form is Form.SET:
        colours = [0, 0]
        free = 0
        for piece, kind in zip(group.pieces, kinds, strict=True):
            if kind is None:
                free += 1
            else:
                colours[piece >= AS] |= 1 << kind // 13
        return L.SET | group.low << 2 | colours[0] << 6 | colours[1] << 10 | free << 14
    kind = kinds[0]
    if kind is None:
        return L.PAIR | (group.pieces[0] - ANY - 1) << 2 | 2 << 8 | 1 << 10
    if kind != kinds[1]:
        return 3 | group.pieces[0] << 2 | group.pieces[1] << 8
    return L.PAIR | kind << 2 | len(okeys) << 8


def pieces_of_word(word: int, okey: Kind | None) -> Pieces:
    """The pieces of a group in normal order; the inverse of :func:`group_word`."""

    def natural(kind: Kind) -> Piece:
        return FALSE_JOKER if kind == okey else kind

    form = word & 3
    if form == L.RUN:
        base = (word >> 2 & 3) * 13 - 1
        okeys = (word >> 12 & 15, word >> 16 & 15)
        numbers = range(word >> 4 & 15, (word >> 8 & 15) + 1)
        return tuple(AS + base + n if n in okeys else natural(base + n) for n in numbers)
    if form == L.SET:
        number = word >> 2 & 15
        kinds = [colour * 13 + number - 1 for colour in range(4)]
        tiles = [natural(kind) for c, kind in enumerate(kinds) if word >> 6 + c & 1]
        named = [AS + kind for c, kind in enumerate(kinds) if word >> 10 + c & 1]
        return (*tiles, *named, *[ANY + number] * (word >> 14 & 3))
    if form != L.PAIR:
        return (word >> 2 & 63, word >> 8 & 63)
    kind, count = word >> 2 & 63, word >> 8 & 3
    if word >> 10 & 1:
        return (ANY + kind % 13 + 1,) * 2
    return (*[natural(kind)] * (2 - count), *[AS + kind] * count)


def actions_of(codes: Iterable[int], okey: Kind | None) -> Iterator[A.Action]:
    """The actions that codes mean in a deal with this okey's kind, None in a riziko deal.

    The codes of a meld of several groups belong together. A_OPEN and A_PAIRS have no meaning of
    their own: what they laid is in the log as a meld.
    """
    groups: list[Pieces] = []
    for code in map(int, codes):
        operation = code & L.OP
        if operation == L.A_MELD:
            groups.append(pieces_of_word(code >> 4 & L.WORD, okey))
            if not code & L.MORE:
                yield A.Meld(groups)
                groups = []
        else:
            yield _single(code, okey)


def action_told(code: int, words: Sequence[int], options: Options) -> A.Action:
    """The action that a bot's choice tells with its words, as :mod:`okey101.kernel.greedy` has it.

    ``words`` has R.WORDS numbers.
    """
    okey = options.view.public.setup.okey
    if code == L.A_MELD:
        return A.Meld(pieces_of_word(word, okey) for word in words[: words[R.COUNT]])
    if code < 0:
        return next(a for a in options.actions() if not isinstance(a, A.Back))
    return next(actions_of([code], okey))


def _single(code: int, okey: Kind | None) -> A.Action:
    operation, tile, place = code & L.OP, code >> 4 & 63, code >> 10 & 63
    if operation == L.A_DISCARD:
        return A.DISCARDS[tile]
    if operation == L.A_SWAP:
        return A.Swap(tile, place + 1)
    if operation == L.A_BACK:
        return A.Back(code >> 4 & 127)
    if operation != L.A_LAY:
        return _PLAIN[operation]
    piece, kind = tile, code >> 16 & 63
    if tile == OKEY:
        piece = ANY + kind % 13 + 1 if code >> 22 & 1 else AS + kind
    return A.Lay(piece, place + 1)


def codes_of(action: A.Action, okey: Kind | None, twin: int | None = None) -> list[int]:
    """The codes of an action in its normal form: one, or of a meld one for each group.

    ``twin`` is the indicator's, where it may be paired with any tile (O6). Raises IllegalAction
    for groups that are none.
    """
    if isinstance(action, A.Meld):
        words = [group_word(make_group(pieces, okey, twin)) for pieces in action.pieces]
        codes = [L.A_MELD | word << 4 | L.MORE for word in words]
        return [*codes[:-1], codes[-1] & ~L.MORE]
    if isinstance(action, A.Discard):
        return [L.A_DISCARD | action.tile << 4]
    if isinstance(action, A.Back):
        return [L.A_BACK | action.count << 4]
    if isinstance(action, A.Swap):
        return [L.A_SWAP | action.tile << 4 | action.group - 1 << 10]
    if not isinstance(action, A.Lay):
        return [_PLAIN_CODES[type(action)]]
    code = L.A_LAY | tile_of_piece(action.piece) << 4 | action.group - 1 << 10
    if action.piece >= ANY:
        return [code | action.piece - ANY - 1 << 16 | 1 << 22]
    return [code | action.piece - AS << 16 if action.piece >= AS else code]


def twin_of(public: OpenSide) -> int | None:
    """The indicator's twin, where the seat to act may pair it with any tile (O6)."""
    return int(public.setup.indicator) if public.announced == public.turn else None


@lru_cache(16)
def rule_numbers(rules: RuleSet) -> tuple[int, ...]:
    """A rule set field by field: numbers as they are, yes as 1, words as places in the options."""
    return tuple(
        f.metadata["options"].index(value) if isinstance(value, str) else int(value)
        for f in fields(RuleSet)
        for value in [getattr(rules, f.name)]
    )


_PHASES = {phase: number for number, phase in enumerate(Phase)}
_OPENED = {None: 0, Opened.MELDS: L.MELDS, Opened.PAIRS: L.PAIRS}


def check_hands(public: OpenSide) -> None:
    """Refuse hands that the room has no place for: OkeyError ``rack-too-large``."""
    most = max(public.sizes)
    if most > R.MOST_TILES:
        message = f"a hand has at most {R.MOST_TILES} tiles here, not {most}"
        raise OkeyError("rack-too-large", message, limit=R.MOST_TILES)


def open_row(public: OpenSide) -> list[int]:
    """A deal as a row of what lies open, without its fines and known tiles."""
    row = [0] * L.SIZE
    setup = public.setup
    row[L.PLAYERS], row[L.DEALER], row[L.STARTER] = public.players, setup.dealer, setup.starter
    row[L.INDICATOR] = setup.indicator
    row[L.OKEY_KIND] = -1 if setup.okey is None else setup.okey
    row[L.STOCK_LEN] = row[L.STOCK_COUNT] = public.stock_count
    row[L.PHASE], row[L.TURN], row[L.TURNS] = _PHASES[public.phase], public.turn, public.turns
    row[L.TAKEN] = L.NO_TILE if public.taken is None else public.taken
    row[L.DRAWN] = L.NO_TILE
    row[L.BACKS], row[L.NEW_OPENING] = public.backs, int(public.new_opening)
    row[L.MUST_FINISH] = int(public.must_finish)
    row[L.ANNOUNCED] = -1 if public.announced is None else public.announced
    row[L.WINNER] = -1
    row[L.HIGH_POINTS], row[L.HIGH_PAIRS] = public.high_points, public.high_pairs
    row[L.PLAYABLE], row[L.N_GROUPS] = public.playable, len(public.table)
    row[L.N_ACTIONS] = len(public.actions)
    thrown = sum(group.bits for group in public.table)
    for seat, pile in enumerate(public.discards):
        row[L.SIZES + seat], row[L.OPENED + seat] = public.sizes[seat], _OPENED[public.opened[seat]]
        row[L.PILES + seat] = len(pile)
        at = L.DISCARDS + L.PILE_WORDS * seat
        for begin in range(0, len(pile), 8):
            row[at + begin // 8] = int.from_bytes(bytes(pile[begin : begin + 8]), "little")
        thrown += bits_of_tiles(pile)
    row[L.THROWN], row[L.THROWN + 1] = masks_of_bits(thrown)
    for place, (group, owner) in enumerate(zip(public.table, public.owners, strict=True)):
        row[L.TABLE + place] = group_word(group) | owner << L.OWNER_SHIFT
    row[L.N_PLACED] = len(public.placed)
    for nth, placed in enumerate(public.placed):
        word = placed.tile | placed.at << 6 | group_word(placed.before) << 12
        row[L.PLACED + nth] = word | placed.nth + 1 << 36 | placed.swapped << 41
    return row


FINE_RULES = ("", "P1", "P2", "P3", "P4", "P5", "U7", "X4")
"""The rules that fine, by their number in a row's list of fines; of any other nothing is told."""


def public_row(public: OpenSide) -> list[int]:
    """A deal as a row with nothing hidden in it: no hand, an empty stock of the right size."""
    row = open_row(public)
    for seat, known in enumerate(public.known):
        row[L.KNOWN + 2 * seat : L.KNOWN + 2 * seat + 2] = masks_of_bits(known)
    fines = public.result.fines if public.result else public.fines
    row[L.N_FINES] = len(fines)
    for at, fine in enumerate(fines):
        row[L.FINES + fine.seat] += fine.points
        if at < L.MAX_FINES:
            number = FINE_RULES.index(fine.rule) if fine.rule in FINE_RULES else 0
            row[L.FINE_LIST + at] = fine.seat | number << 2 | fine.points << 5
    return row
