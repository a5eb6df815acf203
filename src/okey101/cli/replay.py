"""``okey101 replay``: a record checked, and its deals shown action by action."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise

from okey101.cli.help import unused
from okey101.cli.output import Output, printable, with_file
from okey101.game.deal import Deal
from okey101.game.deal_parts import End, Result
from okey101.game.match import totals_of
from okey101.game.record.form import MAX_BYTES, RULES_VERSION, Record, parse_record
from okey101.game.record.position import parse_position, position_of
from okey101.game.record.replay import Replay, replay
from okey101.game.view import view_of
from okey101.i18n import Texts
from okey101.render.text import Ink, action_told, deal_sheet_lines, match_sheet_lines, place_lines
from okey101.tiles import tiles_of_bits


def replay_file(output: Output, file: str, until: int | None) -> int:
    """Play a record again and print what came of it; returns the exit code.

    ``-`` reads stdin, and a position is shown as it stands; ``until`` stops after that many
    actions. Raises RecordError for a record that can't be read or that the rules refuse, OkeyError
    for a position, Failure for a file that can't be opened.
    """
    if is_position(file):
        unused("until")
        position = parse_position(file)
        if output.as_json:
            view = view_of(position, None) if isinstance(position, Deal) else position
            output.answer(view.to_dict() | {"position": position_of(position)})
        else:
            told = position.text(secrets=True) if isinstance(position, Deal) else str(position)
            output.lines(told.splitlines())
        return 0
    record = read_record(file, output.texts)
    states: list[list[Deal]] = []
    played = replay(record, until=until, on_deal=states.append)
    return output.tell(played.to_dict(), lambda: _walk(output, record, played, states))


def read_record(file: str, texts: Texts) -> Record:
    """A record from a file, or for ``-`` from stdin; RecordError, Failure for the file."""
    with with_file(file, texts):
        if file == "-":
            return parse_record(sys.stdin.buffer.read(MAX_BYTES + 1))
        return Record.read(file)


def _walk(
    output: Output, record: Record, played: Replay, states: list[list[Deal]]
) -> Iterator[str]:
    texts = output.texts
    names = names_of(record, texts)
    results: list[Result] = []
    yield texts("replay-rules", version=RULES_VERSION)
    for number, (deal, shown) in enumerate(zip(played.deals, states, strict=True), 1):
        yield output.strong(texts("replay-deal", number=number, count=len(record.deals)))
        yield from _dealt_lines(output, shown[0], names)
        for before, after in pairwise(shown):
            yield from _step_lines(output, before, after, names)
        if deal.result is None:
            yield texts("replay-unfinished")
        else:
            results.append(deal.result)
            if deal.result.end is not End.FINISH:
                yield texts(f"event-{deal.result.end}")
            totals = totals_of(record.rules, tuple(results))
            yield from deal_sheet_lines(deal.result, names, totals, texts)
        yield ""
    if results:
        yield output.strong(texts("replay-totals"))
        yield from match_sheet_lines(record.rules, results, names, texts)
        yield from place_lines(record.rules, played.totals, names, texts)


def is_position(word: str) -> bool:
    """Whether a word is a position rather than the name of a file."""
    return word.startswith(("deal;", "seat ", "open;")) and ";" in word


def names_of(record: Record, texts: Texts) -> list[str]:
    """The players' names; seats without one, and names that come twice, are told apart."""
    given = record.players or ("",) * record.rules.players
    names = []
    for seat, name in enumerate(given):
        clean = printable(name)
        if not clean:
            clean = texts("replay-seat", seat=seat)
        elif given.count(name) > 1:
            clean = texts("replay-name", name=clean, seat=seat)
        names.append(clean)
    return names


def _dealt_lines(output: Output, deal: Deal, names: list[str]) -> Iterator[str]:
    texts, setup = output.texts, deal.public.setup
    dealer = names[setup.dealer]
    if setup.okey is None:
        yield texts("event-deal-riziko", player=dealer)
    else:
        indicator, okey = output.tiles([setup.indicator]), output.tiles([setup.okey])
        yield texts("event-deal", player=dealer, indicator=indicator, okey=okey)
    width = max(map(len, names))
    for name, hand in zip(names, deal.hands, strict=True):
        yield f"  {name:<{width}}  {output.tiles(tiles_of_bits(hand))}"


def _step_lines(output: Output, before: Deal, after: Deal, names: list[str]) -> Iterator[str]:
    texts = output.texts
    seat, _ = after.public.actions[-1]
    ink = Ink(texts, color=output.colour)
    word, told = action_told(before.public, after.public, after.drawn, ink)
    key = "replay-draw" if word == "draw" else f"event-{word}"
    yield "  " + texts(key, player=names[seat], **told)  # every tile named: a record hides nothing
    for fine in after.public.fines[len(before.public.fines) :]:
        reason = texts(f"fine-{fine.rule}")
        player = names[fine.seat]
        yield "    " + texts("event-fine", player=player, points=fine.points, reason=reason)
    if after.result is not None and after.result.end is End.FINISH:
        yield "  " + texts("event-finish", player=names[seat])
