"""The tables of conversions and budgets hold the numbers that were computed elsewhere."""

from __future__ import annotations

from benchmarks.accuracy import budgets, conversions

LIMITS = {
    ("0.5", "1e-05"): ("0.005314", "0.008506", "1.60"),
    ("0.5", "1e-06"): ("0.004444", "0.006642", "1.49"),
    ("0.5", "1e-09"): ("0.002980", "0.003953", "1.33"),
    ("1", "1e-05"): ("0.020820", "0.030557", "1.47"),
    ("1", "1e-06"): ("0.017469", "0.024356", "1.39"),
    ("1", "1e-09"): ("0.011781", "0.014973", "1.27"),
    ("2", "1e-06"): ("0.067574", "0.088153", "1.30"),
    ("2", "1e-09"): ("0.046058", "0.056131", "1.22"),
    ("4", "1e-06"): ("0.253936", "0.311065", "1.22"),
    ("10", "1e-05"): ("1.550355", "1.782696", "1.15"),
    ("10", "1e-06"): ("1.353015", "1.539279", "1.14"),
}


def test_limits_in_rho() -> None:
    limits, implied = conversions.tables()
    assert {row[:2]: row[2:] for row in limits.rows[1:]} == LIMITS
    assert ("0.02", "1.071304", "0.899935") in implied.rows


def test_what_budgets_admit() -> None:
    [found] = budgets.tables()
    assert [row[2:] for row in found.rows[1:]] == [
        ("10", "3", "4", "77", "19", "11"),
        ("50", "87", "121", "1948", "487", "280"),
        ("20", "13", "17", "282", "70", "40"),
        ("20", "11", "12", "197", "49", "26"),
        ("100", "310", "356", "5704", "1426", "799"),
    ]
