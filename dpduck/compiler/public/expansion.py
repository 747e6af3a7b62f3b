"""Bounds the size to which DuckDB expands a query: its aliases, operands, filters and grouping sets.

DuckDB duplicates some operands, expands aliases, and pushes filters down into subqueries of FROM, where it
expands their columns. Nested, each grows exponentially, and DuckDB's planning cannot be interrupted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlglot import exp

from dpduck.compiler.parse.nodes import refusal
from dpduck.kernel.catalog.model import fold

MAX_EXPANDED = 20_000  # nodes of a SELECT after aliases are expanded
MAX_FILTER = 40_000  # nodes of a predicate after it is pushed down to the tables
MAX_REPEATED = 4_000  # characters of an operand that is duplicated
MAX_SETS = 256  # grouping sets of a GROUP BY

_ATOM = re.compile(r'[\w".]*')  # a name, or digits
_CONDITIONS = ("where", "having", "qualify")


def repeatable(text: str, node: exp.Expr) -> str:
    """Return the SQL of an operand that is duplicated. Errors: UnsupportedSqlError if it is too long."""
    if len(text) <= MAX_REPEATED:
        return text
    raise refusal(
        "the argument of this function is too long",
        f"It is written twice, and may have {MAX_REPEATED} characters then.",
        "Compute it in a subquery in FROM, and call the function on its column.",
        node,
    )


def is_atomic(sql: str) -> bool:
    """Whether SQL is a name or digits, which may be duplicated at no cost."""
    return _ATOM.fullmatch(sql) is not None


def check_expansion(select: exp.Expr) -> None:
    """Refuse aliases of exponential size: SELECT x + x AS a, a + a AS b, b + b AS c, ...

    A name counts as the earlier alias of that name, even if DuckDB resolves it to a column.
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


def check_filters(query: exp.Expr) -> None:
    """Refuse filters of exponential size: FROM (SELECT nullif(a, 1) AS a FROM (...)) WHERE a > 3."""
    known: dict[int, dict[str, int]] = {}
    for select in query.find_all(exp.Select):
        columns = _columns(select, known)
        clauses = [select.args[name] for name in _CONDITIONS if select.args.get(name) is not None]
        clauses += [join.args["on"] for join in select.args.get("joins") or () if join.args.get("on")]
        if sum(_size(clause, {}, columns) for clause in clauses) > MAX_FILTER:
            raise refusal(
                "the condition is too large with the columns that it names",
                f"It may have {MAX_FILTER:,} parts once each column is replaced by what it stands for.",
                "Filter in an inner query, or use fewer subqueries within each other.",
                select,
            )


def _columns(query: exp.Expr, known: dict[int, dict[str, int]]) -> dict[str, int]:
    """Return the expanded sizes of the columns of a query, and of the columns that it reads, by name."""
    if id(query) in known:
        return known[id(query)]
    if isinstance(query, exp.SetOperation):
        parts = [_columns(part, known) for part in _operands(query)]
        most = max((size for part in parts for size in part.values()), default=1)
        found = dict.fromkeys((name for part in parts for name in part), most)
    else:
        found = _of_select(query, known)
    known[id(query)] = found
    return found


def _of_select(select: exp.Expr, known: dict[int, dict[str, int]]) -> dict[str, int]:
    """Return the largest expanded size of each name, in the select list or in FROM."""
    source = select.args.get("from_")
    items = [source] if source is not None else []
    found: dict[str, int] = {}
    for item in [*items, *(select.args.get("joins") or ())]:
        for name, size in _of_source(item.this, known).items():
            found[name] = max(found.get(name, 1), size)
    sizes: dict[str, int] = {}
    for item in select.expressions:
        sizes[fold(item.alias_or_name)] = _size(item, sizes, found)
    return {**found, **{name: max(size, found.get(name, 1)) for name, size in sizes.items()}}


def _of_source(item: exp.Expr, known: dict[int, dict[str, int]]) -> dict[str, int]:
    if not isinstance(item, exp.Subquery):
        return {}
    found = dict(_columns(item.this, known))
    for join in item.args.get("joins") or ():
        found.update(_of_source(join.this, known))
    most = max(found.values(), default=1)
    alias = item.args.get("alias")
    named = alias.args.get("columns") or () if isinstance(alias, exp.TableAlias) else ()
    return {**found, **dict.fromkeys((fold(column.name) for column in named), most)}


def _operands(query: exp.Expr) -> list[exp.Expr]:
    """Return the operands of nested set operations, found without recursion."""
    stack, parts = [query], []
    while stack:
        part = stack.pop()
        if isinstance(part, exp.SetOperation):
            stack += [part.this, part.expression]
        elif isinstance(part, exp.Subquery):
            stack.append(part.this)
        else:
            parts.append(part)
    return parts


def _size(node: exp.Expr, sizes: Mapping[str, int], columns: Mapping[str, int] = {}) -> int:
    """Return the number of nodes of an expression after its names are expanded.

    Input: the expanded sizes of aliases, and of columns, which may be qualified.
    """
    stack, total = [(node, 1)], 0
    while stack:
        part, times = stack.pop()
        if isinstance(part, exp.Column):
            name = fold(part.name)
            own = 1 if part.table else sizes.get(name, 1)
            total += times * max(own, columns.get(name, 1))
            continue
        total += times
        copies = _copies(part)
        stack += [
            (child, times * copies if child is part.this else times) for child in part.iter_expressions()
        ]
    return total


def _copies(node: exp.Expr) -> int:
    """Return how many copies DuckDB makes of the first operand."""
    if isinstance(node, exp.Case):
        return max(len(node.args["ifs"]), 1)
    return 2 if isinstance(node, (exp.Nullif, exp.Between)) else 1


def check_sets(group: exp.Expr) -> None:
    """Refuse a GROUP BY of too many grouping sets, each of which keeps its own groups in memory."""
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
