"""A bot at a served table: the same class that plays in the arena."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, cast

from okey101.bots.base import Bot, BotFactory, BotFault, asked, tell_end
from okey101.bots.fallback import fallback_action
from okey101.bots.registry import bot_info, info_of, made
from okey101.client.errors import CommandRefused, refusal
from okey101.client.heads import Heads
from okey101.client.line import Pace
from okey101.client.server import Client
from okey101.client.table import JoinedTable

AnyBot: TypeAlias = Bot | BotFactory | type[Bot] | str
"""A bot, what makes one from a seed, or the word that names one (:mod:`okey101.bots.registry`)."""
_GAME_MOVED_ON = frozenset({"turn-over", "not-playing", "bot-plays", "not-your-turn"})


class PlayedMatch(NamedTuple):
    """A match that a bot has played.

    ``faults`` counts ``crashed``, ``illegal`` and ``late`` choices, for which the fallback was
    played, and ``reason`` is the first of them. ``lines`` is how often the line was opened.
    """

    table: str
    seat: int
    totals: tuple[int, ...]
    places: tuple[int, ...]
    moves: int
    lines: int
    sent_again: int
    faults: Mapping[str, int]
    reason: str


@dataclass(slots=True)
class Faults:
    """What a bot did wrong: counts of ``crashed``, ``illegal`` and ``late``, and the first one."""

    counts: Counter[str] = field(default_factory=Counter)
    reason: str = ""

    def add(self, kind: str, reason: str) -> None:
        """Note one."""
        self.counts[kind] += 1
        self.reason = self.reason or reason


async def play(
    url: str,
    bot: AnyBot,
    *,
    table: str | None = None,
    seat: int | None = None,
    token: str | None = None,
    name: str = "My bot",
    against: str = "steady",
    deals: int = 1,
    seed: int | None = None,
    pace: Pace = Pace(),  # noqa: B008  # it never changes
    heads: Heads | None = None,
) -> PlayedMatch:
    """Play one match and return how it went.

    It is played at the ``table``, in the ``seat`` or the first free one; or at a new table,
    ``against`` bots of the server, for that many ``deals``. At its own table the bot starts the
    match: CommandRefused ``seats-empty`` or ``not-ready`` where that can't be. ``token`` says who
    the bot is; without one it is a guest called ``name``. ``heads`` has what was seen of servers'
    logs. Raises CommandRefused and Ended (:mod:`okey101.client.errors`), as
    :meth:`okey101.client.Client.compare_heads` tells, and as
    :func:`okey101.bots.registry.bot_info`, for what makes no bot of a seed as well.
    """
    bot = _factory(bot)
    client = Client(url, token, heads=heads)
    if token is None:
        client = await Client.as_guest(url, name, heads=heads)
    if table is None:
        table = await client.against_bots(deals=deals, bot=against)
    async with client.join(table, pace=pace) as at:
        if at.seat is None:
            await at.sit(seat)
        if at.stage == "waiting":
            await at.ready()
            await at.until(lambda: at.stage != "waiting" or at.owns)
            if at.stage == "waiting":
                await at.start()
        played = await play_at(at, bot, seed=seed)
        await client.check_ends(at)
        return played


async def play_at(
    table: JoinedTable, bot: AnyBot, *, seed: int | None = None, faults: Faults | None = None
) -> PlayedMatch:
    """Play at a table where you have a seat, until its match is over.

    ``faults`` hears of each fault at once, if you want to know before the end. CommandRefused
    ``not-seated`` where that seat was promised from a deal on that was never dealt.
    """
    noted = Faults() if faults is None else faults
    seeds = random.Random(seed)  # of a bot
    factory = _factory(bot)
    player: Bot | None = None
    moves, number = 0, (-1, -1)
    async for turn in table.turns():
        deal = table.match, table.deal_number
        if deal != number:
            _tell_end(player, table, noted)
            number = deal
            player = factory(seeds.getrandbits(64))
        assert player is not None
        try:  # in a thread, as it may take its time
            action = await asyncio.to_thread(asked, player, turn.view, turn.options)
        except BotFault as fault:
            action = fallback_action(turn.view)
            if not turn.over:
                noted.add(fault.kind, str(fault))
        if turn.over:
            noted.add("late", "the turn was over before the choice was made")
            continue
        for refused in (False, True):  # where the rules refuse it, the fallback
            try:
                await turn.act(fallback_action(turn.view) if refused else action)
            except CommandRefused as error:
                if error.code in _GAME_MOVED_ON:
                    break
                if refused:
                    raise
                noted.add("illegal", f"{action}: {error.message}")
            else:
                moves += 1
                turn.refused = None
                break
    if table.seat is None:
        raise refusal("not-seated")
    _tell_end(player, table, noted)
    return PlayedMatch(
        table.id, table.seat, table.totals, table.places, moves, table.lines, table.sent_again,
        dict(noted.counts), noted.reason,
    )  # fmt: skip


def _factory(bot: AnyBot) -> BotFactory:
    """What makes the bot of each deal, tried once: OkeyError comes before there is a table."""
    if not isinstance(bot, str | type) and hasattr(bot, "choose"):
        return lambda _: cast("Bot", bot)
    info = bot_info(bot) if isinstance(bot, str) else info_of(bot)
    made(info, bot if isinstance(bot, str) else info.name)
    return info.factory


def _tell_end(bot: Bot | None, table: JoinedTable, noted: Faults) -> None:
    """Tell a bot that wants to know how its deal ended; what it does then ends no match."""
    if bot is not None and (view := table.finished) is not None:
        try:
            tell_end(bot, view)
        except (Exception, SystemExit) as error:  # noqa: BLE001
            noted.add("crashed", f"{type(error).__name__}: {error}")
