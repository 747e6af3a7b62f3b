"""A setting of the whole process makes no row fail: divided by zero, one did."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

import dpduck

QUERIES = ("SELECT count(*) FROM t WHERE 1.0 / x > 0.5", "SELECT count(*) FROM t WHERE 7 % x > 0.5")


@pytest.fixture(params=[False, True], ids=["absent", "present"])
def con(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in which one person, who may be there, has a zero."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT i AS p, (1 + i % 50)::DOUBLE AS x FROM range(300) AS r(i)")
        if request.param:
            con.execute("INSERT INTO t VALUES (-1, 0)")
        con.execute("SET GLOBAL ieee_floating_point_ops = false")
        yield con


@pytest.mark.parametrize("sql", QUERIES)
def test_in_python(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    db = dpduck.connect(con, epsilon="1")
    db.execute("ALTER TABLE t ADD PRIVACY_KEY (p)")
    assert len(db.execute(sql).fetchall()) == 1


@pytest.mark.parametrize("sql", QUERIES)
def test_in_functions(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    dpduck.connect(con).execute("ALTER TABLE t ADD PRIVACY_KEY (p)")
    dpduck.register(con, session="ana", budget="3")
    priced = sql.replace("SELECT", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1)")
    assert len(con.execute("FROM dp($1)", [priced]).fetchall()) == 1


@pytest.mark.parametrize("sql", QUERIES)
def test_in_a_file_that_the_process_has_open(
    tmp_path: Path, con: duckdb.DuckDBPyConnection, sql: str
) -> None:
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as file:
        file.execute("CREATE TABLE t (p INTEGER, x DOUBLE)")
        file.executemany("INSERT INTO t VALUES ($1, $2)", con.execute("FROM t").fetchall())
        file.execute("SET GLOBAL ieee_floating_point_ops = false")
        with dpduck.connect(path, epsilon="1") as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (p)")
            assert len(db.execute(sql).fetchall()) == 1


def test_threads_may_open_one_file_at_once(tmp_path: Path) -> None:
    """Settings are locked once: the thread that came second was refused."""
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as file:
        file.execute("CREATE TABLE t AS SELECT i AS p FROM range(300) AS r(i)")
    with dpduck.connect(path) as owner:
        owner.execute("ALTER TABLE t ADD PRIVACY_KEY (p)")

    def opened(number: int) -> str:
        with dpduck.connect(path, analyst=f"analyst {number}", epsilon="0.1") as db:
            return db.execute("SELECT count(*) FROM t").charged

    for _ in range(3):
        with ThreadPoolExecutor(6) as threads:
            assert len(list(threads.map(opened, range(6)))) == 6
