"""An answer as a picture with the errors of its numbers: bars, or a line with a band where groups are times.

It is drawn from released numbers and the ends of their intervals alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from dpduck.console.tables import cells_of, is_number
from dpduck.errors import ParameterError
from dpduck.errors.missing import needed
from dpduck.page.axes import finite, moments_of

_ENDS = ("_low", "_high")
_MOST_BARS = 200
_TONE = "#3f86c6"
_FIRST, _END = -62_135_596_800, 253_402_300_800  # the years 1 to 9999, in seconds since 1970


def draw_answer(intervals: pa.Table, x: str | None = None, y: str | None = None) -> Any:
    """Draw an answer. Output: the axes of matplotlib.

    Input: what `Cursor.shown_table` gives with intervals; the columns of groups and of the number (default:
        the first).
    Errors: ParameterError for columns that it does not have, too many bars, or without matplotlib.
    """
    names = intervals.column_names
    ended = [name for name in names if all(f"{name}{end}" in names for end in _ENDS)]
    numbers = [name for name in ended if is_number(intervals.schema.field(name))]
    ends = {f"{name}{end}" for name in ended for end in _ENDS}
    groups = [name for name in names if name not in ends and name not in ended]
    value = _chosen(y, numbers, "y", "a released number with an interval")
    group = _chosen(x, groups, "x", "a column of the groups") if groups or x is not None else None
    times = None if group is None else _times_of(intervals.column(group))
    drawn = intervals if times is None else intervals.sort_by(group)
    axes = needed("matplotlib.pyplot", "plot").subplots()[1]
    heights, below, above = _heights(drawn, value)
    if times is not None:
        kept = [i for i, height in enumerate(heights) if height is not None]
        _line(axes, *([cells[i] for i in kept] for cells in (sorted(times), heights, below, above)))
    else:
        labels = [""] * len(heights) if group is None else [_label(row[0]) for row in _cells(drawn, group)]
        _bars(axes, labels, heights, below, above)
    axes.set_ylabel(_plain(value))
    axes.set_xlabel("" if group is None else _plain(group))
    axes.set_title("with 95 % intervals", fontsize="small")
    return axes


def _times_of(column: pa.ChunkedArray) -> list[datetime] | None:
    """The times of a column; None if it holds anything that matplotlib does not draw as a time."""
    moments = moments_of(column)
    if moments is None or not all(_FIRST <= moment < _END for moment in moments):
        return None
    return [datetime(1970, 1, 1) + timedelta(seconds=moment) for moment in moments]


def _heights(table: pa.Table, value: str) -> tuple[list[Any], list[Any], list[Any]]:
    """The number in each row, and the lengths of its interval below and above; an unknown end has none."""
    rows = [tuple(map(finite, row)) for row in _cells(table, value, *(f"{value}{end}" for end in _ENDS))]
    heights = [number for number, _, _ in rows]
    below = [0.0 if n is None or low is None else max(n - low, 0.0) for n, low, _ in rows]
    above = [0.0 if n is None or high is None else max(high - n, 0.0) for n, _, high in rows]
    return heights, below, above


def _cells(table: pa.Table, *names: str) -> list[tuple[str | None, ...]]:
    return cells_of(table.select(list(names)))


def _bars(axes: Any, labels: list[str], heights: list[Any], below: list[float], above: list[float]) -> None:
    if len(labels) > _MOST_BARS:
        raise ParameterError(
            f"{len(labels):,} bars are too many",
            detail=f"At most {_MOST_BARS} can be told apart.",
            hint="Ask for fewer groups: ORDER BY n DESC LIMIT 20.",
        )
    places = range(len(labels))
    tall = [0.0 if height is None else height for height in heights]
    axes.bar(places, tall, yerr=[below, above], capsize=3, color=_TONE, ecolor="0.35")
    axes.set_xticks(places, labels, rotation=0 if len(labels) <= 6 else 60, parse_math=False)


def _line(axes: Any, places: list[Any], heights: list[Any], below: list[Any], above: list[Any]) -> None:
    low = [height - under for height, under in zip(heights, below, strict=True)]
    high = [height + over for height, over in zip(heights, above, strict=True)]
    axes.fill_between(places, low, high, alpha=0.25, color=_TONE, linewidth=0)
    axes.plot(places, heights, color=_TONE, marker="o" if len(places) < 40 else "")
    axes.figure.autofmt_xdate()


def _chosen(name: str | None, known: list[str], option: str, what: str) -> str:
    if name is None and known:
        return known[0]
    if name is None:
        raise ParameterError(
            "the answer has no released number",
            detail="A picture is of numbers; what is released here are times.",
            hint="Use df() or arrow().",
        )
    if name not in known:
        raise ParameterError(
            f"{option} is not {what}",
            detail=f"There {'is' if len(known) == 1 else 'are'} {', '.join(known) or 'none'}.",
        )
    return name


def _label(value: str | None) -> str:
    return "NULL" if value is None else _plain(value)


def _plain(text: str) -> str:
    """Text that matplotlib does not read as a formula."""
    return text.replace("$", r"\$")
