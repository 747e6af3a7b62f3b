"""Grids: public points, exact for every type that counts, and values that fall down to them."""

import math
import os
import subprocess
import sys
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpduck.kernel.arrow.columns import decimal_ticks, scores_of
from dpduck.kernel.catalog.types import parse_type
from dpduck.kernel.errors import ParameterError
from dpduck.kernel.mechanisms.grid import FINE_POINTS, Grid
from dpduck.kernel.scores import SCORE_LIMIT

BIGINT, DOUBLE, PRICE = parse_type("BIGINT"), parse_type("DOUBLE"), parse_type("DECIMAL(9,2)")
DATE, TIMESTAMP = parse_type("DATE"), parse_type("TIMESTAMP")
EPOCH = datetime(1970, 1, 1)

WIDE = st.integers(-(2**62) + 1, 2**62 - 1)
NEAR = st.integers(-50, 50)


def by_definition(ticks: list[int | None], low: int, step: int, points: int) -> list[int]:
    """Clamped to the ends, then down to the grid; NULL dropped."""
    last = low + (points - 1) * step
    return [(min(max(t, low), last) - low) // step for t in ticks if t is not None]


# Types that count


@settings(deadline=None)
@given(st.lists(NEAR | WIDE | st.none(), max_size=20), NEAR, st.integers(1, 60), st.integers(1, 9))
def test_integers_fall_to_the_grid(values: list[int | None], low: int, span: int, step: int) -> None:
    grid = Grid.of(BIGINT, low, low + span, step)
    assert grid.points == span // step + 1
    expected = by_definition(values, low, step, grid.points)
    assert grid.offsets(pa.array(values, pa.int64())).tolist() == expected
    assert [grid.value(i) for i in range(grid.points)] == list(range(low, low + span + 1, step))


@settings(deadline=None)
@given(st.lists(st.integers(-(10**9) + 1, 10**9 - 1) | st.none(), max_size=20), st.integers(1, 300))
def test_decimals_are_counted_in_last_places(cents: list[int | None], step: int) -> None:
    grid = Grid.of(PRICE, "-1.00", Decimal("2.50"), Decimal(step).scaleb(-2))
    values = pa.array([None if c is None else Decimal(c).scaleb(-2) for c in cents], pa.decimal128(9, 2))
    assert grid.offsets(values).tolist() == by_definition(cents, -100, step, grid.points)
    assert str(grid.value(0)) == "-1.00"
    assert grid.value(grid.points - 1) == Decimal(-100 + (grid.points - 1) * step).scaleb(-2)


@settings(deadline=None)
@given(st.lists(st.dates() | st.none(), max_size=20), st.integers(1, 40))
def test_dates_are_counted_in_days(days: list[date | None], step: int) -> None:
    low, high = date(2023, 12, 30), date(2024, 3, 2)
    grid = Grid.of(DATE, low, high, step)
    ticks = [None if d is None else (d - EPOCH.date()).days for d in days]
    expected = by_definition(ticks, (low - EPOCH.date()).days, step, grid.points)
    assert grid.offsets(pa.array(days, pa.date32())).tolist() == expected
    assert grid.value(1) == low + timedelta(days=step)


@settings(deadline=None)
@given(st.lists(st.datetimes() | st.none(), max_size=20), st.sampled_from([1, 7, 10**6, 10**12]))
def test_timestamps_are_counted_in_microseconds(moments: list[datetime | None], step: int) -> None:
    low, high = datetime(2024, 1, 31, 12, 30), datetime(2024, 2, 29)
    grid = Grid.of(TIMESTAMP, low, high, step)
    ticks = [None if m is None else (m - EPOCH) // timedelta(microseconds=1) for m in moments]
    start = (low - EPOCH) // timedelta(microseconds=1)
    assert grid.offsets(pa.array(moments, pa.timestamp("us"))).tolist() == by_definition(
        ticks, start, step, grid.points
    )
    assert grid.value(1) == low + timedelta(microseconds=step)


@pytest.mark.parametrize("arrow", [pa.int8(), pa.uint8(), pa.int16(), pa.uint32(), pa.int64(), pa.uint64()])
def test_any_integer_column_will_do(arrow: pa.DataType) -> None:
    assert Grid.of(BIGINT, 0, 10).offsets(pa.array([3, 100, None, 0], arrow)).tolist() == [3, 10, 0]
    assert Grid.of(BIGINT, 0, 10).offsets(pa.array([], arrow)).tolist() == []


def test_values_beyond_64_bits_are_clamped() -> None:
    top = 2**62 - 2
    grid = Grid.of(BIGINT, 0, top, 2**40)
    assert grid.offsets(pa.array([2**64 - 1, 5], pa.uint64())).tolist() == [top // 2**40, 0]
    huge = pa.array(
        [Decimal(10) ** 37, -(Decimal(10) ** 37), Decimal(2**63), Decimal(3)], pa.decimal128(38, 0)
    )
    assert grid.offsets(huge).tolist() == [top // 2**40, 0, top // 2**40, 0]


def test_a_slice_of_a_column_is_that_slice() -> None:
    prices = pa.array([Decimal(i).scaleb(-2) for i in range(20)], pa.decimal128(9, 2)).slice(7, 5)
    assert Grid.of(PRICE, "0.00", "1.00").offsets(prices).tolist() == [7, 8, 9, 10, 11]
    days = pa.array([EPOCH.date() + timedelta(days=i) for i in range(9)], pa.date32()).slice(3, 2)
    assert Grid.of(DATE, "1970-01-01", "1970-02-01").offsets(days).tolist() == [3, 4]


def test_every_point_falls_to_itself() -> None:
    for grid, arrow in (
        (Grid.of(BIGINT, -5, 40, 3), pa.int64()),
        (Grid.of(PRICE, "-0.05", "1.00"), pa.decimal128(9, 2)),
        (Grid.of(DATE, "2024-02-01", "2024-03-31"), pa.date32()),
        (Grid.of(TIMESTAMP, "2024-02-01", "2024-02-01 00:00:01", 1000), pa.timestamp("us")),
    ):
        offsets = list(range(grid.points))
        points = pa.array([grid.value(i) for i in offsets], arrow)
        assert grid.offsets(points).tolist() == offsets
        assert grid.nearest(points).tolist() == offsets


# Floats


FLOATS = st.floats(-1e6, 1e6) | st.sampled_from([math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324])


@settings(deadline=None)
@given(st.lists(FLOATS | st.none(), max_size=20), st.sampled_from([None, 0.1, 7.0, Fraction(1, 3)]))
def test_floats_fall_to_the_grid_but_for_one_rounding(values: list[float | None], step: float | None) -> None:
    grid = Grid.of(DOUBLE, -3.5, 1000.25, step)
    kept = [v for v in values if v is not None and not math.isnan(v)]
    found = grid.offsets(pa.array(values, pa.float64())).tolist()
    last = grid.points - 1
    assert len(found) == len(kept)
    for value, offset in zip(kept, found, strict=True):
        if math.isinf(value):
            assert offset == (last if value > 0 else 0)
            continue
        place = (Fraction(value) - grid.low) / grid.step
        assert 0 <= offset <= last
        assert abs(min(max(place, 0), last) - Fraction(1, 2) - offset) <= Fraction(1, 2) + Fraction(1, 10**4)


def test_floats_keep_their_order_and_their_points() -> None:
    grid = Grid.of(DOUBLE, 0.0, 1.0)
    assert grid.points == FINE_POINTS + 1
    values = np.sort(np.random.default_rng(1).random(200_000))
    offsets = grid.offsets(pa.array(values))
    assert (np.diff(offsets) >= 0).all()
    assert (
        np.abs(values - np.array([grid.value(int(i)) for i in offsets[::5000]]).repeat(5000)[:200_000]).max()
        < 1
    )
    some = [0, 1, 12345, FINE_POINTS // 3, FINE_POINTS]
    assert grid.nearest(pa.array([grid.value(i) for i in some])).tolist() == some


def test_blocks_do_not_show() -> None:
    """More values than a block holds, with NaN and NULL in between, are as one by one."""
    grid = Grid.of(DOUBLE, 0.0, 100.0, 0.5)
    values = [
        math.nan if i % 1000 == 7 else None if i % 1000 == 8 else (i * 7919 % 2003) / 10
        for i in range(140_000)
    ]
    expected = [min(int(v * 2), 200) for v in values if v is not None and not math.isnan(v)]
    assert grid.offsets(pa.array(values, pa.float64())).tolist() == expected
    whole = Grid.of(BIGINT, 10, 900, 7)
    numbers = np.arange(140_000) * 7919 % 2003
    assert whole.offsets(pa.array(numbers)).tolist() == by_definition(numbers.tolist(), 10, 7, whole.points)


def test_a_float_far_outside_says_nothing(recwarn: pytest.WarningsRecorder) -> None:
    """An overflow warning would tell that there is one."""
    assert Grid.of(DOUBLE, 0.0, 1.0).offsets(pa.array([1e308, -1e308])).tolist() == [FINE_POINTS, 0]
    assert len(recwarn) == 0


# Steps


@pytest.mark.parametrize(
    ("kind", "low", "high", "points"),
    [
        (BIGINT, 0, 120, 121),
        (PRICE, "0.00", "1.00", 101),
        (DATE, "2024-01-01", "2024-12-31", 366),
        (TIMESTAMP, "2024-01-01", "2024-01-01 00:00:01", 10**6 + 1),
        (DOUBLE, "0", "0.5", FINE_POINTS + 1),
        (parse_type("FLOAT"), 0, 1, FINE_POINTS + 1),
    ],
)
def test_the_step_that_is_meant_if_none_is_given(
    kind: object, low: object, high: object, points: int
) -> None:
    assert Grid.of(kind, low, high).points == points  # type: ignore[arg-type]


def test_a_long_range_of_timestamps_has_about_2_to_the_32_points() -> None:
    grid = Grid.of(TIMESTAMP, "1970-01-01", "2030-01-01")
    assert FINE_POINTS <= grid.points <= FINE_POINTS + FINE_POINTS // 100
    assert grid.step.denominator == 1


# Errors


def text_of(kind: object, low: object, high: object, step: object = None) -> str:
    with pytest.raises(ParameterError) as caught:
        Grid.of(kind, low, high, step)  # type: ignore[arg-type]
    return str(caught.value)


def test_bounds_are_needed() -> None:
    for low, high in ((None, 5), (5, None), (None, None)):
        assert text_of(BIGINT, low, high) == (
            "a quantile needs public bounds\n"
            "DETAIL: The answer is chosen from a grid that must not depend on the data. "
            "Nothing was charged.\nHINT: Write lo := 0, hi := 100."
        )


@pytest.mark.parametrize(("low", "high"), [(5, 5), (6, 5), ("7", 2)])
def test_bounds_must_ascend(low: object, high: object) -> None:
    assert text_of(BIGINT, low, high) == (
        f"lo {low} is not below hi {high}\nDETAIL: The grid runs from lo to hi. Nothing was charged.\n"
        "HINT: Exchange them, or choose a wider range."
    )


@pytest.mark.parametrize("kind", [BIGINT, DOUBLE, PRICE, DATE, TIMESTAMP])
@pytest.mark.parametrize("bound", [math.nan, math.inf, Decimal("NaN"), "x", "", True, "1_0", "\u0660"])
def test_a_bound_must_be_a_value_of_the_type(kind: object, bound: object) -> None:
    text = text_of(kind, bound, 1)
    assert text.startswith(f"{bound!s:.40} is no bound for {kind.name}\nDETAIL: ")  # type: ignore[attr-defined]
    assert "Nothing was charged." in text


@pytest.mark.parametrize(
    ("kind", "bound"),
    [(BIGINT, 0.5), (PRICE, "0.001"), (DATE, "2024-02-30"), (BIGINT, 2**63), (PRICE, 10**7)],
)
def test_a_bound_is_never_rounded(kind: object, bound: object) -> None:
    assert " is no bound for " in text_of(kind, bound, bound)


@pytest.mark.parametrize("name", ["VARCHAR", "BOOLEAN", "ENUM('a', 'b')", "INTEGER[]"])
def test_a_type_without_order_has_no_grid(name: str) -> None:
    assert f" is no bound for {name}" in text_of(parse_type(name), "a", "b")


@pytest.mark.parametrize("kind", [BIGINT, DOUBLE, PRICE])
@pytest.mark.parametrize(
    "step", [0, -1, math.nan, math.inf, -math.inf, Decimal("NaN"), Decimal("Infinity"), "x", True, "1e", b"1"]
)
def test_a_step_must_be_positive_and_finite(kind: object, step: object) -> None:
    assert text_of(kind, 0, 5, step) == (
        f"step {step!s:.40} is no step for {kind.name}\n"  # type: ignore[attr-defined]
        "DETAIL: A step is positive, and whole in the type's own units. Nothing was charged.\n"
        "HINT: Leave it out for the finest grid."
    )


@pytest.mark.parametrize(("kind", "step"), [(BIGINT, 0.5), (BIGINT, "1.5"), (PRICE, "0.001"), (DATE, 0.5)])
def test_a_step_must_be_whole_in_its_own_units(kind: object, step: object) -> None:
    low, high = ("2024-01-01", "2024-02-01") if kind is DATE else (0, 5)
    assert "is no step for" in text_of(kind, low, high, step)


@pytest.mark.parametrize(
    ("low", "high", "step"), [(0, 2**62, 1), (-(2**63), 0, 2**40), (0.0, 1.0, 1e-30), (0.0, 1e300, 1.0)]
)
def test_a_grid_must_fit_62_bits(low: float, high: float, step: float) -> None:
    kind = BIGINT if isinstance(low, int) else DOUBLE
    assert text_of(kind, low, high, step) == (
        "the grid is too large\nDETAIL: Nothing was charged.\nHINT: Choose a narrower range or a larger step."
    )


# Columns


def test_counts_are_read_exactly() -> None:
    top = SCORE_LIMIT - 1
    for arrow in (pa.int8(), pa.uint8(), pa.int32(), pa.int64(), pa.uint64()):
        assert scores_of(pa.array([1, 0, 127], arrow), "n").tolist() == [1, 0, 127]
    assert scores_of(pa.array([2**64 - 1], pa.uint64()), "n").tolist() == [top]
    assert scores_of(pa.array([-(2**63), 2**63 - 1], pa.int64()), "n").tolist() == [-top, top]


@settings(deadline=None)
@given(st.lists(st.integers(-(10**37), 10**37) | WIDE | NEAR, max_size=10), st.integers(0, 3))
def test_hugeint_is_read_by_its_halves(values: list[int], skipped: int) -> None:
    column = pa.array([Decimal(v) for v in values], pa.decimal128(38, 0)).slice(skipped)
    top = SCORE_LIMIT - 1
    expected = [min(max(v, -top), top) for v in values[skipped:]]
    assert decimal_ticks(column).tolist() == expected
    assert scores_of(column, "n").tolist() == expected


@pytest.mark.parametrize(
    "column", [pa.array([0.5]), pa.array(["1"]), pa.array([Decimal("1.5")]), pa.array([True])]
)
def test_only_whole_numbers_are_counts(column: pa.Array) -> None:
    with pytest.raises(ParameterError) as caught:
        scores_of(column, "n")
    assert str(caught.value) == (
        "n is not a column of whole numbers\n"
        f"DETAIL: Its type is {column.type}; counts of units are integers. Nothing was charged.\n"
        "HINT: Write n::BIGINT if its values are whole."
    )


@pytest.mark.slow
def test_decimals_can_be_read_before_anything_else_was() -> None:
    """In a process of its own, where no one has imported pyarrow's functions yet."""
    script = (
        "import pyarrow as pa\nfrom decimal import Decimal\n"
        "from dpduck.kernel.arrow.columns import decimal_ticks\n"
        "print(decimal_ticks(pa.array([Decimal('1.50')])).tolist())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout == "[150]\n", done.stderr
