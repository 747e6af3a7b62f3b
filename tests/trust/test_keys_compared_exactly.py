"""A key of another type is met by rounding, and then one row meets many of its rows.

A UNIQUE column of BIGINT holds 256 numbers that are one DOUBLE near 2^60. A public table joined on it gave
one person's row a place in eight groups, while the noise was that of one: that a person moves one group was
concluded from the constraint, which says nothing of rounded values. Such a join is like one on no key at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pytest

import dpduck
from dpduck.kernel.errors import UnsupportedSqlError

GROUPED = "SELECT o.w, count(*) FROM t JOIN o ON {} GROUP BY o.w"
# The type of the private column, that of the public key, and two keys that are compared as equal to a value.
ROUNDED = [
    ("DOUBLE", "BIGINT", "1152921504606846976", "1152921504606846977"),
    ("FLOAT", "INTEGER", "16777216", "16777217"),
    ("BIGINT", "DOUBLE", "1", "2"),  # the other way round it is the private value that is rounded
    ("DOUBLE", "HUGEINT", "1000000000000000000000000000000", "1000000000000000000000000000001"),
    ("DOUBLE", "DECIMAL(38,0)", "1000000000000000000000000000000", "1000000000000000000000000000001"),
    ("DECIMAL(38,0)", "DECIMAL(38,10)", "1.0", "1.1"),
]
EXACT = [
    ("BIGINT", "BIGINT", "1", "2"),
    ("SMALLINT", "HUGEINT", "1", "2"),
    ("UBIGINT", "BIGINT", "1", "2"),
    ("DECIMAL(9,2)", "DECIMAL(4,1)", "1.0", "1.1"),
    ("DECIMAL(9,2)", "INTEGER", "1", "2"),
    ("FLOAT", "DOUBLE", "1", "2"),
    ("DATE", "TIMESTAMP", "'2024-01-01'", "'2024-01-01 10:00:00'"),
    ("ENUM('1', '2')", "VARCHAR", "'1'", "'2'"),
    ("VARCHAR", "VARCHAR", "'1'", "'2'"),
]


@contextmanager
def opened(private: str, public: str, one: str, two: str) -> Iterator[dpduck.Connection]:
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t(person INTEGER PRIMARY KEY, x {private})")
        connection.execute(f"INSERT INTO t VALUES (1, {one})")
        connection.execute(f"CREATE TABLE o(k {public} UNIQUE, w INTEGER)")
        connection.execute(f"INSERT INTO o VALUES ({one}, 0), ({two}, 1)")
        with dpduck.connect(connection, epsilon="0.1") as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
            db.execute("ALTER TABLE o SET PUBLIC")
            yield db


def is_for_all_groups(db: dpduck.Connection, query: str) -> bool:
    """Whether the noise is that of a person in both groups, not of one in one."""
    return "one person may be in up to 2 groups" in " ".join(str(db.explain(query)).split())


@pytest.fixture(params=["t.x = o.k", "o.k = t.x", "t.x = o.k AND o.w >= 0", "t.person = 1 AND (t.x = o.k)"])
def condition(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("case", ROUNDED, ids=lambda case: f"{case[0]} = {case[1]}")
def test_a_key_that_is_met_by_rounding_is_none(case: tuple[str, str, str, str], condition: str) -> None:
    with opened(*case) as db:
        assert is_for_all_groups(db, GROUPED.format(condition))


@pytest.mark.parametrize("case", EXACT, ids=lambda case: f"{case[0]} = {case[1]}")
def test_a_key_of_a_type_that_holds_all_values_is_met(
    case: tuple[str, str, str, str], condition: str
) -> None:
    with opened(*case) as db:
        assert len(db.execute(GROUPED.format(condition)).fetchall()) == 2
        assert not is_for_all_groups(db, GROUPED.format(condition))


def test_a_chain_of_equal_columns_has_no_rounded_link() -> None:
    with opened("DOUBLE", "BIGINT", "1", "2") as db:
        join = "SELECT o.w, count(*) FROM t JOIN o ON t.x = o.k AND t.x = t.person GROUP BY o.w"
        assert is_for_all_groups(db, join)


def test_an_optional_row_is_met_exactly_too() -> None:
    with opened("DOUBLE", "BIGINT", "1", "2") as db, pytest.raises(UnsupportedSqlError, match="a key of its"):
        db.execute("SELECT o.w, count(*) FROM t LEFT JOIN o ON t.x = o.k GROUP BY o.w")
