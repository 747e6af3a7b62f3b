"""Reads aggregates over private rows from the tree, with the bounds on what one unit contributes.

Every aggregate has bounded sensitivity: sums and means need a public range of their argument, distinct
counts a bound on the values per unit, quantiles a public grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from dpduck.compiler.block import moments, quantiles
from dpduck.compiler.block.aggregate_calls import (
    AggregateClause,
    function_of,
    is_number,
    name_of,
    only_argument,
    read_call,
    with_bounds,
)
from dpduck.compiler.block.left_out import may_differ
from dpduck.compiler.block.missing_range import no_range
from dpduck.compiler.block.narrowed_ranges import narrowed_range
from dpduck.compiler.block.narrowing import conditions_of
from dpduck.compiler.block.one_value import has_one_value
from dpduck.compiler.block.privacy_units import MAX_ROWS, Owned
from dpduck.compiler.block.public_columns import PublicColumns
from dpduck.compiler.block.value_bounds import (
    FINE_TICKS,
    FINEST_TICKS,
    FLOAT_SCALE,
    LEAST_TICKS,
    Tests,
    fixed_point,
    in_ticks,
    is_within,
    known_range,
    least_value,
    number_range,
    places_of,
    range_of_type,
)
from dpduck.compiler.functions.expressions import bounds_of, conditions, expression
from dpduck.compiler.parse.nodes import refusal, scalar, unwrap
from dpduck.compiler.private.bounds import Bounds
from dpduck.compiler.write import column_names
from dpduck.compiler.write.result_types import sum_type
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.errors.advice import BOUNDED_ROWS, PER_ROW, Hint, ReadAsNumbers
from dpduck.kernel.errors.names import written
from dpduck.kernel.mechanisms.clamped_sums import steps_to
from dpduck.kernel.plan.aggregates import (
    Aggregate,
    Clamping,
    Count,
    Distinct,
    Ladder,
    Mean,
    Sum,
)
from dpduck.kernel.plan.expression import Columns, Typed
from dpduck.kernel.plan.public_facts import PublicValues
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression

_INTEGER = parse_type("INTEGER")
_ANY_RANGE = Bounds(Fraction(0), Fraction(100))  # to read on, where a range is missing
_ONE, _ZERO = (build.literal(number, _INTEGER) for number in (1, 0))
_NUMBERS = ("integer", "decimal", "float")
_MOST_OF_RANGE = 1 << 20  # times the range of one row, a ceiling far above the total of a unit


@dataclass(frozen=True)
class _Undeclared:
    """Columns without what policies say of them. `strip`: takes it from the value of one."""

    columns: Columns
    strip: Callable[[Typed], Typed]

    def resolve(self, node: exp.Column) -> Typed:
        return self.strip(self.columns.resolve(node))

    def subquery(self, node: exp.Expr) -> Typed:
        return replace(self.columns.subquery(node), ends=None)


class Aggregates:
    """Reads the aggregates of one block. `rows_bound`: the policy's bound on rows per unit and group.

    `for_population`: intervals are to hold for the population that units are a sample of. `counts_rows`:
    rows are to be counted, also where nothing bounds those of a unit. `private_clamp`: a bound on rows is a
    ceiling of totals, below which a clamp is chosen privately.

    `missing`: errors for arguments without a public range; reading goes on, so that all can be listed.
    """

    def __init__(
        self,
        owned: Owned,
        rows_bound: int | None,
        facts: PublicValues,
        *,
        for_population: bool = False,
        counts_rows: bool = False,
        private_clamp: bool = False,
    ) -> None:
        self.owned = owned
        self.for_population = for_population
        self._sums_ones = not owned.one_row and (counts_rows if rows_bound is None else private_clamp)
        self._private_clamp = private_clamp
        self._unit_name = str(owned.root.unit)
        self.rows_bound = rows_bound
        self._known = PublicColumns(owned.rows, owned, facts)
        self.missing: list[DpduckError] = []
        self._conditions = conditions_of(owned.rows)
        self._tests: dict[tuple[Expression, ...], Tests] = {}

    def read(self, node: exp.Expr, column: str) -> tuple[Aggregate, ...]:
        """Return the requests of an aggregate call: one, or one for each quantile of a list.

        Errors: UnsupportedSqlError, PolicyError.
        """
        call = read_call(node, self.owned.rows)
        reader = _READERS.get(type(call.node))
        if isinstance(call.node, exp.Anonymous):
            reader = _NAMED_READERS.get(str(call.node.this).lower())
        if reader is None and function_of(call.node) in moments.REFUSED:
            raise moments.refused(call.node, node)
        if reader in _UNBOUNDED and call.clamp is not None:
            raise refusal(
                f"{name_of(call.node)} takes no contribution bounds",
                "They bound numbers.",
                "Leave them out.",
                node,
            )
        if reader is None:
            raise refusal(
                f"the aggregate {name_of(call.node)} is not supported",
                "Its result can move by an unknown amount when one person is added.",
                "Use count(*), sum(x), avg(x), median(x), quantile_cont(x, 0.5), mode(x), min(x) or max(x).",
                node,
            )
        requests = reader(self, call, column)
        if call.epsilon is None:
            return requests
        return tuple(replace(request, epsilon=call.epsilon / len(requests)) for request in requests)

    # --- parts that readers share ----------------------------------------------------------------

    def tests_of(self, call: AggregateClause) -> Tests:
        """Return the conditions that the rows of a call meet: of the block, and of its FILTER."""
        if call.conditions not in self._tests:
            self._tests[call.conditions] = Tests(*self._conditions, *call.conditions)
        return self._tests[call.conditions]

    def value(self, node: exp.Expr | None, call: AggregateClause) -> Typed:
        """Return the argument of an aggregate. Errors: UnsupportedSqlError if it is the unit itself."""
        if node is None or isinstance(node, (exp.Star, exp.Distinct)):
            raise refusal(
                f"{name_of(call.node)} takes one argument",
                "It is a column or an expression.",
                f"Write {name_of(call.node)}(x).",
                call.node,
            )
        value = expression(unwrap(node), self.owned.rows)
        self.check_not_unit(value, call.node)
        return value

    def with_values(self, value: Typed) -> Typed:
        """Add a domain to a column of a public table, or to one equal to it: the values of that table."""
        return self._known.with_domain(value)

    def resolve(self, node: exp.Column) -> Typed:
        """Resolve a column in an argument of an aggregate, with the domain that public tables give it."""
        return self._known.resolve(node)

    def subquery(self, node: exp.Expr) -> Typed:
        """Return the value of a subquery in an argument of an aggregate."""
        return self.owned.rows.subquery(node)

    def is_unit(self, value: Typed) -> bool:
        """Whether a value is the privacy unit."""
        return self.owned.is_unit(value.node)

    def check_not_unit(self, value: Typed, node: exp.Expr) -> None:
        if self.is_unit(value):
            column = node.name if isinstance(node, exp.Column) else self._unit_name
            raise refusal(
                f"column {column} is the privacy unit",
                "Each of its values stands for one person, who would be revealed by it.",
                "Use another column, or count(*) to count units.",
                node,
            )

    def number(self, node: exp.Expr | None, call: AggregateClause) -> Typed:
        value = self.value(node, call)
        if value.type.kind in _NUMBERS:
            return value
        if value.type.kind == "boolean":
            number = build.choice((value.node, _ONE), (build.is_present(value.node), _ZERO))
            return replace(value, node=number, type=_INTEGER, domain=RangeDomain(0, 1, 1))
        raise refusal(
            f"{name_of(call.node)} takes numbers",
            f"{value.name or 'The argument'} is of type {value.type.name}.",
            Hint.of(ReadAsNumbers(value.column and value.column[1], _a_number(value)), ", or count(*)."),
            call.node,
        )

    # --- counts ----------------------------------------------------------------------------------

    def count(self, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
        argument = call.node.this
        if isinstance(argument, exp.Distinct):
            return self._distinct(argument, call, column)
        rows = self._rows_of(call)
        if argument is None or isinstance(argument, exp.Star) or is_number(argument):
            return (self._sum_of_ones(call, column, Count(column, call.conditions, rows=rows)),)
        value = expression(unwrap(argument), self.owned.rows)
        tests = (*call.conditions, *self.present(value))
        counted = Count(column, tests, rows=rows, asks_present=self.is_unit(value))
        return (self._sum_of_ones(call, column, counted),)

    def _sum_of_ones(self, call: AggregateClause, column: str, counted: Count) -> Count | Sum:
        """Return a count as the sum of as many ones, if rows are asked for and nothing bounds them."""
        if not self._sums_ones or call.clamp is not None:
            return counted
        one, steps = Typed(_ONE, _INTEGER), steps_to(self.rows_bound or MAX_ROWS)
        scale, ticks = fixed_point(_INTEGER, Fraction(0), Fraction(1), call.node)
        return Sum(
            column,
            counted.conditions,
            one,
            in_ticks(Fraction(0), scale),
            in_ticks(Fraction(1), scale),
            ticks,
            scale,
            counted.type,
            clamping=Clamping(lowers=True),
            ladder=Ladder(steps, has_range=False),
            counts=True,
        )

    def present(self, value: Typed) -> tuple[Expression, ...]:
        """Return the test that the value is not NULL; none for the unit, which is NULL in kept rows alone."""
        return (
            ()
            if value.node == self.owned.unit and self.owned.rows.kept is None
            else (build.is_present(value.node),)
        )

    def _rows_of(self, call: AggregateClause) -> int | None:
        """Return how many rows of a unit count in a group: the call's bound, or else the policy's."""
        if call.clamp is None:
            return self.rows_bound
        low, high = call.clamp.low, call.clamp.high
        if low != 0 or not isinstance(high, int) or isinstance(high, bool) or not 0 < high <= MAX_ROWS:
            raise refusal(
                "these contribution bounds are not possible",
                f"A unit is counted with between 0 and at most {MAX_ROWS:,} rows.",
                Hint.of("Write ", BOUNDED_ROWS, "."),
                call.node,
            )
        return high

    def count_if(self, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
        tests = conditions(call.node.this, self.owned.rows)
        counted = Count(column, (*call.conditions, *tests), rows=self._rows_of(call), type="HUGEINT")
        return (self._sum_of_ones(call, column, counted),)

    def _distinct(self, argument: exp.Distinct, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
        if len(argument.expressions) != 1:
            raise refusal(
                "count(DISTINCT ...) takes one column",
                "One person may bring many combinations.",
                f"Write count(DISTINCT {self._unit_name}) or count(*).",
                call.node,
            )
        value = expression(unwrap(argument.expressions[0]), self.owned.rows)
        return self._values(value, call, column)

    def approx_distinct(self, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
        value = expression(unwrap(only_argument(call.node)), self.owned.rows)
        return self._values(value, call, column)

    def _values(self, value: Typed, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
        """Count distinct values; for the unit column this counts units."""
        if self.owned.is_unit(value.node):
            tests = (*call.conditions, *self.present(value))
            return (Count(column, tests, asks_rows=False, asks_units=True, asks_present=True),)
        if value.type.kind in ("float", "other"):
            raise refusal(
                f"distinct values of type {value.type.name} cannot be counted",
                "Values are equal or not, without rounding.",
                "Count distinct whole numbers, decimals, text or dates.",
                call.node,
            )
        is_of_unit = has_one_value(value.node, self.owned)
        most, declared = self.rows_bound or 1, self.rows_bound is not None
        return (Distinct(column, call.conditions, value, most, is_of_unit, declared),)

    def clamping(
        self, argument: exp.Expr, value: Typed, call: AggregateClause, bounds: Bounds | None
    ) -> Clamping:
        """Return how a range may move a number. Input: the range; None: it is not of numbers."""
        tests = self.tests_of(call)
        lowers = bounds is not None and self._lowers(argument, value, call, bounds)
        if call.clamp is not None:
            known = known_range(argument, self.with_values(value), self, tests)
            return Clamping(by_call=not is_within(known, bounds), lowers=lowers)
        plain = _Undeclared(self.owned.rows, self._undeclared)
        undeclared = narrowed_range(argument, value, bounds_of(argument, plain), plain, tests.limits)
        by_domain = may_differ(value, self.owned) and not is_within(undeclared, bounds)
        return Clamping(by_domain=by_domain, lowers=lowers)

    def _lowers(self, argument: exp.Expr, value: Typed, call: AggregateClause, bounds: Bounds) -> bool:
        """Whether a clamp can only lower a sum: no value is below 0, nor below the range."""
        least = least_value(argument, self.with_values(value), self, self.tests_of(call))
        return least is not None and least >= max(Fraction(0), bounds.low)

    def _floors(self, argument: exp.Expr, value: Typed, call: AggregateClause) -> bool:
        """Whether only declared domains say that no value is below 0."""
        plain = _Undeclared(self.owned.rows, self._undeclared)
        least = least_value(argument, self._undeclared(value), plain, self.tests_of(call))
        return may_differ(value, self.owned) and (least is None or least < 0)

    def _undeclared(self, value: Typed) -> Typed:
        """Return a column without its declared domain, but with the values that public tables give it."""
        ends = None if may_differ(value, self.owned) else value.ends
        value = self.with_values(replace(value, domain=None, ends=ends))
        if value.origin is None:
            return value
        inner, columns = value.origin
        return replace(value, origin=(inner, _Undeclared(columns, self._undeclared)))

    # --- sums and means --------------------------------------------------------------------------

    def public_range(
        self, argument: exp.Expr, value: Typed, call: AggregateClause, instead: str = ""
    ) -> Bounds:
        """Return the range of a number. One that has none is noted, and reading goes on with any other.

        Input: what the query may ask instead that needs none.
        """
        value = self.with_values(value)
        bounds = number_range(argument, value, call.clamp, self, self.tests_of(call))
        if bounds is None:
            self.missing.append(
                no_range(value, argument, self, bounded=with_bounds(call.node), instead=instead)
            )
        return bounds or _ANY_RANGE

    def _range_of_total(self, argument: exp.Expr, value: Typed, call: AggregateClause) -> Bounds:
        """Return the range of which a multiple is that of a unit's total.

        Where nothing bounds the rows of a unit, the range of one row is that of its total: conditions on one
        row say nothing about a total, and do not narrow it, unless there is no other range.
        """
        if self.rows_bound is None and not self.owned.one_row:
            found = number_range(argument, self.with_values(value), call.clamp, self, Tests())
            if found is not None:
                return found
        return self.public_range(argument, value, call)

    def sum(self, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
        argument = unwrap(only_argument(call.node))
        if is_number(argument) and scalar(argument) == 1 and call.clamp is None:
            counted = Count(column, call.conditions, rows=self.rows_bound, type="HUGEINT")
            return (self._sum_of_ones(call, column, counted),)
        value = self.number(argument, call)
        unbounded = self._range_of_type(argument, value, call)
        bounds = unbounded or self._range_of_total(argument, value, call)
        of_total = unbounded is not None or (call.clamp is not None and call.clamp.total)
        rows = 1 if of_total else self.rows_bound or 1
        low, high = min(bounds.low * rows, bounds.low), max(bounds.high * rows, bounds.high)
        has_ceiling = self.rows_bound is not None and unbounded is None
        is_declared = has_ceiling and not self._private_clamp
        is_settled = is_declared or (call.clamp is not None and call.clamp.total)
        fine = FINEST_TICKS if has_ceiling else FINE_TICKS
        wanted = LEAST_TICKS if is_settled else fine
        least = FLOAT_SCALE if unbounded is not None and value.type.kind == "float" else 0
        # Where no range is known, the ends are those of the type, and finer than any value.
        places = places_of(value.node) if unbounded is None else None
        scale, ticks = fixed_point(value.type, low, high, call.node, wanted, least, places)
        ends = in_ticks(low, scale), in_ticks(high, scale)
        each = None
        if call.clamp is not None and not call.clamp.total:
            each = in_ticks(bounds.low, scale), in_ticks(bounds.high, scale)
        clamping = self.clamping(argument, value, call, bounds)
        if unbounded is not None:
            clamping = Clamping(lowers=self._lowers(argument, value, call, unbounded))
        if clamping.lowers:
            clamping = replace(clamping, floors=self._floors(argument, value, call))
        answer = sum_type(value.type)
        most = int(max(map(abs, ends)) * 10**scale) * (1 if has_ceiling else _MOST_OF_RANGE)
        ladder = Ladder(steps_to(most), has_range=unbounded is None)
        clamp = None if is_settled else ladder
        return (Sum(column, call.conditions, value, *ends, ticks, scale, answer, each, clamping, clamp),)

    def _range_of_type(self, argument: exp.Expr, value: Typed, call: AggregateClause) -> Bounds | None:
        """Return the range of the type of an argument that has no other; None if it has one.

        What is beyond it, in very wide types, is clamped to it; floats are rounded to `FLOAT_SCALE`.
        """
        if call.clamp is not None or value.type.kind not in ("integer", "decimal", "float"):
            return None
        if number_range(argument, self.with_values(value), None, self, self.tests_of(call)) is not None:
            return None
        return range_of_type(value.type)

    def mean(self, call: AggregateClause, column: str) -> tuple[Aggregate, ...]:
        return (self.mean_of(only_argument(call.node), call, column),)

    def mean_of(self, argument: exp.Expr, call: AggregateClause, column: str) -> Mean:
        """Return the mean of an argument of the call."""
        argument = unwrap(argument)
        value = self.number(argument, call)
        bounds = self.public_range(argument, value, call, self._quotient(argument, call))
        if bounds.low == bounds.high:
            raise refusal(
                "the range of the argument is one number",
                f"It is {float(bounds.low):g}, and so is the mean.",
                Hint.of("Write a range: ", PER_ROW, "."),
                call.node,
            )
        _check_width(bounds, call)
        rows = None if call.clamp is not None and call.clamp.total else self.rows_bound
        clamping = self.clamping(argument, value, call, bounds)
        return Mean(column, call.conditions, value, bounds.low, bounds.high, rows, clamping=clamping)

    def _quotient(self, argument: exp.Expr, call: AggregateClause) -> str:
        """Return a mean over rows as a quotient; empty where rows are not counted, or it is no name."""
        name = written(argument.name) if isinstance(argument, exp.Column) else column_names.name_of(argument)
        counts_rows = self.rows_bound is not None or self.owned.one_row
        same = ", each with the same FILTER" if call.conditions else ""
        return f"sum({name}) / count({name}){same}" if name and counts_rows else ""


def _a_number(value: Typed) -> str:
    """Return what to take in place of a value that is no number."""
    if value.type.kind != "text" or value.column is None:
        return "Use a numeric column"
    return (
        f"Use a numeric column, or TRY_CAST({written(value.column[1])} AS DOUBLE) of texts that are numbers"
    )


def _check_width(bounds: Bounds, call: AggregateClause) -> None:
    """Refuse a range whose width is 0 or infinite in doubles, in which a mean computes positions."""
    if 0 < float(bounds.high) - float(bounds.low) < math.inf:
        return
    raise refusal(
        f"the range is too {'narrow' if float(bounds.high) == float(bounds.low) else 'wide'} for a mean",
        "A DOUBLE does not hold how far its ends are apart.",
        Hint.of("Write ", PER_ROW, "."),
        call.node,
    )


Reader = Callable[[Aggregates, AggregateClause, str], tuple[Aggregate, ...]]

_READERS: dict[type[exp.Expr], Reader] = {
    exp.Count: Aggregates.count,
    exp.CountIf: Aggregates.count_if,
    exp.ApproxDistinct: Aggregates.approx_distinct,
    exp.Sum: Aggregates.sum,
    exp.Avg: Aggregates.mean,
    exp.Min: quantiles.minimum,
    exp.Max: quantiles.maximum,
    exp.Median: quantiles.median,
    exp.Quantile: quantiles.quantile,
    exp.ApproxQuantile: quantiles.quantile,
    exp.PercentileCont: quantiles.quantile,
    exp.PercentileDisc: quantiles.quantile,
    exp.WithinGroup: quantiles.within_group,
    exp.Mode: quantiles.mode,
    **dict.fromkeys(moments.NODES, moments.statistic),
    exp.RegrCount: moments.count_of_pairs,
    exp.RegrAvgx: moments.mean_of_x,
    exp.RegrAvgy: moments.mean_of_y,
}
_NAMED_READERS: dict[str, Reader] = {
    "mean": Aggregates.mean,
    "favg": Aggregates.mean,
    "fsum": Aggregates.sum,
    "kahan_sum": Aggregates.sum,
    "sumkahan": Aggregates.sum,
    "sem": moments.statistic,
}
_UNBOUNDED = (Aggregates.approx_distinct, quantiles.mode)
