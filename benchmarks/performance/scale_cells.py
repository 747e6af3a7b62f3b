"""What `scale` compares: for each size and job the private query beside the one without privacy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.performance.scale_data import MOST, Tables
from benchmarks.report.results import Record

DPDUCK, PLAIN, MEDIAN, AGGREGATION = "dpduck", "DuckDB", "DuckDB, median(v)", "DuckDB, aggregation alone"
ROW, ONE, MANY = "row-level", "1 row per unit", "20 rows per unit"
UNITS = {ROW: "id", ONE: "u1", MANY: "u20"}
TOP, HISTOGRAM, MIDDLE, SPARSE = "top 10", "histogram", "median", "top 10, sparse"
CLAIMED_FROM = 10_000_000  # rows
COUNTS, ROW_COUNTS, MIDDLES = 1.15, 1.25, 1.0  # times DuckDB's seconds, at most
MEMORY = 1.2
BEYOND_SECONDS, BEYOND_MIB = 2.0, 500.0
FEWEST_ROWS = 10  # per candidate, where all are listed


@dataclass(frozen=True)
class Ask:
    """One way to an answer, asked in a process of its own.

    `policies`: statements for dpduck; without any the query runs on DuckDB. `arrow`: the answer is fetched as
    an Arrow table, else as tuples.
    """

    file: Path
    sql: str
    policies: tuple[str, ...] = ()
    arrow: bool = False

    def record(self) -> Record:
        """As JSON, for the child."""
        return {"file": str(self.file), "sql": self.sql, "policies": self.policies, "arrow": self.arrow}


@dataclass(frozen=True)
class Cell:
    """Ways to one answer; the second is what the first is compared with."""

    job: str
    rows: int
    unit: str
    ways: Mapping[str, Ask] = field(repr=False)
    candidates: int | None = None

    @property
    def most_ratio(self) -> float | None:
        """The seconds that dpduck may take, in times of the plain query's."""
        if self.rows < CLAIMED_FROM or self.job == SPARSE:
            return None
        if self.job == MIDDLE:
            return MIDDLES
        return ROW_COUNTS if self.unit == ROW else COUNTS

    @property
    def facts(self) -> Record:
        """What a line of results says of it."""
        return {
            "job": self.job,
            "rows": self.rows,
            "candidates": self.candidates,
            "unit": self.unit,
            "most_ratio": self.most_ratio,
        }


def cells(tables: Tables, sizes: Sequence[int], occupied: int) -> Iterator[Cell]:
    """All of them, from small to large; a file is made when its first cell comes."""
    for rows in sorted(sizes):
        for unit in UNITS:
            for size in tables.candidates:
                yield counts(tables.rows(rows), TOP, rows, unit, size)
            for size in tables.candidates:
                if size * FEWEST_ROWS <= rows:
                    yield counts(tables.rows(rows), HISTOGRAM, rows, unit, size)
        for unit in (ROW, MANY):
            yield middle(tables.rows(rows), rows, unit)
    yield sparse(tables.sparse(occupied), occupied)


def counts(file: Path, job: str, rows: int, unit: str, size: int) -> Cell:
    """The ten largest groups, or all: the same text with and without privacy."""
    key, column = f"k{size}", UNITS[unit]
    count = "count(*)" if unit == ROW else f"count(DISTINCT {column})"
    sql = f"SELECT {key}, {count} AS n FROM t GROUP BY {key}"
    sql += " ORDER BY n DESC LIMIT 10" if job == TOP else ""
    ways = {
        DPDUCK: Ask(file, sql, (_owned(column), _between(key, size - 1)), job == HISTOGRAM),
        PLAIN: Ask(file, sql, arrow=job == HISTOGRAM),
    }
    return Cell(job, rows, unit, ways, size)


def middle(file: Path, rows: int, unit: str) -> Cell:
    """The median of a column; where a unit has many rows, of one value for each unit: its own median."""
    column = UNITS[unit]
    sql = "SELECT median(v) FROM t"
    ways = {DPDUCK: Ask(file, sql, (_owned(column), _between("v", MOST)))}
    if unit == ROW:
        return Cell(MIDDLE, rows, unit, {**ways, PLAIN: Ask(file, sql)})
    own = f"SELECT median(m) FROM (SELECT median(v) AS m FROM t GROUP BY {column})"
    return Cell(MIDDLE, rows, unit, {**ways, PLAIN: Ask(file, own), MEDIAN: Ask(file, sql)})


def sparse(file: Path, occupied: int) -> Cell:
    """The ten largest of ten times as many public candidates as have rows, beside the counting alone."""
    size = 10 * occupied
    sql = "SELECT k, count(*) AS n FROM t GROUP BY k ORDER BY n DESC LIMIT 10"
    alone = "SELECT sum(n), max(n) FROM (SELECT k, count(*) AS n FROM t GROUP BY k)"
    ways = {DPDUCK: Ask(file, sql, (_owned("id"), _between("k", size - 1))), AGGREGATION: Ask(file, alone)}
    return Cell(SPARSE, 2 * occupied, ROW, ways, size)


def _owned(column: str) -> str:
    return f"ALTER TABLE t ADD PRIVACY_KEY ({column})"


def _between(column: str, high: int) -> str:
    return f"ALTER TABLE t ALTER COLUMN {column} SET PRIVACY DOMAIN BETWEEN (0, {high})"
