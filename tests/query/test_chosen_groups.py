"""GROUP BY where a unit may be in many groups, and in how many it counts is chosen privately."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.doors.audit import moves
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.plan.aggregates import ChosenCount, Count, Mean
from dpduck.kernel.plan.cost import interval_factors
from dpduck.kernel.plan.coverage import covers
from dpduck.kernel.plan.model import Plan
from dpduck.policies import load_catalog
from tests.query import quiet
from tests.query.shop import any_plan

TABLES = """
CREATE TABLE v AS SELECT
  (hash(i) % 300)::INTEGER AS person, floor(pow((hash(i, 'x') % 10000) / 10000, 2.5) * 90)::INTEGER AS item,
  (i % 3)::INTEGER AS page, (i % 7)::INTEGER AS x
FROM range(6000) AS range (i)
"""
POLICIES = (
    "ALTER TABLE v ADD PRIVACY_KEY (person)",
    "ALTER TABLE v ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, 89)",
    "ALTER TABLE v ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 2)",
    "ALTER TABLE v ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 6)",
)
PRIVATE = "WITH DIFFERENTIAL_PRIVACY OPTIONS (max_groups_contributed = 'private')"
UNITS = f"SELECT {PRIVATE} item, count(*) AS n FROM v GROUP BY item ORDER BY item"
ROWS = f"SELECT {PRIVATE} item, count(*, contribution_bounds_per_group => (0, 3)) AS n FROM v GROUP BY item"
PAIRS = f"SELECT {PRIVATE} item, page, count(*) AS n FROM v WHERE x > 1 GROUP BY item, page"
SOME = f"SELECT {PRIVATE} item, count(*) FILTER (WHERE page = 1) AS n, avg(x) AS a FROM v GROUP BY item"
QUERIES = (UNITS, ROWS, PAIRS, SOME)


def opened(*policies: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(TABLES)
    owner = dpduck.connect(connection)
    for statement in policies:
        owner.execute(statement)
    return connection


@pytest.fixture(scope="module")
def shop() -> Iterator[duckdb.DuckDBPyConnection]:
    with opened(*POLICIES) as connection:
        yield connection


def plan_of(query: str, connection: duckdb.DuckDBPyConnection, epsilon: str = "1") -> Plan:
    facts = PublicFacts(connection)
    made = any_plan(
        query, load_catalog(connection), epsilon=Fraction(epsilon), delta=Fraction(0), facts=facts
    )
    assert isinstance(made, Plan)
    return made


def kinds(query: str, connection: duckdb.DuckDBPyConnection, epsilon: str = "1") -> list[type]:
    return [type(measure.request) for measure in plan_of(query, connection, epsilon).measures]


@pytest.mark.parametrize("query", QUERIES)
def test_without_noise_it_is_that_of_plain_sql(query: str, shop: duckdb.DuckDBPyConnection) -> None:
    """With so much epsilon that nothing may be missed, all groups of all units count."""
    plain = {
        UNITS: "SELECT item, count(DISTINCT person) FROM v GROUP BY item ORDER BY item",
        ROWS: "SELECT item, sum(least(n, 3))::BIGINT FROM (SELECT item, count(*) AS n FROM v "
        "GROUP BY item, person) GROUP BY item ORDER BY item",
        PAIRS: "SELECT item, page, count(DISTINCT person) FROM v WHERE x > 1 GROUP BY item, page",
        SOME: "SELECT item, count(DISTINCT person) FILTER (WHERE page = 1) FROM v GROUP BY item",
    }[query]
    width = 2 if query == PAIRS else 1
    expected = {row[:width]: row[width] for row in shop.execute(plain).fetchall()}
    for row in quiet.answer(plan_of(query, shop), shop).fetchall():
        assert row[width] == expected.get(row[:width], 0)


def test_the_counts_of_a_level_are_those_of_that_bound(shop: duckdb.DuckDBPyConnection) -> None:
    """A declared bound keeps the same groups by the same hash."""
    plan = plan_of(UNITS, shop)
    [scores] = moves.read(plan, shop)
    [request] = [measure.request for measure in plan.measures]
    assert isinstance(request, ChosenCount)
    for level, most in enumerate(request.ladder):
        own = plan_of(UNITS.replace("'private'", str(most)), shop)
        bounded = dict(shop.execute(own.measures[0].score_sql).fetchall())
        found = dict.fromkeys(bounded, 0)
        for (item, at), (number, _) in scores.rows.items():
            if int(str(at)) <= level:
                found[item] += int(str(number))
        assert {item: number for item, number in found.items() if number} == bounded


@pytest.mark.slow
def test_one_person_moves_as_many_groups_as_count() -> None:
    """Also one who is in all groups, many times."""
    everywhere = "INSERT INTO v SELECT 1, i % 90, i % 3, i % 7 FROM range(4000) AS range (i)"
    for query in QUERIES:
        for change in ("SELECT 1", everywhere):
            with opened(*POLICIES) as full, opened(*POLICIES) as less:
                for connection in (full, less):
                    connection.execute(change)
                less.execute("DELETE FROM v WHERE person = 1")
                moves.check(plan_of(query, full), full, [less])


def test_a_person_with_too_many_groups_is_seen() -> None:
    """The check that the one above relies on: a person whose groups all were at the first level."""
    with opened(*POLICIES) as full, opened(*POLICIES) as less:
        less.execute("DELETE FROM v WHERE person = 1")
        plan = plan_of(UNITS, full)
        [part] = moves.parts_of(plan)
        before, after = moves.read(plan, full), moves.read(plan, less)
        merged = [replace(one, rows=_at_first(one)) for one in (before[0], after[0])]
        assert len(part.keys) == 2
        with pytest.raises(moves.ViolationError):
            moves.compare(plan, [merged[0]], [merged[1]])


def _at_first(scores: moves.ReadScores) -> dict[tuple[object, ...], tuple[object, ...]]:
    found: dict[tuple[object, ...], tuple[object, ...]] = {}
    for (item, _), (number, first) in scores.rows.items():
        old = found.get((item, 0), (0, 0))
        found[item, 0] = (int(str(old[0])) + int(str(number)), int(str(old[1])) + int(str(first)))
    return found


def test_it_is_chosen_only_where_it_is_asked_for_and_no_bound_says_it(
    shop: duckdb.DuckDBPyConnection,
) -> None:
    assert kinds(UNITS, shop) == [ChosenCount]
    assert kinds(UNITS.replace("'private'", "5"), shop) == [Count]
    assert kinds("SELECT item, count(*) FROM v GROUP BY item", shop) == [Count]
    assert kinds(SOME, shop) == [ChosenCount, Mean]
    assert kinds(UNITS.replace("item", "page"), shop) == [Count]  # a person may be in 3 groups
    assert kinds(f"SELECT {PRIVATE} count(*) FROM v", shop) == [Count]
    assert kinds(f"SELECT {PRIVATE} page, item, count(*) FROM v GROUP BY ROLLUP (page, item)", shop) == [
        Count
    ]
    with opened(*POLICIES, "ALTER TABLE v SET PRIVACY CONTRIBUTION (groups = 7)") as bounded:
        assert kinds(UNITS, bounded) == [Count]


def test_ranked_groups_are_ranked_as_before(shop: duckdb.DuckDBPyConnection) -> None:
    top = f"SELECT {PRIVATE} item, count(*) AS n FROM v GROUP BY item ORDER BY n DESC LIMIT 5"
    plain = plan_of(top.replace(PRIVATE, ""), shop)
    assert plan_of(top, shop) == plain


def test_intervals_have_a_lower_end_and_allow_for_what_is_chosen(shop: duckdb.DuckDBPyConnection) -> None:
    assert covers(plan_of(UNITS, shop)) == {"a0": "below"}
    assert interval_factors(plan_of(UNITS, shop)) == {}
    first = f"{UNITS[: UNITS.index(' ORDER')]} QUALIFY row_number() OVER (ORDER BY n DESC) = 1"
    factors = interval_factors(plan_of(first, shop))
    assert all(factor > 1 for factor in factors.values())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(TABLES)
    with dpduck.connect(path) as owner:
        for statement in POLICIES:
            owner.execute(statement)
    return path


QUERY = "SELECT item, count(*) AS n, dp_low(n) AS low, dp_high(n) AS high FROM v GROUP BY item ORDER BY item"


def test_a_session_asks_for_it_and_the_answer_says_so(data: Path) -> None:
    with dpduck.connect(data, epsilon="1") as db:
        db.execute("SET dp_max_groups_contributed = 'private'")
        rows = db.execute(QUERY).fetchall()
        said = [str(notice) for notice in db.notices]
        assert len(rows) == 90
        assert all((low < number or low == 0) and high is None for _, number, low, high in rows)
        assert any(
            re.match(
                r"n counts each person in at most m of its groups, m up to 90 chosen privately \([0-9]+\):",
                one,
            )
            for one in said
        )
        assert not any("has no effect" in one for one in said)
        assert not any("times as wide" in one for one in said)
        spent = db.execute("SELECT * FROM dp_budget()").fetchall()
        assert db.execute(QUERY).fetchall() == rows
        assert db.execute("SELECT * FROM dp_budget()").fetchall() == spent
        db.execute("SET dp_max_groups_contributed = 9")
        assert all(high is None for *_, high in db.execute(QUERY).fetchall())  # a bound cuts, too
        db.execute("SET dp_max_groups_contributed = 'all'")
        assert all(high is not None for *_, high in db.execute(QUERY).fetchall())


def test_explain_says_what_noise_does_to_each_number_of_groups(data: Path) -> None:
    with dpduck.connect(data, epsilon="1") as db:
        db.execute("SET dp_max_groups_contributed = 'private'")
        made = db.explain(QUERY)
    assert (made.expected_error, made.error_of) == ({"n": 3}, {"n": "noise"})
    assert made.mechanism == "chosen_groups"
    [promise] = made.promises
    assert promise == (
        "n is a lower estimate: person in more than m groups are missed in some of them; noise is within 3 "
        "with probability 95 % for m = 1, within 7 for m = 2, and about twice as much for each doubling; "
        "0.1 of epsilon chooses m"
    )


def test_other_words_are_refused(data: Path) -> None:
    with dpduck.connect(data, epsilon="1") as db:
        for word in ("'most'", "0", "'private 4'"):
            with pytest.raises(dpduck.ParameterError, match="is not a bound on contributions"):
                db.execute(f"SET dp_max_groups_contributed = {word}")
