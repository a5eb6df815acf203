"""Bots of others at served tables: where the host allows, in a process that is told its view."""

from __future__ import annotations

from dataclasses import replace

import pytest

from okey101.bots import make_bot
from okey101.bots.base import BotFault
from okey101.errors import OkeyError
from okey101.game import PRESETS, Deal, Options, deal_from_seed, view_of
from okey101.game.record.form import Actor
from okey101.game.record.verification import State
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.settings import SettingsError, load_settings
from okey101.server.tables import log_entries as log
from okey101.server.tables.seats import actor_of
from okey101.server.work.bot_thoughts import Thinkers, Thought
from okey101.server.work.served_bots import OURS, ServedBots
from okey101.sim.bot_proofs import Why, verify_bots
from server.tables.served_match import served_record


def test_only_what_the_host_allows_may_play() -> None:
    with pytest.raises(OkeyError) as caught:
        checked_options(TableOptions(bots=("mine",)))
    assert caught.value.code == "unknown-bot"
    for name in ("okey101.bots.greedy:GreedyBot", "exec:true"):
        with pytest.raises(OkeyError):
            OURS.check(name)
    served = ServedBots([("mine", "okey101.bots.greedy:GreedyBot")])
    assert checked_options(TableOptions(bots=("mine",)), served).bots[0] == "mine"
    served.check("steady")
    with pytest.raises(OkeyError):
        served.check("okey101.bots.greedy:GreedyBot")


async def test_they_think_in_processes_of_their_own() -> None:
    rules = PRESETS["altinstar"]
    deal = Deal.start(rules, deal_from_seed(rules, bytes(32), 0))
    view = view_of(deal, deal.turn)
    some = [("mine", "okey101.bots.greedy:GreedyBot"), ("broken", "no_such_module:Bot")]

    thinkers, others = Thinkers(0, served=ServedBots(some)), Thinkers(0)
    try:
        chosen = await thinkers.choose(Thought("mine", 5, view))
        assert chosen == make_bot("greedy").choose(view, Options(view))
        with pytest.raises(BotFault):
            await thinkers.choose(Thought("broken", 5, view))
        with pytest.raises(OkeyError):
            await others.choose(Thought("mine", 5, view))
    finally:
        await thinkers.close()
        await others.close()


def test_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OKEY101_BOTS", "mine=mybot:Careful; js = exec:node bot.js --fast ;")
    assert load_settings().bots == (("mine", "mybot:Careful"), ("js", "exec:node bot.js --fast"))
    for wrong in ("mine", "steady=mybot:Careful", "=x", "Mine=x:Y", "a b=x:Y", "mine="):
        monkeypatch.setenv("OKEY101_BOTS", wrong)
        with pytest.raises(SettingsError) as caught:
            load_settings()
        assert caught.value.details["wanted"] == "bots"


def test_records_mark_them_and_verify_does_not_check_them() -> None:
    entry = log.Acted(seat=1, actions=(), by="bot", bot="external:mine")
    assert actor_of(entry) == "external:mine"
    assert Actor.parse("external:mine/3") == Actor("external", "mine/3")
    for wrong in ("external", "external:", "external:a b", "external:a/0"):
        with pytest.raises(OkeyError):
            Actor.parse(wrong)
    honest = served_record()
    deal = honest.deals[0]
    assert deal.actors is not None
    told = tuple(actor.replace("bot:greedy/1", "external:greedy") for actor in deal.actors)
    changed = replace(honest, deals=(replace(deal, actors=told), *honest.deals[1:]))
    first, second = verify_bots(changed)
    assert (first.state, first.why, first.unknown) == (
        State.UNKNOWN, (Why.EXTERNAL,), ("external:greedy",),
    )  # fmt: skip
    assert not first.errors
    assert first.seats[1:] == ("replayable", "external", "replayable")
    assert second.seats[1:] == ("replayable", "replayable", "replayable")
    other = tuple(actor.replace("bot:greedy/1", "external:mine") for actor in deal.actors)
    changed = replace(honest, deals=(replace(deal, actors=other), *honest.deals[1:]))
    assert {error.code for error in verify_bots(changed)[0].errors} == {"fair-actor"}


def test_search_plays_where_the_host_wants_it_alone() -> None:
    with pytest.raises(OkeyError, match="champion") as refused:
        OURS.check("champion")
    assert refused.value.code == "unknown-bot"
    served = ServedBots(search=True)
    served.check("champion")
    assert served.searchers == ("champion",)
    assert not served.outside
