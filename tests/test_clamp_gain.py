"""EXPLAIN says below which clamp a private one has less noise than the declared bound, where it may have."""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

import dpduck

SUM = "SELECT sum(x) AS s FROM t"
LEAD = "  clamp     with SET dp_clamp = 'private': "


@pytest.fixture
def db() -> Iterator[dpduck.Connection]:
    """A policy whose bound on totals, 5,000 rows times 89, is far above what people have."""
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE t (id INTEGER NOT NULL, x INTEGER NOT NULL)")
        rows.execute("INSERT INTO t SELECT i % 1000, i % 90 FROM range(5000) AS r(i)")
        with dpduck.connect(rows, epsilon="1") as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id); ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 5000);"
                "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 89)"
            )
            yield db


def gains(db: dpduck.Connection, query: str) -> list[str]:
    lines = str(db.explain(query)).splitlines()
    return [line.removeprefix(LEAD) for line in lines if line.startswith("  clamp ")]


def test_it_says_what_a_private_clamp_costs(db: dpduck.Connection) -> None:
    [said] = gains(db, SUM)
    declared = float(re.search(r"in place of [+]-([0-9,]+)", said)[1].replace(",", ""))  # type: ignore[index]
    below = float(re.search(r"for a clamp below ([0-9,]+)", said)[1].replace(",", ""))  # type: ignore[index]
    assert declared == pytest.approx(db.explain(SUM).expected_error["s"], rel=1e-3)
    assert below == pytest.approx(5000 * 89 / 2, rel=0.01)  # half of epsilon chooses
    db.execute("SET dp_clamp = 'private'")
    text = str(db.explain(SUM))
    per_clamp = float(re.search(r"noise is within ([0-9.]+) times the clamp", text)[1])  # type: ignore[index]
    assert said.startswith(f"s +-{per_clamp:,.3g} times the clamp in place of ")
    assert declared / per_clamp == pytest.approx(below, rel=0.01)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(DISTINCT id) AS n FROM t",
        "SELECT avg(x) AS a FROM t",
        "SELECT median(x) AS m FROM t",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (clamp = 'declared') sum(x) AS s FROM t",
        "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (clamp = 'private') sum(x) AS s FROM t",
    ],
)
def test_where_nothing_is_gained_or_it_is_settled_it_says_nothing(db: dpduck.Connection, query: str) -> None:
    assert gains(db, query) == []


def test_who_asked_for_it_is_not_told(db: dpduck.Connection) -> None:
    db.execute("SET dp_clamp = 'private'")
    assert gains(db, SUM) == []


def test_rows_that_a_policy_bounds_are_told_too(db: dpduck.Connection) -> None:
    [said] = gains(db, "SELECT count(*) AS n FROM t")
    assert said.startswith("n +-") and said.endswith("less noise for a clamp below 2,500")


@pytest.fixture
def grouped() -> Iterator[dpduck.Connection]:
    """Totals of 3 regions with 56 wards each; a unit has at most 20 rows in one of them."""
    with duckdb.connect() as rows:
        rows.execute(
            "CREATE TABLE t AS SELECT i AS id, (i % 56)::INTEGER AS ward, (i % 3)::INTEGER AS region, "
            "90::INTEGER AS x FROM range(5000) AS r(i)"
        )
        with dpduck.connect(rows, epsilon="1") as db:
            db.execute(
                "ALTER TABLE t ADD PRIVACY_KEY (id);"
                "ALTER TABLE t SET PRIVACY CONTRIBUTION (groups = 5, rows = 20);"
                "ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 1000);"
                "ALTER TABLE t ALTER COLUMN ward SET PRIVACY DOMAIN BETWEEN (0, 55);"
                "ALTER TABLE t ALTER COLUMN region SET PRIVACY DOMAIN BETWEEN (0, 2)"
            )
            yield db


def below(said: str) -> list[float]:
    return [float(one.replace(",", "")) for one in re.findall(r"for a clamp below ([0-9,.]+)", said)]


def test_of_grouping_sets_it_compares_totals_of_the_same_groups(grouped: dpduck.Connection) -> None:
    query = "SELECT region, ward, sum(x) AS s FROM t GROUP BY ROLLUP (region, ward)"
    [said] = gains(grouped, query)
    names = [part.partition(" +-")[0] for part in said.split("; ")]
    assert names == ["s of all", "s of each region, ward"]
    text = str(grouped.explain(query))
    for name, size in re.findall(r"each region, ward: the truth is at least (s) - ([0-9.,e+]+)", text):
        [width] = re.findall(rf"{name} of each region, ward .* in place of [+]-([0-9,]+)", said)
        assert float(width.replace(",", "")) == pytest.approx(float(size.replace(",", "")), rel=1e-3)


def test_no_clamp_beyond_the_declared_bound_is_named(grouped: dpduck.Connection) -> None:
    """Of 20 rows of 1,000 each the total is 20,000; sets share epsilon, so the bound is passed there."""
    for of in ("ROLLUP (region, ward)", "region", "ward"):
        keys = "region, ward" if "(" in of else of
        [said] = gains(grouped, f"SELECT {keys}, sum(x) AS s, count(*) AS n FROM t GROUP BY {of}")
        assert all(one <= 20000 for one in below(said))
        counts = [part for part in said.split("; ") if part.startswith("n")]
        assert all(one <= 20 for part in counts for one in below(part))


@pytest.mark.parametrize("rest", ["ORDER BY s DESC LIMIT 5", "HAVING sum(x) > 3"])
def test_where_noise_chooses_groups_both_widths_allow_for_it(grouped: dpduck.Connection, rest: str) -> None:
    """The same factor widens both, so the clamp is that of all groups."""
    query = "SELECT ward, sum(x) AS s, dp_low(s), dp_high(s) FROM t GROUP BY ward"
    [plain], [chosen] = below(*gains(grouped, query)), below(*gains(grouped, f"{query} {rest}"))
    assert chosen == pytest.approx(plain, rel=0.05)


@pytest.mark.parametrize("rest", ["", "ORDER BY s DESC LIMIT 5", "HAVING sum(x) > 3"])
def test_explain_says_the_width_that_the_interval_has(grouped: dpduck.Connection, rest: str) -> None:
    grouped.execute("SET dp_clamp = 'private'")
    query = f"SELECT ward, sum(x) AS s, dp_low(s) AS low FROM t GROUP BY ward {rest}"
    said = re.search(r"noise is within ([0-9.]+) times the clamp", str(grouped.explain(query)))
    rows = grouped.execute(query).fetchall()
    [clamp] = {
        float(found[1].replace(",", ""))
        for one in grouped.notices
        if (found := re.search(r"chosen privately \(([0-9,]+)\)", one))
    }
    assert said is not None
    widths = [(s - low) / clamp for _, s, low in rows if low > 0]
    assert widths
    assert widths == pytest.approx([float(said[1])] * len(widths), rel=0.02)
