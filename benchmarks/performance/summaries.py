"""Private summaries from SQL: errors of what nobody declared, empty cells, sums, times and memory.

Tables of the shapes of the design are generated, with one row of each person: adult4, 48,842 rows, and shop4,
71,666 rows. Summaries of all tables of three columns are made at epsilon 1 and delta 1e-6, once for each run,
and asked by SQL alone; errors are against the true answers of DuckDB. The table with 4,000,000 cells has a
process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import itertools
import math
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import duckdb
import numpy as np

import dpduck
from benchmarks.accuracy import Table
from benchmarks.report.results import Record, Run
from dpduck.summaries.gaussian_plan import planned_residuals
from dpduck.summaries.laplace_plan import planned_shares
from dpduck.summaries.workload import tables_of

CHILD = "benchmarks.performance.summaries_child"
KINDS = ("laplace", "gaussian")
EIGHT = (9, 16, 7, 2, 9, 15, 6, 2)  # the sizes of adult8

Row = tuple[object, ...]


@dataclass(frozen=True)
class Plan:
    """How much is done: summaries of each kind, random questions to each, and values of large columns."""

    runs: int = 10
    questions: int = 60
    size: int = 99


@dataclass(frozen=True)
class Shape:
    """A generated table: its columns, how many values each has, and their bands; the design's figures."""

    name: str
    rows: int
    columns: tuple[tuple[str, int, tuple[int, ...]], ...]
    published: dict[str, str]

    def cell(self, column: int) -> str:
        """A column as SQL groups it: by its bands, if it has any."""
        name, _, bands = self.columns[column]
        if not bands:
            return name
        cases = " ".join(f"WHEN {name} < {first} THEN {place}" for place, first in enumerate(bands))
        return f"CASE {cases} ELSE {len(bands)} END"

    def size(self, column: int) -> int:
        """Its number of cells."""
        _, values, bands = self.columns[column]
        return len(bands) + 1 if bands else values


ADULT = Shape(
    "adult4",
    48_842,
    (("age", 85, (8, 13, 18, 28, 38, 48, 58, 68)), ("education", 16, ()), ("marital", 7, ()), ("sex", 2, ())),
    {"laplace": "13.2, 8.0, 12.3; 21.2; 12.9", "gaussian": "12.8, 11.6, 11.4; 20.3; 14.7"},
)
SHOP = Shape(
    "shop4",
    71_666,
    (("page", 20, ()), ("region", 8, ()), ("age", 85, (2, 8, 18, 19, 28, 38, 48, 58, 68)), ("month", 12, ())),
    {"laplace": "28.1, 15.1, 8.4; 46.3; 23.6", "gaussian": "14.3, 13.5, 12.7; 37.2; 24.0"},
)


def main(plan: Plan, out: Path) -> int:
    """Run all, print the tables beside the design's, and write them as results. Returns the exit code."""
    run, records = Run.start("summaries", 1), list[Record]()
    for one in tables(plan):
        print(one.text(), end="\n\n")
        records.append({"table": one.name, "rows": one.rows})
    print(f"written to {run.write(out, records)}")
    return 0


def tables(plan: Plan) -> Iterator[Table]:
    """All tables, one after another."""
    header = (
        "table",
        "noise",
        "1-, 2-, 3-way; ranges; grouped (design)",
        "here",
        "ms of an answer, again",
        "made in s",
    )
    rows, cells = (
        [header],
        [("noise", "numbers", "interval holds", "rmse below 5", "rmse above 100", "bias by age")],
    )
    for shape in (ADULT, SHOP):
        with _made(shape) as path:
            truth = _Truth(path, shape)
            for kind in KINDS:
                found = [_asked(path, shape, truth, kind, plan, seed) for seed in range(plan.runs)]
                rows.append(_errors_row(shape, kind, found))
                if shape is ADULT:
                    cells += _cells_rows(kind, found, truth)
    yield Table("C", "rmse of what nobody declared, from SQL", tuple(rows))
    yield Table("D", "cells of age x education x marital, from SQL", tuple(cells))
    yield _sums(plan)
    yield _planning()
    yield _memory(plan)


