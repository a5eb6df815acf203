"""Finished matches over HTTP: the list, the record, and a deal step by step; and a position."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Annotated, cast

from litestar import Controller, Response, get, post
from litestar.params import Parameter
from msgspec import Meta, Struct, convert

from okey101.errors import OkeyError, whole_number
from okey101.game import Deal, Opened, Record, parse_position, parse_record
from okey101.game.fair.transcript import Fair
from okey101.game.open_side_json import sheet_json
from okey101.game.public import FORM, Public
from okey101.game.record.replay import steps_of
from okey101.melds import tile_of_piece
from okey101.review.balance import NOTHING
from okey101.review.puzzles import THEMES, Rating, puzzle, puzzles_about
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.people.models import MatchSummary, StoredMatch
from okey101.server.protocol import views
from okey101.server.protocol.client_messages import Start
from okey101.server.protocol.options import (
    Applied,
    TableOptions,
    checked_options,
    written_rules,
)
from okey101.server.tables.log_entries import Again, Day
from okey101.server.tables.reduce import new_secret
from okey101.server.web import response_schemas as shapes
from okey101.server.web.auth import Asked
from okey101.solver import Objective, arrange_bits
from okey101.tiles import TILES, rack_text

_MEDIA_TYPE = "application/vnd.okey101+json"


class MatchLine(Struct):
    """A finished match: its seats by name and face, totals and places, and one's own seat, if any.

    Places count from 1; equal totals share one, and partners of a team have the team's.
    """

    id: str
    table: str
    number: int
    finished_ms: int
    preset: str
    deals: int
    totals: tuple[int, ...]
    places: tuple[int, ...]
    seats: list[str | None]
    faces: list[int | None]
    seat: int | None


def _line(match: MatchSummary, user: str | None) -> MatchLine:
    own = [n for n, at in enumerate(match.seats) if user is not None and at.user == user]
    names = [at.name if at.bot is None else f"bot:{at.bot}" for at in match.seats]
    return MatchLine(
        match.id, match.table_id, match.number, match.finished_ms, match.preset, match.deals,
        match.totals, match.places, names, [at.face for at in match.seats],
        own[-1] if own else None,
    )  # fmt: skip


class AgainBody(Struct, forbid_unknown_fields=True):
    """From which action on a deal is played again, and which bots are in the other seats."""

    at: Annotated[int, Meta(ge=0, le=10_000)]
    bot: Annotated[str, Meta(max_length=32)] = "greedy"


class Matches(Controller):
    """Your matches, and every match by its id."""

    path = "/api/matches"
    tags = ["matches"]  # noqa: RUF012  # Litestar's own form

    @get("/")
    async def matches(
        self,
        request: Asked,
        hub: Hub,
        before: Annotated[str | None, Parameter(max_length=64)] = None,
        limit: Annotated[int, Parameter(ge=1, le=100)] = 20,
    ) -> list[MatchLine]:
        """Your finished matches, latest first; ``before``: the last id of the previous page."""
        user = (await request.current()).user
        found = await hub.accounts.matches(user.id, before, limit)
        return [_line(match, user.id) for match in found]

    @get("/{match_id:str}")
    async def match(self, request: Asked, hub: Hub, match_id: str) -> MatchLine:
        """One finished match; whoever has its id may see it."""
        user = await request.asker()
        return _line(await _head(request, hub, match_id), user)

    @get("/{match_id:str}/record", media_type=_MEDIA_TYPE)
    async def record(self, request: Asked, hub: Hub, match_id: str) -> Response[bytes]:
        """The record, in the format that ``okey101 replay`` and ``okey101 verify`` read."""
        await _head(request, hub, match_id)
        request.limit(hub.allowances.replay_requests)
        found = await hub.accounts.match(match_id)
        data = await hub.replays.run(
            lambda: json.dumps(found.record(), ensure_ascii=False, indent=1).encode() + b"\n"
        )
        name = f'attachment; filename="{found.summary.id}.okey.json"'
        return Response(data, media_type=_MEDIA_TYPE, headers={"Content-Disposition": name})

    @get("/{match_id:str}/deals/{number:int}")
    async def deal(self, request: Asked, hub: Hub, match_id: str, number: int) -> shapes.DealAnswer:
        """A deal step by step, all racks open: as dealt, then what each action changed."""
        head = await _head(request, hub, match_id)
        if not 0 <= number < head.deals:
            refuse("no-deal-number", number=number)
        request.limit(hub.allowances.replay_requests)
        found = await hub.accounts.match(match_id)
        return await hub.replays.run(lambda: _told(found, number))

    @get("/{match_id:str}/review")
    async def review(self, request: Asked, hub: Hub, match_id: str) -> views.ReviewAnswer:
        """What there is of a match's review: what each choice cost, luck and skill apart."""
        await _head(request, hub, match_id)
        request.limit(hub.allowances.replay_requests)
        return await hub.reviews.look(match_id)

    @post("/{match_id:str}/review", status_code=200)
    async def ask_review(self, request: Asked, hub: Hub, match_id: str) -> views.ReviewAnswer:
        """Have a match reviewed; where that was done before, it is shown."""
        user = (await request.current()).user
        seats = (await _head(request, hub, match_id)).seats
        found = await hub.reviews.look(match_id)
        if found.state in ("none", "failed"):
            await request.hold(hub.allowances.reviews, user.id)
        if found.state != "done":
            played = any(seat.user == user.id for seat in seats)
            found = await hub.reviews.ask(match_id, user.id, played=played)
        return found

    @post("/{match_id:str}/deals/{number:int}/again", status_code=200)
    async def again(
        self, request: Asked, hub: Hub, match_id: str, number: int, data: AgainBody
    ) -> Applied:
        """Play a deal of one's own once more, from any action on, against bots.

        OkeyError ``not-seated`` for a match in which one had no seat. Nothing of it is kept.
        """
        async with request.acting() as user:
            head = await _head(request, hub, match_id)
            seat = _line(head, user).seat
            if seat is None:
                refuse("not-seated")
            if not 0 <= number < head.deals:
                refuse("no-deal-number", number=number)
            request.limit(hub.allowances.replay_requests)
            found = await hub.accounts.match(match_id)
            options, day = await hub.replays.run(lambda: _again(found, number, seat, data))
            made = await request.opened(user, checked_options(options, hub.bots.served), day=day)
            seq = await made.command(user, Start(rid="start"))
            return Applied(made.state.table, seq)


