"""diffprivlib over scores that DuckDB counts: diffprivlib.readthedocs.io, mechanisms and tools.

`mechanisms.Exponential` takes one winner after another. `mechanisms.PermuteAndFlip` would select as well
here, and takes a hundred times as long: its list of candidates loses one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

# user: every job
import duckdb
import numpy as np
from diffprivlib import mechanisms, tools

# end

PACKAGE = "diffprivlib"


def top_10(file: str, size: int) -> list[list[float]]:
    """Half of epsilon selects, a tenth of that each time; half measures; a basket may touch all ten."""
    return next(top_10_draws(file, size))


def top_10_draws(file: str, size: int) -> Iterator[list[list[float]]]:
    """The same over counts made once."""
    # user: top_10
    rows = "SELECT item, count(DISTINCT basket_id) AS n FROM read_parquet(?) GROUP BY item"
    found = duckdb.execute(rows, [file]).fetchnumpy()
    counts = np.zeros(size, dtype=np.int64)
    counts[found["item"]] = found["n"]
    # end
    while True:
        # user: top_10
        answer = []
        left = dict(enumerate(counts.tolist()))
        for _ in range(10):
            select = mechanisms.Exponential(
                epsilon=0.5 / 10,
                sensitivity=1,
                utility=list(left.values()),
                candidates=list(left),
                monotonic=True,
            )
            winner = select.randomise()
            measure = mechanisms.Geometric(epsilon=0.5, sensitivity=10)
            answer.append([winner, measure.randomise(left.pop(winner))])
        # end
        yield answer


def median(file: str, size: int) -> float:
    """The exponential mechanism over the intervals between values."""
    # user: median
    values = duckdb.execute("SELECT i FROM read_parquet(?)", [file]).fetchnumpy()["i"]
    answer = tools.median(values, epsilon=1.0, bounds=(0, size))
    # end
    return float(answer)


def mode(file: str, size: int) -> int:
    """The exponential mechanism over all candidates."""
    # user: mode
    rows = "SELECT item, count(*) AS n FROM read_parquet(?) GROUP BY item"
    found = duckdb.execute(rows, [file]).fetchnumpy()
    counts = np.zeros(size, dtype=np.int64)
    counts[found["item"]] = found["n"]
    select = mechanisms.Exponential(epsilon=1.0, sensitivity=1, utility=counts.tolist(), monotonic=True)
    answer = select.randomise()
    # end
    return int(answer)
