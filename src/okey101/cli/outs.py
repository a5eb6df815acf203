"""``okey101 outs``: what each next tile would change in a rack."""

from __future__ import annotations

from collections.abc import Iterator

from okey101.cli.output import Output
from okey101.cli.rack_input import Question, answer_lines, question_of
from okey101.solver import Objective, best_value, outs

__all__ = ["outs_of_rack", "outs_stream"]


def outs_of_rack(
    output: Output, rack: str, okey: str | None, aim: str, *, every: bool = False
) -> int:
    """Print the tiles that would change the rack's best value; returns the exit code.

    ``every`` lists the others too. Raises OkeyError for a text that is no rack.
    """
    question = question_of(output, rack, okey)
    answer = _answer(question, Objective(aim), every=every)
    if output.as_json:
        output.answer(answer)
    else:
        output.lines(_lines(output, question, Objective(aim), every=every))
    return 0


def outs_stream(output: Output, okey: str | None, aim: str, *, every: bool = False) -> int:
    """Answer the racks on stdin, a line each; returns the exit code."""
    return answer_lines(
        output, okey, lambda question: _answer(question, Objective(aim), every=every)
    )


def _answer(question: Question, aim: Objective, *, every: bool) -> dict[str, object]:
    rack, okey = question.rack, question.okey
    return {
        "for": aim.value,
        "value": best_value(rack, okey, aim),
        "outs": [
            {
                "tile": str(out.tile),
                "copies": out.copies,
                "value": out.value,
                "gain": out.gain,
            }
            for out in outs(rack, okey, aim, every=every)
        ],
    }


def _lines(output: Output, question: Question, aim: Objective, *, every: bool) -> Iterator[str]:
    texts = output.texts
    rack, okey = question.rack, question.okey
    yield texts("outs-now", aim=aim.value, value=best_value(rack, okey, aim))
    found = outs(rack, okey, aim, every=every)
    if not found:
        yield texts("outs-none")
        return
    copies = sum(out.copies for out in found if out.gain > 0)
    yield texts("outs-count", count=copies)
    for out in found:
        name = str(out.tile)
        yield (
            f"  {output.tiles([out.tile])}{' ' * (4 - len(name))}"
            f"x{out.copies}  {out.gain:>+5}  = {out.value:>4}"
        )
