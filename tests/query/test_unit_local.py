"""Subqueries that are computed for each person apart: one person's rows change nothing for another.

The theorem is tried as it stands: a derived table without one unit is the derived table less that unit's
rows, whatever order the rows are stored in. The golden files have their scores, with and without one unit.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import duckdb
import pytest

from dpduck import policies
from dpduck.compiler.block import derived_tables, privacy_units, unit_aggregates, unit_local
from dpduck.compiler.block.from_clause import subquery_rows
from dpduck.compiler.block.row_keys import TableKey
from dpduck.compiler.block.rows import SourceRows
from dpduck.compiler.parse.statements import Select, parse
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.statements import PolicyStatement
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.tree.duckdb import sql
from dpduck.kernel.tree.nodes import AggregateCall
from dpduck.kernel.tree.relations import SelectItem, SelectQuery
from tests.query.refusing import understand

SCHEMA = """
CREATE TABLE v (
    u INTEGER, page VARCHAR, ts TIMESTAMP, amount DOUBLE, cents DECIMAL(38,2), age INTEGER, ok BOOLEAN);
CREATE TABLE p (id INTEGER PRIMARY KEY, region VARCHAR, income HUGEINT);
CREATE TABLE pages (name VARCHAR PRIMARY KEY);
CREATE TABLE o (oid INTEGER PRIMARY KEY, u INTEGER, ts TIMESTAMP);
CREATE TABLE i (oid INTEGER, n INTEGER, ok BOOLEAN);
"""
POLICIES = """
ALTER TABLE p ADD PRIVACY_KEY (id)
ALTER TABLE v ADD PRIVACY_LINK (u) REFERENCES p(id)
ALTER TABLE pages SET PUBLIC
ALTER TABLE o ADD PRIVACY_LINK (u) REFERENCES p(id)
ALTER TABLE i ADD PRIVACY_LINK (oid) REFERENCES o(oid)
"""
# Each with extreme values, ties and NULLs in all columns.
SUBQUERIES = """
SELECT u, count(*) AS n, count(page) AS pages, count(DISTINCT page) AS kinds, count_if(ok) AS oks FROM v
    GROUP BY u;
SELECT u, sum(amount) AS s, avg(amount) AS m, sum(cents) AS c, avg(age) AS a, sum(ok) AS o FROM v GROUP
    BY u;
SELECT u, page, min(ts) AS first, max(ts) AS last, arg_min(page, ts) AS entry, last(page ORDER BY ts) AS
    leaving FROM v GROUP BY u, page;
SELECT u, median(age) AS m, quantile_cont(amount, 0.9) AS q, quantile_disc(age, 0.1) AS d, bool_or(ok)
    AS o FROM v GROUP BY ALL;
SELECT u, page, row_number() OVER (PARTITION BY u ORDER BY ts) AS turn FROM v;
SELECT u, row_number() OVER (PARTITION BY u ORDER BY ts) AS a, row_number() OVER (PARTITION BY u ORDER
    BY ts DESC) AS b FROM v;
SELECT u, page, lag(page) OVER (PARTITION BY u ORDER BY ts) AS before, lead(age, 2, 0) OVER (PARTITION
    BY u ORDER BY ts) AS later FROM v;
SELECT u, rank() OVER w AS r, dense_rank() OVER w AS d, ntile(3) OVER w AS t FROM v WINDOW w AS
    (PARTITION BY u ORDER BY age DESC);
