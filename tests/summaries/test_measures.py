"""Sums and means from a summary: what the same SQL computes, what one unit moves, and intervals."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.compiler.compile import summary_measures
from dpduck.kernel.accounting.events import (
    Average,
    BoundedSums,
    Composed,
    GaussianNoise,
    Histogram,
    NoisyCount,
)
from dpduck.kernel.errors import LedgerError
from dpduck.summaries import measures
from dpduck.summaries.answers import QUANTILE
from dpduck.summaries.design import Design, Kind
from dpduck.summaries.kept import Contents
from dpduck.summaries.linear_queries import table_query
from dpduck.summaries.measures import means, quantile_of, spread_of, sums_and_numbers
from dpduck.summaries.release import noised, tables_of
from dpduck.summaries.strategies import measured
from tests.depth import depth, one_in
from tests.mechanisms.mutation import Mutant
from tests.sources import HALF, Quiet, Seeded
from tests.summaries.asking import refusal, rows, spent, told
from tests.summaries.simulated import KINDS, designed_for
from tests.summaries.test_release import design_of

ORDERS = """
CREATE TABLE orders (nr INTEGER PRIMARY KEY, page VARCHAR NOT NULL, month INTEGER NOT NULL,
    spent DECIMAL(6, 2) NOT NULL, weight DOUBLE, pieces INTEGER);
