"""Sitting at the terminal game: scripted lines in, text out, from any position."""

import contextlib
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from cli.conftest import Ran
from okey101.bots.base import Bot
from okey101.bots.registry import make_bot
from okey101.cli.play.console import Console, PlayerLeft
from okey101.cli.play.main import PlaySettings, run
from okey101.cli.play.saved import Saved, Saver
from okey101.cli.play.session import PlaySession
from okey101.game import Deal, Match, RuleSet, apply, deal_from_hands, parse_line
from okey101.i18n import load
from okey101.tiles import Rack, parse_tile


def greedy(name: str, seed: int = 0) -> Bot:
    """Greedy in every seat and for hints: quick, and known since the beginning."""
    return make_bot("greedy" if name == "steady" else name, seed)


@contextlib.contextmanager
def unhurried() -> Iterator[None]:
    """Quick bots, and no waiting for the disk, which takes most of the time: the power stays on."""
    with mock.patch("os.fsync"), mock.patch("okey101.cli.play.session.bot_of", greedy):
        yield


class Lines(io.StringIO):
    """Lines typed one after another; a terminal's, or a pipe's."""

    def __init__(self, lines: Iterable[str], *, terminal: bool = False) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@contextlib.contextmanager
def typing(lines: Lines, out: io.StringIO, err: io.StringIO) -> Iterator[None]:
    shown = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
    with unhurried(), mock.patch("sys.stdin", lines), shown[0], shown[1]:
        yield


@dataclass
class Sitting:
    deals: tuple[Deal, ...]
    text: str
    before: Deal
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = self.text.splitlines()

    @property
    def deal(self) -> Deal:
        return self.deals[-1]

    @property
    def actions(self) -> list[str]:
        done = self.deals[0].public.actions[len(self.before.public.actions) :]
        return [f"{seat}: {action}" for seat, action in done]


def position(
    hands: list[str],
    *actions: str,
    stock: str = "R1 R2 R3 R4",
    indicator: str = "B5",
    rules: RuleSet | None = None,
    dealer: int = 0,
) -> Deal:
    """A deal with these hands in which these actions have been played, one or several a text."""
    rules = rules or RuleSet(players=len(hands))
    dealt = deal_from_hands(
        rules,
        indicator=parse_tile(indicator),
        hands=tuple(Rack.parse(hand).bits for hand in hands),
        stock=tuple(Rack.parse(stock)),
        dealer=dealer,
    )
    deal = Deal.start(rules, dealt)
    for line in "; ".join(actions).split("; ") if actions else ():
        deal = apply(deal, parse_line(line)[1])
    return deal


OPENED = "0: meld R10 R11 R12 R13 / K10 K11 K12 K13 / B1 B2 B3 / Y1 Y2 Y3"
HAND = "R10 R11 R12 R13 K10 K11 K12 K13 B1 B2 B3 Y1 Y2 Y3"
MORE = "R9 R9 B4 Y4 Y5 K1 * F"


def opened() -> Deal:
    """Seat 0 has opened and holds R9 R9 B4 Y4 Y5 K1, an okey (B6) and a false joker."""
    return position([f"{HAND} {MORE}", "K2 K3 K4 K5 R5"], OPENED)


def sit(path: Path, deal: Deal, *lines: str, lang: str = "en", color: bool = False) -> Sitting:
    """Type lines in a position, as seat 0, against greedy bots."""
    rules = deal.rules
    match = Match.new(rules, deals=1, seed=bytes(32), dealer=deal.layout.dealer)
    bots = ("", *("greedy",) * (rules.players - 1))
    out = io.StringIO()
    saved = Saved(match, (deal,), 0, "", bots)
    saver = Saver(path / "sitting.okey.json")
    with typing(Lines(lines), out, out), contextlib.suppress(PlayerLeft):
        session = PlaySession(saved, saver, Console(), load(lang), color=color)
        session.play()
    return Sitting(session._saved.deals, out.getvalue(), deal)


def play(settings: PlaySettings, *lines: str, terminal: bool = False) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    with typing(Lines(lines, terminal=terminal), out, err):
        code = run(settings)
    return Ran(code, out.getvalue(), err.getvalue())
