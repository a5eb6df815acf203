"""A digest of a table's state for each row of its log, in the version that the row names.

A row's hash is of the form ``VERSION:HEX``; rows from before there were versions have only the
digits and count as version 1. Each version covers an explicit list, so that a field added later,
with its default, changes no hash of an older row (docs/en/compatibility.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from okey101.game import Deal
from okey101.game.declared import Field
from okey101.game.public import FORM
from okey101.server.protocol.options import TableOptions
from okey101.server.tables.state import TableState

__all__ = ["STATE_VERSION", "SteadyTexts", "agrees", "state_hash", "version_of"]

STATE_VERSION: Final = 3
"""The version that new rows are written with."""

OPTIONS: Final[tuple[tuple[str, int], ...]] = (
    ("rules", 1), ("deals", 1), ("clock", 1), ("assisted", 1), ("bots", 1), ("listed", 1),
    ("spectators", 1), ("delay", 1), ("seats", 1), ("phrases", 1), ("late", 1), ("quick", 3),
    ("hints", 3),
)  # fmt: skip
"""Each option of a table with the first version that covers it."""

STATE: Final[tuple[tuple[str, int, Callable[[Any], object] | None], ...]] = (
    ("table", 2, None),
    ("owner", 2, None),
    ("seats", 2, None),
    ("seq", 2, None),
    ("at_ms", 2, None),
    ("first_wait_ms", 2, None),
    ("pause_ms", 2, None),
    ("stage", 2, None),
    ("match", 2, None),
    ("dealer", 2, None),
    ("secret", 2, None),
    ("cuts", 2, None),
    ("deadline", 2, None),
    ("turn_since", 2, None),
    ("turn_actions", 2, None),
    ("seen", 2, None),
    ("sent_away", 2, sorted),
    ("latecomers", 2, sorted),
    ("heard", 2, lambda heard: [(user, h.rid, h.seq) for user, h in heard.items()]),
    # For what only grows the last part is enough: the row before covers the rest.
    ("played", 2, lambda played: (len(played), [(p.secret, p.cuts) for p in played[-1:]])),
    # The row that ends a deal empties ``actors``: who did that is covered here.
    ("played", 3, lambda played: [p.actors[-1:] for p in played[-1:]]),
    ("coming", 3, None),
    ("actors", 3, lambda actors: (len(actors), actors[-1:])),
    ("quits", 3, None),
)
"""Each part of a state, with the first version that covers it and what it covers of it.

Options, the round before a deal, and the deal have lists of their own; the rules are in the
options.
"""

ROUND: Final[tuple[tuple[str, int, Callable[[Any], object] | None], ...]] = (
    ("fair", 3, None),
    ("promises", 3, None),
    ("shown", 3, None),
    ("sat", 3, None),
    ("abandoned", 3, None),
    ("left_out", 3, sorted),
)
"""Each part of a state that only changes while a deal is prepared, likewise."""

STEADY: Final = frozenset({
    "table", "owner", "seats", "first_wait_ms", "pause_ms", "stage", "match", "dealer", "secret",
    "cuts", "seen", "sent_away", "latecomers", "played", "coming",
})  # fmt: skip
"""Parts of :data:`STATE` that most rows leave alone: from version 3 on they are hashed before the
others, together with the options and the round."""

_ENCODER = msgspec.json.Encoder(order="deterministic")


def state_hash(
    state: TableState, version: int = STATE_VERSION, texts: SteadyTexts | None = None
) -> str:
    """A short digest of all a state holds, hidden parts included, with its version.

    ``texts`` are those of its table where they are at hand, and the version is today's.
    """
    if version == 1:
        return _digest(_parts_1(state)).hexdigest()
    digest = _digest() if texts is None else texts.digest(state)
    if texts is None and version >= 3:
        digest.update(_steady(state, version))
    digest.update(_ENCODER.encode(_parts(state, version)))
    return f"{version}:{digest.hexdigest()}"


class SteadyTexts:
    """What next to never changes at a table, as today's version covers it, hashed once.

    It is most of what a state is hashed of.
    """

    def __init__(self) -> None:
        self._options: TableOptions | None = None
        self._parts: tuple[object, ...] = ()
        self._digest = _digest()

    def digest(self, state: TableState) -> blake2b:
        """A digest of a state's steady parts, to which the others are added."""
        parts = _STEADY(state)
        # Compared as objects first, and they are the same ones until a deal is prepared.
        if state.options is not self._options or parts != self._parts:
            self._options, self._parts = state.options, parts
            self._digest = _digest()
            self._digest.update(_steady(state, STATE_VERSION))
        return self._digest.copy()


_STEADY = attrgetter(*sorted(STEADY), *(name for name, _, _ in ROUND))


def _digest(parts: object = None) -> blake2b:
    return blake2b(b"" if parts is None else _ENCODER.encode(parts), digest_size=8)


