"""Released rows went through a second DuckDB, which had no limits: 3 GB of a server with --memory 300MB.

It may cost nothing to multiply a hundred released rows to a billion, in a replay as in a fresh answer. Here
statements that are accepted do so, one after another and many at once, and the server stays below 900 MB
(1,300 on DuckDB 1.5).
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.compiler.parse.effort import reading
from dpduck.engines.duckdb.hardening import open_scratch
from dpduck.engines.duckdb.temp_directory import spill_folder
from dpduck.kernel.accounting.amounts import half_of
from tests.depth import depth
from tests.gateway.serving import let_in, serving

psycopg = pytest.importorskip("psycopg")

MOST = 900 if duckdb.__version__.split(".")[0] != "1" else 1_300  # MB: 1.5 does not count all that it takes
PASSWORD = "correct horse battery"
HISTOGRAM = "WITH h AS (SELECT page, count(*) AS n FROM visits GROUP BY page)"
HOSTILE = {
    "five-fold": "SELECT a.page, sum(b.n) AS s FROM h a, h b, h c, h d, h e GROUP BY a.page ORDER BY s",
    "sorted": "SELECT a.page AS x, b.page AS y FROM h a, h b, h c ORDER BY a.n * b.n * c.n, x, y",
    "grouped": "SELECT a.page AS x, b.page AS y, c.n AS z, count(*) AS m FROM h a, h b, h c GROUP BY 1, 2, 3",
    "one text": "SELECT string_agg(CAST(a.n AS VARCHAR) || 'xxxxxxxxxxxxxxxx', ',') AS s FROM h a, h b, h c",
    "one list": "SELECT list(a.n) AS s FROM h a, h b, h c",
    "windows": "SELECT string_agg(CAST(b.n AS VARCHAR), ',') OVER (ORDER BY a.n) AS r FROM h a, h b, h c",
    "distinct": "SELECT count(DISTINCT a.n * 1000003 + b.n * 1009 + c.n) AS s FROM h a, h b, h c",
    "median": "SELECT median(a.n * b.n * c.n) AS s FROM h a, h b, h c",
    "modes": "SELECT a.n, b.n, mode(c.n + a.n) AS s FROM h a, h b, h c GROUP BY 1, 2",
    "sketches": "SELECT a.n, b.n, approx_quantile(c.n, 0.5) AS s FROM h a, h b, h c GROUP BY 1, 2",
    "ranks": "SELECT a.n, b.n, approx_top_k(c.n, 5) AS s FROM h a, h b, h c GROUP BY 1, 2",
    "constants": f"SELECT page FROM h WHERE n NOT IN ({', '.join(f'{i}.5' for i in range(10_000))})",
    "rows": "SELECT a.page AS x, b.page AS y, c.n AS z FROM h a, h b, h c",
    "public, sorted": "SELECT a.name AS x, b.name AS y FROM towns a, towns b ORDER BY b.name || a.name",
    "public, one text": "SELECT string_agg(a.name || b.name, ',') AS s FROM towns a, towns b",
    "public, grouped": "SELECT a.name || b.name AS x, count(*) AS m FROM towns a, towns b GROUP BY 1",
    "public, rows": "SELECT a.name AS x, b.name AS y FROM towns a, towns b",
    "catalog": "SELECT a.typname FROM pg_type a, pg_type b, pg_type c, pg_type d ORDER BY a.oid + b.oid",
}

Server = tuple[int, int]  # its port and its process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    file = tmp_path_factory.mktemp("hostile") / "shop.duckdb"
    with duckdb.connect(str(file)) as con:
        con.execute("CREATE TABLE visits AS SELECT range AS person, range % 1000 AS page FROM range(100000)")
        con.execute("CREATE TABLE towns AS SELECT 'town ' || range AS name FROM range(100000)")
    with dpduck.connect(file) as owner:
        owner.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
        owner.execute("ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 999)")
        owner.execute("ALTER TABLE visits SET PRIVACY CONTRIBUTION (groups = 1)")
        owner.execute("ALTER TABLE towns SET PUBLIC")
    let_in(file, "ana", PASSWORD)
    with serving(file, "--memory", "300MB", "--epsilon", "0.01") as (port, process):
        yield port, process.pid


def ask(port: int, sql: str, seconds: int = depth(2, 1)) -> str:
    """Rows are thrown away as they come. Output: the SQLSTATE."""
    whole = f"{HISTOGRAM} {sql}" if "FROM h" in sql else sql
    connection = psycopg.connect(
        host="127.0.0.1", port=port, user="ana", password=PASSWORD, dbname="shop", autocommit=True
    )
    with connection:
        connection.execute(f"SET statement_timeout = '{seconds}s'")
        try:
            with connection.cursor() as cursor, cursor.copy(f"COPY ({whole}) TO STDOUT") as rows:
                for _ in rows:
                    pass
        except psycopg.Error as error:
            return error.sqlstate or "?"
    return "00000"


def peak(process: int) -> int:
    """The most memory that a process has had, in MB."""
    (found,) = re.findall(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found) // 1024


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are measured as on Linux")
class TestServer:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_no_statement_takes_more_than_there_is(self, server: Server, name: str) -> None:
        port, process = server
        # The first answer is fresh, all that come later are made of it again.
        assert ask(port, HOSTILE[name]) in ("00000", "57014", "0A000", "54000", "53200")
        assert peak(process) < MOST

    def test_nor_do_many_at_once(self, server: Server) -> None:
        port, process = server
        statements = HOSTILE.values()
        threads = [threading.Thread(target=ask, args=(port, statement)) for statement in statements]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert peak(process) < MOST
        assert ask(port, "SELECT count(*) AS n FROM visits", 30) == "00000"


MULTIPLIED = (
    "SELECT median(a.n * b.n) AS s FROM h a, h b",
    "SELECT quantile_cont(n, 0.5) AS s FROM (SELECT a.n FROM h a JOIN h b ON a.n <> b.n) t",
    "SELECT mode(n) AS s FROM h GROUP BY CUBE (page, n)",
    "SELECT mad(n) AS s FROM (SELECT n FROM h UNION ALL SELECT n FROM h) t",
    "SELECT (SELECT list(b.n + a.n) FROM h b) AS s FROM h a",
    "SELECT t.s FROM h a, (SELECT histogram(a.n + b.n) AS s FROM h b) t",
    f"SELECT {', '.join(f'median(n + {i}) AS s{i}' for i in range(17))} FROM h",
)


@pytest.fixture(scope="module")
def shop() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE visits AS SELECT range AS person, range % 10 AS page FROM range(100)")
        with dpduck.connect(con, epsilon=1) as db:
            db.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
            db.execute("ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 9)")
            yield db


@pytest.mark.parametrize("sql", MULTIPLIED)
def test_what_old_versions_do_not_count_is_refused_for_nothing(shop: dpduck.Connection, sql: str) -> None:
    if not duckdb.__version__.startswith("1."):
        assert str(shop.explain(f"{HISTOGRAM} {sql}"))
        return
    with pytest.raises(dpduck.DpduckError, match=r"DuckDB before 2\.0 does not count that") as caught:
        shop.execute(f"{HISTOGRAM} {sql}")
    assert caught.value.charged == "0"


@pytest.mark.parametrize(
    "sql",
    (
        "SELECT median(n) AS s, list(page) AS l, mode(n) AS m FROM h",
        "SELECT page % 2 AS k, quantile_cont(n, [0.25, 0.75]) AS s FROM h GROUP BY 1",
        "SELECT n - m AS s FROM (SELECT median(n) AS m FROM h) t, h",
        "SELECT median(n) OVER () AS s FROM h",
    ),
)
def test_what_reads_released_rows_once_is_answered(shop: dpduck.Connection, sql: str) -> None:
    assert shop.execute(f"{HISTOGRAM} {sql}").fetchall()


def test_large_texts_are_read_one_at_a_time() -> None:
    large, left = "x" * 20_000, threading.Event()
    asked = []

    def stopped() -> None:
        asked.append(1)
        raise InterruptedError

    def wait() -> None:
        with pytest.raises(InterruptedError), reading(large, stopped):
            pytest.fail("two at once")
        with reading("short", stopped):
            left.set()

    with reading(large):
        thread = threading.Thread(target=wait)
        thread.start()
        assert left.wait(30)
        thread.join()
    assert asked == [1]
    with reading(large, stopped):
        pass


def test_an_error_tells_nothing_of_what_others_use(tmp_path: Path) -> None:
    with duckdb.connect() as con:
        con.sql("SELECT range AS person, range % 1000 AS page FROM range(1000)").write_parquet(
            str(tmp_path / "t.parquet")
        )
    with dpduck.connect(tmp_path / "t.parquet", epsilon=1, memory="60MB") as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
        db.execute("ALTER TABLE t ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 999)")
        with pytest.raises(dpduck.DpduckError) as caught:
            db.execute(f"{HISTOGRAM.replace('visits', 't')} {HOSTILE['one text']}")
    assert "DETAIL: It says: Out of Memory Error. Epsilon 1 was charged." in str(caught.value)


def test_a_scratch_database_has_limits_and_touches_nothing() -> None:
    scratch = open_scratch("300MB")
    names = ("memory_limit", "max_temp_directory_size", "threads", "temp_directory")
    found = [scratch.execute(f"SELECT current_setting('{name}')").fetchall()[0][0] for name in names]
    assert found[:3] == ["143.0 MiB", "9.3 GiB", 1]
    assert Path(found[3]).parent == spill_folder().parent
    secret = Path(__file__)  # a Python variable, as a replacement scan would find it
    for sql in (
        f"SELECT * FROM read_text('{secret}')",
        "COPY (SELECT 1) TO 'x.csv'",
        "ATTACH 'x.duckdb'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "FROM secret",
        "SET memory_limit = '10GB'",
        "SET enable_external_access = true",
    ):
        with pytest.raises(duckdb.Error):
            scratch.execute(sql)
    scratch.close()
    assert half_of("1GB") == "500MB"
    assert half_of("1MB") == "1MB"


def test_every_connection_computes_answers_in_one() -> None:
    base = duckdb.connect()
    base.execute("CREATE TABLE t AS SELECT range AS person FROM range(100)")
    with dpduck.connect(base, epsilon=1) as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
        db.execute("SELECT count(*) AS n FROM t")
        asked = "SELECT current_setting('lock_configuration'), current_setting('enable_external_access')"
        assert db._service.scratch.execute(asked).fetchall() == [(True, False)]
        scratch = db._service.scratch
    with pytest.raises(duckdb.Error):
        scratch.execute("SELECT 1")  # it ends with its connection
