"""What a host chooses for a table, checked as a whole."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta, Struct

from okey101.errors import RuleSetError
from okey101.game import RuleSet
from okey101.server.errors import refuse
from okey101.server.work.served_bots import OURS, ServedBots

BotName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32, description="a bot's name")]
SpectatorMode: TypeAlias = Literal["off", "live", "turn", "delayed", "deal"]


class TableOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a table is played; every field has a default.

    ``rules`` is a preset's name and the changed fields, as in a record. ``clock`` is seconds a
    turn, 0 for none; ``bots`` names a bot or null for each seat; ``late`` lets people take over the
    seats of bots during the match; ``hints`` lets people ask what to do. Spectators see the public
    side: never, live, when the turn is over, ``delay`` seconds later, or when the deal is over.
    ``quick`` is how many seconds a quick table waits for people before bots fill it; 0 is any other
    table. Only the server opens quick tables, and nobody has an owner's rights there.
    """

    rules: dict[str, str | int | bool] = {}
    deals: Annotated[int, Meta(ge=1, le=100)] = 5
    clock: Annotated[int, Meta(ge=0, le=600)] = 30
    assisted: bool = True
    bots: Annotated[tuple[BotName | None, ...], Meta(max_length=4)] = ()
    listed: bool = False
    spectators: SpectatorMode = "deal"
    delay: Annotated[int, Meta(ge=5, le=3600)] = 60
    seats: Literal["choice", "random"] = "choice"
    phrases: bool = True
    late: bool = True
    quick: Annotated[int, Meta(ge=0, le=60)] = 0
    hints: bool = True


def rules_of(options: TableOptions) -> RuleSet:
    """The rule set a table is played by; RuleSetError for one that can't be."""
    return RuleSet.from_dict(dict(options.rules))


def written_rules(rules: RuleSet) -> dict[str, str | int | bool]:
    """Every field of a rule set, as the options of a table keep them."""
    return cast("dict[str, str | int | bool]", rules.to_dict())


def checked_options(options: TableOptions, served: ServedBots = OURS) -> TableOptions:
    """The options with rules written out and a bot or None for each seat.

    ``served`` are the bots that may play. Raises RuleSetError, and OkeyError ``bad-options`` and
    ``unknown-bot``.
    """
    try:
        rules = rules_of(options)
    except RuleSetError:
        raise
    except (TypeError, ValueError) as error:
        refuse("bad-options", reason=str(error))
    if 0 < options.clock < 5:
        refuse("bad-options", reason="clock is 0 or at least 5 seconds")
    if len(options.bots) > rules.players:
        refuse("bad-options", reason=f"bots names more than {rules.players} seats")
    for bot in options.bots:
        if bot is not None:
            served.check(bot)
    bots = options.bots + (None,) * (rules.players - len(options.bots))
    # Whoever may not look in can't come in late.
    late = options.late and options.spectators != "off"
    return msgspec.structs.replace(options, rules=written_rules(rules), bots=bots, late=late)


# What is said over HTTP before anybody sits down: lists, and tables against bots.


class PlayBody(Struct, forbid_unknown_fields=True):
    """A match against bots at once: rules as in a record, and how strong the bots are."""

    rules: dict[str, str | int | bool] = {}
    deals: Annotated[int, Meta(ge=1, le=100)] = 5
    clock: Annotated[int, Meta(ge=0, le=600)] = 0
    assisted: bool = True
    bot: Annotated[str, Meta(max_length=32)] = "steady"


class Felt(Struct):
    """A deal at a glance, as far as spectators may see it: no hand, and nothing newer.

    ``groups`` are the tiles of the groups on the table, ``sizes`` how many each hand has, ``tops``
    each seat's last discard or null.
    """

    groups: list[str]
    sizes: list[int]
    tops: list[str | None]
    turn: int
    stock: int
    indicator: str


class TableLine(Struct):
    """A table in a list: who sits there, with what faces, and by what rules it is played.

    The first of those that are played, and that everybody may watch, have a ``felt``.
    """

    id: str
    stage: str
    seats: list[str | None]
    faces: list[int | None]
    free: int
    options: TableOptions
    counted: int
    spectators: int
    felt: Felt | None = None


class Applied(Struct):
    """Where in the table's log a command was applied, or how far the log is by now."""

    table: str
    seq: int
