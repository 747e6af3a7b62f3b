"""The design of a summary: its columns, how many rows of a unit count, and what it measures of them.

Privacy. Let u >= 0 be the rows of one unit that count, by the cell of all columns together: |u|_1 <= m, since
score SQL keeps at most m rows of each unit in total, by a hash of its own rows, before anything is counted
(or the schema allows one). What is measured and its shares are public.

Laplace noise. The table of columns T moves by M_T u, whose L1 norm is |u|_1 <= m. So discrete Laplace noise
of rate epsilon_T / m in each of its cells is epsilon_T-DP, and all tables together cost the sum of the
epsilon_T, by basic composition. The event is `Composed` of their histograms, each with the L-infinity bound
m, too, as all m rows may be in one cell.

Measures. A row adds whole numbers of ticks to the sums that are kept of a measure in its cell, of which all
together are at most `reach` in size, in L1 and so in L2. All of the above holds with m reach for m, for the
one or two vectors of sums together. A measure has its own shares, which add up with those of the counts.

Gaussian noise. What is measured of the residual A is a vector of whole numbers B_A x, which moves by B_A u.
Its Euclidean norm is at most m times that of the longest column of B_A, by the triangle inequality, and so it
is if all m rows are in the cell of that column: there is no root of m. With noise of the variance m^2
length_A / q_A on each number, A is q_A^(1/2)-GDP, and all of them are one Gaussian mechanism whose mu^2 is
the sum of the q_A (`accounting.gaussian`), which is (epsilon, delta)-DP. Noise is real, and its sum with
whole numbers is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from dpduck.compiler.compile.summary import SummaryRows
from dpduck.compiler.planner.score_sql import cells_sql
from dpduck.kernel.accounting.amounts import EPSILON_PLACES
from dpduck.kernel.accounting.events import (
    Average,
    BoundedSums,
    Composed,
    Event,
    GaussianNoise,
    Histogram,
    NoisyCount,
)
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.catalog.statements import CreateSummary, Ways
from dpduck.kernel.errors import DpduckError, ParameterError, PolicyError, UnsupportedSqlError, decimal_text
from dpduck.kernel.mechanisms.gaussian import Variances, rounded_variance
from dpduck.kernel.noise.gaussian import MAX_VARIANCE, MAX_VARIANCE_OF_WHOLE
from dpduck.kernel.tree.relations import SelectQuery
from dpduck.summaries.gaussian_plan import planned_residuals
from dpduck.summaries.laplace_plan import planned_shares, rounded, variances_of_noise
from dpduck.summaries.linear_queries import LinearQuery
from dpduck.summaries.residuals import Columns, Shapes, closure, residual_variances, size_of
from dpduck.summaries.strategies import Strategies, length_of, scale_of, shapes_of
from dpduck.summaries.workload import Chart, opened, tables_of

Kind = Literal["laplace", "gaussian"]

MOST_CELLS = 4_000_000  # of all tables together
MOST_CELLS_OF_TABLE = 1_000_000
MU_SQUARED_PARTS = 18  # decimal places of a part of mu squared
_TINY = 1e-300
_NONE = Fraction(0)


@dataclass(frozen=True, eq=False)
class GaussianKind:
    """What a summary with Gaussian noise has besides its shares: what it is charged, and fitted matrices."""

    epsilon: Fraction
    delta: Fraction
    strategies: Strategies


@dataclass(frozen=True)
class Design:
    """What a summary measures. `most`: rows of each unit that count; None: the schema allows one.

    `shares`: the epsilon of each table, or the part of mu squared of each residual if noise is Gaussian.
    `measures`: the same of each measure. `reach`: by how much one row moves a cell.
    """

    rows: SummaryRows
    most: int | None
    shares: Mapping[Columns, Fraction]
    gaussian: GaussianKind | None = None
    measures: tuple[Mapping[Columns, Fraction], ...] = ()
    reach: int = 1

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cells of each column."""
        return self.rows.sizes

    @property
    def bound(self) -> int:
        """How far one unit moves a cell at most: by its rows that count, each by `reach`."""
        return (self.most or 1) * self.reach

    @property
    def kind(self) -> Kind:
        """Which noise it has."""
        return "laplace" if self.gaussian is None else "gaussian"

    @property
    def strategies(self) -> Strategies:
        """The fitted matrices of residuals; of tables there are none."""
        return {} if self.gaussian is None else self.gaussian.strategies

    @property
    def tables(self) -> list[Columns]:
        """The tables, or residuals, in the order in which they are stored."""
        return sorted(self.shares, key=lambda table: (len(table), table))

    @property
    def event(self) -> Event:
        """What releasing all of it is charged for."""
        if self.gaussian is not None:
            mu_squared = sum(
                (share for own in (self.shares, *self.measures) for share in own.values()), _NONE
            )
            return GaussianNoise(self.gaussian.epsilon, self.gaussian.delta, mu_squared)
        parts = [event_of(size_of(table, self.sizes), self.shares[table]) for table in self.tables]
        for own, measure in zip(self.of_measures, self.rows.measures, strict=True):
            kind = Average if measure.has_gaps else BoundedSums
            parts += [kind(own.shares[table]) for table in own.tables]
        return parts[0] if len(parts) == 1 else Composed.of(*parts)

    @cached_property
    def of_measures(self) -> tuple[Design, ...]:
        """What is measured of the sums of each measure, in ticks."""
        return tuple(
            replace(self, shares=shares, measures=(), reach=measure.reach)
            for shares, measure in zip(self.measures, self.rows.measures, strict=True)
        )

    @property
    def quantities(self) -> list[Design]:
        """The design of each vector of cells: of the counts, then of each sum that is kept."""
        sums = zip(self.of_measures, self.rows.measures, strict=True)
        return [self, *(own for own, measure in sums for _ in measure.row)]

    @cached_property
    def normal(self) -> dict[Columns, Variances]:
        """The normal noise of each number that is measured of a residual."""
        return {
            part: Variances(self.bound**2 * length_of(part, self.sizes, self.strategies) / share)
            for part, share in self.shares.items()
        }

    @cached_property
    def noise(self) -> dict[Columns, float]:
        """The variance of the noise in a cell of each table."""
        return variances_of_noise(self.shares, self.bound)

    @cached_property
    def variances(self) -> dict[Columns, float]:
        """The variance of the best estimate of each residual that is measured."""
        if self.gaussian is None:
            return residual_variances(self.noise, self.sizes)
        return {
            part: rounded_variance(float(noise.own)) / scale_of(part, self.sizes, self.strategies) ** 2
            for part, noise in self.normal.items()
        }

    @cached_property
    def shapes(self) -> Shapes:
        """The covariances of residuals whose noise is not even along some column."""
        return shapes_of(self.strategies)

    def scores(self, salt: int) -> SelectQuery:
        """The score SQL: how many rows are in each cell of all columns together."""
        keys = [(column.key, column.value) for column in self.rows.columns]
        within = [column.within for column in self.rows.columns if column.within is not None]
        sums = [node for measure in self.rows.measures for node in measure.row]
        return cells_sql(self.rows.owned, keys, within, self.most, salt, sums)

    def named(self, table: Columns) -> str:
        """A table by the names of its columns."""
        return ", ".join(self.rows.columns[column].name for column in table) or "all rows"


