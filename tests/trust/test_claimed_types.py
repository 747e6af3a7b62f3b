"""Each part of score SQL has the type that dpduck believes, as DuckDB's binder says on tables without rows.

What leaked: guards, widths and ranges were chosen for types that DuckDB did not give. A number without a type
may stand in a comparison alone, where nothing can overflow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from dpduck.query.plan.aggregates import Distinct, Mean, Mode, Quantile, Sum
from dpduck.query.plan.model import Plan
from dpduck.query.private import expressions
from dpduck.query.write.expression import Typed
from tests.query import golden
from tests.query.shop import score_sql
from tests.query.test_golden import OPENERS, catalog_of, plan_of

FILES = golden.files("accepted")
_IDS = [f"{path.parent.name}/{path.stem}" for path in FILES]
_COMPARISONS = (exp.Predicate, exp.Between, exp.In)
_FORGETS = duckdb.__version__.startswith("1.")  # the type of what is always NULL


@pytest.fixture(scope="module")
def databases() -> Iterator[dict[str, duckdb.DuckDBPyConnection]]:
    opened = {name: opener() for name, opener in OPENERS.items()}
    yield opened
    for connection in opened.values():
        connection.close()


@pytest.fixture
def fragments(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Typed]]:
    """Every value that is read from now on, in its parts."""
    found: list[Typed] = []
    compound = expressions._RowReader._compound

    def remember(self: expressions._RowReader, node: exp.Expr) -> object:
        value = compound(self, node)
        if isinstance(value, Typed) and value.type.kind != "null":
            found.append(value)
        return value

    monkeypatch.setattr(expressions._RowReader, "_compound", remember)
    yield found


@pytest.mark.parametrize("path", FILES, ids=_IDS)
def test_every_fragment_of_every_golden_query(
    path: Path, databases: dict[str, duckdb.DuckDBPyConnection], fragments: list[Typed]
) -> None:
    connection = databases[path.parent.name]
    catalog, checked, plans = catalog_of(connection), 0, 0
    for case in golden.cases(path):
        fragments.clear()
        made = plan_of(case.query, catalog, connection)
        if not isinstance(made, Plan):
            continue
        plans += 1
        claims = {value.sql: value.type.name for value in [*fragments, *_values_of(made)]}
        bound = _bound(list(claims), made.asked.source, connection)
        wrong = {sql: (claims[sql], found) for sql, found in bound.items() if found != claims[sql]}
        assert not wrong, case.query
        _check_keys(made, connection)
        checked += len(bound)
    assert checked or not plans


def _values_of(plan: Plan) -> list[Typed]:
    requests = [measure.request for measure in plan.measures]
    return [
        request.value for request in requests if isinstance(request, (Distinct, Mean, Mode, Quantile, Sum))
    ]


def _bound(sqls: list[str], source: str, connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The types of those that stand over these rows; a part of another block of the query does not."""
    found = {}
    for sql in sqls:
        try:
            [row] = connection.execute(f"DESCRIBE SELECT {sql} FROM {source}").fetchall()
        except duckdb.BinderException:
            continue
        nothing = _FORGETS and row[1] == "INTEGER" and _is_nothing(sql, source, connection)
        found |= {} if nothing else {sql: row[1]}
    return found


def _is_nothing(sql: str, source: str, connection: duckdb.DuckDBPyConnection) -> bool:
    return connection.execute(f"SELECT count({sql}) FROM {source}").fetchall() == [(0,)]


def _check_keys(plan: Plan, connection: duckdb.DuckDBPyConnection) -> None:
    """Keys leave score SQL in their own types, the largest numbers as text."""
    for sql in score_sql(plan):
        columns = {row[0]: row[1] for row in connection.execute(f"DESCRIBE {sql}").fetchall()}
        for key in plan.keys:
            assert columns[key.name] == ("VARCHAR" if key.type == "UHUGEINT" else key.type), sql


@pytest.mark.parametrize("path", FILES, ids=_IDS)
def test_every_number_is_typed_or_compared(path: Path) -> None:
    for case in golden.cases(path):
        for sql in case.scores:
            for number in sqlglot.parse_one(sql, dialect="duckdb").find_all(exp.Literal):
                assert number.is_string or isinstance(number.parent, _COMPARISONS) or _names_type(number), sql


def _names_type(number: exp.Expr) -> bool:
    """Whether it is part of a type, as in DECIMAL(38,2)."""
    return isinstance(number.parent, exp.DataTypeParam)
