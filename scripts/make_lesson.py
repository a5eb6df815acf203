"""Record the guided first deal: ``python scripts/make_lesson.py [FILE]``.

A real deal from a seed, played by the bot greedy in all seats. What the server would tell its
winner at the moments of the lesson, and what it would answer there, is written down for the page.
The file is ``web/src/lessons/first.json`` unless another is named; ``--search`` looks for seeds of
deals that have all that the lesson shows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import count, groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from okey101.bots import make_bot
from okey101.game import Action, Deal, Options, RuleSet, apply, deal_from_seed, view_of
from okey101.game.actions import Discard, Draw, Lay, Meld
from okey101.game.legality import discard_fine
from okey101.game.public import FORM
from okey101.melds import piece_text
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.protocol.client_messages import Ask
from okey101.server.protocol.views import Called
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.finished_deals import FinishedDeal
from okey101.server.tables.queries import answer
from okey101.server.tables.reduce import create
from okey101.server.tables.state import Played, Seat, Stage, TableState, changed
from okey101.solver import Objective, arrange_bits
from okey101.tiles import rack_text

FILE = Path(__file__).resolve().parents[1] / "web" / "src" / "lessons" / "first.json"
SEED = 2141
RULES = RuleSet(players=4)
MOST_MELDS = 11
"""More would be too small to be read on a small phone, where the words take room too."""
_GREEDY = make_bot("greedy")


class Turn(NamedTuple):
    """One turn of the winner: the deal before each of its actions, and the actions."""

    before: list[Deal]
    actions: list[Action]

    @property
    def kinds(self) -> list[type]:
        """What was done, in order."""
        return [type(action) for action in self.actions]


class Lesson(NamedTuple):
    """The winner's seat, the deal at all times, the turns that are shown, and the deal at last."""

    seat: int
    states: list[Deal]
    first: Turn
    opening: Turn
    last: Turn
    end: Deal


def played(seed: int) -> tuple[list[tuple[Deal, Action]], Deal]:
    """A deal that bots play to its end: each state with what was done in it, and the last."""
    deal = Deal.start(RULES, deal_from_seed(RULES, seed.to_bytes(32), dealer=1))
    steps: list[tuple[Deal, Action]] = []
    while not deal.over:
        view = view_of(deal, deal.turn)
        steps.append((deal, _GREEDY.choose(view, Options(view))))
        deal = apply(*steps[-1])
    return steps, deal


def lesson(seed: int) -> Lesson | None:
    """The deal of a seed as a lesson; None where it lacks something that is to be shown."""
    steps, end = played(seed)
    seat = None if end.public.result is None else end.public.result.winner
    if seat is None:
        return None
    found: list[Turn] = []
    for _, group in groupby(steps, key=lambda step: step[0].public.turns):
        turn = Turn(*map(list, zip(*group, strict=True)))
        if turn.before[0].turn == seat:
            found.append(turn)
    first, last = found[0], found[-1]
    opening = next((turn for turn in found if Meld in turn.kinds), None)
    if opening is None or opening is last or opening is first:
        return None
    fit = (
        first.kinds == [Draw, Discard]
        and not first.before[0].public.table
        and len(end.public.table) <= MOST_MELDS
        and opening.kinds[1] is Meld
        and last.kinds == [Draw, Lay, Discard]
        and _opens_as_arranged(opening)
        and _lays_one(last)
        and Options(view_of(first.before[1], seat)).best_points < 95
    )
    states = [deal for deal, _ in steps]
    return Lesson(seat, states, first, opening, last, end) if fit else None


def _opens_as_arranged(turn: Turn) -> bool:
    """Whether the arrangement that the page offers is the opening, with sets and runs."""
    deal, action = turn.before[1], turn.actions[1]
    assert isinstance(action, Meld)
    arranged = arrange_bits(deal.hands[deal.turn], deal.public.okey, Objective.POINTS)
    assert arranged is not None
    same = sorted(map(sorted, arranged.pieces)) == sorted(map(sorted, action.pieces))
    texts = " ".join(piece_text(piece) for group in action.pieces for piece in group)
    return same and "*" not in texts and 101 <= arranged.points <= 120


