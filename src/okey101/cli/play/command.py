"""``okey101 play``: turns the options of the command line into the settings of a match."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from okey101.bots.registry import check_bot_starts
from okey101.cli.failures import USAGE, Failure, as_usage
from okey101.cli.output import Output
from okey101.cli.play.main import PlaySettings, run
from okey101.cli.progress import ready
from okey101.cli.rules import rules_of
from okey101.game.dealing import seed_of
from okey101.i18n import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """The options of ``okey101 play`` as they were typed."""

    rules: str = "altinstar"
    settings: tuple[str, ...] = ()
    deals: int = 3
    players: int | None = None
    teams: bool = False
    bots: str = "steady"
    seed: str | None = field(default=None, repr=False)
    record: str | None = None
    resume: bool | None = None
    name: str = ""


def settings_of(options: PlayOptions, texts: Texts, *, colour: bool) -> PlaySettings:
    """The settings of a match; raises Failure, with exit code 2, for options that can't be met."""
    changes = list(options.settings)
    if options.players is not None:
        changes.append(f"players={options.players}")
    if options.teams:
        changes.append("teams=true")
    bots = tuple(bot.strip() for bot in options.bots.split(","))
    with as_usage(texts):
        settings = PlaySettings(
            rules=rules_of(options.rules, changes, texts),
            deals=options.deals,
            bots=bots,
            seed=None if options.seed is None else seed_of(options.seed),
            lang=texts.language,
            record=None if options.record is None else Path(options.record),
            color=colour,
            name=options.name,
            resume=options.resume,
        )
        for bot in bots:
            check_bot_starts(bot)
    return settings


def play_match(output: Output, options: PlayOptions) -> int:
    """Play a match at the terminal; returns the exit code.

    Raises Failure for options that can't be met.
    """
    settings = settings_of(options, output.texts, colour=output.colour)
    if output.as_json:
        message = output.texts("error-no-such-option", option="--json")
        raise Failure(USAGE, "no-such-option", message, option="--json")
    ready(output, settings.bots)
    return run(settings)
