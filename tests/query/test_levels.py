"""Totals that are measured too: which plan is taken, what EXPLAIN says, and that totals add up."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

import dpduck
from dpduck.answers import service
from dpduck.compiler.planner import whole_domain
from tests.sources import Seeded

TABLE = """
CREATE TABLE v AS SELECT i AS id, DATE '2024-01-01' + (hash(i) % 366)::INTEGER AS d,
  (hash(i, 2) % 3)::INTEGER AS a,
  (hash(i, 3) % 40)::INTEGER AS b, (hash(i, 4) % 100)::INTEGER AS x FROM range(8000) AS r(i)
"""
DOMAINS = (("d", "'2024-01-01', '2024-12-31'"), ("a", "0, 2"), ("b", "0, 39"), ("x", "0, 99"))
CUBE = "SELECT a, b, count(*) AS n FROM v GROUP BY CUBE (a, b)"
APART = "SELECT a, b, count(*) AS n FROM v GROUP BY GROUPING SETS ((a), (b))"
ALONE = "SELECT month(d) AS m, d, count(*) AS n FROM v GROUP BY m, d"
DAYS = "SELECT month(d) AS m, d, count(*) AS n FROM v GROUP BY ROLLUP (m, d)"


@pytest.fixture
def db(monkeypatch: pytest.MonkeyPatch) -> Iterator[dpduck.Connection]:
    connection = duckdb.connect()
    connection.execute(TABLE)
    connection.execute("ALTER TABLE v ALTER COLUMN id SET NOT NULL")
    connection.execute("ALTER TABLE v ADD PRIMARY KEY (id)")
    monkeypatch.setattr(service, "SystemEntropy", lambda: Seeded("levels"))
    with dpduck.connect(connection, epsilon="1") as opened:
        opened.execute("ALTER TABLE v ADD PRIVACY_KEY (id)")
        for column, ends in DOMAINS:
            opened.execute(f"ALTER TABLE v ALTER COLUMN {column} SET PRIVACY DOMAIN BETWEEN ({ends})")
        yield opened


def explained(db: dpduck.Connection, query: str) -> list[str]:
    return [line.strip() for (line,) in db.execute(f"EXPLAIN {query}").fetchall()]


def test_explain_names_the_levels_and_the_plans_that_were_not_taken(db: dpduck.Connection) -> None:
    lines = explained(db, DAYS)
    measured = "each measured with 1 / 3 of its epsilon, and made to agree by least squares"
    assert f"levels    all; each m; each m, d: {measured}" in lines
    plans = [line.partition(": +-")[0] for line in lines if line.startswith("plan ")]
    assert plans == [
        "plan         histogram of all 366 groups",
        "plan      -> histogram of all 366 groups, totals of all levels measured too",
        "plan         histogram of all 366 groups, the largest totals measured too",
    ]
    errors = [line for line in lines if line.startswith("error ")]
    assert len(errors) == 3
    assert all(" of the truth with probability 95 %" in line for line in errors)


def test_few_groups_of_each_total_are_added_up(db: dpduck.Connection) -> None:
    for group in ("ROLLUP (a)", "CUBE (a, a // 2)"):
        lines = explained(db, f"SELECT count(*) FROM v GROUP BY {group}")
        assert not [line for line in lines if line.startswith("levels")]


def test_a_cube_has_levels_where_totals_are_of_many_groups(db: dpduck.Connection) -> None:
    lines = explained(db, CUBE)
    measured = "each measured with 1 / 2 of its epsilon, and made to agree by least squares"
    assert f"levels    all; each a, b: {measured}" in lines
    assert [line.partition(": +-")[0] for line in lines if line.startswith("plan ")] == [
        "plan         histogram of all 120 groups",
        "plan         histogram of all 120 groups, totals of all levels measured too",
        "plan      -> histogram of all 120 groups, the largest totals measured too",
    ]
    assert "a, b: n is within 7.967" in " ".join(lines)


def test_only_what_is_asked_is_measured(db: dpduck.Connection) -> None:
    """Forty groups of b and three of a, where 120 combinations are not asked for."""
    lines = explained(db, APART)
    assert lines[0] == "histogram: noisy totals of the 120 public values of a, b"
    assert [line for line in lines if line.startswith("levels    each a; each b: each measured with 1 / 2")]
    assert len([line for line in lines if "n is within 6.921 of the truth" in line]) == 2
    rows = db.execute(APART).fetchall()
    of_a, of_b = ([n for a, b, n in rows if (a is None) is first] for first in (False, True))
    assert (len(of_a), len(of_b)) == (3, 40)
    assert sum(of_a) == sum(of_b)
    assert abs(sum(of_a) - 8000) < 40
    totals = db.execute("SELECT a, count(*) FROM v GROUP BY a").fetchall()
    assert max(abs(n - m) for (_, n), (_, m) in zip(totals, enumerate(of_a), strict=True)) < 30


def test_groups_that_were_not_measured_are_no_answer(db: dpduck.Connection) -> None:
    """The release has cells of which only the totals mean something."""
    db.execute(APART)
    for other in ("a, b", "a", "b", "CUBE (a, b)", "ROLLUP (a, b)"):
        query = APART.partition("GROUP BY")[0] + f"GROUP BY {other}"
        query = query if "b" in other else query.replace("a, b,", "a,")
        query = query if "a" in other else query.replace("a, b,", "b,")
        assert not [line for line in explained(db, query) if line.startswith("replayed")], other
    assert [line for line in explained(db, APART) if line.startswith("replayed")]


def test_cubes_add_up_in_every_direction(db: dpduck.Connection) -> None:
    for query in (CUBE, CUBE.replace("count(*) AS n", "sum(x) AS n"), CUBE.replace("(a, b)", "(a, b, a)")):
        rows = set(db.execute(query).fetchall())
        cells = {(a, b): n for a, b, n in rows if a is not None and b is not None}
        assert len(cells) == 120
        assert {(a, n) for a, b, n in rows if a is not None and b is None} == {
            (a, sum(cells[a, b] for b in range(40))) for a in range(3)
        }
        assert {(b, n) for a, b, n in rows if a is None and b is not None} == {
            (b, sum(cells[a, b] for a in range(3))) for b in range(40)
        }
        assert {n for a, b, n in rows if a is None and b is None} == {sum(cells.values())}


def test_keys_that_occur_in_some_combinations_only_have_no_levels_of_a_cube(db: dpduck.Connection) -> None:
    lines = explained(db, DAYS.replace("ROLLUP", "CUBE"))
    assert not [line for line in lines if line.startswith("levels")]


def test_totals_add_up_and_are_near_the_truth(db: dpduck.Connection) -> None:
    rows = db.execute(DAYS).fetchall()
    [total] = [n for m, d, n in rows if m is None]
    months = {m: n for m, d, n in rows if m is not None and d is None}
    days = [(m, n) for m, d, n in rows if d is not None]
    assert len(months) == 12 and len(days) == 366
    assert total == sum(months.values()) == sum(n for _, n in days)
    assert all(months[month] == sum(n for m, n in days if m == month) for month in months)
    assert abs(total - 8000) < 60  # of leaves alone its noise would be within 53 with probability 95 %
    assert all(isinstance(n, int) for _, _, n in rows)


def test_the_answer_says_that_sets_share_epsilon(db: dpduck.Connection) -> None:
    """Each of three levels has a third of epsilon; the finest is compared with GROUP BY m, d alone."""
    widths = {name: db.explain(query).expected_error for name, query in (("levels", DAYS), ("alone", ALONE))}
    said = [hint for hint in map(str, db.execute(DAYS).notices) if "grouping set were asked alone" in hint]
    times = widths["levels"]["n"] / widths["alone"]["n"]
    assert said == [f"n is up to {times:.1f} times as noisy as if one grouping set were asked alone, as all "
                    "share epsilon."]  # fmt: skip
    assert 2.5 < times < 4
    assert said[0] in " ".join(explained(db, DAYS))
    for query in (ALONE, "SELECT a, count(*) AS n FROM v GROUP BY ROLLUP (a)"):
        assert not [hint for hint in map(str, db.execute(query).notices) if "asked alone" in hint]


def test_no_set_is_noisier_than_need_be_for_others_that_gain_little(db: dpduck.Connection) -> None:
    """1, 8 and 40 groups: all levels would have the least mean square, and groups 2.7 times the noise."""
    query = "SELECT b // 5 AS c, b, count(*) AS n FROM v GROUP BY ROLLUP (c, b)"
    lines = explained(db, query)
    assert [line for line in lines if line.startswith("levels    all; each c, b: each measured with 1 / 2")]


def test_there_is_one_charge_of_one_event(db: dpduck.Connection) -> None:
    db.execute(DAYS)
    rows = db.execute("SELECT mechanism, epsilon FROM dp_ledger()").fetchall()
    assert [(mechanism, float(epsilon)) for mechanism, epsilon in rows] == [("sum", 1.0)]


def test_sums_have_levels_and_averages_keep_theirs(db: dpduck.Connection) -> None:
    query = "SELECT a, b, sum(x) AS s, avg(x) AS m FROM v GROUP BY ROLLUP (a, b)"
    rows = db.execute(query).fetchall()
    [total] = [s for a, _, s, _ in rows if a is None]
    assert total == sum(s for a, b, s, _ in rows if b is not None)
    assert abs(total - 8000 * 49.5) < 20_000
    assert [line for line in explained(db, query) if line.startswith("levels") and line.endswith("squares")]
    assert all(0 <= m <= 99 for *_, m in rows if m is not None)


def test_such_answers_are_replayed_but_not_added_up(db: dpduck.Connection) -> None:
    first = db.execute(DAYS).fetchall()
    assert db.execute(DAYS).fetchall() == first
    apart = "SELECT month(d) AS m, count(*) FROM v GROUP BY m"
    narrowed = DAYS.replace("GROUP BY", "WHERE d < '2024-04-01' GROUP BY")
    for other in (apart, narrowed, DAYS.replace("ROLLUP (m, d)", "GROUPING SETS ((m, d), (m))")):
        assert not [line for line in explained(db, other) if line.startswith("replayed")], other
    days = "SELECT month(d) AS m, d, count(*) FROM v GROUP BY m, d"
    assert [line for line in explained(db, days) if line.startswith("replayed")]


def test_groups_alone_are_not_added_up_where_totals_would_be_measured(db: dpduck.Connection) -> None:
    db.execute("SELECT month(d) AS m, d, count(*) AS n FROM v GROUP BY m, d")
    assert not [line for line in explained(db, DAYS) if line.startswith("replayed")]


def test_a_noise_that_is_asked_for_is_not_replaced(db: dpduck.Connection) -> None:
    db.execute("SET dp_delta = 1e-6")
    db.execute("SET dp_noise = gaussian")
    assert not [line for line in explained(db, DAYS) if line.startswith("levels")]
    db.execute("SET dp_noise = laplace")
    assert [line for line in explained(db, DAYS) if line.startswith("levels")]


def test_more_groups_than_can_be_solved_for_are_added_up(
    db: dpduck.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_domain, "MOST_LEAVES", 365)
    assert not [line for line in explained(db, DAYS) if line.startswith("levels")]
