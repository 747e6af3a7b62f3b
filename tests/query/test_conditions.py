"""WHERE: the rows that are kept are those that plain DuckDB keeps, where plain DuckDB raises no error."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import DpduckError
from dpduck.policies import load_catalog
from tests.query.samples import add_mild_samples, open_samples, translate_condition
from tests.query.shop import plan, score_sql

ROWS = 400


@pytest.fixture(scope="module")
def samples() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_samples(ROWS) as connection:
        add_mild_samples(connection)
        yield connection


Truths = list[tuple[bool | None, ...]]


def _truths(connection: duckdb.DuckDBPyConnection, conditions: list[str], table: str = "t") -> Truths:
    """The truth values of each row, a column for each condition."""
    items = ", ".join(f"({condition})" for condition in conditions)
    return connection.execute(f"SELECT {items} FROM {table} AS t ORDER BY row_number").fetchall()


def _kept(connection: duckdb.DuckDBPyConnection, condition: str) -> set[int]:
    return {row[0] for row in connection.execute(f"SELECT row_number FROM t WHERE {condition}").fetchall()}


def _compare(connection: duckdb.DuckDBPyConnection, texts: list[str], table: str = "t") -> int:
    """How many could be compared. Our own SQL must run on all rows in any case."""
    emitted = [translate_condition(text) for text in texts]
    ours = _truths(connection, emitted)
    if table != "t":
        ours = _truths(connection, emitted, table)
    try:
        plain = _truths(connection, texts, table)
    except duckdb.Error:
        return sum(_compare(connection, [text], table) for text in texts) if len(texts) > 1 else 0
    if ours != plain:
        wrong = [
            text
            for i, text in enumerate(texts)
            if any(a[i] is not b[i] for a, b in zip(ours, plain, strict=True))
        ]
        raise AssertionError(wrong)
    return len(texts)


# --- one comparison ------------------------------------------------------------------------------

OPERATORS = ("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM")
NUMBERS = (
    *(
        "0",
        "1",
        "-1",
        "127",
        "128",
        "-129",
        "255",
        "256",
        "1.5",
        "-0.5",
        "0.25",
        "0.00001",
        "1e3",
        "-1e0",
        "5e-1",
    ),
    *("2147483648", "-9223372036854775809", "18446744073709551616", "1e30", "9.007199254740993e15"),
    *("99999999999999999999999999999999999999", "-170141183460469231731687303715884105728", "NULL"),
)
CONSTANTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("t", "n", "a", "c", "h", "ut", "ui", "u", "uh"), (*NUMBERS, "'5'", "' 12 '", "'+1'")),
    **dict.fromkeys(("m", "k", "w", "v"), (*NUMBERS, "'0.25'", "'-0.5'")),
    **dict.fromkeys(("x", "f"), (*NUMBERS, "'0.5'", "'1e30'")),
    **dict.fromkeys(("s", "g"), ("'a'", "''", "'low'", "'LOW'", "'ß'", "'日本語'", "'it''s'", "NULL")),
    **dict.fromkeys(
        ("d", "ts"),
        (
            *("'2024-02-29'", "DATE '2024-02-29'", "'0001-01-01'", "'9999-12-31'", "NULL"),
            *("TIMESTAMP '2024-02-29 12:00:00'", "TIMESTAMP '2024-02-29 00:00:00'"),
        ),
    ),
    "ok": ("TRUE", "FALSE", "'true'", "NULL"),
}


@pytest.mark.parametrize("column", CONSTANTS)
def test_with_a_constant(column: str, samples: duckdb.DuckDBPyConnection) -> None:
    compared = 0
    for constant in CONSTANTS[column]:
        texts = [f"{column} {operator} {constant}" for operator in OPERATORS]
        texts += [
            f"{constant} >= {column}",
            f"{constant} < {column}",
            f"{column} BETWEEN {constant} AND {constant}",
        ]
        texts += [
            f"{column} IN ({constant}, NULL)",
            f"{column} NOT IN ({constant})",
            f"NOT ({column} <> {constant})",
        ]
        compared += _compare(samples, texts)
    assert compared >= 3 * len(CONSTANTS[column])


@pytest.mark.parametrize("operator", OPERATORS)
def test_two_columns(operator: str, samples: duckdb.DuckDBPyConnection) -> None:
    numbers = ["t", "a", "c", "h", "ut", "u", "m", "k", "w", "x", "f"]
    pairs = [
        *product(numbers, numbers),
        ("s", "r"),
        ("s", "g"),
        ("g", "r"),
        ("d", "e"),
        ("ts", "tt"),
        ("ok", "ok"),
    ]
    compared = _compare(samples, [f"{left} {operator} {right}" for left, right in pairs])
    assert compared > len(pairs) // 2


@pytest.mark.parametrize(
    "text",
    [
        # three truth values
        "NULL",
        "NOT NULL",
        "ok",
        "NOT ok",
        "ok IS NULL",
        "ok IS NOT TRUE",
        "(a > b) IS FALSE",
        "(a > b) IS NOT FALSE",
        "ok AND NULL",
        "NOT (ok AND NULL)",
        "ok OR NULL",
        "NOT (ok OR NULL)",
        "a IN (1, NULL)",
        "a NOT IN (1, NULL)",
        "NOT (a IN (1, 2) AND b NOT IN (7, NULL))",
        "a IN (NULL)",
        "a BETWEEN NULL AND 5",
        "NOT (a BETWEEN 5 AND NULL)",
        "a BETWEEN 10 AND 0",
        "a BETWEEN b AND c",
        "coalesce(ok, FALSE)",
        "CASE WHEN ok THEN a > 1 ELSE NULL END",
        "if(ok, x > 0, y > 0)",
        # NaN is equal to itself and above all others
        "x = x",
        "x = y",
        "x < y",
        "x <> y",
        "isnan(x) OR x > 5",
        "x >= f",
        "x BETWEEN y AND 'inf'::DOUBLE",
        "x > 1e308",
        "NOT (x <= 1e30)",
        # types that meet
        "a = 1.5",
        "a < 2.5",
        "a >= -2.5",
        "t = 300",
        "t < 300",
        "NOT (t < 300)",
        "ut > -1",
        "a IN (1, 2.0, 3.5, 5000000000)",
        "a IN (1.5)",
        "a IN (1::INTEGER, -2::BIGINT, CAST(-7 AS SMALLINT)) OR s IN ('a'::VARCHAR, 'é'::TEXT)",
        "c IN (1, 9.007199254740993e15)",
        "m = 0.255",
        "m IN (0.25, 0.255)",
        "f = 0.1",
        "f = 1e-1",
        "c < 1e18",
        "1 = 1",
        "1 = 0",
        "2 > 1.5",
        "0.1 = 1e-1",
        "NULL = 1",
        "d = '2024-02-29'",
        "d > TIMESTAMP '2024-02-29 12:00:00'",
        "d IN (DATE '2024-02-29', TIMESTAMP '2024-02-29 12:00:00')",
        "ts BETWEEN '2024-01-01' AND '2024-12-31 23:59:59.999999'",
        "ts >= DATE '2024-01-01'",
        "g = 'low'",
        "g < 'low'",
        "g IN ('low', 'mid')",
        "g = s",
        "g <> r",
        # text
        "s LIKE 'a%' AND s NOT LIKE '%c'",
        "NOT (s LIKE NULL)",
        "s ILIKE '%A%' OR s LIKE '%日_語%'",
        "s LIKE '%\\%%'",
        "regexp_matches(s, '^[a-z]+$') OR regexp_full_match(s, '\\d+')",
        "s > 'a' AND s <= 'é'",
        "s = 'a' OR s = '' OR s IS NULL",
        "lower(s) = 'a'",
        "length(s) BETWEEN 1 AND 3",
        # of values computed for each row
        "a + b > 0",
        "year(d) = 2024 AND month(d) IN (2, 7)",
        "date_trunc('month', ts) = '2024-02-01'",
        "extract(dow FROM d) <> 0",
        "TRY_CAST(s AS INTEGER) > 0",
        "greatest(a, 0) = a",
        "l IS NULL OR tz IS NOT NULL",
        " AND ".join(f"a <> {number}" for number in range(300)),
        " OR ".join(f"a = {number}" for number in range(300)),
    ],
)
def test_same_truths(text: str, samples: duckdb.DuckDBPyConnection) -> None:
    assert _compare(samples, [text], "mild")
    truths = [row[0] for row in _truths(samples, [translate_condition(text)])]
    assert _kept(samples, translate_condition(text)) == {row for row, truth in enumerate(truths) if truth}


def test_a_part_that_has_no_result_is_unknown(samples: duckdb.DuckDBPyConnection) -> None:
    """Where plain DuckDB raises on one row, that row is not kept, and the others are."""
    for text in ("CAST(s AS INTEGER) > 0", "t + t > 0", "d + c > '2024-01-01'", "h * h >= 0"):
        sql, negated = translate_condition(text), translate_condition(f"NOT ({text})")
        with pytest.raises(duckdb.Error):
            _truths(samples, [text])
        assert {row[0] for row in _truths(samples, [sql])} <= {True, False, None}
        assert _kept(samples, sql).isdisjoint(_kept(samples, negated))


@pytest.mark.parametrize(
    "text",
    [
        *("a", "s", "x AND ok", "NOT d", "CASE WHEN a THEN 1 END = 1"),
        *(
            "a = 'x'",
            "a = '1.5'",
            "a = s",
            "ok = 1",
            "d = 5",
            "m IN ('x')",
            "t = '300'",
            "g = 1",
            "ts < 'now'",
        ),
        *("d = '2024-02-29 12:00:00'", "x = 'nan'", "d < 'infinity'", "a IS 5", "a IN ()", "a IN (b)"),
        *(
            "s COLLATE nocase = 'A'",
            "s = 'a' COLLATE nocase",
            "l = l",
            "tz > 'soon'",
            "a IN (SELECT b)",
            "a IN (1::INTEGER, b::INTEGER)",
            "s IN ('a'::INTEGER)",
        ),
        *("s LIKE 'a' ESCAPE 'x'", "s SIMILAR TO r", "a = ALL (SELECT 1)", "(a, b) = (1, 2)", "a ISNULL + 1"),
        *(f"a IN ({', '.join(map(str, range(10_001)))})", " OR ".join(["a = 1"] * 300_000)),
    ],
    ids=lambda text: text[:40],
)
def test_refused(text: str) -> None:
    with pytest.raises(DpduckError):
        translate_condition(text)


# --- many ----------------------------------------------------------------------------------------


class _Writer:
    """Random conditions over columns of all types."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def condition(self, depth: int) -> str:
        pick = self._random.random()
        if depth == 0 or pick < 0.15:
            return self._leaf()
        first = self.condition(depth - 1)
        if pick < 0.45:
            return f"({first} AND {self.condition(depth - 1)})"
        if pick < 0.75:
            return f"({first} OR {self.condition(depth - 1)})"
        if pick < 0.9:
            return f"NOT ({first})"
        if pick < 0.95:
            return f"({first}) IS {self._of('NOT TRUE', 'NOT FALSE', 'TRUE', 'FALSE', 'NULL')}"
        return f"CASE WHEN {first} THEN {self.condition(depth - 1)} ELSE ok END"

    def _leaf(self) -> str:
        column = self._of(*CONSTANTS)
        constants = CONSTANTS[column]
        one, two, operator = self._of(*constants), self._of(*constants), self._of(*OPERATORS)
        return self._of(
            f"{column} {operator} {one}",
            f"{one} {operator} {column}",
            f"{column} {self._of('', 'NOT ')}IN ({one}, {two})",
            f"{column} {self._of('', 'NOT ')}BETWEEN {one} AND {two}",
            f"{column} IS {self._of('', 'NOT ')}NULL",
            f"s {self._of('LIKE', 'NOT ILIKE')} '{self._of('%a%', 'a_c', '', '%_', '%A_C%')}'",
            f"{self._number()} {operator} {self._number()}",
            f"{self._of('year', 'month', 'week')}({self._of('d', 'ts')}) {operator} {self._of('1', '7')}",
        )

    def _number(self) -> str:
        columns = ["t", "n", "a", "c", "m", "x", "f"]
        one, two = self._of(*columns), self._of(*columns, "2", "-1", "0.5")
        return self._of(
            one, f"{one} + {two}", f"{one} * {two}", f"{one} / {two}", f"abs({one})", f"coalesce({one}, 0)"
        )

    def _of(self, *choices: str) -> str:
        return self._random.choice(choices)


