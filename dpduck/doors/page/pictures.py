"""An answer as a picture with the errors of its numbers: bars, or lines with bands where groups are times.

An interval without an end reaches the edge of the picture there, with an arrow. Bars of groups that are not
told from 0 are pale. It is drawn from released numbers and the ends of their intervals alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from dpduck.doors.console.tables import cells_of, is_number
from dpduck.doors.page.axes import finite, moments_of
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.errors.missing import needed

_ENDS = ("_low", "_high")
_MOST_BARS = 200
_MOST_LINES = 8
_MARKED = 40  # fewer points of a line are marked
_ROOM = 36  # characters of labels that lie side by side
_MARGIN = 0.08  # of the height, to which open ends reach
_TONE, _PALE = "#3f86c6", "#3f86c640"
_FIRST, _END = -62_135_596_800, 253_402_300_800  # the years 1 to 9999, in seconds since 1970


def draw_answer(
    intervals: pa.Table, x: str | None = None, y: str | None = None, keys: Sequence[str] | None = None
) -> Any:
    """Draw an answer. Output: the axes of matplotlib.

    Input: what `Cursor.shown_table` gives with intervals; the columns of groups and of the number (default:
        the first); those that say of which group a row is (default: all that have no interval).
    Errors: ParameterError for columns that it does not have, too many bars, or without matplotlib.
    """
    names = intervals.column_names
    ended = [name for name in names if all(f"{name}{end}" in names for end in _ENDS)]
    numbers = [name for name in ended if is_number(intervals.schema.field(name))]
    ends = {f"{name}{end}" for name in ended for end in _ENDS}
    others = [name for name in names if name not in ends and name not in ended]
    groups = others if keys is None else [name for name in others if name in keys]
    value = _chosen(y, numbers, "y", "a released number with an interval")
    group = (
        _chosen(x, groups if x is None else others, "x", "a column of the groups")
        if groups or x is not None
        else None
    )
    if x is None:  # a time, if there is one, which lines run along
        group = next((name for name in groups if _times_of(intervals.column(name)) is not None), group)
    keys = [] if group is None else [group, *(name for name in groups if name != group)]
    is_timed = group is not None and _times_of(intervals.column(group)) is not None
    axes = needed("matplotlib.pyplot", "plot").subplots(layout="constrained")[1]
    spans = _spans(intervals, value)
    floor, top = _edges(spans)
    if is_timed:
        drawn = _lines(axes, intervals, keys, spans, (floor, top))
    else:
        labels = (
            [", ".join(map(_label, row)) for row in _cells(intervals, *keys)] if keys else [""] * len(spans)
        )
        drawn = _bars(axes, labels, spans, (floor, top))
    said = ["with 95 % intervals"]
    said += ["an arrow: open there"] if any(span.is_open for span in drawn) else []
    said += ["pale: not told from 0"] if not is_timed and any(span.holds_zero for span in drawn) else []
    axes.set_ylabel(_plain(value))
    axes.set_xlabel(_plain(keys[0] if is_timed else ", ".join(keys)) if keys else "")
    axes.set_title("\n".join(said), fontsize="small")
    return axes


@dataclass(frozen=True)
class _Span:
    """A number with the ends of its interval; None for what is not known.

    One end alone is None where the interval is open: the truth may be any number beyond the other.
    """

    number: float | None
    low: float | None
    high: float | None

    @property
    def is_open(self) -> bool:
        return (self.low is None) != (self.high is None)

    @property
    def holds_zero(self) -> bool:
        """Whether the interval holds 0. A number without one is taken for what it is."""
        if self.low is None and self.high is None:
            return False
        return (self.low is None or self.low <= 0) and (self.high is None or self.high >= 0)

    def ends(self, edges: tuple[float, float]) -> tuple[float, float]:
        """Where its interval is drawn from and to: an open end reaches the edge, beyond all that is known."""
        assert self.number is not None
        if self.low is None and self.high is None:
            return self.number, self.number
        return edges[0] if self.low is None else self.low, edges[1] if self.high is None else self.high


def _spans(table: pa.Table, value: str) -> list[_Span]:
    rows = _cells(table, value, *(f"{value}{end}" for end in _ENDS))
    return [_Span(*map(finite, row)) for row in rows]


def _edges(spans: Sequence[_Span]) -> tuple[float, float]:
    """What is a little below and above all that is known, and 0."""
    known = [0.0, *(end for one in spans for end in (one.number, one.low, one.high) if end is not None)]
    margin = _MARGIN * ((max(known) - min(known)) or 1.0)
    return min(known) - margin, max(known) + margin


def _times_of(column: pa.ChunkedArray) -> list[datetime] | None:
    """The times of a column; None if it holds anything that matplotlib does not draw as a time."""
    moments = moments_of(column)
    if moments is None or not all(_FIRST <= moment < _END for moment in moments):
        return None
    return [datetime(1970, 1, 1) + timedelta(seconds=moment) for moment in moments]


def _cells(table: pa.Table, *names: str) -> list[tuple[str | None, ...]]:
    return cells_of(table.select(list(names)))


def _bars(axes: Any, labels: list[str], spans: list[_Span], edges: tuple[float, float]) -> list[_Span]:
    """Draw bars. Output: what is drawn."""
    if len(labels) > _MOST_BARS:
        raise ParameterError(
            f"{len(labels):,} bars are too many",
            detail=f"At most {_MOST_BARS} can be told apart.",
            hint="Ask for fewer groups: ORDER BY n DESC LIMIT 20.",
        )
    places = range(len(labels))
    bars = axes.bar(places, [one.number or 0.0 for one in spans], color=_TONE)
    for bar, one in zip(bars, spans, strict=True):
        if one.holds_zero:
            bar.set(facecolor=_PALE, edgecolor=_TONE, linestyle="--")
    shown = [(place, one) for place, one in zip(places, spans, strict=True) if one.number is not None]
    ends = [one.ends(edges) for _, one in shown]
    below = [one.number - low for (_, one), (low, _) in zip(shown, ends, strict=True)]  # type: ignore[operator]
    above = [high - one.number for (_, one), (_, high) in zip(shown, ends, strict=True)]  # type: ignore[operator]
    lengths = [[max(length, 0.0) for length in each] for each in (below, above)]
    at = [place for place, _ in shown]
    axes.errorbar(at, [one.number for _, one in shown], yerr=lengths, fmt="none", capsize=3, ecolor="0.5")
    _arrows(axes, shown, edges)
    axes.set_xticks(places, labels, rotation=0 if len("".join(labels)) <= _ROOM else 60, parse_math=False)
    return [one for _, one in shown]


def _arrows(axes: Any, shown: Sequence[tuple[Any, _Span]], edges: tuple[float, float]) -> None:
    """Draw where intervals are open."""
    for edge, marker, name in ((edges[0], "v", "low"), (edges[1], "^", "high")):
        at = [place for place, one in shown if one.is_open and getattr(one, name) is None]
        if at:
            axes.plot(at, [edge] * len(at), marker=marker, color="0.5", linestyle="none", label="_open")


def _lines(
    axes: Any, table: pa.Table, keys: list[str], spans: list[_Span], edges: tuple[float, float]
) -> list[_Span]:
    """Draw a line along the first key for each group of the others. Output: what is drawn."""
    times = _times_of(table.column(keys[0])) or []
    named = (
        [", ".join(map(_label, row)) for row in _cells(table, *keys[1:])] if keys[1:] else [""] * len(spans)
    )
    names = list(dict.fromkeys(named))
    if len(names) > _MOST_LINES:
        raise ParameterError(
            f"{len(names):,} lines are too many",
            detail=f"At most {_MOST_LINES} can be told apart.",
            hint=f"Ask for fewer groups: WHERE {keys[1]} IN (...).",
        )
    drawn = []
    for number, name in enumerate(names):
        rows = zip(times, named, spans, strict=True)
        shown = sorted(
            ((at, one) for at, own, one in rows if own == name and one.number is not None),
            key=lambda each: each[0],
        )
        tone = _TONE if len(names) == 1 else f"C{number}"
        places, ends = [at for at, _ in shown], [one.ends(edges) for _, one in shown]
        low, high = [low for low, _ in ends], [high for _, high in ends]
        axes.fill_between(places, low, high, alpha=0.25 / len(names) ** 0.5, color=tone, linewidth=0)
        marker = "o" if len(places) < _MARKED else ""
        axes.plot(places, [one.number for _, one in shown], color=tone, marker=marker, label=name)
        if len(places) < _MARKED:
            _arrows(axes, shown, edges)
        drawn += [one for _, one in shown]
    if len(names) > 1:
        axes.legend(fontsize="small", title=_plain(", ".join(keys[1:])))
    axes.figure.autofmt_xdate()
    return drawn


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
