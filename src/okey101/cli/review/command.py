"""What ``okey101 review`` does: reads the record, looks it through, prints and writes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from okey101.cli.failures import INVALID, Failure, file_failure
from okey101.cli.output import Output
from okey101.cli.progress import Bar
from okey101.cli.replay import names_of
from okey101.cli.review.page import html_review
from okey101.cli.review.text import review_lines
from okey101.game.record import MAX_BYTES, Record, parse_record, read_record
from okey101.i18n import Texts
from okey101.review.matches import MatchReview, review_match

__all__ = ["ReviewWishes", "review_file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewWishes:
    """The options of ``okey101 review`` as they were typed; deals count from 1, seats from 0."""

    file: str
    deal: int | None = None
    seats: tuple[int, ...] = ()
    worlds: int = 1_000
    policy: str = "master"
    seed: int = 0
    html: str | None = None


def review_file(output: Output, wishes: ReviewWishes) -> int:
    """Look a record through and print what came of it; returns the exit code.

    ``-`` reads stdin. Raises RecordError and OkeyError as :func:`okey101.review.review_match`,
    Failure for a file that can't be read or written and for a deal that isn't there.
    """
    texts = output.texts
    record = _record(wishes.file, texts)
    count = len(record.deals)
    if wishes.deal is not None and wishes.deal > count:
        message = texts("error-no-such-deal", deal=wishes.deal)
        raise Failure(INVALID, "no-such-deal", message, deal=wishes.deal)
    names = names_of(record, texts)
    if wishes.html is None:
        review = _reviewed(output, record, wishes)
    else:
        with _page_file(wishes.html, texts) as write:
            review = _reviewed(output, record, wishes)
            write(html_review(texts, review, names, count))
    if output.as_json:
        output.answer(review.to_dict())
        return 0
    output.lines(review_lines(texts, review, names, count))
    if wishes.html is not None:
        output.note(texts("review-written", file=wishes.html))
    return 0


def _record(file: str, texts: Texts) -> Record:
    try:
        if file == "-":
            return parse_record(sys.stdin.buffer.read(MAX_BYTES + 1))
        return read_record(file)
    except OSError as error:
        raise file_failure(error, file, texts) from None


@contextmanager
def _page_file(file: str, texts: Texts) -> Generator[Callable[[str], None]]:
    """What writes the page; that it can't be written is said before the work, not after it.

    A file that was made for it goes again where the work fails.
    """
    path = Path(file)
    new = not path.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise file_failure(error, file, texts) from None

    def write(page: str) -> None:
        try:
            path.write_text(page, encoding="utf-8")
        except OSError as error:
            raise file_failure(error, file, texts) from None

    try:
        yield write
    except BaseException:
        if new:
            path.unlink(missing_ok=True)
        raise


def _reviewed(output: Output, record: Record, wishes: ReviewWishes) -> MatchReview:
    from okey101.kernel import warm

    warm()  # it loads, or compiles, while the record is read
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
            deal=None if wishes.deal is None else wishes.deal - 1,
            seats=sorted(set(wishes.seats)) or None,
            worlds=wishes.worlds,
            seed=wishes.seed,
            policy=wishes.policy,
            on_step=tell,
        )
    finally:
        if bar is not None:
            bar.close()