@pytest.mark.parametrize("seed", range(10))
def test_random_conditions(seed: int, samples: duckdb.DuckDBPyConnection) -> None:
    writer = _Writer(seed)
    conditions = [writer.condition(number % 5) for number in range(50)]
    assert _compare(samples, conditions, "mild") >= 40
    for sql in map(translate_condition, conditions[:12]):
        truths = [row[0] for row in _truths(samples, [sql])]
        assert _kept(samples, sql) == {row for row, truth in enumerate(truths) if truth}


@pytest.mark.parametrize(
    "joined",
    [
        "orders AS o JOIN people AS p USING (id)",
        "orders AS o JOIN people AS p ON o.id = p.id",
        "people AS p JOIN orders AS o ON p.id = o.id AND o.n > 0",
        "orders AS o, people AS p WHERE p.id = o.id",
    ],
)
def test_tables_meet_on_uuids(joined: str) -> None:
    connection = duckdb.connect()
    connection.execute(
        """CREATE TABLE people AS SELECT md5(i::VARCHAR)::UUID AS id, i % 2 = 0 AS even FROM range(10) r(i);
        CREATE TABLE orders AS SELECT id, 1 AS n FROM people, range(3);
        INSERT INTO orders VALUES (NULL, 1)"""
    )
    owner = dpduck.connect(connection)
    owner.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
    owner.execute("ALTER TABLE orders ADD PRIVACY_LINK (id) REFERENCES people(id)")
    made = plan(f"SELECT even, count(*) FROM {joined} GROUP BY even", load_catalog(connection))
    (sql,) = score_sql(made)
    assert sorted(connection.execute(sql).fetchall()) == [(False, 5), (True, 5)]


@pytest.mark.parametrize("condition", ["id < id", "id = '00000000-0000-0000-0000-000000000001'", "id = s"])
def test_uuids_are_met_and_not_read(condition: str) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people (id UUID, s VARCHAR)")
    dpduck.connect(connection).execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
    with pytest.raises(dpduck.UnsupportedSqlError, match="cannot be used in an expression"):
        plan(f"SELECT count(*) FROM people WHERE {condition}", load_catalog(connection))
