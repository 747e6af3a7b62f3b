"""A summary of nearly 4,000,000 cells, made or asked in this process alone.

`python -m benchmarks.performance.summaries_child FILE NOISE make|ask SIZE` prints the most memory that the
process ever had, in MiB; after asking, also the milliseconds of the first answer and of the next ones.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

import duckdb

import dpduck
from benchmarks.peers.jobs.child import peak

ROWS = 200_000
QUERY = "SELECT a, count(*) FROM t WHERE b < 4 AND c > 3 GROUP BY a ORDER BY a"


def main(path: Path, kind: str, what: str, size: int) -> None:
    """Make a summary of a new file, or ask that of a file. Input: the values of each of four columns."""
    if what == "make":
        _made(path, size)
        with dpduck.connect(path) as db:
            db.execute(
                "CREATE PRIVACY SUMMARY s ON t (a, b, c, d) WORKLOAD (ALL 3 WAY) EPSILON 1 DELTA 1e-6 "
                f"NOISE {kind}"
            )
        print(peak())
        return
    times = []
    with dpduck.connect(path, epsilon="0.001") as db:
        for _ in range(5):
            start = time.perf_counter()
            db.execute(QUERY).fetchall()
            times.append((time.perf_counter() - start) * 1000)
    print(peak(), times[0], median(times[1:]))


def _made(path: Path, size: int) -> None:
    columns = ", ".join(
        f"(i * {factor} // 7 % {size})::INTEGER AS {name}" for name, factor in _COLUMNS.items()
    )
    with duckdb.connect(str(path)) as con:
        con.execute(f"CREATE TABLE t AS SELECT i AS id, {columns} FROM range({ROWS}) AS r(i)")
        for name in _COLUMNS:  # NULL would be a cell of each
            con.execute(f"ALTER TABLE t ALTER COLUMN {name} SET NOT NULL")
        con.execute("ALTER TABLE t ADD PRIMARY KEY (id)")
    policies = ["ALTER TABLE t ADD PRIVACY_KEY (id)"]
    domain = f"SET PRIVACY DOMAIN BETWEEN (0, {size - 1})"
    policies += [f"ALTER TABLE t ALTER COLUMN {name} {domain}" for name in _COLUMNS]
    with dpduck.connect(path) as db:
        db.execute(";".join(policies))


_COLUMNS = {"a": 7919, "b": 31, "c": 17, "d": 1009}

if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:4], int(sys.argv[4]))
