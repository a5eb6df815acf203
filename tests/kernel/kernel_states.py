"""A state of the kernel and of the game side by side, as plain values that can be compared."""

from collections.abc import Callable
from typing import TypeVar

import numba

from okey101.game import Deal
from okey101.kernel import layout as at
from okey101.kernel.codes import bits_of_masks, pieces_of_word
from okey101.kernel.compiling import Row
from okey101.kernel.conversion import fines_of
from okey101.kernel.groups import pile_tile

_Function = TypeVar("_Function", bound=Callable[..., object])


def called(function: _Function) -> _Function:
    """A function that only compiled ones call otherwise, for a test to call."""
    original = getattr(getattr(function, "compiled", function), "py_func", None)
    return function if original is None else numba.njit(error_model="numpy")(original)


PHASES = ("draw", "must-draw", "play", "last-discard", "last-indicator", "over")
ENDS = (None, "finish", "stock", "all-pairs")
OPENED = (None, "melds", "pairs")


_pile_tile = called(pile_tile)


def state_of_row(row: Row) -> dict[str, object]:
    """Everything that a row says of its deal."""
    r = [int(number) for number in row]
    players = r[at.PLAYERS]
    okey = None if r[at.OKEY_KIND] < 0 else r[at.OKEY_KIND]
    table = r[at.TABLE : at.TABLE + r[at.N_GROUPS]]
    over = r[at.PHASE] == at.P_OVER

    def racks(place: int) -> tuple[int, ...]:
        return tuple(bits_of_masks(*r[place + 2 * s : place + 2 * s + 2]) for s in range(players))

    def maybe(number: int) -> int | None:
        return None if number < 0 else number

    return {
        "turn": r[at.TURN],
        "phase": PHASES[r[at.PHASE]],
        "turns": r[at.TURNS],
        "stock": tuple(
            int(_pile_tile(row, at.STOCK, i))
            for i in range(r[at.STOCK_LEN] - r[at.STOCK_COUNT], r[at.STOCK_LEN])
        ),
        "hands": racks(at.HANDS),
        "known": racks(at.KNOWN),
        "sizes": tuple(r[at.SIZES : at.SIZES + players]),
        "table": tuple(pieces_of_word(word & at.WORD, okey) for word in table),
        "owners": tuple(word >> at.OWNER_SHIFT for word in table),
        "opened": tuple(OPENED[o] for o in r[at.OPENED : at.OPENED + players]),
        "discards": tuple(
            tuple(
                int(_pile_tile(row, at.DISCARDS + at.PILE_WORDS * s, i))
                for i in range(r[at.PILES + s])
            )
            for s in range(players)
        ),
        "announced": maybe(r[at.ANNOUNCED]),
        "highest": (r[at.HIGH_POINTS], r[at.HIGH_PAIRS]),
        "playable": r[at.PLAYABLE],
        "taken": maybe(r[at.TAKEN]),
        "drawn": maybe(r[at.DRAWN]),
        "placed": [
            (e & 63, e >> 6 & 63, pieces_of_word(e >> 12 & at.WORD, okey), (e >> 36 & 31) - 1)
            for e in r[at.PLACED : at.PLACED + r[at.N_PLACED]]
        ],
        "swapped": [bool(e >> 41 & 1) for e in r[at.PLACED : at.PLACED + r[at.N_PLACED]]],
        "backs": r[at.BACKS],
        "new opening": bool(r[at.NEW_OPENING]),
        "must finish": bool(r[at.MUST_FINISH]),
        "actions": r[at.N_ACTIONS],
        "fines": fines_of(row),
        "open": bits_of_masks(*r[at.THROWN : at.THROWN + 2]),
        "end": ENDS[r[at.END]],
        "winner": maybe(r[at.WINNER]),
        "counts": bool(r[at.COUNTS]),
        "scores": tuple(r[at.SCORES : at.SCORES + players]) if over else None,
    }


def state_of_deal(deal: Deal) -> dict[str, object]:
    """The same of a deal of the game."""
    public, result = deal.public, deal.result
    return {
        "turn": public.turn,
        "phase": public.phase.value,
        "turns": public.turns,
        "stock": tuple(map(int, deal.stock)),
        "hands": deal.hands,
        "known": public.known,
        "sizes": public.sizes,
        "table": tuple(group.pieces for group in public.table),
        "owners": public.owners,
        "opened": tuple(None if o is None else o.value for o in public.opened),
        "discards": public.discards,
        "announced": public.announced,
        "highest": (public.high_points, public.high_pairs),
        "playable": public.playable,
        "taken": public.taken,
        "drawn": deal.drawn,
        "placed": [(p.tile, p.at, p.before and p.before.pieces, p.nth) for p in public.placed],
        "swapped": [p.swapped for p in public.placed],
        "backs": public.backs,
        "new opening": public.new_opening,
        "must finish": public.must_finish,
        "actions": len(public.actions),
        "fines": result.fines if result else public.fines,
        "open": sum(g.bits for g in public.table)
        + sum(1 << 2 * tile for pile in public.discards for tile in pile),
        "end": result.end.value if result else None,
        "winner": result.winner if result else None,
        "counts": bool(result and result.counts),
        "scores": result.scores if result else None,
    }
