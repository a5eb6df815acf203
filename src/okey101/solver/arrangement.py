"""An arrangement of a rack: its groups piece by piece, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from okey101.errors import OkeyError
from okey101.melds import AS, Group, Pieces, groups_text, make_group, tile_of_piece
from okey101.solver.search import checked_natural_bits
from okey101.solver.tables import Taken
from okey101.tiles import BITS_OF, FALSE_JOKER, TILES, Kind, PackedRack, Piece, Rack, points_of_bits

OKEY_LEFT = 101


class Usage(NamedTuple):
    """What one number gives to runs and sets, by colour, and how many okeys stand in its sets."""

    runs: Taken
    okeys: Taken
    sets: Taken
    set_okeys: int


@dataclass(frozen=True, slots=True, repr=False)
class Arrangement:
    """Groups made of a rack, and what is left of it.

    Runs come first, by colour; then sets, or pairs, by number. A run is in ascending order, a set
    in order of its colours with okeys last, each standing for the lowest free colour. ``points``
    counts an okey as what it stands for (J3), in pairs too; ``left_points`` counts a false joker as
    the okey's number and an okey as 101 (C2). ``pieces`` and ``left_bits`` are the integers behind
    ``groups`` and ``left``.

    >>> from okey101 import Rack, Tile, arrange
    >>> best = arrange(Rack.parse("R7 R8 R9 K11 Y11 * F K1"), okey=Tile.B6)
    >>> best.points, best.tiles, best.left
    (57, 6, Rack.parse('K1 F'))
    >>> [str(group) for group in best.groups]
    ['R7 R8 R9', 'Y11 K11 *R11']
    """

    pieces: tuple[Pieces, ...]
    """The pieces of each group."""
    points: int
    """Face value of all that is melded."""
    tiles: int
    """How many tiles are melded."""
    left_points: int
    """Points of what is left."""
    left_bits: PackedRack
    """What is left, packed."""
    okey: Kind | None
    """The okey's kind, None in a riziko deal."""
    pairs: int = 0
    """How many of the groups are pairs."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """The sets and runs, or the pairs, as values made of tiles."""
        return tuple(make_group(pieces, self.okey) for pieces in self.pieces)

    @property
    def left(self) -> Rack:
        """The tiles that are in no group."""
        return Rack.from_bits(self.left_bits)

    def __str__(self) -> str:
        return groups_text(self.pieces)

    def __repr__(self) -> str:
        return f"<Arrangement {str(self)!r}: {self.points} points, left {str(self.left)!r}>"


def arrangement_of_bits(
    bits: PackedRack, okey: Kind | None, groups: Iterable[Pieces]
) -> Arrangement:
    """Count groups, each given by its pieces, made of a packed rack; ``okey`` is its kind.

    Raises OkeyError ``not-in-rack`` for a tile that isn't, and as ``best_value_bits`` does.
    """
    checked_natural_bits(bits, okey)
    points = tiles = pairs = 0
    left = bits
    try:
        ordered = tuple(sorted(groups, key=lambda group: _order(group, okey)))
        for group in ordered:
            pairs += len(group) == 2
            for piece in group:
                tile = tile_of_piece(piece)
                if not left >> 2 * tile & 3:
                    message = f"{TILES[tile]} is not in the rack"
                    raise OkeyError("not-in-rack", message, tile=str(TILES[tile]))
                tiles += 1
                left -= BITS_OF[tile]
                points += _kind(piece, okey) % 13 + 1
    except (TypeError, IndexError):
        raise OkeyError("wrong-type", "groups of pieces are wanted here", wanted="list") from None
    left_points = points_of_bits(left, okey, OKEY_LEFT)
    return Arrangement(
        pieces=ordered, points=points, tiles=tiles, left_points=left_points, left_bits=left,
        okey=okey, pairs=pairs,
    )  # fmt: skip


def _kind(piece: Piece, okey: Kind | None) -> Kind:
    if piece == FALSE_JOKER and okey is not None:
        return okey
    return piece & 63


def _order(group: Pieces, okey: Kind | None) -> tuple[bool, list[int], Pieces]:
    kinds = [_kind(piece, okey) for piece in group]
    is_set = kinds[0] % 13 == kinds[1] % 13
    return is_set, [kinds[0] % 13, *kinds] if is_set else kinds, group


def groups_of(usages: dict[int, Usage], okey: Kind | None) -> list[Pieces]:
    """The groups in which tiles are used, by number; the one canonical way to part them.

    A run goes on as long as it can: 4 to 9 is one run, not two. ``okey`` is the okey's kind;
    each group is given by its pieces.
    """
    groups: list[Pieces] = []
    for colour in range(4):
        groups += _runs_of(usages, colour)
    for number, usage in usages.items():
        if sum(usage.sets) + usage.set_okeys:
            groups += sets_of(number, usage)
    if okey is None:
        return groups
    # Every natural tile of the okey's kind is a false joker.
    return [tuple(FALSE_JOKER if p == okey else p for p in group) for group in groups]


def _runs_of(usages: dict[int, Usage], colour: int) -> list[Pieces]:
    done: list[Pieces] = []
    open_runs: list[list[int]] = []
    for number in range(1, 15):
        usage = usages.get(number)
        real = usage.runs[colour] if usage else 0
        tiles = real + (usage.okeys[colour] if usage else 0)
        if not tiles and not open_runs:
            continue
        kind = colour * 13 + number - 1
        short = [run for run in open_runs if len(run) < 3]
        long = [run for run in open_runs if len(run) >= 3]
        extended = short + long[: tiles - len(short)]
        done += [tuple(run) for run in long[tiles - len(short) :]]
        open_runs = extended + [[] for _ in range(tiles - len(extended))]
        for place, run in enumerate(open_runs):
            run.append(kind if place < real else AS + kind)
    return done


def sets_of(number: int, usage: Usage) -> list[Pieces]:
    """The sets in which tiles of one number are used.

    Each is given by its pieces.
    """
    pieces = sum(usage.sets) + usage.set_okeys
    sets: list[list[int]] = [[] for _ in range((pieces + 3) // 4)]
    turn = 0
    for colour in range(4):
        for _ in range(usage.sets[colour]):
            sets[turn % len(sets)].append(colour * 13 + number - 1)
            turn += 1
    for _ in range(usage.set_okeys):
        group = sets[turn % len(sets)]
        colours = {(piece & 63) // 13 for piece in group}
        free = min(set(range(4)) - colours)
        group.append(AS + free * 13 + number - 1)
        turn += 1
    return [tuple(group) for group in sets]
