"""Between the kernel's integers and the values of :mod:`okey101.game`: rules, actions, deals.

A deal of the game in the middle of its course becomes a row that the kernel plays on, and a row
with its log a record that ``game`` replays to the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np

from okey101.game import actions as A
from okey101.game.deal import Deal
from okey101.game.deal_parts import End, Fine, Opened, Phase, Placed
from okey101.game.dealing import Layout
from okey101.game.public import OpenSide
from okey101.game.record.form import DealRecord
from okey101.game.ruleset import RuleSet, rules_of
from okey101.kernel import layout as L
from okey101.kernel.compiling import Row
from okey101.kernel.dealing import begin
from okey101.kernel.groups import put_on_pile
from okey101.melds import ANY, AS, Form, Group, Pieces, make_group, tile_of_piece
from okey101.tiles import (
    FALSE_JOKER,
    OKEY,
    TILES,
    Kind,
    PackedRack,
    Piece,
    Rack,
    bits_of_tiles,
    size_of_bits,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Between the kernel's integers and the values of :mod:`okey101.game`: groups, actions, layouts.

_PLAIN: dict[int, A.Action] = {
    L.A_DRAW: A.DRAW,
    L.A_TAKE: A.TAKE,
    L.A_RETURN: A.RETURN,
    L.A_ANNOUNCE: A.ANNOUNCE,
    L.A_PASS: A.PASS,
    L.A_INDICATOR: A.INDICATOR,
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


# A rule set as a vector of 64-bit integers: one number for each field of RuleSet, in its order.


def rules_vector(rules: RuleSet | str) -> NDArray[np.int64]:
    """A rule set, or the preset of that name, as the kernel reads it: ``int64[R_SIZE]``.

    Numbers are as they are, yes is 1, and a word is its place among the field's options. Raises
    RuleSetError ``unknown-preset``.
    """
    rules = rules_of(rules)
    vector = np.zeros(L.R_SIZE, dtype=np.int64)
    for place, f in enumerate(fields(RuleSet)):
        value = getattr(rules, f.name)
        if isinstance(value, str):
            options = f.metadata["options"]
            assert isinstance(options, tuple)
            value = options.index(value)
        vector[place] = value
    return vector


# From rows and logs of the kernel to records that ``game`` replays to the same result.

ENDS = (None, End.FINISH, End.STOCK, End.ALL_PAIRS)
"""The ends of a deal by their number in a row."""
FINE_RULES = ("", "P1", "P2", "P3", "P4", "P5", "U7", "X4")
"""The rules that fine, by their number in a row's list of fines."""


def row_of_layout(rules: RuleSet, layout: Layout) -> Row:
    """A table laid out, or dealt, as a row ready for the deal's first action: int64[SIZE]."""
    row = np.zeros(L.SIZE, dtype=np.int64)
    begin(row, rules_vector(rules), layout.dealer, int(layout.indicator))
    for seat, hand in enumerate(layout.hands):
        row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1] = masks_of_bits(hand)
        row[L.SIZES + seat] = size_of_bits(hand)
    for place, tile in enumerate(layout.stock):
        put_on_pile(row, L.STOCK, place, int(tile))
    row[L.STOCK_LEN] = row[L.STOCK_COUNT] = len(layout.stock)
    throws = layout.dice[: L.MAX_THROWS]
    row[L.DICE] = len(throws) | sum(thrown << 5 + 3 * i for i, thrown in enumerate(throws))
    return row


def fines_of(row: Row) -> tuple[Fine, ...]:
    """The fines of a deal so far, those for kept okeys among them once it is over."""
    listed = row[L.FINE_LIST : L.FINE_LIST + min(int(row[L.N_FINES]), L.MAX_FINES)]
    return tuple(Fine(f & 3, FINE_RULES[f >> 2 & 7], f >> 5) for f in map(int, listed))


def deal_record(
    rules: RuleSet, row: Row, codes: Iterable[int], dealt: Layout | None, seed: bytes | None = None
) -> DealRecord:
    """The record of one deal: its table or its seed, what was played, and what came of it.

    ``row`` is the deal after the last of the ``codes`` of its log. A deal from a seed alone needs
    no ``dealt``.
    """
    okey = int(row[L.OKEY_KIND])
    seat = int(row[L.STARTER])
    texts = []
    for action in actions_of(codes, None if okey < 0 else okey):
        texts.append(f"{seat}: {action}")
        if isinstance(action, A.Discard):
            seat = (seat + 1) % rules.players
    given: dict[str, object] = {}
    if dealt is not None:
        given = {
            "dice": dealt.dice or None,
            "indicator": str(TILES[dealt.indicator]),
            "hands": tuple(str(Rack.from_bits(hand)) for hand in dealt.hands),
            "stock": " ".join(str(TILES[t]) for t in dealt.stock),
        }
    return DealRecord(
        actions=tuple(texts),
        dealer=int(row[1]),
        seed=None if seed is None else seed.hex(),
        result=_result(rules, row) if row[L.PHASE] == L.P_OVER else None,
        **given,  # type: ignore[arg-type]
    )


