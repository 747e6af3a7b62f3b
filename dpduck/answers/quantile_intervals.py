"""What to say of intervals of quantiles: in EXPLAIN, and beside an answer in which they say little.

Privacy: all is a function of the plan, or of released columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from dpduck.answers.caveat_words import listed, short_list
from dpduck.kernel.arrow.strings import text
from dpduck.kernel.errors.advice import Hint
from dpduck.kernel.errors.notices import Notice, Rank
from dpduck.kernel.mechanisms.quantile_intervals import End
from dpduck.kernel.plan.aggregates import Quantile
from dpduck.kernel.plan.model import Measure, Plan
from dpduck.kernel.plan.names import names_of

_UNITS = 1_000  # of which EXPLAIN says how far ends are wanted from the quantile
_MOST_UNITS = 1 << 40


def interval_lines(request: Quantile, measure: Measure, plan: Plan) -> list[str]:
    """Return what the interval of a quantile covers, and at which ranks its ends are wanted."""
    if request.extreme:
        far = "most" if request.quantile == 1 else "least"
        return [f"  interval  of the {far}: from {names_of(request, plan)[0]} to the end of its range"]
    lower, upper = request.ends(measure.epsilon / measure.groups)
    parts, name = request.parts or 1, names_of(request, plan)[0]
    below, above = (end.margin(_UNITS * parts) / (end.unit * parts) for end in (lower, upper))
    kind = "units" if request.rows is None else "rows"
    whom = f"the population that each {plan.unit} is drawn from: noise and sampling together"
    whose = whom if lower.population else "the table: noise alone"
    ranks = (
        f"of {_UNITS:,} {kind} those of {name} are wanted {below:,.3g} below its rank and {above:,.3g} above"
    )
    few = f"of fewer than about {_fewest((lower, upper), parts):,} one is that of its range"
    return [
        f"  interval  of {name} for {whose}; 95 % where values lie close together, as measured",
        f"  ends      {ranks}; {few}",
    ]


def _fewest(ends: Sequence[End], parts: int) -> int:
    """Return of how many units or rows no end is wanted beyond all values, to three digits."""

    def reached(number: int) -> bool:
        count = number * parts
        return all(0 <= end.rank(count) <= end.unit * count for end in ends)

    low, high = 0, 1
    while not reached(high) and high < _MOST_UNITS:
        low, high = high, 2 * high
    while high - low > max(high // 100, 1):
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return int(float(f"{high:.2g}"))


def of_extremes(plan: Plan, table: pa.Table) -> tuple[Notice, ...]:
    """Return a notice of least or largest values that are at the other end of the range.

    Input: the released columns, as values or as text.
    """
    places = {column.name: place for place, column in enumerate(plan.columns)}
    said = []
    for request in (one for measure in plan.measures for one in measure.requests):
        if not isinstance(request, Quantile) or not request.extreme:
            continue
        end = text(request.grid.value(0 if request.quantile == 1 else request.grid.size - 1))
        rows = list(map(text, table.column(places[request.column]).to_pylist())).count(end)
        where = f" in {rows:,} of {table.num_rows:,} groups" if plan.keys else ""
        if rows:
            name, side = names_of(request, plan)[0], "low" if request.quantile == 1 else "high"
            short = f"{short_list([name])} is the {side} end of its range"
            whole = f"{name} is the {side} end of its range{where}: values are too few for the noise."
            said.append(Notice(Rank.UNCERTAIN, f"{short}.", whole))
    return tuple(dict.fromkeys(said))


def of_ends(plan: Plan, table: pa.Table) -> tuple[Notice, ...]:
    """Return a notice of the intervals of quantiles that reach an end of the range of values.

    Input: the released columns, as values or as text.
    """
    found, names = 0, list[str]()
    places = {column.name: place for place, column in enumerate(plan.columns)}
    for request in (one for measure in plan.measures for one in measure.requests):
        if not isinstance(request, Quantile) or not request.has_ends:
            continue
        lows, highs = (
            map(text, table.column(places[f"{request.column}{end}"]).to_pylist()) for end in ("_low", "_high")
        )
        least, most = (text(request.grid.value(place)) for place in (0, request.grid.size - 1))
        rows = sum(low == least or high == most for low, high in zip(lows, highs, strict=True))
        found, names = max(found, rows), [*names, *names_of(request, plan)[:1]] if rows else names
    if not found:
        return ()
    where = f" in {found:,} of {table.num_rows:,} groups" if plan.keys else ""
    reaches = "The interval of {} reaches an end of its range"
    short, whole = reaches.format(short_list(names)), reaches.format(listed(names, "and"))
    why = "values are too few for the noise, or lie there"
    hint = Hint.of("More epsilon, or fewer and larger groups, help.")
    return (Notice(Rank.UNCERTAIN, f"{short}.", f"{whole}{where}: {why}.", hint),)
