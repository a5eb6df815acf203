"""``okey101 verify``: what of a record's deals can be proved to be fair, and what can't."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from okey101.cli.output import Exit, Failure, Output, game_failure, printable
from okey101.cli.progress import Bar
from okey101.cli.replay import read_record
from okey101.errors import RecordError
from okey101.game.fair.rounds import parse_digest, parse_randomness
from okey101.game.fair.transcript import Fair, thrown
from okey101.game.record.form import Record
from okey101.game.record.verification import (
    Check,
    Checked,
    Noted,
    State,
    Verification,
    other_tiles,
    public_entries,
    verify_record,
)
from okey101.i18n import Texts, error_text
from okey101.sim.bot_proofs import BotsChecked, verify_bots

if TYPE_CHECKING:
    from okey101.cli.audit import Held

MOST_TOLD: Final = 5
"""So many differences of a deal's bots are told; JSON has their number."""


def _bots_lines(texts: Texts, checked: BotsChecked) -> Iterator[str]:
    """What came of one deal's bots, for people."""
    told = texts("verify-bots", state=checked.state.value, count=checked.proved)
    yield f"{MARKS[checked.state]} {told}"
    for why in checked.why:
        bots, count = ", ".join(map(printable, checked.unknown)), checked.needless
        yield f"    {texts(f'verify-bots-{why}', bots=bots, count=count)}"
    if checked.fallbacks:
        yield f"    {texts('verify-bots-fallbacks', count=checked.fallbacks)}"
    for seat, actors in enumerate(checked.actors):
        counts = sorted(actors.items())
        played = ", ".join(f"{printable(actor)} {count}" for actor, count in counts)
        if played:
            yield f"    {texts('replay-seat', seat=seat)}: {played}"
    for error in checked.errors[:MOST_TOLD]:
        yield f"    {printable(error_text(texts, error))}"
    if len(checked.errors) > MOST_TOLD:
        yield f"    {texts('verify-bots-more', count=len(checked.errors) - MOST_TOLD)}"


MARKS: Final = {State.PROVED: "+", State.DIFFERS: "!", State.UNKNOWN: "?"}
"""What leads a line: proved, wrong, can't be told."""


def verify_files(
    output: Output,
    files: Sequence[str],
    commitment: Sequence[str],
    mine: Sequence[str],
    *,
    bots: bool = False,
    strict: bool = False,
    log: str | None = None,
) -> int:
    """Check the fairness of records' deals and print what came of it; returns the exit code.

    ``commitment`` and ``mine`` are texts as ``HEX`` or ``DEAL:HEX`` with deals counted from 1, for
    one record; with ``bots`` their choices are played again, and ``strict`` takes all that can't be
    told for a fault. Rounds that were thrown away are counted over all records. What holds is also
    looked for in the transparency log of the server at ``log``.
    Raises RecordError for a record that can't be read or that the rules refuse, and Failure for
    anything that differs or can't be proved.
    """
    noted = [_noted(text, "--commitment", parse_digest, output.texts) for text in commitment]
    own = [_noted(text, "--mine", _given, output.texts) for text in mine]
    if len(files) > 1 and (noted or own):
        raise Failure.of(output.texts, Exit.USAGE, "one-record")
    checked = [_checked(output, file, noted, own, bots=bots or strict) for file in files]
    count = thrown({fair.commitment: fair for one in checked for fair in one.fairs}.values())
    failure: Failure | None = None
    seen: Held | None = None
    try:
        for one in checked:
            one.require(output.texts, strict=strict)
        if count.too_many:
            raise Failure.of(output.texts, Exit.FAILED, "rounds-thrown")
        if log is not None:
            from okey101.cli.audit import held

            told = zip(files, checked, strict=True)
            entries = {file: public_entries(one.record) for file, one in told}
            seen = held(output.texts, log, entries)
            _require_known([] if seen.auditor.signed else ["log"], output.texts, strict=strict)
    except Failure as found:
        failure = found
    answer: dict[str, object] = {}
    if output.as_json:
        records = [one.answer() for one in checked]
        answer = {"records": records} if len(files) > 1 else records[0]
        answer |= {"thrown": count.to_dict()}
        answer |= {} if seen is None else {"log": seen.answer()}
    else:
        for file, one in zip(files, checked, strict=True):
            output.lines([printable(file)] if len(files) > 1 else [])
            output.lines(one.lines(output))
        state = State.UNKNOWN if count.too_many else State.PROVED
        words = output.texts("verify-thrown", state=state.value, **count._asdict())
        output.lines([f"{MARKS[state]} {words}"])
        output.lines([] if seen is None else seen.lines(output.texts))
    if failure is not None:
        failure.details |= {name: part for name, part in answer.items() if name != "totals"}
        raise failure
    deals = sum(len(one.found.deals) for one in checked)
    return output.tell(answer, lambda: [output.texts("verify-good", count=deals)])