@post("/api/position", status_code=200, tags=["matches"])
async def position(request: Asked, hub: Hub, data: shapes.PositionBody) -> shapes.PositionAnswer:
    """A position that is given as a line of text, as a board shows it; nothing of it is kept."""
    request.limit(hub.allowances.replay_requests)
    found = parse_position(data.text)
    public, hands = found.public, dict[int, int]()
    if isinstance(found, Deal):
        hands = dict(enumerate(found.hands))
    elif found.seat is not None:
        hands[found.seat] = found.hand or 0
    return shapes.PositionAnswer(
        deal=_dealt(0, public),
        hands=[rack_text(hands[n]) if n in hands else None for n in range(public.players)],
    )


@get("/api/puzzles", tags=["matches"])
async def puzzles(request: Asked, hub: Hub, rules: str | None = None) -> views.PuzzlesAnswer:
    """The positions to solve that there are, or those under a rule set.

    OkeyError ``unknown-preset``.
    """
    request.limit(hub.allowances.replay_requests)
    return views.PuzzlesAnswer({theme: puzzles_about(theme, rules) for theme in THEMES})


@get("/api/puzzles/{number:int}", tags=["matches"])
async def one_puzzle(request: Asked, hub: Hub, number: int) -> shapes.PuzzleAnswer:
    """A position to solve, with its answer; OkeyError ``no-such-puzzle``."""
    request.limit(hub.allowances.replay_requests)
    found = puzzle(number)
    public = found.view.public
    return shapes.PuzzleAnswer(
        number=number,
        theme=found.theme,
        rules=written_rules(public.rules),
        deal=_dealt(0, public),
        hand=found.hand,
        decision=found.decision,
    )


@post("/api/puzzles/{number:int}/answer", status_code=200, tags=["matches"])
async def answer_puzzle(
    request: Asked, hub: Hub, number: int, data: shapes.AnswerBody
) -> views.PuzzleRated:
    """Answer a position: one's first answer to each is rated, and the position with it.

    OkeyError ``no-such-puzzle``, and those of :func:`okey101.game.actions.parse_action`.
    """
    async with request.acting(person=True, spoken=True) as user:
        found = puzzle(number)
        right = found.cost(data.action) == NOTHING
        after = await hub.accounts.answer(user, found, right=right)
        return views.PuzzleRated(right, *map(_shown, after))