def _result(rules: RuleSet, row: Row) -> dict[str, object]:
    end, winner = ENDS[int(row[L.END])], int(row[L.WINNER])
    assert end is not None
    result: dict[str, object] = {
        "end": end.value,
        "winner": None if winner < 0 else winner,
        "scores": [int(score) for score in row[L.SCORES : L.SCORES + rules.players]],
    }
    if row[L.N_FINES] <= L.MAX_FINES:
        result["fines"] = [fine._asdict() for fine in fines_of(row)]
    return result


_PHASES = {
    Phase.DRAW: L.P_DRAW,
    Phase.MUST_DRAW: L.P_MUST_DRAW,
    Phase.PLAY: L.P_PLAY,
    Phase.LAST_DISCARD: L.P_LAST_DISCARD,
    Phase.LAST_INDICATOR: L.P_LAST_INDICATOR,
}
_OPENED = {None: 0, Opened.MELDS: L.MELDS, Opened.PAIRS: L.PAIRS}


def row_of_deal(deal: Deal) -> Row:
    """A running deal as a row: int64[SIZE]; ValueError for one that is over.

    What is played in it from there on is what ``okey101.game.apply`` plays. The throws of the die
    are left out.
    """
    row = row_of_public(deal.public)
    for seat, hand in enumerate(deal.hands):
        _write(row, L.HANDS + 2 * seat, hand)
    for place, tile in enumerate(deal.stock):
        put_on_pile(row, L.STOCK, place, int(tile))
    row[L.DRAWN] = L.NO_TILE if deal.drawn is None else deal.drawn
    return row


def row_of_public(public: OpenSide) -> Row:
    """The same with nothing hidden in it: no hand, an empty stock of the right size."""
    if public.phase is Phase.OVER:
        raise ValueError("a deal that is over is not played on")
    row = np.zeros(L.SIZE, dtype=np.int64)
    setup = public.setup
    row[L.PLAYERS], row[L.DEALER], row[L.STARTER] = public.players, setup.dealer, setup.starter
    row[L.INDICATOR] = setup.indicator
    row[L.OKEY_KIND] = -1 if setup.okey is None else setup.okey
    row[L.STOCK_LEN] = row[L.STOCK_COUNT] = public.stock_count
    row[L.PHASE], row[L.TURN], row[L.TURNS] = _PHASES[public.phase], public.turn, public.turns
    row[L.TAKEN] = L.NO_TILE if public.taken is None else public.taken
    row[L.DRAWN] = L.NO_TILE
    row[L.BACKS], row[L.NEW_OPENING] = public.backs, public.new_opening
    row[L.MUST_FINISH] = public.must_finish
    row[L.ANNOUNCED] = -1 if public.announced is None else public.announced
    row[L.WINNER] = -1
    row[L.HIGH_POINTS], row[L.HIGH_PAIRS] = public.high_points, public.high_pairs
    row[L.PLAYABLE] = public.playable
    row[L.N_ACTIONS] = len(public.actions)
    _write_table(row, public)
    for seat in range(public.players):
        _write(row, L.KNOWN + 2 * seat, public.known[seat])
        row[L.SIZES + seat] = public.sizes[seat]
        row[L.OPENED + seat] = _OPENED[public.opened[seat]]
        row[L.PILES + seat] = len(public.discards[seat])
        for place, tile in enumerate(public.discards[seat]):
            put_on_pile(row, L.DISCARDS + L.PILE_WORDS * seat, place, int(tile))
    row[L.N_FINES] = len(public.fines)
    for at, fine in enumerate(public.fines):
        row[L.FINES + fine.seat] += fine.points
        if at < L.MAX_FINES:
            number = FINE_RULES.index(fine.rule)
            row[L.FINE_LIST + at] = fine.seat | number << 2 | fine.points << 5
    return row


def _write_table(row: Row, public: OpenSide) -> None:
    row[L.N_GROUPS] = len(public.table)
    for place, (group, owner) in enumerate(zip(public.table, public.owners, strict=True)):
        row[L.TABLE + place] = group_word(group) | owner << L.OWNER_SHIFT
    thrown = sum(bits_of_tiles(pile) for pile in public.discards)
    _write(row, L.THROWN, thrown + sum(group.bits for group in public.table))
    row[L.N_PLACED] = len(public.placed)
    for nth, placed in enumerate(public.placed):
        row[L.PLACED + nth] = _placed_word(placed)


def _placed_word(placed: Placed) -> int:
    assert placed.before is not None
    word = placed.tile | placed.at << 6 | group_word(placed.before) << 12
    return word | placed.nth + 1 << 36 | placed.swapped << 41


def _write(row: Row, at: int, rack: PackedRack) -> None:
    """A packed rack as two masks."""
    row[at], row[at + 1] = masks_of_bits(rack)
