"""What the player sees: the position, what he may do, and what a discard would cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from okey101.bots.reasons import Reason
from okey101.cli.output import printable
from okey101.game.actions import Action, Discard
from okey101.game.deal import Deal
from okey101.game.deal_parts import Opened, Phase
from okey101.game.duties import can_use
from okey101.game.layoffs import lay_offs
from okey101.game.match import Match
from okey101.game.openings import best_melds
from okey101.game.options import Options
from okey101.game.public import Public
from okey101.i18n import Texts
from okey101.melds import tile_of_piece
from okey101.render.text import Ink, Order, action_told, rack_lines, shelves, table_lines
from okey101.solver import best_value_bits, count_pairs_bits
from okey101.tiles import (
    BITS_OF,
    OKEY,
    Rack,
    bits_of_tiles,
    count_bits,
    parse_tile,
    points_of_bits,
    size_of_bits,
)

_PLACES = {2: ("across",), 3: ("right", "left"), 4: ("right", "across", "left")}
_ONCE_OPEN = {Opened.MELDS: Order.LEFT, Opened.PAIRS: Order.PAIRS}
"""How a rack is sorted for what its player may lay."""


def names_of(players: int, me: int, name: str, texts: Texts) -> tuple[str, ...]:
    """What every seat is called: the player, and his neighbours by where they sit (D2)."""
    names = [""] * players
    names[me] = printable(name) or texts("play-you")
    for offset, place in enumerate(_PLACES[players], 1):
        names[(me + offset) % players] = texts("play-seat", place=place)
    return tuple(names)


@dataclass(slots=True)
class Screen:
    """The lines that describe a match to the player in one seat."""

    me: int
    names: Sequence[str]
    bots: Sequence[str]
    ink: Ink
    order: Order

    def heading(self, match: Match, public: Public) -> str:
        """The deal's number, indicator, okey and stock."""
        texts, setup = self.ink.texts, public.setup
        told = {"number": match.played + 1, "deals": match.deals, "stock": public.stock_count}
        key = "play-heading-riziko" if setup.okey is None else "play-heading"
        okey = "" if setup.okey is None else self.ink.tile(setup.okey)
        return texts(key, indicator=self.ink.tile(setup.indicator), okey=okey, **told)

    def deal_intro(self, match: Match, public: Public) -> list[str]:
        """Who deals, what the dice showed, who begins (D3, D4, D6)."""
        texts, setup = self.ink.texts, public.setup
        dealer = texts("play-dealer", player=self.names[setup.dealer])
        starter = texts("play-starter", player=self.names[setup.starter])
        lines = [self.heading(match, public), f"{dealer} {starter}"]
        if setup.dice:
            again = len(setup.dice) - 2
            throws = ", ".join(map(str, setup.dice))
            line = texts("play-dice", throws=throws, stack=setup.dice[0], tile=setup.dice[-1])
            lines.append(f"{line} {texts('play-dice-again', count=again)}" if again else line)
        return lines

    def status(self, match: Match, options: Options) -> list[str]:
        """The whole position."""
        public = options.view.public
        return [
            self.heading(match, public),
            *table_lines(public, self.names, self.ink),
            *(self._player(seat, match, options) for seat in self._round(public)),
            *self.brief(options),
        ]

    def _round(self, public: Public) -> list[int]:
        """Every seat, the player's right neighbour first, himself last."""
        count = len(public.sizes)
        return [(self.me + offset) % count for offset in range(1, count + 1)]

    def _player(self, seat: int, match: Match, options: Options) -> str:
        texts, public = self.ink.texts, options.view.public
        opened = public.opened[seat]
        name = self.names[seat]
        if seat != self.me:
            level = texts("page-bot-level", bot=self.bots[seat])
            name = texts("play-bot-name", player=name, bot=level)
            if public.setup.rules.teams and (seat - self.me) % 2 == 0:
                name = texts("play-partner", player=name)
        parts = [
            texts("count-tiles", count=public.sizes[seat]),
            texts("play-opened", opened="no" if opened is None else opened.value),
        ]
        if pile := public.discards[seat]:
            mine = seat == public.previous and public.turn == self.me and options.take
            key = "play-last-discard-yours" if mine else "play-last-discard"
            parts.append(texts(key, tile=self.ink.tile(pile[-1])))
        if public.announced == seat:
            parts.append(texts("play-announced"))
        if public.known[seat] and seat != self.me:
            known = self.ink.row(Rack.from_bits(public.known[seat]))
            parts.append(texts("play-known", tiles=known))
        fined = sum(fine.points for fine in public.fines if fine.seat == seat)
        if fined:
            parts.append(texts("play-fined-so-far", points=fined))
        if match.results:
            parts.append(texts("text-total", points=match.totals[seat]))
        return f"{name}: {', '.join(parts)}"

    def piles(self, public: Public) -> list[str]:
        """Every discard that lies there, by seat, oldest first."""
        lines = [self.ink.texts("play-piles")]
        for seat in self._round(public):
            pile = self.ink.row(public.discards[seat]) or self.ink.texts("text-none")
            lines.append(f"  {self.names[seat]}: {pile}")
        return lines

    def rack(self, options: Options) -> list[str]:
        """The player's tiles, sorted as he likes, and what they come to."""
        public, hand = options.view.public, options.view.hand or 0
        order, opened = self.order, public.opened[self.me]
        if order is Order.MELDS and opened is not None:
            order = _ONCE_OPEN[opened]
        label = self.ink.texts("play-rack", count=size_of_bits(hand))
        return [label, *rack_lines(hand, public.setup.okey, order, self.ink), self.sums(options)]

    def sums(self, options: Options) -> str:
        """What the best arrangement comes to against what an opening needs (O1, O2, X1)."""
        texts, public, hand = self.ink.texts, options.view.public, options.view.hand or 0
        okey = public.setup.okey
        opened = public.opened[self.me]
        if opened is None:
            pairs = max(count_pairs_bits(hand, okey), options.best_pairs)
            needed = {"need": options.need_points, "need_pairs": options.need_pairs}
            return texts("play-sum", points=options.best_points, pairs=pairs, **needed)
        left = points_of_bits(hand, okey, 101)
        _, tiles = shelves(hand, okey, _ONCE_OPEN[opened])
        rest = points_of_bits(bits_of_tiles(tiles), okey, 101)
        if rest == left:
            return texts("play-sum-open", hand=left)
        return texts(f"play-sum-open-{opened}", hand=left, left=rest)

    def brief(self, options: Options) -> list[str]:
        """The rack, and what the player may do."""
        return [*self.rack(options), *self.may(options)]

    def may(self, options: Options) -> list[str]:
        """What may be done now with the commands for it, and what a discard would cost."""
        texts, public = self.ink.texts, options.view.public
        lines = [texts("play-may", list="; ".join(self._choices(options)))]
        if public.taken_waits and public.taken is not None:
            lines.append(texts("play-must-use", tile=self.ink.tile(public.taken)))
        if public.must_finish:
            lines.append(texts("play-must-finish"))
        if public.phase is Phase.PLAY and options.discards:
            lines.append(self._costs(options))
        return lines

    def _costs(self, options: Options) -> str:
        texts = self.ink.texts
        fined = [d for d in options.discards if d.points]
        if not fined:
            return texts("play-no-costs")
        listed = []
        for rule in sorted({str(d.rule) for d in fined}, reverse=True):
            same = [d for d in fined if d.rule == rule]
            tiles, reason = self.ink.row(d.tile for d in same), texts("play-risk", rule=rule)
            why: dict[str, str | int] = {"points": same[0].points, "rule": rule, "reason": reason}
            listed.append(texts("play-cost", tiles=tiles, **why))
        key = "play-all-cost" if len(fined) == len(options.discards) else "play-costs"
        return texts(key, list="; ".join(listed))

    def _choices(self, options: Options) -> Iterator[str]:
        texts, public = self.ink.texts, options.view.public
        if options.draw:
            yield texts("play-may-draw")
        if options.take:
            tile = public.discards[public.previous][-1]
            yield texts("play-may-take", tile=self.ink.tile(tile))
        if options.return_:
            yield texts("play-may-return")
        if options.announce:
            yield texts("play-may-announce")
        if options.opening is not None:
            found = best_melds(public, options.view.hand or 0, public.taken)
            points = options.best_points if found is None else found.points
            yield texts("play-may-open", points=points)
        if options.opening_pairs is not None:
            yield texts("play-may-open-pairs", count=len(options.opening_pairs.pieces))
        yield from self._layings(options)
        if options.pass_:
            yield texts("play-may-pass")
        if options.indicator:
            yield texts("play-may-indicator")
        if options.discards:
            yield texts("play-may-discard")

    def _layings(self, options: Options) -> Iterator[str]:
        """What may be put down once open, or taken back."""
        texts, public = self.ink.texts, options.view.public
        if options.melds:
            pairs = public.opened[self.me] is Opened.PAIRS
            yield texts("play-may-meld-pairs" if pairs else "play-may-meld")
        if options.lays:
            plain = [lay for lay in options.lays if tile_of_piece(lay.piece) != OKEY]
            shown = [f"{self.ink.piece(lay.piece)} > {lay.group}" for lay in plain]
            if len(options.lays) > len(plain):
                shown.append(self.ink.tile(OKEY))
            yield texts("play-may-lay", list=", ".join(shown))
        if options.swaps:
            swaps = ", ".join(f"{self.ink.tile(s.tile)} > {s.group}" for s in options.swaps)
            yield texts("play-may-swap", list=swaps)
        if options.backs:
            cost = options.backs[0][1]
            yield texts("play-may-back-fined", points=cost) if cost else texts("play-may-back")

    def why(self, options: Options) -> list[str]:
        """Everything legal now, and why an opening or the discard is out of reach."""
        texts, public, hand = self.ink.texts, options.view.public, options.view.hand or 0
        lines = [self.sums(options), *self.may(options)]
        opened = public.opened[self.me]
        if opened is None and options.best_points < options.need_points:
            missing = options.need_points - options.best_points
            lines.append(texts("play-points-short", points=missing))
        if public.phase in (Phase.DRAW, Phase.LAST_DISCARD) and public.discards[public.previous]:
            tile = public.discards[public.previous][-1]
            held, okey = hand + BITS_OF[tile], public.setup.okey
            words = ("open", "short") if opened is None else ("use", "useless")
            worth = {"points": best_value_bits(held, okey), "pairs": count_pairs_bits(held, okey)}
            key = f"play-offer-{words[not can_use(public, held, tile)]}"
            lines.append(texts(key, tile=self.ink.tile(tile), **worth))
        if public.phase is Phase.PLAY and opened is None and public.table:
            fits = {tile_of_piece(p) for p, _ in lay_offs(public.table, hand, public.setup.okey)}
            if fits - {OKEY}:
                row = self.ink.row(sorted(fits - {OKEY}))
                lines.append(texts("play-not-yet", tiles=row))
        if public.phase is Phase.PLAY and options.melds:
            listed = self.ink.groups(meld.pieces[0] for meld in options.melds[:30])
            lines.append(texts("play-melds", groups=listed))
        return lines

    def kept(self, deal: Deal) -> list[str]:
        """The hands that were counted, at the end of a deal."""
        result = deal.result
        assert result is not None
        if not result.counts:
            return []
        return [
            self.ink.texts(
                "play-kept-okey" if count_bits(hand, OKEY) else "play-kept",
                player=self.names[seat],
                tiles=self.ink.row(Rack.from_bits(hand)),
                points=points_of_bits(hand, deal.public.setup.okey),
            )
            for seat, hand in enumerate(deal.hands)
            if hand and deal.public.opened[seat] is not None
        ]


