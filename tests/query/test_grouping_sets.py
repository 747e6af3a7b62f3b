"""ROLLUP, CUBE and GROUPING SETS: totals of one release, with the rows of plain DuckDB.

The golden files have plans and answers.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck import policies
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.catalog.model import RangeDomain
from dpduck.kernel.mechanisms.additive import half_width
from dpduck.kernel.plan import prices
from dpduck.kernel.plan.keys import JointKeys, Key, KeySpace
from dpduck.kernel.plan.model import Plan
from tests.depth import depth
from tests.everyday.test_everyday import HERE as QUESTIONS
from tests.query import quiet
from tests.query.shop import any_plan
from tests.questions import Tables
from tests.sources import HALF, Quiet

Rows = list[tuple[object, ...]]
TABLES = """
CREATE TABLE people (id INTEGER PRIMARY KEY, region VARCHAR, grade INTEGER, member BOOLEAN, age INTEGER,
    paid DECIMAL(9, 2));
INSERT INTO people SELECT i, ['n', 's'][i % 2 + 1], i % 3, i % 5 < 2, (i * 7) % 50, (i * 13) % 1000 / 100
    FROM range(1200) AS r(i);
CREATE TABLE plain AS FROM people;
CREATE TABLE visits AS SELECT (i % 70)::INTEGER AS person, ['a', 'b', 'c'][i % 3 + 1] AS page,
    (i % 4)::INTEGER AS hour, i % 40 AS spent FROM range(900) AS r(i);
