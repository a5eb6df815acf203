"""The saved match: a game record and what is needed to go on with it, written as a whole."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from okey101.errors import OkeyError, RecordError
from okey101.game.deal import Deal
from okey101.game.dealing import match_seed
from okey101.game.match import Match, team_totals
from okey101.game.record.form import DealRecord, Record, record_of
from okey101.game.record.replay import replay
from okey101.render.text import Order
from okey101.server.files.atomic_files import open_private, publish, take

_NAME = "_play"
BOT = "bot:"


@dataclass(frozen=True, slots=True)
class Saved:
    """A match with the player's seat; ``deals`` are all begun, the last one perhaps running."""

    match: Match
    """The match after the finished ones of ``deals``."""
    deals: tuple[Deal, ...]
    seat: int
    name: str
    bots: tuple[str, ...]
    """Bot names by seat, empty for the player's."""
    order: Order = Order.MELDS
    """How the rack is sorted."""
    words: bool = False
    """Whether tiles are written in words."""

    @property
    def running(self) -> Deal | None:
        """The deal that has not ended."""
        return self.deals[-1] if self.deals and self.deals[-1].result is None else None


class Saver:
    """Writes a match to its file, each time as a whole; finished deals are put in words once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._done: list[DealRecord] = []

    def record(self, saved: Saved) -> Record:
        """The match as a record."""
        rules = saved.match.rules
        agreed = saved.match.deals
        for deal in saved.deals[len(self._done) :]:
            if deal.result is not None:
                self._done += record_of(rules, [deal]).deals
        running = [] if saved.running is None else [saved.running]
        names = [saved.name if not bot else f"{BOT}{bot}" for bot in saved.bots]
        record = record_of(rules, running, players=names, deals_agreed=agreed)
        totals = saved.match.totals if saved.match.results else None
        play = {"seed": saved.match.seed.hex(), "seat": saved.seat}
        play |= {"sort": saved.order.value, "words": saved.words}
        teams = None if totals is None else team_totals(rules, totals)
        deals = *self._done, *record.deals
        return replace(record, deals=deals, totals=totals, team_totals=teams, extra={_NAME: play})

    def save(self, saved: Saved) -> None:
        """Write the file; where it raises OSError, the old file is still there."""
        self.record(saved).write(self.path)


def read_saved(path: Path) -> Saved:
    """Read a match that can go on; RecordError for what the file holds, OSError for the file.

    Codes beside those of records: ``not-a-save``, and ``save-differs`` where the deals are not
    those of the match's seed.
    """
    record = Record.read(path)
    seed, seat, order, words = _play_fields(record)
    played = replay(record)
    match = Match.new(record.rules, deals=record.deals_agreed or 1, seed=seed)
    for number, deal in enumerate(played.deals):
        expected = match_seed(seed, number)
        dealer = deal.layout.dealer
        place = f"deals[{number}]"
        if deal.layout.seed != expected or dealer != match.dealer or deal.layout != match.dealt():
            raise RecordError("save-differs", f"{place}: not the deal of the match's seed", place)
        if deal.result is not None:
            match = match.after(deal)
        elif number < len(played.deals) - 1:
            raise RecordError("save-differs", f"{place}: a deal in the middle has not ended")
    players = record.players or ()
    bots = tuple("" if i == seat else name.removeprefix(BOT) for i, name in enumerate(players))
    return Saved(match, played.deals, seat, players[seat], bots, order, words)


def _play_fields(record: Record) -> tuple[bytes, int, Order, bool]:
    play = record.extra.get(_NAME)
    if not isinstance(play, Mapping) or record.players is None or record.deals_agreed is None:
        raise RecordError("not-a-save", "this record is no saved match of okey101 play", _NAME)
    seed, seat, order, words = (play.get(name) for name in ("seed", "seat", "sort", "words"))
    try:
        if not isinstance(seed, str) or not isinstance(order, str):
            raise ValueError
        if type(words) is not bool or type(seat) is not int or not 0 <= seat < record.rules.players:
            raise ValueError
        secret = bytes.fromhex(seed)
        others = [name for i, name in enumerate(record.players) if i != seat]
        if len(secret) != 32 or not all(name.startswith(BOT) for name in others):
            raise ValueError
        return secret, seat, Order(order), words
    except ValueError:
        raise RecordError("not-a-save", f"{_NAME} is damaged", _NAME) from None


def state_folder(environ: Mapping[str, str]) -> Path:
    """Our place in the user's state directory."""
    base = environ.get("XDG_STATE_HOME", "")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "state"
    return root / "okey101"


def default_path(environ: Mapping[str, str]) -> Path:
    """Where a match is saved unless the player names a file: the user's state directory."""
    return state_folder(environ) / "play.okey.json"


def move_aside(path: Path) -> Path:
    """Rename a file to the first free ``play-1.okey.json`` and return that; raises OSError."""
    stem = path.name.removesuffix(".okey.json")
    for number in range(1, 100_000):
        target = path.with_name(f"{stem}-{number}.okey.json")
        with suppress(FileExistsError):  # unlike a rename it never replaces a file
            publish(path, target)
            return target
    raise OkeyError("too-many-saves", f"too many saved matches beside {path}")


# Only one process at a time plays on in a saved match.


class LockTaken(Exception):
    """Another process has the file."""


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Hold a file, by a hidden one beside it; the system frees it when the process dies.

    LockTaken where another process has it, and OSError where no file can be made.
    """
    lock = path.parent / f".{path.name}.lock"
    while True:
        handle = open_private(lock)
        try:
            take(handle)
        except BlockingIOError:
            os.close(handle)
            raise LockTaken from None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), lock.stat()):
                break
        os.close(handle)  # whoever had it has removed it meanwhile: nobody else would meet it
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(handle)
