"""What a person's program gives to fair deals: commitments, and what opens them."""

import random
from typing import Any, TypeAlias

from conftest import unwrap
from okey101.game.fair.rounds import seat_commitment, transcript
from okey101.server.protocol import client_messages as ask
from okey101.server.tables.state import TableState

Json: TypeAlias = dict[str, Any]
Round: TypeAlias = tuple[str, int, int, int]
"""Table, match, deal and round."""


def commit(state: TableState, user: str, given: bytes, rid: str) -> ask.Commit:
    """The command by which somebody commits to a contribution."""
    return ask.Commit(rid=rid, commitment=promise_of(state, given, unwrap(state.seat_of(user))))


def promise_of(state: TableState, given: bytes, seat: int) -> str:
    """The commitment to a contribution in the round that a table is in."""
    return seat_commitment(given, unwrap(state.commitment), *state.context, seat)


def reveal(given: bytes, rid: str) -> ask.Reveal:
    """The command by which it is revealed."""
    return ask.Reveal(rid=rid, random=given.hex())


class Contributions:
    """The contributions of one person, by round; it reveals only what was shown as it gave it.

    With ``whims`` somebody may have committed the person to something else.
    """

    def __init__(self, rng: random.Random, *, whims: bool = False) -> None:
        self._whims = whims
        self.given: dict[Round, str] = {}
        self.transcripts: dict[Round, str] = {}
        """What was shown before anything was revealed."""
        self._rng = rng

    def step(self, table: Json, seat: int) -> Json | None:
        """The next command, from the table as it is shown; None for nothing to do."""
        promise, now = table["commitment"], table["round"]
        if table["stage"] != "dealing" or now is None:
            return None
        where = (table["id"], promise["match"], promise["deal"], now["number"])
        assert promise["round"] == now["number"]
        mine = self.given.get(where)
        if not now["shown"]:
            if now["commitments"][seat] is not None or seat in now["left_out"]:
                return None
            mine = self.given.setdefault(where, self._rng.randbytes(16).hex())
            shown = seat_commitment(bytes.fromhex(mine), promise["value"], *where, seat)
            return {"kind": "commit", "commitment": shown}
        if mine is None or now["randomness"][seat] is not None:
            return None
        expected = seat_commitment(bytes.fromhex(mine), promise["value"], *where, seat)
        if now["commitments"][seat] is None:
            return None  # it came too late
        if self._whims and now["commitments"][seat] != expected:
            return None
        assert now["commitments"][seat] == expected
        commitments = [text or "" for text in now["commitments"]]
        told = transcript(promise["value"], *where, now["seats"], commitments, table["options"])
        assert told == now["transcript"]
        self.transcripts[where] = told
        return {"kind": "reveal", "random": mine}
