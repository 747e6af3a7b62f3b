"""The line that says how far off an answer is, where its columns are not the released numbers themselves."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers.error_line import error_line
from dpduck.doors.console.plus_minus import rounded_error

COMPUTED = "Computed of noisy numbers: see EXPLAIN."


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute(
            "CREATE TABLE t AS SELECT i % 20 AS id, i % 4 AS k, 1 + i % 10 AS x FROM range(160) AS r(i)"
        )
        with dpduck.connect(rows, epsilon="0.1") as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b LIMIT 1000;"
                "ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 3);"
                "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20)"
            )
            yield db


def line(db: dpduck.Connection, query: str) -> str | None:
    rows = db.sql(query)._rows
    assert rows is not None
    return error_line(rows, rounded_error)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT k, count(*) / count(DISTINCT x) AS r FROM t GROUP BY k",
        "SELECT n / m AS r FROM (SELECT k, count(*) AS n, count(DISTINCT x) AS m FROM t GROUP BY k)",
    ],
)
def test_a_quotient_has_no_error_that_explain_knows(query: str, db: dpduck.Connection) -> None:
    assert line(db, query) == COMPUTED
    assert "r" not in db.explain(query).expected_error


def test_of_a_median_explain_says_it(db: dpduck.Connection) -> None:
    assert (
        line(db, "SELECT median(x) AS m FROM t")
        == "These numbers have noise; EXPLAIN says how far off they are."
    )


def test_an_only_end_that_is_0_says_nothing_of_noise(db: dpduck.Connection) -> None:
    """Of sums that noise hides, whose clamp is chosen: the distance from a number to 0 is not its error."""
    query = "SELECT k, sum(x) AS s FROM t GROUP BY k"
    answer = db.sql(query)
    rows = answer.intervals().to_pylist()
    assert all(row["s_low"] == 0 and row["s_high"] is None for row in rows)
    assert "±" not in (line(db, query) or "")
    assert "±" not in repr(answer)
    assert repr(answer).count("(0 or higher)") == len(rows)
