"""All bots, by name: our own, with how strong they are, and those that other people bring."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias, cast

from okey101.bots.base import Bot, BotFactory, BotFault, BotInfo, unknown_bot
from okey101.bots.champion import ChampionBot
from okey101.bots.greedy import GreedyBot
from okey101.bots.master import MasterBot
from okey101.bots.neural import NeuralBot
from okey101.bots.novice import NoviceBot, RandomBot
from okey101.bots.process_bot import ProcessBot, Program
from okey101.bots.search import SearchBot
from okey101.bots.steady import SteadyBot
from okey101.errors import OkeyError, checked, nearest


def _known(*bots: tuple[str, int, BotFactory]) -> Mapping[str, BotInfo]:
    """Bots by their names; each has its sentence in the catalogues."""
    return MappingProxyType({bot[0]: BotInfo(*bot, f"bot-{bot[0]}") for bot in bots})


BOTS = _known(
    ("random", 1, RandomBot), ("novice", 1, NoviceBot), ("greedy", 1, GreedyBot),
    ("steady", 1, SteadyBot), ("master", 2, MasterBot), ("neural", 3, NeuralBot),
)  # fmt: skip
"""Every bot that any machine runs and any table seats, by its name, the weakest first."""
LEVELS: tuple[str, ...] = ("novice", "greedy", "neural")
"""The bots that every table offers to people, from easy to hard; above them is :data:`EXPERT`.

Each is five points a deal better than the one before, or more, under the usual rules
(docs/en/strength.md).
"""
SEARCHERS = _known(("search", 2, SearchBot), ("champion", 3, ChampionBot))
"""Bots that need Numba and NumPy (the extra ``sim``) and time to think: stronger than the others.

A server seats them where its host wants it; they think in a process of their own there.
"""
EXPERT = "champion"
"""The one of :data:`SEARCHERS` that tables offer to people, as the level above all others."""
STAND_IN = "steady"
"""The bot that plays for people who are away or have left a running match."""
IN_PLACE = "master"
"""The bot whose choice is played where one of :data:`SEARCHERS` is late or fails."""


def bot_of_mark(mark: str) -> BotInfo | None:
    """The bot of a name and version such as ``steady/1``; None if this program lacks it.

    >>> bot_of_mark("steady/0") is None
    True
    """
    name = checked(mark, str, "text").partition("/")[0]
    info = BOTS.get(name) or (SEARCHERS.get(name) if searches_here() else None)
    return info if info is not None and info.mark == mark else None


def searches_here() -> bool:
    """Whether everything that the bots of :data:`SEARCHERS` need is installed."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))


def make_bot(name: str, seed: int = 0) -> Bot:
    """A bot by its name; OkeyError ``unknown-bot`` names the known ones.

    >>> make_bot("greedy", 7).name
    'greedy'
    """
    info = BOTS.get(checked(name, str, "text")) or SEARCHERS.get(name)
    if info is None:
        raise unknown_bot(name, [*BOTS, *SEARCHERS])
    return info.factory(seed)


# The door for other people's bots: what a word on the command line or in a call names.
#
# A word is the name of a bot of this program or of one that an installed package brings (entry
# point group ``okey101.bots``), ``module:Class`` for a class of one's own, or ``exec:COMMAND`` for
# a program that speaks the protocol of docs/en/bots.md. Whoever resolves a word may run what it
# names: words from records, from files or from a network go to :func:`make_bot` instead, which
# knows our own bots alone.

GROUP: Final = "okey101.bots"
"""The entry point group of packages that bring bots."""
EXEC: Final = "exec:"
"""What a word begins with that names a program."""
_NAME: Final = re.compile(r"[^\s/:]{1,60}")
_MOST_VERSIONS: Final = 10**9


def is_foreign(spec: str) -> bool:
    """Whether a word names a bot that is not our own; it is not looked up.

    >>> is_foreign("greedy"), is_foreign("mine:Careful")
    (False, True)
    """
    return spec not in BOTS and spec not in SEARCHERS


def runs_code(spec: str) -> bool:
    """Whether a word names code or a program, which may be anybody's, rather than a bot.

    >>> runs_code("greedy"), runs_code("exec:node bot.js")
    (False, True)
    """
    return ":" in spec


def bot_of(spec: Bot | str, seed: int = 0) -> Bot:
    """A bot by its word, seeded, or one as it is.

    Raises OkeyError as :func:`bot_info` does, ``bot-unloadable`` also where the class of a word
    makes no bot of a seed, ``wrong-type`` for what is no bot, such as a class.

    >>> bot_of("greedy", 7).name
    'greedy'
    """
    bot = made(bot_info(spec), spec, seed) if isinstance(spec, str) else spec
    if isinstance(bot, type):  # it has all that a bot has
        message = f"a Bot is wanted here, not the class {bot.__name__}: make one of it"
        raise OkeyError("wrong-type", message, wanted="Bot")
    return checked(bot, Bot)


def made(info: BotInfo, spec: str, seed: int = 0) -> Bot:
    """A bot of its word; what the code of others raises is OkeyError ``bot-unloadable``."""
    try:
        return info.factory(seed)
    except (Exception, SystemExit) as failed:
        if not is_foreign(spec):
            raise
        raise _unloadable(spec, failed) from failed