def event_of(cells: int, epsilon: Fraction) -> Event:
    """The event of one table."""
    return NoisyCount(epsilon) if cells == 1 else Histogram(epsilon)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A design that a statement allows. `error`: the deviation of charts, by their geometric mean."""

    design: Design
    error: float


def designs(
    create: CreateSummary, rows: SummaryRows, charts: Mapping[str, Sequence[LinearQuery]]
) -> list[Candidate]:
    """The designs of a summary for its workload: one of each kind of noise that the statement allows.

    Input: the queries of the workload, by their texts. Errors: UnsupportedSqlError, PolicyError,
    ParameterError; nothing is charged before.
    """
    _check_noise(create)
    most = most_rows(create, rows)
    workload = _charts(create, rows, charts)
    _check_sizes(workload, rows, is_gaussian=create.noise == "gaussian")
    made = []
    if create.noise != "gaussian":
        counts, *sums = _divided(planned_shares(workload, rows.sizes), create.epsilon, EPSILON_PLACES, rows)
        made.append(Design(rows, most, counts, None, tuple(sums)))
    if create.noise != "laplace" and create.delta and _is_small(workload, rows):
        made.append(_with_gaussian(create, rows, most, workload))
    found = [one for design in made if (one := _candidate(design, workload)) is not None]
    if not found:
        raise ParameterError(
            f"epsilon {decimal_text(create.epsilon)} is too small to be shared",
            detail="Each table of the summary needs a part of it that the ledger can record.",
            hint="Write a larger EPSILON.",
        )
    return found


def _with_gaussian(
    create: CreateSummary, rows: SummaryRows, most: int | None, workload: Sequence[Chart]
) -> Design:
    assert create.delta
    plan = planned_residuals(workload, rows.sizes)
    mu_squared = most_mu_squared(create.epsilon, create.delta)
    counts, *sums = _divided(plan.shares, mu_squared, MU_SQUARED_PARTS, rows)
    kind = GaussianKind(create.epsilon, create.delta, plan.strategies)
    return Design(rows, most, counts, kind, tuple(sums))


def _divided(
    plan: Mapping[Columns, float], amount: Fraction, places: int, rows: SummaryRows
) -> list[dict[Columns, Fraction]]:
    """The shares of the counts and of each measure, which have equal parts of an amount."""
    quantities = 1 + len(rows.measures)
    parts = rounded({(place,): 1 / quantities for place in range(quantities)}, amount, places)
    return [rounded(plan, parts.get((place,), _NONE), places) for place in range(quantities)]


def _candidate(design: Design, workload: Sequence[Chart]) -> Candidate | None:
    """A design with its error; None if a table is left with nothing, or its noise is too much."""
    charts = [chart.under(design.shapes, design.sizes) for chart in workload]
    variances = [chart.variance(design.variances) for chart in charts]
    sums = [chart.variance(own.variances) for own in design.of_measures for chart in charts]
    if any(map(math.isinf, (*variances, *sums))) or not _fits(design):
        return None
    whole = sum(chart.weight for chart in charts)
    logs = (chart.weight * math.log(max(one, _TINY)) for chart, one in zip(charts, variances, strict=True))
    return Candidate(design, math.exp(sum(logs) / (2 * whole)))


def _fits(design: Design) -> bool:
    """Whether noise fits its numbers: 64 bits of counts; sums have any size, but for doubles."""
    most = [(design, MAX_VARIANCE), *((own, MAX_VARIANCE_OF_WHOLE) for own in design.of_measures)]
    if design.gaussian is None:
        return True
    return all(noise.own <= largest for one, largest in most for noise in one.normal.values())


def _charts(
    create: CreateSummary, rows: SummaryRows, charts: Mapping[str, Sequence[LinearQuery]]
) -> list[Chart]:
    sizes = rows.sizes
    if not create.workload:
        return tables_of(min(2, len(sizes)), sizes)
    weights = create.weights or (Fraction(1),) * len(create.workload)
    found: list[Chart] = []
    for asked, weight in zip(create.workload, weights, strict=True):
        if isinstance(asked, Ways):
            found += tables_of(_ways(asked, len(sizes)), sizes, float(weight))
        else:
            own = charts[asked]
            found += [Chart.of(query, sizes, float(weight) / len(own)) for query in own]
    declared = any(isinstance(asked, str) for asked in create.workload)
    return opened(found, sizes) if declared else found


def _ways(asked: Ways, columns: int) -> int:
    if asked.columns > columns:
        raise ParameterError(
            f"ALL {asked.columns} WAY of {columns} columns",
            detail="There are no tables of more columns than the summary has.",
            hint=f"Write ALL {columns} WAY.",
        )
    return asked.columns


def most_rows(create: CreateSummary, rows: SummaryRows) -> int | None:
    """How many rows of each unit count; None if the schema allows one. Errors: PolicyError."""
    owned = rows.owned
    if owned.one_row:
        return None
    if create.rows is not None:
        return create.rows
    bounds = [table.contribution for table in owned.named]
    known = [bound.groups * bound.rows for bound in bounds if bound.groups and bound.rows]
    if known:
        return min(known)
    raise PolicyError(
        f"nothing says how many rows of {owned.root.unit} count in summary {create.name}",
        detail="Noise has to hide all rows of one unit, which may be any number.",
        hint="Write CONTRIBUTION (rows = 5) before EPSILON: of more, 5 are taken by a hash.",
    )


def _check_noise(create: CreateSummary) -> None:
    if create.noise == "gaussian" and not create.delta:
        raise ParameterError(
            f"NOISE gaussian of summary {create.name} needs a DELTA",
            detail="No epsilon alone bounds what normal noise tells.",
            hint="Write EPSILON 1 DELTA 1e-6.",
        )


def _check_sizes(workload: Sequence[Chart], rows: SummaryRows, *, is_gaussian: bool) -> None:
    """Refuse tables that would have too many cells: most would be noise alone."""
    sizes = rows.sizes
    for chart in workload:
        if size_of(chart.columns, sizes) > MOST_CELLS_OF_TABLE:
            raise _too_large([chart.columns], rows, MOST_CELLS_OF_TABLE, "a table")
    tables = closure(chart.columns for chart in workload)
    if not is_gaussian:
        tables = [table for table in tables if not any({*table} < {*other} for other in tables)]
    if _vectors(rows) * sum(size_of(table, sizes) for table in tables) > MOST_CELLS:
        raise _too_large(tables, rows, MOST_CELLS, "all tables together", _vectors(rows))


def _is_small(workload: Sequence[Chart], rows: SummaryRows) -> bool:
    """Whether residuals have few enough numbers: each as many as the table of its columns."""
    parts = closure(chart.columns for chart in workload)
    return _vectors(rows) * sum(size_of(part, rows.sizes) for part in parts) <= MOST_CELLS


def _vectors(rows: SummaryRows) -> int:
    """How many numbers a cell has: how many rows it holds, and each sum of a measure."""
    return 1 + sum(len(measure.row) for measure in rows.measures)


def _too_large(
    tables: Sequence[Columns], rows: SummaryRows, most: int, what: str, vectors: int = 1
) -> DpduckError:
    cells = vectors * sum(size_of(table, rows.sizes) for table in tables)
    widest = max(range(len(rows.sizes)), key=lambda column: rows.sizes[column])
    tables = sorted(tables, key=lambda table: -size_of(table, rows.sizes))
    named = ", ".join(rows.columns[column].name for column in tables[0])
    return UnsupportedSqlError(
        f"the summary would have {cells:,} cells",
        detail=f"The most for {what} is {most:,}; {named} alone have {size_of(tables[0], rows.sizes):,}.",
        hint=f"Write BANDS for {rows.columns[widest].name}, or name fewer columns.",
    )
