"""A series of deals: who deals, what counts, and who is ahead (D3, C4, G1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape

from okey101.errors import OkeyError, checked
from okey101.game.deal import Deal
from okey101.game.deal_parts import Result
from okey101.game.dealing import Layout, deal_from_seed, first_dealer, match_seed, seed_of
from okey101.game.ruleset import RuleSet, checked_seat, rules_of
from okey101.game.view import view_of
from okey101.tiles import svg_of


def next_dealer(rules: RuleSet, dealer: int, result: Result) -> int:
    """Who deals next: the right neighbour after a scored deal, else the same again (D3, O7, E3)."""
    return (dealer + 1) % rules.players if result.counts else dealer


def totals_of(rules: RuleSet, results: tuple[Result, ...]) -> tuple[int, ...]:
    """Every seat's sum over the deals, the fines of void ones included (C4)."""
    return tuple(sum(r.scores[seat] for r in results) for seat in range(rules.players))


def team_totals(rules: RuleSet, totals: tuple[int, ...]) -> tuple[int, int] | None:
    """The sums of seats 0 and 2 and of seats 1 and 3; None where nobody plays in teams (G1)."""
    return (totals[0] + totals[2], totals[1] + totals[3]) if rules.teams else None


def deal_score(deal: Deal, seat: int) -> int:
    """What a finished deal counts for a seat: its own points, in teams its team's (G1)."""
    assert deal.result is not None
    scores = deal.result.scores
    return sum(scores[seat % 2 :: 2]) if deal.rules.teams else scores[seat]


def places(totals: tuple[int, ...]) -> tuple[int, ...]:
    """Each total's place, lowest first and counted from 1; equal totals share it (C4).

    >>> places((50, -101, 50, 202))
    (2, 1, 2, 4)
    """
    return tuple(1 + sum(other < total for other in totals) for total in totals)


def places_of(rules: RuleSet, totals: tuple[int, ...]) -> tuple[int, ...]:
    """Every seat's place; in teams both partners have their team's (C4, G1)."""
    teams = team_totals(rules, totals)
    return places(totals) if teams is None else places(teams) * 2


@dataclass(frozen=True, slots=True)
class Match:
    """A match between deals: its rules, its seed, and the deals already played.

    ``deal`` makes the next deal; ``after`` takes it back finished and returns the next match.

    >>> match = Match.new(RuleSet(), deals=3, seed=bytes(32))
    >>> deal = match.deal()
    >>> deal.public.setup.dealer == match.dealer
    True
    """

    rules: RuleSet
    deals: int
    seed: bytes = field(repr=False)
    dealer: int
    results: tuple[Result, ...] = ()
    finished: tuple[Deal, ...] = field(default=(), repr=False)
    """The finished deals behind the results, with all their tiles."""

    @classmethod
    def new(
        cls,
        rules: RuleSet | str,
        *,
        deals: int,
        seed: bytes | int | str,
        dealer: int | None = None,
    ) -> Match:
        """A match of ``deals`` counting deals; the first dealer comes from the seed (D3).

        ``rules`` may be the name of a preset, and the seed what
        :func:`okey101.game.dealing.seed_of` reads. Raises OkeyError ``bad-deals`` unless ``deals``
        is from 1 to 1000, ``bad-seat``, ``bad-seed`` and ``unknown-preset``.
        """
        if type(deals) is not int or not 1 <= deals <= 1000:
            raise OkeyError("bad-deals", f"a match has 1 to 1000 deals, not {deals}", deals=deals)
        rules, seed = rules_of(rules), seed_of(seed)
        first = first_dealer(seed, rules.players) if dealer is None else dealer
        return cls(rules, deals, seed, checked_seat(first, rules.players))

    def steps(self) -> Iterator[Deal]:
        """Every finished deal from its first position to its last, all tiles open."""
        for deal in self.finished:
            yield from deal.steps()

    def _repr_html_(self) -> str | None:
        """What was played, to step through with a slider: nothing is fetched for it.

        Each step is the picture of the table from behind seat 0, and below it the action and all
        tiles in notation. A line that several pictures have is in the text once.
        """
        lines: dict[str, int] = {}
        frames: list[tuple[str, list[int]]] = []
        picture = ""
        for state in self.steps():
            last = [f"{seat}: {action}" for seat, action in state.public.actions[-1:]]
            told = "\n".join([*last, state.text(secrets=True)])
            picture = svg_of(view_of(state, 0)) or ""
            drawn = [lines.setdefault(line, len(lines)) for line in picture.splitlines()]
            frames.append((told, drawn))
        if not frames:
            return None
        end, shown = len(frames) - 1, escape(json.dumps({"lines": list(lines), "frames": frames}))
        show = (
            "const all=JSON.parse(this.dataset.steps),[told,drawn]=all.frames[this.value];"
            "this.nextElementSibling.innerHTML=drawn.map(at=>all.lines[at]).join('');"
            "this.parentElement.lastElementChild.textContent=told"
        )
        return (
            f'<div><input type="range" max="{end}" value="{end}" style="width:100%"'
            f' data-steps="{shown}" oninput="{show}"><div style="overflow-x:auto">{picture}</div>'
            f"<pre>{escape(frames[-1][0])}</pre></div>"
        )

    @property
    def played(self) -> int:
        """How many deals count toward the agreed number so far."""
        return sum(result.counts for result in self.results)

    @property
    def over(self) -> bool:
        """Whether all agreed deals are played (C4)."""
        return self.played >= self.deals

    @property
    def totals(self) -> tuple[int, ...]:
        """Every seat's points so far."""
        return totals_of(self.rules, self.results)

    @property
    def places(self) -> tuple[int, ...]:
        """Every seat's place so far; in teams both partners have their team's (C4, G1)."""
        return places_of(self.rules, self.totals)

    def dealt(self) -> Layout:
        """The table of the next deal, hidden tiles and all."""
        return deal_from_seed(self.rules, match_seed(self.seed, len(self.results)), self.dealer)

    def deal(self) -> Deal:
        """The next deal, before its first action; OkeyError ``match-over`` if there is none."""
        self._check_running()
        return Deal.start(self.rules, self.dealt())

    def _check_running(self) -> None:
        if self.over:
            raise OkeyError("match-over", "all agreed deals are played (C4)")

    def after(self, deal: Deal) -> Match:
        """The match once a deal has ended.

        OkeyError ``deal-running`` before that, ``other-rules`` for a deal of another rule set,
        ``match-over`` for one deal too many.
        """
        self._check_running()
        result = checked(deal, Deal).result
        if result is None:
            raise OkeyError("deal-running", "the deal has not ended")
        if deal.rules != self.rules:
            raise OkeyError("other-rules", "the deal was played by other rules than the match has")
        results, finished = (*self.results, result), (*self.finished, deal)
        dealer = next_dealer(self.rules, deal.public.setup.dealer, result)
        return replace(self, results=results, finished=finished, dealer=dealer)
