"""``okey101 solve`` and ``okey101 outs``: arrangements of a rack, and its next tiles."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from okey101.cli.help import unused
from okey101.cli.output import Exit, Failure, Output
from okey101.errors import NotationError, OkeyError
from okey101.game import Deal, parse_position, view_of
from okey101.melds import piece_text
from okey101.solver import Arrangement, Objective, arrange, arrangements, best_value, outs
from okey101.tiles import FALSE_JOKER, OKEY, TILES, Rack, parse_tile

# Racks as ``solve`` and ``outs`` take them: as an argument, or one a line on stdin.

_LONGEST_LINE = 10_000
MOST_TILES = 40
"""Nearly two hands: beyond that an exact answer may take more than a moment."""


@dataclass(frozen=True, slots=True)
class Question:
    """A rack and the okey's kind; ``okey`` is None in a riziko deal, named ``F`` (D8)."""

    rack: Rack
    okey: int | None

    def tile(self, text: str) -> int:
        """Read a tile as it lies in this rack: the okey's own face is the okey."""
        tile = int(parse_tile(text.strip()))
        return OKEY if tile == (FALSE_JOKER if self.okey is None else self.okey) else tile


def read_question(okey_text: str, rack_text: str, *, position: int = 0) -> Question:
    """Read the okey's name and a rack; raises NotationError.

    ``position`` is where the rack begins in the text it comes from. Codes beside those of the
    notation: ``bad-okey``, ``rack-too-large``, ``one-okey-in-riziko`` (R8).
    """
    name = parse_tile(okey_text.strip())
    if name == OKEY:
        raise NotationError("bad-okey", "name the okey by its kind, like B6, or F", text=okey_text)
    okey = None if name == FALSE_JOKER else int(name)
    try:
        rack = Rack.parse(rack_text, okey=int(name))
    except NotationError as error:
        error.position += position
        raise
    _check_size(rack, rack_text, position)
    if okey is None and rack.count(OKEY) > 1:
        raise NotationError(
            "one-okey-in-riziko", "a riziko deal has one okey", text=rack_text, position=position
        )
    return Question(rack, okey)


def _check_size(rack: Rack, text: str, position: int) -> None:
    if len(rack) > MOST_TILES:
        message = f"a rack has at most {MOST_TILES} tiles here, not {len(rack)}"
        where: dict[str, Any] = {"text": text, "position": position, "limit": MOST_TILES}
        raise NotationError("rack-too-large", message, **where)


def _of_position(line: str) -> Question:
    """The rack that a position shows: a view's own, or that of a deal's seat to act."""
    position = parse_position(line)
    view = view_of(position, position.turn) if isinstance(position, Deal) else position
    if view.hand is None:
        raise NotationError("bad-position", "a spectator sees no rack", text=line)
    _check_size(view.rack, line, 0)
    return Question(view.rack, view.public.okey)


def question_of(output: Output, rack: str, okey: str | None) -> Question:
    """Read the arguments of a command; the okey has to be named, or the rack be a position."""
    if ";" in rack:
        unused("okey")
        return _of_position(rack)
    if okey is None:
        raise Failure.of(output.texts, Exit.USAGE, "missing-okey")
    return read_question(okey, rack)


def read_line(line: bytes, okey: str | None) -> Question:
    """Read a line ``B6: R7 R8 ...``; without the okey's name, the one given is used.

    Raises NotationError, with positions counted in the line.
    """
    if len(line) > _LONGEST_LINE:
        raise NotationError("line-too-long", f"a line has at most {_LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8").strip("\r\n")
    except UnicodeDecodeError as error:
        raise NotationError(
            "not-utf8", f"byte {error.start} is not UTF-8", position=error.start
        ) from None
    if ";" in text:
        return _of_position(text.removeprefix("\ufeff"))
    name, colon, rack = text.removeprefix("\ufeff").partition(":")
    if colon:
        return read_question(name, rack, position=len(name) + 1)
    if okey is None or not text.strip():
        raise NotationError("bad-line", "a line is the okey, a colon and a rack", text=text)
    return read_question(okey, text)


def answer_lines(
    output: Output, okey: str | None, answer: Callable[[Question], Mapping[str, object]]
) -> int:
    """Answer every line of stdin with a line of JSON, as soon as it comes.

    A bad line gets its error object, and the exit code is 3 at the end.
    """
    code, output = 0, replace(output, as_json=True)
    for number, line in enumerate(_stdin_lines(), 1):
        try:
            output.answer(answer(read_line(line, okey)))
        except (OkeyError, Failure) as error:
            output.report(error, line=number)
            code = Exit.INVALID
        output.out.flush()
    return code


