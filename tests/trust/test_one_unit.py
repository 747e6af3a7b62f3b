"""One person's rows decided whether a query ends: a text of 100 MB, as a key, took all of DuckDB's memory.

Here one person has more than anybody, in each way that a table lets a person have it, and the limit of memory
is small. Every query ends as it does without that person.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpduck

MEMORY = "150MB"
OTHERS = "SELECT 'p' || range AS person, 'town ' || (range % 20) AS town, range % 90 AS age FROM range(20000)"
HEAVY = {
    "a long text": "SELECT 'heavy', repeat('ab', 30000000), 5",
    "a long name": "SELECT repeat('x', 60000000), 'town 1', 5",
    "deep brackets": "SELECT 'heavy', repeat('[', 10000000), 5",
    "many rows": "SELECT 'heavy', 'town 1', 5 FROM range(2000000)",
    "many groups": "SELECT 'heavy', 'k' || range, range FROM range(300000)",
    "many long groups": "SELECT 'heavy', 'k' || range || repeat('y', 5000), range FROM range(10000)",
}
QUERIES = (
    "SELECT count(*) FROM t",
    "SELECT town, count(*) FROM t GROUP BY town",
    "SELECT town, count(*) FROM t GROUP BY town ORDER BY 2 DESC LIMIT 3",
    "SELECT upper(town) AS k, count(*) FROM t GROUP BY k",
    "SELECT count(DISTINCT town) FROM t",
    "SELECT age, count(*) FROM t GROUP BY age",
    "SELECT sum(age), avg(age), median(age) FROM t",
    "SELECT count(*) FROM t WHERE town LIKE '%q%z%'",
    "SELECT count(*) FROM t WHERE town || town || town || town = 'x'",
    "SELECT count(*) FROM t WHERE replace(town, 'a', 'bcde') = 'x'",
    "SELECT count(*) FROM t WHERE upper(town) = 'X' OR trim(town) = 'x' OR length(town) = 5",
    "SELECT count(*) FROM t WHERE regexp_matches(town, '(a|b)+c')",
)


@pytest.mark.parametrize("heavy", HEAVY)
def test_it_ends_whatever_one_person_has(tmp_path: Path, heavy: str) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as con:
        con.execute(f"CREATE TABLE t AS {OTHERS}")
        con.execute(f"INSERT INTO t {HEAVY[heavy]}")
    with dpduck.connect(tmp_path / "t.duckdb") as owner:
        owner.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
        owner.execute("ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 5)")
        owner.execute("ALTER TABLE t ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)")
        owner.execute("CREATE PRIVACY BUDGET b LIMIT 100 DELTA 0.1")
    with dpduck.connect(tmp_path / "t.duckdb", epsilon=1, delta="1e-6", memory=MEMORY) as db:
        db.execute("SET dp_replay = off")
        for query in QUERIES:
            db.execute(query).fetchall()


def test_a_text_that_is_too_long_is_no_group_and_no_person(tmp_path: Path) -> None:
    longest = 10_000
    con = duckdb.connect()
    con.execute(
        f"CREATE TABLE t AS SELECT 'p' || range AS person, repeat('x', {longest}) AS town FROM range(2000) "
        f"UNION ALL SELECT 'q' || range, repeat('x', {longest + 1}) FROM range(2000) "
        f"UNION ALL SELECT repeat('n', {longest}) || range, 'y' FROM range(2000)"
    )
    with dpduck.connect(con, epsilon=1, delta="1e-6") as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
        db.execute("ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 1)")
        groups = db.execute("SELECT town, count(*) AS n FROM t GROUP BY town").fetchall()
        assert [(len(town), round(n, -3)) for town, n in groups] == [(longest, 2000)]
        assert round(db.execute("SELECT count(*) FROM t").fetchall()[0][0], -3) == 4000


NESTED = {
    "brackets": ("'{}'", "repeat('[', 100000) || repeat(']', 100000)"),
    "json": ("'{}'::JSON", "(repeat('[', 900) || repeat(']', 900))::JSON"),
    "list": ("[1, 2]", "range(1000000)::INTEGER[]"),
    "structs": ("[{'a': 'x'}]", "list_zip(range(1000000)::VARCHAR[])"),
    "map": ("map([1], [2])", "map(range(100000), range(100000))"),
}


@pytest.mark.parametrize("kind", NESTED)
def test_what_is_deep_or_long_in_one_row_is_not_looked_into(tmp_path: Path, kind: str) -> None:
    usual, heavy = NESTED[kind]
    with duckdb.connect(str(tmp_path / "t.duckdb")) as con:
        con.execute(
            f"CREATE TABLE t AS SELECT 'p' || range AS person, {usual} AS v, 5 AS age FROM range(500)"
        )
        con.execute(f"INSERT INTO t SELECT 'heavy', {heavy}, 5")
    with dpduck.connect(tmp_path / "t.duckdb", epsilon=1, delta="1e-6", memory=MEMORY) as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
        db.execute("ALTER TABLE t ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 9)")
        db.execute("CREATE PRIVACY BUDGET b LIMIT 100 DELTA 0.1")
        db.execute("SELECT count(*) FROM t WHERE v IS NOT NULL").fetchall()
        db.execute("SELECT age, count(*) FROM t WHERE v IS NOT NULL GROUP BY age").fetchall()
        for sql in (
            "SELECT v, count(*) FROM t GROUP BY v ORDER BY 2 DESC LIMIT 1",
            "SELECT count(DISTINCT v) FROM t",
            "SELECT mode(v) FROM t",
            "SELECT count(*) FROM t WHERE TRY_CAST(v AS INTEGER) = 1",
            "SELECT count(*) FROM t WHERE CAST(v AS VARCHAR) LIKE '%[[%'",
        ):
            try:
                db.execute(sql).fetchall()
            except dpduck.DpduckError as error:
                assert error.charged == "0", sql
