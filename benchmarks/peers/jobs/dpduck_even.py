"""dpduck's mechanisms at the papers' even split: what the free gaps are worth alone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import duckdb
import numpy as np

from dpduck.kernel.mechanisms.linear_estimates import count_variance, estimate
from dpduck.kernel.mechanisms.topk import top_k
from dpduck.kernel.noise import SystemEntropy, discrete_laplace
from dpduck.kernel.scores import PlainScores

PACKAGE = "dpduck"
_K = 10
_HALF = Fraction(1, 2)


def top_10_draws(file: str, size: int) -> Iterator[list[list[float]]]:
    """Half of epsilon selects with exponential noise, half measures each winner; combined with the gaps."""
    found = duckdb.execute(
        "SELECT item, count(DISTINCT basket_id) AS n FROM read_parquet(?) GROUP BY item", [file]
    ).fetchnumpy()
    counts = np.zeros(size, dtype=np.int64)
    counts[found["item"]] = found["n"]
    scores, entropy, rate = PlainScores(counts), SystemEntropy(), _HALF / _K
    weight = float(1 / rate) ** 2 / count_variance(rate)
    while True:
        top = top_k(scores, _K, _HALF, entropy)
        measured = counts[list(top.candidates)] + discrete_laplace(rate, _K, entropy)
        counted = estimate(measured.tolist(), top.gaps, weight)
        yield [[int(item), count] for item, count in zip(top.candidates, counted, strict=True)]
