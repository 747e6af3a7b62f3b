"""Lower ends of sums whose clamp is chosen privately are below the truth, whatever values are odd."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import duckdb
import pytest

import dpduck

PEOPLE, EACH = 2000, 20


@contextmanager
def protected(columns: str, domains: Mapping[str, str], each: int = EACH) -> Iterator[dpduck.Connection]:
    """A table of so many rows for each person. Input: its columns, of row i; ranges by column."""
    with duckdb.connect() as rows:
        rows.execute(
            f"CREATE TABLE t AS SELECT (i % {PEOPLE})::INTEGER AS person, {columns} "
            f"FROM range({PEOPLE * each}) AS r (i)"
        )
        with dpduck.connect(rows, epsilon="8") as db:
            db.execute("ALTER TABLE t ADD PRIVACY_KEY (person)")
            for column, ends in domains.items():
                db.execute(f"ALTER TABLE t ALTER COLUMN {column} SET PRIVACY DOMAIN BETWEEN {ends}")
            yield db


def ends(db: dpduck.Connection, of: str, rest: str = "") -> tuple[float, float]:
    """The sum and its lower end; there is no upper one."""
    [(found, low, high)] = db.execute(
        f"SELECT sum({of}) AS s, dp_low(s), dp_high(s) FROM t {rest}"
    ).fetchall()
    assert high is None
    return float(found), float(low)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("each", "most"), [("0.06", "1000000000"), ("0.04", "1000000000"), ("0.6", "1e12"), ("0.00051", "1e7")]
)
@pytest.mark.parametrize("bound", ["", "ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 20)"])
def test_values_far_below_their_range_are_not_rounded_to_its_ticks(each: str, most: str, bound: str) -> None:
    truth = float(each) * PEOPLE * EACH
    with protected(f"{each}::DOUBLE AS x", {"x": f"(0, {float(most):.0f})"}) as db:
        if bound:
            db.execute(bound)
            db.execute("SET dp_clamp = 'private'")
        found, low = ends(db, "x")
    assert found == pytest.approx(truth, rel=0.02)
    assert truth * 0.98 < low < truth * 1.01  # noise is about 0.3 %


def test_what_is_less_than_a_tick_is_lost_and_never_made_up() -> None:
    """Three quarters of a tick: 14 places for a range of 1."""
    with protected("7.5e-15::DOUBLE AS x", {"x": "(0, 1)"}) as db:
        assert ends(db, "x")[1] <= 7.5e-15 * PEOPLE * EACH


@pytest.mark.parametrize("of", ["least(x ** -1, 100)", "least(sqrt(x) ** -1, 5)", "least(x ** -3, 100)"])
def test_a_power_of_minus_zero_may_be_below_0(of: str) -> None:
    """1 / -0.0 is -inf, so that a clamp may raise a sum, and neither of its ends is one of the truth."""
    with protected("CASE WHEN i % 2 = 0 THEN -0.0 ELSE 4.0 END::DOUBLE AS x", {"x": "(0, 8)"}, each=1) as db:
        [(found, low, high)] = db.execute(
            f"SELECT sum({of}) AS s, dp_low(s), dp_high(s) FROM t WHERE x >= 0"
        ).fetchall()
        assert low < found < high
        assert "the truth may be above or below" in " ".join(db.notices)


@pytest.mark.parametrize("of", ["least(x ** 2, 100)", "least(x ** -2, 100)", "least(x ** 0.5, 100)"])
def test_other_powers_are_never_below_0(of: str) -> None:
    with protected("CASE WHEN i % 2 = 0 THEN -0.0 ELSE 4.0 END::DOUBLE AS x", {"x": "(0, 8)"}, each=1) as db:
        found, low = ends(db, of)
        assert found > 0 <= low <= found


def test_values_below_a_declared_domain_count_as_its_end() -> None:
    with protected("CASE WHEN i % 5 < 2 THEN -1000 ELSE 10 END::DOUBLE AS x", {"x": "(0, 20)"}, each=1) as db:
        found, low = ends(db, "x")
        of_those_within = 10 * PEOPLE * 3 / 5
        assert found == pytest.approx(of_those_within, rel=0.05)
        assert 0 < low < of_those_within * 1.05


def test_an_answer_from_before_a_domain_is_not_given_again_with_its_lower_end() -> None:
    """Values below 0 counted in it, which the domain now says there are none of."""
    with protected("CASE WHEN i % 2 = 0 THEN -10 ELSE 10 END AS x", {"x": "(-20, 20)"}) as db:
        query = "SELECT sum(x) AS s, dp_low(s), dp_high(s) FROM t"
        db.execute("SET dp_epsilon = 2")
        db.execute(query)
        db.execute("ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20)")
        [(found, low, high)] = db.execute(query).fetchall()
        assert db.charged == "2"
        assert 0 < low < found
        assert high is None
