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

from dpduck.compiler.functions import expressions
from dpduck.kernel.catalog.types import SqlType, parse_type
from dpduck.kernel.plan.aggregates import Distinct, Mean, Mode, Moments, Quantile, Sum
from dpduck.kernel.plan.expression import Typed
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import NULL, AggregateCall, Expression, Literal, Star, WindowCall
from dpduck.kernel.tree.relations import DerivedTable, SelectItem, SelectQuery
from dpduck.kernel.tree.walk import parts_of
from tests.depth import part
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


@pytest.mark.parametrize("path", part(FILES, 3), ids=part(_IDS, 3))
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
        claims = {sql(value.node): value.type.name for value in [*fragments, *_values_of(made)]}
        bound = _bound(list(claims), sql(made.asked.source), connection)
        wrong = {text: (claims[text], found) for text, found in bound.items() if found != claims[text]}
        assert not wrong, case.query
        _check_keys(made, connection)
        checked += len(bound)
    assert checked or not plans


def _values_of(plan: Plan) -> list[Typed]:
    requests = [measure.request for measure in plan.measures]
    alone = [r.value for r in requests if isinstance(r, (Distinct, Mean, Mode, Quantile, Sum))]
    return alone + [axis.value for r in requests if isinstance(r, Moments) for axis in r.axes]


def _bound(sqls: list[str], source: str, connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The types of those that stand over these rows; a part of another block of the query does not."""
    found = {}
    for text in sqls:
        try:
            [row] = connection.execute(f"DESCRIBE SELECT {text} FROM {source}").fetchall()
        except duckdb.BinderException:
            continue
        nothing = _FORGETS and row[1] == "INTEGER" and _is_nothing(text, source, connection)
        found |= {} if nothing else {text: row[1]}
    return found


@pytest.mark.parametrize("path", part(FILES, 3), ids=part(_IDS, 3))
def test_every_node_of_every_golden_query(
    path: Path, databases: dict[str, duckdb.DuckDBPyConnection]
) -> None:
    """What the writers of other engines rely on: no type is asked for when these write."""
    connection = databases[path.parent.name]
    catalog = catalog_of(connection)
    for case in golden.cases(path):
        made = plan_of(case.query, catalog, connection)
        for query in made.queries if isinstance(made, Plan) else ():
            for select in _selects(query):
                assert _mistyped(select, connection) == [], case.query


def _selects(query: SelectQuery) -> Iterator[SelectQuery]:
    yield query
    if isinstance(query.source, DerivedTable):
        yield from _selects(query.source.query)


def _mistyped(query: SelectQuery, connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str, str]]:
    """The nodes of a SELECT, but for those below it, to which DuckDB gives another type; and both types."""
    values = [item.value if isinstance(item, SelectItem) else item for item in query.items]
    tops = [value for value in values if not isinstance(value, Star)]
    nodes = {sql(node): node for top in (*tops, *query.where, *query.group_by) for node in _parts(top)}
    totals = {text: node for text, node in nodes.items() if _is_total(node)}
    rows = {text: node for text, node in nodes.items() if text not in totals}
    by = f" GROUP BY {', '.join(map(sql, query.group_by))}" if query.group_by else ""
    found = []
    for some, tail in ((rows, ""), (totals, by)):
        if some:
            items = ", ".join(f"{text} AS c{i}" for i, text in enumerate(some))
            bound = connection.execute(f"DESCRIBE SELECT {items} FROM {sql(query.source)}{tail}").fetchall()
            pairs = zip(some.items(), (parse_type(row[1]) for row in bound), strict=True)
            found += [(t, node.type.name, kind.name) for (t, node), kind in pairs if not _same(node, kind)]
    return found


def _parts(node: Expression) -> Iterator[Expression]:
    """A function has no type without its window, nor NULL alone."""
    if node != Literal(None, NULL):
        yield node
    inside = parts_of(node.function) if isinstance(node, WindowCall) else ()
    rest = parts_of(node)[1:] if isinstance(node, WindowCall) else parts_of(node)
    for piece in (*inside, *rest):
        yield from _parts(piece)


def _is_total(node: Expression) -> bool:
    if isinstance(node, WindowCall):
        return False
    return isinstance(node, AggregateCall) or any(map(_is_total, parts_of(node)))


def _same(node: Expression, bound: SqlType) -> bool:
    """In DuckDB 1.5 decimals have other places, and what is always NULL is an INTEGER."""
    if node.type.name.startswith("STRUCT"):
        return bound.name.startswith(("STRUCT", "TUPLE"))  # a row without names: what it is called differs
    if _FORGETS:
        return node.type.kind == bound.kind or bound.name == "INTEGER"
    return node.type == bound


def _is_nothing(text: str, source: str, connection: duckdb.DuckDBPyConnection) -> bool:
    return connection.execute(f"SELECT count({text}) FROM {source}").fetchall() == [(0,)]


def _check_keys(plan: Plan, connection: duckdb.DuckDBPyConnection) -> None:
    """Keys leave score SQL in their own types, the largest numbers as text."""
    for text in score_sql(plan):
        columns = {row[0]: row[1] for row in connection.execute(f"DESCRIBE {text}").fetchall()}
        for key in plan.keys:
            assert columns[key.name] == ("VARCHAR" if key.type == "UHUGEINT" else key.type), text


@pytest.mark.parametrize("path", FILES, ids=_IDS)
def test_every_number_is_typed_or_compared(path: Path) -> None:
    for case in golden.cases(path):
        for text in case.scores:
            for number in sqlglot.parse_one(text, dialect="duckdb").find_all(exp.Literal):
                assert number.is_string or isinstance(number.parent, _COMPARISONS) or _names_type(number), (
                    text
                )


def _names_type(number: exp.Expr) -> bool:
    """Whether it is part of a type, as in DECIMAL(38,2), or of a frame, as in 2 PRECEDING: a row count.

    Or of VALUES that the query wrote: what is around them casts their columns.
    """
    return isinstance(number.parent, exp.DataTypeParam | exp.WindowSpec) or (
        isinstance(number.parent, exp.Tuple) and isinstance(number.parent.parent, exp.Values)
    )
