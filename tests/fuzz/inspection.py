"""An independent look at emitted SQL, by DuckDB's own parser: whole names, known tables, nothing else.

It shares no code with the translators. DuckDB parses the text and hands the tree out as JSON; what may
stand in it is listed here once more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

Node = Mapping[str, Any]
Name = tuple[str, str, str]  # database, schema, table

_EXPRESSIONS = frozenset(
    {
        "BETWEEN",
        "CASE",
        "CAST",
        "COLUMN_REF",
        "COMPARISON",
        "CONJUNCTION",
        "CONSTANT",
        "FUNCTION",
        "LAMBDA",
        "OPERATOR",
        "STAR",
        "SUBQUERY",
        "TYPE",  # of a cast, since DuckDB 2.0
        "WINDOW",
    }
)
# Operators that are syntax: no macro can stand for them.
_OPERATORS = frozenset(
    {
        "COMPARE_IN",
        "COMPARE_NOT_IN",
        "OPERATOR_COALESCE",
        "OPERATOR_IS_NOT_NULL",
        "OPERATOR_IS_NULL",
        "OPERATOR_NOT",
        "GROUPING_FUNCTION",
    }
)
_QUERIES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE"})
_SOURCES = frozenset({"BASE_TABLE", "SUBQUERY", "JOIN", "EMPTY", "EXPRESSION_LIST", "COLUMN_DATA"})

_SERIES = frozenset({"generate_series", "range", "unnest"})  # table functions, which read nothing


class SurpriseError(AssertionError):
    """Emitted SQL holds what it must not."""


@dataclass(frozen=True)
class Inspector:
    """Looks at SQL with a DuckDB connection of its own, which holds no table."""

    connection: duckdb.DuckDBPyConnection

    @classmethod
    def open(cls) -> Inspector:
        return cls(duckdb.connect())

    def check(self, sql: str, tables: frozenset[Name], relations: frozenset[str] = frozenset()) -> None:
        """One SELECT over these tables and relations, all functions DuckDB's own.

        Input: `relations`: names that may stand alone, besides those that WITH defines.
        Errors: SurpriseError.
        """
        kinds = [str(statement.type) for statement in self.connection.extract_statements(sql)]
        _require(kinds == ["StatementType.SELECT"] or kinds == ["StatementType.SELECT_STATEMENT"], f"{kinds}")
        (text,) = self.connection.execute(
            "SELECT json_serialize_sql(CAST(? AS VARCHAR))", [sql]
        ).fetchone() or ("{}",)
        tree = json.loads(text)
        _require(not tree.get("error", True) and len(tree["statements"]) == 1, "not one statement")
        self._check_tree(tree["statements"][0]["node"], tables, relations)

    def _check_tree(self, tree: Node, tables: frozenset[Name], relations: frozenset[str]) -> None:
        nodes = list(_nodes(tree))
        known = relations | {str(name) for node in nodes for name in _ctes(node)}
        for node in nodes:
            _check_node(node, tables, known)


def _nodes(value: object) -> Iterator[Node]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def _ctes(node: Node) -> list[str]:
    clause = node.get("cte_map")
    return [entry["key"] for entry in clause["map"]] if isinstance(clause, dict) else []


def _check_node(node: Node, tables: frozenset[Name], relations: frozenset[str]) -> None:
    kind, group = node.get("type"), node.get("class")
    if node.get("sample") or node.get("at_clause"):
        raise SurpriseError("a sample or a version")
    if group is not None:
        _check_expression(node, str(group), str(kind))
    elif kind == "BASE_TABLE":
        _check_table(node, tables, relations)
    elif kind == "TABLE_FUNCTION":
        name = node["function"]["function_name"]
        _require(name in _SERIES, f"the source TABLE_FUNCTION {name}")
    elif "query_location" in node and "alias" in node and kind is not None:
        _require(kind in _SOURCES, f"the source {kind}")
    elif isinstance(kind, str) and kind.endswith("_NODE"):
        _require(kind in _QUERIES, f"the query {kind}")


def _check_expression(node: Node, group: str, kind: str) -> None:
    _require(group in _EXPRESSIONS, f"an expression of class {group}")
    if group in ("FUNCTION", "WINDOW"):
        name = node["function_name"]
        whole = (node["catalog"], node["schema"]) == ("system", "main")
        _require(whole and not node.get("is_operator"), f"{group.lower()} {name} without its whole name")
    if group == "OPERATOR":
        _require(kind in _OPERATORS, f"the operator {kind}")


def _check_table(node: Node, tables: frozenset[Name], relations: frozenset[str]) -> None:
    name = (node["catalog_name"], node["schema_name"], node["table_name"])
    alone = name[:2] == ("", "") and name[2] in relations
    _require(alone or name in tables, f"the table {name}")


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise SurpriseError(reason)
