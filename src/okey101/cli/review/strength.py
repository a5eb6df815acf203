"""What ``okey101 strength`` does: a strength from records, and the numbers of one made again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from okey101.cli.output import Exit, Failure, Output, printable, with_file
from okey101.cli.progress import Bar, ready
from okey101.cli.replay import read_record
from okey101.cli.review.command import spread
from okey101.errors import OkeyError
from okey101.game.record.form import MAX_BYTES, RULES_VERSION
from okey101.game.strict_json import as_int, as_text, bad, load_json
from okey101.i18n import Texts
from okey101.review.strength import FORMAT, LEAST_DEALS, REFERENCE, Strength, strength_in

VERIFY: Final = "verify"
"""As the first word: the second names a file with what ``--json`` printed."""


def show_strength(output: Output, files: tuple[str, ...], **how: Any) -> int:
    """Print the strength of a player over records, or make that of a file again from them.

    ``how`` are arguments of :func:`okey101.review.strength.strength_in` as they were typed; seats
    count from 0. Returns the exit code. Raises RecordError and OkeyError as
    :func:`okey101.review.strength.strength_in`, and Failure ``strength-differs`` where a number
    comes out otherwise than the file has it.
    """
    if files[0] == VERIFY:
        return _verify(output, files[1:])
    found = _made(output, files, **how)
    return output.tell(found.to_dict(), lambda: _lines(output.texts, found))


def _made(output: Output, files: tuple[str, ...], **how: Any) -> Strength:
    records = [read_record(file, output.texts) for file in files]
    ready(output)
    with Bar(output, output.texts("review-working"), len(records)) as bar:
        return strength_in(records, on_record=lambda: bar.add(1), **how)


def _verify(output: Output, files: tuple[str, ...]) -> int:
    texts = output.texts
    if len(files) < 2:
        raise OkeyError("no-one-named", "verify needs a file and the records")
    with with_file(files[0], texts), Path(files[0]).open("rb") as file:
        data = file.read(MAX_BYTES)
    told = load_json(data.decode("utf-8", "replace"))
    if not isinstance(told, dict) or "format" not in told:
        bad("missing", f"there is no format, so it is not {FORMAT}", "format", name="format")
    if told["format"] != FORMAT:
        found = str(told["format"])[:40]
        bad("bad-format", f"the format is not {FORMAT}", "format", format=found)
    claimed = {name: value for name, value in told.items() if name != "ok"}
    made_with = claimed.get("reference"), claimed.get("rules_version")
    if made_with != (REFERENCE.mark, RULES_VERSION):
        raise OkeyError(
            "other-reference", f"it was made with {made_with[0]}, here is {REFERENCE.mark}",
            name=str(made_with[0]), known=REFERENCE.mark,
        )  # fmt: skip
    player, seat = claimed.get("player"), claimed.get("seat")
    again = _made(
        output,
        files[1:],
        player=None if player is None else as_text(player, "player"),
        seat=None if seat is None else as_int(seat, "seat", 0, 3),
        worlds=as_int(claimed.get("worlds"), "worlds", 1, 10**6),
        seed=as_int(claimed.get("seed"), "seed", 0, 2**31),
    )
    if where := _difference(claimed, again.to_dict()):
        message = texts("error-strength-differs", path=printable(where))
        raise Failure(Exit.INVALID, "strength-differs", message, path=where)
    return output.tell(
        {"deals": len(again.deals), "reference": again.reference},
        lambda: [texts("strength-same", deals=len(again.deals))],
    )


def _difference(claimed: object, made: object, path: str = "") -> str:
    """The place of the first value that is another one, empty where there is none."""
    if isinstance(claimed, dict) and isinstance(made, dict) and claimed.keys() == made.keys():
        inner = ((claimed[name], made[name], f"{path}.{name}") for name in made)
    elif isinstance(claimed, list) and isinstance(made, tuple) and len(claimed) == len(made):
        inner = ((a, b, f"{path}[{n}]") for n, (a, b) in enumerate(zip(claimed, made, strict=True)))
    else:
        return "" if type(claimed) is type(made) and claimed == made else path.strip(".") or "."
    return next(filter(None, (_difference(*one) for one in inner)), "")


def _lines(texts: Texts, found: Strength) -> Iterator[str]:
    deals = len(found.deals)
    seat = texts("replay-seat", seat=found.seat or 0)
    yield texts("strength-title", player=printable(found.player or "") or seat)
    if found.strength is None:
        yield "  " + texts("strength-too-few", deals=deals, least=LEAST_DEALS)
    else:
        told = spread(texts, found.strength, signed=True)
        yield "  " + texts("strength-figure", deals=deals, **told)
        if found.like:
            yield "  " + texts("strength-like", bot=found.like)
    if found.left_out:
        yield "  " + texts("strength-left-out", count=found.left_out)
    yield texts("strength-about", reference=found.reference, worlds=found.worlds, seed=found.seed)
