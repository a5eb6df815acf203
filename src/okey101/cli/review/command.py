"""What ``okey101 review`` does: reads the record, looks it through, prints and writes it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Final

from okey101.cli.output import INVALID, Failure, Output, with_file
from okey101.cli.progress import Bar, ready
from okey101.cli.replay import is_position, names_of, read_record
from okey101.game import Deal, parse_position, view_of
from okey101.game.record.form import Record
from okey101.i18n import Texts
from okey101.render.plots import Dot, curve, page
from okey101.review.analysis import analyse
from okey101.review.balance import TERMS, Balance, Spread
from okey101.review.deals import DealReview, Decision
from okey101.review.matches import MatchReview, review_match
from okey101.review.wording import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions:
    """The options of ``okey101 review`` as they were typed; deals count from 1, seats from 0."""

    file: str
    deal: int | None = None
    seats: tuple[int, ...] = ()
    worlds: int = 1_000
    policy: str = "master"
    seed: int = 0
    html: str | None = None


def review_file(output: Output, options: ReviewOptions) -> int:
    """Look a record through and print what came of it; returns the exit code.

    ``-`` reads stdin; of a position the choices of the seat to act are weighed. Raises RecordError
    and OkeyError as :func:`okey101.review.review_match` and :func:`okey101.analyse`, Failure for a
    file that can't be read or written and for a deal that isn't there.
    """
    texts = output.texts
    if is_position(options.file):
        return _weigh_position(output, options)
    record = read_record(options.file, texts)
    count = len(record.deals)
    if options.deal is not None and options.deal > count:
        raise Failure.of(texts, INVALID, "no-such-deal", deal=options.deal)
    names = names_of(record, texts)
    if options.html is None:
        review = _reviewed(output, record, options)
    else:
        with _page_file(options.html, texts) as write:
            review = _reviewed(output, record, options)
            write(html_review(texts, review, names, count))
    if output.as_json:
        output.answer(review.to_dict())
        return 0
    output.lines(review_lines(texts, review, names, count))
    if options.html is not None:
        output.note(texts("review-written", file=options.html))
    return 0


def _weigh_position(output: Output, options: ReviewOptions) -> int:
    """What each choice costs, and how much more than the best, a line each."""
    found = parse_position(options.file)
    view = view_of(found, found.turn) if isinstance(found, Deal) else found
    analysis = analyse(view, options.worlds, seed=options.seed, policy=options.policy)
    return output.tell(
        analysis.to_dict(),
        lambda: (f"{c.points!s:>28}  {c.behind!s:>26}  {c.action}" for c in analysis.choices),
    )


@contextmanager
def _page_file(file: str, texts: Texts) -> Generator[Callable[[str], None]]:
    """What writes the page; that it can't be written is said before the work, not after it.

    A file that was made for it goes again where the work fails.
    """
    path = Path(file)
    new = not path.exists()
    with with_file(file, texts):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8"):
            pass

    def write(page: str) -> None:
        with with_file(file, texts):
            path.write_text(page, encoding="utf-8")

    try:
        yield write
    except BaseException:
        if new:
            path.unlink(missing_ok=True)
        raise


def _reviewed(output: Output, record: Record, options: ReviewOptions) -> MatchReview:
    from okey101.kernel import warm

    ready(output)
    warm()  # it loads while the record is read
    bar: Bar | None = None
    before = 0

    def tell(done: int, total: int) -> None:
        nonlocal bar, before
        if bar is None:
            bar = Bar(output, output.texts("review-working"), total)
        bar.add(done - before)
        before = done

    try:
        return review_match(
            record,
            deal=None if options.deal is None else options.deal - 1,
            seats=sorted(set(options.seats)) or None,
            worlds=options.worlds,
            seed=options.seed,
            policy=options.policy,
            on_step=tell,
        )
    finally:
        if bar is not None:
            bar.close()


# A review as text and as one page of HTML, and its sentences for all who show one.


def number(texts: Texts, tenths: int, *, signed: bool = False) -> str:
    """Tenths of a point as the language writes them."""
    return texts.written(f"{tenths / 10:{'+' if signed else ''}.1f}")


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
        yield f"    {_lost(texts, deal.lost, deal.large, deal.small)}"
        if deal.by_others:
            yield f"    {by_others(texts, deal)}"
        yield from _decisions(texts, deal)
        yield ""
    if len({deal.number for deal in review.deals}) > 1:
        yield texts("review-match")
        for summary in review.summary:
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
    title = texts("review-title")
    return page(texts.language, title, _STYLE, _parts(texts, review, names, count, title))


def _parts(
    texts: Texts, review: MatchReview, names: Sequence[str], count: int, title: str
) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    about = texts(
        "review-low-is-good", policy=review.policy, worlds=review.worlds, seed=review.seed
    )
    yield f'<p class="quiet">{escape(about)}</p>'
    if len({deal.number for deal in review.deals}) > 1:
        yield f"<h2>{escape(texts('review-match'))}</h2>"
        for summary in review.summary:
            yield f"<h3>{escape(seat_heading(texts, summary.seat, names))}</h3>"
            yield _term_rows(texts, summary.balance, teams=review.teams)
            yield _lost_row(texts, summary.lost, summary.large, summary.small)
    for deal in review.deals:
        head = texts("review-deal", number=deal.number + 1, count=count)
        yield f"<h2>{escape(head)}: {escape(seat_heading(texts, deal.seat, names))}</h2>"
        yield from _deal(texts, deal, teams=review.teams)


def _deal(texts: Texts, deal: DealReview, *, teams: bool) -> Iterator[str]:
    yield _term_rows(texts, deal.balance, teams=teams)
    yield _lost_row(texts, deal.lost, deal.large, deal.small)
    if deal.by_others:
        yield f"<p>{escape(by_others(texts, deal))}</p>"
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
    plot = curve(
        tuple(places.items()), dots, texts("review-curve"), texts("review-curve-about"),
        text=lambda value: texts.written(f"{value:.4g}"),
    )  # fmt: skip
    yield f"<h3>{escape(texts('review-curve'))}</h3>"
    yield f'<p class="quiet">{escape(texts("review-curve-about"))}</p>'
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


def _term_rows(texts: Texts, balance: Balance, *, teams: bool) -> str:
    rows = []
    for name, term in zip(TERMS, balance.terms, strict=True):
        rows.append(
            f'<tr><th scope="row">{escape(texts(f"review-term-{name}"))}</th>'
            f'<td class="number">{number(texts, term.tenths, signed=True)}</td>'
            f'<td class="number quiet">± {number(texts, term.reach)}</td></tr>'
        )
    rows.append(
        f'<tr class="total"><th scope="row">{escape(score_term(texts, teams=teams))}</th>'
        f'<td class="number">{number(texts, 10 * balance.score, signed=True)}</td><td></td></tr>'
    )
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _lost_row(texts: Texts, lost: Spread, large: int, small: int) -> str:
    return f"<p>{escape(_lost(texts, lost, large, small))}</p>"
