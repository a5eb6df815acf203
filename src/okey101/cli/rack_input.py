"""Racks as ``solve`` and ``outs`` take them: as an argument, or one a line on stdin."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from okey101.cli.failures import INVALID, USAGE, Failure, error_object, game_failure
from okey101.cli.output import Output, json_text
from okey101.errors import NotationError, OkeyError
from okey101.tiles import FALSE_JOKER, OKEY, Rack, parse_tile

__all__ = ["Question", "answer_lines", "question_of", "read_line", "read_question"]

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
    if len(rack) > MOST_TILES:
        raise NotationError(
            "rack-too-large",
            f"a rack has at most {MOST_TILES} tiles here, not {len(rack)}",
            text=rack_text,
            position=position,
            limit=MOST_TILES,
        )
    if okey is None and rack.count(OKEY) > 1:
        raise NotationError(
            "one-okey-in-riziko", "a riziko deal has one okey", text=rack_text, position=position
        )
    return Question(rack, okey)


def question_of(output: Output, rack: str, okey: str | None) -> Question:
    """Read the arguments of a command; the okey has to be named."""
    if okey is None:
        message = output.texts("error-missing-okey")
        raise Failure(USAGE, "missing-okey", message)
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
    code = 0
    for number, line in enumerate(_lines(), 1):
        try:
            data: Mapping[str, object] = {"ok": True} | dict(answer(read_line(line, okey)))
        except (OkeyError, Failure) as error:
            failure = game_failure(error, output.texts) if isinstance(error, OkeyError) else error
            failure.details["line"] = number
            data = error_object(failure)
            code = INVALID
        sys.stdout.write(json_text(data, sys.stdout) + "\n")
        sys.stdout.flush()
    return code


def _lines() -> Iterator[bytes]:
    """Lines of stdin; an overlong one is cut to a beginning that is still too long."""
    stream = sys.stdin.buffer
    while line := stream.readline(_LONGEST_LINE + 2):
        yield line
        while not line.endswith(b"\n") and line:
            line = stream.readline(_LONGEST_LINE)
