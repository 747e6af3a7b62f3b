"""What EXPLAIN CREATE PRIVACY SUMMARY proposes: bands for columns of many values, and what they would gain.

Each value of a column is a cell, and noise is in each. Where the workload divides a column at a few values
only, bands between these say as much with less noise; where it says nothing, even bands are an example. All
of it follows from the statement and from domains.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from dpduck.answers.preparation import Preparation
from dpduck.answers.summary_preparation import PreparedSummary, prepared_summary
from dpduck.compiler.compile.summary_columns import (
    FEW,
    asked_columns,
    bands_of,
    constant_sql,
    even_bands,
    name_of_column,
)
from dpduck.compiler.parse.statements import Select, parse
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.catalog.model import Bound, Column, fold
from dpduck.kernel.catalog.statements import CreateSummary, SummaryColumn
from dpduck.kernel.catalog.types import Scalar
from dpduck.kernel.errors import DpduckError
from dpduck.summaries.design import Design, designs
from dpduck.summaries.workload import Chart


def proposed_bands(
    create: CreateSummary,
    prepared: PreparedSummary,
    design: Design,
    preparation: Preparation,
    interrupts: Interrupts,
) -> list[str]:
    """Lines of EXPLAIN. Input: what the statement would make as it is."""
    lines = []
    for number, column in enumerate(create.columns):
        own, size = _own(column, create, preparation), design.sizes[number]
        if own is None or size <= FEW:
            continue
        is_key, firsts = _asked(create, fold(column.name), preparation)
        bands = [] if is_key else bands_of(own, firsts)
        if bands:
            banded = replace(column, bands=tuple(map(_scalar, bands)))
            columns = (*create.columns[:number], banded, *create.columns[number + 1 :])
            less = _gain(replace(create, columns=columns), prepared, design, preparation, interrupts)
            said = "" if less is None else f"; {less:.0%} less noise in its queries"
            lines.append(f"{_proposal(column, bands)}: the workload divides it nowhere else{said}")
        elif not is_key and (even := even_bands(own)):
            lines.append(
                f"{_proposal(column, even)}, or others: each of {size:,} values has noise of its own"
            )
    return lines


def _proposal(column: SummaryColumn, bands: Sequence[Bound]) -> str:
    return f"  propose   {column.name} BANDS ({', '.join(map(constant_sql, bands))})"


def _own(column: SummaryColumn, create: CreateSummary, preparation: Preparation) -> Column | None:
    """The column of the table; None for an expression, and where there are bands."""
    name = name_of_column(column.sql)
    if column.bands or name is None:
        return None
    return preparation.catalog().table(create.table.name, create.table.schema).part(name)


def _asked(create: CreateSummary, name: str, preparation: Preparation) -> tuple[bool, set[Bound]]:
    """Whether a query of the workload groups by a column, and where they divide it."""
    is_key, firsts = False, set[Bound]()
    for text in _queries(create):
        statement = parse(text)
        found = None
        if isinstance(statement, Select):
            found = asked_columns(statement.expression, preparation.catalog())
        if found is not None:
            is_key = is_key or name in found.keys
            firsts |= found.firsts.get(name, set())
    return is_key, firsts


def _queries(create: CreateSummary) -> Iterator[str]:
    yield from (asked for asked in create.workload if isinstance(asked, str))


def _scalar(value: Bound) -> Scalar:
    return value if isinstance(value, int) else str(value)


def _gain(
    banded: CreateSummary,
    prepared: PreparedSummary,
    design: Design,
    preparation: Preparation,
    interrupts: Interrupts,
) -> float | None:
    """By which part noise falls in the queries of the workload, as a geometric mean; None if it does not."""
    with suppress(DpduckError):
        other = prepared_summary(banded, preparation, interrupts)
        candidates = designs(banded, other.rows, other.charts)
        with_bands = next(one.design for one in candidates if one.design.kind == design.kind)
        ratio = math.exp((_noise(other, with_bands) - _noise(prepared, design)) / 2)
        return 1 - ratio if ratio < 0.995 else None
    return None


def _noise(prepared: PreparedSummary, design: Design) -> float:
    """The mean of the logarithms of the variances of all queries."""
    queries = [query for own in prepared.charts.values() for query in own]
    charts = [Chart.of(query, design.sizes).under(design.shapes, design.sizes) for query in queries]
    return sum(math.log(chart.variance(design.variances)) for chart in charts) / len(charts)
