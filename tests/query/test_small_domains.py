"""Domains, ranges and tables with no, one or two values: answered, or refused before a charge, never else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import DpduckError
from tests.depth import part

ROWS = """
CREATE TABLE v AS SELECT range AS id, (range % 3)::INTEGER AS n, 7::INTEGER AS one, 'a' AS t,
    range % 2 = 0 AS b,
    range / 7.0 AS d, DATE '2024-01-01' + (range % 2)::INTEGER AS day, TIMESTAMP '2024-01-01' AS ts,
    CASE WHEN range % 3 = 0 THEN NULL ELSE range % 3 = 1 END AS nb, NULL::INTEGER AS none,
    2.50::DECIMAL(5, 2) AS price
FROM range(400);
CREATE TABLE empty AS FROM v LIMIT 0;
"""
POLICIES = """
ALTER TABLE {t} ADD PRIVACY_KEY (id);
ALTER TABLE {t} ALTER COLUMN n SET PRIVACY DOMAIN BETWEEN (0, 2);
ALTER TABLE {t} ALTER COLUMN one SET PRIVACY DOMAIN IN (7);
ALTER TABLE {t} ALTER COLUMN t SET PRIVACY DOMAIN IN ('a');
ALTER TABLE {t} ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN (DATE '2024-01-01', DATE '2024-01-02');
ALTER TABLE {t} ALTER COLUMN ts SET PRIVACY DOMAIN IN (TIMESTAMP '2024-01-01') OR NULL;
ALTER TABLE {t} ALTER COLUMN none SET PRIVACY DOMAIN IN (5) OR NULL;
ALTER TABLE {t} ALTER COLUMN d SET PRIVACY DOMAIN BETWEEN (0.0, 60.0);
ALTER TABLE {t} ALTER COLUMN price SET PRIVACY DOMAIN IN (2.50)
"""
# Keys of no more than three values, most with one, and NULL.
KEYS = (
    *("one", "t", "ts", "none", "n * 0", "nb::TINYINT * 0", "n // 5", "day - day", "day", "b", "nb"),
    *("date_sub('decade', ts, ts)", "nullif(one, 7)", "CASE WHEN b THEN 1 END", "coalesce(none, 5)"),
    *(
        "date_trunc('year', day)",
        "n % 1",
        "least(n, 0)",
        "price",
        "price * 0",
        "left(t, 0)",
        "extract(year FROM ts)",
    ),
)
AGGREGATES = (
    *("count(*)", "count(DISTINCT {0})", "sum({0})", "avg({0})", "median({0})", "quantile_cont({0}, 0.9)"),
    *("mode({0})", "min({0})", "max({0})", "stddev({0})", "count(*) FILTER (n > 5)", "sum(DISTINCT {0})"),
    *("sum({0}, contribution_bounds_per_row => (3, 3))", "count(*) * 0"),
)
ARGUMENTS = ("n", "one", "n * 0", "nb::TINYINT * 0", "none", "day", "ts", "price", "t", "d * 0", "b")
FILTERS = (
    *("", " WHERE false", " WHERE n > 5", " WHERE n = 1 AND n = 2", " WHERE one <> 7", " WHERE t IN ('z')"),
    *(" WHERE NULL", " WHERE n BETWEEN 2 AND 1", " WHERE n = 1", " WHERE one = 7", " WHERE none IS NULL"),
    " WHERE n IN (SELECT n FROM empty_list)",
)
ENDS = (
    *("", " LIMIT 0", " LIMIT 1", " LIMIT 3", " HAVING count(*) > 5", " HAVING count(*) > 5 LIMIT 3"),
    *(
        " HAVING count(*) > 5 LIMIT 0",
        " ORDER BY 2 DESC LIMIT 1",
        " HAVING false",
        " ORDER BY 2 DESC LIMIT 0",
    ),
)
KEYED = [
    f"SELECT {key} AS g, count(*) FROM {table}{where} GROUP BY g{end}"
    for key, where, end, table in product(KEYS, FILTERS[:6], ENDS, ("v", "empty"))
]
MEASURED = [
    f"SELECT {call.format(argument)} FROM {table}{where}"
    for call, argument, where, table in product(AGGREGATES, ARGUMENTS, FILTERS, ("v", "empty"))
]
BOTH = [
    f"SELECT {key} AS g, {call.format(argument)} FROM v{where} GROUP BY g{end}"
    for key, call, argument, where, end in product(
        KEYS[:9], AGGREGATES[1:10], ARGUMENTS, FILTERS[:3], ENDS[:3]
    )
]


@pytest.fixture(scope="module")
def owner() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as db:
        db.execute(ROWS)
        db.execute("CREATE TABLE empty_list (n INTEGER)")
        with dpduck.connect(db) as made:
            for statement in f"{POLICIES.format(t='v')};{POLICIES.format(t='empty')}".split(";"):
                made.execute(statement)
            made.execute("ALTER TABLE empty_list SET PUBLIC")
            made.execute("CREATE PRIVACY BUDGET everyone LIMIT 1000000")
            made.execute("SET dp_epsilon = 1")
            yield made


def asked(owner: dpduck.Connection, sql: str) -> str | None:
    """What is wrong with how a query ended; None if it was answered, or refused for nothing."""
    try:
        owner.execute(sql).fetchall()
    except DpduckError as error:
        if error.charged != "0" or "fault of dpduck" in str(error) or "withheld" in str(error):
            return f"{sql}: {error.message}, charged {error.charged}"
    except Exception as error:
        return f"{sql}: {error!r}"
    return None


@pytest.mark.parametrize(
    "usual", [(KEYED, 43), (MEASURED, 71), (BOTH, 307)], ids=["keys", "measures", "both"]
)
def test_small_domains_are_answered_or_refused(
    owner: dpduck.Connection, usual: tuple[list[str], int]
) -> None:
    wrong = [said for sql in part(*usual) if (said := asked(owner, sql)) is not None]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "end", ["", " HAVING count(*) > 5", " HAVING count(*) > 5 LIMIT 3", " ORDER BY 2 DESC LIMIT 1"]
)
@pytest.mark.parametrize("key", ["nb::TINYINT * 0", "date_sub('decade', ts, ts)"])
def test_a_key_with_one_value_beside_null(owner: dpduck.Connection, key: str, end: str) -> None:
    rows = owner.execute(f"SELECT {key} AS g, count(*) FROM v GROUP BY g{end}").fetchall()
    assert {key for key, _ in rows} - {None} == {0}


FUNCTIONS = (
    *(f"dp_top_k(k, n, {k}, 0.5)" for k in (0, 1, 2, 50)),
    *(f"dp_median(v, 0.5, lo := 0, hi := {hi})" for hi in (0, 1, 2)),
    *(f"dp_quantile(v, 0.9, 0.5, lo := 7, hi := {hi})" for hi in (7, 8)),
    "dp_select(k, n, 0.5)",
    *(f"dp_above(k, n, 5, {k}, 0.5)" for k in (0, 1, 2)),
    "dp_mode(k, 0.5, domain := [])",
    "dp_mode(k, 0.5, domain := ['a'])",
    "dp_mode(k, 0.5, domain := ['a', 'b'])",
    "dp_mode(k, 0.5, delta := 1e-6)",
)


@pytest.mark.parametrize(
    "rows",
    [
        "SELECT 7, 'a', 5 LIMIT 0",
        "SELECT 7, 'a', 5",
        "SELECT NULL, NULL, NULL",
        "FROM range(2) a, (SELECT 'a', 5)",
    ],
)
def test_functions_on_small_tables_answer_or_charge_nothing(rows: str) -> None:
    with duckdb.connect() as db:
        dpduck.register(db)
        db.execute(
            "CREATE TABLE small AS SELECT v::INTEGER AS v, k::VARCHAR AS k, n::BIGINT AS n "
            f"FROM ({rows}) t(v, k, n)"
        )
        for function in FUNCTIONS:
            before = db.execute("FROM dp_ledger()").fetchall()
            try:
                db.execute(f"SELECT {function} FROM small").fetchall()
            except duckdb.Error as error:
                assert "Nothing was charged." in str(error), function
                assert db.execute("FROM dp_ledger()").fetchall() == before, function
