"""count(DISTINCT x) with a privately chosen number of values per unit, from the query to the answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck.compiler.planner.distinct_values import Function
from dpduck.doors.audit import moves
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.mechanisms.distinct_values import ladder
from dpduck.kernel.plan.aggregates import ChosenDistinct, Distinct
from dpduck.kernel.plan.cost import interval_factors
from dpduck.kernel.plan.coverage import covers
from dpduck.kernel.plan.model import Plan
from dpduck.policies import load_catalog
from tests.oracles import distinct
from tests.query import quiet
from tests.query.shop import any_plan

TABLES = """
CREATE TABLE v AS SELECT
  (hash(i) % 300)::INTEGER AS person, floor(pow((hash(i, 'x') % 10000) / 10000, 2.5) * 900)::INTEGER AS item,
  floor(pow((hash(i, 'x') % 10000) / 10000, 2.5) * 900)::INTEGER::VARCHAR AS name, (i % 3)::INTEGER AS page,
  (i % 40)::INTEGER AS kind, (i % 500)::INTEGER AS code, (i % 400)::DECIMAL(9, 2) AS price
FROM range(3000) AS range (i)
"""
POLICIES = (
    "ALTER TABLE v ADD PRIVACY_KEY (person)",
    "ALTER TABLE v ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 2)",
    "ALTER TABLE v ALTER COLUMN kind SET PRIVACY DOMAIN BETWEEN (0, 39)",
    "ALTER TABLE v ALTER COLUMN code SET PRIVACY DOMAIN BETWEEN (0, 499)",
)


def opened(tables: str, *policies: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(tables)
    owner = dpduck.connect(connection)
    for statement in policies:
        owner.execute(statement)
    return connection


@pytest.fixture(scope="module")
def shop() -> Iterator[duckdb.DuckDBPyConnection]:
    with opened(TABLES, *POLICIES) as connection:
        yield connection


def plan_of(
    query: str, connection: duckdb.DuckDBPyConnection, epsilon: str = "1", distinct: Function = "ranked"
) -> Plan:
    made = any_plan(
        query,
        load_catalog(connection),
        epsilon=Fraction(epsilon),
        facts=PublicFacts(connection),
        distinct=distinct,
    )
    assert isinstance(made, Plan)
    return made


def chosen(plan: Plan) -> ChosenDistinct:
    [found] = [m.request for m in plan.measures if isinstance(m.request, ChosenDistinct)]
    return found


def ranks(connection: duckdb.DuckDBPyConnection, plan: Plan, column: str) -> list[list[int]]:
    """The values of each person by the hash that the score SQL names, as another query finds them."""
    [salt] = re.findall(r"hash\(t.unit, t.value, (CAST\('\d+' AS BIGINT\))\)", plan.measures[0].score_sql)
    rows = connection.execute(
        f"SELECT person, {column} FROM (SELECT DISTINCT person, {column} FROM v) "
        f"ORDER BY person, hash(person, {column}, {salt}), {column}"
    ).fetchall()
    found = defaultdict[object, list[int]](list)
    for person, value in rows:
        found[person].append(value)
    return list(found.values())


def levels(connection: duckdb.DuckDBPyConnection, plan: Plan) -> list[int]:
    """F(l) for each level, from the score SQL."""
    counts = dict(connection.execute(plan.measures[0].score_sql).fetchall())
    steps = [counts.get(level, 0) for level in range(len(ladder(chosen(plan).most)))]
    return [sum(steps[: level + 1]) for level in range(len(steps))]


@pytest.mark.parametrize("column", ["item", "name", "price"])
def test_the_scores_are_ranked_values_by_definition(column: str, shop: duckdb.DuckDBPyConnection) -> None:
    plan = plan_of(f"SELECT count(DISTINCT {column}) FROM v", shop)
    units = ranks(shop, plan, column)
    assert levels(shop, plan) == [distinct.ranked(units, level) for level in ladder(1024)]


def pairs(connection: duckdb.DuckDBPyConnection, plan: Plan, column: str) -> list[list[int]]:
    """The values of each person in the person's order, persons by their turns, by another query."""
    [salt] = set(re.findall(r"hash\(t.unit, (CAST\('\d+' AS BIGINT\))\)", plan.measures[0].score_sql))
    units = dict(
        zip(
            (
                person
                for (person,) in connection.execute(
                    "SELECT DISTINCT person FROM v ORDER BY person"
                ).fetchall()
            ),
            ranks(connection, plan, column),
            strict=True,
        )
    )
    order = connection.execute(
        f"SELECT person FROM (SELECT DISTINCT person FROM v) ORDER BY hash(person, {salt}), person"
    ).fetchall()
    return [units[person] for (person,) in order]