def _shown(rating: Rating) -> views.RatingShown:
    return views.RatingShown(round(rating.rating), rating.reach, rating.provisional)


async def _head(request: Asked, hub: Hub, match_id: str) -> MatchSummary:
    """A match without its record, which costs too much for whoever has no allowance left.

    OkeyError ``no-match``, also while a delayed table's match is not yet open to everybody.
    """
    user = await request.asker()
    table = match_id.rpartition("-")[0]
    await hub.matches.wait(table)  # it may have ended just now
    try:
        found = await hub.accounts.match_summary(match_id)
    except OkeyError:
        if "_" in match_id:  # as a run of a day has, which is played when somebody asks for it
            request.limit(hub.allowances.replay_requests)
        if not await hub.days.have_run(match_id):
            await hub.presence.matches_kept(table)
        found = await hub.accounts.match_summary(match_id)
    if not found.shown_to(user, hub.accounts.now_ms()):
        refuse("no-match")
    return found


def _only(match: StoredMatch, number: int) -> Record:
    """The record with one of its deals; the others are not even read."""
    kept = match.record()
    deals = cast("list[object]", kept["deals"])
    return parse_record(json.dumps(kept | {"deals": [deals[number]]}))


def _told(match: StoredMatch, number: int) -> shapes.DealAnswer:
    """A deal of a match from beginning to end."""
    record = _only(match, number)
    states = list(steps_of(record, 0))
    first, last = states[0], states[-1]
    fair = record.deals[0].fair
    return shapes.DealAnswer(
        match=match.summary.id,
        number=number,
        rules=written_rules(record.rules),
        players=None if record.players is None else list(record.players),
        deal=_dealt(number, first.public),
        hands=[_arranged(first, seat) for seat in range(first.public.players)],
        steps=[_step(before, after) for before, after in pairwise(states)],
        result=None if last.result is None else convert(sheet_json(last.result), views.Sheet),
        fair=None if fair is None else convert(fair, shapes.FairPart),
    )


def _again(
    match: StoredMatch, number: int, seat: int, wanted: AgainBody
) -> tuple[TableOptions, Day]:
    """What a table is made with at which a deal of a match is played again."""
    record = _only(match, number)
    *_, last = steps_of(record, 0)
    result, fair = last.result, Fair.from_dict(dict(record.deals[0].fair or {}))
    actions = last.public.actions
    if result is None or fair.seed is None:
        refuse("no-deal-number", number=number)
    whole_number(wanted.at, "at", 0, len(actions) - 1)
    bots = tuple(None if n == seat else wanted.bot for n in range(record.rules.players))
    options = TableOptions(
        rules=written_rules(record.rules), deals=1, clock=0, bots=bots, spectators="off",
        late=False, phrases=False, listed=False,
    )  # fmt: skip
    again = Again(
        match=match.summary.id, deal=number, seed=fair.seed.hex(),
        dealer=last.public.setup.dealer,
        actions=tuple(f"{at} {action}" for at, action in actions[: wanted.at]),
        scores=tuple(result.scores),
    )  # fmt: skip
    return options, Day(date=again.match, secrets=(new_secret(),), closes_ms=0, again=again)


def _dealt(number: int, public: Public) -> views.DealView:
    return convert({"number": number, **FORM.told(public), "end": None}, views.DealView)


def _arranged(deal: Deal, seat: int) -> str:
    """A hand as its rack would be sorted: for pairs, where the seat opened with pairs."""
    public = deal.public
    aim = Objective.PAIRS if public.opened[seat] is Opened.PAIRS else Objective.POINTS
    found = arrange_bits(deal.hands[seat], public.okey, aim)
    assert found is not None
    groups = (" ".join(str(TILES[tile_of_piece(one)]) for one in group) for group in found.pieces)
    return " ".join([*(f"{group} /" for group in groups), str(found.left)]).rstrip()


def _step(before: Deal, after: Deal) -> shapes.DealStep:
    seat, action = after.public.actions[-1]
    return shapes.DealStep(
        seat=seat,
        action=str(action),
        deal=convert(FORM.patch(before.public, after.public), views.DealPatch),
        hands={
            str(n): _arranged(after, n)
            for n, hand in enumerate(after.hands)
            if hand != before.hands[n]
        },
    )
