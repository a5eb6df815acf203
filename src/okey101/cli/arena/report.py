"""The report of an arena, as text and as one page of HTML that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from okey101.errors import plain_data
from okey101.game.record.sheet import aligned
from okey101.i18n import Texts
from okey101.render.plots import SERIES, Interval, Series, bars, histogram, intervals, page
from okey101.sim.arena.chunks import LAST_TURN, Kind, Tally
from okey101.sim.arena.results import BIN, ArenaResult, Share


def number(texts: Texts, value: float, *, signed: bool = False, digits: int = 2) -> str:
    """A number as the language writes it."""
    return texts.written(f"{value:{'+' if signed else ''}.{digits}f}")


def share(tally: Tally, *names: str) -> float:
    """How much of these counts 100 seats have."""
    return 100 * sum(tally[name] for name in names) / max(1, tally["seats"])


def opening_turn(tally: Tally) -> float:
    """The mean turn of a bot's openings; late ones count as the last turn that is told apart."""
    counts = {
        turn: tally[f"opened.melds.{turn}"] + tally[f"opened.pairs.{turn}"]
        for turn in range(1, LAST_TURN + 1)
    }
    return sum(turn * n for turn, n in counts.items()) / max(1, sum(counts.values()))


def text_report(result: ArenaResult, manifest: Mapping[str, object], texts: Texts) -> Iterator[str]:
    """The lines of the report."""
    rules = result.job.rules
    yield texts(
        "arena-head",
        kind=result.job.plan.kind.value,
        rules=texts("arena-rules", preset=rules.preset_name, changed=len(rules.differences())),
        deals=result.deals,
        tables=result.deals * result.job.plan.tables,
        seed=result.job.seed,
        purpose=str(manifest["purpose"]),
    )
    yield ""
    yield from aligned([*_differences(result, texts)])
    yield ""
    if result.job.aivat:
        yield from aligned([*_without_luck(result, texts)])
        yield ""
    for row in map(result.rows.__getitem__, result.worst):
        bot, anchor = result.names[row.bot], result.names[row.anchor or 0]
        difference = number(texts, row.estimate.mean, signed=True)
        yield texts("arena-worst", bot=bot, anchor=anchor, difference=difference)
    if result.worst:
        yield ""
    yield from aligned([*_play(result, texts)])
    yield ""
    yield from aligned([*_conduct(result, texts)])
    if result.gate is not None:
        yield ""
        verdict, ratio = result.gate.verdict.value, number(texts, result.gate.ratio, signed=True)
        yield texts("arena-gate", verdict=verdict, deals=result.gate.deals, ratio=ratio)
    yield ""
    yield texts("arena-low-is-good", kind=result.job.plan.kind.value)
    yield texts("arena-command", command=str(manifest["command"]))


def labels(result: ArenaResult) -> list[str]:
    """What each row is called."""
    names = result.names
    if result.job.plan.kind is Kind.SEATINGS:
        return [names[row.bot] for row in result.rows]
    return [f"{names[row.bot]} : {names[row.anchor or 0]}" for row in result.rows]


def _head(texts: Texts, *names: str) -> tuple[str, ...]:
    return ("", *(texts(f"arena-col-{name}") for name in names))


def _differences(result: ArenaResult, texts: Texts) -> Iterator[tuple[str, ...]]:
    names = ("score", "compared", "difference", "interval", "bootstrap", "same", "worst-place")
    yield _head(texts, *names, *["share"] * result.job.oracle)
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


