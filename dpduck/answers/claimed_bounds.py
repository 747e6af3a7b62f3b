"""What mechanisms rely on, compared before each charge with what is computed from the score trees alone.

The theorem of a mechanism relies on how far one unit moves its scores: each in a group, all of a group
together, and in how many groups. A plan claims these numbers, and the compiler that made it is not believed.
`kernel.check` computes them from the score tree and the catalog. A claim *holds* if each number that is
computed is at most what is claimed: then the theorem holds of what the mechanism reads, whatever made the
plan. A claim that does not hold, or that nothing computes, is a fault of dpduck: nothing is read or charged.

Which numbers a theorem relies on is read off the mechanism, one case for each kind of selection and measure
below, and stands in the docstring of its module in `dpduck.kernel.mechanisms`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from dpduck.kernel.catalog.model import Catalog, fold
from dpduck.kernel.check import (
    INF,
    Bound,
    Scores,
    UnboundedError,
    check,
    check_pairs,
    check_points,
    check_together,
    in_one_row,
)
from dpduck.kernel.errors import InternalError
from dpduck.kernel.plan import aggregates
from dpduck.kernel.plan.compound import CompoundPlan
from dpduck.kernel.plan.model import (
    EveryKey,
    FoundKeys,
    KeysAbove,
    LargestKeys,
    Measure,
    OneGroup,
    Passes,
    Plan,
    Selection,
)
from dpduck.kernel.tree.relations import SelectQuery
from dpduck.summaries.design import Design

# The kinds of claims that nothing computes and that are let through, each with the reason. It is empty.
NOT_COMPUTED: tuple[tuple[str, str], ...] = ()

_NONE, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class ComparedBound:
    """One number that a mechanism relies on: what is computed, and what is claimed."""

    what: str
    computed: Bound
    claimed: Bound

    @property
    def holds(self) -> bool:
        """Whether it is no more than is claimed."""
        return self.computed <= self.claimed < INF


Bounds = Iterator[ComparedBound]


@dataclass(frozen=True)
class Claim:
    """What a mechanism relies on of one score query. `kind`: of the selection or aggregate.

    `keys`: its columns that are no scores. `bounds`: of the scores that are computed. `is_pairs`: the scores
    are pairs of a unit and a value. `passes`: the two passes of which the score query is the first.
    """

    kind: str
    scores: SelectQuery
    keys: frozenset[str]
    bounds: Callable[[Scores], Bounds]
    is_pairs: bool = False
    passes: Passes | None = None

    def compared(self, catalog: Catalog) -> list[ComparedBound]:
        """Each number that the mechanism relies on. Errors: UnboundedError if the query is not understood."""
        held = None if self.passes is None else self.passes.held
        scores = check_pairs(self.scores, catalog) if self.is_pairs else check(self.scores, catalog, held)
        if any(score.keys.keys() != self.keys for score in scores.values()):
            raise UnboundedError("scores of other groups")
        if self.passes is not None:
            check_points(self.scores, self.passes.points, held, self.passes.width, catalog)
        return list(self.bounds(scores))

    def fault(self, catalog: Catalog) -> str:
        """Why the claim is not proved; empty if it is."""
        try:
            compared = self.compared(catalog)
        except UnboundedError as error:
            return f"nothing bounds {self.kind}: {error}"
        return next(
            (
                f"{self.kind}, {one.what}: {one.computed} is claimed to be {one.claimed}"
                for one in compared
                if not one.holds
            ),
            "",
        )


class BoundsCheck:
    """Refuses what relies on bounds that are not proved. Input: the catalog that it was planned with.

    It remembers the plan that it proved last: a request that is asked again has the same.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._proved: Plan | CompoundPlan | None = None

    def plan(self, plan: Plan | CompoundPlan) -> None:
        """Check all that the mechanisms of a plan rely on. Errors: InternalError."""
        if plan is self._proved:
            return
        for block in plan.blocks:
            self._check(claims_of(block))
        self._proved = plan

    def summary(self, design: Design, scores: SelectQuery) -> None:
        """Check what a summary relies on. Errors: InternalError."""
        self._check([claim_of_summary(design, scores)])

    def _check(self, claims: Iterable[Claim]) -> None:
        for claim in claims:
            if claim.kind not in dict(NOT_COMPUTED) and (fault := claim.fault(self.catalog)):
                raise InternalError(
                    "the noise of this query may be too small for what one unit changes",
                    detail=f"Of its scores less is proved than was planned: {fault}.",
                    hint="Please report the query and the policies of its tables.",
                )


