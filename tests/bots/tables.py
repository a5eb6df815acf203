"""Rule sets that bots are tried under, and deals played with every choice looked at."""

import random
from collections.abc import Callable, Iterator, Sequence

from okey101.bots import Bot, make_bot
from okey101.bots.champion import ChampionBot
from okey101.bots.search import SearchBot
from okey101.game import PRESETS, Deal, Options, RuleSet, View, apply, deal_from_seed, view_of
from okey101.game.actions import Action


class Quick(SearchBot):
    """The searching bot with next to no budget."""

    worlds = 2


class QuickChampion(ChampionBot):
    """The other one that searches, with next to no budget."""

    worlds = 2


Watch = Callable[[Deal, View, Options, Action], None]

TABLES: dict[str, RuleSet] = (
    {
        f"{name}-{players}": rules.with_(players=players)
        for name, rules in PRESETS.items()
        for players in (2, 3, 4)
    }
    | {f"{name}-teams": rules.with_(teams=True) for name, rules in PRESETS.items()}
    | {
        f"{name}-beyond": rules.with_(rising=True, reclaim_okey=True)
        for name, rules in PRESETS.items()
    }
    | {
        "low": RuleSet(open_points=51, open_pairs=4, reclaim_okey=True, short_opening="refuse"),
        "high": RuleSet(open_points=151, open_pairs=7, rising=True),
        "no-fines": RuleSet(okey_discard_fine=0, playable_discard_fine=0),
        "riziko-3": RuleSet(players=3, false_joker_indicator="riziko", indicator_is_last_tile=True),
        "partners-apart": PRESETS["wiki"].with_(
            teams=True,
            partner_opens=True,
            partner_waived=True,
            melds_lay_pairs=True,
            lay_off_when_opening=False,
        ),
        "pairs-apart": PRESETS["pagat"].with_(
            open_pairs=4,
            pairs_lay_off="none",
            reclaim_okey=True,
            indicator_is_last_tile=True,
            last_discard_takeable=False,
            melds_lay_pairs=True,
            taken_to_open_fine=101,
        ),
        "whole-hand-wiki": PRESETS["wiki"].with_(whole_hand_opens=True, return_discard=False),
    }
)


def dealt(rules: RuleSet, number: int) -> Deal:
    seed = random.Random(number).randbytes(32)
    return Deal.start(rules, deal_from_seed(rules, seed, number % rules.players))


def shown(deal: Deal) -> tuple[View, Options]:
    view = view_of(deal, deal.turn)
    return view, Options(view)


def choice(bot: Bot | str, deal: Deal) -> Action:
    """What a bot, or the one of a name, chooses for the seat to act."""
    return (make_bot(bot) if isinstance(bot, str) else bot).choose(*shown(deal))


def onward(deal: Deal, bot: Bot | str = "greedy", actions: int = 1) -> Iterator[Deal]:
    """A deal and what a bot in all seats makes of it: so many actions on, or to the end."""
    yield deal
    for _ in range(actions):
        if deal.over:
            return
        deal = apply(deal, choice(bot, deal))
        yield deal


def play(deal: Deal, names: Sequence[str], seed: int = 0, watch: Watch | None = None) -> Deal:
    """Play a deal to its end; every action is legal and moves the deal on."""
    bots: list[Bot] = [make_bot(name, seed + seat) for seat, name in enumerate(names)]
    while not deal.over:
        view, options = shown(deal)
        action = bots[deal.turn].choose(view, options)
        assert action in deal.legal_actions(), f"{bots[deal.turn].name}: {action}"
        if watch is not None:
            watch(deal, view, options, action)
        deal = apply(deal, action)
        assert len(deal.public.actions) < 2_000
    return deal
