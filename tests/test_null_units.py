"""Rows that belong to nobody, as their key or link is NULL: an answer says that it does not count them."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck

TABLES = """
CREATE TABLE members (id INTEGER PRIMARY KEY, city VARCHAR);
CREATE TABLE visits (member INTEGER, number INTEGER PRIMARY KEY, ms INTEGER);
CREATE TABLE clicks (visit INTEGER, x INTEGER);
CREATE TABLE solo (person INTEGER UNIQUE, x INTEGER);
CREATE TABLE sure (person INTEGER NOT NULL, x INTEGER);
"""
POLICIES = """
ALTER TABLE members ADD PRIVACY_KEY (id);
ALTER TABLE visits ADD PRIVACY_LINK (member) REFERENCES members(id);
ALTER TABLE clicks ADD PRIVACY_LINK (visit) REFERENCES visits(number);
ALTER TABLE solo ADD PRIVACY_KEY (person);
ALTER TABLE sure ADD PRIVACY_KEY (person);
ALTER TABLE visits ALTER COLUMN ms SET PRIVACY DOMAIN BETWEEN (0, 100);
"""
VISITS = "Rows of visits whose member is NULL are not counted."
CLICKS = "Rows of clicks whose visit is NULL and of visits whose member is NULL are not counted."
SOLO = "Rows of solo whose person is NULL are not counted."
LARGEST = "(SELECT member, max(ms) AS m FROM visits GROUP BY member)"
COUNTS = "(SELECT person, least(count(*), 5) AS n FROM solo GROUP BY person)"
NOT_IN = "NOT IN ignores rows of visits whose member is NULL."


@pytest.fixture(scope="module")
def said() -> dict[str, tuple[str, ...]]:
    """What the owner was told, by statement."""
    return {}


@pytest.fixture(scope="module")
def db(said: dict[str, tuple[str, ...]]) -> Iterator[dpduck.Connection]:
    with duckdb.connect() as con:
        con.execute(TABLES)
        db = dpduck.connect(con, epsilon="1")
        for statement in POLICIES.strip().split(";")[:-1]:
            db.execute(statement)
            said[statement.strip()] = tuple(map(str, db.notices))
        yield db


@pytest.mark.parametrize(
    ("sql", "notices"),
    [
        ("SELECT count(*) AS n FROM solo", [SOLO]),
        ("SELECT count(*) AS n, count(x) AS m FROM solo", [SOLO]),
        ("SELECT x > 3 AS k, count(*) AS n FROM solo GROUP BY k", [SOLO]),
        ("SELECT count(*) AS n FROM clicks", [CLICKS]),
        ("SELECT avg(ms) AS n FROM visits", [VISITS]),
        ("SELECT sum(ms) AS n FROM visits", [VISITS]),
        ("SELECT median(ms) AS n FROM visits", [VISITS]),
        ("SELECT count(*) AS n FROM visits LEFT JOIN members ON members.id = visits.member", [VISITS]),
        (f"SELECT count(*) AS n FROM {LARGEST} WHERE m > 5", [VISITS]),
        (f"SELECT avg(n) AS a FROM {COUNTS}", [SOLO]),
        ("SELECT count(*) AS n FROM members WHERE id NOT IN (SELECT member FROM visits)", [NOT_IN]),
        (f"SELECT count(*) AS n FROM members WHERE NOT id IN (SELECT member FROM {LARGEST})", [NOT_IN]),
    ],
)
def test_it_is_said_where_plain_sql_counts_them(db: dpduck.Connection, sql: str, notices: list[str]) -> None:
    explained = db.explain(sql)
    assert _of_nulls(explained.caveats) == notices
    assert "both" not in explained.covers.values()
    assert _of_nulls(db.execute(sql).notices) == notices


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) AS n FROM members",
        "SELECT count(*) AS n FROM sure",
        "SELECT count(DISTINCT person) AS n FROM solo",
        "SELECT count(person) AS n FROM solo",
        "SELECT count(*) AS n FROM solo WHERE person IS NOT NULL",
        "SELECT count(*) FILTER (WHERE person IS NOT NULL) AS n FROM solo",
        "SELECT count(*) AS n FROM visits JOIN members ON members.id = visits.member",
        "SELECT count(visits.member) AS n FROM members LEFT JOIN visits ON members.id = visits.member",
        "SELECT count(*) AS n FROM members WHERE id IN (SELECT member FROM visits)",
        "SELECT count(*) AS n FROM members WHERE NOT EXISTS (FROM visits WHERE visits.member = members.id)",
        "SELECT count(*) FROM members WHERE id NOT IN (SELECT member FROM visits WHERE member IS NOT NULL)",
        f"SELECT count(*) AS n FROM {LARGEST} WHERE member IS NOT NULL",
    ],
)
def test_nothing_is_said_where_plain_sql_leaves_them_out_or_none_can_be(
    db: dpduck.Connection, sql: str
) -> None:
    assert not _of_nulls(db.explain(sql).caveats)


def test_count_star_beside_a_count_of_units_counts_them_in_plain_sql(db: dpduck.Connection) -> None:
    for sql in ("SELECT count(*) AS n, count(person) AS m", "SELECT count(person) AS m, count(*) AS n"):
        assert _of_nulls(db.explain(f"{sql} FROM solo").caveats) == [SOLO]


def test_the_owner_is_told_with_the_cure(db: dpduck.Connection, said: dict[str, tuple[str, ...]]) -> None:
    """Nothing is said of a column that has a constraint, and nothing more once it has one."""
    told = {statement: [one for one in notices if "NULL" in one] for statement, notices in said.items()}
    assert [statement for statement, notices in told.items() if notices] == [
        "ALTER TABLE visits ADD PRIVACY_LINK (member) REFERENCES members(id)",
        "ALTER TABLE clicks ADD PRIVACY_LINK (visit) REFERENCES visits(number)",
        "ALTER TABLE solo ADD PRIVACY_KEY (person)",
    ]
    assert told["ALTER TABLE visits ADD PRIVACY_LINK (member) REFERENCES members(id)"] == [
        "Rows of visits whose member is NULL are not counted, as nobody is behind them. If there are none, "
        "ALTER TABLE visits ALTER COLUMN member SET NOT NULL in DuckDB itself ends the notice that answers "
        "have of this."
    ]


def test_a_constraint_ends_the_notice() -> None:
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (person INTEGER, x INTEGER)")
        with dpduck.connect(con, epsilon="1") as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
            assert len(_of_nulls(db.explain("SELECT count(*) FROM t").caveats)) == 1
            con.execute("ALTER TABLE t ALTER COLUMN person SET NOT NULL")
            assert not _of_nulls(db.explain("SELECT count(*) FROM t").caveats)


def _of_nulls(notices: object) -> list[str]:
    assert isinstance(notices, (list, tuple))
    return [one for one in map(str, notices) if "whose" in one and "NULL" in one and "left out" not in one]