CREATE TABLE days (person INTEGER, day INTEGER, steps INTEGER, PRIMARY KEY (person, day));
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id)
ALTER TABLE people ALTER COLUMN region SET PRIVACY DOMAIN IN ('n', 's')
ALTER TABLE people ALTER COLUMN grade SET PRIVACY DOMAIN BETWEEN (0, 2)
ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 50)
ALTER TABLE people ALTER COLUMN paid SET PRIVACY DOMAIN BETWEEN (0, 10)
ALTER TABLE visits ADD PRIVACY_LINK (person) REFERENCES people(id)
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('a', 'b', 'c')
ALTER TABLE visits ALTER COLUMN hour SET PRIVACY DOMAIN BETWEEN (0, 3)
ALTER TABLE visits ALTER COLUMN spent SET PRIVACY DOMAIN BETWEEN (0, 40)
ALTER TABLE days ADD PRIVACY_KEY (person)
ALTER TABLE days ALTER COLUMN day SET PRIVACY DOMAIN BETWEEN (1, 7)
"""


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        with dpduck.connect(connection, epsilon="1") as db:
            for statement in POLICIES.strip().splitlines():
                db.execute(statement)
            yield connection


def make_club(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLES)
    with dpduck.connect(path) as owner:
        for statement in POLICIES.strip().splitlines():
            owner.execute(statement)


@pytest.fixture
def db(copied: Callable[..., Path]) -> Iterator[dpduck.Connection]:
    with dpduck.connect(copied(make_club), epsilon="1") as db:
        yield db


def plan_of(query: str, connection: duckdb.DuckDBPyConnection) -> Plan:
    made = any_plan(query, policies.load_catalog(connection), facts=PublicFacts(connection))
    assert isinstance(made, Plan)
    return made


# --- the sets are those of DuckDB ----------------------------------------------------------------


@pytest.mark.slow
def test_random_sets_are_those_of_plain_duckdb(connection: duckdb.DuckDBPyConnection) -> None:
    """Each person has one row and each group is met, so that plain SQL has the same rows."""
    draw, seen = random.Random("sets"), Counter[str]()
    for _ in range(depth(400, 30, 15)):
        clause = random_clause(draw)
        items = "region, grade, member, count(*) AS n, sum(age), avg(age), sum(paid) FILTER (WHERE grade > 0)"
        query = f"SELECT {items} FROM {{}} GROUP BY {clause}"
        try:
            expected = connection.execute(query.format("plain")).fetchall()
        except (duckdb.BinderException, duckdb.ParserException):  # no key; nested sets, before 2.0
            continue
        answered = quiet.answer(plan_of(query.format("people"), connection), connection)
        described = connection.execute(f"DESCRIBE {query.format('plain')}").fetchall()
        assert quiet.columns(answered) == [(row[0], row[1]) for row in described]
        assert same_rows(answered.fetchall(), expected), clause
        seen.update(word for word in ("ROLLUP", "CUBE", "GROUPING SETS", "()", ")), (") if word in clause)
    assert all(seen[word] > 0 for word in ("ROLLUP", "CUBE", "GROUPING SETS", "()")), seen


def random_clause(draw: random.Random) -> str:
    """Items of GROUP BY, of which there are sets, that name all of the keys."""
    while True:
        clause = ", ".join(random_item(draw, 2) for _ in range(draw.choice((1, 1, 2))))
        if all(key in clause for key in ("region", "grade", "member")):
            return clause


def random_item(draw: random.Random, deep: int) -> str:
    kind = draw.choice(("ROLLUP", "CUBE", "GROUPING SETS", "key")) if deep else "key"
    if kind == "key":
        return random_terms(draw)
    parts = [
        random_item(draw, deep - 1) if kind == "GROUPING SETS" else random_terms(draw)
        for _ in range(draw.randrange(1, 4))
    ]
    return f"{kind} ({', '.join(parts)})"


def random_terms(draw: random.Random) -> str:
    names = draw.sample(["region", "grade", "member"], draw.choice((0, 1, 1, 1, 2, 3)))
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def same_rows(answered: Rows, expected: Rows) -> bool:
    """Whether rows agree in any order, in which totals follow their groups; those without people are 0."""

    def exact(row: tuple[object, ...]) -> str:
        return repr([cell for cell in row if not isinstance(cell, (float, Decimal))])

    pairs = zip(sorted(answered, key=exact), sorted(expected, key=exact), strict=True)
    return all(
        quiet.is_same_cell(*cells)
        for pair in pairs
        for cells in zip(*pair, strict=True)
        if cells[1] is not None
    )


# --- everyday questions --------------------------------------------------------------------------

# The numbers of plain SQL, without keys that are NULL: no person has more rows than the policies allow.
EVERYDAY = {
    ("weblogs", 59): """
        SELECT goal, device, coalesce(sum(c.value), 0) AS value, count(*) AS n
        FROM conversions c JOIN visitors v ON c.visitor_id = v.id
        WHERE goal IS NOT NULL AND device IS NOT NULL
        GROUP BY ROLLUP (goal, device)""",
    ("shop", 92): """
        SELECT city, status, count(*) AS n FROM orders o JOIN customers c ON o.customer_id = c.id
        WHERE city IS NOT NULL AND status IS NOT NULL
        GROUP BY GROUPING SETS ((city, status), (city), ())""",
    ("finance", 124): """
        SELECT category, channel, sum(abs(amount)) AS amount FROM transactions WHERE amount < 0
        GROUP BY CUBE (category, channel)""",
    ("health", 156): """
        SELECT date_trunc('month', arrived)::DATE AS month, department, sum(cost) AS total, avg(cost) AS mean
        FROM visits GROUP BY ROLLUP (1, department)""",
    ("hr", 190): """
        SELECT division, job_level, count(*) AS n, avg(salary) AS salary
        FROM employees LEFT JOIN departments USING (dept_id) WHERE job_level IS NOT NULL
        GROUP BY CUBE (division, job_level)""",
    ("abtests", 259): """
        SELECT exp_id, variant, country, count(DISTINCT subject_id), GROUPING(country)
        FROM assignments JOIN subjects ON subject_id = id WHERE country IS NOT NULL
        GROUP BY GROUPING SETS ((exp_id, variant), (exp_id, variant, country))""",
    ("mobility", 292): """
        SELECT district, bike_type, sum(fare) FROM trips JOIN stations ON from_station = station_id
        WHERE bike_type IS NOT NULL GROUP BY ROLLUP (district, bike_type)""",
}


@pytest.mark.slow
@pytest.mark.parametrize(("domain", "number"), EVERYDAY)
def test_everyday_questions_have_the_numbers_of_plain_sql(domain: str, number: int, tmp_path: Path) -> None:
    path = tmp_path / "everyday.duckdb"
    tables = Tables(QUESTIONS / domain)
    tables.open(path).close()
    [question] = [one for one in tables.questions() if one.number == number]
    with duckdb.connect(str(path)) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        answered = quiet.answer(plan_of(question.sql, connection), connection).fetchall()
        expected = connection.execute(EVERYDAY[domain, number]).fetchall()
    keys = 3 if domain == "abtests" else 2
    assert len(answered) >= len(expected)
    for row in expected:
        found = next(one for one in answered if one[:keys] == row[:keys] and is_near(one[keys:], row[keys:]))
        answered.remove(found)
    assert [row for row in answered if not is_near(row[keys : keys + 1], [0])] == []  # nobody is in these


def is_near(numbers: Sequence[object], others: Sequence[object]) -> bool:
    """Whether numbers agree but for little noise; of what nobody has there is no average."""
    pairs = zip(numbers, others, strict=False)
    return all(a is None or math.isclose(float(a), float(b), rel_tol=5e-4, abs_tol=10) for a, b in pairs)  # type: ignore[arg-type]


# --- what is shown agrees ------------------------------------------------------------------------


def test_totals_are_the_sums_of_the_numbers_beside_them(db: dpduck.Connection) -> None:
    query = """SELECT GROUPING(page) AS p, GROUPING(hour) AS h, page, hour, count(*) AS n, sum(spent) AS s,
        count_if(spent > 20) AS c FROM visits GROUP BY CUBE (page, hour)"""
    rows = db.execute(query).fetchall()
    finest = [row for row in rows if row[:2] == (0, 0)]
    assert (len(finest), len(rows)) == (12, 20)
    for p, h, page, hour, *numbers in rows:
        own = [row for row in finest if (p or row[2] == page) and (h or row[3] == hour)]
        assert numbers == [sum(row[place] for row in own) for place in (4, 5, 6)]


def test_an_answer_of_the_groups_has_their_totals_in_it(db: dpduck.Connection) -> None:
    groups = db.execute("SELECT region, grade, count(*) AS n FROM people GROUP BY region, grade").fetchall()
    rollup = "SELECT region, grade, count(*) AS n FROM people GROUP BY ROLLUP (region, grade)"
    assert db.explain(rollup).replayed is not None
    rows = db.execute(rollup).fetchall()
    assert [row for row in rows if row[0] and row[1] is not None] == groups
    assert rows[-1] == (None, None, sum(n for _, _, n in groups))


def test_they_cost_what_the_groups_cost(connection: duckdb.DuckDBPyConnection) -> None:
    items = "SELECT page, hour, count(*), sum(spent) FROM visits GROUP BY"
    cube = plan_of(f"{items} CUBE (page, hour)", connection)
    groups = plan_of(f"{items} page, hour", connection)
    assert prices.event_of(cube) == prices.event_of(groups)
    assert [measure.scores for measure in cube.measures] == [measure.scores for measure in groups.measures]


def test_totals_follow_their_groups_in_the_same_order_each_time(db: dpduck.Connection) -> None:
    rows = db.execute("SELECT region, grade, count(*) FROM people GROUP BY ROLLUP (region, grade)").fetchall()
    own = [("n", 0), ("n", 1), ("n", 2), ("n", None), ("s", 0), ("s", 1), ("s", 2), ("s", None), (None, None)]
    assert [row[:2] for row in rows] == own


# --- errors --------------------------------------------------------------------------------------


def test_each_set_has_its_error(db: dpduck.Connection) -> None:
    explained = db.explain("SELECT page, hour, count(*) AS n FROM visits GROUP BY ROLLUP (page, hour)")
    width = float(half_width(Fraction(1, 12)))
    assert [text.partition(" of the truth")[0] for text in explained.promises] == [
        f"each page, hour: n is within {width:,.4g}",
        f"each page (up to 4 groups together): n is within {2 * (width + 1):,.4g}",
        f"all (up to 12 groups together): n is within {math.sqrt(12) * (width + 1):,.4g}",
    ]
    assert explained.expected_error == {"n": math.sqrt(12) * (width + 1)}


def test_of_many_sets_the_ends_have_their_errors(db: dpduck.Connection) -> None:
    query = "SELECT count(*) AS n FROM people GROUP BY CUBE (region, grade, member, grade > 1)"
    assert [text.partition(":")[0] for text in db.explain(query).promises] == [
        "each region, grade, member, key",
        "all (up to 12 groups together)",  # grade and grade > 1 come together
    ]


def test_an_average_of_several_groups_has_its_error(db: dpduck.Connection) -> None:
    own, _, every = db.explain("SELECT avg(age) AS a FROM people GROUP BY ROLLUP (region, grade)").promises
    widths = [float(text.partition("within ")[2].split()[0]) for text in (own, every)]
    assert math.isclose(widths[1], math.sqrt(6) * widths[0], rel_tol=0.01)


@pytest.mark.parametrize("doubt", [0.05, 0.01, 0.0005])
@pytest.mark.parametrize("rate", [Fraction(5), Fraction(1), Fraction(1, 20)])
def test_several_noises_are_within_what_is_stated(rate: Fraction, doubt: float) -> None:
    """The exact distribution of n discrete Laplace noises together; see `cost.error_of_totals`."""
    decay, most = math.exp(-float(rate)), math.ceil(40 / float(rate))
    one = decay ** np.abs(np.arange(-most, most + 1)) * (1 - decay) / (1 + decay)
    width, noises = float(half_width(rate, 1 - doubt)), one
    for number in range(2, 13):
        noises = np.convolve(noises, one)
        reach = math.floor(math.sqrt(number) * (width + 1))
        middle = len(noises) // 2
        assert 1 - noises[max(middle - reach, 0) : middle + reach + 1].sum() <= doubt + 1e-12, number


def test_how_many_groups_a_total_is_of_allows_for_keys_that_come_together() -> None:
    names = ("brand", "id", "day")
    keys = tuple(Key(name, "INTEGER", None) for name in names)
    joint = JointKeys((0, 1), ((1, 1), (1, 2), (1, 3), (2, 4)))
    days = Key("day", "INTEGER", RangeDomain(1, 7, 1))
    space = KeySpace((*keys[:2], days), (joint,))
    assert [space.most_merged(places) for places in ((0, 1, 2), (0, 2), (0,), (1,), ())] == [1, 3, 21, 7, 28]


# --- what totals mean ----------------------------------------------------------------------------

AGAIN = "Totals of n count each id once for each group that they add up."


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT count(*) AS n FROM visits GROUP BY ROLLUP (page)", True),
        ("SELECT count(DISTINCT person) AS n FROM visits GROUP BY GROUPING SETS ((page), ())", True),
        ("SELECT avg(spent) AS n FROM visits GROUP BY ROLLUP (page)", True),
        ("SELECT sum(spent) AS n FROM visits GROUP BY ROLLUP (page)", False),
        (
            "SELECT count(*, contribution_bounds_per_group => (0, 5)) AS n FROM visits GROUP BY CUBE (page)",
            False,
        ),
        ("SELECT count(*) AS n FROM people GROUP BY CUBE (region, grade)", False),
        ("SELECT count(DISTINCT id) AS n FROM people GROUP BY CUBE (region, grade)", False),
        # A person has one region, so that nobody is in two of the groups that a total is of.
        ("SELECT count(*) AS n FROM visits JOIN people ON id = person GROUP BY page, ROLLUP (region)", False),
        ("SELECT count(*) AS n FROM visits JOIN people ON id = person GROUP BY region, ROLLUP (page)", True),
        ("SELECT count(*) AS n FROM days GROUP BY ROLLUP (day)", False),
    ],
)
def test_a_notice_says_that_totals_count_a_person_several_times(
    db: dpduck.Connection, query: str, told: bool
) -> None:
    notices = db.explain(query).caveats
    assert any(notice.startswith("Totals of n count each") for notice in notices) == told


def test_counts_of_rows_beside_counts_of_people_are_told_apart(db: dpduck.Connection) -> None:
    query = "SELECT count(*) AS rows, count(DISTINCT person) AS n FROM days GROUP BY ROLLUP (day)"
    explained = db.explain(query)
    assert any("count each person once for each group" in notice for notice in explained.caveats)
    assert "if each person counts once in each group" in explained.promises[0]


def test_a_bound_of_one_group_makes_totals_count_once(db: dpduck.Connection) -> None:
    db.execute("SET dp_max_groups_contributed = 1")
    notices = db.explain("SELECT count(*) AS n FROM visits GROUP BY ROLLUP (page)").caveats
    assert not any(notice.startswith("Totals") for notice in notices)


def test_the_notice_comes_with_the_answer(db: dpduck.Connection) -> None:
    db.execute("SELECT count(*) AS n FROM visits GROUP BY ROLLUP (page)")
    assert AGAIN in db.notices or AGAIN.replace("id", "person") in db.notices


def test_what_is_beside_domains_is_in_no_total(db: dpduck.Connection) -> None:
    notices = db.explain("SELECT count(*) AS n FROM people GROUP BY ROLLUP (region)").caveats
    assert "Rows whose region is NULL or not in its domain are left out, also of totals." in notices


# --- averages of what may be no values -----------------------------------------------------------

AVERAGES = "SELECT region, avg(age) AS a FROM people WHERE id % 2 = 0 GROUP BY ROLLUP (region)"


def test_an_average_of_noise_is_null_but_its_total_may_be_known(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpduck.answers.service.SystemEntropy", lambda: Quiet(HALF))
    rows = db.execute(AVERAGES).fetchall()
    assert [(region, average is None) for region, average in rows] == [
        ("n", False),
        ("s", True),
        (None, False),
    ]
    assert any(notice.startswith("NULL stands for a where noise is as large as") for notice in db.notices)
    db.execute("SET dp_noisy_averages = on")
    shown = db.execute("SELECT avg(age) AS a FROM people WHERE id < 0 GROUP BY ROLLUP (region)").fetchall()
    assert any(notice.startswith("There may be no values for a") for notice in db.notices)
    assert len(shown) == 3


# --- public rows and released ones ---------------------------------------------------------------


@pytest.mark.parametrize(
    "clause",
    [
        "ROLLUP (region, grade)",
        "CUBE (region, grade)",
        "GROUPING SETS ((region), (grade), ())",
        "region, ROLLUP (grade)",
    ],
)
def test_over_released_rows_they_are_duckdbs(db: dpduck.Connection, clause: str) -> None:
    released = "SELECT region, grade, count(*) AS n FROM people GROUP BY region, grade"
    items = "region, grade, GROUPING(region, grade) AS g, sum(n) AS n"
    query = f"SELECT {items} FROM {{}} GROUP BY {clause} ORDER BY ALL"
    rows = db.execute(released).fetchall()
    plain = duckdb.connect()
    plain.execute("CREATE TABLE released (region VARCHAR, grade INTEGER, n BIGINT)")
    plain.executemany("INSERT INTO released VALUES (?, ?, ?)", rows)
    expected = plain.execute(query.format("released"))
    answered = db.execute(query.format(f"({released}) AS released"))
    assert [column[0] for column in answered.description] == [column[0] for column in expected.description]
    assert answered.fetchall() == expected.fetchall()