def claims_of(plan: Plan) -> Iterator[Claim]:
    """What the mechanisms of a plan rely on: of what ranks or finds its groups, and of each measure."""
    keys = [key.name for key in plan.keys]
    selection = plan.selection
    if selection.scores is not None:
        clamped = selection.clamped if isinstance(selection, LargestKeys) else None
        levels = [] if clamped is None else [clamped.level.name]
        yield Claim(
            type(selection).__name__,
            selection.scores,
            _folded([*keys, *levels]),
            lambda scores: _of_selection(selection, keys, scores),
        )
    for measure in plan.measures:
        yield _claim_of_measure(measure, plan, keys)


def _claim_of_measure(measure: Measure, plan: Plan, keys: list[str]) -> Claim:
    request, passes = measure.request, measure.passes
    return Claim(
        type(request).__name__,
        measure.scores if passes is None else passes.bins,
        _folded([*keys, *_beside(request)]),
        lambda scores: _of_measure(measure, plan, keys, scores),
        isinstance(request, aggregates.ChosenDistinct) and request.claims,
        passes,
    )


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(map(fold, names))


def _beside(request: aggregates.Aggregate) -> list[str]:
    """The keys of score SQL besides those of the groups."""
    match request:
        case aggregates.ChosenDistinct(claims=True):
            return []
        case aggregates.ChosenCount() | aggregates.ChosenDistinct() | aggregates.ClampedSum():
            return [request.level.name]
        case aggregates.Quantile() | aggregates.Mode():
            return [request.key.name]
        case aggregates.Quantiles():
            return [request.of.key.name]
    return []


# --- selections ----------------------------------------------------------------------------------


def _of_selection(selection: Selection, keys: list[str], scores: Scores) -> Bounds:
    """Rankings: each score moves within a spread; counts that are released, in so many groups."""
    if isinstance(selection, LargestKeys) and selection.clamped is not None:
        yield from _of_levels(selection.clamped, scores, above_zero=selection.spread < 2)
        return
    [score] = scores.values()
    spread = selection.spread if isinstance(selection, LargestKeys) else 0
    low, high = score.moves()
    if spread:
        yield ComparedBound("how far apart two sums move", high - low, Fraction(spread))
        return
    yield from _one_way([score.moves()], _ONE)
    if selection.groups is not None or isinstance(selection, FoundKeys):
        yield ComparedBound("groups", score.groups(keys), Fraction(selection.groups or 0))


def _one_way(moves: Iterable[tuple[Bound, Bound]], most: Bound) -> Bounds:
    """Numbers that all move one way, by so much."""
    for low, high in moves:
        yield ComparedBound("against the others", -low, _NONE)
        yield ComparedBound("score", high, most)


# --- measures ------------------------------------------------------------------------------------


def _of_measure(measure: Measure, plan: Plan, keys: list[str], scores: Scores) -> Bounds:  # noqa: C901  (a case for each aggregate)
    request, first = measure.request, next(iter(scores.values()))
    groups = min(first.groups(keys, _listed(plan)), _shown(plan))
    match request:
        case aggregates.Count(rows=rows):
            yield from _one_way([first.moves()], Fraction(rows or 1))
        case aggregates.Distinct(values=values):
            yield from _one_way([first.moves()], Fraction(values))
        case aggregates.Sum():
            yield ComparedBound("score", first.most * 10**request.scale, Fraction(max(request.bound, 1)))
            if measure.gaussian is not None and measure.gaussian.size is not None:
                low, high = first.moves()
                yield ComparedBound("against the others", min(-low, high), _NONE)
        case aggregates.Mean():
            yield from _of_mean(request, scores)
        case aggregates.Moments():
            for score in scores.values():
                yield ComparedBound("a weight below 0", -score.moves()[0], _NONE)
            yield ComparedBound(
                "weights", check_together(scores), (request.rows or 1) * Fraction(request.whole)
            )
        case aggregates.Quantile() | aggregates.Quantiles():
            of = request if isinstance(request, aggregates.Quantile) else request.of
            yield from _one_way([first.moves(), first.moves(keys)], Fraction(of.most))
        case aggregates.Mode():
            yield from _one_way([first.moves()], _ONE)
        case aggregates.ChosenDistinct(claims=True):
            pass  # pairs: see `kernel.check.pairs`
        case aggregates.ChosenDistinct():
            for level, most in enumerate(request.levels):
                up_to = first.moves(keys, {request.level.name: (-INF, level)})
                yield from _one_way([up_to], Fraction(most))
        case aggregates.ClampedSum():
            yield from _of_levels(request, scores, above_zero=False)
        case aggregates.ChosenCount():
            yield from _of_chosen_groups(request, keys, groups, scores)
        case _:
            assert_never(request)
    if not isinstance(request, aggregates.ChosenCount):
        yield ComparedBound("groups", groups, Fraction(measure.groups))


