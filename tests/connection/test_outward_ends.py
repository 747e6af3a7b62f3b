"""Ends of intervals of large numbers are rounded outwards, where doubles are further apart than numbers."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import duckdb
import numpy as np
import pytest

import dpduck
from dpduck.kernel.arrow.outward import ends_around, outward

FAR = 2**63 - 2000  # beyond 2**53, where doubles are 1,024 apart


@pytest.fixture(scope="module")
def db() -> Iterator[dpduck.Connection]:
    with duckdb.connect() as rows:
        rows.execute("CREATE TABLE few (id INTEGER PRIMARY KEY, k INTEGER)")
        rows.execute("INSERT INTO few SELECT i, i % 4 FROM range(400) AS r(i)")
        with dpduck.connect(rows, epsilon="0.5") as opened:
            opened.execute("ALTER TABLE few ADD PRIVACY_KEY (id); CREATE PRIVACY BUDGET b LIMIT 100000")
            yield opened


@pytest.mark.parametrize(
    ("form", "sign"),
    [
        (f"{FAR} + count(*)", 1),
        (f"count(*) - {FAR}", 1),
        (f"{FAR} - count(*)", -1),
        (f"CAST({FAR} + count(*) AS DECIMAL(38, 2))", 1),
        (f"CAST({FAR} AS HUGEINT) + count(*) + 3000", 1),
        (f"CAST({FAR} + count(*) AS HUGEINT)", 1),
    ],
)
def test_what_is_computed_has_ends_around_its_interval(form: str, sign: int, db: dpduck.Connection) -> None:
    [row] = db.sql("SELECT count(*) AS n FROM few").intervals().to_pylist()
    [far] = db.sql(f"SELECT {form} AS f FROM few").intervals().to_pylist()
    value, low, high = (Fraction(Decimal(str(far[name]))) for name in ("f", "f_low", "f_high"))
    below, above = (abs(Fraction(row["n"]) - Fraction(row[f"n_{end}"])) for end in ("low", "high"))
    assert low <= value - (below if sign > 0 else above)
    assert high >= value + (above if sign > 0 else below)
    assert high - low < 10_000


@pytest.mark.parametrize("exact", [2**53 + 1, 2**63 - 1, 2**63 - 513, 2**100 + 1, -(2**63) + 1, -(2**53) - 1])
def test_an_end_is_the_next_double_outwards(exact: int) -> None:
    low, high = outward(exact, -np.inf), outward(exact, np.inf)
    assert Fraction(low) < exact < Fraction(high)
    assert np.nextafter(low, np.inf) == high


@pytest.mark.parametrize("unit", [Fraction(1), Fraction(1, 100)])
def test_what_doubles_tell_apart_is_the_nearest_one(unit: Fraction) -> None:
    for exact in (-1234567, 0, 1, 780, 2**53 - 1):
        assert outward(exact, -np.inf, unit) == outward(exact, np.inf, unit) == float(exact * unit)


def test_counts_of_any_size_have_ends_around_them() -> None:
    counts = np.array([0, 7, 2**62 + 1, -(2**62) - 1], np.int64)
    lows, highs = ends_around(counts, 5)
    for count, low, high in zip(counts.tolist(), lows, highs, strict=True):
        assert Fraction(low) <= count - 5
        assert Fraction(high) >= count + 5
    small = ends_around(np.array([7], np.int64), 5)
    assert [end.tolist() for end in small] == [[2.0], [12.0]]
    assert [end.size for end in ends_around(np.array([], np.int64), 5)] == [0, 0]
