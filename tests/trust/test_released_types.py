"""What a mechanism may choose fits the type that the answer declares, and it can take what it is given.

What leaked, or was charged for nothing: a quantile whose range followed from domains could land on a point
that its type does not hold, which was refused after the charge (and earlier still if a row came by); a mode
over more candidates than 2^62 was charged, and failed always.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.compiler.planner.plan_parts import MAX_CANDIDATES
from dpduck.kernel.errors import DpduckError, PolicyError, UnsupportedSqlError
from tests.trust.doors import DOORS

TABLE = """
CREATE TABLE t AS SELECT i AS u, (i * 10)::INTEGER AS price, i / 1.0 AS x, i::FLOAT AS f, i AS b,
    i % 2 = 0 AS ok,
    (i::UHUGEINT + '170141183460469231731687303715884105728'::UHUGEINT) AS big, i::UHUGEINT AS uh,
    DATE '2024-01-01' + i::INTEGER AS d
FROM range(40) AS r(i)
"""
POLICIES = (
    "ADD PRIVACY_KEY (u)",
    "ALTER COLUMN price SET PRIVACY DOMAIN BETWEEN (0, 100000)",
    "ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 1.7e308)",
    "ALTER COLUMN f SET PRIVACY DOMAIN BETWEEN (0, 3e38)",
    "ALTER COLUMN b SET PRIVACY DOMAIN BETWEEN (-9223372036854775808, 9223372036854775807)",
    "ALTER COLUMN big SET PRIVACY DOMAIN BETWEEN (170141183460469231731687303715884105720, "
    "170141183460469231731687303715884105770) STEP 2",
    "ALTER COLUMN uh SET PRIVACY DOMAIN IN (0, 7, 340282366920938463463374607431768211455)",
    "ALTER COLUMN d SET PRIVACY DOMAIN BETWEEN ('0001-01-01', '9999-12-31')",
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("types") / "t.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLE)
    with dpduck.connect(str(path)) as db:
        for policy in POLICIES:
            db.execute(f"ALTER TABLE t {policy}")
    return path


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    connection = duckdb.connect()
    connection.execute(TABLE)
    with dpduck.connect(connection, epsilon="0.0001") as db:
        for policy in POLICIES:
            db.execute(f"ALTER TABLE t {policy}")
        yield db


NARROW = (
    "CAST(price AS TINYINT)", "CAST(price AS UTINYINT)", "CAST(price AS DECIMAL(3,1))", "CAST(x AS INTEGER)",
    "CAST(x AS FLOAT)", "x * 1e300", "f * 10", "CAST(price * price AS SMALLINT)", "-CAST(x AS INTEGER)",
    "CAST(x AS DECIMAL(18,18))", "abs(CAST(price AS TINYINT))", "greatest(CAST(price AS TINYINT), 5)",
    "CAST(big AS DOUBLE) - 1e38", "round(CAST(price AS DECIMAL(4,0)), -3)", "d + 1000",
)  # fmt: skip


@pytest.mark.parametrize("expression", NARROW)
def test_any_point_of_a_range_is_a_value_of_the_type(db: dpduck.Connection, expression: str) -> None:
    """Nobody counts, so noise alone chooses: from end to end of the range."""
    for aggregate in ("min", "max", "median"):
        for turn in range(8):
            nobody = f"u < -{turn + 1}"
            try:
                db.execute(f"SELECT {aggregate}({expression}) FROM t WHERE {nobody}")
            except UnsupportedSqlError as error:
                assert "Nothing was charged." in str(error.detail)
            except PolicyError:
                pass
            else:
                assert db.fetchall()[0][0] is not None


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("sql", ["SELECT mode(b // 2) FROM t", "SELECT ok, mode(b) FROM t GROUP BY ok"])
def test_a_mode_of_too_many_candidates_is_refused_before_the_charge(file: Path, door: str, sql: str) -> None:
    before = DOORS[door](file, "SELECT nothing FROM t").charges
    said = DOORS[door](file, sql)
    assert (said.error, said.charges) == ("mode has too many candidates", before)


@pytest.mark.parametrize("size", [MAX_CANDIDATES, MAX_CANDIDATES - 1])
def test_as_many_candidates_as_the_mechanism_takes_are_answered(size: int) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i AS u, i AS b FROM range(40) AS r(i)")
    with dpduck.connect(connection, epsilon="1") as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (u)")
        db.execute(f"ALTER TABLE t ALTER COLUMN b SET PRIVACY DOMAIN BETWEEN (-5, {size - 6})")
        [(value,)] = db.execute("SELECT mode(b) FROM t").fetchall()
        assert -5 <= value <= size - 6


def test_numbers_from_two_to_the_127_keep_their_sign(db: dpduck.Connection) -> None:
    high = 2**127
    for sql in (
        "SELECT mode(big) FROM t",
        "SELECT median(big) FROM t",
        "SELECT big, count(*) FROM t GROUP BY big",
    ):
        try:
            values = [row[0] for row in db.execute(sql).fetchall()]
        except DpduckError as error:
            assert "Nothing was charged." in str(error.detail), sql
        else:
            assert all(high - 8 <= int(value) <= high + 42 for value in values), sql
    keys = {int(row[0]) for row in db.execute("SELECT uh, count(*) FROM t GROUP BY uh").fetchall()}
    assert keys == {0, 7, 2**128 - 1}


@pytest.mark.parametrize("aggregate", ["avg(x * 1e300 - x * 1e300)", "sum(x * 1e300)"])
def test_a_range_beyond_all_doubles_is_refused(db: dpduck.Connection, aggregate: str) -> None:
    with pytest.raises(UnsupportedSqlError, match="too wide") as caught:
        db.execute(f"SELECT {aggregate} FROM t")
    assert "Nothing was charged." in str(caught.value.detail)


@pytest.mark.parametrize("order", ["ORDER BY n DESC LIMIT 3", "HAVING count(*) > 5 LIMIT 3"])
def test_one_candidate_more_is_refused_in_a_ranking(order: str) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i AS u, i AS b FROM range(40) AS r(i)")
    with dpduck.connect(connection, epsilon="1") as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (u)")
        db.execute(f"ALTER TABLE t ALTER COLUMN b SET PRIVACY DOMAIN BETWEEN (0, {MAX_CANDIDATES})")
        with pytest.raises(DpduckError, match="the keys have too many combinations"):
            db.execute(f"SELECT b, count(*) AS n FROM t GROUP BY b {order}")


@pytest.mark.parametrize("target", ["BOOLEAN", "VARCHAR"])
def test_what_has_no_order_has_no_median(db: dpduck.Connection, target: str) -> None:
    """It was charged, and failed or not by whether a row came by."""
    with pytest.raises(UnsupportedSqlError, match="has no order to choose from"):
        db.execute(f"SELECT median(CAST(price AS {target})) FROM t")
