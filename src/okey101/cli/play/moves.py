"""From a command to the action of the game it means in the position at hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from okey101.cli.play.command_words import COMMANDS, Verb, fold, in_notation, shape_of, words_of
from okey101.errors import IllegalAction, NotationError, nearest
from okey101.game.actions import PLAIN, Action, Back, Discard, Lay, Meld, Swap
from okey101.game.deal_parts import Opened
from okey101.game.legality import may_lay, refuse
from okey101.game.openings import best_melds
from okey101.game.options import Options
from okey101.i18n import LANGUAGES
from okey101.melds import (
    ANY,
    AS,
    Form,
    Group,
    normal_piece,
    parse_groups,
    parse_piece,
    piece_text,
    tile_of_piece,
)
from okey101.render.text import Order, shelves
from okey101.tiles import OKEY, TILES, count_bits, parse_tile, size_of_bits

# Reading what the player types: the word of a command, in either language, and what follows it.

_SPOKEN = frozenset(COMMANDS) - {Verb.READY}
"""At the terminal nobody waits for anybody."""
_WORDS = {language: words_of(_SPOKEN, language) for language in LANGUAGES}
_LONGEST = max(len(words) for words in _WORDS["tr"])
_YES = ("y", "yes", "e", "evet")
_NO = ("n", "no", "h", fold("hayır"))


class TypedCommand(NamedTuple):
    """A command: its verb, the text after it, and where in the line that begins."""

    verb: Verb
    rest: str
    at: int
    line: str
    seat: int | None = None
    """The seat that a line in the form of a record names: ``0: draw``."""
    language: str = "en"
    """The player's language."""


