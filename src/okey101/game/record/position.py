"""A position as one line of text, as FEN is for chess: parts between semicolons, in notation.

``deal; pagat; B9 0; 1 draw; R1 R3 / !K5 ?20 / ...; R4 / - / ...; 0 R7 R8 R9 / ...; K1 Y5; turns=1``

1. who sees it: ``deal`` for everything, ``seat 2`` for a seat's view, ``open`` for a spectator's;
2. the rules: the nearest preset, and ``field=value`` for what differs from it;
3. the indicator and the dealer's seat;
4. the seat to act and its phase;
5. the hands by seat: ``!`` before a tile that all know to be there (R3), ``?20`` for 20 unknown;
6. each seat's discards that lie there, the oldest first;
7. the groups on the table, each after the seat that laid it;
8. the stock, next tile first, or how many tiles it has: ``?20``;
9. what else is not as at the start, under the names that a view has in JSON.

``-`` stands for nothing. How the position came about is not in it, so what was played is not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from okey101.errors import NotationError, OkeyError, checked
from okey101.game.deal import Deal
from okey101.game.deal_parts import Phase
from okey101.game.dealing import indicator_of, starter_of, wild_of
from okey101.game.duties import duty_met
from okey101.game.public import FORM, Public, check_room, impossible, public_from
from okey101.game.ruleset import PRESETS, RuleSet, checked_seat
from okey101.game.view import View
from okey101.melds import parse_group
from okey101.tiles import (
    FALSE_JOKER,
    TILE_TEXTS,
    PackedRack,
    Rack,
    Tile,
    bits_of_tiles,
    parse_tile,
    rack_text,
    size_of_bits,
    tiles_of_bits,
)

_PARTS = 8
"""Those that are always there."""
_JSON = json.JSONDecoder()


def _rest(rules: RuleSet, dealer: int) -> dict[str, object]:
    """The names of the last part, with what they are at the start."""
    return {
        "starter": starter_of(rules, dealer), "dice": [], "turns": 0, "drawn": None,
        "opened": [None] * rules.players, "announced": None,
        "highest": {"points": 0, "pairs": 0}, "taken": None, "placed": [], "placed_at": [],
        "backs": 0, "new_opening": False, "must_finish": False, "fines": [], "result": None,
    }  # fmt: skip


def position_of(position: Deal | View) -> str:
    """A deal or a view as one line of text, which :func:`parse_position` reads.

    >>> deal = Deal.start("pagat", seed=7).apply("discard K8")
    >>> position_of(View(deal.public, None, None))
    'open; pagat; B9 0; 2 draw; ?21 / ?21 / ?21 / ?21; - / K8 / - / -; -; ?20; dice=[5,4] turns=1'
    """
    checked(position, Deal | View, "deal or view")
    public = position.public
    rules, dealer = public.rules, public.setup.dealer
    hands: dict[int, PackedRack] = {}
    stock = f"?{public.stock_count}" if public.stock_count else "-"
    if isinstance(position, Deal):
        who, hands = "deal", dict(enumerate(position.hands))
        stock = " ".join(map(str, position.stock)) or "-"
    elif position.seat is None:
        who = "open"
    else:
        who = f"seat {position.seat}"
        hands[position.seat] = position.hand or 0
    drawn = position.drawn
    shown = FORM.view(public) | {"drawn": None if drawn is None else TILE_TEXTS[drawn]}
    told = [
        f"{name}={json.dumps(shown[name], separators=(',', ':'))}"
        for name, start in _rest(rules, dealer).items()
        if shown[name] != start
    ]
    changes = [f"{name}={json.dumps(ours)}" for name, (_, ours) in rules.differences().items()]
    groups = zip(public.owners, public.table, strict=True)
    parts = [
        who,
        " ".join([rules.preset_name, *changes]),
        f"{public.indicator} {dealer}",
        f"{public.turn} {public.phase}",
        " / ".join(
            _hand_text(hands.get(seat), public.known[seat], size)
            for seat, size in enumerate(public.sizes)
        ),
        " / ".join(" ".join(TILE_TEXTS[t] for t in pile) or "-" for pile in public.discards),
        " / ".join(f"{owner} {group}" for owner, group in groups) or "-",
        stock,
        " ".join(told),
    ]
    return "; ".join(filter(None, parts))


def _hand_text(hand: PackedRack | None, known: PackedRack, size: int) -> str:
    words = [f"!{TILE_TEXTS[tile]}" for tile in tiles_of_bits(known)]
    if hand is not None:
        words.append(rack_text(hand - known))
    elif size > len(words):
        words.append(f"?{size - len(words)}")
    return " ".join(filter(None, words)) or "-"


def parse_position(text: str) -> Deal | View:
    """Read a deal or a view from a line of :func:`position_of`.

    The play so far is empty. Raises OkeyError for what is no position: NotationError
    ``bad-position`` for a part that is missing or can't be read, the errors of its tiles, groups
    and rules, RecordError for the last part, ``too-many-tiles`` and ``empty-hand``.

    >>> deal = Deal.start("pagat", seed=7)
    >>> parse_position(position_of(deal)).hands == deal.hands
    True
    """
    parts = [part.strip() for part in checked(text, str, "text").split(";", _PARTS)]
    if len(parts) < _PARTS:
        raise _bad(text, "a position has eight parts or nine, between semicolons")
    who, rules_text, dealt, acting, hands_text, piles, table, stock_text, *rest = parts
    rules = _rules(rules_text)
    indicator, dealer = _two(dealt, text)
    turn, phase = _two(acting, text)
    tile, seat = indicator_of(rules, parse_tile(indicator)), _seat(dealer, rules)
    wild = wild_of(tile)
    read = [_hand(part, wild, text) for part in hands_text.split("/")]
    stock, more = _tiles(stock_text, wild, text)
    data = _rest(rules, seat) | {
        "rules": rules,
        "dealer": seat,
        "indicator": str(tile),
        "okey": TILE_TEXTS[wild],
        "turn": _seat(turn, rules),
        "phase": phase,
        "sizes": [size_of_bits(hand) + unknown for hand, _, unknown in read],
        "known": [rack_text(known) for _, known, _ in read],
        "discards": ["" if pile.strip() == "-" else pile.strip() for pile in piles.split("/")],
        "groups": [],
        "stock": len(stock) + more,
        "actions": [],
    }
    for part in [] if table == "-" else table.split("/"):
        owner, _, pieces = part.strip().partition(" ")
        group = parse_group(pieces, okey=None if wild == FALSE_JOKER else wild, twin=tile)
        told = {"owner": _seat(owner, rules), "form": group.form.value, "tiles": str(group)}
        data["groups"] = [*data["groups"], told]  # type: ignore[misc]
    data |= dict(_told(rest[0] if rest else "", text))
    drawn = data.pop("drawn")
    public = public_from(data)
    held = chain(stock, *(tiles_of_bits(hand) for hand, _, _ in read))
    check_room(public, held, more + sum(unknown for _, _, unknown in read))
    _check_possible(public, text)
    own_hand, _, unknown = read[public.turn]
    if not (unknown or duty_met(public, own_hand)):
        raise _bad(text, "the hand cannot use the taken tile, or finish, as it has to")
    drew = None if drawn is None else int(parse_tile(drawn))
    hands = tuple(hand for hand, _, _ in read)
    if who == "deal":
        if more or any(unknown for _, _, unknown in read):
            raise _bad(text, "of a deal every tile is told")
        return Deal.amid(public, hands, tuple(map(int, stock)), drew)
    if who == "open":
        return View(public, None, None)
    if not who.startswith("seat "):
        raise _bad(text, "a position begins with deal, seat and its number, or open")
    own = _seat(who[5:], rules)
    if read[own][2]:
        raise _bad(text, f"seat {own} knows its own tiles")
    return View(public, own, hands[own], drew)


def _check_possible(public: Public, text: str) -> None:
    """Refuse what no deal can be, however its hidden tiles lie."""
    if (public.phase is Phase.OVER) != (public.result is not None):
        raise _bad(text, "a deal that is over has a result, and no other has one")
    if why := impossible(public):
        raise _bad(text, why)
    if public.result is None and 0 in public.sizes:
        seat = public.sizes.index(0)
        raise OkeyError("empty-hand", f"the hand of seat {seat} is empty", seat=seat)


def _bad(text: str, message: str) -> NotationError:
    return NotationError("bad-position", message, text=text)


def _two(part: str, text: str) -> tuple[str, str]:
    words = part.split()
    if len(words) != 2:
        raise _bad(text, f"two words are needed in {part!r}")
    return words[0], words[1]


def _seat(word: str, rules: RuleSet) -> int:
    digit = word.strip()
    return checked_seat(int(digit) if digit in set("0123") else digit, rules.players)


def _rules(part: str) -> RuleSet:
    name, *words = part.split() or [""]
    changes: dict[str, object] = {"preset": name}
    for word in words:
        field, _, value = word.partition("=")
        try:
            changes[field] = json.loads(value)
        except (ValueError, RecursionError):
            changes[field] = value
    return RuleSet.from_dict(changes)


def _told(part: str, text: str) -> Iterator[tuple[str, Any]]:
    """The names and values of the last part."""
    while part := part.strip():
        name, sign, value = part.partition("=")
        try:
            found, end = _JSON.raw_decode(value)
        except (ValueError, RecursionError):
            raise _bad(text, f"{name!r} has no value that can be read") from None
        if not sign or name not in _rest(PRESETS["altinstar"], 0):
            raise _bad(text, f"{name!r} is no part of a position")
        yield name, found
        part = value[end:]


def _tiles(part: str, wild: Tile | int, text: str) -> tuple[list[Tile], int]:
    """The tiles of a part in their order, the okey's own face as the okey; how many are unknown."""
    words = [] if part.strip() == "-" else part.split()
    unknown = 0
    if words and words[-1].startswith("?"):
        count = words.pop()[1:]
        if not count.isdecimal() or len(count) > 3:
            raise _bad(text, f"?{count} is no number of tiles")
        unknown = int(count)
    tiles = map(parse_tile, words)
    return [Tile.OKEY if tile == wild else tile for tile in tiles], unknown


def _hand(part: str, wild: Tile | int, text: str) -> tuple[PackedRack, PackedRack, int]:
    """A hand as far as it is told, what all know of it, and how many tiles of it are not told."""
    marked = [word[1:] for word in part.split() if word.startswith("!")]
    known, _ = _tiles(" ".join(marked), wild, text)
    tiles, unknown = _tiles(part.replace("!", ""), wild, text)
    return Rack(tiles).bits, bits_of_tiles(known), unknown