SELECT u, sum(amount) OVER (PARTITION BY u ORDER BY ts) AS s, avg(age) OVER (PARTITION BY u ORDER BY ts
    ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS m FROM v;
SELECT * FROM v QUALIFY row_number() OVER (PARTITION BY u, page ORDER BY amount) <= 2;
SELECT DISTINCT u, page FROM v;
SELECT u, CAST(min(amount) AS VARCHAR) AS m, CAST(max(amount) AS VARCHAR) AS n FROM v GROUP BY u;
SELECT u, CAST(amount AS VARCHAR) AS t FROM v QUALIFY row_number() OVER (PARTITION BY u ORDER BY amount) <= 3;
SELECT u, CAST(amount AS VARCHAR) AS t FROM (SELECT DISTINCT u, amount FROM v);
SELECT u, CAST(first_value(amount) OVER (PARTITION BY u ORDER BY age) AS VARCHAR) AS t FROM v;
SELECT u, n FROM (SELECT u, page, count(*) AS n FROM v GROUP BY u, page HAVING count(*) > 1) WHERE page
    IS NOT NULL;
SELECT p.id, p.region, o.n FROM p LEFT JOIN (SELECT u, count(*) AS n FROM v GROUP BY u) AS o ON o.u =
    p.id QUALIFY row_number() OVER (PARTITION BY p.id ORDER BY n) = 1;
SELECT id, sum(income) AS i, count(*) AS n FROM p JOIN v ON v.u = p.id GROUP BY id;
SELECT u, max(n) AS most FROM (SELECT u, page, count(*) AS n FROM v GROUP BY u, page) GROUP BY u;
SELECT u, count(*) AS n FROM v WHERE EXISTS (SELECT 1 FROM v AS w WHERE w.u = v.u AND w.ts > v.ts) GROUP
    BY u;
SELECT DISTINCT id, (SELECT count(*) FROM v WHERE v.u = p.id) AS n, id IN (SELECT u FROM v WHERE ok) AS
    ok FROM p;
SELECT u, min(ts) FILTER (WHERE page = 'home') OVER (PARTITION BY u) AS first FROM v;
SELECT oid, count(*) AS c, count(DISTINCT n) AS d FROM i GROUP BY oid;
SELECT oid, n, row_number() OVER (PARTITION BY oid ORDER BY n DESC) AS turn FROM i QUALIFY turn <= 2;
SELECT k.oid, o.ts, k.c, row_number() OVER (PARTITION BY o.u ORDER BY o.ts) AS turn FROM o JOIN (SELECT oid,
    count(*) AS c FROM i GROUP BY oid) AS k ON k.oid = o.oid;
SELECT o.oid, o.u, max(c) AS c FROM o LEFT JOIN (SELECT oid, sum(n) AS c FROM i GROUP BY oid) AS k ON
    k.oid = o.oid GROUP BY o.oid, o.u;
SELECT a.oid, max(a.c) AS c, max(b.turn) AS t FROM (SELECT oid, count(*) AS c FROM i GROUP BY oid) AS a JOIN
    (SELECT oid, u, rank() OVER (PARTITION BY u ORDER BY ts) AS turn FROM o) AS b ON a.oid = b.oid GROUP BY
    a.oid;
SELECT a.oid, count(*) AS pairs FROM i AS a JOIN i AS b ON a.oid = b.oid AND a.n < b.n GROUP BY a.oid;
SELECT k.oid, sum(i.n) AS s FROM (SELECT DISTINCT oid, ok FROM i) AS k JOIN i ON i.oid = k.oid AND i.ok = k.ok
    GROUP BY k.oid;
SELECT oid, row_number() OVER (PARTITION BY oid ORDER BY c) AS r FROM (SELECT oid, n, count(*) AS c FROM i
    GROUP BY oid, n);
SELECT id, count(DISTINCT o.oid) AS orders, count(i.n) AS items FROM p LEFT JOIN o ON o.u = p.id LEFT JOIN i
    ON i.oid = o.oid GROUP BY id
""".strip().split(";\n")
_CELLS = {
    "page": "'home' 'news' '' NULL repeat('x',30000)",
    "ts": "TIMESTAMP'2024-01-01' TIMESTAMP'2024-01-02' 'infinity'::TIMESTAMP '-infinity'::TIMESTAMP NULL",
    "amount": "0.1 0.2 1e300 -1e300 'nan'::DOUBLE '-nan'::DOUBLE 'inf'::DOUBLE 0.0 '-0.0'::DOUBLE NULL",
    "cents": "0.01 999999999999999999999999999999999999.99 -999999999999999999999999999999999999.99 NULL",
    "age": "1 2 2147483647 -2147483648 NULL",
    "ok": "true false NULL",
}


def rows_of(seed: str) -> list[str]:
    """Rows of v as VALUES: of one unit many, with repeats."""
    chance = random.Random(seed)
    cells = [text.split() for text in _CELLS.values()]
    units = ["1"] * 12 + ["2"] * 6 + ["3", "4", "NULL"]
    rows = [f"({unit}, {', '.join(map(chance.choice, cells))})" for unit in units]
    return rows + rows[:5]


def open_tables(rows: list[str]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(SCHEMA)
    connection.execute(
        "INSERT INTO p SELECT i, chr((96 + i)::INTEGER), 170141183460469231731687303715884105727 "
        "FROM range(1, 6) AS r(i)"
    )
    connection.execute(f"INSERT INTO v VALUES {', '.join(rows)}")
    connection.execute(
        "INSERT INTO o SELECT i, nullif(i % 5, 4), TIMESTAMP '2024-01-01' + to_days(i % 3) "
        "FROM range(20) AS r(i)"
    )
    connection.execute(  # of some orders that nobody has, and of some that are not there
        "INSERT INTO i SELECT nullif((i * i) % 23, 8), i % 4, i % 3 = 0 FROM range(90) AS r(i)"
    )
    for statement in POLICIES.strip().splitlines():
        parsed = parse(statement)
        assert isinstance(parsed, PolicyStatement)
        policies.execute(connection, parsed)
    return connection


def derived(text: str, connection: duckdb.DuckDBPyConnection) -> Counter[str]:
    """The rows of a derived table, each with its unit first, as texts."""
    statement = parse(text)
    assert isinstance(statement, Select)
    rows = subquery_rows(
        statement.expression, unit_local.scope_of(policies.load_catalog(connection), PublicFacts(connection))
    )  # type: ignore[arg-type]
    found = connection.execute(sql(_query(rows))).fetchall()
    return Counter(map(repr, found))


def _query(rows: SourceRows) -> SelectQuery:
    [instance] = rows.instances
    assert instance.derivation is not None
    values = (instance.column(derived_tables.UNIT), *(column.value.node for column in rows.columns))
    items = tuple(SelectItem(value, f"x{i}") for i, value in enumerate(values))
    return SelectQuery(items, rows.source, rows.conditions)


def without(found: Counter[str], unit: int) -> Counter[str]:
    return Counter({row: n for row, n in found.items() if not row.startswith((f"({unit},", f"({unit})"))})


def remove(connection: duckdb.DuckDBPyConnection, unit: int) -> None:
    """Remove the rows of a unit from all tables."""
    connection.execute(f"DELETE FROM i WHERE oid IN (SELECT oid FROM o WHERE u = {unit})")
    connection.execute(f"DELETE FROM o WHERE u = {unit}")
    connection.execute(f"DELETE FROM v WHERE u = {unit}; DELETE FROM p WHERE id = {unit}")


@pytest.fixture(params=["a", "b", "c"], scope="module")
def rows(request: pytest.FixtureRequest) -> list[str]:
    return rows_of(f"unit_local/{request.param}")


@pytest.fixture(scope="module")
def tables(rows: list[str]) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_tables(rows) as connection:
        yield connection


@pytest.fixture(scope="module")
def orders(rows: list[str]) -> Iterator[list[duckdb.DuckDBPyConnection]]:
    """The same rows in four orders, read by one thread or by four."""
    with ExitStack() as stack:
        opened = []
        for turn in range(4):
            shuffled = random.Random(turn).sample(rows, len(rows))
            opened.append(stack.enter_context(open_tables(shuffled)))
            opened[-1].execute(f"SET threads = {turn % 2 * 3 + 1}")
        yield opened


@pytest.mark.parametrize("text", SUBQUERIES)
def test_without_a_unit_its_rows_alone_are_gone(text: str, tables: duckdb.DuckDBPyConnection) -> None:
    before = derived(text, tables)
    assert before
    for unit in (1, 2, 4):
        tables.execute("BEGIN")
        remove(tables, unit)
        assert derived(text, tables) == without(before, unit)
        tables.execute("ROLLBACK")


@pytest.mark.parametrize("text", SUBQUERIES)
def test_the_order_of_rows_changes_nothing(text: str, orders: list[duckdb.DuckDBPyConnection]) -> None:
    found = [derived(text, connection) for connection in orders]
    assert all(one == found[0] for one in found)


# --- mistakes that these tests must see ------------------------------------------------------------


def _catches(text: str, rows: list[str]) -> bool:
    with open_tables(rows) as connection:
        before = derived(text, connection)
        remove(connection, 1)
        return derived(text, connection) != without(before, 1)


_FALSE_KEY = (
    "SELECT oid, count(*) AS c FROM o JOIN (SELECT DISTINCT oid AS k, n FROM i) ON n = oid GROUP BY oid"
)


def test_a_column_that_does_not_tell_whose_a_row_is_is_seen(
    rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_tables(rows) as connection, pytest.raises(DpduckError, match="not joined by their people"):
        derived(_FALSE_KEY, connection)
    key = TableKey("main", "o", "oid")
    monkeypatch.setattr(privacy_units.Owned, "row_keys_of", lambda *_: frozenset({key}))
    assert _catches(_FALSE_KEY, rows)


STRANGERS = (
    """
SELECT o.oid FROM o JOIN (SELECT n, count(*) AS c FROM i GROUP BY oid, n) AS k ON k.n = o.oid
SELECT o.oid FROM o JOIN (SELECT oid % 3 AS oid, count(*) AS c FROM i GROUP BY oid) AS k ON k.oid = o.oid
SELECT o.oid FROM o JOIN (SELECT max(oid) AS oid, count(*) AS c FROM i GROUP BY oid) AS k ON k.oid = o.oid
SELECT o.oid FROM o JOIN (SELECT oid, count(*) AS c FROM i GROUP BY oid) AS k ON k.oid > o.oid
SELECT o.oid FROM o JOIN (SELECT coalesce(oid, 3) AS k, c FROM (SELECT oid, count(*) AS c FROM i GROUP BY
    oid)) ON k = o.oid
SELECT o.oid FROM o JOIN (SELECT lead(oid) OVER (PARTITION BY oid ORDER BY n) AS k FROM i) AS k ON k = o.oid
SELECT a.oid FROM i AS a JOIN i AS b ON a.n = b.n
SELECT id FROM p JOIN (SELECT oid, count(*) AS c FROM i GROUP BY oid) AS k ON k.oid = p.id
""".strip()
    .replace("\n    ", " ")
    .splitlines()
)


@pytest.mark.parametrize("text", STRANGERS)
def test_other_columns_join_no_people(text: str, tables: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(DpduckError, match="not joined by their people"):
        derived(f"SELECT DISTINCT {text.removeprefix('SELECT ')}", tables)


MULTIPLIED = {
    "p JOIN v AS a ON a.u = p.id JOIN v AS b ON b.u = p.id": True,
    "p LEFT JOIN v AS a ON a.u = p.id LEFT JOIN v AS b ON b.u = p.id": True,
    "p LEFT JOIN o ON o.u = p.id LEFT JOIN i ON i.oid = o.oid LEFT JOIN v ON v.u = p.id": True,
    "p JOIN v AS a ON a.u = p.id JOIN v AS b ON b.u = p.id JOIN v AS c ON c.u = p.id": False,
    "o LEFT JOIN i ON i.oid = o.oid LEFT JOIN i AS j ON j.oid = o.oid": True,
    "o JOIN v ON v.u = o.u LEFT JOIN i ON i.oid = o.oid LEFT JOIN i AS j ON j.oid = o.oid": False,
    "o JOIN o AS q ON o.u = q.u JOIN o AS r ON o.u = r.u LEFT JOIN i ON i.oid = o.oid": False,
    "o JOIN o AS q ON o.u = q.u JOIN o AS r ON o.u = r.u LEFT JOIN i ON i.oid = o.oid AND i.n = q.oid": False,
}


@pytest.mark.parametrize("source", MULTIPLIED)
def test_two_tables_multiply_each_others_rows_at_most(source: str, tables: duckdb.DuckDBPyConnection) -> None:
    first = source.split()[0]
    key = {"p": "id", "o": "oid"}[first]
    text = f"SELECT {first}.{key}, count(*) AS n FROM {source} GROUP BY {first}.{key}"
    if MULTIPLIED[source]:
        derived(text, tables)
    else:
        with pytest.raises(DpduckError, match="multiply each other's rows"):
            derived(text, tables)


def test_a_window_over_all_people_is_seen(rows: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    original = unit_local.unit_window

    def over_all(window, columns, limit, partition, ties):  # type: ignore[no-untyped-def]
        return original(window, columns, limit, partition[1:], ties)

    monkeypatch.setattr(unit_local, "unit_window", over_all)
    assert _catches(SUBQUERIES[4], rows)


def test_groups_of_several_people_are_seen(rows: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    written = derived_tables.DerivedTableWriter._written

    def without_unit(self, *, group_by=(), distinct=False):  # type: ignore[no-untyped-def]
        made = written(self, group_by=group_by, distinct=distinct)
        [instance] = made.instances
        query = instance.derivation.query
        least = AggregateCall("min", (query.items[0].value,), query.items[0].value.type)
        items = (replace(query.items[0], value=least), *query.items[1:])
        wrong = replace(query, items=items, group_by=query.group_by[1:])
        instance = replace(instance, derivation=replace(instance.derivation, query=wrong))
        return replace(made, instances=(instance,), source=instance.relation)

    monkeypatch.setattr(derived_tables.DerivedTableWriter, "_written", without_unit)
    assert _catches(SUBQUERIES[2], rows)


def test_a_float_sum_that_depends_on_the_order_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        unit_aggregates, "_exact_sum", lambda value, kind: AggregateCall("sum", (value,), kind)
    )
    cells = [f"(1, 'a', NULL, {amount}, NULL, 1, true)" for amount in ("0.1", "0.2", "0.3", "1e15", "-1e15")]
    found = []
    for order in (cells, cells[::-1]):
        with open_tables(order) as connection:
            found.append(derived("SELECT u, sum(amount) AS s FROM v GROUP BY u", connection))
    assert found[0] != found[1]


def test_zeros_of_two_signs_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived_tables.build, "one_zero", lambda value: value)
    cells = [f"(1, 'a', NULL, {zero}, NULL, 1, true)" for zero in ("'-0.0'::DOUBLE", "0.0")]
    found = []
    for order in (cells, cells[::-1]):
        with open_tables(order) as connection:
            found.append(derived("SELECT u, CAST(min(amount) AS VARCHAR) AS m FROM v GROUP BY u", connection))
    assert found[0] != found[1]


# --- what a LEFT JOIN finds for some rows of a person -----------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "SELECT CASE WHEN w.id IS NULL THEN 0 ELSE 1 END AS g, count(*) FROM p JOIN v ON v.u = p.id "
        "LEFT JOIN p AS w ON w.id = p.id AND v.age > 1 GROUP BY g",
        "SELECT coalesce(d.n, 0) > 0 AS g, count(*) FROM p JOIN v ON v.u = p.id LEFT JOIN "
        "(SELECT u, count(*) AS n FROM v GROUP BY u) AS d ON d.u = p.id AND v.ok GROUP BY g",
    ],
)
def test_a_person_may_be_in_both_groups(text: str, tables: duckdb.DuckDBPyConnection) -> None:
    plan = understand(text, tables)
    assert isinstance(plan, Plan)
    assert [measure.groups for measure in plan.measures] == [2]


@pytest.mark.parametrize(
    ("text", "joins_public"),
    [
        ("SELECT count(*) FROM p WHERE id IN (SELECT u FROM v WHERE ok)", False),
        ("SELECT count(*) FROM p JOIN v ON v.u = p.id WHERE page IN (SELECT name FROM pages)", True),
        ("SELECT count(*) FROM p WHERE id IN (SELECT u FROM v JOIN pages ON page = name GROUP BY u)", True),
        ("SELECT count(*) FROM p JOIN (SELECT DISTINCT u FROM v JOIN pages ON page = name) ON u = id", True),
    ],
)
def test_tables_in_subqueries_count_as_read(
    text: str, joins_public: bool, tables: duckdb.DuckDBPyConnection
) -> None:
    """An answer is replayed as long as they are as they were, and their people are charged."""
    plan = understand(text, tables)
    assert isinstance(plan, Plan)
    assert {table.name for table in plan.tables} == {"p", "v"}
    assert plan.asked.joins_public is joins_public