@cache
def bot_info(spec: str) -> BotInfo:
    """The bot that a word names.

    A bot of our own comes before an installed one of the same name. OkeyError ``unknown-bot`` for a
    name that nobody brings, ``bot-unloadable`` where its code can't be had or is no bot. Raises
    ModuleNotFoundError, which begins with ``missing-extra``, for one that needs an extra.

    >>> bot_info("steady").mark
    'steady/1'
    """
    if checked(spec, str, "text") in BOTS:
        return BOTS[spec]
    if spec in SEARCHERS:
        import_module("okey101.kernel.compiling")  # says what is missing
        return SEARCHERS[spec]
    if spec.startswith(EXEC):
        return _program(spec)
    if ":" in spec:
        return info_of(_own(spec), spec)
    found = installed().get(spec)
    if found is None:
        raise unknown_bot(spec, [*BOTS, *SEARCHERS, *installed()])
    try:
        loaded = found.load()
    except (Exception, SystemExit) as error:  # its module may do anything
        raise _unloadable(spec, error) from error
    return info_of(loaded, spec, name=spec)


def check_bot_starts(spec: str, *, quiet: bool = True) -> BotInfo:
    """Find the bot that a word names, and make it once; a program is started.

    What it is called then, by its own word. Raises as :func:`bot_info` does, ``bot-unloadable``
    also for a class that makes no bot of a seed, and for a program that does not say hello:
    thousands of deals against it would be won by its faults alone. What a program writes to stderr
    is shown unless ``quiet``.
    """
    info = bot_info(spec)
    if not spec.startswith(EXEC):
        if is_foreign(spec):
            made(info, spec)
        return info
    program = Program(spec.removeprefix(EXEC).strip(), **{} if quiet else {"stderr": None})
    try:
        program.start()
    except BotFault as fault:
        error = ChildProcessError(f"it says no hello: {fault}")
        raise _unloadable(spec, error) from None
    finally:
        program.stop()
    name, version = program.hello.get("name"), program.hello.get("version")
    return info._replace(
        name=name if isinstance(name, str) and _NAME.fullmatch(name) else info.name,
        version=version if type(version) is int and 0 < version < _MOST_VERSIONS else info.version,
    )


def installed() -> dict[str, EntryPoint]:
    """The bots that installed packages bring, by name; none of them is loaded.

    Ours stand before theirs, so one that is named like ours is left out.
    """
    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return {point.name: point for point in found if is_foreign(point.name)}


def info_of(factory: object, spec: str = "", *, name: str = "") -> BotInfo:
    """What a factory says of itself: a class of bots, or anything that makes one from a seed.

    Its attributes ``name``, ``version`` and ``replayable`` are heeded; without them it is called
    by its own name, in version 1, and can't be replayed. OkeyError ``bot-unloadable`` for what
    can't be called or says nonsense.
    """
    own = getattr(factory, "__qualname__", type(factory).__name__)
    spec = spec or f"{getattr(factory, '__module__', '?')}:{own}"
    if not callable(factory):
        raise _unloadable(spec, TypeError("nothing that makes bots from a seed"))
    said = name or getattr(factory, "name", None) or own
    version = getattr(factory, "version", 1)
    if not isinstance(said, str) or not _NAME.fullmatch(said):
        raise _unloadable(spec, ValueError("its name has blanks, colons or slashes, or is no text"))
    if type(version) is not int or not 0 < version < _MOST_VERSIONS:
        raise _unloadable(spec, ValueError("its version is no number from 1"))
    replayable = getattr(factory, "replayable", False) is True
    return BotInfo(said, version, cast("BotFactory", factory), "", replayable)


def _own(spec: str) -> object:
    """The object that ``module:Class`` names; modules of the current folder are found too."""
    module, _, path = spec.partition(":")
    try:
        with _current_folder():
            found: object = import_module(module)
        for word in path.split("."):
            meant = nearest(word, dir(found)) if not hasattr(found, word) else ""
            if meant:
                raise AttributeError(f"there is no {word}; did you mean {meant}?")
            found = getattr(found, word)
    except (Exception, SystemExit) as error:  # a module runs as it is loaded
        raise _unloadable(spec, error) from error
    return found


@contextmanager
def _current_folder() -> Generator[None]:
    """A program's own folder is searched first, and the one it was started in is not."""
    here = str(Path.cwd())
    missing = here not in sys.path and "" not in sys.path
    if missing:
        sys.path.append(here)
    try:
        yield
    finally:
        if missing:
            sys.path.remove(here)


def _program(spec: str) -> BotInfo:
    command = spec.removeprefix(EXEC).strip()
    if not command:
        raise _unloadable(spec, ValueError("there is no command"))
    try:
        program = shlex.split(command)[0]
    except ValueError as error:
        raise _unloadable(spec, error) from None
    if shutil.which(program) is None:
        raise _unloadable(spec, FileNotFoundError(f"there is no program {program}"))
    word = re.sub(r"[\s/:]+", "-", command).strip("-")[-60:] or "program"
    make: Callable[[int], Bot] = partial(ProcessBot, command)
    return BotInfo(word, 1, make, "", replayable=False)


def _unloadable(spec: str, error: BaseException) -> OkeyError:
    reason = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    message = f"the bot {spec!r} can't be loaded: {reason}"
    return OkeyError("bot-unloadable", message, name=spec, reason=reason)


# How strong the bots were when they were measured: what people are shown beside them.

Measured: TypeAlias = dict[str, list[float]]
"""By preset the points a deal against three ``greedy``, less than ``greedy`` has in the same seat,
and half of the 95 % interval: low is good."""


def measured_strength() -> dict[str, Measured]:
    """By bot what it reached; docs/en/strength.md tells how.

    ``scripts/make_strength.py`` writes the file.

    >>> measured_strength()["champion"]["altinstar"][0] < 0
    True
    """
    file = files("okey101.bots").joinpath("strength.json")
    found: dict[str, Measured] = json.loads(file.read_text("utf-8"))
    return found