INSERT INTO orders SELECT i, ['a', 'b', 'c'][1 + i // 12 * 7 % 3], 1 + i * 5 % 12, (i * 37 % 9000) / 100,
    CASE WHEN i % 7 > 0 THEN (i * 13 % 80) / 8.0 END, CASE WHEN i % 5 > 0 THEN i * 11 % 21 - 5 END
FROM range(3000) AS r(i)
"""
POLICIES = """
ALTER TABLE orders ADD PRIVACY_KEY (nr);
ALTER TABLE orders ALTER COLUMN page SET PRIVACY DOMAIN IN ('a', 'b', 'c');
ALTER TABLE orders ALTER COLUMN month SET PRIVACY DOMAIN BETWEEN (1, 12);
ALTER TABLE orders ALTER COLUMN spent SET PRIVACY DOMAIN BETWEEN (0, 100);
ALTER TABLE orders ALTER COLUMN weight SET PRIVACY DOMAIN BETWEEN (0, 10);
ALTER TABLE orders ALTER COLUMN pieces SET PRIVACY DOMAIN BETWEEN (-5, 15)
"""
MADE = {
    "laplace": "CREATE PRIVACY SUMMARY s ON orders (page, month) MEASURES (spent, weight, pieces) EPSILON 1",
    "gaussian": """CREATE PRIVACY SUMMARY s ON orders (page, month) MEASURES (spent, weight, pieces)
        WORKLOAD (ALL 2 WAY, 'SELECT page, sum(spent) FROM orders WHERE month < 4 GROUP BY page',
        'SELECT avg(pieces) FROM orders WHERE month >= 4 AND month < 9') EPSILON 1
        DELTA 1e-6 NOISE gaussian""",
}
SERVED = [
    "SELECT sum(spent) FROM orders",
    "SELECT page, sum(spent), count(*) FROM orders GROUP BY page ORDER BY page",
    "SELECT page, sum(pieces) FROM orders WHERE month < 4 GROUP BY page ORDER BY page",
    "SELECT month, sum(spent) FILTER (WHERE page = 'a' OR month = 2) FROM orders GROUP BY 1 ORDER BY 1",
    "SELECT sum(pieces) / count(*) FROM orders WHERE page IN ('a', 'c')",
    "SELECT sum(weight) FROM orders WHERE page = 'b'",
    "SELECT page, avg(spent) FROM orders GROUP BY page ORDER BY page",
    "SELECT avg(pieces), avg(weight) FROM orders WHERE month BETWEEN 3 AND 8",
    "SELECT page, month, avg(pieces) FROM orders GROUP BY page, month ORDER BY page, month",
]
NOT_SERVED = {
    "SELECT sum(spent) FROM orders WHERE spent > 10": "within another range",
    "SELECT median(spent) FROM orders": "another number",
    "SELECT sum(spent * 2) FROM orders": "sums and averages of spent, and no cells of it",
    "SELECT max(spent) FROM orders": "another number",
}


def make_orders(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute(ORDERS)
    with dpduck.connect(path) as db:
        db.execute(POLICIES)


@pytest.fixture
def file(copied: Callable[..., Path]) -> Path:
    return copied(make_orders)


@pytest.fixture(params=KINDS)
def quiet(file: Path, request: pytest.FixtureRequest) -> Iterator[dpduck.Connection]:
    """A summary without noise, which alone answers."""
    with dpduck.connect(file, epsilon="0.01") as db:
        db._service._entropy = Quiet(HALF)
        db.execute(MADE[request.param])
        db.execute("SET dp_summaries = only")
        db.execute("SET dp_replay = off")
        yield db


def test_sums_and_means_are_those_of_the_same_sql(quiet: dpduck.Connection, file: Path) -> None:
    found = [(rows(quiet, query), told(quiet)) for query in SERVED]
    assert spent(quiet) == 1
    quiet._service.session.ledger.verify()
    quiet.close()
    with duckdb.connect(str(file), read_only=True) as con:
        for query, (answer, said) in zip(SERVED, found, strict=True):
            assert "from summary s" in said
            plain = con.execute(query).fetchall()
            for row, other in zip(answer, plain, strict=True):
                for cell, exact in zip(row, other, strict=True):
                    if isinstance(exact, str):
                        assert cell == exact
                        continue
                    assert float(str(cell)) == pytest.approx(
                        float(exact), abs=0.06 if "avg" in query else 1e-6
                    )


def random_query(draw: random.Random) -> str:
    """A sum or mean by some columns, under some conditions."""
    number = draw.choice(["sum", "sum", "avg"]), draw.choice(["spent", "weight", "pieces"])
    tests = [
        lambda: f"page {draw.choice(['=', '<>', '>'])} '{draw.choice('abc')}'",
        lambda: f"month {draw.choice(['<', '>=', '='])} {draw.randint(1, 12)}",
        lambda: f"(month % {draw.randint(2, 4)} = 1 OR page = '{draw.choice('abc')}')",
        lambda: f"month BETWEEN {draw.randint(1, 6)} AND {draw.randint(6, 12)}",
    ]
    where = " AND ".join(draw.choice(tests)() for _ in range(draw.randint(0, 2)))
    keys = draw.sample(
        ["page", "month", "month % 3 AS third", "month > 6 AS late"], draw.choice([0, 1, 1, 2])
    )
    items = [*keys, f"{number[0]}({number[1]}) AS x"]
    under = f" WHERE {where}" if where else ""
    return f"SELECT {', '.join(items)} FROM orders{under}{' GROUP BY ALL' if keys else ''}"


@pytest.mark.slow
def test_random_sums_and_means_are_those_of_the_same_sql(quiet: dpduck.Connection, file: Path) -> None:
    """1,000 with all noise at zero, at full depth; what is not served is refused."""
    draw = random.Random(23)
    found: dict[str, list[tuple[object, ...]]] = {}
    for query in [random_query(draw) for _ in range(depth(1000, 60))]:
        try:
            found[query] = rows(quiet, query)
        except dpduck.DpduckError as error:
            assert error.charged == "0"
            assert error.message == "no summary answers this query" or "candidate" in error.message, query
    assert spent(quiet) == 1
    quiet.close()
    assert len(found) > depth(1000, 60) / 2
    with duckdb.connect(str(file), read_only=True) as con:
        for query, answer in found.items():
            plain = {row[:-1]: row[-1] for row in con.execute(query).fetchall() if row[-1] is not None}
            given = {row[:-1]: row[-1] for row in answer}
            assert plain.keys() <= given.keys(), query
            for key, exact in plain.items():
                allowed = 0.06 if "avg" in query else 1e-6
                assert float(str(given[key])) == pytest.approx(float(exact), abs=allowed), (query, key)


@pytest.mark.parametrize("noise", ["", " DELTA 1e-6 NOISE gaussian"])
def test_sums_have_any_size(tmp_path: Path, noise: str) -> None:
    """Of a DOUBLE a tick is so small that the total of a cell passes 64 bits."""
    path = tmp_path / "p.duckdb"
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE p (id INTEGER PRIMARY KEY, r VARCHAR, x DOUBLE NOT NULL)")
        con.execute("INSERT INTO p SELECT i, ['a', 'b'][1 + i % 2], 16 FROM range(60000) AS t(i)")
    with dpduck.connect(path) as db:
        db.execute("ALTER TABLE p ADD PRIVACY_KEY (id)")
        db.execute("ALTER TABLE p ALTER COLUMN r SET PRIVACY DOMAIN IN ('a', 'b')")
        db.execute("ALTER TABLE p ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (0, 20)")
        db.execute(f"CREATE PRIVACY SUMMARY s ON p (r) MEASURES (x) EPSILON 4{noise}")
        db.execute("SET dp_summaries = only")
        [(total, mean)] = rows(db, "SELECT sum(x), avg(x) FROM p")
    assert float(str(total)) == pytest.approx(960_000, rel=0.002)
    assert float(str(mean)) == pytest.approx(16, rel=0.002)


@pytest.mark.parametrize("query", NOT_SERVED)
def test_what_is_no_sum_of_a_measure_is_refused(quiet: dpduck.Connection, query: str) -> None:
    error = refusal(quiet, query)
    assert error.message == "no summary answers this query"
    assert NOT_SERVED[query] in str(error)


def test_a_sum_within_another_range_is_refused(quiet: dpduck.Connection) -> None:
    query = "SELECT sum(spent, contribution_bounds_per_row => (0, 50)) FROM orders"
    assert "within another range" in str(refusal(quiet, query))


BAD = {
    "MEASURES (page)": "page",
    "MEASURES (nr)": "privacy unit",
    "MEASURES (spent, spent)": "twice",
    "MEASURES (sum(spent))": "",
    "MEASURES (nothing)": "nothing",
    "MEASURES ()": "",
}


@pytest.mark.parametrize("clause", BAD)
def test_a_measure_is_a_number_with_a_public_range(file: Path, clause: str) -> None:
    with dpduck.connect(file) as db:
        statement = f"CREATE PRIVACY SUMMARY s ON orders (page) {clause} EPSILON 1"
        assert BAD[clause] in str(refusal(db, statement))


def test_the_event_has_the_sums(file: Path) -> None:
    with dpduck.connect(file) as db:
        design, _ = design_of(db, MADE["laplace"])
        normal, _ = design_of(db, MADE["gaussian"])
    event = design.event
    assert isinstance(event, Composed)
    kinds = {type(part) for part in event.parts}
    assert kinds <= {NoisyCount, Histogram, BoundedSums, Average}
    assert kinds >= {BoundedSums, Average}
    assert event.epsilon == 1
    quarter = pytest.approx(0.25, abs=1e-6)
    assert [float(sum(own.values())) for own in (design.shares, *design.measures)] == [quarter] * 4
    both = normal.event
    assert isinstance(both, GaussianNoise)
    assert both.mu_squared == sum(
        share for own in (normal.shares, *normal.measures) for share in own.values()
    )


def test_what_is_stored_is_checked_and_shown(file: Path) -> None:
    with dpduck.connect(file, epsilon="0.01") as db:
        db.execute(MADE["laplace"])
        first = rows(db, "SELECT page, sum(spent), avg(weight) FROM orders GROUP BY page ORDER BY page")
        assert ("measure spent", "from 0 to 100") in rows(db, "SHOW PRIVACY SUMMARY s")
        names = {str(row[0]) for row in rows(db, "SELECT * FROM dp_summary('s')")}
        assert "page, month; spent from its middle, in units of 1e-2" in names
        assert "page, month; pieces above its least, in units of 1e-0" in names
    with dpduck.connect(file, epsilon="0.01") as db:
        again = rows(db, "SELECT page, sum(spent), avg(weight) FROM orders GROUP BY page ORDER BY page")
        assert again == first
        db.execute("ALTER PRIVACY SUMMARY s REFRESH")
        assert spent(db) == 2
        ledger = db._service.session.ledger
        ledger.verify()
        db.execute("ALTER TABLE orders ALTER COLUMN spent SET PRIVACY DOMAIN BETWEEN (0, 50)")
        db.execute("SET dp_summaries = only")
        assert "other values than when it was made" in str(refusal(db, "SELECT sum(spent) FROM orders"))


def test_explain_says_how_exact_sums_and_means_are(quiet: dpduck.Connection) -> None:
    said = str(quiet.explain("SELECT page, sum(spent) AS s, avg(pieces) AS a FROM orders GROUP BY page"))
    assert "s is within" in said
    assert "a of n values is within" in said
    lines = [
        str(line) for (line,) in rows(quiet, f"EXPLAIN {MADE['laplace'].replace('SUMMARY s', 'SUMMARY t')}")
    ]
    assert any("measure   spent from 0 to 100: 1/4 of epsilon" in line for line in lines)
    assert any("sums of spent by page: within" in line for line in lines)


# --- what one unit moves -------------------------------------------------------------------------

VISITS = """
ALTER TABLE visits ADD PRIVACY_KEY (uid);
ALTER TABLE visits ALTER COLUMN page SET PRIVACY DOMAIN IN ('home', 'cart');
ALTER TABLE visits ALTER COLUMN paid SET PRIVACY DOMAIN BETWEEN (10, 30);
ALTER TABLE visits ALTER COLUMN given SET PRIVACY DOMAIN BETWEEN (-1, 1);
ALTER TABLE visits SET PRIVACY CONTRIBUTION (rows = 3)
"""
OF_VISITS = """CREATE PRIVACY SUMMARY v ON visits (page) MEASURES (paid, given) CONTRIBUTION (rows = 3)
    EPSILON 1 DELTA 1e-6"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "visits.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(
            "CREATE TABLE visits (uid BIGINT, page VARCHAR NOT NULL, paid INTEGER NOT NULL, "
            "given DOUBLE, nr INTEGER)"
        )
    with dpduck.connect(path) as db:
        db.execute(VISITS)
    return path


Row = tuple[int, str | None, int, float | None, int]


def visits(draw: random.Random) -> list[Row]:
    """Rows of five units, of which values are also beyond their ranges, NULL and NaN."""
    given = [0.5, -1.0, 1.0, 7.0, -1e300, None, float("nan"), float("inf")]
    found: list[Row] = []
    for unit in range(5):
        for _ in range(draw.choice([0, 1, 3, 9])):
            values = (draw.choice([10, 30, 20, 11, 2**31 - 1, -5]), draw.choice(given))
            found.append((unit, draw.choice(["home", "cart", "other"]), *values, len(found)))
    extreme: list[Row] = [(8, "home", 30, 1.0, 100 + nr) for nr in range(5)]
    return [*found, *extreme]


def quantities(path: Path, kept: list[Row], kind: Kind) -> tuple[Design, list[dict[Any, np.ndarray]]]:
    """What is measured without noise, of each quantity, through the score SQL."""
    with duckdb.connect(str(path)) as con:
        con.execute("DELETE FROM visits")
        con.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?)", kept) if kept else None
    with dpduck.connect(path) as db:
        design, salt = design_of(db, f"{OF_VISITS} NOISE {kind}")
        with db._service._open() as reader:
            exact = tables_of(reader.read(design.scores(salt)), design)
    if kind == "laplace":
        return design, exact
    return design, [{p: measured(own[p], p, design.strategies) for p in design.tables} for own in exact]


