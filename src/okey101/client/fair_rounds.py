"""One's own part in fair deals: promise, look at what all have promised, and only then reveal."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TypeAlias

from okey101.client.errors import end_for
from okey101.client.model import Json, rules_of_table
from okey101.errors import OkeyError
from okey101.game.dealing import deal_from_seed
from okey101.game.fair.rounds import seat_commitment, transcript
from okey101.game.fair.transcript import Fair
from okey101.server.protocol.client_messages import Commit, Reveal
from okey101.tiles import rack_text

_Round: TypeAlias = tuple[str, int, int, int]
"""Table, match, deal and round."""


class FairRounds:
    """The contributions of one person at one table, by round.

    :meth:`step` reveals only what was shown as it was given, and :meth:`check` looks at finished
    deals; both end the line with ``unfair-deal`` for what does not fit.
    """

    def __init__(self, random_bytes: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._random_bytes = random_bytes
        self._given: dict[_Round, bytes] = {}
        self._promised: dict[_Round, str] = {}
        self._hands: dict[tuple[int, int], str] = {}
        self._checked: set[tuple[int, int]] = set()

    def step(self, table: Json, seat: int, rid: Callable[[], str]) -> Commit | Reveal | None:
        """The next command in the round that is shown; None for nothing to do."""
        promise, now = table.get("commitment"), table.get("round")
        if promise is None or now is None or promise["round"] != now["number"]:
            return None
        where = (table["id"], promise["match"], promise["deal"], now["number"])
        if self._promised.setdefault(where, promise["value"]) != promise["value"]:
            end_for("unfair-deal", reason="the server has changed its commitment")
        if not now["shown"]:
            if now["commitments"][seat] is not None or seat in now["left_out"]:
                return None
            mine = self._given.setdefault(where, self._random_bytes(32))
            return Commit(rid=rid(), commitment=seat_commitment(mine, *where, seat))
        mine_given = self._given.get(where)
        shown = now["commitments"][seat]
        if mine_given is None or shown is None or now["randomness"][seat] is not None:
            return None
        if shown != seat_commitment(mine_given, *where, seat):
            end_for("unfair-deal", reason="another commitment is shown for this seat")
        all_shown = [text or "" for text in now["commitments"]]
        if transcript(promise["value"], *where, now["bots"], all_shown) != now["transcript"]:
            end_for("unfair-deal", reason="the transcript is not that of the commitments")
        return Reveal(rid=rid(), random=mine_given.hex())

    def dealt(self, table: Json, deal: Json | None, hand: str | None) -> None:
        """Remember the hand that was dealt, while nobody has played."""
        if deal is not None and hand is not None and not deal["actions"]:
            self._hands[table["match"], deal["number"]] = hand

    def check(self, table: Json, deal: Json | None, seat: int) -> None:
        """Check a finished deal against what was promised, given and dealt here."""
        if deal is None or not deal.get("end"):
            return
        key = (table["match"], deal["number"])
        if key in self._checked:
            return
        self._checked.add(key)
        try:
            fair = Fair.from_dict(deal["end"]["fair"])
        except OkeyError as error:
            end_for("unfair-deal", reason=error.message)
        where = (fair.table, fair.match, fair.deal, fair.round)
        promised, mine = self._promised.get(where), self._given.get(where)
        if promised is None or fair.secret is None:
            return  # it began before this program came
        if fair.commitment != promised or fair.commitment_of(fair.secret) != promised:
            end_for("unfair-deal", reason="the secret does not open the server's commitment")
        given = (fair.randomness or ())[seat : seat + 1]
        if mine is not None and given and given[0] and given[0] != mine.hex():
            end_for("unfair-deal", reason="another contribution is shown for this seat")
        hand, seed = self._hands.get(key), fair.seed
        if hand is None or seed is None:
            return
        laid = deal_from_seed(rules_of_table(table), seed, deal["dealer"])
        if rack_text(laid.hands[seat]) != hand:
            end_for("unfair-deal", reason="the tiles are not those of the seed")
