"""Hints that are followed to the letter: the same question is answered, and no other one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import dpduck

TABLES = """
CREATE TABLE payments AS SELECT i % 500 AS customer, 'm' || (i // 500 + i % 3) AS merchant,
    (i % 40)::INTEGER AS amount, DATE '2024-01-01' + (i % 144)::INTEGER AS day FROM range(5000) AS r(i);
"""
BOUND = "ALTER TABLE payments SET PRIVACY CONTRIBUTION (groups = 5)"
SUM = "sum(amount, contribution_bounds_per_group => (0, 100))"
ROWS = "count(*, contribution_bounds_per_group => (0, 5))"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[dpduck.Connection]:
    path = tmp_path / "payments.duckdb"
    with duckdb.connect(path) as con:
        con.execute(TABLES)
    with dpduck.connect(path, epsilon="1") as db:
        db.execute("ALTER TABLE payments ADD PRIVACY_KEY (customer)")
        days = "BETWEEN ('2024-01-01', '2024-05-23')"
        db.execute(f"ALTER TABLE payments ALTER COLUMN day SET PRIVACY DOMAIN {days}")
        yield db


def hint_of(db: dpduck.Connection, sql: str) -> str:
    with pytest.raises(dpduck.DpduckError) as caught:
        db.execute(sql)
    return str(caught.value.hint)


@pytest.mark.parametrize(
    ("query", "added"),
    [
        ("SELECT merchant, count(*) FROM payments GROUP BY merchant", "ORDER BY count(*) DESC LIMIT 10"),
        (f"SELECT merchant, {ROWS} FROM payments GROUP BY merchant", "ORDER BY count(*) DESC LIMIT 10"),
        ("SELECT merchant, count(*) FROM payments GROUP BY merchant ORDER BY count(*) DESC", "LIMIT 10"),
        ("SELECT merchant, count(*) AS n FROM payments GROUP BY merchant ORDER BY n LIMIT 3", ""),
        (f"SELECT merchant, {SUM} AS s FROM payments GROUP BY merchant ORDER BY s DESC LIMIT 3", ""),
        (f"SELECT merchant, {ROWS} AS n FROM payments GROUP BY merchant ORDER BY n DESC LIMIT 3", ""),
        (f"SELECT merchant, {ROWS} AS n FROM payments GROUP BY merchant ORDER BY n DESC", ""),
    ],
)
def test_the_largest_groups_are_asked_for_in_the_order_of_the_query(
    db: dpduck.Connection, query: str, added: str
) -> None:
    """A query for the largest sums was told to add an order by counts, which asks for other groups."""
    db.execute("SET dp_delta = 1e-6")
    hint = hint_of(db, query)
    ways = re.findall(r"or add ([A-Z].*?)\.(?: Write values |$)", hint)
    assert ways == [added] * bool(added)
    if added:
        db.execute(f"{query} {added}")
    assert f"or {BOUND}" in hint
    db.execute(BOUND)
    db.execute(query)


def test_noise_of_many_groups_has_several_cures(db: dpduck.Connection) -> None:
    """Each that the notice names makes it less, and it is said what is left out for it."""
    asked = "SELECT day, count(*) AS n FROM payments GROUP BY day"
    wide = db.explain(asked).expected_error["n"]
    [said] = [one for one in db.explain(asked).caveats if one.startswith("Noise is 144 times as wide")]
    assert "group by fewer or coarser keys" in said
    cures = re.findall(r"SET dp_[a-z_]+ = [^ ,.]+", said)
    bounded, delta, private = cures
    assert bounded == "SET dp_max_groups_contributed = 5" and private.endswith("= 'private'")
    for cure in (bounded, delta):
        db.execute(cure)
        assert db.explain(asked).expected_error["n"] < wide / 3, cure
        db.execute(f"RESET {cure.split()[1]}")
    db.execute(delta)
    assert not any("With SET dp_delta" in one for one in db.explain(asked).caveats)
    coarser = db.explain("SELECT month(day) AS m, count(*) AS n FROM payments GROUP BY m")
    assert coarser.expected_error["n"] < wide / 3
    assert not any("With SET dp_delta" in one for one in coarser.caveats)


def test_few_groups_have_no_such_cures(db: dpduck.Connection) -> None:
    few = "SELECT month(day) AS m, count(*) AS n FROM payments WHERE day < DATE '2024-04-01' GROUP BY m"
    said = [one for one in db.explain(few).caveats if one.startswith("Noise is ")]
    assert len(said) == 1 and "Otherwise" not in said[0] and "dp_delta" not in said[0]
