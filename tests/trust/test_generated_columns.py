"""A generated column is computed from each row that is read: a row updated to no value failed every query."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import UnknownNameError

TABLE = """
CREATE TABLE visits(
    person INT, zip VARCHAR DEFAULT '1', "a b" INT GENERATED ALWAYS AS (CAST(zip AS INT)),
    z INT GENERATED ALWAYS AS (CAST(zip AS INT)) VIRTUAL, r DOUBLE AS (random()), n INT DEFAULT 5,
    unit_price INT DEFAULT 3, price INT AS (CAST(zip AS INT)))
"""


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as connection:
        connection.execute(TABLE)
        connection.execute("INSERT INTO visits(person, zip) SELECT i, '1000' FROM range(500) AS t(i)")
        connection.execute("UPDATE visits SET zip = 'n/a' WHERE person = 7")
        with dpduck.connect(connection, epsilon="1") as protected:
            yield protected


@pytest.mark.parametrize("column", ["z", '"a b"', "r", "price"])
def test_it_is_left_out_by_name(db: dpduck.Connection, column: str) -> None:
    db.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
    with pytest.raises(UnknownNameError, match="is left out") as caught:
        db.execute(f"SELECT count(*) FROM visits WHERE {column} > 1")
    assert "generated column" in str(caught.value)
    assert db.execute("FROM dp_ledger()").fetchall() == []


def test_it_is_no_privacy_key(db: dpduck.Connection) -> None:
    with pytest.raises(UnknownNameError, match="is left out"):
        db.execute("ALTER TABLE visits ADD PRIVACY_KEY (z)")


def test_other_columns_answer(db: dpduck.Connection) -> None:
    """Also those that only have a default."""
    db.execute("ALTER TABLE visits ADD PRIVACY_KEY (person)")
    for condition in ("zip = '1000'", "n = 5", "unit_price = 3"):
        assert abs(db.execute(f"SELECT count(*) FROM visits WHERE {condition}").fetchall()[0][0] - 500) < 40


@pytest.mark.parametrize(
    "other",
    [
        "y VARCHAR DEFAULT ', z INTEGER DEFAULT('",
        "y VARCHAR CHECK (y <> ', z INTEGER DEFAULT(4)')",
        "y ENUM('a', ', z INTEGER DEFAULT(1')",
        '"y, z INTEGER DEFAULT(" INTEGER DEFAULT 5',
        '"GENERATED ALWAYS AS" INTEGER DEFAULT 5',
    ],
)
def test_what_stands_in_a_text_or_a_name_does_not_hide_it(other: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE t(person INT, zip VARCHAR, {other}, z INT AS (CAST(zip AS INT)), "
            '"a ""(b" INT AS (CAST(zip AS INT)))'
        )
        with dpduck.connect(connection, epsilon="1") as protected:
            protected.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
            for column in ("z", '"a ""(b"'):
                with pytest.raises(UnknownNameError, match="is left out"):
                    protected.execute(f"SELECT count(*) FROM t WHERE {column} > 1")
            named = other.split(" INTEGER DEFAULT 5")[0] if other.startswith('"') else "y"
            protected.execute(f"SELECT count(*) FROM t WHERE {named} IS NOT NULL").fetchall()
