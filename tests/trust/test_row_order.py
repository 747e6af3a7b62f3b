"""In what order rows leave tells nothing that the rows do not.

What leaked: keys found in private rows left in ascending order of their true counts, and equal counts in the
order of DuckDB's rows. LIMIT without ORDER BY, DISTINCT, outer queries, window functions, kept answers and
their replays inherited it. Now a release is a set with one order, and what runs over it runs on one thread.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

import dpduck
from tests.engines.conftest import spark as spark
from tests.gateway.wiring import Gateway, Wired, add_analyst, rows_of
from tests.trust.orders import ALPHA, PAIRS, RELATIVES, RUNS, declare, make, p_value

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Ask = Callable[[str], list[str]]  # a query in, the first column of its answer out

pairs = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)


def opened(keys: list[str]) -> dpduck.Connection:
    connection = duckdb.connect()
    make(connection, keys)
    db = dpduck.connect(connection, epsilon="2", delta="1e-6")
    declare(db)
    db.execute("SET dp_replay = off")
    return db


def asking(db: dpduck.Connection) -> Ask:
    return lambda sql: [str(row[0]) for row in db.execute(sql).fetchall()]


def file_of(folder: Path, keys: list[str]) -> Path:
    """A database in a file, with policies."""
    file = folder / f"{len(keys)}.duckdb"
    make(file, keys)
    with dpduck.connect(file) as owner:
        declare(owner)
    return file


def compare(asks: list[Ask], runs: int, sql: str) -> None:
    """Neighbours give the same orders as often, and every answer is in the one order of its rows."""
    seen: list[Counter[Hashable]] = []
    for ask in asks:
        answers = [tuple(ask(sql)) for _ in range(runs)]
        seen.append(Counter(answers))
    assert p_value(*seen) > ALPHA, seen
    assert {*seen[0], *seen[1]} == {tuple(RELATIVES[sql])}, seen


@pytest.fixture(scope="module", params=PAIRS.values(), ids=PAIRS)
def neighbours(request: pytest.FixtureRequest) -> Iterator[list[Ask]]:
    with opened(request.param[0]) as one, opened(request.param[1]) as other:
        yield [asking(one), asking(other)]


@pytest.mark.parametrize("sql", RELATIVES)
def test_in_python(neighbours: list[Ask], sql: str) -> None:
    compare(neighbours, RUNS, sql)


def test_the_comparison_has_power() -> None:
    """It rejects orders by true counts, from 13 runs on; and not one order, nor the law of a fair coin."""
    by_counts = Counter({("a", "b"): 13}), Counter({("b", "a"): 13})
    assert p_value(*by_counts) <= ALPHA
    assert p_value(Counter({("a", "b"): 40}), Counter({("a", "b"): 40})) == 1
    assert (
        p_value(Counter({("a", "b"): 990, ("b", "a"): 1010}), Counter({("a", "b"): 1020, ("b", "a"): 980}))
        > ALPHA
    )
    leaning = Counter({("a", "b"): 1000, ("b", "a"): 1000}), Counter({("a", "b"): 1200, ("b", "a"): 800})
    assert p_value(*leaning) <= ALPHA


@pairs
def test_with_functions_of_a_plain_connection(pair: tuple[list[str], list[str]]) -> None:
    asks, number = [], count()
    for keys in pair:
        connection = duckdb.connect()
        make(connection, keys)
        with dpduck.connect(connection) as owner:
            declare(owner)
        dpduck.register(connection, budget=None)

        def ask(sql: str, connection: duckdb.DuckDBPyConnection = connection) -> list[str]:
            """Each for a little more epsilon, so that no answer is given again."""
            epsilon = 2 + Decimal(next(number)) / 10_000
            options = f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = {epsilon}, delta = 1e-6)"
            inner = sql.replace("SELECT", options, 1).replace("'", "''")
            return [str(row[0]) for row in connection.execute(f"FROM dp('{inner}')").fetchall()]

        asks.append(ask)
    for sql in ("SELECT k FROM t GROUP BY k", "SELECT k FROM t GROUP BY k LIMIT 1"):
        compare(asks, RUNS, sql)


@pairs
def test_on_the_command_line(pair: tuple[list[str], list[str]], tmp_path: Path) -> None:
    """One run, of a process of its own; the order is the one order."""
    asks = []
    for keys in pair:
        file = file_of(tmp_path, keys)

        def ask(sql: str, file: Path = file) -> list[str]:
            options = ["--epsilon", "2", "--delta", "1e-6", "--format", "csv"]
            command = [sys.executable, "-m", "dpduck", "query", str(file), sql, *options]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            return [line.split(",")[0] for line in done.stdout.splitlines()[1:]]

        asks.append(ask)
    compare(asks, 1, "SELECT k FROM t GROUP BY k")


@pairs
def test_at_the_gateway(pair: tuple[list[str], list[str]], tmp_path: Path) -> None:
    """Fewer runs; the order is the one order in each."""
    with Served(tmp_path, pair[0]) as one, Served(tmp_path, pair[1]) as other:
        for sql in list(RELATIVES)[:6]:
            compare([_wired(one), _wired(other)], 3, sql)


class Served:
    """A client of a server of its own."""

    def __init__(self, folder: Path, keys: list[str]) -> None:
        file = file_of(folder, keys)
        add_analyst(file)
        self._gateway = Gateway(file, "--epsilon", "2", "--delta", "1e-6", script="")
        self._client = Wired(self._gateway.port)

    def __enter__(self) -> Wired:
        self._client.login()
        self._client.ask("SET dp_replay = off")
        return self._client

    def __exit__(self, *_: object) -> None:
        self._client.__exit__()
        self._gateway.kill()


def _wired(client: Wired) -> Ask:
    return lambda sql: [str(row[0]) for row in rows_of(client.ask(sql))]


@pytest.fixture
def clubs(spark: SparkSession) -> Iterator[list[dpduck.Connection]]:
    """Neighbours as tables of Spark."""
    found = []
    for name, keys in zip(("one", "other"), PAIRS["counts"], strict=True):
        spark.sql(f"DROP DATABASE IF EXISTS {name} CASCADE")
        spark.sql(f"CREATE DATABASE {name}")
        rows = ", ".join(f"({i}, '{key}', 1)" for i, key in enumerate(keys))
        spark.sql(f"CREATE TABLE {name}.t USING parquet AS SELECT * FROM VALUES {rows} AS t(id, k, v)")
        spark.catalog.setCurrentDatabase(name)
        db = dpduck.connect(spark, epsilon="2", delta="1e-6")
        declare(db)
        db.execute("SET dp_replay = off")
        found.append(db)
    yield found
    spark.catalog.setCurrentDatabase("default")


def test_in_spark(clubs: list[dpduck.Connection]) -> None:
    """Fewer runs: one takes a second. The order is the one order in each."""
    for sql in list(RELATIVES)[:2]:
        compare([asking(db) for db in clubs], 2, sql)


@pairs
def test_of_answers_that_are_given_again(pair: tuple[list[str], list[str]]) -> None:
    """One fresh answer, and what is made of it: as it is, with fewer columns, and in part."""
    for keys in pair:
        with opened(keys) as db:
            db.execute("SET dp_replay = on")
            ask = asking(db)
            assert ask("SELECT k, count(*) AS n FROM t GROUP BY k") == ["a", "b"]
            for sql in (
                "SELECT k, count(*) AS n FROM t GROUP BY k",
                "SELECT k, count(*) FROM t GROUP BY k LIMIT 1",
            ):
                assert ask(sql) == RELATIVES.get(sql, ["a"])
                assert db.charged == "0"


def test_answers_of_the_old_form_are_not_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in the order of true counts."""
    with opened(PAIRS["counts"][1]) as db:
        db.execute("SET dp_replay = on")
        monkeypatch.setattr(sys.modules["dpduck.answers.replay.describe"], "_FORM", 3)
        db.execute("SELECT k FROM t GROUP BY k")
        assert db.charged == "2"
        monkeypatch.undo()
        db.execute("SELECT k FROM t GROUP BY k")
        assert db.charged == "2"


