"""Whether the deals of a record are what was promised: commitments opened, tiles dealt again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from okey101.errors import OkeyError, RecordError
from okey101.game.dealing import Layout, deal_from_seed, first_dealer
from okey101.game.fair.rounds import DAY_PREFIX, canonical
from okey101.game.fair.transcript import BOT_PREFIX, AbandonedRound, Fair
from okey101.game.match import next_dealer
from okey101.game.record.form import Record, laid_texts
from okey101.game.record.replay import Replay, dealt_of, replay
from okey101.game.ruleset import RuleSet


def public_entries(record: Record) -> list[str]:
    """What the transparency log of its server has of a finished match, line by line.

    The commitment of each round, those that were thrown away told apart, and the match: the SHA-256
    of its record without the players' names, as :func:`canonical` JSON.
    OkeyError ``bad-terms``, and RecordError where what it says of its fairness makes no sense.
    """
    fair = [one for one in _fairs(record) if one is not None]
    found = [f"thrown {other.commitment}" for one in fair for other in one.abandoned]
    found += [f"commitment {one.commitment}" for one in fair]
    unnamed = {name: value for name, value in record.to_dict().items() if name != "players"}
    return [*found, f"match {sha256(canonical(unnamed)).hexdigest()}"]


class Check(StrEnum):
    """What is looked at in a deal."""

    NOTED = "noted"
    """Its commitment is the one that somebody wrote down before the deal."""
    SECRET = "secret"
    """The secret opens the commitment."""
    CONTEXT = "context"
    """Table, match and number of the deal go on from the deal before."""
    TERMS = "terms"
    """Rules and number of deals are those that were shown before anything was revealed."""
    MINE = "mine"
    """A contribution that somebody made is among the seats'."""
    SHARES = "shares"
    """At least one seat contributed, so that the dealing side did not choose alone."""
    SHOWN = "shown"
    """The transcript is the one that somebody wrote down before anything was revealed."""
    OPENED = "opened"
    """Each contribution opens the commitment of its seat."""
    SILENT = "silent"
    """No bot contributed."""
    ROUNDS = "rounds"
    """Every round that was abandoned is there, opened, and had a reason: none was complete."""
    SEED = "seed"
    """The seed follows from the secret and the contributions."""
    DEALER = "dealer"
    """The dealer follows from the seed or from the deal before."""
    TILES = "tiles"
    """Hands, stock, indicator and dice are the seed's."""


class State(StrEnum):
    """What came of a check."""

    PROVED = "proved"
    DIFFERS = "differs"
    UNKNOWN = "unknown"
    """The record, or what was written down, does not tell enough."""


class Noted(NamedTuple):
    """What somebody wrote down, in hex digits, and for which deal; None for any.

    Before a deal that is its commitment, or its transcript, which covers the commitments of all.
    """

    text: str
    deal: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one deal's checks; ``errors`` has a RecordError for each that differs.

    ``mine`` and ``given`` are the seats of one's own contribution and of all, and ``abandoned`` has
    the reason of each round before.
    """

    deal: int
    finished: bool
    states: dict[Check, State]
    errors: tuple[RecordError, ...] = ()
    mine: tuple[int, ...] = ()
    given: tuple[int, ...] = ()
    abandoned: tuple[str, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether everything that the record alone can prove of the deal is proved."""
        proved = all(self.states[check] is State.PROVED for check in _ALONE)
        return proved and not self.errors


