"""A finished run as a part of a page: its cost in words, a chart, and a page of its table with errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from dpduck.doors.console.boxes import Cells
from dpduck.doors.console.tables import cells_of, is_number, render
from dpduck.doors.console.with_errors import NumbersWithErrors
from dpduck.doors.gateway.web.charts import MOST_BARS, MOST_POINTS, ChartPoint, draw_chart
from dpduck.doors.gateway.web.layout import cells_table, error_box, paragraphs
from dpduck.doors.gateway.web.runs import Run, RunOutcome
from dpduck.doors.page.answers import folded
from dpduck.doors.page.axes import finite, moments_of
from dpduck.doors.page.html import Markup, joined, tag
from dpduck.kernel.errors import UNKNOWN, is_charged

ROWS = 100  # of a page of an answer
_MOST_CHARTS = 3
_ROWS_OF_CSV = 2_000  # at once


def cost_of(outcome: RunOutcome) -> str:
    """What a run cost, in words."""
    if outcome.charged == UNKNOWN:
        return "Whether anything was charged is not known; the ledger says."
    if is_charged(outcome.charged):
        return f"Epsilon {outcome.charged} was charged."
    if outcome.error is not None:
        return "Nothing was charged."
    if not outcome.private:
        return "Free: no private row was read."
    return "Free: paid for before." if outcome.replayed else "Nothing was charged."


def answer_part(run: Run, number: int) -> Markup:
    """What came of a run. Input: which page of its rows, from 1."""
    outcome = run.outcome
    if outcome is None:
        return tag(
            "section", tag("p", "It is still running. Reload this page to see the answer."), id="answer"
        )
    parts: list[Markup] = [tag("h2", "Answer")]
    if outcome.error is not None:
        return tag("section", *parts, error_box(outcome.error), id="answer", tabindex="-1")
    parts += [tag("p", cost_of(outcome), class_="cost"), paragraphs(outcome.notices.lines)]
    parts += [folded(outcome.notices.more)]
    if outcome.table is not None and outcome.table.num_columns and not _is_status(outcome):
        parts += [*_charts(outcome), _table(run, outcome, number)]
    return tag("section", *parts, id="answer", tabindex="-1")


def csv_of(outcome: RunOutcome) -> Iterator[str]:
    """The columns of an answer, with the ends of intervals, as CSV, in parts: who reads slowly holds one."""
    if outcome.table is None:
        return
    names = render(outcome.table.slice(0, 0), "csv")
    yield names
    for first in range(0, outcome.table.num_rows, _ROWS_OF_CSV):
        yield render(outcome.table.slice(first, _ROWS_OF_CSV), "csv").removeprefix(names)


def _is_status(outcome: RunOutcome) -> bool:
    """Whether it is of a statement without an answer, such as SET."""
    table = outcome.table
    return table is not None and table.column_names == ["status"] and not table.num_rows


# --- the table -----------------------------------------------------------------------------------


def _table(run: Run, outcome: RunOutcome, number: int) -> Markup:
    numbers = outcome.numbers
    assert numbers is not None
    table, width = numbers.whole, numbers.width
    pages = max(-(-table.num_rows // ROWS), 1)
    number = min(max(number, 1), pages)
    start = (number - 1) * ROWS
    is_numeric = frozenset(i for i in range(width) if is_number(table.schema.field(i)))
    rows = list(zip(*_columns(numbers, start, ROWS), strict=True))
    of = f"{table.num_rows:,} rows that are kept of more" if outcome.more else f"{table.num_rows:,}"
    caption = (
        f"Rows {start + 1:,} to {start + len(rows):,} of {of}"
        if pages > 1
        else f"{table.num_rows:,} {'row' if table.num_rows == 1 else 'rows'}"
    )
    drawn = cells_table(caption, table.column_names[:width], rows, is_numeric)
    download = tag("a", "Download as CSV", href=f"/answers/{run.id}.csv", download="answer.csv")
    return joined(drawn, _pages(run, number, pages), tag("p", download))


def _pages(run: Run, number: int, pages: int) -> Markup:
    """Links to other pages of an answer."""
    if pages == 1:
        return Markup()
    near = sorted({1, number - 1, number, number + 1, pages} & set(range(1, pages + 1)))
    links = [
        tag("a", f"{one:,}", href=f"/answers/{run.id}?page={one}#answer", **_here(one == number))
        for one in near
    ]
    return tag(
        "nav", "Page ", joined(*(joined(link, " ") for link in links)), aria_label="Rows", class_="pages"
    )


def _here(here: bool) -> dict[str, str]:
    return {"aria_current": "page"} if here else {}


def _columns(numbers: NumbersWithErrors, start: int, size: int) -> list[Cells]:
    """The cells of some rows as text, column by column, with the error beside each released number."""
    texts = cells_of(numbers.table.slice(start, size))
    columns: list[Cells] = [[row[place] for row in texts] for place in range(numbers.width)]
    for place, shown in numbers.texts(start, size).items():
        columns[place] = shown
    return columns


# --- charts --------------------------------------------------------------------------------------


def _charts(outcome: RunOutcome) -> list[Markup]:
    """A chart of each of the first released numbers, by the columns that are none.

    None where a number has no place on any scale, as 1e308 beside -1e308: the table shows it.
    """
    try:
        return _drawn(outcome)
    except (ArithmeticError, ValueError):
        return []


def _drawn(outcome: RunOutcome) -> list[Markup]:
    numbers = outcome.numbers
    assert numbers is not None
    table = numbers.whole
    drawn = [place for place in numbers.ends if is_number(table.schema.field(place))]
    if not drawn or not table.num_rows:
        return []
    ended = {one for place, ends in numbers.ends.items() for one in (place, *ends)}
    groups = [place for place in range(numbers.width) if place not in ended]
    moments = moments_of(table.column(groups[0])) if len(groups) == 1 else None
    part = table.slice(0, MOST_BARS if moments is None else MOST_POINTS)
    texts = cells_of(part)
    labels = [", ".join("NULL" if row[i] is None else str(row[i]) for i in groups) or "all" for row in texts]
    times = [None] * part.num_rows if moments is None else moments[: part.num_rows]
    shown, more = numbers.texts(0, part.num_rows), part.num_rows < table.num_rows
    return [
        draw_chart(
            table.column_names[place],
            _points(part.select([place, *numbers.ends[place]]), shown[place], labels, times),
            more=more,
        )
        for place in drawn[:_MOST_CHARTS]
    ]


def _points(
    part: pa.Table, shown: Cells, labels: Sequence[str], times: Sequence[float | None]
) -> list[ChartPoint]:
    """The numbers that have a place on a scale, with their intervals. Input: a number and its two ends."""
    rows = (map(finite, row) for row in cells_of(part))
    return [
        ChartPoint(label, text or "NULL", value, low, high, at)
        for label, text, at, (value, low, high) in zip(labels, shown, times, rows, strict=True)
        if value is not None
    ]