def shown(text: str, limit: int = 40) -> str:
    """Typed text made safe to print: no control characters, cut when long."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= limit else clean[: limit - 3] + "..."


def is_yes(line: str) -> bool:
    """Whether an answer means yes, in either language."""
    return fold(line.strip()) in _YES


def is_no(line: str) -> bool:
    """Whether an answer means no, in either language."""
    return fold(line.strip()) in _NO


def read_command(line: str, language: str) -> TypedCommand:
    """Read one line; raises NotationError ``unknown-command`` or ``bad-seat``.

    >>> read_command("geri bırak", "tr").verb
    <Verb.RETURN: 'return'>
    >>> read_command("l K5 3", "en").rest
    'K5 3'
    """
    text = line.rstrip()
    seat = None
    start = 0
    led = re.match(r"\s*([0-9]+)\s*:", text)
    if led:
        seat = int(led[1]) if led[1] in ("0", "1", "2", "3") else -1
        if seat < 0:
            raise NotationError("bad-seat", f"{led[1]!r} is no seat", text=line, seat=shown(led[1]))
        start = led.end()
    words = list(re.finditer(r"\S+", text[start:]))
    if not words:
        return TypedCommand(Verb.STATUS, "", 0, line, seat, language)
    folded = [fold(word[0]) for word in words[:_LONGEST]]
    for length in range(len(folded), 0, -1):
        verb = _WORDS[language].get(tuple(folded[:length]))
        if verb is not None:
            at = start + words[length].start() if len(words) > length else len(text)
            return TypedCommand(verb, text[at:], at, line, seat, language)
    word, place = shown(words[0][0]), start + words[0].start()
    phrases = {fold(p): p for verb in _SPOKEN for p in COMMANDS[verb][language] if len(p) > 2}
    begun = [p for p in phrases if p.startswith(f"{fold(word)} ")]  # "geri" begins "geri al"
    like = nearest(fold(word), begun or phrases)
    meant = {"meant": phrases[like]} if like else {}
    message = f"{word!r} is no command"
    raise NotationError("unknown-command", message, text=line, position=place, word=word, **meant)


ACTIONS = frozenset(map(Verb, PLAIN)) | {
    Verb.OPEN, Verb.OPEN_PAIRS, Verb.MELD, Verb.LAY, Verb.DISCARD, Verb.BACK, Verb.SWAP
}  # fmt: skip
"""The verbs that mean one action of the game."""
_TO_GROUP = re.compile(r"(\S+?)(?:\s*>\s*|\s+)([0-9]{1,4})")


def action_of(command: TypedCommand, options: Options) -> Action:
    """The action a command means; raises NotationError with its place, or IllegalAction.

    Tiles may be named in words: ``at kırmızı 5``.
    """
    if (told := in_notation(command.rest)) != " ".join(command.rest.split()):
        command = command._replace(rest=told)
    verb = command.verb
    if verb in PLAIN:
        return bad_shape(command) if command.rest else PLAIN[verb]
    match verb:
        case Verb.DISCARD:
            return Discard(_tile(command, command.rest))
        case Verb.BACK:
            if not re.fullmatch(r"[0-9]{0,4}", command.rest):
                bad_shape(command)
            return Back(int(command.rest or 1))
        case Verb.SWAP:
            found = _TO_GROUP.fullmatch(command.rest) or bad_shape(command)
            return Swap(_tile(command, found[1]), int(found[2]))
        case Verb.LAY:
            return _lay(command, options)
        case _:
            pass
    if command.rest:
        return Meld(parse_groups(command.rest, position=command.at))
    if verb is Verb.MELD and options.view.public.opened[options.view.public.turn]:
        return _best_melds(options)
    return _opening(options, pairs=verb is Verb.OPEN_PAIRS)


def bad_shape(command: TypedCommand) -> NoReturn:
    """Say how the command is written: raises NotationError ``bad-action``."""
    shape = shape_of(command.verb, command.language)
    where: dict[str, Any] = {"text": command.line, "position": command.at}
    raise NotationError("bad-action", f"not of the form {shape!r}", **where, shape=shape)


def _tile(command: TypedCommand, text: str) -> int:
    if not text or len(text.split()) > 1:
        bad_shape(command)
    return _parsed(command, text, parse_tile)


def _parsed(command: TypedCommand, text: str, parse: Callable[..., int]) -> int:
    try:
        return parse(text, position=command.at)
    except NotationError:
        where: dict[str, Any] = {"text": command.line, "position": command.at, "tile": shown(text)}
        raise NotationError("bad-tile", f"{where['tile']!r} is no tile", **where) from None


def _opening(options: Options, *, pairs: bool) -> Meld:
    """The best opening of its kind, or the reason why there is none."""
    public = options.view.public
    may_lay(public, public.turn)
    if public.opened[public.turn] is not None:
        raise IllegalAction("already-opened", "O3", "you have opened already")
    found = options.opening_pairs if pairs else options.opening
    if found is not None:
        return found
    if pairs:
        value, need = options.best_pairs, options.need_pairs
        message = f"{value} pairs of {need}"
        raise IllegalAction("cannot-open-pairs", "O2", message, value=value, need=need)
    best = best_melds(public, options.view.hand or 0, public.taken)
    value, need = best.points if best else 0, options.need_points
    raise IllegalAction("cannot-open", "O1", f"{value} points of {need}", value=value, need=need)


def _best_melds(options: Options) -> Meld:
    """All melds, or pairs, of the best arrangement that leaves a tile to discard (U4)."""
    public, hand = options.view.public, options.view.hand or 0
    may_lay(public, public.turn)
    pairs = public.opened[public.turn] is Opened.PAIRS
    groups, _ = shelves(hand, public.setup.okey, Order.PAIRS if pairs else Order.LEFT)
    while groups and sum(map(len, groups)) >= size_of_bits(hand):
        shortest = min(groups, key=lambda g: (len(g), groups.index(g)))
        at = groups.index(shortest)
        longer = next((i for i, g in enumerate(groups) if len(g) > 3), None)
        if pairs or longer is None:
            groups = (*groups[:at], *groups[at + 1 :])
        else:
            groups = (*groups[:longer], groups[longer][:-1], *groups[longer + 1 :])
    if not groups:
        raise IllegalAction("no-meld", "O3", "the hand holds nothing to meld")
    return Meld(groups)


def _lay(command: TypedCommand, options: Options) -> Lay:
    found = _TO_GROUP.fullmatch(command.rest)
    text = found[1] if found else command.rest
    if not text or (not found and len(text.split()) > 1):
        bad_shape(command)
    number = int(found[2]) if found else None
    table = options.view.public.table
    if text == "*":
        return _lay_okey(command, table, number)
    piece = _parsed(command, text, parse_piece)
    return Lay(piece, _group_for(piece, options) if number is None else number)


def _lay_okey(command: TypedCommand, table: tuple[Group, ...], number: int | None) -> Lay:
    """An okey whose place in the group leaves no doubt needs no name."""
    if number is not None and 1 <= number <= len(table):
        group = table[number - 1]
        if group.form is Form.SET and group.accepts:
            return Lay(ANY + group.low, number)
        ends = [kind for kind in range(52) if group.accepts >> kind & 1]
        if len(ends) == 1:
            return Lay(AS + ends[0], number)
    message = "an okey in a meld needs what it stands for, like *R8 or *5"
    raise NotationError("bare-okey", message, text=command.line, position=command.at)


def _group_for(piece: int, options: Options) -> int:
    """The one group of the table that takes a piece."""
    public, hand = options.view.public, options.view.hand or 0
    may_lay(public, public.turn)
    if public.opened[public.turn] is None:
        refuse("not-opened", "O3")
    piece = normal_piece(piece, public.setup.okey)
    tile = tile_of_piece(piece)
    if not count_bits(hand, tile):
        refuse("not-in-hand", "O3", tile=TILES[tile])
    numbers = [n for n, group in enumerate(public.table, 1) if group.takes(piece)]
    text, listed = piece_text(piece), ", ".join(map(str, numbers))
    if not numbers:
        raise IllegalAction("fits-nowhere", "M4", f"{text} fits no group", piece=text)
    if len(numbers) > 1:
        message = f"{text} fits groups {listed}"
        raise IllegalAction("fits-several", "O3", message, piece=text, groups=listed)
    return numbers[0]


def next_lay(options: Options) -> Lay | None:
    """The next tile that laying off all would put down: no okey, and one tile stays (U4)."""
    return next((lay for lay in options.lays if tile_of_piece(lay.piece) != OKEY), None)
