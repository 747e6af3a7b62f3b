"""The audit finds each leak that was once there, put back one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from sqlglot import exp

from dpduck import policies
from dpduck.compiler.block import value_bounds
from dpduck.compiler.private import arithmetic
from dpduck.compiler.private.operands import Constant, Operand, in_type
from dpduck.doors.audit import releases
from dpduck.doors.extension import register
from dpduck.doors.extension.functions.calls import Evaluation, Function
from dpduck.engines.duckdb.parquet_columns import Element
from dpduck.kernel.catalog.types import SqlType, Value, parse_type
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.release import shown
from dpduck.kernel.tree import build
from dpduck.kernel.tree.nodes import Expression, Literal
from dpduck.policies import privacy_keys
from tests.audit import traps
from tests.audit.stage import Stage, unchecked
from tests.audit.test_traps import file_differences, function_differences, trap_stage
from tests.query.shop import statement

HUGEINT = parse_type("HUGEINT")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    opened = trap_stage(tmp_path / "stage")
    yield opened
    opened.close()


def finds(stage: Stage, queries: tuple[str, ...]) -> list[bool]:
    """Whether something differs, of each query."""
    return [stage.differs(sql) for sql in queries]


def test_rows_in_the_order_of_their_counts(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "_order", lambda columns: pa.array(range(len(columns[0]))))
    assert all(finds(stage, traps.ORDERS))


def test_order_is_found_by_neighbours_alone(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law of releases also says in which order they stand; without that, two databases still show it."""
    monkeypatch.setattr(shown, "_order", lambda columns: pa.array(range(len(columns[0]))))
    monkeypatch.setattr(releases, "_is_sorted", lambda *_: True)
    found = []
    for one_of_each_key in (3, 4, 5):  # all keys have as many, and one of them is the last
        stage.neighbours = [traps.without(stage.catalog, one_of_each_key)]
        found.append(finds(stage, traps.ORDERS))
    assert all(map(any, zip(*found, strict=True)))


def test_constants_that_overflow_in_a_row(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = build.literal

    def literal(value: Value, sql_type: SqlType) -> Literal:
        is_plain = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        return build.digits(int(value)) if is_plain else typed(value, sql_type)  # type: ignore[arg-type]

    def fold_operator(
        symbol: str, left: Constant, right: Constant, result: SqlType, node: exp.Expr
    ) -> Operand:
        return arithmetic._integer_operator(symbol, left, right, result, node)

    monkeypatch.setattr(build, "literal", literal)
    monkeypatch.setattr(arithmetic, "fold_operator", fold_operator)
    assert all(finds(stage, traps.CONSTANTS[:2]))


def test_the_least_number_has_no_negative(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def above_least(operand: Operand, node: exp.Expr) -> Expression:
        return in_type(operand, HUGEINT, node)

    monkeypatch.setattr(arithmetic, "above_least", above_least)
    # DuckDB computes the second, a remainder, since 2.0.1.
    assert finds(stage, traps.LEAST[:1]) == [True]


def test_ranges_beyond_their_types(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_bounds, "_public_range", value_bounds.known_range)
    assert any(finds(stage, traps.RANGES[:2]))


def test_links_that_nothing_enforces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was unique when the link was declared is so no more: one row is everybody's."""
    monkeypatch.setattr(privacy_keys, "is_unique", lambda *_: True)
    stage = Stage(tmp_path / "stage", "linked", open_linked)
    unchecked(monkeypatch)
    assert any(stage.check("SELECT count(*) FROM orders"))
    stage.close()


def open_linked(path: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path)
    connection.execute("CREATE TABLE customers AS SELECT i AS id, i AS code FROM range(50) AS r(i)")
    connection.execute("CREATE TABLE orders AS SELECT i % 50 AS code, i AS total FROM range(1000) AS r(i)")
    for text in (
        "ALTER TABLE customers ADD PRIVACY_KEY (id)",
        "ALTER TABLE orders ADD PRIVACY_LINK (code) REFERENCES customers(code)",
    ):
        policies.execute(connection, statement(text))
    connection.execute("UPDATE customers SET code = 0")
    return connection


def test_values_that_no_reader_converts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Element, "is_readable", property(lambda _: True))
    assert list(file_differences(tmp_path))


def test_functions_that_count_private_keys(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register, "FUNCTIONS", [_counting(function) for function in register.FUNCTIONS])
    found = list(function_differences(stage, tmp_path))
    assert any("there are only 1 candidates" in str(one) for one in found)


def _counting(function: Function) -> Function:
    """The function, with a check of how many candidates there are before the charge."""
    prepare: Callable[..., Evaluation] = function.prepare

    def prepared(rows: pa.Array, *arguments: object) -> Evaluation:
        if function.name == "top_k" and len(rows) < 2:
            raise ParameterError(f"k is 2 but there are only {len(rows)} candidates")
        return prepare(rows, *arguments)

    return replace(function, prepare=prepared)
