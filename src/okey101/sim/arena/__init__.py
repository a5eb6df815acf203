"""The arena: bots on duplicate deals, in chunks that can be played anywhere and in any order."""

from okey101.sim.arena.chunks import (
    ArenaPlan,
    Chunk,
    Job,
    Kind,
    Line,
    arena_deal,
    bot_seed,
    plan_of,
    play_chunk,
)
from okey101.sim.arena.results import ArenaRow, duplicate

__all__ = [
    "ArenaPlan", "ArenaRow", "Chunk", "Job", "Kind", "Line", "arena_deal", "bot_seed", "duplicate",
    "plan_of", "play_chunk",
]  # fmt: skip
