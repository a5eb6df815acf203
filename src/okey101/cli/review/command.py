"""What ``okey101 review`` does: reads the record, looks it through, prints and writes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape
from typing import Any, Final

from okey101.cli.help import unused
from okey101.cli.output import Exit, Failure, Output, file_for, write_file
from okey101.cli.progress import Bar, ready
from okey101.cli.replay import is_position, names_of, read_record
from okey101.game import Deal, parse_position, view_of
from okey101.i18n import Texts
from okey101.render.plots import Dot, curve, page
from okey101.review.analysis import analyse
from okey101.review.balance import TERMS, Balance, Spread
from okey101.review.deals import DealReview, Decision
from okey101.review.matches import MatchReview, SeatSummary, review_match
from okey101.review.wording import Move


def review_file(
    output: Output,
    file: str,
    deal: int | None,
    seats: tuple[int, ...],
    html: str | None,
    **how: Any,
) -> int:
    """Look a record through and print what came of it; returns the exit code.

    Deals count from 1, seats from 0; ``how`` are worlds, policy and seed. ``-`` reads stdin; of a
    position the choices of the seat to act are weighed. Raises RecordError
    and OkeyError as :func:`okey101.review.review_match` and :func:`okey101.analyse`, Failure for a
    file that can't be read or written and for a deal that isn't there.
    """
    texts = output.texts
    if is_position(file):
        unused("deal", "seats", "html")
        return _weigh_position(output, file, **how)
    record = read_record(file, texts)
    count = len(record.deals)
    if deal is not None and deal > count:
        raise Failure.of(texts, Exit.INVALID, "no-such-deal", deal=deal)
    names = names_of(record, texts)
    with file_for(html, texts, reads=file):
        from okey101.kernel import warm

        ready(output)
        warm()  # it loads while the record is read
        with Bar(output, texts("review-working")) as bar:
            review = review_match(
                record, deal=None if deal is None else deal - 1, seats=sorted(set(seats)) or None,
                on_step=lambda _, total: bar.add(1, total), **how,
            )  # fmt: skip
        if html is not None:
            write_file(html, html_review(texts, review, names, count), texts)
    output.tell(review.to_dict(), lambda: review_lines(texts, review, names, count))
    if html is not None and not output.as_json:
        output.note(texts("review-written", file=html))
    return 0


def _weigh_position(output: Output, position: str, **how: Any) -> int:
    """What each choice costs, and how much more than the best, a line each."""
    found = parse_position(position)
    view = view_of(found, found.turn) if isinstance(found, Deal) else found
    analysis = analyse(view, **how)
    return output.tell(
        analysis.to_dict(),
        lambda: (f"{c.points!s:>28}  {c.behind!s:>26}  {c.action}" for c in analysis.choices),
    )


# A review as text and as one page of HTML, and its sentences for all who show one.


def number(texts: Texts, tenths: int, *, signed: bool = False) -> str:
    """Tenths of a point as the language writes them."""
    return texts.written(f"{tenths / 10:{'+' if signed else ''}.1f}")


def spread(texts: Texts, found: Spread, *, signed: bool = False) -> dict[str, str]:
    """A figure and how far its interval reaches, by the names that the sentences have for them."""
    points = number(texts, found.tenths, signed=signed)
    return {"points": points, "reach": number(texts, found.reach)}


def action_text(texts: Texts, move: Move) -> str:
    """What was done, in words."""
    return texts(
        "review-action", verb=move.verb, tile=move.tile, tiles=move.tiles, points=move.points
    )


def why_text(texts: Texts, decision: Decision) -> str:
    """Why something else was better; empty where nothing was."""
    why = decision.why
    return "" if why is None else texts(f"review-why-{why.code}", **asdict(why))


def notes_of(texts: Texts, decision: Decision) -> Iterator[str]:
    """What only the open tiles tell of a choice."""
    later = decision.hindsight
    if later is None:
        return
    if later.taken:
        key = "review-later-fed" if later.fed.low > 0 else "review-later-taken"
        yield texts(key, tile=decision.played.tile, **spread(texts, later.fed))
    if decision.mark:
        yield texts("review-later-loss", **spread(texts, later.loss, signed=True))


def _by_others(texts: Texts, deal: DealReview) -> str:
    """That a bot or the clock played for the seat."""
    return texts("review-by-others", count=deal.by_others, all=len(deal.decisions))


def _terms(texts: Texts, balance: Balance, *, teams: bool) -> Iterator[tuple[str, str, str]]:
    """Each term of a score in words, its points and their interval; at last the score."""
    for name, term in zip(TERMS, balance.terms, strict=True):
        value, reach = number(texts, term.tenths, signed=True), number(texts, term.reach)
        yield texts(f"review-term-{name}"), value, f"± {reach}"
    score = texts("review-score-team" if teams else "review-term-score")
    yield score, number(texts, 10 * balance.score, signed=True), ""


def _seats(
    texts: Texts, review: MatchReview, names: Sequence[str], count: int
) -> Iterator[tuple[str, str, DealReview | SeatSummary]]:
    """Each seat's part with its headings: the deals, then the match where several were reviewed."""
    for deal in review.deals:
        yield (
            texts("review-deal", number=deal.number + 1, count=count),
            seat_heading(texts, deal.seat, names),
            deal,
        )
    if len({deal.number for deal in review.deals}) > 1:
        for summary in review.summary:
            yield texts("review-match"), seat_heading(texts, summary.seat, names), summary


