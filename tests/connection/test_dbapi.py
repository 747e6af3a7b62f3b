"""The DB-API 2.0: module, exceptions, cursors; and the readers of pandas and polars, which rely on it."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import dpduck
from tests.connection.conftest import HISTOGRAM


def test_the_module_says_what_it_is() -> None:
    assert (dpduck.apilevel, dpduck.threadsafety, dpduck.paramstyle) == ("2.0", 2, "qmark")
    assert dpduck.Date(2024, 1, 2).isoformat() == "2024-01-02"
    assert dpduck.Binary(b"x") == b"x"
    assert dpduck.TimeFromTicks(0) == dpduck.TimestampFromTicks(0).time()


def test_exceptions_are_those_of_the_api() -> None:
    kinds = {
        dpduck.SqlSyntaxError: dpduck.ProgrammingError,
        dpduck.UnknownNameError: dpduck.ProgrammingError,
        dpduck.ParameterError: dpduck.ProgrammingError,
        dpduck.PolicyError: dpduck.ProgrammingError,
        dpduck.UnsupportedSqlError: dpduck.NotSupportedError,
        dpduck.BudgetExceededError: dpduck.OperationalError,
        dpduck.LedgerError: dpduck.OperationalError,
        dpduck.ExecutionError: dpduck.OperationalError,
        dpduck.AuthenticationError: dpduck.OperationalError,
        dpduck.InternalError: dpduck.DatabaseError,
    }
    for own, kind in kinds.items():
        assert issubclass(own, kind)
        assert issubclass(own, dpduck.DpduckError)
    for kind in (dpduck.DataError, dpduck.IntegrityError, *kinds.values()):
        assert issubclass(kind, dpduck.DatabaseError)
    assert issubclass(dpduck.DatabaseError, dpduck.Error)
    assert issubclass(dpduck.InterfaceError, dpduck.Error)
    assert not issubclass(dpduck.Warning, dpduck.Error)


def test_a_cursor_gives_rows_one_after_another(db: dpduck.Connection) -> None:
    with db.cursor() as cursor:
        assert cursor.description is None
        assert cursor.connection is db
        cursor.execute(HISTOGRAM + " ORDER BY page")
        assert [column[0] for column in cursor.description or ()] == ["page", "n"]
        assert all(len(column) == 7 for column in cursor.description or ())
        assert (cursor.description or ())[0][1] == dpduck.STRING
        assert (cursor.description or ())[1][1] == dpduck.NUMBER
        assert cursor.rowcount == -1
        first = cursor.fetchone()
        assert first is not None
        assert first[0] == "cart"
        assert [row[0] for row in cursor.fetchmany()] == ["help"]
        assert [row[0] for row in cursor] == ["home"]
        assert cursor.fetchone() is None
        assert cursor.fetchmany(5) == cursor.fetchall() == []
        cursor.execute(HISTOGRAM)
        assert len(cursor.fetchmany(2)) == 2
        cursor.arraysize = 5
        assert len(cursor.fetchmany()) == 1
    with pytest.raises(dpduck.ProgrammingError, match="closed"):
        cursor.fetchone()


def test_each_execution_is_one_charge_and_reading_is_free(db: dpduck.Connection) -> None:
    db.execute("SET dp_replay = off")
    for _ in range(2):
        answer = db.sql(HISTOGRAM)
        for read in (answer.df, answer.pl, answer.arrow, answer.fetchnumpy, answer.fetch_record_batch, repr):
            read() if read is not repr else repr(answer)
    assert db.ledger().column("epsilon").to_pylist() == [Decimal("0.5")] * 2


def test_answers_of_cursors_are_apart(db: dpduck.Connection) -> None:
    first, second = db.cursor(), db.cursor()
    first.execute(HISTOGRAM + " ORDER BY page")
    second.execute("SELECT count(*) FROM visits")
    assert (first.fetchone() or ("",))[0] == "cart"
    assert len(second.fetchall()) == 1
    assert len(first.fetchall()) == 2
    kept = db.sql(HISTOGRAM)
    db.execute("SELECT count(*) FROM visits")
    assert kept.arrow().num_rows == 3
    assert kept.charged == "0"
    assert kept.notices[0].startswith("This is from the answer of")


def test_the_whole_answer_can_be_read_again_and_moves_nothing(db: dpduck.Connection) -> None:
    answer = db.sql(HISTOGRAM + " ORDER BY page")
    first = answer.fetchone()
    table = answer.arrow()
    assert answer.df().to_dict("list") == answer.fetchdf().to_dict("list") == table.to_pydict()
    assert answer.pl().to_dict(as_series=False) == table.to_pydict()
    assert list(answer.fetchnumpy()["n"]) == table.column("n").to_pylist()
    batches = list(answer.fetch_record_batch(2))
    assert [batch.num_rows for batch in batches] == [2, 1]
    assert pa.Table.from_batches(batches).to_pydict() == table.to_pydict()
    assert [first, *answer.fetchall()] == list(zip(*table.to_pydict().values(), strict=True))


def test_transactions_are_honest(db: dpduck.Connection) -> None:
    db.execute(HISTOGRAM)
    db.rollback()
    db.commit()
    assert db.ledger().num_rows == 1  # a rollback takes no charge back


def test_many_executions_are_refused(db: dpduck.Connection) -> None:
    with pytest.raises(dpduck.NotSupportedError) as caught:
        db.cursor().executemany("SELECT count(*) FROM visits WHERE page = ?", [["home"], ["cart"]])
    assert "charge of its own" in str(caught.value)
    assert db.ledger().num_rows == 0


def test_a_closed_connection_says_so(file: Path) -> None:
    db = dpduck.connect(file, epsilon=1)
    cursor = db.cursor()
    answer = db.sql(HISTOGRAM)
    db.close()
    db.close()
    for use in (db.cursor, db.commit, db.budget, lambda: db.execute("SELECT 1"), cursor.fetchone, answer.df):
        with pytest.raises(dpduck.ProgrammingError, match="the connection or cursor is closed"):
            use()


def test_threads_share_a_connection(db: dpduck.Connection) -> None:
    """What `threadsafety` promises: each with its own cursor gets its own answer, for one charge each."""

    def ask(age: int) -> int:
        rows = db.cursor().execute("SELECT count(*) FROM visits WHERE age >= ?", [age]).fetchall()
        return int(rows[0][0])

    db.execute("CREATE PRIVACY BUDGET wide LIMIT 1000")
    db.execute("SET dp_epsilon = 10")
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(ask, range(0, 88, 4)))
    for age, count in zip(range(0, 88, 4), counts, strict=True):
        truth = duckdb.sql(f"SELECT count(DISTINCT i % 1000) FROM range(3000) AS r(i) WHERE i % 90 >= {age}")
        assert abs(count - truth.fetchall()[0][0]) < 10
    assert db.ledger().num_rows == 22


def test_readers_of_pandas_and_polars(db: dpduck.Connection) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas says of each DB-API that it was tested with SQLAlchemy only
        frame = pd.read_sql(HISTOGRAM, db)
        one = pd.read_sql(HISTOGRAM.replace("GROUP", "WHERE page = ? GROUP"), db, params=["home"])
    assert list(frame.columns) == ["page", "n"]
    assert sorted(frame["page"]) == ["cart", "help", "home"]
    assert list(one["page"]) == ["home"]
    assert pl.read_database(HISTOGRAM, db).to_dict(as_series=False) == frame.to_dict("list")
    assert [row["replayed"] for row in db.ledger().to_pylist()].count(False) == 1


def test_policies_are_objects(tmp_path: Path) -> None:
    table = dpduck.TableName("t")
    with dpduck.connect(duckdb.connect(), epsilon=5) as db:
        db._data.execute("CREATE TABLE t AS SELECT range AS id, range % 3 AS g FROM range(300)")
        db.execute(dpduck.AddPrivacyKey(table, "id"))
        db.execute(dpduck.SetPrivacyDomain(table, "g", dpduck.DomainRange(0, 2)))
        db.execute(dpduck.SetContribution(table, groups=1))
        assert len(db.sql("SELECT g, count(*) FROM t GROUP BY g").fetchall()) == 3
        assert db.sql("SHOW PRIVACY").df()["domain"].notna().sum() == 1


def test_times_beyond_pythons_years_are_text_with_their_zone() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE moments AS SELECT TIMESTAMPTZ '294247-01-10 04:00:54+00' AS moment")
        connection.execute("SET GLOBAL TimeZone = 'UTC'")
        db = dpduck.connect(connection)
        db.execute("ALTER TABLE moments SET PUBLIC")
        (plain,) = connection.execute("SELECT moment::VARCHAR FROM moments").fetchall()
        assert (
            db.execute("SELECT moment FROM moments").fetchall() == [plain] == [("294247-01-10 04:00:54+00",)]
        )
