"""Bounds the aggregates that buffer their rows outside of DuckDB's memory limit.

DuckDB 2 counts the memory of all but `approx_top_k`, which is refused. Before 2.0, the aggregates that are
listed here may only read the rows of one table or answer, once, so that nothing multiplies them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal

MAX_BUFFERING = 16  # such aggregates in one SELECT, each with a buffer of its own

_DUCKDB_COUNTS_MEMORY = int(version("duckdb").split(".")[0]) >= 2
_KINDS = (
    exp.ApproxQuantile,
    exp.ArrayAgg,
    exp.Median,
    exp.Mode,
    exp.PercentileCont,
    exp.PercentileDisc,
    exp.Quantile,
)
_NAMES = frozenset({"entropy", "histogram", "mad", "quantile_cont", "quantile_disc"})


def check_memory(node: exp.Expr, name: str, is_release: Callable[[exp.Query], bool]) -> None:
    """Refuse an aggregate whose buffered rows may exceed memory and are not counted.

    Input: `name`: of the function, for the error; `is_release`: whether the caller translates a query, whose
    rows are few.
    """
    if _DUCKDB_COUNTS_MEMORY or not _buffers_rows(node):
        return
    select = node.find_ancestor(exp.Select)
    if select is None:
        return
    if sum(map(_buffers_rows, select.find_all(*_KINDS, exp.Anonymous))) > MAX_BUFFERING:
        raise refusal(
            f"there are too many aggregates such as {name}",
            f"Each holds its rows, and DuckDB before 2.0 does not count that. There may be {MAX_BUFFERING}.",
            "Ask for some of them in another query.",
            node,
        )
    if not _stands_alone(select) or not _reads_once(select, is_release):
        raise refusal(
            f"{name} over rows that may be multiplied needs DuckDB 2",
            "It holds all of its rows, and DuckDB before 2.0 does not count that.",
            f"Take {name} of one table or answer, without joins, set operations, grouping sets, and not in a "
            "subquery of an expression; or install DuckDB 2.",
            node,
        )


def _buffers_rows(node: exp.Expr) -> bool:
    return isinstance(node, _KINDS) or (isinstance(node, exp.Anonymous) and node.name.lower() in _NAMES)


def _stands_alone(select: exp.Expr) -> bool:
    """Whether a SELECT runs once: it is the whole query, or comes first in FROM and is not correlated."""
    node = select
    while node.parent is not None:
        parent = node.parent
        first = isinstance(parent, exp.From) and isinstance(parent.parent, exp.Select)
        if not first and not isinstance(parent, (exp.Subquery, exp.Select)):
            return False
        if isinstance(parent, exp.Select) and node is not parent.args.get("from_"):
            return False
        node = parent
    return True


def _reads_once(select: exp.Expr, is_release: Callable[[exp.Query], bool]) -> bool:
    """Whether each SELECT down to a table or a release has one item in FROM and no grouping sets."""
    while isinstance(select, exp.Select) and not is_release(select):
        group, source = select.args.get("group"), select.args.get("from_")
        sets = group is not None and group.find(exp.Cube, exp.Rollup, exp.GroupingSets) is not None
        if sets or select.args.get("joins"):
            return False
        select = source.this if source is not None else exp.Table()
        while isinstance(select, exp.Subquery):
            if select.args.get("joins"):
                return False
            select = select.this
    return isinstance(select, exp.Select) or (
        isinstance(select, (exp.Table, exp.Values)) and not select.args.get("joins")
    )