# --- generated tables ----------------------------------------------------------------------------


@contextmanager
def _made(shape: Shape) -> Iterator[Path]:
    """A database with the table, its policies, and budgets that last."""
    draw = np.random.default_rng(7)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{shape.name}.duckdb"
        with duckdb.connect(str(path)) as con:
            numbers = {}
            for name, size, _ in shape.columns:
                weights = 1 / (1.0 + draw.permutation(size)) ** 0.8
                numbers[name] = draw.choice(size, shape.rows, p=weights / weights.sum())
            mixed = np.where(
                draw.random(shape.rows) < 0.4, numbers[shape.columns[0][0]] % shape.columns[1][1], -1
            )
            second = shape.columns[1][0]
            numbers[second] = np.where(mixed >= 0, mixed, numbers[second])
            spent = np.round(draw.gamma(1.5, 14.0, shape.rows).clip(0, 100), 2)
            con.register("made", {**numbers, "spent": spent})
            con.execute(
                "CREATE TABLE t AS SELECT row_number() OVER () AS id, * REPLACE "
                "(CAST(spent AS DECIMAL(6, 2)) AS spent) FROM made"
            )
            for name in (*(name for name, *_ in shape.columns), "spent"):  # NULL would be a cell of each
                con.execute(f"ALTER TABLE t ALTER COLUMN {name} SET NOT NULL")
            con.execute("ALTER TABLE t ADD PRIMARY KEY (id)")
        policies = ["ALTER TABLE t ADD PRIVACY_KEY (id)"]
        domains = [*((name, size - 1) for name, size, _ in shape.columns), ("spent", 100)]
        policies += [
            f"ALTER TABLE t ALTER COLUMN {n} SET PRIVACY DOMAIN BETWEEN (0, {most})" for n, most in domains
        ]
        policies.append("CREATE PRIVACY BUDGET many LIMIT 100000 DELTA 0.5")
        with dpduck.connect(path) as db:
            db.execute(";".join(policies))
        yield path


class _Truth:
    """True answers, computed from the counts of all full cells."""

    def __init__(self, path: Path, shape: Shape) -> None:
        cells = ", ".join(f"{shape.cell(place)} AS c{place}" for place in range(len(shape.columns)))
        with duckdb.connect(str(path), read_only=True) as con:
            rows = con.execute(f"SELECT {cells}, count(*) FROM t GROUP BY ALL").fetchall()
        self.x = np.zeros([shape.size(place) for place in range(len(shape.columns))])
        for *place, n in rows:
            self.x[tuple(int(one) for one in place)] = n

    def answer(self, keys: Sequence[int], kept: dict[int, Sequence[int]]) -> np.ndarray:
        """The counts by some columns, of some cells of some columns."""
        found = self.x
        for axis, cells in kept.items():
            mask = np.isin(np.arange(found.shape[axis]), cells)
            found = found * mask.reshape([-1 if place == axis else 1 for place in range(found.ndim)])
        return found.sum(axis=tuple(axis for axis in range(found.ndim) if axis not in keys))


# --- asking --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Asked:
    """What one summary answered: squared errors by what was asked, and seconds of the processor.

    `again`: of the same questions once more, whose plans are known.
    """

    squares: dict[str, list[np.ndarray]]
    cells: np.ndarray
    width: float
    seconds: list[float]
    again: list[float]
    made: float


def _statement(shape: Shape, kind: str) -> str:
    columns = ", ".join(
        f"{name} BANDS ({', '.join(map(str, bands))})" if bands else name for name, _, bands in shape.columns
    )
    return (
        f"CREATE OR REPLACE PRIVACY SUMMARY board ON t ({columns}) WORKLOAD (ALL 3 WAY) EPSILON 1 DELTA 1e-6 "
        f"NOISE {kind}"
    )


