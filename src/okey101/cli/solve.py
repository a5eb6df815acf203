"""``okey101 solve``: the best arrangements of a rack."""

from __future__ import annotations

from collections.abc import Iterator

from okey101.cli.failures import FAILED, INVALID, Failure
from okey101.cli.output import Console
from okey101.cli.rack_input import Question, answer_lines, question_of
from okey101.melds import piece_text
from okey101.solver import Arrangement, Objective, arrange, arrangements, tile_of_piece
from okey101.tiles import TILES, Rack, tiles_of_bits

__all__ = ["arrangement_dict", "solve_rack", "solve_stream"]


def solve_rack(
    console: Console, rack: str, okey: str | None, aim: str, must: str | None, best: int | None
) -> int:
    """Print the best arrangement of a rack, or the best few; returns the exit code.

    Raises OkeyError for a rack or tile that is none, Failure where no arrangement melds ``must``.
    """
    question = question_of(console, rack, okey)
    found = _arranged(console, question, Objective(aim), must, best)
    if console.as_json:
        console.answer(_answer(found, best))
        return 0
    for place, arrangement in enumerate(found, 1):
        if best is not None:
            console.lines([console.strong(f"{place}.")])
        console.lines(_lines(console, question, arrangement))
    return 0


def solve_stream(
    console: Console, okey: str | None, aim: str, must: str | None, best: int | None
) -> int:
    """Answer the racks on stdin, a line each; returns the exit code."""
    return answer_lines(
        console,
        okey,
        lambda question: _answer(_arranged(console, question, Objective(aim), must, best), best),
    )


def _arranged(
    console: Console, question: Question, aim: Objective, must: str | None, best: int | None
) -> list[Arrangement]:
    bits, okey = question.rack.bits, question.okey
    tile = None if must is None else question.tile(must)
    if tile is not None and tile not in question.rack:
        name = str(TILES[tile])
        message = console.texts("error-must-not-in-rack", tile=name)
        raise Failure(INVALID, "must-not-in-rack", message, tile=name)
    if best is None:
        one = arrange(bits, okey, aim, must=tile)
        found = [] if one is None else [one]
    else:
        found = arrangements(bits, okey, aim, best, must=tile)
    if not found:
        name = "" if tile is None else str(TILES[tile])
        message = console.texts("error-no-arrangement", tile=name)
        raise Failure(FAILED, "no-arrangement", message, tile=name)
    return found


def _answer(found: list[Arrangement], best: int | None) -> dict[str, object]:
    if best is None:
        return arrangement_dict(found[0])
    return {"arrangements": [arrangement_dict(arrangement) for arrangement in found]}


def arrangement_dict(arrangement: Arrangement) -> dict[str, object]:
    """An arrangement as ``solve --json`` prints it."""
    return {
        "points": arrangement.points,
        "tiles": arrangement.tiles,
        "left_points": arrangement.left_points,
        "melds": [[piece_text(piece) for piece in group] for group in arrangement.groups],
        "left": [str(tile) for tile in Rack.from_bits(arrangement.left)],
    }


def _lines(console: Console, question: Question, arrangement: Arrangement) -> Iterator[str]:
    texts = console.texts
    if not arrangement.groups:
        yield texts("solve-nothing")
    else:
        yield texts(
            "solve-pairs" if len(arrangement.groups[0]) == 2 else "solve-melds",
            points=arrangement.points,
            tiles=arrangement.tiles,
            groups=len(arrangement.groups),
        )
    for group in arrangement.groups:
        words = " ".join(piece_text(piece) for piece in group)
        blanks = " " * max(1, 40 - len(words))
        yield f"  {console.tiles(group)}{blanks}{_points(group, question.okey):>4}"
    left = tiles_of_bits(arrangement.left)
    if left:
        yield texts("solve-left", points=arrangement.left_points, tiles=console.tiles(left))
    else:
        yield texts("solve-none-left")


def _points(group: tuple[int, ...], okey: int | None) -> int:
    total = 0
    for piece in group:
        tile = tile_of_piece(piece)
        kind = tile if tile < 52 else okey if piece == 52 else piece & 63
        assert kind is not None
        total += kind % 13 + 1
    return total
