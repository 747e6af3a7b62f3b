"""What a figure of a paper shows, without how it is drawn: lines of points, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Style = Literal["measured", "predicted", "published"]


@dataclass(frozen=True)
class Line:
    """Points of one series, in the order of x. `error` is one standard error of each y."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Style = "measured"
    error: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.y) != len(self.x) or (self.error is not None and len(self.error) != len(self.x)):
            raise ValueError(f"line {self.label!r} has {len(self.x)} x but {len(self.y)} y")

    @classmethod
    def through(cls, label: str, points: Iterable[Sequence[float]], style: Style = "measured") -> Line:
        """A line through (x, y) or (x, y, error), sorted by x.

        >>> Line.through("squares", [(2, 4), (1, 1)], "predicted").y
        (1, 4)
        """
        x, y, *error = zip(*sorted(points), strict=True)
        return cls(label, x, y, style, error[0] if error else None)


@dataclass(frozen=True)
class Figure:
    """One picture. `name` is a file name; `meaning` says in one sentence what it means for a user."""

    name: str
    title: str
    meaning: str
    x: str  # label of the axis
    y: str
    lines: tuple[Line, ...]

    def of_style(self, style: Style) -> Iterator[Line]:
        """The lines that are measured, predicted or published."""
        return (line for line in self.lines if line.style == style)
