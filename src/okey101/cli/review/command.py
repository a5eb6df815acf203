"""What ``okey101 review`` does: reads the record, looks it through, prints and writes."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from okey101.cli.failures import INVALID, Failure, with_file
from okey101.cli.output import Output
from okey101.cli.progress import Bar, ready
from okey101.cli.replay import is_position, names_of, read_record
from okey101.cli.review.report import html_review, review_lines
from okey101.game import Deal, parse_position, view_of
from okey101.game.record.form import Record
from okey101.i18n import Texts
from okey101.review.analysis import analyse
from okey101.review.matches import MatchReview, review_match


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
        message = texts("error-no-such-deal", deal=options.deal)
        raise Failure(INVALID, "no-such-deal", message, deal=options.deal)
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