def _asked(path: Path, shape: Shape, truth: _Truth, kind: str, plan: Plan, seed: int) -> _Asked:
    squares: dict[str, list[np.ndarray]] = {}
    seconds: list[float] = []
    again: list[float] = []
    draw = random.Random(seed)
    with dpduck.connect(path, epsilon="0.001", session=f"{kind} {seed}") as db:
        start = time.process_time()
        db.execute(_statement(shape, kind))
        made = time.process_time() - start
        _only_summaries(db)

        def ask(what: str, keys: Sequence[int], kept: dict[int, Sequence[int]]) -> np.ndarray:
            for took in (seconds, again):
                start = time.process_time()
                found = _counts(db, shape, keys, kept)
                took.append(time.process_time() - start)
            squares.setdefault(what, []).append(((found - truth.answer(keys, kept)) ** 2).reshape(-1))
            return found

        for ways in (1, 2, 3):
            for keys in itertools.combinations(range(4), ways):
                found = ask(f"{ways}-way", keys, {})
                if keys == (0, 1, 2):
                    cells = found
        for _ in range(plan.questions):
            columns = draw.sample(range(4), draw.randint(1, 3))
            kept = {column: _some(draw, shape, column) for column in columns}
            ask("ranges", (), kept)
            ask("grouped", (columns[0],), {column: kept[column] for column in columns[1:]})
        explained = db.explain(_query(shape, (0, 1, 2), {})).expected_error["n"]
    return _Asked(squares, cells, explained, seconds, again, made)


def _only_summaries(db: dpduck.Connection) -> None:
    for setting in ("dp_summaries = only", "dp_replay = off"):
        db.execute(f"SET {setting}")


def _some(draw: random.Random, shape: Shape, column: int) -> Sequence[int]:
    """A range of cells, or a set of them where there are no bands."""
    size = shape.size(column)
    if shape.columns[column][2] or draw.random() < 0.5:
        first = draw.randrange(size)
        return range(first, draw.randint(first, size - 1) + 1)
    return sorted(draw.sample(range(size), draw.randint(1, size)))


def _query(shape: Shape, keys: Sequence[int], kept: dict[int, Sequence[int]]) -> str:
    items = [f"{shape.cell(key)} AS k{key}" for key in keys]
    tests = [f"{shape.cell(column)} IN ({', '.join(map(str, cells))})" for column, cells in kept.items()]
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    by = " GROUP BY ALL" if keys else ""
    return f"SELECT {', '.join([*items, 'count(*) AS n'])} FROM t{where}{by}"


def _counts(
    db: dpduck.Connection, shape: Shape, keys: Sequence[int], kept: dict[int, Sequence[int]]
) -> np.ndarray:
    found = np.zeros([shape.size(key) for key in keys])
    for *place, n in db.execute(_query(shape, keys, kept)).fetchall():
        found[tuple(int(str(one)) for one in place)] = n
    return found


def _errors_row(shape: Shape, kind: str, found: Sequence[_Asked]) -> tuple[str, ...]:
    def rmse(what: str) -> str:
        return f"{math.sqrt(np.concatenate([one for run in found for one in run.squares[what]]).mean()):.1f}"

    ways = ", ".join(rmse(f"{k}-way") for k in (1, 2, 3))
    here = f"{ways}; {rmse('ranges')}; {rmse('grouped')}"
    first = median(one for run in found for one in run.seconds) * 1000
    again = median(one for run in found for one in run.again) * 1000
    took = f"{first:.1f}, {again:.1f}"
    return (shape.name, kind, shape.published[kind], here, took, f"{median(run.made for run in found):.2f}")


