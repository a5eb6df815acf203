"""``okey101 play``: a match at the terminal, new or saved, and the exit code it ends with."""

from __future__ import annotations

import hashlib
import os
import secrets
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from okey101.bots.registry import check_bot_starts, runs_code
from okey101.cli.help import unused
from okey101.cli.output import Exit, Failure, Output, ending, file_failure
from okey101.cli.play.console import Console, PlayerLeft
from okey101.cli.play.moves import is_no, is_yes, shown
from okey101.cli.play.saved import (
    LockTaken,
    Saved,
    Saver,
    default_path,
    locked,
    move_aside,
    read_saved,
)
from okey101.cli.play.session import PlaySession, error_line
from okey101.cli.progress import ready
from okey101.cli.rules import rules_of
from okey101.errors import OkeyError, RecordError
from okey101.game.dealing import seed_of
from okey101.game.match import Match
from okey101.game.ruleset import ALTINSTAR, RuleSet
from okey101.i18n import Texts, load

# What a match at the terminal is started with.


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """Everything the command line decides about a match.

    Raises OkeyError ``bad-bots``.

    A resumed match keeps its own rules, deals, bots, seed and name.
    """

    rules: RuleSet = ALTINSTAR
    deals: int = 3
    """Deals that count (C4)."""
    bots: tuple[str, ...] = ("steady",)
    """Names of the bots, from the player's right hand on; a single name serves for all seats."""
    seed: bytes | None = field(default=None, repr=False)
    """Fixes tiles and bots; any other length than 32 bytes is hashed. None: a new seed."""
    lang: str = "en"
    record: Path | None = None
    """Where the match is saved; None: a file in the user's state directory."""
    color: bool = False
    name: str = ""
    """What the player is called; empty: "you" in his language."""
    resume: bool | None = None
    """Go on with the match that lies in the file; an error where there is none. None: a person is
    asked, else a new match begins."""

    def __post_init__(self) -> None:
        wanted = self.rules.players - 1
        if len(self.bots) not in (1, wanted):
            got = len(self.bots)
            message = f"{self.rules.players} seats need {wanted} bots, not {got}"
            raise OkeyError("bad-bots", message, wanted=wanted, got=got)


def run(settings: PlaySettings) -> int:
    """Play a match and return the exit code: 0 ended or left, 3 a damaged save, 130 interrupted.

    1 where the file can't be read or written, or is taken; 2 for an unknown bot or a refused number
    of deals.
    """
    texts = load(settings.lang)
    console = Console()
    path = default_path(os.environ) if settings.record is None else settings.record
    try:
        if settings.record is None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(path):
            return _run(settings, path, console, texts)
    except LockTaken:
        console.complain(texts("play-file-in-use", path=str(path)))
    except BrokenPipeError:
        raise
    except OSError as error:
        lost = settings.resume and isinstance(error, FileNotFoundError)
        why = file_failure(error, str(path), texts)
        console.complain(texts("play-no-file", path=str(path)) if lost else str(why))
    return Exit.FAILED


def _run(settings: PlaySettings, path: Path, console: Console, texts: Texts) -> int:
    new_here = settings.record is None and not path.exists()
    begun, code = False, 0
    try:
        saved = _prepare(settings, path, console, texts)
        if saved is None:
            return Exit.FAILED
        _refuse_strange_code(settings, saved)
        session = PlaySession(saved, Saver(path), console, texts, color=settings.color)
        if new_here and console.interactive:
            session.greet()
        session.save()
        begun = True
        session.play()
        return 0
    except PlayerLeft:
        pass
    except KeyboardInterrupt:
        console.say("")
        code = Exit.INTERRUPTED
    except OkeyError as error:
        if begun:
            raise
        damaged = isinstance(error, RecordError)
        console.complain(_damaged(texts, path, error) if damaged else error_line(texts, error))
        return Exit.INVALID if damaged else Exit.USAGE
    if begun:
        console.say(texts("play-left", path=str(path)))
        console.quote(_command(settings))
    return code


def _refuse_strange_code(settings: PlaySettings, saved: Saved) -> None:
    """A file names the bots of its match, but only the player can have code of others run."""
    for bot in saved.bots:
        if runs_code(bot) and bot not in settings.bots:
            message = f"the file has the bot {bot} play; name it with --bots to allow that"
            raise OkeyError("bot-not-named", message, name=bot)


