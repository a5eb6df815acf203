"""Bots prove themselves: an honest server's do, and one that is fed hidden tiles is told."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import pytest

from conftest import Patch, unwrap
from okey101.bots import make_bot, registry
from okey101.errors import RecordError
from okey101.game import Action, Deal, DealRecord, Options, Record, View, parse_record, view_of
from okey101.game.actions import PASS, Discard
from okey101.game.record.replay import steps_of
from okey101.game.record.verification import State, verify_record
from okey101.server.tables import clocks
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.state import TableState
from okey101.server.work import served_bots
from okey101.server.work.bot_thoughts import BotTurns, Thought
from okey101.sim.bot_proofs import BotsChecked, Why, verify_bots
from okey101.solver import best_value_bits
from okey101.tiles import BITS_OF
from server.tables.twins import BOTS, Served, served, served_record

HONEST = served_record()
Change = Callable[[DealRecord], DealRecord]


def with_deal(number: int, change: Change) -> Record:
    """The honest record with one deal changed, as it comes from a file."""
    deals = list(HONEST.deals)
    deals[number] = change(deals[number])
    return parse_record(replace(HONEST, deals=tuple(deals)).to_json())


def actors(deal: DealRecord, change: Callable[[str], str]) -> DealRecord:
    return replace(deal, actors=tuple(map(change, unwrap(deal.actors))))


def test_an_honest_server_is_proved() -> None:
    assert not verify_record(HONEST).errors
    seen: list[tuple[int, int]] = []
    found = verify_bots(HONEST, lambda done, total: seen.append((done, total)))
    total = sum(len(deal.actions) for deal in HONEST.deals)
    assert seen == [(n, total) for n in range(1, total + 1)]
    assert [deal.state for deal in found] == [State.PROVED] * 2
    assert not any(deal.errors or deal.why or deal.unknown for deal in found)
    for deal, written in zip(found, HONEST.deals, strict=True):
        assert written.actors is not None
        counts = Counter(written.actors)
        assert sum((Counter(seat) for seat in deal.actors), Counter()) == counts
        assert deal.proved == len(written.actors) - counts["person"]
        assert deal.fallbacks == counts["fallback"]
        for seat, bot in enumerate(BOTS):
            if bot is not None:
                assert set(deal.actors[seat]) <= {f"bot:{bot}/1", "fallback"}
    played = {actor for deal in HONEST.deals for actor in deal.actors or ()}
    assert played == {"person", "clock", *(f"bot:{b}/1" for b in BOTS if b)}


def test_a_fallback_that_the_bot_did_not_need_is_said() -> None:
    """Whoever runs the table could let it play wherever it suits the hidden tiles."""
    record = served_record(fails=True)
    for deal, written in zip(verify_bots(record), record.deals, strict=True):
        assert deal.needless == deal.fallbacks == unwrap(written.actors).count("fallback") > 0
        assert (deal.state, deal.why) == (State.UNKNOWN, (Why.NEEDLESS,))
        assert not deal.errors


def test_a_fallback_that_the_bot_needed_is_proved(monkeypatch: Patch) -> None:
    class Moody:
        """Fails wherever so many actions were played, and chooses what is illegal elsewhere."""

        def __init__(self, seed: int) -> None:
            self._bot = make_bot("steady", seed)

        def choose(self, view: View, options: Options) -> Action:
            if len(view.public.actions) % 3 == 1:
                return PASS
            assert len(view.public.actions) % 3
            return self._bot.choose(view, options)

    info = registry.BOTS["greedy"]._replace(factory=Moody)  # type: ignore[arg-type]
    monkeypatch.setattr(registry, "BOTS", {**registry.BOTS, "greedy": info})
    (found,) = verify_bots(served("moody", deals=1).record())
    assert found.state is State.PROVED
    assert found.actors[2]["fallback"] == found.fallbacks > 2
    assert found.actors[2]["bot:greedy/1"] > 0
    assert found.needless == 0


def test_master_plays_for_a_search_that_is_late(monkeypatch: Patch) -> None:
    """Which is proved as well, and counted: whoever runs the table could have it be late."""
    quick = registry.SEARCHERS["search"]._replace(factory=registry.BOTS["steady"].factory)
    monkeypatch.setattr(registry, "SEARCHERS", {"search": quick})
    monkeypatch.setattr(served_bots.OURS, "searchers", ("search",))

    class Late(BotTurns):
        """Bots of which the one that searches is late at every other choice."""

        async def choose(self, thought: Thought) -> Action:
            if thought.bot == "search" and len(thought.view.public.actions) % 2:
                raise TimeoutError
            return await super().choose(thought)

    told = Served("a late search", deals=1, bots=(None, "search", "greedy", "search"))
    told.deps = replace(told.deps, bots=Late())
    told.fill()
    told.match()
    record = parse_record(told.record().to_json())
    (found,) = verify_bots(record)
    assert not found.errors
    late = sum(seat["fallback:master/2"] for seat in found.actors if "fallback:master/2" in seat)
    assert found.fallbacks == found.needless == late > 3
    assert found.actors[1]["bot:search/2"] > 0
    assert (found.state, found.why) == (State.UNKNOWN, (Why.NEEDLESS,))
    # Another choice than master's is told.
    written = record.deals[0]
    swapped = [a.replace("fallback:master/2", "fallback:novice/1") for a in unwrap(written.actors)]
    other = replace(record, deals=(replace(written, actors=tuple(swapped)),))
    (told_of,) = verify_bots(other)
    assert {error.code for error in told_of.errors} == {"fair-bot-choice"}


async def fed(state: TableState, deal: Deal, name: str, _: Dependencies) -> Action | None:
    """Steady's choice, but for discards: of those the next player can use least."""
    view = view_of(deal, deal.turn)
    options = Options(view)
    action = make_bot(name, state.bot_seed(deal.turn)).choose(view, options)
    if not isinstance(action, Discard) or len(options.discards) < 2:
        return action
    after = deal.hands[(deal.turn + 1) % len(deal.hands)]

    def use(tile: int) -> int:
        return best_value_bits(after + BITS_OF[tile], deal.public.okey)

    free = [d.tile for d in options.discards if d.points == 0 and not after >> 2 * d.tile & 2]
    return Discard(min(free, key=use)) if free else action


