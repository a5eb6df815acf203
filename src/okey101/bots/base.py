"""What a bot is: a name, and a choice made from a view and its options."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

from okey101.errors import OkeyError, nearest
from okey101.game import Action, Options, View


@runtime_checkable
class Bot(Protocol):
    """A player of one seat.

    A bot keeps nothing between calls: its choice follows from its seed, the view and the options
    alone. So a match can be resumed, and a seat handed over, at any action. It looks at no clock,
    and decides alike under every Python: it uses integers, single steps of floats, and
    ``math.fsum`` (``sum`` adds floats otherwise since Python 3.12, and ``**`` depends on the
    system's library).
    """

    @property
    def name(self) -> str:
        """The name the registry knows it by."""
        ...

    def choose(self, view: View, options: Options) -> Action:
        """A legal action for the seat of the view; it has to be that seat's turn."""
        ...


BotFactory: TypeAlias = Callable[[int], Bot]
"""Makes a bot from a seed."""


class BotInfo(NamedTuple):
    """A bot in the registry; ``description`` is the key of its sentence in the catalogues.

    ``version`` changes as soon as the bot chooses differently anywhere, even if only because the
    solver answers differently: whoever replays its choices must know whether they can agree.
    """

    name: str
    version: int
    factory: BotFactory
    description: str
    replayable: bool = True
    """Whether view and seed alone decide, so that anybody with the bot can replay its choices."""

    @property
    def mark(self) -> str:
        """Name and version, as logs and records have them."""
        return f"{self.name}/{self.version}"


class BotFault(Exception):
    """Why a bot gives no choice, in one word: ``late``, ``crashed`` or ``illegal``."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def asked(bot: Bot, view: View, options: Options) -> Action:
    """What a bot chooses; BotFault whatever it does instead, so that the game goes on."""
    try:
        return bot.choose(view, options)
    except BotFault:
        raise
    except (Exception, SystemExit) as error:  # neither ends the table
        raise BotFault("crashed", f"{type(error).__name__}: {error}") from error


def tell_end(bot: Bot, view: View) -> None:
    """Show a bot how its deal ended, if it has the method ``ended`` for that."""
    ended = getattr(bot, "ended", None)
    if ended is not None:
        ended(view)


def unknown_bot(name: str, known: Iterable[str]) -> OkeyError:
    """The error for a name that no bot has: OkeyError ``unknown-bot``."""
    names = list(known)
    told = ", ".join(names)
    message = f"no bot is called {name!r}; known: {told}"
    return OkeyError("unknown-bot", message, name=name, known=told, meant=nearest(name, names))


def decision_rng(seed: int, view: View) -> random.Random:
    """The randomness of one decision: the same for the same seed and the same view."""
    public = view.public
    return random.Random(f"{seed} {view.seat} {len(public.actions)} {view.hand}")