def test_ties_of_noisy_counts_go_by_key() -> None:
    """With next to no noise, equal counts are equal when released; LIMIT cuts between them by key."""
    keys = [key for key in "dbca" for _ in range(50)]
    with opened(keys) as db:
        db.execute("SET dp_epsilon = 20")
        for domain in ("", "ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN IN ('d', 'b', 'c', 'a')"):
            if domain:
                db.execute(domain)
            for _ in range(RUNS):
                rows = db.execute("SELECT k, count(*) AS n FROM t GROUP BY k ORDER BY n DESC").fetchall()
                assert rows == sorted(rows, key=lambda row: (-row[1], row[0]))
                rows = db.execute(
                    "SELECT n // 1000, k FROM (SELECT k, count(*) AS n FROM t GROUP BY k) ORDER BY 1"
                )
                assert [row[1] for row in rows.fetchall()] == (list("dbca") if domain else list("abcd"))


def test_all_groups_stand_in_the_order_of_their_domain() -> None:
    with opened(PAIRS["counts"][1]) as db:
        db.execute("ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN IN ('c', 'b', 'a')")
        for _ in range(5):
            assert asking(db)("SELECT k, count(*) FROM t GROUP BY k") == ["c", "b", "a"]


def test_a_ranking_stands_in_its_noisy_order() -> None:
    """The order is the release there. Equal counts are equally likely in either order."""
    seen: Counter[Hashable] = Counter()
    sql = "SELECT k FROM t GROUP BY k ORDER BY count(*) DESC LIMIT 2"
    with opened([key for key in "abc" for _ in range(100)]) as db:
        db.execute("ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 20)")
        domain = ", ".join(f"'{letter}'" for letter in "abcdefghijklmnopqrstuvwxyz")
        db.execute(f"ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN IN ({domain})")
        assert db.explain(sql).mechanism == "noisy_top_k"
        ask = asking(db)
        for _ in range(6 * RUNS):
            seen[tuple(ask(sql))] += 1
    orders = {(x, y) for x in "abc" for y in "abc" if x != y}
    assert p_value(seen, Counter(dict.fromkeys(orders, RUNS))) > ALPHA, seen
