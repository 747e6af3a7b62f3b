"""What DuckDB itself multiplies out before it runs a query: aliases within aliases, and grouping sets."""

from __future__ import annotations

from sqlglot import exp

from dpduck.catalog import fold
from dpduck.query.nodes import refusal

MAX_EXPANDED = 20_000  # parts of a SELECT once each alias is replaced by what it stands for
MAX_SETS = 256


def check_expansion(select: exp.Expr) -> None:
    """Refuse SELECT x + x AS a, a + a AS b, b + b AS c, ... which doubles with each alias.

    A name counts as the alias of that name before it, even where it is a column.
    """
    sizes: dict[str, int] = {}
    total = 0
    for item in select.expressions:
        size = _size(item, sizes)
        total += size
        if isinstance(item, exp.Alias):
            sizes[fold(item.alias)] = size
    if not sizes:
        return
    for name, clause in select.args.items():
        if name != "expressions":
            parts = clause if isinstance(clause, list) else [clause]
            total += sum(_size(part, sizes) for part in parts if isinstance(part, exp.Expr))
    if total > MAX_EXPANDED:
        raise refusal(
            "the query is too large with its aliases",
            f"It may have {MAX_EXPANDED} parts once each alias is replaced by what it stands for.",
            "Compute the inner values in a subquery in FROM, and use its columns.",
            select,
        )


def _size(node: exp.Expr, sizes: dict[str, int]) -> int:
    return sum(
        sizes.get(fold(part.name), 1) if isinstance(part, exp.Column) and not part.table else 1
        for part in node.walk()
    )


def check_sets(group: exp.Expr) -> None:
    """Refuse a GROUP BY of very many grouping sets: each keeps its own groups in memory."""
    number = 1
    for item in group.expressions:
        number *= _sets(item)
    if number > MAX_SETS:
        raise refusal(
            "GROUP BY has too many grouping sets",
            f"It has {number}, and may have {MAX_SETS}.",
            "Use fewer columns in CUBE and ROLLUP.",
            group,
        )


def _sets(item: exp.Expr) -> int:
    if isinstance(item, exp.Cube):
        return int(2 ** min(len(item.expressions), 20))
    if isinstance(item, exp.Rollup):
        return len(item.expressions) + 1
    return sum(map(_sets, item.expressions)) if isinstance(item, exp.GroupingSets) else 1