@pytest.mark.parametrize("column", ["item", "name", "price"])
def test_values_are_claimed_in_turns_by_definition(column: str, shop: duckdb.DuckDBPyConnection) -> None:
    plan = plan_of(f"SELECT count(DISTINCT {column}) FROM v", shop, distinct="claims")
    [scores] = moves.read(plan, shop)
    steps = [int(str(scores.rows.get((level,), (0,))[0])) for level in range(len(ladder(1024)))]
    units = pairs(shop, plan, column)
    assert [sum(steps[: level + 1]) for level in range(len(steps))] == [
        distinct.greedy(units, level) for level in ladder(1024)
    ]


QUERIES = (
    "SELECT count(DISTINCT item) AS n FROM v",
    "SELECT count(DISTINCT name) AS n FROM v",
    "SELECT approx_count_distinct(price) AS n FROM v",
    "SELECT count(DISTINCT item) AS n FROM v WHERE page = 1 AND item > 5",
    "SELECT count(DISTINCT CASE WHEN page = 1 THEN item END) AS n FROM v",
    "SELECT count(DISTINCT item) FILTER (WHERE page = 2) AS n FROM v",
    "SELECT count(DISTINCT item + 1) AS n, count(DISTINCT person) AS c, count(DISTINCT name) AS m FROM v",
    "SELECT page, count(DISTINCT item) AS n FROM v GROUP BY page ORDER BY page",
    "SELECT page, count(DISTINCT item) AS n FROM v GROUP BY page HAVING count(*) > 5 ORDER BY page",
    "SELECT page, count(DISTINCT item) AS n FROM v GROUP BY page ORDER BY n DESC LIMIT 1",
    "SELECT count(DISTINCT a.item) AS n FROM v AS a JOIN v AS b USING (person) WHERE b.page = 0",
)


