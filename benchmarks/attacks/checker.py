"""The checker against the compiler: each claim of golden and random queries, and mutants of their score trees.

A claim is what a mechanism is told of a score query: how far one unit moves a score in a group, and in how many
groups. The checker computes the same from the tree alone. A mutant is a tree in which something that a claim rests on
is taken away; it is refused if the checker then bounds less than is claimed, or nothing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpduck.catalog.model import Catalog
from dpduck.kernel.check import Score, check, check_together
from dpduck.kernel.check.spans import INF
from dpduck.query.tree.relations import SelectQuery

Bound = Fraction | float


@dataclass(frozen=True)
class Claim:
    """A claim of one score query: `checked` computes each of its bounds, beside what is claimed."""

    kind: str
    tree: SelectQuery
    held: SelectQuery | None
    bounds: Callable[[Mapping[str, Score]], Iterator[tuple[str, Bound, Bound]]]

    def verdict(self, tree: SelectQuery, catalog: Catalog) -> tuple[str, str]:
        """proved, unbounded or below, and which bound says so."""
        scores = check(tree, catalog, self.held)
        reasons = {score.reason for score in scores.values() if score.reason}
        if reasons:
            return "unbounded", reasons.pop()
        for name, checked, claimed in self.bounds(scores):
            if checked == INF:
                return "unbounded", name
            if checked > claimed:
                return "below", f"{name}: {checked} is claimed to be {claimed}"
        return "proved", ""


def claims_of(plan: Any) -> Iterator[Claim]:
    """The claims of a plan: of what ranks or finds its groups, and of each measure."""
    keys = [key.name for key in plan.keys]
    selection = plan.selection
    if getattr(selection, "scores", None) is not None:
        yield Claim(type(selection).__name__, selection.scores, None, _of_selection(selection))
    for measure in plan.measures:
        kind = type(measure.request).__name__
        bounds = _of_measure(measure, keys, _candidates(plan))
        yield Claim(kind, measure.scores, None, bounds)
        if measure.passes is not None:
            yield Claim(f"{kind} in bins", measure.passes.bins, measure.passes.held, bounds)


def _candidates(plan: Any) -> Bound:
    """In how many groups anything is released, whatever the rows say."""
    match type(plan.selection).__name__:
        case "OneGroup":
            return Fraction(1)
        case "EveryKey":
            return Fraction(plan.space.size)
        case "LargestKeys" | "KeysAbove":
            return Fraction(plan.selection.k)
    return INF


def _of_selection(selection: Any) -> Callable[[Mapping[str, Score]], Iterator[tuple[str, Bound, Bound]]]:
    def bounds(scores: Mapping[str, Score]) -> Iterator[tuple[str, Bound, Bound]]:
        clamped = getattr(selection, "clamped", None)
        if clamped is not None:
            yield from _levels(scores, clamped.level.name, clamped.steps, clamped.scale, None)
            return
        [score] = scores.values()
        most = Fraction(getattr(selection, "spread", 0) or 1)
        low, high = score.moves()
        yield "score", max(high, -low), most
        if not getattr(selection, "spread", 0):
            yield "below 0", -low, Fraction(0)
        if type(selection).__name__ == "FoundKeys":
            yield "groups", score.groups(), Fraction(selection.groups)

    return bounds


def _of_measure(
    measure: Any, keys: list[str], candidates: Bound
) -> Callable[[Mapping[str, Score]], Iterator[tuple[str, Bound, Bound]]]:
    request = measure.request

    def bounds(scores: Mapping[str, Score]) -> Iterator[tuple[str, Bound, Bound]]:
        first = next(iter(scores.values()))
        rows = Fraction(getattr(request, "rows", None) or 1)
        match type(request).__name__:
            case "Count":
                yield "score", first.most, rows
            case "Distinct":
                yield "score", first.most, Fraction(request.values)
            case "Sum":
                yield "score", first.most * 10**request.scale, Fraction(max(request.bound, 1))
            case "Mean":
                low, high = scores["score"].row
                yield "a row below 0", -low, Fraction(0)
                yield "a row", high, Fraction(request.ticks)
                yield "rows", first.rows_of_unit, rows
                yield "units", scores["units"].most, rows
            case "Moments":
                for score in scores.values():
                    yield "below 0", -score.moves()[0], Fraction(0)
                yield "together", check_together(scores), rows * request.whole
            case "Quantile" | "Quantiles":
                of = request if type(request).__name__ == "Quantile" else request.of
                low, high = first.moves(keys)
                yield "below 0", -low, Fraction(0)
                yield "together", high, Fraction(of.most)
            case "Mode":
                low, high = first.moves()
                yield "below 0", -low, Fraction(0)
                yield "score", high, Fraction(1)
            case "ChosenDistinct" if not request.claims:
                for level, most in enumerate(request.levels):
                    low, high = first.moves(keys, {request.level.name: level})
                    yield "below 0", -low, Fraction(0)
                    yield "up to a level", high, Fraction(most)
            case "ClampedSum":
                yield from _levels(scores, request.level.name, request.steps, request.scale, keys)
            case "ChosenCount":
                for level, most in enumerate(request.ladder):
                    low, high = scores["score0"].moves([], {request.level.name: level})
                    yield "below 0", -low, Fraction(0)
                    yield "up to a level", high, Fraction(most) * request.rows
            case _:
                yield "not known", INF, Fraction(0)
        groups = min(first.groups(keys), candidates)
        if type(request).__name__ != "ChosenCount":
            yield "groups", groups, Fraction(measure.groups)

    return bounds


def _levels(
    scores: Mapping[str, Score], level: str, steps: int, scale: int, keys: list[str] | None
) -> Iterator[tuple[str, Bound, Bound]]:
    """Totals by level: a unit has one row in a group, of at most as much as its level says."""
    total = scores["score0"]
    others = [name for name in total.keys if name != level.lower()]
    yield "rows", scores["score2"].moves(others)[1], Fraction(1)
    yield "sign", scores["score1"].most, Fraction(1)
    for step in range(steps + 1):
        yield f"level {step}", total.at(level, step) * 10**scale, Fraction(2**step)


# --- mutants -------------------------------------------------------------------------------------
