"""What is said of the design of a summary: its parts, how exact they are, and what was paid."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpduck.answers.summary_choice import cost_text
from dpduck.kernel.catalog.statements import CreateSummary
from dpduck.kernel.errors import ParameterError, decimal_text
from dpduck.summaries.answers import whole_width
from dpduck.summaries.design import Design
from dpduck.summaries.floor import PEOPLE, cell_width
from dpduck.summaries.linear_queries import table_query
from dpduck.summaries.measures import quantile_of, spread_of
from dpduck.summaries.residuals import Columns, size_of

MOST_TOLD = 12  # tables that EXPLAIN lists


def cell_error(design: Design, table: Columns) -> int:
    """What the estimate of each cell of a table stays within at 95 %."""
    return whole_width(cell_width(design, table))


def noise_alone(create: CreateSummary, design: Design, least: Fraction, *, is_owner: bool) -> ParameterError:
    """The error for a summary whose every number would be noise. Input: an epsilon that makes sense."""
    table = max(design.tables, key=lambda one: size_of(one, design.sizes))
    cells, width = size_of(table, design.sizes), cell_error(design, table)
    each = f"{PEOPLE * (design.most or 1) / cells:,.0f}"
    who = "people" if (design.most or 1) == 1 else f"people with {design.most} rows"
    force = " FORCE at the end makes it all the same." if is_owner else ""
    return ParameterError(
        f"each number of summary {create.name} would be noise alone",
        detail=f"Each of {cells:,} cells of {design.named(table)} would be within {width:,}. "
        f"If {PEOPLE:,} {who}, more than are alive, were spread over them, each had {each}.",
        hint=f"Write EPSILON {decimal_text(least)}, name fewer columns, or wider bands.{force}",
    )


def shares_text(design: Design) -> str:
    """How a charge is divided, for the record of its statement."""
    shown = [f"{decimal_text(design.shares[table])} on {design.named(table)}" for table in design.tables]
    more = f" and {len(shown) - MOST_TOLD} more" if len(shown) > MOST_TOLD else ""
    of = "epsilon" if design.gaussian is None else "mu squared"
    return f"{of} {'; '.join(shown[:MOST_TOLD])}{more}".replace("*/", "* /")


def part_name(design: Design, table: Columns) -> str:
    """A table, or a residual, by the names of its columns."""
    return f"{'table' if design.gaussian is None else 'residual'} {design.named(table)}"


def share_text(design: Design, table: Columns) -> str:
    """The share of a table, or a residual."""
    share = design.shares[table]
    return f"epsilon {decimal_text(share)}" if design.gaussian is None else f"mu squared {float(share):.3g}"


def made_notice(name: str, design: Design, spent: Fraction, *, is_new: bool) -> str:
    """What to say of a summary that was made. Input: what those of its name have cost together."""
    noun, number = "table" if design.gaussian is None else "residual", len(design.tables)
    tables = f"1 {noun}" if number == 1 else f"{number} {noun}s"
    again = "" if is_new else f", and epsilon {decimal_text(spent)} with those before it"
    paid = f"was paid for with {cost_text(design.event)}{again}"
    return f"Summary {name} of {tables} {paid}. Asking it costs nothing."


def measure_lines(design: Design) -> list[str]:
    """What EXPLAIN says of each measure: its range, and the error of its sums by each column."""
    lines = []
    for number, measure in enumerate(design.rows.measures):
        low, high = float(measure.low), float(measure.high)
        lines.append(f"  measure   {measure.name} from {low:,.6g} to {high:,.6g}: {_of_measure(design)}")
        for place, column in enumerate(design.rows.columns):
            if (place,) in design.variances:
                within = sum_error(design, number, (place,))
                lines.append(f"  error     sums of {measure.name} by {column.name}: within {within:,}")
    return lines


def _of_measure(design: Design) -> str:
    of = "epsilon" if design.gaussian is None else "mu squared"
    return f"1/{1 + len(design.measures)} of {of}"


def sum_error(design: Design, number: int, table: Columns) -> int:
    """What the sum of a measure in each cell of a table stays within at 95 %."""
    spread = spread_of(number, table_query(table, design.sizes), design)
    return whole_width(quantile_of(design) * float(np.sqrt(spread.of_sum.max())))


def quantity_names(design: Design) -> list[str]:
    """What each vector of released numbers is of, after its table: nothing for the counts."""
    names = [""]
    for measure in design.rows.measures:
        parts = ("above its least", "below its most") if measure.has_gaps else ("from its middle",)
        names += [f"; {measure.name} {part}, in units of 1e-{measure.scale}" for part in parts]
    return names
