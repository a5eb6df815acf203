"""``okey101 solve``: the best arrangements of a rack."""

from __future__ import annotations

from collections.abc import Iterator

from okey101.cli.failures import FAILED, INVALID, Failure
from okey101.cli.output import Output
from okey101.cli.rack_input import Question, answer_lines, question_of
from okey101.melds import piece_text
from okey101.solver import Arrangement, Objective, arrange, arrangements
from okey101.tiles import TILES

__all__ = ["arrangement_dict", "solve_rack", "solve_stream"]


def solve_rack(
    output: Output, rack: str, okey: str | None, aim: str, must: str | None, best: int | None
) -> int:
    """Print the best arrangement of a rack, or the best few; returns the exit code.

    Raises OkeyError for a text that is no rack or tile, Failure where no arrangement melds
    ``must``.
    """
    question = question_of(output, rack, okey)
    found = _arranged(output, question, Objective(aim), must, best)
    if output.as_json:
        output.answer(_answer(found, best))
        return 0
    for place, arrangement in enumerate(found, 1):
        if best is not None:
            output.lines([output.strong(f"{place}.")])
        output.lines(_lines(output, arrangement))
    return 0


def solve_stream(
    output: Output, okey: str | None, aim: str, must: str | None, best: int | None
) -> int:
    """Answer the racks on stdin, a line each; returns the exit code."""
    return answer_lines(
        output,
        okey,
        lambda question: _answer(_arranged(output, question, Objective(aim), must, best), best),
    )


def _arranged(
    output: Output, question: Question, aim: Objective, must: str | None, best: int | None
) -> list[Arrangement]:
    rack, okey = question.rack, question.okey
    tile = None if must is None else question.tile(must)
    if tile is not None and tile not in question.rack:
        name = str(TILES[tile])
        message = output.texts("error-must-not-in-rack", tile=name)
        raise Failure(INVALID, "must-not-in-rack", message, tile=name)
    if best is None:
        one = arrange(rack, okey, aim, must=tile)
        found = [] if one is None else [one]
    else:
        found = arrangements(rack, okey, aim, best=best, must=tile)
    if not found:
        name = "" if tile is None else str(TILES[tile])
        message = output.texts("error-no-arrangement", tile=name)
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
        "melds": [[piece_text(piece) for piece in pieces] for pieces in arrangement.pieces],
        "left": [str(tile) for tile in arrangement.left],
    }


def _lines(output: Output, arrangement: Arrangement) -> Iterator[str]:
    texts = output.texts
    if not arrangement.groups:
        yield texts("solve-nothing")
    else:
        yield texts(
            "solve-pairs" if arrangement.pairs else "solve-melds",
            points=arrangement.points,
            tiles=arrangement.tiles,
            groups=len(arrangement.groups),
        )
    for group in arrangement.groups:
        blanks = " " * max(1, 40 - len(str(group)))
        yield f"  {output.tiles(group.pieces)}{blanks}{group.points:>4}"
    if arrangement.left:
        left = output.tiles(arrangement.left)
        yield texts("solve-left", points=arrangement.left_points, tiles=left)
    else:
        yield texts("solve-none-left")
