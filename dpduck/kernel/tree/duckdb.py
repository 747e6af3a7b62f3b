"""Generates DuckDB's SQL from the tree: the only place where score SQL becomes text for DuckDB.

`emit` says how functions and operators are written, so that no macro can replace them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, assert_never

from dpduck.kernel.tree import emit
from dpduck.kernel.tree.nodes import (
    NULL,
    AggregateCall,
    Call,
    Choice,
    ColumnRef,
    Comparison,
    Connective,
    Conversion,
    Exists,
    Expression,
    FirstPresent,
    Grouped,
    Literal,
    Membership,
    Negation,
    NullTest,
    RangeTest,
    ScalarSubquery,
    SortKey,
    Star,
    WindowCall,
)
from dpduck.kernel.tree.relations import (
    DerivedTable,
    GroupedTables,
    JoinedTables,
    ReaderTable,
    Relation,
    SelectItem,
    SelectQuery,
    TableScan,
)

Written = TypeVar("Written", bound=Expression)
Part = Expression | Relation | SelectQuery | SelectItem | Star | SortKey


def sql(node: Part) -> str:
    """Return the SQL text of a node, which is cached on the node.

    >>> from dpduck.kernel.catalog.types import parse_type
    >>> print(sql(Call("~~", (Literal("it's", parse_type("VARCHAR")),), parse_type("BOOLEAN"))))
    system.main."~~"('it''s')
    """
    try:
        text = node._text
    except AttributeError:
        text = _written(node)
        object.__setattr__(node, "_text", text)
    return text


def in_order(nodes: Iterable[Written]) -> list[Written]:
    """Return the distinct nodes, sorted by their SQL text."""
    by_text = {sql(node): node for node in nodes}
    return [by_text[text] for text in sorted(by_text)]


def _written(node: Part) -> str:  # noqa: C901 (a case for each node)
    match node:
        case ColumnRef(path=path) if path:
            return _field(node.table, path)
        case ColumnRef(table, name, _, is_ours):
            return f"{table}.{name if is_ours else emit.identifier(name)}"
        case Literal():
            return _literal(node)
        case Call(name, arguments):
            return emit.call(name, *map(sql, arguments))
        case Comparison(symbol, left, right):
            return f"{sql(left)} {symbol} {sql(right)}"
        case Grouped(value):
            return f"({sql(value)})"
        case Conversion(value, target, safe):
            return f"{'TRY_CAST' if safe else 'CAST'}({sql(value)} AS {target.name})"
        case NullTest(value, negated):
            return f"{sql(value)} IS {'NOT ' if negated else ''}NULL"
        case Choice(branches, otherwise):
            return _choice(branches, otherwise)
        case Connective(word, links):
            return f" {word} ".join(map(sql, links))
        case RangeTest(value, low, high):
            return f"{sql(value)} BETWEEN {sql(low)} AND {sql(high)}"
        case Membership(value, members):
            return f"{sql(value)} IN ({_list(members)})"
        case Negation(value):
            return f"NOT {sql(value)}"
        case AggregateCall(name, arguments, _, distinct):
            inside = _list(arguments) if arguments else "*"
            return emit.call(name, f"DISTINCT {inside}" if distinct else inside)
        case WindowCall():
            return _window(node)
        case FirstPresent(values):
            return f"COALESCE({_list(values)})"
        case ScalarSubquery(query):
            return f"({sql(query)})"
        case Star(table):
            return "*" if table is None else f"{table}.*"
        case Exists(query):
            return f"EXISTS ({sql(query)})"
        case SortKey(value, descending, nulls):
            return f"{sql(value)} {'DESC' if descending else 'ASC'}{f' NULLS {nulls}' if nulls else ''}"
        case SelectItem(value, name, is_ours):
            return f"{sql(value)} AS {name if is_ours else emit.identifier(name)}"
        case SelectQuery():
            return _query(node)
        case TableScan(table, alias):
            return f"{emit.table_name(table)} AS {alias}"
        case ReaderTable(name, alias):
            return name if alias is None else f"{name} AS {alias}"
        case DerivedTable(query, alias):
            return f"({sql(query)}) AS {alias}"
        case JoinedTables(left, kind, right, on):
            return f"{sql(left)} {kind} {sql(right)}" + (f" ON {_all(on)}" if on else "")
        case GroupedTables(tables):
            return f"({sql(tables)})"
    assert_never(node)


def _field(table: str, path: Sequence[str]) -> str:
    """Return a field of a STRUCT, which is NULL where the STRUCT is."""
    text = f"{table}.{emit.identifier(path[0])}"
    for name in path[1:]:
        text = emit.call("struct_extract", text, emit.string(name))
    return text


def _list(nodes: Iterable[Part]) -> str:
    return ", ".join(map(sql, nodes))


def _all(tests: Iterable[Part]) -> str:
    return " AND ".join(map(sql, tests))


# Constants of these types are written as TYPE '...'; those of other types as CAST('...' AS TYPE).
_PREFIXED_TYPES = frozenset({"DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIME"})


def _literal(node: Literal) -> str:
    """Return a constant that has its type in any context.

    DuckDB gives bare digits the narrowest type, in which the result of arithmetic may overflow. So only an
    int is written as bare digits, which `build.compared` and `build.digits` produce.
    """
    value, name = node.value, node.type.name
    if value is None:
        return "NULL" if node.type == NULL else f"CAST(NULL AS {name})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if node.type.kind == "text":
        return emit.string(value)
    text = emit.string(value)
    return f"{name} {text}" if name in _PREFIXED_TYPES else f"CAST({text} AS {name})"


def _choice(branches: Sequence[tuple[Expression, Expression]], otherwise: Expression | None) -> str:
    cases = " ".join(f"WHEN {sql(test)} THEN {sql(value)}" for test, value in branches)
    return f"CASE {cases}{'' if otherwise is None else f' ELSE {sql(otherwise)}'} END"


def _window(node: WindowCall) -> str:
    parts = []
    if node.partition_by:
        parts.append(f"PARTITION BY {_list(node.partition_by)}")
    if node.order_by:
        parts.append(f"ORDER BY {_list(node.order_by)}")
    if node.frame is not None:
        parts.append("ROWS BETWEEN {} AND {}".format(*node.frame))
    return f"{sql(node.function)} OVER ({' '.join(parts)})"


def _query(node: SelectQuery) -> str:
    text = f"SELECT {'DISTINCT ' if node.distinct else ''}{_list(node.items)} FROM {sql(node.source)}"
    if node.where:
        text += f" WHERE {_all(node.where)}"
    if node.group_by:
        text += f" GROUP BY {_list(node.group_by)}"
    if node.having:
        text += f" HAVING {_all(node.having)}"
    if node.order_by:
        text += f" ORDER BY {_list(node.order_by)}"
    return text if node.limit is None else f"{text} LIMIT {node.limit}"
