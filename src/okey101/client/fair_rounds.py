"""One's own part in fair deals: promise, look at what all have promised, and only then reveal."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from okey101.client.errors import end_for
from okey101.client.model import Json, rules_of_table
from okey101.errors import OkeyError
from okey101.game.dealing import deal_from_seed
from okey101.game.fair.rounds import seat_commitment, transcript
from okey101.game.fair.transcript import BOT_PREFIX, PUT_BACK, AbandonedRound, Fair
from okey101.server.protocol.client_messages import Commit, Reveal
from okey101.tiles import rack_text

_Round: TypeAlias = tuple[str, int, int, int]
"""Table, match, deal and round."""


@dataclass(slots=True)
class _Shown:
    """What was shown of a round first, and what was given to it."""

    promised: str
    given: bytes | None = None
    transcript: str | None = None
    opened: frozenset[tuple[int, str]] = frozenset()
    """Seats with what they revealed."""


class FairRounds:
    """The contributions of one person at one table, by round.

    :meth:`step` reveals only what was shown as it was given, and :meth:`check` looks at finished
    deals; both end the line with ``unfair-deal`` for what does not fit.
    """

    def __init__(
        self, table: str, random_bytes: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self._table = table
        self._random_bytes = random_bytes
        self._rounds: dict[_Round, _Shown] = {}
        self._hands: dict[tuple[int, int], str] = {}
        self._checked: set[tuple[int, int]] = set()

    def require_own(self, table: Json) -> None:
        """Ended for what is shown of another table: a promise for that one would be a gift."""
        if table["id"] != self._table:
            end_for("unfair-deal", reason="a view of another table")

    def put_back(self, last: tuple[float, float]) -> None:
        """The server has files of before: what came after that match and deal comes anew."""
        self._rounds = {at: one for at, one in self._rounds.items() if at[1:3] <= last}
        self._hands = {at: one for at, one in self._hands.items() if at <= last}
        self._checked = {at for at in self._checked if at < last}

    def step(self, table: Json, seat: int, rid: Callable[[], str]) -> Commit | Reveal | None:
        """The next command in the round that is shown; None for nothing to do."""
        promise, now = table.get("commitment"), table.get("round")
        if promise is None or now is None or promise["round"] != now["number"]:
            return None
        where = (self._table, promise["match"], promise["deal"], now["number"])
        if any(one["reason"] in PUT_BACK for one in now["abandoned"]):
            self.put_back(where[1:3])
        known = self._rounds.setdefault(where, _Shown(promise["value"]))
        if known.promised != promise["value"]:
            end_for("unfair-deal", reason="the server has changed its commitment")
        if not now["shown"]:
            if known.transcript is not None:
                end_for("unfair-deal", reason="a round that was shown begins again")
            if now["commitments"][seat] is not None or seat in now["left_out"]:
                return None
            known.given = known.given or self._random_bytes(32)
            promised = seat_commitment(known.given, known.promised, *where, seat)
            return Commit(rid=rid(), commitment=promised)
        self._look(known, where, table)
        shown = now["commitments"][seat]
        if known.given is None or shown is None or now["randomness"][seat] is not None:
            return None
        if shown != seat_commitment(known.given, known.promised, *where, seat):
            end_for("unfair-deal", reason="another commitment is shown for this seat")
        return Reveal(rid=rid(), random=known.given.hex())

    def _look(self, known: _Shown, where: _Round, table: Json) -> None:
        """What is shown to all has to be what its transcript covers, and what was shown before."""
        now = table["round"]
        sat, shown = now["seats"] or (), [text or "" for text in now["commitments"]]
        if len(sat) != len(shown) or not all(map(_sits, sat, table["seats"])):
            end_for("unfair-deal", reason="others sit here than the transcript says")
        told = transcript(known.promised, *where, sat, shown, table["options"])
        if not told == now["transcript"] == (known.transcript or told):
            end_for("unfair-deal", reason="the transcript is not that of what is shown")
        known.transcript = told
        opened = {(n, text) for n, text in enumerate(now["randomness"]) if text}
        known.opened = frozenset(opened | known.opened)

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
            fair = Fair.from_dict(deal["end"]["fair"], players=len(table["seats"]))
        except OkeyError as error:
            end_for("unfair-deal", reason=error.message)
        if (fair.table, fair.match, fair.deal) != (self._table, *key):
            end_for("unfair-deal", reason="the secret is that of another deal")
        self._check_rounds(fair)
        hand, seed = self._hands.get(key), fair.seed
        if hand is None or seed is None:
            return
        laid = deal_from_seed(rules_of_table(table), seed, deal["dealer"])
        if rack_text(laid.hands[seat]) != hand:
            end_for("unfair-deal", reason="the tiles are not those of the seed")

    def _check_rounds(self, fair: Fair) -> None:
        """Every round is told as it was shown, opened, and had a reason to be thrown away."""
        told: list[tuple[Fair | AbandonedRound, str]] = [
            *((other, fair.transcript_of(n)) for n, other in enumerate(fair.abandoned)),
            (fair, fair.transcript),
        ]
        if fair.round != len(fair.abandoned):
            end_for("unfair-deal", reason="rounds that were thrown away are not told")
        for number, (one, shown) in enumerate(told):
            known = self._rounds.get((fair.table, fair.match, fair.deal, number))
            if known is None:
                continue  # it began before this program came
            if one.commitment != known.promised or one.secret is None:
                end_for("unfair-deal", reason="another commitment is told than was shown")
            if fair.commitment_of(one.secret, number) != one.commitment:
                end_for("unfair-deal", reason="the secret does not open the server's commitment")
            if known.transcript not in (None, shown):
                end_for("unfair-deal", reason="another transcript is told than was shown")
            if fair.unfit(None if one is fair else number) is not None or not all(
                (one.randomness or ())[n] == text for n, text in known.opened
            ):
                end_for("unfair-deal", reason="another contribution is told than was shown")
            if isinstance(one, AbandonedRound) and not one.has_reason:
                end_for("unfair-deal", reason="a round was thrown away without a reason")


def _sits(who: str, seat: Json) -> bool:
    """Whether a seat is shown as the transcript has it, or its person has left since."""
    bot = seat["bot"]
    if who.startswith(BOT_PREFIX):
        return bool(who[len(BOT_PREFIX) :].partition("/")[0] == bot)
    return bot is not None or bool(seat.get("id") == who)
