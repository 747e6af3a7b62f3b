"""Quantiles read in two passes: the scores of one pass, from few rows, whatever the type, grid and groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dpduck import policies
from dpduck.engines.duckdb.engine import DuckEngine
from dpduck.kernel.cancellation import Interrupts
from dpduck.kernel.engine import ScoreReader
from dpduck.kernel.mechanisms.grid import Grid
from dpduck.kernel.mechanisms.quantile import QuantileScores, Sample
from dpduck.kernel.plan import grid_sql
from dpduck.kernel.plan.aggregates import Quantile
from dpduck.kernel.plan.model import Plan
from dpduck.kernel.release import quantiles, release
from dpduck.kernel.scores import Member
from dpduck.kernel.tree.relations import SelectQuery
from tests.depth import depth, part
from tests.mechanisms.checks import rank_scores, rational
from tests.noise.laws import assert_frequencies
from tests.oracles.selection import permute_and_flip_pmf
from tests.query.shop import plan, statement
from tests.sources import Seeded

HALF = Fraction(1, 2)


class Counted(ScoreReader):
    """A reader that notes what it was asked, and how many rows it returned."""

    def __init__(self, reader: ScoreReader) -> None:
        self._reader = reader
        self.asked: list[SelectQuery] = []
        self.rows: list[int] = []
        self.held: list[SelectQuery] = []

    def read(self, query: SelectQuery, given: pa.Table | None = None) -> pa.Table:
        table = self._reader.read(query, given)
        self.asked.append(query)
        self.rows.append(table.num_rows)
        return table

    def hold(self, query: SelectQuery) -> None:
        self.held.append(query)
        self._reader.hold(query)


@contextmanager
def bins(most: int, of_groups: int | None = None) -> Iterator[None]:
    """Let one pass count at most so many bins."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grid_sql, "_MAX_BINS", most)
        patch.setattr(grid_sql, "_MAX_BINS_PER_GROUP", of_groups or most)
        yield


ONE_PASS = 2**63


@contextmanager
def samples_of(made: Plan, connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[list[Sample], Counted]]:
    """What the mechanism is given for each group, and the reader, still open."""
    found: list[Sample] = []
    plain = quantiles.quantile

    def caught(sample: Sample, *others: object) -> object:
        found.append(sample)
        return plain(sample, *others)  # type: ignore[arg-type]

    with DuckEngine(connection).open(Interrupts()) as opened, pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantiles, "quantile", caught)
        reader = Counted(opened)
        release(made, reader, Seeded("samples"))
        yield found, reader