@pytest.mark.parametrize("function", ["ranked", "claims"])
@pytest.mark.parametrize("query", QUERIES)
def test_without_noise_it_is_that_of_plain_sql(
    query: str, function: Function, shop: duckdb.DuckDBPyConnection
) -> None:
    plain = query.replace("approx_count_distinct(price)", "count(DISTINCT price)")
    answered = quiet.answer(plan_of(query, shop, distinct=function), shop).fetchall()
    for row, expected in zip(answered, shop.execute(plain).fetchall(), strict=True):
        # The last value of all may not be worth another level, however little noise costs.
        assert all(true - 2 <= number <= true for number, true in zip(row, expected, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("function", ["ranked", "claims"])
def test_one_person_moves_no_level_by_more(function: Function) -> None:
    """Also one who has most rows, and one who alone has most values."""
    shop_of_one = "INSERT INTO v SELECT 1, 5000 + i, 'x' || i, 0, 0, 0, 1 FROM range(3000) AS range (i)"
    for change in ("SELECT 1", shop_of_one):
        with opened(TABLES, *POLICIES) as full, opened(TABLES, *POLICIES) as less:
            for connection in (full, less):
                connection.execute(change)
            less.execute("DELETE FROM v WHERE person = 1")
            for query in QUERIES:
                moves.check(plan_of(query, full, distinct=function), full, [less])


EMPTY = (
    "SELECT * FROM v WHERE false",
    "SELECT * REPLACE (NULL::INTEGER AS item) FROM v",
    "SELECT * REPLACE (7 AS item) FROM v",
    "SELECT * FROM v QUALIFY row_number() OVER (PARTITION BY person ORDER BY item) = 1",
    "SELECT * REPLACE (1 AS person) FROM v",
    "SELECT * REPLACE (repeat('x', 100000) || name AS name) FROM v LIMIT 20",
)


@pytest.mark.parametrize("rows", EMPTY)
def test_claims_of_what_tables_may_hold(rows: str) -> None:
    with opened(TABLES, *POLICIES) as connection:
        connection.execute(f"CREATE TABLE w AS {rows}; DELETE FROM v; INSERT INTO v SELECT * FROM w")
        for query in QUERIES[:2]:
            plan = plan_of(query, connection, distinct="claims")
            [[number]] = quiet.answer(plan, connection).fetchall()
            [[most]] = connection.execute(query).fetchall()
            assert number <= most
            assert number >= min(most - 2, 1000) or "repeat" in rows


@pytest.mark.parametrize("rows", EMPTY)
def test_what_tables_may_hold(rows: str) -> None:
    """No row, no value, one value, one row of each, one unit with all rows, long texts."""
    with opened(TABLES, *POLICIES) as connection:
        connection.execute(f"CREATE TABLE w AS {rows}; DELETE FROM v; INSERT INTO v SELECT * FROM w")
        for query in QUERIES[:2]:
            plan = plan_of(query, connection)
            found = levels(connection, plan)
            assert found == sorted(found)
            [[number]] = quiet.answer(plan, connection).fetchall()
            [[most]] = connection.execute(query).fetchall()
            assert number in (found[-1], most) or number == pytest.approx(found[-1], abs=1)
            assert found[-1] <= most


def test_equal_values_are_one() -> None:
    """1 and 1.0 in one column; times at one moment."""
    tables = (
        "CREATE TABLE v AS SELECT i % 9 AS person, CASE WHEN i % 2 = 0 THEN 1 ELSE 1.0 END AS x, "
        "TIMESTAMP '2024-01-01' + INTERVAL (i % 3) DAY AS t FROM range(90) AS range (i)"
    )
    with opened(tables, "ALTER TABLE v ADD PRIVACY_KEY (person)") as connection:
        for column, number in (("x", 1), ("t", 3)):
            plan = plan_of(f"SELECT count(DISTINCT {column}) FROM v", connection)
            assert levels(connection, plan)[-1] == number


@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT"])
def test_floats_are_refused(kind: str) -> None:
    """NaN, 0.0 and -0.0 are no question then."""
    tables = f"CREATE TABLE v AS SELECT i AS person, ('nan')::{kind} AS x FROM range(9) AS range (i)"
    refused = pytest.raises(dpduck.UnsupportedSqlError, match="cannot be counted")
    with opened(tables, "ALTER TABLE v ADD PRIVACY_KEY (person)") as connection, refused:
        plan_of("SELECT count(DISTINCT x) FROM v", connection)


def test_the_planner_takes_a_fixed_number_where_that_is_better(shop: duckdb.DuckDBPyConnection) -> None:
    def kinds(query: str, epsilon: str = "1") -> set[type]:
        return {type(measure.request) for measure in plan_of(query, shop, epsilon).measures}

    assert kinds("SELECT count(DISTINCT item) FROM v") == {ChosenDistinct}
    assert kinds("SELECT count(DISTINCT kind) FROM v") == {ChosenDistinct}  # of 40 values, 17 for each more
    assert kinds("SELECT count(DISTINCT kind) FROM v", "0.1") == {Distinct}
    assert kinds("SELECT count(DISTINCT code) FROM v", "0.1") == {ChosenDistinct}
    assert kinds("SELECT count(DISTINCT page) FROM v") == {Distinct}
    assert kinds("SELECT count(DISTINCT person + 1) FROM v") == {Distinct}
    assert kinds("SELECT count(DISTINCT CASE WHEN page = 1 THEN person END) FROM v") == {Distinct}
    assert kinds("SELECT count(DISTINCT CASE WHEN page = 1 THEN person ELSE item END) FROM v") == {
        ChosenDistinct
    }
    assert kinds("SELECT count(DISTINCT CASE WHEN page = 1 THEN item END) FROM v") == {ChosenDistinct}
    assert kinds("SELECT count(DISTINCT 7) FROM v") == {Distinct}
    assert chosen(plan_of("SELECT count(DISTINCT kind) FROM v", shop)).most == 40


@pytest.mark.parametrize(("rows", "kind"), [(1, Distinct), (4, Distinct), (5, ChosenDistinct)])
def test_a_declared_bound_on_rows_is_the_most(rows: int, kind: type) -> None:
    policies = (*POLICIES, f"ALTER TABLE v SET PRIVACY CONTRIBUTION (rows = {rows})")
    with opened(TABLES, *policies) as connection:
        [measure] = plan_of("SELECT count(DISTINCT item) FROM v", connection).measures
    assert type(measure.request) is kind
    assert getattr(measure.request, "most", getattr(measure.request, "values", None)) == rows


def test_a_unit_has_no_more_values_than_the_domain() -> None:
    bound = "ALTER TABLE v SET PRIVACY CONTRIBUTION (rows = 60)"
    with opened(TABLES, *POLICIES, bound) as connection:
        [measure] = plan_of("SELECT count(DISTINCT page) FROM v", connection).measures
        assert isinstance(measure.request, Distinct)
        assert measure.request.values == 3
        assert covers(plan_of("SELECT count(DISTINCT page) FROM v", connection)) == {"a0": "domain"}
        [(score,)] = connection.execute(measure.score_sql).fetchall()
        assert score == 3


def test_a_unit_with_one_row_has_one_value() -> None:
    tables = f"{TABLES}; CREATE TABLE p (id INTEGER PRIMARY KEY, x INTEGER)"
    with opened(tables, "ALTER TABLE p ADD PRIVACY_KEY (id)") as connection:
        [measure] = plan_of("SELECT count(DISTINCT x) FROM p", connection).measures
    assert isinstance(measure.request, Distinct)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(TABLES)
    with dpduck.connect(path) as owner:
        for statement in POLICIES:
            owner.execute(statement)
    return path


def test_the_answer_is_a_lower_estimate_and_says_of_how_many_values(data: Path) -> None:
    with dpduck.connect(data, epsilon="1") as db:
        [[number, low, high, gap]] = db.execute(
            "SELECT count(DISTINCT item) AS n, dp_low(n), dp_high(n), dp_gap(n) FROM v"
        ).fetchall()
        said = [str(notice) for notice in db.notices]
        assert low < number
        assert high is None
        assert gap is None
        assert any(
            re.match(
                r"n is a lower estimate: .* at most [0-9]+ values?, chosen privately up to [0-9,]+; other",
                one,
            )
            for one in said
        )


ENUM = """
CREATE TYPE code AS ENUM (SELECT 'c' || i FROM range(90) AS range (i));
CREATE TABLE v AS SELECT i % 300 AS person, ('c' || i % 90)::code AS x, i % 3 AS k
FROM range(3000) AS range (i)
"""


def test_the_size_of_a_domain_that_has_all_values_is_the_upper_end() -> None:
    """Also where noise raised the number above it, and the interval is wider for what noise chose."""
    policies = (
        "ALTER TABLE v ADD PRIVACY_KEY (person)",
        "ALTER TABLE v ALTER k SET PRIVACY DOMAIN IN (0, 1, 2)",
    )
    with opened(ENUM, *policies) as connection:
        db = dpduck.connect(connection, epsilon="1")
        db.execute("SET dp_replay = off")
        shown = "SELECT count(DISTINCT x) AS n, dp_low(n), dp_high(n) FROM v"
        for query in (shown, f"{shown} GROUP BY k ORDER BY n DESC LIMIT 1"):
            for _ in range(4):
                [[number, low, high]] = db.execute(query).fetchall()
                assert high == 90
                assert low <= min(number, 90)
        assert db.explain(shown).covers == {"n": "present"}


def test_explain_says_what_noise_does_to_each_number_of_values(data: Path) -> None:
    with dpduck.connect(data, epsilon="1") as db:
        made = db.explain("SELECT count(DISTINCT item) AS n FROM v")
    assert (made.expected_error, made.error_of) == ({"n": 6}, {"n": "noise"})
    assert made.mechanism == "distinct"
    assert made.covers == {"n": "below"}
    [promise] = made.promises
    assert promise == (
        "n is a lower estimate: each person stands for at most l values, and others are missed; noise is "
        "within 6 with probability 95 % for l = 1, within 12 for l = 2, and about twice as much for each "
        "doubling"
    )


def test_the_ledger_has_the_charge_and_replay_gives_the_same(data: Path) -> None:
    query = "SELECT page, count(DISTINCT item) AS n, dp_low(n) AS low FROM v GROUP BY page ORDER BY page"
    with dpduck.connect(data, epsilon="1") as db:
        first = db.execute(query).fetchall()
        said = [str(notice) for notice in db.notices]
        before = db.execute("SELECT * FROM dp_budget()").fetchall()
        assert db.execute(query).fetchall() == first
        assert [str(notice) for notice in db.notices if "up to" in str(notice)] == [
            one for one in said if "up to" in one
        ]
        assert db.execute("SELECT * FROM dp_budget()").fetchall() == before


def test_claims_are_asked_for_and_replayed_only_as_such(data: Path) -> None:
    query = "SELECT count(DISTINCT item) AS n, dp_low(n) FROM v"
    options = "WITH DIFFERENTIAL_PRIVACY OPTIONS (distinct_values = 'claims')"
    with dpduck.connect(data, epsilon="1") as db:
        ranked = db.execute(query).fetchall()
        claims = db.execute(query.replace("SELECT", f"SELECT {options}")).fetchall()
        assert claims != ranked  # 60 values more, of which noise makes 6
        db.execute("SET dp_distinct = 'claims'")
        assert db.execute(query).fetchall() == claims
        made = db.explain(query)
        assert "l of each unit claimed in turns" in str(made)
        assert made.covers == {"n": "below"}
        db.execute("SET dp_distinct = ranked")
        assert db.execute(query).fetchall() == ranked
        for statement in ("SET dp_distinct = 'most'", "SELECT " + options.replace("claims", "most") + " 1"):
            with pytest.raises(dpduck.UnsupportedSqlError, match="is ranked or claims"):
                db.execute(statement)


def test_where_a_number_is_fixed_there_is_nothing_to_claim(shop: duckdb.DuckDBPyConnection) -> None:
    for query in ("SELECT count(DISTINCT page) FROM v", "SELECT count(DISTINCT person + 1) FROM v"):
        assert plan_of(query, shop, distinct="claims") == plan_of(query, shop)


def test_intervals_allow_for_noise_that_chooses_what_is_shown(shop: duckdb.DuckDBPyConnection) -> None:
    shown = "SELECT page, count(DISTINCT item) AS n FROM v GROUP BY page"
    assert interval_factors(plan_of(shown, shop)) == {}
    [factor] = interval_factors(plan_of(f"{shown} ORDER BY n DESC LIMIT 1", shop)).values()
    assert 1 < factor < 2


def test_no_group_has_no_number() -> None:
    """Keys that are found in private rows, of which there are none."""
    with opened(TABLES, *POLICIES) as connection:
        owner = dpduck.connect(connection, epsilon="1")
        owner.execute("ALTER TABLE v SET PRIVACY CONTRIBUTION (groups = 3)")
        connection.execute("DELETE FROM v")
        owner.execute("SET dp_delta = 1e-6")
        query = "SELECT name, count(DISTINCT item) AS n FROM v GROUP BY name"
        assert owner.execute(query).fetchall() == []


def test_of_many_groups_the_number_is_fixed() -> None:
    """Counts at all levels of more than a million groups would not fit into memory."""
    with opened(TABLES, *POLICIES) as connection:
        for most, kind in ((999_999, ChosenDistinct), (1_000_000, Distinct)):
            dpduck.connect(connection).execute(
                f"ALTER TABLE v ALTER COLUMN item SET PRIVACY DOMAIN BETWEEN (0, {most})"
            )
            [measure] = plan_of("SELECT item, count(DISTINCT name) FROM v GROUP BY item", connection).measures
            assert type(measure.request) is kind
