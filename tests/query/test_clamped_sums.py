"""sum(x) with a privately chosen clamp of each total, from the query to the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from statistics import median

import duckdb
import pytest

import dpduck
from dpduck.doors.audit import moves
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.accounting.events import ClampChoice, Composed, Event, GaussianNoise
from dpduck.kernel.accounting.gaussian import most_mu_squared
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.plan.aggregates import ClampedSum, Count, Sum
from dpduck.kernel.plan.cost import interval_factors
from dpduck.kernel.plan.coverage import covers
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.prices import event_of
from dpduck.policies import load_catalog
from tests.depth import depth
from tests.query import quiet
from tests.query.shop import any_plan
from tests.sources import Seeded

TABLES = """
CREATE TABLE v AS SELECT
  (hash(i) % 300)::INTEGER AS person, (i % 3)::INTEGER AS page, (hash(i, 'x') % 90)::INTEGER AS amount,
  ((hash(i, 'y') % 9000)::INTEGER / 100 - 45)::DECIMAL(9, 2) AS change, hash(i, 'z') % 64 / 8 AS weight
FROM range(3000) AS range (i)
"""
POLICIES = (
    "ALTER TABLE v ADD PRIVACY_KEY (person)",
    "ALTER TABLE v ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 2)",
    "ALTER TABLE v ALTER COLUMN amount SET PRIVACY DOMAIN BETWEEN (0, 89)",
    "ALTER TABLE v ALTER COLUMN change SET PRIVACY DOMAIN BETWEEN (-45, 45)",
    "ALTER TABLE v ALTER COLUMN weight SET PRIVACY DOMAIN BETWEEN (0, 8)",
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


def plan_of(query: str, connection: duckdb.DuckDBPyConnection, epsilon: str = "10") -> Plan:
    made = any_plan(query, load_catalog(connection), epsilon=Fraction(epsilon), facts=PublicFacts(connection))
    assert isinstance(made, Plan)
    return made


def chosen(plan: Plan) -> ClampedSum:
    [found] = [m.request for m in plan.measures if isinstance(m.request, ClampedSum)]
    return found


QUERIES = (
    "SELECT sum(amount) AS s FROM v",
    "SELECT sum(change) AS s FROM v",
    "SELECT sum(weight) AS s FROM v",
    "SELECT sum(-amount) AS s FROM v",
    "SELECT sum(amount) FILTER (WHERE page = 2) AS s FROM v WHERE amount > 5",
    "SELECT sum(CASE WHEN page = 1 THEN amount END) AS s FROM v",
    "SELECT sum(amount, contribution_bounds_per_row => (0, 50)) AS s FROM v",
    "SELECT page, sum(amount) AS s FROM v GROUP BY page ORDER BY page",
    "SELECT page, sum(change) AS s FROM v GROUP BY page ORDER BY page",
    "SELECT page, sum(amount) AS s FROM v GROUP BY page HAVING count(*) > 5 ORDER BY page",
    "SELECT page, sum(amount) AS s FROM v GROUP BY page ORDER BY s DESC LIMIT 1",
    "SELECT page, sum(amount) AS s FROM v GROUP BY ROLLUP (page)",
    "SELECT sum(a.amount) AS s FROM v AS a JOIN v AS b USING (person) WHERE b.page = 0",
)


def definition(
    connection: duckdb.DuckDBPyConnection, column: str, level: int, scale: int
) -> dict[int, object]:
    """The sum of each page, of totals clamped to 2^level ticks."""
    clamp = f"({1 << level} / {10**scale})::DECIMAL(30, {scale})"
    rows = connection.execute(
        f"SELECT page, sum(greatest(least(total, {clamp}), -{clamp})) FROM "
        f"(SELECT page, person, sum({column}) AS total FROM v GROUP BY ALL) GROUP BY page ORDER BY page"
    )
    return dict(rows.fetchall())


@pytest.mark.parametrize(("column", "scale"), [("amount", 0), ("change", 2)])
def test_scores_are_totals_by_their_level(column: str, scale: int, shop: duckdb.DuckDBPyConnection) -> None:
    plan = plan_of(f"SELECT page, sum({column}) AS s FROM v GROUP BY page", shop)
    rows = shop.execute(plan.measures[0].score_sql).fetchall()
    for level in range(chosen(plan).steps + 1):
        found: dict[int, Fraction] = dict.fromkeys(range(3), Fraction(0))
        for page, own, total, sign, _ in rows:
            found[page] += Fraction(total) if own <= level else Fraction(sign << level, 10**scale)
        assert found == {page: Fraction(x) for page, x in definition(shop, column, level, scale).items()}
    totals = shop.execute(
        f"SELECT page, abs(sum({column})) FROM v GROUP BY page, person ORDER BY page"
    ).fetchall()
    for level in range(chosen(plan).steps + 1):
        clamp = Fraction(1 << level, 10**scale)
        for page in range(3):
            above = sum(number for place, own, _, _, number in rows if place == page and own > level)
            assert above == sum(place == page and Fraction(total) > clamp for place, total in totals)


@pytest.mark.parametrize("query", QUERIES[:9])
def test_without_noise_few_totals_are_clamped(query: str, shop: duckdb.DuckDBPyConnection) -> None:
    plain = query.replace("amount, contribution_bounds_per_row => (0, 50)", "least(amount, 50)")
    answered = quiet.answer(plan_of(query, shop), shop).fetchall()
    for (*key, number), (*own, truth) in zip(answered, shop.execute(plain).fetchall(), strict=True):
        assert key == own
        assert float(number) == pytest.approx(float(truth), rel=0.02, abs=40)


@pytest.mark.slow
def test_one_person_moves_one_total_of_each_group() -> None:
    """Also one who has most rows, in one group or all, and totals beyond the ceiling."""
    changes = (
        "SELECT 1",
        "INSERT INTO v SELECT 1, 0, 89, 45, 8 FROM range(3000) AS range (i)",
        "INSERT INTO v SELECT 1, i % 3, 2000000000, -9999999, 1e300 FROM range(9000) AS range (i)",
    )
    for change in changes:
        with opened(TABLES, *POLICIES) as full, opened(TABLES, *POLICIES) as less:
            for connection in (full, less):
                connection.execute(change)
            less.execute("DELETE FROM v WHERE person = 1")
            for query in QUERIES:
                moves.check(plan_of(query, full), full, [less])


ROWS = (
    "SELECT * FROM v WHERE false",
    "SELECT * REPLACE (NULL::INTEGER AS amount) FROM v",
    "SELECT * REPLACE (0 AS amount) FROM v",
    "SELECT * REPLACE (1 AS person) FROM v",
    "SELECT * REPLACE (0 AS page) FROM v",
    "SELECT * FROM v QUALIFY row_number() OVER (PARTITION BY person ORDER BY amount) = 1",
    "SELECT * REPLACE (2000000000 AS amount, 'nan'::DOUBLE AS weight) FROM v",
    "SELECT * REPLACE ('-inf'::DOUBLE AS weight, -9999999 AS change) FROM v",
)


@pytest.mark.slow
@pytest.mark.parametrize("rows", ROWS)
def test_what_tables_may_hold(rows: str) -> None:
    """No row, no value, zeros, all rows of one unit, empty groups, one row each, data above the ceiling."""
    with opened(TABLES, *POLICIES) as connection:
        connection.execute(f"CREATE TABLE w AS {rows}; DELETE FROM v; INSERT INTO v SELECT * FROM w")
        for query in (*QUERIES[:3], QUERIES[7]):
            plan = plan_of(query, connection, "1")
            answered = quiet.answer(plan, connection).fetchall()
            assert len(answered) == (3 if "GROUP" in query else 1)
            ceiling = float(chosen(plan).ceiling)
            assert all(abs(float(number)) <= 301 * ceiling for *_, number in answered)


@pytest.mark.parametrize("ends", ["(0, 1)", "(0, 4611686018427387904)", "(-9223372036854775807, 5)"])
def test_a_ceiling_may_be_nothing_or_absurd(ends: str) -> None:
    with opened(
        "CREATE TABLE v AS SELECT i % 400 AS person, i % 5 AS x FROM range(4000) AS range (i)",
        "ALTER TABLE v ADD PRIVACY_KEY (person)",
        f"ALTER TABLE v ALTER x SET PRIVACY DOMAIN BETWEEN {ends}",
    ) as connection:
        plan = plan_of("SELECT sum(x) AS s FROM v", connection)
        [[number]] = quiet.answer(plan, connection).fetchall()
        assert number == pytest.approx(8000, rel=0.05)


def test_the_planner_takes_a_declared_bound_as_it_is(shop: duckdb.DuckDBPyConnection) -> None:
    def kinds(query: str, connection: duckdb.DuckDBPyConnection = shop) -> set[type]:
        return {type(measure.request) for measure in plan_of(query, connection).measures}

    assert kinds("SELECT sum(amount) FROM v") == {ClampedSum}
    assert kinds("SELECT sum(amount, contribution_bounds_per_row => (0, 50)) FROM v") == {ClampedSum}
    assert kinds("SELECT sum(amount, contribution_bounds_per_group => (0, 500)) FROM v") == {Sum}
    bound = "ALTER TABLE v SET PRIVACY CONTRIBUTION (rows = 20)"
    with opened(TABLES, *POLICIES, bound) as connection:
        assert kinds("SELECT sum(amount) FROM v", connection) == {Sum}
    tables = "CREATE TABLE p (id INTEGER PRIMARY KEY, x INTEGER)"
    domain = "ALTER TABLE p ALTER x SET PRIVACY DOMAIN BETWEEN (0, 9)"
    with opened(tables, "ALTER TABLE p ADD PRIVACY_KEY (id)", domain) as connection:
        assert kinds("SELECT sum(x) FROM p", connection) == {Sum}


RUNS = depth(400, 60)

UNDECLARED = """
CREATE TABLE v AS SELECT i % 400 AS person, i % 2 AS page, (i % 5)::INTEGER AS i, (i % 5 - 2)::BIGINT AS b,
  (i % 5)::UTINYINT AS u, (i % 5)::HUGEINT AS h, (i % 5)::UHUGEINT AS z, (i % 500 / 100)::DECIMAL(9, 2) AS d,
  (i % 5)::DECIMAL(38, 10) AS w, i % 5 = 0 AS t, (i % 5)::DOUBLE AS f