def _cells_rows(kind: str, found: Sequence[_Asked], truth: _Truth) -> list[tuple[str, ...]]:
    """Numbers as they are, and clipped at 0: why they are not."""
    exact = truth.x.sum(axis=3)
    rows = []
    for what in ("raw", "clipped at 0"):
        numbers = [np.maximum(run.cells, 0) if what != "raw" else run.cells for run in found]
        held = np.mean([np.abs(one - exact) <= run.width for one, run in zip(numbers, found, strict=True)])
        squares = np.mean([(one - exact) ** 2 for one in numbers], axis=0)
        bias = np.mean([(one - exact).sum(axis=(1, 2)).mean() for one in numbers])
        few, many = (math.sqrt(squares[mask].mean()) for mask in (exact < 5, exact > 100))
        rows.append((kind, what, f"{held:.3f}", f"{few:.2f}", f"{many:.2f}", f"{bias:+.1f}"))
    return rows


# --- sums, times and memory ----------------------------------------------------------------------


def _sums(plan: Plan) -> Table:
    """Table F, with one row of each person: errors of sums and means by page."""
    rows = [("noise", "error of sums", "as predicted", "error of means", "interval of means holds")]
    query = "SELECT page, sum(spent) AS s, avg(spent) AS a{ends} FROM t GROUP BY page ORDER BY page"
    with _made(SHOP) as path:
        with duckdb.connect(str(path), read_only=True) as con:
            exact = np.array(con.execute(query.format(ends="")).fetchall(), dtype=float)
        for kind in KINDS:
            squares, held, predicted = [], [], 0.0
            for seed in range(plan.runs):
                with dpduck.connect(path, epsilon="0.001", session=f"{kind} {seed}") as db:
                    statement = _statement(SHOP, kind).replace(" WORKLOAD", " MEASURES (spent) WORKLOAD")
                    db.execute(statement)
                    _only_summaries(db)
                    predicted = db.explain(query.format(ends="")).expected_error["s"]
                    found = db.execute(query.format(ends=", dp_low(a), dp_high(a)")).fetchall()
                numbers = np.array([[float(str(cell)) for cell in row] for row in found])
                squares.append((numbers[:, 1:3] - exact[:, 1:]) ** 2)
                held.append(((numbers[:, 3] <= exact[:, 2]) & (exact[:, 2] <= numbers[:, 4])).mean())
            of_sums, of_means = np.sqrt(np.mean(squares, axis=(0, 1)))
            deviation = predicted / 1.96
            rows.append(
                (kind, f"{of_sums:,.0f}", f"{deviation:,.0f}", f"{of_means:.2f}", f"{np.mean(held):.3f}")
            )
    return Table(
        "F", "spent from 0 to 100 by page of shop4, half of the loss: root mean squares", tuple(rows)
    )


def _planning() -> Table:
    """Seconds to plan eight columns, and all tables of two or three of them."""
    rows = [("workload", "laplace", "gaussian")]
    for ways in (2, 3):
        charts = tables_of(ways, EIGHT)
        took = []
        for planned in (planned_shares, planned_residuals):
            start = time.process_time()
            planned(charts, EIGHT)
            took.append(f"{time.process_time() - start:.2f} s")
        rows.append((f"all {ways}-way tables", *took))
    return Table("planning", "eight columns of 9, 16, 7, 2, 9, 15, 6 and 2 values", tuple(rows))


def _memory(plan: Plan) -> Table:
    """Peak memory with nearly 4,000,000 cells, of making a summary and of asking one, in new processes."""
    rows = [("noise", "making", "asking", "first answer", "next ones")]
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "large.duckdb"
            told = [_child(path, kind, what, plan.size) for what in ("make", "ask")]
        rows.append(
            (
                kind,
                f"{told[0][0]:.0f} MiB",
                f"{told[1][0]:.0f} MiB",
                *(f"{one:.0f} ms" for one in told[1][1:]),
            )
        )
    caption = f"four columns of {plan.size} values, all tables of three: peak memory of a process"
    return Table("memory", caption, tuple(rows))


def _child(path: Path, kind: str, what: str, size: int) -> list[float]:
    command = [sys.executable, "-m", CHILD, str(path), kind, what, str(size)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(one) for one in done.stdout.split()]