def _command(settings: PlaySettings) -> str:
    """What to type to go on with the match."""
    file = "" if settings.record is None else f" --record {shlex.quote(str(settings.record))}"
    strange = any(map(runs_code, settings.bots))
    bots = f" --bots {shlex.quote(','.join(settings.bots))}" if strange else ""
    return f"{_program()} play --resume{file}{bots}"


def _program() -> str:
    """How this program was started, to be typed again."""
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m okey101"
    found = shutil.which("okey101")
    if started.name != "okey101" or (found and Path(found).resolve() == started.resolve()):
        return "okey101"
    here = Path.cwd()
    shown = started.relative_to(here) if started.is_relative_to(here) else started
    return shlex.quote(str(shown))


def _prepare(settings: PlaySettings, path: Path, console: Console, texts: Texts) -> Saved | None:
    """The match to play: the saved one if the player wants it, else a new one; None: refused."""
    if settings.resume:
        saved = read_saved(path)
        if saved.match.over:
            raise RecordError("save-over", "the saved match is over", "")
        console.say(texts("play-resumed", path=str(path)))
        return saved
    if path.exists():
        existing = _existing(settings, path, console, texts)
        if existing is not None:
            return existing
        if settings.record is not None:
            console.complain(texts("play-file-exists", path=str(path)))
            return None
        console.say(texts("play-moved-aside", path=str(move_aside(path))))
    console.say(*texts("play-welcome").splitlines())
    return _new(settings)


def _existing(settings: PlaySettings, path: Path, console: Console, texts: Texts) -> Saved | None:
    """What lies in the file, if it is a running match that the player wants to go on with."""
    try:
        saved = read_saved(path)
    except RecordError as error:
        if settings.record is not None:
            raise
        console.complain(_damaged(texts, path, error))
        return None
    if saved.match.over or not console.interactive or settings.resume is False:
        return None
    answer = ""
    while not is_yes(answer) and not is_no(answer):
        answer = console.ask(f"{texts('play-ask-resume')} {texts('play-yes-no')} > ")
    return saved if is_yes(answer) else None


def _new(settings: PlaySettings) -> Saved:
    seed = secrets.token_bytes(32) if settings.seed is None else settings.seed
    if len(seed) != 32:
        seed = hashlib.sha256(seed).digest()
    match = Match.new(settings.rules, deals=settings.deals, seed=seed)
    others = settings.bots * (1 if len(settings.bots) > 1 else settings.rules.players - 1)
    return Saved(match, (), 0, shown(settings.name, 60), ("", *others))


def _damaged(texts: Texts, path: Path, error: OkeyError) -> str:
    return texts("play-damaged", path=str(path), code=error.code, message=error_line(texts, error))


def _followed(path: Path) -> Path:
    """The file that a link leads to, since the match is put in its place as a whole."""
    return path.resolve() if path.is_symlink() else path


def play_match(
    output: Output, *, rules: str, settings: tuple[str, ...], players: int | None, teams: bool,
    bots: str, seed: str | None, record: str | None, **others: Any,
) -> int:  # fmt: skip
    """Play a match at the terminal by the options as they were typed; returns the exit code.

    ``others`` are fields of PlaySettings. Raises Failure for options that can't be met.
    """
    texts = output.texts
    if others["resume"]:
        unused("rules", "settings", "players", "teams", "deals", "seed", "name")
    changes = [*settings, *([] if players is None else [f"players={players}"])]
    with ending(texts):
        match = PlaySettings(
            rules=rules_of(rules, [*changes, *["teams=true"] * teams], texts),
            bots=tuple(bot.strip() for bot in bots.split(",")),
            seed=None if seed is None else seed_of(seed),
            lang=texts.language,
            record=None if record is None else _followed(Path(record)),
            color=output.colour,
            **others,
        )
        for bot in match.bots:
            check_bot_starts(bot)
    if output.as_json:
        raise Failure.of(texts, Exit.USAGE, "no-such-option", option="--json")
    ready(output, match.bots)
    return run(match)