def seat_heading(texts: Texts, seat: int, names: Sequence[str]) -> str:
    """Whose seat it is; one without a name is told by its number alone."""
    if names[seat] == texts("replay-seat", seat=seat):
        return names[seat]
    return texts("review-seat", player=names[seat], seat=seat)


def review_lines(
    texts: Texts, review: MatchReview, names: Sequence[str], count: int
) -> Iterator[str]:
    """The whole review, deal by deal, then the match; ``count`` deals are in the record."""
    last = ""
    for heading, seat, part in _seats(texts, review, names, count):
        if heading != last:
            yield heading
            last = heading
        yield f"  {seat}"
        terms = [*_terms(texts, part.balance, teams=review.teams)]
        width = max(len(word) for word, _, _ in terms)
        for word, value, reach in terms:
            yield f"    {word:<{width}} {value:>8} {reach}".rstrip()
        yield f"    {_lost(texts, part)}"
        if isinstance(part, DealReview):
            if part.by_others:
                yield f"    {_by_others(texts, part)}"
            yield from _decisions(texts, part)
        if isinstance(part, DealReview) or part is review.summary[-1]:
            yield ""
    yield _about(texts, review)


def _about(texts: Texts, review: MatchReview) -> str:
    """How the review was made."""
    how: dict[str, Any] = {name: getattr(review, name) for name in ("policy", "worlds", "seed")}
    return texts("review-low-is-good", **how)


def _lost(texts: Texts, part: DealReview | SeatSummary) -> str:
    counts = {"large": part.large, "small": part.small}
    return texts("review-lost", **spread(texts, part.lost), **counts)


def _decisions(texts: Texts, deal: DealReview) -> Iterator[str]:
    told = [d for d in deal.decisions if d.mark or (d.hindsight and d.hindsight.fed.low > 0)]
    if not any(decision.mark for decision in told):
        yield f"    {texts('review-none')}"
    for decision in told:
        played = action_text(texts, decision.played)
        if decision.mark:
            lost = {"loss": number(texts, decision.loss.tenths, signed=True)}
            lost |= {"reach": number(texts, decision.loss.reach)}
            lost |= {"mark": texts(f"review-mark-{decision.mark}")}
            line = texts("review-line", turn=decision.action + 1, played=played, **lost)
            best = texts("review-better", best=action_text(texts, decision.best))
            yield f"    {line}; {best}"
            yield f"      {why_text(texts, decision)}"
        else:
            yield f"    {decision.action + 1}: {played}"
        for note in notes_of(texts, decision):
            yield f"      {note}"


# A review as one page of HTML that needs nothing else.

_STYLE: Final = """
h2{font-size:1.25rem;margin:2.4rem 0 .4rem}
h3{font-size:1.05rem;margin:1.4rem 0 .4rem}
th,td{padding:.35rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
td.number,th.number{text-align:right;white-space:nowrap}tr.total{font-weight:600}
.small{color:var(--s1)}.large{color:var(--s3);font-weight:600}
.head{display:none}
.s0{fill:var(--s0)}.s1{fill:var(--s1)}.s3{fill:var(--s3)}
.path{fill:none;stroke:var(--s0);stroke-width:2}
@media (max-width:40rem){.label{font-size:22px}.choices,.choices tbody{display:block}
.choices thead{position:absolute;clip-path:inset(50%)}
.choices tr{display:grid;grid-template-columns:2.2rem 1fr auto;gap:0 .6rem;padding:.35rem 0;
border-bottom:1px solid var(--line)}
.choices td{border:0;padding:0}.choices td:nth-child(3),.choices td:nth-child(5){grid-column:2/-1}
.choices td:nth-child(3){order:1}.choices td:nth-child(5){order:2}
.choices td:empty{display:none}.head{display:inline}}
"""


