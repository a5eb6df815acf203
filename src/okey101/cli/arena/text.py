"""The report of an arena as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from okey101.game.ruleset import RuleSet
from okey101.i18n import Texts
from okey101.sim.arena.chunks import LAST_TURN, Tally
from okey101.sim.arena.plan import Kind
from okey101.sim.arena.results import ArenaResult, Share

__all__ = ["labels", "number", "opening_turn", "per_hundred", "share", "tallies", "text_report"]


def number(texts: Texts, value: float, *, signed: bool = False, digits: int = 2) -> str:
    """A number as the language writes it."""
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    return text.replace(".", ",") if texts.language == "tr" else text


def share(tally: Tally, *names: str) -> float:
    """How many of 100 seats have one of these counts."""
    return 100 * sum(tally[name] for name in names) / max(1, tally["seats"])


def per_hundred(tally: Tally) -> float:
    """Points of fines in 100 deals of a seat."""
    return 100 * tally["fine-points"] / max(1, tally["seats"])


def opening_turn(tally: Tally) -> float:
    """The mean turn of a bot's openings; late ones count as the last turn that is told apart."""
    counts = {
        turn: tally[f"opened.melds.{turn}"] + tally[f"opened.pairs.{turn}"]
        for turn in range(1, LAST_TURN + 1)
    }
    return sum(turn * n for turn, n in counts.items()) / max(1, sum(counts.values()))


def text_report(result: ArenaResult, manifest: Mapping[str, object], texts: Texts) -> Iterator[str]:
    """The lines of the report."""
    yield texts(
        "arena-head",
        kind=result.job.plan.kind.value,
        rules=_rules(result.job.rules, texts),
        deals=result.deals,
        tables=result.deals * result.job.plan.tables,
        seed=result.job.seed,
        purpose=str(manifest["purpose"]),
    )
    yield ""
    yield from _grid(_differences(result, texts))
    yield ""
    if result.worst:
        for worst in result.worst:
            row = result.rows[worst.row]
            yield texts(
                "arena-worst",
                bot=result.names[worst.bot],
                anchor=result.names[row.anchor or 0],
                difference=number(texts, row.estimate.mean, signed=True),
            )
        yield ""
    yield from _grid(_play(result, texts))
    yield ""
    yield from _grid(_conduct(result, texts))
    if result.gate is not None:
        yield ""
        yield texts(
            "arena-gate",
            verdict=result.gate.verdict.value,
            deals=result.gate.deals,
            ratio=number(texts, result.gate.ratio, signed=True),
        )
    yield ""
    yield texts("arena-low-is-good", kind=result.job.plan.kind.value)
    yield texts("arena-command", command=str(manifest["command"]))


def _rules(rules: RuleSet, texts: Texts) -> str:
    changed = len(rules.differences())
    return texts("arena-rules", preset=rules.preset_name, changed=changed)


def labels(result: ArenaResult) -> list[str]:
    """What each row is called."""
    names = result.names
    if result.job.plan.kind is Kind.SEATINGS:
        return [names[row.bot] for row in result.rows]
    return [f"{names[row.bot]} : {names[row.anchor or 0]}" for row in result.rows]


def _differences(result: ArenaResult, texts: Texts) -> Iterator[tuple[str, ...]]:
    yield (
        "",
        texts("arena-col-score"),
        texts("arena-col-compared"),
        texts("arena-col-difference"),
        texts("arena-col-interval"),
        texts("arena-col-bootstrap"),
        texts("arena-col-same"),
        texts("arena-col-worst-place"),
        *([texts("arena-col-share")] if result.job.oracle else []),
    )
    for label, row in zip(labels(result), result.rows, strict=True):
        place = row.places[row.worst_place]
        yield (
            label,
            number(texts, row.score, digits=1),
            number(texts, row.compared, digits=1),
            number(texts, row.estimate.mean, signed=True),
            _span(texts, row.estimate.low, row.estimate.high),
            _span(texts, *row.bootstrap),
            number(texts, 100 * row.unchanged, digits=0),
            f"{row.worst_place + 1} ({number(texts, place.mean, signed=True, digits=1)})",
            *([_of_the_way(texts, row.share)] if result.job.oracle else []),
        )


def _of_the_way(texts: Texts, share: Share | None) -> str:
    if share is None:
        return "-"
    parts = (number(texts, 100 * value, digits=1) for value in share)
    return "{} ({} .. {})".format(*parts)


def _span(texts: Texts, low: float, high: float) -> str:
    return f"{number(texts, low, signed=True)} .. {number(texts, high, signed=True)}"


def tallies(result: ArenaResult) -> Iterator[tuple[str, Tally]]:
    """Who played, and its counts: each bot among its own, and each row."""
    for bot, _, tally in result.base:
        yield result.names[bot], tally
    for label, row in zip(labels(result), result.rows, strict=True):
        yield label, row.tally


def _play(result: ArenaResult, texts: Texts) -> Iterator[tuple[str, ...]]:
    yield (
        "",
        texts("arena-col-finished"),
        texts("arena-col-opened"),
        texts("arena-col-turn"),
        texts("arena-col-fines"),
        texts("arena-col-ends"),
    )
    for label, tally in tallies(result):
        tables = max(1, tally["tables"])
        ends = [tally[f"end.{end}"] for end in ("finish", "stock", "all-pairs", "void")]
        yield (
            label,
            number(texts, share(tally, "won"), digits=1),
            number(texts, 100 - share(tally, "unopened"), digits=1),
            number(texts, opening_turn(tally)),
            number(texts, per_hundred(tally), digits=0),
            " / ".join(number(texts, 100 * end / tables, digits=0) for end in ends),
        )


def _conduct(result: ArenaResult, texts: Texts) -> Iterator[tuple[str, ...]]:
    yield (
        "",
        texts("arena-col-choices"),
        texts("arena-col-illegal"),
        texts("arena-col-crashed"),
        texts("arena-col-late"),
        texts("arena-col-endless"),
        texts("arena-col-ms"),
        texts("arena-col-overrun"),
    )
    for label, tally in tallies(result):
        choices = max(1, tally["choices"])
        yield (
            label,
            *(str(tally[n]) for n in ("choices", "illegal", "crashed", "late", "endless")),
            number(texts, tally["spent_ns"] / choices / 1e6),
            number(texts, tally["overrun_ns"] / 1e6, digits=0),
        )


def _grid(rows: Iterator[Sequence[str]]) -> Iterator[str]:
    """Columns, the first one to the left and the others to the right."""
    cells = list(rows)
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    for row in cells:
        first, *rest = [
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join([first, *rest]).rstrip()