def _require_known(unknown: list[str], texts: Texts, *, strict: bool) -> None:
    if unknown and strict:
        message = texts("error-not-all-proved", checks=", ".join(unknown))
        raise Failure(Exit.FAILED, "not-all-proved", message, unknown=unknown)


class _CheckedRecord(NamedTuple):
    """What came of one record."""

    record: Record
    found: Verification
    fairs: tuple[Fair, ...]
    bots: tuple[BotsChecked, ...]

    def answer(self) -> dict[str, object]:
        """What ``--json`` prints, with what came of each deal's bots where that was asked for."""
        answer: dict[str, Any] = self.found.to_dict()
        for deal, checked in zip(answer["deals"], self.bots, strict=False):
            deal.update(checked.to_dict())
        return answer

    def require(self, texts: Texts, *, strict: bool) -> None:
        """Failure where it is not verified: the first difference, or what lacks proof.

        What can't be told of bots and notes is no fault, unless all has to be proved.
        """
        found = self.found
        errors = (*found.errors, *(error for deal in self.bots for error in deal.errors))
        if errors:
            raise game_failure(errors[0], texts)
        opened = [deal for deal in found.deals if deal.states[Check.SECRET] is State.PROVED]
        if not opened:
            raise Failure.of(texts, Exit.FAILED, "nothing-to-verify")
        # One that another follows was played to its end, whatever is told of it.
        over = [one for one in found.deals if one.finished or one is not found.deals[-1]]
        if missing := sum(not deal.verified for deal in over):
            raise Failure.of(texts, Exit.FAILED, "not-all-verified", count=missing)
        _require_known(self.unknown() if strict else [], texts, strict=strict)

    def unknown(self) -> list[str]:
        """Every check that can't be told, with its deal, and the bots that nobody can ask again."""
        return [
            f"{deal.deal + 1}: {word}"
            for deal, bots in zip(self.found.deals, self.bots, strict=True)
            for word in (
                *(check.value for check, state in deal.states.items() if state is State.UNKNOWN),
                *(f"bots {why}" for why in bots.why),
                *map(printable, bots.unknown),
            )
        ]

    def lines(self, output: Output) -> Iterator[str]:
        """The same for people."""
        texts = output.texts
        for deal in self.found.deals:
            count = len(self.found.deals)
            yield output.strong(texts("replay-deal", number=deal.deal + 1, count=count))
            alone = self.record.deals[deal.deal].fair is None
            yield from (f"  {line}" for line in _deal_lines(deal, texts, alone=alone))
            if not deal.finished:
                yield f"    {texts('replay-unfinished')}"
            for error in deal.errors:
                yield f"    {printable(error_text(texts, error))}"
            for bots in self.bots[deal.deal : deal.deal + 1]:
                yield from (f"  {line}" for line in _bots_lines(texts, bots))
            yield ""


def _checked(
    output: Output, file: str, noted: Sequence[Noted], mine: Sequence[Noted], *, bots: bool
) -> _CheckedRecord:
    record = read_record(file, output.texts)
    try:
        found = verify_record(record, noted=noted, mine=mine)
    except RecordError as error:
        raise _not_played(error, record, output.texts) from None
    fairs = tuple(Fair.from_dict(deal.fair) for deal in record.deals if deal.fair is not None)
    if not bots:
        return _CheckedRecord(record, found, fairs, ())
    with Bar(output, output.texts("verify-bots-now")) as bar:
        again = verify_bots(record, lambda _, total: bar.add(1, total))
    return _CheckedRecord(record, found, fairs, again)


def _not_played(error: RecordError, record: Record, texts: Texts) -> Failure:
    """The failure of a record that does not replay, and whether its tiles may be why."""
    failure = game_failure(error, texts)
    deal = error.details.get("deal")
    strange = other_tiles(record, deal) if isinstance(deal, int) else None
    if strange is not None:
        failure.details |= {"tiles": State.DIFFERS.value, "tiles_path": strange.path}
        told = printable(error_text(texts, strange))
        failure.hint = texts("verify-tiles-before", message=told)
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
        raise Failure.of(texts, Exit.USAGE, "bad-note", option=option) from None


def _deal_lines(deal: Checked, texts: Texts, *, alone: bool) -> Iterator[str]:
    """What came of each check; of a deal that nobody promised no word on what can't be told."""
    values: dict[str, str | int] = {
        "seats": ", ".join(map(str, deal.mine)),
        "count": len(deal.given),
        "rounds": len(deal.abandoned),
        "reasons": ", ".join(deal.abandoned),
    }
    if alone:
        yield f"{MARKS[State.UNKNOWN]} {texts('verify-alone')}"
    for check, state in deal.states.items():
        if alone and state is State.UNKNOWN:
            continue
        yield f"{MARKS[state]} {texts(f'verify-{check}', state=state.value, **values)}"
