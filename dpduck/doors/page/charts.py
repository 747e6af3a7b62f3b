"""Lines over time, drawn by matplotlib as SVG that is embedded in the page and uses its colours.

A chart contains only numbers and dates. Text from users, such as names, stays in the page beside it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from matplotlib import rc_context, rcdefaults, rcParams
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dpduck.doors.page.html import Markup, tag

Point = tuple[datetime, float]

# Lines differ in dashes as well as in colour: for print, and for colour-blind readers.
DASHES: tuple[tuple[int, ...], ...] = ((), (7, 2), (2, 2), (9, 2, 2, 2), (4, 4), (1, 2))
MOST_LINES = len(DASHES)

_WIDTH, _HEIGHT = 420, 220  # pixels of the page
_INCH = 72  # pixels, so that one point is one pixel
_INK, _GRID = "#000001", "#000002"
_LINES = [f"#00000{i + 3}" for i in range(MOST_LINES)]
# Placeholders, replaced by the page's colours for light screens, dark screens and print.
_COLOURS = {_INK: "var(--quiet)", _GRID: "var(--rule)"} | {
    colour: f"var(--line{i})" for i, colour in enumerate(_LINES)
}
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",  # text stays text: small and searchable
    "svg.hashsalt": "dpduck",
    "font.size": 11,
    "font.family": "DejaVu Sans",  # for measuring only; the page has its own font
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "xtick.bottom": False,
    "ytick.left": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": _GRID,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": _GRID,
    "lines.scale_dashes": False,
}


@dataclass(frozen=True)
class Line:
    """An amount that changes at each point and is constant in between. `ahead`: its forecast."""

    points: Sequence[Point]
    ahead: Sequence[Point] = ()


def draw_lines(name: str, title: str, description: str, lines: Sequence[Line], cap: float | None) -> Markup:
    """Draw amounts over time on one scale from 0, with the cap if there is one.

    Input: a `name` that is unique on the page; the chart's title and description, for readers who cannot see
        it; at most `MOST_LINES` lines with the same start and end.
    """
    with rc_context():
        rcdefaults()  # independent of the user's settings
        rcParams.update(_STYLE)
        figure = Figure(figsize=(_WIDTH / _INCH, _HEIGHT / _INCH), dpi=_INCH, layout="constrained")
        axes = figure.subplots()
        for line, colour, dashes in zip(lines, _LINES, DASHES, strict=False):
            _draw(axes, line, colour, dashes, filled=len(lines) == 1)
        _set_scales(axes, lines, cap)
        if cap is not None:
            _draw_cap(axes, cap)
        drawing = io.StringIO()
        figure.savefig(drawing, format="svg", transparent=True)
    return tag(
        "svg",
        tag("title", title, id=f"{name}-title"),
        tag("desc", description, id=f"{name}-desc"),
        _drawn(drawing.getvalue(), name),
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
    )


def swatch(number: int) -> Markup:
    """A sample of the line of that index, for the table beside a chart."""
    dashes = " ".join(map(str, DASHES[number])) or "none"
    style = f"stroke: var(--line{number}); stroke-width: 2; stroke-dasharray: {dashes}"
    return tag(
        "svg", tag("path", d="M0 5H26", style=style), class_="swatch", viewBox="0 0 26 10", aria_hidden="true"
    )


def _draw(axes: Axes, line: Line, colour: str, dashes: tuple[int, ...], *, filled: bool) -> None:
    moments, amounts = _columns(line.points)
    style = (0, dashes) if dashes else "-"
    axes.plot(moments, amounts, color=colour, linewidth=2, linestyle=style, drawstyle="steps-post")
    if filled:
        axes.fill_between(moments, amounts, step="post", color=colour, alpha=0.15, linewidth=0)
    if line.ahead:
        axes.plot(*_columns(line.ahead), color=colour, linewidth=2, linestyle=(0, (2, 4)))


def _set_scales(axes: Axes, lines: Sequence[Line], cap: float | None) -> None:
    moments, amounts = _columns([point for line in lines for point in (*line.points, *line.ahead)])
    first, last = min(moments), max(moments)
    axes.set_xlim(first, last + (last - first) / 50)  # so that a very recent charge is visible
    axes.set_ylim(0, (max(cap or 0.0, *amounts) or 1.0) * 1.12)
    dates = AutoDateLocator(minticks=3, maxticks=6)
    axes.xaxis.set_major_locator(dates)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(dates, show_offset=False))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(lambda amount, _: f"{amount:g}")


def _draw_cap(axes: Axes, cap: float) -> None:
    axes.axhline(cap, color=_INK, linewidth=1.2)
    axes.text(0.005, cap, f"cap {cap:g}", transform=axes.get_yaxis_transform(), va="bottom")


def _columns(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    return [float(date2num(moment)) for moment, _ in points], [amount for _, amount in points]


def _drawn(svg: str, name: str) -> Markup:
    """The contents of an SVG, with unique ids, and the fonts and colours of the page."""
    inside = svg[svg.index("</metadata>") + len("</metadata>") : svg.rindex("</svg>")]
    inside = re.sub(r"<defs>\s*<style.*?</defs>", "", inside, count=1, flags=re.DOTALL)
    inside = re.sub(r" font-family: [^;]*;", "", inside)
    inside = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", inside).replace("xlink:href", "href")
    return Markup(re.sub("|".join(_COLOURS), lambda found: _COLOURS[found[0]], inside).strip())
