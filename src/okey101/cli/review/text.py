"""A review as text, and its sentences for all who show one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from okey101.i18n import Texts
from okey101.review.balance import TERMS, Balance
from okey101.review.deals import DealReview, Decision
from okey101.review.matches import MatchReview
from okey101.review.spread import Spread
from okey101.review.wording import Told

__all__ = [
    "action_text",
    "by_others",
    "notes_of",
    "number",
    "review_lines",
    "score_term",
    "seat_heading",
    "why_text",
]


def number(texts: Texts, tenths: int, *, signed: bool = False) -> str:
    """Tenths of a point as the language writes them."""
    text = f"{tenths / 10:+.1f}" if signed else f"{tenths / 10:.1f}"
    return text.replace(".", ",") if texts.language == "tr" else text


def action_text(texts: Texts, told: Told) -> str:
    """What was done, in words."""
    return texts(
        "review-action", verb=told.verb, tile=told.tile, tiles=told.tiles, points=told.points
    )


def why_text(texts: Texts, decision: Decision) -> str:
    """Why something else was better; empty where nothing was."""
    why = decision.why
    return "" if why is None else texts(f"review-why-{why.code}", **_facts(why._asdict()))


def _facts(fields: dict[str, object]) -> dict[str, str | int]:
    return {name: value for name, value in fields.items() if isinstance(value, str | int)}


def notes_of(texts: Texts, decision: Decision) -> Iterator[str]:
    """What only the open tiles tell of a choice."""
    later = decision.hindsight
    if later is None:
        return
    if later.taken and later.fed.low > 0:
        yield texts(
            "review-later-fed",
            tile=decision.played.tile,
            points=number(texts, later.fed.tenths),
            reach=number(texts, later.fed.reach),
        )
    elif later.taken:
        yield texts("review-later-taken", tile=decision.played.tile)
    if decision.mark:
        yield texts(
            "review-later-loss",
            points=number(texts, later.loss.tenths, signed=True),
            reach=number(texts, later.loss.reach),
        )


def by_others(texts: Texts, deal: DealReview) -> str:
    """That a bot or the clock played for the seat."""
    return texts("review-by-others", count=deal.by_others, all=len(deal.decisions))


def score_term(texts: Texts, *, teams: bool) -> str:
    """The words for the score."""
    return texts("review-score-team" if teams else "review-term-score")


def seat_heading(texts: Texts, seat: int, names: Sequence[str]) -> str:
    """Whose seat it is; one without a name is told by its number alone."""
    if names[seat] == texts("replay-seat", seat=seat):
        return names[seat]
    return texts("review-seat", player=names[seat], seat=seat)


def review_lines(
    texts: Texts, review: MatchReview, names: Sequence[str], count: int
) -> Iterator[str]:
    """The whole review, deal by deal, then the match; ``count`` deals are in the record."""
    number_before = -1
    for deal in review.deals:
        if deal.number != number_before:
            number_before = deal.number
            yield texts("review-deal", number=deal.number + 1, count=count)
        yield f"  {seat_heading(texts, deal.seat, names)}"
        yield from _terms(texts, deal.balance, teams=review.teams)
        yield f"    {_lost(texts, deal.lost, deal.marked('large'), deal.marked('small'))}"
        if deal.by_others:
            yield f"    {by_others(texts, deal)}"
        yield from _decisions(texts, deal)
        yield ""
    if len({deal.number for deal in review.deals}) > 1:
        yield texts("review-match")
        for summary in review.summaries():
            yield f"  {seat_heading(texts, summary.seat, names)}"
            yield from _terms(texts, summary.balance, teams=review.teams)
            yield f"    {_lost(texts, summary.lost, summary.large, summary.small)}"
        yield ""
    yield texts("review-low-is-good", policy=review.policy, worlds=review.worlds, seed=review.seed)


def _terms(texts: Texts, balance: Balance, *, teams: bool) -> Iterator[str]:
    score = score_term(texts, teams=teams)
    words = [texts(f"review-term-{name}") for name in TERMS]
    width = max(map(len, [*words, score]))
    for term, word in zip(balance.terms, words, strict=True):
        value = number(texts, term.tenths, signed=True)
        yield f"    {word:<{width}} {value:>8} ± {number(texts, term.reach)}"
    total = number(texts, 10 * balance.score, signed=True)
    yield f"    {score:<{width}} {total:>8}"


def _lost(texts: Texts, lost: Spread, large: int, small: int) -> str:
    return texts(
        "review-lost",
        points=number(texts, lost.tenths),
        reach=number(texts, lost.reach),
        large=large,
        small=small,
    )


def _decisions(texts: Texts, deal: DealReview) -> Iterator[str]:
    told = [d for d in deal.decisions if d.mark or (d.hindsight and d.hindsight.fed.low > 0)]
    if not any(decision.mark for decision in told):
        yield f"    {texts('review-none')}"
    for decision in told:
        played = action_text(texts, decision.played)
        if decision.mark:
            line = texts(
                "review-line",
                turn=decision.action + 1,
                played=played,
                loss=number(texts, decision.loss.tenths, signed=True),
                reach=number(texts, decision.loss.reach),
                mark=texts(f"review-mark-{decision.mark}"),
            )
            best = texts("review-better", best=action_text(texts, decision.best))
            yield f"    {line}; {best}"
            yield f"      {why_text(texts, decision)}"
        else:
            yield f"    {decision.action + 1}: {played}"
        for note in notes_of(texts, decision):
            yield f"      {note}"
