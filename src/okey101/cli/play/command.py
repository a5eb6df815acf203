"""``okey101 play``: turns the options of the command line into the settings of a match."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from okey101.bots.specs import check_bot_starts
from okey101.cli.failures import USAGE, Failure, game_failure
from okey101.cli.output import Output
from okey101.cli.play import PlaySettings, run
from okey101.cli.rules import rules_of
from okey101.errors import OkeyError
from okey101.game.dealing import seed_of
from okey101.i18n import Texts

__all__ = ["Wishes", "play_match", "settings_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The options of ``okey101 play`` as they were typed."""

    rules: str = "altinstar"
    settings: tuple[str, ...] = ()
    deals: int = 3
    players: int | None = None
    teams: bool = False
    bots: str = "steady"
    seed: str | None = None
    record: str | None = None
    resume: bool = False
    name: str = ""


def settings_of(wishes: Wishes, texts: Texts, *, colour: bool) -> PlaySettings:
    """The settings of a match; raises Failure, with exit code 2, for wishes that can't be met."""
    changes = list(wishes.settings)
    if wishes.players is not None:
        changes.append(f"players={wishes.players}")
    if wishes.teams:
        changes.append("teams=true")
    bots = tuple(bot.strip() for bot in wishes.bots.split(","))
    try:
        settings = PlaySettings(
            rules=rules_of(wishes.rules, changes, texts),
            deals=wishes.deals,
            bots=bots,
            seed=None if wishes.seed is None else seed_of(wishes.seed),
            lang=texts.language,
            record=None if wishes.record is None else Path(wishes.record),
            color=colour,
            name=wishes.name,
            resume=wishes.resume,
        )
        for bot in bots:
            check_bot_starts(bot)
    except OkeyError as error:
        failure = game_failure(error, texts)
        failure.exit_code = USAGE
        raise failure from None
    return settings


def play_match(output: Output, wishes: Wishes) -> int:
    """Play a match at the terminal; returns the exit code.

    Raises Failure for wishes that can't be met.
    """
    settings = settings_of(wishes, output.texts, colour=output.colour)
    if output.as_json:
        message = output.texts("error-no-such-option", option="--json")
        raise Failure(USAGE, "no-such-option", message, option="--json")
    return run(settings)
