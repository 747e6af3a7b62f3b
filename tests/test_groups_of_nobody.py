"""Keys of a public domain that no row has: what an answer, and its plan, say of them."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck


@pytest.fixture
def owner() -> Iterator[dpduck.Connection]:
    """2,000 people, whose schools are 4 of 200 that are declared, and whose ages are up to 99."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE people AS SELECT i AS id, i % 4 AS school, i % 100 AS age FROM range(2000) t(i);"
            "ALTER TABLE people ADD PRIMARY KEY (id)"
        )
        with dpduck.connect(connection, epsilon="1") as db:
            db.execute("ALTER TABLE people ADD PRIVACY_KEY (id)")
            db.execute("ALTER TABLE people ALTER COLUMN school SET PRIVACY DOMAIN BETWEEN (0, 199)")
            db.execute("ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 99)")
            yield db


def said(db: dpduck.Connection, query: str) -> str:
    """The notices of an answer that are about groups without rows."""
    return "\n".join(str(one) for one in db.execute(query).notices if "no rows" in str(one))


def test_groups_that_may_have_no_rows_are_counted_in_one_notice(owner: dpduck.Connection) -> None:
    found = said(owner, "SELECT school, count(*) AS n FROM people GROUP BY school")
    assert "of 200 groups may have no rows" in found
    assert "HAVING dp_low(n) >= 1" in found
    assert "HAVING count(*) > 0" in found
    assert int(found.split()[0]) > 150
    assert "dp_low" not in said(owner, "SELECT school, sum(age) AS n FROM people GROUP BY school")


def test_what_the_notice_names_leaves_out_what_nobody_is_in(owner: dpduck.Connection) -> None:
    query = "SELECT school, count(*) AS n FROM people GROUP BY school HAVING dp_low(n) >= 1 ORDER BY school"
    answer = owner.execute(query)
    assert not [one for one in answer.notices if "no rows" in str(one)]
    assert {0, 1, 2, 3} <= {school for school, _ in answer.fetchall()}


def test_groups_that_all_have_rows_for_sure_are_not_spoken_of(owner: dpduck.Connection) -> None:
    query = "SELECT school, count(*) AS n FROM people WHERE school < 4 GROUP BY school"
    assert said(owner, query) == ""


@pytest.mark.parametrize(
    ("query", "is_said"),
    [
        ("SELECT school FROM people WHERE id < 0 GROUP BY school", True),
        ("SELECT DISTINCT school FROM people WHERE age > 98", True),
        ("SELECT school FROM people WHERE school < 9 GROUP BY school", False),
        ("SELECT DISTINCT school FROM people", False),
    ],
)
def test_keys_alone_say_that_conditions_on_other_columns_do_not_matter(
    owner: dpduck.Connection, query: str, is_said: bool
) -> None:
    notices = " ".join(map(str, owner.execute(query).notices))
    assert ("All declared values of school are listed, whatever conditions say" in notices) == is_said
    assert "whatever conditions say of other columns" in str(owner.explain(query))
