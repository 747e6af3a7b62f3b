"""Draws figures as SVG, the same bytes every time. Needs matplotlib (`pip install '.[bench]'`).

Predicted series are lines, measured ones are filled points with bars of two standard errors, published ones
are open diamonds. Series with one label share their colour, and differ from others in marker and dashes too:
for print, and for those who do not tell colours apart. An axis is logarithmic if its values are positive and
far apart.
"""

from __future__ import annotations

import importlib.util
import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.report.figure import Figure, Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

FOLDER = Path(__file__).parents[1] / "figures"
MISSING = "matplotlib is not installed, so no figure is drawn: pip install '.[bench]'"

# Okabe and Ito 2008, without yellow, which is too light for lines.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F")
_MARKERS = ("o", "s", "^", "v", "P", "X", "*", "h")
_DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (8, 2, 2, 2, 2, 2)))
_FAR_APART = 39.0  # a larger quotient of the largest and the smallest value is shown on a logarithmic axis
_STYLE = {
    "svg.fonttype": "none",  # text stays text: small, and it can be searched
    "svg.hashsalt": "dpduck",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.8,
    "lines.scale_dashes": False,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "legend.handlelength": 2.6,
    "legend.labelspacing": 0.7,
}


def installed() -> bool:
    """Whether figures can be drawn."""
    return importlib.util.find_spec("matplotlib") is not None


def path_of(figure: Figure, folder: Path = FOLDER) -> Path:
    """The file of a figure."""
    return folder / f"{figure.name}.svg"


def draw(figure: Figure, folder: Path = FOLDER) -> Path:
    """Draw one figure into its file. Errors: ModuleNotFoundError without matplotlib."""
    from matplotlib import rc_context, rcdefaults, rcParams
    from matplotlib.figure import Figure as Drawing

    folder.mkdir(parents=True, exist_ok=True)
    path = path_of(figure, folder)
    with rc_context():
        rcdefaults()  # whatever the user's own settings are
        rcParams.update(_STYLE)
        drawing = Drawing(figsize=(8.6, 4.4), dpi=110, layout="constrained")
        _draw(drawing, figure)
        drawing.savefig(path, metadata={"Date": None, "Creator": None})
    return path


def _draw(drawing: Drawing, figure: Figure) -> None:
    axes = drawing.subplots()
    axes.set_title(textwrap.fill(figure.title, 52), pad=12)
    axes.set_xlabel(figure.x)
    axes.set_ylabel(textwrap.fill(figure.y, 42))
    labels = list(dict.fromkeys(line.label for line in figure.lines))
    _scale(axes, "x", [x for line in figure.lines for x in line.x])
    _scale(axes, "y", [y for line in figure.lines for y in line.y])
    predicted = {line.label for line in figure.of_style("predicted")}
    for line in figure.lines:
        number = labels.index(line.label)
        _DRAWERS[line.style](axes, line, number, guided=line.label in predicted)
    _legend(drawing, figure, labels)


# --- lines and points ------------------------------------------------------------------------------


def _predicted(axes: Axes, line: Line, number: int, *, guided: bool) -> None:  # noqa: ARG001
    axes.plot(line.x, line.y, color=_colour(number), linestyle=_dashes(number), linewidth=1.8, zorder=2)


def _measured(axes: Axes, line: Line, number: int, *, guided: bool) -> None:
    """Points; where no predicted line leads the eye, a thin one joins them."""
    bars = None if line.error is None else [2 * error for error in line.error]
    join = {"linestyle": "none"} if guided else {"linestyle": _dashes(number), "linewidth": 0.9}
    axes.errorbar(
        line.x,
        line.y,
        yerr=bars,
        color=_colour(number),
        marker=_marker(number),
        markersize=5.5,
        markeredgecolor="white",
        markeredgewidth=0.6,
        elinewidth=1.1,
        capsize=2.5,
        zorder=3,
        **join,
    )


def _published(axes: Axes, line: Line, number: int, *, guided: bool) -> None:  # noqa: ARG001
    axes.plot(
        line.x,
        line.y,
        linestyle="none",
        marker="D",
        markersize=9,
        markerfacecolor="none",
        markeredgecolor=_colour(number),
        markeredgewidth=1.4,
        zorder=4,
    )


