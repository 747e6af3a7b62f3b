"""Ends of intervals are what can be: none is open where nothing was cut, and none is beyond a domain."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck

TABLE = """
CREATE TABLE many AS SELECT i // 6 AS id, i % 6 AS k FROM range(24000) AS r(i);
CREATE TABLE visits AS SELECT i % 900 AS id, i % 4 AS k, i % 10 AS x FROM range(6000) AS r(i);
CREATE TABLE people (id INTEGER PRIMARY KEY, k INTEGER, x INTEGER);
INSERT INTO people SELECT i, i % 4, i % 10 FROM range(3000) AS r(i);
"""
POLICIES = """
ALTER TABLE many ADD PRIVACY_KEY (id)
ALTER TABLE many ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 5)
ALTER TABLE visits ADD PRIVACY_KEY (id)
ALTER TABLE visits ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 3)
ALTER TABLE visits ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 9)
ALTER TABLE people ADD PRIVACY_KEY (id)
ALTER TABLE people ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 3)
ALTER TABLE people ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 9)
CREATE PRIVACY BUDGET b LIMIT 1000
"""
PRIVATE = "WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 'private')"


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute(TABLE)
        with dpduck.connect(rows, epsilon="1") as opened:
            opened.execute("; ".join(POLICIES.strip().splitlines()))
            opened.execute("SET dp_replay = off")
            yield opened


@pytest.mark.parametrize("items", ["count(*) AS n", "k, count(*) AS n", "count(*) + 1 AS n, k"])
def test_what_is_counted_in_all_groups_is_cut_in_none(items: str, db: dpduck.Connection) -> None:
    """Each of 4,000 is in all 6 groups, so that 6 is chosen for sure."""
    answer = db.sql(f"SELECT {PRIVATE} {items} FROM many GROUP BY k")
    ends = answer.intervals().to_pydict()
    assert all(low < n < high for n, low, high in zip(ends["n"], ends["n_low"], ends["n_high"], strict=True))
    assert "or higher" not in f"{answer!r} {answer.error_line}"
    assert not [notice for notice in answer.notices if "chosen privately" in notice]


def test_what_is_counted_in_fewer_groups_may_be_cut(db: dpduck.Connection) -> None:
    answer = db.sql(f"SELECT {PRIVATE} k, count(*) AS n FROM many WHERE id % 6 = k GROUP BY k")
    assert set(answer.intervals().to_pydict()["n_high"]) == {None}
    assert "or higher" in str(answer.error_line)
    assert [notice for notice in answer.notices if "chosen privately (1)" in notice]


@pytest.mark.parametrize("table", ["visits", "people"])
@pytest.mark.parametrize("count", ["count(DISTINCT x) AS n", "1 + count(DISTINCT x) AS n"])
def test_no_more_values_are_there_than_a_domain_has(table: str, count: str, db: dpduck.Connection) -> None:
    most = 11 if count.startswith("1") else 10
    for query in (f"SELECT {count} FROM {table}", f"SELECT k, {count} FROM {table} GROUP BY k"):
        answer = db.sql(query)
        ends = answer.intervals().to_pydict()
        assert all(0 <= low <= high <= most for low, high in zip(ends["n_low"], ends["n_high"], strict=True))
        assert "or higher" not in f"{answer!r} {answer.error_line}"


def test_values_that_are_not_bounded_have_no_upper_end(db: dpduck.Connection) -> None:
    answer = db.sql("SELECT count(DISTINCT x + id) AS n FROM visits")
    assert answer.intervals().to_pydict()["n_high"] == [None]
