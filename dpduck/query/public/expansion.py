"""What DuckDB itself multiplies out before it runs a query: aliases, operands, filters, and grouping sets.

It writes some operands twice, replaces an alias by what it stands for, and moves a filter into a subquery in
FROM by doing so. Each within itself would double without end, and planning cannot be stopped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlglot import exp

from dpduck.catalog.model import fold
from dpduck.query.parse.nodes import refusal

MAX_EXPANDED = 20_000  # parts of a SELECT once each alias is replaced by what it stands for
MAX_FILTER = 40_000  # parts of a condition once it has been moved to the tables
MAX_REPEATED = 4_000  # characters of an argument that is written more than once
MAX_SETS = 256

_PLAIN = re.compile(r'[\w".]*')  # a name, or digits
_CONDITIONS = ("where", "having", "qualify")


def repeatable(text: str, node: exp.Expr) -> str:
    """A text that is written more than once, which within each other would grow without end."""
    if len(text) <= MAX_REPEATED:
        return text
    raise refusal(
        "the argument of this function is too long",
        f"It is written twice, and may have {MAX_REPEATED} characters then.",
        "Compute it in a subquery in FROM, and call the function on its column.",
        node,
    )


def is_atomic(sql: str) -> bool:
    """Whether it makes no difference how often a text is written."""
    return _PLAIN.fullmatch(sql) is not None


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


def check_filters(query: exp.Expr) -> None:
    """Refuse SELECT ... FROM (SELECT nullif(a, 1) AS a FROM (SELECT nullif(a, 1) AS a ...)) WHERE a > 3."""
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
    """The sizes of what the columns of a query stand for, and of those that it reads."""
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
    """Each name with the largest that it may stand for, here or in FROM."""
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
    """The queries of a set operation."""
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
    """How many parts a node has once each name is replaced.

    Input: what aliases stand for, and what columns do, which may be qualified.
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
    """How often DuckDB writes the first operand."""
    if isinstance(node, exp.Case):
        return max(len(node.args["ifs"]), 1)
    return 2 if isinstance(node, (exp.Nullif, exp.Between)) else 1


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