_ALONE = (
    Check.SECRET, Check.SEED, Check.TILES, Check.OPENED, Check.SILENT, Check.ROUNDS, Check.TERMS,
    Check.DEALER,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of all deals; ``lost`` has errors for notes that match nothing in the record."""

    played: Replay
    deals: tuple[Checked, ...]
    lost: tuple[RecordError, ...] = ()

    @property
    def errors(self) -> tuple[RecordError, ...]:
        """Everything that differs, deal by deal."""
        return (*(error for deal in self.deals for error in deal.errors), *self.lost)

    def to_dict(self) -> dict[str, object]:
        """What ``okey101 verify --json`` prints."""
        deals: list[dict[str, object]] = []
        for deal in self.deals:
            data: dict[str, object] = {"deal": deal.deal, "finished": deal.finished}
            data.update((check.value, state.value) for check, state in deal.states.items())
            data["abandoned"] = list(deal.abandoned)
            deals.append(data)
        return {"deals": deals, "totals": list(self.played.totals)}


def verify_record(
    record: Record, *, noted: Sequence[Noted] = (), mine: Sequence[Noted] = ()
) -> Verification:
    """Replay a record and check the fairness of every deal.

    ``noted`` are commitments written down before the deals, ``mine`` one's own contributions.
    Differences become errors in the result. Raises RecordError where the record does not replay,
    and OkeyError ``no-such-deal`` for a note about a deal that the record doesn't have.
    """
    for note in (*noted, *mine):
        if note.deal is not None and not 0 <= note.deal < len(record.deals):
            raise OkeyError(
                "no-such-deal", f"the record has no deal {note.deal + 1}", deal=note.deal + 1
            )
    played, fairs = replay(record), _fairs(record)
    deals = tuple(
        _Checking(record, played, fairs, number).run(noted, mine) for number in range(len(fairs))
    )
    lost: list[RecordError] = []
    for notes, told, code, what in (
        (noted, _promises, "fair-noted", "commitment that was written down"),
        (mine, _contributions, "fair-mine", "contribution that was made"),
    ):
        there = {text for fair in fairs if fair is not None for text in told(fair)}
        message = f"no deal of the record has the {what}"
        lost += [
            RecordError(code, message) for n in notes if n.deal is None and n.text not in there
        ]
    return Verification(played, deals, tuple(lost))


def other_tiles(record: Record, number: int) -> RecordError | None:
    """Where a deal's tiles are not its seed's, told without playing it; None where they are.

    For a record that does not replay: other tiles may be why. Also None where there is no seed or
    no dealer, or no table that could be laid.
    """
    written, fair = record.deals[number], _fairs(record)[number]
    seed = None if fair is None else fair.seed
    if seed is None and written.seed is not None:
        seed = bytes.fromhex(written.seed)
    if seed is None or written.dealer is None:
        return None
    try:
        laid = dealt_of(record.rules, written, written.dealer, f"deals[{number}]")
    except RecordError:
        return None
    return _other_tiles(record, number, laid, seed)


def _promises(fair: Fair) -> set[str]:
    """What may have been written down before the deal, or before a round that was abandoned."""
    found = {fair.commitment, fair.transcript}
    for number, other in enumerate(fair.abandoned):
        found |= {other.commitment, fair.transcript_of(number)}
    return found


def _contributions(fair: Fair) -> set[str]:
    """All contributions of a deal, those of rounds that were abandoned included."""
    rounds = (fair.randomness or (), *(other.randomness for other in fair.abandoned))
    return {text for given in rounds for text in given}


def _fairs(record: Record) -> list[Fair | None]:
    """What each deal tells of its fairness."""
    return [
        None
        if deal.fair is None
        else Fair.from_dict(deal.fair, f"deals[{number}].fair", record.rules.players)
        for number, deal in enumerate(record.deals)
    ]


class _Checking:
    """The checks of one deal, in the order in which they build on each other."""

    def __init__(
        self, record: Record, played: Replay, fairs: Sequence[Fair | None], number: int
    ) -> None:
        self.record = record
        self.played = played
        self.number = number
        self.fair, self.before = fairs[number], fairs[:number]
        self.states = dict.fromkeys(Check, State.UNKNOWN)
        self.errors: list[RecordError] = []

    def run(self, noted: Sequence[Noted], mine: Sequence[Noted]) -> Checked:
        seats: tuple[int, ...] = ()
        given: tuple[int, ...] = ()
        fair = self.fair
        if fair is not None:
            self.notes(fair, noted)
            self.context(fair)
            self.secret(fair)
            self.terms(fair)
            self.opened(fair)
            self.silent(fair)
            self.rounds(fair)
            seats = self.contributions(fair, mine)
            given = tuple(s for s, text in enumerate(fair.randomness or ()) if text)
            if given:
                self.states[Check.SHARES] = State.PROVED
        elif any(note.deal == self.number for note in (*noted, *mine)):
            message = "the deal has no commitment, and one was written down"
            self.differs(Check.NOTED, "fair-noted", message, "fair")
        seed = self.seed()
        if seed is not None:
            if fair is not None and fair.secret is not None:
                self.dealer(seed, fair)
            self.tiles(seed)
        return Checked(
            deal=self.number,
            finished=self.played.deals[self.number].result is not None,
            states=self.states,
            errors=tuple(self.errors),
            mine=seats,
            given=given,
            abandoned=() if fair is None else tuple(r.reason for r in fair.abandoned),
        )

    def judge(
        self, check: Check, holds: bool, code: str, message: str, path: str, **details: object
    ) -> None:
        """Say what came of a check; the code and what follows are those of the difference."""
        if holds:
            self.states[check] = State.PROVED
        else:
            self.differs(check, code, message, path, **details)

    def differs(self, check: Check, code: str, message: str, path: str, **details: object) -> None:
        where = f"deals[{self.number}].{path}"
        self.errors.append(RecordError(code, message, where, **details, deal=self.number))
        self.states[check] = State.DIFFERS

    def texts(self, notes: Sequence[Noted]) -> tuple[set[str], set[str]]:
        """What was written down about this deal, and that with what is about any."""
        about = {note.text for note in notes if note.deal == self.number}
        return about, about | {note.text for note in notes if note.deal is None}

    def notes(self, fair: Fair, noted: Sequence[Noted]) -> None:
        about, texts = self.texts(noted)
        if not about <= _promises(fair):
            message = "the commitment is not the one that was written down before the deal"
            self.differs(Check.NOTED, "fair-noted", message, "fair.commitment")
            return
        if fair.transcript in texts:
            self.states[Check.SHOWN] = State.PROVED
        if texts & {fair.transcript, fair.commitment}:
            self.states[Check.NOTED] = State.PROVED

    def context(self, fair: Fair) -> None:
        """Deals of one match are at one table and are counted without a gap."""
        known = [(n, f) for n, f in enumerate(self.before) if f is not None]
        if not known:
            if fair.deal == 0 == self.number:
                self.states[Check.CONTEXT] = State.PROVED  # the first of its match
            return
        n, other = known[-1]
        expected = (other.table, other.match, other.deal + self.number - n)
        goes_on = (fair.table, fair.match, fair.deal) == expected
        message = "table, match and number do not go on from the deal before"
        self.judge(Check.CONTEXT, goes_on, "fair-context", message, "fair.context")

    def secret(self, fair: Fair) -> None:
        if fair.secret is None:
            return
        opens = fair.commitment_of(fair.secret) == fair.commitment
        message = "the secret does not open the commitment"
        self.judge(Check.SECRET, opens, "fair-commitment", message, "fair.secret")

    def terms(self, fair: Fair) -> None:
        """The record's rules are those that all were shown, as is how many deals were agreed on."""
        rules, agreed = fair.terms.get("rules"), self.record.deals_agreed
        try:
            same = isinstance(rules, dict) and RuleSet.from_dict(rules) == self.record.rules
        except OkeyError:
            same = False
        same = same and agreed in (None, fair.terms.get("deals"))
        message = "the rules, or the number of deals, are not those that were shown"
        self.judge(Check.TERMS, same, "fair-terms", message, "fair.terms")

    def opened(self, fair: Fair, number: int | None = None, path: str = "fair") -> None:
        """Each contribution opens its seat's commitment, and no commitment is left."""
        seat = fair.unfit(number)
        if seat is not None:
            message = f"what seat {seat} contributed does not open its commitment"
            where = f"{path}.randomness[{seat}]"
            self.differs(Check.OPENED, "fair-opening", message, where, seat=seat)
        elif number is None and fair.randomness is not None:
            self.states[Check.OPENED] = State.PROVED

    def silent(self, fair: Fair) -> None:
        """A bot's contribution would be the dealing side's own choice."""
        rounds: dict[str, Fair | AbandonedRound] = {"fair": fair}
        rounds |= {f"fair.abandoned[{n}]": other for n, other in enumerate(fair.abandoned)}
        self.states[Check.SILENT] = State.PROVED
        for path, one in rounds.items():
            for name in ("commitments", "randomness"):
                for seat, text in enumerate(getattr(one, name) or ()):
                    if text and one.seats[seat].startswith(BOT_PREFIX):
                        message = f"the bot in seat {seat} contributed"
                        where = f"{path}.{name}[{seat}]"
                        self.differs(Check.SILENT, "fair-bot", message, where, seat=seat)

    def rounds(self, fair: Fair) -> None:
        """The rounds before this one are all there, open what they promised, and had a reason."""
        count, told = fair.round, len(fair.abandoned)
        if count != told:
            message = f"{count} rounds were abandoned, and {told} are told of"
            claims = {"count": count, "told": told}
            self.differs(Check.ROUNDS, "fair-rounds", message, "fair.context.round", **claims)
            return
        self.states[Check.ROUNDS] = State.PROVED
        for number, other in enumerate(fair.abandoned):
            path, which = f"fair.abandoned[{number}]", f"abandoned round {number}"
            if fair.commitment_of(other.secret, number) != other.commitment:
                message = f"the secret of {which} does not open its commitment"
                where = f"{path}.secret"
                self.differs(Check.ROUNDS, "fair-round", message, where, round=number)
            if not other.has_reason:
                message = f"{which} had no reason not to be dealt: {other.reason}"
                where = f"{path}.reason"
                self.differs(Check.ROUNDS, "fair-reason", message, where, round=number)
            self.opened(fair, number, path)

    def contributions(self, fair: Fair, mine: Sequence[Noted]) -> tuple[int, ...]:
        """The seats whose contribution is one of ours.

        Who gave something to a round that was thrown away has to be in the one that was dealt, too.
        """
        ever, (about, ours) = _contributions(fair), self.texts(mine)
        seats = tuple(seat for seat, text in enumerate(fair.randomness or ()) if text in ours)
        thrown = not seats and bool(ours & ever)
        if thrown or seats or about:
            where = "stands only in rounds that were thrown away" if thrown else "is missing"
            message = f"the contribution that was made {where}"
            there = not thrown and about <= ever
            self.judge(Check.MINE, there, "fair-mine", message, "fair.randomness")
        return seats

    def seed(self) -> bytes | None:
        """The seed that is right: the one that follows, else the one written."""
        written = self.record.deals[self.number].seed
        claimed = None if written is None else bytes.fromhex(written)
        seed = None if self.fair is None else self.fair.seed
        if seed is None:
            return claimed
        message = "the seed does not follow from the secret and the contributions"
        self.judge(Check.SEED, claimed in (None, seed), "fair-seed", message, "seed")
        return seed

    def dealer(self, seed: bytes, fair: Fair) -> None:
        """The first dealer comes from the seed (D3), the others from the deal before."""
        rules = self.record.rules
        if fair.deal == 0:
            right = first_dealer(seed, rules.players)
        elif self.number and (last := self.played.deals[self.number - 1]).result is not None:
            right = next_dealer(rules, last.layout.dealer, last.result)
            if fair.table.startswith(DAY_PREFIX):  # where no deal is dealt again
                right = (last.layout.dealer + 1) % rules.players
        else:
            return
        dealer = self.played.deals[self.number].layout.dealer
        message = f"the dealer is seat {dealer}, and should be seat {right}"
        claims = {"claimed": dealer, "actual": right}
        self.judge(Check.DEALER, dealer == right, "fair-dealer", message, "dealer", **claims)

    def tiles(self, seed: bytes) -> None:
        error = _other_tiles(self.record, self.number, self.played.deals[self.number].layout, seed)
        self.states[Check.TILES] = State.PROVED if error is None else State.DIFFERS
        if error is not None:
            error.details["deal"] = self.number
            self.errors.append(error)


def _other_tiles(record: Record, number: int, laid: Layout, seed: bytes) -> RecordError | None:
    """The first name of the record under which a table is not the seed's."""
    ours, theirs = (_told(one) for one in (laid, deal_from_seed(record.rules, seed, laid.dealer)))
    for name, actual in theirs.items():
        if ours[name] != actual and (ours[name] or name != "dice"):  # throws may be untold
            message = f"{name} are {ours[name]}, and the seed gives {actual}"
            path = f"deals[{number}].{name}"
            return RecordError("fair-tiles", message, path, claimed=ours[name], actual=actual)
    return None


def _told(table: Layout) -> dict[str, str]:
    """The texts of a table by their names in the record."""
    texts = laid_texts(table)
    hands = {f"hands[{seat}]": hand for seat, hand in enumerate(texts["hands"])}
    dice = " ".join(map(str, table.dice))
    return {"indicator": texts["indicator"], "dice": dice, **hands, "stock": texts["stock"]}
