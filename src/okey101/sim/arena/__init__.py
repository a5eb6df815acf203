"""The arena: bots on duplicate deals, in chunks that can be played anywhere and in any order."""

from okey101.sim.arena.chunks import Chunk, Job, arena_deal, bot_seed, play_chunk
from okey101.sim.arena.duplicate import Duplicate, duplicate
from okey101.sim.arena.plan import Kind, Line, Plan, plan_of

__all__ = [
    "Chunk",
    "Duplicate",
    "Job",
    "Kind",
    "Line",
    "Plan",
    "arena_deal",
    "bot_seed",
    "duplicate",
    "plan_of",
    "play_chunk",
]
