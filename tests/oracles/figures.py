"""Published figures of permute-and-flip against the exponential mechanism, from a file of histograms.

    python -m tests.oracles.figures dpbench.parquet

Mode: scores are the counts, coin exp(-epsilon) (add or remove one record, monotonic). Median: scores of
`median_scores`, coin exp(-epsilon / 2). Errors are exact expectations, in records and in score units.
Figures for the median depend in the fourth digit on whether a bin with L = E + G is a median: a convention
that says no has L - E - G + 1 in its score.
"""

import math
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet as pq

from tests.oracles.selection import (
    Groups,
    expected_error_arb,
    exponential_mechanism_arb,
    median_scores,
    permute_and_flip_arb,
)


def error_at(groups: Groups, rate: Fraction) -> tuple[float, float]:
    """Expected errors of permute-and-flip and of the exponential mechanism for coins exp(-rate (max - q))."""
    masses = permute_and_flip_arb(groups, rate), exponential_mechanism_arb(groups, rate)
    flip, exponential = (float(expected_error_arb(mass).mid()) for mass in masses)
    return flip, exponential


def exponential_error(groups: Groups, rate: float) -> float:
    """Expected error of the exponential mechanism in floats: nothing cancels or overflows."""
    best = max(groups)
    weights = {q: m * math.exp(-rate * (best - q)) for q, m in groups.items()}
    return sum((best - q) * w for q, w in weights.items()) / sum(weights.values())


def rate_for_error(groups: Groups, target: float) -> float:
    """The rate at which the exponential mechanism's expected error (it falls with the rate) is the target."""
    low, high = 1e-9, 100.0
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if exponential_error(groups, middle) > target else (low, middle)
    return math.sqrt(low * high)


def equal_error_row(groups: Groups, target: float, *, halved: bool) -> tuple[float, float, float]:
    """Epsilon where the exponential mechanism has the target error, permute-and-flip's error, quotient."""
    rate = rate_for_error(groups, target)
    flip, exponential = error_at(groups, Fraction(rate))
    return rate * (2 if halved else 1), flip, exponential / flip


def mode_groups(histogram: Sequence[int]) -> Counter[int]:
    """Scores of the mode with their multiplicities."""
    return Counter(histogram)


def median_groups(histogram: Sequence[int]) -> Counter[int]:
    """Scores of the median with their multiplicities."""
    return Counter(median_scores(histogram))


def load(path: Path) -> dict[str, list[int]]:
    """The histograms of the file, by column; the column `bin` gives the order."""
    table = pq.read_table(path).sort_by("bin")
    return {name: table[name].to_pylist() for name in table.column_names if name != "bin"}


def main(path: Path) -> None:
    """Print the table: set, then epsilon, error and quotient for the mode and for the median."""
    for name, histogram in load(path).items():
        mode = equal_error_row(mode_groups(histogram), 25, halved=False)
        median = equal_error_row(median_groups(histogram), 50, halved=True)
        print(name, *(f"{x:.6f}" for x in (*mode, *median)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
