"""GROUP BY ROLLUP, CUBE and GROUPING SETS of private rows: totals of the groups of all keys together.

The release is that of a plain GROUP BY of all keys that some set names. A group of a set is the total of the
groups of the release that it consists of, so all totals agree with the numbers that they are totals of, and
cost nothing more. DuckDB computes them: GROUPING SETS over the released rows have the rows, the NULLs and the
order of GROUPING SETS over private rows. What does not add up is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, product

from sqlglot import exp

from dpduck.compiler.block.question import released
from dpduck.compiler.parse.nodes import refusal, unwrap
from dpduck.compiler.public.expansion import check_sets
from dpduck.kernel.errors import UnsupportedSqlError
from dpduck.kernel.plan.aggregates import Aggregate, Count, Mean, Sum
from dpduck.kernel.plan.keys import Places, key_column
from dpduck.kernel.tree import emit
from dpduck.kernel.tree.answer import AnswerExpression

_SETS = (exp.Rollup, exp.Cube, exp.GroupingSets)
_PLACES = 15  # decimal places that a DOUBLE may have

Terms = tuple[exp.Expr, ...]  # of GROUP BY


def sets_of(group: exp.Group) -> list[Terms]:
    """Return the grouping sets of GROUP BY, as in DuckDB; none if it names plain keys.

    GROUP BY a, ROLLUP (b) has the sets (a, b) and (a), and GROUP BY (a, b) the set (a, b). A set may come
    twice, and so do its groups then.
    Errors: UnsupportedSqlError if there are too many.
    """
    if not any(isinstance(item, (*_SETS, exp.Tuple)) for item in group.expressions):
        return []
    if group.args.get("all"):
        raise refusal(
            "GROUP BY takes keys, or ALL",
            "ALL stands for all columns.",
            "Write GROUP BY ROLLUP (page, region).",
            group,
        )
    check_sets(group)
    found = product(*(list(_alternatives(item)) for item in group.expressions))
    return [tuple(chain.from_iterable(parts)) for parts in found]


def _alternatives(item: exp.Expr) -> Iterator[Terms]:
    """Yield the sets that one item of GROUP BY or of GROUPING SETS stands for."""
    parts = [_terms(part) for part in item.expressions]
    if isinstance(item, exp.GroupingSets):
        for part in item.expressions:
            yield from _alternatives(part)
    elif isinstance(item, exp.Rollup):
        yield from (_joined(parts[:length]) for length in range(len(parts), -1, -1))
    elif isinstance(item, exp.Cube):
        for length in range(len(parts), -1, -1):
            yield from map(_joined, combinations(parts, length))
    else:
        yield _terms(item)


def _terms(item: exp.Expr) -> Terms:
    """Return the terms of (a, b), or the one term that an item is."""
    item = unwrap(item)
    return _joined(map(_terms, item.expressions)) if isinstance(item, exp.Tuple) else (item,)


def _joined(parts: Iterable[Terms]) -> Terms:
    return tuple(chain.from_iterable(parts))


def clause(sets: Iterable[Places]) -> str:
    """Return GROUP BY GROUPING SETS (...) over the released rows, after a blank."""
    texts = (", ".join(released(key_column(place)).sql for place in places) for places in sets)
    return f" GROUP BY GROUPING SETS ({', '.join(f'({text})' for text in texts)})"


def grouping(places: Iterable[int], *, has_sets: bool) -> AnswerExpression:
    """Return GROUPING(...) of keys: a bit for each, which is 1 where a total is over that key."""
    if not has_sets:
        return AnswerExpression("CAST(0 AS BIGINT)")
    keys = [key_column(place) for place in places]
    return AnswerExpression(
        f"GROUPING({', '.join(released(key).sql for key in keys)})", reads=frozenset(keys)
    )


# --- totals --------------------------------------------------------------------------------------


def with_parts(request: Aggregate, node: exp.Expr, name: str, keys: Sequence[str]) -> Aggregate:
    """Return the request with all that its totals need. Input: the call, its name in errors, and all keys.

    Errors: UnsupportedSqlError if totals do not follow from the numbers of groups.
    """
    match request:
        case Mean():
            return replace(request, adds_up=True)
        case Sum():
            return request
        case Count() if not request.is_unsigned:
            return request
    raise refusal(
        f"{name} has no totals",
        "A total follows from what is released of its groups: of counts, sums and averages it does.",
        f"Write GROUP BY {', '.join(keys)} for {name}, and ask for each total in a query of its own.",
        node,
    )


def total(request: Aggregate) -> AnswerExpression:
    """Return the total of an aggregate, of the type that plain SQL gives it.

    Output: it has the column of the aggregate, whose totals it is.
    """
    if isinstance(request, Mean):
        return _mean(request)
    assert isinstance(request, (Count, Sum))
    column = released(request.column)
    sql = emit.call("sum", column.sql)
    if isinstance(request, Count) and not request.is_sum:
        sql = f"COALESCE({sql}, 0)"
    return replace(column, sql=f"CAST({sql} AS {request.type})")


def _mean(request: Mean) -> AnswerExpression:
    """Return the sum of all values divided by their number; NULL if that is not above its noise.

    The noises of several numbers together are within the root of the sum of the squares of what each is
    within, at the same probability. The mean is rounded as one of a group is, to 1/100 of its error or less.
    """
    columns = [released(name) for name in (request.total, request.values, request.values_low)]
    sums, values, low = (column.sql for column in columns)
    number = emit.call("sum", values)
    noise = emit.call("sqrt", emit.call("sum", emit.call("pow", emit.call("-", values, low), "2")))
    mean = emit.call("/", emit.call("sum", sums), number)
    ends = (f"CAST({float(end)!r} AS DOUBLE)" for end in (request.low, request.high))
    least, most = ends
    clamped = emit.call("greatest", emit.call("least", mean, most), least)
    width = float(request.high - request.low) / 100
    steps = emit.call("/", number, emit.call("*", f"CAST({width!r} AS DOUBLE)", noise))
    places = emit.call("ceil", emit.call("log10", emit.call("greatest", steps, "1")))
    places = f"CAST({emit.call('least', places, str(_PLACES))} AS INTEGER)"
    rounded = emit.call("round", clamped, places)
    sql = f"CASE WHEN {number} > {noise} THEN {rounded} END"
    return AnswerExpression(sql, request.column, frozenset().union(*(column.reads for column in columns)))


def no_interval(name: str, node: exp.Expr, keys: Sequence[str]) -> UnsupportedSqlError:
    """Return the error for dp_low and the like of a number that may be a total."""
    return refusal(
        f"{name} is not known beside totals",
        "It is of one group, and a total adds up several; EXPLAIN says how exact each total is.",
        f"Write GROUP BY {', '.join(keys)}, and ask for each total in a query of its own.",
        node,
    )