def _shown(plan: Plan) -> Bound:
    """In how many groups numbers are released, whatever the rows say."""
    match plan.selection:
        case OneGroup():
            return _ONE
        case EveryKey() if plan.space.size is not None:
            return Fraction(plan.space.size)
        case LargestKeys(k=k) | KeysAbove(k=k):
            return Fraction(k)
    return INF


def _listed(plan: Plan) -> dict[str, int]:
    """How many values of each key are candidates."""
    if isinstance(plan.selection, FoundKeys):
        return {}
    return {fold(key.name): key.domain.size + key.or_null for key in plan.keys if key.domain is not None}


def _of_mean(request: aggregates.Mean, scores: Scores) -> Bounds:
    """Values between 0 and `ticks`, at most `rows` of a unit: each adds itself to one sum, 1 to another."""
    score, rows = scores["score"], Fraction(request.rows or 1)
    low, high = score.row
    yield ComparedBound("a value below 0", -low, _NONE)
    yield ComparedBound("a value", high, Fraction(request.ticks))
    yield ComparedBound("values", score.rows_of_unit, rows)
    yield ComparedBound("their sum", score.most, rows * request.ticks)
    yield ComparedBound("their number", scores["units"].most, rows)


def _of_levels(request: aggregates.ClampedSum, scores: Scores, *, above_zero: bool) -> Bounds:
    """Totals by level: a unit has one total in a group, of at most as much as its level says, and its sign.

    `above_zero`: none is below 0.
    """
    total, level, scale = scores["score0"], request.level.name, 10**request.scale
    others = [name for name in total.keys if name != fold(level)]
    yield ComparedBound("totals in a group", scores["score2"].moves(others)[1], _ONE)
    yield ComparedBound("the sign of a total", scores["score1"].most, _ONE)
    for step in range(request.steps + 1):
        low, high = total.moves(None, {level: (step, step)})
        yield ComparedBound("a total at its level", max(-low, high) * scale, Fraction(2**step))
    if above_zero:
        for score in (total, scores["score1"]):
            yield ComparedBound("a total below 0", -score.moves()[0], _NONE)


def _of_chosen_groups(
    request: aggregates.ChosenCount, keys: list[str], groups: Bound, scores: Scores
) -> Bounds:
    """Counts by level: a unit has at most `rows` in a group, and up to a level in as many as the ladder says.

    Of each level above the first it has one first group: so it moves each tail count by at most 1.
    """
    score, firsts, level = scores["score0"], scores["score1"], request.level.name
    rows = Fraction(request.rows)
    yield from _one_way([score.moves(keys)], rows)
    for place, most in enumerate(request.ladder):
        low, high = score.moves([], {level: (-INF, place)})
        yield from _one_way([(low, min(high, groups * rows))], most * rows)
        if place:
            yield from _one_way([firsts.moves([], {level: (place, place)})], _ONE)


# --- summaries -----------------------------------------------------------------------------------


def claim_of_summary(design: Design, scores: SelectQuery) -> Claim:
    """What a summary relies on of its score query."""
    keys = _folded(column.key.name for column in design.rows.columns)
    return Claim("Summary", scores, keys, lambda found: _of_summary(design, found))


def _of_summary(design: Design, scores: Scores) -> Bounds:
    """A unit has so many rows in all cells together, and each moves the sums of a measure by its reach."""
    counted, *sums = scores.values()
    yield from _one_way([counted.moves([])], Fraction(design.most or 1))
    for measure in design.rows.measures:
        own, sums = sums[: len(measure.row)], sums[len(measure.row) :]
        yield ComparedBound(measure.name, in_one_row(own) * 10**measure.scale, Fraction(measure.reach))
    if sums:
        raise UnboundedError("sums of no measure")
