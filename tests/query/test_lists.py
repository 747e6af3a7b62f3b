"""Comparisons with listed values, and that DuckDB finds the same in both ways to write them."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp, parse_one

from dpduck.compiler.parse.any_array import listed_tree

DB = duckdb.connect()


def listed(sql: str) -> str:
    tree = parse_one(sql, dialect="duckdb")
    assert isinstance(tree, exp.Query)
    return listed_tree(tree).sql("duckdb")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("x = ANY (ARRAY[1, 2])", "x IN (1, 2)"),
        ("x = ANY ([1, 2])", "x IN (1, 2)"),
        ("x = ANY ((ARRAY['a']))", "x IN ('a')"),
        ("x = ANY (ARRAY[])", "FALSE"),
        ("x <> ALL (ARRAY[1, 2])", "NOT x IN (1, 2)"),
        ("x <> ALL (ARRAY[])", "NOT FALSE"),
        ("x = ANY (ARRAY[1]) AND y = ANY (ARRAY[2])", "x IN (1) AND y IN (2)"),
        ("NOT x = ANY (ARRAY[1])", "NOT x IN (1)"),
        # What is no list stays, for the gate to refuse.
        ("x = ANY (SELECT 1)", "x = ANY(SELECT 1)"),
        ("x = ANY (y)", "x = ANY(y)"),
        ("x < ANY (ARRAY[1])", "x < ANY([1])"),
        ("x = [1, 2]", "x = [1, 2]"),
        ("x IN (1, 2)", "x IN (1, 2)"),
    ],
)
def test_lists(condition: str, expected: str) -> None:
    assert listed(f"SELECT 1 WHERE {condition}").replace("ANY ", "ANY") == f"SELECT 1 WHERE {expected}"


values = st.none() | st.integers(-3, 3)


@given(st.lists(values, max_size=4), st.lists(values, max_size=6), st.sampled_from(["= ANY", "<> ALL"]))
def test_the_same_rows_are_found(wanted: list[int | None], held: list[int | None], how: str) -> None:
    def text(value: int | None) -> str:
        return "NULL" if value is None else str(value)

    rows = ", ".join(f"({text(value)}::INTEGER)" for value in held) or "(NULL::INTEGER)"
    array = f"[{', '.join(map(text, wanted))}]::INTEGER[]" if wanted else "[]"
    plain = f"SELECT x FROM (VALUES {rows}) t(x) WHERE x {how} (ARRAY[{', '.join(map(text, wanted))}])"
    in_duckdb = f"SELECT x FROM (VALUES {rows}) t(x) WHERE x {how} (SELECT unnest({array}))"
    expected = DB.execute(in_duckdb).fetchall() if wanted else None
    found = DB.execute(listed(plain)).fetchall()
    if expected is None:
        expected = [] if how == "= ANY" else [(value,) for value in held or [None]]
    assert sorted(map(str, found)) == sorted(map(str, expected))
