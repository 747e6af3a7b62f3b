"""The design of a summary: its columns, how many rows of a unit count, and the tables that it measures.

Privacy. Let u >= 0 be the rows of one unit that count, by the cell of all columns together: |u|_1 <= m, since
score SQL keeps at most m rows of each unit in total, by a hash of its own rows, before anything is counted
(or the schema allows one). The table of columns T moves by M_T u, whose L1 norm is |u|_1 <= m. So discrete
Laplace noise of rate epsilon_T / m in each of its cells is epsilon_T-DP, and all tables together cost the sum
of the epsilon_T, by basic composition. The event is `Composed` of their histograms, each with
the L-infinity bound m, too, as all m rows may be in one cell. Tables, shares and cells are public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from dpduck.accounting.events import Composed, Event, Histogram, NoisyCount
from dpduck.catalog.statements import CreateSummary, Ways
from dpduck.errors import DpduckError, ParameterError, PolicyError, UnsupportedSqlError, decimal_text
from dpduck.query.compile.summary import SummaryRows
from dpduck.query.planner.score_sql import cells_sql
from dpduck.query.tree.relations import SelectQuery
from dpduck.summaries.laplace_plan import planned_shares, rounded, variances_of_noise
from dpduck.summaries.linear_queries import LinearQuery
from dpduck.summaries.residuals import Columns, closure, residual_variances, size_of
from dpduck.summaries.workload import Chart, opened, tables_of

MOST_CELLS = 4_000_000  # of all tables together
MOST_CELLS_OF_TABLE = 1_000_000


@dataclass(frozen=True)
class Design:
    """What a summary measures. `most`: rows of each unit that count; None: the schema allows one.

    `shares`: the epsilon of each table.
    """

    rows: SummaryRows
    most: int | None
    shares: Mapping[Columns, Fraction]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cells of each column."""
        return self.rows.sizes

    @property
    def bound(self) -> int:
        """How many rows of one unit count at most."""
        return self.most or 1

    @property
    def tables(self) -> list[Columns]:
        """The tables in the order in which they are stored."""
        return sorted(self.shares, key=lambda table: (len(table), table))

    @property
    def event(self) -> Event:
        """What releasing all tables is charged for."""
        parts = [event_of(size_of(table, self.sizes), self.shares[table]) for table in self.tables]
        return parts[0] if len(parts) == 1 else Composed.of(*parts)

    @cached_property
    def noise(self) -> dict[Columns, float]:
        """The variance of the noise in a cell of each table."""
        return variances_of_noise(self.shares, self.bound)

    @cached_property
    def variances(self) -> dict[Columns, float]:
        """The variance of the best estimate of each residual that is measured."""
        return residual_variances(self.noise, self.sizes)

    def scores(self, salt: int) -> SelectQuery:
        """The score SQL: how many rows are in each cell of all columns together."""
        keys = [(column.key, column.value) for column in self.rows.columns]
        within = [column.within for column in self.rows.columns if column.within is not None]
        return cells_sql(self.rows.owned, keys, within, self.most, salt)

    def named(self, table: Columns) -> str:
        """A table by the names of its columns."""
        return ", ".join(self.rows.columns[column].name for column in table) or "all rows"


def event_of(cells: int, epsilon: Fraction) -> Event:
    """The event of one table."""
    return NoisyCount(epsilon) if cells == 1 else Histogram(epsilon)


def designed(create: CreateSummary, rows: SummaryRows, charts: Mapping[str, Sequence[LinearQuery]]) -> Design:
    """The design of a summary for its workload.

    Input: the queries of the workload, by their texts. Errors: UnsupportedSqlError, PolicyError,
    ParameterError; nothing is charged before.
    """
    _check_noise(create)
    most = most_rows(create, rows)
    workload = _charts(create, rows, charts)
    _check_sizes(workload, rows)
    shares = rounded(planned_shares(workload, rows.sizes), create.epsilon)
    design = Design(rows, most, shares)
    if any(chart.variance(design.variances) == float("inf") for chart in workload):
        raise ParameterError(
            f"epsilon {decimal_text(create.epsilon)} is too small to be shared",
            detail="Each table of the summary needs a part of it that the ledger can record.",
            hint="Write a larger EPSILON.",
        )
    return design


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
    if create.noise != "gaussian":
        return
    raise UnsupportedSqlError(
        "NOISE gaussian is not supported in a summary",
        detail="Its residuals need noise of whole numbers with given covariances, which is not drawn yet.",
        hint="Leave NOISE out: the tables get discrete Laplace noise, which needs no DELTA.",
    )


def _check_sizes(workload: Sequence[Chart], rows: SummaryRows) -> None:
    """Refuse tables that would have too many cells: most would be noise alone."""
    sizes = rows.sizes
    for chart in workload:
        if size_of(chart.columns, sizes) > MOST_CELLS_OF_TABLE:
            raise _too_large([chart.columns], rows, MOST_CELLS_OF_TABLE, "a table")
    tables = closure(chart.columns for chart in workload)
    largest = [table for table in tables if not any({*table} < {*other} for other in tables)]
    if sum(size_of(table, sizes) for table in largest) > MOST_CELLS:
        raise _too_large(largest, rows, MOST_CELLS, "all tables together")


def _too_large(tables: Sequence[Columns], rows: SummaryRows, most: int, what: str) -> DpduckError:
    cells = sum(size_of(table, rows.sizes) for table in tables)
    widest = max(range(len(rows.sizes)), key=lambda column: rows.sizes[column])
    named = ", ".join(rows.columns[column].name for column in tables[0])
    return UnsupportedSqlError(
        f"the summary would have {cells:,} cells",
        detail=f"The most for {what} is {most:,}; {named} alone have {size_of(tables[0], rows.sizes):,}.",
        hint=f"Write BANDS for {rows.columns[widest].name}, or name fewer columns.",
    )
