"""Values of public tables that cannot be carried there and back are no keys, whoever meets them.

Python has no date beyond the years 1 to 9999, and none that is infinite. A private row that meets such a row
of a public table made the query fail, so that one person decided between an answer and an error.
"""

from __future__ import annotations

import duckdb
import pytest

import dpduck

ODD = ("10000-01-01", "0044-03-15 (BC)", "infinity", "-infinity")
CASES = [(kind, value) for kind in ("DATE", "TIMESTAMP") for value in ODD]
JOIN = "t JOIN g ON t.k = g.k"
QUERIES = (
    f"SELECT mode(x) FROM {JOIN} WHERE t.k = 0",
    f"SELECT t.k, mode(x) FROM {JOIN} GROUP BY t.k",
    f"SELECT x, count(*) AS n FROM {JOIN} GROUP BY x",
    f"SELECT x, count(*) AS n FROM {JOIN} GROUP BY x ORDER BY n DESC LIMIT 1",
    f"SELECT x, t.k, count(*) AS n FROM {JOIN} GROUP BY ALL ORDER BY n DESC LIMIT 1",
    f"SELECT x, count(*) AS n FROM {JOIN} GROUP BY x HAVING count(*) > 50 LIMIT 1",
    f"SELECT date_trunc('year', x) AS y, count(*) AS n FROM {JOIN} GROUP BY y",
    f"SELECT x::DATE AS d, count(*) AS n FROM {JOIN} GROUP BY d",
)


def opened(kind: str, values: str, *extra: str) -> dpduck.Connection:
    rows = duckdb.connect()
    rows.execute(f"CREATE TABLE g (k INTEGER PRIMARY KEY, x {kind}); INSERT INTO g VALUES {values}")
    rows.execute("CREATE TABLE t AS SELECT i AS id, 1 AS k FROM range(50) AS r(i)")
    for statement in extra:
        rows.execute(statement)
    db = dpduck.connect(rows, epsilon="0.1")
    db.execute(
        "ALTER TABLE t ADD PRIVACY_KEY (id); ALTER TABLE g SET PUBLIC; CREATE PRIVACY BUDGET b LIMIT 100000;"
        "ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 1)"
    )
    return db


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(("kind", "value"), CASES)
def test_nobody_decides_whether_a_query_fails(kind: str, value: str, query: str) -> None:
    told = []
    for extra in ((), ("INSERT INTO t VALUES (99, 0)",)):
        with opened(kind, f"(0, '{value}'), (1, '2024-01-01')", *extra) as db:
            with pytest.raises(dpduck.DpduckError) as caught:
                db.execute(query)
            told.append((str(caught.value), caught.value.charged))
    assert told[0] == told[1]
    assert told[0][1] == "0"


@pytest.mark.parametrize(("kind", "value"), CASES)
def test_conditions_leave_them_out(kind: str, value: str) -> None:
    with opened(kind, f"(0, '{value}'), (1, '2024-01-01')", "INSERT INTO t VALUES (99, 0)") as db:
        within = "x BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
        rows = db.execute(f"SELECT x, count(*) AS n FROM {JOIN} WHERE {within} GROUP BY x").fetchall()
        assert [str(x)[:10] for x, _ in rows] == ["2024-01-01"]


LARGE = (
    ("UHUGEINT", "(0, 5), (1, 340282366920938463463374607431768211455)"),
    ("HUGEINT", "(0, 5), (1, 170141183460469231731687303715884105727)"),
    ("HUGEINT", "(0, NULL), (1, 170141183460469231731687303715884105727)"),
)


@pytest.mark.parametrize(("kind", "values"), LARGE)
@pytest.mark.parametrize("keys", ["x", "x, t.k", "t.k, x"])
def test_large_numbers_are_keys(kind: str, values: str, keys: str) -> None:
    with opened(kind, values) as db:
        query = f"SELECT {keys}, count(*) AS n FROM {JOIN} GROUP BY ALL HAVING n > 25"
        db.execute("SET dp_epsilon = 5")
        (row,) = db.execute(query).fetchall()
        assert max(value for value in row[:-1]) > 2**100
        assert 40 < row[-1] < 60