# What has happened in a deal, told in short lines: a line for every turn.


@dataclass(slots=True)
class History:
    """The deal's log; what the player hasn't heard yet is told once."""

    screen: Screen
    """Whose names and ink these lines have."""
    _said: list[tuple[int, int, str]] = field(default_factory=list, init=False)
    """What each seat did, with the turn."""
    _told: int = field(default=0, init=False)

    def note(self, before: Deal, after: Deal) -> None:
        """Take down the last action of ``after``."""
        ink, seat = self.screen.ink, after.public.actions[-1][0]
        texts, turns = ink.texts, before.public.turns
        drawn = after.drawn if seat == self.screen.me else None
        name, told = action_told(before.public, after.public, drawn, ink)
        self._said.append((seat, turns, texts(f"play-{self._who(seat)}-{name}", **told)))
        for fine in after.public.fines[len(before.public.fines) :]:
            key = f"play-{self._who(fine.seat)}-fined"
            reason = texts(f"fine-{fine.rule}")
            text = texts(key, points=fine.points, rule=fine.rule, reason=reason)
            self._said.append((fine.seat, turns, text))
        result = after.public.result
        if result is not None and result.winner == seat:
            self._said.append((seat, turns, texts(f"play-{self._who(seat)}-finish")))

    def _who(self, seat: int) -> str:
        return "you" if seat == self.screen.me else "did"

    def news(self) -> list[str]:
        """Lines about what has happened since the last call."""
        since, self._told = self._told, len(self._said)
        return self.lines(since)

    def lines(self, since: int = 0) -> list[str]:
        """The deal so far, or since so many phrases: a line for what a seat did in a turn."""
        lines, me = list[str](), self.screen.me
        for (seat, _), said in groupby(self._said[since:], key=itemgetter(0, 1)):
            name = self.screen.ink.texts("play-you") if seat == me else self.screen.names[seat]
            lines.append(f"{name} {'; '.join(text for _, _, text in said)}.")
        return lines


# Hints in words: what to do as a command that can be typed, and why.


def typed(action: Action, ink: Ink) -> str:
    """The action as a command in the player's language; a tile as the ink writes it."""
    word, _, rest = str(action).partition(" ")
    if isinstance(action, Discard):
        rest = ink.tile(action.tile)
    return f"{ink.texts('play-typed', word=word)} {rest}".rstrip()


def reason_text(reason: Reason, ink: Ink) -> str:
    """Why to do it, in the sentences that the page has too."""
    tile = ink.tile(parse_tile(reason.tile)) if reason.tile else ""
    code = f"hint-why-{reason.code}"
    words = ink.texts(code, tile=tile, points=reason.points, need=reason.need)
    return f"{words} {ink.texts('hint-safe')}" if reason.safe else words