_DRAWERS = {"predicted": _predicted, "measured": _measured, "published": _published}


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _marker(number: int) -> str:
    return _MARKERS[number % len(_MARKERS)]


def _dashes(number: int) -> Any:
    return _DASHES[number % len(_DASHES)]


# --- axes and legend -------------------------------------------------------------------------------


def _scale(axes: Axes, name: str, values: Sequence[float]) -> None:
    """Set the scale and the ends of one axis by the values, not by their error bars."""
    from matplotlib.ticker import LogLocator

    positive = [value for value in values if value > 0]
    axis = axes.xaxis if name == "x" else axes.yaxis
    limit = axes.set_xlim if name == "x" else axes.set_ylim
    if is_logarithmic(values):
        (axes.set_xscale if name == "x" else axes.set_yscale)("log", nonpositive="clip")
        near = max(positive) < 1000 * min(positive)
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if near else (1,)))
        axis.set_minor_formatter(lambda *_: "")
        axis.set_major_formatter(_power)
        margin = (max(positive) / min(positive)) ** 0.04
        limit(min(positive) / margin, max(positive) * margin)
        return
    low, high = min(values), max(values)
    if name == "y" and 0 <= low < 0.4 * high:
        low = 0.0
    margin = (high - low or abs(high) or 1.0) * 0.05
    limit(low if low == 0 and name == "y" else low - margin, high + margin)
    axis.set_major_formatter(lambda value, _: f"{value:,g}")


def _power(value: float, _: object) -> str:
    if 1e-4 < value < 1e7:
        return f"{value:,.0f}" if value >= 1 else f"{value:g}"
    power = math.floor(math.log10(value) + 1e-9)
    digit = round(value / 10.0**power)
    return f"${digit} \\cdot 10^{{{power}}}$" if digit > 1 else f"$10^{{{power}}}$"


def is_logarithmic(values: Sequence[float]) -> bool:
    """Whether values are positive, but for a few, and far apart.

    >>> is_logarithmic([1, 10, 100]), is_logarithmic([0.5, 1, 2]), is_logarithmic([-1, 100])
    (True, False, False)
    """
    positive = [value for value in values if value > 0]
    if min(values) < 0 or len(positive) < 0.9 * len(values):
        return False
    return max(positive) > _FAR_APART * min(positive)


def _legend(drawing: Drawing, figure: Figure, labels: Sequence[str]) -> None:
    """One entry for each label, then what lines, points and diamonds are, on the right of the picture."""
    from matplotlib.lines import Line2D

    styles = [style for style in ("predicted", "measured", "published") if any(figure.of_style(style))]
    handles = [_handle(figure, label, number) for number, label in enumerate(labels)]
    looks: dict[str, dict[str, Any]] = {
        "predicted": {"linestyle": "-", "linewidth": 1.8},
        "measured": {"linestyle": "none", "marker": "o", "markersize": 5.5},
        "published": {"linestyle": "none", "marker": "D", "markersize": 8, "markerfacecolor": "none"},
    }
    errors = any(line.error for line in figure.of_style("measured"))
    words = {"measured": "measured, ± 2 standard errors"} if errors else {}
    keys = [
        Line2D([], [], color="#666666", label=words.get(style, style), **looks[style]) for style in styles
    ]
    gap = [Line2D([], [], linestyle="none", label=" ")]
    drawing.legend(handles=[*handles, *gap, *keys], loc="outside right upper")


def _handle(figure: Figure, label: str, number: int) -> Any:
    from matplotlib.lines import Line2D

    lines = [line for line in figure.lines if line.label == label]
    styles = {line.style for line in lines}
    has_line = any(line.style != "published" and len(line.x) > 1 for line in lines)
    has_points = "measured" in styles
    return Line2D(
        [],
        [],
        color=_colour(number),
        linestyle=_dashes(number) if has_line else "none",
        linewidth=1.8 if "predicted" in styles else 0.9,
        marker=_marker(number) if has_points else "none" if has_line else "D",
        markersize=5.5,
        label=textwrap.fill(label, 30),
    )