def _without_luck(result: ArenaResult, texts: Texts) -> Iterator[tuple[str, ...]]:
    yield _head(texts, "aivat", "interval", "saved")
    for label, row in zip(labels(result), result.rows, strict=True):
        if row.freed is not None:
            found = row.freed.estimate
            yield (
                label,
                number(texts, found.mean, signed=True),
                _span(texts, found.low, found.high),
                number(texts, 100 * row.freed.saved, digits=0),
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
    yield _head(texts, "finished", "opened", "turn", "fines", "ends")
    for label, tally in tallies(result):
        tables = max(1, tally["tables"])
        ends = [tally[f"end.{end}"] for end in _ENDS]
        yield (
            label,
            number(texts, share(tally, "won"), digits=1),
            number(texts, 100 - share(tally, "unopened"), digits=1),
            number(texts, opening_turn(tally)),
            number(texts, share(tally, "fine-points"), digits=0),
            " / ".join(number(texts, 100 * end / tables, digits=0) for end in ends),
        )


def _conduct(result: ArenaResult, texts: Texts) -> Iterator[tuple[str, ...]]:
    counts = ("choices", "illegal", "crashed", "late", "endless")
    yield _head(texts, *counts, "ms", "overrun")
    for label, tally in tallies(result):
        choices = max(1, tally["choices"])
        spent = number(texts, tally["spent_ns"] / choices / 1e6)
        overrun = number(texts, tally["overrun_ns"] / 1e6, digits=0)
        yield (label, *(str(tally[name]) for name in counts), spent, overrun)


# The report of an arena as one page of HTML that needs nothing else.

_ENDS: Final = ("finish", "stock", "all-pairs", "void")
_MOST_HISTOGRAMS: Final = 12
_STYLE: Final = """
h2{font-size:1.15rem;margin:2.2rem 0 .4rem}
th,td{padding:.35rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left}
pre{white-space:pre;overflow-x:auto;font-size:.8rem;background:none;border:1px solid var(--line);
padding:.8rem;border-radius:.4rem}
svg{min-width:34rem}.stroke{stroke-width:3}
""" + "".join(f".s{n}{{fill:var(--s{n});stroke:none}}.s{n}.stroke{{stroke:var(--s{n})}}\n" for n in range(SERIES))  # fmt: skip  # noqa: E501


def html_report(result: ArenaResult, manifest: Mapping[str, object], texts: Texts) -> str:
    """The whole page, light or dark as its reader's system is."""
    title = texts("arena-title", bots=", ".join(result.names))
    return page(texts.language, title, _STYLE, _parts(result, manifest, texts, title))


def _parts(
    result: ArenaResult, manifest: Mapping[str, object], texts: Texts, title: str
) -> Iterator[str]:
    lines = list(text_report(result, manifest, texts))
    yield f"<h1>{escape(title)}</h1>"
    yield f'<p class="quiet">{escape(lines[0])}</p>'
    low = texts("arena-low-is-good", kind=result.job.plan.kind.value)
    yield f"<p>{escape(low)}</p>"
    if result.job.plan.kind is Kind.LEAGUE:
        yield from _matrix(result, texts)
    yield from _difference_rows(result, texts)
    yield from _tables(result, texts)
    yield f"<h2>{escape(texts('arena-h-numbers'))}</h2>"
    yield f"<pre>{escape(chr(10).join(lines[2:]))}</pre>"
    yield f"<h2>{escape(texts('arena-h-manifest'))}</h2>"
    words = json.dumps(plain_data(manifest), indent=1, ensure_ascii=False)
    yield f"<details><summary>{escape(texts('arena-manifest'))}</summary>"
    yield f"<pre>{escape(words)}</pre></details>"


def _matrix(result: ArenaResult, texts: Texts) -> Iterator[str]:
    """Challengers down, anchors across: green where the challenger is better."""
    found = {(row.bot, row.anchor): row for row in result.rows}
    most = max(abs(row.estimate.mean) for row in result.rows) or 1.0
    yield f"<h2>{escape(texts('arena-h-matrix'))}</h2>"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in result.names)
    yield f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead><tbody>'
    for bot, name in enumerate(result.names):
        cells = []
        for anchor in range(len(result.names)):
            row = found.get((bot, anchor))
            if row is None:
                cells.append("<td>·</td>")
                continue
            mean = row.estimate.mean
            tint = f"rgba(var(--{'good' if mean < 0 else 'bad'}),{0.35 * abs(mean) / most:.2f})"
            reach = number(texts, (row.estimate.high - row.estimate.low) / 2, digits=1)
            text = f"{number(texts, mean, signed=True, digits=1)} ± {reach}"
            cells.append(f'<td style="background:{tint}">{escape(text)}</td>')
        yield f'<tr><th scope="row">{escape(name)}</th>{"".join(cells)}</tr>'
    yield "</tbody></table></div>"


def _difference_rows(result: ArenaResult, texts: Texts) -> Iterator[str]:
    rows = list(zip(labels(result), result.rows, strict=True))

    def spans(name: str, told: Sequence[Interval]) -> str:
        spoken = "; ".join(f"{r.label}: {r.mean:.2f} ({r.low:.2f}, {r.high:.2f})" for r in told)
        plot = intervals(texts, told, texts(f"arena-h-{name}"), spoken)
        return _section(texts, name, plot)

    found = ((label, row.estimate) for label, row in rows)
    yield spans("differences", [Interval(label, e.mean, e.low, e.high) for label, e in found])
    plots = []
    for label, row in rows[:_MOST_HISTOGRAMS]:
        bins = [(float(start), float(count)) for start, count in row.histogram]
        plots.append(f"<p>{escape(label)}</p>" if len(rows) > 1 else "")
        title = f"{texts('arena-h-deals')}: {label}"
        plots.append(histogram(texts, bins, BIN, title, texts("arena-d-deals")))
    yield _section(texts, "deals", "".join(plots))
    seats = [
        Interval(f"{label} · {place}" if len(rows) > 1 else str(place), p.mean, p.low, p.high)
        for label, row in rows
        for place, p in enumerate(row.places, 1)
    ]
    yield spans("seats", seats)


def _tables(result: ArenaResult, texts: Texts) -> Iterator[str]:
    played = list(tallies(result))

    def counted(name: str, groups: Sequence[str], keys: Sequence[str], of: str = "seats") -> str:
        """How often each key was counted in a hundred seats or tables."""
        series = [
            Series(label, [100 * tally[key] / max(1, tally[of]) for key in keys])
            for label, tally in played
        ]
        spoken = "; ".join(
            f"{one.label}: {', '.join(f'{value:.1f}' for value in one.values)}" for one in series
        )
        plot = bars(texts, groups, series, texts(f"arena-h-{name}"), spoken)
        return _section(texts, name, plot)

    turns = [*map(str, range(1, LAST_TURN)), f"{LAST_TURN}+"]
    for kind in ("melds", "pairs"):
        keys = [f"opened.{kind}.{turn}" for turn in range(1, LAST_TURN + 1)]
        yield counted(f"opened-{kind}", turns, keys)
    words = [texts(f"arena-end-{end}") for end in _ENDS]
    yield counted("ends", words, [f"end.{end}" for end in _ENDS], "tables")
    fines = sorted({name for _, tally in played for name in tally if name.startswith("fine.")})
    if fines:
        yield counted("fines", [fine.removeprefix("fine.") for fine in fines], fines)


def _section(texts: Texts, name: str, plot: str) -> str:
    head, words = texts(f"arena-h-{name}"), texts(f"arena-d-{name}")
    return (
        f'<h2>{escape(head)}</h2><p class="quiet">{escape(words)}</p><div class="wide">{plot}</div>'
    )
