"""``okey101 verify``: what of a record's deals can be proved to be fair, and what can't."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Final

from okey101.cli.failures import FAILED, USAGE, Failure, game_failure
from okey101.cli.output import Output
from okey101.cli.progress import Bar
from okey101.cli.replay import read_record
from okey101.errors import RecordError
from okey101.game.fair.rounds import parse_digest, parse_randomness
from okey101.game.record.form import Record
from okey101.game.record.verification import (
    Check,
    Checked,
    Noted,
    State,
    Verification,
    other_tiles,
    verify_record,
)
from okey101.i18n import Texts, error_text
from okey101.sim.bot_proofs import BotsChecked, verify_bots

# ``okey101 verify --bots``: what of the bots' play can be proved, and a bar meanwhile.


MOST_TOLD: Final = 5
"""So many differences of a deal are told; JSON has their number."""


def bots_checked(output: Output, record: Record) -> tuple[BotsChecked, ...]:
    """Play the bots' choices again; a bar shows how far it is."""
    total = sum(len(deal.actions) for deal in record.deals)
    with closing(Bar(output, output.texts("verify-bots-now"), total)) as bar:
        return verify_bots(record, lambda _done, _of: bar.add(1))


def bots_lines(texts: Texts, checked: BotsChecked, mark: str) -> Iterator[str]:
    """What came of one deal's bots, for people; ``mark`` leads the first line."""
    yield f"{mark} {texts('verify-bots', state=checked.state.value, count=checked.proved)}"
    for why in checked.why:
        bots, count = ", ".join(checked.unknown), checked.needless
        yield f"    {texts(f'verify-bots-{why}', bots=bots, count=count)}"
    if checked.fallbacks:
        yield f"    {texts('verify-bots-fallbacks', count=checked.fallbacks)}"
    for seat, actors in enumerate(checked.actors):
        played = ", ".join(f"{actor} {count}" for actor, count in sorted(actors.items()))
        if played:
            yield f"    {texts('replay-seat', seat=seat)}: {played}"
    for error in checked.errors[:MOST_TOLD]:
        yield f"    {error_text(texts, error)}"
    if len(checked.errors) > MOST_TOLD:
        yield f"    {texts('verify-bots-more', count=len(checked.errors) - MOST_TOLD)}"


_MARKS: Final = {State.PROVED: "+", State.DIFFERS: "!", State.UNKNOWN: "?"}
"""What leads a line: proved, wrong, can't be told."""


def verify_file(
    output: Output,
    file: str,
    commitment: Sequence[str],
    mine: Sequence[str],
    *,
    bots: bool = False,
) -> int:
    """Check the fairness of a record's deals and print what came of it; returns the exit code.

    ``commitment`` and ``mine`` are texts as ``HEX`` or ``DEAL:HEX`` with deals counted from 1;
    with ``bots`` their choices are played again.
    Raises RecordError for a record that can't be read or that the rules refuse, and Failure for
    anything that differs or can't be proved.
    """
    noted = [_noted(text, "--commitment", parse_digest, output.texts) for text in commitment]
    own = [_noted(text, "--mine", _given, output.texts) for text in mine]
    record = read_record(file, output.texts)
    try:
        found = verify_record(record, noted=noted, mine=own)
    except RecordError as error:
        raise _not_played(error, record, output.texts) from None
    replayed = bots_checked(output, record) if bots else ()
    failure = _failure(found, replayed, output.texts)
    if output.as_json:
        answer = _answer(found, replayed)
        if failure is None:
            output.answer(answer)
            return 0
        failure.details["deals"] = answer["deals"]
    else:
        output.lines(_lines(output, found, replayed))
        if failure is None:
            output.lines([output.texts("verify-good", count=len(found.deals))])
            return 0
    raise failure


def _answer(found: Verification, replayed: Sequence[BotsChecked]) -> dict[str, object]:
    """What ``--json`` prints, with what came of each deal's bots where that was asked for."""
    answer = found.to_dict()
    deals = answer["deals"]
    assert isinstance(deals, list)
    for deal, checked in zip(deals, replayed, strict=False):
        deal.update(checked.to_dict())
    return answer


def _not_played(error: RecordError, record: Record, texts: Texts) -> Failure:
    """The failure of a record that does not replay, and whether its tiles may be why."""
    failure = game_failure(error, texts)
    deal = error.details.get("deal")
    strange = other_tiles(record, deal) if isinstance(deal, int) else None
    if strange is not None:
        failure.details["tiles"] = State.DIFFERS.value
        failure.details["tiles_path"] = strange.path
        failure.hint = texts("verify-tiles-before", message=error_text(texts, strange))
    return failure


def _given(text: str) -> str:
    """A contribution that somebody made: an empty one would be found anywhere."""
    given = parse_randomness(text).hex()
    if not given:
        raise ValueError(text)
    return given


def _noted(text: str, option: str, parse: Callable[[str], str], texts: Texts) -> Noted:
    number, colon, digits = text.rpartition(":")
    try:
        deal = int(number) - 1 if number.isascii() and number.isdecimal() else -1
        if colon and deal < 0:
            raise ValueError(number)
        return Noted(parse(digits.strip()), deal if colon else None)
    except ValueError:  # OkeyError is one
        message = texts("error-bad-note", option=option)
        raise Failure(USAGE, "bad-note", message, option=option) from None


def _failure(found: Verification, replayed: Sequence[BotsChecked], texts: Texts) -> Failure | None:
    """Why the record is not verified: the first difference, or what lacks proof.

    Bots that can't be told of are no fault.
    """
    errors = (*found.errors, *(error for deal in replayed for error in deal.errors))
    if errors:
        return game_failure(errors[0], texts)
    if not any(deal.verified for deal in found.deals):
        return Failure(FAILED, "nothing-to-verify", texts("error-nothing-to-verify"))
    missing = sum(1 for deal in found.deals if deal.finished and not deal.verified)
    if missing:
        message = texts("error-not-all-verified", count=missing)
        return Failure(FAILED, "not-all-verified", message, count=missing)
    return None


def _lines(output: Output, found: Verification, replayed: Sequence[BotsChecked]) -> Iterator[str]:
    texts = output.texts
    for deal in found.deals:
        yield output.strong(texts("replay-deal", number=deal.deal + 1, count=len(found.deals)))
        yield from (f"  {line}" for line in _deal_lines(deal, texts))
        if not deal.finished:
            yield f"    {texts('replay-unfinished')}"
        for error in deal.errors:
            yield f"    {error_text(texts, error)}"
        for bots in replayed[deal.deal : deal.deal + 1]:
            yield from (f"  {line}" for line in bots_lines(texts, bots, _MARKS[bots.state]))
        yield ""


def _deal_lines(deal: Checked, texts: Texts) -> Iterator[str]:
    values: dict[str, str | int] = {
        "seats": ", ".join(map(str, deal.mine)),
        "count": len(deal.given),
        "rounds": len(deal.abandoned),
        "reasons": ", ".join(deal.abandoned),
    }
    for check, state in deal.states.items():
        if check is Check.CONTEXT and state is State.UNKNOWN:
            continue  # the first deal has none before it
        sentence = texts(f"verify-{check}", state=state.value, **values)
        yield f"{_MARKS[state]} {sentence}"