def _lays_one(turn: Turn) -> bool:
    """Whether one tile alone fits, in one place, throwing it would cost, and the last fits nowhere.

    Who is told to throw the last tile must not see that it could as well be laid off.
    """
    deal, (_, action, thrown) = turn.before[2], turn.actions
    assert isinstance(action, Lay)
    assert isinstance(thrown, Discard)
    options = Options(view_of(turn.before[1], turn.before[1].turn))
    costly = [one.tile for one in options.discards if one.points]
    alone = options.lays == (action,) and costly == [action.piece] and len(options.discards) == 2
    return alone and discard_fine(deal.public, thrown.tile) is None


def _table(seat: int) -> TableState:
    rules: dict[str, str | int | bool] = {"preset": "altinstar", "players": 4, "teams": False}
    options = TableOptions(rules=rules, clock=0, deals=1, hints=False, spectators="off")
    first = log.Created(user="u0", options=checked_options(options))
    state = create("learn", first, 0)
    seats = tuple(Seat(user="u0") if n == seat else Seat(bot="greedy") for n in range(4))
    return changed(state, seats=seats, stage=Stage.PLAYING, match=1)


def _moment(state: TableState, deal: Deal, action: Action | None) -> dict[str, Any]:
    """What the learner is told at a moment, the answers it would get, and what the lesson does."""
    state = changed(state, deal=deal)
    seat = state.seat_of("u0")
    assert seat is not None
    told = {"number": 0} | FORM.told(deal.public) | {"end": None}
    own = None if deal.over else serialise.options_for(state, seat)
    shown: dict[str, Any] = {"deal": told, "you": serialise.you(state, seat, own)}
    if not deal.over:
        questions = {aim: Ask(rid="q", what="arrange", aim=aim) for aim in ("points", "pairs")}
        questions["options"] = Ask(rid="q", what="options")
        if isinstance(action, Meld):
            questions["check"] = Ask(rid="q", what="check", action=str(action))
        shown["answers"] = {
            name: {"what": one.what, **answer(state, "u0", one)} for name, one in questions.items()
        }
    return shown | {"action": None if action is None else str(action)}


def _before(states: list[Deal], begin: Deal, end: Deal, seat: int) -> list[dict[str, Any]]:
    """What led from one moment to another: what each turn of others changed, and the own hand."""
    between = pairwise(states[states.index(begin) : states.index(end)])
    begun = [b for a, b in between if a.public.turns != b.public.turns and b.turn != seat]
    return [
        {"deal": FORM.patch(a.public, b.public), "hand": rack_text(b.hands[seat])}
        for a, b in pairwise([begin, *begun])
    ]


def _moments(found: Lesson) -> Iterator[dict[str, Any]]:
    seat, states, first, opening, last, end = found
    state = _table(seat)
    yield _moment(state, first.before[0], first.actions[0])
    yield _moment(state, first.before[1], first.actions[1])
    thrown = apply(first.before[1], first.actions[1])
    yield _moment(state, thrown, None)
    opens, lays = opening.before[1], last.before[1]
    before = _before(states, thrown, opens, seat)
    yield _moment(state, opens, opening.actions[1]) | {"before": before}
    opened = apply(opens, opening.actions[1])
    yield _moment(state, opened, None)
    yield _moment(state, lays, last.actions[1]) | {"before": _before(states, opened, lays, seat)}
    yield _moment(state, last.before[2], last.actions[2])
    assert end.public.result is not None
    played = Played(FinishedDeal.of(end), b"", (), (), (), (), ())
    over = changed(state, deal=end, played=(played,), stage=Stage.OVER)
    told = serialise.table_view(over, {"u0": Called("")}.__getitem__)
    last_moment = _moment(over, end, None)
    last_moment["deal"]["end"] = {"hands": [rack_text(hand) for hand in end.hands]}
    yield last_moment | {"table": {"stage": told["stage"], "scores": told["scores"]}}


def recorded(seed: int = SEED) -> str:
    """The lesson as it is kept for the page."""
    found = lesson(seed)
    assert found is not None, f"the deal of seed {seed} does not show what the lesson tells"
    table = serialise.table_view(_table(found.seat), {"u0": Called("")}.__getitem__)
    data = {"seed": seed, "table": table, "moments": list(_moments(found))}
    plain = msgspec.json.decode(serialise.encode(data))
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> None:
    """Write the lesson, or look for a seed."""
    if "--search" in sys.argv:
        for seed in count():
            if lesson(seed) is not None:
                print(seed, flush=True)
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    file.parent.mkdir(exist_ok=True)
    file.write_text(recorded(), encoding="utf-8")
    print(f"wrote {file}")


if __name__ == "__main__":
    main()
