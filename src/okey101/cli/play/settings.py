"""What a match at the terminal is started with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from okey101.errors import OkeyError
from okey101.game.ruleset import ALTINSTAR, RuleSet

__all__ = ["PlaySettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """Everything the command line decides about a match.

    Raises OkeyError ``bad-bots`` or ``bad-seat``.

    A resumed match keeps its own rules, deals, bots, seed, name and seat.
    """

    rules: RuleSet = ALTINSTAR
    deals: int = 3
    """Deals that count (C4)."""
    bots: tuple[str, ...] = ("steady",)
    """Names of the bots, from the player's right hand on; a single name serves for all seats."""
    seed: bytes | None = None
    """Fixes tiles and bots; any other length than 32 bytes is hashed. None: a new seed."""
    lang: str = "en"
    record: Path | None = None
    """Where the match is saved; None: a file in the user's state directory."""
    color: bool = False
    name: str = ""
    """What the player is called; empty: "you" in his language."""
    resume: bool = False
    """Go on with the match that lies in the file; an error where there is none."""
    seat: int = 0
    """The player's seat; it matters only for who deals first."""

    def __post_init__(self) -> None:
        wanted = self.rules.players - 1
        if len(self.bots) not in (1, wanted):
            raise OkeyError(
                "bad-bots",
                f"{self.rules.players} seats need {wanted} bots, not {len(self.bots)}",
                wanted=wanted,
                got=len(self.bots),
            )
        if not 0 <= self.seat < self.rules.players:
            raise OkeyError("bad-seat", f"there is no seat {self.seat}", seat=self.seat)

    @property
    def opponents(self) -> tuple[str, ...]:
        """A bot's name for every other seat, in the order of play."""
        return self.bots if len(self.bots) > 1 else self.bots * (self.rules.players - 1)
