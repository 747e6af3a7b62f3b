"""Averages have the digits that their noise leaves a meaning, and their intervals cover what they covered."""

from __future__ import annotations

import random
from decimal import Decimal
from pathlib import Path

import duckdb

import dpduck
from dpduck.kernel.release.rounding import rounded_to_noise
from tests.sources import HALF, Quiet

_RANDOM = random.Random(11)
_NUMBERS = [
    (_RANDOM.uniform(-1, 1) * 10.0**size, 10.0 ** _RANDOM.uniform(-9, 9))
    for size in range(-9, 10)
    for _ in range(40)
]


def places(number: float) -> int:
    """The decimal places of a number as it is written."""
    return max(0, -int(Decimal(repr(number)).normalize().as_tuple().exponent))


def test_rounding_is_small_beside_the_noise_and_widens_intervals() -> None:
    given = [(x, x - width, x + width) for x, width in _NUMBERS]
    made = [tuple(ends.tolist()) for ends in rounded_to_noise(*zip(*given, strict=True))]
    assert tuple(rounded_to_noise(*made)[0].tolist()) == made[0]
    for (number, width), (_, low, high), after in zip(_NUMBERS, given, zip(*made, strict=True), strict=True):
        digits_end = abs(number) * 1e-15
        error = abs(after[0] - number) - digits_end
        assert error <= width / 100 * (1 + 1e-9) or (width > 50 and after[0] % 1 == 0)
        assert after[1] - digits_end <= low
        assert high <= after[2] + digits_end
        assert after[1] <= after[0] <= after[2]
        for end in after:  # one place less would move some number by more
            assert places(end) == 0 or 10.0 ** (1 - places(end)) / 2 > width / 101 or error <= 0


def test_what_has_no_noise_is_not_rounded() -> None:
    assert [ends.tolist() for ends in rounded_to_noise([1 / 3], [1 / 3], [1 / 3])] == [[1 / 3]] * 3
    assert [ends.tolist() for ends in rounded_to_noise([], [], [])] == [[], [], []]


def test_huge_numbers_stay_and_zero_has_no_sign() -> None:
    assert rounded_to_noise([1e300], [9e299], [2e300])[0].tolist() == [1e300]
    assert str(rounded_to_noise([-0.2], [-90], [90])[0].tolist()) == "[0.0]"


def test_a_released_average_is_rounded_within_its_range(tmp_path: Path) -> None:
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x DOUBLE)")
        con.execute("INSERT INTO t SELECT i, 18.05 + (i % 50) FROM range(4000) r(i)")
    with dpduck.connect(path, epsilon=1) as db:
        db.execute("ALTER TABLE t ADD PRIVACY_KEY (id)")
        db.execute("ALTER TABLE t ALTER COLUMN x SET PRIVACY DOMAIN BETWEEN (18.05, 67.05)")
        db.execute("SELECT avg(x) AS m, dp_low(m), dp_high(m) FROM t")
        kinds = [str(column[1]) for column in db.description]
        [(mean, low, high)] = db.fetchall()
        assert kinds == ["DOUBLE", "DOUBLE", "DOUBLE"]
        assert 18.05 <= low <= mean <= high <= 67.05
        assert all(places(end) <= 4 for end in (mean, low, high))  # the half-width is about 0.03
        db._service._entropy = Quiet(HALF)
        [(_, *ends)] = db.execute("SELECT avg(x) AS m, dp_low(m), dp_high(m) FROM t WHERE id < 0").fetchall()
    assert ends == [18.05, 67.05]  # an interval that is the whole range is not rounded beyond it
