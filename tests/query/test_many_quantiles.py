"""Several quantiles in one statement: which share epsilon, what is charged, and values that are odd."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import duckdb
import pytest

import dpduck
from dpduck import policies
from dpduck.kernel.accounting.events import Composed, ManyQuantiles, PermuteAndFlip
from dpduck.kernel.errors import DpduckError
from dpduck.kernel.plan.aggregates import Quantile, Quantiles
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.plan.prices import event_of
from tests.query.shop import plan

TABLES = """
CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, pay DOUBLE, since DATE, team VARCHAR, same INTEGER);
INSERT INTO people
  SELECT i, i % 100, i / 10.0, DATE '2020-01-01' + (i % 1000)::INTEGER, ['a', 'b'][1 + i % 2], 5
FROM range(20000) AS r (i);
CREATE TABLE visits (id INTEGER, x INTEGER);
INSERT INTO visits SELECT i // 5, i % 100 FROM range(20000) AS r (i);
INSERT INTO visits SELECT 0, 7 FROM range(50000) AS r (i)
"""
POLICIES = """
ALTER TABLE people ADD PRIVACY_KEY (id)
ALTER TABLE people ALTER COLUMN age SET PRIVACY DOMAIN BETWEEN (0, 120)
ALTER TABLE people ALTER COLUMN pay SET PRIVACY DOMAIN BETWEEN (0, 10000)
ALTER TABLE people ALTER COLUMN since SET PRIVACY DOMAIN BETWEEN ('2019-01-01', '2029-01-01')
ALTER TABLE people ALTER COLUMN team SET PRIVACY DOMAIN IN ('a', 'b', 'c')
ALTER TABLE people ALTER COLUMN same SET PRIVACY DOMAIN BETWEEN (0, 120)
ALTER TABLE visits ADD PRIVACY_KEY (id)
ALTER TABLE visits ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 1000)
"""


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        with dpduck.connect(connection, epsilon="1") as db:
            for statement in POLICIES.strip().splitlines():
                db.execute(statement)
        yield connection


@pytest.fixture
def db(database: duckdb.DuckDBPyConnection) -> Iterator[dpduck.Connection]:
    with dpduck.connect(database, epsilon="1") as opened:
        opened.execute("SET dp_replay = off")
        yield opened


def planned(database: duckdb.DuckDBPyConnection, query: str) -> Plan:
    return plan(query, policies.load_catalog(database), epsilon=Fraction(1))


@pytest.mark.parametrize(
    ("query", "shares"),
    [
        ("SELECT quantile_cont(age, [0.1, 0.5, 0.9]) FROM people", [3]),
        ("SELECT quantile_cont(age, [0.9, 0.1, 0.9]) FROM people", [2]),
        ("SELECT min(age), median(age), max(age) FROM people", [0, 0, 0]),
        ("SELECT median(age), quantile_disc(age, 0.5) FROM people", [1]),
        ("SELECT median(age), median(pay) FROM people", [0, 0]),
        ("SELECT median(age), quantile_cont(age, 0.9) FILTER (WHERE pay > 3) FROM people", [0, 0]),
        ("SELECT median(age), quantile_cont(age, 0.9, epsilon => 0.1) FROM people", [0, 0]),
        ("SELECT quantile_cont(x, [0.1, 0.2]), quantile_cont(x, 0.3) FROM visits", [3]),
    ],
)
def test_quantiles_of_the_same_rows_and_values_share_epsilon(
    database: duckdb.DuckDBPyConnection, query: str, shares: list[int]
) -> None:
    made = planned(database, query)
    requests = [measure.request for measure in made.measures]
    assert [len(r.shares) if isinstance(r, Quantiles) else 0 for r in requests] == shares
    assert all(isinstance(request, (Quantile, Quantiles)) for request in requests)


def test_they_are_one_event_of_all_epsilon_with_its_levels(database: duckdb.DuckDBPyConnection) -> None:
    listed = planned(database, f"SELECT quantile_cont(age, {[i / 100 for i in range(1, 100)]}) FROM people")
    assert event_of(listed) == ManyQuantiles(Fraction(1), levels=7)
    grouped = planned(database, "SELECT team, quantile_cont(age, [0.2, 0.4]) FROM people GROUP BY team")
    assert event_of(grouped) == ManyQuantiles(Fraction(1), levels=2)
    explicit = planned(
        database, "SELECT quantile_cont(age, [0.2, 0.4, 0.5], epsilon => 0.3), median(pay) FROM people"
    )
    event = event_of(explicit)
    assert isinstance(event, Composed)
    assert event.parts == (ManyQuantiles(Fraction("0.3"), levels=2), PermuteAndFlip(Fraction("0.7")))


def test_the_event_is_the_same_whatever_the_rows(db: dpduck.Connection) -> None:
    everyone = "SELECT quantile_cont(age, [0.1, 0.5, 0.9]) FROM people"
    for condition in ("age < 500", "age > 500", "id = 3"):
        db.execute(f"{everyone} WHERE {condition}")
    entries = db.ledger().to_pylist()
    charged = [(int(entry["epsilon"]), entry["mechanism"]) for entry in entries]
    assert charged[-3:] == [(1, "quantiles")] * 3


def test_answers_ascend_and_are_near(db: dpduck.Connection) -> None:
    wanted = [i / 20 for i in range(1, 20)]
    for column, low, high in (("age", 0, 100), ("pay", 0, 2000)):
        [[found]] = db.execute(f"SELECT quantile_cont({column}, {wanted}) FROM people").fetchall()
        assert found == sorted(found)
        truth = [low + share * (high - low) for share in wanted]
        assert max(abs(x - y) for x, y in zip(found, truth, strict=True)) < 0.02 * (high - low)
    rows = db.execute("SELECT team, quantile_cont(pay, [0.8, 0.2, 0.5]) FROM people GROUP BY team").fetchall()
    for team, (most, least, middle) in rows:
        assert least <= middle <= most
        assert team == "c" or abs(middle - 1000) < 100
    [[dates]] = db.execute("SELECT quantile_disc(since, [0.25, 0.75]) FROM people").fetchall()
    assert [date.year for date in dates] == [2020, 2022]


def test_a_column_with_one_value_has_it_at_all_quantiles(db: dpduck.Connection) -> None:
    wanted = [i / 50 for i in range(1, 50)]
    assert db.execute(f"SELECT quantile_cont(same, {wanted}) FROM people").fetchall() == [([5.0] * 49,)]


def test_tables_and_groups_without_values_have_answers_that_ascend(db: dpduck.Connection) -> None:
    [[found]] = db.execute(
        "SELECT quantile_cont(age, [0.2, 0.5, 0.8]) FROM people WHERE age > 500"
    ).fetchall()
    assert found == sorted(found)
    assert all(0 <= value <= 120 for value in found)


def test_a_unit_with_most_rows_has_the_weight_of_one(db: dpduck.Connection) -> None:
    """Of 4,000 units one has 50,000 rows of 7, and all others each value of 0 to 99 once in 20."""
    [[low, middle]] = db.execute(
        "SELECT quantile_cont(x, 0.25), quantile_cont(x, 0.5) FROM visits"
    ).fetchall()
    assert abs(low - 25) < 3
    assert abs(middle - 50) < 3


def test_too_many_quantiles_are_refused_before_a_charge(db: dpduck.Connection) -> None:
    with pytest.raises(DpduckError, match="a list has 1 to 100 quantiles"):
        db.execute(f"SELECT quantile_cont(age, {[i / 10001 for i in range(1, 10001)]}) FROM people")


def test_explain_counts_the_levels_and_says_how_far_ranks_are_off(db: dpduck.Connection) -> None:
    text = str(db.explain("SELECT quantile_cont(pay, [0.1, 0.5, 0.9]) FROM people"))
    assert "permute-and-flip by recursion: 3 quantiles of one value per unit" in text
    assert "with 1/2 of epsilon on each of 2 levels" in text
    assert "its ranks are off by at most 133 units with probability 95 % each, about 9.7 where" in text


def test_one_of_them_is_answered_again_from_all(database: duckdb.DuckDBPyConnection) -> None:
    with dpduck.connect(database, epsilon="1") as opened:
        [[low, high]] = opened.execute(
            "SELECT quantile_cont(age, 0.2), quantile_cont(age, 0.8) FROM people WHERE id > 7"
        ).fetchall()
        again = opened.execute("SELECT quantile_cont(age, 0.8) FROM people WHERE id > 7")
        assert again.fetchall() == [(high,)]
        assert low <= high
        assert again.notices[0].startswith("This is from the answer of ")