def test_a_bot_that_was_fed_hidden_tiles_is_told(monkeypatch: Patch) -> None:
    """The record is in order otherwise, and says that the bot is steady."""
    monkeypatch.setattr(clocks, "_chosen", fed)
    record = served("a fed bot", deals=1).record()
    assert not verify_record(record).errors
    (found,) = verify_bots(record)
    assert found.state is State.DIFFERS
    assert len(found.errors) > 3
    for error in found.errors:
        assert error.code == "fair-bot-choice"
        at, seat = error.details["action"], error.details["seat"]
        assert isinstance(at, int)
        assert error.path == f"deals[0].actions[{at}]"
        assert error.details["number"] == at + 1
        assert record.deals[0].actions[at] == f"{seat}: {error.details['claimed']}"
        assert unwrap(record.deals[0].actors)[at] == f"bot:{error.details['actor']}"
        assert error.details["actual"] != error.details["claimed"]


def test_a_bot_with_another_seed_is_told(monkeypatch: Patch) -> None:
    """A server that tries seeds until the tiles suit the bot has to write another secret."""
    monkeypatch.setattr(TableState, "bot_seed", lambda _self, seat: seat)
    (found,) = verify_bots(served("another seed", deals=1).record())
    assert found.state is State.DIFFERS
    assert {error.details["actor"] for error in found.errors} >= {"random/1"}


def renamed(before: str, after: str) -> Change:
    return lambda deal: actors(deal, lambda actor: after if actor == before else actor)


def sat(bot: str) -> Change:
    """Seat 2 was such a bot's, as the deal has it."""

    def change(deal: DealRecord) -> DealRecord:
        fair = json.loads(json.dumps(deal.fair))
        fair["seats"][2] = bot
        return replace(deal, fair=fair)

    return change


UNKNOWN: dict[str, tuple[Change, set[Why], set[str]]] = {
    "no actors": (lambda deal: replace(deal, actors=None), {Why.ACTORS}, set()),
    "not revealed": (
        lambda d: replace(d, fair={k: v for k, v in unwrap(d.fair).items() if k != "secret"}),
        {Why.SECRET}, {"bot:steady/1", "bot:greedy/1", "bot:random/1"},
    ),
    "no fairness": (lambda deal: replace(deal, fair=None), {Why.SECRET}, {"bot:random/1"}),
    "another version": (
        renamed("bot:steady/1", "bot:steady/2"), {Why.BOT, Why.VERSION}, {"bot:steady/2"},
    ),
    "an unknown bot": (renamed("bot:greedy/1", "bot:mine/7"), {Why.BOT}, {"bot:mine/7"}),
    "a host's own bot": (
        renamed("bot:greedy/1", "external:greedy"), {Why.EXTERNAL}, {"external:greedy"},
    ),
    "a seat of a bot without a name": (sat("bot:"), {Why.EXTERNAL}, {"bot:"}),
    "one without a version": (
        sat("bot:greedy"), {Why.EXTERNAL, Why.VERSION}, {"bot:greedy"},
    ),
    "a seat of another version": (sat("bot:greedy/9"), {Why.VERSION}, set()),
    "another clock": (renamed("clock", "clock/2"), {Why.FALLBACK}, {"clock/2"}),
}  # fmt: skip


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_can_not_be_told_is_no_fault(case: str) -> None:
    change, why, unknown = UNKNOWN[case]
    first, second = verify_bots(with_deal(0, change))
    seated = [e for e in first.errors if e.code == "fair-actor"]
    assert len(first.errors) == len(seated)  # only that another bot sat there, if that is written
    assert set(first.why) == why
    assert set(first.unknown) >= unknown
    if not seated:
        assert first.state is State.UNKNOWN
    assert second.state is State.PROVED


