"""OpenDP's core library over scores that DuckDB counts.

`make_noisy_top_k` selects by permute-and-flip with the one-sided sensitivity of counts, `make_laplace` on
whole numbers measures with discrete Laplace noise, `make_private_quantile` scores candidates and takes the
best by `make_noisy_max`: docs.opendp.org, API reference, opendp.measurements.
"""

from __future__ import annotations

from collections.abc import Iterator

# user: every job
import duckdb
import numpy as np
import opendp.prelude as dp

dp.enable_features("contrib")
vectors = dp.vector_domain(dp.atom_domain(T=int))
# end

PACKAGE = "opendp"


def top_10(file: str, size: int) -> list[list[float]]:
    """Half of epsilon selects, half measures; a basket may touch all ten."""
    return next(top_10_draws(file, size))


def top_10_draws(file: str, size: int, selects: float = 0.5) -> Iterator[list[list[float]]]:
    """The same with that share of epsilon for the selection, over counts made once."""
    # user: top_10
    rows = "SELECT item, count(DISTINCT basket_id) AS n FROM read_parquet(?) GROUP BY item"
    found = duckdb.execute(rows, [file]).fetchnumpy()
    counts = np.zeros(size, dtype=np.int32)
    counts[found["item"]] = found["n"]
    distance = dp.linf_distance(T=int, monotonic=True)
    select = dp.m.make_noisy_top_k(vectors, distance, dp.max_divergence(), k=10, scale=10 / selects)
    measure = dp.m.make_laplace(vectors, dp.l1_distance(T=int), scale=10 / (1 - selects))
    # end
    assert select.map(1) + measure.map(10) < 1 + 1e-9
    while True:
        # user: top_10
        winners = select(counts)
        measured = measure(counts[winners].tolist())
        # end
        yield [[item, count] for item, count in zip(winners, measured, strict=True)]


def median(file: str, size: int) -> float:
    """Candidates are every tenth value: with all of them it takes three times as long."""
    # user: median
    values = duckdb.execute("SELECT i FROM read_parquet(?)", [file]).fetchnumpy()["i"]
    candidates = list(range(0, size + 1, 10))
    distance = dp.symmetric_distance()
    choose = dp.m.make_private_quantile(vectors, distance, dp.max_divergence(), candidates, 0.5, scale=1.0)
    answer = choose(values)
    # end
    assert choose.map(1) <= 1
    return float(answer)


def mode(file: str, size: int) -> int:
    """Permute-and-flip over all candidates."""
    # user: mode
    rows = "SELECT item, count(*) AS n FROM read_parquet(?) GROUP BY item"
    found = duckdb.execute(rows, [file]).fetchnumpy()
    counts = np.zeros(size, dtype=np.int32)
    counts[found["item"]] = found["n"]
    distance = dp.linf_distance(T=int, monotonic=True)
    select = dp.m.make_noisy_max(vectors, distance, dp.max_divergence(), scale=1.0)
    answer = select(counts)
    # end
    assert select.map(1) <= 1
    return int(answer)
