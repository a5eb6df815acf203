"""Bots at a table: one deal from its first action to its end."""

from __future__ import annotations

from collections.abc import Sequence

from okey101.bots import Bot, bot_of
from okey101.errors import OkeyError
from okey101.game.deal import Deal
from okey101.game.dealing import Layout
from okey101.game.options import Options
from okey101.game.ruleset import RuleSet
from okey101.game.transition import apply
from okey101.game.view import view_of

__all__ = ["play_deal", "play_out"]


def play_out(deal: Deal, bots: Sequence[Bot]) -> Deal:
    """Let bots, one a seat, play a deal to its end."""
    while not deal.over:
        view = view_of(deal, deal.turn)
        deal = apply(deal, bots[deal.turn].choose(view, Options(view)))
    return deal


def play_deal(
    rules: RuleSet | str,
    bots: Sequence[Bot | str],
    layout: Layout | None = None,
    *,
    seed: bytes | int | str | None = None,
    dealer: int | None = None,
    bot_seed: int = 0,
) -> Deal:
    """Play one deal with a bot for each seat and return it, finished.

    Rules, layout, seed and dealer are those of :meth:`okey101.game.deal.Deal.start`. A bot is one
    of your own, or the word that names one (:func:`okey101.bots.bot_info`), which is then seeded by
    its seat and ``bot_seed``: the same call gives the same deal. OkeyError ``unknown-bot`` and
    ``bot-unloadable``, and ``wrong-count`` unless there is one for each seat.

    >>> deal = play_deal("pagat", ["greedy", "greedy", "random", "random"], seed=7)
    >>> deal.over
    True
    """
    deal = Deal.start(rules, layout, seed=seed, dealer=dealer)
    players = deal.rules.players
    if len(bots) != players:
        raise OkeyError(
            "wrong-count",
            f"{players} bots are needed, not {len(bots)}",
            wanted=players,
            got=len(bots),
        )
    seated = [
        bot_of(bot, bot_seed * players + seat) if isinstance(bot, str) else bot
        for seat, bot in enumerate(bots)
    ]
    return play_out(deal, seated)
