"""Whether a correlation is NULL follows from noisy sums, which the audit must not take for a leak."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb
import pytest

from dpduck import policies
from dpduck.doors.audit import releases
from dpduck.doors.audit.carrying import Carrier
from dpduck.doors.audit.differential import Difference
from tests.audit.stage import Stage
from tests.query.shop import statement
from tests.sources import Seeded

POLICIES = (
    "ALTER TABLE t ADD PRIVACY_KEY (person)",
    "ALTER TABLE t ALTER COLUMN a SET PRIVACY DOMAIN BETWEEN (0, 10)",
    "ALTER TABLE t ALTER COLUMN b SET PRIVACY DOMAIN BETWEEN (0, 10)",
)
QUERY = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 3) corr(a, b) AS c, regr_slope(a, b) AS r FROM t"


def open_few(path: str, people: int) -> duckdb.DuckDBPyConnection:
    """So few people that noise often leaves no variance."""
    connection = duckdb.connect(path)
    connection.execute(
        "CREATE TABLE t AS SELECT i AS person, (i * 7 % 10)::INTEGER AS a, (i * 3 % 10)::INTEGER AS b "
        f"FROM range({people}) r(i)"
    )
    for text in POLICIES:
        policies.execute(connection, statement(text))
    return connection


def differences(folder: Path) -> list[Difference]:
    """What the audit finds in one question of tables of several sizes, with other noise for each."""
    found = []  # each of these sizes with its noise was seen to be NULL on one side
    for people in (13, 14, 21, 24):
        stage = Stage(folder / str(people), "few", partial(open_few, people=people))
        stage.carrier = Carrier(partial(Seeded, f"s{people - 10}"))
        found += stage.check(QUERY)
        stage.close()
    return found


def test_a_correlation_that_noise_makes_null_is_no_leak(tmp_path: Path) -> None:
    found = differences(tmp_path)
    assert not found, str(found[0])


def test_noise_makes_some_null(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(releases, "_may_be_null", lambda _: frozenset())
    found = differences(tmp_path)
    assert found and all("is NULL on one side" in str(one) for one in found)
