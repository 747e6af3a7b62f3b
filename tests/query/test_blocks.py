"""Several blocks over private rows: each has a share of epsilon, one charge pays, and one answer comes.

The golden files `blocks.sql` have their plans and their answers without noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpduck
from dpduck import policies
from dpduck.compiler.compile import AnyPlan
from dpduck.compiler.compile.statement import MOST_BLOCKS
from dpduck.engines.duckdb.public_facts import PublicFacts
from dpduck.kernel.plan.compound import MOST_PUBLIC_ROWS, CompoundPlan
from dpduck.kernel.plan.model import FoundKeys, Plan, PublicPlan
from dpduck.kernel.plan.prices import event_of
from tests.query.shop import any_plan, open_shop

SHARE = "SELECT page, count(*) / (SELECT count(*) FROM visits) AS share FROM visits GROUP BY page"


@pytest.fixture(scope="module")
def shop() -> Iterator[duckdb.DuckDBPyConnection]:
    with open_shop() as connection:
        yield connection


def plan_of(query: str, shop: duckdb.DuckDBPyConnection, groups: int | None = None) -> AnyPlan:
    return any_plan(query, policies.load_catalog(shop), facts=PublicFacts(shop), groups=groups)


def compound(query: str, shop: duckdb.DuckDBPyConnection, groups: int | None = None) -> CompoundPlan:
    made = plan_of(query, shop, groups)
    assert isinstance(made, CompoundPlan)
    return made


# --- shares --------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", range(2, 8))
def test_the_shares_add_up_to_epsilon_exactly(blocks: int, shop: duckdb.DuckDBPyConnection) -> None:
    parts = [f"SELECT count(*) AS n FROM visits WHERE age > {i}" for i in range(blocks)]
    made = compound(" UNION ALL ".join(parts), shop)
    assert len(made.blocks) == blocks
    event = event_of(made)
    assert (event.epsilon, event.delta) == (Fraction(1, 2), 0)
    shares = [event_of(block).epsilon for block in made.blocks]
    assert sum(shares) == event.epsilon
    assert max(shares) - min(shares) <= event.epsilon / 1000


def test_a_block_with_more_numbers_has_a_larger_share(shop: duckdb.DuckDBPyConnection) -> None:
    made = compound(
        "SELECT sum(age), count(*), avg(age), (SELECT count(*) FROM visits WHERE ok) FROM visits", shop
    )
    one, several = (event_of(block).epsilon for block in made.blocks)
    assert 2 * one < several


def test_delta_is_divided_between_blocks_that_find_keys(shop: duckdb.DuckDBPyConnection) -> None:
    found = "SELECT disease AS d, count(*) AS n FROM visits {} GROUP BY disease"
    query = (
        f"SELECT a.d, a.n, b.n, (SELECT count(*) FROM visits) FROM ({found.format('')}) AS a "
        f"JOIN ({found.format('WHERE ok')}) AS b ON a.d = b.d"
    )
    made = compound(query, shop, groups=3)
    deltas = [event_of(block).delta for block in made.blocks]
    assert sorted(deltas) == [0, Fraction(1, 2 * 10**6), Fraction(1, 2 * 10**6)]
    assert sum(isinstance(block.selection, FoundKeys) for block in made.blocks) == 2


def test_the_same_block_is_released_once(shop: duckdb.DuckDBPyConnection) -> None:
    rows = "(SELECT page, count(*) AS n FROM visits GROUP BY page)"
    made = plan_of(f"SELECT a.page, a.n, b.n FROM {rows} AS a, {rows} AS b", shop)
    assert isinstance(made, Plan)
    made = plan_of(
        f"SELECT n FROM {rows} UNION ALL SELECT n FROM {rows} UNION ALL SELECT count(*) FROM visits", shop
    )
    assert isinstance(made, CompoundPlan)
    assert len(made.blocks) == 2


def test_a_block_that_needs_no_private_row_costs_nothing(shop: duckdb.DuckDBPyConnection) -> None:
    made = plan_of("SELECT count(*) FROM visits UNION ALL SELECT count(*) FROM visits WHERE false", shop)
    assert isinstance(made, Plan)
    assert event_of(made).epsilon == Fraction(1, 2)
    both = "SELECT count(*) FROM visits WHERE false UNION ALL SELECT count(*) FROM shops"
    assert isinstance(plan_of(both, shop), PublicPlan)


def test_too_many_blocks_are_refused(shop: duckdb.DuckDBPyConnection) -> None:
    parts = [f"SELECT count(*) FROM visits WHERE age > {i}" for i in range(MOST_BLOCKS + 1)]
    with pytest.raises(dpduck.DpduckError, match=f"in more than {MOST_BLOCKS} places"):
        plan_of(" UNION ALL ".join(parts), shop)
    assert len(compound(" UNION ALL ".join(parts[1:]), shop).blocks) == MOST_BLOCKS


# --- one charge, one answer ----------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "shop.duckdb"
    open_shop(str(path)).close()
    return path


def test_there_is_one_charge_and_the_answer_is_kept(path: Path) -> None:
    with dpduck.connect(path, epsilon="0.5") as db:
        first = db.execute(SHARE)
        rows = first.fetchall()
        assert first.charged == "0.5"
        again = db.execute(SHARE)
        assert (again.charged, again.fetchall()) == ("0", rows)
        entries = db.execute("SELECT mechanism, epsilon FROM dp_ledger() ORDER BY seq").fetchall()
        assert next(entry[0] for entry in entries) == "count+histogram"
        assert db.execute("SET dp_replay = off") is not None
        assert db.execute(SHARE).charged == "0.5"


def test_a_block_of_another_query_is_not_taken_for_it(path: Path) -> None:
    with dpduck.connect(path, epsilon="0.5") as db:
        assert db.execute(SHARE).charged == "0.5"
        assert db.execute(SHARE.replace("FROM visits)", "FROM visits WHERE ok)")).charged == "0.5"
        assert db.execute(f"{SHARE} HAVING count(*) > 0").charged == "0"  # the same blocks


def test_explain_shows_each_block(path: Path) -> None:
    with dpduck.connect(path, epsilon="0.5") as db:
        made = db.explain(SHARE)
    assert made.epsilon == "0.5"
    assert made.mechanism == ["count", "histogram"]
    lines = made.text.splitlines()
    assert lines[0] == "2 blocks, each with a share of epsilon, and one charge"
    assert [line.partition(":")[0] for line in lines if line.startswith("  block")] == [
        "  block 1",
        "  block 2",
    ]
    assert set(made.cost_at) == {0.5, 2.0}
    assert all(made.cost_at.values())


def test_a_share_of_noise_is_said(path: Path) -> None:
    """The interval of a count of few contains 0 with probability 95 %: 8 of these do not all miss it."""
    said = []
    with dpduck.connect(path, epsilon="0.001") as db:
        for age in range(8):
            few = f"SELECT count(*) FROM visits WHERE age = {age}"
            answer = db.execute(f"SELECT count(*) / ({few}) AS share FROM visits")
            answer.fetchall()
            said += map(str, answer.notices)
    assert any("share divides by mere noise" in notice for notice in said)


# --- public rows beside released ones ------------------------------------------------------------


def test_public_rows_are_read_before_the_charge(path: Path) -> None:
    query = "SELECT name, n FROM shops, (SELECT count(*) AS n FROM visits) AS v"
    with duckdb.connect(str(path)) as plain:
        plain.execute(f"INSERT INTO shops SELECT 's' || i FROM range({MOST_PUBLIC_ROWS}) AS r(i)")
    with dpduck.connect(path, epsilon="0.5") as db:
        with pytest.raises(dpduck.DpduckError, match="has more than 100,000 rows"):
            db.execute(query)
        assert db.execute("SELECT count(*) FROM dp_ledger()").fetchall() == [(0,)]


def test_public_rows_are_those_of_now_and_released_ones_are_kept(path: Path) -> None:
    query = "SELECT name, n FROM shops, (SELECT count(*) AS n FROM visits) AS v ORDER BY name"
    with dpduck.connect(path, epsilon="0.5") as db:
        before = db.execute(query).fetchall()
    assert [name for name, _ in before] == ["north", "south"]
    with dpduck.connect(path, epsilon="0.5") as db:
        again = db.execute(query)
        assert (again.charged, again.fetchall()) == ("0", before)


def test_values_of_public_columns_keep_their_types(tmp_path: Path) -> None:
    path = tmp_path / "types.duckdb"
    columns = {
        "a": "DATE '2024-02-29'",
        "b": "TIMESTAMPTZ '2024-02-29 12:00:00+02'",
        "c": "1.50::DECIMAL(9,2)",
        "d": "'x\"''\\n'",
        "e": "0.1::DOUBLE",
        "f": "[1, 2]",
        "g": "{'p': 'q''', 'r': NULL}",
        "h": "'\\xAA\\x00a'::BLOB",
        "i": "INTERVAL '3 months 2 days 1 second'",
        "j": "NULL::INTEGER",
        "k": "'nan'::FLOAT",
        "l": "CAST('-170141183460469231731687303715884105728' AS HUGEINT)",
        "m": "''",
    }
    items = ", ".join(f"{value} AS {name}" for name, value in columns.items())
    with duckdb.connect(str(path)) as plain:
        plain.execute("SET TimeZone = 'America/New_York'")
        plain.execute(f"CREATE TABLE facts AS SELECT {items}")
        plain.execute("CREATE TABLE t AS SELECT i AS uid FROM range(50) AS r(i)")
        expected = plain.execute("SELECT * EXCLUDE (b), epoch(b) AS b FROM facts").fetchall()
        types = plain.execute("DESCRIBE facts").fetchall()
    with dpduck.connect(path, epsilon="0.5") as db:
        db.execute("ALTER TABLE facts SET PUBLIC")
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (uid)")
        made = "facts, (SELECT count(*) AS n FROM t) AS v"
        found = db.execute(f"SELECT facts.* EXCLUDE (b), epoch(b) AS b FROM {made}").fetchall()
        assert repr(found) == repr(expected)
        described = db.execute(f"DESCRIBE SELECT facts.* FROM {made}").fetchall()
        assert [row[:2] for row in described] == [row[:2] for row in types]


# --- what is said of several blocks --------------------------------------------------------------


def test_a_filter_that_no_group_meets_is_said_beside_other_blocks(path: Path) -> None:
    groups = "SELECT page, count(*) AS n FROM visits GROUP BY page"
    query = f"{groups} HAVING count(*) > 100 + (SELECT count(*) FROM visits)"
    with dpduck.connect(path, epsilon="5") as db:
        answer = db.execute(query)
        assert answer.fetchall() == []
        assert any("No group meets HAVING." in str(notice) for notice in answer.notices)


def test_numbers_of_one_name_are_covered_as_the_least_of_them(path: Path) -> None:
    parts = ["SELECT count(DISTINCT uid) AS n FROM visits", "SELECT sum(age) FROM visits"]
    with dpduck.connect(path, epsilon="0.5") as db:
        alone = [db.explain(part).covers for part in parts]
        assert list(alone[0].values()) == ["both"] != list(alone[1].values())
        for order in (parts, parts[::-1]):
            both = db.explain(" UNION ALL ".join(order))
            assert list(both.covers.values()) == list(alone[1].values())
            assert list(both.expected_error.values()) == [max(both.expected_error.values())]


def test_blocks_with_many_groups_together_are_refused(path: Path) -> None:
    rows = (
        "(SELECT big // 1000000000000000 AS k, day AS d, count(*) AS n FROM visits WHERE ok{} GROUP BY ALL)"
    )
    query = " UNION ALL ".join(f"SELECT n FROM {rows.format(f' AND age > {i}')}" for i in range(6))
    with dpduck.connect(path, epsilon="0.5") as db:
        with pytest.raises(dpduck.DpduckError, match="have too many groups together"):
            db.execute(query)
        assert db.execute("SELECT count(*) FROM dp_ledger()").fetchall() == [(0,)]