def _stdin_lines() -> Iterator[bytes]:
    """Lines of stdin; an overlong one is cut to a beginning that is still too long."""
    stream = sys.stdin.buffer
    while line := stream.readline(_LONGEST_LINE + 2):
        yield line
        while not line.endswith(b"\n") and line:
            line = stream.readline(_LONGEST_LINE)


def solve(
    output: Output, rack: str, okey: str | None, aim: str, must: str | None, best: int | None
) -> int:
    """Print the best arrangement of a rack, or the best few; returns the exit code.

    ``-`` answers the racks on stdin, a line each. Raises OkeyError for a text that is no rack or
    tile, Failure where no arrangement melds ``must``.
    """

    def found_in(question: Question) -> list[Arrangement]:
        rack, okey = question.rack, question.okey
        tile = None if must is None else question.tile(must)
        name = "" if tile is None else str(TILES[tile])
        if tile is not None and tile not in rack:
            raise Failure.of(output.texts, Exit.INVALID, "must-not-in-rack", tile=name)
        if best is None:
            found = [*filter(None, [arrange(rack, okey, Objective(aim), must=tile)])]
        else:
            found = arrangements(rack, okey, Objective(aim), best=best, must=tile)
        if not found:
            raise Failure.of(output.texts, Exit.FAILED, "no-arrangement", tile=name)
        return found

    if rack == "-":
        return answer_lines(output, okey, lambda question: _answer(found_in(question), best))
    found = found_in(question_of(output, rack, okey))
    return output.tell(_answer(found, best), lambda: _lines(output, found, best))


def _answer(found: list[Arrangement], best: int | None) -> dict[str, object]:
    told: list[dict[str, object]] = [
        {
            "points": one.points,
            "tiles": one.tiles,
            "left_points": one.left_points,
            "melds": [[*map(piece_text, pieces)] for pieces in one.pieces],
            "left": [*map(str, one.left)],
        }
        for one in found
    ]
    return told[0] if best is None else {"arrangements": told}


def _lines(output: Output, found: list[Arrangement], best: int | None) -> Iterator[str]:
    texts = output.texts
    for place, one in enumerate(found, 1):
        if best is not None:
            yield output.strong(f"{place}.")
        key = "solve-nothing" if not one.groups else "solve-pairs" if one.pairs else "solve-melds"
        yield texts(key, points=one.points, tiles=one.tiles, groups=len(one.groups))
        for group in one.groups:
            blanks = " " * max(1, 40 - len(str(group)))
            yield f"  {output.tiles(group.pieces)}{blanks}{group.points:>4}"
        left = output.tiles(one.left)
        yield texts("solve-left" if left else "solve-none-left", points=one.left_points, tiles=left)


# ``okey101 outs``: what each next tile would change in a rack.


def show_outs(output: Output, rack: str, okey: str | None, aim: str, *, every: bool) -> int:
    """Print the tiles that would change the rack's best value; returns the exit code.

    ``-`` answers the racks on stdin, a line each; ``every`` lists the other tiles too. Raises
    OkeyError for a text that is no rack.
    """

    def answer(question: Question) -> dict[str, Any]:
        tiles, okey = question.rack, question.okey
        return {
            "for": aim,
            "value": best_value(tiles, okey, aim),
            "outs": [
                {"tile": str(o.tile), "copies": o.copies, "value": o.value, "gain": o.gain}
                for o in outs(tiles, okey, aim, every=every)
            ],
        }

    if rack == "-":
        return answer_lines(output, okey, answer)
    found = answer(question_of(output, rack, okey))
    return output.tell(found, lambda: _outs_lines(output, found))


def _outs_lines(output: Output, found: Mapping[str, Any]) -> Iterator[str]:
    texts = output.texts
    yield texts("outs-now", aim=found["for"], value=found["value"])
    if not found["outs"]:
        yield texts("outs-none")
        return
    yield texts("outs-count", count=sum(o["copies"] for o in found["outs"] if o["gain"] > 0))
    for out in found["outs"]:
        tile = output.tiles([parse_tile(out["tile"])]) + " " * (4 - len(out["tile"]))
        yield f"  {tile}x{out['copies']}  {out['gain']:>+5}  = {out['value']:>4}"