def open_table(columns: str, *statements: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute(f"CREATE TABLE t ({columns})")
    for text in statements:
        policies.execute(connection, statement(text))
    return connection


def planned(connection: duckdb.DuckDBPyConnection, query: str, epsilon: str = "1") -> Plan:
    return plan(query, policies.load_catalog(connection), epsilon=Fraction(epsilon))


def unrolled(sample: Sample, points: int, reach: float) -> list[int | None]:
    """The score of every grid point as the groups of the mechanism give it."""
    groups = QuantileScores(sample, points, HALF).groups(1, reach)
    found: list[int | None] = [None] * points
    for g, size in enumerate(groups.sizes):
        for r in range(size):
            (offset,) = groups.candidates([Member(g, r)])
            assert found[offset] is None
            found[offset] = groups.score(Member(g, r))
    return found


# --- small grids, every point ------------------------------------------------------------------------

POINTS = 30
RELIED = {  # how units bring values: the key of the table, the policies, and whether they are held
    "one row": ("INTEGER PRIMARY KEY", (), False),
    "many rows": ("INTEGER", (), True),
    "bounded rows": ("INTEGER", ("ALTER TABLE t SET PRIVACY CONTRIBUTION (rows = 2)",), True),
}


def open_small(relied: str) -> duckdb.DuckDBPyConnection:
    key, more, _ = RELIED[relied]
    return open_table(
        f"id {key}, k VARCHAR, v INTEGER",
        "ALTER TABLE t ADD PRIVACY_KEY (id)",
        f"ALTER TABLE t ALTER COLUMN v SET PRIVACY DOMAIN BETWEEN (-10, {POINTS - 11})",
        "ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN IN ('a', 'b', 'none')",
        *more,
    )


Row = tuple[str | None, int | None]
ROW = st.tuples(st.sampled_from(["a", "b", "c", None]), st.integers(-14, 24) | st.none())
SPREAD: list[Row] = [("ab"[i % 2], i % POINTS - 10) for i in range(2 * POINTS)]  # more than one narrow window


def check_passes(relied: str, query: str, rows: Sequence[Row], most: int, louder: int) -> None:
    """Two passes with at most so many bins give the scores of one pass, however narrow the reach."""
    with open_small(relied) as connection:
        units = range(len(rows)) if relied == "one row" else [i * i % 17 for i in range(len(rows))]
        if rows:
            values = [(unit, *row) for unit, row in zip(units, rows, strict=True)]
            connection.executemany("INSERT INTO t VALUES (?, ?, ?)", values)
        with bins(ONE_PASS), samples_of(planned(connection, query), connection) as (whole, _):
            expected = [unrolled(sample, POINTS, 1e9) for sample in whole]
        with bins(most):
            made = planned(connection, query)
        measures = tuple(replace(m, epsilon=m.epsilon * louder) for m in made.measures)
        with samples_of(replace(made, measures=measures), connection) as (parts, reader):
            assert len(reader.asked) == 2
            assert len(reader.held) == RELIED[relied][2]
            for sample, scores in zip(parts, expected, strict=True):
                assert [QuantileScores(sample, POINTS, HALF).score_at(i) for i in range(POINTS)] == scores
                assert unrolled(sample, POINTS, 0.0) == scores


@pytest.mark.parametrize("query", ["SELECT median(v) FROM t", "SELECT k, median(v) FROM t GROUP BY k"])
@pytest.mark.parametrize("relied", RELIED)
def test_all_scores_are_those_of_one_pass(relied: str, query: str) -> None:
    """Property: whatever the rows, the number of bins, and the reach, which epsilon sets."""

    @settings(max_examples=depth(15, 5), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(ROW, max_size=40), st.integers(1, 12), st.sampled_from([1, 10, 10**7]))
    @example(SPREAD, 6, 10**7)
    def check(rows: list[Row], most: int, louder: int) -> None:
        check_passes(relied, query, rows, most, louder)

    check()


def test_the_scores_are_the_definition() -> None:
    """Not only equal to each other: against the rank scores of plain values."""
    with open_small("one row") as connection:
        values = [-14, -10, -9, 0, 0, 0, 3, 8, 19, 24]
        connection.executemany("INSERT INTO t VALUES (?, 'a', ?)", list(enumerate(values)))
        expected = rank_scores([min(max(v, -10), POINTS - 11) + 10 for v in values], POINTS, HALF)
        for most in (1, 3, 7, ONE_PASS):
            with bins(most):
                made = planned(connection, "SELECT median(v) FROM t")
            with samples_of(made, connection) as (found, _):
                assert unrolled(found[0], POINTS, 1.0) == expected


@pytest.mark.parametrize("most", [2, 5])
@pytest.mark.slow
def test_answers_follow_permute_and_flip(most: int) -> None:
    """Many answers through SQL, on a grid of 30 points in bins."""
    with open_small("one row") as connection:
        values = [-9, 1, 1, 2, 5]
        connection.executemany("INSERT INTO t VALUES (?, 'a', ?)", list(enumerate(values)))
        with bins(most):
            made = planned(connection, "SELECT median(v) FROM t", "3")
        scores = rank_scores([v + 10 for v in values], POINTS, HALF)
        entropy = Seeded("bins", most)
        with DuckEngine(connection).open(Interrupts()) as reader:
            answers = [release(made, reader, entropy).columns["a0"][0] for _ in range(depth(1500, 300))]
        law = permute_and_flip_pmf(scores, rational(Fraction(3, 2)))
        assert_frequencies(Counter(int(str(v)) + 10 for v in answers), dict(enumerate(law)))


# --- every type, on grids of up to 2^62 points -------------------------------------------------------

BIG = 4_611_686_018_427_387_903  # 2^62 - 1
TYPES = {
    "TINYINT": ("(-100, 100)", "r % 256 - 128"),
    "USMALLINT": ("(10, 60010) STEP 8", "r * 7919 % 65536"),
    "INTEGER": ("(-1000000000, 1000000000)", "(hash(r) % 4000000000)::BIGINT - 2000000000"),
    "UINTEGER": ("(5, 4000000005) STEP 4", "hash(r) % 4294967296"),
    "BIGINT": ("(0, 999999999)", "(hash(r) % 1100000000)::BIGINT - 50000000"),
    "UBIGINT": (f"(1, {BIG - 1})", "hash(r)"),
    "HUGEINT": (f"(-{BIG - 1}, {BIG - 1}) STEP 2", "(hash(r)::HUGEINT - 9223372036854775808) * (r % 3)"),
    "UHUGEINT": ("(0, 1000000000)", "hash(r)::UHUGEINT * hash(r, 1) // (r * r * r * r + 1)"),
    "DECIMAL(9,2)": ("(-12345.67, 1234567.89)", "(hash(r) % 999999999) / 100 - 1000000"),
    "DECIMAL(12,2)": ("(0, 9999999.99)", "(hash(r) % 1100000000) / 100 - 500000"),
    "DECIMAL(18,3)": ("(-1000000, 1000000) STEP 0.250", "(hash(r) % 3000000000) / 1000 - 1500000"),
    "DECIMAL(18,9)": ("(0, 999999999.999999999)", "(hash(r) % 999999999) + 0.123456789"),
    "DECIMAL(4,4)": ("(-0.9, 0.9)", "(r % 19999 - 9999) / 10000"),
    "DECIMAL(38,10)": ("(-100000000, 100000000)", "(hash(r) % 10000000000000) / 10000 - 100000000.00001"),
    "DECIMAL(38,30)": ("(0, 0.000000000004)", "(hash(r) % 1000000)::DECIMAL(8,0) * 0.000000000000000005"),
    "DOUBLE": ("(-3.5, 1000)", "(hash(r) % 1000000007) / 9e8 * 1000 - 20"),
    "FLOAT": ("(0, 0.1)", "(hash(r) % 1000000007) / 9e9"),
    "DATE": ("('1066-10-14', '2099-12-31')", "DATE '0900-01-01' + (hash(r) % 500000)::INTEGER"),
    "TIMESTAMP": (
        "('1900-01-01 00:00:00', '2050-01-01 00:00:00')",
        "TIMESTAMP '1890-01-01' + to_microseconds((hash(r) % 6000000000000000)::BIGINT)",
    ),
}
SPECIAL = {
    "DOUBLE": ["'nan'", "'inf'", "'-inf'", "'-0.0'", "1e308"],
    "FLOAT": ["'nan'", "'inf'", "'-inf'", "0.1"],
    "DATE": ["'infinity'", "'-infinity'", "'1066-10-14'", "'1066-10-13'", "'2099-12-31'"],
    "TIMESTAMP": ["'infinity'", "'-infinity'", "'1969-12-31 23:59:59.999999'", "'2050-01-01'"],
    "HUGEINT": ["'170141183460469231731687303715884105727'", "'-170141183460469231731687303715884105727'"],
    "UBIGINT": ["18446744073709551615", "0"],
}
SHAPES = {  # which rows: of all numbers from 0, so many; and of which distinct ones
    "spread": (depth(3000, 800), "r"),
    "all equal": (500, "7"),
    "two values": (500, "r % 2"),
    "one row": (1, "r"),
    "empty": (0, "r"),
}


def open_typed(name: str, shape: str, *, key: str = "PRIMARY KEY") -> duckdb.DuckDBPyConnection:
    domain, value = TYPES[name]
    connection = open_table(
        f"id BIGINT {key}, k INTEGER, v {name}",
        "ALTER TABLE t ADD PRIVACY_KEY (id)",
        f"ALTER TABLE t ALTER COLUMN v SET PRIVACY DOMAIN BETWEEN {domain}",
        "ALTER TABLE t ALTER COLUMN k SET PRIVACY DOMAIN BETWEEN (0, 3)",
    )
    count, r = SHAPES[shape]
    unit = "i" if key else "i % 700"
    rows = f"SELECT r AS i, {r} AS r FROM range({count}) AS s(r)"
    connection.execute(f"INSERT INTO t SELECT {unit}, i % 5, TRY_CAST({value} AS {name}) FROM ({rows})")
    if shape == "spread":
        for number, text in enumerate(SPECIAL.get(name, [])):
            connection.execute(f"INSERT INTO t VALUES ({-1 - number}, 1, CAST({text} AS {name}))")
    return connection


def offsets_of(made: Plan, numbers: Sequence[int]) -> list[int]:
    """Offsets worth a look: all near the values and the ends, and some in between."""
    request = made.measures[0].request
    assert isinstance(request, Quantile)
    points = request.grid.size
    some = [*numbers[:: max(1, len(numbers) // 5)], 0, points - 1]
    near = {number + d for number in some for d in (-1, 0, 1)}
    near |= {points * i // 3 for i in range(3)}
    return sorted(offset for offset in near if 0 <= offset < points)


QUERIES = (
    ("PRIMARY KEY", "SELECT median(v) FROM t"),
    ("PRIMARY KEY", "SELECT k, median(v) FROM t GROUP BY k"),
    ("", "SELECT max(v) FROM t"),
)


@pytest.mark.parametrize(
    ("name", "shape"),
    [(name, "spread") for name in TYPES]
    + list(part([(name, shape) for name in TYPES for shape in SHAPES if shape != "spread"], 9)),
)
@pytest.mark.slow
def test_every_type_has_the_scores_of_one_pass(name: str, shape: str) -> None:
    for key, query in part(QUERIES, 2) if shape == "spread" else QUERIES[:1]:
        with open_typed(name, shape, key=key) as connection:
            with bins(ONE_PASS):
                made = planned(connection, query)
            with samples_of(made, connection) as (whole, reader):
                table = connection.sql(made.measures[0].score_sql).to_arrow_table()
                numbers = sorted(table.column("v").to_pylist())
                assert len(reader.asked) == 1
            for most in (16, 2**14) if shape == "spread" else (16,):
                with bins(most):
                    made = planned(connection, query)
                with samples_of(made, connection) as (parts, reader):
                    assert len(reader.asked) == 1 + (made.measures[0].passes is not None)
                    for one, other in zip(whole, parts, strict=True):
                        check_same(one, other, offsets_of(made, numbers), made)


def check_same(whole: Sample, parts: Sample, offsets: Sequence[int], made: Plan) -> None:
    request = made.measures[0].request
    assert isinstance(request, Quantile)
    assert whole.count == parts.count
    expected, found = (QuantileScores(s, request.grid.size, request.quantile) for s in (whole, parts))
    for offset in offsets:
        assert expected.score_at(offset) == found.score_at(offset)


@pytest.mark.parametrize(
    "name", [name for name in TYPES if name not in ("DOUBLE", "FLOAT", "UHUGEINT", "HUGEINT")]
)
def test_numbers_are_those_of_the_grid_in_python(name: str) -> None:
    """An implementation that shares nothing with the SQL."""
    with open_typed(name, "spread") as connection:
        with bins(ONE_PASS):
            measure = planned(connection, "SELECT median(v) FROM t").measures[0]
        request = measure.request
        assert isinstance(request, Quantile)
        if request.value.type.kind in ("date", "timestamp"):
            connection.execute("DELETE FROM t WHERE NOT isfinite(v)")
        table = connection.sql(measure.score_sql).to_arrow_table()
        found = dict(zip(table.column("v").to_pylist(), table.column("score").to_pylist(), strict=True))
        domain = request.grid
        whole = Grid.of(request.value.type, domain.low, domain.high, _in_units(request))
        values = connection.sql("SELECT v FROM t").to_arrow_table().column(0).combine_chunks()
        offsets, counts = np.unique(whole.offsets(values), return_counts=True)
        assert found == dict(zip(offsets.tolist(), counts.tolist(), strict=True))


def _in_units(request: Quantile) -> Fraction:
    return Fraction(request.grid.step)


def test_numbers_of_floats_are_of_their_own_point() -> None:
    """Each grid point has its own number, as the engine writes and reads it."""
    with open_typed("DOUBLE", "empty") as connection:
        with bins(ONE_PASS):
            measure = planned(connection, "SELECT median(v) FROM t").measures[0]
        request = measure.request
        assert isinstance(request, Quantile)
        rng = np.random.default_rng(5)
        numbers = sorted({0, 1, 2**32 - 1, 2**32, *map(int, rng.integers(0, 2**32, 2000))})
        middle = [float(Fraction(request.grid.value(n)) + Fraction(request.grid.step) / 2) for n in numbers]  # type: ignore[arg-type]
        connection.executemany("INSERT INTO t VALUES (?, 0, ?)", list(enumerate(middle)))
        found = connection.execute(measure.score_sql).fetchall()
        assert sorted(number for number, _ in found) == sorted({min(n, 2**32) for n in numbers})


# --- what it costs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["hash(i) % 1000000000", "400000000 + i % 50000", "i % 2", "3"])
def test_python_reads_bins_not_values(value: str) -> None:
    """200,000 rows on a grid of 10^9 points: spread, in one bin, on two points, on one."""
    with open_typed("BIGINT", "empty") as connection:
        connection.execute(f"INSERT INTO t SELECT i, i % 4, ({value})::BIGINT FROM range(200000) AS r(i)")
        made = planned(connection, "SELECT median(v) FROM t")
        with samples_of(made, connection) as (_, reader):
            assert len(reader.asked) == 2
            assert reader.rows[0] <= 2**14
            assert reader.rows[1] <= 300  # the units within reach of the median at epsilon 1
        made = planned(connection, "SELECT k, median(v) FROM t GROUP BY k")
        with samples_of(made, connection) as (_, reader):
            assert len(reader.asked) == 2
            assert reader.rows[0] <= 4 * 2**10
            assert reader.rows[1] <= 4 * 300


def test_a_grid_of_all_numbers_takes_two_passes_too() -> None:
    with open_typed("UBIGINT", "empty") as connection:
        connection.execute("INSERT INTO t SELECT i, 0, 10 + i FROM range(200000) AS r(i)")
        with samples_of(planned(connection, "SELECT median(v) FROM t"), connection) as (_, reader):
            assert len(reader.asked) == 2
            assert reader.rows[0] == 1
            assert reader.rows[1] <= 400


def test_far_points_are_looked_up_by_one_more_read_each() -> None:
    """As happens with a probability of e^-40; the rows it takes are of one bin."""
    with open_typed("BIGINT", "spread") as connection:
        made = planned(connection, "SELECT median(v) FROM t")
        with samples_of(made, connection) as (samples, reader):
            (sample,) = samples
            plain = connection.execute("SELECT v, count(*) OVER (ORDER BY v) FROM t").fetchall()
            for number, (value, upto) in enumerate(row for row in plain if 0 <= row[0] < 10**8):
                assert sample.below(value + 1) == upto
                assert len(reader.asked) <= number + 3
            assert len(reader.asked) > 60
            assert max(reader.rows[2:]) <= 3


def test_what_is_read_is_public_text() -> None:
    """The same for every data set: where the quantile lies is in no text."""
    asked = []
    for value in ("hash(i) % 1000000000", "7"):
        with open_typed("BIGINT", "empty") as connection:
            connection.execute(f"INSERT INTO t SELECT i, i % 4, ({value})::BIGINT FROM range(1000) AS r(i)")
            with samples_of(planned(connection, "SELECT median(v) FROM t"), connection) as (_, reader):
                asked.append(reader.asked)
    assert asked[0] == asked[1]


# --- groups ------------------------------------------------------------------------------------------

KEYS = {
    "VARCHAR": (["it's", "", "ß"], "IN ('it''s', '', 'ß', 'none')"),
    "HUGEINT": (["-5", "7"], "IN (-5, 7, 170141183460469231731687303715884105727)"),
    "UHUGEINT": (["5", "340282366920938463463374607431768211455"], "BETWEEN (0, 9)"),
    "DECIMAL(9,2)": (["0.50", "-1.00"], "IN (0.5, -1, 2)"),
    "DATE": (["1969-12-31", "2024-02-29"], "IN ('1969-12-31', '2024-02-29', '2000-01-01')"),
    "TIMESTAMP": (["1969-12-31 23:59:59", "2024-02-29"], "IN ('1969-12-31 23:59:59', '2024-02-29')"),
    "BOOLEAN": (["true", "false"], None),
    "ENUM('low', 'mid''s', 'high')": (["low", "mid's"], None),
    "UBIGINT": (["18446744073709551615", "1"], "IN (1, 18446744073709551615)"),
}


@pytest.mark.parametrize("name", KEYS)
def test_keys_of_every_type_find_their_windows(name: str) -> None:
    values, domain = KEYS[name]
    with open_table(
        f"id BIGINT PRIMARY KEY, place {name}, v BIGINT",
        "ALTER TABLE t ADD PRIVACY_KEY (id)",
        "ALTER TABLE t ALTER COLUMN v SET PRIVACY DOMAIN BETWEEN (0, 1000000000)",
        *([f"ALTER TABLE t ALTER COLUMN place SET PRIVACY DOMAIN {domain}"] if domain else []),
    ) as connection:
        for number, value in enumerate(values):
            connection.execute(
                f"INSERT INTO t SELECT i + {number * 1000}, CAST(? AS {name}), {number} + i * 1000003 "
                "FROM range(200) AS r(i)",
                [value],
            )
        query = "SELECT place, median(v) AS score, count(*) AS upto FROM t GROUP BY place"
        with bins(ONE_PASS), samples_of(planned(connection, query), connection) as (whole, _):
            pass
        made = planned(connection, query)
        with samples_of(made, connection) as (parts, reader):
            assert len(reader.asked) == 3
            assert sum(sample.count for sample in parts) in (200 * len(values), 200)  # or beyond the domain
            for one, other in zip(whole, parts, strict=True):
                check_same(one, other, range(0, 10**9, 10**7), made)


def test_quantiles_of_the_same_values_are_held_once_and_read_level_by_level() -> None:
    with open_typed("BIGINT", "spread", key="") as connection:
        made = planned(connection, "SELECT quantile_cont(v, [0.1, 0.25, 0.5, 0.75]) FROM t", "9")
        with samples_of(made, connection) as (_, reader):
            assert len(reader.asked) == 1 + 3
            assert len(reader.held) == 1


def test_a_plan_with_two_quantiles_holds_each() -> None:
    with open_typed("BIGINT", "spread", key="") as connection:
        made = planned(
            connection, "SELECT median(v), quantile_cont(v, 0.75) FILTER (WHERE v > 1) FROM t", "9"
        )
        with samples_of(made, connection) as (samples, reader):
            assert len(samples) == 2
            assert len(reader.asked) == 4
            assert len(reader.held) == 2


# --- one state of the data -----------------------------------------------------------------------------


def test_both_passes_see_one_state() -> None:
    """What others commit between the passes does not show."""
    with open_typed("BIGINT", "spread") as connection:
        made = planned(connection, "SELECT median(v) FROM t")
        passes = made.measures[0].passes
        assert passes is not None
        with DuckEngine(connection).open(Interrupts()) as reader:
            before = sorted(reader.read(passes.bins).to_pylist(), key=str)
            connection.execute("DELETE FROM t WHERE id % 2 = 0")
            assert sorted(reader.read(passes.bins).to_pylist(), key=str) == before
        with DuckEngine(connection).open(Interrupts()) as reader:
            assert reader.read(passes.bins).num_rows < len(before)
