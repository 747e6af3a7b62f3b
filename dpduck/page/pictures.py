"""An answer as a picture with the errors of its numbers: bars, or a line with a band where groups are times.

It is drawn from released numbers and the ends of their intervals alone.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from dpduck.errors import ParameterError
from dpduck.errors.missing import needed

_ENDS = ("_low", "_high")
_MOST_BARS = 200
_TONE = "#3f86c6"


def draw_answer(intervals: pa.Table, x: str | None = None, y: str | None = None) -> Any:
    """Draw an answer. Output: the axes of matplotlib.

    Input: what `Cursor.intervals` gives; the columns of groups and of the number (default: the first).
    Errors: ParameterError for columns that it does not have, too many bars, or without matplotlib.
    """
    names = intervals.column_names
    numbers = [name for name in names if all(f"{name}{end}" in names for end in _ENDS)]
    ends = {f"{name}{end}" for name in numbers for end in _ENDS}
    groups = [name for name in names if name not in ends and name not in numbers]
    value = _chosen(y, numbers, "y", "a released number with an interval")
    group = _chosen(x, groups, "x", "a column of the groups") if groups or x is not None else None
    column = None if group is None else intervals.column(group)
    drawn = (
        intervals.sort_by(group) if column is not None and pa.types.is_temporal(column.type) else intervals
    )
    axes = needed("matplotlib.pyplot", "plot").subplots()[1]
    heights, below, above = _heights(drawn, value)
    if column is not None and pa.types.is_temporal(column.type):
        places = drawn.column(group).to_pylist()
        kept = [i for i, place in enumerate(places) if place is not None and heights[i] is not None]
        _line(axes, *([cells[i] for i in kept] for cells in (places, heights, below, above)))
    else:
        labels = [""] * len(heights) if group is None else list(map(_label, drawn.column(group).to_pylist()))
        _bars(axes, labels, heights, below, above)
    axes.set_ylabel(_plain(value))
    axes.set_xlabel("" if group is None else _plain(group))
    axes.set_title("with 95 % intervals", fontsize="small")
    return axes


def _heights(table: pa.Table, value: str) -> tuple[list[Any], list[Any], list[Any]]:
    """The number in each row, and the lengths of its interval below and above; an unknown end has none."""
    columns = (map(_float, table.column(f"{value}{end}").to_pylist()) for end in ("", *_ENDS))
    rows = list(zip(*columns, strict=True))
    heights = [number for number, _, _ in rows]
    below = [0.0 if None in (n, low) else max(n - low, 0.0) for n, low, _ in rows]
    above = [0.0 if None in (n, high) else max(high - n, 0.0) for n, _, high in rows]
    return heights, below, above


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


def _line(axes: Any, places: list[Any], heights: list[Any], below: list[float], above: list[float]) -> None:
    low = [height - under for height, under in zip(heights, below, strict=True)]
    high = [height + over for height, over in zip(heights, above, strict=True)]
    axes.fill_between(places, low, high, alpha=0.25, color=_TONE, linewidth=0)
    axes.plot(places, heights, color=_TONE, marker="o" if len(places) < 40 else "")
    axes.figure.autofmt_xdate()


def _chosen(name: str | None, known: list[str], option: str, what: str) -> str:
    if name is None:
        return known[0]
    if name not in known:
        raise ParameterError(
            f"{option} is not {what}",
            detail=f"There {'is' if len(known) == 1 else 'are'} {', '.join(known) or 'none'}.",
        )
    return name


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _label(value: object) -> str:
    return "NULL" if value is None else _plain(str(value))


def _plain(text: str) -> str:
    """Text that matplotlib does not read as a formula."""
    return text.replace("$", r"\$")