FROM range(4000) AS range (i);
CREATE TABLE p (id INTEGER PRIMARY KEY, x BIGINT); INSERT INTO p SELECT i, i % 9 FROM range(500) AS range (i)
"""
FREE = (
    "ALTER TABLE v ADD PRIVACY_KEY (person)",
    "ALTER TABLE v ALTER page SET PRIVACY DOMAIN IN (0, 1)",
    "ALTER TABLE p ADD PRIVACY_KEY (id)",
)


@pytest.fixture(scope="module")
def free() -> Iterator[duckdb.DuckDBPyConnection]:
    with opened(UNDECLARED, *FREE) as connection:
        yield connection


@pytest.mark.parametrize(
    "argument", ["i", "b", "u", "h", "z", "d", "w", "i * b", "-d", "i + d", "t", "b // 2"]
)
def test_a_type_without_a_range_is_enough(argument: str, free: duckdb.DuckDBPyConnection) -> None:
    query = f"SELECT sum({argument}) AS s FROM v"
    plan = plan_of(query, free)
    [[number]] = quiet.answer(plan, free).fetchall()
    [[truth]] = free.execute(query.replace("(t)", "(t::INTEGER)")).fetchall()
    assert float(number) == pytest.approx(float(truth), rel=1e-3, abs=1e-3)
    assert covers(plan) == {"a0": "below" if argument in ("u", "z", "t") else "noise"}


@pytest.mark.parametrize("values", ["9223372036854775807", "-9223372036854775808", "NULL", "0"])
def test_values_may_be_as_large_as_their_type(values: str) -> None:
    """One unit with all rows, and each with one: totals are clamped to the ceiling, and sums fit."""
    for rows in ("SELECT 1, 0, {0} FROM range(5000)", "SELECT i, i % 2, {0} FROM range(5000) AS range (i)"):
        with opened(UNDECLARED, *FREE) as connection:
            connection.execute(f"DELETE FROM v; INSERT INTO v (person, page, b) {rows.format(values)}")
            plan = plan_of("SELECT page, sum(b) AS s FROM v GROUP BY page", connection)
            [(_, first), (_, second)] = sorted(quiet.answer(plan, connection).fetchall())
            [[units]] = connection.execute("SELECT count(DISTINCT person) FROM v").fetchall()
            assert abs(first + second) <= units * 2**66 + 2**40


def test_what_nothing_bounds_and_no_ladder_is_for_is_refused(free: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(dpduck.PolicyError, match=r"column v\.f has no public range"):
        plan_of("SELECT avg(f) FROM v", free)
    assert isinstance(plan_of("SELECT sum(x) FROM p", free).measures[0].request, ClampedSum)
    with opened(UNDECLARED, *FREE, "ALTER TABLE v ALTER page SET PRIVACY DOMAIN BETWEEN (0, 200000)") as many:
        with pytest.raises(dpduck.UnsupportedSqlError, match="has no public range"):
            plan_of("SELECT page, sum(b) FROM v GROUP BY page", many)
        bounded = "SELECT page, sum(b, contribution_bounds_per_row => (0, 100)) FROM v GROUP BY page"
        assert isinstance(plan_of(bounded, many).measures[0].request, Sum)


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ("0.1 * i", 0.1 * 5_000 * 4_999 / 2),
        ("CASE WHEN i % 2 = 0 THEN 'NaN'::DOUBLE ELSE 1.5 END", 1.5 * 2_500),
        ("CASE i WHEN 7 THEN 'inf'::DOUBLE WHEN 8 THEN -1e300 ELSE 2.25 END", 2.25 * 4_998),
        ("1e-7", 0.0),  # less than a tick
    ],
)
def test_floats_without_a_range_are_added_up_in_millionths(values: str, total: float) -> None:
    """What is far beyond the clamp moves a sum by no more than it, and NaN by nothing."""
    with opened(UNDECLARED, *FREE) as connection:
        rows = f"SELECT i, {values} FROM range(5000) AS r (i)"
        connection.execute(f"DELETE FROM v; INSERT INTO v (person, f) {rows}")
        plan = plan_of("SELECT sum(f) AS s FROM v", connection)
        assert chosen(plan).scale == 6
        [[number]] = quiet.answer(plan, connection).fetchall()
        assert number == pytest.approx(total, rel=0.01, abs=0.01)


def test_a_bound_of_rows_without_a_range_is_none() -> None:
    with opened(UNDECLARED, *FREE, "ALTER TABLE v SET PRIVACY CONTRIBUTION (rows = 3)") as connection:
        assert isinstance(plan_of("SELECT sum(b) FROM v", connection).measures[0].request, ClampedSum)


@pytest.mark.slow
def test_one_person_moves_one_total_without_a_range() -> None:
    for argument in ("i", "b", "h", "d", "w", "i * b", "f", "-f", "exp(f)", "1 / f", "i * f"):
        with opened(UNDECLARED, *FREE) as full, opened(UNDECLARED, *FREE) as less:
            for connection in (full, less):
                connection.execute(
                    "INSERT INTO v (person, page, i, b, h, d, w, f) SELECT 1, 0, 2147483647, "
                    "-9223372036854775808, 1e38::HUGEINT, -9999999, 1e27, "
                    "list_extract(['1e308', '-inf', 'nan', '0'], 1 + i % 4)::DOUBLE FROM range(99) AS r (i)"
                )
            less.execute("DELETE FROM v WHERE person = 1")
            plan = plan_of(f"SELECT page, sum({argument}) AS s FROM v GROUP BY page", full)
            moves.check(plan, full, [less])


def test_of_many_groups_the_clamp_is_the_range() -> None:
    """Totals at all levels of so many groups would not fit into memory."""
    with opened(TABLES, *POLICIES) as connection:
        for most, kind in ((99_999, ClampedSum), (100_000, Sum)):
            connection.execute("DROP TABLE IF EXISTS v")
            connection.execute(TABLES)
            owner = dpduck.connect(connection)
            owner.execute(f"ALTER TABLE v ALTER page SET PRIVACY DOMAIN BETWEEN (0, {most})")
            [measure] = plan_of("SELECT page, sum(amount) FROM v GROUP BY page", connection).measures
            assert type(measure.request) is kind


def test_intervals_allow_for_noise_that_chooses_what_is_shown(shop: duckdb.DuckDBPyConnection) -> None:
    shown = "SELECT page, sum(amount) AS s FROM v GROUP BY page"
    assert interval_factors(plan_of(shown, shop)) == {}
    plan = plan_of(f"{shown} ORDER BY s LIMIT 1", shop, "1")  # all are measured
    [factor] = interval_factors(plan).values()
    for level in range(chosen(plan).steps + 1):
        rate = Fraction(1, 2) / (3 << level)
        assert factor * half_width(rate) >= half_width(rate, 1 - 0.05 / 3)
    assert factor < 2


def test_lower_ends_are_those_of_the_truth_unless_signs_differ(shop: duckdb.DuckDBPyConnection) -> None:
    assert covers(plan_of("SELECT sum(amount) FROM v", shop)) == {"a0": "below"}
    assert covers(plan_of("SELECT sum(change) FROM v", shop)) == {"a0": "noise"}
    assert covers(plan_of("SELECT sum(-amount) FROM v", shop)) == {"a0": "noise"}


@pytest.mark.parametrize(
    ("query", "covered"),
    [
        ("sum(abs(b)) FROM v", "below"),
        ("sum(greatest(b, 0)) FROM v", "below"),
        ("sum(greatest(b, -1)) FROM v", "noise"),
        ("sum(b * b) FROM v", "below"),
        ("sum(b * i) FROM v", "noise"),
        ("sum(b) FROM v WHERE b >= 0", "below"),
        ("sum(b) FROM v WHERE b > -1", "below"),
        ("sum(b) FROM v WHERE b >= -1", "noise"),
        ("sum(b) FILTER (WHERE b >= 0) FROM v", "below"),
        ("sum(b + 3) FROM v WHERE b BETWEEN -3 AND 3 OR page = 1", "noise"),
        ("sum(i * b) FROM v WHERE b >= 2 AND i >= 0", "below"),
        ("sum(i - b) FROM v WHERE i >= 2 AND b <= 1", "below"),
        ("sum(CASE WHEN t THEN 5 ELSE abs(b) END) FROM v", "below"),
        ("sum(CASE WHEN t THEN -5 ELSE abs(b) END) FROM v", "noise"),
        ("sum(length(b::VARCHAR)) FROM v", "below"),
        ("sum(n) FROM (SELECT person, page, count(*) AS n FROM v GROUP BY ALL) AS counted", "below"),
        ("sum(abs(f), contribution_bounds_per_row => (0, 3)) FROM v", "below"),
        ("sum(abs(f), contribution_bounds_per_row => (1, 3)) FROM v", "noise"),
        ("sum(f, contribution_bounds_per_row => (0, 3)) FROM v", "noise"),
        ("sum(abs(f), contribution_bounds_per_group => (0, 3)) FROM v", "below"),
    ],
)
def test_a_least_value_of_0_leaves_the_upper_end_open_alone(
    query: str, covered: str, free: duckdb.DuckDBPyConnection
) -> None:
    """Whatever says that no value is below 0: then a clamp can only lower the sum."""
    assert covers(plan_of(f"SELECT {query}", free)) == {"a0": covered}


@pytest.mark.slow
def test_the_lower_end_holds_where_no_value_is_below_0() -> None:
    """In at least 97.5 % of answers, also where most of the sum is above any clamp; there is no upper end."""
    with opened(UNDECLARED, *FREE) as connection:
        connection.execute("UPDATE v SET b = 3000 WHERE person < 3")
        [[truth]] = connection.execute("SELECT sum(abs(b)) FROM v").fetchall()
        with dpduck.connect(connection, epsilon="1") as db:
            db.execute("CREATE PRIVACY BUDGET b LIMIT 100000")
            db.execute("SET dp_replay = off")
            missed = 0
            for run in range(RUNS):
                db._service._entropy = Seeded("lower end", str(run))
                query = "SELECT sum(abs(b)) AS s, dp_low(s), dp_high(s) FROM v"
                [[_, low, high]] = db.execute(query).fetchall()
                assert high is None
                missed += low > truth
    assert missed <= 0.05 * RUNS


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(TABLES)
    with dpduck.connect(path) as owner:
        for statement in POLICIES:
            owner.execute(statement)
    return path


def test_the_answer_has_a_low_end_and_names_its_clamp(data: Path) -> None:
    with dpduck.connect(data, epsilon="1") as db:
        [[number, low, high]] = db.execute("SELECT sum(amount) AS s, dp_low(s), dp_high(s) FROM v").fetchall()
        said = [str(notice) for notice in db.notices]
    assert low < number
    assert high is None
    clamp = (
        r"s takes a total of each person, with values below 0 as 0, up to a clamp that is chosen privately "
        r"\([0-9,.]+\), so the truth"
    )
    assert any(re.match(clamp, one) and "may be above." in one for one in said)


def test_explain_says_what_noise_does_for_any_clamp(data: Path) -> None:
    with dpduck.connect(data, epsilon="1") as db:
        made = db.explain("SELECT sum(amount) AS s FROM v")
    assert made.error_of == {"s": "noise"}  # of a clamp of 100, for one
    assert f"{made.expected_error['s']:,.4g} for a clamp of 100" in made.promises[0]
    assert made.mechanism == "clamped_sum"
    assert made.covers == {"s": "below"}
    [promise] = made.promises
    assert promise == (
        "s: what totals of one person have beyond their clamp is lost, and not known; noise is within 5.99 "
        "times the clamp with probability 95 %, such as 599.1 for a clamp of 100: 1.2 % of the sum of 1,000 "
        "units with totals evenly up to the clamp, less of more; "
        "with fewer than about 16 units it is all but 0, whatever the "
        "truth is"
    )


def test_the_charge_is_the_same_whatever_the_data_is_and_replay_gives_the_same(data: Path) -> None:
    query = "SELECT page, sum(amount) AS s, dp_low(s) AS low FROM v GROUP BY page ORDER BY page"
    with dpduck.connect(data, epsilon="1") as db:
        first = db.execute(query).fetchall()
        said = [str(notice) for notice in db.notices if "up to" in str(notice)]
        before = db.execute("SELECT * FROM dp_budget()").fetchall()
        assert db.execute(query).fetchall() == first
        assert [str(notice) for notice in db.notices if "up to" in str(notice)] == said
        assert db.execute("SELECT * FROM dp_budget()").fetchall() == before


@pytest.mark.parametrize(
    ("measure", "other"),
    [("sum(amount)", "sum(change)"), ("count(DISTINCT amount // 2)", "count(DISTINCT amount // 3)")],
)
def test_what_is_chosen_privately_is_given_again_only_as_it_was(measure: str, other: str) -> None:
    """A group of many, or one number of several, has more noise, and nothing fresh says how much."""
    with opened(TABLES, *POLICIES) as connection, dpduck.connect(connection, epsilon="2") as db:
        grouped = f"SELECT page, {measure} AS s FROM v GROUP BY page"
        first = db.execute(grouped).fetchall()
        assert db.execute(f"SELECT {measure} AS s FROM v WHERE page = 1").fetchall()
        assert db.charged == "2"
        assert db.execute(grouped).fetchall() == first
        assert db.charged == "0"
        db.execute(f"SELECT {measure} AS s, {other} AS o FROM v WHERE page = 2")
        db.execute(f"SELECT {measure} AS s FROM v WHERE page = 2")
        assert db.charged == "2"


def test_sums_that_are_clamped_apart_have_no_interval_of_their_difference(
    shop: duckdb.DuckDBPyConnection,
) -> None:
    """What each lost is not known, and a p-value of nothing but noise would be as small as one likes."""
    one, two = ("sum({}) FILTER (WHERE page = {})".format("change{}", page) for page in (1, 2))
    query = f"SELECT {one} - {two} AS d, dp_{{}}(d) FROM v"
    bounded = ", contribution_bounds_per_group => (-90, 90)"
    with dpduck.connect(shop, epsilon="0.5") as db:
        for bound in ("low", "high", "p_value"):
            with pytest.raises(dpduck.UnsupportedSqlError, match="has no interval") as caught:
                db.execute(query.format("", "", bound))
            assert caught.value.charged == "0"
        [(_, p)] = db.execute(query.format(bounded, bounded, "p_value")).fetchall()
        assert 0 < p <= 1


def test_the_noise_is_what_a_setting_asks_for(data: Path) -> None:
    """Gaussian noise needs a delta; half of epsilon chooses the clamp as before."""
    query = "SELECT page, sum(amount) AS s, dp_low(s) AS low FROM v GROUP BY page ORDER BY page"
    with dpduck.connect(data, epsilon="1") as db:
        db.execute("SET dp_noise = 'gaussian'")
        with pytest.raises(dpduck.UnsupportedSqlError, match="Gaussian noise needs a delta") as caught:
            db.execute(query)
        assert caught.value.charged == "0"
        db.execute("SET dp_delta = 1e-6")
        made = db.explain(query)
        assert made.mechanism == "clamped_sum"
        assert "with Gaussian noise" in str(db.explain("SELECT sum(amount) FROM v"))
        assert "noise     Gaussian, of standard deviation 13.96 clamps" in str(made)
        rows = db.execute(query).fetchall()
        assert db.charged == "1"
        assert all(low < number for _, number, low in rows)
        db.execute("SET dp_noise = 'laplace'")
        assert "clamps" not in str(db.explain(query)).split("error")[0]


def events(plan: Plan) -> list[Event]:
    found = event_of(plan)
    return list(found.parts) if isinstance(found, Composed) else [found]


def test_gaussian_noise_spends_the_half_that_is_not_for_the_clamp(shop: duckdb.DuckDBPyConnection) -> None:
    """Also beside a count, whose Gaussian noise is priced with it; in mu squared, once."""
    one, delta = Fraction(1), Fraction(1, 10**6)
    for asked in ("sum(amount)", "sum(amount), count(*)"):
        query = f"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (noise = 'gaussian') {asked} FROM v"
        made = any_plan(query, load_catalog(shop), epsilon=one, delta=delta)
        assert isinstance(made, Plan)
        [choice, normal] = events(made)
        assert isinstance(choice, ClampChoice)
        assert isinstance(normal, GaussianNoise)
        [clamped] = [m for m in made.measures if isinstance(m.request, ClampedSum)]
        assert choice.epsilon == clamped.epsilon / 2
        assert choice.epsilon + normal.epsilon == one
        assert normal.delta == delta
        assert normal.mu_squared == sum(m.gaussian.mu_squared for m in made.measures if m.gaussian)
        assert normal.mu_squared <= most_mu_squared(normal.epsilon, delta)


def test_the_planner_takes_the_noise_that_is_less(shop: duckdb.DuckDBPyConnection) -> None:
    """Gaussian noise for a person in 30 groups, none for one in 3."""
    with opened(TABLES.replace("i % 3", "i % 30"), *POLICIES) as many:
        many_pages = dpduck.connect(many)
        many_pages.execute("ALTER TABLE v ALTER COLUMN page SET PRIVACY DOMAIN BETWEEN (0, 29)")
        for connection, is_normal in ((shop, False), (many, True)):
            query = "SELECT page, sum(amount) FROM v GROUP BY page"
            delta = Fraction(1, 10**6)
            made = any_plan(query, load_catalog(connection), epsilon=Fraction(1), delta=delta)
            assert isinstance(made, Plan)
            assert (made.measures[0].gaussian is not None) is is_normal
            answered = quiet.answer(made, connection).fetchall()
            assert len(answered) == (30 if is_normal else 3)


def test_an_answer_of_few_people_says_that_it_may_be_all_but_nothing(data: Path) -> None:
    """With fixed noise, since large noise on one of the groups looks like more people."""
    few = "all of each total is cut, and s is all but 0 whatever the truth is."
    with dpduck.connect(data, epsilon="1") as db:
        db._service._entropy = Seeded("few people")
        for condition, is_few in (("person < 5", True), ("true", False)):
            db.execute(f"SELECT sum(amount) AS s FROM v WHERE {condition}")
            said = [str(notice) for notice in db.notices]
            assert any(one.endswith(few) for one in said) is is_few
            assert not any("larger groups" in one for one in said)
        db.execute("SELECT page, sum(amount) AS s FROM v WHERE person < 5 GROUP BY page")
        assert any("fewer units than that were in each group" in str(notice) for notice in db.notices)


ROWS = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (count = 'rows')"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("count(*) AS n", "count(*)"),
        ("count(weight) AS n", "count(weight)"),
        ("count(*) FILTER (WHERE amount > 40) AS n", "count(*) FILTER (WHERE amount > 40)"),
        ("count_if(amount > 40) AS n", "count_if(amount > 40)"),
        ("sum(1) AS n", "sum(1)"),
        ("sum(amount) / count(*) AS n", "avg(amount)"),
    ],
)
def test_rows_are_counted_where_they_are_asked_for(
    asked: str, plain: str, shop: duckdb.DuckDBPyConnection
) -> None:
    """One person moves them by no more than a level, whatever rows it has; types are those of plain SQL."""
    plan = plan_of(f"{ROWS} {asked} FROM v", shop)
    assert {type(measure.request) for measure in plan.measures} == {ClampedSum}
    answered = quiet.answer(plan, shop)
    [[number]] = answered.fetchall()
    [[truth]] = shop.execute(f"SELECT {plain} FROM v").fetchall()
    assert number == pytest.approx(truth, rel=1e-9)
    for rows in ("SELECT 1, page FROM v", "SELECT 1, 1 FROM range(5000)"):
        with opened(TABLES, *POLICIES) as full, opened(TABLES, *POLICIES) as less:
            full.execute(f"INSERT INTO v (person, page) {rows}")
            for connection in (full, less):
                connection.execute("DELETE FROM v WHERE person = 1" if connection is less else "SELECT 1")
            moves.check(plan_of(f"{ROWS} page, {asked} FROM v GROUP BY page", full), full, [less])


def test_units_are_counted_unless_rows_are_asked_for(shop: duckdb.DuckDBPyConnection) -> None:
    """And where a bound says how many rows count, or a person has one, nothing is chosen."""

    def kinds(query: str, connection: duckdb.DuckDBPyConnection = shop) -> set[type]:
        return {type(measure.request) for measure in plan_of(query, connection).measures}

    assert kinds("SELECT count(*) FROM v") == {Count}
    assert kinds(f"{ROWS} count(DISTINCT person) FROM v") == {Count}
    assert kinds(f"{ROWS} count(*, contribution_bounds_per_group => (0, 5)) FROM v") == {Count}
    with opened(TABLES, *POLICIES, "ALTER TABLE v SET PRIVACY CONTRIBUTION (rows = 20)") as connection:
        assert kinds(f"{ROWS} count(*) FROM v", connection) == {Count}
    with opened("CREATE TABLE p (id INTEGER PRIMARY KEY)", "ALTER TABLE p ADD PRIVACY_KEY (id)") as one:
        assert kinds(f"{ROWS} count(*) FROM p", one) == {Count}


CEILING = "ALTER TABLE v SET PRIVACY CONTRIBUTION (rows = 5000)"
BY_CLAMP = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (clamp = 'private')"


def test_a_query_may_ask_for_a_clamp_below_the_declared_bound() -> None:
    """The bound is the last of the ladder: 5,000 rows of at most 89 are 445,000, below 2^19."""
    with opened(TABLES, *POLICIES, CEILING) as connection:
        assert isinstance(plan_of("SELECT sum(amount) AS s FROM v", connection).measures[0].request, Sum)
        assert chosen(plan_of(f"{BY_CLAMP} sum(amount) AS s FROM v", connection)).steps == 19
        assert chosen(plan_of(f"{BY_CLAMP} count(*) AS n FROM v", connection)).steps == 13
        assert chosen(plan_of(f"{BY_CLAMP} sum(1) AS n FROM v", connection)).counts
        written = f"{BY_CLAMP} sum(amount, contribution_bounds_per_group => (0, 500)) FROM v"
        assert isinstance(plan_of(written, connection).measures[0].request, Sum)
        written = f"{BY_CLAMP} count(*, contribution_bounds_per_group => (0, 5)) FROM v"
        assert isinstance(plan_of(written, connection).measures[0].request, Count)
        assert covers(plan_of(f"{BY_CLAMP} sum(amount) FROM v", connection)) == {"a0": "below"}
        assert covers(plan_of(f"{BY_CLAMP} sum(change) FROM v", connection)) == {"a0": "noise"}
    one_row = "CREATE TABLE p (id INTEGER PRIMARY KEY, x INTEGER)"
    domain = "ALTER TABLE p ALTER x SET PRIVACY DOMAIN BETWEEN (0, 9)"
    with opened(one_row, "ALTER TABLE p ADD PRIVACY_KEY (id)", domain) as one:
        assert isinstance(plan_of(f"{BY_CLAMP} sum(x) FROM p", one).measures[0].request, Sum)
        assert isinstance(plan_of(f"{BY_CLAMP} count(*) FROM p", one).measures[0].request, Count)


@pytest.mark.slow
def test_one_person_moves_one_total_below_the_declared_bound() -> None:
    """Also one who has more rows than are declared, and values beyond the domain."""
    extra = "INSERT INTO v SELECT 1, i % 3, 2000000000, -9999999, 1e300 FROM range(9000) AS range (i)"
    for asked in ("sum(amount)", "sum(change)", "count(*)", "sum(-amount)"):
        with opened(TABLES, *POLICIES, CEILING) as full, opened(TABLES, *POLICIES, CEILING) as less:
            for connection in (full, less):
                connection.execute(extra)
            less.execute("DELETE FROM v WHERE person = 1")
            for query in (f"{BY_CLAMP} {asked} FROM v", f"{BY_CLAMP} page, {asked} FROM v GROUP BY page"):
                moves.check(plan_of(query, full), full, [less])


@pytest.mark.slow
def test_a_clamp_is_far_less_noise_than_a_bound_that_nobody_reaches() -> None:
    """Totals of about 450 where 445,000 are declared: errors of 200 answers each."""
    errors: dict[str, list[float]] = {"declared": [], "private": []}
    with opened(TABLES, *POLICIES, CEILING) as connection, dpduck.connect(connection, epsilon="1") as db:
        [[truth]] = connection.execute("SELECT sum(amount) FROM v").fetchall()
        db.execute("CREATE PRIVACY BUDGET b LIMIT 100000")
        db.execute("SET dp_replay = off")
        for kind, found in errors.items():
            db.execute(f"SET dp_clamp = '{kind}'")
            for run in range(RUNS // 2):
                db._service._entropy = Seeded(kind, str(run))
                [[number]] = db.execute("SELECT sum(amount) FROM v").fetchall()
                found.append(abs(number - truth))
        with pytest.raises(dpduck.UnsupportedSqlError, match="dp_clamp is declared or private"):
            db.execute("SET dp_clamp = 'none'")
    assert 50 * median(errors["private"]) < median(errors["declared"])
    assert median(errors["private"]) < truth / 10


def test_a_count_of_rows_says_what_it_is(data: Path) -> None:
    with dpduck.connect(data, epsilon="1") as db:
        db.execute("SET dp_count = 'rows'")
        made = db.explain("SELECT count(*) AS n FROM v")
        assert "count: rows, l of each unit, l up to 1,048,576 chosen with half of epsilon" in str(made)
        assert made.covers == {"n": "below"}
        [[number, low]] = db.execute("SELECT count(*) AS n, dp_low(n) FROM v").fetchall()
        said = [str(notice) for notice in db.notices]
        assert low < number
        number_of_rows = (
            r"n counts rows, of each person up to a number that is chosen privately \([0-9,]+\), so the"
        )
        assert any(re.match(number_of_rows, one) for one in said)
        with pytest.raises(dpduck.UnsupportedSqlError, match="dp_count is units or rows"):
            db.execute("SET dp_count = 'people'")


def test_rows_of_many_groups_are_refused_with_a_bound_that_works() -> None:
    with opened(UNDECLARED, *FREE, "ALTER TABLE v ALTER page SET PRIVACY DOMAIN BETWEEN (0, 200000)") as many:
        with pytest.raises(dpduck.UnsupportedSqlError, match="rows are counted in too many groups"):
            plan_of(f"{ROWS} page, count(*) FROM v GROUP BY page", many)
        plan_of(f"{ROWS} page, count(*, contribution_bounds_per_group => (0, 5)) FROM v GROUP BY page", many)


@pytest.mark.parametrize("aggregate", ["avg({})", "median({})", "stddev({})"])
def test_a_hint_for_a_column_without_a_range_works_for_an_analyst(
    aggregate: str, free: duckdb.DuckDBPyConnection
) -> None:
    with pytest.raises(dpduck.PolicyError) as caught:
        plan_of(f"SELECT {aggregate.format('b')} FROM v", free)
    written, _, owners = str(caught.value.hint).removeprefix("Write ").partition(", or the owner can run ")
    assert owners.startswith("ALTER TABLE v ALTER COLUMN b")
    bounded = written.partition(", or sum(")[0].replace("LOW", "0").replace("HIGH", "100")
    assert bounded == aggregate.format("b, contribution_bounds_per_row => (0, 100)")
    plan_of(f"SELECT {bounded} FROM v", free)


def test_a_hint_does_not_say_what_is_written() -> None:
    with (
        opened(TABLES, *POLICIES[:1], "ALTER TABLE v ALTER amount SET PRIVACY DOMAIN BETWEEN (5, 89)") as one,
        pytest.raises(dpduck.UnsupportedSqlError, match=r"the range of least\(amount, 5\) is one number"),
    ):
        plan_of("SELECT median(least(amount, 5)) FROM v", one)


def test_the_average_in_place_of_a_quotient_is_one_that_is_answered(free: duckdb.DuckDBPyConnection) -> None:
    with dpduck.connect(free, epsilon="1") as db:
        db.execute("SELECT sum(b) / count(*) AS a FROM v")
        [said] = [str(notice) for notice in db.notices if "Nearer: " in str(notice)]
        average = said.partition("Nearer: ")[2].removesuffix(".")
        assert average == "avg(b, contribution_bounds_per_row => (LOW, HIGH))"
        db.execute(f"SELECT {average.replace('LOW', '0').replace('HIGH', '9')} FROM v")


@pytest.mark.parametrize(
    ("argument", "scale"),
    [
        ("age", 0),
        ("CAST(age AS DECIMAL)", 0),
        ("CAST(age AS DECIMAL(9, 4)) * 2", 0),
        ("CAST(age AS DOUBLE)", 0),
        ("CAST(age AS DECIMAL(9, 4)) + 0.5", 1),
        ("CAST(price AS DECIMAL(18, 6))", 2),
        ("CAST(price AS INTEGER)", 0),
        ("price * price", 4),
    ],
)
def test_a_ladder_begins_at_the_unit_of_the_values(argument: str, scale: int) -> None:
    """And not at that of a type that may hold finer ones."""
    with duckdb.connect() as db:
        db.execute(
            "CREATE TABLE v AS SELECT range AS id, 7 AS age, 1.25::DECIMAL(5, 2) AS price FROM range(9)"
        )
        with dpduck.connect(db) as owner:
            owner.execute("ALTER TABLE v ADD PRIVACY_KEY (id)")
            owner.execute("ALTER TABLE v ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)")
            owner.execute("ALTER TABLE v ALTER COLUMN price SET PRIVACY DOMAIN BETWEEN (0, 100)")
            owner.execute("SET dp_epsilon = 1")
            sql = f"SELECT sum({argument}) AS s FROM v"
            owner.execute(sql)
            assert owner._rows is not None and owner._rows.plan is not None
            [block] = owner._rows.plan.blocks
            [measure] = block.measures
            assert isinstance(measure.request, ClampedSum)
            assert measure.request.scale == scale