def costs(design: Design, one: list[dict[Any, np.ndarray]], other: list[dict[Any, np.ndarray]]) -> Fraction:
    """The share of what is charged that telling two databases apart costs."""
    found, designs = Fraction(0), design.quantities
    for own, first, second in zip(designs, one, other, strict=True):
        for part in own.tables:
            moved = [int(move) for move in np.ravel(first[part] - second[part])]
            if design.gaussian is None:
                found += own.shares[part] / own.bound * sum(map(abs, moved))
            else:
                found += sum(move**2 for move in moved) / own.normal[part].own
    event = design.event
    return found / (event.mu_squared if isinstance(event, GaussianNoise) else event.epsilon)


def worst(path: Path, kind: Kind) -> Fraction:
    largest = Fraction(0)
    for seed in range(depth(10, 3)):
        whole = visits(random.Random(seed))
        design, with_all = quantities(path, whole, kind)
        for unit in sorted({row[0] for row in whole}):
            without = [row for row in whole if row[0] != unit]
            largest = max(largest, costs(design, with_all, quantities(path, without, kind)[1]))
    return largest


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_unit_costs_more_than_is_charged(place: Path, kind: Kind) -> None:
    """And all of it is reached, by a unit whose rows are all in one cell with the largest values."""
    assert Fraction(99, 100) < worst(place, kind) <= 1