@pytest.mark.parametrize(
    ("before", "after"),
    [("person", "bot:random/1"), ("person", "clock"), ("bot:steady/1", "bot:random/1"),
     ("bot:random/1", "bot:greedy/1"), ("bot:greedy/1", "fallback"),
     ("bot:steady/1", "person"), ("bot:greedy/1", "external:mine")],
)  # fmt: skip
def test_altered_actors_are_told(before: str, after: str) -> None:
    """Each action is told where the other would have played otherwise, which is nearly always."""
    found = verify_bots(with_deal(0, renamed(before, after)))[0]
    assert found.state is State.DIFFERS
    assert {error.code for error in found.errors} <= {"fair-bot-choice", "fair-actor"}


@pytest.mark.parametrize("other", ["person", "clock", "bot:random/1"])
def test_in_the_seat_of_a_bot_nobody_else_plays(other: str) -> None:
    """Who sat there was fixed before the tiles were known: a person can't take the bot's part."""
    at = steadys("1: draw")[0]
    written = unwrap(HONEST.deals[0].actors)
    mixed = (*written[:at], other, *written[at + 1 :])
    found = verify_bots(with_deal(0, lambda deal: replace(deal, actors=mixed)))[0]
    assert found.state is State.DIFFERS
    error = next(error for error in found.errors if error.code == "fair-actor")
    assert error.path == f"deals[0].actors[{at}]"
    assert (error.details["claimed"], error.details["actual"]) == (other, "bot:steady/1")
    assert (error.details["seat"], error.details["action"]) == (1, at)


def test_an_altered_action_is_told_with_its_place() -> None:
    """Another discard of a bot, as somebody wrote it who wants to blame the server."""
    at, first = steadys("discard")[-1], HONEST.deals[0]
    actions = (*first.actions[:at], other_discard(first, at))
    cut = unwrap(first.actors)[: at + 1]
    record = with_deal(0, lambda deal: replace(deal, actions=actions, actors=cut, result=None))
    record = replace(record, deals=record.deals[:1], totals=None)
    (error,) = verify_bots(record)[0].errors
    assert (error.code, error.path) == ("fair-bot-choice", f"deals[0].actions[{at}]")
    assert error.details["actual"] == HONEST.deals[0].actions[at].partition(": ")[2]


def steadys(what: str) -> list[int]:
    """Where the first deal has such actions of ``steady``."""
    played = zip(HONEST.deals[0].actions, unwrap(HONEST.deals[0].actors), strict=True)
    steady = enumerate((text, actor) for text, actor in played)
    return [n for n, (text, actor) in steady if what in text and actor == "bot:steady/1"]


def other_discard(deal: DealRecord, at: int) -> str:
    state = [*steps_of(HONEST, 0)][at]
    seat = state.turn
    played = deal.actions[at].partition(": ")[2]
    tiles = [d.tile for d in Options(view_of(state, seat)).discards]
    return next(f"{seat}: discard {t}" for t in map(str, tiles) if f"discard {t}" != played)


def test_what_does_not_replay_is_refused() -> None:
    record = with_deal(0, lambda deal: replace(deal, actions=("0: pass", *deal.actions[1:])))
    with pytest.raises(RecordError):
        verify_bots(record)


def test_a_bot_that_fails_when_it_is_played_again_differs(monkeypatch: Patch) -> None:
    broken = Mock(**{"choose.side_effect": ZeroDivisionError})
    info = registry.BOTS["greedy"]._replace(factory=lambda _: broken)
    monkeypatch.setattr(registry, "BOTS", {**registry.BOTS, "greedy": info})
    found: BotsChecked = verify_bots(HONEST)[0]
    assert found.state is State.DIFFERS
    assert {error.details["actual"] for error in found.errors} == {"none"}
