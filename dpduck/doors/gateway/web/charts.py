"""An answer as a chart, drawn from released numbers and the ends of their intervals alone.

Bars lie on their side, one below the other, each with its name and number as text beside it; groups that are
times are a line with a band. Only the lines are SVG, without any style of their own, so that names are
readable at each width, and that a reader who cannot see the chart hears the same table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpduck.doors.page.html import Markup, quoted, tag

MOST_BARS = 40
MOST_POINTS = 1_000
_WIDTH = 1_000.0  # units of the drawings, which are stretched to their place
_HEIGHT = 400.0
_ARROW = 12.0  # the length of an arrow's head
_LEAST_WIDTH = 1e-9  # of a scale, beside its ends


@dataclass(frozen=True)
class ChartPoint:
    """A released number with its interval. `low`, `high`: None where it is open; both, if there is none.
    `at`: when it is of, in seconds since 1970."""

    label: str
    text: str
    value: float
    low: float | None
    high: float | None
    at: float | None = None

    @property
    def has_interval(self) -> bool:
        return self.low is not None or self.high is not None

    @property
    def is_open(self) -> bool:
        return (self.low is None) != (self.high is None)

    @property
    def holds_zero(self) -> bool:
        """Whether its interval holds 0, so that it is not told from it."""
        above, below = self.high is None or self.high >= 0, self.low is None or self.low <= 0
        return self.has_interval and above and below


def draw_chart(name: str, points: Sequence[ChartPoint], *, more: bool = False) -> Markup:
    """A chart of one number. Input: what is drawn; `more`: whether there are points that are not."""
    if not points:
        return Markup()
    timed = [point for point in points if point.at is not None]
    is_line = len(timed) == len(points) > 1
    drawn = _line(timed) if is_line else _bars(points[:MOST_BARS])
    cut = more or (len(points) > MOST_BARS and len(timed) != len(points))
    caption = [quoted(name), ", with 95 % intervals", f"; the first {MOST_BARS} rows" if cut else ""]
    opened = "a band to the edge" if is_line else "an arrow"
    caption += [f"; {opened}: open there"] if any(point.is_open for point in points) else []
    caption += ["; hollow: not told from 0"] if any(p.holds_zero for p in points) and not is_line else []
    return tag("figure", tag("figcaption", *caption), drawn, class_="chart")


# --- bars ----------------------------------------------------------------------------------------


def _bars(points: Sequence[ChartPoint]) -> Markup:
    low, high = _range(points, with_zero=True)
    rows = [_bar(point, low, high) for point in points]
    return tag("ul", *rows, _scale(low, high), class_="bars")


def _bar(point: ChartPoint, low: float, high: float) -> Markup:
    zero, end = _place(0.0, low, high), _place(point.value, low, high)
    left, width = min(zero, end), abs(end - zero)
    shapes = [_rect(left, width)]
    if point.has_interval:
        first = 0.0 if point.low is None else min(_place(point.low, low, high), end)
        last = _WIDTH if point.high is None else max(_place(point.high, low, high), end)
        marks = f"M{first:.1f} 10H{last:.1f}"
        marks += f"M{first + _ARROW:.1f} 4L{first:.1f} 10L{first + _ARROW:.1f} 16" * (point.low is None)
        marks += f"M{last - _ARROW:.1f} 4L{last:.1f} 10L{last - _ARROW:.1f} 16" * (point.high is None)
        closed = [place for place, known in ((first, point.low), (last, point.high)) if known is not None]
        marks += "".join(f"M{place:.1f} 5V15" for place in closed)
        shapes.append(tag("path", d=marks, class_="whisker"))
    shapes.append(tag("path", d=f"M{zero:.1f} 0V20", class_="axis"))
    drawing = tag(
        "svg", *shapes, viewBox=f"0 0 {_WIDTH:.0f} 20", preserveAspectRatio="none", aria_hidden="true"
    )
    number = tag("span", point.text, class_="number")
    label = tag("span", quoted(point.label), class_="label")
    return tag("li", label, drawing, number, class_="unsure" if point.holds_zero else "sure")


def _rect(left: float, width: float) -> Markup:
    return tag("rect", x=f"{left:.1f}", y="3", width=f"{width:.1f}", height="14", class_="bar")


# --- a line --------------------------------------------------------------------------------------


def _line(points: Sequence[ChartPoint]) -> Markup:
    """A line over time with a band around it, and the numbers of its scales as text beside it."""
    kept = sorted(points, key=_when)[:MOST_POINTS]
    low, high = _range(kept, with_zero=False)
    first, last = _when(kept[0]), _when(kept[-1])

    def spot(point: ChartPoint, value: float) -> str:
        across = (_when(point) - first) / ((last - first) or 1.0) * _WIDTH
        return f"{across:.1f} {_HEIGHT - _place(value, low, high) / _WIDTH * _HEIGHT:.1f}"

    def end(point: ChartPoint, known: float | None, edge: float) -> str:
        """An end of the band, which reaches the edge where the interval is open."""
        return spot(point, known if known is not None else edge if point.has_interval else point.value)

    upper = [end(p, p.high, high) for p in kept]
    lower = [end(p, p.low, low) for p in kept]
    band = "M" + "L".join([*upper, *lower[::-1]]) + "Z"
    drawing = tag(
        "svg",
        tag("path", d=band, class_="band"),
        tag("path", d="M" + "L".join(spot(p, p.value) for p in kept), class_="line"),
        viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"A line from {kept[0].text} at {kept[0].label} to {kept[-1].text} at {kept[-1].label}",
    )
    sides = [tag("span", f"{value:,.6g}") for value in (high, (low + high) / 2, low)]
    below = [tag("span", quoted(kept[i].label)) for i in dict.fromkeys((0, len(kept) // 2, len(kept) - 1))]
    return tag(
        "div",
        tag("div", *sides, class_="side", aria_hidden="true"),
        drawing,
        tag("div", *below, class_="below", aria_hidden="true"),
        class_="lines",
    )


def _when(point: ChartPoint) -> float:
    return 0.0 if point.at is None else point.at


# --- scales --------------------------------------------------------------------------------------


def _range(points: Sequence[ChartPoint], *, with_zero: bool) -> tuple[float, float]:
    """The ends of a scale that holds all numbers and intervals; with zero if that is not far away."""
    values = [v for point in points for v in (point.value, point.low, point.high) if v is not None]
    low, high = min(values), max(values)
    if with_zero or low < (high - low):
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low <= _LEAST_WIDTH * max(abs(low), abs(high)):
        high = low + (abs(low) or 1.0)
    step = _step((high - low) / 5)
    return math.floor(low / step) * step, math.ceil(high / step) * step


def _step(width: float) -> float:
    """The least of 1, 2, 2.5 and 5 times a power of ten that is not below a width.

    >>> [_step(width) for width in (0.9, 1.1, 2.2, 30, 51)]
    [1.0, 2.0, 2.5, 50.0, 100.0]
    """
    power = 10.0 ** math.floor(math.log10(width))
    return next(times * power for times in (1, 2, 2.5, 5, 10) if times * power >= width * 0.999999)


def _place(value: float, low: float, high: float) -> float:
    return (min(max(value, low), high) - low) / (high - low) * _WIDTH


def _scale(low: float, high: float) -> Markup:
    """The ends and the middle of the scale below bars."""
    ticks = [tag("span", f"{value:,.6g}") for value in (low, (low + high) / 2, high)]
    return tag("li", tag("span", *ticks, class_="scale"), aria_hidden="true")