MUTANTS = [
    ("half of the reach", summary_measures.MeasureColumn.reach, "return most - least if", "return 1 if"),
    ("the centre is beside the middle", summary_measures._measure, "(least + most) // 2", "least"),
    ("one row of each unit", Design.bound, "(self.most or 1) * self.reach", "self.reach"),
    ("the square root of m", Design.bound, "(self.most or 1)", "2"),
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", one_in(2, KINDS))
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant[0])
def test_too_little_noise_is_caught(
    place: Path, mutant: tuple[str, Any, str, str], kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    Mutant(*mutant, check=lambda: None).install(monkeypatch)
    assert worst(place, kind) > 1


@pytest.mark.slow
def test_values_are_clipped_before_they_are_added_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row counts with the nearer end of the range: a sum that is clipped later is another number."""
    kept: list[Row] = [(1, "home", 1000, 5.0, 1), (1, "home", -1000, -5.0, 2), (2, "home", 12, 0.25, 3)]
    kept += [(3, "cart", 1000, None, 4)]

    def sums() -> list[list[int]]:
        _, exact = quantities(place, kept, "laplace")
        return [own[0,].tolist() for own in exact[1:2]]

    assert sums() == [[(30 - 20) + (10 - 20) + (12 - 20), 30 - 20]]
    real = summary_measures.total_of_row
    wide = (Decimal(-(10**6)), Decimal(10**6))
    monkeypatch.setattr(
        summary_measures,
        "total_of_row",
        lambda request: real(replace(request, low=wide[0], high=wide[1], each=wide)),
    )
    assert sums() != [[-8, 10]]
    assert worst(place, "laplace") > 1


# --- intervals -----------------------------------------------------------------------------------

NUMBERS = np.array([[400, 90, 2500], [700, 1500, 60], [1000, 300, 800]])
MEANS = np.array([[20.0, 35.0, 3.0], [97.0, 50.0, 10.0], [0.5, 66.0, 48.0]])


def held(kind: Kind, *, has_gaps: bool) -> tuple[float, float, float]:
    """How often intervals of sums and means of 9 cells hold, and the shares of intervals that are all of the
    range."""
    from dpduck.summaries.workload import tables_of as ways

    sizes = (3, 3)
    plain = designed_for(ways(2, sizes), sizes, kind, most=2)
    measure: Any = SimpleNamespace(
        low=Fraction(0), high=Fraction(100), ends=(0, 10_000), scale=2, centre=5000, has_gaps=has_gaps,
        reach=10_000 if has_gaps else 5000, row=("a", "b") if has_gaps else ("a",),
    )  # fmt: skip
    own: Any = SimpleNamespace(sizes=sizes, measures=(measure,))
    halves = {table: share / 2 for table, share in plain.shares.items()}
    design = Design(own, 2, halves, plain.gaussian, (halves,))
    total = np.rint(NUMBERS * MEANS * 100).astype(np.int64)
    cells = [NUMBERS, total, NUMBERS * 10_000 - total] if has_gaps else [NUMBERS, total - 5000 * NUMBERS]
    tables = [
        {
            table: one.astype(object if place else np.int64).sum(axis=tuple({0, 1} - {*table})) * np.array(1)
            for table in design.tables
        }
        for place, one in enumerate(cells)
    ]
    query, hits, entropy = table_query((0, 1), sizes), np.zeros(3), Seeded("measures", kind, has_gaps)
    runs = depth(2000, 400)
    spread = spread_of(0, query, design)
    for _ in range(runs):
        noisy = [noised(exact, one, entropy) for exact, one in zip(tables, design.quantities, strict=True)]
        sums, numbers = sums_and_numbers(0, query, Contents.of(design, noisy), spread)
        _, low, high = means(
            (float(measure.low), float(measure.high)), sums, numbers, spread, quantile_of(design)
        )
        width = quantile_of(design) * np.sqrt(spread.of_sum)
        hits += (
            (np.abs(sums - total.reshape(-1) / 100) <= width).mean(),
            ((low <= MEANS.reshape(-1)) & (MEANS.reshape(-1) <= high)).mean(),
            (high - low > 99).mean(),
        )
    return tuple(hits / runs)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("has_gaps", [False, True])
def test_intervals_hold_as_often_as_they_say(kind: Kind, *, has_gaps: bool) -> None:
    of_sums, of_means, unknown = held(kind, has_gaps=has_gaps)
    assert 0.94 < of_sums < 0.965
    assert 0.94 < of_means < 0.975
    assert unknown < 0.2


def test_a_mean_of_few_values_is_anywhere_in_its_range() -> None:
    spread = measures.Spread((0.01, 50.0), (0.0, 1.0), (np.array([1e6]), np.array([400.0])))
    middle, low, high = means((0, 100), np.array([900.0]), np.array([30.0]), spread, QUANTILE)
    assert (middle[0], low[0], high[0]) == (30, 0, 100)
    middle, low, high = means((0, 100), np.array([900.0]), np.array([-3.0]), spread, QUANTILE)
    assert (middle[0], low[0], high[0]) == (50, 0, 100)


def test_a_summary_with_a_changed_share_is_found(file: Path) -> None:
    """The parts of measures are added up, too."""
    from dpduck.kernel.ledger.repricing import find_in_summary

    with dpduck.connect(file) as db:
        db.execute(MADE["gaussian"])
        ledger = db._service.session.ledger
        ledger.verify()
        text = ledger.summary(1).description
        [charge] = [SimpleNamespace(event=one.event) for one in _charges(ledger)]
    assert find_in_summary(text, charge) is None  # type: ignore[arg-type]
    assert '"measures"' in text
    kept, _, measured_too = text.partition('"measures"')
    assert find_in_summary(kept.rstrip(",") + "}", charge) == "has other parts than were charged"  # type: ignore[arg-type]
    assert measured_too
    assert issubclass(LedgerError, Exception)


def _charges(ledger: Any) -> list[Any]:
    from dpduck.kernel.accounting.event_records import write_event

    event = ledger.kept_summary("s", 1).event
    return [SimpleNamespace(event=write_event(event))]
