"""``okey101 replay``: a record checked, and its deals shown action by action."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from okey101.cli.failures import file_failure
from okey101.cli.output import Console
from okey101.game.actions import Back, Discard, Draw, Indicator, Lay, Meld, Return, Swap, Take
from okey101.game.deal import Deal, End, Opened
from okey101.game.match import places
from okey101.game.record import MAX_BYTES, Record, parse_record, read_record
from okey101.game.replay import Replay, replay, steps_of
from okey101.i18n import Texts
from okey101.melds import groups_text, piece_text
from okey101.tiles import TILES, tiles_of_bits

__all__ = ["replay_file"]


def replay_file(console: Console, file: str, until: int | None) -> int:
    """Play a record again and print what came of it; returns the exit code.

    ``-`` reads stdin; ``until`` stops after that many actions. Raises RecordError for a record
    that can't be read or that the rules refuse, Failure for a file that can't be opened.
    """
    try:
        if file == "-":
            record = parse_record(sys.stdin.buffer.read(MAX_BYTES + 1))
        else:
            record = read_record(file)
    except OSError as error:
        raise file_failure(error, file, console.texts) from None
    played = replay(record, until=until)
    if console.as_json:
        console.answer(played.to_dict())
        return 0
    console.lines(_walk(console, record, played))
    return 0


def _walk(console: Console, record: Record, played: Replay) -> Iterator[str]:
    texts = console.texts
    names = _names(record, texts)
    for number, deal in enumerate(played.deals):
        title = texts("replay-deal", number=number + 1, count=len(record.deals))
        yield from _deal_lines(console, record, number, deal, names, title)
        yield ""
    if any(deal.result for deal in played.deals):
        yield console.strong(texts("replay-totals"))
        yield from _totals(texts, played, names)


def _names(record: Record, texts: Texts) -> list[str]:
    """The players' names; seats without one, and names that come twice, are told apart."""
    given = record.players or ("",) * record.rules.players
    names = []
    for seat, name in enumerate(given):
        clean = " ".join("".join(c if c.isprintable() else " " for c in name).split())
        if not clean:
            clean = texts("replay-seat", seat=seat)
        elif given.count(name) > 1:
            clean = texts("replay-name", name=clean, seat=seat)
        names.append(clean)
    return names


def _deal_lines(
    console: Console, record: Record, number: int, last: Deal, names: list[str], title: str
) -> Iterator[str]:
    texts = console.texts
    yield console.strong(title)
    before = None
    for state in steps_of(record, number, last.public.setup.dealer):
        if before is None:
            yield from _dealt_lines(console, state, names)
        else:
            yield from _step_lines(console, before, state, names)
        if len(state.public.actions) == len(last.public.actions):
            break
        before = state
    if last.result is None:
        yield texts("replay-unfinished")
        return
    yield texts("replay-end", end=last.result.end.value)
    if not last.result.counts:
        yield texts("event-deal-again")
    yield from _sheet(texts, last, names)


def _dealt_lines(console: Console, deal: Deal, names: list[str]) -> Iterator[str]:
    texts, setup = console.texts, deal.public.setup
    dealer = names[setup.dealer]
    if setup.okey is None:
        yield texts("event-deal-riziko", player=dealer)
    else:
        indicator, okey = console.tiles([setup.indicator]), console.tiles([setup.okey])
        yield texts("event-deal", player=dealer, indicator=indicator, okey=okey)
    width = max(map(len, names))
    for name, hand in zip(names, deal.hands, strict=True):
        yield f"  {name:<{width}}  {console.tiles(tiles_of_bits(hand))}"


def _step_lines(console: Console, before: Deal, after: Deal, names: list[str]) -> Iterator[str]:
    texts = console.texts
    seat, _ = after.public.actions[-1]
    yield "  " + _event(console, before, after, names[seat])
    for fine in after.public.fines[len(before.public.fines) :]:
        reason = texts(f"fine-{fine.rule}")
        player = names[fine.seat]
        yield "    " + texts("event-fine", player=player, points=fine.points, reason=reason)
    if after.result is not None and after.result.end is End.FINISH:
        yield "  " + texts("event-finish", player=names[seat])


def _event(console: Console, before: Deal, after: Deal, player: str) -> str:
    """What happened in one action, every tile named: a record hides nothing."""
    texts = console.texts
    _, action = after.public.actions[-1]
    if isinstance(action, Draw):
        drawn = console.tiles([] if after.drawn is None else [after.drawn])
        return texts("replay-draw", player=player, tile=drawn)
    if isinstance(action, Take):
        pile = before.public.discards[before.public.previous]
        return texts("event-take", player=player, tile=console.tiles(pile[-1:]))
    if isinstance(action, Return):
        taken = before.public.taken
        return texts("event-return", player=player, tile=str(TILES[taken or 0]))
    if isinstance(action, Meld):
        return _meld_event(console, before, after, action, player)
    if isinstance(action, Lay):
        piece = piece_text(action.piece)
        return texts("event-lay", player=player, piece=piece, group=action.group)
    if isinstance(action, Back):
        return texts("event-back", player=player, count=action.count)
    if isinstance(action, Discard):
        return texts("event-discard", player=player, tile=console.tiles([action.tile]))
    if isinstance(action, Swap):
        tile = str(TILES[action.tile])
        return texts("event-swap", player=player, tile=tile, group=action.group)
    if isinstance(action, Indicator):
        return texts("event-indicator", player=player)
    return texts(f"event-{action}", player=player)


def _meld_event(console: Console, before: Deal, after: Deal, action: Meld, player: str) -> str:
    texts = console.texts
    seat = before.turn
    groups = groups_text(action.groups)
    if before.public.opened[seat] is not None:
        return texts("event-meld", player=player, groups=groups)
    if after.public.opened[seat] is None:
        return texts("event-short-opening", player=player, groups=groups)
    laid = after.public.table[len(before.public.table) :]
    if after.public.opened[seat] is Opened.PAIRS:
        return texts("event-open-pairs", player=player, count=len(laid), groups=groups)
    points = sum(group.points for group in laid)
    return texts("event-open-melds", player=player, points=points, groups=groups)


def _sheet(texts: Texts, deal: Deal, names: list[str]) -> Iterator[str]:
    """The score sheet of a finished deal: how each score came about (section 8)."""
    assert deal.result is not None
    rows = [[texts(f"sheet-{name}") for name in ("player", "base", "times", "fines", "total")]]
    for score in deal.result.sheet:
        factors = ", ".join(texts(f"factor-{factor}") for factor in score.factors)
        times = f"x{2 ** len(score.factors)} ({factors})" if factors else ""
        rows.append(
            [names[score.seat], str(score.base), times, str(score.fines), str(score.total)]
        )
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for player, base, times, fines, total in rows:
        yield (
            f"  {player:<{widths[0]}}  {base:>{widths[1]}}  {times:<{widths[2]}}"
            f"  {fines:>{widths[3]}}  {total:>{widths[4]}}"
        )


def _totals(texts: Texts, played: Replay, names: list[str]) -> Iterator[str]:
    rows = list(zip(names, played.totals, strict=True))
    if played.team_totals is not None:
        pairs = [f"{names[0]}, {names[2]}", f"{names[1]}, {names[3]}"]
        rows = list(zip(pairs, played.team_totals, strict=True))
    width = max(len(name) for name, _ in rows)
    ranks = places(tuple(total for _, total in rows))
    for (name, total), place in sorted(zip(rows, ranks, strict=True), key=lambda row: row[1]):
        yield f"  {place}. {name:<{width}}  {texts('count-points', count=total):>14}"
