"""What ``okey101 puzzle`` does: shows a position, takes an answer, and says what it costs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict

from okey101.cli.help import unused
from okey101.cli.output import Exit, Failure, Output
from okey101.cli.play.console import Console, PlayerLeft
from okey101.cli.play.screen import Screen
from okey101.cli.review.command import action_text, number, spread
from okey101.errors import NotationError
from okey101.game import Options
from okey101.i18n import Texts
from okey101.render.text import Ink, Order, table_lines
from okey101.review.puzzles import Puzzle, Theme, puzzle, puzzles_about


def ask(
    output: Output, which: int | None, theme: Theme | None, rules: str | None, answer: str | None
) -> int:
    """Show a position and its choices, read an answer, and tell the best; the exit code.

    Without a number it is any of the theme and the rule set. The answer is the number of a choice
    or its notation, read from stdin where it isn't given, until it is one. OkeyError
    ``no-such-puzzle`` and ``unknown-preset``; Failure ``no-puzzles`` and ``no-such-choice``.
    """
    if which is None:
        every = puzzles_about(theme, rules)
        if not every:
            raise Failure.of(output.texts, Exit.USAGE, "no-puzzles")
        which = random.choice(every)
    else:
        unused("theme", "rules")
    found = puzzle(which)
    choices = sorted([found.best, *found.costs])
    if output.as_json:
        told = {} if answer is None else {"answer": _chosen(output.texts, found, choices, answer)}
        output.answer(found.to_dict() | told)
        return 0
    output.lines(_shown(output, found, choices))
    chosen = None if answer is None else _chosen(output.texts, found, choices, answer)
    console = Console()
    while chosen is None:
        try:
            typed = console.ask(f"{output.texts('puzzle-ask')} ")
            chosen = _chosen(output.texts, found, choices, typed)
        except Failure as failure:
            output.lines([failure.message])
        except PlayerLeft:
            return Exit.FAILED
    output.lines(_judged(output.texts, found, chosen))
    return 0


def _chosen(texts: Texts, found: Puzzle, choices: list[str], answer: str) -> str:
    """The choice that is meant; any other action in the notation is one that was not weighed."""
    word = answer.strip()
    if word.isdecimal() and len(word) < 5 and 1 <= int(word) <= len(choices):
        return choices[int(word) - 1]
    try:
        found.cost(word)
    except NotationError:
        raise Failure.of(texts, Exit.USAGE, "no-such-choice", count=len(choices)) from None
    return word


def _shown(output: Output, found: Puzzle, choices: list[str]) -> Iterator[str]:
    texts, view = output.texts, found.view
    public, setup = view.public, view.public.setup
    seat = public.turn
    names = [texts("page-you") if n == seat else texts("replay-seat", seat=n) for n in range(4)]
    screen = Screen(seat, names, names, Ink(texts, color=output.colour), Order.MELDS)
    count = len(puzzles_about())
    theme = texts(f"puzzle-theme-{found.theme}")
    yield output.strong(texts("puzzle-title", number=found.number, count=count, theme=theme))
    okey = [] if setup.okey is None else [setup.okey]
    told = {"rules": found.position.split(";")[1].strip()}
    told |= {"indicator": output.tiles([setup.indicator])}
    told |= {"okey": output.tiles(okey) or texts("text-none")}
    yield texts("puzzle-heading", stock=public.stock_count, **told)
    yield from table_lines(public, names, screen.ink)
    yield from screen.piles(public)
    yield from screen.rack(Options(view))
    yield texts("puzzle-choices")
    for place, choice in enumerate(choices, 1):
        yield f"  {place}: {action_text(texts, found.move(choice))}"


def _judged(texts: Texts, found: Puzzle, answer: str) -> Iterator[str]:
    best = action_text(texts, found.move(found.best))
    cost = found.cost(answer)
    if cost is None:
        yield texts("puzzle-unweighed", best=best)
    elif cost.tenths == 0:
        yield texts("puzzle-right", best=best)
    else:
        yield texts("puzzle-wrong", best=best, **spread(texts, cost))
    yield texts(f"review-why-{found.why.code}", **asdict(found.why))
    yield texts("review-details")
    for choice, price in found.costs.items():
        words = action_text(texts, found.move(choice))
        yield f"  +{number(texts, price.tenths)} ± {number(texts, price.reach)}  {words}"