def html_review(texts: Texts, review: MatchReview, names: Sequence[str], count: int) -> str:
    """The whole page, light or dark as its reader's system is; ``count`` deals in the record."""
    return page(texts.language, texts("review-title"), _STYLE, _parts(texts, review, names, count))


def _parts(texts: Texts, review: MatchReview, names: Sequence[str], count: int) -> Iterator[str]:
    yield f"<h1>{escape(texts('review-title'))}</h1>"
    yield f'<p class="quiet">{escape(_about(texts, review))}</p>'
    seats = [*_seats(texts, review, names, count)]
    whole = [(seat, part) for _, seat, part in seats if not isinstance(part, DealReview)]
    if whole:
        yield f"<h2>{escape(texts('review-match'))}</h2>"
    for seat, summary in whole:
        yield f"<h3>{escape(seat)}</h3>"
        yield from _figures(texts, summary, teams=review.teams)
    for heading, seat, part in seats:
        if isinstance(part, DealReview):
            yield f"<h2>{escape(heading)}: {escape(seat)}</h2>"
            yield from _figures(texts, part, teams=review.teams)
            yield from _deal(texts, part)


def _deal(texts: Texts, deal: DealReview) -> Iterator[str]:
    if deal.by_others:
        yield f"<p>{escape(_by_others(texts, deal))}</p>"
    places = {moment.actions: moment.points for moment in deal.curve}
    dots = [
        Dot(
            decision.action + 1,
            places[decision.action + 1],
            3 if decision.mark == "large" else 1,
            action_text(texts, decision.played),
        )
        for decision in deal.decisions
        if decision.mark
    ]
    points, about = tuple(places.items()), texts("review-curve-about")
    plot = curve(texts, points, dots, texts("review-curve"), about)
    yield f"<h3>{escape(texts('review-curve'))}</h3>"
    yield f'<p class="quiet">{escape(about)}</p>'
    yield f'<div class="wide">{plot}</div>'
    yield f"<h3>{escape(texts('review-h-choices'))}</h3>"
    yield f'<table class="choices"><thead><tr>{_head(texts)}</tr></thead><tbody>'
    for decision in deal.decisions:
        played, best = (action_text(texts, move) for move in (decision.played, decision.best))
        loss = f"{number(texts, decision.loss.tenths)} ±\N{NO-BREAK SPACE}"
        loss += number(texts, decision.loss.reach)
        if decision.mark:
            loss += f" ({texts(f'review-mark-{decision.mark}')})"
        why = " ".join(
            [why_text(texts, decision) if decision.mark else "", *notes_of(texts, decision)]
        )
        better = f'<span class="head">{escape(texts("review-head-best"))}: </span>{escape(best)}'
        yield (
            f'<tr class="{decision.mark}"><td class="number">{decision.action + 1}</td>'
            f"<td>{escape(played)}</td><td>{'' if best == played else better}</td>"
            f'<td class="number">{escape(loss)}</td><td>{escape(why.strip())}</td></tr>'
        )
    yield "</tbody></table>"


def _head(texts: Texts) -> str:
    columns = ("turn", "played", "best", "loss", "why")
    numbers = ("turn", "loss")
    return "".join(
        f'<th scope="col"{" class=number" if name in numbers else ""}>'
        f"{escape(texts(f'review-head-{name}'))}</th>"
        for name in columns
    )


def _figures(texts: Texts, part: DealReview | SeatSummary, *, teams: bool) -> Iterator[str]:
    """The terms of a score as a table, and what was lost."""
    rows = [
        f'<tr class="{"" if reach else "total"}"><th scope="row">{escape(word)}</th>'
        f'<td class="number">{value}</td><td class="number quiet">{reach}</td></tr>'
        for word, value, reach in _terms(texts, part.balance, teams=teams)
    ]
    yield f"<table><tbody>{''.join(rows)}</tbody></table><p>{escape(_lost(texts, part))}</p>"
