"""Tables brought to a certain moment, and people who play at random from what they are told."""

import random
from collections.abc import Coroutine, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from conftest import unwrap
from okey101.bots import bot_info
from okey101.game import Options, view_of
from okey101.game.actions import DRAW, PASS, Action, Discard
from okey101.game.deal_parts import Phase
from okey101.server.protocol import TableOptions, checked_options, client_messages as ask
from okey101.server.store import Row
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import Stage, TableState
from okey101.tiles import TILES, Rack, distinct_bits
from server.contributions import Contributions
from server.model import Model
from server.tables import table_stories as lives

T = TypeVar("T")

EPOCH_MS = lives.EPOCH_MS
"""Where the wall clock of a simulated world begins."""
PEOPLE = ("u0", "u1", "u2", "u3")
Moment = Literal["waiting", "dealing", "playing", "late", "last"]
"""People have sat down; the match has begun; tiles are dealt; few tiles, or one, are in stock."""


class Playing(Protocol):
    """Whoever plays: what is known, and what the person gives to fair deals."""

    model: Model
    contributions: Contributions


class Story(NamedTuple):
    """A log, and the state it leads to."""

    rows: Sequence[Row]
    state: TableState


def table_options(
    *,
    preset: str = "altinstar",
    people: int = 4,
    players: int = 4,
    teams: bool = False,
    rules: Mapping[str, str | int | bool] | None = None,
    **choices: object,
) -> TableOptions:
    """Options of a table with bots in the seats behind the people's."""
    changed = {"preset": preset, "players": players, "teams": teams, **(rules or {})}
    bots = (None,) * people + ("random",) * (players - people)
    return checked_options(TableOptions(rules=changed, bots=bots, **choices))  # type: ignore[arg-type]


def story(options: TableOptions, moment: Moment, seed: int) -> Story:
    """A table at a moment; up to then people have drawn, and thrown any tile."""
    made = lives.Story(options, f"{seed}", still=True)
    made.fill()
    if moment != "waiting":
        made.add(log.Started(user=PEOPLE[0], secret=made.secret()))
    if moment not in ("waiting", "dealing"):
        for user in made.state.people:
            made.given[user] = made.rng.randbytes(16)
            made.add(made.committed(user, made.given[user]))
        made.deal()
        least = {"playing": 100, "late": 6, "last": 1}[moment]
        while (now := made.state).stage is Stage.PLAYING:  # a bot may end the deal before
            if unwrap(now.deal).public.stock_count <= least:
                break
            made.add(_throw(now, made.rng))
    return Story([*lives.rows_of(made.steps)], made.state)


def _throw(state: TableState, rng: random.Random) -> log.Acted:
    """What a person throws at random, or what the bot that sits there plays."""
    deal = unwrap(state.deal)
    seat = state.seats[deal.turn]
    action: Action = DRAW if deal.phase is Phase.DRAW else PASS
    if seat.bot is not None:
        bot, view = bot_info(seat.bot), view_of(deal, deal.turn)
        action = bot.factory(state.bot_seed(deal.turn)).choose(view, Options(view))
        return log.Acted(seat=deal.turn, actions=(action,), by="bot", bot=bot.mark)
    if deal.phase is Phase.PLAY:
        action = Discard(rng.choice(distinct_bits(deal.hands[deal.turn])))
    return log.Acted(seat=deal.turn, actions=(action,), by="user", user=seat.user)


@lru_cache(maxsize=512)
def _cached(moment: Moment, seed: int, **choices: Any) -> Story:
    return story(table_options(deals=1, **choices), moment, seed)


def at_once(work: Coroutine[object, None, T]) -> T:
    """What comes of something that need not wait."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("it waits")


def some_story(rng: random.Random) -> Story:
    """One of a few hundred tables."""
    return _cached(
        rng.choice(("waiting", "dealing", "playing", "late", "late", "last")),
        rng.randrange(3),
        preset=rng.choice(("altinstar", "pagat", "wiki")),
        teams=rng.random() < 0.3,
        people=rng.choice((1, 2, 3, 4, 4)),
        clock=rng.choice((0, 5, 30)),
        spectators=rng.choice(("off", "live", "delayed", "deal", "turn")),
        seats=rng.choice(("choice", "random")),
    )


def wish(client: Playing, rid: str, rng: random.Random) -> ask.Logged:
    """What the person behind a client does next, sensible more often than not."""
    seat = None if client.model.you is None else client.model.you["seat"]
    if rng.random() < 0.12:
        return _whim(rid, rng)
    stage = client.model.table.get("stage")
    if seat is None:
        return ask.Sit(rid=rid, seat=rng.choice((None, 0, 1, 2, 3)))
    sitting = client.model.table["seats"][seat]
    if stage == Stage.WAITING:
        if sitting.get("owner") and rng.random() < 0.5:
            return ask.Start(rid=rid)
        return ask.Ready(rid=rid, on=rng.random() < 0.8)
    if stage == Stage.DEALING:
        step = client.contributions.step(client.model.table, seat)
        if step is None or rng.random() < 0.3:
            return ask.Ready(rid=rid)
        if step["kind"] == "commit":
            return ask.Commit(rid=rid, commitment=step["commitment"])
        return ask.Reveal(rid=rid, random=step["random"])
    if stage == Stage.OVER:
        return ask.Rematch(rid=rid, on=rng.random() < 0.8)
    if sitting.get("away"):
        return ask.Resume(rid=rid)
    return ask.Act(rid=rid, action=_play(client, seat, rng))


def _play(client: Playing, seat: int, rng: random.Random) -> str:
    deal = unwrap(client.model.deal)
    if deal["phase"] in ("draw", "must-draw"):
        return "take" if rng.random() < 0.2 else "draw"
    if deal["phase"] == "play":
        hand = [str(TILES[tile]) for tile in Rack.parse((client.model.you or {}).get("hand", ""))]
        if deal["taken"] is not None and rng.random() < 0.7:
            return "return"
        return f"discard {rng.choice(hand or ['R1'])}"
    return rng.choice(("take", "pass", "indicator"))


ODD = (
    "draw", "discard R1", "back 1", "pass", "take", "announce", "indicator", "lay R1 > 1",
    "meld R1 R1 / R2 R2", "draw draw", "discard", "discard R14", "meld / ", "lay R1 0", "0: draw",
    "?",
)  # fmt: skip
"""Actions that may be legal, and some that are none."""


def _whim(rid: str, rng: random.Random) -> ask.Logged:
    some: tuple[ask.Logged, ...] = (
        ask.Sit(rid=rid, seat=rng.choice((None, 0, 1, 2, 3))),
        ask.Leave(rid=rid),
        ask.Ready(rid=rid, on=rng.random() < 0.5),
        ask.SetBot(
            rid=rid, seat=rng.randrange(4), bot=rng.choice((None, "random", "random", "nix"))
        ),
        ask.Kick(rid=rid, seat=rng.randrange(4)),
        ask.Start(rid=rid),
        ask.Commit(rid=rid, commitment=rng.randbytes(32).hex()),
        ask.Reveal(rid=rid, random=rng.randbytes(16).hex()),
        ask.Act(rid=rid, action=rng.choice(ODD)),
        ask.Resume(rid=rid),
        ask.Rematch(rid=rid, on=rng.random() < 0.5),
    )
    return rng.choice(some)
