"""Bots at a table: one deal from its first action to its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from okey101.bots import Bot, bot_of
from okey101.bots.base import tell_end
from okey101.errors import OkeyError, checked, exactly
from okey101.game import Action, Deal, Layout, Options, RuleSet, View, apply, view_of

TURN_LIMIT: Final = 100
"""A turn may have so many actions; at a table that counts faults, default moves end it then."""


def choose(position: Deal | View, bot: Bot | str = "steady", *, seed: int = 0) -> Action:
    """What a bot does in the seat to act, seeing what that seat sees.

    The bot is one of your own, or the word that names one (:func:`okey101.bots.bot_info`), then
    seeded with ``seed``. OkeyError ``not-to-act`` where it isn't the turn of the view's seat or the
    deal is over, ``unknown-bot`` and ``bot-unloadable``.

    >>> choose(Deal.start("pagat", seed=7), "greedy")
    Discard('K8')
    """
    if isinstance(position, Deal):
        position = view_of(position, position.turn)
    if not checked(position, View, "deal or view").to_act:
        message = "only the seat to act of a running deal has choices"
        raise OkeyError("not-to-act", message, seat=position.seat)
    return bot_of(bot, seed).choose(position, Options(position))


def play_out(deal: Deal, bots: Sequence[Bot] | Mapping[int, Bot]) -> Deal:
    """Let bots, one a seat, play a deal to its end, or until a seat that has none is to act.

    OkeyError ``too-many-actions`` for one that does not end its turn.
    """
    seated = bots if isinstance(bots, Mapping) else dict(enumerate(bots))
    streak = 0
    while not deal.over and (seat := deal.turn) in seated:
        if streak >= TURN_LIMIT:
            message = f"the bot of seat {seat} does not end its turn: {streak} actions so far"
            raise OkeyError("too-many-actions", message, limit=TURN_LIMIT)
        deal = apply(deal, choose(deal, seated[seat]))
        streak = streak + 1 if deal.turn == seat else 0
    for seat, bot in seated.items() if deal.over else ():
        tell_end(bot, view_of(deal, seat))
    return deal


def play_deal(
    rules: RuleSet | str,
    bots: Sequence[Bot | str] | str,
    layout: Layout | None = None,
    *,
    seed: bytes | int | str | None = None,
    dealer: int | None = None,
    bot_seed: int = 0,
) -> Deal:
    """Play one deal with a bot for each seat and return it, finished.

    Rules, layout, seed and dealer are those of :meth:`okey101.game.deal.Deal.start`. A bot is one
    of your own, or the word that names one (:func:`okey101.bots.bot_info`), which is then seeded by
    its seat and ``bot_seed``: the same call gives the same deal. One word serves all seats.
    OkeyError ``unknown-bot`` and ``bot-unloadable``, ``wrong-count`` unless there is one for each
    seat, and ``too-many-actions`` for one that does not end its turn.

    >>> deal = play_deal("pagat", ["greedy", "greedy", "random", "random"], seed=7)
    >>> deal.over
    True
    """
    deal = Deal.start(rules, layout, seed=seed, dealer=dealer)
    players = deal.rules.players
    if isinstance(bots, str):
        bots = [bots] * players
    exactly(players, bots, "bots")
    first = checked(bot_seed, int, "whole number") * players
    seated = [bot_of(bot, first + seat) for seat, bot in enumerate(bots)]
    return play_out(deal, seated)
