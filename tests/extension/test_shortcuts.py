"""The shortcuts that the benchmarks asked for answer as the plain way does."""

from collections.abc import Sequence

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpduck
from dpduck.doors.extension import value_counts
from dpduck.kernel.mechanisms import quantile

EDGE = 2**63


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (range(3000), [0, 1, 3000]),
        (range(5000, -5000, -3), [5000, -3, 3334]),
        (range(999), None),
        ([*range(1000), 1000, 1002], None),
        ([7] * 1000, None),
        ([-EDGE, EDGE - 1] * 500, None),
        (range(-EDGE, EDGE, 2**54), [-EDGE, 2**54, 1024]),
        ([None, *range(1000)], None),
    ],
    ids=["range", "down", "short", "gap", "constant", "comes around", "widest", "null"],
)
def test_progressions(values: Sequence[int | None], expected: list[int] | None) -> None:
    column = pa.chunked_array([pa.array([list(values), None], pa.list_(pa.int64()))])
    assert value_counts.progressions(column).to_pylist() == [expected, None]


@pytest.mark.parametrize(
    "column", [pa.array(["a"]), pa.array([["a"] * 1000]), pa.nulls(2)], ids=["text", "texts", "nulls"]
)
def test_other_values_are_no_progressions(column: pa.Array) -> None:
    assert value_counts.progressions(pa.chunked_array([column])).null_count == len(column)


@pytest.mark.parametrize(
    "domain",
    ["range(2000)", "range(1999, -1, -1)", "(SELECT list(range) FROM range(2000))", "[3, 4, 1999]", "$1"],
)
def test_a_mode_over_any_form_of_domain(domain: str) -> None:
    """Epsilon 20 against a lead of 40 rows: another answer has a chance of less than 2000 e^-800."""
    con = duckdb.connect()
    dpduck.register(con)
    sql = (
        f"SELECT dp_mode(x, 20, domain := {domain}) FROM (SELECT 1999 x FROM range(40) UNION ALL SELECT NULL)"
    )
    assert con.execute(sql, [[*range(2000)]] if domain == "$1" else None).fetchone() == (1999,)


@given(
    st.lists(st.one_of(st.none(), st.integers(-128, 127)), max_size=30),
    st.lists(st.integers(-128, 127), min_size=1, max_size=9, unique=True),
    st.sampled_from([pa.int8(), pa.int32(), pa.int64()]),
)
def test_counting_by_place_is_counting(
    values: list[int | None], labels: list[int], integer: pa.DataType
) -> None:
    column = pa.array(values, integer)
    counts = value_counts.occurrences(column, pa.array(labels, integer))
    assert counts.tolist() == [values.count(label) for label in labels]
    distinct, numbers = value_counts.value_counts(column)
    present = [value for value in values if value is not None]
    found = dict(zip(distinct.to_pylist(), numbers.tolist(), strict=True))
    assert found == {value: present.count(value) for value in present}


def test_integers_far_apart_are_counted_too() -> None:
    ends = [-EDGE, 0, EDGE - 1]
    counts = value_counts.occurrences(pa.array([*ends, 0]), pa.array(ends))
    assert counts.tolist() == [1, 2, 1]


@given(
    st.lists(st.integers(0, 2**40 - 1) | st.integers(5000, 5050), min_size=1, max_size=60),
    st.integers(-5, 65),
    st.integers(-5, 65),
)
def test_a_window_holds_its_ranks(values: list[int], first: int, last: int) -> None:
    """However often the bins are refined; both kinds of sample know the same of the window."""
    first, last = min(first, last), max(first, last)
    if last < 0 or first >= len(values):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantile, "_FEW", 2)
        patch.setattr(quantile, "_COARSE_BITS", 3)
        patch.setattr(quantile, "_BLOCK", 7)
        window = quantile.Values(np.array(values), 2**40).window(first, last)
    inside = sorted(v for v in values if window.low <= v <= window.high)
    assert window.below == sum(v < window.low for v in values)
    assert np.repeat(window.offsets, window.units).tolist() == inside
    assert window.below <= max(first, 0)
    assert window.below + len(inside) > min(last, len(values) - 1)