def version_of(text: str) -> int | None:
    """The version of a row's hash; None if it is no hash, or newer than this program."""
    number, colon, _ = text.partition(":")
    if not colon:
        return 1
    known = number.isascii() and number.isdecimal() and 2 <= int(number) <= STATE_VERSION
    return int(number) if known else None


def agrees(state: TableState, text: str, texts: SteadyTexts | None = None) -> bool:
    """Whether a state is the one that a row's hash was made of."""
    version = version_of(text)
    return version is not None and text == state_hash(
        state, version, texts if version == STATE_VERSION else None
    )


_Hashed: TypeAlias = Callable[[Any], object] | None


class _Covered:
    """What a version covers of something: its named attributes, some of them worked over."""

    def __init__(self, listed: Iterable[tuple[str, int, _Hashed]], version: int) -> None:
        covered = [(name, hashed) for name, since, hashed in listed if since <= version]
        self._values = attrgetter(*(name for name, _ in covered))
        self._worked = [(at, hashed) for at, (_, hashed) in enumerate(covered) if hashed]

    def of(self, value: object) -> list[object]:
        """The parts of a value, in the order listed."""
        parts = [*self._values(value)]
        for at, hashed in self._worked:
            parts[at] = hashed(parts[at])
        return parts


class _Lists(NamedTuple):
    """What a version covers of a state, of its options, and of its deal's open side.

    ``steady`` is what it covers of a state beside the options and before all else; None: nothing.
    """

    state: _Covered
    options: _Covered
    steady: _Covered | None
    public: _Covered


@cache
def _covered(version: int) -> _Lists:
    options = _Covered([(name, since, None) for name, since in OPTIONS], version)
    public = open_side(FORM.fields, version)
    if version < 3:
        return _Lists(_Covered(STATE, version), options, None, public)
    others = [part for part in STATE if part[0] not in STEADY]
    steady = [part for part in STATE if part[0] in STEADY]
    state = _Covered(others, version)
    return _Lists(state, options, _Covered([*steady, *ROUND], version), public)


def open_side(fields: Iterable[Field], version: int) -> _Covered:
    """What a version covers of the declared fields of a deal's open side."""
    return _Covered([(item.name, item.since, item.hashed) for item in fields], version)


def _steady(state: TableState, version: int) -> bytes:
    """What is hashed before the other parts of a state."""
    covered = _covered(version)
    assert covered.steady is not None
    return _ENCODER.encode([covered.options.of(state.options), covered.steady.of(state)])


def _parts(state: TableState, version: int) -> list[object]:
    covered = _covered(version)
    deal = state.deal
    parts = covered.state.of(state)
    if covered.steady is None:
        parts.append(covered.options.of(state.options))
    if deal is None:
        parts.append(None)
    else:
        parts.append([deal.hands, deal.drawn, deal.layout.stock, *covered.public.of(deal.public)])
    return parts


# Version 1 ------------------------------------------------------------------------------------

_OPTIONS_1: type[msgspec.Struct] = msgspec.defstruct(
    "Options1", [(name, object) for name, since in OPTIONS if since == 1]
)
_PUBLIC_1 = attrgetter(
    "phase", "opened", "result",
    "turn", "turns", "stock_count", "sizes", "owners", "discards", "known", "announced",
    "high_points", "high_pairs", "playable", "taken", "backs", "new_opening", "must_finish",
    "fines",
)  # fmt: skip


def _parts_1(state: TableState) -> tuple[object, ...]:
    """What rows were hashed of before hashes had a version; never to be changed."""
    parts: tuple[object, ...] = (
        state.table,
        _options_1(state.options),
        state.owner,
        state.seats,
        state.seq,
        state.at_ms,
        state.first_wait_ms,
        state.pause_ms,
        state.stage,
        state.match,
        state.dealer,
        state.secret,
        state.cuts,
        state.deadline,
        state.turn_since,
        state.turn_actions,
        state.seen,
        sorted(state.sent_away),
        [(user, (last.rid, last.seq)) for user, last in state.heard.items()],
        len(state.played),
        [(played.secret, played.cuts) for played in state.played[-1:]],
        None if state.deal is None else _deal_parts_1(state.deal),
    )
    if state.latecomers:
        parts = (*parts, sorted(state.latecomers))
    return parts


def _options_1(options: TableOptions) -> msgspec.Struct:
    return _OPTIONS_1(*[getattr(options, name) for name, since in OPTIONS if since == 1])


def _deal_parts_1(deal: Deal) -> tuple[object, ...]:
    public, dealt = deal.public, deal.layout
    return (
        deal.hands,
        deal.drawn,
        dealt.stock,
        dealt.indicator,
        dealt.okey,
        dealt.dealer,
        dealt.starter,
        dealt.dice,
        _PUBLIC_1(public),
        [group.pieces for group in public.table],
        [(p.tile, p.at, p.before and p.before.pieces, p.nth, p.swapped) for p in public.placed],
        len(public.actions),
        [(seat, str(action)) for seat, action in public.actions[-1:]],
    )
